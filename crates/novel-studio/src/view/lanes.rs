//! Storylines as lanes, threads as bars from planting to the range they are due in.

use maud::{Markup, html};
use novel_contract::library::Due;

use super::fit;
use crate::{ask::Ask, view::Mark};

const LEFT: f64 = 190.0;
const WIDTH: f64 = 1200.0;

/// One chapter on a lane.
#[derive(Debug, Clone)]
pub(crate) struct Stop {
    pub(crate) chapter: u32,
    pub(crate) title: String,
    pub(crate) lane: Option<usize>,
    pub(crate) kind: Mark,
    pub(crate) said: String,
}

/// A lane.
#[derive(Debug, Clone)]
pub(crate) struct Lane {
    pub(crate) name: String,
    pub(crate) sub: String,
    pub(crate) asleep: bool,
}

/// One thread.
#[derive(Debug, Clone)]
pub(crate) struct Thread {
    pub(crate) name: String,
    pub(crate) planted: Option<u32>,
    pub(crate) range: Option<(u32, u32)>,
    pub(crate) resolved: Option<u32>,
    pub(crate) due: Due,
}

/// What a board shows.
pub(crate) struct Board {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) written: u32,
    pub(crate) chosen: Option<u32>,
    pub(crate) lanes: Vec<Lane>,
    pub(crate) stops: Vec<Stop>,
    pub(crate) meetings: Vec<(u32, u32, Vec<usize>)>,
    pub(crate) threads: Vec<Thread>,
    /// Address of the board, to choose a chapter.
    pub(crate) href: String,
}

impl Board {
    fn step(&self) -> f64 {
        (WIDTH - LEFT - 10.0) / f64::from(self.last.saturating_sub(self.first) + 1)
    }

    fn x(&self, chapter: u32) -> f64 {
        LEFT + (f64::from(chapter) - f64::from(self.first) + 0.5) * self.step()
    }

    /// A place on the sheet even for a chapter that is not on it.
    fn edge(&self, chapter: u32) -> f64 {
        self.x(chapter).clamp(LEFT, WIDTH - 10.0)
    }
}

fn count(length: usize) -> f64 {
    f64::from(u32::try_from(length).unwrap_or(u32::MAX))
}

fn at(place: f64) -> String {
    format!("{place:.1}")
}

/// The wide drawing: columns are chapters.
pub(crate) fn lanes(ask: &Ask, board: &Board) -> Markup {
    let lanes = count(board.lanes.len());
    let top = 50.0;
    let threads_top = top + lanes * 44.0 + 20.0;
    let height = threads_top + count(board.threads.len()) * 23.0 + 20.0;
    let every = ((board.last.saturating_sub(board.first) + 1) / 15).max(1);
    let lane_y = |lane: usize| top + count(lane) * 44.0;
    let shown = |n: u32| (n - board.first).is_multiple_of(every) || Some(n) == board.chosen;
    html! {
        svg class="lanes chart only-wide" viewBox={ "0 0 1200 " (height) } role="group"
            aria-label=(ask.t("Storylines by chapter, their meetings, and threads", "各章故事线、交汇处与伏笔")) {
            @if board.written >= board.first {
                rect class="nowcol" x=(LEFT) y="26" width=(at((board.edge(board.written) + board.step() / 2.0 - LEFT).max(0.0))) height=(height - 36.0) {}
            }
            @for chapter in (board.first..=board.last).filter(|n| shown(*n)) {
                text x=(at(board.x(chapter))) y="18" text-anchor="middle" class=[(Some(chapter) == board.chosen).then_some("strong")] { (chapter) }
            }
            @for (first, last, together) in &board.meetings {
                @if let (Some(upper), Some(lower)) = (together.iter().min(), together.iter().max()) {
                    rect class="meet" x=(at(board.edge(*first) - board.step().min(22.0))) y=(at(lane_y(*upper) - 18.0)) width=(at(board.edge(*last) - board.edge(*first) + 2.0 * board.step().min(22.0))) height=(at(lane_y(*lower) - lane_y(*upper) + 36.0)) rx="10" {}
                    text class="strong" x=(at((board.edge(*first) + board.edge(*last)) / 2.0)) y=(at(lane_y(*lower) + 32.0)) text-anchor="middle" { (ask.t("meet", "交汇")) }
                }
            }
            @for (index, lane) in board.lanes.iter().enumerate() {
                text class="name" x="0" y=(at(lane_y(index) + 2.0)) { (fit(&lane.name, 26)) }
                @if lane.asleep {
                    text class="sub" x=(LEFT + 8.0) y=(at(lane_y(index) + 4.0)) { (ask.t("dormant in this volume", "本卷休眠")) }
                } @else {
                    text class="sub" x="0" y=(at(lane_y(index) + 18.0)) { (fit(&lane.sub, 28)) }
                    (lane_line(board, index, lane_y(index)))
                }
            }
            @for stop in &board.stops {
                @if let Some(lane) = stop.lane {
                    a href={ (board.href) "&chapter=" (stop.chapter) } aria-label={ (stop.chapter) " " (stop.title) " " (stop.said) } {
                        (shape(stop.kind, board.x(stop.chapter), lane_y(lane)))
                        @if Some(stop.chapter) == board.chosen { circle class="sel" cx=(at(board.x(stop.chapter))) cy=(at(lane_y(lane))) r="11" {} }
                    }
                }
            }
            @if !board.threads.is_empty() {
                text class="name" x="0" y=(at(threads_top)) { (ask.t("Threads", "伏笔")) }
            }
            @for (index, thread) in board.threads.iter().enumerate() {
                (thread_row(board, thread, threads_top + 22.0 + count(index) * 23.0))
            }
        }
    }
}

fn lane_line(board: &Board, lane: usize, y: f64) -> Markup {
    let on: Vec<u32> = board
        .stops
        .iter()
        .filter(|stop| stop.lane == Some(lane))
        .map(|stop| stop.chapter)
        .collect();
    let class = if lane == 0 { "lane main" } else { "lane" };
    html! {
        @if let (Some(first), Some(last)) = (on.first(), on.last()) {
            @let border = board.written.clamp(*first, *last);
            @if board.written >= *first {
                path class=(class) d={ "M" (at(board.x(*first))) " " (at(y)) "H" (at(board.x(border))) } {}
            }
            @if *last > board.written {
                path class={ (class) " todo" } d={ "M" (at(board.x(if board.written >= *first { border } else { *first }))) " " (at(y)) "H" (at(board.x(*last))) } {}
            }
        }
    }
}

fn shape(kind: Mark, x: f64, y: f64) -> Markup {
    match kind {
        Mark::Wait | Mark::Fail => html! {
            rect class="wait" x=(at(x - 7.0)) y=(at(y - 7.0)) width="14" height="14" rx="2" {}
        },
        Mark::Edit => html! {
            path class="edit" d={ "M" (at(x)) " " (at(y - 8.0)) "l8 8-8 8-8-8z" } {}
        },
        Mark::Plan => html! { circle class="todo-pt" cx=(at(x)) cy=(at(y)) r="5.5" {} },
        _ => html! { circle class="done" cx=(at(x)) cy=(at(y)) r="5.5" {} },
    }
}

fn thread_row(board: &Board, thread: &Thread, y: f64) -> Markup {
    let from = thread.planted.unwrap_or(board.first);
    let until = thread.resolved.or(thread.range.map(|(first, _)| first));
    let planted = !matches!(thread.due, Due::Planned | Due::NotPlanted);
    html! {
        text class="sub" x="0" y=(at(y + 4.0)) { (fit(&thread.name, 28)) }
        @if let Some(until) = until && from <= board.last {
            line class={ "held" @if !planted { " todo" } } x1=(at(board.edge(from))) x2=(at(board.edge(until).max(board.edge(from)))) y1=(at(y)) y2=(at(y)) {}
        }
        @if let Some((first, last)) = thread.range && first <= board.last && last >= board.first && thread.resolved.is_none() {
            rect class={ "dueband" @if matches!(thread.due, Due::Due | Due::Overdue) { " now" } } x=(at(board.edge(first) - board.step() / 2.0)) y=(at(y - 6.0)) width=(at((board.edge(last) + board.step() / 2.0).min(WIDTH - 4.0) - (board.edge(first) - board.step() / 2.0))) height="12" rx="3" {}
        }
        @if let Some(chapter) = thread.planted && chapter >= board.first && chapter <= board.last {
            circle class={ "plant" @if !planted { " todo" } } cx=(at(board.x(chapter))) cy=(at(y)) r="4" {}
        }
        @if let Some(chapter) = thread.resolved && chapter >= board.first && chapter <= board.last {
            path class="done" d={ "M" (at(board.x(chapter) - 5.0)) " " (at(y)) "l4 4 7-8-1.6-1.4-5.4 6-2.4-2.4z" } {}
        }
    }
}

/// Threads alone, over the whole book.
pub(crate) fn threads(ask: &Ask, board: &Board) -> Markup {
    let height = count(board.threads.len()) * 23.0 + 40.0;
    let every = ((board.last.saturating_sub(board.first) + 1) / 15).max(1);
    html! {
        div class="scroll sideways tall" tabindex="0" role="region" aria-label=(ask.t("Threads", "伏笔")) {
            svg class="lanes chart" viewBox={ "0 0 1200 " (height) } role="group"
                aria-label=(ask.t("Threads from planting to the range they are due in", "伏笔：从埋设到应回收的区间")) {
                @if board.written >= board.first {
                    rect class="nowcol" x=(LEFT) y="26" width=(at((board.edge(board.written) + board.step() / 2.0 - LEFT).max(0.0))) height=(height - 30.0) {}
                }
                @for chapter in (board.first..=board.last).filter(|n| (n - board.first).is_multiple_of(every)) {
                    text x=(at(board.x(chapter))) y="18" text-anchor="middle" { (chapter) }
                }
                @for (index, thread) in board.threads.iter().enumerate() {
                    (thread_row(board, thread, 44.0 + count(index) * 23.0))
                }
            }
        }
    }
}

/// The narrow one: the board turned, rows are chapters.
pub(crate) fn narrow(ask: &Ask, board: &Board) -> Markup {
    let awake = board
        .lanes
        .iter()
        .filter(|lane| !lane.asleep)
        .count()
        .max(1);
    let x = |lane: usize| 10.0 + 52.0 * count(lane) / count(awake.saturating_sub(1).max(1));
    html! {
        div class="only-narrow" {
            ol class="boardlist" aria-label=(ask.t("Chapters", "章节")) {
                @for stop in &board.stops {
                    li {
                        svg class="lanes" viewBox="0 0 72 40" preserveAspectRatio="none" aria-hidden="true" {
                            @for lane in 0..awake {
                                path class={ "lane" @if lane == 0 { " main" } @if stop.chapter > board.written { " todo" } } d={ "M" (at(x(lane))) " 0V40" } {}
                            }
                            @if let Some(lane) = stop.lane { (shape(stop.kind, x(lane.min(awake - 1)), 20.0)) }
                        }
                        span class="num faint" { (stop.chapter) }
                        a href={ (board.href) "&chapter=" (stop.chapter) } { (stop.title) }
                        span class="small faint" { (stop.said) }
                    }
                }
            }
        }
    }
}
