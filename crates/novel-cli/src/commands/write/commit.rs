//! `novel commit --chapter N | --volume V`.

use novel_app::{
    write::commit::{self, CommitMode, CommitReport, FileAction, FileEffect},
    write::volume,
};
use novel_model::{ChapterNo, Lang, Message, VolumeNo, files::ScoredBy, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::labels,
    ui::table,
    usage::UsageError,
};

/// Commit a judged chapter, or the plan of a volume
///
/// One transaction: after a crash at any moment the book is either as before or as after.
/// Committing twice is the same as once. Refuses when the gate does not pass or the text was
/// changed after it was judged.
#[derive(clap::Args, Debug)]
pub(crate) struct CommitArgs {
    #[command(flatten)]
    target: Target,

    /// Print what would change and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// What to commit.
#[derive(clap::Args, Debug)]
#[group(required = true, multiple = false)]
struct Target {
    /// Chapter to commit
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    chapter: Option<ChapterNo>,

    /// Volume whose plan to commit
    #[arg(long, value_name = "V", allow_negative_numbers = true)]
    volume: Option<VolumeNo>,
}

pub(crate) fn run(context: &Context, args: &CommitArgs) -> CommandResult {
    let mode = if args.dry_run {
        CommitMode::DryRun
    } else {
        CommitMode::Apply
    };
    let project = context.project()?;
    let output = match (args.target.chapter, args.target.volume) {
        (Some(chapter), _) => {
            let report = commit::commit(&project, chapter, mode)?;
            let output = Output::new(report.answer(context.lang)).warnings(&report.warnings);
            chapter_text(output, &report, mode, context.lang)
        }
        (None, Some(volume)) => {
            let report = volume::commit_volume(&project, volume, mode)?;
            let (first, last) = (report.chapters.0.get(), report.chapters.1.get());
            let output = Output::new(report.answer(context.lang)).warnings(&report.warnings);
            let number = volume.get();
            match mode {
                CommitMode::DryRun => output.text(plan(&report.changes)).note(nothing_written()),
                CommitMode::Apply => output.note(message!(
                    en: "Committed the plan of volume {number}: chapters {first} to {last}.",
                    zh: "已提交第 {number} 卷的规划：第 {first} 至 {last} 章。"
                )),
            }
        }
        // clap has asked for one of them.
        (None, None) => return Err(nothing_named().into()),
    };
    Ok(output.about_config(project.warnings()))
}

fn nothing_named() -> UsageError {
    UsageError::new(
        message!(en: "no chapter or volume to commit is given", zh: "没有指定要提交的内容"),
        message!(en: "add `--chapter N` or `--volume V`", zh: "请加 `--chapter N` 或 `--volume V`"),
    )
}

fn chapter_text(output: Output, report: &CommitReport, mode: CommitMode, lang: Lang) -> Output {
    let number = report.chapter.get();
    if report.already_committed {
        return output.note(message!(
            en: "Chapter {number} is already in the book.", zh: "第 {number} 章已在书中。"
        ));
    }
    if mode == CommitMode::DryRun {
        return output.text(plan(&report.changes)).note(nothing_written());
    }
    let mut text = format!("{}\n", result_line(report).get(lang));
    if report.scored_by == Some(ScoredBy::OfflineAuthor) {
        text.push_str(&format!("{}\n", labels::scored_offline().get(lang)));
    }
    let mut output = output.text(text);
    if let Some(briefing) = &report.briefing {
        output = output.note(labels::briefing(briefing));
    }
    if report.volume_end {
        output = output.note(message!(
            en: "The volume is complete; `novel start` reviews it.",
            zh: "本卷已完结；用 `novel start` 进行卷末回顾。"
        ));
    }
    output
}

/// The line seed 003 asks for after a chapter.
fn result_line(report: &CommitReport) -> Message {
    let (number, title, words) = (report.chapter.get(), &report.title, report.words);
    let (overall, revisions) = (labels::score(report.overall), report.revisions);
    let gate = report.gate.map_or("-", |decision| decision.word());
    let Message { zh: judged, .. } = report.gate.map(labels::gate_words).unwrap_or_default();
    let mut line = message!(
        en: "Chapter {number} \"{title}\" committed ({words} words), score {overall}/5.0, gate {gate}, revisions {revisions}",
        zh: "第 {number} 章《{title}》已提交（{words} 字），评分 {overall}/5.0，{judged}，修订 {revisions} 次"
    );
    if report.force_passed {
        line.en.push_str(", force-passed");
        line.zh.push_str("，强制通过");
    }
    line
}

fn nothing_written() -> Message {
    message!(en: "Nothing was written.", zh: "未写入任何内容。")
}

fn plan(changes: &[FileEffect]) -> String {
    let row = |change: &FileEffect| {
        let sign = match change.action {
            FileAction::Create => "+",
            FileAction::Replace => "~",
            FileAction::Append => ">",
            FileAction::Remove => "-",
        };
        vec![sign.to_owned(), change.path.to_string()]
    };
    table::align(&changes.iter().map(row).collect::<Vec<_>>())
}
