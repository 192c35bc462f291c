//! Commands that begin or set up a book.

pub(crate) mod agents;
pub(crate) mod config;
pub(crate) mod demo;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod model;
pub(crate) mod plan;
pub(crate) mod projects;
pub(crate) mod quickstart;
pub(crate) mod start;
