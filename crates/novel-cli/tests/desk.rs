//! The author's desk: what waits, plans that change, what a change touches.

use std::sync::Mutex;

use novel_mockllm::{Behaviour, MockServer};
use novel_testkit::{
    Answers, ScriptedModel, TestBook,
    faulty::{FAULTY, pending},
};
use serde_json::{Value, json};

/// What `status`, `start` and `run` say of the same book.
fn told(book: &TestBook) -> (Value, String) {
    let status = book.ask(&["status"]).data();
    let start = book.ask(&["start"]).data();
    let headline = start["headline"].as_str().unwrap().to_lowercase();
    (status["waiting"].clone(), headline)
}

#[test]
fn status_start_and_run_agree_on_a_plan_that_waits() {
    let book = TestBook::planning();
    book.ask(&["plan"]).data();
    let (waiting, headline) = told(&book);
    let run = book.refuses(3, &["run"]);
    assert_eq!(waiting["code"], run["code"]);
    assert_eq!(waiting["message"], run["message"]);
    let message = waiting["message"].as_str().unwrap().to_lowercase();
    assert!(headline.contains(&message), "{headline} / {message}");
    assert_eq!(waiting["command"], "novel plan show");
}

#[test]
fn status_start_and_run_agree_on_a_revision_and_on_nothing() {
    let book = pending();
    let (waiting, headline) = told(&book);
    let run = book.refuses(3, &["run"]);
    assert_eq!(waiting["code"], "PENDING_REVISION");
    assert_eq!(waiting["message"], run["message"]);
    assert!(headline.contains(&waiting["message"].as_str().unwrap().to_lowercase()));
    assert_eq!(waiting["command"], format!("novel revision show {FAULTY}"));
    let book = TestBook::demo(1);
    assert_eq!(told(&book).0, Value::Null);
}

#[test]
fn the_regen_offered_for_an_older_pending_chapter_writes_it_in_its_place() {
    let book = pending();
    // The author let the book go on and closed the gate again later.
    let file = format!("chapters/chapter_{FAULTY:03}_revision.json");
    let waiting = book.text(&file);
    book.remove(&file);
    book.write(
        "novel.toml",
        book.text("novel.toml").replace("manual_confirm", "none"),
    );
    book.write_to(FAULTY + 1);
    book.write(&file, waiting);
    let closed = book.refuses(3, &["continue"]);
    let actions = closed["details"]["next_actions"].as_array().unwrap();
    let anew = actions.iter().find(|it| it["action"] == "regen").unwrap();
    assert_eq!(anew["command"], format!("novel regen {FAULTY}"));
    let n = FAULTY.to_string();
    book.ask(&["regen", &n, "--note", "换一种写法。"]).data();
    assert_eq!(book.checkpoint()["last_completed_chapter"], FAULTY + 1);
    assert!(!book.has(&file), "the pending state is cleared");
    book.ask(&["continue"]).data();
}

#[test]
fn a_candidate_in_a_book_without_a_policy_does_not_close_it() {
    let book = TestBook::demo(3);
    let mut revised = book.json("chapters/chapter_002.json");
    let old = revised["scenes"][0]["content"].as_str().unwrap().to_owned();
    revised["scenes"][0]["content"] = json!(format!("雨落了一夜。\n\n{old}"));
    let answers = Answers::from([("chapter-reviser".to_owned(), vec![revised.to_string()])]);
    let model = ScriptedModel::start(answers);
    model.write_for(&book);
    book.ask(&["revision", "candidate", "2", "--note", "换一个开头。"])
        .data();
    let prompt = model.asked("chapter-reviser")[0].prompt();
    assert!(prompt.contains("author_notes") && prompt.contains("换一个开头。"));
    let toml = book.text("novel.toml").replace("\"llm\"", "\"offline\"");
    book.write("novel.toml", toml);
    book.ask(&["continue"]).data();
    // It can still be taken, for exactly the text it was made for.
    book.ask(&["revision", "apply", "2"]).data();
    let status = book.json("chapters/chapter_002_revision.json");
    assert_eq!(status["status"], "accepted");
}

#[test]
fn a_trial_that_is_not_written_is_not_accepted() {
    let book = TestBook::initialised();
    let refused = book.ask(&["quickstart", "accept"]).fails(2);
    assert_eq!(refused["code"], "NOT_NEXT_STEP");
}

#[test]
fn a_plan_that_is_made_in_parts_warns_once() {
    let book = half_written();
    book.configure_tables("[plan]\nchunk = 3");
    let output = book.novel(&["plan", "revise", "--from", "5"]).success();
    let warnings: Vec<&str> = output
        .stderr
        .lines()
        .filter(|line| line.starts_with("warning"))
        .collect();
    let mut different = warnings.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), warnings.len(), "{output:#?}");
}

/// A volume of which some chapters are written.
fn half_written() -> TestBook {
    TestBook::demo(3)
}

#[test]
fn the_rest_of_a_volume_is_planned_anew_and_written_chapters_stay() {
    let book = half_written();
    let chapters = book.text("chapters/chapter-003.md");
    let old = book.text("volumes/vol-01/outline.md");
    let contract = book.text("volumes/vol-01/chapter-contracts/chapter-002.json");
    let last = last_block(&old);
    let data = book
        .ask(&["plan", "revise", "--from", "5", "--note", "让雾港封港"])
        .data();
    assert_eq!(data["next"], "volume:01:commit");
    assert_eq!(book.checkpoint()["plan_from"], 5);
    let log = book.ask(&["log", "9"]).data();
    assert!(log["operations"].to_string().contains("让雾港封港"));
    let shown = book.ask(&["plan", "show"]).data();
    assert_eq!(shown["problems"], json!([]), "{shown:#}");
    book.ask(&["plan", "approve"]).data();
    let new = book.text("volumes/vol-01/outline.md");
    assert_eq!(block(&new, 2), block(&old, 2), "written");
    assert_eq!(block(&new, 4), block(&old, 4), "before --from");
    assert_ne!(block(&new, 6), block(&old, 6), "planned anew");
    assert_eq!(last_block(&new), last, "as long as before");
    assert_eq!(
        book.text("volumes/vol-01/chapter-contracts/chapter-002.json"),
        contract
    );
    assert_eq!(book.checkpoint().get("plan_from"), None);
    assert_eq!(book.text("chapters/chapter-003.md"), chapters);
    assert_eq!(book.next(), "chapter:004:draft");
    book.write_to(6);
    assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
}

/// Written to chapter 5 of a volume of thirty.
fn long_volume() -> TestBook {
    TestBook::once("a volume of thirty, five chapters written", || {
        let book = TestBook::empty();
        book.ask(&["init", "--genre", "玄幻", "--yes"]).data();
        book.ask(&["run", "--to", "5"]).data();
        book
    })
}

#[test]
fn a_long_rest_is_planned_anew_behind_chapters_that_stay_planned() {
    let contract = |book: &TestBook, chapter: u32| {
        book.json(&format!(
            "volumes/vol-01/chapter-contracts/chapter-{chapter:03}.json"
        ))
    };
    let meetings = |book: &TestBook| {
        let schedule = book.json("volumes/vol-01/storyline-schedule.json");
        schedule["convergence_events"].as_array().unwrap().clone()
    };
    for from in [7, 9, 17, 21, 29] {
        let book = long_volume();
        let (outline, met) = (book.text("volumes/vol-01/outline.md"), meetings(&book));
        let first = from.to_string();
        book.ask(&["plan", "revise", "--from", &first]).data();
        let shown = book.ask(&["plan", "show"]).data();
        assert_eq!(shown["problems"], json!([]), "from {from}: {shown:#}");
        book.ask(&["plan", "approve"]).data();
        let new = book.text("volumes/vol-01/outline.md");
        assert_eq!(last_block(&new), 30, "from {from}: {new}");
        assert_eq!(block(&new, from - 1), block(&outline, from - 1));
        // It starts from what the chapters before it leave, not from the newest written one.
        let mut places: Value = json!({});
        for chapter in 1..from {
            let left = contract(&book, chapter)["postconditions"]["state_changes"].clone();
            for (name, change) in left.as_object().unwrap() {
                if let Some(place) = change.get("location") {
                    places[name] = place.clone();
                }
            }
        }
        let starts = contract(&book, from)["preconditions"]["character_states"].clone();
        for (name, state) in starts.as_object().unwrap() {
            if let (Some(place), Some(left)) = (state.get("location"), places.get(name)) {
                assert_eq!(place, left, "{name} in chapter {from}");
            }
        }
        for event in met {
            if event["chapter_range"][1].as_u64() < Some(u64::from(from)) {
                assert!(meetings(&book).contains(&event), "{event}");
            }
        }
        assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
        if from == 7 {
            book.ask(&["run", "--to", "9"]).data();
            assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
        }
    }
}

fn block(outline: &str, chapter: u32) -> String {
    let head = format!("### 第 {chapter} 章");
    let from = outline.find(&head).unwrap_or_else(|| panic!("{outline}"));
    let rest = &outline[from..];
    let end = rest[3..].find("\n### ").map_or(rest.len(), |end| end + 3);
    rest[..end].trim_end().to_owned()
}

fn last_block(outline: &str) -> usize {
    outline.matches("\n### 第 ").count() + usize::from(outline.starts_with("### 第 "))
}

#[test]
fn a_plan_is_not_revised_over_what_is_written_or_being_written() {
    let book = half_written();
    for from in ["3", "99"] {
        let refused = book.refuses(2, &["plan", "revise", "--from", from]);
        assert_eq!(refused["code"], "NOTHING_TO_REPLAN");
    }
    book.begin(4);
    let refused = book.refuses(2, &["plan", "revise", "--from", "4"]);
    assert_eq!(refused["code"], "CHAPTER_IN_FLIGHT");
    let unplanned = TestBook::planning();
    assert_eq!(
        unplanned.refuses(2, &["plan", "revise"])["code"],
        "NOTHING_TO_REPLAN"
    );
    let blocked = pending();
    assert_eq!(
        blocked.refuses(3, &["plan", "revise"])["code"],
        "PENDING_REVISION"
    );
}

#[test]
fn the_planner_is_told_the_note_and_the_old_plan() {
    let book = half_written();
    let server = MockServer::start(|_| Behaviour::error(400, "no_answer", "nothing")).unwrap();
    book.use_model(&server.openai_base());
    book.ask(&["plan", "revise", "--note", "让雾港封港"])
        .fails(5);
    let prompt = server.requests()[0].prompt();
    assert!(prompt.contains("author_notes") && prompt.contains("让雾港封港"));
    assert!(prompt.contains("current_volume_outline"));
    // Taken back, the failure with it, the old plan is in effect.
    book.ask(&["undo"]).data();
    assert_eq!(book.next(), "chapter:004:draft");
}

#[test]
fn the_impact_of_a_character_lists_chapters_with_quotations_and_contracts() {
    let book = TestBook::demo(3);
    let before = book.tree();
    let data = book.ask(&["impact", "character", "lu-yan"]).data();
    let chapters = data["chapters"].as_array().unwrap();
    assert!(!chapters.is_empty(), "{data:#}");
    for touched in chapters {
        let n = touched["chapter"].as_u64().unwrap();
        let text = book.text(&format!("chapters/chapter-{n:03}.md"));
        for quotation in touched["quotations"].as_array().unwrap() {
            assert!(text.contains(quotation.as_str().unwrap()), "located");
        }
    }
    assert!(!data["contracts"].as_array().unwrap().is_empty());
    for contract in data["contracts"].as_array().unwrap() {
        assert!(contract["chapter"].as_u64().unwrap() > 3);
    }
    assert_eq!(book.tree(), before, "writes nothing");
    let by_name = book.ask(&["impact", "character", "陆砚"]).data();
    assert_eq!(by_name["chapters"], data["chapters"]);
    let none = book.refuses(2, &["impact", "character", "nobody"]);
    assert_eq!(none["code"], "NO_SUCH_CHARACTER");
}

#[test]
fn the_impact_of_a_rule_a_fact_and_a_chapter() {
    let book = TestBook::demo(3);
    let chapter = book.ask(&["impact", "chapter", "1"]).data();
    let touched = chapter["chapters"].as_array().unwrap();
    let second = touched.iter().find(|it| it["chapter"] == 2).unwrap();
    assert!(second["ways"].to_string().contains("shown"), "{second}");
    let rules = book.json("world/rules.json");
    let id = rules["rules"][0]["id"].as_str().unwrap().to_owned();
    book.ask(&["impact", "rule", &id]).data();
    assert_eq!(
        book.refuses(2, &["impact", "rule", "W-999"])["code"],
        "NO_SUCH_RULE"
    );
    let line = &book.lines("state/changelog.jsonl");
    let path = line
        .iter()
        .find_map(|line| line["ops"][0]["op"]["path"].as_str())
        .unwrap()
        .to_owned();
    let fact = book.ask(&["impact", "fact", &path]).data();
    assert!(!fact["chapters"].as_array().unwrap().is_empty(), "{fact:#}");
    assert_eq!(
        book.refuses(2, &["impact", "fact", "characters.nobody.hat"])["code"],
        "NO_SUCH_FACT"
    );
    assert_eq!(
        book.refuses(2, &["impact", "chapter", "9"])["code"],
        "NO_SUCH_CHAPTER"
    );
}

#[test]
fn an_editor_changes_a_chapter_and_what_is_saved_is_adopted() {
    let book = TestBook::demo(3);
    let mut command = book.command(&["edit", "2", "--json"]);
    command.env("EDITOR", "printf '\\n雨又下了一夜。\\n' >>");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(
        book.json("chapters/chapter_002.json")
            .to_string()
            .contains("雨又下了一夜。")
    );
    assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
    let refused = book.refuses(2, &["edit", "2"]);
    assert_eq!(refused["code"], "NO_EDITOR");
    let mut idle = book.command(&["edit", "2", "--json"]);
    idle.env("EDITOR", "true");
    let before = book.content();
    assert_eq!(idle.output().unwrap().status.code(), Some(0));
    novel_testkit::assert_same_tree(&book.content(), &before, "nothing was edited");
    let mut failing = book.command(&["edit", "2", "--json"]);
    failing.env("EDITOR", "false");
    assert_eq!(failing.output().unwrap().status.code(), Some(2));
}

#[test]
fn a_chapter_is_chosen_from_several_drafts_and_the_others_are_kept() {
    let book = TestBook::demo(1);
    let data = book.ask(&["continue", "--drafts", "3"]).data();
    let candidates = data["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 3, "{data:#}");
    for candidate in candidates {
        assert!(candidate["overall"].as_f64().is_some(), "{candidate}");
        assert!(candidate["words"].as_u64().unwrap() > 0);
        let (named, required) = (
            candidate["objectives_named"].as_u64().unwrap(),
            candidate["objectives_required"].as_u64().unwrap(),
        );
        assert!(named <= required);
    }
    assert_eq!(book.checkpoint()["last_completed_chapter"], 2);
    let calls = book.calls(2).into_values();
    let drafts = calls.filter(|(agent, _)| agent == "chapter-writer");
    let drafts: std::collections::BTreeSet<String> = drafts.map(|(_, text)| text).collect();
    assert_eq!(drafts.len(), 3, "drafts to choose from differ");
    assert!(
        !book.has("staging/drafts/chapter-002-draft-1.md"),
        "put away"
    );
    assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
    // Kept where the author can read them, and the table is in the log of the run.
    let mut texts: Vec<String> = Vec::new();
    for number in ["1", "2", "3"] {
        let draft = book.ask(&["read", "2", "--draft", number]).data();
        assert_eq!(draft["source"], "draft", "{draft}");
        texts.push(draft["scenes"].to_string());
    }
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 3, "three drafts");
    let none = book.refuses(2, &["read", "2", "--draft", "4"]);
    assert_eq!(none["code"], "NO_SUCH_DRAFT");
    let run = book.ask(&["runs"]).data()["runs"][0]["run"]
        .as_u64()
        .unwrap();
    let events = book.lines(&format!("logs/runs/{run:04}.jsonl"));
    let chosen = events.iter().find(|event| event["type"] == "draft.chosen");
    assert_eq!(chosen.unwrap()["drafts"], data["candidates"]);
    let watched = book.novel(&["watch", "--no-text"]).success().stdout;
    assert!(watched.contains("distance from the style"), "{watched}");
    let before = TestBook::demo(1).content();
    book.ask(&["undo"]).data();
    novel_testkit::assert_same_tree(&book.content(), &before, "one operation");
}

#[test]
fn drafts_are_read_before_one_is_chosen_and_leaving_the_question_chooses_none() {
    let book = TestBook::demo(1);
    let mut command = book.command(&["continue", "--drafts", "2", "--lang", "en"]);
    command.env("NO_COLOR", "1").env("TERM", "xterm");
    command.env("PAGER", "cat");
    let mut asked = novel_testkit::Terminal::open(command);
    asked.sees("Which draft should chapter 2");
    let staged = book.text("staging/drafts/chapter-002-draft-1.md");
    // Its end stands above the question once it was shown; a full stop begins no line.
    let last: Vec<char> = staged.trim_end().chars().collect();
    let end: String = last[last.len() - 2..].iter().collect();
    // Past the two that would be taken, to the first that is read.
    asked.types("\u{1b}[B\u{1b}[B\r");
    let screen = asked.sees(&end);
    assert!(!screen.contains("goes on;"), "nothing is chosen: {screen}");
    asked.sees("> choose draft");
    asked.types("\u{3}");
    let (code, screen) = asked.ends();
    assert_eq!(code, 130, "{screen}");
    assert_eq!(book.checkpoint()["last_completed_chapter"], 1);
    // Nothing is written again: both drafts are there.
    let data = book.ask(&["continue", "--drafts", "2"]).data();
    assert_eq!(data["finished"][0]["chapter"], 2);
}

#[test]
fn the_judge_chooses_the_best_draft() {
    let source = TestBook::demo(2);
    let answers = source.answers(2..=2);
    let draft = answers["chapter-writer"][0].clone();
    let verdict: Value = serde_json::from_str(&answers["quality-judge"][0]).unwrap();
    let scored = |score: f64| {
        let mut verdict = verdict.clone();
        for dimension in verdict["scores"].as_object_mut().unwrap().values_mut() {
            dimension["score"] = json!(score);
        }
        verdict.to_string()
    };
    let second = draft.replacen("\n\n", "\n\n第二份草稿从雨里开头。\n\n", 1);
    let mut scripted = answers.clone();
    scripted.insert("chapter-writer".to_owned(), vec![draft, second]);
    let judge = vec![scored(3.6), scored(4.5), scored(4.5)];
    scripted.insert("quality-judge".to_owned(), judge);
    let model = ScriptedModel::start(scripted);
    let book = TestBook::demo(1);
    model.write_for(&book);
    let output = book.ask(&["continue", "--drafts", "2"]);
    let prompts: Vec<String> = model
        .asked("chapter-writer")
        .iter()
        .map(novel_mockllm::Request::prompt)
        .collect();
    assert_eq!(prompts.len(), 2);
    assert!(!prompts[0].contains("份独立草稿"));
    assert!(prompts[1].contains("第 2 份"));
    let refined = model.asked("style-refiner")[0].prompt();
    assert!(refined.contains("第二份草稿从雨里开头。"), "{output:?}");
}

#[test]
fn a_number_of_drafts_is_checked_and_the_older_key_still_works() {
    let book = TestBook::demo(1);
    book.refuses(2, &["continue", "--drafts", "0"]);
    book.refuses(2, &["continue", "--drafts", "99"]);
    book.configure_tables("[drafting]\ncandidates = 2");
    let data = book.ask(&["continue"]).data();
    assert_eq!(data["candidates"].as_array().unwrap().len(), 2);
    let bad = TestBook::demo(1);
    bad.configure_tables("[drafting]\ncandidates = 0");
    assert_eq!(bad.refuses(2, &["continue"])["code"], "BROKEN_CONFIG");
    let scenes = TestBook::demo(1);
    scenes.configure("drafting = \"scenes\"");
    scenes.ask(&["continue"]).data();
}

#[test]
fn a_draft_out_of_bounds_is_sent_back_once() {
    let source = TestBook::demo(2);
    let answers = source.answers(2..=2);
    let draft = &answers["chapter-writer"][0];
    // Longer than it may be, and no sentence twice: what goes round is another fault.
    let places = ["码头", "钟楼", "旧船坞", "灯塔", "后院", "石阶", "堤岸"];
    let things = [
        "雨", "风", "雾", "潮水", "灯火", "脚步", "钟声", "鸟群", "船影", "沙", "云",
    ];
    let verbs = [
        "停", "退", "散", "远", "沉", "落", "回", "绕", "歇", "灭", "静", "空", "轻",
    ];
    let sentence = |n: usize| {
        let (place, thing, verb) = (places[n % 7], things[n % 11], verbs[n % 13]);
        format!("{place}那边的{thing}又{verb}了一阵。")
    };
    let long = format!("{draft}\n{}\n", (0..400).map(sentence).collect::<String>());
    // Asked again it is the same question: the first answer to it is too long, the next is not.
    let first = Mutex::new(Some(long));
    let model = ScriptedModel::reacting(answers, move |asked| {
        let is_writer = asked.agent == "chapter-writer";
        let long = is_writer.then(|| first.lock().unwrap().take()).flatten();
        long.map(Behaviour::text)
    });
    let book = TestBook::demo(1);
    let toml: Vec<String> = book
        .text("novel.toml")
        .lines()
        .filter(|line| !line.starts_with("max_words"))
        .map(|line| match line {
            "[chapter]" => "[chapter]\nmax_words = 4000".to_owned(),
            line => line.to_owned(),
        })
        .collect();
    book.write("novel.toml", toml.join("\n") + "\n");
    model.write_for(&book);
    let data = book.ask(&["continue"]).data();
    let writer = model.asked("chapter-writer");
    assert_eq!(writer.len(), 2, "one corrective round");
    assert!(writer[1].prompt().contains("最多 4000 字"));
    let words = book.json("chapters/chapter_002.json")["total_words"].clone();
    assert!(words.as_u64().unwrap() <= 4000, "{words}: {data:#}");
}

#[test]
fn no_act_of_the_desk_passes_a_chapter_that_waits() {
    let book = pending();
    for act in [
        &["plan", "revise", "--from", "6", "--note", "快些"][..],
        &["plan", "from-text"],
        &["continue", "--drafts", "2"],
    ] {
        let stopped = book.refuses(3, act);
        assert_eq!(stopped["code"], "PENDING_REVISION", "{act:?}: {stopped}");
    }
    // What only looks, marks or tells is open.
    for act in [
        &["read", "2"][..],
        &["chapter", "list"],
        &["forecast", "--to", "6"],
        &["impact", "chapter", "2"],
        &["chapter", "lock", "1"],
        &["publish", "--to", "1"],
        &["tell", "少写雨"],
    ] {
        book.ask(act).data();
    }
}
