//! Ages in English: `a woman of fifty`, `in her late sixties`, `had turned forty`.

use std::ops::RangeInclusive;

use crate::ledger::{number_word, read_age};

/// Nouns of a person.
const PERSONS_EN: [&str; 12] = [
    "man",
    "woman",
    "boy",
    "girl",
    "lad",
    "youth",
    "child",
    "widow",
    "widower",
    "lady",
    "gentleman",
    "lass",
];

pub(super) fn told(before: &str, after: &str) -> Option<RangeInclusive<u32>> {
    let plain = |text: &str| -> String { text.to_lowercase().replace('’', "'") };
    let (before, after) = (plain(before), plain(after));
    let front = before.trim();
    let exact = |age: u32| Some(age..=age);
    // `nineteen-year-old Mara`, `Aged nineteen, Mara`, `At twenty-one, Osric`.
    if let Some(text) = front.strip_suffix("-year-old") {
        return exact(read_age(text.rsplit(' ').next()?)?);
    }
    let lead = [
        "at the age of ",
        "at only ",
        "at just ",
        "at barely ",
        "at ",
        "aged ",
        "now ",
        "barely ",
        "only ",
    ]
    .iter()
    .find_map(|lead| front.strip_prefix(lead));
    if let Some(age) = lead
        .map(|rest| rest.strip_suffix(',').unwrap_or(rest))
        .map(|rest| {
            rest.trim_end_matches(" years old")
                .trim_end_matches(" years of age")
        })
        .filter(|rest| !rest.contains(' '))
    {
        return exact(number_word(age).filter(|age| *age > 12)?);
    }
    // `A woman of fifty, Mara`.
    if let Some(rest) = front
        .strip_suffix(',')
        .and_then(|front| front.split_once(" of "))
        && rest
            .0
            .split(' ')
            .next_back()
            .is_some_and(|noun| PERSONS_EN.contains(&noun))
    {
        return exact(number_word(rest.1)?);
    }
    // `It was Tessa's fiftieth birthday`.
    if ["it was", "today was", "today is", "this was", "it is"].contains(&front)
        && let Some(birthday) = after.strip_prefix("'s ")
        && let Some((ordinal, _)) = birthday.split_once(" birthday")
    {
        return exact(ordinal_word(ordinal)?);
    }
    // `When Osric turned twenty-one he would`: another time.
    let last = front.rsplit(' ').next().unwrap_or_default();
    if matches!(
        last,
        "when" | "if" | "until" | "till" | "after" | "before" | "since" | "once" | "by" | "though"
    ) || after.contains(" would ")
    {
        return None;
    }
    let rest = after.trim_start();
    // `, a woman of fifty-two,`, `, who was fifteen,`, `, aged nineteen,`, `, a nineteen-year-old`.
    if let Some(aside) = rest.strip_prefix(',') {
        let aside = aside.trim_start();
        let first = aside.split(',').next()?.trim();
        let first = [
            "who was ", "who is ", "now ", "aged ", "at ", "just ", "only ", "barely ", "a ",
            "an ", "already ",
        ]
        .iter()
        .fold(first, |text, lead| text.strip_prefix(lead).unwrap_or(text));
        if let Some(ages) = decade(first) {
            return Some(ages);
        }
        if let Some((age, _)) = first.split_once(" and ")
            && let Some(age) = number_word(age).filter(|age| *age > 12)
        {
            return exact(age);
        }
        if let Some((years, _)) = first.split_once("-year-old") {
            return exact(number_word(years.rsplit(' ').next()?)?);
        }
        if let Some((who, age)) = first.split_once(" of ")
            && who
                .split(' ')
                .next_back()
                .is_some_and(|noun| PERSONS_EN.contains(&noun))
        {
            return exact(number_word(age.split(' ').next()?)?);
        }
        let age = first
            .trim_end_matches(" years old")
            .trim_end_matches(" now")
            .trim_end_matches(" years of age");
        if age.contains(' ') || !aside.contains(',') && !aside.ends_with('.') {
            return None;
        }
        return exact(read_age(age).filter(|age| *age > 4)?);
    }
    // `was only nineteen`, `had just turned forty`, `was in her fifties`, `was a man of sixty`.
    let rest = [
        "was ",
        "is ",
        "had just turned ",
        "had turned ",
        "has just turned ",
        "had recently turned ",
        "turned ",
        "would be ",
    ]
    .iter()
    .find_map(|is| Some((*is, rest.strip_prefix(is)?)))
    .filter(|(is, _)| *is != "would be ")?;
    let (is, mut rest) = rest;
    for lead in [
        "now ",
        "only ",
        "just ",
        "barely ",
        "already ",
        "all of ",
        "a mere ",
        "still only ",
        "still ",
        "not yet ",
        "well past ",
        "past ",
        "over ",
        "nearly ",
        "almost ",
    ] {
        if let Some(next) = rest.strip_prefix(lead) {
            let age = number_word(next.split([' ', ',', '.', ';']).next()?);
            match (lead, age) {
                ("well past " | "past " | "over ", Some(age)) => return Some(age..=age + 15),
                ("not yet " | "nearly " | "almost ", Some(age)) => {
                    return Some(age.saturating_sub(4)..=age);
                }
                _ => rest = next,
            }
        }
    }
    if let Some(ages) = decade(rest) {
        return Some(ages);
    }
    const NAMED: [(&str, u32, u32); 6] = [
        ("an octogenarian", 80, 89),
        ("a septuagenarian", 70, 79),
        ("a nonagenarian", 90, 99),
        ("a sexagenarian", 60, 69),
        ("a teenager", 13, 19),
        ("a toddler", 1, 3),
    ];
    if let Some((_, low, high)) = NAMED.iter().find(|(name, ..)| {
        rest.strip_prefix(name).is_some_and(|tail| {
            !tail.starts_with(|char: char| char.is_alphanumeric() || char == '\'')
        })
    }) {
        return Some(*low..=*high);
    }
    if let Some((who, age)) = rest
        .strip_prefix("a ")
        .and_then(|rest| rest.split_once(" of "))
        && who.split(' ').count() <= 4
        && who
            .split(' ')
            .next_back()
            .is_some_and(|noun| PERSONS_EN.contains(&noun))
    {
        return exact(number_word(age.split([' ', ',', '.', ';']).next()?)?);
    }
    if let Some(years) = rest
        .strip_prefix("a ")
        .and_then(|rest| rest.split_once("-year-old"))
    {
        return exact(number_word(years.0)?);
    }
    let word = rest.split([' ', ',', '.', ';']).next()?;
    let tail = rest[word.len()..].trim_start();
    let is_age = tail.starts_with("years old")
        || tail.starts_with("years of age")
        || tail.is_empty()
        || tail.starts_with(['.', ';'])
        || tail.starts_with("now")
        || tail.starts_with("that ")
        || tail.starts_with("this ")
        || tail.starts_with("last ")
        || tail.starts_with(", and ")
        || is.contains("turned");
    // `was two of them`, `was one`: small numbers are seldom ages.
    exact(number_word(word).filter(|age| is_age && (*age > 4 || tail.starts_with("years")))?)
}

/// `in her late sixties`, `in his early forties`.
pub(super) fn decade(text: &str) -> Option<RangeInclusive<u32>> {
    let text = text.strip_prefix("in ").unwrap_or(text);
    let text = ["his ", "her ", "their ", "the "]
        .iter()
        .find_map(|owner| text.strip_prefix(owner))
        .unwrap_or(text);
    let (text, from, to) = [
        ("early ", 0, 4),
        ("mid ", 3, 7),
        ("mid-", 3, 7),
        ("middle ", 3, 7),
        ("late ", 5, 10),
    ]
    .iter()
    .find_map(|(part, from, to)| Some((text.strip_prefix(part)?, *from, *to)))
    .unwrap_or((text, 0, 10));
    let word = text.split([' ', ',', '.', ';']).next()?;
    if word == "teens" {
        return Some(12..=20);
    }
    let tens = number_word(&format!("{}ty", word.strip_suffix("ties")?))?;
    Some((tens + from).saturating_sub(1)..=tens + to)
}

/// `fiftieth`, `twenty-first`, `30th`.
fn ordinal_word(word: &str) -> Option<u32> {
    if let Some(number) = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|end| word.strip_suffix(end)?.parse().ok())
    {
        return Some(number);
    }
    let (tens, last) = word
        .rsplit_once('-')
        .map_or(("", word), |(tens, last)| (tens, last));
    let ones = match last {
        "first" => 1,
        "second" => 2,
        "third" => 3,
        "fifth" => 5,
        "eighth" => 8,
        "ninth" => 9,
        "twelfth" => 12,
        _ => match last.strip_suffix("ieth") {
            Some(stem) => number_word(&format!("{stem}y"))?,
            None => number_word(last.strip_suffix("th")?)?,
        },
    };
    Some(if tens.is_empty() {
        ones
    } else {
        number_word(tens)? + ones
    })
}
