//! Commands about the program itself.

pub(crate) mod completions;
pub(crate) mod help;
pub(crate) mod man;
pub(crate) mod sandbox_exec;
pub(crate) mod supervise;
pub(crate) mod version;
