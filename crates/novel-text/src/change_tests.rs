use proptest::prelude::*;

use super::*;

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-12
}

#[test]
fn known_shares() {
    for (before, after, expected) in [
        ("", "", 0.0),
        ("夜色", "夜色", 0.0),
        ("夜色", "", 1.0),
        ("", "夜色", 1.0),
        ("甲乙丙丁", "戊己庚辛", 1.0),
        ("一二三四五六七八九十", "一二三四五六七八九百", 0.1),
        ("甲乙", "乙甲", 0.5),
        ("甲乙丙", "甲丙", 0.2),
    ] {
        let share = change_ratio(before, after);
        assert!(close(share, expected), "{before} -> {after}: {share}");
    }
}

#[test]
fn texts_beyond_the_bound_are_compared_by_lines() {
    let line = |number: usize| format!("{number:0>99}\n");
    let before: String = (0..1300).map(line).collect();
    let after: String = (0..1300).rev().map(line).collect();
    assert!(close(change_ratio(&before, &after), 0.0));
    let other = "x".repeat(130_000);
    assert!(close(change_ratio(&before, &other), 1.0));
}

/// The textbook table.
fn plain_lcs(before: &[char], after: &[char]) -> usize {
    let mut row = vec![0; after.len() + 1];
    for a in before {
        let mut diagonal = 0;
        for (at, b) in after.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if a == b {
                diagonal + 1
            } else {
                above.max(row[at])
            };
            diagonal = above;
        }
    }
    row[after.len()]
}

proptest! {
    #[test]
    fn the_bit_rows_agree_with_the_table(before in "[ab夜]{0,300}|[a-z]{0,300}", after in "[ab夜]{0,300}|[a-z]{0,300}") {
        let before: Vec<char> = before.chars().collect();
        let after: Vec<char> = after.chars().collect();
        let expected = plain_lcs(&before, &after);
        prop_assert_eq!(longest_common_subsequence(&before, &after), expected);
        prop_assert_eq!(kept_chars(&before, &after), expected);
    }

    #[test]
    fn the_share_is_a_share_and_symmetric(before in "(.|\\n){0,80}", after in "(.|\\n){0,80}") {
        let share = change_ratio(&before, &after);
        prop_assert!((0.0..=1.0).contains(&share));
        prop_assert!(close(share, change_ratio(&after, &before)));
        prop_assert_eq!(share == 0.0, before == after);
        prop_assert!(close(change_ratio(&before, &before), 0.0));
    }
}
