//! `novel volume review`: reports and advice, one transaction, and the way back.

use std::fs;

use novel_mockllm::{Behaviour, MockServer};
use novel_testkit::{TestBook, assert_same_tree};
use serde_json::{Value, json};

/// The demo book with its one volume written.
fn written() -> TestBook {
    TestBook::demo(12)
}

#[test]
fn a_volume_is_reviewed_in_one_transaction_and_undo_takes_it_back() {
    let book = written();
    let before = book.content();
    let state = book.text("state/current-state.json");
    let data = book.ask(&["volume", "review"]).data();
    assert_eq!(
        (&data["volume"], &data["review"], &data["snapshot"]),
        (
            &json!(1),
            &json!("volumes/vol-01/review.md"),
            &json!("state/history/vol-01-state.json")
        )
    );
    assert_eq!(
        (&data["model"], &data["executor"], &data["spent"]["calls"]),
        (&json!("offline"), &json!("offline"), &json!(1))
    );
    let checkpoint = &data["checkpoint"];
    assert_eq!(
        (
            &checkpoint["orchestrator_state"],
            &checkpoint["current_volume"]
        ),
        (&json!("VOL_PLANNING"), &json!(2))
    );
    assert_eq!(book.text("state/history/vol-01-state.json"), state);
    assert!(!book.path("staging/volumes/vol-01/review.md").exists());
    let review = book.text("volumes/vol-01/review.md");
    for heading in [
        "# 第 1 卷回顾",
        "## 需要留意",
        "## 评分",
        "## 篇幅",
        "## 对话",
        "## 故事线",
        "## 伏笔",
        "## 人物",
        "## 文风",
        "## 建议",
        "### 总评",
        "### 下一卷的安排",
    ] {
        let line = format!("{heading}\n");
        assert!(review.contains(&line), "{heading} in\n{review}");
    }
    assert!(review.contains("不是语言模型"), "{review}");
    for finding in data["findings"].as_array().unwrap() {
        assert!(!finding["text"].as_str().unwrap().is_empty(), "{finding:#}");
    }
    assert_eq!(book.ask(&["next"]).data()["step"], "volume:02:plan");
    let newest = &book.ask(&["log", "1"]).data()["operations"][0];
    assert_eq!(
        (&newest["kind"], &newest["target"]),
        (&json!("lifecycle"), &json!("volume:01:review"))
    );

    // A second time nothing is left to do, for the same volume.
    let after = book.tree();
    let again = book.ask(&["volume", "review", "1"]).data();
    assert_eq!(again["already_reviewed"], true);
    assert_same_tree(&book.tree(), &after, "reviewed again");

    let undone = book.ask(&["undo"]).data();
    assert_eq!(undone["kind"], "lifecycle");
    // The author is where she was: nothing waits in staging to be accepted at once.
    assert_same_tree(&book.content(), &before, "undone");
    assert_eq!(book.ask(&["next"]).data()["step"], "volume:01:review");
    // The advice was paid for, and is in the ledger.
    let data = book.ask(&["volume", "review"]).data();
    assert_eq!(data["spent"]["calls"], 0, "{data:#}");
    assert_eq!(book.text("volumes/vol-01/review.md"), review);
}

#[test]
fn an_answer_that_was_paid_for_is_not_asked_for_again() {
    let book = written();
    book.ask(&["volume", "review"]).data();
    book.ask(&["undo"]).data();
    let data = book.ask(&["volume", "review"]).data();
    assert_eq!(
        (&data["spent"]["calls"], &data["spent"]["reused"]),
        (&json!(0), &json!(1))
    );
}

#[test]
fn a_volume_that_is_not_finished_is_not_reviewed() {
    let book = TestBook::demo(1);
    let before = book.tree();
    for args in [&["volume", "review"][..], &["volume", "review", "7"]] {
        let error = book.ask(args).fails(2);
        assert_eq!(error["code"], "NOT_NEXT_STEP", "{error:#}");
    }
    assert_same_tree(&book.tree(), &before, "refused");
}

#[test]
fn a_damaged_file_stops_the_review_before_anything_is_paid() {
    let book = written();
    let path = "evaluations/chapter-004-eval.json";
    book.write(path, "{\"chapter\": 4,");
    let before = book.tree();
    let error = book.ask(&["volume", "review"]).fails(2);
    assert!(
        error["details"]["problems"].to_string().contains(path),
        "{error:#}"
    );
    assert_same_tree(&book.tree(), &before, "refused");
}

#[test]
fn a_program_can_advise_and_is_asked_again_once_when_it_says_nothing() {
    let book = written();
    let counter = book.outside().join("calls");
    let script = format!(
        "cat >/dev/null; echo x >> {0}; [ $(wc -l < {0}) -gt 1 ] && printf '# 看法\\n\\n第七章可以更短。\\n'; exit 0",
        counter.display()
    );
    let mut config = book.text("novel.toml");
    config = config.replace("executor = \"offline\"", "");
    config = format!(
        "executor = \"command\"\n{config}\n[command]\nprogram = [\"sh\", \"-c\", {script:?}]\nsandbox = \"compare\"\n"
    );
    book.write("novel.toml", config);
    let mut command = book.command(&["volume", "review", "--json"]);
    command.env("PATH", "/usr/bin:/bin");
    let data = novel_testkit::Output::of(command).data();
    assert_eq!(
        (&data["model"], &data["executor"]),
        (&json!("sh"), &json!("command"))
    );
    let review = book.text("volumes/vol-01/review.md");
    assert!(
        review.ends_with("## 建议\n\n### 看法\n\n第七章可以更短。\n"),
        "{review}"
    );
    assert_eq!(fs::read_to_string(counter).unwrap().lines().count(), 2);
}

/// The book with its agents behind this server.
fn with_model(server: &MockServer) -> TestBook {
    let book = written();
    let config = book
        .text("novel.toml")
        .replace("executor = \"offline\"", "");
    let config = format!(
        "executor = \"llm\"\n{config}\n[models]\ndefault = \"stub-model\"\n\n[llm]\nbase_url = \"{}\"\nkey_env = \"STUB_KEY\"\nmax_attempts = 1\n",
        server.openai_base()
    );
    book.write("novel.toml", config);
    book
}

#[test]
fn a_model_advises_from_the_reports_and_is_asked_again_once_when_it_says_nothing() {
    let server = MockServer::start(|request| {
        assert!(request.prompt().contains("# 卷末顾问"));
        Behaviour::text(match request.number {
            1 => "```\n\n```",
            _ => "<think>想想</think>\n# 看法\n\n第七章可以更短。\n",
        })
    })
    .unwrap();
    let book = with_model(&server);
    let data = book.ask(&["volume", "review"]).data();
    assert_eq!(
        (&data["model"], &data["executor"], &data["spent"]["calls"]),
        (&json!("stub-model"), &json!("llm"), &json!(2)),
        "{data:#}"
    );
    let prompt = server.requests()[0].prompt();
    let review = book.text("volumes/vol-01/review.md");
    let scores = review
        .split("\n## ")
        .find(|part| part.starts_with("评分"))
        .unwrap();
    let line = scores
        .lines()
        .find(|line| line.chars().any(char::is_numeric));
    assert!(
        prompt.contains(line.unwrap()),
        "told what the program counted"
    );
    assert!(
        review.ends_with("## 建议\n\n### 看法\n\n第七章可以更短。\n"),
        "{review}"
    );
    // Taken back and reviewed again, nothing is bought.
    book.ask(&["undo"]).data();
    let data = book.ask(&["volume", "review"]).data();
    assert_eq!(
        (&data["spent"]["calls"], &data["spent"]["reused"]),
        (&json!(0), &json!(1)),
        "{data:#}"
    );
    assert_eq!(book.text("volumes/vol-01/review.md"), review);
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_model_that_fails_leaves_the_volume_unreviewed() {
    let server = MockServer::start(|_| Behaviour::server_error(500)).unwrap();
    let book = with_model(&server);
    let before = book.content();
    let error = book.ask(&["volume", "review"]).fails(5);
    assert!(error["hint"].is_string(), "{error:#}");
    assert_eq!(server.requests().len(), 2, "once more, then no more");
    assert_same_tree(&book.content(), &before, "nothing but kept answers");
    assert_eq!(book.ask(&["next"]).data()["step"], "volume:01:review");
}

#[test]
fn an_outside_driver_hands_the_advice_in_and_the_program_adds_its_reports() {
    let book = written();
    let packet = book.ask(&["instructions", "volume:01:review"]).data()["packet"].clone();
    assert_eq!(packet["agent"]["name"], "volume-reviewer");
    let inline = &packet["manifest"]["inline"];
    let report = inline["volume_report"].as_str().unwrap();
    assert!(report.starts_with("# 第 1 卷回顾\n"), "{report}");
    assert!(inline["volume_findings"].is_array(), "{inline:#}");
    let empty = book
        .feed(&["submit", "volume:01:review", "-"], "  \n")
        .fails(2);
    assert_eq!(empty["code"], "VALIDATION_FAILED", "{empty:#}");
    let advice = book.outside().join("advice.md");
    fs::write(&advice, "第七章可以更短。\n").unwrap();
    book.ask(&["submit", "volume:01:review", advice.to_str().unwrap()])
        .data();
    book.ask(&["advance", "volume:01:review"]).data();
    let review = book.text("volumes/vol-01/review.md");
    assert!(review.starts_with(report), "{review}");
    assert!(
        review.ends_with("\n## 建议\n\n第七章可以更短。\n"),
        "{review}"
    );
}

#[test]
fn people_are_told_in_their_language() {
    let book = written();
    let english = book.novel(&["volume", "review"]);
    let said = english.stderr;
    assert!(said.contains("Reviewed volume 1"), "{said}");
    assert_eq!(english.stdout, "volumes/vol-01/review.md\n");
    let chinese = book.novel(&["volume", "review", "1", "--lang", "zh"]);
    let said = chinese.stderr;
    assert!(said.contains("第 1 卷已经回顾过"), "{said}");
}

#[test]
fn the_whole_report_is_the_sum_of_its_chapters() {
    let book = written();
    let data = book.ask(&["report", "--volume", "1"]).data();
    let total: u64 = data["length"]["chapters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row: &Value| row["words"].as_u64().unwrap())
        .sum();
    assert_eq!(data["length"]["total_words"], total);
    let status = book.ask(&["status"]).data();
    assert_eq!(status["progress"]["total_words"], total);
    let mean = status["progress"]["mean_score"].as_f64().unwrap();
    assert!((data["scores"]["mean"].as_f64().unwrap() - mean).abs() < 0.001);
}
