//! Usage errors in our own words, in both languages.

use std::error::Error;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use novel_model::{Explain, Failure, IdError, Kind, Lang, Message, message};
use serde_json::{Map, Value, json};

/// Arguments that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct UsageError {
    message: Message,
    hint: Message,
    usage: Option<String>,
}

impl UsageError {
    /// An error found after parsing.
    pub(crate) fn new(message: Message, hint: Message) -> Self {
        Self {
            message,
            hint,
            usage: None,
        }
    }
}

/// What clap found wrong, as a failure of ours. `command` is the path of the command.
pub(crate) fn translate(error: &clap::Error, command: &[String]) -> Failure {
    if let Some(id) = error
        .source()
        .and_then(|cause| cause.downcast_ref::<IdError>())
    {
        return id.clone().into();
    }
    let context = Context(error);
    let see = help_command(command);
    let see = message!(en: "see `{see}`", zh: "参见 `{see}`");
    let hint = match context.suggestion() {
        Some(word) => Message {
            en: format!("did you mean `{word}`? {}", see.en),
            zh: format!("是否想写 `{word}`？{}", see.zh),
        },
        None => see,
    };
    let usage = error.get(ContextKind::Usage).map(|usage| {
        let usage = usage.to_string();
        usage.trim_start_matches("Usage:").trim().to_owned()
    });
    UsageError {
        message: describe(error, &context),
        hint,
        usage,
    }
    .into()
}

fn help_command(command: &[String]) -> String {
    let mut words = vec!["novel"];
    words.extend(command.iter().map(String::as_str));
    words.push("--help");
    words.join(" ")
}

fn describe(error: &clap::Error, context: &Context<'_>) -> Message {
    let argument = context.text(ContextKind::InvalidArg);
    let value = context.text(ContextKind::InvalidValue);
    match error.kind() {
        ErrorKind::UnknownArgument => message!(
            en: "unexpected argument `{argument}`", zh: "多余或未知的参数 `{argument}`"
        ),
        ErrorKind::InvalidSubcommand => {
            let word = context.text(ContextKind::InvalidSubcommand);
            message!(en: "unknown command `{word}`", zh: "未知的命令 `{word}`")
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            message!(en: "a command is missing", zh: "缺少命令")
        }
        ErrorKind::MissingRequiredArgument => message!(
            en: "missing: {argument}", zh: "缺少参数：{argument}"
        ),
        ErrorKind::InvalidValue if value.is_empty() => message!(
            en: "`{argument}` needs a value", zh: "`{argument}` 需要一个值"
        ),
        ErrorKind::InvalidValue => {
            let known = context.text(ContextKind::ValidValue);
            let choices = known.replace(", ", "、");
            message!(
                en: "invalid value `{value}` for `{argument}`; choose: {known}",
                zh: "`{argument}` 不接受 `{value}`；可选：{choices}"
            )
        }
        ErrorKind::ValueValidation => message!(
            en: "invalid value `{value}` for `{argument}`", zh: "`{argument}` 不接受 `{value}`"
        ),
        ErrorKind::ArgumentConflict => {
            let other = context.text(ContextKind::PriorArg);
            message!(
                en: "`{argument}` cannot be used together with `{other}`",
                zh: "`{argument}` 不能与 `{other}` 同时使用"
            )
        }
        ErrorKind::NoEquals
        | ErrorKind::TooManyValues
        | ErrorKind::TooFewValues
        | ErrorKind::WrongNumberOfValues => message!(
            en: "`{argument}` has the wrong number of values", zh: "`{argument}` 的值个数不对"
        ),
        ErrorKind::InvalidUtf8 => message!(
            en: "an argument is not UTF-8", zh: "有参数不是 UTF-8 编码"
        ),
        _ => message!(en: "the arguments cannot be used", zh: "无法使用这些参数"),
    }
}

/// What clap knows about an error.
struct Context<'a>(&'a clap::Error);

impl Context<'_> {
    /// The texts of one kind; several are joined.
    fn text(&self, kind: ContextKind) -> String {
        match self.0.get(kind) {
            Some(ContextValue::String(text)) => text.clone(),
            Some(ContextValue::Strings(texts)) => texts.join(", "),
            Some(ContextValue::Number(number)) => number.to_string(),
            _ => String::new(),
        }
    }

    fn suggestion(&self) -> Option<String> {
        [
            ContextKind::SuggestedSubcommand,
            ContextKind::SuggestedArg,
            ContextKind::SuggestedValue,
        ]
        .into_iter()
        .map(|kind| match self.0.get(kind) {
            // The likeliest one comes last.
            Some(ContextValue::Strings(texts)) => texts.last().cloned().unwrap_or_default(),
            _ => self.text(kind),
        })
        .find(|text| !text.is_empty())
    }
}

impl Explain for UsageError {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        "USAGE"
    }

    fn message(&self) -> Message {
        self.message.clone()
    }

    fn hint(&self) -> Option<Message> {
        Some(self.hint.clone())
    }

    fn details(&self, _lang: Lang) -> Map<String, Value> {
        let mut details = Map::new();
        if let Some(usage) = &self.usage {
            details.insert("usage".into(), json!(usage));
        }
        details
    }
}

#[cfg(test)]
#[path = "usage_tests.rs"]
mod tests;
