//! `novel adopt N`.

use novel_app::revise::adopt;
use novel_model::{ChapterNo, message};

use crate::{
    args::WallArgs,
    context::Context,
    output::{CommandResult, Output},
    ui::labels,
    writing::{self, Executor},
};

/// Make a hand-edited Markdown the text of a chapter
///
/// Edit `chapters/chapter-NNN.md`, then adopt it: the chapter is summarized again, the state is
/// rebuilt from there, and later chapters that may no longer fit are listed. The old text goes to
/// `archive/`.
#[derive(clap::Args, Debug)]
pub(crate) struct AdoptArgs {
    /// Chapter
    #[arg(allow_negative_numbers = true)]
    chapter: ChapterNo,

    #[command(flatten)]
    walls: WallArgs,

    /// Who runs the agents, instead of `executor` in novel.toml
    #[arg(long, value_name = "KIND", value_enum)]
    executor: Option<Executor>,
}

pub(crate) fn run(context: &Context, args: &AdoptArgs) -> CommandResult {
    let project = context.project()?.with_walls(args.walls.walls());
    let other = args.executor.map(Into::into);
    let report = writing::ask(context, &project, other, |runner| {
        adopt::adopt(runner, args.chapter)
    })?;
    let (n, (before, after)) = (args.chapter.get(), report.words);
    let output = Output::new(report.answer(context.lang)).warnings(&report.warnings);
    Ok(labels::note_later(output, &report.later)
        .note(message!(
            en: "Chapter {n} now has your text: {after} words (was {before}). The old text is in \
                archive/; `novel undo` reverts it.",
            zh: "第 {n} 章已采用你的正文：{after} 字（原 {before} 字）。旧文在 archive/ 中，`novel undo` 可撤销。"
        ))
        .about_config(project.warnings()))
}
