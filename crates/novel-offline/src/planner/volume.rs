//! The plan of a volume: lines take turns, places and moods join from chapter to chapter, what is
//! planted is resolved, and the first two lines meet.

use std::collections::{BTreeMap, BTreeSet};

use novel_book::context::Cast;
use novel_model::{
    ChapterNo, Document, Lang, VolumeNo,
    files::{
        ForeshadowAction, Intensity, ObjectiveDraft, PersonState, PlanAnswer, PlannedChapter,
        PlannedConvergence, SeedUpdate, StoryState, WorldRules,
    },
    layout,
};
use novel_story::plan::Outlook;

use super::{
    Task,
    lines::{Line, Stage},
    seeds::{Course, Seeds, Touch},
    words::Words,
};
use crate::OfflineError;

/// From this length on the lines meet in two chapters.
const TWO_MEETINGS: usize = 6;

pub(super) fn plan(task: Task<'_>) -> Result<PlanAnswer, OfflineError> {
    let (first, last) = (task.number("first_chapter")?, task.number("last_chapter")?);
    let end = task.number("volume_last_chapter")?;
    // A later chunk is a part of the same plan, which starts where the first chunk did.
    let begun = task.packet.manifest.inline.get("planned_so_far");
    let begun = begun.and_then(|plan| plan.pointer("/chapters/0/chapter")?.as_u64());
    let begin = begun
        .and_then(|number| u32::try_from(number).ok())
        .unwrap_or(first);
    let mut answer = Volume::new(task, begin, end)?.answer();
    answer
        .chapters
        .retain(|entry| (first..=last).contains(&entry.chapter.get()));
    if task.is_trial() {
        // What comes after the trial is planned with its volume.
        answer
            .foreshadowing
            .retain(|seed| seed.planted_chapter.get() <= last);
    }
    Ok(answer)
}

/// A volume under construction.
struct Volume {
    lang: Lang,
    words: Words,
    begin: u32,
    end: u32,
    stage: Stage,
    /// The line of each chapter.
    turns: Vec<usize>,
    /// Chapters in which the first two lines meet, counted from zero.
    meeting: Vec<usize>,
    seeds: Seeds,
    rules: Vec<String>,
    place: BTreeMap<String, String>,
    mood: BTreeMap<String, String>,
    titles: BTreeSet<String>,
}

impl Volume {
    fn new(task: Task<'_>, begin: u32, end: u32) -> Result<Self, OfflineError> {
        let words = task.words()?;
        let length = end.saturating_sub(begin) + 1;
        let stage = Stage::of(task, &words, length)?;
        let count = usize::try_from(length).unwrap_or(usize::MAX);
        let meeting = meeting(count, stage.lines.len());
        let turns = turns(count, stage.lines.len(), &meeting);
        let course = Course {
            lines: stage
                .lines
                .iter()
                .enumerate()
                .map(|(at, line)| {
                    let own = (begin..).zip(&turns).filter(|(_, turn)| **turn == at);
                    (&line.planned.id, own.map(|(chapter, _)| chapter).collect())
                })
                .collect(),
            last: end,
            length,
        };
        let reader = task.book.reader;
        let number = task.number("volume")?;
        let (number, first) = (VolumeNo::new(number), ChapterNo::new(begin));
        let (Some(number), Some(first)) = (number, first) else {
            return Err(OfflineError::PacketField { field: "volume" });
        };
        let outlook = Outlook::load(reader, number, first)?;
        let seeds = Seeds::of(task, &words, &course, &outlook.foreshadowing.foreshadowing);
        let rules = Document::<WorldRules>::load(reader, &layout::world_rules())?;
        let rules = rules
            .map(|rules| rules.into_value().rules)
            .unwrap_or_default();
        let mut volume = Self {
            lang: task.lang(),
            begin,
            end,
            turns,
            meeting,
            seeds,
            rules: rules.into_iter().map(|rule| rule.id).collect(),
            place: BTreeMap::new(),
            mood: BTreeMap::new(),
            titles: BTreeSet::new(),
            stage,
            words,
        };
        volume.remember(&Cast::load(reader)?, &outlook.state);
        Ok(volume)
    }

    /// Everybody is where the state has them; who is nowhere yet gets a place.
    fn remember(&mut self, cast: &Cast, state: &StoryState) {
        for (slug, member) in cast.members() {
            let name = member.character.display_name.trim().to_owned();
            let record = state.characters.get(slug.as_str());
            let said = |key: &str| record.and_then(|record| record.get(key)?.as_str());
            if let Some(place) = said("location") {
                self.place.insert(name.clone(), place.to_owned());
            }
            if let Some(mood) = said("emotional_state") {
                self.mood.insert(name, mood.to_owned());
            }
        }
        let places = self.words.places();
        for (at, line) in self.stage.lines.iter().enumerate() {
            let start =
                places[(usize::try_from(self.begin).unwrap_or_default() + 4 * at) % places.len()];
            for name in [&line.lead, &line.other] {
                self.place
                    .entry(name.clone())
                    .or_insert_with(|| start.to_owned());
                let mood = self.words.pick("mood", at);
                self.mood
                    .entry(name.clone())
                    .or_insert_with(|| mood.to_owned());
            }
        }
    }

    fn answer(mut self) -> PlanAnswer {
        let chapters = (0..self.turns.len()).map(|at| self.chapter(at)).collect();
        let main = &self.stage.lines[0];
        let hero = main.lead.clone();
        let places = self.words.places();
        let number = usize::try_from(self.end).unwrap_or_default();
        let title = self.words.say(
            "volume",
            0,
            &[
                ("place", places[number % places.len()]),
                ("thing", self.words.pick("thing", number)),
            ],
        );
        let (first, last) = (self.begin.to_string(), self.end.to_string());
        let slots = [
            ("first", first.as_str()),
            ("last", last.as_str()),
            ("hero", hero.as_str()),
        ];
        PlanAnswer {
            title,
            premise: self.words.say("premise", 0, &slots),
            convergences: self.convergence().into_iter().collect(),
            storylines: self
                .stage
                .lines
                .into_iter()
                .map(|line| line.planned)
                .collect(),
            dormant_storylines: self.stage.dormant,
            foreshadowing: self.seeds.planned,
            new_characters: self.stage.new,
            chapters,
        }
    }

    fn convergence(&self) -> Option<PlannedConvergence> {
        let number = |at: usize| ChapterNo::new(self.begin + u32::try_from(at).ok()?);
        let (main, side) = (self.stage.lines.first()?, self.stage.lines.get(1)?);
        let places = self.words.places();
        let place = places[self.turns.len() % places.len()];
        let slots = [
            ("lead", main.lead.as_str()),
            ("ally", side.lead.as_str()),
            ("place", place),
        ];
        Some(PlannedConvergence {
            first_chapter: number(*self.meeting.first()?)?,
            last_chapter: number(*self.meeting.last()?)?,
            storylines: vec![main.planned.id.clone(), side.planned.id.clone()],
            trigger: self.words.say("trigger", 0, &slots),
            aftermath: self.words.say("aftermath", 0, &slots),
        })
    }

    fn chapter(&mut self, at: usize) -> PlannedChapter {
        let turn = self.turns[at];
        let line = &self.stage.lines[turn];
        let number = self.begin + u32::try_from(at).unwrap_or_default();
        let index = usize::try_from(number).unwrap_or_default();
        let meets = self.meeting.contains(&at);
        let ally = self
            .stage
            .lines
            .get(usize::from(turn == 0))
            .filter(|_| meets);
        let people = people(line, ally);
        let from = self.place.get(&line.lead).cloned().unwrap_or_default();
        let to = self.next_place(index + 3 * turn, &from);
        let (was, mood) = (
            self.mood[&line.lead].clone(),
            self.words.pick("mood", index + 5 * turn),
        );
        let faction = self.words.pick("faction", index + turn);
        let clue = self.words.pick("clue", index + 7 * turn);
        let ally_name = ally.map(|ally| ally.lead.as_str()).unwrap_or_default();
        let slots = [
            ("lead", line.lead.as_str()),
            ("other", line.other.as_str()),
            ("ally", ally_name),
            ("from", from.as_str()),
            ("to", to.as_str()),
            ("faction", faction),
            ("clue", clue),
            ("was", was.as_str()),
            ("mood", mood),
        ];
        let touches = self.seeds.touches.get(&number).cloned().unwrap_or_default();
        let told = |section: &str, index: usize| self.words.say(section, index, &slots);
        let objectives = self.objectives(at, &slots, ally.is_some(), &touches);
        let conflict = if ally.is_some() {
            told("conflict_meet", 0)
        } else {
            told("conflict", index + turn)
        };
        let before = people.iter().map(|name| self.state_of(name)).collect();
        let (arc, transition) = (told("inner", index), told("transition", index + 2 * turn));
        let acceptance = vec![told("accept", index)];
        let (lead, storyline_id) = (line.lead.clone(), line.planned.id.clone());
        let title = self.title(&to, index);
        for (offset, name) in people.iter().enumerate() {
            let mood = self.words.pick("mood", index + 5 * turn + offset);
            self.place.insert(name.clone(), to.clone());
            self.mood.insert(name.clone(), mood.to_owned());
        }
        PlannedChapter {
            chapter: ChapterNo::new(number).unwrap_or(ChapterNo::first()),
            title,
            storyline_id,
            pov: lead,
            time: Some(self.time(number, at)),
            location: format!("{from} → {to}"),
            conflict,
            arc,
            before,
            objectives,
            after: people.iter().map(|name| self.state_of(name)).collect(),
            foreshadowing: touches
                .iter()
                .map(|touch| SeedUpdate {
                    id: touch.id.clone(),
                    action: touch.action,
                })
                .collect(),
            required_world_rules: self.rule(index).into_iter().collect(),
            acceptance_criteria: acceptance,
            transition,
            intensity: Some(self.intensity(at)),
            scene_goals: Vec::new(),
            payoff: None,
        }
    }

    /// Where lines meet and where a volume ends most is at stake; after that there is a rest.
    fn intensity(&self, at: usize) -> Intensity {
        let last = self.turns.len() - 1;
        let rests = at > 0 && self.meeting.contains(&(at - 1));
        if self.meeting.contains(&at) || at == last {
            Intensity::High
        } else if rests {
            Intensity::Low
        } else {
            Intensity::Medium
        }
    }

    /// A first event by how far the line is, a second that brings people to the next place, and one
    /// for each thing planted or resolved.
    fn objectives(
        &self,
        at: usize,
        slots: &[(&str, &str)],
        meets: bool,
        touches: &[Touch],
    ) -> Vec<ObjectiveDraft> {
        let turn = self.turns[at];
        let own = |turns: &[usize]| turns.iter().filter(|other| **other == turn).count();
        let (done, all) = (own(&self.turns[..at]), own(&self.turns));
        let plot = |description: String| ObjectiveDraft {
            kind: "plot".to_owned(),
            required: true,
            description,
        };
        let variant = at + turn;
        let mut events = Vec::new();
        if meets {
            let which = usize::from(self.meeting.first() != Some(&at));
            events.push(plot(self.words.say("meet", which, slots)));
        } else {
            const PHASES: [&str; 4] = ["setup", "probe", "turn", "pay"];
            let phase = PHASES[done * PHASES.len() / all.max(1)];
            events.push(plot(self.words.say(phase, variant, slots)));
        }
        events.push(plot(self.words.say("together", variant, slots)));
        for touch in touches {
            let section = match touch.action {
                ForeshadowAction::Planted => "plant",
                ForeshadowAction::Advanced => "advance",
                ForeshadowAction::Resolved => "resolve",
            };
            let mut slots = slots.to_vec();
            slots.push(("item", touch.description.as_str()));
            events.push(ObjectiveDraft {
                kind: "foreshadowing".to_owned(),
                required: true,
                description: self.words.say(section, variant, &slots),
            });
        }
        events
    }

    fn next_place(&self, index: usize, from: &str) -> String {
        let places = self.words.places();
        let place = places[(index * 5) % places.len()];
        if place == from {
            places[(index * 5 + 1) % places.len()].to_owned()
        } else {
            place.to_owned()
        }
    }

    /// A title no other chapter of the volume has.
    fn title(&mut self, place: &str, index: usize) -> String {
        let things = self.words.all("thing").len();
        let title = (0..things)
            .map(|step| {
                let thing = self.words.pick("thing", index + step);
                self.words
                    .say("volume", 0, &[("place", place), ("thing", thing)])
            })
            .find(|title| !self.titles.contains(title));
        let title = title.unwrap_or_else(|| format!("{place} {index}"));
        self.titles.insert(title.clone());
        title
    }

    fn time(&self, number: u32, at: usize) -> String {
        let hour = self.words.pick("hour", at);
        match self.lang {
            Lang::Zh => format!("第 {number} 日，{hour}"),
            Lang::En => format!("Day {number}, {hour}"),
        }
    }

    fn rule(&self, index: usize) -> Option<String> {
        self.rules.get(index % self.rules.len().max(1)).cloned()
    }

    fn state_of(&self, name: &str) -> PersonState {
        PersonState {
            character: name.to_owned(),
            location: self.place.get(name).cloned(),
            emotional_state: self.mood.get(name).cloned(),
            ..PersonState::default()
        }
    }
}

fn people(line: &Line, ally: Option<&Line>) -> Vec<String> {
    let mut people = vec![line.lead.clone(), line.other.clone()];
    people.extend(
        ally.into_iter()
            .flat_map(|ally| [ally.lead.clone(), ally.other.clone()]),
    );
    people
}

/// Where the first two lines meet: after three quarters, or at the end of a short volume.
fn meeting(count: usize, lines: usize) -> Vec<usize> {
    if lines < 2 || count == 0 {
        return Vec::new();
    }
    if count < TWO_MEETINGS {
        return vec![count - 1];
    }
    let first = 3 * (count - 1) / 4;
    vec![first, first + 1]
}

/// Whose turn it is: the main line begins, ends and comes most often.
fn turns(count: usize, lines: usize, meeting: &[usize]) -> Vec<usize> {
    let pattern: &[usize] = match (lines, count) {
        (0 | 1, _) => &[0],
        (2, ..TWO_MEETINGS) => &[0, 1],
        (2, _) => &[0, 0, 1],
        _ => &[0, 0, 1, 0, 2],
    };
    let mut turns: Vec<usize> = (0..count).map(|at| pattern[at % pattern.len()]).collect();
    if let [first, second] = meeting {
        turns[*first] = 0;
        turns[*second] = 1;
    }
    for end in [0, count.saturating_sub(1)] {
        if let Some(turn) = turns.get_mut(end) {
            *turn = 0;
        }
    }
    turns
}
