//! `novel review show|run`.

use clap::Subcommand;
use novel_app::revise::review::{self, ReviewReport};
use novel_app::runner::UnderLock;
use novel_model::{ChapterNo, Failure, Lang, Message, files::ReviewIssue, message};

use super::revision::render_issue;
use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::printer::{Format, visible},
    writing::{self, Executor},
};

/// Look at the reports on a chapter of the book
///
/// The consistency report is written when a chapter is committed; the logic review after every
/// commit with `logic_review_policy = "blocking"`, or whenever you ask for it.
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct ReviewArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Show the reports on a chapter
    Show {
        /// Chapter
        #[arg(allow_negative_numbers = true)]
        chapter: ChapterNo,
    },
    /// Review the logic of a chapter now
    ///
    /// A score below `logic_review_min_score`, or an issue of high severity, makes the chapter wait
    /// for you.
    Run {
        /// Chapter
        #[arg(allow_negative_numbers = true)]
        chapter: ChapterNo,

        /// Who runs the agents, instead of `executor` in novel.toml
        #[arg(long, value_name = "KIND", value_enum)]
        executor: Option<Executor>,
    },
}

pub(crate) fn run(context: &Context, args: &ReviewArgs) -> CommandResult {
    let project = context.project()?;
    let (report, lock) = match &args.action {
        Action::Show { chapter } => (review::show(&project, *chapter)?, None),
        Action::Run { chapter, executor } => {
            let other = executor.map(Into::into);
            let UnderLock { report, lock } = writing::ask(context, &project, other, |runner| {
                review::run(runner, *chapter)
            })?;
            (report, Some(lock))
        }
    };
    print(context, &report)?;
    let output = Output::new(report.answer(context.lang))
        .warnings(&report.warnings)
        .note(what_next(&report))
        .about_config(project.warnings());
    Ok(match lock {
        Some(lock) => output.until_printed(lock),
        None => output,
    })
}

fn print(context: &Context, report: &ReviewReport) -> Result<(), Failure> {
    if context.printer.format == Format::Json {
        return Ok(());
    }
    let lang = context.lang;
    let mut text = String::new();
    if let Some(consistency) = &report.consistency {
        let head = message!(en: "Consistency", zh: "一致性");
        section(
            &head,
            &consistency.summary,
            &consistency.issues,
            lang,
            &mut text,
        );
    }
    if let Some(review) = &report.logic_review {
        let score = review.overall_score;
        let stale = review.chapter_hash.as_ref() != Some(&report.hash);
        let head = match stale {
            true => message!(
                en: "Logic review: {score} of 100, for an older text",
                zh: "逻辑审查：{score} / 100，针对的是旧正文"
            ),
            false => message!(en: "Logic review: {score} of 100", zh: "逻辑审查：{score} / 100"),
        };
        if !text.is_empty() {
            text.push('\n');
        }
        section(&head, &review.summary, &review.issues, lang, &mut text);
    }
    context.print_styled(&text)
}

fn section(head: &Message, summary: &str, issues: &[ReviewIssue], lang: Lang, text: &mut String) {
    text.push_str(head.get(lang));
    text.push('\n');
    if !summary.trim().is_empty() {
        text.push_str(&visible(summary.trim()));
        text.push('\n');
    }
    for issue in issues {
        text.push_str(&render_issue(issue, lang));
    }
}

fn what_next(report: &ReviewReport) -> Message {
    let n = report.chapter.get();
    if report.is_pending() {
        let why = report.blocks.map(|reason| reason.message());
        let Message { en, zh } = why.unwrap_or_default();
        let (en_sep, zh_sep) = if en.is_empty() {
            ("", "")
        } else {
            (". ", "。")
        };
        return message!(
            en: "{en}{en_sep}Chapter {n} waits for you: `novel revision show {n}`.",
            zh: "{zh}{zh_sep}第 {n} 章等待处理：`novel revision show {n}`。"
        );
    }
    match (&report.consistency, &report.logic_review) {
        (None, None) => message!(
            en: "There is no report on chapter {n} yet; `novel review run {n}` makes a logic review.",
            zh: "第 {n} 章还没有报告；`novel review run {n}` 可做逻辑审查。"
        ),
        _ => message!(
            en: "Chapter {n} does not wait for you.", zh: "第 {n} 章无需处理。"
        ),
    }
}
