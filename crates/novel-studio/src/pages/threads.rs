//! Threads: each promise as a bar from planting to the range it is due in, the urgent ones first.

use maud::{Markup, html};
use novel_app::library::{overview, storylines};
use novel_contract::library::{Due, ForeshadowRow};
use novel_model::{ChapterNo, message};

use crate::{
    ask::Ask,
    pages::{
        board::{thread, thread_table},
        nothing,
    },
    reply::{Fault, Reply},
    view::{Board, BookFrame, Frame, Mark, Nav, badge, frame, threads},
};

pub(crate) fn due_word(ask: &Ask, due: Due) -> Markup {
    match due {
        Due::Planned => badge(Mark::Plan, ask.t("planned", "待埋设")),
        Due::NotPlanted => badge(Mark::Fail, ask.t("not planted", "漏埋")),
        Due::Open => badge(Mark::Done, ask.t("open", "未回收")),
        Due::Due => badge(Mark::Due, ask.t("due", "到期")),
        Due::Overdue => badge(Mark::Due, ask.t("overdue", "超期")),
        Due::Resolved => badge(Mark::Ok, ask.t("resolved", "已回收")),
    }
}

/// The urgent ones first.
fn urgency(row: &ForeshadowRow) -> (u8, u32) {
    let rank = match row.due {
        Due::Overdue => 0,
        Due::Due => 1,
        Due::NotPlanted => 2,
        Due::Open => 3,
        Due::Planned => 4,
        Due::Resolved => 5,
    };
    let last = row.target_resolve_range.map_or(u32::MAX, |(_, last)| last);
    (rank, last)
}

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let over = overview::overview(&project)?;
    let mut rows = storylines::foreshadowing(&project)?;
    rows.sort_by_key(urgency);
    let open = rows.iter().filter(|row| row.due != Due::Resolved).count();
    let planned = over.volumes.last().map_or(1, |volume| volume.last.get());
    let reach = rows
        .iter()
        .filter_map(|row| row.target_resolve_range)
        .map(|(_, last)| last.min(planned.saturating_mul(2)))
        .max();
    let shown = Board {
        first: 1,
        last: planned.max(over.written).max(reach.unwrap_or(1)),
        written: over.written,
        chosen: None,
        lanes: Vec::new(),
        stops: Vec::new(),
        meetings: Vec::new(),
        threads: rows.iter().take(60).map(thread).collect(),
        href: String::new(),
    };
    let main = html! {
        div class="pagehead" {
            h1 class="h-page" { (ask.t("Threads", "伏笔")) }
            span class="small muted" { (message!(en: "{open} open of {}", zh: "共 {} 条，{open} 条未回收", rows.len()).get(ask.lang())) }
        }
        @if rows.is_empty() { (nothing(ask.t("No thread is planned or planted yet.", "还没有规划或埋设伏笔。"))) } @else {
            figure class="fig" {
                figcaption { strong { (ask.t("From planting to the range they are due in", "从埋设到应回收的区间")) } }
                (threads(ask, &shown))
            }
            section class="sec" {
                header { h2 class="h-sec" { (ask.t("The urgent ones first", "按紧急程度")) } }
                (thread_table(ask, &rows))
            }
            @if let Some(first) = rows.iter().find(|row| matches!(row.due, Due::Due | Due::Overdue)) && let Some(chapter) = first.planted_chapter {
                p class="small" { a href=(book.href(&format!("/chapters/{}", ChapterNo::get(chapter)))) { (ask.t("Where the most urgent one was planted", "最紧急的一条在何处埋设")) } }
            }
        }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: ask.t("Threads", "伏笔").to_owned(),
            nav: Nav::Threads,
            book: &book,
            command: "novel foreshadow list".to_owned(),
            keys: &[],
            bar: None,
            class: "page stack",
            main,
        },
    )))
}
