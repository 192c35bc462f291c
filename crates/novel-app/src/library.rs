//! The book as a collection: people, storylines, search, reports, costs, import and export.

pub mod analyse;
pub mod cast;
pub mod cost;
pub mod export;
pub mod impact;
pub mod import;
pub mod report;
pub mod search;
pub mod status;
pub mod storylines;
