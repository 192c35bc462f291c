//! Commands that go back in the history of a book.

pub(crate) mod log;
pub(crate) mod redo;
pub(crate) mod rollback;
pub(crate) mod undo;
