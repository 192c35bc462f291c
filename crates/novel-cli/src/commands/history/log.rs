//! `novel log [N]`.

use clap::value_parser;
use novel_contract::history::{LogAnswer, Operation};
use novel_model::{Failure, Lang, message};
use novel_store::{PastOperation, StoreReader, operations};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::labels,
    ui::table::{self, Side},
};

/// List the operations on the book, newest first
///
/// Commits, rollbacks, changed chapters and what was taken back. Writes nothing. What an operation
/// replaced is in `archive/`; `novel undo` takes the last one back.
#[derive(clap::Args, Debug)]
pub(crate) struct LogArgs {
    /// Operations to list
    #[arg(value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..))]
    count: u32,
}

pub(crate) fn run(context: &Context, args: &LogArgs) -> CommandResult {
    let project = context.project()?;
    let look = |reader: &StoreReader| Ok::<_, Failure>(operations(reader)?);
    let mut all = project.store().look(look)?;
    let total = all.len();
    all.reverse();
    all.truncate(usize::try_from(args.count).unwrap_or(usize::MAX));
    let row = |operation: &PastOperation| Operation {
        operation: operation.operation,
        kind: operation.kind.clone(),
        target: operation.target.clone(),
        at: operation.at.clone(),
    };
    let data = LogAnswer {
        operations: all.iter().map(row).collect(),
        total,
        warnings: Vec::new(),
    };
    let output = Output::new(data).about_config(project.warnings());
    Ok(if all.is_empty() {
        output.note(message!(en: "There is no operation yet.", zh: "还没有操作。"))
    } else {
        output.text(render(&all, context.lang))
    })
}

fn render(operations: &[PastOperation], lang: Lang) -> String {
    let head = match lang {
        Lang::En => ["no.", "operation", "target", "files", "time"],
        Lang::Zh => ["编号", "操作", "对象", "文件", "时间"],
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(operations.iter().map(|operation| {
        vec![
            operation.operation.to_string(),
            labels::operation(&operation.kind).get(lang).to_owned(),
            operation.target.clone(),
            operation.changes.len().to_string(),
            operation.at.clone(),
        ]
    }));
    let (text, number) = (Side::Left, Side::Right);
    table::columns(&rows, &[number, text, text, number, text])
}
