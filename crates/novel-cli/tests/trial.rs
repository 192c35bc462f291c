//! The trial chapters are planned by the plot-architect before they are written (specification, page
//! 08): a real plan of chapters 1 to 3 that ends no volume.

use novel_mockllm::{Behaviour, MockServer};
use novel_testkit::TestBook;
use serde_json::{Value, json};

const OUTLINE: &str = "volumes/vol-01/outline.md";

/// A book whose trial is to be planned.
fn set_up() -> TestBook {
    TestBook::once("set up to the trial", || {
        let home = TestBook::initialised();
        for (step, agent) in [
            ("quickstart:world", "world-builder"),
            ("quickstart:characters", "character-weaver"),
            ("quickstart:style", "style-analyzer"),
        ] {
            home.feed(&["submit", step, "-"], answer(agent).to_string())
                .data();
            home.ask(&["advance", step]).data();
        }
        assert_eq!(home.next(), "quickstart:trial");
        home
    })
}

/// What the offline author answered in the quick start of a twin.
fn answer(agent: &str) -> Value {
    let twin = TestBook::once("a written trial", || {
        let home = TestBook::initialised();
        home.ask(&["quickstart"]).data();
        home
    });
    let calls = twin.ledger();
    let call = calls.iter().find(|call| call["agent"] == agent).unwrap();
    serde_json::from_str(call["text"].as_str().unwrap()).unwrap()
}

fn fields<'a>(outline: &'a str, key: &str) -> Vec<&'a str> {
    let key = format!("- **{key}**:");
    let lines = outline.lines().filter_map(|line| line.strip_prefix(&key));
    lines.map(str::trim).collect()
}

fn chapter_title(home: &TestBook, chapter: u32) -> String {
    let text = home.text(&format!("chapters/chapter-{chapter:03}.md"));
    text.lines().next().unwrap().to_owned()
}

#[test]
fn the_trial_is_written_from_a_plan_with_places_foreshadowing_and_titles() {
    let home = TestBook::initialised();
    let data = home.ask(&["quickstart"]).data();
    assert_eq!(data["finished"].as_array().unwrap().len(), 3, "{data:#}");
    let calls = home.ledger();
    let planned = calls
        .iter()
        .find(|call| call["step"] == "quickstart:trial")
        .unwrap();
    assert_eq!(planned["agent"], "plot-architect");
    let outline = home.text(OUTLINE);
    let places = fields(&outline, "Location");
    assert_eq!(places.len(), 3);
    assert!(places.iter().all(|place| !place.is_empty()), "{outline}");
    let planted: Vec<&str> = fields(&outline, "Foreshadowing")
        .into_iter()
        .filter(|updates| updates.contains("埋设"))
        .collect();
    assert!(!planted.is_empty(), "{outline}");
    let seeds = home.json("volumes/vol-01/foreshadowing.json");
    let open: Vec<&Value> = seeds["foreshadowing"].as_array().unwrap().iter().collect();
    assert!(
        open.iter()
            .any(|seed| seed["target_resolve_range"][0].as_u64() > Some(3)),
        "something is left for later: {seeds:#}"
    );
    for chapter in 1..=3 {
        let title = chapter_title(&home, chapter);
        for beat in ["起", "承", "转"] {
            assert!(!title.ends_with(beat), "{title}");
        }
        let contract = home.json(&format!(
            "volumes/vol-01/chapter-contracts/chapter-{chapter:03}.json"
        ));
        let states = contract["preconditions"]["character_states"].as_object();
        assert!(
            states.is_some_and(|states| states.values().all(|state| state["location"].is_string())),
            "{contract:#}"
        );
        assert!(contract["objectives"].as_array().unwrap().len() > 1);
    }
    // What was planted is in the book, and the short plan ends no volume.
    let known = home.json("foreshadowing/global.json").to_string();
    assert!(known.contains("burnt_note"), "{known}");
    assert_eq!(home.state(), "QUICK_START");
    assert_eq!(home.next(), "quickstart:results");
    assert!(!home.has("volumes/vol-01/review.md"));
}

#[test]
fn the_first_volume_goes_on_from_the_trial_and_keeps_its_foreshadowing() {
    let home = TestBook::planning();
    home.ask(&["plan"]).data();
    home.ask(&["plan", "approve"]).data();
    assert_eq!(home.next(), "chapter:004:draft");
    let seeds = home.json("volumes/vol-01/foreshadowing.json").to_string();
    assert!(seeds.contains("half_ledger") && seeds.contains("burnt_note"));
    let outline = home.text(OUTLINE);
    assert_eq!(fields(&outline, "Location").len(), 30);
    assert_eq!(home.ask(&["doctor"]).data()["healthy"], true);
}

#[test]
fn an_outside_driver_hands_the_plan_in_and_a_wrong_one_is_refused_with_its_place() {
    let home = set_up();
    let told = home.ask(&["instructions", "quickstart:trial"]).data();
    let packet = &told["packet"];
    assert_eq!(packet["agent"]["name"], "plot-architect");
    let inline = &packet["manifest"]["inline"];
    assert_eq!(
        (&inline["first_chapter"], &inline["last_chapter"]),
        (&json!(1), &json!(3))
    );
    assert_eq!(inline["trial"], true);
    // Nothing is accepted before there is a plan.
    let error = home.ask(&["advance", "quickstart:trial"]).fails(2);
    assert!(error.to_string().contains("outline.md"), "{error:#}");
    let plan = answer("plot-architect");
    let mut new_line = plan.clone();
    new_line["storylines"][0]["id"] = json!("another-line");
    let error = home
        .feed(&["submit", "quickstart:trial", "-"], new_line.to_string())
        .fails(2);
    assert!(error.to_string().contains("another-line"), "{error:#}");
    let mut short = plan.clone();
    short["chapters"].as_array_mut().unwrap().pop();
    let error = home
        .feed(&["submit", "quickstart:trial", "-"], short.to_string())
        .fails(2);
    assert!(error.to_string().contains("wrong_chapters"), "{error:#}");
    home.feed(&["submit", "quickstart:trial", "-"], plan.to_string())
        .data();
    home.ask(&["advance", "quickstart:trial"]).data();
    assert_eq!(home.next(), "chapter:001:draft");
    assert_eq!(home.checkpoint()["trial_until"], 3);
    assert!(!home.has("staging/volumes/vol-01/outline.md"));
}

#[test]
fn somebody_the_trial_brings_is_in_the_cast_and_goes_when_it_is_planned_again() {
    let home = set_up();
    let mut plan = answer("plot-architect");
    plan["new_characters"] = json!([{
        "id": "old-ferryman", "display_name": "老摆渡", "aliases": [],
        "profile": "撑了四十年渡船的老人，记得每一个上船的人。",
        "contracts": [{"type": "behavior", "rule": "从不收熟人的船钱", "exceptions": [], "update_requires": null}]
    }]);
    home.feed(&["submit", "quickstart:trial", "-"], plan.to_string())
        .data();
    home.ask(&["advance", "quickstart:trial"]).data();
    let person = "characters/active/old-ferryman.json";
    assert_eq!(home.json(person)["display_name"], "老摆渡");
    let lines = home.text("storylines/storylines.json");
    home.ask(&["quickstart", "redo", "trial", "--note", "不要老摆渡"])
        .data();
    assert!(!home.has(person));
    assert!(!home.text(OUTLINE).contains("老摆渡"));
    assert_eq!(home.text("storylines/storylines.json"), lines);
    // The planner was told what the author said.
    assert!(home.text("logs/notes.jsonl").contains("不要老摆渡"));
}

#[test]
fn a_trial_that_is_planned_and_then_skipped_leaves_no_plan_behind() {
    let home = set_up();
    let plan = answer("plot-architect");
    home.feed(&["submit", "quickstart:trial", "-"], plan.to_string())
        .data();
    assert!(home.has("staging/volumes/vol-01/outline.md"));
    home.ask(&["advance", "quickstart:results"]).data();
    assert_eq!(home.next(), "volume:01:plan");
    assert!(!home.has("staging/volumes/vol-01/outline.md"));
}

#[test]
fn a_model_is_told_that_it_plans_the_opening_and_is_asked_again_once() {
    let home = set_up();
    let plan = answer("plot-architect");
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let server = MockServer::start(move |request| {
        let prompt = request.prompt();
        if !prompt.lines().any(|line| line == "# 谋篇者") {
            return Behaviour::text("no chapter");
        }
        assert!(prompt.contains("这几章是全书的开头"), "{prompt}");
        let mut plan = plan.clone();
        if asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 0 {
            plan["chapters"][0]["storyline_id"] = json!("another-line");
            plan["storylines"][0]["id"] = json!("another-line");
        }
        Behaviour::json(&plan)
    })
    .unwrap();
    home.use_model(&server.openai_base());
    // The plan is taken; the writer's answer is none, and the run stops there.
    home.ask(&["quickstart"]).fails(5);
    assert_eq!(home.checkpoint()["trial_until"], 3);
    assert!(home.text(OUTLINE).contains("main-arc"));
}
