//! Facts that a text may rest on: whose they are, what they say, and the sentences that say it.

use std::collections::BTreeSet;

use novel_book::context::Cast;
use novel_model::{ChapterNo, Slug};
use novel_story::{
    ledger::{Fact, Ledger, Slot},
    plan::terms,
};
use novel_text::{is_named_in, sentences};
use serde_json::Value;

/// A value with more characters is prose: it is known by its words.
const LONGEST_WORD: usize = 12;
/// Words of a longer value that a sentence must have.
const SHARED: usize = 2;
/// Fields of moods: the next scene changes them, and nothing rests on what they were.
const MOODS: [&str; 10] = [
    "emotional_state",
    "emotion",
    "emotions",
    "mood",
    "feeling",
    "feelings",
    "情绪",
    "心情",
    "心境",
    "神色",
];

/// A fact that a text may claim.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Claim {
    /// Its path in the state.
    pub(super) path: String,
    /// The chapter that brought it; none for what stood there before the first.
    pub(super) from: Option<ChapterNo>,
    /// The last chapter it holds in.
    to: Option<ChapterNo>,
    /// What its subject is called.
    names: Names,
    /// What it says.
    says: Vec<Says>,
    /// The sentence it was recorded for.
    pub(super) evidence: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
enum Says {
    /// A name or a short text.
    Word(String),
    /// A longer one, by its words.
    Words(BTreeSet<String>),
}

impl Says {
    fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.chars().count() > LONGEST_WORD {
            let words = terms(text);
            return (words.len() >= SHARED).then_some(Self::Words(words));
        }
        // One letter stands everywhere.
        (text.chars().count() >= 2).then(|| Self::Word(text.to_owned()))
    }

    fn is_in(&self, text: &str) -> bool {
        match self {
            Self::Word(word) => is_named_in(text, word),
            Self::Words(words) => {
                let found = words.iter().filter(|word| text.contains(word.as_str()));
                found.count() >= SHARED
            }
        }
    }
}

impl Claim {
    /// Something a chapter brought into the book: whoever names it rests on that chapter.
    pub(super) fn thing(path: String, from: ChapterNo, names: Names) -> Self {
        Self {
            path,
            from: Some(from),
            to: None,
            names,
            says: Vec::new(),
            evidence: None,
        }
    }

    /// Whether it held when a chapter was written.
    pub(super) fn holds_before(&self, chapter: ChapterNo) -> bool {
        self.from.is_none_or(|from| from < chapter)
            && self.to.is_none_or(|to| to.get() + 1 >= chapter.get())
    }

    /// Whether it holds at the end of the book.
    pub(super) const fn holds_now(&self) -> bool {
        self.to.is_none()
    }

    /// Whether its subject is named, by one of its names or by its id.
    pub(super) fn is_about(&self, text: &str) -> bool {
        let id = self.path.split('.').nth(1).unwrap_or_default();
        self.names_it(text) || is_id_in(text, id)
    }

    /// Whether a text names its subject and says what the fact says.
    pub(super) fn is_said(&self, text: &str) -> bool {
        self.is_about(text) && self.says_it(text)
    }

    fn names_it(&self, text: &str) -> bool {
        self.names.are_in(text)
    }

    fn says_it(&self, text: &str) -> bool {
        self.says.is_empty() || self.says.iter().any(|says| says.is_in(text))
    }

    /// The passages of a scene that claim it: a sentence with both the subject and the value, or the value
    /// right after the sentence that names the subject.
    pub(super) fn passages<'t>(&self, scene: &'t str) -> Vec<&'t str> {
        let mut found = Vec::new();
        let mut before: Option<&str> = None;
        for sentence in sentences(scene) {
            if self.says_it(sentence) {
                if self.names_it(sentence) {
                    found.push(sentence.trim());
                } else if let Some(both) = before.filter(|before| self.names_it(before)) {
                    let begin = offset(scene, both);
                    let end = offset(scene, sentence) + sentence.len();
                    found.extend(scene.get(begin..end).map(str::trim));
                }
            }
            before = Some(sentence);
        }
        found
    }
}

/// What somebody or something is called.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Names {
    own: Vec<String>,
    /// What others are called, with one of these in it: 陆砚舟 does not name 陆砚.
    longer: Vec<String>,
}

impl Names {
    /// The names, one after the other.
    pub(super) fn listed(&self) -> String {
        self.own.join(" / ")
    }

    fn are_in(&self, text: &str) -> bool {
        self.own.iter().any(|name| self.is_in(text, name))
    }

    /// Whether a name stands in a text, as a word, and not as a part of what another is called.
    fn is_in(&self, text: &str, name: &str) -> bool {
        let is_of_another = |at: usize| {
            self.longer.iter().any(|longer| {
                let mut shifts = longer.match_indices(name);
                shifts.any(|(shift, _)| {
                    let begins = at.checked_sub(shift).and_then(|begin| text.get(begin..));
                    begins.is_some_and(|text| text.starts_with(longer.as_str()))
                })
            })
        };
        let mut places = text.match_indices(name).map(|(at, _)| at);
        places.any(|at| is_word_at(text, at, name) && !is_of_another(at))
    }
}

/// Whether a name of Latin letters stands there as a whole word.
fn is_word_at(text: &str, at: usize, name: &str) -> bool {
    let joins = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric());
    let (starts, ends) = (joins(name.chars().next()), joins(name.chars().next_back()));
    let (before, after) = (text.get(..at), text.get(at + name.len()..));
    let before = before.and_then(|before| before.chars().next_back());
    let after = after.and_then(|after| after.chars().next());
    !(starts && joins(before) || ends && joins(after))
}

/// Whether an id stands in a text, and not as a part of another.
fn is_id_in(text: &str, id: &str) -> bool {
    let goes_on = |char: char| char.is_ascii_alphanumeric() || "-_".contains(char);
    let mut places = text.match_indices(id).map(|(at, _)| at);
    !id.is_empty()
        && places.any(|at| {
            let (before, after) = (&text[..at], &text[at + id.len()..]);
            !before.ends_with(goes_on) && !after.starts_with(goes_on)
        })
}

/// Whether a path says what its subject is called.
pub(super) fn is_name(path: &str) -> bool {
    let field = path.rsplit('.').next().unwrap_or_default();
    ["display_name", "name", "aliases"].contains(&field)
}

/// Whether what a path says passes by itself: a mood, the time.
pub(super) fn is_passing(path: &str) -> bool {
    let field = path.rsplit('.').next().unwrap_or_default();
    let is_time = matches!(Slot::of_field(field), Some(Slot::Day | Slot::PartOfDay));
    MOODS.contains(&field) || is_time
}

/// Where a part of a text begins in it.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// What people, places and things are called.
pub(super) struct Called<'a> {
    pub(super) cast: &'a Cast,
    pub(super) ledger: &'a Ledger,
}

impl Called<'_> {
    /// The names behind an id; of somebody of the cast all of them.
    pub(super) fn names(&self, id: &str) -> Names {
        let own = self.own_names(id);
        let members = self.cast.members().map(|(_, member)| &member.character);
        let of_cast = members.flat_map(|it| std::iter::once(&it.display_name).chain(&it.aliases));
        let all = of_cast.chain(self.ledger.names.values());
        let holds_one = |other: &&str| {
            let mut own = own.iter();
            own.any(|name| *other != name && other.contains(name.as_str()))
        };
        let longer: BTreeSet<&str> = all.map(|name| name.trim()).filter(holds_one).collect();
        let others = longer
            .into_iter()
            .filter(|name| !own.iter().any(|it| it == name));
        Names {
            longer: others.map(str::to_owned).collect(),
            own,
        }
    }

    fn own_names(&self, id: &str) -> Vec<String> {
        let member = id.parse::<Slug>().ok();
        let member = member.and_then(|id| self.cast.member(&id));
        let mut names: Vec<String> = match member {
            Some(person) => std::iter::once(&person.display_name)
                .chain(&person.aliases)
                .map(|name| name.trim().to_owned())
                .collect(),
            None => self.ledger.names.get(id).cloned().into_iter().collect(),
        };
        names.retain(|name| !name.is_empty());
        if names.is_empty() {
            names.push(id.to_owned());
        }
        names
    }

    /// The claims of the facts that are wanted. A fact that says nothing to be found in prose, such as a
    /// number, is none.
    pub(super) fn claims(&self, wanted: impl Fn(&Fact) -> bool) -> Vec<Claim> {
        let facts = self.ledger.facts.iter().filter(|fact| wanted(fact));
        let mut claims: Vec<Claim> = facts
            .map(|fact| {
                let names = self.names(&fact.subject);
                let mut says = Vec::new();
                self.said(&fact.value, &mut says);
                // The subject's own name proves nothing of it.
                says.retain(|it| !matches!(it, Says::Word(word) if names.own.iter().any(|name| name.contains(word.as_str()))));
                Claim {
                    path: path_of(fact),
                    from: fact.from,
                    to: fact.to,
                    names,
                    says,
                    evidence: fact.evidence.clone(),
                }
            })
            .filter(|claim| !claim.says.is_empty())
            .collect();
        claims.dedup();
        claims
    }

    fn said(&self, value: &Value, says: &mut Vec<Says>) {
        match value {
            Value::String(text) => {
                says.extend(Says::of(text));
                if let Some(name) = self.ledger.names.get(text) {
                    says.extend(Says::of(name));
                }
            }
            Value::Array(values) => {
                for value in values {
                    self.said(value, says);
                }
            }
            Value::Object(members) => {
                for (key, value) in members {
                    let names = self.own_names(key);
                    if self.ledger.names.contains_key(key) || names != [key.as_str()] {
                        says.extend(names.iter().filter_map(|name| Says::of(name)));
                    }
                    self.said(value, says);
                }
            }
            _ => {}
        }
    }
}

/// The path of a fact in the state.
pub(super) fn path_of(fact: &Fact) -> String {
    match fact.section.as_str() {
        "world_state" => format!("world_state.{}", fact.subject),
        section => format!("{section}.{}.{}", fact.subject, fact.field),
    }
}
