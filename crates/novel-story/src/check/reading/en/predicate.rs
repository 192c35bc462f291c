//! The verb group of a subject: an act, or what may be told of the dead as well.

use super::{Excuse, Reading, Word, words};

/// Words a parenthesis between subject and verb may have.
const LONGEST_ASIDE: usize = 16;

/// The verb group after the subject. After a fronted adverbial a relative clause may hide.
pub(super) fn predicate(after: &[&Word<'_>], acts: Reading, fronted: bool) -> Reading {
    let mut rest = after;
    // Other subjects, asides, adverbs.
    for _ in 0..6 {
        let Some(first) = rest.first() else {
            return Reading::Doubtful;
        };
        if first.lower == "and"
            && rest.get(1).is_some_and(|word| {
                word.is_name() || matches!(word.lower.as_str(), "the" | "his" | "her" | "i")
            })
        {
            let names = rest[1..]
                .iter()
                .take_while(|word| {
                    word.is_name()
                        || matches!(
                            word.lower.as_str(),
                            "the"
                                | "his"
                                | "her"
                                | "i"
                                | "old"
                                | "boy"
                                | "girl"
                                | "others"
                                | "captain"
                                | "men"
                        )
                })
                .count();
            // `and the dog squeezed`: any noun before the verb.
            let nouns = rest[1 + names..]
                .iter()
                .take(2)
                .take_while(|word| !word.is_mark() && !is_past(&word.lower))
                .count();
            let verb = rest.get(1 + names + nouns);
            let nouns = if verb.is_some_and(|verb| is_past(&verb.lower)) {
                nouns
            } else {
                0
            };
            rest = &rest[1 + names + nouns..];
            continue;
        }
        if matches!(first.text, "," | "—" | "–" | "(") || first.text == "-" {
            let close = rest[1..]
                .iter()
                .take(LONGEST_ASIDE)
                .position(|word| matches!(word.text, "," | "—" | "–" | ")") || word.text == "-");
            let Some(close) = close else {
                return Reading::Doubtful;
            };
            if rest.get(1).is_some_and(|first| {
                matches!(
                    first.lower.as_str(),
                    "and" | "but" | "or" | "nor" | "so" | "for"
                )
            }) {
                return Reading::Doubtful;
            }
            if rest[1..=close]
                .iter()
                .any(|word| matches!(word.lower.as_str(), "dead" | "buried" | "died" | "late"))
            {
                return Reading::Doubtful;
            }
            rest = &rest[close + 2..];
            continue;
        }
        if first.lower.len() > 3 && first.lower.ends_with("ly") && first.lower != "reply"
            || words::ADVERBS.contains(&first.lower.as_str())
        {
            if matches!(
                first.lower.as_str(),
                "never" | "always" | "often" | "usually" | "generally" | "invariably"
            ) {
                return Reading::Doubtful;
            }
            if first.lower == "once" {
                return Reading::Excused(Excuse::Past);
            }
            rest = &rest[1..];
            continue;
        }
        break;
    }
    let Some(verb) = rest.first() else {
        return Reading::Doubtful;
    };
    let next = rest[1..].iter().find(|word| {
        !(word.lower.ends_with("ly") && word.lower.len() > 3
            || matches!(
                word.lower.as_str(),
                "still" | "already" | "now" | "just" | "all" | "also"
            ))
    });
    let word = verb.lower.as_str();
    if verb.is_name() {
        return Reading::Doubtful;
    }
    match word {
        "wasn't" | "isn't" => {
            let could = rest
                .get(1)
                .is_some_and(|next| words::COULD_BE.contains(&next.lower.as_str()));
            if could { acts } else { Reading::Doubtful }
        }
        "was" | "were" | "is" | "are" => being(rest, next.map(|next| next.lower.as_str()), acts),
        "lives" | "stood" | "stands" | "lived"
            if rest
                .get(1)
                .is_some_and(|next| matches!(next.lower.as_str(), "on" | "for"))
                && rest.get(2).is_some_and(|next| {
                    matches!(
                        next.lower.as_str(),
                        "in" | "something" | "everything" | "all"
                    )
                }) =>
        {
            Reading::Excused(Excuse::State)
        }
        "had" => match next.map(|next| next.lower.as_str()) {
            Some("to") => acts,
            // `had her by the wrist`.
            Some("him" | "her" | "them" | "me")
                if rest.get(2).is_some_and(|by| by.lower == "by") =>
            {
                acts
            }
            Some("a" | "an" | "the" | "his" | "her" | "no") => {
                // `had her arms round his neck`, `had the horses saddled and was checking`.
                let own = matches!(next.map(|next| next.lower.as_str()), Some("his" | "her"));
                let part = rest
                    .get(2)
                    .is_some_and(|part| words::BODY.contains(&part.lower.as_str()));
                let does = rest.windows(3).any(|words| {
                    words[0].lower == "and"
                        && words[1].lower == "was"
                        && words[2].lower.len() > 4
                        && words[2].lower.ends_with("ing")
                });
                if own && part && rest.len() > 4 || does {
                    acts
                } else {
                    Reading::Doubtful
                }
            }
            _ if is_doing_later(rest) => acts,
            _ => Reading::Excused(Excuse::Past),
        },
        "has" | "have" | "would" | "could" | "might" | "may" | "must" | "should" | "can"
        | "will" | "did" | "does" | "do" | "not" | "ought" | "shall" | "needn't" => {
            let senses = matches!(word, "could" | "can")
                && next.is_some_and(|next| {
                    matches!(
                        next.lower.as_str(),
                        "see" | "hear" | "feel" | "smell" | "taste"
                    )
                });
            // `has been standing there for an hour`.
            let goes_on = matches!(word, "has" | "have")
                && next.is_some_and(|next| next.lower == "been")
                && rest.iter().skip(2).take(2).any(|word| {
                    word.lower.ends_with("ing")
                        && word.lower.len() > 4
                        && !matches!(
                            word.lower.as_str(),
                            "lying" | "missing" | "rotting" | "resting"
                        )
                });
            if senses || goes_on {
                acts
            } else {
                Reading::Doubtful
            }
        }
        // `passed Haruki the salt`, `passed the salt`: to pass something is no death.
        "passed"
            if rest.get(1).is_some_and(|object| {
                object.is_name()
                    || matches!(
                        object.lower.as_str(),
                        "the" | "a" | "an" | "his" | "her" | "him" | "it" | "them" | "me" | "round"
                    )
            }) =>
        {
            acts
        }
        // `nearly fell, but`: no death.
        "fell" | "drowned" | "passed"
            if after
                .iter()
                .take(3)
                .any(|word| matches!(word.lower.as_str(), "nearly" | "almost" | "half")) =>
        {
            acts
        }
        "fell"
            if rest.get(1).is_some_and(|next| {
                matches!(
                    next.lower.as_str(),
                    "asleep" | "silent" | "quiet" | "to" | "upon" | "about" | "over"
                )
            }) =>
        {
            acts
        }
        _ if words::DEATH_VERBS.contains(&word) => Reading::Excused(Excuse::State),
        _ if words::LEGACY_VERBS.contains(&word) => {
            if is_momentary(rest) {
                acts
            } else {
                Reading::Doubtful
            }
        }
        _ if is_past(word) => acts,
        _ if is_present(word, next.map(|next| next.lower.as_str())) && !fronted => acts,
        _ => Reading::Doubtful,
    }
}

/// After `It was Chen,`: somebody who just came, or does something.
pub(super) fn arrives(word: &str) -> bool {
    matches!(word, "back" | "home" | "returned" | "come" | "fresh")
        || word.ends_with("ing") && word.len() > 4 && !matches!(word, "lying" | "dying")
}

/// `had got there first, and was already photographing`: the pluperfect leads up to now.
fn is_doing_later(rest: &[&Word<'_>]) -> bool {
    rest.windows(4).any(|words| {
        let later = |word: &Word<'_>| matches!(word.lower.as_str(), "already" | "now" | "still");
        words[0].lower == "and"
            && (words[1].lower == "was"
                && later(words[2])
                && words[3].lower.ends_with("ing")
                && words[3].lower.len() > 4
                || words[1].lower == "now" && is_past(&words[2].lower) && words[2].lower != "had"
                || words[1].lower == "now"
                    && matches!(words[2].lower.as_str(), "he" | "she")
                    && is_past(&words[3].lower)
                    && words[3].lower != "had")
    })
}

/// A verb that also tells of the dead, with an object that makes it the act of a moment:
/// `lost his temper`, `kept her waiting`, `gave a short laugh`.
fn is_momentary(rest: &[&Word<'_>]) -> bool {
    let at = |index: usize| rest.get(index).map_or("", |word| word.lower.as_str());
    let soon = |list: &[&str]| {
        rest.iter()
            .skip(1)
            .take(6)
            .take_while(|word| !word.is_break())
            .any(|word| list.contains(&word.lower.as_str()))
    };
    let somebody = |word: &str| matches!(word, "him" | "her" | "them" | "me" | "us" | "you");
    match at(0) {
        "kept" => {
            words::KEPT_AT_ONCE.contains(&at(1)) && at(2) != "for"
                || at(1).len() > 4 && at(1).ends_with("ing")
                || somebody(at(1))
                    && (matches!(at(2), "there" | "waiting" | "standing" | "talking" | "back")
                        || at(2).is_empty())
        }
        "lost" => matches!(at(1), "his" | "her") && soon(words::LOST_AT_ONCE),
        "gave" => {
            soon(words::GIVEN_AT_ONCE)
                || then_does(rest)
                || (somebody(at(1)) && matches!(at(2), "the" | "a" | "an" | "his" | "her" | "back"))
        }
        "wanted" | "wants" => {
            at(1) == "to" && matches!(at(2), "know" | "see" | "go" | "hear")
                || at(1).len() > 4 && at(1).ends_with("ing")
        }
        "knew" => then_does(rest),
        "wore" | "warned" => then_does(rest),
        "made" => matches!(at(1), "for" | "as") && at(2) != "them" || soon(words::MADE_AT_ONCE),
        "began" => at(1) == "to" && !at(2).is_empty() && !words::BEGUN_FOR_LONG.contains(&at(2)),
        "left" if at(1) == "at" => matches!(at(2), "noon" | "dawn" | "dusk" | "once" | "midnight"),
        "left" => {
            matches!(
                at(1),
                "without" | "by" | "through" | "again" | "first" | "early"
            ) || at(1) == "the" && matches!(at(2), "room" | "table" | "tent" | "kitchen")
        }
        "called" => {
            matches!(
                at(1),
                "out"
                    | "to"
                    | "from"
                    | "after"
                    | "down"
                    | "back"
                    | "across"
                    | "up"
                    | "over"
                    | "for"
                    | "through"
                    | "in"
            ) || then_does(rest)
        }
        "appeared" => matches!(at(1), "at" | "in" | "on" | "from" | "beside" | "behind"),
        "remained" => matches!(
            at(1),
            "standing" | "seated" | "sitting" | "kneeling" | "where"
        ),
        "carried" => {
            matches!(at(1), "the" | "a" | "an" | "it" | "him" | "her" | "two")
                && soon(&[
                    "in",
                    "up",
                    "down",
                    "into",
                    "out",
                    "across",
                    "through",
                    "over",
                    "upstairs",
                    "downstairs",
                    "inside",
                    "outside",
                    "back",
                ])
        }
        _ => false,
    }
}

/// A second verb of the same subject: `gave her the map and told her to hurry`.
fn then_does(rest: &[&Word<'_>]) -> bool {
    rest.windows(2).any(|pair| {
        pair[0].lower == "and"
            && is_past(&pair[1].lower)
            && !words::LEGACY_VERBS.contains(&pair[1].lower.as_str())
            && !words::DEATH_VERBS.contains(&pair[1].lower.as_str())
    })
}

/// `was standing`, `was at the door`, `was a good man`, `was dead`.
fn being(rest: &[&Word<'_>], next: Option<&str>, acts: Reading) -> Reading {
    let grave = rest
        .iter()
        .take(10)
        .any(|word| words::GRAVES.contains(&word.lower.as_str()));
    match next {
        // `was not listening`: who could be, is there.
        Some("not")
            if rest
                .iter()
                .any(|word| words::COULD_BE.contains(&word.lower.as_str())) =>
        {
            acts
        }
        Some("not" | "never" | "to" | "going") | None => Reading::Doubtful,
        Some(
            "lying" | "missing" | "dying" | "rotting" | "nothing" | "something" | "anything"
            | "everything" | "king" | "being" | "mouldering" | "resting",
        ) => Reading::Excused(Excuse::State),
        Some(next) if next.ends_with("ing") && next.len() > 4 => acts,
        Some(next) if words::PRESENT_STATES.contains(&next) && !grave => acts,
        Some(
            "at" | "in" | "on" | "by" | "beside" | "behind" | "among" | "near" | "with" | "over"
            | "under" | "across" | "atop" | "astride" | "between" | "past" | "off" | "out" | "up"
            | "down" | "against",
        ) if !grave => acts,
        Some(next) if is_comparative(next) && pours_next(rest) => acts,
        // `was hungry and ate two bowls`: one adjective, then what is done.
        Some(_)
            if !grave
                && rest.get(2).is_some_and(|and| and.lower == "and")
                && !rest[1].lower.ends_with("ed")
                && !matches!(rest[1].lower.as_str(), "born" | "dead" | "gone")
                && then_does(rest) =>
        {
            acts
        }
        Some(_) => Reading::Excused(Excuse::State),
    }
}

/// `quicker`, `nearer`: compared with somebody who is there.
fn is_comparative(word: &str) -> bool {
    matches!(
        word,
        "quicker" | "faster" | "nearer" | "closer" | "swifter" | "sooner" | "readier"
    )
}

/// `, and he poured for both of them`.
fn pours_next(rest: &[&Word<'_>]) -> bool {
    rest.windows(3).any(|words| {
        words[0].lower == "and"
            && matches!(words[1].lower.as_str(), "he" | "she")
            && is_past(&words[2].lower)
            && !words::LEGACY_VERBS.contains(&words[2].lower.as_str())
            && !words::DEATH_VERBS.contains(&words[2].lower.as_str())
    })
}

pub(super) fn is_past(word: &str) -> bool {
    let bare = ["over", "under", "out", "mis", "re", "up", "fore", "with"]
        .iter()
        .find_map(|prefix| word.strip_prefix(prefix))
        .filter(|bare| bare.len() > 3);
    words::IRREGULAR.contains(&word)
        || bare.is_some_and(|bare| words::IRREGULAR.contains(&bare) && bare != "side")
        || word.len() > 3 && word.ends_with("ed") && !words::NOT_PAST.contains(&word)
}

pub(super) fn is_participle(word: &str) -> bool {
    is_past(word)
        || matches!(
            word,
            "seen"
                | "taken"
                | "given"
                | "struck"
                | "thrown"
                | "broken"
                | "shaken"
                | "driven"
                | "beaten"
                | "drawn"
                | "stolen"
                | "bitten"
                | "hidden"
                | "written"
                | "torn"
                | "worn"
                | "spoken"
                | "chosen"
                | "woken"
                | "ridden"
                | "sung"
                | "rung"
                | "begun"
                | "done"
                | "shown"
                | "known"
                | "forgiven"
        )
}

/// The third person of the present: `opens the door`.
fn is_present(word: &str, next: Option<&str>) -> bool {
    word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("'s")
        && next.is_none_or(|next| {
            !next.starts_with(char::is_alphanumeric)
                || matches!(
                    next,
                    "the"
                        | "a"
                        | "an"
                        | "his"
                        | "her"
                        | "their"
                        | "him"
                        | "it"
                        | "them"
                        | "at"
                        | "in"
                        | "on"
                        | "up"
                        | "down"
                        | "out"
                        | "into"
                        | "to"
                        | "from"
                        | "and"
                        | "over"
                        | "back"
                        | "away"
                        | "through"
                        | "for"
                        | "as"
                        | "with"
                        | "off"
                        | "around"
                        | "across"
                        | "past"
                        | "toward"
                        | "towards"
                        | "that"
                        | "what"
                        | "me"
                        | "you"
                        | "us"
                        | "beside"
                        | "behind"
                        | "under"
                        | "open"
                        | "shut"
                        | "himself"
                        | "herself"
                        | "like"
                        | "after"
                        | "by"
                        | "my"
                        | "your"
                        | "forward"
                        | "one"
                        | "two"
                        | "softly"
                        | "against"
                        | "along"
                        | "onto"
                        | "again"
                        | "aside"
                )
        })
}
