//! Walls, from the specification alone (page 10): "At every entrance a published or locked chapter is
//! changed by nothing, cascade, rollback and hand edit included, without `--published`; the wall
//! protects title and text (derived files may be rebuilt), and `undo` asks it too."
//!
//! Each command is given to the same book with a wall; whatever it answers, title and text of the
//! chapters behind the wall are the same afterwards.

use std::collections::BTreeMap;

use novel_testkit::TestBook;
use serde_json::{Value, json};

const CHAPTERS: u32 = 4;

/// Title and text of every chapter, as the book has them.
fn texts(book: &TestBook) -> BTreeMap<u32, Value> {
    let chapters = (1..=CHAPTERS).filter(|n| book.has(&chapter_file(*n)));
    chapters
        .map(|n| {
            let chapter = book.json(&chapter_file(n));
            let told = json!({"title": chapter["title"] , "name": chapter["chapter_title"],
                "scenes": chapter["scenes"]});
            (n, told)
        })
        .collect()
}

fn chapter_file(chapter: u32) -> String {
    format!("chapters/chapter_{chapter:03}.json")
}

/// Four chapters; chapter 2 was written anew and that was taken back, chapter 3 has a hand edit.
fn with_history() -> TestBook {
    TestBook::once("walls-everywhere", || {
        let book = TestBook::demo(CHAPTERS);
        book.ask(&["rewrite", "2", "--note", "雨夜"]).data();
        book.ask(&["undo"]).data();
        book
    })
}

fn walled(wall: &[&str]) -> TestBook {
    let book = with_history();
    book.ask(wall).data();
    let text = book.text("chapters/chapter-003.md");
    book.write(
        "chapters/chapter-003.md",
        text + "\n他把账页合上，没有再说什么。\n",
    );
    book
}

/// Everything an author can type that could change a chapter that exists.
fn entrances(book: &TestBook) -> Vec<Vec<String>> {
    let fixed: &[&[&str]] = &[
        &["rewrite", "1"],
        &["rewrite", "4"],
        &["regen", "4"],
        &["regen", "4", "--note", "短些"],
        &["regen", "1", "--cascade"],
        &["regen", "3", "--cascade"],
        &["rollback", "0"],
        &["rollback", "1"],
        &["rollback", "3"],
        &["adopt", "3"],
        &["adopt"],
        &["edit", "3"],
        &["edit", "1"],
        &["revision", "candidate", "2"],
        &["revision", "apply", "2"],
        &["undo"],
        &["redo"],
        &["quickstart", "redo", "trial"],
        &["quickstart", "redo", "world"],
        &["quickstart"],
        &["chapter", "generate"],
        &["chapter", "generate", "3"],
        &["scene", "plan", "3"],
        &["commit", "--chapter", "3"],
        &["doctor", "--fix"],
        &["state", "rebuild", "--from", "1"],
        &["memory", "rebuild", "2"],
        &["plan", "from-text", "--from", "1", "--to", "3"],
        &["plan", "revise", "--from", "1"],
        &["plan", "revise", "--from", "5", "--note", "快些"],
        &["review", "run", "3"],
        &["gate", "rewrite", "3"],
        &["gate", "accept", "3"],
        &["continue"],
        &["continue", "--drafts", "2"],
    ];
    let mut all: Vec<Vec<String>> = fixed
        .iter()
        .map(|words| words.iter().map(|&word| word.to_owned()).collect())
        .collect();
    for operation in book.ask(&["log", "100"]).data()["operations"]
        .as_array()
        .unwrap()
    {
        let number = operation["operation"].to_string();
        all.push(vec!["undo".to_owned(), number]);
    }
    all
}

#[test]
fn whatever_is_typed_a_chapter_behind_a_wall_keeps_title_and_text() {
    for wall in [
        &["publish", "--to", "4"][..],
        &["chapter", "lock", "1..4"][..],
    ] {
        let first = walled(wall);
        let before = texts(&first);
        for entrance in entrances(&first) {
            let entrance: Vec<&str> = entrance.iter().map(String::as_str).collect();
            // To take the wall itself back is the author's own word; what is behind it stays.
            let book = first.copy();
            let mut command = book.command(&[&["--json"][..], &entrance].concat());
            command.env("EDITOR", "sed -i s/。/！/");
            let output = novel_testkit::Output::of(command);
            assert_eq!(
                texts(&book),
                before,
                "{wall:?}, {entrance:?}: {}",
                output.both()
            );
        }
    }
}

#[test]
fn the_wall_is_built_of_chapters_not_of_the_whole_book() {
    let book = with_history();
    book.ask(&["publish", "--to", "2"]).data();
    let before = texts(&book);
    book.ask(&["rewrite", "3", "--note", "雨夜"]).data();
    assert_ne!(before[&3], texts(&book)[&3], "chapter 3 is not published");
    book.ask(&["regen", "4"]).data();
    book.ask(&["rollback", "2"]).data();
    book.write_to(CHAPTERS);
    let after = texts(&book);
    assert_eq!(
        (&before[&1], &before[&2]),
        (&after[&1], &after[&2]),
        "published chapters stay"
    );
}

#[test]
fn what_was_taken_back_before_the_wall_does_not_come_back_through_it() {
    let book = with_history();
    let before = texts(&book);
    let open = book.copy();
    open.ask(&["redo"]).data();
    assert_ne!(texts(&open), before, "without a wall it comes back");
    for wall in [&["publish", "--to", "4"][..], &["chapter", "lock", "2"][..]] {
        let book = book.copy();
        book.ask(wall).data();
        let refused = book.ask(&["redo"]);
        assert_eq!(texts(&book), before, "{}", refused.both());
    }
}

#[test]
fn the_title_is_behind_the_wall_too() {
    for wall in [&["publish", "--to", "4"][..], &["chapter", "lock", "2"][..]] {
        let book = with_history();
        book.ask(wall).data();
        let markdown = book.text("chapters/chapter-002.md");
        let (head, rest) = markdown.split_once('\n').unwrap();
        book.write(
            "chapters/chapter-002.md",
            format!("{head}又一个名字\n{rest}"),
        );
        let before = texts(&book);
        book.ask(&["adopt", "2"]).fails(3);
        assert_eq!(texts(&book), before);
        book.ask(&["adopt", "2", "--published"]).data();
        assert_ne!(texts(&book), before, "with the author's word it goes");
    }
}

#[test]
fn trial_chapters_that_were_published_are_not_written_again() {
    let book = TestBook::initialised();
    book.ask(&["quickstart"]).data();
    book.ask(&["publish", "--to", "3"]).data();
    let before = texts(&book);
    for part in ["world", "cast", "style", "trial"] {
        let book = book.copy();
        let output = book.ask(&["quickstart", "redo", part]);
        assert_eq!(texts(&book), before, "{part}: {}", output.both());
    }
}

#[test]
fn with_the_authors_word_every_entrance_opens() {
    for entrance in [
        &["rewrite", "1", "--published"][..],
        &["regen", "4", "--published"],
        &["rollback", "3", "--published"],
        &["adopt", "3", "--published"],
        &["edit", "1", "--published"],
    ] {
        for wall in [
            &["publish", "--to", "4"][..],
            &["chapter", "lock", "1..4"][..],
        ] {
            let book = walled(wall);
            let before = texts(&book);
            let mut command = book.command(&[&["--json"][..], entrance].concat());
            command.env("EDITOR", "sed -i s/。/！/");
            novel_testkit::Output::of(command).data();
            let after = texts(&book);
            let same_text = entrance[0] == "rewrite" || entrance[0] == "regen";
            assert!(same_text || before != after, "{entrance:?}");
        }
    }
}
