//! One agent at a time: revision, refinement, verdict, and what there is no part for.

use novel_book::recall::Digests;
use novel_book::{config::Config, next::Round, validate};
use novel_model::{
    BookReader, ChapterStage, Document, Explain, Kind, Lang, StepId,
    files::{CheckStatus, Confidence, Evaluation, Packet, PacketAgent, RequiredFix},
    layout, to_json_text,
};
use novel_offline::{MODEL, OfflineBook, OfflineError, answer};
use novel_prompt::packet::{self, BookFiles, PacketMode, Request};
use novel_text::change_ratio;

use super::pipeline::{Desk, demo};

fn staged(desk: &Desk) -> String {
    let path = layout::staged_chapter(desk.checkpoint.next_chapter());
    desk.book.text(&path).unwrap().unwrap()
}

fn verdict(desk: &Desk) -> Evaluation {
    let path = layout::staged_evaluation(desk.checkpoint.next_chapter());
    let text = desk.answer(ChapterStage::Judge, Round::First);
    Document::<Evaluation>::parse(&path, &text)
        .unwrap()
        .into_value()
}

/// A desk with a chapter that was judged and is to be revised.
fn to_revise(lang: Lang, fixes: Vec<RequiredFix>) -> Desk {
    let mut desk = Desk::new(demo(lang));
    let mut written = desk.write_chapter();
    written.evaluation.required_fixes = fixes;
    let path = layout::staged_evaluation(desk.checkpoint.next_chapter());
    desk.book.write(path, to_json_text(&written.evaluation));
    desk
}

fn fix(target: &str, instruction: &str) -> RequiredFix {
    RequiredFix {
        target: target.to_owned(),
        instruction: instruction.to_owned(),
    }
}

#[test]
fn a_revision_changes_little_and_never_nothing() {
    for lang in [Lang::Zh, Lang::En] {
        for fixes in [
            vec![
                fix("paragraph_3", "加强对话 / more dialogue"),
                fix("", "补足内心 / inner life"),
            ],
            vec![fix("paragraph_999", "x")],
            Vec::new(),
        ] {
            let mut desk = to_revise(lang, fixes);
            let before = staged(&desk);
            let first = desk.answer(ChapterStage::Draft, Round::Revision);
            assert_ne!(first, before);
            assert!(change_ratio(&before, &first) < 0.3);
            let chapter = desk.checkpoint.next_chapter();
            let path = layout::staged_chapter(chapter);
            let findings =
                validate::refined_text(&path, &first, Some(&before), chapter, &desk.config);
            assert!(findings.problems.is_empty(), "{findings:?}");
            desk.stage_text(&first);
            assert_ne!(desk.answer(ChapterStage::Draft, Round::Revision), first);
        }
    }
}

#[test]
fn a_revision_tells_the_objective_that_was_left_out() {
    let mut desk = to_revise(Lang::Zh, Vec::new());
    let told = "陆砚在末一只邮袋里分拣出一封潮信";
    let without: Vec<String> = staged(&desk)
        .split("\n\n")
        .filter(|part| !part.contains("末一只邮袋") && !part.contains("潮信"))
        .map(str::to_owned)
        .collect();
    desk.stage_text(&without.join("\n\n"));
    assert!(!staged(&desk).contains(told));
    let judged = verdict(&desk);
    let check = &judged.contract_verification.l3_checks[0];
    assert_eq!(check.status, CheckStatus::ViolationSuspected);
    assert_eq!(check.confidence, Some(Confidence::Low));
    assert!(
        judged
            .required_fixes
            .iter()
            .any(|fix| fix.instruction.contains("OBJ-1-1"))
    );
    assert!(judged.overall.unwrap() < 4.2);
    let revised = desk.answer(ChapterStage::Draft, Round::Revision);
    assert!(revised.contains(told));
}

#[test]
fn refinement_takes_stock_phrases_out_and_keeps_the_rest() {
    let mut desk = Desk::new(demo(Lang::Zh));
    desk.write_chapter();
    let clean = staged(&desk);
    assert_eq!(desk.answer(ChapterStage::Refine, Round::First), clean);
    let dirty = clean
        .replacen("。陆砚", "。。陆砚不禁", 2)
        .replacen("像", "仿佛", 1);
    desk.stage_text(&dirty);
    let before = verdict(&desk);
    assert!(
        before.anti_ai.unwrap().blacklist_hits.unwrap()["total_hits"]
            .as_u64()
            .unwrap()
            >= 2
    );
    let refined = desk.answer(ChapterStage::Refine, Round::First);
    assert!(!refined.contains("不禁") && !refined.contains("仿佛") && !refined.contains("。。"));
    assert!(change_ratio(&clean, &refined) < 0.01);
}

#[test]
fn a_polish_touches_one_sentence() {
    for lang in [Lang::Zh, Lang::En] {
        let mut desk = Desk::new(demo(lang));
        desk.write_chapter();
        let before = staged(&desk);
        let polished = desk.answer(ChapterStage::Refine, Round::Polish);
        assert!(change_ratio(&before, &polished) < 0.01);
        if lang == Lang::Zh {
            assert_ne!(before, polished);
        }
    }
}

#[test]
fn a_refinement_of_a_text_full_of_phrases_stays_within_its_share() {
    let mut desk = Desk::new(demo(Lang::Zh));
    desk.write_chapter();
    let chapter = desk.checkpoint.next_chapter();
    let dirty = format!(
        "# 第 1 章 写给自己的信\n\n{}",
        "不禁前所未有，百感交集。他走了。".repeat(60)
    );
    desk.stage_text(&dirty);
    let before = staged(&desk);
    let refined = desk.answer(ChapterStage::Refine, Round::First);
    let path = layout::staged_chapter(chapter);
    let findings =
        validate::refined_text(&path, &refined, Some(&before), chapter, &Config::default());
    assert!(
        findings.problems.is_empty() && findings.warnings.is_empty(),
        "{findings:?}"
    );
}

#[test]
fn the_summary_is_made_of_the_text() {
    for lang in [Lang::Zh, Lang::En] {
        let mut desk = Desk::new(demo(lang));
        let written = desk.write_chapter();
        let heading = match lang {
            Lang::Zh => "### 关键事件",
            Lang::En => "### Key events",
        };
        let events = written.answer.summary.split(heading).nth(1).unwrap();
        let events = events.split("###").next().unwrap();
        let mut count = 0;
        for event in events.lines().filter_map(|line| line.strip_prefix("- ")) {
            assert!(
                written.draft.contains(event.trim_end_matches('…')),
                "{event}"
            );
            count += 1;
        }
        assert!(count >= 3);
        assert!(written.answer.summary.contains("- storyline_id: main-arc"));
        let marker = match lang {
            Lang::Zh => "[埋设] blue_wax",
            Lang::En => "[planted] grey_ink",
        };
        assert!(written.answer.summary.contains(marker));
    }
}

#[test]
fn the_delta_says_where_people_are_and_what_was_planted() {
    let mut desk = Desk::new(demo(Lang::Zh));
    let written = desk.write_chapter();
    let ops = &written.answer.delta.ops;
    let value = |path: &str| {
        let op = ops.iter().find(|op| op["path"] == path);
        op.map(|op| op["value"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(
        value("characters.lu-yan.location").as_deref(),
        Some("外堤第三退潮口")
    );
    assert_eq!(
        value("characters.lu-yan.display_name").as_deref(),
        Some("陆砚")
    );
    assert_eq!(value("blue_wax").as_deref(), Some("planted"));
    assert_eq!(
        value("world_state.time_marker").as_deref(),
        Some("大潮第一日，夜")
    );
    desk.commit(&written);
    let second = desk.write_chapter();
    assert_eq!(second.answer.delta.base_state_version, 1);
}

#[test]
fn an_agent_nobody_knows_has_no_part() {
    let desk = Desk::new(demo(Lang::Zh));
    let book = OfflineBook {
        reader: &desk.book,
        config: &desk.config,
    };
    let draft = desk.packet(ChapterStage::Draft, Round::First);
    let agent = "nobody";
    let packet = Packet {
        step: StepId::Chapter(novel_model::ChapterNo::first(), ChapterStage::Review).to_string(),
        agent: PacketAgent {
            name: agent.to_owned(),
            ..draft.agent.clone()
        },
        ..draft
    };
    let error = answer(book, &packet).unwrap_err();
    assert!(matches!(&error, OfflineError::NoPart { agent: named } if named == agent));
    assert_eq!(
        error.to_string(),
        format!("the offline author cannot do the work of agent {agent}")
    );
    assert_eq!(error.kind(), Kind::Input);
    assert!(error.hint().is_some());
}

#[test]
fn an_embedded_packet_is_refused() {
    let desk = Desk::new(demo(Lang::Zh));
    let step = StepId::Chapter(desk.checkpoint.next_chapter(), ChapterStage::Draft);
    let request = Request {
        mode: PacketMode::Embed,
        ..Request::new(step)
    };
    let book = BookFiles {
        reader: &desk.book,
        config: &desk.config,
        checkpoint: &desk.checkpoint,
        digests: &Digests::default(),
    };
    let packet = packet::build(book, request).unwrap();
    let book = OfflineBook {
        reader: &desk.book,
        config: &desk.config,
    };
    let error = answer(book, &packet).unwrap_err();
    assert!(matches!(error, OfflineError::NotInPathsMode { .. }));
}

#[test]
fn the_model_is_called_offline() {
    assert_eq!(MODEL, "offline");
}
