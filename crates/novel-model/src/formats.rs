//! Which file format each type is, and the rules of each beyond its schema.

use serde_json::Value;

use crate::{
    Format, Problem, RelPath, checks,
    checks::Findings,
    files::{
        Bindings, Blacklist, CastAnswer, ChapterContract, ChapterLog, Character, Checkpoint,
        Claims, ConsistencyReport, CrossReferences, Evaluation, ForeshadowPlan, Foreshadowing,
        GeneratedChapter, ImportedReading, LogicReview, Marks, NewCharacters, Packet, Places,
        PlanAnswer, PlanDraft, Progress, ReadingAnswer, Relationships, RetellAnswer,
        RevisionStatus, ScenePlan, StagedScene, StateDelta, StoryState, StorylineSchedule,
        StorylineSpec, Storylines, StyleAnswer, StyleDrift, StyleProfile, SummarizerAnswer, Truth,
        WorldAnswer, WorldRules,
    },
    schema_of,
};

macro_rules! formats {
    ($($type:ty = $schema:literal { $(aliases: $aliases:expr,)? $(object_lists: $lists:expr,)? $(check: $check:path)? })+) => {
        $(impl Format for $type {
            const SCHEMA: &'static str = $schema;

            $(const ALIASES: &'static [(&'static str, &'static str)] = $aliases;)?

            $(const OBJECT_LISTS: Option<&'static [&'static str]> = Some($lists);)?

            $(fn check(&self, path: &RelPath, problems: &mut Vec<Problem>) {
                $check(self, &mut Findings::new(path, problems));
            })?
        })+

        /// Every JSON Schema by file name, sorted.
        #[must_use]
        pub fn schemas() -> Vec<(&'static str, Value)> {
            let mut all = vec![$((<$type>::SCHEMA, schema_of::<$type>())),+];
            all.sort_by_key(|(name, _)| *name);
            all
        }
    };
}

formats! {
    Bindings = "bindings.schema.json" {}
    Blacklist = "ai-blacklist.schema.json" {}
    CastAnswer = "cast-answer.schema.json" { check: checks::cast_answer }
    ChapterContract = "chapter-contract.schema.json" { check: checks::contract }
    ChapterLog = "chapter-log.schema.json" { check: checks::chapter_log }
    Character = "character.schema.json" {
        object_lists: &["contracts"],
        check: checks::character
    }
    Checkpoint = "checkpoint.schema.json" {}
    Claims = "claims.schema.json" {}
    ConsistencyReport = "consistency-report.schema.json" { check: checks::consistency }
    CrossReferences = "crossref.schema.json" {}
    Evaluation = "evaluation.schema.json" {
        aliases: &[("rule_id", "contract_id"), ("rule_id", "objective_id")],
        check: checks::evaluation
    }
    ForeshadowPlan = "foreshadowing-plan.schema.json" { check: checks::foreshadow_plan }
    Foreshadowing = "foreshadowing.schema.json" {
        object_lists: &["foreshadowing", "history"],
        check: checks::foreshadowing
    }
    GeneratedChapter = "chapter.schema.json" {
        object_lists: &["scenes"],
        check: checks::chapter
    }
    ImportedReading = "imported-reading.schema.json" {}
    LogicReview = "logic-review.schema.json" { check: checks::logic_review }
    Marks = "marks.schema.json" {}
    NewCharacters = "new-characters.schema.json" { check: checks::new_characters }
    Places = "places.schema.json" { check: checks::places }
    Packet = "packet.schema.json" { check: checks::packet }
    PlanAnswer = "plan-answer.schema.json" {}
    PlanDraft = "plan-draft.schema.json" {}
    Progress = "progress.schema.json" {}
    ReadingAnswer = "reading-answer.schema.json" {}
    Relationships = "relationships.schema.json" {}
    RetellAnswer = "retell-answer.schema.json" {}
    RevisionStatus = "revision-status.schema.json" { check: checks::revision }
    ScenePlan = "scene-plan.schema.json" { check: checks::scene_plan }
    StagedScene = "scene.schema.json" { check: checks::staged_scene }
    StateDelta = "state-delta.schema.json" { check: checks::delta }
    StoryState = "state.schema.json" {}
    StorylineSchedule = "storyline-schedule.schema.json" { check: checks::schedule }
    StorylineSpec = "storyline-spec.schema.json" { check: checks::storyline_spec }
    Storylines = "storylines.schema.json" { check: checks::storylines }
    StyleAnswer = "style-answer.schema.json" {}
    StyleDrift = "style-drift.schema.json" { check: checks::style_drift }
    StyleProfile = "style-profile.schema.json" { check: checks::style_profile }
    SummarizerAnswer = "summarizer-answer.schema.json" {}
    Truth = "truth.schema.json" { check: checks::truth }
    WorldAnswer = "world-answer.schema.json" {}
    WorldRules = "world-rules.schema.json" { check: checks::world_rules }
}
