//! One answer about written chapters, held against their texts.
//!
//! An entry stays only where its passage stands in the text; its quotation is the text's own words then.
//! What is named (people, places, things) must be named in the text too.

use std::collections::BTreeSet;

use novel_book::context::Cast;
use novel_model::{
    ChapterNo, Message, Problem, RelPath, Slug,
    files::{
        ForeshadowAction, RetellAnswer, Told, ToldChapter, ToldMeeting, ToldPerson, ToldPlace,
        ToldThread,
    },
    message,
};
use novel_text::Locator;

use super::super::one_line;

/// Entries of one list that are read.
const MOST_ENTRIES: usize = 16;
/// Events of a chapter that was told in parts.
const MOST_EVENTS: usize = 12;
/// Characters of a sentence of the answer.
const LONGEST_TEXT: usize = 400;
/// Characters of a quotation.
const LONGEST_QUOTATION: usize = 240;

/// What an answer may speak of.
pub struct Known<'a> {
    /// The people.
    pub cast: &'a Cast,
    /// The storylines.
    pub lines: &'a [Slug],
    /// Ids of foreshadowing, planned or planted.
    pub threads: &'a [String],
}

/// An answer, as far as the texts bear it out.
#[derive(Debug, Default)]
pub struct Heard {
    /// The chapters in order, without what was not found.
    pub chapters: Vec<ToldChapter>,
    /// What is wrong with the answer.
    pub faults: Vec<Problem>,
    unlocated: usize,
    kept: usize,
    is_unusable: bool,
}

impl Heard {
    /// How many entries the texts do not bear out.
    #[must_use]
    pub fn dropped(&self) -> usize {
        let faults = self.faults.iter();
        let is_entry = |fault: &&Problem| !["wrong_chapters", "no_objective"].contains(&fault.code);
        faults.filter(is_entry).count()
    }

    /// Whether the planner is to be asked once more: a chapter has no event the text bears out, somebody
    /// is unknown, or a quarter of what it says cannot be found.
    #[must_use]
    pub fn wants_another(&self) -> bool {
        self.is_unusable || self.unlocated > 0 && self.unlocated * 3 >= self.kept
    }
}

/// Holds an answer against the texts of its chapters, or of parts of them. The chapters that are heard are
/// those of `texts`, in order; one the answer has nothing of tells nothing.
#[must_use]
pub fn hear(
    path: &RelPath,
    answer: &RetellAnswer,
    texts: &[(ChapterNo, &str)],
    known: &Known<'_>,
) -> Heard {
    let mut heard = Heard::default();
    for ((chapter, text), at) in texts.iter().zip(placed(path, answer, texts, &mut heard)) {
        let told = at.and_then(|at| Some((at, answer.chapters.get(at)?)));
        let Some((at, told)) = told else {
            heard.chapters.push(nothing(*chapter));
            continue;
        };
        let mut hearing = Hearing {
            path,
            text,
            locator: Locator::new(text),
            known,
            heard: &mut heard,
        };
        let told = hearing.chapter(&format!("/chapters/{at}"), *chapter, told);
        heard.chapters.extend(joined(vec![told]));
    }
    heard
}

/// Where the answer tells of each chapter: by its number, or by its place in a list as long as it should
/// be in which no number is right.
fn placed(
    path: &RelPath,
    answer: &RetellAnswer,
    texts: &[(ChapterNo, &str)],
    heard: &mut Heard,
) -> Vec<Option<usize>> {
    let numbers: Vec<ChapterNo> = answer.chapters.iter().map(|told| told.chapter).collect();
    let places: Vec<Option<usize>> = texts
        .iter()
        .map(|(chapter, _)| numbers.iter().position(|number| number == chapter))
        .collect();
    let found: BTreeSet<usize> = places.iter().copied().flatten().collect();
    if found.len() == texts.len() && numbers.len() == texts.len() {
        return places;
    }
    let listed = |numbers: &mut dyn Iterator<Item = ChapterNo>| {
        let numbers = numbers.map(|number| number.get().to_string());
        numbers.collect::<Vec<_>>().join(", ")
    };
    let wanted = listed(&mut texts.iter().map(|(chapter, _)| *chapter));
    let said = listed(&mut numbers.iter().copied().take(MOST_ENTRIES));
    heard.is_unusable = true;
    heard.faults.push(
        Problem::new(
            "wrong_chapters",
            path,
            message!(
                en: "tells of chapters {said}; asked for, once each: {wanted}",
                zh: "讲了第 {said} 章；要求每章一次：第 {wanted} 章"
            ),
        )
        .at("/chapters"),
    );
    match found.is_empty() && numbers.len() == texts.len() {
        true => (0..texts.len()).map(Some).collect(),
        false => places,
    }
}

/// A chapter of which nothing is told.
fn nothing(chapter: ChapterNo) -> ToldChapter {
    ToldChapter {
        chapter,
        pov: String::new(),
        time: None,
        places: Vec::new(),
        conflict: Told::default(),
        arc: String::new(),
        events: Vec::new(),
        people: Vec::new(),
        threads: Vec::new(),
        meetings: Vec::new(),
        ending: Told::default(),
    }
}

/// The parts of a chapter as one, everything once; `None` of nothing.
#[must_use]
pub fn joined(parts: Vec<ToldChapter>) -> Option<ToldChapter> {
    let mut whole = nothing(parts.first()?.chapter);
    for part in parts {
        if whole.pov.is_empty() {
            whole.pov = part.pov;
        }
        whole.time = whole.time.or(part.time);
        for place in part.places {
            if whole.places.iter().all(|known| known.name != place.name) {
                whole.places.push(place);
            }
        }
        if whole.conflict.text.is_empty() {
            whole.conflict = part.conflict;
        }
        if whole.arc.is_empty() {
            whole.arc = part.arc;
        }
        for event in part.events {
            if whole.events.iter().all(|known| known.text != event.text) {
                whole.events.push(event);
            }
        }
        for person in part.people {
            let mut known = whole.people.iter_mut();
            match known.find(|known| known.character == person.character) {
                Some(known) => known.go_on(person),
                None => whole.people.push(person),
            }
        }
        for thread in part.threads {
            let same = |known: &ToldThread| known.id == thread.id && known.action == thread.action;
            if !whole.threads.iter().any(same) {
                whole.threads.push(thread);
            }
        }
        for meeting in part.meetings {
            let same = |known: &ToldMeeting| known.storyline == meeting.storyline;
            if !whole.meetings.iter().any(same) {
                whole.meetings.push(meeting);
            }
        }
        if !part.ending.text.is_empty() {
            whole.ending = part.ending;
        }
    }
    whole.events.truncate(MOST_EVENTS);
    Some(whole)
}

/// Somebody whom a later part of the chapter tells more of.
trait GoesOn {
    fn go_on(&mut self, later: Self);
}

impl GoesOn for ToldPerson {
    fn go_on(&mut self, later: Self) {
        self.location = later.location.or(self.location.take());
        self.emotional_state = later.emotional_state.or(self.emotional_state.take());
        self.status = later.status.or(self.status.take());
        self.inventory = later.inventory.or(self.inventory.take());
        self.evidence = later.evidence;
    }
}

struct Hearing<'a> {
    path: &'a RelPath,
    text: &'a str,
    locator: Locator<'a>,
    known: &'a Known<'a>,
    heard: &'a mut Heard,
}

impl Hearing<'_> {
    fn chapter(&mut self, at: &str, chapter: ChapterNo, told: &ToldChapter) -> ToldChapter {
        let events: Vec<Told> = told
            .events
            .iter()
            .take(MOST_ENTRIES)
            .enumerate()
            .filter_map(|(index, event)| self.told(&format!("{at}/events/{index}"), event))
            .collect();
        if events.is_empty() {
            let number = chapter.get();
            self.heard.is_unusable = true;
            self.fault(
                "no_objective",
                &format!("{at}/events"),
                message!(
                    en: "nothing that happens in chapter {number} is borne out by its text",
                    zh: "第 {number} 章没有一件事能在正文中找到依据"
                ),
            );
        }
        let people = told.people.iter().take(MOST_ENTRIES).enumerate();
        let people = people
            .filter_map(|(index, person)| self.person(&format!("{at}/people/{index}"), person))
            .collect();
        let places = told.places.iter().take(MOST_ENTRIES).enumerate();
        let places = places
            .filter_map(|(index, place)| self.place(&format!("{at}/places/{index}"), place))
            .collect();
        let threads = told.threads.iter().take(MOST_ENTRIES).enumerate();
        let threads = threads
            .filter_map(|(index, thread)| self.thread(&format!("{at}/threads/{index}"), thread))
            .collect();
        let meetings = told.meetings.iter().take(MOST_ENTRIES).enumerate();
        let meetings = meetings
            .filter_map(|(index, meeting)| self.meeting(&format!("{at}/meetings/{index}"), meeting))
            .collect();
        let conflict = self.told(&format!("{at}/conflict"), &told.conflict);
        let ending = self.told(&format!("{at}/ending"), &told.ending);
        ToldChapter {
            chapter,
            pov: self.pov(at, &told.pov),
            time: told.time.as_deref().and_then(text_of),
            places,
            conflict: conflict.unwrap_or_default(),
            arc: text_of(&told.arc).unwrap_or_default(),
            events,
            people,
            threads,
            meetings,
            ending: ending.unwrap_or_default(),
        }
    }

    fn fault(&mut self, code: &'static str, at: &str, what: Message) {
        let problem = Problem::new(code, self.path, what).at(at.to_owned());
        self.heard.faults.push(problem);
    }

    fn unlocated(&mut self, code: &'static str, at: &str, what: Message) {
        self.heard.unlocated += 1;
        self.fault(code, at, what);
    }

    /// The passage as the text has it.
    fn quotation(&mut self, at: &str, evidence: &str) -> Option<String> {
        let place = self.locator.locate(evidence);
        let passage = place.and_then(|place| self.text.get(place.span()));
        let Some(passage) = passage else {
            self.unlocated(
                "not_in_text",
                &format!("{at}/evidence"),
                message!(
                    en: "the quotation is not in the text, or too short; copy at least five words as they stand",
                    zh: "正文里找不到这段引文，或引文太短；请逐字抄录至少八个字"
                ),
            );
            return None;
        };
        self.heard.kept += 1;
        Some(clipped(&one_line(passage), LONGEST_QUOTATION))
    }

    fn told(&mut self, at: &str, told: &Told) -> Option<Told> {
        let text = text_of(&told.text)?;
        let evidence = self.quotation(at, &told.evidence)?;
        Some(Told { evidence, text })
    }

    fn has(&self, name: &str) -> bool {
        !name.is_empty() && novel_text::is_named_in(self.text, name)
    }

    fn absent(&mut self, at: &str, name: &str) {
        let shown = clipped(name, 60);
        self.unlocated(
            "not_in_text",
            at,
            message!(
                en: "`{shown}` does not stand in the text; use the word the text has for it",
                zh: "正文里没有 `{shown}`；请用正文中的说法"
            ),
        );
    }

    fn place(&mut self, at: &str, place: &ToldPlace) -> Option<ToldPlace> {
        let name = clipped(&one_line(&place.name), 60);
        if !self.has(&name) {
            self.absent(&format!("{at}/name"), &name);
            return None;
        }
        let evidence = self.quotation(at, &place.evidence)?;
        Some(ToldPlace { evidence, name })
    }

    /// The display name of somebody of the cast.
    fn somebody(&mut self, at: &str, said: &str) -> Option<String> {
        let cast = self.known.cast;
        let member = cast.resolve(said).and_then(|id| cast.member(id));
        let Some(member) = member else {
            let name = clipped(&one_line(said), 60);
            self.heard.is_unusable = true;
            self.fault(
                "unknown_character",
                at,
                message!(
                    en: "nobody is called `{name}`; use a name from `characters`",
                    zh: "没有名为 `{name}` 的角色；请用 `characters` 中的名字"
                ),
            );
            return None;
        };
        Some(member.display_name.trim().to_owned())
    }

    /// Nobody's eyes, where nobody is named.
    fn pov(&mut self, at: &str, said: &str) -> String {
        if said.trim().is_empty() {
            return String::new();
        }
        self.somebody(&format!("{at}/pov"), said)
            .unwrap_or_default()
    }

    fn person(&mut self, at: &str, person: &ToldPerson) -> Option<ToldPerson> {
        let character = self.somebody(&format!("{at}/character"), &person.character)?;
        let evidence = self.quotation(at, &person.evidence)?;
        let location = person.location.as_deref().and_then(text_of);
        let location = location.filter(|place| {
            let has = self.has(place);
            if !has {
                self.absent(&format!("{at}/location"), place);
            }
            has
        });
        let inventory = person.inventory.as_ref().map(|things| {
            let things = things.iter().map(|thing| one_line(thing));
            things.filter(|thing| self.has(thing)).collect::<Vec<_>>()
        });
        Some(ToldPerson {
            evidence,
            character,
            location,
            emotional_state: person.emotional_state.as_deref().and_then(text_of),
            status: person.status.as_deref().and_then(text_of),
            inventory: inventory.filter(|things| !things.is_empty()),
        })
    }

    /// An item nobody knows is a new one, if the answer says what it is.
    fn thread(&mut self, at: &str, thread: &ToldThread) -> Option<ToldThread> {
        // One that an earlier chapter of the answer plants is known after it.
        let earlier = self.heard.chapters.iter().flat_map(|told| &told.threads);
        let is_known = earlier.into_iter().any(|told| told.id == thread.id)
            || self
                .known
                .threads
                .iter()
                .any(|id| *id == thread.id.as_str());
        let description = text_of(&thread.description);
        let is_new = thread.action == ForeshadowAction::Planted && description.is_some();
        if !is_known && !is_new {
            let id = &thread.id;
            self.unlocated(
                "unknown_thread",
                &format!("{at}/id"),
                message!(
                    en: "there is no foreshadowing `{id}`; a new item is `planted` and says what it is",
                    zh: "没有伏笔 `{id}`；新伏笔须为 `planted` 并写明它是什么"
                ),
            );
            return None;
        }
        Some(ToldThread {
            evidence: self.quotation(at, &thread.evidence)?,
            description: description.unwrap_or_default(),
            ..thread.clone()
        })
    }

    fn meeting(&mut self, at: &str, meeting: &ToldMeeting) -> Option<ToldMeeting> {
        if !self.known.lines.contains(&meeting.storyline) {
            let id = &meeting.storyline;
            self.unlocated(
                "unknown_storyline",
                &format!("{at}/storyline"),
                message!(en: "there is no storyline `{id}`", zh: "没有故事线 `{id}`"),
            );
            return None;
        }
        Some(ToldMeeting {
            evidence: self.quotation(at, &meeting.evidence)?,
            trigger: text_of(&meeting.trigger).unwrap_or_default(),
            ..meeting.clone()
        })
    }
}

fn text_of(text: &str) -> Option<String> {
    let text = clipped(&one_line(text), LONGEST_TEXT);
    (!text.is_empty()).then_some(text)
}

fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}
