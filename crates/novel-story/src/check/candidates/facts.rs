//! What the record says that a sentence could contradict, of each person and each thing.

use std::collections::{BTreeMap, BTreeSet};

use novel_model::layout;
use serde_json::Value;

use super::{
    super::{
        finding::Side,
        rules::{self, Kin, Scope, gone, is_feature, rank_word, recorded_kin, troubles},
        timeline::{Record, TIME_MARKER},
    },
    Doubt,
    terms::{TermIndex, Terms},
};
use crate::ledger::{Body, Life, Meaning, Slot, Trouble, read_age, things, without_article};

/// One fact of the record.
pub(super) struct Fact {
    pub(super) doubt: Doubt,
    /// Id or name of whom or what it is about.
    pub(super) subject: String,
    pub(super) about: About,
    source: Source,
    /// Whether the chapter itself changes it.
    pub(super) is_touched: bool,
}

/// Where a fact stands.
enum Source {
    Known(Side),
    /// A path of the state, and the member as a file shows it.
    State(String, String),
}

/// What a fact says.
pub(super) enum About {
    /// Dead, away or retired.
    Gone,
    /// Alive.
    Lives,
    Body(Vec<Trouble>),
    Age(Option<u32>),
    Kin(Kin),
    /// A family told in words that name nobody known.
    Family,
    Tie(String),
    Rank(Option<&'static str>),
    Place(String),
    /// A colour: the field.
    Look(String),
    Thing(Thing),
    /// By the number of its terms.
    Secret(usize),
    /// By the numbers of the terms of its laws.
    Rule(Vec<usize>),
    Day,
    /// A name nearly like another.
    NearName,
}

/// A thing and what is known of it.
pub(super) struct Thing {
    /// In small letters, without an article.
    pub(super) name: String,
    /// The last word of the name, where it can stand alone.
    pub(super) head: Option<String>,
    pub(super) is: ThingIs,
}

pub(super) enum ThingIs {
    Broken,
    Whole,
    Counted(u32),
    /// Somebody has it.
    Held(String),
    /// Somebody gave it away.
    Given,
    /// It is somewhere.
    Placed,
}

/// The facts a chapter can contradict.
pub(super) struct Facts {
    pub(super) all: Vec<Fact>,
    /// Facts of a person, by id.
    of_people: BTreeMap<String, Vec<usize>>,
    /// Facts that no person is needed for.
    pub(super) free: Vec<usize>,
    pub(super) kin: Vec<Kin>,
    /// Words of secrets and rules.
    pub(super) terms: TermIndex,
    /// Names of places, in small letters, each with the place it names.
    pub(super) places: Vec<(String, String)>,
}

impl Fact {
    /// The side that quotes the record.
    pub(super) fn side(&self, scope: &Scope<'_>) -> Side {
        match &self.source {
            Source::Known(side) => side.clone(),
            Source::State(path, shown) => scope.past.source(path, shown.clone()),
        }
    }

    /// A name that is nearly one of the cast.
    pub(super) fn near_name(name: &str, side: Side) -> Self {
        Self {
            doubt: Doubt::NearName,
            subject: name.to_owned(),
            about: About::NearName,
            source: Source::Known(side),
            is_touched: false,
        }
    }
}

impl Facts {
    pub(super) fn of(scope: &Scope<'_>) -> Self {
        let mut facts = Self {
            all: Vec::new(),
            of_people: BTreeMap::new(),
            free: Vec::new(),
            kin: Vec::new(),
            terms: TermIndex::default(),
            places: Vec::new(),
        };
        facts.people(scope);
        facts.families(scope);
        facts.things(scope);
        facts.secrets(scope);
        facts.rules(scope);
        facts.day(scope);
        facts.places(scope);
        facts.terms.finish();
        facts
    }

    pub(super) fn of_person(&self, id: &str) -> impl Iterator<Item = usize> + '_ {
        self.of_people.get(id).into_iter().flatten().copied()
    }

    /// Everybody with a fact.
    pub(super) fn watched(&self) -> BTreeSet<&str> {
        self.of_people.keys().map(String::as_str).collect()
    }

    fn add(&mut self, people: &[&str], fact: Fact) {
        let at = self.all.len();
        for id in people {
            self.of_people.entry((*id).to_owned()).or_default().push(at);
        }
        if people.is_empty() {
            self.free.push(at);
        }
        self.all.push(fact);
    }

    fn people(&mut self, scope: &Scope<'_>) {
        let records = scope
            .past
            .state
            .as_ref()
            .and_then(|state| state.get("characters")?.as_object());
        let recorded = records.into_iter().flatten().map(|(id, _)| id.as_str());
        let ids: BTreeSet<&str> = recorded
            .chain(scope.people.everybody().map(|(id, _)| id))
            .collect();
        for id in ids {
            if let Some((_, side)) = gone(scope, id) {
                let fact = Fact {
                    doubt: Doubt::Gone,
                    subject: id.to_owned(),
                    about: About::Gone,
                    source: Source::Known(side),
                    is_touched: false,
                };
                self.add(&[id], fact);
            }
            let record = scope.past.character(id);
            let hurt = record.and_then(troubles);
            for (field, value) in record.and_then(Value::as_object).into_iter().flatten() {
                let hurt = hurt.as_ref().filter(|(known, ..)| known == field);
                let hurt = hurt.map(|(_, _, troubles)| troubles.as_slice());
                self.field(scope, id, (field, value), hurt.unwrap_or_default());
            }
        }
    }

    fn field(
        &mut self,
        scope: &Scope<'_>,
        id: &str,
        (field, value): (&str, &Value),
        troubles: &[Trouble],
    ) {
        let slot = Slot::of_field(field);
        let text = value.as_str().unwrap_or_default();
        let mut add = |doubt, about| {
            let fact = Fact {
                doubt,
                subject: id.to_owned(),
                about,
                source: Source::State(
                    format!("characters.{id}.{field}"),
                    rules::member(field, value),
                ),
                is_touched: is_touched(scope, &format!("characters.{id}.{field}")),
            };
            self.add(&[id], fact);
        };
        match slot {
            Some(Slot::Alive | Slot::Body) if !troubles.is_empty() => {
                add(Doubt::Body, About::Body(troubles.to_vec()));
            }
            Some(Slot::Alive) => {
                let lives = Meaning::of(Slot::Alive, field, value);
                if matches!(lives, Some(Meaning::Life(Life::Alive) | Meaning::Text(_))) {
                    add(Doubt::Gone, About::Lives);
                }
            }
            Some(Slot::Body) => {
                let whole = Meaning::of(Slot::Body, field, value);
                if !matches!(whole, Some(Meaning::Body(Body::Whole)) | None) {
                    add(Doubt::Body, About::Body(Vec::new()));
                }
            }
            Some(Slot::Age | Slot::Birth) => {
                let age = Meaning::of(Slot::Age, field, value);
                let age = match age {
                    Some(Meaning::Number(age)) if slot == Some(Slot::Age) => Some(age),
                    _ => read_age(text),
                };
                add(Doubt::Told, About::Age(age));
            }
            Some(Slot::Rank) if value.is_string() => {
                add(Doubt::Told, About::Rank(rank_word(text)));
            }
            Some(Slot::Place) if value.is_string() => {
                add(Doubt::Place, About::Place(text.to_owned()));
            }
            Some(Slot::Relation) => self.ties(scope, id, (field, value)),
            Some(Slot::Holds) => {
                for thing in things(value) {
                    self.thing(scope, &thing.name, |name| Fact {
                        doubt: Doubt::Thing,
                        subject: name.name.clone(),
                        about: About::Thing(Thing {
                            is: match thing.count {
                                Some(count) if count > 1 => ThingIs::Counted(count),
                                _ => ThingIs::Held(id.to_owned()),
                            },
                            ..name
                        }),
                        source: Source::State(
                            format!("characters.{id}.{field}"),
                            rules::member(field, value),
                        ),
                        is_touched: is_touched(scope, &format!("characters.{id}.{field}")),
                    });
                }
            }
            None if is_feature(field, "eyes") || is_feature(field, "hair") => {
                add(Doubt::Told, About::Look(field.to_owned()));
            }
            _ => {}
        }
    }

    /// How somebody stands to each person a value names.
    fn ties(&mut self, scope: &Scope<'_>, id: &str, (field, value): (&str, &Value)) {
        let mut add = |other: &str, shown: String| {
            let fact = Fact {
                doubt: Doubt::Tie,
                subject: id.to_owned(),
                about: About::Tie(other.to_owned()),
                source: Source::State(format!("characters.{id}.{field}"), shown),
                is_touched: is_touched(scope, &format!("characters.{id}.{field}")),
            };
            self.add(&[id, other], fact);
        };
        match value {
            Value::Object(members) => {
                for (name, stand) in members {
                    if let Some(other) = scope.person(name).filter(|other| *other != id) {
                        add(other, rules::member(name, stand));
                    }
                }
            }
            Value::String(text) => {
                let others = scope.index.mentions(text);
                if let Some(other) = others.iter().find(|other| other.id != id) {
                    add(other.id, rules::member(field, value));
                }
            }
            _ => {}
        }
    }

    fn families(&mut self, scope: &Scope<'_>) {
        for (kin, side) in recorded_kin(scope) {
            let fact = Fact {
                doubt: Doubt::Told,
                subject: kin.a.clone(),
                about: About::Kin(kin.clone()),
                source: Source::Known(side),
                is_touched: false,
            };
            self.add(&[&kin.a, &kin.b], fact);
            self.kin.push(kin);
        }
        let records = scope
            .past
            .state
            .as_ref()
            .and_then(|state| state.get("characters")?.as_object());
        for (id, record) in records.into_iter().flatten() {
            for (field, value) in record.as_object().into_iter().flatten() {
                if Slot::of_field(field) == Some(Slot::Kinship) {
                    let path = format!("characters.{id}.{field}");
                    let fact = Fact {
                        doubt: Doubt::Told,
                        subject: id.clone(),
                        about: About::Family,
                        is_touched: is_touched(scope, &path),
                        source: Source::State(path, rules::member(field, value)),
                    };
                    self.add(&[id], fact);
                }
            }
        }
    }

    fn thing(&mut self, scope: &Scope<'_>, name: &str, fact: impl FnOnce(Thing) -> Fact) {
        let name = without_article(name).to_lowercase();
        if name.chars().count() < 2 {
            return;
        }
        let head = head_of(&name, scope.lang);
        self.add(
            &[],
            fact(Thing {
                name,
                head,
                is: ThingIs::Given,
            }),
        );
    }

    fn things(&mut self, scope: &Scope<'_>) {
        for ((_, item), given) in &scope.past.given {
            self.thing(scope, item, |thing| Fact {
                doubt: Doubt::Thing,
                subject: item.clone(),
                about: About::Thing(thing),
                source: Source::Known(given.side()),
                is_touched: false,
            });
        }
        let state = scope.past.state.as_ref();
        let items = state.and_then(|state| state.get("items")?.as_object());
        for (id, record) in items.into_iter().flatten() {
            let name = ["display_name", "name", "名称"]
                .iter()
                .find_map(|key| record.get(*key)?.as_str())
                .unwrap_or(id);
            for (field, value) in record.as_object().into_iter().flatten() {
                let slot = match field.as_str() {
                    "status" | "state" | "状态" => Some(Slot::Intact),
                    _ => Slot::of_field(field),
                };
                let meaning = slot.and_then(|slot| Meaning::of(slot, field, value));
                let is = match (slot, meaning) {
                    (Some(Slot::Intact), Some(Meaning::Intact(true))) => ThingIs::Whole,
                    (Some(Slot::Intact), Some(_)) => ThingIs::Broken,
                    (Some(Slot::Holder), Some(Meaning::Name(holder))) => {
                        ThingIs::Held(scope.person(&holder).unwrap_or(&holder).to_owned())
                    }
                    (Some(Slot::Count), Some(Meaning::Number(count))) => ThingIs::Counted(count),
                    (Some(Slot::Place), Some(_)) => ThingIs::Placed,
                    _ => continue,
                };
                let path = format!("items.{id}.{field}");
                self.thing(scope, name, |thing| Fact {
                    doubt: Doubt::Thing,
                    subject: name.to_owned(),
                    about: About::Thing(Thing { is, ..thing }),
                    is_touched: is_touched(scope, &path),
                    source: Source::State(path, rules::member(field, value)),
                });
            }
        }
    }

    fn secrets(&mut self, scope: &Scope<'_>) {
        for secret in scope.secrets {
            let names = scope.index.mentions(&secret.fact);
            let names: Vec<&str> = names
                .iter()
                .map(|name| &secret.fact[name.start..name.end])
                .collect();
            let quotation = rules::member("fact", &Value::from(secret.fact.as_str()));
            let side = Side::pointer(layout::truth(), secret.pointer.clone(), quotation);
            let terms = self.terms.add(Terms::of(&secret.fact, &names, scope.lang));
            self.add(
                &[],
                Fact {
                    doubt: Doubt::Secret,
                    subject: secret.id.clone(),
                    about: About::Secret(terms),
                    source: Source::Known(side),
                    is_touched: false,
                },
            );
        }
    }

    fn rules(&mut self, scope: &Scope<'_>) {
        for world in scope.world_rules {
            let rule = &world.rule;
            let terms = Terms::of(&rule.rule, &[], scope.lang);
            let laws = world.wordings().map(Terms::given).chain([terms]);
            let laws = laws.map(|law| self.terms.add(law)).collect();
            let quotation = rules::member("rule", &Value::from(rule.rule.as_str()));
            let pointer = format!("/rules/{}/rule", world.at);
            let side = Side::pointer(layout::world_rules(), pointer, quotation);
            // Whom the rule binds may break it in other words.
            let bound = world.bound(scope);
            let at = self.all.len();
            for id in bound {
                self.of_people.entry(id.to_owned()).or_default().push(at);
            }
            self.add(
                &[],
                Fact {
                    doubt: Doubt::Rule,
                    subject: rule.id.clone(),
                    about: About::Rule(laws),
                    source: Source::Known(side),
                    is_touched: false,
                },
            );
        }
    }

    fn day(&mut self, scope: &Scope<'_>) {
        let state = scope.past.state.as_ref();
        let marker = state.and_then(|state| state.get("world_state")?.get("time_marker"));
        if let Some(marker) = marker.filter(|marker| marker.is_string()) {
            let fact = Fact {
                doubt: Doubt::Day,
                subject: "time_marker".to_owned(),
                about: About::Day,
                source: Source::State(TIME_MARKER.to_owned(), rules::member("time_marker", marker)),
                is_touched: is_touched(scope, TIME_MARKER),
            };
            self.add(&[], fact);
        }
    }

    /// Names of known places, and of those people are recorded at.
    fn places(&mut self, scope: &Scope<'_>) {
        const LONGEST: usize = 12;
        let mut places: BTreeSet<(String, String)> = BTreeSet::new();
        for place in scope.places.iter() {
            for name in place.aliases.iter().chain([&place.name]) {
                places.insert((name.to_lowercase(), place.name.clone()));
            }
        }
        for fact in &self.all {
            if let About::Place(place) = &fact.about
                && place.chars().count() <= LONGEST * if place.is_ascii() { 2 } else { 1 }
            {
                places.insert((place.to_lowercase(), place.clone()));
            }
        }
        self.places = places
            .into_iter()
            .filter(|(name, _)| name.chars().count() > 1)
            .collect();
    }
}

/// Whether the chapter's own ops write a path.
fn is_touched(scope: &Scope<'_>, path: &str) -> bool {
    let own = scope.own.into_iter().flat_map(|own| &own.ops);
    own.map(Record::path).any(|other| {
        let rest = other
            .strip_prefix(path)
            .or_else(|| path.strip_prefix(other));
        !other.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

/// `剑` of `青锋剑`, `sextant` of `brass sextant`.
fn head_of(name: &str, lang: novel_model::Lang) -> Option<String> {
    match lang {
        novel_model::Lang::Zh => {
            let letters: Vec<char> = name.chars().collect();
            (letters.len() > 2).then(|| letters[letters.len() - 1].to_string())
        }
        novel_model::Lang::En => {
            let head = name.split(" of ").next()?.rsplit(' ').next()?;
            (head.len() > 2 && head != name).then(|| head.to_owned())
        }
    }
}
