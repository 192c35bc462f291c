//! Pronouns in the place of a name that was just said.
//!
//! The profile of a person says which one: the one kind of pronoun that stands in it. Without a profile, or with
//! both kinds in it, the name is said again.

use std::collections::{BTreeMap, BTreeSet};

use novel_book::context::Cast;
use novel_model::{BookReader, FileError, Lang, layout};

use crate::scene::Paragraph;

/// A kind of pronoun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    He,
    She,
}

impl Kind {
    /// The pronoun at the beginning of a sentence.
    pub(crate) const fn subject(self, lang: Lang) -> &'static str {
        match (self, lang) {
            (Self::He, Lang::Zh) => "他",
            (Self::She, Lang::Zh) => "她",
            (Self::He, Lang::En) => "He",
            (Self::She, Lang::En) => "She",
        }
    }

    /// The kind a word list names.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        match word {
            "他" | "he" => Some(Self::He),
            "她" | "she" => Some(Self::She),
            _ => None,
        }
    }

    /// The kind of somebody an author describes, by pronoun or by what they are called.
    pub(crate) fn described(text: &str, lang: Lang) -> Option<Self> {
        let (men, women): (&[&str], &[&str]) = match lang {
            Lang::Zh => (
                &["他", "男", "小伙", "父亲", "丈夫", "儿子"],
                &["她", "女", "姑娘", "母亲", "妻子"],
            ),
            Lang::En => (
                &[
                    "he", "him", "his", "man", "boy", "male", "father", "husband", "son",
                ],
                &[
                    "she", "her", "hers", "woman", "girl", "female", "mother", "wife", "daughter",
                ],
            ),
        };
        one_kind(text, lang, men, women)
    }
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

    /// The text with pronouns; see [`Pronouns::tell`].
    #[cfg(test)]
    fn in_text(&self, text: &str) -> String {
        self.tell(text, &mut Spoken::default())
    }

    /// A scene with pronouns, paragraph by paragraph.
    pub(crate) fn in_scene(&self, paragraphs: &mut [Paragraph]) {
        let mut spoken = Spoken::default();
        for paragraph in paragraphs {
            paragraph.text = self.tell(&paragraph.text, &mut spoken);
            spoken.end_paragraph();
        }
    }

    /// The text with a pronoun for whoever the sentence before or the one so far names, unless it could mean
    /// somebody else of them. What is spoken stays; the name comes back after a few sentences.
    fn tell(&self, text: &str, spoken: &mut Spoken) -> String {
        let mut told = String::with_capacity(text.len());
        let (mut at, mut is_speech) = (0, false);
        while let Some(char) = text[at..].chars().next() {
            match char {
                '“' | '「' => is_speech = true,
                '”' | '」' => is_speech = false,
                '"' => is_speech = !is_speech,
                _ => {}
            }
            let Some((who, length)) = self.name_at(text, at) else {
                told.push(char);
                at += char.len_utf8();
                if !is_speech {
                    spoken.pass(char, &text[at..]);
                }
                continue;
            };
            if is_speech {
                spoken.called.insert(who);
                told.push_str(&text[at..at + length]);
                at += length;
                continue;
            }
            let after = &text[at + length..];
            let pronoun = self
                .kind_for(who, spoken)
                .and_then(|kind| self.word(kind, &told, after));
            match pronoun {
                Some((word, taken)) => {
                    told.push_str(word);
                    at += length + taken;
                }
                None => {
                    told.push_str(&text[at..at + length]);
                    at += length;
                }
            }
            spoken.name(who, pronoun.is_some());
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

    /// The pronoun that can mean this person alone of those who are spoken of.
    fn kind_for(&self, who: usize, spoken: &Spoken) -> Option<Kind> {
        let kind = self.people[who].kind?;
        let mut others = spoken.people().filter(|other| *other != who);
        let is_clear = others.all(|other| self.people[other].kind.is_some_and(|it| it != kind));
        (spoken.is_known(who) && is_clear).then_some(kind)
    }

    /// The pronoun between what was told and what follows, and the bytes it takes of that.
    fn word(&self, kind: Kind, told: &str, after: &str) -> Option<(&'static str, usize)> {
        match self.lang {
            Lang::Zh => {
                // `陆砚先生` and `名叫陆砚` are said with the name.
                const TITLES: [&str; 6] = ["先生", "女士", "小姐", "姐", "哥", "们"];
                let is_name = TITLES.iter().any(|title| after.starts_with(title))
                    || told.ends_with(['叫', '名', '姓']);
                (!is_name).then_some((kind.subject(self.lang), 0))
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
                    (_, true, false) if after.starts_with(' ') && !after.starts_with(" and ") => {
                        Some((kind.subject(self.lang), 0))
                    }
                    _ => None,
                }
            }
        }
    }
}

/// Who is spoken of at a place of a text.
#[derive(Debug, Default)]
struct Spoken {
    /// Named in the sentence before.
    before: BTreeSet<usize>,
    /// Named in this sentence.
    now: BTreeSet<usize>,
    /// Named in speech, in this sentence and the one before.
    called: BTreeSet<usize>,
    called_before: BTreeSet<usize>,
    /// Sentences since somebody was named.
    silent: u32,
    /// By person: pronouns since the name was said.
    pronouns: BTreeMap<usize, u32>,
    is_new_paragraph: bool,
}

impl Spoken {
    /// Pronouns after which the name is said again.
    const MOST_PRONOUNS: u32 = 5;
    /// The same where a paragraph begins.
    const MOST_PRONOUNS_BEFORE: u32 = 2;
    /// Sentences about nobody after which nobody is spoken of any more.
    const LONGEST_SILENCE: u32 = 3;

    fn people(&self) -> impl Iterator<Item = usize> {
        let named = self.before.iter().chain(&self.now);
        named
            .chain(&self.called)
            .chain(&self.called_before)
            .copied()
    }

    /// Whether a pronoun may mean somebody.
    fn is_known(&self, who: usize) -> bool {
        let said = self.pronouns.get(&who).copied().unwrap_or_default();
        let most = if self.is_new_paragraph {
            Self::MOST_PRONOUNS_BEFORE
        } else {
            Self::MOST_PRONOUNS
        };
        (self.before.contains(&who) || self.now.contains(&who)) && said < most
    }

    fn name(&mut self, who: usize, by_pronoun: bool) {
        self.now.insert(who);
        self.is_new_paragraph = false;
        let said = self.pronouns.entry(who).or_default();
        *said = if by_pronoun { *said + 1 } else { 0 };
    }

    /// Passes a character of the narration.
    fn pass(&mut self, char: char, after: &str) {
        let ends = match char {
            '。' | '！' | '？' | '!' | '?' => true,
            '.' => after.starts_with(char::is_whitespace) || after.is_empty(),
            '\n' => return self.end_paragraph(),
            _ => false,
        };
        if ends {
            self.end_sentence();
        }
    }

    fn end_paragraph(&mut self) {
        if !self.now.is_empty() || !self.called.is_empty() {
            self.end_sentence();
        }
        self.is_new_paragraph = true;
    }

    fn end_sentence(&mut self) {
        self.called_before = std::mem::take(&mut self.called);
        let now = std::mem::take(&mut self.now);
        if !now.is_empty() {
            self.before = now;
            self.silent = 0;
            return;
        }
        self.silent += 1;
        if self.silent >= Self::LONGEST_SILENCE {
            self.before.clear();
        }
    }
}

/// The kind of pronoun in a profile, if there is one kind alone.
fn kind_in(profile: &str, lang: Lang) -> Option<Kind> {
    match lang {
        Lang::Zh => one_kind(profile, lang, &["他"], &["她"]),
        Lang::En => one_kind(
            profile,
            lang,
            &["he", "him", "his"],
            &["she", "her", "hers"],
        ),
    }
}

/// The kind whose words stand in a text, if there is one kind alone.
fn one_kind(text: &str, lang: Lang, men: &[&str], women: &[&str]) -> Option<Kind> {
    let has = |list: &[&str]| match lang {
        // Not everybody else is a man.
        Lang::Zh => {
            let text = text.replace("其他", "");
            list.iter().any(|word| text.contains(word))
        }
        Lang::En => text
            .split(|char: char| !char.is_alphabetic())
            .any(|word| list.contains(&word.to_lowercase().as_str())),
    };
    match (has(men), has(women)) {
        (true, false) => Some(Kind::He),
        (false, true) => Some(Kind::She),
        _ => None,
    }
}

#[cfg(test)]
#[path = "pronoun_tests.rs"]
mod tests;
