//! Commands that look things up or hand the book out.

pub(crate) mod character;
pub(crate) mod cost;
pub(crate) mod export;
pub(crate) mod fact;
pub(crate) mod forecast;
pub(crate) mod foreshadow;
pub(crate) mod impact;
pub(crate) mod knows;
pub(crate) mod report;
pub(crate) mod search;
pub(crate) mod status;
pub(crate) mod storyline;
pub(crate) mod studio;
pub(crate) mod world;
