use proptest::prelude::*;

use super::*;

fn people() -> Vec<Vec<String>> {
    [
        vec!["关羽", "关云长", "云长", "关公"],
        vec!["刘备", "刘玄德", "玄德"],
    ]
    .map(|names| names.into_iter().map(str::to_owned).collect())
    .to_vec()
}

fn ranked(question: &str) -> Query {
    Query::parse(question, Reading::Ranked, &people())
}

fn found<'a>(query: &Query, text: &'a str) -> Vec<&'a str> {
    let places = query
        .look(text)
        .map(|found| found.places)
        .unwrap_or_default();
    places.into_iter().map(|place| &text[place]).collect()
}

/// The texts a question finds, in order.
fn order(query: &Query, texts: &[&str]) -> Vec<usize> {
    let matches: Vec<(usize, u64, Match)> = texts
        .iter()
        .enumerate()
        .filter_map(|(at, text)| Some((at, text.chars().count() as u64, query.look(text)?)))
        .collect();
    let words = texts.iter().map(|text| text.chars().count() as u64).sum();
    let ranked = rank(query, &matches, texts.len(), words);
    ranked.into_iter().map(|(at, _)| at).collect()
}

#[test]
fn a_name_finds_every_name_of_the_person() {
    let text = "云长曰：“玄德公！”关公大怒，关云长横刀。";
    assert_eq!(found(&ranked("关羽"), text), ["云长", "关公", "关云长"]);
    assert_eq!(
        found(&ranked("云长 玄德"), text),
        ["云长", "玄德", "关公", "关云长"]
    );
    let exact = Query::parse("云长", Reading::Exact, &people());
    assert_eq!(found(&exact, text), ["云长", "云长"]);
    assert!(ranked("张飞").look(text).is_none());
}

#[test]
fn long_terms_come_apart_unless_they_are_quoted() {
    let text = "当夜探路的人说，废墟里有光。夜里探到废墟。探废的人。";
    assert!(ranked("夜探废墟").look(text).is_some());
    assert!(ranked("\"夜探废墟\"").look(text).is_none());
    assert!(ranked("“夜探废墟”").look(text).is_none());
    assert!(ranked("夜光").look(text).is_none());
    assert_eq!(found(&ranked("夜探"), text), ["夜探"]);
    assert!(
        Query::parse("夜探废墟", Reading::Exact, &[])
            .look(text)
            .is_none()
    );
}

#[test]
fn foreign_words_are_whole_and_in_any_case() {
    let text = "The Window was open. A win is a WIN; 他说win。";
    assert_eq!(found(&ranked("win"), text), ["win", "WIN", "win"]);
    assert_eq!(found(&ranked("\"win\""), text), ["win", "win"]);
    assert_eq!(
        found(&Query::parse("ind", Reading::Exact, &[]), text),
        ["ind"]
    );
}

#[test]
fn texts_with_all_terms_come_first_and_alone() {
    let texts = [
        "密信在此。",
        "林枫与密信。林枫走了。",
        "林枫。",
        "林枫拿着密信，很长很长很长很长很长的一段话。",
    ];
    assert_eq!(order(&ranked("林枫 密信"), &texts), [1, 3]);
    assert_eq!(order(&ranked("林枫 不存在"), &texts), [2, 1, 3]);
    let exact = Query::parse("林枫", Reading::Exact, &[]);
    assert_eq!(order(&exact, &texts), [1, 2, 3]);
}

#[test]
fn an_empty_question_has_no_terms() {
    for text in ["", "  ", "\"\"", "“”"] {
        assert!(ranked(text).terms().is_empty(), "{text}");
    }
    let terms: Vec<String> = ranked("关羽 \"a b\" 关羽 “c")
        .terms()
        .iter()
        .map(|term| term.text.clone())
        .collect();
    assert_eq!(terms, ["关羽", "a b", "c"]);
}

#[test]
fn a_snippet_shows_the_first_place_and_its_neighbours() {
    let text = "第一行。\n　　很久以前，林枫在山上遇见了林枫的影子，然后下山去了。\n末行林枫";
    let places = ranked("林枫").look(text).unwrap().places;
    let snippet = snippet(text, &places, 8);
    assert_eq!(snippet.text, "很久以前，林枫在山上遇见了林枫…");
    let chars: Vec<char> = snippet.text.chars().collect();
    let marked: Vec<String> = snippet
        .marks
        .iter()
        .map(|mark| chars[mark.clone()].iter().collect())
        .collect();
    assert_eq!(marked, ["林枫", "林枫"]);
}

proptest! {
    /// Verbatim search is a plain scan, and marks are what was looked for.
    #[test]
    fn exact_search_is_a_plain_scan(text in "[甲乙丙丁a \n]{0,60}", word in "[甲乙丙a]{1,3}", width in 0usize..12) {
        let query = Query::parse(&word, Reading::Exact, &[]);
        let found = query.look(&text);
        prop_assert_eq!(found.is_some(), text.contains(&word));
        if let Some(found) = found {
            let snippet = snippet(&text, &found.places, width);
            let chars: Vec<char> = snippet.text.chars().collect();
            prop_assert!(!snippet.marks.is_empty());
            for mark in &snippet.marks {
                let marked: String = chars[mark.clone()].iter().collect();
                prop_assert!(marked.contains(&word), "{:?} {:?}", snippet, word);
            }
        }
    }
}
