//! Every answer passes the program's own checks, chapter after chapter.

use std::time::Instant;

use novel_book::{
    config::{Config, LengthPolicy},
    next::Round,
    validate,
};
use novel_model::{
    ChapterNo, ChapterStage, Document, Lang,
    files::{ChapterContract, CheckStatus, Confidence},
    layout,
};
use novel_text::{count_words, lint};

use super::{
    generated::{Plans, book},
    pipeline::{Desk, Written},
};

const CHAPTERS: u32 = 40;

fn check(desk: &Desk, written: &Written) {
    let chapter = desk.checkpoint.next_chapter();
    let path = layout::staged_chapter(chapter);
    let findings = validate::chapter_text(&path, &written.draft, chapter, &desk.config);
    assert!(
        findings.problems.is_empty() && findings.warnings.is_empty(),
        "{findings:?}"
    );
    let findings = validate::refined_text(
        &path,
        &written.refined,
        Some(&written.draft),
        chapter,
        &desk.config,
    );
    assert!(
        findings.problems.is_empty() && findings.warnings.is_empty(),
        "{findings:?}"
    );
    let contract = layout::contract(desk.checkpoint.current_volume, chapter);
    let contract = Document::<ChapterContract>::load(&desk.book, &contract)
        .unwrap()
        .unwrap();
    let line = &contract.get().storyline_id;
    let (artefacts, findings) = validate::summary_artefacts(&desk.book, chapter, Some(line));
    assert!(artefacts.is_some(), "{findings:?}");
    assert!(findings.warnings.is_empty(), "{findings:?}");
    let findings = validate::evaluation(
        &layout::staged_evaluation(chapter),
        &written.evaluation,
        chapter,
    );
    assert!(findings.problems.is_empty(), "{findings:?}");
    check_verdict(written);
}

/// The judge quotes what is there and is never sure of a violation.
fn check_verdict(written: &Written) {
    let evaluation = &written.evaluation;
    assert!(evaluation.overall.unwrap() >= 4.0, "{evaluation:?}");
    assert_eq!(evaluation.recommendation.as_deref(), Some("pass"));
    assert!(
        evaluation.strengths[0]
            .to_string()
            .contains("language model")
            || evaluation.strengths[0].to_string().contains("不是语言模型")
    );
    for (name, dimension) in evaluation.scores.by_name() {
        assert_ne!(
            dimension.evidence_found,
            Some(false),
            "{name}: {dimension:?}"
        );
        assert!(dimension.reason.is_some());
    }
    let contracts = &evaluation.contract_verification;
    let checks = [
        &contracts.l1_checks,
        &contracts.l2_checks,
        &contracts.l3_checks,
        &contracts.ls_checks,
    ];
    for check in checks.into_iter().flatten() {
        assert_ne!(check.status, CheckStatus::Violation);
        assert_ne!(check.confidence, Some(Confidence::High));
        assert_ne!(check.evidence_found, Some(false), "{check:?}");
    }
    assert!(!contracts.l3_checks.is_empty());
}

#[test]
fn forty_chapters_validate_in_both_languages() {
    for lang in [Lang::Zh, Lang::En] {
        let mut desk = Desk::new(book(lang, CHAPTERS, Plans::Varied));
        for number in 1..=CHAPTERS {
            let written = desk.write_chapter();
            check(&desk, &written);
            let words = count_words(&written.refined);
            let usual = match lang {
                Lang::Zh => 1200..=1800,
                Lang::En => 700..=1000,
            };
            assert!(usual.contains(&words), "{lang:?} {number}: {words}");
            assert!(count_words(&written.answer.memory) <= validate::MAX_MEMORY_WORDS);
            assert_eq!(
                written.answer.delta.base_state_version,
                u64::from(number - 1)
            );
            desk.commit(&written);
        }
    }
}

#[test]
fn the_same_book_is_written_twice_the_same() {
    for lang in [Lang::Zh, Lang::En] {
        let write = || -> Vec<String> {
            let mut desk = Desk::new(book(lang, 6, Plans::Varied));
            (0..6)
                .map(|_| {
                    let written = desk.write_and_commit();
                    let answer = serde_json::to_string(&written.answer).unwrap();
                    let verdict = serde_json::to_string(&written.evaluation).unwrap();
                    [written.draft, answer, written.refined, verdict].concat()
                })
                .collect()
        };
        assert_eq!(write(), write());
    }
}

#[test]
fn no_stock_phrase_is_in_a_draft() {
    for lang in [Lang::Zh, Lang::En] {
        let mut desk = Desk::new(book(lang, 60, Plans::Varied));
        let words: novel_model::files::Blacklist =
            serde_json::from_str(&super::pipeline::blacklist(lang)).unwrap();
        let words = words.effective_words();
        for number in 1..=60 {
            let written = desk.write_and_commit();
            let report = lint(&written.draft, &words);
            assert_eq!(report.total_hits, 0, "{lang:?} {number}: {:?}", report.hits);
        }
    }
}

#[test]
fn only_people_of_the_line_are_named() {
    for lang in [Lang::Zh, Lang::En] {
        let names = match lang {
            Lang::Zh => [["林禾", "陈渡"], ["周安", "许漪"]],
            Lang::En => [["Hale", "Mirren"], ["Odo", "Tamsin"]],
        };
        let mut desk = Desk::new(book(lang, 12, Plans::Varied));
        for number in 1..=12 {
            let written = desk.write_and_commit();
            let (own, strange) = match number % 3 {
                2 => (names[1], names[0]),
                _ => (names[0], names[1]),
            };
            assert!(
                own.iter().all(|name| written.refined.contains(name)),
                "{number}"
            );
            assert!(
                !strange.iter().any(|name| written.refined.contains(name)),
                "{number}"
            );
        }
    }
}

#[test]
fn configured_lengths_are_kept() {
    for (least, most) in [(300, 500), (1000, 1300), (3000, 3600)] {
        for lang in [Lang::Zh, Lang::En] {
            let mut desk = Desk::new(book(lang, 3, Plans::Varied));
            desk.config.chapter.min_words = Some(least);
            desk.config.chapter.max_words = Some(most);
            desk.config.chapter.length_policy = LengthPolicy::Refuse;
            for _ in 0..3 {
                let written = desk.write_chapter();
                check(&desk, &written);
                desk.commit(&written);
            }
        }
    }
}

/// Speed is measured where it counts; an unoptimised build only has to be bearable.
#[test]
fn a_chapter_takes_milliseconds() {
    let mut desk = Desk::new(book(Lang::Zh, 20, Plans::Varied));
    let mut times: Vec<u128> = (0..20)
        .map(|_| {
            let start = Instant::now();
            let draft = desk.answer(ChapterStage::Draft, Round::First);
            let taken = start.elapsed().as_millis();
            assert!(!draft.is_empty());
            desk.write_and_commit();
            taken
        })
        .collect();
    times.sort_unstable();
    let bound = if cfg!(debug_assertions) { 150 } else { 20 };
    assert!(times[10] < bound, "median {} ms", times[10]);
}

#[test]
fn an_empty_configuration_is_enough() {
    let config = Config::default();
    assert_eq!(config.lang(), Lang::Zh);
    let mut desk = Desk::new(book(Lang::Zh, 1, Plans::Varied));
    desk.config = config;
    let written = desk.write_chapter();
    check(&desk, &written);
    assert_eq!(desk.checkpoint.next_chapter(), ChapterNo::first());
}
