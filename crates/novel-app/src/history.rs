//! Going back: `novel undo`, `novel redo`, `novel log` and `novel rollback`.
//!
//! Nothing is deleted: `archive/` keeps what goes.

mod log;
mod refusal;
mod rollback;
mod undo;

pub use log::{LogReport, log};
pub use novel_book::operations::{OperationState, TxnKind};
pub use refusal::{LaterOperation, UndoError, UndoRefusal};
pub(crate) use rollback::{
    Past, back_to, checkpoint_after, imported_through, moment_before, rolled_back,
};
pub use rollback::{RollbackReport, rollback};
pub(crate) use undo::staged;
pub use undo::{UndoReport, redo, undo};
