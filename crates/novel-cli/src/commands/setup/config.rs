//! `novel config [KEY]`.

use novel_app::{Setting, SettingOrigin as Origin};
use novel_contract::setup as contract;
use novel_model::{Explain, Kind, Lang, Message, message, nearest};
use serde_json::Value;

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::table,
};

/// Show every setting, its value and where it comes from
///
/// An environment variable stands above `novel.toml`, and `novel.toml` above the default. Writes
/// nothing; edit `novel.toml` to change a setting.
#[derive(clap::Args, Debug)]
pub(crate) struct ConfigArgs {
    /// Only this setting, or the settings of this table
    #[arg(value_name = "KEY")]
    key: Option<String>,
}

/// A key no setting has.
#[derive(Debug, thiserror::Error)]
#[error("there is no setting `{key}`")]
struct UnknownSetting {
    key: String,
    nearest: Option<String>,
}

pub(crate) fn run(context: &Context, args: &ConfigArgs) -> CommandResult {
    let project = context.project()?;
    let mut settings = project.settings()?;
    if let Some(key) = &args.key {
        let keys: Vec<String> = settings.iter().map(|s| s.key.clone()).collect();
        let table = format!("{key}.");
        settings.retain(|setting| setting.key == *key || setting.key.starts_with(&table));
        if settings.is_empty() {
            let keys = keys.iter().map(String::as_str);
            return Err(UnknownSetting {
                key: key.clone(),
                nearest: nearest(key, keys).map(str::to_owned),
            }
            .into());
        }
    }
    let data = contract::ConfigAnswer {
        settings: settings.iter().map(answer).collect(),
        warnings: Vec::new(),
    };
    Ok(Output::new(data)
        .text(render(&settings, context.lang))
        .about_config(project.warnings()))
}

fn answer(setting: &Setting) -> contract::Setting {
    let (origin, variable) = match setting.origin {
        Origin::Default => (contract::SettingOrigin::Default, None),
        Origin::File => (contract::SettingOrigin::File, None),
        Origin::Environment(variable) => (contract::SettingOrigin::Environment, Some(variable)),
    };
    contract::Setting {
        key: setting.key.clone(),
        value: setting.value.clone(),
        origin,
        variable: variable.map(str::to_owned),
    }
}

fn render(settings: &[Setting], lang: Lang) -> String {
    let rows: Vec<Vec<String>> = settings
        .iter()
        .map(|setting| {
            let value = match &setting.value {
                Value::Null => usual(&setting.key, lang),
                value => value.to_string(),
            };
            vec![
                setting.key.clone(),
                value,
                origin(setting.origin).get(lang).to_owned(),
            ]
        })
        .collect();
    table::align(&rows)
}

/// What holds for a setting nobody has set.
fn usual(key: &str, lang: Lang) -> String {
    let known = match key {
        "language" => Some("\"zh-CN\""),
        "llm.max_output_tokens" => Some("8192"),
        "llm.max_attempts" => Some("5"),
        "plan.chapters" => Some("30"),
        "plan.chunk" => Some("10"),
        _ => None,
    };
    let none = match key {
        "budget.max_cost_usd" | "budget.max_tokens" | "chapter.min_words" | "chapter.max_words" => {
            message!(en: "(no limit)", zh: "（不限）")
        }
        key if key.starts_with("llm.") || key.starts_with("context.") => {
            message!(en: "(built-in)", zh: "（内置值）")
        }
        _ => message!(en: "(not set)", zh: "（未设）"),
    };
    known.map_or_else(|| none.get(lang).to_owned(), str::to_owned)
}

fn origin(origin: Origin) -> Message {
    match origin {
        Origin::Default => message!(en: "default", zh: "默认"),
        Origin::File => Message::same("novel.toml"),
        Origin::Environment(variable) => {
            message!(en: "environment {variable}", zh: "环境变量 {variable}")
        }
    }
}

impl Explain for UnknownSetting {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        "UNKNOWN_SETTING"
    }

    fn message(&self) -> Message {
        let key = &self.key;
        message!(en: "there is no setting `{key}`", zh: "没有名为 `{key}` 的设置")
    }

    fn hint(&self) -> Option<Message> {
        Some(match &self.nearest {
            Some(known) => message!(en: "did you mean `{known}`?", zh: "是否想写 `{known}`？"),
            None => message!(
                en: "`novel config` lists them all", zh: "`novel config` 列出全部设置"
            ),
        })
    }
}
