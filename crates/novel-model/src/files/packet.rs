//! Instruction packets and the answers handed in for them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::files::{Claim, CrossReferences, StateDelta};

/// Everything an executor needs for one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Packet {
    /// Format of the packet.
    pub version: u32,
    /// The step id.
    pub step: String,
    /// Who does it.
    pub agent: PacketAgent,
    /// What it may read.
    pub manifest: Manifest,
    /// What it must write.
    pub expected_outputs: Vec<ExpectedOutput>,
    /// Where it may write.
    pub write_boundary: Vec<String>,
    /// What to run afterwards.
    pub next_actions: Vec<NextAction>,
    /// The form in which `novel submit` takes the agent's answer; none for a step the program does
    /// itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<AnswerForm>,
}

/// The form of an agent's answer, for an executor that hands it in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerForm {
    /// `markdown` (a text with its heading), `scene` (a text without one) or `json` (one object).
    pub form: String,
    /// The command that prints the JSON Schema of a `json` answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The command that prints the rules of the agent with everything it is given.
    pub prompt: String,
    /// The command that takes the answer.
    pub submit: String,
}

/// Who does a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PacketAgent {
    /// `subagent`, or `cli` for a step the program does itself.
    pub kind: String,
    /// Such as `chapter-writer`.
    pub name: String,
    /// `draft`, `revise` or `polish`, where the agent has modes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// A wish, not an order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_hint: Option<String>,
}

/// What a step may read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// `paths` or `embed`.
    pub mode: String,
    /// Files by project-relative path: a text, or a list of texts.
    pub paths: Map<String, Value>,
    /// Small computed values.
    pub inline: Map<String, Value>,
    /// Full contents, each in its `<DATA>` wrapper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedded: Option<Map<String, Value>>,
}

/// A file a step must (or may) write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExpectedOutput {
    /// Project-relative.
    pub path: String,
    /// Whether the step fails without it.
    pub required: bool,
    /// Its JSON Schema, by file name under `schemas/`.
    pub schema: Option<String>,
}

/// A command to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NextAction {
    /// `command`.
    pub kind: String,
    /// The command line.
    pub command: String,
}

/// What the summarizer hands in with `novel submit chapter:NNN:summarize`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SummarizerAnswer {
    /// The summary, Markdown.
    pub summary: String,
    /// The state delta.
    pub delta: StateDelta,
    /// The cross-references.
    pub crossref: CrossReferences,
    /// The storyline memory, Markdown.
    pub memory: String,
    /// What the chapter takes for granted; kept where it can be read, never asked for again.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    #[schemars(with = "Option<Vec<Claim>>")]
    pub claims: Value,
}
