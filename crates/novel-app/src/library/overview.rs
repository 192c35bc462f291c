//! The book at a glance for front ends: volumes, chapters, what is planned of each. Writes nothing.

use novel_book::manuscript;
use novel_model::{
    BookReader, ChapterNo, ContentHash, Document, Slug, VolumeNo,
    files::{
        ChapterContract, ChapterLog, ConvergenceEvent, Evaluation, GateDecision, GeneratedChapter,
        Judges, RevisionState, RevisionStatus, ScoredBy, StorylineSchedule, Storylines,
    },
    layout,
};
use novel_steps::volumes::Volumes;
use novel_text::{OutlineBlock, outline_block, parse_outline};

use crate::{BookError, Project, read_checkpoint};

/// A planned volume.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VolumeCard {
    /// Its number.
    pub number: VolumeNo,
    /// The heading of its outline; empty where there is none.
    pub title: String,
    /// Its first chapter.
    pub first: ChapterNo,
    /// Its last chapter.
    pub last: ChapterNo,
}

/// The volumes of a book, the first one first, and how far it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    /// The planned volumes.
    pub volumes: Vec<VolumeCard>,
    /// The last chapter in the book; 0 before the first.
    pub written: u32,
    /// The volume under way.
    pub current: VolumeNo,
}

impl Overview {
    /// The volume of a chapter.
    #[must_use]
    pub fn volume_of(&self, chapter: ChapterNo) -> Option<&VolumeCard> {
        // Where outlines overlap, the newer plan holds.
        let holds = |volume: &&VolumeCard| (volume.first..=volume.last).contains(&chapter);
        self.volumes.iter().rev().find(holds)
    }
}

/// Volumes and progress.
///
/// # Errors
/// When the checkpoint or an outline cannot be read.
pub fn overview(project: &Project) -> Result<Overview, BookError> {
    project.store().look(|reader| {
        let checkpoint = read_checkpoint(reader)?;
        let checkpoint = checkpoint.get();
        let volumes = Volumes::load(reader, checkpoint.current_volume)?;
        let mut cards = Vec::new();
        for (number, bounds) in volumes.planned().iter().rev() {
            let outline = reader.text(&layout::outline(*number))?.unwrap_or_default();
            cards.push(VolumeCard {
                number: *number,
                title: heading(&outline),
                first: bounds.first,
                last: bounds.last,
            });
        }
        Ok(Overview {
            volumes: cards,
            written: checkpoint.last_completed_chapter,
            current: checkpoint.current_volume,
        })
    })
}

/// The first heading of an outline, without its mark.
fn heading(outline: &str) -> String {
    let first = outline
        .lines()
        .find_map(|line| line.strip_prefix("# ").or_else(|| line.strip_prefix("## ")));
    first.unwrap_or_default().trim().to_owned()
}

/// One chapter of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ChapterCard {
    /// Its number.
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// The line it tells.
    pub storyline: Option<Slug>,
    /// Its length; `None` before it is written.
    pub words: Option<u64>,
    /// Its score.
    pub score: Option<f64>,
    /// Whose score it is; none without a score.
    pub scored_by: Option<ScoredBy>,
    /// What the gate decided.
    pub gate: Option<GateDecision>,
    /// How often it was revised before its commit.
    pub revisions: u32,
    /// Whether it passed because no revision was left.
    pub force_passed: bool,
    /// Whether its revision waits for the author.
    pub pending: bool,
    /// Whether its Markdown was edited and not adopted.
    pub edited: bool,
}

impl ChapterCard {
    /// Whether it is in the book.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.words.is_some()
    }
}

/// The chapters of a volume, or of a range of an unplanned book.
///
/// # Errors
/// When a file is damaged.
pub fn chapters(
    project: &Project,
    first: ChapterNo,
    last: ChapterNo,
) -> Result<Vec<ChapterCard>, BookError> {
    project.store().look(|reader| {
        let checkpoint = read_checkpoint(reader)?;
        let written = checkpoint.get().last_completed_chapter;
        // The outlines are needed for what is not written alone; they may be long.
        let planned = if last.get() > written {
            let volumes = Volumes::load(reader, checkpoint.get().current_volume)?;
            planned(reader, &volumes, first, last)?
        } else {
            Vec::new()
        };
        let mut cards = Vec::new();
        for chapter in (first.get()..=last.get()).filter_map(ChapterNo::new) {
            let block = planned.iter().find(|block| block.number == chapter.get());
            if chapter.get() <= written {
                cards.push(written_card(reader, chapter)?);
            } else if let Some(block) = block {
                cards.push(planned_card(chapter, block));
            }
        }
        Ok(cards)
    })
}

/// The blocks of all outlines that reach into a range.
fn planned(
    reader: &dyn BookReader,
    volumes: &Volumes,
    first: ChapterNo,
    last: ChapterNo,
) -> Result<Vec<OutlineBlock>, BookError> {
    let mut blocks = Vec::new();
    for (number, bounds) in volumes.planned() {
        if bounds.first <= last && bounds.last >= first {
            let outline = reader.text(&layout::outline(*number))?.unwrap_or_default();
            blocks.extend(parse_outline(&outline).blocks);
        }
    }
    Ok(blocks)
}

fn planned_card(chapter: ChapterNo, block: &OutlineBlock) -> ChapterCard {
    ChapterCard {
        chapter,
        title: block.title.clone(),
        storyline: block.field("Storyline").and_then(|id| id.parse().ok()),
        words: None,
        score: None,
        scored_by: None,
        gate: None,
        revisions: 0,
        force_passed: false,
        pending: false,
        edited: false,
    }
}

fn written_card(reader: &dyn BookReader, chapter: ChapterNo) -> Result<ChapterCard, BookError> {
    let text = Document::<GeneratedChapter>::load_value(reader, &layout::chapter_json(chapter))?;
    let log = Document::<ChapterLog>::load_value(reader, &layout::chapter_log(chapter))?;
    let verdict = Document::<Evaluation>::load_value(reader, &layout::evaluation(chapter))?;
    let revision = Document::<RevisionStatus>::load_value(reader, &layout::revision(chapter))?;
    let judges = log.as_ref().and_then(|log| log.judges.as_ref());
    let (title, words) = text
        .as_ref()
        .map(|text| (text.chapter_title.clone(), text.total_words))
        .unwrap_or_default();
    Ok(ChapterCard {
        chapter,
        title,
        storyline: log.as_ref().map(|log| log.storyline_id.clone()),
        words: Some(words),
        scored_by: judges
            .map(Judges::scored_by)
            .or_else(|| verdict.as_ref().and_then(Evaluation::scored_by)),
        score: judges
            .map(|judges| judges.overall_final)
            .or_else(|| verdict.and_then(|verdict| verdict.overall)),
        gate: log.as_ref().and_then(|log| log.gate_decision),
        revisions: log.as_ref().map_or(0, |log| log.revisions),
        force_passed: log.as_ref().is_some_and(|log| log.force_passed),
        pending: revision.is_some_and(|revision| revision.status == RevisionState::Pending),
        edited: match &text {
            Some(text) => manuscript::differs(reader, text)?,
            None => false,
        },
    })
}

/// Whether the Markdown of a written chapter was edited and not adopted.
///
/// # Errors
/// When the chapter is damaged.
pub fn is_chapter_edited(project: &Project, chapter: ChapterNo) -> Result<bool, BookError> {
    let store = project.store();
    store.look(|reader| Ok::<_, BookError>(manuscript::has_edit(reader, chapter)?))
}

/// What is planned of a volume: blocks of its outline, contracts, schedule.
#[derive(Debug, Clone)]
pub struct VolumePlan {
    /// The chapters of the outline.
    pub chapters: Vec<PlannedChapter>,
    /// Ids and names of the storylines on stage, the main one first; then those that sleep.
    pub lines: Vec<LineOfVolume>,
    /// Where storylines meet.
    pub meetings: Vec<ConvergenceEvent>,
}

/// A storyline in a volume.
#[derive(Debug, Clone)]
pub struct LineOfVolume {
    /// Its id.
    pub id: Slug,
    /// Its name.
    pub name: String,
    /// Who tells it.
    pub told_by: Vec<String>,
    /// Whether it sleeps in this volume.
    pub asleep: bool,
}

/// One chapter of an outline.
#[derive(Debug, Clone)]
pub struct PlannedChapter {
    /// Its number.
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// The line it tells.
    pub storyline: Option<Slug>,
    /// `Key: value` lines of its block.
    pub fields: Vec<(String, String)>,
    /// Its contract, if there is one.
    pub contract: Option<ChapterContract>,
}

impl PlannedChapter {
    /// A field of the outline.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(known, _)| known == key);
        found
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }
}

/// Where the plan of a volume is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanSource {
    /// In the book.
    Accepted,
    /// In staging, where it waits for the author.
    Waiting,
}

/// One chapter of a plan, and the name of its storyline.
///
/// # Errors
/// When a file of it is damaged.
pub fn planned_chapter(
    project: &Project,
    volume: VolumeNo,
    chapter: ChapterNo,
) -> Result<Option<(PlannedChapter, Option<String>)>, BookError> {
    project.store().look(|reader| {
        let outline = reader.text(&layout::outline(volume))?.unwrap_or_default();
        let Some(block) = outline_block(&outline, chapter.get()) else {
            return Ok(None);
        };
        let path = layout::contract(volume, chapter);
        let contract = Document::<ChapterContract>::load_value(reader, &path)?;
        let planned = of_block(chapter, &block, contract);
        let known = Document::<Storylines>::load_value(reader, &layout::storylines())?;
        let name = planned.storyline.as_ref().map(|id| {
            let line = known
                .as_ref()
                .and_then(|all| all.storylines.iter().find(|line| line.id == *id));
            line.map(|line| line.name.clone())
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| id.to_string())
        });
        Ok::<_, BookError>(Some((planned, name)))
    })
}

fn of_block(
    chapter: ChapterNo,
    block: &OutlineBlock,
    contract: Option<ChapterContract>,
) -> PlannedChapter {
    PlannedChapter {
        chapter,
        title: block.title.clone(),
        storyline: block.field("Storyline").and_then(|id| id.parse().ok()),
        fields: block
            .fields
            .iter()
            .map(|field| (field.key.clone(), field.value.clone()))
            .collect(),
        contract,
    }
}

/// The plan of a volume, of the chapters between two alone where they are given: a volume may be a whole
/// imported book.
///
/// # Errors
/// When a file of it is damaged.
pub fn plan(
    project: &Project,
    volume: VolumeNo,
    source: PlanSource,
    between: Option<(u32, u32)>,
) -> Result<VolumePlan, BookError> {
    project.store().look(|reader| {
        let at = |path| match source {
            PlanSource::Accepted => path,
            PlanSource::Waiting => layout::staged(&path),
        };
        let outline = reader
            .text(&at(layout::outline(volume)))?
            .unwrap_or_default();
        let mut chapters = Vec::new();
        for block in parse_outline(&outline).blocks {
            let Some(chapter) = ChapterNo::new(block.number) else {
                continue;
            };
            if between.is_some_and(|(first, last)| !(first..=last).contains(&chapter.get())) {
                continue;
            }
            let path = at(layout::contract(volume, chapter));
            let contract = Document::<ChapterContract>::load_value(reader, &path)?;
            chapters.push(of_block(chapter, &block, contract));
        }
        let schedule =
            Document::<StorylineSchedule>::load_value(reader, &at(layout::schedule(volume)))?
                .unwrap_or_default();
        let known = Document::<Storylines>::load_value(reader, &layout::storylines())?;
        Ok(VolumePlan {
            lines: lines(&schedule, known.as_ref(), &chapters),
            meetings: schedule.convergence_events,
            chapters,
        })
    })
}

fn lines(
    schedule: &StorylineSchedule,
    known: Option<&Storylines>,
    chapters: &[PlannedChapter],
) -> Vec<LineOfVolume> {
    let mut ids: Vec<(Slug, bool)> = schedule
        .active_storylines
        .iter()
        .map(|line| (line.storyline_id.clone(), false))
        .collect();
    for id in chapters
        .iter()
        .filter_map(|chapter| chapter.storyline.clone())
    {
        if !ids.iter().any(|(known, _)| *known == id) {
            ids.push((id, false));
        }
    }
    for id in &schedule.dormant_storylines {
        if !ids.iter().any(|(known, _)| known == id) {
            ids.push((id.clone(), true));
        }
    }
    ids.into_iter()
        .map(|(id, asleep)| {
            let line = known.and_then(|all| all.storylines.iter().find(|line| line.id == id));
            LineOfVolume {
                name: line
                    .map(|line| line.name.clone())
                    .filter(|name| !name.is_empty())
                    .unwrap_or_else(|| id.to_string()),
                told_by: line
                    .map(|line| line.pov_characters.clone())
                    .unwrap_or_default(),
                id,
                asleep,
            }
        })
        .collect()
}

/// The Markdown of a chapter as it lies in the book, and the hash an editor must give back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditableText {
    /// The text.
    pub markdown: String,
    /// Its hash.
    pub hash: ContentHash,
}

/// The Markdown of a written chapter.
///
/// # Errors
/// When it cannot be read.
pub fn editable(project: &Project, chapter: ChapterNo) -> Result<Option<EditableText>, BookError> {
    project.store().look(|reader| {
        let markdown = reader.text(&layout::chapter_markdown(chapter))?;
        Ok::<_, BookError>(markdown.map(|markdown| EditableText {
            hash: ContentHash::of(&markdown),
            markdown,
        }))
    })
}
