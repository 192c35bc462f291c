//! `novel init [DIR]`.

use std::path::PathBuf;

use novel_app::init::{self, InitOptions, Overwrite};
use novel_model::{Lang, message};
use novel_store::Store;

use crate::{
    args::book_language,
    context::Context,
    locate::{self, Wanted},
    output::{CommandResult, Output},
    usage::UsageError,
};

/// Start a new project
///
/// Makes the directory with `.checkpoint.json`, `novel.toml`, `brief.md`, and templates for style
/// and blacklist. Replaces nothing without `--force`.
#[derive(clap::Args, Debug)]
pub(crate) struct InitArgs {
    /// Directory of the new project; the current one by default
    dir: Option<PathBuf>,

    /// Title of the book
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Name of the author
    #[arg(long, value_name = "TEXT")]
    author: Option<String>,

    /// Language of the book; `zh-CN` by default
    #[arg(long, value_name = "LANG", value_parser = book_language())]
    pub(crate) language: Option<Lang>,

    /// Genre, for the brief
    #[arg(long, value_name = "TEXT")]
    genre: Option<String>,

    /// The brief: what the book is to be
    #[arg(long, value_name = "TEXT")]
    brief: Option<String>,

    /// Replace files of an existing project; the old ones go to `archive/`
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(context: &Context, args: &InitArgs) -> CommandResult {
    let wanted = match (&args.dir, &context.wanted) {
        (Some(dir), Wanted::Nearest) => Wanted::Directory(dir.clone()),
        (None, wanted) => wanted.clone(),
        (Some(_), Wanted::Directory(_) | Wanted::Name(_)) => {
            return Err(UsageError::new(
                message!(en: "the directory is given twice", zh: "目录给了两次"),
                message!(
                    en: "give DIR, `--project` or `-p`, but only one of them",
                    zh: "DIR、`--project`、`-p` 只能给其中一个"
                ),
            )
            .into());
        }
    };
    let root = locate::place(&wanted, &context.here)?;
    let options = InitOptions {
        title: args.title.clone(),
        author: args.author.clone(),
        language: args.language.unwrap_or(Lang::Zh),
        genre: args.genre.clone(),
        brief: args.brief.clone(),
        overwrite: if args.force {
            Overwrite::Replace
        } else {
            Overwrite::Refuse
        },
    };
    let report = init::init(&Store::create(&root)?, context.clock, &options)?;
    let written: String = report
        .written
        .iter()
        .map(|path| format!("{path}\n"))
        .collect();
    let shown = root
        .strip_prefix(&context.here)
        .unwrap_or(&root)
        .display()
        .to_string();
    let mut output = Output::new(report.to_json(context.lang)).text(written);
    output = if shown.is_empty() {
        output.note(message!(en: "The project is ready.", zh: "项目已就绪。"))
    } else {
        output.note(message!(
            en: "The project is ready: `cd {shown}`.", zh: "项目已就绪：`cd {shown}`。"
        ))
    };
    Ok(output.note(message!(
        en: "Fill in `brief.md`, then run `novel next`.", zh: "请填写 `brief.md`，然后运行 `novel next`。"
    )))
}
