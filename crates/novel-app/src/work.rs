//! The book as whoever does its next step sees it.
//!
//! Usually the book as it is. While a chapter is written anew in its place, it is the book as it stood
//! right before that chapter: state, memory, threads, summaries and earlier prose of that time, the
//! chapter in flight, and nothing of what was written since. The files themselves stay as they are; a
//! checkpoint that is moved in this view is brought back to the book's own when it is written.

use novel_book::edit::{Changes, Edit};
use novel_model::{BookReader, ChapterNo, Decoded, ReadError, RelPath, files::Checkpoint, layout};
use novel_steps::volumes::Volumes;
use novel_store::{StoreReader, Writer};

use crate::{Book, BookError, Project, StepError, StoreError, history};

/// A reader of the book at work.
pub(crate) struct WorkReader {
    reader: StoreReader,
    /// What takes the book back; empty when no chapter is written anew.
    past: Changes,
}

impl WorkReader {
    /// The files as they are.
    pub(crate) fn files(&self) -> &StoreReader {
        &self.reader
    }

    /// Whether a chapter of the book is written anew.
    pub(crate) fn is_rewriting(&self) -> bool {
        !self.past.is_empty()
    }
}

impl BookReader for WorkReader {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        self.past.read(path, || self.reader.read(path))
    }

    fn stamp(&self, path: &RelPath) -> Option<u64> {
        match self.past.get(path) {
            Some(_) => None,
            None => self.reader.stamp(path),
        }
    }

    fn exists(&self, path: &RelPath) -> Result<bool, ReadError> {
        match self.past.get(path) {
            Some(_) => self.read(path).map(|found| found.is_some()),
            None => self.reader.exists(path),
        }
    }

    fn decoded(&self) -> Option<&Decoded> {
        self.reader.decoded()
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        Ok(self.past.list(directory, self.reader.list(directory)?))
    }

    fn list_ending(&self, directory: &RelPath, suffix: &str) -> Result<Vec<String>, ReadError> {
        let names = self.reader.list_ending(directory, suffix)?;
        let mut names = self.past.list(directory, names);
        names.retain(|name| name.ends_with(suffix));
        Ok(names)
    }

    fn last_line(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        match self.past.get(path) {
            None => self.reader.last_line(path),
            Some(_) => {
                let bytes = self.read(path)?.unwrap_or_default();
                Ok(novel_model::last_line_of(&bytes).map(<[u8]>::to_vec))
            }
        }
    }

    fn older_lines(&self, path: &RelPath) -> Result<String, ReadError> {
        self.reader.older_lines(path)
    }
}

impl Project {
    /// The book as the next step sees it, under the lock.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub(crate) fn at_work(&self, writer: &Writer) -> Result<WorkReader, BookError> {
        let reader = writer.reader()?.remembering();
        let past = past(self, &reader)?;
        Ok(WorkReader { reader, past })
    }

    /// Like [`Project::look`], at the book as the next step sees it.
    ///
    /// # Errors
    /// As [`Project::look`].
    pub fn look_at_work<T, E>(
        &self,
        mut look: impl FnMut(&Book<'_>) -> Result<T, E>,
    ) -> Result<T, E>
    where
        E: From<BookError> + From<StepError> + From<StoreError>,
    {
        self.look_with(|reader, sealed| {
            let past = past(self, reader)?;
            if past.is_empty() {
                return look(&self.view(reader)?.with_sealed(sealed));
            }
            let book = Edit::with(reader, past);
            look(&self.view(&book)?.with_sealed(sealed))
        })
    }
}

/// The chapter that is being written anew in its place.
pub(crate) fn rewritten(checkpoint: &Checkpoint) -> Option<ChapterNo> {
    checkpoint.rewrite.as_ref().map(|rewrite| rewrite.chapter)
}

fn past(project: &Project, reader: &StoreReader) -> Result<Changes, BookError> {
    let checkpoint = crate::read_checkpoint(reader)?;
    let Some(chapter) = rewritten(checkpoint.get()) else {
        return Ok(Changes::default());
    };
    let (volume, _) = Volumes::load(reader, checkpoint.get().current_volume)?.of(chapter.get());
    let mut past = history::moment_before(project, reader, &checkpoint, chapter, volume)?;
    let mut then = checkpoint;
    then.edit(|then| *then = then.during_rewrite(volume));
    past.write(layout::checkpoint(), then.to_text());
    Ok(past)
}
