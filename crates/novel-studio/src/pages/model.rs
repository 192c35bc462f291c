//! The model that writes: what `novel setup` does, as a form. A key that is typed goes to the process by
//! a pipe; it is in no address, no argument and no page.

use axum::http::StatusCode;
use maud::{Markup, html};
use novel_app::{
    Project,
    executor::ExecutorKind,
    setup::model::{self, KeyPlace, PRESETS},
};
use novel_contract::setup::{SetupAnswer, StructuredAnswers};
use novel_model::message;

use crate::{
    act::{self, Command, Input, Outcome, Place},
    ask::Ask,
    pages::{error, newest_operation},
    reply::{Fault, Reply},
    view::{
        BookFrame, Frame, Mark, Nav, badge, badge_filled, frame, hidden, key, money, thousands,
        undo_bar,
    },
};

/// Where the key is, as the form names it.
const PLACES: [&str; 4] = ["usual", "variable", "file", "typed"];

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    Ok(Reply::Page(sheet(ask, &project, None)?))
}

/// What is in effect now, in words.
pub(crate) fn in_effect(ask: &Ask, project: &Project) -> Markup {
    let config = project.config();
    let l = ask.lang();
    match config.executor {
        ExecutorKind::Offline => html! {
            (badge(Mark::Plan, ask.t("offline author", "离线作者"))) " "
            span class="muted" { (ask.t("not a language model: it shows how the program works", "不是语言模型，只展示程序如何工作")) }
        },
        ExecutorKind::Command => html! {
            (badge(Mark::Done, ask.t("your own program", "自己的程序"))) " "
            code { (config.command.program.join(" ")) }
        },
        ExecutorKind::Llm => {
            let choice = model::current(project);
            html! {
                @if let Some(choice) = &choice { dl class="kv" {
                    dt { (ask.t("model", "模型")) }
                    dd { @if choice.model.is_empty() { (ask.t("none", "未指定")) } @else { strong { (choice.model) } } }
                    dt { (ask.t("server", "服务器")) } dd { code { (choice.base_url) } }
                    dt { (ask.t("key", "密钥")) }
                    dd { @match &choice.key {
                        KeyPlace::Variable(name) => {
                            code { (name) } " "
                            @if std::env::var_os(name).is_some_and(|value| !value.is_empty()) { (badge(Mark::Ok, ask.t("is set", "已设置"))) }
                            @else { (badge(Mark::Wait, ask.t("is not set where the Studio was started", "在启动 Studio 的终端里没有设置"))) }
                        },
                        KeyPlace::File(file) => code { (file) },
                        KeyPlace::Nowhere => (ask.t("none; the server is on this machine", "无，服务器在本机")),
                    } }
                    @for (role, model) in config.models.iter().filter(|(role, _)| *role != "default") {
                        dt { code { (role) } } dd { (message!(en: "{model}, its own", zh: "{model}（单独指定）").get(l)) }
                    }
                } }
            }
        }
    }
}

/// The page; `wrong` says what the form lacks. Of a refused form everything but the key comes back.
fn sheet(ask: &Ask, project: &Project, wrong: Option<&str>) -> Result<Markup, Fault> {
    let book = BookFrame::load(ask, project)?;
    let was = |name: &str| ask.form.get(name).unwrap_or_default().to_owned();
    let place = ask.form.get("place").unwrap_or("usual");
    let provider = was("provider");
    let main = html! {
        div class="pagehead" {
            h1 class="h-page" { (ask.t("The model that writes", "用来写作的模型")) }
            a class="end small" href=(book.href("/settings")) { (ask.t("All settings", "全部设置")) }
        }
        section class="sec" aria-labelledby="now-h" {
            header { h2 class="h-sec" id="now-h" { (ask.t("Now", "现在")) } }
            div class="after-rule" { (in_effect(ask, project)) }
        }
        form class="card setup" method="post" action=(book.href("/model")) autocomplete="off" {
            (hidden(ask))
            h2 class="h-sec" { (ask.t("Set up", "设置")) }
            @if let Some(wrong) = wrong { p class="flash wait" role="alert" { (wrong) } }
            div class="pair" {
                div class="field" {
                    label for="provider" { (ask.t("Who provides it", "由谁提供")) }
                    select class="input" id="provider" name="provider" data-focus="n" {
                        @for preset in PRESETS {
                            option value=(preset.name) selected[preset.name == provider] {
                                (preset.title)
                                @if preset.key_env.is_none() { (ask.t(" (on this machine)", "（本机）")) }
                            }
                        }
                        option value="" selected[ask.form.get("provider") == Some("")] { (ask.t("another server", "其他服务器")) }
                    }
                }
                div class="field" {
                    label for="model" { (ask.t("Model, as the server names it", "模型，与服务器上的名称一致")) }
                    input class="input" id="model" name="model" required maxlength="200" spellcheck="false" value=(was("model"));
                }
            }
            details open[!was("base").is_empty() || provider.is_empty() && wrong.is_some()] {
                summary class="small" { (ask.t("Another address or protocol", "其他地址或协议")) }
                div class="pair" {
                    div class="field" {
                        label for="base" { (ask.t("Address of the server", "服务器地址")) }
                        input class="input" id="base" name="base" type="url" maxlength="500" spellcheck="false" placeholder="https://api.example.com/v1" value=(was("base"));
                    }
                    div class="field" {
                        label for="api" { (ask.t("Protocol", "协议")) }
                        select class="input" id="api" name="api" {
                            option value="" { (ask.t("the provider's", "随服务商")) }
                            option value="openai" selected[was("api") == "openai"] { "Chat Completions" }
                            option value="anthropic" selected[was("api") == "anthropic"] { "Messages" }
                        }
                    }
                }
            }
            fieldset class="places" {
                legend class="lab" { (ask.t("Where the key is", "密钥放在哪里")) }
                label { input type="radio" name="place" value="usual" checked[place == "usual"]; span { (ask.t("In the provider's usual environment variable; a server on this machine needs none", "服务商惯用的环境变量；本机服务器无需密钥")) } }
                label { input type="radio" name="place" value="variable" checked[place == "variable"]; span { (ask.t("In an environment variable", "在某个环境变量中")) } }
                input class="input" name="variable" aria-label=(ask.t("Name of the environment variable", "环境变量名")) placeholder="DEEPSEEK_API_KEY" maxlength="64" spellcheck="false";
                label { input type="radio" name="place" value="file" checked[place == "file"]; span { (ask.t("In a file outside the book", "在作品目录之外的文件中")) } }
                input class="input" name="file" aria-label=(ask.t("Path of the key file", "密钥文件的路径")) placeholder="~/.config/novel/key" maxlength="500" spellcheck="false";
                label { input type="radio" name="place" value="typed" checked[place == "typed"]; span { (ask.t("I type it here; it is kept in a file only you can read, outside the book", "在此输入；存入作品目录之外、只有你可读的文件")) } }
                input class="input" name="key" type="password" aria-label=(ask.t("The key", "密钥")) autocomplete="off" maxlength="1000" spellcheck="false";
            }
            label class="small" { input type="checkbox" name="untested" value="1"; " " (ask.t("Save it without a test", "不试用，直接写入")) }
            p class="small muted" { (ask.t("One small call shows whether address, key and model are right, and what it costs. If it fails, nothing is written. Can be undone.", "先作一次很短的调用，看地址、密钥和模型名是否正确、要花多少钱；失败则不写入任何内容。随时可撤销。")) }
            div class="acts" { button class="btn primary" { (ask.t("Test and save", "试用并写入")) " " (key("↵")) } }
        }
    };
    Ok(frame(
        ask,
        Frame {
            title: ask.t("Model", "模型").to_owned(),
            nav: Nav::Settings,
            book: &book,
            command: "novel setup".to_owned(),
            keys: &[("n", ask.t("fill in", "填写"))],
            bar: None,
            class: "page stack narrowpage",
            main,
        },
    ))
}

/// Whether a text can be the name of a variable and is not a key by mistake: it is set, or written as
/// such names are.
pub(crate) fn names_a_variable(text: &str) -> bool {
    let shape = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_name = (1..=64).contains(&text.len())
        && text.bytes().all(shape)
        && !text.starts_with(|c: char| c.is_ascii_digit());
    let usual = text.contains('_') && !text.bytes().any(|byte| byte.is_ascii_lowercase());
    is_name && (usual || std::env::var_os(text).is_some())
}

/// Whether a text is a path from the root or from home; a key is neither.
pub(crate) fn names_a_file(text: &str) -> bool {
    text.starts_with('/') || text.starts_with("~/")
}

/// Sets the model up, or says what the form lacks.
pub(crate) fn set_up(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let place = ask.form.get("place").unwrap_or("usual");
    let typed = ask.form.filled("key");
    let variable = ask.form.filled("variable").unwrap_or_default();
    let file = ask.form.filled("file").unwrap_or_default();
    let known = |name: &str| PRESETS.iter().any(|preset| preset.name == name);
    let provider = ask.form.filled("provider");
    let wrong = if !PLACES.contains(&place) || provider.is_some_and(|name| !known(name)) {
        return Err(Fault::NotFound);
    } else if ask.form.filled("model").is_none() {
        Some(ask.t("Name the model.", "请写明模型。"))
    } else if provider.is_none() && ask.form.filled("base").is_none() {
        Some(ask.t(
            "Another server needs its address.",
            "其他服务器须写明地址。",
        ))
    } else if place == "variable" && !names_a_variable(variable) {
        Some(ask.t(
            "That is not the name of an environment variable such as DEEPSEEK_API_KEY. A key itself belongs in the last field.",
            "这不是环境变量名（如 DEEPSEEK_API_KEY）。密钥本身请填在最后一栏。",
        ))
    } else if place == "file" && !names_a_file(file) {
        Some(ask.t(
            "Give the full path of the key file, from / or ~/.",
            "密钥文件要写完整路径，以 / 或 ~/ 开头。",
        ))
    } else if place == "typed" && typed.is_none() {
        Some(ask.t("Type the key.", "请输入密钥。"))
    } else {
        None
    };
    if let Some(wrong) = wrong {
        let page = sheet(ask, &project, Some(wrong))?;
        return Ok(Reply::PageWith(StatusCode::UNPROCESSABLE_ENTITY, page));
    }
    let mut command = Command::new("setup");
    for (option, field) in [
        ("--provider", "provider"),
        ("--base-url", "base"),
        ("--api", "api"),
        ("--model", "model"),
    ] {
        if let Some(value) = ask.form.filled(field) {
            command = command.option(option, value);
        }
    }
    command = match place {
        "variable" => command.option("--key-env", variable),
        "file" => command.option("--key-file", file),
        "typed" => command.word("--key-stdin"),
        _ => command,
    };
    if ask.form.get("untested").is_some() {
        command = command.word("--no-test");
    }
    let root = ask
        .studio
        .books()
        .root(ask.book()?)
        .ok_or(Fault::NotFound)?;
    let input = typed
        .filter(|_| place == "typed")
        .map_or(Input::Nothing, Input::Secret);
    let place = Place::Book(&root);
    match act::perform(&ask.studio, place, ask.lang(), &command, input)? {
        Outcome::Done(data) => Ok(Reply::Page(done(ask, &command, &data)?)),
        Outcome::Refused(refused) => Ok(error::refused(ask, &command, &refused)),
    }
}

/// What the call showed.
fn done(ask: &Ask, command: &Command, data: &serde_json::Value) -> Result<Markup, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let answer: SetupAnswer =
        serde_json::from_value(data.clone()).map_err(|error| command.unreadable(error))?;
    let operation = newest_operation(&project).filter(|_| answer.changed);
    let main = html! {
        div class="pagehead" { h1 class="h-page" { (answer.model) } @if answer.trial.is_some() { (badge_filled(Mark::Ok, ask.t("it answers", "可以使用"))) } }
        section class="card" {
            dl class="kv" {
                dt { (ask.t("server", "服务器")) } dd { code { (answer.base_url) } }
                dt { (ask.t("key", "密钥")) }
                dd { @match (&answer.key_env, &answer.key_file) {
                    (Some(name), _) => { (ask.t("environment variable", "环境变量")) " " code { (name) } },
                    (None, Some(file)) => { (ask.t("file", "文件")) " " code { (file) } },
                    (None, None) => (ask.t("none", "无")),
                } }
                @if let Some(trial) = &answer.trial {
                    dt { (ask.t("answer", "回答")) }
                    dd {
                        (trial.model)
                        @if let Some(seconds) = trial.seconds { (message!(en: ", {seconds:.1} s", zh: "，{seconds:.1} 秒").get(l)) }
                        @if trial.streamed { (ask.t(", streamed", "，流式输出")) } @else { (ask.t(", not streamed", "，一次返回")) }
                        @match trial.structured {
                            StructuredAnswers::Schema => (ask.t(", follows a JSON Schema", "，遵守 JSON Schema")),
                            StructuredAnswers::Object => (ask.t(", JSON without a schema", "，JSON，不支持 Schema")),
                            StructuredAnswers::None => (ask.t(", no JSON", "，不是 JSON")),
                        }
                    }
                    dt { (ask.t("cost", "费用")) }
                    dd class="num" {
                        @match trial.cost_usd { Some(cost) => (money(Some(cost))), None => (ask.t("price not known", "价格未知")) }
                        " · " (tokens(trial.input_tokens)) " → " (tokens(trial.output_tokens)) " " (ask.t("tokens", "token"))
                    }
                }
            }
            @for warning in &answer.warnings { p class="small muted" { (warning.message) } }
            p class="small muted" {
                @if answer.changed { (ask.t("The settings are in novel.toml.", "设置已写入 novel.toml。")) }
                @else { (ask.t("novel.toml already has these settings; nothing changed.", "novel.toml 中已是这些设置，没有变化。")) }
            }
        }
        p class="acts" {
            a class="btn primary" href=(book.href("/runs")) data-key="Enter" { (ask.t("Write with it", "用它写作")) " " (key("↵")) }
            a class="btn" href=(book.href("/settings?key=budget.max_cost_usd#set")) { (ask.t("Set a spending limit", "设费用上限")) }
            a class="btn quiet" href=(book.href("/model")) { (ask.t("Change it", "再改")) }
        }
        @if let Some(operation) = operation { (undo_bar(ask, &book, operation)) }
    };
    Ok(frame(
        ask,
        Frame {
            title: ask.t("Model", "模型").to_owned(),
            nav: Nav::Settings,
            book: &book,
            command: command.typed(),
            keys: &[("u", ask.t("undo", "撤销"))],
            bar: None,
            class: "page stack narrowpage",
            main,
        },
    ))
}

fn tokens(count: Option<u64>) -> String {
    count.map_or_else(|| "?".to_owned(), thousands)
}
