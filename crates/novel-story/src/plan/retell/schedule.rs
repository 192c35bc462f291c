//! The storyline schedule of a volume, brought into agreement with what was written.
//!
//! Who is on stage and how lines alternate follow from the chapters, written or planned; a meeting inside
//! the written chapters stays where the text bears it out, and one the text tells is added.

use std::collections::BTreeMap;

use novel_model::{
    ChapterNo, Slug,
    files::{
        ActiveStoryline, ConvergenceEvent, Storyline, StorylineSchedule, ToldChapter, ToldFrom,
        ToldMeeting, VolumeRole,
    },
};
use novel_text::{is_named_in, sentences};
use serde_json::json;

/// What is known of the chapters of a volume.
pub(super) struct Stage<'a> {
    /// The line of every chapter, written or planned.
    pub(super) lines: &'a BTreeMap<ChapterNo, Slug>,
    /// The chapters that were told again.
    pub(super) told: &'a [ToldChapter],
    /// Their texts.
    pub(super) texts: &'a BTreeMap<ChapterNo, String>,
    /// The storylines of the book.
    pub(super) known: &'a [Storyline],
}

/// The schedule, and the passages that bear out meetings it keeps.
pub(super) fn agreed(
    mut schedule: StorylineSchedule,
    stage: &Stage<'_>,
) -> (StorylineSchedule, Vec<(ChapterNo, ToldFrom)>) {
    let mut proofs = Vec::new();
    on_stage(&mut schedule, stage);
    rhythm(&mut schedule, stage);
    schedule
        .convergence_events
        .retain(|event| match stage.bears_out(event) {
            Borne::NotTold => true,
            Borne::Out(proof) => {
                proofs.extend(proof);
                true
            }
            Borne::Not => false,
        });
    for (chapter, line, meeting) in stage.meetings() {
        add(
            &mut schedule.convergence_events,
            chapter,
            [line, &meeting.storyline],
            meeting,
        );
    }
    schedule
        .convergence_events
        .sort_by_key(|event| event.chapter_range);
    (schedule, proofs)
}

fn on_stage(schedule: &mut StorylineSchedule, stage: &Stage<'_>) {
    let has_chapter = |id: &Slug| stage.lines.values().any(|line| line == id);
    let (stays, leaves): (Vec<_>, Vec<_>) = schedule
        .active_storylines
        .drain(..)
        .partition(|line| has_chapter(&line.storyline_id));
    schedule.active_storylines = stays;
    for line in leaves {
        let id = line.storyline_id;
        if stage.is_known(&id) && !schedule.dormant_storylines.contains(&id) {
            schedule.dormant_storylines.push(id);
        }
    }
    for id in stage.lines.values() {
        let active = &schedule.active_storylines;
        if active.iter().any(|line| line.storyline_id == *id) {
            continue;
        }
        let primary = |line: &ActiveStoryline| line.volume_role == Some(VolumeRole::Primary);
        let is_main = stage
            .known
            .iter()
            .any(|line| line.id == *id && line.kind == "main_arc");
        let role = match is_main && !active.iter().any(primary) {
            true => VolumeRole::Primary,
            false => VolumeRole::Secondary,
        };
        schedule.active_storylines.push(ActiveStoryline {
            storyline_id: id.clone(),
            volume_role: Some(role),
        });
    }
    schedule.dormant_storylines.retain(|id| !has_chapter(id));
}

/// What the plan allowed is widened where the chapters went beyond it.
fn rhythm(schedule: &mut StorylineSchedule, stage: &Stage<'_>) {
    let places = |id: &Slug| -> Vec<u32> {
        let of_line = stage.lines.iter().filter(|(_, line)| *line == id);
        of_line.map(|(chapter, _)| chapter.get()).collect()
    };
    let of_role = |role: VolumeRole| {
        let lines = schedule.active_storylines.iter();
        lines.filter(move |line| line.volume_role == Some(role))
    };
    let run = of_role(VolumeRole::Primary)
        .map(|line| longest_run(&places(&line.storyline_id)))
        .max();
    let gap = of_role(VolumeRole::Secondary)
        .flat_map(|line| {
            let places = places(&line.storyline_id);
            let gaps: Vec<u32> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
            gaps
        })
        .max();
    let pattern = &mut schedule.interleaving_pattern;
    let allowed = pattern
        .get("primary_max_consecutive")
        .and_then(serde_json::Value::as_u64);
    if let Some(run) = run.filter(|run| allowed.is_none_or(|most| u64::from(*run) > most)) {
        pattern.insert("primary_max_consecutive".to_owned(), json!(run));
    }
    let every = pattern
        .get("secondary_min_appearance")
        .and_then(|text| text.as_str()?.strip_prefix("every_"))
        .and_then(|text| text.strip_suffix("_chapters")?.parse::<u32>().ok());
    if let Some(gap) = gap.filter(|gap| every.is_none_or(|most| *gap > most)) {
        let words = format!("every_{gap}_chapters");
        pattern.insert("secondary_min_appearance".to_owned(), json!(words));
    }
}

fn longest_run(places: &[u32]) -> u32 {
    let (mut run, mut longest) = (0, 0);
    for (at, place) in places.iter().enumerate() {
        run = match at > 0 && places[at - 1] + 1 == *place {
            true => run + 1,
            false => 1,
        };
        longest = longest.max(run);
    }
    longest
}

/// Whether what was written has a meeting.
enum Borne {
    /// It reaches beyond the chapters that were told.
    NotTold,
    /// It does, with the passage of a chapter where one proves it.
    Out(Option<(ChapterNo, ToldFrom)>),
    /// It does not.
    Not,
}

impl Stage<'_> {
    fn is_known(&self, id: &Slug) -> bool {
        self.known.iter().any(|line| line.id == *id)
    }

    fn told(&self, chapter: ChapterNo) -> Option<&ToldChapter> {
        self.told.iter().find(|told| told.chapter == chapter)
    }

    /// Meetings of other lines, by chapter and its own line.
    fn meetings(&self) -> impl Iterator<Item = (ChapterNo, &Slug, &ToldMeeting)> {
        self.told.iter().flat_map(|told| {
            let line = self.lines.get(&told.chapter);
            let others = told.meetings.iter();
            others.filter_map(move |meeting| {
                let line = line.filter(|line| **line != meeting.storyline)?;
                Some((told.chapter, line, meeting))
            })
        })
    }

    fn bears_out(&self, event: &ConvergenceEvent) -> Borne {
        let Some((first, last)) = event.chapter_range else {
            return Borne::NotTold;
        };
        let chapters: Vec<ChapterNo> = (first.get()..=last.get())
            .filter_map(ChapterNo::new)
            .collect();
        if chapters.iter().any(|chapter| self.told(*chapter).is_none()) {
            return Borne::NotTold;
        }
        let involved = |id: &Slug| event.involved_storylines.contains(id);
        let said = self.meetings().any(|(chapter, line, meeting)| {
            chapters.contains(&chapter) && involved(line) && involved(&meeting.storyline)
        });
        if said {
            return Borne::Out(None);
        }
        let mut can_tell = false;
        for chapter in chapters {
            let Some(line) = self.lines.get(&chapter).filter(|line| involved(line)) else {
                continue;
            };
            for other in self.known {
                let is_other = other.id != *line && involved(&other.id);
                if !is_other || other.pov_characters.is_empty() {
                    continue;
                }
                can_tell = true;
                if let Some(sentence) = self.sentence_naming(chapter, &other.pov_characters) {
                    let of = other.id.to_string();
                    let quotation = sentence.to_owned();
                    return Borne::Out(Some((chapter, ToldFrom { of, quotation })));
                }
            }
        }
        // Of lines nobody tells, nobody could be named.
        let has_tellers = |id: &Slug| {
            let mut lines = self.known.iter();
            lines.any(|line| line.id == *id && !line.pov_characters.is_empty())
        };
        match can_tell || event.involved_storylines.iter().all(has_tellers) {
            true => Borne::Not,
            false => Borne::Out(None),
        }
    }

    fn sentence_naming(&self, chapter: ChapterNo, names: &[String]) -> Option<&str> {
        let text = self.texts.get(&chapter)?;
        sentences(text)
            .into_iter()
            .map(str::trim)
            .find(|sentence| names.iter().any(|name| is_named_in(sentence, name.trim())))
    }
}

/// A meeting in one more chapter: part of one that is there, or of its own.
fn add(
    events: &mut Vec<ConvergenceEvent>,
    chapter: ChapterNo,
    lines: [&Slug; 2],
    meeting: &ToldMeeting,
) {
    let of_these = |event: &ConvergenceEvent| {
        lines
            .iter()
            .all(|line| event.involved_storylines.contains(line))
    };
    let near = |event: &ConvergenceEvent| {
        event.chapter_range.is_some_and(|(first, last)| {
            first.get() <= chapter.get() + 1 && chapter.get() <= last.get() + 1
        })
    };
    match events
        .iter_mut()
        .find(|event| of_these(event) && near(event))
    {
        Some(event) => {
            event.chapter_range = event
                .chapter_range
                .map(|(first, last)| (first.min(chapter), last.max(chapter)));
        }
        None => events.push(ConvergenceEvent {
            chapter_range: Some((chapter, chapter)),
            involved_storylines: lines.map(Clone::clone).to_vec(),
            trigger: Some(meeting.trigger.clone()).filter(|text| !text.is_empty()),
            aftermath: None,
        }),
    }
}
