//! Commands that write chapters and volumes.

pub(crate) mod advance;
pub(crate) mod chapter;
pub(crate) mod commit;
pub(crate) mod continue_;
pub(crate) mod gate;
pub(crate) mod instructions;
pub(crate) mod next;
pub(crate) mod prompt;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod scene;
pub(crate) mod schema;
pub(crate) mod stop;
pub(crate) mod submit;
pub(crate) mod tell;
pub(crate) mod validate;
pub(crate) mod volume;
pub(crate) mod watch;
