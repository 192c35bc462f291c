use proptest::prelude::*;

use super::*;
use crate::count_words;

fn totals(text: &str) -> (usize, usize, usize) {
    let metrics = measure(text);
    (metrics.words, metrics.sentences, metrics.dialogue_words)
}

#[test]
fn sentences_end_at_enders_and_line_ends() {
    for (text, words, sentences) in [
        ("", 0, 0),
        ("夜。", 1, 1),
        ("夜深了。他走了", 6, 2),
        ("走！！？走……", 2, 2),
        ("一\n\n二\r\n三", 3, 3),
        ("。。。\n* * *\n", 0, 0),
        ("Who? Me! Yes", 3, 3),
        ("一\u{2028}二", 2, 2),
        ("一，二；三：四", 4, 1),
    ] {
        assert_eq!(totals(text), (words, sentences, 0), "{text}");
    }
}

#[test]
fn dialogue_is_what_stands_in_quotation_marks() {
    for (text, dialogue) in [
        ("“走。”他说", 1),
        ("「走『快』走」他", 3),
        ("『走』\"快走\"他", 3),
        ("“他说‘走’”完", 3),
        ("“甲「乙”丙", 2),
        ("“甲“乙”丙”丁", 3),
        ("“未完\n下一行", 2),
        ("\"一\n二\"三", 2),
        ("”甲「」乙」", 0),
        ("\"Go now\" he said", 2),
    ] {
        assert_eq!(totals(text).2, dialogue, "{text}");
    }
}

#[test]
fn averages_come_from_totals() {
    let metrics = measure("“夜深了。”他走了。");
    assert_eq!((metrics.words, metrics.sentences), (6, 2));
    assert!((metrics.avg_sentence_length - 3.0).abs() < 1e-12);
    assert!((metrics.dialogue_ratio - 0.5).abs() < 1e-12);
    assert_eq!(measure("……"), TextMetrics::default());
}

#[test]
fn a_sum_weighs_by_length() {
    let parts = [measure("一二三四五六七八。"), measure("“一”。二。")];
    let sum = TextMetrics::sum(&parts);
    assert_eq!((sum.words, sum.sentences, sum.dialogue_words), (10, 3, 1));
    assert!((sum.avg_sentence_length - 10.0 / 3.0).abs() < 1e-12);
    assert!((sum.dialogue_ratio - 0.1).abs() < 1e-12);
    assert_eq!(TextMetrics::sum([]), TextMetrics::default());
}

#[test]
fn a_gershayim_inside_a_word_does_not_split_it() {
    assert_eq!(totals("צה\"ל"), (1, 1, 0));
}

proptest! {
    #[test]
    fn words_are_the_words_of_the_count(text in "[“”「」『』\"。！？!?…a-c'’.: \\n\\r\u{2028}夜走]{0,40}|(.|\\n)*") {
        let metrics = measure(&text);
        prop_assert_eq!(metrics.words, count_words(&text));
        prop_assert!(metrics.sentences <= metrics.words);
        prop_assert!(metrics.dialogue_words <= metrics.words);
        prop_assert!((0.0..=1.0).contains(&metrics.dialogue_ratio));
    }

    #[test]
    fn a_sum_is_the_measure_of_the_whole(lines in prop::collection::vec("[“”「」\"。！a 夜走]{0,12}", 0..6)) {
        let parts: Vec<TextMetrics> = lines.iter().map(|line| measure(line)).collect();
        prop_assert_eq!(TextMetrics::sum(&parts), measure(&lines.join("\n")));
    }
}
