//! The pending gate: one check for every entrance that writes past a chapter.

use novel_model::{
    BookReader, ChapterNo, Document, Explain, FileError, Kind, Lang, Message,
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
    /// All chapters that wait, ascending.
    pub pending: Vec<ChapterNo>,
    /// Its logic review, if that is what stopped it.
    pub logic_review_report_file: Option<String>,
}

/// Why an entrance is closed.
#[derive(Debug, thiserror::Error)]
pub enum GateClosed {
    /// A revision waits.
    #[error(transparent)]
    Pending(#[from] PendingRevision),
    /// A revision file can not be read; it might be waiting.
    #[error("a revision file can not be read")]
    Unreadable {
        /// The chapter it belongs to.
        chapter: ChapterNo,
        /// Why.
        #[source]
        source: FileError,
    },
}

/// The first chapter of the book whose revision waits, if any.
///
/// # Errors
/// When a revision file can not be read: it blocks, because it might be pending.
pub fn pending(reader: &dyn BookReader) -> Result<Option<PendingRevision>, GateClosed> {
    let names = reader
        .list(&layout::chapters_dir())
        .map_err(|error| GateClosed::Unreadable {
            chapter: ChapterNo::first(),
            source: FileError::Read(error),
        })?;
    let mut chapters: Vec<ChapterNo> = names.iter().filter_map(|name| revision_of(name)).collect();
    chapters.sort_unstable();
    let mut waiting = Vec::new();
    let mut report = None;
    for chapter in chapters {
        let status = Document::<RevisionStatus>::load(reader, &layout::revision(chapter))
            .map_err(|source| GateClosed::Unreadable { chapter, source })?;
        let Some(status) = status.filter(|status| status.get().status == RevisionState::Pending)
        else {
            continue;
        };
        if waiting.is_empty() {
            report.clone_from(&status.get().logic_review_report_file);
        }
        waiting.push(chapter);
    }
    Ok(waiting.first().copied().map(|blocked| PendingRevision {
        blocked,
        pending: waiting,
        logic_review_report_file: report,
    }))
}

/// Lets work on `target` through, or says which chapter it must wait for.
///
/// # Errors
/// When an earlier chapter waits, or might.
pub fn enter(reader: &dyn BookReader, target: ChapterNo) -> Result<(), GateClosed> {
    match pending(reader) {
        Ok(Some(waiting)) if target > waiting.blocked => Err(waiting.into()),
        Ok(_) => Ok(()),
        Err(GateClosed::Unreadable { chapter, source }) if target > chapter => {
            Err(GateClosed::Unreadable { chapter, source })
        }
        Err(GateClosed::Unreadable { .. }) => Ok(()),
        Err(closed) => Err(closed),
    }
}

/// `chapter_048_revision.json` names chapter 48.
fn revision_of(name: &str) -> Option<ChapterNo> {
    name.strip_prefix("chapter_")?
        .strip_suffix("_revision.json")?
        .parse()
        .ok()
}

impl Explain for GateClosed {
    fn kind(&self) -> Kind {
        Kind::Gate
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Pending(_) => "PENDING_REVISION",
            Self::Unreadable { .. } => "PENDING_REVISION_UNREADABLE",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::Pending(PendingRevision { blocked, .. }) => {
                let chapter = blocked.get();
                message!(
                    en: "the pending revision of chapter {chapter} must be decided first; nothing is written past it",
                    zh: "必须先处理第 {chapter} 章的 pending 修订，在此之前不会写入其后的任何内容"
                )
            }
            Self::Unreadable { chapter, source } => {
                let (number, inner) = (chapter.get(), source.message());
                Message {
                    en: format!(
                        "the revision file of chapter {number} can not be read and might be pending: {}",
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
            Self::Pending(PendingRevision { blocked, .. }) => {
                let n = blocked.get();
                message!(
                    en: "look at it with `novel revision show {n}`, then `novel revision apply {n}` or `novel revision reject {n}`",
                    zh: "用 `novel revision show {n}` 查看，然后 `novel revision apply {n}` 或 `novel revision reject {n}`"
                )
            }
            Self::Unreadable { chapter, .. } => {
                let path = layout::revision(*chapter);
                message!(
                    en: "repair `{path}`, or move it away if it is not wanted",
                    zh: "请修复 `{path}`；若不需要，请将其移走"
                )
            }
        })
    }

    fn problems(&self) -> &[novel_model::Problem] {
        match self {
            Self::Pending(_) => &[],
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
            Self::Unreadable { chapter, .. } => (*chapter, vec![*chapter], None),
        };
        let n = blocked.get();
        let mut actions = vec![
            ("review", format!("novel review show {n}")),
            (
                "generate_candidate",
                format!("novel revision candidate {n}"),
            ),
            ("apply_revision", format!("novel revision apply {n}")),
            ("reject", format!("novel revision reject {n}")),
            ("regen", format!("novel regen {n}")),
        ];
        if n > 1 {
            actions.push(("rollback", format!("novel rollback {}", n - 1)));
        }
        let actions: Vec<Value> = actions
            .into_iter()
            .map(|(action, command)| json!({"action": action, "command": command}))
            .collect();
        let mut details = Map::new();
        details.insert("blocked_chapter".into(), json!(n));
        details.insert("pending_chapters".into(), json!(pending));
        details.insert(
            "revision_status_file".into(),
            json!(layout::revision(blocked).as_str()),
        );
        details.insert("logic_review_report_file".into(), json!(report));
        details.insert("next_actions".into(), Value::Array(actions));
        details
    }
}
