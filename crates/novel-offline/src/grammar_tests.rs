use std::collections::BTreeSet;

use super::*;

/// What the composer fills in itself.
const VARIABLES: [&str; 15] = [
    "pov", "other", "place", "title", "light", "weather", "recall", "conflict", "event", "line",
    "item", "arc", "name", "value", "bridge",
];

fn slots(wording: &str) -> BTreeSet<String> {
    wording
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(slot, _)| slot.to_lowercase())
        .collect()
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

#[test]
fn every_slot_is_a_section_or_a_variable() {
    for lang in [Lang::Zh, Lang::En] {
        let grammar = Grammar::of(lang);
        for (section, wordings) in grammar.sections() {
            for wording in wordings {
                assert_eq!(wording.matches('{').count(), wording.matches('}').count());
                assert_eq!(wording.matches('[').count(), wording.matches(']').count());
                for slot in slots(wording) {
                    assert!(
                        VARIABLES.contains(&slot.as_str()) || grammar.section(&slot).is_some(),
                        "{section}: {slot} in {wording}"
                    );
                }
            }
        }
    }
}

#[test]
fn both_languages_have_the_same_beats() {
    let names = |lang| -> BTreeSet<&str> {
        let all = Grammar::of(lang).sections().map(|(name, _)| name);
        // Small parts of speech may differ.
        all.filter(|name| !["steps", "pause", "arrive_act"].contains(name))
            .collect()
    };
    assert_eq!(names(Lang::Zh), names(Lang::En));
}

#[test]
fn openings_and_endings_do_not_come_round_within_two_thousand_chapters() {
    for lang in [Lang::Zh, Lang::En] {
        for kind in ["opening", "ending"] {
            let sizes: Vec<usize> = ["a", "b", "c"]
                .iter()
                .map(|part| {
                    let (_, wordings) = Grammar::of(lang)
                        .section(&format!("{kind}_{part}"))
                        .unwrap();
                    wordings.len()
                })
                .collect();
            assert_eq!(greatest_common_divisor(sizes[0], sizes[1]), 1);
            assert_eq!(greatest_common_divisor(sizes[0], sizes[2]), 1);
            assert_eq!(greatest_common_divisor(sizes[1], sizes[2]), 1);
            assert!(sizes.iter().product::<usize>() > 2000);
        }
    }
}

#[test]
fn openings_and_endings_need_no_second_person() {
    // Else a chapter without one would skip wordings and could meet another chapter's choice.
    for lang in [Lang::Zh, Lang::En] {
        for (section, wordings) in Grammar::of(lang).sections() {
            if section.starts_with("opening_") || section.starts_with("ending_") {
                assert!(
                    wordings
                        .iter()
                        .all(|wording| !slots(wording).contains("other"))
                );
            }
        }
    }
}

#[test]
fn no_wording_stands_twice() {
    for lang in [Lang::Zh, Lang::En] {
        for (section, wordings) in Grammar::of(lang).sections() {
            let unique: BTreeSet<_> = wordings.iter().collect();
            assert_eq!(unique.len(), wordings.len(), "{section}");
        }
    }
}

/// A wording without its marks; each choice of a group is looked at too.
fn unmarked(wording: &str) -> String {
    let mut text = String::new();
    let mut rest = wording;
    while let Some(mark) = Grammar::next_mark(rest) {
        text.push_str(mark.before);
        if let MarkKind::Group(choices) = mark.kind {
            for choice in choices {
                text.push_str(&unmarked(choice));
            }
        }
        rest = mark.after;
    }
    text.push_str(rest);
    text
}

#[test]
fn every_mark_of_every_wording_is_read() {
    for lang in [Lang::Zh, Lang::En] {
        for (section, wordings) in Grammar::of(lang).sections() {
            for wording in wordings {
                for paragraph in wording.split(PARAGRAPH) {
                    let text = unmarked(paragraph);
                    assert!(
                        !text.contains(['[', ']', '{', '}', '|']),
                        "{section}: {wording}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_group_may_hold_groups_and_slots() {
    let mark = Grammar::next_mark("a[b{c}|d[e|f]g|]h[i]").unwrap();
    let kind = MarkKind::Group(vec!["b{c}", "d[e|f]g", ""]);
    let (before, after) = ("a", "h[i]");
    assert_eq!(
        mark,
        Mark {
            before,
            kind,
            after
        }
    );
    assert_eq!(Grammar::next_mark("no mark"), None);
    assert_eq!(Grammar::next_mark("[open|[closed]"), None);
}
