//! Lines that fit a terminal.

use super::{width, wrapped};

#[test]
fn words_are_not_cut_and_what_fits_is_left_alone() {
    let text = "hint: nothing has changed; try again with `novel plan --retry`, or choose with `novel start`\nshort\n";
    let shown = wrapped(text, 40, 2);
    assert!(shown.lines().all(|line| width(line) <= 40), "{shown}");
    assert_eq!(
        shown.split_whitespace().collect::<Vec<_>>(),
        text.split_whitespace().collect::<Vec<_>>()
    );
    assert!(shown.ends_with("\nshort\n"), "{shown}");
    assert_eq!(wrapped(text, 400, 2), text);
}

#[test]
fn chinese_breaks_between_characters_but_not_before_a_full_stop() {
    let text = "一切保持原样；用 `novel plan --retry` 重试，或用 `novel start` 选择下一步。\n";
    for columns in 20..70 {
        let shown = wrapped(text, columns, 0);
        for line in shown.lines() {
            assert!(width(line) <= columns, "{columns}: {shown}");
            assert!(!line.starts_with(['。', '，', '；']), "{columns}: {shown}");
        }
        assert!(shown.contains("--retry"), "{columns}: {shown}");
    }
}

#[test]
fn styles_take_no_column_and_a_line_goes_on_below_its_beginning() {
    let text = "  \u{1b}[1mplace\u{1b}[0m: one two three four five six\n";
    assert_eq!(width(text), 36);
    assert_eq!(
        wrapped(text, 20, 2),
        "  \u{1b}[1mplace\u{1b}[0m: one two\n    three four five\n    six\n"
    );
}

#[test]
fn a_word_longer_than_a_line_stays_whole() {
    let path = "volumes/vol-02/chapter-contracts/chapter-055.json";
    let shown = wrapped(&format!("see {path} now\n"), 20, 2);
    assert!(shown.contains(path), "{shown}");
    assert_eq!(wrapped("", 20, 2), "");
    assert_eq!(wrapped("\n", 1, 2), "\n");
}

#[test]
fn the_description_of_an_option_goes_on_below_its_beginning() {
    let text = "Options:\n  \u{1b}[1m--to\u{1b}[0m <N>  Write until chapter N is there\n";
    assert_eq!(
        super::wrapped_help(text, 30),
        "Options:\n  \u{1b}[1m--to\u{1b}[0m <N>  Write until\n            chapter N is there\n"
    );
}
