//! English sentences that break a law.

use super::{
    en::stem,
    en_words as words,
    law::{Law, Limit},
};
use crate::ledger::number_word;

/// Words of a text with where they stand.
fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|char: char| !(char.is_alphanumeric() || char == '\'' || char == '-'))
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

fn stands(text: &str, word: &str) -> bool {
    if word.contains(' ') {
        return text.contains(word);
    }
    words_of(text).any(|(_, known)| known == word || stem(known) == word)
}

/// Whether the event comes about in a sentence of the narrator.
pub(super) fn comes_about(law: &Law, text: &str, before: &str) -> bool {
    let text = text.replace('’', "'");
    if words_of(&text).any(|(_, word)| words::EXCUSED.contains(&word))
        || text.trim_end().ends_with('?')
    {
        return false;
    }
    let here = |list: &Vec<String>| list.iter().any(|word| stands(&text, word));
    let near = |list: &Vec<String>| here(list) || list.iter().any(|word| stands(before, word));
    if !law.objects.iter().all(here) || !law.conditions.iter().all(near) {
        return false;
    }
    let happens = law.verbs.iter().any(|verb| {
        text.match_indices(verb.as_str()).any(|(at, _)| {
            let alone = !text[..at].ends_with(char::is_alphanumeric)
                && !text[at + verb.len()..].starts_with(char::is_alphanumeric);
            let clause = text[..at]
                .rfind([',', ';', ':', '—'])
                .map_or(0, |end| end + 1);
            let denied = words_of(text.get(clause..at).unwrap_or_default())
                .any(|(_, word)| words::DENIED.contains(&word) || word.ends_with("n't"));
            alone && !denied
        })
    });
    happens
        && (law.without.is_empty() || is_denied(law, &text) || is_denied(law, before))
        && law
            .limit
            .is_none_or(|limit| exceeds(law, limit, &text, before))
}

/// Whether a word names what the law is about.
fn law_object(law: &Law, word: &str) -> bool {
    law.objects
        .iter()
        .flatten()
        .any(|object| object == word || stem(word) == *object)
}

fn is_denied(law: &Law, text: &str) -> bool {
    text.split([',', ';', '.', ':', '—']).any(|clause| {
        law.without.iter().any(|need| stands(clause, need))
            && words_of(clause).any(|(_, word)| {
                matches!(word, "without" | "no" | "not" | "never" | "neither" | "nor")
                    || word.ends_with("n't")
            })
    })
}

fn exceeds(law: &Law, limit: Limit, text: &str, before: &str) -> bool {
    const ORDINALS: [&str; 11] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth", "eleventh",
    ];
    const SAME_DAY: [&str; 11] = [
        "that day",
        "the same day",
        "today",
        "again",
        "already",
        "that morning",
        "in one day",
        "in a day",
        "that night",
        "since dawn",
        "of the day",
    ];
    let all: Vec<&str> = words_of(text).map(|(_, word)| word).collect();
    let count = all.windows(2).find_map(|pair| {
        // `her second spell of the day`.
        if pair[1] == "time" || limit.daily && law_object(law, pair[1]) {
            let at = ORDINALS.iter().position(|ordinal| *ordinal == pair[0])?;
            return u32::try_from(at + 1).ok();
        }
        (pair[1] == "times").then(|| number_word(pair[0])).flatten()
    });
    let count = count.or_else(|| all.contains(&"twice").then_some(2));
    count.is_some_and(|count| count > limit.most)
        && (!limit.daily
            || SAME_DAY
                .iter()
                .any(|word| text.contains(word) || before.contains(word)))
}

/// Whether the sentence itself says that who acts is of a class: `Silas, a vampire`.
pub(super) fn called(text: &str, name: &str, class: &str) -> bool {
    const NEAR: usize = 8;
    let Some(at) = text.find(name) else {
        return false;
    };
    let (front, rest) = (text[..at].trim_end(), &text[at + name.len()..]);
    if front.ends_with(class) {
        return true;
    }
    let Some(aside) = rest
        .strip_prefix(", ")
        .or_else(|| rest.strip_prefix(" was "))
        .or_else(|| rest.strip_prefix(" is "))
    else {
        return false;
    };
    let begins = [
        "a ", "an ", "the ", "still ", "only ", "being ", "himself ", "herself ",
    ]
    .iter()
    .any(|article| aside.starts_with(article));
    let head: Vec<&str> = words_of(aside).map(|(_, word)| word).take(NEAR).collect();
    begins && !head.contains(&"not") && head.join(" ").contains(class)
}

/// Whether a value of the record says that somebody is of a class.
pub(super) fn is_one_of(value: &str, class: &str) -> bool {
    let female = ["woman", "female", "girl", "lady"];
    let male = ["man", "male", "boy"];
    if female.contains(&class) && female.contains(&value)
        || male.contains(&class) && male.contains(&value)
    {
        return true;
    }
    let all: Vec<String> = words_of(value).map(|(_, word)| stem(word)).collect();
    let other = words_of(value)
        .next()
        .is_some_and(|(_, word)| matches!(word, "not" | "former" | "ex" | "once" | "no"));
    !other && words_of(class).all(|(_, word)| all.contains(&stem(word)))
}
