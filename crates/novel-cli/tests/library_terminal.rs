//! `novel import` as a person at a terminal sees it: the chapters first, then one question.

use novel_testkit::{TestBook, terminal::key, tree};

const NOVEL: &str = "《山海》\n作者：林深\n\n第一章 上山\n\n　　他上山了，走了很远的路，山上的人都认得他。\n\n第二章 下山\n\n　　他下山了，走了很远的路，山下的人都不认得他。\n";

fn shelf() -> TestBook {
    let home = TestBook::empty();
    home.write("novel.txt", NOVEL);
    home
}

#[test]
fn a_yes_writes_the_chapters_that_were_shown() {
    let home = shelf();
    let mut terminal = home.terminal(&["import", "novel.txt", "--into", "book", "--lang", "zh"]);
    insta::assert_snapshot!(terminal.sees("[y/N]"), @"
    山海 — 林深
    1  18  第一章 上山  ! 过短
    2  19  第二章 下山
    共 2 章，37 字，按 UTF-8 读取；1 章可疑，见 `!`。
    在 `book` 中建立项目吗？[y/N]
    ");
    assert!(!home.has("book"), "nothing is written before the answer");
    terminal.types("y");
    terminal.types(key::ENTER);
    let (code, shown) = terminal.ends();
    assert_eq!(code, 0, "{shown}");
    insta::assert_snapshot!(shown, @"
    山海 — 林深
    1  18  第一章 上山  ! 过短
    2  19  第二章 下山
    共 2 章，37 字，按 UTF-8 读取；1 章可疑，见 `!`。
    在 `book` 中建立项目吗？[y/N] y
    已导入 2 章，37 字；用 `novel undo` 可以撤销。
    项目已就绪：`cd book`。
    用 `novel import --analyse` 通读各章，取出人物、线索、摘要与文风；然后用 `novel start` 继续。
    ");
    assert!(home.has("book/chapters/chapter_002.json"));

    // The analysis asks too, after it has named its price.
    let before = tree(&home.path("book"));
    let analyse = ["import", "--analyse", "--project", "book", "--lang", "zh"];
    let mut terminal = home.terminal(&analyse);
    terminal.sees("不产生费用");
    terminal.sees("现在分析吗？[y/N]");
    terminal.types(key::ENTER);
    let (code, shown) = terminal.ends();
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("没有分析；"), "{shown}");
    assert_eq!(tree(&home.path("book")), before);
    let mut terminal = home.terminal(&analyse);
    terminal.sees("[y/N]");
    terminal.types("是");
    terminal.types(key::ENTER);
    let (code, shown) = terminal.ends();
    assert_eq!(code, 0, "{shown}");
    assert!(home.has("book/summaries/chapter-002-summary.md"), "{shown}");
}

#[test]
fn anything_but_a_yes_writes_nothing() {
    let home = shelf();
    let before = home.tree();
    for answer in ["n", "", "yep"] {
        let mut terminal =
            home.terminal(&["import", "novel.txt", "--into", "book", "--lang", "zh"]);
        terminal.sees("[y/N]");
        terminal.types(answer);
        terminal.types(key::ENTER);
        let (code, shown) = terminal.ends();
        assert_eq!(code, 0, "{shown}");
        assert!(shown.contains("没有写入。"), "{shown}");
        assert_eq!(home.tree(), before, "{answer:?}");
    }
}
