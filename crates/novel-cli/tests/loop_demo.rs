//! `novel demo` and `novel continue` with the offline author: what is written and what is said.

use std::fs;

use novel_testkit::{Output, TestBook};
use serde_json::{Value, json};

#[test]
fn the_demo_is_a_sound_book_with_three_chapters() {
    let home = TestBook::nowhere();
    let made = home.novel(&["demo", "--json"]).success().json();
    let data = &made["data"];
    assert_eq!(made["command"], "demo");
    assert_eq!(data["directory"], "novel-demo");
    assert_eq!(data["executor"], "offline");
    assert_eq!(data["stop"], "goal_reached");
    let chapters: Vec<u64> = data["finished"]
        .as_array()
        .unwrap()
        .iter()
        .map(|chapter| chapter["chapter"].as_u64().unwrap())
        .collect();
    assert_eq!(chapters, [1, 2, 3]);

    let book = ["--project", "novel-demo", "--json"];
    let ask = |arguments: &[&str]| {
        let answer = home.novel(&[arguments, &book].concat()).success().json();
        answer["data"].clone()
    };
    assert_eq!(ask(&["next"])["step"], "chapter:004:draft");
    let status = ask(&["status"]);
    assert_eq!(status["progress"]["last_completed_chapter"], 3, "{status}");
    assert_eq!(status["lock"]["state"], "free");
    assert_eq!(ask(&["doctor"])["findings"], json!([]));
    for chapter in 1..=3 {
        let place = home.outside().join("novel-demo/chapters");
        let text = fs::read_to_string(place.join(format!("chapter-{chapter:03}.md"))).unwrap();
        assert!(text.chars().count() > 500, "{text}");
        let json = fs::read(place.join(format!("chapter_{chapter:03}.json"))).unwrap();
        let json: Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(json["chapter_number"], chapter, "{json}");
        let log = home
            .outside()
            .join(format!("novel-demo/logs/chapter-{chapter:03}-log.json"));
        let log: Value = serde_json::from_slice(&fs::read(log).unwrap()).unwrap();
        for stage in log["stages"].as_array().unwrap() {
            assert_eq!(stage["executor"], "offline", "{log}");
            assert_eq!(stage["model"], "offline", "{log}");
        }
    }
}

#[test]
fn the_demo_says_what_it_is_and_what_to_look_at() {
    let home = TestBook::nowhere();
    let made = home.novel(&["demo", "--chapters", "1"]).success();
    insta::assert_snapshot!(told(&made), @r#"
    Chapter 1 written (# words), score #/5.0, gate pass, revisions 0 ✓
    The offline author gave the scores, measured by rule; they are not verdicts.

    The demo book "潮信局" is in `novel-demo`; its first chapter is by the offline author (not a language model).
      novel-demo/chapters/chapter-001.md    the last chapter
      novel-demo/volumes/vol-01/outline.md  the plan of the volume
      novel-demo/state/current-state.json   what is true in the story now
      cd novel-demo && novel status         where the book stands
      novel continue                        write the next chapter
    "#);
    assert!(
        made.stderr
            .contains("offline author (not a language model)")
    );
    let zh = home
        .novel(&["demo", "other", "--chapters", "1", "--lang", "zh"])
        .success();
    assert!(
        zh.stdout.contains("由离线作者（非语言模型）写成"),
        "{}",
        zh.stdout
    );
}

#[test]
fn an_english_book_is_asked_for_by_either_option() {
    for arguments in [
        &["demo", "book", "--language", "en", "--chapters", "1"][..],
        &["demo", "book", "--lang", "en", "--chapters", "1"],
    ] {
        let home = TestBook::nowhere();
        let _ = home.novel(arguments).success();
        let text = home.text("chapters/chapter-001.md");
        assert!(text.is_ascii() || !text.contains('的'), "{text}");
        assert!(text.contains(" the "), "{text}");
    }
    let home = TestBook::nowhere();
    let _ = home.novel(&["demo", "book", "--chapters", "1"]).success();
    let text = home.text("chapters/chapter-001.md");
    assert!(
        text.contains('的'),
        "a demo is Chinese unless it is asked for: {text}"
    );
}

#[test]
fn a_project_is_never_replaced_by_a_demo() {
    let home = TestBook::demo(1);
    let before = fs::read(home.path("chapters/chapter-001.md")).unwrap();
    let refused = home.novel(&["demo", "."]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.stderr.contains("[ALREADY_EXISTS]"), "{refused:?}");
    assert_eq!(
        fs::read(home.path("chapters/chapter-001.md")).unwrap(),
        before
    );
}

/// Without the numbers that a change of the offline author's prose would change.
fn told(ran: &Output) -> String {
    let is_number =
        |word: &str| word.parse::<f64>().is_ok() && word.len() > 3 && !word.ends_with('.');
    let mut told = String::new();
    let mut number = String::new();
    for char in ran.stdout.chars() {
        if char.is_ascii_digit() || char == '.' {
            number.push(char);
            continue;
        }
        told.push_str(if is_number(&number) { "#" } else { &number });
        number.clear();
        told.push(char);
    }
    told
}

#[test]
fn a_chapter_and_a_summary_are_told_as_the_seed_says() {
    let home = TestBook::demo(1);
    let one = home.novel(&["continue", "--lang", "zh"]).success();
    insta::assert_snapshot!(told(&one), @r#"
    第 2 章已生成（# 字），评分 #/5.0，评审通过，修订 0 次 ✓
    评分由离线作者按规则给出，不是评审结论。
    "#);
    let two = home.novel(&["continue", "2", "--lang", "zh"]).success();
    insta::assert_snapshot!(told(&two), @r#"
    第 3 章已生成（# 字），评分 #/5.0，评审通过，修订 0 次 ✓
    第 4 章已生成（# 字），评分 #/5.0，评审通过，修订 0 次 ✓
    评分由离线作者按规则给出，不是评审结论。
    续写完成：
    Ch 3: #字 # pass | Ch 4: #字 # pass
    "#);
    let english = home.novel(&["continue", "2"]).success();
    insta::assert_snapshot!(told(&english), @r#"
    Chapter 5 written (# words), score #/5.0, gate pass, revisions 0 ✓
    Chapter 6 written (# words), score #/5.0, gate pass, revisions 0 ✓
    The offline author gave the scores, measured by rule; they are not verdicts.
    Done:
    Ch 5: # words # pass | Ch 6: # words # pass
    "#);
}

#[test]
fn continue_answers_programs_with_its_report() {
    let home = TestBook::demo(1);
    let answer = home.novel(&["continue", "2", "--json"]).success().json();
    assert_eq!(answer["command"], "continue");
    let data = &answer["data"];
    assert_eq!(data["stop"], "goal_reached");
    assert_eq!(data["executor"], "offline");
    assert_eq!(data["warnings"], json!([]));
    assert_eq!(data["spent"]["cost_usd"], json!(null));
    for (index, chapter) in data["finished"].as_array().unwrap().iter().enumerate() {
        assert_eq!(chapter["chapter"], index + 2);
        assert_eq!(chapter["gate_decision"], "pass");
        assert_eq!(chapter["force_passed"], false);
        for number in ["words", "overall", "revisions"] {
            assert!(chapter[number].is_number(), "{chapter}");
        }
    }
}

#[test]
fn many_chapters_end_with_the_volume_and_are_warned_of() {
    let home = TestBook::demo(1);
    let ran = home.novel(&["continue", "20"]).success();
    assert!(
        ran.stderr.starts_with("warning[many_chapters]"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("Chapters 1 to 5: mean score"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("Chapters 6 to 10: mean score"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        ran.stderr.matches("[consistency_check_due]").count(),
        1,
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr
            .ends_with("The volume is complete; `novel start` reviews it.\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        ran.stdout
            .lines()
            .filter(|line| line.starts_with("Chapter "))
            .count(),
        11
    );
    let after = home.novel(&["continue", "--json"]);
    assert_eq!(after.code, 3);
    assert_eq!(after.json()["error"]["code"], "NOT_WRITING");
    let few = home.novel(&["continue", "5", "--json"]);
    assert_eq!(few.json()["error"]["details"]["finished"], json!([]));
}

#[test]
fn quiet_says_nothing_and_a_log_gets_a_line_for_each_step() {
    let home = TestBook::demo(1);
    let quiet = home.novel(&["continue", "--quiet"]).success();
    assert_eq!(quiet.stderr, "");
    // The line of the chapter, and whose score it shows.
    assert_eq!(quiet.stdout.lines().count(), 2, "{}", quiet.stdout);
    let log = home.novel(&["continue"]).success().stderr;
    assert!(!log.contains('\u{1b}') && !log.contains('\r'), "{log:?}");
    let steps: Vec<&str> = log
        .lines()
        .filter_map(|line| line.strip_prefix("chapter 3 · ")?.split(" · ").next())
        .collect();
    assert_eq!(steps, ["draft", "summarize", "refine", "judge"], "{log}");
    assert_eq!(
        log.matches("offline author (not a language model)").count(),
        5,
        "{log}"
    );
}

#[test]
fn a_number_of_chapters_must_be_one() {
    let home = TestBook::demo(1);
    for number in ["0", "-1", "many", "4294967296"] {
        let ran = home.novel(&["continue", number]);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains("[USAGE]"), "{ran:?}");
    }
}

#[test]
fn cost_adds_up_what_the_logs_say() {
    let home = TestBook::demo(1);
    let _ = home.novel(&["continue", "2"]).success();
    let data = home.novel(&["cost", "--json"]).success().json()["data"].clone();
    assert_eq!(data["chapters"].as_array().unwrap().len(), 3);
    let calls: u64 = data["chapters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|chapter| chapter["calls"].as_u64().unwrap())
        .sum();
    assert_eq!(data["total"]["calls"], calls);
    assert_eq!(data["models"]["offline"]["calls"], calls);
    assert_eq!(
        data["total"]["cost_usd"],
        json!(null),
        "a price nobody knows is none"
    );
    insta::assert_snapshot!(home.novel(&["cost", "--lang", "zh"]).success().stdout, @r#"
    章    调用  输入  输出  缓存  费用
    1        5     -     -     -     -
    2        4     -     -     -     -
    3        4     -     -     -     -
    合计    13     -     -     -     -

    步骤  调用  输入  输出  缓存  费用
    写作     3     -     -     -     -
    摘要     3     -     -     -     -
    润色     3     -     -     -     -
    评审     4     -     -     -     -

    模型                    调用  输入  输出  缓存  费用
    离线作者（非语言模型）    13     -     -     -     -
    "#);
}

#[test]
fn prompts_can_be_listed_read_and_taken_over() {
    let home = TestBook::demo(1);
    let list = home.novel(&["agents", "--json"]).success().json();
    let names: Vec<&str> = list["data"]["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| agent["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "chapter-writer",
            "summarizer",
            "style-refiner",
            "quality-judge",
            "logic-reviewer",
            "consistency-auditor",
            "chapter-reviser",
            "world-builder",
            "character-weaver",
            "style-analyzer",
            "plot-architect",
            "volume-reviewer",
            "book-reader"
        ]
    );
    assert_eq!(
        home.novel(&["agents"]).success().stdout,
        home.novel(&["agents", "list"]).success().stdout
    );

    let built_in = home
        .novel(&["agents", "show", "summarizer"])
        .success()
        .stdout;
    assert!(built_in.contains("# 书记"), "{built_in}");
    let ejected = home.novel(&["agents", "eject", "summarizer"]).success();
    assert_eq!(ejected.stdout, "agents/summarizer.md\n");
    let place = home.path("agents/summarizer.md");
    assert_eq!(fs::read_to_string(&place).unwrap(), built_in);
    assert_eq!(
        home.novel(&["agents", "eject", "summarizer"]).code,
        2,
        "nothing is replaced"
    );

    fs::write(&place, format!("{built_in}\n最后一条。\n")).unwrap();
    let shown = home
        .novel(&["agents", "show", "summarizer"])
        .success()
        .stdout;
    assert!(shown.contains("最后一条"), "{shown}");
    let listed = home.novel(&["agents"]).success().stdout;
    assert!(listed.contains("agents/summarizer.md"), "{listed}");

    let unknown = home.novel(&["agents", "show", "poet"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("chapter-writer"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn a_prompt_is_explained_section_by_section() {
    let home = TestBook::demo(1);
    let step = "chapter:002:draft";
    let data = home
        .novel(&["instructions", step, "--explain", "--json"])
        .success()
        .json()["data"]
        .clone();
    assert_eq!(data["agent"], "chapter-writer");
    let sections = data["sections"].as_array().unwrap();
    let sum: u64 = sections
        .iter()
        .map(|row| row["tokens"].as_u64().unwrap())
        .sum();
    // Between two sections stands an empty line, which costs at most one token.
    let total = data["tokens"].as_u64().unwrap();
    assert!(
        (sum..=sum + sections.len() as u64).contains(&total),
        "{sum} {total}"
    );
    for row in sections {
        assert!(!row["why"].as_str().unwrap().is_empty(), "{row}");
    }
    let text = home
        .novel(&["instructions", step, "--explain"])
        .success()
        .stdout;
    for wanted in ["chapter_contract", "total", "left out or shortened:"] {
        assert!(text.contains(wanted), "{text}");
    }
    let both = home.novel(&["instructions", step, "--explain", "--embed"]);
    assert_eq!(both.code, 2, "{both:?}");
}
