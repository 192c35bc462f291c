//! Frames that excuse: what a sentence tells as remembered, dreamt, reported, written, shown, supposed
//! or past, and how far such a frame reaches.

use super::{
    super::Excuse,
    Parsed, Scene, Sentence,
    past::{
        dated, ghost, is_idiom, last_time, long_ago, told_before, used_to, wakes, woke, young,
        young_again,
    },
    token::{Tag, Token},
    words,
};

/// The frame the name stands in, if any. `None` inside says that the sentence leaves it open.
pub(super) fn framed(
    scene: &Scene<'_>,
    sentence: Sentence,
    parsed: &Parsed<'_>,
) -> Option<Option<Excuse>> {
    let tokens = &parsed.tokens;
    let (before, after) = (&tokens[..parsed.at], &tokens[parsed.at + 1..]);
    let told = spaced(tokens);
    let holds = |list: &[&str]| list.iter().any(|phrase| told.contains(phrase));
    let aged = tokens.windows(5).any(|words| {
        words[0].tag == Tag::Subject
            && words[1].is(&["was", "were"])
            && crate::ledger::read_age(&words[2].lower).is_some()
            && words[3].is(&["years"])
            && words[4].is(&["old"])
    });
    if holds(words::FRAME_ANYWHERE)
        || aged
        || last_time(tokens)
        || ghost(tokens)
        || long_ago(parsed)
        || young(before)
        || young_again(before)
    {
        return Some(Some(Excuse::Past));
    }
    let front = spaced(before);
    if words::FRAME_IN_FRONT
        .iter()
        .any(|phrase| front.contains(phrase))
        && !woke(before)
    {
        return Some(Some(Excuse::Past));
    }
    // `In his son's laugh she heard Chen laughing`.
    let echo = before.windows(3).any(|words| {
        words[0].is(&["in"])
            && (words[1].tag == Tag::Possessive && words[2].is(words::ECHOES)
                || words[2].tag == Tag::Possessive)
    }) && before.iter().any(|token| token.is(words::ECHOES))
        && before.iter().any(|token| {
            token.is(&[
                "heard",
                "saw",
                "found",
                "recognised",
                "recognized",
                "hear",
                "see",
            ])
        });
    if echo {
        return Some(Some(Excuse::Hypothesis));
    }
    if parsed.reacts(parsed.at + 1) && parsed.tag(parsed.at + 1) == Tag::Stop {
        return None;
    }
    if governed(parsed) {
        return Some(Some(Excuse::Hypothesis));
    }
    let undone = |text: &str| words::UNDONE.iter().any(|word| text.contains(word)) || wakes(text);
    let next = scene.next_in_paragraph(sentence);
    let beside = [scene.previous_in_paragraph(sentence), next];
    // `It was the summer of the flood again.`
    let again = beside[0].is_some_and(|last| {
        let told = scene.narrated(last.start..last.end).to_lowercase();
        told.trim_end_matches(['.', '!']).ends_with(" again")
            && told.starts_with("it was")
            && told
                .split(' ')
                .any(|word| words::TIME_UNITS.contains(&word))
    });
    if again {
        return Some(Some(Excuse::Past));
    }
    let shown = beside.into_iter().flatten().any(|other| {
        let told = scene.narrated(other.start..other.end).to_lowercase();
        words::ART.iter().any(|word| told.contains(word))
    });
    if shown
        || undone(&spaced(after))
        || later_in_paragraph(scene, sentence).any(|later| undone(&later) || reveals(&later))
        || revived(scene, sentence, after)
        || is_told_dead(scene, sentence, parsed)
        || beside[0].is_some_and(|last| {
            is_synopsis(&scene.narrated(last.start..last.end).to_lowercase(), parsed)
        })
        || next.is_some_and(|next| nobody_did(&scene.narrated(next.start..next.end), parsed))
        || in_a_tin(after)
    {
        return Some(None);
    }
    if holds(words::MATERIALS)
        || words::ART.iter().any(|word| told.contains(word))
        || likeness(after)
        || is_of_stone(tokens)
        || verse_of(after)
        || looks_from(parsed)
        || told_aside(after)
        || is_namesake(after)
        || told_by(tokens)
        || dated(after)
        || spoken_through(after)
        || in_anothers_voice(after)
        || entry(tokens)
        || (parsed.at < 4
            && parsed.is(0, &["in", "on"])
            && parsed.is(1, &["it", "them"])
            && beside[0].is_some())
    {
        return Some(Some(Excuse::Report));
    }
    if younger(before) {
        return Some(Some(Excuse::Mention));
    }
    if hangs_over(parsed) {
        return Some(Some(Excuse::Report));
    }
    if used_to(parsed) {
        return Some(Some(Excuse::Past));
    }
    if told_before(scene, sentence, parsed) || tokens.last().is_some_and(|token| token.text == "?")
    {
        return Some(None);
    }
    None
}

/// The words of the narrator, each between spaces.
fn spaced(tokens: &[Token<'_>]) -> String {
    let mut text = String::from(" ");
    for token in tokens.iter().filter(|token| token.tag != Tag::Quote) {
        text.push_str(&token.lower);
        text.push(' ');
    }
    text
}

/// `sang the tinker` behind a comma, in a sentence without quotation marks.
fn verse_of(tokens: &[Token<'_>]) -> bool {
    !tokens.iter().any(|token| token.tag == Tag::Quote)
        && tokens.windows(3).any(|words| {
            words[0].tag == Tag::Comma
                && words[1].is(words::SAYS)
                && words[1].tag == Tag::Past
                && matches!(words[2].tag, Tag::Determiner | Tag::Possessive | Tag::Name)
                && !words[2].is(&["that", "what"])
        })
}

/// `smiled from every lamp post`: not where people look from.
fn looks_from(parsed: &Parsed<'_>) -> bool {
    let Some(verb) = parsed
        .verb_of(parsed.at + 1)
        .filter(|verb| parsed.is(*verb, words::GAZES))
    else {
        return false;
    };
    let end = parsed.clause_end(verb);
    // `frowned out of the small red face`.
    let out = (verb + 1..end).any(|at| {
        parsed.is(at, &["of", "from"])
            && (at + 1..end.min(at + 6)).any(|noun| parsed.is(noun, words::ECHOES))
    });
    if out {
        return true;
    }
    let Some(from) = (verb + 1..end.min(verb + 5)).find(|at| {
        parsed.is(*at, &["from"]) || parsed.is(*at, &["of"]) && parsed.is(*at - 1, &["out"])
    }) else {
        return false;
    };
    let far = (verb + 1..from).all(|at| {
        matches!(
            parsed.tag(at),
            Tag::Adverb | Tag::Preposition | Tag::Pronoun | Tag::To
        )
    });
    far && matches!(parsed.tag(from + 1), Tag::Determiner)
        && !parsed.tokens[from..end]
            .iter()
            .any(|token| token.is(words::PERCHES))
}

/// `pointed his bronze sword`: of metal or stone.
fn is_of_stone(tokens: &[Token<'_>]) -> bool {
    tokens.windows(3).any(|words| {
        words[0].is(&["his", "her", "one"])
            && (words[1].is(words::STONES)
                || words[1].is(&["stone", "painted", "carved", "oiled", "wooden", "plastic"])
                    && (words[2].is(words::BODY) || words[2].is(words::CLOTHES)))
    })
}

/// What the narrator says in the later sentences of the paragraph, in small letters.
fn later_in_paragraph(scene: &Scene<'_>, sentence: Sentence) -> impl Iterator<Item = String> {
    let end = scene
        .paragraphs
        .get(sentence.paragraph)
        .map_or(sentence.end, |paragraph| paragraph.end);
    scene
        .sentences_in(sentence.end..end)
        .map(|later| scene.narrated(later.start..later.end).to_lowercase())
}

/// `Lady Chen had drowned in that lake, and on still nights Lady Chen swam`: the paragraph says elsewhere
/// that whoever is named is dead.
fn is_told_dead(scene: &Scene<'_>, sentence: Sentence, parsed: &Parsed<'_>) -> bool {
    let Some(paragraph) = scene.paragraphs.get(sentence.paragraph) else {
        return false;
    };
    let name = &parsed.tokens[parsed.at];
    let parts: Vec<&str> = name.text.split(' ').collect();
    scene.sentences_in(paragraph.clone()).any(|other| {
        let end = if other.start == sentence.start {
            name.range.start
        } else {
            other.end
        };
        let told = scene.narrated(other.start..end);
        let words = || {
            told.split(|char: char| !char.is_alphanumeric())
                .filter(|word| !word.is_empty())
        };
        words().any(|word| parts.contains(&word))
            && words().any(|word| words::DEAD_ALREADY.contains(&word))
    })
}

/// `The log lay open. Chen goes over the side`: from the past to the present, behind a document.
fn is_synopsis(last: &str, parsed: &Parsed<'_>) -> bool {
    let is_present = parsed
        .verb_of(parsed.at + 1)
        .is_some_and(|verb| matches!(parsed.tag(verb), Tag::Present | Tag::Noun));
    is_present
        && !parsed.tokens.iter().any(|token| token.tag == Tag::Quote)
        && last
            .split(|char: char| !char.is_alphanumeric())
            .any(|word| words::FRAME_NOUNS.contains(&word) || word == "book")
}

/// `At four Chen rang for tea. Nobody rang.`
fn nobody_did(next: &str, parsed: &Parsed<'_>) -> bool {
    let told = next.to_lowercase();
    let mut words = told.split(|char: char| !char.is_alphanumeric());
    matches!(words.next(), Some("nobody" | "none"))
        && parsed
            .verb_of(parsed.at + 1)
            .is_some_and(|verb| words.any(|word| word == parsed.word(verb)))
}

/// A later sentence says that it was all in a book, a film or the past.
fn reveals(later: &str) -> bool {
    words::REVEALS.iter().any(|phrase| later.contains(phrase))
}

/// `Breath went into the thing on the slab; Chen opened her eyes`: somebody is brought back.
fn revived(scene: &Scene<'_>, sentence: Sentence, after: &[Token<'_>]) -> bool {
    let opens = after.windows(3).any(|words| {
        words[0].is(&["opened"]) && words[1].is(&["his", "her"]) && words[2].is(&["eyes"])
    }) || after
        .windows(2)
        .any(|words| words[0].is(&["sat"]) && words[1].is(&["up"]))
        || after
            .iter()
            .any(|word| word.is(&["breathed", "gasped", "stirred"]));
    let Some(paragraph) = scene.paragraphs.get(sentence.paragraph).filter(|_| opens) else {
        return false;
    };
    let told = scene.narrated(paragraph.clone()).to_lowercase();
    told.split(|char: char| !char.is_alphanumeric())
        .any(|word| words::LAID_OUT.contains(&word))
}

/// `, in a tin that had held shortbread`: ashes.
fn in_a_tin(after: &[Token<'_>]) -> bool {
    after.windows(4).any(|words| {
        words[0].tag == Tag::Comma
            && words[1].is(&["in"])
            && words[2].is(&["a", "an", "the"])
            && words[3].is(&[
                "tin", "jar", "box", "urn", "canister", "shoebox", "casket", "vase", "hearse",
                "coffin",
            ])
    })
}

/// `said Chen, in Ada's best bass`: somebody else speaks as them.
fn in_anothers_voice(after: &[Token<'_>]) -> bool {
    after.windows(3).any(|words| {
        words[0].is(&["in"]) && words[1].tag == Tag::Possessive && words[2].is(&["best"])
    })
}

/// `Over the mantel Chen surveyed them`: a portrait hangs there.
fn hangs_over(parsed: &Parsed<'_>) -> bool {
    const PLACES: &[&str] = &[
        "mantel",
        "mantelpiece",
        "fire",
        "fireplace",
        "hearth",
        "sideboard",
        "piano",
        "stairs",
        "chimney-piece",
        "altar",
        "bar",
        "desk",
        "door",
    ];
    let placed = parsed.tokens[..parsed.at].windows(3).any(|words| {
        words[0].is(&["over", "above", "from"])
            && words[1].is(&["the", "his", "her"])
            && words[2].is(PLACES)
    });
    placed
        && parsed.verb_of(parsed.at + 1).is_some_and(|verb| {
            parsed.is(verb, words::GAZES)
                || parsed.is(
                    verb,
                    &["surveyed", "presided", "considered", "regarded", "eyed"],
                )
        })
        && !parsed.is(parsed.at.saturating_sub(1), words::PERCHES)
}

/// `The younger Chen`, `the new Chen`: somebody else, or somebody long ago.
fn younger(before: &[Token<'_>]) -> bool {
    matches!(before, [.., article, last]
        if article.tag == Tag::Determiner
            && last.is(&["younger", "elder", "older", "new", "first", "second", "other", "real", "young", "wax"]))
}

/// `14 May: Chen examines the patient`: an entry under its date.
fn entry(tokens: &[Token<'_>]) -> bool {
    tokens.iter().take(4).any(|token| token.text == ":")
        && tokens.first().is_some_and(|token| {
            token.lower.chars().all(|char| char.is_ascii_digit())
                || tokens
                    .get(1)
                    .is_some_and(|next| next.lower.chars().all(|char| char.is_ascii_digit()))
        })
}

/// `through her lips`: a medium speaks.
fn spoken_through(after: &[Token<'_>]) -> bool {
    after.windows(3).any(|words| {
        words[0].is(&["through"])
            && words[1].is(&["his", "her", "the"])
            && words[2].is(&["lips", "mouth"])
    })
}

/// Whether a word before the name opens a frame that still holds at the name.
fn governed(parsed: &Parsed<'_>) -> bool {
    let before = &parsed.tokens[..parsed.at];
    before.iter().enumerate().any(|(at, word)| {
        if word.tag == Tag::Name && at > 0 {
            return false;
        }
        let rest = &before[at + 1..];
        if word.is(words::DREAMS) {
            return !woke(rest) && !is_idiom(before, at);
        }
        if word.is(words::MINDS) {
            if !word.is(words::RECALLS) && parsed.closes_before_name(at) {
                return false;
            }
            let turns = word.is(&["thought"]) && at > 0 && before[at - 1].tag.opens_noun_phrase();
            let waits = word.is(&["waited", "waiting"])
                && !rest.first().is_some_and(|next| next.is(&["for"]));
            return !turns && !waits && !cut(rest) && !resumed(parsed, at);
        }
        if word.is(words::STORIES)
            && !rest.first().is_some_and(|next| next.is(&["of"]))
            && before[at.saturating_sub(3)..at]
                .iter()
                .any(|front| front.is(&["in"]))
        {
            return true;
        }
        if word.is(&["according"]) {
            return rest.get(1).is_some_and(|next| {
                matches!(
                    next.tag,
                    Tag::Determiner | Tag::Possessive | Tag::Name | Tag::Pronoun
                )
            });
        }
        if word.is(&["fever", "sworn"]) {
            return at > 0
                && before[at.saturating_sub(2)..at]
                    .iter()
                    .any(|front| front.is(&["in", "of"]))
                || rest
                    .first()
                    .is_some_and(|next| next.is(&["statement", "oath", "dream"]));
        }
        // `The play had Chen sweep in`, `What the glass showed was Chen`.
        if word.is(&["play", "tableau", "glass", "window", "mirror"])
            && rest
                .first()
                .is_some_and(|next| next.is(&["showed", "shows", "had", "has", "gave"]))
        {
            return true;
        }
        // `claimed to have seen Chen`.
        if word.is(words::SAYS)
            && rest.first().is_some_and(|next| next.tag == Tag::To)
            && rest.get(1).is_some_and(|next| next.is(&["have"]))
        {
            return true;
        }
        // `the story went`, but not `the bell went`.
        if word.is(&["went"]) && !(at > 0 && before[at - 1].is(words::STORIES)) {
            return false;
        }
        if word.is(words::SAYS) {
            let reports = told_list(word, rest)
                || rest
                    .iter()
                    .take(4)
                    .any(|next| next.is(&["that", "how", "of", "about"]))
                || rest.iter().all(|next| {
                    matches!(
                        next.tag,
                        Tag::Name | Tag::Noun | Tag::Possessive | Tag::Determiner | Tag::Pronoun
                    )
                }) && !(at > 0 && before[at - 1].tag == Tag::Quote)
                    && parsed.verb_of(parsed.at + 1).is_some();
            return reports && !cut(rest);
        }
        if word.is(words::TELLINGS) && told_list(word, rest)
            || word.is(words::FRAME_NOUNS)
                && rest.iter().any(|next| next.text == ":")
                && !handled(before, at)
        {
            return true;
        }
        // `in ten minutes`.
        if word.is(&["minutes"]) && !(at > 0 && before[at - 1].is(&["the"])) {
            return false;
        }
        if word.is(words::FRAME_NOUNS) {
            let inside = before[at.saturating_sub(4)..at]
                .iter()
                .any(|front| front.is(words::IN_FRAME));
            let carried = rest
                .first()
                .is_some_and(|next| next.is(&["in", "under", "on"]))
                && rest.get(1).is_some_and(|next| next.is(&["his", "her"]));
            let shows = !carried && rest.iter().take(2).any(|next| next.is(words::FRAME_TELLS))
                || rest.is_empty() && parsed.tag(parsed.at + 1).is_finite();
            // `took photographs of the outline, and it took Chen an hour`.
            let leaves = !(inside && at < 7 && before[0].tag == Tag::Preposition)
                && (inside
                    || rest
                        .first()
                        .is_some_and(|next| next.is(&["of", "in", "about"])))
                && rest
                    .windows(2)
                    .any(|pair| pair[0].tag == Tag::Comma && pair[1].is(&["and", "but", "so"]));
            return (inside || shows) && !leaves && !cut(rest) && !handled(before, at);
        }
        if word.is(words::SUPPOSES) {
            return !cut(rest);
        }
        word.is(&["once"])
            && (at == 0 && rest.first().is_none_or(|next| next.tag != Tag::Preposition)
                || at > 0
                    && before[at - 1].tag.is_mark()
                    && rest.first().is_some_and(|next| next.tag.is_mark()))
    })
}

impl Parsed<'_> {
    /// Whether the clause of a word before the name ends before the name begins another: `While she
    /// pretended to read, Chen`, `She expected a quarrel, but Chen`.
    fn closes_before_name(&self, word: usize) -> bool {
        let start = self.phrase_start();
        let Some(last) = (word + 1..start)
            .rev()
            .find(|at| self.tag(*at) != Tag::Adverb)
        else {
            return false;
        };
        if self.tag(last) != Tag::Comma || self.verb_of(self.at + 1).is_none() {
            return false;
        }
        let from = self.tokens[..word]
            .iter()
            .rposition(|token| matches!(token.tag, Tag::Stop | Tag::Comma | Tag::Quote))
            .map_or(0, |mark| mark + 1);
        self.tag(from) == Tag::Subordinator && !self.is(from, &["if", "as", "where"])
    }
}

/// `told them the lie smoothly: Chen was alive`.
fn told_list(word: &Token<'_>, rest: &[Token<'_>]) -> bool {
    let colon = rest.iter().position(|next| next.text == ":");
    !word.is(&["heard", "knew", "know"])
        && colon.is_some_and(|colon| {
            !rest[..colon]
                .iter()
                .any(|next| next.tag.is_finite() || next.tag == Tag::Quote)
        })
}

/// `took the letter from the table`: somebody handles the thing, nobody reads it.
fn handled(before: &[Token<'_>], at: usize) -> bool {
    before[at.saturating_sub(4)..at].iter().any(|token| {
        token.is(&[
            "took", "folded", "dropped", "put", "lifted", "picked", "laid", "pocketed", "closed",
            "burned", "tore", "handed", "slid", "pushed", "carried",
        ])
    }) && before[at + 1..]
        .iter()
        .any(|token| token.tag.is_mark() || token.tag == Tag::Coordinator)
}

/// Whether a clause that is told as now begins between the frame and the name.
fn cut(rest: &[Token<'_>]) -> bool {
    rest.iter().enumerate().any(|(at, token)| {
        matches!(token.text, ";" )
            || at > 0
                && token.is(&["when", "then", "suddenly", "until", "till"])
                // `the winter when`.
                && !(token.is(&["when"])
                    && (rest[at - 1].is(words::TIME_UNITS) || rest[at - 1].is(&["that"])))
            || at > 0 && token.is(&["while", "as", "before"]) && rest[..at].iter().any(|word| word.tag.is_nominal())
            || token.is(&["but"]) && at > 0
            // `expected to win was being carried`: the outer clause goes on.
            || at > 1 && token.tag == Tag::Be && rest[0].tag == Tag::To
    })
}

/// `remembered the stove and ran back in, and`: what is remembered is a thing, and another clause begins.
fn resumed(parsed: &Parsed<'_>, at: usize) -> bool {
    let rest = &parsed.tokens[at + 1..parsed.at];
    let clause = rest.first().is_some_and(|next| {
        next.is(&[
            "that", "how", "what", "when", "where", "why", "if", "whether",
        ]) || matches!(next.tag, Tag::Subject | Tag::Clitic)
    });
    let last = rest.iter().rposition(|token| token.tag != Tag::Adverb);
    let begins = last.is_some_and(|last| {
        rest[last].tag == Tag::Coordinator && last > 0 && rest[last - 1].tag == Tag::Comma
    });
    !clause && begins && parsed.verb_of(parsed.at + 1).is_some()
}

/// `smiled down from the silver frame`.
fn likeness(after: &[Token<'_>]) -> bool {
    after.iter().enumerate().any(|(at, word)| {
        word.is(words::LIKENESSES)
            && at > 0
            && after[at.saturating_sub(4)..at]
                .iter()
                .any(|front| front.is(&["in", "on", "from", "within", "of", "through"]))
            && !after[at - 1].is(&["his", "her"])
            && !after[..at].iter().any(|token| token.tag == Tag::Comma)
    })
}

/// `Chen, she remembered, laughed`, `, or so they said`.
fn told_aside(after: &[Token<'_>]) -> bool {
    after.iter().enumerate().any(|(at, token)| {
        token.tag == Tag::Comma
            && after[at + 1..].iter().take(4).any(|word| {
                word.is(&[
                    "remembered",
                    "recalled",
                    "imagined",
                    "supposed",
                    "reported",
                    "allegedly",
                    "supposedly",
                ])
            })
            && after[at + 1..]
                .iter()
                .take(4)
                .any(|word| word.tag == Tag::Subject || word.tag.is_mark())
            // `Chen led the way, he said, and then`, without quotation marks.
            || token.tag == Tag::Comma
                && !after.iter().any(|word| word.tag == Tag::Quote)
                && after
                    .get(at + 1)
                    .is_some_and(|word| word.tag == Tag::Subject || word.is(&["it"]))
                && after.get(at + 2).is_some_and(|word| word.is(&["said", "says", "told"]))
                && after.get(at + 3).is_some_and(|word| word.tag == Tag::Comma)
            || token.tag == Tag::Comma
                && after.get(at + 1).is_some_and(|word| word.is(&["as"]))
                && after[at + 1..].iter().take(5).any(|word| {
                    word.is(&[
                        "stone",
                        "epitaph",
                        "legend",
                        "inscription",
                        "story",
                        "song",
                        "papers",
                    ])
                })
    })
}

/// `Young Chen, the grandson, opened the door`.
fn is_namesake(after: &[Token<'_>]) -> bool {
    let from = usize::from(after.first().is_some_and(|word| word.tag == Tag::Comma));
    after
        .get(from)
        .is_some_and(|word| matches!(word.tag, Tag::Determiner | Tag::Possessive))
        && after[from + 1..]
            .iter()
            .take(2)
            .any(|word| word.is(words::NAMESAKES) || word.is(words::NAMED_THINGS))
        || after
            .first()
            .is_some_and(|word| word.is(&["junior", "jr", "ii", "iii"]))
}

/// `Chen signed it here, the guide explained.`: somebody's words without marks.
fn told_by(tokens: &[Token<'_>]) -> bool {
    if tokens.iter().any(|token| token.tag == Tag::Quote) {
        return false;
    }
    let Some(comma) = tokens.iter().rposition(|token| token.tag == Tag::Comma) else {
        return false;
    };
    let last: Vec<&Token<'_>> = tokens[comma + 1..]
        .iter()
        .filter(|token| !token.tag.is_mark())
        .collect();
    let [first, .., verb] = last.as_slice() else {
        return false;
    };
    last.len() <= 4
        && comma > 3
        && verb.is(words::SAYS)
        && (matches!(
            first.tag,
            Tag::Subject | Tag::Determiner | Tag::Possessive | Tag::Name
        ) || first.is(&["so", "or"]))
}
