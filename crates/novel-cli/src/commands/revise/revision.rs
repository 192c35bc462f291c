//! `novel revision list|show|candidate|apply|reject`.

use clap::Subcommand;
use novel_app::revise::revision::{self, Keep, RevisionReport};
use novel_app::runner::UnderLock;
use novel_model::{
    ChapterNo, Failure, Lang, Message, counted,
    files::{ReviewIssue, RevisionState, RevisionStatus, RevisionTrigger},
    layout, message,
};

use crate::{
    args::{NoteArgs, WallArgs},
    context::Context,
    output::{CommandResult, Output},
    ui::diff,
    ui::labels,
    ui::printer::Format,
    ui::table,
    writing::{self, Executor},
};

/// Decide on revisions of chapters that wait for you
///
/// A consistency check or a logic review can put a chapter into `pending`; nothing is written past
/// it until you decide. Without a subcommand, lists the revisions.
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct RevisionArgs {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// List all revisions
    List,
    /// Show the issues, and the candidate as a word diff against the text
    Show {
        /// Chapter
        #[arg(allow_negative_numbers = true)]
        chapter: ChapterNo,
    },
    /// Have the reviser make a candidate
    ///
    /// The text stays as it is. Run it again for another candidate. For a chapter that does not
    /// wait, it works from your note and the fixable issues of its reports; with `revision_policy =
    /// "none"` the book does not wait for your decision.
    Candidate {
        /// Chapter
        #[arg(allow_negative_numbers = true)]
        chapter: ChapterNo,

        /// Only write a reading copy, `chapters/chapter_NNN_revised.txt`; nothing waits for it
        #[arg(long)]
        copy: bool,

        #[command(flatten)]
        note: NoteArgs,

        #[command(flatten)]
        walls: WallArgs,

        /// Who runs the agents, instead of `executor` in novel.toml
        #[arg(long, value_name = "KIND", value_enum)]
        executor: Option<Executor>,
    },
    /// Make the candidate the text of the chapter
    ///
    /// Summary, state and memory of the chapter are rebuilt with it, all or nothing. The old text
    /// goes to `archive/`.
    Apply {
        /// Chapter
        #[arg(allow_negative_numbers = true)]
        chapter: ChapterNo,

        #[command(flatten)]
        walls: WallArgs,

        /// Who runs the agents, instead of `executor` in novel.toml
        #[arg(long, value_name = "KIND", value_enum)]
        executor: Option<Executor>,
    },
    /// Keep the text as it is
    ///
    /// Applies to exactly this text: you are not asked again until the text changes.
    Reject {
        /// Chapter
        #[arg(allow_negative_numbers = true)]
        chapter: ChapterNo,
    },
}

pub(crate) fn run(context: &Context, args: &RevisionArgs) -> CommandResult {
    let project = context.project()?;
    let output = match args.action.as_ref().unwrap_or(&Action::List) {
        Action::List => {
            let revisions = revision::list(&project)?;
            let output = Output::new(revision::list_answer(&revisions))
                .text(render_list(&revisions, context.lang));
            if revisions.is_empty() {
                output.note(message!(
                    en: "No chapter has a revision.", zh: "没有任何章节有修订。"
                ))
            } else {
                output
            }
        }
        Action::Show { chapter } => {
            let report = revision::show(&project, *chapter)?;
            print(context, &report)?;
            Output::new(report.answer(context.lang)).note(what_next(&report))
        }
        Action::Candidate {
            chapter,
            copy,
            note,
            walls,
            executor,
        } => {
            let project = project.clone().with_walls(walls.walls());
            let note = note.read()?;
            let other = executor.map(Into::into);
            let keep = if *copy { Keep::Copy } else { Keep::Pending };
            let UnderLock { report, lock } = writing::ask(context, &project, other, |runner| {
                revision::candidate(runner, *chapter, keep, note.as_deref())
            })?;
            print(context, &report)?;
            let note = match keep {
                Keep::Pending => what_next(&report),
                Keep::Copy => {
                    let path = layout::revised_text(*chapter);
                    message!(
                        en: "The reading copy is `{path}`; the text stays as it is.",
                        zh: "阅读稿见 `{path}`；正文保持不变。"
                    )
                }
            };
            Output::new(report.answer(context.lang))
                .warnings(&report.warnings)
                .note(note)
                .until_printed(lock)
        }
        Action::Apply {
            chapter,
            walls,
            executor,
        } => {
            let project = project.clone().with_walls(walls.walls());
            let other = executor.map(Into::into);
            let report = writing::ask(context, &project, other, |runner| {
                revision::apply(runner, *chapter)
            })?;
            let n = chapter.get();
            let output = Output::new(report.answer(context.lang)).warnings(&report.warnings);
            labels::note_later(output, &report.later).note(message!(
                en: "Chapter {n} has its new text; the old one is in archive/. `novel undo` reverts it.",
                zh: "第 {n} 章已换成新的正文，旧文在 archive/ 中。`novel undo` 可撤销。"
            ))
        }
        Action::Reject { chapter } => {
            let report = revision::reject(&project, *chapter)?;
            let n = chapter.get();
            Output::new(report.answer(context.lang)).note(message!(
                en: "Chapter {n} keeps its text; go on with `novel continue`.",
                zh: "第 {n} 章保留原文；用 `novel continue` 继续。"
            ))
        }
    };
    Ok(output.about_config(project.warnings()))
}

fn render_list(revisions: &[RevisionStatus], lang: Lang) -> String {
    let rows: Vec<Vec<String>> = revisions
        .iter()
        .map(|revision| {
            let issues = revision.issues.len();
            let issues = match lang {
                Lang::Zh => format!("{issues} 个问题"),
                Lang::En => counted(issues, "issue"),
            };
            let candidate = match (revision.revised_chapter.is_some(), lang) {
                (true, Lang::Zh) => "有候选稿",
                (true, Lang::En) => "has a candidate",
                (false, _) => "",
            };
            vec![
                labels::chapter(revision.chapter_number)
                    .get(lang)
                    .to_owned(),
                state(revision.status).get(lang).to_owned(),
                trigger(revision.triggered_by).get(lang).to_owned(),
                issues,
                candidate.to_owned(),
            ]
        })
        .collect();
    table::align(&rows)
}

fn state(state: RevisionState) -> Message {
    match state {
        RevisionState::Pending => message!(en: "pending", zh: "待处理"),
        RevisionState::Accepted => message!(en: "accepted", zh: "已采用"),
        RevisionState::Rejected => message!(en: "rejected", zh: "已驳回"),
    }
}

fn trigger(trigger: Option<RevisionTrigger>) -> Message {
    match trigger {
        Some(RevisionTrigger::Consistency) => message!(en: "consistency check", zh: "一致性检查"),
        Some(RevisionTrigger::LogicReview) => message!(en: "logic review", zh: "逻辑审查"),
        None => Message::same("-"),
    }
}

/// Prints a revision for people: issues, then what the candidate changes.
fn print(context: &Context, report: &RevisionReport) -> Result<(), Failure> {
    if context.printer.format == Format::Json {
        return Ok(());
    }
    let lang = context.lang;
    let head = Message {
        en: format!(
            "Revision of chapter {}: {}, by the {}",
            report.chapter.get(),
            state(report.status.status).en,
            trigger(report.status.triggered_by).en
        ),
        zh: format!(
            "第 {} 章的修订：{}，由{}提出",
            report.chapter.get(),
            state(report.status.status).zh,
            trigger(report.status.triggered_by).zh
        ),
    };
    let mut text = format!("{}\n", head.get(lang));
    for issue in &report.status.issues {
        text.push_str(&render_issue(issue, lang));
    }
    if report.status.revised_chapter.is_some() {
        text.push('\n');
        text.push_str(&diff::render(&report.difference(lang), lang));
    }
    context.print_styled(&text)
}

/// One issue, as `novel review show` prints it too.
pub(super) fn render_issue(issue: &ReviewIssue, lang: Lang) -> String {
    let severity = labels::severity(issue.severity);
    let mut text = format!(
        "\n{} {}\n",
        severity.styled(lang, &issue.issue_type),
        crate::ui::printer::visible(&issue.description)
    );
    if let Some(evidence) = &issue.evidence {
        let word = match lang {
            Lang::Zh => "引文：",
            Lang::En => "quotation: ",
        };
        text.push_str(&format!(
            "  {word}{}\n",
            crate::ui::printer::visible(evidence)
        ));
    }
    if let Some(fix) = &issue.fix_instructions {
        let word = match lang {
            Lang::Zh => "改法：",
            Lang::En => "fix: ",
        };
        text.push_str(&format!("  {word}{}\n", crate::ui::printer::visible(fix)));
    }
    text
}

fn what_next(report: &RevisionReport) -> Message {
    let n = report.chapter.get();
    let pending = report.status.status == RevisionState::Pending;
    match (
        pending,
        report.status.revised_chapter.is_some(),
        report.is_stale(),
    ) {
        (false, ..) => {
            let path = layout::revision(report.chapter);
            message!(en: "Already decided; see `{path}`.", zh: "已有结论；见 `{path}`。")
        }
        (true, true, true) => message!(
            en: "The text has changed since the candidate was made: `novel revision candidate {n}` makes another.",
            zh: "候选稿生成之后正文又有改动：`novel revision candidate {n}` 可重新生成。"
        ),
        (true, true, false) => message!(
            en: "Apply it with `novel revision apply {n}`, or keep the text with `novel revision reject {n}`.",
            zh: "采用：`novel revision apply {n}`；保留原文：`novel revision reject {n}`。"
        ),
        (true, false, _) => message!(
            en: "There is no candidate yet: `novel revision candidate {n}` makes one; `novel revision reject {n}` keeps the text.",
            zh: "还没有候选稿：`novel revision candidate {n}` 生成；`novel revision reject {n}` 保留原文。"
        ),
    }
}
