//! The story: checks of chapters against the record, reports over volumes, plans and set-up.
//!
//! Pure like `novel-book`, which it builds on.

pub mod check;
mod facts;
pub mod forecast;
pub mod ledger;
pub mod plan;
pub mod reading;
pub mod report;
pub mod retire;
pub mod styles;
