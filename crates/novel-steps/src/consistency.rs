//! The report of the deterministic story checker on a chapter, as it is committed or rewritten.

use novel_book::{
    config::{Config, ConsistencyCheck, RevisionPolicy},
    context::ContextError,
    manuscript::Manuscript,
};
use novel_model::{
    BookReader, ChapterNo, Explain, Lang, Message, VolumeNo, Warning, counted,
    files::{ConsistencyReport, Frame, ReviewIssue, Severity},
    message,
};
use novel_story::check::{self, Candidate, CheckInput, Waivers};
use serde_json::{Map, Value, json};

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

/// Keeps of the auditor's answers to the candidates those the program could verify, and makes issues of
/// them: the candidate exists, the sentence tells it as now by the program's own reading too, and both
/// quotations stand where they are said to stand and are more than a word of it. They rest on the model's word and carry no repair.
pub fn settle_verdicts(report: &mut ConsistencyReport, candidates: &[Candidate], lang: Lang) {
    let given = std::mem::take(&mut report.verdicts);
    for verdict in given.into_iter().filter(|verdict| verdict.contradicts) {
        let Some(candidate) = candidates
            .iter()
            .find(|one| usize::try_from(verdict.number) == Ok(one.number))
        else {
            continue;
        };
        let verified = !candidate.excused
            && verdict.frame == Frame::Now
            && quotes(&verdict.evidence, &candidate.place.quotation)
            && quotes(&verdict.record, &value_in(&candidate.fact.quotation));
        let known = report
            .issues
            .iter()
            .any(|issue| issue.evidence.as_deref() == Some(candidate.place.quotation.as_str()));
        if !verified || known || report.verdicts.contains(&verdict) {
            continue;
        }
        let (subject, place) = (&candidate.subject, candidate.fact.location(lang));
        let fact = &candidate.fact.quotation;
        let text = message!(
            en: "`{subject}`: the auditor says that the sentence contradicts {place}: {fact}",
            zh: "`{subject}`：审计认为该句与 {place} 矛盾：{fact}"
        );
        report.issues.push(ReviewIssue {
            issue_type: format!("CANDIDATE_{}", candidate.doubt.as_str().to_uppercase()),
            description: text.get(lang).to_owned(),
            related_characters: Vec::new(),
            severity: Severity::Medium,
            evidence: Some(candidate.place.quotation.clone()),
            fix_instructions: None,
        });
        report.verdicts.push(verdict);
    }
}

/// Whether a quotation stands in a text, or holds all of it, and is long enough to mean this text: half
/// of it, or a clause.
fn quotes(quotation: &str, text: &str) -> bool {
    const CLAUSE: usize = 8;
    const CLAUSE_LATIN: usize = 20;
    let plain =
        |text: &str| -> String { text.chars().filter(|char| char.is_alphanumeric()).collect() };
    let (quotation, text) = (plain(quotation), plain(text));
    let length = |text: &str| text.chars().count();
    let clause = if text.is_ascii() {
        CLAUSE_LATIN
    } else {
        CLAUSE
    };
    let enough = length(&quotation) >= clause.min(length(&text).div_ceil(2));
    !text.is_empty()
        && !quotation.is_empty()
        && (quotation.contains(&text) || text.contains(&quotation) && enough)
}

/// What a record says, without the field and the path it says it at.
fn value_in(record: &str) -> String {
    let op = serde_json::from_str::<Value>(record).ok();
    let value = op.and_then(|op| op.get("value").cloned()).or_else(|| {
        let member = serde_json::from_str::<Map<String, Value>>(&format!("{{{record}}}")).ok()?;
        member.into_iter().next().map(|(_, value)| value)
    });
    match value {
        Some(Value::String(text)) => text,
        Some(value) => value.to_string(),
        None => record.to_owned(),
    }
}

/// The candidates of a committed chapter.
///
/// # Errors
/// When a file the check needs is missing or damaged.
pub fn candidates(
    config: &Config,
    book: &dyn BookReader,
    chapter: ChapterNo,
    volume: VolumeNo,
) -> Result<Vec<Candidate>, ContextError> {
    check::candidates(CheckInput {
        reader: book,
        config,
        chapter,
        volume,
    })
}

/// The warning for contradictions that were found.
pub fn found(report: &ConsistencyReport) -> Warning {
    let (n, count) = (report.chapter_number.get(), report.issues.len());
    let found = counted(count, "contradiction");
    Warning::new(
        "consistency_issues",
        message!(
            en: "chapter {n} has {found}; see `novel check {n}`",
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
            en: "the consistency check was skipped: {en}",
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
        verdicts: Vec::new(),
        context_snapshot: json!({"chapter_hash": manuscript.hash}),
    }
}
