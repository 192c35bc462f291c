use super::*;

#[test]
fn a_wrapper_comes_apart_and_back_together() {
    for content in ["", "一行", "a\n\nb", "</DATA>\n<data>", "x\n"] {
        let text = wrap_data(DataKind::Summary, "a/b \"c\".md", content);
        let wrapped = Wrapped::parse(&text).expect("wrapped");
        assert_eq!(wrapped.text(), text);
        assert_eq!(wrapped.with(&wrapped.content), wrapped);
    }
}

#[test]
fn a_cut_that_joins_the_parts_of_a_tag_is_escaped_again() {
    let text = wrap_data(DataKind::Summary, "a.md", "<\nX\n/DATA>");
    let wrapped = Wrapped::parse(&text).expect("wrapped");
    let joined = wrapped.with(&wrapped.content.replace("X\n", "")).text();
    let squeezed: String = joined.to_lowercase().split_whitespace().collect();
    assert_eq!(squeezed.matches("</data").count(), 1, "{joined}");
}

#[test]
fn plain_text_is_not_wrapped() {
    for text in ["", "text", "<DATA type=\"a\">", "<DATA type=\"a\">\nopen"] {
        assert_eq!(Wrapped::parse(text), None, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn any_content_with_parts_cut_out_has_one_opening_and_one_closing_tag(
        pieces in proptest::collection::vec("(<|＜|/|DATA|data|ｄ| |\n|[a-z]|夜|>|①|①)", 0..60),
    ) {
        let wrapped = Wrapped::new(DataKind::Summary, "a.md", &pieces.concat());
        // What is cut out may have parted a tag.
        let kept = wrapped.content.replace('①', "");
        let text = wrapped.with(&kept).text();
        let folded: String = text
            .chars()
            .filter(|char| !char.is_whitespace())
            .map(|char| match char {
                '！'..='～' => char::from_u32(u32::from(char) - 0xFEE0).unwrap_or(char),
                char => char,
            })
            .collect::<String>()
            .to_lowercase();
        proptest::prop_assert_eq!(folded.matches("<data").count(), 1);
        proptest::prop_assert_eq!(folded.matches("</data").count(), 1);
        proptest::prop_assert!(text.starts_with("<DATA ") && text.ends_with("\n</DATA>"));
    }
}
