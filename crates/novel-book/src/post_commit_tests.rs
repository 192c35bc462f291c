use novel_model::{
    ChapterNo, ContentHash,
    files::{LogicReview, ReviewIssue, Severity},
};
use serde_json::json;

use super::*;

fn config(text: &str) -> Config {
    Config::parse(text).unwrap().0
}

fn hash() -> ContentHash {
    ContentHash::of("正文")
}

fn facts(hash: &ContentHash) -> Facts<'_> {
    Facts {
        hash,
        consistency: None,
        logic_review: None,
        revision: None,
    }
}

fn review(hash: &ContentHash) -> LogicReview {
    LogicReview {
        chapter_number: ChapterNo::first(),
        overall_score: 90,
        issues: Vec::new(),
        summary: String::new(),
        chapter_hash: Some(hash.clone()),
    }
}

fn report(hash: &ContentHash, audited: bool) -> ConsistencyReport {
    let mut snapshot = json!({"chapter_hash": hash});
    if audited {
        snapshot["auditor"] = json!({"issues": 0});
    }
    ConsistencyReport {
        chapter_number: ChapterNo::first(),
        issues: Vec::new(),
        summary: String::new(),
        verdicts: Vec::new(),
        context_snapshot: snapshot,
    }
}

fn wanted<'a>(hash: &'a ContentHash, issues: &'a [ReviewIssue]) -> Wanted<'a> {
    Wanted {
        chapter: ChapterNo::first(),
        hash,
        issues,
        notes: issues
            .iter()
            .find_map(|issue| issue.fix_instructions.clone()),
        now: "2026-01-01T00:00:00Z".to_owned(),
    }
}

fn issue(fix: Option<&str>) -> ReviewIssue {
    ReviewIssue {
        issue_type: "RETIRED_ACTS".to_owned(),
        description: "a retired character acts".to_owned(),
        related_characters: Vec::new(),
        severity: Severity::High,
        evidence: None,
        fix_instructions: fix.map(str::to_owned),
    }
}

#[test]
fn an_existing_project_has_no_gate() {
    let hash = hash();
    assert!(!any(&config("")));
    assert_eq!(due(&config(""), facts(&hash)), None);
}

#[test]
fn the_audit_comes_before_the_review_and_each_counts_for_its_text_only() {
    let both = config("consistency_check = \"full\"\nlogic_review_policy = \"blocking\"");
    let (hash, other) = (hash(), ContentHash::of("another text"));
    let bare = facts(&hash);
    assert_eq!(due(&both, bare), Some(ChapterStage::Audit));
    let proved = report(&hash, /*audited*/ false);
    let only_proved = Facts {
        consistency: Some(&proved),
        ..bare
    };
    assert_eq!(due(&both, only_proved), Some(ChapterStage::Audit));
    let audited = report(&hash, /*audited*/ true);
    let after_audit = Facts {
        consistency: Some(&audited),
        ..bare
    };
    assert_eq!(due(&both, after_audit), Some(ChapterStage::Review));
    let stale = review(&other);
    let reviewed_before = Facts {
        logic_review: Some(&stale),
        ..after_audit
    };
    assert_eq!(due(&both, reviewed_before), Some(ChapterStage::Review));
    let fresh = review(&hash);
    let done = Facts {
        logic_review: Some(&fresh),
        ..after_audit
    };
    assert_eq!(due(&both, done), None);
}

#[test]
fn a_pending_chapter_is_decided_before_it_is_reviewed() {
    let blocking = config("logic_review_policy = \"blocking\"");
    let hash = hash();
    let mut status = logic_revision("reviews/x.json".to_owned(), wanted(&hash, &[]));
    let due = |status: &RevisionStatus| {
        let facts = Facts {
            revision: Some(status),
            ..facts(&hash)
        };
        due(&blocking, facts)
    };
    assert_eq!(due(&status), None);
    status.status = RevisionState::Rejected;
    assert_eq!(due(&status), None, "the author's word stands");
    status.chapter_hash = Some(ContentHash::of("another text"));
    assert_eq!(due(&status), Some(ChapterStage::Review));
    status.status = RevisionState::Accepted;
    assert_eq!(due(&status), Some(ChapterStage::Review));
}

#[test]
fn the_policy_decides_what_a_fixable_issue_leads_to() {
    let hash = hash();
    let fixable = [issue(None), issue(Some("take the sentence out"))];
    let ask = |policy: &str, issues: &[ReviewIssue]| {
        consistency_revision(&config(policy), None, wanted(&hash, issues))
    };
    assert_eq!(ask("", &fixable), None);
    assert_eq!(ask("revision_policy = \"none\"", &fixable), None);
    let manual = ask("revision_policy = \"manual_confirm\"", &fixable).unwrap();
    assert_eq!(manual.status, RevisionState::Pending);
    assert!(!manual.auto_apply);
    assert_eq!(manual.issues.len(), 2);
    assert_eq!(manual.chapter_hash.as_ref(), Some(&hash));
    let auto = ask("revision_policy = \"auto_apply\"", &fixable).unwrap();
    assert!(auto.auto_apply);
    assert_eq!(
        ask("revision_policy = \"auto_apply\"", &[issue(None)]),
        None
    );
}

#[test]
fn what_the_author_rejected_is_not_asked_again_for_the_same_text() {
    let hash = hash();
    let manual = config("revision_policy = \"manual_confirm\"");
    let issues = [issue(Some("fix"))];
    let mut before = consistency_revision(&manual, None, wanted(&hash, &issues)).unwrap();
    before.status = RevisionState::Rejected;
    let again = |before: &RevisionStatus, hash: &ContentHash| {
        consistency_revision(&manual, Some(before), wanted(hash, &issues)).is_some()
    };
    assert!(!again(&before, &hash));
    assert!(again(&before, &ContentHash::of("another text")));
}
