use super::*;

#[test]
fn old_and_new_spellings_are_read() {
    for (text, number) in [
        ("12", 12),
        ("１２", 12),
        ("十二", 12),
        ("一百二十", 120),
        ("一百三", 103),
        ("一百零三", 103),
        ("一千二", 1002),
        ("〇一二", 12),
    ] {
        assert_eq!(chinese(text), Some(number), "{text}");
    }
    assert_eq!(chinese("百千"), None);
}

#[test]
fn english_numbers_are_read_with_what_follows() {
    for (text, number, rest) in [
        ("12. The Storm", 12, ". The Storm"),
        ("XII", 12, ""),
        ("xiv: A", 14, ": A"),
        ("Twelve", 12, ""),
        ("Twenty-One - B", 21, " - B"),
        ("Twenty One", 21, ""),
        ("the First", 1, ""),
        ("THE SECOND. C", 2, ". C"),
    ] {
        assert_eq!(english(text), Some((number, rest)), "{text}");
    }
    for text in ["of the book", "IIII", "VX", "0", "Xi", "", "the"] {
        assert_eq!(english(text), None, "{text}");
    }
}
