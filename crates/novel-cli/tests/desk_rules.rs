//! Rules of the author's desk (specification, page 10) that hold for every command at once: a note is the
//! author's word, once; a hand edit is seen whatever its age; a change is traced to what rests on it.

use novel_mockllm::Behaviour;
use novel_testkit::{Answers, ScriptedModel, TestBook, plan::Plan};
use serde_json::{Value, json};

const NOTE: &str = "整章改在雨夜，谁也不许点灯。";

/// A model that refuses every question.
fn silent() -> ScriptedModel {
    ScriptedModel::reacting(Answers::new(), |_| {
        Some(Behaviour::error(400, "no_answer", "nothing"))
    })
}

/// A chapter whose verdict waits for the author.
fn paused() -> TestBook {
    let book = TestBook::planned(Plan::new(10));
    let driver = book.driver();
    driver.write(1);
    driver.up_to_refined(2);
    driver.judge(2, &book.plan().verdict(2, 2.5));
    book
}

fn set_up() -> TestBook {
    let book = TestBook::initialised();
    book.ask(&["quickstart"]).data();
    book
}

/// A book of which a scene of the next chapter can be written.
fn by_scenes() -> TestBook {
    let book = TestBook::demo(1);
    book.configure("drafting = \"scenes\"");
    book.ask(&["scene", "plan", "2"]).data();
    book
}

/// A command that takes a note: its name, a book where it may be given, its words, and the command that asks
/// the agent where it does not itself.
type Noted = (
    &'static str,
    fn() -> TestBook,
    Vec<&'static str>,
    Option<&'static str>,
);

/// Every command of the page that takes a note.
fn commands() -> Vec<Noted> {
    vec![
        ("regen", || TestBook::demo(3), vec!["regen", "3"], None),
        (
            "gate rewrite",
            paused,
            vec!["gate", "rewrite", "2"],
            Some("continue"),
        ),
        (
            "revision candidate",
            || TestBook::demo(3),
            vec!["revision", "candidate", "2"],
            None,
        ),
        ("rewrite", || TestBook::demo(3), vec!["rewrite", "2"], None),
        ("plan", TestBook::planning, vec!["plan"], None),
        (
            "plan revise",
            || TestBook::demo(3),
            vec!["plan", "revise", "--from", "5"],
            None,
        ),
        (
            "quickstart redo",
            set_up,
            vec!["quickstart", "redo", "world"],
            None,
        ),
        (
            "scene generate",
            by_scenes,
            vec!["scene", "generate", "2"],
            None,
        ),
    ]
}

#[test]
fn a_note_reaches_the_agent_as_the_authors_word_on_every_command_that_takes_one() {
    for (name, book, command, asks) in commands() {
        let (book, model) = (book(), silent());
        model.write_for(&book);
        let brief = book.has("brief.md").then(|| book.text("brief.md"));
        let _ = book.novel(&[command.as_slice(), &["--note", NOTE]].concat());
        if let Some(asks) = asks {
            let _ = book.novel(&[asks]);
        }
        let prompts = model.prompts();
        let first = prompts
            .first()
            .unwrap_or_else(|| panic!("{name}: nobody was asked"));
        let is_word = first.contains("author_notes") || first.contains("author_request");
        assert!(is_word && first.contains(NOTE), "{name}: {first}");
        let now = book.has("brief.md").then(|| book.text("brief.md"));
        assert_eq!(now, brief, "{name}: not in the brief");
    }
}

/// A reviser who begins the second chapter anew.
fn reviser(book: &TestBook) -> ScriptedModel {
    let mut revised = book.json("chapters/chapter_002.json");
    let old = revised["scenes"][0]["content"].as_str().unwrap().to_owned();
    revised["scenes"][0]["content"] = json!(format!("雨落了一夜。\n\n{old}"));
    let answers = Answers::from([("chapter-reviser".to_owned(), vec![revised.to_string()])]);
    let model = ScriptedModel::start(answers);
    model.write_for(book);
    model
}

#[test]
fn a_note_is_recorded_with_its_operation_and_used_once() {
    for (name, book, command, asks) in commands() {
        let book = book();
        // The offline author does not revise by a note.
        let settings = book.text("novel.toml");
        let _reviser = (name == "revision candidate").then(|| reviser(&book));
        let _ = book
            .novel(&[command.as_slice(), &["--note", NOTE]].concat())
            .success();
        let log = book.ask(&["log", "50"]).data();
        let operations = log["operations"].as_array().unwrap();
        let noted = operations.iter().filter(|it| it["note"] == NOTE).count();
        assert_eq!(noted, 1, "{name}: {log:#}");
        if let Some(asks) = asks {
            book.ask(&[asks]).data();
        }
        // A plan keeps its note until it is approved, the pieces of a chapter until it is in the book.
        match name {
            "plan" | "plan revise" => drop(book.ask(&["plan", "approve"]).data()),
            "scene generate" => drop(book.ask(&["continue"]).data()),
            _ => {}
        }
        book.write("novel.toml", settings);
        let model = silent();
        model.write_for(&book);
        let _ = book.novel(&["continue"]);
        for prompt in model.prompts() {
            assert!(!prompt.contains(NOTE), "{name}: told again: {prompt}");
        }
    }
}

#[test]
fn a_note_for_a_new_text_is_not_shown_to_its_judge() {
    for (book, command) in [
        (TestBook::demo(2), vec!["regen", "2"]),
        (TestBook::demo(3), vec!["rewrite", "2"]),
    ] {
        let model = ScriptedModel::start(TestBook::demo(2).answers(2..=2));
        model.write_for(&book);
        book.ask(&[command.as_slice(), &["--note", NOTE]].concat())
            .data();
        assert!(model.asked("chapter-writer")[0].prompt().contains(NOTE));
        for agent in ["summarizer", "style-refiner", "quality-judge"] {
            for asked in model.asked(agent) {
                assert!(!asked.prompt().contains(NOTE), "{command:?}: {agent}");
            }
        }
    }
}

#[test]
fn a_hand_edit_is_seen_whatever_its_age() {
    let book = TestBook::demo(3);
    book.write_to(12);
    // Eleven chapters are newer.
    let path = "chapters/chapter-001.md";
    let old = book.text(path);
    let seen = |book: &TestBook| book.ask(&["status"]).data()["edited_chapters"].clone();
    assert_eq!(seen(&book), json!([]));
    // What an editor does to the end of a file is no edit; `adopt` says the same.
    book.write(path, format!("{old}\n\n"));
    assert_eq!(seen(&book), json!([]));
    assert_eq!(book.refuses(2, &["adopt", "1"])["code"], "NOT_EDITED");
    let edited = format!("{old}\n他把灯芯又剪短了一截。\n");
    book.write(path, &edited);
    assert_eq!(seen(&book), json!([1]));
    let list = book.ask(&["chapter", "list"]).data();
    assert_eq!(list["chapters"][0]["edited"], true, "{list:#}");
    let doctor = book.ask(&["doctor"]).data().to_string();
    assert!(doctor.contains(path), "{doctor}");
    let refused = book.refuses(2, &["export", "--format", "txt"]);
    assert_eq!(refused["code"], "UNADOPTED_EDITS", "{refused:#}");
    let marked = book.ask(&["publish", "--to", "3"]).data();
    assert_eq!(
        marked["warnings"][0]["code"], "hand_edit_not_adopted",
        "{marked:#}"
    );
    book.ask(&["publish", "--to", "0", "--published"]).data();
    book.ask(&["adopt", "1"]).data();
    assert_eq!(seen(&book), json!([]));
}

/// Ten chapters; the second one lets the hero pick up a key, and the ninth has it in his hand.
fn with_a_key() -> (TestBook, String) {
    let book = TestBook::demo(10);
    let hero = book.ask(&["character", "list"]).data()["characters"][0].clone();
    let name = hero["display_name"].as_str().unwrap().to_owned();
    let id = hero["id"].as_str().unwrap().to_owned();
    for (chapter, sentence) in [
        (2, format!("{name}从潮水里捞起一把蛇纹铜钥。")),
        (6, format!("{name}打了个哈欠，没有说话。")),
        (9, format!("{name}把蛇纹铜钥攥在手心里，一夜没有松开。")),
    ] {
        let path = format!("chapters/chapter-{chapter:03}.md");
        book.write(&path, format!("{}\n{sentence}\n", book.text(&path)));
        book.ask(&["adopt", &chapter.to_string()]).data();
    }
    // The record has it with chapter 2, as a summarizer would have written it.
    let op = json!({"op": "set", "path": format!("characters.{id}.keepsake"), "value": "蛇纹铜钥",
        "evidence": format!("{name}从潮水里捞起一把蛇纹铜钥")});
    let log: String = book
        .text("state/changelog.jsonl")
        .lines()
        .map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            if line["chapter"] == 2 {
                let applied = json!({"op": op, "undo": {"kind": "remove", "path": op["path"]}});
                line["ops"].as_array_mut().unwrap().push(applied);
            }
            format!("{line}\n")
        })
        .collect();
    book.write("state/changelog.jsonl", log);
    (book, name)
}

#[test]
fn what_rests_on_a_chapter_is_listed_with_the_sentence_that_shows_it() {
    let (book, name) = with_a_key();
    let before = book.tree();
    let data = book.ask(&["impact", "chapter", "2"]).data();
    assert_eq!(book.tree(), before, "writes nothing");
    let chapters = data["chapters"].as_array().unwrap();
    let touched = |n: u64| chapters.iter().find(|it| it["chapter"] == n);
    // The ninth has the key in its text: both the thing and the fact stand in the sentence.
    let ninth = touched(9).unwrap_or_else(|| panic!("{data:#}"));
    let shown = format!("{name}把蛇纹铜钥攥在手心里，一夜没有松开。");
    assert!(
        ninth["quotations"]
            .as_array()
            .unwrap()
            .contains(&json!(shown)),
        "{ninth:#}"
    );
    let ground = ninth["grounds"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["quotation"] == json!(shown));
    assert!(
        ground.unwrap()["of"]
            .as_str()
            .unwrap()
            .ends_with(".keepsake"),
        "{ninth:#}"
    );
    // The third was shown how the second ends, in its words.
    let third = touched(3).unwrap();
    let tail = third["grounds"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["way"] == "tail")
        .unwrap();
    assert_eq!(tail["stands_in"], 2);
    assert!(
        book.text("chapters/chapter-002.md")
            .contains(tail["quotation"].as_str().unwrap())
    );
    // That the hero yawns in the sixth rests on nothing.
    for chapter in chapters {
        let quoted = chapter["quotations"].to_string();
        assert!(!quoted.contains("打了个哈欠"), "{chapter:#}");
    }
    let weights: Vec<u64> = chapters
        .iter()
        .map(|it| it["weight"].as_u64().unwrap())
        .collect();
    assert!(weights.is_sorted_by(|a, b| a >= b), "{weights:?}");
    // The same ear for the fact alone.
    let id = book.ask(&["character", "list"]).data()["characters"][0]["id"].clone();
    let path = format!("characters.{}.keepsake", id.as_str().unwrap());
    let fact = book.ask(&["impact", "fact", &path]).data();
    let numbers: Vec<&Value> = fact["chapters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["chapter"])
        .collect();
    assert!(
        numbers.contains(&&json!(9)) && !numbers.contains(&&json!(6)),
        "{fact:#}"
    );
}

#[test]
fn every_quotation_of_an_impact_stands_where_it_is_said_to() {
    let book = TestBook::demo(6);
    let rule = book.json("world/rules.json")["rules"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    for what in [
        ["chapter", "2"],
        ["character", "lu-yan"],
        ["rule", rule.as_str()],
    ] {
        let data = book.ask(&["impact", what[0], what[1]]).data();
        for touched in data["chapters"].as_array().unwrap() {
            for ground in touched["grounds"].as_array().unwrap() {
                let (way, n) = (
                    ground["way"].as_str().unwrap(),
                    ground["stands_in"].as_u64().unwrap(),
                );
                if way == "summary" || way == "verdict" {
                    continue;
                }
                let text = plain(&book.text(&format!("chapters/chapter-{n:03}.md")));
                let quotation = plain(ground["quotation"].as_str().unwrap());
                assert!(text.contains(&quotation), "{what:?} {ground}");
            }
        }
    }
}

#[test]
fn a_verdict_at_a_gate_is_told_in_words_with_its_quotations() {
    let book = paused();
    let verdict = book.json("staging/evaluations/chapter-002-eval.json");
    let quotation = verdict["scores"]["pacing"]["evidence"].as_str().unwrap();
    let quotation: String = quotation.chars().take(8).collect();
    for (lang, words) in [("zh", "节奏"), ("en", "pacing")] {
        let shown = book.novel(&["start", "--lang", lang]);
        let shown = format!("{}{}", shown.stdout, shown.stderr);
        assert!(shown.contains(&quotation), "{lang}: {shown}");
        assert!(shown.to_lowercase().contains(words), "{lang}: {shown}");
        assert!(
            !shown.contains("\"scores\""),
            "{lang}: not as a file has it: {shown}"
        );
    }
}

#[test]
fn of_three_drafts_one_that_is_no_chapter_is_not_the_one_that_is_taken() {
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
    let bad = "好的，我来写这一章。".to_owned();
    let third = draft.replacen("\n\n", "\n\n第三份草稿从雨里开头。\n\n", 1);
    for bad_at in 0..3 {
        let mut drafts = vec![draft.clone(), third.clone()];
        drafts.insert(bad_at, bad.clone());
        // Asked again after all, the writer still has a chapter to give.
        drafts.push(draft.clone());
        let mut scripted = answers.clone();
        scripted.insert("chapter-writer".to_owned(), drafts);
        // The judge likes what is no chapter best.
        let mut scores = vec![scored(4.0), scored(4.1)];
        scores.insert(bad_at, scored(5.0));
        scores.extend([scored(4.2), scored(4.2)]);
        scripted.insert("quality-judge".to_owned(), scores);
        let model = ScriptedModel::start(scripted);
        let book = TestBook::demo(1);
        model.write_for(&book);
        let data = book.ask(&["continue", "--drafts", "3"]).data();
        assert_eq!(data["finished"][0]["chapter"], 2, "{bad_at}: {data:#}");
        let text = book.text("chapters/chapter-002.md");
        assert!(!text.contains("我来写这一章"), "{bad_at}: {text}");
        let candidates = data["candidates"].as_array().unwrap();
        assert!(
            candidates.len() >= 2,
            "the others are in the table: {data:#}"
        );
        assert!(
            !model.asked("style-refiner")[0]
                .prompt()
                .contains("我来写这一章")
        );
        book.ask(&["undo"]).data();
        assert_eq!(
            book.checkpoint()["last_completed_chapter"],
            1,
            "one operation"
        );
    }
}

#[test]
fn marks_are_taken_back_and_brought_back_like_any_act() {
    let book = TestBook::demo(4);
    let walled = |book: &TestBook| {
        let status = book.ask(&["status"]).data();
        {
            let locked = status["locked_chapters"].as_array().cloned();
            (
                status["published_to"].clone(),
                json!(locked.unwrap_or_default()),
            )
        }
    };
    book.ask(&["publish", "--to", "2"]).data();
    book.ask(&["chapter", "lock", "4"]).data();
    assert_eq!(walled(&book), (json!(2), json!([4])));
    for refused in [
        ["rewrite", "1"],
        ["rewrite", "4"],
        ["adopt", "2"],
        ["rollback", "3"],
    ] {
        let error = book.novel(&[&["--json"], refused.as_slice()].concat());
        assert_ne!(error.code, 0, "{refused:?}");
    }
    book.ask(&["undo"]).data();
    assert_eq!(walled(&book), (json!(2), json!([])));
    book.ask(&["rewrite", "4"]).data();
    book.ask(&["undo"]).data();
    book.ask(&["undo"]).data();
    assert_eq!(walled(&book), (json!(0), json!([])));
    book.ask(&["redo"]).data();
    assert_eq!(walled(&book).0, json!(2));
    assert_ne!(
        book.novel(&["rewrite", "1"]).code,
        0,
        "the wall stands again"
    );
}
