//! `novel projects`: the books of a workspace at a glance. Writes nothing.

use std::path::{Path, PathBuf};

use novel_contract::{ErrorSummary, setup as contract};
use novel_model::{Explain, Lang, files::OrchestratorState, layout};
use novel_store::{Store, is_project};

use crate::{Clock, OpenError, Project, write::commit};

/// Directory of a workspace that holds its projects.
pub const PROJECTS: &str = "projects";

/// The `projects` directories from a directory upwards.
pub fn workspaces(here: &Path) -> impl Iterator<Item = PathBuf> {
    here.ancestors()
        .map(|directory| directory.join(PROJECTS))
        .filter(|projects| projects.is_dir())
}

/// The nearest workspace's `projects` directory and what in it is a project, or was one: a damaged
/// project is to be seen, not to disappear.
#[must_use]
pub fn around(here: &Path) -> Option<(PathBuf, Vec<String>)> {
    let projects = workspaces(here).next()?;
    let is_book = |directory: &Path| {
        is_project(directory) || directory.join(layout::config().as_str()).exists()
    };
    let mut names: Vec<String> = projects
        .read_dir()
        .ok()?
        .filter_map(Result::ok)
        .filter(|entry| is_book(&entry.path()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Some((projects, names))
}

/// One book at a glance.
#[derive(Debug)]
pub struct BookSummary {
    /// Title, if there is one.
    pub title: Option<String>,
    /// Where it stands.
    pub state: OrchestratorState,
    /// Chapters written.
    pub chapters: u32,
    /// Words written.
    pub words: u64,
    /// Chapters that wait for the author.
    pub pending: Vec<u32>,
    /// Why it cannot go on by itself, by code: a gate, a failed step.
    pub waits: Option<String>,
    /// When the checkpoint last moved.
    pub last_change: Option<String>,
}

/// Looks at one book.
///
/// # Errors
/// When a file it needs is missing or damaged.
pub fn summary(store: Store, clock: Clock) -> Result<BookSummary, OpenError> {
    let project = Project::open(store, clock)?;
    project.look(|view| {
        let checkpoint = view.checkpoint.get();
        let totals = commit::current_progress(view.reader(), checkpoint.last_completed_chapter)?;
        let pending = view.survey()?.chapters();
        Ok(BookSummary {
            title: project.config().title.clone(),
            state: checkpoint.orchestrator_state,
            chapters: checkpoint.last_completed_chapter,
            words: totals.total_words,
            pending: pending.iter().map(|chapter| chapter.get()).collect(),
            waits: view.next().err().map(|error| error.code().to_owned()),
            last_change: checkpoint.last_checkpoint_time.clone(),
        })
    })
}

/// A project in the list.
#[must_use]
pub fn row(
    name: &str,
    summary: &Result<BookSummary, OpenError>,
    lang: Lang,
) -> contract::ProjectRow {
    match summary {
        Ok(book) => contract::ProjectRow::Readable(contract::ProjectSummary {
            name: name.to_owned(),
            title: book.title.clone(),
            state: book.state,
            chapters: book.chapters,
            words: book.words,
            pending_chapters: book.pending.clone(),
            waits: book.waits.clone(),
            last_change: book.last_change.clone(),
            error: None,
        }),
        Err(error) => contract::ProjectRow::Damaged(contract::DamagedProject {
            name: name.to_owned(),
            error: ErrorSummary::new(error, lang),
        }),
    }
}
