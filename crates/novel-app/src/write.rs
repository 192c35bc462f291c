//! Writing: the steps of a chapter and of a volume, and the loop that runs them.

pub mod advance;
pub mod anew;
pub mod chapter;
pub mod commit;
pub mod gate;
pub mod instructions;
pub mod next;
pub mod prompt;
pub mod regen;
pub mod run;
pub mod scene;
pub mod schema;
pub mod submit;
pub mod validate;
pub mod volume;
pub mod volume_review;
