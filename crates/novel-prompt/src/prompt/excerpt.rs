//! A part of a text, chosen by what it says and not by where it stands.
//!
//! Lines are the units: those nearest to the chapter at hand are kept, and of equally near ones the
//! first or the last, as the text is written. Kept lines stand in their order, under their headings.

use std::collections::BTreeSet;

use novel_model::Lang;
use novel_text::{TermHash, estimate_tokens, start_within_tokens, term_set};

/// Which of equally near lines are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefer {
    /// The first: a document begins with what matters.
    First,
    /// The last: notes are added at the end.
    Last,
}

/// A text of at most `tokens`; `None` when it has no more than that.
pub(super) fn excerpt(
    text: &str,
    tokens: u64,
    near: &BTreeSet<TermHash>,
    prefer: Prefer,
    lang: Lang,
) -> Option<String> {
    if estimate_tokens(text) <= tokens {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    let rest = match lang {
        Lang::Zh => "……（有省略）",
        Lang::En => "… (parts are left out)",
    };
    let mut order: Vec<usize> = (0..lines.len())
        .filter(|at| !lines[*at].trim().is_empty() && !is_heading(lines[*at]))
        .collect();
    let shared = |at: &usize| term_set(lines[*at]).intersection(near).count();
    let by_nearness: Vec<(usize, usize)> = order.iter().map(|at| (*at, shared(at))).collect();
    order = {
        let mut ranked = by_nearness;
        ranked.sort_by_key(|(at, shared)| {
            let place = match prefer {
                Prefer::First => *at,
                Prefer::Last => usize::MAX - at,
            };
            (usize::MAX - shared, place)
        });
        ranked.into_iter().map(|(at, _)| at).collect()
    };
    let cost = |at: usize| estimate_tokens(lines[at]) + 1;
    let mut left = tokens.saturating_sub(estimate_tokens(rest) + 1);
    let mut kept = BTreeSet::new();
    for at in order {
        let mut needed = vec![at];
        needed.extend(headings_of(&lines, at).filter(|heading| !kept.contains(heading)));
        let price: u64 = needed.iter().map(|at| cost(*at)).sum();
        if price <= left {
            left -= price;
            kept.extend(needed);
        }
    }
    if kept.is_empty() {
        // One line alone is too long: its start is better than nothing.
        let start = start_within_tokens(
            text.trim_start(),
            tokens.saturating_sub(estimate_tokens(rest) + 1),
        );
        return Some(format!("{}\n{rest}", start.trim_end()));
    }
    let kept: Vec<&str> = kept.into_iter().map(|at| lines[at]).collect();
    Some(format!("{}\n{rest}", kept.join("\n")))
}

fn is_heading(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// The headings a line stands under, innermost first.
fn headings_of<'a>(lines: &'a [&str], at: usize) -> impl Iterator<Item = usize> + 'a {
    let level = |line: &str| {
        line.trim_start()
            .chars()
            .take_while(|char| *char == '#')
            .count()
    };
    let mut below = usize::MAX;
    (0..at).rev().filter(move |above| {
        let line = lines[*above];
        let is_above = is_heading(line) && level(line) < below;
        if is_above {
            below = level(line);
        }
        is_above
    })
}

#[cfg(test)]
#[path = "excerpt_tests.rs"]
mod tests;
