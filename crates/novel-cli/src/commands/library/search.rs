//! `novel search WORDS`.

use anstyle::{AnsiColor, Style};
use clap::{
    builder::{PossibleValuesParser, TypedValueParser},
    value_parser,
};
use novel_app::library::search::{self, Hit, Reading, SearchReport, SearchRequest, Shelf, Snippet};
use novel_model::{Lang, Message, message};

use crate::{
    context::Context,
    error::CliError,
    output::{CommandResult, Output},
    ui::printer::{Format, visible},
};

const PLACE: Style = AnsiColor::Cyan.on_default();
const FOUND: Style = AnsiColor::Red.on_default().bold();

/// Find words in chapters, summaries and notes
///
/// Looks through the committed chapters, their summaries, and the notes (brief, world, cast,
/// research). A text must have all the words; a name stands for all names of the person; words in
/// quotation marks are a phrase. The best comes first. Writes nothing and needs no index.
#[derive(clap::Args, Debug)]
pub(crate) struct SearchArgs {
    /// Words, names, phrases in quotation marks
    #[arg(value_name = "WORDS", required = true)]
    words: Vec<String>,

    /// Only as typed, without other names, in the order of the book
    #[arg(long)]
    exact: bool,

    /// Only there; may be given more than once
    #[arg(long = "in", value_name = "WHERE", value_parser = shelf())]
    shelves: Vec<Shelf>,

    /// Most results
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..))]
    limit: u32,
}

fn shelf() -> impl TypedValueParser<Value = Shelf> {
    PossibleValuesParser::new(Shelf::ALL.map(Shelf::word)).map(|word| {
        let known = Shelf::ALL.into_iter().find(|shelf| shelf.word() == word);
        // Every word above is one; the fallback is never taken.
        known.unwrap_or(Shelf::Chapters)
    })
}

pub(crate) fn run(context: &Context, args: &SearchArgs) -> CommandResult {
    let project = context.project()?;
    let request = SearchRequest {
        words: args.words.join(" "),
        reading: if args.exact {
            Reading::Exact
        } else {
            Reading::Ranked
        },
        shelves: args.shelves.clone(),
        limit: usize::try_from(args.limit).unwrap_or(usize::MAX),
    };
    let report = search::search(&project, &request)?;
    if context.printer.format == Format::Text {
        let text: String = report
            .hits
            .iter()
            .map(|hit| shown(hit, context.lang))
            .collect();
        context
            .printer
            .styled_data(&text)
            .map_err(|source| CliError::Output { source })?;
    }
    let mut output = Output::new(report.answer()).about_config(project.warnings());
    for note in notes(&report) {
        output = output.note(note);
    }
    Ok(output)
}

/// Place and snippet, two lines.
fn shown(hit: &Hit, lang: Lang) -> String {
    let place = place(hit);
    let place = visible(place.get(lang));
    let count = if hit.count > 1 {
        format!("  ×{}", hit.count)
    } else {
        String::new()
    };
    format!(
        "{PLACE}{place}{PLACE:#}{count}\n    {}\n",
        highlighted(&hit.snippet)
    )
}

fn place(hit: &Hit) -> Message {
    let title = hit.title.as_deref().unwrap_or_default();
    let chapter = hit.chapter.map_or(0, |chapter| chapter.get());
    match (hit.shelf, hit.scene) {
        (Shelf::Chapters, scene) => {
            let scene = scene.unwrap_or(1);
            let (colon, space) = if title.is_empty() {
                ("", "")
            } else {
                (": ", " ")
            };
            message!(
                en: "Chapter {chapter}{colon}{title}, scene {scene}",
                zh: "第 {chapter} 章{space}{title} · 第 {scene} 场"
            )
        }
        (Shelf::Summaries, _) => message!(
            en: "Summary of chapter {chapter}", zh: "第 {chapter} 章摘要"
        ),
        (Shelf::Notes, _) => Message::same(hit.path.as_str()),
    }
}

/// The snippet with its places in colour; control characters of the text cannot steer a terminal.
fn highlighted(snippet: &Snippet) -> String {
    let chars: Vec<char> = snippet.text.chars().collect();
    let piece = |from: usize, to: usize| {
        let text: String = chars[from..to].iter().collect();
        visible(&text).into_owned()
    };
    let mut out = String::new();
    let mut at = 0;
    for mark in &snippet.marks {
        out.push_str(&piece(at, mark.start));
        out.push_str(&format!("{FOUND}{}{FOUND:#}", piece(mark.start, mark.end)));
        at = mark.end;
    }
    out.push_str(&piece(at, chars.len()));
    out
}

fn notes(report: &SearchReport) -> Vec<Message> {
    let mut notes = Vec::new();
    for term in report.terms.iter().filter(|term| term.names.len() > 1) {
        let word = &term.text;
        let (en, zh) = (term.names.join(", "), term.names.join("、"));
        notes.push(message!(
            en: "`{word}` stands for {en}.", zh: "“{word}”包括：{zh}。"
        ));
    }
    let (shown, total) = (report.hits.len(), report.total);
    notes.push(match (shown, total) {
        (_, 0) => message!(en: "Nothing found.", zh: "没有找到。"),
        (shown, total) if shown < total => message!(
            en: "{total} found, the first {shown} shown; `--limit` shows more.",
            zh: "共 {total} 处，列出前 {shown} 处；用 `--limit` 可列出更多。"
        ),
        _ => message!(en: "{total} found.", zh: "共 {total} 处。"),
    });
    notes
}
