use proptest::prelude::*;
use serde_json::json;

use super::*;

fn base() -> Value {
    json!({"schema_version": 1, "state_version": 4, "last_updated_chapter": 4,
        "characters": {"lin-feng": {"display_name": "林枫", "location": "魔都", "coins": 3,
            "relationships": {"chen-lao": 50}, "inventory": ["密信", "刀"]}},
        "items": {}, "locations": {}, "factions": {}, "world_state": {"time_marker": "第三年冬"},
        "active_foreshadowing": ["ancient_prophecy"]})
}

fn applied(ops: Value) -> (Value, OpsOutcome) {
    let mut state = base();
    let outcome = apply(&mut state, ops.as_array().unwrap());
    (state, outcome)
}

#[test]
fn each_verb_does_what_it_says() {
    let (state, outcome) = applied(json!([
        {"op": "set", "path": "characters.lin-feng.location", "value": "废墟"},
        {"op": "inc", "path": "characters.lin-feng.coins", "value": -2},
        {"op": "inc", "path": "characters.lin-feng.relationships.yun-zhi", "value": 0.5},
        {"op": "add", "path": "characters.lin-feng.inventory", "value": "玉佩"},
        {"op": "add", "path": "characters.lin-feng.inventory", "value": "玉佩"},
        {"op": "remove", "path": "characters.lin-feng.inventory", "value": "密信"},
        {"op": "add", "path": "factions.guild.members", "value": "lin-feng"},
        {"op": "foreshadow", "path": "jade_secret", "value": "planted", "detail": "玉佩发光"},
        {"op": "foreshadow", "path": "ancient_prophecy", "value": "resolved"},
    ]));
    assert_eq!(outcome.dropped, vec![]);
    assert_eq!(
        state["characters"]["lin-feng"],
        json!({"display_name": "林枫", "location": "废墟", "coins": 1,
            "relationships": {"chen-lao": 50, "yun-zhi": 0.5}, "inventory": ["刀", "玉佩"]})
    );
    assert_eq!(
        state["factions"],
        json!({"guild": {"members": ["lin-feng"]}})
    );
    assert_eq!(state["active_foreshadowing"], json!(["jade_secret"]));
    assert_eq!(outcome.foreshadowing.len(), 2);
    assert_eq!(outcome.foreshadowing[0].detail.as_deref(), Some("玉佩发光"));
}

#[test]
fn bad_ops_are_dropped_and_the_rest_apply() {
    let (state, outcome) = applied(json!([
        {"op": "explode", "path": "items.bomb", "value": 1},
        {"op": "set", "path": "items", "value": 1},
        {"op": "set", "path": "a.b", "value": 1},
        {"op": "set", "path": "items.a.b.c.d", "value": 1},
        {"op": "set", "path": "items..b", "value": 1},
        {"op": "set", "path": "items.__proto__.b", "value": 1},
        {"op": "set", "path": "items.a\u{7}b", "value": 1},
        {"op": "set", "path": "items.sword"},
        {"op": "set", "path": "characters.lin-feng.location.room", "value": 1},
        {"op": "inc", "path": "characters.lin-feng.location", "value": 1},
        {"op": "inc", "path": "characters.lin-feng.coins", "value": "many"},
        {"op": "add", "path": "characters.lin-feng.location", "value": 1},
        {"op": "remove", "path": "characters.lin-feng", "value": 1},
        {"op": "foreshadow", "path": "../evil", "value": "planted"},
        {"op": "foreshadow", "path": "prophecy", "value": "forgotten"},
        "nonsense",
        {"op": "set", "path": "items.sword", "value": {"owner": "lin-feng"}},
    ]));
    let reasons: Vec<&str> = outcome
        .dropped
        .iter()
        .map(|dropped| dropped.reason.as_str())
        .collect();
    assert_eq!(
        reasons,
        [
            "unknown_op",
            "bad_path",
            "bad_path",
            "bad_path",
            "bad_path",
            "bad_path",
            "bad_path",
            "wrong_type",
            "wrong_type",
            "wrong_type",
            "wrong_type",
            "wrong_type",
            "wrong_type",
            "bad_path",
            "wrong_type",
            "wrong_type"
        ]
    );
    assert_eq!(outcome.warnings().len(), 16);
    let mut expected = base();
    expected["items"]["sword"] = json!({"owner": "lin-feng"});
    assert_eq!(state, expected, "a dropped op leaves nothing behind");
}

#[test]
fn an_integer_overflow_is_a_wrong_type_not_a_wrapped_number() {
    let mut state = json!({"items": {"gold": {"count": i64::MAX}}});
    let outcome = apply(
        &mut state,
        &[json!({"op": "inc", "path": "items.gold.count", "value": 1})],
    );
    assert_eq!(outcome.dropped.len(), 1);
    assert_eq!(state["items"]["gold"]["count"], json!(i64::MAX));
}

fn any_op() -> impl Strategy<Value = Value> {
    let verb = prop::sample::select(vec!["set", "inc", "add", "remove", "foreshadow", "other"]);
    let path = prop::sample::select(vec![
        "characters.lin-feng.location",
        "characters.lin-feng.coins",
        "characters.lin-feng.inventory",
        "characters.lin-feng.relationships.a",
        "characters.new.bag.deep",
        "characters.new",
        "items.sword",
        "world_state.time_marker",
        "active_foreshadowing.x",
        "ancient_prophecy",
        "new_seed",
        "items",
    ]);
    let value = prop::sample::select(vec![
        json!("密信"),
        json!("planted"),
        json!("resolved"),
        json!("advanced"),
        json!(3),
        json!(-1.5),
        json!(null),
        json!(["刀"]),
        json!({"bag": {}}),
        json!(true),
    ]);
    (verb, path, value)
        .prop_map(|(op, path, value)| json!({"op": op, "path": path, "value": value}))
}

proptest! {
    #[test]
    fn undo_takes_back_exactly_what_apply_did(ops in prop::collection::vec(any_op(), 0..40)) {
        let mut state = base();
        let before = serde_json::to_string(&state).unwrap();
        let outcome = apply(&mut state, &ops);
        let after = serde_json::to_string(&state).unwrap();
        undo(&mut state, &outcome.applied).unwrap();
        prop_assert_eq!(serde_json::to_string(&state).unwrap(), before);

        let recorded: Vec<Value> = outcome.applied.iter().map(|op| op.op.clone()).collect();
        let replay = apply(&mut state, &recorded);
        prop_assert_eq!(serde_json::to_string(&state).unwrap(), after);
        prop_assert!(replay.dropped.is_empty());
        prop_assert_eq!(replay.applied, outcome.applied);
    }

    #[test]
    fn arbitrary_ops_never_panic(ops in prop::collection::vec((".*", ".*", ".*"), 0..8)) {
        let ops: Vec<Value> = ops.into_iter()
            .map(|(op, path, value)| json!({"op": op, "path": path, "value": value})).collect();
        let mut state = base();
        let outcome = apply(&mut state, &ops);
        undo(&mut state, &outcome.applied).unwrap();
        prop_assert_eq!(state, base());
    }
}
