//! Sixty chapters in one run: prompts stay flat and every invariant holds at the end.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
};

use novel_app::{
    Clock, Project,
    care::doctor,
    executor::{AgentAnswer, AgentCall, Executor, Offline, Sign},
    library::status,
    runner::{Budget, Runner, Watch, WatchEvent},
    setup::demo,
    write::run::FromError,
};
use novel_book::{
    config::ExecutorKind,
    run::{Goal, Stop},
};
use novel_llm::CancelToken;
use novel_model::{ChapterNo, Explain, Lang, StepId};
use novel_store::Store;
use novel_testkit::{replay, volume};
use serde_json::Value;

const CHAPTERS: u32 = 60;
/// The last ten chapters may have prompts so many times the size of the first ten.
const MOST_GROWTH: f64 = 1.2;

struct Silent;

impl Watch for Silent {
    fn event(&self, _: &WatchEvent<'_>) {}
}

/// The offline author, with a note of the size of every prompt.
struct Measured {
    author: Offline,
    prompt_bytes: Mutex<BTreeMap<(ChapterNo, String), usize>>,
}

impl Executor for Measured {
    fn kind(&self) -> ExecutorKind {
        self.author.kind()
    }

    fn model_for(&self, roles: &[&str]) -> String {
        self.author.model_for(roles)
    }

    fn run(
        &self,
        call: &AgentCall<'_>,
        on_sign: &mut dyn FnMut(Sign),
        cancel: &CancelToken,
    ) -> Result<AgentAnswer, novel_app::executor::AgentError> {
        let StepId::Chapter(chapter, _) = call.step else {
            panic!("{} is no step of a chapter", call.step);
        };
        let bytes = call
            .prompt
            .sections
            .iter()
            .map(|section| section.text.len());
        let agent = call.prompt.agent.name().to_owned();
        self.prompt_bytes
            .lock()
            .unwrap()
            .insert((chapter, agent), bytes.sum());
        self.author.run(call, on_sign, cancel)
    }
}

fn clock() -> Clock {
    Clock::Fixed("2026-02-21T15:30:00Z".parse().unwrap())
}

fn json(root: &Path, path: &str) -> Value {
    serde_json::from_slice(&fs::read(root.join(path)).unwrap()).unwrap()
}

#[test]
fn sixty_chapters_in_one_run_keep_prompts_flat_and_the_book_whole() {
    // Memory, where there is such a place: what is asked here is not about the disk.
    let memory = Path::new("/dev/shm");
    let directory = if memory.is_dir() {
        tempfile::tempdir_in(memory).unwrap()
    } else {
        tempfile::tempdir().unwrap()
    };
    let root = directory.path();
    let store = Store::create(root).unwrap();
    demo::create(&store, Lang::Zh).unwrap();
    volume::lay(root, CHAPTERS);
    let project = Project::open(store.clone(), clock()).unwrap();
    let executor = Measured {
        author: Offline::new(store.clone(), project.config().clone()),
        prompt_bytes: Mutex::default(),
    };
    let runner = Runner {
        project: &project,
        executor: &executor,
        watch: &Silent,
        cancel: &CancelToken::new(),
        budget: Budget::of(project.config()),
        approval: project.config().approval.into(),
    };
    let report = runner
        .run(Goal::VolumeEnd, FromError::Refuse)
        .unwrap_or_else(|error| {
            panic!(
                "{}: {} {:#?}",
                error.code(),
                error.message(),
                error.problems()
            )
        });
    assert_eq!(report.stop, Stop::VolumeEnd);
    assert_eq!(report.finished.len(), CHAPTERS as usize);

    let sizes = executor.prompt_bytes.into_inner().unwrap();
    for agent in [
        "chapter-writer",
        "summarizer",
        "style-refiner",
        "quality-judge",
    ] {
        let mean = |from: u32, to: u32| -> f64 {
            let sizes: Vec<f64> = (from..=to)
                .map(|chapter| {
                    let key = (ChapterNo::new(chapter).unwrap(), agent.to_owned());
                    f64::from(u32::try_from(sizes[&key]).unwrap())
                })
                .collect();
            sizes.iter().sum::<f64>() / 10.0
        };
        let ratio = mean(CHAPTERS - 9, CHAPTERS) / mean(1, 10);
        assert!(ratio <= MOST_GROWTH, "{agent}: {ratio:.3}");
    }

    whole(&store, root);
}

/// What must hold of a book after any run.
fn whole(store: &Store, root: &Path) {
    let health = doctor::doctor(store, clock(), doctor::Repair::Report).unwrap();
    assert!(health.findings.is_empty(), "{:#?}", health.findings);
    let project = Project::open(store.clone(), clock()).unwrap();
    let status = status::status(&project).unwrap();
    assert_eq!(status.checkpoint.last_completed_chapter, CHAPTERS);
    assert_eq!(status.checkpoint.orchestrator_state.word(), "VOL_REVIEW");
    assert!(status.edited.is_empty());

    let state = json(root, "state/current-state.json");
    assert_eq!(state["state_version"], CHAPTERS);
    assert_eq!(state["last_updated_chapter"], CHAPTERS);
    let text = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    assert_eq!(
        replay::replay(&text("state/changelog.jsonl")),
        text("state/current-state.json"),
        "the changelog replays to the state byte for byte"
    );
    for chapter in 1..=CHAPTERS {
        for path in [
            format!("chapters/chapter-{chapter:03}.md"),
            format!("summaries/chapter-{chapter:03}-summary.md"),
            format!("evaluations/chapter-{chapter:03}-eval.json"),
            format!("logs/chapter-{chapter:03}-log.json"),
        ] {
            assert!(root.join(&path).is_file(), "{path}");
        }
        let log = json(root, &format!("logs/chapter-{chapter:03}-log.json"));
        assert_eq!(log["gate_decision"], "pass", "chapter {chapter}");
    }
    let open = json(root, "foreshadowing/global.json")["foreshadowing"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["status"] != "resolved")
        .count();
    assert!(open <= 1, "{open} items are open");
    let left = files_under(&root.join("staging"));
    assert!(left.is_empty(), "{left:?}");
}

fn files_under(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                files_under(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
