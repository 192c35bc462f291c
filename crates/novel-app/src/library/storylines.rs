//! `novel storyline` and `novel foreshadow`: the threads of the book. Writes nothing.

use novel_contract::library as contract;
use novel_model::{
    BookReader, Document, ErrorTable, Kind, Row, Slug,
    files::{ForeshadowPlan, Foreshadowing, Storyline, Storylines},
    layout, message, nearest,
};
use novel_steps::volumes::Volumes;
use novel_story::report::{Facts, ForeshadowRow, LineRow, Report, Span, standing};

use crate::{BookError, Project, error::use_case_error, read_checkpoint};

/// No storyline of that id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no storyline {id}")]
pub struct NoStoryline {
    /// Storyline id given on the command line.
    pub id: Slug,
    /// Ids of all storylines of the book.
    pub known: Vec<String>,
}

impl ErrorTable for NoStoryline {
    fn row(&self) -> Row<'_> {
        let id = &self.id;
        let message = message!(en: "there is no storyline `{id}`", zh: "没有故事线 `{id}`");
        let known = self.known.iter().map(String::as_str);
        Row::new(Kind::Input, "NO_SUCH_STORYLINE", message).hint(match nearest(id.as_str(), known) {
            Some(similar) => message!(
                en: "did you mean `{similar}`? `novel storyline list` shows them all",
                zh: "是否想写 `{similar}`？`novel storyline list` 列出全部故事线"
            ),
            None => message!(
                en: "`novel storyline list` shows them all", zh: "`novel storyline list` 列出全部故事线"
            ),
        })
    }
}

use_case_error! {
    /// Why a storyline cannot be shown.
    pub enum StorylineError {
        /// The book cannot be read.
        Book(BookError),
        /// There is no such storyline.
        NoStoryline(NoStoryline),
    }
}

/// One storyline: what the book says of it, and where it was on stage.
#[derive(Debug)]
pub struct LineCard {
    /// As `storylines.json` has it.
    pub line: Storyline,
    /// Its chapters; none when it was never on stage and is not scheduled.
    pub rhythm: Option<LineRow>,
    /// What is remembered of it.
    pub memory: Option<String>,
    /// First and last written chapter of the book.
    pub written: u32,
}

/// All storylines, in the order of `storylines.json`.
///
/// # Errors
/// When a file is damaged.
pub fn storylines(project: &Project) -> Result<Vec<LineCard>, BookError> {
    project.store().look(|reader| {
        let checkpoint = read_checkpoint(reader)?;
        let written = checkpoint.get().last_completed_chapter;
        let volumes = Volumes::load(reader, checkpoint.get().current_volume)?;
        let span = Span {
            first: 1,
            last: written,
            volume: None,
            volumes: volumes.planned().to_vec(),
        };
        let report = Report::of(&Facts::gather(reader, project.config(), span)?);
        let lines = Document::<Storylines>::load(reader, &layout::storylines())?;
        let mut cards = Vec::new();
        for line in lines
            .map(|lines| lines.into_value().storylines)
            .unwrap_or_default()
        {
            let rhythm = report
                .storylines
                .storylines
                .iter()
                .find(|row| row.id == line.id.as_str());
            cards.push(LineCard {
                rhythm: rhythm.cloned(),
                memory: reader.text(&layout::memory(&line.id))?,
                line,
                written,
            });
        }
        Ok(cards)
    })
}

/// One storyline.
///
/// # Errors
/// When there is none of that id, or a file is damaged.
pub fn storyline(project: &Project, id: &Slug) -> Result<LineCard, StorylineError> {
    let cards = storylines(project)?;
    let known = cards.iter().map(|card| card.line.id.to_string()).collect();
    let found = cards.into_iter().find(|card| card.line.id == *id);
    Ok(found.ok_or_else(|| NoStoryline {
        id: id.clone(),
        known,
    })?)
}

/// Foreshadowing of the book and of the current volume's plan, the most urgent first.
///
/// # Errors
/// When a file is damaged.
pub fn foreshadowing(project: &Project) -> Result<Vec<ForeshadowRow>, BookError> {
    project.store().look(|reader| {
        let checkpoint = read_checkpoint(reader)?;
        let checkpoint = checkpoint.get();
        let path = layout::foreshadowing_plan(checkpoint.current_volume);
        let facts = Document::<Foreshadowing>::load_value(reader, &layout::foreshadowing())?;
        let plan = Document::<ForeshadowPlan>::load_value(reader, &path)?;
        let (facts, plan) = (facts.unwrap_or_default(), plan.unwrap_or_default());
        Ok(standing(
            &facts.foreshadowing,
            &plan.foreshadowing,
            checkpoint.next_chapter(),
        ))
    })
}

impl LineCard {
    /// The storyline in a list.
    #[must_use]
    pub fn row(&self) -> contract::StorylineRow {
        let row = self.rhythm.as_ref();
        contract::StorylineRow {
            id: self.line.id.clone(),
            name: self.line.name.clone(),
            r#type: self.line.kind.clone(),
            status: self.line.status.clone(),
            pov_characters: self.line.pov_characters.clone(),
            role: row.and_then(|row| row.role),
            chapters: row.map(|row| row.chapters.clone()).unwrap_or_default(),
            words: row.map_or(0, |row| row.words),
            chapters_since_last: row.and_then(|row| row.since_last),
        }
    }

    /// Everything there is to know about the storyline.
    #[must_use]
    pub fn answer(&self) -> contract::StorylineAnswer {
        contract::StorylineAnswer {
            row: self.row(),
            description: self.line.description.clone(),
            timeline: self.line.timeline.clone(),
            memory: self.memory.clone(),
            warnings: Vec::new(),
        }
    }
}
