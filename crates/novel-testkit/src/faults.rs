//! A command on a disk whose calls fail, once and for good, and the power goes afterwards.
//!
//! The rule: success means applied and durable.

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use crate::{
    crash::{Deed, Files, disk, explained, fingerprint, store},
    simfs::{Entry, Errno, Failing, Loss, SimFs},
};

/// What may come after the command: the process ends, or the power.
const FATES: [Option<Loss>; 4] = [
    None,
    Some(Loss::LoseUnsynced),
    Some(Loss::LoseDataKeepNames),
    Some(Loss::Seeded(1)),
];

/// One way in which a disk fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiskFailure {
    /// Of what changes it.
    Mutation(Failing, Errno),
    /// Of what looks at it.
    Read(Failing),
}

impl DiskFailure {
    /// Every way for a work of so many calls.
    #[must_use]
    pub fn all(mutations: usize, reads: usize) -> Vec<Self> {
        let mutations = (1..=mutations).flat_map(|at| {
            let of =
                move |errno| at_once_and_from(at).map(|failing| Self::Mutation(failing, errno));
            Errno::ALL.into_iter().flat_map(of)
        });
        let reads = (1..=reads).flat_map(at_once_and_from).map(Self::Read);
        mutations.chain(reads).collect()
    }

    /// At most so many mutations, evenly spread, with one error after the other, and every
    /// `step`-th read.
    #[must_use]
    pub fn some(mutations: usize, most: usize, reads: usize, step: usize) -> Vec<Self> {
        let errnos = Errno::ALL.into_iter().cycle();
        let each = mutations.div_ceil(most.max(1)).max(1);
        let mutations = (1..=mutations)
            .step_by(each)
            .zip(errnos)
            .flat_map(|(at, errno)| {
                at_once_and_from(at).map(|failing| Self::Mutation(failing, errno))
            });
        let reads = (1..=reads).step_by(step);
        let reads = reads.flat_map(at_once_and_from).map(Self::Read);
        mutations.chain(reads).collect()
    }

    /// Lets the disk fail like this.
    pub fn befall(self, fs: &SimFs) {
        match self {
            Self::Mutation(failing, errno) => fs.fail(failing, errno),
            Self::Read(failing) => fs.fail_reads(failing),
        }
    }
}

fn at_once_and_from(at: usize) -> [Failing; 2] {
    [Failing::Once(at), Failing::From(at)]
}

/// Which calls fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failures {
    /// Every mutation with every error, and every so many reads.
    Every(usize),
    /// At most so many mutations with one error after the other, and every so many reads; with
    /// `NOVEL_FULL_MATRIX` in the environment every call with every error.
    Some {
        /// Mutations that fail, at most.
        most: usize,
        /// How far apart the reads are that fail.
        step: usize,
    },
}

impl Failures {
    fn list(self, mutations: usize, reads: usize) -> Vec<DiskFailure> {
        let is_full = std::env::var_os("NOVEL_FULL_MATRIX").is_some();
        match self {
            _ if is_full => DiskFailure::all(mutations, reads),
            Self::Some { most, step } => DiskFailure::some(mutations, most, reads, step),
            Self::Every(step) => {
                let mut list = DiskFailure::all(mutations, 0);
                list.extend(DiskFailure::some(0, 0, reads, step));
                list
            }
        }
    }
}

/// What a command that failed leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// The book as before or as after; from before, the command leads to after.
    BeforeOrAfter,
    /// Something from which the command, run again, leads to after.
    AWayOn,
}

/// A command all of whose calls fail in turn.
pub struct Faulted<'a> {
    /// For messages.
    pub name: &'a str,
    /// Runs the command on a simulated disk, as the process with this number.
    pub run: &'a Deed<'a>,
    /// Runs the command again after a failure.
    pub again: &'a Deed<'a>,
    /// Fails unless the book on a disk is sound.
    pub assert_sound: &'a (dyn Fn(&Arc<SimFs>, &str) + Sync),
    /// What of a disk must be as it was to become.
    pub of_interest: fn(&Files) -> Files,
    /// What it leaves when it fails.
    pub leaves: Leaves,
    /// Which of its calls fail.
    pub failures: Failures,
}

/// What came of the command.
#[derive(Debug, Default)]
struct Count {
    points: AtomicUsize,
    succeeded: AtomicUsize,
    /// Disks that were looked at, by whether the command had succeeded on them: what a new process
    /// finds decides what it does, so equal disks are looked at once.
    known: Mutex<HashSet<(bool, u64)>>,
}

impl Count {
    fn is_known(&self, succeeded: bool, tree: &Files) -> bool {
        let mut known = self.known.lock().unwrap();
        !known.insert((succeeded, fingerprint(tree)))
    }
}

impl Faulted<'_> {
    /// Lets every call fail; gives the book after the command without any failure.
    pub fn enumerate(&self, start: &Files) -> Files {
        let fs = disk(start);
        explained((self.run)(&fs, 100), self.name);
        let after = fs.tree();
        (self.assert_sound)(&fs, self.name);
        let failures = self.failures.list(fs.operations(), fs.reads());
        let (count, next) = (Count::default(), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some(failure) = failures.get(next.fetch_add(1, Ordering::Relaxed)) {
                        self.fail(start, &after, *failure, &count);
                    }
                });
            }
        });
        let (points, succeeded) = (count.points.into_inner(), count.succeeded.into_inner());
        println!(
            "{}: {} mutations, {} reads: {points} failures, {succeeded} times success all the same, {} different disks",
            self.name,
            fs.operations(),
            fs.reads(),
            count.known.into_inner().unwrap().len()
        );
        assert!(0 < succeeded && succeeded < points);
        after
    }

    fn fail(&self, start: &Files, after: &Files, failure: DiskFailure, count: &Count) {
        let fs = disk(start);
        failure.befall(&fs);
        let outcome = (self.run)(&fs, 100);
        fs.repair();
        count.points.fetch_add(1, Ordering::Relaxed);
        let told = match &outcome {
            Ok(()) => "success".to_owned(),
            Err(failure) => failure.explain().message().en,
        };
        if outcome.is_ok() {
            count.succeeded.fetch_add(1, Ordering::Relaxed);
        }
        for fate in FATES {
            let failed = fs.first_failed().unwrap_or_default();
            let what = format!("{}, {failure:?} ({failed}), {fate:?}, {told}", self.name);
            let found = Arc::new(fate.map_or_else(|| fs.restart(), |loss| fs.reboot(loss)));
            if count.is_known(outcome.is_ok(), &found.tree()) {
                continue;
            }
            let interest = |fs: &SimFs| (self.of_interest)(&fs.tree());
            let wanted = (self.of_interest)(after);
            if outcome.is_ok() {
                // What could not be read may be left out with a warning.
                let wanted = match failure {
                    DiskFailure::Mutation(..) => wanted,
                    DiskFailure::Read(_) => interest(&fs),
                };
                let what = format!("not applied and durable: {what}");
                assert_same(&interest(&found), &wanted, &what);
                (self.assert_sound)(&found, &what);
                continue;
            }
            let writer = store(&found, 200).acquire(None);
            drop(writer.unwrap_or_else(|error| panic!("{what}: {error}")));
            if interest(&found) == wanted {
                continue;
            }
            if self.leaves == Leaves::BeforeOrAfter {
                let before = (self.of_interest)(start);
                let mut left = interest(&found);
                // Directories come before what is in them.
                left.retain(|path, entry| before.contains_key(path) || *entry != Entry::Dir);
                assert_same(&left, &before, &format!("neither before nor after: {what}"));
            }
            explained((self.again)(&found, 200), &what);
            assert_same(&interest(&found), &wanted, &format!("run again: {what}"));
            (self.assert_sound)(&found, &what);
        }
    }
}

#[track_caller]
fn assert_same(found: &Files, wanted: &Files, what: &str) {
    let shown = |files: &Files, path: &String| match files.get(path) {
        Some(Entry::File(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        other => format!("{other:?}"),
    };
    let paths = found.keys().chain(wanted.keys());
    let other = paths.filter(|path| found.get(*path) != wanted.get(*path));
    let other: Vec<String> = other
        .map(|path| {
            let (found, wanted) = (shown(found, path), shown(wanted, path));
            let same = found
                .lines()
                .zip(wanted.lines())
                .take_while(|(a, b)| a == b);
            let line = same.count();
            let line_of = |text: &str| text.lines().nth(line).unwrap_or_default().to_owned();
            format!(
                "{path}, line {}: found {}\nwanted {}",
                line + 1,
                line_of(&found),
                line_of(&wanted)
            )
        })
        .collect();
    assert!(other.is_empty(), "{what}\n{}", other.join("\n"));
}
