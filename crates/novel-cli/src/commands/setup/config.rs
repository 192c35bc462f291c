//! `novel config [KEY]`, `novel config set` and `novel config unset`.

use std::ffi::OsStr;

use clap::{
    Subcommand,
    builder::{PossibleValue, StringValueParser, TypedValueParser},
};
use novel_app::{
    Setting, SettingOrigin as Origin,
    setup::settings::{self, SettingChange, SettingReport},
};
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
/// An environment variable overrides `novel.toml`, and `novel.toml` overrides the default. Writes
/// nothing; `novel config set` changes a setting.
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    word: Option<Word>,

    /// Only this setting, or the settings of this table
    #[arg(value_name = "KEY")]
    key: Option<String>,
}

#[derive(Subcommand, Debug)]
enum Word {
    /// Change a setting in `novel.toml`
    ///
    /// Comments and everything else in the file stay as they are. An unknown key or a value that is
    /// not allowed changes nothing. `novel undo` reverts the change.
    Set {
        /// The setting, such as `llm.base_url`
        #[arg(value_name = "KEY", value_parser = Keys, hide_possible_values = true)]
        key: String,

        /// Its value; a list as in TOML
        #[arg(value_name = "VALUE", allow_hyphen_values = true)]
        value: String,
    },
    /// Remove a setting from `novel.toml`, so that the default applies
    ///
    /// `novel undo` reverts the change.
    Unset {
        /// The setting, such as `llm.base_url`
        #[arg(value_name = "KEY", value_parser = Keys, hide_possible_values = true)]
        key: String,
    },
}

/// Takes any key and offers the known ones to completion scripts: what is wrong with a key is said by
/// the command, with the nearest one.
#[derive(Debug, Clone)]
struct Keys;

impl TypedValueParser for Keys {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            settings::keys().into_iter().map(PossibleValue::new),
        ))
    }
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
    match &args.word {
        Some(Word::Set { key, value }) => {
            let report = settings::change(&project, key, SettingChange::Set(value))?;
            return Ok(changed(&report).about_config(project.warnings()));
        }
        Some(Word::Unset { key }) => {
            let report = settings::change(&project, key, SettingChange::Unset)?;
            return Ok(changed(&report).about_config(project.warnings()));
        }
        None => {}
    }
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

fn changed(report: &SettingReport) -> Output {
    let (key, before, after) = (&report.key, &report.before, &report.after);
    let note = match (report.is_changed(), before, after) {
        (false, _, Value::Null) => message!(
            en: "`{key}` is not set; nothing changed.", zh: "`{key}` 本来就没有设置，没有变化。"
        ),
        (false, _, _) => message!(
            en: "`{key}` is already {after}; nothing changed.", zh: "`{key}` 本来就是 {after}，没有变化。"
        ),
        (true, _, Value::Null) => message!(
            en: "`{key}` is no longer set (was {before}). `novel undo` reverts it.",
            zh: "已去掉 `{key}`（原为 {before}）。用 `novel undo` 可撤销。"
        ),
        (true, Value::Null, _) => message!(
            en: "`{key}` is {after}. `novel undo` reverts it.",
            zh: "`{key}` 已设为 {after}。用 `novel undo` 可撤销。"
        ),
        (true, _, _) => message!(
            en: "`{key}` is {after} (was {before}). `novel undo` reverts it.",
            zh: "`{key}` 已设为 {after}（原为 {before}）。用 `novel undo` 可撤销。"
        ),
    };
    let output = Output::new(report.answer()).note(note);
    match report.variable {
        None => output,
        Some(variable) => output.note(message!(
            en: "The environment variable {variable} overrides the file.",
            zh: "环境变量 {variable} 优先于该文件。"
        )),
    }
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
