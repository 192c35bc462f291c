//! The single-writer lock, fought for by real processes.

use std::process::{Child, Command, Stdio};

use novel_testkit::{Plan, TestBook, Tree, assert_same_tree, pretty, replay::replay, tree};
use serde_json::{Value, json};

const ROUNDS: usize = 50;
const FIGHTERS: usize = 8;
const COMMIT: [&str; 3] = ["commit", "--chapter", "2"];
const JSON_COMMIT: [&str; 4] = ["--json", "commit", "--chapter", "2"];

fn judged() -> TestBook {
    let book = TestBook::planned(Plan::new(3));
    book.driver().write(1);
    book.driver().up_to_judged(2);
    book
}

fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    name.trim().to_owned()
}

/// A process that has ended, by number.
fn dead_pid() -> u32 {
    let mut child = Command::new("true").spawn().unwrap();
    let pid = child.id();
    child.wait().unwrap();
    pid
}

fn now() -> String {
    jiff::Timestamp::now().to_string()
}

fn ago(minutes: i64) -> String {
    (jiff::Timestamp::now() - jiff::SignedDuration::from_mins(minutes)).to_string()
}

fn boot_id() -> String {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    id.trim().to_owned()
}

fn namespace() -> String {
    std::fs::read_link("/proc/self/ns/pid")
        .unwrap()
        .to_string_lossy()
        .into_owned()
}

/// A lock as a holder on this machine writes it.
fn lock_of(pid: u32, started: &str) -> Value {
    json!({"pid": pid, "started": started, "chapter": 2, "host": host(), "process_start": null,
           "heartbeat": started, "token": "someone", "boot_id": boot_id(),
           "pid_namespace": namespace()})
}

/// The tree without what carries the time of day.
fn comparable(mut tree: Tree) -> Tree {
    tree.remove("logs/operations.jsonl");
    tree
}

#[test]
fn eight_processes_fight_for_a_stale_lock_fifty_times() {
    let book = judged();
    let arena = book.outside().join("arena");
    let expected = {
        let alone = judged();
        alone.ask(&COMMIT).data();
        comparable(alone.tree())
    };
    let locks = [
        lock_of(dead_pid(), &now()),
        lock_of(std::process::id(), &ago(31)),
        // As the older tool writes it.
        json!({"pid": 4_000_000, "started": ago(31), "chapter": 2}),
    ];
    let mut winners = 0;
    for round in 0..ROUNDS {
        let copied = Command::new("cp")
            .arg("-a")
            .arg(book.root())
            .arg(&arena)
            .status()
            .unwrap();
        assert!(copied.success());
        std::fs::create_dir(arena.join(".novel.lock")).unwrap();
        std::fs::write(
            arena.join(".novel.lock/info.json"),
            pretty(&locks[round % locks.len()]),
        )
        .unwrap();
        let fighters: Vec<Child> = (0..FIGHTERS)
            .map(|_| {
                let mut command = book.command(&JSON_COMMIT);
                command.current_dir(&arena).stdin(Stdio::null());
                command
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        let mut committed = 0;
        for fighter in fighters {
            let output = fighter.wait_with_output().unwrap();
            let json: Value = serde_json::from_slice(&output.stdout).unwrap();
            match output.status.code() {
                Some(0) if json["data"]["already_committed"] != true => committed += 1,
                Some(0) => {}
                Some(4) => assert_eq!(json["error"]["code"], "LOCK_HELD", "{json:#}"),
                other => panic!("round {round}: {other:?} {json:#}"),
            }
        }
        assert_eq!(committed, 1, "round {round}: exactly one commits");
        winners += committed;
        let operations = std::fs::read_to_string(arena.join("logs/operations.jsonl")).unwrap();
        let commits = operations
            .lines()
            .filter(|line| line.contains("\"kind\":{\"commit\""));
        assert_eq!(commits.count(), 2, "one line for each of the two chapters");
        let changelog = std::fs::read_to_string(arena.join("state/changelog.jsonl")).unwrap();
        let state = std::fs::read_to_string(arena.join("state/current-state.json")).unwrap();
        assert_eq!(replay(&changelog), state, "round {round}");
        assert_same_tree(
            &expected,
            &comparable(tree(&arena)),
            &format!("round {round}"),
        );
        std::fs::remove_dir_all(&arena).unwrap();
    }
    assert_eq!(winners, ROUNDS);
}

#[test]
fn a_lock_of_a_live_process_is_refused_with_its_holder() {
    let book = judged();
    let pid = std::process::id();
    book.write(".novel.lock/info.json", pretty(&lock_of(pid, &now())));
    let before = book.tree();
    for args in [
        &COMMIT[..],
        &["advance", "chapter:002:commit"],
        &["instructions", "chapter:002:commit", "--write-manifest"],
    ] {
        for error in book.fails_in_both(4, args, "") {
            assert_eq!(error["code"], "LOCK_HELD");
            assert!(
                error["message"]
                    .as_str()
                    .unwrap()
                    .contains(&pid.to_string()),
                "{error:#}"
            );
            assert_eq!(error["details"]["holder"]["pid"], pid);
            assert!(
                error["details"]["holder"]["age_seconds"].is_u64(),
                "{error:#}"
            );
        }
    }
    // Reading commands never take it.
    for args in [
        &["next"][..],
        &["status"],
        &["instructions", "chapter:002:commit"],
        &["doctor"],
    ] {
        book.ask(args).data();
    }
    let status = book.ask(&["lock", "status"]).data();
    assert!(status.to_string().contains(&pid.to_string()), "{status:#}");
    let shown = book.ask(&["status"]).data();
    assert!(shown["lock"].is_object(), "{shown:#}");
    assert_same_tree(&before, &book.tree(), "nobody touched the lock");
}

#[test]
fn a_lock_of_an_ended_process_is_taken_at_once() {
    let book = judged();
    book.write(
        ".novel.lock/info.json",
        pretty(&lock_of(dead_pid(), &now())),
    );
    let data = book.ask(&COMMIT).data();
    assert_eq!(data["chapter"], 2);
    assert!(!book.has(".novel.lock"));
}

#[test]
fn a_process_number_that_was_given_again_does_not_hold_the_lock() {
    let book = judged();
    let mut lock = lock_of(std::process::id(), &now());
    lock["process_start"] = json!("1");
    book.write(".novel.lock/info.json", pretty(&lock));
    book.ask(&COMMIT).data();
}

#[test]
fn a_lock_is_stale_after_thirty_minutes_without_a_sign_of_life() {
    let book = judged();
    let mut lock = lock_of(std::process::id(), &ago(300));
    lock["heartbeat"] = json!(ago(29));
    book.write(".novel.lock/info.json", pretty(&lock));
    book.ask(&COMMIT).fails(4);
    lock["heartbeat"] = json!(ago(31));
    book.write(".novel.lock/info.json", pretty(&lock));
    book.ask(&COMMIT).data();
}

#[test]
fn a_lock_of_another_machine_counts_until_it_is_silent() {
    let book = judged();
    let mut lock = lock_of(dead_pid(), &now());
    lock["host"] = json!("another-machine");
    book.write(".novel.lock/info.json", pretty(&lock));
    book.ask(&COMMIT).fails(4);
    book.ask(&["lock", "clear"]).fails(4);
    book.ask(&["lock", "clear", "--force"]).data();
    assert!(!book.has(".novel.lock"));
    book.ask(&COMMIT).data();
}

#[test]
fn a_lock_that_can_not_be_understood_is_not_taken_for_free() {
    let book = judged();
    book.write(".novel.lock/info.json", "{\"pid\": ");
    let before = book.tree();
    book.fails_in_both(4, &COMMIT, "");
    assert_same_tree(&before, &book.tree(), "a damaged lock");
}
