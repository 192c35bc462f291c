//! `novel fact list|show|at`.

use clap::Subcommand;
use novel_app::library::facts::{self, Slot, Wanted};
use novel_contract::library::{FactRow, FactsAnswer};
use novel_model::{ChapterNo, Lang, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::canvas,
    ui::labels::UNKNOWN,
    ui::table::{self, Side},
};

/// Look at the ledger of facts
///
/// What the record says of people, places and things, with the chapters in which each fact holds.
/// Known fields have a slot, and their values a fixed meaning; an unknown value is kept as text and
/// decides nothing. Writes nothing.
#[derive(clap::Args, Debug)]
pub(crate) struct FactArgs {
    #[command(subcommand)]
    command: FactCommand,
}

#[derive(Subcommand, Debug)]
enum FactCommand {
    List(ListArgs),
    Show(ShowArgs),
    At(AtArgs),
}

/// List the facts that hold now
#[derive(clap::Args, Debug)]
struct ListArgs {
    /// Only of this slot, such as `alive`, `place`, `holds`
    #[arg(long, value_name = "SLOT")]
    slot: Option<String>,
    /// Include facts that no longer hold
    #[arg(long)]
    past: bool,
}

/// Show every fact about somebody or something, past ones included
#[derive(clap::Args, Debug)]
struct ShowArgs {
    /// Id or name, such as `lin-feng`
    #[arg(value_name = "SUBJECT")]
    subject: String,
}

/// List the facts that hold right after a chapter
#[derive(clap::Args, Debug)]
struct AtArgs {
    /// The chapter
    #[arg(value_name = "N")]
    chapter: ChapterNo,
    /// Only about this id or name
    #[arg(long, value_name = "SUBJECT")]
    subject: Option<String>,
}

pub(crate) fn run(context: &Context, args: &FactArgs) -> CommandResult {
    let wanted = match &args.command {
        FactCommand::List(args) => Wanted {
            slot: args.slot.as_deref().map(str::parse::<Slot>).transpose()?,
            past: args.past,
            ..Wanted::default()
        },
        FactCommand::Show(args) => Wanted {
            subject: Some(args.subject.clone()),
            past: true,
            ..Wanted::default()
        },
        FactCommand::At(args) => Wanted {
            subject: args.subject.clone(),
            at: Some(args.chapter),
            ..Wanted::default()
        },
    };
    let project = context.project()?;
    let rows = facts::facts(&project, &wanted)?;
    let text = render(&rows, context.lang);
    let is_empty = rows.is_empty();
    let data = FactsAnswer {
        facts: rows,
        at: wanted.at,
        warnings: Vec::new(),
    };
    let output = Output::new(data).about_config(project.warnings());
    Ok(if is_empty {
        output.note(message!(en: "There are no such facts.", zh: "没有这样的事实。"))
    } else {
        output.text(text)
    })
}

fn render(rows: &[FactRow], lang: Lang) -> String {
    let head = match lang {
        Lang::En => ["subject", "slot", "value", "means", "chapters"],
        Lang::Zh => ["主体", "栏目", "值", "含义", "章节"],
    };
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    lines.extend(rows.iter().map(|row| {
        let from = row
            .from
            .map_or_else(|| "0".to_owned(), |from| from.get().to_string());
        let to = row.to.map_or_else(String::new, |to| to.get().to_string());
        let value = row
            .value
            .as_str()
            .map_or_else(|| row.value.to_string(), str::to_owned);
        vec![
            row.name.clone().unwrap_or_else(|| row.subject.clone()),
            row.slot.clone().unwrap_or_else(|| row.field.clone()),
            value,
            row.meaning.clone().unwrap_or_else(|| UNKNOWN.to_owned()),
            format!("{from}-{to}"),
        ]
    }));
    let left = Side::Left;
    let sides = [left, left, left, left, Side::Right];
    table::fitted(&lines, &sides, canvas::screen().line)
}
