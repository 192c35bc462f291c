//! The cache of a project: files that are made of others to be quicker.
//!
//! They belong to no operation, are not archived and not durable: after a power cut one may be damaged, and
//! whoever reads them finds that out. A crash leaves each file as it was or as it was to be.

use novel_model::{RelPath, layout};

use crate::{
    TxnKind, TxnLabel,
    error::StoreError,
    fs::{Fault, FsError},
    journal,
    plan::Receipt,
    writer::Writer,
};

impl Writer {
    /// Writes and removes files of the cache.
    ///
    /// # Errors
    /// When one of them is no file of the cache or cannot be written; those before it are written.
    pub fn write_cache(
        &self,
        write: &[(RelPath, Vec<u8>)],
        remove: &[RelPath],
    ) -> Result<(), StoreError> {
        let written = write.iter().map(|(path, _)| path);
        let changed: Vec<RelPath> = written.chain(remove).cloned().collect();
        let dir = layout::cache_dir();
        if let Some(path) = changed
            .iter()
            .find(|path| path.parent().as_ref() != Some(&dir))
        {
            return Err(StoreError::BadTarget { path: path.clone() });
        }
        if changed.is_empty() {
            return Ok(());
        }
        self.own_writes().commit(|| {
            let fs = self.fs();
            let _serialised = fs.lock_root()?;
            self.guard().check()?;
            match fs.create_dir(&dir) {
                Err(FsError {
                    fault: Fault::Exists,
                    ..
                }) => {}
                other => other?,
            }
            for (path, bytes) in write {
                let draft = layout::cache_draft(path);
                journal::write_anew(fs, &draft, bytes)?;
                fs.rename(&draft, path)?;
            }
            for path in remove {
                fs.remove_file(path)?;
            }
            Ok(Receipt {
                label: TxnLabel::new(TxnKind::Call, dir.as_str()),
                operation: None,
                pack: None,
                changed: changed.clone(),
            })
        })?;
        Ok(())
    }
}
