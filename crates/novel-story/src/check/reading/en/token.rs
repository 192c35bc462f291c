//! Words and marks of a sentence, each with a coarse part of speech from closed classes of words and
//! from endings.

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use super::{Mention, Scene, words};

/// A coarse part of speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// A word with a capital that is no word of a closed class.
    Name,
    /// Nouns and adjectives, and whatever is in no class.
    Noun,
    /// `he`, `she`, `they`: always a subject.
    Subject,
    /// `him`, `it`, `nobody`.
    Pronoun,
    /// `he'd`, `they'll`: a subject with its auxiliary.
    Clitic,
    /// `his`, `Mara's`.
    Possessive,
    Determiner,
    Preposition,
    /// `to`.
    To,
    /// `and`, `or`, `nor`, `but`.
    Coordinator,
    /// `when`, `because`, `if`.
    Subordinator,
    /// `who`, `which`, `that`.
    Relative,
    Be,
    Have,
    Do,
    Modal,
    Adverb,
    /// A past form that may be finite.
    Past,
    /// A participle that cannot be finite, or stands after `be` or `have`.
    Participle,
    Ing,
    /// A finite present form.
    Present,
    /// A bare form after `to`, `do` or a modal.
    Base,
    Comma,
    /// `;`, `:`, a dash, dots.
    Stop,
    Open,
    Close,
    /// A quotation.
    Quote,
    /// `.`, `!`, `?`.
    End,
    /// `'s` after the name itself.
    Genitive,
    Other,
}

impl Tag {
    /// A verb with a tense.
    pub(super) const fn is_finite(self) -> bool {
        matches!(
            self,
            Self::Past
                | Self::Present
                | Self::Be
                | Self::Have
                | Self::Do
                | Self::Modal
                | Self::Clitic
        )
    }

    /// A mark.
    pub(super) const fn is_mark(self) -> bool {
        matches!(
            self,
            Self::Comma
                | Self::Stop
                | Self::Open
                | Self::Close
                | Self::Quote
                | Self::End
                | Self::Other
        )
    }

    /// What parts clauses.
    pub(super) const fn is_boundary(self) -> bool {
        self.is_mark()
            || matches!(
                self,
                Self::Coordinator | Self::Subordinator | Self::Relative
            )
    }

    /// A word a noun phrase may end with.
    pub(super) const fn is_nominal(self) -> bool {
        matches!(self, Self::Name | Self::Noun | Self::Pronoun)
    }

    pub(super) const fn opens_noun_phrase(self) -> bool {
        matches!(self, Self::Determiner | Self::Possessive | Self::Genitive)
    }
}

/// A word or a mark of a sentence; a quotation is one mark, and the name that is read one word.
#[derive(Debug)]
pub(super) struct Token<'t> {
    pub(super) range: Range<usize>,
    pub(super) text: &'t str,
    pub(super) lower: String,
    pub(super) tag: Tag,
}

impl Token<'_> {
    pub(super) fn is(&self, list: &[&str]) -> bool {
        list.contains(&self.lower.as_str())
    }
}

/// The closed classes.
static CLASSES: LazyLock<HashMap<&'static str, Tag>> = LazyLock::new(|| {
    let classes: [(&[&str], Tag); 20] = [
        (words::IRREGULAR, Tag::Past),
        (words::PARTICIPLES, Tag::Participle),
        (words::NO_VERBS, Tag::Noun),
        (words::ADVERBS, Tag::Adverb),
        (words::DETERMINERS, Tag::Determiner),
        (words::POSSESSIVES, Tag::Possessive),
        (words::SUBJECTS, Tag::Subject),
        (words::PRONOUNS, Tag::Pronoun),
        (words::PREPOSITIONS, Tag::Preposition),
        (words::SUBORDINATORS, Tag::Subordinator),
        (words::RELATIVES, Tag::Relative),
        (words::COORDINATORS, Tag::Coordinator),
        (words::BE, Tag::Be),
        (words::HAVE, Tag::Have),
        (words::DO, Tag::Do),
        (words::MODALS, Tag::Modal),
        (&["to"], Tag::To),
        (&["being", "having"], Tag::Ing),
        (&["been"], Tag::Participle),
        (&["be"], Tag::Base),
    ];
    let all = classes.into_iter();
    all.flat_map(|(list, tag)| list.iter().map(move |word| (*word, tag)))
        .collect()
});

/// The tokens of a sentence, and which of them is the name.
pub(super) fn tokens<'t>(
    scene: &Scene<'t>,
    sentence: Range<usize>,
    name: Mention<'_>,
) -> (Vec<Token<'t>>, usize) {
    let mut found = split(scene, sentence.start..name.start, &[]);
    let at = found.len();
    let text = &scene.content[name.start..name.end];
    found.push(Token {
        range: name.start..name.end,
        lower: text.to_lowercase(),
        text,
        tag: Tag::Name,
    });
    let rest = &scene.content[name.end..sentence.end];
    let owner = ["'s", "’s"].iter().find(|end| {
        rest.strip_prefix(**end)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    });
    // `James' hat`.
    let owner = owner.or_else(|| {
        ["' ", "’ "]
            .iter()
            .find(|end| rest.starts_with(**end) && text.ends_with('s'))
    });
    let mut from = name.end;
    if let Some(owner) = owner {
        from += owner.trim_end().len();
        found.push(Token {
            range: name.end..from,
            lower: "'s".to_owned(),
            text: &scene.content[name.end..from],
            tag: Tag::Genitive,
        });
    }
    let after = split(scene, from..sentence.end, &found);
    found.extend(after);
    retag(&mut found, at);
    (found, at)
}

fn split<'t>(scene: &Scene<'t>, range: Range<usize>, before: &[Token<'_>]) -> Vec<Token<'t>> {
    let content = scene.content;
    let mut found: Vec<Token<'t>> = Vec::new();
    let mut at = range.start;
    while let Some(char) = content[at..range.end].chars().next() {
        let start = at;
        at += char.len_utf8();
        if scene.is_quoted(start) {
            match found.last_mut() {
                Some(last) if last.tag == Tag::Quote && last.range.end == start => {
                    last.range.end = at;
                }
                _ => found.push(Token {
                    range: start..at,
                    text: "\"",
                    lower: "\"".to_owned(),
                    tag: Tag::Quote,
                }),
            }
            continue;
        }
        if char.is_whitespace() {
            continue;
        }
        if char.is_alphanumeric() {
            at = word_end(content, at, range.end);
        }
        let text = &content[start..at];
        let lower = text.to_lowercase().replace('’', "'");
        let first = found
            .iter()
            .chain(before)
            .all(|token| matches!(token.tag, Tag::Quote | Tag::Other));
        let tag = if char.is_alphanumeric() {
            tag_of(&lower, char.is_uppercase() && !first)
        } else {
            mark(text)
        };
        found.push(Token {
            range: start..at,
            text,
            lower,
            tag,
        });
    }
    found
}

/// The end of a word: letters, and apostrophes and hyphens between letters.
fn word_end(content: &str, mut at: usize, end: usize) -> usize {
    while let Some(char) = content[at..end].chars().next() {
        let next = at + char.len_utf8();
        let joins =
            matches!(char, '\'' | '’' | '-') && content[next..end].starts_with(char::is_alphabetic);
        if !(char.is_alphanumeric() || joins) {
            break;
        }
        at = next;
    }
    at
}

fn mark(text: &str) -> Tag {
    match text {
        "," => Tag::Comma,
        ";" | ":" | "—" | "–" | "-" | "…" => Tag::Stop,
        "(" | "[" => Tag::Open,
        ")" | "]" => Tag::Close,
        "." | "!" | "?" => Tag::End,
        _ => Tag::Other,
    }
}

fn tag_of(lower: &str, capital: bool) -> Tag {
    if let Some((word, end)) = lower.rsplit_once('\'') {
        return match (CLASSES.get(word), end) {
            (Some(Tag::Subject), _) => Tag::Clitic,
            (Some(Tag::Pronoun), end) if end != "s" || matches!(word, "it" | "there") => {
                Tag::Clitic
            }
            (_, "t") => CLASSES
                .get(word.strip_suffix('n').unwrap_or(word))
                .copied()
                .unwrap_or(Tag::Modal),
            (_, "s") if matches!(word, "let" | "that" | "who" | "what") => Tag::Clitic,
            (_, "s") => Tag::Possessive,
            _ => Tag::Noun,
        };
    }
    match CLASSES.get(lower) {
        Some(Tag::Noun | Tag::Past | Tag::Participle) if capital => Tag::Name,
        Some(tag) => *tag,
        None if capital => Tag::Name,
        None => by_ending(lower),
    }
}

fn by_ending(lower: &str) -> Tag {
    let bare = |ending: usize| lower.len() > ending;
    let prefixed = ["over", "under", "out", "mis", "re", "up", "fore", "with"]
        .iter()
        .filter_map(|prefix| lower.strip_prefix(prefix))
        .find_map(|rest| CLASSES.get(rest).filter(|_| rest.len() > 3));
    match prefixed {
        Some(tag @ (Tag::Past | Tag::Participle)) => *tag,
        _ if bare(3) && lower.ends_with("ed") => Tag::Past,
        _ if bare(4) && lower.ends_with("ing") => Tag::Ing,
        _ if bare(3) && lower.ends_with("ly") => Tag::Adverb,
        _ => Tag::Noun,
    }
}

/// Settles words of two classes by their neighbours.
fn retag(tokens: &mut [Token<'_>], name: usize) {
    for at in 0..tokens.len() {
        if at == name {
            continue;
        }
        let next = tokens.get(at + 1).map_or(Tag::End, |token| token.tag);
        let after = tokens.get(at + 2).map_or(Tag::End, |token| token.tag);
        let last = at.checked_sub(1).map_or(Tag::End, |last| tokens[last].tag);
        // The word before, adverbs and `not` left out.
        let before = tokens[..at]
            .iter()
            .rev()
            .find(|token| token.tag != Tag::Adverb);
        let before_tag = before.map_or(Tag::End, |token| token.tag);
        let word = tokens[at].lower.as_str();
        let tag = match tokens[at].tag {
            Tag::Name if at == 0 && next == Tag::Noun && !tokens[at + 1].lower.ends_with('s') => {
                Tag::Noun
            }
            Tag::Possessive if word == "her" => match next {
                Tag::Noun | Tag::Determiner => Tag::Possessive,
                Tag::Past | Tag::Ing if after.is_nominal() => Tag::Possessive,
                _ => Tag::Pronoun,
            },
            Tag::Relative if word == "that" => match next {
                Tag::Noun if !last.is_nominal() && !last.is_finite() => Tag::Determiner,
                Tag::Noun | Tag::Past if matches!(last, Tag::Preposition | Tag::To) => {
                    Tag::Determiner
                }
                _ => Tag::Relative,
            },
            Tag::Past => match before_tag {
                Tag::Determiner if before.is_some_and(|word| word.is(words::ALONE)) => Tag::Past,
                tag if tag.opens_noun_phrase() && last == tag => Tag::Noun,
                Tag::Preposition if last == before_tag && next == Tag::Noun => Tag::Noun,
                Tag::Be | Tag::Have => Tag::Participle,
                _ if before.is_some_and(|word| word.is(&["be", "been", "being", "having"])) => {
                    Tag::Participle
                }
                Tag::Modal | Tag::To | Tag::Do => Tag::Base,
                _ => Tag::Past,
            },
            Tag::Ing if last.opens_noun_phrase() && !next.opens_noun_phrase() => Tag::Noun,
            Tag::Noun | Tag::Adverb if word == "like" => Tag::Preposition,
            Tag::Noun => match before_tag {
                Tag::Modal | Tag::To | Tag::Do => Tag::Base,
                Tag::Clitic if before.is_some_and(|word| word.lower.ends_with("ll")) => Tag::Base,
                Tag::Subject
                    if before.is_some_and(|word| word.is(&["i", "we", "they"]))
                        || is_third(word) =>
                {
                    Tag::Present
                }
                _ if last == Tag::Quote && is_third(word) => Tag::Present,
                Tag::Noun
                    if at == 1
                        && tokens[0].text.starts_with(char::is_uppercase)
                        && is_present(word, next, tokens.get(at + 1)) =>
                {
                    Tag::Present
                }
                Tag::Name | Tag::Pronoun
                    if last == before_tag && is_present(word, next, tokens.get(at + 1)) =>
                {
                    Tag::Present
                }
                _ => Tag::Noun,
            },
            tag => tag,
        };
        tokens[at].tag = tag;
    }
}

/// The form of the third person: `opens`.
fn is_third(word: &str) -> bool {
    word.len() > 3
        && word.ends_with('s')
        && !["ss", "us", "'s"].iter().any(|end| word.ends_with(end))
}

/// The third person of the present, before what may follow a verb: `opens the door`.
pub(super) fn is_present(word: &str, next: Tag, follows: Option<&Token<'_>>) -> bool {
    is_third(word)
        && (next.is_mark()
            || matches!(
                next,
                Tag::Determiner
                    | Tag::Possessive
                    | Tag::Pronoun
                    | Tag::Preposition
                    | Tag::To
                    | Tag::Adverb
                    | Tag::Coordinator
                    | Tag::Subordinator
                    | Tag::Relative
                    | Tag::Name
                    | Tag::Ing
            )
            || follows
                .is_some_and(|word| word.is(&["open", "shut", "forward", "one", "two", "three"])))
}
