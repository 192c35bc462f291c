//! `novel init [DIR]`.

use std::path::PathBuf;

use novel_app::init::{self, InitOptions, Overwrite};
use novel_engine::config::ApprovalPolicy;
use novel_model::{Lang, message};
use novel_store::Store;

use crate::{
    args::book_language,
    context::Context,
    output::{CommandResult, Output},
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

    /// Who the book is about, for the brief
    #[arg(long, value_name = "TEXT")]
    protagonist: Option<String>,

    /// What drives the book, for the brief
    #[arg(long, value_name = "TEXT")]
    conflict: Option<String>,

    /// The brief: what the book is to be
    #[arg(long, value_name = "TEXT")]
    brief: Option<String>,

    /// Ask nothing, now or later: the trial and every plan are accepted unseen
    #[arg(long)]
    yes: bool,

    /// Replace files of an existing project; the old ones go to `archive/`
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(context: &Context, args: &InitArgs) -> CommandResult {
    let root = context.new_place(args.dir.as_deref(), &context.here)?;
    let options = InitOptions {
        title: args.title.clone(),
        author: args.author.clone(),
        language: args.language.unwrap_or(Lang::Zh),
        genre: args.genre.clone(),
        protagonist: args.protagonist.clone(),
        conflict: args.conflict.clone(),
        approval: if args.yes {
            ApprovalPolicy::Unattended
        } else {
            ApprovalPolicy::Ask
        },
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
    let shown = context.shown(&root);
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
