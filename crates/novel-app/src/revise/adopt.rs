//! `novel adopt N`: a hand-edited Markdown becomes the text of a chapter, and all that follows.

use novel_book::{manuscript::Manuscript, validate};
use novel_contract::revise as contract;
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, FileError, Lang, StepId, Warning,
    files::{RevisionState, RevisionStatus},
    layout, message,
};

use crate::{
    Project,
    revise::review,
    revise::revision::{Replaced, ReviseError, RewriteRefused},
    revise::rewrite::{committed, summarise},
    runner::{Reuse, Runner, Spent},
};

/// What an adoption did.
#[derive(Debug)]
pub struct AdoptReport {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// Its length before and after.
    pub words: (u64, u64),
    /// Later chapters that may no longer fit.
    pub later: Vec<ChapterNo>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
    /// What it cost.
    pub spent: Spent,
}

/// Whether the text of a chapter may be edited.
///
/// # Errors
/// When the book has no such chapter, it is published or locked, or an earlier one waits for the
/// author.
pub fn may_edit(project: &Project, chapter: ChapterNo) -> Result<(), ReviseError> {
    project.look(|view| {
        view.check_not_blocked(chapter)?;
        committed(view.reader(), view.checkpoint.get(), chapter)?;
        Ok(project.check_walls(view.reader(), [chapter])?)
    })
}

/// Makes the Markdown of a chapter its text.
///
/// # Errors
/// When it was not edited, is no chapter, an earlier chapter waits for the author, or the new text
/// cannot be summarised; nothing is changed then.
pub fn adopt(runner: &Runner<'_>, chapter: ChapterNo) -> Result<AdoptReport, ReviseError> {
    let project = runner.project;
    let writer = project.store().acquire(Some(chapter))?;
    let _alive = writer.heartbeat();
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    view.check_not_blocked(chapter)?;
    project.check_walls(&reader, [chapter])?;
    let old = review::manuscript(project.config(), &reader, view.checkpoint.get(), chapter)?;
    let path = layout::chapter_markdown(chapter);
    let Some(markdown) = reader.text(&path)? else {
        let hint = message!(
            en: "run `novel doctor --fix` to render it from the chapter's JSON",
            zh: "运行 `novel doctor --fix`，由章节 JSON 重新生成"
        );
        return Err(FileError::Missing { path, hint }.into());
    };
    let step = StepId::Chapter(chapter, ChapterStage::Draft);
    let config = project.config();
    let findings = validate::chapter_text(&path, &markdown, chapter, config).accept(step)?;
    let new = Manuscript::from_markdown(chapter, &markdown, config.lang());
    if new.chapter == old.chapter {
        return Err(RewriteRefused::NotEdited { chapter }.into());
    }
    let mut spent = Spent::default();
    let summarised = summarise(
        runner,
        &writer,
        &mut spent,
        &view.checkpoint,
        chapter,
        &new.markdown,
        Reuse::Kept,
    )?;
    // The author has written what was waited for.
    let mut status = Document::<RevisionStatus>::load(&reader, &layout::revision(chapter))?
        .filter(|status| status.get().status == RevisionState::Pending);
    if let Some(status) = &mut status {
        let now = project.now().to_string();
        status.edit(|status| {
            status.status = RevisionState::Accepted;
            status.revised_chapter = Some(new.chapter.clone());
            status.decision_at = Some(now);
        });
    }
    let replaced = Replaced {
        view: &view,
        new: &new,
        summarised: &summarised,
    };
    let applied = replaced.write(project, &writer, status.as_ref())?;
    let mut warnings = findings.warnings;
    warnings.extend(applied.warnings);
    Ok(AdoptReport {
        chapter,
        title: new.chapter.chapter_title.clone(),
        words: (old.chapter.total_words, new.chapter.total_words),
        later: applied.later,
        warnings,
        spent,
    })
}

impl AdoptReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::AdoptAnswer {
        contract::AdoptAnswer {
            chapter: self.chapter,
            title: self.title.clone(),
            words_before: self.words.0,
            words: self.words.1,
            later_chapters: self.later.iter().map(|chapter| chapter.get()).collect(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}
