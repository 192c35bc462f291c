//! Plans made by hand, each with one fault: reported where it is, and not committed.

use novel_testkit::{Plan, TestBook, assert_same_tree};
use serde_json::{Value, json};

const DIR: &str = "staging/volumes/vol-01";

/// A book that waits for the plan of its first volume, which lies in staging and is sound.
fn planned() -> TestBook {
    let plan = Plan::new(6).lines(2);
    let files = plan.volume_files();
    let book = TestBook::planned(plan);
    for (path, text) in files {
        book.remove(&path);
        book.write(&format!("staging/{path}"), text);
    }
    book.edit(".checkpoint.json", |checkpoint| {
        checkpoint["orchestrator_state"] = json!("VOL_PLANNING");
    });
    book
}

fn contract(chapter: u32) -> String {
    format!("{DIR}/chapter-contracts/chapter-{chapter:03}.json")
}

/// The one problem the plan has now; `advance` and `commit` refuse it too and change nothing.
fn fault(book: &TestBook) -> Value {
    let before = book.tree();
    let mut found = Vec::new();
    for args in [
        &["validate", "volume:01:plan"][..],
        &["advance", "volume:01:plan"],
        &["commit", "--volume", "1"],
    ] {
        let error = book.ask(args).fails(2);
        assert_eq!(error["code"], "VALIDATION_FAILED");
        let problems = error["details"]["problems"].as_array().unwrap().clone();
        assert_eq!(problems.len(), 1, "{problems:#?}");
        assert!(problems[0]["hint"].is_string(), "{problems:#?}");
        found.push(problems[0].clone());
    }
    assert_same_tree(&before, &book.tree(), "nothing is written");
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
    found.remove(0)
}

fn at(problem: &Value) -> (&str, &str, &str) {
    let text = |key: &str| problem[key].as_str().unwrap_or_default();
    (text("code"), text("path"), text("pointer"))
}

#[test]
fn a_sound_plan_is_committed() {
    let book = planned();
    assert_eq!(book.next(), "volume:01:commit");
    book.ask(&["validate", "volume:01:plan"]).data();
    book.ask(&["advance", "volume:01:plan"]).data();
    book.ask(&["commit", "--volume", "1"]).data();
    assert_eq!(book.next(), "chapter:001:draft");
    assert!(!book.has(&format!("{DIR}/outline.md")));
}

#[test]
fn a_gap_in_the_numbering_is_named() {
    let book = planned();
    let outline = book.text(&format!("{DIR}/outline.md"));
    let blocks: Vec<&str> = outline.split("### ").collect();
    let kept: Vec<&str> = (0..blocks.len())
        .filter(|at| *at != 5)
        .map(|at| blocks[at])
        .collect();
    book.write(&format!("{DIR}/outline.md"), kept.join("### "));
    book.remove(&contract(5));
    let problem = fault(&book);
    assert_eq!(at(&problem).0, "chapter_gap");
    assert_eq!(at(&problem).1, format!("{DIR}/outline.md"));
    assert!(problem["line"].as_u64().unwrap() > 3);
    let text = problem["message"].as_str().unwrap();
    assert!(text.contains("chapter 5 is missing"), "{text}");
}

#[test]
fn a_contract_for_a_chapter_that_is_not_in_the_outline_is_named() {
    let book = planned();
    let mut stray = book.json(&contract(6));
    stray["chapter"] = json!(9);
    book.write(&contract(9), stray.to_string());
    assert_eq!(
        at(&fault(&book)),
        ("stray_contract", contract(9).as_str(), "")
    );
}

#[test]
fn a_chapter_without_a_contract_is_named() {
    let book = planned();
    book.remove(&contract(5));
    let problem = fault(&book);
    assert!(
        at(&problem)
            .1
            .ends_with("chapter-contracts/chapter-005.json"),
        "{problem}"
    );
}

#[test]
fn an_unknown_character_is_named_unless_the_plan_introduces_them() {
    let book = planned();
    book.edit(&contract(3), |contract| {
        contract["preconditions"]["character_states"]["白无常"] = json!({"location": "桥头"});
    });
    let problem = fault(&book);
    let pointer = "/preconditions/character_states/白无常";
    assert_eq!(
        at(&problem),
        ("unknown_character", contract(3).as_str(), pointer)
    );
    let new = json!({"characters": [{"id": "bai-wuchang", "display_name": "白无常",
        "profile": "# 白无常\n\n巡夜人。",
        "contracts": [{"type": "speech", "rule": "从不先开口"}]}]});
    book.write(&format!("{DIR}/new-characters.json"), new.to_string());
    book.ask(&["commit", "--volume", "1"]).data();
    let record = book.json("characters/active/bai-wuchang.json");
    assert_eq!(record["contracts"][0]["id"], "C-BAIWUCHANG-001");
    assert!(
        book.text("characters/active/bai-wuchang.md")
            .contains("巡夜人")
    );
    book.ask(&["undo"]).data();
    assert!(!book.has("characters/active/bai-wuchang.json"));
}

/// Somebody chapter 3 has a condition for.
fn first_of_chapter_three(book: &TestBook) -> String {
    let contract = book.json(&contract(3));
    let states = contract["preconditions"]["character_states"].as_object();
    states.unwrap().keys().next().unwrap().clone()
}

#[test]
fn a_broken_chain_of_conditions_is_named() {
    let book = planned();
    let hero = first_of_chapter_three(&book);
    book.edit(&contract(3), |contract| {
        contract["preconditions"]["character_states"][&hero]["location"] = json!("月球");
    });
    let problem = fault(&book);
    let pointer = format!("/preconditions/character_states/{hero}/location");
    assert_eq!(
        at(&problem),
        ("broken_chain", contract(3).as_str(), pointer.as_str())
    );
    let text = problem["message"].as_str().unwrap();
    assert!(
        text.contains("chapter 3") && text.contains("月球") && text.contains("chapter 1"),
        "{text}"
    );
}

#[test]
fn a_thing_nobody_gave_is_a_broken_chain_too() {
    let book = planned();
    let hero = first_of_chapter_three(&book);
    book.edit(&contract(3), |contract| {
        contract["preconditions"]["character_states"][&hero]["inventory"] = json!(["玉玺"]);
    });
    let problem = fault(&book);
    assert_eq!(at(&problem).0, "broken_chain");
    assert!(at(&problem).2.ends_with("/inventory"));
}

#[test]
fn a_resolve_without_a_plant_is_named() {
    let book = planned();
    book.edit(&contract(4), |contract| {
        contract["postconditions"]["foreshadowing_updates"] =
            json!({"ancient_prophecy": "advanced", "never_seen": "resolved"});
    });
    let pointer = "/postconditions/foreshadowing_updates/never_seen";
    assert_eq!(
        at(&fault(&book)),
        ("resolve_without_plant", contract(4).as_str(), pointer)
    );
}

#[test]
fn five_active_storylines_are_too_many() {
    let book = planned();
    let ids = ["main-arc", "b", "c", "d", "e"];
    book.edit("storylines/storylines.json", |lines| {
        let known = lines["storylines"].as_array_mut().unwrap();
        for id in &ids[1..] {
            known.push(json!({"id": id, "name": id}));
        }
    });
    book.edit(&format!("{DIR}/storyline-schedule.json"), |schedule| {
        let active = schedule["active_storylines"].as_array_mut().unwrap();
        for id in &ids[1..] {
            if active.len() < 5 {
                active.push(json!({"storyline_id": id, "volume_role": "seasoning"}));
            }
        }
    });
    let path = format!("{DIR}/storyline-schedule.json");
    let problem = fault(&book);
    assert_eq!(
        at(&problem),
        ("many_storylines", path.as_str(), "/active_storylines")
    );
}

#[test]
fn every_fault_is_listed_at_once() {
    let book = planned();
    book.remove(&contract(5));
    book.edit(&contract(4), |contract| {
        contract["storyline_id"] = json!("nowhere");
        contract["preconditions"]["required_world_rules"] = json!(["W-999"]);
        contract["objectives"][0]["id"] = json!("OBJ-1-1");
    });
    let error = book.ask(&["validate", "volume:01:plan"]).fails(2);
    let problems = error["details"]["problems"].as_array().unwrap();
    let codes: Vec<&str> = problems
        .iter()
        .map(|it| it["code"].as_str().unwrap())
        .collect();
    for code in [
        "wrong_storyline",
        "unknown_storyline",
        "unknown_rule",
        "duplicate_id",
    ] {
        assert!(codes.contains(&code), "{code}: {codes:?}");
    }
    assert!(
        problems
            .iter()
            .any(|it| it["path"].as_str().unwrap().contains("chapter-005"))
    );
}
