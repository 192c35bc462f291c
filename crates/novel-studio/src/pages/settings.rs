//! Settings: what is in effect and where it comes from; prompts; export. Keys are never shown.

use maud::html;
use novel_app::{
    library::export::{self, ExportFormat, ExportRequest},
    setup::agents,
};
use novel_model::message;
use serde_json::Value;

use crate::{
    ask::Ask,
    reply::{Fault, Reply},
    view::{BookFrame, Frame, Nav, frame, setting_origin},
};

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let settings = project.settings()?;
    let agents = agents::list(&project, l)?;
    let written = novel_app::library::overview::overview(&project)?.written;
    let main = html! {
        div class="pagehead" { h1 class="h-page" { (ask.t("Settings", "设置")) } }
        section class="sec" aria-labelledby="ex-h" {
            header { h2 class="h-sec" id="ex-h" { (ask.t("Take the book out", "导出")) } span class="end small faint" { (message!(en: "{written} chapters", zh: "{written} 章").get(l)) } }
            p class="acts" {
                @for (format, name) in [("txt", "TXT"), ("md", "Markdown"), ("epub", "EPUB")] {
                    a class="btn" href=(book.href(&format!("/export/{format}"))) title={ "novel export --format " (format) } download { (name) }
                }
            }
        }
        section class="sec" aria-labelledby="yo-h" {
            header { h2 class="h-sec" id="yo-h" { (ask.t("This browser", "本浏览器")) } }
            p class="acts" {
                a class="btn" href="?lang=zh" lang="zh-CN" { "中文" } a class="btn" href="?lang=en" lang="en" { "English" }
                a class="btn" href="?theme=light" { (ask.t("Light", "浅色")) } a class="btn" href="?theme=dark" { (ask.t("Dark", "深色")) }
                @if ask.visitor.keys { a class="btn" href="?keys=off" { (ask.t("Turn single keys off", "关闭单键快捷")) } }
                @else { a class="btn" href="?keys=on" { (ask.t("Turn single keys on", "打开单键快捷")) } }
            }
        }
        section class="sec" aria-labelledby="se-h" {
            header { h2 class="h-sec" id="se-h" { "novel.toml" } span class="end small faint" { (ask.t("edit the file to change a setting; keys stay in the environment", "修改设置请编辑该文件；密钥只放在环境变量里")) } }
            div class="scroll whole" tabindex="0" role="region" aria-label=(ask.t("Settings", "设置")) {
                table class="tbl" {
                    thead { tr { th scope="col" { (ask.t("key", "键")) } th scope="col" { (ask.t("value", "值")) } th scope="col" { (ask.t("from", "来自")) } } }
                    tbody { @for setting in &settings {
                        tr {
                            th scope="row" { code { (setting.key) } }
                            td { (value(&setting.value)) }
                            td class="muted" { (setting_origin(l, setting.origin)) }
                        }
                    } }
                }
            }
        }
        section class="sec" aria-labelledby="ag-h" {
            header { h2 class="h-sec" id="ag-h" { (ask.t("Prompts of the agents", "各环节提示词")) } }
            ul class="rows small" {
                @for agent in &agents {
                    li {
                        span { code { (agent.name) } " v" (agent.version) " · " (agent.description) }
                        span class="muted" { @match &agent.path { Some(path) => code { (path) }, None => (ask.t("built in", "内置")) } }
                    }
                }
            }
        }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: ask.t("Settings", "设置").to_owned(),
            nav: Nav::Settings,
            book: &book,
            command: "novel config".to_owned(),
            keys: &[],
            bar: None,
            class: "page stack",
            main,
        },
    )))
}

fn value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "—".to_owned(),
        other => other.to_string(),
    }
}

/// The book as a file.
pub(crate) fn export(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let (format, kind, ending) = match ask.part("format")? {
        "txt" => (ExportFormat::Txt, "text/plain; charset=utf-8", "txt"),
        "md" => (ExportFormat::Md, "text/markdown; charset=utf-8", "md"),
        "epub" => (ExportFormat::Epub, "application/epub+zip", "epub"),
        _ => return Err(Fault::NotFound),
    };
    let mut bytes = Vec::new();
    let request = ExportRequest {
        first: None,
        last: None,
    };
    export::export(&project, format, &request, &mut bytes)?;
    Ok(Reply::File {
        kind,
        name: format!("{}.{ending}", ask.book()?),
        bytes,
    })
}
