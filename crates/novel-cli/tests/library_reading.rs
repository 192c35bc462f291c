//! `novel import --analyse`: cast, places, rules and threads, with quotations, and what a weak model
//! cannot spoil.

use std::{
    collections::BTreeMap,
    process::Stdio,
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};

use novel_mockllm::{Behaviour, MockServer, Request};
use novel_testkit::{TestBook, tree};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

const BOOK: [&str; 3] = [
    "Chapter 1 The letter\nElizabeth Bennet walked alone to Meryton in the rain. “I shall never dance with you again,” \
     said Lizzy, and Darcy bowed. No letter could leave Longbourn without the seal of the house. Who had opened \
     the letter, nobody in Meryton could say.\n",
    "Chapter 2 The ball\nDarcy danced with nobody at the assembly in Meryton. Elizabeth Bennet laughed with her \
     sister Jane, and Jane forgave everybody. The broken seal was found beneath the stairs at Longbourn.\n",
    "Chapter 3 The answer\nIt was Jane who had opened the letter, and she said so at last. Elizabeth Bennet took \
     her hand. Darcy promised to return before the winter, and rode away from Longbourn.\n",
];

fn imported() -> TestBook {
    let shelf = TestBook::with_file("a.txt", BOOK.concat());
    shelf
        .ask(&["import", "a.txt", "--into", "book", "--yes"])
        .data();
    shelf
}

fn on(shelf: &TestBook, args: &[&str]) -> novel_testkit::Output {
    shelf.ask(&[args, &["--project", "book"]].concat())
}

/// What a good reader says of a chapter.
fn reading(chapter: usize) -> Value {
    let person = |evidence: &str, name: &str, description: &str| {
        json!({"evidence": evidence, "name": name, "aliases": [], "description": description,
            "traits": [], "relations": []})
    };
    match chapter {
        1 => json!({
            "people": [
                {"evidence": "Elizabeth Bennet walked alone to Meryton in the rain", "name": "Elizabeth Bennet",
                 "aliases": ["Lizzy"], "description": "She walks where she likes.",
                 "traits": [{"evidence": "I shall never dance with you again", "type": "personality",
                    "rule": "She does not forgive quickly."}],
                 "relations": [{"evidence": "said Lizzy, and Darcy bowed", "to": "Darcy",
                    "description": "She will not dance with him."}]},
                person("said Lizzy, and Darcy bowed", "Darcy", "A proud guest."),
                person("Elizabeth Bennet walked alone to Meryton in the rain", "Wickham", "An officer."),
            ],
            "places": [
                {"evidence": "walked alone to Meryton in the rain", "name": "Meryton", "aliases": [],
                 "inside": null, "description": "The town."},
                {"evidence": "No letter could leave Longbourn without the seal", "name": "Longbourn",
                 "aliases": [], "inside": "Meryton", "description": "The house."}],
            "rules": [{"evidence": "No letter could leave Longbourn without the seal of the house",
                "category": "society", "rule": "No letter leaves Longbourn without the seal.",
                "constraint_type": "hard"}],
            "threads": [{"evidence": "Who had opened the letter, nobody in Meryton could say", "number": null,
                "description": "Who opened the letter?", "action": "planted", "scope": "short"}],
            "ending": null
        }),
        2 => json!({
            "people": [person("sister Jane, and Jane forgave everybody", "Jane", "The gentle sister.")],
            "places": [], "rules": [],
            "threads": [{"evidence": "The broken seal was found beneath the stairs", "number": 1,
                "description": "", "action": "advanced", "scope": "short"}],
            "ending": null
        }),
        _ => json!({
            "people": [person("It was Jane who had opened the letter", "Jane", "She confessed.")],
            "places": [], "rules": [],
            "threads": [
                {"evidence": "It was Jane who had opened the letter", "number": 1,
                 "description": "", "action": "resolved", "scope": "short"},
                {"evidence": "Darcy promised to return before the winter", "number": null,
                 "description": "Will Darcy return before the winter?", "action": "planted", "scope": "medium"}],
            "ending": {"evidence": "Darcy promised to return before the winter", "story": "open"}
        }),
    }
}

fn agent_of(prompt: &str) -> &'static str {
    let agents = [
        ("# Book-reader", "book-reader"),
        ("# Summarizer", "summarizer"),
        ("# Style-analyzer", "style-analyzer"),
        ("# Plot-architect", "plot-architect"),
        ("# Character-weaver", "character-weaver"),
        ("# Chapter writer", "chapter-writer"),
        ("# Style refiner", "style-refiner"),
        ("# Quality judge", "quality-judge"),
    ];
    let mut found = agents.into_iter();
    let found = found.find(|(heading, _)| prompt.lines().any(|line| line == *heading));
    found.unwrap_or_else(|| panic!("{prompt}")).1
}

/// The chapter a reader is asked about.
fn read_chapter(prompt: &str) -> usize {
    let mut chapters = 1..=BOOK.len();
    let is_asked = |chapter: &usize| prompt.contains(&format!("Read chapter {chapter}"));
    chapters.find(is_asked).unwrap()
}

/// The answers an agent of another book gave, in order.
fn answers_of(shelf: &TestBook) -> BTreeMap<String, Vec<String>> {
    let files = shelf.tree();
    let files = files.iter().filter_map(|(path, node)| match node {
        novel_testkit::Node::File(bytes) => Some((path.strip_prefix("book/")?, bytes.as_slice())),
        _ => None,
    });
    let mut calls = novel_testkit::ledger::all_calls(files);
    calls.sort_by_key(|call| (call["at"].to_string(), call["step"].to_string()));
    let mut answers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for call in calls {
        let agent = call["agent"].as_str().unwrap().to_owned();
        let text = call["text"].as_str().unwrap().to_owned();
        answers.entry(agent).or_default().push(text);
    }
    answers
}

/// Has the imported book read by a model; `tables` go to the end of its `novel.toml`.
pub(crate) fn use_model(shelf: &TestBook, server: &MockServer, tables: &str) {
    let config = shelf.text("book/novel.toml");
    let model = format!(
        "[models]\ndefault = \"stub-model\"\n\n[prices.stub-model]\ninput = 1.0\noutput = 2.0\n\n\
         [llm]\nbase_url = \"{}\"\nkey_env = \"STUB_KEY\"\nmax_attempts = 1\n{tables}",
        server.openai_base()
    );
    shelf.write(
        "book/novel.toml",
        format!("executor = \"llm\"\n{config}\n{model}"),
    );
}

/// A book whose reader answers as `read` says; the others answer as the offline author did.
fn with_reader(
    read: impl Fn(&str, usize) -> Behaviour + Send + Sync + 'static,
) -> (TestBook, MockServer) {
    let twin = imported();
    on(&twin, &["import", "--analyse", "--yes"]).data();
    let answers = Mutex::new(answers_of(&twin));
    let server = MockServer::start(move |request: &Request| {
        let prompt = request.prompt();
        let agent = agent_of(&prompt);
        if agent == "book-reader" {
            return read(&prompt, read_chapter(&prompt));
        }
        let mut answers = answers.lock().unwrap();
        let queue = answers.get_mut(agent).unwrap();
        Behaviour::text(queue.remove(0))
    })
    .unwrap();
    let shelf = imported();
    use_model(&shelf, &server, "");
    (shelf, server)
}

fn readings(server: &MockServer) -> Vec<usize> {
    let requests = server.requests();
    let prompts = requests.iter().map(Request::prompt);
    prompts
        .filter(|prompt| agent_of(prompt) == "book-reader")
        .map(|prompt| read_chapter(&prompt))
        .collect()
}

fn names(shelf: &TestBook, key: &str) -> Vec<String> {
    let record = shelf.json("book/logs/imported-reading.json");
    let entries = record[key].as_array().unwrap().iter();
    entries
        .map(|entry| entry["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_model_brings_cast_world_places_and_threads_and_the_book_goes_on() {
    let (shelf, server) = with_reader(|_, chapter| Behaviour::json(&reading(chapter)));
    let before = tree(&shelf.path("book"));
    let data = on(&shelf, &["import", "--analyse", "--yes"]).data();
    let found = &data["analysis"]["found"];
    assert_eq!(
        found,
        &json!({"people": 3, "left_out": 0, "places": 2, "rules": 1, "open_threads": 1,
            "resolved_threads": 1, "story": "open"}),
        "{data:#}"
    );
    assert_eq!(data["analysis"]["dropped"], 1, "Wickham stands nowhere");
    assert_eq!(readings(&server), [1, 2, 3]);
    assert_eq!(
        names(&shelf, "people"),
        ["Elizabeth Bennet", "Darcy", "Jane"]
    );
    let lizzy = shelf.json("book/characters/active/elizabeth-bennet.json");
    assert_eq!(
        lizzy["contracts"][0]["rule"],
        "She does not forgive quickly."
    );
    let profile = shelf.text("book/characters/active/jane.md");
    assert!(
        profile.contains("- chapter 3: “It was Jane who had opened the letter”"),
        "{profile}"
    );
    assert_eq!(
        shelf.json("book/world/rules.json")["rules"][0]["constraint_type"],
        "hard"
    );
    assert_eq!(
        shelf.json("book/world/places.json")["places"][1]["inside"],
        "meryton"
    );
    // Threads are facts of the chapters, with their quotations.
    let threads = shelf.json("book/foreshadowing/global.json");
    let threads = threads["foreshadowing"].as_array().unwrap();
    let of = |at: usize| {
        (
            threads[at]["status"].clone(),
            threads[at]["history"].as_array().unwrap().len(),
        )
    };
    assert_eq!(
        (of(0), of(1)),
        ((json!("resolved"), 3), (json!("planted"), 1))
    );
    assert_eq!(
        threads[0]["history"][2]["evidence"],
        "It was Jane who had opened the letter"
    );
    assert_eq!(
        threads[1]["description"],
        "Will Darcy return before the winter?"
    );
    assert_eq!(on(&shelf, &["doctor"]).data()["findings"], json!([]));
    // The next reader knows the names and the numbers of what is open.
    let second = &server.requests()[1].prompt();
    assert!(second.contains("- Elizabeth Bennet (Lizzy)"), "{second}");
    assert!(second.contains("1. Who opened the letter?"));

    // Reading a book says nothing of what writing a chapter costs.
    assert_eq!(on(&shelf, &["forecast"]).data()["basis"], "prompts");

    // A rollback into the book keeps what was open then; undo takes all of it back.
    on(&shelf, &["rollback", "2"]).data();
    let threads = shelf.json("book/foreshadowing/global.json");
    assert_eq!(
        threads["foreshadowing"][0]["status"], "advanced",
        "{threads:#}"
    );
    assert_eq!(on(&shelf, &["doctor"]).data()["findings"], json!([]));
    on(&shelf, &["undo"]).data();
    on(&shelf, &["undo"]).data();
    assert!(!shelf.has("book/logs/imported-reading.json"));
    assert!(!shelf.has("book/characters/active/jane.json"));
    let after = tree(&shelf.path("book"));
    for path in [
        "brief.md",
        "storylines/storylines.json",
        "style-profile.json",
    ] {
        assert_eq!(after.get(path), before.get(path), "{path}");
    }
}

/// The model that read the book plans the next volume and writes its first chapter; the planner is shown the
/// people and threads that were found.
#[test]
fn the_next_volume_is_planned_and_written_by_the_model_that_read_the_book() {
    let twin = {
        let (twin, _server) = with_reader(|_, chapter| Behaviour::json(&reading(chapter)));
        on(&twin, &["import", "--analyse", "--yes"]).data();
        let config = twin
            .text("book/novel.toml")
            .replace("executor = \"llm\"\n", "");
        twin.write("book/novel.toml", config);
        on(&twin, &["config", "set", "plan.chapters", "5"]).data();
        on(&twin, &["plan"]).data();
        on(&twin, &["plan", "approve"]).data();
        on(&twin, &["continue", "1"]).data();
        twin
    };
    let answers = Arc::new(Mutex::new(answers_of(&twin)));
    let server = MockServer::start(move |request: &Request| {
        let prompt = request.prompt();
        let mut answers = answers.lock().unwrap();
        let agent = agent_of(&prompt);
        let queue = answers.get_mut(agent).unwrap();
        Behaviour::text(if queue.len() > 1 {
            queue.remove(0)
        } else {
            queue[0].clone()
        })
    })
    .unwrap();
    let shelf = imported();
    use_model(&shelf, &server, "");
    on(&shelf, &["config", "set", "plan.chapters", "5"]).data();
    on(&shelf, &["import", "--analyse", "--yes"]).data();
    assert_eq!(on(&shelf, &["start"]).data()["recommended"], "plan");
    on(&shelf, &["plan"]).data();
    let requests = server.requests();
    let mut prompts = requests.iter().map(Request::prompt);
    let plan = prompts
        .find(|prompt| agent_of(prompt) == "plot-architect")
        .unwrap();
    for known in [
        "Elizabeth Bennet",
        "Will Darcy return before the winter?",
        "No letter leaves Longbourn without the seal.",
        "The gentle sister.",
    ] {
        assert!(plan.contains(known), "{known}");
    }
    on(&shelf, &["plan", "approve"]).data();
    let data = on(&shelf, &["continue", "1"]).data();
    assert_eq!(data["finished"][0]["chapter"], 4, "{data:#}");
    assert_eq!(on(&shelf, &["doctor"]).data()["findings"], json!([]));
}

#[test]
fn a_weak_model_is_told_its_faults_once_and_never_stops_the_import() {
    let tries = Mutex::new([0_usize; 4]);
    let (shelf, server) = with_reader(move |_, chapter| {
        let mut tries = tries.lock().unwrap();
        tries[chapter] += 1;
        match (chapter, tries[chapter]) {
            // Wrong types, then a good answer.
            (1, 1) => Behaviour::json(&json!({"people": [{"name": 7}], "places": "none"})),
            // A refusal, twice.
            (2, _) => Behaviour::text("I am sorry, I cannot help with this text."),
            // Nothing of it stands in the text, twice.
            (3, _) => Behaviour::json(&json!({
                "people": [{"evidence": "Gandalf rode his grey horse over the bridge", "name": "Gandalf"}],
                "places": [], "rules": [], "threads": [], "ending": null})),
            (chapter, _) => Behaviour::json(&reading(chapter)),
        }
    });
    let data = on(&shelf, &["import", "--analyse", "--yes"]).data();
    assert_eq!(readings(&server), [1, 1, 2, 2, 3, 3]);
    assert_eq!(data["analysis"]["analysed"], 3, "{data:#}");
    assert_eq!(data["analysis"]["found"]["people"], 2);
    assert_eq!(names(&shelf, "people"), ["Elizabeth Bennet", "Darcy"]);
    let record = shelf.json("book/logs/imported-reading.json");
    assert_eq!(record["unread"], json!([2, 3]));
    let codes: Vec<&Value> = data["analysis"]["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|warning| &warning["code"])
        .collect();
    assert!(codes.contains(&&json!("chapters_unread")), "{codes:?}");
    let again = &server.requests()[1].prompt();
    assert!(again.contains("the list `places` is missing"), "{again}");
    assert_eq!(on(&shelf, &["doctor"]).data()["findings"], json!([]));
    // Once more: it is done.
    assert_eq!(
        on(&shelf, &["import", "--analyse", "--yes"]).data()["analysis"],
        Value::Null
    );
}

#[test]
fn a_kill_while_the_book_is_read_asks_for_no_answer_again() {
    let (told, heard) = mpsc::channel();
    let hung = Mutex::new(false);
    let (shelf, server) = with_reader(move |_, chapter| {
        let mut hung = hung.lock().unwrap();
        if chapter == 3 && !*hung {
            *hung = true;
            told.send(()).unwrap();
            return Behaviour::silent("", 0);
        }
        Behaviour::json(&reading(chapter))
    });
    let args = [
        "import",
        "--analyse",
        "--yes",
        "--project",
        "book",
        "--json",
    ];
    let mut child = shelf
        .command(&args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    heard.recv_timeout(Duration::from_secs(60)).unwrap();
    kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
    assert!(
        !shelf.has("book/characters/active/darcy.json"),
        "all or nothing"
    );
    let data = on(&shelf, &["import", "--analyse", "--yes"]).data();
    assert_eq!(readings(&server), [1, 2, 3, 3]);
    assert_eq!(data["analysis"]["spent"]["reused"], 2);
    assert_eq!(data["analysis"]["found"]["people"], 3);
    assert_eq!(on(&shelf, &["doctor"]).data()["findings"], json!([]));
}

#[test]
fn a_chapter_longer_than_the_budget_is_read_and_recorded_in_parts() {
    let mut text = String::from("Chapter 1 The long road\n");
    for mile in 1..400 {
        let who = if mile < 200 { "Marlow" } else { "Kurtz" };
        text.push_str(&format!(
            "At milestone {mile} the old driver {who} stopped the cart and counted the sacks again.\n\n"
        ));
    }
    let shelf = TestBook::with_file("a.txt", text);
    shelf
        .ask(&["import", "a.txt", "--into", "book", "--yes"])
        .data();
    on(&shelf, &["config", "set", "context.input_tokens", "5000"]).data();
    let estimate = on(&shelf, &["import", "--analyse"]).data();
    let calls = estimate["estimate"]["readings"].as_u64().unwrap();
    assert!((2..8).contains(&calls), "{estimate:#}");
    let data = on(&shelf, &["import", "--analyse", "--yes"]).data();
    assert_eq!(data["analysis"]["analysed"], 1, "{data:#}");
    assert_eq!(names(&shelf, "people"), ["Marlow", "Kurtz"]);
    let summary = shelf.text("book/summaries/chapter-001-summary.md");
    assert!(
        summary.contains("milestone 1 ") && summary.contains("Kurtz"),
        "{summary}"
    );
    assert_eq!(
        summary.matches("storyline_id: main-arc").count(),
        1,
        "{summary}"
    );
    assert_eq!(on(&shelf, &["doctor"]).data()["findings"], json!([]));
}

#[test]
fn an_english_book_goes_on_with_the_people_the_offline_author_found() {
    let shelf = imported();
    let data = on(&shelf, &["import", "--analyse", "--yes"]).data();
    assert!(
        data["analysis"]["found"]["people"].as_u64().unwrap() >= 1,
        "{data:#}"
    );
    on(&shelf, &["plan"]).data();
    on(&shelf, &["plan", "approve"]).data();
    let data = on(&shelf, &["continue", "2"]).data();
    assert_eq!(data["finished"].as_array().unwrap().len(), 2);
    let cast = on(&shelf, &["character", "list"]).data();
    assert!(cast.to_string().contains("Lizzy"), "{cast:#}");
    assert_eq!(on(&shelf, &["doctor"]).data()["findings"], json!([]));
    assert_eq!(on(&shelf, &["check", "all"]).data()["findings"], json!([]));
}

#[test]
fn a_chapter_that_waits_keeps_the_analysis_away() {
    let shelf = imported();
    let pending = json!({"chapter_number": 2, "status": "pending"});
    shelf.write(
        "book/chapters/chapter_002_revision.json",
        pending.to_string(),
    );
    let before = shelf.tree();
    let error = on(&shelf, &["import", "--analyse", "--yes"]).fails(3);
    assert_eq!(error["code"], "PENDING_REVISION", "{error:#}");
    assert_eq!(
        shelf.tree().get("book/characters"),
        before.get("book/characters")
    );
    assert!(!shelf.has("book/logs/imported-reading.json"));
}
