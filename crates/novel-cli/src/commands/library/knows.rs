//! `novel knows CHARACTER`.

use novel_app::library::knows;
use novel_model::{ChapterNo, Lang, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
};

/// Show what a character knows, believes and does not know at a chapter
///
/// From the author's `world/truth.json`: what really happened, who knows of it from which chapter
/// on, and who believes something else. The writer of a chapter is told only what its point of view
/// knows.
#[derive(clap::Args, Debug)]
pub(crate) struct KnowsArgs {
    /// Character, by id, name or alias, such as `lin-feng`
    #[arg(value_name = "CHARACTER")]
    character: String,

    /// As of this chapter; the next one by default
    #[arg(long, value_name = "N")]
    at: Option<ChapterNo>,
}

pub(crate) fn run(context: &Context, args: &KnowsArgs) -> CommandResult {
    let project = context.project()?;
    let report = knows::knows(&project, &args.character, args.at)?;
    let output = Output::new(report.answer()).about_config(project.warnings());
    let (name, at) = (&report.name, report.at.get());
    let lang = context.lang;
    let mut text = match lang {
        Lang::En => format!("{name}, chapter {at}\n"),
        Lang::Zh => format!("{name}，第 {at} 章\n"),
    };
    let mind = &report.mind;
    let since = |from: u32| match (lang, from) {
        (_, 0) => String::new(),
        (Lang::En, from) => format!(" (since chapter {from})"),
        (Lang::Zh, from) => format!("（第 {from} 章起）"),
    };
    let knows = mind.knows.iter();
    let groups: [(&str, &str, Vec<String>); 4] = [
        (
            "knows",
            "知道",
            knows
                .map(|(id, fact, from)| format!("{id}  {fact}{}", since(*from)))
                .collect(),
        ),
        (
            "believes",
            "误以为",
            mind.believes
                .iter()
                .map(|(id, belief)| format!("{id}  {belief}"))
                .collect(),
        ),
        (
            "does not know",
            "不知道",
            mind.does_not_know
                .iter()
                .map(|(id, fact)| format!("{id}  {fact}"))
                .collect(),
        ),
        ("hides", "隐瞒", report.hides.clone()),
    ];
    for (en, zh, lines) in groups.iter().filter(|(_, _, lines)| !lines.is_empty()) {
        let head = match lang {
            Lang::En => en,
            Lang::Zh => zh,
        };
        text.push_str(&format!("\n{head}\n"));
        for line in lines {
            text.push_str(&format!("  {line}\n"));
        }
    }
    let output = output.text(text);
    Ok(if report.has_truth {
        output
    } else {
        output.note(message!(
            en: "The book has no world/truth.json: no secrets are recorded.",
            zh: "本书没有 world/truth.json，还没有记录秘密。"
        ))
    })
}
