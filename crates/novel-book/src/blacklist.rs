//! Upkeep of `ai-blacklist.json` at commit (seed 003, step 6).

use novel_model::{
    Lang,
    files::{Blacklist, BlacklistSuggestion, Confidence},
};
use novel_text::lint;
use serde_json::{Value, json};

/// Occurrences in one chapter from which a phrase may be added by itself.
const MIN_OCCURRENCES: usize = 3;

/// The time of a change, as the two forms the file wants.
#[derive(Debug, Clone, Copy)]
pub struct Stamp<'a> {
    /// RFC 3339.
    pub timestamp: &'a str,
    /// `YYYY-MM-DD`.
    pub date: &'a str,
}

/// The chapter a judge's suggestions are about.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// Its number.
    pub chapter: u32,
    /// Its prose.
    pub text: &'a str,
    /// The language of the book.
    pub lang: Lang,
}

/// Applies a judge's suggestions. Returns whether anything changed; applying the same suggestions
/// again changes nothing.
pub fn maintain(
    blacklist: &mut Blacklist,
    suggestions: &[BlacklistSuggestion],
    preferred: &[String],
    chapter: Told<'_>,
    stamp: Stamp<'_>,
) -> bool {
    let mut added = Vec::new();
    let mut exempted = Vec::new();
    for suggestion in suggestions {
        let phrase = suggestion.phrase.trim();
        let count = occurrences(chapter.text, phrase);
        if phrase.is_empty() || !may_be_added(suggestion, count, chapter.text) {
            continue;
        }
        if preferred.iter().any(|expression| expression == phrase) {
            if !blacklist.is_exempt(phrase) {
                blacklist.whitelist.push(phrase.to_owned());
                exempted.push(json!({"phrase": phrase,
                    "reason": "style_profile.preferred_expressions", "examples": suggestion.examples}));
            }
        } else if blacklist.is_exempt(phrase) {
            if !is_logged_as_exempt(blacklist, phrase) {
                exempted.push(json!({"phrase": phrase, "reason": "whitelist",
                    "examples": suggestion.examples}));
            }
        } else if !blacklist.all_words().iter().any(|word| word == phrase) {
            push_word(&mut blacklist.words, phrase);
            added.push(json!({"phrase": phrase, "count_in_chapter": count,
                "examples": suggestion.examples}));
        }
    }
    if added.is_empty() && exempted.is_empty() {
        return false;
    }
    let (more, spared) = (added.len(), exempted.len());
    let note = match chapter.lang {
        Lang::Zh => format!("新增 {more} 条，豁免 {spared} 条"),
        Lang::En => format!("{more} added, {spared} exempted"),
    };
    blacklist.update_log.push(
        json!({"timestamp": stamp.timestamp, "chapter": chapter.chapter,
        "source": "auto", "added": added, "exempted": exempted, "note": note}),
    );
    blacklist.last_updated = Some(stamp.date.to_owned());
    if let Some(next) = blacklist.version.as_deref().and_then(patch_bump) {
        blacklist.version = Some(next);
    }
    true
}

/// Whether an earlier change already says that the phrase is exempt.
fn is_logged_as_exempt(blacklist: &Blacklist, phrase: &str) -> bool {
    blacklist
        .update_log
        .iter()
        .filter_map(|change| change.get("exempted")?.as_array())
        .flatten()
        .any(|entry| entry.get("phrase").and_then(Value::as_str) == Some(phrase))
}

/// Only what the program itself counts, and what is shown by an example from the chapter.
fn may_be_added(suggestion: &BlacklistSuggestion, count: usize, text: &str) -> bool {
    let squeezed = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
    let (phrase, text) = (squeezed(&suggestion.phrase), squeezed(text));
    let is_shown = suggestion.examples.iter().any(|example| {
        let example = squeezed(example);
        let core = example.trim_matches(|char: char| "“”\"'‘’「」『』….。".contains(char));
        core.contains(&phrase) && text.contains(core)
    });
    let is_sure = matches!(
        suggestion.confidence,
        Some(Confidence::Medium | Confidence::High)
    );
    is_sure && count >= MIN_OCCURRENCES && is_shown
}

/// How often a phrase stands in the text.
fn occurrences(text: &str, phrase: &str) -> usize {
    if phrase.is_empty() {
        return 0;
    }
    lint(text, &[phrase.to_owned()]).total_hits
}

/// Appends to the word list in whatever form the file has it.
fn push_word(words: &mut Value, phrase: &str) {
    match words {
        Value::Array(list) => list.push(json!(phrase)),
        Value::Object(categories) => match categories.entry("auto").or_insert_with(|| json!([])) {
            Value::Array(list) => list.push(json!(phrase)),
            other => *other = json!([phrase]),
        },
        _ => *words = json!([phrase]),
    }
}

fn patch_bump(version: &str) -> Option<String> {
    let mut parts = version.splitn(3, '.');
    let major: u64 = parts.next()?.parse().ok()?;
    let minor: u64 = parts.next()?.parse().ok()?;
    let patch: u64 = parts.next()?.parse().ok()?;
    Some(format!("{major}.{minor}.{}", patch.checked_add(1)?))
}

#[cfg(test)]
#[path = "blacklist_tests.rs"]
mod tests;
