//! Carries a change of a typed value over to the raw document it was read from.
//!
//! Three values take part: the document as written, and the typed value before and
//! after the change. Only what differs between the last two is touched, so that
//! unknown fields, key order, left-out defaults and the form of numbers survive.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Other names a key may have in files: (name in the type, name in the file).
pub(crate) type Aliases = &'static [(&'static str, &'static str)];

/// Changes `raw` as `before` was changed to `after`.
pub(crate) fn merge(raw: &mut Value, before: &Value, after: &Value, aliases: Aliases) {
    if before == after {
        return;
    }
    match (&mut *raw, before, after) {
        (Value::Object(raw), Value::Object(before), Value::Object(after)) => {
            merge_object(raw, before, after, aliases);
        }
        (Value::Array(raw), Value::Array(before), Value::Array(after))
            if raw.len() == before.len() =>
        {
            *raw = merge_array(raw, before, after, aliases);
        }
        (raw, _, after) => raw.clone_from(after),
    }
}

fn merge_object(
    raw: &mut Map<String, Value>,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    aliases: Aliases,
) {
    for key in before.keys().filter(|key| !after.contains_key(*key)) {
        let written = written_key(raw, key, aliases);
        // `remove` would move the last key into the gap.
        raw.shift_remove(&written);
    }
    for (key, new) in after {
        let old = before.get(key);
        if old == Some(new) {
            continue;
        }
        let written = written_key(raw, key, aliases);
        match (raw.get_mut(&written), old) {
            (Some(raw), Some(old)) => merge(raw, old, new, aliases),
            _ => {
                raw.insert(written, new.clone());
            }
        }
    }
}

/// The name under which the document holds `key`.
fn written_key(raw: &Map<String, Value>, key: &str, aliases: Aliases) -> String {
    let alias = || {
        aliases
            .iter()
            .find(|(name, alias)| *name == key && raw.contains_key(*alias))
    };
    if raw.contains_key(key) {
        key.to_owned()
    } else {
        alias().map_or(key, |(_, alias)| alias).to_owned()
    }
}

fn merge_array(raw: &[Value], before: &[Value], after: &[Value], aliases: Aliases) -> Vec<Value> {
    let origins = origins(before, after);
    after
        .iter()
        .zip(origins)
        .map(|(new, origin)| match origin {
            Some(index) => {
                let mut element = raw[index].clone();
                merge(&mut element, &before[index], new, aliases);
                element
            }
            None => new.clone(),
        })
        .collect()
}

/// For every element of `after`, the element of `before` it came from.
fn origins(before: &[Value], after: &[Value]) -> Vec<Option<usize>> {
    match (ids(before), ids(after)) {
        (Some(before_ids), Some(after_ids)) => {
            let (old, new) = (places(&before_ids), places(&after_ids));
            let after = after_ids.iter().enumerate();
            after
                .map(|(index, id)| {
                    old.get(id).copied().or_else(|| {
                        // An element that only changed its id stays where it was.
                        before_ids
                            .get(index)
                            .is_some_and(|old| !new.contains_key(old))
                            .then_some(index)
                    })
                })
                .collect()
        }
        _ => origins_by_place(before, after),
    }
}

/// The ids of all elements, if every one has its own.
fn ids(elements: &[Value]) -> Option<Vec<String>> {
    let id = |element: &Value| Some(element.get("id").filter(|id| !id.is_null())?.to_string());
    let ids: Vec<String> = elements.iter().map(id).collect::<Option<_>>()?;
    (places(&ids).len() == ids.len()).then_some(ids)
}

/// Where each id stands.
fn places(ids: &[String]) -> BTreeMap<&String, usize> {
    let ids = ids.iter().enumerate();
    ids.map(|(index, id)| (id, index)).collect()
}

/// Equal elements at both ends stay; what lies between is matched in order.
fn origins_by_place(before: &[Value], after: &[Value]) -> Vec<Option<usize>> {
    let shorter = before.len().min(after.len());
    let start = (0..shorter)
        .take_while(|&index| before[index] == after[index])
        .count();
    let end = (1..=shorter - start)
        .take_while(|back| before[before.len() - back] == after[after.len() - back])
        .count();
    (0..after.len())
        .map(|index| {
            if index >= after.len() - end {
                Some(before.len() - (after.len() - index))
            } else {
                (index < before.len() - end).then_some(index)
            }
        })
        .collect()
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
