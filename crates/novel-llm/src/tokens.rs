//! A guess at token counts, for budgets before a call.

/// Tokens of `text`, rather too many than too few: one per Chinese, Japanese or
/// Korean character and one per four bytes of anything else.
///
/// The truth is the provider's usage after the call; a tokenizer per model would
/// cost megabytes and still not know the next model.
#[must_use]
pub fn estimate_tokens(text: &str) -> u64 {
    let (mut cjk, mut bytes) = (0_u64, 0_u64);
    for c in text.chars() {
        if is_cjk(c) {
            cjk += 1;
        } else {
            bytes += c.len_utf8() as u64;
        }
    }
    cjk + bytes.div_ceil(4)
}

fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x11FF      // Hangul Jamo
        | 0x2E80..=0x9FFF    // radicals, punctuation, kana, Han
        | 0xAC00..=0xD7AF    // Hangul syllables
        | 0xF900..=0xFAFF    // compatibility Han
        | 0xFE30..=0xFE4F    // vertical forms
        | 0xFF00..=0xFFEF    // full-width forms
        | 0x20000..=0x3FFFF) // further Han planes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_counts_characters_and_the_rest_bytes() {
        assert_eq!(estimate_tokens(""), 0);
        assert_eq!(estimate_tokens("夜雨初歇，灯火未熄。"), 10);
        assert_eq!(estimate_tokens("abcd"), 1);
        assert_eq!(estimate_tokens("abcde"), 2);
        assert_eq!(estimate_tokens("第3章 rain"), 2 + 2);
    }
}
