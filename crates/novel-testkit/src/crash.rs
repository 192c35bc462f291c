//! Stopping an act at every file operation, with every kind of loss.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use novel_model::Failure;
use novel_store::Store;

use crate::{
    machine::SimMachine,
    simfs::{Entry, Loss, SimFs, When},
    tree::{Node, Tree},
};

/// A disk.
pub type Files = BTreeMap<String, Entry>;

/// `None`: the process dies, and the machine goes on.
const FATES: [Option<Loss>; 6] = [
    None,
    Some(Loss::KeepAll),
    Some(Loss::LoseUnsynced),
    Some(Loss::LoseDataKeepNames),
    Some(Loss::Seeded(1)),
    Some(Loss::Seeded(2)),
];

/// The files of a book as a disk.
#[must_use]
pub fn files(tree: Tree) -> Files {
    tree.into_iter()
        .filter_map(|(path, node)| match node {
            Node::File(bytes) => Some((path, Entry::File(bytes))),
            Node::Dir | Node::Link(_) => None,
        })
        .collect()
}

/// A file system with these files, all durable.
#[must_use]
pub fn disk(files: &Files) -> Arc<SimFs> {
    let files = files.iter().filter_map(|(path, entry)| match entry {
        Entry::File(bytes) => Some((path.as_str(), bytes.as_slice())),
        Entry::Dir => None,
    });
    Arc::new(SimFs::with_files(files))
}

/// The files of a book on that disk.
#[must_use]
pub fn store(fs: &Arc<SimFs>, pid: u32) -> Store {
    let fs: Arc<SimFs> = Arc::clone(fs);
    Store::new(fs, Arc::new(SimMachine::with_pid(pid)))
}

/// Tells disks apart.
pub(crate) fn fingerprint(files: &Files) -> u64 {
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    hasher.finish()
}

/// Fails with the reason for people.
#[track_caller]
pub fn explained(result: Result<(), Failure>, what: &str) {
    if let Err(failure) = result {
        let error = failure.explain();
        panic!("{what}: {} {}", error.code(), error.message().en);
    }
}

/// Does something to a disk, as the process with this number.
pub type Deed<'a> = dyn Fn(&Arc<SimFs>, u32) -> Result<(), Failure> + Sync + 'a;

/// An act that is stopped everywhere.
pub struct Act<'a> {
    /// For messages.
    pub name: &'a str,
    /// Runs the command on a simulated disk, as the process with this number.
    pub run: &'a Deed<'a>,
    /// What of a disk must be as before or as after, as soon as there is a writer again.
    pub of_interest: fn(&Files) -> Files,
}

impl Act<'_> {
    /// Stops the act everywhere; gives the book after it.
    pub fn enumerate(&self, start: &Files) -> Files {
        let name = self.name;
        let fs = disk(start);
        let before = (self.of_interest)(&fs.tree());
        explained((self.run)(&fs, 100), name);
        let (after, operations) = (fs.tree(), fs.operations());
        let done_with = (self.of_interest)(&after);
        assert_ne!(before, done_with);
        let (mut discarded, mut finished) = (0, 0);
        // What a new process finds decides what it does, so equal disks are recovered once.
        let mut known: Vec<(Files, bool)> = Vec::new();
        for at in 1..=operations {
            for when in When::ALL {
                let fs = disk(start);
                fs.crash_at(at, when);
                let outcome = (self.run)(&fs, 100);
                assert!(fs.crashed(), "no operation {at}");
                for fate in FATES {
                    let what = format!("{name}, operation {at} {when:?}, {fate:?}");
                    let befall =
                        || Arc::new(fate.map_or_else(|| fs.restart(), |loss| fs.reboot(loss)));
                    let found = befall();
                    let tree = found.tree();
                    let done = match known.iter().find(|(disk, _)| *disk == tree) {
                        Some((_, done)) => *done,
                        None => {
                            let writer = store(&found, 200).acquire(None);
                            drop(writer.unwrap_or_else(|error| panic!("{what}: {error}")));
                            let recovered = (self.of_interest)(&found.tree());
                            let done = recovered == done_with;
                            assert!(
                                done || recovered == before,
                                "neither before nor after: {what}"
                            );
                            if !done {
                                let again = befall();
                                explained((self.run)(&again, 200), &what);
                                let other = differing(&again.tree(), &after);
                                assert!(other.is_empty(), "run again: {what}: {other:?}");
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
}

/// Paths that are not the same on two disks.
fn differing(found: &Files, wanted: &Files) -> BTreeSet<String> {
    let paths = found.keys().chain(wanted.keys());
    let other = paths.filter(|path| found.get(*path) != wanted.get(*path));
    other.cloned().collect()
}

/// A command that is run again wherever it was stopped.
pub struct GoesOn<'a> {
    /// For messages.
    pub name: &'a str,
    /// Runs the command on a simulated disk, as the process with this number.
    pub run: &'a Deed<'a>,
    /// What of a disk must be as the command makes it.
    pub of_interest: fn(&Files) -> Files,
    /// Every how many operations it is stopped.
    pub step: usize,
}

impl GoesOn<'_> {
    /// Stops the command; the same command must lead where it was to lead.
    pub fn enumerate(&self, start: &Files) {
        let fs = disk(start);
        explained((self.run)(&fs, 100), self.name);
        let (wanted, operations) = ((self.of_interest)(&fs.tree()), fs.operations());
        let (mut points, mut known) = (0, HashSet::new());
        for at in (1..=operations).step_by(self.step) {
            for when in [When::Before, When::Midway] {
                let fs = disk(start);
                fs.crash_at(at, when);
                let outcome = (self.run)(&fs, 100);
                // What a dead process would have said means nothing.
                assert!(fs.crashed(), "no operation {at}: {:?}", outcome.is_ok());
                for fate in FATES {
                    points += 1;
                    let found = Arc::new(fate.map_or_else(|| fs.restart(), |loss| fs.reboot(loss)));
                    if !known.insert(fingerprint(&found.tree())) {
                        continue;
                    }
                    let what = format!("{}, operation {at} {when:?}, {fate:?}", self.name);
                    explained((self.run)(&found, 200), &what);
                    let after = (self.of_interest)(&found.tree());
                    let other = differing(&after, &wanted);
                    assert!(other.is_empty(), "{what}: {other:?}");
                }
            }
        }
        println!(
            "{}: {operations} operations, {points} crashes, {} different disks",
            self.name,
            known.len()
        );
    }
}
