//! Refines a staged chapter: stock phrases out, doubled marks out, everything else as it was.

use std::{collections::BTreeMap, sync::OnceLock};

use novel_book::{believe::refine::change, context::active_drift};
use novel_model::{
    Document, Lang,
    files::{Blacklist, StyleDrift},
    layout,
};
use novel_text::{count_words, parse_chapter, render_chapter};

use crate::{OfflineError, plan::Task, prose};

/// Which time around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    /// After the draft.
    First,
    /// After the gate said "polish".
    Polish,
}

/// Sentences split when the style has drifted to long ones.
const DRIFT_SPLITS: usize = 3;

pub(crate) fn refine(task: Task<'_>, round: Round) -> Result<String, OfflineError> {
    let lang = task.lang();
    let staged = task.text("chapter_content")?;
    let parsed = parse_chapter(&staged);
    let before = parsed.scenes.join("\n\n");
    let most = task.book.config.refine.max_change.get();
    let mut scenes = parsed.scenes.clone();
    // One phrase after the other, as long as the whole stays the draft it was.
    for phrase in phrases(&task)? {
        let next: Vec<String> = scenes
            .iter()
            .map(|scene| replace_phrases(scene, std::slice::from_ref(&phrase), lang))
            .collect();
        if next != scenes && !is_too_much(&before, &next, most) {
            scenes = next;
        }
    }
    let tidied: Vec<String> = scenes.iter().map(|scene| tidy_lines(scene, lang)).collect();
    if !is_too_much(&before, &tidied, most) {
        scenes = tidied;
    }
    let drift = active_drift(task.book.reader)?;
    let splits = match (round, drift.as_ref().map(Document::get)) {
        (Round::First, Some(drift)) if runs_long(drift) => DRIFT_SPLITS,
        (Round::First, _) => 0,
        (Round::Polish, _) => 1,
    };
    for _ in 0..splits {
        split_longest(&mut scenes, lang);
    }
    Ok(render_chapter(task.chapter, parsed.title(), &scenes, lang))
}

/// Every phrase the book does not want, longest first: a short one may lie inside a long one.
pub(crate) fn phrases(task: &Task<'_>) -> Result<Vec<String>, OfflineError> {
    let reader = task.book.reader;
    let list = Document::<Blacklist>::load(reader, &layout::blacklist())?;
    let style = task.style()?;
    let mut phrases = list
        .map(|list| list.get().effective_words())
        .unwrap_or_default();
    phrases.extend(style.forbidden_words);
    phrases.retain(|phrase| {
        !phrase.trim().is_empty() && !style.preferred_expressions.contains(phrase)
    });
    phrases.sort_by(|a, b| {
        b.chars()
            .count()
            .cmp(&a.chars().count())
            .then_with(|| a.cmp(b))
    });
    phrases.dedup();
    Ok(phrases)
}

fn is_too_much(before: &str, scenes: &[String], most: f64) -> bool {
    change(before, &scenes.join("\n\n")) >= most
}

fn runs_long(drift: &StyleDrift) -> bool {
    let mut drifts = drift.drifts.iter();
    drifts.any(|drift| drift.metric == "avg_sentence_length" && drift.current > drift.baseline)
}

/// The text with each phrase replaced, or left out where there is no replacement.
pub(crate) fn replace_phrases(text: &str, phrases: &[String], lang: Lang) -> String {
    let mut text = text.to_owned();
    for phrase in phrases {
        let phrase = phrase.trim();
        let with = replacements(lang).get(phrase).copied().unwrap_or_default();
        if let Some(changed) = replace_phrase(&text, phrase, with) {
            text = if with.is_empty() {
                tidy_lines(&mend(&changed, lang), lang)
            } else {
                changed
            };
        }
    }
    text
}

/// `None` when the phrase does not occur. A word of Latin letters is found in any case, but not
/// inside another word; a capital stays one.
fn replace_phrase(text: &str, phrase: &str, with: &str) -> Option<String> {
    let is_word = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric());
    let (first, last) = (phrase.chars().next(), phrase.chars().next_back());
    // ASCII capitals have the same length, so that places agree.
    let (haystack, needle) = (text.to_ascii_lowercase(), phrase.to_ascii_lowercase());
    let mut replaced = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in haystack.match_indices(&needle) {
        let end = at + needle.len();
        let inside = is_word(first) && is_word(text[..at].chars().next_back())
            || is_word(last) && is_word(text[end..].chars().next());
        if inside || at < done {
            continue;
        }
        replaced.push_str(&text[done..at]);
        if text[at..].starts_with(|char: char| char.is_ascii_uppercase()) {
            replaced.push_str(&prose::capitalize(with));
        } else {
            replaced.push_str(with);
        }
        done = end;
    }
    if done == 0 {
        return None;
    }
    replaced.push_str(&text[done..]);
    Some(replaced)
}

/// Mends the place a phrase was taken from.
fn mend(text: &str, lang: Lang) -> String {
    match lang {
        Lang::Zh => text
            .replace("\n，", "\n")
            .replace("。，", "。")
            .replace("“，", "“"),
        Lang::En => text
            .replace("  ", " ")
            .replace(" ,", ",")
            .replace(" .", ".")
            .replace("\n ", "\n")
            .replace("\n, ", "\n"),
    }
}

/// Doubled marks reduced, line by line; indentation stays.
fn tidy_lines(text: &str, lang: Lang) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| {
            let indent = line.len() - line.trim_start().len();
            format!("{}{}", &line[..indent], prose::tidy(line, lang))
        })
        .collect();
    lines.join("\n")
}

fn replacements(lang: Lang) -> &'static BTreeMap<&'static str, &'static str> {
    static ZH: OnceLock<BTreeMap<&'static str, &'static str>> = OnceLock::new();
    static EN: OnceLock<BTreeMap<&'static str, &'static str>> = OnceLock::new();
    let parse = |text: &'static str| {
        let lines = text.lines().filter(|line| !line.starts_with("//"));
        let pairs = lines.filter_map(|line| line.split_once("=>"));
        pairs
            .map(|(phrase, with)| (phrase.trim(), with.trim()))
            .collect()
    };
    match lang {
        Lang::Zh => ZH.get_or_init(|| parse(include_str!("../assets/replacements/zh.txt"))),
        Lang::En => EN.get_or_init(|| parse(include_str!("../assets/replacements/en.txt"))),
    }
}

/// Makes two sentences of the longest one outside quotation marks, if it has a place for it.
fn split_longest(scenes: &mut [String], lang: Lang) {
    const SHORTEST_HALF: usize = 6;
    let mark = match lang {
        Lang::Zh => "，",
        Lang::En => ", and ",
    };
    let mut best: Option<(usize, usize, usize)> = None;
    for (index, scene) in scenes.iter().enumerate() {
        for sentence in novel_text::sentences(scene) {
            if sentence.contains(['“', '”', '「', '」', '"', '：', ':']) {
                continue;
            }
            let length = count_words(sentence);
            let cut = sentence
                .match_indices(mark)
                .map(|(at, _)| at)
                .filter(|at| {
                    count_words(&sentence[..*at]) >= SHORTEST_HALF
                        && count_words(&sentence[at + mark.len()..]) >= SHORTEST_HALF
                })
                .min_by_key(|at| (sentence.len() / 2).abs_diff(*at));
            // Once only: the same sentence twice in a scene could not be told apart.
            let place = scene
                .find(sentence)
                .filter(|_| scene.matches(sentence).count() == 1);
            if let (Some(at), Some(start)) = (cut, place)
                && best.is_none_or(|(longest, ..)| length > longest)
            {
                best = Some((length, index, start + at));
            }
        }
    }
    if let Some((_, index, at)) = best {
        let end = at + mark.len();
        match lang {
            Lang::Zh => scenes[index].replace_range(at..end, "。"),
            Lang::En => {
                let rest = prose::capitalize(&scenes[index][end..]);
                scenes[index].truncate(at);
                scenes[index].push_str(". ");
                scenes[index].push_str(&rest);
            }
        }
    }
}

#[cfg(test)]
#[path = "refine_tests.rs"]
mod tests;
