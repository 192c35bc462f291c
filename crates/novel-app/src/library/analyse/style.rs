//! The style of an imported book: described by the style-analyzer from samples, measured by the
//! program over all chapters.

use novel_book::{
    edit::{Changes, Edit},
    validate::Rejected,
};
use novel_model::{
    BookReader, ChapterNo, Document, Explain, QuickstartPhase, StepId, Warning,
    files::{GeneratedChapter, StyleAnswer, StyleProfile},
    layout, message,
};
use novel_offline::OfflineError;
use novel_store::{TxnKind, TxnLabel, Writer};
use novel_story::styles::{StyleChoice, StyleMeasures};

use super::{AnalyseReport, chapters};
use crate::{
    BookError,
    executor::AgentError,
    read_checkpoint,
    runner::{AskError, Inquiry, Runner},
};

/// The step its calls are kept under.
const STEP: StepId = StepId::Quickstart(QuickstartPhase::Style);

/// Chapters the analyzer reads: the first, one of the middle, the last.
const SAMPLES: u32 = 3;

/// Tokens of the prompt; `None` when the style has a source already.
pub(super) fn prompt_tokens(
    runner: &Runner<'_>,
    reader: &dyn BookReader,
    last: u32,
) -> Result<Option<u64>, AskError> {
    if profile(reader)?.get().source_type.is_some() {
        return Ok(None);
    }
    let book = samples(reader, last)?;
    let checkpoint = read_checkpoint(reader)?;
    let inquiry = Inquiry::of_step(runner, &book, checkpoint.get(), STEP)?;
    Ok(Some(inquiry.prompt.tokens()))
}

/// Fills a style profile that has no source yet.
pub(super) fn analyse(
    runner: &Runner<'_>,
    writer: &Writer,
    last: u32,
    report: &mut AnalyseReport,
) -> Result<(), AskError> {
    let project = runner.project;
    let reader = writer.reader()?;
    let mut profile = profile(&reader)?;
    if profile.get().source_type.is_some() {
        return Ok(());
    }
    let book = samples(&reader, last)?;
    let checkpoint = read_checkpoint(&reader)?;
    let inquiry = Inquiry::of_step(runner, &book, checkpoint.get(), STEP)?;
    let asked = runner.consult(writer, &mut report.spent, &inquiry, |text, _| {
        let path = layout::staged(&layout::style_profile());
        let answer = Document::<StyleAnswer>::parse(&path, text)
            .map_err(|broken| Rejected::new(STEP, Explain::problems(&broken).to_vec()))?;
        Ok(answer.into_value())
    });
    let (answer, mut changes) = match asked {
        Ok(asked) => (asked.answer, asked.put_away),
        // An executor without this agent: the measures are there all the same.
        Err(AskError::Agent(AgentError::Offline(OfflineError::NoPart { .. }))) => {
            report.warnings.push(Warning::new(
                "style_measured_only",
                message!(
                    en: "the style was measured, not described: this executor has no style-analyzer",
                    zh: "只测量了文风，没有描述：当前执行器没有 style-analyzer"
                ),
            ));
            (StyleAnswer::default(), Changes::default())
        }
        Err(error) => return Err(error),
    };
    let config = project.config();
    let choice = StyleChoice {
        measures: measured(&reader, last)?,
        ..StyleChoice::of(&book, &config.style, config.lang())?
    };
    profile.edit(|profile| *profile = choice.profile(&answer));
    let kind = TxnKind::Analyse {
        chapter: ChapterNo::new(last).unwrap_or(ChapterNo::first()),
    };
    changes.write(layout::style_profile(), profile.to_text());
    project.write(writer, TxnLabel::new(kind, "style"), changes)?;
    report.style = true;
    Ok(())
}

fn profile(reader: &dyn BookReader) -> Result<Document<StyleProfile>, BookError> {
    let profile = Document::<StyleProfile>::load(reader, &layout::style_profile())?;
    Ok(profile.unwrap_or_else(|| Document::new(StyleProfile::default())))
}

/// The book with some of its chapters as the author's own samples.
fn samples(reader: &dyn BookReader, last: u32) -> Result<Edit<'_>, BookError> {
    let mut book = Edit::on(reader);
    let mut numbers: Vec<u32> = (0..SAMPLES)
        .map(|at| 1 + (last - 1) * at / (SAMPLES - 1))
        .collect();
    numbers.dedup();
    for chapter in numbers.into_iter().filter_map(ChapterNo::new) {
        if let Some(text) = reader.read(&layout::chapter_markdown(chapter))? {
            let name = format!("chapter-{chapter}.md");
            book.write(layout::samples_dir().join(&name)?, text);
        }
    }
    Ok(book)
}

fn measured(reader: &dyn BookReader, last: u32) -> Result<Option<StyleMeasures>, BookError> {
    let mut texts = Vec::new();
    for chapter in chapters(last) {
        let path = layout::chapter_json(chapter);
        if let Some(chapter) = Document::<GeneratedChapter>::load(reader, &path)? {
            let scenes = chapter.into_value().scenes.into_iter();
            texts.extend(scenes.map(|scene| scene.content));
        }
    }
    Ok(StyleMeasures::of(texts.iter().map(String::as_str)))
}
