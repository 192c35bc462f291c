//! Ages as the prose tells them: in figures, in tens, in the names of ages.

mod en;
mod zh;

use std::ops::RangeInclusive;

use novel_model::Lang;
use serde_json::Value;

use crate::ledger::read_number;

/// The ages a sentence allows somebody, by what stands before and after the name.
pub(super) fn told(before: &str, after: &str, lang: Lang) -> Option<RangeInclusive<u32>> {
    // What somebody says is another matter.
    let before = before.rsplit(['"', '”', '」']).next().unwrap_or_default();
    let after = after.split(['"', '“', '「']).next().unwrap_or_default();
    match lang {
        Lang::Zh => zh::told(before, after),
        Lang::En => en::told(before, after),
    }
}

/// The ages a value of the record allows: `19`, `十九岁`, `二十出头`, `in her early seventies`.
pub(super) fn recorded(value: &Value) -> Option<RangeInclusive<u32>> {
    let text = value.as_str().map(str::trim).unwrap_or_default();
    let told = if text.is_ascii() {
        en::decade(&text.to_lowercase())
    } else {
        zh::phrase(text)
    };
    told.or_else(|| read_number(value).map(|age| age..=age))
}
