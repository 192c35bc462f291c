//! `novel read [N]`.

use std::io::{self, IsTerminal};

use anstyle::{AnsiColor, Style};
use novel_app::library::chapters::{self, Reading};
use novel_contract::look::{Flag, FlaggedBy, ReadAnswer};
use novel_model::{ChapterNo, Failure, Lang, Message, SceneNo, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::printer::{Format, visible},
    ui::{canvas, labels, pager, wrap},
};

const TITLE: Style = Style::new().bold();
const SEPARATOR: Style = AnsiColor::BrightBlack.on_default();
const FLAGGED: Style = AnsiColor::Yellow.on_default().bold();

/// Read a chapter, and what was flagged in it
///
/// The chapter being written, or else the newest, unless you name one. At a terminal it opens in
/// `$PAGER`. After the text comes what judge, checker and reviewer flagged, each with its
/// quotation. Writes nothing.
#[derive(clap::Args, Debug)]
pub(crate) struct ReadArgs {
    /// The chapter
    #[arg(value_name = "N", allow_negative_numbers = true)]
    chapter: Option<ChapterNo>,

    /// Only this scene
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    scene: Option<SceneNo>,

    /// One of the drafts it was chosen from (`novel continue --drafts N`), unchanged
    #[arg(long, value_name = "K", requires = "chapter", conflicts_with = "scene")]
    draft: Option<u32>,

    /// Print without a pager
    #[arg(long)]
    no_pager: bool,
}

pub(crate) fn run(context: &Context, args: &ReadArgs) -> CommandResult {
    let project = context.project()?;
    let reading = match (args.chapter, args.draft) {
        (Some(chapter), Some(number)) => Reading {
            shown: chapters::draft(&project, chapter, number)?,
            flagged: Vec::new(),
        },
        _ => chapters::read(&project, args.chapter, args.scene)?,
    };
    if context.printer.format == Format::Text {
        let mut text = render(&reading, project.config().lang(), context.lang);
        if let Some(columns) = canvas::screen().line {
            text = wrap::wrapped(&text, columns.min(pager::WIDEST), 0);
        }
        show(context, &text, args.no_pager)?;
    }
    Ok(Output::new(ReadAnswer {
        chapter: reading.shown.answer(),
        flagged: reading.flagged,
    })
    .about_config(project.warnings()))
}

fn render(reading: &Reading, book: Lang, lang: Lang) -> String {
    let text = reading.shown.markdown(book);
    let mut styled = String::with_capacity(text.len());
    for (index, line) in visible(&text).lines().enumerate() {
        let style = match (index, line) {
            (0, _) => TITLE,
            (_, "* * *") => SEPARATOR,
            _ => Style::new(),
        };
        styled.push_str(&format!("{style}{line}{style:#}\n"));
    }
    if !reading.flagged.is_empty() {
        let head = message!(en: "Flagged", zh: "被指出的问题");
        styled.push_str(&format!("\n{FLAGGED}{}{FLAGGED:#}\n", head.get(lang)));
        for flag in &reading.flagged {
            styled.push_str(&flag_lines(flag, lang));
        }
    }
    styled
}

/// A flag in words: who, what, the quotation, the repair.
pub(crate) fn flag_lines(flag: &Flag, lang: Lang) -> String {
    let by = match flag.by {
        FlaggedBy::Judge => message!(en: "judge", zh: "评审"),
        FlaggedBy::Consistency => message!(en: "checker", zh: "一致性检查"),
        FlaggedBy::LogicReview => message!(en: "reviewer", zh: "逻辑审查"),
    };
    let colon = match lang {
        Lang::En => ": ",
        Lang::Zh => "：",
    };
    let mut lines = format!("- {}{colon}{}\n", by.get(lang), visible(&flag.what));
    if let Some(severity) = flag.severity {
        lines = format!(
            "- {} {}{colon}{}\n",
            by.get(lang),
            labels::severity(severity).word(lang),
            visible(&flag.what)
        );
    }
    let mut add = |head: Message, text: &str| {
        lines.push_str(&format!("  {}{colon}{}\n", head.get(lang), visible(text)));
    };
    if let Some(quotation) = &flag.quotation {
        let quotation = match lang {
            Lang::En => format!("\"{quotation}\""),
            Lang::Zh => format!("“{quotation}”"),
        };
        add(message!(en: "quotation", zh: "引文"), &quotation);
    }
    if let Some(repair) = &flag.repair {
        add(message!(en: "fix", zh: "改法"), repair);
    }
    lines
}

/// In a pager at a terminal, else on standard output.
fn show(context: &Context, text: &str, no_pager: bool) -> Result<(), Failure> {
    if !no_pager && io::stdout().is_terminal() && pager::page(text) {
        return Ok(());
    }
    context.print_styled(text)
}
