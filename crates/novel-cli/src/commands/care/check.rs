//! `novel check [N|A..B|all]`, and the findings the author lets stand.

use std::ops::RangeInclusive;

use novel_app::{
    Project,
    care::check::{
        self, Candidate, CheckReport, Given, Selection, Selector, Waived, Waiver, WaiverReport,
    },
};
use novel_model::{ChapterNo, Failure, Lang, Message, counted, files::Severity, message};

use crate::{
    context::Context,
    error::CliError,
    output::{CommandResult, Output},
    ui::table::{self, Side},
    ui::{canvas, finding, printer::Format, wrap},
    usage::UsageError,
};

/// Look for contradictions in the story
///
/// Compares committed chapters with the state, the contracts, the cast, the foreshadowing and the
/// storylines, and reports only what these files prove, with both sides of each contradiction.
/// Writes nothing and takes no lock. Findings are not a failure: the exit code is 0 either way.
/// What should stay as it is can be waived with a reason, and the waiver revoked.
#[derive(clap::Args, Debug)]
pub(crate) struct CheckArgs {
    /// Chapters: a number, a range such as `40..48`, or `all`; the newest by default
    #[arg(value_name = "CHAPTERS", conflicts_with_all = ["decision", "waivers"])]
    chapters: Option<String>,

    /// List waived findings too, or with `--waivers` the revoked waivers
    #[arg(long, conflicts_with = "decision")]
    all: bool,

    /// Waive findings: all of a code, or the one with this fingerprint
    #[arg(
        long,
        value_name = "CODE|FINGERPRINT",
        group = "decision",
        requires = "reason"
    )]
    waive: Option<String>,

    /// Revoke waivers: all of a code, or the one with this fingerprint
    #[arg(long, value_name = "CODE|FINGERPRINT", group = "decision")]
    revoke: Option<String>,

    /// Only in this chapter; in the whole book by default
    #[arg(
        long,
        value_name = "N",
        requires = "decision",
        allow_negative_numbers = true
    )]
    chapter: Option<ChapterNo>,

    /// Why the findings are waived, kept on record
    #[arg(long, value_name = "TEXT", requires = "waive")]
    reason: Option<String>,

    /// List the waivers
    #[arg(long, conflicts_with = "decision")]
    waivers: bool,

    /// List sentences that may contradict the record, instead of what is proved; at most ten a
    /// chapter
    #[arg(long, conflicts_with_all = ["decision", "waivers", "all"])]
    candidates: bool,

    /// Say what a code means, what excuses it and how it is repaired
    #[arg(
        long,
        value_name = "CODE",
        conflicts_with_all = ["decision", "waivers", "all", "candidates", "chapters"]
    )]
    explain: Option<String>,
}

pub(crate) fn run(context: &Context, args: &CheckArgs) -> CommandResult {
    let output = if let Some(code) = &args.explain {
        let explained = check::explain(code, context.lang)?;
        let text = format!("{}\n{}\n", explained.code, explained.explanation);
        Output::new(explained).text(text)
    } else if args.candidates {
        let selection = selection(args.chapters.as_deref())?;
        let project = context.project()?;
        let found = check::candidates(&project, &selection)?;
        doubtful(context, &found).about_config(project.warnings())
    } else if let Some(selector) = &args.waive {
        let selector: Selector = selector.parse()?;
        let reason = args.reason.as_deref().unwrap_or_default();
        let project = context.project()?;
        let report = check::waive(&project, &selector, args.chapter, reason)?;
        listed(context, &report, &project).note(given(report.waivers.len()))
    } else if let Some(selector) = &args.revoke {
        let selector: Selector = selector.parse()?;
        let project = context.project()?;
        let report = check::revoke(&project, &selector, args.chapter)?;
        listed(context, &report, &project).note(taken_back(report.waivers.len()))
    } else if args.waivers {
        let project = context.project()?;
        let which = if args.all { Given::Ever } else { Given::Active };
        let report = check::waivers(&project, which)?;
        let output = listed(context, &report, &project);
        if report.waivers.is_empty() {
            output.note(message!(en: "There are no waivers.", zh: "没有豁免。"))
        } else {
            output
        }
    } else {
        let selection = selection(args.chapters.as_deref())?;
        let project = context.project()?;
        let waived = if args.all { Waived::Show } else { Waived::Hide };
        let report = check::check(&project, &selection, waived)?;
        print(context, &report)?;
        Output::new(report.answer(context.lang))
            .note(summary(&report))
            .about_config(project.warnings())
    };
    Ok(output)
}

/// What `CHAPTERS` says.
fn selection(text: Option<&str>) -> Result<Selection, Failure> {
    let Some(text) = text else {
        return Ok(Selection::Newest);
    };
    if text.eq_ignore_ascii_case("all") {
        return Ok(Selection::All);
    }
    let range = match text.split_once("..") {
        Some((first, last)) => first.parse()..=last.parse(),
        None => text.parse()..=text.parse(),
    };
    let range: Option<RangeInclusive<ChapterNo>> = match range.into_inner() {
        (Ok(first), Ok(last)) if first <= last => Some(first..=last),
        _ => None,
    };
    range.map(Selection::Range).ok_or_else(|| {
        UsageError::new(
            message!(
                en: "`{text}` is neither a chapter nor a range of chapters", zh: "`{text}` 不是章号，也不是章号范围"
            ),
            message!(
                en: "give a chapter (`48`), a range from the smaller number to the larger (`40..48`), or `all`",
                zh: "请给出一章（`48`）、由小到大的范围（`40..48`），或 `all`"
            ),
        )
        .into()
    })
}

/// Prints the findings for people, in colours if the printer wants them.
fn print(context: &Context, report: &CheckReport) -> Result<(), Failure> {
    if context.printer.format == Format::Json {
        return Ok(());
    }
    let room = finding::Room {
        width: canvas::screen().canvas.width,
        text: wrap::columns(std::io::stdout()),
    };
    for checked in &report.findings {
        let reason = checked.waived.as_deref();
        let drawn = finding::draw(&checked.finding, reason, context.lang, room);
        context
            .printer
            .styled_data(&format!("{drawn}\n\n"))
            .map_err(|source| CliError::Output { source })?;
    }
    Ok(())
}

/// Sentences that may contradict the record, with what they may contradict.
fn doubtful(context: &Context, found: &[(ChapterNo, Vec<Candidate>)]) -> Output {
    let mut lines = Vec::new();
    for (chapter, candidates) in found {
        for candidate in candidates {
            let place = candidate.place.location(context.lang);
            let fact = candidate.fact.location(context.lang);
            let (number, doubt, subject) = (
                candidate.number,
                candidate.doubt.as_str(),
                &candidate.subject,
            );
            let (said, known) = (&candidate.place.quotation, &candidate.fact.quotation);
            lines.push(format!(
                "{chapter}.{number} {doubt} {subject}\n  {place}\n    {said}\n  {fact}\n    {known}"
            ));
        }
    }
    let output = Output::new(check::candidates_answer(found));
    if lines.is_empty() {
        output.note(message!(en: "There are no candidates.", zh: "没有可疑的句子。"))
    } else {
        output.text(lines.join("\n"))
    }
}

/// The closing line.
fn summary(report: &CheckReport) -> Message {
    let (Some(first), Some(last)) = (report.checked.first(), report.checked.last()) else {
        return message!(
            en: "There are no chapters to check yet.", zh: "还没有可检查的章节。"
        );
    };
    let (first, last) = (first.get(), last.get());
    let place = if first == last {
        message!(en: "chapter {first}", zh: "第 {first} 章")
    } else {
        message!(en: "chapters {first} to {last}", zh: "第 {first} 至 {last} 章")
    };
    let count = |severity| report.open(severity);
    let (high, medium) = (count(Severity::High), count(Severity::Medium));
    let (low, waived) = (count(Severity::Low), report.waived);
    let total = high + medium + low;
    let mut line = if total == 0 {
        Message {
            en: format!("No contradiction found in {}", place.en),
            zh: format!("{}未发现矛盾", place.zh),
        }
    } else {
        Message {
            en: format!(
                "{} in {}: {high} high, {medium} medium, {low} low",
                counted(total, "finding"),
                place.en
            ),
            zh: format!(
                "{}发现 {total} 处矛盾：严重 {high}，中等 {medium}，轻微 {low}",
                place.zh
            ),
        }
    };
    if waived > 0 {
        line.en.push_str(&format!("; {waived} waived"));
        line.zh.push_str(&format!("；另有 {waived} 处已豁免"));
    }
    line.en.push('.');
    line.zh.push('。');
    line
}

/// The waivers as an answer.
fn listed(context: &Context, report: &WaiverReport, project: &Project) -> Output {
    Output::new(report.answer())
        .text(list(&report.waivers, context.lang))
        .about_config(project.warnings())
}

fn given(count: usize) -> Message {
    let waivers = counted(count, "finding");
    message!(
        en: "Waived {waivers}. `novel check --revoke FINGERPRINT` revokes it.",
        zh: "已豁免 {count} 处。`novel check --revoke 指纹` 可撤回。"
    )
}

fn taken_back(count: usize) -> Message {
    let waivers = counted(count, "waiver");
    message!(en: "Revoked {waivers}.", zh: "已撤回 {count} 项豁免。")
}

fn list(waivers: &[Waiver], lang: Lang) -> String {
    if waivers.is_empty() {
        return String::new();
    }
    let head = match lang {
        Lang::En => [
            "chapter",
            "code",
            "fingerprint",
            "since",
            "revoked",
            "reason",
        ],
        Lang::Zh => ["章", "代码", "指纹", "豁免时间", "撤回时间", "理由"],
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(waivers.iter().map(|waiver| {
        vec![
            waiver.chapter.get().to_string(),
            waiver.code.clone(),
            waiver.fingerprint.clone(),
            waiver.created_at.clone(),
            waiver.revoked_at.clone().unwrap_or_else(|| "-".to_owned()),
            waiver.reason.replace('\n', " "),
        ]
    }));
    table::columns(&rows, &[Side::Right])
}
