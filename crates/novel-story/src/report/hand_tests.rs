//! Tests of the chart of function words: one hand gives no alarm, another one is found where it begins.

use novel_model::Lang;
use novel_text::{FunctionWords, function_words};
use proptest::prelude::*;

use super::*;

/// A generator of numbers that is the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1_u64 << 31) as f64
    }
}

/// A text of so many words in a hand: each function word as often as the hand likes it.
fn text(hand: &[f64], words: usize, lang: Lang, numbers: &mut Numbers) -> String {
    let list = function_words(lang);
    let mut text = String::new();
    for _ in 0..words {
        let mut chance = numbers.next() * 1.6;
        let mut picked = None;
        for (word, share) in list.iter().zip(hand) {
            chance -= share;
            if chance < 0.0 {
                picked = Some(*word);
                break;
            }
        }
        match (lang, picked) {
            (Lang::Zh, word) => text.push_str(word.unwrap_or("山")),
            (Lang::En, word) => {
                text.push_str(word.unwrap_or("lantern"));
                text.push(' ');
            }
        }
    }
    text
}

/// A hand: how much it likes each word.
fn hand(seed: u64, lang: Lang) -> Vec<f64> {
    let mut numbers = Numbers(seed);
    let raw: Vec<f64> = function_words(lang)
        .iter()
        .map(|_| numbers.next() + 0.2)
        .collect();
    let sum: f64 = raw.iter().sum();
    raw.iter().map(|share| share / sum).collect()
}

fn book(hands: &[(&[f64], usize)], lang: Lang, seed: u64) -> Vec<FunctionWords> {
    let mut numbers = Numbers(seed);
    let mut chapters = Vec::new();
    for (hand, count) in hands {
        for _ in 0..*count {
            let text = text(hand, 800, lang, &mut numbers);
            chapters.push(FunctionWords::of(&text, lang));
        }
    }
    chapters
}

fn charted(chapters: &[FunctionWords], lang: Lang) -> Option<HandReport> {
    let numbered: Vec<(u32, &FunctionWords)> = (1..).zip(chapters).collect();
    chart(&numbered, lang)
}

#[test]
fn a_short_book_has_no_chart() {
    let own = hand(1, Lang::Zh);
    assert_eq!(charted(&book(&[(&own, 9)], Lang::Zh, 1), Lang::Zh), None);
    assert_eq!(charted(&[], Lang::En), None);
    let empty = vec![FunctionWords::of("", Lang::En); 20];
    assert_eq!(charted(&empty, Lang::En), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn one_hand_gives_no_alarm(seed in 1_u64..1_000_000, count in 10_usize..60, zh: bool) {
        let lang = if zh { Lang::Zh } else { Lang::En };
        let own = hand(seed, lang);
        let report = charted(&book(&[(&own, count)], lang, seed ^ 77), lang).unwrap();
        prop_assert_eq!(report.change, None);
        prop_assert_eq!(report.chapters.len(), count);
    }

    #[test]
    fn another_hand_is_found_where_it_begins(
        seed in 1_u64..1_000_000, before in 8_usize..30, after in 8_usize..30, zh: bool,
    ) {
        let lang = if zh { Lang::Zh } else { Lang::En };
        let (own, other) = (hand(seed, lang), hand(seed + 1, lang));
        let chapters = book(&[(&own, before), (&other, after)], lang, seed ^ 77);
        let report = charted(&chapters, lang).unwrap();
        let change = report.change.unwrap();
        let off = i64::from(change.chapter) - before as i64 - 1;
        prop_assert!(off.abs() <= 1, "{} instead of {}", change.chapter, before + 1);
        prop_assert_eq!(change.words.len(), NAMED);
        // The chapters of the other hand are outside of the chart, the own ones inside.
        let outside = report.outside.iter().filter(|chapter| **chapter >= change.chapter);
        prop_assert!(outside.count() * 10 >= after * 9);
        let own = report.outside.iter().filter(|chapter| **chapter < change.chapter);
        prop_assert!(own.count() * 10 <= before);
    }
}
