//! Whether a name is the subject of its clause, by the words before it.

use super::{
    Excuse, Mention, Reading, Word,
    predicate::{arrives, is_participle, is_past, predicate},
    words,
};

pub(super) fn subject(
    content: &str,
    before: &[&Word<'_>],
    after: &[&Word<'_>],
    mention: Mention<'_>,
    acts: Reading,
) -> Reading {
    let mut titles = before.len();
    // `The Gareth Pell docked at noon`: a full name with an article is a ship or an inn.
    let full = content[mention.start..mention.end]
        .split(' ')
        .all(|word| !words::TITLES.contains(&word.to_lowercase().as_str()))
        && content[mention.start..mention.end].contains(' ');
    if full && before.last().is_some_and(|word| word.lower == "the") {
        return Reading::Excused(Excuse::Mention);
    }
    // `Beside her Chen shifted`: no title without a noun.
    let own = before
        .last()
        .is_some_and(|word| matches!(word.lower.as_str(), "his" | "her" | "their" | "my" | "our"));
    while !own
        && titles > 0
        && (words::TITLES.contains(&before[titles - 1].lower.as_str())
            || before[titles - 1].text == "."
                && titles > 1
                && words::TITLES.contains(&before[titles - 2].lower.as_str()))
    {
        titles -= 1;
    }
    if before[..titles]
        .last()
        .is_some_and(|word| words::DEAD_TITLES.contains(&word.lower.as_str()))
    {
        return Reading::Excused(Excuse::State);
    }
    // A possessive that belongs to the one who follows: `his friend Chen` begins the clause.
    let before = &before[..titles];
    let Some(previous) = before.last() else {
        return predicate(after, acts, false);
    };
    let word = previous.lower.as_str();
    // `"Go," said Chen`, `"Go," growled Chen`.
    let quoted = before.len() >= 2 && before[before.len() - 2].text == "\"";
    if quoted && (is_past(word) || word == "says" || word == "asks") {
        return Reading::Acts(mention.start..mention.end);
    }
    if word == "by" {
        let agent = before[..before.len() - 1].iter().rev().find(|word| {
            !word.lower.ends_with("ly")
                && !matches!(
                    word.lower.as_str(),
                    "back" | "up" | "away" | "off" | "out" | "down" | "aside" | "in" | "over"
                )
        });
        return match agent {
            Some(verb)
                if is_participle(&verb.lower) && !words::MADE.contains(&verb.lower.as_str()) =>
            {
                acts
            }
            // `was returned to her chair by Chen`.
            _ => {
                let near = &before[before.len().saturating_sub(9)..before.len() - 1];
                let done = near.windows(2).any(|pair| {
                    matches!(pair[0].lower.as_str(), "was" | "were" | "being")
                        && is_participle(&pair[1].lower)
                        && !words::MADE.contains(&pair[1].lower.as_str())
                });
                if done && !near.iter().any(|word| word.is_break()) {
                    acts
                } else {
                    Reading::Excused(Excuse::Mention)
                }
            }
        };
    }
    // `removed its hat and turned out to be Chen`.
    if word == "be"
        && before.len() >= 4
        && before[before.len() - 2].lower == "to"
        && before[before.len() - 3].lower == "out"
        && matches!(before[before.len() - 4].lower.as_str(), "turned" | "turns")
    {
        return acts;
    }
    // `It was Chen who opened the door`.
    if matches!(word, "was" | "is") && before.len() >= 2 && before[before.len() - 2].lower == "it" {
        return match after.first().map(|next| next.lower.as_str()) {
            Some("who" | "that") => predicate(&after[1..], acts, false),
            Some(",") if after.get(1).is_some_and(|next| arrives(&next.lower)) => acts,
            // `The stranger took off his hat, and it was Chen.`
            None | Some("." | ",") if uncovered(&before[..before.len() - 2]) => acts,
            _ => Reading::Doubtful,
        };
    }
    // `So did Chen.`
    if word == "did"
        && before.len() >= 2
        && before[before.len() - 2].lower == "so"
        && after.first().is_none_or(|next| next.is_mark())
    {
        return acts;
    }
    // `Only once did Chen complain`.
    if word == "did" {
        let clause = &before[clause_start(before)..];
        let first = clause.first().map(|word| word.lower.as_str());
        let second = clause.get(1).map(|word| word.lower.as_str());
        let affirms = first == Some("only")
            || first == Some("not") && matches!(second, Some("until" | "till" | "only"));
        let does = after.first().is_some_and(|next| {
            !next.is_mark()
                && !words::DIES.contains(&next.lower.as_str())
                && !matches!(next.lower.as_str(), "not" | "have" | "and")
        });
        return if affirms && does {
            acts
        } else {
            Reading::Doubtful
        };
    }
    // `It took Chen three tries`.
    if word == "took" && before.len() == 2 && before[0].lower == "it" {
        let spent = after.first().is_some_and(|next| {
            matches!(
                next.lower.as_str(),
                "a" | "an" | "the" | "only" | "some" | "half"
            ) || crate::ledger::read_age(&next.lower).is_some()
        });
        let died = after.iter().any(|word| {
            words::DIES.contains(&word.lower.as_str()) || words::GONE.contains(&word.lower.as_str())
        });
        return if spent && !died && after.iter().any(|word| word.lower == "to") {
            acts
        } else {
            Reading::Doubtful
        };
    }
    let starts = clause_start(before);
    let clause = &before[starts..];
    // `The day Chen came to town`: the day of it, told afterwards.
    if clause.len() >= 2
        && words::TIME_UNITS.contains(&word)
        && matches!(clause[clause.len() - 2].lower.as_str(), "the" | "very")
    {
        return Reading::Excused(Excuse::Past);
    }
    // `knew where Chen hid it`: told of the dead as well.
    if matches!(
        word,
        "where" | "why" | "how" | "what" | "whom" | "whatever" | "wherever"
    ) && before.len() >= 2
        && matches!(
            before[before.len() - 2].lower.as_str(),
            "knew"
                | "know"
                | "known"
                | "knows"
                | "asked"
                | "told"
                | "learned"
                | "learnt"
                | "showed"
                | "understood"
                | "discovered"
                | "guessed"
                | "see"
                | "saw"
                | "imagine"
                | "explained"
                | "found"
                | "of"
                | "about"
                | "tell"
                | "learn"
                | "heart"
        )
    {
        return Reading::Doubtful;
    }
    // `There was a thump overhead: Chen getting out of bed`, `the rest filed in, Chen bringing up the rear`.
    if previous.is_break()
        && after.first().is_some_and(|next| {
            next.lower.len() > 4
                && next.lower.ends_with("ing")
                && !words::LIFELESS.contains(&next.lower.as_str())
                && !matches!(
                    next.lower.as_str(),
                    "being" | "according" | "having" | "during"
                )
        })
        && before
            .iter()
            .any(|word| is_past(&word.lower) || word.lower == "was")
    {
        return acts;
    }
    // `kissed Chen, and he blushed`: a subject of its own says that somebody else goes on.
    if !previous.is_break() && switches(before, after) {
        return acts;
    }
    // `paid Chen, who counted it twice`.
    if is_past(word) && !words::GONE.contains(&word) && goes_on_relative(after) {
        return acts;
    }
    if words::DONE_TO_THE_LIVING.contains(&word)
        && before.len() >= 2
        && before[before.len() - 2].is_name()
        && !after.iter().any(|word| {
            words::GRAVES.contains(&word.lower.as_str())
                || words::GONE.contains(&word.lower.as_str())
                || matches!(
                    word.lower.as_str(),
                    "silently" | "once" | "flowers" | "prayer" | "back"
                )
        })
    {
        return acts;
    }
    // `The first to move was Chen, who caught her`, `There was Chen, asleep in the armchair`.
    if word == "was" {
        let first = clause.first().map_or("", |word| word.lower.as_str());
        let ranked = clause.windows(2).any(|pair| {
            matches!(pair[0].lower.as_str(), "first" | "last" | "next" | "one")
                && matches!(pair[1].lower.as_str(), "to" | "who")
        });
        // `The first to speak was Chen.`
        let ends = after.first().is_none_or(|next| next.text == ".");
        let spoke = clause.iter().any(|word| {
            matches!(
                word.lower.as_str(),
                "speak"
                    | "move"
                    | "rise"
                    | "laugh"
                    | "answer"
                    | "spoke"
                    | "moved"
                    | "laughed"
                    | "loudest"
                    | "nearest"
                    | "closest"
            )
        });
        if spoke && ends && (ranked || clause.len() < before.len()) {
            return acts;
        }
        // `The big man at the bar was Chen.`
        let someone = first == "the"
            && clause
                .iter()
                .any(|word| words::WHO.contains(&word.lower.as_str()))
            && clause.iter().any(|word| {
                matches!(
                    word.lower.as_str(),
                    "at" | "by"
                        | "behind"
                        | "beside"
                        | "awake"
                        | "opposite"
                        | "inside"
                        | "outside"
                        | "near"
                        | "across"
                )
            });
        let told_of = clause.iter().chain(after).any(|word| {
            words::GONE.contains(&word.lower.as_str())
                || words::GRAVES.contains(&word.lower.as_str())
                || words::LEGACY_VERBS.contains(&word.lower.as_str())
        });
        if someone && ends && !told_of {
            return acts;
        }
        let grave = after.iter().take(12).any(|word| {
            words::GRAVES.contains(&word.lower.as_str())
                || words::GONE.contains(&word.lower.as_str())
        });
        let comma = after.first().is_some_and(|next| next.text == ",");
        let next = after.get(1).map_or("", |next| next.lower.as_str());
        let here = words::PRESENT_STATES.contains(&next) || arrives(next);
        if !grave && comma && (first == "there" && clause.len() == 2 && here)
            || ranked && (goes_on_relative(after) || comma && here)
        {
            return acts;
        }
    }
    if word == "than"
        && before.first().is_some_and(|first| first.lower == "no")
        && before.get(1).is_some_and(|second| second.lower == "sooner")
    {
        return predicate(after, acts, false);
    }
    let fronted = clause.first().is_some_and(|first| {
        words::FRONTS.contains(&first.lower.as_str())
            || words::OPENERS.contains(&first.lower.as_str())
            || first.lower.ends_with("ing")
    });
    // `By the fire sat Chen.`
    let names = word != "was"
        || clause.first().is_some_and(|first| {
            !matches!(
                first.lower.as_str(),
                "this" | "that" | "it" | "the" | "one" | "a" | "all" | "there"
            )
        });
    if words::INVERTS.contains(&word)
        && names
        && (fronted && clause.len() > 1
            || before.len() >= 2
                && matches!(
                    before[before.len() - 2].lower.as_str(),
                    "there" | "in" | "up" | "out" | "down" | "then"
                ))
        && after.first().is_none_or(|next| {
            next.is_mark()
                || matches!(
                    next.lower.as_str(),
                    "with" | "in" | "himself" | "herself" | "at" | "on" | "and" | "his" | "her"
                )
        })
    {
        return acts;
    }
    if word == "and" && joined_object(before) {
        return Reading::Excused(Excuse::Mention);
    }
    if matches!(word, "as" | "than") && after.first().is_none_or(|next| next.is_mark()) {
        return Reading::Excused(Excuse::Mention);
    }
    if previous.is_break() || words::OPENERS.contains(&word) {
        return predicate(after, acts, false);
    }
    if words::PIVOTS.contains(&word) {
        let half = before.len() >= 2
            && matches!(
                before[before.len() - 2].lower.as_str(),
                "almost" | "nearly" | "half" | "practically"
            );
        return if half {
            Reading::Doubtful
        } else {
            perceived(after, acts)
        };
    }
    // `danced with Chen until the band packed up`.
    if word == "with" {
        let clause = &before[starts..];
        let together = clause
            .iter()
            .rev()
            .take(6)
            .any(|word| words::TOGETHER.contains(&word.lower.as_str()));
        let grave = after.iter().chain(clause).any(|word| {
            words::GRAVES.contains(&word.lower.as_str())
                || words::GONE.contains(&word.lower.as_str())
                || matches!(word.lower.as_str(), "like" | "once" | "often" | "always")
        });
        if together && !grave {
            return acts;
        }
    }
    // `followed Chen across the yard`.
    if matches!(
        word,
        "followed" | "trailed" | "chased" | "pursued" | "accompanied"
    ) && after
        .first()
        .is_some_and(|next| words::WAYS.contains(&next.lower.as_str()))
        && !after
            .iter()
            .any(|word| words::GRAVES.contains(&word.lower.as_str()))
    {
        return acts;
    }
    // `passed the heel across to Chen, and he ate it dry`: the other one is a woman.
    if words::PREPOSITIONS.contains(&word) && other_goes_on(before, after) {
        return acts;
    }
    if words::PREPOSITIONS.contains(&word) {
        return if goes_on_relative(after)
            && matches!(
                word,
                "to" | "at" | "by" | "with" | "beside" | "behind" | "past" | "into" | "from"
            ) {
            acts
        } else {
            Reading::Excused(Excuse::Mention)
        };
    }
    let is_noun = matches!(
        word,
        "morning"
            | "evening"
            | "spring"
            | "king"
            | "thing"
            | "ring"
            | "wing"
            | "ceiling"
            | "building"
            | "clearing"
            | "landing"
            | "crossing"
            | "meeting"
            | "wedding"
            | "string"
            | "lightning"
            | "railing"
            | "bed"
            | "shed"
            | "wound"
            | "lot"
            | "ground"
            | "cut"
            | "set"
            | "hit"
            | "lead"
            | "read"
    );
    if !is_noun && (is_past(word) || word.ends_with("ing") || word.ends_with("'s")) {
        return Reading::Excused(Excuse::Mention);
    }
    let has_verb = clause.iter().rev().skip(usize::from(is_noun)).any(|word| {
        is_past(&word.lower) || matches!(word.lower.as_str(), "was" | "is" | "were" | "had" | "has")
    });
    let names_only = clause.iter().all(|word| word.is_name());
    if fronted && !has_verb && !names_only {
        return predicate(after, acts, true);
    }
    if clause
        .iter()
        .all(|word| word.lower.ends_with("ly") || words::OPENERS.contains(&word.lower.as_str()))
    {
        return predicate(after, acts, false);
    }
    Reading::Doubtful
}

/// After an object: `, and he` with a verb, and no such pronoun before.
fn switches(before: &[&Word<'_>], after: &[&Word<'_>]) -> bool {
    let after = match after {
        [comma, rest @ ..] if comma.text == "," => rest,
        rest => rest,
    };
    let [and, pronoun, verb, ..] = after else {
        return false;
    };
    let same: &[&str] = match pronoun.lower.as_str() {
        "he" => &["he", "his", "him"],
        "she" => &["she", "her"],
        _ => return false,
    };
    and.lower == "and"
        && is_past(&verb.lower)
        && !words::DEATH_VERBS.contains(&verb.lower.as_str())
        && !words::LEGACY_VERBS.contains(&verb.lower.as_str())
        && !before
            .iter()
            .any(|word| same.contains(&word.lower.as_str()))
        && !before.iter().chain(after).any(|word| {
            words::GONE.contains(&word.lower.as_str())
                || words::GRAVES.contains(&word.lower.as_str())
        })
}

/// Somebody has just come, or shown a face: `took off his hat, and`.
fn uncovered(before: &[&Word<'_>]) -> bool {
    const SHOWN: [&str; 22] = [
        "hat",
        "hood",
        "mask",
        "veil",
        "cap",
        "helmet",
        "scarf",
        "door",
        "knock",
        "knocked",
        "figure",
        "stranger",
        "turned",
        "voice",
        "hand",
        "shoulder",
        "footsteps",
        "rider",
        "phone",
        "telephone",
        "rang",
        "curtain",
    ];
    before
        .iter()
        .any(|word| SHOWN.contains(&word.lower.as_str()))
}

/// After an object, `and he` who can only be the one named last.
fn other_goes_on(before: &[&Word<'_>], after: &[&Word<'_>]) -> bool {
    let pronoun = match after {
        [comma, and, pronoun, verb, ..]
            if comma.text == ","
                && and.lower == "and"
                && is_past(&verb.lower)
                && !words::DEATH_VERBS.contains(&verb.lower.as_str())
                && !words::LEGACY_VERBS.contains(&verb.lower.as_str()) =>
        {
            pronoun.lower.as_str()
        }
        _ => return false,
    };
    let says = |list: &[&str]| {
        before
            .iter()
            .any(|word| list.contains(&word.lower.as_str()))
    };
    let (his, her) = (says(&["he", "his", "him"]), says(&["she", "her", "hers"]));
    pronoun == "he" && her && !his || pronoun == "she" && his && !her
}

/// `gave the key to Chen, who pocketed it`.
pub(super) fn goes_on_relative(after: &[&Word<'_>]) -> bool {
    match after {
        [comma, who, rest @ ..] => {
            let adverbs = rest
                .iter()
                .take_while(|word| {
                    word.lower.ends_with("ly")
                        || matches!(
                            word.lower.as_str(),
                            "only" | "just" | "at" | "once" | "still"
                        )
                })
                .count();
            let verb = rest.get(adverbs).map_or("", |word| word.lower.as_str());
            let next = rest.get(adverbs + 1).map_or("", |word| word.lower.as_str());
            let doing = matches!(verb, "was" | "were")
                && next.len() > 4
                && next.ends_with("ing")
                && !words::LIFELESS.contains(&next);
            comma.text == ","
                && who.lower == "who"
                && (doing
                    || is_past(verb)
                        && !words::LEGACY_VERBS.contains(&verb)
                        && !words::DEATH_VERBS.contains(&verb))
        }
        _ => false,
    }
}

/// `between Mara and Chen`, `met Mara and Chen`: the other name is an object, so is this.
fn joined_object(before: &[&Word<'_>]) -> bool {
    let mut rest = before.iter().rev().skip(1).peekable();
    let mut named = false;
    while rest
        .next_if(|word| {
            word.is_name() || word.text == "." || words::TITLES.contains(&word.lower.as_str())
        })
        .is_some()
    {
        named = true;
    }
    named
        && rest.next().is_some_and(|word| {
            words::PREPOSITIONS.contains(&word.lower.as_str())
                || is_past(&word.lower)
                || word.lower.ends_with("ing")
        })
}

/// The first word of the clause the name stands in.
pub(super) fn clause_start(before: &[&Word<'_>]) -> usize {
    before
        .iter()
        .rposition(|word| word.is_break())
        .map_or(0, |at| at + 1)
}

/// After a verb of perception: `saw Chen turn`, `found Chen waiting`.
fn perceived(after: &[&Word<'_>], acts: Reading) -> Reading {
    match after.first() {
        Some(next) if words::LIFELESS.contains(&next.lower.as_str()) => Reading::Doubtful,
        Some(next)
            if next.lower.ends_with("ing") && next.lower.len() > 4
                || words::POSTURES.contains(&next.lower.as_str()) =>
        {
            acts
        }
        Some(next)
            if !next.is_mark()
                && !next.is_name()
                && !words::PREPOSITIONS.contains(&next.lower.as_str())
                && !words::OPENERS.contains(&next.lower.as_str())
                && !words::ADVERBS.contains(&next.lower.as_str())
                && !matches!(
                    next.lower.as_str(),
                    "the"
                        | "a"
                        | "an"
                        | "his"
                        | "her"
                        | "who"
                        | "dead"
                        | "lying"
                        | "is"
                        | "was"
                        | "out"
                        | "up"
                        | "off"
                        | "home"
                        | "back"
                        | "away"
                        | "slain"
                        | "gone"
                        | "buried"
                        | "killed"
                        | "hanged"
                        | "die"
                        | "fall"
                        | "murdered"
                )
                && !is_participle(&next.lower) =>
        {
            acts
        }
        Some(next) if matches!(next.lower.as_str(), "at" | "in" | "on" | "by" | "beside") => {
            // `found Chen in the kitchen, up to his elbows in flour`.
            let busy = after.windows(3).any(|words| {
                words[0].text == ","
                    && (matches!(
                        words[1].lower.as_str(),
                        "busy" | "asleep" | "awake" | "bent"
                    ) || words[1].lower == "up" && words[2].lower == "to"
                        || words[1].lower.len() > 4
                            && words[1].lower.ends_with("ing")
                            && !words::LIFELESS.contains(&words[1].lower.as_str()))
            });
            if busy { acts } else { Reading::Doubtful }
        }
        _ => Reading::Doubtful,
    }
}
