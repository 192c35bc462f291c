//! Every crash point of a transaction, with every kind of loss.

use std::{collections::BTreeMap, sync::Arc};

use novel_model::{BookReader, ChapterNo, RelPath};
use novel_store::{MANY_FILES, Recovery, Store, StoreError, TxnKind, TxnLabel};
use novel_testkit::{
    machine::SimMachine,
    simfs::{Entry, Errno, Failing, Feature, Loss, SimFs, When},
};

type Tree = BTreeMap<String, Entry>;

const BEFORE: &[(&str, &[u8])] = &[
    (".checkpoint.json", b"{\"stage\": \"judged\"}\n"),
    ("chapters/chapter-047.md", b"# 47\n"),
    ("state/current-state.json", b"{\"state_version\": 47}\n"),
    ("state/changelog.jsonl", b"{\"chapter\":47}\n"),
    ("storylines/main-arc/memory.md", b"old memory\n"),
    ("staging/chapters/chapter-048.md", b"# 48\n\ntext\n"),
    (
        "staging/storylines/main-arc/memory.md",
        b"what line 48 must know\n",
    ),
    (
        "logs/operations.jsonl",
        b"{\"operation\":47,\"kind\":\"commit\"}\n",
    ),
    ("brief.md", b"untouched\n"),
];

fn path(text: &str) -> RelPath {
    text.parse().unwrap()
}

fn label() -> TxnLabel {
    let chapter = ChapterNo::new(48).unwrap();
    TxnLabel::new(TxnKind::Commit { chapter }, "chapter:048:commit")
}

fn store(fs: &Arc<SimFs>, pid: u32) -> Store {
    let fs: Arc<SimFs> = Arc::clone(fs);
    Store::new(fs, Arc::new(SimMachine::with_pid(pid)))
}

/// What is done before the crash.
type Work = fn(&Arc<SimFs>) -> Result<(), StoreError>;

/// One of each: replaces, makes in a new directory, removes, appends.
fn small(fs: &Arc<SimFs>) -> Result<(), StoreError> {
    let writer = store(fs, 100).acquire(None)?;
    let mut txn = writer.begin(TxnLabel::new(TxnKind::Advance, "chapter:048:draft"));
    txn.write(path("brief.md"), "touched\n");
    txn.write(path("state/history/48.json"), "{}\n");
    txn.append(path("state/changelog.jsonl"), "{\"chapter\":48}\n");
    txn.remove(path("staging/chapters/chapter-048.md"));
    txn.commit()?;
    Ok(())
}

/// Replaces, makes (in new nested directories too), removes, appends.
fn commit(fs: &Arc<SimFs>) -> Result<(), StoreError> {
    let writer = store(fs, 100).acquire(ChapterNo::new(48))?;
    let mut txn = writer.begin(label());
    txn.write(path(".checkpoint.json"), "{\"stage\": \"committed\"}\n");
    txn.write(path("chapters/chapter-048.md"), "# 48\n\ntext\n");
    txn.write(path("chapters/chapter_048.json"), "{}\n");
    txn.write(
        path("state/current-state.json"),
        "{\"state_version\": 48}\n",
    );
    txn.append(path("state/changelog.jsonl"), "{\"chapter\":48}\n");
    txn.append(path("logs/unknown-entities.jsonl"), "{\"mention\":\"x\"}\n");
    txn.write(
        path("storylines/main-arc/memory.md"),
        "what line 48 must know\n",
    );
    txn.write(path("state/history/vol-01/48/snapshot.json"), "{}\n");
    txn.remove(path("staging/chapters/chapter-048.md"));
    txn.remove(path("staging/storylines/main-arc/memory.md"));
    txn.write(path("brief.md"), "untouched\n");
    txn.commit()?;
    Ok(())
}

/// As an import writes: so many files that they are synced in one go.
fn import(fs: &Arc<SimFs>) -> Result<(), StoreError> {
    let writer = store(fs, 100).acquire(None)?;
    let last = ChapterNo::new(48).unwrap();
    let mut txn = writer.begin(TxnLabel::new(TxnKind::Import { last }, "chapter-048"));
    txn.write(path(".checkpoint.json"), "{\"stage\": \"committed\"}\n");
    for number in 0..MANY_FILES {
        txn.write(
            path(&format!("volumes/{}/{number}.json", number % 3)),
            "{}\n",
        );
    }
    txn.commit()?;
    Ok(())
}

fn fresh(features: &[Feature]) -> Arc<SimFs> {
    let fs = SimFs::with_files(BEFORE.iter().copied());
    Arc::new(features.iter().fold(fs, |fs, feature| fs.without(*feature)))
}

/// What a crash does to the file system.
#[derive(Debug, Clone, Copy)]
enum Fate {
    /// The process dies; the machine goes on, and with it all that is pending.
    Killed,
    /// The power goes.
    PowerCut(Loss),
}

impl Fate {
    fn befall(self, fs: &SimFs) -> Arc<SimFs> {
        Arc::new(match self {
            Self::Killed => fs.restart(),
            Self::PowerCut(loss) => fs.reboot(loss),
        })
    }
}

fn fates(seeds: std::ops::Range<u64>) -> Vec<Fate> {
    let mut fates = vec![
        Fate::Killed,
        Fate::PowerCut(Loss::KeepAll),
        Fate::PowerCut(Loss::LoseUnsynced),
        Fate::PowerCut(Loss::LoseDataKeepNames),
    ];
    fates.extend(seeds.map(|seed| Fate::PowerCut(Loss::Seeded(seed))));
    fates
}

struct Case {
    work: Work,
    features: Vec<Feature>,
    before: Tree,
    after: Tree,
    /// One line per operation.
    log: Vec<String>,
}

impl Case {
    fn new(work: Work, features: &[Feature]) -> Self {
        let fs = fresh(features);
        let before = fs.tree();
        work(&fs).unwrap();
        Self {
            work,
            features: features.to_vec(),
            before,
            after: fs.tree(),
            log: fs.log(),
        }
    }

    /// Runs the transaction into a crash; tells whether it had returned.
    fn crash(&self, at: usize, when: When) -> (Arc<SimFs>, Result<(), StoreError>) {
        let fs = fresh(&self.features);
        fs.crash_at(at, when);
        let outcome = (self.work)(&fs);
        assert!(fs.crashed(), "no operation {at}");
        (fs, outcome)
    }

    fn is_after(&self, tree: &Tree, what: &str) -> bool {
        if *tree == self.after {
            return true;
        }
        assert_eq!(*tree, self.before, "neither before nor after: {what}");
        false
    }
}

/// The files of the book, without lock, journal and archive.
fn book(tree: &Tree) -> BTreeMap<String, Vec<u8>> {
    let hidden = [".novel.", "archive"];
    tree.iter()
        // What a process left that did not come to keep it for good.
        .filter(|(path, _)| !path.ends_with(".new"))
        .filter(|(path, _)| !hidden.iter().any(|prefix| path.starts_with(prefix)))
        .filter_map(|(path, entry)| match entry {
            Entry::File(bytes) => Some((path.clone(), bytes.clone())),
            Entry::Dir => None,
        })
        .collect()
}

/// The same, as a reader without the lock sees it.
fn book_through_reader(fs: &Arc<SimFs>, candidates: [&Tree; 2]) -> BTreeMap<String, Vec<u8>> {
    let reader = store(fs, 300).reader().unwrap();
    candidates
        .iter()
        .flat_map(|tree| book(tree).into_keys())
        .filter_map(|file| {
            let path = path(&file);
            let bytes = reader.read(&path).unwrap();
            if let Some(parent) = path.parent() {
                let listed = reader.list(&parent).unwrap();
                let name = path.file_name().to_owned();
                assert_eq!(
                    listed.contains(&name),
                    bytes.is_some(),
                    "{path} in {listed:?}"
                );
            }
            Some((file, bytes?))
        })
        .collect()
}

#[test]
fn every_crash_point_leaves_before_or_after() {
    for features in [&[][..], &[Feature::HardLink][..]] {
        let case = Case::new(commit, features);
        assert_ne!(case.before, case.after);
        let (mut points, mut rolled_forward) = (0, 0);
        for at in 1..=case.log.len() {
            for when in When::ALL {
                let (crashed, outcome) = case.crash(at, when);
                for fate in fates(0..24) {
                    let what = format!("operation {at} {when:?}, {fate:?}");
                    let fs = fate.befall(&crashed);
                    let seen = book_through_reader(&fs, [&case.before, &case.after]);
                    let writer = store(&fs, 200)
                        .acquire(None)
                        .unwrap_or_else(|error| panic!("{what}: {error:?}"));
                    if matches!(writer.recovery(), Recovery::RolledForward { label: found } if *found == label())
                    {
                        rolled_forward += 1;
                    }
                    drop(writer);
                    let tree = fs.tree();
                    let after = case.is_after(&tree, &what);
                    assert!(after || outcome.is_err(), "lost after success: {what}");
                    assert_eq!(seen, book(&tree), "the reader saw another book: {what}");
                    points += 1;
                }
            }
        }
        println!(
            "{} operations without {features:?}: {points} crashes recovered, {rolled_forward} rolled forward",
            case.log.len()
        );
        assert!(rolled_forward > 0);
    }
}

#[test]
fn every_crash_point_of_a_transaction_of_many_files_leaves_before_or_after() {
    let case = Case::new(import, &[]);
    let mut points = 0;
    for at in 1..=case.log.len() {
        for when in When::ALL {
            let (crashed, outcome) = case.crash(at, when);
            for fate in fates(0..3) {
                let what = format!("operation {at} {when:?}, {fate:?}");
                let fs = fate.befall(&crashed);
                drop(store(&fs, 200).acquire(None).unwrap());
                let after = case.is_after(&fs.tree(), &what);
                assert!(after || outcome.is_err(), "lost after success: {what}");
                points += 1;
            }
        }
    }
    println!("{} operations: {points} crashes recovered", case.log.len());
}

const KEPT: &str = "logs/calls/chapter-048-draft/1.json";

fn keep_file(fs: &Arc<SimFs>) -> Result<(), StoreError> {
    let writer = store(fs, 100).acquire(None)?;
    writer.keep(&path(KEPT), b"an answer that was paid for\n")
}

const FRESH: &str = "logs/calls/chapter-048-draft/1.new";

fn keep_at_once(fs: &Arc<SimFs>) -> Result<(), StoreError> {
    let writer = store(fs, 100).acquire(None)?;
    let answer = b"an answer that was paid for\n";
    writer.keep_at_once(&path(KEPT), &path(FRESH), answer)
}

#[test]
fn a_kept_file_is_there_whole_or_not_at_all_and_stays() {
    for features in [&[][..], &[Feature::UnnamedFile][..]] {
        for keep in [keep_file as Work, keep_at_once] {
            let points = kept_or_not(keep, features);
            println!("without {features:?}: {points} crashes");
        }
    }
}

#[test]
fn an_answer_is_seen_by_the_next_process_before_anything_is_synced() {
    let case = Case::new(keep_at_once, &[]);
    assert!(!case.after.contains_key(FRESH));
    let is_write = |line: &String| *line == format!("write_new {FRESH}");
    let written = case.log.iter().position(is_write).unwrap();
    for at in written + 1..=case.log.len() {
        let (crashed, _) = case.crash(at, When::After);
        let tree = Fate::Killed.befall(&crashed).tree();
        let answer = Entry::File(b"an answer that was paid for\n".to_vec());
        let is_there = [KEPT, FRESH]
            .iter()
            .any(|place| tree.get(*place) == Some(&answer));
        assert!(is_there, "{}", case.log[at - 1]);
    }
    // Directories apart, which are made while the answer is awaited, it comes first.
    let before = &case.log[..written];
    let waits = before.iter().filter(|line| line.contains("sync_file"));
    assert!(
        !before.iter().any(|line| line.contains("1.json")),
        "{before:?}"
    );
    assert!(waits.count() <= 1, "the lock alone: {before:?}");
}

/// How many crashes were tried.
fn kept_or_not(keep: Work, features: &[Feature]) -> usize {
    let case = Case::new(keep, features);
    let (before, after) = (book(&case.before), book(&case.after));
    assert_eq!(after.len(), before.len() + 1);
    let (mut points, mut there) = (0, 0);
    for at in 1..=case.log.len() {
        for when in When::ALL {
            let (crashed, outcome) = case.crash(at, when);
            for fate in fates(0..24) {
                let what = format!("operation {at} {when:?}, {fate:?}");
                let fs = fate.befall(&crashed);
                drop(store(&fs, 200).acquire(None).unwrap());
                let found = book(&fs.tree());
                let is_there = found == after;
                assert!(is_there || found == before, "{what}");
                assert!(is_there || outcome.is_err(), "lost after success: {what}");
                // Kept again by the next run, it survives the worst.
                keep(&fs).unwrap_or_else(|error| panic!("{what}: {error:?}"));
                let fs = Fate::PowerCut(Loss::LoseUnsynced).befall(&fs);
                drop(store(&fs, 300).acquire(None).unwrap());
                assert_eq!(book(&fs.tree()), after, "{what}");
                points += 1;
                there += usize::from(is_there);
            }
        }
    }
    assert!(there > 0 && there < points);
    points
}

#[test]
fn a_kept_file_is_never_replaced() {
    let fs = fresh(&[]);
    let writer = store(&fs, 100).acquire(None).unwrap();
    writer.keep(&path(KEPT), b"first\n").unwrap();
    writer.keep(&path(KEPT), b"first\n").unwrap();
    writer.keep(&path(KEPT), b"second\n").unwrap_err();
    let reader = writer.reader().unwrap();
    assert_eq!(reader.read(&path(KEPT)).unwrap().unwrap(), b"first\n");
    for place in [
        ".novel.journal/plan.json",
        "archive/1",
        ".novel.lock/info.json",
    ] {
        let refused = writer.keep(&path(place), b"{}\n");
        assert!(
            matches!(refused, Err(StoreError::BadTarget { .. })),
            "{place}"
        );
    }
}

#[test]
fn a_file_is_kept_beside_a_transaction_that_can_not_be_finished() {
    let case = Case::new(commit, &[]);
    for at in 1..=case.log.len() {
        let fs = fresh(&[]);
        let writer = store(&fs, 100).acquire(None).unwrap();
        let begun = fs.operations();
        fs.fail(Failing::From(begun + at), Errno::NoSpace);
        let mut txn = writer.begin(label());
        txn.write(path("brief.md"), "touched\n");
        txn.append(path("state/changelog.jsonl"), "{\"chapter\":48}\n");
        let decided = matches!(txn.commit(), Ok(_) | Err(StoreError::Sealed { .. }));
        fs.repair();
        writer.keep(&path(KEPT), b"first\n").unwrap();
        drop(writer);
        let writer = store(&fs, 101).acquire(None).unwrap();
        let reader = writer.reader().unwrap();
        let brief = reader.text(&path("brief.md")).unwrap().unwrap();
        assert_eq!(decided, brief == "touched\n");
        assert_eq!(reader.read(&path(KEPT)).unwrap().unwrap(), b"first\n");
    }
}

#[test]
fn a_second_crash_during_recovery_changes_nothing() {
    for features in [&[][..], &[Feature::HardLink][..]] {
        let case = Case::new(small, features);
        let points = double_crashes(&case);
        println!("without {features:?}: {points} double crashes recovered");
    }
}

/// After an operation is the same as before the next; halfway makes a
/// difference only where something is written.
fn moments(operation: &str) -> Vec<When> {
    let writes = ["write_new", "append"];
    if writes.iter().any(|name| operation.starts_with(name)) {
        vec![When::Before, When::Midway]
    } else {
        vec![When::Before]
    }
}

fn double_crashes(case: &Case) -> usize {
    let mut points = 0;
    for at in 1..=case.log.len() {
        for when in moments(&case.log[at - 1]) {
            let (crashed, outcome) = case.crash(at, when);
            let seeded = Fate::PowerCut(Loss::Seeded(at as u64));
            for first in [Fate::Killed, Fate::PowerCut(Loss::LoseUnsynced), seeded] {
                let recover = |fs: &Arc<SimFs>, pid| store(fs, pid).acquire(None).map(drop);
                let rehearsal = first.befall(&crashed);
                recover(&rehearsal, 200).unwrap();
                for second_at in 1..=rehearsal.operations() {
                    for second_when in moments(&rehearsal.log()[second_at - 1]) {
                        let fs = first.befall(&crashed);
                        fs.crash_at(second_at, second_when);
                        let recovered = recover(&fs, 200);
                        for second in [
                            Fate::Killed,
                            Fate::PowerCut(Loss::LoseUnsynced),
                            Fate::PowerCut(Loss::LoseDataKeepNames),
                            Fate::PowerCut(Loss::Seeded(second_at as u64)),
                        ] {
                            let what = format!(
                                "operation {at} {when:?}, {first:?}; \
                                 then {second_at} {second_when:?}, {second:?}"
                            );
                            let fs = second.befall(&fs);
                            recover(&fs, 201).unwrap_or_else(|error| panic!("{what}: {error:?}"));
                            let tree = fs.tree();
                            let after = case.is_after(&tree, &what);
                            assert!(after || outcome.is_err(), "lost after success: {what}");
                            if recovered.is_ok() {
                                assert_eq!(tree, rehearsal.tree(), "recovery undone: {what}");
                            }
                            points += 1;
                        }
                    }
                }
            }
        }
    }
    points
}

#[test]
fn a_full_disk_at_any_moment_leaves_before_or_a_sealed_transaction() {
    let case = Case::new(commit, &[]);
    let (mut unchanged, mut sealed) = (0, 0);
    for at in 1..=case.log.len() {
        let fs = fresh(&[]);
        fs.fail(Failing::From(at), Errno::NoSpace);
        match commit(&fs) {
            Ok(()) => assert_eq!(fs.tree(), case.after, "from {at}"),
            Err(StoreError::Sealed { .. }) => {
                sealed += 1;
                let fs = Arc::new(fs.restart());
                let seen = book_through_reader(&fs, [&case.before, &case.after]);
                assert_eq!(seen, book(&case.after), "from {at}");
                drop(store(&fs, 100).acquire(None).unwrap());
                assert_eq!(fs.tree(), case.after, "from {at}");
            }
            Err(error) => {
                unchanged += 1;
                assert_eq!(fs.tree(), case.before, "from {at}: {error}");
            }
        }
    }
    println!("full disk: {unchanged} times unchanged, {sealed} times completed later");
    assert!(unchanged > 0 && sealed > 0);
}

#[test]
fn a_commit_syncs_each_directory_once() {
    let fs = fresh(&[]);
    commit(&fs).unwrap();
    let log = fs.log();
    let syncs = |prefix: &str| log.iter().filter(|line| line.starts_with(prefix)).count();
    for line in log.iter().filter(|line| line.starts_with("sync_dir")) {
        let times = log.iter().filter(|other| *other == line).count();
        let limit = match line.as_str() {
            // Before the seal, after it, and after the plan went.
            "sync_dir .novel.journal" => 3,
            // The journal's own name, the archive's, the checkpoint, the lock that went.
            "sync_dir ." => 4,
            // Once for a new directory in it, once for a file.
            "sync_dir state" => 2,
            _ => 1,
        };
        assert!(times <= limit, "{line} {times} times\n{log:#?}");
    }
    println!(
        "{} operations, {} file syncs, {} directory syncs",
        log.len(),
        syncs("sync_file"),
        syncs("sync_dir")
    );
}
