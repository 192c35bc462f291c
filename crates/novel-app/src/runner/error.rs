//! Why an agent was not asked, or gave no usable answer.

use novel_book::{revision::RevisedRejected, validate::Rejected};
use novel_model::{ErrorTable, Kind, Row, message};
use novel_prompt::prompt::PromptError;
use novel_steps::StepError;

use super::NoPrice;
use crate::{BookError, error::use_case_error, executor::AgentError};

use_case_error! {
    /// Why the packet or the prompt of a step cannot be built.
    pub enum PacketError {
        /// The book cannot be read or written, or its rules forbid the step.
        Book(BookError),
        /// The prompt cannot be built.
        Prompt(PromptError),
    }
}

use_case_error! {
    /// Why an agent was not asked, or gave no usable answer.
    pub enum AskError {
        /// The book cannot be read or written, its rules forbid the step, or the answer is not valid.
        Book(BookError),
        /// The prompt cannot be built.
        Prompt(PromptError),
        /// The agent did not answer.
        Agent(AgentError),
        /// A revised chapter cannot become the text.
        Revised(RevisedRejected),
        /// The agent gave no valid answer, asked twice.
        NoUsableAnswer(NoUsableAnswer),
        /// A model has no price, so that a limit in money cannot be kept.
        NoPrice(NoPrice),
        /// The next call would exceed the budget.
        OverBudget(OverBudget),
    }
}

impl AskError {
    /// Whether the fault lies with the answer, not with the project or the disk.
    pub(super) fn is_about_the_answer(&self) -> bool {
        match self {
            Self::Book(error) => error.is_rejected(),
            Self::Revised(_) => true,
            Self::Prompt(_)
            | Self::Agent(_)
            | Self::NoUsableAnswer(_)
            | Self::NoPrice(_)
            | Self::OverBudget(_) => false,
        }
    }

    /// Whether the agent answered twice and neither answer can be used: another chapter may fare better.
    pub(crate) fn is_unusable_answer(&self) -> bool {
        matches!(
            self,
            Self::NoUsableAnswer(_) | Self::Agent(AgentError::Unusable(_))
        )
    }

    /// Whether asking again may help: not after a write that failed, an interruption, a budget, a
    /// refused key.
    pub(super) fn may_be_asked_again(&self) -> bool {
        match self {
            Self::Agent(error) => {
                novel_model::Explain::kind(error) == Kind::Provider && !error.is_final()
            }
            _ => self.is_about_the_answer(),
        }
    }

    /// An agent whose answers are not valid is an executor that failed.
    pub(super) fn after_the_last_try(self) -> Self {
        match self {
            Self::Book(BookError::Step(StepError::Rejected(rejected))) => {
                NoUsableAnswer(rejected).into()
            }
            other => other,
        }
    }
}

/// An agent gave no valid answer, asked twice.
#[derive(Debug, thiserror::Error)]
#[error("no usable answer")]
pub struct NoUsableAnswer(Rejected);

impl ErrorTable for NoUsableAnswer {
    fn row(&self) -> Row<'_> {
        Row::of(&self.0).kind(Kind::Provider).hint(message!(
            en: "nothing was changed; try again, perhaps with another model",
            zh: "没有改动任何内容；请重试，或换一个模型"
        ))
    }
}

/// The next call would exceed the budget.
#[derive(Debug, thiserror::Error)]
#[error("the next call would exceed the budget")]
pub struct OverBudget;

impl ErrorTable for OverBudget {
    fn row(&self) -> Row<'_> {
        let message = message!(
            en: "stopped before the call that would exceed the budget",
            zh: "在将要超出预算的调用之前停止"
        );
        Row::new(Kind::Gate, "OVER_BUDGET", message)
            .hint(message!(en: "raise [budget] in novel.toml", zh: "提高 novel.toml 的 [budget]"))
    }
}
