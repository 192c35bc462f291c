//! The plan of a volume as files: outline, schedule, foreshadowing plan, contracts, new cast, lines.

use novel_model::{
    BookReader, ChapterNo, Document, FileError, Lang, Problem, Slug, VolumeNo,
    files::{
        ActiveStoryline, ChapterContract, ChapterFunction, ConvergenceEvent, ForeshadowAction,
        ForeshadowPlan, NewCharacters, Objective, PersonState, PlanAnswer, PlannedChapter,
        PlannedForeshadow, PlannedLine, Postconditions, Preconditions, Storyline, StorylineContext,
        StorylineRelationship, StorylineSchedule, Storylines, TransitionHint, VolumeRole,
    },
    layout, message, to_json_text,
};
use novel_text::{OutlineBlock, parse_outline};
use serde_json::{Map, Value, json};

use super::{Files, PlanSpan, one_line, world::shared};

/// What is wrong with an answer before files are made of it: the chapters must be the ones asked
/// for, each once.
#[must_use]
pub fn check_answer(answer: &PlanAnswer, span: &PlanSpan, volume: VolumeNo) -> Vec<Problem> {
    let path = layout::plan_draft(volume);
    let mut problems = Vec::new();
    let mut expected = span.first.get();
    for (at, entry) in answer.chapters.iter().enumerate() {
        let found = entry.chapter.get();
        if found != expected {
            let what = message!(
                en: "chapter {found} is where chapter {expected} should be",
                zh: "此处应为第 {expected} 章，实际是第 {found} 章"
            );
            let pointer = format!("/chapters/{at}/chapter");
            problems.push(Problem::new("chapter_gap", &path, what).at(pointer));
        }
        expected = found.saturating_add(1);
    }
    let (first, last, count) = (span.first.get(), span.last.get(), answer.chapters.len());
    let planned = answer.chapters.last().map(|entry| entry.chapter);
    if problems.is_empty() && planned != Some(span.last) {
        let what = message!(
            en: "{count} chapters; chapters {first} to {last} were asked for",
            zh: "给出了 {count} 章，要求的是第 {first} 至 {last} 章"
        );
        problems.push(Problem::new("wrong_chapters", &path, what).at("/chapters"));
    }
    problems
}

/// A plan with its next chunk. What an earlier chunk has said holds; a later one adds to it.
#[must_use]
pub fn merged(mut plan: PlanAnswer, next: PlanAnswer) -> PlanAnswer {
    fn add<T, K: PartialEq>(old: &mut Vec<T>, new: Vec<T>, key: impl Fn(&T) -> &K) {
        for entry in new {
            if !old.iter().any(|known| key(known) == key(&entry)) {
                old.push(entry);
            }
        }
    }
    add(&mut plan.storylines, next.storylines, |line| &line.id);
    add(
        &mut plan.dormant_storylines,
        next.dormant_storylines,
        |id| id,
    );
    add(&mut plan.convergences, next.convergences, |event| {
        &event.first_chapter
    });
    add(&mut plan.foreshadowing, next.foreshadowing, |seed| &seed.id);
    add(&mut plan.new_characters, next.new_characters, |person| {
        &person.id
    });
    plan.chapters.extend(next.chapters);
    plan
}

/// What of a volume is there already and stays.
pub struct Existing {
    /// Outline blocks of chapters that are written.
    blocks: Vec<OutlineBlock>,
    seeds: Vec<PlannedForeshadow>,
    lines: Option<Document<Storylines>>,
    /// Meetings that end before the plan begins.
    meetings: Vec<ConvergenceEvent>,
}

impl Existing {
    /// Reads what is there of `volume` before the chapter `first`.
    ///
    /// # Errors
    /// When a file is broken.
    pub fn load(
        reader: &dyn BookReader,
        volume: VolumeNo,
        first: ChapterNo,
    ) -> Result<Self, FileError> {
        let outline = reader.text(&layout::outline(volume))?.unwrap_or_default();
        let mut blocks = parse_outline(&outline).blocks;
        let written = |number: u32| number < first.get();
        blocks.retain(|block| written(block.number));
        let path = layout::foreshadowing_plan(volume);
        let seeds = Document::<ForeshadowPlan>::load(reader, &path)?;
        let mut seeds = seeds
            .map(|plan| plan.into_value().foreshadowing)
            .unwrap_or_default();
        seeds.retain(|seed| seed.planted_chapter.is_some_and(|at| written(at.get())));
        let schedule =
            Document::<StorylineSchedule>::load_value(reader, &layout::schedule(volume))?;
        let mut meetings = schedule
            .map(|old| old.convergence_events)
            .unwrap_or_default();
        meetings.retain(|event| event.chapter_range.is_some_and(|(_, last)| last < first));
        Ok(Self {
            blocks,
            seeds,
            meetings,
            lines: Document::load(reader, &layout::storylines())?,
        })
    }

    /// Whether the book has this storyline.
    pub(super) fn has_line(&self, id: &Slug) -> bool {
        let lines = self.lines.iter().flat_map(|lines| &lines.get().storylines);
        lines.into_iter().any(|line| line.id == *id)
    }
}

/// The files of a plan, by the path they are meant for.
#[must_use]
pub fn volume_files(
    answer: &PlanAnswer,
    existing: &Existing,
    volume: VolumeNo,
    lang: Lang,
) -> Files {
    let mut files = Files::from([
        (layout::outline(volume), outline(answer, lang)),
        (
            layout::schedule(volume),
            to_json_text(&schedule(answer, existing)),
        ),
        (
            layout::foreshadowing_plan(volume),
            to_json_text(&seeds(answer, existing)),
        ),
        (
            layout::new_characters(volume),
            to_json_text(&NewCharacters {
                characters: answer.new_characters.clone(),
            }),
        ),
        (layout::storylines(), lines(answer, existing)),
    ]);
    for at in 0..answer.chapters.len() {
        let contract = contract(answer, existing, at);
        files.insert(
            layout::contract(volume, contract.chapter),
            to_json_text(&contract),
        );
    }
    files
}

fn outline(answer: &PlanAnswer, lang: Lang) -> String {
    let mut text = format!("# {}\n", one_line(&answer.title));
    let premise = one_line(&answer.premise);
    if !premise.is_empty() {
        text.push_str(&format!("\n{premise}\n"));
    }
    for entry in &answer.chapters {
        text.push('\n');
        text.push_str(&block(entry, lang));
    }
    text
}

pub(super) fn block(entry: &PlannedChapter, lang: Lang) -> String {
    let number = entry.chapter.get();
    let title = one_line(&entry.title);
    let mut text = match lang {
        Lang::Zh => format!("### 第 {number} 章：{title}\n"),
        Lang::En => format!("### Chapter {number}: {title}\n"),
    };
    let mut line = |key: &str, value: &str| {
        text.push_str(&format!("- **{key}**: {}\n", one_line(value)));
    };
    line("Storyline", entry.storyline_id.as_str());
    line("POV", &entry.pov);
    if let Some(time) = &entry.time {
        line("Time", time);
    }
    line("Location", &entry.location);
    line("Conflict", &entry.conflict);
    line("Arc", &entry.arc);
    line("Foreshadowing", &updates_line(entry, lang));
    line("StateChanges", &states_line(&entry.after, lang));
    line("TransitionHint", &entry.transition);
    text
}

fn updates_line(entry: &PlannedChapter, lang: Lang) -> String {
    let parts: Vec<String> = entry
        .foreshadowing
        .iter()
        .map(|update| match (lang, update.action) {
            (Lang::Zh, ForeshadowAction::Planted) => format!("{}（埋设）", update.id),
            (Lang::Zh, ForeshadowAction::Advanced) => format!("{}（推进）", update.id),
            (Lang::Zh, ForeshadowAction::Resolved) => format!("{}（回收）", update.id),
            (Lang::En, action) => format!("{} ({})", update.id, action.word()),
        })
        .collect();
    match (lang, parts.is_empty()) {
        (Lang::Zh, true) => "无".to_owned(),
        (Lang::En, true) => "none".to_owned(),
        (Lang::Zh, false) => parts.join("；"),
        (Lang::En, false) => parts.join("; "),
    }
}

fn states_line(states: &[PersonState], lang: Lang) -> String {
    let (between, comma) = match lang {
        Lang::Zh => ("；", "，"),
        Lang::En => ("; ", ", "),
    };
    let parts: Vec<String> = states
        .iter()
        .map(|state| {
            let values = values_of(state);
            let values: Vec<String> = values
                .iter()
                .map(|(key, value)| match value {
                    Value::String(text) => format!("{key}={text}"),
                    value => format!("{key}={value}"),
                })
                .collect();
            format!("{}: {}", one_line(&state.character), values.join(comma))
        })
        .collect();
    parts.join(between)
}

/// What an entry says of somebody, in the order of the format.
pub(super) fn values_of(state: &PersonState) -> Map<String, Value> {
    let mut values = Map::new();
    for (key, value) in [
        ("location", &state.location),
        ("emotional_state", &state.emotional_state),
        ("status", &state.status),
    ] {
        if let Some(value) = value.as_deref().map(one_line).filter(|it| !it.is_empty()) {
            values.insert(key.to_owned(), json!(value));
        }
    }
    if let Some(carried) = &state.inventory {
        let carried: Vec<String> = carried.iter().map(|thing| one_line(thing)).collect();
        values.insert("inventory".to_owned(), json!(carried));
    }
    values
}

fn states(states: &[PersonState]) -> Map<String, Value> {
    states
        .iter()
        .map(|state| {
            let name = one_line(&state.character);
            (name, Value::Object(values_of(state)))
        })
        .collect()
}

pub(super) fn contract(answer: &PlanAnswer, existing: &Existing, at: usize) -> ChapterContract {
    let entry = &answer.chapters[at];
    let number = entry.chapter.get();
    let before = states(&entry.before);
    let next = answer.chapters.get(at + 1);
    ChapterContract {
        chapter: entry.chapter,
        storyline_id: entry.storyline_id.clone(),
        storyline_context: Some(line_context(answer, existing, at)),
        transition_hint: Some(TransitionHint {
            next_storyline: next
                .map(|next| &next.storyline_id)
                .filter(|line| **line != entry.storyline_id)
                .cloned(),
            bridge: Some(one_line(&entry.transition)),
        }),
        preconditions: Preconditions {
            character_states: (!before.is_empty()).then_some(before),
            required_world_rules: entry.required_world_rules.clone(),
        },
        objectives: entry
            .objectives
            .iter()
            .zip(1..)
            .map(|(objective, index)| Objective {
                id: format!("OBJ-{number}-{index}"),
                kind: one_line(&objective.kind),
                required: objective.required,
                description: one_line(&objective.description),
            })
            .collect(),
        postconditions: Postconditions {
            state_changes: states(&entry.after),
            foreshadowing_updates: entry
                .foreshadowing
                .iter()
                .map(|update| (update.id.to_string(), json!(update.action)))
                .collect(),
        },
        acceptance_criteria: entry
            .acceptance_criteria
            .iter()
            .map(|text| one_line(text))
            .collect(),
        function: function(entry),
        told_from: Vec::new(),
    }
}

/// What the chapter is for, where the plan says it. What it ends on is its bridge.
fn function(entry: &PlannedChapter) -> Option<ChapterFunction> {
    let function = ChapterFunction {
        intensity: entry.intensity,
        scene_goals: entry
            .scene_goals
            .iter()
            .map(|goal| one_line(goal))
            .collect(),
        payoff: entry
            .payoff
            .as_deref()
            .map(one_line)
            .filter(|text| !text.is_empty()),
        hook: None,
    };
    (function != ChapterFunction::default()).then_some(function)
}

/// Where the line stands before the chapter, and where the others do.
fn line_context(answer: &PlanAnswer, existing: &Existing, at: usize) -> StorylineContext {
    let entry = &answer.chapters[at];
    let line = &entry.storyline_id;
    let earlier = || answer.chapters[..at].iter().rev();
    let last = earlier().find(|other| other.storyline_id == *line);
    let written = existing.blocks.iter().rev();
    let written = written.filter(|block| block.field("Storyline") == Some(line.as_str()));
    let last_number = last
        .map(|other| other.chapter.get())
        .or_else(|| written.map(|block| block.number).next());
    let of_line = || {
        let chapters = answer.chapters.iter();
        chapters.filter(|other| other.storyline_id == *line)
    };
    let done = of_line()
        .filter(|other| other.chapter <= entry.chapter)
        .count();
    let others: Map<String, Value> = answer
        .storylines
        .iter()
        .filter(|other| other.id != *line)
        .filter_map(|other| {
            let last = earlier().find(|chapter| chapter.storyline_id == other.id)?;
            Some((other.id.to_string(), json!(gist(last))))
        })
        .collect();
    StorylineContext {
        last_chapter_summary: last.map(gist),
        chapters_since_last: last_number.map(|last| entry.chapter.get() - last - 1),
        line_arc_progress: Some(format!("{}%", done * 100 / of_line().count().max(1))),
        concurrent_state: (!others.is_empty()).then_some(Value::Object(others)),
    }
}

/// A chapter in one sentence: what it must bring about.
fn gist(entry: &PlannedChapter) -> String {
    let required = entry.objectives.iter().find(|objective| objective.required);
    let first = required.or_else(|| entry.objectives.first());
    first.map_or_else(|| one_line(&entry.title), |it| one_line(&it.description))
}

fn schedule(answer: &PlanAnswer, existing: &Existing) -> StorylineSchedule {
    let of_role = |role: VolumeRole| {
        let lines = answer.storylines.iter();
        lines.filter(move |line| line.volume_role == role)
    };
    let places = |line: &PlannedLine| -> Vec<u32> {
        let chapters = answer.chapters.iter();
        chapters
            .filter(|entry| entry.storyline_id == line.id)
            .map(|entry| entry.chapter.get())
            .collect()
    };
    let longest_run = of_role(VolumeRole::Primary)
        .map(|line| {
            let places = places(line);
            let (mut run, mut longest) = (0, 0);
            for (at, place) in places.iter().enumerate() {
                run = if at > 0 && places[at - 1] + 1 == *place {
                    run + 1
                } else {
                    1
                };
                longest = longest.max(run);
            }
            longest
        })
        .max()
        .unwrap_or(1);
    let widest_gap = of_role(VolumeRole::Secondary)
        .flat_map(|line| {
            let places = places(line);
            let gaps: Vec<u32> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
            gaps
        })
        .max();
    let mut pattern = Map::new();
    pattern.insert("primary_max_consecutive".to_owned(), json!(longest_run));
    if let Some(gap) = widest_gap {
        let words = format!("every_{gap}_chapters");
        pattern.insert("secondary_min_appearance".to_owned(), json!(words));
    }
    let new = answer.convergences.iter().map(|event| ConvergenceEvent {
        chapter_range: Some((event.first_chapter, event.last_chapter)),
        involved_storylines: event.storylines.clone(),
        trigger: Some(one_line(&event.trigger)),
        aftermath: Some(one_line(&event.aftermath)),
    });
    StorylineSchedule {
        active_storylines: answer
            .storylines
            .iter()
            .map(|line| ActiveStoryline {
                storyline_id: line.id.clone(),
                volume_role: Some(line.volume_role),
            })
            .collect(),
        interleaving_pattern: pattern,
        convergence_events: existing.meetings.iter().cloned().chain(new).collect(),
        dormant_storylines: answer.dormant_storylines.clone(),
    }
}

fn seeds(answer: &PlanAnswer, existing: &Existing) -> ForeshadowPlan {
    let new = answer.foreshadowing.iter().map(|seed| PlannedForeshadow {
        id: seed.id.clone(),
        description: one_line(&seed.description),
        scope: Some(seed.scope),
        planted_chapter: Some(seed.planted_chapter),
        planted_storyline: Some(seed.planted_storyline.clone()),
        target_resolve_range: Some((seed.resolve_from, seed.resolve_to)),
    });
    ForeshadowPlan {
        foreshadowing: existing.seeds.iter().cloned().chain(new).collect(),
    }
}

/// All storylines: known ones keep what is said of them, new ones are added, and the plan says
/// which are on stage.
fn lines(answer: &PlanAnswer, existing: &Existing) -> String {
    let fresh = || {
        Document::new(Storylines {
            storylines: Vec::new(),
            relationships: Vec::new(),
        })
    };
    let mut document = existing.lines.clone().unwrap_or_else(fresh);
    document.edit(|all| {
        let has_main = all.storylines.iter().any(|line| line.kind == "main_arc");
        for planned in &answer.storylines {
            let tellers: Vec<String> = planned
                .pov_characters
                .iter()
                .map(|name| one_line(name))
                .collect();
            match all.storylines.iter_mut().find(|line| line.id == planned.id) {
                Some(line) => {
                    line.status = Some("active".to_owned());
                    if line.pov_characters.is_empty() {
                        line.pov_characters = tellers;
                    }
                }
                None => all.storylines.push(Storyline {
                    id: planned.id.clone(),
                    name: one_line(&planned.name),
                    kind: match planned.volume_role {
                        VolumeRole::Primary if !has_main => "main_arc".to_owned(),
                        _ => "sub_arc".to_owned(),
                    },
                    scope: Some("volume".to_owned()),
                    pov_characters: tellers,
                    affiliated_factions: Vec::new(),
                    timeline: None,
                    status: Some("active".to_owned()),
                    description: Some(one_line(&planned.description)),
                }),
            }
        }
        for line in &mut all.storylines {
            if answer.dormant_storylines.contains(&line.id) {
                line.status = Some("dormant".to_owned());
            }
        }
        for event in &answer.convergences {
            for pair in event.storylines.windows(2) {
                relate(&mut all.relationships, &pair[0], &pair[1], &event.trigger);
            }
        }
    });
    document.to_text()
}

fn relate(relations: &mut Vec<StorylineRelationship>, from: &Slug, to: &Slug, event: &str) {
    let known = relations.iter().any(|relation| {
        (&relation.from, &relation.to) == (from, to) || (&relation.from, &relation.to) == (to, from)
    });
    if !known {
        relations.push(StorylineRelationship {
            from: from.clone(),
            to: to.clone(),
            kind: "converging".to_owned(),
            bridges: shared(event),
        });
    }
}
