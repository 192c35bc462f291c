//! The story checker: contradictions that can be proved from the files of a book.
//!
//! Pure over [`BookReader`]. The text is `chapters/chapter_NNN.json`, the state before a chapter is
//! the replay of `state/changelog.jsonl` up to it, and what the chapter changed is its own line
//! there. Invariants: every finding quotes both sides with their places; what can not be proved is
//! not reported; the same files give the same findings in the same order; a fault that lasts is
//! reported in the chapter where it can first be proved.

mod acts;
mod finding;
mod people;
mod prose;
mod render;
mod report;
mod rules;
mod time;
mod timeline;
mod waiver;
#[rustfmt::skip]
mod words;

use novel_model::{
    BookReader, ChapterNo, Document, VolumeNo,
    files::{ChapterContract, Foreshadowing, GeneratedChapter},
    layout, message,
};
use serde_json::Value;

pub use finding::{Finding, FindingCode, Side, Spot, UnknownCode};
pub use render::{Style, render_text};
pub use report::to_report;
pub use waiver::{Waiver, WaiverError, Waivers};

use self::{
    people::People,
    prose::Text,
    rules::{Lines, Names, Scope},
    timeline::Timeline,
};
use crate::{config::Config, context::ContextError};

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
/// # Errors
/// When a file the check needs is missing or damaged.
pub fn check_chapter(input: CheckInput<'_>) -> Result<Vec<Finding>, ContextError> {
    Checker::new(input.reader, input.config)?.check(input.chapter, input.volume)
}

/// Checks many chapters, one after the other. Ascending chapters replay the changelog once.
///
/// # Errors
/// When the cast, the storylines or a log can not be read; each chapter has its own errors.
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
/// When the changelog can not be read or replayed.
pub fn state_around(
    reader: &dyn BookReader,
    chapter: ChapterNo,
) -> Result<Option<StateAround>, ContextError> {
    let mut timeline = Timeline::load(reader)?;
    let own = timeline.own(chapter);
    let before = timeline.before(chapter)?.state.clone();
    let Some((own, before)) = own.zip(before) else {
        return Ok(None);
    };
    let changes = own.changes(&before);
    Ok(Some(StateAround { before, changes }))
}

/// What is read once for all chapters.
struct Checker<'a> {
    reader: &'a dyn BookReader,
    config: &'a Config,
    people: People,
    foreshadowing: Option<Foreshadowing>,
    timeline: Timeline,
    lines: Lines,
    names: Names,
}

impl<'a> Checker<'a> {
    fn new(reader: &'a dyn BookReader, config: &'a Config) -> Result<Self, ContextError> {
        let foreshadowing = Document::<Foreshadowing>::load(reader, &layout::foreshadowing())?;
        Ok(Self {
            reader,
            config,
            people: People::load(reader)?,
            foreshadowing: foreshadowing.map(Document::into_value),
            timeline: Timeline::load(reader)?,
            lines: Lines::load(reader)?,
            names: Names::load(reader)?,
        })
    }

    fn check(
        &mut self,
        chapter: ChapterNo,
        volume: VolumeNo,
    ) -> Result<Vec<Finding>, ContextError> {
        let path = layout::chapter_json(chapter);
        let hint = message!(
            en: "only committed chapters are checked; `novel status` shows where the book stands",
            zh: "只检查已提交的章节；`novel status` 显示全书进度"
        );
        let document = Document::<GeneratedChapter>::require(self.reader, &path, hint)?;
        let contract = layout::contract(volume, chapter);
        let contract = Document::<ChapterContract>::load(self.reader, &contract)?;
        let next = self.reader.read(&layout::chapter_json(chapter.next()))?;
        let own = self.timeline.own(chapter);
        let past = self.timeline.before(chapter)?;
        let scope = Scope {
            chapter,
            volume,
            lang: self.config.lang(),
            is_newest: next.is_none(),
            text: &Text::new(path, document.get()),
            contract: contract.as_ref(),
            foreshadowing: self.foreshadowing.as_ref(),
            past,
            own: own.as_ref(),
            people: &self.people,
            index: &self.people.index(past.state.as_ref()),
        };
        let mut findings = Vec::new();
        rules::plain(&scope, &mut findings);
        self.lines.check(self.reader, &scope, &mut findings)?;
        self.names.check(self.reader, &scope, &mut findings)?;
        findings.sort_by(|a, b| {
            let key = |finding: &'_ Finding| (finding.code, finding.place.spot.clone());
            key(a)
                .cmp(&key(b))
                .then_with(|| a.fingerprint.cmp(&b.fingerprint))
        });
        Ok(findings)
    }
}
