use novel_model::layout;
use serde_json::{Value, json};

use super::{super::Hearing, Known, Settled, carry, settle};

const TEXT: &str = "林枫推开书店的门，把铜钥匙放在柜台上。陈老没有抬头。";

fn known() -> Known {
    let mut known = Known::default();
    for (name, id) in [
        ("lin-feng", "lin-feng"),
        ("林枫", "lin-feng"),
        ("小枫", "lin-feng"),
        ("chen-lao", "chen-lao"),
        ("陈老", "chen-lao"),
    ] {
        known.people.insert(name.to_owned(), id.to_owned());
    }
    known
        .threads
        .insert("信尾的预言".to_owned(), "ancient_prophecy".to_owned());
    known
}

fn settled(ops: &[Value], hearing: Hearing) -> Settled {
    let path = layout::staged_delta("1".parse().unwrap());
    settle(&path, ops, &known(), TEXT, hearing)
}

#[test]
fn names_become_ids() {
    let quoted = "林枫推开书店的门";
    let ops = [
        json!({"op": "set", "path": "characters.林枫.location", "value": "书店", "evidence": quoted}),
        json!({"op": "inc", "path": "characters.小枫.relationships.陈老", "value": 5, "evidence": quoted}),
        json!({"op": "foreshadow", "path": "信尾的预言", "value": "planted", "evidence": quoted}),
    ];
    let found = settled(&ops, Hearing::First);
    assert_eq!(found.complaints, []);
    let paths: Vec<&Value> = found.ops.iter().map(|op| &op["path"]).collect();
    assert_eq!(
        paths,
        [
            "characters.lin-feng.location",
            "characters.lin-feng.relationships.chen-lao",
            "ancient_prophecy"
        ]
    );
    assert!(found.ops.iter().all(|op| op.get("unproven").is_none()));
}

#[test]
fn a_stranger_is_asked_about_then_left_out() {
    let ops = [
        json!({"op": "set", "path": "characters.王五.location", "value": "书店",
                      "evidence": "林枫推开书店的门"}),
    ];
    let first = settled(&ops, Hearing::First);
    assert_eq!(first.complaints[0].code, "unknown_character");
    for hearing in [Hearing::Last, Hearing::Outside] {
        let found = settled(&ops, hearing);
        assert_eq!(
            (found.ops.len(), found.warnings[0].code),
            (0, "unknown_character")
        );
        assert_eq!(found.unknown[0].mention, "王五");
        assert_eq!(
            found.unknown[0].suggested_type.as_deref(),
            Some("character")
        );
    }
}

#[test]
fn a_thing_comes_in_by_a_sentence() {
    let op = |evidence: &str| json!({"op": "set", "path": "items.copper-key.owner", "value": "lin-feng", "evidence": evidence});
    let seen = [
        op("把铜钥匙放在柜台上"),
        json!({"op": "set", "path": "items.copper-key.place", "value": "柜台", "evidence": "没有这句话的"}),
    ];
    let found = settled(&seen, Hearing::Last);
    assert_eq!(found.ops.len(), 2);
    assert_eq!(found.ops[1]["unproven"], true);
    let unseen = [op("他从井里捞起一把剑来")];
    assert_eq!(
        settled(&unseen, Hearing::First).complaints[0].code,
        "unseen_entity"
    );
    let last = settled(&unseen, Hearing::Last);
    assert_eq!(
        (last.ops.len(), last.unknown[0].suggested_type.as_deref()),
        (0, Some("item"))
    );
    let silent = [json!({"op": "set", "path": "items.sword.owner", "value": "lin-feng"})];
    let outside = settled(&silent, Hearing::Outside);
    assert_eq!(outside.ops[0]["unproven"], true);
}

#[test]
fn wrong_types_are_left_out() {
    for (verb, path, value) in [
        ("set", "characters.lin-feng.location", json!(5)),
        ("set", "characters.lin-feng.inventory", json!("剑")),
        ("add", "characters.lin-feng.inventory", json!(["剑"])),
        ("inc", "characters.lin-feng.location", json!(1)),
        ("set", "characters.lin-feng", json!("死了")),
        ("set", "world_state.time_marker", json!(3)),
    ] {
        let ops =
            [json!({"op": verb, "path": path, "value": value, "evidence": "林枫推开书店的门"})];
        let found = settled(&ops, Hearing::Outside);
        assert_eq!(
            (found.ops.len(), found.warnings[0].code),
            (0, "wrong_type"),
            "{path} {value}"
        );
    }
}

#[test]
fn a_mark_of_the_agent_does_not_count() {
    let ops = [
        json!({"op": "set", "path": "characters.lin-feng.location", "value": "书店", "evidence": "林枫推开书店的门", "unproven": true}),
        json!({"op": "set", "path": "characters.lin-feng.emotional_state", "value": "平静", "evidence": "编造的一句话在这里", "unproven": false}),
    ];
    let found = settled(&ops, Hearing::Last);
    assert_eq!(found.ops[0].get("unproven"), None);
    assert_eq!(found.ops[1]["unproven"], true);
}

#[test]
fn settling_twice_changes_nothing() {
    let ops = [
        json!({"op": "set", "path": "characters.林枫.location", "value": "书店", "evidence": "林枫推开书店的门"}),
        json!({"op": "set", "path": "characters.王五.location", "value": "书店"}),
        json!({"op": "set", "path": "items.sword.owner", "value": "x", "evidence": "不在书里的一句话啊"}),
        json!({"op": "multiply", "path": "characters.lin-feng.age", "value": 2}),
    ];
    let once = settled(&ops, Hearing::Last);
    let twice = settled(&once.ops, Hearing::Outside);
    assert_eq!(once.ops, twice.ops);
}

#[test]
fn quotations_follow_the_text() {
    let after = TEXT.replace("林枫推开书店的门", "林枫缓缓推开旧书店的门");
    let mut ops = vec![
        json!({"op": "set", "path": "a.b", "value": 1, "evidence": "林枫推开书店的门"}),
        json!({"op": "set", "path": "a.c", "value": 1, "evidence": "陈老没有抬头"}),
    ];
    carry(&mut ops, TEXT, &after);
    assert_eq!(ops[0]["evidence"], "林枫缓缓推开旧书店的门");
    assert_eq!(ops[1]["evidence"], "陈老没有抬头");
}

#[test]
fn what_is_said_twice_or_replaced_is_not_asked_about() {
    let quoted = "林枫推开书店的门";
    let set = |path: &str, value: &str, evidence: &str| json!({"op": "set", "path": path, "value": value, "evidence": evidence});
    let ops = [
        set("characters.林枫.location", "码头", "编造的一句话在这里"),
        set("characters.lin-feng.location", "书店", quoted),
        set("characters.小枫.location", "书店里", quoted),
        set("characters.小枫.location", "书店里", quoted),
    ];
    let found = settled(&ops, Hearing::First);
    assert_eq!(found.complaints, []);
    let values: Vec<&Value> = found.ops.iter().map(|op| &op["value"]).collect();
    assert_eq!(values, ["书店", "书店里"]);
    assert_eq!(found.warnings[0].code, "repeated_ops");
    // An outside tool that knows no quotations may count one thing twice.
    let twice =
        json!({"op": "inc", "path": "characters.lin-feng.relationships.chen-lao", "value": 1});
    let found = settled(&[twice.clone(), twice], Hearing::Outside);
    assert_eq!(found.ops.len(), 2);
}

/// Attack: ten thousand times the same change counts once, and takes no time to speak of.
#[test]
fn ten_thousand_times_the_same_is_once() {
    let op = json!({"op": "inc", "path": "characters.lin-feng.relationships.chen-lao", "value": 5, "evidence": "陈老没有抬头。"});
    let found = settled(&vec![op; 10_000], Hearing::Last);
    assert_eq!(found.ops.len(), 1);
}
