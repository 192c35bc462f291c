//! A chapter of the book gets another text, or another account of its text.
//!
//! Text, summary, state, foreshadowing and memory change in one transaction or not at all. The
//! changelog is replayed from the chapter on, so that it leads to the state byte for byte as
//! before, and a rollback finds the new text's state. What is replaced goes to `archive/`.

use std::collections::BTreeSet;

use novel_book::{
    changelog::{self, Entry, RebuiltChapter, Replacement},
    config::Config,
    edit::{Changes, Edit},
    foreshadow,
    manuscript::Manuscript,
    validate::SummaryArtefacts,
};
use novel_model::{
    BookReader, BrokenFile, ChapterNo, Document, FileError, Slug, VolumeNo, Warning,
    files::{ChapterLog, Checkpoint, ForeshadowPlan, Foreshadowing, Progress, StageLog},
    layout, message, to_json_text,
};
use serde_json::{Value, json};

use crate::{StepError, claims, consistency, reports::committed, volumes::Volumes};

/// What is brought up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// The text and everything said about it.
    Text,
    /// Summary, cross-references and the storyline's memory.
    Memory,
    /// What the chapter did to the story.
    State,
}

/// A new account of a chapter.
pub struct Summarised {
    /// Summary, state ops, cross-references and memory.
    pub artefacts: SummaryArtefacts,
    /// The calls behind it.
    pub stages: Vec<StageLog>,
    /// Puts those calls away in the ledger, with whatever is made of them.
    pub put_away: Changes,
}

/// A committed chapter as it is to be.
pub struct Rewrite<'a> {
    /// The configuration of the book.
    pub config: &'a Config,
    /// The book.
    pub reader: &'a dyn BookReader,
    /// Where the book stands.
    pub checkpoint: &'a Document<Checkpoint>,
    /// The new text.
    pub manuscript: &'a Manuscript,
    /// The new account of it.
    pub summarised: &'a Summarised,
    /// What is brought up to date.
    pub parts: Parts,
}

/// A rewrite, worked out.
pub struct Plan {
    /// What it changes.
    pub changes: Changes,
    /// What the author should know.
    pub warnings: Vec<Warning>,
    /// Later chapters that may no longer fit, ascending.
    pub later: Vec<ChapterNo>,
}

impl Rewrite<'_> {
    /// Works everything out; nothing is written.
    pub fn plan(&self) -> Result<Plan, StepError> {
        let mut plan = Plan {
            changes: self.summarised.put_away.clone(),
            warnings: Vec::new(),
            later: Vec::new(),
        };
        if self.parts != Parts::Memory {
            self.state(&mut plan)?;
        }
        if self.parts != Parts::State {
            self.accounts(&mut plan)?;
        }
        if self.parts == Parts::Text {
            self.text(&mut plan)?;
        }
        self.log(&mut plan)?;
        if self.parts != Parts::Memory {
            self.consistency(&mut plan)?;
        }
        Ok(plan)
    }

    fn chapter(&self) -> ChapterNo {
        self.manuscript.chapter.chapter_number
    }

    fn artefacts(&self) -> &SummaryArtefacts {
        &self.summarised.artefacts
    }

    fn text(&self, plan: &mut Plan) -> Result<(), StepError> {
        let chapter = self.chapter();
        let old = committed(self.reader, self.checkpoint.get(), chapter)?;
        let changes = &mut plan.changes;
        let text = to_json_text(&self.manuscript.chapter);
        changes.write(layout::chapter_json(chapter), text);
        changes.write(
            layout::chapter_markdown(chapter),
            self.manuscript.markdown.clone(),
        );
        let path = layout::progress();
        // Derived: missing, stale or damaged totals are counted anew by whoever needs them.
        let Some(mut progress) = Document::<Progress>::load_if_sound(self.reader, &path)? else {
            return Ok(());
        };
        let words = self.manuscript.chapter.total_words;
        progress.edit(|progress| {
            progress.total_words =
                (progress.total_words + words).saturating_sub(old.get().total_words);
            let recent = progress.recent.iter_mut();
            for entry in recent.filter(|entry| entry.chapter == chapter) {
                entry.words = words;
                entry.markdown_hash = self.manuscript.hash.clone();
            }
            for cost in self
                .summarised
                .stages
                .iter()
                .filter_map(|stage| stage.cost_usd)
            {
                progress.cost_usd = Some(progress.cost_usd.unwrap_or_default() + cost);
            }
        });
        changes.write(path, progress.to_text());
        Ok(())
    }

    /// Summary, cross-references, unknown names; the memory too, where no later chapter has
    /// written it since.
    fn accounts(&self, plan: &mut Plan) -> Result<(), StepError> {
        let (chapter, artefacts) = (self.chapter(), self.artefacts());
        let changes = &mut plan.changes;
        changes.write(layout::summary(chapter), artefacts.summary.clone());
        changes.write(layout::crossref(chapter), artefacts.crossref.to_text());
        changes.remove(layout::claims(chapter));
        claims::write(&artefacts.claims, &self.manuscript.markdown, changes);
        let line = artefacts.storyline();
        match self.later_on_line(line)? {
            None => changes.write(layout::memory(line), artefacts.memory.clone()),
            Some(later) => {
                let later = later.get();
                plan.warnings.push(Warning::new(
                    "memory_kept",
                    message!(
                        en: "chapter {later} has updated the memory of `{line}` since; it stays as it is",
                        zh: "第 {later} 章之后已更新故事线 `{line}` 的记忆，保持不变"
                    ),
                ));
            }
        }
        self.unknown_entities(changes)
    }

    fn later_on_line(&self, line: &Slug) -> Result<Option<ChapterNo>, StepError> {
        let newest = self.checkpoint.get().last_completed_chapter;
        for number in ((self.chapter().get() + 1)..=newest).filter_map(ChapterNo::new) {
            let path = layout::crossref(number);
            let later = Document::<novel_model::files::CrossReferences>::load(self.reader, &path)?;
            if later.is_some_and(|later| later.get().storyline_id == *line) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// The lines of this chapter are replaced, in their place.
    fn unknown_entities(&self, changes: &mut Changes) -> Result<(), StepError> {
        let path = layout::unknown_entities();
        let old = self.reader.text(&path)?.unwrap_or_default();
        let number = u64::from(self.chapter().get());
        let chapter_of = |line: &str| {
            serde_json::from_str::<Value>(line)
                .ok()
                .and_then(|entry| entry.get("chapter").and_then(Value::as_u64))
        };
        let mut lines: Vec<String> = old
            .lines()
            .filter(|line| chapter_of(line) != Some(number))
            .map(str::to_owned)
            .collect();
        let at = lines
            .iter()
            .position(|line| chapter_of(line).is_some_and(|chapter| chapter > number))
            .unwrap_or(lines.len());
        let artefacts = self.artefacts();
        let new = artefacts.crossref.get().unknown_entities.iter();
        let new = new.map(|entity| {
            json!({
                "chapter": number,
                "storyline_id": artefacts.storyline(),
                "mention": entity.mention,
                "context": entity.context,
                "suggested_type": entity.suggested_type,
            })
            .to_string()
        });
        lines.splice(at..at, new);
        let mut text = lines.join("\n");
        if text.is_empty() {
            changes.remove(path);
        } else {
            text.push('\n');
            changes.write(path, text);
        }
        Ok(())
    }

    /// Changelog and state from the chapter on, and what follows for the foreshadowing.
    fn state(&self, plan: &mut Plan) -> Result<(), StepError> {
        let path = layout::state_changelog();
        let log = Log::read(self.reader)?;
        let delta = self.artefacts().delta.get();
        let new = Replacement {
            chapter: self.chapter(),
            storyline_id: &delta.storyline_id,
            ops: &delta.ops,
        };
        let rebuilt = changelog::rebuild(&log.entries, new)
            .map_err(|error| BrokenFile::new(changelog::not_replayable(&error)))?;
        let text = log.text(&rebuilt.entries);
        let old = self.reader.text(&path)?.unwrap_or_default();
        match text.strip_prefix(&old) {
            // Nothing comes after the chapter: the log grows, and no copy of it is kept.
            Some(more) if !old.is_empty() => plan.changes.append(path, more),
            _ => plan.changes.write(path, text),
        }
        plan.changes
            .write(layout::state(), to_json_text(&rebuilt.state));
        self.foreshadowing(&rebuilt.chapters, plan)?;
        let touched = changed_paths(
            log.entries
                .iter()
                .find_map(|entry| own_ops(entry, new.chapter)),
            &delta.ops,
        );
        for later in rebuilt.chapters.iter() {
            let number = later.chapter.get();
            for op in &later.refused {
                let (text, reason) = (&op.op, &op.reason);
                plan.warnings.push(Warning::new(
                    "op_dropped",
                    message!(
                        en: "chapter {number}: state op dropped ({reason}): {text}",
                        zh: "第 {number} 章：已丢弃状态操作（{reason}）：{text}"
                    ),
                ));
            }
            let same_subject = log.entries.iter().any(|entry| {
                own_ops(entry, later.chapter)
                    .is_some_and(|ops| ops.iter().any(|path| touched.contains(path)))
            });
            if later.chapter > new.chapter && (same_subject || !later.refused.is_empty()) {
                plan.later.push(later.chapter);
            }
        }
        Ok(())
    }

    /// What this chapter and the later ones did to the foreshadowing, recorded anew. What the author
    /// has written about an item stays.
    fn foreshadowing(&self, chapters: &[RebuiltChapter], plan: &mut Plan) -> Result<(), StepError> {
        let path = layout::foreshadowing();
        let stored = Document::<Foreshadowing>::load(self.reader, &path)?;
        let before = self.chapter().get() - 1;
        let mut document = match &stored {
            Some(stored) => foreshadow::foreshadowing_after(stored, before),
            None => Document::new(Foreshadowing::default()),
        };
        if stored.is_none()
            && chapters
                .iter()
                .all(|chapter| chapter.foreshadowing.is_empty())
        {
            return Ok(());
        }
        let current = self.checkpoint.get().current_volume;
        let volumes = Volumes::load(self.reader, current)?;
        for chapter in chapters {
            let (volume, _) = volumes.of(chapter.chapter.get());
            let planned = self.foreshadow_plan(volume)?;
            document.edit(|global| {
                let warnings = foreshadow::record(
                    global,
                    &planned,
                    &chapter.foreshadowing,
                    chapter.chapter,
                    &chapter.storyline_id,
                );
                plan.warnings.extend(warnings);
            });
        }
        if let Some(stored) = &stored {
            document.edit(|global| {
                for item in &mut global.foreshadowing {
                    let old = stored
                        .get()
                        .foreshadowing
                        .iter()
                        .find(|old| old.id == item.id);
                    if let Some(old) = old {
                        item.description.clone_from(&old.description);
                        item.scope = old.scope;
                        item.target_resolve_range
                            .clone_from(&old.target_resolve_range);
                    }
                }
            });
        }
        if stored.as_ref() != Some(&document) {
            plan.changes.write(path, document.to_text());
        }
        Ok(())
    }

    fn foreshadow_plan(&self, volume: VolumeNo) -> Result<ForeshadowPlan, FileError> {
        let path = layout::foreshadowing_plan(volume);
        let plan = Document::<ForeshadowPlan>::load(self.reader, &path)?;
        Ok(plan.map(Document::into_value).unwrap_or_default())
    }

    /// The calls it took stand in the chapter's log.
    fn log(&self, plan: &mut Plan) -> Result<(), StepError> {
        let path = layout::chapter_log(self.chapter());
        let Some(mut log) = Document::<ChapterLog>::load(self.reader, &path)? else {
            return Ok(());
        };
        log.edit(|log| {
            add_stages(log, &self.summarised.stages);
            if self.parts != Parts::State {
                log.summarized = Some(self.manuscript.hash.clone());
            }
        });
        plan.changes.write(path, log.to_text());
        Ok(())
    }

    /// The report of the deterministic check follows the text.
    fn consistency(&self, plan: &mut Plan) -> Result<(), StepError> {
        let book = Edit::with(self.reader, plan.changes.clone());
        let current = self.checkpoint.get().current_volume;
        let volumes = Volumes::load(self.reader, current).map_err(StepError::from);
        let checked = volumes.and_then(|volumes| {
            let (volume, _) = volumes.of(self.chapter().get());
            consistency::report(self.config, &book, self.manuscript, volume)
        });
        let checked = consistency::required_by_policy(self.config, checked, &mut plan.warnings)?;
        if let Some(report) = checked {
            let path = layout::consistency(self.chapter());
            plan.changes.write(path, to_json_text(&report));
        }
        Ok(())
    }
}

/// Adds calls to the log of a chapter.
pub fn add_stages(log: &mut ChapterLog, stages: &[StageLog]) {
    for stage in stages {
        if let Some(ms) = stage.duration_ms {
            log.total_duration_ms = Some(log.total_duration_ms.unwrap_or_default() + ms);
        }
        if let Some(cost) = stage.cost_usd {
            log.total_cost_usd = Some(log.total_cost_usd.unwrap_or_default() + cost);
        }
        log.stages.push(stage.clone());
    }
}

/// The changelog: lines of an older tool as they are, then ours.
pub struct Log {
    foreign: String,
    /// The lines of this program.
    pub entries: Vec<Entry>,
}

impl Log {
    /// Reads the changelog.
    ///
    /// # Errors
    /// When a line is not JSON.
    pub fn read(reader: &dyn BookReader) -> Result<Self, StepError> {
        let path = layout::state_changelog();
        let text = reader.text(&path)?.unwrap_or_default();
        let mut log = Self {
            foreign: String::new(),
            entries: Vec::new(),
        };
        for (index, line) in text.lines().enumerate() {
            match changelog::parse_entry(&path, index + 1, line)? {
                Some(entry) => log.entries.push(entry),
                // What follows a line of an older tool starts with a snapshot.
                None => {
                    for entry in log.entries.drain(..) {
                        log.foreign.push_str(&entry.to_line());
                    }
                    log.foreign.push_str(line);
                    log.foreign.push('\n');
                }
            }
        }
        Ok(log)
    }

    /// The file with these lines in the place of its own.
    #[must_use]
    pub fn text(&self, entries: &[Entry]) -> String {
        let lines = entries.iter().map(Entry::to_line);
        std::iter::once(self.foreign.clone()).chain(lines).collect()
    }
}

/// The paths a chapter's line changed; `None` for a line of another chapter.
fn own_ops(entry: &Entry, wanted: ChapterNo) -> Option<BTreeSet<String>> {
    match entry {
        Entry::Delta { chapter, ops, .. } if *chapter == wanted => {
            let paths = ops.iter().filter_map(|op| op_path(&op.op));
            Some(paths.collect())
        }
        _ => None,
    }
}

fn op_path(op: &Value) -> Option<String> {
    op.get("path").and_then(Value::as_str).map(str::to_owned)
}

/// The paths that only one of two accounts of a chapter changes.
fn changed_paths(old: Option<BTreeSet<String>>, new: &[Value]) -> BTreeSet<String> {
    let old = old.unwrap_or_default();
    let new: BTreeSet<String> = new.iter().filter_map(op_path).collect();
    old.symmetric_difference(&new).cloned().collect()
}
