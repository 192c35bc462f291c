//! What the record has against somebody's place, rank, ties and knowledge, and against the day: for
//! claims and for the prose alike.

use novel_model::{Message, layout, message};
use serde_json::Value;

use super::{Scope, member};
use crate::{
    check::{
        dates,
        finding::{Finding, FindingCode, Side},
        secrets::Secret,
        time::Moment,
    },
    ledger::{Meaning, Slot, same_text, stands_differ},
};

/// A text that is longer than this is a sentence, and not compared.
pub(super) const LONGEST_NAME: usize = 24;

/// The field of the state that says when the story is.
const TIME_FIELD: &str = "time_marker";

/// One contradiction, without its place in the text.
pub(super) struct Clash {
    code: FindingCode,
    subject: String,
    other: Side,
    text: Message,
    about: Vec<String>,
}

impl Clash {
    pub(super) fn new(code: FindingCode, subject: String, other: Side, text: Message) -> Self {
        Self {
            code,
            subject,
            other,
            text,
            about: Vec::new(),
        }
    }

    pub(super) fn about(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.about.extend(names);
        self
    }

    /// The finding at a place of the text.
    pub(super) fn at(self, scope: &Scope<'_>, place: Side) -> Finding {
        let quotation = place.quotation.clone();
        let fix = message!(
            en: "rewrite “{quotation}” so that it agrees with the record",
            zh: "请改写「{quotation}」，使其与记录一致"
        );
        let subject = place.bound(&self.subject);
        Finding::new(
            self.code,
            scope.chapter,
            &subject,
            (place, self.other),
            self.text,
        )
        .about(self.about)
        .fix(scope.lang, &fix)
    }
}

/// Somebody is at a place.
pub(super) fn place(scope: &Scope<'_>, id: &str, told: &str) -> Option<Clash> {
    let (field, value, known) = recorded_place(scope, id)?;
    let path = format!("characters.{id}.{field}");
    let after = scope
        .after
        .as_ref()
        .and_then(|after| after.get("characters")?.get(id)?.get(field)?.as_str());
    // Whoever moves in the chapter is in both places in it.
    if touched(scope, &path) && after.is_none_or(|after| !differ(scope, after, told))
        || !differ(scope, known, told)
    {
        return None;
    }
    let (name, other) = (
        scope.display(id),
        scope.past.source(&path, member(field, value)),
    );
    let text = message!(
        en: "{name} is at {told} here, but at {known} in the record",
        zh: "{name}在此处位于{told}，而记录为{known}"
    );
    Some(Clash::new(FindingCode::PlaceContradicted, id.to_owned(), other, text).about([name]))
}

/// Somebody has a rank; `field` is the one a claim names.
pub(super) fn rank(scope: &Scope<'_>, id: &str, told: &str, asked: Option<&str>) -> Option<Clash> {
    let record = scope.past.character(id)?.as_object()?;
    let (field, value) = record.iter().find(|(field, _)| {
        Slot::of_field(field) == Some(Slot::Rank)
            && asked.is_none_or(|asked| asked == "rank" || field.as_str() == asked)
    })?;
    let known = value.as_str()?;
    let short = |text: &str| (1..=LONGEST_NAME).contains(&text.chars().count());
    // `金丹初期` and `金丹期` are one rank.
    let shared = told
        .chars()
        .zip(known.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let similar = same_text(told, known) || !told.is_ascii() && shared >= 2;
    if similar || !short(told) || !short(known) {
        return None;
    }
    rank_clash(scope, id, told, (field, value))
}

/// Somebody has another grade of the rank the record gives them.
pub(super) fn grade(scope: &Scope<'_>, id: &str, told: &str) -> Option<Clash> {
    let record = scope.past.character(id)?.as_object()?;
    let found = record
        .iter()
        .find(|(field, _)| Slot::of_field(field) == Some(Slot::Rank))?;
    rank_clash(scope, id, told, (found.0, found.1))
}

fn rank_clash(
    scope: &Scope<'_>,
    id: &str,
    told: &str,
    (field, value): (&str, &Value),
) -> Option<Clash> {
    let path = format!("characters.{id}.{field}");
    let known = value.as_str()?;
    if touched(scope, &path) {
        return None;
    }
    let (name, side) = (
        scope.display(id),
        scope.past.source(&path, member(field, value)),
    );
    let text = message!(
        en: "{name} is {told} here, but {known} in the record",
        zh: "{name}在此处为{told}，而记录为{known}"
    );
    let subject = format!("{id}.{field}");
    Some(Clash::new(FindingCode::RankContradicted, subject, side, text).about([name]))
}

/// What the record says of how somebody stands to somebody: the field, the value, the stand.
fn recorded_stand<'s>(
    scope: &'s Scope<'_>,
    id: &str,
    other: &str,
) -> Option<(&'s str, &'s Value, i8)> {
    let record = scope.past.character(id)?.as_object()?;
    record.iter().find_map(|(field, value)| {
        if Slot::of_field(field) != Some(Slot::Relation) {
            return None;
        }
        if value.is_string() {
            // `enemy of Orla`.
            let (with, stand) = stand_in(scope, id, value)?;
            return (with == other).then_some((field.as_str(), value, stand));
        }
        let known = value
            .as_object()?
            .iter()
            .find(|(name, _)| scope.person(name) == Some(other))?
            .1;
        let stand = match known {
            Value::Number(number) => number.as_f64().and_then(|number| {
                if number >= 30.0 {
                    Some(1)
                } else if number <= -30.0 {
                    Some(-1)
                } else {
                    None
                }
            }),
            _ => match Meaning::of(Slot::Relation, field, known)? {
                Meaning::Stand(stand) => Some(stand),
                _ => None,
            },
        };
        Some((field.as_str(), known, stand?))
    })
}

/// Somebody stands to somebody in a way.
pub(super) fn relation(scope: &Scope<'_>, id: &str, other: &str, stand: i8) -> Option<Clash> {
    let (field, value, known) = recorded_stand(scope, id, other)?;
    let path = format!("characters.{id}.{field}");
    if !stands_differ(stand, known) || touched(scope, &path) {
        return None;
    }
    let (a, b) = (scope.display(id), scope.display(other));
    let side = scope.past.source(&path, member(other, value));
    let text = message!(
        en: "the record gives {a} and {b} another relationship",
        zh: "{a}与{b}的关系与记录不符"
    );
    let subject = format!("{id}.{other}");
    Some(Clash::new(FindingCode::RelationContradicted, subject, side, text).about([a]))
}

/// With whom, and how: `{"with": "陈老", "value": "敌人"}`, `{"陈老": "敌人"}`, `陈老的敌人`.
pub(super) fn stand_in(scope: &Scope<'_>, id: &str, value: &Value) -> Option<(String, i8)> {
    let read = |value: &Value| match Meaning::of(Slot::Relation, "relation", value)? {
        Meaning::Stand(stand) => Some(stand),
        _ => None,
    };
    match value {
        Value::Object(members) => {
            let other = ["with", "to", "of", "target", "person", "other", "character"]
                .iter()
                .find_map(|key| scope.person(members.get(*key)?.as_str()?));
            let stand = ["value", "relation", "type", "is", "stand"]
                .iter()
                .find_map(|key| read(members.get(*key)?));
            if let (Some(other), Some(stand)) = (other, stand) {
                return Some((other.to_owned(), stand));
            }
            members
                .iter()
                .find_map(|(name, value)| Some((scope.person(name)?.to_owned(), read(value)?)))
        }
        Value::String(text) => {
            let other = scope
                .index
                .mentions(text)
                .into_iter()
                .find(|mention| mention.id != id)
                .map(|mention| {
                    (
                        mention.id.to_owned(),
                        text[..mention.start].to_owned() + " " + &text[mention.end..],
                    )
                });
            let other = other.or_else(|| {
                let (name, rest) = text.split_once([':', '：', '=', ' '])?;
                Some((scope.person(name)?.to_owned(), rest.to_owned()))
            })?;
            let word = other
                .1
                .replace("与", "")
                .replace("和", "")
                .replace("为", "")
                .replace("的", "")
                .replace("是", "");
            let word = word
                .trim()
                .trim_end_matches(" of")
                .trim_end_matches(" with")
                .trim_end_matches(" to")
                .trim();
            Some((other.0, read(&Value::from(word))?))
        }
        _ => None,
    }
}

/// Somebody knows a secret.
pub(super) fn knows(scope: &Scope<'_>, id: &str, secret: &Secret) -> Option<Clash> {
    let knows = secret
        .known_by
        .iter()
        .any(|(knower, from)| scope.person(knower) == Some(id) && *from <= scope.chapter.get());
    // A secret about oneself is no secret to oneself, unless the record says since when.
    let listed = secret
        .known_by
        .iter()
        .any(|(knower, _)| scope.person(knower) == Some(id));
    let own = scope
        .index
        .mentions(&secret.fact)
        .first()
        .is_some_and(|mention| mention.id == id && mention.start == 0);
    if knows || own && !listed || has_learnt(scope, id, &secret.fact) {
        return None;
    }
    let name = scope.display(id);
    let quotation = member("fact", &Value::from(secret.fact.as_str()));
    let side = Side::pointer(layout::truth(), secret.pointer.clone(), quotation);
    let what = &secret.fact;
    let text = message!(
        en: "{name} knows “{what}” before it was revealed to them",
        zh: "{name}此时尚不应知道“{what}”"
    );
    let subject = format!("{id}.{}", secret.id);
    Some(Clash::new(FindingCode::KnownBeforeRevealed, subject, side, text).about([name]))
}

/// Whether the record, or the chapter's own delta, lets somebody know a fact.
fn has_learnt(scope: &Scope<'_>, id: &str, fact: &str) -> bool {
    fn says(value: &Value, fact: &str) -> bool {
        match value {
            Value::String(text) => same_text(text, fact),
            Value::Array(list) => list.iter().any(|entry| says(entry, fact)),
            Value::Object(members) => members
                .iter()
                .any(|(key, value)| same_text(key, fact) || says(value, fact)),
            _ => false,
        }
    }
    let records = [
        scope.past.character(id),
        scope
            .after
            .as_ref()
            .and_then(|after| after.get("characters")?.get(id)),
    ];
    records
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .flatten()
        .any(|(field, value)| Slot::of_field(field) == Some(Slot::Knows) && says(value, fact))
}

/// The chapter plays on a day.
pub(super) fn day(scope: &Scope<'_>, told: &str) -> Option<Clash> {
    let line = &scope.own?.storyline;
    let (known, side) = match scope.past.markers.get(line) {
        Some(record) => (record.value()?.as_str()?.to_owned(), record.side()),
        None => {
            let world = scope.past.state.as_ref()?.get("world_state")?.as_object()?;
            let (field, known) = world
                .get_key_value(TIME_FIELD)
                .or_else(|| {
                    world
                        .iter()
                        .find(|(field, _)| Slot::of_field(field) == Some(Slot::Day))
                })
                .filter(|(field, _)| !touched(scope, &format!("world_state.{field}")))?;
            (
                known.as_str()?.to_owned(),
                scope
                    .past
                    .source(&format!("world_state.{field}"), member(field, known)),
            )
        }
    };
    let order = Moment::loose(told)
        .zip(Moment::loose(&known))
        .and_then(|(told, known)| told.order_in_unit(&known));
    let before = match order {
        Some(order) => order == std::cmp::Ordering::Less,
        None => dates::alone(told, scope.lang)
            .zip(dates::of_marker(&known, scope.lang))
            .is_some_and(|(told, known)| told.is_before(&known)),
    };
    if !before {
        return None;
    }
    let text = message!(
        en: "the chapter plays on “{told}”, but the story was at “{known}” before",
        zh: "本章的时间为“{told}”，而此前已到“{known}”"
    );
    Some(Clash::new(
        FindingCode::DayContradicted,
        told.to_owned(),
        side,
        text,
    ))
}

/// Whether two names are surely two places.
pub(in crate::check) fn differ(scope: &Scope<'_>, a: &str, b: &str) -> bool {
    match scope.places.same(a, b) {
        Some(same) => !same,
        None => {
            let known = |name: &str| {
                scope.places.id_of(name).is_some() || is_town(name) || scope.past.knows_place(name)
            };
            known(a) && known(b)
        }
    }
}

/// A name that says itself that it is a town, a mountain, a country.
fn is_town(name: &str) -> bool {
    let name = name.trim();
    let length = name.chars().count();
    if name.is_ascii() {
        return length <= LONGEST_NAME
            && !name.is_empty()
            && name
                .split(' ')
                .all(|word| word.starts_with(char::is_uppercase));
    }
    (2..=5).contains(&length)
        && name.ends_with([
            '城', '镇', '村', '关', '州', '府', '京', '都', '国', '山', '岛', '谷', '宗', '寺',
            '港', '县', '郡', '省', '市', '乡', '寨', '海',
        ])
}

pub(super) fn recorded_place<'s>(
    scope: &'s Scope<'_>,
    id: &str,
) -> Option<(&'s str, &'s Value, &'s str)> {
    let record = scope.past.character(id)?.as_object()?;
    record.iter().find_map(|(field, value)| {
        (Slot::of_field(field) == Some(Slot::Place)).then_some((
            field.as_str(),
            value,
            value.as_str()?,
        ))
    })
}

/// Whether the chapter's own ops change what stands at a path or below it.
pub(in crate::check) fn touched(scope: &Scope<'_>, path: &str) -> bool {
    scope.own.is_some_and(|own| {
        own.ops.iter().any(|op| {
            let changed = op.path();
            changed == path
                || changed
                    .strip_prefix(path)
                    .is_some_and(|rest| rest.starts_with('.'))
        })
    })
}
