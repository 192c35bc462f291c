//! The pending gate: one check for every entrance that writes past a chapter.

use novel_contract::{Offer, OfferedAction};
use novel_model::{
    BookReader, ChapterNo, Document, Explain, FileError, Kind, Lang, Message, ReadError,
    files::{RevisionState, RevisionStatus},
    layout, message,
};
use serde_json::{Map, Value, json};

/// A chapter waits for the author; nothing is written past it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("chapter {blocked} waits for the author's decision on its revision")]
pub struct PendingRevision {
    /// The first chapter that waits.
    pub blocked: ChapterNo,
    /// All chapters that wait, or might, ascending.
    pub pending: Vec<ChapterNo>,
    /// Its logic review, if that is what stopped it.
    pub logic_review_report_file: Option<String>,
}

/// Why an entrance is closed.
#[derive(Debug, thiserror::Error)]
pub enum GateClosed {
    /// The revision of an earlier chapter is undecided.
    #[error(transparent)]
    Pending(#[from] PendingRevision),
    /// A revision file cannot be read; it might be waiting.
    #[error("a revision file cannot be read")]
    Unreadable {
        /// The chapter it belongs to.
        chapter: ChapterNo,
        /// All chapters that wait, or might, ascending.
        pending: Vec<ChapterNo>,
        /// Read or parse error of the revision file.
        #[source]
        source: FileError,
    },
    /// The chapters cannot even be listed.
    #[error(transparent)]
    NoList(#[from] ReadError),
}

/// All revisions that stop the book, or might.
#[derive(Debug, Default)]
pub struct Survey {
    /// Every chapter that has a revision file, ascending.
    all: Vec<ChapterNo>,
    waiting: Vec<(ChapterNo, Option<String>)>,
    unreadable: Vec<ChapterNo>,
}

impl Survey {
    /// Reads every revision file.
    ///
    /// # Errors
    /// When the chapters cannot be listed.
    pub fn of(reader: &dyn BookReader) -> Result<Self, ReadError> {
        let names = reader.list_ending(&layout::chapters_dir(), "_revision.json")?;
        let mut chapters: Vec<ChapterNo> =
            names.iter().filter_map(|name| revision_of(name)).collect();
        chapters.sort_unstable();
        let mut survey = Self {
            all: chapters.clone(),
            ..Self::default()
        };
        for chapter in chapters {
            match Document::<RevisionStatus>::load(reader, &layout::revision(chapter)) {
                Ok(Some(status)) if status.get().status == RevisionState::Pending => {
                    let report = status.get().logic_review_report_file.clone();
                    survey.waiting.push((chapter, report));
                }
                Ok(_) => {}
                Err(_) => survey.unreadable.push(chapter),
            }
        }
        Ok(survey)
    }

    /// Chapters that have a revision, decided or not, ascending.
    #[must_use]
    pub fn all(&self) -> &[ChapterNo] {
        &self.all
    }

    /// Chapters that wait for the author, or might, ascending.
    #[must_use]
    pub fn chapters(&self) -> Vec<ChapterNo> {
        let waiting = self.waiting.iter().map(|(chapter, _)| *chapter);
        let mut all: Vec<ChapterNo> = waiting.chain(self.unreadable.iter().copied()).collect();
        all.sort_unstable();
        all
    }

    /// Lets work on `target` through, or says which chapter it must wait for.
    ///
    /// # Errors
    /// When an earlier chapter waits, or might.
    pub fn check_not_blocked(
        &self,
        reader: &dyn BookReader,
        target: ChapterNo,
    ) -> Result<(), GateClosed> {
        let first = self.waiting.first();
        let damaged = self.unreadable.first().copied();
        match (first, damaged) {
            (Some((blocked, report)), damaged)
                if target > *blocked && damaged.is_none_or(|damaged| *blocked < damaged) =>
            {
                Err(PendingRevision {
                    blocked: *blocked,
                    pending: self.chapters(),
                    logic_review_report_file: report.clone(),
                }
                .into())
            }
            (_, Some(chapter)) if target > chapter => {
                // Read again for the reason; it may have been repaired meanwhile.
                match Document::<RevisionStatus>::load(reader, &layout::revision(chapter)) {
                    Ok(_) => Ok(()),
                    Err(source) => Err(GateClosed::Unreadable {
                        chapter,
                        pending: self.chapters(),
                        source,
                    }),
                }
            }
            _ => Ok(()),
        }
    }
}

/// `chapter_048_revision.json` names chapter 48.
fn revision_of(name: &str) -> Option<ChapterNo> {
    name.strip_prefix("chapter_")?
        .strip_suffix("_revision.json")?
        .parse()
        .ok()
}

/// What is said of the chapters that wait besides the first.
fn others(blocked: ChapterNo, pending: &[ChapterNo]) -> Message {
    let others: Vec<String> = pending
        .iter()
        .filter(|chapter| **chapter != blocked)
        .map(|chapter| chapter.get().to_string())
        .collect();
    if others.is_empty() {
        return Message::default();
    }
    let (en, zh) = (others.join(", "), others.join("、"));
    message!(en: " (waiting too: {en})", zh: "（同样待处理：第 {zh} 章）")
}

impl GateClosed {
    /// What the author can do about it.
    #[must_use]
    pub fn offers(&self) -> Vec<Offer> {
        let n = match self {
            Self::Pending(waiting) => waiting.blocked.get(),
            Self::Unreadable { chapter, .. } => chapter.get(),
            Self::NoList(_) => return Vec::new(),
        };
        let mut offers = vec![
            Offer::new(OfferedAction::Review, format!("novel review show {n}")),
            Offer::new(
                OfferedAction::GenerateCandidate,
                format!("novel revision candidate {n}"),
            ),
            Offer::new(
                OfferedAction::ApplyRevision,
                format!("novel revision apply {n}"),
            ),
            Offer::new(OfferedAction::Reject, format!("novel revision reject {n}")),
            Offer::new(OfferedAction::Regen, format!("novel regen {n}")),
        ];
        if n > 1 {
            let command = format!("novel rollback {}", n - 1);
            offers.push(Offer::new(OfferedAction::Rollback, command));
        }
        offers
    }
}

impl Explain for GateClosed {
    fn kind(&self) -> Kind {
        match self {
            Self::Pending(_) | Self::Unreadable { .. } => Kind::Gate,
            Self::NoList(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Pending(_) => "PENDING_REVISION",
            Self::Unreadable { .. } => "PENDING_REVISION_UNREADABLE",
            Self::NoList(error) => error.code(),
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::NoList(error) => error.message(),
            Self::Pending(PendingRevision {
                blocked, pending, ..
            }) => {
                let chapter = blocked.get();
                let Message { en, zh } = others(*blocked, pending);
                message!(
                    en: "the pending revision of chapter {chapter} must be decided first; nothing is written past it{en}",
                    zh: "必须先处理第 {chapter} 章的 pending 修订，处理之前不会往后写{zh}"
                )
            }
            Self::Unreadable {
                chapter, source, ..
            } => {
                let (number, inner) = (chapter.get(), source.message());
                Message {
                    en: format!(
                        "the revision file of chapter {number} cannot be read and might be pending: {}",
                        inner.en
                    ),
                    zh: format!(
                        "第 {number} 章的修订文件无法读取，可能处于 pending 状态：{}",
                        inner.zh
                    ),
                }
            }
        }
    }

    fn hint(&self) -> Option<Message> {
        Some(match self {
            Self::NoList(error) => return error.hint(),
            Self::Pending(PendingRevision {
                blocked,
                logic_review_report_file,
                ..
            }) => {
                let n = blocked.get();
                let status = layout::revision(*blocked);
                let report = match logic_review_report_file {
                    Some(report) => message!(
                        en: "; the logic review is `{report}`", zh: "，逻辑审查报告 `{report}`"
                    ),
                    None => Message::default(),
                };
                let Message { en, zh } = report;
                message!(
                    en: "look at it with `novel revision show {n}`, then `novel revision apply {n}` or `novel revision reject {n}` (its file is `{status}`{en})",
                    zh: "用 `novel revision show {n}` 查看，然后 `novel revision apply {n}` 或 `novel revision reject {n}`（修订状态文件 `{status}`{zh}）"
                )
            }
            Self::Unreadable { chapter, .. } => {
                let path = layout::revision(*chapter);
                message!(
                    en: "repair `{path}`, or move it away if you do not need it",
                    zh: "请修复 `{path}`；若不需要，请将其移走"
                )
            }
        })
    }

    fn problems(&self) -> &[novel_model::Problem] {
        match self {
            Self::Pending(_) | Self::NoList(_) => &[],
            Self::Unreadable { source, .. } => source.problems(),
        }
    }

    fn details(&self, _lang: Lang) -> Map<String, Value> {
        let (blocked, pending, report) = match self {
            Self::Pending(waiting) => (
                waiting.blocked,
                waiting.pending.clone(),
                waiting.logic_review_report_file.clone(),
            ),
            Self::Unreadable {
                chapter, pending, ..
            } => (*chapter, pending.clone(), None),
            Self::NoList(_) => return Map::new(),
        };
        let n = blocked.get();
        let mut details = Map::new();
        details.insert("blocked_chapter".into(), json!(n));
        details.insert("pending_chapters".into(), json!(pending));
        details.insert(
            "revision_status_file".into(),
            json!(layout::revision(blocked).as_str()),
        );
        details.insert("logic_review_report_file".into(), json!(report));
        details.insert("next_actions".into(), json!(self.offers()));
        details
    }
}
