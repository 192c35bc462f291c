//! Foreign programs: running them, ending them, and keeping them out of a project.
//!
//! [`run`] starts a program in a process group of its own, feeds it, reads it and ends the whole
//! group with it. [`sandbox`] gives up this process's own right to write into a project, for good,
//! and then becomes the foreign program; it needs a process that can be given up, so the front end
//! has a hidden command for it. The crate knows nothing of books.

mod child;
mod error;
mod find;
pub mod sandbox;

pub use child::{ChildOutput, ChildSpec, run};
pub use error::ChildError;
pub use find::find_program;
