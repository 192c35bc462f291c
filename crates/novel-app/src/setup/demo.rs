//! `novel demo`: a small planned book, to be written by the offline author.

use novel_model::{BookReader, Failure, Lang, RelPath, layout};
use novel_store::{Store, TxnKind, TxnLabel};

use crate::{Refusal, setup::init};

/// Puts the planned demo book into an empty directory.
///
/// # Errors
/// When a project is there already.
pub fn create(store: &Store, language: Lang) -> Result<Vec<RelPath>, Failure> {
    let writer = store.acquire(None)?;
    if writer.reader()?.read(&layout::checkpoint())?.is_some() {
        return Err(Refusal::Exists {
            path: layout::checkpoint(),
        }
        .into());
    }
    let mut txn = writer.begin(TxnLabel::new(TxnKind::Init, "demo"));
    for (path, text) in init::templates(language) {
        txn.write(path, text);
    }
    // The demo's own style profile takes the place of the template.
    for (path, text) in novel_offline::demo_files(language) {
        txn.write(path, text);
    }
    let written = txn.paths().cloned().collect();
    txn.commit()?;
    Ok(written)
}
