//! Books set up and planned by the offline author.

use std::collections::BTreeSet;

use novel_book::recall::Digests;
use novel_book::{
    config::{Config, PlanMaterial},
    context::Cast,
};
use novel_model::{
    ChapterNo, Document, Format, Lang, StepId, VolumeNo,
    files::{
        CastAnswer, Checkpoint, ForeshadowAction, ForeshadowItem, Foreshadowing, OrchestratorState,
        PersonState, PlanAnswer, PlanDraft, SeedUpdate, StoryState, Storylines, StyleAnswer,
        WorldAnswer,
    },
    layout, to_json_text,
};
use novel_offline::{OfflineBook, answer};
use novel_prompt::packet::{self, BookFiles, Request};
use novel_story::{
    plan::{
        self, Existing, PlanSpan,
        check::{Extent, PlanOf, check_plan},
    },
    styles::StyleChoice,
};
use novel_testkit::memory::MemoryBook;
use proptest::prelude::*;
use serde_json::json;

struct Desk {
    book: MemoryBook,
    config: Config,
    checkpoint: Checkpoint,
    wording: Wording,
}

/// How much a plan says.
#[derive(Clone, Copy, PartialEq)]
enum Wording {
    Whole,
    /// Only what the form of an agent's answer asks for; the program adds the rest.
    Completed,
}

impl Desk {
    fn new(lang: Lang, brief: &str, chapters: u32, chunk: u32) -> Self {
        let tag = match lang {
            Lang::Zh => "zh-CN",
            Lang::En => "en",
        };
        let toml = format!(
            "title = \"trial\"\nlanguage = \"{tag}\"\n[plan]\nchapters = {chapters}\nchunk = {chunk}\n"
        );
        let (config, warnings) = Config::parse(&toml).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        Self {
            book: MemoryBook::new()
                .with("brief.md", brief)
                .with("style-profile.json", "{}\n"),
            config,
            checkpoint: Checkpoint::new(OrchestratorState::QuickStart),
            wording: Wording::Whole,
        }
    }

    /// The plan as `wording` has it.
    fn change(&self, mut answer: PlanAnswer) -> PlanAnswer {
        if self.wording == Wording::Whole {
            return answer;
        }
        for entry in &mut answer.chapters {
            for person in &mut entry.before {
                *person = PersonState {
                    character: person.character.clone(),
                    ..PersonState::default()
                };
            }
            let planted = |update: &SeedUpdate| update.action == ForeshadowAction::Planted;
            entry.foreshadowing.retain(|update| !planted(update));
        }
        let cast = Cast::load(&self.book).unwrap();
        let state = Document::<StoryState>::load(&self.book, &layout::state()).unwrap();
        let state = state.map_or_else(StoryState::initial, Document::into_value);
        plan::completed(answer, &cast, &state)
    }

    fn ask<T: Format>(&self, step: &str) -> T {
        let step: StepId = step.parse().unwrap();
        let book = BookFiles {
            reader: &self.book,
            config: &self.config,
            checkpoint: &self.checkpoint,
            digests: &Digests::default(),
        };
        let packet = packet::build(book, Request::new(step)).unwrap();
        let book = OfflineBook {
            reader: &self.book,
            config: &self.config,
        };
        let text = answer(book, &packet).unwrap();
        let path = "answer.json".parse().unwrap();
        Document::<T>::parse(&path, &text).unwrap().into_value()
    }

    fn write(&mut self, files: plan::Files) {
        for (path, text) in files {
            self.book.write(path, text);
        }
    }

    fn set_up(&mut self) {
        let lang = self.config.lang();
        let world: WorldAnswer = self.ask("quickstart:world");
        assert_eq!(plan::check_world(&world), []);
        self.write(plan::world_files(&world, lang));
        let cast: CastAnswer = self.ask("quickstart:characters");
        assert_eq!(plan::check_cast(&cast), []);
        let lines = Document::<Storylines>::load(&self.book, &layout::storylines()).unwrap();
        let files = plan::cast_files(&cast, ChapterNo::first(), lines.as_ref());
        self.write(files);
        let style: StyleAnswer = self.ask("quickstart:style");
        let choice = StyleChoice::of(&self.book, &self.config.style, lang).unwrap();
        let profile = choice.profile(&style);
        assert!(profile.avg_sentence_length.is_some());
        self.book
            .write(layout::style_profile(), to_json_text(&profile));
    }

    /// Plans a volume, chunk after chunk; the plan is in place afterwards.
    fn plan(&mut self, volume: VolumeNo) -> PlanAnswer {
        let next = self.checkpoint.next_chapter();
        loop {
            let span = PlanSpan::of(&self.book, volume, next, &self.config.plan).unwrap();
            let chunk: PlanAnswer = self.ask(&format!("volume:{volume}:plan"));
            assert_eq!(plan::check_answer(&chunk, &span, volume), []);
            let answer = match &span.draft {
                Some(draft) => plan::merged(draft.plan.clone(), chunk),
                None => chunk,
            };
            let existing = Existing::load(&self.book, volume, next).unwrap();
            let material = self.config.plan.material;
            let strange = plan::check_material(&answer, &existing, volume, material);
            assert_eq!(strange, []);
            let answer = self.change(answer);
            let files = plan::volume_files(&answer, &existing, volume, self.config.lang());
            let whole = span.last == span.volume_last;
            let mut shown = MemoryBook::new();
            for (path, bytes) in self.book.files() {
                shown.write(path.clone(), bytes.clone());
            }
            for (path, text) in &files {
                shown.write(path.clone(), text.clone());
            }
            let of = PlanOf {
                volume,
                volume_first: span.volume_first,
                first: span.plan_first,
                extent: if whole { Extent::Whole } else { Extent::Begun },
                lang: self.config.lang(),
            };
            let findings = check_plan(&shown, of).findings;
            assert_eq!(findings.problems, []);
            assert_eq!(findings.warnings, []);
            if whole {
                self.book.remove(&layout::plan_draft(volume));
                self.write(files);
                for person in &answer.new_characters {
                    self.write(plan::character_files(person, next));
                }
                return answer;
            }
            let draft = PlanDraft {
                first_chapter: next,
                last_chapter: span.volume_last,
                plan: answer,
                woven: false,
            };
            self.book
                .write(layout::plan_draft(volume), to_json_text(&draft));
        }
    }
}

impl Desk {
    /// Removes the files of a volume.
    fn forget(&mut self, volume: VolumeNo) {
        let directory = layout::volume_dir(volume);
        let files = self.book.files().keys();
        let files: Vec<_> = files.filter(|path| path.is_under(&directory)).collect();
        for path in files.into_iter().cloned().collect::<Vec<_>>() {
            self.book.remove(&path);
        }
    }

    /// State and foreshadowing as they are after every chapter of a plan was written to the letter.
    fn live(&mut self, plan: &PlanAnswer) {
        let cast = Cast::load(&self.book).unwrap();
        let mut state = Document::<StoryState>::load(&self.book, &layout::state())
            .unwrap()
            .map_or_else(StoryState::initial, Document::into_value);
        let mut facts = Document::<Foreshadowing>::load(&self.book, &layout::foreshadowing())
            .unwrap()
            .map(Document::into_value)
            .unwrap_or_default();
        for entry in &plan.chapters {
            for person in &entry.after {
                let id = cast.named(&person.character).unwrap().to_string();
                let record = json!({"display_name": person.character, "location": person.location,
                    "emotional_state": person.emotional_state});
                state.characters.insert(id, record);
            }
            for update in &entry.foreshadowing {
                match facts
                    .foreshadowing
                    .iter_mut()
                    .find(|item| item.id == update.id)
                {
                    Some(item) => item.status = update.action,
                    None => {
                        let seed = plan.foreshadowing.iter().find(|seed| seed.id == update.id);
                        let seed = seed.unwrap();
                        facts.foreshadowing.push(ForeshadowItem {
                            id: seed.id.clone(),
                            description: seed.description.clone(),
                            scope: Some(seed.scope),
                            status: update.action,
                            planted_chapter: Some(entry.chapter),
                            planted_storyline: Some(entry.storyline_id.clone()),
                            target_resolve_range: Some((seed.resolve_from, seed.resolve_to)),
                            last_updated_chapter: Some(entry.chapter),
                            history: Vec::new(),
                        });
                    }
                }
            }
            self.checkpoint.last_completed_chapter = entry.chapter.get();
        }
        self.book.write(layout::state(), to_json_text(&state));
        self.book
            .write(layout::foreshadowing(), to_json_text(&facts));
    }
}

/// A book whose first volume has so many chapters, set up and planned here.
pub(crate) fn planned(lang: Lang, brief: &str, chapters: u32) -> MemoryBook {
    let mut desk = Desk::new(lang, brief, chapters, chapters);
    desk.set_up();
    desk.plan(VolumeNo::first());
    let tag = match lang {
        Lang::Zh => "zh-CN",
        Lang::En => "en",
    };
    desk.book.with(
        "novel.toml",
        format!("title = \"trial\"\nlanguage = \"{tag}\"\n"),
    )
}

const BRIEFS: [(Lang, &str); 4] = [
    (
        Lang::Zh,
        "# 书\n\n- 题材：悬疑\n- 主角：林枫，守塔人\n- 核心冲突：查出寄信人\n",
    ),
    (Lang::Zh, "# 书\n\n- 题材：仙侠\n"),
    (
        Lang::En,
        "# Book\n\n- Genre: science fiction\n- Protagonist: Hale, a keeper\n",
    ),
    (Lang::En, "a book without any answer\n"),
];

#[test]
fn the_brief_is_heard() {
    let mut desk = Desk::new(BRIEFS[0].0, BRIEFS[0].1, 3, 10);
    desk.set_up();
    let lines = Document::<Storylines>::load(&desk.book, &layout::storylines());
    let lines = lines.unwrap().unwrap().into_value().storylines;
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].kind, "main_arc");
    assert_eq!(lines[0].pov_characters, ["林枫"]);
    assert_eq!(lines[0].description.as_deref(), Some("林枫：查出寄信人"));
    let plan = desk.plan(VolumeNo::first());
    assert!(plan.premise.contains("不是语言模型"));
    assert!(plan.chapters.iter().any(|entry| entry.pov == "林枫"));
}

#[test]
fn a_volume_of_thirty_has_three_lines_a_meeting_and_foreshadowing_that_is_resolved() {
    for (lang, brief) in BRIEFS {
        let mut desk = Desk::new(lang, brief, 30, 10);
        desk.set_up();
        let plan = desk.plan(VolumeNo::first());
        assert_eq!(plan.chapters.len(), 30);
        assert_eq!(plan.storylines.len(), 3);
        assert_eq!(plan.convergences.len(), 1);
        assert!(plan.foreshadowing.len() >= 6);
        let titles: BTreeSet<&str> = plan
            .chapters
            .iter()
            .map(|entry| entry.title.as_str())
            .collect();
        assert_eq!(titles.len(), 30);
        for entry in &plan.chapters {
            let text = serde_json::to_string(entry).unwrap();
            assert!(
                !text.contains("{hero") && !text.contains("{l") && !text.contains("{o"),
                "{text}"
            );
        }
    }
}

#[test]
fn in_chunks_or_at_once_the_plan_is_the_same() {
    let plan = |chunk| {
        let mut desk = Desk::new(Lang::Zh, BRIEFS[1].1, 24, chunk);
        desk.set_up();
        desk.plan(VolumeNo::first())
    };
    assert_eq!(plan(24), plan(7));
}

#[test]
fn the_next_volume_brings_new_names_and_goes_on_with_the_numbers() {
    for (lang, brief) in BRIEFS {
        let mut desk = Desk::new(lang, brief, 14, 10);
        desk.set_up();
        let mut people = BTreeSet::new();
        let mut volume = VolumeNo::first();
        for round in 0..4 {
            let plan = desk.plan(volume);
            let first = plan.chapters[0].chapter.get();
            assert_eq!(first, 14 * round + 1);
            assert!(!plan.new_characters.is_empty());
            for person in &plan.new_characters {
                assert!(
                    people.insert(person.display_name.clone()),
                    "{}",
                    person.display_name
                );
            }
            desk.live(&plan);
            volume = volume.next();
        }
        // What an early volume left open does not stay open for ever.
        let facts = Document::<Foreshadowing>::load(&desk.book, &layout::foreshadowing());
        let facts = facts.unwrap().unwrap().into_value().foreshadowing;
        for item in facts
            .iter()
            .filter(|item| item.planted_chapter.unwrap().get() <= 14)
        {
            assert_eq!(item.status, ForeshadowAction::Resolved, "{item:?}");
        }
    }
}

/// Every plan on the way is checked by `Desk::plan`, which finds an id that is planted twice.
#[test]
fn a_hundred_volumes_plan_no_id_and_no_name_twice() {
    for (lang, brief) in [BRIEFS[1], BRIEFS[3]] {
        let mut desk = Desk::new(lang, brief, 6, 6);
        desk.set_up();
        let (mut seeds, mut looks) = (BTreeSet::new(), BTreeSet::new());
        let (mut people, mut ids) = (BTreeSet::new(), BTreeSet::new());
        let mut volume = VolumeNo::first();
        for _ in 0..100 {
            let plan = desk.plan(volume);
            for seed in &plan.foreshadowing {
                assert!(seeds.insert(seed.id.clone()), "{}", seed.id);
                assert!(looks.insert(seed.description.clone()), "{seed:?}");
            }
            for person in &plan.new_characters {
                assert!(ids.insert(person.id.clone()), "{}", person.id);
                assert!(people.insert(person.display_name.clone()), "{person:?}");
            }
            desk.live(&plan);
            // Only the newest volume is looked at again; a large book in memory is slow to list.
            if let Some(before) = volume.previous() {
                desk.forget(before);
            }
            volume = volume.next();
        }
        // Names beyond the lists; what lies beyond the list of seeds has a test of its own.
        assert!(seeds.len() > 120 && people.len() > 120);
    }
}

#[test]
fn a_plan_that_only_names_its_people_is_completed_from_what_was_before() {
    let plan = |wording| {
        let mut desk = Desk::new(Lang::Zh, BRIEFS[0].1, 14, 5);
        desk.wording = wording;
        desk.set_up();
        let first = desk.plan(VolumeNo::first());
        desk.live(&first);
        [first, desk.plan(VolumeNo::first().next())]
    };
    let (whole, completed) = (plan(Wording::Whole), plan(Wording::Completed));
    for (whole, completed) in whole.iter().zip(&completed) {
        let mut seen = BTreeSet::new();
        for (said, filled) in whole.chapters.iter().zip(&completed.chapters) {
            assert_eq!(said.foreshadowing, filled.foreshadowing);
            for (said, filled) in said.before.iter().zip(&filled.before) {
                if !seen.insert(&said.character) {
                    assert_eq!(said, filled);
                }
            }
            seen.extend(said.after.iter().map(|person| &person.character));
        }
    }
    // In the second volume those of the first begin as the state has them.
    let again = |plan: &PlanAnswer| plan.chapters[0].before[0].clone();
    assert_eq!(again(&whole[1]), again(&completed[1]));
}

#[test]
fn with_known_material_a_plan_brings_in_nobody_and_nothing() {
    for (lang, brief) in BRIEFS {
        let mut desk = Desk::new(lang, brief, 14, 10);
        desk.config.plan.material = PlanMaterial::Known;
        desk.set_up();
        let plan = desk.plan(VolumeNo::first());
        assert_eq!((plan.storylines.len(), plan.chapters.len()), (1, 14));
        assert_eq!(plan.new_characters, []);
        assert_eq!(plan.foreshadowing, []);
    }
    let mut desk = Desk::new(BRIEFS[0].0, BRIEFS[0].1, 14, 14);
    desk.set_up();
    let open: PlanAnswer = desk.ask("volume:01:plan");
    let volume = VolumeNo::first();
    let existing = Existing::load(&desk.book, volume, ChapterNo::first()).unwrap();
    let problems = plan::check_material(&open, &existing, volume, PlanMaterial::Known);
    let new = open.new_characters.len() + open.foreshadowing.len() + open.storylines.len() - 1;
    assert_eq!(problems.len(), new, "{problems:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn plans_of_any_length_are_sound(chapters in 3_u32..60, chunk in 3_u32..20, book in 0_usize..4) {
        let (lang, brief) = BRIEFS[book];
        let mut desk = Desk::new(lang, brief, chapters, chunk);
        desk.set_up();
        let plan = desk.plan(VolumeNo::first());
        prop_assert_eq!(plan.chapters.len(), chapters as usize);
    }
}
