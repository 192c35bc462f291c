use std::collections::BTreeMap;

use novel_model::files::JudgeRecord;

use super::*;

fn judges(model: Option<&str>) -> Judges {
    Judges {
        primary: JudgeRecord {
            model: model.map(str::to_owned),
            overall: 4.0,
        },
        secondary: None,
        used: JudgeRole::Primary,
        overall_final: 4.0,
        has_high_confidence_violation: false,
        other_violations: Vec::new(),
    }
}

fn stage(model: &str, version: &str) -> StageLog {
    serde_json::from_value(
        serde_json::json!({"name": "judge", "model": model, "agent_version": version}),
    )
    .unwrap()
}

fn measured(model: &str, prompt_version: u32) -> Calibration {
    Calibration {
        model: model.to_owned(),
        prompt_version,
        recall: Share::new(5, 6),
        false_alarms: Share::new(1, 4),
        located: Share::new(0, 0),
        by_kind: BTreeMap::new(),
    }
}

#[test]
fn figures_belong_to_a_model_and_a_version_of_its_prompt() {
    let known = [measured("gpt", 3), measured("other", 4)];
    let of = |version| KnownJudge::of(&judges(Some("gpt")), &[stage("gpt", version)], &known);
    let same = of("3").unwrap();
    assert_eq!(same.measured, Some(measured("gpt", 3)));
    let text = same.shown();
    assert!(text.en.contains("faults seen 5/6 (44-97%)"), "{}", text.en);
    assert!(text.zh.contains("查出缺陷 5/6"), "{}", text.zh);
    // A newer prompt is another judge, and so is another model.
    let newer = of("4").unwrap();
    assert_eq!(newer.measured, None);
    assert!(newer.shown().en.contains("never measured"));
}

#[test]
fn an_outside_driver_and_the_offline_author_are_no_judges_to_measure() {
    let known = [measured("offline", 3)];
    let stages = [stage("offline", "3")];
    assert_eq!(KnownJudge::of(&judges(None), &stages, &known), None);
    assert_eq!(
        KnownJudge::of(&judges(Some("offline")), &stages, &known),
        None
    );
}
