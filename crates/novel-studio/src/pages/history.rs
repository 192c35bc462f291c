//! History: every operation, undo and redo.

use maud::html;
use novel_app::history;

use crate::{
    act::Command,
    ask::{Ask, number},
    pages::{act_and_go, desk::target, nothing},
    reply::{Fault, Reply},
    view::{BookFrame, Frame, Mark, Nav, badge, counts, frame, hidden, key, operation_word, when},
};

/// Operations on a page.
const PAGE: usize = 50;

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let count = match ask.query.get("show").and_then(number) {
        Some(count) => usize::try_from(count).unwrap_or(PAGE).clamp(PAGE, 5000),
        None => PAGE,
    };
    let log = history::log(&project, count)?.answer();
    let newest = log
        .operations
        .iter()
        .find(|operation| !operation.undone)
        .map(|operation| operation.operation);
    let undone = log.operations.iter().any(|operation| operation.undone);
    let main = html! {
        div class="pagehead" {
            h1 class="h-page" { (ask.t("History", "历史")) }
            span class="small muted" { (counts(l, log.total, "operation", "次操作")) (ask.t("; nothing is ever deleted", "，任何内容都不会删除")) }
            @if undone {
                form class="end" method="post" action=(book.href("/redo")) { (hidden(ask)) button class="btn" data-key="y" { (ask.t("Redo", "重做")) " " (key("y")) } }
            }
        }
        @if log.operations.is_empty() { (nothing(ask.t("There are no operations yet.", "还没有操作。"))) }
        ol class="rows ops wide" {
            @for operation in &log.operations {
                li {
                    span class="num faint" { (operation.operation) }
                    span {
                        span class="muted" { (operation_word(l, &operation.kind)) } " " (target(l, &operation.target)) " "
                        @if operation.undone { (badge(Mark::None, ask.t("undone", "已撤销"))) }
                        @if operation.open { (badge(Mark::Live, ask.t("under way", "进行中"))) }
                        " " span class="num faint small" { (when(&operation.at)) }
                    }
                    @if Some(operation.operation) == newest {
                        form method="post" action=(book.href("/undo")) {
                            (hidden(ask))
                            input type="hidden" name="operation" value=(operation.operation);
                            button class="btn small" data-key="u" { (ask.t("Undo", "撤销")) " " (key("u")) }
                        }
                    } @else { span {} }
                }
            }
        }
        @if log.total > log.operations.len() { p { a class="btn quiet" href={ "?show=" (count * 4) } { (ask.t("Older ones", "更早的")) } } }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: ask.t("History", "历史").to_owned(),
            nav: Nav::History,
            book: &book,
            command: newest.map_or_else(
                || "novel log".to_owned(),
                |number| format!("novel undo {number}"),
            ),
            keys: &[("u", ask.t("undo", "撤销")), ("y", ask.t("redo", "重做"))],
            bar: None,
            class: "page",
            main,
        },
    )))
}

/// Takes an operation back: the one the button named, so that a second press does nothing more.
pub(crate) fn undo(ask: &Ask) -> Result<Reply, Fault> {
    let operation = ask
        .form
        .get("operation")
        .and_then(number)
        .ok_or(Fault::NotFound)?;
    let command = Command::new(&format!("undo {operation}"));
    act_and_go(ask, &command, &format!("/b/{}/history", ask.book()?))
}

/// Brings back what was taken back last.
pub(crate) fn redo(ask: &Ask) -> Result<Reply, Fault> {
    act_and_go(
        ask,
        &Command::new("redo"),
        &format!("/b/{}/history", ask.book()?),
    )
}
