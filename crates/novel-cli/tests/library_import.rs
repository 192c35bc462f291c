//! `novel import`: an existing novel becomes a book, whole or not at all.

use encoding_rs::GB18030;
use novel_testkit::{TestBook, assert_same_tree, sanguo::Sanguo, tree};
use novel_text::count_words;
use serde_json::{Value, json};

const SMALL: &str = "《山海》\n作者：林深\n\n一部关于山与海的书。\n\n第一卷 山\n第一章 上山\n\n　　他上山了。\n\n***\n\n　　山很高。\n\n第二章 下山\n\n　　他下山了。\n\n第二卷 海\n第三章 出海\n\n　　他出海了。\n";

/// Lines with something on them.
fn said(text: &str) -> Vec<&str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect()
}

/// The chapters of a project: title and scenes.
pub(crate) fn chapters(shelf: &TestBook, project: &str) -> Vec<(String, Vec<String>)> {
    (1..)
        .map(|number| format!("{project}/chapters/chapter_{number:03}.json"))
        .take_while(|name| shelf.path(name).exists())
        .map(|name| {
            let chapter = shelf.json(&name);
            let scenes = chapter["scenes"].as_array().unwrap().iter();
            let scenes = scenes.map(|scene| scene["content"].as_str().unwrap().to_owned());
            (
                chapter["chapter_title"].as_str().unwrap().to_owned(),
                scenes.collect(),
            )
        })
        .collect()
}

#[test]
fn a_real_novel_is_imported_with_every_chapter_and_every_word() {
    let Some(novel) = Sanguo::fetched() else {
        return;
    };
    let text = novel.text();
    let shelf = TestBook::with_file("sanguo.txt", &text);
    let windows = text.replace('\n', "\r\n");
    shelf.write("sanguo-gb.txt", GB18030.encode(&windows).0);

    let data = shelf
        .ask(&[
            "import",
            "sanguo.txt",
            "--into",
            "a",
            "--title",
            "三国演义",
            "--yes",
        ])
        .data();
    assert_eq!(data["encoding"], "UTF-8");
    assert_eq!(data["warnings"], json!([]));
    let rows = data["chapters"].as_array().unwrap();
    assert_eq!(rows.len(), 120);
    assert!(rows.iter().all(|row| row["odd"] == json!([])), "{rows:#?}");
    let imported = chapters(&shelf, "a");
    assert_eq!(imported.len(), 120);
    for (index, (source, (title, scenes))) in novel.chapters.iter().zip(&imported).enumerate() {
        let (heading, body) = Sanguo::parts(source);
        assert_eq!(rows[index]["heading"], heading);
        assert!(heading.ends_with(title.as_str()), "{heading}: {title}");
        assert_eq!(said(&scenes.join("\n")), said(body), "{heading}");
        let chapter = shelf.json(&format!("a/chapters/chapter_{:03}.json", index + 1));
        assert_eq!(chapter["total_words"], count_words(body), "{heading}");
        assert_eq!(rows[index]["words"], count_words(body), "{heading}");
    }
    let words: usize = novel
        .chapters
        .iter()
        .map(|chapter| count_words(Sanguo::parts(chapter).1))
        .sum();
    assert_eq!(data["words"], words);

    let data = shelf
        .ask(&[
            "import",
            "sanguo-gb.txt",
            "--into",
            "b",
            "--title",
            "三国演义",
            "--yes",
        ])
        .data();
    assert_eq!(data["encoding"], "gb18030");
    assert_same_tree(
        &tree(&shelf.path("a")),
        &tree(&shelf.path("b")),
        "the same book in another encoding",
    );

    let status = shelf.ask(&["status", "--project", "a"]).data();
    assert_eq!(status["progress"]["last_completed_chapter"], 120);
    assert_eq!(status["progress"]["total_words"], words);
    assert_eq!(status["next"]["step"], "volume:02:plan");
    let doctor = shelf.ask(&["doctor", "--project", "a"]).data();
    assert_eq!(doctor["findings"], json!([]));
    let check = shelf.ask(&["check", "all", "--project", "a"]).data();
    assert_eq!(check["findings"], json!([]), "{check:#}");
    let export = shelf
        .ask(&["export", "--format", "epub", "--project", "a"])
        .data();
    assert_eq!(
        (&export["chapters"], &export["words"]),
        (&json!(120), &json!(words))
    );
}

#[test]
fn two_thousand_chapters_are_one_operation_there_and_back() {
    let mut text = String::new();
    for volume in 1..=20_u32 {
        text.push_str(&format!("第{volume}卷 卷之{volume}\n"));
        for chapter in (volume - 1) * 100 + 1..=volume * 100 {
            text.push_str(&format!("第{chapter}章 其{chapter}\n\n"));
            for line in 1..=6 {
                text.push_str(&format!(
                    "　　第{chapter}日的第{line}个时辰，他走过了石桥，雾从海上来。\n"
                ));
            }
        }
    }
    let shelf = TestBook::with_file("long.txt", text);
    shelf.ask(&["init", "book"]).data();
    let before = tree(&shelf.path("book"));
    let data = shelf
        .ask(&["import", "long.txt", "--into", "book", "--yes"])
        .data();
    let rows = data["chapters"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[1999]["volume"]), (2000, &json!(20)));
    assert!(rows.iter().all(|row| row["odd"] == json!([])));
    let chapters = chapters(&shelf, "book");
    assert_eq!(chapters.len(), 2000);
    for (index, (title, scenes)) in chapters.iter().enumerate() {
        assert_eq!(*title, format!("其{}", index + 1));
        assert_eq!(scenes[0].lines().count(), 6);
    }
    let status = shelf.ask(&["status", "--project", "book"]).data();
    assert_eq!(status["next"]["step"], "volume:21:plan");
    shelf.ask(&["undo", "--project", "book"]).data();
    let after = tree(&shelf.path("book"));
    let files = |tree: &novel_testkit::Tree| -> Vec<(String, novel_testkit::Node)> {
        let files = tree.iter().filter(|(path, node)| {
            **node != novel_testkit::Node::Dir
                && !path.starts_with("archive/")
                && !path.starts_with("logs/")
        });
        files
            .map(|(path, node)| (path.clone(), node.clone()))
            .collect()
    };
    assert_eq!(files(&after), files(&before));
}

#[test]
fn volumes_metadata_scenes_and_front_matter_find_their_place() {
    let shelf = TestBook::with_file("山海.txt", SMALL);
    let data = shelf
        .ask(&["import", "山海.txt", "--into", "book", "--yes"])
        .data();
    assert_eq!(
        (&data["title"], &data["author"]),
        (&json!("山海"), &json!("林深"))
    );
    assert_eq!(data["volumes"], json!(["第一卷 山", "第二卷 海"]));
    assert_eq!(data["front"], "research/imported-front.md");
    assert_eq!(
        shelf.text("book/research/imported-front.md"),
        "一部关于山与海的书。\n"
    );
    assert_eq!(
        chapters(&shelf, "book"),
        [
            (
                "上山".to_owned(),
                vec!["　　他上山了。".to_owned(), "　　山很高。".to_owned()]
            ),
            ("下山".to_owned(), vec!["　　他下山了。".to_owned()]),
            ("出海".to_owned(), vec!["　　他出海了。".to_owned()]),
        ]
    );
    let markdown = shelf.text("book/chapters/chapter-001.md");
    assert_eq!(
        markdown,
        "# 第 1 章 上山\n\n　　他上山了。\n\n* * *\n\n　　山很高。\n"
    );
    let config = shelf.text("book/novel.toml");
    assert!(config.contains("title = \"山海\"") && config.contains("author = \"林深\""));
    let status = shelf.ask(&["status", "--project", "book"]).data();
    assert_eq!(status["progress"]["current_volume"], 3);
    assert_eq!(status["edited_chapters"], json!([]));
    let text = shelf.novel(&[
        "export",
        "--format",
        "txt",
        "--out",
        "-",
        "--project",
        "book",
    ]);
    assert!(
        text.stdout.contains("第一卷 山\n") && text.stdout.contains("第二卷 海\n"),
        "{text:?}"
    );
    assert_eq!(
        shelf.ask(&["doctor", "--project", "book"]).data()["findings"],
        json!([])
    );
}

#[test]
fn nothing_is_written_before_the_author_has_seen_it() {
    let shelf = TestBook::with_file("a b.txt", SMALL);
    let before = shelf.tree();
    let data = shelf.ask(&["import", "a b.txt", "--into", "book"]).data();
    assert_eq!(data["written"], false);
    assert_eq!(
        data["command"],
        "novel --json import 'a b.txt' --into book --yes"
    );
    let told = shelf.novel(&["import", "a b.txt", "--into", "book", "--lang", "zh"]);
    assert_eq!(told.code, 0);
    insta::assert_snapshot!(told.stdout, @r"
    山海 — 林深
    1  7  第一章 上山  第一卷 山
    2  4  第二章 下山  第一卷 山
    3  4  第三章 出海  第二卷 海
    ");
    insta::assert_snapshot!(told.stderr, @r"
    共 2 卷 3 章，15 字，按 UTF-8 读取。
    尚未写入。用 `novel import 'a b.txt' --into book --lang zh --yes` 写入这些章节。
    ");
    let data = shelf
        .ask(&["import", "a b.txt", "--into", "book", "--dry-run"])
        .data();
    assert_eq!(
        (&data["written"], &data["command"]),
        (&json!(false), &Value::Null)
    );
    assert_same_tree(&before, &shelf.tree(), "a preview");
}

#[test]
fn odd_chapters_are_flagged_in_the_preview() {
    let long = "很长的一段文字。\n".repeat(40);
    let shelf = TestBook::with_file(
        "a.txt",
        format!("第一章 甲\n{long}第二章 乙\n第四章 丁\n{long}第四章 戊\n短。\n第五章 己\n{long}"),
    );
    let told = shelf.novel(&["import", "a.txt", "--dry-run", "--lang", "en"]);
    insta::assert_snapshot!(told.stdout, @r"
    1  280  第一章 甲
    2    0  第二章 乙  ! empty
    3  280  第四章 丁  ! number 3 expected
    4    1  第四章 戊  ! very short, number seen before
    5  280  第五章 己
    ");
    insta::assert_snapshot!(told.stderr, @r"
    warning[renumbered]: chapters are numbered consecutively: `第四章 丁` becomes chapter 3
    5 chapters, 841 words, read as UTF-8; 3 look odd (see `!`).
    Nothing was written.
    ");
}

#[test]
fn what_is_no_novel_is_refused_and_nothing_is_written() {
    let mut damaged = SMALL.repeat(20).into_bytes();
    let at = damaged.len() / 2;
    let at = at
        + damaged[at..]
            .iter()
            .position(|byte| *byte == b'\n')
            .unwrap()
        + 1;
    damaged.splice(at..at, [0xFF, 0xFE, 0xFF]);
    for (name, bytes, code) in [
        (
            "a.png",
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(),
            "IMPORT_NOT_TEXT",
        ),
        ("a.bin", vec![0, 1, 2, 3, 0, 255], "IMPORT_NOT_TEXT"),
        ("empty.txt", Vec::new(), "IMPORT_EMPTY"),
        ("blank.txt", b" \r\n\r\n".to_vec(), "IMPORT_EMPTY"),
        (
            "list.txt",
            "牛奶\n鸡蛋 十个\n面包\n".into(),
            "IMPORT_NOT_A_NOVEL",
        ),
        (
            "a.epub",
            b"PK\x03\x04 nothing".to_vec(),
            "IMPORT_BROKEN_EPUB",
        ),
        ("damaged.txt", damaged, "IMPORT_UNDECODABLE"),
    ] {
        let shelf = TestBook::with_file(name, bytes);
        let before = shelf.tree();
        let error = shelf
            .ask(&["import", name, "--into", "book", "--yes"])
            .fails(2);
        assert_eq!(error["code"], code, "{name}");
        assert!(
            error["message"].as_str().unwrap().contains(name),
            "{error:#}"
        );
        if code == "IMPORT_UNDECODABLE" {
            assert_eq!(error["details"]["offset"], at);
            assert!(error["hint"].as_str().unwrap().contains("--encoding"));
        }
        assert_same_tree(&before, &shelf.tree(), name);
    }
    let shelf = TestBook::with_file("a.txt", SMALL);
    let error = shelf
        .ask(&["import", "a.txt", "--encoding", "klingon"])
        .fails(2);
    assert_eq!(error["code"], "UNKNOWN_ENCODING");
    assert_eq!(
        shelf.ask(&["import", "b.txt"]).fails(2)["code"],
        "FILE_NOT_FOUND"
    );
}

#[test]
fn an_empty_project_takes_an_import_and_a_begun_one_does_not() {
    let shelf = TestBook::with_file("a.txt", SMALL);
    shelf.ask(&["init", "book", "--title", "旧名"]).data();
    let data = shelf
        .ask(&["import", "a.txt", "--project", "book", "--yes"])
        .data();
    assert_eq!(data["written"], true);
    let config = shelf.text("book/novel.toml");
    assert!(config.contains("旧名"));
    let before = shelf.tree();
    // The same import again, as after a kill behind its commit point, is complete and says so.
    let again = shelf
        .ask(&["import", "a.txt", "--into", "book", "--yes"])
        .data();
    assert_eq!(again["already_imported"], true, "{again}");
    assert_eq!(again["chapters"], data["chapters"]);
    let (head, tail) = SMALL.rsplit_once('。').unwrap();
    shelf.write("b.txt", format!("{head}！{tail}"));
    let error = shelf
        .ask(&["import", "b.txt", "--into", "book", "--yes"])
        .fails(2);
    shelf.remove("b.txt");
    assert_eq!(error["code"], "BOOK_NOT_EMPTY");
    assert_eq!(error["details"]["chapters"], 3);
    assert_same_tree(&before, &shelf.tree(), "a book with chapters");

    let demo = TestBook::demo(0);
    demo.write("a.txt", SMALL);
    let before = demo.content();
    let error = demo.ask(&["import", "a.txt", "--yes"]).fails(2);
    assert_eq!(error["code"], "BOOK_NOT_EMPTY");
    assert_same_tree(&before, &demo.content(), "a planned book");

    let shelf = TestBook::with_file("a.txt", SMALL);
    shelf.write("brief.md", "mine\n");
    let error = shelf.ask(&["import", "a.txt", "--yes"]).fails(2);
    assert_eq!(error["code"], "ALREADY_EXISTS");
}

#[test]
fn an_import_can_be_undone_and_rolled_back_into() {
    let shelf = TestBook::with_file("a.txt", SMALL);
    shelf.ask(&["init", "book"]).data();
    let book = |shelf: &TestBook| {
        let mut tree = tree(&shelf.path("book"));
        tree.retain(|path, _| !path.starts_with("archive") && !path.starts_with("logs"));
        tree
    };
    let before = book(&shelf);
    shelf
        .ask(&["import", "a.txt", "--into", "book", "--yes"])
        .data();
    let undone = shelf.ask(&["undo", "--project", "book"]).data();
    assert_eq!(
        (&undone["kind"], &undone["target"]),
        (&json!("import"), &json!("chapter-003"))
    );
    let mut after = book(&shelf);
    after.retain(|path, node| before.contains_key(path) || *node != novel_testkit::Node::Dir);
    assert_same_tree(&before, &after, "undo");

    shelf
        .ask(&["import", "a.txt", "--into", "book", "--yes"])
        .data();
    let back = shelf.ask(&["rollback", "1", "--project", "book"]).data();
    assert_eq!((&back["chapter"], &back["removed"]), (&json!(1), &json!(2)));
    let status = shelf.ask(&["status", "--project", "book"]).data();
    assert_eq!(status["next"]["step"], "chapter:002:draft");
    assert_eq!(
        shelf.ask(&["doctor", "--project", "book"]).data()["findings"],
        json!([])
    );
}

#[test]
fn what_was_exported_is_imported_as_it_was() {
    let demo = TestBook::demo(3);
    for format in ["md", "epub", "txt"] {
        let shelf = TestBook::empty();
        let file = format!("book.{format}");
        let out = shelf.path(&file);
        demo.ask(&["export", "--format", format, "--out", out.to_str().unwrap()])
            .data();
        let data = shelf
            .ask(&["import", &file, "--into", "book", "--yes"])
            .data();
        let rows = data["chapters"].as_array().unwrap();
        assert_eq!(rows.len(), 3, "{format}: {data:#}");
        for (index, (title, scenes)) in chapters(&shelf, "book").iter().enumerate() {
            let name = format!("chapters/chapter_{:03}.json", index + 1);
            let source = demo.json(&name);
            assert_eq!(source["chapter_title"], title.as_str(), "{format}");
            let texts: Vec<&str> = source["scenes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|scene| scene["content"].as_str().unwrap())
                .collect();
            assert_eq!(scenes.len(), texts.len(), "{format}");
            for (scene, text) in scenes.iter().zip(texts) {
                assert_eq!(said(scene), said(text), "{format}");
            }
            assert_eq!(rows[index]["words"], source["total_words"], "{format}");
        }
    }
}

#[test]
fn several_files_and_standard_input_are_read() {
    let shelf = TestBook::with_file("a.txt", "第一章 甲\n一。\n");
    shelf.write("b.md", "# 第二章 乙\n\n二。\n");
    let data = shelf.ask(&["import", "a.txt", "b.md", "--dry-run"]).data();
    assert_eq!(data["chapters"].as_array().unwrap().len(), 2);
    let piped = shelf.feed(
        &["import", "-", "--into", "book", "--yes"],
        "Chapter I\n\nHe went away.\n\nChapter II\n\nHe came back.\n",
    );
    let data = piped.data();
    assert_eq!(
        (&data["language"], &data["words"]),
        (&json!("en"), &json!(6))
    );
}

#[test]
fn utf_32_is_imported_and_a_nul_never_becomes_prose() {
    let shelf = TestBook::empty();
    let wide = |order: fn(u32) -> [u8; 4]| -> Vec<u8> {
        let units = SMALL.chars().map(u32::from);
        units.flat_map(order).collect()
    };
    shelf.write("small.txt", SMALL);
    shelf.write("little.txt", wide(u32::to_le_bytes));
    shelf.write("big.txt", wide(u32::to_be_bytes));
    shelf.write("nul.txt", SMALL.replacen("山很高", "山\0很高", 1));
    shelf
        .ask(&["import", "small.txt", "--into", "a", "--yes"])
        .data();
    for (file, encoding) in [("little", "UTF-32LE"), ("big", "UTF-32BE")] {
        let file_name = format!("{file}.txt");
        let args = ["import", &file_name, "--into", file, "--yes"];
        assert_eq!(shelf.ask(&args).data()["encoding"], encoding);
        assert_eq!(chapters(&shelf, file), chapters(&shelf, "a"));
    }
    for named in ["utf-8", "gbk", "utf-16le"] {
        let args = ["import", "nul.txt", "--into", "b", "--encoding", named];
        let args = [&args[..], &["--yes"]].concat();
        let _ = shelf.ask(&args).fails(2);
        assert!(!shelf.has("b"), "{named}");
    }
    let [zh, en] = shelf.fails_in_both(
        2,
        &[
            "import",
            "nul.txt",
            "--encoding",
            "utf-8",
            "--into",
            "b",
            "--yes",
        ],
        "",
    );
    assert_eq!(zh["code"], "IMPORT_NUL");
    assert_eq!(en["details"]["line"], 13);
}
