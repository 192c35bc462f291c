//! Reports on a committed chapter: logic review and consistency audit. A report that stops the book
//! and the mark that stops it are one transaction.

use novel_book::{
    edit::Changes,
    post_commit::{self, Wanted},
    review::{self as rules},
    revision::notes,
    validate::Rejected,
};
use novel_model::{
    BrokenFile, ChapterNo, ChapterStage, ContentHash, Document, Explain, StepId,
    files::{ChapterLog, RevisionStatus, StageLog},
    layout, to_json_text,
};
use serde_json::json;

use crate::{
    Book, StepError,
    answer::SubmitReport,
    consistency,
    reports::{REVIEW_AGAIN, load, manuscript, read},
    rewrite, stamp_checkpoint,
    volumes::Volumes,
    walls,
};

/// Takes a report on a committed chapter in; the mark that stops the book goes with it. Not made
/// yet.
pub fn hand_in(
    view: &Book<'_>,
    chapter: ChapterNo,
    stage: ChapterStage,
    text: &str,
) -> Result<(Changes, SubmitReport), StepError> {
    view.check_not_blocked(chapter)?;
    let (reader, step) = (view.reader(), StepId::Chapter(chapter, stage));
    let (checkpoint, config) = (view.checkpoint.get(), view.config());
    let manuscript = manuscript(config, reader, checkpoint, chapter)?;
    let refused = |broken: BrokenFile| Rejected::new(step, broken.problems().to_vec());
    let lang = view.config().lang();
    let mut changes = Changes::default();
    let before = load::<RevisionStatus>(reader, &layout::revision(chapter))?;
    let now = view.now().to_string();
    let (status, mut warnings) = if stage == ChapterStage::Audit {
        let (volume, _) = Volumes::load(reader, checkpoint.current_volume)?.of(chapter.get());
        let proved = consistency::report(config, reader, &manuscript, volume)?;
        let proved = proved.unwrap_or_else(|| consistency::empty(&manuscript));
        let mut audited =
            rules::accept_audit(text, &manuscript.chapter, proved, lang).map_err(refused)?;
        if !audited.report.verdicts.is_empty() {
            let candidates = consistency::candidates(config, reader, chapter, volume)?;
            consistency::settle_verdicts(&mut audited.report, &candidates, lang);
        }
        let report = &audited.report;
        let wanted = Wanted {
            chapter,
            hash: &manuscript.hash,
            issues: &report.issues,
            notes: notes(&report.issues),
            now,
        };
        let status = post_commit::consistency_revision(config, before.as_ref(), wanted);
        changes.write(layout::consistency(chapter), to_json_text(report));
        (status, audited.warnings())
    } else {
        let reviewed =
            rules::accept_logic_review(text, &manuscript.chapter, &manuscript.hash, lang)
                .map_err(refused)?;
        let report = &reviewed.report;
        let path = layout::logic_review(chapter);
        let min = view.config().logic_review_min_score.get();
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
        forget(view, chapter, &mut changes);
        (status, reviewed.warnings())
    };
    match status {
        // Readers have it: what is wrong with it is explained later.
        Some(status) if walls::is_walled(view.reader(), chapter)? => {
            walls::repair_forward(view.reader(), chapter, &status.issues, &mut changes)?;
        }
        Some(status) => changes.write(layout::revision(chapter), to_json_text(&status)),
        None => {}
    }
    let written = changes.paths().cloned().collect();
    warnings.dedup();
    let report = SubmitReport {
        written,
        awaiting: None,
        warnings,
    };
    Ok((changes, report))
}

/// The calls of a gate after the commit stand in the chapter's log.
pub fn log_calls(
    view: &Book<'_>,
    chapter: ChapterNo,
    stage: ChapterStage,
    calls: Vec<StageLog>,
) -> Result<Changes, StepError> {
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
    Ok(changes)
}

/// The reminder that a changed chapter must be reviewed again is done with.
fn forget(view: &Book<'_>, chapter: ChapterNo, changes: &mut Changes) {
    let entry = json!({"action": REVIEW_AGAIN, "chapter": chapter});
    if view.checkpoint.get().pending_actions.contains(&entry) {
        let mut checkpoint = view.checkpoint.clone();
        checkpoint.edit(|checkpoint| checkpoint.pending_actions.retain(|action| *action != entry));
        stamp_checkpoint(view.now(), &mut checkpoint);
        changes.write(layout::checkpoint(), checkpoint.to_text());
    }
}

/// The word for a gate in the operations log.
#[must_use]
pub const fn stage_word(stage: ChapterStage) -> &'static str {
    match stage {
        ChapterStage::Audit => "audit",
        _ => "logic-review",
    }
}

/// Whether the report of a gate is there, for the text as it is.
pub fn is_handed_in(
    view: &Book<'_>,
    chapter: ChapterNo,
    stage: ChapterStage,
) -> Result<bool, StepError> {
    let report = read(view.config(), view.reader(), view.checkpoint.get(), chapter)?;
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
