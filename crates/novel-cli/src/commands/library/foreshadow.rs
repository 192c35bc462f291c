//! `novel foreshadow list [--due|--overdue]`.

use clap::Subcommand;
use novel_app::library::{
    report::{due_word, scope_word},
    storylines,
};
use novel_contract::library::{Due, ForeshadowAnswer, ForeshadowRow};
use novel_model::{Lang, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::canvas,
    ui::labels::UNKNOWN,
    ui::table::{self, Side},
};

/// Look at the foreshadowing
#[derive(clap::Args, Debug)]
pub(crate) struct ForeshadowArgs {
    #[command(subcommand)]
    command: ForeshadowCommand,
}

#[derive(Subcommand, Debug)]
enum ForeshadowCommand {
    List(ListArgs),
}

/// List the foreshadowing, the most urgent first
///
/// What is planted, and what the current volume still plans. Short items past their range are overdue;
/// items whose range has begun are due.
#[derive(clap::Args, Debug)]
struct ListArgs {
    /// Only what may be resolved now, the overdue included
    #[arg(long, conflicts_with = "overdue")]
    due: bool,
    /// Only what is overdue
    #[arg(long)]
    overdue: bool,
}

pub(crate) fn run(context: &Context, args: &ForeshadowArgs) -> CommandResult {
    let ForeshadowCommand::List(args) = &args.command;
    let project = context.project()?;
    let mut items = storylines::foreshadowing(&project)?;
    items.retain(|item| match (args.due, args.overdue) {
        (true, _) => matches!(item.due, Due::Due | Due::Overdue),
        (_, true) => item.due == Due::Overdue,
        (false, false) => true,
    });
    let data = ForeshadowAnswer {
        foreshadowing: items.clone(),
        warnings: Vec::new(),
    };
    let output = Output::new(data).about_config(project.warnings());
    Ok(if items.is_empty() {
        output.note(if args.due || args.overdue {
            message!(en: "No foreshadowing is due.", zh: "没有到期的伏笔。")
        } else {
            message!(en: "No foreshadowing yet.", zh: "还没有伏笔。")
        })
    } else {
        output.text(render(&items, context.lang))
    })
}

fn render(items: &[ForeshadowRow], lang: Lang) -> String {
    let head = match lang {
        Lang::En => [
            "id",
            "status",
            "scope",
            "planted",
            "due in",
            "last",
            "what it is",
        ],
        Lang::Zh => ["id", "状态", "跨度", "埋设", "回收区间", "最近", "内容"],
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(items.iter().map(|item| {
        let number = |chapter: Option<novel_model::ChapterNo>| {
            chapter.map_or_else(|| UNKNOWN.to_owned(), |chapter| chapter.get().to_string())
        };
        let range = item.target_resolve_range;
        vec![
            item.id.clone(),
            due_word(item.due).get(lang).to_owned(),
            item.scope.map_or_else(
                || UNKNOWN.to_owned(),
                |scope| scope_word(scope).get(lang).to_owned(),
            ),
            number(item.planted_chapter),
            range.map_or_else(
                || UNKNOWN.to_owned(),
                |(first, last)| format!("{first}-{last}"),
            ),
            number(item.last_updated_chapter),
            item.description
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
        ]
    }));
    let (text, number) = (Side::Left, Side::Right);
    let sides = [text, text, text, number, number, number, text];
    table::fitted(&rows, &sides, canvas::screen().line)
}
