//! Agents that are called while the last answer is still being written down.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    sync::Mutex,
};

use novel_app::run::{Watch, WatchEvent};
use novel_engine::run::Goal;
use novel_mockllm::Behaviour;
use novel_model::ChapterStage;

use super::{
    book::{Book, Launch},
    script::sound_answer_at,
    wire::{asked_for, executor, server_of, server_that},
};

/// Whether the step before is written down when a step's agent is called.
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
        let (kept, written) = match step.to_string().as_str() {
            "chapter:002:draft" => return,
            "chapter:002:summarize" => ("draft", exists("staging/chapters/chapter-002.md")),
            "chapter:002:refine" => ("summarize", exists("staging/state/chapter-002-delta.json")),
            "chapter:002:judge" => (
                "refine",
                self.book.stands() == serde_json::json!(["WRITING", "refined", 2, 0]),
            ),
            "chapter:003:draft" => ("judge", exists("chapters/chapter-002.md")),
            other => panic!("{other}"),
        };
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
fn the_next_agent_is_called_before_the_last_answer_is_written_down_and_a_kill_then_loses_nothing() {
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
    assert!(seen.iter().all(|(_, written)| !written), "{seen:?}");
    // Killed with chapter 2 judged and nothing of the verdict written down.
    assert_eq!(server.count(), 4);
    assert_eq!(book.checkpoint()["last_completed_chapter"], 1);
    book.write(&llm, 1);
    assert_eq!(server.count(), 4, "nothing is asked twice");
    assert_eq!(book.checkpoint()["last_completed_chapter"], 2);
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
fn an_answer_that_was_called_for_ahead_is_kept_though_the_book_could_not_go_on() {
    let book = Book::with_chapters(1);
    let server = server_that(&book, |project, request| match asked_for(request) {
        stage @ ChapterStage::Draft => Behaviour::text(sound_answer_at(project, stage).1),
        _ => Behaviour::text("来得太早的回答"),
    });
    let llm = executor(&book, &server, |_| {});
    let watch = Closes(&book);
    let launch = Launch {
        watch: Some(&watch),
        ..Launch::default()
    };
    book.launch(&llm, Goal::Chapters(1), &launch).unwrap_err();
    assert_eq!(server.count(), 2);
    assert!(
        !book.exists("staging/chapters/chapter-002.md"),
        "nothing was accepted"
    );
    let kept = book.calls("chapter-002-summarize");
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].1["text"], "来得太早的回答");
    assert!(book.is_free());
    // The book can be written again: both answers are found, and only the bad one is asked for anew.
    let checkpoint = book.root().join(".checkpoint.json");
    fs::set_permissions(checkpoint, Permissions::from_mode(0o644)).unwrap();
    let server = server_of(&book, |_, _, text| Behaviour::text(text));
    let report = book.write(&executor(&book, &server, |_| {}), 1);
    assert_eq!(report.spent.reused, 2);
    assert_eq!(server.count(), 3);
}
