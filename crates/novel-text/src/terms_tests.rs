use super::*;

#[test]
fn words_meet_in_their_stems_and_grammar_is_left_out() {
    let said = term_set("He promised the keys to the Keeper's daughters.");
    for word in ["promise", "promises", "key", "keeper", "daughter"] {
        assert_eq!(coverage(&term_set(word), &said), 1.0, "{word}");
    }
    assert!(term_set("he was in the").is_empty());
    assert_eq!(terms("one lamp, two lamps").len(), 2);
}

#[test]
fn pairs_of_characters_do_not_cross_marks_or_words() {
    assert_eq!(terms("灯塔，灯塔").len(), 2);
    assert_eq!(term_set("灯塔，灯塔").len(), 1);
    assert!(terms("他的").is_empty());
    assert_eq!(terms("灯 塔").len(), 0);
    assert_eq!(terms("A灯塔B").len(), 1);
}

#[test]
fn a_name_keeps_all_of_its_terms() {
    assert_eq!(name_terms("不二").len(), 1);
    assert_eq!(name_terms("Old Chen").len(), 2);
    assert_eq!(name_terms("林枫"), terms("林枫"));
}

#[test]
fn coverage_is_a_share() {
    let wanted = term_set("青石桥约定");
    assert_eq!(coverage(&wanted, &term_set("青石桥上")), 0.5);
    assert_eq!(coverage(&BTreeSet::new(), &wanted), 0.0);
}
