//! `novel setup`.

use std::{
    io::{self, IsTerminal},
    path::Path,
};

use clap::builder::PossibleValuesParser;
use novel_app::setup::model::{
    self, KeyPlace, ModelChoice, PRESETS, Preset, Secret, SetupReport, Structured, Trial, Try,
};
use novel_model::{Failure, Lang, Message, message};

use crate::{
    context::Context,
    input::Source,
    output::{CommandResult, Output},
    ui::{
        labels,
        prompt::{PromptError, Prompter},
        table,
    },
    usage::UsageError,
};

/// Set up the model that writes
///
/// Asks it for one small answer, which shows whether address, key and model are right, how it
/// answers and what that costs; then writes the settings to `novel.toml`. If the call fails,
/// nothing is written. The key stays in an environment variable or in a file outside the project.
/// In a terminal it asks for what no option gives. `novel undo` reverts it.
#[derive(clap::Args, Debug)]
pub(crate) struct SetupArgs {
    /// A provider, or a server on this machine, whose address is known
    #[arg(long, value_name = "NAME", value_parser = providers())]
    provider: Option<String>,

    /// Protocol of the server: chat completions, or Messages
    #[arg(long, value_name = "API", value_parser = ["openai", "anthropic"])]
    api: Option<String>,

    /// Address of the server, without the last part of the path
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,

    /// The model
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,

    /// Environment variable that holds the key
    #[arg(long, value_name = "VARIABLE", conflicts_with = "key_file")]
    key_env: Option<String>,

    /// File outside the project that holds the key
    #[arg(long, value_name = "FILE")]
    key_file: Option<String>,

    /// Read the key from standard input and keep it in the key file, which only you can read; by
    /// default `~/.config/novel/keys/NAME`
    #[arg(long, conflicts_with = "key_env")]
    key_stdin: bool,

    /// Write the settings without trying the model
    #[arg(long)]
    no_test: bool,
}

fn providers() -> PossibleValuesParser {
    PossibleValuesParser::new(PRESETS.iter().map(|preset| preset.name))
}

pub(crate) fn run(context: &Context, args: &SetupArgs) -> CommandResult {
    let project = context.project()?;
    let key = if args.key_stdin {
        Some(Secret::new(&piped_key()?)?)
    } else {
        None
    };
    let choice = match Prompter::of(&context.printer) {
        Some(prompter) => asked(context, args, &prompter)?,
        None => given(context, args)?,
    };
    let tried = if args.no_test {
        Try::Nothing
    } else {
        Try::Call
    };
    let report = model::setup(&project, choice, key.as_ref(), tried)?;
    Ok(shown(context, &report).about_config(project.warnings()))
}

/// The key on standard input. A terminal would show what is typed.
fn piped_key() -> Result<String, Failure> {
    if io::stdin().is_terminal() {
        return Err(UsageError::new(
            message!(en: "`--key-stdin` reads the key from a pipe", zh: "`--key-stdin` 从管道读取密钥"),
            message!(
                en: "such as `novel setup … --key-stdin < FILE`", zh: "例如 `novel setup … --key-stdin < 文件`"
            ),
        )
        .into());
    }
    Ok(Source::Stdin.text()?)
}

fn preset_of(args: &SetupArgs) -> Option<&'static Preset> {
    let name = args.provider.as_deref()?;
    PRESETS.iter().find(|preset| preset.name == name)
}

/// What the options say.
fn given(context: &Context, args: &SetupArgs) -> Result<ModelChoice, Failure> {
    let preset = preset_of(args);
    let base_url = args
        .base_url
        .as_deref()
        .or(preset.map(|preset| preset.base_url));
    let Some(base_url) = base_url else {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        let names = names.join(", ");
        return Err(UsageError::new(
            message!(en: "no model server is given", zh: "没有指明模型服务器"),
            message!(
                en: "add `--provider NAME` ({names}) or `--base-url URL`",
                zh: "请加 `--provider 名称`（{names}）或 `--base-url 地址`"
            ),
        )
        .into());
    };
    let Some(model) = &args.model else {
        return Err(UsageError::new(
            message!(en: "no model is given", zh: "没有指明模型"),
            message!(
                en: "add `--model MODEL`, as the server names it",
                zh: "请加 `--model 模型名`，与服务器上的名称一致"
            ),
        )
        .into());
    };
    Ok(choice(context, args, preset, base_url, model, None))
}

fn choice(
    context: &Context,
    args: &SetupArgs,
    preset: Option<&Preset>,
    base_url: &str,
    model: &str,
    variable: Option<String>,
) -> ModelChoice {
    let api = args.api.as_deref().or(preset.map(|preset| preset.api));
    let api = api.unwrap_or("openai");
    let key = match (&args.key_env, &args.key_file, &variable) {
        (Some(name), _, _) | (None, None, Some(name)) => KeyPlace::Variable(name.clone()),
        (None, Some(file), _) => KeyPlace::File(absolute(&context.here, file)),
        (None, None, None) if args.key_stdin => KeyPlace::File(model::usual_key_file(
            preset.map(|preset| preset.name),
            base_url,
        )),
        (None, None, None) => match preset {
            Some(preset) if args.base_url.is_none() => {
                preset.key_env.map_or(KeyPlace::Nowhere, |name| {
                    KeyPlace::Variable(name.to_owned())
                })
            }
            _ => KeyPlace::usual(api, base_url),
        },
    };
    ModelChoice {
        api: api.to_owned(),
        base_url: base_url.trim_end_matches('/').to_owned(),
        model: model.to_owned(),
        key,
    }
}

/// A path that means the same file wherever the program is started.
fn absolute(here: &Path, file: &str) -> String {
    if file.starts_with("~/") {
        file.to_owned()
    } else {
        here.join(file).to_string_lossy().into_owned()
    }
}

/// The model chosen by the options, with a question for each one that is not given.
fn asked(context: &Context, args: &SetupArgs, prompter: &Prompter) -> Result<ModelChoice, Failure> {
    let mut preset = preset_of(args);
    if preset.is_none() && args.base_url.is_none() {
        let mut items: Vec<String> = PRESETS
            .iter()
            .map(|preset| format!("{}: {}", preset.title, preset.base_url))
            .collect();
        items.push(prompter.say(&message!(en: "Another server", zh: "其他服务器")));
        let question = message!(en: "Who provides the model", zh: "由谁提供模型");
        preset = PRESETS.get(prompter.choose(&question, items)?);
    }
    let base_url = match (&args.base_url, preset) {
        (Some(url), _) => url.clone(),
        (None, Some(preset)) => preset.base_url.to_owned(),
        (None, None) => needed(
            prompter,
            &message!(en: "Address of the server", zh: "服务器地址"),
            &message!(en: "such as https://api.example.com/v1", zh: "如 https://api.example.com/v1"),
        )?,
    };
    let model = match &args.model {
        Some(model) => model.clone(),
        None => needed(
            prompter,
            &message!(en: "Model", zh: "模型"),
            &message!(en: "its name as the server knows it", zh: "服务器上的模型名称"),
        )?,
    };
    let chosen = choice(context, args, preset, &base_url, &model, None);
    let variable = match &chosen.key {
        KeyPlace::Variable(usual) if args.key_env.is_none() => prompter.text(
            &message!(
                en: "Environment variable of the key ({usual})", zh: "存放密钥的环境变量（{usual}）"
            ),
            &message!(
                en: "its name, never the key; press Enter for the one in brackets",
                zh: "填写变量名，不要填密钥；直接回车用括号中的名称"
            ),
        )?,
        _ => None,
    };
    Ok(choice(context, args, preset, &base_url, &model, variable))
}

/// A text that must be given; the question is asked until it is.
fn needed(prompter: &Prompter, question: &Message, help: &Message) -> Result<String, PromptError> {
    loop {
        if let Some(text) = prompter.text(question, help)? {
            return Ok(text);
        }
    }
}

fn shown(context: &Context, report: &SetupReport) -> Output {
    let lang = context.lang;
    let choice = &report.choice;
    let row = |label: Message, value: String| vec![label.get(lang).to_owned(), value];
    let key = match &choice.key {
        KeyPlace::Variable(name) => {
            message!(en: "environment variable {name}", zh: "环境变量 {name}")
        }
        KeyPlace::File(path) => message!(en: "file {path}", zh: "文件 {path}"),
        KeyPlace::Nowhere => message!(en: "none", zh: "无"),
    };
    let mut rows = vec![
        row(
            message!(en: "server", zh: "服务器"),
            choice.base_url.clone(),
        ),
        row(message!(en: "model", zh: "模型"), choice.model.clone()),
        row(message!(en: "key", zh: "密钥"), key.get(lang).to_owned()),
    ];
    if let Some(trial) = &report.trial {
        let (answered, cost) = tried(trial, lang);
        rows.push(row(message!(en: "answer", zh: "回答"), answered));
        rows.push(row(message!(en: "cost", zh: "费用"), cost));
    }
    let mut output = Output::new(report.answer(lang))
        .text(table::align(&rows))
        .warnings(&report.warnings);
    for (role, model) in &report.own_models {
        output = output.note(message!(
            en: "`{role}` keeps its own model, `{model}`.", zh: "`{role}` 仍用自己的模型 `{model}`。"
        ));
    }
    output.note(if report.changed {
        message!(
            en: "The settings are in novel.toml; `novel undo` reverts them. From now on this model writes; `novel start` shows what comes next.",
            zh: "设置已写入 novel.toml，用 `novel undo` 可撤销。此后由这个模型写作；用 `novel start` 查看下一步。"
        )
    } else {
        message!(
            en: "novel.toml already has these settings; nothing changed.",
            zh: "novel.toml 中已是这些设置，没有变化。"
        )
    })
}

/// How the model answered, and what it cost.
fn tried(trial: &Trial, lang: Lang) -> (String, String) {
    let mut parts = vec![trial.model.clone()];
    if let Some(seconds) = trial.seconds {
        parts.push(
            message!(en: "{seconds:.1} s", zh: "{seconds:.1} 秒")
                .get(lang)
                .to_owned(),
        );
    }
    let streamed = if trial.streamed {
        message!(en: "streamed", zh: "流式输出")
    } else {
        message!(en: "not streamed", zh: "一次返回")
    };
    let structured = match trial.structured {
        Structured::Schema => message!(en: "follows a JSON Schema", zh: "遵守 JSON Schema"),
        Structured::Object => message!(en: "JSON without a schema", zh: "JSON，不支持 Schema"),
        Structured::Not => message!(en: "no JSON", zh: "不是 JSON"),
    };
    parts.extend([streamed, structured].map(|part| part.get(lang).to_owned()));
    let count = |tokens: Option<u64>| tokens.map_or_else(|| "?".to_owned(), |it| it.to_string());
    let (input, output) = (count(trial.usage.input), count(trial.usage.output));
    let tokens = message!(
        en: "{input} tokens sent, {output} received", zh: "发送 {input} token，接收 {output} token"
    );
    let price = match trial.cost_usd {
        Some(cost) => labels::dollars(cost),
        None => message!(en: "price not known", zh: "价格未知")
            .get(lang)
            .to_owned(),
    };
    let comma = message!(en: ", ", zh: "，");
    let comma = comma.get(lang);
    (
        parts.join(comma),
        format!("{price}{comma}{}", tokens.get(lang)),
    )
}
