//! `volumes/vol-VV/review.md`: the program's reports, then the advice of an agent.

use novel_model::{Lang, Message, Problem, RelPath, VolumeNo, Warning, message};
use novel_text::count_words;
use serde_json::json;

use super::{Report, Topic};
use novel_book::validate::Findings;

/// Longest advice, in counted words; it goes into the prompt of the next volume's plan.
pub const MAX_ADVICE_WORDS: usize = 3_000;

/// Level the headings of the advice begin at: below the heading the program gives it.
const ADVICE_LEVEL: usize = 3;

/// The program's part of a review.
#[must_use]
pub fn volume_review(volume: VolumeNo, report: &Report, lang: Lang) -> String {
    let number = volume.get();
    let title = message!(en: "Review of volume {number}", zh: "第 {number} 卷回顾");
    let (first, last) = (report.span.first, report.span.last);
    let words = report.length.total_words;
    let range = message!(
        en: "Chapters {first} to {last}, {words} words. All figures are computed by the program from the files of the book.",
        zh: "第 {first} 至 {last} 章，共 {words} 字。所有数字均由程序从作品文件计算得出。"
    );
    let mut text = format!("# {}\n\n{}\n\n", title.get(lang), range.get(lang));
    let head = message!(en: "To look at", zh: "需要留意");
    text.push_str(&format!("## {}\n\n", head.get(lang)));
    let findings = report.findings();
    if findings.is_empty() {
        let nothing = message!(en: "Nothing stands out.", zh: "没有突出的问题。");
        text.push_str(&format!("{}\n", nothing.get(lang)));
    }
    for finding in findings {
        text.push_str(&format!("- {}\n", finding.text.get(lang)));
    }
    for topic in Topic::ALL {
        text.push('\n');
        text.push_str(&report.page(topic).markdown(lang));
    }
    text
}

/// The whole review: the program's part, and what an agent advised.
#[must_use]
pub fn compose(reports: &str, advice: &str, lang: Lang) -> String {
    let head: Message = message!(en: "Advice", zh: "建议");
    let advice = below_heading(advice.trim());
    format!("{reports}\n## {}\n\n{advice}\n", head.get(lang))
}

/// What is wrong with the advice that was handed in.
#[must_use]
pub fn check_advice(path: &RelPath, advice: &str) -> Findings {
    let mut findings = Findings::default();
    let words = count_words(advice);
    findings.measured.insert("words".to_owned(), json!(words));
    if words == 0 {
        findings.problems.push(Problem::new(
            "empty",
            path,
            message!(en: "the advice has no words", zh: "建议没有内容"),
        ));
    }
    if words > MAX_ADVICE_WORDS {
        findings.warnings.push(Warning::new(
            "long_advice",
            message!(
                en: "the advice has {words} words; the plan of the next volume reads it, so keep it below {MAX_ADVICE_WORDS}",
                zh: "建议有 {words} 字；规划下一卷时要读它，宜在 {MAX_ADVICE_WORDS} 字以内"
            ),
        ));
    }
    findings
}

/// The same text with its headings moved down, so that they stay inside their section.
fn below_heading(text: &str) -> String {
    let mut fenced = false;
    let mut is_heading = |line: &str| {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let level = line.chars().take_while(|char| *char == '#').count();
        let named = line[level..].starts_with(' ');
        (!fenced && named && (1..=6).contains(&level)).then_some(level)
    };
    let lines: Vec<(&str, Option<usize>)> =
        text.lines().map(|line| (line, is_heading(line))).collect();
    let top = lines.iter().filter_map(|(_, level)| *level).min();
    let down = top.map_or(0, |top| ADVICE_LEVEL.saturating_sub(top));
    let moved = lines.into_iter().map(|(line, level)| match level {
        Some(level) => {
            let marks = "#".repeat((level + down).min(6));
            format!("{marks}{}", &line[level..])
        }
        None => line.to_owned(),
    });
    moved.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
#[path = "review_tests.rs"]
mod tests;
