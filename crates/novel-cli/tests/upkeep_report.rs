//! `novel report`: numbers and plots, on an empty book, on a written one, on a damaged one.

use novel_testkit::{TestBook, assert_same_tree};
use serde_json::{Value, json};

const TOPICS: [&str; 7] = [
    "scores",
    "length",
    "dialogue",
    "storylines",
    "foreshadowing",
    "cast",
    "style",
];

fn written() -> TestBook {
    TestBook::demo(5)
}

fn told(book: &TestBook, args: &[&str], locale: &str) -> String {
    let mut command = book.command(args);
    command.env("LANG", locale);
    let output = command.output().unwrap();
    assert_eq!(output.stderr, b"", "{output:?}");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_book_without_a_chapter_has_empty_reports() {
    let book = TestBook::demo(0);
    let before = book.tree();
    let data = book.ask(&["report"]).data();
    for topic in TOPICS {
        assert!(data[topic].is_object(), "{topic}: {data:#}");
    }
    assert_eq!(data["scores"]["mean"], Value::Null);
    assert_eq!(data["length"]["chapters"], json!([]));
    let output = book.novel(&["report"]);
    assert_eq!(output.stdout, "");
    let said = output.stderr;
    assert_eq!(said, "There are no chapters to report on yet.\n");
    assert_same_tree(&book.tree(), &before, "read only");
}

#[test]
fn scores_and_rhythm_are_drawn_in_blocks_or_in_ascii() {
    let book = written();
    insta::assert_snapshot!(told(&book, &["report", "storylines"], "en_US.UTF-8"), @"
    ## Storylines

    Which line is on stage
    main-arc    ██ ██ ·· ██ ··
    tide-ledger ·· ·· ██ ·· ██
                1            5

    storyline                 role       chapters  words  share  in a row  away  last
    明天的信 (main-arc)       primary           3   5048    61%         2     1  1
    少掉的一天 (tide-ledger)  secondary         2   3251    39%         1     2  0
    ");
    insta::assert_snapshot!(told(
        &book,
        &["report", "length", "--lang", "zh"],
        "zh_CN.UTF-8"
    ), @"
    ## 篇幅

    共 5 章 8299 字，平均每章 1660 字；最短 1566 字（第 3 章），最长 1715 字（第 2 章）。

    各章字数
    1715 │▇▇ ██ ▅▅ ▇▇ ▇▇
         │██ ██ ██ ██ ██
         │██ ██ ██ ██ ██
         │██ ██ ██ ██ ██
       0 │██ ██ ██ ██ ██
         └──────────────
          1            5
    ");
    let ascii = told(&book, &["report", "scores"], "C");
    assert!(ascii.contains("1.0 |## ## ## ## ##\n"), "{ascii}");
    assert!(!ascii.contains('█'), "{ascii}");
}

#[test]
fn every_topic_can_be_asked_for_alone_and_over_a_range() {
    let book = written();
    for topic in TOPICS {
        let data = book
            .ask(&["report", topic, "--from", "2", "--to", "4"])
            .data();
        assert_eq!(
            (&data["first"], &data["last"], &data["volume"]),
            (&json!(2), &json!(4), &Value::Null)
        );
        for other in TOPICS {
            assert_eq!(data[other].is_object(), other == topic, "{data:#}");
        }
    }
    let data = book.ask(&["report", "length", "--from", "4"]).data();
    let chapters: Vec<u64> = data["length"]["chapters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["chapter"].as_u64().unwrap())
        .collect();
    assert_eq!(chapters, [4, 5]);
    let volume = book.ask(&["report", "cast", "--volume", "1"]).data();
    assert_eq!((&volume["volume"], &volume["last"]), (&json!(1), &json!(5)));
    let first = &volume["cast"]["characters"][0];
    assert_eq!(
        (&first["id"], &first["chapters"]),
        (&json!("lu-yan"), &json!([1, 2, 4]))
    );
}

#[test]
fn what_was_open_then_is_open_in_a_report_on_then() {
    let book = written();
    let due = |to: &str| {
        let data = book.ask(&["report", "foreshadowing", "--to", to]).data();
        let items = data["foreshadowing"]["items"].as_array().unwrap().clone();
        let wax = items.iter().find(|item| item["id"] == "blue_wax").unwrap();
        (wax["due"].clone(), data["foreshadowing"]["planted"].clone())
    };
    assert_eq!(due("1"), (json!("open"), json!(1)));
    assert_eq!(due("5"), (json!("due"), json!(5)));
}

#[test]
fn ranges_that_are_none_are_refused() {
    let book = written();
    for (args, code) in [
        (&["--from", "6"][..], "NO_SUCH_CHAPTER"),
        (&["--from", "1", "--to", "9"], "NO_SUCH_CHAPTER"),
        (&["--volume", "2"], "NO_SUCH_VOLUME"),
        (&["--from", "4", "--to", "2"], "USAGE"),
        (&["--volume", "1", "--to", "2"], "USAGE"),
        (&["--from", "0"], "BAD_ID"),
    ] {
        let mut all = vec!["report", "scores"];
        all.extend(args);
        let error = book.ask(&all).fails(2);
        assert_eq!(error["code"], code, "{error:#}");
    }
    assert_eq!(book.ask(&["report", "weather"]).fails(2)["code"], "USAGE");
}

#[test]
fn a_damaged_file_is_named_with_its_place() {
    let book = written();
    let path = "chapters/chapter_003.json";
    let text = book.text(path);
    book.write(path, text.replacen("\"scenes\"", "\"scene\"", 1));
    let error = book.ask(&["report"]).fails(2);
    let problems = error["details"]["problems"].to_string();
    assert!(problems.contains(path), "{error:#}");
}
