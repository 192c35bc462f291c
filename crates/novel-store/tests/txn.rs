//! What a transaction does to the files of a project.

use std::sync::Arc;

use novel_book::{
    edit::{Changes, Edit},
    operations::{FileChange, Fingerprint, KeptContents, OperationLog, OperationState, TakeBack},
};
use novel_model::{BookReader, ChapterNo, ContentHash, Explain, RelPath};
use novel_store::{FileSystem, Recovery, Store, StoreError, TxnKind, TxnLabel, Writer};
use novel_testkit::{
    machine::SimMachine,
    simfs::{Entry, SimFs, When},
};

fn path(text: &str) -> RelPath {
    text.parse().unwrap()
}

fn project(files: &[(&'static str, &'static [u8])]) -> (Arc<SimFs>, Store) {
    let fs = Arc::new(SimFs::with_files(files.iter().copied()));
    let store = Store::new(Arc::<SimFs>::clone(&fs), Arc::new(SimMachine::default()));
    (fs, store)
}

fn submit() -> TxnLabel {
    TxnLabel::new(TxnKind::Submit, "chapter:048:draft")
}

fn commit(chapter: u32) -> TxnLabel {
    let chapter = ChapterNo::new(chapter).unwrap();
    TxnLabel::new(
        TxnKind::Commit { chapter },
        format!("chapter:{chapter}:commit"),
    )
}

fn file(fs: &SimFs, path: &str) -> Option<String> {
    match fs.tree().get(path)? {
        Entry::File(bytes) => Some(String::from_utf8(bytes.clone()).unwrap()),
        Entry::Dir => panic!("{path} is a directory"),
    }
}

fn write(writer: &Writer, label: TxnLabel, file: &str, text: &str) {
    let mut txn = writer.begin(label);
    txn.write(path(file), text);
    txn.commit().unwrap();
}

#[test]
fn reading_through_a_transaction_sees_its_changes() {
    let (fs, store) = project(&[
        ("a/old.md", b"old"),
        ("a/gone.md", b"gone"),
        ("log", b"1\n"),
    ]);
    let writer = store.acquire(None).unwrap();
    let mut txn = writer.begin(submit());
    txn.write(path("a/new/deep.md"), "first");
    txn.write(path("a/new/deep.md"), "last wins");
    txn.remove(path("a/gone.md"));
    txn.append(path("log"), "2\n");
    txn.append(path("log"), "3\n");
    txn.append(path("a/gone.md"), "again");
    txn.remove(path("a/old.md"));
    let text = |file: &str| txn.text(&path(file)).unwrap();
    assert_eq!(text("a/new/deep.md").as_deref(), Some("last wins"));
    assert_eq!(text("a/gone.md").as_deref(), Some("again"));
    assert_eq!(text("log").as_deref(), Some("1\n2\n3\n"));
    assert_eq!(text("a/old.md"), None);
    assert_eq!(txn.list(&path("a")).unwrap(), ["gone.md", "new"]);
    assert_eq!(file(&fs, "log").as_deref(), Some("1\n"), "nothing written");
    let receipt = txn.commit().unwrap();
    assert_eq!(receipt.operation, Some(1));
    let changed: Vec<&str> = receipt.changed.iter().map(RelPath::as_str).collect();
    let own = ["a/gone.md", "a/new/deep.md", "a/old.md", "log"];
    assert_eq!(changed, [&own[..], &["logs/operations.jsonl"]].concat());
    assert_eq!(file(&fs, "log").as_deref(), Some("1\n2\n3\n"));
    assert_eq!(file(&fs, "a/gone.md").as_deref(), Some("again"));
}

#[test]
fn a_transaction_that_changes_nothing_writes_nothing() {
    let (fs, store) = project(&[("a.md", b"same")]);
    let writer = store.acquire(None).unwrap();
    let before = fs.operations();
    assert!(writer.begin(commit(1)).commit().unwrap().changed.is_empty());
    let mut txn = writer.begin(commit(1));
    txn.write(path("a.md"), "same");
    txn.remove(path("not-there.md"));
    txn.append(path("a.md"), "");
    let receipt = txn.commit().unwrap();
    assert_eq!((receipt.operation, receipt.pack), (None, None));
    assert_eq!(fs.operations(), before);
}

#[test]
fn operations_are_numbered_and_what_they_replace_is_kept() {
    let (_, store) = project(&[
        ("state/current-state.json", b"0"),
        (".checkpoint.json", b"0"),
    ]);
    let writer = store.acquire(None).unwrap();
    for chapter in 1..=2 {
        let mut txn = writer.begin(commit(chapter));
        txn.write(path("state/current-state.json"), chapter.to_string());
        txn.write(path(".checkpoint.json"), chapter.to_string());
        let receipt = txn.commit().unwrap();
        assert_eq!(receipt.operation, Some(u64::from(chapter)));
        assert_eq!(receipt.pack, Some(path("archive/pack-0001.bin")));
    }
    let reader = store.reader().unwrap();
    let log = OperationLog::read(&reader).unwrap().operations;
    let told: Vec<(u64, TxnKind, &str, &str, Option<u64>)> = log
        .iter()
        .map(|op| {
            let parent = op.lines[0].parent;
            (op.operation, op.kind, &*op.target, &*op.at, parent)
        })
        .collect();
    let at = "2026-02-21T15:30:00Z";
    assert_eq!(
        told,
        [
            (1, commit(1).kind, "chapter:001:commit", at, None),
            (2, commit(2).kind, "chapter:002:commit", at, Some(1)),
        ]
    );
    for (op, old, new) in [(&log[0], "0", "1"), (&log[1], "1", "2")] {
        let paths: Vec<&RelPath> = op.paths();
        assert_eq!(
            paths,
            [&path(".checkpoint.json"), &path("state/current-state.json")]
        );
        for (line, change) in op.changes() {
            assert_eq!(reader.kept_before(line, change).unwrap(), old.as_bytes());
            let FileChange::Replaced { before, after, .. } = change else {
                panic!("{change:?}");
            };
            assert_eq!(*before, Fingerprint::of(old));
            assert_eq!(*after, Fingerprint::of(new));
        }
    }
}

#[test]
fn every_transaction_but_those_on_calls_is_recorded_and_bookkeeping_is_kept_too() {
    let bookkeeping = [
        ".checkpoint.json",
        "logs/progress.json",
        "staging/bindings/chapter-048.json",
        "staging/manifests/x.json",
    ];
    let (_, store) = project(&bookkeeping.map(|file| (file, &b"old"[..])));
    let writer = store.acquire(None).unwrap();
    let mut txn = writer.begin(submit());
    for file in bookkeeping {
        txn.write(path(file), "new");
    }
    assert_eq!(txn.commit().unwrap().operation, Some(1));
    let mut audit = writer.begin(TxnLabel::new(TxnKind::Call, "audit"));
    audit.append(path("logs/audit.jsonl"), "{}\n");
    assert_eq!(audit.commit().unwrap().operation, None);
    let reader = store.reader().unwrap();
    let log = OperationLog::read(&reader).unwrap();
    assert_eq!(log.operations.len(), 1);
    assert_eq!(log.operations[0].paths().len(), bookkeeping.len());
    for (line, change) in log.operations[0].changes() {
        assert_eq!(reader.kept_before(line, change).unwrap(), b"old");
    }
}

#[test]
fn a_new_book_is_no_operation_and_one_that_replaces_a_book_is() {
    let (_, store) = project(&[]);
    let writer = store.acquire(None).unwrap();
    let label = TxnLabel::new(TxnKind::Init, "project");
    let begin = |text: &str| {
        let mut txn = writer.begin(label.clone());
        txn.write(path(".checkpoint.json"), text);
        txn.write(path("brief.md"), text);
        txn.commit().unwrap().operation
    };
    assert_eq!(begin("first"), None);
    assert_eq!(begin("second"), Some(1));
}

/// The log of a long book was a tenth of it.
#[test]
fn a_long_log_of_operations_is_put_away_compressed_and_read_as_one() {
    let (fs, store) = project(&[]);
    let size = |name: &str| fs.metadata(&path(name)).unwrap().map(|meta| meta.len);
    let mut largest = 0;
    for number in 0..200 {
        // Another process each time.
        let writer = store.acquire(None).unwrap();
        let mut txn = writer.begin(submit());
        for part in 0..40 {
            let file = format!("staging/scenes/chapter-001/{part:02}.md");
            txn.write(path(&file), format!("{number} {part}"));
        }
        txn.commit().unwrap();
        largest = largest.max(size("logs/operations.jsonl").unwrap());
    }
    assert!(largest < 280 * 1024, "{largest}");
    let reader = store.reader().unwrap();
    let log = OperationLog::read(&reader).unwrap();
    let numbers: Vec<u64> = log.operations.iter().map(|found| found.operation).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    let lines = log.operations.iter().flat_map(|found| &found.lines);
    let whole: usize = lines
        .map(|line| serde_json::to_string(line).unwrap().len())
        .sum();
    let stored =
        size("logs/operations.jsonl").unwrap() + size("logs/operations-older.jsonl.zst").unwrap();
    assert!(stored * 2 < whole as u64, "{stored} of {whole}");
    // What was put away is found by whoever takes something back.
    let newest = log.newest_standing().unwrap().operation;
    let writer = store.acquire(None).unwrap();
    let undo = TxnLabel::new(TxnKind::Undo { operation: newest }, "undo");
    writer.begin(undo).commit().unwrap();
    write(&writer, submit(), "staging/more.md", "more");
    let log = OperationLog::read(&store.reader().unwrap()).unwrap();
    let last = log.operations.last().unwrap();
    assert_eq!(last.lines[0].parent, Some(newest - 1));
    drop(writer);
    // Damage is an error that names the file, and no shorter history.
    let Some(Entry::File(mut frames)) = fs.tree().remove("logs/operations-older.jsonl.zst") else {
        panic!("no older lines");
    };
    let middle = frames.len() / 2;
    frames[middle] ^= 1;
    fs.put("logs/operations-older.jsonl.zst", &frames);
    let error = OperationLog::read(&store.reader().unwrap()).unwrap_err();
    assert!(error.message().en.contains("operations-older"), "{error}");
}

/// What a chapter writes into staging on its way is in the ledger or in the book; keeping every version
/// of it made the archive four times as large.
#[test]
fn what_an_operation_put_into_staging_itself_is_not_kept_and_what_others_put_there_is() {
    let (fs, store) = project(&[(".checkpoint.json", b"{}\n")]);
    let draft = path("staging/chapters/chapter-001.md");
    let kept = |store: &Store| -> Vec<(String, Vec<u8>)> {
        let reader = store.reader().unwrap();
        let log = OperationLog::read(&reader).unwrap();
        let changes = log
            .operations
            .iter()
            .flat_map(|operation| operation.changes());
        changes
            .filter(|(_, change)| change.kept().is_some())
            .map(|(line, change)| {
                let bytes = reader.kept_before(line, change).unwrap();
                (change.path().to_string(), bytes)
            })
            .collect()
    };
    let remove = |writer: &Writer, label: TxnLabel| {
        let mut txn = writer.begin(label);
        txn.remove(draft.clone());
        txn.commit().unwrap();
    };
    {
        let writer = store.acquire(None).unwrap();
        writer.operation(commit(1), Some(Vec::new())).unwrap();
        write(&writer, submit(), draft.as_str(), "first");
        write(&writer, submit(), ".checkpoint.json", "{0}");
    }
    {
        // Another process goes on with it.
        let writer = store.acquire(None).unwrap();
        writer.operation(commit(1), Some(Vec::new())).unwrap();
        write(&writer, submit(), draft.as_str(), "second");
        write(&writer, submit(), ".checkpoint.json", "{1}");
        write(&writer, submit(), "state/current-state.json", "a");
        write(&writer, submit(), "state/current-state.json", "b");
        remove(&writer, commit(1));
    }
    let first = (".checkpoint.json".to_owned(), b"{}\n".to_vec());
    let state = ("state/current-state.json".to_owned(), b"a".to_vec());
    assert_eq!(kept(&store), [first.clone(), state.clone()]);

    let writer = store.acquire(None).unwrap();
    writer.operation(commit(2), Some(Vec::new())).unwrap();
    write(&writer, submit(), draft.as_str(), "third");
    write(&writer, submit(), ".checkpoint.json", "{2}");
    fs.put(draft.as_str(), b"the author's");
    remove(&writer, commit(2));
    let checkpoint = (".checkpoint.json".to_owned(), b"{1}".to_vec());
    let edited = (draft.to_string(), "the author's".into());
    assert_eq!(kept(&store), [first, state, checkpoint, edited]);
}

#[test]
fn steps_are_one_operation_and_an_interrupted_one_is_continued() {
    let (_, store) = project(&[("a.md", b"0")]);
    let chapter = |writer: &Writer| {
        writer
            .operation(commit(3), Some(vec![path("staging/scenes/1.json")]))
            .unwrap();
    };
    let step = |writer: &Writer, label: TxnLabel, text: &str| {
        write(writer, label, "a.md", text);
    };
    let writer = store.acquire(None).unwrap();
    chapter(&writer);
    assert_eq!(writer.operation_id().unwrap(), 1);
    step(&writer, submit(), "1");
    step(&writer, submit(), "2");
    drop(writer);
    // As after a crash: the same operation goes on.
    let writer = store.acquire(None).unwrap();
    assert_eq!(writer.operation_id().unwrap(), 2);
    chapter(&writer);
    assert_eq!(writer.operation_id().unwrap(), 1);
    step(&writer, submit(), "3");
    step(&writer, commit(3), "4");
    assert_eq!(writer.operation_id().unwrap(), 2);
    step(&writer, submit(), "5");
    // Nothing follows from the same label once it is done.
    chapter(&writer);
    assert_eq!(writer.operation_id().unwrap(), 3);
    step(&writer, submit(), "6");
    writer.finish_operation(store.now()).unwrap();
    writer.finish_operation(store.now()).unwrap();
    let reader = store.reader().unwrap();
    let log = OperationLog::read(&reader).unwrap();
    let told: Vec<(u64, TxnKind, OperationState, usize)> = log
        .operations
        .iter()
        .map(|op| (op.operation, op.kind, op.state, op.lines.len()))
        .collect();
    assert_eq!(
        told,
        [
            (1, commit(3).kind, OperationState::Done, 4),
            (2, TxnKind::Submit, OperationState::Done, 1),
            (3, commit(3).kind, OperationState::Done, 2),
        ]
    );
    let lines = &log.operations[0].lines;
    assert_eq!(lines[0].staged, Some(vec![path("staging/scenes/1.json")]));
    assert!(lines[1..].iter().all(|line| line.staged.is_none()));
    assert_eq!(lines[0].step, Some(submit()));
    assert_eq!(lines[3].step, None);
    let parents: Vec<Option<u64>> = log.operations.iter().map(|op| op.lines[0].parent).collect();
    assert_eq!(parents, [None, Some(1), Some(2)]);
    let take_back = TakeBack {
        operation: &log.operations[2],
        log: &log,
        book: &reader,
        kept: &reader,
        in_staging: &[],
        by: TxnKind::Undo { operation: 3 },
        at: "2026-02-21T15:30:00Z",
    };
    let mut before = Changes::default();
    before.write(path("a.md"), "5");
    assert_eq!(take_back.changes().unwrap(), before);
}

#[test]
fn many_versions_of_a_file_are_kept_in_little_space() {
    let (fs, store) = project(&[]);
    let version = |number: usize| -> String {
        let lines = (0..400 + number).map(|line| format!("{{\"entry\": {}}}\n", line * 7919));
        lines.collect()
    };
    let mut writer = store.acquire(None).unwrap();
    for number in 0..60 {
        // A writer of its own finds the version before in the log.
        if number % 7 == 0 {
            drop(writer);
            writer = store.acquire(None).unwrap();
        }
        write(
            &writer,
            submit(),
            "state/current-state.json",
            &version(number),
        );
        if number % 3 == 0 {
            write(&writer, submit(), "staging/other.md", &format!("{number}"));
        }
    }
    let reader = store.reader().unwrap();
    let log = OperationLog::read(&reader).unwrap();
    let mut kept = Vec::new();
    for operation in &log.operations {
        for (line, change) in operation.changes() {
            if *change.path() == path("state/current-state.json") && change.kept().is_some() {
                kept.push(reader.kept_before(line, change).unwrap());
            }
        }
    }
    let expected: Vec<Vec<u8>> = (0..59).map(|number| version(number).into_bytes()).collect();
    assert_eq!(kept, expected);
    let text: usize = expected.iter().map(Vec::len).sum();
    let pack = reader
        .read(&path("archive/pack-0001.bin"))
        .unwrap()
        .unwrap();
    assert!(pack.len() * 20 < text, "{} of {text}", pack.len());
    assert_eq!(novel_store::verify_archive(&reader, &log), []);
    // Every damaged byte is found, and the operation that needs it is named.
    let FileChange::Replaced {
        kept: Some(first), ..
    } = log.operations[2].lines[0].changes[0]
    else {
        panic!("{:?}", log.operations[2]);
    };
    for at in [0, pack.len() / 2, pack.len() - 1] {
        let mut damaged = pack.clone();
        damaged[at] ^= 1;
        fs.put("archive/pack-0001.bin", &damaged);
        let reader = store.reader().unwrap();
        let problems = novel_store::verify_archive(&reader, &log);
        assert_eq!(problems.len(), 1, "byte {at}");
        assert_eq!(problems[0].code, "archive_damaged");
    }
    fs.put("archive/pack-0001.bin", b"");
    let reader = store.reader().unwrap();
    let problems = novel_store::verify_archive(&reader, &log);
    assert_eq!(problems[0].code, "archive_damaged", "an emptied pack");
    let mut damaged = pack.clone();
    damaged[usize::try_from(first.offset).unwrap() + 200] ^= 1;
    fs.put("archive/pack-0001.bin", &damaged);
    let reader = store.reader().unwrap();
    let line = &log.operations[2].lines[0];
    let error = reader.kept_before(line, &line.changes[0]).unwrap_err();
    let told = error.problems()[0].message.en.clone();
    assert!(told.contains("archive/pack-0001.bin"), "{told}");
    assert!(
        told.contains(&format!("at byte {}", first.offset)),
        "{told}"
    );
    assert!(told.contains("operation 3"), "{told}");
    // New versions are kept although an old one is damaged.
    write(&writer, submit(), "state/current-state.json", "x");
}

#[test]
fn a_log_that_is_cut_keeps_its_tail_alone() {
    let (_, store) = project(&[("state/changelog.jsonl", b"1\n2\n3\n")]);
    let writer = store.acquire(None).unwrap();
    write(&writer, submit(), "state/changelog.jsonl", "1\n");
    let reader = store.reader().unwrap();
    let log = OperationLog::read(&reader).unwrap();
    let line = &log.operations[0].lines[0];
    let [change @ FileChange::Cut { after, .. }] = line.changes.as_slice() else {
        panic!("{line:?}");
    };
    assert_eq!(*after, Fingerprint::of("1\n"));
    assert_eq!(reader.kept_before(line, change).unwrap(), b"2\n3\n");
}

#[test]
fn what_older_versions_wrote_is_read() {
    let line = |number: u64, kind: &str, target: &str, changes: &str| {
        format!(
            r#"{{"operation":{number},"kind":"{kind}","target":"{target}","at":"2026-03-01T00:00:00Z","archive":"archive/{number:06}-{kind}-{target}","changes":[{changes}]}}"#
        ) + "\n"
    };
    let hash = ContentHash::of("old");
    let replaced =
        format!(r#"{{"change":"replaced","path":"a.md","before":"{hash}","after":"{hash}"}}"#);
    let log = line(1, "commit", "chapter-001", &replaced)
        + &line(2, "rollback", "to-000", "")
        + &line(3, "undo", "operation-2", "")
        + &line(4, "rewrite", "state", "")
        + &line(5, "commit-volume", "vol-02", "")
        + &line(6, "retire", "lu-yan", "");
    let (fs, store) = project(&[("archive/000001-commit-chapter-001/a.md", b"old")]);
    fs.put("logs/operations.jsonl", log.as_bytes());
    let reader = store.reader().unwrap();
    let log = OperationLog::read(&reader).unwrap();
    let kinds: Vec<TxnKind> = log.operations.iter().map(|op| op.kind).collect();
    let chapter = ChapterNo::new(1).unwrap();
    assert_eq!(
        kinds,
        [
            TxnKind::Commit { chapter },
            TxnKind::Rollback { last: 0 },
            TxnKind::Undo { operation: 2 },
            TxnKind::Rewrite { chapter },
            TxnKind::CommitVolume {
                volume: novel_model::VolumeNo::new(2).unwrap()
            },
            TxnKind::Retire,
        ]
    );
    let standing: Vec<u64> = log.standing().iter().map(|op| op.operation).collect();
    assert_eq!(standing, [1, 4, 5, 6]);
    let (line, change) = log.operations[0].changes().next().unwrap();
    assert_eq!(reader.kept_before(line, change).unwrap(), b"old");
    // The log goes on after them.
    let writer = store.acquire(None).unwrap();
    let mut txn = writer.begin(commit(7));
    txn.write(path("b.md"), "new");
    assert_eq!(txn.commit().unwrap().operation, Some(7));
}

#[test]
fn reserved_and_conflicting_targets_are_refused_before_anything_is_written() {
    let (fs, store) = project(&[("chapters/x.md", b"x")]);
    let writer = store.acquire(None).unwrap();
    let before = fs.tree();
    for targets in [
        &[".novel.lock/info.json"][..],
        &[".novel.journal/plan.json"],
        &["archive/x"],
        &["logs/operations.jsonl"],
        &["a", "a/b"],
        &["chapters"],
        &["chapters/x.md/y"],
    ] {
        let mut txn = writer.begin(commit(1));
        for target in targets {
            txn.write(path(target), "x");
        }
        txn.commit().unwrap_err();
        assert_eq!(fs.tree(), before, "{targets:?}");
    }
}

/// A project whose commit of chapter 48 was sealed and then cut off.
fn sealed_project() -> (Arc<SimFs>, Store) {
    let files: &[(&str, &[u8])] = &[
        (".checkpoint.json", b"before"),
        ("log.jsonl", b"1\n"),
        ("gone.md", b"gone"),
    ];
    let run = |crash: Option<usize>| {
        let (fs, store) = project(files);
        if let Some(operation) = crash {
            fs.crash_at(operation, When::After);
        }
        let mut sealing = 0;
        if let Ok(writer) = store.acquire(None) {
            let mut txn = writer.begin(commit(48));
            txn.write(path(".checkpoint.json"), "after");
            txn.append(path("log.jsonl"), "2\n");
            txn.remove(path("gone.md"));
            let _ = txn.commit();
            let seal = "rename .novel.journal/plan.json";
            sealing = 1 + fs.log().iter().position(|line| line == seal).unwrap();
        }
        (fs, sealing)
    };
    let (_, sealing) = run(None);
    let (crashed, _) = run(Some(sealing));
    let fs = Arc::new(crashed.restart());
    let machine = Arc::new(SimMachine::with_pid(200));
    let store = Store::new(Arc::<SimFs>::clone(&fs), machine);
    (fs, store)
}

#[test]
fn readers_see_a_sealed_transaction_as_done() {
    let (fs, store) = sealed_project();
    assert_eq!(file(&fs, ".checkpoint.json").as_deref(), Some("before"));
    let reader = store.reader().unwrap();
    assert_eq!(reader.sealed(), Some(&commit(48)));
    let text = |file: &str| reader.text(&path(file)).unwrap();
    assert_eq!(text(".checkpoint.json").as_deref(), Some("after"));
    assert_eq!(text("log.jsonl").as_deref(), Some("1\n2\n"));
    assert_eq!(text("gone.md"), None);
    let last = |file: &str| reader.last_line(&path(file)).unwrap();
    assert_eq!(last("log.jsonl").as_deref(), Some(&b"2"[..]));
    let line = last("logs/operations.jsonl").unwrap();
    assert!(line.starts_with(b"{\"operation\":1,"));
    assert_eq!(reader.list(&path("logs")).unwrap(), ["operations.jsonl"]);
    assert_eq!(fs.operations(), 0, "reading wrote something");

    let writer = store.acquire(None).unwrap();
    let label = commit(48);
    assert_eq!(*writer.recovery(), Recovery::RolledForward { label });
    assert_eq!(store.reader().unwrap().sealed(), None);
    assert_eq!(file(&fs, ".checkpoint.json").as_deref(), Some("after"));
}

#[test]
fn an_edit_made_after_the_crash_is_kept() {
    let (fs, store) = sealed_project();
    fs.put(".checkpoint.json", b"edited by hand");
    fs.put("gone.md", b"edited too");
    drop(store.acquire(None).unwrap());
    assert_eq!(file(&fs, ".checkpoint.json").as_deref(), Some("after"));
    assert_eq!(file(&fs, "gone.md"), None);
    let kept = |file_name: &str| {
        let archive = "archive/000001-commit-chapter-048-commit/edited-meanwhile-1";
        file(&fs, &format!("{archive}/{file_name}")).unwrap()
    };
    assert_eq!(kept(".checkpoint.json"), "edited by hand");
    assert_eq!(kept("gone.md"), "edited too");
}

#[test]
fn a_damaged_sealed_plan_is_named_and_kept() {
    for bytes in [&b"{"[..], b"", b"{\"version\": 3}"] {
        let (fs, store) = sealed_project();
        fs.put(".novel.journal/plan.json", bytes);
        let before = fs.tree();
        let errors = [
            store.acquire(None).map(drop).unwrap_err(),
            store.reader().map(drop).unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error.code(), "JOURNAL_DAMAGED");
            assert!(error.message().zh.contains(".novel.journal/plan.json"));
        }
        let mut after = fs.tree();
        let mut before = before;
        // The dead holder's lock was taken over and given back.
        for tree in [&mut before, &mut after] {
            tree.retain(|path, _| !path.starts_with(".novel.lock"));
        }
        assert_eq!(before, after);
    }
}

#[test]
fn a_damaged_blob_stops_the_redo_before_it_begins() {
    let (fs, store) = sealed_project();
    fs.put(".novel.journal/0000.blob", b"rot");
    let error = store.acquire(None).map(drop).unwrap_err();
    assert_eq!(error.code(), "JOURNAL_DAMAGED");
    assert_eq!(file(&fs, ".checkpoint.json").as_deref(), Some("before"));
    assert_eq!(file(&fs, "gone.md").as_deref(), Some("gone"));
}

#[test]
fn a_log_that_became_shorter_is_an_error_not_a_hole() {
    let (fs, store) = sealed_project();
    fs.put("log.jsonl", b"1");
    let error = store.acquire(None).map(drop).unwrap_err();
    assert!(matches!(error, StoreError::Sealed { .. }));
    assert!(error.message().en.contains("`log.jsonl` has 1 bytes"));
    fs.put("log.jsonl", b"1\n");
    drop(store.acquire(None).unwrap());
    assert_eq!(file(&fs, "log.jsonl").as_deref(), Some("1\n2\n"));
}

#[test]
fn a_damaged_operations_log_stops_operations() {
    let (_, store) = project(&[("logs/operations.jsonl", b"{\"operation\":1}\n{\"oper")]);
    let writer = store.acquire(None).unwrap();
    let mut txn = writer.begin(commit(2));
    txn.write(path("a.md"), "x");
    assert_eq!(txn.commit().unwrap_err().code(), "OPERATIONS_DAMAGED");
}

#[test]
fn the_last_line_is_found_from_the_end() {
    let long = "长".repeat(10_000);
    let cases = [
        (String::new(), None),
        ("\n\n".to_owned(), None),
        ("one".to_owned(), Some("one".to_owned())),
        ("one\ntwo\n".to_owned(), Some("two".to_owned())),
        ("one\ntwo\n\n \n".to_owned(), Some("two".to_owned())),
        (format!("one\n{long}\n"), Some(long.clone())),
        (format!("{long}\none\n"), Some("one".to_owned())),
    ];
    for (content, expected) in cases {
        let fs = Arc::new(SimFs::with_files([("log.jsonl", content.as_bytes())]));
        let store = Store::new(fs, Arc::new(SimMachine::default()));
        let line = store
            .reader()
            .unwrap()
            .last_line(&path("log.jsonl"))
            .unwrap();
        assert_eq!(line.map(|line| String::from_utf8(line).unwrap()), expected);
    }
    let (_, store) = project(&[]);
    let reader = store.reader().unwrap();
    assert_eq!(reader.last_line(&path("log.jsonl")).unwrap(), None);
}

#[test]
fn an_edit_reads_as_the_book_does_once_it_is_applied() {
    let (_, store) = project(&[
        ("a.md", b"old\n"),
        ("dir/gone.md", b"gone\n"),
        ("log.jsonl", b"1\n"),
    ]);
    let writer = store.acquire(None).unwrap();
    let reader = writer.reader().unwrap().remembering();
    let text = |reader: &dyn BookReader, name: &str| reader.text(&path(name)).unwrap();
    assert_eq!(text(&reader, "log.jsonl").unwrap(), "1\n");
    let mut edit = Edit::on(&reader);
    edit.write(path("a.md"), "new\n");
    edit.write(path("dir/made.md"), "made\n");
    edit.remove(path("dir/gone.md"));
    edit.append(path("log.jsonl"), "2\n");
    edit.append(path("log.jsonl"), "3\n");
    edit.append(path("a.md"), "more\n");
    edit.remove(path("dir/made.md"));
    edit.write(path("dir/gone.md"), "back\n");
    assert_eq!(text(&edit, "a.md").unwrap(), "new\nmore\n");
    assert_eq!(text(&edit, "log.jsonl").unwrap(), "1\n2\n3\n");
    assert_eq!(edit.last_line(&path("log.jsonl")).unwrap().unwrap(), b"3");
    assert_eq!(text(&edit, "dir/made.md"), None);
    assert_eq!(text(&edit, "dir/gone.md").unwrap(), "back\n");
    assert_eq!(edit.list(&path("dir")).unwrap(), ["gone.md"]);
    // Nobody else sees it, and nothing was written.
    let other = writer.reader().unwrap();
    assert_eq!(text(&other, "a.md").unwrap(), "old\n");
    assert_eq!(text(&other, "dir/gone.md").unwrap(), "gone\n");
    let label = TxnLabel::new(TxnKind::Advance, "two");
    let changes = edit.changes().clone();
    let receipt = writer.apply(label.clone(), changes, store.now()).unwrap();
    assert_eq!(receipt.label, label);
    let after = writer.reader().unwrap();
    for name in ["a.md", "log.jsonl", "dir/made.md", "dir/gone.md"] {
        assert_eq!(text(&after, name), text(&edit, name), "{name}");
    }
}
