//! Foreshadowing in a prompt: one line an item.

use novel_book::threads::{MOST_OPEN, most_urgent, told};
use novel_model::{ChapterNo, Lang, Message, files::Foreshadowing};
use serde_json::Value;

use super::{
    PromptError,
    item::{Item, Scene},
    shorten::first,
};

/// Tasks beside those the contract asks for.
const MOST_TASKS: usize = 10;
/// Marks what the contract asks for.
const ASKED: &str = "- **";

/// What stands between a name and what is said of it.
pub(super) const fn colon(lang: Lang) -> &'static str {
    match lang {
        Lang::Zh => "：",
        Lang::En => ": ",
    }
}

/// Tasks the contract asks for, then the ones due first.
pub(super) fn tasks(item: &mut Item, lang: Lang) -> Result<Option<Message>, PromptError> {
    let tasks: Vec<Value> = item.json()?;
    let asked = |task: &&Value| task.get("required_action").is_some_and(|it| !it.is_null());
    let due = |task: &Value| {
        let last = task.pointer("/target_resolve_range/1");
        last.and_then(Value::as_u64).unwrap_or(u64::MAX)
    };
    let (mut kept, mut others): (Vec<&Value>, Vec<&Value>) = tasks.iter().partition(asked);
    others.sort_by_key(|task| due(task));
    others.truncate(MOST_TASKS);
    kept.extend(others);
    let lines: Vec<String> = kept.iter().map(|task| line(task, lang)).collect();
    item.set(&lines.join("\n"));
    Ok((kept.len() < tasks.len()).then(|| first(kept.len(), tasks.len())))
}

/// What is open beside the tasks, most urgent first.
pub(super) fn open(item: &mut Item, lang: Lang) -> Result<Option<Message>, PromptError> {
    let open: Vec<Value> = item.json()?;
    let lines: Vec<String> = open.iter().map(|entry| line(entry, lang)).collect();
    item.set(&lines.join("\n"));
    Ok(None)
}

/// What is not resolved, most urgent first, with its age and without its history: a plan needs to know
/// what is open.
pub(super) fn open_items(item: &mut Item, scene: &Scene) -> Result<Option<Message>, PromptError> {
    if serde_json::from_str::<Vec<Value>>(&item.content()).is_ok() {
        return open(item, scene.lang);
    }
    let facts: Foreshadowing = item.json()?;
    let total = facts.foreshadowing.len();
    let chapter = ChapterNo::new(scene.chapter).unwrap_or_else(ChapterNo::first);
    let open = most_urgent(&facts, chapter).into_iter().take(MOST_OPEN);
    let lines: Vec<String> = open
        .map(|entry| line(&told(entry, chapter, None), scene.lang))
        .collect();
    item.set(&lines.join("\n"));
    Ok((lines.len() < total).then(|| first(lines.len(), total)))
}

/// Fewer lines beside the ones the contract asks for.
pub(super) fn fewer(item: &mut Item, most: usize) -> Option<Message> {
    let content = item.content();
    let lines: Vec<&str> = content.lines().collect();
    let mut left = most;
    let kept: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| {
            let asked = line.starts_with(ASKED);
            let room = left > 0;
            left -= usize::from(!asked && room);
            asked || room
        })
        .collect();
    if kept.len() == lines.len() {
        return None;
    }
    let note = first(kept.len(), lines.len());
    item.set(&kept.join("\n"));
    Some(note)
}

/// One item. No text of it may make a second line.
fn line(entry: &Value, lang: Lang) -> String {
    let text = |key: &str| {
        let said = entry.get(key).and_then(Value::as_str)?;
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        (!said.is_empty()).then_some(said)
    };
    let number = |pointer: &str| entry.pointer(pointer).and_then(Value::as_u64);
    let id = text("id").unwrap_or_default();
    let mut line = match text("required_action") {
        Some(action) => format!("{ASKED}{id}** [{action}]"),
        None => format!("- {id}"),
    };
    if let Some(description) = text("description") {
        line.push_str(colon(lang));
        line.push_str(&description);
    }
    let mut facts = Vec::new();
    if let Some(planted) = number("/planted_chapter") {
        facts.push(match (lang, number("/age")) {
            (Lang::Zh, Some(age)) => format!("第 {planted} 章埋下，已 {age} 章"),
            (Lang::Zh, None) => format!("第 {planted} 章埋下"),
            (Lang::En, Some(age)) => format!("planted in {planted}, {age} chapters ago"),
            (Lang::En, None) => format!("planted in {planted}"),
        });
    }
    facts.extend(text("status").filter(|status| status != "planted"));
    if let (Some(from), Some(to)) = (
        number("/target_resolve_range/0"),
        number("/target_resolve_range/1"),
    ) {
        facts.push(match lang {
            Lang::Zh => format!("应在 {from}–{to} 章回收"),
            Lang::En => format!("due in {from}–{to}"),
        });
    }
    if entry.get("overdue").and_then(Value::as_bool) == Some(true) {
        facts.push("overdue".to_owned());
    }
    if !facts.is_empty() {
        let (open, close, between) = match lang {
            Lang::Zh => ("（", "）", "，"),
            Lang::En => (" (", ")", ", "),
        };
        line.push_str(&format!("{open}{}{close}", facts.join(between)));
    }
    if let Some(planted_by) = text("planted_by") {
        line.push_str(&match lang {
            Lang::Zh => format!(" 原句：{planted_by}"),
            Lang::En => format!(" The sentence: {planted_by}"),
        });
    }
    line
}
