//! Two hundred chapters do not sound like one.

use std::{collections::BTreeSet, sync::OnceLock};

use novel_book::next::Round;
use novel_model::{ChapterStage, Lang, files::StoryState, layout, to_json_text};
use novel_text::{count_words, parse_chapter};

use super::{
    generated::{Plans, book},
    pipeline::Desk,
};

const CHAPTERS: u32 = 200;

/// Drafts of a whole book. Nothing is committed in between, so that only the plan tells them apart.
fn drafts(lang: Lang, plans: Plans) -> &'static [String] {
    static DRAFTS: [OnceLock<Vec<String>>; 4] = [const { OnceLock::new() }; 4];
    let place = match (lang, plans) {
        (Lang::Zh, Plans::Varied) => 0,
        (Lang::Zh, Plans::Same) => 1,
        (Lang::En, Plans::Varied) => 2,
        (Lang::En, Plans::Same) => 3,
    };
    DRAFTS[place].get_or_init(|| {
        let mut desk = Desk::new(book(lang, CHAPTERS, plans));
        // A state must exist once a chapter is committed.
        desk.book
            .write(layout::state(), to_json_text(&StoryState::initial()));
        (0..CHAPTERS)
            .map(|last| {
                desk.checkpoint.last_completed_chapter = last;
                desk.answer(ChapterStage::Draft, Round::First)
            })
            .collect()
    })
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
        .map(|sentence| {
            sentence
                .trim_matches(|char: char| char.is_whitespace() || "“”".contains(char))
                .to_owned()
        })
        .filter(|sentence| count_words(sentence) >= 8)
        .collect()
}

#[test]
fn no_two_chapters_begin_or_end_alike() {
    let books = [
        (Lang::Zh, Plans::Varied),
        (Lang::Zh, Plans::Same),
        (Lang::En, Plans::Varied),
    ];
    for (lang, plans) in books {
        let (mut first, mut last) = (BTreeSet::new(), BTreeSet::new());
        for draft in drafts(lang, plans) {
            let parts = paragraphs(draft);
            assert!(first.insert(parts[0].clone()), "{}", parts[0]);
            assert!(last.insert(parts[parts.len() - 1].clone()));
        }
    }
}

/// How many sentences of eight words or more stood in one of the chapters before, word for word.
/// A reader notices what comes back within a few chapters: the decks keep a beat away for about
/// five. Over two hundred chapters, some fifteen thousand sentences, a hand-written stock of about a
/// thousand wordings has to come round; slots and choices keep a third of them new. The bounds leave
/// a little room above what is measured, so that losing a deck, a slot list or the choices shows.
#[test]
fn few_sentences_come_back() {
    for (lang, near_bound, far_bound) in [(Lang::Zh, 0.16, 0.68), (Lang::En, 0.22, 0.74)] {
        const NEAR: usize = 5;
        let told: Vec<Vec<String>> = drafts(lang, Plans::Varied)
            .iter()
            .map(|draft| sentences(draft))
            .collect();
        let share = |window: usize| {
            let (mut all, mut again) = (0_u32, 0_u32);
            for (at, chapter) in told.iter().enumerate() {
                let before: BTreeSet<&String> = told[at.saturating_sub(window)..at]
                    .iter()
                    .flatten()
                    .collect();
                all += u32::try_from(chapter.len()).unwrap();
                again += u32::try_from(
                    chapter
                        .iter()
                        .filter(|sentence| before.contains(sentence))
                        .count(),
                )
                .unwrap();
            }
            f64::from(again) / f64::from(all)
        };
        let (near, far) = (share(NEAR), share(told.len()));
        assert!(
            near < near_bound && far < far_bound,
            "{lang:?}: near {near}, far {far}"
        );
    }
}

#[test]
fn a_chapter_does_not_repeat_itself() {
    for lang in [Lang::Zh, Lang::En] {
        for draft in drafts(lang, Plans::Varied) {
            let told = sentences(draft);
            let unique: BTreeSet<&String> = told.iter().collect();
            let again: Vec<&String> = told
                .iter()
                .filter(|s| told.iter().filter(|o| o == s).count() > 1)
                .collect();
            assert!(told.len() - unique.len() <= 1, "{again:?}");
        }
    }
}
