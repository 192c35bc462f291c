//! `novel tell` (specification, page 10): a note for writer, reviser and planner, left from another
//! process without the lock, from the next call through all rounds of that chapter.

use std::{
    process::{Command, Stdio},
    sync::{Mutex, mpsc},
    time::Duration,
};

use novel_testkit::TestBook;
use rustix::process::Signal;
use serde_json::json;

use crate::believed::stub::{Call, Stub, at_chapter_two};

const NOTE: &str = "少写风，多写手上的动作";

fn telling(book: &TestBook) -> Command {
    let mut command = book.command(&["--json", "tell", NOTE]);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

fn carries_note(call: &Call) -> bool {
    call.prompt.contains("author_notes") && call.prompt.contains(NOTE)
}

fn first<'a>(calls: &'a [Call], work: &str, chapter: u32) -> &'a Call {
    calls
        .iter()
        .find(|call| (call.work, call.chapter) == (work, chapter))
        .unwrap_or_else(|| panic!("no {work} of chapter {chapter}"))
}

#[test]
fn a_note_told_during_a_run_reaches_the_next_writer_through_all_rounds_of_its_chapter() {
    let book = at_chapter_two();
    let posted = Mutex::new(Some(telling(&book)));
    let (sent, answers) = mpsc::channel();
    let stub = Stub::writing(&book, move |call, sound| {
        // The second process: the run holds the lock and waits for this answer.
        if (call.work, call.chapter) == ("summarize", 2)
            && let Some(mut command) = posted.lock().unwrap().take()
        {
            sent.send(command.output().unwrap()).unwrap();
        }
        let is_first_verdict = (call.work, call.chapter, call.nth) == ("judge", 3, 1);
        is_first_verdict.then(|| {
            let mut verdict: serde_json::Value = serde_json::from_str(sound).unwrap();
            for score in verdict["scores"].as_object_mut().unwrap().values_mut() {
                score["score"] = json!(3.2);
            }
            verdict.to_string()
        })
    });
    book.ask(&["continue", "3"]).data();
    let output = answers.recv_timeout(Duration::from_secs(1)).unwrap();
    assert!(output.status.success(), "{output:?}");
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said["data"]["run"], 1, "{said:#}");
    let calls = stub.calls();
    assert!(!carries_note(first(&calls, "draft", 2)), "not told yet");
    assert!(carries_note(first(&calls, "draft", 3)));
    assert!(carries_note(first(&calls, "revise", 3)), "a later round");
    assert!(
        !carries_note(first(&calls, "draft", 4)),
        "the note was for its chapter"
    );
    for work in ["summarize", "judge"] {
        let told = calls
            .iter()
            .filter(|call| call.work == work)
            .any(|call| call.prompt.contains(NOTE));
        assert!(!told, "{work} is for the text as it is");
    }
    // Taken, and on record: in the events of the run.
    assert!(!book.has(".novel.inbox/tell-0001.json"));
    let events = book.lines("logs/runs/0001.jsonl");
    let told: Vec<_> = events
        .iter()
        .filter(|event| event.to_string().contains(NOTE))
        .collect();
    assert_eq!(told.len(), 1, "{told:#?}");
}

#[test]
fn a_note_without_a_run_waits_for_the_next_one() {
    let book = at_chapter_two();
    let stub = Stub::writing(&book, |_, _| None);
    let posted = book.ask(&["tell", NOTE]).data();
    assert_eq!(posted["run"], json!(null), "{posted:#}");
    book.ask(&["continue", "2"]).data();
    let calls = stub.calls();
    assert!(carries_note(first(&calls, "draft", 2)));
    assert!(!carries_note(first(&calls, "draft", 3)));
}

#[test]
fn a_note_that_was_taken_survives_a_kill_of_the_run() {
    let book = at_chapter_two();
    let (sent, asked) = mpsc::channel();
    let stub = Stub::writing(&book, move |call, _| {
        if (call.work, call.chapter, call.nth) == ("draft", 2, 1) {
            sent.send(()).unwrap();
            // The run is killed while it waits for this answer.
            std::thread::sleep(Duration::from_secs(20));
        }
        None
    });
    book.ask(&["tell", NOTE]).data();
    let run = book.start(&["continue"]);
    asked.recv_timeout(Duration::from_secs(60)).unwrap();
    run.signal(Signal::KILL);
    assert_ne!(run.end().code, 0);
    book.ask(&["continue", "2"]).data();
    let calls = stub.calls();
    let drafts: Vec<bool> = calls
        .iter()
        .filter(|call| (call.work, call.chapter, call.nth) == ("draft", 2, 2))
        .map(carries_note)
        .collect();
    assert_eq!(drafts, [true], "the draft is asked for with the note");
    assert!(!carries_note(first(&calls, "draft", 3)));
}

#[test]
fn a_note_that_says_nothing_or_too_much_is_refused() {
    let book = at_chapter_two();
    for note in [" ".to_owned(), "手".repeat(2001)] {
        book.ask(&["tell", &note]).fails(2);
        assert!(!book.has(".novel.inbox/tell-0001.json"));
    }
}
