//! Whatever runs an agent. The pipeline does not know which one it has.

mod command;
mod llm;
mod offline;

use std::path::PathBuf;

use novel_exec::ChildError;
use novel_llm::{ModelError, SecretError, Usage};
use novel_model::{
    BookReader, ErrorTable, Explain, Message, RelPath, Row, StepId, Warning,
    files::{JudgeRole, Packet},
};
use novel_offline::OfflineError;
use novel_prompt::prompt::Prompt;

use crate::{BookError, Project, error::use_case_error};

pub(crate) use command::passed_on;
pub use command::{BoundaryViolation, Command, CommandError};
pub use llm::{Llm, LlmError};
pub(crate) use llm::{endpoint, host, is_this_machine, key_path, server};
pub use novel_book::config::ExecutorKind;
pub use novel_exec::{exec, supervise};
pub use novel_llm::CancelToken;
pub(crate) use offline::VARIANT;
pub use offline::{OFFLINE_MODEL, Offline};

/// One call of an agent.
pub struct AgentCall<'a> {
    /// The step.
    pub step: StepId,
    /// Which judge, for a judge step.
    pub judge: JudgeRole,
    /// The packet: files named by path, or given in full to an executor that reads none.
    pub packet: &'a Packet,
    /// The packet, saved in the project; only for an executor that asks for it.
    pub packet_path: Option<RelPath>,
    /// The packet rendered as a prompt.
    pub prompt: &'a Prompt,
    /// The model that was chosen for it.
    pub model: &'a str,
    /// The book as the agent is to see it, where that is not the book as it is: a chapter of the
    /// past is summarised with the state of its time.
    pub book: Option<&'a dyn BookReader>,
}

/// What an agent answered.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentAnswer {
    /// The answer: Markdown or JSON.
    pub text: String,
    /// The answer as it came over the wire.
    pub raw: String,
    /// What the writer noted beside a draft for the summarizer.
    pub hints: Option<String>,
    /// The model that answered.
    pub model: String,
    /// Tokens, where they were reported.
    pub usage: Usage,
    /// Calls it took.
    pub attempts: u32,
}

/// An answer that arrived, and was paid for, but cannot be used: cut, refused, filtered.
#[derive(Debug, thiserror::Error)]
#[error("an answer that cannot be used")]
pub struct UnusableAnswer {
    /// The answer as the agent gave it, with its outcome and cost.
    pub answer: Box<AgentAnswer>,
    /// What is wrong with it.
    pub why: LlmError,
}

impl ErrorTable for UnusableAnswer {
    fn row(&self) -> Row<'_> {
        Row::of(&self.why)
    }
}

use_case_error! {
    /// Why an agent gave no answer.
    pub enum AgentError {
        /// The model client is not configured, or its answer cannot be used.
        Llm(LlmError),
        /// The key cannot be read.
        Secret(SecretError),
        /// The model server did not answer.
        Model(ModelError),
        /// An answer that was paid for and cannot be used.
        Unusable(UnusableAnswer),
        /// The offline author cannot do it.
        Offline(OfflineError),
        /// The agent program is not configured, or its answer cannot be used.
        Command(CommandError),
        /// The agent program failed.
        Child(ChildError),
        /// The agent program wrote outside its boundary.
        Boundary(BoundaryViolation),
        /// The book cannot be read or written.
        Book(BookError),
    }
}

/// Marks a call that is made again because its answer was cut.
pub(crate) const ANSWER_CUT: &str = "answer_cut";

impl AgentError {
    /// The limit at which an answer was cut.
    pub(crate) fn cut_at(&self) -> Option<u32> {
        match self {
            Self::Unusable(UnusableAnswer {
                why: LlmError::Cut { limit, .. },
                ..
            }) => Some(*limit),
            _ => None,
        }
    }

    /// Whether an answer went round in circles.
    pub(crate) fn is_loop(&self) -> bool {
        matches!(
            self,
            Self::Unusable(UnusableAnswer {
                why: LlmError::Looped { .. },
                ..
            })
        )
    }

    /// What the author changes before the same question can be answered; `None` where trying again
    /// is all there is to do.
    pub(crate) fn repair(&self) -> Option<Message> {
        match self {
            Self::Model(error) if error.is_final() => error.hint(),
            Self::Secret(error) => error.hint(),
            Self::Command(CommandError::NotJson { .. }) => None,
            Self::Command(error) => error.hint(),
            Self::Child(error) => error.hint(),
            Self::Boundary(error) => error.hint(),
            Self::Model(_)
            | Self::Llm(_)
            | Self::Unusable(_)
            | Self::Offline(_)
            | Self::Book(_) => None,
        }
    }

    /// Whether the same question would be refused again: a wrong key, no credit, a wrong request.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, Self::Model(error) if error.is_final())
    }
}

/// Longest answer of an agent, in tokens, unless the author says otherwise.
pub const DEFAULT_OUTPUT_TOKENS: u32 = 8_192;

/// What an executor reports while it works.
#[derive(Debug, Clone, PartialEq)]
pub enum Sign {
    /// A piece of the answer arrived.
    Text(String),
    /// What was reported before is void; the call is made again.
    Again {
        /// Which attempt failed.
        attempt: u32,
        /// Why, for people.
        why: novel_model::Message,
    },
}

/// What an executor works from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// The prompt alone.
    Prompt,
    /// Files of the project too.
    Files,
}

/// A note to keep: a file of the project that is written once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Where.
    pub path: RelPath,
    /// What.
    pub text: String,
}

/// A file that an agent's program made for itself in the project, and that was taken away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discarded {
    /// The step it worked on.
    pub step: StepId,
    /// The program.
    pub program: String,
    /// The path from the project.
    pub path: String,
}

/// Whatever runs an agent.
pub trait Executor: Send + Sync {
    /// Which kind.
    fn kind(&self) -> ExecutorKind;

    /// The model for the first of these roles it has one for.
    fn model_for(&self, roles: &[&str]) -> String;

    /// Whether the packet is to be saved as a file for it.
    fn wants_packet(&self) -> bool {
        false
    }

    /// What it works from.
    fn reads(&self) -> Reads {
        Reads::Files
    }

    /// Prepares for a run, with the lock held; returns what the author should know before it.
    fn begin_run(&self) -> Vec<Warning> {
        Vec::new()
    }

    /// What it learnt since it was asked last, to be kept in the project.
    fn take_learnt(&self) -> Vec<Note> {
        Vec::new()
    }

    /// What was taken away since it was asked last: files that programs made for themselves.
    fn take_discarded(&self) -> Vec<Discarded> {
        Vec::new()
    }

    /// Calls that another model answered since it was asked last, because a provider was down.
    fn take_fallbacks(&self) -> Vec<Warning> {
        Vec::new()
    }

    /// Runs an agent and waits for its whole answer.
    ///
    /// # Errors
    /// When there is none.
    fn run(
        &self,
        call: &AgentCall<'_>,
        on_sign: &mut dyn FnMut(Sign),
        cancel: &CancelToken,
    ) -> Result<AgentAnswer, AgentError>;
}

/// `~/` at the beginning is the home directory.
fn with_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => path.into(),
    }
}

/// The executor a project asks for, or another one. `launcher` is this program's own file.
///
/// # Errors
/// When its configuration is not complete: no program, no model, no key.
pub fn open(
    project: &Project,
    launcher: PathBuf,
    other: Option<ExecutorKind>,
) -> Result<Box<dyn Executor>, AgentError> {
    let (store, config) = (project.store(), project.config());
    Ok(match other.unwrap_or(config.executor) {
        ExecutorKind::Offline => Box::new(Offline::new(store.clone(), config.clone())),
        ExecutorKind::Llm => {
            let known = llm::notes(&store.reader()?)?;
            Box::new(Llm::new(config.clone(), store.root())?.knowing(known))
        }
        ExecutorKind::Command => Box::new(Command::new(store.clone(), config.clone(), launcher)?),
    })
}
