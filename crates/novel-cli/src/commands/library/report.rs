//! `novel report [TOPIC] [--volume V | --from A --to B]`.

use clap::ValueEnum;
use novel_app::library::report::{self, Page, Range, Topic};
use novel_model::{ChapterNo, VolumeNo, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::canvas,
    ui::pages,
    usage::UsageError,
};

/// Print reports on the written chapters
///
/// Scores and their trend, length, dialogue, rhythm of the storylines and broken bridges,
/// foreshadowing, cast, style: computed from the files of the book, with small plots. Writes nothing.
#[derive(clap::Args, Debug)]
pub(crate) struct ReportArgs {
    /// Which report
    #[arg(value_name = "TOPIC", default_value = "all")]
    topic: Wanted,
    /// Only this volume
    #[arg(long, value_name = "V", conflicts_with_all = ["from", "to"])]
    volume: Option<VolumeNo>,
    /// First chapter; the book's first by default
    #[arg(long, value_name = "N")]
    from: Option<ChapterNo>,
    /// Last chapter; the newest by default
    #[arg(long, value_name = "N")]
    to: Option<ChapterNo>,
}

/// A report, or all of them.
#[derive(ValueEnum, Debug, Clone, Copy)]
enum Wanted {
    /// Scores and their trend
    Scores,
    /// Length of chapters
    Length,
    /// Share of dialogue
    Dialogue,
    /// Rhythm of the storylines
    Storylines,
    /// Foreshadowing
    Foreshadowing,
    /// Who appears where
    Cast,
    /// Sentences and blacklisted phrases
    Style,
    /// All of them
    All,
}

impl Wanted {
    fn topics(self) -> Vec<Topic> {
        let one = match self {
            Self::Scores => Topic::Scores,
            Self::Length => Topic::Length,
            Self::Dialogue => Topic::Dialogue,
            Self::Storylines => Topic::Storylines,
            Self::Foreshadowing => Topic::Foreshadowing,
            Self::Cast => Topic::Cast,
            Self::Style => Topic::Style,
            Self::All => return Topic::ALL.to_vec(),
        };
        vec![one]
    }
}

pub(crate) fn run(context: &Context, args: &ReportArgs) -> CommandResult {
    let project = context.project()?;
    let report = report::report(&project, range(args)?)?;
    let topics = args.topic.topics();
    let output = Output::new(report.answer(&topics)).about_config(project.warnings());
    if report.is_empty() {
        return Ok(output.note(message!(
            en: "There are no chapters to report on yet.", zh: "还没有可以统计的章节。"
        )));
    }
    let pages: Vec<Page> = topics.iter().map(|topic| report.page(*topic)).collect();
    Ok(output.text(pages::render(&pages, context.lang, canvas::screen())))
}

fn range(args: &ReportArgs) -> Result<Range, UsageError> {
    if let Some(volume) = args.volume {
        return Ok(Range::Volume(volume));
    }
    match (args.from, args.to) {
        (None, None) => Ok(Range::Book),
        (Some(from), Some(to)) if from > to => {
            let (from, to) = (from.get(), to.get());
            Err(UsageError::new(
                message!(
                    en: "chapter {from} comes after chapter {to}", zh: "第 {from} 章在第 {to} 章之后"
                ),
                message!(
                    en: "give the smaller number to `--from`", zh: "`--from` 应为较小的章号"
                ),
            ))
        }
        (from, to) => Ok(Range::Chapters {
            first: from.map(ChapterNo::get),
            last: to.map(ChapterNo::get),
        }),
    }
}
