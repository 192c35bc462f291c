//! What can be told from arguments that do not parse.
//!
//! `--json`, `--lang` and the like hold for a usage error too, so they are looked for by hand when
//! clap gave up.

use std::{ffi::OsString, path::PathBuf};

use clap::{CommandFactory, ValueEnum};
use novel_model::Lang;

use crate::{
    args::{ColorWhen, GlobalArgs},
    commands::Cli,
};

/// The global options and the command, as far as they can be recognised.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Guess {
    /// Global options.
    pub(crate) global: GlobalArgs,
    /// Names of the command and its subcommand.
    pub(crate) command: Vec<String>,
}

/// Looks through the arguments after the program's name.
pub(crate) fn guess(arguments: &[OsString]) -> Guess {
    let mut found = Guess::default();
    let mut tree = Cli::command();
    let mut words = arguments.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        }
        let (name, attached) = split(&word);
        let mut value = || attached.clone().or_else(|| words.next().map(Into::into));
        let global = &mut found.global;
        match name.as_str() {
            "--json" => global.json = true,
            "--quiet" | "-q" => global.quiet = true,
            "--lang" => global.lang = value().and_then(|tag| Lang::from_tag(&tag)),
            "--color" => {
                let when = value().and_then(|when| ColorWhen::from_str(&when, false).ok());
                global.color = when.unwrap_or_default();
            }
            "--project" => global.project = value().map(PathBuf::from),
            "--project-name" | "-p" => global.project_name = value(),
            option if option.starts_with('-') => {}
            command => {
                if let Some(sub) = tree.find_subcommand(command).cloned() {
                    found.command.push(sub.get_name().to_owned());
                    tree = sub;
                }
            }
        }
    }
    found
}

/// `--name=value` and `-pVALUE` in two parts.
fn split(word: &str) -> (String, Option<String>) {
    match (word.strip_prefix("--"), word.strip_prefix("-p")) {
        (Some(long), _) => match long.split_once('=') {
            Some((name, value)) => (format!("--{name}"), Some(value.to_owned())),
            None => (word.to_owned(), None),
        },
        (None, Some(value)) if !value.is_empty() => ("-p".to_owned(), Some(value.to_owned())),
        _ => (word.to_owned(), None),
    }
}

#[cfg(test)]
#[path = "unparsed_tests.rs"]
mod tests;
