use novel_model::message;

use super::*;

const NOBODY: &str = "这一句是编造的";

fn chapter() -> ChapterNo {
    ChapterNo::new(2).unwrap()
}

fn known() -> Known {
    Known::of_people(&[
        ("lin-feng", "lin-feng"),
        ("林枫", "lin-feng"),
        ("chen-lao", "chen-lao"),
    ])
}

fn problem(path: &novel_model::RelPath, pointer: &str) -> Problem {
    let problem = Problem::new("test", path, message!(en: "wrong", zh: "不对"));
    if pointer.is_empty() {
        problem
    } else {
        problem.at(pointer)
    }
}

fn op(path: &str, value: &str) -> Value {
    json!({"op": "set", "path": path, "value": value, "evidence": NOBODY})
}

fn said(ops: &[Value]) -> Value {
    json!({"summary": "一章", "memory": ["一行"], "crossref": {}, "delta": {"ops": ops}})
}

fn lacking(said: &Value, pointers: &[&str]) -> Option<LackingRecord> {
    let path = layout::staged_delta(chapter());
    let problems: Vec<Problem> = pointers.iter().map(|it| problem(&path, it)).collect();
    LackingRecord::of(said, &problems, chapter())
}

#[test]
fn what_is_missing_is_asked_for_and_nothing_else() {
    let mut cut = said(&[op("characters.lin-feng.location", "码头")]);
    cut.as_object_mut().unwrap().remove("crossref");
    cut["memory"] = json!([]);
    let found = lacking(&cut, &["/crossref", "/memory"]).unwrap();
    assert_eq!(found.parts, ["memory", "crossref"]);
    assert_eq!((found.facts, found.stands), (vec![], None));

    let ops = [
        op("characters.lin-feng.location", "码头"),
        op("characters.wang-wu.location", "码头"),
    ];
    let found = lacking(&said(&ops), &["/delta/ops/1"]).unwrap();
    assert_eq!(
        (found.parts, &found.facts[..], found.stands),
        (vec![], &ops[1..], None)
    );

    let found = lacking(&said(&ops), &["/delta/ops"]).unwrap();
    assert_eq!(found.stands, Some(ops.to_vec()));

    let memory = layout::staged_memory(&"main-arc".parse().unwrap());
    let found = LackingRecord::of(&said(&ops), &[problem(&memory, "")], chapter()).unwrap();
    assert_eq!(found.parts, ["memory"]);
}

#[test]
fn where_nothing_stands_the_whole_is_asked_for() {
    assert_eq!(
        lacking(&json!({"summary": "", "delta": {}}), &["/delta/ops"]),
        None
    );
    assert_eq!(lacking(&json!("无"), &[""]), None);
    // A problem of the answer as a whole is no part of it.
    assert_eq!(lacking(&said(&[]), &[""]), None);
}

#[test]
fn what_was_said_stands_and_what_was_sent_back_is_replaced() {
    let first = said(&[
        op("characters.lin-feng.location", "码头"),
        op("characters.lin-feng.condition", "受凉"),
        op("characters.wang-wu.emotional_state", "担心"),
    ]);
    let found = lacking(&first, &["/delta/ops/1", "/delta/ops/2"]).unwrap();
    let more = json!({"summary": "另一章", "memory": "另一行", "delta": {"ops": [
        op("characters.林枫.location", "钟楼"),
        op("characters.林枫.condition", "着凉"),
        op("characters.chen-lao.emotional_state", "担心"),
        op("characters.chen-lao.location", "茶楼"),
    ]}});
    let whole = found.completed(&first, &more, &known());
    assert_eq!(
        (&whole["summary"], &whole["memory"]),
        (&first["summary"], &first["memory"])
    );
    let told: Vec<(&str, &str)> = whole["delta"]["ops"]
        .as_array()
        .unwrap()
        .iter()
        .map(|op| (op["path"].as_str().unwrap(), op["value"].as_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            ("characters.lin-feng.location", "码头"),
            ("characters.林枫.condition", "着凉"),
            ("characters.chen-lao.emotional_state", "担心"),
            ("characters.chen-lao.location", "茶楼"),
        ]
    );
    // The same answer once more changes nothing.
    assert_eq!(found.completed(&first, &first, &known()), first);
}

/// An empty list would say that nothing changed, which neither answer said.
#[test]
fn facts_that_never_came_are_not_made_an_empty_list() {
    let mut first = said(&[]);
    first["delta"]["ops"] = json!("把陆砚移到后院");
    let found = lacking(&first, &["/delta/ops"]).unwrap();
    assert_eq!(found.completed(&first, &first, &known()), first);
    let whole = found.completed(&first, &said(&[]), &known());
    assert_eq!(whole, said(&[]));
}

#[test]
fn facts_nobody_asked_for_are_not_taken() {
    let mut first = said(&[op("characters.lin-feng.location", "码头")]);
    first["memory"] = json!("");
    let found = lacking(&first, &["/memory"]).unwrap();
    let more =
        json!({"memory": "一行", "delta": {"ops": [op("characters.chen-lao.location", "茶楼")]}});
    let whole = found.completed(&first, &more, &known());
    assert_eq!(whole["memory"], "一行");
    assert_eq!(whole["delta"], first["delta"]);
}

#[test]
fn ops_whose_quotation_was_not_found_are_told_from_others() {
    let ops = [
        op("characters.lin-feng.location", "码头"),
        op("characters.wang-wu.location", "码头"),
        op("characters.lin-feng.condition", "受凉"),
    ];
    let path = layout::staged_delta(chapter());
    let not_located = Problem::new(NOT_LOCATED, &path, message!(en: "not there", zh: "没有"));
    let problems = [
        problem(&path, "/delta/ops/1"),
        not_located.at("/delta/ops/2"),
    ];
    let found = LackingRecord::of(&said(&ops), &problems, chapter()).unwrap();
    assert_eq!(
        (found.facts, found.unlocated),
        (ops[1..].to_vec(), [1].into())
    );
}
