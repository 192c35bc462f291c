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
fn strayed(chapters: u32) -> TestBook {
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

/// An answer for the chapters of a book of two, with an event of its own.
fn answer(name: &str) -> Value {
    let chapter = |title: &str| {
        json!({"title": title, "storyline_id": "main-arc", "pov": name, "location": "灯塔",
            "conflict": "她要点灯，风不许", "arc": "从怕到不怕", "before": [{"character": name}],
            "objectives": [{"type": "plot", "required": true, "description": "她点亮了灯"}],
            "after": [], "transition": "灯亮着"})
    };
    json!({"title": "一", "storylines": [], "chapters": [chapter("甲"), chapter("乙")]})
}

#[test]
fn a_model_is_told_what_was_written_and_what_is_wrong_with_its_answer() {
    let book = strayed(2);
    let people = book.ask(&["character", "list"]).data();
    let name = people["characters"][0]["display_name"]
        .as_str()
        .unwrap()
        .to_owned();
    let answers = Mutex::new(vec![answer(&name), answer("无此人")]);
    let server =
        MockServer::start(move |_| Behaviour::json(&answers.lock().unwrap().pop().unwrap()))
            .unwrap();
    book.use_model(&server.openai_base());
    let told = book.ask(&["plan", "from-text"]).data();
    assert_eq!(told["spent"]["calls"], 2, "{told}");
    let prompts: Vec<String> = server
        .requests()
        .iter()
        .map(|request| request.prompt())
        .collect();
    let summary = book.text("summaries/chapter-002-summary.md");
    let first = summary.lines().find(|line| line.starts_with("- ")).unwrap();
    assert!(prompts[0].contains(first), "{}", prompts[0]);
    assert!(prompts[1].contains("无此人"), "{}", prompts[1]);
    let contract = book.json("volumes/vol-01/chapter-contracts/chapter-002.json");
    assert_eq!(contract["objectives"][0]["description"], "她点亮了灯");
    // The title is the chapter's own, whatever the model calls it.
    assert!(!book.text("volumes/vol-01/outline.md").contains("乙"));
}
