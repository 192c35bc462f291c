//! `novel start`.

use clap::{FromArgMatches, value_parser};
use novel_app::{
    Project,
    executor::ExecutorKind,
    setup::init::Overwrite,
    setup::start::{self, Asks, Choice, StartReport},
};
use novel_model::{Failure, Message, message, nearest};
use unicode_width::UnicodeWidthStr;

use super::{
    init::{self, BookArgs, Manner},
    quickstart::Part,
};
use crate::{
    commands::Cli,
    context::Context,
    locate::{LocateError, Need},
    output::{CommandResult, Output},
    ui::printer::Format,
    ui::prompt::Prompter,
    ui::table,
    ui::wrap,
    usage::UsageError,
    writing::Executor,
};

/// Look at the book, recommend the next thing, do it
///
/// In a terminal you choose with the arrow keys. Without one the choices are printed, each with the
/// command that does it; `--yes` takes the recommended one and `--choose` any other.
#[derive(clap::Args, Debug)]
pub(crate) struct StartArgs {
    /// Do the recommended thing without asking
    #[arg(long)]
    yes: bool,

    /// Do this, by its name in the list
    #[arg(long, value_name = "ID", conflicts_with = "yes")]
    choose: Option<String>,

    /// How many chapters, for `several`
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    chapters: Option<u32>,

    /// Which part of the setup, for `adjust`
    #[arg(long, value_name = "PART", value_enum)]
    phase: Option<Part>,

    /// What should be different, for `adjust`, `redo` and `redirect`
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    #[command(flatten)]
    pub(crate) book: BookArgs,

    /// Who runs the agents, instead of `executor` in novel.toml
    #[arg(long, value_name = "KIND", value_enum)]
    executor: Option<Executor>,
}

pub(crate) fn run(context: &Context, args: &StartArgs) -> CommandResult {
    let project = match context.root(Need::Project) {
        Ok(root) => Some(context.open(&root)?),
        Err(error) if is_no_book(&error) => None,
        Err(error) => return Err(error.into()),
    };
    let report = match &project {
        Some(project) => start::start(project)?,
        None => start::without_book(),
    };
    let prompter = Prompter::of(&context.printer).filter(|_| !args.yes);
    let choice = match (&args.choose, &prompter) {
        (Some(id), _) => Some(named(&report, id)?),
        (None, Some(prompter)) => Some(asked(context, &report, prompter)?),
        (None, None) if args.yes => report.choices.first(),
        (None, None) => None,
    };
    match choice {
        None => Ok(listed(context, &report, project.as_ref())),
        Some(choice) => {
            let words = words(args, choice, prompter.as_ref())?;
            perform(context, args, choice, &words)
        }
    }
}

/// Whether the directory simply holds no book, and nothing is wrong with one.
const fn is_no_book(error: &LocateError) -> bool {
    match error {
        LocateError::None { .. }
        | LocateError::NotAProject { .. }
        | LocateError::NoSuchName { .. } => true,
        LocateError::BadName { .. } => false,
    }
}

fn named<'a>(report: &'a StartReport, id: &str) -> Result<&'a Choice, Failure> {
    let known = || report.choices.iter().map(|choice| choice.id.as_str());
    report
        .choices
        .iter()
        .find(|choice| choice.id == id)
        .ok_or_else(|| {
            let list = known().collect::<Vec<_>>().join(", ");
            let near = nearest(id, known());
            let hint = match near {
                Some(near) => message!(
                    en: "did you mean `{near}`? There are: {list}", zh: "是否想写 `{near}`？可选：{list}"
                ),
                None => message!(en: "there are: {list}", zh: "可选：{list}"),
            };
            UsageError::new(
                message!(en: "`{id}` cannot be chosen now", zh: "现在不能选择 `{id}`"),
                hint,
            )
            .into()
        })
}

fn asked<'a>(
    context: &Context,
    report: &'a StartReport,
    prompter: &Prompter,
) -> Result<&'a Choice, Failure> {
    for line in &report.shown {
        context.printer.note(line);
    }
    let rows: Vec<Vec<String>> = report
        .choices
        .iter()
        .map(|choice| vec![choice.label.get(context.lang).to_owned(), choice.typed()])
        .collect();
    let items = table::align(&rows).lines().map(str::to_owned).collect();
    let chosen = prompter.choose(&report.headline, items)?;
    Ok(&report.choices[chosen])
}

/// The words of the command, with the answers to what it asks.
fn words(
    args: &StartArgs,
    choice: &Choice,
    prompter: Option<&Prompter>,
) -> Result<Vec<String>, Failure> {
    let mut words = choice.command.clone();
    let note = |words: &mut Vec<String>| -> Result<(), Failure> {
        let note = match (&args.note, prompter) {
            (Some(note), _) => Some(note.clone()),
            (None, Some(prompter)) => prompter.text(
                &message!(en: "What should be different?", zh: "希望有什么不同？"),
                &message!(en: "used once, for this redo; may be empty", zh: "只用于这一次重做；可以留空"),
            )?,
            (None, None) => None,
        };
        if let Some(note) = note {
            words.push(format!("--note={note}"));
        }
        Ok(())
    };
    match choice.asks {
        Asks::Nothing | Asks::NewBook => {}
        Asks::Note => note(&mut words)?,
        Asks::Chapters => {
            let count = match (args.chapters, prompter) {
                (Some(count), _) => count.to_string(),
                (None, Some(prompter)) => prompter
                    .text(
                        &message!(en: "How many chapters?", zh: "写几章？"),
                        &message!(en: "5 or fewer recommended", zh: "建议不超过 5 章"),
                    )?
                    .unwrap_or_else(|| "1".to_owned()),
                (None, None) => "1".to_owned(),
            };
            words.push(count);
        }
        Asks::PhaseAndNote => {
            words.push(part(args, prompter)?.to_owned());
            note(&mut words)?;
        }
    }
    Ok(words)
}

fn part(args: &StartArgs, prompter: Option<&Prompter>) -> Result<&'static str, Failure> {
    let parts = [
        (
            Part::Trial,
            message!(en: "The trial chapters alone", zh: "只重写试写章节"),
        ),
        (Part::Style, message!(en: "The style", zh: "文风")),
        (Part::Characters, message!(en: "The cast", zh: "人物")),
        (Part::World, message!(en: "The world", zh: "世界")),
    ];
    let part = match (args.phase, prompter) {
        (Some(part), _) => part,
        (None, None) => Part::Trial,
        (None, Some(prompter)) => {
            let question = message!(en: "What should be redone?", zh: "重做哪一部分？");
            let items = parts.iter().map(|(_, label)| prompter.say(label));
            parts[prompter.choose(&question, items.collect())?].0
        }
    };
    Ok(word(part))
}

const fn word(part: Part) -> &'static str {
    match part {
        Part::World => "world",
        Part::Characters => "characters",
        Part::Style => "style",
        Part::Trial => "trial",
    }
}

/// Does what was chosen, exactly as if it had been typed.
fn perform(
    context: &Context,
    args: &StartArgs,
    choice: &Choice,
    words: &[String],
) -> CommandResult {
    if choice.asks == Asks::NewBook {
        let manner = if args.yes {
            Manner::Unattended(Overwrite::Refuse)
        } else {
            Manner::Asking(Overwrite::Refuse)
        };
        return init::create(context, None, &args.book, manner);
    }
    let mut typed = vec!["novel".to_owned()];
    typed.extend_from_slice(words);
    if let (Some(executor), true) = (args.executor, calls_agents(words)) {
        typed.push(format!(
            "--executor={}",
            ExecutorKind::from(executor).word()
        ));
    }
    let cli = <Cli as clap::CommandFactory>::command()
        .try_get_matches_from(&typed)
        .and_then(|matches| Cli::from_arg_matches(&matches))
        .map_err(|error| crate::usage::translate(&error, &choice.command))?;
    if context.printer.format == Format::Text {
        let line = typed.join(" ");
        context.printer.note(&Message::same(format!("$ {line}")));
    }
    cli.command.run(context)
}

fn calls_agents(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    matches!(
        words.as_slice(),
        ["continue" | "run", ..]
            | ["quickstart" | "plan"]
            | ["quickstart" | "plan", "--retry"]
            | ["volume", "review", ..]
    )
}

/// The choices, for whoever is not at a terminal.
fn listed(context: &Context, report: &StartReport, project: Option<&Project>) -> Output {
    let lang = context.lang;
    let mut text = format!("{}\n", report.headline.get(lang));
    for line in &report.shown {
        text.push_str(line.get(lang));
        text.push('\n');
    }
    let rows: Vec<Vec<String>> = report
        .choices
        .iter()
        .enumerate()
        .map(|(index, choice)| {
            let mark = if index == 0 { ">" } else { " " };
            vec![
                format!("{mark} {}", choice.id),
                choice.label.get(lang).to_owned(),
                choice.typed(),
            ]
        })
        .collect();
    let table = table::align(&rows);
    let columns = wrap::columns(std::io::stdout()).unwrap_or(usize::MAX);
    if table.lines().all(|line| line.width() <= columns) {
        text.push_str(&table);
    } else {
        // Too narrow for three columns: the command stands below what it does.
        for row in &rows {
            text.push_str(&format!("{}\n", row[0]));
            text.push_str(&format!("    {}\n    {}\n", row[1], row[2]));
        }
    }
    let output = Output::new(report.answer(lang)).text(text).note(message!(
        en: "`novel start --yes` does the first; `novel start --choose ID` any other.",
        zh: "`novel start --yes` 执行第一项；`novel start --choose ID` 执行其他项。"
    ));
    match project {
        Some(project) => output.about_config(project.warnings()),
        None => output,
    }
}
