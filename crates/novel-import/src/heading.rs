//! What a line says when it is a heading: volume, chapter, or one of the parts around them.
//!
//! A heading stands on a line of its own. Running text that mentions a chapter goes on after it:
//! with a verb, a comma, a full stop, a small letter.

use crate::{lines::trimmed, numerals};

/// Longest heading, in characters.
const LONGEST: usize = 80;
/// Longest title after a separator, in characters.
const LONGEST_TITLE: usize = 60;
/// Longest title that follows its number at once.
const LONGEST_JOINED: usize = 24;

/// What else a chapter is called in English books.
const UNITS: [&str; 9] = [
    "adventure",
    "stave",
    "letter",
    "tale",
    "story",
    "episode",
    "canto",
    "case",
    "fit",
];

/// What a heading is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Volume,
    Chapter,
    /// Prologue, epilogue and their like.
    Special,
    /// A part of a chapter, unless nothing larger is there.
    Section,
}

/// A line read as a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) part: Part,
    pub(crate) number: Option<u32>,
    pub(crate) title: String,
    /// The volume that stands before the chapter on the same line: its heading and its title.
    pub(crate) volume: Option<(String, String)>,
}

/// Reads a line as a heading.
pub(crate) fn classify(line: &str) -> Option<Found> {
    let text = undecorated(line);
    if text.is_empty() || text.chars().count() > LONGEST {
        return None;
    }
    chinese(text)
        .or_else(|| special(text))
        .or_else(|| english(text))
        .or_else(|| roman(text))
}

/// Whether a line is the heading of a table of contents.
pub(crate) fn is_contents(line: &str) -> bool {
    let bare: String = undecorated(line)
        .chars()
        .filter(|char| !char.is_whitespace())
        .collect();
    [
        "目录",
        "目錄",
        "目次",
        "章节目录",
        "Contents",
        "CONTENTS",
        "TableofContents",
        "TABLEOFCONTENTS",
    ]
    .contains(&bare.trim_end_matches([':', '：', '.']))
}

/// Without what people draw around headings.
fn undecorated(line: &str) -> &str {
    let drawn = |char: char| char.is_whitespace() || "#=*~—─-_".contains(char);
    let text = trimmed(line).trim_matches(drawn);
    let inner = [('【', '】'), ('〖', '〗'), ('[', ']'), ('《', '》')]
        .iter()
        .find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close))
        .filter(|inner| !inner.contains(['】', '〗', ']', '》']));
    let text = inner.unwrap_or(text).trim_matches(drawn);
    match text.strip_prefix("正文") {
        Some(rest)
            if rest.starts_with(|char: char| char.is_whitespace() || "第:：".contains(char)) =>
        {
            rest.trim_start_matches(|char: char| char.is_whitespace() || ":：".contains(char))
        }
        _ => text,
    }
}

/// `第十二章 夜雨`, `第12回`, `第一卷 风起`, `第一卷 风起 第一章 夜雨`.
fn chinese(text: &str) -> Option<Found> {
    let rest = text.strip_prefix('第')?.trim_start();
    let end = rest.find(|char| !numerals::is_chinese_part(char))?;
    if end == 0 {
        return None;
    }
    let number = numerals::chinese(&rest[..end]);
    let rest = rest[end..].trim_start();
    let unit = rest.chars().next()?;
    let part = match unit {
        '章' | '回' | '话' | '話' => Part::Chapter,
        '卷' | '部' | '集' | '篇' | '册' | '冊' | '编' | '編' => Part::Volume,
        '节' | '節' | '幕' | '折' => Part::Section,
        _ => return None,
    };
    let after = &rest[unit.len_utf8()..];
    let found = |part, title: &str| Found {
        part,
        number,
        title: title.to_owned(),
        volume: None,
    };
    if after.is_empty() {
        return Some(found(part, ""));
    }
    let separated = after.starts_with(is_separator);
    if part == Part::Volume
        && let Some(both) = chapter_in_volume(text, after)
    {
        return Some(both);
    }
    let title = trimmed(after.trim_start_matches(is_separator));
    let plausible = if separated {
        is_title(title)
    } else {
        is_joined_title(unit, title)
    };
    plausible.then(|| found(part, title))
}

/// `第一卷 风起 第一章 夜雨`: the volume's heading is everything before the chapter's.
fn chapter_in_volume(text: &str, after: &str) -> Option<Found> {
    let (at, _) = after
        .match_indices('第')
        .find(|(at, _)| *at == 0 || after[..*at].ends_with(is_separator))?;
    let chapter = chinese(&after[at..]).filter(|found| found.part == Part::Chapter)?;
    let title = trimmed(after[..at].trim_matches(is_separator));
    let heading = trimmed(&text[..text.len() - after.len() + at]);
    is_title(title).then(|| Found {
        volume: Some((heading.to_owned(), title.to_owned())),
        ..chapter
    })
}

fn is_separator(char: char) -> bool {
    char.is_whitespace() || ":：、.．·-—–_～~【（(《「『“".contains(char)
}

/// What may stand after a separator: short, no sentence, no further chapter.
fn is_title(title: &str) -> bool {
    title.chars().count() <= LONGEST_TITLE
        && !title.contains('。')
        && !title.ends_with(['，', ',', '、', '：', ':', '；', ';'])
        && title.matches(['，', ',']).count() <= 2
        && !mentions_chapter(title)
}

/// What may follow the number at once: shorter, and no punctuation at all.
fn is_joined_title(unit: char, title: &str) -> bool {
    // `第一回合`, `第二节课`, `第三卷轴`: the unit is part of a word.
    let is_word = match unit {
        '章' => title.starts_with(['里', '的', '中', '说', '讲', '是', '和', '与', '到', '至']),
        '回' => {
            title.starts_with(['合', '的', '里', '中', '是', '来', '去'])
                || title.chars().count() < 4
        }
        _ => true,
    };
    !is_word
        && title.chars().count() <= LONGEST_JOINED
        && !title.contains(|char: char| "，。；：！？、…“”‘’,.;:!?\"".contains(char))
        && !mentions_chapter(title)
}

fn mentions_chapter(title: &str) -> bool {
    title.match_indices('第').any(|(at, word)| {
        let rest = &title[at + word.len()..];
        let number = rest.trim_start_matches(numerals::is_chinese_part);
        number.len() < rest.len() && number.starts_with(['章', '回'])
    })
}

/// `楔子`, `序章 雨夜`, `番外一`, `尾声`, `Prologue`, `Epilogue: Home`.
fn special(text: &str) -> Option<Found> {
    const CHINESE: [&str; 22] = [
        "楔子",
        "序章",
        "序言",
        "序幕",
        "序曲",
        "前言",
        "引子",
        "引言",
        "自序",
        "代序",
        "尾声",
        "终章",
        "终曲",
        "后记",
        "後記",
        "完本感言",
        "大结局",
        "番外篇",
        "番外",
        "外传",
        "跋",
        "序",
    ];
    const ENGLISH: [&str; 10] = [
        "prologue",
        "preface",
        "foreword",
        "introduction",
        "epilogue",
        "afterword",
        "interlude",
        "postscript",
        "appendix",
        "coda",
    ];
    let found = |title: &str| Found {
        part: Part::Special,
        number: None,
        title: title.to_owned(),
        volume: None,
    };
    if let Some((word, rest)) = CHINESE
        .iter()
        .find_map(|word| Some((word, text.strip_prefix(word)?)))
    {
        let numbered = word.starts_with("番外") || *word == "外传";
        let rest_of_number = rest.trim_start_matches(numerals::is_chinese_part);
        let separated = rest.starts_with(is_separator)
            || (numbered
                && (rest_of_number.is_empty() || rest_of_number.starts_with(is_separator)));
        let fits = rest.is_empty()
            || (separated && is_title(trimmed(rest)))
            || (numbered && rest.starts_with('之') && is_joined_title('章', rest));
        return fits.then(|| found(text));
    }
    let end = text
        .find(|char: char| !char.is_ascii_alphabetic())
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let known = word.starts_with(|char: char| char.is_ascii_uppercase())
        && ENGLISH.iter().any(|known| word.eq_ignore_ascii_case(known));
    let rest = rest.trim_start();
    let fits = rest.is_empty() || (rest.starts_with([':', '.', '-', '—', '–']) && is_title(rest));
    (known && fits).then(|| found(text))
}

/// `Chapter 12`, `CHAPTER XII. The Storm`, `Volume One`, `PART II: Home`.
fn english(text: &str) -> Option<Found> {
    let end = text.find(char::is_whitespace)?;
    let (word, rest) = text.split_at(end);
    if !word.starts_with(|char: char| char.is_ascii_uppercase()) {
        return None;
    }
    let part = match word.to_ascii_lowercase().as_str() {
        "chapter" => Part::Chapter,
        "volume" | "book" | "part" => Part::Volume,
        other if UNITS.contains(&other) => Part::Chapter,
        _ => return None,
    };
    let (number, rest) = numerals::english(rest.trim_start())?;
    let marked = rest.trim_start().starts_with(['.', ':', '-', '—', '–']);
    // `Letter Two` may be anything; `ADVENTURE II` and `Letter 2.` are headings.
    let is_usual = matches!(
        word.to_ascii_lowercase().as_str(),
        "chapter" | "volume" | "book" | "part"
    );
    let stands_out =
        marked || rest.trim().is_empty() || word.chars().all(|char| char.is_ascii_uppercase());
    if !is_usual && !stands_out {
        return None;
    }
    let title = trimmed(
        rest.trim_start_matches(|char: char| char.is_whitespace() || ".:-—–".contains(char)),
    );
    let begins = title.chars().next();
    let plausible = match begins {
        None => true,
        // `Chapter 12 of his memoirs` goes on in small letters, `Chapter 4.5` is something else.
        Some(first) if marked => !first.is_ascii_digit() || rest.contains(' '),
        Some(first) => rest.starts_with(char::is_whitespace) && !first.is_lowercase(),
    };
    let short = title.chars().count() <= LONGEST_TITLE
        && !title.trim_end_matches('.').contains(". ")
        && !title.ends_with([',', ';']);
    (plausible && short).then(|| Found {
        part,
        number: Some(number),
        title: title.to_owned(),
        volume: None,
    })
}

/// `IV.`, `XII`, `II. THE RED-HEADED LEAGUE`: parts of a chapter, and chapters where nothing larger is
/// there.
fn roman(text: &str) -> Option<Found> {
    let end = text
        .find(|char: char| !char.is_ascii_uppercase())
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let number = numerals::roman(word)?;
    let title = match rest.strip_prefix('.') {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => trimmed(rest),
        None if rest.is_empty() => "",
        _ => return None,
    };
    // A sentence, or an initial: `I. Newton said so.`
    let is_title = title.chars().count() <= LONGEST_TITLE
        && !title.contains(". ")
        && !title.ends_with([',', ';', '.', '?', '!', '"', '”'])
        && (title.is_empty() || is_capitalised(title));
    is_title.then(|| Found {
        part: Part::Section,
        number: Some(number),
        title: title.to_owned(),
        volume: None,
    })
}

/// Whether the words of a title begin with capitals, but for the small ones.
pub(crate) fn is_capitalised(title: &str) -> bool {
    const SMALL: [&str; 14] = [
        "a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with",
    ];
    title.split_whitespace().all(|word| {
        let word = word.trim_start_matches(|char: char| !char.is_alphanumeric());
        SMALL.contains(&word) || !word.starts_with(|char: char| char.is_ascii_lowercase())
    })
}

#[cfg(test)]
#[path = "heading_tests.rs"]
mod tests;
