//! Refinement keeps the story: how much was changed, and whether names, figures, utterances and the
//! sentences that prove facts are still there.

use std::collections::BTreeMap;

use novel_model::{Problem, RelPath, message};
use novel_text::{Carried, Locator, edit_distance, parse_numeral, replaced_lines};

/// Share of the sentence of a fact that must still be there.
const KEPT_OF_A_FACT: f64 = 0.5;
/// Most of a single paragraph that may change where a refinement is taken in part.
const MOST_OF_A_PARAGRAPH: f64 = 0.5;
/// What stands behind a figure.
const UNITS: &str = "年月日天夜晚时刻分秒岁里米尺寸丈斤两钱元块文枚个名人位只头匹条把柄间座层楼卷页封次回遍步度倍级品阶重更点号字句件张杯碗桌排队骑艘辆支盏根颗滴口家户村城国州县郡吨克升斗石亩公%％";
/// Words that look like a figure with its unit.
const NO_FIGURES: [&str; 6] = ["十分", "万分", "千万", "万一", "百分", "四号"];

/// What a refinement must keep.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// The names of each known person.
    pub people: Vec<Vec<String>>,
    /// Phrases that may change inside an utterance.
    pub blacklist: Vec<String>,
    /// Quotations that prove facts, located in the text the refiner was given.
    pub facts: Vec<String>,
    /// Edit distance over the length of that text.
    pub max_change: f64,
}

/// What a refinement lost.
#[derive(Debug, Clone, PartialEq)]
pub enum Lost {
    /// More was changed than may be.
    TooMuch(f64),
    /// A known person is no longer named, or became another one.
    Name(String),
    /// A figure with its unit.
    Figure(String),
    /// Words somebody says.
    Utterance(String),
    /// The sentence that proves a fact.
    Fact(String),
}

/// Edit distance over the length of the text that was given.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "text lengths are far below 2^52"
)]
pub fn change(given: &str, refined: &str) -> f64 {
    edit_distance(given, refined) as f64 / given.chars().count().max(1) as f64
}

/// What a refinement changed that it must keep.
#[must_use]
pub fn lost(given: &str, refined: &str, kept: &Kept) -> Vec<Lost> {
    let mut lost = Vec::new();
    let share = change(given, refined);
    if share > kept.max_change {
        lost.push(Lost::TooMuch(share));
    }
    lost.extend(lost_words(given, refined, kept));
    lost
}

fn lost_words(given: &str, refined: &str, kept: &Kept) -> Vec<Lost> {
    let mut lost: Vec<Lost> = names(given, refined, &kept.people)
        .into_iter()
        .map(Lost::Name)
        .collect();
    lost.extend(figures_lost(given, refined).into_iter().map(Lost::Figure));
    lost.extend(
        utterances_lost(given, refined, &kept.blacklist)
            .into_iter()
            .map(Lost::Utterance),
    );
    if !kept.facts.is_empty() {
        let (locator, carried) = (Locator::new(given), Carried::between(given, refined));
        let gone = kept.facts.iter().filter(|fact| {
            let place = locator.locate(fact);
            place.is_some_and(|place| {
                place
                    .parts
                    .iter()
                    .any(|part| carried.place(part).1 < KEPT_OF_A_FACT)
            })
        });
        lost.extend(gone.cloned().map(Lost::Fact));
    }
    lost
}

/// People who are no longer named, or who were named instead of somebody else.
fn names(given: &str, refined: &str, people: &[Vec<String>]) -> Vec<String> {
    let count = |text: &str, names: &[String]| -> usize {
        names
            .iter()
            .map(|name| text.matches(name.as_str()).count())
            .sum()
    };
    let counts: Vec<(usize, usize)> = people
        .iter()
        .map(|names| (count(given, names), count(refined, names)))
        .collect();
    let came = counts.iter().any(|(before, after)| after > before);
    people
        .iter()
        .zip(&counts)
        .filter(|(_, (before, after))| (*before > 0 && *after == 0) || (came && after < before))
        .filter_map(|(names, _)| names.first().cloned())
        .collect()
}

/// Figures with their units: value and unit, as often as they stand there.
fn figures(text: &str) -> BTreeMap<(u32, String), (usize, String)> {
    let is_numeral = |char: char| {
        char.is_ascii_digit()
            || ('０'..='９').contains(&char)
            || "零〇一二三四五六七八九十百千万亿两".contains(char)
    };
    let mut found: BTreeMap<(u32, String), (usize, String)> = BTreeMap::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_numeral) {
        let tail = &rest[start..];
        let end = tail
            .find(|char: char| !is_numeral(char))
            .unwrap_or(tail.len());
        let (mut number, mut after) = tail.split_at(end);
        // 两 counts things where it is the last of several: 三百两.
        if number.chars().count() > 1 && number.ends_with('两') {
            let at = number.len() - '两'.len_utf8();
            (number, after) = (&number[..at], &tail[at..]);
        }
        rest = &tail[end..];
        let unit = unit_of(after);
        let (Some(value), Some(unit)) = (parse_numeral(number), unit) else {
            continue;
        };
        let shown = format!("{number}{unit}");
        if value < 2 || NO_FIGURES.contains(&shown.as_str()) {
            continue;
        }
        let entry = found.entry((value, unit)).or_insert((0, shown));
        entry.0 += 1;
    }
    found
}

fn unit_of(after: &str) -> Option<String> {
    let next = after.chars().next()?;
    if UNITS.contains(next) {
        return Some(next.to_string());
    }
    let word: String = after
        .trim_start_matches([' ', '-'])
        .chars()
        .take_while(char::is_ascii_alphabetic)
        .collect();
    (after.starts_with([' ', '-']) && !word.is_empty()).then(|| word.to_lowercase())
}

fn figures_lost(given: &str, refined: &str) -> Vec<String> {
    let after = figures(refined);
    figures(given)
        .into_iter()
        .filter(|(figure, (count, _))| after.get(figure).is_none_or(|found| found.0 < *count))
        .map(|(_, (_, shown))| shown)
        .collect()
}

/// What people say, without the quotation marks.
fn utterances(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut open: Option<(usize, char)> = None;
        for (at, char) in line.char_indices() {
            match (open, char) {
                (None, '“' | '「' | '"' | '『') => open = Some((at + char.len_utf8(), char)),
                (Some((from, mark)), _) if closes(mark) == char => {
                    found.push(&line[from..at]);
                    open = None;
                }
                _ => {}
            }
        }
    }
    found
}

const fn closes(mark: char) -> char {
    match mark {
        '“' => '”',
        '「' => '」',
        '『' => '』',
        _ => '"',
    }
}

fn letters(text: &str) -> String {
    text.chars()
        .filter(|char| char.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn utterances_lost(given: &str, refined: &str, blacklist: &[String]) -> Vec<String> {
    let mut after: Vec<String> = utterances(refined).into_iter().map(letters).collect();
    let blacklist: Vec<String> = blacklist.iter().map(|phrase| letters(phrase)).collect();
    let mut lost = Vec::new();
    for said in utterances(given) {
        let words = letters(said);
        if words.is_empty() {
            continue;
        }
        let at = after.iter().position(|other| *other == words).or_else(|| {
            let parts = without(&words, &blacklist)?;
            after.iter().position(|other| in_order(other, &parts))
        });
        match at {
            Some(at) => drop(after.swap_remove(at)),
            None => lost.push(said.to_owned()),
        }
    }
    lost
}

/// What is left of an utterance between blacklisted phrases; `None` where it has none.
fn without(words: &str, blacklist: &[String]) -> Option<Vec<String>> {
    let mut parts = vec![words.to_owned()];
    for phrase in blacklist.iter().filter(|phrase| !phrase.is_empty()) {
        parts = parts
            .iter()
            .flat_map(|part| part.split(phrase.as_str()).map(str::to_owned))
            .collect();
    }
    let changed = parts.len() > 1;
    parts.retain(|part| !part.is_empty());
    changed.then_some(parts)
}

fn in_order(text: &str, parts: &[String]) -> bool {
    let mut rest = text;
    parts.iter().all(|part| match rest.find(part.as_str()) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

/// A refinement of which only some paragraphs were taken.
#[derive(Debug, Clone, PartialEq)]
pub struct InPart {
    /// The scenes.
    pub scenes: Vec<String>,
    /// Paragraphs that were taken.
    pub taken: usize,
    /// Paragraphs that were changed.
    pub changed: usize,
}

/// Takes the paragraphs of a refinement that keep the story, and leaves the rest as it was given.
#[must_use]
pub fn in_part(given: &[String], refined: &[String], kept: &Kept) -> InPart {
    let whole = given.join("\n\n");
    let after = refined.join("\n\n");
    let lines: Vec<&str> = whole
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let others: Vec<&str> = after
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let pairs = replaced_lines(&lines, &others);
    let mut budget = budget(&whole, kept.max_change);
    let mut chosen: BTreeMap<usize, &str> = BTreeMap::new();
    for (was, is) in &pairs {
        let (old, new) = (lines[*was], others[*is]);
        let distance = edit_distance(old, new);
        let small = change(old, new) <= MOST_OF_A_PARAGRAPH;
        if small && distance <= budget && lost_words(old, new, kept).is_empty() {
            budget -= distance;
            chosen.insert(*was, new);
        }
    }
    let scenes = rebuilt(given, &chosen);
    let changed = pairs.len().max(usize::from(whole != after));
    if lost(&whole, &scenes.join("\n\n"), kept).is_empty() {
        InPart {
            scenes,
            taken: chosen.len(),
            changed,
        }
    } else {
        InPart {
            scenes: given.to_vec(),
            taken: 0,
            changed,
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "text lengths are far below 2^52, and the share is between 0 and 1"
)]
fn budget(given: &str, max_change: f64) -> usize {
    (given.chars().count() as f64 * max_change).floor() as usize
}

/// The scenes with some of their lines replaced; lines are counted without empty ones.
fn rebuilt(given: &[String], chosen: &BTreeMap<usize, &str>) -> Vec<String> {
    let mut at = 0;
    let mut scenes = Vec::new();
    for scene in given {
        let mut lines = Vec::new();
        for line in scene.lines() {
            if line.trim().is_empty() {
                lines.push(line);
                continue;
            }
            lines.push(chosen.get(&at).copied().unwrap_or(line));
            at += 1;
        }
        scenes.push(lines.join("\n"));
    }
    scenes
}

/// What was lost, as problems of the refined text.
#[must_use]
pub fn problems(path: &RelPath, lost: &[Lost], max_change: f64) -> Vec<Problem> {
    let most = max_change * 100.0;
    lost.iter()
        .map(|lost| match lost {
            Lost::TooMuch(share) => {
                let percent = share * 100.0;
                Problem::new(
                    "refine_changed_too_much",
                    path,
                    message!(
                        en: "the refinement changes {percent:.1}% of the text it was given; at most {most:.0}% may change",
                        zh: "润色改动了原文的 {percent:.1}%，最多允许 {most:.0}%"
                    ),
                )
                .hint(message!(
                    en: "change words, not sentences; copy sound paragraphs word for word",
                    zh: "只改字词，不改句子；没有毛病的段落逐字照抄"
                ))
            }
            Lost::Name(name) => Problem::new(
                "name_lost",
                path,
                message!(
                    en: "the refinement loses or swaps the name `{name}`",
                    zh: "润色丢失或换掉了人名 `{name}`"
                ),
            ),
            Lost::Figure(figure) => Problem::new(
                "figure_lost",
                path,
                message!(
                    en: "the refinement loses the figure `{figure}`",
                    zh: "润色丢失了数字 `{figure}`"
                ),
            ),
            Lost::Utterance(said) => Problem::new(
                "utterance_changed",
                path,
                message!(
                    en: "the refinement changes or loses what is said: `{said}`",
                    zh: "润色改动或丢失了对白：`{said}`"
                ),
            )
            .hint(message!(
                en: "inside dialogue only blacklisted phrases may change",
                zh: "对白里只许改黑名单用语"
            )),
            Lost::Fact(sentence) => Problem::new(
                "fact_lost",
                path,
                message!(
                    en: "the refinement removes the sentence a recorded fact rests on: `{sentence}`",
                    zh: "润色删去了一条已登记事实所依据的句子：`{sentence}`"
                ),
            ),
        })
        .collect()
}

#[cfg(test)]
#[path = "refine_tests.rs"]
mod tests;
