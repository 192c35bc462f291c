//! The forms of answers that set a book up and plan it. Every list has an end: a small model fills
//! one without a limit for as long as it may.

use novel_model::{
    Format,
    files::{CastAnswer, PlanAnswer, StyleAnswer, WorldAnswer},
    schema_of,
};
use serde_json::{Value, json};

use super::Schema;

pub(super) fn world() -> Value {
    let lists = [
        ("", "rules", 3),
        ("RuleDraft", "exceptions", 3),
        ("MainArc", "factions", 4),
    ];
    strict::<WorldAnswer>(&["", "RuleDraft", "MainArc"], &lists).finish()
}

pub(super) fn cast() -> Value {
    let lists = [
        ("", "characters", 3),
        ("", "relationships", 6),
        ("NewCharacter", "aliases", 3),
        ("NewCharacter", "contracts", 4),
        ("ContractDraft", "exceptions", 3),
    ];
    let definitions = ["", "NewCharacter", "ContractDraft", "Relationship"];
    let mut schema = strict::<CastAnswer>(&definitions, &lists);
    schema.set("ContractDraft", "type", contract_kinds());
    schema.finish()
}

pub(super) fn style() -> Value {
    let lists = [
        ("", "rhetoric_preferences", 5),
        ("", "preferred_expressions", 10),
        ("", "forbidden_words", 20),
        ("", "speech_patterns", 12),
        ("", "writing_directives", 8),
    ];
    strict::<StyleAnswer>(&["", "SpeechPattern"], &lists).finish()
}

pub(super) fn plan() -> Value {
    let lists = [
        ("", "storylines", 4),
        ("", "dormant_storylines", 8),
        ("", "convergences", 4),
        ("", "foreshadowing", 20),
        ("", "new_characters", 4),
        ("", "chapters", 60),
        ("PlannedLine", "pov_characters", 3),
        ("PlannedConvergence", "storylines", 4),
        ("NewCharacter", "aliases", 3),
        ("NewCharacter", "contracts", 4),
        ("ContractDraft", "exceptions", 3),
        ("PlannedChapter", "before", 8),
        ("PlannedChapter", "objectives", 4),
        ("PlannedChapter", "after", 8),
        ("PlannedChapter", "foreshadowing", 4),
        ("PlannedChapter", "required_world_rules", 6),
        ("PlannedChapter", "acceptance_criteria", 3),
    ];
    let definitions = [
        "",
        "PlannedLine",
        "PlannedConvergence",
        "PlannedSeed",
        "NewCharacter",
        "ContractDraft",
        "PlannedChapter",
        "PersonState",
        "ObjectiveDraft",
        "SeedUpdate",
    ];
    let mut schema = strict::<PlanAnswer>(&definitions, &lists);
    schema.set("ContractDraft", "type", contract_kinds());
    schema.set(
        "ObjectiveDraft",
        "type",
        json!({"type": "string", "enum": ["plot", "foreshadowing", "character_development"]}),
    );
    schema.set(
        "PersonState",
        "inventory",
        json!({"type": ["array", "null"], "items": {"type": "string"}, "maxItems": 8}),
    );
    schema.finish()
}

fn contract_kinds() -> Value {
    json!({"type": "string",
        "enum": ["personality", "capability", "knowledge", "relationship", "speech"]})
}

/// The schema of a format with everything required and its lists bounded.
fn strict<T: Format>(definitions: &[&str], lists: &[(&str, &str, u32)]) -> Schema {
    let mut schema = Schema(schema_of::<T>());
    for (definition, property, most) in lists {
        schema.bound(definition, property, *most);
    }
    for definition in definitions {
        schema.require_all(definition);
    }
    schema
}
