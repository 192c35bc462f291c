//! `novel impact`: which chapters and contracts a change of one thing would touch, with quotations.
//!
//! A later chapter rests on a thing when its text claims it (a sentence that names both the subject and what
//! is said of it), when its facts build on it, or when its writer was shown it: the end and the summary of
//! the chapter before, passages recalled from it, facts in force. What the writer was shown is worked out as
//! its prompt was. Chapters that rest on it most stand first. Writes nothing and asks nobody.

mod chapter;
mod claims;
mod ground;
mod subjects;
mod survey;
mod unknown;

use novel_book::context::Cast;
use novel_contract::library as contract;
use novel_model::{ChapterNo, Lang, Warning};
use novel_steps::{rewrite::Log, volumes::Volumes};
use novel_story::ledger::Ledger;

use self::{claims::Called, survey::Survey};
use crate::{BookError, Project, error::use_case_error};

pub use ground::{Ground, TouchedChapter};
pub use unknown::NoImpact;

use_case_error! {
    /// Why nothing can be said about a change.
    pub enum ImpactError {
        /// The book cannot be read.
        Book(BookError),
        /// There is no such thing.
        Unknown(NoImpact),
    }
}

/// What would change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A character, by id, name or alias.
    Character(String),
    /// A rule of the world, by id.
    Rule(String),
    /// A fact, by its path in the state such as `characters.lin-feng.location`.
    Fact(String),
    /// A chapter of the book.
    Chapter(ChapterNo),
}

/// What a change touches.
#[derive(Debug, Clone, PartialEq)]
pub struct ImpactReport {
    /// The thing, as the book knows it.
    pub subject: String,
    /// Chapters of the book, those that rest on it most first.
    pub chapters: Vec<TouchedChapter>,
    /// Chapters that are planned and not written, ascending.
    pub contracts: Vec<TouchedContract>,
    /// What was not looked at.
    pub warnings: Vec<Warning>,
}

/// A contract of a chapter that is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TouchedContract {
    /// Planned chapter of the contract.
    pub chapter: ChapterNo,
    /// Path of the contract in the project.
    pub path: String,
    /// What of the thing it rests on.
    pub because: Vec<String>,
}

/// What a change of `subject` touches. Writes nothing.
///
/// # Errors
/// When there is no such thing, or a file is damaged.
pub fn impact(project: &Project, subject: &Subject) -> Result<ImpactReport, ImpactError> {
    project.look(|view| {
        let cast = Cast::load(view.reader())?;
        let ledger = Ledger::load(view.reader())?;
        let survey = Survey {
            project,
            view,
            called: Called {
                cast: &cast,
                ledger: &ledger,
            },
            log: Log::read(view.reader())?.entries,
            volumes: Volumes::load(view.reader(), view.checkpoint.get().current_volume)?,
            last: view.checkpoint.get().last_completed_chapter,
        };
        match subject {
            Subject::Character(name) => survey.character(name),
            Subject::Rule(id) => survey.rule(id),
            Subject::Fact(path) => survey.fact(path),
            Subject::Chapter(chapter) => survey.chapter(*chapter),
        }
    })
}

impl ImpactReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::ImpactAnswer {
        let ground = |ground: &Ground| contract::Ground {
            way: ground.way.to_owned(),
            of: ground.of.clone(),
            stands_in: ground.stands_in,
            quotation: ground.quotation.clone(),
            passing: ground.is_passing,
        };
        contract::ImpactAnswer {
            subject: self.subject.clone(),
            chapters: self
                .chapters
                .iter()
                .map(|touched| contract::TouchedChapter {
                    chapter: touched.chapter,
                    ways: touched.ways.iter().map(|way| (*way).to_owned()).collect(),
                    quotations: touched.quotations.clone(),
                    grounds: touched.grounds.iter().map(ground).collect(),
                    weight: touched.weight,
                })
                .collect(),
            contracts: self
                .contracts
                .iter()
                .map(|touched| contract::UnwrittenContract {
                    chapter: touched.chapter,
                    path: touched.path.clone(),
                    because: touched.because.clone(),
                })
                .collect(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}
