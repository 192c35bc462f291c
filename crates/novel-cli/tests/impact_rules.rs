//! `impact` under attack: names in names, things nobody has, moods, damaged files.

use novel_testkit::TestBook;
use serde_json::{Value, json};

/// A committed chapter gets another text.
fn retext(book: &TestBook, chapter: u32, text: &str) {
    book.edit(&format!("chapters/chapter_{chapter:03}.json"), |json| {
        let scenes = json["scenes"].as_array_mut().unwrap();
        scenes.truncate(1);
        scenes[0]["content"] = json!(text);
        let words = novel_text::count_words(text);
        scenes[0]["word_count"] = json!(words);
        json["total_words"] = json!(words);
    });
}

/// Puts ops into the line of a chapter.
fn record(book: &TestBook, chapter: u32, ops: &[Value]) {
    let log: String = book
        .lines("state/changelog.jsonl")
        .into_iter()
        .map(|mut line| {
            if line["chapter"] == chapter {
                let applied = ops
                    .iter()
                    .map(|op| json!({"op": op, "undo": {"kind": "nothing"}}));
                line["ops"].as_array_mut().unwrap().extend(applied);
            }
            format!("{line}\n")
        })
        .collect();
    book.write("state/changelog.jsonl", log);
}

fn touched(data: &Value, chapter: u64) -> Option<&Value> {
    let chapters = data["chapters"].as_array().unwrap();
    chapters.iter().find(|it| it["chapter"] == chapter)
}

fn quotations(data: &Value) -> Vec<String> {
    let chapters = data["chapters"].as_array().unwrap().iter();
    let grounds = chapters.flat_map(|it| it["grounds"].as_array().unwrap());
    let quotations = grounds.filter_map(|it| it["quotation"].as_str());
    quotations.map(str::to_owned).collect()
}

fn person(book: &TestBook, id: &str, name: &str) {
    let one = json!({"id": id, "display_name": name, "aliases": [], "contracts": []});
    book.write(&format!("characters/active/{id}.json"), one.to_string());
}

#[test]
fn a_name_inside_another_name_is_not_that_name() {
    let book = TestBook::demo(4);
    person(&book, "lu-yan-zhou", "陆砚舟");
    retext(&book, 3, "陆砚舟推开了闸房的门，一个人走了进去。");
    retext(&book, 4, "陆砚舟走了以后，陆砚才把灯点上。");
    let of = |who: &str| book.ask(&["impact", "character", who]).data();
    let short = of("lu-yan");
    let said = quotations(&short);
    assert!(
        !said.iter().any(|it| it.contains("推开了闸房")),
        "{said:#?}"
    );
    assert!(said.iter().any(|it| it.contains("才把灯点上")), "{said:#?}");
    let long = quotations(&of("陆砚舟"));
    assert!(long.iter().any(|it| it.contains("推开了闸房")), "{long:#?}");
    // A Latin name is a word, not the beginning of one.
    person(&book, "tom", "Tom");
    retext(
        &book,
        3,
        "Tomorrow the tomb opens. Nobody was at the atoms of it.",
    );
    retext(&book, 4, "Nobody came but Tom.");
    let tom = of("tom");
    assert_eq!(touched(&tom, 3), None, "{tom:#}");
    assert_eq!(
        touched(&tom, 4).unwrap()["quotations"],
        json!(["Nobody came but Tom."])
    );
}

#[test]
fn an_id_inside_another_id_is_not_that_id() {
    let book = TestBook::demo(3);
    person(&book, "wen", "文无疾");
    let path = "volumes/vol-01/chapter-contracts/chapter-005.json";
    book.edit(path, |contract| {
        contract["acceptance_criteria"] =
            json!(["wen-tang must not be named; when he comes, wenge stays"]);
    });
    let data = book.ask(&["impact", "character", "wen"]).data();
    assert_eq!(data["contracts"], json!([]), "{data:#}");
    book.edit(path, |contract| {
        contract["acceptance_criteria"] = json!(["`wen` comes"])
    });
    let data = book.ask(&["impact", "character", "wen"]).data();
    assert_eq!(data["contracts"][0]["chapter"], 5, "{data:#}");
}

#[test]
fn a_thing_nobody_has_is_refused_with_the_nearest_one() {
    let book = TestBook::demo(3);
    let rule = book.json("world/rules.json")["rules"][0]["id"].clone();
    let rule = rule.as_str().unwrap();
    let line = book.lines("state/changelog.jsonl");
    let paths = line
        .iter()
        .flat_map(|line| line["ops"].as_array().cloned().unwrap_or_default());
    let mut paths = paths.filter_map(|op| op["op"]["path"].as_str().map(str::to_owned));
    let path = paths.find(|path| path.starts_with("characters.")).unwrap();
    for (what, said, code, near) in [
        (
            "character",
            "lu-yen".to_owned(),
            "NO_SUCH_CHARACTER",
            "lu-yan",
        ),
        ("character", "x".to_owned(), "NO_SUCH_CHARACTER", ""),
        ("rule", rule.replace('0', "O"), "NO_SUCH_RULE", rule),
        ("fact", format!("{path}s"), "NO_SUCH_FACT", path.as_str()),
        ("fact", "characters".repeat(40), "NO_SUCH_FACT", ""),
    ] {
        let [zh, en] = book.fails_in_both(2, &["impact", what, &said], "");
        assert_eq!(
            (&zh["code"], &en["code"]),
            (&json!(code), &json!(code)),
            "{said}"
        );
        for hint in [&zh["hint"], &en["hint"]] {
            assert!(hint.as_str().unwrap().contains(near), "{said}: {hint}");
        }
    }
    for wrong in ["0", "-1", "abc", "4", "99999"] {
        book.refuses(2, &["impact", "chapter", wrong]);
    }
}

#[test]
fn a_damaged_file_is_named_and_not_passed_over() {
    for (path, what) in [
        ("chapters/chapter_003.json", ["chapter", "1"]),
        ("chapters/chapter_003.json", ["character", "lu-yan"]),
        ("state/changelog.jsonl", ["chapter", "1"]),
        ("foreshadowing/global.json", ["chapter", "1"]),
        ("world/rules.json", ["rule", "W-001"]),
    ] {
        let book = TestBook::demo(4);
        book.write(path, "{\"cut");
        let before = book.tree();
        let refused = book.refuses(2, &["impact", what[0], what[1]]);
        assert!(refused.to_string().contains(path), "{path}: {refused:#}");
        assert_eq!(book.tree(), before, "{path}");
    }
}

#[test]
fn moods_and_times_stand_last_and_weigh_nothing() {
    let book = TestBook::demo(6);
    let hero = "characters.lu-yan";
    record(
        &book,
        1,
        &[
            json!({"op": "set", "path": format!("{hero}.emotional_state"), "value": "忐忑"}),
            json!({"op": "set", "path": format!("{hero}.keepsake"), "value": "蛇纹铜钥"}),
        ],
    );
    retext(&book, 5, "陆砚心里忐忑，没有说话。天很黑。");
    retext(&book, 6, "陆砚心里忐忑。陆砚把蛇纹铜钥攥在手里。");
    let data = book
        .ask(&["impact", "fact", &format!("{hero}.emotional_state")])
        .data();
    let chapters = data["chapters"].as_array().unwrap();
    let grounds: Vec<_> = chapters
        .iter()
        .flat_map(|it| it["grounds"].as_array().unwrap())
        .collect();
    assert!(
        !grounds.is_empty() && grounds.iter().all(|it| it["passing"] == false),
        "asked for, it counts: {data:#}"
    );
    let data = book.ask(&["impact", "chapter", "1"]).data();
    let sixth = touched(&data, 6).unwrap();
    assert!(
        sixth["grounds"][0]["of"]
            .as_str()
            .unwrap()
            .ends_with(".keepsake"),
        "{sixth:#}"
    );
    for chapter in data["chapters"].as_array().unwrap() {
        for ground in chapter["grounds"].as_array().unwrap() {
            let field = ground["of"].as_str().unwrap().rsplit('.').next().unwrap();
            let passes = ["emotional_state", "time_marker"].contains(&field);
            assert_eq!(ground["passing"], json!(passes), "{ground}");
        }
    }
    let weights: Vec<u64> = data["chapters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["weight"].as_u64().unwrap())
        .collect();
    assert!(weights.is_sorted_by(|a, b| a >= b), "{weights:?}");
    let shown = book
        .novel(&["impact", "chapter", "1", "--lang", "zh"])
        .success()
        .stdout;
    assert!(!shown.contains("忐忑，没有说话"), "{shown}");
    let told = shown.find("延续情绪").unwrap_or(0);
    assert_eq!(
        touched(&data, 5).is_some_and(|it| it["weight"] == 0),
        told > 0,
        "{shown}"
    );
}

#[test]
fn only_the_next_change_of_a_fact_goes_on_from_it() {
    let book = TestBook::demo(4);
    let path = "characters.lu-yan.rank";
    let set =
        |value: &str| json!({"op": "set", "path": path, "value": value, "evidence": "他升了一级"});
    for (chapter, value) in [(1, "学徒"), (2, "书吏"), (4, "主簿")] {
        record(&book, chapter, &[set(value)]);
    }
    let data = book.ask(&["impact", "chapter", "1"]).data();
    let of = |chapter: u64| {
        let grounds = touched(&data, chapter).map(|it| it["grounds"].as_array().unwrap().clone());
        let mut grounds = grounds.unwrap_or_default().into_iter();
        grounds.any(|it| it["way"] == "facts" && it["of"] == path)
    };
    assert!(of(2), "{data:#}");
    assert!(
        !of(4),
        "what it went on from is the second chapter's: {data:#}"
    );
}

#[test]
fn quotation_marks_inside_a_quotation_are_single_ones() {
    let book = TestBook::demo(4);
    retext(&book, 4, "陆砚说：“天亮再走。”");
    let data = book.ask(&["impact", "character", "lu-yan"]).data();
    let fourth = touched(&data, 4).unwrap();
    assert!(
        fourth["quotations"].to_string().contains("“天亮再走。”"),
        "the text's own: {fourth:#}"
    );
    for lang in ["zh", "en"] {
        let shown = book
            .novel(&["impact", "character", "lu-yan", "--lang", lang])
            .success()
            .stdout;
        assert!(shown.contains("‘天亮再走。’”"), "{shown}");
    }
}
