//! `novel rollback`: the book as it stood right after a chapter.

use std::collections::BTreeSet;

use novel_book::{
    changelog::{self, Entry, not_replayable, parse_entry, reached},
    edit::Changes,
    foreshadow::foreshadowing_after,
    operations::{FileChange, KeptContents, Line, OperationLog},
};
use novel_contract::history as contract;
use novel_model::{
    BookReader, BrokenFile, ChapterNo, Document, QuickstartPhase, ReadError, RelPath, StepId,
    VolumeNo,
    files::{Checkpoint, Foreshadowing, OrchestratorState, PipelineStage},
    layout, to_json_text,
};
use novel_steps::volumes::Volumes;
use novel_steps::{commit::count_progress, stamp_checkpoint, walls};
use novel_store::{StoreReader, TxnKind, TxnLabel};
use novel_story::plan::TRIAL_CHAPTERS;
use serde_json::Value;

use crate::{BookError, Project, Refusal, StepError};

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
/// When the book has no such chapter, or its history cannot be replayed.
pub fn rollback(project: &Project, last: u32) -> Result<RollbackReport, BookError> {
    let writer = project.store().acquire(ChapterNo::new(last))?;
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
    let kind = TxnKind::Rollback { last };
    let label = TxnLabel::new(kind, format!("to-{last:03}"));
    project.write(&writer, label, changes)?;
    Ok(RollbackReport {
        chapter,
        removed: newest - last,
    })
}

/// What brings the book back to the moment right after chapter `last`, its bookkeeping too.
pub(crate) fn rolled_back(
    project: &Project,
    reader: &StoreReader,
    checkpoint: &Document<Checkpoint>,
    last: u32,
) -> Result<Changes, BookError> {
    let mut changes = back_to(project, reader, checkpoint, last)?;
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
    reader: &StoreReader,
    checkpoint: &Document<Checkpoint>,
    last: u32,
) -> Result<Changes, BookError> {
    gone_back(project, reader, checkpoint, last, None)
}

/// The book as it stood when `chapter` was about to be written: right after the chapter before, with
/// the plan of its volume. A book whose past is not recorded (taken over from elsewhere) loses the later
/// chapters alone.
pub(crate) fn moment_before(
    project: &Project,
    reader: &StoreReader,
    checkpoint: &Document<Checkpoint>,
    chapter: ChapterNo,
    volume: VolumeNo,
) -> Result<Changes, BookError> {
    let last = chapter.get() - 1;
    let mut changes = match gone_back(project, reader, checkpoint, last, Some(volume)) {
        Ok(changes) => changes,
        Err(BookError::Step(StepError::Refusal(Refusal::NoStateOf { .. }))) => {
            let mut changes = Changes::default();
            take_chapters_away(last, checkpoint.get().last_completed_chapter, &mut changes);
            changes
        }
        Err(error) => return Err(error),
    };
    let (plan, staging) = (layout::volume_dir(volume), layout::staging_dir());
    changes.retain(|path| !path.is_under(&plan) && !path.is_under(&staging));
    Ok(changes)
}

/// Like [`back_to`], with the plans up to a volume as they are.
fn gone_back(
    project: &Project,
    reader: &StoreReader,
    checkpoint: &Document<Checkpoint>,
    last: u32,
    planned: Option<VolumeNo>,
) -> Result<Changes, BookError> {
    let mut changes = Changes::default();
    let newest = checkpoint.get().last_completed_chapter;
    take_chapters_away(last, newest, &mut changes);
    take_staging_away(reader, &mut changes)?;
    let log = OperationLog::read(reader)?;
    let past = Past { reader, log: &log };
    cut_marks(reader, last, &mut changes)?;
    restore_state(past, last, &mut changes)?;
    restore_foreshadowing(reader, last, &mut changes)?;
    restore_unknown_entities(reader, last, &mut changes)?;
    restore_kept_files(past, last, planned, &mut changes)?;
    take_reviews_away(reader, checkpoint, last, &mut changes)?;
    let restored = checkpoint_after(project, past, checkpoint, last)?;
    changes.write(layout::checkpoint(), restored.to_text());
    Ok(changes)
}

/// Chapters that go are neither published nor locked any more.
fn cut_marks(reader: &dyn BookReader, last: u32, changes: &mut Changes) -> Result<(), BookError> {
    let mut marks = walls::marks(reader)?;
    let before = marks.clone();
    marks.edit(|marks| marks.cut(last));
    if marks != before {
        changes.write(layout::marks(), marks.to_text());
    }
    Ok(())
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
            layout::claims(chapter),
            layout::chapter_log(chapter),
        ] {
            changes.remove(path);
        }
    }
}

/// Whatever is in flight belongs to a chapter that comes later. A plan that waits for the author stays
/// whole: the checks say whether it still follows.
fn take_staging_away(reader: &dyn BookReader, changes: &mut Changes) -> Result<(), BookError> {
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
        "notes",
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
) -> Result<(), BookError> {
    for name in reader.list(directory)? {
        let path = directory.join(&name)?;
        if path == layout::staged(&layout::storylines()) {
            continue;
        }
        match reader.read(&path) {
            Ok(_) => changes.remove(path),
            Err(ReadError::NotAFile { .. }) => match reader.list(&path) {
                Ok(_) => collect(reader, &path, changes)?,
                // A pipe or device is nobody's text; it stays, and stops nobody.
                Err(ReadError::NotADirectory { .. }) => {}
                Err(error) => return Err(error.into()),
            },
            // So does what is larger than any text, and a link that leads out.
            Err(ReadError::TooLarge { .. } | ReadError::LeavesProject { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// The changelog up to the last line of chapter `last`, and the state it leads to. Where the
/// changelog does not reach, the copy that the next commit put into the archive is taken.
fn restore_state(past: Past<'_>, last: u32, changes: &mut Changes) -> Result<(), BookError> {
    let reader = past.reader;
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
        replayed if last > 0 && last <= imported_through(past.log) => match replayed {
            Some(state) => to_json_text(&state).into(),
            None => {
                changes.remove(layout::state());
                changes.remove(path);
                return Ok(());
            }
        },
        _ => match kept_state(past, last)? {
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
pub(crate) fn imported_through(log: &OperationLog) -> u32 {
    let imports = log.standing().into_iter().rev();
    let mut imports = imports.filter_map(|operation| match operation.kind {
        TxnKind::Import { last } => Some(last.get()),
        _ => None,
    });
    imports.next().unwrap_or(0)
}

/// The state right after chapter `last`, as the operation kept it that replaced it.
fn kept_state(past: Past<'_>, last: u32) -> Result<Option<Vec<u8>>, BookError> {
    let path = layout::state();
    for (_, line) in past.after_chapter(last) {
        if let Some(change @ FileChange::Replaced { .. }) = line.change_of(&path) {
            return Ok(Some(past.reader.kept_before(line, change)?));
        }
    }
    Ok(None)
}

/// The foreshadowing without what later chapters did to it.
fn restore_foreshadowing(
    reader: &dyn BookReader,
    last: u32,
    changes: &mut Changes,
) -> Result<(), BookError> {
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
) -> Result<(), BookError> {
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
) -> Result<(), BookError> {
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
    past: Past<'_>,
    last: u32,
    planned: Option<VolumeNo>,
    changes: &mut Changes,
) -> Result<(), BookError> {
    let mut settled = BTreeSet::new();
    for (label, line) in past.after_chapter(last) {
        // A chapter that stays was given another text since; what follows from it stays too.
        let rewritten = match label.kind {
            TxnKind::Rewrite { chapter } => Some(chapter.get()),
            _ => None,
        };
        if rewritten.is_some_and(|chapter| chapter <= last) {
            continue;
        }
        for change in &line.changes {
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
            // Somebody who retired later is in the story again.
            let retired = label.kind == TxnKind::Retire
                && path.as_str().starts_with("characters/")
                && is_retired(past.reader, &label.target)?;
            let kept = kept || retired;
            let made = matches!(change, FileChange::Created { .. });
            let is_plan = match label.kind {
                TxnKind::CommitVolume { volume } => planned.is_none_or(|planned| volume > planned),
                _ => false,
            };
            let plan = is_plan
                && ["volumes/", "characters/", "storylines/"]
                    .iter()
                    .any(|part| path.as_str().starts_with(part));
            if !(kept || plan || (made && derived)) || !settled.insert(path.clone()) {
                continue;
            }
            match change {
                FileChange::Created { .. } => changes.remove(path.clone()),
                FileChange::Replaced { .. } | FileChange::Removed { .. } => {
                    changes.write(path.clone(), past.reader.kept_before(line, change)?);
                }
                FileChange::Grown { .. } | FileChange::Cut { .. } => {}
            }
        }
    }
    Ok(())
}

fn is_retired(reader: &StoreReader, id: &str) -> Result<bool, BookError> {
    let id: novel_model::Slug = id.parse()?;
    Ok(reader.read(&layout::retired_character(&id))?.is_some())
}

/// The book, and what was done to it.
#[derive(Clone, Copy)]
pub(crate) struct Past<'a> {
    pub(crate) reader: &'a StoreReader,
    pub(crate) log: &'a OperationLog,
}

impl<'a> Past<'a> {
    /// The transactions of standing operations since the book last stood right after chapter `last`,
    /// oldest first.
    fn after_chapter(self, last: u32) -> Vec<(TxnLabel, &'a Line)> {
        let standing = self.log.standing().into_iter();
        let lines = standing.flat_map(|operation| &operation.lines);
        let standing: Vec<_> = lines.map(|line| (line.transaction(), line)).collect();
        let stood = standing.iter().rposition(|(label, _)| match label.kind {
            TxnKind::Commit { chapter } => chapter.get() == last,
            TxnKind::Analyse { chapter } | TxnKind::Rewrite { chapter } => {
                chapter.get() == last && label.target == format!("chapter-{chapter}")
            }
            TxnKind::Rollback { last: reached } => reached == last,
            // An import stands after each of its chapters at once.
            TxnKind::Import { last: imported } => last > 0 && imported.get() >= last,
            _ => false,
        });
        standing
            .into_iter()
            .skip(stood.map_or(0, |index| index + 1))
            .collect()
    }
}

/// The checkpoint right after chapter `last`.
pub(crate) fn checkpoint_after(
    project: &Project,
    past: Past<'_>,
    checkpoint: &Document<Checkpoint>,
    last: u32,
) -> Result<Document<Checkpoint>, BookError> {
    let (volume, ends) = Volumes::load(past.reader, checkpoint.get().current_volume)?.of(last);
    let mut restored = checkpoint.clone();
    let unchanged = checkpoint.get().last_completed_chapter == last;
    let state = checkpoint.get().working_state();
    let in_trial =
        checkpoint.get().trial_until.is_some() || !unchanged && trial_accepted_after(past, last);
    restored.edit(|checkpoint| {
        checkpoint.last_completed_chapter = last;
        checkpoint.current_volume = volume;
        checkpoint.pipeline_stage = (last > 0).then_some(PipelineStage::Committed);
        checkpoint.inflight_chapter = None;
        checkpoint.revision_count = 0;
        checkpoint.rewrite = None;
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
fn trial_accepted_after(past: Past<'_>, last: u32) -> bool {
    let results = StepId::Quickstart(QuickstartPhase::Results).to_string();
    past.after_chapter(last)
        .iter()
        .any(|(label, _)| label.target == results)
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
