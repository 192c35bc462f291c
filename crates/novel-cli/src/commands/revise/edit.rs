//! `novel edit N`.

use std::{env, path::Path, process::Command};

use novel_app::{
    library::overview,
    revise::adopt,
    write::chapter::{self, Source},
};
use novel_model::{ChapterNo, Explain, Failure, Kind, Message, layout, message};

use crate::{
    args::WallArgs,
    context::Context,
    locate::Need,
    output::{CommandResult, Output},
    ui::labels,
    writing::{self, Executor},
};

/// Edit a chapter in your editor and adopt what you saved
///
/// Opens the chapter's Markdown in `$VISUAL` or `$EDITOR`. A chapter of the book is adopted as by
/// `novel adopt` when you leave the editor; a chapter that is being written is judged again by the
/// next `novel continue`. If nothing was changed, nothing happens.
#[derive(clap::Args, Debug)]
pub(crate) struct EditArgs {
    /// Chapter
    #[arg(allow_negative_numbers = true)]
    chapter: ChapterNo,

    #[command(flatten)]
    walls: WallArgs,

    /// Who runs the agents, instead of `executor` in novel.toml
    #[arg(long, value_name = "KIND", value_enum)]
    executor: Option<Executor>,
}

/// Why a chapter was not edited.
#[derive(Debug, thiserror::Error)]
enum NotEdited {
    /// No editor is named.
    #[error("no editor is named")]
    NoEditor {
        /// What would have been edited.
        file: String,
        /// The chapter.
        chapter: u32,
    },
    /// The editor did not end well.
    #[error("the editor `{editor}` failed")]
    Failed {
        /// The editor.
        editor: String,
        /// How it ended.
        how: String,
    },
}

impl Explain for NotEdited {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NoEditor { .. } => "NO_EDITOR",
            Self::Failed { .. } => "EDITOR_FAILED",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::NoEditor { .. } => message!(
                en: "neither `VISUAL` nor `EDITOR` names an editor",
                zh: "`VISUAL` 和 `EDITOR` 都没有设置编辑器"
            ),
            Self::Failed { editor, how } => message!(
                en: "the editor `{editor}` failed ({how}); nothing was adopted",
                zh: "编辑器 `{editor}` 异常退出（{how}）；没有采纳任何内容"
            ),
        }
    }

    fn hint(&self) -> Option<Message> {
        Some(match self {
            Self::NoEditor { file, chapter } => message!(
                en: "`EDITOR=nano novel edit {chapter}`, or edit `{file}` and run `novel adopt {chapter}`",
                zh: "`EDITOR=nano novel edit {chapter}`，或编辑 `{file}` 后运行 `novel adopt {chapter}`"
            ),
            Self::Failed { .. } => message!(
                en: "check the command in `VISUAL` or `EDITOR`",
                zh: "请检查 `VISUAL` 或 `EDITOR` 中的命令"
            ),
        })
    }
}

pub(crate) fn run(context: &Context, args: &EditArgs) -> CommandResult {
    let project = context.project()?.with_walls(args.walls.walls());
    let n = args.chapter.get();
    let shown = chapter::show(&project, args.chapter, None)?;
    let committed = shown.source == Source::Committed;
    let path = if committed {
        adopt::may_edit(&project, args.chapter)?;
        layout::chapter_markdown(args.chapter)
    } else {
        layout::staged_chapter(args.chapter)
    };
    let file = context.root(Need::Project)?.join(path.as_str());
    edit(&file, n)?;
    if !committed {
        return Ok(Output::new(shown.answer())
            .note(message!(
                en: "Saved in staging; `novel continue` continues with your text.",
                zh: "已保存在 staging；用 `novel continue` 按你的正文继续。"
            ))
            .about_config(project.warnings()));
    }
    // Whoever closes the editor without a change has done nothing wrong.
    if !overview::is_chapter_edited(&project, args.chapter)? {
        return Ok(Output::new(shown.answer())
            .note(message!(en: "Nothing changed.", zh: "没有变化。"))
            .about_config(project.warnings()));
    }
    let other = args.executor.map(Into::into);
    let report = writing::ask(context, &project, other, |runner| {
        adopt::adopt(runner, args.chapter)
    })?;
    let (before, after) = report.words;
    let output = Output::new(report.answer(context.lang)).warnings(&report.warnings);
    Ok(labels::note_later(output, &report.later)
        .note(message!(
            en: "Chapter {n} now has your text: {after} words (was {before}). `novel undo` reverts it.",
            zh: "第 {n} 章已采用你的正文：{after} 字（原 {before} 字）。`novel undo` 可撤销。"
        ))
        .about_config(project.warnings()))
}

/// Opens a file in the person's editor and waits for it to end.
fn edit(file: &Path, chapter: u32) -> Result<(), Failure> {
    let named = ["VISUAL", "EDITOR"].iter().find_map(|name| {
        let value = env::var(name).ok()?;
        (!value.trim().is_empty()).then_some(value)
    });
    let Some(editor) = named else {
        return Err(NotEdited::NoEditor {
            file: file.display().to_string(),
            chapter,
        }
        .into());
    };
    // An editor may be named with options; the file is an argument of its own, whatever its name.
    let ended = Command::new("sh")
        .arg("-c")
        .arg(format!("{editor} \"$1\""))
        .arg("novel-edit")
        .arg(file)
        .status();
    let how = match ended {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    Err(NotEdited::Failed { editor, how }.into())
}
