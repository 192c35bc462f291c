//! Reports on a committed chapter: logic review and consistency audit. A report that stops the book
//! and the mark that stops it are one transaction.

use novel_book::{
    manuscript::Manuscript,
    post_commit::{self, Wanted},
    review::{self as rules, BlockReason},
    revision::notes,
    validate::Rejected,
};
use novel_contract::revise as contract;
use novel_model::{
    BookReader, BrokenFile, ChapterNo, ChapterStage, ContentHash, Document, Explain, Failure, Lang,
    StepId, Warning,
    files::{
        ChapterLog, Checkpoint, ConsistencyReport, LogicReview, RevisionState, RevisionStatus,
        StageLog,
    },
    layout, to_json_text,
};
use novel_store::{Transaction, TxnKind, TxnLabel, Writer};
use serde_json::json;

use crate::{
    Project, View,
    revise::consistency,
    revise::rewrite,
    write::commit::Changes,
    write::run::{Inquiry, Reuse, Runner, Spent},
    write::submit::SubmitReport,
    write::volumes::Volumes,
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
pub fn show(project: &Project, chapter: ChapterNo) -> Result<ReviewReport, Failure> {
    project.store().look(|reader| {
        let checkpoint = crate::read_checkpoint(reader)?;
        read(project, reader, checkpoint.get(), chapter)
    })
}

fn read(
    project: &Project,
    reader: &dyn BookReader,
    checkpoint: &Checkpoint,
    chapter: ChapterNo,
) -> Result<ReviewReport, Failure> {
    let manuscript = manuscript(project, reader, checkpoint, chapter)?;
    let logic_review = load::<LogicReview>(reader, &layout::logic_review(chapter))?;
    let min = project.config().logic_review_min_score.get();
    let current = logic_review
        .as_ref()
        .filter(|review| review.chapter_hash.as_ref() == Some(&manuscript.hash));
    let blocks = current.and_then(|review| rules::logic_blocks(review, min));
    Ok(ReviewReport {
        chapter,
        hash: manuscript.hash,
        logic_review,
        consistency: load(reader, &layout::consistency(chapter))?,
        revision: load(reader, &layout::revision(chapter))?,
        blocks,
        warnings: Vec::new(),
        spent: Spent::default(),
    })
}

fn load<T: novel_model::Format>(
    reader: &dyn BookReader,
    path: &novel_model::RelPath,
) -> Result<Option<T>, Failure> {
    Ok(Document::<T>::load(reader, path)?.map(Document::into_value))
}

/// A committed chapter in both forms.
pub(crate) fn manuscript(
    project: &Project,
    reader: &dyn BookReader,
    checkpoint: &Checkpoint,
    chapter: ChapterNo,
) -> Result<Manuscript, Failure> {
    let text = rewrite::committed(reader, checkpoint, chapter)?;
    Ok(Manuscript::from_chapter(
        text.into_value(),
        project.config().lang(),
    ))
}

/// The gate after a commit that comes next, if any.
pub(crate) fn gate_due(
    project: &Project,
    reader: &dyn BookReader,
    checkpoint: &Checkpoint,
) -> Result<Option<(ChapterNo, ChapterStage)>, Failure> {
    let config = project.config();
    if !post_commit::any(config) || checkpoint.inflight_chapter.is_some() {
        return Ok(None);
    }
    let mut chapters = review_again(checkpoint);
    chapters.extend(checkpoint.last_chapter());
    for chapter in chapters {
        if reader.read(&layout::chapter_json(chapter))?.is_none() {
            continue;
        }
        let report = read(project, reader, checkpoint, chapter)?;
        let facts = post_commit::Facts {
            hash: &report.hash,
            consistency: report.consistency.as_ref(),
            logic_review: report.logic_review.as_ref(),
            revision: report.revision.as_ref(),
        };
        if let Some(stage) = post_commit::due(config, facts) {
            return Ok(Some((chapter, stage)));
        }
    }
    Ok(None)
}

const REVIEW_AGAIN: &str = "logic_review";

/// Earlier chapters whose text has changed since they were reviewed, ascending.
fn review_again(checkpoint: &Checkpoint) -> Vec<ChapterNo> {
    let mut chapters: Vec<ChapterNo> = checkpoint
        .pending_actions
        .iter()
        .filter(|action| action.get("action") == Some(&json!(REVIEW_AGAIN)))
        .filter_map(|action| serde_json::from_value(action.get("chapter")?.clone()).ok())
        .collect();
    chapters.sort_unstable();
    chapters.dedup();
    chapters
}

/// Notes that the gates of an earlier chapter are to be passed again: its text changed.
pub(crate) fn ask_again(checkpoint: &mut Checkpoint, chapter: ChapterNo) {
    let entry = json!({"action": REVIEW_AGAIN, "chapter": chapter});
    let newest = checkpoint.last_chapter() == Some(chapter);
    if !newest && !checkpoint.pending_actions.contains(&entry) {
        checkpoint.pending_actions.push(entry);
    }
}

/// Takes a report on a committed chapter in; the mark that stops the book goes with it. Not made
/// yet.
pub(crate) fn hand_in<'w>(
    project: &Project,
    writer: &'w Writer,
    view: &View<'_>,
    chapter: ChapterNo,
    stage: ChapterStage,
    text: &str,
) -> Result<(Transaction<'w>, SubmitReport), Failure> {
    view.enter(chapter)?;
    let (reader, step) = (view.reader(), StepId::Chapter(chapter, stage));
    let checkpoint = view.checkpoint.get();
    let manuscript = manuscript(project, reader, checkpoint, chapter)?;
    let refused = |broken: BrokenFile| Rejected::new(step, broken.problems().to_vec());
    let lang = project.config().lang();
    let mut changes = Changes::default();
    let before = load::<RevisionStatus>(reader, &layout::revision(chapter))?;
    let now = project.now().to_string();
    let (status, mut warnings) = if stage == ChapterStage::Audit {
        let (volume, _) = Volumes::load(reader, checkpoint.current_volume)?.of(chapter.get());
        let proved = consistency::report(project, reader, &manuscript, volume)?;
        let proved = proved.unwrap_or_else(|| consistency::empty(&manuscript));
        let audited =
            rules::accept_audit(text, &manuscript.chapter, proved, lang).map_err(refused)?;
        let report = &audited.report;
        let wanted = Wanted {
            chapter,
            hash: &manuscript.hash,
            issues: &report.issues,
            notes: notes(&report.issues),
            now,
        };
        let config = project.config();
        let status = post_commit::consistency_revision(config, before.as_ref(), wanted);
        changes.write(layout::consistency(chapter), to_json_text(report));
        (status, audited.warnings())
    } else {
        let reviewed =
            rules::accept_logic_review(text, &manuscript.chapter, &manuscript.hash, lang)
                .map_err(refused)?;
        let report = &reviewed.report;
        let path = layout::logic_review(chapter);
        let min = project.config().logic_review_min_score.get();
        let status = rules::logic_blocks(report, min).map(|_| {
            let wanted = Wanted {
                chapter,
                hash: &manuscript.hash,
                issues: &report.issues,
                notes: notes(&report.issues),
                now,
            };
            post_commit::logic_revision(path.as_str().to_owned(), wanted)
        });
        changes.write(path, to_json_text(report));
        forget(project, view, chapter, &mut changes);
        (status, reviewed.warnings())
    };
    if let Some(status) = status {
        changes.write(layout::revision(chapter), to_json_text(&status));
    }
    let listed = changes.list(reader)?;
    let written = listed.into_iter().map(|change| change.path).collect();
    warnings.dedup();
    let txn = operation(project, writer, chapter, stage_word(stage), changes);
    let report = SubmitReport {
        written,
        awaiting: None,
        warnings,
    };
    Ok((txn, report))
}

/// The calls of a gate after the commit stand in the chapter's log.
pub(crate) fn log_calls<'w>(
    project: &Project,
    writer: &'w Writer,
    view: &View<'_>,
    chapter: ChapterNo,
    stage: ChapterStage,
    calls: Vec<StageLog>,
) -> Result<Transaction<'w>, Failure> {
    let mut changes = Changes::default();
    let path = layout::chapter_log(chapter);
    if let (false, Some(mut log)) = (
        calls.is_empty(),
        Document::<ChapterLog>::load(view.reader(), &path)?,
    ) {
        let named = calls.into_iter().map(|call| StageLog {
            name: stage.word().to_owned(),
            ..call
        });
        let named: Vec<StageLog> = named.collect();
        log.edit(|log| rewrite::add_stages(log, &named));
        changes.write(path, log.to_text());
    }
    Ok(operation(
        project,
        writer,
        chapter,
        stage_word(stage),
        changes,
    ))
}

/// The reminder that a changed chapter must be reviewed again is done with.
fn forget(project: &Project, view: &View<'_>, chapter: ChapterNo, changes: &mut Changes) {
    let entry = json!({"action": REVIEW_AGAIN, "chapter": chapter});
    if view.checkpoint.get().pending_actions.contains(&entry) {
        let mut checkpoint = view.checkpoint.clone();
        checkpoint.edit(|checkpoint| checkpoint.pending_actions.retain(|action| *action != entry));
        crate::write::advance::stamp_checkpoint(project, &mut checkpoint);
        changes.write(layout::checkpoint(), checkpoint.to_text());
    }
}

/// Reports and decisions on a chapter are one operation.
fn operation<'w>(
    project: &Project,
    writer: &'w Writer,
    chapter: ChapterNo,
    what: &str,
    changes: Changes,
) -> Transaction<'w> {
    let kind = TxnKind::Review { chapter };
    let mut txn = writer.begin(TxnLabel::new(kind, format!("chapter-{chapter}-{what}")));
    txn.at(project.now());
    changes.stage(&mut txn);
    txn
}

/// Writes reports and decisions on a chapter.
pub(crate) fn write(
    project: &Project,
    writer: &Writer,
    chapter: ChapterNo,
    what: &str,
    changes: Changes,
) -> Result<(), Failure> {
    operation(project, writer, chapter, what, changes).commit()?;
    Ok(())
}

const fn stage_word(stage: ChapterStage) -> &'static str {
    match stage {
        ChapterStage::Audit => "audit",
        _ => "logic-review",
    }
}

/// Whether the report of a gate is there, for the text as it is.
pub(crate) fn is_handed_in(
    project: &Project,
    view: &View<'_>,
    chapter: ChapterNo,
    stage: ChapterStage,
) -> Result<bool, Failure> {
    let report = read(project, view.reader(), view.checkpoint.get(), chapter)?;
    let saw = |hash: Option<&ContentHash>| hash == Some(&report.hash);
    Ok(match stage {
        ChapterStage::Audit => report.consistency.is_some_and(|consistency| {
            let snapshot = &consistency.context_snapshot;
            snapshot.get("auditor").is_some()
                && snapshot.get("chapter_hash") == Some(&json!(report.hash))
        }),
        _ => report
            .logic_review
            .is_some_and(|review| saw(review.chapter_hash.as_ref())),
    })
}

/// Has the logic of a committed chapter reviewed now, whatever the policy says.
///
/// # Errors
/// When an earlier chapter waits for the author, or the reviewer gives no usable report.
pub fn run(runner: &Runner<'_>, chapter: ChapterNo) -> Result<ReviewReport, Failure> {
    let writer = runner.project.store().acquire(Some(chapter))?;
    let _alive = writer.heartbeat();
    let reader = writer.reader()?;
    let view = runner.project.view(&reader)?;
    view.enter(chapter)?;
    rewrite::committed(&reader, view.checkpoint.get(), chapter)?;
    let step = StepId::Chapter(chapter, ChapterStage::Review);
    let mut spent = Spent::default();
    let inquiry = Inquiry {
        reuse: Reuse::Another,
        ..Inquiry::of_step(runner, &reader, view.checkpoint.get(), step)?
    };
    let handed = runner.consult(&writer, &mut spent, &inquiry, |text| {
        let stage = ChapterStage::Review;
        hand_in(runner.project, &writer, &view, chapter, stage, text)
    })?;
    let (txn, handed) = handed.answer;
    txn.commit()?;
    let mut report = show(runner.project, chapter)?;
    report.warnings = handed.warnings;
    report.spent = spent;
    Ok(report)
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
