//! Foreign programs: running them, ending them, and keeping them out of a project.
//!
//! [`run`] starts a program in a process group of its own, feeds it, reads it and ends the whole
//! group with it. A [`Job`] is a program to be run apart from a project: [`supervise`] stands in for it,
//! gives it a view of the project of its own where the system can, and ends with it everything it
//! started; [`exec`] gives up rights for good and becomes the program. Both need a process that can be
//! given up, so the front end has hidden commands for them. The crate knows nothing of books.

mod child;
mod error;
mod find;
mod job;
mod launch;
mod process;
pub mod sandbox;
mod sandbox_error;
mod scratch;
mod stand_in;
mod supervise;
mod view;
mod words;

pub use child::{ChildOutput, ChildSpec, run};
pub use error::ChildError;
pub use find::find_program;
pub use job::{Enforcement, Isolation, Job, Network};
pub use launch::exec;
pub use process::{Process, adopt_orphans, close_to_others, end_marked};
pub use sandbox_error::SandboxError;
pub use scratch::{Place, Scratch};
pub use supervise::supervise;
