use serde_json::{Value, json};

use super::{
    super::verdict::{completed, tests as verdicts},
    *,
};

fn lacking(change: impl FnOnce(&mut Value)) -> Lacking {
    let mut said = verdicts::verdict();
    change(&mut said);
    Lacking::of(&said, verdicts::TEXT, &verdicts::contracts()).unwrap()
}

#[test]
fn a_whole_verdict_lacks_nothing() {
    assert_eq!(lacking(|_| {}), Lacking::default());
}

#[test]
fn every_contract_without_a_check_is_named_with_its_list() {
    let found = lacking(|said| said["contract_verification"]["passed"] = json!(["W-002"]));
    let missing: Vec<(&str, &str)> = found
        .missing
        .iter()
        .map(|(l, id)| (*l, id.as_str()))
        .collect();
    assert_eq!(
        missing,
        [
            ("l2_checks", "C-LINFENG-001"),
            ("l3_checks", "OBJ-1-1"),
            ("ls_checks", "LS-001"),
        ]
    );
}

#[test]
fn a_quotation_that_was_not_found_is_offered_the_nearest_sentences() {
    let found = lacking(|said| {
        said["scores"]["pacing"]["evidence"] = json!("柜台上放着没有邮戳的信件");
        said["contract_verification"]["l1_checks"] =
            json!([{"rule_id": "W-001", "status": "violation", "confidence": "high"}]);
    });
    assert_eq!(found.scores.len(), 1);
    assert!(
        found.scores[0]
            .offered
            .iter()
            .any(|it| it.contains(verdicts::QUOTED)),
        "{found:?}"
    );
    assert_eq!(
        (found.violations.len(), found.violations[0].layer),
        (1, "l1_checks")
    );
    let names: Vec<&str> = found.offers().map(|(name, _)| name).collect();
    assert_eq!(names, ["W-001", "pacing"]);
}

/// Attack: everything declared missing and not a word quoted. The way on leads to a verdict.
#[test]
fn a_verdict_of_absences_is_asked_for_quotations_and_takes_them() {
    let mut said = verdicts::verdict();
    for score in said["scores"].as_object_mut().unwrap().values_mut() {
        score["evidence"] = Value::Null;
        score["absent"] = json!("没有找到");
    }
    let found = Lacking::of(&said, verdicts::TEXT, &verdicts::contracts()).unwrap();
    assert_eq!(found.scores.len(), 8);
    let offered = &found.scores[0].offered[0];
    let second = json!({"scores": {"plot_logic": {"evidence": offered, "absent": null}}});
    let whole = completed(&said, &second, verdicts::TEXT);
    assert_eq!(whole["scores"]["plot_logic"]["evidence"], json!(offered));
    assert_eq!(whole["scores"]["plot_logic"]["absent"], "没有找到");
    let (_, invalid, _) = verdicts::checked(&whole);
    assert!(invalid.is_empty(), "{invalid:?}");
}

#[test]
fn what_is_no_verdict_has_no_list() {
    let contracts = verdicts::contracts();
    for said in [json!([]), json!({"scores": {}}), json!("好")] {
        assert_eq!(Lacking::of(&said, verdicts::TEXT, &contracts), None);
    }
}
