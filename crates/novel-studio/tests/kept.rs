//! Pages that are given out again: whatever changes in a book shows at once.

use std::{fs, path::Path};

use axum::http::StatusCode;
use novel_model::Lang;

use crate::support::House;

const PAGES: [&str; 12] = [
    "/b/fare",
    "/b/fare/decisions",
    "/b/fare/chapters",
    "/b/fare/chapters/2",
    "/b/fare/chapters/2/edit",
    "/b/fare/board",
    "/b/fare/codex",
    "/b/fare/threads",
    "/b/fare/checks",
    "/b/fare/reports",
    "/b/fare/history",
    "/b/fare/search?q=the",
];

fn body(house: &House, page: &str) -> String {
    let answer = house.get(page);
    assert_eq!(answer.status, StatusCode::OK, "{page}");
    // The page with the editor has a value of its own every time.
    match answer.body.split_once("data-nonce=\"") {
        Some((before, rest)) => format!("{before}{}", rest.split_once('"').unwrap().1),
        None => answer.body,
    }
}

fn edit(root: &Path, file: &str, old: &str, new: &str) {
    let path = root.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(old), "{file}: {text}");
    fs::write(&path, text.replacen(old, new, 1)).unwrap();
}

/// The first word of a chapter's prose that has four letters and more.
fn word(root: &Path, chapter: u32) -> String {
    let text = fs::read_to_string(root.join(format!("chapters/chapter-{chapter:03}.md"))).unwrap();
    let prose = text.split_once('\n').unwrap().1.to_owned();
    let is_word =
        |word: &&str| word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    prose.split_whitespace().find(is_word).unwrap().to_owned()
}

#[test]
fn a_page_asked_for_again_is_the_same() {
    let house = House::signed_in(Lang::En, 3);
    for page in PAGES {
        assert_eq!(body(&house, page), body(&house, page), "{page}");
    }
}

#[test]
fn a_page_of_another_language_or_query_is_another_page() {
    let house = House::signed_in(Lang::En, 3);
    for page in PAGES {
        let english = body(&house, page);
        let join = if page.contains('?') { '&' } else { '?' };
        assert_ne!(
            english,
            body(&house, &format!("{page}{join}lang=zh")),
            "{page}"
        );
    }
    let first = body(&house, "/b/fare/search?q=the");
    assert_ne!(first, body(&house, "/b/fare/search?q=zzz"));
}

#[test]
fn a_hand_edit_of_the_same_length_shows_on_every_page_that_lists_what_waits() {
    let house = House::signed_in(Lang::En, 3);
    let pages = ["/b/fare", "/b/fare/decisions", "/b/fare/chapters"];
    let before = pages.map(|page| body(&house, page));
    let old = word(&house.root(), 1);
    let new = "q".repeat(old.len());
    edit(&house.root(), "chapters/chapter-001.md", &old, &new);
    for (page, before) in pages.iter().zip(before) {
        assert_ne!(body(&house, page), before, "{page}");
    }
}

#[test]
fn a_damaged_file_shows_though_its_page_was_given_out_before() {
    let house = House::signed_in(Lang::En, 3);
    let page = "/b/fare/threads";
    body(&house, page);
    let path = house.root().join("foreshadowing/global.json");
    let sound = fs::read(&path).unwrap();
    fs::write(&path, &sound[..sound.len() / 2]).unwrap();
    let answer = house.get(page);
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    fs::write(&path, &sound).unwrap();
    body(&house, page);
}

#[test]
fn a_new_file_shows_in_a_list() {
    let house = House::signed_in(Lang::En, 3);
    let before = body(&house, "/b/fare/codex");
    let cast = house.root().join("characters/active");
    let person = fs::read_to_string(cast.join("ilse.json")).unwrap();
    let other = person
        .replace("\"ilse\"", "\"ottilie\"")
        .replace("Ilse", "Ottilie");
    fs::write(cast.join("ottilie.json"), other).unwrap();
    let after = body(&house, "/b/fare/codex");
    assert!(!before.contains("Ottilie") && after.contains("Ottilie"));
}

#[test]
fn a_lock_that_comes_or_stays_behind_shows() {
    let house = House::signed_in(Lang::En, 3);
    let before = body(&house, "/b/fare");
    let lock = house.root().join(".novel.lock");
    fs::create_dir(&lock).unwrap();
    let pid = std::process::id();
    let info = format!(
        "{{\"pid\": {pid}, \"started\": \"2026-03-01T00:00:00Z\", \"host\": \"elsewhere\"}}"
    );
    fs::write(lock.join("info.json"), info).unwrap();
    // It is made anew each time: who is alive stands in no file.
    house.get("/b/fare");
    fs::remove_dir_all(&lock).unwrap();
    assert_eq!(body(&house, "/b/fare"), before);
}

#[test]
fn an_act_shows_on_the_pages_given_out_before() {
    let house = House::acting(Lang::En, 3);
    let history = body(&house, "/b/fare/history");
    let chapters = body(&house, "/b/fare/chapters");
    let newest = house.operations()[0].operation;
    let answer = house.post("/b/fare/undo", &format!("operation={newest}"));
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert_ne!(body(&house, "/b/fare/history"), history);
    assert_ne!(body(&house, "/b/fare/chapters"), chapters);
}
