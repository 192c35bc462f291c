//! `novel init` and `novel start` as a person at a terminal sees them.

use novel_testkit::{Terminal, TestBook, terminal::key};

#[test]
fn start_without_a_book_asks_for_one_and_makes_it() {
    let home = TestBook::empty();
    let mut terminal = home.terminal(&["start", "--lang", "zh"]);
    insta::assert_snapshot!(terminal.sees("Ctrl-C 退出]"), @"
    ? 这里还没有作品。
    > 新建作品          novel init
      先看一个演示作品  novel demo
    [方向键移动，回车选择，Ctrl-C 退出]
    ");
    terminal.types(key::ENTER);
    terminal.sees("English");
    insta::assert_snapshot!(terminal.sees("Ctrl-C 退出]"), @"
    ? 这里还没有作品。 新建作品 novel init
    ? 作品语言
    > 中文
      English
    [方向键移动，回车选择，Ctrl-C 退出]
    ");
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
    insta::assert_snapshot!(terminal.sees("Ctrl-C 退出]"), @"
    ? 这里还没有作品。 新建作品 novel init
    ? 作品语言 中文
    ? 书名 雾港来信
    ? 题材 悬疑
    ? 主角：姓名与身份 陆砚，二十三岁的投递员
    ? 核心冲突
    ? 文风
    > 白描：短句，动作与物件说话，情绪留在纸外
      连载快节奏：对话多，段落短，每章有钩子
      冷峻悬疑：克制、冷、细节可疑，叙述不下结论
      古雅：文白相间，句式匀整，多用意象
      温情日常：生活细节，幽默轻，冲突小而真
      先写，再从成稿提取
      我自己的文字，放在 samples/
      参照一位作者
    [方向键移动，回车选择，Ctrl-C 退出]
    ");
    terminal.types(key::DOWN);
    terminal.sees("> 连载快节奏");
    terminal.types(key::ENTER);
    let (code, shown) = terminal.ends();
    assert_eq!(code, 0, "{shown}");
    insta::assert_snapshot!(shown, @"
    ? 这里还没有作品。 新建作品 novel init
    ? 作品语言 中文
    ? 书名 雾港来信
    ? 题材 悬疑
    ? 主角：姓名与身份 陆砚，二十三岁的投递员
    ? 核心冲突
    ? 文风 连载快节奏：对话多，段落短，每章有钩子
    .checkpoint.json
    novel.toml
    brief.md
    style-profile.json
    ai-blacklist.json
    .gitignore
    项目已就绪。
    请检查 `brief.md`，然后运行 `novel start`。
    ");
    assert_eq!(home.state(), "QUICK_START");
    insta::assert_snapshot!(home.text("brief.md"), @"
    # 雾港来信

    - 题材：悬疑
    - 主角：陆砚，二十三岁的投递员
    - 核心冲突：…
    - 读者期待：…
    - 禁忌与边界：…
    ");
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
    insta::assert_snapshot!(terminal.sees("leave it open]"), @"
    ? Title
    [press Enter to leave it open]
    ");
    terminal.types("Fog Harbour");
    terminal.types(key::ENTER);
    let (code, shown) = terminal.ends();
    assert_eq!(code, 0, "{shown}");
    insta::assert_snapshot!(home.text("book/brief.md"), @"
    # Fog Harbour

    - Genre: mystery
    - Protagonist: Ilse
    - Core conflict: letters from the drowned
    - What readers come for: …
    - Limits: …
    ");
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
    home.write("novel.toml", short);
    // Takes the recommended choice; gives the screen before it and the state after it.
    let recommended = || {
        let mut terminal = home.terminal(&["start"]);
        let screen = terminal.sees("Ctrl-C to leave]");
        terminal.types(key::ENTER);
        let (code, shown) = terminal.ends();
        assert_eq!(code, 0, "{screen}: {shown}");
        format!("{screen}\n=> {}", home.state())
    };
    // What the chapters are called is the planner's business.
    insta::with_settings!({filters => vec![(r"(?m)^( +\d+  ).*$", "${1}[title]")]}, {
        insta::assert_snapshot!(recommended(), @"
        ? The book is being set up.
        > Set up world, cast and style, and write three trial chapters  novel quickstart
          See where the book stands                                     novel status
        [arrow keys to move, Enter to choose, Ctrl-C to leave]
        => QUICK_START
        ");
        insta::assert_snapshot!(recommended(), @"
        ? The trial chapters are ready for your review.
        > Accept them and plan the first volume   novel quickstart accept
          Adjust world, cast, style or the trial  novel quickstart redo
          See where the book stands               novel status
        [arrow keys to move, Enter to choose, Ctrl-C to leave]
        => VOL_PLANNING
        ");
        insta::assert_snapshot!(recommended(), @"
        ? Volume 1 needs a plan.
        > Plan volume 1              novel plan
          See where the book stands  novel status
        [arrow keys to move, Enter to choose, Ctrl-C to leave]
        => VOL_PLANNING
        ");
        insta::assert_snapshot!(recommended(), @"
           4  [title]
           5  [title]
           6  [title]
        ? The plan of volume 1 waits for your approval.
        > Approve the plan           novel plan approve
          Read the whole plan        novel plan show
          Plan it again              novel plan redo
          See where the book stands  novel status
        [arrow keys to move, Enter to choose, Ctrl-C to leave]
        => WRITING
        ");
    });
    // A number is asked for where one is needed, and the arrow keys reach every choice.
    let mut terminal = home.terminal(&["start"]);
    insta::assert_snapshot!(terminal.sees("Ctrl-C to leave]"), @"
    ? Written so far: 3 chapters.
    > Write chapter 4                    novel continue
      Write several chapters             novel continue
      Write to the end of the volume     novel run
      Look back: check the story so far  novel check all
      See where the book stands          novel status
    [arrow keys to move, Enter to choose, Ctrl-C to leave]
    ");
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
    home.ask(&["demo", "book", "--chapters", "5"]).data();
    let drawn = |topic: &str| {
        let mut command = home.command(&["report", topic, "--project", "book"]);
        command.env("NOVEL_LANG", "zh");
        let (code, shown) = Terminal::open(command).ends();
        assert_eq!(code, 0, "{shown}");
        shown
    };
    insta::assert_snapshot!(drawn("scores"), @"
    ## 评分

    均分 4.25，最低 4.24，最高 4.25。
    由离线作者打分的章：1-5。这些分数不是评审结论。

    各章评分
    5.0 │▁▁ ▁▁ ▁▁    ▁▁
        │██ ██ ██ ██ ██
        │██ ██ ██ ██ ██
        │██ ██ ██ ██ ██
    1.0 │██ ██ ██ ██ ██
        └──────────────
         1            5

    维度        均分
    情节逻辑    4.40
    人物塑造    4.20
    沉浸感      4.20
    伏笔处理    4.30
    节奏        4.10
    文风自然度  4.48
    情感冲击    3.80
    故事线连贯  4.20
    ");
    insta::assert_snapshot!(drawn("storylines"), @"
    ## 故事线

    各章所属的故事线
    main-arc    ██ ██ ·· ██ ··
    tide-ledger ·· ·· ██ ·· ██
                1            5

    故事线                     分量  章数  字数  占比  最长连续  最长间隔  距今
    明天的信（main-arc）       主线     3  5048   61%         2         1  1
    少掉的一天（tide-ledger）  副线     2  3251   39%         1         2  0
    ");
}

#[test]
fn a_question_ends_when_its_terminal_is_closed() {
    for (arguments, question) in [
        (["start", "--lang", "en"], "There is no book here yet"),
        (["init", "--lang", "en"], "Language of the book"),
    ] {
        let home = TestBook::empty();
        let mut terminal = home.terminal(&arguments);
        terminal.sees(question);
        assert_eq!(terminal.closes(), Some(130), "{arguments:?}");
        assert!(home.tree().is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_text_question_ends_when_its_terminal_is_closed() {
    let home = TestBook::empty();
    let mut terminal = home.terminal(&["init", "--lang", "en", "--language", "en"]);
    terminal.sees("Title");
    assert_eq!(terminal.closes(), Some(130));
    assert!(home.tree().is_empty());
}
