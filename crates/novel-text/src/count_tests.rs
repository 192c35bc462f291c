use proptest::prelude::*;

use super::*;

#[test]
fn han_kana_and_hangul_count_by_character() {
    for (text, expected) in [
        ("夜探废墟", 4),
        ("々〇〆", 3),
        ("スーパー", 4),
        ("ｽｰﾊﾟｰ", 4),
        ("ひらがな", 4),
        ("한국어", 3),
        ("𠀀𪜀𰀀", 3),
        ("﨑", 1),
    ] {
        assert_eq!(count_words(text), expected, "{text}");
    }
}

#[test]
fn decomposed_characters_count_like_composed_ones() {
    assert_eq!(
        count_words("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"),
        2
    );
    assert_eq!(count_words("か\u{3099}"), 1);
    assert_eq!(count_words("葛\u{E0100}"), 1);
}

#[test]
fn words_of_other_scripts_count_one() {
    for (text, expected) in [
        ("Hello, world!", 2),
        ("don't stop", 2),
        ("3.14", 1),
        ("１２", 1),
        ("ＡＢＣ", 1),
        ("Привет мир", 2),
        ("第48章", 3),
        ("他说OK。", 3),
        ("iPhone手机", 3),
        ("café", 1),
        ("Tom：Hello", 2),
        ("a:b", 2),
        ("1，2；3", 3),
        ("1,000", 1),
    ] {
        assert_eq!(count_words(text), expected, "{text}");
    }
}

#[test]
fn punctuation_white_space_and_symbols_count_nothing() {
    assert_eq!(count_words(""), 0);
    assert_eq!(
        count_words("，。！？……——“”「」·・《》、　\n\t* * *\0\u{200B}😀"),
        0
    );
}

proptest! {
    #[test]
    fn words_start_in_order_on_character_borders(text in "\\PC*|(.|\\n){0,40}") {
        let mut last = None;
        for_each_word(&text, |at| {
            assert!(text.is_char_boundary(at));
            assert!(last < Some(at));
            last = Some(at);
        });
    }

    #[test]
    fn lines_count_alone_as_together(lines in prop::collection::vec("[a-z一-龥가-힣ー。:. ]{0,9}", 0..6)) {
        let sum: usize = lines.iter().map(|line| count_words(line)).sum();
        prop_assert_eq!(count_words(&lines.join("\n")), sum);
    }
}

#[test]
fn the_short_ways_say_what_the_script_says() {
    for char in '\u{1200}'..=char::MAX {
        let script = char.script();
        let counts = matches!(
            script,
            Script::Han | Script::Hiragana | Script::Katakana | Script::Hangul
        );
        match classify(char) {
            // Shared between scripts, and listed by hand.
            Class::Character if script == Script::Common => {}
            Class::Character => assert!(counts, "{char:?}"),
            Class::Other => assert!(!counts, "{char:?}"),
            Class::JamoTail | Class::Mark | Class::Break => {}
        }
        assert!(!is_han(char) || script == Script::Han, "{char:?}");
    }
}
