//! Missing, optional, damaged and contradicting inputs; the same files give the same packet.

use novel_model::{
    BookReader, Explain, ReadError, RelPath,
    files::{Checkpoint, OrchestratorState},
};
use novel_testkit::memory::MemoryBook;
use serde_json::json;

use super::book::{
    CONTRACT, SCHEDULE, STAGED, assert_helpful, build, build_at, contract, findings, request,
    sound_book,
};

#[test]
fn state_before_the_first_chapter_is_the_empty_one() {
    let mut book = sound_book();
    book.remove(&"state/current-state.json".parse().unwrap());
    let mut fresh = Checkpoint::new(OrchestratorState::Writing);
    fresh.current_volume = novel_model::VolumeNo::new(2).unwrap();
    let manifest = build_at(&book, &fresh, request("chapter:012:draft"))
        .unwrap()
        .manifest;
    assert_eq!(manifest.inline["current_state"]["state_version"], 0);
    let error = build(&book, request("chapter:012:draft")).unwrap_err();
    assert_eq!(
        findings(&error),
        [("missing_file", "state/current-state.json".to_owned())]
    );
    assert!(error.hint().unwrap().en.contains("novel doctor --fix"));
}

#[test]
fn optional_files_are_left_out_when_absent() {
    let mut book = sound_book();
    for path in [
        "world/rules.json",
        "storylines/storyline-spec.json",
        SCHEDULE,
        "foreshadowing/global.json",
        "volumes/vol-02/foreshadowing.json",
        "storylines/main-arc/memory.md",
        "storylines/jinghai-plan/memory.md",
        "characters/active/lin-feng.md",
    ] {
        assert!(book.remove(&path.parse().unwrap()).is_some(), "{path}");
    }
    let writer = build(&book, request("chapter:012:draft")).unwrap().manifest;
    assert!(!writer.paths.contains_key("storyline_memory"));
    assert!(!writer.paths.contains_key("adjacent_storyline_memories"));
    assert_eq!(writer.inline["hard_rules_list"], json!([]));
    // The contract names an item nobody else knows.
    let tasks = writer.inline["foreshadowing_tasks"].as_array().unwrap();
    assert_eq!(tasks.len(), 1);
    assert_eq!(tasks[0]["id"], "ancient_prophecy");
    assert_eq!(tasks[0]["required_action"], "advanced");
    let judge = build(&book, request("chapter:012:judge")).unwrap().manifest;
    for field in [
        "world_rules",
        "storyline_spec",
        "storyline_schedule",
        "character_profiles",
    ] {
        assert!(!judge.paths.contains_key(field), "{field}");
    }
}

#[test]
fn every_missing_required_input_is_reported_in_one_run() {
    let book = MemoryBook::new();
    let error = build(&book, request("chapter:012:draft")).unwrap_err();
    assert_eq!(error.code(), "MISSING_INPUT");
    assert_helpful(&error);
    let paths: Vec<String> = findings(&error)
        .into_iter()
        .map(|(_, place)| place)
        .collect();
    assert_eq!(
        paths,
        [
            "volumes/vol-02/outline.md",
            CONTRACT,
            "brief.md",
            "style-profile.json",
            "ai-blacklist.json",
            "state/current-state.json",
        ]
    );
    let error = build(&book, request("chapter:012:judge")).unwrap_err();
    let paths: Vec<String> = findings(&error)
        .into_iter()
        .map(|(_, place)| place)
        .collect();
    assert!(paths.contains(&STAGED.to_owned()));
    assert!(paths.contains(&"staging/state/chapter-012-crossref.json".to_owned()));
}

#[test]
fn a_wrong_contract_stops_every_agent() {
    let mut wrong = contract();
    wrong["storyline_id"] = json!("jinghai-plan");
    let book = sound_book().with(CONTRACT, wrong.to_string());
    for stage in ["draft", "summarize", "refine", "judge"] {
        let error = build(&book, request(&format!("chapter:012:{stage}"))).unwrap_err();
        assert_eq!(
            findings(&error),
            [("wrong_storyline", format!("{CONTRACT}#/storyline_id"))]
        );
    }
}

#[test]
fn damaged_files_are_errors_never_defaults() {
    for (path, step) in [
        ("style-profile.json", "chapter:012:draft"),
        ("ai-blacklist.json", "chapter:012:refine"),
        ("state/current-state.json", "chapter:012:summarize"),
        ("world/rules.json", "chapter:012:draft"),
        ("foreshadowing/global.json", "chapter:012:draft"),
        ("style-drift.json", "chapter:012:refine"),
        (SCHEDULE, "chapter:012:judge"),
        ("storylines/storyline-spec.json", "chapter:012:judge"),
    ] {
        let error = build(&sound_book().with(path, "{"), request(step)).unwrap_err();
        assert_eq!(error.problems().len(), 1, "{path}: {:?}", findings(&error));
        assert_eq!(error.problems()[0].path.as_str(), path);
    }
    let crlf = sound_book().with("brief.md", "a\r\nb");
    let error = build(&crlf, request("chapter:012:draft")).unwrap_err();
    assert_eq!(findings(&error), [("unreadable", "brief.md".to_owned())]);
}

/// A reader that lists directories from the end.
struct Backwards(MemoryBook);

impl BookReader for Backwards {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        self.0.read(path)
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        let mut names = self.0.list(directory)?;
        names.reverse();
        Ok(names)
    }
}

#[test]
fn same_files_give_the_same_bytes_in_any_order() {
    let mut no_states = contract();
    no_states["preconditions"] = json!({});
    let book = sound_book().with(CONTRACT, no_states.to_string());
    let reversed = Backwards(book.clone());
    let steps = [
        "chapter:012:draft",
        "chapter:012:summarize",
        "chapter:012:judge",
        "volume:02:plan",
    ];
    for step in steps {
        let text = |book: &dyn BookReader| {
            serde_json::to_string(&build(book, request(step)).unwrap()).unwrap()
        };
        assert_eq!(text(&book), text(&reversed));
    }
    let broken = book
        .with("characters/active/a.json", "{")
        .with("characters/active/z.json", "{");
    let places =
        |book: &dyn BookReader| findings(&build(book, request("chapter:012:draft")).unwrap_err());
    assert_eq!(places(&broken), places(&Backwards(broken.clone())));
}
