//! The demo book, written by the offline author through the real loop on a real directory; and
//! what others see of it meanwhile.

use std::{path::Path, thread};

use novel_app::{
    Clock, Project,
    care::doctor,
    executor::Offline,
    library::cost,
    library::status,
    runner::{Budget, Runner, Watch, WatchEvent},
    setup::demo,
    write::next,
    write::run::FromError,
};
use novel_book::operations::OperationLog;
use novel_book::run::{Goal, Stop};
use novel_llm::CancelToken;
use novel_model::{BookReader, Explain, Failure, Lang, StepId, layout};
use novel_store::{Store, StoreReader};

struct Silent;

impl Watch for Silent {
    fn event(&self, _: &WatchEvent<'_>) {}
}

fn clock() -> Clock {
    Clock::Fixed("2026-02-21T15:30:00Z".parse().unwrap())
}

fn write(store: &Store, goal: Goal) -> novel_app::write::run::RunReport {
    let project = Project::open(store.clone(), clock()).unwrap();
    let executor = Offline::new(store.clone(), project.config().clone());
    let runner = Runner {
        project: &project,
        executor: &executor,
        watch: &Silent,
        cancel: &CancelToken::new(),
        budget: Budget::of(project.config()),
        approval: project.config().approval.into(),
    };
    match runner.run(goal, FromError::Refuse) {
        Ok(report) => report,
        Err(error) => {
            panic!(
                "{}: {} {:#?} {:?}",
                error.code(),
                error.message(),
                error.problems(),
                error.details(Lang::En)
            );
        }
    }
}

#[test]
fn the_demo_volume_is_written_to_its_end_in_both_languages() {
    for lang in [Lang::Zh, Lang::En] {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::create(directory.path()).unwrap();
        demo::create(&store, lang).unwrap();
        let report = write(&store, Goal::Chapters(2));
        assert_eq!((report.stop, report.finished.len()), (Stop::GoalReached, 2));
        let report = write(&store, Goal::VolumeEnd);
        assert_eq!(report.stop, Stop::VolumeEnd);
        let project = Project::open(store.clone(), clock()).unwrap();
        let status = status::status(&project).unwrap();
        assert!(status.checkpoint.last_completed_chapter >= 12);
        assert_eq!(status.checkpoint.orchestrator_state.word(), "VOL_REVIEW");
        assert!(status.edited.is_empty());
        let health = doctor::doctor(&store, clock(), doctor::Repair::Report).unwrap();
        assert!(health.findings.is_empty(), "{:#?}", health.findings);
        assert!(
            store
                .reader()
                .unwrap()
                .read(&layout::lock_info())
                .unwrap()
                .is_none()
        );
    }
}

/// The chapter a look found the book at; every part of what it found belongs together.
fn look(root: &Path) -> u32 {
    let project = Project::open(Store::open(root).unwrap(), clock()).unwrap();
    let StepId::Chapter(chapter, _) = next::next_step(&project).unwrap().next.step else {
        panic!("a chapter is next");
    };

    let status = status::status(&project).unwrap();
    let written = status.checkpoint.last_completed_chapter;
    assert_eq!(status.totals.chapters, written);
    assert_eq!(status.edited, []);
    assert_eq!(status.pending, []);
    assert!(matches!(status.waits.next, Ok(StepId::Chapter(..))));

    let health = doctor::doctor(project.store(), clock(), doctor::Repair::Report).unwrap();
    assert!(health.findings.is_empty(), "{:#?}", health.findings);

    let costs = cost::cost(&project).unwrap();
    let numbers: Vec<u32> = costs.chapters.iter().map(|(n, _)| n.get()).collect();
    assert!(numbers.iter().copied().eq(1..=numbers.len() as u32));

    let log = |reader: &StoreReader| Ok::<_, Failure>(OperationLog::read(reader)?);
    let log = project.store().look(log).unwrap();
    let numbers = log.operations.iter().map(|done| done.operation);
    assert!(numbers.eq(1..=log.operations.len() as u64));
    chapter.get()
}

/// Chapters that are written while others read.
const CHAPTERS: u32 = 4;

#[test]
fn what_is_read_while_another_process_writes_is_sound() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    demo::create(&Store::create(root).unwrap(), Lang::Zh).unwrap();
    let first = look(root);
    let seen = thread::scope(|scope| {
        let writer = scope.spawn(|| write(&Store::open(root).unwrap(), Goal::Chapters(CHAPTERS)));
        let mut seen = vec![first];
        while !writer.is_finished() {
            seen.push(look(root));
        }
        writer.join().unwrap();
        seen
    });
    assert!(seen.is_sorted(), "{seen:?}");
    assert!(seen.len() > 3, "{seen:?}");
    assert_eq!(look(root), first + CHAPTERS);
}
