//! Why a chapter of the book keeps its text.

use novel_book::revision::RevisedRejected;
use novel_model::{
    ChapterNo, ContentHash, ErrorTable, Kind, Row, files::RevisionState, layout, message,
};
use novel_prompt::prompt::PromptError;

use super::state_word;
use crate::{
    BookError,
    error::use_case_error,
    runner::{AskError, NoPrice, OverBudget},
};

/// Why a chapter of the book was not rewritten.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RewriteRefused {
    /// The chapter has no revision.
    #[error("chapter {chapter} has no revision")]
    NoRevision {
        /// Requested chapter.
        chapter: ChapterNo,
    },
    /// The revision has been decided.
    #[error("the revision of chapter {chapter} does not wait for a decision")]
    NotPending {
        /// Requested chapter.
        chapter: ChapterNo,
        /// Decision that was made.
        status: RevisionState,
    },
    /// The revision has no candidate yet.
    #[error("the revision of chapter {chapter} has no candidate")]
    NoCandidate {
        /// Chapter whose revision has no candidate.
        chapter: ChapterNo,
    },
    /// The candidate was made for another text.
    #[error("the candidate for chapter {chapter} was made for another text")]
    StaleCandidate {
        /// Chapter whose text changed after the candidate was made.
        chapter: ChapterNo,
        /// Hash of the text it was made for.
        made_for: ContentHash,
        /// Hash of the current text.
        text: ContentHash,
    },
    /// No issue of the chapter can be fixed by a revision.
    #[error("no issue of chapter {chapter} can be fixed")]
    NothingToRevise {
        /// Chapter whose reports have no fix instructions.
        chapter: ChapterNo,
    },
    /// The Markdown says what the book says.
    #[error("chapter {chapter} was not edited")]
    NotEdited {
        /// Chapter whose Markdown equals the text of the book.
        chapter: ChapterNo,
    },
    /// Chapters after it would have to go too.
    #[error("chapter {chapter} is not the newest")]
    NotNewest {
        /// Requested chapter.
        chapter: ChapterNo,
        /// Last chapter of the book.
        newest: u32,
    },
    /// Another chapter is being written anew in its place.
    #[error("chapter {chapter} is being written anew")]
    UnderWay {
        /// Chapter that is being rewritten.
        chapter: ChapterNo,
    },
    /// A new chapter is being written.
    #[error("chapter {chapter} is in flight")]
    InFlight {
        /// Chapter that is being written.
        chapter: ChapterNo,
    },
}

impl RewriteRefused {
    const fn chapter(&self) -> ChapterNo {
        match self {
            Self::NoRevision { chapter }
            | Self::NotPending { chapter, .. }
            | Self::NoCandidate { chapter }
            | Self::StaleCandidate { chapter, .. }
            | Self::NothingToRevise { chapter }
            | Self::NotEdited { chapter }
            | Self::NotNewest { chapter, .. }
            | Self::UnderWay { chapter }
            | Self::InFlight { chapter } => *chapter,
        }
    }
}

impl ErrorTable for RewriteRefused {
    fn row(&self) -> Row<'_> {
        let row = |code, message| Row::new(Kind::Input, code, message);
        let n = self.chapter().get();
        match self {
            Self::NoRevision { .. } => row("NO_REVISION", message!(
                en: "chapter {n} has no revision", zh: "第 {n} 章没有修订"
            )).hint(message!(
                en: "`novel revision list` shows all; `novel review show {n}` shows the reports on the chapter",
                zh: "`novel revision list` 列出全部修订；`novel review show {n}` 查看本章的报告"
            )).fact("chapter", self.chapter()),
            Self::NotPending { status, .. } => row("REVISION_NOT_PENDING", {
                let word = state_word(*status);
                message!(
                    en: "the revision of chapter {n} is already decided: {word}",
                    zh: "第 {n} 章的修订已有结论：{word}"
                )
            }).hint(message!(
                en: "`novel revision candidate {n}` makes another one",
                zh: "`novel revision candidate {n}` 可重新生成候选稿"
            )).fact("chapter", self.chapter()).fact("status", state_word(*status)),
            Self::NoCandidate { .. } => row("NO_CANDIDATE", message!(
                en: "the revision of chapter {n} has no candidate yet",
                zh: "第 {n} 章的修订还没有候选稿"
            )).hint(message!(
                en: "make one with `novel revision candidate {n}`, or keep the text with `novel revision reject {n}`",
                zh: "用 `novel revision candidate {n}` 生成，或用 `novel revision reject {n}` 保留原文"
            )).fact("chapter", self.chapter()),
            Self::StaleCandidate { made_for, text, .. } => row("STALE_CANDIDATE", message!(
                en: "the candidate for chapter {n} was made for another version of the text: made for {made_for}, the text is now {text}",
                zh: "第 {n} 章的候选稿针对的是另一份正文：候选稿对应 {made_for}，现在的正文是 {text}"
            )).hint(message!(
                en: "make one with `novel revision candidate {n}`, or keep the text with `novel revision reject {n}`",
                zh: "用 `novel revision candidate {n}` 生成，或用 `novel revision reject {n}` 保留原文"
            )).fact("chapter", self.chapter()).fact("candidate_hash", made_for).fact("chapter_hash", text),
            Self::NothingToRevise { .. } => row("NOTHING_TO_REVISE", message!(
                en: "no issue of chapter {n} has fix instructions; there is nothing to revise",
                zh: "第 {n} 章没有带修复说明的问题，无可修订"
            )).hint(message!(
                en: "keep the text with `novel revision reject {n}`, edit it and `novel adopt {n}`, or rewrite it with `novel regen {n}`",
                zh: "用 `novel revision reject {n}` 保留原文；或手工修改后 `novel adopt {n}`；或用 `novel regen {n}` 重写"
            )).fact("chapter", self.chapter()),
            Self::NotEdited { .. } => row("NOT_EDITED", message!(
                en: "the Markdown of chapter {n} is the same as the book's text; there is nothing to adopt",
                zh: "第 {n} 章的 Markdown 与正文一致，无需采纳"
            )).hint({
                let path = layout::chapter_markdown(self.chapter());
                message!(
                    en: "edit `{path}` first", zh: "请先编辑 `{path}`"
                )
            }).fact("chapter", self.chapter()),
            Self::NotNewest { newest, .. } => row("NOT_NEWEST_CHAPTER", message!(
                en: "chapter {n} is not the newest; chapters up to {newest} build on it",
                zh: "第 {n} 章不是最新一章；后面到第 {newest} 章都承接它"
            )).hint(message!(
                en: "`novel rewrite {n} --note TEXT` rewrites only this one; `novel regen {n} --cascade` moves the later chapters to archive/ first",
                zh: "`novel rewrite {n} --note TEXT` 只重写这一章；`novel regen {n} --cascade` 会先把后面的章移入 archive/"
            )).fact("chapter", self.chapter()).fact("newest", newest),
            Self::UnderWay { .. } => row("REWRITE_UNDER_WAY", message!(
                en: "chapter {n} is being rewritten; finish it first",
                zh: "第 {n} 章正在重写，请先完成它"
            )).hint(message!(
                en: "`novel rewrite {n}` continues it; `novel undo` drops it and keeps the old text",
                zh: "用 `novel rewrite {n}` 继续；`novel undo` 放弃重写，保留原文"
            )).fact("chapter", self.chapter()),
            Self::InFlight { .. } => row("CHAPTER_IN_FLIGHT", message!(
                en: "chapter {n} is being written; finish it first",
                zh: "第 {n} 章正在写，请先完成它"
            )).hint(message!(
                en: "`novel continue` finishes it; `novel undo` drops the draft",
                zh: "用 `novel continue` 写完；`novel undo` 放弃这份草稿"
            )).fact("chapter", self.chapter()),
        }
    }
}

use_case_error! {
    /// Why a chapter of the book is not revised, adopted or rebuilt.
    pub enum ReviseError {
        /// No agent was asked, or none gave a usable answer.
        Ask(AskError) from [BookError, PromptError, RevisedRejected, NoPrice, OverBudget],
        /// The chapter keeps its text.
        Refused(RewriteRefused),
    }
}
