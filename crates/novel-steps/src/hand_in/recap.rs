//! A summarizer's record as it is asked for, in parts, in the form of its files: the program writes headings, marks
//! and lists.

use std::collections::BTreeSet;

use novel_model::{ChapterNo, Lang, Slug};
use serde_json::Value;

/// The answer with its summary and memory as Markdown; those that are texts already stay.
#[must_use]
pub(super) fn written(
    mut value: Value,
    chapter: ChapterNo,
    line: Option<&Slug>,
    lang: Lang,
) -> Value {
    let changes = changes(&value, lang);
    if let Some(recap) = value.get("summary").filter(|summary| summary.is_object()) {
        value["summary"] = Value::from(summary(recap, &changes, chapter, line, lang));
    }
    if let Some(memory) = value.get("memory").filter(|memory| memory.is_array()) {
        value["memory"] = Value::from(marked(&lines(Some(memory))));
    }
    value
}

fn summary(
    recap: &Value,
    changes: &[String],
    chapter: ChapterNo,
    line: Option<&Slug>,
    lang: Lang,
) -> String {
    let narrative = recap.get("narrative").and_then(Value::as_str);
    let narrative = narrative.unwrap_or_default().trim();
    if narrative.is_empty() {
        return String::new();
    }
    let chapter = chapter.get();
    let (heading, [events, threads, storyline, next], none) = match lang {
        Lang::Zh => (
            format!("## 第 {chapter} 章摘要"),
            ["关键事件", "伏笔变更", "故事线标记", "下章须知"],
            "- 无",
        ),
        Lang::En => (
            format!("## Summary of chapter {chapter}"),
            [
                "Key events",
                "Foreshadowing",
                "Storyline",
                "For the next chapter",
            ],
            "- none",
        ),
    };
    let list = |lines: &[String]| match lines {
        [] => none.to_owned(),
        lines => marked(lines),
    };
    let mut text = format!(
        "{heading}\n\n{narrative}\n\n### {events}\n{}\n\n### {threads}\n{}\n\n",
        list(&lines(recap.get("events"))),
        list(changes),
    );
    if let Some(line) = line {
        text.push_str(&format!("### {storyline}\n- storyline_id: {line}\n\n"));
    }
    text.push_str(&format!(
        "### {next}\n{}\n",
        list(&lines(recap.get("next")))
    ));
    text
}

/// The changes of foreshadowing among the facts.
fn changes(value: &Value, lang: Lang) -> Vec<String> {
    let ops = value.pointer("/delta/ops").and_then(Value::as_array);
    let threads = ops
        .into_iter()
        .flatten()
        .filter(|op| op["op"] == "foreshadow");
    threads
        .filter_map(|op| {
            let id = op["path"].as_str()?;
            let (word, colon) = match (op["value"].as_str()?, lang) {
                ("planted", Lang::Zh) => ("埋设", "："),
                ("advanced", Lang::Zh) => ("推进", "："),
                ("resolved", Lang::Zh) => ("回收", "："),
                (other, Lang::Zh) => (other, "："),
                (other, Lang::En) => (other, ": "),
            };
            let where_it_shows = ["detail", "evidence"]
                .iter()
                .filter_map(|key| op[*key].as_str())
                .find(|text| !text.trim().is_empty());
            Some(format!(
                "[{word}] {id}{colon}{}",
                on_one_line(where_it_shows?)
            ))
        })
        .collect()
}

/// The texts of a list, each once.
fn lines(list: Option<&Value>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let texts = list.and_then(Value::as_array).into_iter().flatten();
    texts
        .filter_map(Value::as_str)
        .map(on_one_line)
        .filter(|line| !line.is_empty() && seen.insert(line.clone()))
        .collect()
}

/// A text without line ends and without a mark of its own: it becomes an item of a list and no heading.
fn on_one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.trim_start_matches(['-', '*', '#', '>', '+', '•', ' '])
        .to_owned()
}

fn marked(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| format!("- {line}")).collect();
    lines.join("\n")
}

#[cfg(test)]
#[path = "recap_tests.rs"]
mod tests;
