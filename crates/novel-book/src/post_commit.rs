//! The gates after a commit (spec 04): which of them a chapter still has to pass.
//!
//! A report counts for exactly the text it saw: the hash tells. What the author has rejected for a
//! text is not asked again for the same text.

use novel_model::{
    ChapterNo, ChapterStage, ContentHash,
    files::{
        ConsistencyReport, LogicReview, ReviewIssue, RevisionState, RevisionStatus, RevisionTrigger,
    },
};
use serde_json::Value;

use crate::config::{Config, ConsistencyCheck, LogicReviewPolicy, RevisionPolicy};

/// What the files say about a committed chapter.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// Hash of its text.
    pub hash: &'a ContentHash,
    /// Its consistency report.
    pub consistency: Option<&'a ConsistencyReport>,
    /// Its logic review.
    pub logic_review: Option<&'a LogicReview>,
    /// Its revision.
    pub revision: Option<&'a RevisionStatus>,
}

/// Whether any gate after a commit asks an agent.
#[must_use]
pub fn any(config: &Config) -> bool {
    config.logic_review_policy == LogicReviewPolicy::Blocking
        || config.consistency_check == ConsistencyCheck::Full
}

/// The next gate the chapter has to pass. A chapter that waits for the author has none before the
/// author has decided: the text may change.
#[must_use]
pub fn due(config: &Config, facts: Facts<'_>) -> Option<ChapterStage> {
    if is_pending(facts.revision) {
        return None;
    }
    let audited = facts.consistency.is_some_and(|report| {
        let snapshot = &report.context_snapshot;
        saw(snapshot, facts.hash) && snapshot.get("auditor").is_some()
    });
    let wants_audit = config.consistency_check == ConsistencyCheck::Full;
    if wants_audit && !audited && !is_rejected(facts, RevisionTrigger::Consistency) {
        return Some(ChapterStage::Audit);
    }
    let reviewed = facts
        .logic_review
        .is_some_and(|review| review.chapter_hash.as_ref() == Some(facts.hash));
    let wants_review = config.logic_review_policy == LogicReviewPolicy::Blocking;
    if wants_review && !reviewed && !is_rejected(facts, RevisionTrigger::LogicReview) {
        return Some(ChapterStage::Review);
    }
    None
}

fn saw(snapshot: &Value, hash: &ContentHash) -> bool {
    snapshot.get("chapter_hash").and_then(Value::as_str) == Some(hash.as_str())
}

fn is_pending(revision: Option<&RevisionStatus>) -> bool {
    revision.is_some_and(|revision| revision.status == RevisionState::Pending)
}

fn is_rejected(facts: Facts<'_>, trigger: RevisionTrigger) -> bool {
    facts.revision.is_some_and(|revision| {
        revision.status == RevisionState::Rejected
            && revision.triggered_by == Some(trigger)
            && revision.chapter_hash.as_ref() == Some(facts.hash)
    })
}

/// A chapter and what its issues ask for.
#[derive(Debug, Clone)]
pub struct Wanted<'a> {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Hash of its text.
    pub hash: &'a ContentHash,
    /// The issues.
    pub issues: &'a [ReviewIssue],
    /// All fix instructions, in order.
    pub notes: Option<String>,
    /// When.
    pub now: String,
}

/// The revision the consistency check asks for; `None` where nothing can be fixed, the policy is
/// `none`, or the author has said before that this text stands.
#[must_use]
pub fn consistency_revision(
    config: &Config,
    before: Option<&RevisionStatus>,
    wanted: Wanted<'_>,
) -> Option<RevisionStatus> {
    let auto_apply = match config.revision_policy {
        RevisionPolicy::None => return None,
        RevisionPolicy::AutoApply => true,
        RevisionPolicy::ManualConfirm => false,
    };
    let facts = Facts {
        hash: wanted.hash,
        consistency: None,
        logic_review: None,
        revision: before,
    };
    if is_rejected(facts, RevisionTrigger::Consistency) {
        return None;
    }
    // A text that came of a revision made without asking is reported on, not revised without end.
    let settled =
        before.is_some_and(|before| before.status == RevisionState::Accepted && before.auto_apply);
    if settled && auto_apply {
        return None;
    }
    wanted.notes.as_ref()?;
    Some(RevisionStatus {
        auto_apply,
        ..pending(RevisionTrigger::Consistency, wanted)
    })
}

/// The revision a logic review asks for that stops the book.
#[must_use]
pub fn logic_revision(report_file: String, wanted: Wanted<'_>) -> RevisionStatus {
    RevisionStatus {
        logic_review_report_file: Some(report_file),
        ..pending(RevisionTrigger::LogicReview, wanted)
    }
}

/// A revision that waits for the author.
#[must_use]
pub fn pending(trigger: RevisionTrigger, wanted: Wanted<'_>) -> RevisionStatus {
    RevisionStatus {
        chapter_number: wanted.chapter,
        status: RevisionState::Pending,
        triggered_by: Some(trigger),
        revision_notes: wanted.notes,
        issues: wanted.issues.to_vec(),
        revised_chapter: None,
        logic_review_report_file: None,
        chapter_hash: Some(wanted.hash.clone()),
        auto_apply: false,
        created_at: Some(wanted.now),
        decision_at: None,
    }
}

#[cfg(test)]
#[path = "post_commit_tests.rs"]
mod tests;
