//! A program to be run apart from a project, written into a file that its processes hand on.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::sandbox_error::SandboxError;

/// A program, and what it is kept out of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Its file.
    pub program: OsString,
    /// Its arguments. No shell reads them.
    pub args: Vec<OsString>,
    /// The process that wants it. Nothing of it outlives that process.
    pub starter: u32,
    /// What keeps it out of the project.
    pub isolation: Isolation,
    /// The project.
    pub root: OsString,
    /// Directories of the project it may write, where it works on the project itself.
    pub writable: Vec<OsString>,
    /// Files it may not read.
    pub hidden: Vec<OsString>,
    /// Whether it may talk to others.
    pub network: Network,
    /// A directory of its own outside the project.
    pub place: OsString,
}

/// What keeps a program out of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// It works on a view of the project that is its own; whatever it starts ends with it. Both by
    /// namespaces.
    View,
    /// It works on the project itself, under rules of the kernel.
    Landlock(Enforcement),
    /// Nothing but the comparison afterwards.
    None,
}

/// How much of writing the kernel can forbid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Enforcement {
    /// Files cannot be made, removed or opened for writing; truncating may go through.
    Partial,
    /// No content can be changed.
    Full,
}

/// Whether a program may talk to others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// As it likes.
    #[default]
    Open,
    /// Not at all in a view; elsewhere no TCP.
    Closed,
}

impl Job {
    /// Writes the job into its place.
    ///
    /// # Errors
    /// When the place cannot be written.
    pub fn write(&self) -> io::Result<PathBuf> {
        let file = Path::new(&self.place).join("job.json");
        for dir in [self.upper(), self.work()] {
            fs::create_dir_all(dir)?;
        }
        fs::write(self.empty(), "")?;
        fs::write(&file, serde_json::to_vec(self)?)?;
        Ok(file)
    }

    /// Reads a job.
    ///
    /// # Errors
    /// When there is none in the file.
    pub fn read(file: &Path) -> Result<Self, SandboxError> {
        let read = || Ok(serde_json::from_slice(&fs::read(file)?)?);
        read().map_err(|source| SandboxError::Place {
            path: file.to_owned(),
            source,
        })
    }

    /// What the program changed in its view: the upper layer of an overlay file system.
    #[must_use]
    pub fn upper(&self) -> PathBuf {
        Path::new(&self.place).join("upper")
    }

    /// The overlay's own directory.
    pub(crate) fn work(&self) -> PathBuf {
        Path::new(&self.place).join("work")
    }

    /// Stands in for a hidden file.
    pub(crate) fn empty(&self) -> PathBuf {
        Path::new(&self.place).join("empty")
    }
}
