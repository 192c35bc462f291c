//! The word lists of planning: what all genres share, and one list per genre.

use novel_model::Lang;

use crate::grammar::Grammar;

/// Genres with a list of their own; the first is taken for every other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Genre {
    Mystery,
    Fantasy,
    Future,
}

const FANTASY: [&str; 12] = [
    "玄幻",
    "仙侠",
    "修真",
    "修仙",
    "奇幻",
    "武侠",
    "魔法",
    "fantasy",
    "magic",
    "cultivation",
    "wuxia",
    "xianxia",
];
const FUTURE: [&str; 9] = [
    "科幻", "未来", "星际", "末世", "太空", "science", "sci-fi", "space", "future",
];

impl Genre {
    fn of(words: &str) -> Self {
        let words = words.to_lowercase();
        let named = |list: &[&str]| list.iter().any(|word| words.contains(word));
        if named(&FANTASY) {
            Self::Fantasy
        } else if named(&FUTURE) {
            Self::Future
        } else {
            Self::Mystery
        }
    }
}

/// The lists for one book.
pub(super) struct Words {
    lang: Lang,
    common: Grammar,
    genre: Grammar,
}

impl Words {
    pub(super) fn of(lang: Lang, genre: &str) -> Self {
        macro_rules! list {
            ($lang:literal, $name:literal) => {
                include_str!(concat!("../../assets/planner/", $lang, "/", $name, ".txt"))
            };
        }
        let (common, genre) = match (lang, Genre::of(genre)) {
            (Lang::Zh, Genre::Mystery) => (list!("zh", "common"), list!("zh", "mystery")),
            (Lang::Zh, Genre::Fantasy) => (list!("zh", "common"), list!("zh", "fantasy")),
            (Lang::Zh, Genre::Future) => (list!("zh", "common"), list!("zh", "future")),
            (Lang::En, Genre::Mystery) => (list!("en", "common"), list!("en", "mystery")),
            (Lang::En, Genre::Fantasy) => (list!("en", "common"), list!("en", "fantasy")),
            (Lang::En, Genre::Future) => (list!("en", "common"), list!("en", "future")),
        };
        Self {
            lang,
            common: Grammar::parse(common),
            genre: Grammar::parse(genre),
        }
    }

    pub(super) const fn lang(&self) -> Lang {
        self.lang
    }

    /// Every line of a section.
    pub(super) fn all(&self, section: &str) -> &[&'static str] {
        let of = |grammar: &'_ Grammar| grammar.section(section).is_some();
        let grammar = if of(&self.genre) {
            &self.genre
        } else {
            &self.common
        };
        grammar.section(section).map_or(&[], |(_, lines)| lines)
    }

    /// The line at `index`, counted round and round.
    pub(super) fn pick(&self, section: &str, index: usize) -> &'static str {
        let lines = self.all(section);
        lines
            .get(index % lines.len().max(1))
            .copied()
            .unwrap_or_default()
    }

    /// The parts of that line.
    pub(super) fn parts(&self, section: &str, index: usize) -> Vec<&'static str> {
        self.pick(section, index).split('|').collect()
    }

    /// Names of the places, in order.
    pub(super) fn places(&self) -> Vec<&'static str> {
        let name = |line: &&'static str| line.split('|').next().unwrap_or_default();
        self.all("place").iter().map(name).collect()
    }

    /// That line, filled.
    pub(super) fn say(&self, section: &str, index: usize, slots: &[(&str, &str)]) -> String {
        fill(self.pick(section, index), slots)
    }
}

/// A template with its slots filled in one pass: what a value says is text and no slot. A slot nobody
/// fills stays empty.
pub(super) fn fill(template: &str, slots: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len() * 2);
    let mut rest = template;
    while let Some((before, (slot, after))) = rest
        .split_once('{')
        .and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        text.push_str(before);
        let value = slots.iter().find(|(name, _)| *name == slot);
        text.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    text.push_str(rest);
    text
}
