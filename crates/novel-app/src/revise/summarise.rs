//! The summarizer, asked about a text of a chapter that is in the book already. It sees the book as
//! it stood right before the chapter, so that its ops are for the state of that time.

use novel_book::{
    believe::Hearing,
    config::ExecutorKind,
    edit::Edit,
    validate::{self},
};
use novel_model::{
    ChapterNo, ChapterStage, Document, StepId, VolumeNo,
    files::{ChapterContract, Checkpoint, PipelineStage, StoryState},
    layout, to_json_text,
};
use novel_steps::{hand_in, summary, volumes::Volumes};
use novel_store::Writer;

use crate::{
    Refusal, history,
    revise::rewrite::Summarised,
    runner::{AskError, Inquiry, Reuse, Runner, Spent},
};

/// Asks the summarizer.
///
/// # Errors
/// When it gives no usable answer, or the state of that time is not known.
pub(crate) fn summarise(
    runner: &Runner<'_>,
    writer: &Writer,
    spent: &mut Spent,
    checkpoint: &Document<Checkpoint>,
    chapter: ChapterNo,
    markdown: &str,
    reuse: Reuse,
) -> Result<Summarised, AskError> {
    let reader = writer.reader()?;
    let (volume, _) = Volumes::load(&reader, checkpoint.get().current_volume)?.of(chapter.get());
    let then = moment(checkpoint, chapter, volume);
    let past = history::moment_before(runner.project, &reader, checkpoint, chapter, volume)?;
    let mut book = Edit::with(&reader, past.clone());
    book.write(layout::staged_chapter(chapter), markdown);
    let step = StepId::Chapter(chapter, ChapterStage::Summarize);
    let inquiry = Inquiry {
        reuse,
        ..Inquiry::of_step(runner, &book, then.get(), step)?
    };
    let contract = Document::<ChapterContract>::load(&book, &layout::contract(volume, chapter))?;
    let line = contract.map(|contract| contract.get().storyline_id.clone());
    let version = Document::<StoryState>::load(&book, &layout::state())?
        .map_or(0, |state| state.get().state_version);
    let mut heard = 0;
    let asked = runner.consult(writer, spent, &inquiry, |text| {
        heard += 1;
        let hearing = if heard > 1 || runner.executor.kind() == ExecutorKind::Offline {
            Hearing::Last
        } else {
            Hearing::First
        };
        let value = serde_json::from_str(text).unwrap_or_default();
        let value = hand_in::completed_summary(value, chapter, line.as_ref(), version);
        let files = hand_in::summary_files(step, chapter, &to_json_text(&value))?;
        let mut seen = Edit::with(&reader, past.clone());
        for (path, bytes) in files {
            seen.write(path, bytes);
        }
        let settled = summary::settle(&seen, volume, chapter, Some(markdown), hearing)?;
        seen.extend(settled.changes);
        let (artefacts, mut findings) = validate::summary_artefacts(&seen, chapter, line.as_ref());
        findings.problems.extend(settled.complaints);
        findings.accept(step)?;
        artefacts.ok_or_else(|| Refusal::NoText { chapter }.into())
    })?;
    Ok(Summarised {
        artefacts: asked.answer,
        stages: asked.stages,
        put_away: asked.put_away,
    })
}

/// The checkpoint of the moment the summarizer is asked about a chapter.
pub(crate) fn moment(
    checkpoint: &Document<Checkpoint>,
    chapter: ChapterNo,
    volume: VolumeNo,
) -> Document<Checkpoint> {
    let mut then = checkpoint.clone();
    then.edit(|then| {
        then.current_volume = volume;
        then.last_completed_chapter = chapter.get() - 1;
        then.inflight_chapter = Some(chapter);
        then.pipeline_stage = Some(PipelineStage::Drafting);
    });
    then
}
