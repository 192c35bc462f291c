//! `novel diff N [--with OPERATION]`.

use novel_app::library::chapters::{self, Difference, PieceKind};
use novel_contract::look::{ComparedWith, DiffAnswer, DiffChange, DiffPiece};
use novel_model::{ChapterNo, message};

use crate::{
    context::Context,
    output::{CommandResult, Output},
    ui::diff,
    ui::printer::Format,
};

/// Show what changed in a chapter
///
/// Your edit of the Markdown that is not adopted yet, or else the last change of the text, or with
/// `--with` the change since before that operation. Removed text is marked `[-` `-]`, added text
/// `{+` `+}`. Writes nothing.
#[derive(clap::Args, Debug)]
pub(crate) struct DiffArgs {
    /// The chapter
    #[arg(value_name = "N", allow_negative_numbers = true)]
    chapter: ChapterNo,

    /// Compare with the text before this operation; `novel log` lists them
    #[arg(long, value_name = "OPERATION")]
    with: Option<u64>,
}

pub(crate) fn run(context: &Context, args: &DiffArgs) -> CommandResult {
    let project = context.project()?;
    let found = chapters::diff(&project, args.chapter, args.with)?;
    if context.printer.format == Format::Text {
        context.print_styled(&diff::render(&found.pieces, context.lang))?;
    }
    let number = args.chapter.get();
    let note = match &found.with {
        ComparedWith::Edit => message!(
            en: "Your edit of `chapters/chapter-{number:03}.md`; `novel adopt {number}` makes it the text.",
            zh: "你对 `chapters/chapter-{number:03}.md` 的改动；`novel adopt {number}` 使之成为正文。"
        ),
        ComparedWith::Operation { operation } => message!(
            en: "Compared with the text before operation {operation}.", zh: "与操作 {operation} 之前相比。"
        ),
    };
    Ok(Output::new(answer(args.chapter, found)).note(note))
}

fn answer(chapter: ChapterNo, found: Difference) -> DiffAnswer {
    let piece = |piece: chapters::Piece| DiffPiece {
        change: match piece.kind {
            PieceKind::Same => DiffChange::Same,
            PieceKind::Gone => DiffChange::Removed,
            PieceKind::New => DiffChange::Added,
        },
        text: piece.text,
    };
    DiffAnswer {
        chapter,
        with: found.with,
        pieces: found.pieces.into_iter().map(piece).collect(),
    }
}
