//! What is known of a range of committed chapters, read once for all reports.

use std::collections::BTreeMap;

use novel_model::{
    BookReader, ChapterNo, Document, Lang, Slug, VolumeNo,
    files::{
        Blacklist, ChapterContract, ChapterLog, CrossReferences, Evaluation, ForeshadowItem,
        ForeshadowPlan, Foreshadowing, GateDecision, GeneratedChapter, PlannedForeshadow, ScoredBy,
        StorylineSchedule, Storylines, StyleProfile,
    },
    layout,
};
use novel_text::{FunctionWords, Linter, TextMetrics};

use crate::check::{People, Person, Standing};
use novel_book::{
    config::Config,
    context::{ContextError, VolumeBounds, load_schedule},
    gate::Overall,
    manuscript,
    probe::{self, Calibration, KnownJudge},
};

/// Which chapters a report is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// First chapter.
    pub first: u32,
    /// Last chapter; less than the first when there is none.
    pub last: u32,
    /// The volume, where the span is one.
    pub volume: Option<VolumeNo>,
    /// The planned volumes, newest first; where they overlap the newer plan holds.
    pub volumes: Vec<(VolumeNo, VolumeBounds)>,
}

impl Span {
    /// A volume, as far as it is written.
    #[must_use]
    pub fn volume(volume: VolumeNo, bounds: VolumeBounds, written: u32) -> Self {
        Self {
            first: bounds.first.get(),
            last: bounds.last.get().min(written),
            volume: Some(volume),
            volumes: vec![(volume, bounds)],
        }
    }

    fn chapters(&self) -> impl Iterator<Item = ChapterNo> {
        (self.first..=self.last).filter_map(ChapterNo::new)
    }

    /// The volume a chapter belongs to.
    #[must_use]
    pub fn volume_of(&self, chapter: ChapterNo) -> Option<VolumeNo> {
        let holds = |bounds: &VolumeBounds| (bounds.first..=bounds.last).contains(&chapter);
        let found = self.volumes.iter().find(|(_, bounds)| holds(bounds));
        found.map(|(volume, _)| *volume)
    }

    /// The volumes the span touches, oldest first.
    fn touched(&self) -> Vec<VolumeNo> {
        let touches = |bounds: &VolumeBounds| {
            bounds.first.get() <= self.last && bounds.last.get() >= self.first
        };
        let mut touched: Vec<VolumeNo> = self
            .volumes
            .iter()
            .filter(|(_, bounds)| touches(bounds))
            .map(|(volume, _)| *volume)
            .collect();
        touched.sort_unstable();
        touched
    }
}

/// One committed chapter.
#[derive(Debug, Clone)]
pub(super) struct ChapterFacts {
    pub(super) chapter: ChapterNo,
    pub(super) storyline: Option<Slug>,
    pub(super) words: u64,
    pub(super) metrics: TextMetrics,
    pub(super) function_words: FunctionWords,
    pub(super) blacklist_hits: usize,
    pub(super) hits_per_kchars: f64,
    pub(super) verdict: Option<Verdict>,
    /// Where its contract said the story would go next.
    pub(super) announced: Option<Slug>,
    /// Ids of the people named in the text, with how often.
    pub(super) people: BTreeMap<String, usize>,
}

/// What the judges said of a chapter.
#[derive(Debug, Clone)]
pub(super) struct Verdict {
    pub(super) overall: f64,
    pub(super) scored_by: Option<ScoredBy>,
    pub(super) judge: Option<KnownJudge>,
    pub(super) dimensions: Vec<(&'static str, f64)>,
    pub(super) decision: Option<GateDecision>,
    pub(super) revisions: u32,
    pub(super) force_passed: bool,
}

/// Somebody of the cast.
#[derive(Debug, Clone)]
pub(super) struct MemberFacts {
    pub(super) id: String,
    pub(super) name: String,
    /// Display name and aliases.
    pub(super) names: Vec<String>,
    pub(super) retired: bool,
}

/// Everything the reports are computed from.
#[derive(Debug, Clone)]
pub struct Facts {
    pub(super) span: Span,
    pub(super) chapters: Vec<ChapterFacts>,
    pub(super) cast: Vec<MemberFacts>,
    pub(super) storylines: Option<Storylines>,
    pub(super) schedules: Vec<StorylineSchedule>,
    pub(super) foreshadowing: Vec<ForeshadowItem>,
    pub(super) planned: Vec<PlannedForeshadow>,
    pub(super) profile: StyleProfile,
    pub(super) min_words: Option<u64>,
    pub(super) max_words: Option<u64>,
    pub(super) lang: Lang,
}

impl Facts {
    /// Reads them. Chapters without JSON (from an older tool) are left out.
    ///
    /// # Errors
    /// When a file is there but damaged.
    pub fn gather(
        reader: &dyn BookReader,
        config: &Config,
        span: Span,
    ) -> Result<Self, ContextError> {
        let people = People::load(reader)?;
        let index = people.index(None);
        let blacklist = Document::<Blacklist>::load(reader, &layout::blacklist())?;
        let phrases = blacklist.map(|list| list.get().effective_words());
        let linter = Linter::new(&phrases.unwrap_or_default());
        let mut chapters = Vec::new();
        let measured = probe::calibrations(&probe::read(reader)?);
        for chapter in span.chapters() {
            let path = layout::chapter_json(chapter);
            let Some(document) = Document::<GeneratedChapter>::load(reader, &path)? else {
                continue;
            };
            let text = document.get();
            let (mut named, mut hits) = (BTreeMap::new(), 0);
            for scene in &text.scenes {
                hits += linter.lint(&scene.content).total_hits;
                for mention in index.mentions(&scene.content) {
                    *named.entry(mention.id.to_owned()).or_default() += 1;
                }
            }
            let contract = match span.volume_of(chapter) {
                Some(volume) => {
                    Document::<ChapterContract>::load(reader, &layout::contract(volume, chapter))?
                }
                None => None,
            };
            let contract = contract.as_ref().map(Document::get);
            let announced = contract
                .and_then(|contract| contract.transition_hint.as_ref())
                .and_then(|hint| hint.next_storyline.clone());
            chapters.push(ChapterFacts {
                chapter,
                storyline: storyline(reader, chapter, contract)?,
                words: text.total_words,
                metrics: manuscript::metrics(text),
                function_words: FunctionWords::of(&whole(text), config.lang()),
                blacklist_hits: hits,
                hits_per_kchars: per_thousand(hits, text.total_words),
                verdict: verdict(reader, config, chapter, &measured)?,
                announced,
                people: named,
            });
        }
        let (mut schedules, mut planned) = (Vec::new(), Vec::new());
        for volume in span.touched() {
            schedules.extend(load_schedule(reader, volume)?.map(Document::into_value));
            let path = layout::foreshadowing_plan(volume);
            if let Some(plan) = Document::<ForeshadowPlan>::load(reader, &path)? {
                planned.extend(plan.into_value().foreshadowing);
            }
        }
        let foreshadowing = Document::<Foreshadowing>::load(reader, &layout::foreshadowing())?;
        let profile = Document::<StyleProfile>::load(reader, &layout::style_profile())?;
        let storylines = Document::<Storylines>::load(reader, &layout::storylines())?;
        Ok(Self {
            span,
            chapters,
            cast: people.everybody().map(member).collect(),
            storylines: storylines.map(Document::into_value),
            schedules,
            foreshadowing: foreshadowing
                .map(|items| items.into_value().foreshadowing)
                .unwrap_or_default(),
            planned,
            profile: profile.map(Document::into_value).unwrap_or_default(),
            min_words: config.chapter.min_words,
            max_words: config.chapter.max_words,
            lang: config.lang(),
        })
    }

    /// Whether there is no chapter to report on.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chapters.is_empty()
    }

    /// The chapter after the span.
    pub(super) fn coming(&self) -> ChapterNo {
        ChapterNo::new(self.span.last.saturating_add(1)).unwrap_or(ChapterNo::first())
    }
}

impl Facts {
    /// The id behind an id, a display name or an alias.
    pub(super) fn person(&self, name: &str) -> Option<&str> {
        let name = name.trim();
        let found = self
            .cast
            .iter()
            .find(|who| who.id == name || who.names.iter().any(|known| known == name));
        found.map(|who| who.id.as_str())
    }

    /// Whether an item of foreshadowing is planted or planned.
    pub(super) fn knows_item(&self, id: &str) -> bool {
        self.foreshadowing.iter().any(|item| item.id.as_str() == id)
            || self.planned.iter().any(|item| item.id.as_str() == id)
    }
}

fn member((id, person): (&str, &Person)) -> MemberFacts {
    MemberFacts {
        id: id.to_owned(),
        name: person.display.clone(),
        names: person.names.clone(),
        retired: matches!(person.standing, Standing::Retired { .. }),
    }
}

/// From what was recorded at commit, else from the plan.
fn storyline(
    reader: &dyn BookReader,
    chapter: ChapterNo,
    contract: Option<&ChapterContract>,
) -> Result<Option<Slug>, ContextError> {
    if let Some(crossref) = Document::<CrossReferences>::load(reader, &layout::crossref(chapter))? {
        return Ok(Some(crossref.into_value().storyline_id));
    }
    if let Some(log) = Document::<ChapterLog>::load(reader, &layout::chapter_log(chapter))? {
        return Ok(Some(log.into_value().storyline_id));
    }
    Ok(contract.map(|contract| contract.storyline_id.clone()))
}

/// The score is the one the commit wrote; an evaluation without one is computed as the gate does.
fn verdict(
    reader: &dyn BookReader,
    config: &Config,
    chapter: ChapterNo,
    measured: &[Calibration],
) -> Result<Option<Verdict>, ContextError> {
    let document = Document::<Evaluation>::load(reader, &layout::evaluation(chapter))?;
    let log = Document::<ChapterLog>::load_value(reader, &layout::chapter_log(chapter))?;
    Ok(document.map(|document| {
        let evaluation = document.get();
        let scores = &evaluation.scores;
        let gate = evaluation
            .metadata
            .as_ref()
            .and_then(|metadata| metadata.gate.as_ref());
        let computed = || Overall::of(scores, &config.weights()).value();
        Verdict {
            overall: evaluation.overall.unwrap_or_else(computed),
            scored_by: evaluation.scored_by(),
            judge: log
                .as_ref()
                .and_then(|log| KnownJudge::of(log.judges.as_ref()?, &log.stages, measured)),
            dimensions: scores
                .by_name()
                .map(|(name, dimension)| (name, dimension.score))
                .to_vec(),
            decision: gate.map(|gate| gate.decision),
            revisions: gate.map_or(0, |gate| gate.revisions),
            force_passed: gate.is_some_and(|gate| gate.force_passed),
        }
    }))
}

/// Two digits after the point are enough for people and the same everywhere.
/// The text of a chapter as one.
fn whole(chapter: &GeneratedChapter) -> String {
    let scenes: Vec<&str> = chapter
        .scenes
        .iter()
        .map(|scene| scene.content.as_str())
        .collect();
    scenes.join("\n")
}

fn per_thousand(count: usize, words: u64) -> f64 {
    if words == 0 {
        return 0.0;
    }
    super::rounded(count as f64 * 1000.0 / words as f64, 2)
}
