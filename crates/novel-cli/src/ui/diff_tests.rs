use novel_text::word_diff;

use super::*;

fn plain(old: &str, new: &str) -> String {
    anstream::adapter::strip_str(&render(&word_diff(old, new), Lang::En)).to_string()
}

#[test]
fn only_what_changed_is_shown_with_a_paragraph_around_it() {
    let old = "# One\n\nalpha\n\nbeta\n\nthe red door\n\ngamma\n\ndelta\n";
    let new = "# One\n\nalpha\n\nbeta\n\nthe old door\n\ngamma\n\ndelta\n";
    assert_eq!(
        plain(old, new),
        "⋯ 2 paragraphs unchanged\nbeta\nthe [-red-]{+old+} door\ngamma\n⋯ 1 paragraph unchanged\n"
    );
}

#[test]
fn a_paragraph_that_came_or_went_is_a_change() {
    assert_eq!(plain("a\n\nb\n", "a\n\nnew\n\nb\n"), "a\n{+new+}\nb\n");
    assert_eq!(plain("a\n\nold\n\nb\n", "a\n\nb\n"), "a\n[-old-]\nb\n");
}

#[test]
fn the_same_text_shows_nothing() {
    assert_eq!(plain("a\n\nb\n", "a\n\nb\n"), "");
}

#[test]
fn control_characters_of_a_text_do_not_reach_the_terminal() {
    let shown = render(&word_diff("a", "\u{1b}[31mb"), Lang::En);
    assert!(!shown.contains("\u{1b}[31mb"));
}
