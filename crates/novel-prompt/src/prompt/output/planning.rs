//! The forms of answers that set a book up and plan it. Every list has an end: a small model fills
//! one without a limit for as long as it may.

use novel_model::{
    Format,
    files::{CastAnswer, PlanAnswer, ReadingAnswer, RetellAnswer, StyleAnswer, WorldAnswer},
    schema_of,
};
use serde_json::{Value, json};

use super::{Schema, reference};
use novel_book::config::PlanMaterial;

pub(super) fn world() -> Value {
    let lists = [
        ("", "rules", 3),
        ("RuleDraft", "exceptions", 3),
        ("MainArc", "factions", 4),
    ];
    strict::<WorldAnswer>(&["", "RuleDraft", "MainArc"], &lists).finish()
}

pub(super) fn cast() -> Value {
    let mut schema = people(3, 6);
    schema.at_least("", "characters", 2);
    schema.finish()
}

/// The form of the people a plan brings, whoever they are. A volume in several parts may bring some
/// with each.
pub(super) fn newcomers() -> Value {
    let mut schema = people(16, 24);
    schema.at_least("", "characters", 1);
    schema.finish()
}

/// The form of the people a plan brings: those and nobody else.
pub(super) fn newcomers_within(bounds: &NewcomerBounds) -> Value {
    let mut schema = people(bounds.count, 2 * bounds.count);
    schema.exactly("", "characters", bounds.count);
    schema.choose("NewCharacter", "id", bounds.ids.as_deref());
    schema.choose("NewCharacter", "display_name", bounds.names.as_deref());
    schema.finish()
}

/// Whom a plan brings. Lists are `None` where they cannot be listed.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::prompt) struct NewcomerBounds {
    pub(in crate::prompt) count: u32,
    pub(in crate::prompt) ids: Option<Vec<String>>,
    pub(in crate::prompt) names: Option<Vec<String>>,
}

fn people(most: u32, most_relations: u32) -> Schema {
    let lists = [
        ("", "characters", most),
        ("", "relationships", most_relations),
        ("NewCharacter", "aliases", 3),
        ("NewCharacter", "contracts", 4),
        ("ContractDraft", "exceptions", 3),
    ];
    let definitions = ["", "NewCharacter", "ContractDraft", "Relationship"];
    let mut schema = strict::<CastAnswer>(&definitions, &lists);
    schema.set("ContractDraft", "type", contract_kinds());
    schema.at_least("NewCharacter", "contracts", 1);
    schema.short("NewCharacter", "display_name");
    schema
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

/// The form of what is read in an imported chapter.
pub(super) fn reading() -> Value {
    let lists = [
        ("", "people", 12),
        ("", "places", 8),
        ("", "rules", 4),
        ("", "threads", 8),
        ("PersonRead", "aliases", 4),
        ("PersonRead", "traits", 3),
        ("PersonRead", "relations", 4),
        ("PlaceRead", "aliases", 3),
    ];
    let definitions = [
        "",
        "PersonRead",
        "TraitRead",
        "RelationRead",
        "PlaceRead",
        "RuleRead",
        "ThreadRead",
        "EndingRead",
    ];
    let mut schema = strict::<ReadingAnswer>(&definitions, &lists);
    schema.set("TraitRead", "type", contract_kinds());
    schema.set("ThreadRead", "scope", reference("ForeshadowScope"));
    for definition in ["PersonRead", "PlaceRead"] {
        schema.short(definition, "name");
    }
    schema.finish()
}

/// The form of a plan, whatever is to be planned.
pub(super) fn plan() -> Value {
    any_plan().finish()
}

/// The form of the plan that is asked for. What the program knows is not left to the answer: how many
/// chapters there are, which rules, lines and people exist.
pub(super) fn plan_within(bounds: &PlanBounds) -> Value {
    let mut schema = any_plan();
    let (first, last) = bounds.chapters;
    let chapter = json!({"type": "integer", "minimum": first, "maximum": last});
    schema.exactly("", "chapters", last - first + 1);
    schema.set("PlannedSeed", "planted_chapter", chapter);
    let later = json!({"type": "integer", "minimum": first + 1});
    schema.set("PlannedSeed", "resolve_from", later.clone());
    schema.set("PlannedSeed", "resolve_to", later);
    let meeting = json!({"type": "integer", "minimum": first, "maximum": bounds.volume_last});
    schema.set("PlannedConvergence", "first_chapter", meeting.clone());
    schema.set("PlannedConvergence", "last_chapter", meeting);
    schema.choose(
        "PlannedChapter",
        "required_world_rules",
        bounds.rules.as_deref(),
    );
    if bounds.material == PlanMaterial::Known {
        schema.exactly("", "new_characters", 0);
        schema.exactly("", "foreshadowing", 0);
        for (definition, property) in [
            ("PlannedLine", "pov_characters"),
            ("PlannedChapter", "pov"),
            ("PersonState", "character"),
            ("TakesPart", "character"),
        ] {
            schema.choose(definition, property, bounds.people.as_deref());
        }
        schema.choose("SeedUpdate", "id", bounds.open_seeds.as_deref());
        if bounds.open_seeds.as_ref().is_some_and(Vec::is_empty) {
            schema.exactly("PlannedChapter", "foreshadowing", 0);
        }
    }
    if bounds.material == PlanMaterial::Known || !bounds.opens_lines {
        for (definition, property) in [
            ("PlannedLine", "id"),
            ("PlannedChapter", "storyline_id"),
            ("PlannedConvergence", "storylines"),
            ("", "dormant_storylines"),
        ] {
            schema.choose(definition, property, bounds.lines.as_deref());
        }
        // One line neither meets another nor rests.
        if bounds.lines.as_ref().is_some_and(|lines| lines.len() == 1) {
            schema.exactly("", "storylines", 1);
            schema.exactly("", "convergences", 0);
            schema.exactly("", "dormant_storylines", 0);
        }
    }
    schema.finish()
}

/// The form of what written chapters tell, whichever they are.
pub(super) fn retelling() -> Value {
    any_retelling().finish()
}

/// The form of what these chapters tell: as many as were asked for, with people and storylines that exist.
pub(super) fn retelling_within(bounds: &PlanBounds) -> Value {
    let mut schema = any_retelling();
    let (first, last) = bounds.chapters;
    schema.exactly("", "chapters", last - first + 1);
    for definition in [("ToldChapter", "pov"), ("ToldPerson", "character")] {
        schema.choose(definition.0, definition.1, bounds.people.as_deref());
    }
    schema.choose("ToldMeeting", "storyline", bounds.lines.as_deref());
    // One line meets no other.
    if bounds.lines.as_ref().is_some_and(|lines| lines.len() < 2) {
        schema.exactly("ToldChapter", "meetings", 0);
    }
    schema.finish()
}

fn any_retelling() -> Schema {
    let lists = [
        ("", "chapters", 60),
        ("ToldChapter", "places", 4),
        ("ToldChapter", "events", 6),
        ("ToldChapter", "people", 8),
        ("ToldChapter", "threads", 6),
        ("ToldChapter", "meetings", 3),
    ];
    let definitions = [
        "",
        "ToldChapter",
        "Told",
        "ToldPlace",
        "ToldPerson",
        "ToldThread",
        "ToldMeeting",
    ];
    let mut schema = strict::<RetellAnswer>(&definitions, &lists);
    schema.set(
        "ToldPerson",
        "inventory",
        json!({"type": ["array", "null"], "items": {"type": "string"}, "maxItems": 8}),
    );
    // Chapters are numbered by their place.
    schema.remove("ToldChapter", "chapter");
    schema.require_all("ToldChapter");
    schema.at_least("ToldChapter", "events", 1);
    schema.short("ToldPlace", "name");
    schema.filled("Told", "text");
    schema
}

/// What a plan has to keep to. Lists are `None` where what the book has cannot be listed.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::prompt) struct PlanBounds {
    /// First and last chapter to plan.
    pub(in crate::prompt) chapters: (u32, u32),
    pub(in crate::prompt) volume_last: u32,
    pub(in crate::prompt) material: PlanMaterial,
    /// Whether the plan may open storylines; the plan of a trial may not.
    pub(in crate::prompt) opens_lines: bool,
    /// Display names of the cast.
    pub(in crate::prompt) people: Option<Vec<String>>,
    /// Ids of the storylines.
    pub(in crate::prompt) lines: Option<Vec<String>>,
    /// Ids of the world's rules.
    pub(in crate::prompt) rules: Option<Vec<String>>,
    /// Ids of what is planted and not resolved.
    pub(in crate::prompt) open_seeds: Option<Vec<String>>,
}

fn any_plan() -> Schema {
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
        ("PlannedChapter", "scene_goals", 5),
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
    // Chapters are numbered by their place.
    schema.remove("PlannedChapter", "chapter");
    schema.require_all("PlannedChapter");
    // How somebody begins a chapter is how the one before left them; the program fills it in.
    schema.define(
        "TakesPart",
        json!({"type": "object", "properties": {"character": {"type": "string"}},
            "required": ["character"], "additionalProperties": false}),
    );
    let people = json!({"type": "array", "items": reference("TakesPart"), "maxItems": 8});
    schema.set("PlannedChapter", "before", people);
    for (definition, property, fewest) in [
        ("", "storylines", 1),
        ("NewCharacter", "contracts", 1),
        ("PlannedChapter", "objectives", 1),
        ("PlannedConvergence", "storylines", 2),
    ] {
        schema.at_least(definition, property, fewest);
    }
    for (definition, property) in [
        ("", "title"),
        ("PlannedChapter", "title"),
        ("PlannedChapter", "pov"),
        ("PlannedChapter", "location"),
        ("NewCharacter", "display_name"),
        ("PersonState", "character"),
        ("TakesPart", "character"),
    ] {
        schema.short(definition, property);
    }
    for property in ["conflict", "arc", "transition"] {
        schema.filled("PlannedChapter", property);
    }
    schema.filled("ObjectiveDraft", "description");
    schema
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
