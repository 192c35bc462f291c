//! One consistent look at a book: checkpoint, staging, next step, pending gate.

use std::cell::OnceCell;

use jiff::Timestamp;
use novel_book::{
    config::Config,
    context::{VolumeBounds, is_key_chapter, load_schedule},
    next::{self, Next, NoStep, Situation, Verdicts},
    pending::{GateClosed, Survey},
    probe::KnownJudge,
    staged::Staged,
};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, FileError, QuickstartPhase, ReadError, Slug,
    StepId, VolumeNo,
    files::{ChapterContract, Checkpoint, OrchestratorState, StyleProfile},
    layout, message,
};
use novel_story::plan;

use crate::{Refusal, StepError, reports};

/// A snapshot of a book, with typed reads. What it has read is read once.
pub struct Book<'a> {
    config: &'a Config,
    now: Timestamp,
    reader: &'a dyn BookReader,
    /// The step whose commit was decided and not finished, seen without the lock.
    sealed: Option<StepId>,
    /// Which verdicts whoever works on the book may commit on.
    verdicts: Verdicts,
    /// Guides and prompts of the program itself: no chapter repeats them.
    own_texts: Vec<&'static str>,
    /// Where the book stands.
    pub checkpoint: Document<Checkpoint>,
    /// Staging of the chapter in flight.
    pub staged: Option<Staged>,
    survey: OnceCell<Survey>,
}

impl<'a> Book<'a> {
    /// Reads checkpoint and staging. `now` is the time that goes into files.
    ///
    /// # Errors
    /// When the checkpoint or the staged text cannot be read.
    pub fn read(
        config: &'a Config,
        now: Timestamp,
        reader: &'a dyn BookReader,
    ) -> Result<Self, StepError> {
        let checkpoint = read_checkpoint(reader)?;
        let staged = checkpoint
            .get()
            .inflight_chapter
            .map(|chapter| Staged::read(reader, checkpoint.get().current_volume, chapter))
            .transpose()?;
        Ok(Self {
            config,
            now,
            reader,
            sealed: None,
            verdicts: Verdicts::default(),
            own_texts: Vec::new(),
            checkpoint,
            staged,
            survey: OnceCell::new(),
        })
    }

    /// The book with a commit that was decided and not finished, as a look without the lock sees it.
    #[must_use]
    pub fn with_sealed(mut self, step: Option<StepId>) -> Self {
        self.sealed = step;
        self
    }

    /// The book for somebody who commits on these verdicts alone.
    #[must_use]
    pub fn with_verdicts(mut self, verdicts: Verdicts) -> Self {
        self.verdicts = verdicts;
        self
    }

    /// The book with the texts of the program that no chapter may repeat.
    #[must_use]
    pub fn with_own_texts(mut self, texts: Vec<&'static str>) -> Self {
        self.own_texts = texts;
        self
    }

    /// Guides and prompts of the program itself.
    #[must_use]
    pub fn own_texts(&self) -> &[&'static str] {
        &self.own_texts
    }

    /// The configuration of the book.
    #[must_use]
    pub fn config(&self) -> &'a Config {
        self.config
    }

    /// The time that goes into files, to the second.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The files this look is at.
    #[must_use]
    pub fn reader(&self) -> &'a dyn BookReader {
        self.reader
    }

    /// The next step, through the pending gate.
    ///
    /// # Errors
    /// When the checkpoint contradicts itself, a gate waits, or a file cannot be read.
    pub fn next(&self) -> Result<Next, StepError> {
        let next = self.decide()??;
        self.check_step_not_blocked(next.step)?;
        Ok(next)
    }

    /// The bare decision, before the pending gate.
    ///
    /// # Errors
    /// When a file it looks at cannot be read.
    pub fn decide(&self) -> Result<Result<Next, NoStep>, StepError> {
        let verdicts = if self.is_judged_by_the_loop()? || self.lacks_second_verdict()? {
            Verdicts::Bound
        } else {
            self.verdicts
        };
        self.decide_with(verdicts)
    }

    /// The next step where an outside driver asks for a commit by name: the loop's own rule does not
    /// bind the driver.
    ///
    /// # Errors
    /// As [`Book::next`].
    pub fn next_for_commit(&self) -> Result<Next, StepError> {
        let verdicts = if self.lacks_second_verdict()? {
            Verdicts::Bound
        } else {
            self.verdicts
        };
        let next = self.decide_with(verdicts)??;
        self.check_step_not_blocked(next.step)?;
        Ok(next)
    }

    /// Whether the chapter in flight is a key chapter with one verdict that nobody has accepted for
    /// its text. One that an older version accepted stands.
    pub(crate) fn lacks_second_verdict(&self) -> Result<bool, StepError> {
        let Some(staged) = &self.staged else {
            return Ok(false);
        };
        let (Some(evaluation), Some(text)) = (staged.evaluation.sound(), &staged.text) else {
            return Ok(false);
        };
        let metadata = evaluation.get().metadata.as_ref();
        let judges = metadata.and_then(|metadata| metadata.judges.as_ref());
        let is_accepted =
            staged.evaluation_hash.is_some() && staged.bound().verdict == staged.evaluation_hash;
        let by_author = metadata
            .and_then(|metadata| metadata.gate.as_ref()?.author.as_ref())
            .is_some_and(|author| author.chapter_hash == text.hash);
        let has_two = judges.is_some_and(|judges| judges.secondary.is_some());
        if has_two || is_accepted || by_author {
            return Ok(false);
        }
        self.is_key_chapter(staged.chapter)
    }

    /// Whether `chapter` is first or last of its volume, or lies in a convergence: it gets two judges.
    ///
    /// # Errors
    /// When outline or schedule cannot be read.
    pub fn is_key_chapter(&self, chapter: ChapterNo) -> Result<bool, StepError> {
        let volume = self.checkpoint.get().current_volume;
        let Some(bounds) = self.volume_bounds()? else {
            return Ok(false);
        };
        let schedule = load_schedule(self.reader(), volume)?;
        let schedule = schedule.as_ref().map(Document::get);
        Ok(is_key_chapter(chapter, bounds, schedule))
    }

    /// First and last chapter of the current volume; `None` without an outline.
    ///
    /// # Errors
    /// When the outline cannot be read.
    pub fn volume_bounds(&self) -> Result<Option<VolumeBounds>, StepError> {
        let volume = self.checkpoint.get().current_volume;
        let text = self.reader().text(&layout::outline(volume))?;
        Ok(text.as_deref().and_then(VolumeBounds::in_text))
    }

    /// Whether the loop has asked a judge about the chapter in flight.
    fn is_judged_by_the_loop(&self) -> Result<bool, StepError> {
        let Some(staged) = &self.staged else {
            return Ok(false);
        };
        let calls = layout::calls_of(StepId::Chapter(staged.chapter, ChapterStage::Judge));
        Ok(!self.reader.list(&calls)?.is_empty())
    }

    fn decide_with(&self, verdicts: Verdicts) -> Result<Result<Next, NoStep>, StepError> {
        let checkpoint = self.checkpoint.get();
        let situation = Situation {
            checkpoint,
            sealed: self.sealed,
            staged: self.staged.as_ref(),
            quickstart: match checkpoint.working_state() {
                OrchestratorState::Init | OrchestratorState::QuickStart => {
                    quickstart_phase(self.reader)?
                }
                _ => QuickstartPhase::Results,
            },
            volume_plan_staged: checkpoint.working_state() == OrchestratorState::VolPlanning
                && is_staged(self.reader, checkpoint.current_volume)?
                && plan::is_complete(self.reader, checkpoint.current_volume)?,
            weights: self.config.weights(),
            gate_due: match checkpoint.orchestrator_state {
                OrchestratorState::Init | OrchestratorState::VolPlanning => None,
                _ => reports::gate_due(self.config, self.reader, checkpoint)?,
            },
            verdicts,
        };
        let mut next = next::next(&situation);
        if let Err(NoStep::Paused { judge, .. }) = &mut next {
            *judge = self.staged_judge().map(Box::new);
        }
        Ok(next)
    }

    /// The judge of the chapter in flight, with what was measured of it.
    fn staged_judge(&self) -> Option<KnownJudge> {
        let staged = self.staged.as_ref()?;
        let metadata = staged.evaluation.sound()?.get().metadata.as_ref()?;
        KnownJudge::look_up(
            self.reader,
            metadata.judges.as_ref()?,
            &staged.bound().stages,
        )
    }

    /// Fails if a pending revision of an earlier chapter blocks work on `chapter`.
    ///
    /// # Errors
    /// When an earlier chapter waits for the author, or might.
    pub fn check_not_blocked(&self, chapter: ChapterNo) -> Result<(), StepError> {
        Ok(self.survey()?.check_not_blocked(self.reader, chapter)?)
    }

    /// Fails if a pending revision blocks `step`.
    ///
    /// # Errors
    /// When a chapter the step builds on waits for the author, or might.
    pub fn check_step_not_blocked(&self, step: StepId) -> Result<(), StepError> {
        match step {
            StepId::Chapter(chapter, _) => self.check_not_blocked(chapter),
            // Reviewing and planning volumes builds on every chapter there is.
            StepId::Volume(..) => self.check_not_blocked(self.checkpoint.get().next_chapter()),
            StepId::Quickstart(_) => Ok(()),
        }
    }

    /// All revisions that stop the book, read once.
    ///
    /// # Errors
    /// When the chapters cannot be listed.
    pub fn survey(&self) -> Result<&Survey, StepError> {
        if let Some(survey) = self.survey.get() {
            return Ok(survey);
        }
        let survey = Survey::of(self.reader).map_err(GateClosed::NoList)?;
        Ok(self.survey.get_or_init(|| survey))
    }

    /// Staging of `chapter`, in flight or not.
    ///
    /// # Errors
    /// When its text cannot be read.
    pub fn staged_of(&self, chapter: ChapterNo) -> Result<Staged, FileError> {
        match &self.staged {
            Some(staged) if staged.chapter == chapter => Ok(staged.clone()),
            _ => Staged::read(self.reader, self.checkpoint.get().current_volume, chapter),
        }
    }
}

impl Book<'_> {
    /// The line the contract of `chapter` names; `None` without a contract.
    ///
    /// # Errors
    /// When the contract is damaged.
    pub fn contract_line(&self, chapter: ChapterNo) -> Result<Option<Slug>, FileError> {
        let volume = self.checkpoint.get().current_volume;
        let path = layout::contract(volume, chapter);
        let contract = Document::<ChapterContract>::load(self.reader, &path)?;
        Ok(contract.map(|contract| contract.get().storyline_id.clone()))
    }
}

/// The next step, which must be `step`.
///
/// # Errors
/// When an earlier chapter waits for the author, or another step comes next.
pub fn expect_next(view: &Book<'_>, step: StepId) -> Result<Next, StepError> {
    view.check_step_not_blocked(step)?;
    let next = view.next()?;
    // The trial is an offer: an author who plans at once accepts the set-up without it.
    let trial = StepId::Quickstart(QuickstartPhase::Trial);
    let skips_trial = next.step == trial && step == StepId::Quickstart(QuickstartPhase::Results);
    if next.step == step {
        Ok(next)
    } else if next.unaccepted == Some(step) || skips_trial {
        Ok(Next { step, ..next })
    } else {
        Err(Refusal::NotNext {
            asked: step,
            next: next.step,
        }
        .into())
    }
}

/// Writes the time into a checkpoint that changed.
pub fn stamp_checkpoint(now: Timestamp, checkpoint: &mut Document<Checkpoint>) {
    let now = now.to_string();
    checkpoint.edit(|checkpoint| checkpoint.last_checkpoint_time = Some(now));
}

/// Whether a plan of the volume lies in staging.
fn is_staged(reader: &dyn BookReader, volume: VolumeNo) -> Result<bool, ReadError> {
    Ok(reader
        .read(&layout::staged(&layout::outline(volume)))?
        .is_some())
}

/// The checkpoint; a project has one.
///
/// # Errors
/// When it is missing or damaged.
pub fn read_checkpoint(reader: &dyn BookReader) -> Result<Document<Checkpoint>, FileError> {
    Document::require(
        reader,
        &layout::checkpoint(),
        message!(
            en: "this directory is not a project; `novel init` makes one",
            zh: "该目录不是项目；用 `novel init` 创建"
        ),
    )
}

/// The first phase of the quick start whose files are not there.
fn quickstart_phase(reader: &dyn BookReader) -> Result<QuickstartPhase, FileError> {
    if reader.read(&layout::world_rules())?.is_none() {
        return Ok(QuickstartPhase::World);
    }
    if !reader
        .list(&layout::characters_dir())?
        .iter()
        .any(|name| name.ends_with(".json"))
    {
        return Ok(QuickstartPhase::Characters);
    }
    let profile = Document::<StyleProfile>::load(reader, &layout::style_profile())?;
    match profile.and_then(|profile| profile.get().source_type.clone()) {
        None => Ok(QuickstartPhase::Style),
        Some(_) => Ok(QuickstartPhase::Trial),
    }
}
