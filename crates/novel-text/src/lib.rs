//! What `novel` knows about prose as text: counting, chapters, outlines,
//! style measures, phrase lint, data wrappers, change ratios and token estimates.
//!
//! Pure: every function is total (it returns for any input and never panics)
//! and deterministic (no clock, no iteration over hash maps).

use std::borrow::Cow;

mod carry;
mod change;
mod chapter;
mod count;
mod data_wrapper;
mod diff;
mod distance;
mod function_words;
mod heading;
mod inner_heading;
mod lint;
mod locate;
mod metrics;
mod named;
mod nearest;
mod numeral;
mod outline;
mod plot;
mod search;
mod sentence;
mod shared;
mod sieve;
mod talk;
mod terms;
mod tokens;

pub use carry::{Carried, replaced_lines};
pub use change::change_ratio;
pub use chapter::{
    ParsedChapter, SCENE_SEPARATOR, is_scene_content, is_scene_separator, normalize_scene,
    parse_chapter, render_chapter,
};
pub use count::{Scripts, count_words, scripts};
pub use data_wrapper::{DataKind, wrap_data};
pub use diff::{Piece, PieceKind, word_diff};
pub use distance::edit_distance;
pub use function_words::{FunctionWords, function_words};
pub use heading::{Heading, loose_heading, normalize_title};
pub use inner_heading::{Unheaded, without_inner_headings};
pub use lint::{LintHit, LintReport, Linter, lint};
pub use locate::{Located, Locator};
pub use metrics::{TextMetrics, measure, sentence_lengths};
pub use named::is_named_in;
pub use nearest::nearest_sentences;
pub use numeral::parse_numeral;
pub use outline::{
    OUTLINE_KEYS, Outline, OutlineBlock, OutlineField, outline_block, outline_bounds, parse_outline,
};
pub use plot::{Canvas, Glyphs, Plot};
pub use search::{Match, Query, Reading, Snippet, Term, rank, snippet};
pub use sentence::{ending, sentences};
pub use shared::{Blocks, Compared, InCommon};
pub use sieve::CharSieve;
pub use talk::{Untalked, without_talk};
pub use terms::{
    TermHash, coverage, for_each_name_hash, for_each_run_hash, name_terms, term_set, terms,
};
pub use tokens::{estimate_tokens, in_parts, start_within_tokens};

/// Drops a byte order mark and turns CRLF and CR into LF.
fn normalize_newlines(text: &str) -> Cow<'_, str> {
    unix_lines(text.strip_prefix('\u{FEFF}').unwrap_or(text))
}

/// The text with LF line ends; the same text where it has no others.
#[must_use]
pub fn unix_lines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}
