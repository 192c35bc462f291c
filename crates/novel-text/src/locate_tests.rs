use proptest::prelude::*;

use super::*;

const CHAPTER: &str = "# 第 1 章 夜探\n\n\
    林枫推开**废屋**的木门，冷风灌了进来。他停住脚步——里面空无一人。\n\n\
    “走。”陈老低声说，“再晚就来不及了……真的来不及。”\n\n\
    “走！”他又说。Dr. Smith said \"Don’t wait for the morning,\" and left.\n\n\
    「嗯。」她点头。\n";

fn place<'a>(text: &'a str, quotation: &str) -> Option<Vec<&'a str>> {
    let located = Locator::new(text).locate(quotation)?;
    Some(located.parts.into_iter().map(|part| &text[part]).collect())
}

fn found(quotation: &str) -> Option<Vec<&'static str>> {
    place(CHAPTER, quotation)
}

#[test]
fn differences_of_form_do_not_matter() {
    for (quotation, place) in [
        (
            "林枫推开废屋的木门，冷风灌了进来。",
            "林枫推开**废屋**的木门，冷风灌了进来",
        ),
        (
            "林枫推开废屋的木门,冷风灌了进来",
            "林枫推开**废屋**的木门，冷风灌了进来",
        ),
        (
            "\"他停住脚步 -- 里面\n空无一人\"",
            "他停住脚步——里面空无一人",
        ),
        ("他停住脚步—里面空无一人。", "他停住脚步——里面空无一人"),
        (
            "「再晚就来不及了…真的来不及。」",
            "再晚就来不及了……真的来不及",
        ),
        (
            "走。\"陈老低声说，\"再晚就来不及了",
            "走。”陈老低声说，“再晚就来不及了",
        ),
        (
            "> *don't* WAIT for the **morning**",
            "Don’t wait for the morning",
        ),
        (
            "ＤＯＮ＇Ｔ wait for the morning",
            "Don’t wait for the morning",
        ),
    ] {
        assert_eq!(found(quotation), Some(vec![place]), "{quotation}");
    }
}

/// A label before an utterance: the words are the same with its brackets and without.
#[test]
fn brackets_around_a_label_do_not_matter() {
    let text = "【邱伯远】：“陆砚！你到底是谁？”";
    for quotation in [
        "邱伯远：陆砚！你到底是谁？",
        "【邱伯远】：“陆砚！你到底是谁？”",
    ] {
        assert!(Locator::new(text).contains(quotation), "{quotation}");
    }
    assert!(!Locator::new(text).contains("陆砚：邱伯远！你到底是谁？"));
}

#[test]
fn parts_stand_in_order_around_an_ellipsis() {
    assert_eq!(
        found("林枫推开废屋……里面空无一人"),
        Some(vec!["林枫推开**废屋", "里面空无一人"])
    );
    assert_eq!(
        found("……冷风灌了进来 [...] 再晚就来不及了……真的来不及"),
        Some(vec!["冷风灌了进来", "再晚就来不及了……真的来不及"])
    );
    assert_eq!(found("里面空无一人……林枫推开废屋"), None);
}

#[test]
fn scattered_letters_are_no_quotation() {
    for quotation in [
        "林…推…废…门…冷…灌…他…脚…里",
        "林枫…废屋…冷风…脚步…里面",
        "林枫推开废屋的木…了",
        "Smith ... wait ... the ... and ... left ... said",
    ] {
        assert_eq!(found(quotation), None, "{quotation}");
    }
}

#[test]
fn what_is_short_needs_a_whole_sentence_or_utterance_that_occurs_once() {
    for (quotation, expected) in [
        ("", None),
        ("……", None),
        ("“”", None),
        ("a", None),
        ("林枫", None),
        ("推开废屋的木门", None),
        ("冷风灌了进来", None),
        ("走", None),
        ("嗯", Some("嗯")),
        ("「嗯。」", Some("嗯")),
        ("她点头。", Some("她点头")),
        ("“走。”陈老低声说", None),
        ("“走！”他又说。", Some("走！”他又说")),
        ("wait for the", None),
        (
            "for the morning,\" and left",
            Some("for the morning,\" and left"),
        ),
    ] {
        assert_eq!(
            found(quotation),
            expected.map(|place| vec![place]),
            "{quotation}"
        );
    }
}

#[test]
fn an_utterance_that_occurs_twice_proves_nothing() {
    assert_eq!(place("“好。”他说。\n“不好。”", "好"), Some(vec!["好"]));
    assert_eq!(place("“好。”他说。\n“好！”", "好"), None);
}

#[test]
fn a_quotation_does_not_begin_inside_a_word() {
    let text = "The heart of the old king was cold.";
    assert_eq!(place(text, "art of the old king"), None);
    assert_eq!(place(text, "heart of the old kin"), None);
    assert_eq!(
        place(text, "HEART of the old king"),
        Some(vec!["heart of the old king"])
    );
}

#[test]
fn decomposed_letters_are_the_same_letters() {
    let text = "Le café était fermé depuis longtemps, je crois.";
    let decomposed = "cafe\u{301} e\u{301}tait ferme\u{301} depuis longtemps";
    assert_eq!(
        place(text, decomposed),
        Some(vec!["café était fermé depuis longtemps"])
    );
}

#[test]
fn a_chapter_of_one_character_is_searched_in_bounded_time() {
    let text = "啊".repeat(20_000);
    let quotation = "啊啊啊啊…".repeat(15) + "哦哦哦哦哦哦";
    assert_eq!(place(&text, &quotation), None);
    assert_eq!(place(&"！".repeat(200_000), "啊"), None);
}

/// Prose of a few characters, so that places repeat.
fn prose() -> impl Strategy<Value = String> {
    "([林枫推开门雨夜他说了，。！？…—“”「」Ab' \n*]|——|……){0,120}"
}

/// The same text as another hand would quote it.
fn disguised(text: &str) -> String {
    text.chars()
        .flat_map(|char| match char {
            '“' | '”' => vec!['"'],
            '「' => vec!['『', '*'],
            '」' => vec!['*', '』'],
            '，' => vec![',', ' '],
            '！' => vec!['!'],
            '—' => vec!['-'],
            '\n' => vec![' ', '\n', '\u{3000}'],
            'A' => vec!['Ａ'],
            'b' => vec!['B'],
            '\'' => vec!['’'],
            other => vec![other, '\u{200B}'],
        })
        .collect()
}

proptest! {
    #[test]
    fn an_honest_quotation_is_located_however_it_is_written(
        before in prose(), body in "[天地玄黄宇宙洪荒]{8,20}", after in prose(),
    ) {
        let text = format!("{before}{body}{after}");
        let located = Locator::new(&text).locate(&disguised(&body));
        prop_assert_eq!(located.map(|located| text[located.span()].to_owned()), Some(body));
    }

    #[test]
    fn a_piece_of_the_text_is_located(
        text in "[林枫推开门雨夜他说了，！？—“”「」\n*]{60,120}", start in 0..30usize,
    ) {
        let piece: String = text.chars().skip(start).take(30).collect();
        prop_assume!(weight(&piece) >= ENOUGH_CHARACTERS * ENOUGH_WORDS);
        let located = Locator::new(&text).locate(&disguised(&piece));
        prop_assert!(located.is_some(), "{} in {}", piece, text);
    }

    #[test]
    fn places_are_in_order_and_fold_to_the_quotation(text in ".{0,200}", quotation in ".{0,40}") {
        if let Some(located) = Locator::new(&text).locate(&quotation) {
            let mut end = 0;
            for part in &located.parts {
                prop_assert!(end <= part.start && part.start < part.end);
                prop_assert!(text.get(part.clone()).is_some());
                end = part.end;
            }
        }
    }

    #[test]
    fn what_is_not_there_is_not_located(text in prose(), foreign in "[甲乙丙丁]{1,3}", quotation in prose()) {
        let quotation = format!("{quotation}{foreign}");
        prop_assert_eq!(Locator::new(&text).locate(&quotation), None);
    }
}
