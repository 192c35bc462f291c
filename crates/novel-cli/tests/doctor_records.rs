//! `novel doctor` reads every file the program wrote, and repairs only what it can prove.

use novel_testkit::{TestBook, assert_same_tree};
use serde_json::Value;

fn found(book: &TestBook, path: &str) -> Vec<String> {
    let data = book.ask(&["doctor"]).data();
    let findings = data["findings"].as_array().unwrap().iter();
    findings
        .filter(|finding| finding["path"] == path)
        .map(|finding| finding["code"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_sound_book_has_no_findings() {
    let data = TestBook::demo(3).ask(&["doctor"]).data();
    assert_eq!(data["findings"], serde_json::json!([]), "{data:#}");
}

#[test]
fn the_claims_of_a_chapter_under_way_are_read_as_claims() {
    let book = TestBook::demo(1);
    let path = "staging/state/chapter-002-claims.json";
    let claim = r#"{"subject":"lu-yan","slot":"place","value":"局长室","frame":"now","evidence":"陆砚站在局长室门口"}"#;
    book.write(path, format!(r#"{{"chapter":2,"claims":[{claim}]}}"#));
    assert_eq!(found(&book, path), Vec::<String>::new());
    book.write(path, r#"{"claims":[]}"#);
    assert_eq!(found(&book, path), ["missing_key"]);
}

#[test]
fn a_bad_byte_in_a_chapter_log_is_found() {
    let book = TestBook::demo(2);
    let path = "logs/chapter-002-log.json";
    let mut bytes = std::fs::read(book.path(path)).unwrap();
    bytes[20] = 0xFF;
    book.write(path, bytes);
    assert!(!found(&book, path).is_empty());
}

#[test]
fn a_changed_letter_is_found_in_every_file_of_the_program_and_never_repaired_by_guess() {
    let sound = TestBook::demo(3);
    for path in [
        "chapters/chapter_002.json",
        "summaries/chapter-002-summary.md",
        "evaluations/chapter-002-eval.json",
        "reviews/chapter_002_consistency.json",
        "state/current-state.json",
        "state/changelog.jsonl",
        "state/chapter-002-crossref.json",
        "foreshadowing/global.json",
        "logs/chapter-002-log.json",
        "storylines/main-arc/memory.md",
        ".checkpoint.json",
    ] {
        let book = sound.copy();
        if !book.has(path) {
            continue;
        }
        let text = book.text(path);
        let at = text.rfind(|char: char| char.is_ascii_digit()).unwrap_or(0);
        let changed = match text[at..].chars().next() {
            Some('1') => format!("{}2{}", &text[..at], &text[at + 1..]),
            Some(digit) if digit.is_ascii_digit() => {
                format!("{}1{}", &text[..at], &text[at + 1..])
            }
            _ => format!("{text}。"),
        };
        book.write(path, &changed);
        assert!(!found(&book, path).is_empty(), "{path}");
        let fixed = book.ask(&["doctor", "--fix"]).data();
        let now = book.text(path);
        assert!(now == text || now == changed, "{path}: {fixed:#}");
        if now != text {
            assert!(!found(&book, path).is_empty(), "{path}");
        }
    }
}

#[test]
fn two_files_that_changed_places_are_brought_back_and_undo_takes_it_back() {
    let book = TestBook::demo(3);
    let sound = book.content();
    let paths = [
        "evaluations/chapter-001-eval.json",
        "evaluations/chapter-002-eval.json",
    ];
    let texts = paths.map(|path| book.text(path));
    book.write(paths[0], &texts[1]);
    book.write(paths[1], &texts[0]);
    let swapped = book.content();
    for path in paths {
        assert_eq!(found(&book, path), ["misplaced"]);
    }
    book.ask(&["doctor", "--fix"]).data();
    assert_same_tree(&sound, &book.content(), "fixed");
    book.ask(&["undo"]).data();
    assert_same_tree(&swapped, &book.content(), "undone");
}

#[test]
fn a_file_that_was_moved_is_brought_back() {
    let book = TestBook::demo(3);
    let text = book.text("summaries/chapter-002-summary.md");
    book.remove("summaries/chapter-002-summary.md");
    book.write("chapters/chapter-002-summary.md", &text);
    assert_eq!(
        found(&book, "summaries/chapter-002-summary.md"),
        ["misplaced"]
    );
    book.ask(&["doctor", "--fix"]).data();
    assert_eq!(book.text("summaries/chapter-002-summary.md"), text);
}

#[test]
fn a_lost_file_is_found_and_nothing_is_put_in_its_place() {
    let book = TestBook::demo(3);
    for path in [
        "evaluations/chapter-001-eval.json",
        "summaries/chapter-001-summary.md",
    ] {
        book.remove(path);
        assert_eq!(found(&book, path), ["missing"]);
    }
    let fixed: Value = book.ask(&["doctor", "--fix"]).data();
    assert_eq!(fixed["healthy"], false);
    assert!(!book.has("summaries/chapter-001-summary.md"));
}

#[test]
fn files_of_chapters_beyond_the_last_and_under_odd_names_are_found() {
    let book = TestBook::demo(2);
    let text = book.text("chapters/chapter_002.json");
    for path in [
        "chapters/chapter_009.json",
        "chapters/chapter_2.json",
        "logs/chapter-003-log.json",
    ] {
        book.write(path, &text);
        assert_eq!(found(&book, path), ["stray"], "{path}");
    }
}

#[test]
fn a_chapter_that_is_lost_comes_back_from_its_rendering_if_the_log_proves_it() {
    let book = TestBook::demo(3);
    let (json, markdown) = ("chapters/chapter_002.json", "chapters/chapter-002.md");
    let text = book.text(json);
    book.remove(json);
    book.ask(&["doctor", "--fix"]).data();
    assert_eq!(book.text(json), text);
    // With the rendering changed too, nothing is proven.
    book.remove(json);
    let rendering = book.text(markdown);
    book.write(markdown, rendering.replacen('。', "，", 1));
    let fixed = book.ask(&["doctor", "--fix"]).data();
    assert!(!book.has(json), "{fixed:#}");
}
