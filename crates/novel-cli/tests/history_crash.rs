//! Every crash point of `rollback` and `undo`, with every kind of loss.
//!
//! The operation is stopped before, in the middle of and after each of its file operations; then the
//! process is gone, or the power. The next writer must find the book byte for byte as before or as
//! after.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests"
)]

mod history_support;
mod support;

use std::{collections::BTreeMap, sync::Arc};

use history_support::Demo;
use novel_app::{Clock, Project, history};
use novel_model::Failure;
use novel_store::Store;
use novel_testkit::{
    machine::SimMachine,
    simfs::{Entry, Loss, SimFs, When},
};
use support::Node;

type Files = BTreeMap<String, Entry>;
type Act = fn(&Project) -> Result<(), Failure>;

/// `None`: the process dies, and the machine goes on.
const FATES: [Option<Loss>; 6] = [
    None,
    Some(Loss::KeepAll),
    Some(Loss::LoseUnsynced),
    Some(Loss::LoseDataKeepNames),
    Some(Loss::Seeded(1)),
    Some(Loss::Seeded(2)),
];

fn disk(files: &Files) -> Arc<SimFs> {
    let files = files.iter().filter_map(|(path, entry)| match entry {
        Entry::File(bytes) => Some((path.as_str(), bytes.as_slice())),
        Entry::Dir => None,
    });
    Arc::new(SimFs::with_files(files))
}

fn store(fs: &Arc<SimFs>, pid: u32) -> Store {
    let fs: Arc<SimFs> = Arc::clone(fs);
    Store::new(fs, Arc::new(SimMachine::with_pid(pid)))
}

fn act_on(fs: &Arc<SimFs>, pid: u32, act: Act) -> Result<(), Failure> {
    let noon = "2026-03-01T12:00:00Z".parse().unwrap();
    act(&Project::open(store(fs, pid), Clock::Fixed(noon))?)
}

fn explained(result: Result<(), Failure>, what: &str) {
    if let Err(failure) = result {
        panic!("{what}: {}", failure.explain().message().en);
    }
}

/// Stops the act everywhere; gives the book after it.
fn enumerate(name: &str, start: &Files, act: Act) -> Files {
    let fs = disk(start);
    let before = fs.tree();
    explained(act_on(&fs, 100, act), name);
    let (after, operations) = (fs.tree(), fs.operations());
    assert_ne!(before, after);
    let (mut discarded, mut finished) = (0, 0);
    // What a new process finds decides what it does, so equal disks are recovered once.
    let mut known: Vec<(Files, bool)> = Vec::new();
    for at in 1..=operations {
        for when in When::ALL {
            let fs = disk(start);
            fs.crash_at(at, when);
            let outcome = act_on(&fs, 100, act);
            assert!(fs.crashed(), "no operation {at}");
            for fate in FATES {
                let what = format!("{name}, operation {at} {when:?}, {fate:?}");
                let befall = || Arc::new(fate.map_or_else(|| fs.restart(), |loss| fs.reboot(loss)));
                let found = befall();
                let tree = found.tree();
                let done = match known.iter().find(|(disk, _)| *disk == tree) {
                    Some((_, done)) => *done,
                    None => {
                        let writer = store(&found, 200).acquire(None);
                        drop(writer.unwrap_or_else(|error| panic!("{what}: {error}")));
                        let done = found.tree() == after;
                        assert!(
                            done || found.tree() == before,
                            "neither before nor after: {what}"
                        );
                        if !done {
                            let again = befall();
                            explained(act_on(&again, 200, act), &what);
                            assert!(again.tree() == after, "run again: {what}");
                        }
                        known.push((tree, done));
                        done
                    }
                };
                assert!(done || outcome.is_err(), "lost after success: {what}");
                if done {
                    finished += 1;
                } else {
                    discarded += 1;
                }
            }
        }
    }
    println!(
        "{name}: {operations} operations, {} different disks, {discarded} discarded, {finished} finished",
        known.len()
    );
    assert!(discarded > 0 && finished > 0);
    after
}

#[test]
fn every_crash_point_of_rollback_and_undo_leaves_before_or_after() {
    let book = Demo::with(2);
    book.begin(3);
    let start: Files = support::tree(&book.root())
        .into_iter()
        .filter_map(|(path, node)| match node {
            Node::File(bytes) => Some((path, Entry::File(bytes))),
            Node::Dir | Node::Link(_) => None,
        })
        .collect();
    let rolled_back = enumerate("rollback 1", &start, |project| {
        history::rollback(project, 1).map(drop)
    });
    let taken_back = enumerate("undo", &rolled_back, |project| {
        history::undo(project).map(drop)
    });
    let content = |files: &Files| {
        let mut files = files.clone();
        files.retain(|path, entry| {
            let grows = path.starts_with("archive/") || path == "logs/operations.jsonl";
            *entry != Entry::Dir && !grows
        });
        files
    };
    assert!(
        content(&taken_back) == content(&start),
        "undo restores what was there"
    );
}
