//! Pronouns in the place of a name that was just said.
//!
//! The profile of a person says which one: the one kind of pronoun that stands in it. Without a profile, or with
//! both kinds in it, the name is said again.

use novel_book::context::Cast;
use novel_model::{BookReader, FileError, Lang, layout};

/// A kind of pronoun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    He,
    She,
}

/// Somebody the text may name.
#[derive(Debug, Clone)]
struct Person {
    /// Longest first.
    names: Vec<String>,
    kind: Option<Kind>,
}

/// The people of a book and their pronouns.
#[derive(Debug, Clone)]
pub(crate) struct Pronouns {
    lang: Lang,
    people: Vec<Person>,
}

impl Pronouns {
    /// Of everybody in the cast.
    pub(crate) fn load(
        reader: &dyn BookReader,
        cast: &Cast,
        lang: Lang,
    ) -> Result<Self, FileError> {
        let mut people = Vec::new();
        for (id, member) in cast.members() {
            let character = &member.character;
            let profile = reader.text(&layout::character_profile(id))?;
            let mut names: Vec<String> = std::iter::once(&character.display_name)
                .chain(&character.aliases)
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty())
                .collect();
            names.sort_by_key(|name| std::cmp::Reverse(name.len()));
            people.push(Person {
                names,
                kind: profile.and_then(|profile| kind_in(&profile, lang)),
            });
        }
        Ok(Self { lang, people })
    }

    /// The text with pronouns, paragraph by paragraph. A name stays where it is said first, where somebody of
    /// the same pronoun is named in the paragraph before it, and in what is spoken.
    pub(crate) fn in_text(&self, text: &str) -> String {
        let paragraphs = text
            .split("\n\n")
            .map(|paragraph| self.in_paragraph(paragraph));
        paragraphs.collect::<Vec<_>>().join("\n\n")
    }

    fn in_paragraph(&self, paragraph: &str) -> String {
        let mut told = String::with_capacity(paragraph.len());
        // People named so far.
        let mut named: Vec<usize> = Vec::new();
        let (mut at, mut is_spoken) = (0, false);
        while let Some(char) = paragraph[at..].chars().next() {
            match char {
                '“' | '「' => is_spoken = true,
                '”' | '」' => is_spoken = false,
                '"' => is_spoken = !is_spoken,
                _ => {}
            }
            let found = self.name_at(paragraph, at).filter(|_| !is_spoken);
            let Some((who, length)) = found else {
                told.push(char);
                at += char.len_utf8();
                continue;
            };
            let after = &paragraph[at + length..];
            let pronoun = self
                .kind_for(who, &named)
                .and_then(|kind| self.word(kind, &told, after));
            match pronoun {
                Some((word, taken)) => {
                    told.push_str(word);
                    at += length + taken;
                }
                None => {
                    told.push_str(&paragraph[at..at + length]);
                    at += length;
                }
            }
            if !named.contains(&who) {
                named.push(who);
            }
        }
        told
    }

    /// The person named at a place, and the bytes of the name.
    fn name_at(&self, text: &str, at: usize) -> Option<(usize, usize)> {
        let joins = |char: char| self.lang == Lang::En && char.is_alphanumeric();
        if text[..at].ends_with(joins) {
            return None;
        }
        let people = self.people.iter().enumerate();
        people
            .flat_map(|(who, person)| person.names.iter().map(move |name| (who, name)))
            .filter(|(_, name)| {
                text[at..].starts_with(name.as_str()) && !text[at + name.len()..].starts_with(joins)
            })
            .max_by_key(|(_, name)| name.len())
            .map(|(who, name)| (who, name.len()))
    }

    /// The pronoun that can mean this person alone among those named so far.
    fn kind_for(&self, who: usize, named: &[usize]) -> Option<Kind> {
        let kind = self.people[who].kind?;
        let mut others = named.iter().filter(|other| **other != who);
        let is_clear =
            others.all(|other| self.people[*other].kind.is_some_and(|other| other != kind));
        (named.contains(&who) && is_clear).then_some(kind)
    }

    /// The pronoun between what was told and what follows, and the bytes it takes of that.
    fn word(&self, kind: Kind, told: &str, after: &str) -> Option<(&'static str, usize)> {
        match self.lang {
            Lang::Zh => {
                // `陆砚先生` and `名叫陆砚` are said with the name.
                const TITLES: [&str; 6] = ["先生", "女士", "小姐", "姐", "哥", "们"];
                let is_name = TITLES.iter().any(|title| after.starts_with(title))
                    || told.ends_with(['叫', '名', '姓']);
                let word = match kind {
                    Kind::He => "他",
                    Kind::She => "她",
                };
                (!is_name).then_some((word, 0))
            }
            Lang::En => {
                let begins =
                    told.is_empty() || told.trim_end().ends_with(['.', '!', '?', '”', '"']);
                let is_owner = after.starts_with("’s ") || after.starts_with("'s ");
                let owner = if after.starts_with('’') {
                    "’s".len()
                } else {
                    "'s".len()
                };
                match (kind, begins, is_owner) {
                    (Kind::He, true, true) => Some(("His", owner)),
                    (Kind::He, false, true) => Some(("his", owner)),
                    (Kind::She, true, true) => Some(("Her", owner)),
                    (Kind::She, false, true) => Some(("her", owner)),
                    // In the middle of a sentence it may be an object.
                    (Kind::He, true, false) if after.starts_with(' ') => Some(("He", 0)),
                    (Kind::She, true, false) if after.starts_with(' ') => Some(("She", 0)),
                    _ => None,
                }
            }
        }
    }
}

/// The kind of pronoun in a profile, if there is one kind alone.
fn kind_in(profile: &str, lang: Lang) -> Option<Kind> {
    let (he, she) = match lang {
        Lang::Zh => (profile.contains('他'), profile.contains('她')),
        Lang::En => {
            let words: Vec<String> = profile
                .split(|char: char| !char.is_alphabetic())
                .map(str::to_lowercase)
                .collect();
            let has = |list: [&str; 3]| words.iter().any(|word| list.contains(&word.as_str()));
            (has(["he", "him", "his"]), has(["she", "her", "hers"]))
        }
    };
    match (he, she) {
        (true, false) => Some(Kind::He),
        (false, true) => Some(Kind::She),
        _ => None,
    }
}

#[cfg(test)]
#[path = "pronoun_tests.rs"]
mod tests;
