//! The report of the deterministic story checker on a chapter, as it is committed or rewritten.

use novel_book::{
    config::{Config, ConsistencyCheck, RevisionPolicy},
    manuscript::Manuscript,
};
use novel_model::{
    BookReader, Explain, Message, VolumeNo, Warning, files::ConsistencyReport, message,
};
use novel_story::check::{self, CheckInput, Waivers};
use serde_json::json;

use crate::StepError;

/// Checks a chapter that stands in `book`; `None` when the check is off.
pub fn report(
    config: &Config,
    book: &dyn BookReader,
    manuscript: &Manuscript,
    volume: VolumeNo,
) -> Result<Option<ConsistencyReport>, StepError> {
    if config.consistency_check == ConsistencyCheck::Off {
        return Ok(None);
    }
    let chapter = manuscript.chapter.chapter_number;
    let findings = check::check_chapter(CheckInput {
        reader: book,
        config,
        chapter,
        volume,
    })?;
    let waivers = Waivers::load(book)?;
    let mut report = check::to_report(chapter, &findings, &waivers, config.lang());
    report.context_snapshot["chapter_hash"] = json!(manuscript.hash);
    Ok(Some(report))
}

/// The warning for contradictions that were found.
pub fn found(report: &ConsistencyReport) -> Warning {
    let (n, count) = (report.chapter_number.get(), report.issues.len());
    Warning::new(
        "consistency_issues",
        message!(
            en: "chapter {n} has {count} contradiction(s); see `novel check {n}`",
            zh: "第 {n} 章有 {count} 处矛盾；见 `novel check {n}`"
        ),
    )
}

/// A check whose result, under the author's policy, may change the text or stop the book must be
/// done: if it cannot be, that is an error. Otherwise it is only a report, and left out with a warning.
///
/// # Errors
/// With the failure of the check, unless the policy is [`RevisionPolicy::None`].
pub fn required_by_policy(
    config: &Config,
    checked: Result<Option<ConsistencyReport>, StepError>,
    warnings: &mut Vec<Warning>,
) -> Result<Option<ConsistencyReport>, StepError> {
    match (checked, config.revision_policy) {
        (Err(failure), RevisionPolicy::None) => {
            warnings.push(skipped(&failure));
            Ok(None)
        }
        (checked, _) => checked,
    }
}

fn skipped(failure: &StepError) -> Warning {
    let Message { en, zh } = failure.message();
    Warning::new(
        "consistency_skipped",
        message!(
            en: "the consistency check was left out: {en}",
            zh: "跳过一致性检查：{zh}"
        ),
    )
}

/// A report without an issue, for a book whose deterministic check is off.
pub fn empty(manuscript: &Manuscript) -> ConsistencyReport {
    ConsistencyReport {
        chapter_number: manuscript.chapter.chapter_number,
        issues: Vec::new(),
        summary: String::new(),
        context_snapshot: json!({"chapter_hash": manuscript.hash}),
    }
}
