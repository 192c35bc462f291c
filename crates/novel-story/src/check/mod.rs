//! The story checker: contradictions that can be proved from the files of a book.
//!
//! Pure over [`BookReader`]. The text is `chapters/chapter_NNN.json`, the state before a chapter is
//! the replay of `state/changelog.jsonl` up to it, and what the chapter changed is its own line
//! there. The newest chapter of a book is looked at without a replay first, see
//! [`check_chapter`].
//! Invariants: every finding quotes both sides with their places; what cannot be proved is
//! not reported; the same files give the same findings in the same order; a fault that lasts is
//! reported in the chapter where it can first be proved.

mod candidates;
mod dates;
mod explain;
mod finding;
mod glance;
mod people;
mod prose;
mod reading;
mod report;
mod rules;
mod secrets;
mod short_names;
mod speech;
mod time;
mod timeline;
mod waiver;
#[rustfmt::skip]
mod words;

use std::{collections::BTreeSet, sync::Arc};

use novel_model::{
    BookReader, ChapterNo, Document, Lang, RelPath, VolumeNo,
    files::{ChapterContract, ConstraintType, Foreshadowing, GeneratedChapter, WorldRules},
    layout, message,
};
use serde_json::Value;

pub use candidates::{Candidate, Doubt, MOST as MOST_CANDIDATES, candidates, candidates_in};
pub use explain::explanation;
pub use finding::{Finding, FindingCode, Side, Spot, UnknownCode};
pub use report::to_report;
pub use rules::speakers_in;
pub use waiver::{Waiver, WaiverError, Waivers};

pub(crate) use people::{People, Person, Standing};

use self::{
    glance::Glance,
    prose::Text,
    reading::Flashbacks,
    rules::{Lines, Names, Scope, WorldLaw},
    secrets::Secret,
    timeline::{Own, Past, Timeline},
};
use crate::ledger::Places;
use novel_book::{config::Config, context::ContextError};

/// Which chapter of which book.
#[derive(Clone, Copy)]
pub struct CheckInput<'a> {
    /// The book.
    pub reader: &'a dyn BookReader,
    /// Its configuration.
    pub config: &'a Config,
    /// The chapter, which must be committed.
    pub chapter: ChapterNo,
    /// The volume the chapter belongs to.
    pub volume: VolumeNo,
}

/// Checks one chapter.
///
/// The newest chapter of a book is checked at a cost that does not grow with the book, as long as
/// there is nothing to find: the rules run on the state the chapter started from and on the few
/// lines of the changelog that can concern them. Only when they suspect something is the changelog
/// replayed, to prove it and to say where each side was recorded. The reader may show the book as a
/// transaction is about to leave it.
///
/// # Errors
/// When a file the check needs is missing or damaged.
pub fn check_chapter(input: CheckInput<'_>) -> Result<Vec<Finding>, ContextError> {
    let mut checker = Checker::new(input.reader, input.config)?;
    let (log, current) = state_files(input.reader)?;
    if let Some(glance) = Glance::at_end_of(&log, input.chapter)
        && let Some(before) = glance.state_before(&current)
        && checker.rules.sees_nothing(input, &glance, &before)?
    {
        return Ok(Vec::new());
    }
    checker.check(input.chapter, input.volume)
}

/// The changelog and the current state, as they are written.
fn state_files(reader: &dyn BookReader) -> Result<(Vec<u8>, String), ContextError> {
    let log = reader.read(&layout::state_changelog())?;
    let state = reader.text(&layout::state())?;
    Ok((log.unwrap_or_default(), state.unwrap_or_default()))
}

/// Checks many chapters, one after the other. Ascending chapters replay the changelog once.
///
/// # Errors
/// When the cast, the storylines or a log cannot be read; each chapter has its own errors.
pub fn check_range<'a, I>(
    reader: &'a dyn BookReader,
    config: &'a Config,
    chapters: I,
) -> Result<impl Iterator<Item = (ChapterNo, Result<Vec<Finding>, ContextError>)> + 'a, ContextError>
where
    I: IntoIterator<Item = (ChapterNo, VolumeNo)>,
    I::IntoIter: 'a,
{
    let mut checker = Checker::new(reader, config)?;
    let chapters = chapters.into_iter();
    Ok(chapters.map(move |(chapter, volume)| (chapter, checker.check(chapter, volume))))
}

/// The state of the story world around a chapter.
#[derive(Debug, Clone, PartialEq)]
pub struct StateAround {
    /// Right before it.
    pub before: Value,
    /// What it changed, in order: `{"path", "before", "after"}`, or `{"foreshadowing", "action"}`.
    pub changes: Vec<Value>,
}

/// The state around a chapter; `None` when the changelog has no line of it.
///
/// # Errors
/// When the changelog cannot be read or replayed.
pub fn state_around(
    reader: &dyn BookReader,
    chapter: ChapterNo,
) -> Result<Option<StateAround>, ContextError> {
    // The newest chapter, which is asked for most, needs no replay.
    let (log, current) = state_files(reader)?;
    let newest = Glance::at_end_of(&log, chapter).and_then(|glance| {
        let before = glance.state_before(&current)?;
        Some((glance.own, before))
    });
    let around = match newest {
        Some(around) => Some(around),
        None => {
            let mut timeline = Timeline::load(reader)?;
            let own = timeline.own(chapter);
            own.zip(timeline.before(chapter)?.state.clone())
        }
    };
    Ok(around.map(|(own, before)| StateAround {
        changes: own.changes(&before),
        before,
    }))
}

/// The rules, and the replay they are run on.
struct Checker<'a> {
    rules: Rules<'a>,
    /// Read when it is first needed.
    timeline: Option<Timeline>,
}

impl<'a> Checker<'a> {
    fn new(reader: &'a dyn BookReader, config: &'a Config) -> Result<Self, ContextError> {
        Ok(Self {
            rules: Rules::load(reader, config)?,
            timeline: None,
        })
    }

    fn check(
        &mut self,
        chapter: ChapterNo,
        volume: VolumeNo,
    ) -> Result<Vec<Finding>, ContextError> {
        let committed = self.rules.read(chapter, volume)?;
        self.rules.names.read_log(self.rules.reader)?;
        let timeline = match &mut self.timeline {
            Some(timeline) => timeline,
            unread => unread.insert(Timeline::load(self.rules.reader)?),
        };
        let own = timeline.own(chapter);
        let past = timeline.before(chapter)?;
        let mut findings = self.rules.run(&committed, past, own.as_ref())?;
        findings.sort_by(|a, b| {
            let key = |finding: &'_ Finding| (finding.code, finding.place.spot.clone());
            key(a)
                .cmp(&key(b))
                .then_with(|| a.fingerprint.cmp(&b.fingerprint))
        });
        Ok(findings)
    }
}

impl Checker<'_> {
    /// Looks at a chapter as the rules do.
    fn with_scope<T>(
        &mut self,
        chapter: ChapterNo,
        volume: VolumeNo,
        see: impl FnOnce(&Scope<'_>) -> T,
    ) -> Result<T, ContextError> {
        let committed = self.rules.read(chapter, volume)?;
        let timeline = match &mut self.timeline {
            Some(timeline) => timeline,
            unread => unread.insert(Timeline::load(self.rules.reader)?),
        };
        let own = timeline.own(chapter);
        let past = timeline.before(chapter)?;
        self.rules
            .scoped(&committed, past, own.as_ref(), |_, scope| Ok(see(scope)))
    }
}

/// The rules of the world that never bend.
fn hard_rules(reader: &dyn BookReader, lang: Lang) -> Result<Vec<WorldLaw>, ContextError> {
    let file = Document::<WorldRules>::load(reader, &layout::world_rules())?;
    let rules = file.map(|file| file.into_value().rules).unwrap_or_default();
    let rules = rules.into_iter().enumerate();
    Ok(rules
        .filter(|(_, rule)| rule.constraint_type == ConstraintType::Hard)
        .map(|(at, rule)| WorldLaw::new(at, rule, lang))
        .collect())
}

/// A committed chapter with its contract.
struct Committed {
    chapter: ChapterNo,
    volume: VolumeNo,
    path: RelPath,
    document: Document<GeneratedChapter>,
    contract: Option<Document<ChapterContract>>,
    /// Whether no later chapter is committed.
    is_newest: bool,
}

/// What is read once for all chapters.
struct Rules<'a> {
    reader: &'a dyn BookReader,
    config: &'a Config,
    people: People,
    foreshadowing: Option<Arc<Foreshadowing>>,
    lines: Lines,
    names: Names,
    places: Places,
    secrets: Vec<Secret>,
    /// Hard rules, each with its place in the file.
    world_rules: Vec<WorldLaw>,
}

impl<'a> Rules<'a> {
    fn load(reader: &'a dyn BookReader, config: &'a Config) -> Result<Self, ContextError> {
        Ok(Self {
            reader,
            config,
            people: People::load(reader)?,
            foreshadowing: Document::load_shared(reader, &layout::foreshadowing())?,
            lines: Lines::load(reader)?,
            names: Names::default(),
            places: Places::load(reader)?,
            secrets: secrets::load(reader)?,
            world_rules: hard_rules(reader, config.lang())?,
        })
    }

    fn read(&self, chapter: ChapterNo, volume: VolumeNo) -> Result<Committed, ContextError> {
        let path = layout::chapter_json(chapter);
        let hint = message!(
            en: "only committed chapters are checked; `novel status` shows where the book stands",
            zh: "只检查已提交的章节；`novel status` 显示全书进度"
        );
        let document = Document::<GeneratedChapter>::require(self.reader, &path, hint)?;
        let contract = layout::contract(volume, chapter);
        let contract = Document::<ChapterContract>::load(self.reader, &contract)?;
        let next = self.reader.read(&layout::chapter_json(chapter.next()))?;
        Ok(Committed {
            chapter,
            volume,
            path,
            document,
            contract,
            is_newest: next.is_none(),
        })
    }

    /// What the rules see of a chapter.
    fn scoped<T>(
        &mut self,
        committed: &Committed,
        past: &Past,
        own: Option<&Own>,
        see: impl FnOnce(&mut Self, &Scope<'_>) -> Result<T, ContextError>,
    ) -> Result<T, ContextError> {
        let people = std::mem::take(&mut self.people);
        let foreshadowing = self.foreshadowing.take();
        let (secrets, world_rules) = (
            std::mem::take(&mut self.secrets),
            std::mem::take(&mut self.world_rules),
        );
        let index = people.index(past.state.as_ref());
        let text = Text::new(committed.path.clone(), committed.document.get());
        let lang = self.config.lang();
        let places = self.places.clone().with_state(past.state.as_ref());
        let scope = Scope {
            chapter: committed.chapter,
            volume: committed.volume,
            lang,
            is_newest: committed.is_newest,
            places: &places,
            secrets: &secrets,
            world_rules: &world_rules,
            mentions: text
                .scenes
                .iter()
                .map(|scene| index.mentions(scene.content))
                .collect(),
            flashbacks: text
                .scenes
                .iter()
                .map(|scene| Flashbacks::of(scene, lang))
                .collect(),
            after: own
                .zip(past.state.as_ref())
                .map(|(own, before)| own.applied_to(before)),
            text: &text,
            contract: committed.contract.as_ref(),
            foreshadowing: foreshadowing.as_deref(),
            past,
            own,
            people: &people,
            index: &index,
            readings: std::cell::RefCell::default(),
        };
        let seen = see(self, &scope);
        drop(scope);
        (self.people, self.foreshadowing) = (people, foreshadowing);
        (self.secrets, self.world_rules) = (secrets, world_rules);
        seen
    }

    fn run(
        &mut self,
        committed: &Committed,
        past: &Past,
        own: Option<&Own>,
    ) -> Result<Vec<Finding>, ContextError> {
        self.scoped(committed, past, own, |rules, scope| {
            let mut findings = Vec::new();
            rules::plain(scope, &mut findings);
            let claims = rules::load_claims(rules.reader, scope)?;
            rules::check_claims(scope, &claims, &mut findings);
            rules.lines.check(rules.reader, scope, &mut findings)?;
            rules.names.check(rules.reader, scope, &mut findings)?;
            Ok(findings)
        })
    }

    /// Whether there is surely nothing to find in the newest chapter.
    fn sees_nothing(
        &mut self,
        input: CheckInput<'_>,
        glance: &Glance<'_>,
        state: &Value,
    ) -> Result<bool, ContextError> {
        let committed = self.read(input.chapter, input.volume)?;
        if !committed.is_newest {
            return Ok(false);
        }
        let index = self.people.index(Some(state));
        let scenes = committed.document.get().scenes.iter();
        let named: BTreeSet<&str> = scenes
            .flat_map(|scene| index.mentions(&scene.content))
            .map(|mention| mention.id)
            .collect();
        match glance.past(state, &named) {
            Some(past) => Ok(self.run(&committed, &past, Some(&glance.own))?.is_empty()),
            None => Ok(false),
        }
    }
}
