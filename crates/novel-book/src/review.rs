//! Accepting the reports of reviewers: stamped by the program, quotations looked up, and whether a
//! logic review stops the book.
//!
//! Invariant: no issue is ever dropped. A quotation that is not in the text is said beside the
//! issue and reported, and the issue counts as before: the fault may be real and badly quoted.

use novel_model::{
    BrokenFile, ContentHash, Document, Format, Lang, RelPath, Warning, counted,
    files::{ConsistencyReport, GeneratedChapter, LogicReview, ReviewIssue, Severity},
    layout, message,
};
use serde_json::{Map, Value, json};

use crate::judgement::{quotation_found, squeeze};

/// A report and the issues whose quotation the text does not have.
#[derive(Debug, Clone, PartialEq)]
pub struct Accepted<T> {
    /// The report.
    pub report: T,
    /// Indices of issues with a quotation that is not in the text.
    pub unfound: Vec<usize>,
}

impl<T> Accepted<T> {
    /// What the author should know of the quotations.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let count = self.unfound.len();
        if count == 0 {
            return Vec::new();
        }
        let quotations = counted(count, "quotation");
        vec![Warning::new(
            "evidence_not_found",
            message!(
                en: "{quotations} of the review cannot be found in the chapter; check before you act on it",
                zh: "有 {count} 条问题的引文不在本章正文中，处理前请先核对"
            ),
        )]
    }
}

/// The answer of the logic-reviewer as the report on a text.
///
/// # Errors
/// With every problem of the answer.
pub fn accept_logic_review(
    answer: &str,
    chapter: &GeneratedChapter,
    hash: &ContentHash,
    lang: Lang,
) -> Result<Accepted<LogicReview>, BrokenFile> {
    let number = chapter.chapter_number;
    let stamps = [
        ("chapter_number", json!(number)),
        ("chapter_hash", json!(hash)),
    ];
    let mut report: LogicReview = stamped(&layout::logic_review(number), answer, stamps)?;
    let unfound = mark_unfound(&mut report.issues, chapter, lang);
    Ok(Accepted { report, unfound })
}

/// The answer of the consistency-auditor, added to what the story checker has proved.
///
/// # Errors
/// With every problem of the answer.
pub fn accept_audit(
    answer: &str,
    chapter: &GeneratedChapter,
    proved: ConsistencyReport,
    lang: Lang,
) -> Result<Accepted<ConsistencyReport>, BrokenFile> {
    let number = chapter.chapter_number;
    let stamps = [
        ("chapter_number", json!(number)),
        ("context_snapshot", Value::Null),
    ];
    let audit: ConsistencyReport = stamped(&layout::consistency(number), answer, stamps)?;
    let mut report = proved;
    report.verdicts = audit.verdicts;
    let mut found = audit.issues;
    for issue in &mut found {
        // What rests on the model's word alone changes no text and stops no book.
        issue.fix_instructions = None;
    }
    let first = report.issues.len();
    let unfound = mark_unfound(&mut found, chapter, lang)
        .into_iter()
        .map(|index| first + index)
        .collect();
    if let Some(snapshot) = report.context_snapshot.as_object_mut() {
        snapshot.insert("auditor".to_owned(), json!({"issues": found.len()}));
    }
    report.issues.extend(found);
    let audited = audit.summary.trim();
    if !audited.is_empty() {
        let between = match lang {
            Lang::Zh => "；",
            Lang::En => "; ",
        };
        report.summary = format!("{}{between}{audited}", report.summary);
    }
    Ok(Accepted { report, unfound })
}

/// Why a logic review stops the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockReason {
    /// An issue of high severity.
    HighSeverity {
        /// How many.
        issues: usize,
    },
    /// The score is below the author's minimum.
    LowScore {
        /// The score.
        score: u32,
        /// The minimum.
        min_score: u32,
    },
}

impl BlockReason {
    /// For people.
    #[must_use]
    pub fn message(self) -> novel_model::Message {
        match self {
            Self::HighSeverity { issues } => {
                let found = counted(issues, "issue");
                message!(
                    en: "the logic review found {found} of high severity",
                    zh: "逻辑审查发现 {issues} 处严重问题"
                )
            }
            Self::LowScore { score, min_score } => message!(
                en: "the logic review gives {score}, below the minimum of {min_score}",
                zh: "逻辑审查评分 {score}，低于下限 {min_score}"
            ),
        }
    }
}

/// Whether a logic review stops the book; severity is named before the score.
#[must_use]
pub fn logic_blocks(review: &LogicReview, min_score: u32) -> Option<BlockReason> {
    let high = review
        .issues
        .iter()
        .filter(|issue| issue.severity == Severity::High);
    let (issues, score) = (high.count(), review.overall_score);
    if issues > 0 {
        Some(BlockReason::HighSeverity { issues })
    } else if score < min_score {
        Some(BlockReason::LowScore { score, min_score })
    } else {
        None
    }
}

/// An answer with what the program knows better written over it.
fn stamped<T: Format, const N: usize>(
    path: &RelPath,
    answer: &str,
    stamps: [(&str, Value); N],
) -> Result<T, BrokenFile> {
    let document = match serde_json::from_str::<Map<String, Value>>(answer) {
        Ok(mut fields) => {
            let stamps = stamps.map(|(key, value)| (key.to_owned(), value));
            fields.extend(stamps);
            Document::<T>::from_value(path, Value::Object(fields))?
        }
        // The document's reader says what is wrong and where.
        Err(_) => Document::<T>::parse(path, answer)?,
    };
    Ok(document.into_value())
}

/// Says beside an issue that its quotation is not in the text; gives the indices.
fn mark_unfound(issues: &mut [ReviewIssue], chapter: &GeneratedChapter, lang: Lang) -> Vec<usize> {
    let scenes: Vec<&str> = chapter
        .scenes
        .iter()
        .map(|scene| scene.content.as_str())
        .collect();
    let haystack = squeeze(&scenes.join("\n"));
    let mut unfound = Vec::new();
    for (index, issue) in issues.iter_mut().enumerate() {
        let quoted = issue.evidence.as_deref();
        let quoted = quoted.filter(|quotation| !quotation.trim().is_empty());
        if quotation_found(quoted, &haystack) == Some(false) {
            issue.description.push_str(match lang {
                Lang::Zh => "（引文未在正文中找到）",
                Lang::En => " (the quotation is not in the text)",
            });
            unfound.push(index);
        }
    }
    unfound
}

#[cfg(test)]
#[path = "review_tests.rs"]
mod tests;
