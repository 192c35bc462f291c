//! Texts: what is no chapter is refused, what is said around one is taken off, a refinement keeps the
//! story; and the facts that enter the book from a summary.

use novel_testkit::{Manner, TestBook};
use serde_json::{Value, json};

use super::stub::{Stub, at_chapter_two};

const GUIDE: &str = include_str!("../../../novel-prompt/assets/zh/style-guide.md");

fn codes(log: &Value) -> String {
    log["warnings"].to_string()
}

fn log(book: &TestBook, chapter: u32) -> Value {
    book.json(&format!("logs/chapter-{chapter:03}-log.json"))
}

/// The draft of chapter two is answered like this; how the run ends.
fn drafted(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> (TestBook, Stub) {
    let book = at_chapter_two();
    let stub = Stub::writing(&book, move |call, sound| {
        (call.work == "draft").then(|| answer(sound))
    });
    (book, stub)
}

/// A code, and how a draft is spoilt to get it.
type Spoilt = (&'static str, fn(&str) -> String);

#[test]
fn what_is_no_chapter_is_refused_before_anybody_else_is_paid() {
    let cases: [Spoilt; 6] = [
        ("echo", |_| format!("# 第 2 章 雪\n\n{GUIDE}")),
        ("wrong_language", |_| {
            "# 第 2 章 雪\n\nThe rain had not stopped. He opened the door of the shop, and a letter lay on the counter. Nobody knew who had brought it there.".into()
        }),
        ("said_twice", |sound| {
            let (_, body) = sound.split_once('\n').unwrap();
            format!("{sound}\n{body}")
        }),
        ("field_name", |sound| {
            format!("{sound}\n\n按 storyline_context 继续。\n")
        }),
        ("guide_heading", |sound| {
            format!("{sound}\n\n## 机器腔及处理\n\n他走了。\n")
        }),
        ("foreign_name", |sound| sound.replace("林枫", "Lin Feng")),
    ];
    for (code, answer) in cases {
        let (book, stub) = drafted(answer);
        let error = book.ask(&["continue"]).fails(5);
        let problems = error["details"]["problems"].to_string();
        assert!(problems.contains(code), "{code}: {error:#}");
        assert_eq!((stub.count("draft"), stub.calls().len()), (2, 2), "{code}");
        assert_eq!(book.state(), "ERROR_RETRY", "{code}");
        assert!(
            error["hint"].as_str().unwrap().contains("novel start"),
            "{error:#}"
        );
        assert!(stub.last("draft").again);
    }
}

#[test]
fn the_text_of_another_chapter_is_no_chapter() {
    let book = at_chapter_two();
    let first = book
        .plan()
        .draft(1, Manner::Usual)
        .replacen("第 1 章", "第 2 章", 1);
    let error = book
        .feed(&["submit", "chapter:002:draft", "-"], first)
        .fails(2);
    assert!(
        error["details"]["problems"].to_string().contains("echo"),
        "{error:#}"
    );
}

#[test]
fn a_writer_that_copies_earlier_prose_is_asked_again_without_it() {
    let book = at_chapter_two();
    let first = book.text("chapters/chapter-001.md");
    let stub = Stub::writing(&book, move |call, _| {
        (call.work == "draft" && !call.again).then(|| first.replacen("第 1 章", "第 2 章", 1))
    });
    book.ask(&["continue"]).data();
    let drafts: Vec<_> = stub
        .calls()
        .into_iter()
        .filter(|it| it.work == "draft")
        .collect();
    let shows = |prompt: &str| prompt.contains("\n## previous_endings");
    assert_eq!(drafts.len(), 2);
    assert!(shows(&drafts[0].prompt) && !shows(&drafts[1].prompt));
}

#[test]
fn the_brief_of_the_book_is_no_chapter_and_its_length_is_told_with_it() {
    let brief = "雨巷里的信客只在下雨的日子上门，收信的人要在天亮之前拆开，过了时辰字就没有了；林枫守着一家没有招牌的铺子，替他们把信念出来，却从不肯念自己的那一封。";
    let (book, stub) = drafted(move |_| format!("# 第 2 章 雪\n\n{brief}\n</DATA>\n"));
    book.write("brief.md", format!("# 雨\n\n{brief}\n"));
    book.ask(&["config", "set", "chapter.min_words", "200"])
        .data();
    let error = book.ask(&["continue"]).fails(5);
    let problems = error["details"]["problems"].to_string();
    assert!(problems.contains("echo"), "{error:#}");
    // One re-ask, and everything is in it.
    assert_eq!((stub.count("draft"), stub.calls().len()), (2, 2));
    let told = stub.last("draft").prompt;
    let told = told.rsplit("## 重新作答").next().unwrap();
    for complaint in ["至少要有 200 字", "brief.md"] {
        assert!(told.contains(complaint), "{complaint}: {told}");
    }
    assert_eq!(book.state(), "ERROR_RETRY");
}

#[test]
fn talk_around_the_prose_is_taken_off_and_recorded() {
    let (book, stub) =
        drafted(|sound| format!("好的，下面是第二章的正文：\n\n{sound}\n\n希望你喜欢这一章！\n"));
    book.ask(&["continue"]).data();
    let text = book.text("chapters/chapter-002.md");
    assert!(
        !text.contains("下面是") && !text.contains("希望你喜欢"),
        "{text}"
    );
    assert_eq!(stub.calls().len(), 4);
    assert!(codes(&log(&book, 2)).contains("talk_removed"));
}

#[test]
fn no_call_is_lost_over_a_summary_after_the_chapter() {
    let (book, stub) = drafted(|sound| {
        format!(
            "```markdown\n{sound}\n\n### 关键事件\n- 收到信\n\n### 故事线标记\n- storyline_id: main-arc\n```\n"
        )
    });
    book.ask(&["continue"]).data();
    let text = book.text("chapters/chapter-002.md");
    assert!(!text.contains("关键事件"), "{text}");
    assert_eq!(stub.calls().len(), 4);
    assert!(codes(&log(&book, 2)).contains("talk_removed"));
}

#[test]
fn no_call_is_lost_over_a_heading() {
    let planned = |book: &TestBook| format!("# 第 2 章 {}\n", book.plan().title(2));
    for heading in [
        "",
        "### 第 2 章：别的名字\n",
        "# 第 2 章 章名\n",
        "**第二章**\n",
        "# 第 7 章 错\n",
    ] {
        let (book, stub) = drafted(move |sound| {
            let (_, body) = sound.split_once('\n').unwrap();
            format!("{heading}{body}")
        });
        book.ask(&["continue"]).data();
        assert_eq!(stub.calls().len(), 4, "{heading}");
        let text = book.text("chapters/chapter-002.md");
        assert!(text.starts_with(&planned(&book)), "{heading}: {text}");
    }
    let book = at_chapter_two();
    let stub = Stub::writing(&book, |call, sound| {
        (call.work == "refine").then(|| sound.replacen("# 第 2 章", "## 第 2 章 改名", 1))
    });
    book.ask(&["continue"]).data();
    assert_eq!(stub.calls().len(), 4);
    assert!(
        book.text("chapters/chapter-002.md")
            .starts_with(&planned(&book))
    );
}

#[test]
fn headings_inside_a_chapter_become_scene_breaks() {
    let (book, stub) = drafted(|sound| {
        let (heading, body) = sound.split_once("\n\n").unwrap();
        let (first, rest) = body.split_once("\n\n").unwrap();
        format!("{heading}\n\n### 场景\n\n{first}\n\n#### 2. 聊天\n{rest}")
    });
    book.ask(&["continue"]).data();
    assert_eq!(stub.calls().len(), 4, "no call is lost over it");
    let text = book.text("chapters/chapter-002.md");
    assert!(!text.contains("##"), "{text}");
    assert!(text.contains("\n\n* * *\n\n"), "{text}");
    assert!(codes(&log(&book, 2)).contains("headings_removed"));
}

#[test]
fn the_chapter_is_no_summary_of_itself() {
    for is_mended in [true, false] {
        let book = at_chapter_two();
        let stub = Stub::writing(&book, move |call, sound| {
            (call.work == "summarize" && !(is_mended && call.again)).then(|| {
                let mut answer: Value = serde_json::from_str(sound).unwrap();
                let told = call
                    .prompt
                    .rsplit("type=\"chapter_content\"")
                    .next()
                    .unwrap();
                let (from, to) = (told.find("# 第").unwrap(), told.find("</DATA>").unwrap());
                answer["summary"] = json!(format!(
                    "## 第 2 章摘要\n\n{}\n### 故事线标记\n- storyline_id: main-arc",
                    &told[from..to]
                ));
                answer.to_string()
            })
        });
        let output = book.ask(&["continue"]);
        assert_eq!(stub.count("summarize"), 2);
        let told = stub.last("summarize").prompt;
        let told = told.rsplit("## 重新作答").next().unwrap();
        assert!(told.contains("照抄正文"), "{told}");
        if is_mended {
            output.data();
            assert!(book.has("chapters/chapter-002.md"));
        } else {
            let error = output.fails(5);
            let problems = error["details"]["problems"].to_string();
            assert!(problems.contains("summary_is_chapter"), "{error:#}");
            assert!(!book.has("chapters/chapter-002.md"));
            assert_eq!(stub.count("refine"), 0, "nobody is paid after it");
        }
    }
}

#[test]
fn from_outside_a_copy_of_the_chapter_is_no_summary_either() {
    let book = at_chapter_two();
    book.driver().draft(2);
    let mut answer = book.plan().summary_answer(2, book.state_version());
    answer["summary"] = json!(book.text("staging/chapters/chapter-002.md"));
    let error = book
        .feed(
            &["submit", "chapter:002:summarize", "-"],
            answer.to_string(),
        )
        .fails(2);
    let problems = error["details"]["problems"].to_string();
    assert!(problems.contains("summary_is_chapter"), "{error:#}");
}

/// Every kept answer of a step: its text, and why it was refused.
fn kept(book: &TestBook, step: &str) -> Vec<(String, Option<Value>)> {
    let directory = format!("logs/calls/{step}");
    let names = std::fs::read_dir(book.path(&directory)).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let kept = names
        .filter(|name| !name.ends_with(".rejected.json"))
        .map(|name| {
            let call = book.json(&format!("{directory}/{name}"));
            let id = call["id"].as_str().unwrap();
            let mark = format!("{directory}/{id}.rejected.json");
            let why = book
                .has(&mark)
                .then(|| book.json(&mark)["problems"].clone());
            (call["text"].as_str().unwrap().to_owned(), why)
        });
    kept.collect()
}

#[test]
fn the_second_of_two_refused_answers_is_marked_where_the_first_is_used() {
    let book = at_chapter_two();
    let stub = Stub::writing(&book, |call, _| match (call.work, call.again) {
        ("draft", true) => Some("- 一\n- 二\n- 三\n- 四\n- 五\n".to_owned()),
        // The run stops here: the answers before it are still in files of their own.
        ("summarize", _) => Some("无".to_owned()),
        _ => None,
    });
    book.ask(&["config", "set", "chapter.min_words", "9000"])
        .data();
    book.ask(&["continue"]).fails(5);
    assert_eq!(stub.count("draft"), 2);
    assert!(
        book.has("staging/chapters/chapter-002.md"),
        "the first was used"
    );
    let kept = kept(&book, "chapter-002-draft");
    assert_eq!(kept.len(), 2);
    for (text, why) in kept {
        let why = why.unwrap_or_default().to_string();
        let expected = if text.starts_with("- 一") {
            "a list or data"
        } else {
            "9000"
        };
        assert!(why.contains(expected), "{text}: {why}");
    }
    let bindings = book.json("staging/bindings/chapter-002.json");
    let stages = bindings["stages"].as_array().unwrap();
    let rejected: Vec<bool> = stages
        .iter()
        .filter(|stage| stage["name"] == "draft")
        .map(|stage| stage["rejected"] == true)
        .collect();
    assert_eq!(rejected, [false, true], "{bindings:#}");
}

#[test]
fn a_refinement_that_rewrites_is_taken_in_part_and_logged() {
    let book = at_chapter_two();
    let stub = Stub::writing(&book, |call, sound| {
        (call.work == "refine").then(|| {
            let (heading, _) = sound.split_once('\n').unwrap();
            let other = "街上空无一人，灯一盏接一盏地灭了，他站在桥头等了很久，什么也没有等到。";
            let lines: Vec<String> = (1..=16)
                .map(|n| format!("{other}这是第{n}遍灯灭。"))
                .collect();
            format!("{heading}\n\n{}\n", lines.join("\n\n"))
        })
    });
    let data = book.ask(&["continue"]).data();
    assert_eq!(stub.count("refine"), 2, "asked again once");
    let text = book.text("chapters/chapter-002.md");
    assert!(text.contains(&book.plan().quotation(2)), "{text}");
    assert!(!text.contains("灯灭"), "{text}");
    assert!(codes(&log(&book, 2)).contains("refine_in_part"), "{data:#}");
}

#[test]
fn from_outside_a_refinement_over_the_limit_is_an_error() {
    let book = at_chapter_two();
    book.driver().draft(2);
    book.driver().summarize(2);
    let refined = book.plan().refined(2, Manner::Usual);
    for (from, to, code) in [
        ("谁送来的", "是哪个送的", "utterance_changed"),
        ("林枫把信纸", "陈老把信纸", "name_lost"),
        (book.plan().quotation(2).as_str(), "桌上空着", "fact_lost"),
    ] {
        let error = book
            .feed(
                &["submit", "chapter:002:refine", "-"],
                refined.replacen(from, to, 1),
            )
            .fails(2);
        assert!(
            error["details"]["problems"].to_string().contains(code),
            "{code}: {error:#}"
        );
    }
    book.configure_tables("[refine]\nmax_change = 0.0");
    let error = book
        .feed(&["submit", "chapter:002:refine", "-"], &refined)
        .fails(2);
    assert!(
        error["details"]["problems"]
            .to_string()
            .contains("refine_changed_too_much")
    );
}

/// The ops of chapter two as a summarizer gives them.
fn with_ops(ops: Value) -> (TestBook, Stub) {
    let book = at_chapter_two();
    let stub = Stub::writing(&book, move |call, sound| {
        (call.work == "summarize").then(|| {
            let mut answer: Value = serde_json::from_str(sound).unwrap();
            answer["delta"]["ops"] = ops.clone();
            answer.to_string()
        })
    });
    (book, stub)
}

#[test]
fn names_become_ids_and_nobody_is_invented() {
    let quoted = "柜台上压着第二封信";
    let (book, stub) = with_ops(json!([
        {"op": "set", "path": "characters.林枫.location", "value": "钟楼", "evidence": quoted},
        {"op": "inc", "path": "characters.小枫.relationships.陈老", "value": 7, "evidence": quoted},
        {"op": "set", "path": "characters.wang-wu.location", "value": "钟楼", "evidence": quoted},
        {"op": "set", "path": "characters.lin-feng.emotional_state", "value": 5, "evidence": quoted},
        {"op": "set", "path": "items.magic-sword.owner", "value": "lin-feng", "evidence": "他拔出一柄从未写过的剑"},
        {"op": "set", "path": "items.letter-two.place", "value": "柜台", "evidence": quoted},
        {"op": "set", "path": "world_state.season", "value": "冬", "evidence": "凭空编造的一句引文"},
    ]));
    book.ask(&["continue"]).data();
    assert_eq!(stub.count("summarize"), 2, "one re-ask with all complaints");
    let again = stub.last("summarize").prompt;
    assert!(
        again.contains("wang-wu") && again.contains("magic-sword"),
        "{again}"
    );
    let state = book.json("state/current-state.json");
    let people: Vec<&String> = state["characters"].as_object().unwrap().keys().collect();
    assert_eq!(people, ["lin-feng"], "{state:#}");
    assert_eq!(state["characters"]["lin-feng"]["location"], "钟楼");
    assert_eq!(state["characters"]["lin-feng"].get("emotional_state"), None);
    assert!(
        state["characters"]["lin-feng"]["relationships"]
            .get("chen-lao")
            .is_some()
    );
    assert_eq!(
        state["items"]
            .as_object()
            .unwrap()
            .keys()
            .collect::<Vec<_>>(),
        ["letter-two"]
    );
    assert_eq!(state["world_state"]["season"], "冬");
    let changes = book.text("state/changelog.jsonl");
    assert!(
        changes
            .lines()
            .last()
            .unwrap()
            .contains("\"unproven\":true"),
        "{changes}"
    );
    let unknown = book.text("logs/unknown-entities.jsonl");
    assert!(
        unknown.contains("wang-wu") && unknown.contains("magic-sword"),
        "{unknown}"
    );
    let crossref = book.json("state/chapter-002-crossref.json").to_string();
    assert!(crossref.contains("wang-wu"), "{crossref}");
}

#[test]
fn a_quotation_follows_the_text_through_refinement_and_polish() {
    let quoted = "林枫慢慢推开码头的门";
    let (book, _stub) = with_ops(json!([
        {"op": "set", "path": "characters.lin-feng.location", "value": "码头", "evidence": quoted},
    ]));
    book.ask(&["continue"]).data();
    let last = book.lines("state/changelog.jsonl").pop().unwrap();
    let evidence = last["ops"][0]["op"]["evidence"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        book.text("chapters/chapter-002.md").contains(&evidence),
        "{evidence}"
    );
    assert_eq!(last["ops"][0]["op"].get("unproven"), None);
}

#[test]
fn from_outside_ops_without_quotations_are_applied_unproven() {
    let book = at_chapter_two();
    book.driver().draft(2);
    let mut answer = book.plan().summary_answer(2, book.state_version());
    for op in answer["delta"]["ops"].as_array_mut().unwrap() {
        op.as_object_mut().unwrap().remove("evidence");
    }
    book.driver().hand_in(2, "summarize", answer.to_string());
    let delta = book.json("staging/state/chapter-002-delta.json");
    assert!(
        delta["ops"]
            .as_array()
            .unwrap()
            .iter()
            .all(|op| op["unproven"] == true),
        "{delta:#}"
    );
}

#[test]
fn a_memory_that_stays_too_long_is_cut() {
    let book = at_chapter_two();
    let stub = Stub::writing(&book, |call, sound| {
        (call.work == "summarize").then(|| {
            let mut answer: Value = serde_json::from_str(sound).unwrap();
            // Lines that differ: a memory that goes round is none.
            let filler: String = (0x4E00..0x4E1E)
                .filter_map(char::from_u32)
                .map(|street| {
                    format!("- {street}街上的灯一盏接一盏地灭了，没有人记得是从什么时候开始的。\n")
                })
                .collect();
            answer["memory"] = json!(format!("- 林枫欠陈老一条命。\n{filler}"));
            answer.to_string()
        })
    });
    book.ask(&["continue"]).data();
    assert_eq!(stub.count("summarize"), 2);
    let memory = book.text("storylines/main-arc/memory.md");
    assert!(memory.contains("林枫欠陈老一条命"), "{memory}");
    assert!(memory.chars().count() < 700, "{memory}");
    assert!(codes(&log(&book, 2)).contains("memory_cut"));
}

#[test]
fn a_chapter_has_a_cap_on_calls() {
    let book = at_chapter_two();
    let _stub = Stub::writing(&book, |_, _| None);
    book.configure_tables("[limits]\ncalls_per_chapter = 3");
    let error = book.ask(&["continue"]).fails(3);
    assert_eq!(error["code"], "TOO_MANY_CALLS", "{error:#}");
    assert!(
        error["hint"].as_str().unwrap().contains("novel start"),
        "{error:#}"
    );
    let config = book
        .text("novel.toml")
        .replace("calls_per_chapter = 3", "calls_per_chapter = 4");
    book.write("novel.toml", config);
    book.ask(&["continue"]).data();
    assert!(book.has("chapters/chapter-002.md"));
}
