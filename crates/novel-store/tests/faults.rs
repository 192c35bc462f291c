//! Every call of a transaction that fails, once and for good, with every error and a power cut after
//! it.
//!
//! What a call that returned success has written is there after any power cut. What failed leaves the
//! project as before or as after, and once the disk works again the next writer completes it, for good.

use std::{collections::BTreeMap, sync::Arc};

use novel_model::{BookReader, ChapterNo, Explain, RelPath};
use novel_store::{MANY_FILES, Store, StoreError, TxnKind, TxnLabel, Writer};
use novel_testkit::{
    faults::DiskFailure,
    machine::SimMachine,
    simfs::{Entry, Errno, Failing, Feature, Loss, SimFs},
};

type Tree = BTreeMap<String, Entry>;

const BEFORE: &[(&str, &[u8])] = &[
    (".checkpoint.json", b"{\"stage\": \"judged\"}\n"),
    ("state/current-state.json", b"{\"state_version\": 47}\n"),
    ("state/changelog.jsonl", b"{\"chapter\":47}\n"),
    ("staging/chapters/chapter-048.md", b"# 48\n\ntext\n"),
    ("staging/chapters/chapter-049.md", b"# 49\n"),
    (
        "logs/operations.jsonl",
        b"{\"operation\":47,\"kind\":\"commit\"}\n",
    ),
];

const LOSSES: [Loss; 5] = [
    Loss::LoseUnsynced,
    Loss::LoseDataKeepNames,
    Loss::Seeded(1),
    Loss::Seeded(2),
    Loss::Seeded(3),
];

fn path(text: &str) -> RelPath {
    text.parse().unwrap()
}

fn store(fs: &Arc<SimFs>, pid: u32) -> Store {
    let fs: Arc<SimFs> = Arc::clone(fs);
    Store::new(fs, Arc::new(SimMachine::with_pid(pid)))
}

fn fresh(features: &[Feature]) -> Arc<SimFs> {
    let fs = SimFs::with_files(BEFORE.iter().copied());
    Arc::new(features.iter().fold(fs, |fs, feature| fs.without(*feature)))
}

/// Replaces, makes (in new nested directories too), removes, appends.
fn commit(writer: &Writer) -> Result<(), StoreError> {
    let chapter = ChapterNo::new(48).unwrap();
    let label = TxnLabel::new(TxnKind::Commit { chapter }, "chapter:048:commit");
    let mut txn = writer.begin(label);
    txn.write(path(".checkpoint.json"), "{\"stage\": \"committed\"}\n");
    txn.write(path("chapters/chapter-048.md"), "# 48\n\ntext\n");
    txn.write(
        path("state/current-state.json"),
        "{\"state_version\": 48}\n",
    );
    txn.append(path("state/changelog.jsonl"), "{\"chapter\":48}\n");
    txn.append(path("logs/unknown-entities.jsonl"), "{\"mention\":\"x\"}\n");
    txn.write(path("state/history/vol-01/48/snapshot.json"), "{}\n");
    txn.write(path("state/history/vol-01/more.json"), "{}\n");
    txn.remove(path("staging/chapters/chapter-048.md"));
    txn.commit()?;
    Ok(())
}

/// The files of the book: without lock and journal.
fn book(tree: &Tree) -> Tree {
    let mut book = tree.clone();
    book.retain(|path, _| !path.starts_with(".novel."));
    book
}

/// A transaction that is tried once more by the writer whose first try failed.
fn commit_twice(fs: &Arc<SimFs>) -> Result<(), StoreError> {
    let writer = store(fs, 100).acquire(None)?;
    commit(&writer).or_else(|_| {
        // A second try sees what the first one left.
        let reader = writer.reader()?;
        let checkpoint = reader.text(&path(".checkpoint.json"))?.unwrap();
        if checkpoint.contains("committed") {
            Ok(())
        } else {
            commit(&writer)
        }
    })
}

fn commit_once(fs: &Arc<SimFs>) -> Result<(), StoreError> {
    commit(&store(fs, 100).acquire(None)?)
}

#[derive(Debug, Default)]
struct Count {
    mutations: usize,
    points: usize,
    succeeded: usize,
    sealed: usize,
    unchanged: usize,
}

/// Lets every call of a work fail, and the power go afterwards.
fn enumerate(work: fn(&Arc<SimFs>) -> Result<(), StoreError>, features: &[Feature]) -> Count {
    let fs = fresh(features);
    let before = book(&fs.tree());
    work(&fs).unwrap();
    let after = book(&fs.tree());
    let mut count = Count::default();
    for failure in DiskFailure::all(fs.operations(), fs.reads()) {
        let fs = fresh(features);
        failure.befall(&fs);
        let outcome = work(&fs);
        fs.repair();
        count.points += 1;
        match &outcome {
            Ok(()) => count.succeeded += 1,
            Err(StoreError::Sealed { .. }) => count.sealed += 1,
            Err(_) => count.unchanged += 1,
        }
        let restart = std::iter::once(Arc::new(fs.restart()));
        let cuts = LOSSES.iter().map(|loss| Arc::new(fs.reboot(*loss)));
        for (fate, found) in restart.chain(cuts).enumerate() {
            let what = format!("{failure:?}, fate {fate}, {outcome:?}");
            if outcome.is_ok() {
                assert_eq!(book(&found.tree()), after, "not durable: {what}");
            }
            let writer = store(&found, 200).acquire(None);
            drop(writer.unwrap_or_else(|error| panic!("{what}: {error:?}")));
            let recovered = book(&found.tree());
            let is_done = recovered == after;
            assert!(
                is_done || recovered == before,
                "neither before nor after: {what}"
            );
            match &outcome {
                Ok(()) => assert!(is_done, "{what}"),
                Err(StoreError::Sealed { .. }) if fate == 0 => assert!(is_done, "{what}"),
                Err(_) => {}
            }
            // What the next writer has completed stays.
            for loss in LOSSES {
                let later = book(&found.reboot(loss).tree());
                assert_eq!(later, recovered, "recovery undone by {loss:?}: {what}");
            }
        }
    }
    count.mutations = fs.operations();
    assert!(count.sealed > 0 && count.unchanged > 0 && count.succeeded > 0);
    count
}

#[test]
fn success_means_applied_and_durable_whatever_call_failed_before() {
    for features in [&[][..], &[Feature::HardLink], &[Feature::UnnamedFile]] {
        let count = enumerate(commit_once, features);
        println!("without {features:?}: {count:?}");
        // A failure that passes is overcome after the commit point, by writing everything anew.
        assert!(count.succeeded > 10, "{count:?}");
    }
}

#[test]
fn a_second_try_reads_the_disk_again_and_never_takes_a_decided_write_for_a_finished_one() {
    println!("{:?}", enumerate(commit_twice, &[]));
}

/// As an import writes: so many files that they are synced in one go.
fn commit_many(fs: &Arc<SimFs>) -> Result<(), StoreError> {
    let writer = store(fs, 100).acquire(None)?;
    let last = ChapterNo::new(48).unwrap();
    let mut txn = writer.begin(TxnLabel::new(TxnKind::Import { last }, "chapter-048"));
    txn.write(path(".checkpoint.json"), "{\"stage\": \"committed\"}\n");
    txn.append(path("state/changelog.jsonl"), "{\"chapter\":48}\n");
    for number in 0..MANY_FILES {
        txn.write(path(&format!("chapters/chapter-{number:03}.md")), "# 1\n");
    }
    txn.commit()?;
    Ok(())
}

#[test]
fn success_means_applied_and_durable_also_for_a_transaction_of_many_files() {
    let fs = fresh(&[]);
    commit_many(&fs).unwrap();
    let syncs = fs.log();
    let syncs = syncs.iter().filter(|line| line.starts_with("sync_file "));
    assert!(syncs.count() < 5, "one sync for all: {:?}", fs.log());
    println!("{:?}", enumerate(commit_many, &[]));
}

const KEPT: &str = "logs/calls/chapter-048-draft/1.json";

/// An answer is kept, and once more where that failed.
fn keep(fs: &Arc<SimFs>) -> Result<(), StoreError> {
    let writer = store(fs, 100).acquire(None)?;
    let bytes = b"an answer that was paid for\n";
    let keep = || writer.keep(&path(KEPT), bytes);
    keep().or_else(|_| keep())
}

#[test]
fn an_answer_said_to_be_kept_is_durable_whatever_call_failed_before() {
    for features in [&[][..], &[Feature::UnnamedFile]] {
        let fs = fresh(features);
        keep(&fs).unwrap();
        let mut kept = 0;
        for failure in DiskFailure::all(fs.operations(), fs.reads()) {
            let fs = fresh(features);
            failure.befall(&fs);
            let outcome = keep(&fs);
            fs.repair();
            if outcome.is_err() {
                continue;
            }
            kept += 1;
            for loss in LOSSES {
                let tree = fs.reboot(loss).tree();
                let bytes = b"an answer that was paid for\n".to_vec();
                let found = tree.get(KEPT);
                assert_eq!(found, Some(&Entry::File(bytes)), "{failure:?}, {loss:?}");
            }
        }
        assert!(kept > 10, "{kept}");
    }
}

#[test]
fn a_log_whose_end_can_not_be_read_for_once_is_not_taken_for_an_empty_one() {
    let fs = fresh(&[]);
    let writer = store(&fs, 100).acquire(None).unwrap();
    let unrecorded = |text: &str| {
        let mut txn = writer.begin(TxnLabel::new(TxnKind::Call, "audit"));
        txn.write(path("logs/audit.jsonl"), text);
        txn.commit()
    };
    let reads = {
        let fs = fresh(&[]);
        let writer = store(&fs, 100).acquire(None).unwrap();
        let begun = fs.reads();
        let mut txn = writer.begin(TxnLabel::new(TxnKind::Call, "audit"));
        txn.write(path("logs/audit.jsonl"), "0\n");
        txn.commit().unwrap();
        fs.reads() - begun
    };
    for at in 1..=reads {
        fs.fail_reads(Failing::Once(fs.reads() + at));
        let _ = unrecorded(&format!("{at}\n"));
        fs.repair();
        assert_eq!(writer.last_operation().unwrap(), 47, "read {at}");
    }
}

#[test]
fn an_error_of_the_disk_is_told_with_its_path_and_what_to_type() {
    let fs = fresh(&[]);
    let writer = store(&fs, 100).acquire(None).unwrap();
    fs.fail(Failing::From(fs.operations() + 1), Errno::Io);
    let error = commit(&writer).unwrap_err();
    assert_eq!(error.code(), "IO_ERROR");
    let (message, hint) = (error.message(), error.hint().unwrap());
    assert!(message.en.contains("`.novel.journal`"), "{}", message.en);
    assert!(message.en.contains("os error 5"), "{}", message.en);
    assert!(
        hint.en.contains("run the same command again"),
        "{}",
        hint.en
    );
    assert!(hint.zh.contains("再运行同一命令"), "{}", hint.zh);
}
