use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::{
    Place,
    files::{
        ChapterContract, Character, Checkpoint, Evaluation, Foreshadowing, GeneratedChapter,
        StoryState, StorylineSchedule,
    },
    samples,
};

fn problems<T: Format>(value: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    check::<T>(&"x.json".parse().unwrap(), value, &mut problems);
    problems
}

fn places(problems: &[Problem]) -> Vec<(&'static str, String)> {
    problems
        .iter()
        .map(|problem| match &problem.place {
            Place::Pointer(pointer) => (problem.code, pointer.clone()),
            place => panic!("{place:?}"),
        })
        .collect()
}

fn with(mut value: Value, pointer: &str, new: Value) -> Value {
    *value.pointer_mut(pointer).unwrap() = new;
    value
}

#[test]
fn all_problems_are_listed_with_their_places() {
    let mut value = samples::contract();
    value["chapter"] = json!("48");
    value["objectives"][0]["required"] = json!("yes");
    value["objectives"][1]
        .as_object_mut()
        .unwrap()
        .shift_remove("description");
    value["transition_hint"]["next_storyline"] = json!("../etc");
    assert_eq!(
        places(&problems::<ChapterContract>(&value)),
        [
            ("wrong_type", "/chapter".to_owned()),
            ("bad_id", "/transition_hint/next_storyline".to_owned()),
            ("wrong_type", "/objectives/0/required".to_owned()),
            ("missing_key", "/objectives/1/description".to_owned()),
        ]
    );
}

#[test]
fn a_misspelt_key_is_suggested() {
    let mut value = samples::checkpoint();
    let object = value.as_object_mut().unwrap();
    let state = object.shift_remove("orchestrator_state").unwrap();
    object.insert("orchestrator_sate".to_owned(), state);
    let problems = problems::<Checkpoint>(&value);
    assert_eq!(
        places(&problems),
        [("missing_key", "/orchestrator_state".to_owned())]
    );
    let hint = problems[0].hint.clone().unwrap();
    assert!(hint.en.contains("`orchestrator_sate`"), "{hint}");
    assert!(hint.zh.contains("`orchestrator_state`"), "{}", hint.zh);
}

#[test]
fn a_misspelt_word_is_suggested_and_all_words_are_named() {
    let value = with(
        samples::checkpoint(),
        "/orchestrator_state",
        json!("WRITNG"),
    );
    let problems = problems::<Checkpoint>(&value);
    assert_eq!(
        places(&problems),
        [("not_allowed", "/orchestrator_state".to_owned())]
    );
    assert!(problems[0].message.en.contains("\"VOL_REVIEW\""));
    assert_eq!(
        problems[0].hint.clone().unwrap().en,
        "did you mean \"WRITING\"?"
    );
}

#[test]
fn a_fault_inside_an_optional_part_is_named_there() {
    let value = with(samples::checkpoint(), "/pipeline_stage", json!("draft"));
    assert_eq!(
        places(&problems::<Checkpoint>(&value)),
        [("not_allowed", "/pipeline_stage".to_owned())]
    );
    let value = with(
        samples::evaluation(),
        "/metadata/judges/secondary/overall",
        json!("3.8"),
    );
    let problems = problems::<Evaluation>(&value);
    assert_eq!(
        places(&problems),
        [(
            "wrong_type",
            "/metadata/judges/secondary/overall".to_owned()
        )]
    );
    assert_eq!(
        problems[0].hint.clone().unwrap().en,
        "write 3.8 without quotation marks"
    );
}

#[test]
fn numbers_keep_their_bounds() {
    for bad in [json!(0.9), json!(5.1), json!(-3), json!(1e300)] {
        let value = with(samples::evaluation(), "/scores/pacing/score", bad.clone());
        assert_eq!(
            places(&problems::<Evaluation>(&value)),
            [("out_of_range", "/scores/pacing/score".to_owned())],
            "{bad}"
        );
    }
    for good in [json!(1), json!(5), json!(3.5), json!(5.0)] {
        let value = with(samples::evaluation(), "/scores/pacing/score", good);
        assert!(problems::<Evaluation>(&value).is_empty());
    }
    for bad in [json!(0), json!(-1), json!(4_294_967_296_u64)] {
        let value = with(samples::contract(), "/chapter", bad);
        assert_eq!(
            places(&problems::<ChapterContract>(&value)),
            [("out_of_range", "/chapter".to_owned())]
        );
    }
}

#[test]
fn a_whole_number_has_no_decimal_point() {
    let value = with(samples::contract(), "/chapter", json!(48.0));
    let problems = problems::<ChapterContract>(&value);
    assert_eq!(places(&problems), [("wrong_type", "/chapter".to_owned())]);
    assert_eq!(problems[0].hint.clone().unwrap().en, "write 48");
}

#[test]
fn pairs_have_two_elements() {
    for bad in [json!([25]), json!([25, 28, 30])] {
        let value = with(
            samples::schedule(),
            "/convergence_events/0/chapter_range",
            bad,
        );
        assert_eq!(
            places(&problems::<StorylineSchedule>(&value)),
            [(
                "wrong_length",
                "/convergence_events/0/chapter_range".to_owned()
            )]
        );
    }
    let value = with(
        samples::schedule(),
        "/convergence_events/0/chapter_range",
        json!(null),
    );
    assert!(problems::<StorylineSchedule>(&value).is_empty());
}

#[test]
fn pointers_are_escaped() {
    let mut pointer = String::new();
    json::push_token(&mut pointer, "a/b~c");
    assert_eq!(pointer, "/a~1b~0c");
}

#[test]
fn what_was_found_is_shown_short() {
    let value = with(samples::contract(), "/chapter", json!("长".repeat(10_000)));
    let problems = problems::<ChapterContract>(&value);
    assert!(problems[0].message.zh.chars().count() < 80);
}

/// Every schema uses only keywords the interpreter knows (or that constrain nothing).
#[test]
fn schemas_use_known_keywords_only() {
    const KNOWN: &[&str] = &[
        "$schema",
        "$defs",
        "$ref",
        "title",
        "description",
        "default",
        "type",
        "properties",
        "required",
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "enum",
        "const",
        "oneOf",
        "anyOf",
        "minimum",
        "maximum",
        "additionalProperties",
        "format",
        "pattern",
        "maxLength",
    ];
    fn walk(name: &str, schema: &Value) {
        let Some(object) = schema.as_object() else {
            return;
        };
        for (keyword, value) in object {
            assert!(KNOWN.contains(&keyword.as_str()), "{name}: {keyword}");
            match keyword.as_str() {
                "properties" | "$defs" => {
                    value
                        .as_object()
                        .unwrap()
                        .values()
                        .for_each(|s| walk(name, s));
                }
                "items" | "additionalProperties" => walk(name, value),
                "prefixItems" | "oneOf" | "anyOf" => {
                    value.as_array().unwrap().iter().for_each(|s| walk(name, s));
                }
                "format" | "pattern" => {
                    let format = object["format"].as_str().unwrap();
                    assert!(
                        ["slug", "foreshadow-id"].contains(&format),
                        "{name}: {format}"
                    );
                }
                _ => {}
            }
        }
    }
    for (name, schema) in crate::schemas() {
        walk(name, &schema);
    }
}

/// Values put in the place of every node of a sample.
fn replacements() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(6),
        json!(1.5),
        json!(4_294_967_296_u64),
        json!(""),
        json!("text"),
        json!("Not A Slug"),
        json!("a--b"),
        json!("under_score"),
        json!("pass"),
        json!("a".repeat(101)),
        json!([]),
        json!([1]),
        json!([2, 1]),
        json!([1, 2, 3]),
        json!({}),
        json!({"id": "x"}),
    ]
}

fn pointers(value: &Value, base: &str, all: &mut Vec<String>) {
    all.push(base.to_owned());
    let children: Vec<(String, &Value)> = match value {
        Value::Object(object) => object.iter().map(|(key, v)| (key.clone(), v)).collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(i, v)| (i.to_string(), v))
            .collect(),
        _ => Vec::new(),
    };
    for (token, child) in children {
        let mut pointer = base.to_owned();
        json::push_token(&mut pointer, &token);
        pointers(child, &pointer, all);
    }
}

fn dropped(value: &Value, pointer: &str) -> Option<Value> {
    let (parent, token) = pointer.rsplit_once('/')?;
    let mut value = value.clone();
    match value.pointer_mut(parent)? {
        Value::Object(object) => drop(object.shift_remove(token)?),
        Value::Array(items) => drop(items.remove(token.parse().ok()?)),
        _ => return None,
    }
    Some(value)
}

/// All documents that differ from `value` in one node.
fn mutants(value: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    pointers(value, "", &mut all);
    let mut mutants = Vec::new();
    for pointer in &all {
        mutants.extend(dropped(value, pointer));
        for new in replacements() {
            mutants.push(with(value.clone(), pointer, new));
        }
    }
    mutants
}

/// The interpreter agrees with an independent validator, and decoding with both.
fn agrees<T: Format>(sample: &Value) {
    let validator = jsonschema::validator_for(&schema_of::<T>()).unwrap();
    assert!(validator.is_valid(sample));
    assert!(problems::<T>(sample).is_empty());
    let (mut valid, mut invalid) = (0, 0);
    for mutant in mutants(sample) {
        let found = problems::<T>(&mutant);
        assert_eq!(
            found.is_empty(),
            validator.is_valid(&mutant),
            "{} disagrees on {mutant}: {found:?}",
            T::SCHEMA
        );
        if found.is_empty() {
            valid += 1;
            let mut undecoded = Vec::new();
            decode::<T>(&"x.json".parse().unwrap(), &mutant, &mut undecoded);
            assert!(undecoded.is_empty(), "{mutant}: {undecoded:?}");
        } else {
            invalid += 1;
        }
    }
    assert!(
        valid > 10 && invalid > 50,
        "{valid} valid, {invalid} invalid"
    );
}

#[test]
fn agrees_with_a_validator_on_checkpoints() {
    agrees::<Checkpoint>(&samples::checkpoint());
}

#[test]
fn agrees_with_a_validator_on_chapters() {
    agrees::<GeneratedChapter>(&samples::chapter());
}

#[test]
fn agrees_with_a_validator_on_contracts() {
    agrees::<ChapterContract>(&samples::contract());
}

#[test]
fn agrees_with_a_validator_on_states() {
    agrees::<StoryState>(&samples::state());
}

#[test]
fn agrees_with_a_validator_on_evaluations() {
    agrees::<Evaluation>(&samples::evaluation());
}

#[test]
fn agrees_with_a_validator_on_schedules_and_foreshadowing() {
    agrees::<StorylineSchedule>(&samples::schedule());
    agrees::<Foreshadowing>(&samples::foreshadowing());
}

/// Every place of a value, as pointers.
fn all_places(value: &Value, at: &str, places: &mut Vec<String>) {
    places.push(at.to_owned());
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                all_places(inner, &format!("{at}/{key}"), places);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                all_places(inner, &format!("{at}/{index}"), places);
            }
        }
        _ => {}
    }
}

fn odd_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2_i64..5).prop_map(Value::from),
        Just(json!(4_294_967_296_u64)),
        Just(json!(3.0)),
        Just(json!(1.5)),
        "[a-zA-Z_ -]{0,6}".prop_map(Value::from),
        Just(json!("planted")),
        Just(json!("a".repeat(101))),
    ];
    leaf.prop_recursive(2, 8, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("id|chapter|action|rule", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Puts `odd` at one place of `sample`, or takes a key away.
fn changed(mut sample: Value, at: usize, odd: Option<Value>) -> Value {
    let mut places = Vec::new();
    all_places(&sample, "", &mut places);
    let place = &places[at % places.len()];
    match odd {
        Some(odd) => *sample.pointer_mut(place).unwrap() = odd,
        None => {
            if let Some((parent, key)) = place.rsplit_once('/')
                && let Some(Value::Object(object)) = sample.pointer_mut(parent)
            {
                object.remove(key);
            }
        }
    }
    sample
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn what_is_read_without_its_schema_would_pass_it(
        at in 0_usize..1000,
        odd in prop::option::weighted(0.9, odd_value()),
    ) {
        let facts = changed(samples::foreshadowing(), at, odd.clone());
        if decode_directly::<Foreshadowing>(&facts).is_some() {
            prop_assert_eq!(problems::<Foreshadowing>(&facts), []);
        }
        let character = changed(samples::character(), at, odd.clone());
        if decode_directly::<Character>(&character).is_some() {
            prop_assert_eq!(problems::<Character>(&character), []);
        }
        let chapter = changed(samples::chapter(), at, odd);
        if decode_directly::<GeneratedChapter>(&chapter).is_some() {
            prop_assert_eq!(problems::<GeneratedChapter>(&chapter), []);
        }
    }
}

#[test]
fn an_array_in_the_place_of_an_object_is_not_read() {
    let facts = json!({"foreshadowing": [["a", "", null, "planted", null, null, null, null, []]]});
    assert_eq!(decode_directly::<Foreshadowing>(&facts), None);
    assert!(decode_directly::<Foreshadowing>(&samples::foreshadowing()).is_some());
    assert!(decode_directly::<Character>(&samples::character()).is_some());
    let chapter =
        json!({"chapter_number": 1, "chapter_title": "", "scenes": [[1, "", 0]], "total_words": 0});
    assert_eq!(decode_directly::<GeneratedChapter>(&chapter), None);
    assert!(decode_directly::<GeneratedChapter>(&samples::chapter()).is_some());
}
