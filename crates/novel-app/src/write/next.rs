//! `novel next`: writes nothing.

use novel_book::{
    next::{Evidence, Next, Round},
    scenes::SceneDraft,
};
use novel_model::{BookReader, ChapterNo, ChapterStage, Failure, Lang, StepId, layout};
use serde_json::{Value, json};

use crate::{Project, warnings_json};

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
pub fn next_step(project: &Project) -> Result<NextReport, Failure> {
    project.look(|view| {
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
        found: draft.to_json(),
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
    /// The `data` object.
    #[must_use]
    pub fn to_json(&self, lang: Lang) -> Value {
        let next = &self.next;
        let evidence: Vec<Value> = next
            .evidence
            .iter()
            .map(|seen| json!({"subject": seen.subject, "found": seen.found}))
            .collect();
        json!({
            "step": next.step.to_string(),
            "reason": next.reason,
            "explanation": next.explanation.get(lang),
            "round": round_word(next.round),
            "inflight": next.inflight,
            "evidence": evidence,
            "warnings": warnings_json(&next.warnings, lang),
        })
    }
}
