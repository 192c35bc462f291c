//! Reads a chapter of an imported book: names that recur, and sentences that show them.
//!
//! Nothing is read for its meaning. Who speaks or recurs under a name is a person, what people go to
//! under a name is a place; that a story is told to its end is known where its last line says so. Rules and
//! threads take a language model.

use std::collections::{BTreeMap, BTreeSet};

use novel_model::{
    Lang,
    files::{EndingRead, PersonRead, PlaceRead, ReadingAnswer, StoryEnd},
    to_json_text,
};
use novel_story::check::speakers_in;
use novel_text::{Locator, parse_chapter, sentences};

use crate::{OfflineError, plan::Task};

/// The form's own limits.
const MOST_PEOPLE: usize = 12;
const MOST_PLACES: usize = 8;
/// Times an English name stands inside a sentence before it is one.
const RECURS: usize = 3;

pub(crate) fn read(task: Task<'_>) -> Result<String, OfflineError> {
    let markdown = task.text("chapter_content")?;
    let text = parse_chapter(&markdown).scenes.join("\n\n");
    let lang = task.lang();
    let people = people(&text, lang);
    let is_person = |name: &str| people.iter().any(|(known, _)| known == name);
    let places: Vec<(String, usize)> = places(&text, lang)
        .into_iter()
        .filter(|(name, _)| !is_person(name))
        .collect();
    let shown = Shown::of(&text);
    let answer = ReadingAnswer {
        people: people
            .iter()
            .filter_map(|(name, _)| {
                Some(PersonRead {
                    evidence: shown.sentence_with(name)?,
                    name: name.clone(),
                    aliases: Vec::new(),
                    description: String::new(),
                    traits: Vec::new(),
                    relations: Vec::new(),
                })
            })
            .take(MOST_PEOPLE)
            .collect(),
        places: places
            .iter()
            .filter_map(|(name, _)| {
                Some(PlaceRead {
                    evidence: shown.sentence_with(name)?,
                    name: name.clone(),
                    aliases: Vec::new(),
                    inside: None,
                    description: String::new(),
                })
            })
            .take(MOST_PLACES)
            .collect(),
        ending: ending(&text)
            .filter(|_| task.packet.manifest.inline.get("last") == Some(&true.into())),
        ..ReadingAnswer::default()
    };
    Ok(to_json_text(&answer))
}

/// Words that close a book.
const CLOSING: [&str; 8] = [
    "the end",
    "finis",
    "全书完",
    "全文完",
    "全书终",
    "全剧终",
    "完",
    "终",
];

/// That the story is told to its end, where the last line of the text says so.
fn ending(text: &str) -> Option<EndingRead> {
    let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
    let bare = line.trim_matches(|char: char| !char.is_alphanumeric());
    let closes = CLOSING.contains(&bare.to_lowercase().as_str());
    closes.then(|| EndingRead {
        evidence: line.trim().to_owned(),
        story: StoryEnd::Finished,
    })
}

/// Sentences that can be quoted.
struct Shown<'a> {
    sentences: Vec<&'a str>,
}

impl<'a> Shown<'a> {
    fn of(text: &'a str) -> Self {
        let locator = Locator::new(text);
        let sentences = sentences(text).into_iter();
        Self {
            sentences: sentences.filter(|it| locator.contains(it)).collect(),
        }
    }

    fn sentence_with(&self, name: &str) -> Option<String> {
        let mut sentences = self.sentences.iter();
        let found = sentences.find(|sentence| sentence.contains(name))?;
        Some((*found).trim().to_owned())
    }
}

/// Names by how often they stand there, most first, then by place.
fn counted(names: impl IntoIterator<Item = String>, text: &str) -> Vec<(String, usize)> {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for name in names {
        let count = text.matches(name.as_str()).count();
        found.entry(name).or_insert(count);
    }
    let mut found: Vec<(String, usize)> = found.into_iter().collect();
    found.sort_by(|(a, many), (b, few)| {
        few.cmp(many)
            .then_with(|| text.find(a.as_str()).cmp(&text.find(b.as_str())))
    });
    found
}

fn people(text: &str, lang: Lang) -> Vec<(String, usize)> {
    let spoken = speakers_in(text, lang).into_iter();
    let mut names: Vec<String> = spoken.map(|place| text[place].to_owned()).collect();
    match lang {
        Lang::Zh => {
            names.extend(speakers_zh(text));
            names = bare_zh(&names, text);
        }
        Lang::En => {
            let found = proper_names(text).into_iter();
            let recurring = found.filter(|(name, times)| {
                times.inside >= RECURS && times.near * 2 <= times.inside && !is_word(name, text)
            });
            names.extend(recurring.map(|(name, _)| name));
        }
    }
    let mut found = counted(names, text);
    // `Elizabeth` beside `Elizabeth Bennet` is the same person.
    let all: Vec<String> = found.iter().map(|(name, _)| name.clone()).collect();
    if lang == Lang::En {
        found.retain(|(name, _)| {
            let is_part =
                |longer: &String| longer != name && longer.split(' ').any(|it| it == name);
            !all.iter().any(is_part)
        });
    }
    found
}

/// Words that stand between a name and what is said, and are no part of the name.
const AFTER_NAMES_ZH: &str = "听谏见闻大亦又乃遂便应喜惊视谓";
/// Words that stand before whom one speaks to.
const BEFORE_NAMES_ZH: &str = "告谓报劝问请";
/// What anybody is called.
const ANYBODY_ZH: [&str; 10] = [
    "老人", "使者", "来人", "左右", "夫人", "小卒", "门吏", "太后", "天子", "老者",
];

/// Names without the word before or after them; `吕布听` is `吕布`, and nobody is called `告布`.
fn bare_zh(names: &[String], text: &str) -> Vec<String> {
    let count = |name: &str| text.matches(name).count();
    let mut bare = Vec::new();
    for name in names {
        let letters: Vec<char> = name.chars().collect();
        let (first, last) = (letters.first(), letters.last());
        let is = |letter: Option<&char>, words: &str| letter.is_some_and(|it| words.contains(*it));
        let short: String = letters[..letters.len().saturating_sub(1)].iter().collect();
        let rest = |skip: usize| letters.iter().skip(skip).collect::<String>();
        let longer = (1..=2)
            .map(rest)
            .find(|rest| rest.chars().count() >= 2 && rest != name && names.contains(rest));
        if ANYBODY_ZH.contains(&name.as_str()) || is(last, "者") || is(first, BEFORE_NAMES_ZH) {
            continue;
        }
        let is_name = letters.len() > 2 && is(last, AFTER_NAMES_ZH) && count(&short) > count(name);
        bare.push(match (is_name, longer) {
            (true, _) => short,
            (false, Some(rest)) => rest,
            (false, None) => name.clone(),
        });
    }
    bare
}

const SPEECH_ZH: [&str; 13] = [
    "大笑曰",
    "笑道",
    "问道",
    "答道",
    "喝道",
    "叫道",
    "叹道",
    "说道",
    "笑曰",
    "问曰",
    "大喜曰",
    "曰",
    "道",
];
/// What no name holds.
const NOT_IN_NAMES_ZH: &str = "呼令士汉卒入出帝后某等的了着是在不这那他她它我你们也就都又还很才便却则只已正再将把被给对向从和与跟同声笑说问答道曰喝叫喊骂叹哼怒急忙之其此该众皆乃而因遂即有无一二三四五六七八九十，。！？；：、“”‘’《》…—　 \n";

/// Two to four characters between the start of a clause and a word of speech with a colon behind it,
/// twice or more.
fn speakers_zh(text: &str) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (colon, _) in text.match_indices(['：', ':']) {
        let before = &text[..colon];
        let verb = SPEECH_ZH.iter().find(|verb| before.ends_with(**verb));
        let Some(before) = verb.and_then(|verb| before.strip_suffix(verb)) else {
            continue;
        };
        let name: Vec<char> = before
            .chars()
            .rev()
            .take_while(|char| is_han(*char) && !NOT_IN_NAMES_ZH.contains(*char))
            .take(5)
            .collect();
        let after_name = before.chars().rev().nth(name.len());
        let is_clause = after_name.is_none_or(|char| !is_han(char));
        if (2..=4).contains(&name.len()) && is_clause {
            *counts.entry(name.into_iter().rev().collect()).or_default() += 1;
        }
    }
    let recurring = counts.into_iter().filter(|(_, count)| *count >= 2);
    recurring.map(|(name, _)| name).collect()
}

fn is_han(char: char) -> bool {
    ('\u{4E00}'..='\u{9FFF}').contains(&char)
}

/// What a Chinese place ends with.
const PLACES_ZH: &str = "城镇村州郡县府寺观庙庄寨关岭谷峰岛湖宫殿楼阁馆港桥街巷山";
/// What stands before a place people go to.
const TO_ZH: [&str; 9] = [
    "来到", "回到", "前往", "到了", "赶往", "离开", "进了", "奔", "至",
];

/// Words before an English place.
const TO_EN: [&str; 7] = ["in", "at", "from", "near", "into", "through", "towards"];
/// Ends with a full stop and yet not with a sentence.
const TITLES_EN: [&str; 4] = ["Mr.", "Mrs.", "Dr.", "St."];
/// Capitalised words that name nobody and no place.
const NOT_NAMES_EN: &[&str] = &[
    "I",
    "Mr",
    "Mrs",
    "Miss",
    "Ms",
    "Dr",
    "Sir",
    "Lady",
    "Lord",
    "Madam",
    "God",
    "Heaven",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
    "Christmas",
    "Easter",
    "English",
    "French",
    "German",
    "American",
    "Chapter",
    "Oh",
    "Yes",
    "No",
];

fn places(text: &str, lang: Lang) -> Vec<(String, usize)> {
    let names: Vec<String> = match lang {
        Lang::Zh => places_zh(text),
        Lang::En => {
            let found = proper_names(text).into_iter();
            let places = found.filter(|(name, times)| {
                times.at >= 2 && times.near * 2 >= times.inside && !is_word(name, text)
            });
            places.map(|(name, _)| name).collect()
        }
    };
    counted(names, text)
}

fn places_zh(text: &str) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for word in TO_ZH {
        for (at, _) in text.match_indices(word) {
            let rest: Vec<char> = text[at + word.len()..].chars().take(4).collect();
            let run = rest
                .iter()
                .take_while(|char| is_han(**char) && !NOT_IN_NAMES_ZH.contains(**char))
                .count();
            let end = (1..run).rev().find(|at| PLACES_ZH.contains(rest[*at]));
            if let Some(end) = end {
                *counts.entry(rest[..=end].iter().collect()).or_default() += 1;
            }
        }
    }
    let named = counts.into_iter();
    // One journey may be an accident of two words.
    let named =
        named.filter(|(name, times)| *times >= 2 || text.matches(name.as_str()).count() >= 3);
    named.map(|(name, _)| name).collect()
}

/// How often a name stands inside a sentence.
#[derive(Debug, Clone, Copy, Default)]
struct Times {
    /// In all.
    inside: usize,
    /// Behind a word that leads to a place.
    at: usize,
    /// Behind such a word, `to` or `of`.
    near: usize,
}

/// Whether a sentence, or what is said in it, begins with the word at a place.
fn begins(words: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| words[before]);
    words[at].starts_with(['"', '“', '‘', '\''])
        || before.is_none_or(|before| {
            before.ends_with(['.', '!', '?', '-', '—', ';', ':']) && !TITLES_EN.contains(&before)
        })
}

/// Runs of capitalised words: those inside a sentence, and those at its beginning whose first word is also
/// capitalised inside another sentence.
fn proper_names(text: &str) -> BTreeMap<String, Times> {
    let sentences: Vec<Vec<&str>> = sentences(text)
        .into_iter()
        .map(|sentence| sentence.split_whitespace().collect())
        .collect();
    let is_inside = |words: &Vec<&str>, at: usize| !begins(words, at) && is_proper(words[at]);
    let known: BTreeSet<&str> = sentences
        .iter()
        .flat_map(|words| {
            let inside = (0..words.len()).filter(|at| is_inside(words, *at));
            inside.map(|at| bare(words[at]))
        })
        .collect();
    let mut found: BTreeMap<String, Times> = BTreeMap::new();
    for words in &sentences {
        let mut at = 0;
        while at < words.len() {
            let run = words[at..].iter().take_while(|word| is_proper(word));
            let run = run.count().min(3);
            if run == 0 {
                at += 1;
                continue;
            }
            // A comma or a possessive ends a name.
            let length = (0..run)
                .find(|next| !words[at + next].ends_with(char::is_alphabetic))
                .map_or(run, |end| end + 1);
            let name = words[at..at + length].iter().map(|word| bare(word));
            let name = name.collect::<Vec<_>>().join(" ");
            let begins = begins(words, at);
            if begins && !known.contains(bare(words[at])) {
                at += 1;
                continue;
            }
            let is_name = !begins || length > 1;
            if is_name && name.chars().count() > 2 {
                let before = if begins { "" } else { words[at - 1] };
                let times = found.entry(name).or_default();
                times.inside += 1;
                times.at += usize::from(TO_EN.contains(&before));
                times.near += usize::from(TO_EN.contains(&before))
                    + usize::from(matches!(before, "of" | "to"));
            }
            at += length;
        }
    }
    found
}

/// Whether a single word is written small elsewhere: a title, the beginning of a sentence.
fn is_word(name: &str, text: &str) -> bool {
    let small = name.to_lowercase();
    let is_letter = |char: char| char.is_alphabetic();
    !name.contains(' ')
        && text.match_indices(&small).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + small.len()..]);
            !before.ends_with(is_letter) && !after.starts_with(is_letter)
        })
}

fn bare(word: &str) -> &str {
    let word = word.trim_matches(|char: char| !char.is_alphabetic());
    let word = word
        .strip_suffix("'s")
        .or_else(|| word.strip_suffix("’s"))
        .unwrap_or(word);
    word.trim_matches(|char: char| !char.is_alphabetic())
}

fn is_proper(word: &str) -> bool {
    let bare = bare(word);
    let mut letters = bare.chars();
    let first = letters.next().is_some_and(char::is_uppercase);
    first
        && letters.any(char::is_lowercase)
        && bare
            .chars()
            .all(|char| char.is_alphabetic() || "'’-".contains(char))
        && !NOT_NAMES_EN.contains(&bare)
        && !["I'", "I’"].iter().any(|word| bare.starts_with(word))
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
