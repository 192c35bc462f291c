//! Parts of pages. Text is escaped by the template; there is no way to put in raw markup from a book.

mod chart;
mod diff;
mod frame;
mod lanes;
mod prose;
mod words;

use maud::{Markup, html};

pub(crate) use crate::mark::Mark;

pub(crate) use chart::{Bars, Chart, Series, bars, chart, limits, presence};
pub(crate) use diff::{changed_words, diff, paragraphs_changed, side_by_side};
pub(crate) use frame::{BookFrame, Frame, Nav, bare, frame, hidden, undo_bar};
pub(crate) use lanes::{Board, Lane, Stop, Thread, lanes, narrow, threads};
pub(crate) use prose::{excerpt, fit, marked, scenes, tag};
pub(crate) use words::{
    chapter_name, counts, dimension, gate_word, money, operation_word, setting_origin,
    severity_word, stage_word, thousands, when,
};

/// A shape; a word must stand beside it.
pub(crate) fn mark(mark: Mark) -> Markup {
    let word = mark.word();
    html! {
        svg class={ "mark m-" (word) } aria-hidden="true" { use href={ "#m-" (word) }; }
    }
}

/// A shape and its word.
pub(crate) fn badge(kind: Mark, word: &str) -> Markup {
    html! { span class={ "badge " (class(kind)) } { (mark(kind)) (word) } }
}

/// A badge filled with its colour.
pub(crate) fn badge_filled(kind: Mark, word: &str) -> Markup {
    html! { span class={ "badge fill " (class(kind)) } { (mark(kind)) (word) } }
}

/// The class that colours a badge.
const fn class(kind: Mark) -> &'static str {
    match kind {
        Mark::Fail => "wait",
        Mark::None => "plan",
        other => other.word(),
    }
}

/// An icon of the frame.
pub(crate) fn icon(name: &str) -> Markup {
    html! { svg class="ico" aria-hidden="true" { use href={ "#i-" (name) }; } }
}

/// A key of the keyboard.
pub(crate) fn key(name: &str) -> Markup {
    html! { kbd { (name) } }
}
