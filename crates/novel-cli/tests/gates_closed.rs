//! A gate that cannot look does not open.
//!
//! The commit of a chapter that contradicts its state is worked out again and again, each time with
//! another file that the disk does not give back. Under a policy that may stop the book the commit
//! fails, or it stops the book all the same.

use std::{collections::BTreeSet, io, sync::Mutex};

use novel_book::config::Config;
use novel_model::{BookReader, ChapterNo, Failure, ReadError, RelPath, layout};
use novel_steps::{Book, commit};
use novel_testkit::{Node, Plan, TestBook, memory::MemoryBook};
use serde_json::json;

/// The chapter that is to be committed.
const CHAPTER: u32 = 2;

/// Somebody who acts in it.
fn hero(book: &TestBook) -> &'static str {
    book.plan().hero(CHAPTER).0
}

/// A book whose second chapter is judged and is to be committed. By its state somebody is dead who acts
/// in it.
fn judged(policy: &str) -> TestBook {
    let book = TestBook::planned(Plan::new(3));
    book.configure(policy);
    book.driver().write(1);
    book.driver().up_to_judged(CHAPTER);
    let hero = hero(&book);
    book.edit("state/current-state.json", |state| {
        state["characters"][hero]["status"] = json!("dead");
    });
    book
}

/// How a file cannot be read.
#[derive(Debug, Clone, Copy)]
enum Fault {
    /// The disk reports an error.
    Io,
    /// The bytes are no text.
    NotText,
    /// The text is cut.
    Cut,
}

/// A book one of whose files or directories cannot be read.
struct Faulty<'a> {
    book: &'a MemoryBook,
    at: Option<(&'a RelPath, Fault)>,
    /// What was asked for.
    seen: Mutex<BTreeSet<RelPath>>,
}

impl<'a> Faulty<'a> {
    fn new(book: &'a MemoryBook, at: Option<(&'a RelPath, Fault)>) -> Self {
        let seen = Mutex::default();
        Self { book, at, seen }
    }

    fn fault(&self, path: &RelPath) -> Option<Fault> {
        self.seen.lock().unwrap().insert(path.clone());
        let at = self.at.filter(|(faulty, _)| *faulty == path);
        at.map(|(_, fault)| fault)
    }
}

fn io_error(path: &RelPath) -> ReadError {
    ReadError::Io {
        path: path.clone(),
        source: io::Error::from_raw_os_error(5),
    }
}

impl BookReader for Faulty<'_> {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        let bytes = self.book.read(path)?;
        match (self.fault(path), bytes) {
            (Some(Fault::Io), _) => Err(io_error(path)),
            (Some(Fault::NotText), Some(_)) => Ok(Some(b"\xff\xfe{}".to_vec())),
            (Some(Fault::Cut), Some(bytes)) => Ok(Some(bytes[..bytes.len() / 2].to_vec())),
            (_, bytes) => Ok(bytes),
        }
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        match self.fault(directory) {
            Some(Fault::Io) => Err(io_error(directory)),
            _ => self.book.list(directory),
        }
    }
}

/// Works the commit out; whether it stops the book.
fn commits(config: &Config, reader: &Faulty<'_>) -> Result<bool, Failure> {
    let chapter = ChapterNo::new(CHAPTER).unwrap();
    let now = "2026-03-01T00:00:00Z".parse().unwrap();
    let plan = commit::prepare(&Book::read(config, now, reader)?, chapter)?;
    let stops = plan.report.consistency.is_some_and(|found| found.pending);
    assert_eq!(
        stops,
        plan.changes.get(&layout::revision(chapter)).is_some()
    );
    Ok(stops)
}

#[test]
fn a_commit_never_skips_its_check_whatever_file_cannot_be_read() {
    let book = judged("revision_policy = \"manual_confirm\"");
    let mut files = MemoryBook::new();
    for (path, node) in book.tree() {
        if let Node::File(bytes) = node {
            files.write(path.parse().unwrap(), bytes);
        }
    }
    let (config, _) = Config::parse(&book.text("novel.toml")).unwrap();
    let sound = Faulty::new(&files, None);
    assert!(commits(&config, &sound).unwrap(), "the book is to stop");
    let seen = sound.seen.into_inner().unwrap();
    let mut refused = 0;
    for path in &seen {
        for fault in [Fault::Io, Fault::NotText, Fault::Cut] {
            match commits(&config, &Faulty::new(&files, Some((path, fault)))) {
                Ok(stops) => assert!(stops, "{fault:?} of `{path}` opens the gate"),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > seen.len(), "{refused} of {}", seen.len());
}

#[test]
fn a_damaged_character_file_stops_the_commit_where_the_policy_may_stop_the_book() {
    for policy in ["manual_confirm", "auto_apply"] {
        let book = judged(&format!("revision_policy = \"{policy}\""));
        let path = format!("characters/active/{}.json", hero(&book));
        let sound = book.text(&path);
        book.write(&path, &sound[..sound.len() / 2]);
        let error = book.refuses(2, &["commit", "--chapter", "2"]);
        assert!(
            error["message"].as_str().unwrap().contains(&path),
            "{error:#}"
        );
        book.write(&path, sound);
        let done = book.ask(&["commit", "--chapter", "2"]).data();
        assert_eq!(done["consistency"]["pending"], true, "{policy}: {done:#}");
    }
}

#[test]
fn without_such_a_policy_the_check_is_a_report_and_its_absence_is_told() {
    let book = judged("revision_policy = \"none\"");
    book.write(&format!("characters/active/{}.json", hero(&book)), "{");
    let done = book.ask(&["commit", "--chapter", "2"]).data();
    let warnings = done["warnings"].as_array().unwrap();
    let told = |code: &str| warnings.iter().any(|warning| warning["code"] == code);
    assert!(told("consistency_skipped"), "{done:#}");
}

#[test]
fn a_damaged_contract_stops_the_commit() {
    let book = judged("revision_policy = \"none\"");
    let path = "volumes/vol-01/chapter-contracts/chapter-002.json";
    let sound = book.text(path);
    book.write(path, &sound[..sound.len() / 2]);
    let error = book.refuses(2, &["commit", "--chapter", "2"]);
    assert!(error.to_string().contains(path), "{error:#}");
}

#[test]
fn a_rewritten_text_is_not_taken_without_its_check() {
    let book = judged("revision_policy = \"manual_confirm\"");
    let text = book.text("chapters/chapter-001.md");
    book.write(
        "chapters/chapter-001.md",
        text.replacen('。', "，天黑了。", 1),
    );
    let path = format!("characters/active/{}.json", hero(&book));
    book.write(&path, "{");
    let error = book.refuses(2, &["adopt", "1"]);
    assert!(
        error["message"].as_str().unwrap().contains(&path),
        "{error:#}"
    );
}

#[test]
fn a_review_that_is_owed_is_not_forgotten_with_its_chapter() {
    let book = TestBook::demo(2);
    book.configure("logic_review_policy = \"blocking\"");
    assert_eq!(book.next(), "chapter:002:review");
    book.remove("chapters/chapter_002.json");
    for args in [&["next"][..], &["continue"]] {
        let error = book.refuses(2, args);
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("chapters/chapter_002.json"), "{error:#}");
    }
    book.ask(&["doctor", "--fix"]).data();
    assert_eq!(book.next(), "chapter:002:review");
}

#[test]
fn a_review_that_is_asked_for_again_must_name_its_chapter() {
    let book = TestBook::demo(2);
    book.configure("logic_review_policy = \"blocking\"");
    book.edit(".checkpoint.json", |checkpoint| {
        checkpoint["pending_actions"] = json!([{"action": "logic_review", "chapter": "one"}]);
    });
    let error = book.refuses(2, &["continue"]);
    assert!(error.to_string().contains("pending_actions"), "{error:#}");
}
