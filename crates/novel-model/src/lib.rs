//! Types of a `novel` project: ids, paths, files, problems.
//!
//! Pure: nothing here reads a clock, a disk, an environment or a network.

pub mod files;
mod hash;
mod ids;
pub mod layout;
mod message;
mod path;
mod problem;
mod reader;

pub use hash::ContentHash;
pub use ids::{
    ChapterNo, ChapterStage, ForeshadowId, IdError, QuickstartPhase, Slug, StepId, VolumeNo,
    VolumeStage, nearest,
};
pub use message::{Lang, Message};
pub use path::{RelPath, RelPathError};
pub use problem::{Explain, Failure, Kind, Place, Problem, Warning};
pub use reader::{BookReader, ReadError, decode};
