//! The `novel` command line: reads arguments, calls a use case, prints its report.
//!
//! No rule of the book and no file format lives here.

mod args;
mod commands;
mod context;
mod entry;
mod error;
mod help;
mod input;
mod interrupt;
mod language;
mod locate;
#[cfg(test)]
mod named_tests;
mod output;
#[cfg(test)]
mod reference_tests;
mod ui;
mod unparsed;
mod usage;
mod writing;

/// A run parses and builds a great deal of JSON between two answers; with the system's allocator a
/// fifth of that time is its own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    entry::main()
}
