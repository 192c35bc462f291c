//! A quick look at a character before a thorough one.

/// A set of characters that may claim to hold one it does not, and never denies one it does.
///
/// A text has thousands of characters, and few of them begin a name or a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharSieve([u64; CharSieve::WORDS]);

impl CharSieve {
    const WORDS: usize = 64;

    /// Takes a character in.
    pub fn insert(&mut self, char: char) {
        let (word, bit) = Self::place(char);
        self.0[word] |= bit;
    }

    /// Whether the character may be in it; `false` is certain.
    #[must_use]
    pub fn may_hold(&self, char: char) -> bool {
        let (word, bit) = Self::place(char);
        self.0[word] & bit != 0
    }

    /// By the low bits of its number, in which the characters of one script differ.
    const fn place(char: char) -> (usize, u64) {
        let number = char as usize;
        (number / 64 % Self::WORDS, 1 << (number % 64))
    }
}

impl Default for CharSieve {
    fn default() -> Self {
        Self([0; Self::WORDS])
    }
}

impl FromIterator<char> for CharSieve {
    fn from_iter<I: IntoIterator<Item = char>>(chars: I) -> Self {
        let mut sieve = Self::default();
        chars.into_iter().for_each(|char| sieve.insert(char));
        sieve
    }
}

#[cfg(test)]
#[path = "sieve_tests.rs"]
mod tests;
