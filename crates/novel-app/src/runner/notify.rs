//! `[notify]`: tells the author's own program, or a webhook, that a run is over.
//!
//! What is told holds no prose and no key. A notice that cannot be given is a warning: the run is over
//! either way.

use std::{ffi::OsString, path::Path, time::Duration};

use novel_book::config::NotifyConfig;
use novel_contract::{
    run::{Notice, NoticeKind},
    write::RunStop,
};
use novel_exec::{ChildSpec, find_program};
use novel_llm::{PostError, post_json};
use novel_model::{Explain, Lang, Message, Warning, message};

use crate::{Project, executor::passed_on};

/// Longest wait for a program or a webhook.
const LONGEST: Duration = Duration::from_secs(10);
/// Most bytes a program may print; nobody reads them.
const MOST_OUTPUT: usize = 64 * 1024;
/// Variables a program needs to show something on a desktop.
const DESKTOP: [&str; 3] = ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"];

/// Gives a notice to whoever `[notify]` names; returns what went wrong.
pub(super) fn notify(project: &Project, notice: &Notice) -> Vec<Warning> {
    let config = &project.config().notify;
    // A notice is text and numbers and always has a form in JSON.
    let Ok(text) = serde_json::to_string(notice) else {
        return Vec::new();
    };
    let line = match project.config().lang() {
        Lang::Zh => &notice.text.zh,
        Lang::En => &notice.text.en,
    };
    let mut warnings = Vec::new();
    if !config.command.is_empty() {
        let here = Path::new(".");
        let root = project.store().root().unwrap_or(here);
        if let Err(why) = run(config, root, notice.event, line, &text) {
            warnings.push(failed("command", &why));
        }
    }
    if let Some(address) = &config.webhook
        && let Err(why) = post(address, &text)
    {
        warnings.push(failed("webhook", &why));
    }
    warnings
}

fn run(
    config: &NotifyConfig,
    root: &Path,
    event: NoticeKind,
    line: &str,
    text: &str,
) -> Result<(), Message> {
    let name = config.command.first().cloned().unwrap_or_default();
    let search = std::env::var_os("PATH").unwrap_or_default();
    let program = find_program(name.as_ref(), root, &search).ok_or_else(
        || message!(en: "the program `{name}` was not found", zh: "找不到程序 `{name}`"),
    )?;
    let mut env = passed_on(&DESKTOP.map(str::to_owned), std::env::vars_os());
    for (variable, value) in [
        ("NOVEL_NOTIFY_EVENT", event.word()),
        ("NOVEL_NOTIFY_TEXT", line),
    ] {
        env.insert(variable.to_owned(), value.into());
    }
    let spec = ChildSpec {
        name,
        program,
        args: config.command.iter().skip(1).map(OsString::from).collect(),
        dir: root.to_owned(),
        env: env.into_iter().collect(),
        stdin: format!("{text}\n").into_bytes(),
        timeout: LONGEST,
        max_output_bytes: MOST_OUTPUT,
    };
    match novel_exec::run(&spec, &|| false, &mut |_| {}) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.message()),
    }
}

/// The address, or the variable that holds it: `$NAME`.
fn post(address: &str, text: &str) -> Result<(), Message> {
    let url = match address.strip_prefix('$') {
        None => address.to_owned(),
        Some(variable) => std::env::var(variable).map_err(|_| {
            message!(
                en: "the environment variable `{variable}` is not set",
                zh: "环境变量 `{variable}` 未设置"
            )
        })?,
    };
    post_json(&url, text, LONGEST).map_err(|error| match error {
        PostError::Status(status) => Message::same(format!("HTTP {status}")),
        PostError::Late => message!(en: "timed out", zh: "超时没有应答"),
        PostError::BadAddress => message!(en: "the address is not a URL", zh: "地址不是有效的 URL"),
        PostError::Authorities => message!(
            en: "the certificates that SSL_CERT_FILE names cannot be used",
            zh: "无法使用 SSL_CERT_FILE 指定的证书"
        ),
        PostError::Unreachable => message!(en: "cannot connect", zh: "无法连接"),
    })
}

fn failed(which: &str, why: &Message) -> Warning {
    Warning::new(
        "not_notified",
        Message {
            en: format!("`[notify] {which}` was not notified: {}", why.en),
            zh: format!("`[notify] {which}` 通知失败：{}", why.zh),
        },
    )
}

/// What a notice says in one line.
///
/// `waiting` says what waits. Messages of failures are left out: they may quote an answer or the book.
pub(super) fn words(
    event: NoticeKind,
    title: Option<&str>,
    stop: RunStop,
    code: Option<&str>,
    waiting: Option<&Message>,
    last: u32,
) -> Message {
    let title = title.unwrap_or("novel");
    let code = code.unwrap_or_default();
    match (event, waiting) {
        (NoticeKind::Waits, Some(waiting)) => Message {
            en: format!("{title}: waiting for you: {}", waiting.en),
            zh: format!("{title}：待你处理：{}", waiting.zh),
        },
        (NoticeKind::Waits, None) => message!(
            en: "{title}: waiting for you ({code})", zh: "{title}：待你处理（{code}）"
        ),
        (NoticeKind::Failed, _) => message!(
            en: "{title}: the run failed ({code})", zh: "{title}：运行失败（{code}）"
        ),
        (NoticeKind::Ended, _) => {
            let why = match stop {
                RunStop::OverBudget => message!(en: "the budget is used up", zh: "预算已用完"),
                RunStop::VolumeEnd => message!(en: "the volume is complete", zh: "本卷已写完"),
                _ => message!(en: "the run is over", zh: "运行结束"),
            };
            Message {
                en: format!("{title}: {}; last chapter: {last}", why.en),
                zh: format!("{title}：{}；最新一章：第 {last} 章", why.zh),
            }
        }
    }
}
