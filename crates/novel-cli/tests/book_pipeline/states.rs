//! Page 02: bindings, commit, states of the book, texts in normal form.

use serde_json::{Value, json};

use novel_testkit::{Manner, Node, TestBook, assert_same_tree, differences, pretty};

use super::{at_chapter_two, ordinary};

fn codes(data: &Value) -> Vec<&str> {
    let warnings = data["warnings"].as_array().unwrap().iter();
    warnings
        .map(|warning| warning["code"].as_str().unwrap())
        .collect()
}

#[test]
fn a_staged_chapter_changed_after_it_was_judged_is_refused_at_commit_naming_both_hashes() {
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    let judged = book.json("staging/evaluations/chapter-002-eval.json")["metadata"]["chapter_hash"]
        .as_str()
        .unwrap()
        .to_owned();
    let text = book.text("staging/chapters/chapter-002.md");
    book.write(
        "staging/chapters/chapter-002.md",
        format!("{text}\n多出来的一句。\n"),
    );
    let before = book.tree();
    let errors = book.fails_in_both(2, &["commit", "--chapter", "2"], "");
    for error in errors {
        let message = error["message"].as_str().unwrap();
        let staged = error["details"]["staged_hash"].as_str().unwrap();
        assert_ne!(staged, judged);
        assert!(message.contains(&judged), "{message}");
        assert!(message.contains(staged), "{message}");
    }
    assert_same_tree(&before, &book.tree(), "a refused commit changes nothing");
    assert_ne!(book.next(), "chapter:002:commit");
    // Put back, it passes.
    book.write("staging/chapters/chapter-002.md", &text);
    book.driver().commit(2);
}

#[test]
fn a_changed_draft_goes_back_to_the_first_step_whose_binding_broke() {
    let book = ordinary();
    let path = "staging/chapters/chapter-001.md";
    let change = |book: &TestBook| {
        let text = book.text(path);
        book.write(path, text.replace("陈老", "老陈"));
    };
    book.driver().draft(1);
    change(&book);
    assert_eq!(book.next(), "chapter:001:draft");
    book.ask(&["advance", "chapter:001:draft"]).data();
    book.driver().summarize(1);
    book.driver().refine(1);
    change(&book);
    assert_eq!(book.next(), "chapter:001:refine");
}

#[test]
fn an_evaluation_without_a_hash_is_accepted_with_a_warning() {
    let book = at_chapter_two();
    book.driver().up_to_refined(2);
    // Written into staging by hand, as the older tool did.
    book.write(
        "staging/evaluations/chapter-002-eval.json",
        pretty(&book.plan().verdict(2, 4.0)),
    );
    let data = book.ask(&["advance", "chapter:002:judge"]).data();
    assert!(codes(&data).contains(&"unbound_verdict"), "{data:#}");

    // The same when the checkpoint says "judged" already.
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    book.edit("staging/evaluations/chapter-002-eval.json", |eval| {
        eval["metadata"]
            .as_object_mut()
            .unwrap()
            .remove("chapter_hash");
    });
    let data = book.ask(&["next"]).data();
    assert_eq!(data["step"], "chapter:002:commit");
    assert!(codes(&data).contains(&"unbound_verdict"), "{data:#}");
    let data = book.driver().commit(2);
    assert!(codes(&data).contains(&"unbound_verdict"), "{data:#}");
}

/// Sets every score of the staged evaluation, and takes its binding away.
fn forge(book: &TestBook, score: f64) {
    book.edit("staging/evaluations/chapter-002-eval.json", |eval| {
        for dimension in eval["scores"].as_object_mut().unwrap().values_mut() {
            dimension["score"] = json!(score);
        }
    });
    book.remove("staging/bindings/chapter-002.json");
}

#[test]
fn the_built_in_loop_asks_the_judge_where_the_verdict_is_not_bound() {
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    forge(&book, 5.0);
    // An outside driver answers for what it hands in.
    let data = book.ask(&["next"]).data();
    assert_eq!(data["step"], "chapter:002:commit");
    assert!(codes(&data).contains(&"unbound_verdict"), "{data:#}");
    let copy = book.copy();
    let data = copy.driver().commit(2);
    assert!(codes(&data).contains(&"unbound_verdict"), "{data:#}");

    book.ask(&["continue"]).data();
    let judged = book.calls(2);
    assert!(
        judged.values().any(|(agent, _)| agent == "quality-judge"),
        "{judged:#?}"
    );
    let committed = book.json("evaluations/chapter-002-eval.json");
    assert_ne!(committed["scores"]["pacing"]["score"], 5.0, "{committed:#}");
}

#[test]
fn once_the_loop_has_asked_a_judge_next_goes_back_to_it_where_the_verdict_is_not_bound() {
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    book.write("logs/calls/chapter-002-judge/kept.json", "{}");
    assert_eq!(book.next(), "chapter:002:commit");
    forge(&book, 5.0);
    let data = book.ask(&["next"]).data();
    assert_eq!(data["step"], "chapter:002:judge");
    assert_eq!(data["reason"], "verdict_unbound");
}

#[test]
fn the_author_may_accept_a_verdict_that_is_not_bound() {
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    forge(&book, 2.2);
    book.ask(&["gate", "accept", "2"]).data();
    book.ask(&["continue"]).data();
    assert_eq!(book.calls(2).len(), 0, "nobody was asked again");
    let committed = book.json("evaluations/chapter-002-eval.json");
    assert_eq!(committed["scores"]["pacing"]["score"], 2.2);
    assert!(committed["metadata"]["gate"]["author"].is_object());
    // A bound verdict that passes leaves nothing to accept.
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    book.refuses(2, &["gate", "accept", "2"]);
}

#[test]
fn a_dry_run_prints_the_plan_and_writes_nothing() {
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    let before = book.tree_and_times();
    let data = book.ask(&["commit", "--chapter", "2", "--dry-run"]).data();
    assert_eq!(book.tree_and_times(), before);
    let planned: Vec<String> = data["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["path"].as_str().unwrap().to_owned())
        .collect();
    let trees = (book.tree(), book.driver().commit(2), book.tree());
    let mut done: Vec<String> = differences(&trees.0, &trees.2);
    done.retain(|path| {
        let dir = trees.2.get(path) == Some(&Node::Dir) || trees.0.get(path) == Some(&Node::Dir);
        !dir && !path.starts_with("archive/") && !path.starts_with("logs/operations")
    });
    for path in &done {
        assert!(
            planned.contains(path),
            "{path} was not in the plan {planned:#?}"
        );
    }
    for path in &planned {
        assert!(
            done.contains(path) || path.starts_with("logs/operations"),
            "{path} was planned only"
        );
    }
}

#[test]
fn committing_twice_is_the_same_as_once() {
    let book = ordinary();
    book.driver().write(1);
    let before = book.tree();
    let data = book.ask(&["commit", "--chapter", "1"]).data();
    assert_eq!(data["chapter"], 1);
    assert_eq!(data["already_committed"], true);
    assert_same_tree(&before, &book.tree(), "the second commit");
}

#[test]
fn a_delta_for_another_state_version_stops_the_commit() {
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    book.edit("staging/state/chapter-002-delta.json", |delta| {
        delta["base_state_version"] = json!(7)
    });
    let before = book.tree();
    for error in book.fails_in_both(2, &["commit", "--chapter", "2"], "") {
        let message = error["message"].as_str().unwrap();
        assert!(message.contains('7') && message.contains('1'), "{message}");
    }
    assert_same_tree(&before, &book.tree(), "a refused commit changes nothing");
}

#[test]
fn a_contradicting_checkpoint_is_an_error_that_names_both_fields() {
    for (stage, inflight) in [(json!("refined"), Value::Null), (Value::Null, json!(1))] {
        let book = ordinary();
        book.edit(".checkpoint.json", |checkpoint| {
            checkpoint["pipeline_stage"] = stage.clone();
            checkpoint["inflight_chapter"] = inflight.clone();
        });
        let before = book.tree();
        for error in book.fails_in_both(2, &["next"], "") {
            let message = error["message"].as_str().unwrap();
            assert!(message.contains("pipeline_stage"), "{message}");
            assert!(message.contains("inflight_chapter"), "{message}");
            assert!(
                error["hint"]
                    .as_str()
                    .unwrap()
                    .contains("novel doctor --fix")
            );
        }
        assert_same_tree(&before, &book.tree(), "next writes nothing");
        book.ask(&["doctor", "--fix"]).data();
        assert_eq!(book.next(), "chapter:001:draft");
    }
}

#[test]
fn other_states_of_the_book_have_other_steps() {
    for (state, step) in [
        ("VOL_PLANNING", "volume:01:plan"),
        ("VOL_REVIEW", "volume:01:review"),
    ] {
        let book = ordinary();
        book.edit(".checkpoint.json", |checkpoint| {
            checkpoint["orchestrator_state"] = json!(state)
        });
        assert_eq!(book.next(), step);
    }
    for state in ["INIT", "QUICK_START"] {
        let book = ordinary();
        book.edit(".checkpoint.json", |checkpoint| {
            checkpoint["orchestrator_state"] = json!(state)
        });
        assert!(book.next().starts_with("quickstart:"));
    }
}

#[test]
fn a_checkpoint_of_the_older_tool_opens_and_keeps_its_fields() {
    let book = ordinary();
    book.edit(".checkpoint.json", |checkpoint| {
        checkpoint["hook_fix_count"] = json!(3);
        checkpoint["title_fix_count"] = json!({"a": [1, 2.50]});
    });
    book.driver().write(1);
    let checkpoint = book.checkpoint();
    assert_eq!(checkpoint["hook_fix_count"], 3);
    assert_eq!(checkpoint["title_fix_count"], json!({"a": [1, 2.50]}));
    let keys: Vec<&String> = checkpoint.as_object().unwrap().keys().collect();
    assert_eq!(keys[0], "last_completed_chapter");
    assert_eq!(keys.last().unwrap().as_str(), "title_fix_count");
}

#[test]
fn reading_commands_leave_the_tree_as_it_is() {
    let book = at_chapter_two();
    book.driver().up_to_judged(2);
    let before = book.tree_and_times();
    for args in [
        &["next"][..],
        &["status"],
        &["instructions", "chapter:002:commit"],
        &["instructions", "chapter:002:judge"],
        &["instructions", "chapter:002:judge", "--embed"],
        &["validate", "chapter:002:judge"],
        &["lock", "status"],
        &["doctor"],
        &["lint", "staging/chapters/chapter-002.md"],
    ] {
        book.ask(args).data();
        assert_eq!(book.tree_and_times(), before, "{args:?}");
    }
}

#[test]
fn drafts_are_brought_to_normal_form_when_they_are_accepted() {
    let book = ordinary();
    let raw = "# 第1章：雾里\n\n\n开头一句。  \n\n---\n\n\n另一幕。\n\n\n";
    book.write("staging/chapters/chapter-001.md", raw);
    book.ask(&["advance", "chapter:001:draft"]).data();
    let normal = "# 第 1 章 雾里\n\n开头一句。\n\n* * *\n\n另一幕。\n";
    assert_eq!(book.text("staging/chapters/chapter-001.md"), normal);
}

#[test]
fn a_refinement_may_not_change_the_title_nor_the_story() {
    let book = ordinary();
    book.driver().draft(1);
    book.driver().summarize(1);
    let refined = book.plan().refined(1, Manner::Usual);
    let renamed = refined.replacen("雾之钟楼", "别的名字", 1);
    let error = book
        .feed(&["submit", "chapter:001:refine", "-"], renamed)
        .fails(2);
    assert!(
        error["details"]["problems"].to_string().contains("title"),
        "{error:#}"
    );
    let other = book.plan().draft(3, Manner::Drifted);
    let (_, other_body) = other.split_once('\n').unwrap();
    let (heading, _) = refined.split_once('\n').unwrap();
    let replaced = format!("{heading}\n{other_body}");
    let error = book
        .feed(&["submit", "chapter:001:refine", "-"], replaced)
        .fails(2);
    let problems = error["details"]["problems"].to_string();
    assert!(problems.contains("refine_changed_too_much"), "{error:#}");
}
