//! `novel projects`: the books of a workspace at a glance. Writes nothing.

use novel_contract::{ErrorSummary, setup as contract};
use novel_model::{Explain, Lang, files::OrchestratorState};
use novel_store::Store;

use crate::{Clock, OpenError, Project, write::commit};

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
    /// Why it can not go on by itself, by code: a gate, a failed step.
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
