//! The people a plan brings are written out by the character-weaver before anybody approves it.

use std::fs;

use novel_mockllm::{Behaviour, MockServer};
use novel_testkit::{Node, TestBook};
use serde_json::{Value, json};

const STAGED: &str = "staging/volumes/vol-01/new-characters.json";

/// A book whose first volume of six chapters is to be planned.
fn planning() -> TestBook {
    TestBook::once("plan of six chapters", || {
        let home = TestBook::planning();
        home.configure_tables("[plan]\nchapters = 6");
        home
    })
}

/// What an agent answered in a twin of the book that the offline author planned.
fn answer(agent: &str) -> Value {
    let twin = TestBook::once("planned six chapters", || {
        let home = planning();
        home.ask(&["plan"]).data();
        home
    });
    let calls = twin.ledger();
    let call = calls.iter().find(|call| {
        let step = call["step"].as_str().unwrap_or_default();
        call["agent"] == agent && step.starts_with("volume:")
    });
    let call = call.unwrap();
    serde_json::from_str(call["text"].as_str().unwrap()).unwrap()
}

/// A model that plans, and answers for the new people as `weave` says, asked the first, second, …
/// time.
fn model(weave: impl Fn(usize) -> Behaviour + Send + Sync + 'static) -> MockServer {
    let plan = answer("plot-architect");
    let asked = std::sync::atomic::AtomicUsize::new(0);
    MockServer::start(move |request| {
        let prompt = request.prompt();
        if prompt.lines().any(|line| line == "# 谋篇者") {
            return Behaviour::json(&plan);
        }
        assert!(prompt.lines().any(|line| line == "# 织人者"), "{prompt}");
        weave(asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst))
    })
    .unwrap()
}

fn people(value: &Value) -> Vec<&str> {
    let people = value["characters"].as_array().unwrap().iter();
    people
        .map(|person| person["id"].as_str().unwrap())
        .collect()
}

/// The ids of the people the plan brings.
fn planned_people() -> Vec<String> {
    let plan = answer("plot-architect");
    let people = plan["new_characters"].as_array().unwrap().iter();
    people
        .map(|person| person["id"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_offline_author_writes_them_out_and_one_commit_makes_their_files() {
    let home = planning();
    let data = home.ask(&["plan"]).data();
    assert_eq!(data["steps"], json!(["volume:01:plan"]));
    assert_eq!(data["spent"]["calls"], 2, "{data:#}");
    let staged = home.json(STAGED);
    let woven = answer("character-weaver");
    assert_eq!(people(&staged), people(&woven));
    assert!(!people(&staged).is_empty());
    for (person, woven) in staged["characters"]
        .as_array()
        .unwrap()
        .iter()
        .zip(woven["characters"].as_array().unwrap())
    {
        assert_eq!(person["profile"], woven["profile"]);
        assert_eq!(person["contracts"], woven["contracts"]);
    }
    assert!(!home.has(&format!("characters/active/{}.json", people(&staged)[0])));
    // Asking again pays nothing and changes nothing.
    let before = home.tree();
    assert_eq!(home.ask(&["plan"]).data()["spent"]["calls"], 0);
    assert_eq!(home.tree(), before);

    let old = home.json("characters/relationships.json");
    home.ask(&["plan", "approve"]).data();
    for id in people(&staged) {
        let record = home.json(&format!("characters/active/{id}.json"));
        assert!(record["contracts"][0]["id"].is_string());
        assert_eq!(record["contracts"][0]["valid_from_chapter"], 4);
        assert!(home.has(&format!("characters/active/{id}.md")));
    }
    let relations = home.json("characters/relationships.json")["relationships"].clone();
    let relations = relations.as_array().unwrap();
    let kept = old["relationships"].as_array().unwrap();
    assert_eq!(&relations[..kept.len()], kept);
    assert_eq!(
        &relations[kept.len()..],
        woven["relationships"].as_array().unwrap()
    );
    let doctor = home.ask(&["doctor"]).data();
    assert_eq!(doctor["healthy"], true, "{doctor:#}");
    home.ask(&["undo"]).data();
    assert_eq!(home.json("characters/relationships.json"), old);
    assert_eq!(home.tree()[STAGED], before[STAGED]);
    assert_eq!(home.next(), "volume:01:commit");
    // A new plan is made at once and begins without any of it.
    let staged = [
        ("staging/characters/relationships.json", "relationships"),
        ("staging/storylines/storylines.json", "storylines"),
    ];
    for (path, list) in staged {
        home.write(path, json!({list: [], "stale": true}).to_string());
    }
    home.ask(&["plan", "redo"]).data();
    assert_eq!(home.next(), "volume:01:commit");
    for (path, _) in staged {
        assert!(
            !home.has(path) || !home.text(path).contains("stale"),
            "{path}"
        );
    }
}

#[test]
fn a_wrong_answer_is_sent_back_once_with_what_is_wrong() {
    let sound = answer("character-weaver");
    let mut wrong = sound.clone();
    wrong["characters"][0]["id"] = json!("nobody-asked");
    let known = planning();
    let known = fs::read_dir(known.path("characters/active")).unwrap();
    let known = known.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let known = known.filter_map(|name| name.strip_suffix(".json").map(str::to_owned));
    let known = known.min().unwrap();
    wrong["characters"][1]["id"] = json!(known);
    let server = model(move |time| Behaviour::json(if time == 0 { &wrong } else { &sound }));
    let home = planning();
    home.use_model(&server.openai_base());
    let data = home.ask(&["plan"]).data();
    assert_eq!(data["spent"]["calls"], 3, "{data:#}");
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    let again = requests[2].prompt();
    for told in [
        "nobody-asked",
        known.as_str(),
        "/characters/0/id",
        "/characters/1/id",
    ] {
        assert!(again.contains(told), "{told}: {again}");
    }
    // What was asked for: the plan's people, the cast, the rules, the chapters they are in.
    let first = requests[1].prompt();
    for part in ["new_characters", "planned_chapters", "relationships"] {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert!(first.contains(&known) && first.contains("W-001"), "{first}");
    assert_eq!(people(&home.json(STAGED)), planned_people());
    let calls = home.ledger();
    let rejected = calls.iter().filter(|call| call["rejected"].is_array());
    assert_eq!(rejected.count(), 1);
}

#[test]
fn without_a_usable_answer_the_plan_waits_and_can_be_taken_as_it_is() {
    let server = model(|_| Behaviour::json(&json!({"characters": [], "relationships": []})));
    let home = planning();
    home.use_model(&server.openai_base());
    let error = home.ask(&["plan"]).fails(5);
    assert_eq!(error["code"], "VALIDATION_FAILED", "{error:#}");
    let problems = error["details"]["problems"].as_array().unwrap();
    let people_of_plan = people(&home.json(STAGED)).len();
    assert_eq!(problems.len(), people_of_plan, "{problems:#?}");
    assert!(problems.iter().all(|it| it["code"] == "missing_character"));
    assert_eq!(home.state(), "ERROR_RETRY");
    assert_eq!(server.requests().len(), 3, "a plan, and twice the people");
    // The plan itself is sound: the author may take it with the plot-architect's own people.
    let shown = home.ask(&["plan", "show"]).data();
    assert_eq!(shown["problems"], json!([]));
    home.ask(&["plan", "approve"]).data();
    assert_eq!(home.state(), "WRITING");
    for id in planned_people() {
        assert!(home.has(&format!("characters/active/{id}.json")));
    }
}

#[test]
fn an_answer_that_arrived_before_a_crash_is_used_and_not_bought_again() {
    let sound = answer("character-weaver");
    let server = model(move |time| match time {
        0 | 1 => Behaviour::server_error(500),
        // Sent back once: the answer to that is found again too.
        2 => Behaviour::json(&json!({"characters": [], "relationships": []})),
        _ => Behaviour::json(&sound),
    });
    let home = planning();
    home.use_model(&server.openai_base());
    let error = home.ask(&["plan"]).fails(5);
    assert_eq!(error["details"]["stop"], "failed", "{error:#}");
    let crashed = home.copy();
    home.ask(&["plan", "--retry"]).data();
    let bought = server.requests().len();
    // The answer is kept before anything is done with it; a crash leaves just that.
    for (path, node) in home.tree() {
        if let (true, Node::File(bytes)) = (path.starts_with("logs/calls/"), node) {
            crashed.write(&path, bytes);
        }
    }
    let data = crashed.ask(&["plan", "--retry"]).data();
    assert_eq!(
        (&data["spent"]["calls"], &data["spent"]["reused"]),
        (&json!(0), &json!(1)),
        "{data:#}"
    );
    assert_eq!(server.requests().len(), bought);
    assert_eq!(crashed.text(STAGED), home.text(STAGED));
    assert_eq!(crashed.state(), "VOL_PLANNING");
}

#[test]
fn a_plan_written_by_hand_keeps_its_own_people() {
    let home = planning();
    home.ask(&["plan"]).data();
    home.remove("staging/volumes/vol-01/plan.json");
    let mut own = home.json(STAGED);
    own["characters"][0]["profile"] = json!("作者自己写的。");
    home.write(STAGED, own.to_string());
    let data = home.ask(&["run", "--to", "4", "--yes"]).data();
    assert_eq!(data["steps"], json!(["volume:01:commit"]), "{data:#}");
    let id = people(&own)[0].to_owned();
    assert!(
        home.text(&format!("characters/active/{id}.md"))
            .contains("作者自己写的")
    );
}

#[test]
fn a_relationship_to_nobody_is_found_with_the_plan() {
    let home = planning();
    home.ask(&["plan"]).data();
    let path = "staging/characters/relationships.json";
    let mut relations = home.json(path);
    relations["relationships"][0]["to"] = json!("nobody");
    home.write(path, relations.to_string());
    let error = home.ask(&["plan", "approve"]).fails(2);
    let problem = &error["details"]["problems"][0];
    assert_eq!(
        (&problem["code"], &problem["path"], &problem["pointer"]),
        (
            &json!("unknown_character"),
            &json!(path),
            &json!("/relationships/0/to")
        ),
        "{error:#}"
    );
}

#[test]
fn a_plan_that_stopped_before_its_people_goes_on_as_the_same_operation() {
    let home = planning();
    let before = home.ask(&["log"]).data()["total"].as_u64().unwrap();
    let woven = answer("character-weaver");
    let server = model(move |asked| match asked {
        0 => Behaviour::error(401, "authentication_error", "no"),
        _ => Behaviour::json(&woven),
    });
    home.use_model(&server.openai_base());
    home.ask(&["plan"]).fails(5);
    let log = home.ask(&["log", "1"]).data();
    assert_eq!(log["total"], before + 1);
    assert_eq!(log["operations"][0]["kind"], "plan");
    assert_eq!(log["operations"][0]["open"], true);

    home.ask(&["plan", "--retry"]).data();
    let log = home.ask(&["log", "1"]).data();
    assert_eq!(log["total"], before + 1, "{log:#}");
    assert_eq!(log["operations"][0]["kind"], "plan");
    assert_eq!(log["operations"][0]["open"], Value::Null);
}
