//! The index of recall in the cache of a project: it makes commands quicker and is never believed.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use novel_testkit::TestBook;
use serde_json::Value;

fn book() -> TestBook {
    TestBook::once("recall-index", || {
        let book = TestBook::empty();
        book.ask(&["init", "--genre", "玄幻", "--yes"]).data();
        book.ask(&["run", "--to", "9", "--yes"]).data();
        book
    })
}

/// The caches in the user's cache directory.
fn caches(book: &TestBook) -> Vec<PathBuf> {
    let home = book.root().parent().unwrap().join(".cache/novel");
    let Ok(found) = fs::read_dir(home) else {
        return Vec::new();
    };
    found.map(|entry| entry.unwrap().path()).collect()
}

/// The cache of a book whose packet was asked for.
fn cache(book: &TestBook) -> PathBuf {
    let mut found = caches(book);
    found.retain(|cache| cache.join("recall-001.bin").exists());
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn forget(book: &TestBook) {
    for cache in caches(book) {
        fs::remove_dir_all(cache).unwrap();
    }
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

fn block(cache: &Path) -> Vec<u8> {
    fs::read(cache.join("recall-001.bin")).unwrap()
}

#[test]
fn what_is_done_to_the_index_changes_no_packet_and_no_file_of_the_book() {
    let book = book();
    let before = book.tree();
    let with = passages(&book);
    let cache = cache(&book);
    let sound = block(&cache);
    let mut flipped = sound.clone();
    flipped[sound.len() / 2] ^= 1;
    for (file, bytes) in [
        ("recall-001.bin", flipped),
        ("recall-001.bin", sound[..sound.len() / 3].to_vec()),
        ("recall-001.bin", Vec::new()),
        ("recall-stamps.bin", vec![7; 64]),
        ("plans.json", b"novel plans 1 0\n{}".to_vec()),
    ] {
        fs::write(cache.join(file), bytes).unwrap();
        assert_eq!(passages(&book), with, "{file}");
        assert_eq!(block(&cache), sound, "{file}: made anew");
    }
    forget(&book);
    assert_eq!(passages(&book), with);
    assert_eq!(book.tree(), before);
    let findings = book.ask(&["doctor"]).data()["findings"].clone();
    assert_eq!(findings, serde_json::json!([]));
}

#[test]
fn the_index_of_another_book_is_not_believed() {
    let book = book();
    let with = passages(&book);
    let other = book.copy();
    other.ask(&["rollback", "7"]).data();
    other.ask(&["instructions", "chapter:008:draft"]).data();
    let foreign = block(&cache(&other));
    assert_ne!(foreign, block(&cache(&book)));
    fs::write(cache(&book).join("recall-001.bin"), foreign).unwrap();
    assert_eq!(passages(&book), with);
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
    let mut told = after.as_array().unwrap().iter();
    assert!(!told.any(|it| it["text"] == text.as_str()), "{after}");
    forget(&book);
    assert_eq!(passages(&book), after);
}

#[test]
fn a_chapter_keeps_the_index_of_the_book_that_is_there() {
    let book = book();
    book.ask(&["run", "--to", "10", "--yes"]).data();
    let ten = block(&cache(&book));
    book.ask(&["undo"]).data();
    let nine = block(&cache(&book));
    assert_ne!(nine, ten);
    book.ask(&["redo"]).data();
    assert_eq!(block(&cache(&book)), ten);
}

#[test]
fn an_edit_of_an_outline_counts_at_once() {
    let book = book();
    // Until the states of the copied files can be noted.
    thread::sleep(Duration::from_millis(3_200));
    let told = || {
        let packet = book.ask(&["instructions", "chapter:010:draft"]).data();
        let inline = &packet["packet"]["manifest"]["inline"];
        ["previous_endings", "recalled_passages"].map(|field| inline[field].clone())
    };
    let before = told();
    let kept = fs::read_to_string(cache(&book).join("plans.json")).unwrap();
    assert!(kept.contains("volumes/vol-01/outline.md"), "{kept}");
    let path = book.root().join("volumes/vol-01/outline.md");
    let text = fs::read_to_string(&path).unwrap();
    let (earlier, rest) = text.split_once("### 第 10 章").unwrap();
    let earlier = earlier.replace("- **Storyline**: ", "- **Storyline**: far-");
    fs::write(&path, format!("{earlier}### 第 10 章{rest}")).unwrap();
    let after = told();
    assert_ne!(after, before);
    forget(&book);
    assert_eq!(told(), after);
    fs::write(&path, text).unwrap();
    assert_eq!(told(), before);
}
