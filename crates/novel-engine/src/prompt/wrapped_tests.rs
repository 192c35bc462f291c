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
