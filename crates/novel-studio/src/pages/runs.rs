//! Runs: start one as a process of its own, watch it, stop it.

use maud::{Markup, html};
use novel_app::{Project, history, library::status};
use novel_contract::care::Lock;
use novel_model::{ChapterNo, message};

use crate::{
    act::{self, Command, Place},
    ask::{Ask, number},
    pages::{desk::target, nothing},
    reply::{Fault, Reply},
    view::{
        BookFrame, Frame, Mark, Nav, badge, badge_filled, frame, hidden, key, operation_word, when,
    },
};

/// Who holds the book, on the desk.
pub(crate) fn on_the_desk(ask: &Ask, book: &BookFrame, project: &Project) -> Result<Markup, Fault> {
    let lock = status::status(project)?.answer(ask.lang()).lock;
    Ok(html! {
        section class="sec" aria-labelledby="r-h" {
            header {
                h2 class="h-sec" id="r-h" { (ask.t("Run", "运行")) }
                (lock_badge(ask, &lock))
                a class="end small" href=(book.href("/runs")) { (ask.t("Open", "打开")) }
            }
        }
    })
}

fn lock_badge(ask: &Ask, lock: &Lock) -> Markup {
    match lock {
        Lock::Free => badge(Mark::None, ask.t("nothing runs", "没有运行")),
        Lock::Held { holder } => {
            let age = holder.age_seconds.max(0);
            badge(
                Mark::Live,
                message!(en: "running · heard from {age} s ago", zh: "运行中 · {age} 秒前有动静")
                    .get(ask.lang()),
            )
        }
        Lock::Stale { reason, .. } | Lock::Damaged { reason } => badge(Mark::Fail, reason),
    }
}

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let status = status::status(&project)?.answer(l);
    let running = matches!(status.lock, Lock::Held { .. });
    let next = status.progress.last_completed_chapter + 1;
    let end = status
        .progress
        .volume_chapters
        .map_or(next, |(_, last)| last.get())
        .max(next);
    let log = history::log(&project, 20)?.answer();
    let main = html! {
        div class="pagehead" {
            h1 class="h-page" { (ask.t("Runs", "运行")) }
            @match &status.lock {
                Lock::Held { holder } => (badge_filled(Mark::Live, message!(en: "running · heard from {} s ago", zh: "运行中 · {} 秒前有动静", holder.age_seconds.max(0)).get(l))),
                other => (lock_badge(ask, other)),
            }
            @if running {
                form class="end" method="post" action=(book.href("/stop")) { (hidden(ask)) button class="btn" data-key="s" { (ask.t("Stop after this step", "做完这一步就停")) " " (key("s")) } }
            }
        }
        div class="rungrid" {
            div {
                @if !running {
                    form class="card field" method="post" action=(book.href("/runs")) {
                        (hidden(ask))
                        h2 class="h-sec" { (ask.t("Start a run", "开始运行")) }
                        label for="to" { (ask.t("Write to chapter", "写到第几章")) }
                        input class="input" id="to" name="to" type="number" min=(next) max="9999" value=(end) required;
                        p class="small muted" { (ask.t("It stops where a gate, a trial or a plan waits for you. Close the page: the run goes on.", "遇到把关、试写或规划需要你发话时会停下。关掉页面，运行照常继续。")) }
                        div class="acts" { button class="btn primary" { (ask.t("Start", "开始")) } }
                    }
                } @else {
                    p class="muted" { (ask.t("A process works on the book. Close this page: it goes on.", "有进程正在写这本书。关掉页面，它照常继续。")) }
                }
            }
            aside aria-label=(ask.t("Operations", "操作")) {
                section class="sec" aria-labelledby="ev-h" {
                    header { h2 class="h-sec" id="ev-h" { (ask.t("What was done", "做了什么")) } a class="end small" href=(book.href("/history")) { (ask.t("All", "全部")) } }
                    @if log.operations.is_empty() { (nothing(ask.t("Nothing yet.", "还没有。"))) }
                    ol class="rows ops" data-refresh="ops" {
                        @for operation in &log.operations {
                            li { span class="num faint" { (operation.operation) } span { (operation_word(l, &operation.kind)) " " (target(l, &operation.target)) } span class="num faint" { (when(&operation.at)) } }
                        }
                    }
                }
            }
        }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: ask.t("Runs", "运行").to_owned(),
            nav: Nav::Runs,
            book: &book,
            command: format!("novel run --to {end}"),
            keys: &[("s", ask.t("stop", "停下"))],
            bar: None,
            class: "page",
            main,
        },
    )))
}

/// Starts a run to a chapter.
pub(crate) fn start(ask: &Ask) -> Result<Reply, Fault> {
    let to = ask
        .form
        .get("to")
        .and_then(number)
        .and_then(ChapterNo::new)
        .ok_or(Fault::NotFound)?;
    launch(ask, &Command::new(&format!("run --to {}", to.get())))
}

/// Starts a command that goes on by itself.
pub(crate) fn launch(ask: &Ask, command: &Command) -> Result<Reply, Fault> {
    let root = ask
        .studio
        .books()
        .root(ask.book()?)
        .ok_or(Fault::NotFound)?;
    act::launch(&ask.studio, Place::Book(&root), ask.lang(), command)?;
    Ok(Reply::Go(format!("/b/{}/runs?note=busy", ask.book()?)))
}
