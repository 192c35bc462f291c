//! An open project, and one consistent look at it.

use std::cell::OnceCell;

use jiff::Timestamp;
use novel_book::{
    config::{Config, Override, Setting, settings},
    edit::Changes,
    next::{self, Next, NoStep, Situation},
    pending::{GateClosed, Survey},
    staged::Staged,
};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, Failure, FileError, QuickstartPhase, Slug,
    StepId, VolumeStage, Warning,
    files::{ChapterContract, Checkpoint, OrchestratorState, StyleProfile},
    layout, message,
};
use novel_store::{Receipt, Store, StoreError, TxnKind, TxnLabel, Writer};
use novel_story::plan;

use crate::{revise::review, write::volume};

/// Where the time in files comes from. Locks always use the machine's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// The machine's.
    Machine,
    /// Always the same, for reproducible output.
    Fixed(Timestamp),
}

/// An open project.
pub struct Project {
    store: Store,
    config: Config,
    /// Keys the environment set.
    overridden: Vec<Override>,
    warnings: Vec<Warning>,
    clock: Clock,
}

impl Project {
    /// Opens a project and reads its configuration; the environment stands above the file.
    ///
    /// # Errors
    /// When `novel.toml` or an environment variable can not be read or used.
    pub fn open(store: Store, clock: Clock) -> Result<Self, Failure> {
        let text = config_text(&store)?.unwrap_or_default();
        let (mut config, warnings) = Config::parse(&text)?;
        let mut overridden = Vec::new();
        for key in Override::ALL {
            if let Some(value) = std::env::var_os(key.variable()) {
                config.set(key, &value.to_string_lossy())?;
                overridden.push(key);
            }
        }
        Ok(Self {
            store,
            config,
            overridden,
            warnings,
            clock,
        })
    }

    /// Every setting in effect and where it comes from.
    ///
    /// # Errors
    /// When `novel.toml` can not be read.
    pub fn settings(&self) -> Result<Vec<Setting>, Failure> {
        let text = config_text(&self.store)?;
        Ok(settings(
            &self.config,
            &text.unwrap_or_default(),
            &self.overridden,
        ))
    }

    /// A project whose configuration is known already.
    pub(crate) fn with_config(store: Store, config: Config, clock: Clock) -> Self {
        Self {
            store,
            config,
            overridden: Vec::new(),
            warnings: Vec::new(),
            clock,
        }
    }

    /// Its files.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Its configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What is odd about its configuration.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The time, to the second.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let now = match self.clock {
            Clock::Machine => self.store.now(),
            Clock::Fixed(time) => time,
        };
        Timestamp::from_second(now.as_second()).unwrap_or(now)
    }

    /// Whether the output must be the same every time, so that nothing measured may be in it.
    #[must_use]
    pub fn is_reproducible(&self) -> bool {
        self.clock != Clock::Machine
    }

    /// One look at the project without the lock, true of one moment: `look` is run again when
    /// another process changed what it read.
    ///
    /// # Errors
    /// Those of `look`, when the checkpoint or the staged text can not be read, or when the book
    /// never stood still.
    pub fn look<T>(
        &self,
        mut look: impl FnMut(&View<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.store.look(|reader| {
            let mut view = self.view(reader)?;
            view.sealed = reader.sealed().and_then(|label| sealed_step(label.kind));
            look(&view)
        })
    }

    /// What a reader sees of the project.
    ///
    /// # Errors
    /// When the checkpoint or the staged text can not be read.
    pub fn view<'a>(&'a self, reader: &'a dyn BookReader) -> Result<View<'a>, Failure> {
        View::read(self, reader)
    }

    /// Makes changes as one transaction.
    ///
    /// # Errors
    /// When they can not be written; the project is unchanged then, or the next writer finishes.
    pub(crate) fn write(
        &self,
        writer: &Writer,
        label: TxnLabel,
        changes: Changes,
    ) -> Result<Receipt, StoreError> {
        writer.apply(label, changes, self.now())
    }
}

/// One consistent look at a project: checkpoint, staging, next step.
pub struct View<'a> {
    project: &'a Project,
    reader: &'a dyn BookReader,
    /// The step whose commit was decided and not finished, seen without the lock.
    sealed: Option<StepId>,
    /// Where the book stands.
    pub checkpoint: Document<Checkpoint>,
    /// Staging of the chapter in flight.
    pub staged: Option<Staged>,
    survey: OnceCell<Survey>,
}

impl<'a> View<'a> {
    fn read(project: &'a Project, reader: &'a dyn BookReader) -> Result<Self, Failure> {
        let checkpoint = read_checkpoint(reader)?;
        let staged = checkpoint
            .get()
            .inflight_chapter
            .map(|chapter| Staged::read(reader, checkpoint.get().current_volume, chapter))
            .transpose()?;
        Ok(Self {
            project,
            reader,
            sealed: None,
            checkpoint,
            staged,
            survey: OnceCell::new(),
        })
    }

    /// The project.
    #[must_use]
    pub fn project(&self) -> &'a Project {
        self.project
    }

    /// The configuration of the book.
    #[must_use]
    pub fn config(&self) -> &'a Config {
        &self.project.config
    }

    /// The time that goes into files, to the second.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.project.now()
    }

    /// The files this look is at.
    #[must_use]
    pub fn reader(&self) -> &'a dyn BookReader {
        self.reader
    }

    /// The next step, through the pending gate.
    ///
    /// # Errors
    /// When the checkpoint contradicts itself, a gate waits, or a file can not be read.
    pub fn next(&self) -> Result<Next, Failure> {
        let next = self.decide()??;
        self.enter_step(next.step)?;
        Ok(next)
    }

    /// The bare decision, before the pending gate.
    ///
    /// # Errors
    /// When a file it looks at can not be read.
    pub fn decide(&self) -> Result<Result<Next, NoStep>, Failure> {
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
                && volume::is_staged(self.reader, checkpoint.current_volume)?
                && plan::is_complete(self.reader, checkpoint.current_volume)?,
            weights: self.project.config.weights(),
            gate_due: match checkpoint.orchestrator_state {
                OrchestratorState::Init | OrchestratorState::VolPlanning => None,
                _ => review::gate_due(&self.project.config, self.reader, checkpoint)?,
            },
        };
        Ok(next::next(&situation))
    }

    /// The one door to any work on a chapter: refuses past a pending revision.
    ///
    /// # Errors
    /// When an earlier chapter waits for the author, or might.
    pub fn enter(&self, chapter: ChapterNo) -> Result<(), Failure> {
        Ok(self.survey()?.enter(self.reader, chapter)?)
    }

    /// The same door for any step.
    ///
    /// # Errors
    /// When a chapter the step builds on waits for the author, or might.
    pub fn enter_step(&self, step: StepId) -> Result<(), Failure> {
        match step {
            StepId::Chapter(chapter, _) => self.enter(chapter),
            // Reviewing and planning volumes builds on every chapter there is.
            StepId::Volume(..) => self.enter(self.checkpoint.get().next_chapter()),
            StepId::Quickstart(_) => Ok(()),
        }
    }

    /// All revisions that stop the book, read once.
    ///
    /// # Errors
    /// When the chapters can not be listed.
    pub fn survey(&self) -> Result<&Survey, Failure> {
        if let Some(survey) = self.survey.get() {
            return Ok(survey);
        }
        let survey = Survey::of(self.reader).map_err(GateClosed::NoList)?;
        Ok(self.survey.get_or_init(|| survey))
    }

    /// Staging of `chapter`, in flight or not.
    ///
    /// # Errors
    /// When its text can not be read.
    pub fn staged_of(&self, chapter: ChapterNo) -> Result<Staged, FileError> {
        match &self.staged {
            Some(staged) if staged.chapter == chapter => Ok(staged.clone()),
            _ => Staged::read(self.reader, self.checkpoint.get().current_volume, chapter),
        }
    }
}

impl View<'_> {
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

fn config_text(store: &Store) -> Result<Option<String>, Failure> {
    store.look(|reader| Ok(reader.text(&layout::config())?))
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
            en: "this directory is no project; `novel init` makes one",
            zh: "该目录不是项目；用 `novel init` 创建"
        ),
    )
}

fn sealed_step(kind: TxnKind) -> Option<StepId> {
    match kind {
        TxnKind::Commit { chapter } => Some(StepId::Chapter(chapter, ChapterStage::Commit)),
        TxnKind::CommitVolume { volume } => Some(StepId::Volume(volume, VolumeStage::Commit)),
        _ => None,
    }
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
