//! The ledger of facts: what the record says about people, places and things, with a closed meaning.
//!
//! Ops stay the form of the record. A field with a known name is a slot; a lexicon in both languages
//! brings its value to a meaning. A value nobody knows is kept as text and decides nothing.

mod facts;
#[rustfmt::skip]
mod lexicon;
mod places;
mod slot;
mod value;

pub use facts::{Fact, Ledger, SourceLine};
pub use places::{Place, Places};
pub use slot::{Slot, UnknownSlot};
pub use value::{
    Body, Life, Meaning, Part, Thing, Trouble, kin_of, read_age, read_number, stands_differ, things,
};

pub(crate) use value::{confines, number_word, plain, same_text, same_thing, without_article};

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
