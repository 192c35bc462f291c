//! What the book knows and an agent needs: people, threads, the end of earlier chapters, what a
//! chapter is for.

use std::{collections::BTreeSet, sync::Arc};

use novel_book::{
    context::{Person, endings, people, relations},
    foreshadow,
    plans::Heads,
    threads::{MOST_OPEN, most_urgent, planting_sentence, told},
};
use novel_model::{
    Document, Lang, RelPath, Slug,
    files::{ForeshadowAction, ForeshadowItem, ForeshadowPlan, Foreshadowing},
    layout,
};
use novel_text::DataKind;
use serde_json::{Map, Value, json};

use super::{fields::Fields, known::open_profile, sources::Part};

/// Facts and the volume's plan.
pub(super) type Threads = (Arc<Foreshadowing>, Arc<ForeshadowPlan>);

/// How much of the truth an agent sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// What the point of view of the chapter may know.
    PointOfView,
    /// All of it.
    Everything,
}

impl Fields<'_> {
    /// Whose eyes the chapter is told through, if that is a single known person.
    pub(super) fn point_of_view(&mut self) -> Option<Slug> {
        let cast = self.cast()?;
        cast.point_of_view(&self.context.as_ref()?.outline.pov)
    }

    /// Everybody contract and outline name, the point of view first; whose contracts are given, where
    /// they name nobody.
    pub(super) fn on_stage(&mut self) -> Option<Vec<Slug>> {
        let cast = self.cast()?;
        let context = self.context.as_ref()?;
        let plan = format!("{}\n{}", context.outline.block, context.contract.raw());
        let mut named = cast.named_in(&plan);
        if let Some(at) = self
            .point_of_view()
            .and_then(|pov| named.iter().position(|id| *id == pov))
        {
            let pov = named.remove(at);
            named.insert(0, pov);
        }
        if named.is_empty() {
            return self.selected();
        }
        Some(named)
    }

    /// Profiles, ways of talking and mutual relationships of everybody in the contract.
    pub(super) fn people(&mut self, reading: Reading) {
        let (Some(cast), Some(ids)) = (self.cast(), self.on_stage()) else {
            return;
        };
        let found = people(self.book.reader, &cast, &ids);
        let people = self.sources.keep(found).unwrap_or_default();
        match reading {
            Reading::PointOfView => self.profiles(&people),
            Reading::Everything => {
                let paths: Vec<RelPath> = ids.iter().map(layout::character_profile).collect();
                let kind = DataKind::CharacterProfile;
                self.sources.list("character_profiles", kind, &paths);
            }
        }
        let speech: Map<String, Value> = people
            .iter()
            .filter_map(|person| Some((person.name.clone(), json!(person.speech.as_ref()?))))
            .collect();
        let kind = DataKind::CharacterProfile;
        if !speech.is_empty() {
            let path = layout::style_profile();
            self.derived("speech_patterns", kind, &path, Value::Object(speech));
        }
        let found = relations(self.book.reader, &ids);
        let relations = self.sources.keep(found).unwrap_or_default();
        let name = |id: &Slug| {
            cast.member(id)
                .map(|person| person.display_name.trim().to_owned())
        };
        let shown: Vec<Value> = relations
            .iter()
            .map(|relation| {
                json!({"from": name(&relation.from), "to": name(&relation.to), "how": relation.how})
            })
            .collect();
        if !shown.is_empty() {
            let path = layout::relationships();
            self.derived("relationships", kind, &path, shown.into());
        }
    }

    fn profiles(&mut self, people: &[Person]) {
        let pov = self.point_of_view();
        let parts = people
            .iter()
            .filter_map(|person| {
                let whole = person.profile.as_deref()?.trim();
                // What somebody hides is told beside the profile, marked, or not at all.
                let profile = if pov.as_ref() == Some(&person.id) {
                    whole.to_owned()
                } else {
                    open_profile(whole)
                };
                Some(Part {
                    source: layout::character_profile(&person.id).to_string(),
                    value: json!({"id": person.id, "display_name": person.name,
                        "aliases": person.aliases, "profile": profile}),
                    text: format!("{}\n{profile}", self.person_line(person)),
                })
            })
            .collect();
        let kind = DataKind::CharacterProfile;
        self.sources.parts("character_profiles", kind, parts);
    }

    fn person_line(&self, person: &Person) -> String {
        let (name, id) = (&person.name, &person.id);
        let aliases = person.aliases.join("、");
        match (self.book.config.lang(), aliases.is_empty()) {
            (Lang::Zh, true) => format!("【{name}，{id}】"),
            (Lang::Zh, false) => format!("【{name}，{id}，又称{aliases}】"),
            (Lang::En, true) => format!("[{name}, {id}]"),
            (Lang::En, false) => format!("[{name}, {id}, also {}]", person.aliases.join(", ")),
        }
    }

    /// The end of the chapter before, and of the last ones on this line and through these eyes.
    /// Gives their texts back.
    pub(super) fn previous_endings(&mut self) -> Vec<String> {
        let (Some(cast), Some(line)) = (self.cast(), self.storyline_id()) else {
            return Vec::new();
        };
        let pov = self.point_of_view();
        let (reader, plans) = (self.book.reader, &self.book.digests.plans);
        let found = endings(
            reader,
            &mut Heads::new(reader, plans, self.volume),
            self.chapter,
            &line,
            (&cast, pov.as_ref()),
        );
        let lang = self.book.config.lang();
        let found = self.sources.keep(found).unwrap_or_default();
        let texts = found.iter().map(|ending| ending.text.clone()).collect();
        let parts = found
            .into_iter()
            .map(|ending| {
                let number = ending.chapter.get();
                let known = ending.is_known_here;
                let line = ending.storyline.as_deref().unwrap_or("?");
                let pov = ending.pov.as_str();
                let head = match (lang, known) {
                    (Lang::Zh, true) => format!("【第 {number} 章结尾，故事线 {line}，视角 {pov}】"),
                    (Lang::Zh, false) => format!(
                        "【第 {number} 章结尾，故事线 {line}，视角 {pov}；本线人物不知道（not known here）】"
                    ),
                    (Lang::En, true) => {
                        format!("[end of chapter {number}, storyline {line}, point of view {pov}]")
                    }
                    (Lang::En, false) => format!(
                        "[end of chapter {number}, storyline {line}, point of view {pov}; not known here]"
                    ),
                };
                Part {
                    source: layout::chapter_json(ending.chapter).to_string(),
                    value: json!({"chapter": number, "storyline_id": ending.storyline,
                        "pov": ending.pov, "known_here": known, "text": ending.text}),
                    text: format!("{head}\n{}", ending.text),
                }
            })
            .collect();
        self.sources
            .parts("previous_endings", DataKind::ChapterContent, parts);
        texts
    }

    /// What the chapter is to do about foreshadowing.
    pub(super) fn foreshadowing_tasks(&mut self) {
        let Some((facts, plan)) = self.foreshadowing() else {
            return;
        };
        let Some(contract) = self.contract() else {
            return;
        };
        let mut tasks = foreshadow::tasks(&facts, &plan, contract, self.chapter);
        for task in &mut tasks {
            let fact = facts
                .foreshadowing
                .iter()
                .find(|item| task["id"] == *item.id.as_str());
            let planted_by = fact.and_then(|fact| self.planted_by(fact));
            if let (Some(planted_by), Value::Object(task)) = (planted_by, task) {
                task.insert("planted_by".to_owned(), planted_by.into());
            }
        }
        let path = layout::foreshadowing();
        self.derived(
            "foreshadowing_tasks",
            DataKind::Reference,
            &path,
            tasks.into(),
        );
    }

    /// What is open beside the tasks, most urgent first.
    pub(super) fn open_foreshadowing(&mut self) {
        let Some((facts, plan)) = self.foreshadowing() else {
            return;
        };
        let Some(contract) = self.contract() else {
            return;
        };
        let tasks = foreshadow::tasks(&facts, &plan, contract, self.chapter);
        let in_tasks: BTreeSet<&str> = tasks
            .iter()
            .filter_map(|task| task["id"].as_str())
            .collect();
        let open: Vec<&ForeshadowItem> = most_urgent(&facts, self.chapter)
            .into_iter()
            .filter(|item| !in_tasks.contains(item.id.as_str()))
            .take(MOST_OPEN)
            .collect();
        if open.is_empty() {
            return;
        }
        let shown: Vec<Value> = open
            .into_iter()
            .map(|item| {
                let planted_by = self.planted_by(item);
                told(item, self.chapter, planted_by)
            })
            .collect();
        let path = layout::foreshadowing();
        self.derived(
            "open_foreshadowing",
            DataKind::Reference,
            &path,
            shown.into(),
        );
    }

    /// Facts and the volume's plan, empty ones where there are none; read once.
    pub(super) fn foreshadowing(&mut self) -> Option<Threads> {
        if self.foreshadowing.is_none() {
            let reader = self.book.reader;
            let plan = layout::foreshadowing_plan(self.volume);
            let facts = Document::<Foreshadowing>::load_shared(reader, &layout::foreshadowing());
            let plan = Document::<ForeshadowPlan>::load_shared(reader, &plan);
            let (facts, plan) = (self.sources.keep(facts), self.sources.keep(plan));
            self.foreshadowing = Some((facts?.unwrap_or_default(), plan?.unwrap_or_default()));
        }
        self.foreshadowing.clone()
    }

    fn planted_by(&mut self, item: &ForeshadowItem) -> Option<String> {
        let found = planting_sentence(self.book.reader, item);
        self.sources.keep(found).flatten()
    }

    /// What the chapter is for: how intense, the goal of each scene, what it pays off, what it ends
    /// on. A contract without it is read for it.
    pub(super) fn chapter_function(&mut self) {
        let Some((facts, plan)) = self.foreshadowing() else {
            return;
        };
        let Some(context) = &self.context else {
            return;
        };
        let contract = context.contract.get();
        let said = contract.function.clone().unwrap_or_default();
        let goals = if said.scene_goals.is_empty() {
            let required = contract.objectives.iter().filter(|goal| goal.required);
            required.map(|goal| goal.description.clone()).collect()
        } else {
            said.scene_goals
        };
        let resolved = contract
            .postconditions
            .foreshadowing_updates
            .iter()
            .filter(|(_, action)| action.as_str() == Some(ForeshadowAction::Resolved.word()))
            .map(|(id, _)| {
                let fact = facts
                    .foreshadowing
                    .iter()
                    .find(|item| item.id.as_str() == id);
                let planned = plan
                    .foreshadowing
                    .iter()
                    .find(|item| item.id.as_str() == id);
                let described = fact
                    .map(|item| item.description.clone())
                    .filter(|text| !text.is_empty())
                    .or_else(|| planned.map(|item| item.description.clone()));
                match described.filter(|text| !text.is_empty()) {
                    Some(text) => format!("{id}: {text}"),
                    None => id.clone(),
                }
            })
            .collect::<Vec<_>>()
            .join("; ");
        let bridge = contract
            .transition_hint
            .as_ref()
            .and_then(|hint| hint.bridge.clone());
        let outline = context.outline.transition.clone();
        let text = |said: Option<String>, read: String| {
            said.filter(|text| !text.trim().is_empty())
                .or_else(|| (!read.is_empty()).then_some(read))
        };
        let function = json!({
            "intensity": said.intensity,
            "scene_goals": goals,
            "payoff": text(said.payoff, resolved),
            "hook": text(said.hook, bridge.unwrap_or(outline)),
        });
        let path = layout::contract(self.volume, self.chapter);
        self.derived("chapter_function", DataKind::Reference, &path, function);
    }
}
