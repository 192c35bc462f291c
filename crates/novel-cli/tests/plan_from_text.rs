//! `plan from-text` under attack: planners that answer badly, kills, and what becomes of what the texts showed.

use std::sync::{Arc, Mutex};

use novel_app::{
    executor::{AgentAnswer, AgentCall, AgentError, Executor, Offline, Sign},
    runner::{Budget, Runner, Watch, WatchEvent},
    setup::from_text::from_text,
};
use novel_book::{config::ExecutorKind, run::Approval};
use novel_llm::{CancelToken, Usage};
use novel_mockllm::{Behaviour, MockServer};
use novel_model::Failure;
use novel_testkit::{
    TestBook, Tree, assert_same_tree,
    crash::{Act, files},
    simfs::SimFs,
};
use serde_json::{Value, json};

use crate::{
    offline_author::{book as without_calls, project, released},
    own_plan::{answering, hero, quotable, strayed, told},
};

const CONTRACT: &str = "volumes/vol-01/chapter-contracts/chapter-001.json";

/// The book itself: what was asked for it and kept of it is left out.
fn story(book: &TestBook) -> Tree {
    let mut tree = book.content();
    tree.retain(|path, _| {
        let beside = ["logs/", "archive/", "staging/manifests/"];
        !beside.iter().any(|place| path.starts_with(place))
    });
    tree
}

/// What two chapters are said to tell; a thread nobody knows is planted in the first and taken up in the second.
fn with_a_thread(book: &TestBook) -> Value {
    let name = hero(book);
    let (one, two) = (quotable(book, 1), quotable(book, 2));
    let mut chapters = [
        told(&name, &one[0], "她点亮了灯"),
        told(&name, &two[0], "她守着灯"),
    ];
    chapters[0]["threads"] = json!([{"evidence": one[0], "id": "the_wick", "action": "planted",
        "description": "烧不完的灯芯"}]);
    chapters[1]["threads"] = json!([{"evidence": two[0], "id": "the_wick", "action": "advanced",
        "description": ""}]);
    json!({ "chapters": chapters })
}

fn told_by(book: &TestBook, answers: Vec<Value>) -> (Value, usize) {
    let server = answering(answers);
    book.use_model(&server.openai_base());
    let data = book.ask(&["plan", "from-text"]).data();
    (data, server.count())
}

fn thread(book: &TestBook, id: &str) -> Value {
    let facts = book.json("foreshadowing/global.json");
    let items = facts["foreshadowing"].as_array().unwrap();
    let item = items.iter().find(|item| item["id"] == id);
    item.cloned().unwrap_or_default()
}

fn assert_replays(book: &TestBook) {
    let replayed = novel_testkit::replay::replay(&book.text("state/changelog.jsonl"));
    assert_eq!(replayed, book.text("state/current-state.json"));
    assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
}

#[test]
fn what_the_texts_show_of_threads_stands_on_the_record_of_the_chapters() {
    let book = strayed(2);
    let before = story(&book);
    told_by(&book, vec![with_a_thread(&book)]);
    let item = thread(&book, "the_wick");
    let events = item["history"].as_array().unwrap();
    let steps: Vec<_> = events
        .iter()
        .map(|it| {
            (
                it["chapter"].as_u64().unwrap(),
                it["action"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(steps, [(1, "planted"), (2, "advanced")], "{item:#}");
    let lines = book.lines("state/changelog.jsonl");
    let of = |chapter: u64| {
        lines
            .iter()
            .find(|line| line["chapter"] == chapter)
            .unwrap()
    };
    for (chapter, action) in [(1, "planted"), (2, "advanced")] {
        let ops = of(chapter)["ops"].as_array().unwrap();
        let op = ops
            .iter()
            .find(|it| it["op"]["path"] == "the_wick")
            .unwrap();
        assert_eq!(op["op"]["value"], action);
        assert_eq!(
            op["op"]["evidence"],
            json!(quotable(&book, chapter as u32)[0])
        );
    }
    let active = book.json("state/current-state.json")["active_foreshadowing"].clone();
    assert!(active.as_array().unwrap().contains(&json!("the_wick")));
    assert_replays(&book);
    // Nothing is told twice.
    let data = book.ask(&["plan", "from-text"]);
    assert_eq!(data.code, 5, "the server has no answer left: {data:#?}");
    // Back and forth.
    let after = story(&book);
    book.ask(&["undo"]).data();
    let mut undone = story(&book);
    undone.insert("novel.toml".to_owned(), before["novel.toml"].clone());
    assert_same_tree(&undone, &before, "undone");
    book.ask(&["redo"]).data();
    assert_same_tree(&story(&book), &after, "redone");
    // Worked out anew from the record, the thread is there.
    book.remove("foreshadowing/global.json");
    book.ask(&["doctor", "--fix"]).data();
    let again = thread(&book, "the_wick");
    assert_eq!(
        (&again["history"], &again["description"]),
        (&item["history"], &item["description"])
    );
}

#[test]
fn a_thread_of_a_later_chapter_survives_the_rewriting_of_an_earlier_one() {
    let book = strayed(3);
    let name = hero(&book);
    let passages = [1, 2, 3].map(|chapter| quotable(&book, chapter)[0].clone());
    let mut chapters = passages
        .each_ref()
        .map(|passage| told(&name, passage, "她点亮了灯"));
    chapters[1]["threads"] = json!([{"evidence": passages[1], "id": "the_wick", "action": "planted",
        "description": "烧不完的灯芯"}]);
    told_by(&book, vec![json!({ "chapters": chapters })]);
    let config = book
        .text("novel.toml")
        .replace("executor = \"llm\"", "executor = \"offline\"");
    book.write("novel.toml", config);
    book.tamper("chapters/chapter-001.md");
    book.ask(&["adopt", "1"]).data();
    let item = thread(&book, "the_wick");
    assert_eq!(item["planted_chapter"], 2, "{item:#}");
    assert_eq!(item["description"], "烧不完的灯芯");
    assert_replays(&book);
    // Before its chapter there is no such thread.
    book.ask(&["rollback", "1"]).data();
    assert_eq!(thread(&book, "the_wick"), Value::Null);
    let active = book.json("state/current-state.json")["active_foreshadowing"].to_string();
    assert!(!active.contains("the_wick"), "{active}");
    assert_replays(&book);
}

#[test]
fn a_state_changed_by_hand_stays_as_it_is() {
    let book = strayed(2);
    book.edit("state/current-state.json", |state| {
        state["world_state"]["weather"] = json!("大雪");
    });
    told_by(&book, vec![with_a_thread(&book)]);
    let state = book.json("state/current-state.json");
    assert_eq!(state["world_state"]["weather"], "大雪");
    let lines = book.lines("state/changelog.jsonl");
    assert_eq!(lines.last().unwrap()["reason"], "outside_edit");
    let replayed = novel_testkit::replay::replay(&book.text("state/changelog.jsonl"));
    assert_eq!(replayed, book.text("state/current-state.json"));
}

#[test]
fn an_imported_book_gets_its_threads_too() {
    let novel = "第一章 雨\n\n雨下了整整一夜，林未守着那座灯塔没有合眼。\n\n第二章 风\n\n风从北面来的时候，那盏灯终于灭了。\n";
    let book = TestBook::with_file("novel.txt", novel);
    book.ask(&["import", "novel.txt", "--yes"]).data();
    let tell = |passage: &str, threads: Value| {
        json!({"pov": "", "places": [], "conflict": {"evidence": passage, "text": "灯要灭了"},
            "events": [{"evidence": passage, "text": "守灯"}], "people": [], "threads": threads,
            "ending": {"evidence": passage, "text": "灯灭了"}})
    };
    let (one, two) = (
        "雨下了整整一夜，林未守着那座灯塔没有合眼",
        "风从北面来的时候，那盏灯终于灭了",
    );
    let thread_of = json!([{"evidence": two, "id": "the_lamp", "action": "planted", "description": "灭了的灯"}]);
    told_by(
        &book,
        vec![json!({"chapters": [tell(one, json!([])), tell(two, thread_of)]})],
    );
    assert_eq!(thread(&book, "the_lamp")["planted_chapter"], 2);
    assert_replays(&book);
    book.ask(&["undo"]).data();
    assert!(!book.has("foreshadowing/global.json"));
}

/// What is said twice and is no answer: the command fails, and nothing of the book has changed.
#[test]
fn no_answer_changes_nothing_and_the_command_works_again() {
    let book = strayed(2);
    let name = hero(&book);
    let (one, two) = (quotable(&book, 1), quotable(&book, 2));
    let good =
        json!({"chapters": [told(&name, &one[0], "她点亮了灯"), told(&name, &two[0], "她守着灯")]});
    let mut no_events = good.clone();
    no_events["chapters"][0]["events"] = json!("她点亮了灯");
    let mut people_null = good.clone();
    people_null["chapters"][1]["people"] = Value::Null;
    let mut number_word = good.clone();
    number_word["chapters"][0]["chapter"] = json!("第一章");
    let mut zero = good.clone();
    zero["chapters"][0]["chapter"] = json!(0);
    let mut odd_thread = good.clone();
    odd_thread["chapters"][0]["threads"] =
        json!([{"evidence": one[0], "id": "../../etc", "action": "planted", "description": "灯"}]);
    let mut odd_action = good.clone();
    odd_action["chapters"][0]["threads"] =
        json!([{"evidence": one[0], "id": "the_wick", "action": "burned", "description": "灯"}]);
    let before = story(&book);
    let cases: [(&str, Behaviour); 13] = [
        ("nothing", Behaviour::text("")),
        ("prose", Behaviour::text("好的，我已经读完了这两章。")),
        ("an empty object", Behaviour::json(&json!({}))),
        ("no chapters", Behaviour::json(&json!({"chapters": []}))),
        ("a list", Behaviour::json(&json!([1, 2]))),
        (
            "chapters as a text",
            Behaviour::json(&json!({"chapters": "两章"})),
        ),
        ("events as a text", Behaviour::json(&no_events)),
        ("people null", Behaviour::json(&people_null)),
        ("a number in words", Behaviour::json(&number_word)),
        ("chapter zero", Behaviour::json(&zero)),
        ("an id that is a path", Behaviour::json(&odd_thread)),
        ("an action nobody knows", Behaviour::json(&odd_action)),
        ("cut", Behaviour::cut(good.to_string(), 3)),
    ];
    let said = Arc::new(Mutex::new(Behaviour::text("")));
    let saying = Arc::clone(&said);
    let server = MockServer::start(move |_| saying.lock().unwrap().clone()).unwrap();
    book.use_model(&server.openai_base());
    for (what, answer) in cases {
        *said.lock().unwrap() = answer;
        let asked = server.count();
        let failed = book.ask(&["plan", "from-text"]);
        assert_eq!(failed.code, 5, "{what}: {failed:#?}");
        let error = &failed.json()["error"];
        assert!(!error["message"].as_str().unwrap().is_empty(), "{what}");
        assert!(
            server.count() - asked >= 2 || what == "cut",
            "{what}: asked once more"
        );
        let mut now = story(&book);
        now.insert("novel.toml".to_owned(), before["novel.toml"].clone());
        assert_same_tree(&now, &before, what);
        assert!(!book.is_locked(), "{what}");
    }
    *said.lock().unwrap() = Behaviour::json(&good);
    let asked = server.count();
    let data = book.ask(&["plan", "from-text"]).data();
    assert_eq!(
        (server.count() - asked, &data["left"]),
        (1, &json!([])),
        "{data:#}"
    );
    assert_eq!(
        book.json(CONTRACT)["objectives"][0]["description"],
        "她点亮了灯"
    );
}

#[test]
fn chapters_are_taken_by_their_numbers() {
    let book = strayed(2);
    let name = hero(&book);
    let (one, two) = (quotable(&book, 1), quotable(&book, 2));
    let numbered = |chapter: u32, passage: &str, event: &str| {
        let mut chapter_told = told(&name, passage, event);
        chapter_told["chapter"] = json!(chapter);
        chapter_told
    };
    // The other way round is no fault.
    let turned =
        json!({"chapters": [numbered(2, &two[0], "她守着灯"), numbered(1, &one[0], "她点亮了灯")]});
    let (data, asked) = told_by(&book, vec![turned]);
    assert_eq!(
        (asked, &data["dropped"], &data["left"]),
        (1, &json!(0), &json!([]))
    );
    assert_eq!(
        book.json(CONTRACT)["objectives"][0]["description"],
        "她点亮了灯"
    );
    // Chapters nobody asked for are named and left out; one that is missing keeps its plan.
    let book = strayed(2);
    let kept = book.text("volumes/vol-01/chapter-contracts/chapter-002.json");
    let outside = json!({"chapters": [numbered(1, &one[0], "她点亮了灯"), numbered(7, &two[0], "她守着灯"),
        numbered(1, &one[0], "她又点亮了灯")]});
    let server = answering(vec![outside.clone(), outside]);
    book.use_model(&server.openai_base());
    let data = book.ask(&["plan", "from-text"]).data();
    let asked = server.requests();
    assert_eq!(asked.len(), 2);
    assert!(
        asked[1].prompt().contains("1, 7, 1"),
        "{}",
        asked[1].prompt()
    );
    assert_eq!(data["left"], json!([2]), "{data:#}");
    assert_eq!(
        book.text("volumes/vol-01/chapter-contracts/chapter-002.json"),
        kept
    );
    assert!(
        !book.has("volumes/vol-01/chapter-contracts/chapter-007.json") || {
            let plan = book.text("volumes/vol-01/chapter-contracts/chapter-007.json");
            !plan.contains("她守着灯")
        }
    );
    assert_eq!(
        book.json(CONTRACT)["objectives"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn a_list_that_goes_round_in_circles_is_told_once() {
    let book = strayed(2);
    let name = hero(&book);
    let (one, two) = (quotable(&book, 1), quotable(&book, 2));
    let mut first = told(&name, &one[0], "她点亮了灯");
    // An answer that goes on for longer is ended while it arrives.
    let round = |entry: &Value| Value::Array(vec![entry.clone(); 3]);
    for list in ["events", "people"] {
        first[list] = round(&first[list][0]);
    }
    first["threads"] = round(
        &json!({"evidence": one[0], "id": "the_wick", "action": "planted",
        "description": "烧不完的灯芯"}),
    );
    let (_, asked) = told_by(
        &book,
        vec![json!({"chapters": [first, told(&name, &two[0], "她守着灯")]})],
    );
    assert_eq!(asked, 1);
    let contract = book.json(CONTRACT);
    assert_eq!(
        contract["objectives"].as_array().unwrap().len(),
        1,
        "{contract:#}"
    );
    assert_eq!(
        thread(&book, "the_wick")["history"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let sources: Vec<String> = contract["told_from"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["of"].to_string())
        .collect();
    let once: std::collections::BTreeSet<_> = sources.iter().collect();
    assert_eq!(once.len(), sources.len(), "{sources:?}");
    assert_replays(&book);
}

#[test]
fn what_a_planner_says_stays_on_its_line_and_in_its_chapter() {
    let book = strayed(2);
    let name = hero(&book);
    let (one, two) = (quotable(&book, 1), quotable(&book, 2));
    let mut first = told(
        &name,
        &one[0],
        "她点亮了灯\n### 第 9 章：假的\n- **POV**: 没有人",
    );
    first["time"] = json!("夜\n\n### 第 3 章：假的");
    first["arc"] = json!("怕\n- **Storyline**: nobodys-line");
    // A passage of the other chapter proves nothing here.
    first["events"]
        .as_array_mut()
        .unwrap()
        .push(json!({"evidence": two[0], "text": "她到了第二章"}));
    let headings = |book: &TestBook| {
        let outline = book.text("volumes/vol-01/outline.md");
        let lines = outline.lines().filter(|line| line.starts_with('#'));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let before = headings(&book);
    told_by(
        &book,
        vec![json!({"chapters": [first, told(&name, &two[0], "她守着灯")]}); 2],
    );
    assert_eq!(headings(&book).len(), before.len());
    let outline = book.text("volumes/vol-01/outline.md");
    let lines = |what: &str| {
        outline
            .lines()
            .filter(|line| line.starts_with(what))
            .count()
    };
    assert_eq!(
        lines("- **Storyline**"),
        before.iter().filter(|it| it.starts_with("###")).count()
    );
    assert!(!book.text(CONTRACT).contains("她到了第二章"));
}

#[test]
fn a_plan_that_waits_does_not_bring_back_what_the_texts_refuted() {
    let book = strayed(2);
    book.ask(&["plan", "revise", "--from", "5"]).data();
    book.ask(&["plan", "from-text"]).data();
    let blocks = |book: &TestBook| {
        let outline = book.text("volumes/vol-01/outline.md");
        let [first, third] =
            [1, 3].map(|number| outline.find(&format!("### 第 {number} 章")).unwrap());
        outline[first..third].to_owned()
    };
    let (told, contract) = (blocks(&book), book.text(CONTRACT));
    book.ask(&["plan", "approve"]).data();
    assert_eq!(blocks(&book), told);
    assert_eq!(book.text(CONTRACT), contract);
    assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
    book.ask(&["continue"]).data();
}

/// The planner with one answer.
struct Planner {
    author: Offline,
    answer: String,
}

impl Executor for Planner {
    fn kind(&self) -> ExecutorKind {
        self.author.kind()
    }

    fn model_for(&self, roles: &[&str]) -> String {
        self.author.model_for(roles)
    }

    fn run(
        &self,
        call: &AgentCall<'_>,
        _: &mut dyn FnMut(Sign),
        _: &CancelToken,
    ) -> Result<AgentAnswer, AgentError> {
        Ok(AgentAnswer {
            text: self.answer.clone(),
            raw: self.answer.clone(),
            hints: None,
            model: call.model.to_owned(),
            usage: Usage::default(),
            attempts: 1,
        })
    }
}

struct Nobody;

impl Watch for Nobody {
    fn event(&self, _: &WatchEvent<'_>) {}
}

fn retell(fs: &Arc<SimFs>, pid: u32, answer: &str) -> Result<(), Failure> {
    let project = project(fs, pid)?;
    let executor = Planner {
        author: Offline::new(project.store().clone(), project.config().clone()),
        answer: answer.to_owned(),
    };
    let runner = Runner {
        project: &project,
        executor: &executor,
        watch: &Nobody,
        cancel: &CancelToken::new(),
        budget: Budget::of(project.config()),
        approval: Approval::Author,
    };
    let done = from_text(&runner, None, None)
        .map(drop)
        .map_err(Failure::from);
    released(&project, done)
}

#[test]
fn every_crash_point_of_a_plan_from_text_leaves_before_or_after() {
    let book = strayed(2);
    let answer = with_a_thread(&book).to_string();
    let after = Act {
        name: "plan from-text",
        run: &|fs, pid| retell(fs, pid, &answer),
        of_interest: without_calls,
    }
    .enumerate(&files(book.tree()));
    let text = |path: &str| match &after[path] {
        novel_testkit::simfs::Entry::File(bytes) => String::from_utf8(bytes.clone()).unwrap(),
        novel_testkit::simfs::Entry::Dir => panic!("{path}"),
    };
    for path in [
        "foreshadowing/global.json",
        "state/changelog.jsonl",
        CONTRACT,
    ] {
        assert!(text(path).contains("the_wick"), "{path}");
    }
    let replayed = novel_testkit::replay::replay(&text("state/changelog.jsonl"));
    assert_eq!(replayed, text("state/current-state.json"));
}
