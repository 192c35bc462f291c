//! Chapter text as the rules read it: scenes, sentences, quotations, names.

use std::{collections::BTreeMap, ops::Range};

use novel_model::{RelPath, files::GeneratedChapter};
use novel_text::CharSieve;

use super::{
    finding::{Side, Spot},
    short_names::{POINTS, is_shared, is_title, is_word},
};

/// A chapter's text, cut once for all rules.
pub(super) struct Text<'a> {
    pub(super) path: RelPath,
    pub(super) scenes: Vec<Scene<'a>>,
}

/// A scene.
pub(super) struct Scene<'a> {
    pub(super) number: u32,
    pub(super) content: &'a str,
    pub(super) sentences: Vec<Sentence>,
    /// Bytes between quotation marks, ascending.
    quoted: Vec<Range<usize>>,
    /// Bytes of each line that is not blank.
    pub(super) paragraphs: Vec<Range<usize>>,
}

/// A sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sentence {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Its line in the scene, from one.
    line: usize,
    /// Its paragraph among those that are not blank, from zero.
    pub(super) paragraph: usize,
}

impl<'a> Text<'a> {
    pub(super) fn new(path: RelPath, chapter: &'a GeneratedChapter) -> Self {
        let scenes = chapter
            .scenes
            .iter()
            .map(|scene| Scene::new(scene.scene_number, &scene.content))
            .collect();
        Self { path, scenes }
    }

    /// Where a sentence stands.
    #[expect(clippy::unused_self, reason = "a spot is one of this text")]
    pub(super) const fn spot(&self, scene: &Scene<'_>, sentence: Sentence) -> Spot {
        Spot::Text {
            scene: scene.number,
            line: sentence.line,
            start: sentence.start,
            end: sentence.end,
        }
    }

    /// The sentence with its place; `focus` in bytes of the scene.
    pub(super) fn side(&self, scene: &Scene<'_>, sentence: Sentence, focus: Range<usize>) -> Side {
        let focus = focus.start.max(sentence.start)..focus.end.min(sentence.end);
        Side {
            path: self.path.clone(),
            spot: self.spot(scene, sentence),
            quotation: scene.content[sentence.start..sentence.end].to_owned(),
            focus: Some(focus.start - sentence.start..focus.end - sentence.start),
        }
    }
}

impl<'a> Scene<'a> {
    fn new(number: u32, content: &'a str) -> Self {
        let mut scene = Self {
            number,
            content,
            sentences: Vec::new(),
            quoted: Vec::new(),
            paragraphs: Vec::new(),
        };
        for (range, line) in paragraphs(content) {
            scene.paragraph(range.start, &content[range], line);
        }
        scene
    }

    /// Quotations do not run over paragraphs: an unclosed mark spoils one line, not a chapter.
    fn paragraph(&mut self, offset: usize, line: &str, number: usize) {
        let paragraph = self.paragraphs.len();
        self.paragraphs.push(offset..offset + line.len());
        let mut opened: Option<(char, usize)> = None;
        let mut start = 0;
        let mut chars = line.char_indices().peekable();
        while let Some((at, char)) = chars.next() {
            match (opened, closing_mark(char)) {
                (None, Some(closing)) if opens_quotation(line, at, char) => {
                    opened = Some((closing, at));
                }
                (Some((closing, from)), _)
                    if closing == char && closes_quotation(line, from, at, char) =>
                {
                    self.quoted
                        .push(offset + from..offset + at + char.len_utf8());
                    opened = None;
                }
                _ => {}
            }
            let next = chars.peek().map(|(_, next)| *next);
            let opens_here = opened.is_some_and(|(_, from)| from == at);
            let after_end = || {
                let before = line[..at].trim_end_matches(is_closing).chars().next_back();
                before.is_some_and(|before| ends_sentence(before, None))
            };
            let ends = ends_sentence(char, next) && !goes_on_after(line, at, char)
                || is_closing(char) && !opens_here && after_end() && !tagged(line, at, char);
            // A straight mark closes only what is open.
            let goes_on = next.is_some_and(|next| {
                ends_sentence(next, None) || is_closing(next) && (next != '"' || opened.is_some())
            });
            if ends && !goes_on {
                let end = at + char.len_utf8();
                self.sentence(offset, line, start..end, number, paragraph);
                start = end;
            }
        }
        self.sentence(offset, line, start..line.len(), number, paragraph);
        if let Some((_, from)) = opened {
            self.quoted.push(offset + from..offset + line.len());
        }
    }

    fn sentence(
        &mut self,
        offset: usize,
        line: &str,
        range: Range<usize>,
        number: usize,
        paragraph: usize,
    ) {
        let text = &line[range.clone()];
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return;
        }
        let start = range.start + (text.len() - text.trim_start().len());
        self.sentences.push(Sentence {
            start: offset + start,
            end: offset + start + trimmed.len(),
            line: number + line[..start].matches('\n').count(),
            paragraph,
        });
    }

    /// What the narrator says in a range: quotations are left out.
    pub(super) fn narrated(&self, range: Range<usize>) -> String {
        let mut told = String::with_capacity(range.len());
        let mut at = range.start;
        let first = self.quoted.partition_point(|quoted| quoted.end <= at);
        for quoted in &self.quoted[first..] {
            if quoted.start >= range.end {
                break;
            }
            if quoted.start > at {
                told.push_str(&self.content[at..quoted.start]);
            }
            at = quoted.end.max(at);
        }
        if at < range.end {
            told.push_str(&self.content[at..range.end]);
        }
        told
    }

    /// The sentences that begin in a range.
    pub(super) fn sentences_in(&self, range: Range<usize>) -> impl Iterator<Item = Sentence> + '_ {
        let first = self
            .sentences
            .partition_point(|sentence| sentence.start < range.start);
        let rest = self.sentences[first..].iter().copied();
        rest.take_while(move |sentence| sentence.start < range.end)
    }

    /// The sentence before, in the same paragraph.
    pub(super) fn previous_in_paragraph(&self, sentence: Sentence) -> Option<Sentence> {
        let at = self
            .sentences
            .partition_point(|other| other.start < sentence.start);
        let previous = *self.sentences.get(at.checked_sub(1)?)?;
        (previous.paragraph == sentence.paragraph).then_some(previous)
    }

    /// The sentence after, in the same paragraph.
    pub(super) fn next_in_paragraph(&self, sentence: Sentence) -> Option<Sentence> {
        let at = self
            .sentences
            .partition_point(|other| other.start <= sentence.start);
        let next = *self.sentences.get(at)?;
        (next.paragraph == sentence.paragraph).then_some(next)
    }

    pub(super) fn text(&self, sentence: Sentence) -> &'a str {
        &self.content[sentence.start..sentence.end]
    }

    /// Whether the byte lies between quotation marks.
    pub(super) fn is_quoted(&self, at: usize) -> bool {
        let next = self.quoted.partition_point(|range| range.end <= at);
        self.quoted
            .get(next)
            .is_some_and(|range| range.contains(&at))
    }

    /// The sentence around a byte.
    pub(super) fn sentence_at(&self, at: usize) -> Option<Sentence> {
        let next = self
            .sentences
            .partition_point(|sentence| sentence.end <= at);
        self.sentences
            .get(next)
            .copied()
            .filter(|sentence| sentence.start <= at)
    }
}

/// Paragraphs that are not blank, each with its first line. Prose with line breaks inside its
/// paragraphs, as plain text files have them, is cut at blank lines instead.
fn paragraphs(content: &str) -> Vec<(Range<usize>, usize)> {
    const WIDEST: usize = 90;
    let mut lines = Vec::new();
    let mut at = 0;
    for (index, line) in content.split('\n').enumerate() {
        lines.push((at..at + line.len(), index + 1));
        at += line.len() + 1;
    }
    let blank = |range: &Range<usize>| content[range.clone()].trim().is_empty();
    let full = lines.iter().filter(|(range, _)| !blank(range)).count();
    let breaks = lines
        .windows(2)
        .filter(|pair| !blank(&pair[0].0) && !blank(&pair[1].0))
        .filter(|pair| pair[0].0.len() > WIDEST / 2 && content[pair[0].0.clone()].is_ascii())
        .count();
    let is_wrapped = breaks * 2 > full && lines.iter().all(|(range, _)| range.len() <= WIDEST);
    let mut found: Vec<(Range<usize>, usize)> = Vec::new();
    let mut joins = false;
    for (range, line) in lines {
        if blank(&range) {
            joins = false;
        } else if let (true, true, Some((last, _))) = (joins, is_wrapped, found.last_mut()) {
            last.end = range.end;
        } else {
            found.push((range, line));
            joins = true;
        }
    }
    found
}

fn closing_mark(char: char) -> Option<char> {
    Some(match char {
        '“' => '”',
        '「' => '」',
        '『' => '』',
        '"' => '"',
        '‘' => '’',
        '\'' => '\'',
        _ => return None,
    })
}

/// A single mark opens a quotation only where no word goes before it.
fn opens_quotation(line: &str, at: usize, char: char) -> bool {
    if !matches!(char, '\'' | '‘') {
        return true;
    }
    let before = line[..at].chars().next_back();
    let after = line[at + char.len_utf8()..].chars().next();
    let begins =
        before.is_none_or(|before| before.is_whitespace() || "—–-(（“\"，。：".contains(before));
    // `'tis` and `'em` are words.
    let elided = char == '\'' && after.is_some_and(char::is_lowercase);
    begins && after.is_some_and(|after| !after.is_whitespace()) && !elided
}

/// A single mark closes a quotation only after a mark of speech: elsewhere it is an apostrophe.
fn closes_quotation(line: &str, from: usize, at: usize, char: char) -> bool {
    const SHORT: usize = 40;
    if !matches!(char, '\'' | '’') {
        return true;
    }
    let before = line[..at].chars().next_back();
    let after = line[at + char.len_utf8()..].chars().next();
    let ends = after.is_none_or(|after| !after.is_alphanumeric());
    let speech = before.is_some_and(|before| ".,!?…—–-。，！？".contains(before));
    ends && (speech || line[from..at].chars().count() < SHORT)
}

/// A full stop after an abbreviation or an initial, or before a small letter.
fn goes_on_after(line: &str, at: usize, char: char) -> bool {
    const ABBREVIATIONS: [&str; 24] = [
        "Mr", "Mrs", "Ms", "Messrs", "Dr", "St", "Prof", "Capt", "Col", "Gen", "Lt", "Sgt", "Rev",
        "Hon", "Jr", "Sr", "Esq", "No", "vs", "etc", "Mt", "Maj", "Cpl", "viz",
    ];
    let rest = line[at + char.len_utf8()..].trim_start_matches(is_closing);
    let next = rest.trim_start().chars().next();
    match char {
        '.' => {
            let word = line[..at]
                .rsplit(|char: char| !char.is_alphanumeric())
                .next()
                .unwrap_or_default();
            let initial = word.len() == 1 && word.chars().all(char::is_uppercase) && word != "I";
            ABBREVIATIONS.contains(&word)
                || initial && next.is_some_and(char::is_uppercase)
                || next.is_some_and(char::is_lowercase)
        }
        '!' | '?' | '…' => {
            rest.starts_with(char::is_whitespace) && next.is_some_and(char::is_lowercase)
        }
        _ => false,
    }
}

/// `"Go!" he said`: the sentence goes on after the closing mark.
fn tagged(line: &str, at: usize, char: char) -> bool {
    let rest = &line[at + char.len_utf8()..];
    rest.starts_with(char::is_whitespace) && rest.trim_start().starts_with(char::is_lowercase)
}

pub(super) fn is_closing(char: char) -> bool {
    matches!(char, '”' | '」' | '』' | '"' | '’')
}

pub(super) fn is_opening(char: char) -> bool {
    matches!(char, '“' | '「' | '『' | '"')
}

fn ends_sentence(char: char, next: Option<char>) -> bool {
    match char {
        '。' | '！' | '？' | '!' | '?' | '…' => true,
        '.' => next.is_none_or(|next| next.is_whitespace() || is_closing(next)),
        _ => false,
    }
}

/// Whether the text holds one of the words.
pub(super) fn holds(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// Where `word` stands in `text`; a Latin word not inside a longer one.
pub(super) fn occurrences<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |at| stands_alone(text, *at, at + word.len()))
}

/// Whether a Latin word in a text is not inside a longer one.
pub(super) fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let joins =
        |char: Option<char>| char.is_some_and(|char| char.is_alphanumeric() && char.is_ascii());
    let word = &text[start..end];
    !(joins(word.chars().next()) && joins(text[..start].chars().next_back())
        || joins(word.chars().next_back()) && joins(text[end..].chars().next()))
}

/// A name of the cast somewhere in a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mention<'i> {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Id of whom it names.
    pub(crate) id: &'i str,
}

/// All names of the cast. The longest name wins where several stand.
#[derive(Default)]
pub(crate) struct NameIndex {
    by_first: BTreeMap<char, Vec<Name>>,
    firsts: CharSieve,
}

/// A name as a text may have it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    text: String,
    id: String,
    /// Whether it is only a part of the name that somebody goes by.
    is_short: bool,
}

impl NameIndex {
    /// A single character is too often a part of another word.
    pub(super) fn add(&mut self, name: &str, id: &str) {
        let name = name.trim();
        let Some(first) = name.chars().next().filter(|_| name.chars().count() > 1) else {
            return;
        };
        self.insert(first, name, id, false);
        // `The Magpie` is `the Magpie` inside a sentence.
        if name.starts_with("The ") {
            self.insert('t', &format!("t{}", &name[1..]), id, false);
        } else if name.starts_with("the ") {
            self.insert('T', &format!("T{}", &name[1..]), id, false);
        }
    }

    /// A part of a name: `Isaura` of `Isaura Quill`.
    pub(super) fn add_short(&mut self, name: &str, id: &str) {
        if let Some(first) = name.chars().next() {
            self.insert(first, name, id, true);
        }
    }

    fn insert(&mut self, first: char, name: &str, id: &str, is_short: bool) {
        self.firsts.insert(first);
        let names = self.by_first.entry(first).or_default();
        names.push(Name {
            text: name.to_owned(),
            id: id.to_owned(),
            is_short,
        });
        names.sort_by(|a, b| b.text.len().cmp(&a.text.len()).then_with(|| a.cmp(b)));
    }

    /// Every name in `text`, in order, without overlap.
    pub(crate) fn mentions<'i>(&'i self, text: &str) -> Vec<Mention<'i>> {
        let mut found = Vec::new();
        let mut free = 0;
        for (start, char) in text.char_indices() {
            if start < free || !self.firsts.may_hold(char) {
                continue;
            }
            let names = self.by_first.get(&char).into_iter().flatten();
            let hit = names
                .filter(|name| text[start..].starts_with(name.text.as_str()))
                .filter(|name| stands_alone(text, start, start + name.text.len()))
                .find(|name| {
                    !name.is_short || !is_of_another(text, start, start + name.text.len())
                });
            if let Some(name) = hit {
                free = start + name.text.len();
                found.push(Mention {
                    start,
                    end: free,
                    id: &name.id,
                });
            }
        }
        found
    }
}

/// Whether a part of a name stands in somebody else's: `Kit Carson`, `Mrs. Quill`, `the Quills`.
fn is_of_another(text: &str, start: usize, end: usize) -> bool {
    if text[..start].ends_with(POINTS) || text[end..].starts_with(POINTS) {
        return true;
    }
    let name_follows = text[end..]
        .strip_prefix(' ')
        .is_some_and(|rest| rest.starts_with(char::is_uppercase) && !rest.starts_with("I "));
    let before = text[..start].trim_end_matches(' ');
    let last = before
        .rsplit(|char: char| !(char.is_alphanumeric() || char == '.' || char == '-'))
        .next()
        .unwrap_or_default();
    let joined = start > before.len() && !last.is_empty();
    // A capital at the start of a sentence says nothing.
    let opens = before[..before.len() - last.len()]
        .trim_end()
        .chars()
        .next_back()
        .is_none_or(|char| !(char.is_alphanumeric() || matches!(char, ',' | ';')));
    // `Captain Quill` may be the one meant, `Mrs. Quill` and `the Quill` are not.
    let titled = is_shared(last) || last.eq_ignore_ascii_case("the");
    // `He would pay on Friday. Isaura laughed`: no initial, so the sentence ends before the name.
    let is_ended = last.ends_with('.') && last.chars().count() > 2;
    let name_before = joined
        && last.starts_with(char::is_uppercase)
        && !opens
        && !is_ended
        && last != "I"
        && !is_title(last);
    // `Will` or `Rose` at the start of a sentence may be the word.
    let opens_sentence = before
        .chars()
        .next_back()
        .is_none_or(|char| !(char.is_alphanumeric() || matches!(char, ',' | ';')));
    name_follows || joined && titled || name_before || opens_sentence && is_word(&text[start..end])
}

#[cfg(test)]
#[path = "prose_tests.rs"]
mod tests;
