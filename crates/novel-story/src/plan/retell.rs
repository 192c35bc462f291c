//! The plan of chapters that are written, made from what was written.
//!
//! The planner tells again what each chapter is; titles, storylines and what happened to foreshadowing
//! are facts of the book and are taken from there. Blocks, contracts and threads of other chapters
//! stay as they are.

use std::collections::BTreeMap;

use novel_book::context::Cast;
use novel_model::{
    BookReader, ChapterNo, Document, FileError, Lang, Problem, Slug, VolumeNo,
    files::{
        ChapterLog, ForeshadowPlan, Foreshadowing, GeneratedChapter, PlanAnswer, PlannedForeshadow,
        SeedUpdate,
    },
    layout, message,
};
use novel_text::parse_outline;

use super::{Files, one_line, render};

/// What the book knows of written chapters without asking anybody.
pub struct Written {
    titles: BTreeMap<ChapterNo, String>,
    lines: BTreeMap<ChapterNo, Slug>,
    facts: Foreshadowing,
    names: Vec<String>,
}

impl Written {
    /// Reads what the book knows of the chapters from `first` to `last`.
    ///
    /// # Errors
    /// When a file is broken.
    pub fn load(
        reader: &dyn BookReader,
        cast: &Cast,
        first: ChapterNo,
        last: ChapterNo,
    ) -> Result<Self, FileError> {
        let (mut titles, mut lines) = (BTreeMap::new(), BTreeMap::new());
        for chapter in (first.get()..=last.get()).filter_map(ChapterNo::new) {
            let text = Document::<GeneratedChapter>::load(reader, &layout::chapter_json(chapter))?;
            if let Some(text) = text {
                titles.insert(chapter, text.into_value().chapter_title);
            }
            let log = Document::<ChapterLog>::load(reader, &layout::chapter_log(chapter))?;
            if let Some(log) = log {
                lines.insert(chapter, log.into_value().storyline_id);
            }
        }
        let facts = Document::<Foreshadowing>::load(reader, &layout::foreshadowing())?;
        let people = cast.members().map(|(_, member)| &member.character);
        let names = people.flat_map(|person| {
            let aliases = person.aliases.iter().map(|alias| alias.trim().to_owned());
            aliases.chain([person.display_name.trim().to_owned()])
        });
        Ok(Self {
            titles,
            lines,
            facts: facts.map(Document::into_value).unwrap_or_default(),
            names: names.collect(),
        })
    }

    /// What is wrong with an answer: a chapter without an objective, or people nobody knows.
    #[must_use]
    pub fn check(&self, answer: &PlanAnswer, volume: VolumeNo) -> Vec<Problem> {
        let path = layout::plan_draft(volume);
        let mut problems = Vec::new();
        for (at, entry) in answer.chapters.iter().enumerate() {
            let number = entry.chapter.get();
            let has_event = entry
                .objectives
                .iter()
                .any(|objective| !objective.description.trim().is_empty());
            if !has_event {
                let what = message!(
                    en: "chapter {number} has no objective: say what happens in it",
                    zh: "第 {number} 章没有目标：请写出这一章发生了什么"
                );
                let problem = Problem::new("no_objective", &path, what);
                problems.push(problem.at(format!("/chapters/{at}/objectives")));
            }
            for (key, states) in [("before", &entry.before), ("after", &entry.after)] {
                for (index, state) in states.iter().enumerate() {
                    let name = one_line(&state.character);
                    if self.names.contains(&name) {
                        continue;
                    }
                    let what = message!(
                        en: "nobody is called `{name}`; use a name from `characters`",
                        zh: "没有名为 `{name}` 的角色；请用 `characters` 中的名字"
                    );
                    let pointer = format!("/chapters/{at}/{key}/{index}/character");
                    problems.push(Problem::new("unknown_character", &path, what).at(pointer));
                }
            }
        }
        problems
    }

    /// The answer with the facts of the book in the place of what it says of them.
    #[must_use]
    pub fn settled(&self, mut answer: PlanAnswer) -> PlanAnswer {
        for entry in &mut answer.chapters {
            if let Some(title) = self.titles.get(&entry.chapter) {
                entry.title.clone_from(title);
            }
            if let Some(line) = self.lines.get(&entry.chapter) {
                entry.storyline_id.clone_from(line);
            }
            let events = self.facts.foreshadowing.iter().flat_map(|item| {
                let events = item.history.iter().map(move |event| (item, event));
                events.filter(|(_, event)| event.chapter == entry.chapter)
            });
            entry.foreshadowing = events
                .map(|(item, event)| SeedUpdate {
                    id: item.id.clone(),
                    action: event.action,
                })
                .collect();
        }
        answer
    }

    /// The files of a volume that change, by path. `answer` is settled.
    ///
    /// # Errors
    /// When a file of the plan is broken.
    pub fn files(
        &self,
        reader: &dyn BookReader,
        answer: &PlanAnswer,
        volume: VolumeNo,
        lang: Lang,
    ) -> Result<Files, FileError> {
        let mut files = Files::new();
        let outline = reader.text(&layout::outline(volume))?.unwrap_or_default();
        files.insert(
            layout::outline(volume),
            retold_outline(&outline, answer, lang),
        );
        let first = answer.chapters.first().map(|entry| entry.chapter);
        let existing = render::Existing::load(reader, volume, first.unwrap_or(ChapterNo::first()))?;
        for at in 0..answer.chapters.len() {
            let contract = render::contract(answer, &existing, at);
            let path = layout::contract(volume, contract.chapter);
            files.insert(path, novel_model::to_json_text(&contract));
        }
        let path = layout::foreshadowing_plan(volume);
        let plan = Document::<ForeshadowPlan>::load(reader, &path)?;
        let mut plan = plan.unwrap_or_else(|| Document::new(ForeshadowPlan::default()));
        plan.edit(|plan| self.retell_threads(plan, answer));
        files.insert(path, plan.to_text());
        Ok(files)
    }

    /// What these chapters planted stands in the plan where it was planted; what they did not plant
    /// after all does not.
    fn retell_threads(&self, plan: &mut ForeshadowPlan, answer: &PlanAnswer) {
        let is_told = |chapter: ChapterNo| {
            let mut chapters = answer.chapters.iter();
            chapters.any(|entry| entry.chapter == chapter)
        };
        plan.foreshadowing.retain(|seed| {
            let is_fact = self
                .facts
                .foreshadowing
                .iter()
                .any(|item| item.id == seed.id);
            is_fact || !seed.planted_chapter.is_some_and(is_told)
        });
        for item in &self.facts.foreshadowing {
            let Some(planted) = item.planted_chapter.filter(|chapter| is_told(*chapter)) else {
                continue;
            };
            match plan
                .foreshadowing
                .iter_mut()
                .find(|seed| seed.id == item.id)
            {
                Some(seed) => {
                    seed.planted_chapter = Some(planted);
                    seed.planted_storyline.clone_from(&item.planted_storyline);
                }
                None => plan.foreshadowing.push(PlannedForeshadow {
                    id: item.id.clone(),
                    description: item.description.clone(),
                    scope: item.scope,
                    planted_chapter: Some(planted),
                    planted_storyline: item.planted_storyline.clone(),
                    target_resolve_range: item.target_resolve_range,
                }),
            }
        }
    }
}

/// The outline with the blocks of the answer in the place of the old ones.
fn retold_outline(outline: &str, answer: &PlanAnswer, lang: Lang) -> String {
    let parsed = parse_outline(outline);
    let lines: Vec<&str> = outline.split_inclusive('\n').collect();
    let first = parsed.blocks.iter().map(|block| block.line).min();
    let head: String = lines[..first.map_or(lines.len(), |line| line - 1)].concat();
    let mut blocks: BTreeMap<u32, String> = parsed
        .blocks
        .iter()
        .map(|block| (block.number, format!("{}\n", block.text.trim_end())))
        .collect();
    for entry in &answer.chapters {
        blocks.insert(entry.chapter.get(), render::block(entry, lang));
    }
    let head = head.trim_end();
    let blocks: Vec<String> = blocks.into_values().collect();
    match head.is_empty() {
        true => blocks.join("\n"),
        false => format!("{head}\n\n{}", blocks.join("\n")),
    }
}
