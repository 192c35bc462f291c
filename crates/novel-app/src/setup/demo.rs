//! `novel demo`: a small planned book, to be written by the offline author.

use std::collections::BTreeMap;

use novel_model::{BookReader, Document, Lang, RelPath, VolumeNo, files::Checkpoint, layout};
use novel_store::{Store, TxnKind, TxnLabel, Writer};

use crate::{BookError, Refusal, setup::init};

/// A demo book.
#[derive(Debug)]
pub struct Demo {
    /// Its files before the first chapter.
    pub made: Vec<RelPath>,
    /// The chapters it has: those that an interrupted call wrote.
    pub chapters: u32,
    /// Held until the answer is told: a lock left behind says that it was not.
    pub lock: Writer,
}

/// Puts the planned demo book into an empty directory, or goes on with one whose making was
/// interrupted.
///
/// # Errors
/// When a project is there already.
pub fn create(store: &Store, language: Lang) -> Result<Demo, BookError> {
    let lock = store.acquire(None)?;
    let reader = lock.reader()?;
    let mut files: BTreeMap<RelPath, String> = init::templates(language).into_iter().collect();
    // The demo's own style profile takes the place of the template.
    let own = novel_offline::demo_files(language).into_iter();
    files.extend(own.map(|(path, text)| (path, text.to_owned())));
    let made = files.keys().cloned().collect();
    let Some(checkpoint) = Document::<Checkpoint>::load(&reader, &layout::checkpoint())? else {
        let mut txn = lock.begin(TxnLabel::new(TxnKind::Init, "demo"));
        for (path, text) in files {
            txn.write(path, text);
        }
        txn.commit()?;
        return Ok(Demo {
            made,
            chapters: 0,
            lock,
        });
    };
    let mut is_this_one = lock.follows_a_crash();
    for path in [
        layout::config(),
        layout::brief(),
        layout::outline(VolumeNo::first()),
    ] {
        is_this_one &= reader.text(&path)?.as_ref() == files.get(&path);
    }
    if !is_this_one {
        return Err(Refusal::Exists {
            path: layout::checkpoint(),
        }
        .into());
    }
    Ok(Demo {
        made,
        chapters: checkpoint.get().last_completed_chapter,
        lock,
    })
}
