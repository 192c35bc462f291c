//! Function words: how often a text uses the small words that carry no matter of their own.
//!
//! A writer does not choose them, so they tell one hand from another whatever is told. Personal
//! pronouns are left out: they follow the share of dialogue and the viewpoint.

use novel_model::Lang;

use crate::count::for_each_word;

const EN: [&str; 48] = [
    "the", "of", "and", "a", "an", "to", "in", "that", "it", "as", "with", "for", "on", "at", "by",
    "but", "not", "from", "or", "which", "this", "so", "if", "when", "there", "no", "all", "than",
    "then", "into", "upon", "up", "out", "now", "only", "very", "more", "such", "any", "some",
    "what", "who", "how", "even", "still", "about", "after", "before",
];

const ZH: [&str; 54] = [
    "的", "了", "着", "过", "在", "是", "不", "也", "都", "就", "又", "还", "才", "却", "便", "而",
    "与", "和", "把", "被", "将", "从", "向", "对", "于", "以", "之", "其", "所", "则", "且", "若",
    "虽", "但", "因", "只", "很", "太", "更", "最", "再", "已", "这", "那", "个", "里", "上", "下",
    "来", "去", "么", "地", "得", "没",
];

/// The function words of a language, in the order of [`FunctionWords::rates`].
#[must_use]
pub const fn function_words(lang: Lang) -> &'static [&'static str] {
    match lang {
        Lang::En => &EN,
        Lang::Zh => &ZH,
    }
}

/// How often a text has each function word.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionWords {
    /// Counted words, Chinese characters each one.
    pub words: usize,
    /// Of each function word, how many to a thousand words.
    pub rates: Vec<f64>,
}

impl FunctionWords {
    /// Counts a text.
    #[must_use]
    pub fn of(text: &str, lang: Lang) -> Self {
        let list = function_words(lang);
        let mut counts = vec![0_usize; list.len()];
        let mut words = 0;
        for_each_word(text, |at| {
            words += 1;
            let word = word_at(&text[at..], lang).to_lowercase();
            if let Some(at) = list.iter().position(|known| *known == word) {
                counts[at] += 1;
            }
        });
        let thousand = |count: usize| match words {
            0 => 0.0,
            words => count as f64 * 1000.0 / words as f64,
        };
        Self {
            words,
            rates: counts.into_iter().map(thousand).collect(),
        }
    }
}

/// The word a text begins with; of Chinese the first character.
fn word_at(text: &str, lang: Lang) -> &str {
    let end = match lang {
        Lang::Zh => text.chars().next().map_or(0, char::len_utf8),
        Lang::En => text
            .find(|char: char| !char.is_alphabetic())
            .unwrap_or(text.len()),
    };
    &text[..end]
}

#[cfg(test)]
#[path = "function_words_tests.rs"]
mod tests;
