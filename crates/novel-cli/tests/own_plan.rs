//! The author's own outline as a plan, and a plan that follows what was written.

use std::sync::Mutex;

use novel_app::{setup::outline as own, write::commit::CommitMode};
use novel_mockllm::{Behaviour, MockServer};
use novel_model::Failure;
use novel_testkit::{
    TestBook, assert_same_tree,
    crash::{Act, Files, files},
    faulty::{FAULTY, pending},
};
use serde_json::{Value, json};

use crate::offline_author::project;

fn block(number: u32, more: &[(&str, &str)]) -> String {
    let mut text = format!("### 第 {number} 章：第 {number} 夜\n");
    for key in [
        "Storyline",
        "POV",
        "Location",
        "Conflict",
        "Arc",
        "Foreshadowing",
        "StateChanges",
        "TransitionHint",
    ] {
        let own = more.iter().find(|(known, _)| *known == key);
        let value = match (own, key) {
            (Some((_, value)), _) => value,
            (None, "Storyline") => "main-arc",
            (None, "Foreshadowing" | "StateChanges") => "无",
            (None, "Conflict") => "守塔人要在天亮前送出口信，而港口已经封了",
            (None, _) => "…",
        };
        text.push_str(&format!("- **{key}**: {value}\n"));
    }
    text
}

fn outline(numbers: std::ops::RangeInclusive<u32>) -> String {
    let blocks: Vec<String> = numbers.map(|number| block(number, &[])).collect();
    format!("# 我的第二卷\n\n{}", blocks.join("\n"))
}

fn file(book: &TestBook, text: &str) -> String {
    let path = book.outside().join("my-outline.md");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn an_outline_becomes_the_plan_is_approved_and_written() {
    let book = TestBook::planning();
    let before = book.content();
    let text = outline(4..=7);
    let path = file(&book, &text);
    let checked = book
        .ask(&["import", "--outline", &path, "--dry-run"])
        .data();
    assert_eq!(checked["written"], false);
    assert_same_tree(&book.content(), &before, "a dry run writes nothing");
    let taken = book.ask(&["import", "--outline", &path]).data();
    assert_eq!(taken["chapters"], json!([4, 7]));
    assert_eq!(taken["written"], true);
    assert_eq!(book.text("staging/volumes/vol-01/outline.md"), text);
    assert_eq!(book.next(), "volume:01:commit");
    assert_eq!(book.ask(&["plan", "show"]).data()["problems"], json!([]));
    book.ask(&["undo"]).data();
    assert_same_tree(&book.content(), &before, "taken back");
    book.ask(&["import", "--outline", &path]).data();
    book.ask(&["plan", "approve"]).data();
    let approved = book.text("volumes/vol-01/outline.md");
    for number in 4..=7 {
        assert!(approved.contains(&block(number, &[])), "{approved}");
    }
    let contract = book.json("volumes/vol-01/chapter-contracts/chapter-005.json");
    assert!(
        contract["objectives"][0]["description"]
            .as_str()
            .unwrap()
            .contains("守塔人"),
        "{contract}"
    );
    book.ask(&["continue"]).data();
    assert_eq!(book.checkpoint()["last_completed_chapter"], 4);
    assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
}

#[test]
fn a_new_book_begins_with_its_outline() {
    let book = TestBook::initialised();
    let path = file(&book, &outline(1..=3));
    book.ask(&["import", "--outline", &path]).data();
    book.ask(&["plan", "approve"]).data();
    assert_eq!(book.state(), "WRITING");
    book.ask(&["continue"]).data();
    assert_eq!(book.checkpoint()["last_completed_chapter"], 1);
}

#[test]
fn an_imported_novel_goes_on_by_the_outline() {
    let novel = "第一章 雨\n\n雨下了一夜，林未守着灯塔。\n\n第二章 风\n\n风从北面来，灯灭了。\n";
    let book = TestBook::with_file("novel.txt", novel);
    let path = file(&book, &outline(3..=4));
    let written = book
        .ask(&["import", "novel.txt", "--yes", "--outline", &path])
        .data();
    assert_eq!(written["outline"]["chapters"], json!([3, 4]));
    book.ask(&["plan", "approve"]).data();
    book.ask(&["continue"]).data();
    assert_eq!(book.checkpoint()["last_completed_chapter"], 3);
}

#[test]
fn an_outline_that_does_not_fit_names_its_lines_and_writes_nothing() {
    let book = TestBook::planning();
    let before = book.content();
    let no_pov = outline(4..=6).replacen("- **POV**: …\n", "", 1);
    let cases = [
        ("只有一段话。\n".to_owned(), "no_chapters", Value::Null),
        (outline(5..=6), "chapter_gap", json!(3)),
        (no_pov, "outline_missing_keys", json!(3)),
        (
            format!("{}\n{}", block(4, &[]), block(5, &[("Storyline", "主线")])),
            "outline_bad_storyline",
            json!(12),
        ),
        (
            block(4, &[("Foreshadowing", "bell（回收）")]),
            "resolve_without_plant",
            json!(1),
        ),
    ];
    for (text, code, line) in cases {
        let path = file(&book, &text);
        let refused = book.refuses(2, &["import", "--outline", &path]);
        assert_eq!(refused["code"], "OUTLINE_DOES_NOT_FIT", "{refused}");
        let problems = refused["details"]["problems"].as_array().unwrap();
        let found = problems.iter().find(|problem| problem["code"] == code);
        let found = found.unwrap_or_else(|| panic!("{code}: {refused:#}"));
        assert_eq!(found["line"], line, "{refused:#}");
        assert_eq!(found["path"], "my-outline.md", "{refused:#}");
    }
    assert_same_tree(&book.content(), &before, "nothing is written");
    let missing = book.refuses(2, &["import", "--outline", "there-is-none.md"]);
    assert_ne!(missing["code"], "OUTLINE_DOES_NOT_FIT");
}

#[test]
fn an_outline_waits_for_the_author_and_for_its_turn() {
    let book = pending();
    let path = file(&book, &outline(FAULTY + 1..=FAULTY + 2));
    let refused = book.ask(&["import", "--outline", &path]).fails(3);
    assert_eq!(refused["code"], "PENDING_REVISION");
    // The trial is the author's to judge before anything else is planned.
    let book = TestBook::initialised();
    book.ask(&["quickstart"]).data();
    let path = file(&book, &outline(4..=5));
    let refused = book.refuses(2, &["import", "--outline", &path]);
    assert_eq!(refused["code"], "NOT_NEXT_STEP");
    assert_eq!(
        refused["hint"], "`novel start` shows what comes next",
        "{refused:#}"
    );
}

#[test]
fn an_outline_in_the_middle_of_a_volume_is_the_plan_of_the_rest() {
    let book = TestBook::demo(2);
    let before = book.content();
    let written = book.text("chapters/chapter-002.md");
    let path = file(&book, &outline(3..=5));
    let shown = book
        .ask(&["import", "--outline", &path, "--dry-run"])
        .data();
    assert_eq!(
        (&shown["chapters"], &shown["written"]),
        (&json!([3, 5]), &json!(false))
    );
    assert_same_tree(&book.content(), &before, "a dry run");
    let data = book.ask(&["import", "--outline", &path]).data();
    assert_eq!(data["chapters"], json!([3, 5]), "{data:#}");
    book.ask(&["plan", "approve"]).data();
    assert_eq!(book.text("chapters/chapter-002.md"), written);
    let planned = book.text("volumes/vol-01/outline.md");
    let headings: Vec<&str> = planned
        .lines()
        .filter(|line| line.starts_with("### "))
        .collect();
    assert_eq!(headings.len(), 5, "{planned}");
    let data = book.ask(&["continue", "1"]).data();
    assert_eq!(data["finished"][0]["chapter"], 3);
    book.ask(&["undo"]).data();
    book.ask(&["undo"]).data();
    book.ask(&["undo"]).data();
    assert_same_tree(&book.content(), &before, "taken back");
}

#[test]
fn a_chapter_whose_block_stays_keeps_its_goals() {
    let book = TestBook::demo(2);
    let text = book.text("volumes/vol-01/outline.md");
    let rest = &text[text.find("### 第 3 章").unwrap()..];
    let contract = |book: &TestBook, chapter: u32| {
        book.json(&format!(
            "volumes/vol-01/chapter-contracts/chapter-{chapter:03}.json"
        ))
    };
    let before: Vec<Value> = (3..=12).map(|chapter| contract(&book, chapter)).collect();
    let at = rest.find("### 第 5 章").unwrap();
    let (head, tail) = rest.split_at(at);
    let line = tail.lines().find(|line| line.starts_with("- **Conflict**"));
    let changed = format!(
        "{head}{}",
        tail.replacen(line.unwrap(), "- **Conflict**: 雨把两个人都困在了闸房里", 1)
    );
    book.ask(&["import", "--outline", &file(&book, &changed)])
        .data();
    // The plan that waits is changed once more: what was kept is kept again.
    let again = changed.replace("困在了闸房里", "困在了堤上");
    book.ask(&["import", "--outline", &file(&book, &again)])
        .data();
    book.ask(&["plan", "approve"]).data();
    for (old, chapter) in before.iter().zip(3..) {
        let new = contract(&book, chapter);
        let goals = |of: &Value| {
            let rules = of["preconditions"]["required_world_rules"].clone();
            [
                of["objectives"].clone(),
                of["acceptance_criteria"].clone(),
                rules,
            ]
        };
        if chapter == 5 {
            let goal = new["objectives"][0]["description"].as_str().unwrap();
            assert!(goal.contains("困在了堤上"), "{new:#}");
        } else {
            assert_eq!(goals(&new), goals(old), "chapter {chapter}");
        }
    }
    book.ask(&["continue", "1"]).data();
    assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
}

#[test]
fn every_crash_point_of_taking_an_outline_leaves_before_or_after() {
    let book = TestBook::planning();
    let text = outline(4..=5);
    let start = files(book.tree());
    let taken = Act {
        name: "import --outline",
        run: &|fs, pid| {
            own::take(&project(fs, pid)?, "my.md", &text, CommitMode::Apply)
                .map(drop)
                .map_err(Failure::from)
        },
        of_interest: Files::clone,
    }
    .enumerate(&start);
    assert!(taken.contains_key("staging/volumes/vol-01/outline.md"));
}

/// A plan that has nothing to do with what was written.
pub(crate) fn strayed(chapters: u32) -> TestBook {
    let book = TestBook::demo(chapters);
    let path = "volumes/vol-01/outline.md";
    let text = book.text(path);
    let text: String = text
        .split_inclusive('\n')
        .map(|line| match line.starts_with("- **Conflict**") {
            true => "- **Conflict**: 一件从未发生的事\n",
            false => line,
        })
        .collect();
    book.write(path, text);
    book
}

#[test]
fn the_plan_follows_what_was_written_and_can_be_taken_back() {
    let book = strayed(2);
    let before = book.content();
    let (chapters, outline) = (
        book.text("chapters/chapter-002.md"),
        book.text("volumes/vol-01/outline.md"),
    );
    let told = book.ask(&["plan", "from-text"]).data();
    assert_eq!(told["chapters"], json!([1, 2]));
    let new = book.text("volumes/vol-01/outline.md");
    let summary = book.text("summaries/chapter-001-summary.md");
    let contract = book.json("volumes/vol-01/chapter-contracts/chapter-001.json");
    let event = contract["objectives"][0]["description"].as_str().unwrap();
    assert!(summary.contains(event), "{event}\n{summary}");
    assert!(new.contains(event), "{new}");
    let unwritten = |text: &str| text[text.find("### 第 3 章").unwrap()..].to_owned();
    assert_eq!(
        unwritten(&new),
        unwritten(&outline),
        "unwritten chapters stay"
    );
    let unplanned = "volumes/vol-01/chapter-contracts/chapter-003.json";
    assert!(
        !told["written"]
            .as_array()
            .unwrap()
            .contains(&json!(unplanned))
    );
    assert_eq!(book.text("chapters/chapter-002.md"), chapters);
    let title = book.json("chapters/chapter_002.json")["chapter_title"].clone();
    assert!(new.contains(title.as_str().unwrap()), "{new}");
    assert_eq!(
        book.operations().last().unwrap()["target"],
        "plan-from-text-vol-01"
    );
    // Once told, there is nothing to tell.
    assert_eq!(
        book.ask(&["plan", "from-text"]).data()["written"],
        json!([])
    );
    assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
    book.ask(&["undo"]).data();
    let after: Vec<_> = book
        .content()
        .into_iter()
        .filter(|(path, _)| before.contains_key(path))
        .collect();
    assert_eq!(book.text("volumes/vol-01/outline.md"), outline);
    assert_eq!(after.len(), before.len());
    book.ask(&["continue"]).data();
}

#[test]
fn walled_chapters_are_told_again_too_and_a_pending_one_stops_it() {
    let book = strayed(3);
    book.ask(&["publish", "--to", "2"]).data();
    let text = book.text("chapters/chapter-001.md");
    book.ask(&["plan", "from-text", "--from", "1", "--to", "2"])
        .data();
    assert_eq!(book.text("chapters/chapter-001.md"), text);
    let book = pending();
    let refused = book.refuses(3, &["plan", "from-text"]);
    assert_eq!(refused["code"], "PENDING_REVISION");
}

#[test]
fn chapters_that_are_not_there_are_not_told() {
    let book = TestBook::demo(2);
    for args in [
        ["plan", "from-text", "--to", "3"].as_slice(),
        &["plan", "from-text", "--from", "2", "--to", "1"],
    ] {
        let refused = book.refuses(2, args);
        assert_eq!(refused["code"], "NOTHING_TO_RETELL", "{args:?}");
    }
    let refused = TestBook::initialised().refuses(2, &["plan", "from-text"]);
    assert_eq!(refused["code"], "NOTHING_TO_RETELL");
}

/// The first sentences of a chapter long enough to be found, quotation marks and all.
pub(crate) fn quotable(book: &TestBook, chapter: u32) -> Vec<String> {
    let json = book.json(&format!("chapters/chapter_{chapter:03}.json"));
    let text = json["scenes"][0]["content"].as_str().unwrap().to_owned();
    let sentences = text.split_inclusive('。').map(str::trim);
    let long = sentences.filter(|it| it.chars().count() > 12 && !it.contains(['“', '\n']));
    long.map(|it| it.trim_end_matches('。').to_owned())
        .collect()
}

/// What a chapter is said to tell, resting on a passage.
pub(crate) fn told(name: &str, passage: &str, event: &str) -> Value {
    json!({"pov": name, "time": null, "places": [], "arc": "从怕到不怕",
        "conflict": {"evidence": passage, "text": "她要点灯，风不许"},
        "events": [{"evidence": passage, "text": event}],
        "people": [{"evidence": passage, "character": name, "location": null,
            "emotional_state": "安定", "status": null, "inventory": null}],
        "threads": [], "meetings": [], "ending": {"evidence": passage, "text": "灯亮着"}})
}

pub(crate) fn hero(book: &TestBook) -> String {
    let people = book.ask(&["character", "list"]).data();
    people["characters"][0]["display_name"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// A server that gives these answers in order, and what it was asked.
pub(crate) fn answering(answers: Vec<Value>) -> MockServer {
    let answers = Mutex::new(answers.into_iter());
    MockServer::start(move |_| Behaviour::json(&answers.lock().unwrap().next().unwrap())).unwrap()
}

#[test]
fn a_model_is_told_what_was_written_and_what_is_wrong_with_its_answer() {
    let book = strayed(2);
    let name = hero(&book);
    let (one, two) = (quotable(&book, 1), quotable(&book, 2));
    let answer = |name: &str| json!({"chapters": [told(name, &one[0], "她点亮了灯"), told(name, &two[0], "她又点亮了灯")]});
    let server = answering(vec![answer("无此人"), answer(&name)]);
    book.use_model(&server.openai_base());
    let retold = book.ask(&["plan", "from-text"]).data();
    assert_eq!(retold["spent"]["calls"], 2, "{retold}");
    let requests = server.requests();
    let prompts: Vec<String> = requests.iter().map(|request| request.prompt()).collect();
    assert!(
        prompts[0].contains(&one[0]) && prompts[0].contains(&two[0]),
        "the texts are read"
    );
    assert!(prompts[1].contains("无此人"), "{}", prompts[1]);
    let contract = book.json("volumes/vol-01/chapter-contracts/chapter-002.json");
    assert_eq!(contract["objectives"][0]["description"], "她又点亮了灯");
    assert_eq!(
        contract["told_from"][0],
        json!({"of": "OBJ-2-1", "quotation": two[0]})
    );
    assert_eq!(
        contract["postconditions"]["state_changes"][&name],
        json!({"emotional_state": "安定"})
    );
    let quoted = &retold["quotations"][0];
    assert_eq!(
        (&quoted["chapter"], &quoted["of"]),
        (&json!(1), &json!("OBJ-1-1"))
    );
    // The title is the chapter's own.
    let title = book.json("chapters/chapter_002.json")["chapter_title"].clone();
    assert!(
        book.text("volumes/vol-01/outline.md")
            .contains(title.as_str().unwrap())
    );
}

#[test]
fn what_the_text_does_not_bear_out_comes_into_no_plan() {
    let book = strayed(2);
    let name = hero(&book);
    let (one, two) = (quotable(&book, 1), quotable(&book, 2));
    let mut first = told(&name, &one[0], "她点亮了灯");
    let invented = "她乘着一条绿色的鲸鱼飞到了月亮的背面去。";
    first["events"]
        .as_array_mut()
        .unwrap()
        .push(json!({"evidence": invented, "text": "她上了月亮"}));
    first["people"][0]["location"] = json!("月宫琼楼");
    first["places"] = json!([{"evidence": one[0], "name": "月宫琼楼"}]);
    first["threads"] = json!([
        {"evidence": one[0], "id": "unheard_of", "action": "resolved", "description": ""},
        {"evidence": one[0], "id": "the_wick", "action": "planted", "description": "烧不完的灯芯"}]);
    let bad = json!({"chapters": [first, told(&name, invented, "她上了月亮")]});
    let server = answering(vec![bad.clone(), bad]);
    book.use_model(&server.openai_base());
    let before = book.text("volumes/vol-01/chapter-contracts/chapter-002.json");
    let data = book.ask(&["plan", "from-text"]).data();
    assert_eq!(server.requests().len(), 2, "asked once more, not for ever");
    assert_eq!(
        data["left"],
        json!([2]),
        "nothing said of it stands in its text: {data}"
    );
    assert_eq!(
        book.text("volumes/vol-01/chapter-contracts/chapter-002.json"),
        before
    );
    let codes: Vec<&str> = data["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["chapters_not_retold", "entries_left_out"]);
    let contract = book
        .json("volumes/vol-01/chapter-contracts/chapter-001.json")
        .to_string();
    for gone in ["月", "unheard_of"] {
        assert!(!contract.contains(gone), "{gone}: {contract}");
    }
    assert!(contract.contains(&two[0]) == one.contains(&two[0]));
    // A thread the text plants and nobody had registered is a thread of the book now, with its passage.
    let threads = book.json("foreshadowing/global.json");
    let all = threads["foreshadowing"].as_array().unwrap();
    let new = all.iter().find(|it| it["id"] == "the_wick").unwrap();
    assert_eq!(new["planted_chapter"], 1);
    assert_eq!(new["history"][0]["evidence"], json!(one[0]));
    let plan = book.json("volumes/vol-01/foreshadowing.json").to_string();
    assert!(plan.contains("the_wick") && contract.contains("the_wick"));
    book.ask(&["undo"]).data();
    let threads = book.text("foreshadowing/global.json");
    assert!(!threads.contains("the_wick"), "one operation: {threads}");
    assert!(
        !book.ask(&["doctor"]).data()["findings"]
            .to_string()
            .contains("error")
    );
}

#[test]
fn the_schedule_follows_the_chapters_that_were_written() {
    let book = strayed(2);
    let line = book.json("logs/chapter-001-log.json")["storyline_id"].clone();
    let path = "volumes/vol-01/storyline-schedule.json";
    let mut schedule = book.json(path);
    let before = schedule.clone();
    // A plan of lines nobody wrote, and a meeting that did not take place.
    schedule["active_storylines"] =
        json!([{"storyline_id": "nobodys-line", "volume_role": "primary"}]);
    schedule["convergence_events"] = json!([{"chapter_range": [1, 2],
        "involved_storylines": [line, "nobodys-line"], "trigger": "一场没有写的会面", "aftermath": null}]);
    let mut lines = book.json("storylines/storylines.json");
    let known = lines["storylines"].as_array_mut().unwrap();
    known.push(json!({"id": "nobodys-line", "name": "无人的线", "type": "sub_arc", "pov_characters": ["无人写过"]}));
    book.write("storylines/storylines.json", lines.to_string());
    book.write(path, schedule.to_string());
    book.ask(&["plan", "from-text"]).data();
    let agreed = book.json(path);
    let active = agreed["active_storylines"].as_array().unwrap();
    let ids: Vec<&Value> = active.iter().map(|it| &it["storyline_id"]).collect();
    assert!(
        ids.contains(&&line) && !ids.contains(&&json!("nobodys-line")),
        "{agreed}"
    );
    assert_eq!(agreed["dormant_storylines"], json!(["nobodys-line"]));
    assert_eq!(agreed["convergence_events"], json!([]));
    assert!(agreed["interleaving_pattern"]["primary_max_consecutive"].as_u64() >= Some(2));
    book.ask(&["undo"]).data();
    assert_eq!(book.json(path), schedule);
    book.write(path, before.to_string());
    book.ask(&["continue"]).data();
}

#[test]
fn a_meeting_the_text_tells_stands_in_the_schedule() {
    let book = strayed(2);
    let name = hero(&book);
    let (one, two) = (quotable(&book, 1), quotable(&book, 2));
    let mut lines = book.json("storylines/storylines.json");
    let known = lines["storylines"].as_array_mut().unwrap();
    known.push(json!({"id": "the-other", "name": "另一条线", "type": "sub_arc", "pov_characters": ["无人写过"]}));
    book.write("storylines/storylines.json", lines.to_string());
    let mut second = told(&name, &two[0], "她点亮了灯");
    second["meetings"] =
        json!([{"evidence": two[0], "storyline": "the-other", "trigger": "两人在灯下相遇"}]);
    let server = answering(vec![
        json!({"chapters": [told(&name, &one[0], "她点亮了灯"), second]}),
    ]);
    book.use_model(&server.openai_base());
    book.ask(&["plan", "from-text"]).data();
    let schedule = book.json("volumes/vol-01/storyline-schedule.json");
    let events = schedule["convergence_events"].as_array().unwrap();
    let met = events
        .iter()
        .find(|it| it["trigger"] == "两人在灯下相遇")
        .unwrap();
    assert_eq!(met["chapter_range"], json!([2, 2]), "{met}");
}

#[test]
fn the_offline_author_tells_what_the_text_says_and_no_change_of_the_old_contract() {
    let book = TestBook::demo(2);
    let path = "volumes/vol-01/chapter-contracts/chapter-002.json";
    let mut contract = book.json(path);
    let name = hero(&book);
    contract["postconditions"]["state_changes"] =
        json!({(name.as_str()): {"location": "月宫琼楼", "status": "dead"}});
    book.write(path, contract.to_string());
    let data = book.ask(&["plan", "from-text"]).data();
    let new = book.json(path);
    assert!(
        !new.to_string().contains("月宫琼楼") && !new.to_string().contains("dead"),
        "{new}"
    );
    let text: String = (1..=2)
        .map(|chapter| book.text(&format!("chapters/chapter-{chapter:03}.md")))
        .collect();
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let quotations = data["quotations"].as_array().unwrap();
    assert!(quotations.len() >= 6, "{data}");
    for told in quotations {
        let quotation = told["quotation"].as_str().unwrap().trim_end_matches('…');
        assert!(plain(&text).contains(&plain(quotation)), "{told}");
    }
    for (_, changes) in new["postconditions"]["state_changes"].as_object().unwrap() {
        for value in changes
            .as_object()
            .unwrap()
            .values()
            .filter_map(Value::as_str)
        {
            assert!(text.contains(value), "{value}");
        }
    }
}

#[test]
fn a_chapter_longer_than_the_budget_is_told_in_parts() {
    let book = strayed(2);
    let name = hero(&book);
    let long = quotable(&book, 2);
    let config = book.text("novel.toml");
    book.write(
        "novel.toml",
        format!("{config}\n[context]\ninput_tokens = 5200\n"),
    );
    let passages = long.clone();
    let server = MockServer::start(move |request| {
        let prompt = request.prompt();
        let shown: Vec<&String> = passages
            .iter()
            .filter(|it| prompt.contains(it.as_str()))
            .collect();
        let passage = shown
            .first()
            .map_or("一段不在正文里的话一段不在正文里的话", |it| it.as_str());
        Behaviour::json(&json!({"chapters": [told(&name, passage, passage)]}))
    })
    .unwrap();
    book.use_model(&server.openai_base());
    let data = book
        .ask(&["plan", "from-text", "--from", "2", "--to", "2"])
        .data();
    let prompts: Vec<String> = server.requests().iter().map(|it| it.prompt()).collect();
    assert!(
        prompts.len() > 1,
        "one part only; {} tokens?",
        prompts[0].len()
    );
    assert!(
        prompts[0].contains("分 ") || prompts[0].contains("部分"),
        "{}",
        prompts[0]
    );
    let all = prompts.concat();
    assert!(
        long.iter().all(|sentence| all.contains(sentence)),
        "every sentence was read"
    );
    assert_eq!(data["left"], json!([]));
}
