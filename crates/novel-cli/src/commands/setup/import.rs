//! `novel import FILE...`.

mod analyse;

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use novel_app::{
    Project, Store,
    library::import::{
        self, EncodingName, HeadingPattern, ImportOptions, ImportPlan, ImportReport, Imported, Odd,
        Place, PlannedChapter, Reading,
    },
    setup::outline,
    write::commit::CommitMode,
};
use novel_contract::setup::{ImportAnalysed, ImportLeft, OutlineTaken};
use novel_model::{Failure, Lang, Message, counted, message};

use crate::{
    args::book_language,
    context::Context,
    error::CliError,
    input::{LARGE, Source},
    locate::{self, Need, Wanted},
    output::{CommandResult, Output},
    ui::printer::{Format, visible},
    ui::table::{self, Side},
    writing::Executor,
};

/// Make a project from a novel you already have
///
/// Takes txt (UTF-8, UTF-16, GB18030 and others, detected), Markdown or EPUB, and splits it at its
/// headings: `第十二章`, `第12回`, `Chapter XII`, `ADVENTURE I.`, `IV.`, volumes, prologue, epilogue, or
/// those `--heading` describes. A table of contents and the Project Gutenberg header and licence
/// are skipped, and hard-wrapped lines are joined. Several files make one book. The chapters are
/// shown before they are written, all in one operation that `novel undo` reverts. The project is
/// the one around the current directory if it is empty; otherwise a new one is made. With
/// `--analyse` agents read the imported chapters, so that the next volume can be planned: cast,
/// places, rules and open threads, each with a quotation from the text, then summaries, state and
/// style. A chapter longer than the budget is read in parts. The cost is estimated first, and what
/// was read is not read again. `--outline FILE` takes your own outline as the plan of the volume
/// that is due, also without novel files; `novel plan approve` puts it into the book.
#[derive(clap::Args, Debug)]
pub(crate) struct ImportArgs {
    /// Files of the novel, in order; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present_any = ["analyse", "outline"])]
    files: Vec<PathBuf>,

    /// Directory of the project; created if it does not exist
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,

    /// Title of the book, if the file does not say it
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Name of the author, if the file does not say it
    #[arg(long, value_name = "TEXT")]
    author: Option<String>,

    /// Language of a new book; told from the text by default
    #[arg(long, value_name = "LANG", value_parser = book_language())]
    pub(crate) language: Option<Lang>,

    /// Encoding of the files, such as `gb18030`; detected by default
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,

    /// What headings of chapters look like, such as `ADVENTURE {number}. {title}`
    #[arg(long, value_name = "PATTERN")]
    heading: Option<String>,

    /// Show the chapters and write nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,

    /// Write, and analyse, without asking
    #[arg(long)]
    yes: bool,

    /// Read the chapters: cast, places, rules, threads, summaries, state, style; without FILE those imported before
    #[arg(long, conflicts_with = "dry_run")]
    analyse: bool,

    /// Your own outline of the next volume, as `outline.md` is written (docs/files.md)
    #[arg(long, value_name = "FILE")]
    outline: Option<PathBuf>,

    /// Who runs the agents, instead of `executor` in novel.toml
    #[arg(long, value_name = "KIND", value_enum, requires = "analyse")]
    executor: Option<Executor>,
}

/// Whether to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    Write,
    /// The author said no, or only wanted to look.
    Leave,
    /// There is nobody to ask.
    NobodyToAsk,
}

pub(crate) fn run(context: &Context, args: &ImportArgs) -> CommandResult {
    if let (true, false, Some(path)) = (args.files.is_empty(), args.analyse, &args.outline) {
        let project = context.project()?;
        let mode = match args.dry_run {
            true => CommitMode::DryRun,
            false => CommitMode::Apply,
        };
        let (answer, note) = take_outline(context, &project, path, mode)?;
        let output = Output::new(answer).note(note);
        return Ok(output.about_config(project.warnings()));
    }
    if args.files.is_empty() {
        let project = context.project()?;
        let worked = analyse::analyse(context, args, &project)?;
        let mut data = ImportAnalysed {
            analysed: worked.answer,
            outline: None,
            warnings: Vec::new(),
        };
        let mut notes = worked.notes;
        if let Some(path) = &args.outline {
            let (taken, note) = take_outline(context, &project, path, CommitMode::Apply)?;
            data.outline = Some(taken);
            notes.push(note);
        }
        let output = Output::new(data).warnings(&worked.warnings);
        let output = notes.into_iter().fold(output, Output::note);
        return Ok(output.about_config(project.warnings()));
    }
    let source = read(args)?;
    let options = ImportOptions {
        title: args.title.clone(),
        author: args.author.clone(),
        language: args.language,
    };
    let plan = import::plan(source, &options)?;
    let root = place(context, args)?;
    let there = root.is_dir().then(|| Store::open(&root)).transpose()?;
    if let Some(store) = &there
        && import::is_imported(store, context.clock, &plan)?
    {
        return finish(context, args, store.clone(), plan.done_before(), "");
    }
    let place = import::inspect(there.as_ref())?;
    let shown = context.shown(&root);
    let preview = preview(&plan, context.lang);
    let text_wanted = context.printer.format == Format::Text;
    if text_wanted {
        context
            .printer
            .data(&preview)
            .map_err(|source| CliError::Output { source })?;
    }
    for warning in &plan.warnings {
        context.printer.warning(warning);
    }
    context.printer.note(&summary(&plan));
    match decide(context, args, place, &shown) {
        Decision::Write => {
            let store = context.create(&root)?;
            let report = import::write(&store, context.clock, plan)?;
            finish(context, args, store, report, &shown)
        }
        Decision::Leave => Ok(left(context, &plan, None)),
        Decision::NobodyToAsk => Ok(left(context, &plan, Some(same_with_yes()))),
    }
}

/// Has the chapters that are in the book read, and takes the outline, where that is asked for.
fn finish(
    context: &Context,
    args: &ImportArgs,
    store: Store,
    report: ImportReport,
    shown: &str,
) -> CommandResult {
    let notes = written(&report, shown);
    let mut data = report.answer(context.lang);
    if !args.analyse && args.outline.is_none() {
        let output = notes.into_iter().fold(Output::new(data), Output::note);
        return Ok(output.note(message!(
            en: "`novel import --analyse` reads the chapters for cast, threads, summaries and \
                style; then continue with `novel start`.",
            zh: "用 `novel import --analyse` 通读各章，取出人物、线索、摘要与文风；然后用 `novel start` 继续。"
        )));
    }
    for note in &notes {
        context.printer.note(note);
    }
    let project = Project::open(store, context.clock)?;
    let (mut notes, mut warnings) = (Vec::new(), Vec::new());
    if args.analyse {
        let worked = analyse::analyse(context, args, &project)?;
        data.analysed = Some(worked.answer);
        notes.extend(worked.notes);
        warnings = worked.warnings;
    }
    if let Some(path) = &args.outline {
        let (taken, note) = take_outline(context, &project, path, CommitMode::Apply)?;
        data.outline = Some(taken);
        notes.push(note);
    }
    let output = Output::new(data).warnings(&warnings);
    Ok(notes.into_iter().fold(output, Output::note))
}

/// Takes an outline as the plan of the volume that is due.
fn take_outline(
    context: &Context,
    project: &Project,
    path: &Path,
    mode: CommitMode,
) -> Result<(OutlineTaken, Message), Failure> {
    let source = Source::of(path);
    let text = source.text()?;
    let report = outline::take(project, &source.name(), &text, mode)?;
    let (volume, (first, last)) = (report.volume.get(), report.chapters);
    let (first, last) = (first.get(), last.get());
    let is_written = mode == CommitMode::Apply;
    let note = if is_written {
        message!(
            en: "The outline is now the plan of volume {volume}: chapters {first} to {last}. Read \
                it with `novel plan show`; `novel plan approve` puts it into the book.",
            zh: "大纲已作为第 {volume} 卷的规划暂存：第 {first} 至 {last} 章。用 `novel plan show` 查看，`novel plan approve` 批准。"
        )
    } else {
        message!(
            en: "The outline can be the plan of volume {volume}: chapters {first} to {last}. Nothing was written.",
            zh: "大纲可以作为第 {volume} 卷的规划：第 {first} 至 {last} 章。没有写入。"
        )
    };
    Ok((report.answer(is_written, context.lang), note))
}

fn read(args: &ImportArgs) -> Result<Imported, Failure> {
    let encoding = args
        .encoding
        .as_deref()
        .map(EncodingName::parse)
        .transpose()?;
    let heading = args.heading.as_deref();
    let heading = heading.map(str::parse::<HeadingPattern>).transpose()?;
    let reading = Reading { encoding, heading };
    let mut files = Vec::new();
    for path in &args.files {
        let source = Source::of(path);
        files.push((source.name(), source.bytes_within(LARGE)?));
    }
    Ok(import::import_all(&files, &reading)?)
}

/// The project named, or the empty one around, or else the current directory.
fn place(context: &Context, args: &ImportArgs) -> Result<PathBuf, Failure> {
    if args.into.is_none()
        && context.wanted == Wanted::Nearest
        && let Ok(root) = locate::locate(&Wanted::Nearest, &context.here, Need::Project)
    {
        return Ok(root);
    }
    context.new_place(args.into.as_deref(), &context.here)
}

fn decide(context: &Context, args: &ImportArgs, place: Place, shown: &str) -> Decision {
    if args.dry_run {
        return Decision::Leave;
    }
    if args.yes {
        return Decision::Write;
    }
    if args.files.iter().any(|path| path == Path::new("-")) {
        return Decision::NobodyToAsk;
    }
    let here = if shown.is_empty() { "." } else { shown };
    let question = match place {
        Place::New => message!(
            en: "Create a project in `{here}`? [y/N] ", zh: "在 `{here}` 中建立项目吗？[y/N] "
        ),
        Place::Project => message!(
            en: "Write the chapters to the project `{here}`? [y/N] ",
            zh: "把这些章节写入项目 `{here}` 吗？[y/N] "
        ),
    };
    asked(context, &question)
}

/// Asks, where there is somebody to ask.
fn asked(context: &Context, question: &Message) -> Decision {
    let can_ask = io::stdin().is_terminal() && io::stderr().is_terminal();
    if !can_ask || context.printer.format == Format::Json {
        return Decision::NobodyToAsk;
    }
    context.printer.progress(question.get(context.lang));
    let mut answer = String::new();
    // Whoever cannot answer has not agreed.
    let _ = io::stdin().read_line(&mut answer);
    let agreed = ["y", "yes", "是", "好"].contains(&answer.trim().to_lowercase().as_str());
    if agreed {
        Decision::Write
    } else {
        Decision::Leave
    }
}

/// What to say about the chapters that were written.
fn written(report: &ImportReport, shown: &str) -> Vec<Message> {
    let count = report.plan.chapters.len();
    let (chapters, words) = (counted(count, "chapter"), report.plan.words());
    let mut notes = vec![match report.before {
        false => message!(
            en: "Imported {chapters}, {words} words; `novel undo` reverts it.",
            zh: "已导入 {count} 章，{words} 字；用 `novel undo` 可以撤销。"
        ),
        true => message!(
            en: "These {chapters}, {words} words, are already in the book: an earlier import is complete.",
            zh: "这 {count} 章、{words} 字已在书中：此前的导入是完整的。"
        ),
    }];
    if let Some(front) = &report.front {
        notes.push(message!(
            en: "The text before the first chapter is in `{front}`.",
            zh: "第一章之前的文字在 `{front}`。"
        ));
    }
    if !shown.is_empty() {
        notes.push(message!(
            en: "The project is ready: `cd {shown}`.", zh: "项目已就绪：`cd {shown}`。"
        ));
    }
    notes
}

fn left(context: &Context, plan: &ImportPlan, command: Option<String>) -> Output {
    let output = Output::new(ImportLeft {
        plan: plan.answer(context.lang),
        written: false,
        command: command.clone(),
    });
    match command {
        Some(command) => output.note(message!(
            en: "Nothing was written. Write the chapters with `{command}`.",
            zh: "尚未写入。用 `{command}` 写入这些章节。"
        )),
        None => output.note(message!(en: "Nothing was written.", zh: "没有写入。")),
    }
}

/// What was typed, and `--yes`.
fn same_with_yes() -> String {
    let plain = |char: char| char.is_alphanumeric() || "-_./=,:@%+~".contains(char);
    let mut words = vec!["novel".to_owned()];
    for argument in std::env::args_os().skip(1) {
        let argument = argument.to_string_lossy().into_owned();
        words.push(if !argument.is_empty() && argument.chars().all(plain) {
            argument
        } else {
            format!("'{}'", argument.replace('\'', "'\\''"))
        });
    }
    words.push("--yes".to_owned());
    words.join(" ")
}

fn summary(plan: &ImportPlan) -> Message {
    let (count, words, encoding) = (plan.chapters.len(), plan.words(), plan.encoding());
    let chapters = counted(count, "chapter");
    let volumes = plan.volumes().count();
    let odd = plan
        .chapters
        .iter()
        .filter(|chapter| !chapter.odd.is_empty())
        .count();
    let parts = match volumes {
        0 => message!(en: "{chapters}", zh: "共 {count} 章"),
        _ => {
            let several = counted(volumes, "volume");
            message!(en: "{chapters} in {several}", zh: "共 {volumes} 卷 {count} 章")
        }
    };
    let oddities = match odd {
        0 => Message::default(),
        1 => message!(en: "; 1 looks odd (see `!`)", zh: "；1 章可疑，见 `!`"),
        _ => message!(en: "; {odd} look odd (see `!`)", zh: "；{odd} 章可疑，见 `!`"),
    };
    let (en, zh) = (parts.en, parts.zh);
    let (odd_en, odd_zh) = (oddities.en, oddities.zh);
    Message {
        en: format!("{en}, {words} words, read as {encoding}{odd_en}."),
        zh: format!("{zh}，{words} 字，按 {encoding} 读取{odd_zh}。"),
    }
}

/// Number, heading, words, and what is odd, one line for each chapter.
fn preview(plan: &ImportPlan, lang: Lang) -> String {
    let volumes: Vec<&str> = plan.volumes().collect();
    let rows: Vec<Vec<String>> = plan
        .chapters
        .iter()
        .map(|chapter| row(chapter, &volumes, lang))
        .collect();
    let head: String = match (&plan.title, &plan.author) {
        (Some(title), Some(author)) => format!("{title} — {author}\n"),
        (Some(title), None) => format!("{title}\n"),
        _ => String::new(),
    };
    let table = table::columns(&rows, &[Side::Right, Side::Right]);
    // Cells may be empty at the end of a row.
    let table: String = table
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect();
    format!("{head}{table}")
}

fn row(chapter: &PlannedChapter, volumes: &[&str], lang: Lang) -> Vec<String> {
    let index = usize::try_from(chapter.volume.get() - 1).unwrap_or_default();
    let heading = match (chapter.heading.is_empty(), chapter.title.is_empty()) {
        (false, _) => chapter.heading.clone(),
        (true, false) => chapter.title.clone(),
        (true, true) => message!(en: "(no heading)", zh: "（无标题）")
            .get(lang)
            .to_owned(),
    };
    let odd: Vec<String> = chapter.odd.iter().map(|odd| odd_word(*odd, lang)).collect();
    let marks = if odd.is_empty() {
        String::new()
    } else {
        format!("! {}", odd.join(", "))
    };
    let mut cells = vec![
        chapter.chapter.get().to_string(),
        chapter.words.to_string(),
        visible(&heading).into_owned(),
    ];
    if volumes.len() > 1 {
        cells.push(visible(volumes.get(index).copied().unwrap_or_default()).into_owned());
    }
    cells.push(marks);
    cells
}

fn odd_word(odd: Odd, lang: Lang) -> String {
    let text = match odd {
        Odd::Empty => message!(en: "empty", zh: "空"),
        Odd::VeryShort => message!(en: "very short", zh: "过短"),
        Odd::VeryLong => message!(en: "very long", zh: "过长"),
        Odd::Gap { expected } => message!(
            en: "number {expected} expected", zh: "此前应为第 {expected} 章"
        ),
        Odd::Duplicate => message!(en: "number seen before", zh: "编号重复"),
        Odd::Unreadable => message!(en: "number not readable", zh: "编号无法识别"),
    };
    text.get(lang).to_owned()
}
