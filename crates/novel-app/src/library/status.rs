//! `novel status`: where the book stands. Reads a fixed number of files, whatever its length, and looks at the
//! stamps of all chapters for hand edits.

use novel_book::{foreshadow, probe::KnownJudge};
use novel_contract::{ErrorSummary, library as contract, run::RunBrief};
use novel_model::{
    BookReader, ChapterNo, Document, Lang, Slug, StepId,
    files::{ChapterLog, Checkpoint, Progress, ScoredBy, StorylineSchedule},
    layout,
};
use novel_steps::walls;
use novel_store::LockStatus;
use novel_story::report;
use serde_json::Value;

use crate::{
    Book, BookError, Project,
    library::{edits, runs},
    waits::{Waits, waits},
    work::rewritten,
    write::commit,
};

/// Where the book stands.
#[derive(Debug)]
pub struct StatusReport {
    /// Title, if there is one.
    pub title: Option<String>,
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// First and last chapter of the current volume, if it is planned.
    pub volume_chapters: Option<(ChapterNo, ChapterNo)>,
    /// Running totals.
    pub totals: Progress,
    /// Foreshadowing not yet resolved.
    pub open_foreshadowing: usize,
    /// Short items past their range, by id.
    pub overdue_foreshadowing: Vec<String>,
    /// Chapters since each active line was on stage; `None` when longer than ten.
    pub rhythm: Vec<(Slug, Option<u32>)>,
    /// Chapters whose Markdown was edited by hand and not adopted, whatever their age.
    pub edited: Vec<ChapterNo>,
    /// Chapters that wait for the author.
    pub pending: Vec<ChapterNo>,
    /// The judge of the newest chapter, where a model judged it.
    pub judge: Option<KnownJudge>,
    /// The next step, and what waits for the author.
    pub waits: Waits,
    /// The lock.
    pub lock: LockStatus,
    /// The run that holds it.
    pub run: Option<RunBrief>,
    /// The last chapter readers have; zero when there is none.
    pub published_to: u32,
    /// Chapters the author locked.
    pub locked: Vec<ChapterNo>,
}

/// The checkpoint as it is, unknown fields included.
///
/// # Errors
/// When it cannot be read.
pub fn checkpoint(project: &Project) -> Result<Value, BookError> {
    project.look(|view| Ok(view.checkpoint.raw().clone()))
}

/// Looks at the book. Writes nothing.
///
/// # Errors
/// When a file it needs is damaged.
pub fn status(project: &Project) -> Result<StatusReport, BookError> {
    let mut report = stands(project)?;
    report.edited = edits::edited(project, report.checkpoint.last_completed_chapter)?;
    Ok(report)
}

/// Where the book stands, hand edits aside.
fn stands(project: &Project) -> Result<StatusReport, BookError> {
    project.look(|view| {
        let checkpoint = view.checkpoint.get().clone();
        let totals = commit::current_progress(view.reader(), checkpoint.last_completed_chapter)?;
        let coming = checkpoint.next_chapter();
        let (open, overdue) = foreshadow::open_and_overdue(view.reader(), coming)?;
        let pending = view.survey()?.chapters();
        let marks = walls::marks(view.reader())?.into_value();
        let lock = project.store().lock_status()?;
        // A log that cannot be read is named by `novel runs`; the book stands where it stands.
        let run = match lock {
            LockStatus::Held(_) => runs::under_way(project).ok().flatten(),
            _ => None,
        };
        let approval = project.config().approval.into();
        // The same look serves unless a chapter is written anew in the book as it was.
        let mut waits = match rewritten(&checkpoint) {
            None => waits(view, approval),
            Some(_) => project.look_at_work(|view| Ok::<_, BookError>(waits(view, approval)))?,
        };
        if run.is_some() {
            "novel watch".clone_into(&mut waits.command);
        }
        Ok(StatusReport {
            title: project.config().title.clone(),
            volume_chapters: view
                .volume_bounds()?
                .map(|bounds| (bounds.first, bounds.last)),
            open_foreshadowing: open,
            overdue_foreshadowing: overdue,
            rhythm: rhythm(view, &totals)?,
            edited: Vec::new(),
            pending,
            judge: judge(view.reader(), checkpoint.last_completed_chapter)?,
            waits,
            lock,
            run,
            published_to: marks.published_to,
            locked: marks.locked,
            checkpoint,
            totals,
        })
    })
}

/// The judge of chapter `last`, with what was measured of it.
fn judge(reader: &dyn BookReader, last: u32) -> Result<Option<KnownJudge>, BookError> {
    let Some(chapter) = ChapterNo::new(last) else {
        return Ok(None);
    };
    let log = Document::<ChapterLog>::load_value(reader, &layout::chapter_log(chapter))?;
    Ok(log.and_then(|log| KnownJudge::look_up(reader, log.judges.as_ref()?, &log.stages)))
}

fn rhythm(view: &Book<'_>, totals: &Progress) -> Result<Vec<(Slug, Option<u32>)>, BookError> {
    let volume = view.checkpoint.get().current_volume;
    let schedule = Document::<StorylineSchedule>::load(view.reader(), &layout::schedule(volume))?;
    let last = view.checkpoint.get().last_completed_chapter;
    let lines = schedule
        .map(|schedule| schedule.get().active_storylines.clone())
        .unwrap_or_default();
    Ok(lines
        .into_iter()
        .map(|line| {
            let seen = totals
                .recent
                .iter()
                .rev()
                .find(|c| c.storyline_id == line.storyline_id);
            (
                line.storyline_id,
                seen.map(|seen| last.saturating_sub(seen.chapter.get())),
            )
        })
        .collect())
}

impl StatusReport {
    /// Mean score of all scored chapters.
    #[must_use]
    pub fn mean_score(&self) -> Option<f64> {
        let count = self.totals.scored_chapters;
        (count > 0).then(|| self.totals.score_sum / f64::from(count))
    }

    /// Newest chapters whose score is the offline author's.
    #[must_use]
    pub fn offline_scores(&self) -> Vec<ChapterNo> {
        let recent = self.totals.recent.iter();
        recent
            .filter(|chapter| chapter.scored_by == Some(ScoredBy::OfflineAuthor))
            .map(|chapter| chapter.chapter)
            .collect()
    }

    /// Mean of the last five scores less the mean of the five before.
    #[must_use]
    pub fn trend(&self) -> Option<f64> {
        let scores: Vec<f64> = self
            .totals
            .recent
            .iter()
            .filter_map(|c| c.overall)
            .collect();
        report::trend(&scores)
    }

    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::StatusAnswer {
        let checkpoint = &self.checkpoint;
        let rhythm = |(line, since): &(Slug, Option<u32>)| contract::StorylineRhythm {
            storyline_id: line.clone(),
            chapters_since_last: *since,
        };
        contract::StatusAnswer {
            progress: contract::BookProgress {
                title: self.title.clone(),
                orchestrator_state: checkpoint.orchestrator_state,
                pipeline_stage: checkpoint.pipeline_stage,
                inflight_chapter: checkpoint.inflight_chapter,
                revision_count: checkpoint.revision_count,
                current_volume: checkpoint.current_volume,
                volume_chapters: self.volume_chapters,
                last_completed_chapter: checkpoint.last_completed_chapter,
                total_words: self.totals.total_words,
                mean_score: self.mean_score(),
                offline_scores: self.offline_scores(),
                score_trend: self.trend(),
                cost_usd: self.totals.cost_usd,
                recent: self.totals.recent.clone(),
            },
            foreshadowing: contract::ForeshadowingCount {
                open: self.open_foreshadowing,
                overdue: self.overdue_foreshadowing.clone(),
            },
            storylines: self.rhythm.iter().map(rhythm).collect(),
            edited_chapters: self.edited.clone(),
            pending_chapters: self.pending.clone(),
            judge: self.judge.as_ref().map(KnownJudge::answer),
            next: contract::NextSummary {
                step: self.waits.next.as_ref().ok().map(StepId::to_string),
                command: self.waits.command.clone(),
                error: self
                    .waits
                    .next
                    .as_ref()
                    .err()
                    .map(|failure| ErrorSummary::new(failure, lang)),
            },
            waiting: self.waits.answer(lang),
            lock: self.lock.answer(),
            run: self.run.as_ref().map(|run| run.run),
            published_to: self.published_to,
            locked_chapters: self.locked.clone(),
            warnings: Vec::new(),
        }
    }
}
