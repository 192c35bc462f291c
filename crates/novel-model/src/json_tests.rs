use proptest::prelude::*;

use super::*;

fn path() -> RelPath {
    "x.json".parse().unwrap()
}

fn problem(text: &str) -> Problem {
    let mut problems = Vec::new();
    assert_eq!(read(&path(), text, &mut problems), None, "{text}");
    assert_eq!(problems.len(), 1, "{text}");
    problems.remove(0)
}

#[test]
fn syntax_errors_are_explained_at_their_place() {
    for (text, location, words) in [
        ("", "x.json:1:1", "empty"),
        ("{\"a\": 1", "x.json:1:7", "ends too early"),
        ("{\"a\": \"b", "x.json:1:8", "ends too early"),
        (
            "{\n  \"a\": 1,\n}",
            "x.json:3:1",
            "comma before the closing",
        ),
        (
            "{\"名字\": \"林枫\" \"a\": 1}",
            "x.json:1:13",
            "missing before `\\\"`",
        ),
        ("{\"a\": 1} x", "x.json:1:10", "after the end"),
        ("{a: 1}", "x.json:1:2", "double quotation marks"),
        ("{\"a\" 1}", "x.json:1:6", "colon"),
        ("{\"a\": \"b\nc\"}", "x.json:2:1", "control character"),
        ("{\"a\": 01}", "x.json:1:8", "number"),
        ("{\"a\": \"\\q\"}", "x.json:1:9", "backslash"),
        ("// note\n{}", "x.json:1:1", "unexpected character `/`"),
        ("{\"a\"：1}", "x.json:1:5", "full-width `：`"),
    ] {
        let problem = problem(text);
        assert_eq!(problem.code, "json_syntax");
        assert_eq!(problem.location(), location, "{text}: {}", problem.message);
        assert!(
            problem.message.en.contains(words),
            "{text}: {}",
            problem.message
        );
        assert!(problem.hint.is_some());
    }
}

#[test]
fn a_depth_bomb_is_refused() {
    let problem = problem(&"[".repeat(1_000_000));
    assert!(
        problem.message.en.contains("nested too deeply"),
        "{}",
        problem.message
    );
}

#[test]
fn every_duplicate_key_is_found() {
    let mut problems = Vec::new();
    let text = r#"{"a": [{"b/c": 1, "b/c": 2}], "a": 3, "d": {"e": 1}}"#;
    let value = read(&path(), text, &mut problems).unwrap();
    let places: Vec<String> = problems.iter().map(Problem::location).collect();
    assert_eq!(places, ["x.json#/a/0/b~1c", "x.json#/a"]);
    assert_eq!(problems[0].code, "duplicate_key");
    assert!(
        problems[0].message.en.contains("`b/c`"),
        "{}",
        problems[0].message
    );
    assert_eq!(value, serde_json::json!({"a": [{"b/c": 1}], "d": {"e": 1}}));
}

#[test]
fn a_number_that_would_lose_digits_is_refused() {
    let mut problems = Vec::new();
    let text = r#"{"a": [18446744073709551615, -9223372036854775808, 1.5, 123456789012345678901234567890]}"#;
    read(&path(), text, &mut problems).unwrap();
    let places: Vec<String> = problems.iter().map(Problem::location).collect();
    assert_eq!(places, ["x.json#/a/3"]);
    assert_eq!(problems[0].code, "number_too_large");
}

#[test]
fn a_hint_fits_the_character() {
    for (text, words) in [
        ("# note", "no comments"),
        ("```json\n{}\n```", "fence"),
        ("['a']", "double quotation marks"),
        ("[nonsense]", "a value is"),
    ] {
        let hint = problem(text).hint.unwrap();
        assert!(hint.en.contains(words), "{text}: {hint}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[\\[\\]{}\":,\\\\a-c0-9eu\u{4e00}：“\n -]{0,40}") {
        let mut problems = Vec::new();
        let value = read(&path(), &text, &mut problems);
        prop_assert_eq!(value.is_some(), serde_json::from_str::<Value>(&text).is_ok());
        prop_assert!(value.is_some() || problems.len() == 1);
    }
}
