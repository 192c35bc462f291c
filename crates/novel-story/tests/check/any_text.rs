//! Whatever a chapter says, the checker reads it to its end and quotes what stands there.

use novel_story::check::{CheckInput, MOST_CANDIDATES, Spot, candidates, check_range};
use novel_testkit::story::{Case, all_cases, no};
use proptest::{prelude::*, sample::Index};
use serde_json::Value;

/// Marks, parts of words and characters of every width that a reading may stumble over.
const PIECES: [&str; 40] = [
    "“",
    "”",
    "‘",
    "’",
    "\"",
    "'",
    "「",
    "」",
    "『",
    "』",
    "《",
    "》",
    "—",
    "——",
    "…",
    "……",
    "，",
    "。",
    "、",
    "；",
    "：",
    "？",
    "！",
    ",",
    ".",
    ";",
    ":",
    "?",
    "!",
    "(",
    "（",
    "'s",
    "’s",
    "\n\n",
    "\n",
    " ",
    "é",
    "e\u{301}",
    "𠮷",
    "👩\u{200d}🚀",
];

/// A change of a text: at a place, a piece put in, or some characters taken out.
#[derive(Debug, Clone)]
enum Change {
    PutIn(Index, Index),
    TakeOut(Index, usize),
    Join(Index),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => (any::<Index>(), any::<Index>()).prop_map(|(at, piece)| Change::PutIn(at, piece)),
        1 => (any::<Index>(), 1..12_usize).prop_map(|(at, count)| Change::TakeOut(at, count)),
        1 => any::<Index>().prop_map(Change::Join),
    ]
}

fn changed(text: &str, changes: &[Change], all: &[Case]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for change in changes {
        match change {
            Change::PutIn(at, piece) => {
                let at = at.index(text.len() + 1);
                text.splice(at..at, piece.get(&PIECES).chars());
            }
            Change::TakeOut(at, count) => {
                let from = at.index(text.len() + 1);
                let to = text.len().min(from + count);
                text.drain(from..to);
            }
            Change::Join(other) => text.extend(other.get(all).text.chars()),
        }
    }
    text.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_to_its_end_and_quoted_as_it_stands(
        picked in any::<Index>(),
        changes in prop::collection::vec(change(), 0..12),
    ) {
        let all = all_cases();
        let mut case = picked.get(&all).clone();
        case.text = changed(&case.text, &changes, &all);
        let book = case.book();
        let (files, config) = (book.write(), book.config());
        let found = || -> Vec<_> {
            check_range(&files, &config, book.numbered())
                .unwrap()
                .flat_map(|(_, findings)| findings.unwrap())
                .collect()
        };
        let findings = found();
        prop_assert_eq!(&findings, &found());
        for finding in &findings {
            let place = &finding.place;
            let Spot::Text { scene, start, .. } = place.spot else { continue };
            let chapter: Value = serde_json::from_slice(&files.files()[&place.path]).unwrap();
            let content = &chapter["scenes"][scene as usize - 1]["content"];
            let text = content.as_str().unwrap().get(start..).unwrap();
            prop_assert!(text.starts_with(&place.quotation), "{} is not at {start}", place.quotation);
        }
        let ask = || candidates(CheckInput { reader: &files, config: &config, chapter: no(2), volume: book.volume(no(2)) }).unwrap();
        let asked = ask();
        prop_assert!(asked.len() <= MOST_CANDIDATES);
        prop_assert_eq!(&asked, &ask());
        let chapter: Value = serde_json::from_slice(&files.files()[&novel_model::layout::chapter_json(no(2))]).unwrap();
        for (number, one) in (1..).zip(&asked) {
            prop_assert_eq!(one.number, number);
            let Spot::Text { scene, start, end, .. } = one.place.spot else {
                return Err(TestCaseError::fail("a candidate stands in the text"));
            };
            let content = chapter["scenes"][scene as usize - 1]["content"].as_str().unwrap();
            prop_assert_eq!(content.get(start..end), Some(one.place.quotation.as_str()));
            let focus = one.place.focus.clone().unwrap();
            prop_assert!(one.place.quotation.get(focus).is_some());
        }
    }
}
