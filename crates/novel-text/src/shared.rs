//! What a text has in common with another one: long runs, and how much of it in all.
//!
//! Letters and digits are compared, whatever stands between them; a run is measured in counted
//! characters, where a word of a script with word spaces counts as much as a character and a half.

use std::collections::{HashMap, HashSet};

use crate::{count::is_cjk, locate::fold_letters};

/// Letters of a piece that is looked up in the other text.
const PIECE: usize = 12;
/// Counted characters of a run that counts for the share.
const RUN: usize = 30;
/// What a Han character counts, in halves.
const CHARACTER: usize = 2;
/// What a word of another script counts, in halves.
const WORD: usize = 3;

/// A text in which other texts are looked for.
#[derive(Debug, Clone)]
pub struct Compared<'a> {
    text: &'a str,
    letters: Vec<Letter>,
    /// Places of every piece, by its hash.
    pieces: HashMap<u64, Vec<usize>>,
    total: usize,
}

/// One folded letter and what it adds to the length of a run.
#[derive(Debug, Clone, Copy)]
struct Letter {
    char: char,
    weight: usize,
    origin: (usize, usize),
}

/// What two texts have in common.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InCommon<'a> {
    /// Counted characters of the longest run.
    pub longest: usize,
    /// The longest run, as it stands in the text.
    pub run: &'a str,
    /// Share of the text that lies in longer runs of the other one, from 0 to 1.
    pub share: f64,
}

impl<'a> Compared<'a> {
    /// Prepares a text.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let letters = letters(text);
        let mut pieces: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, piece) in letters.windows(PIECE).enumerate() {
            pieces.entry(hash(piece)).or_default().push(at);
        }
        let total = letters.iter().map(|letter| letter.weight).sum();
        Self {
            text,
            letters,
            pieces,
            total,
        }
    }

    /// What the text has in common with `other`.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "text lengths are far below 2^52"
    )]
    pub fn with(&self, other: &str) -> InCommon<'a> {
        let other = letters(other);
        let mut covered = vec![false; self.letters.len()];
        let mut found = InCommon::default();
        // Where a run was followed to, by the distance between its two places.
        let mut followed: HashMap<usize, usize> = HashMap::new();
        for (there, piece) in other.windows(PIECE).enumerate() {
            let Some(places) = self.pieces.get(&hash(piece)) else {
                continue;
            };
            for here in places {
                let diagonal = here + other.len() - there;
                if followed.get(&diagonal).is_some_and(|end| *end > *here) {
                    continue;
                }
                let length = self.letters[*here..]
                    .iter()
                    .zip(&other[there..])
                    .take_while(|(a, b)| a.char == b.char)
                    .count();
                if length < PIECE {
                    continue;
                }
                let run = *here..*here + length;
                followed.insert(diagonal, run.end);
                let weight: usize = self.letters[run.clone()].iter().map(|l| l.weight).sum();
                let counted = weight / CHARACTER;
                if counted > found.longest {
                    found.longest = counted;
                    let (start, end) = (
                        self.letters[run.start].origin.0,
                        self.letters[run.end - 1].origin.1,
                    );
                    found.run = &self.text[start..end];
                }
                if counted >= RUN {
                    covered[run].fill(true);
                }
            }
        }
        let shared: usize = self
            .letters
            .iter()
            .zip(&covered)
            .filter(|(_, covered)| **covered)
            .map(|(letter, _)| letter.weight)
            .sum();
        if self.total > 0 {
            found.share = shared as f64 / self.total as f64;
        }
        found
    }

    /// Share of the text that says again, word for word, what the text has said before.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "text lengths are far below 2^52"
    )]
    pub fn said_twice(&self) -> f64 {
        let mut seen: HashSet<Vec<char>> = HashSet::new();
        let mut again = 0;
        for sentence in crate::sentences(self.text) {
            let letters = letters(sentence);
            if letters.len() < PIECE {
                continue;
            }
            let weight: usize = letters.iter().map(|letter| letter.weight).sum();
            if !seen.insert(letters.into_iter().map(|letter| letter.char).collect()) {
                again += weight;
            }
        }
        if self.total == 0 {
            0.0
        } else {
            again as f64 / self.total as f64
        }
    }
}

/// Bytes of a block: some 20 Han characters.
const BLOCK: usize = 60;
const BASE: u64 = 0x0000_0100_0000_01b3;

/// Blocks of a text, to tell quickly which of many texts may share a long run with it.
#[derive(Debug, Clone)]
pub struct Blocks {
    hashes: HashSet<u64>,
    /// A bit for every hash, so that most places of a text need no look-up.
    bits: Vec<u64>,
}

impl Blocks {
    /// The blocks of a text. A run of twice their length that another text shares, byte for byte,
    /// holds at least one of them.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let blocks = text.as_bytes().chunks_exact(BLOCK).map(hash_bytes);
        let hashes: HashSet<u64> = blocks.collect();
        let mut bits = vec![0; BITS / 64];
        for hash in &hashes {
            let (word, bit) = bit_of(*hash);
            bits[word] |= bit;
        }
        Self { hashes, bits }
    }

    fn contains(&self, hash: u64) -> bool {
        let (word, bit) = bit_of(hash);
        self.bits[word] & bit != 0 && self.hashes.contains(&hash)
    }

    /// Whether `other` may hold one of the blocks.
    #[must_use]
    pub fn may_be_in(&self, other: &str) -> bool {
        let bytes = other.as_bytes();
        if bytes.len() < BLOCK || self.hashes.is_empty() {
            return false;
        }
        let top = (1..BLOCK).fold(1u64, |power, _| power.wrapping_mul(BASE));
        let mut hash = hash_bytes(&bytes[..BLOCK]);
        if self.contains(hash) {
            return true;
        }
        for (gone, came) in bytes.iter().zip(&bytes[BLOCK..]) {
            hash = hash.wrapping_sub(u64::from(*gone).wrapping_mul(top));
            hash = hash.wrapping_mul(BASE).wrapping_add(u64::from(*came));
            if self.contains(hash) {
                return true;
            }
        }
        false
    }
}

/// Bits of the quick look-up.
const BITS: usize = 1 << 15;

/// The word of the quick look-up and the bit in it that stand for a hash. High bits of the hash depend on
/// all bytes of its block.
fn bit_of(hash: u64) -> (usize, u64) {
    let place = hash >> (64 - BITS.trailing_zeros());
    ((place / 64) as usize, 1 << (place % 64))
}

fn hash_bytes(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0u64, |hash, byte| {
        hash.wrapping_mul(BASE).wrapping_add(u64::from(*byte))
    })
}

fn letters(text: &str) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::with_capacity(text.len() / 2);
    fold_letters(text, |char, origin| {
        let weight = if is_cjk(char) {
            CHARACTER
        } else {
            // A word counts once, with its first letter.
            let joins = letters
                .last()
                .is_some_and(|last| last.origin.1 == origin.0 && !is_cjk(last.char));
            if joins { 0 } else { WORD }
        };
        letters.push(Letter {
            char,
            weight,
            origin,
        });
    });
    letters
}

/// The same for the same letters, in every process.
fn hash(piece: &[Letter]) -> u64 {
    piece.iter().fold(0xcbf2_9ce4_8422_2325, |hash, letter| {
        (hash ^ u64::from(letter.char)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
#[path = "shared_tests.rs"]
mod tests;
