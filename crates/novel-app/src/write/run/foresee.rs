//! The prompts of a whole chapter, tried before its first call is paid for.

use novel_book::{edit::Edit, next::Round, scenes::Part};
use novel_model::{ChapterNo, ChapterStage, Lang, StepId, files::JudgeRole, layout};
use novel_prompt::{
    packet::{self, PacketMode, Request},
    prompt::PromptError,
};
use serde_json::json;

use crate::{Book, Project, runner::prompt_for};

/// Words of a chapter whose length nobody has set.
const USUAL_WORDS: u64 = 4_000;

/// Whether the prompts of the later steps will be too large, with a stand-in for the chapter that is to
/// be written. Whatever else is wrong with them is said when they are due.
pub(super) fn foresee(
    project: &Project,
    view: &Book<'_>,
    chapter: ChapterNo,
) -> Result<(), PromptError> {
    let config = project.config();
    let words = config.chapter.max_words.unwrap_or(USUAL_WORDS);
    let words = usize::try_from(words.min(100_000)).unwrap_or_default();
    let (word, line) = match config.lang() {
        Lang::Zh => ("字", 50),
        Lang::En => ("words ", 12),
    };
    let line = format!("{}\n\n", word.repeat(line));
    let text = line.repeat(words.div_ceil(line.trim_end().len() / word.len()).max(1));
    let mut stand_in = Edit::on(view.reader());
    let number = chapter.get();
    stand_in.write(
        layout::staged_chapter(chapter),
        format!("# {number}\n\n{text}"),
    );
    stand_in.write(
        layout::staged_crossref(chapter),
        json!({"storyline_id": "main"}).to_string(),
    );
    let book = project.files(&stand_in, view.checkpoint.get());
    for stage in [
        ChapterStage::Summarize,
        ChapterStage::Refine,
        ChapterStage::Judge,
    ] {
        let request = Request {
            step: StepId::Chapter(chapter, stage),
            round: Round::First,
            judge: JudgeRole::Primary,
            part: Part::Whole,
            mode: PacketMode::Embed,
        };
        let Ok(packet) = packet::build(book, request) else {
            continue;
        };
        if let Err(error @ PromptError::TooLarge { .. }) = prompt_for(config, &stand_in, &packet) {
            return Err(error);
        }
    }
    Ok(())
}
