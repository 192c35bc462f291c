//! Days as prose and time markers name them: a count of days, or a date of the year by its number or
//! its feast.

use std::ops::Range;

use novel_model::Lang;
use novel_text::parse_numeral;

use super::time::MONTHS;
use crate::ledger::number_word;

/// A day without its year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Date {
    /// The day of a count, and what is counted from: `第七天`, `day 22 of the Trial`.
    Count { of: String, day: u32 },
    /// Month and day.
    Calendar { month: u32, day: u32 },
}

/// Days of the year by name.
const FEASTS: &[(&str, u32, u32)] = &[
    ("元宵", 1, 15),
    ("上元", 1, 15),
    ("端午", 5, 5),
    ("七夕", 7, 7),
    ("中元", 7, 15),
    ("中秋", 8, 15),
    ("重阳", 9, 9),
    ("腊八", 12, 8),
    ("小年", 12, 23),
    ("除夕", 12, 30),
    ("christmas eve", 12, 24),
    ("christmas day", 12, 25),
    ("boxing day", 12, 26),
    ("new year's eve", 12, 31),
    ("halloween", 10, 31),
    ("michaelmas", 9, 29),
    ("candlemas", 2, 2),
    ("lady day", 3, 25),
    ("the eve of st john", 6, 23),
    ("st john's eve", 6, 23),
    ("midsummer eve", 6, 23),
    ("midsummer day", 6, 24),
];

impl Date {
    /// Days by which `self` is before `other`, where both are of one kind and near enough not to be of
    /// another year.
    pub(super) fn is_before(&self, other: &Self) -> bool {
        const SAME_YEAR: u32 = 100;
        match (self, other) {
            (
                Self::Count { of, day },
                Self::Count {
                    of: known,
                    day: last,
                },
            ) => {
                let same = of.is_empty()
                    || known.contains(of.as_str())
                    || of.contains(known) && !known.is_empty();
                same && day < last
            }
            (
                Self::Calendar { month, day },
                Self::Calendar {
                    month: last_month,
                    day: last,
                },
            ) => {
                let (mine, theirs) = (month * 30 + day, last_month * 30 + last);
                mine < theirs && theirs - mine <= SAME_YEAR
            }
            _ => false,
        }
    }

    /// The date some days earlier.
    pub(super) fn minus(&self, days: u32) -> Option<Self> {
        let Self::Calendar { month, day } = self else {
            return None;
        };
        let count = (month * 30 + day).checked_sub(days)?;
        (count > 30).then_some(Self::Calendar {
            month: (count - 1) / 30,
            day: (count - 1) % 30 + 1,
        })
    }
}

/// The day a time marker names.
pub(super) fn of_marker(marker: &str, lang: Lang) -> Option<Date> {
    let (date, _) = in_marker(marker, lang)?;
    Some(match date {
        Date::Count { of, day } => Date::Count {
            of: plain(&of),
            day,
        },
        date => date,
    })
}

/// The day a text names, where it says little else.
pub(super) fn alone(text: &str, lang: Lang) -> Option<Date> {
    const REST: usize = 4;
    let (date, range) = in_marker(text, lang)?;
    let rest = &text[range.end..];
    let long = match (&date, lang) {
        (Date::Count { .. }, Lang::En) => false,
        (_, Lang::En) => rest.split_whitespace().count() > REST,
        (_, Lang::Zh) => rest.chars().count() > REST,
    };
    if long { None } else { of_marker(text, lang) }
}

fn plain(of: &str) -> String {
    let mut of: String = of
        .chars()
        .filter(|char| char.is_alphanumeric() || *char == ' ')
        .collect();
    for word in ["之后", "以后", "后", "的", "of the ", "of ", "the "] {
        of = of.replace(word, "");
    }
    of.trim().to_lowercase()
}

/// The first day a text names, and where.
pub(super) fn find(text: &str, lang: Lang) -> Option<(Date, Range<usize>)> {
    match lang {
        Lang::Zh => find_zh(text),
        Lang::En => find_en(text, Months::Capital),
    }
}

/// The first day a time marker names, where a month may be written small.
fn in_marker(text: &str, lang: Lang) -> Option<(Date, Range<usize>)> {
    match lang {
        Lang::Zh => find_zh(text),
        Lang::En => find_en(text, Months::AnyCase),
    }
}

/// How a month is written: in prose `may` and `march` are also verbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Months {
    Capital,
    AnyCase,
}

fn is_number(char: char) -> bool {
    char.is_ascii_digit() || "一二三四五六七八九十廿卅百".contains(char)
}

fn number(text: &str) -> Option<(u32, usize)> {
    let end = text.find(|char| !is_number(char)).unwrap_or(text.len());
    let digits = text[..end].replace('廿', "二十").replace('卅', "三十");
    Some((parse_numeral(&digits)?, end)).filter(|_| end > 0)
}

fn find_zh(text: &str) -> Option<(Date, Range<usize>)> {
    // `八月初十`, `3月9日`, `腊月二十三`.
    for (at, _) in text.match_indices('月') {
        let front = &text[..at];
        let named = [("正", 1), ("腊", 12), ("冬", 11)]
            .iter()
            .find(|(name, _)| front.ends_with(name));
        let (month, start) = match named {
            Some((name, month)) => (*month, at - name.len()),
            None => {
                let start = front.trim_end_matches(is_number).len();
                match parse_numeral(&front[start..]) {
                    Some(month) if (1..=12).contains(&month) => (month, start),
                    _ => continue,
                }
            }
        };
        let rest = &text[at + '月'.len_utf8()..];
        let day = rest.strip_prefix('初').unwrap_or(rest);
        if let Some((day, end)) = number(day).filter(|(day, _)| (1..=31).contains(day)) {
            let end = text.len() - rest.len()
                + (rest.len() - rest.strip_prefix('初').unwrap_or(rest).len())
                + end;
            return Some((Date::Calendar { month, day }, start..end));
        }
    }
    // `进山第十天`.
    for (at, _) in text.match_indices('第') {
        let rest = &text[at + '第'.len_utf8()..];
        if let Some((day, end)) = number(rest)
            && rest[end..].starts_with(['天', '日', '夜', '晚'])
        {
            let end = at + '第'.len_utf8() + end + '天'.len_utf8();
            let of = text[..at].to_owned();
            return Some((Date::Count { of, day }, at..end));
        }
    }
    feast(text)
}

fn feast(text: &str) -> Option<(Date, Range<usize>)> {
    FEASTS
        .iter()
        .filter_map(|(name, month, day)| {
            let at = text.find(name)?;
            Some((
                Date::Calendar {
                    month: *month,
                    day: *day,
                },
                at..at + name.len(),
            ))
        })
        .min_by_key(|(_, range)| range.start)
}

const ORDINALS: [&str; 31] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty-first",
    "twenty-second",
    "twenty-third",
    "twenty-fourth",
    "twenty-fifth",
    "twenty-sixth",
    "twenty-seventh",
    "twenty-eighth",
    "twenty-ninth",
    "thirtieth",
    "thirty-first",
];

fn ordinal(word: &str) -> Option<u32> {
    if let Some(at) = ORDINALS.iter().position(|known| *known == word) {
        return u32::try_from(at + 1).ok();
    }
    let digits = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|end| word.strip_suffix(end))?;
    digits.parse().ok()
}

/// Words of an English text with their places.
fn words(text: &str) -> Vec<(usize, &str)> {
    let is_part = |char: char| char.is_alphanumeric() || char == '-' || char == '\'';
    let mut found = Vec::new();
    let mut start = None;
    for (at, char) in text.char_indices() {
        match (is_part(char), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push((from, &text[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        found.push((from, &text[from..]));
    }
    found
}

fn find_en(text: &str, months: Months) -> Option<(Date, Range<usize>)> {
    let lower = text.to_ascii_lowercase();
    let words = words(&lower);
    let word = |at: usize| words.get(at).map(|(_, word)| *word);
    for (at, (start, this)) in words.iter().enumerate() {
        let end_of = |at: usize| {
            words
                .get(at)
                .map_or(lower.len(), |(start, word)| start + word.len())
        };
        // `March 9`, `9 March`, `the ninth of March`.
        if let Some(month) = MONTHS.iter().position(|month| month == this) {
            let month = u32::try_from(month + 1).ok()?;
            let date = |word: Option<&str>| {
                let word = word?;
                word.parse()
                    .ok()
                    .or_else(|| ordinal(word))
                    .filter(|day| (1..=31).contains(day))
            };
            let capital =
                months == Months::AnyCase || text[*start..].starts_with(char::is_uppercase);
            let after = date(word(at + 1)).map(|day| (day, *start, end_of(at + 1)));
            let the = (word(at + 1) == Some("the"))
                .then(|| date(word(at + 2)))
                .flatten()
                .map(|day| (day, *start, end_of(at + 2)));
            let before = at.checked_sub(1).and_then(|back| {
                let of = words[back].1 == "of";
                let back = if of { back.checked_sub(1)? } else { back };
                Some((date(word(back))?, words[back].0, end_of(at)))
            });
            if let Some((day, start, end)) = after.or(the).or(before).filter(|_| capital) {
                return Some((Date::Calendar { month, day }, start..end));
            }
        }
        // `day six`, `Day 22 of the Trial`.
        let of = |at: usize| {
            let rest = &lower[end_of(at)..];
            let rest = rest.strip_prefix(" of ").unwrap_or_default();
            let end = rest
                .find([',', '.', ';', ':', ']', '!'])
                .unwrap_or(rest.len());
            plain(
                &rest[..end]
                    .split_whitespace()
                    .take(3)
                    .collect::<Vec<_>>()
                    .join(" "),
            )
        };
        if *this == "day"
            && let Some(day) = word(at + 1).and_then(number_word)
        {
            return Some((
                Date::Count {
                    of: of(at + 1),
                    day,
                },
                *start..end_of(at + 1),
            ));
        }
        if let Some(day) = ordinal(this)
            && matches!(
                word(at + 1),
                Some("day" | "morning" | "evening" | "night" | "afternoon")
            )
        {
            return Some((
                Date::Count {
                    of: of(at + 1),
                    day,
                },
                *start..end_of(at + 1),
            ));
        }
    }
    feast(&lower)
}
