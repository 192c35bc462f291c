//! Time markers that can be put in order: `第三年冬`, `第十二天`, `永和九年三月初三`, `Year 3, Winter`.
//!
//! A marker with anything unclear in it has no order, and two markers are compared only where every
//! coarser unit is known for both. Seasons and months alone wrap around and prove nothing.

use std::cmp::Ordering;

use novel_text::parse_numeral;

/// A parsed marker.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Moment {
    /// What is left when the units are taken out: an era, an event. Only equal ones compare.
    anchor: String,
    year: Option<u32>,
    season: Option<u32>,
    month: Option<u32>,
    day: Option<u32>,
    /// Part of the day, from dawn to night.
    part: Option<u32>,
}

const RELATIVE: [&str; 14] = [
    "后", "前", "余", "多", "约", "近", "半", "闰", "later", "ago", "after", "before", "about",
    "past",
];
const PARTS_OF_DAY: [(&str, u32); 30] = [
    ("凌晨", 0),
    ("黎明", 1),
    ("拂晓", 1),
    ("清晨", 2),
    ("早晨", 2),
    ("早上", 2),
    ("上午", 3),
    ("中午", 4),
    ("正午", 4),
    ("午间", 4),
    ("下午", 5),
    ("傍晚", 6),
    ("黄昏", 6),
    ("入夜", 7),
    ("深夜", 8),
    ("子夜", 8),
    ("夜里", 8),
    ("夜晚", 8),
    ("晚上", 8),
    ("晨", 2),
    ("夜", 8),
    ("晚", 8),
    ("early morning", 2),
    ("afternoon", 5),
    ("morning", 2),
    ("noon", 4),
    ("evening", 6),
    ("dusk", 6),
    ("dawn", 1),
    ("midnight", 8),
];
const SEASONS: [(&str, u32); 9] = [
    ("春", 1),
    ("夏", 2),
    ("秋", 3),
    ("冬", 4),
    ("spring", 1),
    ("summer", 2),
    ("autumn", 3),
    ("fall", 3),
    ("winter", 4),
];
const SEASON_PARTS: [&str; 9] = ["初", "早", "仲", "暮", "晚", "深", "季", "early", "late"];
const NUMBERS_EN: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

impl Moment {
    /// Reads a marker; `None` when its order is not sure.
    pub(super) fn parse(marker: &str) -> Option<Self> {
        Self::read(marker).filter(|moment| {
            moment.year.is_some()
                || moment.month.is_none() && moment.season.is_none() && moment.day.is_some()
        })
    }

    /// Reads a marker that may lack its coarsest units: `腊月二十八`, `October 30`.
    pub(super) fn loose(marker: &str) -> Option<Self> {
        Self::read(marker)
    }

    fn read(marker: &str) -> Option<Self> {
        let mut text = marker.trim().to_lowercase();
        // `第 3 天 夜` and `第3天夜` are one marker.
        if !text.is_ascii() {
            text.retain(|char| !char.is_whitespace());
        }
        if let Some(moment) = iso(&text) {
            return Some(moment);
        }
        for (word, number) in [
            ("正月", "1月"),
            ("腊月", "12月"),
            ("冬月", "11月"),
            ("元年", "1年"),
            ("元月", "1月"),
        ] {
            text = text.replace(word, number);
        }
        let mut moment = Self::default();
        if text.is_ascii() {
            counted_en(&mut text);
            moment.month = month_en(&mut text, &mut moment.day);
        }
        for (word, number) in SEASONS {
            if text.contains(word) {
                if moment.season.replace(number).is_some() {
                    return None;
                }
                for part in SEASON_PARTS {
                    text = text
                        .replace(&format!("{part}{word}"), word)
                        .replace(&format!("{part} {word}"), word);
                    text = text.replace(&format!("{word}{part}"), word);
                }
                text = text.replacen(word, " ", 1);
            }
        }
        for (part, hour) in PARTS_OF_DAY {
            // `第三夜` counts nights; there the word is a unit.
            if text.contains(part) && !counts(&text, part) {
                moment.part = moment.part.or(Some(hour));
                text = text.replace(part, " ");
            }
        }
        moment.year = unit(&mut text, &["年"], &["year"])?;
        if moment.month.is_none() {
            moment.month = unit(&mut text, &["月"], &["month"])?;
        }
        if moment.day.is_none() {
            moment.day = match old_day(&mut text) {
                Some(day) => Some(day),
                None => unit(&mut text, &["日", "天", "夜", "号"], &["day", "night"])?,
            };
        }
        // `Day 3, night`: the night of that day.
        if moment.day.is_some() && text.is_ascii() && text.contains("night") {
            moment.part = moment.part.or(Some(8));
            text = text.replace("night", " ");
        }
        // `腊月二十八`: the number after a month is its day.
        if moment.day.is_none() && moment.month.is_some() {
            let bare: String = text.chars().filter(|char| char.is_alphanumeric()).collect();
            if let Some(day) = parse_numeral(&bare).filter(|day| (1..=31).contains(day)) {
                moment.day = Some(day);
                text.clear();
            }
        }
        // `1888, autumn`.
        if moment.year.is_none() {
            let bare: String = text.chars().filter(|char| char.is_alphanumeric()).collect();
            if (3..=4).contains(&bare.len()) && bare.bytes().all(|byte| byte.is_ascii_digit()) {
                moment.year = bare.parse().ok();
                text.clear();
            }
        }
        if RELATIVE.iter().any(|word| text.contains(word)) {
            return None;
        }
        text.retain(char::is_alphanumeric);
        for word in ["of", "the"] {
            text = text.replace(word, "");
        }
        let has_digits = text
            .chars()
            .any(|char| char.is_numeric() || parse_numeral(&char.to_string()).is_some());
        let known = moment.year.is_some() || moment.day.is_some();
        moment.anchor = text;
        (known && !has_digits).then_some(moment)
    }

    /// The order of two markers of one span: without a year, months and seasons must be the same.
    /// On one day the parts of the day decide.
    pub(super) fn order_in_unit(&self, other: &Self) -> Option<Ordering> {
        if self.year.is_none() && (self.month != other.month || self.season != other.season) {
            return None;
        }
        match (self.order(other)?, self.part, other.part) {
            (Ordering::Equal, Some(mine), Some(theirs)) if self.day.is_some() => {
                Some(mine.cmp(&theirs))
            }
            (order, ..) => Some(order),
        }
    }

    /// Whether both name the same units: a year alone is not as fine as a date.
    pub(super) fn has_units_of(&self, other: &Self) -> bool {
        let units = |moment: &Self| {
            (
                moment.year.is_some(),
                moment.season.is_some(),
                moment.month.is_some(),
                moment.day.is_some(),
            )
        };
        units(self) == units(other)
    }

    /// The year.
    pub(super) fn year(&self) -> Option<u32> {
        self.year
    }

    /// Days from the other marker to this one; `None` when that is not sure.
    pub(super) fn days_after(&self, other: &Self) -> Option<f64> {
        if self.anchor != other.anchor || self.season != other.season {
            return None;
        }
        let count = |moment: &Self| {
            let day = f64::from(moment.day?);
            let (year, month) = (moment.year.unwrap_or(0), moment.month.unwrap_or(0));
            Some(f64::from(year) * 360.0 + f64::from(month) * 30.0 + day)
        };
        let same_units = self.year.is_some() == other.year.is_some()
            && self.month.is_some() == other.month.is_some();
        same_units.then_some(())?;
        Some((count(self)? - count(other)?).max(0.0))
    }

    /// The order of two markers; `None` when it is not sure.
    pub(super) fn order(&self, other: &Self) -> Option<Ordering> {
        if self.anchor != other.anchor {
            return None;
        }
        let units = [
            (self.year, other.year),
            (self.season, other.season),
            (self.month, other.month),
            (self.day, other.day),
        ];
        let mut known = false;
        for (mine, theirs) in units {
            match (mine, theirs) {
                (Some(mine), Some(theirs)) if mine != theirs => return Some(mine.cmp(&theirs)),
                (Some(_), Some(_)) => known = true,
                (None, None) => {}
                _ => return None,
            }
        }
        known.then_some(Ordering::Equal)
    }
}

fn iso(text: &str) -> Option<Moment> {
    let mut parts = text.split('-');
    let mut number = || parts.next()?.parse::<u32>().ok();
    let (year, month, day) = (number()?, number()?, number()?);
    let whole = parts.next().is_none() && (1..=12).contains(&month) && (1..=31).contains(&day);
    whole.then_some(Moment {
        year: Some(year),
        month: Some(month),
        day: Some(day),
        ..Moment::default()
    })
}

/// Brings `the third winter` to `year 3 winter` and `the fifth day` to `day 5`.
fn counted_en(text: &mut String) {
    const ORDINALS: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth", "eleventh", "twelfth",
    ];
    const UNITS: [(&str, &str); 9] = [
        ("winter", "year # winter"),
        ("spring", "year # spring"),
        ("summer", "year # summer"),
        ("autumn", "year # autumn"),
        ("year", "year #"),
        ("day", "day #"),
        ("morning", "day # morning"),
        ("evening", "day # evening"),
        ("night", "day # night"),
    ];
    for (number, ordinal) in (1_u32..).zip(ORDINALS) {
        for (unit, form) in UNITS {
            let counted = format!("{ordinal} {unit}");
            if text.contains(&counted) {
                *text = text.replacen(&counted, &form.replace('#', &number.to_string()), 1);
                return;
            }
        }
    }
}

/// The months, as English texts name them, written small.
pub(super) const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Takes `October 30` or `30 October` out of the text: the month, and its day into `day`.
fn month_en(text: &mut String, day: &mut Option<u32>) -> Option<u32> {
    let words: Vec<String> = text
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let at = words
        .iter()
        .position(|word| MONTHS.contains(&word.as_str()))?;
    let month = MONTHS.iter().position(|month| *month == words[at])?;
    let date = |word: Option<&String>| {
        let word = word?;
        let digits = word.trim_end_matches(|char: char| char.is_alphabetic());
        digits
            .parse::<u32>()
            .ok()
            .filter(|day| (1..=31).contains(day))
    };
    let beside = if date(words.get(at + 1)).is_some() {
        Some(at + 1)
    } else {
        at.checked_sub(1)
            .filter(|before| date(words.get(*before)).is_some())
    };
    *day = beside.and_then(|index| date(words.get(index)));
    *text = words
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != at && Some(*index) != beside)
        .map(|(_, word)| word.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    u32::try_from(month + 1).ok()
}

/// Whether `第N` stands before the word.
fn counts(text: &str, word: &str) -> bool {
    text.find(word).is_some_and(|at| {
        let before = text[..at].trim_end_matches(is_number);
        before.len() < at && before.ends_with('第')
    })
}

fn is_number(char: char) -> bool {
    char.is_ascii_digit()
        || parse_numeral(&char.to_string()).is_some()
        || "十百千万廿卅".contains(char)
}

/// Takes `第N年` or `year N` out of the text. Outer `None`: there is one, but it cannot be read.
#[expect(
    clippy::option_option,
    reason = "absent and unreadable are different answers"
)]
fn unit(text: &mut String, chinese: &[&str], english: &[&str]) -> Option<Option<u32>> {
    for word in chinese {
        let Some(at) = text.find(word) else {
            continue;
        };
        let number_start = text[..at].trim_end_matches(is_number).len();
        let number = parse_numeral(&text[number_start..at])?;
        let start = text[..number_start]
            .strip_suffix('第')
            .map_or(number_start, str::len);
        // `三年` alone may be a span of time; a date has `第`, an era or four digits.
        if start == number_start && start == 0 && number < 100 && *word == "年" {
            return None;
        }
        text.replace_range(start..at + word.len(), " ");
        return Some(Some(number));
    }
    for word in english {
        let Some(at) = text.find(word) else {
            continue;
        };
        let rest = text[at + word.len()..].trim_start();
        let token_length = rest
            .find(|char: char| !char.is_alphanumeric())
            .unwrap_or(rest.len());
        let token = &rest[..token_length];
        let spelled = NUMBERS_EN.iter().position(|number| *number == token);
        let number = token
            .parse()
            .ok()
            .or_else(|| spelled.and_then(|number| u32::try_from(number).ok()))?;
        let end = text.len() - rest.len() + token_length;
        text.replace_range(at..end, " ");
        return Some(Some(number));
    }
    Some(None)
}

/// `初三` is the third of a month.
fn old_day(text: &mut String) -> Option<u32> {
    let at = text.find('初')?;
    let start = at + '初'.len_utf8();
    let rest = &text[start..];
    let length = rest.find(|char| !is_number(char)).unwrap_or(rest.len());
    let day = parse_numeral(&rest[..length]).filter(|day| (1..=10).contains(day))?;
    text.replace_range(at..start + length, " ");
    Some(day)
}

#[cfg(test)]
#[path = "time_tests.rs"]
mod tests;
