//! `novel config set` and `unset`: one setting of `novel.toml` changes, and nothing else.

use novel_testkit::{TestBook, assert_same_tree, faulty::pending};
use serde_json::json;

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
