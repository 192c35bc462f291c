//! Answers of `check`, `lint`, `doctor` and `lock`.

use std::collections::BTreeMap;

use novel_model::{ChapterNo, files::Severity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Problem, Warning, answer::answers};

/// Contradictions in the story, or waivers of some.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum CheckAnswer {
    /// Without `--waive`, `--revoke` and `--waivers`.
    Checked(CheckedChapters),
    /// With one of these options: the waivers given, taken back or listed.
    Waivers(WaiversAnswer),
    /// With `--candidates`.
    Candidates(CandidatesAnswer),
    /// With `--explain`.
    Explained(CodeExplained),
}

/// Sentences that may contradict the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CandidatesAnswer {
    /// The chapters that were looked at.
    pub chapters: Vec<ChapterNo>,
    /// The sentences, at most ten a chapter.
    pub candidates: Vec<Candidate>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A sentence that may contradict the record. No finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its number in the chapter, from one.
    pub number: usize,
    /// Why it is asked about: `gone`, `thing`, `body`, `secret`, `near_name`, `rule`, `told`, `place`.
    pub doubt: String,
    /// Id or name of whom or what it is about.
    pub subject: String,
    /// The sentence.
    pub place: Side,
    /// The record.
    pub fact: Side,
}

/// What a code means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CodeExplained {
    /// The code.
    pub code: String,
    /// How bad a finding of it is.
    pub severity: Severity,
    /// What it means, what decides it, what excuses it, how it is repaired.
    pub explanation: String,
}

/// What the story checker found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedChapters {
    /// The chapters that were checked.
    pub checked: Vec<ChapterNo>,
    /// The contradictions found; waived ones only with `--all`.
    pub findings: Vec<CheckedFinding>,
    /// How many findings are waived.
    pub waived: usize,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A contradiction, and whether the author lets it stand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedFinding {
    /// The contradiction.
    #[serde(flatten)]
    pub finding: Finding,
    /// The reason it was waived for; null when it is open.
    pub waived: Option<String>,
}

/// How far judges can be trusted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeAnswer {
    /// Copies that were judged now.
    pub probes: usize,
    /// What all probes so far say, by model and version of the prompt.
    pub judges: Vec<MeasuredJudge>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// One judge, measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredJudge {
    /// Its model.
    pub model: String,
    /// Version of its prompt.
    pub prompt_version: u32,
    /// Planted faults it saw.
    pub recall: MeasuredShare,
    /// Sound copies it claimed a high-confidence violation in.
    pub false_alarms: MeasuredShare,
    /// Its quotations that are in the text.
    pub located: MeasuredShare,
    /// Planted faults it saw, by kind.
    pub by_kind: BTreeMap<String, MeasuredShare>,
}

/// The judge behind a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VerdictJudge {
    /// Its model.
    pub model: String,
    /// Version of its prompt; null where it is not known.
    pub prompt_version: Option<u32>,
    /// What was measured of this model with this version; null when nothing was.
    pub measured: Option<MeasuredJudge>,
}

/// A share with its interval of 95 %.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeasuredShare {
    /// How many.
    pub hits: u32,
    /// Of how many.
    pub of: u32,
    /// Lower end, from 0 to 1.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// One contradiction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Stable code, lower snake case.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// The chapter it is reported for.
    pub chapter: ChapterNo,
    /// Names this finding over several runs.
    pub fingerprint: String,
    /// The contradiction in words.
    pub message: String,
    /// What is wrong.
    pub place: Side,
    /// What it contradicts.
    pub other_side: Side,
    /// Names of the characters it concerns.
    pub related_characters: Vec<String>,
    /// How to repair the text, where a repair is clear.
    pub fix_instructions: Option<String>,
    /// What removes the finding: the repair of the text, or that of the record or the plan.
    #[serde(default)]
    pub repair: String,
}

/// One side of a contradiction, quoted with its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    /// The file, relative to the project.
    pub path: String,
    /// Scene of the chapter, from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<u32>,
    /// Line of the scene or of the file, from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// First byte of the quotation in the content of its scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<usize>,
    /// The byte after the quotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
    /// JSON pointer into the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// What stands there, word for word.
    pub quotation: String,
    /// The decisive part of the quotation, where it is not the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<String>,
}

/// Waivers of findings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WaiversAnswer {
    /// The waivers.
    pub waivers: Vec<Waiver>,
    /// Warnings about the configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// A finding the author lets stand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Waiver {
    /// Code of the finding.
    pub code: String,
    /// Fingerprint of the finding.
    pub fingerprint: String,
    /// Chapter of the finding.
    pub chapter: ChapterNo,
    /// Why it stands.
    pub reason: String,
    /// When it was waived.
    pub created_at: String,
    /// When the waiver was taken back.
    pub revoked_at: Option<String>,
    /// Fields of `reviews/waivers.json` that this program does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Phrases of the blacklist in texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum LintAnswer {
    /// Several texts.
    Files {
        /// One report for each text.
        files: Vec<LintedFile>,
    },
    /// A single text.
    File(LintReport),
}

/// The phrases found in one of several texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LintedFile {
    /// What was found.
    #[serde(flatten)]
    pub report: LintReport,
    /// Name of the text as it was given.
    pub file: String,
}

/// The phrases found in a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LintReport {
    /// Hits of all phrases together.
    pub total_hits: usize,
    /// Hits per thousand counted words; 0 for an empty text.
    pub hits_per_kchars: f64,
    /// The phrases found, most frequent first.
    pub hits: Vec<LintHit>,
}

/// The hits of one phrase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LintHit {
    /// The phrase.
    pub word: String,
    /// How often it occurs.
    pub count: usize,
    /// The lines it begins on, from one, each once.
    pub lines: Vec<usize>,
    /// The first hits with some text around them.
    pub snippets: Vec<String>,
}

/// Damage in the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoctorAnswer {
    /// Whether nothing is wrong any more.
    pub healthy: bool,
    /// What was found.
    pub findings: Vec<Damage>,
    /// What is no damage, but not as the program left it, such as files edited by hand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Problem>,
}

/// One damaged place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Damage {
    /// What is wrong.
    #[serde(flatten)]
    pub problem: Problem,
    /// What `--fix` does about it; null when it must be repaired by hand.
    pub repair: Option<String>,
    /// Whether it was repaired.
    pub repaired: bool,
}

/// State of the project's lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Lock {
    /// Nobody holds it.
    Free,
    /// A process holds it.
    Held {
        /// The process.
        holder: Holder,
    },
    /// Its holder no longer counts; the next writer takes over.
    Stale {
        /// Why it no longer counts.
        reason: String,
        /// The process.
        holder: Holder,
    },
    /// Something is there that cannot be understood.
    Damaged {
        /// What is wrong with it.
        reason: String,
    },
}

/// The holder of a lock, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Holder {
    /// What it wrote about itself; older tools may write nothing.
    #[serde(flatten)]
    pub process: Option<LockProcess>,
    /// Seconds since its last sign of life; negative where that is in the future.
    pub age_seconds: i64,
    /// Seconds by which its clock is ahead of this machine's, where its last sign of life is in the
    /// future.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ahead_seconds: Option<i64>,
    /// Whether the process is suspended: it goes on only when someone lets it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suspended: bool,
}

/// The process that took a lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LockProcess {
    /// Number of the process.
    pub pid: u32,
    /// When the lock was taken.
    pub started: String,
    /// The chapter it was taken for.
    pub chapter: Option<u32>,
    /// Machine of the process.
    pub host: Option<String>,
    /// Start of the process: tells it from a later one with its number.
    pub process_start: Option<String>,
    /// Last sign of life.
    pub heartbeat: Option<String>,
    /// Boot of the machine.
    pub boot_id: Option<String>,
    /// Process namespace of the process.
    pub pid_namespace: Option<String>,
}

/// A lock that was removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LockCleared {
    /// Whether there was a lock to remove.
    pub cleared: bool,
    /// The lock before.
    pub was: Lock,
}

answers!(
    JudgeAnswer { warnings },
    CheckedChapters { warnings },
    WaiversAnswer { warnings },
    CandidatesAnswer { warnings },
    CodeExplained {},
    LintAnswer {},
    DoctorAnswer {},
    Lock {},
    LockCleared {},
);
