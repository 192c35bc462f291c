//! Looking at chapters: list, read, diff, hand edits of any age, DOCX.

use novel_testkit::TestBook;
use serde_json::json;

fn edit(book: &TestBook, chapter: u32) {
    let path = format!("chapters/chapter-{chapter:03}.md");
    let text = book.text(&path);
    book.write(
        &path,
        format!("{}\n\n　　他把灯吹灭了。\n", text.trim_end()),
    );
}

#[test]
fn the_list_tells_every_chapter_and_marks_an_old_edit() {
    let book = TestBook::demo(12);
    edit(&book, 1);
    let chapters = book.ask(&["chapter", "list"]).data()["chapters"].clone();
    let chapters = chapters.as_array().unwrap();
    assert!(chapters.len() >= 12);
    assert_eq!(chapters[0]["chapter"], 1);
    assert_eq!(chapters[0]["state"], "committed");
    assert_eq!(chapters[0]["edited"], true);
    assert_eq!(chapters[1]["edited"], false);
    assert!(chapters[0]["words"].as_u64().unwrap() > 500);
    assert!(chapters[0]["overall"].as_f64().unwrap() > 3.0);
    assert_eq!(chapters[0]["gate_decision"], "pass");
    assert!(chapters[0]["storyline_id"].is_string());
    let zh = book.novel(&["chapter", "list", "--lang", "zh"]).success();
    assert!(zh.stdout.contains("有手工改动"), "{}", zh.stdout);
    assert!(zh.stderr.contains("novel adopt 1"), "{}", zh.stderr);
}

#[test]
fn planned_chapters_and_the_one_being_written_are_listed() {
    let book = TestBook::demo(2);
    let text = TestBook::demo(3).text("chapters/chapter-003.md");
    book.feed(&["submit", "chapter:003:draft", "-"], text)
        .data();
    book.ask(&["advance", "chapter:003:draft"]).data();
    let chapters = book.ask(&["chapter", "list"]).data()["chapters"].clone();
    assert_eq!(chapters[2]["state"], "in_flight");
    assert_eq!(chapters[3]["state"], "planned");
    assert_eq!(chapters[3]["words"], json!(null));
}

#[test]
fn a_chapter_is_read_with_what_was_flagged() {
    let book = TestBook::demo(2);
    let read = book.ask(&["read"]).data();
    assert_eq!(read["chapter_number"], 2);
    assert!(read["flagged"].is_array());
    let quoted = "灯灭了";
    book.edit("evaluations/chapter-001-eval.json", |evaluation| {
        evaluation["contract_verification"]["l1_checks"] = json!([{
            "rule_id": "W-001", "status": "violation", "confidence": "high",
            "detail": "灯不会自己灭", "evidence": quoted,
        }]);
    });
    let flagged = book.ask(&["read", "1"]).data()["flagged"].clone();
    assert_eq!(flagged[0]["by"], "judge");
    assert_eq!(flagged[0]["quotation"], quoted);
    let zh = book.novel(&["read", "1", "--lang", "zh"]).success().stdout;
    assert!(zh.starts_with("# 第 1 章"), "{zh}");
    assert!(zh.contains("评审：W-001: 灯不会自己灭"), "{zh}");
    assert!(zh.contains("引文：“灯灭了”"), "{zh}");
    let error = book.refuses(2, &["read", "99"]);
    assert_eq!(error["code"], "NOTHING_TO_SHOW");
}

#[test]
fn diff_shows_an_edit_then_the_change_it_became() {
    let book = TestBook::demo(3);
    let error = book.refuses(2, &["diff", "2"]);
    assert_eq!(error["code"], "ONE_VERSION");
    edit(&book, 2);
    let diff = book.ask(&["diff", "2"]).data();
    assert_eq!(diff["with"], json!({"kind": "edit"}));
    let added: String = diff["pieces"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|piece| piece["change"] == "added")
        .map(|piece| piece["text"].as_str().unwrap())
        .collect();
    assert!(added.contains("他把灯吹灭了。"), "{added}");
    book.ask(&["adopt", "2"]).data();
    let diff = book.ask(&["diff", "2"]).data();
    let operation = diff["with"]["operation"].as_u64().unwrap();
    let shown = book
        .novel(&[
            "diff",
            "2",
            "--with",
            &operation.to_string(),
            "--lang",
            "en",
        ])
        .success();
    assert!(shown.stdout.contains("{+"), "{}", shown.stdout);
    let error = book.refuses(2, &["diff", "2", "--with", "999"]);
    assert_eq!(error["code"], "ONE_VERSION");
}

#[test]
fn an_export_stops_at_an_edit_that_is_not_adopted() {
    let book = TestBook::demo(12);
    edit(&book, 1);
    let errors = book.fails_in_both(2, &["export", "--format", "docx", "--out", "a.docx"], "");
    assert_eq!(errors[0]["code"], "UNADOPTED_EDITS");
    assert!(!book.has("a.docx"));
    book.ask(&[
        "export", "--format", "docx", "--out", "a.docx", "--from", "2",
    ])
    .data();
    let whole = book
        .ask(&[
            "export",
            "--format",
            "docx",
            "--out",
            "b.docx",
            "--ignore-edits",
        ])
        .data();
    assert_eq!(whole["chapters"], 12);
    assert!(
        std::fs::read(book.path("b.docx"))
            .unwrap()
            .starts_with(b"PK")
    );
}

#[test]
fn a_character_is_shown_by_name() {
    let book = TestBook::demo(1);
    let cast = book.ask(&["character", "list"]).data()["characters"].clone();
    let (id, name) = (cast[0]["id"].clone(), cast[0]["display_name"].clone());
    let shown = book
        .ask(&["character", "show", name.as_str().unwrap()])
        .data();
    assert_eq!(shown["id"], id);
    let error = book.refuses(2, &["character", "show", "林未"]);
    assert_eq!(error["code"], "NO_SUCH_CHARACTER");
    assert!(!error["message"].as_str().unwrap().contains('^'), "{error}");
}

#[test]
fn an_english_book_comes_in_by_its_own_headings() {
    let body = "It rained on the harbour all night and nobody spoke of the lamp again. ".repeat(20);
    let text = format!("~ 1 ~ Rain\n\n{body}\n\n~ 2 ~ Fog\n\n{body}\n");
    let place = TestBook::with_file("book.txt", text);
    let plan = place
        .ask(&[
            "import",
            "book.txt",
            "--heading",
            "~ {n} ~ {title}",
            "--dry-run",
            "--into",
            "b",
        ])
        .data();
    assert_eq!(plan["chapters"][1]["title"], "Fog", "{plan}");
    let error = place.refuses(
        2,
        &[
            "import",
            "book.txt",
            "--heading",
            "~",
            "--dry-run",
            "--into",
            "b",
        ],
    );
    assert_eq!(error["code"], "IMPORT_HEADING");
}
