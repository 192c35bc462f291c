use novel_model::Explain;
use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Name, text, value, repairs.
type Case = (&'static str, &'static str, Value, &'static [Repair]);

fn cases() -> Vec<Case> {
    use Repair::*;
    vec![
        ("valid", r#" {"a": 1} "#, json!({"a": 1}), &[]),
        ("valid list", "[1, 2]", json!([1, 2]), &[]),
        (
            "fence",
            "```json\n{\"a\": \"夜\"}\n```",
            json!({"a": "夜"}),
            &[StrippedFence],
        ),
        (
            "fence and chatter",
            "好的，结果如下 [见注]：\n```json\n{\"a\": 1}\n```\n希望有帮助！",
            json!({"a": 1}),
            &[StrippedFence, StrippedProse],
        ),
        (
            "chatter alone",
            "Sure! {\"a\": [1]} Hope this helps {name} [1].",
            json!({"a": [1]}),
            &[StrippedProse],
        ),
        (
            "thinking",
            "<think>先看 {\"a\": 0} 吧</think>\n{\"a\": 1}",
            json!({"a": 1}),
            &[StrippedThinking],
        ),
        (
            "thinking without its beginning",
            "嗯 {x} [1]…\n</think>{\"a\": 1}",
            json!({"a": 1}),
            &[StrippedThinking],
        ),
        (
            "trailing commas",
            r#"{"a": [1, 2,], "b": {"c": "d",},}"#,
            json!({"a": [1, 2], "b": {"c": "d"}}),
            &[TrailingComma],
        ),
        (
            "raw newline and tab",
            "{\"a\": \"一\n\n二\t三\", \"b\": 1}",
            json!({"a": "一\n\n二\t三", "b": 1}),
            &[RawControl],
        ),
        (
            "comments",
            "{\n// 注\n\"a\": 1, /* x */ \"b\": 2 # y\n}",
            json!({"a": 1, "b": 2}),
            &[Comment],
        ),
        (
            "python words",
            r#"{"a": True, "b": [False, None]}"#,
            json!({"a": true, "b": [false, null]}),
            &[PythonLiteral],
        ),
        (
            "python strings",
            "{'a': 'it\\'s', 'b': 'don't go'}",
            json!({"a": "it's", "b": "don't go"}),
            &[SingleQuotes, InnerQuotes],
        ),
        (
            "missing comma",
            "{\"a\": \"x\"\n \"b\": 2 \"c\": [{\"d\": 1} {\"d\": 2}]}",
            json!({"a": "x", "b": 2, "c": [{"d": 1}, {"d": 2}]}),
            &[MissingComma],
        ),
        (
            "missing bracket",
            r#"{"a": {"b": [1, 2]}"#,
            json!({"a": {"b": [1, 2]}}),
            &[ClosedTail],
        ),
        (
            "missing bracket in a fence",
            "```json\n{\"a\": [\"b\"\n```",
            json!({"a": ["b"]}),
            &[StrippedFence, ClosedTail],
        ),
        (
            "cut string",
            r#"{"a": "夜雨", "b": ["初歇", "灯火未"#,
            json!({"a": "夜雨", "b": ["初歇"]}),
            &[ClosedTail, CutList],
        ),
        (
            "cut in an escape",
            r#"{"a": "夜\u96"#,
            json!({}),
            &[ClosedTail],
        ),
        (
            "cut after a comma",
            r#"{"a": "夜","#,
            json!({"a": "夜"}),
            &[ClosedTail],
        ),
        (
            "quotes in a Chinese sentence",
            r#"{"text": "他说"走吧"，然后转身", "n": 1}"#,
            json!({"text": "他说\"走吧\"，然后转身", "n": 1}),
            &[InnerQuotes],
        ),
        (
            "quotes at both ends of a sentence",
            r#"{"text": ""走吧"，他说，"天亮了""}"#,
            json!({"text": "\"走吧\"，他说，\"天亮了\""}),
            &[InnerQuotes],
        ),
        (
            "quotes with ASCII commas",
            r#"{"items": ["他说"走吧", 然后转身", "乙"]}"#,
            json!({"items": ["他说\"走吧\", 然后转身", "乙"]}),
            &[InnerQuotes],
        ),
        (
            "full-width punctuation between keys",
            r#"{"名字"："林舟"，"年龄"：19，"友": ["甲"，"乙"]}"#,
            json!({"名字": "林舟", "年龄": 19, "友": ["甲", "乙"]}),
            &[FullWidthPunctuation],
        ),
        (
            "full-width punctuation inside strings stays",
            "{\"a\": \"林舟：走，\n快\"}",
            json!({"a": "林舟：走，\n快"}),
            &[RawControl],
        ),
        (
            "escapes in a text that needs repair",
            r#"{"a": "\"\u591c\uD83D\uDE00\\ \n\/",}"#,
            json!({"a": "\"夜😀\\ \n/"}),
            &[TrailingComma],
        ),
        (
            "a key with an escaped quote in it",
            "{\"a\": \"x\ny\", \"b\\\"c\": 1}",
            json!({"a": "x\ny", "b\"c": 1}),
            &[RawControl],
        ),
        (
            "the same value twice",
            "{\"a\": 1}\n\n{\"a\": 1}",
            json!({"a": 1}),
            &[StrippedProse],
        ),
    ]
}

#[test]
fn each_mistake_of_the_list_is_repaired_and_reported() {
    for (name, text, value, repairs) in cases() {
        match extract_json(text) {
            Ok(found) => assert_eq!(found, (value, repairs.to_vec()), "{name}"),
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn what_would_drop_or_invent_a_member_is_an_error() {
    for (name, text) in [
        ("nothing", ""),
        ("prose", "抱歉，我不能这样做。"),
        ("chatter with brackets", "见 [注] 与 {name}。"),
        ("cut quotation", r#"{"a": "他说"走吧"#),
        ("cut behind a quotation", r#"{"a": "他说"走吧"，"b""#),
        ("key without colon", r#"{"a": 1, "b"}"#),
        ("bare word", r#"{"a": yes}"#),
        ("bare key", r#"{"x": 1, a: 1}"#),
        ("same key twice", r#"{"a": 1, "a": 2,}"#),
        ("odd inner quote", r#"{"a": "他说"走", "b": 1}"#),
        (
            "quotation that looks like a member",
            r#"{"t": "他写下"甲"，"乙"："丙"三个字"}"#,
        ),
        (
            "quotation that begins like a member",
            r#"{"t": "甲"，"乙"："丙"是三个字"}"#,
        ),
        ("wrong bracket", r#"{"a": ["x", "y"}"#),
        (
            "text behind an open object",
            "{\"a\": 1\n\nHope this helps!",
        ),
        ("two answers", r#"{"a": 1} {"a": 2}"#),
        ("outer broken, inner whole", r#"{"a": {"b": 1}, "c": oops}"#),
        ("unclosed comment", r#"{"a": 1 /* "#),
        ("thinking only", "<think>{\"a\": 1"),
        ("unknown escape", r#"{"a": "\x",}"#),
        ("lone surrogate", r#"{"a": "\uD83D!",}"#),
    ] {
        assert!(
            extract_json(text).is_err(),
            "{name}: {:?}",
            extract_json(text)
        );
    }
}

#[test]
fn what_was_being_written_at_the_end_is_left_out() {
    for (name, text) in [
        ("cut key", r#"{"a": 1, "b"#),
        ("key without colon", r#"{"a": 1, "b""#),
        ("key without value", r#"{"a": 1, "b":"#),
        ("cut number", r#"{"a": 1, "b": 12"#),
        ("cut word", r#"{"a": 1, "b": tru"#),
        ("cut item", r#"{"a": 1, "b": {"c": "夜"#),
        ("cut behind a text", r#"{"a": 1, "b": {"c": "夜", "di"#),
    ] {
        let whole = match name {
            "cut item" => json!({"a": 1, "b": {}}),
            "cut behind a text" => json!({"a": 1, "b": {"c": "夜"}}),
            _ => json!({"a": 1}),
        };
        let found = extract_json(text);
        assert_eq!(found, Ok((whole, vec![Repair::ClosedTail])), "{name}");
    }
}

#[test]
fn errors_name_the_place() {
    let error = extract_json("答案：\n{\"a\": 1,\n  \"b\": 甲}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 3, column 8: this is not a value, found `甲}`"
    );
    let message = error.message();
    assert!(message.zh.contains("第 3 行第 8 列") && message.zh.contains("这不是合法的值"));
    assert_eq!(
        extract_json(r#"{"a": 1} {"a": 2}"#),
        Err(JsonishError::Several { count: 2 })
    );
    assert_eq!(extract_json("无"), Err(JsonishError::NoJson));
}

#[test]
fn deep_nesting_is_an_error_not_a_crash() {
    for text in ["[".repeat(100_000), "{\"a\":".repeat(100_000)] {
        assert!(extract_json(&text).is_err());
    }
}

#[test]
fn a_long_broken_text_is_read_in_a_moment() {
    let text = format!("{{\"a\": \"{}\",}}", "他说\"走吧\"，\n".repeat(40_000));
    let started = std::time::Instant::now();
    let (value, _) = extract_json(&text).unwrap();
    assert_eq!(value["a"].as_str().unwrap().matches('"').count(), 80_000);
    assert!(started.elapsed() < std::time::Duration::from_secs(5));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        "[\"，：\n\\\\夜{}\\[\\]a,:]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map("\\PC{0,6}", inner, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn valid_json_comes_back_unchanged(value in any_json(), pretty in any::<bool>()) {
        let text = if pretty { format!("{value:#}") } else { value.to_string() };
        prop_assert_eq!(extract_json(&text), Ok((value, vec![])));
    }

    #[test]
    fn nothing_panics(text in "\\PC{0,80}") {
        let _ = extract_json(&text);
    }

    #[test]
    fn nothing_panics_on_what_looks_like_json(
        text in "([{}\\[\\]\"':,，：\\\\/*#\n]|\"a\":|\\\\u[0-9a-f]{0,4}|夜|True|null|-1|```|</think>){0,40}"
    ) {
        let _ = extract_json(&text);
    }

    /// A text cut anywhere gives an error or a part of the whole: never another key.
    #[test]
    fn a_cut_text_never_gains_a_key(value in any_json(), cut in 0_usize..400) {
        let text = value.to_string();
        let mut cut = cut.min(text.len());
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        if let Ok((part, _)) = extract_json(&text[..cut])
            && (value.is_object() || value.is_array())
        {
            prop_assert!(is_part(&part, &value), "{} of {}", part, value);
        }
    }
}

fn is_part(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => part
            .iter()
            .all(|(key, value)| whole.get(key).is_some_and(|whole| is_part(value, whole))),
        (Value::Array(part), Value::Array(whole)) => {
            part.len() <= whole.len() && part.iter().zip(whole).all(|(p, w)| is_part(p, w))
        }
        (Value::String(part), Value::String(whole)) => whole.starts_with(part.as_str()),
        (part, whole) => part == whole,
    }
}
