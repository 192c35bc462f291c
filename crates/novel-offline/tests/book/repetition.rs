//! Two hundred chapters do not sound like one.

use std::collections::{BTreeMap, BTreeSet};

use novel_engine::next::Round;
use novel_model::{ChapterNo, ChapterStage, Lang};
use novel_text::{count_words, parse_chapter};

use crate::{
    generated::{Plans, book},
    pipeline::Desk,
};

const CHAPTERS: u32 = 200;

/// Drafts of a whole book. Nothing is committed in between, so that only the plan tells them apart.
fn drafts(lang: Lang, plans: Plans) -> Vec<String> {
    let mut desk = Desk::new(book(lang, CHAPTERS, plans));
    (0..CHAPTERS)
        .map(|last| {
            desk.checkpoint.last_completed_chapter = last;
            // A state must exist once a chapter is committed.
            let state = novel_model::files::StoryState::initial();
            desk.book.write(novel_model::layout::state(), novel_model::to_json_text(&state));
            assert_eq!(desk.checkpoint.next_chapter(), ChapterNo::new(last + 1).unwrap());
            desk.answer(ChapterStage::Draft, Round::First)
        })
        .collect()
}

fn paragraphs(markdown: &str) -> Vec<String> {
    let scenes = parse_chapter(markdown).scenes;
    let parts = scenes.iter().flat_map(|scene| scene.split("\n\n"));
    parts.map(str::to_owned).collect()
}

/// Sentences long enough to be remembered.
fn sentences(markdown: &str) -> Vec<String> {
    paragraphs(markdown)
        .iter()
        .flat_map(|part| part.split_inclusive(['。', '！', '？', '.', '!', '?']))
        .map(|sentence| sentence.trim_matches(|char: char| char.is_whitespace() || "“”".contains(char)).to_owned())
        .filter(|sentence| count_words(sentence) >= 8)
        .collect()
}

#[test]
fn no_two_chapters_begin_or_end_alike() {
    for lang in [Lang::Zh, Lang::En] {
        for plans in [Plans::Varied, Plans::Same] {
            let (mut first, mut last) = (BTreeSet::new(), BTreeSet::new());
            for draft in drafts(lang, plans) {
                let parts = paragraphs(&draft);
                assert!(first.insert(parts[0].clone()), "{}", parts[0]);
                assert!(last.insert(parts[parts.len() - 1].clone()));
            }
        }
    }
}

/// The share of sentences of eight words or more that an earlier chapter has, word for word. About
/// a third of a chapter's wordings have no slot at all and come round every five chapters or so; the
/// rest differ by their slots. The bound leaves a little room above what is measured, so that
/// losing a deck or a slot list shows.
#[test]
fn few_sentences_come_back() {
    for (lang, bound) in [(Lang::Zh, 0.45), (Lang::En, 0.45)] {
        let (mut seen, mut all, mut again) = (BTreeSet::new(), 0_u32, 0_u32);
        let mut worst: BTreeMap<String, u32> = BTreeMap::new();
        for draft in drafts(lang, Plans::Varied) {
            let told = sentences(&draft);
            for sentence in &told {
                all += 1;
                *worst.entry(sentence.clone()).or_default() += 1;
                again += u32::from(seen.contains(sentence));
            }
            seen.extend(told);
        }
        let share = f64::from(again) / f64::from(all);
        println!("{lang:?} {share} of {all}, worst {:?}", worst.iter().max_by_key(|(_, count)| **count));
        assert!(share < bound, "{lang:?}: {share}");
    }
}

#[test]
fn a_chapter_does_not_repeat_itself() {
    for lang in [Lang::Zh, Lang::En] {
        for draft in drafts(lang, Plans::Varied) {
            let told = sentences(&draft);
            let unique: BTreeSet<&String> = told.iter().collect();
            assert!(told.len() - unique.len() <= 1, "{draft}");
        }
    }
}
