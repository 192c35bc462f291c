//! Tests of the function words.

use novel_model::Lang;
use proptest::prelude::*;

use super::*;

fn rate(text: &str, lang: Lang, word: &str) -> f64 {
    let at = function_words(lang).iter().position(|known| *known == word);
    FunctionWords::of(text, lang).rates[at.unwrap()]
}

#[test]
fn words_are_counted_to_a_thousand() {
    let text = "The cat and the dog sat on the mat.";
    assert_eq!(FunctionWords::of(text, Lang::En).words, 9);
    assert!((rate(text, Lang::En, "the") - 3000.0 / 9.0).abs() < 1e-9);
    assert!((rate("他的书和我的笔。", Lang::Zh, "的") - 2000.0 / 7.0).abs() < 1e-9);
    assert_eq!(FunctionWords::of("", Lang::Zh).words, 0);
    assert!(rate("", Lang::En, "the").abs() < f64::EPSILON);
}

#[test]
fn no_word_is_listed_twice() {
    for lang in [Lang::En, Lang::Zh] {
        let mut list = function_words(lang).to_vec();
        list.sort_unstable();
        list.dedup();
        assert_eq!(list.len(), function_words(lang).len());
    }
}

proptest! {
    #[test]
    fn any_text_has_rates_between_nothing_and_all(text in "\\PC{0,200}") {
        for lang in [Lang::En, Lang::Zh] {
            let counted = FunctionWords::of(&text, lang);
            prop_assert!(counted.rates.iter().all(|rate| (0.0..=1000.0).contains(rate)));
        }
    }
}
