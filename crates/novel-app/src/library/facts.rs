//! `novel fact`: the ledger of facts. Writes nothing.

use novel_contract::library::FactRow;
use novel_model::{ChapterNo, ErrorTable, Kind, Row, message, nearest};
use novel_story::ledger::{Body, Fact, Ledger, Life, Meaning};
pub use novel_story::ledger::{Slot, UnknownSlot};

use crate::{BookError, Project, Refusal, error::use_case_error, read_checkpoint};

/// Which facts.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Only of this subject, by id or name.
    pub subject: Option<String>,
    /// Only of this slot.
    pub slot: Option<Slot>,
    /// Only those that hold right after this chapter.
    pub at: Option<ChapterNo>,
    /// Include facts that no longer hold.
    pub past: bool,
}

/// The ledger knows nothing of somebody or something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no fact is recorded about `{subject}`")]
pub struct NoSubject {
    /// Id or name given on the command line.
    pub subject: String,
    /// Ids of all subjects with a recorded fact.
    pub known: Vec<String>,
}

impl ErrorTable for NoSubject {
    fn row(&self) -> Row<'_> {
        let subject = &self.subject;
        let message = message!(
            en: "no fact is recorded about `{subject}`",
            zh: "没有关于 `{subject}` 的事实记录"
        );
        let known = self.known.iter().map(String::as_str);
        Row::new(Kind::Input, "NO_SUCH_SUBJECT", message).hint(match nearest(subject, known) {
            Some(similar) => message!(
                en: "did you mean `{similar}`? `novel fact list` shows them all",
                zh: "是否想写 `{similar}`？`novel fact list` 列出全部"
            ),
            None => message!(
                en: "`novel fact list` shows them all", zh: "`novel fact list` 列出全部"
            ),
        })
    }
}

use_case_error! {
    /// Why facts cannot be shown.
    pub enum FactError {
        /// The book cannot be read.
        Book(BookError),
        /// Nobody of that id or name has a fact.
        NoSubject(NoSubject),
    }
}

/// Facts of the ledger, in the order of the record.
///
/// # Errors
/// When the record cannot be read, there is no such chapter, or nothing is known of the subject.
pub fn facts(project: &Project, wanted: &Wanted) -> Result<Vec<FactRow>, FactError> {
    let (ledger, newest) = project.store().look(|reader| {
        let newest = read_checkpoint(reader)?.get().last_completed_chapter;
        Ok::<_, BookError>((Ledger::load(reader)?, newest))
    })?;
    if let Some(at) = wanted.at.filter(|at| at.get() > newest) {
        let chapter = at.get();
        return Err(Refusal::NoSuchChapter { chapter, newest }.into());
    }
    let name = |id: &str| ledger.names.get(id).cloned();
    if let Some(subject) = &wanted.subject {
        let is_known =
            |fact: &Fact| fact.subject == *subject || name(&fact.subject).as_ref() == Some(subject);
        if !ledger.facts.iter().any(is_known) {
            let mut known: Vec<String> = ledger
                .facts
                .iter()
                .map(|fact| fact.subject.clone())
                .collect();
            known.sort();
            known.dedup();
            return Err(NoSubject {
                subject: subject.clone(),
                known,
            }
            .into());
        }
    }
    let fits = |fact: &&Fact| {
        wanted.subject.as_ref().is_none_or(|subject| {
            fact.subject == *subject || name(&fact.subject).as_ref() == Some(subject)
        }) && wanted.slot.is_none_or(|slot| fact.slot == Some(slot))
            && match wanted.at {
                Some(at) => fact.holds_after(at),
                None => wanted.past || fact.to.is_none(),
            }
    };
    let rows = ledger.facts.iter().filter(fits).map(|fact| FactRow {
        section: fact.section.clone(),
        subject: fact.subject.clone(),
        name: name(&fact.subject),
        field: fact.field.clone(),
        slot: fact.slot.map(|slot| slot.as_str().to_owned()),
        value: fact.value.clone(),
        meaning: fact.meaning.as_ref().and_then(meaning),
        from: fact.from,
        to: fact.to,
        frame: fact.frame,
        evidence: fact.evidence.clone(),
        line: fact.line.0,
    });
    Ok(rows.collect())
}

/// A meaning in a word; `None` for a text that decides nothing.
fn meaning(meaning: &Meaning) -> Option<String> {
    Some(match meaning {
        Meaning::Life(life) => match life {
            Life::Alive => "alive",
            Life::Dead => "dead",
            Life::Absent => "absent",
            Life::Senseless => "senseless",
        }
        .to_owned(),
        Meaning::Body(Body::Whole) => "whole".to_owned(),
        Meaning::Body(Body::Hurt(_)) => "hurt".to_owned(),
        Meaning::Things(things) => things
            .iter()
            .map(|thing| match thing.count {
                Some(count) => format!("{} × {count}", thing.name),
                None => thing.name.clone(),
            })
            .collect::<Vec<_>>()
            .join(", "),
        Meaning::Number(number) => number.to_string(),
        Meaning::Intact(true) => "intact".to_owned(),
        Meaning::Intact(false) => "destroyed".to_owned(),
        Meaning::Stand(stand) => match stand {
            1 => "together",
            -1 => "against",
            2 => "acquainted",
            _ => "strangers",
        }
        .to_owned(),
        Meaning::Name(name) => name.clone(),
        Meaning::Text(_) => return None,
    })
}
