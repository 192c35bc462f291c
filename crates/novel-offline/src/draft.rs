//! Composes a chapter: scenes from the plan, then filled to length.

use novel_book::config::ChapterConfig;
use novel_model::{
    Document, Lang,
    files::{ForeshadowAction, Objective, StyleDrift},
    layout,
};
use novel_text::{count_words, measure, render_chapter};
use serde_json::Value;

use crate::{
    OfflineError,
    event::objective_beat,
    gaps::Gaps,
    plan::{ChapterPlan, Task, item_tasks},
    pronoun::Pronouns,
    prose::{clean, lower_first},
    recall::recall,
    scene::{Paragraph, Purpose, Scenes},
    voice::{Hour, Voice},
};

/// Share of dialogue without a style profile.
const DIALOGUE: f64 = 0.25;
/// Above this length a chapter has four scenes.
const LONG: usize = 1900;

pub(crate) fn draft(task: Task<'_>) -> Result<String, OfflineError> {
    let plan = task.plan()?;
    let scenes = compose(&task, &plan, None)?.texts();
    Ok(render_chapter(
        task.chapter,
        &plan.title,
        &scenes,
        plan.lang,
    ))
}

/// All scenes of a chapter, as its plan of scenes divides it where there is one.
pub(crate) fn compose(
    task: &Task<'_>,
    plan: &ChapterPlan,
    stages: Option<Vec<Stage>>,
) -> Result<Scenes, OfflineError> {
    let mut composer = Composer::new(task, plan, stages)?;
    composer.tell_plan();
    composer.fill();
    composer.speak_of();
    composer.tune();
    Ok(composer.scenes)
}

/// Where a scene plays, and who is there beside the teller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stage {
    pub(crate) place: String,
    pub(crate) other: Option<String>,
}

/// The scenes a chapter has unless somebody plans others.
pub(crate) fn stages(plan: &ChapterPlan, count: usize) -> Vec<Stage> {
    let company = plan.company.len();
    (0..count)
        .map(|scene| Stage {
            place: plan.places[scene * plan.places.len() / count].clone(),
            other: (company > 0).then(|| plan.company[scene % company].clone()),
        })
        .collect()
}

/// In which of `scenes` scenes the plan's thing `at` of `things` happens: none in the first one, if
/// there are more.
pub(crate) fn home_of(at: usize, things: usize, scenes: usize) -> usize {
    let last = scenes - 1;
    (1 + at * last / things.max(1)).min(last)
}

/// The voice for a chapter; `salt` tells a later round from the first one.
pub(crate) fn voice_of(task: &Task<'_>, plan: &ChapterPlan, salt: &str) -> Voice {
    let book = task.book.config.title.as_deref().unwrap_or("novel");
    // It cannot follow a wish; what was asked for with a wish is told in other words all the same.
    let wish = task.packet.manifest.inline.get("author_notes");
    let wish = wish.and_then(Value::as_str).unwrap_or_default();
    // The further ones of several drafts are told in other words too.
    let variant = task.packet.manifest.inline.get("variant");
    let variant = variant.and_then(Value::as_str).unwrap_or_default();
    let seed = format!(
        "{}\n{}{salt}{wish}{variant}",
        plan.block.text,
        plan.contract.raw()
    );
    let number = task.chapter.get();
    let told = format!(
        "{} {}",
        plan.block.field("Time").unwrap_or_default(),
        plan.block.field("Location").unwrap_or_default()
    );
    // Without a word about it, day follows day from chapter to chapter.
    let usual = Hour::numbered(usize::try_from(number).unwrap_or_default());
    let hour = Hour::in_text(&told, usual);
    Voice::new(plan.lang, book, number, &seed, hour)
}

/// Lowest and highest wanted length, and the one to aim at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Length {
    pub(crate) aim: usize,
    pub(crate) most: usize,
}

impl Length {
    /// `part` of 100 moves the aim inside the bounds, so that chapters differ.
    pub(crate) fn of(config: &ChapterConfig, lang: Lang, part: usize) -> Self {
        let (usual_least, usual_most) = match lang {
            Lang::Zh => (1200, 1800),
            Lang::En => (700, 1000),
        };
        let number = |words: u64| usize::try_from(words).unwrap_or(usize::MAX);
        let (least, most) = match (config.min_words.map(number), config.max_words.map(number)) {
            (None, None) => (usual_least, usual_most),
            (Some(least), Some(most)) => (least, most.max(least)),
            (Some(least), None) => (least, usual_most.max(least.saturating_mul(4) / 3)),
            (None, Some(most)) => (usual_least.min(most / 2), most.min(usual_most)),
        };
        // In the middle third: the last beat may run over.
        let room = most - least;
        let aim = least + room / 3 + room / 3 * part / 100;
        Self { aim, most }
    }
}

struct Composer<'a> {
    task: &'a Task<'a>,
    plan: &'a ChapterPlan,
    voice: Voice,
    scenes: Scenes,
    stages: Vec<Stage>,
    length: Length,
    dialogue: f64,
    sentence_length: Option<f64>,
    tolerance: f64,
    recall: Option<String>,
    pronouns: Pronouns,
}

impl<'a> Composer<'a> {
    fn new(
        task: &'a Task<'a>,
        plan: &'a ChapterPlan,
        planned: Option<Vec<Stage>>,
    ) -> Result<Self, OfflineError> {
        let mut voice = voice_of(task, plan, "");
        let length = Length::of(&task.book.config.chapter, plan.lang, voice.choose(101));
        let objectives = plan.contract.get().objectives.len();
        let usual = if objectives > 2 || length.aim > LONG {
            4
        } else {
            3
        };
        let stages = planned.unwrap_or_else(|| stages(plan, usual));
        let style = task.style()?;
        let drift = Document::<StyleDrift>::load(task.book.reader, &layout::style_drift())?;
        let corrected = drift.is_some_and(|drift| drift.get().active);
        let recall = recall(task, plan)?;
        Ok(Self {
            task,
            plan,
            voice,
            scenes: Scenes(vec![Vec::new(); stages.len()]),
            stages,
            length,
            dialogue: style.dialogue_ratio.unwrap_or(DIALOGUE).clamp(0.0, 0.6),
            sentence_length: style.avg_sentence_length,
            // An active correction is obeyed more closely.
            tolerance: if corrected { 0.04 } else { 0.10 },
            recall,
            pronouns: Pronouns::load(task.book.reader, &plan.cast, plan.lang)?,
        })
    }

    fn count(&self) -> usize {
        self.scenes.0.len()
    }

    /// Everything the plan asks for, in order.
    fn tell_plan(&mut self) {
        let last = self.count() - 1;
        for scene in 0..=last {
            self.enter(scene);
            if scene == 0 {
                self.open();
            } else {
                let text = self.voice.say("scene_open", &[]);
                self.scenes.push(scene, Purpose::Colour, text);
            }
            if scene == 1 {
                self.confront(scene);
            }
            self.objectives(scene);
            self.foreshadow(scene);
        }
        self.close(last);
    }

    fn enter(&mut self, scene: usize) {
        let (plan, stage) = (self.plan, &self.stages[scene]);
        let other = stage.other.as_deref();
        self.voice
            .set_scene(&plan.pov, other, &stage.place, &plan.title);
    }

    fn open(&mut self) {
        let parts = ["opening_a", "opening_b", "opening_c"];
        let opening = self.say_all(&parts);
        self.scenes.push(0, Purpose::Pillar, opening);
        if let Some(recall) = self.recall.clone() {
            let small = self.inside(&recall);
            let slots = [("recall", small.as_str())];
            let text = self.voice.say("recall_frame", &slots);
            self.scenes.push(0, Purpose::Colour, text);
        }
        if let Some(conflict) = self.plan.field("Conflict") {
            let small = self.inside(&conflict);
            let text = self.voice.say("conflict_frame", &[("conflict", &small)]);
            self.scenes.push(0, Purpose::Plan, text);
        }
    }

    /// The conflict once more, from somebody's mouth.
    fn confront(&mut self, scene: usize) {
        let Some(conflict) = self.plan.field("Conflict") else {
            return;
        };
        let Some(other) = self.voice.other().map(str::to_owned) else {
            return;
        };
        let line = match self.plan.lang {
            Lang::Zh => conflict
                .replace(['“', '”', '「', '」'], "")
                .replace(&self.plan.pov, "你")
                .replace(&other, "我"),
            // English verbs would have to change with the person.
            Lang::En if conflict.contains(&self.plan.pov) || conflict.contains(&other) => return,
            Lang::En => conflict.replace(['“', '”', '"'], ""),
        };
        let text = self.voice.say("confront", &[("line", &line)]);
        self.scenes.push(scene, Purpose::Talk, text);
    }

    /// The objectives of this scene, each a beat of its own. The first scene has none.
    fn objectives(&mut self, scene: usize) {
        let objectives = &self.plan.contract.get().objectives;
        for (at, objective) in objectives.iter().enumerate() {
            if home_of(at, objectives.len(), self.count()) == scene {
                let beat = objective_beat(&mut self.voice, self.plan, objective);
                let purpose = if objective.required {
                    Purpose::Pillar
                } else {
                    Purpose::Plan
                };
                self.scenes.push(scene, purpose, beat);
                self.react(scene, objective);
            }
        }
    }

    /// What somebody says to it. In English the event is not repeated: verbs would have to change
    /// with the person.
    fn react(&mut self, scene: usize, objective: &Objective) {
        let Some(other) = self.voice.other().map(str::to_owned) else {
            return;
        };
        let phrase = clean(&objective.description);
        let event = match self.plan.lang {
            Lang::Zh => {
                let clauses = phrase.split(['，', '；', '：', '。']);
                // The longest says most; of equals the first.
                let longest = clauses.rev().max_by_key(|clause| count_words(clause));
                let plain = longest
                    .unwrap_or_default()
                    .replace(['“', '”', '「', '」'], "");
                plain.replace(&self.plan.pov, "你").replace(&other, "我")
            }
            Lang::En => String::new(),
        };
        let text = self.voice.say("react", &[("event", &event)]);
        self.scenes.push(scene, Purpose::Talk, text);
    }

    /// Foreshadowing stands where the reader is busy with something else: in the middle.
    fn foreshadow(&mut self, scene: usize) {
        let items = item_tasks(self.task, self.plan.contract.get());
        for (at, item) in items.iter().enumerate() {
            let tellable =
                !item.description.is_empty() && !self.plan.names_a_stranger(&item.description);
            if home_of(at, items.len(), self.count()) != scene || !tellable {
                continue;
            }
            let section = match item.action {
                ForeshadowAction::Planted => "foreshadow_plant",
                ForeshadowAction::Advanced => "foreshadow_advance",
                ForeshadowAction::Resolved => "foreshadow_resolve",
            };
            let small = self.inside(&item.description);
            let text = self.voice.say(section, &[("item", &small)]);
            self.scenes.push(scene, Purpose::Plan, text);
        }
    }

    fn close(&mut self, last: usize) {
        let mut changes = self.moves();
        if let Some(arc) = self.plan.field("Arc") {
            let small = self.inside(&arc);
            changes.push(self.voice.say("arc_frame", &[("arc", &small)]));
        }
        let changes = changes.join(self.between());
        self.scenes.push(last, Purpose::Colour, changes);
        if let Some(bridge) = self.bridge() {
            let small = self.inside(&bridge);
            let text = self.voice.say("bridge_frame", &[("bridge", &small)]);
            self.scenes.push(last, Purpose::Colour, text);
        }
        let ending = self.say_all(&["ending_a", "ending_b", "ending_c"]);
        self.scenes.push(last, Purpose::Pillar, ending);
    }

    /// Where people end up and how they feel, as far as the chapter changes it.
    fn moves(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        let contract = self.plan.contract.get();
        let before = contract.preconditions.character_states.as_ref();
        for (name, changes) in &contract.postconditions.state_changes {
            let known = self.plan.cast.named(name).is_some();
            let earlier = before.and_then(|states| states.get(name));
            for (key, section) in [
                ("location", "move_frame"),
                ("emotional_state", "mood_frame"),
            ] {
                let value = changes.get(key).and_then(Value::as_str).map(clean);
                let Some(value) = value.filter(|value| known && !value.is_empty()) else {
                    continue;
                };
                let same = earlier
                    .and_then(|state| state.get(key))
                    .and_then(Value::as_str);
                // Where the last scene plays has been told.
                let here = key == "location" && self.plan.places.last() == Some(&value);
                if here || same.is_some_and(|same| clean(same) == value) {
                    continue;
                }
                let value = self.inside(&value);
                let slots = [("name", name.as_str()), ("value", value.as_str())];
                told.push(self.voice.say(section, &slots));
            }
        }
        told
    }

    /// The hint for the next chapter, unless it would tell what this line cannot know.
    fn bridge(&self) -> Option<String> {
        let hint = self.plan.contract.get().transition_hint.as_ref()?;
        let bridge = clean(hint.bridge.as_deref()?);
        let open = self.plan.convergence || !self.plan.names_an_absentee(&bridge);
        (!bridge.is_empty() && open).then_some(bridge)
    }

    /// A plan's phrase for the middle of a sentence.
    fn inside(&self, phrase: &str) -> String {
        match self.plan.lang {
            Lang::Zh => phrase.to_owned(),
            Lang::En => lower_first(phrase),
        }
    }

    fn say_all(&mut self, sections: &[&str]) -> String {
        let parts: Vec<String> = sections
            .iter()
            .map(|section| self.voice.say(section, &[]))
            .collect();
        parts.join(self.between())
    }

    /// What stands between two sentences.
    const fn between(&self) -> &'static str {
        match self.plan.lang {
            Lang::Zh => "",
            Lang::En => " ",
        }
    }

    /// Beats of talk and narration between the paragraphs of the plan, until the aim is reached.
    fn fill(&mut self) {
        self.scenes.shorten(self.length.most);
        let metrics = self.scenes.metrics();
        let (mut words, mut spoken) = (metrics.words, metrics.dialogue_words);
        let mut gaps = Gaps::of(&self.scenes);
        let mut beat = 0;
        while words < self.length.aim && !gaps.is_empty() {
            let gap = beat % gaps.len();
            self.enter(gaps.scene(gap));
            let short_of_talk = crate::prose::ratio(spoken, words) < self.dialogue;
            let paragraph = if short_of_talk && !gaps.ends_in_talk(gap) {
                let section = if self.voice.has_company() {
                    "dialogue"
                } else {
                    "solo"
                };
                Paragraph {
                    text: self.voice.say(section, &[]),
                    purpose: Purpose::Talk,
                }
            } else {
                self.narrate(beat)
            };
            let measured = measure(&paragraph.text);
            beat += 1;
            if measured.words == 0 || words + measured.words > self.length.most {
                break;
            }
            words += measured.words;
            spoken += measured.dialogue_words;
            gaps.add(gap, paragraph);
        }
        gaps.weave(&mut self.scenes);
    }

    /// A paragraph of two or three beats.
    fn narrate(&mut self, beat: usize) -> Paragraph {
        const MIXES: [&[&str]; 5] = [
            &["sense", "action"],
            &["action", "inner"],
            &["action", "sense", "inner"],
            &["inner", "action"],
            &["action", "action"],
        ];
        let text = self.say_all(MIXES[beat % MIXES.len()]);
        Paragraph {
            text,
            purpose: Purpose::Filler,
        }
    }

    /// Pronouns for whoever was just named.
    fn speak_of(&mut self) {
        for scene in &mut self.scenes.0 {
            self.pronouns.in_scene(scene);
        }
    }

    fn tune(&mut self) {
        if let Some(target) = self.sentence_length.filter(|target| *target > 0.0) {
            self.scenes.retune(self.plan.lang, target, self.tolerance);
        }
    }
}
