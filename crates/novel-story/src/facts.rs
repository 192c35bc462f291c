//! Whether two records of the story say the same.
//!
//! Values are compared where a comparison proves something: numbers, truth values, lists and short
//! facts such as a place. Feelings and notes are prose, relationships are degrees: two wordings of
//! them are no contradiction.

use serde_json::Value;

/// Fields whose values are facts with one wording. Other texts are not compared.
const FACTS: [&str; 8] = [
    "location",
    "status",
    "life_status",
    "faction",
    "rank",
    "realm",
    "level",
    "identity",
];

/// Whether what was found is what was wanted; `None` when that cannot be told. `called` gives the
/// name of a place or a faction for its id.
pub(crate) fn agrees(
    key: &str,
    wanted: &Value,
    found: &Value,
    called: impl Fn(&str) -> String,
) -> Option<bool> {
    match (wanted, found) {
        (Value::Bool(wanted), Value::Bool(found)) => Some(wanted == found),
        (Value::Number(wanted), Value::Number(found)) => Some(wanted.as_f64() == found.as_f64()),
        (Value::String(wanted), Value::String(found)) if FACTS.contains(&key) => {
            same_fact(&called(wanted), &called(found))
        }
        (Value::Array(wanted), Value::Array(found)) => {
            let names: Vec<&str> = found.iter().filter_map(item_name).collect();
            let mut wanted = wanted
                .iter()
                .map(|entry| item_name(entry).map(|name| has(&names, name)));
            wanted.try_fold(true, |all, one| Some(all && one?))
        }
        _ => None,
    }
}

/// The name of a thing that is carried: a text, or an object with a name.
pub(crate) fn item_name(entry: &Value) -> Option<&str> {
    let name = match entry {
        Value::String(name) => name,
        Value::Object(item) => item
            .get("display_name")
            .or_else(|| item.get("name"))?
            .as_str()?,
        _ => return None,
    };
    Some(name.trim()).filter(|name| !name.is_empty())
}

/// `-name` must be gone, `+name` and `name` must be there.
fn has(names: &[&str], wanted: &str) -> bool {
    match wanted.strip_prefix('-') {
        Some(gone) => !names.contains(&gone.trim()),
        None => names.contains(&wanted.trim_start_matches('+').trim()),
    }
}

/// A place inside another is the same place: `魔都` and `魔都·外滩`. Sentences are not compared.
fn same_fact(wanted: &str, found: &str) -> Option<bool> {
    const LONGEST_FACT: usize = 24;
    let plain = |text: &str| -> String {
        let kept = text.chars().filter(|char| char.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    let (wanted, found) = (plain(wanted), plain(found));
    let is_fact = |text: &str| (1..=LONGEST_FACT).contains(&text.chars().count());
    (is_fact(&wanted) && is_fact(&found))
        .then(|| wanted.contains(&found) || found.contains(&wanted))
}
