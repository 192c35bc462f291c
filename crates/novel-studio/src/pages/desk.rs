//! The desk: the one recommended thing, what waits, the run, the last operations.

use maud::{Markup, html};
use novel_app::{
    Project,
    executor::ExecutorKind,
    history,
    library::{
        overview::{self, ChapterCard, Overview, VolumeCard},
        status,
    },
    setup::start,
};
use novel_contract::setup::StartAnswer;
use novel_model::{ChapterNo, Lang, files::ScoredBy, layout, message};

use crate::{
    ask::Ask,
    live::Live,
    pages::{chapter::whose_score, decisions, runs},
    reply::{Fault, Reply},
    view::{
        BookFrame, Frame, Mark, Nav, badge, frame, hidden, key, mark, marked, money,
        operation_word, thousands,
    },
    waits::Wait,
};

/// Chapters the spine has at most.
const SPINE: u32 = 60;
/// Operations on the desk.
const OPERATIONS: usize = 5;

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let status = status::status(&project)?.answer(l);
    let over = overview::overview(&project)?;
    let waiting = &book.waiting;
    let offered = start::start(&project).ok().map(|offered| offered.answer(l));
    let log = history::log(&project, OPERATIONS)?.answer();
    let progress = &status.progress;
    let volume = over
        .volumes
        .iter()
        .find(|volume| volume.number == over.current);
    let planned = over.volumes.last().map(|volume| volume.last.get());
    // The first one is the card, if it needs the author's word.
    let first = usize::from(waiting.first().is_some_and(Wait::needs_the_author));
    let command = match waiting.first() {
        Some(wait) if first > 0 => wait.command(),
        _ => status.next.command.clone(),
    };
    let undo = ("u", ask.t("undo", "撤销"));
    let choose = ("2 3", ask.t("choose", "选一项"));
    let waits_keys = [("↵", ask.t("open", "打开")), choose, undo];
    let calm_keys = [("a", ask.t("go on", "继续")), undo];
    let main = html! {
        header class="bookhead" {
            div {
                p class="eyebrow" { (volume_name(l, volume, over.current.get())) }
                h1 { (book.title) }
            }
            dl class="facts" {
                div { dt { (ask.t("Chapters", "章")) } dd { (over.written) @if let Some(planned) = planned { span class="faint" { " / " (planned) } } } }
                div { dt { (ask.t("Words", "字")) } dd { (thousands(progress.total_words)) } }
                div { dt { (ask.t("Mean score", "均分")) } dd { @match progress.mean_score { Some(score) => { (format!("{score:.2}")) @if !progress.offline_scores.is_empty() { (whose_score(ask, Some(ScoredBy::OfflineAuthor))) } }, None => "—" } } }
                div { dt { (ask.t("Open threads", "未回收伏笔")) } dd { (status.foreshadowing.open) } }
                div { dt { (ask.t("Spent", "已花")) } dd { (money(progress.cost_usd)) } }
            }
        }
        (spine(ask, &project, &over)?)
        div class="desk" {
            div {
                (next_card(ask, &book, waiting, offered.as_ref(), &project)?)
                @if waiting.len() > first {
                    section class="sec" aria-labelledby="w-h" {
                        header { h2 class="h-sec" id="w-h" {
                            @let more = waiting.len() - first;
                            @if first > 0 { (message!(en: "{more} more wait for you", zh: "另有 {more} 件等你").get(l)) }
                            @else { (ask.t("To keep in mind", "别忘了")) }
                        } }
                        ul class="rows waits" {
                            @for (index, wait) in waiting.iter().enumerate().skip(first) {
                                li {
                                    (mark(wait.mark()))
                                    div {
                                        a class="what" href=(decisions::href(&book, wait)) data-key=[(index < 9).then(|| (index + 1).to_string())] { (wait.headline(l)) }
                                        p class="why" { span class="vh" { (wait.kind(l)) ". " } (wait.why(l)) }
                                    }
                                    span class="small muted" { @if index < 9 { (key(&(index + 1).to_string())) } }
                                }
                            }
                        }
                    }
                }
            }
            div {
                (runs::on_the_desk(ask, &book, &project)?)
                section class="sec" aria-labelledby="o-h" {
                    header {
                        h2 class="h-sec" id="o-h" { (ask.t("Last operations", "最近的操作")) }
                        a class="end small" href=(book.href("/history")) { (ask.t("All", "全部")) " " (log.total) }
                    }
                    ol class="rows ops" {
                        @for (index, operation) in log.operations.iter().enumerate() {
                            li {
                                span class="num faint" { (operation.operation) }
                                span { span class="muted" { (operation_word(l, &operation.kind)) } " " (target(l, &operation.target)) @if operation.undone { " " span class="faint" { (ask.t("(undone)", "（已撤销）")) } } }
                                @if index == 0 && !operation.undone {
                                    form method="post" action=(book.href("/undo")) {
                                        (hidden(ask))
                                        input type="hidden" name="operation" value=(operation.operation);
                                        button class="btn small" data-key="u" { (ask.t("Undo", "撤销")) " " (key("u")) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: ask.t("Desk", "书桌").to_owned(),
            nav: Nav::Desk,
            book: &book,
            command,
            keys: if first > 0 { &waits_keys } else { &calm_keys },
            bar: None,
            class: "page",
            main,
        },
    )))
}

/// `第二卷 · 药圃的钟声`.
pub(crate) fn volume_name(lang: Lang, volume: Option<&VolumeCard>, number: u32) -> String {
    match volume.map(|volume| volume.title.trim()) {
        Some(title) if !title.is_empty() => title.to_owned(),
        _ => message!(en: "Volume {number}", zh: "第 {number} 卷")
            .get(lang)
            .to_owned(),
    }
}

/// What an operation was about, in words.
pub(crate) fn target(lang: Lang, target: &str) -> String {
    let number = |prefix: &str| {
        target
            .strip_prefix(prefix)
            .and_then(|digits| digits.parse::<u32>().ok())
    };
    if let Some(n) = number("chapter-") {
        return message!(en: "chapter {n}", zh: "第 {n} 章")
            .get(lang)
            .to_owned();
    }
    if let Some(n) = number("volume-").or_else(|| number("vol-")) {
        return message!(en: "volume {n}", zh: "第 {n} 卷")
            .get(lang)
            .to_owned();
    }
    target.to_owned()
}

fn next_card(
    ask: &Ask,
    book: &BookFrame,
    waiting: &[Wait],
    offered: Option<&StartAnswer>,
    project: &Project,
) -> Result<Markup, Fault> {
    let l = ask.lang();
    if let Some(wait) = waiting.first().filter(|wait| wait.needs_the_author()) {
        let quote = decisions::first_quotation(project, wait);
        return Ok(html! {
            section class="next" aria-labelledby="next-h" {
                p { (badge(wait.mark(), &format!("{} · {}", ask.t("Next", "下一步"), match wait { Wait::Revision(_) | Wait::Gate(_) => ask.t("waits for you", "等你处理"), _ => wait.kind(l) }))) }
                h2 id="next-h" { @match wait { Wait::Revision(found) if !wait.why(l).is_empty() => { (crate::view::chapter_name(l, found.chapter_number)) (ask.t(": ", "：")) (wait.why(l)) }, _ => (wait.headline(l)) } }
                @if let Some((text, focus)) = &quote { blockquote class="serif" lang=(crate::view::tag(book.lang)) { (marked(text, focus.as_deref())) } }
                @else if !matches!(wait, Wait::Revision(_)) { p class="small muted" { (wait.why(l)) } }
                div class="acts" {
                    a class="btn primary" href=(decisions::href(book, wait)) data-key="Enter" { (ask.t("Open the decision", "打开这项决定")) " " (key("↵")) }
                    @if let Some(chapter) = wait.chapter() {
                        a class="btn quiet" href=(book.href(&format!("/chapters/{}", chapter.get()))) { (ask.t("Read the chapter first", "先读这一章")) }
                    }
                }
            }
        });
    }
    Ok(html! {
        section class="next calm" aria-labelledby="next-h" {
            p { (badge(Mark::Plan, ask.t("Next · nothing waits for you", "下一步 · 待你处理：无"))) }
            @if let Some(offered) = offered {
                h2 id="next-h" { (offered.headline) }
                (decisions::choices(ask, book, offered))
                @if project.config().executor == ExecutorKind::Offline {
                    p class="small muted" { (ask.t("The offline author writes; it is not a language model.", "执笔的是离线作者，不是语言模型。")) " " a href=(book.href("/model")) { (ask.t("Set up a model", "设置模型")) } }
                }
            } @else {
                h2 id="next-h" { (ask.t("The book is complete as planned", "已按规划写完")) }
            }
        }
    })
}

/// Bars: a chapter each, its length as height.
fn spine(ask: &Ask, project: &Project, over: &Overview) -> Result<Markup, Fault> {
    let Some(newest) = over.volumes.last() else {
        return Ok(html! {});
    };
    let last = newest.last.get();
    let first = over
        .volumes
        .iter()
        .map(|volume| volume.first.get())
        .find(|first| last - first < SPINE)
        .unwrap_or(last.saturating_sub(SPINE - 1).max(1));
    let (Some(from), Some(to)) = (ChapterNo::new(first), ChapterNo::new(last)) else {
        return Ok(html! {});
    };
    let cards = overview::chapters(project, from, to)?;
    let longest = cards
        .iter()
        .filter_map(|card| card.words)
        .max()
        .unwrap_or(1)
        .max(1);
    let written = cards.iter().filter(|card| card.is_written()).count();
    let label = message!(
        en: "{} chapters shown, {written} written", zh: "显示 {} 章，已写 {written} 章", cards.len()
    );
    Ok(html! {
        figure class="spine" {
            (bars(ask, over, &cards, longest, label.get(ask.lang()), 1200.0, "only-wide"))
            (bars(ask, over, &cards, longest, label.get(ask.lang()), 358.0, "only-narrow"))
        }
    })
}

fn bars(
    ask: &Ask,
    over: &Overview,
    cards: &[ChapterCard],
    longest: u64,
    label: &str,
    width: f64,
    class: &str,
) -> Markup {
    let count = f64::from(u32::try_from(cards.len()).unwrap_or(u32::MAX)).max(1.0);
    // A short book has a short spine.
    let step = (width / count).min(if width > 500.0 { 56.0 } else { 30.0 });
    let wide = step * 0.6;
    let at = |place: f64| format!("{place:.1}");
    let mut volumes: Vec<(u32, usize, usize)> = Vec::new();
    for (index, card) in cards.iter().enumerate() {
        let number = over
            .volume_of(card.chapter)
            .map_or(0, |volume| volume.number.get());
        match volumes.last_mut() {
            Some((known, _, last)) if *known == number => *last = index,
            _ => volumes.push((number, index, index)),
        }
    }
    let l = ask.lang();
    html! {
        svg class=(class) viewBox={ "0 0 " (width) " 78" } role="img" aria-label=(label) {
            @for (number, first, last) in &volumes {
                @let from = f(*first) * step + 2.0;
                @let to = f(*last + 1) * step - 2.0;
                line class="base" x1=(at(from)) x2=(at(to)) y1="59" y2="59" {}
                text x=(at(from)) y="75" { (message!(en: "Volume {number}", zh: "第 {number} 卷").get(l)) }
                @if to - from > 120.0 { text x=(at(to)) y="75" text-anchor="end" { (cards[*first].chapter.get()) "–" (cards[*last].chapter.get()) } }
            }
            @for (index, card) in cards.iter().enumerate() {
                @let x = f(index) * step + (step - wide) / 2.0;
                @let share = card.words.map(|words| share(words, longest));
                @match share {
                    Some(share) => {
                        @let high = 10.0 + 32.0 * share;
                        @let kind = if card.pending { "x" } else if card.edited { "e" } else { "w" };
                        rect class=(kind) x=(at(x)) y=(at(56.0 - high)) width=(at(wide)) height=(at(high)) rx="1" {}
                        @if card.pending { rect class="x" x=(at(x + wide / 2.0 - 4.0)) y=(at(46.0 - high)) width="8" height="8" rx="1.5" {} }
                        @else if card.edited { path class="e" d={ "M" (at(x + wide / 2.0)) " " (at(45.0 - high)) "l5 5-5 5-5-5z" } {} }
                    }
                    None => rect class="p" x=(at(x)) y="36" width=(at(wide)) height="20" rx="1" {},
                }
            }
        }
    }
}

fn f(index: usize) -> f64 {
    f64::from(u32::try_from(index).unwrap_or(u32::MAX))
}

fn share(words: u64, longest: u64) -> f64 {
    let clamp = |number: u64| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    clamp(words) / clamp(longest)
}

/// One event whenever the book changes.
pub(crate) fn live(ask: &Ask) -> Result<Reply, Fault> {
    let root = ask
        .studio
        .books()
        .root(ask.book()?)
        .ok_or(Fault::NotFound)?;
    let places = [
        layout::checkpoint(),
        layout::operations(),
        layout::waivers(),
        layout::config(),
    ];
    Ok(Reply::Live(Live::Changes {
        files: places.iter().map(|path| root.join(path.as_str())).collect(),
    }))
}
