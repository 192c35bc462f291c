//! Arguments every command has.

use std::path::PathBuf;

use clap::{
    ArgAction, Args, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use novel_app::Walls;
use novel_model::Lang;

use crate::input::{InputError, Source};

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

/// What the author asks for, once.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct NoteArgs {
    /// What should be different, for this once
    #[arg(long, value_name = "TEXT", conflicts_with = "note_file")]
    note: Option<String>,

    /// The same, from a file (`-` is standard input)
    #[arg(long, value_name = "FILE")]
    note_file: Option<PathBuf>,
}

impl NoteArgs {
    /// The note, if one was given.
    ///
    /// # Errors
    /// When the file cannot be read, or nothing is said.
    pub(crate) fn read(&self) -> Result<Option<String>, InputError> {
        let (text, name) = match (&self.note, &self.note_file) {
            (Some(text), _) => (text.clone(), "--note".to_owned()),
            (None, Some(path)) => {
                let source = Source::of(path);
                (source.text()?, source.name())
            }
            (None, None) => return Ok(None),
        };
        let text = text.trim();
        match (text.is_empty(), text.chars().count() > MAX_NOTE) {
            (true, _) => Err(InputError::Empty { name }),
            (_, true) => Err(InputError::LongNote {
                name,
                limit: MAX_NOTE,
            }),
            _ => Ok(Some(text.to_owned())),
        }
    }
}

/// The author's word on published and locked chapters.
#[derive(Args, Debug, Clone, Copy, Default)]
pub(crate) struct WallArgs {
    /// Change published and locked chapters too
    #[arg(long)]
    published: bool,
}

impl WallArgs {
    /// Whether published and locked chapters may change.
    pub(crate) const fn are_down(self) -> bool {
        self.published
    }

    /// The walls as the application takes them.
    pub(crate) const fn walls(self) -> Walls {
        if self.published {
            Walls::Down
        } else {
            Walls::Stand
        }
    }
}

/// A note is a wish, not a manuscript: it must fit into every prompt.
const MAX_NOTE: usize = 8_000;

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
