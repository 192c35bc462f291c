//! Reports on a committed chapter. This author understands no story: it says what the story checker
//! can prove, and that there is nothing else behind its score.

use novel_model::{
    Lang, counted,
    files::{ReviewIssue, Severity},
    message, to_json_text,
};
use novel_story::check::{CheckInput, Finding, Waivers, check_chapter, to_report};
use serde_json::json;

use crate::{OfflineError, plan::Task};

/// The logic review: the checker's findings, and a score made of nothing but them.
pub(crate) fn logic(task: Task<'_>) -> Result<String, OfflineError> {
    let issues = proved(&task)?;
    let score = issues
        .iter()
        .map(|issue| cost(issue.severity))
        .fold(100_u32, u32::saturating_sub);
    let count = issues.len();
    let found = counted(count, "contradiction");
    let summary = match count {
        0 => message!(
            en: "The story checker found no contradiction. This review comes from the offline \
                author, a program that compares files and is not a language model; it judges \
                neither cause nor motive.",
            zh: "故事检查器没有发现矛盾。本审查由离线作者给出：它是比对文件的程序，不是语言模型，不判断因果与动机。"
        ),
        _ => message!(
            en: "The story checker found {found}, listed above; the score counts them and nothing \
                else. This review comes from the offline author, a program that compares files \
                and is not a language model; it judges neither cause nor motive.",
            zh: "故事检查器发现 {count} 处矛盾，见上；分数只由此得出。本审查由离线作者给出：它是比对文件的程序，不是语言模型，不判断因果与动机。"
        ),
    };
    let summary = summary.get(task.lang());
    Ok(to_json_text(
        &json!({"issues": issues, "summary": summary, "overall_score": score}),
    ))
}

/// The audit: nothing beyond what the checker has proved, and the words that say so.
pub(crate) fn audit(lang: Lang) -> String {
    let summary = message!(
        en: "The offline author adds nothing to the story checker's findings: it is a program and does not understand the text.",
        zh: "离线作者在故事检查器的结果之外没有补充：它是程序，读不懂正文。"
    );
    let issues: [ReviewIssue; 0] = [];
    to_json_text(&json!({"issues": issues, "summary": summary.get(lang)}))
}

/// What a fault takes off a hundred. One high or three medium ones are below the usual minimum.
const fn cost(severity: Severity) -> u32 {
    match severity {
        Severity::High => 40,
        Severity::Medium => 10,
        Severity::Low => 3,
    }
}

/// The findings the author has not waived. Only what stands in the text is quoted as evidence.
fn proved(task: &Task<'_>) -> Result<Vec<ReviewIssue>, OfflineError> {
    let (reader, config) = (task.book.reader, task.book.config);
    let findings = check_chapter(CheckInput {
        reader,
        config,
        chapter: task.chapter,
        volume: task.volume()?,
    })?;
    let waivers = Waivers::load(reader)?;
    let open: Vec<Finding> = findings
        .into_iter()
        .filter(|finding| waivers.covers(finding).is_none())
        .collect();
    let report = to_report(task.chapter, &open, &waivers, task.lang());
    let issues = report.issues.into_iter().zip(&open);
    Ok(issues
        .map(|(issue, finding)| ReviewIssue {
            related_characters: Vec::new(),
            evidence: issue.evidence.filter(|_| finding.scene().is_some()),
            ..issue
        })
        .collect())
}
