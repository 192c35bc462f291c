//! Every crash point of a volume's review, of the people a plan brings and of the plan's commit, with
//! every kind of loss: before or after, and nobody is asked twice.

use std::sync::Arc;

use novel_testkit::{
    TestBook,
    crash::{Act, Files, disk, files, store},
    simfs::{Entry, SimFs},
};

use crate::offline_author::{book, by_author, project};
use novel_app::{
    Clock,
    care::doctor,
    runner::{Runner, Watch, WatchEvent},
    write::commit::CommitMode,
    write::run::FromError,
    write::volume,
    write::volume_review::volume_review,
};
use novel_book::run::Goal;
use novel_llm::CancelToken;
use novel_model::{Failure, VolumeNo};
use serde_json::Value;

/// A book whose first volume, of four chapters, is to be planned; three are written.
fn planning() -> TestBook {
    let home = TestBook::planning();
    let config = home.text("novel.toml");
    home.write("novel.toml", format!("{config}\n[plan]\nchapters = 4\n"));
    home
}

struct Nobody;

impl Watch for Nobody {
    fn event(&self, _: &WatchEvent<'_>) {}
}

fn act(
    fs: &Arc<SimFs>,
    pid: u32,
    undone: Option<&'static str>,
    deed: impl Fn(&Runner<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    by_author(fs, pid, undone, &Nobody, &CancelToken::new(), deed)
}

fn json(files: &Files, path: &str) -> Value {
    match files.get(path) {
        Some(Entry::File(bytes)) => serde_json::from_slice(bytes).unwrap(),
        _ => panic!("no {path}"),
    }
}

fn assert_healthy(files: &Files) {
    let clock = Clock::Fixed("2026-03-01T12:00:00Z".parse().unwrap());
    let health = doctor::doctor(&store(&disk(files), 300), clock, doctor::Repair::Report).unwrap();
    assert!(health.findings.is_empty(), "{:#?}", health.findings);
}

#[test]
fn every_crash_point_of_a_volume_review_leaves_before_or_after() {
    let home = planning();
    let data = home.ask(&["run", "--to", "4", "--yes"]).data();
    assert_eq!(data["stop"], "volume_end", "{data:#}");
    let start = files(home.tree());
    let after = Act {
        name: "volume review",
        run: &|fs, pid| {
            act(fs, pid, None, |runner| {
                volume_review(runner, Some(VolumeNo::first()))
                    .map(drop)
                    .map_err(Failure::from)
            })
        },
        of_interest: book,
    }
    .enumerate(&start);
    assert!(after.contains_key("volumes/vol-01/review.md"));
    assert_eq!(json(&after, ".checkpoint.json")["current_volume"], 2);
    assert_healthy(&after);
}

#[test]
fn every_crash_point_of_new_people_and_of_the_plans_commit_leaves_before_or_after() {
    let home = planning();
    let plan = |runner: &Runner<'_>| {
        runner
            .run(Goal::Decision, FromError::Retry)
            .map(drop)
            .map_err(Failure::from)
    };
    // The plan is whole, and the weaver has not answered.
    let fs = disk(&files(home.tree()));
    assert!(act(&fs, 50, Some("character-weaver"), plan).is_err());
    let draft = "staging/volumes/vol-01/plan.json";
    assert_eq!(json(&fs.tree(), draft)["woven"], false);
    let after = Act {
        name: "new people",
        run: &|fs, pid| act(fs, pid, None, plan),
        of_interest: book,
    }
    .enumerate(&fs.tree());
    assert_eq!(json(&after, draft)["woven"], true);
    let id = json(&after, draft)["plan"]["new_characters"][0]["id"].clone();
    let after = Act {
        name: "volume commit",
        run: &|fs, pid| {
            let project = project(fs, pid)?;
            volume::commit_volume(&project, VolumeNo::first(), CommitMode::Apply)
                .map(drop)
                .map_err(Failure::from)
        },
        of_interest: book,
    }
    .enumerate(&after);
    let id = id.as_str().unwrap();
    assert!(after.contains_key(&format!("characters/active/{id}.json")));
    assert!(!after.contains_key(draft));
    assert_healthy(&after);
}
