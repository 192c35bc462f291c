//! Every file operation of the commands that write, failing once and for good with `EIO`, `ENOSPC` and
//! `EROFS`, and the power goes afterwards. Success means applied, durable and sound; a failure leaves
//! a book on which the same command goes on.

use std::sync::Arc;

use novel_app::{
    BookError, Clock, Project,
    care::doctor,
    executor::Offline,
    history,
    library::import,
    revise::adopt,
    runner::{Budget, Runner, Watch, WatchEvent},
    setup::{demo, init},
    write::{advance, commit, next, regen, run::FromError, submit},
};
use novel_book::{
    config::{ApprovalPolicy, StyleConfig},
    run::{Approval, Goal},
};
use novel_llm::CancelToken;
use novel_model::{ChapterNo, Explain, Failure, Lang, StepId};
use novel_testkit::{
    Manner, Plan, TestBook,
    crash::{Deed, Files, GoesOn, files, store},
    faults::{Failures, Faulted, Leaves},
    pretty,
    simfs::{Entry, SimFs},
};

use crate::offline_author::{project, released};

struct Silent;

impl Watch for Silent {
    fn event(&self, _: &WatchEvent<'_>) {}
}

fn clock() -> Clock {
    Clock::Fixed("2026-03-01T12:00:00Z".parse().unwrap())
}

fn chapter(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

/// Does something with an open book and without an agent.
fn on_book(
    fs: &Arc<SimFs>,
    pid: u32,
    deed: impl Fn(&Project) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let project = project(fs, pid)?;
    released(&project, deed(&project))
}

/// Does something with the offline author.
fn with_author(
    fs: &Arc<SimFs>,
    pid: u32,
    deed: impl Fn(&Runner<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let project = project(fs, pid)?;
    let done = deed(&Runner {
        project: &project,
        executor: &Offline::new(project.store().clone(), project.config().clone()),
        watch: &Silent,
        cancel: &CancelToken::new(),
        budget: Budget::of(project.config()),
        approval: Approval::Author,
    });
    released(&project, done)
}

fn assert_sound(fs: &Arc<SimFs>, what: &str) {
    let health = doctor::doctor(&store(fs, 300), clock(), doctor::Repair::Report);
    let health = health.unwrap_or_else(|failure| panic!("{what}: {}", failure.message()));
    assert!(health.findings.is_empty(), "{what}: {:#?}", health.findings);
}

/// All but lock and journal, which a power cut may bring back empty-handed.
fn everything(files: &Files) -> Files {
    let mut files = files.clone();
    files.retain(|path, _| !path.starts_with(".novel."));
    files
}

/// The book alone: what was tried twice is in the logs.
fn book(files: &Files) -> Files {
    let mut files = everything(files);
    files.retain(|path, entry| {
        let is_log = path.starts_with("logs/") || path.starts_with("archive/");
        *entry != Entry::Dir && !is_log
    });
    files
}

/// Of a command of many calls; `scripts/attack.sh faults` lets all of them fail.
const SOME: Failures = Failures::Some {
    most: 60,
    step: 199,
};

/// A command that is one transaction.
fn one_transaction(name: &str, start: &Files, run: &Deed<'_>) -> Files {
    Faulted {
        name,
        run,
        again: run,
        assert_sound: &assert_sound,
        of_interest: everything,
        leaves: Leaves::BeforeOrAfter,
        failures: Failures::Every(13),
    }
    .enumerate(start)
}

/// A command of several transactions.
fn step_by_step(name: &str, start: &Files, run: &Deed<'_>, again: &Deed<'_>) -> Files {
    Faulted {
        name,
        run,
        again,
        assert_sound: &assert_sound,
        of_interest: book,
        leaves: Leaves::AWayOn,
        failures: SOME,
    }
    .enumerate(start)
}

#[test]
fn every_failing_call_of_rollback_undo_and_redo_is_told_or_overcome() {
    let start = files(TestBook::demo(2).tree());
    let rolled_back = one_transaction("rollback 1", &start, &|fs, pid| {
        on_book(fs, pid, |project| {
            history::rollback(project, 1)
                .map(drop)
                .map_err(Failure::from)
        })
    });
    let undone = one_transaction("undo", &rolled_back, &|fs, pid| {
        on_book(fs, pid, |project| {
            history::undo(project, None)
                .map(drop)
                .map_err(Failure::from)
        })
    });
    one_transaction("redo", &undone, &|fs, pid| {
        on_book(fs, pid, |project| {
            history::redo(project).map(drop).map_err(Failure::from)
        })
    });
}

#[test]
fn every_failing_call_of_submit_advance_and_commit_is_told_or_overcome() {
    let book = TestBook::planned(Plan::new(3));
    book.driver().write(1);
    let step = |stage: &str| -> StepId { format!("chapter:002:{stage}").parse().unwrap() };
    let draft = book.plan().draft(2, Manner::Usual);
    let start = files(book.tree());
    let submitted = one_transaction("submit draft", &start, &|fs, pid| {
        on_book(fs, pid, |project| {
            let origin = submit::Origin::default();
            submit::submit(project, step("draft"), draft.as_bytes(), &origin)
                .map(drop)
                .map_err(Failure::from)
        })
    });
    one_transaction("advance draft", &submitted, &|fs, pid| {
        on_book(fs, pid, |project| {
            advance::advance(project, step("draft"))
                .map(drop)
                .map_err(Failure::from)
        })
    });
    book.driver().up_to_refined(2);
    let verdict = pretty(&book.plan().verdict(2, 4.2));
    let refined = files(book.tree());
    one_transaction("submit verdict", &refined, &|fs, pid| {
        on_book(fs, pid, |project| {
            let origin = submit::Origin::default();
            submit::submit(project, step("judge"), verdict.as_bytes(), &origin)
                .map(drop)
                .map_err(Failure::from)
        })
    });
    let judged = TestBook::planned(Plan::new(3));
    judged.driver().write(1);
    judged.driver().up_to_judged(2);
    one_transaction("commit", &files(judged.tree()), &|fs, pid| {
        on_book(fs, pid, |project| {
            commit::commit(project, chapter(2), commit::CommitMode::Apply)
                .map(drop)
                .map_err(Failure::from)
        })
    });
}

#[test]
fn every_failing_call_of_continue_is_told_or_overcome() {
    let start = files(TestBook::demo(2).tree());
    let go_on = |fs: &Arc<SimFs>, pid| {
        let next = on_book(fs, pid, |project| {
            next::next_step(project).map(drop).map_err(Failure::from)
        });
        next?;
        with_author(fs, pid, |runner| {
            let written = runner.project.look(|book| {
                Ok::<_, BookError>(book.checkpoint.get().last_completed_chapter >= 3)
            })?;
            if written {
                return Ok(());
            }
            runner
                .run(Goal::Until(chapter(3)), FromError::Retry)
                .map(drop)
                .map_err(Failure::from)
        })
    };
    step_by_step(
        "continue",
        &start,
        &|fs, pid| {
            with_author(fs, pid, |runner| {
                runner
                    .run(Goal::Chapters(1), FromError::Refuse)
                    .map(drop)
                    .map_err(Failure::from)
            })
        },
        &go_on,
    );
}

#[test]
fn every_failing_call_of_adopt_is_told_or_overcome() {
    let edited = TestBook::demo(2);
    edited.tamper("chapters/chapter-002.md");
    let start = files(edited.tree());
    let adopt: &Deed<'_> = &|fs, pid| {
        with_author(fs, pid, |runner| {
            adopt::adopt(runner, chapter(2))
                .map(drop)
                .map_err(Failure::from)
        })
    };
    Faulted {
        name: "adopt 2",
        run: adopt,
        again: adopt,
        assert_sound: &assert_sound,
        of_interest: book,
        leaves: Leaves::BeforeOrAfter,
        failures: SOME,
    }
    .enumerate(&start);
}

#[test]
fn every_failing_call_of_regen_is_told_or_overcome() {
    let start = files(TestBook::demo(2).tree());
    let regen: &Deed<'_> = &|fs, pid| {
        with_author(fs, pid, |runner| {
            regen::regen(runner, chapter(2), regen::Later::Refuse, None)
                .map(drop)
                .map_err(Failure::from)
        })
    };
    step_by_step("regen 2", &start, regen, regen);
}

fn init_options() -> init::InitOptions {
    init::InitOptions {
        title: Some("雾城".to_owned()),
        author: None,
        language: Lang::Zh,
        genre: None,
        protagonist: None,
        conflict: None,
        style: StyleConfig::default(),
        approval: ApprovalPolicy::default(),
        brief: None,
        overwrite: init::Overwrite::Refuse,
    }
}

/// As the command does it.
fn init_or_take_up(fs: &Arc<SimFs>, pid: u32) -> Result<(), Failure> {
    let (store, options) = (store(fs, pid), init_options());
    let report = match init::take_up(&store, clock(), Some(&options))? {
        Some(report) => report,
        None => init::init(&store, clock(), &options)?,
    };
    untold(report.lock);
    Ok(())
}

/// Dies before anyone is told: the lock is given back when the answer is printed.
fn untold(lock: novel_store::Writer) {
    std::mem::forget(lock);
}

fn make_demo(fs: &Arc<SimFs>, pid: u32) -> Result<(), Failure> {
    let made = demo::create(&store(fs, pid), Lang::Zh)?;
    let project = project(fs, pid)?;
    let runner = Runner {
        project: &project,
        executor: &Offline::new(project.store().clone(), project.config().clone()),
        watch: &Silent,
        cancel: &CancelToken::new(),
        budget: Budget::of(project.config()),
        approval: Approval::Author,
    };
    if made.chapters == 0 {
        runner.run_holding(&made.lock, Goal::Chapters(1), FromError::Retry)?;
    }
    untold(made.lock);
    Ok(())
}

/// The book, and which answers were paid for.
fn book_and_calls(files: &Files) -> Files {
    let mut found = book(files);
    let calls = files.keys().filter(|path| path.starts_with("logs/calls/"));
    found.extend(calls.map(|path| (path.clone(), Entry::Dir)));
    found
}

/// The book, and every answer to a question that was asked a third time. Answers of the chapter lie
/// loose until the next commit puts them away, so their places differ; a question that was asked again
/// after the crash would have the next number.
fn book_and_repeated_calls(files: &Files) -> Files {
    let mut found = book(files);
    let is_repeated = |path: &&String| {
        path.starts_with("logs/calls/")
            && path.ends_with(".json")
            && !path.ends_with("-0.json")
            && !path.ends_with("-1.json")
            && !path.ends_with(".rejected.json")
    };
    let repeated = files.keys().filter(is_repeated);
    found.extend(repeated.map(|path| (path.clone(), Entry::Dir)));
    found
}

#[test]
fn a_killed_init_demo_or_regen_goes_on_by_the_same_command() {
    GoesOn {
        name: "init",
        run: &init_or_take_up,
        of_interest: everything,
        step: 1,
    }
    .enumerate(&Files::new());
    GoesOn {
        name: "demo --chapters 1",
        run: &make_demo,
        of_interest: book_and_calls,
        step: 11,
    }
    .enumerate(&Files::new());
    GoesOn {
        name: "regen 2",
        run: &|fs, pid| {
            with_author(fs, pid, |runner| {
                let done = regen::regen(runner, chapter(2), regen::Later::Refuse, None)?;
                untold(done.lock);
                Ok(())
            })
        },
        of_interest: book_and_repeated_calls,
        step: 7,
    }
    .enumerate(&files(TestBook::demo(2).tree()));
}

#[test]
fn an_init_of_another_book_is_refused_although_one_was_interrupted() {
    let fs = Arc::new(SimFs::default());
    let report = init::init(&store(&fs, 100), clock(), &init_options()).unwrap();
    untold(report.lock);
    let other = init::InitOptions {
        title: Some("雾港".to_owned()),
        ..init_options()
    };
    let found = init::take_up(&store(&fs, 200), clock(), Some(&other)).unwrap();
    assert!(found.is_none());
    let refused = init::init(&store(&fs, 200), clock(), &other).unwrap_err();
    assert_eq!(refused.code(), "ALREADY_EXISTS");
    // A demo is made over nobody's book either.
    let refused = demo::create(&store(&fs, 200), Lang::Zh).unwrap_err();
    assert_eq!(refused.code(), "ALREADY_EXISTS");
}

#[test]
fn every_failing_call_of_init_and_import_is_told_or_overcome() {
    let options = init_options();
    let without_project =
        |fs: &Arc<SimFs>, pid, deed: &dyn Fn(&novel_store::Store) -> Result<(), Failure>| {
            let store = store(fs, pid);
            deed(&store)?;
            store
                .take_unreleased()
                .map_or(Ok(()), |error| Err(error.into()))
        };
    one_transaction("init", &Files::new(), &|fs, pid| {
        without_project(fs, pid, &|store| {
            init::init(store, clock(), &options)
                .map(drop)
                .map_err(Failure::from)
        })
    });
    let text = "第一章 起\n\n雨落在城头。\n\n第二章 承\n\n钟声响了三下。\n";
    let plan = || {
        let source = import::import_all(
            &[("book.txt".to_owned(), text.into())],
            &import::Reading::default(),
        )?;
        let plan = import::plan(source, &import::ImportOptions::default());
        plan.map_err(Failure::from)
    };
    let import: &Deed<'_> = &|fs, pid| {
        without_project(fs, pid, &|store| {
            import::write(store, clock(), plan()?)
                .map(drop)
                .map_err(Failure::from)
        })
    };
    step_by_step("import", &Files::new(), import, import);
}

#[test]
fn every_failing_call_of_doctor_fix_is_told_or_overcome() {
    let damaged = TestBook::demo(1);
    damaged.remove("logs/progress.json");
    damaged.remove("state/current-state.json");
    let start = files(damaged.tree());
    let fix: &Deed<'_> = &|fs, pid| {
        let store = store(fs, pid);
        let report = doctor::doctor(&store, clock(), doctor::Repair::Apply)?;
        if !report.is_healthy() {
            return Err(novel_app::Refusal::TrialWaits.into());
        }
        store
            .take_unreleased()
            .map_or(Ok(()), |error| Err(error.into()))
    };
    step_by_step("doctor --fix", &start, fix, fix);
}
