//! Every kind of failure: exit code, envelope, words in both languages.

use std::fs::File;

use serde_json::{Value, json};

use novel_testkit::{Output, TestBook, assert_same_tree};

use super::{asked, with_book};

/// The error of a failed command, after looking over its envelope.
fn error(sandbox: &TestBook, arguments: &[&str]) -> (i32, Value) {
    let (code, answer) = asked(sandbox, arguments);
    assert_eq!(answer["ok"], false, "{answer}");
    assert!(answer["command"].is_string(), "{answer}");
    assert!(answer.get("data").is_none(), "{answer}");
    let error = answer["error"].clone();
    assert!(!error["message"].as_str().unwrap().is_empty(), "{answer}");
    assert!(error["hint"].is_string(), "{answer}");
    assert!(error["details"].is_object(), "{answer}");
    (code, error)
}

fn code_of(sandbox: &TestBook, arguments: &[&str]) -> (i32, String) {
    let (code, error) = error(sandbox, arguments);
    (code, error["code"].as_str().unwrap().to_owned())
}

#[test]
fn bad_usage_is_2() {
    let book = with_book();
    for (arguments, code) in [
        (&[][..], "USAGE"),
        (&["nxt"], "USAGE"),
        (&["next", "--bogus"], "USAGE"),
        (&["next", "--lang", "fr"], "USAGE"),
        (&["next", "surplus"], "USAGE"),
        (&["lock"], "USAGE"),
        (&["commit"], "USAGE"),
        (&["commit", "--chapter", "1", "--volume", "1"], "USAGE"),
        (&["commit", "--chapter", "zero"], "BAD_ID"),
        (&["commit", "--chapter", "-1"], "BAD_ID"),
        (&["commit", "--chapter", "4294967296"], "BAD_ID"),
        (&["advance", "chapter:000:draft"], "BAD_ID"),
        (&["validate", "chapter:1:drfat"], "BAD_ID"),
        (&["init", "x", "--project", "y"], "USAGE"),
        (&["next", "--project", "x", "-p", "y"], "USAGE"),
        (&["help", "nxt"], "USAGE"),
    ] {
        assert_eq!(
            code_of(&book, arguments),
            (2, code.to_owned()),
            "{arguments:?}"
        );
    }
}

#[test]
fn a_usage_error_knows_its_command() {
    let book = with_book();
    let (_, answer) = asked(&book, &["lock", "clear", "--forc"]);
    assert_eq!(answer["command"], "lock clear");
    assert!(
        answer["error"]["hint"]
            .as_str()
            .unwrap()
            .contains("`--force`")
    );
}

#[test]
fn bad_input_is_2() {
    let book = with_book();
    book.write("gbk.md", b"\xce\xed\xb3\xc7\n");
    book.write("dir/file.md", "x");
    for (arguments, code) in [
        (&["advance", "chapter:001:draft"][..], "NOT_NEXT_STEP"),
        (
            &["submit", "quickstart:world", "nowhere.md"],
            "FILE_NOT_FOUND",
        ),
        (&["submit", "quickstart:world", "dir"], "NOT_A_FILE"),
        (&["lint", "gbk.md"], "NOT_UTF8"),
        (&["init"], "ALREADY_EXISTS"),
        (&["next", "--project", "nowhere"], "NO_PROJECT"),
        (&["next", "-p", "nowhere"], "NO_PROJECT"),
        (&["next", "-p", "../book"], "BAD_PROJECT_NAME"),
    ] {
        assert_eq!(
            code_of(&book, arguments),
            (2, code.to_owned()),
            "{arguments:?}"
        );
    }
    assert_eq!(
        code_of(&TestBook::nowhere(), &["next"]),
        (2, "NO_PROJECT".into())
    );
}

#[test]
fn a_giant_is_refused_before_it_is_read() {
    let book = with_book();
    let giant = File::create(book.root().join("giant.md")).unwrap();
    giant.set_len(50 * 1024 * 1024).unwrap();
    let found = code_of(&book, &["submit", "quickstart:world", "giant.md"]);
    assert_eq!(found, (2, "FILE_TOO_LARGE".into()));
}

#[test]
fn a_broken_file_is_2_and_lists_its_problems() {
    let book = with_book();
    book.write(".checkpoint.json", "{\"last_completed_chapter\": 1,\n");
    let (code, error) = error(&book, &["next"]);
    assert_eq!(code, 2);
    let problem = &error["details"]["problems"][0];
    assert_eq!(problem["path"], ".checkpoint.json");
    assert!(problem["message"].is_string(), "{error}");
    let shown = book.novel(&["next"]);
    assert_eq!((shown.code, shown.stdout.as_str()), (2, ""));
    assert!(
        shown.stderr.contains("\n  .checkpoint.json:"),
        "{}",
        shown.stderr
    );
}

#[test]
fn a_broken_configuration_is_2_in_any_language() {
    let book = with_book();
    book.write("novel.toml", "title = [\n");
    let ran = Output::of(
        book.command(&["next"])
            .env_remove("LANG")
            .env_remove("NOVEL_LANG"),
    );
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.starts_with("error[BROKEN_CONFIG]: "),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_setting_pasted_under_a_table_is_an_error_before_anything_is_written() {
    let book = with_book();
    for table in ["[style]", "[models]", "[chapter]\nmin_words = 100"] {
        book.write(
            "novel.toml",
            format!("title = \"x\"\n\n{table}\nexecutor = \"llm\"\n"),
        );
        let before = book.tree();
        for command in [&["continue"][..], &["status"], &["run", "--to", "3"]] {
            let error = book.ask(command).fails(2);
            assert_eq!(error["code"], "BROKEN_CONFIG", "{error:#}");
            let told = error.to_string();
            assert!(told.contains("misplaced_key"), "{error:#}");
            assert!(told.contains("`executor`"), "{error:#}");
        }
        assert_same_tree(&book.tree(), &before, table);
    }
    // Under the right table, and at the top, they are read.
    book.write(
        "novel.toml",
        "executor = \"offline\"\n[models]\ndefault = \"m\"\n",
    );
    let _ = book.ask(&["status"]).data();
}

#[test]
fn a_waiting_gate_is_3() {
    let book = with_book();
    let path = book.root().join(".checkpoint.json");
    let mut checkpoint: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    checkpoint["orchestrator_state"] = json!("WRITING");
    checkpoint["last_completed_chapter"] = json!(1);
    book.write(".checkpoint.json", checkpoint.to_string());
    // A revision status that can not be read may be a pending one: the gate stays closed.
    book.write("chapters/chapter_001_revision.json", "{");
    let (code, error) = error(&book, &["next"]);
    assert_eq!(code, 3, "{error}");
    let shown = book.novel(&["next"]);
    assert_eq!(shown.code, 3);
    assert!(shown.stderr.starts_with("stopped["), "{}", shown.stderr);
}

#[test]
fn a_held_lock_is_4_and_is_cleared_only_by_force() {
    let book = with_book();
    let now = jiff::Timestamp::now();
    let info = json!({"pid": 1, "started": now.to_string(), "chapter": 1});
    book.write(".novel.lock/info.json", info.to_string());
    let write = ["instructions", "quickstart:world", "--write-manifest"];
    let (code, held) = error(&book, &write);
    assert_eq!((code, &held["code"]), (4, &json!("LOCK_HELD")));
    assert_eq!(held["details"]["holder"]["pid"], 1);
    assert_eq!(asked(&book, &["next"]).0, 0, "reading needs no lock");
    assert_eq!(code_of(&book, &["lock", "clear"]), (4, "LOCK_HELD".into()));
    let (code, cleared) = asked(&book, &["lock", "clear", "--force"]);
    assert_eq!((code, &cleared["data"]["cleared"]), (0, &json!(true)));
    assert_eq!(asked(&book, &write).0, 0);
}

#[test]
fn an_answer_nobody_takes_is_1() {
    let book = with_book();
    for arguments in [
        &["next"][..],
        &["next", "--json"],
        &["--help"],
        &["nxt", "--json"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let ran = Output::of(book.command(arguments).stdout(full));
        assert_eq!(ran.code, 1, "{arguments:?}");
        assert!(ran.stderr.contains("[OUTPUT_FAILED]"), "{}", ran.stderr);
    }
}

#[test]
fn a_bad_clock_is_2() {
    let book = with_book();
    let mut command = book.command(&["next"]);
    let ran = Output::of(command.env("SOURCE_DATE_EPOCH", "noon"));
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("[BAD_SOURCE_DATE_EPOCH]"),
        "{}",
        ran.stderr
    );
}

#[test]
fn errors_speak_both_languages() {
    let book = with_book();
    insta::assert_snapshot!(book.novel(&["advance", "chapter:1:draft"]).stderr, @"
    error[NOT_NEXT_STEP]: chapter:001:draft is not the next step; the next step is quickstart:world

    hint: run `novel instructions quickstart:world`
    ");
    insta::assert_snapshot!(book.novel(&["advance", "chapter:1:draft", "--lang", "zh"]).stderr, @"
    错误[NOT_NEXT_STEP]：chapter:001:draft 不是下一步；下一步是 quickstart:world

    提示：运行 `novel instructions quickstart:world`
    ");
    insta::assert_snapshot!(book.novel(&["--lang=zh", "commit"]).stderr, @"
    错误[USAGE]：缺少参数：<--chapter <N>|--volume <V>>

    提示：参见 `novel commit --help`
    ");
}
