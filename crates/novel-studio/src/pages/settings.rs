//! Settings: what is in effect and where it comes from, changed one by one; prompts; export. Keys are
//! never shown.

use axum::http::StatusCode;
use maud::{Markup, html};
use novel_app::{
    Setting,
    library::export::{self, ExportFormat, ExportRequest},
    setup::{agents, settings},
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use crate::{
    act::Command,
    ask::Ask,
    assets::assets,
    pages::{act_and_go, model},
    reply::{Fault, Reply},
    view::{BookFrame, Frame, Nav, counts, frame, hidden, key, setting_origin},
};

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    Ok(Reply::Page(sheet(ask, None)?))
}

/// The page; `wrong` says why a change was not even tried.
fn sheet(ask: &Ask, wrong: Option<&str>) -> Result<Markup, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let settings = project.settings()?;
    let agents = agents::list(&project, l)?;
    let written = novel_app::library::overview::overview(&project)?.written;
    let main = html! {
        div class="pagehead" { h1 class="h-page" { (ask.t("Settings", "设置")) } }
        section class="sec" aria-labelledby="mo-h" {
            header { h2 class="h-sec" id="mo-h" { (ask.t("The model that writes", "用来写作的模型")) } a class="end small" href=(book.href("/model")) data-key="m" { (ask.t("Set up", "设置")) " " (key("m")) } }
            div class="after-rule" { (model::in_effect(ask, &project)) }
        }
        section class="sec" aria-labelledby="ex-h" {
            header { h2 class="h-sec" id="ex-h" { (ask.t("Export", "导出")) } span class="end small faint" { (counts(l, written, "chapter", "章")) } }
            p class="acts" {
                @for (format, name) in [("txt", "TXT"), ("md", "Markdown"), ("epub", "EPUB"), ("docx", "DOCX")] {
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
            p class="small faint" { (ask.t("The editor is CodeMirror, under the MIT licence:", "编辑器为 CodeMirror，MIT 许可证：")) " " a href=(assets().notice.href()) { (ask.t("notices", "许可声明")) } }
        }
        section class="sec" aria-labelledby="se-h" {
            header { h2 class="h-sec" id="se-h" { "novel.toml" } span class="end small faint" { (ask.t("comments in the file stay; keys are never in it", "文件中的注释保持不变；密钥不写在这里")) } }
            (change_form(ask, &book, &settings, wrong))
            div class="scroll whole" tabindex="0" role="region" aria-label=(ask.t("Settings", "设置")) {
                table class="tbl" {
                    thead { tr { th scope="col" { (ask.t("key", "键")) } th scope="col" { (ask.t("value", "值")) } th scope="col" { (ask.t("from", "来自")) } } }
                    tbody { @for setting in &settings {
                        tr {
                            th scope="row" { a href={ "?key=" (utf8_percent_encode(&setting.key, NON_ALPHANUMERIC)) "#set" } { code { (setting.key) } } }
                            td { (value(&setting.value)) }
                            td class="muted" { (setting_origin(l, setting.origin)) }
                        }
                    } }
                }
            }
        }
        section class="sec" aria-labelledby="ag-h" {
            header { h2 class="h-sec" id="ag-h" { (ask.t("Prompts of the agents", "智能体的提示词")) } }
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
    Ok(frame(
        ask,
        Frame {
            title: ask.t("Settings", "设置").to_owned(),
            nav: Nav::Settings,
            book: &book,
            command: "novel config".to_owned(),
            keys: &[
                ("m", ask.t("model", "模型")),
                ("n", ask.t("change one", "改一项")),
            ],
            bar: None,
            class: "page stack",
            main,
        },
    ))
}

/// One setting, by its key.
fn change_form(ask: &Ask, book: &BookFrame, known: &[Setting], wrong: Option<&str>) -> Markup {
    let chosen = ask
        .form
        .get("key")
        .or(ask.query.get("key"))
        .unwrap_or_default();
    let now = known.iter().find(|setting| setting.key == chosen);
    let written = now.map(|setting| match &setting.value {
        Value::Null => String::new(),
        other => value(other),
    });
    html! {
        form class="setone" id="set" method="post" action=(book.href("/settings")) autocomplete="off" {
            (hidden(ask))
            @if let Some(wrong) = wrong { p class="flash wait" role="alert" { (wrong) } }
            div class="field" {
                label for="key" { (ask.t("Setting", "设置项")) }
                input class="input" id="key" name="key" list="keys-known" required maxlength="200" spellcheck="false" value=(chosen) data-focus="n";
                datalist id="keys-known" { @for key in settings::keys() { option value=(key) {} } }
            }
            div class="field" {
                label for="value" { (ask.t("Value; a list as in TOML", "值；列表按 TOML 书写")) }
                input class="input" id="value" name="value" maxlength="2000" spellcheck="false" value=[written] autofocus[!chosen.is_empty()];
            }
            div class="acts" {
                button class="btn" name="act" value="set" { (ask.t("Set", "设定")) }
                button class="btn quiet" name="act" value="unset" { (ask.t("Remove: use the default", "去掉，用默认值")) }
            }
        }
    }
}

/// Changes one setting, or takes it out.
pub(crate) fn change(ask: &Ask) -> Result<Reply, Fault> {
    let key = ask.form.filled("key").ok_or(Fault::NotFound)?;
    let value = ask.form.filled("value").unwrap_or_default();
    // After `--` nothing is an option.
    let command = match ask.form.get("act") {
        Some("unset") => Command::new("config unset --").word(key),
        Some("set") => {
            let is_place = match key {
                "llm.key_env" => model::names_a_variable(value),
                "llm.key_file" => model::names_a_file(value),
                _ => true,
            };
            // What is no place of a key may be the key: it goes into no argument.
            if !is_place {
                let page = sheet(
                    ask,
                    Some(ask.t(
                        "That is not a place for a key: a variable's name such as DEEPSEEK_API_KEY, or the full path of a file.",
                        "这不是存放密钥之处：请写变量名（如 DEEPSEEK_API_KEY）或文件的完整路径。",
                    )),
                )?;
                return Ok(Reply::PageWith(StatusCode::UNPROCESSABLE_ENTITY, page));
            }
            Command::new("config set --").word(key).word(value)
        }
        _ => return Err(Fault::NotFound),
    };
    act_and_go(ask, &command, &format!("/b/{}/settings", ask.book()?))
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
        "docx" => (
            ExportFormat::Docx,
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "docx",
        ),
        _ => return Err(Fault::NotFound),
    };
    let mut bytes = Vec::new();
    let request = ExportRequest {
        first: None,
        last: None,
        edits: export::Edits::LeaveOut,
    };
    export::export(&project, format, &request, &mut bytes)?;
    Ok(Reply::File {
        kind,
        name: format!("{}.{ending}", ask.book()?),
        bytes,
    })
}
