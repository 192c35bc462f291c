//! What a run may cost, and what it has cost.

use novel_book::config::Config;
use novel_contract::write as contract;
use novel_llm::{Price, PriceTable, Usage};

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
                cache_write: None,
                output: price.output,
            };
            (model.clone(), price)
        });
        Self {
            max_cost_usd: config.budget.max_cost_usd,
            max_tokens: config.budget.max_tokens,
            prices: PriceTable::builtin().with(own.collect()),
            max_output_tokens: u64::from(
                config
                    .llm
                    .max_output_tokens
                    .unwrap_or(DEFAULT_OUTPUT_TOKENS),
            ),
        }
    }
}

impl Budget {
    /// Whether calls (model, tokens of the prompt) might exceed it after what was spent.
    pub(super) fn is_exceeded<'a>(
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
            cost += self.prices.cost(model, &expected).unwrap_or_default();
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
            cost_usd: self.cost_usd,
        }
    }

    pub(super) fn add(&mut self, answer: &Recorded) {
        self.calls += 1;
        self.input_tokens += answer.usage.input.unwrap_or_default();
        self.output_tokens += answer.usage.output.unwrap_or_default();
        self.cached_tokens += answer.usage.cached.unwrap_or_default();
        if let Some(cost) = answer.cost_usd {
            self.cost_usd = Some(self.cost_usd.unwrap_or_default() + cost);
        }
    }
}
