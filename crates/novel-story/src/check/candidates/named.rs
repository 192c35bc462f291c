//! Whom each sentence speaks of: by name, by family name and title, as somebody's kin, by a pronoun, or
//! as the speaker of a quotation.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use novel_model::Lang;
use novel_text::CharSieve;

use super::{
    super::{
        people::Person,
        prose::{Mention, Scene, Sentence, stands_alone},
        reading::{Excuse, Reading},
        rules::{Kin, Scope, rank_word},
        short_names::is_title,
        words::{LONG_SURNAMES_ZH, SURNAMES_ZH},
    },
    handles::{ADDRESS_ZH, PREFIX_ZH, TITLES_ZH, is_said_of_many, kin_words},
};
use crate::ledger::{Slot, kin_of};

/// Somebody a sentence speaks of.
#[derive(Debug, Clone)]
pub(super) struct Seen<'s> {
    pub(super) id: &'s str,
    /// What stands for them, in bytes of the scene.
    pub(super) range: Range<usize>,
    pub(super) how: How,
}

/// How a sentence speaks of somebody, the clearest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum How {
    /// Named, and acts.
    Acts,
    /// Named where the sentence alone does not decide.
    Doubtful,
    /// Named as owner, object or in a state.
    Named,
    /// Called by a title or a part of the name.
    Called,
    /// A pronoun after their name.
    Pronoun,
    /// Speaks, or is spoken to, in a quotation without a name.
    Speaks,
    /// Called by what they are to somebody.
    Kin,
    /// Named inside a quotation.
    Quoted,
    /// The subject of the sentence before, which this one leaves out.
    LeftOut,
    /// A pronoun that may be somebody else.
    Perhaps,
    /// Named in a memory, a report or a supposition.
    Framed,
}

impl How {
    /// What it adds to a question.
    pub(super) const fn weight(self) -> u32 {
        match self {
            Self::Acts => 30,
            Self::Doubtful => 26,
            Self::Named => 20,
            Self::Called => 22,
            Self::Pronoun => 18,
            Self::Speaks => 14,
            Self::Kin | Self::Quoted => 12,
            Self::LeftOut => 8,
            Self::Perhaps => 6,
            Self::Framed => 4,
        }
    }
}

/// What people are called besides their names.
#[derive(Default)]
pub(super) struct Handles {
    /// Whole wordings, by their first letter.
    words: BTreeMap<char, Vec<Handle>>,
    /// Chinese family names, which titles follow, by their first letter.
    families: BTreeMap<char, Vec<(String, String)>>,
    /// Last letters of Chinese names, which forms of address follow.
    lasts: BTreeMap<char, Vec<String>>,
    firsts: CharSieve,
}

/// A wording that means somebody.
struct Handle {
    text: String,
    id: String,
    how: How,
}

impl Handles {
    /// Those of the people the record has facts about.
    pub(super) fn of(scope: &Scope<'_>, watched: &BTreeSet<&str>, kin: &[Kin]) -> Self {
        let mut handles = Self::default();
        for id in watched {
            let person = scope.people.get(id);
            let display = scope.display(id);
            let names = person.map_or_else(|| vec![display.clone()], Person::all_names);
            for name in &names {
                match scope.lang {
                    Lang::Zh => handles.add_zh(name, id),
                    Lang::En => handles.add_en(name, id),
                }
            }
            let record = scope
                .past
                .character(id)
                .and_then(|record| record.as_object());
            let ranks = record
                .into_iter()
                .flatten()
                .filter(|(field, _)| Slot::of_field(field) == Some(Slot::Rank));
            for word in ranks.filter_map(|(_, value)| rank_word(value.as_str()?)) {
                match scope.lang {
                    Lang::Zh if word.chars().count() > 1 => handles.add(word, id, How::Perhaps),
                    Lang::En => {
                        for called in [format!("the {word}"), format!("The {word}")] {
                            handles.add(&called, id, How::Perhaps);
                        }
                    }
                    Lang::Zh => {}
                }
            }
        }
        for (word, kind, sex) in kin_words(scope.lang)
            .iter()
            .filter_map(|word| kin_of(word).map(|(kind, sex)| (*word, kind, sex)))
        {
            for tie in kin
                .iter()
                .filter(|tie| tie.kind == kind && (tie.sex == sex || tie.sex == '-' || sex == '-'))
            {
                if watched.contains(tie.a.as_str()) {
                    handles.add(word, &tie.a, How::Kin);
                }
            }
        }
        handles
    }

    fn add(&mut self, handle: &str, id: &str, how: How) {
        let Some(first) = handle.chars().next() else {
            return;
        };
        self.firsts.insert(first);
        let known = self.words.entry(first).or_default();
        if known
            .iter()
            .all(|known| known.text != handle || known.id != id)
        {
            known.push(Handle {
                text: handle.to_owned(),
                id: id.to_owned(),
                how,
            });
        }
    }

    fn add_zh(&mut self, name: &str, id: &str) {
        const LONGEST: usize = 4;
        let letters: Vec<char> = name.chars().collect();
        if name.is_ascii() || letters.len() < 2 {
            return;
        }
        let long = LONG_SURNAMES_ZH
            .iter()
            .find(|family| name.starts_with(**family) && letters.len() > 2);
        let family = match long {
            Some(family) => (*family).to_owned(),
            None if SURNAMES_ZH.contains(letters[0]) => letters[0].to_string(),
            None => String::new(),
        };
        let given = &name[family.len()..];
        if !family.is_empty() {
            for prefix in PREFIX_ZH {
                self.add(&format!("{prefix}{family}"), id, How::Called);
            }
            if given.chars().count() > 1 {
                self.add(given, id, How::Called);
            }
            self.firsts.insert(letters[0]);
            let families = self.families.entry(letters[0]).or_default();
            families.push((family, id.to_owned()));
        }
        if let Some(last) = letters.last().filter(|_| letters.len() <= LONGEST) {
            for prefix in ["阿", "小"] {
                self.add(&format!("{prefix}{last}"), id, How::Called);
            }
            self.firsts.insert(*last);
            self.lasts.entry(*last).or_default().push(id.to_owned());
        }
    }

    /// Every handle in a text, in order: where it stands and whom it means. The longest wording wins.
    fn called<'h>(&'h self, text: &str) -> Vec<(Range<usize>, &'h str, How)> {
        let mut found = Vec::new();
        let mut free = 0;
        for (start, char) in text.char_indices() {
            if start < free || !self.firsts.may_hold(char) {
                continue;
            }
            let rest = &text[start..];
            let words = self.words.get(&char).into_iter().flatten();
            let mut here: Vec<(usize, &str, How)> = words
                .filter(|word| rest.starts_with(word.text.as_str()))
                .filter(|word| stands_alone(text, start, start + word.text.len()))
                .map(|word| (word.text.len(), word.id.as_str(), word.how))
                .collect();
            for (family, id) in self.families.get(&char).into_iter().flatten() {
                let title = rest.strip_prefix(family.as_str()).and_then(longest_title);
                here.extend(title.map(|title| (family.len() + title, id.as_str(), How::Called)));
            }
            for id in self.lasts.get(&char).into_iter().flatten() {
                let after = &rest[char.len_utf8()..];
                let address = ADDRESS_ZH
                    .iter()
                    .filter(|address| after.starts_with(**address))
                    .map(|address| address.len())
                    .max();
                here.extend(
                    address.map(|address| (char.len_utf8() + address, id.as_str(), How::Called)),
                );
            }
            let longest = here.iter().map(|(length, ..)| *length).max();
            if let Some(longest) = longest.filter(|longest| !is_said_of_many(&rest[*longest..])) {
                free = start + longest;
                let same = here.into_iter().filter(|(length, ..)| *length == longest);
                found.extend(same.map(|(_, id, how)| (start..free, id, how)));
            }
        }
        found
    }

    fn add_en(&mut self, name: &str, id: &str) {
        const SHORTEST: usize = 3;
        let words: Vec<&str> = name.split_whitespace().collect();
        if words.len() < 2 {
            return;
        }
        for word in &words {
            let bare = word.trim_matches(|char: char| !char.is_alphanumeric());
            if bare.len() >= SHORTEST && bare.starts_with(char::is_uppercase) && !is_title(bare) {
                self.add(bare, id, How::Called);
            }
        }
        // `Old Chen` is the old man.
        if let ("Old" | "old", Some(_)) = (words[0], words.get(1)) {
            self.add("the old man", id, How::Perhaps);
        }
    }
}

/// The length of the longest title a text begins with.
fn longest_title(text: &str) -> Option<usize> {
    TITLES_ZH
        .iter()
        .filter(|title| text.starts_with(**title))
        .map(|title| title.len())
        .max()
}

/// The people of each sentence of a scene.
pub(super) fn people<'s>(
    scope: &'s Scope<'_>,
    at: usize,
    scene: &Scene<'_>,
    handles: &'s Handles,
) -> Vec<Vec<Seen<'s>>> {
    let named = all_named(scope, at, scene, handles);
    let mut found: Vec<Vec<Seen<'s>>> = Vec::with_capacity(scene.sentences.len());
    for sentence in scene.sentences.iter().copied() {
        let first = named.partition_point(|seen| seen.range.start < sentence.start);
        let own = named[first..]
            .iter()
            .take_while(|seen| seen.range.start < sentence.end);
        let mut here: Vec<Seen<'s>> = own.cloned().collect();
        stand_ins(scope.lang, scene, sentence, &named, first, &mut here);
        // The clearest mention of each.
        here.sort_by(|a, b| (a.id, a.how, a.range.start).cmp(&(b.id, b.how, b.range.start)));
        here.dedup_by(|b, a| a.id == b.id);
        found.push(here);
    }
    found
}

/// Everybody named or called in a scene, in order.
fn all_named<'s>(
    scope: &'s Scope<'_>,
    at: usize,
    scene: &Scene<'_>,
    handles: &'s Handles,
) -> Vec<Seen<'s>> {
    let mentions = scope.mentions(at);
    let mut named: Vec<Seen<'s>> = mentions
        .iter()
        .map(|mention| Seen {
            id: mention.id,
            range: mention.start..mention.end,
            how: how_named(&scope.read(at, *mention)),
        })
        .collect();
    for (range, id, how) in handles.called(scene.content) {
        let before = mentions.partition_point(|mention| mention.end <= range.start);
        let is_name = mentions
            .get(before)
            .is_some_and(|mention| mention.start < range.end);
        if is_name {
            continue;
        }
        let how = match how {
            How::Called => read_called(scope, at, scene, range.clone(), id),
            other => other,
        };
        named.push(Seen { id, range, how });
    }
    named.sort_by_key(|seen| (seen.range.start, seen.how));
    named
}

const fn how_named(reading: &Reading) -> How {
    match reading {
        Reading::Acts(_) => How::Acts,
        Reading::Doubtful => How::Doubtful,
        Reading::Excused(Excuse::Mention | Excuse::State) => How::Named,
        Reading::Excused(Excuse::Quotation) => How::Quoted,
        Reading::Excused(Excuse::Past | Excuse::Hypothesis | Excuse::Report) => How::Framed,
    }
}

fn read_called(
    scope: &Scope<'_>,
    at: usize,
    scene: &Scene<'_>,
    range: Range<usize>,
    id: &str,
) -> How {
    let mention = Mention {
        start: range.start,
        end: range.end,
        id,
    };
    match how_named(&scope.read(at, mention)) {
        How::Acts | How::Doubtful | How::Named => How::Called,
        _ if scene.is_quoted(range.start) => How::Quoted,
        other => other,
    }
}

/// Adds whom pronouns, quotations and sentences without a subject mean.
fn stand_ins<'s>(
    lang: Lang,
    scene: &Scene<'_>,
    sentence: Sentence,
    named: &[Seen<'s>],
    first: usize,
    here: &mut Vec<Seen<'s>>,
) {
    let Some(paragraph) = scene.paragraphs.get(sentence.paragraph) else {
        return;
    };
    let quoted = scene.is_quoted(sentence.start);
    let mut add = |seen: &Seen<'s>, range: Range<usize>, how: How| {
        here.push(Seen {
            id: seen.id,
            range,
            how,
        });
    };
    let whole = sentence.start..sentence.end;
    let text = scene.text(sentence);
    let begun = named.partition_point(|seen| seen.range.start < paragraph.start);
    if quoted {
        // Whoever the narrator names in the paragraph speaks, or is spoken to.
        let end = named.partition_point(|seen| seen.range.start < paragraph.end);
        let outside = named[begun..end]
            .iter()
            .filter(|seen| !scene.is_quoted(seen.range.start));
        for seen in two_of(outside) {
            add(seen, whole.clone(), How::Speaks);
        }
    }
    let own = named[first..]
        .iter()
        .take_while(|seen| seen.range.start < sentence.end)
        .count();
    let Some(pronoun) = pronoun(text, lang) else {
        // A Chinese sentence goes on with the subject of the one before.
        if lang == Lang::Zh && own == 0 && !quoted {
            let before = named[begun..first].iter().rev();
            if let Some(seen) = before.into_iter().find(|seen| seen.how < How::Speaks) {
                add(seen, whole, How::LeftOut);
            }
        }
        // A place or a time may be set before anybody is named.
        if own == 0 && first == begun && !quoted {
            let next = named[first..]
                .iter()
                .find(|seen| seen.range.start < paragraph.end);
            if let Some(seen) = next {
                add(seen, sentence.start..sentence.end, How::Perhaps);
            }
        }
        return;
    };
    let range = sentence.start + pronoun.start..sentence.start + pronoun.end;
    let until = first
        + named[first..]
            .iter()
            .take_while(|seen| seen.range.start < range.start)
            .count();
    // Who is named in the paragraph so far, the nearest first; before its first name, who was named last.
    let near = named[begun..until]
        .iter()
        .rev()
        .filter(|seen| quoted || !scene.is_quoted(seen.range.start));
    let near: Vec<&Seen<'s>> = two_of(near).collect();
    for (at, seen) in near.iter().enumerate() {
        let how = if at == 0 { How::Pronoun } else { How::Perhaps };
        add(seen, range.clone(), how);
    }
    if near.is_empty() {
        for seen in two_of(named[..begun].iter().rev()) {
            add(seen, range.clone(), How::Perhaps);
        }
        // `When he came in, Chen sat down`.
        let after = named[until..]
            .iter()
            .find(|seen| seen.range.start < paragraph.end);
        if let Some(seen) = after {
            add(seen, range, How::Perhaps);
        }
    }
}

/// The first two people of a list.
fn two_of<'l, 's: 'l>(
    list: impl Iterator<Item = &'l Seen<'s>>,
) -> impl Iterator<Item = &'l Seen<'s>> {
    let mut known: Vec<&str> = Vec::new();
    list.filter(move |seen| {
        let is_new = !known.contains(&seen.id);
        known.push(seen.id);
        is_new
    })
    .take(2)
}

/// The first pronoun of the third person in a sentence.
fn pronoun(text: &str, lang: Lang) -> Option<Range<usize>> {
    match lang {
        Lang::Zh => text
            .match_indices(['他', '她'])
            .find(|(at, found)| {
                let after = &text[at + found.len()..];
                !after.starts_with(['们', '人', '乡']) && !text[..*at].ends_with(['其', '吉'])
            })
            .map(|(at, found)| at..at + found.len()),
        Lang::En => text
            .split(|char: char| !char.is_alphabetic())
            .find(|word| {
                matches!(
                    *word,
                    "he" | "she" | "him" | "her" | "his" | "hers" | "He" | "She" | "His" | "Her"
                )
            })
            .map(|word| {
                let at = word.as_ptr() as usize - text.as_ptr() as usize;
                at..at + word.len()
            }),
    }
}
