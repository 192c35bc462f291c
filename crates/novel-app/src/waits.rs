//! What waits for the author, from one place: `status`, `start`, `run` and `next` say the same.

use novel_book::{config::Approval, pending::GateClosed};
use novel_model::{
    Explain, Lang, Message, QuickstartPhase, StepId, VolumeStage, files::OrchestratorState,
};

use crate::{Book, Refusal, StepError};

/// The next step, and what the author has to decide before it.
#[derive(Debug)]
pub struct Waits {
    /// The next step, or why there is none.
    pub next: Result<StepId, StepError>,
    /// What waits for the author, for people; nothing when the book can go on.
    pub what: Option<Message>,
    /// Stable code of it.
    pub code: Option<&'static str>,
    /// One command to run next.
    pub command: String,
}

/// What waits for the author. `approval` is who approves a trial and a plan.
#[must_use]
pub fn waits(view: &Book<'_>, approval: Approval) -> Waits {
    let next = view.next().map(|next| next.step);
    let refusal = match &next {
        Ok(step) => waiting_step(view, *step, approval),
        Err(_) => None,
    };
    let (what, code) = match (&next, &refusal) {
        (Err(error), _) => (Some(error.message()), Some(error.code())),
        (_, Some(refusal)) => (Some(refusal.message()), Some(refusal.code())),
        (Ok(_), None) => (None, None),
    };
    let command = match &next {
        Ok(step) => command(view, *step),
        Err(error) => command_at(error),
    };
    Waits {
        next,
        what,
        code,
        command,
    }
}

/// What the author has to decide before a step is done: a written trial, a staged plan, a step that
/// failed twice.
#[must_use]
pub fn waiting_step(view: &Book<'_>, step: StepId, approval: Approval) -> Option<Refusal> {
    let asks = approval == Approval::Author;
    match step {
        StepId::Quickstart(QuickstartPhase::Results) if asks => Some(Refusal::TrialWaits),
        StepId::Volume(volume, VolumeStage::Commit) if asks => Some(Refusal::PlanWaits { volume }),
        _ if view.checkpoint.get().orchestrator_state == OrchestratorState::ErrorRetry => {
            Some(Refusal::NeedsRetry { step })
        }
        _ => None,
    }
}

fn command(view: &Book<'_>, step: StepId) -> String {
    let checkpoint = view.checkpoint.get();
    let failed = checkpoint.orchestrator_state == OrchestratorState::ErrorRetry;
    let retry = if failed { " --retry" } else { "" };
    match step {
        StepId::Volume(_, VolumeStage::Commit) => "novel plan show".to_owned(),
        StepId::Volume(_, VolumeStage::Review) => "novel volume review".to_owned(),
        StepId::Volume(_, VolumeStage::Plan) => format!("novel plan{retry}"),
        StepId::Quickstart(_) => "novel start".to_owned(),
        StepId::Chapter(..) if checkpoint.trial_until.is_some() => {
            format!("novel quickstart{retry}")
        }
        StepId::Chapter(..) => format!("novel continue{retry}"),
    }
}

fn command_at(error: &StepError) -> String {
    match error {
        StepError::Closed(GateClosed::Pending(waiting)) => {
            format!("novel revision show {}", waiting.blocked.get())
        }
        _ => "novel start".to_owned(),
    }
}

impl Waits {
    /// What waits, where it is a decision and not a damaged file, whose message may quote it.
    #[must_use]
    pub fn decision(&self) -> Option<&Message> {
        let is_decision = match &self.next {
            Ok(_) | Err(StepError::Closed(GateClosed::Pending(_))) => true,
            Err(_) => false,
        };
        self.what.as_ref().filter(|_| is_decision)
    }

    /// The answer of a command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> Option<novel_contract::library::WaitingSummary> {
        let (what, code) = (self.what.as_ref()?, self.code?);
        Some(novel_contract::library::WaitingSummary {
            code: code.to_owned(),
            message: what.get(lang).to_owned(),
            command: self.command.clone(),
        })
    }
}
