//! All chapters, a volume at a time.

use maud::html;
use novel_app::library::overview::{self, ChapterCard};
use novel_model::{ChapterNo, message};

use crate::{
    ask::{Ask, number},
    pages::{chapter::whose_score, desk::volume_name, nothing},
    reply::{Fault, Reply},
    view::{BookFrame, Frame, Mark, Nav, badge, frame, gate_word, thousands},
};

/// Chapters on a page of a book without volumes.
const PAGE: u32 = 50;

/// Pages before and after the shown one that are named.
const NEAR: u32 = 2;

/// Which chapters are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Filter {
    All,
    Waiting,
    Edited,
    Weak,
}

impl Filter {
    fn of(word: Option<&str>) -> Self {
        match word {
            Some("waiting") => Self::Waiting,
            Some("edited") => Self::Edited,
            Some("weak") => Self::Weak,
            _ => Self::All,
        }
    }

    fn takes(self, card: &ChapterCard) -> bool {
        match self {
            Self::All => true,
            Self::Waiting => card.pending,
            Self::Edited => card.edited,
            Self::Weak => card.score.is_some_and(|score| score < 4.0),
        }
    }
}

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let over = overview::overview(&project)?;
    let wanted = ask.volume().unwrap_or(over.current);
    let volume = over
        .volumes
        .iter()
        .find(|volume| volume.number == wanted)
        .or(over.volumes.last());
    // A volume may be a whole imported book: it is leafed through in pages.
    let (first, last) = match volume {
        Some(volume) => (volume.first.get(), volume.last.get()),
        None => (1, over.written.max(1)),
    };
    let pages = (last - first) / PAGE + 1;
    let shown = match ask.query.get("page").and_then(number) {
        Some(page) => page.clamp(1, pages),
        // The page of the chapter asked for, or of the newest, where the author works.
        None => {
            let chapter = ask.query.get("chapter").and_then(number);
            (chapter.unwrap_or(over.written).clamp(first, last) - first) / PAGE + 1
        }
    };
    let from = first + (shown - 1) * PAGE;
    let to = (from + PAGE - 1).min(last);
    let filter = Filter::of(ask.query.get("show"));
    let line = ask.query.filled("line");
    let mut cards = match (ChapterNo::new(from), ChapterNo::new(to)) {
        (Some(from), Some(to)) => overview::chapters(&project, from, to)?,
        _ => Vec::new(),
    };
    cards.retain(|card| {
        let on_line = |line: &str| {
            card.storyline
                .as_ref()
                .is_some_and(|id| id.as_str() == line)
        };
        filter.takes(card) && line.is_none_or(on_line)
    });
    let current = volume.map_or(1, |volume| volume.number.get());
    let here = book.href(&format!("/chapters?volume={current}"));
    let filters = [
        (Filter::All, "all", ask.t("all", "全部")),
        (Filter::Waiting, "waiting", ask.t("waiting", "待处理")),
        (Filter::Edited, "edited", ask.t("edited", "改过")),
        (Filter::Weak, "weak", ask.t("score below 4", "低于 4 分")),
    ];
    let main = html! {
        div class="pagehead" {
            h1 class="h-page" { (ask.t("Chapters", "章节")) }
            span class="small muted" { (message!(en: "{} written", zh: "已写 {} 章", over.written).get(l)) }
            p class="end acts small" {
                @for (kind, word, name) in filters {
                    a class="chip" href={ (here) "&show=" (word) } aria-current=[(kind == filter).then_some("true")] { (name) }
                }
            }
        }
        div class="shelfgrid" {
            nav class="volumes" aria-label=(ask.t("Volumes", "各卷")) {
                ul {
                    @for volume in &over.volumes {
                        li {
                            a href=(book.href(&format!("/chapters?volume={}", volume.number.get()))) aria-current=[(volume.number.get() == current).then_some("true")] {
                                span { (volume_name(l, Some(volume), volume.number.get())) }
                                span class="num faint" { (volume.first.get()) "–" (volume.last.get()) }
                            }
                        }
                    }
                }
            }
            div {
                @if pages > 1 {
                    nav class="acts small pages" aria-label=(ask.t("Pages", "分页")) {
                        @for page in (1..=pages).filter(|page| *page == 1 || *page == pages || page.abs_diff(shown) <= NEAR) {
                            @if page > 1 && page.abs_diff(shown) == NEAR && page < shown && page > 2 { span class="faint" { "…" } }
                            @if page == pages && pages > shown + NEAR + 1 { span class="faint" { "…" } }
                            @let start = first + (page - 1) * PAGE;
                            a class="chip" href={ (here) "&page=" (page) } aria-current=[(page == shown).then_some("true")] { (start) "–" ((start + PAGE - 1).min(last)) }
                        }
                        @if pages > 2 * NEAR {
                            form method="get" action=(book.href("/chapters")) class="pick end" {
                                input type="hidden" name="volume" value=(current);
                                label class="muted" for="jump" { (ask.t("to chapter", "跳到第")) }
                                input class="input jump" id="jump" name="chapter" type="number" min=(first) max=(last) required data-focus="n";
                                button class="btn small" { (ask.t("Go", "章")) }
                            }
                        }
                    }
                }
                @if cards.is_empty() { (nothing(ask.t("No chapter here.", "这里没有章节。"))) } @else {
                    div class="scroll whole" tabindex="0" role="region" aria-label=(ask.t("Chapters", "章节")) {
                        table class="tbl chapters" {
                            thead { tr {
                                th scope="col" class="r" { "#" }
                                th scope="col" { (ask.t("title", "标题")) }
                                th scope="col" { (ask.t("status", "状态")) }
                                th scope="col" class="r" { (ask.t("score", "分")) }
                                th scope="col" class="r" { (ask.t("words", "字数")) }
                                th scope="col" class="wide-only" { (ask.t("line", "故事线")) }
                            } }
                            tbody { @for card in &cards { (row(ask, &book, card, &here)) } }
                        }
                    }
                }
            }
        }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: ask.t("Chapters", "章节").to_owned(),
            nav: Nav::Chapters,
            book: &book,
            command: "novel status".to_owned(),
            keys: &[("n", ask.t("to a chapter", "跳到一章"))],
            bar: None,
            class: "page",
            main,
        },
    )))
}

fn row(ask: &Ask, book: &BookFrame, card: &ChapterCard, here: &str) -> maud::Markup {
    let l = ask.lang();
    let n = card.chapter.get();
    let href = if card.is_written() {
        book.href(&format!("/chapters/{n}"))
    } else {
        book.href(&format!("/board?chapter={n}"))
    };
    html! {
        tr {
            td class="r num faint" { (n) }
            th scope="row" { a href=(href) { @if card.title.is_empty() { (ask.t("Untitled", "无题")) } @else { (card.title) } } }
            td {
                @if card.pending { (badge(Mark::Wait, ask.t("revision waits", "修订待处理"))) }
                @else if card.edited { (badge(Mark::Edit, ask.t("edited", "改过"))) }
                @else if !card.is_written() { (badge(Mark::Plan, ask.t("planned", "已规划"))) }
                @else {
                    @match card.gate {
                        Some(gate) if card.force_passed => (badge(Mark::Due, &format!("{} {}", gate_word(l, gate), ask.t("(no revision left)", "（修订用尽）")))),
                        Some(gate) => (badge(Mark::Done, gate_word(l, gate))),
                        None => (badge(Mark::Done, ask.t("written", "已写"))),
                    }
                }
            }
            td class="r" { @match card.score { Some(score) => { (format!("{score:.2}")) (whose_score(ask, card.scored_by)) }, None => "—" } }
            td class="r" { @match card.words { Some(words) => (thousands(words)), None => "—" } }
            td class="muted wide-only" { @if let Some(line) = &card.storyline { a href={ (here) "&line=" (line) } { (line) } } }
        }
    }
}
