//! `novel storyline list|show`.

use clap::Subcommand;
use novel_app::library::{
    report::Plot,
    storylines::{self, LineCard},
};
use novel_contract::library::StorylinesAnswer;
use novel_model::{Lang, Slug, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::canvas,
    ui::labels::{self, UNKNOWN},
    ui::table::{self, Side},
};

/// Look at the storylines
#[derive(clap::Args, Debug)]
pub(crate) struct StorylineArgs {
    #[command(subcommand)]
    command: StorylineCommand,
}

#[derive(Subcommand, Debug)]
enum StorylineCommand {
    List(ListArgs),
    Show(ShowArgs),
}

/// List the storylines: status, chapters, how long ago
#[derive(clap::Args, Debug)]
struct ListArgs {}

/// Show one storyline: who tells it, its chapters, its memory
#[derive(clap::Args, Debug)]
struct ShowArgs {
    /// Storyline, such as `main-arc`
    #[arg(value_name = "ID")]
    id: Slug,
}

pub(crate) fn run(context: &Context, args: &StorylineArgs) -> CommandResult {
    match &args.command {
        StorylineCommand::List(_) => list(context),
        StorylineCommand::Show(args) => show(context, &args.id),
    }
}

fn list(context: &Context) -> CommandResult {
    let project = context.project()?;
    let cards = storylines::storylines(&project)?;
    let data = StorylinesAnswer {
        storylines: cards.iter().map(LineCard::row).collect(),
        warnings: Vec::new(),
    };
    let output = Output::new(data).about_config(project.warnings());
    if cards.is_empty() {
        return Ok(output.note(message!(en: "There are no storylines yet.", zh: "还没有故事线。")));
    }
    let head = match context.lang {
        Lang::En => ["id", "type", "status", "chapters", "words", "last", "name"],
        Lang::Zh => ["id", "类型", "状态", "章数", "字数", "距今", "名称"],
    };
    let dash = || UNKNOWN.to_owned();
    let known = |word: &Option<String>| {
        let shown = |word: &String| labels::storyline_word(word, context.lang).to_owned();
        word.as_ref().map_or_else(dash, shown)
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(cards.iter().map(|card| {
        let row = card.rhythm.as_ref();
        let since = row.and_then(|row| row.since_last);
        vec![
            card.line.id.to_string(),
            labels::storyline_word(&card.line.kind, context.lang).to_owned(),
            known(&card.line.status),
            row.map_or(0, |row| row.chapters.len()).to_string(),
            row.map_or(0, |row| row.words).to_string(),
            since.map_or_else(dash, |since| since.to_string()),
            card.line.name.clone(),
        ]
    }));
    let (text, number) = (Side::Left, Side::Right);
    let sides = [text, text, text, number, number, number, text];
    Ok(output.text(table::fitted(&rows, &sides, canvas::screen().line)))
}

fn show(context: &Context, id: &Slug) -> CommandResult {
    let project = context.project()?;
    let card = storylines::storyline(&project, id)?;
    let line = &card.line;
    let pick = |en: &str, zh: &str| match context.lang {
        Lang::En => en.to_owned(),
        Lang::Zh => zh.to_owned(),
    };
    let known = |text: &Option<String>| text.clone().unwrap_or_else(|| UNKNOWN.to_owned());
    let rows = [
        vec![pick("Name", "名称"), line.name.clone()],
        vec![
            pick("Status", "状态"),
            labels::storyline_word(&known(&line.status), context.lang).to_owned(),
        ],
        vec![pick("Told by", "视角"), line.pov_characters.join(", ")],
        vec![pick("Time", "时间"), known(&line.timeline)],
        vec![pick("About", "内容"), known(&line.description)],
    ];
    let mut text = table::align(&rows);
    if let Some(row) = card.rhythm.as_ref().filter(|row| !row.chapters.is_empty()) {
        let plot = Plot::Rhythm {
            first: 1,
            last: card.written,
            rows: vec![(line.id.to_string(), row.chapters.clone())],
        };
        text.push('\n');
        for drawn in plot.draw(canvas::screen().canvas) {
            text.push_str(&format!("{drawn}\n"));
        }
    }
    if let Some(memory) = &card.memory {
        text.push_str(&format!("\n{}\n", memory.trim_end()));
    }
    Ok(Output::new(card.answer())
        .text(text)
        .about_config(project.warnings()))
}
