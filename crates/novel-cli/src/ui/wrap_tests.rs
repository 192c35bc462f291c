//! Lines that fit a terminal.

use super::{Flow, shortened, width, wrapped};

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

#[test]
fn prose_that_comes_in_pieces_is_broken_as_if_it_had_come_at_once() {
    let text = "Mira Holt is back at the ferry house, still below the waist.\n\nShe waits.\n";
    let whole = "Mira Holt is back at\nthe ferry house,\nstill below the\nwaist.\n\nShe waits.\n";
    let zh = "风在高处呼啸，低处只听见余音。一阵凉意贴着脚踝过来。";
    for size in [1, 2, 3, 7, 100] {
        let mut flow = Flow::new(20);
        let chars: Vec<char> = text.chars().collect();
        let mut shown = String::new();
        for piece in chars.chunks(size) {
            shown.push_str(&flow.push(&piece.iter().collect::<String>()));
        }
        shown.push_str(&flow.end());
        let lines: Vec<&str> = shown.lines().map(str::trim_end).collect();
        assert_eq!(lines, whole.lines().collect::<Vec<_>>(), "{size}");
        let mut flow = Flow::new(20);
        let chars: Vec<char> = zh.chars().collect();
        let mut shown = String::new();
        for piece in chars.chunks(size) {
            shown.push_str(&flow.push(&piece.iter().collect::<String>()));
        }
        shown.push_str(&flow.end());
        assert_eq!(shown.replace('\n', ""), zh);
        for line in shown.lines() {
            assert!(width(line) <= 20, "{line}");
            assert!(!line.starts_with(['，', '。']), "{shown}");
        }
    }
}

#[test]
fn a_long_text_in_one_line_ends_behind_a_word() {
    assert_eq!(
        shortened("draft 2: judge 4.24, 840 words", 24),
        "draft 2: judge 4.24,…"
    );
    assert_eq!(shortened("one\n  two", 24), "one two");
    assert_eq!(shortened("草稿二：评审 4.24，1445 字", 10), "草稿二：…");
}
