//! Which sentences are asked about: for every class of fact, whoever is meant and however they are called.

use novel_story::check::{Candidate, CheckInput, candidates};
use novel_testkit::story::{Book, Case, cases_of, no};
use serde_json::{Value, json};

/// The most candidates of a chapter.
const MOST: usize = 10;

/// A case of one record and one text; two people are always there.
fn case(language: &str, path: &str, value: Value, text: &str) -> Case {
    let cast = if language == "zh" {
        json!([["p1", "沈青崖"], ["p2", "顾晚舟"]])
    } else {
        json!([["p1", "Marcus Quill"], ["p2", "Isaura Vane"]])
    };
    let line = json!({"language": language, "cast": cast, "text": text, "contradicts": true,
                      "record": [{"op": "set", "path": path, "value": value}]});
    cases_of(&line.to_string()).remove(0)
}

fn asked_in(book: &Book) -> Vec<Candidate> {
    let (files, config) = (book.write(), book.config());
    let ask = || {
        candidates(CheckInput {
            reader: &files,
            config: &config,
            chapter: no(2),
            volume: book.volume(no(2)),
        })
        .unwrap()
    };
    let asked = ask();
    assert_eq!(asked, ask(), "the order must not change");
    assert!(asked.len() <= MOST);
    asked
}

/// Each question as `why: sentence`.
fn asked(case: &Case) -> Vec<String> {
    let asked = asked_in(&case.book());
    asked
        .iter()
        .map(|one| format!("{}: {}", one.doubt.as_str(), one.place.quotation))
        .collect()
}

#[track_caller]
fn assert_asked(language: &str, path: &str, value: Value, text: &str, wanted: &str) {
    let asked = asked(&case(language, path, value, text));
    assert!(asked.iter().any(|one| one == wanted), "{asked:#?}");
}

#[test]
fn the_dead_are_asked_about_by_alias_title_and_pronoun() {
    let dead = |text: &str, wanted: &str| {
        assert_asked("zh", "characters.p1.status", json!("战死"), text, wanted);
    };
    dead("沈先生的茶还温着。", "gone: 沈先生的茶还温着。");
    dead("青崖那边还等着回信。", "gone: 青崖那边还等着回信。");
    dead("“沈青崖，你来了。”顾晚舟说。", "gone: “沈青崖，你来了。”");
    dead("沈青崖的灯还亮着。他就在灯下。", "gone: 他就在灯下。");
    assert_asked(
        "en",
        "characters.p1.status",
        json!("dead"),
        "There was the matter of Captain Quill's tea.",
        "gone: There was the matter of Captain Quill's tea.",
    );
}

#[test]
fn a_thing_is_asked_about_by_its_name_and_by_its_head() {
    let record = [
        json!({"op": "set", "path": "items.sword.name", "value": "青锋剑"}),
        json!({"op": "set", "path": "items.sword.holder", "value": "p1"}),
    ];
    let mut case = case(
        "zh",
        "items.sword.status",
        json!("折断"),
        "那柄剑就靠在顾晚舟手边。",
    );
    case.record.extend(record);
    assert_eq!(asked(&case), ["thing: 那柄剑就靠在顾晚舟手边。"]);
}

#[test]
fn an_injured_person_is_asked_about_where_the_lost_part_acts() {
    assert_asked(
        "zh",
        "characters.p1.injuries",
        json!("双目失明"),
        "沈青崖翻着那本账册，一页一页地核对数字。",
        "body: 沈青崖翻着那本账册，一页一页地核对数字。",
    );
}

#[test]
fn age_rank_family_tie_and_place_are_asked_about() {
    let zh = |path: &str, value: Value, text: &str, why: &str| {
        assert_asked("zh", path, value, text, &format!("{why}: {text}"));
    };
    zh(
        "characters.p1.age",
        json!(20),
        "沈青崖的白发又多了几根。",
        "told",
    );
    zh(
        "characters.p1.rank",
        json!("捕快"),
        "满堂官员向沈青崖行礼。",
        "told",
    );
    zh(
        "characters.p1.kinship",
        json!({"p2": "哥哥"}),
        "沈青崖和顾晚舟拜了堂。",
        "told",
    );
    zh(
        "characters.p1.relationships",
        json!({"p2": "死敌"}),
        "沈青崖给顾晚舟斟满了酒，两人相视一笑。",
        "tie",
    );
    zh(
        "characters.p1.location",
        json!("洛阳"),
        "扬州城外，沈青崖勒住了马。",
        "place",
    );
    zh(
        "world_state.time_marker",
        json!("第九天"),
        "这已是上岛的头一天傍晚。",
        "day",
    );
}

#[test]
fn words_of_a_secret_and_of_a_rule_are_asked_about_in_other_words() {
    let mut secret = case(
        "zh",
        "characters.p1.age",
        json!(20),
        "“毒死老帮主的人，就是你。”顾晚舟说。",
    );
    secret.secrets = vec![json!({"id": "s1", "fact": "沈青崖杀害了老帮主", "known_by": []})];
    let found = asked(&secret);
    assert!(
        found.iter().any(|one| one.starts_with("secret: ")),
        "{found:#?}"
    );
    let mut rule = case(
        "zh",
        "characters.p1.rank",
        json!("外门弟子"),
        "藏经阁的第三层架子前，沈青崖一卷一卷地翻着书。",
    );
    rule.rules = vec!["外门弟子不得进入藏经阁。".to_owned()];
    let found = asked(&rule);
    assert!(
        found.iter().any(|one| one.starts_with("rule: ")),
        "{found:#?}"
    );
}

#[test]
fn what_the_checker_proves_is_not_asked() {
    let text = "沈青崖推门进来，坐下喝了口茶。";
    let found = asked(&case("zh", "characters.p1.status", json!("战死"), text));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn no_fact_takes_the_room_of_others() {
    let quill = "He spoke of Marcus Quill. ".repeat(30);
    let text = format!("{quill}\n\nIsaura Vane let the schoolboy carry her cane.");
    let mut case = case("en", "characters.p1.status", json!("dead"), &text);
    case.record
        .push(json!({"op": "set", "path": "characters.p2.age", "value": 19}));
    let found = asked_in(&case.book());
    assert!(
        found.iter().any(|one| one.doubt.as_str() == "told"),
        "{found:#?}"
    );
}

#[test]
fn a_chapter_that_names_nobody_of_the_record_is_not_asked_about() {
    let found = asked(&case(
        "en",
        "characters.p1.status",
        json!("dead"),
        "The rain stopped. A dog barked.",
    ));
    assert!(found.is_empty(), "{found:#?}");
}
