use proptest::prelude::*;

use super::*;

const CHAPTER: &str = "# 第 2 章 局长的抽屉\n\n\
    陆砚推开局长室的门。邱伯远坐在桌后，没有抬头。\n\n\
    “走。”他说。\n\n“走。”他说。\n\n\
    封口上的蓝蜡在窗光里泛着暗色。何小满在井边洗一摞旧信袋。\n";

#[test]
fn a_paraphrase_finds_the_sentence_it_means() {
    let found = nearest_sentences(CHAPTER, "信封封口的蓝蜡颜色发暗", 1);
    assert_eq!(found, ["封口上的蓝蜡在窗光里泛着暗色。"]);
}

#[test]
fn without_a_word_in_common_they_come_from_all_over_the_chapter() {
    let found = nearest_sentences(CHAPTER, "", 2);
    assert_eq!(
        found,
        ["陆砚推开局长室的门。", "封口上的蓝蜡在窗光里泛着暗色。"]
    );
}

/// Attack: what stands there twice, and the title, cannot be told apart from another place.
#[test]
fn only_what_is_located_is_offered() {
    let all = nearest_sentences(CHAPTER, "走，他说，局长的抽屉", 20);
    assert_eq!(all.len(), 4, "{all:?}");
}

proptest! {
    #[test]
    fn every_offer_is_a_quotation_of_the_text(
        text in "([林枫推开门雨夜他说了，。！？“”\n]|——|……){0,200}", wanted in "[林枫门雨]{0,12}", most in 1..8usize,
    ) {
        let locator = Locator::new(&text);
        let found = nearest_sentences(&text, &wanted, most);
        prop_assert!(found.len() <= most);
        for sentence in found {
            prop_assert!(locator.contains(sentence), "{sentence}");
        }
    }
}
