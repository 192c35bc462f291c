//! English: the words around a name, and the verb that belongs to it.

use std::ops::Range;

use super::{
    super::prose::{Mention, Scene, Sentence},
    Excuse, Reading, en_words as words,
};

/// Words a parenthesis between subject and verb may have.
const LONGEST_ASIDE: usize = 16;

/// A word or a mark of a sentence; quotations are one mark.
struct Word<'t> {
    range: Range<usize>,
    lower: String,
    text: &'t str,
}

impl Word<'_> {
    fn is_mark(&self) -> bool {
        !self.lower.starts_with(char::is_alphanumeric)
    }

    fn is_break(&self) -> bool {
        matches!(
            self.text,
            "," | ";" | ":" | "—" | "–" | "--" | "(" | ")" | "\"" | "-" | "…"
        )
    }

    fn is_name(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }
}

pub(super) fn read(scene: &Scene<'_>, sentence: Sentence, mention: Mention<'_>) -> Reading {
    let content = scene.content;
    let words = split(scene, sentence.start..sentence.end);
    let before: Vec<&Word<'_>> = words
        .iter()
        .filter(|word| word.range.end <= mention.start)
        .collect();
    let after: Vec<&Word<'_>> = words
        .iter()
        .filter(|word| word.range.start >= mention.end)
        .collect();
    let end = after
        .iter()
        .find(|word| word.is_mark() && !matches!(word.text, "'" | "’"))
        .map_or(sentence.end, |word| word.range.start)
        .max(mention.end);
    let end = mention.end + content[mention.end..end].trim_end().len();
    let acts = Reading::Acts(mention.start..end);
    let told = scene.narrated(sentence.start..sentence.end).to_lowercase();
    if words::FRAME_ANYWHERE
        .iter()
        .any(|frame| told.contains(frame))
    {
        return Reading::Excused(Excuse::Past);
    }
    if framed(&before) {
        return Reading::Excused(Excuse::Hypothesis);
    }
    if content[mention.end..].starts_with("'s")
        || content[mention.end..].starts_with("’s")
        || content[mention.end..].starts_with("s'")
        || content[mention.end..].starts_with('-')
    {
        return possession(&before, &after, acts);
    }
    if told_before(scene, sentence, mention) || told.trim_end().ends_with('?') {
        return Reading::Doubtful;
    }
    let reading = subject(content, &before, &after, mention, acts.clone());
    match reading {
        Reading::Doubtful | Reading::Excused(Excuse::State | Excuse::Past)
            if begins_clause(&before)
                && goes_on(&after, reading == Reading::Excused(Excuse::Past)) =>
        {
            acts
        }
        reading => reading,
    }
}

/// The name is the subject its clause begins with.
fn begins_clause(before: &[&Word<'_>]) -> bool {
    before
        .iter()
        .rev()
        .find(|word| !words::TITLES.contains(&word.lower.as_str()))
        .is_none_or(|word| {
            word.is_break() || matches!(word.lower.as_str(), "and" | "but" | "then" | "so" | "now")
        })
}

/// The sentence goes on with what the same person does: `didn't answer; he went on whittling`,
/// `knew she was lying; his mouth twitched`. After a pluperfect only what is going on counts.
fn goes_on(after: &[&Word<'_>], after_past: bool) -> bool {
    if after
        .iter()
        .any(|word| words::GONE.contains(&word.lower.as_str()))
    {
        return false;
    }
    let Some(at) = after.windows(2).position(|pair| {
        let joins = matches!(pair[0].text, ";" | "—" | "–" | ":")
            || matches!(pair[0].lower.as_str(), "and" | "but" | "for" | "yet");
        joins && matches!(pair[1].lower.as_str(), "he" | "she" | "his" | "her")
    }) else {
        return false;
    };
    // Somebody else in between may be meant.
    if after[..at]
        .iter()
        .any(|word| word.is_name() && word.lower != "i")
    {
        return false;
    }
    let rest = &after[at + 2..];
    let word = |index: usize| rest.get(index).map_or("", |word| word.lower.as_str());
    if matches!(after[at + 1].lower.as_str(), "his" | "her") {
        return !after_past
            && words::BODY.contains(&word(0))
            && is_past(word(1))
            && !words::IN_MIND.contains(&word(1));
    }
    if after_past {
        let skip = usize::from(matches!(word(1), "already" | "now" | "still"));
        return word(0) == "was" && word(1 + skip).ends_with("ing") && word(1 + skip).len() > 4;
    }
    matches!(predicate(rest, Reading::Acts(0..0), true), Reading::Acts(_))
}

/// Words and marks of the narrated part; a quotation is one mark.
fn split<'t>(scene: &Scene<'t>, range: Range<usize>) -> Vec<Word<'t>> {
    let content = scene.content;
    let mut words: Vec<Word<'t>> = Vec::new();
    let mut chars = content[range.clone()].char_indices().peekable();
    let mut in_quotation = false;
    while let Some((at, char)) = chars.next() {
        let start = range.start + at;
        if scene.is_quoted(start) {
            if !in_quotation {
                words.push(Word {
                    range: start..start + char.len_utf8(),
                    lower: "\"".to_owned(),
                    text: "\"",
                });
            }
            in_quotation = true;
            if let Some(last) = words.last_mut() {
                last.range.end = start + char.len_utf8();
            }
            continue;
        }
        in_quotation = false;
        if char.is_whitespace() {
            continue;
        }
        let mut end = start + char.len_utf8();
        if char.is_alphanumeric() {
            while let Some((next, char)) = chars.peek().copied() {
                let inner = matches!(char, '\'' | '’')
                    && content[range.start + next + char.len_utf8()..]
                        .starts_with(char::is_alphabetic);
                if !(char.is_alphanumeric() || inner) {
                    break;
                }
                end = range.start + next + char.len_utf8();
                chars.next();
            }
        }
        let text = &content[start..end];
        words.push(Word {
            range: start..end,
            lower: text.to_lowercase().replace('’', "'"),
            text,
        });
    }
    words
}

/// Whether what stands before the name makes it remembered, supposed or reported.
fn framed(before: &[&Word<'_>]) -> bool {
    let last_break = before
        .iter()
        .rposition(|word| matches!(word.lower.as_str(), "when" | ";" | "then" | "suddenly"));
    before.iter().enumerate().any(|(at, word)| {
        let interrupted = last_break.is_some_and(|last| last > at);
        let no_sooner = before.first().is_some_and(|first| first.lower == "no")
            && before.get(1).is_some_and(|second| second.lower == "sooner");
        let had = word.lower == "had"
            && !no_sooner
            && !before.get(at + 1).is_some_and(|next| {
                matches!(next.lower.as_str(), "to" | "a" | "an" | "the" | "no")
            })
            || matches!(word.lower.as_str(), "would" | "hadn't" | "he'd" | "she'd");
        if had {
            return !interrupted && !goes_on_after_past(before, at);
        }
        let only_once = word.lower == "once"
            && at > 0
            && matches!(before[at - 1].lower.as_str(), "only" | "at" | "just");
        words::FRAME_BEFORE.contains(&word.lower.as_str()) && !interrupted && !only_once
            || matches!(
                word.lower.as_str(),
                "said" | "told" | "says" | "knew" | "heard" | "swore" | "insisted" | "reported"
                    | "agreed" | "maintained" | "admitted" | "confirmed" | "concluded"
            ) && before.get(at + 1..).is_some_and(|rest| {
                rest.iter()
                    .take(3)
                    .any(|next| matches!(next.lower.as_str(), "that" | "how"))
            })
    })
}

/// Whether what follows `had` at `at` is told as now again: `when she had finished she passed it to`.
fn goes_on_after_past(before: &[&Word<'_>], at: usize) -> bool {
    let rest = &before[at..];
    if rest
        .iter()
        .any(|word| matches!(word.lower.as_str(), "and" | "but" | "before" | "until"))
    {
        return true;
    }
    // The clause of `had` depends on one that has a subject and a verb of its own.
    let clause = clause_start(&before[..at]);
    let depends = before[clause..at].iter().any(|word| {
        matches!(
            word.lower.as_str(),
            "when" | "after" | "once" | "because" | "since" | "as" | "though" | "although"
        )
    });
    depends
        && rest.windows(2).any(|pair| {
            matches!(
                pair[0].lower.as_str(),
                "he" | "she" | "they" | "we" | "i" | "it" | "you"
            ) && is_past(&pair[1].lower)
        })
}

/// `Chen's voice came from the stairs` is an act, `Chen's sword` is none.
fn possession(before: &[&Word<'_>], after: &[&Word<'_>], acts: Reading) -> Reading {
    let mut after = after.iter().skip_while(|word| {
        word.lower == "s"
            || word.lower == "'"
            || word.lower == "’"
            || word.lower == "'s"
            || word.lower == "own"
            || word.lower == "left"
            || word.lower == "right"
            || word.lower == "rough"
            || word.lower == "low"
            || word.lower == "deep"
    });
    // `heard Chen's boots on the stairs`.
    let heard = before.last().is_some_and(|word| word.lower == "heard");
    let mut heard_from = after.clone();
    if heard
        && heard_from
            .next()
            .is_some_and(|word| words::HEARD.contains(&word.lower.as_str()))
        && heard_from.next().is_some_and(|word| {
            matches!(word.lower.as_str(), "on" | "from" | "outside" | "behind" | "at" | "below")
        })
        && !heard_from.any(|word| words::IN_MIND.contains(&word.lower.as_str()))
    {
        return acts;
    }
    let part = after
        .next()
        .filter(|word| words::BODY.contains(&word.lower.as_str()));
    let verb = after
        .next()
        .filter(|word| is_past(&word.lower) && !words::DEATH_VERBS.contains(&word.lower.as_str()));
    let rest = after
        .take(8)
        .any(|word| words::IN_MIND.contains(&word.lower.as_str()));
    let begins = before
        .last()
        .is_none_or(|word| word.is_break() || words::OPENERS.contains(&word.lower.as_str()));
    match (part, verb) {
        (Some(_), Some(verb))
            if begins && !rest && !words::IN_MIND.contains(&verb.lower.as_str()) =>
        {
            acts
        }
        (Some(_), _) => Reading::Doubtful,
        _ => Reading::Excused(Excuse::Mention),
    }
}

/// The sentence before, in the same paragraph, tells of the same person as past.
fn told_before(scene: &Scene<'_>, sentence: Sentence, mention: Mention<'_>) -> bool {
    let name = &scene.content[mention.start..mention.end];
    scene
        .previous_in_paragraph(sentence)
        .is_some_and(|previous| {
            let told = scene.narrated(previous.start..previous.end);
            told.contains(name) && (told.contains(" had ") || told.contains(" would "))
        })
}

fn subject(
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
    let own = before.last().is_some_and(|word| {
        matches!(word.lower.as_str(), "his" | "her" | "their" | "my" | "our")
    });
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
        let agent = before[..before.len() - 1]
            .iter()
            .rev()
            .find(|word| {
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
            _ => Reading::Excused(Excuse::Mention),
        };
    }
    // `It was Chen who opened the door`.
    if matches!(word, "was" | "is") && before.len() >= 2 && before[before.len() - 2].lower == "it" {
        return match after.first().map(|next| next.lower.as_str()) {
            Some("who" | "that") => predicate(&after[1..], acts, false),
            Some(",") if after.get(1).is_some_and(|next| arrives(&next.lower)) => acts,
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
    // `The first to move was Chen, who caught her`, `There was Chen, asleep in the armchair`.
    if word == "was" {
        let first = clause.first().map_or("", |word| word.lower.as_str());
        let ranked = clause.windows(2).any(|pair| {
            matches!(pair[0].lower.as_str(), "first" | "last" | "next" | "one")
                && matches!(pair[1].lower.as_str(), "to" | "who")
        });
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
    if words::PREPOSITIONS.contains(&word) {
        return if goes_on_relative(after)
            && matches!(
                word,
                "to" | "at" | "by" | "with" | "beside" | "behind" | "past"
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

/// `gave the key to Chen, who pocketed it`.
fn goes_on_relative(after: &[&Word<'_>]) -> bool {
    match after {
        [comma, who, verb, ..] => {
            comma.text == ","
                && who.lower == "who"
                && is_past(&verb.lower)
                && !words::LEGACY_VERBS.contains(&verb.lower.as_str())
                && !words::DEATH_VERBS.contains(&verb.lower.as_str())
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
fn clause_start(before: &[&Word<'_>]) -> usize {
    before
        .iter()
        .rposition(|word| word.is_break())
        .map_or(0, |at| at + 1)
}

/// After a verb of perception: `saw Chen turn`, `found Chen waiting`.
fn perceived(after: &[&Word<'_>], acts: Reading) -> Reading {
    match after.first() {
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
                    && (matches!(words[1].lower.as_str(), "busy" | "asleep" | "awake" | "bent")
                        || words[1].lower == "up" && words[2].lower == "to"
                        || words[1].lower.len() > 4
                            && words[1].lower.ends_with("ing")
                            && !words::LIFELESS.contains(&words[1].lower.as_str()))
            });
            if busy { acts } else { Reading::Doubtful }
        }
        _ => Reading::Doubtful,
    }
}

/// The verb group after the subject. After a fronted adverbial a relative clause may hide.
fn predicate(after: &[&Word<'_>], acts: Reading, fronted: bool) -> Reading {
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
            rest = &rest[1 + names..];
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
            if first.lower == "never" {
                return Reading::Doubtful;
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
        "had" => match next.map(|next| next.lower.as_str()) {
            Some("to") => acts,
            Some("a" | "an" | "the" | "his" | "her" | "no") => Reading::Doubtful,
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
fn arrives(word: &str) -> bool {
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
            at(1).len() > 4 && at(1).ends_with("ing")
                || somebody(at(1))
                    && (matches!(at(2), "there" | "waiting" | "standing" | "talking" | "back")
                        || at(2).is_empty())
        }
        "lost" => matches!(at(1), "his" | "her") && soon(words::LOST_AT_ONCE),
        "gave" => soon(words::GIVEN_AT_ONCE) || then_does(rest),
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
                "out" | "to" | "from" | "after" | "down" | "back" | "across" | "up" | "over" | "for"
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
        Some("not") if rest.iter().any(|word| words::COULD_BE.contains(&word.lower.as_str())) => acts,
        Some("not" | "never" | "to" | "going") | None => Reading::Doubtful,
        Some(
            "lying" | "missing" | "dying" | "rotting" | "nothing" | "something" | "anything"
            | "everything" | "king" | "being" | "mouldering" | "resting",
        ) => Reading::Excused(Excuse::State),
        Some(next) if next.ends_with("ing") && next.len() > 4 => acts,
        Some(next) if words::PRESENT_STATES.contains(&next) && !grave => acts,
        Some("at" | "in" | "on" | "by" | "beside" | "behind" | "among" | "near" | "with")
            if !grave =>
        {
            acts
        }
        Some(next) if is_comparative(next) && pours_next(rest) => acts,
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

fn is_past(word: &str) -> bool {
    words::IRREGULAR.contains(&word)
        || word.len() > 3 && word.ends_with("ed") && !words::NOT_PAST.contains(&word)
}

fn is_participle(word: &str) -> bool {
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
