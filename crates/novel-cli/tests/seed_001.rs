//! The scenarios of the logic review and of the pending gate, by their names.

use novel_testkit::{
    Answers, ScriptedModel, TestBook,
    faulty::{
        ACTS, FAULTY, block, chapter_json, logic_review, markdown, offline_answers, pending,
        planted, review_answer, revision,
    },
};
use serde_json::{Value, json};

const BLOCKING: &str = "logic_review_policy = \"blocking\"";

/// The answers of the offline author, and this logic review. The chapter that was the newest when
/// the policy was chosen is reviewed first, and is sound.
fn reviewed(score: u32, severities: &[&str]) -> Answers {
    let mut answers = offline_answers();
    let reviews = [review_answer(100, &[]), review_answer(score, severities)];
    answers.insert("logic-reviewer".to_owned(), reviews.to_vec());
    answers
}

/// The planted book, written by a model that reviews like this.
fn book_reviewed(policies: &str, score: u32, severities: &[&str]) -> (TestBook, ScriptedModel) {
    let model = ScriptedModel::start(reviewed(score, severities));
    let book = planted(policies);
    model.write_for(&book);
    (book, model)
}

/// The report on the fourth chapter, which must be one on the text as it is.
#[track_caller]
fn report(book: &TestBook) -> Value {
    let report = book.json(&logic_review(FAULTY));
    let evaluation = book.json("evaluations/chapter-004-eval.json");
    assert_eq!(report["chapter_number"], FAULTY);
    assert_eq!(
        report["chapter_hash"],
        evaluation["metadata"]["chapter_hash"]
    );
    assert!(report["overall_score"].as_u64().unwrap() <= 100);
    assert!(
        report["issues"].is_array() && report["summary"].is_string(),
        "{report:#}"
    );
    report
}

#[test]
fn review_after_chapter_generation() {
    let book = TestBook::demo(FAULTY - 1);
    book.configure(BLOCKING);
    let data = book.ask(&["continue"]).data();
    assert_eq!(data["finished"][0]["chapter"], FAULTY, "{data:#}");
    report(&book);
    assert!(
        !book.has(&revision(FAULTY)),
        "a sound chapter does not wait"
    );

    let (book, model) = book_reviewed(BLOCKING, 90, &["low", "medium"]);
    book.ask(&["continue"]).data();
    let report = report(&book);
    assert_eq!(report["overall_score"], 90);
    assert_eq!(report["issues"].as_array().unwrap().len(), 2);
    let [_, request] = &model.asked("logic-reviewer")[..] else {
        panic!("the chapter is reviewed once");
    };
    let form = &request.json["response_format"]["json_schema"];
    assert_eq!(form["name"], "logic_review");
    for key in ["overall_score", "issues", "summary"] {
        assert!(form["schema"]["properties"].get(key).is_some(), "{form:#}");
    }
    let prompt = request.prompt();
    let shown = block(&prompt, "<DATA type=\"chapter_content\"");
    let chapter = book.json(&chapter_json(FAULTY));
    let last = chapter["scenes"].as_array().unwrap().last().unwrap();
    let words = last["content"].as_str().unwrap().lines().last().unwrap();
    assert!(
        shown.contains(words),
        "the text that was committed is reviewed"
    );
    // The same text is not reviewed again.
    assert_eq!(book.ask(&["next"]).data()["step"], "chapter:005:draft");
    // A new text is.
    let text = book.text(&markdown(FAULTY)).replace(ACTS, "陆砚先动了，");
    book.write(&markdown(FAULTY), text);
    book.ask(&["adopt", "4", "--executor", "offline"]).data();
    assert_eq!(book.ask(&["next"]).data()["step"], "chapter:004:review");
}

/// What a stop at the fourth chapter must leave and say.
#[track_caller]
fn assert_blocked(book: &TestBook, what: &str) {
    let error = book.ask(&["continue", "2"]).fails(3);
    assert_eq!(error["code"], "PENDING_REVISION", "{what}: {error:#}");
    assert_eq!(
        book.json(".checkpoint.json")["last_completed_chapter"],
        FAULTY
    );
    let status = book.json(&revision(FAULTY));
    assert_eq!(status["status"], "pending", "{what}");
    assert_eq!(status["triggered_by"], "logic_review", "{what}");
    assert_eq!(status["logic_review_report_file"], logic_review(FAULTY));
    assert_eq!(
        status["issues"].as_array().unwrap().len(),
        report(book)["issues"].as_array().unwrap().len()
    );
    let details = &error["details"];
    assert_eq!(details["blocked_chapter"], FAULTY);
    assert_eq!(details["revision_status_file"], revision(FAULTY));
    assert_eq!(details["logic_review_report_file"], logic_review(FAULTY));
    let actions: Vec<&str> = details["next_actions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|action| action["action"].as_str().unwrap())
        .collect();
    for action in [
        "review",
        "generate_candidate",
        "apply_revision",
        "regen",
        "rollback",
    ] {
        assert!(actions.contains(&action), "{what}: {actions:?}");
    }
    // A person reads where to look and what to type.
    let said = book.novel(&["continue", "--lang", "zh"]);
    assert_eq!(said.code, 3);
    let text = said.both();
    for words in [
        logic_review(FAULTY),
        revision(FAULTY),
        "novel revision apply 4".to_owned(),
    ] {
        assert!(text.contains(&words), "{what}: {text}");
    }
}

#[test]
fn block_on_low_score_or_high_severity_issues() {
    let book = planted(BLOCKING);
    assert_blocked(&book, "offline");
    for (score, severities, policies) in [
        (74, &[][..], ""),
        (100, &["low", "high"][..], ""),
        (0, &["high"][..], ""),
        (90, &[][..], "logic_review_min_score = 91"),
    ] {
        let policies = format!("{BLOCKING}\n{policies}");
        let (book, model) = book_reviewed(&policies, score, severities);
        assert_blocked(&book, &format!("{score} {severities:?}"));
        assert_eq!(model.asked("chapter-writer").len(), 1, "no later chapter");
    }
    for (score, severities, policies) in [
        (75, &[][..], ""),
        (80, &["medium", "medium"][..], ""),
        (10, &[][..], "logic_review_min_score = 10"),
    ] {
        let policies = format!("{BLOCKING}\n{policies}");
        let (book, _model) = book_reviewed(&policies, score, severities);
        book.ask(&["continue"]).data();
        assert_eq!(report(&book)["overall_score"], score);
        assert!(!book.has(&revision(FAULTY)), "{score} {severities:?}");
    }
}

#[test]
fn do_not_block_when_policy_is_off() {
    for policies in ["", "logic_review_policy = \"off\""] {
        let book = planted(policies);
        book.write_to(FAULTY + 1);
        let (by_model, model) = book_reviewed(policies, 0, &["high"]);
        by_model.ask(&["continue"]).data();
        assert_eq!(model.asked("logic-reviewer").len(), 0);
        for book in [book, by_model] {
            assert!(!book.has(&logic_review(FAULTY)) && !book.has(&revision(FAULTY)));
        }
    }
    let book = planted("");
    let setting = &book.ask(&["config", "logic_review_policy"]).data()["settings"][0];
    assert_eq!(
        (&setting["value"], &setting["origin"]),
        (&json!("off"), &json!("default"))
    );
}

/// The error every entrance answers while the fourth chapter waits.
fn expected(pending: &[u32], report: Option<String>) -> Value {
    let n = pending[0];
    let action = |action: &str, command: String| json!({"action": action, "command": command});
    json!({
        "blocked_chapter": n,
        "pending_chapters": pending,
        "revision_status_file": revision(n),
        "logic_review_report_file": report,
        "next_actions": [
            action("review", format!("novel review show {n}")),
            action("generate_candidate", format!("novel revision candidate {n}")),
            action("apply_revision", format!("novel revision apply {n}")),
            action("reject", format!("novel revision reject {n}")),
            action("regen", format!("novel regen {n}")),
            action("rollback", format!("novel rollback {}", n - 1)),
        ],
    })
}

#[track_caller]
fn assert_error(error: &Value, expected: &Value) {
    assert_eq!(error["code"], "PENDING_REVISION", "{error:#}");
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(error["details"][key], *value, "{key}: {error:#}");
    }
}

#[test]
fn block_workflow_run_resume_when_pending_exists() {
    let book = planted(BLOCKING);
    let _ = book.ask(&["run"]).fails(3);
    let wanted = expected(&[4], Some(logic_review(4)));
    for command in [
        &["run"][..],
        &["resume"],
        &["run", "--to", "5"],
        &["continue"],
    ] {
        assert_error(&book.refuses(3, command), &wanted);
    }
    // The first of several is the one that blocks.
    book.write(
        &revision(3),
        "{\"chapter_number\": 3, \"status\": \"pending\"}\n",
    );
    for command in [["run"], ["resume"]] {
        assert_error(&book.refuses(3, &command), &expected(&[3, 4], None));
    }
}

#[test]
fn block_fine_grained_chapter_scene_generation_when_pending_exists() {
    let book = pending();
    let draft = book.outside().join("draft.md");
    std::fs::write(&draft, "# 第 5 章 雾\n\n潮水退了。\n").unwrap();
    let entrances: Vec<Vec<&str>> = vec![
        vec!["chapter", "generate", "5"],
        vec!["scene", "plan", "5"],
        vec!["scene", "generate", "5", "1"],
        vec!["scene", "merge", "5"],
        vec!["instructions", "chapter:005:draft"],
        vec!["submit", "chapter:005:draft", draft.to_str().unwrap()],
        vec!["advance", "chapter:005:draft"],
        vec!["commit", "--chapter", "5"],
    ];
    for entrance in entrances {
        let error = book.refuses(3, &entrance);
        assert_error(&error, &expected(&[4], None));
        let said = book.novel(&[&entrance[..], &["--lang", "zh"]].concat());
        assert_eq!(said.code, 3);
        let words = "必须先处理第 4 章的 pending 修订";
        assert!(said.both().contains(words), "{entrance:?}: {said}");
    }
}

#[test]
fn treat_any_pending_revision_as_a_hard_gate() {
    // Whatever made it wait.
    let book = TestBook::demo(FAULTY - 1);
    for trigger in [json!("consistency"), json!("logic_review"), Value::Null] {
        let status = json!({"chapter_number": 2, "status": "pending", "triggered_by": trigger,
            "revision_notes": "- 改写", "issues": []});
        book.write(&revision(2), novel_testkit::pretty(&status));
        assert_error(&book.refuses(3, &["continue"]), &expected(&[2], None));
    }
    book.remove(&revision(2));
    book.write_to(4);
    // Until it is decided, or the chapter is written anew.
    let waits = pending();
    let edit = |book: &TestBook| {
        let text = book.text(&markdown(FAULTY)).replace(ACTS, "陆砚先动了，");
        book.write(&markdown(FAULTY), text);
    };
    let ways: [(&[&str], Option<&str>); 5] = [
        (&["revision", "apply", "4"], Some("accepted")),
        (&["revision", "reject", "4"], Some("rejected")),
        (&["adopt", "4"], Some("accepted")),
        (&["regen", "4"], None),
        (&["rollback", "3"], None),
    ];
    for (way, status) in ways {
        let book = waits.copy();
        let _ = book.refuses(3, &["next"]);
        if way[0] == "adopt" {
            edit(&book);
        }
        // A chapter written anew has the same fault and no policy that stops it.
        configure_policy(&book, "none");
        book.ask(way).data();
        match status {
            Some(status) => assert_eq!(book.json(&revision(FAULTY))["status"], status, "{way:?}"),
            None => assert!(!book.has(&revision(FAULTY)), "{way:?}"),
        }
        book.ask(&["next"]).data();
        book.write_to(5);
    }
}

/// Replaces the policy in `novel.toml`.
fn configure_policy(book: &TestBook, policy: &str) {
    let text = book.text("novel.toml").replace("manual_confirm", policy);
    book.write("novel.toml", text);
}
