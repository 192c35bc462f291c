//! `novel status`.

use novel_app::library::status::{self, StatusReport};
use novel_contract::run::RunBrief;
use novel_model::{ChapterNo, Lang, Message, counted, files::OrchestratorState, message};

use crate::commands::care::lock;
use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::{canvas, labels, run_events, table, wrap},
};

/// Show where the book stands
///
/// Writes nothing and is fast for books of any size: progress, words, scores, foreshadowing,
/// storylines, what waits for you, the lock, and one command to run next.
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
    let text = table::align(&rows);
    let text = match canvas::screen().line {
        Some(columns) => wrap::wrapped(&text, columns, table::offset(&rows)),
        None => text,
    };
    Ok(Output::new(report.answer(lang))
        .text(text)
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
            if report.edited.len() == 1 {
                message!(en: "chapter {list}", zh: "第 {list} 章")
            } else {
                message!(en: "chapters {list}", zh: "第 {list} 章")
            },
        ));
    }
    if let Some(walls) = walls(report) {
        rows.push((message!(en: "Published", zh: "已发布"), walls));
    }
    rows.push((
        message!(en: "Waiting for you", zh: "待你处理"),
        waiting(report),
    ));
    if let Some(run) = &report.run {
        rows.push((message!(en: "Run", zh: "运行"), under_way(run)));
    }
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
        OrchestratorState::QuickStart => message!(en: "being set up", zh: "筹备中"),
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
        text.en.push_str(&format!("; chapter {number} begun"));
        text.zh.push_str(&format!("；第 {number} 章未写完"));
        let revisions = report.checkpoint.revision_count;
        if revisions > 0 {
            let revised = counted(revisions, "time");
            text.en.push_str(&format!(", revised {revised}"));
            text.zh.push_str(&format!("，已修订 {revisions} 次"));
        }
    }
    text
}

fn score(report: &StatusReport) -> Message {
    let Some(mean) = report.mean_score() else {
        return Message::same("-");
    };
    // A change that rounds to nothing is none.
    let trend = report.trend().filter(|trend| trend.abs() >= 0.005);
    let mut text = match trend {
        Some(trend) => message!(
            en: "{mean:.2} on average, trend {trend:+.2}", zh: "均分 {mean:.2}，趋势 {trend:+.2}"
        ),
        None => message!(en: "{mean:.2} on average", zh: "均分 {mean:.2}"),
    };
    let offline = report.offline_scores();
    if !offline.is_empty() {
        let chapters = if offline.len() == 1 {
            "chapter"
        } else {
            "chapters"
        };
        let span = labels::chapter_span(&offline);
        text.en.push_str(&format!(
            " (by the offline author, not verdicts: {chapters} {span})"
        ));
        text.zh
            .push_str(&format!("（第 {span} 章由离线作者打分，不是评审结论）"));
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

/// Chapters a storyline is looked for in.
const RECENT: u32 = 10;

fn storylines(report: &StatusReport) -> Message {
    let is_young = report.checkpoint.last_completed_chapter <= RECENT;
    let describe = |lang: Lang| {
        let parts = report
            .rhythm
            .iter()
            .map(|(line, since)| match (since, lang) {
                (Some(0), Lang::En) => format!("{line} now"),
                (Some(0), Lang::Zh) => format!("{line} 本章"),
                (Some(since), Lang::En) => format!("{line} {since} ago"),
                (Some(since), Lang::Zh) => format!("{line} {since} 章前"),
                (None, Lang::En) if is_young => format!("{line} not yet"),
                (None, Lang::Zh) if is_young => format!("{line} 还没写到"),
                (None, Lang::En) => format!("{line} not in the last {RECENT} chapters"),
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

/// What readers have, and what the author locked beside it.
fn walls(report: &StatusReport) -> Option<Message> {
    let published = match report.published_to {
        0 => None,
        1 => Some(message!(en: "chapter 1", zh: "第 1 章")),
        last => Some(message!(en: "chapters 1 to {last}", zh: "第 1 至 {last} 章")),
    };
    let locked = labels::chapter_span(&report.locked);
    let locked = (!report.locked.is_empty())
        .then(|| message!(en: "locked: {locked}", zh: "已锁定：{locked}"));
    match (published, locked) {
        (Some(published), Some(locked)) => Some(Message {
            en: format!("{}; {}", published.en, locked.en),
            zh: format!("{}；{}", published.zh, locked.zh),
        }),
        (None, Some(locked)) => Some(Message {
            en: format!("nothing; {}", locked.en),
            zh: format!("无；{}", locked.zh),
        }),
        (published, None) => published,
    }
}

fn under_way(run: &RunBrief) -> Message {
    let number = run.run.get();
    let step = run.under_way.first().and_then(|step| step.parse().ok());
    match step.map(run_events::at_work) {
        Some(Message { en, zh }) => Message {
            en: format!("{number}, {en}"),
            zh: format!("第 {number} 次，{zh}"),
        },
        None => message!(en: "{number}", zh: "第 {number} 次"),
    }
}

fn numbers(chapters: &[ChapterNo]) -> String {
    let list: Vec<String> = chapters
        .iter()
        .map(|chapter| chapter.get().to_string())
        .collect();
    list.join(", ")
}
