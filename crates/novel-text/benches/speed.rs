//! How long a chapter takes: `cargo bench -p novel-text`.
//!
//! Nothing here fails on a slow machine; the target is printed beside each figure.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::time::{Duration, Instant};

/// The fastest of many runs, so that a busy machine does not decide.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
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

/// Time to find a thousand phrases in a chapter of 3,000 characters.
fn lint() -> Duration {
    let text = han(1, 3000);
    let phrases: Vec<String> = (0..1000)
        .map(|index| han(index + 7, 2 + index as usize % 6))
        .collect();
    fastest(50, || {
        std::hint::black_box(novel_text::lint(&text, &phrases));
    })
}

/// Time to compare two texts of 10,000 characters, the slower of two unlike ones.
fn compare() -> Duration {
    let before = han(1, 10_000);
    let foreign: String = han(2, 10_000)
        .chars()
        .map_while(|char| char::from_u32(u32::from(char) + 4000))
        .collect();
    let shuffled = han(3, 10_000);
    [foreign, shuffled]
        .iter()
        .map(|other| {
            fastest(5, || {
                std::hint::black_box(novel_text::change_ratio(&before, other));
            })
        })
        .max()
        .unwrap_or_default()
}

/// Time to look up sixty quotations, half of them changed, in a chapter of 6,000 characters.
fn locate() -> Duration {
    let text = han(1, 6000);
    let chars: Vec<char> = text.chars().collect();
    let quotations: Vec<String> = (0..60)
        .map(|index| {
            let mut quotation: String = chars[index * 97..index * 97 + 30].iter().collect();
            if index % 2 == 1 {
                quotation.push('龘');
            }
            quotation
        })
        .collect();
    fastest(50, || {
        let locator = novel_text::Locator::new(&text);
        let found = quotations
            .iter()
            .filter(|quotation| locator.contains(quotation));
        assert_eq!(std::hint::black_box(found.count()), 30);
    })
}

fn main() {
    // `cargo test --benches` asks for no figures.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    println!("lint of a chapter    {:>10.3?}  target 1 ms", lint());
    println!("sixty quotations     {:>10.3?}  target 5 ms", locate());
    println!("two unlike chapters  {:>10.3?}  target 200 ms", compare());
}
