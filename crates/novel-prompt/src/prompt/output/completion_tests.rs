use super::*;

fn schema(lacking: &Lacking) -> Value {
    verdict_completion(lacking).schema().unwrap().clone()
}

#[test]
fn only_what_is_lacking_may_be_said() {
    let schema = schema(&Lacking {
        missing: vec![("l3_checks", "OBJ-1-1".into())],
        scores: vec![LackingScore {
            name: "pacing",
            off_scale: false,
            offered: vec!["雨停了。".into(), "他走了。".into()],
        }],
        ..Lacking::default()
    });
    let contracts = &schema["properties"]["contract_verification"];
    assert_eq!(contracts["required"], json!(["passed", "l3_checks"]));
    assert_eq!(
        contracts["properties"]["passed"]["items"]["enum"],
        json!(["OBJ-1-1"])
    );
    let scores = &schema["properties"]["scores"];
    assert_eq!(scores["required"], json!(["pacing"]));
    let pacing = &scores["properties"]["pacing"];
    assert_eq!(pacing["required"], json!(["evidence", "absent"]));
    assert_eq!(
        pacing["properties"]["evidence"],
        json!({"type": "string", "enum": ["雨停了。", "他走了。"]})
    );
}

#[test]
fn a_violation_is_grounded_or_withdrawn_and_nothing_else_of_it_is_asked() {
    let schema = schema(&Lacking {
        violations: vec![LackingViolation {
            layer: "l1_checks",
            id: "W-001".into(),
            lacks_confidence: false,
            offered: vec!["雨停了。".into()],
        }],
        ..Lacking::default()
    });
    assert_eq!(schema["required"], json!(["contract_verification"]));
    let check = &schema["properties"]["contract_verification"]["properties"]["l1_checks"]["items"]
        ["anyOf"][0];
    assert_eq!(
        check["required"],
        json!(["rule_id", "evidence", "absent", "withdrawn"])
    );
    assert_eq!(
        check["properties"]["evidence"]["enum"],
        json!(["雨停了。", null])
    );
}
