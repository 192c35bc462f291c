//! What tokens cost.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::Usage;

/// US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Prompt tokens.
    pub input: f64,
    /// Prompt tokens read from the cache; without it the price of `input`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// Prompt tokens written to the cache; without it the price of `input`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
    /// Answer tokens.
    pub output: f64,
}

impl Price {
    /// The cost of a call; `None` when the server did not count its tokens.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> Option<f64> {
        let (input, output) = (usage.input?, usage.output?);
        let cached = usage.cached.unwrap_or(0).min(input);
        let written = usage.cache_write.unwrap_or(0).min(input - cached);
        let fresh = input - cached - written;
        let millionths = tokens(fresh) * self.input
            + tokens(cached) * self.cached_input.unwrap_or(self.input)
            + tokens(written) * self.cache_write.unwrap_or(self.input)
            + tokens(output) * self.output;
        Some(millionths / 1_000_000.0)
    }
}

fn tokens(count: u64) -> f64 {
    // No call comes near the 2^32 tokens where this would lose anything.
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Prices by model name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PriceTable(BTreeMap<String, Price>);

impl FromIterator<(String, Price)> for PriceTable {
    fn from_iter<T: IntoIterator<Item = (String, Price)>>(prices: T) -> Self {
        Self(prices.into_iter().collect())
    }
}

impl PriceTable {
    /// List prices of current models on the day that [`PriceTable::builtin_date`] names. They
    /// change; what the author writes goes first.
    ///
    /// Where a provider asks more for a longer cache, `cache_write` is the price of an hour: the
    /// client asks for no shorter one.
    #[must_use]
    pub fn builtin() -> Self {
        builtin().models.clone()
    }

    /// The day of the built-in list, such as `2026-11-16`.
    #[must_use]
    pub fn builtin_date() -> &'static str {
        &builtin().as_of
    }

    /// This table with the entries of `own` in place of the same models' prices.
    #[must_use]
    pub fn with(mut self, own: Self) -> Self {
        self.0.extend(own.0);
        self
    }

    /// The price of a model: by its name, without a provider's prefix
    /// (`openai/gpt-4o`), without a date or `-latest` at the end.
    #[must_use]
    pub fn price(&self, model: &str) -> Option<Price> {
        let bare = model.rsplit('/').next().unwrap_or(model);
        [model, bare, undated(bare)]
            .into_iter()
            .find_map(|name| self.0.get(name))
            .copied()
    }

    /// The cost of a call in US dollars; `None` for an unknown model, and when the
    /// server did not count its tokens.
    #[must_use]
    pub fn cost(&self, model: &str, usage: &Usage) -> Option<f64> {
        self.price(model)?.cost(usage)
    }
}

/// The built-in list: `prices.json`.
#[derive(Default, Deserialize)]
struct PriceList {
    as_of: String,
    models: PriceTable,
}

fn builtin() -> &'static PriceList {
    static LIST: LazyLock<PriceList> =
        // A test reads the file; without it no price is known.
        LazyLock::new(|| serde_json::from_str(include_str!("prices.json")).unwrap_or_default());
    &LIST
}

/// `gpt-4o-2024-08-06`, `claude-sonnet-4-5-20250929`, `x-latest` without their end.
fn undated(model: &str) -> &str {
    if let Some(name) = model.strip_suffix("-latest") {
        return name;
    }
    let digits_from = |from: usize| {
        model
            .get(from..)
            .is_some_and(|end| end.bytes().all(|b| b.is_ascii_digit() || b == b'-'))
    };
    for length in ["-20250929".len(), "-2024-08-06".len()] {
        let Some(from) = model.len().checked_sub(length) else {
            continue;
        };
        if from > 0 && digits_from(from) && model.as_bytes()[from] == b'-' {
            return &model[..from];
        }
    }
    model
}

#[cfg(test)]
#[path = "price_tests.rs"]
mod tests;
