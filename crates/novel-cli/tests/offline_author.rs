//! The offline author at work on a simulated disk: nobody may be asked whose answer is kept.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use novel_app::{
    Clock, Project,
    executor::{AgentAnswer, AgentCall, AgentError, Executor, Offline, Sign},
    runner::{Budget, Runner, Watch},
};
use novel_book::{config::ExecutorKind, run::Approval};
use novel_llm::CancelToken;
use novel_model::{BookReader, Failure, RelPath};
use novel_testkit::{
    crash::{Files, disk, store},
    simfs::{Entry, SimFs},
};

/// The book on a simulated disk, opened by the process with this number.
///
/// # Errors
/// When the book cannot be opened.
pub(crate) fn project(fs: &Arc<SimFs>, pid: u32) -> Result<Project, Failure> {
    let noon = "2026-03-01T12:00:00Z".parse().unwrap();
    Ok(Project::open(store(fs, pid), Clock::Fixed(noon))?)
}

/// The offline author; it notes what it is asked and may leave one agent's work undone.
struct Noting {
    author: Offline,
    undone: Option<&'static str>,
    asked: Mutex<Vec<String>>,
}

impl Executor for Noting {
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
    ) -> Result<AgentAnswer, AgentError> {
        if self.undone == Some(call.packet.agent.name.as_str()) {
            return Err(novel_app::Refusal::TrialWaits.into());
        }
        self.asked
            .lock()
            .unwrap()
            .push(call.prompt.hash.to_string());
        self.author.run(call, on_sign, cancel)
    }
}

/// The questions whose answers are kept on a disk. A sealed transaction counts as applied, as for every
/// reader: until it is, the file it adds to can end in the middle of a frame.
fn kept(files: &Files) -> BTreeSet<String> {
    let reader = store(&disk(files), 99).reader().unwrap();
    let ledger: RelPath = "logs/calls".parse().unwrap();
    let mut directories = vec![ledger.clone()];
    for (path, entry) in files {
        if *entry == Entry::Dir && path.starts_with("logs/calls/") {
            directories.push(path.parse().unwrap());
        }
    }
    let mut found = BTreeMap::new();
    for directory in directories {
        for name in reader.list(&directory).unwrap() {
            let path = directory.join(&name).unwrap();
            if files.get(path.as_str()) == Some(&Entry::Dir) {
                continue;
            }
            if let Some(bytes) = reader.read(&path).unwrap() {
                found.insert(path.to_string(), bytes);
            }
        }
    }
    let found = found
        .iter()
        .map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
    let calls = novel_testkit::ledger::all_calls(found).into_iter();
    calls
        .map(|call| call["prompt_hash"].as_str().unwrap().to_owned())
        .collect()
}

/// Has something done; `undone` names an agent whose work is left undone.
///
/// # Errors
/// Those of the deed.
pub(crate) fn by_author(
    fs: &Arc<SimFs>,
    pid: u32,
    undone: Option<&'static str>,
    watch: &dyn Watch,
    cancel: &CancelToken,
    deed: impl Fn(&Runner<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let known = kept(&fs.tree());
    let (done, all) = asked(fs, pid, undone, watch, cancel, deed);
    for asked in all {
        assert!(!known.contains(&asked), "asked again: {asked}");
    }
    done
}

/// Has something done and gives the questions that were asked for it.
pub(crate) fn asked(
    fs: &Arc<SimFs>,
    pid: u32,
    undone: Option<&'static str>,
    watch: &dyn Watch,
    cancel: &CancelToken,
    deed: impl Fn(&Runner<'_>) -> Result<(), Failure>,
) -> (Result<(), Failure>, Vec<String>) {
    let project = match project(fs, pid) {
        Ok(project) => project,
        Err(failure) => return (Err(failure), Vec::new()),
    };
    let executor = Noting {
        author: Offline::new(project.store().clone(), project.config().clone()),
        undone,
        asked: Mutex::default(),
    };
    let done = deed(&Runner {
        project: &project,
        executor: &executor,
        watch,
        cancel,
        budget: Budget::of(project.config()),
        approval: Approval::Author,
    });
    (
        released(&project, done),
        executor.asked.into_inner().unwrap(),
    )
}

/// Like the command line: a lock that stays behind is an error.
///
/// # Errors
/// Those of the deed.
pub(crate) fn released(project: &Project, done: Result<(), Failure>) -> Result<(), Failure> {
    done?;
    match project.store().take_unreleased() {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// The book itself: not the ledger of calls, which grows before, and not the bare directories.
#[must_use]
pub(crate) fn book(files: &Files) -> Files {
    let mut files = files.clone();
    files.retain(|path, entry| *entry != Entry::Dir && !path.starts_with("logs/calls/"));
    files
}
