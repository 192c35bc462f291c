//! Names nobody registered that come up in a third chapter.
//!
//! Mentions come from the summarizer's cross-references and, carefully, from the text itself: what
//! stands where a speaker stands and is built like a name. Reported once, in the third chapter.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    ops::Range,
    sync::LazyLock,
};

use novel_model::{
    BookReader, ChapterNo, Document, Lang, Problem,
    files::{CrossReferences, GeneratedChapter},
    layout, message,
};
use novel_text::CharSieve;
use serde_json::Value;

use super::{Scope, member};
use crate::check::{
    finding::{Finding, FindingCode, Side},
    people::People,
    prose::{Scene, Text, is_closing, occurrences},
    speech::{next_word, speech_zh, starts_clause},
    words,
};
use novel_book::context::ContextError;

/// Chapters in which a name must come up.
const RECURS: usize = 3;
/// Earlier chapters whose text is searched for speakers.
const WINDOW: u32 = 50;

/// Where the log has a mention, by name and chapter.
type Mentions = BTreeMap<String, BTreeMap<ChapterNo, Side>>;

/// What is known of unregistered names; log and earlier texts are read when they are first needed.
#[derive(Default)]
pub(in crate::check) struct Names {
    logged: Option<Mentions>,
    /// Speakers without a file, by chapter.
    speakers: BTreeMap<ChapterNo, BTreeMap<String, Side>>,
}

impl Names {
    /// Reads the log, so that a damaged one is reported even where nobody asks it.
    pub(in crate::check) fn read_log(
        &mut self,
        reader: &dyn BookReader,
    ) -> Result<(), ContextError> {
        if self.logged.is_none() {
            self.logged = Some(mentions(reader)?);
        }
        Ok(())
    }

    pub(in crate::check) fn check(
        &mut self,
        reader: &dyn BookReader,
        scope: &Scope<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<(), ContextError> {
        let crossref_path = layout::crossref(scope.chapter);
        let crossref = Document::<CrossReferences>::load(reader, &crossref_path)?;
        let mut here: BTreeMap<String, Option<Side>> = BTreeMap::new();
        let unknown = crossref
            .iter()
            .flat_map(|crossref| &crossref.get().unknown_entities);
        for (at, entity) in unknown.enumerate() {
            if is_person(entity.suggested_type.as_deref()) {
                let pointer = format!("/unknown_entities/{at}/mention");
                let quotation = member("mention", &Value::from(entity.mention.as_str()));
                let side = Side::pointer(crossref_path.clone(), pointer, quotation);
                here.insert(entity.mention.trim().to_owned(), Some(side));
            }
        }
        let speakers = speakers(scope.text, scope.people, scope.lang);
        let spoken: Vec<String> = speakers.keys().cloned().collect();
        self.speakers.insert(scope.chapter, speakers);
        let mut names = here.keys().chain(&spoken);
        if crossref.is_some() && names.all(|name| is_registered(scope, name)) {
            // A commit logs names of the cross-references and no others.
            return Ok(());
        }
        self.read_log(reader)?;
        for (name, chapters) in self.logged.iter().flatten() {
            if let Some(side) = chapters.get(&scope.chapter) {
                here.entry(name.clone())
                    .or_insert_with(|| Some(side.clone()));
            }
        }
        for name in spoken {
            here.entry(name).or_insert(None);
        }
        here.retain(|name, _| !is_registered(scope, name));
        for (name, recorded) in here {
            let mut earlier = self.before(reader, scope, scope.chapter, &name)?;
            let Some(last) = earlier.keys().next_back().copied() else {
                continue;
            };
            // The chapter before this one has reported what recurred already there.
            if earlier.len() + 1 < RECURS
                || self.before(reader, scope, last, &name)?.len() + 1 >= RECURS
            {
                continue;
            }
            let chapters: Vec<u32> = earlier.keys().map(|chapter| chapter.get()).collect();
            let place = in_text(scope.text, &name).or(recorded);
            if let (Some(place), Some((_, first))) = (place, earlier.pop_first()) {
                findings.push(report(scope, &name, &chapters, (place, first)));
            }
        }
        Ok(())
    }

    /// Where `name` came up before `chapter`.
    fn before(
        &mut self,
        reader: &dyn BookReader,
        scope: &Scope<'_>,
        chapter: ChapterNo,
        name: &str,
    ) -> Result<BTreeMap<ChapterNo, Side>, ContextError> {
        let mut found = self.earlier_speech(reader, scope, chapter, name)?;
        let logged = self.logged.iter().filter_map(|logged| logged.get(name));
        let logged = logged.flatten();
        found.extend(
            logged
                .filter(|(other, _)| **other < chapter)
                .map(|(other, side)| (*other, side.clone())),
        );
        Ok(found)
    }

    /// Chapters not long before `before` in which `name` speaks.
    fn earlier_speech(
        &mut self,
        reader: &dyn BookReader,
        scope: &Scope<'_>,
        before: ChapterNo,
        name: &str,
    ) -> Result<BTreeMap<ChapterNo, Side>, ContextError> {
        let last = before.get();
        let mut found = BTreeMap::new();
        for chapter in (last.saturating_sub(WINDOW)..last).filter_map(ChapterNo::new) {
            let speakers = match self.speakers.entry(chapter) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let path = layout::chapter_json(chapter);
                    let document = Document::<GeneratedChapter>::load(reader, &path)?;
                    let speakers = document.map(|document| {
                        let text = Text::new(path, document.get());
                        speakers(&text, scope.people, scope.lang)
                    });
                    place.insert(speakers.unwrap_or_default())
                }
            };
            if let Some(side) = speakers.get(name) {
                found.insert(chapter, side.clone());
            }
        }
        Ok(found)
    }
}

fn mentions(reader: &dyn BookReader) -> Result<Mentions, ContextError> {
    let path = layout::unknown_entities();
    let text = reader.text(&path)?.unwrap_or_default();
    let mut logged = Mentions::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let entry: Value = serde_json::from_str(line).map_err(|error| {
            let text = message!(en: "not JSON: {error}", zh: "不是 JSON：{error}");
            ContextError::new(vec![
                Problem::new("json_syntax", &path, text).at_line(at + 1),
            ])
        })?;
        let chapter = entry.get("chapter").and_then(Value::as_u64);
        let chapter = chapter
            .and_then(|number| u32::try_from(number).ok())
            .and_then(ChapterNo::new);
        let mention = entry.get("mention").and_then(Value::as_str);
        let kind = entry.get("suggested_type").and_then(Value::as_str);
        let (Some(chapter), Some(mention), true) = (chapter, mention, is_person(kind)) else {
            continue;
        };
        let side = Side::line(path.clone(), at + 1, line.to_owned());
        let chapters = logged.entry(mention.trim().to_owned()).or_default();
        chapters.entry(chapter).or_insert(side);
    }
    Ok(logged)
}

fn report(scope: &Scope<'_>, name: &str, earlier: &[u32], sides: (Side, Side)) -> Finding {
    let list = earlier.iter().map(u32::to_string).collect::<Vec<_>>();
    let (en, zh) = (list.join(", "), list.join("、"));
    let text = message!(
        en: "`{name}` is not registered, but appears again (before: chapter {en})",
        zh: "“{name}”未登记，却再次出现（此前见于第 {zh} 章）"
    );
    Finding::new(
        FindingCode::UnregisteredNameRecurs,
        scope.chapter,
        name,
        sides,
        text,
    )
    .about([name.to_owned()])
}

fn is_person(kind: Option<&str>) -> bool {
    kind.is_none_or(|kind| matches!(kind, "" | "character" | "person" | "人物" | "角色"))
}

/// Whether the name, a longer or a shorter form of it stands in the cast or in the state.
fn is_registered(scope: &Scope<'_>, name: &str) -> bool {
    let overlaps = |known: &str| known.contains(name) || name.contains(known);
    if name.is_empty() || scope.people.names().any(overlaps) {
        return true;
    }
    let state = scope.past.state.as_ref();
    ["characters", "items", "locations", "factions"]
        .into_iter()
        .filter_map(|part| state?.get(part)?.as_object())
        .flatten()
        .any(|(id, record)| {
            let display = record.get("display_name").and_then(Value::as_str);
            id == name || display.is_some_and(|display| !display.is_empty() && overlaps(display))
        })
}

/// The first place where the name stands in the text.
fn in_text(text: &Text<'_>, name: &str) -> Option<Side> {
    text.scenes.iter().find_map(|scene| {
        let at = occurrences(scene.content, name).next()?;
        let sentence = scene.sentence_at(at)?;
        Some(text.side(scene, sentence, at..at + name.len()))
    })
}

/// Who speaks in a text and is built like a name, but is nobody of the cast.
fn speakers(text: &Text<'_>, people: &People, lang: Lang) -> BTreeMap<String, Side> {
    let known: BTreeSet<&str> = people.names().flat_map(|name| name.split(' ')).collect();
    let mut found = BTreeMap::new();
    for scene in &text.scenes {
        let starts = clause_starts(scene, lang);
        for start in starts {
            let end = match lang {
                Lang::Zh => name_zh(scene.content, start),
                Lang::En => name_en(scene.content, start),
            };
            let Some((end, sentence)) = end.zip(scene.sentence_at(start)) else {
                continue;
            };
            let name = &scene.content[start..end];
            let is_known = people
                .names()
                .any(|known| known.contains(name) || name.contains(known))
                || name.split(' ').any(|word| known.contains(word));
            if !is_known {
                found
                    .entry(name.to_owned())
                    .or_insert_with(|| text.side(scene, sentence, start..end));
            }
        }
    }
    found
}

/// Where a text names somebody who speaks: what stands where a speaker stands and is built like a name.
#[must_use]
pub fn speakers_in(text: &str, lang: Lang) -> Vec<Range<usize>> {
    let starts = text.char_indices().filter(|(at, char)| match lang {
        Lang::Zh => {
            SURNAMES_BEGIN.may_hold(*char)
                && (words::SURNAMES_ZH.contains(*char) || is_long_surname(&text[*at..]))
                && starts_clause(text, *at, lang)
        }
        Lang::En => {
            let before = text[..*at].chars().next_back();
            char.is_uppercase() && before.is_none_or(|before| !before.is_alphanumeric())
        }
    });
    let named = starts.filter_map(|(start, _)| {
        let end = match lang {
            Lang::Zh => name_zh(text, start),
            Lang::En => name_en(text, start),
        };
        Some(start..end?)
    });
    named.collect()
}

/// Bytes outside quotations at which a clause starts, and in English those after a verb of speech.
fn clause_starts(scene: &Scene<'_>, lang: Lang) -> Vec<usize> {
    let content = scene.content;
    content
        .char_indices()
        .filter(|(at, char)| match lang {
            Lang::Zh => {
                SURNAMES_BEGIN.may_hold(*char)
                    && (words::SURNAMES_ZH.contains(*char) || is_long_surname(&content[*at..]))
            }
            Lang::En => {
                char.is_uppercase()
                    && content[..*at]
                        .chars()
                        .next_back()
                        .is_none_or(|before| !before.is_alphanumeric())
            }
        })
        .map(|(at, _)| at)
        .filter(|at| !scene.is_quoted(*at))
        .filter(|at| {
            starts_clause(content, *at, lang) || lang == Lang::En && follows_speech(content, *at)
        })
        .collect()
}

/// The first characters of all family names.
static SURNAMES_BEGIN: LazyLock<CharSieve> = LazyLock::new(|| {
    let long = words::LONG_SURNAMES_ZH.iter();
    let long = long.filter_map(|surname| surname.chars().next());
    words::SURNAMES_ZH.chars().chain(long).collect()
});

fn is_long_surname(text: &str) -> bool {
    words::LONG_SURNAMES_ZH
        .iter()
        .any(|surname| text.starts_with(surname))
}

/// A family name and one or two characters, and then speech.
fn name_zh(content: &str, start: usize) -> Option<usize> {
    let rest = &content[start..];
    let surname = words::LONG_SURNAMES_ZH
        .iter()
        .find(|surname| rest.starts_with(**surname))
        .map_or_else(
            || rest.chars().next().map_or(0, char::len_utf8),
            |surname| surname.len(),
        );
    let mut ends: Vec<usize> = rest[surname..]
        .char_indices()
        .take(2)
        .take_while(|(_, char)| {
            ('\u{4E00}'..='\u{9FFF}').contains(char) && !words::NOT_IN_NAMES_ZH.contains(*char)
        })
        .map(|(at, char)| start + surname + at + char.len_utf8())
        .collect();
    ends.reverse();
    ends.into_iter()
        .filter(|end| !words::NOT_NAMES_ZH.contains(&&content[start..*end]))
        .find(|end| speech_zh(content, start, *end).is_some())
}

/// One to three capitalised words, and speech before or after.
fn name_en(content: &str, start: usize) -> Option<usize> {
    let length = |rest: &str| {
        rest.find(|char: char| !char.is_alphabetic())
            .unwrap_or(rest.len())
    };
    let mut end = start + length(&content[start..]);
    if words::NOT_NAMES_EN.contains(&&content[start..end]) {
        return None;
    }
    for _ in 0..2 {
        match next_word(content, end) {
            Some((word, next)) if word.starts_with(char::is_uppercase) => end = next,
            _ => break,
        }
    }
    let speaks = next_word(content, end).is_some_and(|(word, _)| words::SPEECH_EN.contains(&word));
    let quoted = content[..start]
        .trim_end()
        .chars()
        .next_back()
        .is_none_or(|before| is_closing(before) || before == '\n');
    (follows_speech(content, start) || speaks && quoted).then_some(end)
}

/// `"Go," said` stands right before the byte.
fn follows_speech(content: &str, at: usize) -> bool {
    let before = content[..at].trim_end();
    words::SPEECH_EN.iter().any(|verb| {
        before
            .strip_suffix(verb)
            .is_some_and(|rest| rest.trim_end().chars().next_back().is_some_and(is_closing))
    })
}
