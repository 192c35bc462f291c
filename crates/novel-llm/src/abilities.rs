//! What an endpoint and a model can do, and where the client remembers it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::error::ModelError;
use crate::schema::{BOUNDS, StrictForm};
use crate::{Adaptation, ModelRequest, SchemaMode, Wire};

/// What an endpoint and model can do, as far as known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abilities {
    /// The way to structured answers.
    pub schema: SchemaMode,
    /// Counts tokens in a stream.
    pub stream_usage: bool,
    /// Name of the limit of output tokens.
    pub max_tokens: MaxTokens,
    /// Takes a temperature.
    pub temperature: bool,
    /// Takes a seed.
    pub seed: bool,
    /// Keeps a cached prefix for an hour (Anthropic).
    pub cache_hour: bool,
    /// Takes the bounds of texts and lists in a JSON Schema.
    #[serde(default = "taken")]
    pub bounds: bool,
}

/// Notes of older versions do not name the ability.
const fn taken() -> bool {
    true
}

/// The name of the limit of output tokens on the OpenAI wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaxTokens {
    /// `max_tokens`: understood nearly everywhere.
    Classic,
    /// `max_completion_tokens`: what OpenAI's reasoning models insist on.
    Completion,
}

impl Abilities {
    /// Everything, with `schema` as the way to structured answers.
    #[must_use]
    pub const fn all(schema: SchemaMode) -> Self {
        Self {
            schema,
            stream_usage: true,
            max_tokens: MaxTokens::Classic,
            temperature: true,
            seed: true,
            cache_hour: true,
            bounds: true,
        }
    }

    /// The next way to structured answers, after this one was refused or ignored.
    pub(crate) fn with_less_schema(self, wire: Wire) -> Option<(Self, Adaptation)> {
        let (schema, adaptation) = match (self.schema, wire) {
            (SchemaMode::Strict, Wire::Anthropic) => (SchemaMode::Tool, Adaptation::ForcedTool),
            (SchemaMode::Strict, Wire::OpenAi) => (SchemaMode::JsonObject, Adaptation::JsonObject),
            (SchemaMode::Tool, _) | (SchemaMode::JsonObject, Wire::OpenAi) => {
                (SchemaMode::Prompt, Adaptation::PromptOnly)
            }
            (SchemaMode::JsonObject, Wire::Anthropic) | (SchemaMode::Prompt, _) => return None,
        };
        Some((Self { schema, ..self }, adaptation))
    }

    /// What to leave out after a request was called wrong with these words. Each step takes one
    /// ability away for good, so there are only a few.
    pub(crate) fn after(
        self,
        error: &ModelError,
        words: &str,
        wire: Wire,
        request: &ModelRequest,
    ) -> Option<(Self, Adaptation)> {
        let is_wrong_request = matches!(
            error,
            ModelError::BadRequest {
                status: 400 | 422,
                ..
            }
        );
        if !is_wrong_request {
            return None;
        }
        let words = words.to_lowercase();
        let says = |signs: &[&str]| signs.iter().any(|sign| words.contains(sign));
        let mut fewer = self;
        if wire == Wire::OpenAi {
            if self.max_tokens == MaxTokens::Classic && says(&["max_completion_tokens"]) {
                fewer.max_tokens = MaxTokens::Completion;
                return Some((fewer, Adaptation::MaxCompletionTokens));
            }
            if self.stream_usage && says(&["stream_options", "include_usage"]) {
                fewer.stream_usage = false;
                return Some((fewer, Adaptation::NoStreamUsage));
            }
            if request.seed.is_some() && self.seed && says(&["seed"]) {
                fewer.seed = false;
                return Some((fewer, Adaptation::NoSeed));
            }
        }
        if wire == Wire::Anthropic && self.cache_hour && says(&["cache_control", "ttl"]) {
            fewer.cache_hour = false;
            return Some((fewer, Adaptation::NoCacheHour));
        }
        // A temperature out of range is the author's to correct; an unsupported one is not.
        if request.temperature.is_some()
            && self.temperature
            && says(&["temperature"])
            && says(&["support", "deprecated"])
        {
            fewer.temperature = false;
            return Some((fewer, Adaptation::NoTemperature));
        }
        let is_about_form = match (wire, self.schema) {
            (Wire::OpenAi, _) => says(&[
                "response_format",
                "json_schema",
                "json_object",
                "structured output",
                "grammar",
            ]),
            (Wire::Anthropic, SchemaMode::Strict) => says(&[
                "output_config",
                "output_format",
                "json_schema",
                "structured output",
                "schema",
                "grammar",
            ]),
            (Wire::Anthropic, _) => says(&["tool", "input_schema"]),
        };
        // Bounds go before the schema does: a server that names one takes the schema without it. On the Anthropic wire
        // the words may be those of a gateway that names none.
        let names_bound = || BOUNDS.iter().any(|bound| says(&[&bound.to_lowercase()]));
        let sends_bounds = self.bounds
            && self.schema == SchemaMode::Strict
            && request
                .schema
                .as_ref()
                .is_some_and(|it| StrictForm::of(&it.schema).has_bounds());
        if sends_bounds && (names_bound() || (wire == Wire::Anthropic && is_about_form)) {
            fewer.bounds = false;
            return Some((fewer, Adaptation::NoBounds));
        }
        if request.schema.is_none() || !is_about_form {
            return None;
        }
        self.with_less_schema(wire)
    }
}

/// Where a client remembers what models can do. A memory that outlives the process spares every
/// process the rejected call.
pub trait AbilityMemory: Send + Sync {
    /// What is known of a model.
    fn recall(&self, model: &str) -> Option<Abilities>;

    /// Remembers what a model can do.
    fn learn(&self, model: &str, abilities: Abilities);
}

/// A memory for one process.
#[derive(Default)]
pub(crate) struct ProcessMemory(Mutex<BTreeMap<String, Abilities>>);

impl AbilityMemory for ProcessMemory {
    fn recall(&self, model: &str) -> Option<Abilities> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(model).copied()
    }

    fn learn(&self, model: &str, abilities: Abilities) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(model.to_owned(), abilities);
    }
}
