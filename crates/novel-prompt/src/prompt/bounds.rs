//! What an answer has to keep to, read from the packet, so that its schema can say it.

use novel_model::files::ForeshadowAction;
use serde_json::{Map, Value};

use super::{
    Item, PromptError,
    output::{NewcomerBounds, PlanBounds},
};
use novel_book::config::PlanMaterial;

/// A name longer than this is no name.
const LONGEST_NAME: usize = 40;

/// The bounds of a plan; `None` when the packet does not say which chapters are to be planned.
pub(super) fn of_plan(
    items: &[Item],
    inline: &Map<String, Value>,
) -> Result<Option<PlanBounds>, PromptError> {
    let number = |field: &str| {
        let number = inline.get(field).and_then(Value::as_u64);
        number.and_then(|number| u32::try_from(number).ok())
    };
    let (Some(first), Some(last)) = (number("first_chapter"), number("last_chapter")) else {
        return Ok(None);
    };
    let is_known = inline.get("material") == Some(&PlanMaterial::Known.word().into());
    let name_of = |record: &Value, key: &str| Some(record.get(key)?.as_str()?.trim().to_owned());
    let mut people = Vec::new();
    for record in records(items, "characters")? {
        people.extend(name_of(&record, "display_name"));
    }
    let listed = |field: &str, list: &str, keep: fn(&Value) -> bool| -> Result<_, PromptError> {
        let mut ids = Vec::new();
        for record in records(items, field)? {
            let entries = record.get(list).and_then(Value::as_array);
            let kept = entries.into_iter().flatten().filter(|entry| keep(entry));
            ids.extend(kept.filter_map(|entry| name_of(entry, "id")));
        }
        Ok(ids)
    };
    Ok(Some(PlanBounds {
        chapters: (first, last.max(first)),
        volume_last: number("volume_last_chapter").unwrap_or(last).max(last),
        material: if is_known {
            PlanMaterial::Known
        } else {
            PlanMaterial::Open
        },
        opens_lines: inline.get("trial") != Some(&true.into()),
        people: plain(people),
        lines: plain(listed("storylines", "storylines", |_| true)?),
        rules: plain(listed("world_rules", "rules", |_| true)?),
        open_seeds: plain(listed("foreshadowing", "foreshadowing", |item| {
            item.get("status") != Some(&ForeshadowAction::Resolved.word().into())
        })?),
    }))
}

/// Whom a plan brings; `None` when the packet does not say it.
pub(super) fn of_newcomers(items: &[Item]) -> Result<Option<NewcomerBounds>, PromptError> {
    let files = records(items, "new_characters")?;
    let people: Vec<&Value> = files
        .iter()
        .filter_map(|file| file.get("characters")?.as_array())
        .flatten()
        .collect();
    let listed = |key: &str| {
        let said = people.iter().filter_map(|person| person.get(key)?.as_str());
        plain(said.map(|text| text.trim().to_owned()).collect())
    };
    let count = u32::try_from(people.len()).unwrap_or(u32::MAX);
    Ok((count > 0).then(|| NewcomerBounds {
        count,
        ids: listed("id"),
        names: listed("display_name"),
    }))
}

/// The files under a field.
fn records(items: &[Item], field: &str) -> Result<Vec<Value>, PromptError> {
    let Some(item) = items.iter().find(|item| item.field == field) else {
        return Ok(Vec::new());
    };
    let parse = |text: &str| serde_json::from_str(text).map_err(|_| item.broken());
    item.parts.iter().map(|part| parse(&part.content)).collect()
}

/// Names for a schema, which stands outside of every wrapper; `None` when one of them is a text
/// rather than a name.
fn plain(names: Vec<String>) -> Option<Vec<String>> {
    let is_name = |name: &String| {
        let mut chars = name.chars();
        !name.is_empty()
            && name.chars().count() <= LONGEST_NAME
            && !chars.any(|char| char.is_control() || matches!(char, '<' | '>'))
    };
    names.iter().all(is_name).then_some(names)
}
