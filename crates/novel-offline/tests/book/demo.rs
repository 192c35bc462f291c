//! The demo books are sound, and the offline author carries them to their end.

use novel_book::{
    context::{Cast, ChapterContext},
    drift,
    manuscript::{self, Manuscript},
};
use novel_model::{
    BookReader, ChapterNo, Document, Format, Lang, VolumeNo,
    files::{
        ChapterContract, Character, Checkpoint, ForeshadowPlan, ForeshadowScope, OrchestratorState,
        StorylineSchedule, StorylineSpec, Storylines, StyleProfile, WorldRules,
    },
    layout,
};
use novel_testkit::memory::MemoryBook;
use novel_text::{TextMetrics, parse_outline};

use super::pipeline::{Desk, demo};

const CHAPTERS: u32 = 12;

fn parse<T: Format>(book: &MemoryBook, path: &novel_model::RelPath) -> T {
    Document::<T>::load(book, path)
        .unwrap()
        .unwrap()
        .into_value()
}

fn chapter(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

#[test]
fn every_file_of_a_demo_book_is_sound() {
    let volume = VolumeNo::first();
    for lang in [Lang::Zh, Lang::En] {
        let book = demo(lang);
        let checkpoint: Checkpoint = parse(&book, &layout::checkpoint());
        assert_eq!(checkpoint, Checkpoint::new(OrchestratorState::Writing));
        parse::<StyleProfile>(&book, &layout::style_profile());
        assert!(
            (4..=6).contains(
                &parse::<WorldRules>(&book, &layout::world_rules())
                    .rules
                    .len()
            )
        );
        assert_eq!(
            parse::<Storylines>(&book, &layout::storylines())
                .storylines
                .len(),
            2
        );
        assert_eq!(
            parse::<StorylineSpec>(&book, &layout::storyline_spec())
                .rules
                .len(),
            5
        );
        let schedule: StorylineSchedule = parse(&book, &layout::schedule(volume));
        assert_eq!(schedule.convergence_events.len(), 1);
        let cast = Cast::load(&book).unwrap();
        assert_eq!(cast.members().count(), 6);
        for (slug, member) in cast.members() {
            let character: &Character = &member.character;
            assert!(!character.contracts.is_empty());
            assert!(
                book.text(&layout::character_profile(slug))
                    .unwrap()
                    .is_some()
            );
        }
        let outline = book.text(&layout::outline(volume)).unwrap().unwrap();
        assert_eq!(parse_outline(&outline).bounds(), Some((1, CHAPTERS)));
        for number in 1..=CHAPTERS {
            ChapterContext::load(&book, volume, chapter(number), lang).unwrap();
        }
    }
}

#[test]
fn states_follow_from_each_other_in_the_contracts() {
    for lang in [Lang::Zh, Lang::En] {
        let book = demo(lang);
        let mut now = std::collections::BTreeMap::new();
        for number in 1..=CHAPTERS {
            let path = layout::contract(VolumeNo::first(), chapter(number));
            let contract: ChapterContract = parse(&book, &path);
            let states = contract.preconditions.character_states.unwrap();
            for (name, state) in &states {
                for (key, value) in state.as_object().unwrap() {
                    let known = now.entry((name.clone(), key.clone()));
                    let known = known.or_insert_with(|| value.clone());
                    assert_eq!(known, value, "chapter {number}: {name}.{key}");
                }
            }
            for (name, changes) in &contract.postconditions.state_changes {
                assert!(states.contains_key(name), "chapter {number}: {name}");
                for (key, value) in changes.as_object().unwrap() {
                    now.insert((name.clone(), key.clone()), value.clone());
                }
            }
        }
    }
}

#[test]
fn short_foreshadowing_is_planted_and_resolved_in_the_volume() {
    for lang in [Lang::Zh, Lang::En] {
        let book = demo(lang);
        let volume = VolumeNo::first();
        let plan: ForeshadowPlan = parse(&book, &layout::foreshadowing_plan(volume));
        assert!(plan.foreshadowing.len() >= 5);
        let contracts: Vec<ChapterContract> = (1..=CHAPTERS)
            .map(|number| parse(&book, &layout::contract(volume, chapter(number))))
            .collect();
        for item in &plan.foreshadowing {
            let touched = |action: &str| {
                let wanted = |contract: &&ChapterContract| {
                    contract
                        .postconditions
                        .foreshadowing_updates
                        .get(item.id.as_str())
                        == Some(&action.into())
                };
                contracts
                    .iter()
                    .find(wanted)
                    .map(|contract| contract.chapter)
            };
            assert_eq!(touched("planted"), item.planted_chapter, "{}", item.id);
            let (first, last) = item.target_resolve_range.unwrap();
            if item.scope == Some(ForeshadowScope::Short) {
                let resolved = touched("resolved").unwrap().get();
                assert!((first..=last).contains(&resolved), "{}", item.id);
            }
        }
    }
}

#[test]
fn the_offline_author_writes_both_demo_books_to_the_end() {
    for lang in [Lang::Zh, Lang::En] {
        let mut desk = Desk::new(demo(lang));
        let mut measured = Vec::new();
        for number in 1..=CHAPTERS {
            let written = desk.write_and_commit();
            let overall = written.evaluation.overall.unwrap();
            assert!(overall >= 4.0, "{lang:?} chapter {number}: {overall}");
            let manuscript = Manuscript::from_markdown(chapter(number), &written.refined, lang);
            let words = manuscript.chapter.total_words;
            let bounds =
                desk.config.chapter.min_words.unwrap()..=desk.config.chapter.max_words.unwrap();
            assert!(
                bounds.contains(&words),
                "{lang:?} chapter {number}: {words}"
            );
            assert!((3..=4).contains(&manuscript.chapter.scenes.len()));
            measured.push(manuscript::metrics(&manuscript.chapter));
            if drift::is_due(chapter(number)) {
                no_drift(
                    &desk,
                    &measured[measured.len() - 5..],
                    chapter(number),
                    lang,
                );
            }
        }
    }
}

/// The profile's baselines are what the offline author writes.
fn no_drift(desk: &Desk, window: &[TextMetrics], number: ChapterNo, lang: Lang) {
    let profile: StyleProfile = parse(&desk.book, &layout::style_profile());
    let sum = TextMetrics::sum(window);
    let measured = drift::Measured {
        avg_sentence_length: sum.avg_sentence_length,
        dialogue_ratio: sum.dialogue_ratio,
    };
    let action = drift::check(&profile, measured, None, number, "", lang);
    assert_eq!(
        action,
        drift::DriftAction::Keep,
        "{lang:?} {number}: {measured:?}"
    );
}
