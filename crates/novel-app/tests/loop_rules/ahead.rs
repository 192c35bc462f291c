//! The checkpoint says what is under way before anyone is called for it.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    sync::Mutex,
};

use novel_app::runner::{Watch, WatchEvent};
use novel_book::run::Goal;
use novel_mockllm::Behaviour;
use novel_model::ChapterStage;
use serde_json::json;

use super::{
    book::{Book, Launch},
    script::sound_answer_at,
    wire::{asked_for, executor, server_of, server_that},
};

/// Whether the step before is written down, and what the checkpoint says, when an agent is called.
struct Looks<'a> {
    book: &'a Book,
    seen: Mutex<Vec<(String, bool)>>,
}

impl Watch for Looks<'_> {
    fn event(&self, event: &WatchEvent<'_>) {
        let WatchEvent::Started { step, .. } = event else {
            return;
        };
        let exists = |path: &str| self.book.exists(path);
        let (kept, written, stage) = match step.to_string().as_str() {
            "chapter:002:draft" => {
                assert_eq!(self.book.stands(), json!(["WRITING", "drafting", 2, 0]));
                return;
            }
            "chapter:002:summarize" => (
                "draft",
                exists("staging/chapters/chapter-002.md"),
                json!(["WRITING", "drafting", 2, 0]),
            ),
            "chapter:002:refine" => (
                "summarize",
                exists("staging/state/chapter-002-delta.json"),
                json!(["WRITING", "drafted", 2, 0]),
            ),
            "chapter:002:judge" => (
                "refine",
                exists("staging/chapters/chapter-002.md"),
                json!(["WRITING", "refined", 2, 0]),
            ),
            "chapter:003:draft" => (
                "judge",
                exists("chapters/chapter-002.md"),
                json!(["WRITING", "drafting", 3, 0]),
            ),
            other => panic!("{other}"),
        };
        assert_eq!(self.book.stands(), stage, "{step}");
        let calls = self.book.calls(&format!("chapter-002-{kept}"));
        assert_eq!(calls.len(), 1, "{kept} is in the ledger first");
        self.seen.lock().unwrap().push((step.to_string(), written));
        // The draft of the next chapter is the last thing to look at.
        if step.to_string() == "chapter:003:draft" {
            panic!("killed");
        }
    }
}

#[test]
fn the_checkpoint_says_what_is_under_way_before_an_agent_is_called_and_a_kill_then_loses_nothing() {
    let book = Book::with_chapters(1);
    let server = server_of(&book, |_, _, text| Behaviour::text(text));
    let llm = executor(&book, &server, |_| {});
    let watch = Looks {
        book: &book,
        seen: Mutex::default(),
    };
    let launch = Launch {
        watch: Some(&watch),
        ..Launch::default()
    };
    book.dies_within(&llm, Goal::Chapters(2), &launch);
    let seen = watch
        .seen
        .lock()
        .unwrap_or_else(|broken| broken.into_inner());
    let names: Vec<&str> = seen.iter().map(|(step, _)| step.as_str()).collect();
    assert_eq!(
        names,
        [
            "chapter:002:summarize",
            "chapter:002:refine",
            "chapter:002:judge",
            "chapter:003:draft",
        ]
    );
    assert!(seen.iter().all(|(_, written)| *written), "{seen:?}");
    // Killed when the draft of chapter 3 was to be asked for.
    assert_eq!(server.count(), 4);
    assert_eq!(book.checkpoint()["last_completed_chapter"], 2);
    book.write(&llm, 1);
    assert_eq!(server.count(), 8, "nothing is asked twice");
    assert_eq!(book.checkpoint()["last_completed_chapter"], 3);
}

/// Takes the right to write the checkpoint away when the summarizer is called.
struct Closes<'a>(&'a Book);

impl Watch for Closes<'_> {
    fn event(&self, event: &WatchEvent<'_>) {
        if let WatchEvent::Started { step, .. } = event
            && step.to_string() == "chapter:002:summarize"
        {
            let checkpoint = self.0.root().join(".checkpoint.json");
            fs::set_permissions(checkpoint, Permissions::from_mode(0o444)).unwrap();
        }
    }
}

#[test]
fn an_answer_is_kept_though_the_book_could_not_go_on() {
    let book = Book::with_chapters(1);
    let server = server_that(&book, |project, request| match asked_for(request) {
        stage @ ChapterStage::Draft => Behaviour::text(sound_answer_at(project, stage).1),
        _ => Behaviour::text("写不进书里的回答"),
    });
    let llm = executor(&book, &server, |_| {});
    let watch = Closes(&book);
    let launch = Launch {
        watch: Some(&watch),
        ..Launch::default()
    };
    book.launch(&llm, Goal::Chapters(1), &launch).unwrap_err();
    let kept = book.calls("chapter-002-summarize");
    assert!(!kept.is_empty());
    assert_eq!(kept[0]["text"], "写不进书里的回答");
    assert!(
        !book.exists("staging/state/chapter-002-delta.json"),
        "nothing was accepted"
    );
    assert!(book.is_free());
    // The book can be written again: the draft is there, and only the bad answer is asked for anew.
    let checkpoint = book.root().join(".checkpoint.json");
    fs::set_permissions(checkpoint, Permissions::from_mode(0o644)).unwrap();
    let server = server_of(&book, |_, _, text| Behaviour::text(text));
    book.write(&executor(&book, &server, |_| {}), 1);
    assert_eq!(server.count(), 3);
}
