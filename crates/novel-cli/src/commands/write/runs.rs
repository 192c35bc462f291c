//! `novel runs`.

use novel_app::library::runs;
use novel_contract::run::{RunBrief, RunState};
use novel_model::{Lang, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::table::{self, Side},
    ui::{canvas, labels, run_events},
};

/// List the runs, newest first
///
/// A run is one command that calls agents. Each has a log, `logs/runs/ID.jsonl`, that grows while it
/// works; `novel watch ID` shows it. Writes nothing.
#[derive(clap::Args, Debug)]
pub(crate) struct RunsArgs {}

pub(crate) fn run(context: &Context, _args: &RunsArgs) -> CommandResult {
    let project = context.project()?;
    let answer = runs::list(&project)?;
    let text = render(&answer.runs, canvas::screen().line, context.lang);
    let empty = answer.runs.is_empty();
    let output = Output::new(answer).about_config(project.warnings());
    Ok(if empty {
        output.note(message!(en: "There are no runs yet.", zh: "还没有运行过。"))
    } else {
        output.text(text)
    })
}

/// Columns below which the year is left out, and the cost where there is none.
const NARROW: usize = 80;

fn render(runs: &[RunBrief], columns: Option<usize>, lang: Lang) -> String {
    let head = match lang {
        Lang::En => ["run", "began", "goal", "chapters", "cost", "state"],
        Lang::Zh => ["编号", "开始", "目标", "章", "费用", "状态"],
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(runs.iter().map(|run| {
        let state = match (run.state, run.stop) {
            (RunState::Running, _) => {
                let doing = run.under_way.first();
                let doing = doing.and_then(|step| step.parse().ok());
                match doing {
                    Some(step) => run_events::at_work(step),
                    None => message!(en: "running", zh: "进行中"),
                }
            }
            (RunState::Broken, _) => message!(en: "killed", zh: "意外中断"),
            (RunState::Ended, stop) => run_events::stop(stop),
        };
        vec![
            run.run.get().to_string(),
            run_events::clock(&run.begun_at),
            run_events::goal(run.goal).get(lang).to_owned(),
            labels::chapter_span(&run.chapters),
            labels::money(run.spent.cost_usd),
            state.get(lang).to_owned(),
        ]
    }));
    let (text, number) = (Side::Left, Side::Right);
    let mut sides = vec![number, text, text, text, number, text];
    if columns.is_some_and(|columns| columns < NARROW) {
        for row in &mut rows {
            row[1] = run_events::without_year(&row[1]).to_owned();
        }
        if runs.iter().all(|run| run.spent.cost_usd.is_none()) {
            sides.remove(4);
            for row in &mut rows {
                row.remove(4);
            }
        }
    }
    table::fitted(&rows, &sides, columns)
}
