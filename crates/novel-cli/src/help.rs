//! Help in the language of the person.
//!
//! The English texts are the doc comments of the arguments. The Chinese ones stand in [`zh`] by
//! key, and a test sees to it that none is missing and none is left over.

mod zh;

use std::ffi::OsString;

use clap::{Arg, Command, builder::StyledStr};
use novel_model::Lang;

use crate::args::GLOBAL_HEADING;

const ZH_TEMPLATE: &str =
    "{before-help}{about-with-newline}\n用法：{usage}\n\n{all-args}{after-help}";

/// A command tree with its help in a language.
pub(crate) fn translated(mut command: Command, lang: Lang) -> Command {
    // Subcommands have the global options and their full name only after this.
    command.build();
    match lang {
        Lang::En => command,
        Lang::Zh => in_chinese(command, ""),
    }
}

/// The help clap was asked for, in the language of `tree`.
pub(crate) fn text(
    error: &clap::Error,
    arguments: &[OsString],
    tree: Command,
    lang: Lang,
) -> StyledStr {
    match lang {
        Lang::En => error.render(),
        Lang::Zh => with_chinese_marks(&match tree.try_get_matches_from(arguments) {
            Err(error) => error.render(),
            Ok(_) => error.render(),
        }),
    }
}

/// What clap writes around our own words, as Chinese writes it.
pub(crate) fn with_chinese_marks(help: &StyledStr) -> StyledStr {
    let mut text = help.ansi().to_string().replace("[OPTIONS]", "[选项]");
    for heading in ["命令", "选项", "参数"] {
        text = text.replace(&format!("{heading}:"), &format!("{heading}："));
    }
    StyledStr::from(text)
}

/// Key of a command (`lock clear`) in the table.
fn key_below(key: &str, command: &str) -> String {
    format!("{key} {command}").trim_start().to_owned()
}

/// Key of an argument in the table: `lock clear.force`; the same everywhere for a global one.
fn argument_key(key: &str, argument: &Arg) -> String {
    let id = argument.get_id();
    if argument.is_global_set() {
        format!(".{id}")
    } else {
        format!("{key}.{id}")
    }
}

fn in_chinese(command: Command, key: &str) -> Command {
    let mut command = command
        .help_template(ZH_TEMPLATE)
        .subcommand_help_heading("命令")
        .subcommand_value_name("命令");
    if let Some((short, long)) = zh::text(key) {
        command = command.about(short);
        if let Some(long) = long {
            command = command.long_about(long);
        }
    }
    let names: Vec<String> = command
        .get_subcommands()
        .map(|sub| sub.get_name().to_owned())
        .collect();
    for name in names {
        let below = key_below(key, &name);
        command = command.mut_subcommand(name, |sub| in_chinese(sub, &below));
    }
    command.mut_args(|argument| argument_in_chinese(argument, key))
}

fn argument_in_chinese(argument: Arg, key: &str) -> Arg {
    let heading = match argument.get_help_heading() {
        Some(GLOBAL_HEADING) => "全局选项",
        _ if argument.is_positional() => "参数",
        _ => "选项",
    };
    let Some((short, long)) = zh::text(&argument_key(key, &argument)) else {
        return argument;
    };
    let extra = possible_values(&argument) + &default_value(&argument);
    let long = long.map(|long| format!("{long}{extra}"));
    // Below a heading clap sorts arguments by name unless they have an order.
    let argument = match argument.get_index() {
        Some(index) => argument.display_order(index),
        None => argument,
    };
    let argument = argument
        .help(format!("{short}{extra}"))
        .help_heading(heading)
        .hide_possible_values(true)
        .hide_default_value(true);
    match long {
        Some(long) => argument.long_help(long),
        None => argument,
    }
}

/// What clap would say in English.
fn possible_values(argument: &Arg) -> String {
    if !argument.get_action().takes_values() {
        return String::new();
    }
    let names: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| value.get_name().to_owned())
        .collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!(" [可选：{}]", names.join("、")),
    }
}

fn default_value(argument: &Arg) -> String {
    let values: Vec<String> = argument
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    match (argument.get_action().takes_values(), values.as_slice()) {
        (true, [_, ..]) => format!(" [默认：{}]", values.join("、")),
        _ => String::new(),
    }
}

#[cfg(test)]
#[path = "help_tests.rs"]
mod tests;
