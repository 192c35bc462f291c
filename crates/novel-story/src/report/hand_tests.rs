//! Tests of the chart of function words: one hand gives no alarm, another one is found where it begins.

use novel_model::Lang;
use novel_text::{FunctionWords, function_words};

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

/// Books whose sizes go through the whole range, in both languages: the same ones in every run, since
/// what is claimed of them is a rate.
fn sizes() -> impl Iterator<Item = (u64, usize, usize, Lang)> {
    (1..=48).map(|seed: u64| {
        let (before, after) = (8 + seed * 7 % 22, 8 + seed * 5 % 22);
        let lang = if seed.is_multiple_of(2) {
            Lang::Zh
        } else {
            Lang::En
        };
        (seed * 20_011, before as usize, after as usize, lang)
    })
}

#[test]
fn one_hand_gives_no_alarm() {
    for (seed, before, after, lang) in sizes() {
        let own = hand(seed, lang);
        let count = before + after;
        let report = charted(&book(&[(&own, count)], lang, seed ^ 77), lang).unwrap();
        assert_eq!(report.change, None, "book {seed}");
        assert_eq!(report.chapters.len(), count);
    }
}

#[test]
fn another_hand_is_found_where_it_begins() {
    let (mut own, mut own_outside, mut others, mut others_outside) = (0, 0, 0, 0);
    for (seed, before, after, lang) in sizes() {
        let (first, second) = (hand(seed, lang), hand(seed + 1, lang));
        let chapters = book(&[(&first, before), (&second, after)], lang, seed ^ 77);
        let report = charted(&chapters, lang).unwrap();
        let change = report.change.unwrap();
        let begins = before as u32 + 1;
        assert!(
            change.chapter.abs_diff(begins) <= 1,
            "book {seed}: {} instead of {begins}",
            change.chapter
        );
        assert_eq!(change.words.len(), NAMED);
        let (mine, theirs): (Vec<u32>, Vec<u32>) = report
            .outside
            .iter()
            .partition(|chapter| **chapter < begins);
        own += before;
        own_outside += mine.len();
        others += after;
        others_outside += theirs.len();
    }
    // The limit is three spreads: it lets a few of the own chapters out, and hardly one of the others in.
    assert!(own_outside * 50 <= own, "{own_outside} of {own} own ones");
    assert!(
        others_outside * 100 >= others * 99,
        "{others_outside} of {others} of the other hand"
    );
}
