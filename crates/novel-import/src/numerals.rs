//! Numbers in headings, in every spelling old and new novels use.

use novel_text::parse_numeral;

/// A Chinese or decimal number; `一百三` is 103 in a heading, as old novels count.
pub(crate) fn chinese(text: &str) -> Option<u32> {
    parse_numeral(text).or_else(|| {
        let (at, _) = text.char_indices().next_back()?;
        parse_numeral(&format!("{}零{}", &text[..at], &text[at..]))
    })
}

/// True for a character a number in a Chinese heading is made of.
pub(crate) fn is_chinese_part(char: char) -> bool {
    char.is_ascii_digit()
        || ('０'..='９').contains(&char)
        || "〇零○一二两兩三四五六七八九十百千万萬壹贰貳叁參肆伍陆陸柒捌玖拾佰仟廿卅卌壱"
            .contains(char)
}

/// A number as an English heading writes it: `12`, `XII`, `Twelve`, `the First`.
/// Returns it with what follows.
pub(crate) fn english(text: &str) -> Option<(u32, &str)> {
    let text = strip_word(text, "the").map_or(text, str::trim_start);
    let end = text
        .find(|char: char| !(char.is_ascii_alphanumeric() || char == '-'))
        .unwrap_or(text.len());
    let (word, rest) = (text[..end].trim_end_matches('-'), &text[end..]);
    // `Twenty One` is two words.
    if let (Some(tens), Some(tail)) = (spelled(word), rest.strip_prefix(' '))
        && tens >= 20
        && tens.is_multiple_of(10)
        && let Some((ones @ 1..10, rest)) = english(tail)
    {
        return Some((tens + ones, rest));
    }
    let number = word.parse::<u32>().ok();
    let number = number.or_else(|| roman(word)).or_else(|| spelled(word));
    Some((number.filter(|number| *number > 0)?, &text[word.len()..]))
}

fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len())?;
    let rest = &text[word.len()..];
    (head.eq_ignore_ascii_case(word) && rest.starts_with(' ')).then_some(rest)
}

/// A Roman number in its one right spelling, in capitals or in small letters.
pub(crate) fn roman(word: &str) -> Option<u32> {
    const PARTS: [(u32, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let capitals = word.to_ascii_uppercase();
    if word != capitals && word != word.to_ascii_lowercase() {
        return None;
    }
    let mut rest = capitals.as_str();
    let mut value = 0_u32;
    for (number, letters) in PARTS {
        while let Some(tail) = rest.strip_prefix(letters) {
            value += number;
            rest = tail;
            if value > 4000 {
                return None;
            }
        }
    }
    (rest.is_empty() && value > 0 && spell_roman(value, &PARTS) == capitals).then_some(value)
}

fn spell_roman(mut value: u32, parts: &[(u32, &str)]) -> String {
    let mut text = String::new();
    for (number, letters) in parts {
        while value >= *number {
            text.push_str(letters);
            value -= number;
        }
    }
    text
}

fn spelled(word: &str) -> Option<u32> {
    const ONES: [(&str, &str); 19] = [
        ("one", "first"),
        ("two", "second"),
        ("three", "third"),
        ("four", "fourth"),
        ("five", "fifth"),
        ("six", "sixth"),
        ("seven", "seventh"),
        ("eight", "eighth"),
        ("nine", "ninth"),
        ("ten", "tenth"),
        ("eleven", "eleventh"),
        ("twelve", "twelfth"),
        ("thirteen", "thirteenth"),
        ("fourteen", "fourteenth"),
        ("fifteen", "fifteenth"),
        ("sixteen", "sixteenth"),
        ("seventeen", "seventeenth"),
        ("eighteen", "eighteenth"),
        ("nineteen", "nineteenth"),
    ];
    const TENS: [(&str, &str); 8] = [
        ("twenty", "twentieth"),
        ("thirty", "thirtieth"),
        ("forty", "fortieth"),
        ("fifty", "fiftieth"),
        ("sixty", "sixtieth"),
        ("seventy", "seventieth"),
        ("eighty", "eightieth"),
        ("ninety", "ninetieth"),
    ];
    let word = word.to_ascii_lowercase();
    let is = |(cardinal, ordinal): &(&str, &str)| word == *cardinal || word == *ordinal;
    if let Some(at) = ONES.iter().position(is) {
        return u32::try_from(at + 1).ok();
    }
    if let Some(at) = TENS.iter().position(is) {
        return u32::try_from(10 * (at + 2)).ok();
    }
    let (tens, ones) = word.split_once('-')?;
    let (tens, ones) = (spelled(tens)?, spelled(ones)?);
    (tens >= 20 && tens.is_multiple_of(10) && ones < 10).then_some(tens + ones)
}

#[cfg(test)]
#[path = "numerals_tests.rs"]
mod tests;
