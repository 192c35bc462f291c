//! `novel next`: writes nothing.

use novel_book::{
    next::{Evidence, Next, Round},
    scenes::SceneDraft,
};
use novel_contract::write as contract;
use novel_model::{BookReader, ChapterNo, ChapterStage, Lang, StepId, layout};
use serde_json::json;

use crate::{BookError, Project};

/// The next step.
#[derive(Debug)]
pub struct NextReport {
    /// The step, and why.
    pub next: Next,
}

/// The next step of the book.
///
/// # Errors
/// When there is none: a gate waits, the checkpoint contradicts itself, a file is damaged.
pub fn next_step(project: &Project) -> Result<NextReport, BookError> {
    project.look_at_work(|view| {
        let mut next = view.next()?;
        if let (StepId::Chapter(chapter, ChapterStage::Draft), Round::First) =
            (next.step, next.round)
        {
            next.evidence.extend(scenes(view.reader(), chapter));
        }
        Ok(NextReport { next })
    })
}

/// Scenes of a draft that is under way. Damaged ones are reported by whoever needs them.
fn scenes(reader: &dyn BookReader, chapter: ChapterNo) -> Option<Evidence> {
    let draft = SceneDraft::read(reader, chapter).ok()??;
    Some(Evidence {
        subject: layout::staged_scenes_dir(chapter).to_string(),
        found: json!(draft.answer()),
    })
}

/// The word for a round in answers.
#[must_use]
pub const fn round_word(round: Round) -> &'static str {
    match round {
        Round::First => "first",
        Round::Revision => "revision",
        Round::Polish => "polish",
    }
}

impl NextReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::NextAnswer {
        let next = &self.next;
        let evidence = |seen: &Evidence| contract::Evidence {
            subject: seen.subject.clone(),
            found: seen.found.clone(),
        };
        contract::NextAnswer {
            step: next.step.to_string(),
            reason: next.reason.to_owned(),
            explanation: next.explanation.get(lang).to_owned(),
            round: match next.round {
                Round::First => contract::Round::First,
                Round::Revision => contract::Round::Revision,
                Round::Polish => contract::Round::Polish,
            },
            inflight: next.inflight,
            evidence: next.evidence.iter().map(evidence).collect(),
            warnings: novel_contract::warnings(&next.warnings, lang),
        }
    }
}
