//! `novel character list|show|retire`.

use clap::Subcommand;
use novel_app::library::cast::{self, CharacterCard};
use novel_contract::library::CharactersAnswer;
use novel_model::{Lang, Slug, message};
use serde_json::Value;

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::canvas,
    ui::labels::UNKNOWN,
    ui::table::{self, Side},
};

/// Look at the cast, or retire a character
#[derive(clap::Args, Debug)]
pub(crate) struct CharacterArgs {
    #[command(subcommand)]
    command: CharacterCommand,
}

#[derive(Subcommand, Debug)]
enum CharacterCommand {
    List(ListArgs),
    Show(ShowArgs),
    Retire(RetireArgs),
}

/// List the cast, the retired last
#[derive(clap::Args, Debug)]
struct ListArgs {}

/// Show one character: names, contracts, state, chapters, and what still needs them
#[derive(clap::Args, Debug)]
struct ShowArgs {
    /// Character by id or name, such as `lin-feng`
    #[arg(value_name = "ID")]
    id: String,
}

/// Retire a character from the story
///
/// Moves their files to `characters/retired/` and writes down the last chapter they may act in.
/// Refused while open medium or long foreshadowing, a storyline, a meeting of storylines or a
/// planned chapter still needs them. One transaction; `novel undo` reverts it.
#[derive(clap::Args, Debug)]
struct RetireArgs {
    /// Character, such as `lin-feng`
    #[arg(value_name = "ID")]
    id: Slug,
    /// Why, for `characters/changelog.md`
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

pub(crate) fn run(context: &Context, args: &CharacterArgs) -> CommandResult {
    match &args.command {
        CharacterCommand::List(_) => list(context),
        CharacterCommand::Show(args) => show(context, &args.id),
        CharacterCommand::Retire(args) => retire(context, args),
    }
}

fn list(context: &Context) -> CommandResult {
    let project = context.project()?;
    let cards = cast::list(&project)?;
    let data = CharactersAnswer {
        characters: cards.iter().map(CharacterCard::row).collect(),
        warnings: Vec::new(),
    };
    let output = Output::new(data).about_config(project.warnings());
    if cards.is_empty() {
        return Ok(output.note(message!(en: "There are no characters yet.", zh: "还没有角色。")));
    }
    let head = match context.lang {
        Lang::En => ["id", "name", "aliases", "contracts", "status", "location"],
        Lang::Zh => ["id", "名字", "别名", "契约", "状态", "所在"],
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(cards.iter().map(|card| {
        let character = card.document.get();
        vec![
            card.id.to_string(),
            character.display_name.clone(),
            character.aliases.join(", "),
            character.contracts.len().to_string(),
            standing(card, context.lang),
            card.location().unwrap_or(UNKNOWN).to_owned(),
        ]
    }));
    let (text, number) = (Side::Left, Side::Right);
    let sides = [text, text, text, number, text, text];
    Ok(output.text(table::fitted(&rows, &sides, canvas::screen().line)))
}

fn standing(card: &CharacterCard, lang: Lang) -> String {
    let text = match (card.retired, card.retired_chapter()) {
        (false, _) => message!(en: "active", zh: "活跃"),
        (true, Some(last)) => message!(en: "retired after {last}", zh: "第 {last} 章后退场"),
        (true, None) => message!(en: "retired", zh: "已退场"),
    };
    text.get(lang).to_owned()
}

fn show(context: &Context, name: &str) -> CommandResult {
    let project = context.project()?;
    let id = cast::named(&project, name)?;
    let (card, lang) = (cast::show(&project, &id)?, context.lang);
    let character = card.document.get();
    let pick = |en: &str, zh: &str| match lang {
        Lang::En => en.to_owned(),
        Lang::Zh => zh.to_owned(),
    };
    let chapters: Vec<String> = card.chapters.iter().map(u32::to_string).collect();
    let or_dash = |text: String| {
        if text.is_empty() {
            UNKNOWN.to_owned()
        } else {
            text
        }
    };
    let mut rows = vec![
        vec![pick("Name", "名字"), character.display_name.clone()],
        vec![
            pick("Aliases", "别名"),
            or_dash(character.aliases.join(", ")),
        ],
        vec![pick("Status", "状态"), standing(&card, lang)],
        vec![pick("File", "文件"), card.path.to_string()],
        vec![pick("Chapters", "出场章"), or_dash(chapters.join(", "))],
    ];
    for (name, value) in card.state.iter().filter_map(Value::as_object).flatten() {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        rows.push(vec![format!("  {name}"), text]);
    }
    for contract in &character.contracts {
        rows.push(vec![contract.id.clone(), contract.rule.clone()]);
    }
    for need in &card.needed_by {
        rows.push(vec![
            pick("Needed by", "仍需要此人"),
            need.message.get(lang).to_owned(),
        ]);
    }
    Ok(Output::new(card.answer(lang))
        .text(table::align(&rows))
        .about_config(project.warnings()))
}

fn retire(context: &Context, args: &RetireArgs) -> CommandResult {
    let project = context.project()?;
    let report = cast::retire(&project, &args.id, args.reason.as_deref())?;
    let (id, last) = (&report.id, report.retired_chapter);
    let note = if report.already_retired {
        message!(en: "`{id}` is already retired.", zh: "`{id}` 已经退场。")
    } else {
        message!(
            en: "Retired `{id}` after chapter {last}; `novel undo` reverts it.",
            zh: "`{id}` 在第 {last} 章后退场；`novel undo` 可撤销。"
        )
    };
    Ok(Output::new(report.answer())
        .text(format!("{}\n", report.path))
        .note(note)
        .about_config(project.warnings()))
}
