//! Seed 003, steps 3.0 to 3.3: lock, order, files. Seed 002: fixed order, write boundaries.

use std::{collections::BTreeSet, sync::Mutex};

use novel_app::runner::{Watch, WatchEvent};
use novel_book::run::Goal;
use serde_json::{Value, json};

use super::{
    book::{Book, Launch, code},
    script::Script,
};

#[test]
fn step_3_every_chapter_goes_through_the_agents_in_fixed_order() {
    let book = Book::new();
    let script = Script::plain(&book);
    book.write(&script, 2);
    assert_eq!(
        script.done(),
        [
            "draft 1",
            "summarize 1",
            "refine 1",
            "judge 1",
            "judge 1",
            "draft 2",
            "summarize 2",
            "refine 2",
            "judge 2"
        ]
    );
}

#[test]
fn step_3_0_the_lock_is_held_during_every_call_and_free_afterwards() {
    let book = Book::new();
    assert!(book.is_free());
    let script = Script::plain(&book);
    book.write(&script, 1);
    for call in script.calls() {
        assert_eq!(call.lock_chapter, Some(Some(1)), "{}", call.work);
    }
    assert!(book.is_free());
}

#[test]
fn step_3_0_the_lock_names_the_chapter_that_is_being_written() {
    let book = Book::new();
    let script = Script::plain(&book);
    book.write(&script, 2);
    for call in script.calls() {
        assert_eq!(call.lock_chapter, Some(Some(call.chapter)), "{}", call.work);
    }
}

#[test]
fn step_3_0_a_second_run_is_refused_while_the_first_one_holds_the_lock() {
    let book = Book::new();
    let _writer = book.store.acquire(None).unwrap();
    let script = Script::plain(&book);
    let failure = book.run(&script, Goal::Chapters(1)).unwrap_err();
    assert_eq!(code(&failure), "LOCK_HELD");
    assert!(script.calls().is_empty());
    assert_eq!(book.checkpoint()["pipeline_stage"], Value::Null);
}

#[test]
fn step_3_0_the_checkpoint_says_drafting_before_the_writer_is_called() {
    let book = Book::with_chapters(1);
    let script = Script::plain(&book);
    book.write(&script, 1);
    let stages: Vec<(String, Value, Value)> = script
        .calls()
        .into_iter()
        .map(|call| {
            let checkpoint = &call.checkpoint;
            (
                call.work,
                checkpoint["pipeline_stage"].clone(),
                checkpoint["inflight_chapter"].clone(),
            )
        })
        .collect();
    let expected = [
        ("draft", "drafting"),
        ("summarize", "drafting"),
        ("refine", "drafted"),
        ("judge", "refined"),
    ];
    for ((work, stage, chapter), (name, wanted)) in stages.iter().zip(expected) {
        assert_eq!(
            (work.as_str(), stage, chapter),
            (name, &json!(wanted), &json!(2))
        );
    }
}

/// Looks at the directory each time an agent is about to be called.
struct Looking<'a> {
    book: &'a Book,
    seen: Mutex<Vec<(String, BTreeSet<String>)>>,
}

impl Watch for Looking<'_> {
    fn event(&self, event: &WatchEvent<'_>) {
        if let WatchEvent::Started { step, .. } = event {
            let files = self.book.tree().into_keys().collect();
            self.seen.lock().unwrap().push((step.to_string(), files));
        }
    }
}

fn looks(book: &Book) -> Vec<(String, BTreeSet<String>)> {
    let looking = Looking {
        book,
        seen: Mutex::default(),
    };
    let launch = Launch {
        watch: Some(&looking),
        ..Launch::default()
    };
    book.launch(&Script::plain(book), Goal::Chapters(1), &launch)
        .unwrap();
    looking.seen.into_inner().unwrap()
}

#[test]
fn step_3_1_to_3_3_the_outputs_are_staged_under_their_canonical_names() {
    let book = Book::with_chapters(1);
    let seen = looks(&book);
    let at = |step: &str| &seen.iter().find(|(seen, _)| seen == step).unwrap().1;
    let text = "staging/chapters/chapter-002.md";
    assert!(!at("chapter:002:draft").contains(text));
    assert!(at("chapter:002:summarize").contains(text));
    for path in [
        "staging/summaries/chapter-002-summary.md",
        "staging/state/chapter-002-delta.json",
        "staging/state/chapter-002-crossref.json",
        "staging/storylines/main-arc/memory.md",
    ] {
        assert!(!at("chapter:002:summarize").contains(path), "{path}");
        assert!(at("chapter:002:refine").contains(path), "{path}");
        assert!(at("chapter:002:judge").contains(path), "{path}");
    }
    assert!(!at("chapter:002:judge").contains("staging/evaluations/chapter-002-eval.json"));
}

#[test]
fn no_agent_output_is_in_a_final_directory_before_the_commit() {
    let book = Book::with_chapters(1);
    let of_chapter = |path: &&String| {
        path.contains("chapter-002")
            && ["chapters/", "summaries/", "evaluations/", "state/"]
                .iter()
                .any(|directory| path.starts_with(directory))
    };
    for (step, files) in looks(&book) {
        let early: Vec<&String> = files.iter().filter(of_chapter).collect();
        assert!(early.is_empty(), "{step}: {early:?}");
    }
}

#[test]
fn step_3_3_the_refined_text_takes_the_place_of_the_draft() {
    let book = Book::with_chapters(1);
    let script = Script::new(&book, |call, sound| {
        (call.work == "refine")
            .then(|| super::script::Reply::Text(format!("{}\n\n灯灭了。\n", sound.trim_end())))
    });
    book.write(&script, 1);
    assert!(script.last("judge").user.contains("灯灭了。"));
    assert!(book.text("chapters/chapter-002.md").contains("灯灭了。"));
}

#[test]
fn step_3_4_the_judge_writes_nothing() {
    let book = Book::with_chapters(1);
    let watched = Book::tree;
    let before = std::sync::Arc::new(Mutex::new(None));
    let root = book.root().to_path_buf();
    let script = Script::new(&book, {
        let before = std::sync::Arc::clone(&before);
        move |call, _| {
            if call.work == "judge" {
                let text = std::fs::read(root.join("staging/chapters/chapter-002.md")).unwrap();
                *before.lock().unwrap() = Some(text);
                // Whatever a judge says about files stays in its answer.
                let mut verdict = super::script::verdict(4.5);
                verdict["metadata"] = json!({"gate": {"decision": "pass", "force_passed": true}});
                verdict["path"] = json!("chapters/chapter-002.md");
                return Some(super::script::Reply::Text(verdict.to_string()));
            }
            None
        }
    });
    book.write(&script, 1);
    let judged = before.lock().unwrap().clone().unwrap();
    assert_eq!(watched(&book)["chapters/chapter-002.md"], judged);
    let evaluation = book.json("evaluations/chapter-002-eval.json");
    assert_eq!(evaluation["metadata"]["gate"]["force_passed"], false);
    assert_eq!(evaluation["metadata"]["gate"]["decision"], "pass");
}
