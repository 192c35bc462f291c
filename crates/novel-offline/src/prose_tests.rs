use novel_text::sentences;

use super::*;

#[test]
fn a_phrase_of_a_plan_loses_its_marks() {
    assert_eq!(clean("- 林枫 发现\n密信。"), "林枫 发现 密信");
    assert_eq!(
        clean("**The gate** is shut;"),
        "The gate** is shut".replace("**", "")
    );
    assert_eq!(clean("# ***"), "");
}

#[test]
fn only_ordinary_words_lose_their_capital() {
    assert_eq!(lower_first("The gate is shut"), "the gate is shut");
    assert_eq!(lower_first("Ilse waits"), "Ilse waits");
    assert_eq!(lower_first(""), "");
}

#[test]
fn marks_that_meet_are_reduced() {
    assert_eq!(tidy("他来了。。走了", Lang::Zh), "他来了。走了");
    assert_eq!(tidy("他来了？，走了", Lang::Zh), "他来了？走了");
    assert_eq!(tidy("他来了，。走了", Lang::Zh), "他来了。走了");
    assert_eq!(tidy("他……走了——真的", Lang::Zh), "他……走了——真的");
    assert_eq!(tidy("So,. it goes", Lang::En), "So. it goes");
    assert_eq!(tidy("wait... no", Lang::En), "wait... no");
}

#[test]
fn coverage_measures_what_is_said() {
    let text = Compared::new("林枫在废墟里发现了那封密信，没有声张。");
    assert!(text.coverage("林枫发现密信") > 0.5);
    assert!(text.coverage("陈老拔剑而起") < 0.1);
    let english = Compared::new("At the pump house Ilse finds the third ledger.");
    assert!(english.coverage("Ilse finds a ledger in the pump house") > 0.9);
}

#[test]
fn the_best_sentence_is_found() {
    let all = sentences("天黑了。林枫发现了密信。没有人来。");
    let (sentence, share) = best_sentence(&all, "林枫发现密信").unwrap();
    assert_eq!(sentence, "林枫发现了密信。");
    assert!(share > 0.5);
    assert!(best_sentence(&all, "xyz").is_none());
}

#[test]
fn clipping_prefers_a_mark() {
    assert_eq!(clip("一二三，四五六七", 6), "一二三…");
    assert_eq!(clip("一二三", 6), "一二三");
}
