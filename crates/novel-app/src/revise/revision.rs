//! Revisions of committed chapters: candidates, and the author's decision on them.
//!
//! `pending` is the only signal of the gate. A candidate is bound to the text it was made for; it
//! becomes the text together with a new summary, state and memory, or not at all.

mod refused;

use novel_book::{
    config::RevisionPolicy,
    edit::Changes,
    manuscript::{self, Manuscript},
    post_commit::{self, Wanted},
    revision::{self as rules, Restored, RevisedRejected},
};
use novel_contract::revise as contract;
use novel_model::{
    BookReader, ChapterNo, ContentHash, Document, FileError, Lang, StepId, Warning,
    files::{
        ConsistencyReport, GeneratedChapter, RevisionState, RevisionStatus, RevisionTrigger,
        StageLog,
    },
    layout, message, to_json_text,
};
use novel_prompt::packet::{self, PacketMode, Revision};
use novel_steps::{stamp_checkpoint, walls};
use novel_store::Writer;
use novel_text::word_diff;
pub use novel_text::{Piece, PieceKind};

use crate::{
    Book, BookError, Project, StepError,
    revise::review,
    revise::rewrite::{Parts, Rewrite, Summarised, summarise, write},
    runner::{
        AnswerNeed, AskError, Inquiry, Reuse, Runner, Spent,
        ledger::{UnderLock, name_what_was_told},
        prompt_for,
    },
};

pub use refused::{ReviseError, RewriteRefused};

/// A revision and the text it is about.
#[derive(Debug)]
pub struct RevisionReport {
    /// The chapter.
    pub chapter: ChapterNo,
    /// The revision.
    pub status: RevisionStatus,
    /// The text of the book.
    pub text: Manuscript,
    /// What the author should know.
    pub warnings: Vec<Warning>,
    /// Later chapters that may no longer fit.
    pub later: Vec<ChapterNo>,
    /// What it cost.
    pub spent: Spent,
}

impl RevisionReport {
    /// What the candidate changes in the text of the book; empty without a candidate.
    #[must_use]
    pub fn difference(&self, lang: Lang) -> Vec<Piece> {
        let Some(candidate) = &self.status.revised_chapter else {
            return Vec::new();
        };
        let render = |chapter| Manuscript::from_chapter(chapter, lang).markdown;
        word_diff(
            &render(self.text.chapter.clone()),
            &render(candidate.clone()),
        )
    }

    /// Whether the revision was made for another text.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.status
            .chapter_hash
            .as_ref()
            .is_some_and(|hash| *hash != self.text.hash)
    }
}

/// Whether a candidate lies there that nothing waits for: the author asked to see one in a book without
/// a revision policy, and has not decided.
#[must_use]
pub fn is_offered(status: &RevisionStatus) -> bool {
    status.status == RevisionState::Rejected
        && status.decision_at.is_none()
        && status.revised_chapter.is_some()
}

/// All revisions, by chapter.
///
/// # Errors
/// When one of them cannot be read: it might be pending.
pub fn list(project: &Project) -> Result<Vec<RevisionStatus>, BookError> {
    project.look(|view| {
        let mut found = Vec::new();
        for chapter in view.survey()?.all() {
            if let Some(status) = load(view.reader(), *chapter)? {
                found.push(status.into_value());
            }
        }
        Ok(found)
    })
}

fn load(
    reader: &dyn BookReader,
    chapter: ChapterNo,
) -> Result<Option<Document<RevisionStatus>>, FileError> {
    Document::load(reader, &layout::revision(chapter))
}

/// One revision.
///
/// # Errors
/// When the chapter has none.
pub fn show(project: &Project, chapter: ChapterNo) -> Result<RevisionReport, ReviseError> {
    project.look(|view| {
        let status = require(view.reader(), chapter)?;
        Ok(report(project, view, status)?)
    })
}

fn require(
    reader: &dyn BookReader,
    chapter: ChapterNo,
) -> Result<Document<RevisionStatus>, ReviseError> {
    load(reader, chapter)?.ok_or_else(|| RewriteRefused::NoRevision { chapter }.into())
}

fn report(
    project: &Project,
    view: &Book<'_>,
    status: Document<RevisionStatus>,
) -> Result<RevisionReport, StepError> {
    let chapter = status.get().chapter_number;
    let checkpoint = view.checkpoint.get();
    Ok(RevisionReport {
        chapter,
        text: review::manuscript(project.config(), view.reader(), checkpoint, chapter)?,
        status: status.into_value(),
        warnings: Vec::new(),
        later: Vec::new(),
        spent: Spent::default(),
    })
}

/// What becomes of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// It waits for the author in the revision file.
    Pending,
    /// It is written as `chapters/chapter_NNN_revised.txt`, to be read; it is never read back, and
    /// nothing waits for it.
    Copy,
}

/// Has a candidate made for the pending revision of a chapter. For a chapter without one, the
/// fixable issues of its reports are taken up, and the chapter becomes pending.
///
/// # Errors
/// When nothing is to be revised, an earlier chapter waits, or the reviser gives no usable answer.
pub fn candidate(
    runner: &Runner<'_>,
    chapter: ChapterNo,
    keep: Keep,
    note: Option<&str>,
) -> Result<UnderLock<RevisionReport>, ReviseError> {
    let lock = runner.project.store().acquire(Some(chapter))?;
    let _alive = lock.heartbeat();
    name_what_was_told(&lock)?;
    let mut spent = Spent::default();
    let made = {
        let reader = lock.reader()?;
        let view = runner.project.view(&reader)?;
        view.check_not_blocked(chapter)?;
        runner.project.check_walls(&reader, [chapter])?;
        let reuse = match load(&reader, chapter)? {
            Some(status) if status.get().revised_chapter.is_some() => Reuse::Another,
            _ => Reuse::Kept,
        };
        let wish = CandidateWish { reuse, keep, note };
        make_candidate(runner, &lock, &mut spent, chapter, wish)?
    };
    let report = {
        let reader = lock.reader()?;
        let view = runner.project.view(&reader)?;
        RevisionReport {
            warnings: made.warnings,
            spent,
            ..report(runner.project, &view, made.status)?
        }
    };
    Ok(UnderLock { report, lock })
}

/// A candidate, and the revision it belongs to.
pub(crate) struct Made {
    status: Document<RevisionStatus>,
    pub(crate) warnings: Vec<Warning>,
}

/// How a candidate is made.
#[derive(Clone, Copy)]
pub(crate) struct CandidateWish<'a> {
    /// Whether a kept answer will do.
    reuse: Reuse,
    /// What becomes of it.
    keep: Keep,
    /// What the author asks for.
    note: Option<&'a str>,
}

/// Asks the reviser and keeps its answer.
pub(crate) fn make_candidate(
    runner: &Runner<'_>,
    writer: &Writer,
    spent: &mut Spent,
    chapter: ChapterNo,
    wish: CandidateWish<'_>,
) -> Result<Made, ReviseError> {
    let CandidateWish { reuse, keep, note } = wish;
    let project = runner.project;
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    let text = review::manuscript(project.config(), &reader, view.checkpoint.get(), chapter)?;
    let waits =
        load(&reader, chapter)?.is_some_and(|status| status.get().status == RevisionState::Pending);
    let mut status = to_revise(project, &reader, chapter, &text, note)?;
    let at_hand = status.get().revised_chapter.clone();
    if let (Some(candidate), Keep::Copy, None) = (at_hand, keep, note)
        && status.get().chapter_hash.as_ref() == Some(&text.hash)
    {
        let mut changes = Changes::default();
        reading_copy(project, &candidate, &mut changes);
        review::write(project, writer, chapter, "reading-copy", changes)?;
        return Ok(Made {
            status,
            warnings: Vec::new(),
        });
    }
    let notes = status.get().revision_notes.clone().unwrap_or_default();
    if notes.trim().is_empty() {
        return Err(RewriteRefused::NothingToRevise { chapter }.into());
    }
    let trigger = status
        .get()
        .triggered_by
        .unwrap_or(RevisionTrigger::Consistency);
    let source = project.files(&reader, view.checkpoint.get());
    let revision = Revision {
        trigger,
        chapter: &text.chapter,
        notes: &notes,
        author: note,
        mode: PacketMode::Both,
    };
    // What the author asks for may be another number of scenes.
    let with_note = match note {
        Some(note) => format!("{notes}\n{note}"),
        None => notes.clone(),
    };
    let packet = packet::reviser(source, revision)?;
    let inquiry = Inquiry {
        step: StepId::Chapter(chapter, revision.stage()),
        book: &reader,
        prompt: prompt_for(project.config(), &reader, &packet)?,
        packet: packet::naming_files(packet),
        reuse,
        answer: AnswerNeed::Required,
    };
    let asked = runner.consult(writer, spent, &inquiry, |answer, _| {
        Ok(rules::revise(&text.chapter, answer, &with_note)?)
    })?;
    let warnings = asked.answer.restored.iter().map(restored).collect();
    let now = project.now().to_string();
    let candidate = asked.answer.chapter;
    let mut changes = Changes::default();
    if keep == Keep::Copy {
        reading_copy(project, &candidate, &mut changes);
    }
    // Where no policy asks for revisions, the author's wish to see one does not close the book.
    let asked_for = project.config().revision_policy != RevisionPolicy::None;
    let state = if waits || asked_for && !walls::is_walled(&reader, chapter)? {
        RevisionState::Pending
    } else {
        RevisionState::Rejected
    };
    status.edit(|status| {
        status.status = state;
        if state == RevisionState::Rejected {
            status.triggered_by = None;
        }
        status.revised_chapter = Some(candidate);
        status.chapter_hash = Some(text.hash.clone());
        status.decision_at = None;
        status.created_at.get_or_insert(now);
    });
    let what = match keep {
        Keep::Pending => {
            changes.write(layout::revision(chapter), status.to_text());
            "candidate"
        }
        Keep::Copy => "reading-copy",
    };
    note_stages(&reader, chapter, &asked.stages, &mut changes)?;
    changes.extend(asked.put_away);
    if let Some(note) = note {
        writer.record_note(note.trim());
    }
    review::write(project, writer, chapter, what, changes)?;
    Ok(Made { status, warnings })
}

/// A candidate as a text to read; it is never read back.
fn reading_copy(project: &Project, candidate: &GeneratedChapter, changes: &mut Changes) {
    let text = manuscript::render(candidate, project.config().lang());
    changes.write(layout::revised_text(candidate.chapter_number), text);
}

fn restored(restored: &Restored) -> Warning {
    Warning::new("revision_restored", restored.message())
}

/// The calls of the reviser stand in the chapter's log.
fn note_stages(
    reader: &dyn BookReader,
    chapter: ChapterNo,
    stages: &[StageLog],
    changes: &mut Changes,
) -> Result<(), FileError> {
    let path = layout::chapter_log(chapter);
    if let Some(mut log) = Document::<novel_model::files::ChapterLog>::load(reader, &path)? {
        log.edit(|log| crate::revise::rewrite::add_stages(log, stages));
        changes.write(path, log.to_text());
    }
    Ok(())
}

/// The revision a candidate is made for: the one that waits, or one made of the reports' issues.
fn to_revise(
    project: &Project,
    reader: &dyn BookReader,
    chapter: ChapterNo,
    text: &Manuscript,
    note: Option<&str>,
) -> Result<Document<RevisionStatus>, ReviseError> {
    if let Some(status) = load(reader, chapter)?
        && status.get().status == RevisionState::Pending
    {
        return Ok(status);
    }
    let reports = review::show(project, chapter)?;
    let of_this_text =
        |review: &novel_model::files::LogicReview| review.chapter_hash.as_ref() == Some(&text.hash);
    let logic = reports.logic_review.filter(of_this_text);
    let logic = logic.map(|review| review.issues).unwrap_or_default();
    let proved = reports.consistency.map(|report| report.issues);
    let proved = proved.unwrap_or_default();
    let trigger = if rules::notes(&proved).is_some() {
        RevisionTrigger::Consistency
    } else {
        RevisionTrigger::LogicReview
    };
    let issues = [proved, logic].concat();
    let wanted = Wanted {
        chapter,
        hash: &text.hash,
        issues: &issues,
        notes: rules::notes(&issues),
        now: project.now().to_string(),
    };
    match (&wanted.notes, note) {
        (Some(_), _) => Ok(Document::new(post_commit::pending(trigger, wanted))),
        (None, None) => Err(RewriteRefused::NothingToRevise { chapter }.into()),
        // No report asks for it: the author does.
        (None, Some(note)) => {
            let notes = Some(note.trim().to_owned());
            let mut status = post_commit::pending(trigger, Wanted { notes, ..wanted });
            status.triggered_by = None;
            Ok(Document::new(status))
        }
    }
}

/// The author takes the candidate: it becomes the text, and all that follows from it.
///
/// # Errors
/// When there is no candidate, it was made for another text, or the new text cannot be summarised;
/// nothing is changed then.
pub fn apply(runner: &Runner<'_>, chapter: ChapterNo) -> Result<RevisionReport, ReviseError> {
    let writer = runner.project.store().acquire(Some(chapter))?;
    let _alive = writer.heartbeat();
    let mut spent = Spent::default();
    let applied = {
        let reader = writer.reader()?;
        runner.project.view(&reader)?.check_not_blocked(chapter)?;
        runner.project.check_walls(&reader, [chapter])?;
        apply_candidate(runner, &writer, &mut spent, chapter)?
    };
    check_again(runner.project, &writer, chapter)?;
    let reader = writer.reader()?;
    let view = runner.project.view(&reader)?;
    let status = require(&reader, chapter)?;
    Ok(RevisionReport {
        warnings: applied.warnings,
        later: applied.later,
        spent,
        ..report(runner.project, &view, status)?
    })
}

/// Opens a new revision for the new text where its check found something that can be repaired. A text
/// of its own: the one that was applied stays accepted in the record of operations. A revision made
/// without asking is not followed by another.
fn check_again(project: &Project, writer: &Writer, chapter: ChapterNo) -> Result<(), ReviseError> {
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    let config = project.config();
    let text = review::manuscript(config, &reader, view.checkpoint.get(), chapter)?;
    let report = Document::<ConsistencyReport>::load(&reader, &layout::consistency(chapter))?;
    let Some(report) = report.map(Document::into_value) else {
        return Ok(());
    };
    let seen = report.context_snapshot.get("chapter_hash");
    if seen.and_then(serde_json::Value::as_str) != Some(text.hash.as_str()) {
        return Ok(());
    }
    let before = require(&reader, chapter)?;
    let wanted = Wanted {
        chapter,
        hash: &text.hash,
        issues: &report.issues,
        notes: rules::notes(&report.issues),
        now: project.now().to_string(),
    };
    if let Some(status) = post_commit::consistency_revision(config, Some(before.get()), wanted) {
        let mut changes = Changes::default();
        changes.write(layout::revision(chapter), to_json_text(&status));
        write(project, writer, view.checkpoint.get(), chapter, changes)?;
    }
    Ok(())
}

/// A revision that is the text now.
pub(crate) struct Applied {
    pub(crate) warnings: Vec<Warning>,
    pub(crate) later: Vec<ChapterNo>,
}

/// Writes the candidate of a chapter as its text, with all that follows from it, as one transaction of
/// `writer`.
pub(crate) fn apply_candidate(
    runner: &Runner<'_>,
    writer: &Writer,
    spent: &mut Spent,
    chapter: ChapterNo,
) -> Result<Applied, ReviseError> {
    let project = runner.project;
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    let mut status = require(&reader, chapter)?;
    if status.get().status != RevisionState::Pending && !is_offered(status.get()) {
        return Err(RewriteRefused::NotPending {
            chapter,
            status: status.get().status,
        }
        .into());
    }
    let text = review::manuscript(project.config(), &reader, view.checkpoint.get(), chapter)?;
    let revised = fitting_candidate(status.get(), &text)?;
    let new = Manuscript::from_chapter(revised, project.config().lang());
    let summarised = summarise(
        runner,
        writer,
        spent,
        &view.checkpoint,
        chapter,
        &new.markdown,
        Reuse::Kept,
    )?;
    let now = project.now().to_string();
    status.edit(|status| {
        status.status = RevisionState::Accepted;
        status.decision_at = Some(now);
    });
    let replaced = Replaced {
        view: &view,
        new: &new,
        summarised: &summarised,
    };
    replaced.write(project, writer, Some(&status))
}

/// The candidate, if it was made for this text and may become the text.
fn fitting_candidate(
    status: &RevisionStatus,
    text: &Manuscript,
) -> Result<GeneratedChapter, ReviseError> {
    let chapter = text.chapter.chapter_number;
    let Some(candidate) = status.revised_chapter.clone() else {
        return Err(RewriteRefused::NoCandidate { chapter }.into());
    };
    if let Some(made_for) = status.chapter_hash.clone()
        && made_for != text.hash
    {
        return Err(RewriteRefused::StaleCandidate {
            chapter,
            made_for,
            text: text.hash.clone(),
        }
        .into());
    }
    // The file may have been edited by hand since: number, title and words are the program's.
    let notes = status.revision_notes.as_deref().unwrap_or_default();
    let asked = format!("[scenes: {}]\n{notes}", candidate.scenes.len());
    Ok(rules::check_revised(&text.chapter, candidate, &asked)?.chapter)
}

/// A new text with its account, ready to be written.
pub(crate) struct Replaced<'a> {
    pub(crate) view: &'a Book<'a>,
    pub(crate) new: &'a Manuscript,
    pub(crate) summarised: &'a Summarised,
}

impl Replaced<'_> {
    /// Writes text, account and decision as one transaction.
    pub(crate) fn write(
        &self,
        project: &Project,
        writer: &Writer,
        status: Option<&Document<RevisionStatus>>,
    ) -> Result<Applied, ReviseError> {
        let chapter = self.new.chapter.chapter_number;
        let checkpoint = &self.view.checkpoint;
        let rewrite = Rewrite {
            config: project.config(),
            reader: self.view.reader(),
            checkpoint,
            manuscript: self.new,
            summarised: self.summarised,
            parts: Parts::Text,
        };
        let mut plan = rewrite.plan()?;
        if let Some(status) = status {
            plan.changes
                .write(layout::revision(chapter), status.to_text());
        }
        if post_commit::any(project.config()) {
            let mut asked = checkpoint.clone();
            asked.edit(|checkpoint| review::ask_again(checkpoint, chapter));
            if asked != *checkpoint {
                stamp_checkpoint(project.now(), &mut asked);
                plan.changes.write(layout::checkpoint(), asked.to_text());
            }
        }
        write(project, writer, checkpoint.get(), chapter, plan.changes)?;
        Ok(Applied {
            warnings: plan.warnings,
            later: plan.later,
        })
    }
}

/// The author's word that the text stands as it is.
///
/// # Errors
/// When the chapter has no revision that waits.
pub fn reject(project: &Project, chapter: ChapterNo) -> Result<RevisionReport, ReviseError> {
    let writer = project.store().acquire(Some(chapter))?;
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    let mut status = require(&reader, chapter)?;
    if status.get().status != RevisionState::Pending && !is_offered(status.get()) {
        return Err(RewriteRefused::NotPending {
            chapter,
            status: status.get().status,
        }
        .into());
    }
    decline(project, &writer, &view, chapter, &mut status)?;
    Ok(report(project, &view, status)?)
}

/// Marks a revision as rejected, for the text as it is now.
pub(crate) fn decline(
    project: &Project,
    writer: &Writer,
    view: &Book<'_>,
    chapter: ChapterNo,
    status: &mut Document<RevisionStatus>,
) -> Result<(), ReviseError> {
    let text = review::manuscript(
        project.config(),
        view.reader(),
        view.checkpoint.get(),
        chapter,
    )?;
    let now = project.now().to_string();
    status.edit(|status| {
        status.status = RevisionState::Rejected;
        status.chapter_hash = Some(text.hash);
        status.decision_at = Some(now);
    });
    let mut changes = Changes::default();
    changes.write(layout::revision(chapter), status.to_text());
    Ok(review::write(project, writer, chapter, "reject", changes)?)
}

/// The revision of the newest chapter that the program carries out without asking: one made under
/// `auto_apply`, or the first candidate for a chapter that became pending just now.
pub(crate) fn due(
    reader: &dyn BookReader,
    newest: Option<ChapterNo>,
    just_now: Option<ChapterNo>,
) -> Option<ChapterNo> {
    let chapter = newest?;
    // One that cannot be read is the pending gate's business.
    let status = load(reader, chapter).ok()??;
    let status = status.get();
    let waits = status.status == RevisionState::Pending
        && status.triggered_by == Some(RevisionTrigger::Consistency);
    let bare = status.revised_chapter.is_none() && just_now == Some(chapter);
    (waits && (status.auto_apply || bare)).then_some(chapter)
}

/// Carries a due revision out: a candidate, and under `auto_apply` the new text.
pub(crate) fn carry_out(
    runner: &Runner<'_>,
    writer: &Writer,
    spent: &mut Spent,
    chapter: ChapterNo,
) -> Result<Vec<Warning>, ReviseError> {
    let reader = writer.reader()?;
    let status = require(&reader, chapter)?;
    let auto_apply = status.get().auto_apply;
    let mut warnings = Vec::new();
    if status.get().revised_chapter.is_none() {
        let wish = CandidateWish {
            reuse: Reuse::Kept,
            keep: Keep::Pending,
            note: None,
        };
        match make_candidate(runner, writer, spent, chapter, wish) {
            Ok(made) => warnings.extend(made.warnings),
            // A reviser that finds nothing to change leaves the text as it is; the report stays.
            Err(ReviseError::Ask(AskError::Revised(RevisedRejected::Unchanged { .. })))
                if auto_apply =>
            {
                let reader = writer.reader()?;
                let view = runner.project.view(&reader)?;
                let mut status = require(&reader, chapter)?;
                decline(runner.project, writer, &view, chapter, &mut status)?;
                return Ok(vec![unchanged(chapter)]);
            }
            Err(error) => return Err(error),
        }
    }
    if auto_apply {
        warnings.extend(apply_candidate(runner, writer, spent, chapter)?.warnings);
        warnings.push(applied(chapter));
    }
    Ok(warnings)
}

fn unchanged(chapter: ChapterNo) -> Warning {
    let n = chapter.get();
    Warning::new(
        "revision_unchanged",
        message!(
            en: "the reviser changed nothing in chapter {n}; the text stays as it is, see `novel review show {n}`",
            zh: "修订者没有改动第 {n} 章，正文保持不变；见 `novel review show {n}`"
        ),
    )
}

fn applied(chapter: ChapterNo) -> Warning {
    let n = chapter.get();
    Warning::new(
        "revision_applied",
        message!(
            en: "chapter {n} was revised after its consistency check; the old text is in archive/, `novel undo` reverts it",
            zh: "第 {n} 章已按一致性检查自动修订；旧文在 archive/ 中，`novel undo` 可撤销"
        ),
    )
}

/// The word for a state in answers.
#[must_use]
pub const fn state_word(state: RevisionState) -> &'static str {
    match state {
        RevisionState::Pending => "pending",
        RevisionState::Accepted => "accepted",
        RevisionState::Rejected => "rejected",
    }
}

impl RevisionReport {
    /// The hash the revision was made for, where it differs from the text's.
    #[must_use]
    pub fn made_for(&self) -> Option<&ContentHash> {
        self.status
            .chapter_hash
            .as_ref()
            .filter(|_| self.is_stale())
    }

    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::RevisionAnswer {
        contract::RevisionAnswer {
            chapter: self.chapter,
            status: self.status.status,
            revision: self.status.clone(),
            revision_status_file: layout::revision(self.chapter).to_string(),
            chapter_hash: self.text.hash.clone(),
            stale: self.is_stale(),
            words: self.text.chapter.total_words,
            later_chapters: self.later.iter().map(|chapter| chapter.get()).collect(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}

/// The revisions of a book, as answers tell them.
#[must_use]
pub fn list_answer(revisions: &[RevisionStatus]) -> contract::RevisionsAnswer {
    let row = |revision: &RevisionStatus| contract::RevisionRow {
        chapter: revision.chapter_number,
        status: revision.status,
        triggered_by: revision.triggered_by,
        issues: revision.issues.len(),
        has_candidate: revision.revised_chapter.is_some(),
        created_at: revision.created_at.clone(),
        decision_at: revision.decision_at.clone(),
        revision_status_file: layout::revision(revision.chapter_number).to_string(),
    };
    contract::RevisionsAnswer {
        revisions: revisions.iter().map(row).collect(),
        warnings: Vec::new(),
    }
}
