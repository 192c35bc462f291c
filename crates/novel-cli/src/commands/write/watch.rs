//! `novel watch [ID]`.

use std::{io::Write, thread, time::Duration};

use novel_app::library::runs::{self, Follow};
use novel_contract::run::{RunEvent, RunState, WatchAnswer};
use novel_model::{Failure, RunId, message};

use crate::{
    context::Context,
    error::CliError,
    output::{CommandResult, Output},
    ui::canvas,
    ui::printer::Format,
    ui::run_events::Screen,
};

/// How often the log is looked at.
const EVERY: Duration = Duration::from_millis(100);

/// Follow a run from any terminal
///
/// Shows what the run has done so far and then follows it live, prose included, until it ends.
/// Ending `watch` does not affect the run. Without ID it shows the newest run, finished or not.
/// With `--json` the answer comes when the run is over.
#[derive(clap::Args, Debug)]
pub(crate) struct WatchArgs {
    /// Which run; `novel runs` lists them
    #[arg(value_name = "ID", allow_negative_numbers = true)]
    run: Option<RunId>,

    /// Print the events as they are in the log, one JSON object per line
    #[arg(long, conflicts_with = "no_text")]
    events: bool,

    /// Leave out the prose
    #[arg(long)]
    no_text: bool,
}

pub(crate) fn run(context: &Context, args: &WatchArgs) -> CommandResult {
    let project = context.project()?;
    let mut follow = runs::follow(&project, args.run)?;
    let format = context.printer.format;
    let mut screen = Screen::new(context.lang, !args.no_text, canvas::screen().line);
    let mut all = Vec::new();
    loop {
        // In this order: what a process wrote before it ended is read after it was seen to have.
        let state = follow_state(&follow)?;
        let events = follow.more()?;
        for event in &events {
            match format {
                Format::Json => {}
                Format::Text if args.events => print_event(context, event)?,
                Format::Text => print(context, &screen.show(event))?,
            }
        }
        let idle = events.is_empty();
        if format == Format::Json {
            all.extend(events);
        }
        if state != RunState::Running && idle {
            break;
        }
        if idle {
            thread::sleep(EVERY);
        }
    }
    let brief = follow.brief()?;
    if format == Format::Text && !args.events {
        print(context, &screen.end())?;
    }
    let number = brief.run.get();
    let is_broken = brief.state == RunState::Broken;
    let output = Output::new(WatchAnswer {
        run: brief,
        log_events: all,
    });
    Ok(if is_broken {
        output.note(message!(
            en: "Run {number} was killed before it ended; finished calls are not billed twice. Go on with `novel resume`.",
            zh: "第 {number} 次运行意外中断；已完成的调用不会重复计费。用 `novel resume` 继续。"
        ))
    } else {
        output
    })
}

/// A log that is read from its start is not looked at for its process before its first line is known.
fn follow_state(follow: &Follow<'_>) -> Result<RunState, Failure> {
    if follow.is_unread() {
        return Ok(RunState::Running);
    }
    Ok(follow.state()?)
}

fn print(context: &Context, text: &str) -> Result<(), Failure> {
    if text.is_empty() {
        return Ok(());
    }
    let printed = context.printer.data(text);
    printed.map_err(|source| CliError::Output { source }.into())
}

fn print_event(context: &Context, event: &RunEvent) -> Result<(), Failure> {
    let failed = |source| Failure::from(CliError::Output { source });
    let mut line = serde_json::to_vec(event).map_err(|error| failed(error.into()))?;
    line.push(b'\n');
    let mut out = context.printer.bytes();
    out.write_all(&line)
        .and_then(|()| out.flush())
        .map_err(failed)
}
