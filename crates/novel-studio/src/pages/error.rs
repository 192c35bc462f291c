//! Errors: what happened, what is safe, what to do, the raw answer.

use axum::http::StatusCode;
use maud::{Markup, html};
use novel_app::Project;
use novel_contract::ErrorAnswer;
use novel_model::Kind;

use crate::{
    act::Command,
    ask::Ask,
    reply::{Fault, Reply},
    view::{BookFrame, Frame, Mark, Nav, badge, bare, frame, key},
};

/// The page of a fault.
pub(crate) fn page(ask: &Ask, fault: &Fault) -> Reply {
    match fault {
        Fault::NotFound => {
            let main = html! {
                h1 { (ask.t("There is nothing here", "此处没有内容")) }
                p class="lead" { (ask.t("No page has this address.", "没有这个地址的页面。")) }
                p { a class="btn" href="/" { (ask.t("To the shelf", "回到书架")) } }
            };
            let title = ask.t("Not found", "未找到");
            Reply::PageWith(StatusCode::NOT_FOUND, bare(ask, title, "page center", main))
        }
        Fault::Failure(failure) => {
            let error = failure.explain();
            let status = match error.kind() {
                Kind::Input => StatusCode::UNPROCESSABLE_ENTITY,
                Kind::Gate => StatusCode::CONFLICT,
                Kind::Locked => StatusCode::LOCKED,
                Kind::Provider => StatusCode::BAD_GATEWAY,
                Kind::Internal | Kind::Interrupted => StatusCode::INTERNAL_SERVER_ERROR,
            };
            let answer = ErrorAnswer::new(error, ask.lang());
            Reply::PageWith(status, shown(ask, &answer, None))
        }
    }
}

/// The page of an act that was refused.
pub(crate) fn refused(ask: &Ask, command: &Command, answer: &ErrorAnswer) -> Reply {
    Reply::PageWith(StatusCode::CONFLICT, shown(ask, answer, Some(command)))
}

fn shown(ask: &Ask, answer: &ErrorAnswer, command: Option<&Command>) -> Markup {
    let back = ask
        .book()
        .map_or_else(|_| "/".to_owned(), |book| format!("/b/{book}"));
    let title = match (command, answer.details.problems.is_empty()) {
        (Some(_), _) => ask.t("Not done", "没有执行"),
        (None, false) => ask.t("A file cannot be read", "有文件无法读取"),
        (None, true) => ask.t("This page cannot be shown", "此页无法显示"),
    };
    let raw = serde_json::to_string_pretty(answer).unwrap_or_default();
    let main = html! {
        div {
            p class="eyebrow" { (badge(Mark::Wait, ask.t("Needs your attention", "需要你处理"))) " · " code { (answer.code) } }
            h1 { (title) }
        }
        p class="lead" { (answer.message) }
        div class="errbox" {
            @if !answer.details.problems.is_empty() {
                section {
                    h2 { (ask.t("Where", "位置")) }
                    ul class="rows small" {
                        @for problem in answer.details.problems.iter().take(20) {
                            li {
                                span { code {
                                    (problem.path)
                                    @if let Some(line) = problem.line { ":" (line) }
                                    @if let Some(column) = problem.column { ":" (column) }
                                    @if let Some(pointer) = &problem.pointer { "#" (pointer) }
                                } " " (problem.message) }
                                @if let Some(hint) = &problem.hint { span class="muted" { (hint) } }
                            }
                        }
                    }
                }
            }
            section {
                h2 { (ask.t("The book is unchanged", "作品没有变化")) }
                p {
                    @if command.is_some() {
                        (ask.t("The request was refused before anything was written.", "操作在写入任何内容之前被拒绝。"))
                    } @else {
                        (ask.t("This page only reads; nothing was written.", "此页只读取，没有写入任何内容。"))
                    }
                }
            }
            section {
                h2 { (ask.t("What you can do", "可以这样做")) }
                @if let Some(hint) = &answer.hint { p { (hint) } }
                div class="acts" {
                    a class="btn primary" href=(back) { (ask.t("To the desk", "回到书桌")) }
                    @if ask.book().is_ok() {
                        a class="btn" href={ (back) "/checks" } { (ask.t("Examine the book", "检查作品")) " " code { "novel doctor" } }
                        a class="btn quiet" href={ (back) "/history" } { (ask.t("History", "历史")) }
                    }
                    a class="btn quiet" href="" data-key="r" { (ask.t("Repaired: try again", "已修好，重试")) " " (key("r")) }
                }
            }
            details {
                summary class="textlink small" { (ask.t("The raw error (no prose, no keys)", "原始错误信息（不含正文与密钥）")) }
                pre class="raw" tabindex="0" { (raw) }
            }
        }
    };
    let typed = command.map_or_else(|| "novel doctor".to_owned(), Command::typed);
    match ask.book() {
        Ok(id) => {
            let known = ask.project().ok();
            let book = BookFrame {
                id: id.to_owned(),
                title: known
                    .as_ref()
                    .and_then(|project: &Project| project.config().title.clone())
                    .unwrap_or_else(|| id.to_owned()),
                waits: None,
                waiting: Vec::new(),
                lang: ask.lang(),
            };
            frame(
                ask,
                Frame {
                    title: title.to_owned(),
                    nav: Nav::Desk,
                    book: &book,
                    command: typed,
                    keys: &[("r", ask.t("try again", "重试"))],
                    bar: None,
                    class: "page center",
                    main,
                },
            )
        }
        Err(_) => bare(ask, title, "page center", main),
    }
}
