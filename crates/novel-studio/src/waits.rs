//! What waits for the author.

use novel_app::{
    Project,
    library::{status, storylines},
    revise::revision,
    setup::start,
};
use novel_contract::{
    library::{Due, ForeshadowRow},
    setup::StartAnswer,
};
use novel_model::{
    ChapterNo, Lang, QuickstartPhase, StepId, VolumeStage, counted,
    files::{OrchestratorState, RevisionState, RevisionStatus},
    message,
};

use crate::{ask::Ask, mark::Mark, reply::Fault};

/// Hand edits that are listed at most.
const EDITS: usize = 20;
/// Threads that are listed at most.
const THREADS: usize = 12;

/// One thing that waits.
pub(crate) enum Wait {
    /// A revision of a written chapter.
    Revision(Box<RevisionStatus>),
    /// The book stands still: gate, trial, plan, failed step.
    Gate(StartAnswer),
    /// A chapter edited by hand.
    Edited(ChapterNo),
    /// A thread that is due.
    Thread(ForeshadowRow),
}

/// All that waits, the most urgent first.
pub(crate) fn waiting(ask: &Ask, project: &Project) -> Result<Vec<Wait>, Fault> {
    let status = status::status(project)?;
    let mut waits = Vec::new();
    if !status.pending.is_empty() {
        let revisions = revision::list(project)?.into_iter();
        let pending = revisions.filter(|found| found.status == RevisionState::Pending);
        waits.extend(pending.map(|found| Wait::Revision(Box::new(found))));
    }
    let failed = status.checkpoint.orchestrator_state == OrchestratorState::ErrorRetry;
    let stands_still = match &status.waits.next {
        Err(_) => status.pending.is_empty(),
        Ok(
            StepId::Quickstart(QuickstartPhase::Results) | StepId::Volume(_, VolumeStage::Commit),
        ) => true,
        Ok(_) => failed,
    };
    if stands_still {
        let offered = start::start(project)?;
        waits.push(Wait::Gate(offered.answer(ask.lang())));
    }
    let root = ask
        .studio
        .books()
        .root(ask.book()?)
        .ok_or(Fault::NotFound)?;
    let written = status.checkpoint.last_completed_chapter;
    let edited = ask.studio.edits().of(&root, project, written);
    // The newest first: it is the one its author is at.
    waits.extend(edited.into_iter().rev().take(EDITS).map(Wait::Edited));
    let mut threads = storylines::foreshadowing(project)?;
    threads.retain(|row| matches!(row.due, Due::Due | Due::Overdue));
    threads.sort_by_key(|row| row.target_resolve_range.map(|(_, last)| last));
    waits.extend(threads.into_iter().take(THREADS).map(Wait::Thread));
    Ok(waits)
}

impl Wait {
    /// How addresses name it.
    pub(crate) fn id(&self) -> String {
        match self {
            Self::Revision(found) => format!("revision-{}", found.chapter_number.get()),
            Self::Gate(_) => "gate".to_owned(),
            Self::Edited(chapter) => format!("edited-{}", chapter.get()),
            Self::Thread(row) => format!("thread-{}", row.id),
        }
    }

    /// Whether the author must act; a thread only wants to be remembered.
    pub(crate) fn needs_the_author(&self) -> bool {
        !matches!(self, Self::Thread(_))
    }

    pub(crate) fn mark(&self) -> Mark {
        match self {
            Self::Revision(_) | Self::Gate(_) => Mark::Wait,
            Self::Edited(_) => Mark::Edit,
            Self::Thread(_) => Mark::Due,
        }
    }

    /// What it is, in a word.
    pub(crate) fn kind(&self, lang: Lang) -> &'static str {
        let (en, zh) = match self {
            Self::Revision(_) => ("Revision", "修订"),
            Self::Gate(_) => ("The book waits", "作品停在此处"),
            Self::Edited(_) => ("Edited by hand", "手改"),
            Self::Thread(_) => ("Thread due", "伏笔到期"),
        };
        match lang {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }

    pub(crate) fn headline(&self, lang: Lang) -> String {
        match self {
            Self::Revision(found) => {
                let n = found.chapter_number.get();
                message!(en: "Revision of chapter {n}", zh: "第 {n} 章的修订")
            }
            Self::Gate(offered) => return offered.headline.clone(),
            Self::Edited(chapter) => {
                let n = chapter.get();
                message!(en: "Chapter {n} was edited, not adopted", zh: "第 {n} 章改过，尚未采纳")
            }
            Self::Thread(row) => {
                let what = &row.description;
                match row.due {
                    Due::Overdue => message!(en: "“{what}” is overdue", zh: "「{what}」超期未回收"),
                    _ => message!(en: "“{what}” is due", zh: "「{what}」该回收了"),
                }
            }
        }
        .get(lang)
        .to_owned()
    }

    /// Why it waits.
    pub(crate) fn why(&self, lang: Lang) -> String {
        match self {
            Self::Revision(found) => {
                let issue = found.issues.first();
                // The record it contradicts stands with the evidence.
                let text = issue
                    .map(|issue| issue.description.as_str())
                    .unwrap_or_default();
                let end = [" (against ", "（对照 ", "（依据 ", "（与 "];
                let short = end.iter().find_map(|mark| text.split_once(mark));
                return short.map_or(text, |(short, _)| short).to_owned();
            }
            Self::Gate(offered) => {
                let count = offered.choices.len();
                let ways = counted(count, "way");
                message!(en: "{ways} to go on", zh: "有 {count} 种走法")
            }
            Self::Edited(_) => message!(
                en: "the file was changed; summary and state still follow the old text",
                zh: "文件已改动，摘要与状态仍依旧文"
            ),
            Self::Thread(row) => {
                let planted = row.planted_chapter.map_or(0, ChapterNo::get);
                let (first, last) = row.target_resolve_range.unwrap_or_default();
                message!(
                    en: "planted in chapter {planted}, to be resolved in {first}–{last}",
                    zh: "第 {planted} 章埋设，应在第 {first}–{last} 章回收"
                )
            }
        }
        .get(lang)
        .to_owned()
    }

    /// The command that shows it.
    pub(crate) fn command(&self) -> String {
        match self {
            Self::Revision(found) => format!("novel revision show {}", found.chapter_number.get()),
            Self::Gate(_) => "novel start".to_owned(),
            Self::Edited(chapter) => format!("novel adopt {}", chapter.get()),
            Self::Thread(_) => "novel foreshadow list".to_owned(),
        }
    }

    /// The chapter it is about.
    pub(crate) fn chapter(&self) -> Option<ChapterNo> {
        match self {
            Self::Revision(found) => Some(found.chapter_number),
            Self::Edited(chapter) => Some(*chapter),
            Self::Thread(row) => row.planted_chapter,
            Self::Gate(_) => None,
        }
    }
}
