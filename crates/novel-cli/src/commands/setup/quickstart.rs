//! `novel quickstart [accept|redo PHASE]`.

use clap::{Subcommand, ValueEnum};
use novel_app::{Project, setup::redo as direction, write::run::Goal};
use novel_model::{Failure, Message, QuickstartPhase, StepId, message};

use crate::{
    args::NoteArgs,
    context::Context,
    output::{CommandResult, Output},
    writing::{self, DecisionArgs, Written},
};

/// Set up the book: world, cast, style, three trial chapters
///
/// Continues the setup from where it is, and stops when the trial chapters are written: read them,
/// then accept them or redo a part.
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
pub(crate) struct QuickstartArgs {
    #[command(subcommand)]
    word: Option<Word>,

    #[command(flatten)]
    decision: DecisionArgs,
}

#[derive(Subcommand, Debug)]
enum Word {
    /// Accept the trial chapters; the first volume is planned next
    Accept,
    /// Redo a part of the setup
    ///
    /// What that part made goes to `archive/`, and so do the trial chapters; then the setup
    /// continues from there. The note is for this time only; it is kept in `logs/notes.jsonl`.
    Redo {
        /// Which part
        #[arg(value_name = "PART", value_enum)]
        part: Part,

        #[command(flatten)]
        note: NoteArgs,

        #[command(flatten)]
        decision: DecisionArgs,
    },
}

/// A part of the set-up.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub(crate) enum Part {
    /// The world and the main storyline
    World,
    /// The cast
    Characters,
    /// The style
    Style,
    /// The trial chapters alone
    Trial,
}

impl From<Part> for QuickstartPhase {
    fn from(part: Part) -> Self {
        match part {
            Part::World => Self::World,
            Part::Characters => Self::Characters,
            Part::Style => Self::Style,
            Part::Trial => Self::Trial,
        }
    }
}

pub(crate) fn run(context: &Context, args: &QuickstartArgs) -> CommandResult {
    let project = context.project()?;
    match &args.word {
        None => {
            let written = set_up(context, &project, &args.decision)?;
            let output = writing::output(context, &project, Goal::Decision, written);
            Ok(output.note(read_trial()))
        }
        Some(Word::Accept) => {
            let report = direction::accept_trial(&project)?;
            Ok(Output::new(report.answer())
                .note(message!(
                    en: "The trial is accepted. Plan the first volume with `novel plan`.",
                    zh: "试写已接受。用 `novel plan` 规划第一卷。"
                ))
                .about_config(project.warnings()))
        }
        Some(Word::Redo {
            part,
            note,
            decision,
        }) => {
            let note = note.read()?;
            direction::redo_quickstart(&project, (*part).into(), note.as_deref())?;
            let written = set_up(context, &project, decision)?;
            Ok(writing::output_redone(context, &project, written)?.note(read_trial()))
        }
    }
}

fn set_up(context: &Context, project: &Project, args: &DecisionArgs) -> Result<Written, Failure> {
    let in_trial = novel_app::library::status::status(project)?
        .checkpoint
        .trial_until
        .is_some();
    let own = StepId::Quickstart(QuickstartPhase::World);
    let wish = args.wish(project, own, |step| match step {
        StepId::Quickstart(_) => true,
        StepId::Chapter(..) => in_trial,
        StepId::Volume(..) => false,
    })?;
    writing::write(context, project, wish)
}

/// What to do with a written trial.
fn read_trial() -> Message {
    message!(
        en: "Read the trial in chapters/; then `novel quickstart accept`, or `novel quickstart redo world|characters|style|trial --note TEXT`.",
        zh: "请阅读 chapters/ 中的试写；然后 `novel quickstart accept`，或 `novel quickstart redo world|characters|style|trial --note TEXT`。"
    )
}
