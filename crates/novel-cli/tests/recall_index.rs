//! The index of recall in the cache of a project: it makes commands quicker and is never believed.

use std::fs;

use novel_testkit::TestBook;
use serde_json::Value;

const FIRST: &str = ".novel.cache/recall-001.bin";
const STAMPS: &str = ".novel.cache/recall-stamps.bin";

fn book() -> TestBook {
    TestBook::once("recall-index", || {
        let book = TestBook::empty();
        book.ask(&["init", "--genre", "玄幻", "--yes"]).data();
        book.ask(&["run", "--to", "9", "--yes"]).data();
        book
    })
}

fn passages(book: &TestBook) -> Value {
    let packet = book.ask(&["instructions", "chapter:010:draft"]).data();
    let passages = packet["packet"]["manifest"]["inline"]["recalled_passages"].clone();
    assert!(
        passages.as_array().is_some_and(|it| it.len() > 2),
        "{packet}"
    );
    passages
}

fn codes(data: &Value) -> Vec<&str> {
    let findings = data["findings"].as_array().unwrap();
    let codes = findings.iter().filter_map(|it| it["code"].as_str());
    codes.collect()
}

#[test]
fn a_commit_writes_the_index_and_what_is_done_to_it_changes_no_packet() {
    let book = book();
    assert!(book.has(FIRST) && book.has(STAMPS));
    assert_eq!(book.text(".novel.cache/.gitignore"), "*\n");
    let with = passages(&book);
    let sound = fs::read(book.path(FIRST)).unwrap();
    let mut flipped = sound.clone();
    flipped[sound.len() / 2] ^= 1;
    let before = book.tree();
    for (file, bytes) in [
        (FIRST, flipped.clone()),
        (FIRST, sound[..sound.len() / 3].to_vec()),
        (FIRST, Vec::new()),
        (STAMPS, vec![7; 64]),
    ] {
        book.write(file, bytes);
        assert_eq!(passages(&book), with, "{file}");
    }
    fs::remove_dir_all(book.path(".novel.cache")).unwrap();
    assert_eq!(passages(&book), with);
    assert!(
        !book.has(".novel.cache"),
        "a command that reads has written"
    );
    assert_eq!(
        book.ask(&["doctor"]).data()["findings"],
        serde_json::json!([])
    );
    book.ask(&["doctor", "--fix"]).data();
    assert_eq!(fs::read(book.path(FIRST)).unwrap(), sound);
    assert_eq!(book.tree()[FIRST], before[FIRST]);
}

#[test]
fn doctor_names_a_wrong_index_and_makes_it_anew() {
    let book = book();
    let sound = fs::read(book.path(FIRST)).unwrap();
    let other = book.copy();
    other.ask(&["rollback", "8"]).data();
    let foreign = fs::read(other.path(FIRST)).unwrap();
    assert_ne!(foreign, sound);
    for (file, bytes, code) in [
        (FIRST, b"{}".to_vec(), "damaged_index"),
        (FIRST, foreign.clone(), "stale_index"),
        (STAMPS, b"NSTAMPS1".to_vec(), "damaged_index"),
        (".novel.cache/recall-065.bin", sound.clone(), "stale_index"),
    ] {
        book.write(file, bytes);
        assert_eq!(codes(&book.ask(&["doctor"]).data()), [code], "{file}");
        book.ask(&["doctor", "--fix"]).data();
        assert_eq!(
            codes(&book.ask(&["doctor"]).data()),
            Vec::<&str>::new(),
            "{file}"
        );
        assert_eq!(fs::read(book.path(FIRST)).unwrap(), sound);
    }
}

#[test]
fn an_edit_of_a_chapter_counts_at_once() {
    let book = book();
    let before = passages(&book);
    let chapter = before[0]["chapter"].as_u64().unwrap();
    let text = before[0]["text"].as_str().unwrap().to_owned();
    let mark = text.chars().take(12).collect::<String>();
    book.edit(&format!("chapters/chapter_{chapter:03}.json"), |value| {
        for scene in value["scenes"].as_array_mut().unwrap() {
            let content = scene["content"].as_str().unwrap();
            scene["content"] = content.replace(&mark, "").into();
        }
    });
    let after = passages(&book);
    let told = after.as_array().unwrap().iter();
    assert!(
        !told.clone().any(|it| it["text"] == text.as_str()),
        "{after}"
    );
    fs::remove_dir_all(book.path(".novel.cache")).unwrap();
    assert_eq!(passages(&book), after);
}

#[test]
fn undo_and_redo_leave_the_index_of_the_book_that_is_there() {
    let book = book();
    let nine = book.content();
    book.ask(&["run", "--to", "10", "--yes"]).data();
    let ten = book.content();
    assert_ne!(nine[FIRST], ten[FIRST]);
    book.ask(&["undo"]).data();
    assert_eq!(book.content()[FIRST], nine[FIRST]);
    book.ask(&["redo"]).data();
    assert_eq!(book.content()[FIRST], ten[FIRST]);
    book.ask(&["rollback", "5"]).data();
    let five = book.content()[FIRST].clone();
    fs::remove_dir_all(book.path(".novel.cache")).unwrap();
    book.ask(&["doctor", "--fix"]).data();
    assert_eq!(book.content()[FIRST], five);
}
