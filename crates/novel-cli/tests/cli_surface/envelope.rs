//! `--json`: one object, whatever happens.

use serde_json::json;

use novel_testkit::TestBook;

use super::{asked, with_book};

#[test]
fn every_command_answers_with_its_name_and_an_object() {
    let book = with_book();
    book.write("text.md", "他不禁笑了。\n");
    for (arguments, command) in [
        (&["status"][..], "status"),
        (&["next"], "next"),
        (&["instructions", "quickstart:world"], "instructions"),
        (&["doctor"], "doctor"),
        (&["check"], "check"),
        (&["check", "--waivers"], "check"),
        (&["lint", "text.md"], "lint"),
        (&["lock", "status"], "lock status"),
        (&["lock", "clear"], "lock clear"),
        (&["completions", "bash"], "completions"),
        (&["man"], "man"),
        (&["version"], "version"),
        (&["help", "next"], "help"),
        (&["--version"], "version"),
        (&["--help"], "novel"),
        (&["lock", "clear", "--help"], "lock clear"),
        (&["init", "other"], "init"),
        (&["demo", "small", "--chapters", "1"], "demo"),
        (&["continue", "--project", "small"], "continue"),
        (&["run", "--to", "2", "--project", "small"], "run"),
        (&["resume", "--to", "3", "--project", "small"], "resume"),
        (&["rollback", "2", "--project", "small"], "rollback"),
        (&["undo", "--project", "small"], "undo"),
        (&["log", "--project", "small"], "log"),
        (
            &["export", "--format", "md", "--project", "small"],
            "export",
        ),
        (&["agents"], "agents"),
        (&["agents", "list"], "agents list"),
        (&["agents", "show", "summarizer"], "agents show"),
        (&["agents", "eject", "summarizer"], "agents eject"),
        (&["cost"], "cost"),
        (&["report"], "report"),
    ] {
        let (code, answer) = asked(&book, arguments);
        assert_eq!(code, 0, "{answer}");
        assert_eq!(answer["ok"], true, "{answer}");
        assert_eq!(answer["command"], command, "{answer}");
        assert!(answer["data"].is_object(), "{answer}");
        assert!(answer.get("error").is_none(), "{answer}");
    }
}

#[test]
fn the_flag_may_stand_anywhere() {
    let book = with_book();
    let before = book.novel(&["--json", "next"]);
    let after = book.novel(&["next", "--json"]);
    assert_eq!(before.stdout, after.stdout);
    let project = book.root().display().to_string();
    let outside = TestBook::nowhere();
    for arguments in [
        ["--project", &project, "next", "--json"],
        ["next", "--json", "--project", &project],
    ] {
        assert_eq!(outside.novel(&arguments).stdout, before.stdout);
    }
}

#[test]
fn fixed_fields_have_their_names() {
    let book = with_book();
    let (_, next) = asked(&book, &["next"]);
    assert_eq!(next["data"]["step"], "quickstart:world");
    assert_eq!(next["data"]["reason"], "quick_start");
    let (_, packet) = asked(&book, &["instructions", "quickstart:world"]);
    assert_eq!(packet["data"]["packet"]["step"], "quickstart:world");
    assert_eq!(packet["data"]["manifest_path"], json!(null));
    let (_, saved) = asked(
        &book,
        &["instructions", "quickstart:world", "--write-manifest"],
    );
    let path = saved["data"]["manifest_path"].as_str().unwrap();
    assert_eq!(path, "staging/manifests/quickstart-world.json");
    assert!(book.root().join(path).is_file());
    let (_, status) = asked(&book, &["status"]);
    assert_eq!(status["data"]["progress"]["title"], "雾城");
    assert_eq!(status["data"]["next"]["step"], "quickstart:world");
    assert_eq!(status["data"]["lock"]["state"], "free");
}

#[test]
fn lint_counts_are_exact_and_several_files_are_a_list() {
    let book = with_book();
    book.write(
        "list.json",
        r#"{"words": ["不禁", "值得一提"], "whitelist": ["值得一提"]}"#,
    );
    book.write("a.md", "他不禁笑了，\n她也不禁。值得一提。\n");
    book.write("b.md", "无\n");
    let (_, one) = asked(&book, &["lint", "a.md", "--blacklist", "list.json"]);
    assert_eq!(one["data"]["total_hits"], 2);
    let hit = &one["data"]["hits"][0];
    assert_eq!((&hit["word"], &hit["count"]), (&json!("不禁"), &json!(2)));
    assert_eq!(hit["lines"], json!([1, 2]));
    let (_, two) = asked(&book, &["lint", "a.md", "b.md", "--blacklist", "list.json"]);
    let files = two["data"]["files"].as_array().unwrap();
    assert_eq!(files[0]["file"], "a.md");
    assert_eq!(
        (&files[0]["total_hits"], &files[1]["total_hits"]),
        (&json!(2), &json!(0))
    );
}

#[test]
fn lint_with_a_list_needs_no_project() {
    let nowhere = TestBook::nowhere();
    nowhere.write("list.json", r#"{"words": ["不禁"]}"#);
    nowhere.write("a.md", "不禁");
    let (code, answer) = asked(&nowhere, &["lint", "a.md", "--blacklist", "list.json"]);
    assert_eq!((code, &answer["data"]["total_hits"]), (0, &json!(1)));
    let (code, answer) = asked(&nowhere, &["lint", "a.md"]);
    assert_eq!((code, &answer["error"]["code"]), (2, &json!("NO_PROJECT")));
}

#[test]
fn oddities_of_the_configuration_are_warnings() {
    let book = with_book();
    book.write("novel.toml", "titel = \"x\"\n");
    let (_, next) = asked(&book, &["next"]);
    let warning = &next["data"]["warnings"][0];
    assert_eq!(warning["code"], "unknown_config_key");
    assert!(warning["message"].as_str().unwrap().contains("`title`"));
    // Also where the answer has no warnings of its own.
    let (_, status) = asked(&book, &["status"]);
    assert_eq!(&status["data"]["warnings"][0], warning);
    let shown = book.novel(&["status"]);
    assert!(
        shown.stderr.contains("warning[unknown_config_key]: "),
        "{}",
        shown.stderr
    );
    assert_eq!(book.novel(&["status", "--quiet"]).stderr, "");
}

#[test]
fn times_are_the_given_one() {
    let book = with_book();
    let text = std::fs::read_to_string(book.root().join(".checkpoint.json")).unwrap();
    assert!(text.contains("2026-03-01T00:00:00Z"), "{text}");
}
