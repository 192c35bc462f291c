//! Words that touch what a slot of the record is about, found in one pass over a scene.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use novel_model::Lang;

use super::super::{
    prose::Scene,
    rules::{colour_words, rank_words},
};
use super::lists;

/// What a word touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Class {
    /// An age.
    Age,
    /// Somebody young, grown or old.
    Stage,
    /// A family.
    Kin,
    /// How people stand to each other.
    Bond,
    /// What people do for and against each other.
    Deed,
    /// A step of a ladder.
    Rank,
    /// An office, power or command.
    Office,
    /// A kind of place.
    Place,
    /// A day, month, year or feast.
    Day,
    /// A time that depends on the day.
    Hour,
    /// A part of the body.
    Part,
    /// An act that needs sound limbs or senses.
    Act,
    /// A death.
    Death,
    /// Knowing, telling or hiding.
    Know,
    /// A number above one.
    Number,
    /// A colour.
    Colour,
    /// A thing in use.
    Use,
    /// A thing that is broken, gone or whole.
    State,
}

/// The classes a sentence has words of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Classes(u32);

impl Classes {
    fn add(&mut self, class: Class) {
        self.0 |= 1 << class as u32;
    }

    pub(super) const fn has(self, class: Class) -> bool {
        self.0 & (1 << class as u32) != 0
    }
}

/// The words of a language as one automaton.
struct Lexicon {
    automaton: Option<AhoCorasick>,
    /// Of each pattern: its class, and whether a longer word may begin with it.
    patterns: Vec<(Class, bool)>,
}

static ZH: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::of(Lang::Zh));
static EN: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::of(Lang::En));

impl Lexicon {
    fn of(lang: Lang) -> Self {
        let mut words: Vec<(&str, Class)> = lists::of(lang)
            .iter()
            .flat_map(|(class, words)| words.iter().map(move |word| (*word, *class)))
            .collect();
        let is_own = |word: &&str| word.is_ascii() == (lang == Lang::En);
        words.extend(rank_words().filter(is_own).map(|word| (word, Class::Rank)));
        words.extend(
            colour_words()
                .filter(is_own)
                .map(|word| (word, Class::Colour)),
        );
        let texts = words.iter().map(|(word, _)| word.trim_end_matches('*'));
        // A DFA of these words costs more to build than it saves on a chapter.
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(texts)
            .ok();
        let patterns = words
            .iter()
            .map(|(word, class)| (*class, word.ends_with('*')))
            .collect();
        Self {
            automaton,
            patterns,
        }
    }
}

/// The classes of each sentence of a scene.
pub(super) fn classes(scene: &Scene<'_>, lang: Lang) -> Vec<Classes> {
    let lexicon: &Lexicon = match lang {
        Lang::Zh => &ZH,
        Lang::En => &EN,
    };
    let mut found = vec![Classes::default(); scene.sentences.len()];
    let Some(automaton) = &lexicon.automaton else {
        return found;
    };
    let text = scene.content;
    let mut at = 0;
    for hit in automaton.find_overlapping_iter(text) {
        let (class, is_stem) = lexicon.patterns[hit.pattern().as_usize()];
        let inside = lang == Lang::En
            && (text[..hit.start()].ends_with(char::is_alphanumeric)
                || !is_stem && text[hit.end()..].starts_with(char::is_alphanumeric));
        if inside {
            continue;
        }
        // Hits come by their ends.
        while scene
            .sentences
            .get(at)
            .is_some_and(|sentence| sentence.end < hit.end())
        {
            at += 1;
        }
        let Some(sentence) = scene.sentences.get(at) else {
            break;
        };
        if sentence.start <= hit.start() {
            found[at].add(class);
        }
    }
    found
}
