//! The scenarios of the revision chain and the revision policies, by their names.
//!
//! The fourth chapter of the book lets a character speak who is dead by the state. Whatever needs
//! an agent runs twice: with the offline author, and with a model over a socket.

use novel_model::files::GeneratedChapter;
use novel_testkit::{
    TestBook, differences,
    faulty::{
        ACTS, FAULTY, block, chapter_json, consistency, markdown, offline_answers, pending,
        planted, revision, with_each_author,
    },
};
use serde_json::{Value, json};

const MANUAL: &str = "revision_policy = \"manual_confirm\"";
const AUTO: &str = "revision_policy = \"auto_apply\"";

/// How a block of a prompt opens.
fn opening(kind: &str, source: &str) -> String {
    format!("<DATA type=\"{kind}\" source=\"{source}\"")
}

/// The contents of the scenes.
fn contents(chapter: &Value) -> Vec<String> {
    let scenes = chapter["scenes"].as_array().unwrap();
    scenes
        .iter()
        .map(|scene| scene["content"].as_str().unwrap().to_owned())
        .collect()
}

/// The part of a chapter's schema that is about a scene.
fn scene_of(schema: &Value) -> &Value {
    let item = &schema["properties"]["scenes"]["items"];
    match item["$ref"].as_str() {
        Some(reference) => schema.pointer(reference.trim_start_matches('#')).unwrap(),
        None => item,
    }
}

/// The properties an object must have.
fn keys(schema: &Value) -> Vec<&str> {
    let required = schema["required"].as_array().unwrap().iter();
    let mut keys: Vec<&str> = required.filter_map(Value::as_str).collect();
    keys.sort_unstable();
    keys
}

/// All fix instructions of a report, in order, as the reviser gets them.
fn notes_of(report: &Value) -> String {
    let fixes = report["issues"].as_array().unwrap().iter();
    let fixes = fixes.filter_map(|issue| issue["fix_instructions"].as_str());
    let notes: Vec<String> = fixes.map(|fix| format!("- {fix}")).collect();
    assert!(!notes.is_empty(), "{report:#}");
    notes.join("\n")
}

/// The words of a chapter as the program counts them.
fn counted(chapter: &Value) -> usize {
    contents(chapter)
        .iter()
        .map(|content| novel_text::count_words(content))
        .sum()
}

#[test]
fn revision_chain_accepts_structured_input() {
    with_each_author(MANUAL, &offline_answers(), |book, model| {
        let error = book.ask(&["continue"]).fails(3);
        assert_eq!(error["code"], "PENDING_REVISION", "{error:#}");
        let original = book.json(&chapter_json(FAULTY));
        let notes = notes_of(&book.json(&consistency(FAULTY)));
        let status = book.json(&revision(FAULTY));
        assert_eq!(status["revision_notes"], notes);
        let answered: GeneratedChapter =
            serde_json::from_value(status["revised_chapter"].clone()).unwrap();
        assert_eq!(answered.chapter_number.get(), FAULTY);
        let Some(model) = model else { return };
        let [request] = &model.asked("chapter-reviser")[..] else {
            panic!("the reviser is asked once");
        };
        let prompt = request.prompt();
        let given: Value = serde_json::from_str(block(
            &prompt,
            &opening("chapter_content", &chapter_json(FAULTY)),
        ))
        .unwrap();
        assert_eq!(given, original, "the whole structure is the input");
        assert_eq!(
            block(&prompt, &opening("reference", &revision(FAULTY))),
            notes
        );
        let schema = request.schema().expect("a structured output is asked for");
        assert_eq!(request.json["response_format"]["type"], "json_schema");
        assert_eq!(
            request.json["response_format"]["json_schema"]["name"],
            "generated_chapter"
        );
        let own: Value =
            serde_json::from_str(include_str!("../../../schemas/chapter.schema.json")).unwrap();
        assert_eq!(keys(schema), keys(&own));
        assert_eq!(keys(scene_of(schema)), keys(scene_of(&own)));
    });
}

#[test]
fn revision_chain_preserves_chapter_metadata() {
    with_each_author(MANUAL, &offline_answers(), |book, _| {
        let _ = book.ask(&["continue"]).fails(3);
        let original = book.json(&chapter_json(FAULTY));
        let revised = book.json(&revision(FAULTY))["revised_chapter"].clone();
        for key in ["chapter_number", "chapter_title"] {
            assert_eq!(revised[key], original[key]);
        }
        let (old, new) = (contents(&original), contents(&revised));
        assert_eq!(old.len(), new.len(), "no scene is added or removed");
        assert_ne!(old, new, "scenes have other contents");
        assert_ne!(revised["total_words"], original["total_words"]);
        assert_eq!(revised["total_words"], counted(&revised));
        let scenes = revised["scenes"].as_array().unwrap();
        let sum: u64 = scenes
            .iter()
            .map(|scene| scene["word_count"].as_u64().unwrap())
            .sum();
        assert_eq!(revised["total_words"], sum);
    });
}

#[test]
fn configure_revision_policy() {
    let book = TestBook::demo(1);
    let setting = |envs: &[(&str, &str)]| {
        let mut command = book.command(&["config", "revision_policy", "--json"]);
        command.envs(envs.iter().copied());
        let data = novel_testkit::Output::of(command).data();
        data["settings"][0].clone()
    };
    let said = setting(&[]);
    assert_eq!(
        (&said["value"], &said["origin"]),
        (&json!("none"), &json!("default"))
    );
    for policy in ["none", "auto_apply", "manual_confirm"] {
        let said = setting(&[("NOVEL_REVISION_POLICY", policy)]);
        assert_eq!(said["value"], policy);
        assert_eq!(said["origin"], "environment");
    }
    book.configure(MANUAL);
    let said = setting(&[]);
    assert_eq!(
        (&said["value"], &said["origin"]),
        (&json!("manual_confirm"), &json!("file"))
    );
    let said = setting(&[("NOVEL_REVISION_POLICY", "auto_apply")]);
    assert_eq!(
        said["value"], "auto_apply",
        "the environment is stronger than the file"
    );
    let mut command = book.command(&["next", "--json"]);
    command.env("NOVEL_REVISION_POLICY", "sometimes");
    let error = novel_testkit::Output::of(command).fails(2);
    book.write("novel.toml", "revision_policy = \"sometimes\"\n");
    let in_file = book.ask(&["next"]).fails(2);
    for error in [error, in_file] {
        let text = error.to_string();
        for allowed in ["none", "auto_apply", "manual_confirm"] {
            assert!(text.contains(allowed), "{error:#}");
        }
    }
}

/// What everything that reads chapters says about the book.
fn readings(book: &TestBook, word: &str) -> Vec<(String, Value)> {
    let out = book.outside().join("out.txt");
    let _ = std::fs::remove_file(&out);
    let path = out.to_str().unwrap().to_owned();
    book.ask(&[
        "export",
        "--format",
        "txt",
        "--out",
        &path,
        "--ignore-edits",
    ])
    .data();
    let exported = std::fs::read_to_string(&out).unwrap();
    let next = book.ask(&["next"]).data()["step"]
        .as_str()
        .unwrap()
        .to_owned();
    let commands: [&[&str]; 3] = [
        &["search", word],
        &["instructions", &next, "--embed"],
        &["check", "4"],
    ];
    let mut readings = vec![("export".to_owned(), json!(exported))];
    for command in commands {
        let mut said = book.ask(command).json();
        let name = command.join(" ");
        assert!(said["data"].is_object(), "{name}: {said:#}");
        readings.push((name, said["data"].take()));
    }
    readings
}

#[test]
fn treat_json_as_single_source_of_truth() {
    let book = planted("");
    book.write_to(FAULTY);
    let word = "无人认得的题字";
    let before = readings(&book, word);
    for (path, text) in [
        (markdown(FAULTY), format!("# 第 4 章 另一章\n\n{word}。\n")),
        (
            "chapters/chapter_004_revised.txt".to_owned(),
            format!("{word}。\n"),
        ),
    ] {
        book.write(&path, text);
        for ((what, old), (_, new)) in before.iter().zip(readings(&book, word)) {
            assert_eq!(*old, new, "{what} reads {path}");
        }
    }
    assert!(!before[0].1.as_str().unwrap().contains(word));
    assert_eq!(before[1].1["total"], 0, "{:#}", before[1].1);
    assert!(before[3].1.to_string().contains("DEAD_CHARACTER_ACTS"));
    // The Markdown is missed nowhere either.
    book.remove(&markdown(FAULTY));
    for ((what, old), (_, new)) in before.iter().zip(readings(&book, word)) {
        assert_eq!(*old, new, "{what} needs the Markdown");
    }
    // What is read is the JSON: a change there is seen by all.
    book.edit(&chapter_json(FAULTY), |chapter| {
        let content = chapter["scenes"][0]["content"].as_str().unwrap();
        chapter["scenes"][0]["content"] = json!(format!("{word}。\n\n{content}"));
    });
    let after = readings(&book, word);
    assert!(after[0].1.as_str().unwrap().contains(word));
    assert_eq!(after[1].1["total"], 1, "{:#}", after[1].1);
}

#[test]
fn auto_apply_revision_to_chapter_json() {
    let answers = offline_answers();
    with_each_author(AUTO, &answers, |book, model| {
        let data = book.ask(&["continue"]).data();
        assert_eq!(data["finished"][0]["chapter"], FAULTY, "{data:#}");
        let status = book.json(&revision(FAULTY));
        assert_eq!(status["status"], "accepted");
        assert!(status["decision_at"].is_string());
        let chapter = book.json(&chapter_json(FAULTY));
        assert_eq!(chapter, status["revised_chapter"], "the answer is the text");
        // The old text is kept: one word takes the revision back.
        let earlier = book.copy();
        earlier.ask(&["undo"]).data();
        assert_ne!(earlier.json(&chapter_json(FAULTY)), chapter);
        // All fix instructions of the report on the old text are the notes.
        let notes = notes_of(&earlier.json(&consistency(FAULTY)));
        assert_eq!(status["revision_notes"], notes);
        // Memory, summary and rendering are those of the new text.
        let account: Value = serde_json::from_str(&answers["summarizer"][1]).unwrap();
        assert_eq!(
            book.text("summaries/chapter-004-summary.md").trim_end(),
            account["summary"].as_str().unwrap().trim_end()
        );
        assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
        assert_eq!(book.ask(&["next"]).data()["step"], "chapter:005:draft");
        let Some(model) = model else { return };
        assert_eq!(model.asked("chapter-reviser").len(), 1);
        let accounts = model.asked("summarizer");
        assert_eq!(accounts.len(), 2, "the new text is summarised");
        let given = block(&accounts[1].prompt(), "<DATA type=\"chapter_content\"").to_owned();
        for content in contents(&chapter) {
            assert!(given.contains(&content), "the summary is of the new text");
        }
    });
}

#[test]
fn produce_manual_confirm_revision_candidate() {
    with_each_author(MANUAL, &offline_answers(), |book, model| {
        let _ = book.ask(&["continue"]).fails(3);
        let status = book.json(&revision(FAULTY));
        let report = book.json(&consistency(FAULTY));
        assert_eq!(status["status"], "pending");
        assert_eq!(status["triggered_by"], "consistency");
        assert_eq!(status["chapter_number"], FAULTY);
        assert_eq!(status["issues"], report["issues"]);
        assert_eq!(status["revision_notes"], notes_of(&report));
        assert_eq!(status["created_at"], "2026-03-01T00:00:00Z");
        assert_eq!(status["decision_at"], Value::Null);
        // The text is still the one the judge saw.
        let evaluation = book.json("evaluations/chapter-004-eval.json");
        assert_eq!(
            status["chapter_hash"],
            evaluation["metadata"]["chapter_hash"]
        );
        let text = book.json(&chapter_json(FAULTY));
        assert_ne!(text, status["revised_chapter"]);
        assert!(contents(&text).concat().contains(ACTS));
        if let Some(model) = model {
            assert_eq!(model.asked("chapter-reviser").len(), 1);
            assert_eq!(model.asked("summarizer").len(), 1);
        }
        // On request, a copy to read.
        let shown = book.novel(&["revision", "show", "4", "--lang", "zh"]);
        assert!(shown.success().both().contains("何小满"));
    });
    let book = pending();
    book.ask(&["revision", "candidate", "4", "--copy"]).data();
    let copy = book.text("chapters/chapter_004_revised.txt");
    for content in contents(&book.json(&revision(FAULTY))["revised_chapter"]) {
        assert!(copy.contains(&content));
    }
}

#[test]
fn gate_further_generation_on_pending_revisions() {
    let book = pending();
    for command in [["continue", "2"], ["run", "--to"]] {
        let args: Vec<&str> = match command {
            ["run", _] => vec!["run", "--to", "6"],
            other => other.to_vec(),
        };
        let error = book.refuses(3, &args);
        assert_eq!(error["code"], "PENDING_REVISION", "{error:#}");
        assert_eq!(error["details"]["pending_chapters"], json!([4]));
    }
    // Several chapters wait: all of them are named, to programs and to people.
    book.write(
        &revision(2),
        "{\"chapter_number\": 2, \"status\": \"pending\"}\n",
    );
    let error = book.refuses(3, &["continue"]);
    assert_eq!(error["details"]["blocked_chapter"], 2);
    assert_eq!(error["details"]["pending_chapters"], json!([2, 4]));
    for (lang, words) in [("zh", "第 4 章"), ("en", "waiting too: 4")] {
        let said = book.novel(&["continue", "--lang", lang]);
        assert_eq!(said.code, 3, "{said}");
        assert!(said.both().contains(words), "{said}");
    }
    let said = book.novel(&["run", "--lang", "zh"]).both();
    assert!(said.contains("必须先处理第 2 章的 pending 修订"), "{said}");
}

#[test]
fn apply_manual_confirmed_revision() {
    with_each_author(MANUAL, &offline_answers(), |book, model| {
        let _ = book.ask(&["continue"]).fails(3);
        let before = book.content();
        let candidate = book.json(&revision(FAULTY))["revised_chapter"].clone();
        let data = book.ask(&["revision", "apply", "4"]).data();
        assert_eq!(data["status"], "accepted", "{data:#}");
        let status = book.json(&revision(FAULTY));
        assert_eq!(status["status"], "accepted");
        assert_eq!(status["decision_at"], "2026-03-01T00:00:00Z");
        assert_eq!(book.json(&chapter_json(FAULTY)), candidate);
        let changed = differences(&before, &book.content());
        for path in [
            chapter_json(FAULTY),
            markdown(FAULTY),
            revision(FAULTY),
            consistency(FAULTY),
        ] {
            assert!(changed.contains(&path), "{path}: {changed:?}");
        }
        assert_eq!(book.ask(&["doctor"]).data()["findings"], json!([]));
        if let Some(model) = model {
            let accounts = model.asked("summarizer").len();
            assert_eq!(accounts, 2, "the memory of the chapter is made anew");
        }
        // The gate is open, and the decision is not taken twice.
        assert_eq!(book.ask(&["next"]).data()["step"], "chapter:005:draft");
        let error = book.refuses(2, &["revision", "apply", "4"]);
        assert_eq!(error["code"], "REVISION_NOT_PENDING", "{error:#}");
    });
    let book = pending();
    book.ask(&["revision", "apply", "4"]).data();
    book.write_to(5);
}

#[test]
fn default_to_non_revision_mode() {
    with_each_author("", &offline_answers(), |book, model| {
        let data = book.ask(&["continue"]).data();
        assert_eq!(data["finished"][0]["chapter"], FAULTY);
        let report = book.json(&consistency(FAULTY));
        assert!(!notes_of(&report).is_empty(), "a report is written");
        assert!(!book.has(&revision(FAULTY)), "nothing waits");
        assert!(
            contents(&book.json(&chapter_json(FAULTY)))
                .concat()
                .contains(ACTS)
        );
        assert_eq!(book.ask(&["next"]).data()["step"], "chapter:005:draft");
        if let Some(model) = model {
            assert_eq!(model.asked("chapter-reviser").len(), 0);
            assert_eq!(model.count(), 4, "no other call than those of the chapter");
        }
    });
    let book = planted("");
    book.write_to(6);
    // The optional candidate as a text to read stops nothing either.
    book.ask(&["revision", "candidate", "4", "--copy"]).data();
    let copy = book.text("chapters/chapter_004_revised.txt");
    assert!(!copy.contains(ACTS));
    assert_eq!(
        book.ask(&["revision", "list"]).data()["revisions"],
        json!([])
    );
    assert_eq!(book.ask(&["next"]).data()["step"], "chapter:007:draft");
    let log = book.ask(&["log", "100"]).data();
    let operations = log["operations"].as_array().unwrap();
    assert!(
        operations.iter().all(|one| one["kind"] != "rewrite"),
        "{log:#}"
    );
}
