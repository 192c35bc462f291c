//! An open project, and one consistent look at it.

use std::sync::Arc;

use jiff::Timestamp;
use novel_book::{
    config::{BadEnvironment, Config, ConfigError, MOST_CANDIDATES, Override, Setting, settings},
    edit::Changes,
    next::Verdicts,
    recall::{Digests, outdated},
};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, RelPath, StepId, VolumeStage, Warning,
    files::Checkpoint, layout,
};
use novel_prompt::packet::BookFiles;
use novel_steps::{Book, StepError, walls};
use novel_store::{Receipt, Store, StoreError, StoreReader, TxnKind, TxnLabel, Writer};

use crate::{BookError, error::use_case_error};

use_case_error! {
    /// Why a project cannot be opened.
    pub enum OpenError {
        /// Its files cannot be read.
        Book(BookError),
        /// `novel.toml` cannot be used.
        Config(ConfigError),
        /// An environment variable cannot be used.
        Environment(BadEnvironment),
    }
}

/// Where the time in files comes from. Locks always use the machine's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// The machine's.
    Machine,
    /// Always the same, for reproducible output.
    Fixed(Timestamp),
}

impl Clock {
    /// The time, to the second.
    pub(crate) fn now(self, store: &Store) -> Timestamp {
        let now = match self {
            Self::Machine => store.now(),
            Self::Fixed(time) => time,
        };
        Timestamp::from_second(now.as_second()).unwrap_or(now)
    }
}

/// An open project.
#[derive(Clone)]
pub struct Project {
    store: Store,
    config: Config,
    /// Keys the environment set.
    overridden: Vec<Override>,
    warnings: Vec<Warning>,
    clock: Clock,
    /// Which verdicts whoever works on it may commit on.
    verdicts: Verdicts,
    /// Whether published and locked chapters may change.
    walls: Walls,
    /// Chapters that were made ready to be looked through, kept while the project is open.
    digests: Arc<Digests>,
}

/// Whether published and locked chapters may change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Walls {
    /// They stay as they are.
    #[default]
    Stand,
    /// The author has said that they may.
    Down,
}

impl Project {
    /// Opens a project and reads its configuration; the environment stands above the file.
    ///
    /// # Errors
    /// When `novel.toml` or an environment variable cannot be read or used.
    pub fn open(store: Store, clock: Clock) -> Result<Self, OpenError> {
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
            verdicts: Verdicts::default(),
            walls: Walls::default(),
            digests: Arc::default(),
        })
    }

    /// Every setting in effect and where it comes from.
    ///
    /// # Errors
    /// When `novel.toml` cannot be read.
    pub fn settings(&self) -> Result<Vec<Setting>, BookError> {
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
            verdicts: Verdicts::default(),
            walls: Walls::default(),
            digests: Arc::default(),
        }
    }

    /// The project as the built-in loop sees it: no chapter is committed on a verdict that was not
    /// accepted for its text.
    pub(crate) fn in_the_loop(&self) -> Self {
        Self {
            verdicts: Verdicts::Bound,
            ..self.clone()
        }
    }

    /// The project with the author's word on published and locked chapters.
    #[must_use]
    pub fn with_walls(self, walls: Walls) -> Self {
        Self { walls, ..self }
    }

    /// The project with another number of drafts to choose from.
    #[must_use]
    pub fn with_drafts(mut self, drafts: u32) -> Self {
        self.config.drafting.candidates = drafts.clamp(1, MOST_CANDIDATES);
        self
    }

    /// The project with another limit on what a run may cost, in US dollars; none where nothing limits it.
    #[must_use]
    pub fn with_max_cost(mut self, limit: Option<f64>) -> Self {
        self.config.budget.max_cost_usd = limit;
        self
    }

    /// Refuses to change the title or text of a published or locked chapter, before anything is done or
    /// paid for it.
    ///
    /// # Errors
    /// When one of them is, and the author has not said that it may change.
    pub(crate) fn check_walls(
        &self,
        reader: &dyn BookReader,
        chapters: impl IntoIterator<Item = ChapterNo>,
    ) -> Result<(), StepError> {
        match self.walls {
            Walls::Stand => walls::check(reader, chapters),
            Walls::Down => Ok(()),
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
        self.clock.now(&self.store)
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
    /// Those of `look`, when the checkpoint or the staged text cannot be read, or when the book
    /// never stood still.
    pub fn look<T, E>(&self, mut look: impl FnMut(&Book<'_>) -> Result<T, E>) -> Result<T, E>
    where
        E: From<StepError> + From<StoreError>,
    {
        self.look_with(|reader, sealed| look(&self.view(reader)?.with_sealed(sealed)))
    }

    /// One look at the files, with the step whose commit was decided and not finished.
    pub(crate) fn look_with<T, E>(
        &self,
        mut look: impl FnMut(&StoreReader, Option<StepId>) -> Result<T, E>,
    ) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        self.store.look(|reader| {
            let sealed = reader.sealed().and_then(|label| sealed_step(label.kind));
            look(reader, sealed)
        })
    }

    /// What a reader sees of the project.
    ///
    /// # Errors
    /// When the checkpoint or the staged text cannot be read.
    pub fn view<'a>(&'a self, reader: &'a dyn BookReader) -> Result<Book<'a>, StepError> {
        let book = Book::read(&self.config, self.now(), reader)?;
        let own = novel_prompt::own_texts(self.config.lang());
        Ok(book.with_verdicts(self.verdicts).with_own_texts(own))
    }

    /// What the packets of agents are made from.
    pub(crate) fn files<'a>(
        &'a self,
        reader: &'a dyn BookReader,
        checkpoint: &'a Checkpoint,
    ) -> BookFiles<'a> {
        BookFiles {
            reader,
            config: &self.config,
            checkpoint,
            digests: &self.digests,
        }
    }

    /// Makes changes as one transaction.
    ///
    /// # Errors
    /// When they cannot be written; the project is unchanged then, or the next writer finishes.
    pub(crate) fn write(
        &self,
        writer: &Writer,
        label: TxnLabel,
        mut changes: Changes,
    ) -> Result<Receipt, BookError> {
        own_checkpoint(writer, &mut changes)?;
        if self.walls == Walls::Stand {
            walls::check_changes(&writer.reader()?, &changes, self.config.lang())?;
        }
        let receipt = writer.apply(label, changes, self.now())?;
        let is_text = |path: &RelPath| layout::chapter_of(path).is_some();
        if receipt.changed.iter().any(is_text) {
            // The book is written. An index that is not is noticed by whoever reads it.
            if let Ok(reader) = writer.reader() {
                let _ = self.refresh_index(&reader);
            }
        }
        Ok(receipt)
    }

    /// Keeps what a command that writes nothing into the book had to make of the index of recall.
    pub(crate) fn keep_made_index(&self) {
        if self.digests.has_made()
            && let Ok(reader) = self.store.reader()
        {
            let _ = self.refresh_index(&reader);
        }
    }

    /// Brings the index of recall up to what the chapters say, where the project has a cache.
    ///
    /// # Errors
    /// When the checkpoint or a chapter is damaged, or cannot be read.
    fn refresh_index(&self, reader: &StoreReader) -> Result<(), BookError> {
        let Some(cache) = self.store.cache() else {
            return Ok(());
        };
        let checkpoint = crate::read_checkpoint(reader)?.into_value();
        let last = ChapterNo::new(checkpoint.last_completed_chapter);
        let plans = &self.digests.plans;
        plans.learn(reader, checkpoint.current_volume, last);
        let files = outdated(reader, &self.digests, last)?;
        // A cache that cannot be written only makes the next command slower.
        let _ = cache.write(&files);
        Ok(())
    }
}

fn config_text(store: &Store) -> Result<Option<String>, BookError> {
    store.look(|reader| Ok(reader.text(&layout::config())?))
}

fn sealed_step(kind: TxnKind) -> Option<StepId> {
    match kind {
        TxnKind::Commit { chapter } => Some(StepId::Chapter(chapter, ChapterStage::Commit)),
        TxnKind::CommitVolume { volume } => Some(StepId::Volume(volume, VolumeStage::Commit)),
        _ => None,
    }
}

/// Brings a checkpoint that was moved at work back to the book's own.
fn own_checkpoint(writer: &Writer, changes: &mut Changes) -> Result<(), BookError> {
    let path = layout::checkpoint();
    let Some(bytes) = changes.read(&path, || Ok(None))? else {
        return Ok(());
    };
    let text = String::from_utf8_lossy(&bytes);
    // An undo may bring back a file that was no checkpoint; only one made at work is moved.
    let Ok(moved) = Document::<Checkpoint>::parse(&path, &text) else {
        return Ok(());
    };
    if moved.get().is_during_rewrite() {
        let mut own = crate::read_checkpoint(&writer.reader()?)?;
        own.edit(|own| own.follow_rewrite(moved.get()));
        changes.write(path, own.to_text());
    }
    Ok(())
}
