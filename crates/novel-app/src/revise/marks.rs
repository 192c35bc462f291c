//! `novel publish` and `novel chapter lock|unlock`: the author's marks on chapters of the book.

use novel_book::edit::Changes;
use novel_contract::revise as contract;
use novel_model::{
    ChapterNo, Explain, Kind, Lang, Message, Warning, files::Marks, layout, message,
};
use novel_steps::{reports, walls};
use novel_store::{TxnKind, TxnLabel};

use crate::{
    BookError, Project, error::use_case_error, revise::revision::RewriteRefused, work::rewritten,
};

use_case_error! {
    /// Why chapters were not marked.
    pub enum MarkError {
        /// The book cannot be read or written.
        Book(BookError),
        /// A chapter is being written.
        Rewrite(RewriteRefused),
        /// The mark is refused.
        Refused(NotMarked),
    }
}

/// Marks after a change of them.
#[derive(Debug)]
pub struct MarksReport {
    /// The marks.
    pub marks: Marks,
    /// Whether anything changed.
    pub changed: bool,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

/// Why chapters were not marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotMarked {
    /// Fewer chapters would be published than are.
    #[error("chapters up to {published} are published")]
    Unpublishes {
        /// The last one that is.
        published: u32,
        /// The last one that would be.
        to: u32,
    },
    /// The chapter waits for the author.
    #[error("chapter {chapter} waits for a decision")]
    Pending {
        /// First chapter of the range with a pending revision.
        chapter: ChapterNo,
    },
}

impl Explain for NotMarked {
    fn kind(&self) -> Kind {
        match self {
            Self::Unpublishes { .. } => Kind::Input,
            Self::Pending { .. } => Kind::Gate,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Unpublishes { .. } => "ALREADY_PUBLISHED",
            Self::Pending { .. } => "CHAPTER_PENDING",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::Unpublishes { published, to } => message!(
                en: "chapters up to {published} are already published; `--to {to}` would unpublish some of them",
                zh: "已发布到第 {published} 章；`--to {to}` 会撤回其中一部分"
            ),
            Self::Pending { chapter } => {
                let n = chapter.get();
                message!(
                    en: "the revision of chapter {n} waits for you, so the chapter cannot be marked",
                    zh: "第 {n} 章的修订待你处理，暂不能标记"
                )
            }
        }
    }

    fn hint(&self) -> Option<Message> {
        Some(match self {
            Self::Unpublishes { to, .. } => message!(
                en: "`novel publish --to {to} --published` does it anyway",
                zh: "确实要撤回：`novel publish --to {to} --published`"
            ),
            Self::Pending { chapter } => {
                let n = chapter.get();
                message!(
                    en: "`novel revision show {n}` shows it; apply or reject it first",
                    zh: "用 `novel revision show {n}` 查看，先采用或驳回"
                )
            }
        })
    }
}

/// What is to be marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Readers have all chapters up to this one.
    Published {
        /// The last one; zero is none.
        to: u32,
    },
    /// These chapters are locked, first and last.
    Locked(ChapterNo, ChapterNo),
    /// These chapters are not locked any more, first and last.
    Unlocked(ChapterNo, ChapterNo),
}

/// Marks chapters. The issues of chapters that are walled from now on become forward repairs.
///
/// # Errors
/// When the book has no such chapter, or one of them waits for the author.
pub fn mark(project: &Project, mark: Mark, walls_down: bool) -> Result<MarksReport, MarkError> {
    let writer = project.store().acquire(None)?;
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    let checkpoint = view.checkpoint.get();
    let (first, last) = match mark {
        Mark::Published { to } => (1, to),
        Mark::Locked(first, last) | Mark::Unlocked(first, last) => (first.get(), last.get()),
    };
    if last > checkpoint.last_completed_chapter {
        return Err(crate::Refusal::NoSuchChapter {
            chapter: last,
            newest: checkpoint.last_completed_chapter,
        }
        .into());
    }
    let chapters: Vec<ChapterNo> = (first..=last).filter_map(ChapterNo::new).collect();
    let mut marks = walls::marks(&reader)?;
    let before = marks.clone();
    let published = marks.get().published_to;
    match mark {
        Mark::Published { to } if to < published && !walls_down => {
            return Err(NotMarked::Unpublishes { published, to }.into());
        }
        Mark::Published { .. } | Mark::Locked(..) => {
            let waits = view.survey()?.chapters();
            if let Some(chapter) = chapters.iter().find(|chapter| waits.contains(chapter)) {
                return Err(NotMarked::Pending { chapter: *chapter }.into());
            }
            if let Some(chapter) = rewritten(checkpoint).filter(|it| chapters.contains(it)) {
                return Err(RewriteRefused::UnderWay { chapter }.into());
            }
        }
        Mark::Unlocked(..) => {}
    }
    marks.edit(|marks| match mark {
        Mark::Published { to } => marks.published_to = to,
        Mark::Locked(..) => {
            marks.locked.extend(&chapters);
            marks.locked.sort_unstable();
            marks.locked.dedup();
        }
        Mark::Unlocked(..) => marks.locked.retain(|chapter| !chapters.contains(chapter)),
    });
    for chapter in &chapters {
        if before.get().wall(*chapter).is_none() && marks.get().wall(*chapter).is_some() {
            let found = reports::read(project.config(), &reader, checkpoint, *chapter)?;
            let logic = found
                .logic_review
                .filter(|review| review.chapter_hash.as_ref() == Some(&found.hash));
            let issues = found.consistency.map(|report| report.issues);
            let issues = [
                issues.unwrap_or_default(),
                logic.map(|review| review.issues).unwrap_or_default(),
            ]
            .concat();
            let issues: Vec<_> = issues
                .into_iter()
                .filter(|issue| novel_book::revision::fix_of(issue).is_some())
                .collect();
            marks.edit(|marks| marks.add_repairs(*chapter, &issues));
        }
    }
    let changed = marks != before;
    if changed {
        let mut changes = Changes::default();
        changes.write(layout::marks(), marks.to_text());
        let target = match mark {
            Mark::Published { to } => format!("published-to-{to:03}"),
            Mark::Locked(first, last) => format!("locked-{first}-{last}"),
            Mark::Unlocked(first, last) => format!("unlocked-{first}-{last}"),
        };
        project.write(&writer, TxnLabel::new(TxnKind::Checkpoint, target), changes)?;
    }
    Ok(MarksReport {
        warnings: edited(&reader, &chapters)?,
        marks: marks.into_value(),
        changed,
    })
}

/// Chapters whose Markdown the author has edited and not adopted: what readers have is not that.
fn edited(
    reader: &dyn novel_model::BookReader,
    chapters: &[ChapterNo],
) -> Result<Vec<Warning>, MarkError> {
    let mut warnings = Vec::new();
    for chapter in chapters {
        if novel_book::manuscript::has_edit(reader, *chapter)? {
            let n = chapter.get();
            warnings.push(Warning::new(
                "hand_edit_not_adopted",
                message!(
                    en: "the Markdown of chapter {n} was edited but not adopted; the book has the text from before the edit",
                    zh: "第 {n} 章的 Markdown 改过而未采纳；书中仍是修改前的正文"
                ),
            ));
        }
    }
    Ok(warnings)
}

impl MarksReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::MarksAnswer {
        contract::MarksAnswer {
            published_to: self.marks.published_to,
            locked: self.marks.locked.clone(),
            forward_repairs: self.marks.forward_repairs.clone(),
            changed: self.changed,
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}
