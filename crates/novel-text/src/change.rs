//! How much of a text was changed.
//!
//! The share is exact for everything of a chapter's size: the length of the
//! longest common subsequence of characters, computed 64 positions at a time,
//! which needs neither a heuristic nor a time limit.

use std::collections::{BTreeMap, HashMap};

/// Most 64-position steps spent on the exact share (two texts of about 110,000 characters).
const MAX_STEPS: usize = 200_000_000;

/// Share of characters changed from `before` to `after`, from 0 (equal) to 1 (nothing in common).
///
/// `1 - 2 * kept / (characters before + characters after)`, where `kept` is the
/// length of the longest common subsequence of characters. Two empty texts are
/// equal. Texts far beyond a chapter's size are compared by whole lines, in any order.
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "text lengths are far below 2^52"
)]
pub fn change_ratio(before: &str, after: &str) -> f64 {
    let (before, after): (Vec<char>, Vec<char>) =
        (before.chars().collect(), after.chars().collect());
    let total = before.len() + after.len();
    if total == 0 {
        return 0.0;
    }
    let kept = kept_chars(&before, &after);
    (total - 2 * kept) as f64 / total as f64
}

fn kept_chars(before: &[char], after: &[char]) -> usize {
    let prefix = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (old, new) = (&before[prefix..], &after[prefix..]);
    let suffix = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (old, new) = (&old[..old.len() - suffix], &new[..new.len() - suffix]);
    if old.len().div_ceil(64).saturating_mul(new.len()) <= MAX_STEPS {
        prefix + longest_common_subsequence(old, new) + suffix
    } else {
        common_lines(before, after).max(prefix + suffix)
    }
}

/// Characters of the lines that occur in both texts, each as often as in both.
fn common_lines(before: &[char], after: &[char]) -> usize {
    let mut lines: BTreeMap<&[char], usize> = BTreeMap::new();
    for line in before.split_inclusive(|char| *char == '\n') {
        *lines.entry(line).or_default() += 1;
    }
    let mut kept = 0;
    for line in after.split_inclusive(|char| *char == '\n') {
        if let Some(left) = lines.get_mut(line).filter(|left| **left > 0) {
            *left -= 1;
            kept += line.len();
        }
    }
    kept
}

/// Length of the longest common subsequence, by rows of bits.
///
/// Bit `i` of the row is zero when the best length grows at position `i` of
/// `before`; each character of `after` updates the whole row with one long
/// addition (Hyyrö's form of the Allison-Dix algorithm).
fn longest_common_subsequence(before: &[char], after: &[char]) -> usize {
    let words = before.len().div_ceil(64);
    let mut positions: HashMap<char, Vec<usize>> = HashMap::new();
    for (at, char) in before.iter().enumerate() {
        positions.entry(*char).or_default().push(at);
    }
    // At most 64 characters can occur more often than the row has words; the mask of any other
    // one is cheaper to set and clear than to keep.
    let frequent: HashMap<char, Vec<u64>> = positions
        .iter()
        .filter(|(_, positions)| positions.len() > words)
        .map(|(char, positions)| (*char, mask_of(positions, words)))
        .collect();
    let mut row = vec![u64::MAX; words];
    let mut scratch = vec![0u64; words];
    for char in after {
        if let Some(mask) = frequent.get(char) {
            update(&mut row, mask);
        } else if let Some(positions) = positions.get(char) {
            for at in positions {
                scratch[at / 64] |= 1 << (at % 64);
            }
            update(&mut row, &scratch);
            for at in positions {
                scratch[at / 64] = 0;
            }
        }
    }
    // The bits beyond the text are never in a mask, so they stay one unless a carry ran into
    // them, which is put back by the second term of the update.
    row.iter().map(|word| word.count_zeros() as usize).sum()
}

fn mask_of(positions: &[usize], words: usize) -> Vec<u64> {
    let mut mask = vec![0u64; words];
    for at in positions {
        mask[at / 64] |= 1 << (at % 64);
    }
    mask
}

fn update(row: &mut [u64], mask: &[u64]) {
    let mut carry = false;
    for (word, mask) in row.iter_mut().zip(mask) {
        let (sum, first) = word.overflowing_add(*word & mask);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first || second;
        *word = sum | (*word & !mask);
    }
}

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;
