use novel_model::{
    files::{CheckStatus, Evaluation},
    layout,
};
use serde_json::{Value, json};

use super::{Contracts, completed, invalid, mark, unlocated, write_out};

pub(in crate::believe) const TEXT: &str =
    "雨落了一整夜。林枫推开书店的门，柜台上压着一封没有邮戳的信。陈老没有抬头。";
pub(in crate::believe) const QUOTED: &str = "柜台上压着一封没有邮戳的信";

pub(in crate::believe) fn contracts() -> Contracts {
    Contracts {
        l1: vec!["W-001".into(), "W-002".into()],
        l2: vec!["C-LINFENG-001".into()],
        l3: vec!["OBJ-1-1".into()],
        ls: vec![("LS-001".into(), None)],
    }
}

pub(in crate::believe) fn verdict() -> Value {
    let scores: serde_json::Map<String, Value> = super::DIMENSIONS
        .iter()
        .map(|name| {
            (
                (*name).to_owned(),
                json!({"score": 4.0, "reason": "r", "evidence": QUOTED}),
            )
        })
        .collect();
    json!({
        "chapter": 1,
        "contract_verification": {
            "l1_checks": [{"rule_id": "W-001", "status": "pass", "confidence": "high"}],
            "l2_checks": [], "l3_checks": [], "ls_checks": [],
            "passed": ["w-002", "C-LINFENG-001", "OBJ-1-1", "LS-001", "W-999"],
            "has_violations": false},
        "scores": scores,
    })
}

pub(in crate::believe) fn checked(
    value: &Value,
) -> (Evaluation, Vec<&'static str>, Vec<&'static str>) {
    let path = layout::staged_evaluation("1".parse().unwrap());
    let mut evaluation: Evaluation = serde_json::from_value(value.clone()).unwrap();
    write_out(&mut evaluation, &contracts());
    mark(&mut evaluation, TEXT);
    let codes = |problems: Vec<novel_model::Problem>| problems.iter().map(|p| p.code).collect();
    let invalid = codes(invalid(&path, &evaluation, &contracts()));
    let unlocated = codes(unlocated(&path, &evaluation));
    (evaluation, invalid, unlocated)
}

#[test]
fn passes_in_a_list_are_written_out() {
    let (evaluation, invalid, unlocated) = checked(&verdict());
    assert_eq!((invalid, unlocated), (vec![], vec![]));
    let verification = &evaluation.contract_verification;
    assert!(verification.passed.is_empty());
    assert_eq!(verification.l1_checks.len(), 2);
    assert_eq!(verification.l2_checks[0].status, CheckStatus::Pass);
    assert_eq!(verification.l3_checks[0].rule_id, "OBJ-1-1");
    assert_eq!(verification.ls_checks.len(), 1);
}

/// A verdict is spoilt, and the code that names it.
type Spoilt = (fn(&mut Value), &'static str);

#[test]
fn what_is_no_verdict_is_named() {
    let cases: [Spoilt; 5] = [
        (
            |v| v["contract_verification"]["passed"] = json!(["W-002"]),
            "check_missing",
        ),
        (
            |v| {
                for name in super::DIMENSIONS {
                    v["scores"][name]["evidence"] = json!("");
                }
            },
            "no_quotation_located",
        ),
        (
            |v| v["contract_verification"]["has_violations"] = json!(true),
            "violations_not_named",
        ),
        (
            |v| {
                v["contract_verification"]["l1_checks"] =
                    json!([{"rule_id": "W-001", "status": "violation", "evidence": QUOTED}]);
            },
            "violation_without_confidence",
        ),
        (
            |v| v["scores"]["pacing"]["score"] = json!(7),
            "score_off_scale",
        ),
    ];
    for (change, code) in cases {
        let mut value = verdict();
        change(&mut value);
        let (_, invalid, _) = checked(&value);
        assert!(invalid.contains(&code), "{code}: {invalid:?}");
    }
}

#[test]
fn a_violation_says_where_or_what_is_missing() {
    for (grounds, is_proven) in [
        (json!({"evidence": QUOTED}), true),
        (json!({"absent": "没有写到钟楼"}), true),
        (json!({"evidence": "信"}), false),
        (json!({"evidence": "这句话不在正文里面"}), false),
        (json!({"evidence": ""}), false),
        (json!({"evidence": null}), false),
    ] {
        let mut value = verdict();
        let mut check = json!({"rule_id": "W-001", "status": "violation", "confidence": "high"});
        check
            .as_object_mut()
            .unwrap()
            .extend(grounds.as_object().unwrap().clone());
        value["contract_verification"]["l1_checks"] = json!([check]);
        let (evaluation, invalid, unlocated) = checked(&value);
        assert_eq!(invalid, Vec::<&str>::new());
        let check = &evaluation.contract_verification.l1_checks[0];
        assert_eq!(check.unproven.is_none(), is_proven, "{grounds}");
        assert_eq!(unlocated.is_empty(), is_proven, "{grounds}");
        assert_eq!(
            crate::gate::high_violations(&evaluation).len(),
            1,
            "nothing is lowered"
        );
    }
}

#[test]
fn what_the_judge_said_stands() {
    let mut first = verdict();
    first["contract_verification"]["l1_checks"] = json!([{"rule_id": "W-001", "status": "violation", "confidence": "high", "evidence": "不在"}]);
    first["scores"]["pacing"] = json!({"score": 9, "evidence": "无"});
    let second = json!({
        "contract_verification": {
            "l1_checks": [{"rule_id": "W-001", "status": "pass", "confidence": "low", "evidence": QUOTED}],
            "has_violations": false},
        "scores": {"pacing": {"score": 2, "evidence": QUOTED},
                   "character": {"score": 1, "evidence": "别的"}},
    });
    let whole = completed(&first, &second, TEXT);
    let check = &whole["contract_verification"]["l1_checks"][0];
    assert_eq!(
        (&check["status"], &check["confidence"]),
        (&json!("violation"), &json!("high"))
    );
    assert_eq!(check["evidence"], QUOTED);
    assert_eq!(whole["scores"]["pacing"]["score"], 2);
    assert_eq!(whole["scores"]["character"]["score"], 4.0);
    assert_eq!(whole["scores"]["character"]["evidence"], QUOTED);
}

#[test]
fn how_sure_a_pass_is_says_nothing_of_the_violation_named_before() {
    let mut first = verdict();
    first["contract_verification"]["l1_checks"] =
        json!([{"rule_id": "W-001", "status": "violation", "evidence": QUOTED}]);
    let answered = |said: Value| {
        let second = json!({"contract_verification": {"l1_checks": [said]}});
        let whole = completed(&first, &second, TEXT);
        let check = whole["contract_verification"]["l1_checks"][0].clone();
        (check["status"].clone(), check["confidence"].clone())
    };
    let pass =
        json!({"rule_id": "W-001", "status": "pass", "confidence": "high", "evidence": QUOTED});
    assert_eq!(answered(pass), (json!("violation"), Value::Null));
    let listed = json!({"rule_id": "W-001", "confidence": "medium"});
    assert_eq!(answered(listed), (json!("violation"), json!("medium")));
    let again = json!({"rule_id": "W-001", "status": "violation", "confidence": "high"});
    assert_eq!(answered(again), (json!("violation"), json!("high")));
    let doubt = json!({"rule_id": "W-001", "status": "violation_suspected", "confidence": "low"});
    assert_eq!(answered(doubt), (json!("violation"), json!("low")));
}

#[test]
fn a_violation_ends_by_a_reason_alone() {
    let mut first = verdict();
    first["contract_verification"]["l1_checks"] =
        json!([{"rule_id": "W-001", "status": "violation", "confidence": "high"}]);
    let silent = completed(&first, &json!({}), TEXT);
    let (evaluation, ..) = checked(&silent);
    assert_eq!(crate::gate::high_violations(&evaluation).len(), 1);
    let withdrawn = json!({"contract_verification": {"l1_checks": [
        {"rule_id": "W-001", "withdrawn": "例外适用"}]}});
    let (evaluation, invalid, unlocated) = checked(&completed(&first, &withdrawn, TEXT));
    assert_eq!((invalid, unlocated), (vec![], vec![]));
    assert!(crate::gate::high_violations(&evaluation).is_empty());
    assert_eq!(
        evaluation.contract_verification.l1_checks[0].status,
        CheckStatus::Violation
    );
    let empty =
        json!({"contract_verification": {"l1_checks": [{"rule_id": "W-001", "withdrawn": " "}]}});
    let (evaluation, ..) = checked(&completed(&first, &empty, TEXT));
    assert_eq!(crate::gate::high_violations(&evaluation).len(), 1);
}
