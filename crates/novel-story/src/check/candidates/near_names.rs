//! Names that are nearly one of the cast.

use std::ops::Range;

use novel_model::Lang;
use serde_json::Value;

use super::super::{
    finding::Side,
    prose::{Scene, Sentence},
    rules::Scope,
};

/// A name that differs from one of the cast in one letter.
pub(super) fn collect(
    scope: &Scope<'_>,
    scene: &Scene<'_>,
    mut found: impl FnMut(Sentence, Range<usize>, Side),
) {
    let known: Vec<(&str, &str, Vec<char>)> = scope
        .people
        .everybody()
        .flat_map(|(id, person)| {
            person
                .names
                .iter()
                .map(move |name| (id, name.as_str(), name.chars().collect()))
        })
        .collect();
    let mut report = |start: usize, end: usize, id: &str| {
        if let (Some(sentence), Some(person)) = (scene.sentence_at(start), scope.people.get(id)) {
            let quotation =
                super::super::rules::member("display_name", &Value::from(person.display.as_str()));
            let fact = Side::pointer(person.path.clone(), "/display_name".to_owned(), quotation);
            found(sentence, start..end, fact);
        }
    };
    match scope.lang {
        Lang::Zh => {
            let chars: Vec<(usize, char)> = scene.content.char_indices().collect();
            for (id, name, letters) in &known {
                if letters.len() < 2 {
                    continue;
                }
                for window in chars.windows(letters.len() + 1) {
                    let (here, next) = (&window[..letters.len()], window[letters.len()].1);
                    if here[0].1 != letters[0] {
                        continue;
                    }
                    let same = here
                        .iter()
                        .zip(letters)
                        .filter(|((_, a), b)| a == *b)
                        .count();
                    if same + 1 != letters.len() {
                        continue;
                    }
                    let (start, end) = (here[0].0, window[letters.len()].0);
                    let text = &scene.content[start..end];
                    // A family name and another given name is somebody else; only who stands as a
                    // speaker or an actor is asked about.
                    let acts = "道说笑问答喊叫喝叹点摇抬站走坐看望伸拔转推".contains(next);
                    let registered = known.iter().any(|(_, other, _)| {
                        other.contains(text) || text.contains(other) && *other != *name
                    });
                    let word = text.chars().any(|char| {
                        "的了着是在不一这那他她它我你们也就都又还很和与中里上下外间边人们头手"
                            .contains(char)
                    });
                    // Three letters of which two are the same are seldom chance.
                    let long = letters.len() >= 3;
                    if (acts || long) && !registered && !word {
                        report(start, end, id);
                    }
                }
            }
        }
        Lang::En => {
            for (start, word) in latin_words(scene.content) {
                if word.chars().count() < 4 || !word.starts_with(char::is_uppercase) {
                    continue;
                }
                let registered = known
                    .iter()
                    .any(|(_, name, _)| name.split(' ').any(|part| part == word));
                if registered {
                    continue;
                }
                let near = known.iter().find(|(_, name, _)| {
                    name.split(' ')
                        .any(|part| part.chars().count() >= 4 && one_letter_apart(part, word))
                });
                if let Some((id, ..)) = near {
                    report(start, start + word.len(), id);
                }
            }
        }
    }
}

fn latin_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|char: char| !char.is_alphabetic())
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// One letter changed, added or left out.
fn one_letter_apart(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (short, long) = if a.len() <= b.len() {
        (&a, &b)
    } else {
        (&b, &a)
    };
    let front = short
        .iter()
        .zip(long.iter())
        .take_while(|(x, y)| x == y)
        .count();
    let back = short
        .iter()
        .rev()
        .zip(long.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    match long.len() - short.len() {
        0 => a != b && front + back + 1 >= short.len(),
        // The plural of a family is the family.
        1 => front + back >= short.len() && !(long.last() == Some(&'s') && front == short.len()),
        _ => false,
    }
}
