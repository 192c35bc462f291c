//! Whether a character may leave the story: what still needs them, each with its place.
//!
//! Open foreshadowing of medium or long reach that names them, storylines that are not over and are
//! told by them, meetings of storylines still to come, and contracts of chapters still to be written.

use novel_model::{
    BookReader, ChapterNo, Document, Explain, Kind, Message, Problem, Slug, VolumeNo, counted,
    files::{
        ChapterContract, Checkpoint, ConvergenceEvent, ForeshadowAction, ForeshadowPlan,
        ForeshadowScope, Foreshadowing, Storyline, Storylines,
    },
    layout, message,
};
use serde_json::Value;

use crate::check::People;
use novel_book::context::{ContextError, load_schedule};

/// The key of a retired character's file that names the last chapter they may act in.
pub const RETIRED_CHAPTER: &str = "retired_chapter";

/// Words of a storyline's status that say it is over.
const OVER: [&str; 8] = [
    "completed",
    "complete",
    "resolved",
    "finished",
    "ended",
    "closed",
    "done",
    "完结",
];

/// Somebody is still needed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("character {id} is still needed")]
pub struct StillNeeded {
    /// Who.
    pub id: Slug,
    problems: Vec<Problem>,
}

impl StillNeeded {
    /// The refusal, if anything needs them.
    ///
    /// # Errors
    /// With everything that does.
    pub fn unless_free(id: &Slug, problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() {
            return Ok(());
        }
        let id = id.clone();
        Err(Self { id, problems })
    }
}

impl Explain for StillNeeded {
    fn kind(&self) -> Kind {
        Kind::Gate
    }

    fn code(&self) -> &'static str {
        "CHARACTER_NEEDED"
    }

    fn message(&self) -> Message {
        let (id, count) = (&self.id, self.problems.len());
        let obstacles = counted(count, "obstacle");
        message!(
            en: "`{id}` cannot retire yet: {obstacles}",
            zh: "`{id}` 还不能退场：仍有 {count} 处需要此人"
        )
    }

    fn hint(&self) -> Option<Message> {
        let id = &self.id;
        Some(message!(
            en: "settle each of them, then run `novel character retire {id}` again",
            zh: "逐条处理之后再运行 `novel character retire {id}`"
        ))
    }

    fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// Everything that still needs somebody, as the book stands.
///
/// # Errors
/// When a file is damaged.
pub fn needed_by(
    reader: &dyn BookReader,
    id: &Slug,
    checkpoint: &Checkpoint,
) -> Result<Vec<Problem>, ContextError> {
    let people = People::load(reader)?;
    let mut search = Search {
        reader,
        id,
        people,
        written: checkpoint.last_completed_chapter,
        problems: Vec::new(),
    };
    let volumes = planned_from(reader, checkpoint.current_volume)?;
    search.foreshadowing(&volumes)?;
    let told = search.storylines()?;
    for volume in volumes {
        search.meetings(volume, &told)?;
        search.contracts(volume)?;
    }
    Ok(search.problems)
}

/// The current volume and the planned ones after it.
fn planned_from(reader: &dyn BookReader, current: VolumeNo) -> Result<Vec<VolumeNo>, ContextError> {
    let mut volumes = vec![current];
    let mut next = current.next();
    while reader.text(&layout::outline(next))?.is_some() {
        volumes.push(next);
        next = next.next();
    }
    Ok(volumes)
}

struct Search<'a> {
    reader: &'a dyn BookReader,
    id: &'a Slug,
    people: People,
    written: u32,
    problems: Vec<Problem>,
}

impl Search<'_> {
    fn is_meant(&self, name: &str) -> bool {
        self.people.id_of(name) == Some(self.id.as_str())
    }

    fn is_named_in(&self, text: &str) -> bool {
        let index = self.people.index(None);
        let named = index.mentions(text);
        named.iter().any(|mention| mention.id == self.id.as_str())
    }

    fn foreshadowing(&mut self, volumes: &[VolumeNo]) -> Result<(), ContextError> {
        let path = layout::foreshadowing();
        let facts = Document::<Foreshadowing>::load(self.reader, &path)?;
        let items = facts
            .as_ref()
            .map(Document::get)
            .cloned()
            .unwrap_or_default();
        for (at, item) in items.foreshadowing.iter().enumerate() {
            let open = item.status != ForeshadowAction::Resolved;
            if open && reaches_far(item.scope) && self.is_named_in(&item.description) {
                let id = item.id.as_str();
                self.add(
                    Problem::new("foreshadowing_needs", &path, open_item(id))
                        .at(format!("/foreshadowing/{at}")),
                    message!(
                        en: "resolve it in a chapter first", zh: "先在某一章回收它"
                    ),
                );
            }
        }
        for volume in volumes {
            let path = layout::foreshadowing_plan(*volume);
            let plan = Document::<ForeshadowPlan>::load(self.reader, &path)?;
            for (at, item) in plan
                .iter()
                .flat_map(|plan| &plan.get().foreshadowing)
                .enumerate()
            {
                let known = items.foreshadowing.iter().any(|fact| fact.id == item.id);
                if !known && reaches_far(item.scope) && self.is_named_in(&item.description) {
                    let id = item.id.as_str();
                    self.add(
                        Problem::new("foreshadowing_needs", &path, open_item(id))
                            .at(format!("/foreshadowing/{at}")),
                        message!(
                            en: "take it out of the plan, or resolve it in a chapter first",
                            zh: "从规划中删去，或先在某一章回收它"
                        ),
                    );
                }
            }
        }
        Ok(())
    }

    /// Storylines that are not over; the ids of those the character tells.
    fn storylines(&mut self) -> Result<Vec<Slug>, ContextError> {
        let path = layout::storylines();
        let Some(document) = Document::<Storylines>::load(self.reader, &path)? else {
            return Ok(Vec::new());
        };
        let lines = document.into_value();
        let mut told = Vec::new();
        for (at, line) in lines.storylines.iter().enumerate() {
            let teller = line
                .pov_characters
                .iter()
                .position(|name| self.is_meant(name));
            let Some(index) = teller.filter(|_| !is_over(line)) else {
                continue;
            };
            let id = &line.id;
            told.push(id.clone());
            self.add(
                Problem::new(
                    "storyline_needs",
                    &path,
                    message!(en: "storyline `{id}` is told by them", zh: "故事线 `{id}` 由此人叙述"),
                )
                .at(format!("/storylines/{at}/pov_characters/{index}")),
                message!(
                    en: "give the line to somebody else, or set its `status` to \"completed\"",
                    zh: "把该线交给别人，或将其 `status` 改为 \"completed\""
                ),
            );
        }
        let over = |id: &Slug| {
            lines
                .storylines
                .iter()
                .any(|line| line.id == *id && is_over(line))
        };
        for (at, tie) in lines.relationships.iter().enumerate() {
            let shared = tie.bridges.shared_characters.iter();
            let index = shared.into_iter().position(|name| self.is_meant(name));
            if let Some(index) = index.filter(|_| !over(&tie.from) && !over(&tie.to)) {
                let (from, to) = (&tie.from, &tie.to);
                self.add(
                    Problem::new(
                        "storyline_needs",
                        &path,
                        message!(
                            en: "storylines `{from}` and `{to}` share them", zh: "故事线 `{from}` 与 `{to}` 共享此人"
                        ),
                    )
                    .at(format!("/relationships/{at}/bridges/shared_characters/{index}")),
                    message!(
                        en: "take them out of the bridge", zh: "从这处衔接中去掉此人"
                    ),
                );
            }
        }
        Ok(told)
    }

    /// Meetings still to come; one without chapters may still come.
    fn meetings(&mut self, volume: VolumeNo, told: &[Slug]) -> Result<(), ContextError> {
        let path = layout::schedule(volume);
        let Some(schedule) = load_schedule(self.reader, volume)? else {
            return Ok(());
        };
        for (at, event) in schedule.get().convergence_events.iter().enumerate() {
            let to_come = event
                .chapter_range
                .is_none_or(|(_, last)| last.get() > self.written);
            let involved = event
                .involved_storylines
                .iter()
                .any(|line| told.contains(line));
            let texts = [&event.trigger, &event.aftermath];
            let named = texts
                .into_iter()
                .flatten()
                .any(|text| self.is_named_in(text));
            if to_come && (involved || named) {
                let Message { en, zh } = chapters_of(event);
                self.add(
                    Problem::new(
                        "convergence_needs",
                        &path,
                        message!(
                            en: "the meeting of storylines{en} needs them", zh: "故事线交汇{zh}需要此人"
                        ),
                    )
                    .at(format!("/convergence_events/{at}")),
                    message!(
                        en: "write it first, or plan it without them", zh: "先写完它，或在规划中去掉此人"
                    ),
                );
            }
        }
        Ok(())
    }

    fn contracts(&mut self, volume: VolumeNo) -> Result<(), ContextError> {
        let mut names = self.reader.list(&layout::contracts_dir(volume))?;
        names.sort_unstable();
        for name in names {
            let number = name
                .strip_prefix("chapter-")
                .and_then(|rest| rest.strip_suffix(".json"));
            let chapter = number.and_then(|digits| digits.parse::<ChapterNo>().ok());
            let Some(chapter) = chapter.filter(|chapter| chapter.get() > self.written) else {
                continue;
            };
            let path = layout::contract(volume, chapter);
            let Some(contract) = Document::<ChapterContract>::load(self.reader, &path)? else {
                continue;
            };
            let before = contract
                .get()
                .preconditions
                .character_states
                .iter()
                .flatten();
            let after = &contract.get().postconditions.state_changes;
            let mut keys = before.chain(after).map(|(name, _): (&String, &Value)| name);
            if keys.any(|name| self.is_meant(name)) {
                let n = chapter.get();
                self.add(
                    Problem::new(
                        "chapter_needs",
                        &path,
                        message!(
                            en: "the contract of chapter {n}, still to be written, names them",
                            zh: "尚未写的第 {n} 章契约中有此人"
                        ),
                    ),
                    message!(
                        en: "write the chapter first, or change its contract", zh: "先写完该章，或修改其契约"
                    ),
                );
            }
        }
        Ok(())
    }

    fn add(&mut self, problem: Problem, hint: Message) {
        self.problems.push(problem.hint(hint));
    }
}

const fn reaches_far(scope: Option<ForeshadowScope>) -> bool {
    matches!(scope, Some(ForeshadowScope::Medium | ForeshadowScope::Long))
}

fn open_item(id: &str) -> Message {
    message!(
        en: "open foreshadowing `{id}` is about them", zh: "未回收的伏笔 `{id}` 与此人有关"
    )
}

fn is_over(line: &Storyline) -> bool {
    let status = line
        .status
        .as_deref()
        .unwrap_or_default()
        .trim()
        .to_lowercase();
    OVER.contains(&status.as_str())
}

fn chapters_of(event: &ConvergenceEvent) -> Message {
    match event.chapter_range {
        Some((first, last)) => {
            let (first, last) = (first.get(), last.get());
            message!(en: " in chapters {first} to {last}", zh: "（第 {first} 至 {last} 章）")
        }
        None => Message::default(),
    }
}
