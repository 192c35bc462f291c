//! Sentences that tell a day, in a book whose record has one.

use novel_model::Lang;
use serde_json::Value;

use super::{
    super::{
        prose::Scene,
        rules::{self, Scope},
        time::{MONTHS, Moment},
        timeline::TIME_MARKER,
    },
    Candidate, Doubt, candidate,
};

pub(super) fn collect(scope: &Scope<'_>, at: usize, scene: &Scene<'_>, found: &mut Vec<Candidate>) {
    let state = scope.past.state.as_ref();
    let marker = state.and_then(|state| state.get("world_state")?.get("time_marker")?.as_str());
    let Some(marker) = marker.filter(|marker| Moment::loose(marker).is_some()) else {
        return;
    };
    for sentence in scene.sentences.iter().copied() {
        let past = scope
            .flashbacks
            .get(at)
            .is_some_and(|flashbacks| flashbacks.covers(sentence.start));
        if past || scene.is_quoted(sentence.start) || !tells_a_day(scene.text(sentence), scope.lang)
        {
            continue;
        }
        let place = scope
            .text
            .side(scene, sentence, sentence.start..sentence.end);
        let quotation = rules::member("time_marker", &Value::from(marker));
        let fact = scope.past.source(TIME_MARKER, quotation);
        found.push(candidate(Doubt::Day, "time_marker", place, fact, 45));
    }
}

/// Whether a text has a numbered day, a date or a year.
fn tells_a_day(text: &str, lang: Lang) -> bool {
    let number =
        |char: char| char.is_ascii_digit() || "一二三四五六七八九十百千廿元".contains(char);
    match lang {
        Lang::Zh => {
            let chars: Vec<char> = text.chars().collect();
            chars.windows(2).any(|pair| {
                number(pair[0]) && "天日夜月年".contains(pair[1])
                    || pair[0] == '初' && number(pair[1])
            }) || ["正月", "腊月", "冬月", "除夕", "元宵", "中秋", "重阳"]
                .iter()
                .any(|word| text.contains(word))
        }
        Lang::En => {
            let lower = text.to_lowercase();
            let words: Vec<&str> = lower
                .split(|char: char| !char.is_alphanumeric())
                .filter(|word| !word.is_empty())
                .collect();
            let digits = |word: &&str| word.starts_with(|char: char| char.is_ascii_digit());
            words.iter().enumerate().any(|(at, word)| {
                let near: Vec<&str> = words
                    .iter()
                    .skip(at.saturating_sub(2))
                    .take(5)
                    .copied()
                    .collect();
                matches!(
                    *word,
                    "day" | "night" | "week" | "year" | "morning" | "evening"
                ) && near.iter().any(|word| {
                    digits(word) || crate::ledger::number_word(word).is_some() || is_ordinal(word)
                }) || MONTHS.contains(word)
                    && near.iter().any(|word| digits(word) || is_ordinal(word))
            })
        }
    }
}

/// `sixth`, `twelfth`.
fn is_ordinal(word: &str) -> bool {
    matches!(word, "first" | "second" | "third") || word.len() > 4 && word.ends_with("th")
}
