//! Every file of a project as a type. Field names are the public contract of `spec/01`.

mod chapter;
mod checkpoint;
mod contract;
mod evaluation;
mod ledger;
mod log;
mod marks;
mod packet;
mod plan;
mod reading;
mod retelling;
mod review;
mod scene;
mod state;
mod storyline;
mod style;
mod truth;
mod world;

pub use chapter::{GeneratedChapter, GeneratedScene};
pub use checkpoint::{Checkpoint, OrchestratorState, PipelineStage, RewriteUnderWay};
pub use contract::{
    ChapterContract, ChapterFunction, Objective, Postconditions, Preconditions, StorylineContext,
    ToldFrom, TransitionHint,
};
pub use evaluation::{
    AntiAi, AuthorDecision, BlacklistSuggestion, CheckStatus, Confidence, ContractCheck,
    ContractVerification, DimensionScore, Evaluation, EvaluationMetadata, GateDecision, GateRecord,
    JudgeRecord, JudgeRole, Judges, OFFLINE_AUTHOR, RequiredFix, ScoredBy, Scores,
};
pub use ledger::{Claim, Claims, Frame, NamedPlace, Places, Travel};
pub use log::{Bindings, ChapterLog, ChapterProgress, Progress, StageLog};
pub use marks::{ForwardRepair, Marks, Wall};
pub use packet::{
    AnswerForm, ExpectedOutput, Manifest, NextAction, Packet, PacketAgent, SummarizerAnswer,
};
pub use plan::{
    CastAnswer, ContractDraft, MainArc, NewCharacter, NewCharacters, ObjectiveDraft, PersonState,
    PlanAnswer, PlanDraft, PlannedChapter, PlannedConvergence, PlannedLine, PlannedSeed,
    Relationship, Relationships, RuleDraft, SeedUpdate, SpeechPattern, StyleAnswer, WorldAnswer,
};
pub use reading::{
    EndingRead, FoundEvent, FoundPerson, FoundThing, FoundThread, ImportedReading, PersonRead,
    PlaceRead, Quotation, ReadingAnswer, RelationRead, RuleRead, StoryEnd, ThreadRead, TraitRead,
};
pub use retelling::{
    RetellAnswer, Told, ToldChapter, ToldMeeting, ToldPerson, ToldPlace, ToldThread,
};
pub use review::{
    CandidateVerdict, ConsistencyReport, LogicReview, ReviewIssue, RevisionState, RevisionStatus,
    RevisionTrigger, Severity,
};
pub use scene::{Intensity, PlannedScene, ScenePlan, StagedScene};
pub use state::{
    CrossReference, CrossReferences, ForeshadowAction, ForeshadowEvent, ForeshadowItem,
    ForeshadowPlan, ForeshadowScope, Foreshadowing, LeakRisk, PlannedForeshadow, StateDelta,
    StoryState, UnknownEntity,
};
pub use storyline::{
    ActiveStoryline, Bridges, ConvergenceEvent, Storyline, StorylineRelationship, StorylineRule,
    StorylineSchedule, StorylineSpec, Storylines, VolumeRole,
};
pub use style::{Blacklist, Drift, Exemptions, StyleDrift, StyleProfile};
pub use truth::{Clue, FalseBelief, Knower, Secret, Truth, TruthEvent};
pub use world::{Character, CharacterContract, ConstraintType, WorldRule, WorldRules};
