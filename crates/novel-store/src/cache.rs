//! The cache of a project: what was made of its files, kept in the user's cache directory, outside the project.
//!
//! It makes commands quicker and is never believed: whoever reads a file of it compares it with the project. A
//! copy of a project has none. It belongs to no operation, is not durable, and may be deleted at any time; a
//! file that cannot be read or written is as good as missing.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use novel_model::{ContentHash, RelPath};

use crate::fs::Stamp;

/// The cache of one project.
#[derive(Debug)]
pub struct UserCache {
    directory: PathBuf,
}

impl UserCache {
    /// The cache of the project in `root` below the user's cache directory `home`; `None` where that lies in the
    /// project.
    #[must_use]
    pub fn of(root: &Path, home: &Path) -> Option<Self> {
        let root = root.canonicalize().ok()?;
        if !home.is_absolute() || home.starts_with(&root) {
            return None;
        }
        let name = ContentHash::of(root.as_os_str().as_encoded_bytes());
        let name: String = name
            .to_string()
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect();
        Some(Self {
            directory: home.join("novel").join(name),
        })
    }

    fn place(&self, path: &RelPath) -> PathBuf {
        self.directory.join(path.file_name())
    }

    /// Content of a file.
    #[must_use]
    pub fn read(&self, path: &RelPath) -> Option<Vec<u8>> {
        fs::read(self.place(path)).ok()
    }

    /// A number for the state of a file; `None` where it changed a short time ago.
    pub(crate) fn stamp(&self, path: &RelPath) -> Option<u64> {
        let meta = fs::metadata(self.place(path)).ok()?;
        let nanoseconds =
            |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        Stamp {
            inode: meta.ino(),
            len: meta.len(),
            modified: nanoseconds(meta.mtime(), meta.mtime_nsec()),
            changed: nanoseconds(meta.ctime(), meta.ctime_nsec()),
        }
        .settled()
    }

    /// Writes files, each as a whole.
    ///
    /// # Errors
    /// When one of them cannot be written; those before it are written.
    pub fn write(&self, files: &[(RelPath, Vec<u8>)]) -> io::Result<()> {
        if files.is_empty() {
            return Ok(());
        }
        fs::create_dir_all(&self.directory)?;
        for (path, bytes) in files {
            let place = self.place(path);
            let fresh = place.with_extension(format!("{}.new", std::process::id()));
            let written = fs::write(&fresh, bytes).and_then(|()| fs::rename(&fresh, &place));
            if written.is_err() {
                let _ = fs::remove_file(&fresh);
            }
            written?;
        }
        Ok(())
    }
}
