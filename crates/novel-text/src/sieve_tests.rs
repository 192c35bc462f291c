use proptest::prelude::*;

use super::*;

#[test]
fn most_characters_of_a_book_are_told_apart() {
    let sieve: CharSieve = "不禁值得一提仿佛".chars().collect();
    let held = ('\u{4E00}'..='\u{9FFF}').filter(|char| sieve.may_hold(*char));
    assert!(held.count() < 64);
    assert!(!CharSieve::default().may_hold('a'));
}

proptest! {
    #[test]
    fn what_is_in_it_is_never_denied(chars: Vec<char>) {
        let sieve: CharSieve = chars.iter().copied().collect();
        prop_assert!(chars.iter().all(|char| sieve.may_hold(*char)));
    }
}
