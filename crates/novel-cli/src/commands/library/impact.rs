//! `novel impact character|rule|fact|chapter WHAT`.

use clap::Subcommand;
use novel_app::library::impact::{self, Ground, ImpactReport, Subject};
use novel_model::{ChapterNo, Lang, counted, message, quoted};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::printer::visible,
};

/// Show what changing one thing would affect
///
/// Chapters that rest on it: those whose text claims it, whose facts build on it, or whose writers were shown
/// it (the end and the summary of the chapter before, recalled passages), each with the passage that shows
/// it, those that rest on it most first; and contracts that are not written yet. Writes nothing and asks
/// nobody.
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct ImpactArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Of a character
    Character {
        /// Id, name or alias
        name: String,
    },
    /// Of a rule of the world
    Rule {
        /// Such as W-003
        id: String,
    },
    /// Of a fact
    Fact {
        /// Path in the state, such as characters.lin-feng.location
        path: String,
    },
    /// Of a chapter
    Chapter {
        /// The chapter
        #[arg(value_name = "N", allow_negative_numbers = true)]
        chapter: ChapterNo,
    },
}

pub(crate) fn run(context: &Context, args: &ImpactArgs) -> CommandResult {
    let project = context.project()?;
    let subject = match &args.what {
        What::Character { name } => Subject::Character(name.clone()),
        What::Rule { id } => Subject::Rule(id.clone()),
        What::Fact { path } => Subject::Fact(path.clone()),
        What::Chapter { chapter } => Subject::Chapter(*chapter),
    };
    let report = impact::impact(&project, &subject)?;
    let resting = report.chapters.iter().filter(|it| !it.is_passing());
    let (chapters, contracts) = (resting.count(), report.contracts.len());
    let (written, planned) = (
        counted(chapters, "written chapter"),
        counted(contracts, "planned one"),
    );
    let note = if chapters + contracts == 0 {
        message!(en: "Nothing in the book mentions it.", zh: "书中没有提到它。")
    } else {
        message!(
            en: "Touches {written} and {planned}.",
            zh: "牵涉已写的 {chapters} 章、已规划的 {contracts} 章。"
        )
    };
    Ok(Output::new(report.answer(context.lang))
        .text(render(&report, context.lang))
        .note(note)
        .warnings(&report.warnings)
        .about_config(project.warnings()))
}

fn render(report: &ImpactReport, lang: Lang) -> String {
    let mut text = format!("{}\n", visible(&report.subject));
    let (passing, resting): (Vec<_>, Vec<_>) =
        report.chapters.iter().partition(|it| it.is_passing());
    for touched in resting {
        let n = touched.chapter.get();
        let ways: Vec<&str> = touched.ways.iter().map(|way| way_word(way, lang)).collect();
        let head = message!(en: "chapter {n}", zh: "第 {n} 章");
        let ways = match lang {
            Lang::Zh => format!("（{}）", ways.join("、")),
            Lang::En => format!(" ({})", ways.join(", ")),
        };
        text.push_str(&format!("{}{ways}\n", head.get(lang)));
        // One passage stands once, whatever it shows.
        let mut shown: Vec<(&Ground, Vec<&str>)> = Vec::new();
        let grounds = touched.grounds.iter();
        for ground in grounds.filter(|it| !it.quotation.is_empty() && !it.is_passing) {
            let same = |(other, _): &&mut (&Ground, Vec<&str>)| {
                (other.stands_in, &other.quotation) == (ground.stands_in, &ground.quotation)
            };
            match shown.iter_mut().find(same) {
                Some((_, of)) => of.push(&ground.of),
                None => shown.push((ground, vec![&ground.of])),
            }
        }
        for (ground, of) in shown {
            let of = of.join(", ");
            let (quotation, of) = (quoted(&visible(&ground.quotation)), visible(&of));
            let place = ground.stands_in.get();
            let line = match ground.stands_in == touched.chapter {
                true => message!(en: "{quotation} ({of})", zh: "{quotation}（{of}）"),
                false => message!(
                    en: "from chapter {place}: {quotation} ({of})",
                    zh: "第 {place} 章：{quotation}（{of}）"
                ),
            };
            text.push_str(&format!("    {}\n", line.get(lang)));
        }
    }
    if !passing.is_empty() {
        let numbers: Vec<String> = passing
            .iter()
            .map(|it| it.chapter.get().to_string())
            .collect();
        let (en, zh) = (numbers.join(", "), numbers.join("、"));
        let noun = match numbers.len() {
            1 => "chapter",
            _ => "chapters",
        };
        let line = message!(
            en: "only moods or the time go on, on which nothing rests: {noun} {en}",
            zh: "第 {zh} 章只是延续情绪或时间，改动不影响这些章"
        );
        text.push_str(&format!("{}\n", line.get(lang)));
    }
    for touched in &report.contracts {
        let (n, because) = (touched.chapter.get(), touched.because.join(", "));
        let head = message!(en: "planned chapter {n}", zh: "已规划第 {n} 章");
        let (path, because) = (&touched.path, visible(&because));
        text.push_str(&format!("{}  {path}\n    {because}\n", head.get(lang)));
    }
    text
}

const fn way_word(way: &str, lang: Lang) -> &'static str {
    match (way.as_bytes(), lang) {
        (b"shown", Lang::En) => "shown to the writer",
        (b"shown", Lang::Zh) => "写手看过",
        (b"facts", Lang::En) => "in its facts",
        (b"facts", Lang::Zh) => "事实有变动",
        (b"verdict", Lang::En) => "in its verdict",
        (b"verdict", Lang::Zh) => "评审提到",
        (_, Lang::En) => "in its text",
        (_, Lang::Zh) => "正文提到",
    }
}
