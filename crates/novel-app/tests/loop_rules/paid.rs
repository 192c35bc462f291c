//! Nothing paid for is lost: raw answers first, reused after a crash.

use std::{fs, sync::Mutex};

use novel_app::runner::{Watch, WatchEvent};
use novel_app::write::submit;
use novel_book::run::Goal;
use novel_llm::CancelToken;
use novel_model::{Kind, files::JudgeRole};
use serde_json::{Value, json};

use super::{
    book::{Book, DiesAfter, Launch, Watcher, code},
    script::{Reply, Script, verdict},
};

/// When an answer is announced it is on disk already, and nothing was done with it yet.
struct KeptFirst<'a> {
    book: &'a Book,
    checked: Mutex<u32>,
}

impl Watch for KeptFirst<'_> {
    fn event(&self, event: &WatchEvent<'_>) {
        let WatchEvent::Answered { step, .. } = event else {
            return;
        };
        let kept = self.book.calls(&step.to_string().replace(':', "-"));
        assert!(!kept.is_empty(), "{step} is not in the ledger");
        let written = match step.to_string().as_str() {
            "chapter:002:draft" => "staging/chapters/chapter-002.md",
            "chapter:002:summarize" => "staging/state/chapter-002-delta.json",
            "chapter:002:judge" => "staging/evaluations/chapter-002-eval.json",
            _ => return,
        };
        assert!(!self.book.exists(written), "{written}");
        *self.checked.lock().unwrap() += 1;
    }
}

#[test]
fn the_raw_answer_is_in_the_ledger_before_anything_else() {
    let book = Book::with_chapters(1);
    let watch = KeptFirst {
        book: &book,
        checked: Mutex::default(),
    };
    let launch = Launch {
        watch: Some(&watch),
        ..Launch::default()
    };
    let script = Script::plain(&book);
    book.launch(&script, Goal::Chapters(1), &launch).unwrap();
    assert_eq!(*watch.checked.lock().unwrap(), 3);
    let kept = &book.calls("chapter-002-draft")[0];
    let text = kept["text"].as_str().unwrap();
    assert_eq!(kept["raw"], format!("raw:{text}"));
    assert_eq!(kept["step"], "chapter:002:draft");
    assert_eq!(kept["agent"], "chapter-writer");
    assert_eq!(kept["model"], "scripted");
    assert!(kept["prompt_hash"].as_str().unwrap().starts_with("blake3:"));
}

#[test]
fn an_answer_that_is_rubbish_is_in_the_ledger_too() {
    let book = Book::with_chapters(1);
    let script = Script::new(&book, |call, _| {
        (call.work == "summarize").then(|| Reply::Text("抱歉，我不会写 JSON".into()))
    });
    book.run(&script, Goal::Chapters(1)).unwrap_err();
    let kept = book.calls("chapter-002-summarize");
    let raw = |value: &&Value| value["raw"] == "raw:抱歉，我不会写 JSON";
    assert_eq!(kept.iter().filter(raw).count(), 2);
    let marked = kept.iter().filter(|value| value["rejected"].is_array());
    assert_eq!(marked.count(), 2, "{kept:#?}");
}

#[test]
fn no_answered_call_is_made_again_after_a_crash() {
    for (step, left) in [
        (
            "chapter:002:draft",
            vec!["summarize 2", "refine 2", "judge 2"],
        ),
        ("chapter:002:summarize", vec!["refine 2", "judge 2"]),
        ("chapter:002:refine", vec!["judge 2"]),
        ("chapter:002:judge", vec![]),
    ] {
        let book = Book::with_chapters(1);
        let launch = Launch {
            watch: Some(&DiesAfter(step)),
            ..Launch::default()
        };
        book.dies(&Script::plain(&book), &launch);
        let script = Script::plain(&book);
        let report = book.write(&script, 1);
        assert_eq!(script.done(), left, "{step}");
        assert_eq!(report.spent.reused, 1);
        assert_eq!(report.spent.calls as usize, left.len());
        // The reused answer is in the log like the others.
        let log = book.json("logs/chapter-002-log.json");
        for stage in log["stages"].as_array().unwrap() {
            assert_eq!(stage["model"], "scripted", "{step}: {stage}");
        }
    }
}

#[test]
fn of_two_judges_only_the_one_that_did_not_answer_is_asked_again_after_a_crash() {
    let book = Book::new();
    let dying = Script::new(&book, |call, _| {
        if call.work != "judge" || call.judge == JudgeRole::Primary {
            return None;
        }
        Some(Reply::Dies)
    });
    book.dies(&dying, &Launch::default());
    assert_eq!(book.calls("chapter-001-judge").len(), 1);
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert_eq!(script.calls().len(), 1);
    assert_eq!(script.calls()[0].judge, JudgeRole::Secondary);
}

#[test]
fn a_crash_in_a_revision_reuses_its_answer_and_not_the_first_drafts() {
    let book = Book::with_chapters(1);
    let first = Script::new(&book, |call, sound| match call.work.as_str() {
        "judge" => Some(Reply::Text(verdict(3.2).to_string())),
        "revise" => Some(Reply::Text(format!("{}\n\n修订过了。\n", sound.trim_end()))),
        "summarize" if call.nth == 2 => Some(Reply::Dies),
        _ => None,
    });
    book.dies(&first, &Launch::default());
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert_eq!(script.done(), ["summarize 2", "refine 2", "judge 2"]);
    assert!(book.text("chapters/chapter-002.md").contains("修订过了。"));
}

#[test]
fn a_crash_between_hand_in_and_acceptance_keeps_the_work_in_the_log() {
    let book = Book::with_chapters(1);
    let launch = Launch {
        watch: Some(&DiesAfter("chapter:002:draft")),
        ..Launch::default()
    };
    book.dies(&Script::plain(&book), &launch);
    // The run handed the kept answer in and died before it was accepted.
    let kept = book.calls("chapter-002-draft")[0].clone();
    let origin = submit::Origin {
        judge: JudgeRole::Primary,
        model: Some("scripted".into()),
        ..submit::Origin::default()
    };
    let answer = kept["text"].as_str().unwrap();
    let step = "chapter:002:draft".parse().unwrap();
    submit::submit(&book.project(), step, answer.as_bytes(), &origin).unwrap();
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert_eq!(script.count("draft"), 0);
    let log = book.json("logs/chapter-002-log.json");
    assert_eq!(log["stages"][0]["name"], "draft");
    assert_eq!(log["stages"][0]["model"], "scripted", "{log:#}");
    assert_eq!(log["stages"][0]["attempts"], 1);
}

#[test]
fn a_changed_prompt_asks_anew() {
    let book = Book::with_chapters(1);
    let launch = Launch {
        watch: Some(&DiesAfter("chapter:002:draft")),
        ..Launch::default()
    };
    book.dies(&Script::plain(&book), &launch);
    let brief = book.text("brief.md");
    book.put("brief.md", &format!("{brief}\n\n改了主意。\n"));
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert_eq!(script.count("draft"), 1);
}

#[test]
fn a_damaged_ledger_entry_is_an_error_that_names_the_file() {
    let book = Book::with_chapters(1);
    let launch = Launch {
        watch: Some(&DiesAfter("chapter:002:draft")),
        ..Launch::default()
    };
    book.dies(&Script::plain(&book), &launch);
    let id = book.calls("chapter-002-draft")[0]["id"].clone();
    let path = format!("logs/calls/chapter-002-draft/{}.json", id.as_str().unwrap());
    fs::write(book.root().join(&path), "{").unwrap();
    let failure = book
        .run(&Script::plain(&book), Goal::Chapters(1))
        .unwrap_err();
    let problems = failure.explain().problems();
    assert_eq!(problems[0].path.as_str(), path);
    assert!(book.is_free());
}

#[test]
fn a_rejected_answer_is_marked_and_asked_again_with_its_problems() {
    let book = Book::with_chapters(1);
    let script = Script::new(&book, |call, _| {
        (call.work == "judge" && call.nth == 1).then(|| {
            let mut verdict = verdict(4.5);
            verdict["scores"]["pacing"]["score"] = json!(9.5);
            Reply::Text(verdict.to_string())
        })
    });
    let watcher = Watcher::default();
    let launch = Launch {
        watch: Some(&watcher),
        ..Launch::default()
    };
    book.launch(&script, Goal::Chapters(1), &launch).unwrap();
    assert_eq!(script.count("judge"), 2);
    let first = script.calls()[3].clone();
    let second = script.calls()[4].clone();
    assert!(!first.user.contains("novel:validation"));
    assert!(second.user.contains("novel:validation"));
    assert!(
        second.user.contains("/scores/pacing/score"),
        "{}",
        second.user
    );
    assert!(second.user.starts_with(&first.user), "the prefix is cached");
    let kept = book.calls("chapter-002-judge");
    let marked = kept.iter().filter(|call| call["rejected"].is_array());
    let marked: Vec<&Value> = marked.collect();
    assert_eq!((kept.len(), marked.len()), (2, 1));
    assert!(
        marked[0]["rejected"][0]
            .as_str()
            .unwrap()
            .contains("pacing")
    );
    assert!(
        watcher
            .seen()
            .contains(&"failed chapter:002:judge".to_owned())
    );
}

#[test]
fn a_rejected_text_is_asked_again_for_as_a_text() {
    let book = Book::with_chapters(1);
    let script = Script::new(&book, |call, _| {
        (call.work == "draft" && call.nth == 1).then(|| Reply::Text("The rain had not stopped. He opened the door of the shop and a letter lay on the counter. Nobody knew who had brought it.".into()))
    });
    book.write(&script, 1);
    assert_eq!(script.count("draft"), 2);
    let second = script.last("draft").user;
    assert!(second.contains("novel:validation"));
    assert!(
        !second.contains("只输出一个 JSON 对象"),
        "a chapter is not JSON"
    );
}

#[test]
fn a_sound_verdict_is_not_bought_again_because_the_other_one_was_rejected() {
    let book = Book::new();
    let script = Script::new(&book, |call, _| {
        (call.judge == JudgeRole::Secondary && call.nth == 1)
            .then(|| Reply::Text("{\"scores\": {}}".into()))
    });
    book.write(&script, 1);
    let asked = |role: JudgeRole| {
        let calls = script.calls().into_iter();
        calls
            .filter(|call| call.work == "judge" && call.judge == role)
            .count()
    };
    assert_eq!(asked(JudgeRole::Secondary), 2);
    assert_eq!(asked(JudgeRole::Primary), 1);
}

#[test]
fn a_stop_by_the_author_keeps_the_answer_that_arrived() {
    let book = Book::with_chapters(1);
    let cancel = CancelToken::new();
    let script = Script::new(&book, {
        let cancel = cancel.clone();
        move |call, _| {
            if call.work == "summarize" {
                cancel.cancel();
            }
            None
        }
    });
    let launch = Launch {
        cancel: Some(&cancel),
        ..Launch::default()
    };
    let failure = book
        .launch(&script, Goal::Chapters(1), &launch)
        .unwrap_err();
    assert_eq!(failure.explain().kind(), Kind::Interrupted);
    assert_eq!(code(&failure), "INTERRUPTED");
    assert_eq!(script.done(), ["draft 2", "summarize 2"]);
    assert_eq!(book.stands(), json!(["WRITING", "drafting", 2, 0]));
    assert!(book.is_free());
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert_eq!(script.done(), ["refine 2", "judge 2"]);
}

#[test]
fn a_retry_after_error_retry_asks_only_for_what_was_not_answered() {
    let book = Book::new();
    let broken = Script::new(&book, |call, _| {
        (call.judge == JudgeRole::Secondary).then_some(Reply::Fails)
    });
    book.run(&broken, Goal::Chapters(1)).unwrap_err();
    let script = Script::plain(&book);
    book.retry(&script, 1).unwrap();
    assert_eq!(script.calls().len(), 1);
    assert_eq!(script.calls()[0].judge, JudgeRole::Secondary);
}

/// The author stops the run at the very moment a chapter is committed.
struct StopsAtCommit(CancelToken);

impl Watch for StopsAtCommit {
    fn event(&self, event: &WatchEvent<'_>) {
        if matches!(event, WatchEvent::Committed { .. }) {
            self.0.cancel();
        }
    }
}

#[test]
fn a_stop_during_the_commit_still_reports_the_chapter() {
    let book = Book::with_chapters(1);
    let cancel = CancelToken::new();
    let watch = StopsAtCommit(cancel.clone());
    let launch = Launch {
        watch: Some(&watch),
        cancel: Some(&cancel),
        ..Launch::default()
    };
    let failure = book
        .launch(&Script::plain(&book), Goal::Chapters(2), &launch)
        .unwrap_err();
    assert_eq!(failure.explain().kind(), Kind::Interrupted);
    assert_eq!(book.checkpoint()["last_completed_chapter"], 2);
    let details = failure.explain().details(novel_model::Lang::En);
    assert_eq!(details["finished"][0]["chapter"], 2, "{details:?}");
}

#[test]
fn a_stop_after_the_last_chapter_asked_for_is_not_an_error() {
    let book = Book::with_chapters(1);
    let cancel = CancelToken::new();
    let watch = StopsAtCommit(cancel.clone());
    let launch = Launch {
        watch: Some(&watch),
        cancel: Some(&cancel),
        ..Launch::default()
    };
    let report = book.launch(&Script::plain(&book), Goal::Chapters(1), &launch);
    assert_eq!(report.unwrap().finished.len(), 1);
}
