//! The board: storylines as lanes, chapters as columns, threads below; one chapter's contract in a card.

use maud::{Markup, html};
use novel_app::{
    Project,
    library::{
        forecast,
        overview::{self, ChapterCard, Overview, PlanSource, VolumeCard, VolumePlan},
        status, storylines,
    },
};
use novel_contract::{
    library::{Due, ForeshadowRow},
    setup::StartAnswer,
};
use novel_model::{
    ChapterNo, VolumeNo,
    files::{ForeshadowAction, ScoredBy},
    message,
};

use crate::{
    act::Command,
    ask::{Ask, number},
    pages::{chapter, decisions, desk::volume_name, nothing, runs, threads::due_word},
    reply::{Fault, Reply},
    view::{
        Board, BookFrame, Frame, Lane, Mark, Nav, Stop, Thread, badge, frame, hidden, key, lanes,
        money, narrow, tag,
    },
    waits::Wait,
};

/// Chapters of a volume that are shown at once.
const SHOWN: u32 = 60;

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
    // A volume that is not planned yet has nothing to show: the newest plan is shown instead.
    let newest = over.volumes.iter().map(|known| known.number).max();
    let volume = ask
        .volume()
        .or(of_chapter)
        .or(newest.filter(|newest| *newest < over.current))
        .unwrap_or(over.current);
    let waiting = ask.query.get("plan") == Some("waiting");
    let source = if waiting {
        PlanSource::Waiting
    } else {
        PlanSource::Accepted
    };
    let card = over.volumes.iter().find(|known| known.number == volume);
    let shown = card
        .filter(|_| !waiting)
        .map(|card| shown(card, asked.map_or(over.written + 1, ChapterNo::get)));
    let plan = overview::plan(&project, volume, source, shown)?;
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
    let plan_waits = waiting_plan(&book);
    let rest = if waiting || volume != over.current {
        Vec::new()
    } else {
        replannable(&project, &over)?
    };
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
            @else if plan_waits.is_some() {
                a href=(book.href(&format!("/board?volume={}&plan=waiting", over.current.get()))) data-key="p" { (badge(Mark::Wait, ask.t("a new plan waits for you", "有新规划等你批准"))) }
            }
            @if !rest.is_empty() || waiting {
                a class="btn small" href=(book.href("/outline")) data-key="e" { (ask.t("Edit the outline", "编辑大纲")) " " (key("e")) }
            }
            p class="end acts small" {
                (badge(Mark::Done, ask.t("written", "已写"))) " " (badge(Mark::Wait, ask.t("waits", "待处理"))) " "
                (badge(Mark::Edit, ask.t("edited", "改过"))) " " (badge(Mark::Plan, ask.t("planned", "已规划"))) " "
                (badge(Mark::Due, ask.t("thread due", "伏笔到期")))
            }
        }
        @if let (Some(card), Some(shown)) = (card, shown) { (pager(ask, &book, card, shown)) }
        figure class="fig" {
            figcaption class="vh" { (volume_name(l, card, volume.get())) (message!(en: ": chapters {} to {}", zh: "：第 {} 至 {} 章", board.first, board.last).get(l)) }
            (lanes(ask, &board))
            (narrow(ask, &board))
            details {
                summary { (ask.t("The board as a table", "列成表格")) }
                div class="scroll" tabindex="0" role="region" aria-label=(ask.t("The board as a table", "列成表格")) {
                    table class="tbl" {
                        thead { tr { th scope="col" { "#" } th scope="col" { (ask.t("title", "标题")) } th scope="col" { (ask.t("line", "故事线")) } th scope="col" { (ask.t("POV", "视角")) } th scope="col" { (ask.t("place", "地点")) } th scope="col" { (ask.t("status", "状态")) } } }
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
        @if waiting && let Some(offered) = plan_waits {
            section class="card field replan" aria-labelledby="pw-h" {
                h2 class="h-sec" id="pw-h" { (offered.headline) }
                (decisions::choices(ask, &book, offered))
                p class="small muted" { (ask.t("Written chapters stay as they are. Can be undone.", "已写的章节保持不动。随时可撤销。")) }
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
        @if !rest.is_empty() && plan_waits.is_none() {
            form class="card field replan" id="replan" method="post" action=(book.href("/board")) aria-labelledby="rp-h" {
                (hidden(ask))
                h2 class="h-sec" id="rp-h" { (ask.t("Replan the rest", "重新规划余下部分")) }
                (replan_fields(ask, &project, &rest, ""))
                div class="acts" { button class="btn" { (ask.t("Plan it", "重新规划")) " " span class="price" { (plan_price(ask, &project, rest.len())) } } }
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
            keys: &[
                ("← →", ask.t("chapter", "选章")),
                ("n", ask.t("replan", "重新规划")),
                ("e", ask.t("edit the outline", "编辑大纲")),
            ],
            bar: None,
            class: "page",
            main,
        },
    )))
}

/// The plan that waits for the author, with the ways on.
fn waiting_plan(book: &BookFrame) -> Option<&StartAnswer> {
    book.waiting.iter().find_map(|wait| match wait {
        Wait::Gate(offered) => offered
            .choices
            .iter()
            .any(|choice| choice.command == "novel plan approve")
            .then_some(offered),
        _ => None,
    })
}

/// Chapters of the current volume that may be planned anew.
pub(crate) fn replannable(project: &Project, over: &Overview) -> Result<Vec<ChapterNo>, Fault> {
    let Some(volume) = over.volumes.iter().find(|it| it.number == over.current) else {
        return Ok(Vec::new());
    };
    let checkpoint = status::status(project)?.checkpoint;
    let first = checkpoint
        .inflight_chapter
        .map_or(checkpoint.next_chapter(), ChapterNo::next)
        .max(volume.first);
    let chapters = first.get()..=volume.last.get();
    Ok(chapters.filter_map(ChapterNo::new).collect())
}

/// The chapters of a volume that are shown: those around one.
fn shown(volume: &VolumeCard, around: u32) -> (u32, u32) {
    let (first, last) = (volume.first.get(), volume.last.get());
    let from = first + (around.clamp(first, last) - first) / SHOWN * SHOWN;
    (from, (from + SHOWN - 1).min(last))
}

/// The way to the chapters before and after those that are shown.
fn pager(ask: &Ask, book: &BookFrame, volume: &VolumeCard, (first, last): (u32, u32)) -> Markup {
    let place = |chapter: u32| {
        let volume = volume.number.get();
        book.href(&format!("/board?volume={volume}&chapter={chapter}"))
    };
    html! {
        @if first > volume.first.get() || last < volume.last.get() {
            nav class="acts small" aria-label=(ask.t("Pages", "分页")) {
                @if first > volume.first.get() { a class="chip" href=(place(first - 1)) { "← " (ask.t("earlier", "更早")) } }
                span class="num" { (first) "–" (last) " / " (volume.last.get()) }
                @if last < volume.last.get() { a class="chip" href=(place(last + 1)) { (ask.t("later", "更后")) " →" } }
            }
        }
    }
}

/// From which chapter on, and what should be different.
pub(crate) fn replan_fields(
    ask: &Ask,
    project: &Project,
    rest: &[ChapterNo],
    note: &str,
) -> Markup {
    let l = ask.lang();
    html! {
        div class="field" {
            label for="from" { (ask.t("From chapter", "从第几章起")) }
            select class="input" id="from" name="from" {
                @for chapter in rest { option value=(chapter.get()) { (crate::view::chapter_name(l, *chapter)) } }
            }
        }
        div class="field" {
            label for="replan-note" { (ask.t("What should be different", "要有什么不同")) }
            textarea class="input" id="replan-note" name="note" rows="3" maxlength="2000" lang=(tag(project.config().lang())) data-focus="n" { (note) }
        }
        p class="small muted" { (ask.t("Written chapters stay, and so does the plan before that chapter. The new plan waits for your approval; until then nothing of the book changes.", "已写的章节和此前的规划保持不动。新规划等你批准，批准之前作品不变。")) }
    }
}

/// What planning so many chapters is expected to cost.
pub(crate) fn plan_price(ask: &Ask, project: &Project, chapters: usize) -> String {
    let chapters = u32::try_from(chapters).unwrap_or(u32::MAX);
    match forecast::of_plan(project, chapters) {
        None => ask.t("free", "免费").to_owned(),
        Some(expected) => match expected.cost_usd {
            Some(cost) => message!(
                en: "about {} ({}–{})", zh: "约 {}（{}–{}）",
                money(Some(cost.expected)), money(Some(cost.low)), money(Some(cost.high))
            )
            .get(ask.lang())
            .to_owned(),
            None => ask.t("price not known", "价格未知").to_owned(),
        },
    }
}

/// Has the rest of the volume planned anew; the plan waits for the author.
pub(crate) fn replan(ask: &Ask) -> Result<Reply, Fault> {
    let from = ask
        .form
        .get("from")
        .and_then(number)
        .and_then(ChapterNo::new)
        .ok_or(Fault::NotFound)?;
    let mut command = Command::new(&format!("plan revise --from {}", from.get()));
    if let Some(note) = ask.form.filled("note") {
        command = command.option("--note", note);
    }
    runs::launch(ask, &command)
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
        Some(card) if card.pending => (Mark::Wait, ask.t("waits", "待处理").to_owned()),
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
                thead { tr { th scope="col" { (ask.t("what", "伏笔")) } th scope="col" { (ask.t("status", "状态")) } th scope="col" class="r" { (ask.t("planted", "埋设")) } th scope="col" class="r" { (ask.t("resolve in", "应回收")) } } }
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
