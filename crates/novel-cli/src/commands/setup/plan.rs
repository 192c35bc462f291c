//! `novel plan [show|approve|redo]`.

use clap::Subcommand;
use novel_app::{
    Project, library::status, setup::redo as direction, setup::start, write::commit::CommitMode,
    write::run::Goal, write::volume,
};
use novel_model::{Message, StepId, VolumeStage, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    writing::{self, DecisionArgs},
};

/// Plan the current volume
///
/// The plan is made, checked and put into `staging/volumes/`; nothing of it is in the book before
/// you approve it. A plan that is staged already is not made again without `redo`.
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
pub(crate) struct PlanArgs {
    #[command(subcommand)]
    word: Option<Word>,

    #[command(flatten)]
    decision: DecisionArgs,
}

#[derive(Subcommand, Debug)]
enum Word {
    /// Print the staged plan and what the checks say
    Show,
    /// Put the staged plan into the book
    Approve,
    /// Have the volume planned again
    ///
    /// The staged plan goes to `archive/`. The note is for this time only: the planner is told of it,
    /// and it is kept in `logs/notes.jsonl`.
    Redo {
        /// What should be different
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
}

pub(crate) fn run(context: &Context, args: &PlanArgs) -> CommandResult {
    let project = context.project()?;
    match &args.word {
        None => plan(context, &project, &args.decision),
        Some(Word::Show) => show(context, &project),
        Some(Word::Approve) => approve(context, &project),
        Some(Word::Redo { note }) => {
            let report = direction::redo_plan(&project, note.as_deref())?;
            let step = report.next;
            Ok(Output::new(report.answer())
                .note(message!(
                    en: "The old plan is in archive/; `novel plan` makes a new one ({step}).",
                    zh: "旧规划已移入 archive/；用 `novel plan` 重新规划（{step}）。"
                ))
                .about_config(project.warnings()))
        }
    }
}

fn plan(context: &Context, project: &Project, args: &DecisionArgs) -> CommandResult {
    direction::reopen_planning(project)?;
    let own = StepId::Volume(
        status::status(project)?.checkpoint.current_volume,
        VolumeStage::Plan,
    );
    let wish = args.wish(project, own, |step| {
        matches!(
            step,
            StepId::Volume(_, VolumeStage::Plan | VolumeStage::Commit)
        )
    })?;
    let written = writing::write(context, project, wish)?;
    let report = direction::show_plan(project)?;
    let titles = start::chapter_titles(&report.outline);
    let count = titles.len();
    let output = writing::output(context, project, Goal::Decision, written);
    let text: String = titles.iter().map(|line| format!("{line}\n")).collect();
    Ok(output.text(text).note(message!(
        en: "{count} chapters are planned. Read the plan with `novel plan show`; take it with `novel plan approve`, or ask for another with `novel plan redo`.",
        zh: "已规划 {count} 章。用 `novel plan show` 查看，`novel plan approve` 批准，或 `novel plan redo` 重新规划。"
    )))
}

fn show(context: &Context, project: &Project) -> CommandResult {
    let report = direction::show_plan(project)?;
    let mut text = report.outline.clone();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let problems = report.findings.problems.len();
    let output = Output::new(report.answer(context.lang))
        .text(text)
        .warnings(&report.findings.warnings)
        .about_config(project.warnings());
    Ok(if problems == 0 {
        output.note(message!(
            en: "The plan is sound: `novel plan approve` takes it.",
            zh: "规划通过检查：用 `novel plan approve` 批准。"
        ))
    } else {
        let listed = report
            .findings
            .problems
            .iter()
            .fold(output, |output, problem| {
                let (place, text) = (problem.location(), &problem.message);
                output.note(Message {
                    en: format!("{place}: {}", text.en),
                    zh: format!("{place}：{}", text.zh),
                })
            });
        listed.note(message!(
            en: "{problems} problems: mend the files in staging/, or `novel plan redo`.",
            zh: "共 {problems} 处问题：请修改 staging/ 中的文件，或 `novel plan redo`。"
        ))
    })
}

fn approve(context: &Context, project: &Project) -> CommandResult {
    let volume = direction::show_plan(project)?.volume;
    let report = volume::commit_volume(project, volume, CommitMode::Apply)?;
    let (number, (first, last)) = (volume.get(), report.chapters);
    let (first, last) = (first.get(), last.get());
    Ok(Output::new(report.answer(context.lang))
        .warnings(&report.warnings)
        .about_config(project.warnings())
        .note(message!(
            en: "The plan of volume {number} is in the book: chapters {first} to {last}. Write with `novel continue`.",
            zh: "第 {number} 卷的规划已入书：第 {first} 至 {last} 章。用 `novel continue` 开始写。"
        )))
}
