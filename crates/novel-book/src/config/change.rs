//! Changes of one setting in the text of `novel.toml`: comments, order and everything else stay.

use novel_model::{ErrorTable, Kind, Message, Row, message, nearest};
use toml_edit::{Array, Document, DocumentMut, Formatted, Item, Key, Table, TableLike, Value};

use super::{
    Config, ConfigError,
    key::{Values, setting_keys, values_of},
};

/// What is done to a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingChange<'a> {
    /// It gets this value, as it is typed on a command line.
    Set(&'a str),
    /// It is taken out, so that the default holds.
    Unset,
}

/// A setting that was changed.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangedSetting {
    /// The new text of `novel.toml`.
    pub text: String,
    /// The value the file had before; null where it had none.
    pub before: serde_json::Value,
    /// The value the file has now; null where it has none.
    pub after: serde_json::Value,
}

/// Why a setting is not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// No setting has this key.
    #[error("there is no setting `{key}`")]
    Unknown {
        /// Dotted key given on the command line.
        key: String,
        /// The key that looks most like it.
        nearest: Option<String>,
    },
    /// The key is a table of settings.
    #[error("`{key}` is a table of settings")]
    Table {
        /// Dotted name of the table.
        key: String,
        /// Dotted name of a setting in the table.
        example: String,
    },
    /// The setting does not take this value.
    #[error("`{key}` does not take this value")]
    Value {
        /// Dotted key of the setting.
        key: String,
        /// The value, where it may be shown.
        value: Option<String>,
        /// Allowed values, in words.
        allowed: Message,
    },
    /// Half of a price would be left.
    #[error("`{key}` cannot be taken out alone")]
    Price {
        /// Dotted key below `[prices]`.
        key: String,
        /// The key of the whole price.
        price: String,
    },
    /// `novel.toml` itself is damaged.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// A value that was read from a command line.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Candidate {
    Text(String),
    Whole(i64),
    Decimal(f64),
    Texts(Vec<String>),
}

impl Candidate {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// A list of texts in TOML.
    pub(super) fn texts(text: &str) -> Option<Self> {
        let value: Value = text.parse().ok()?;
        let texts = value.as_array()?.iter();
        texts
            .map(|text| text.as_str().map(str::to_owned))
            .collect::<Option<Vec<_>>>()
            .map(Self::Texts)
    }

    fn into_value(self) -> Value {
        match self {
            Self::Text(text) => text.into(),
            Self::Whole(number) => number.into(),
            Self::Decimal(number) => Value::Float(Formatted::new(number)),
            Self::Texts(texts) => Value::Array(texts.into_iter().collect::<Array>()),
        }
    }
}

/// The text of `novel.toml` with one setting changed. `agents` are the agents that may have a model.
///
/// # Errors
/// When there is no such setting, or it does not take the value.
pub fn change_setting(
    text: &str,
    key: &str,
    change: SettingChange<'_>,
    agents: &[&str],
) -> Result<ChangedSetting, SettingError> {
    Config::parse(text)?;
    let parsed = Key::parse(key).unwrap_or_default();
    let parts: Vec<String> = parsed.iter().map(|part| part.get().to_owned()).collect();
    let before = written(text, &place(text, parts.clone()));
    let changed = match (change, parts.as_slice()) {
        (SettingChange::Unset, [table, _]) if table == "prices" || table == "fallback" => {
            without_entry(text, &parts)
        }
        (SettingChange::Unset, [table, model, price])
            if table == "prices" && ["input", "output"].contains(&price.as_str()) =>
        {
            return Err(SettingError::Price {
                key: key.to_owned(),
                price: format!("prices.\"{model}\""),
            });
        }
        (SettingChange::Unset, _) => {
            values(key, &parts, agents)?;
            without(text, &place(text, parts.clone()))
        }
        (SettingChange::Set(value), _) => {
            let values = values(key, &parts, agents)?;
            let refused = || SettingError::Value {
                key: key.to_owned(),
                value: values.may_be_shown().then(|| value.to_owned()),
                allowed: values.allowed(),
            };
            let parsed = values.parse(value).ok_or_else(refused)?;
            let mut document: DocumentMut = text.parse().map_err(|_| refused())?;
            set(&mut document, &place(text, parts.clone()), parsed);
            Some(document.to_string())
        }
    };
    let changed = changed.map_or_else(
        || text.to_owned(),
        |changed| with_line_ends_of(text, &changed),
    );
    Config::parse(&changed)?;
    Ok(ChangedSetting {
        before,
        after: written(&changed, &place(&changed, parts)),
        text: changed,
    })
}

/// The value at a place of the file.
fn written(text: &str, parts: &[String]) -> serde_json::Value {
    let file: serde_json::Value = toml::from_str(text).unwrap_or_default();
    let value = parts.iter().try_fold(&file, |value, part| value.get(part));
    value.cloned().unwrap_or_default()
}

/// The values the key with these parts takes.
fn values(key: &str, parts: &[String], agents: &[&str]) -> Result<Values, SettingError> {
    if let Some(values) = values_of(parts, agents) {
        return Ok(values);
    }
    let keys = setting_keys(agents);
    let table = format!("{key}.");
    let example = match keys.iter().find(|known| known.starts_with(&table)) {
        Some(example) => Some(example.clone()),
        None if parts.first().is_some_and(|first| first == "prices") => {
            Some("prices.\"MODEL\".input".to_owned())
        }
        None => None,
    };
    let key = key.to_owned();
    Err(match example {
        Some(example) => SettingError::Table { key, example },
        None => {
            // The last part alone tells what was meant where the table was left out.
            let near = nearest(&key, keys.iter().map(String::as_str));
            let ends = format!(".{key}");
            let within = keys.iter().find(|known| known.ends_with(&ends));
            SettingError::Unknown {
                nearest: within.cloned().or_else(|| near.map(str::to_owned)),
                key,
            }
        }
    })
}

/// Where a setting stands in this file: `drafting` is a word, or the `mode` of a table.
fn place(text: &str, mut parts: Vec<String>) -> Vec<String> {
    let table: toml::Table = toml::from_str(text).unwrap_or_default();
    let is_table = table.get("drafting").is_some_and(toml::Value::is_table);
    let names: Vec<&str> = parts.iter().map(String::as_str).collect();
    match (names.as_slice(), is_table) {
        (["drafting"], true) => parts.push("mode".to_owned()),
        (["drafting", "mode"], false) => parts.truncate(1),
        _ => {}
    }
    parts
}

fn set(document: &mut DocumentMut, parts: &[String], value: Candidate) {
    let is_new = |first: &String| document.get(first).is_none_or(|item| !item.is_table_like());
    let makes_table = parts.len() > 1 && parts.first().is_some_and(is_new);
    // Comments after the last line belong to the table above them, not to a new one.
    let above = if makes_table {
        let trailing = document.trailing().as_str().unwrap_or_default().trim_end();
        let above = match (trailing, document.is_empty()) {
            ("", true) => String::new(),
            ("", false) => "\n".to_owned(),
            (trailing, _) => format!("{trailing}\n\n"),
        };
        document.set_trailing("");
        above
    } else {
        "\n".to_owned()
    };
    set_in(document.as_table_mut(), parts, value.into_value(), &above);
}

/// Sets a value in a table; tables on the way are made, with `above` before their headers.
fn set_in(table: &mut dyn TableLike, parts: &[String], value: Value, above: &str) {
    match parts {
        [] => {}
        [key] => match table.get_mut(key).and_then(Item::as_value_mut) {
            Some(old) => {
                let decor = old.decor().clone();
                *old = value;
                *old.decor_mut() = decor;
            }
            None => {
                table.insert(key, Item::Value(value));
            }
        },
        [name, rest @ ..] => {
            if !table.get(name).is_some_and(Item::is_table_like) {
                let mut new = Table::new();
                new.set_implicit(rest.len() > 1);
                new.decor_mut().set_prefix(above);
                // `drafting = "scenes"` becomes the mode of the table.
                if let Some(word) = table.remove(name).as_ref().and_then(Item::as_str) {
                    new.insert("mode", toml_edit::value(word));
                }
                table.insert(name, Item::Table(new));
            }
            if let Some(inner) = table.get_mut(name).and_then(Item::as_table_like_mut) {
                set_in(inner, rest, value, above);
            }
        }
    }
}

/// The text without the line of a setting; comments above the line stay.
fn without(text: &str, parts: &[String]) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let (last, tables) = parts.split_last()?;
    let mut table: &dyn TableLike = document.as_table();
    for name in tables {
        let item = table.get(name)?;
        if item.is_inline_table() {
            return without_entry(text, parts);
        }
        table = item.as_table_like()?;
    }
    let (key, item) = table.get_key_value(last)?;
    let (Some(key), Some(value)) = (key.span(), item.as_value().and_then(Value::span)) else {
        return without_entry(text, parts);
    };
    let start = text.get(..key.start)?.rfind('\n').map_or(0, |at| at + 1);
    let rest = text.get(value.end..)?;
    let end = value.end + rest.find('\n').map_or(rest.len(), |at| at + 1);
    Some(format!("{}{}", text.get(..start)?, text.get(end..)?))
}

/// The text without an entry that is no line of its own.
fn without_entry(text: &str, parts: &[String]) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let (last, tables) = parts.split_last()?;
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for name in tables {
        table = table.get_mut(name)?.as_table_like_mut()?;
    }
    table.remove(last)?;
    Some(document.to_string())
}

/// The text with the line ends of another one.
fn with_line_ends_of(text: &str, changed: &str) -> String {
    let changed = changed.replace("\r\n", "\n");
    if text.contains("\r\n") {
        changed.replace('\n', "\r\n")
    } else {
        changed
    }
}

impl ErrorTable for SettingError {
    fn row(&self) -> Row<'_> {
        match self {
            Self::Unknown { key, nearest } => Row::new(
                Kind::Input,
                "UNKNOWN_SETTING",
                message!(en: "there is no setting `{key}`", zh: "没有名为 `{key}` 的设置"),
            )
            .hint(match nearest {
                Some(known) => message!(en: "did you mean `{known}`?", zh: "是否想写 `{known}`？"),
                None => message!(
                    en: "`novel config` lists them all", zh: "`novel config` 列出全部设置"
                ),
            }),
            Self::Table { key, example } => Row::new(
                Kind::Input,
                "UNKNOWN_SETTING",
                message!(
                    en: "`{key}` is a table of settings, not a setting",
                    zh: "`{key}` 是一组设置，不是一项设置"
                ),
            )
            .hint(message!(
                en: "name a setting in it, such as `{example}`",
                zh: "请写明其中一项，如 `{example}`"
            )),
            Self::Price { key, price } => Row::new(
                Kind::Input,
                "BAD_SETTING_VALUE",
                message!(
                    en: "`{key}` cannot be removed alone: the model would count as free",
                    zh: "不能单独去掉 `{key}`：该模型会被当作免费"
                ),
            )
            .hint(message!(
                en: "`novel config unset '{price}'` removes the whole price",
                zh: "`novel config unset '{price}'` 去掉整项价格"
            )),
            Self::Value {
                key,
                value,
                allowed,
            } => Row::new(
                Kind::Input,
                "BAD_SETTING_VALUE",
                match value {
                    Some(value) => message!(
                        en: "`{value}` is not a valid value for `{key}`", zh: "`{key}` 不能设为 `{value}`"
                    ),
                    None => message!(
                        en: "this is not a valid value for `{key}`", zh: "`{key}` 不能设为这个值"
                    ),
                },
            )
            .hint(Message {
                en: format!("allowed: {}", allowed.en),
                zh: format!("可用的值：{}", allowed.zh),
            }),
            Self::Config(error) => Row::of(error),
        }
    }
}

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;
