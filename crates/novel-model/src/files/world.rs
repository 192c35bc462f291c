//! World rules (L1) and characters (L2).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Slug;

/// Whether a rule may bend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConstraintType {
    /// Never.
    Hard,
    /// Advice.
    Soft,
}

/// `world/rules.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorldRules {
    /// The rules.
    pub rules: Vec<WorldRule>,
}

/// One L1 rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorldRule {
    /// Such as `W-001`.
    pub id: String,
    /// Such as `magic_system`.
    #[serde(default)]
    pub category: String,
    /// The rule.
    pub rule: String,
    /// Hard or soft.
    pub constraint_type: ConstraintType,
    /// Where it does not hold.
    #[serde(default)]
    pub exceptions: Vec<String>,
    /// Since when.
    #[serde(default)]
    pub introduced_chapter: Option<u32>,
    /// Last chapter it was checked in.
    #[serde(default)]
    pub last_verified: Option<u32>,
}

/// `characters/active/{slug}.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Character {
    /// Equal to the file name, if given.
    #[serde(default)]
    pub id: Option<Slug>,
    /// The name in the prose.
    pub display_name: String,
    /// Other names in the prose.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// L2 contracts.
    #[serde(default)]
    pub contracts: Vec<CharacterContract>,
}

/// One L2 contract.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CharacterContract {
    /// Such as `C-LINFENG-001`.
    pub id: String,
    /// Such as `capability` or `personality`.
    #[serde(default, rename = "type")]
    pub kind: String,
    /// The rule.
    pub rule: String,
    /// Where it does not hold.
    #[serde(default)]
    pub exceptions: Vec<String>,
    /// Since when.
    #[serde(default)]
    pub valid_from_chapter: Option<u32>,
    /// Until when.
    #[serde(default)]
    pub valid_until: Option<u32>,
    /// What it takes to change it.
    #[serde(default)]
    pub update_requires: Option<String>,
}
