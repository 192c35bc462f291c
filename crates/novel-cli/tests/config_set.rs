//! `novel config set` and `unset`: one setting of `novel.toml` changes, and nothing else.

use novel_app::{
    history,
    setup::{
        model::{self, KeyPlace, ModelChoice, Try},
        settings::{self, SettingChange},
    },
};
use novel_mockllm::{Behaviour, MockServer};
use novel_model::Failure;
use novel_testkit::{
    TestBook, assert_same_tree,
    crash::{Act, Files, files},
    faulty::pending,
};
use serde_json::json;

use crate::offline_author::project;

/// Stops an act that changes `novel.toml`, and its undo, everywhere.
fn killed_everywhere(name: &str, start: &Files, act: &novel_testkit::crash::Deed<'_>) {
    let changed = Act {
        name,
        run: act,
        of_interest: Files::clone,
    }
    .enumerate(start);
    assert_ne!(start.get("novel.toml"), changed.get("novel.toml"), "{name}");
    let undone = Act {
        name: "undo",
        run: &|fs, pid| {
            history::undo(&project(fs, pid)?, None)
                .map(drop)
                .map_err(Failure::from)
        },
        of_interest: Files::clone,
    }
    .enumerate(&changed);
    assert_eq!(start.get("novel.toml"), undone.get("novel.toml"), "{name}");
}

#[test]
fn every_crash_point_of_config_set_unset_and_their_undo_leaves_before_or_after() {
    let book = TestBook::demo(1);
    let start = files(book.tree());
    killed_everywhere("config set", &start, &|fs, pid| {
        let change = SettingChange::Set("900");
        settings::change(&project(fs, pid)?, "chapter.min_words", change)
            .map(drop)
            .map_err(Failure::from)
    });
    killed_everywhere("config unset", &start, &|fs, pid| {
        settings::change(
            &project(fs, pid)?,
            "chapter.min_words",
            SettingChange::Unset,
        )
        .map(drop)
        .map_err(Failure::from)
    });
}

#[test]
fn every_crash_point_of_setup_and_its_undo_leaves_before_or_after() {
    let server =
        MockServer::start(|_| Behaviour::json(&json!({"ready": true, "word": "rain"}))).unwrap();
    let base_url = server.openai_base();
    let start = files(TestBook::demo(1).tree());
    killed_everywhere("setup", &start, &|fs, pid| {
        let choice = ModelChoice {
            api: "openai".to_owned(),
            base_url: base_url.clone(),
            model: "stub-model".to_owned(),
            key: KeyPlace::Nowhere,
        };
        model::setup(&project(fs, pid)?, choice, None, Try::Call)
            .map(drop)
            .map_err(Failure::from)
    });
}

#[test]
fn a_setting_is_changed_shown_and_taken_back() {
    let book = TestBook::demo(1);
    book.write(
        "novel.toml",
        "# My book.\ntitle = \"雨\" # on the cover\n\n[chapter]\n# min_words = 2500\n",
    );
    let before = book.text("novel.toml");
    let set = book
        .ask(&["config", "set", "chapter.min_words", "800"])
        .data();
    assert_eq!(
        set,
        json!({"key": "chapter.min_words", "before": null, "after": 800, "changed": true, "variable": null})
    );
    assert_eq!(
        book.text("novel.toml"),
        "# My book.\ntitle = \"雨\" # on the cover\n\n[chapter]\nmin_words = 800\n# min_words = 2500\n"
    );
    let shown = book.ask(&["config", "chapter.min_words"]).data();
    assert_eq!(shown["settings"][0]["value"], 800);
    assert_eq!(shown["settings"][0]["origin"], "file");
    let log = book.ask(&["log"]).data();
    assert_eq!(log["operations"][0]["kind"], "config");
    assert_eq!(log["operations"][0]["target"], "chapter.min_words");
    book.ask(&["undo"]).data();
    assert_eq!(book.text("novel.toml"), before);
    book.ask(&["redo"]).data();
    assert!(book.text("novel.toml").contains("min_words = 800"));
    let unset = book.ask(&["config", "unset", "chapter.min_words"]).data();
    assert_eq!(unset["before"], 800);
    assert_eq!(book.text("novel.toml"), before);
    assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
}

#[test]
fn what_changes_nothing_is_no_operation() {
    let book = TestBook::demo(1);
    let before = book.tree();
    for args in [
        ["config", "unset", "llm.base_url"].as_slice(),
        &["config", "set", "language", "zh-CN"],
    ] {
        assert_eq!(book.ask(args).data()["changed"], false, "{args:?}");
    }
    assert_same_tree(&book.tree(), &before, "nothing changed");
}

#[test]
fn refusals_leave_every_byte_as_it_was() {
    let book = TestBook::demo(1);
    let before = book.tree();
    for (args, code, hint) in [
        (
            ["llm.base_ulr", "http://127.0.0.1/"],
            "UNKNOWN_SETTING",
            "did you mean `llm.base_url`?",
        ),
        (
            ["llm", "x"],
            "UNKNOWN_SETTING",
            "name a setting in it, such as `llm.api`",
        ),
        (
            ["executor", "gpt"],
            "BAD_SETTING_VALUE",
            "allowed: offline, llm, command",
        ),
        (
            ["drafting.candidates", "10"],
            "BAD_SETTING_VALUE",
            "allowed: a whole number from 1 to 9",
        ),
    ] {
        let refused = book.refuses(2, &["--lang", "en", "config", "set", args[0], args[1]]);
        assert_eq!(refused["code"], code, "{refused}");
        assert_eq!(refused["hint"], hint, "{refused}");
    }
    let key = book.novel(&["config", "set", "llm.key_env", "sk-live-123"]);
    assert!(!key.both().contains("sk-live"), "{}", key.both());
    book.refuses(2, &["config", "unset", "titel"]);
    assert_same_tree(&book.tree(), &before, "nothing changed");
}

#[test]
fn the_environment_stands_above_the_file_and_is_named() {
    let book = TestBook::demo(1);
    let mut command = book.command(&["--json", "config", "set", "revision_policy", "auto_apply"]);
    command.env("NOVEL_REVISION_POLICY", "none");
    let set = novel_testkit::Output::of(command).data();
    assert_eq!(set["variable"], "NOVEL_REVISION_POLICY");
    assert!(
        book.text("novel.toml")
            .contains("revision_policy = \"auto_apply\"")
    );
}

#[test]
fn settings_change_while_a_chapter_waits_for_the_author() {
    let book = pending();
    book.ask(&["config", "set", "models.chapter-reviser", "m"])
        .data();
    book.ask(&["undo"]).data();
}

#[test]
fn completion_scripts_know_the_keys() {
    let script = TestBook::nowhere()
        .novel(&["completions", "bash"])
        .success();
    assert!(script.stdout.contains("llm.base_url"));
}
