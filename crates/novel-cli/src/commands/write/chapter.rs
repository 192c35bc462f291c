//! `novel chapter generate|save|show N`.

use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use clap::Subcommand;
use novel_app::{
    library::{chapters, manuscripts},
    write::chapter::{self, DraftReport, Existing, ShownChapter, Source as Origin},
};
use novel_contract::look::{ChapterRow, ChapterState};
use novel_model::{
    ChapterNo, ContentHash, Failure, Lang, Message, SceneNo, counted, files::ScoredBy, message,
};

use crate::{
    commands::revise::publish,
    context::Context,
    error::CliError,
    input::Source,
    output::{CommandResult, Output},
    ui::printer::{Format, visible},
    ui::table::{self, Side},
    ui::{canvas, labels},
    writing::{self, Executor},
};

const TITLE: Style = Style::new().bold();
const SEPARATOR: Style = AnsiColor::BrightBlack.on_default();

/// Draft the next chapter, or read one
#[derive(clap::Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct ChapterArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Draft the next chapter and accept the draft
    ///
    /// Runs only the draft step; `novel continue` continues from there. A draft that already exists
    /// is kept and costs nothing.
    Generate {
        /// The chapter, which must be the next one
        #[arg(value_name = "N", allow_negative_numbers = true)]
        chapter: ChapterNo,

        /// Discard the chapter in progress (it goes to `archive/`) and write another draft
        #[arg(long)]
        force: bool,

        /// Who runs the agents, instead of `executor` in novel.toml
        #[arg(long, value_name = "KIND", value_enum)]
        executor: Option<Executor>,
    },
    /// Save an edited text of a written chapter
    ///
    /// Writes the chapter's Markdown if it has not changed since the edit began; `novel adopt`
    /// makes it the text of the book. One operation, which `novel undo` reverts.
    Save {
        /// The chapter
        #[arg(value_name = "N", allow_negative_numbers = true)]
        chapter: ChapterNo,

        /// The edited Markdown; standard input by default
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,

        /// Hash of the Markdown the edit began with, as `blake3:…`
        #[arg(long, value_name = "HASH")]
        base: ContentHash,
    },
    /// List the chapters: title, length, score, storyline, state
    ///
    /// Those in the book, the one being written, and those planned in this volume. A chapter whose
    /// Markdown was edited by hand and not adopted is marked, whatever its age; so are published and
    /// locked ones. Writes nothing.
    List,
    /// Print the text of a chapter
    ///
    /// The text is that of the committed chapter's JSON; a chapter that is not in the book yet is
    /// printed from staging, with a note. Writes nothing.
    Show {
        /// The chapter
        #[arg(value_name = "N", allow_negative_numbers = true)]
        chapter: ChapterNo,

        /// Only this scene
        #[arg(long, value_name = "S", allow_negative_numbers = true)]
        scene: Option<SceneNo>,
    },
    /// Lock chapters: nothing changes their titles and texts without `--published`
    Lock {
        /// A chapter, or a range such as 3..5
        #[arg(value_name = "N|A..B", value_parser = chapter_range)]
        chapters: (ChapterNo, ChapterNo),
    },
    /// Unlock chapters
    Unlock {
        /// A chapter, or a range such as 3..5
        #[arg(value_name = "N|A..B", value_parser = chapter_range)]
        chapters: (ChapterNo, ChapterNo),
    },
}

/// A chapter, or the first and last of several.
fn chapter_range(text: &str) -> Result<(ChapterNo, ChapterNo), String> {
    let number = |text: &str| text.trim().parse::<ChapterNo>().map_err(|e| e.to_string());
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (number(first)?, number(last.trim_start_matches('='))?),
        None => (number(text)?, number(text)?),
    };
    if first > last {
        return Err(format!("{} > {}", first.get(), last.get()));
    }
    Ok((first, last))
}

pub(crate) fn run(context: &Context, args: &ChapterArgs) -> CommandResult {
    match &args.action {
        Action::Generate {
            chapter,
            force,
            executor,
        } => generate(context, *chapter, existing(*force), *executor),
        Action::Save {
            chapter,
            file,
            base,
        } => save(context, *chapter, file.as_deref(), base),
        Action::List => list(context),
        Action::Show { chapter, scene } => show(context, *chapter, *scene),
        Action::Lock { chapters } => publish::lock(context, chapters.0, chapters.1, true),
        Action::Unlock { chapters } => publish::lock(context, chapters.0, chapters.1, false),
    }
}

/// What `--force` says.
pub(super) const fn existing(force: bool) -> Existing {
    if force {
        Existing::Replace
    } else {
        Existing::Reuse
    }
}

fn generate(
    context: &Context,
    chapter: ChapterNo,
    existing: Existing,
    executor: Option<Executor>,
) -> CommandResult {
    let project = context.project()?;
    let report = writing::ask(context, &project, executor.map(Into::into), |runner| {
        chapter::generate(runner, chapter, existing)
    })?;
    let n = chapter.get();
    Ok(Output::new(report.answer(context.lang))
        .text(format!("{}\n", drafted(&report).get(context.lang)))
        .warnings(&report.warnings)
        .about_config(project.warnings())
        .note(message!(
            en: "Go on with `novel continue`; `novel chapter show {n}` prints the draft.",
            zh: "用 `novel continue` 继续；`novel chapter show {n}` 查看草稿。"
        )))
}

fn save(
    context: &Context,
    chapter: ChapterNo,
    file: Option<&Path>,
    base: &ContentHash,
) -> CommandResult {
    let project = context.project()?;
    let text = Source::of(file.unwrap_or(Path::new("-"))).text()?;
    let report = manuscripts::save(&project, chapter, base, &text)?;
    let n = chapter.get();
    Ok(Output::new(report.answer())
        .about_config(project.warnings())
        .note(if report.unchanged {
            message!(en: "The file already has this text.", zh: "文件已是这份文本。")
        } else {
            message!(
                en: "Saved; `novel adopt {n}` makes it the text of the book.",
                zh: "已保存；用 `novel adopt {n}` 采纳为正文。"
            )
        }))
}

fn drafted(report: &DraftReport) -> Message {
    let draft = &report.chapter;
    let (number, title) = (draft.chapter_number.get(), &draft.chapter_title);
    let (words, scenes) = (draft.total_words, draft.scenes.len());
    let in_scenes = counted(scenes, "scene");
    if report.reused {
        message!(
            en: "The draft of chapter {number} \"{title}\" already exists ({words} words, {in_scenes})",
            zh: "第 {number} 章《{title}》的草稿已经写好（{words} 字，{scenes} 场）"
        )
    } else {
        message!(
            en: "Drafted chapter {number} \"{title}\" ({words} words, {in_scenes})",
            zh: "已写出第 {number} 章《{title}》的草稿（{words} 字，{scenes} 场）"
        )
    }
}

fn list(context: &Context) -> CommandResult {
    let project = context.project()?;
    let answer = chapters::list(&project)?;
    let lang = context.lang;
    let head = match lang {
        Lang::En => ["no.", "title", "words", "score", "line", "state"],
        Lang::Zh => ["章", "标题", "字数", "评分", "故事线", "状态"],
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(answer.chapters.iter().map(|row| listed(row, lang)));
    let (text, number) = (Side::Left, Side::Right);
    let sides = [number, text, number, number, text, text];
    let table = table::fitted(&rows, &sides, canvas::screen().line);
    let edited = answer.chapters.iter().filter(|row| row.edited);
    let edited: Vec<ChapterNo> = edited.map(|row| row.chapter).collect();
    let offline = |row: &ChapterRow| row.scored_by == Some(ScoredBy::OfflineAuthor);
    let is_offline = answer.chapters.iter().any(offline);
    let empty = answer.chapters.is_empty();
    let mut output = Output::new(answer).about_config(project.warnings());
    if empty {
        return Ok(output.note(message!(en: "There are no chapters yet.", zh: "还没有章节。")));
    }
    output = output.text(table);
    if is_offline {
        output = output.note(labels::offline_scores());
    }
    Ok(match edited.first() {
        Some(first) => {
            let first = first.get();
            output.note(message!(
                en: "Edited by hand: `novel diff {first}` shows the edit, `novel adopt {first}` makes it the text.",
                zh: "有手工改动：`novel diff {first}` 查看，`novel adopt {first}` 采纳为正文。"
            ))
        }
        None => output,
    })
}

fn listed(row: &ChapterRow, lang: Lang) -> Vec<String> {
    let state = match row.state {
        ChapterState::Committed if row.published => message!(en: "published", zh: "已发布"),
        ChapterState::Committed => message!(en: "written", zh: "已入书"),
        ChapterState::Pending => message!(en: "waits for you", zh: "等你处理"),
        ChapterState::InFlight => message!(en: "being written", zh: "写作中"),
        ChapterState::Planned => message!(en: "planned", zh: "已规划"),
    };
    let mut state = state.get(lang).to_owned();
    if row.locked {
        state.push_str(match lang {
            Lang::En => ", locked",
            Lang::Zh => "，已锁定",
        });
    }
    if row.edited {
        state.push_str(match lang {
            Lang::En => ", edited",
            Lang::Zh => "，有手工改动",
        });
    }
    vec![
        row.chapter.get().to_string(),
        row.title.clone(),
        row.words
            .map_or_else(|| labels::UNKNOWN.to_owned(), |words| words.to_string()),
        labels::marked_score(row.overall, row.scored_by),
        row.storyline_id
            .as_ref()
            .map_or_else(|| labels::UNKNOWN.to_owned(), ToString::to_string),
        state,
    ]
}

fn show(context: &Context, chapter: ChapterNo, scene: Option<SceneNo>) -> CommandResult {
    let project = context.project()?;
    let shown = chapter::show(&project, chapter, scene)?;
    if context.printer.format == Format::Text {
        print(context, &shown, project.config().lang())?;
    }
    Ok(Output::new(shown.answer())
        .note(origin(&shown))
        .about_config(project.warnings()))
}

/// The rendering of the chapter; at a terminal its title and its separators stand out.
fn print(context: &Context, shown: &ShownChapter, lang: Lang) -> Result<(), Failure> {
    let text = shown.markdown(lang);
    let mut styled = String::with_capacity(text.len());
    for (index, line) in visible(&text).lines().enumerate() {
        let style = match (index, line) {
            (0, _) => TITLE,
            (_, "* * *") => SEPARATOR,
            _ => Style::new(),
        };
        styled.push_str(&format!("{style}{line}{style:#}\n"));
    }
    context
        .printer
        .styled_data(&styled)
        .map_err(|source| CliError::Output { source }.into())
}

/// Where the text comes from, on standard error.
fn origin(shown: &ShownChapter) -> Message {
    let (number, words) = (
        shown.chapter.chapter_number.get(),
        shown.chapter.scenes.iter().map(|scene| scene.word_count),
    );
    let words: u64 = words.sum();
    match shown.source {
        Origin::Committed => message!(
            en: "Chapter {number}, in the book: {words} words.",
            zh: "第 {number} 章，已在书中：{words} 字。"
        ),
        Origin::Staged(stage) => {
            let word = stage.map_or("-", |stage| stage.word());
            message!(
                en: "Chapter {number}, in staging ({word}), not in the book yet: {words} words.",
                zh: "第 {number} 章，暂存（{word}），尚未入书：{words} 字。"
            )
        }
        Origin::Draft => message!(
            en: "Chapter {number}, a draft: {words} words.", zh: "第 {number} 章，一份草稿：{words} 字。"
        ),
        Origin::Scenes => message!(
            en: "Chapter {number}, single scenes in staging, not merged yet: {words} words.",
            zh: "第 {number} 章，暂存的单场，尚未合并：{words} 字。"
        ),
    }
}
