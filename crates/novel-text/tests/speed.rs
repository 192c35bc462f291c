//! Time bounds, held by optimised builds only: `cargo test --release -p novel-text`.

use std::time::{Duration, Instant};

/// The fastest of many runs, so that a busy machine does not decide.
#[expect(clippy::disallowed_methods, reason = "the test measures time")]
fn fastest(runs: usize, mut work: impl FnMut()) -> Duration {
    (0..runs)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

/// Han characters in a fixed, scattered order.
fn han(seed: u32, count: usize) -> String {
    let mut state = seed;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from_u32(0x4E00 + (state >> 16) % 3000).unwrap_or('一')
        })
        .collect()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "a bound of optimised builds")]
fn a_chapter_is_linted_against_a_thousand_phrases_in_a_millisecond() {
    let text = han(1, 3000);
    let phrases: Vec<String> = (0..1000)
        .map(|index| han(index + 7, 2 + index as usize % 6))
        .collect();
    let time = fastest(50, || {
        std::hint::black_box(novel_text::lint(&text, &phrases));
    });
    assert!(time < Duration::from_millis(1), "{time:?}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "a bound of optimised builds")]
fn two_texts_that_share_nothing_are_compared_in_a_fifth_of_a_second() {
    let before = han(1, 10_000);
    let after: String = han(2, 10_000)
        .chars()
        .map(|char| char::from_u32(u32::from(char) + 4000))
        .map_while(|c| c)
        .collect();
    let shuffled = han(3, 10_000);
    for other in [&after, &shuffled] {
        let time = fastest(5, || {
            std::hint::black_box(novel_text::change_ratio(&before, other));
        });
        assert!(time < Duration::from_millis(200), "{time:?}");
    }
}
