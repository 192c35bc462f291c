//! Edit distance between two texts: how many characters must be put in, taken out or replaced.
//!
//! Exact for everything of a chapter's size, 64 rows of the table at a time (Myers' blocks).

use std::collections::HashMap;

/// Most 64-row steps spent on the exact distance (two texts of about 110,000 characters).
const MAX_STEPS: usize = 200_000_000;

/// Least number of characters put in, taken out or replaced between two texts. Texts far beyond a
/// chapter's size count everything between their common beginning and end.
#[must_use]
pub fn edit_distance(before: &str, after: &str) -> usize {
    let (before, after): (Vec<char>, Vec<char>) =
        (before.chars().collect(), after.chars().collect());
    let prefix = before
        .iter()
        .zip(&after)
        .take_while(|(a, b)| a == b)
        .count();
    let (old, new) = (&before[prefix..], &after[prefix..]);
    let suffix = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (old, new) = (&old[..old.len() - suffix], &new[..new.len() - suffix]);
    if old.is_empty() || new.is_empty() {
        return old.len().max(new.len());
    }
    if old.len().div_ceil(64).saturating_mul(new.len()) > MAX_STEPS {
        return old.len().max(new.len());
    }
    blocks(old, new)
}

/// One column of 64 rows.
#[derive(Clone, Copy)]
struct Block {
    /// Rows where the distance grows by one from the row above.
    rises: u64,
    /// Rows where it falls by one.
    falls: u64,
}

fn blocks(old: &[char], new: &[char]) -> usize {
    let count = old.len().div_ceil(64);
    let mut places: HashMap<char, Vec<u64>> = HashMap::new();
    for (at, char) in old.iter().enumerate() {
        let mask = places.entry(*char).or_insert_with(|| vec![0; count]);
        mask[at / 64] |= 1 << (at % 64);
    }
    let nowhere = vec![0u64; count];
    let mut column = vec![
        Block {
            rises: u64::MAX,
            falls: 0,
        };
        count
    ];
    let last_row = 1u64 << ((old.len() - 1) % 64);
    let mut distance = old.len();
    for char in new {
        let equal = places.get(char).unwrap_or(&nowhere);
        // The first row grows by one with every character.
        let mut step_in = 1i8;
        for (at, block) in column.iter_mut().enumerate() {
            let is_last = at + 1 == count;
            let row = if is_last { last_row } else { 1 << 63 };
            step_in = advance(block, equal[at], step_in, row);
        }
        match step_in {
            1 => distance += 1,
            -1 => distance -= 1,
            _ => {}
        }
    }
    distance
}

/// Moves a block one column on; takes and gives the step of the row between two blocks.
fn advance(block: &mut Block, equal: u64, step_in: i8, row: u64) -> i8 {
    let vertical = equal | block.falls;
    let equal = equal | u64::from(step_in < 0);
    let horizontal = ((equal & block.rises).wrapping_add(block.rises) ^ block.rises) | equal;
    let grows = block.falls | !(horizontal | block.rises);
    let shrinks = block.rises & horizontal;
    let step_out = if grows & row != 0 {
        1
    } else if shrinks & row != 0 {
        -1
    } else {
        0
    };
    let grows = (grows << 1) | u64::from(step_in > 0);
    let shrinks = (shrinks << 1) | u64::from(step_in < 0);
    block.rises = shrinks | !(vertical | grows);
    block.falls = grows & vertical;
    step_out
}

#[cfg(test)]
#[path = "distance_tests.rs"]
mod tests;
