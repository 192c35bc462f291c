//! Findings as `reviews/chapter_NNN_consistency.json`.

use novel_model::{
    ChapterNo, Lang,
    files::{ConsistencyReport, ReviewIssue, Severity},
    message,
};
use serde_json::{Value, json};

use super::{
    finding::{Finding, FindingCode},
    waiver::Waivers,
};

/// The report of a chapter, in the language of the book. Waived findings are no issues; the snapshot
/// lists them with the reason.
#[must_use]
pub fn to_report(
    chapter: ChapterNo,
    findings: &[Finding],
    waivers: &Waivers,
    lang: Lang,
) -> ConsistencyReport {
    let (waived, open): (Vec<&Finding>, Vec<&Finding>) = findings
        .iter()
        .partition(|finding| waivers.covers(finding).is_some());
    let rules: Vec<&str> = FindingCode::ALL.iter().map(|code| code.as_str()).collect();
    let places: Vec<Value> = open
        .iter()
        .map(|finding| {
            json!({
                "code": finding.code.as_str(),
                "fingerprint": finding.fingerprint,
                "place": finding.place.answer(),
                "other_side": finding.other_side.answer(),
            })
        })
        .collect();
    let waived_list: Vec<Value> = waived
        .iter()
        .map(|finding| {
            json!({
                "code": finding.code.as_str(),
                "fingerprint": finding.fingerprint,
                "reason": waivers.covers(finding).map(|waiver| waiver.reason.as_str()),
            })
        })
        .collect();
    ConsistencyReport {
        chapter_number: chapter,
        issues: open.iter().map(|finding| issue(finding, lang)).collect(),
        summary: summary(&open, waived.len(), lang),
        verdicts: Vec::new(),
        context_snapshot: json!({
            "checker": "deterministic",
            "rules": rules,
            "findings": places,
            "waived": waived_list,
        }),
    }
}

fn issue(finding: &Finding, lang: Lang) -> ReviewIssue {
    let (text, place) = (finding.message.get(lang), finding.other_side.location(lang));
    let other = &finding.other_side.quotation;
    let description = match lang {
        Lang::Zh => format!("{text}（对照 {place}：{other}）"),
        Lang::En => format!("{text} (against {place}: {other})"),
    };
    ReviewIssue {
        issue_type: finding.code.as_str().to_owned(),
        description,
        related_characters: finding.related_characters.clone(),
        severity: finding.severity,
        evidence: Some(finding.place.quotation.clone()),
        fix_instructions: finding.fix_instructions.clone(),
    }
}

fn summary(open: &[&Finding], waived: usize, lang: Lang) -> String {
    let count = |severity: Severity| {
        open.iter()
            .filter(|finding| finding.severity == severity)
            .count()
    };
    let (total, high) = (open.len(), count(Severity::High));
    let (medium, low) = (count(Severity::Medium), count(Severity::Low));
    let mut text = if total == 0 {
        message!(en: "no contradiction found", zh: "未发现矛盾")
    } else {
        message!(
            en: "{total} found: {high} high, {medium} medium, {low} low",
            zh: "发现 {total} 处矛盾：严重 {high}，中等 {medium}，轻微 {low}"
        )
    };
    if waived > 0 {
        text.en.push_str(&format!("; {waived} waived"));
        text.zh.push_str(&format!("；另有 {waived} 处已豁免"));
    }
    text.get(lang).to_owned()
}
