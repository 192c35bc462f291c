//! What tokens cost.

use std::collections::BTreeMap;

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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PriceTable(BTreeMap<String, Price>);

impl FromIterator<(String, Price)> for PriceTable {
    fn from_iter<T: IntoIterator<Item = (String, Price)>>(prices: T) -> Self {
        Self(prices.into_iter().collect())
    }
}

impl PriceTable {
    /// List prices of well-known models, as published in autumn 2025. They change;
    /// what the author writes goes first.
    #[must_use]
    pub fn builtin() -> Self {
        let entries = BUILTIN
            .iter()
            .map(|&(model, input, cached, write, output)| {
                let price = Price {
                    input,
                    cached_input: cached,
                    cache_write: write,
                    output,
                };
                (model.to_owned(), price)
            });
        Self(entries.collect())
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

type Entry = (&'static str, f64, Option<f64>, Option<f64>, f64);

/// Model, input, cached input, cache write, output.
const BUILTIN: [Entry; 24] = [
    ("claude-3-5-haiku", 0.80, Some(0.08), Some(1.00), 4.00),
    ("claude-3-7-sonnet", 3.00, Some(0.30), Some(3.75), 15.00),
    ("claude-haiku-4-5", 1.00, Some(0.10), Some(1.25), 5.00),
    ("claude-opus-4", 15.00, Some(1.50), Some(18.75), 75.00),
    ("claude-opus-4-1", 15.00, Some(1.50), Some(18.75), 75.00),
    ("claude-opus-4-5", 5.00, Some(0.50), Some(6.25), 25.00),
    ("claude-sonnet-4", 3.00, Some(0.30), Some(3.75), 15.00),
    ("claude-sonnet-4-5", 3.00, Some(0.30), Some(3.75), 15.00),
    ("deepseek-chat", 0.28, Some(0.028), None, 0.42),
    ("deepseek-reasoner", 0.28, Some(0.028), None, 0.42),
    ("gpt-4.1", 2.00, Some(0.50), None, 8.00),
    ("gpt-4.1-mini", 0.40, Some(0.10), None, 1.60),
    ("gpt-4.1-nano", 0.10, Some(0.025), None, 0.40),
    ("gpt-4o", 2.50, Some(1.25), None, 10.00),
    ("gpt-4o-mini", 0.15, Some(0.075), None, 0.60),
    ("gpt-5", 1.25, Some(0.125), None, 10.00),
    ("gpt-5-mini", 0.25, Some(0.025), None, 2.00),
    ("gpt-5-nano", 0.05, Some(0.005), None, 0.40),
    ("kimi-k2-0905-preview", 0.60, Some(0.15), None, 2.50),
    ("kimi-k2-turbo-preview", 1.15, Some(0.15), None, 8.00),
    ("o3", 2.00, Some(0.50), None, 8.00),
    ("o4-mini", 1.10, Some(0.275), None, 4.40),
    ("qwen-max", 1.60, None, None, 6.40),
    ("qwen-plus", 0.40, None, None, 1.20),
];

#[cfg(test)]
#[path = "price_tests.rs"]
mod tests;
