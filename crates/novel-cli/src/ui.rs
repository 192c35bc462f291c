//! What people see: tables, progress, questions, colours, words.

pub(crate) mod canvas;
pub(crate) mod diff;
mod drafts;
pub(crate) mod finding;
pub(crate) mod labels;
pub(crate) mod pager;
pub(crate) mod pages;
pub(crate) mod printer;
pub(crate) mod progress;
pub(crate) mod prompt;
pub(crate) mod run_events;
pub(crate) mod table;
pub(crate) mod visible;
pub(crate) mod wrap;
