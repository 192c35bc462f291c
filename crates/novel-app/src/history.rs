//! `novel undo` and `novel rollback`: nothing is deleted, `archive/` keeps what goes.

mod drafts;

use std::collections::BTreeSet;

use novel_book::{
    changelog::{self, Entry, not_replayable, parse_entry, reached},
    edit::Changes,
    foreshadow::foreshadowing_after,
};
use novel_contract::history as contract;
use novel_model::{
    BookReader, BrokenFile, ChapterNo, ContentHash, Document, Failure, FileError, QuickstartPhase,
    RelPath, StepId, VolumeNo,
    files::{Checkpoint, Foreshadowing, OrchestratorState, PipelineStage},
    layout, to_json_text,
};
use novel_steps::{staging, volumes::Volumes};
use novel_store::{FileChange, PastOperation, TxnKind, TxnLabel, Writer, operations};
use novel_story::trial::TRIAL_CHAPTERS;
use serde_json::Value;

use crate::{Project, Refusal, write::advance::stamp_checkpoint, write::commit::count_progress};

/// What an undo took back.
#[derive(Debug)]
pub struct UndoReport {
    /// The operation.
    pub undone: PastOperation,
    /// The files that are as they were before it.
    pub restored: Vec<RelPath>,
}

/// Takes the newest operation back that was not taken back yet.
///
/// # Errors
/// When there is none, or a file was changed since; nothing is written then.
pub fn undo(project: &Project) -> Result<UndoReport, Failure> {
    let writer = project.store().acquire(None)?;
    let reader = writer.reader()?;
    let passed = |operation: &PastOperation| drafts::is_passed(&reader, operation);
    let Some(operation) = newest_standing(operations(&reader)?, passed)? else {
        return Err(Refusal::NothingToUndo.into());
    };
    let mut edited = changed_since(&reader, &operation)?;
    // A chapter begun since then only moved the checkpoint; its work goes to the archive.
    let in_flight = drafts::work_since(&reader, &operation)?;
    if let Some(work) = &in_flight {
        edited.retain(|path| *path != layout::checkpoint() && !work.owns(path));
    }
    // Calls made for the chapter since then were added to its log.
    let newest = crate::read_checkpoint(&reader)?.get().last_chapter();
    edited.retain(|path| newest.map(layout::chapter_log).as_ref() != Some(path));
    if !edited.is_empty() {
        return Err(Refusal::ChangedSince {
            operation: operation.operation,
            paths: edited,
        }
        .into());
    }
    let kind = TxnKind::Undo {
        operation: operation.operation,
    };
    let mut txn = writer.begin(TxnLabel::new(
        kind,
        format!("operation-{}", operation.operation),
    ));
    txn.at(project.now());
    if let Some(work) = in_flight {
        for path in staging::everything(&reader, work.chapter)? {
            if work.owns(&path) {
                txn.remove(path);
            }
        }
    }
    for change in &operation.changes {
        let path = change.path().clone();
        match change {
            FileChange::Created { .. } => txn.remove(path),
            FileChange::Replaced { .. } | FileChange::Removed { .. } => {
                let bytes = operation.before(&reader, &path)?;
                txn.write(path, bytes);
            }
            FileChange::Grown { from, .. } => {
                let mut bytes = reader.read(&path)?.unwrap_or_default();
                bytes.truncate(usize::try_from(*from).unwrap_or(usize::MAX));
                txn.write(path, bytes);
            }
        }
    }
    let receipt = txn.commit()?;
    let log = layout::operations();
    let restored = receipt
        .changed
        .into_iter()
        .filter(|path| *path != log)
        .collect();
    Ok(UndoReport {
        undone: operation,
        restored,
    })
}

/// The newest operation that no later undo took back, and that is still there to be taken back.
fn newest_standing(
    mut operations: Vec<PastOperation>,
    is_passed: impl Fn(&PastOperation) -> Result<bool, FileError>,
) -> Result<Option<PastOperation>, FileError> {
    let mut undone = BTreeSet::new();
    while let Some(operation) = operations.pop() {
        match operation.target.strip_prefix("operation-") {
            Some(number) if operation.kind == "undo" => undone.extend(number.parse::<u64>().ok()),
            _ if undone.contains(&operation.operation) || is_passed(&operation)? => {}
            _ => return Ok(Some(operation)),
        }
    }
    Ok(None)
}

/// Files that are not as the operation left them.
fn changed_since(
    reader: &dyn BookReader,
    operation: &PastOperation,
) -> Result<Vec<RelPath>, FileError> {
    let mut changed = Vec::new();
    for change in &operation.changes {
        let now = reader.read(change.path())?;
        let same = match change {
            FileChange::Created { after, .. } | FileChange::Replaced { after, .. } => {
                now.is_some_and(|bytes| ContentHash::of(bytes) == *after)
            }
            FileChange::Removed { .. } => now.is_none(),
            FileChange::Grown { from, added, .. } => now.is_some_and(|bytes| {
                let from = usize::try_from(*from).unwrap_or(usize::MAX);
                bytes
                    .get(from..)
                    .is_some_and(|tail| ContentHash::of(tail) == *added)
            }),
        };
        if !same {
            changed.push(change.path().clone());
        }
    }
    Ok(changed)
}

/// What a rollback did.
#[derive(Debug)]
pub struct RollbackReport {
    /// The newest chapter of the book now; `None` when the book is empty again.
    pub chapter: Option<ChapterNo>,
    /// Chapters that went to `archive/`.
    pub removed: u32,
}

/// Returns the book to the moment right after chapter `last` (0: before the first).
///
/// # Errors
/// When the book has no such chapter, or its history can not be replayed.
pub fn rollback(project: &Project, last: u32) -> Result<RollbackReport, Failure> {
    let writer = project.store().acquire(ChapterNo::new(last))?;
    rollback_with(project, &writer, last)
}

/// The same under a lock that is held already.
pub(crate) fn rollback_with(
    project: &Project,
    writer: &Writer,
    last: u32,
) -> Result<RollbackReport, Failure> {
    let reader = writer.reader()?;
    let checkpoint = crate::read_checkpoint(&reader)?;
    let newest = checkpoint.get().last_completed_chapter;
    if last > newest {
        return Err(Refusal::NoSuchChapter {
            chapter: last,
            newest,
        }
        .into());
    }
    let changes = rolled_back(project, &reader, &checkpoint, last)?;
    let chapter = ChapterNo::new(last);
    let kind = TxnKind::Rollback {
        chapter: chapter.unwrap_or(ChapterNo::first()),
    };
    let label = TxnLabel::new(kind, format!("to-{last:03}"));
    project.write(writer, label, changes)?;
    Ok(RollbackReport {
        chapter,
        removed: newest - last,
    })
}

/// What brings the book back to the moment right after chapter `last`, its bookkeeping too.
pub(crate) fn rolled_back(
    project: &Project,
    reader: &dyn BookReader,
    checkpoint: &Document<Checkpoint>,
    last: u32,
) -> Result<Changes, Failure> {
    let mut changes = back_to(project, reader, checkpoint, last)?;
    for path in calls_after(reader, last)? {
        changes.remove(path);
    }
    // Totals that the book did not have at that moment go.
    if !changes.removes(&layout::progress()) {
        changes.write(
            layout::progress(),
            to_json_text(&count_progress(reader, last)?),
        );
    }
    Ok(changes)
}

/// What brings the story back to the moment right after chapter `last`.
pub(crate) fn back_to(
    project: &Project,
    reader: &dyn BookReader,
    checkpoint: &Document<Checkpoint>,
    last: u32,
) -> Result<Changes, Failure> {
    let mut changes = Changes::default();
    let newest = checkpoint.get().last_completed_chapter;
    take_chapters_away(last, newest, &mut changes);
    take_staging_away(reader, &mut changes)?;
    restore_state(reader, last, &mut changes)?;
    restore_foreshadowing(reader, last, &mut changes)?;
    restore_unknown_entities(reader, last, &mut changes)?;
    restore_kept_files(reader, last, &mut changes)?;
    take_reviews_away(reader, checkpoint, last, &mut changes)?;
    let restored = checkpoint_after(project, reader, checkpoint, last)?;
    changes.write(layout::checkpoint(), restored.to_text());
    Ok(changes)
}

fn take_chapters_away(last: u32, newest: u32, changes: &mut Changes) {
    for chapter in (last + 1..=newest).filter_map(ChapterNo::new) {
        for path in [
            layout::chapter_json(chapter),
            layout::chapter_markdown(chapter),
            layout::revision(chapter),
            layout::revised_text(chapter),
            layout::logic_review(chapter),
            layout::consistency(chapter),
            layout::summary(chapter),
            layout::evaluation(chapter),
            layout::crossref(chapter),
            layout::chapter_log(chapter),
        ] {
            changes.remove(path);
        }
    }
}

/// Kept answers for chapters after `last`. They go along with the chapters, so that a chapter
/// written anew is really new.
pub(crate) fn calls_after(reader: &dyn BookReader, last: u32) -> Result<Vec<RelPath>, Failure> {
    let calls = layout::calls_dir();
    let mut paths = Vec::new();
    for name in reader.list(&calls)? {
        let number = name
            .strip_prefix("chapter-")
            .and_then(|rest| rest.split('-').next());
        let later = number
            .and_then(|digits| digits.parse::<ChapterNo>().ok())
            .is_some_and(|chapter| chapter.get() > last);
        if let (true, Ok(directory)) = (later, calls.join(&name)) {
            for file in reader.list(&directory)? {
                paths.extend(directory.join(&file).ok());
            }
        }
    }
    Ok(paths)
}

/// Whatever is in flight belongs to a chapter that comes later. A plan that waits for the author stays
/// whole: the checks say whether it still follows.
fn take_staging_away(reader: &dyn BookReader, changes: &mut Changes) -> Result<(), Failure> {
    let chapters_only = [
        "chapters",
        "drafts",
        "summaries",
        "state",
        "storylines",
        "evaluations",
        "bindings",
        "manifests",
        "scenes",
    ];
    for name in chapters_only {
        let directory = layout::staging_dir().join(name)?;
        collect(reader, &directory, changes)?;
    }
    Ok(())
}

fn collect(
    reader: &dyn BookReader,
    directory: &RelPath,
    changes: &mut Changes,
) -> Result<(), Failure> {
    for name in reader.list(directory)? {
        let path = directory.join(&name)?;
        if path == layout::staged(&layout::storylines()) {
            continue;
        }
        match reader.read(&path) {
            Ok(_) => changes.remove(path),
            Err(novel_model::ReadError::NotAFile { .. }) => collect(reader, &path, changes)?,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// The changelog up to the last line of chapter `last`, and the state it leads to. Where the
/// changelog does not reach, the copy that the next commit put into the archive is taken.
fn restore_state(reader: &dyn BookReader, last: u32, changes: &mut Changes) -> Result<(), Failure> {
    let path = layout::state_changelog();
    let text = reader.text(&path)?.unwrap_or_default();
    let mut kept = String::new();
    let mut entries: Vec<Entry> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let entry = parse_entry(&path, index + 1, line)?;
        if entry.as_ref().is_some_and(|entry| reached(entry) > last) {
            break;
        }
        match entry {
            Some(entry) => entries.push(entry),
            // Lines of an older tool; what follows them starts with a snapshot.
            None => entries.clear(),
        }
        kept.push_str(line);
        kept.push('\n');
    }
    let replayed =
        changelog::replay(&entries).map_err(|error| BrokenFile::new(not_replayable(&error)))?;
    let state = match replayed {
        Some(state) if entries.last().map_or(0, reached) == last => to_json_text(&state).into(),
        // Imported chapters that were not analysed have changed nothing.
        replayed if last > 0 && last <= imported_through(&operations(reader)?) => match replayed {
            Some(state) => to_json_text(&state).into(),
            None => {
                changes.remove(layout::state());
                changes.remove(path);
                return Ok(());
            }
        },
        _ => match archived_state(reader, last)? {
            Some(bytes) => bytes,
            None if last == 0 && text.is_empty() && reader.read(&layout::state())?.is_none() => {
                return Ok(());
            }
            None => return Err(Refusal::NoStateOf { chapter: last }.into()),
        },
    };
    changes.write(layout::state(), state);
    if kept.is_empty() {
        changes.remove(path);
    } else {
        changes.write(path, kept);
    }
    Ok(())
}

/// The last chapter of the import the book began with; zero for a book written here.
pub(crate) fn imported_through(operations: &[PastOperation]) -> u32 {
    let mut import = None;
    for operation in operations {
        let undone = operation.target.strip_prefix("operation-");
        match operation.kind.as_str() {
            "import" => import = Some(operation),
            "undo"
                if import.is_some_and(|import| undone == Some(&import.operation.to_string())) =>
            {
                import = None;
            }
            _ => {}
        }
    }
    import.map_or(0, last_imported)
}

fn last_imported(import: &PastOperation) -> u32 {
    let digits = import.target.strip_prefix("chapter-");
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// The state right after chapter `last`, from the archive of the operation that replaced it.
fn archived_state(reader: &dyn BookReader, last: u32) -> Result<Option<Vec<u8>>, Failure> {
    let path = layout::state();
    for operation in after_chapter(operations(reader)?, last) {
        let replaced = operation
            .changes
            .iter()
            .any(|change| *change.path() == path && matches!(change, FileChange::Replaced { .. }));
        if replaced {
            return Ok(Some(operation.before(reader, &path)?));
        }
    }
    Ok(None)
}

/// The foreshadowing without what later chapters did to it.
fn restore_foreshadowing(
    reader: &dyn BookReader,
    last: u32,
    changes: &mut Changes,
) -> Result<(), Failure> {
    let path = layout::foreshadowing();
    let Some(stored) = Document::<Foreshadowing>::load(reader, &path)? else {
        return Ok(());
    };
    let document = foreshadowing_after(&stored, last);
    changes.write(path, document.to_text());
    Ok(())
}

fn restore_unknown_entities(
    reader: &dyn BookReader,
    last: u32,
    changes: &mut Changes,
) -> Result<(), Failure> {
    let path = layout::unknown_entities();
    let Some(text) = reader.text(&path)? else {
        return Ok(());
    };
    let mut kept = String::new();
    for line in text.lines() {
        let chapter = serde_json::from_str::<Value>(line)
            .ok()
            .and_then(|entry| entry.get("chapter").and_then(Value::as_u64));
        if chapter.is_none_or(|chapter| chapter <= u64::from(last)) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    if kept.is_empty() {
        changes.remove(path);
    } else {
        changes.write(path, kept);
    }
    Ok(())
}

/// Reviews and snapshots of volumes that were not complete, or not reviewed, at that moment.
fn take_reviews_away(
    reader: &dyn BookReader,
    checkpoint: &Document<Checkpoint>,
    last: u32,
    changes: &mut Changes,
) -> Result<(), Failure> {
    if checkpoint.get().last_completed_chapter == last {
        return Ok(());
    }
    let current = checkpoint.get().current_volume;
    let (volume, _) = Volumes::load(reader, current)?.of(last);
    for number in (volume.get()..=current.get()).filter_map(VolumeNo::new) {
        changes.remove(layout::volume_review(number));
        changes.remove(layout::state_snapshot(number));
    }
    Ok(())
}

/// Storyline memories, style drift and blacklist as they were: the oldest copy that an operation
/// after chapter `last` put into the archive.
fn restore_kept_files(
    reader: &dyn BookReader,
    last: u32,
    changes: &mut Changes,
) -> Result<(), Failure> {
    let mut settled = BTreeSet::new();
    for operation in after_chapter(operations(reader)?, last) {
        // A chapter that stays was given another text since; what follows from it stays too.
        if rewritten_chapter(&operation).is_some_and(|chapter| chapter <= last) {
            continue;
        }
        for change in &operation.changes {
            let path = change.path();
            let kept = path.file_name() == "memory.md" && path.as_str().starts_with("storylines/")
                || *path == layout::style_drift()
                || *path == layout::blacklist();
            // What is worked out anew goes too, if the book did not have it then.
            let derived = [
                layout::state(),
                layout::state_changelog(),
                layout::foreshadowing(),
                layout::progress(),
                layout::unknown_entities(),
            ]
            .contains(path);
            // Somebody who retired later is in the story again; an undone retirement left no trace.
            let retired = operation.kind == "retire"
                && path.as_str().starts_with("characters/")
                && is_retired(reader, &operation.target)?;
            let kept = kept || retired;
            let made = matches!(change, FileChange::Created { .. });
            let plan = operation.kind == "commit-volume"
                && ["volumes/", "characters/", "storylines/"]
                    .iter()
                    .any(|part| path.as_str().starts_with(part));
            if !(kept || plan || (made && derived)) || !settled.insert(path.clone()) {
                continue;
            }
            match change {
                FileChange::Created { .. } => changes.remove(path.clone()),
                FileChange::Replaced { .. } | FileChange::Removed { .. } => {
                    changes.write(path.clone(), operation.before(reader, path)?);
                }
                FileChange::Grown { .. } => {}
            }
        }
    }
    Ok(())
}

/// The chapter a rewrite was about.
fn rewritten_chapter(operation: &PastOperation) -> Option<u32> {
    let number = operation.target.strip_prefix("chapter-")?;
    let number = number.split('-').next()?;
    (operation.kind == "rewrite").then(|| number.parse().ok())?
}

fn is_retired(reader: &dyn BookReader, id: &str) -> Result<bool, Failure> {
    let id: novel_model::Slug = id.parse()?;
    Ok(reader.read(&layout::retired_character(&id))?.is_some())
}

/// The operations since the book last stood right after chapter `last`, oldest first.
fn after_chapter(operations: Vec<PastOperation>, last: u32) -> Vec<PastOperation> {
    let stood = [format!("chapter-{last:03}"), format!("to-{last:03}")];
    let since = operations.iter().rposition(|operation| {
        match operation.kind.as_str() {
            "commit" | "rollback" | "rewrite" | "analyse" => stood.contains(&operation.target),
            // An import stands after each of its chapters at once.
            "import" => last > 0 && last_imported(operation) >= last,
            _ => false,
        }
    });
    operations
        .into_iter()
        .skip(since.map_or(0, |index| index + 1))
        .collect()
}

/// The checkpoint right after chapter `last`.
pub(crate) fn checkpoint_after(
    project: &Project,
    reader: &dyn BookReader,
    checkpoint: &Document<Checkpoint>,
    last: u32,
) -> Result<Document<Checkpoint>, Failure> {
    let (volume, ends) = Volumes::load(reader, checkpoint.get().current_volume)?.of(last);
    let mut restored = checkpoint.clone();
    let unchanged = checkpoint.get().last_completed_chapter == last;
    let state = checkpoint.get().working_state();
    let in_trial =
        checkpoint.get().trial_until.is_some() || !unchanged && trial_accepted_after(reader, last)?;
    restored.edit(|checkpoint| {
        checkpoint.last_completed_chapter = last;
        checkpoint.current_volume = volume;
        checkpoint.pipeline_stage = (last > 0).then_some(PipelineStage::Committed);
        checkpoint.inflight_chapter = None;
        checkpoint.revision_count = 0;
        // A book that was not being written yet does not become one that is.
        let set_up = matches!(
            state,
            OrchestratorState::Init
                | OrchestratorState::QuickStart
                | OrchestratorState::VolPlanning
        );
        if in_trial {
            checkpoint.trial_until = ChapterNo::new(TRIAL_CHAPTERS);
        }
        checkpoint.go_to(match (ends, set_up && unchanged) {
            _ if in_trial => OrchestratorState::QuickStart,
            (_, true) => state,
            (true, false) => OrchestratorState::VolReview,
            (false, false) => OrchestratorState::Writing,
        });
    });
    stamp_checkpoint(project.now(), &mut restored);
    Ok(restored)
}

/// Whether the trial was not accepted yet when the book stood right after chapter `last`.
fn trial_accepted_after(reader: &dyn BookReader, last: u32) -> Result<bool, Failure> {
    let results = StepId::Quickstart(QuickstartPhase::Results).to_string();
    Ok(after_chapter(operations(reader)?, last)
        .iter()
        .any(|operation| operation.target == results))
}

impl UndoReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::UndoAnswer {
        contract::UndoAnswer {
            operation: self.undone.operation,
            kind: self.undone.kind.clone(),
            target: self.undone.target.clone(),
            restored: self.restored.iter().map(RelPath::to_string).collect(),
            warnings: Vec::new(),
        }
    }
}

impl RollbackReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::RollbackAnswer {
        contract::RollbackAnswer {
            chapter: self.chapter.map_or(0, ChapterNo::get),
            removed: self.removed,
            warnings: Vec::new(),
        }
    }
}
