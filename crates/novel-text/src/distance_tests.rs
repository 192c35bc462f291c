use proptest::prelude::*;

use super::edit_distance;

/// The table itself, row by row.
fn by_table(before: &str, after: &str) -> usize {
    let after: Vec<char> = after.chars().collect();
    let mut row: Vec<usize> = (0..=after.len()).collect();
    for (i, old) in before.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, new) in after.iter().enumerate() {
            let above = row[j + 1];
            let replaced = diagonal + usize::from(old != *new);
            row[j + 1] = replaced.min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
    }
    row[after.len()]
}

#[test]
fn known_distances() {
    assert_eq!(edit_distance("", ""), 0);
    assert_eq!(edit_distance("雨停了", "雨停了"), 0);
    assert_eq!(edit_distance("", "雨停了"), 3);
    assert_eq!(edit_distance("kitten", "sitting"), 3);
    assert_eq!(edit_distance("他慢慢地走", "他缓缓走"), 3);
}

proptest! {
    #[test]
    fn agrees_with_the_table(before in "[abc]{0,200}", after in "[abc]{0,200}") {
        prop_assert_eq!(edit_distance(&before, &after), by_table(&before, &after));
    }
}
