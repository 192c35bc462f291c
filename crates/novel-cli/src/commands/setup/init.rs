//! `novel init [DIR]`.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use novel_app::setup::init::{
    self, ApprovalPolicy, InitOptions, InitReport, Overwrite, StyleConfig, StyleSource,
};
use novel_model::{Failure, Lang, Message, message};

use crate::{
    args::book_language,
    context::Context,
    language::{self, Environment},
    output::{CommandResult, Output},
    ui::prompt::{PromptError, Prompter},
    usage::UsageError,
};

/// Start a new project
///
/// Makes the directory with `.checkpoint.json`, `novel.toml`, `brief.md`, and templates for style
/// and blacklist. In a terminal it asks for what no option gives. Replaces nothing without
/// `--force`. After a crash, run the same command again to continue.
#[derive(clap::Args, Debug)]
pub(crate) struct InitArgs {
    /// Directory of the new project; the current one by default
    dir: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) book: BookArgs,

    /// Ask nothing, now or later: the trial and every plan are accepted unseen
    #[arg(long)]
    yes: bool,

    /// Replace files of an existing project; the old ones go to `archive/`
    #[arg(long)]
    force: bool,
}

/// What a new book starts from: one option for each question.
#[derive(clap::Args, Debug)]
pub(crate) struct BookArgs {
    /// Title of the book
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Name of the author
    #[arg(long, value_name = "TEXT")]
    author: Option<String>,

    /// Language of the book; `en` by an English locale, else `zh-CN`
    #[arg(long, value_name = "LANG", value_parser = book_language())]
    pub(crate) language: Option<Lang>,

    /// Genre, for the brief
    #[arg(long, value_name = "TEXT")]
    genre: Option<String>,

    /// Who the book is about, for the brief
    #[arg(long, value_name = "TEXT")]
    protagonist: Option<String>,

    /// What drives the book, for the brief
    #[arg(long, value_name = "TEXT")]
    conflict: Option<String>,

    /// The brief: what the book is to be
    #[arg(long, value_name = "TEXT")]
    brief: Option<String>,

    /// Where the style comes from; a built-in template by default
    #[arg(long, value_name = "SOURCE", value_enum)]
    style_source: Option<Style>,

    /// Built-in style, by name
    #[arg(long, value_name = "NAME")]
    style_template: Option<String>,

    /// Author whose manner is the model
    #[arg(long, value_name = "AUTHOR")]
    style_reference: Option<String>,
}

/// Where the style comes from, as an option.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Your own texts in `samples/`
    Original,
    /// An author the model knows
    Reference,
    /// A built-in template
    Template,
    /// Write first; the style is measured on the first chapters
    WriteThenExtract,
}

impl From<Style> for StyleSource {
    fn from(style: Style) -> Self {
        match style {
            Style::Original => Self::Original,
            Style::Reference => Self::Reference,
            Style::Template => Self::Template,
            Style::WriteThenExtract => Self::WriteThenExtract,
        }
    }
}

/// How a book is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// A person at a terminal is asked for what no option gives.
    Asking(Overwrite),
    /// Nothing is asked, now or later.
    Unattended(Overwrite),
}

impl Manner {
    const fn overwrite(self) -> Overwrite {
        match self {
            Self::Asking(overwrite) | Self::Unattended(overwrite) => overwrite,
        }
    }
}

pub(crate) fn run(context: &Context, args: &InitArgs) -> CommandResult {
    let overwrite = if args.force {
        Overwrite::Replace
    } else {
        Overwrite::Refuse
    };
    let manner = if args.yes {
        Manner::Unattended(overwrite)
    } else {
        Manner::Asking(overwrite)
    };
    create(context, args.dir.as_deref(), &args.book, manner)
}

/// Makes a book.
pub(super) fn create(
    context: &Context,
    dir: Option<&Path>,
    book: &BookArgs,
    manner: Manner,
) -> CommandResult {
    let root = context.new_place(dir, &context.here)?;
    let prompter = match manner {
        Manner::Asking(_) => Prompter::of(&context.printer),
        Manner::Unattended(_) => None,
    };
    if root.is_dir() {
        let store = context.files(&root)?;
        let wanted = prompter.is_none().then(|| given(book, manner));
        if manner.overwrite() == Overwrite::Refuse
            && let Some(report) = init::take_up(&store, context.clock, wanted.as_ref())?
        {
            return Ok(told(context, &root, report, manner));
        }
        // What cannot be done is said before anything is asked.
        init::check_place(&store, manner.overwrite())?;
    }
    let options = match &prompter {
        Some(prompter) => asked(book, manner, prompter)?,
        None => given(book, manner),
    };
    check_style(&options)?;
    let report = init::init(&context.create(&root)?, context.clock, &options)?;
    Ok(told(context, &root, report, manner))
}

/// What is said about a new project.
fn told(context: &Context, root: &Path, report: InitReport, manner: Manner) -> Output {
    let written: String = report
        .written
        .iter()
        .map(|path| format!("{path}\n"))
        .collect();
    let shown = context.shown(root);
    let mut output = Output::new(report.answer()).text(written);
    output = if shown.is_empty() {
        output.note(message!(en: "The project is ready.", zh: "项目已就绪。"))
    } else {
        output.note(message!(
            en: "The project is ready: `cd {shown}`.", zh: "项目已就绪：`cd {shown}`。"
        ))
    };
    output = output.note(match manner {
        Manner::Asking(_) => message!(
            en: "Review `brief.md`, then run `novel start`.",
            zh: "请检查 `brief.md`，然后运行 `novel start`。"
        ),
        Manner::Unattended(_) => message!(
            en: "`novel run --to N` sets it up, plans it and writes it without asking.",
            zh: "`novel run --to N` 会自动完成筹备、规划和写作，中途不询问。"
        ),
    });
    output.until_printed(report.lock)
}

fn given(book: &BookArgs, manner: Manner) -> InitOptions {
    InitOptions {
        title: book.title.clone(),
        author: book.author.clone(),
        language: book
            .language
            .unwrap_or_else(|| language::of_new_book(&Environment::read())),
        genre: book.genre.clone(),
        protagonist: book.protagonist.clone(),
        conflict: book.conflict.clone(),
        brief: book.brief.clone(),
        style: style(book),
        approval: match manner {
            Manner::Asking(_) => ApprovalPolicy::Ask,
            Manner::Unattended(_) => ApprovalPolicy::Unattended,
        },
        overwrite: manner.overwrite(),
    }
}

/// A template or an author names the source as well.
fn style(book: &BookArgs) -> StyleConfig {
    let implied = || match (&book.style_template, &book.style_reference) {
        (Some(_), _) => Some(StyleSource::Template),
        (None, Some(_)) => Some(StyleSource::Reference),
        (None, None) => None,
    };
    StyleConfig {
        source: book.style_source.map(Into::into).or_else(implied),
        template: book.style_template.clone(),
        reference: book.style_reference.clone(),
    }
}

/// A style that cannot be had is refused before anything is written.
fn check_style(options: &InitOptions) -> Result<(), UsageError> {
    if let Some(problem) = init::unknown_template(&options.style, options.language) {
        let hint = problem.hint.unwrap_or_default();
        return Err(UsageError::new(problem.message, hint));
    }
    let nobody =
        options.style.source == Some(StyleSource::Reference) && options.style.reference.is_none();
    if nobody {
        return Err(UsageError::new(
            message!(en: "no author to imitate is given", zh: "没有指明参照哪位作者"),
            message!(en: "add `--style-reference AUTHOR`", zh: "请加 `--style-reference 作者`"),
        ));
    }
    Ok(())
}

/// The options of [`given`], with a question for each one that is not given. Every answer may be empty.
fn asked(book: &BookArgs, manner: Manner, prompter: &Prompter) -> Result<InitOptions, Failure> {
    let mut options = given(book, manner);
    if book.language.is_none() {
        let languages = [Lang::Zh, Lang::En];
        let question = message!(en: "Language of the book", zh: "作品语言");
        let names = ["中文", "English"].map(str::to_owned).to_vec();
        options.language = languages[prompter.choose(&question, names)?];
    }
    let fill = |place: &mut Option<String>, question: Message| -> Result<(), PromptError> {
        if place.is_none() {
            let help = message!(en: "press Enter to leave it open", zh: "直接回车表示暂不填写");
            *place = prompter.text(&question, &help)?;
        }
        Ok(())
    };
    fill(&mut options.title, message!(en: "Title", zh: "书名"))?;
    // A brief in the author's own words says all of this.
    if options.brief.is_none() {
        fill(&mut options.genre, message!(en: "Genre", zh: "题材"))?;
        fill(
            &mut options.protagonist,
            message!(en: "Protagonist: name, and who they are", zh: "主角：姓名与身份"),
        )?;
        fill(
            &mut options.conflict,
            message!(en: "Core conflict", zh: "核心冲突"),
        )?;
    }
    if options.style.source.is_none() {
        options.style = asked_style(options.language, prompter)?;
    }
    if options.style.source == Some(StyleSource::Reference) {
        fill(
            &mut options.style.reference,
            message!(en: "Author to imitate", zh: "参照哪位作者"),
        )?;
    }
    Ok(options)
}

fn asked_style(language: Lang, prompter: &Prompter) -> Result<StyleConfig, PromptError> {
    let templates = init::style_templates(language);
    let colon = match language {
        Lang::En => ": ",
        Lang::Zh => "：",
    };
    let mut items: Vec<String> = templates
        .iter()
        .map(|style| format!("{}{colon}{}", style.title, style.description))
        .collect();
    let others = [
        (
            StyleSource::WriteThenExtract,
            message!(en: "Write first, measure the style later", zh: "先写，再从成稿提取"),
        ),
        (
            StyleSource::Original,
            message!(en: "My own texts, in samples/", zh: "我自己的文字，放在 samples/"),
        ),
        (
            StyleSource::Reference,
            message!(en: "In the style of an author", zh: "参照一位作者"),
        ),
    ];
    items.extend(others.iter().map(|(_, label)| prompter.say(label)));
    let chosen = prompter.choose(&message!(en: "Style", zh: "文风"), items)?;
    Ok(match templates.get(chosen) {
        Some(template) => StyleConfig {
            source: Some(StyleSource::Template),
            template: Some(template.name.clone()),
            reference: None,
        },
        None => StyleConfig {
            source: others
                .get(chosen - templates.len())
                .map(|(source, _)| *source),
            ..StyleConfig::default()
        },
    })
}
