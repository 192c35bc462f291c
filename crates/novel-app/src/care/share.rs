//! `novel doctor --share`: what helps somebody else to find a fault, without prose, names or keys.
//!
//! Everything in it is a number, a word of the program's own, or masked: texts of settings are left
//! out, and words in paths that are not the program's own become `*`.

use std::collections::BTreeMap;

use novel_book::{config::is_setting_word, operations::OperationLog};
use novel_contract::share as contract;
use novel_model::{Explain, Problem};
use novel_store::Store;
use serde_json::Value;

use super::doctor::{self, DoctorReport, Repair};
use crate::{
    BookError, Clock, OpenError, Project, SettingOrigin,
    library::{runs, status},
    setup::{model::PRESETS, settings},
};

/// So many of the newest operations and runs are told.
const TOLD: usize = 20;

/// Words of the program's own in paths and in names of operations.
const OWN: &[&str] = &[
    "active",
    "agent",
    "agents",
    "ai",
    "archive",
    "audit",
    "blacklist",
    "book",
    "brief",
    "calls",
    "changelog",
    "chapter",
    "chapters",
    "characters",
    "checkpoint",
    "commit",
    "config",
    "consistency",
    "contracts",
    "crossref",
    "current",
    "draft",
    "drift",
    "endpoints",
    "eval",
    "evaluations",
    "foreshadowing",
    "geography",
    "gitignore",
    "global",
    "history",
    "inbox",
    "info",
    "journal",
    "json",
    "jsonl",
    "judge",
    "lock",
    "locked",
    "log",
    "logic",
    "logs",
    "marks",
    "md",
    "memory",
    "model",
    "new",
    "notes",
    "novel",
    "operation",
    "operations",
    "outline",
    "pack",
    "places",
    "plan",
    "probes",
    "profile",
    "progress",
    "published",
    "quickstart",
    "refine",
    "relationships",
    "results",
    "retired",
    "review",
    "reviews",
    "revision",
    "rules",
    "runs",
    "samples",
    "schedule",
    "spec",
    "staging",
    "state",
    "storyline",
    "storylines",
    "style",
    "summaries",
    "summarize",
    "summary",
    "to",
    "toml",
    "trial",
    "truth",
    "txt",
    "unlocked",
    "unknown",
    "entities",
    "vol",
    "volume",
    "volumes",
    "world",
];

/// Makes the report. A book that is damaged is told of as far as it can be read.
///
/// # Errors
/// When the project cannot be looked at.
pub fn share(store: &Store, clock: Clock) -> Result<contract::ShareAnswer, BookError> {
    let DoctorReport { findings, notes } = doctor::doctor(store, clock, Repair::Report)?;
    let project = Project::open(store.clone(), clock);
    let reader = store.reader()?;
    let log = OperationLog::read(&reader).unwrap_or_default();
    let newest = log.operations.iter().rev().take(TOLD);
    let opened = project.as_ref().ok();
    Ok(contract::ShareAnswer {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        book: opened.and_then(book),
        unreadable: project
            .as_ref()
            .err()
            .map(|error: &OpenError| error.code().to_owned()),
        settings: opened.map(told_settings).unwrap_or_default(),
        findings: findings
            .iter()
            .map(|finding| shared(&finding.problem, finding.repair.is_some()))
            .collect(),
        notes: notes.iter().map(|note| shared(note, false)).collect(),
        operations: newest
            .map(|operation| contract::SharedOperation {
                operation: operation.operation,
                kind: operation.kind.name().to_owned(),
                target: masked(&operation.target),
                files: operation.paths().len(),
            })
            .collect(),
        runs: opened.map(told_runs).unwrap_or_default(),
    })
}

fn book(project: &Project) -> Option<contract::SharedBook> {
    let status = status::status(project).ok()?;
    let checkpoint = &status.checkpoint;
    Some(contract::SharedBook {
        language: match project.config().lang() {
            novel_model::Lang::Zh => "zh-CN".to_owned(),
            novel_model::Lang::En => "en".to_owned(),
        },
        state: checkpoint.orchestrator_state,
        last_completed_chapter: checkpoint.last_completed_chapter,
        current_volume: checkpoint.current_volume,
        words: status.totals.total_words,
        pending_chapters: status.pending.len(),
        waits: status.waits.code.map(str::to_owned),
    })
}

/// The settings that are not the default. A text is told only where it is one of the program's words.
fn told_settings(project: &Project) -> BTreeMap<String, Value> {
    let all = project.settings().unwrap_or_default();
    let set = all
        .into_iter()
        .filter(|setting| setting.origin != SettingOrigin::Default);
    set.map(|setting| {
        let value = match setting.value {
            Value::String(text) => {
                let preset = PRESETS.iter().find(|preset| preset.base_url == text);
                match preset {
                    Some(preset) => Value::from(preset.name),
                    None if is_setting_word(&setting.key, &text) => Value::from(text),
                    None => Value::from("(set)"),
                }
            }
            Value::Array(items) => Value::from(format!("(a list of {})", items.len())),
            other => other,
        };
        (masked_key(&setting.key), value)
    })
    .collect()
}

/// A key of `novel.toml`; what the author named in it is `*`, such as the model of a price.
fn masked_key(key: &str) -> String {
    let known = settings::keys();
    if known.iter().any(|known| known == key) {
        return key.to_owned();
    }
    let first = key.split('.').next().unwrap_or_default();
    let last = key.rsplit('.').next().unwrap_or_default();
    let is_first = known
        .iter()
        .any(|known| known.split('.').next() == Some(first));
    match first {
        "prices" | "fallback" => format!("{first}.*.{last}"),
        _ if is_first => format!("{first}.*"),
        _ => "*".to_owned(),
    }
}

fn told_runs(project: &Project) -> Vec<contract::SharedRun> {
    let runs = runs::list(project).map(|answer| answer.runs);
    let runs = runs.unwrap_or_default().into_iter().take(TOLD);
    runs.map(|run| contract::SharedRun {
        run: run.run,
        state: run.state,
        stop: run.stop,
        chapters: run.chapters.len(),
        calls: run.spent.calls,
    })
    .collect()
}

fn shared(problem: &Problem, repairable: bool) -> contract::SharedFinding {
    contract::SharedFinding {
        code: problem.code.to_owned(),
        path: masked(problem.path.as_str()),
        repairable,
    }
}

/// A path or a name without words that are not the program's own.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    let mut word = String::new();
    let end = |word: &mut String, masked: &mut String| {
        if word.is_empty() {
            return;
        }
        let is_number = word.len() <= 6 && word.chars().all(|letter| letter.is_ascii_digit());
        if is_number || OWN.contains(&word.as_str()) {
            masked.push_str(word);
        } else if !masked.ends_with('*') {
            masked.push('*');
        }
        word.clear();
    };
    for letter in text.chars() {
        if matches!(letter, '/' | '.' | '-' | '_' | ':') {
            end(&mut word, &mut masked);
            masked.push(letter);
        } else {
            word.push(letter);
        }
    }
    end(&mut word, &mut masked);
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_of_the_program_are_told() {
        for (text, told) in [
            ("chapters/chapter-012.md", "chapters/chapter-012.md"),
            (
                "characters/active/lin-feng.json",
                "characters/active/*-*.json",
            ),
            ("volumes/vol-01/outline.md", "volumes/vol-01/outline.md"),
            ("agents/my secret.md", "agents/*.md"),
            ("chapter:003:draft", "chapter:003:draft"),
            ("林风", "*"),
            (".checkpoint.json", ".checkpoint.json"),
        ] {
            assert_eq!(masked(text), told);
        }
    }
}
