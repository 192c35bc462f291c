//! `novel check`: what is found and said, what is waived, and that looking changes nothing.

use std::fs;

use novel_testkit::TestBook;
use serde_json::{Value, json};

const CODE: &str = "DEAD_CHARACTER_ACTS";
const CHANGELOG: &str = "state/changelog.jsonl";
const WAIVERS: &str = "reviews/waivers.json";
/// The changelog starts with the state before the first chapter.
const LINE_OF_CHAPTER_11: usize = 12;

/// The demo book with all its twelve chapters.
fn clean_book() -> TestBook {
    TestBook::demo(12)
}

/// The same, but somebody who acts three times in chapter 12 dies in chapter 11.
fn faulty_book() -> TestBook {
    let home = clean_book();
    let mut lines = home.lines(CHANGELOG);
    let path = "characters.qiu-boyuan.status";
    lines[LINE_OF_CHAPTER_11 - 1]["ops"]
        .as_array_mut()
        .unwrap()
        .push(json!({
            "op": {"op": "set", "path": path, "value": "死亡"},
            "undo": {"kind": "remove", "path": path},
        }));
    let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    home.write(CHANGELOG, lines.concat());
    home
}

/// `data` of a run that went well.
#[track_caller]
fn data(home: &TestBook, arguments: &[&str]) -> Value {
    let output = home.ask(arguments);
    assert_eq!(output.json()["command"], "check", "{output}");
    output.data()
}

/// `error` of a run that was refused as bad input.
#[track_caller]
fn refused(home: &TestBook, arguments: &[&str]) -> Value {
    home.ask(arguments).fails(2)
}

#[test]
fn a_clean_book_has_no_finding() {
    let home = clean_book();
    let all: Vec<u32> = (1..=12).collect();
    assert_eq!(
        data(&home, &["check", "all"]),
        json!({"checked": all, "findings": [], "waived": 0})
    );
    for (arguments, checked) in [
        (&["check"][..], json!([12])),
        (&["check", "3"], json!([3])),
        (&["check", "4..6"], json!([4, 5, 6])),
        (&["check", "4..4"], json!([4])),
        (&["check", "ALL", "--all"], json!(all)),
    ] {
        assert_eq!(data(&home, arguments)["checked"], checked, "{arguments:?}");
    }
    let said = home.novel(&["check", "all"]).success();
    assert_eq!(said.stdout, "");
    assert_eq!(said.stderr, "No contradiction found in chapters 1 to 12.\n");
    let said = home.novel(&["check", "--lang", "zh"]).success();
    assert_eq!(said.stderr, "第 12 章未发现矛盾。\n");
}

#[test]
fn a_book_without_chapters_has_nothing_to_check() {
    let home = TestBook::nowhere();
    let _ = home.novel(&["init", "book", "--title", "雾城"]).success();
    let nothing = json!({"checked": [], "findings": [], "waived": 0});
    assert_eq!(data(&home, &["check"]), nothing);
    assert_eq!(data(&home, &["check", "all"]), nothing);
    assert_eq!(refused(&home, &["check", "1"])["code"], "NO_SUCH_CHAPTER");
}

#[test]
fn a_planted_fault_is_found_where_it_is_and_told_in_both_languages() {
    let home = faulty_book();
    let en = home.novel(&["check", "--lang", "en"]).success();
    insta::assert_snapshot!(lines(&en.stdout), @r#"
    high[DEAD_CHARACTER_ACTS]: 邱伯远 is dead before this chapter, but acts or speaks in it
    --> chapters/chapter_012.json scene 3, line 3
     |
     | 邱伯远说。
     | ^^^^^^^^
     |
    note: it contradicts this
    --> state/changelog.jsonl:12
     |
     | {"op":"set","path":"characters.qiu-boyuan.status","value":"死亡"}
     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
     = help: 邱伯远已经死亡：请把「邱伯远说。」中的言行改由他人完成、删去，或写明这是回忆
     = fingerprint: 4e9a405cbb69034e

    high[DEAD_CHARACTER_ACTS]: 邱伯远 is dead before this chapter, but acts or speaks in it
    --> chapters/chapter_012.json scene 3, line 21
     |
     | 邱伯远两手交叠着搁在木箱盖上，“太平得我一路没敢合眼。”
     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
     |
    note: it contradicts this
    --> state/changelog.jsonl:12
     |
     | {"op":"set","path":"characters.qiu-boyuan.status","value":"死亡"}
     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
     = help: 邱伯远已经死亡：请把「邱伯远两手交叠着搁在木箱盖上，“太平得我一路没敢合眼。”」中的言行改由他人完成、删去，或写明这是回忆
     = fingerprint: 4f0f789dd7750f6f
    "#);
    assert_eq!(
        en.stderr,
        "2 findings in chapter 12: 2 high, 0 medium, 0 low.\n"
    );
    let zh = home.novel(&["check", "all", "--lang", "zh"]).success();
    insta::assert_snapshot!(lines(&zh.stdout), @r#"
    严重[DEAD_CHARACTER_ACTS]: 邱伯远在本章之前已经死亡，却在本章中行动或说话
    --> chapters/chapter_012.json 第 3 场第 3 行
     |
     | 邱伯远说。
     | ^^^^^^^^
     |
    对照: 与此处矛盾
    --> state/changelog.jsonl:12
     |
     | {"op":"set","path":"characters.qiu-boyuan.status","value":"死亡"}
     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
     = 建议: 邱伯远已经死亡：请把「邱伯远说。」中的言行改由他人完成、删去，或写明这是回忆
     = 指纹: 4e9a405cbb69034e

    严重[DEAD_CHARACTER_ACTS]: 邱伯远在本章之前已经死亡，却在本章中行动或说话
    --> chapters/chapter_012.json 第 3 场第 21 行
     |
     | 邱伯远两手交叠着搁在木箱盖上，“太平得我一路没敢合眼。”
     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
     |
    对照: 与此处矛盾
    --> state/changelog.jsonl:12
     |
     | {"op":"set","path":"characters.qiu-boyuan.status","value":"死亡"}
     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
     = 建议: 邱伯远已经死亡：请把「邱伯远两手交叠着搁在木箱盖上，“太平得我一路没敢合眼。”」中的言行改由他人完成、删去，或写明这是回忆
     = 指纹: 4f0f789dd7750f6f
    "#);
    assert_eq!(
        zh.stderr,
        "第 1 至 12 章发现 2 处矛盾：严重 2，中等 0，轻微 0。\n"
    );
    // Where the fault is not, it is not reported.
    assert_eq!(data(&home, &["check", "1..11"])["findings"], json!([]));
}

/// Without spaces at the ends of lines.
fn lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
}

#[test]
fn the_json_of_a_finding_is_a_contract() {
    let home = faulty_book();
    let data = data(&home, &["check"]);
    let finding = &data["findings"][0];
    let mut fields: Vec<&String> = finding.as_object().unwrap().keys().collect();
    fields.sort();
    assert_eq!(
        fields,
        [
            "chapter",
            "code",
            "fingerprint",
            "fix_instructions",
            "message",
            "other_side",
            "place",
            "related_characters",
            "repair",
            "severity",
            "waived"
        ]
    );
    assert_eq!(data["findings"].as_array().unwrap().len(), 2);
    let chapter = home.json("chapters/chapter_012.json");
    for finding in data["findings"].as_array().unwrap() {
        assert_eq!(finding["code"], CODE);
        assert_eq!(finding["severity"], "high");
        assert_eq!(finding["chapter"], 12);
        assert_eq!(finding["waived"], Value::Null);
        assert_eq!(finding["related_characters"], json!(["邱伯远"]));
        assert_eq!(finding["other_side"]["path"], CHANGELOG);
        assert_eq!(finding["other_side"]["line"], LINE_OF_CHAPTER_11);

        // The quotation stands in the text at exactly the place that is named.
        let place = &finding["place"];
        assert_eq!(place["path"], "chapters/chapter_012.json");
        let number = |field: &str| usize::try_from(place[field].as_u64().unwrap()).unwrap();
        let content = &chapter["scenes"][number("scene") - 1]["content"];
        let content = content.as_str().unwrap();
        let quotation = place["quotation"].as_str().unwrap();
        assert_eq!(&content[number("start")..number("end")], quotation);
        assert!(quotation.contains("邱伯远"), "{quotation}");
        let before = &content[..number("start")];
        assert_eq!(before.matches('\n').count() + 1, number("line"));
    }
}

#[test]
fn colours_are_for_those_who_want_them() {
    let home = faulty_book();
    let plain = home.novel(&["check"]).success().stdout;
    assert!(!plain.contains('\u{1b}'), "{plain}");
    let coloured = home.novel(&["check", "--color", "always"]).success().stdout;
    let header = format!("\u{1b}[1m\u{1b}[31mhigh[{CODE}]\u{1b}[0m");
    assert!(coloured.starts_with(&header), "{coloured}");
    assert_eq!(uncoloured(&coloured), plain);
}

/// Without colours.
fn uncoloured(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |kept, part| kept + part.split_once('m').unwrap().1)
}

#[test]
fn names_from_the_book_can_not_steer_the_terminal() {
    let home = faulty_book();
    let path = "characters/active/qiu-boyuan.json";
    let mut person = home.json(path);
    person["display_name"] = json!("\u{1b}]0;owned\u{7}邱伯远");
    person["aliases"] = json!(["邱伯远"]);
    home.write(path, person.to_string());
    for arguments in [&["check"][..], &["check", "--color", "always"]] {
        let said = home.novel(arguments).success();
        assert!(said.stdout.contains("\\u{1b}]0;owned"), "{said:#?}");
        assert!(!said.stdout.contains("\u{1b}]"), "{said:#?}");
        assert!(!said.stdout.contains('\u{7}'), "{said:#?}");
    }
}

#[test]
fn a_waived_finding_is_gone_until_the_waiver_is_revoked() {
    let home = faulty_book();
    let mut others = data(&home, &["check"])["findings"].take();
    let first = others.as_array_mut().unwrap().remove(0);
    let fingerprint = first["fingerprint"].as_str().unwrap();
    let reason = "诈死，第 14 章揭晓";
    let waive = ["check", "--waive", fingerprint, "--reason", reason];
    let given = &data(&home, &waive)["waivers"];
    assert_eq!(
        *given,
        json!([{
            "code": CODE,
            "fingerprint": fingerprint,
            "chapter": 12,
            "reason": reason,
            "created_at": "2026-03-01T00:00:00Z",
            "revoked_at": null,
        }])
    );
    assert_eq!(home.json(WAIVERS)["waivers"], *given);
    assert!(!home.is_locked());

    let hidden = data(&home, &["check"]);
    assert_eq!(
        hidden,
        json!({"checked": [12], "findings": others, "waived": 1})
    );
    let shown = data(&home, &["check", "--all"]);
    assert_eq!(shown["waived"], 1);
    assert_eq!(shown["findings"][0]["fingerprint"], fingerprint);
    assert_eq!(shown["findings"][0]["waived"], reason);
    let said = home.novel(&["check"]).success();
    assert!(!said.stdout.contains(fingerprint), "{said:#?}");
    assert_eq!(
        said.stderr,
        "1 finding in chapter 12: 1 high, 0 medium, 0 low; 1 waived.\n"
    );
    let said = home.novel(&["check", "--all", "--lang", "zh"]).success();
    let mark = format!(
        " = 已豁免: {reason}
"
    );
    assert!(said.stdout.contains(&mark), "{said:#?}");
    assert_eq!(
        said.stderr,
        "第 12 章发现 1 处矛盾：严重 1，中等 0，轻微 0；另有 1 处已豁免。\n"
    );

    // A second time there is nothing open.
    assert_eq!(refused(&home, &waive)["code"], "NO_SUCH_FINDING");
    assert_eq!(
        data(&home, &["check", "--waivers"])["waivers"][0]["reason"],
        reason
    );
    let listed = home.novel(&["check", "--waivers"]).success().stdout;
    assert!(listed.contains(fingerprint) && listed.contains(reason));

    let revoked = data(&home, &["check", "--revoke", CODE, "--chapter", "12"]);
    assert_eq!(revoked["waivers"][0]["revoked_at"], "2026-03-01T00:00:00Z");
    let back = data(&home, &["check"]);
    assert_eq!(back["waived"], 0);
    assert_eq!(back["findings"][0]["fingerprint"], fingerprint);
    // The record stays, but no longer holds.
    assert_eq!(data(&home, &["check", "--waivers"])["waivers"], json!([]));
    let ever = data(&home, &["check", "--waivers", "--all"]);
    assert_eq!(ever["waivers"].as_array().unwrap().len(), 1);
    assert_eq!(
        refused(&home, &["check", "--revoke", CODE])["code"],
        "NO_SUCH_WAIVER"
    );
    // The older file is kept: the revocation can be taken back.
    drop(home.novel(&["undo"]).success());
    assert_eq!(data(&home, &["check"])["waived"], 1);
}

#[test]
fn a_code_is_waived_in_one_chapter_or_in_the_whole_book() {
    let home = faulty_book();
    let why = ["--reason", "it is a dream"];
    let elsewhere = [&["check", "--waive", CODE, "--chapter", "11"][..], &why[..]].concat();
    assert_eq!(refused(&home, &elsewhere)["code"], "NO_SUCH_FINDING");
    assert!(!home.path(WAIVERS).exists());
    let everywhere = ["check", "--waive", "dead_character_acts"];
    let said = home.novel(&[&everywhere[..], &why[..]].concat()).success();
    assert_eq!(
        said.stderr,
        "Waived 2 findings. `novel check --revoke FINGERPRINT` revokes it.\n"
    );
    assert_eq!(data(&home, &["check", "all"])["waived"], 2);
    let said = home.novel(&["check"]).success();
    assert_eq!(said.stdout, "");
    assert_eq!(
        said.stderr,
        "No contradiction found in chapter 12; 2 waived.\n"
    );
    let said = home.novel(&["check", "--lang", "zh"]).success();
    assert_eq!(said.stderr, "第 12 章未发现矛盾；另有 2 处已豁免。\n");
    let said = home.novel(&["check", "--revoke", CODE]).success();
    assert_eq!(said.stderr, "Revoked 2 waivers.\n");
}

#[test]
fn looking_changes_nothing_and_takes_no_lock() {
    let home = faulty_book();
    let _ = data(&home, &["check", "--waive", CODE, "--reason", "so it is"]);
    let before = home.tree_and_times();
    for arguments in [
        &["check"][..],
        &["check", "all", "--all"],
        &["check", "1..12"],
        &["check", "--waivers"],
    ] {
        let _ = home.novel(arguments).success();
        let _ = data(&home, arguments);
    }
    assert!(before == home.tree_and_times(), "a file was touched");
    // Also while somebody else writes.
    fs::create_dir(home.path(".novel.lock")).unwrap();
    assert_eq!(data(&home, &["check", "all"])["waived"], 2);
    let waive = ["check", "--revoke", CODE, "--json"];
    let ran = home.novel(&waive);
    assert_eq!(ran.code, 4, "{ran:#?}");
}

#[test]
fn what_is_no_code_and_no_fingerprint_is_refused_with_the_list() {
    let home = faulty_book();
    let before = home.tree_and_times();
    for option in ["--waive", "--revoke"] {
        let mut arguments = vec!["check", option, "DEAD_CHARACTER_ACT"];
        if option == "--waive" {
            arguments.extend(["--reason", "x"]);
        }
        let error = refused(&home, &arguments);
        assert_eq!(error["code"], "UNKNOWN_FINDING_CODE", "{error:#}");
        assert_eq!(error["hint"], format!("did you mean `{CODE}`?"));
        let codes = error["details"]["codes"].as_array().unwrap();
        assert!(codes.contains(&json!("TIME_RUNS_BACKWARDS")), "{error:#}");
        let message = error["message"].as_str().unwrap();
        for code in codes {
            assert!(message.contains(code.as_str().unwrap()), "{message}");
        }
        arguments.extend(["--lang", "zh"]);
        let zh = refused(&home, &arguments);
        assert!(zh["message"].as_str().unwrap().contains("代码"), "{zh:#}");
    }
    assert!(before == home.tree_and_times(), "a file was touched");
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let home = faulty_book();
    for (arguments, code) in [
        (&["check", "x"][..], "USAGE"),
        (&["check", "0"], "USAGE"),
        (&["check", "5..3"], "USAGE"),
        (&["check", "3.."], "USAGE"),
        (&["check", "13"], "NO_SUCH_CHAPTER"),
        (&["check", "10..13"], "NO_SUCH_CHAPTER"),
        (&["check", "--waive", CODE], "USAGE"),
        (&["check", "--reason", "x"], "USAGE"),
        (&["check", "--chapter", "3"], "USAGE"),
        (&["check", "3", "--waivers"], "USAGE"),
        (&["check", "3", "--revoke", CODE], "USAGE"),
        (&["check", "--waive", CODE, "--revoke", CODE], "USAGE"),
        (
            &["check", "--waive", CODE, "--reason", "  "],
            "WAIVER_NEEDS_REASON",
        ),
        (&["check", "--revoke", "0123456789abcdef"], "NO_SUCH_WAIVER"),
    ] {
        let error = refused(&home, arguments);
        assert_eq!(error["code"], code, "{arguments:?}: {error:#}");
        assert!(error["hint"].is_string(), "{arguments:?}: {error:#}");
    }
}

#[test]
fn a_broken_project_is_bad_input_and_names_the_file() {
    for path in [WAIVERS, CHANGELOG, "chapters/chapter_012.json"] {
        let home = faulty_book();
        fs::create_dir_all(home.path("reviews")).unwrap();
        home.write(path, "{\"oh");
        let error = refused(&home, &["check"]);
        assert_eq!(error["details"]["problems"][0]["path"], path, "{error:#}");
    }
    let home = faulty_book();
    home.remove("chapters/chapter_007.json");
    let error = refused(&home, &["check", "all"]);
    let problem = &error["details"]["problems"][0];
    assert_eq!(problem["path"], "chapters/chapter_007.json", "{error:#}");
}
