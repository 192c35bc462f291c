use serde_json::json;

use super::*;

fn op(id: &str, action: ForeshadowAction) -> ForeshadowOp {
    ForeshadowOp {
        id: id.parse().unwrap(),
        action,
        detail: None,
        evidence: None,
        unproven: false,
    }
}

fn chapter(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

fn plan() -> ForeshadowPlan {
    serde_json::from_value(json!({"foreshadowing": [
        {"id": "jade", "description": "玉佩", "scope": "short", "planted_chapter": 2, "target_resolve_range": [4, 6]},
        {"id": "throne", "description": "王座", "scope": "long", "target_resolve_range": [40, 50]},
    ]}))
    .unwrap()
}

fn contract(updates: Value) -> ChapterContract {
    serde_json::from_value(
        json!({"chapter": 7, "storyline_id": "main-arc", "objectives": [],
        "postconditions": {"foreshadowing_updates": updates}}),
    )
    .unwrap()
}

fn recorded(steps: &[(u32, &str, ForeshadowAction)]) -> (Foreshadowing, Vec<&'static str>) {
    let mut global = Foreshadowing::default();
    let line: Slug = "main-arc".parse().unwrap();
    let warnings = steps
        .iter()
        .flat_map(|(number, id, action)| {
            record(
                &mut global,
                &plan(),
                &[op(id, *action)],
                chapter(*number),
                &line,
            )
        })
        .map(|warning| warning.code)
        .collect();
    (global, warnings)
}

#[test]
fn planting_takes_description_scope_and_range_over_from_the_plan() {
    use ForeshadowAction::{Advanced, Planted, Resolved};
    let (global, warnings) = recorded(&[
        (2, "jade", Planted),
        (3, "jade", Advanced),
        (5, "jade", Resolved),
    ]);
    assert!(warnings.is_empty());
    let item = &global.foreshadowing[0];
    assert_eq!(item.description, "玉佩");
    assert_eq!(item.target_resolve_range, Some((4, 6)));
    assert_eq!(
        (item.planted_chapter, item.last_updated_chapter),
        (Some(chapter(2)), Some(chapter(5)))
    );
    assert_eq!(item.status, Resolved);
    assert_eq!(item.history.len(), 3);
}

#[test]
fn a_resolve_before_a_plant_and_a_second_plant_are_warned_about_and_kept() {
    use ForeshadowAction::{Planted, Resolved};
    let (global, warnings) = recorded(&[
        (1, "ghost", Resolved),
        (2, "jade", Planted),
        (3, "jade", Planted),
    ]);
    assert_eq!(
        warnings,
        ["foreshadow_not_planted", "foreshadow_planted_twice"]
    );
    assert_eq!(global.foreshadowing[0].planted_chapter, None);
    assert_eq!(global.foreshadowing[1].history.len(), 2);
    assert_eq!(global.foreshadowing[1].planted_chapter, Some(chapter(2)));
}

#[test]
fn only_short_items_become_overdue() {
    let (mut global, _) = recorded(&[
        (2, "jade", ForeshadowAction::Planted),
        (2, "throne", ForeshadowAction::Planted),
    ]);
    assert!(!is_overdue(&global.foreshadowing[0], chapter(6)));
    assert!(is_overdue(&global.foreshadowing[0], chapter(7)));
    assert!(!is_overdue(&global.foreshadowing[1], chapter(99)));
    global.foreshadowing[0].status = ForeshadowAction::Resolved;
    assert!(!is_overdue(&global.foreshadowing[0], chapter(7)));
}

#[test]
fn tasks_are_what_the_contract_touches_what_is_due_and_what_is_overdue() {
    let (global, _) = recorded(&[(2, "jade", ForeshadowAction::Planted)]);
    let ids = |number: u32, updates: Value| -> Vec<String> {
        tasks(&global, &plan(), &contract(updates), chapter(number))
            .iter()
            .map(|task| task["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids(3, json!({})), Vec::<String>::new());
    assert_eq!(ids(5, json!({})), ["jade"]);
    assert_eq!(ids(7, json!({})), ["jade"], "overdue");
    assert_eq!(ids(7, json!({"throne": "planted"})), ["jade", "throne"]);
    assert_eq!(ids(45, json!({})), ["jade", "throne"]);
}
