//! Writes rewrites of committed chapters as transactions.

use novel_book::edit::Changes;
use novel_model::{ChapterNo, files::Checkpoint};
pub(crate) use novel_steps::{
    reports::committed,
    rewrite::{Log, Parts, Rewrite, Summarised, add_stages},
};
use novel_store::{TxnKind, TxnLabel, Writer};

pub(crate) use crate::revise::summarise::{moment, summarise};
use crate::{BookError, Project};

/// The name of a rewrite in the operations log. Only a rewrite of the newest chapter leaves the book
/// as it stands right after that chapter.
fn label(checkpoint: &Checkpoint, chapter: ChapterNo) -> TxnLabel {
    let newest = checkpoint.last_completed_chapter;
    let target = if chapter.get() == newest {
        format!("chapter-{chapter}")
    } else {
        format!("chapter-{chapter}-of-{newest:03}")
    };
    TxnLabel::new(TxnKind::Rewrite { chapter }, target)
}

/// Writes a rewrite as one transaction.
pub(crate) fn write(
    project: &Project,
    writer: &Writer,
    checkpoint: &Checkpoint,
    chapter: ChapterNo,
    changes: Changes,
) -> Result<(), BookError> {
    project.write(writer, label(checkpoint, chapter), changes)?;
    Ok(())
}
