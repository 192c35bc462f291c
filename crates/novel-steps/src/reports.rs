//! Reports on committed chapters as they lie there, and the gate after a commit that comes next.

use novel_book::{
    config::Config,
    manuscript::Manuscript,
    post_commit,
    review::{self as rules, BlockReason},
};
use novel_model::{
    BookReader, BrokenFile, ChapterNo, ChapterStage, ContentHash, Document, Problem,
    files::{Checkpoint, ConsistencyReport, GeneratedChapter, LogicReview, RevisionStatus},
    layout, message,
};
use serde_json::json;

use crate::{Refusal, StepError};

/// The reports on a committed chapter, as they lie there.
#[derive(Debug)]
pub struct Reports {
    /// Hash of its text.
    pub hash: ContentHash,
    /// Its logic review.
    pub logic_review: Option<LogicReview>,
    /// Its consistency report.
    pub consistency: Option<ConsistencyReport>,
    /// Its revision.
    pub revision: Option<RevisionStatus>,
    /// Why the logic review stops the book, if it does.
    pub blocks: Option<BlockReason>,
}

/// The text of a chapter of the book.
///
/// # Errors
/// When the book has no such chapter, or it is damaged.
pub fn committed(
    reader: &dyn BookReader,
    checkpoint: &Checkpoint,
    chapter: ChapterNo,
) -> Result<Document<GeneratedChapter>, StepError> {
    let newest = checkpoint.last_completed_chapter;
    if chapter.get() > newest {
        return Err(Refusal::NoSuchChapter {
            chapter: chapter.get(),
            newest,
        }
        .into());
    }
    let hint = message!(
        en: "run `novel doctor` to see what else is missing",
        zh: "运行 `novel doctor` 查看还缺少什么"
    );
    Ok(Document::require(
        reader,
        &layout::chapter_json(chapter),
        hint,
    )?)
}

/// Reads the reports on a chapter of the book.
///
/// # Errors
/// When the book has no such chapter, or a file is damaged.
pub fn read(
    config: &Config,
    reader: &dyn BookReader,
    checkpoint: &Checkpoint,
    chapter: ChapterNo,
) -> Result<Reports, StepError> {
    let manuscript = manuscript(config, reader, checkpoint, chapter)?;
    let logic_review = load::<LogicReview>(reader, &layout::logic_review(chapter))?;
    let min = config.logic_review_min_score.get();
    let current = logic_review
        .as_ref()
        .filter(|review| review.chapter_hash.as_ref() == Some(&manuscript.hash));
    let blocks = current.and_then(|review| rules::logic_blocks(review, min));
    Ok(Reports {
        hash: manuscript.hash,
        logic_review,
        consistency: load(reader, &layout::consistency(chapter))?,
        revision: load(reader, &layout::revision(chapter))?,
        blocks,
    })
}

pub(crate) fn load<T: novel_model::Format>(
    reader: &dyn BookReader,
    path: &novel_model::RelPath,
) -> Result<Option<T>, StepError> {
    Ok(Document::<T>::load(reader, path)?.map(Document::into_value))
}

/// A committed chapter in both forms.
pub fn manuscript(
    config: &Config,
    reader: &dyn BookReader,
    checkpoint: &Checkpoint,
    chapter: ChapterNo,
) -> Result<Manuscript, StepError> {
    let text = committed(reader, checkpoint, chapter)?;
    Ok(Manuscript::from_chapter(text.into_value(), config.lang()))
}

/// The gate after a commit that comes next, if any.
pub fn gate_due(
    config: &Config,
    reader: &dyn BookReader,
    checkpoint: &Checkpoint,
) -> Result<Option<(ChapterNo, ChapterStage)>, StepError> {
    if !post_commit::any(config) || checkpoint.inflight_chapter.is_some() {
        return Ok(None);
    }
    let mut chapters = review_again(checkpoint)?;
    chapters.extend(checkpoint.last_chapter());
    for chapter in chapters {
        let report = read(config, reader, checkpoint, chapter)?;
        let facts = post_commit::Facts {
            hash: &report.hash,
            consistency: report.consistency.as_ref(),
            logic_review: report.logic_review.as_ref(),
            revision: report.revision.as_ref(),
        };
        if let Some(stage) = post_commit::due(config, facts) {
            return Ok(Some((chapter, stage)));
        }
    }
    Ok(None)
}

/// The pending action that asks for another review of a changed chapter.
pub(crate) const REVIEW_AGAIN: &str = "logic_review";

/// Earlier chapters whose text has changed since they were reviewed, ascending.
fn review_again(checkpoint: &Checkpoint) -> Result<Vec<ChapterNo>, BrokenFile> {
    let actions = checkpoint.pending_actions.iter().enumerate();
    let mut chapters = actions
        .filter(|(_, action)| action.get("action") == Some(&json!(REVIEW_AGAIN)))
        .map(|(at, action)| {
            let chapter = action.get("chapter").cloned().unwrap_or_default();
            serde_json::from_value(chapter).map_err(|_| no_chapter(at))
        })
        .collect::<Result<Vec<ChapterNo>, _>>()?;
    chapters.sort_unstable();
    chapters.dedup();
    Ok(chapters)
}

fn no_chapter(at: usize) -> BrokenFile {
    let text = message!(
        en: "the action `{REVIEW_AGAIN}` names no chapter",
        zh: "待办 `{REVIEW_AGAIN}` 没有写明章号"
    );
    let problem = Problem::new("no_chapter", &layout::checkpoint(), text)
        .at(format!("/pending_actions/{at}/chapter"))
        .hint(message!(
            en: "write the number of the chapter that is to be reviewed again, or take the action out",
            zh: "请写上需要重新审查的章号，或删去这一条"
        ));
    BrokenFile::new(problem)
}

/// Notes that the gates of an earlier chapter are to be passed again: its text changed.
pub fn ask_again(checkpoint: &mut Checkpoint, chapter: ChapterNo) {
    let entry = json!({"action": REVIEW_AGAIN, "chapter": chapter});
    let newest = checkpoint.last_chapter() == Some(chapter);
    if !newest && !checkpoint.pending_actions.contains(&entry) {
        checkpoint.pending_actions.push(entry);
    }
}
