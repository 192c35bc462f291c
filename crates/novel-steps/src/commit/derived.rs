//! What is derived from committed chapters: running totals, and the report of an earlier commit.

use novel_book::changelog;
use novel_model::{
    BookReader, ChapterNo, ContentHash, Document, FileError,
    files::{
        ChapterLog, ChapterProgress, CrossReferences, Evaluation, GeneratedChapter, Progress,
        StoryState,
    },
    layout,
};

use super::CommitReport;
use crate::{Book, StepError};

/// Chapters kept in the running totals.
pub(crate) const RECENT: usize = 10;

/// The running totals with one more chapter.
pub(super) fn extended_progress(
    view: &Book<'_>,
    chapter: ChapterProgress,
    cost: Option<f64>,
) -> Result<Progress, StepError> {
    let last = view.checkpoint.get().last_completed_chapter;
    let mut progress = current_progress(view.reader(), last)?;
    add_progress(&mut progress, chapter, cost);
    Ok(progress)
}

/// The running totals as of `last`; counted anew when the stored ones are missing or stale.
pub fn current_progress(reader: &dyn BookReader, last: u32) -> Result<Progress, FileError> {
    // Derived: what is missing, stale or damaged is counted anew from the chapters.
    match Document::<Progress>::load_if_sound(reader, &layout::progress())? {
        Some(stored) if stored.get().last_completed_chapter == last => Ok(stored.into_value()),
        _ => count_progress(reader, last),
    }
}

/// The running totals, counted from the chapters themselves.
pub fn count_progress(reader: &dyn BookReader, last: u32) -> Result<Progress, FileError> {
    let mut progress = Progress {
        last_completed_chapter: last,
        ..Progress::default()
    };
    for chapter in (1..=last).filter_map(ChapterNo::new) {
        let Some(text) =
            Document::<GeneratedChapter>::load(reader, &layout::chapter_json(chapter))?
        else {
            continue;
        };
        let evaluation = Document::<Evaluation>::load(reader, &layout::evaluation(chapter))?;
        let crossref = Document::<CrossReferences>::load(reader, &layout::crossref(chapter))?;
        let log = Document::<ChapterLog>::load(reader, &layout::chapter_log(chapter))?;
        let markdown = reader
            .read(&layout::chapter_markdown(chapter))?
            .unwrap_or_default();
        let Some(storyline_id) = crossref
            .map(|crossref| crossref.get().storyline_id.clone())
            .or_else(|| log.as_ref().map(|log| log.get().storyline_id.clone()))
        else {
            continue;
        };
        let gate = evaluation
            .as_ref()
            .and_then(|evaluation| evaluation.get().metadata.as_ref())
            .and_then(|metadata| metadata.gate.clone());
        let entry = ChapterProgress {
            chapter,
            storyline_id,
            words: text.get().total_words,
            scored_by: evaluation.as_ref().and_then(|it| it.get().scored_by()),
            overall: evaluation.and_then(|evaluation| evaluation.get().overall),
            gate: gate.as_ref().map(|gate| gate.decision),
            revisions: gate.map_or(0, |gate| gate.revisions),
            markdown_hash: ContentHash::of(markdown),
        };
        add_progress(
            &mut progress,
            entry,
            log.and_then(|log| log.get().total_cost_usd),
        );
    }
    progress.last_completed_chapter = last;
    Ok(progress)
}

/// One more chapter in the running totals.
pub fn add_progress(progress: &mut Progress, chapter: ChapterProgress, cost: Option<f64>) {
    progress.last_completed_chapter = chapter.chapter.get();
    progress.chapters += 1;
    progress.total_words += chapter.words;
    if let Some(score) = chapter.overall {
        progress.scored_chapters += 1;
        progress.score_sum += score;
    }
    if let Some(cost) = cost {
        progress.cost_usd = Some(progress.cost_usd.unwrap_or_default() + cost);
    }
    progress.recent.push(chapter);
    let surplus = progress.recent.len().saturating_sub(RECENT);
    progress.recent.drain(..surplus);
}

/// The report for a chapter that is in the book already.
/// The report on a chapter that is in the book already.
///
/// # Errors
/// When its files cannot be read.
pub fn committed_report(view: &Book<'_>, chapter: ChapterNo) -> Result<CommitReport, StepError> {
    let reader = view.reader();
    let text = Document::<GeneratedChapter>::require(
        reader,
        &layout::chapter_json(chapter),
        novel_model::message!(
            en: "run `novel doctor` to see what else is missing",
            zh: "运行 `novel doctor` 查看还缺少什么"
        ),
    )?;
    let evaluation = Document::<Evaluation>::load(reader, &layout::evaluation(chapter))?;
    let state = Document::<StoryState>::load(reader, &layout::state())?;
    let gate = evaluation
        .as_ref()
        .and_then(|evaluation| evaluation.get().metadata.as_ref())
        .and_then(|metadata| metadata.gate.clone());
    Ok(CommitReport {
        chapter,
        title: text.get().chapter_title.clone(),
        words: text.get().total_words,
        state_version: state.map_or(0, |state| changelog::version(state.raw())),
        scored_by: evaluation.as_ref().and_then(|it| it.get().scored_by()),
        overall: evaluation.and_then(|evaluation| evaluation.get().overall),
        gate: gate.as_ref().map(|gate| gate.decision),
        force_passed: gate.as_ref().is_some_and(|gate| gate.force_passed),
        revisions: gate.map_or(0, |gate| gate.revisions),
        volume_end: false,
        already_committed: true,
        changes: Vec::new(),
        warnings: Vec::new(),
        briefing: None,
        consistency: None,
        later: Vec::new(),
    })
}
