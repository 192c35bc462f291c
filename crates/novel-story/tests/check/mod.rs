//! The story checker on whole books: silent on clean ones, exact on planted faults.

mod acts;
mod any_text;
mod book;
mod candidates;
mod clean;
mod english;
mod faults;
mod output;
mod people;
mod shown;
mod typed;
