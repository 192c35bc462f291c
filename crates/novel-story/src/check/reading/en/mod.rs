//! English: the words around a name, and the verb that belongs to it.

mod predicate;
mod subject;

use std::ops::Range;

use self::{
    predicate::{is_past, predicate},
    subject::{clause_start, subject},
};
use super::{
    super::prose::{Mention, Scene, Sentence},
    Excuse, Reading, en_words as words,
};

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
    // `What he had not rehearsed was Chen laughing`.
    if before.last().is_some_and(|word| word.lower == "was")
        && before.first().is_some_and(|word| word.lower == "what")
        && after.first().is_some_and(|next| {
            next.lower.len() > 4
                && next.lower.ends_with("ing")
                && !words::LIFELESS.contains(&next.lower.as_str())
        })
    {
        return acts;
    }
    if framed(&before) {
        return Reading::Excused(Excuse::Hypothesis);
    }
    let next = scene.next_in_paragraph(sentence);
    let undone = |text: &str| words::UNDONE.iter().any(|word| text.contains(word));
    let rest = content[mention.end..sentence.end].to_lowercase();
    if undone(&rest) || next.is_some_and(|next| undone(&scene.text(next).to_lowercase())) {
        return Reading::Doubtful;
    }
    if likeness(&told, &after)
        || remembered_aside(&after)
        || is_namesake(&after)
        || told_by(&told, &words)
        || dated(&after)
    {
        return Reading::Excused(Excuse::Report);
    }
    if content[mention.end..].starts_with("'s")
        || content[mention.end..].starts_with("’s")
        || content[mention.end..].starts_with("s'")
        || content[mention.end..].starts_with('-')
    {
        return possession(&before, &after, acts);
    }
    if used_to(&before, &after) {
        return Reading::Excused(Excuse::Past);
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

/// `smiled up at her from the silver frame`: a likeness, told after the name.
fn likeness(told: &str, after: &[&Word<'_>]) -> bool {
    let spaced = format!(
        " {} ",
        told.replace(|char: char| !char.is_alphanumeric(), " ")
    );
    words::MATERIALS.iter().any(|word| spaced.contains(word))
        || after.iter().enumerate().any(|(at, word)| {
            words::LIKENESSES.contains(&word.lower.as_str())
                && after[at.saturating_sub(3)..at]
                    .iter()
                    .any(|front| matches!(front.lower.as_str(), "in" | "on" | "from" | "within"))
        })
}

/// `Young Chen, the grandson, opened the door`.
fn is_namesake(after: &[&Word<'_>]) -> bool {
    let comma = after.first().is_some_and(|word| word.text == ",");
    let from = usize::from(comma);
    after
        .get(from)
        .is_some_and(|word| matches!(word.lower.as_str(), "the" | "a" | "his" | "her"))
        && after[from + 1..]
            .iter()
            .take(2)
            .any(|word| words::NAMESAKES.contains(&word.lower.as_str()))
}

/// `Chen signed it here, the guide explained.`: somebody's words without marks.
fn told_by(told: &str, all: &[Word<'_>]) -> bool {
    const TELLS: [&str; 10] = [
        "explained",
        "said",
        "claimed",
        "recalled",
        "insisted",
        "maintained",
        "reckoned",
        "reported",
        "wrote",
        "swore",
    ];
    if all.iter().any(|word| word.text == "\"") {
        return false;
    }
    let Some((front, last)) = told.trim_end().rsplit_once(',') else {
        return false;
    };
    let last: Vec<&str> = last
        .split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    (2..=4).contains(&last.len())
        && last.last().is_some_and(|verb| TELLS.contains(verb))
        && matches!(
            last.first(),
            Some(&("the" | "he" | "she" | "they" | "his" | "her"))
        )
        && front.split(' ').count() > 3
}

/// `robbed the bank in '88`, `in 1821`.
fn dated(after: &[&Word<'_>]) -> bool {
    after.windows(2).any(|pair| {
        matches!(pair[0].lower.as_str(), "in" | "of" | "'" | "’")
            && (2..=4).contains(&pair[1].lower.len())
            && pair[1].lower.chars().all(|char| char.is_ascii_digit())
            && (pair[1].lower.len() == 4 && pair[1].lower.starts_with('1')
                || matches!(pair[0].lower.as_str(), "'" | "’"))
    })
}

/// `Chen, she remembered, laughed`.
fn remembered_aside(after: &[&Word<'_>]) -> bool {
    let mut words = after.iter();
    words.next().is_some_and(|word| word.text == ",")
        && words.take(3).any(|word| {
            matches!(
                word.lower.as_str(),
                "remembered" | "recalled" | "imagined" | "supposed" | "reported"
            )
        })
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
        .zip(std::iter::once(None).chain(after.iter().map(Some)))
        .any(|(word, before)| {
            // `snipping dead heads` is no death, `was dead` is.
            let said = word.lower != "dead"
                || before.is_some_and(|before| {
                    matches!(
                        before.lower.as_str(),
                        "was" | "were" | "is" | "be" | "been" | "being" | "lay" | "long" | "now"
                    )
                });
            said && words::GONE.contains(&word.lower.as_str())
        })
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
    let last_break = before.iter().rposition(|word| {
        matches!(
            word.lower.as_str(),
            "when" | ";" | ":" | "then" | "suddenly"
        )
    });
    if young(before) {
        return true;
    }
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
        let noun = words::FRAME_NOUNS.contains(&word.lower.as_str())
            && (before[at.saturating_sub(3)..at]
                .iter()
                .any(|front| words::IN_FRAME.contains(&front.lower.as_str()))
                || before[at + 1..]
                    .iter()
                    .take(2)
                    .any(|next| words::FRAME_TELLS.contains(&next.lower.as_str())));
        let seems = word.lower == "as"
            && before
                .get(at + 1)
                .is_some_and(|next| matches!(next.lower.as_str(), "if" | "though"));
        words::FRAME_BEFORE.contains(&word.lower.as_str())
            && !interrupted
            && !only_once
            && !resumed(&before[at..])
            || (noun || seems) && !interrupted
            || at == 0 && word.lower == "once"
            || at < 3 && word.lower == "asleep"
            || matches!(
                word.lower.as_str(),
                "said"
                    | "told"
                    | "says"
                    | "knew"
                    | "heard"
                    | "swore"
                    | "insisted"
                    | "reported"
                    | "agreed"
                    | "maintained"
                    | "admitted"
                    | "confirmed"
                    | "concluded"
            ) && before.get(at + 1..).is_some_and(|rest| {
                rest.iter()
                    .take(3)
                    .any(|next| matches!(next.lower.as_str(), "that" | "how"))
            })
    })
}

/// `remembered the stove and ran back in, and`: who remembered does something, and another clause begins.
fn resumed(rest: &[&Word<'_>]) -> bool {
    if !matches!(
        rest.first().map(|word| word.lower.as_str()),
        Some("remembered" | "recalled" | "forgot" | "thought" | "wondered" | "imagined")
    ) {
        return false;
    }
    let acted = rest
        .windows(2)
        .any(|pair| pair[0].lower == "and" && is_past(&pair[1].lower));
    let begins = match rest {
        [.., mark, and] => mark.is_break() && matches!(and.lower.as_str(), "and" | "but"),
        _ => false,
    };
    acted && begins
}

/// `When she was nine,`, `When he was a boy,`: long past.
fn young(before: &[&Word<'_>]) -> bool {
    before.windows(4).any(|words| {
        matches!(words[0].lower.as_str(), "when" | "since")
            && matches!(words[2].lower.as_str(), "was" | "were")
            && (crate::ledger::read_age(&words[3].lower).is_some()
                || matches!(
                    words[3].lower.as_str(),
                    "young" | "little" | "small" | "still"
                ))
    }) || before.windows(5).any(|words| {
        words[0].lower == "when"
            && matches!(words[2].lower.as_str(), "was" | "were")
            && matches!(
                words[4].lower.as_str(),
                "boy" | "girl" | "child" | "baby" | "lad" | "student"
            )
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
    let felt = before.last().is_some_and(|word| word.lower == "felt");
    let mut felt_on = after.clone();
    if felt
        && felt_on.next().is_some_and(|word| {
            matches!(
                word.lower.as_str(),
                "breath" | "gaze" | "eyes" | "stare" | "grip" | "hand"
            )
        })
        && felt_on.next().is_some_and(|word| {
            matches!(
                word.lower.as_str(),
                "on" | "upon" | "at" | "against" | "tighten" | "close"
            )
        })
    {
        return acts;
    }
    // `weighed in Chen's palm`, `leaked from Chen's fingertips`.
    let mut part_of = after.clone();
    if before.last().is_some_and(|word| {
        matches!(
            word.lower.as_str(),
            "in" | "from" | "under" | "beneath" | "between"
        )
    }) && part_of.next().is_some_and(|word| {
        matches!(
            word.lower.as_str(),
            "palm" | "fingertips" | "grip" | "grasp" | "teeth" | "heel" | "thumb"
        )
    }) && !part_of.any(|word| {
        words::IN_MIND.contains(&word.lower.as_str()) || words::GONE.contains(&word.lower.as_str())
    }) {
        return acts;
    }
    let mut heard_from = after.clone();
    if heard
        && heard_from
            .next()
            .is_some_and(|word| words::HEARD.contains(&word.lower.as_str()))
        && heard_from.next().is_some_and(|word| {
            matches!(
                word.lower.as_str(),
                "on" | "from" | "outside" | "behind" | "at" | "below"
            )
        })
        && !heard_from.any(|word| words::IN_MIND.contains(&word.lower.as_str()))
    {
        return acts;
    }
    let part = after
        .next()
        .filter(|word| words::BODY.contains(&word.lower.as_str()));
    // `"In the bath," came Chen's voice`, `Down the ladder came Chen's boots`.
    let comes = before.last().is_some_and(|word| {
        matches!(
            word.lower.as_str(),
            "came" | "drifted" | "floated" | "rang" | "boomed" | "appeared"
        )
    }) && before.len() >= 2;
    if part.is_some() && comes {
        return acts;
    }
    // `Chen's thumb was on his windpipe`.
    let mut placed = after.clone();
    let on = placed.next().is_some_and(|word| word.lower == "was")
        && placed.next().is_some_and(|word| {
            matches!(
                word.lower.as_str(),
                "on" | "at" | "round" | "around" | "against" | "over" | "already" | "under"
            )
        });
    let opened = before.last().is_none_or(|word| {
        word.is_break() || words::OPENERS.contains(&word.lower.as_str()) || word.lower == "because"
    });
    let bony = part.is_some_and(|part| {
        matches!(
            part.lower.as_str(),
            "thumb" | "fingers" | "knee" | "boot" | "heel" | "fist" | "elbow" | "foot" | "grip"
        )
    });
    if on && opened && bony {
        return acts;
    }
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

/// `Chen used to sit here`, `where she used to see Chen`.
fn used_to(before: &[&Word<'_>], after: &[&Word<'_>]) -> bool {
    let is = |pair: &[&Word<'_>]| pair[0].lower == "used" && pair[1].lower == "to";
    after
        .iter()
        .take(5)
        .copied()
        .collect::<Vec<_>>()
        .windows(2)
        .any(is)
        || before[clause_start(before)..].windows(2).any(is)
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
