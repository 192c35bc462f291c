use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Map, json};

use super::*;
use crate::{
    files::{ChapterContract, Checkpoint, Evaluation, Foreshadowing, StoryState},
    layout, samples,
};

fn path() -> RelPath {
    "x.json".parse().unwrap()
}

fn parse<T: Format>(text: &str) -> Document<T> {
    Document::parse(&path(), text).unwrap()
}

struct Files(BTreeMap<RelPath, Vec<u8>>);

impl BookReader for Files {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(self.0.get(path).cloned())
    }

    fn list(&self, _: &RelPath) -> Result<Vec<String>, ReadError> {
        Ok(Vec::new())
    }
}

fn hint() -> Message {
    message!(en: "run `novel init`", zh: "请运行 `novel init`")
}

#[test]
fn missing_broken_and_unreadable_differ() {
    let at = layout::checkpoint();
    let load = |bytes: &[u8]| {
        let files = Files([(layout::checkpoint(), bytes.to_vec())].into());
        Document::<Checkpoint>::require(&files, &layout::checkpoint(), hint())
    };
    let none = Files(BTreeMap::new());
    assert!(Document::<Checkpoint>::load(&none, &at).unwrap().is_none());

    let missing = Document::<Checkpoint>::require(&none, &at, hint()).unwrap_err();
    assert_eq!(
        (missing.code(), missing.kind()),
        ("MISSING_FILE", Kind::Input)
    );
    assert_eq!(missing.hint(), Some(hint()));
    assert!(missing.message().zh.contains(".checkpoint.json"));

    let broken = load(b"{").unwrap_err();
    assert_eq!((broken.code(), broken.problems().len()), ("BROKEN_FILE", 1));
    assert_eq!(
        load(b"\xEF\xBB\xBF{}").unwrap_err().code(),
        "BYTE_ORDER_MARK"
    );
    assert!(load(samples::checkpoint().to_string().as_bytes()).is_ok());
}

#[test]
fn a_broken_file_names_its_first_place_and_the_number_of_the_others() {
    let text = r#"{"last_completed_chapter": "1", "orchestrator_state": "X", "revision_count": 1, "revision_count": 2}"#;
    let error = Document::<Checkpoint>::parse(&path(), text).unwrap_err();
    let codes: Vec<&str> = error
        .problems()
        .iter()
        .map(|problem| problem.code)
        .collect();
    assert_eq!(codes, ["duplicate_key", "wrong_type", "not_allowed"]);
    assert!(
        error.message().en.contains("x.json#/revision_count"),
        "{}",
        error.message()
    );
    assert!(error.message().en.contains("2 more"), "{}", error.message());
    assert!(error.message().zh.contains("另有 2 处"));
    assert!(error.hint().is_some());
}

#[test]
fn one_key_under_two_names_is_a_problem() {
    let mut value = samples::evaluation();
    value["contract_verification"]["l1_checks"][0]["contract_id"] = json!("W-002");
    let error = Document::<Evaluation>::from_value(&path(), value).unwrap_err();
    let problem = &error.problems()[0];
    assert_eq!(problem.code, "bad_value");
    assert!(
        problem
            .location()
            .starts_with("x.json#/contract_verification/l1_checks/0")
    );
}

#[test]
fn the_text_has_the_layout_of_project_files() {
    let document = parse::<Checkpoint>(
        r#"{"orchestrator_state":"INIT","last_completed_chapter":0,"pending_actions":[],"x":{"y":3.0}}"#,
    );
    let expected = "{\n  \"orchestrator_state\": \"INIT\",\n  \"last_completed_chapter\": 0,\n  \"pending_actions\": [],\n  \"x\": {\n    \"y\": 3.0\n  }\n}\n";
    assert_eq!(document.to_text(), expected);
    let fresh = Document::new(StoryState::initial());
    assert_eq!(fresh.to_text(), to_json_text(&StoryState::initial()));
    assert_eq!(parse::<StoryState>(&fresh.to_text()), fresh);
}

#[test]
fn a_broken_file_always_has_a_hint() {
    let mut value = samples::evaluation();
    value["scores"]["pacing"]["score"] = json!(9);
    let error = Document::<Evaluation>::from_value(&path(), value).unwrap_err();
    assert_eq!(error.problems()[0].code, "out_of_range");
    assert!(error.hint().unwrap().zh.contains("archive/"));
}

#[test]
fn an_edit_of_an_element_keeps_its_unknown_fields() {
    let mut value = samples::foreshadowing();
    value["foreshadowing"][0]["mood"] = json!("dark");
    value["foreshadowing"][0]["history"][0]["page"] = json!(7);
    let mut document = Document::<Foreshadowing>::from_value(&path(), value.clone()).unwrap();
    document.edit(|facts| {
        let mut first = facts.foreshadowing[0].clone();
        first.id = "second".parse().unwrap();
        facts.foreshadowing.insert(0, first);
        facts.foreshadowing[1].description = "new".to_owned();
        let event = facts.foreshadowing[1].history[1].clone();
        facts.foreshadowing[1].history.push(event);
    });
    let item = &document.raw()["foreshadowing"][1];
    assert_eq!(item["mood"], json!("dark"));
    assert_eq!(item["description"], json!("new"));
    assert_eq!(item["history"][0]["page"], json!(7));
    assert_eq!(item["history"].as_array().unwrap().len(), 3);
    assert_eq!(document.raw()["foreshadowing"][0].get("mood"), None);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("kept exactly", |number| number.abs() < 9e18)
            .prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// Puts every extra value somewhere into some object of `value`.
fn with_extras(
    mut value: Value,
    extras: Vec<(prop::sample::Index, prop::sample::Index, Value)>,
) -> Value {
    for (number, (which, place, extra)) in extras.into_iter().enumerate() {
        let mut objects = Vec::new();
        collect_objects(&value, String::new(), &mut objects);
        let pointer = which.get(&objects).clone();
        let object = value
            .pointer_mut(&pointer)
            .unwrap()
            .as_object_mut()
            .unwrap();
        let mut entries: Vec<(String, Value)> = std::mem::take(object).into_iter().collect();
        let place = place.index(entries.len() + 1);
        entries.insert(place, (format!("extra {number}"), extra));
        *object = entries.into_iter().collect::<Map<_, _>>();
    }
    value
}

fn collect_objects(value: &Value, pointer: String, all: &mut Vec<String>) {
    let mut child = |token: &str, value: &Value| {
        let mut pointer = pointer.clone();
        json::push_token(&mut pointer, token);
        collect_objects(value, pointer, all);
    };
    match value {
        Value::Object(object) => {
            object.iter().for_each(|(key, value)| child(key, value));
            // Its keys are ids and its values words: it has no room for anything else.
            if !pointer.ends_with("/foreshadowing_updates") {
                all.push(pointer);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                child(&index.to_string(), item);
            }
        }
        _ => {}
    }
}

fn extras() -> impl Strategy<Value = Vec<(prop::sample::Index, prop::sample::Index, Value)>> {
    prop::collection::vec(
        (
            any::<prop::sample::Index>(),
            any::<prop::sample::Index>(),
            any_json(),
        ),
        0..6,
    )
}

fn survives<T: Format>(value: &Value) {
    let text = json::layout(value);
    let mut document = parse::<T>(&text);
    assert_eq!(document.to_text(), text);
    document.edit(|_| {});
    assert_eq!(document.to_text(), text);
}

fn changes_only<T: Format>(value: &Value, change: impl FnOnce(&mut T), pointer: &str, new: Value) {
    let mut document = parse::<T>(&json::layout(value));
    document.edit(change);
    let mut expected = value.clone();
    *expected.pointer_mut(pointer).unwrap() = new;
    assert_eq!(document.to_text(), json::layout(&expected));
    let again = parse::<T>(&document.to_text());
    assert_eq!(to_value(again.get()), to_value(document.get()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn everything_survives_an_edit_that_changes_nothing(extras in extras()) {
        survives::<Checkpoint>(&with_extras(samples::checkpoint(), extras.clone()));
        survives::<ChapterContract>(&with_extras(samples::contract(), extras.clone()));
        survives::<Evaluation>(&with_extras(samples::evaluation(), extras.clone()));
        survives::<StoryState>(&with_extras(samples::state(), extras.clone()));
        survives::<Foreshadowing>(&with_extras(samples::foreshadowing(), extras));
    }

    #[test]
    fn an_edit_of_one_field_changes_only_it(extras in extras(), count in 1_u32..) {
        changes_only::<Checkpoint>(
            &with_extras(samples::checkpoint(), extras.clone()),
            |checkpoint| checkpoint.revision_count = count,
            "/revision_count", json!(count),
        );
        changes_only::<Checkpoint>(
            &with_extras(samples::checkpoint(), extras.clone()),
            |checkpoint| checkpoint.pipeline_stage = None,
            "/pipeline_stage", json!(null),
        );
        changes_only::<ChapterContract>(
            &with_extras(samples::contract(), extras.clone()),
            |contract| contract.objectives[1].description = count.to_string(),
            "/objectives/1/description", json!(count.to_string()),
        );
        changes_only::<Evaluation>(
            &with_extras(samples::evaluation(), extras.clone()),
            |evaluation| evaluation.contract_verification.l2_checks[0].rule_id = count.to_string(),
            "/contract_verification/l2_checks/0/contract_id", json!(count.to_string()),
        );
        changes_only::<StoryState>(
            &with_extras(samples::state(), extras),
            |state| { state.world_state.insert("time_marker".to_owned(), json!(count)); },
            "/world_state/time_marker", json!(count),
        );
    }

    #[test]
    fn printing_is_a_fixed_point(value in any_json()) {
        let mut checkpoint = samples::checkpoint();
        checkpoint["pending_actions"] = json!([value]);
        let once = parse::<Checkpoint>(&checkpoint.to_string()).to_text();
        prop_assert_eq!(parse::<Checkpoint>(&once).to_text(), once);
    }

    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        let _ = Document::<Evaluation>::parse(&path(), &text);
    }
}

#[test]
fn a_value_alone_is_what_the_document_means_and_damage_is_named_alike() {
    let at = path();
    let sound = samples::foreshadowing().to_string();
    let value: Foreshadowing = Document::parse_value(&at, &sound).unwrap();
    assert_eq!(value, *parse::<Foreshadowing>(&sound).get());
    let id = r#"{"id": "jade", "status": "planted"}"#;
    for broken in [
        "{\"foreshadowing\": [".to_owned(),
        r#"{"foreshadowing": [{"id": "jade"}]}"#.to_owned(),
        r#"{"foreshadowing": [{"id": "jade", "id": "lamp", "status": "planted"}]}"#.to_owned(),
        format!(r#"{{"foreshadowing": [{id}, {id}]}}"#),
        "{} {}".to_owned(),
    ] {
        let value = Document::<Foreshadowing>::parse_value(&at, &broken).unwrap_err();
        let document = Document::<Foreshadowing>::parse(&at, &broken).unwrap_err();
        assert_eq!(value, document, "{broken}");
    }
    // Formats that need their schema are read through it.
    let checkpoint = Document::<Checkpoint>::parse_value(&at, "[]").unwrap_err();
    assert_eq!(checkpoint.problems()[0].code, "wrong_type");
}
