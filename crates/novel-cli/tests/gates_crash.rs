//! Every crash point of a revision that becomes the text: `revision apply`, and the `auto_apply` of
//! `continue`, with every kind of loss.
//!
//! Text, summary, state, changelog, memory, report and decision are as before or as after. Whoever
//! goes on comes to the same book, and asks nobody whose answer was kept.

use std::sync::Arc;

use novel_testkit::{
    crash::{Act, Files, disk, files, store},
    faulty::{FAULTY, chapter_json, consistency, pending, planted, revision},
    simfs::{Entry, SimFs},
};

use crate::offline_author::{book, by_author};
use novel_app::{
    Clock,
    care::doctor,
    revise::revision as app_revision,
    runner::{Runner, Watch, WatchEvent},
    write::run::FromError,
};
use novel_book::run::Goal;
use novel_llm::CancelToken;
use novel_model::{ChapterStage, Explain, Failure, StepId};
use serde_json::Value;

/// Stops the run once the new text is summarised: what follows is the next chapter.
struct StopsAfterSummary(Option<CancelToken>);

impl Watch for StopsAfterSummary {
    fn event(&self, event: &WatchEvent<'_>) {
        if let WatchEvent::Answered { step, .. } = event
            && matches!(step, StepId::Chapter(chapter, ChapterStage::Summarize) if chapter.get() == FAULTY)
        {
            self.0.iter().for_each(CancelToken::cancel);
        }
    }
}

/// Has something done by the offline author, up to the summary of the new text.
fn act(
    fs: &Arc<SimFs>,
    pid: u32,
    undone: Option<&'static str>,
    act: impl Fn(&Runner<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let cancel = CancelToken::new();
    let watch = StopsAfterSummary(undone.is_none().then(|| cancel.clone()));
    by_author(fs, pid, undone, &watch, &cancel, act)
}

/// A run that ended because it was told to has done what it should.
fn go_on(runner: &Runner<'_>) -> Result<(), Failure> {
    match runner.run(Goal::Chapters(1), FromError::Retry) {
        Err(error) if error.code() != "INTERRUPTED" => Err(error.into()),
        _ => Ok(()),
    }
}

fn json(files: &Files, path: &str) -> Value {
    match files.get(path) {
        Some(Entry::File(bytes)) => serde_json::from_slice(bytes).unwrap(),
        _ => panic!("no {path}"),
    }
}

/// Everything that is said about the text is said about this text.
fn assert_agrees(files: &Files) {
    let fs = disk(files);
    let clock = Clock::Fixed("2026-03-01T12:00:00Z".parse().unwrap());
    let health = doctor::doctor(&store(&fs, 300), clock, doctor::Repair::Report).unwrap();
    assert!(health.findings.is_empty(), "{:#?}", health.findings);
    let status = json(files, &revision(FAULTY));
    assert_eq!(status["status"], "accepted");
    assert_eq!(
        json(files, &chapter_json(FAULTY)),
        status["revised_chapter"]
    );
    let text = |path: &str| match files.get(path) {
        Some(Entry::File(bytes)) => String::from_utf8(bytes.clone()).unwrap(),
        _ => panic!("no {path}"),
    };
    let replayed = novel_testkit::replay::replay(&text("state/changelog.jsonl"));
    assert_eq!(replayed, text("state/current-state.json"));
    let progress = json(files, "logs/progress.json");
    let newest = progress["recent"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    assert_eq!(newest["words"], status["revised_chapter"]["total_words"]);
    let report = json(files, &consistency(FAULTY));
    let saw = &report["context_snapshot"]["chapter_hash"];
    assert_eq!(
        *saw, newest["markdown_hash"],
        "the report is on the new text"
    );
}

#[test]
fn every_crash_point_of_revision_apply_leaves_before_or_after() {
    let start = files(pending().tree());
    let chapter = novel_model::ChapterNo::new(FAULTY).unwrap();
    let after = Act {
        name: "revision apply",
        run: &|fs, pid| {
            act(fs, pid, None, |runner| {
                app_revision::apply(runner, chapter)
                    .map(drop)
                    .map_err(Failure::from)
            })
        },
        of_interest: book,
    }
    .enumerate(&start);
    assert_agrees(&after);
}

#[test]
fn every_crash_point_of_auto_apply_leaves_text_and_accounts_as_before_or_as_after() {
    // The run as it stands right after the commit, before the reviser has answered.
    let written = planted("revision_policy = \"auto_apply\"");
    let fs = disk(&files(written.tree()));
    let stopped = act(&fs, 50, Some("chapter-reviser"), |runner| {
        runner
            .run(Goal::Chapters(1), FromError::Refuse)
            .map(drop)
            .map_err(Failure::from)
    });
    assert!(stopped.is_err());
    let start: Files = fs.tree();
    let status = json(&start, &revision(FAULTY));
    assert_eq!(status["status"], "pending", "{status:#}");
    assert_eq!(status["revised_chapter"], Value::Null, "{status:#}");
    // The candidate and the new text are two operations; between them the text is the old one and
    // the chapter waits.
    let after = Act {
        name: "auto_apply",
        run: &|fs, pid| act(fs, pid, None, go_on),
        of_interest: |files| {
            let mut files = book(files);
            let candidate = ["archive/pack-", "logs/operations"];
            files.retain(|path, _| !candidate.iter().any(|part| path.contains(part)));
            let pending = json(&files, &revision(FAULTY))["status"] == "pending";
            if pending {
                files.remove(&revision(FAULTY));
                files.remove("logs/chapter-004-log.json");
            }
            files
        },
    }
    .enumerate(&start);
    assert_agrees(&after);
}
