//! What each step of a book changes, as pure functions from a [`Book`] (and an answer) to
//! [`novel_book::edit::Changes`].
//!
//! Nothing is written here: the application makes the changes one transaction. A rule that is to see
//! changes that are not written yet is given an [`novel_book::edit::Edit`] as its book.

pub mod accept;
pub mod answer;
mod book;
mod claims;
pub mod commit;
pub mod consistency;
mod error;
pub mod hand_in;
pub mod outputs;
pub mod quickstart;
mod refusal;
pub mod reports;
pub mod review;
pub mod rewrite;
pub mod staging;
pub mod summary;
pub mod texts;
pub mod volume;
pub mod volumes;
mod walled;
pub mod walls;

pub use book::{Book, expect_next, read_checkpoint, stamp_checkpoint};
pub use error::StepError;
pub use refusal::Refusal;
pub use walled::Walled;
