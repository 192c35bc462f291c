//! `novel log [N]`.

use clap::value_parser;
use novel_app::history::{self, LogReport, OperationState};
use novel_model::{Lang, Message, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::table::{self, Side},
    ui::{canvas, labels, run_events},
};

/// List the operations on the book, newest first
///
/// Everything that changed the book: chapters, steps, decisions, rollbacks, and what was undone.
/// Writes nothing. What an operation replaced is kept in `archive/`; `novel undo` takes the last
/// one back.
#[derive(clap::Args, Debug)]
pub(crate) struct LogArgs {
    /// Operations to list
    #[arg(value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..))]
    count: u32,
}

pub(crate) fn run(context: &Context, args: &LogArgs) -> CommandResult {
    let project = context.project()?;
    let count = usize::try_from(args.count).unwrap_or(usize::MAX);
    let log = history::log(&project, count)?;
    let output = Output::new(log.answer()).about_config(project.warnings());
    let columns = canvas::screen().line;
    Ok(if log.operations.is_empty() {
        output.note(message!(en: "There are no operations yet.", zh: "还没有操作。"))
    } else {
        output.text(render(&log, columns, context.lang))
    })
}

/// Columns below which the number of files and the year are left out.
const NARROW: usize = 80;

fn render(log: &LogReport, columns: Option<usize>, lang: Lang) -> String {
    let is_narrow = columns.is_some_and(|columns| columns < NARROW);
    let head = match lang {
        Lang::En => ["no.", "operation", "target", "files", "time", ""],
        Lang::Zh => ["编号", "操作", "对象", "文件", "时间", ""],
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(log.operations.iter().map(|(operation, stands)| {
        let remark = match (operation.state, stands) {
            (_, false) => message!(en: "undone", zh: "已撤销"),
            (OperationState::Open, true) => message!(en: "open", zh: "未完成"),
            (OperationState::Done, true) => Message::default(),
        };
        vec![
            operation.operation.to_string(),
            labels::operation(operation.kind, &operation.target)
                .get(lang)
                .to_owned(),
            operation.target.clone(),
            operation.paths().len().to_string(),
            operation.at.clone(),
            remark.get(lang).to_owned(),
        ]
    }));
    let (text, number) = (Side::Left, Side::Right);
    let mut sides = vec![number, text, text, number, text, text];
    if is_narrow {
        sides.remove(3);
        for row in &mut rows {
            row.remove(3);
            row[3] = run_events::without_year(&run_events::clock(&row[3])).to_owned();
        }
    }
    let mut shown = table::columns(&rows, &sides);
    for (operation, _) in &log.operations {
        if let Some(note) = operation.note() {
            let number = operation.operation;
            let note = note.split_whitespace().collect::<Vec<_>>().join(" ");
            let line = message!(en: "note of {number}: {note}", zh: "操作 {number} 的要求：{note}");
            shown.push_str(line.get(lang));
            shown.push('\n');
        }
    }
    shown
}
