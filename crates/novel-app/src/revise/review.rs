//! `novel review`: reports on committed chapters, read or asked for.

use novel_book::{edit::Changes, review::BlockReason};
use novel_contract::revise as contract;
use novel_model::{
    ChapterNo, ChapterStage, ContentHash, Lang, StepId, Warning,
    files::{ConsistencyReport, LogicReview, RevisionState, RevisionStatus},
};
pub(crate) use novel_steps::reports::{ask_again, manuscript};
pub(crate) use novel_steps::review::stage_word;
use novel_steps::{
    reports::{self, committed},
    review,
};
use novel_store::{TxnKind, TxnLabel, Writer};

use crate::{
    BookError, Project,
    runner::{
        AskError, Inquiry, Reuse, Runner, Spent,
        ledger::{UnderLock, name_what_was_told},
    },
};

/// What the files say about a committed chapter.
#[derive(Debug)]
pub struct ReviewReport {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Hash of its text.
    pub hash: ContentHash,
    /// Its logic review.
    pub logic_review: Option<LogicReview>,
    /// Its consistency report.
    pub consistency: Option<ConsistencyReport>,
    /// Its revision.
    pub revision: Option<RevisionStatus>,
    /// Why the logic review stops the book, if it does.
    pub blocks: Option<BlockReason>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
    /// What it cost to get them.
    pub spent: Spent,
}

/// The reports on a chapter, as they lie there.
///
/// # Errors
/// When the book has no such chapter, or a file is damaged.
pub fn show(project: &Project, chapter: ChapterNo) -> Result<ReviewReport, BookError> {
    project.store().look(|reader| {
        let checkpoint = crate::read_checkpoint(reader)?;
        let found = reports::read(project.config(), reader, checkpoint.get(), chapter)?;
        Ok(ReviewReport {
            chapter,
            hash: found.hash,
            logic_review: found.logic_review,
            consistency: found.consistency,
            revision: found.revision,
            blocks: found.blocks,
            warnings: Vec::new(),
            spent: Spent::default(),
        })
    })
}

/// Writes reports and decisions on a chapter.
pub(crate) fn write(
    project: &Project,
    writer: &Writer,
    chapter: ChapterNo,
    what: &str,
    changes: Changes,
) -> Result<(), BookError> {
    project.write(writer, review_label(chapter, what), changes)?;
    Ok(())
}

/// Has the logic of a committed chapter reviewed now, whatever the policy says.
///
/// # Errors
/// When an earlier chapter waits for the author, or the reviewer gives no usable report.
pub fn run(runner: &Runner<'_>, chapter: ChapterNo) -> Result<UnderLock<ReviewReport>, AskError> {
    let lock = runner.project.store().acquire(Some(chapter))?;
    let _alive = lock.heartbeat();
    name_what_was_told(&lock)?;
    let report = reviewed(runner, &lock, chapter)?;
    Ok(UnderLock { report, lock })
}

fn reviewed(
    runner: &Runner<'_>,
    writer: &Writer,
    chapter: ChapterNo,
) -> Result<ReviewReport, AskError> {
    let reader = writer.reader()?;
    let view = runner.project.view(&reader)?;
    view.check_not_blocked(chapter)?;
    committed(&reader, view.checkpoint.get(), chapter)?;
    let step = StepId::Chapter(chapter, ChapterStage::Review);
    let mut spent = Spent::default();
    let inquiry = Inquiry {
        reuse: Reuse::Another,
        ..Inquiry::of_step(runner, &reader, view.checkpoint.get(), step)?
    };
    let handed = runner.consult(writer, &mut spent, &inquiry, |text, _| {
        let stage = ChapterStage::Review;
        Ok(review::hand_in(&view, chapter, stage, text)?)
    })?;
    let put_away = handed.put_away;
    let (mut changes, handed) = handed.answer;
    changes.extend(put_away);
    let what = stage_word(ChapterStage::Review);
    write(runner.project, writer, chapter, what, changes)?;
    let mut report = show(runner.project, chapter)?;
    report.warnings = handed.warnings;
    report.spent = spent;
    Ok(report)
}

/// The name of a report or a decision on a chapter in the operations log.
pub(crate) fn review_label(chapter: ChapterNo, what: &str) -> TxnLabel {
    TxnLabel::new(
        TxnKind::Review { chapter },
        format!("chapter-{chapter}-{what}"),
    )
}

impl ReviewReport {
    /// Whether the chapter waits for the author.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.revision
            .as_ref()
            .is_some_and(|revision| revision.status == RevisionState::Pending)
    }

    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::ReviewAnswer {
        let is_current = |review: &LogicReview| review.chapter_hash.as_ref() == Some(&self.hash);
        contract::ReviewAnswer {
            chapter: self.chapter,
            chapter_hash: self.hash.clone(),
            logic_review: self.logic_review.clone(),
            logic_review_is_current: self.logic_review.as_ref().map(is_current),
            consistency: self.consistency.clone(),
            revision: self.revision.clone(),
            pending: self.is_pending(),
            blocks: self
                .blocks
                .map(|reason| reason.message().get(lang).to_owned()),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}
