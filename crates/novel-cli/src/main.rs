//! The `novel` command line: reads arguments, calls a use case, prints its report.
//!
//! No rule of the book and no file format lives here.

mod args;
mod canvas;
mod commands;
mod context;
mod diff;
mod entry;
mod error;
mod help;
mod input;
mod interrupt;
mod labels;
mod language;
mod locate;
mod output;
mod pages;
mod printer;
mod progress;
mod prompt;
mod raw;
#[cfg(test)]
mod reference_tests;
mod table;
mod usage;
mod writing;

fn main() -> std::process::ExitCode {
    entry::main()
}
