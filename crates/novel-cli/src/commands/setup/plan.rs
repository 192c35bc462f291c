//! `novel plan [show|approve|redo|revise|from-text]`.

use clap::Subcommand;
use novel_app::{
    Project, library::status, setup::from_text as retold, setup::redo as direction, setup::start,
    write::commit::CommitMode, write::run::Goal, write::volume,
};
use novel_model::{ChapterNo, Message, StepId, VolumeStage, counted, message};

use crate::{
    args::NoteArgs,
    context::Context,
    output::{CommandResult, Output},
    writing::{self, DecisionArgs, Executor},
};

/// Plan the current volume
///
/// The plan is made, checked and put into `staging/volumes/`; nothing of it is in the book before
/// you approve it. A plan that is already staged is not made again without `redo`.
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
pub(crate) struct PlanArgs {
    #[command(subcommand)]
    word: Option<Word>,

    #[command(flatten)]
    note: NoteArgs,

    #[command(flatten)]
    decision: DecisionArgs,
}

#[derive(Subcommand, Debug)]
enum Word {
    /// Print the staged plan and what the checks say
    Show,
    /// Put the staged plan into the book
    Approve,
    /// Plan the volume again
    ///
    /// The staged plan goes to `archive/`, and a new one is made at once. The note is for this time
    /// only; it is kept in `logs/notes.jsonl`.
    Redo {
        #[command(flatten)]
        note: NoteArgs,

        #[command(flatten)]
        decision: DecisionArgs,
    },
    /// Update the plan of written chapters to match their text
    ///
    /// The planner reads the texts, a long chapter in parts: outline, contracts, threads and the storyline
    /// schedule follow. Only what a passage of the text proves is taken, and the passages are kept. Titles
    /// and texts stay, so published and locked chapters may be among them. One operation; `novel undo`
    /// reverts it.
    FromText {
        /// First chapter; the first of its volume by default
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        from: Option<ChapterNo>,

        /// Last chapter; the newest one by default
        #[arg(long, value_name = "M", allow_negative_numbers = true)]
        to: Option<ChapterNo>,

        /// Who runs the planner, instead of `executor` in novel.toml
        #[arg(long, value_name = "KIND", value_enum)]
        executor: Option<Executor>,
    },
    /// Replan the unwritten rest of the volume
    ///
    /// From the book as it is: written chapters stay, and so does the plan of the chapters before
    /// `--from`. The new plan waits for `novel plan approve`; `novel undo` returns to the old one.
    Revise {
        /// First chapter to replan; the first unwritten one by default
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        from: Option<ChapterNo>,

        #[command(flatten)]
        note: NoteArgs,

        #[command(flatten)]
        decision: DecisionArgs,
    },
}

pub(crate) fn run(context: &Context, args: &PlanArgs) -> CommandResult {
    let project = context.project()?;
    match &args.word {
        None => {
            direction::reopen_planning(&project)?;
            if let Some(note) = args.note.read()? {
                direction::note_plan(&project, &note)?;
            }
            plan(context, &project, Asked::First, &args.decision)
        }
        Some(Word::Show) => show(context, &project),
        Some(Word::Approve) => approve(context, &project),
        Some(Word::FromText { from, to, executor }) => {
            from_text(context, &project, (*from, *to), *executor)
        }
        Some(Word::Redo { note, decision }) => {
            direction::redo_plan(&project, note.read()?.as_deref())?;
            plan(context, &project, Asked::Again, decision)
        }
        Some(Word::Revise {
            from,
            note,
            decision,
        }) => {
            let checkpoint = status::status(&project)?.checkpoint;
            let first = checkpoint
                .inflight_chapter
                .map_or(checkpoint.plan_first(), ChapterNo::next);
            let note = note.read()?;
            direction::revise_plan(&project, from.unwrap_or(first), note.as_deref())?;
            plan(context, &project, Asked::Again, decision)
        }
    }
}

/// Whether a plan is made for the first time.
#[derive(Clone, Copy)]
enum Asked {
    First,
    Again,
}

fn plan(context: &Context, project: &Project, asked: Asked, args: &DecisionArgs) -> CommandResult {
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
    let are_planned = match count {
        1 => "1 chapter is planned".to_owned(),
        count => format!("{count} chapters are planned"),
    };
    let output = match asked {
        Asked::First => writing::output(context, project, Goal::Decision, written),
        Asked::Again => writing::output_redone(context, project, written)?,
    };
    let text: String = titles.iter().map(|line| format!("{line}\n")).collect();
    Ok(output.text(text).note(message!(
        en: "{are_planned}. Read the plan with `novel plan show`; approve it with `novel plan approve`, or ask for another with `novel plan redo`.",
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
            en: "The plan passes all checks; approve it with `novel plan approve`.",
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
        let counted = counted(problems, "problem");
        listed.note(message!(
            en: "{counted}: correct the files in staging/, or run `novel plan redo`.",
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
            zh: "第 {number} 卷的规划已生效：第 {first} 至 {last} 章。用 `novel continue` 开始写。"
        )))
}

fn from_text(
    context: &Context,
    project: &Project,
    (from, to): (Option<ChapterNo>, Option<ChapterNo>),
    executor: Option<Executor>,
) -> CommandResult {
    let other = executor.map(Into::into);
    let report = writing::ask(context, project, other, |runner| {
        retold::from_text(runner, from, to)
    })?;
    let text: String = report
        .written
        .iter()
        .map(|path| format!("{path}\n"))
        .collect();
    let (first, last) = (report.chapters.0.get(), report.chapters.1.get());
    let note = match report.written.is_empty() {
        true => message!(
            en: "The plan of chapters {first} to {last} agrees with what was written.",
            zh: "第 {first} 至 {last} 章的规划与正文一致。"
        ),
        false => message!(
            en: "The plan of chapters {first} to {last} follows what was written; `novel undo` reverts it. `novel plan revise` plans the rest from there.",
            zh: "第 {first} 至 {last} 章的规划已按正文重写，`novel undo` 可撤销。用 `novel plan revise` 由此重新规划其余部分。"
        ),
    };
    let lang = context.lang;
    Ok(Output::new(report.answer(lang))
        .text(text)
        .note(note)
        .warnings(&report.warnings())
        .about_config(project.warnings()))
}
