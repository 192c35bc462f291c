//! `novel init` and `novel start` as a person at a terminal sees them.

use novel_testkit::{Terminal, TestBook, terminal::key};

#[test]
fn start_without_a_book_asks_for_one_and_makes_it() {
    let home = TestBook::empty();
    let mut terminal = home.terminal(&["start", "--lang", "zh"]);
    insta::assert_snapshot!("no_book", terminal.sees("Ctrl-C 退出]"));
    terminal.types(key::ENTER);
    terminal.sees("English");
    insta::assert_snapshot!("language", terminal.sees("Ctrl-C 退出]"));
    terminal.types(key::ENTER);
    for (question, answer) in [
        ("书名", "雾港来信"),
        ("题材", "悬疑"),
        ("主角", "陆砚，二十三岁的投递员"),
        ("核心冲突", ""),
    ] {
        terminal.sees(&format!("? {question}"));
        terminal.types(answer);
        terminal.types(key::ENTER);
    }
    terminal.sees("参照一位作者");
    insta::assert_snapshot!("style", terminal.sees("Ctrl-C 退出]"));
    terminal.types(key::DOWN);
    terminal.sees("> 连载快节奏");
    terminal.types(key::ENTER);
    let (code, shown) = terminal.ends();
    assert_eq!(code, 0, "{shown}");
    insta::assert_snapshot!("created", shown);
    assert_eq!(home.state(), "QUICK_START");
    insta::assert_snapshot!("brief", home.text("brief.md"));
    assert!(
        home.text("novel.toml")
            .contains("template = \"fast-serial\"")
    );
}

#[test]
fn ctrl_c_in_a_question_ends_with_130_and_writes_nothing() {
    let home = TestBook::empty();
    // In the list, and in the middle of free text.
    for answers in [&[][..], &[key::ENTER, key::ENTER, "雾"][..]] {
        let mut terminal = home.terminal(&["start", "--lang", "zh"]);
        terminal.sees("novel demo");
        for (answer, next) in answers.iter().zip(["English", "? 书名", "雾"]) {
            terminal.types(answer);
            terminal.sees(next);
        }
        terminal.types(key::CTRL_C);
        let (code, shown) = terminal.ends();
        assert_eq!(code, 130, "{shown}");
        assert!(shown.contains("没有写入任何内容"), "{shown}");
        let left = std::fs::read_dir(home.root()).unwrap().count();
        assert_eq!(left, 0, "{shown}");
    }
}

#[test]
fn init_asks_only_for_what_no_option_gives() {
    let home = TestBook::empty();
    let mut terminal = home.terminal(&[
        "init",
        "book",
        "--language",
        "en",
        "--genre",
        "mystery",
        "--protagonist",
        "Ilse",
        "--conflict",
        "letters from the drowned",
        "--style-source",
        "write-then-extract",
    ]);
    insta::assert_snapshot!("title", terminal.sees("leaves it open]"));
    terminal.types("Fog Harbour");
    terminal.types(key::ENTER);
    let (code, shown) = terminal.ends();
    assert_eq!(code, 0, "{shown}");
    insta::assert_snapshot!("brief_en", home.text("book/brief.md"));
}

#[test]
fn init_says_that_a_book_is_there_before_it_asks_anything() {
    let home = TestBook::initialised();
    let (code, shown) = home.terminal(&["init"]).ends();
    assert_eq!(code, 2, "{shown}");
    assert!(shown.contains("ALREADY_EXISTS"), "{shown}");
}

#[test]
fn yes_asks_nothing_even_at_a_terminal() {
    let home = TestBook::empty();
    let (code, shown) = home.terminal(&["init", "--yes", "--genre", "悬疑"]).ends();
    assert_eq!(code, 0, "{shown}");
    assert!(
        home.text("novel.toml")
            .contains("approval = \"unattended\"")
    );
}

#[test]
fn the_recommended_thing_each_time_leads_from_the_set_up_to_the_first_planned_chapter() {
    let home = TestBook::initialised();
    let config = home.text("novel.toml");
    let short = format!("{config}\n[plan]\nchapters = 6\n");
    std::fs::write(home.path("novel.toml"), short).unwrap();
    for (screen, state) in [
        ("quick_start", "QUICK_START"),
        ("trial_written", "VOL_PLANNING"),
        ("unplanned", "VOL_PLANNING"),
        ("planned", "WRITING"),
    ] {
        let mut terminal = home.terminal(&["start"]);
        // What the chapters are called is the planner's business.
        insta::with_settings!({filters => vec![(r"(?m)^( +\d+  ).*$", "${1}[title]")]}, {
            insta::assert_snapshot!(screen, terminal.sees("Ctrl-C to leave]"));
        });
        terminal.types(key::ENTER);
        let (code, shown) = terminal.ends();
        assert_eq!(code, 0, "{screen}: {shown}");
        assert_eq!(home.state(), state, "{screen}");
    }
    // A number is asked for where one is needed, and the arrow keys reach every choice.
    let mut terminal = home.terminal(&["start"]);
    insta::assert_snapshot!("writing", terminal.sees("Ctrl-C to leave]"));
    terminal.types(key::DOWN);
    terminal.sees("> Write several chapters");
    terminal.types(key::ENTER);
    terminal.sees("? How many chapters?");
    terminal.types("2");
    terminal.types(key::ENTER);
    let (code, shown) = terminal.ends();
    assert_eq!(code, 0, "{shown}");
    assert_eq!(home.checkpoint()["last_completed_chapter"], 5);
}

#[test]
fn a_report_is_drawn_for_the_width_of_the_screen() {
    let home = TestBook::empty();
    let _ = home.ask(&["demo", "book", "--chapters", "5"]).data();
    for (name, topic) in [
        ("report_scores", "scores"),
        ("report_storylines", "storylines"),
    ] {
        let mut command = home.command(&["report", topic, "--project", "book"]);
        command.env("NOVEL_LANG", "zh").env("LANG", "zh_CN.UTF-8");
        let (code, shown) = Terminal::open(command).ends();
        assert_eq!(code, 0, "{shown}");
        insta::assert_snapshot!(name, shown);
    }
}
