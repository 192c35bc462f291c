//! What stops a run.

use novel_book::{next::NoStep, pending::GateClosed, run::Block, scenes::NotMergeable};
use novel_model::{Explain, Message};
use novel_prompt::prompt::{Agent, PromptError};
use novel_steps::{Refusal, StepError};
use novel_store::StoreError;

use crate::{
    BookError,
    error::use_case_error,
    executor::AgentError,
    revise::{ReviseError, revision::RewriteRefused},
    runner::{AskError, NoPrice},
};

use_case_error! {
    /// What stops a run at its first step or in the middle.
    pub enum StopCause {
        /// The book, an agent or a revision.
        Revise(ReviseError) from [BookError, AskError, PromptError, RewriteRefused, NoPrice],
        /// Scenes that do not make a chapter.
        Scenes(NotMergeable),
    }
}

impl From<AgentError> for StopCause {
    fn from(error: AgentError) -> Self {
        AskError::from(error).into()
    }
}

impl StopCause {
    /// The error of the book itself, where it is one.
    fn of_the_book(&self) -> Option<&BookError> {
        match self {
            Self::Revise(ReviseError::Ask(
                AskError::Book(error) | AskError::Agent(AgentError::Book(error)),
            )) => Some(error),
            Self::Revise(_) | Self::Scenes(_) => None,
        }
    }

    /// Whether outputs of an agent are not valid.
    pub(super) fn is_rejected(&self) -> bool {
        self.of_the_book().is_some_and(BookError::is_rejected)
    }

    /// The agent whose outputs are not valid.
    pub(super) fn rejected_agent(&self) -> Option<Agent> {
        match self.of_the_book()? {
            BookError::Step(StepError::Rejected(rejected)) => Agent::of_step(rejected.step),
            BookError::Step(_) | BookError::Store(_) => None,
        }
    }

    /// Whether a write is decided and not finished: any command finishes it.
    pub(super) fn is_unfinished_write(&self) -> bool {
        let sealed = |error| matches!(error, &BookError::Store(StoreError::Sealed { .. }));
        self.of_the_book().is_some_and(sealed)
    }

    /// What to do about files that could not be read or written.
    pub(super) fn disk_hint(&self) -> Option<Message> {
        match self.of_the_book()? {
            BookError::Store(error) => error.hint(),
            BookError::Step(StepError::File(error)) => error.hint(),
            BookError::Step(_) => None,
        }
    }

    /// What the author changes before an agent can be asked again.
    pub(super) fn agent_hint(&self) -> Option<Message> {
        match self {
            Self::Revise(ReviseError::Ask(AskError::Agent(error))) => error.repair(),
            Self::Revise(_) | Self::Scenes(_) => None,
        }
    }

    /// What stops the book, where a step could not be begun.
    pub(super) fn block(&self) -> Block {
        let Some(BookError::Step(error)) = self.of_the_book() else {
            return Block::BrokenProject;
        };
        match error {
            StepError::NoStep(NoStep::Paused { .. }) => Block::GatePaused,
            StepError::Closed(GateClosed::Pending(_) | GateClosed::Unreadable { .. }) => {
                Block::PendingRevision
            }
            StepError::Refusal(Refusal::NotWriting { .. }) => Block::NotWriting,
            StepError::NoStep(NoStep::Contradiction { .. })
            | StepError::Closed(GateClosed::NoList(_))
            | StepError::Refusal(_)
            | StepError::Walled(_)
            | StepError::File(_)
            | StepError::Context(_)
            | StepError::Rejected(_)
            | StepError::Path(_)
            | StepError::Id(_) => Block::BrokenProject,
        }
    }
}
