//! The board: storylines as lanes, chapters as columns, threads below; one chapter's contract in a card.

use maud::html;
use novel_app::{
    Project,
    library::{
        overview::{self, ChapterCard, Overview, PlanSource, VolumePlan},
        storylines,
    },
};
use novel_contract::library::{Due, ForeshadowRow};
use novel_model::{
    ChapterNo, VolumeNo,
    files::{ForeshadowAction, ScoredBy},
    message,
};

use crate::{
    ask::{Ask, number},
    pages::{chapter, desk::volume_name, nothing, threads::due_word},
    reply::{Fault, Reply},
    view::{
        Board, BookFrame, Frame, Lane, Mark, Nav, Stop, Thread, badge, frame, lanes, narrow, tag,
    },
};

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let over = overview::overview(&project)?;
    let asked = ask
        .query
        .get("chapter")
        .and_then(number)
        .and_then(ChapterNo::new);
    let of_chapter = asked
        .and_then(|chapter| over.volume_of(chapter))
        .map(|volume| volume.number);
    let volume = ask.volume().or(of_chapter).unwrap_or(over.current);
    let waiting = ask.query.get("plan") == Some("waiting");
    let source = if waiting {
        PlanSource::Waiting
    } else {
        PlanSource::Accepted
    };
    let plan = overview::plan(&project, volume, source)?;
    if plan.chapters.is_empty() {
        return Ok(Reply::Page(empty(ask, &book, &over)));
    }
    let rows = storylines::foreshadowing(&project)?;
    let board = board(ask, &book, &project, &over, volume, &plan, asked, &rows)?;
    let chosen = board.chosen.and_then(|number| {
        plan.chapters
            .iter()
            .find(|planned| planned.chapter.get() == number)
    });
    let card = over.volumes.iter().find(|known| known.number == volume);
    let main = html! {
        div class="pagehead" {
            h1 class="h-page" { (ask.t("Board", "故事板")) }
            form method="get" action=(book.href("/board")) class="pick small" {
                label class="muted" for="volume" { (ask.t("volume", "卷")) }
                select id="volume" name="volume" data-submit {
                    @for known in &over.volumes { option value=(known.number.get()) selected[known.number == volume] { (volume_name(l, Some(known), known.number.get())) } }
                }
                noscript { button class="btn small" { (ask.t("Show", "显示")) } }
            }
            @if waiting { (badge(Mark::Wait, ask.t("this plan waits for you", "此规划等你批准"))) }
            p class="end acts small" {
                (badge(Mark::Done, ask.t("written", "已写"))) " " (badge(Mark::Wait, ask.t("waits", "待决"))) " "
                (badge(Mark::Edit, ask.t("edited", "改过"))) " " (badge(Mark::Plan, ask.t("planned", "已规划"))) " "
                (badge(Mark::Due, ask.t("thread due", "伏笔到期")))
            }
        }
        figure class="fig" {
            figcaption class="vh" { (volume_name(l, card, volume.get())) (message!(en: ": chapters {} to {}", zh: "：第 {} 至 {} 章", board.first, board.last).get(l)) }
            (lanes(ask, &board))
            (narrow(ask, &board))
            details {
                summary { (ask.t("The board as a table", "列成表格")) }
                div class="scroll" tabindex="0" role="region" aria-label=(ask.t("The board as a table", "列成表格")) {
                    table class="tbl" {
                        thead { tr { th scope="col" { "#" } th scope="col" { (ask.t("title", "标题")) } th scope="col" { (ask.t("line", "故事线")) } th scope="col" { (ask.t("POV", "视角")) } th scope="col" { (ask.t("place", "地点")) } th scope="col" { (ask.t("standing", "状态")) } } }
                        tbody { @for (planned, stop) in plan.chapters.iter().zip(&board.stops) {
                            tr {
                                td class="num" { (planned.chapter.get()) }
                                th scope="row" { (planned.title) }
                                td { @if let Some(lane) = stop.lane.and_then(|lane| board.lanes.get(lane)) { (lane.name) } }
                                td { (planned.field("POV").unwrap_or("—")) }
                                td { (planned.field("Location").unwrap_or("—")) }
                                td { (stop.said) }
                            }
                        } }
                    }
                }
            }
            details {
                summary { (ask.t("Threads as a table", "伏笔，列成表")) }
                (thread_table(ask, &rows))
            }
        }
        @if let Some(planned) = chosen {
            section class="card cellcard" aria-labelledby="cell-h" {
                div {
                    @let stop = board.stops.iter().find(|stop| stop.chapter == planned.chapter.get());
                    p class="eyebrow" {
                        @if let Some(stop) = stop { (badge(stop.kind, &stop.said)) @if let Some(lane) = stop.lane.and_then(|lane| board.lanes.get(lane)) { " · " (lane.name) } }
                    }
                    h2 class="h-page" id="cell-h" lang=(tag(book.lang)) { (planned.chapter.get()) " " (planned.title) }
                    (chapter::terms(ask, planned))
                }
                div {
                    h3 class="h-sec" { (ask.t("Objectives", "必达目标")) }
                    (chapter::objectives(ask, planned, None))
                }
                div class="acts" {
                    @if planned.chapter.get() <= over.written {
                        a class="btn" href=(book.href(&format!("/chapters/{}", planned.chapter.get()))) data-key="o" { (ask.t("Read", "阅读")) }
                    }
                }
            }
        }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: ask.t("Board", "故事板").to_owned(),
            nav: Nav::Board,
            book: &book,
            command: if waiting {
                "novel plan show".to_owned()
            } else {
                "novel storyline list".to_owned()
            },
            keys: &[("← →", ask.t("chapter", "选章"))],
            bar: None,
            class: "page",
            main,
        },
    )))
}

fn empty(ask: &Ask, book: &BookFrame, over: &Overview) -> maud::Markup {
    let main = html! {
        div class="pagehead" { h1 class="h-page" { (ask.t("Board", "故事板")) } }
        (nothing(ask.t("Nothing is planned yet. The desk says what comes first.", "还没有规划。书桌上写着该先做什么。")))
        @if over.written > 0 { p { a href=(book.href("/chapters")) { (ask.t("The written chapters", "已写的章节")) } } }
        p { a class="btn" href=(book.href("")) { (ask.t("To the desk", "回到书桌")) } }
    };
    frame(
        ask,
        Frame {
            title: ask.t("Board", "故事板").to_owned(),
            nav: Nav::Board,
            book,
            command: "novel plan".to_owned(),
            keys: &[],
            bar: None,
            class: "page",
            main,
        },
    )
}

/// Numbers of chapter and volume for the drawing.
#[expect(
    clippy::too_many_arguments,
    reason = "each is another file of the book"
)]
fn board(
    ask: &Ask,
    book: &BookFrame,
    project: &Project,
    over: &Overview,
    volume: VolumeNo,
    plan: &VolumePlan,
    asked: Option<ChapterNo>,
    rows: &[ForeshadowRow],
) -> Result<Board, Fault> {
    let numbers = || plan.chapters.iter().map(|planned| planned.chapter.get());
    let (first, last) = (numbers().min().unwrap_or(1), numbers().max().unwrap_or(1));
    let cards = match (ChapterNo::new(first), ChapterNo::new(last)) {
        (Some(first), Some(last)) => overview::chapters(project, first, last)?,
        _ => Vec::new(),
    };
    let lane_of = |id: &novel_model::Slug| plan.lines.iter().position(|line| line.id == *id);
    let stops = plan
        .chapters
        .iter()
        .map(|planned| {
            let card = cards.iter().find(|card| card.chapter == planned.chapter);
            let (kind, said) = standing(ask, card);
            Stop {
                chapter: planned.chapter.get(),
                title: planned.title.clone(),
                lane: planned.storyline.as_ref().and_then(lane_of),
                kind,
                said,
            }
        })
        .collect();
    let coming = (over.written + 1).clamp(first, last);
    let chosen = asked.map_or(coming, ChapterNo::get).clamp(first, last);
    Ok(Board {
        first,
        last,
        written: over.written,
        chosen: Some(chosen),
        lanes: plan
            .lines
            .iter()
            .map(|line| Lane {
                name: line.name.clone(),
                sub: line.told_by.join("、"),
                asleep: line.asleep,
            })
            .collect(),
        stops,
        meetings: plan
            .meetings
            .iter()
            .filter_map(|meeting| {
                let (from, to) = meeting.chapter_range?;
                let together = meeting
                    .involved_storylines
                    .iter()
                    .filter_map(lane_of)
                    .collect();
                Some((from.get(), to.get(), together))
            })
            .collect(),
        threads: shown_threads(rows, first, last),
        href: book.href(&format!("/board?volume={}", volume.get())),
    })
}

fn standing(ask: &Ask, card: Option<&ChapterCard>) -> (Mark, String) {
    match card {
        Some(card) if card.pending => (Mark::Wait, ask.t("waits", "待决").to_owned()),
        Some(card) if card.edited => (Mark::Edit, ask.t("edited", "改过").to_owned()),
        Some(card) if card.is_written() => (
            Mark::Done,
            card.score.map_or_else(
                || ask.t("written", "已写").to_owned(),
                |score| match card.scored_by {
                    Some(ScoredBy::OfflineAuthor) => {
                        format!("{score:.2} {}", ask.t("(offline author)", "（离线作者）"))
                    }
                    _ => format!("{score:.2}"),
                },
            ),
        ),
        _ => (Mark::Plan, ask.t("planned", "已规划").to_owned()),
    }
}

/// Threads that reach into a range of chapters.
fn shown_threads(rows: &[ForeshadowRow], first: u32, last: u32) -> Vec<Thread> {
    let mut shown: Vec<Thread> = rows
        .iter()
        .filter(|row| {
            let begin = row.planted_chapter.map_or(0, ChapterNo::get);
            let end = match row.due {
                Due::Resolved => row.last_updated_chapter.map_or(0, ChapterNo::get),
                _ => u32::MAX,
            };
            begin <= last && end >= first
        })
        .map(thread)
        .collect();
    shown.sort_by_key(|thread| thread.planted);
    shown.truncate(40);
    shown
}

pub(crate) fn thread(row: &ForeshadowRow) -> Thread {
    let resolved = row.status == Some(ForeshadowAction::Resolved);
    Thread {
        name: row.description.clone(),
        planted: row.planted_chapter.map(ChapterNo::get),
        range: row.target_resolve_range,
        resolved: row
            .last_updated_chapter
            .map(ChapterNo::get)
            .filter(|_| resolved),
        due: row.due,
    }
}

pub(crate) fn thread_table(ask: &Ask, rows: &[ForeshadowRow]) -> maud::Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label=(ask.t("Table of threads", "伏笔表")) {
            table class="tbl" {
                thead { tr { th scope="col" { (ask.t("what", "伏笔")) } th scope="col" { (ask.t("standing", "状态")) } th scope="col" class="r" { (ask.t("planted", "埋设")) } th scope="col" class="r" { (ask.t("resolve in", "应回收")) } } }
                tbody { @for row in rows {
                    tr {
                        th scope="row" { (row.description) }
                        td { (due_word(ask, row.due)) }
                        td class="r" { @match row.planted_chapter { Some(chapter) => (chapter.get()), None => "—" } }
                        td class="r" { @match row.target_resolve_range { Some((first, last)) => { (first) "–" (last) }, None => "—" } }
                    }
                } }
            }
        }
    }
}
