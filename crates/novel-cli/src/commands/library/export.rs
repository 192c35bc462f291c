//! `novel export --format FORMAT`.
//!
//! A file is put in its place once it is complete and on the disk: half a book is never seen.

use std::{
    io::{self, BufWriter, IsTerminal, Write},
    path::{Path, PathBuf},
};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use novel_app::Project;
use novel_app::library::export::{
    self, Edits, Existing, ExportFormat, ExportReport, ExportRequest, NewFile,
};
use novel_contract::library::ExportAnswer;
use novel_model::{ChapterNo, Explain, Failure, Kind, Lang, Message, counted, message};
use serde_json::{Map, Value, json};

use crate::{
    context::Context,
    error::CliError,
    output::{CommandResult, Output},
    ui::printer::Format,
    usage::UsageError,
};

/// Longest name made from a title, in bytes; file systems allow 255.
const NAME_LIMIT: usize = 200;

/// Write the book, or a part of it, to one file
///
/// The text is that of the book; a hand edit that is not adopted would be missing, so it stops the
/// export. EPUB has a table of contents, volumes as parts, and a cover if the project has one. DOCX is a
/// manuscript: title page, chapters on new pages, double-spaced.
#[derive(clap::Args, Debug)]
pub(crate) struct ExportArgs {
    /// Format of the file
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    format: ExportFormat,

    /// File to write; `-` is standard output; the title in the current directory by default
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// First chapter; the first of the book by default
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    from: Option<ChapterNo>,

    /// Last chapter; the newest by default
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    to: Option<ChapterNo>,

    /// Replace the file if it exists
    #[arg(long)]
    force: bool,

    /// Leave out hand edits that are not adopted, instead of stopping
    #[arg(long)]
    ignore_edits: bool,
}

fn format() -> impl TypedValueParser<Value = ExportFormat> {
    let words = ExportFormat::ALL.iter().map(|format| format.word());
    PossibleValuesParser::new(words).try_map(|word| word.parse::<ExportFormat>())
}

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
enum OutError {
    /// It is there, and must not be replaced.
    #[error("`{}` already exists", path.display())]
    Exists { path: PathBuf },
    /// The operating system refused.
    #[error("`{}` cannot be written", path.display())]
    Unwritable {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

pub(crate) fn run(context: &Context, args: &ExportArgs) -> CommandResult {
    let request = request(args)?;
    let to_stdout = args.out.as_deref() == Some(Path::new("-"));
    if to_stdout {
        check_stdout(context, args.format)?;
    }
    let project = context.project()?;
    let (report, file) = if to_stdout {
        (print(context, &project, args.format, &request)?, None)
    } else {
        let name = args
            .out
            .clone()
            .unwrap_or_else(|| default_name(project.config().title.as_deref(), args.format));
        let existing = if args.force {
            Existing::Replace
        } else {
            Existing::Keep
        };
        let path = context.here.join(&name);
        let report = save(&project, args.format, &request, &path, existing)?;
        (report, Some(name.display().to_string()))
    };
    let (chapters, words) = (report.chapters, report.words);
    let data = ExportAnswer {
        file: file.clone(),
        format: args.format.word().to_owned(),
        chapters,
        words,
        bytes: report.bytes,
        warnings: Vec::new(),
    };
    let text = file.map(|file| format!("{file}\n")).unwrap_or_default();
    let counted = counted(chapters, "chapter");
    Ok(Output::new(data)
        .text(text)
        .note(message!(
            en: "Exported {counted}, {words} words.",
            zh: "已导出 {chapters} 章，{words} 字。"
        ))
        .about_config(project.warnings()))
}

fn request(args: &ExportArgs) -> Result<ExportRequest, UsageError> {
    match (args.from, args.to) {
        (Some(first), Some(last)) if first > last => Err(UsageError::new(
            message!(
                en: "there are no chapters from {} to {}", zh: "第 {} 章到第 {} 章之间没有章节",
                first.get(), last.get()
            ),
            message!(en: "give the smaller number to `--from`", zh: "`--from` 应为较小的章号"),
        )),
        (first, last) => Ok(ExportRequest {
            first,
            last,
            edits: if args.ignore_edits {
                Edits::LeaveOut
            } else {
                Edits::Stop
            },
        }),
    }
}

/// Standard output takes one thing, and a terminal takes text.
fn check_stdout(context: &Context, format: ExportFormat) -> Result<(), UsageError> {
    let hint = message!(
        en: "name a file with `--out FILE`", zh: "请用 `--out FILE` 指定文件"
    );
    if context.printer.format == Format::Json {
        return Err(UsageError::new(
            message!(
                en: "`--json` and `--out -` cannot both use standard output",
                zh: "`--json` 与 `--out -` 不能同时使用标准输出"
            ),
            hint,
        ));
    }
    if matches!(format, ExportFormat::Epub | ExportFormat::Docx) && io::stdout().is_terminal() {
        let name = format.word().to_uppercase();
        return Err(UsageError::new(
            message!(
                en: "a file of format {name} cannot be shown in a terminal",
                zh: "{name} 不能在终端中显示"
            ),
            hint,
        ));
    }
    Ok(())
}

/// A terminal gets the text with what is invisible made visible, anything else gets the bytes.
fn print(
    context: &Context,
    project: &Project,
    format: ExportFormat,
    request: &ExportRequest,
) -> Result<ExportReport, Failure> {
    let unprintable = |source| CliError::Output { source };
    if io::stdout().is_terminal() {
        let mut bytes = Vec::new();
        let report = export::export(project, format, request, &mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        context.printer.data(&text).map_err(unprintable)?;
        return Ok(report);
    }
    let mut out = BufWriter::new(context.printer.bytes());
    let report = export::export(project, format, request, &mut out)?;
    out.flush().map_err(unprintable)?;
    Ok(report)
}

fn save(
    project: &Project,
    format: ExportFormat,
    request: &ExportRequest,
    path: &Path,
    existing: Existing,
) -> Result<ExportReport, Failure> {
    let exists = || OutError::Exists {
        path: path.to_owned(),
    };
    let unwritable = |source| OutError::Unwritable {
        path: path.to_owned(),
        source,
    };
    // Asked before any work is done, and once more when the file is put in its place.
    if existing == Existing::Keep && path.symlink_metadata().is_ok() {
        return Err(exists().into());
    }
    let file = NewFile::begin(path).map_err(unwritable)?;
    let mut out = BufWriter::new(file);
    let report = export::export(project, format, request, &mut out)?;
    let file = out
        .into_inner()
        .map_err(|error| unwritable(error.into_error()))?;
    match file.put(existing) {
        Ok(()) => Ok(report),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists().into()),
        Err(error) => Err(unwritable(error).into()),
    }
}

/// The title as a file name that every file system takes.
fn default_name(title: Option<&str>, format: ExportFormat) -> PathBuf {
    let safe = title.unwrap_or_default().chars().map(|char| match char {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        char if char.is_control() => '_',
        char => char,
    });
    let mut name = String::new();
    for char in safe {
        if name.len() + char.len_utf8() > NAME_LIMIT {
            break;
        }
        name.push(char);
    }
    // A leading dot hides a file, a leading hyphen is an option, a trailing dot is lost on some.
    let name = name
        .trim_start_matches(|char: char| char.is_whitespace() || char == '.' || char == '-')
        .trim_end_matches(|char: char| char.is_whitespace() || char == '.');
    let name = if name.is_empty() { "novel" } else { name };
    PathBuf::from(format!("{name}.{format}"))
}

impl Explain for OutError {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Exists { .. } => "ALREADY_EXISTS",
            Self::Unwritable { .. } => "UNWRITABLE",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::Exists { path } => {
                let path = path.display();
                message!(en: "`{path}` already exists", zh: "`{path}` 已存在")
            }
            Self::Unwritable { path, source } => {
                let path = path.display();
                message!(en: "`{path}` cannot be written: {source}", zh: "无法写入 `{path}`：{source}")
            }
        }
    }

    fn hint(&self) -> Option<Message> {
        Some(match self {
            Self::Exists { .. } => message!(
                en: "name another file with `--out FILE`, or replace it with `--force`",
                zh: "请用 `--out FILE` 指定其他文件，或用 `--force` 覆盖"
            ),
            Self::Unwritable { .. } => message!(
                en: "name a file in an existing directory with `--out FILE`",
                zh: "请用 `--out FILE` 指定已有目录中的文件"
            ),
        })
    }

    fn details(&self, _lang: Lang) -> Map<String, Value> {
        let (Self::Exists { path } | Self::Unwritable { path, .. }) = self;
        Map::from_iter([("path".to_owned(), json!(path.display().to_string()))])
    }
}

#[cfg(test)]
#[path = "export_tests.rs"]
mod tests;
