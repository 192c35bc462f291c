//! Arguments every command has.

use std::path::PathBuf;

use clap::{
    ArgAction, Args, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use novel_model::Lang;

/// Heading of the options every command has.
pub(crate) const GLOBAL_HEADING: &str = "Global options";

/// Options every command has.
#[derive(Args, Debug, Clone, Default, PartialEq)]
#[command(next_help_heading = GLOBAL_HEADING)]
pub(crate) struct GlobalArgs {
    /// Directory of the project
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,

    /// Project `projects/NAME` of the workspace around the current directory
    #[arg(short = 'p', long, global = true, value_name = "NAME")]
    pub(crate) project_name: Option<String>,

    /// Print one JSON object on standard output and nothing else
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Language of messages
    #[arg(long, global = true, value_name = "LANG", value_parser = message_language())]
    pub(crate) lang: Option<Lang>,

    /// Print no notes and no warnings
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) color: ColorWhen,

    /// Print help; `-h` is shorter
    #[arg(short, long, global = true, action = ArgAction::Help)]
    help: Option<bool>,
}

/// When to use colours.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ColorWhen {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

fn message_language() -> impl TypedValueParser<Value = Lang> {
    language([
        PossibleValue::new("zh").aliases(["zh-CN", "zh_CN"]),
        PossibleValue::new("en").aliases(["en-US", "en_US"]),
    ])
}

/// The languages a book can be written in.
pub(crate) fn book_language() -> impl TypedValueParser<Value = Lang> {
    language([
        PossibleValue::new("zh-CN").aliases(["zh", "zh_CN"]),
        PossibleValue::new("en").aliases(["en-US", "en_US"]),
    ])
}

fn language(tags: [PossibleValue; 2]) -> impl TypedValueParser<Value = Lang> {
    // Every tag above is one; the fallback is never taken.
    PossibleValuesParser::new(tags).map(|tag| Lang::from_tag(&tag).unwrap_or(Lang::Zh))
}
