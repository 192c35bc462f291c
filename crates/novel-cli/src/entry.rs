//! From the arguments to the exit code.
//!
//! Invariant: with `--json` exactly one JSON object is printed on standard output, whatever happens.

use std::{
    ffi::OsString,
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
};

use clap::{ArgMatches, CommandFactory, FromArgMatches, error::ErrorKind};
use novel_app::Writer;
use novel_contract::{Done, Failed, shell::HelpAnswer};
use novel_model::{Explain, Failure, Kind, Lang};

use crate::{
    args::GlobalArgs,
    commands::{Cli, shell::version},
    context::{self, Context},
    error::{self, CliError},
    help,
    output::{CommandResult, Output},
    ui::printer::{Format, Printer, Talk},
    unparsed, usage,
};

/// The whole program.
pub(crate) fn main() -> ExitCode {
    // A panic is caught below and explained like any other failure.
    panic::set_hook(Box::new(|_| {}));
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let parsed = Cli::command()
        .try_get_matches_from(&arguments)
        .and_then(|matches| {
            let cli = Cli::from_arg_matches(&matches)?;
            Ok((cli, command_path(&matches)))
        });
    match parsed {
        Ok((cli, command)) => run(&cli, &command.join(" ")),
        Err(error) => not_parsed(&error, &arguments),
    }
}

fn run(cli: &Cli, command: &str) -> ExitCode {
    let lang = context::language(&cli.global, cli.command.new_book());
    let printer = printer(&cli.global, lang);
    let result = panic::catch_unwind(AssertUnwindSafe(|| {
        let context = Context::new(&cli.global, printer)?;
        let output = cli.command.run(&context)?;
        context.check_released()?;
        Ok(output)
    }));
    let result = result.unwrap_or_else(|payload| Err(CliError::panicked(payload.as_ref()).into()));
    finish(&printer, command, result)
}

/// Prints what a command answered.
fn finish(printer: &Printer, command: &str, result: CommandResult) -> ExitCode {
    match result {
        Ok(mut output) => {
            let lock = output.take_lock();
            let printed = match printer.format {
                Format::Json => output
                    .into_data(printer.lang)
                    .map_err(std::io::Error::from)
                    .and_then(|data| printer.json(&Done::new(command, data))),
                Format::Text => {
                    for warning in &output.warnings {
                        printer.warning(warning);
                    }
                    let printed = printer.data(&output.text);
                    for note in &output.notes {
                        printer.note(note);
                    }
                    printed
                }
            };
            match printed {
                Ok(()) => match lock.map(Writer::release) {
                    Some(Err(source)) => {
                        let error = CliError::Unreleased { source };
                        printer.failure(&error);
                        error::exit_code(error.kind())
                    }
                    Some(Ok(())) | None => ExitCode::SUCCESS,
                },
                Err(source) => {
                    // The lock stays: the same command, run again, tells what was done.
                    std::mem::forget(lock);
                    unprintable(printer, source)
                }
            }
        }
        Err(failure) => fail(printer, command, &failure),
    }
}

fn fail(printer: &Printer, command: &str, failure: &Failure) -> ExitCode {
    let failure = failure.explain();
    match printer.format {
        Format::Text => printer.failure(failure),
        Format::Json => {
            let envelope = Failed::new(command, failure, printer.lang);
            if let Err(source) = printer.json(&envelope) {
                return unprintable(printer, source);
            }
        }
    }
    error::exit_code(failure.kind())
}

/// Standard output does not take the answer; standard error may.
fn unprintable(printer: &Printer, source: std::io::Error) -> ExitCode {
    let error = CliError::Output { source };
    printer.failure(&error);
    error::exit_code(error.kind())
}

/// Help, version, and arguments that cannot be used.
fn not_parsed(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    let guess = unparsed::guess(arguments.get(1..).unwrap_or_default());
    let printer = printer(&guess.global, context::language(&guess.global, None));
    let name = if guess.command.is_empty() {
        "novel".to_owned()
    } else {
        guess.command.join(" ")
    };
    let help = || help::text(error, arguments, Cli::tree(printer.lang), printer.lang);
    match (error.kind(), printer.format) {
        (ErrorKind::DisplayVersion, _) => finish(&printer, "version", Ok(version::output())),
        (ErrorKind::DisplayHelp, Format::Json) => {
            let help = help().to_string();
            finish(&printer, &name, Ok(Output::new(HelpAnswer { help })))
        }
        (ErrorKind::DisplayHelp, Format::Text) => match printer.help(&help().ansi().to_string()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(source) => unprintable(&printer, source),
        },
        // Without any argument a person needs the help, and a program an error.
        (ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand, Format::Text) => {
            printer.say(&help().ansi().to_string());
            error::exit_code(Kind::Input)
        }
        _ => fail(&printer, &name, &usage::translate(error, &guess.command)),
    }
}

fn printer(global: &GlobalArgs, lang: Lang) -> Printer {
    Printer {
        format: if global.json {
            Format::Json
        } else {
            Format::Text
        },
        talk: if global.quiet {
            Talk::Quiet
        } else {
            Talk::Normal
        },
        color: global.color,
        lang,
    }
}

/// The names of the command and its subcommand.
fn command_path(matches: &ArgMatches) -> Vec<String> {
    let mut path = Vec::new();
    let mut matches = matches;
    while let Some((name, sub)) = matches.subcommand() {
        path.push(name.to_owned());
        matches = sub;
    }
    path
}
