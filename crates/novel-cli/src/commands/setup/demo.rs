//! `novel demo [DIR]`.

use std::path::{Path, PathBuf};

use novel_app::{
    Project,
    executor::ExecutorKind,
    setup::demo,
    write::run::{Approval, FromError, Goal},
};
use novel_contract::setup::DemoAnswer;
use novel_model::{ChapterNo, Lang, Message, RelPath, VolumeNo, layout, message};

use crate::{
    args::book_language,
    commands::library::studio,
    context::Context,
    output::{CommandResult, Output},
    ui::labels,
    ui::table,
    writing::{self, Wish},
};

/// Directory of the demo book.
const DIR: &str = "novel-demo";

/// Make a small book and write its first chapters, without key or network
///
/// The volume is planned: cast, rules, two storylines that meet, foreshadowing. The chapters are
/// written by the offline author, which is not a language model: it shows how the program works,
/// not how well a model writes. After a crash, run the same command again to continue.
#[derive(clap::Args, Debug)]
pub(crate) struct DemoArgs {
    /// Directory of the book; `novel-demo` by default
    dir: Option<PathBuf>,

    /// Language of the book; that of `--lang`, or else `zh-CN`
    #[arg(long, value_name = "LANG", value_parser = book_language())]
    pub(crate) language: Option<Lang>,

    /// Chapters to write; with 0 the book is only planned
    #[arg(long, value_name = "N", default_value_t = 3)]
    chapters: u32,

    /// Open the book in a browser afterwards
    #[arg(long)]
    studio: bool,
}

pub(crate) fn run(context: &Context, args: &DemoArgs) -> CommandResult {
    let root = context.new_place(args.dir.as_deref(), Path::new(DIR))?;
    let language = args.language.or(context.asked_lang).unwrap_or(Lang::Zh);
    let store = context.create(&root)?;
    let book = demo::create(&store, language)?;
    let project = Project::open(store, context.clock)?;
    let shown = match context.shown(&root) {
        here if here.is_empty() => ".".to_owned(),
        shown => shown,
    };
    let written = writing::write_holding(
        context,
        &project,
        Wish {
            goal: Goal::Chapters(args.chapters.saturating_sub(book.chapters)),
            from_error: FromError::Retry,
            executor: Some(ExecutorKind::Offline),
            approval: Approval::Author,
        },
        &book.lock,
    )?;
    let title = project.config().title.clone().unwrap_or_default();
    let data = DemoAnswer {
        run: written.report.answer(context.lang),
        directory: shown.clone(),
        title: title.clone(),
        executor: written.executor.map(ExecutorKind::answer),
        made: book.made.iter().map(RelPath::to_string).collect(),
    };
    let Message { en, zh } = labels::offline_author();
    let newest = written.seen.finished.last().map(|chapter| chapter.chapter);
    let last = newest.or(ChapterNo::new(book.chapters));
    let written_by = match last.map_or(0, ChapterNo::get) {
        0 => message!(en: "nothing is written yet", zh: "尚未写任何一章"),
        1 => message!(en: "its first chapter is by the {en}", zh: "第 1 章由{zh}写成"),
        count => message!(
            en: "its first {count} chapters are by the {en}", zh: "前 {count} 章由{zh}写成"
        ),
    };
    let head = Message {
        en: format!(
            "\nThe demo book \"{title}\" is in `{shown}`; {}.\n",
            written_by.en
        ),
        zh: format!("\n样书《{title}》在 `{shown}`，{}。\n", written_by.zh),
    };
    let rows: Vec<Vec<String>> = places(&shown, last)
        .into_iter()
        .map(|(place, what)| vec![format!("  {place}"), what.get(context.lang).to_owned()])
        .collect();
    let text = format!("{}{}", head.get(context.lang), table::align(&rows));
    if args.studio {
        context.printer.say(&text);
        book.lock.release()?;
        return studio::serve(context, Some(root), 0, studio::Opening::Browser);
    }
    Ok(Output::new(data)
        .text(text)
        .warnings(&written.report.warnings)
        .about_config(project.warnings())
        .until_printed(book.lock))
}

/// What to look at and what to type.
fn places(shown: &str, last: Option<ChapterNo>) -> Vec<(String, Message)> {
    let volume = VolumeNo::first();
    let chapter = last.map(|chapter| {
        (
            format!("{shown}/{}", layout::chapter_markdown(chapter)),
            message!(en: "the last chapter", zh: "最新一章"),
        )
    });
    let state = last.map(|_| {
        (
            format!("{shown}/{}", layout::state()),
            message!(en: "what is true in the story now", zh: "故事的当前状态"),
        )
    });
    let mut places: Vec<(String, Message)> = chapter.into_iter().collect();
    places.extend([(
        format!("{shown}/{}", layout::outline(volume)),
        message!(en: "the plan of the volume", zh: "本卷大纲"),
    )]);
    places.extend(state);
    places.extend([
        (
            format!("cd {shown} && novel status"),
            message!(en: "where the book stands", zh: "查看进展"),
        ),
        (
            "novel continue".to_owned(),
            message!(en: "write the next chapter", zh: "续写下一章"),
        ),
    ]);
    places
}
