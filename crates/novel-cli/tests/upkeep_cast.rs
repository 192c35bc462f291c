//! Cast, storylines, foreshadowing, workspaces and the whole cost, through the binary.

use std::fs;

use novel_testkit::{TestBook, assert_same_tree, pretty};
use serde_json::{Value, json};

fn written() -> TestBook {
    TestBook::demo(3)
}

fn told(book: &TestBook, args: &[&str]) -> String {
    let output = book.novel(args);
    output.success().stdout
}

fn edit(book: &TestBook, path: &str, change: impl FnOnce(&mut Value)) {
    let mut value = book.json(path);
    change(&mut value);
    book.write(path, pretty(&value));
}

/// Somebody nobody needs.
fn with_passer_by(book: &TestBook) {
    let record =
        json!({"id": "lao-wang", "display_name": "老王头", "contracts": [], "own": "kept"});
    book.write("characters/active/lao-wang.json", pretty(&record));
    book.write("characters/active/lao-wang.md", "卖鱼的。\n");
}

#[test]
fn a_character_retires_in_one_transaction_and_undo_takes_it_back() {
    let book = written();
    with_passer_by(&book);
    let before = book.content();
    let args = ["character", "retire", "lao-wang", "--reason", "回乡\n养老"];
    let data = book.ask(&args).data();
    assert_eq!(
        (
            &data["retired_chapter"],
            &data["path"],
            &data["already_retired"]
        ),
        (
            &json!(3),
            &json!("characters/retired/lao-wang.json"),
            &json!(false)
        )
    );
    let record = book.json("characters/retired/lao-wang.json");
    assert_eq!(
        (&record["retired_chapter"], &record["own"]),
        (&json!(3), &json!("kept"))
    );
    for gone in [
        "characters/active/lao-wang.json",
        "characters/active/lao-wang.md",
    ] {
        assert!(!book.path(gone).exists(), "{gone}");
    }
    assert!(book.path("characters/retired/lao-wang.md").exists());
    let log = book.text("characters/changelog.md");
    assert_eq!(log, "- 第 3 章后：老王头（lao-wang）退场：回乡 养老\n");
    let again = book.tree();
    assert_eq!(book.ask(&args).data()["already_retired"], true);
    assert_same_tree(&book.tree(), &again, "retired twice");
    let list = book.ask(&["character", "list"]).data();
    let last = list["characters"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    assert_eq!(
        (&last["id"], &last["standing"]),
        (&json!("lao-wang"), &json!("retired"))
    );
    let undone = book.ask(&["undo"]).data();
    assert_eq!(
        (&undone["kind"], &undone["target"]),
        (&json!("retire"), &json!("lao-wang"))
    );
    assert_same_tree(&book.content(), &before, "undone");
}

#[test]
fn somebody_who_is_needed_stays_and_everything_that_needs_them_is_named() {
    let book = written();
    let before = book.tree();
    let error = book.ask(&["character", "retire", "lu-yan"]).fails(3);
    assert_eq!(error["code"], "CHARACTER_NEEDED", "{error:#}");
    let problems = error["details"]["problems"].as_array().unwrap();
    let codes: Vec<&str> = problems
        .iter()
        .map(|p| p["code"].as_str().unwrap())
        .collect();
    for code in ["storyline_needs", "convergence_needs", "chapter_needs"] {
        assert!(codes.contains(&code), "{code} in {codes:?}");
    }
    // A medium item that is planned for a later chapter names its owner.
    let error = book.ask(&["character", "retire", "lu-sheng"]).fails(3);
    let text = error["details"]["problems"].to_string();
    assert!(text.contains("half_chart"), "{error:#}");
    assert!(
        text.contains("volumes/vol-01/foreshadowing.json"),
        "{error:#}"
    );
    assert_same_tree(&book.tree(), &before, "refused");
    let shown = book.ask(&["character", "show", "lu-sheng"]).data();
    assert!(
        !shown["needed_by"].as_array().unwrap().is_empty(),
        "{shown:#}"
    );
}

#[test]
fn a_rollback_past_a_retirement_brings_them_back() {
    let book = written();
    with_passer_by(&book);
    book.ask(&["character", "retire", "lao-wang"]).data();
    book.ask(&["rollback", "2"]).data();
    assert!(book.path("characters/active/lao-wang.json").exists());
    assert!(!book.path("characters/retired/lao-wang.json").exists());
}

#[test]
fn lists_are_read_only_and_speak_both_languages() {
    let book = written();
    let before = book.tree();
    insta::assert_snapshot!(told(&book, &["character", "list"]), @"
    id           name    aliases  contracts  status  location
    gu-xingzhou  顾行舟  顾司正           2  active  灯塔司
    he-xiaoman   何小满  小满             2  active  潮信局分拣房
    lu-sheng     陆笙                     1  active  -
    lu-yan       陆砚    阿砚             2  active  潮信局后院
    qiu-boyuan   邱伯远  邱叔             2  active  潮信局局长室
    shen-qinghe  沈青禾                   2  active  灯塔顶层灯房
    ");
    insta::assert_snapshot!(told(&book, &["storyline", "list", "--lang", "zh"]), @"
    id           类型  状态    章数  字数  距今  名称
    main-arc     主线  进行中     2  3395     1  明天的信
    tide-ledger  副线  进行中     1  1566     0  少掉的一天
    ");
    insta::assert_snapshot!(told(&book, &["foreshadow", "list"]), @"
    id              status   scope   planted  due in  last  what it is
    blue_wax        open     short         1     5-7     2  信封封口上早已停用的蓝蜡
    stopped_clock   open     short         2     7-8     2  局长室里停在三点一刻的座钟
    scraped_line    open     short         3    9-10     3  潮位簿上被刮去的一行字
    missing_button  planned  short         5   10-11     -  闸房地上一枚缺口的铜袖扣
    half_chart      planned  medium        4   11-20     -  陆笙留下的半张海图
    drowned_bell    planned  long          6   30-60     -  大潮之夜从海底传来的旧城钟声
    ");
    let shown = told(&book, &["storyline", "show", "main-arc"]);
    assert!(shown.contains("main-arc ██ ██ ··\n"), "{shown}");
    let card = told(&book, &["character", "show", "lu-yan", "--lang", "zh"]);
    assert!(
        card.contains("C-LUYAN-001") && card.contains("1, 2"),
        "{card}"
    );
    assert_same_tree(&book.tree(), &before, "read only");
    for (args, code) in [
        (&["character", "show", "lu-yam"][..], "NO_SUCH_CHARACTER"),
        (&["character", "retire", "nobody"], "NO_SUCH_CHARACTER"),
        (&["storyline", "show", "main-ark"], "NO_SUCH_STORYLINE"),
        (&["character", "show", "../x"], "BAD_ID"),
    ] {
        let error = book.ask(args).fails(2);
        assert_eq!(error["code"], code, "{error:#}");
    }
}

#[test]
fn due_and_overdue_are_told_apart() {
    let book = written();
    edit(&book, "foreshadowing/global.json", |value| {
        value["foreshadowing"][0]["target_resolve_range"] = json!([1, 2]);
        value["foreshadowing"][1]["target_resolve_range"] = json!([4, 9]);
    });
    let ids = |args: &[&str]| -> Vec<String> {
        let data = book.ask(args).data();
        let items = data["foreshadowing"].as_array().unwrap();
        items
            .iter()
            .map(|item| item["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids(&["foreshadow", "list", "--overdue"]), ["blue_wax"]);
    assert_eq!(
        ids(&["foreshadow", "list", "--due"]),
        ["blue_wax", "stopped_clock"]
    );
    assert_eq!(ids(&["foreshadow", "list"]).len(), 6);
}

#[test]
fn an_empty_project_has_empty_lists_and_a_damaged_file_is_named() {
    let book = TestBook::demo(0);
    fs::remove_dir_all(book.path("characters")).unwrap();
    fs::remove_dir_all(book.path("storylines")).unwrap();
    fs::remove_dir_all(book.path("volumes")).unwrap();
    for (args, field) in [
        (["character", "list"], "characters"),
        (["storyline", "list"], "storylines"),
        (["foreshadow", "list"], "foreshadowing"),
    ] {
        assert_eq!(book.ask(&args).data()[field], json!([]));
        assert_eq!(told(&book, &args), "");
    }
    fs::create_dir_all(book.path("characters/active")).unwrap();
    book.write("characters/active/a.json", "{");
    let error = book.ask(&["character", "list"]).fails(2);
    assert!(
        error["details"]
            .to_string()
            .contains("characters/active/a.json"),
        "{error:#}"
    );
}

#[test]
fn a_workspace_lists_its_projects_and_shows_a_damaged_one() {
    let book = written();
    let projects = book.outside().join("space/projects");
    fs::create_dir_all(projects.join("notes")).unwrap();
    let copy = |name: &str| {
        let status = std::process::Command::new("cp")
            .arg("-a")
            .args([book.root(), projects.join(name)])
            .status();
        assert!(status.unwrap().success());
    };
    copy("alpha");
    copy("broken");
    fs::write(projects.join("broken/.checkpoint.json"), "{").unwrap();
    let run = |args: &[&str]| {
        let mut command = book.command(args);
        command.current_dir(book.outside().join("space"));
        novel_testkit::Output::of(command)
    };
    let data = run(&["projects", "--json"]).data();
    let rows = data["projects"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{data:#}");
    assert_eq!(
        (
            &rows[0]["name"],
            &rows[0]["chapters"],
            &rows[0]["state"],
            &rows[0]["error"]
        ),
        (&json!("alpha"), &json!(3), &json!("WRITING"), &Value::Null)
    );
    assert!(rows[0]["words"].as_u64().unwrap() > 1000, "{data:#}");
    assert_eq!(rows[1]["name"], "broken");
    assert!(rows[1]["error"]["message"].is_string(), "{data:#}");
    let shown = run(&["projects"]);
    assert_eq!(shown.code, 0);
    assert!(shown.stdout.contains("damaged"), "{}", shown.stdout);
    assert_eq!(
        run(&["status", "-p", "alpha", "--json"]).data()["progress"]["last_completed_chapter"],
        3
    );
    let nowhere = book.ask(&["projects"]).data();
    assert_eq!(nowhere["projects"], json!([]));
}

#[test]
fn what_was_rolled_back_was_paid_for_all_the_same() {
    let book = written();
    let calls = |data: &Value, part: &str| data[part]["calls"].as_u64().unwrap();
    let before = book.ask(&["cost"]).data();
    assert_eq!(calls(&before, "discarded"), 0);
    book.ask(&["rollback", "2"]).data();
    let after = book.ask(&["cost"]).data();
    assert_eq!(calls(&after, "total"), calls(&before, "total"), "{after:#}");
    assert!(calls(&after, "discarded") > 0, "{after:#}");
    // Taken back, it is in the book again and counted once.
    book.ask(&["undo"]).data();
    let undone = book.ask(&["cost"]).data();
    assert_eq!(calls(&undone, "discarded"), 0, "{undone:#}");
    assert_eq!(calls(&undone, "total"), calls(&before, "total"));
    // Written anew, it was paid for twice.
    book.ask(&["rollback", "2"]).data();
    book.write_to(3);
    let again = book.ask(&["cost"]).data();
    assert_eq!(
        calls(&again, "total"),
        calls(&before, "total") + calls(&again, "discarded")
    );
}
