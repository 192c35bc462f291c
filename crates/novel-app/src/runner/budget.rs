//! What a run may cost, and what it has cost.

use novel_book::config::Config;
use novel_contract::write as contract;
use novel_llm::{Price, PriceTable, Usage};
use novel_model::{ErrorTable, Kind, Row, message};

use super::ledger::Recorded;
use crate::executor::DEFAULT_OUTPUT_TOKENS;

/// What a run may cost.
#[derive(Debug, Clone)]
pub struct Budget {
    /// In US dollars.
    pub max_cost_usd: Option<f64>,
    /// In tokens.
    pub max_tokens: Option<u64>,
    /// What tokens cost.
    pub prices: PriceTable,
    /// Models that may answer in place of another one.
    pub fallbacks: Vec<String>,
    /// Longest answer of an agent, in tokens, for the estimate.
    pub max_output_tokens: u64,
}

impl Budget {
    /// The budget of a project's configuration.
    #[must_use]
    pub fn of(config: &Config) -> Self {
        let own = config.prices.iter().map(|(model, price)| {
            let price = Price {
                input: price.input,
                cached_input: price.cached_input,
                cache_write: price.cache_write,
                output: price.output,
            };
            (model.clone(), price)
        });
        Self {
            max_cost_usd: config.budget.max_cost_usd,
            max_tokens: config.budget.max_tokens,
            prices: PriceTable::builtin().with(own.collect()),
            fallbacks: (config.fallback.values())
                .map(|fallback| fallback.model.clone())
                .collect(),
            max_output_tokens: u64::from(
                (config.llm.max_output_tokens)
                    .unwrap_or(DEFAULT_OUTPUT_TOKENS)
                    .saturating_add(config.llm.thinking_tokens.unwrap_or_default()),
            ),
        }
    }
}

impl Budget {
    /// A limit in money can be kept only for models whose price is known.
    ///
    /// # Errors
    /// When there is such a limit and one of the models has no price.
    pub(super) fn check_prices(&self, models: impl Iterator<Item = String>) -> Result<(), NoPrice> {
        let mut models = models.filter(|model| self.prices.price(model).is_none());
        match (self.max_cost_usd, models.next()) {
            (Some(_), Some(model)) => Err(NoPrice { model }),
            _ => Ok(()),
        }
    }

    /// Whether calls (model, tokens of the prompt) might exceed it after what was spent.
    pub(crate) fn is_exceeded<'a>(
        &self,
        spent: &Spent,
        calls: impl Iterator<Item = (&'a str, u64)>,
    ) -> bool {
        let (mut tokens, mut cost) = (0, 0.0);
        for (model, prompt) in calls {
            let expected = Usage {
                input: Some(prompt),
                output: Some(self.max_output_tokens),
                ..Usage::default()
            };
            tokens += prompt + self.max_output_tokens;
            // The dearest model that may answer counts.
            let models = self.fallbacks.iter().map(String::as_str).chain([model]);
            let costs = models.filter_map(|model| self.prices.cost(model, &expected));
            cost += costs.fold(0.0, f64::max);
        }
        let used = spent.input_tokens + spent.output_tokens;
        self.max_tokens.is_some_and(|most| used + tokens > most)
            || self
                .max_cost_usd
                .is_some_and(|most| spent.cost_usd.unwrap_or_default() + cost > most)
    }
}

/// What a run has cost so far. Answers found in the ledger cost nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spent {
    /// Calls made.
    pub calls: u32,
    /// Answers found in the ledger.
    pub reused: u32,
    /// Tokens read, as far as reported.
    pub input_tokens: u64,
    /// Tokens written, as far as reported.
    pub output_tokens: u64,
    /// Tokens read from a cache, as far as reported.
    pub cached_tokens: u64,
    /// Tokens written to a cache, as far as reported.
    pub cache_write_tokens: Option<u64>,
    /// US dollars; `None` when no price is known.
    pub cost_usd: Option<f64>,
}

impl Spent {
    pub(crate) fn answer(&self) -> contract::Spent {
        contract::Spent {
            calls: self.calls,
            reused: self.reused,
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            cached_tokens: self.cached_tokens,
            cache_write_tokens: self.cache_write_tokens,
            cost_usd: self.cost_usd,
        }
    }

    pub(crate) fn add(&mut self, answer: &Recorded) {
        self.calls += 1;
        self.input_tokens += answer.usage.input.unwrap_or_default();
        self.output_tokens += answer.usage.output.unwrap_or_default();
        self.cached_tokens += answer.usage.cached.unwrap_or_default();
        if let Some(written) = answer.usage.cache_write {
            let sum = self.cache_write_tokens.get_or_insert_default();
            *sum += written;
        }
        if let Some(cost) = answer.cost_usd {
            self.cost_usd = Some(self.cost_usd.unwrap_or_default() + cost);
        }
    }
}

/// A limit in money for a model whose price nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no price is known for `{model}`")]
pub struct NoPrice {
    model: String,
}

impl ErrorTable for NoPrice {
    fn row(&self) -> Row<'_> {
        let (model, date) = (&self.model, PriceTable::builtin_date());
        let message = message!(
            en: "`max_cost_usd` is set, but the price of `{model}` is not known (built-in prices of {date})",
            zh: "设置了 `max_cost_usd`，但不知道 `{model}` 的价格（内置价格表日期：{date}）"
        );
        Row::new(Kind::Input, "NO_PRICE", message).hint(message!(
            en: "write its price per million tokens into novel.toml: `[prices.\"{model}\"]`, `input = 0.5`, `output = 2.0` (0 for a local model), or limit `max_tokens` instead",
            zh: "在 novel.toml 中写明每百万 token 的价格：`[prices.\"{model}\"]`、`input = 0.5`、`output = 2.0`（本地模型填 0），或改用 `max_tokens` 限制"
        ))
    }
}
