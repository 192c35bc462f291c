//! The outline of the chapters that are not begun, edited as Markdown: it becomes the plan that waits for
//! approval, as `novel import --outline` makes it.

use axum::http::StatusCode;
use maud::{Markup, html};
use novel_app::{library::overview, setup::outline};
use novel_contract::ErrorAnswer;
use novel_model::message;

use crate::{
    act::{self, Command, Input, Outcome, Place},
    ask::Ask,
    pages::{error, newest_operation, nothing},
    reply::{Fault, Reply},
    view::{BookFrame, Frame, Mark, Nav, badge, frame, hidden, key, side_by_side, tag},
};

/// What the visitor sent, and why it is not the plan.
enum Sent<'a> {
    /// The outline has changed since the page was shown.
    Overtaken { text: &'a str },
    /// The outline has lines that the program cannot take as a plan.
    Refused {
        text: &'a str,
        answer: &'a ErrorAnswer,
    },
}

fn command() -> Command {
    Command::new("import").option("--outline", "-")
}

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    Ok(Reply::Page(sheet(ask, None)?))
}

fn sheet(ask: &Ask, sent: Option<&Sent<'_>>) -> Result<Markup, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let shown = outline::editable(&project)?;
    let main = html! {
        div class="pagehead" {
            div {
                p class="eyebrow" { a href=(book.href("/board")) { (ask.t("Board", "故事板")) } }
                h1 class="h-page" { (ask.t("The outline of chapters not begun", "未动笔部分的大纲")) }
            }
        }
        @match &shown {
            None => (nothing(ask.t("No chapter of this volume is planned and not begun.", "本卷没有已规划而未动笔的章节。"))),
            Some(shown) => {
                @match sent {
                    Some(Sent::Overtaken { text }) => {
                        p role="alert" { (badge(Mark::Wait, ask.t("Changed elsewhere meanwhile", "期间另有改动"))) " " (ask.t("Nothing was written. Join the two in the field, then send it again.", "没有写入。请在文本框里合并两份，再提交。")) }
                        (side_by_side(book.lang, &[(ask.t("The outline now", "大纲现状"), &shown.markdown), (ask.t("Yours", "你的改动"), text)]))
                    }
                    Some(Sent::Refused { answer, .. }) => (problems(ask, answer)),
                    None => {}
                }
                form class="card field" method="post" action=(book.href("/outline")) {
                    (hidden(ask))
                    input type="hidden" name="base" value=(shown.hash);
                    label for="outline" { (ask.t("One block for each chapter, as in outline.md", "每章一段，格式同 outline.md")) }
                    textarea class="input merge" id="outline" name="text" rows="24" lang=(tag(book.lang)) spellcheck="false" autocomplete="off" data-focus="n" {
                        @match sent { Some(Sent::Overtaken { text } | Sent::Refused { text, .. }) => (text), None => (shown.markdown) }
                    }
                    p class="small muted" { (ask.t("It becomes a plan that waits for your approval; until then nothing of the book changes. A chapter whose block you leave as it is keeps its goals; the contract of one you change is rebuilt from its block.", "提交后成为等你批准的规划，批准之前作品不变。未改动的章保留原有目标；改动过的章按新内容重立契约。")) }
                    div class="acts" {
                        button class="btn primary" { (ask.t("Make it the plan", "作为规划提交")) " " span class="price" { (ask.t("free", "免费")) } }
                        a class="btn" href=(book.href("/board")) data-key="b" { (ask.t("Back", "返回")) " " (key("b")) }
                    }
                }
            }
        }
    };
    Ok(frame(
        ask,
        Frame {
            title: ask.t("Outline", "大纲").to_owned(),
            nav: Nav::Board,
            book: &book,
            command: "novel import --outline FILE".to_owned(),
            keys: &[("n", ask.t("to the text", "到文本框"))],
            bar: None,
            class: "page stack",
            main,
        },
    ))
}

/// What does not fit, line by line.
fn problems(ask: &Ask, answer: &ErrorAnswer) -> Markup {
    html! {
        section class="sec" role="alert" {
            header { h2 class="h-sec" { (badge(Mark::Wait, &answer.message)) " · " code { (answer.code) } } }
            ul class="rows small" {
                @for problem in answer.details.problems.iter().take(20) {
                    li {
                        span {
                            @if let Some(line) = problem.line { (message!(en: "line {line}: ", zh: "第 {line} 行：").get(ask.lang())) }
                            (problem.message)
                        }
                        @if let Some(hint) = &problem.hint { span class="muted" { (hint) } }
                    }
                }
            }
        }
    }
}

/// Makes the outline the plan that waits, if the one in the book is still what the page showed.
pub(crate) fn take(ask: &Ask) -> Result<Reply, Fault> {
    let (Some(base), Some(text)) = (ask.form.get("base"), ask.form.get("text")) else {
        return Err(Fault::NotFound);
    };
    let project = ask.project()?;
    let shown = outline::editable(&project)?.ok_or(Fault::NotFound)?;
    if shown.hash.as_str() != base {
        let page = sheet(ask, Some(&Sent::Overtaken { text }))?;
        return Ok(Reply::PageWith(StatusCode::CONFLICT, page));
    }
    let root = ask
        .studio
        .books()
        .root(ask.book()?)
        .ok_or(Fault::NotFound)?;
    let (place, command) = (Place::Book(&root), command());
    match act::perform(&ask.studio, place, ask.lang(), &command, Input::Text(text))? {
        Outcome::Done(_) => {
            let project = ask.project()?;
            let volume = overview::overview(&project)?.current.get();
            let done =
                newest_operation(&project).map_or_else(String::new, |n| format!("&after={n}"));
            let book = ask.book()?;
            Ok(Reply::Go(format!(
                "/b/{book}/board?volume={volume}&plan=waiting{done}"
            )))
        }
        Outcome::Refused(answer) if answer.code == "OUTLINE_DOES_NOT_FIT" => {
            let page = sheet(
                ask,
                Some(&Sent::Refused {
                    text,
                    answer: &answer,
                }),
            )?;
            Ok(Reply::PageWith(StatusCode::UNPROCESSABLE_ENTITY, page))
        }
        Outcome::Refused(answer) => Ok(error::refused(ask, &command, &answer)),
    }
}
