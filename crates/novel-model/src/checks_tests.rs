use serde_json::{Value, json};

use crate::{
    Document, Explain, Format, Problem,
    files::{
        ChapterContract, Character, Evaluation, ForeshadowPlan, Foreshadowing, GeneratedChapter,
        Packet, RevisionStatus, StateDelta, StorylineSchedule, StorylineSpec, Storylines,
        StyleDrift, StyleProfile, WorldRules,
    },
    samples,
};

/// `code pointer` of every problem.
fn found<T: Format>(path: &str, value: &Value) -> Vec<String> {
    let path = path.parse().unwrap();
    let places = |problem: &Problem| {
        let location = problem.location();
        format!(
            "{} {}",
            problem.code,
            &location[problem.path.as_str().len()..]
        )
    };
    match Document::<T>::from_value(&path, value.clone()) {
        Ok(_) => Vec::new(),
        Err(error) => error.problems().iter().map(places).collect(),
    }
}

fn nothing() -> Vec<String> {
    Vec::new()
}

#[test]
fn a_chapter_adds_up() {
    let path = "chapters/chapter_048.json";
    let mut chapter = samples::chapter();
    assert_eq!(found::<GeneratedChapter>(path, &chapter), nothing());
    chapter["total_words"] = json!(8);
    chapter["scenes"][1]["scene_number"] = json!(3);
    assert_eq!(
        found::<GeneratedChapter>(path, &chapter),
        [
            "wrong_order #/scenes/1/scene_number",
            "wrong_sum #/total_words"
        ]
    );
    chapter["scenes"][0]["word_count"] = json!(u64::MAX);
    assert_eq!(found::<GeneratedChapter>(path, &chapter).len(), 2);
}

#[test]
fn a_file_is_about_the_chapter_in_its_name() {
    for (path, expected) in [
        ("chapters/chapter_047.json", 1),
        ("chapters/chapter_1048.json", 1),
        ("chapters/chapter_048.json", 0),
        ("answer.json", 0),
        ("chapter.json", 0),
        ("chapter-.json", 0),
        ("chapter-99999999999999999999.json", 0),
    ] {
        let problems = found::<GeneratedChapter>(path, &samples::chapter());
        assert_eq!(problems.len(), expected, "{path}: {problems:?}");
    }
    let eval = "staging/evaluations/chapter-049-eval.json";
    assert_eq!(
        found::<Evaluation>(eval, &samples::evaluation()),
        ["wrong_chapter #/chapter"]
    );
    let contract = "volumes/vol-02/chapter-contracts/chapter-049.json";
    assert_eq!(
        found::<ChapterContract>(contract, &samples::contract()),
        ["wrong_chapter #/chapter"]
    );
    let delta = json!({"chapter": 48, "base_state_version": 1, "storyline_id": "a", "ops": [1, {"op": "?"}]});
    assert_eq!(
        found::<StateDelta>("staging/state/chapter-048-delta.json", &delta),
        nothing()
    );
    assert_eq!(
        found::<StateDelta>("staging/state/chapter-049-delta.json", &delta),
        ["wrong_chapter #/chapter"]
    );
}

#[test]
fn a_candidate_is_checked_inside_its_revision() {
    let mut chapter = samples::chapter();
    chapter["total_words"] = json!(1);
    let revision = json!({"chapter_number": 48, "status": "pending", "revised_chapter": chapter});
    assert_eq!(
        found::<RevisionStatus>("chapters/chapter_048_revision.json", &revision),
        ["wrong_sum #/revised_chapter/total_words"]
    );
}

#[test]
fn ids_are_unique() {
    let mut contract = samples::contract();
    contract["objectives"][1]["id"] = json!("OBJ-48-1");
    assert_eq!(
        found::<ChapterContract>("x", &contract),
        ["duplicate_id #/objectives/1/id"]
    );
    let rule = json!({"id": "W-001", "rule": "…", "constraint_type": "hard"});
    let rules = json!({"rules": [rule, rule]});
    assert_eq!(
        found::<WorldRules>("x", &rules),
        ["duplicate_id #/rules/1/id"]
    );
    assert_eq!(
        found::<StorylineSpec>("x", &rules),
        ["duplicate_id #/rules/1/id"]
    );
    let line = json!({"id": "a", "storyline_id": "a"});
    assert_eq!(
        found::<Storylines>("x", &json!({"storylines": [line, line]})),
        ["duplicate_id #/storylines/1/id"]
    );
    assert_eq!(
        found::<StorylineSchedule>("x", &json!({"active_storylines": [line, line]})),
        ["duplicate_id #/active_storylines/1/storyline_id"]
    );
}

#[test]
fn foreshadowing_ids_and_ranges_are_sound() {
    let mut facts = samples::foreshadowing();
    let mut second = facts["foreshadowing"][0].clone();
    second["target_resolve_range"] = json!([20, 10]);
    facts["foreshadowing"].as_array_mut().unwrap().push(second);
    let expected = [
        "duplicate_id #/foreshadowing/1/id",
        "wrong_order #/foreshadowing/1/target_resolve_range",
    ];
    assert_eq!(found::<Foreshadowing>("x", &facts), expected);
    assert_eq!(found::<ForeshadowPlan>("x", &facts), expected);
}

#[test]
fn contracts_name_foreshadowing_properly() {
    let mut contract = samples::contract();
    contract["postconditions"]["foreshadowing_updates"] =
        json!({"Bad Id": "planted", "ok": "plantd", "n": 3});
    assert_eq!(
        found::<ChapterContract>("x", &contract),
        [
            "bad_id #/postconditions/foreshadowing_updates/Bad Id",
            "not_allowed #/postconditions/foreshadowing_updates/ok",
            "not_allowed #/postconditions/foreshadowing_updates/n",
        ]
    );
}

#[test]
fn ranges_are_in_order() {
    let mut schedule = samples::schedule();
    assert_eq!(found::<StorylineSchedule>("x", &schedule), nothing());
    schedule["convergence_events"][0]["chapter_range"] = json!([28, 25]);
    assert_eq!(
        found::<StorylineSchedule>("x", &schedule),
        ["wrong_order #/convergence_events/0/chapter_range"]
    );
    let drift = json!({"active": true, "detected_chapter": 9, "window": [9, 5], "drifts": []});
    assert_eq!(found::<StyleDrift>("x", &drift), ["wrong_order #/window"]);
}

#[test]
fn characters_stand_under_their_own_name() {
    let character = json!({"id": "lin-feng", "display_name": "林枫", "contracts": [
        {"id": "C-1", "rule": "…", "valid_from_chapter": 5, "valid_until": 4},
        {"id": "C-1", "rule": "…", "valid_from_chapter": 5, "valid_until": null},
    ]});
    assert_eq!(
        found::<Character>("characters/active/lin-fan.json", &character),
        [
            "wrong_id #/id",
            "duplicate_id #/contracts/1/id",
            "wrong_order #/contracts/0/valid_until"
        ]
    );
    assert_eq!(
        found::<Character>("characters/retired/lin-feng.json", &character).len(),
        2
    );
    let plain = json!({"display_name": "林枫"});
    assert_eq!(
        found::<Character>("characters/active/lin-feng.json", &plain),
        nothing()
    );
    let bad = json!({"id": "../x", "display_name": "林枫"});
    assert_eq!(found::<Character>("answer.json", &bad), ["bad_id #/id"]);
}

#[test]
fn style_numbers_make_sense() {
    let good = json!({"avg_sentence_length": 18.5, "sentence_length_range": [8, 35], "dialogue_ratio": 0.4});
    assert_eq!(found::<StyleProfile>("x", &good), nothing());
    let bad =
        json!({"avg_sentence_length": 0, "sentence_length_range": [35, 8], "dialogue_ratio": 40});
    assert_eq!(
        found::<StyleProfile>("x", &bad),
        [
            "wrong_order #/sentence_length_range",
            "out_of_range #/dialogue_ratio",
            "out_of_range #/avg_sentence_length",
        ]
    );
    let bad = json!({"sentence_length_range": [8]});
    assert_eq!(
        found::<StyleProfile>("x", &bad),
        ["wrong_length #/sentence_length_range"]
    );
}

#[test]
fn a_packet_names_a_step() {
    let mut packet = json!({"version": 1, "step": "chapter:048:draft",
        "agent": {"kind": "subagent", "name": "chapter-writer"},
        "manifest": {"mode": "paths", "paths": {}, "inline": {}},
        "expected_outputs": [], "write_boundary": [], "next_actions": []});
    assert_eq!(found::<Packet>("x", &packet), nothing());
    packet["step"] = json!("chapter:0:draft");
    assert_eq!(found::<Packet>("x", &packet), ["bad_id #/step"]);
}
