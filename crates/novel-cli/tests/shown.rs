//! What people see, word for word: help, status, next steps, reports and errors in both languages.

use novel_testkit::{TestBook, faulty, plan::Plan};
use serde_json::json;

/// What a command prints in English and in Chinese.
fn both(book: &TestBook, args: &[&str]) -> String {
    let [en, zh] = ["en", "zh"].map(|lang| {
        let output = book.novel(&[args, &["--lang", lang]].concat());
        output.without(book.outside()).to_string()
    });
    format!("{en}\n\n{zh}")
}

/// The help of a command without the options that every command has.
fn help(args: &[&str]) -> String {
    let help = TestBook::nowhere().novel(&[args, &["-h"]].concat());
    let help = help.success().stdout;
    help.split("\nGlobal options:").next().unwrap().to_owned()
}

/// A new Chinese book.
fn new_book() -> TestBook {
    let book = TestBook::empty();
    let _ = book.novel(&["init", "--title", "雾城"]).success();
    book
}

#[test]
fn the_help_of_the_daily_commands() {
    insta::assert_snapshot!(help(&["init"]), @"
    Start a new project

    Usage: novel init [OPTIONS] [DIR]

    Arguments:
      [DIR]  Directory of the new project; the current one by default

    Options:
          --title <TEXT>              Title of the book
          --author <TEXT>             Name of the author
          --language <LANG>           Language of the book; `en` by an English locale, else `zh-CN` [possible values: zh-CN, en]
          --genre <TEXT>              Genre, for the brief
          --protagonist <TEXT>        Who the book is about, for the brief
          --conflict <TEXT>           What drives the book, for the brief
          --brief <TEXT>              The brief: what the book is to be
          --style-source <SOURCE>     Where the style comes from; a built-in template by default [possible values: original, reference, template, write-then-extract]
          --style-template <NAME>     Built-in style, by name
          --style-reference <AUTHOR>  Author whose manner is the model
          --yes                       Ask nothing, now or later: the trial and every plan are accepted unseen
          --force                     Replace files of an existing project; the old ones go to `archive/`
    ");
    insta::assert_snapshot!(help(&["start"]), @"
    Look at the book, recommend the next thing, do it

    Usage: novel start [OPTIONS]

    Options:
          --yes                       Do the recommended thing without asking
          --choose <ID>               Do this, by its name in the list
          --chapters <N>              How many chapters, for `several`
          --phase <PART>              Which part of the setup, for `adjust` [possible values: world, characters, style, trial]
          --note <TEXT>               What should be different, for `adjust`, `redo` and `redirect`
          --title <TEXT>              Title of the book
          --author <TEXT>             Name of the author
          --language <LANG>           Language of the book; `en` by an English locale, else `zh-CN` [possible values: zh-CN, en]
          --genre <TEXT>              Genre, for the brief
          --protagonist <TEXT>        Who the book is about, for the brief
          --conflict <TEXT>           What drives the book, for the brief
          --brief <TEXT>              The brief: what the book is to be
          --style-source <SOURCE>     Where the style comes from; a built-in template by default [possible values: original, reference, template, write-then-extract]
          --style-template <NAME>     Built-in style, by name
          --style-reference <AUTHOR>  Author whose manner is the model
          --executor <KIND>           Who runs the agents, instead of `executor` in novel.toml [possible values: offline, llm, command]
    ");
    insta::assert_snapshot!(help(&["continue"]), @"
    Write the next chapters

    Usage: novel continue [OPTIONS] [N]

    Arguments:
      [N]  Chapters to write; 5 or fewer are recommended [default: 1]

    Options:
          --drafts <N>       Write N drafts of each chapter and choose one: you choose at a terminal, otherwise the judge
          --retry            Retry a step that failed before
          --executor <KIND>  Who runs the agents, instead of `executor` in novel.toml [possible values: offline, llm, command]
    ");
    insta::assert_snapshot!(help(&["run"]), @"
    Write to the end of the volume

    Usage: novel run [OPTIONS]

    Options:
          --to <N>           Stop after this chapter
          --yes              Accept the trial and every plan without asking
          --max-cost <USD>   Spending limit in US dollars, instead of `budget.max_cost_usd`; `none` for no limit
          --executor <KIND>  Who runs the agents, instead of `executor` in novel.toml [possible values: offline, llm, command]
    ");
    insta::assert_snapshot!(help(&["status"]), @"
    Show where the book stands

    Usage: novel status [OPTIONS]
    ");
    insta::assert_snapshot!(help(&["check"]), @"
    Look for contradictions in the story

    Usage: novel check [OPTIONS] [CHAPTERS]

    Arguments:
      [CHAPTERS]  Chapters: a number, a range such as `40..48`, or `all`; the newest by default

    Options:
          --all                        List waived findings too, or with `--waivers` the revoked waivers
          --waive <CODE|FINGERPRINT>   Waive findings: all of a code, or the one with this fingerprint
          --revoke <CODE|FINGERPRINT>  Revoke waivers: all of a code, or the one with this fingerprint
          --chapter <N>                Only in this chapter; in the whole book by default
          --reason <TEXT>              Why the findings are waived, kept on record
          --waivers                    List the waivers
          --candidates                 List sentences that may contradict the record, instead of what is proved; at most ten a chapter
          --explain <CODE>             Say what a code means, what excuses it and how it is repaired
    ");
    insta::assert_snapshot!(help(&["export"]), @"
    Write the book, or a part of it, to one file

    Usage: novel export [OPTIONS] --format <FORMAT>

    Options:
          --format <FORMAT>  Format of the file [possible values: txt, md, epub, docx]
          --out <FILE>       File to write; `-` is standard output; the title in the current directory by default
          --from <A>         First chapter; the first of the book by default
          --to <B>           Last chapter; the newest by default
          --force            Replace the file if it exists
          --ignore-edits     Leave out hand edits that are not adopted, instead of stopping
    ");
    insta::assert_snapshot!(help(&["doctor"]), @"
    Look for damage in the project, and repair it with --fix

    Usage: novel doctor [OPTIONS]

    Options:
          --fix    Repair what can be repaired
          --share  Make a report you can share, without prose, names or keys
    ");
}

#[test]
fn a_new_book() {
    let book = TestBook::empty();
    insta::assert_snapshot!(book.novel(&["init", "--title", "雾城"]), @"
    exit: 0
    ----- stdout -----
    .checkpoint.json
    novel.toml
    brief.md
    style-profile.json
    ai-blacklist.json
    .gitignore
    ----- stderr -----
    The project is ready.
    Review `brief.md`, then run `novel start`.
    ");
    insta::assert_snapshot!(both(&book, &["init"]), @"
    exit: 2
    ----- stderr -----
    error[ALREADY_EXISTS]: `.checkpoint.json` already exists

    hint: choose another directory, or add --force to replace files (the old ones go to archive/)

    exit: 2
    ----- stderr -----
    错误[ALREADY_EXISTS]：`.checkpoint.json` 已存在

    提示：请换一个目录，或加 --force 覆盖（旧文件会移入 archive/）
    ");
    insta::assert_snapshot!(both(&book, &["next"]), @"
    exit: 0
    ----- stdout -----
    quickstart:world
    ----- stderr -----
    the book is being set up
    next: `novel instructions quickstart:world`

    exit: 0
    ----- stdout -----
    quickstart:world
    ----- stderr -----
    作品尚在初始设定中
    下一条命令：`novel instructions quickstart:world`
    ");
    insta::assert_snapshot!(both(&book, &["start"]), @"
    exit: 0
    ----- stdout -----
    The book is being set up.
    > quickstart  Set up world, cast and style, and write three trial chapters  novel quickstart
      status      See where the book stands                                     novel status
    ----- stderr -----
    `novel start --yes` does the first; `novel start --choose ID` any other.

    exit: 0
    ----- stdout -----
    新书筹备中。
    > quickstart  设定世界、人物与文风，并试写三章  novel quickstart
      status      查看作品进展                      novel status
    ----- stderr -----
    `novel start --yes` 执行第一项；`novel start --choose ID` 执行其他项。
    ");
    insta::assert_snapshot!(both(&book, &["doctor"]), @"
    exit: 0
    ----- stderr -----
    No problems found.

    exit: 0
    ----- stderr -----
    一切正常。
    ");
    insta::assert_snapshot!(both(&book, &["lock", "status"]), @"
    exit: 0
    ----- stdout -----
    free

    exit: 0
    ----- stdout -----
    空闲
    ");
    insta::assert_snapshot!(both(&book, &["continue"]), @"
    exit: 3
    ----- stderr -----
    Written by the offline author (not a language model); set `executor` in novel.toml for a real one.
    stopped[NOT_WRITING]: no chapter can be written in state QUICK_START: the book is still being set up

    hint: `novel start` does what comes next

    exit: 3
    ----- stderr -----
    由离线作者（非语言模型）执笔；在 novel.toml 中设置 `executor` 可改用语言模型。
    已停止[NOT_WRITING]：当前状态为 QUICK_START，还不能写新的一章：新书还在筹备中

    提示：请先执行 `novel start` 完成下一步
    ");
}

#[test]
fn a_book_with_chapters() {
    let book = TestBook::demo(2);
    insta::assert_snapshot!(both(&book, &["status"]), @"
    exit: 0
    ----- stdout -----
    Title            潮信局
    State            writing
    Volume           1 (chapters 1 to 12)
    Chapters         2 written, 2 of 12 in this volume
    Words            3395
    Score            4.25 on average (by the offline author, not verdicts: chapters 1-2)
    Foreshadowing    2 open
    Storylines       main-arc now, tide-ledger not yet
    Waiting for you  nothing
    Lock             free
    Next             `novel continue`

    exit: 0
    ----- stdout -----
    书名      潮信局
    状态      写作中
    卷        第 1 卷（第 1 至 12 章）
    章节      已完成 2 章，本卷 2/12
    字数      3395
    评分      均分 4.25（第 1-2 章由离线作者打分，不是评审结论）
    伏笔      未回收 2
    故事线    main-arc 本章，tide-ledger 还没写到
    待你处理  无
    锁        空闲
    下一步    `novel continue`
    ");
    insta::assert_snapshot!(both(&book, &["next"]), @"
    exit: 0
    ----- stdout -----
    chapter:003:draft
    ----- stderr -----
    no chapter is in progress
    next: `novel instructions chapter:003:draft`

    exit: 0
    ----- stdout -----
    chapter:003:draft
    ----- stderr -----
    没有进行中的章节
    下一条命令：`novel instructions chapter:003:draft`
    ");
    insta::assert_snapshot!(both(&book, &["check", "all"]), @"
    exit: 0
    ----- stderr -----
    No contradiction found in chapters 1 to 2.

    exit: 0
    ----- stderr -----
    第 1 至 2 章未发现矛盾。
    ");
    insta::assert_snapshot!(both(&book, &["lint", "chapters/chapter-001.md"]), @"
    exit: 0
    ----- stdout -----
    chapters/chapter-001.md: 0 hits, 0 per thousand characters

    exit: 0
    ----- stdout -----
    chapters/chapter-001.md：命中 0 次，每千字 0 次
    ");
    insta::assert_snapshot!(both(&book, &["report", "foreshadowing"]), @"
    exit: 0
    ----- stdout -----
    ## Foreshadowing

    Planted 2 times, advanced 1, resolved 0; 2 open, 0 of them due and 0 overdue.

    item            status   scope   planted  due in  what it is
    blue_wax        open     short         1     5-7  信封封口上早已停用的蓝蜡
    stopped_clock   open     short         2     7-8  局长室里停在三点一刻的座钟
    scraped_line    planned  short         3    9-10  潮位簿上被刮去的一行字
    missing_button  planned  short         5   10-11  闸房地上一枚缺口的铜袖扣
    half_chart      planned  medium        4   11-20  陆笙留下的半张海图
    drowned_bell    planned  long          6   30-60  大潮之夜从海底传来的旧城钟声

    exit: 0
    ----- stdout -----
    ## 伏笔

    埋设 2 次，推进 1 次，回收 0 次；未回收 2 条，其中到期 0 条，超期 0 条。

    伏笔            状态    跨度  埋设  回收区间  内容
    blue_wax        未到期  短线     1       5-7  信封封口上早已停用的蓝蜡
    stopped_clock   未到期  短线     2       7-8  局长室里停在三点一刻的座钟
    scraped_line    待埋设  短线     3      9-10  潮位簿上被刮去的一行字
    missing_button  待埋设  短线     5     10-11  闸房地上一枚缺口的铜袖扣
    half_chart      待埋设  中线     4     11-20  陆笙留下的半张海图
    drowned_bell    待埋设  长线     6     30-60  大潮之夜从海底传来的旧城钟声
    ");
    insta::assert_snapshot!(book.novel(&["storyline", "show", "tide-ledger"]), @"
    exit: 0
    ----- stdout -----
    Name     少掉的一天
    Status   active
    Told by  沈青禾
    Time     大潮七日
    About    沈青禾追查潮位簿上被刮去的一天。
    ");
    insta::assert_snapshot!(both(&book, &["search", "蓝蜡", "--limit", "2"]), @"
    exit: 0
    ----- stdout -----
    Summary of chapter 1  ×3
        …年的姐姐陆笙，日期写着明天。他把信封凑到灯下，封口是潮信局七年前就停用的蓝蜡。
    Summary of chapter 2  ×3
        邱伯远看见封口的蓝蜡，当场把话岔开，叫陆砚把信交回局里。他没有交信，说信已经投进了退潮口，这…
    ----- stderr -----
    5 found, the first 2 shown; `--limit` shows more.

    exit: 0
    ----- stdout -----
    第 1 章摘要  ×3
        …年的姐姐陆笙，日期写着明天。他把信封凑到灯下，封口是潮信局七年前就停用的蓝蜡。
    第 2 章摘要  ×3
        邱伯远看见封口的蓝蜡，当场把话岔开，叫陆砚把信交回局里。他没有交信，说信已经投进了退潮口，这…
    ----- stderr -----
    共 5 处，列出前 2 处；用 `--limit` 可列出更多。
    ");
    insta::assert_snapshot!(both(&book, &["revision", "list"]), @"
    exit: 0
    ----- stderr -----
    No chapter has a revision.

    exit: 0
    ----- stderr -----
    没有任何章节有修订。
    ");
}

#[test]
fn a_chapter_that_waits_for_its_author() {
    let book = faulty::pending();
    insta::assert_snapshot!(both(&book, &["continue"]), @"
    exit: 3
    ----- stderr -----
    Written by the offline author (not a language model); set `executor` in novel.toml for a real one.
    stopped[PENDING_REVISION]: the pending revision of chapter 4 must be decided first; nothing is written past it

    hint: look at it with `novel revision show 4`, then `novel revision apply 4` or `novel revision reject 4` (its file is `chapters/chapter_004_revision.json`)

    exit: 3
    ----- stderr -----
    由离线作者（非语言模型）执笔；在 novel.toml 中设置 `executor` 可改用语言模型。
    已停止[PENDING_REVISION]：必须先处理第 4 章的 pending 修订，处理之前不会往后写

    提示：用 `novel revision show 4` 查看，然后 `novel revision apply 4` 或 `novel revision reject 4`（修订状态文件 `chapters/chapter_004_revision.json`）
    ");
    insta::assert_snapshot!(both(&book, &["status"]), @"
    exit: 0
    ----- stdout -----
    Title            潮信局
    State            writing
    Volume           1 (chapters 1 to 12)
    Chapters         4 written, 4 of 12 in this volume
    Words            6614
    Score            4.25 on average (by the offline author, not verdicts: chapters 1-4)
    Foreshadowing    4 open
    Storylines       main-arc now, tide-ledger 1 ago
    Waiting for you  the pending revision of chapter 4 must be decided first; nothing is written past it
    Lock             free
    Next             `novel revision show 4`

    exit: 0
    ----- stdout -----
    书名      潮信局
    状态      写作中
    卷        第 1 卷（第 1 至 12 章）
    章节      已完成 4 章，本卷 4/12
    字数      6614
    评分      均分 4.25（第 1-4 章由离线作者打分，不是评审结论）
    伏笔      未回收 4
    故事线    main-arc 本章，tide-ledger 1 章前
    待你处理  必须先处理第 4 章的 pending 修订，处理之前不会往后写
    锁        空闲
    下一步    `novel revision show 4`
    ");
    insta::assert_snapshot!(both(&book, &["revision", "list"]), @"
    exit: 0
    ----- stdout -----
    chapter 4  pending  consistency check  17 issues  has a candidate

    exit: 0
    ----- stdout -----
    第 4 章  待处理  一致性检查  17 个问题  有候选稿
    ");
}

#[test]
fn a_judge_who_wants_a_rewrite() {
    let book = TestBook::planned(Plan::new(3));
    let driver = book.driver();
    driver.write(1);
    driver.up_to_refined(2);
    driver.judge(2, &book.plan().verdict(2, 2.5));
    insta::assert_snapshot!(both(&book, &["next"]), @r#"
    exit: 3
    ----- stderr -----
    stopped[GATE_PAUSED]: chapter 2 waits for you: score 2.50 (judge first-judge, never measured with `novel judge calibrate`), 0 of 2 revisions used
      - plot logic 2.5: plot_logic #2 ("柜台上压着第二封信")
      - characters 2.5: character #2 ("柜台上压着第二封信")
      - immersion 2.5: immersion #2 ("柜台上压着第二封信")
      - foreshadowing 2.5: foreshadowing #2 ("柜台上压着第二封信")
      - pacing 2.5: pacing #2 ("柜台上压着第二封信")
      - natural style 2.5: style_naturalness #2 ("柜台上压着第二封信")
      - emotional impact 2.5: emotional_impact #2 ("柜台上压着第二封信")
      - storyline coherence 2.5: storyline_coherence #2 ("柜台上压着第二封信")

    hint: choose with `novel start`: accept it (`novel gate accept 2`), rewrite it (`novel gate rewrite 2`), or edit staging/chapters/chapter-002.md and run `novel next`

    exit: 3
    ----- stderr -----
    已停止[GATE_PAUSED]：第 2 章等你决定：评分 2.50（评审 first-judge，未经 `novel judge calibrate` 测量），已修订 0/2 次
      - 情节逻辑 2.5：plot_logic #2（“柜台上压着第二封信”）
      - 人物塑造 2.5：character #2（“柜台上压着第二封信”）
      - 沉浸感 2.5：immersion #2（“柜台上压着第二封信”）
      - 伏笔处理 2.5：foreshadowing #2（“柜台上压着第二封信”）
      - 节奏 2.5：pacing #2（“柜台上压着第二封信”）
      - 文风自然度 2.5：style_naturalness #2（“柜台上压着第二封信”）
      - 情感冲击 2.5：emotional_impact #2（“柜台上压着第二封信”）
      - 故事线连贯 2.5：storyline_coherence #2（“柜台上压着第二封信”）

    提示：用 `novel start` 选择：接受（`novel gate accept 2`）、重写（`novel gate rewrite 2`），或手动修改 staging/chapters/chapter-002.md 后运行 `novel next`
    "#);
    insta::assert_snapshot!(both(&book, &["start"]), @r#"
    exit: 0
    ----- stdout -----
    chapter 2 waits for you: score 2.50 (judge first-judge, never measured with `novel judge calibrate`), 0 of 2 revisions used
      - plot logic 2.5: plot_logic #2 ("柜台上压着第二封信")
      - characters 2.5: character #2 ("柜台上压着第二封信")
      - immersion 2.5: immersion #2 ("柜台上压着第二封信")
      - foreshadowing 2.5: foreshadowing #2 ("柜台上压着第二封信")
      - pacing 2.5: pacing #2 ("柜台上压着第二封信")
      - natural style 2.5: style_naturalness #2 ("柜台上压着第二封信")
      - emotional impact 2.5: emotional_impact #2 ("柜台上压着第二封信")
      - storyline coherence 2.5: storyline_coherence #2 ("柜台上压着第二封信")
    > rewrite  Rewrite the chapter                    novel gate rewrite 2
      accept   Accept the chapter as it is            novel gate accept 2
      edit     Edit the text by hand                  novel edit 2
      read     Read the chapter and what was flagged  novel read 2
    ----- stderr -----
    `novel start --yes` does the first; `novel start --choose ID` any other.

    exit: 0
    ----- stdout -----
    第 2 章等你决定：评分 2.50（评审 first-judge，未经 `novel judge calibrate` 测量），已修订 0/2 次
      - 情节逻辑 2.5：plot_logic #2（“柜台上压着第二封信”）
      - 人物塑造 2.5：character #2（“柜台上压着第二封信”）
      - 沉浸感 2.5：immersion #2（“柜台上压着第二封信”）
      - 伏笔处理 2.5：foreshadowing #2（“柜台上压着第二封信”）
      - 节奏 2.5：pacing #2（“柜台上压着第二封信”）
      - 文风自然度 2.5：style_naturalness #2（“柜台上压着第二封信”）
      - 情感冲击 2.5：emotional_impact #2（“柜台上压着第二封信”）
      - 故事线连贯 2.5：storyline_coherence #2（“柜台上压着第二封信”）
    > rewrite  重写本章                novel gate rewrite 2
      accept   不改了，接受本章        novel gate accept 2
      edit     手工修改正文            novel edit 2
      read     阅读本章和被指出的问题  novel read 2
    ----- stderr -----
    `novel start --yes` 执行第一项；`novel start --choose ID` 执行其他项。
    "#);
}

#[test]
fn damaged_books() {
    let book = TestBook::demo(2);
    book.remove("chapters/chapter_001.json");
    insta::assert_snapshot!(both(&book, &["doctor"]), @"
    exit: 0
    ----- stdout -----
    found[missing] chapters/chapter_001.json: the chapter JSON is missing
        rebuild it from the Markdown
    ----- stderr -----
    `novel doctor --fix` repairs 1 of these.

    exit: 0
    ----- stdout -----
    发现[missing] chapters/chapter_001.json: 缺少章节 JSON
        由 Markdown 生成
    ----- stderr -----
    `novel doctor --fix` 可修复其中 1 项。
    ");
    let book = TestBook::demo(2);
    book.edit(".checkpoint.json", |checkpoint| {
        checkpoint["orchestrator_state"] = json!("DREAMING");
    });
    insta::assert_snapshot!(both(&book, &["next"]), @r#"
    exit: 2
    ----- stderr -----
    error[BROKEN_FILE]: broken file: .checkpoint.json#/orchestrator_state: expected one of "INIT", "QUICK_START", "VOL_PLANNING", "WRITING", "CHAPTER_REWRITE", "VOL_REVIEW", "ERROR_RETRY", found "DREAMING"
      .checkpoint.json#/orchestrator_state: expected one of "INIT", "QUICK_START", "VOL_PLANNING", "WRITING", "CHAPTER_REWRITE", "VOL_REVIEW", "ERROR_RETRY", found "DREAMING"

    hint: correct the file, or put back an earlier version (see archive/)

    exit: 2
    ----- stderr -----
    错误[BROKEN_FILE]：文件已损坏：.checkpoint.json#/orchestrator_state：应为 "INIT"、"QUICK_START"、"VOL_PLANNING"、"WRITING"、"CHAPTER_REWRITE"、"VOL_REVIEW"、"ERROR_RETRY" 之一，实际为 "DREAMING"
      .checkpoint.json#/orchestrator_state：应为 "INIT"、"QUICK_START"、"VOL_PLANNING"、"WRITING"、"CHAPTER_REWRITE"、"VOL_REVIEW"、"ERROR_RETRY" 之一，实际为 "DREAMING"

    提示：请改正该文件，或恢复早先的版本（见 archive/）
    "#);
    book.write(".checkpoint.json", "{\"last_completed_chapter\": 1,\n");
    insta::assert_snapshot!(both(&book, &["next"]), @"
    exit: 2
    ----- stderr -----
    error[BROKEN_FILE]: broken file: .checkpoint.json:2:1: the JSON ends too early: the file is cut off, or a closing bracket or quotation mark is missing
      .checkpoint.json:2:1: the JSON ends too early: the file is cut off, or a closing bracket or quotation mark is missing
        hint: complete the file, or put back an earlier version (see archive/)

    hint: complete the file, or put back an earlier version (see archive/)

    exit: 2
    ----- stderr -----
    错误[BROKEN_FILE]：文件已损坏：.checkpoint.json:2:1：JSON 提前结束：文件被截断，或缺少右括号或引号
      .checkpoint.json:2:1：JSON 提前结束：文件被截断，或缺少右括号或引号
        提示：请补全文件，或恢复早先的版本（见 archive/）

    提示：请补全文件，或恢复早先的版本（见 archive/）
    ");
    let book = new_book();
    book.write("novel.toml", "titel = \"x\"\nlanguage = \"klingon\"\n");
    insta::assert_snapshot!(both(&book, &["status"]), @"
    exit: 0
    ----- stdout -----
    Title            (none yet)
    State            being set up
    Volume           1 (not planned)
    Chapters         0 written
    Words            0
    Score            -
    Foreshadowing    0 open
    Waiting for you  nothing
    Lock             free
    Next             `novel start`
    ----- stderr -----
    warning[unknown_config_key]: novel.toml: unknown key `titel`; did you mean `title`?

    exit: 0
    ----- stdout -----
    书名      （未定）
    状态      筹备中
    卷        第 1 卷（未规划）
    章节      已完成 0 章
    字数      0
    评分      -
    伏笔      未回收 0
    待你处理  无
    锁        空闲
    下一步    `novel start`
    ----- stderr -----
    警告[unknown_config_key]：novel.toml：未知的键 `titel`，是否想写 `title`？
    ");
}

#[test]
fn wrong_commands() {
    let book = new_book();
    insta::assert_snapshot!(both(&book, &["nxt"]), @"
    exit: 2
    ----- stderr -----
    error[USAGE]: unknown command `nxt`

    hint: did you mean `next`? see `novel --help`

    exit: 2
    ----- stderr -----
    错误[USAGE]：未知的命令 `nxt`

    提示：是否想写 `next`？参见 `novel --help`
    ");
    insta::assert_snapshot!(both(&book, &["next", "--bogus"]), @"
    exit: 2
    ----- stderr -----
    error[USAGE]: unexpected argument `--bogus`

    hint: see `novel next --help`

    exit: 2
    ----- stderr -----
    错误[USAGE]：多余或未知的参数 `--bogus`

    提示：参见 `novel next --help`
    ");
    insta::assert_snapshot!(both(&book, &["commit"]), @"
    exit: 2
    ----- stderr -----
    error[USAGE]: missing: <--chapter <N>|--volume <V>>

    hint: see `novel commit --help`

    exit: 2
    ----- stderr -----
    错误[USAGE]：缺少参数：<--chapter <N>|--volume <V>>

    提示：参见 `novel commit --help`
    ");
    insta::assert_snapshot!(both(&book, &["continue", "many"]), @"
    exit: 2
    ----- stderr -----
    error[USAGE]: invalid value `many` for `[N]`

    hint: see `novel continue --help`

    exit: 2
    ----- stderr -----
    错误[USAGE]：`[N]` 不接受 `many`

    提示：参见 `novel continue --help`
    ");
    insta::assert_snapshot!(both(&book, &["validate", "chapter:1:drfat"]), @"
    exit: 2
    ----- stderr -----
    error[BAD_ID]: unknown phase `drfat` in step `chapter:1:drfat`

    hint: did you mean `draft`? expected `chapter:048:draft|summarize|refine|judge|commit|review|audit`, `volume:02:plan|commit|review` or `quickstart:world|characters|style|trial|results`; `novel next` prints the current one

    exit: 2
    ----- stderr -----
    错误[BAD_ID]：步骤 `chapter:1:drfat` 中有未知阶段 `drfat`

    提示：是否想写 `draft`？应为 `chapter:048:draft|summarize|refine|judge|commit|review|audit`、`volume:02:plan|commit|review` 或 `quickstart:world|characters|style|trial|results`；`novel next` 会给出当前步骤
    ");
    insta::assert_snapshot!(both(&book, &["advance", "chapter:001:draft"]), @"
    exit: 2
    ----- stderr -----
    error[NOT_NEXT_STEP]: chapter:001:draft is not the next step; the next step is quickstart:world

    hint: run `novel instructions quickstart:world`

    exit: 2
    ----- stderr -----
    错误[NOT_NEXT_STEP]：chapter:001:draft 不是下一步；下一步是 quickstart:world

    提示：运行 `novel instructions quickstart:world`
    ");
    insta::assert_snapshot!(both(&book, &["submit", "quickstart:world", "nowhere.md"]), @"
    exit: 2
    ----- stderr -----
    error[FILE_NOT_FOUND]: there is no file `nowhere.md`

    hint: check the path; it is relative to the current directory

    exit: 2
    ----- stderr -----
    错误[FILE_NOT_FOUND]：没有文件 `nowhere.md`

    提示：请检查路径；它相对于当前目录
    ");
    insta::assert_snapshot!(both(&book, &["next", "-p", "../book"]), @"
    exit: 2
    ----- stderr -----
    error[BAD_PROJECT_NAME]: `../book` is not a valid project name

    hint: give the plain name of a directory below `projects/`, or a path with `--project DIR`

    exit: 2
    ----- stderr -----
    错误[BAD_PROJECT_NAME]：`../book` 不是有效的项目名

    提示：请给出 `projects/` 下的目录名，或用 `--project DIR` 给出路径
    ");
    insta::assert_snapshot!(both(&book, &["export", "--format", "pdf"]), @"
    exit: 2
    ----- stderr -----
    error[USAGE]: invalid value `pdf` for `--format <FORMAT>`; choose: txt, md, epub, docx

    hint: see `novel export --help`

    exit: 2
    ----- stderr -----
    错误[USAGE]：`--format <FORMAT>` 不接受 `pdf`；可选：txt、md、epub、docx

    提示：参见 `novel export --help`
    ");
    insta::assert_snapshot!(both(&TestBook::nowhere(), &["next"]), @"
    exit: 2
    ----- stderr -----
    error[NO_PROJECT]: no novel project in `[HOME]` or any directory above it

    hint: change into the project, name it with `--project DIR`, or start one with `novel init`

    exit: 2
    ----- stderr -----
    错误[NO_PROJECT]：`[HOME]` 及其上级目录中没有小说项目

    提示：请进入项目目录，用 `--project DIR` 指定，或用 `novel init` 新建
    ");
}

#[test]
fn a_book_that_somebody_else_writes() {
    let book = TestBook::demo(0);
    let now = jiff::Timestamp::now().to_string();
    let info = json!({"pid": 1, "host": "elsewhere", "started": now, "chapter": 1});
    book.write(".novel.lock/info.json", info.to_string());
    insta::with_settings!({filters => vec![(r"\b\d+ [s秒]", "[time]")]}, {
        insta::assert_snapshot!(both(&book, &["instructions", "chapter:001:draft", "--write-manifest"]), @"
        exit: 4
        ----- stderr -----
        error[LOCK_HELD]: the project is locked by process 1 on `elsewhere`, chapter 1, last seen [time] ago

        hint: wait until it is done, or look with `novel lock status`; if you are sure it is dead: `novel lock clear --force`

        exit: 4
        ----- stderr -----
        错误[LOCK_HELD]：项目已被锁定：`elsewhere` 上的进程 1，第 1 章，[time]前仍在运行

        提示：请等它完成，或用 `novel lock status` 查看；若确定它已不在运行：`novel lock clear --force`
        ");
        insta::assert_snapshot!(both(&book, &["lock", "status"]), @"
        exit: 0
        ----- stdout -----
        held by process 1 on `elsewhere`, chapter 1, last seen [time] ago

        exit: 0
        ----- stdout -----
        被占用：`elsewhere` 上的进程 1，第 1 章，[time]前仍在运行
        ");
    });
}
