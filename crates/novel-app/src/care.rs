//! Looking after a book: repairs, story checks, phrases.

pub mod check;
pub mod doctor;
pub mod lint;
pub mod lock;
pub mod share;
