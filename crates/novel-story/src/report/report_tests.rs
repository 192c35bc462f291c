//! Tests of the reports over a small book in memory.

use novel_contract::report::{BreachKind, BridgeKind};
use novel_model::{ChapterNo, Lang, VolumeNo, to_json_text};
use novel_testkit::memory::MemoryBook;
use serde_json::{Map, Value, json};

use super::*;
use novel_book::{config::Config, context::VolumeBounds};

const DIMENSIONS: [&str; 8] = [
    "plot_logic",
    "character",
    "immersion",
    "foreshadowing",
    "pacing",
    "style_naturalness",
    "emotional_impact",
    "storyline_coherence",
];

/// Chapters with a line and a score each; the first line has the volume's first weight.
fn book(chapters: &[(&str, f64)]) -> MemoryBook {
    let mut book = MemoryBook::new();
    let mut put = |path: String, value: Value| {
        book.write(path.parse().unwrap(), to_json_text(&value));
    };
    for (number, (line, score)) in (1..).zip(chapters) {
        let text = format!("林枫说：“第{number}章。”\n灯还没有亮。");
        put(
            format!("chapters/chapter_{number:03}.json"),
            json!({"chapter_number": number, "chapter_title": "雾", "total_words": 12,
                   "scenes": [{"scene_number": 1, "content": text, "word_count": 12}]}),
        );
        let scores: Map<String, Value> = DIMENSIONS
            .iter()
            .map(|name| ((*name).to_owned(), json!({"score": score})))
            .collect();
        put(
            format!("evaluations/chapter-{number:03}-eval.json"),
            json!({"chapter": number, "contract_verification": {}, "scores": scores}),
        );
        put(
            format!("state/chapter-{number:03}-crossref.json"),
            json!({"storyline_id": line}),
        );
        put(
            format!("volumes/vol-01/chapter-contracts/chapter-{number:03}.json"),
            json!({"chapter": number, "storyline_id": line,
                   "transition_hint": {"next_storyline": "lamp"},
                   "objectives": [{"id": "O", "required": true, "description": "x"}]}),
        );
    }
    for (id, name) in [("lin-feng", "林枫"), ("chen-lao", "陈老")] {
        put(
            format!("characters/active/{id}.json"),
            json!({"display_name": name}),
        );
    }
    put(
        "storylines/storylines.json".to_owned(),
        json!({"storylines": [{"id": "lamp", "name": "灯", "pov_characters": ["林枫"]},
                              {"id": "harbour", "name": "港", "pov_characters": ["陈老"]}],
               "relationships": [{"from": "lamp", "to": "harbour", "bridges": {
                   "shared_characters": ["陈老", "阿海"], "shared_foreshadowing": ["lens", "bell"]}}]}),
    );
    put(
        "volumes/vol-01/storyline-schedule.json".to_owned(),
        json!({"active_storylines": [{"storyline_id": "lamp", "volume_role": "primary"},
                                     {"storyline_id": "harbour", "volume_role": "secondary"}],
               "interleaving_pattern": {"primary_max_consecutive": 2, "secondary_min_appearance": "every_3_chapters"},
               "convergence_events": [{"chapter_range": [1, 2], "involved_storylines": ["lamp", "harbour"]}]}),
    );
    put(
        "foreshadowing/global.json".to_owned(),
        json!({"foreshadowing": [{"id": "lens", "scope": "short", "status": "planted", "planted_chapter": 1,
               "target_resolve_range": [1, 2], "history": [{"chapter": 1, "action": "planted"}]}]}),
    );
    put(
        "volumes/vol-01/foreshadowing.json".to_owned(),
        json!({"foreshadowing": [{"id": "rope", "planted_chapter": 2}, {"id": "knot", "planted_chapter": 90}]}),
    );
    book
}

fn report(book: &MemoryBook, last: u32) -> Report {
    let number = |n: u32| ChapterNo::new(n).unwrap();
    let bounds = VolumeBounds {
        first: number(1),
        last: number(90),
    };
    let span = Span::volume(VolumeNo::new(1).unwrap(), bounds, last);
    Report::of(&Facts::gather(book, &Config::default(), span).unwrap())
}

const LAMP: &str = "lamp";
const HARBOUR: &str = "harbour";

#[test]
fn weak_chapters_and_a_fall_are_seen() {
    let lines: Vec<(&str, f64)> = (0..10)
        .map(|n| (LAMP, if n < 5 { 4.5 } else { 3.0 }))
        .collect();
    let report = report(&book(&lines), 10);
    let scores = &report.scores;
    assert_eq!((scores.mean, scores.trend), (Some(3.75), Some(-1.5)));
    let weak: Vec<u32> = scores.weak.iter().map(|weak| weak.chapter).collect();
    assert_eq!(weak, [6, 7, 8, 9, 10]);
    let concerns: Vec<Concern> = report
        .findings()
        .iter()
        .map(|found| found.concern)
        .collect();
    assert!(concerns.contains(&Concern::WeakChapters), "{concerns:?}");
    assert!(concerns.contains(&Concern::FallingScores), "{concerns:?}");
    assert!(concerns.is_sorted(), "{concerns:?}");
}

#[test]
fn rhythm_meetings_and_bridges_are_held_against_the_plan() {
    let report = report(
        &book(&[
            (LAMP, 4.0),
            (LAMP, 4.0),
            (LAMP, 4.0),
            (HARBOUR, 4.0),
            (LAMP, 4.0),
        ]),
        5,
    );
    let lines = &report.storylines;
    let runs: Vec<(u32, u32, Option<u32>)> = lines
        .storylines
        .iter()
        .map(|line| (line.longest_run, line.longest_gap, line.since_last))
        .collect();
    assert_eq!(runs, [(3, 1, Some(0)), (1, 3, Some(1))]);
    let breaches: Vec<(BreachKind, u32, u32)> = lines
        .breaches
        .iter()
        .map(|breach| (breach.kind, breach.chapters, breach.allowed))
        .collect();
    assert_eq!(
        breaches,
        [
            (BreachKind::TooManyInARow, 3, 2),
            (BreachKind::TooLongAway, 3, 2)
        ]
    );
    assert_eq!(lines.meetings[0].missing, [HARBOUR]);
    let bridges: Vec<(BridgeKind, &str, Option<u32>)> = lines
        .broken_bridges
        .iter()
        .map(|bridge| (bridge.kind, bridge.what.as_str(), bridge.chapter))
        .collect();
    assert_eq!(
        bridges,
        [
            (BridgeKind::Handover, HARBOUR, Some(3)),
            (BridgeKind::OneSidedForeshadowing, "lens", None),
            (BridgeKind::UnknownForeshadowing, "bell", None),
            (BridgeKind::LostCharacter, "阿海", None),
        ]
    );
}

#[test]
fn foreshadowing_and_cast_are_counted_as_of_the_end() {
    let book = book(&[(LAMP, 4.0), (LAMP, 4.0), (LAMP, 4.0)]);
    let at = |last| report(&book, last).foreshadowing;
    assert_eq!(
        (at(1).due, at(1).overdue),
        (vec!["lens".to_owned()], vec![])
    );
    assert_eq!(at(1).not_planted, Vec::<String>::new());
    assert_eq!(at(3).overdue, ["lens"]);
    assert_eq!(at(3).not_planted, ["rope"]);
    let cast = report(&book, 3).cast;
    assert_eq!(cast.absent, ["chen-lao"]);
    assert_eq!(cast.characters[0].chapters, [1, 2, 3]);
}

#[test]
fn nothing_written_gives_pages_without_numbers() {
    let report = report(&book(&[]), 0);
    assert!(report.is_empty());
    for topic in Topic::ALL {
        for lang in [Lang::Zh, Lang::En] {
            let page = report.page(topic).markdown(lang);
            assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
        }
    }
}

#[test]
fn text_of_the_book_can_not_break_out_of_a_table() {
    let mut book = book(&[(LAMP, 4.0)]);
    book.write(
        "storylines/storylines.json".parse().unwrap(),
        to_json_text(&json!({"storylines": [{"id": "lamp", "name": "灯|\n# 忽略"}]})),
    );
    let page = report(&book, 1).page(Topic::Storylines).markdown(Lang::Zh);
    assert!(page.contains("| 灯\\| # 忽略（lamp） |"), "{page}");
}
