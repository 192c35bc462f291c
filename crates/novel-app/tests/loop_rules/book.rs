//! The demo book in a directory of its own, and runs on it.

use std::{
    collections::BTreeMap,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{Mutex, PoisonError},
};

use novel_app::{
    Clock, Project,
    executor::Executor,
    runner::{Budget, Runner, Watch, WatchEvent},
    setup::demo,
    write::run::{FromError, RunReport},
};
use novel_book::run::Goal;
use novel_llm::CancelToken;
use novel_model::{Failure, Lang, Warning};
use novel_store::{LockStatus, Store};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::script::Script;

/// Files by path.
type Tree = BTreeMap<String, Vec<u8>>;

/// A demo book.
pub(crate) struct Book {
    directory: TempDir,
    pub(crate) store: Store,
}

impl Book {
    /// Planned, nothing written.
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::create(directory.path()).unwrap();
        demo::create(&store, Lang::Zh).unwrap();
        Self { directory, store }
    }

    /// Some chapters are in the book already. They are written once for all tests.
    pub(crate) fn with_chapters(count: u32) -> Self {
        static WRITTEN: Mutex<BTreeMap<u32, Tree>> = Mutex::new(BTreeMap::new());
        let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tree) = written.get(&count) {
            return Self::of(tree);
        }
        let book = match written.range(..count).next_back() {
            Some((_, tree)) => Self::of(tree),
            None => Self::new(),
        };
        let last = book.checkpoint()["last_completed_chapter"]
            .as_u64()
            .unwrap();
        let missing = count - u32::try_from(last).unwrap();
        book.write(&Script::plain(&book), missing);
        written.insert(count, book.tree());
        book
    }

    fn of(tree: &Tree) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::create(directory.path()).unwrap();
        let book = Self { directory, store };
        for (path, bytes) in tree {
            let path = book.root().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        book
    }

    pub(crate) fn root(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn project(&self) -> Project {
        let time = "2026-02-21T15:30:00Z".parse().unwrap();
        Project::open(self.store.clone(), Clock::Fixed(time)).unwrap()
    }

    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).unwrap()
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        self.root().join(path).exists()
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn edit(&self, path: &str, change: impl FnOnce(&mut Value)) {
        let mut value = self.json(path);
        change(&mut value);
        self.put(path, &serde_json::to_string_pretty(&value).unwrap());
    }

    /// More lines of `novel.toml`.
    pub(crate) fn configure(&self, lines: &str) {
        let text = self.text("novel.toml");
        self.put("novel.toml", &format!("{text}\n{lines}\n"));
    }

    pub(crate) fn checkpoint(&self) -> Value {
        self.json(".checkpoint.json")
    }

    /// State, stage, chapter in flight, revisions.
    pub(crate) fn stands(&self) -> Value {
        let checkpoint = self.checkpoint();
        json!([
            checkpoint["orchestrator_state"],
            checkpoint["pipeline_stage"],
            checkpoint["inflight_chapter"],
            checkpoint["revision_count"]
        ])
    }

    pub(crate) fn is_free(&self) -> bool {
        matches!(self.store.lock_status().unwrap(), LockStatus::Free) && !self.exists(".novel.lock")
    }

    /// Every file, by its path.
    pub(crate) fn tree(&self) -> Tree {
        let mut files = BTreeMap::new();
        let mut open = vec![self.root().to_path_buf()];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let name = path.strip_prefix(self.root()).unwrap();
                    files.insert(name.to_str().unwrap().to_owned(), fs::read(&path).unwrap());
                }
            }
        }
        files
    }

    /// The kept answers of a step; `step` as in the name of its directory.
    pub(crate) fn calls(&self, step: &str) -> Vec<Value> {
        let tree = self.tree();
        let files = tree.iter();
        let files = files.map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
        novel_testkit::ledger::calls(files, step)
    }

    /// Writes so many chapters; anything else is a failure of the test.
    pub(crate) fn write(&self, executor: &dyn Executor, count: u32) -> RunReport {
        self.run(executor, Goal::Chapters(count))
            .unwrap_or_else(|failure| {
                let error = failure.explain();
                panic!(
                    "{}: {} {:#?} {:?}",
                    error.code(),
                    error.message(),
                    error.problems(),
                    error.details(Lang::En)
                )
            })
    }

    pub(crate) fn run(&self, executor: &dyn Executor, goal: Goal) -> Result<RunReport, Failure> {
        self.launch(executor, goal, &Launch::default())
    }

    pub(crate) fn retry(&self, executor: &dyn Executor, count: u32) -> Result<RunReport, Failure> {
        let launch = Launch {
            from_error: Some(FromError::Retry),
            ..Launch::default()
        };
        self.launch(executor, Goal::Chapters(count), &launch)
    }

    pub(crate) fn launch(
        &self,
        executor: &dyn Executor,
        goal: Goal,
        launch: &Launch<'_>,
    ) -> Result<RunReport, Failure> {
        let project = self.project();
        let watcher = Watcher::default();
        let cancel = CancelToken::new();
        let runner = Runner {
            project: &project,
            executor,
            watch: launch.watch.unwrap_or(&watcher),
            approval: project.config().approval.into(),
            cancel: launch.cancel.unwrap_or(&cancel),
            budget: launch
                .budget
                .clone()
                .unwrap_or_else(|| Budget::of(project.config())),
        };
        Ok(runner.run(goal, launch.from_error.unwrap_or(FromError::Refuse))?)
    }

    /// A run whose process dies: a panic of the script or of the watcher takes it away.
    pub(crate) fn dies(&self, executor: &dyn Executor, launch: &Launch<'_>) {
        self.dies_within(executor, Goal::Chapters(1), launch);
    }

    /// The same on the way to another goal.
    pub(crate) fn dies_within(&self, executor: &dyn Executor, goal: Goal, launch: &Launch<'_>) {
        let died = catch_unwind(AssertUnwindSafe(|| {
            let _ = self.launch(executor, goal, launch);
        }));
        assert!(died.is_err(), "the run lived on");
    }
}

/// What a run is started with.
#[derive(Default)]
pub(crate) struct Launch<'a> {
    pub(crate) watch: Option<&'a dyn Watch>,
    pub(crate) cancel: Option<&'a CancelToken>,
    pub(crate) budget: Option<Budget>,
    pub(crate) from_error: Option<FromError>,
}

/// Keeps what it saw, in words.
#[derive(Default)]
pub(crate) struct Watcher(Mutex<Vec<String>>);

impl Watcher {
    pub(crate) fn seen(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl Watch for Watcher {
    fn event(&self, event: &WatchEvent<'_>) {
        let line = match event {
            WatchEvent::Started { step, attempt, .. } => format!("started {step} {attempt}"),
            WatchEvent::Text { .. }
            | WatchEvent::Begun { .. }
            | WatchEvent::Accepted {
                step: novel_model::StepId::Chapter(..),
                ..
            }
            | WatchEvent::Judged { .. }
            | WatchEvent::Warned { .. }
            | WatchEvent::Told { .. }
            | WatchEvent::StopRequested
            | WatchEvent::Over { .. } => return,
            WatchEvent::Again { step, .. } => format!("again {step}"),
            WatchEvent::Answered {
                step, from_ledger, ..
            } => format!(
                "{} {step}",
                if *from_ledger { "reused" } else { "answered" }
            ),
            WatchEvent::Failed { step, .. } => format!("failed {step}"),
            WatchEvent::Accepted { step, .. } => format!("accepted {step}"),
            WatchEvent::Chosen { chosen, .. } => format!("chosen {chosen}"),
            WatchEvent::Committed { report } => format!("committed {}", report.chapter),
        };
        self.0.lock().unwrap().push(line);
    }
}

/// The process dies as soon as this step has answered, after its answer was kept.
pub(crate) struct DiesAfter(pub(crate) &'static str);

impl Watch for DiesAfter {
    fn event(&self, event: &WatchEvent<'_>) {
        if let WatchEvent::Answered { step, .. } = event
            && step.to_string() == self.0
        {
            panic!("killed after {step}");
        }
    }
}

pub(crate) fn codes(warnings: &[Warning]) -> Vec<&'static str> {
    warnings.iter().map(|warning| warning.code).collect()
}

pub(crate) fn code(failure: &Failure) -> &'static str {
    failure.explain().code()
}
