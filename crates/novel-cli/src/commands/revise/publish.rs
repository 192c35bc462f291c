//! `novel publish --to N`.

use novel_app::revise::marks::{self, Mark, MarksReport};
use novel_model::{ChapterNo, counted, message};

use crate::{
    args::WallArgs,
    context::Context,
    output::{CommandResult, Output},
};

/// Mark the chapters that readers have
///
/// A published chapter keeps its title and text: nothing changes them without `--published`.
/// Problems found later are passed to the next plan and the next writer, to be explained in the
/// story.
#[derive(clap::Args, Debug)]
pub(crate) struct PublishArgs {
    /// Last chapter that is published; 0 is none
    #[arg(long, value_name = "N")]
    to: u32,

    #[command(flatten)]
    walls: WallArgs,
}

pub(crate) fn run(context: &Context, args: &PublishArgs) -> CommandResult {
    let project = context.project()?;
    let report = marks::mark(
        &project,
        Mark::Published { to: args.to },
        args.walls.are_down(),
    )?;
    let to = args.to;
    let note = match (to, report.changed) {
        (_, false) => message!(en: "Nothing changed.", zh: "没有变化。"),
        (0, true) => message!(en: "No chapter is published.", zh: "没有已发布的章节。"),
        (_, true) => message!(
            en: "Published up to chapter {to}; these chapters keep their titles and texts.",
            zh: "已发布到第 {to} 章；这些章的标题与正文不再改动。"
        ),
    };
    Ok(shown(context, &report)
        .note(note)
        .about_config(project.warnings()))
}

/// `novel chapter lock|unlock`.
pub(crate) fn lock(
    context: &Context,
    first: ChapterNo,
    last: ChapterNo,
    locks: bool,
) -> CommandResult {
    let project = context.project()?;
    let mark = if locks {
        Mark::Locked(first, last)
    } else {
        Mark::Unlocked(first, last)
    };
    let report = marks::mark(&project, mark, false)?;
    let count = report.marks.locked.len();
    let chapters = counted(count, "chapter");
    let note = match (locks, report.changed) {
        (_, false) => message!(en: "Nothing changed.", zh: "没有变化。"),
        (true, true) => message!(
            en: "Locked; {chapters} locked in all. `novel chapter unlock` unlocks them.",
            zh: "已锁定，共锁定 {count} 章；`novel chapter unlock` 可解除。"
        ),
        (false, true) => message!(
            en: "Unlocked; {chapters} still locked.",
            zh: "已解除锁定，仍锁定 {count} 章。"
        ),
    };
    Ok(shown(context, &report)
        .note(note)
        .about_config(project.warnings()))
}

fn shown(context: &Context, report: &MarksReport) -> Output {
    let mut output = Output::new(report.answer(context.lang)).warnings(&report.warnings);
    for repair in &report.marks.forward_repairs {
        let (n, what) = (repair.chapter.get(), &repair.issue.description);
        output = output.note(message!(
            en: "To be explained later: chapter {n}, {what}",
            zh: "须在后文解释：第 {n} 章，{what}"
        ));
    }
    output
}
