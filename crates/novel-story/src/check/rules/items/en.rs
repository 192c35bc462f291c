//! English sentences in which a thing is handled.

use std::ops::Range;

use novel_model::Lang;

use super::{
    super::{agent, shown::spaced},
    handling::{DOES_EN, NOT_HANDLING_EN, NOT_WHOLE_EN, PARTICLES_EN, VERBS_EN},
};
use crate::check::prose::{Scene, Sentence};

/// Where a thing is named, in any case of letters; `the shuttle Kestrel` is also `Kestrel`.
pub(super) fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let proper = name
        .rsplit(' ')
        .next()
        .filter(|last| {
            last.starts_with(char::is_uppercase)
                && name.split(' ').count() > 1
                && name
                    .split(' ')
                    .rev()
                    .skip(1)
                    .all(|word| word.starts_with(char::is_lowercase))
        })
        .unwrap_or(name);
    let bare = ["her ", "his ", "their "]
        .iter()
        .find_map(|owner| proper.strip_prefix(owner))
        .unwrap_or(proper);
    let lower = text.to_ascii_lowercase();
    let wanted = bare.to_ascii_lowercase();
    let starts: Vec<usize> = lower
        .match_indices(wanted.as_str())
        .map(|(at, _)| at)
        .collect();
    let length = wanted.len();
    starts.into_iter().filter_map(move |start| {
        let end = start + length;
        let is_part = |char: char| char.is_alphanumeric() || char == '-';
        let whole = !text[..start].ends_with(is_part) && !text[end..].starts_with(is_part);
        // `Kestrel` is a name only with its capital.
        let capital =
            !bare.starts_with(char::is_uppercase) || text[start..].starts_with(char::is_uppercase);
        (whole && capital && length > 2).then_some(start..end)
    })
}

/// Whether the thing at a range is handled, or, where it is nobody's, does what a whole thing does.
pub(super) fn handled(
    scene: &Scene<'_>,
    sentence: Sentence,
    name: Range<usize>,
    is_held: bool,
) -> bool {
    let text = spaced(scene.text(sentence));
    if NOT_WHOLE_EN.iter().any(|word| text.contains(word)) {
        return false;
    }
    let clause = agent::clause(scene, sentence, name.start, Lang::En);
    let front = spaced(&scene.content[clause.start..name.start]);
    let rest = spaced(&scene.content[name.end..clause.end.max(name.end)]);
    let proper = scene.content[name.clone()].starts_with(char::is_uppercase);
    let mut words: Vec<&str> = front.split_whitespace().collect();
    // `the brass`, `his own`: a thing that is known.
    let determined = words
        .iter()
        .rposition(|word| {
            matches!(
                *word,
                "the" | "his" | "her" | "that" | "this" | "their" | "its"
            ) || word.ends_with("'s")
        })
        .filter(|at| words.len() - at <= 2);
    // `his pipe` may be another one than the pipe.
    let plain = !proper && !scene.content[name.clone()].contains(' ');
    let owned = determined.is_some_and(|at| matches!(words[at], "his" | "her" | "their"));
    if plain && owned {
        return false;
    }
    match determined {
        Some(at) if !words[at].ends_with("'s") => words.truncate(at),
        Some(_) if !is_held => {
            words.pop();
            words.truncate(words.len().saturating_sub(1));
        }
        None if proper => {}
        _ => return false,
    }
    let mut next = rest.split_whitespace().filter(|word| !word.ends_with("ly"));
    if !is_held && next.next().is_some_and(|word| DOES_EN.contains(&word)) {
        return true;
    }
    while words
        .last()
        .is_some_and(|word| PARTICLES_EN.contains(word) && words.len() > 1)
    {
        words.pop();
    }
    // `passed her the sextant`.
    if words.last().is_some_and(|word| {
        matches!(*word, "her" | "him" | "them" | "me" | "us") && words.len() > 1
    }) {
        words.pop();
        return words.last().is_some_and(|word| {
            matches!(
                *word,
                "passed" | "handed" | "gave" | "threw" | "tossed" | "brought"
            )
        });
    }
    // Another thing may be joined before it: `the rope and the sextant`.
    words.last().is_some_and(|word| {
        VERBS_EN.contains(word)
            || (word.ends_with("ed") || word.ends_with("ing"))
                && word.len() > 4
                && !NOT_HANDLING_EN.contains(word)
    })
}
