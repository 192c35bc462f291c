//! What a transaction does to the files of a project.

use std::sync::Arc;

use novel_model::{BookReader, ChapterNo, ContentHash, Explain, RelPath};
use novel_store::{
    ArchivePolicy, FileChange, Recovery, Store, StoreError, StoreReader, TxnKind, TxnLabel, Writer,
};
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

fn write(writer: &Writer, label: TxnLabel, file: &str, text: &str) -> Option<RelPath> {
    let mut txn = writer.begin(label);
    txn.write(path(file), text);
    txn.commit().unwrap().archive
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
    assert_eq!(receipt.operation, None);
    let changed: Vec<&str> = receipt.changed.iter().map(RelPath::as_str).collect();
    assert_eq!(changed, ["a/gone.md", "a/new/deep.md", "a/old.md", "log"]);
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
    assert_eq!((receipt.operation, receipt.archive), (None, None));
    assert_eq!(fs.operations(), before);
}

#[test]
fn operations_are_numbered_and_archived() {
    let (fs, store) = project(&[
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
        let archive = format!("archive/00000{chapter}-commit-chapter-00{chapter}-commit");
        assert_eq!(receipt.archive, Some(path(&archive)));
        let old = (chapter - 1).to_string();
        for kept in ["state/current-state.json", ".checkpoint.json"] {
            assert_eq!(file(&fs, &format!("{archive}/{kept}")), Some(old.clone()));
        }
    }
    let log = novel_store::operations(&store.reader().unwrap()).unwrap();
    let told: Vec<(u64, &str, &str, &str)> = log
        .iter()
        .map(|op| {
            (
                op.operation,
                op.kind.as_str(),
                op.target.as_str(),
                op.at.as_str(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (1, "commit", "chapter:001:commit", "2026-02-21T15:30:00Z"),
            (2, "commit", "chapter:002:commit", "2026-02-21T15:30:00Z"),
        ]
    );
    for (op, old, new) in [(&log[0], "0", "1"), (&log[1], "1", "2")] {
        let state = path("state/current-state.json");
        assert_eq!(
            op.changes,
            [path(".checkpoint.json"), state.clone()].map(|path| FileChange::Replaced {
                path,
                before: ContentHash::of(old),
                after: ContentHash::of(new),
            })
        );
        assert_eq!(
            op.before(&store.reader().unwrap(), &state).unwrap(),
            old.as_bytes()
        );
    }
}

#[test]
fn other_transactions_share_the_number_and_never_a_directory() {
    let (fs, store) = project(&[
        ("staging/chapters/chapter-048.md", b"0"),
        (
            "logs/operations.jsonl",
            b"{\"operation\":6}\n{\"operation\":47}\n",
        ),
    ]);
    let writer = store.acquire(None).unwrap();
    let staged = "staging/chapters/chapter-048.md";
    for (text, suffix) in [("1", ""), ("2", "-2"), ("3", "-3")] {
        let archive = write(&writer, submit(), staged, text).unwrap();
        let expected = format!("archive/000047-submit-chapter-048-draft{suffix}");
        assert_eq!(archive.as_str(), expected);
    }
    let kept = format!("archive/000047-submit-chapter-048-draft-2/{staged}");
    assert_eq!(file(&fs, &kept).as_deref(), Some("1"));
    assert!(
        !file(&fs, "logs/operations.jsonl")
            .unwrap()
            .contains("submit")
    );
}

#[test]
fn bookkeeping_is_archived_only_on_demand() {
    let bookkeeping = [
        ".checkpoint.json",
        "logs/progress.json",
        "staging/bindings/chapter-048.json",
        "staging/manifests/x.json",
    ];
    for (policy, kept) in [
        (ArchivePolicy::ContentOnly, 0),
        (ArchivePolicy::Everything, bookkeeping.len()),
    ] {
        let (fs, store) = project(&bookkeeping.map(|file| (file, &b"old"[..])));
        let writer = store.acquire(None).unwrap();
        let mut txn = writer.begin(submit());
        txn.archive_policy(policy);
        for file in bookkeeping {
            txn.write(path(file), "new");
        }
        let receipt = txn.commit().unwrap();
        assert_eq!(receipt.archive.is_some(), kept > 0);
        let archived = fs.tree().into_iter().filter(|(path, entry)| {
            path.starts_with("archive/") && *entry == Entry::File(b"old".to_vec())
        });
        assert_eq!(archived.count(), kept);
    }
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
    for bytes in [&b"{"[..], b"", b"{\"version\": 2}"] {
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
fn a_reader_looks_past_transactions_that_are_not_made() {
    let (_, store) = project(&[
        ("a.md", b"old\n"),
        ("dir/gone.md", b"gone\n"),
        ("log.jsonl", b"1\n"),
    ]);
    let writer = store.acquire(None).unwrap();
    let mut reader = writer.reader().unwrap().remembering();
    let text = |reader: &StoreReader, name: &str| reader.text(&path(name)).unwrap();
    assert_eq!(text(&reader, "log.jsonl").unwrap(), "1\n");
    let mut first = writer.begin(TxnLabel::new(TxnKind::Submit, "one"));
    first.write(path("a.md"), "new\n");
    first.write(path("dir/made.md"), "made\n");
    first.remove(path("dir/gone.md"));
    first.append(path("log.jsonl"), "2\n");
    reader.look_past(&first);
    let mut second = writer.begin(TxnLabel::new(TxnKind::Advance, "two"));
    second.append(path("log.jsonl"), "3\n");
    second.append(path("a.md"), "more\n");
    second.remove(path("dir/made.md"));
    second.write(path("dir/gone.md"), "back\n");
    reader.look_past(&second);
    assert_eq!(text(&reader, "a.md").unwrap(), "new\nmore\n");
    assert_eq!(text(&reader, "log.jsonl").unwrap(), "1\n2\n3\n");
    assert_eq!(reader.last_line(&path("log.jsonl")).unwrap().unwrap(), b"3");
    assert_eq!(text(&reader, "dir/made.md"), None);
    assert_eq!(text(&reader, "dir/gone.md").unwrap(), "back\n");
    assert_eq!(reader.list(&path("dir")).unwrap(), ["gone.md"]);
    // Nobody else sees it, and nothing was written.
    let other = writer.reader().unwrap();
    assert_eq!(text(&other, "a.md").unwrap(), "old\n");
    assert_eq!(text(&other, "dir/gone.md").unwrap(), "gone\n");
    // Made as one, they leave the book as it was foreseen.
    let both = second.after(first);
    assert_eq!(both.commit().unwrap().label.kind, TxnKind::Advance);
    let other = writer.reader().unwrap();
    for name in ["a.md", "log.jsonl", "dir/made.md", "dir/gone.md"] {
        assert_eq!(text(&other, name), text(&reader, name), "{name}");
    }
}
