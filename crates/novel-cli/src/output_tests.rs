//! The contract knows every command.

use std::collections::BTreeSet;

use clap::CommandFactory;

use crate::commands::Cli;

/// The command and those below it, as answers name them.
fn names(command: &clap::Command, path: &[&str], found: &mut BTreeSet<String>) {
    for below in command
        .get_subcommands()
        .filter(|below| !below.is_hide_set())
    {
        let path = [path, &[below.get_name()]].concat();
        found.insert(path.join(" "));
        names(below, &path, found);
    }
}

#[test]
fn every_command_has_a_schema_of_its_answers() {
    let mut found = BTreeSet::from(["novel".to_owned()]);
    names(&Cli::command(), &[], &mut found);
    let known: BTreeSet<String> = novel_contract::commands().map(str::to_owned).collect();
    assert_eq!(found, known);
}
