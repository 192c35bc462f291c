//! Types of a `novel` project: ids, paths, files, problems.
//!
//! Pure: nothing here reads a clock, a disk, an environment or a network.

mod checks;
mod decoded;
mod document;
pub mod files;
mod format;
mod formats;
mod hash;
mod ids;
mod json;
pub mod layout;
mod merge;
mod message;
mod path;
mod problem;
pub mod proof;
mod reader;
#[cfg(test)]
mod samples;
mod schema;
pub mod seal;

pub use decoded::{Decoded, decoded};
pub use document::{BrokenFile, Document, FileError, to_json_text};
pub use format::Format;
pub use formats::schemas;
pub use hash::ContentHash;
pub use ids::{
    ChapterNo, ChapterStage, ForeshadowId, IdError, QuickstartPhase, RunId, SceneNo, Slug, StepId,
    VolumeNo, VolumeStage, nearest,
};
pub use message::{Lang, Message, counted, quoted};
pub use path::{RelPath, RelPathError};
pub use problem::{Details, ErrorTable, Explain, Failure, Kind, Place, Problem, Row, Warning};
pub use reader::{BookReader, ReadError, decode, last_line_of};
pub use schema::schema_of;
