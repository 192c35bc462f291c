//! Claims about things: who has them, how many there are, whether they are whole.

use novel_model::message;
use serde_json::Value;

use super::{
    super::{
        Scope,
        against::{differ, touched},
        member,
    },
    Case,
};
use crate::{
    check::finding::{Finding, FindingCode, Side},
    ledger::{Meaning, Slot, Thing, same_text, same_thing, things},
};

impl Case<'_, '_> {
    /// A claim about a thing of the state, or about the day.
    pub(super) fn thing(&self) -> Vec<Finding> {
        let scope = self.scope;
        if self.slot == Slot::Day {
            return self.day().into_iter().collect();
        }
        let Some((id, name, record)) = item(scope, &self.claim.subject) else {
            return Vec::new();
        };
        if touched(scope, &format!("items.{id}")) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (field, value) in record.as_object().into_iter().flatten() {
            let slot = slot_of_thing(field);
            let side = || {
                scope
                    .past
                    .source(&format!("items.{id}.{field}"), member(field, value))
            };
            let claimed = Meaning::of(self.slot, &self.claim.slot, &self.claim.value);
            let known = slot.and_then(|slot| Meaning::of(slot, field, value));
            match (self.slot, slot, claimed, known) {
                (
                    Slot::Count,
                    Some(Slot::Count),
                    Some(Meaning::Number(told)),
                    Some(Meaning::Number(count)),
                ) if told != count => {
                    found.push(self.finding(
                        FindingCode::ItemCountMismatch,
                        name,
                        side(),
                        message!(
                            en: "there are {told} of `{name}` here, but {count} in the record",
                            zh: "“{name}”在此处为 {told} 件，而记录为 {count} 件"
                        ),
                    ));
                }
                (
                    Slot::Holder,
                    Some(Slot::Holder),
                    Some(Meaning::Name(told)),
                    Some(Meaning::Name(holder)),
                ) => {
                    if let (Some(told), Some(holder)) = (scope.person(&told), scope.person(&holder))
                        && told != holder
                    {
                        found.push(self.held(told, name, holder, side()));
                    }
                }
                (
                    Slot::Intact,
                    Some(Slot::Intact),
                    Some(Meaning::Intact(true)),
                    Some(Meaning::Intact(false)),
                ) => {
                    found.push(self.destroyed(name, side()));
                }
                (
                    Slot::Place,
                    Some(Slot::Place),
                    Some(Meaning::Name(told)),
                    Some(Meaning::Name(known)),
                ) if differ(scope, &told, &known) => {
                    found.push(self.finding(
                        FindingCode::PlaceContradicted,
                        name,
                        side(),
                        message!(
                            en: "`{name}` is at {told} here, but at {known} in the record",
                            zh: "“{name}”在此处位于{told}，而记录为{known}"
                        ),
                    ));
                }
                _ => {}
            }
        }
        found
    }

    pub(super) fn holding(&self, id: &str, thing: &Thing) -> Option<Finding> {
        let scope = self.scope;
        let name = thing.name.as_str();
        if brings(scope, id, name) {
            return None;
        }
        let display = scope.display(id);
        let given = scope
            .past
            .given
            .iter()
            .find(|((owner, item), _)| owner == id && same_text(item, name));
        if let Some(((_, item), record)) = given
            && !has(scope, id, item)
        {
            let chapter = record.chapter.get();
            return Some(self.finding(
                FindingCode::ItemUsedAfterGivenAway,
                &format!("{id}.{item}"),
                record.side(),
                message!(
                    en: "{display} has `{item}`, which left their hands in chapter {chapter}",
                    zh: "{display}持有“{item}”，而该物品已在第 {chapter} 章离手"
                ),
            ));
        }
        if let Some((item_id, item, record)) = item(scope, name)
            && !touched(scope, &format!("items.{item_id}"))
        {
            for (field, value) in record.as_object().into_iter().flatten() {
                let slot = slot_of_thing(field);
                let side = || {
                    scope
                        .past
                        .source(&format!("items.{item_id}.{field}"), member(field, value))
                };
                match slot.and_then(|slot| Meaning::of(slot, field, value)) {
                    Some(Meaning::Intact(false)) => return Some(self.destroyed(item, side())),
                    Some(Meaning::Name(holder)) if slot == Some(Slot::Holder) => {
                        if let Some(holder) = scope.person(&holder).filter(|holder| *holder != id) {
                            return Some(self.held(id, item, holder, side()));
                        }
                    }
                    Some(Meaning::Number(count))
                        if slot == Some(Slot::Count)
                            && thing.count.is_some_and(|told| told > count) =>
                    {
                        return Some(self.count(item, thing.count.unwrap_or(0), count, side()));
                    }
                    _ => {}
                }
            }
        }
        self.in_hands(id, thing)
    }

    /// Against everybody's inventories: how many, and whether somebody else has it.
    fn in_hands(&self, id: &str, thing: &Thing) -> Option<Finding> {
        let scope = self.scope;
        let records = scope.past.state.as_ref()?.get("characters")?.as_object()?;
        let mut elsewhere = None;
        for (owner, record) in records {
            for (field, value) in record.as_object().into_iter().flatten() {
                if Slot::of_field(field) != Some(Slot::Holds) {
                    continue;
                }
                let side = || {
                    scope
                        .past
                        .source(&format!("characters.{owner}.{field}"), member(field, value))
                };
                for known in things(value) {
                    let same = same_thing(&known.name, &thing.name)
                        || known.name.len() > 6 && same_text(&known.name, &thing.name);
                    if !same {
                        continue;
                    }
                    if owner == id {
                        return match (thing.count, known.count) {
                            (Some(told), Some(count)) if told != count => {
                                Some(self.count(&known.name, told, count, side()))
                            }
                            _ => None,
                        };
                    }
                    elsewhere = Some((owner.clone(), known, side()));
                }
            }
        }
        let (owner, known, side) = elsewhere?;
        // A common word is not one thing: there may be two daggers.
        let single = known.count.is_none()
            && thing.count.is_none()
            && (item(scope, &known.name).is_some()
                || known.name.chars().count() >= 3 && !known.name.is_ascii()
                || known.name.split(' ').count() >= 2);
        single.then(|| self.held(id, &known.name, &owner, side))
    }

    fn held(&self, id: &str, item: &str, holder: &str, side: Side) -> Finding {
        let (name, holder) = (self.scope.display(id), self.scope.display(holder));
        self.finding(
            FindingCode::ItemHeldByAnother,
            &format!("{id}.{item}"),
            side,
            message!(
                en: "{name} has `{item}`, which {holder} holds",
                zh: "{name}持有“{item}”，而该物品在{holder}手中"
            ),
        )
    }

    fn destroyed(&self, item: &str, side: Side) -> Finding {
        self.finding(
            FindingCode::ItemUsedAfterDestroyed,
            item,
            side,
            message!(
                en: "`{item}` is intact here, but no longer exists in the record",
                zh: "“{item}”在此处完好，而记录中已经毁坏或遗失"
            ),
        )
    }

    fn count(&self, item: &str, told: u32, count: u32, side: Side) -> Finding {
        self.finding(
            FindingCode::ItemCountMismatch,
            item,
            side,
            message!(
                en: "there are {told} of `{item}` here, but {count} in the record",
                zh: "“{item}”在此处为 {told} 件，而记录为 {count} 件"
            ),
        )
    }
}

/// Whether the chapter itself brings somebody a thing.
fn brings(scope: &Scope<'_>, id: &str, name: &str) -> bool {
    scope.own.is_some_and(|own| {
        own.ops.iter().any(|op| {
            matches!(op.verb(), "add" | "set")
                && op
                    .path()
                    .strip_prefix("characters.")
                    .and_then(|path| path.split('.').next())
                    == Some(id)
                && op.value().is_some_and(|value| {
                    things(value)
                        .iter()
                        .any(|thing| same_text(&thing.name, name))
                })
        })
    })
}

fn has(scope: &Scope<'_>, id: &str, name: &str) -> bool {
    let record = scope.past.character(id).and_then(Value::as_object);
    record.into_iter().flatten().any(|(field, value)| {
        Slot::of_field(field) == Some(Slot::Holds)
            && things(value).iter().any(|thing| thing.name == name)
    })
}

/// An item of the state by id or name.
fn item<'s>(scope: &'s Scope<'_>, name: &str) -> Option<(&'s str, &'s str, &'s Value)> {
    let items = scope.past.state.as_ref()?.get("items")?.as_object()?;
    items.iter().find_map(|(id, record)| {
        let display = ["display_name", "name"]
            .iter()
            .find_map(|key| record.get(*key)?.as_str())
            .unwrap_or(id);
        let aliases = record
            .get("aliases")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        let mut names = aliases.chain([display, id.as_str()]);
        names
            .any(|known| same_thing(known, name))
            .then_some((id.as_str(), display, record))
    })
}

/// What a field says of a thing: its status is whether it is whole.
fn slot_of_thing(field: &str) -> Option<Slot> {
    if matches!(field, "status" | "state") {
        Some(Slot::Intact)
    } else {
        Slot::of_field(field)
    }
}
