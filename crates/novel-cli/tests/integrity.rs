//! A file that stands in another one's place is found, though its text is sound.

use novel_testkit::TestBook;
use serde_json::Value;

fn codes(findings: &Value) -> Vec<String> {
    let problems = findings["findings"].as_array().unwrap().iter();
    problems
        .filter_map(|finding| finding["code"].as_str())
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_chapter_copied_over_another_one_is_found_every_time() {
    let book = TestBook::demo(3);
    for [from, to] in [
        ["chapters/chapter_001.json", "chapters/chapter_002.json"],
        ["chapters/chapter-001.md", "chapters/chapter-002.md"],
    ] {
        let text = book.text(from);
        book.write(to, text);
    }
    for args in [&["doctor"][..], &["doctor", "--fix"], &["doctor"]] {
        let found = book.ask(args).data();
        assert_eq!(found["healthy"], false, "{args:?}: {found:#}");
        let codes = codes(&found);
        assert!(
            codes.iter().any(|code| code == "wrong_chapter"),
            "{args:?}: {codes:?}"
        );
    }
}

#[test]
fn a_character_file_under_another_name_is_found_and_stops_the_book() {
    let book = TestBook::demo(1);
    let names: Vec<String> = std::fs::read_dir(book.path("characters/active"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".json"))
        .collect();
    let [first, second] = [&names[0], &names[1]];
    let text = book.text(&format!("characters/active/{first}"));
    book.write(&format!("characters/active/{second}"), text);
    let found = book.ask(&["doctor"]).data();
    assert_eq!(found["healthy"], false, "{found:#}");
    book.ask(&["continue"]).fails(2);
}
