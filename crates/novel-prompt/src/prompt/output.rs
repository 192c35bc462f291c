//! The form of an agent's answer.
//!
//! Schemas come from the file formats. What the program writes itself is taken out, everything the
//! agent must say is required, and the grounds stand before the judgement: a model that fills the
//! form in order has quoted before it scores. Lists have a longest length, which the prompts name too, and so
//! have their texts: a small model fills an open list or text without end.

mod completion;
mod planning;
mod record;

pub use completion::verdict_completion;
pub(super) use planning::{NewcomerBounds, PlanBounds};
pub use record::record_completion;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use novel_model::{
    files::{
        ConsistencyReport, Evaluation, GeneratedChapter, LogicReview, ScenePlan, SummarizerAnswer,
    },
    schema_of,
};
use serde_json::{Map, Value, json};

use super::{Agent, Mode};

const DEFINITIONS: &str = "$defs";

/// Characters of a quotation or of a line of a list.
const LONGEST_LINE: u32 = 240;
/// Changes of state in a record of a chapter.
const MOST_FACTS: u32 = 32;
/// Things a record says a chapter takes for granted.
const MOST_CLAIMS: u32 = 20;

/// Characters of a name or a title.
const LONGEST_NAME: u32 = 60;

/// The form of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Output {
    /// Markdown: the whole chapter, or the advice.
    Markdown,
    /// One scene as Markdown, without a heading.
    Scene,
    /// One JSON object.
    Json {
        /// A name for the schema: letters, digits and `_`.
        name: &'static str,
        /// A JSON Schema, draft 2020-12.
        schema: Arc<Value>,
    },
}

impl Output {
    /// The word for it in packets.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Scene => "scene",
            Self::Json { .. } => "json",
        }
    }

    /// The schema of a JSON answer.
    #[must_use]
    pub fn schema(&self) -> Option<&Value> {
        match self {
            Self::Markdown | Self::Scene => None,
            Self::Json { schema, .. } => Some(schema),
        }
    }
}

/// The form of a plan within its bounds.
pub(super) fn plan_output(bounds: &PlanBounds) -> Output {
    Output::Json {
        name: "plan_answer",
        schema: Arc::new(planning::plan_within(bounds)),
    }
}

/// The form of what written chapters tell, within its bounds.
pub(super) fn retell_output(bounds: &PlanBounds) -> Output {
    Output::Json {
        name: "retell_answer",
        schema: Arc::new(planning::retelling_within(bounds)),
    }
}

/// The form of the people a plan brings.
pub(super) fn newcomers_output(bounds: &NewcomerBounds) -> Output {
    Output::Json {
        name: "newcomers_answer",
        schema: Arc::new(planning::newcomers_within(bounds)),
    }
}

/// The form of an agent's answer in a mode.
#[must_use]
pub fn output_in(agent: Agent, mode: Mode) -> Output {
    match mode {
        Mode::PlanScenes => Output::Json {
            name: "scene_plan",
            schema: Arc::new(scene_plan_schema()),
        },
        Mode::WriteScene => Output::Scene,
        Mode::Introduce => Output::Json {
            name: "newcomers_answer",
            schema: Arc::new(planning::newcomers()),
        },
        Mode::Retell => Output::Json {
            name: "retell_answer",
            schema: Arc::new(planning::retelling()),
        },
        _ => output(agent),
    }
}

/// The form of an agent's answer in its usual mode.
#[must_use]
pub fn output(agent: Agent) -> Output {
    // Made once: it takes longer than a prompt does.
    static MADE: Mutex<BTreeMap<Agent, Output>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    made.entry(agent).or_insert_with(|| form(agent)).clone()
}

fn form(agent: Agent) -> Output {
    match agent {
        Agent::ChapterWriter | Agent::StyleRefiner | Agent::VolumeReviewer => Output::Markdown,
        Agent::Summarizer => Output::Json {
            name: "summarizer_answer",
            schema: Arc::new(summarizer()),
        },
        Agent::QualityJudge => Output::Json {
            name: "evaluation",
            schema: Arc::new(evaluation()),
        },
        Agent::LogicReviewer => Output::Json {
            name: "logic_review",
            schema: Arc::new(logic_review()),
        },
        Agent::ConsistencyAuditor => Output::Json {
            name: "consistency_audit",
            schema: Arc::new(consistency_audit()),
        },
        Agent::ChapterReviser => Output::Json {
            name: "generated_chapter",
            schema: Arc::new(Schema(schema_of::<GeneratedChapter>()).finish()),
        },
        Agent::WorldBuilder => Output::Json {
            name: "world_answer",
            schema: Arc::new(planning::world()),
        },
        Agent::CharacterWeaver => Output::Json {
            name: "cast_answer",
            schema: Arc::new(planning::cast()),
        },
        Agent::StyleAnalyzer => Output::Json {
            name: "style_answer",
            schema: Arc::new(planning::style()),
        },
        Agent::PlotArchitect => Output::Json {
            name: "plan_answer",
            schema: Arc::new(planning::plan()),
        },
        Agent::BookReader => Output::Json {
            name: "reading_answer",
            schema: Arc::new(planning::reading()),
        },
    }
}

/// The form of a plan of scenes.
#[must_use]
pub fn scene_plan_schema() -> Value {
    let mut schema = Schema(schema_of::<ScenePlan>());
    // Which chapter it is, the program knows.
    schema.remove("", "chapter_number");
    schema.set("PlannedScene", "intensity", reference("Intensity"));
    for definition in ["", "PlannedScene"] {
        schema.require_all(definition);
    }
    schema.finish()
}

fn summarizer() -> Value {
    let mut schema = Schema(schema_of::<SummarizerAnswer>());
    // What has one length comes first, lists last: a list that goes round takes nothing else with it.
    schema.order("", &["summary", "memory", "crossref", "delta", "claims"]);
    schema.order(
        "CrossReferences",
        &["storyline_id", "leak_risk", "leak_detail"],
    );
    schema.set("StateDelta", "ops", json!({"type": "array", "items": op()}));
    schema.set(
        "UnknownEntity",
        "suggested_type",
        json!({"type": ["string", "null"], "enum": ["character", "location", "item", "faction", "other", null]}),
    );
    // A text of several paragraphs in one string is where a small model goes round: the program puts it together.
    schema.set("", "summary", recap());
    schema.set("", "memory", lines(20));
    schema.bound("StateDelta", "ops", MOST_FACTS);
    schema.bound("", "claims", MOST_CLAIMS);
    schema.bound("CrossReferences", "cross_references", 16);
    schema.bound("CrossReferences", "unknown_entities", 16);
    for definition in [
        "StateDelta",
        "CrossReferences",
        "CrossReference",
        "UnknownEntity",
    ] {
        schema.require_all(definition);
    }
    schema.finish()
}

/// What a summary is made of.
fn recap() -> Value {
    json!({
        "type": "object",
        "properties": {
            "narrative": {"type": "string", "minLength": 1, "maxLength": 1800},
            "events": lines(8),
            "next": lines(5),
        },
        "required": ["narrative", "events", "next"],
    })
}

fn lines(most: u32) -> Value {
    let line = json!({"type": "string", "minLength": 1, "maxLength": LONGEST_LINE});
    json!({"type": "array", "items": line, "maxItems": most})
}

fn op() -> Value {
    let text = json!({"type": "string", "maxLength": LONGEST_LINE});
    let plain = json!([text, {"type": "number"}, {"type": "boolean"}]);
    let mut value = plain.as_array().cloned().unwrap_or_default();
    value.push(json!({"type": "array", "items": {"anyOf": plain}, "maxItems": 16}));
    json!({
        "type": "object",
        "properties": {
            "op": {"type": "string", "enum": ["set", "inc", "add", "remove", "foreshadow"]},
            "path": {"type": "string", "maxLength": 120},
            "value": {"anyOf": value},
            "evidence": {"type": "string", "maxLength": LONGEST_LINE},
            "detail": {"type": ["string", "null"], "maxLength": LONGEST_LINE},
        },
        "required": ["op", "path", "value", "evidence", "detail"],
    })
}

/// Scores as the prompt says. A list, because some grammar engines keep to no bounds of a fraction.
fn halves() -> Value {
    json!({"type": "number", "enum": [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]})
}

fn evaluation() -> Value {
    let mut schema = Schema(schema_of::<Evaluation>());
    // Computed, measured or stamped by the program.
    for property in ["overall", "metadata"] {
        schema.remove("", property);
    }
    for (definition, property) in [
        ("ContractCheck", "evidence_found"),
        ("ContractCheck", "unproven"),
        ("ContractCheck", "withdrawn"),
        ("DimensionScore", "unproven"),
        ("ContractCheck", "contract_id"),
        ("ContractCheck", "objective_id"),
        ("DimensionScore", "evidence_found"),
        ("DimensionScore", "weight"),
        ("AntiAi", "blacklist_hits"),
    ] {
        schema.remove(definition, property);
    }
    let text = json!({"type": "string"});
    for property in ["risk_flags", "issues", "strengths"] {
        schema.set("", property, json!({"type": "array", "items": text}));
    }
    let advice = ["pass", "polish", "revise", "review", "rewrite"];
    schema.set(
        "",
        "recommendation",
        json!({"type": "string", "enum": advice}),
    );
    schema.set("", "anti_ai", reference("AntiAi"));
    schema.set("ContractCheck", "confidence", reference("Confidence"));
    schema.set("BlacklistSuggestion", "confidence", reference("Confidence"));
    // What is kept goes into `passed`: records of passes cost more than all the rest.
    let accusing = json!({"type": "string", "enum": ["violation", "violation_suspected"]});
    schema.set("ContractCheck", "status", accusing);
    schema.set("ContractCheck", "detail", text.clone());
    schema.set(
        "ContractVerification",
        "has_violations",
        json!({"type": "boolean"}),
    );
    schema.set("DimensionScore", "reason", text.clone());
    schema.set("DimensionScore", "score", halves());
    // A weak judge says null wherever it may. What is missing stands in `absent` beside the nearest sentence.
    schema.set("DimensionScore", "evidence", text.clone());
    schema.order(
        "ContractCheck",
        &[
            "rule_id",
            "constraint_type",
            "evidence",
            "absent",
            "detail",
            "status",
            "confidence",
        ],
    );
    // Next to the text they quote, and what is missing after what is there: a weak judge fills in what it may.
    schema.order("", &["chapter", "scores"]);
    schema.order("DimensionScore", &["evidence", "reason", "absent", "score"]);
    schema.order("ContractVerification", &["passed"]);
    for (definition, property, most) in [
        ("ContractVerification", "passed", 256),
        ("ContractVerification", "l1_checks", 64),
        ("ContractVerification", "l2_checks", 64),
        ("ContractVerification", "l3_checks", 64),
        ("ContractVerification", "ls_checks", 64),
        ("", "risk_flags", 5),
        ("", "required_fixes", 5),
        ("", "issues", 8),
        ("", "strengths", 3),
        ("AntiAi", "blacklist_update_suggestions", 5),
        ("BlacklistSuggestion", "examples", 3),
    ] {
        schema.bound(definition, property, most);
    }
    for definition in [
        "",
        "ContractVerification",
        "ContractCheck",
        "DimensionScore",
        "RequiredFix",
        "AntiAi",
        "BlacklistSuggestion",
    ] {
        schema.require_all(definition);
    }
    schema.split(
        "ContractCheck",
        &[
            &[("evidence", text)],
            &[
                ("evidence", json!({"type": "null"})),
                ("absent", json!({"type": "string"})),
            ],
        ],
    );
    schema.finish()
}

fn logic_review() -> Value {
    let mut schema = Schema(schema_of::<LogicReview>());
    // Stamped by the program.
    for property in ["chapter_number", "chapter_hash"] {
        schema.remove("", property);
    }
    // Consistency with the cast is the auditor's matter.
    schema.remove("ReviewIssue", "related_characters");
    issues_first(schema, &["issues", "summary", "overall_score"])
}

fn consistency_audit() -> Value {
    let mut schema = Schema(schema_of::<ConsistencyReport>());
    for property in ["chapter_number", "context_snapshot"] {
        schema.remove("", property);
    }
    schema.bound("", "verdicts", 10);
    schema.order(
        "CandidateVerdict",
        &["number", "evidence", "record", "frame", "contradicts"],
    );
    schema.require_all("CandidateVerdict");
    issues_first(schema, &["issues", "summary", "verdicts"])
}

/// Issues before what is concluded from them, and in an issue the quotation before the severity.
fn issues_first(mut schema: Schema, root: &[&str]) -> Value {
    schema.order("", root);
    schema.order(
        "ReviewIssue",
        &[
            "issue_type",
            "description",
            "related_characters",
            "evidence",
            "severity",
            "fix_instructions",
        ],
    );
    schema.bound("", "issues", 10);
    schema.bound("ReviewIssue", "related_characters", 8);
    for definition in ["", "ReviewIssue"] {
        schema.require_all(definition);
    }
    schema.finish()
}

fn reference(definition: &str) -> Value {
    json!({"$ref": format!("#/{DEFINITIONS}/{definition}")})
}

/// A schema under change. The empty definition name is the root.
struct Schema(Value);

impl Schema {
    fn object(&mut self, definition: &str) -> Option<&mut Map<String, Value>> {
        let object = if definition.is_empty() {
            Some(&mut self.0)
        } else {
            self.0.get_mut(DEFINITIONS)?.get_mut(definition)
        };
        object?.as_object_mut()
    }

    fn properties(&mut self, definition: &str) -> Option<&mut Map<String, Value>> {
        self.object(definition)?
            .get_mut("properties")?
            .as_object_mut()
    }

    fn remove(&mut self, definition: &str, property: &str) {
        if let Some(properties) = self.properties(definition) {
            properties.shift_remove(property);
        }
    }

    fn set(&mut self, definition: &str, property: &str, schema: Value) {
        if let Some(properties) = self.properties(definition) {
            properties.insert(property.to_owned(), schema);
        }
    }

    /// Gives a list an end.
    fn bound(&mut self, definition: &str, property: &str, most: u32) {
        if let Some(list) = self.property(definition, property) {
            list.insert("maxItems".to_owned(), json!(most));
        }
    }

    fn property(&mut self, definition: &str, property: &str) -> Option<&mut Map<String, Value>> {
        self.properties(definition)?
            .get_mut(property)?
            .as_object_mut()
    }

    /// Gives a list its length.
    fn exactly(&mut self, definition: &str, property: &str, count: u32) {
        if let Some(list) = self.property(definition, property) {
            list.insert("minItems".to_owned(), json!(count));
            list.insert("maxItems".to_owned(), json!(count));
        }
    }

    fn at_least(&mut self, definition: &str, property: &str, fewest: u32) {
        if let Some(list) = self.property(definition, property) {
            list.insert("minItems".to_owned(), json!(fewest));
        }
    }

    /// A text that is not empty.
    fn filled(&mut self, definition: &str, property: &str) {
        if let Some(text) = self.property(definition, property) {
            text.insert("minLength".to_owned(), json!(1));
        }
    }

    /// A text of a line at most.
    fn short(&mut self, definition: &str, property: &str) {
        self.filled(definition, property);
        if let Some(text) = self.property(definition, property) {
            text.insert("maxLength".to_owned(), json!(LONGEST_NAME));
        }
    }

    /// Allows these values alone, where they are known, in a property or in its list. Without a value
    /// a list is empty, and a single property is left open: the checks say what is missing.
    fn choose(&mut self, definition: &str, property: &str, values: Option<&[String]>) {
        let (Some(found), Some(values)) = (self.property(definition, property), values) else {
            return;
        };
        let choice = json!({"type": "string", "enum": values});
        match (found.contains_key("items"), values.is_empty()) {
            (true, true) => self.exactly(definition, property, 0),
            (true, false) => {
                found.insert("items".to_owned(), choice);
            }
            (false, true) => {}
            (false, false) => self.set(definition, property, choice),
        }
    }

    fn define(&mut self, name: &str, schema: Value) {
        if let Some(definitions) = self.0.get_mut(DEFINITIONS).and_then(Value::as_object_mut) {
            definitions.insert(name.to_owned(), schema);
        }
    }

    fn order(&mut self, definition: &str, names: &[&str]) {
        if let Some(properties) = self.properties(definition) {
            let mut ordered = Map::new();
            for name in names {
                if let Some(property) = properties.shift_remove(*name) {
                    ordered.insert((*name).to_owned(), property);
                }
            }
            ordered.append(properties);
            *properties = ordered;
        }
    }

    fn require_all(&mut self, definition: &str) {
        let names: Vec<Value> = self
            .properties(definition)
            .map(|properties| properties.keys().map(|name| json!(name)).collect())
            .unwrap_or_default();
        if let Some(object) = self.object(definition) {
            object.insert("required".to_owned(), Value::Array(names));
        }
    }

    /// Allows one of several kinds of an object, each with some properties of its own.
    fn split(&mut self, definition: &str, kinds: &[&[(&str, Value)]]) {
        let Some(whole) = self.object(definition).map(|object| object.clone()) else {
            return;
        };
        let kinds = kinds.iter().map(|own| {
            let mut kind = Value::Object(whole.clone());
            for (property, schema) in *own {
                kind["properties"][property] = schema.clone();
            }
            kind
        });
        let any_of = json!({"anyOf": kinds.collect::<Vec<Value>>()});
        self.define(definition, any_of);
    }

    /// The schema without definitions nobody refers to.
    fn finish(mut self) -> Value {
        let mut used = BTreeSet::new();
        let definitions = self.0.get(DEFINITIONS).cloned().unwrap_or_default();
        if let Value::Object(root) = &mut self.0 {
            root.shift_remove(DEFINITIONS);
            root.shift_remove("$schema");
        }
        collect(&self.0, &definitions, &mut used);
        if let (Value::Object(root), Value::Object(mut definitions)) = (&mut self.0, definitions) {
            definitions.retain(|name, _| used.contains(name));
            root.insert(DEFINITIONS.to_owned(), Value::Object(definitions));
        }
        self.0
    }
}

fn collect(schema: &Value, definitions: &Value, used: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            let name = object
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|reference| reference.rsplit('/').next());
            if let Some(name) = name
                && used.insert(name.to_owned())
                && let Some(definition) = definitions.get(name)
            {
                collect(definition, definitions, used);
            }
            object
                .values()
                .for_each(|part| collect(part, definitions, used));
        }
        Value::Array(parts) => parts
            .iter()
            .for_each(|part| collect(part, definitions, used)),
        _ => {}
    }
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
