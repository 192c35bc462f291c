//! `novel status`.

use novel_app::library::status::{self, StatusReport};
use novel_model::{ChapterNo, Lang, Message, files::OrchestratorState, message};

use crate::commands::care::lock;
use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::table,
};

/// Show where the book stands
///
/// Writes nothing and is fast at any size: progress, words, scores, foreshadowing, storylines,
/// what waits for you, the lock, and one command to run next.
#[derive(clap::Args, Debug)]
pub(crate) struct StatusArgs {}

pub(crate) fn run(context: &Context, _args: &StatusArgs) -> CommandResult {
    let project = context.project()?;
    let report = status::status(&project)?;
    let lang = context.lang;
    let rows: Vec<Vec<String>> = rows(&report)
        .into_iter()
        .map(|(name, value)| vec![name.get(lang).to_owned(), value.get(lang).to_owned()])
        .collect();
    Ok(Output::new(report.answer(lang))
        .text(table::align(&rows))
        .about_config(project.warnings()))
}

/// Name and value of each line.
fn rows(report: &StatusReport) -> Vec<(Message, Message)> {
    let mut rows = vec![
        (message!(en: "Title", zh: "书名"), title(report)),
        (message!(en: "State", zh: "状态"), state(report)),
        (message!(en: "Volume", zh: "卷"), volume(report)),
        (message!(en: "Chapters", zh: "章节"), chapters(report)),
        (
            message!(en: "Words", zh: "字数"),
            Message::same(report.totals.total_words.to_string()),
        ),
        (message!(en: "Score", zh: "评分"), score(report)),
        (
            message!(en: "Foreshadowing", zh: "伏笔"),
            foreshadowing(report),
        ),
    ];
    if let Some(judge) = &report.judge {
        rows.push((message!(en: "Judge", zh: "评审"), judge.shown()));
    }
    if !report.rhythm.is_empty() {
        rows.push((message!(en: "Storylines", zh: "故事线"), storylines(report)));
    }
    if let Some(cost) = report.totals.cost_usd {
        rows.push((
            message!(en: "Cost", zh: "费用"),
            Message::same(format!("${cost:.4}")),
        ));
    }
    if !report.edited.is_empty() {
        let list = numbers(&report.edited);
        rows.push((
            message!(en: "Edited by hand", zh: "手工改动"),
            message!(en: "chapters {list}", zh: "第 {list} 章"),
        ));
    }
    rows.push((
        message!(en: "Waiting for you", zh: "待你处理"),
        waiting(report),
    ));
    rows.push((message!(en: "Lock", zh: "锁"), lock::describe(&report.lock)));
    let command = &report.waits.command;
    rows.push((
        message!(en: "Next", zh: "下一步"),
        Message::same(format!("`{command}`")),
    ));
    rows
}

fn title(report: &StatusReport) -> Message {
    match &report.title {
        Some(title) => Message::same(title),
        None => message!(en: "(none yet)", zh: "（未定）"),
    }
}

fn state(report: &StatusReport) -> Message {
    match report.checkpoint.orchestrator_state {
        OrchestratorState::Init => message!(en: "new", zh: "新建"),
        OrchestratorState::QuickStart => message!(en: "being set up", zh: "快速起步"),
        OrchestratorState::VolPlanning => message!(en: "planning a volume", zh: "卷规划"),
        OrchestratorState::Writing => message!(en: "writing", zh: "写作中"),
        OrchestratorState::ChapterRewrite => message!(en: "revising a chapter", zh: "修订章节"),
        OrchestratorState::VolReview => message!(en: "reviewing a volume", zh: "卷末回顾"),
        OrchestratorState::ErrorRetry => message!(en: "stopped by an error", zh: "出错待重试"),
    }
}

fn volume(report: &StatusReport) -> Message {
    let number = report.checkpoint.current_volume.get();
    match report.volume_chapters {
        Some((first, last)) => {
            let (first, last) = (first.get(), last.get());
            message!(
                en: "{number} (chapters {first} to {last})", zh: "第 {number} 卷（第 {first} 至 {last} 章）"
            )
        }
        None => message!(en: "{number} (not planned)", zh: "第 {number} 卷（未规划）"),
    }
}

fn chapters(report: &StatusReport) -> Message {
    let done = report.checkpoint.last_completed_chapter;
    let mut text = match report.volume_chapters {
        Some((first, last)) => {
            let length = last.get().saturating_sub(first.get()) + 1;
            let within = done
                .saturating_sub(first.get().saturating_sub(1))
                .min(length);
            message!(
                en: "{done} written, {within} of {length} in this volume",
                zh: "已完成 {done} 章，本卷 {within}/{length}"
            )
        }
        None => message!(en: "{done} written", zh: "已完成 {done} 章"),
    };
    if let Some(chapter) = report.checkpoint.inflight_chapter {
        let number = chapter.get();
        let stage = report
            .checkpoint
            .pipeline_stage
            .map_or("-", |stage| stage.word());
        let revisions = report.checkpoint.revision_count;
        text.en.push_str(&format!(
            "; chapter {number} in flight ({stage}, revision {revisions})"
        ));
        text.zh.push_str(&format!(
            "；第 {number} 章进行中（{stage}，修订 {revisions} 次）"
        ));
    }
    text
}

fn score(report: &StatusReport) -> Message {
    let Some(mean) = report.mean_score() else {
        return Message::same("-");
    };
    let mut text = match report.trend() {
        Some(trend) => message!(
            en: "{mean:.2} on average, trend {trend:+.2}", zh: "均分 {mean:.2}，趋势 {trend:+.2}"
        ),
        None => message!(en: "{mean:.2} on average", zh: "均分 {mean:.2}"),
    };
    let offline = report.offline_scores();
    if !offline.is_empty() {
        let list = numbers(&offline);
        text.en.push_str(&format!(
            " (chapters {list}: the offline author's scores, not verdicts)"
        ));
        text.zh
            .push_str(&format!("（第 {list} 章由离线作者打分，不是评审结论）"));
    }
    text
}

fn foreshadowing(report: &StatusReport) -> Message {
    let open = report.open_foreshadowing;
    let mut text = message!(en: "{open} open", zh: "未回收 {open}");
    if !report.overdue_foreshadowing.is_empty() {
        let list = report.overdue_foreshadowing.join(", ");
        text.en.push_str(&format!(", overdue: {list}"));
        text.zh.push_str(&format!("，超期：{list}"));
    }
    text
}

fn storylines(report: &StatusReport) -> Message {
    let describe = |lang: Lang| {
        let parts = report
            .rhythm
            .iter()
            .map(|(line, since)| match (since, lang) {
                (Some(0), Lang::En) => format!("{line} now"),
                (Some(0), Lang::Zh) => format!("{line} 本章"),
                (Some(since), Lang::En) => format!("{line} {since} ago"),
                (Some(since), Lang::Zh) => format!("{line} {since} 章前"),
                (None, Lang::En) => format!("{line} long ago or never"),
                (None, Lang::Zh) => format!("{line} 很久没写到"),
            });
        parts.collect::<Vec<_>>()
    };
    Message {
        en: describe(Lang::En).join(", "),
        zh: describe(Lang::Zh).join("，"),
    }
}

/// What stops the book until the author acts.
fn waiting(report: &StatusReport) -> Message {
    let nothing = || message!(en: "nothing", zh: "无");
    report.waits.what.clone().unwrap_or_else(nothing)
}

fn numbers(chapters: &[ChapterNo]) -> String {
    let list: Vec<String> = chapters
        .iter()
        .map(|chapter| chapter.get().to_string())
        .collect();
    list.join(", ")
}
