//! Beginning a book: project, world, cast, style, trial chapters, and doing parts of it again.

pub mod agents;
pub mod demo;
pub mod from_text;
pub mod init;
pub mod model;
pub mod outline;
pub mod redo;
pub mod settings;
pub mod start;
pub mod workspace;
pub mod world;
