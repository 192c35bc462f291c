//! Decisions about a book, as pure functions: values in, values out.
//!
//! No clock, no disk, no network, no environment; files are seen through `BookReader` only.

pub mod believe;
pub mod blacklist;
pub mod brief;
pub mod changelog;
pub mod config;
pub mod context;
pub mod drift;
pub mod edit;
pub mod foreshadow;
pub mod gate;
pub mod judgement;
pub mod manuscript;
pub mod next;
pub mod operations;
pub mod ops;
pub mod pending;
pub mod plans;
pub mod post_commit;
pub mod probe;
pub mod recall;
pub mod review;
pub mod revision;
pub mod run;
pub mod scenes;
pub mod staged;
pub mod threads;
pub mod validate;
