//! Every command that asks an agent, stopped between the answer and what is made of it: the same
//! command then finishes without asking anybody again. Commands that ask for another answer get one
//! when they are given again after they were done.

use std::sync::Arc;

use novel_app::{
    library::analyse,
    revise::{adopt, rebuild, review, revision},
    runner::{Runner, Watch, WatchEvent},
    setup::{from_text, redo, world},
    write::{
        chapter::{Existing, generate},
        run::FromError,
        scene,
        volume_review::volume_review,
    },
};
use novel_book::run::Goal;
use novel_llm::CancelToken;
use novel_model::{ChapterNo, Failure, QuickstartPhase, SceneNo};
use novel_testkit::{
    TestBook,
    crash::{Files, disk, files},
    faulty::{FAULTY, markdown, pending},
    simfs::{SimFs, When},
};

use crate::offline_author::asked;

/// What a command asks when it is given once more after it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Again {
    /// For another answer.
    Another,
    /// For nothing, or it is refused.
    Nothing,
    /// For answers of which some may lie in the ledger unused: it takes chapters back.
    Some,
}

struct Silent;

impl Watch for Silent {
    fn event(&self, _: &WatchEvent<'_>) {}
}

type Deed = fn(&Runner<'_>) -> Result<(), Failure>;

/// Gives a command; returns how many questions it asked.
fn give(fs: &Arc<SimFs>, pid: u32, deed: Deed) -> (Result<(), Failure>, usize) {
    let (done, asked) = asked(fs, pid, None, &Silent, &CancelToken::new(), deed);
    (done, asked.len())
}

/// The operations with which a command begins to use an answer.
fn uses(log: &[String]) -> Vec<usize> {
    let mut uses = Vec::new();
    let mut answered = false;
    for (number, line) in (1..).zip(log) {
        if line.contains("logs/calls/") && !line.contains(".novel.journal") {
            answered = true;
        } else if answered && line.starts_with("create_dir .novel.journal") {
            uses.push(number);
            answered = false;
        }
    }
    uses
}

fn assert_paid_once(name: &str, start: &Files, deed: Deed, again: Again) {
    let whole = disk(start);
    let (done, all) = give(&whole, 100, deed);
    done.unwrap_or_else(|failure| panic!("{name}: {}", failure.explain().message().en));
    assert!(all > 0, "{name} asks nobody");
    let uses = uses(&whole.log());
    assert!(!uses.is_empty(), "{name}: {:#?}", whole.log());
    for (number, at) in (1..).zip(uses) {
        let fs = disk(start);
        fs.crash_at(at, When::Before);
        let (stopped, before) = give(&fs, 100, deed);
        assert!(stopped.is_err() && fs.crashed(), "{name}, answer {number}");
        let fs = Arc::new(fs.restart());
        let (finished, after) = give(&fs, 200, deed);
        finished.unwrap_or_else(|failure| {
            let why = failure.explain().message().en;
            panic!("{name}, answer {number}: {why}")
        });
        assert_eq!(before + after, all, "{name}, answer {number}: asked again");
        let (_, second) = give(&fs, 300, deed);
        let expected = match again {
            Again::Another => all..=all,
            Again::Nothing => 0..=0,
            Again::Some => 1..=all,
        };
        let is_expected = expected.contains(&second);
        assert!(is_expected, "{name}, given once more: {second} of {all}");
    }
}

fn chapter(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

#[test]
fn a_review_that_was_killed_uses_its_answer_and_another_review_asks_anew() {
    let deed: Deed = |runner| {
        review::run(runner, chapter(2))
            .map(drop)
            .map_err(Failure::from)
    };
    let start = files(TestBook::demo(3).tree());
    assert_paid_once("review run", &start, deed, Again::Another);
}

#[test]
fn a_plan_from_text_that_was_killed_uses_its_answers() {
    let deed: Deed = |runner| {
        from_text::from_text(runner, None, None)
            .map(drop)
            .map_err(Failure::from)
    };
    let book = TestBook::demo(3);
    book.configure_tables("[plan]\nchunk = 2");
    let start = files(book.tree());
    assert_paid_once("plan from-text", &start, deed, Again::Another);
}

/// Writes up to where the author decides.
fn up_to_a_decision(runner: &Runner<'_>) -> Result<(), Failure> {
    runner
        .run(Goal::Decision, FromError::Retry)
        .map(drop)
        .map_err(Failure::from)
}

#[test]
fn a_plan_that_is_made_again_and_was_killed_uses_its_answers() {
    let book = TestBook::planning();
    book.ask(&["plan"]).data();
    let start = files(book.tree());
    let deed: Deed = |runner| {
        redo::redo_plan(runner.project, Some("再快一些"))?;
        up_to_a_decision(runner)
    };
    assert_paid_once("plan redo", &start, deed, Again::Another);
}

#[test]
fn a_rest_that_is_planned_anew_and_was_killed_uses_its_answers() {
    let start = files(TestBook::demo(3).tree());
    let deed: Deed = |runner| {
        redo::revise_plan(runner.project, chapter(5), None)?;
        up_to_a_decision(runner)
    };
    assert_paid_once("plan revise", &start, deed, Again::Another);
}

#[test]
fn a_part_of_the_set_up_that_is_made_again_and_was_killed_uses_its_answers() {
    let book = TestBook::initialised();
    book.ask(&["quickstart"]).data();
    let start = files(book.tree());
    let deed: Deed = |runner| {
        redo::redo_quickstart(runner.project, QuickstartPhase::World, Some("多雨"))?;
        up_to_a_decision(runner)
    };
    assert_paid_once("quickstart redo", &start, deed, Again::Some);
}

#[test]
fn an_answer_nothing_came_of_is_used_also_when_something_else_was_done_in_between() {
    let reviewed: Deed = |runner| {
        review::run(runner, chapter(2))
            .map(drop)
            .map_err(Failure::from)
    };
    let rebuilt: Deed = |runner| {
        rebuild::memory(runner, chapter(1))
            .map(drop)
            .map_err(Failure::from)
    };
    let start = files(TestBook::demo(3).tree());
    let whole = disk(&start);
    give(&whole, 100, reviewed).0.unwrap();
    let fs = disk(&start);
    fs.crash_at(uses(&whole.log())[0], When::Before);
    assert!(give(&fs, 100, reviewed).0.is_err());
    let fs = Arc::new(fs.restart());
    let asked = [rebuilt, reviewed, reviewed].map(|deed| {
        let (done, asked) = give(&fs, 200, deed);
        done.unwrap();
        asked
    });
    assert_eq!(asked, [1, 0, 1]);
}

#[test]
fn a_draft_that_was_killed_uses_its_answer_and_another_draft_asks_anew() {
    let book = TestBook::demo(1);
    book.ask(&["chapter", "generate", "2"]).data();
    let start = files(book.tree());
    let deed: Deed = |runner| {
        generate(runner, chapter(2), Existing::Replace)
            .map(drop)
            .map_err(Failure::from)
    };
    assert_paid_once("chapter generate --force", &start, deed, Again::Another);
}

#[test]
fn a_rebuilt_memory_that_was_killed_uses_its_answer_and_another_rebuild_asks_anew() {
    let deed: Deed = |runner| {
        rebuild::memory(runner, chapter(2))
            .map(drop)
            .map_err(Failure::from)
    };
    let start = files(TestBook::demo(3).tree());
    assert_paid_once("memory rebuild", &start, deed, Again::Another);
}

#[test]
fn a_rebuilt_state_that_was_killed_at_any_chapter_goes_on_there_and_another_rebuild_asks_anew() {
    let deed: Deed = |runner| {
        rebuild::state(runner, Some(chapter(1)))
            .map(drop)
            .map_err(Failure::from)
    };
    let start = files(TestBook::demo(3).tree());
    assert_paid_once("state rebuild --from", &start, deed, Again::Another);
}

#[test]
fn a_candidate_that_was_killed_uses_its_answer_and_another_candidate_asks_anew() {
    let deed: Deed = |runner| {
        revision::candidate(runner, chapter(FAULTY), revision::Keep::Pending, None)
            .map(drop)
            .map_err(Failure::from)
    };
    let start = files(pending().tree());
    assert_paid_once("revision candidate", &start, deed, Again::Another);
}

#[test]
fn a_revision_whose_application_was_killed_uses_its_summary() {
    let deed: Deed = |runner| {
        revision::apply(runner, chapter(FAULTY))
            .map(drop)
            .map_err(Failure::from)
    };
    let start = files(pending().tree());
    assert_paid_once("revision apply", &start, deed, Again::Nothing);
}

/// Writes the first scene of chapter 2 again.
fn another_scene(runner: &Runner<'_>) -> Result<(), Failure> {
    let first = SceneNo::new(1);
    scene::generate(runner, chapter(2), first, Existing::Replace, None)
        .map(drop)
        .map_err(Failure::from)
}

#[test]
fn a_scene_that_was_killed_uses_its_answer_and_another_scene_asks_anew() {
    let book = TestBook::demo(1);
    book.ask(&["scene", "plan", "2"]).data();
    book.ask(&["scene", "generate", "2"]).data();
    let start = files(book.tree());
    let name = "scene generate --force";
    assert_paid_once(name, &start, another_scene, Again::Another);
}

/// Scenes of a chapter that `continue` is writing are used too, though the chapter is not finished.
#[test]
fn a_scene_of_a_run_is_asked_for_anew_when_another_is_wanted() {
    let book = TestBook::demo(1);
    book.configure("drafting = \"scenes\"");
    let start = files(book.tree());
    let written: Deed = |runner| {
        runner
            .run(Goal::Chapters(1), FromError::Retry)
            .map(drop)
            .map_err(Failure::from)
    };
    let whole = disk(&start);
    give(&whole, 100, written).0.unwrap();
    // Killed once the plan and a scene are there.
    let fs = disk(&start);
    fs.crash_at(uses(&whole.log())[2], When::Before);
    assert!(give(&fs, 100, written).0.is_err());
    let fs = Arc::new(fs.restart());
    let (done, asked) = give(&fs, 200, another_scene);
    done.unwrap();
    assert_eq!(asked, 1);
}

#[test]
fn an_adopted_text_whose_summary_was_killed_uses_it() {
    let book = TestBook::demo(2);
    let path = markdown(2);
    let text = book.text(&path).replacen('。', "，停了一停。", 1);
    book.write(&path, text);
    let deed: Deed = |runner| {
        adopt::adopt(runner, chapter(2))
            .map(drop)
            .map_err(Failure::from)
    };
    assert_paid_once("adopt", &files(book.tree()), deed, Again::Nothing);
}

#[test]
fn a_volume_review_that_was_killed_uses_its_answer() {
    let deed: Deed = |runner| volume_review(runner, None).map(drop).map_err(Failure::from);
    let start = files(TestBook::demo(12).tree());
    assert_paid_once("volume review", &start, deed, Again::Nothing);
}

#[test]
fn an_addition_to_the_world_that_was_killed_uses_its_answer() {
    let deed: Deed = |runner| {
        world::add(runner, "城里不许夜行。")
            .map(drop)
            .map_err(Failure::from)
    };
    let start = files(TestBook::demo(1).tree());
    // The same wish about the world as it is then is another question.
    assert_paid_once("world add", &start, deed, Again::Another);
}

#[test]
fn an_analysis_that_was_killed_at_any_chapter_uses_its_answers() {
    let mut text = String::new();
    for number in 1..=3 {
        text.push_str(&format!("第{number}章 其{number}\n"));
        for line in 1..=12 {
            text.push_str(&format!(
                "　　第{number}日的第{line}个时辰，林枫走过了石桥。“你从哪里来？”老人问他。\n"
            ));
        }
    }
    let shelf = TestBook::with_file("a.txt", text);
    shelf
        .ask(&["import", "a.txt", "--into", "book", "--yes"])
        .data();
    let deed: Deed = |runner| analyse::analyse(runner).map(drop).map_err(Failure::from);
    let start = files(novel_testkit::tree(&shelf.path("book")));
    assert_paid_once("import --analyse", &start, deed, Again::Nothing);
}
