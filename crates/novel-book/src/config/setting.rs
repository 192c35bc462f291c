//! Every setting with its value and where it comes from.

use serde_json::Value;

use super::{Config, Override};

/// Where a value comes from. Later ones win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Nobody set it.
    Default,
    /// `novel.toml`.
    File,
    /// An environment variable.
    Environment(&'static str),
}

/// One setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Its dotted key.
    pub key: String,
    /// Its value; null when there is none.
    pub value: Value,
    /// Where it comes from.
    pub origin: Origin,
}

/// Every setting in effect, sorted by key. `file` is the text of `novel.toml`, which has been read
/// before; `overridden` names the keys that the environment set.
#[must_use]
pub fn settings(config: &Config, file: &str, overridden: &[Override]) -> Vec<Setting> {
    let effective = serde_json::to_value(config).unwrap_or_default();
    let written: Value = toml::from_str(file).unwrap_or_default();
    let mut found = Vec::new();
    flatten("", &effective, &mut found);
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    found
        .into_iter()
        .map(|(key, value)| {
            let pointer = format!("/{}", key.replace('.', "/"));
            let variable = overridden.iter().find(|set| set.key() == key);
            let origin = match variable {
                Some(set) => Origin::Environment(set.variable()),
                None if written.pointer(&pointer).is_some() => Origin::File,
                None => Origin::Default,
            };
            Setting { key, value, origin }
        })
        .collect()
}

fn flatten(prefix: &str, value: &Value, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(object) if !object.is_empty() => {
            for (name, value) in object {
                let key = if prefix.is_empty() {
                    name.clone()
                } else {
                    format!("{prefix}.{name}")
                };
                flatten(&key, value, found);
            }
        }
        // A table nobody has filled has nothing to show.
        Value::Object(_) => {}
        value => found.push((prefix.to_owned(), value.clone())),
    }
}
