use proptest::prelude::*;

use super::*;

fn phrases(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn counts(text: &str, words: &[&str]) -> Vec<(String, usize)> {
    lint(text, &phrases(words))
        .hits
        .into_iter()
        .map(|hit| (hit.word, hit.count))
        .collect()
}

fn found(words: &[(&str, usize)]) -> Vec<(String, usize)> {
    words
        .iter()
        .map(|(word, count)| ((*word).to_owned(), *count))
        .collect()
}

#[test]
fn hits_have_counts_lines_and_snippets() {
    let report = lint(
        "不禁一笑。\n他不禁想，不禁叹。\n\n不禁",
        &phrases(&["不禁"]),
    );
    assert_eq!(report.total_hits, 4);
    assert_eq!(report.hits[0].lines, [1, 2, 4]);
    assert_eq!(
        report.hits[0].snippets,
        ["不禁一笑。", "他不禁想，不禁叹。", "他不禁想，不禁叹。"]
    );
}

#[test]
fn a_snippet_holds_ten_characters_on_each_side() {
    let text = format!("{}值得一提{}", "前".repeat(30), "后".repeat(30));
    let report = lint(&text, &phrases(&["值得一提"]));
    let expected = format!("{}值得一提{}", "前".repeat(10), "后".repeat(10));
    assert_eq!(report.hits[0].snippets, [expected]);
}

#[test]
fn phrases_are_counted_independently_and_sorted() {
    assert_eq!(
        counts(
            "值得一提的是，值得。",
            &["值得一提的是", "值得一提", "值得", "没有"]
        ),
        found(&[("值得", 2), ("值得一提", 1), ("值得一提的是", 1)])
    );
}

#[test]
fn a_phrase_does_not_overlap_itself() {
    assert_eq!(counts("哈哈哈哈哈", &["哈哈"]), found(&[("哈哈", 2)]));
}

#[test]
fn empty_and_repeated_phrases_are_ignored() {
    assert_eq!(
        counts("不禁", &["", " ", "不禁", "不禁", " 不禁 "]),
        found(&[("不禁", 1)])
    );
    assert_eq!(counts("Delve", &["delve", "Delve"]), found(&[("delve", 1)]));
    assert_eq!(lint("不禁", &[]), LintReport::default());
}

#[test]
fn ascii_words_match_in_any_case_at_word_borders() {
    let text = "Delve, DELVE delves redelve 他delve了 _delve_ délve delveé delve";
    assert_eq!(counts(text, &["delve"]), found(&[("delve", 5)]));
    assert_eq!(
        counts("AI味 xAI AIs Ai", &["AI味", "AI"]),
        found(&[("AI", 2), ("AI味", 1)])
    );
    assert_eq!(
        counts("卡bug 卡Bug 卡bugs", &["卡bug"]),
        found(&[("卡bug", 2)])
    );
}

#[test]
fn phrases_without_ascii_ends_keep_their_case() {
    assert_eq!(counts("《ab》《AB》", &["《ab》"]), found(&[("《ab》", 1)]));
}

#[test]
fn a_refused_match_does_not_hide_the_next_one() {
    assert_eq!(counts("xa a a", &["a a"]), found(&[("a a", 1)]));
}

#[test]
fn a_phrase_over_a_line_end_gives_a_one_line_snippet() {
    let report = lint("前\n然而\n后", &phrases(&["然而\n后"]));
    assert_eq!(report.hits[0].lines, [2]);
    assert_eq!(report.hits[0].snippets, ["然而 后"]);
}

#[test]
fn the_density_is_per_thousand_words_to_two_decimals() {
    let text = format!("不禁{}", "字".repeat(2998));
    assert_eq!(lint(&text, &phrases(&["不禁"])).hits_per_kchars, 0.33);
    assert_eq!(lint("——", &phrases(&["——"])).hits_per_kchars, 0.0);
}

#[test]
fn the_report_has_the_names_of_the_protocol() {
    let json = serde_json::to_string(&lint("不禁", &phrases(&["不禁"]))).unwrap();
    assert_eq!(
        json,
        r#"{"total_hits":1,"hits_per_kchars":500.0,"hits":[{"word":"不禁","count":1,"lines":[1],"snippets":["不禁"]}]}"#
    );
}

proptest! {
    #[test]
    fn counts_equal_a_plain_search(text in "[哈嘿，\\n]{0,60}", words in prop::collection::vec("[哈嘿，]{0,4}", 0..8)) {
        let report = lint(&text, &words);
        for hit in &report.hits {
            prop_assert_eq!(hit.count, text.matches(&hit.word).count());
            prop_assert!(hit.lines.is_sorted_by(|a, b| a < b));
            for line in &hit.lines {
                prop_assert!(text.lines().nth(line - 1).unwrap().contains(&hit.word));
            }
        }
        for word in words.iter().filter(|word| !word.is_empty() && text.contains(word.as_str())) {
            prop_assert!(report.hits.iter().any(|hit| &hit.word == word));
        }
    }

    #[test]
    fn nothing_panics(text in "(.|\\n)*", words in prop::collection::vec("(.|\\n){0,3}", 0..8)) {
        let report = lint(&text, &words);
        prop_assert_eq!(report.total_hits, report.hits.iter().map(|hit| hit.count).sum::<usize>());
        for hit in &report.hits {
            prop_assert!(hit.snippets.len() <= MAX_SNIPPETS);
            prop_assert!(hit.snippets.iter().all(|snippet| !snippet.contains('\n')));
        }
    }
}
