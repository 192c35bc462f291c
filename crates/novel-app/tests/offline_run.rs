//! The demo book, written by the offline author through the real loop on a real directory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use novel_app::{
    Clock, Project, demo, doctor,
    executor::Offline,
    run::{Budget, FromError, Runner, Watch, WatchEvent},
    status,
};
use novel_engine::run::{Goal, Stop};
use novel_llm::CancelToken;
use novel_model::{BookReader, Lang, layout};
use novel_store::Store;

struct Silent;

impl Watch for Silent {
    fn event(&self, _: &WatchEvent<'_>) {}
}

fn clock() -> Clock {
    Clock::Fixed("2026-02-21T15:30:00Z".parse().unwrap())
}

fn write(store: &Store, goal: Goal) -> novel_app::run::RunReport {
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
        Err(failure) => {
            let error = failure.explain();
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
