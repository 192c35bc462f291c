use proptest::prelude::*;
use serde_json::json;

use super::*;

fn looped(text: &str) -> Salvaged {
    let salvaged = salvage(text).unwrap();
    assert!(salvaged.went_round, "{text}");
    salvaged
}

fn op(path: &str, value: &str, evidence: &str) -> String {
    json!({"op": "set", "path": path, "value": value, "evidence": evidence}).to_string()
}

#[test]
fn what_was_open_at_the_end_is_left_out() {
    for (text, whole) in [
        (r#"{"a": "夜雨", "b": "灯火未"#, json!({"a": "夜雨"})),
        (r#"{"a": "夜雨""#, json!({"a": "夜雨"})),
        (r#"{"a": "夜雨", "b"#, json!({"a": "夜雨"})),
        (r#"{"a": "夜雨", "b":"#, json!({"a": "夜雨"})),
        (r#"{"a": "夜雨", "b": 12"#, json!({"a": "夜雨"})),
        (
            r#"{"a": {"list": [{"x": 1}, {"x": 2, "y": "半"#,
            json!({"a": {"list": [{"x": 1}]}}),
        ),
        // The outermost item goes, with what is whole in it.
        (
            r#"{"a": [{"x": [{"y": 1}]}, {"x": [{"y": 2}, {"y""#,
            json!({"a": [{"x": [{"y": 1}]}]}),
        ),
        (r#"{"a": ["甲", "乙", "丙"#, json!({"a": ["甲", "乙"]})),
        (
            r#"好的：{"a": "引“号”和\"引号", "b": [tr"#,
            json!({"a": "引“号”和\"引号", "b": []}),
        ),
    ] {
        let salvaged = salvage(text).unwrap();
        assert_eq!(salvaged.value, whole, "{text}");
        assert!(!salvaged.went_round, "{text}");
    }
    for whole in [r#"{"a": 1}"#, "没有 JSON", r#"{"a": 1} 后话"#] {
        assert_eq!(salvage(whole), None, "{whole}");
    }
}

#[test]
fn a_list_that_goes_round_keeps_each_item_once() {
    let ops = [
        op("characters.a.location", "码头", "他走到码头。"),
        op("characters.b.location", "茶楼", "她上了茶楼。"),
        op("characters.a.location", "码头 ", "他走到码头。"),
    ];
    let round: Vec<&str> = ops.iter().map(String::as_str).collect();
    let text = format!(
        r#"{{"summary": "一章", "delta": {{"ops": [{}, {}, {}"#,
        round.join(","),
        round.join(", "),
        round.join(",\n")
    );
    let value = looped(&text).value;
    assert_eq!(value["summary"], "一章");
    assert_eq!(value["delta"]["ops"].as_array().unwrap().len(), 3);
}

#[test]
fn a_loop_that_counts_is_a_loop() {
    let ops: Vec<String> = (1..40)
        .map(|at| {
            op(
                &format!("items.letter-{at}.place"),
                "柜台",
                "柜台上压着一封信。",
            )
        })
        .collect();
    let text = format!(r#"{{"delta": {{"ops": [{}"#, ops.join(","));
    let value = looped(&text).value;
    assert_eq!(value["delta"]["ops"].as_array().unwrap().len(), 1);
}

#[test]
fn an_endless_text_in_an_answer_is_a_loop() {
    let text = format!(
        r#"{{"summary": "好", "memory": "{}"#,
        "- 陆砚在码头等着，雨没有停。\\n".repeat(60)
    );
    assert_eq!(looped(&text).value, json!({"summary": "好"}));
    let counted: String = (0..60)
        .map(|at| format!("- 第{at}封信在柜台上。\\n"))
        .collect();
    let text = format!(r#"{{"summary": "好", "memory": "{counted}"#);
    assert_eq!(looped(&text).value, json!({"summary": "好"}));
    let blank = format!("{{\"summary\": \"好\",{}", "\n".repeat(500));
    assert_eq!(looped(&blank).value, json!({"summary": "好"}));
}

#[test]
fn sound_lists_are_no_loop() {
    let contracts: Vec<String> = (0..256).map(|at| format!("W-{at:03}")).collect();
    let checks: Vec<Value> = (0..6)
        .map(|at| json!({"rule_id": format!("W-{at:03}"), "status": "violation_suspected", "detail": "没有写到"}))
        .collect();
    let moves: Vec<Value> = ["甲", "乙", "丙", "丁", "戊", "己"]
        .iter()
        .map(|who| json!({"op": "set", "path": format!("characters.{who}.location"), "value": "码头", "evidence": "一行人都到了码头。"}))
        .collect();
    let answer = json!({"passed": contracts, "checks": checks, "ops": moves,
        "states": [{"id": "a"}, {"id": "b"}, {"id": "a"}, {"id": "b"}, {"id": "a"}, {"id": "b"}],
        "text": "他说：“走。”她说：“不走。”".repeat(4)});
    let mut growing = Growing::default();
    growing.feed(&answer.to_string());
    assert!(growing.round.is_none());
    assert!(growing.is_over);
}

#[test]
fn prose_that_goes_round_is_seen() {
    let goes_round = |text: &str| {
        let mut watch = Watch::new(false);
        watch.feed(text);
        watch.ends_at().is_some()
    };
    let paragraph = "他走到门口，又走了回来，雨还在下，灯也还亮着，谁也没有说话。\n\n";
    assert!(goes_round(&format!(
        "# 第 2 章\n\n{}",
        paragraph.repeat(20)
    )));
    let counted: String = (0..40)
        .map(|at| format!("他数到第{at}下，雨还在下，灯也还亮着。\n\n"))
        .collect();
    assert!(goes_round(&counted));
    assert!(!goes_round(&paragraph.repeat(3)));
    // Ten sections under headings of their own, and the ten again. Said once, each may be like another.
    let section = |at: u32| {
        let mark = char::from_u32(0x4E00 + at * 7).unwrap();
        format!(
            "### {mark}事\n- {mark}在外堤第三退潮口等到了夜里\n- 分拣房里有一封不在册的{mark}信，谁也没有去拿\n\n"
        )
    };
    let sections: String = (0..10).map(section).collect();
    assert!((400..820).contains(&sections.chars().count()));
    assert!(goes_round(&sections.repeat(4)));
    assert!(!goes_round(&(0..60).map(section).collect::<String>()));
    let talk: String = (0..200_u32)
        .map(|at| {
            let mark = char::from_u32(0x4E00 + at * 7).unwrap();
            format!("“{mark}。”他说。\n\n“不{mark}。”她说。\n\n")
        })
        .collect();
    assert!(!goes_round(&talk));
}

#[test]
fn ten_thousand_items_and_a_huge_text_take_no_time_to_speak_of() {
    let ops: Vec<String> = (0..10_000_u32)
        .map(|at| {
            let place = char::from_u32(0x4E00 + at).unwrap();
            op("characters.a.location", &place.to_string(), "他走了。")
        })
        .collect();
    let text = format!(r#"{{"ops": [{}"#, ops.join(","));
    let salvaged = salvage(&text).unwrap();
    assert!(!salvaged.went_round);
    assert_eq!(salvaged.value["ops"].as_array().unwrap().len(), 10_000);
    let mut numbers = 1_u64;
    let noise: String = (0..300_000)
        .map(|_| {
            numbers = numbers
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            char::from_u32(0x4E00 + u32::try_from(numbers >> 51).unwrap()).unwrap()
        })
        .collect();
    let text = format!(r#"{{"summary": "好", "memory": "{noise}"#);
    assert_eq!(salvage(&text).unwrap().value, json!({"summary": "好"}));
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z雨\"\\\\{}\\[\\],: ]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,4}", inner, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Whether everything of `part` stands in `whole`: lists may end earlier, objects may lack members.
fn is_part(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => part
            .iter()
            .all(|(key, value)| whole.get(key).is_some_and(|other| is_part(value, other))),
        (Value::Array(part), Value::Array(whole)) => {
            part.len() <= whole.len()
                && part
                    .iter()
                    .zip(whole)
                    .all(|(part, whole)| is_part(part, whole))
        }
        _ => part == whole,
    }
}

proptest! {
    #[test]
    fn an_answer_cut_anywhere_keeps_only_what_it_said(answer in value(), share in 0.0_f64..1.0) {
        let text = json!({"answer": answer, "end": 1}).to_string();
        let chars = text.chars().count();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a share of a short text")]
        let cut: String = text.chars().take((chars as f64 * share) as usize).collect();
        if let Some(salvaged) = salvage(&cut) {
            let whole = json!({"answer": answer, "end": 1});
            prop_assert!(salvaged.went_round || is_part(&salvaged.value, &whole));
        }
    }

    #[test]
    fn how_it_comes_in_pieces_does_not_matter(pieces in prop::collection::vec("[a-c雨]{1,6}", 1..4), times in 1_usize..40) {
        let items: Vec<String> = pieces.iter().map(|piece| op(piece, piece, "他走到码头，站了很久。")).collect();
        let text = format!(r#"{{"ops": [{}]"#, vec![items.join(","); times].join(","));
        let mut by_chars = Watch::new(true);
        for char in text.chars() {
            by_chars.feed(&char.to_string());
        }
        let mut at_once = Watch::new(true);
        at_once.feed(&text);
        prop_assert_eq!(by_chars.ends_at(), at_once.ends_at());
        let went_round = salvage(&text).is_some_and(|it| it.went_round);
        prop_assert_eq!(at_once.ends_at().is_some(), went_round);
    }
}
