use serde_json::json;

use super::*;

fn merged(mut raw: Value, before: Value, after: Value) -> String {
    merge(&mut raw, &before, &after, &[("rule_id", "contract_id")]);
    raw.to_string()
}

#[test]
fn nothing_changes_without_a_change() {
    let raw = json!({"z": 1, "x": 4, "score": 3});
    let typed = json!({"score": 3.0, "left_out": []});
    assert_eq!(merged(raw.clone(), typed.clone(), typed), raw.to_string());
}

#[test]
fn objects_keep_order_and_unknown_keys() {
    assert_eq!(
        merged(
            json!({"b": 1, "own": {"x": 1}, "a": 2, "gone": 3, "last": 4}),
            json!({"a": 2, "b": 1, "gone": 3}),
            json!({"a": 20, "b": 1, "new": 5}),
        ),
        r#"{"b":1,"own":{"x":1},"a":20,"last":4,"new":5}"#
    );
}

#[test]
fn an_unknown_key_is_not_removed_by_a_value_that_was_none() {
    assert_eq!(
        merged(json!({"a": 1, "b": 2}), json!({"a": 1}), json!({"a": 2})),
        r#"{"a":2,"b":2}"#
    );
}

#[test]
fn a_changed_value_stays_under_the_name_it_was_written_with() {
    assert_eq!(
        merged(
            json!({"contract_id": "a", "x": 1}),
            json!({"rule_id": "a"}),
            json!({"rule_id": "b"})
        ),
        r#"{"contract_id":"b","x":1}"#
    );
}

#[test]
fn elements_are_matched_by_id() {
    let raw = json!([{"id": "a", "x": 1, "n": 1}, {"id": "b", "x": 2, "n": 2}, {"id": "c", "x": 3, "n": 3}]);
    let before = json!([{"id": "a", "n": 1}, {"id": "b", "n": 2}, {"id": "c", "n": 3}]);
    let after = json!([{"id": "c", "n": 3}, {"id": "new", "n": 0}, {"id": "a", "n": 9}]);
    assert_eq!(
        merged(raw, before, after),
        r#"[{"id":"c","x":3,"n":3},{"id":"new","x":2,"n":0},{"id":"a","x":1,"n":9}]"#
    );
}

#[test]
fn elements_without_id_are_matched_by_place() {
    let raw = json!([{"n": 1, "x": 1}, {"n": 2, "x": 2}, {"n": 3, "x": 3}]);
    let before = json!([{"n": 1}, {"n": 2}, {"n": 3}]);
    let change = |after| merged(raw.clone(), before.clone(), after);
    assert_eq!(
        change(json!([{"n": 1}, {"n": 3}])),
        r#"[{"n":1,"x":1},{"n":3,"x":3}]"#
    );
    assert_eq!(
        change(json!([{"n": 0}, {"n": 1}, {"n": 2}, {"n": 3}])),
        r#"[{"n":0},{"n":1,"x":1},{"n":2,"x":2},{"n":3,"x":3}]"#
    );
    assert_eq!(
        change(json!([{"n": 1}, {"n": 20}, {"n": 3}, {"n": 4}])),
        r#"[{"n":1,"x":1},{"n":20,"x":2},{"n":3,"x":3},{"n":4}]"#
    );
    assert_eq!(change(json!([])), "[]");
}

#[test]
fn repeated_ids_fall_back_to_places() {
    let raw = json!([{"id": 1, "x": 1}, {"id": 1, "x": 2}]);
    let before = json!([{"id": 1}, {"id": 1}]);
    assert_eq!(
        merged(raw, before, json!([{"id": 1}, {"id": 2}])),
        r#"[{"id":1,"x":1},{"id":2,"x":2}]"#
    );
}
