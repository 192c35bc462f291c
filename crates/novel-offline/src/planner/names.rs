//! Names for people nobody has named yet, each used once in a book.

use std::collections::BTreeSet;

use novel_model::{Lang, Slug, layout};
use serde_json::Value;

use super::{Task, words::Words};
use crate::{OfflineError, pronoun::Kind, prose::capitalize, voice::Stream};

/// Tries after which a name may be part of another one.
const MANY_NAMES: usize = 8_000;

/// The id of a protagonist whose name has no spelling in Latin letters here.
const PROTAGONIST: &str = "protagonist";

/// Somebody's name and id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) id: Slug,
    pub(super) display: String,
}

/// Names that are taken, and the order in which new ones come.
pub(super) struct Names<'a> {
    words: &'a Words,
    lang: Lang,
    /// Where in the lists this book begins.
    seed: usize,
    /// Names tried so far.
    tried: usize,
    taken: BTreeSet<String>,
    ids: BTreeSet<String>,
}

impl<'a> Names<'a> {
    /// Everybody who is or was in the book is taken.
    pub(super) fn of(task: Task<'_>, words: &'a Words) -> Result<Self, OfflineError> {
        let title = task.book.config.title.as_deref().unwrap_or_default();
        let mut names = Self {
            words,
            lang: task.lang(),
            seed: Stream::of(title).below(977),
            tried: 0,
            taken: BTreeSet::new(),
            ids: BTreeSet::new(),
        };
        for directory in [layout::characters_dir(), layout::retired_dir()] {
            for file in task.book.reader.list(&directory)? {
                let Some(id) = file.strip_suffix(".json") else {
                    continue;
                };
                names.ids.insert(id.to_owned());
                let text = directory.join(&file).ok();
                let text = text.map(|path| task.book.reader.text(&path)).transpose()?;
                let record: Value = text
                    .flatten()
                    .and_then(|text| serde_json::from_str(&text).ok())
                    .unwrap_or_default();
                let display = record.get("display_name").and_then(Value::as_str);
                let aliases = record.get("aliases").and_then(Value::as_array);
                let aliases = aliases.into_iter().flatten().filter_map(Value::as_str);
                names
                    .taken
                    .extend(display.into_iter().chain(aliases).map(str::to_owned));
            }
        }
        Ok(names)
    }

    /// The name the brief gives, or a new one.
    pub(super) fn protagonist(&mut self, said: Option<&str>) -> Name {
        let said = said.unwrap_or_default();
        let first = said
            .split(['，', ',', '（', '(', '、', '。', '.', '；', ';'])
            .next()
            .unwrap_or_default()
            .trim();
        let name = match self.lang {
            Lang::Zh => {
                let han = |char: char| ('\u{4E00}'..='\u{9FFF}').contains(&char);
                let length = first.chars().count();
                let named = (2..=4).contains(&length) && first.chars().all(han);
                let id = self.known_spelling(first).parse().ok();
                id.filter(|_| named).map(|id| Name {
                    id,
                    display: first.to_owned(),
                })
            }
            Lang::En => {
                let words: Vec<&str> = first.split(' ').collect();
                let named = words.iter().all(|word| {
                    word.starts_with(|char: char| char.is_ascii_uppercase())
                        && word.chars().all(|char| char.is_ascii_alphabetic())
                });
                let id = words.join("-").to_lowercase().parse().ok();
                id.filter(|_| named && words.len() <= 3).map(|id| Name {
                    id,
                    display: first.to_owned(),
                })
            }
        };
        match name {
            Some(name) => {
                self.take(&name);
                name
            }
            None => self.fresh(),
        }
    }

    /// The id of a Chinese name whose parts the lists can spell.
    fn known_spelling(&self, name: &str) -> String {
        let spelt = |section: &str, part: &str| {
            let mut entries = self.words.all(section).iter().map(|line| entry(line));
            entries
                .find(|(text, ..)| *text == part)
                .map(|(_, id, _)| id)
        };
        let family: String = name.chars().take(1).collect();
        let given: String = name.chars().skip(1).collect();
        spelt("surname", &family)
            .zip(spelt("given", &given))
            .map_or_else(
                || PROTAGONIST.to_owned(),
                |(family, given)| id_of(family, given),
            )
    }

    /// A name nobody has.
    pub(super) fn fresh(&mut self) -> Name {
        loop {
            let found = self.candidate(self.tried);
            self.tried += 1;
            let Some(name) = found else { continue };
            // Beyond the short names every name holds a shorter one; being another name must do then.
            let clashes = if self.tried < MANY_NAMES {
                self.taken.iter().any(|other| {
                    other.contains(&name.display) || name.display.contains(other.as_str())
                })
            } else {
                self.taken.contains(&name.display)
            };
            if !clashes && !self.ids.contains(name.id.as_str()) {
                self.take(&name);
                return name;
            }
        }
    }

    fn take(&mut self, name: &Name) {
        self.taken.insert(name.display.clone());
        self.ids.insert(name.id.to_string());
    }

    /// The name at a place of the book's sequence: every name of the lists once, then names put
    /// together from syllables, of which there is no end.
    fn candidate(&self, tried: usize) -> Option<Name> {
        let at = self.seed + tried;
        let listed = match self.lang {
            Lang::Zh => self.words.all("surname").len() * self.words.all("given").len(),
            Lang::En => self.words.all("name").len(),
        };
        let (id, display) = match (self.lang, tried.checked_sub(listed)) {
            (Lang::Zh, None) => {
                // The two lists have no common divisor, so all pairs are met.
                let (family, family_id) = self.words.pick("surname", at).split_once('|')?;
                let (given, given_id, _) = entry(self.words.pick("given", at));
                (id_of(family_id, given_id), format!("{family}{given}"))
            }
            (Lang::Zh, Some(number)) => {
                let families = self.words.all("surname").len();
                let (family, family_id) = self.words.pick("surname", number).split_once('|')?;
                let (given, given_id) = self.composed(number / families);
                (id_of(family_id, &given_id), format!("{family}{given}"))
            }
            (Lang::En, None) => {
                let (display, ..) = entry(self.words.pick("name", at));
                (display.to_lowercase(), display.to_owned())
            }
            (Lang::En, Some(number)) => {
                let (given, id) = self.composed(number);
                (id, capitalize(&given))
            }
        };
        Some(Name {
            id: id.parse().ok()?,
            display,
        })
    }

    /// Chinese given names have two syllables; English names of three are many enough for any book.
    const fn least_syllables(&self) -> usize {
        match self.lang {
            Lang::Zh => 2,
            Lang::En => 3,
        }
    }

    /// The syllables of a number and how they are spelt: another number gives other syllables. Names of
    /// equally many syllables are no parts of each other, so there is a least length, and longer names
    /// only begin once all of that length are used up.
    fn composed(&self, number: usize) -> (String, String) {
        let base = self.words.all("syllable").len().max(2);
        let (mut text, mut spelling) = (String::new(), String::new());
        let mut left = number;
        let mut length = 0;
        while left > 0 || length < self.least_syllables() {
            let syllable = self.words.pick("syllable", left % base);
            let (written, spelt) = syllable.split_once('|').unwrap_or((syllable, syllable));
            text.push_str(written);
            spelling.push_str(spelt);
            left /= base;
            length += 1;
        }
        (text, spelling)
    }
}

/// A name of the lists: how it is written, how it is spelt in Latin letters where that is another way, and its pronoun.
fn entry(line: &str) -> (&str, &str, Option<Kind>) {
    let mut fields = line.split('|');
    let display = fields.next().unwrap_or_default();
    let (mut id, mut kind) = (display, None);
    for field in fields {
        match Kind::of_word(field) {
            Some(found) => kind = Some(found),
            None => id = field,
        }
    }
    (display, id, kind)
}

/// The pronoun of somebody with this name: the one the lists have for it, else one the name itself decides.
pub(super) fn kind_of(words: &Words, display: &str) -> Kind {
    let (section, name) = match words.lang() {
        Lang::Zh => {
            let family = display.chars().next().map_or(0, char::len_utf8);
            ("given", &display[family..])
        }
        Lang::En => ("name", display),
    };
    let mut entries = words.all(section).iter().map(|line| entry(line));
    let listed = entries.find(|(text, ..)| *text == name);
    listed.and_then(|(_, _, kind)| kind).unwrap_or_else(|| {
        if Stream::of(display).below(2) == 0 {
            Kind::He
        } else {
            Kind::She
        }
    })
}

/// The lists tell equal spellings apart by a digit, which the id does not need.
fn id_of(family: &str, given: &str) -> String {
    let family = family.trim_end_matches(|char: char| char.is_ascii_digit());
    format!("{family}-{given}")
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
