//! `novel import --analyse`: imported chapters get summaries, state, memory and style.

use std::{fs, process::Stdio, sync::mpsc, time::Duration};

use crate::{library_import::chapters, library_reading::use_model};
use novel_mockllm::{Behaviour, MockServer, Request};
use novel_testkit::{Node, TestBook, assert_same_tree, tree};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

const CHAPTERS: u32 = 4;

/// An imported book of four chapters.
fn imported() -> TestBook {
    let mut text = String::new();
    for chapter in 1..=CHAPTERS {
        text.push_str(&format!("第{chapter}章 其{chapter}\n"));
        for line in 1..=12 {
            text.push_str(&format!(
                "　　第{chapter}日的第{line}个时辰，林枫走过了石桥。“你从哪里来？”老人问他。\n"
            ));
        }
    }
    let shelf = TestBook::with_file("a.txt", text);
    shelf
        .ask(&["import", "a.txt", "--into", "book", "--yes"])
        .data();
    shelf
}

fn analyse(shelf: &TestBook, more: &[&str]) -> novel_testkit::Output {
    shelf.ask(&[&["import", "--analyse", "--project", "book"], more].concat())
}

fn state_version(shelf: &TestBook) -> Value {
    shelf.json("book/state/current-state.json")["state_version"].clone()
}

fn findings(shelf: &TestBook) -> Value {
    shelf.ask(&["doctor", "--project", "book"]).data()["findings"].clone()
}

#[test]
fn the_price_is_shown_before_anything_is_asked() {
    let shelf = imported();
    let before = tree(&shelf.path("book"));
    let data = analyse(&shelf, &[]).data();
    assert_eq!(data["analysis"], Value::Null);
    assert_eq!(data["command"], "novel import --analyse --yes");
    let estimate = &data["estimate"];
    assert_eq!(
        (&estimate["chapters"], &estimate["done"]),
        (&json!(4), &json!(0))
    );
    assert_eq!(
        (&estimate["model"], &estimate["cost_usd"]),
        (&json!("offline"), &Value::Null)
    );
    assert!(
        estimate["input_tokens"].as_u64().unwrap() > 4 * 300,
        "{estimate}"
    );
    assert_same_tree(&before, &tree(&shelf.path("book")), "an estimate");

    let mut config = shelf.text("book/novel.toml");
    config.push_str("\n[models]\ndefault = \"m\"\n\n[prices.m]\ninput = 10.0\noutput = 100.0\n");
    config.push_str(
        "\n[llm]\nbase_url = \"http://127.0.0.1:9/v1\"\n\n[budget]\nmax_cost_usd = 0.0001\n",
    );
    shelf.write("book/novel.toml", config);
    let told = shelf.novel(&[
        "import",
        "--analyse",
        "--executor",
        "llm",
        "--project",
        "book",
        "--lang",
        "en",
    ]);
    assert!(told.stderr.contains("about US$1."), "{told:?}");
    let error = analyse(&shelf, &["--yes", "--executor", "llm"]).fails(3);
    assert_eq!(error["code"], "OVER_BUDGET");
    assert_eq!(error["details"]["analysed"], 0);
}

#[test]
fn an_analysed_book_has_what_a_written_one_has() {
    let shelf = imported();
    let data = analyse(&shelf, &["--yes"]).data();
    assert_eq!(
        (&data["analysis"]["analysed"], &data["analysis"]["style"]),
        (&json!(4), &json!(true))
    );
    for chapter in 1..=CHAPTERS {
        let summary = fs::read_to_string(
            shelf.path(&format!("book/summaries/chapter-{chapter:03}-summary.md")),
        )
        .unwrap();
        assert!(summary.contains("storyline_id: main-arc"), "{summary}");
        let log = shelf.json(&format!("book/logs/chapter-{chapter:03}-log.json"));
        assert_eq!(log["stages"][0]["name"], "summarize");
        assert!(log["summarized"].as_str().unwrap().starts_with("blake3:"));
        assert!(
            shelf
                .path(&format!("book/state/chapter-{chapter:03}-crossref.json"))
                .exists()
        );
    }
    assert_eq!(state_version(&shelf), 4);
    assert!(shelf.path("book/storylines/main-arc/memory.md").exists());
    let style = shelf.json("book/style-profile.json");
    assert_eq!(style["source_type"], "original");
    assert!(
        style["avg_sentence_length"].as_f64().unwrap() > 5.0,
        "{style}"
    );
    assert!(style["dialogue_ratio"].as_f64().unwrap() > 0.1, "{style}");
    assert_eq!(findings(&shelf), json!([]));
    let data = shelf
        .ask(&["search", "石桥", "--in", "summaries", "--project", "book"])
        .data();
    assert!(data["total"].as_u64().unwrap() > 0);

    // Once more: nothing is left to do, and nothing changes.
    let before = tree(&shelf.path("book"));
    let data = analyse(&shelf, &["--yes"]).data();
    assert_eq!(
        (&data["estimate"]["done"], &data["analysis"]),
        (&json!(4), &Value::Null)
    );
    assert_same_tree(&before, &tree(&shelf.path("book")), "a second analysis");

    // The book goes on from its last chapter.
    let status = shelf.ask(&["status", "--project", "book"]).data();
    assert_eq!(status["next"]["step"], "volume:02:plan");
    let packet = shelf
        .ask(&["instructions", "volume:02:plan", "--project", "book"])
        .data();
    assert_eq!(packet["packet"]["manifest"]["inline"]["first_chapter"], 5);
}

#[test]
fn a_summary_that_is_gone_is_made_again_and_the_rest_is_left_alone() {
    let shelf = imported();
    analyse(&shelf, &["--yes"]).data();
    let state = fs::read(shelf.path("book/state/current-state.json")).unwrap();
    let log = fs::read(shelf.path("book/state/changelog.jsonl")).unwrap();
    let gone = shelf.path("book/summaries/chapter-002-summary.md");
    let summary = fs::read(&gone).unwrap();
    fs::remove_file(&gone).unwrap();
    let data = analyse(&shelf, &["--yes"]).data();
    assert_eq!(
        (&data["analysis"]["analysed"], &data["analysis"]["skipped"]),
        (&json!(1), &json!(3))
    );
    assert_eq!(
        data["analysis"]["spent"]["reused"], 1,
        "the answer was there"
    );
    assert_eq!(fs::read(&gone).unwrap(), summary);
    assert_eq!(
        fs::read(shelf.path("book/state/current-state.json")).unwrap(),
        state
    );
    assert_eq!(
        fs::read(shelf.path("book/state/changelog.jsonl")).unwrap(),
        log
    );
    assert_eq!(findings(&shelf), json!([]));
}

#[test]
fn an_analysed_book_rolls_back_to_any_of_its_chapters() {
    let shelf = imported();
    let before = shelf.tree();
    analyse(&shelf, &["--yes"]).data();
    shelf.ask(&["rollback", "2", "--project", "book"]).data();
    assert_eq!(state_version(&shelf), 2);
    assert!(shelf.path("book/storylines/main-arc/memory.md").exists());
    assert!(!shelf.path("book/summaries/chapter-003-summary.md").exists());
    assert_eq!(findings(&shelf), json!([]));
    let undone = shelf.ask(&["undo", "--project", "book"]).data();
    assert_eq!(undone["kind"], "rollback");
    let undone = shelf.ask(&["undo", "--project", "book"]).data();
    assert_eq!(
        (&undone["kind"], &undone["target"]),
        (&json!("analyse"), &json!("book"))
    );
    let state = "book/state/current-state.json";
    assert_eq!(shelf.tree().get(state), before.get(state));
    let data = analyse(&shelf, &["--yes"]).data();
    assert_eq!(data["analysis"]["analysed"], 4);
    assert_eq!(
        (state_version(&shelf), findings(&shelf)),
        (json!(4), json!([]))
    );
}

#[test]
fn an_interrupted_analysis_keeps_what_it_has_and_goes_on() {
    let shelf = imported();
    // The first chapter is analysed; then the agent hangs.
    let mark = shelf.path("asked");
    let script = format!("touch {}; sleep 600", mark.display());
    let config = shelf.text("book/novel.toml");
    shelf.write(
        "book/novel.toml",
        format!(
            "{config}\n[command]\nprogram = [\"sh\", \"-c\", \"{script}\"]\nsandbox = \"compare\"\n"
        ),
    );
    let mut command = shelf.command(&[
        "import",
        "--analyse",
        "--yes",
        "--executor",
        "command",
        "--project",
        "book",
        "--json",
    ]);
    command.env("PATH", std::env::var_os("PATH").unwrap());
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !mark.exists() {
        std::thread::yield_now();
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["error"]["code"], "INTERRUPTED");
    assert_eq!(answer["error"]["details"]["chapter"], 1);
    let data = analyse(&shelf, &["--yes"]).data();
    assert_eq!(data["analysis"]["analysed"], 4);
    assert_eq!(findings(&shelf), json!([]));
}

#[test]
fn an_analysed_book_is_planned_and_written_on() {
    let shelf = imported();
    analyse(&shelf, &["--yes"]).data();
    let on = |args: &[&str]| shelf.ask(&[args, &["--project", "book"]].concat());
    let error = on(&["continue"]).fails(3);
    assert_eq!(error["code"], "NOT_WRITING", "the next volume comes first");
    let offered = on(&["start"]).data();
    assert_eq!(offered["recommended"], "plan", "{offered:#}");
    on(&["plan"]).data();
    on(&["plan", "approve"]).data();
    let data = on(&["continue", "3"]).data();
    let finished = data["finished"].as_array().unwrap().iter();
    let numbers: Vec<u64> = finished.map(|it| it["chapter"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [5, 6, 7]);
    assert_eq!(state_version(&shelf), 7);
    assert_eq!(findings(&shelf), json!([]));
    let check = on(&["check", "all"]).data();
    assert_eq!(check["findings"], json!([]), "{check:#}");
    // What was imported is untouched, and what was written can be taken back to it.
    let before = chapters(&shelf, "book");
    assert_eq!(before.len(), 7);
    on(&["rollback", "4"]).data();
    assert_eq!(chapters(&shelf, "book"), &before[..4]);
    assert_eq!(
        (state_version(&shelf), findings(&shelf)),
        (json!(4), json!([]))
    );
    let data = on(&["run", "--to", "6", "--yes"]).data();
    assert_eq!(data["stop"], "goal_reached", "{data:#}");
    assert_eq!(findings(&shelf), json!([]));
}

#[test]
fn a_book_is_continued_after_an_import_that_was_not_analysed() {
    let shelf = imported();
    let on = |args: &[&str]| shelf.ask(&[args, &["--project", "book"]].concat());
    let data = on(&["run", "--to", "6", "--yes"]).data();
    assert_eq!(
        data["steps"].as_array().unwrap().last().unwrap(),
        "volume:02:commit"
    );
    assert_eq!(findings(&shelf), json!([]));
    let check = on(&["check", "all"]).data();
    assert_eq!(check["findings"], json!([]), "{check:#}");
    // It may still be read later.
    let data = analyse(&shelf, &["--yes"]).data();
    assert_eq!(data["analysis"]["analysed"], 4, "{data:#}");
    assert_eq!(
        (state_version(&shelf), findings(&shelf)),
        (json!(6), json!([]))
    );
}

/// What the offline author answered when it analysed a twin of the book: the book-reader by chapter,
/// the summarizer by chapter, then the style-analyzer.
fn answers() -> Vec<String> {
    let twin = imported();
    analyse(&twin, &["--yes"]).data();
    let tree = twin.tree();
    let files = tree.iter().filter_map(|(path, node)| match node {
        Node::File(bytes) => Some((path.strip_prefix("book/")?, bytes.as_slice())),
        Node::Dir | Node::Link(_) => None,
    });
    let ledger = novel_testkit::ledger::all_calls(files);
    let about = |agent: &'static str| {
        (1..=CHAPTERS).map(move |chapter| (agent, format!("chapter:{chapter:03}:summarize")))
    };
    about("book-reader")
        .chain(about("summarizer"))
        .chain([("style-analyzer", "quickstart:style".to_owned())])
        .map(|(agent, step)| {
            let mut calls = ledger.iter();
            let call = calls.find(|call| call["step"] == step && call["agent"] == agent);
            call.unwrap()["text"].as_str().unwrap().to_owned()
        })
        .collect()
}

/// What is asked, as an index into the answers.
fn asked(request: &Request) -> usize {
    let prompt = request.prompt();
    let is_for = |heading: &str| prompt.lines().any(|line| line == heading);
    let about = |words: fn(u32) -> String| {
        let mut chapters = 1..=CHAPTERS;
        let chapter = chapters.find(|chapter| prompt.contains(&words(*chapter)));
        chapter.unwrap() as usize - 1
    };
    if is_for("# 辨体者") {
        return 2 * CHAPTERS as usize;
    }
    if is_for("# 读稿人") {
        return about(|chapter| format!("通读第 {chapter} 章"));
    }
    assert!(is_for("# 书记"), "{prompt}");
    CHAPTERS as usize + about(|chapter| format!("# 第 {chapter} 章 其{chapter}"))
}

/// The book analysed by a model that answers, unless `reaction` says otherwise to the index and the
/// number of the request.
fn with_model(
    reaction: impl Fn(usize, usize) -> Option<Behaviour> + Send + Sync + 'static,
) -> (TestBook, MockServer) {
    let answers = answers();
    let server = MockServer::start(move |request| {
        let index = asked(request);
        reaction(index, request.number).unwrap_or_else(|| Behaviour::text(&answers[index]))
    })
    .unwrap();
    let shelf = imported();
    use_model(&shelf, &server, "");
    (shelf, server)
}

fn questions(server: &MockServer) -> Vec<usize> {
    server.requests().iter().map(asked).collect()
}

#[test]
fn a_model_reads_the_book_after_its_price_was_shown_and_goes_on_where_it_failed() {
    // The summary of the third chapter fails twice: the call and its retry.
    let (shelf, server) = with_model(|index, number| {
        (index == 6 && number <= 8).then(|| Behaviour::server_error(500))
    });
    let data = analyse(&shelf, &[]).data();
    let cost = data["estimate"]["cost_usd"].as_f64().unwrap();
    assert!(
        cost > 0.0 && data["estimate"]["model"] == "stub-model",
        "{data:#}"
    );
    assert_eq!(
        questions(&server),
        [0_usize; 0],
        "nobody is asked for the price"
    );

    let error = analyse(&shelf, &["--yes"]).fails(5);
    assert_eq!(
        (&error["details"]["chapter"], &error["details"]["analysed"]),
        (&json!(3), &json!(2)),
        "{error:#}"
    );
    assert_eq!(questions(&server), [0, 1, 2, 3, 4, 5, 6, 6]);
    let left = analyse(&shelf, &[]).data();
    assert_eq!(left["estimate"]["done"], 2);
    assert!(left["estimate"]["cost_usd"].as_f64().unwrap() < cost);

    let data = analyse(&shelf, &["--yes"]).data();
    assert_eq!(
        (&data["analysis"]["analysed"], &data["analysis"]["skipped"]),
        (&json!(2), &json!(2))
    );
    assert_eq!(
        data["analysis"]["spent"]["calls"], 3,
        "two chapters and the style"
    );
    assert_eq!(questions(&server), [0, 1, 2, 3, 4, 5, 6, 6, 6, 7, 8]);
    assert_eq!(
        (state_version(&shelf), findings(&shelf)),
        (json!(4), json!([]))
    );
    let data = analyse(&shelf, &["--yes"]).data();
    assert_eq!(data["analysis"], Value::Null, "nothing is left");
    assert_eq!(server.requests().len(), 11);
}

#[test]
fn an_analysis_that_is_killed_in_a_call_buys_no_answer_twice() {
    let (told, heard) = mpsc::channel();
    let (shelf, server) = with_model(move |index, number| {
        let hangs = index == 6 && number == 7;
        if hangs {
            told.send(()).unwrap();
        }
        hangs.then(|| Behaviour::silent("", 0))
    });
    let mut child = shelf
        .command(&[
            "import",
            "--analyse",
            "--yes",
            "--project",
            "book",
            "--json",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    heard.recv_timeout(Duration::from_secs(60)).unwrap();
    kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
    let data = analyse(&shelf, &["--yes"]).data();
    assert_eq!(
        (&data["analysis"]["analysed"], &data["analysis"]["skipped"]),
        (&json!(2), &json!(2)),
        "{data:#}"
    );
    assert_eq!(questions(&server), [0, 1, 2, 3, 4, 5, 6, 6, 7, 8]);
    assert_eq!(
        (state_version(&shelf), findings(&shelf)),
        (json!(4), json!([]))
    );
}

#[test]
fn import_and_analysis_are_one_command_too_and_other_books_are_refused() {
    let shelf = TestBook::with_file(
        "a.txt",
        "第一章 甲\n　　他走了很远。\n第二章 乙\n　　他回来了。\n",
    );
    let data = shelf
        .ask(&["import", "a.txt", "--into", "book", "--yes", "--analyse"])
        .data();
    assert_eq!(
        (&data["written"], &data["analysis"]["analysed"]),
        (&json!(true), &json!(2))
    );
    shelf.ask(&["init", "other"]).data();
    let error = shelf
        .ask(&["import", "--analyse", "--project", "other"])
        .fails(2);
    assert_eq!(error["code"], "NOT_IMPORTED");
    let error = shelf.ask(&["import"]).fails(2);
    assert_eq!(error["code"], "USAGE");
}
