//! The book as a collection: people, storylines, search, reports, costs, import and export.

pub mod analyse;
pub mod cast;
pub mod chapters;
pub mod cost;
mod edits;
pub mod export;
pub mod facts;
pub mod forecast;
pub mod impact;
pub mod import;
pub mod knows;
pub mod manuscripts;
pub mod overview;
pub mod report;
pub mod runs;
pub mod search;
pub mod status;
pub mod storylines;
pub mod timeline;
