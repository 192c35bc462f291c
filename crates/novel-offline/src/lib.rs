//! The offline author: an executor that needs no key and no network.
//!
//! It is not a language model and says so. It composes prose from the outline, the contract and
//! the cast with hand-written fragments, extracts summaries from the text, and scores a chapter by
//! what a program can measure. The same files give the same bytes: no clock, no randomness.

mod advise;
mod amend;
mod demo;
mod draft;
mod error;
mod event;
mod gaps;
mod given;
mod grammar;
mod judge;
mod plan;
mod planner;
mod pronoun;
mod prose;
mod reader;
mod recall;
mod refine;
mod review;
mod revise;
mod scene;
mod scene_plan;
mod summary;
mod voice;

use novel_book::config::Config;
use novel_model::{BookReader, ChapterNo, StepId, files::Packet};

pub use demo::demo_files;
pub use error::OfflineError;

/// The model name to record for everything this author answers.
pub const MODEL: &str = novel_model::files::OFFLINE_AUTHOR;

/// The book an answer is made for.
#[derive(Clone, Copy)]
pub struct OfflineBook<'a> {
    /// Its files.
    pub reader: &'a dyn BookReader,
    /// Its configuration.
    pub config: &'a Config,
}

/// Answers a packet in `paths` mode with what `novel submit STEP` takes: Markdown for a draft, a
/// scene, a refinement or the advice on a volume, JSON for a plan of scenes, a summary, a verdict, a
/// report or a revised chapter.
///
/// # Errors
/// When the offline author has no part for the agent, the packet is in another mode, or a file the
/// answer needs is missing or broken.
pub fn answer(book: OfflineBook<'_>, packet: &Packet) -> Result<String, OfflineError> {
    if packet.manifest.mode != "paths" {
        return Err(OfflineError::NotInPathsMode {
            mode: packet.manifest.mode.clone(),
        });
    }
    if packet.agent.name == "volume-reviewer" {
        return advise::advise(book, packet);
    }
    if let Some(text) = planner::answer(book, packet)? {
        return Ok(text);
    }
    let chapter = chapter_of(packet)?;
    // The two reviewers run the story checker, which reads what it checks against.
    let given = given::Given::new(book.reader, packet);
    let reviews = matches!(
        packet.agent.name.as_str(),
        "logic-reviewer" | "consistency-auditor"
    );
    let task = plan::Task {
        book: OfflineBook {
            reader: if reviews { book.reader } else { &given },
            ..book
        },
        packet,
        chapter,
    };
    match (packet.agent.name.as_str(), packet.agent.mode.as_deref()) {
        ("chapter-writer", Some("revise")) => revise::revise(task),
        ("chapter-writer", Some("plan-scenes")) => scene_plan::plan(task),
        ("chapter-writer", Some("write-scene")) => scene_plan::write(task),
        ("chapter-writer", _) => draft::draft(task),
        ("summarizer", _) => summary::summarize(task),
        ("book-reader", _) => reader::read(task),
        ("style-refiner", Some("polish")) => refine::refine(task, refine::Round::Polish),
        ("style-refiner", _) => refine::refine(task, refine::Round::First),
        ("quality-judge", _) => judge::judge(task),
        ("logic-reviewer", _) => review::logic(task),
        ("consistency-auditor", _) => Ok(review::audit(task.lang())),
        ("chapter-reviser", _) => amend::amend(task),
        (agent, _) => Err(OfflineError::NoPart {
            agent: agent.to_owned(),
        }),
    }
}

fn chapter_of(packet: &Packet) -> Result<ChapterNo, OfflineError> {
    match packet.step.parse::<StepId>()? {
        StepId::Chapter(chapter, _) => Ok(chapter),
        StepId::Volume(..) | StepId::Quickstart(_) => Err(OfflineError::NoPart {
            agent: packet.agent.name.clone(),
        }),
    }
}
