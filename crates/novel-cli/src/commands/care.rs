//! Commands that check and repair a book.

pub(crate) mod check;
pub(crate) mod doctor;
pub(crate) mod judge;
pub(crate) mod lint;
pub(crate) mod lock;
