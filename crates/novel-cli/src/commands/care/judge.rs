//! `novel judge calibrate|show`.

use clap::Subcommand;
use novel_app::judge::{self, JudgeReport};
use novel_contract::care::{MeasuredJudge, MeasuredShare};
use novel_model::{Lang, Message, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::printer::{Format, visible},
    writing::{self, Executor},
};

/// Measure how far the judge can be trusted
///
/// Known faults are planted in copies of finished chapters, and the judge is asked about them; the
/// book is not changed.
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct JudgeArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Test the judge on copies with planted faults, and on copies without
    ///
    /// Prints how many faults it found, how often it claimed one that is not there, and how many of
    /// its quotations are in the text, by model and version of its prompt. Every copy is one call.
    Calibrate {
        /// How many of the last chapters are copied
        #[arg(long, value_name = "N", default_value_t = 3)]
        chapters: u32,

        /// Who runs the agents, instead of `executor` in novel.toml
        #[arg(long, value_name = "KIND", value_enum)]
        executor: Option<Executor>,
    },
    /// Show what was measured so far
    Show,
}

pub(crate) fn run(context: &Context, args: &JudgeArgs) -> CommandResult {
    let project = context.project()?;
    let report = match &args.action {
        Action::Calibrate { chapters, executor } => {
            let other = executor.map(Into::into);
            writing::ask(context, &project, other, |runner| {
                judge::calibrate(runner, *chapters)
            })?
        }
        Action::Show => judge::known(&project)?,
    };
    let answer = report.answer();
    if context.printer.format != Format::Json {
        let text: String = answer
            .judges
            .iter()
            .map(|judge| render(judge, context.lang))
            .collect();
        context.print_styled(&text)?;
    }
    Ok(Output::new(answer)
        .note(what_next(&report))
        .about_config(project.warnings()))
}

fn what_next(report: &JudgeReport) -> Message {
    if report.calibrations.is_empty() {
        return message!(
            en: "Nothing was measured yet: `novel judge calibrate` needs at least one finished chapter.",
            zh: "还没有测量结果：`novel judge calibrate` 至少需要一章写完的正文。"
        );
    }
    message!(
        en: "Intervals are 95%; more chapters narrow them: `novel judge calibrate --chapters N`.",
        zh: "区间为 95%；章数越多越窄：`novel judge calibrate --chapters N`。"
    )
}

fn render(judge: &MeasuredJudge, lang: Lang) -> String {
    let (model, version) = (visible(&judge.model), judge.prompt_version);
    let offline = match (judge.model.as_str(), lang) {
        ("offline", Lang::Zh) => "（离线作者：程序度量，不是评审）",
        ("offline", Lang::En) => " (offline author: measured by a program, no verdicts)",
        _ => "",
    };
    let head = message!(
        en: "{model}, prompt {version}{offline}",
        zh: "{model}，提示词版本 {version}{offline}"
    );
    let mut text = format!("{}\n", head.get(lang));
    let names = [
        (message!(en: "faults seen", zh: "查出的缺陷"), &judge.recall),
        (
            message!(en: "false alarms", zh: "误报"),
            &judge.false_alarms,
        ),
        (
            message!(en: "quotations located", zh: "能找到的引文"),
            &judge.located,
        ),
    ];
    for (name, share) in names {
        text.push_str(&format!("  {}  {}\n", name.get(lang), percent(share)));
    }
    for (kind, share) in &judge.by_kind {
        text.push_str(&format!("    {kind}  {}\n", percent(share)));
    }
    text
}

/// `5/6 (83 %, 44-97 %)`.
fn percent(share: &MeasuredShare) -> String {
    let (hits, of) = (share.hits, share.of);
    if of == 0 {
        return "-".to_owned();
    }
    let mean = f64::from(hits) / f64::from(of) * 100.0;
    let (low, high) = (share.low * 100.0, share.high * 100.0);
    format!("{hits}/{of} ({mean:.0}%, {low:.0}-{high:.0}%)")
}
