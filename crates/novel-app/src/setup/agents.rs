//! `novel agents`: the prompts, built in or the project's own.

use novel_contract::setup as contract;
use novel_model::{BookReader, Lang, RelPath};
use novel_prompt::prompt::{self, Agent, Origin, Template};
use novel_store::{TxnKind, TxnLabel};

use crate::{Project, Refusal, runner::PacketError};

/// A prompt and where it comes from.
#[derive(Debug)]
pub struct AgentPrompt {
    /// Name of the agent.
    pub name: String,
    /// Version of the prompt.
    pub version: u32,
    /// The project's own file, if it has one.
    pub own: Option<RelPath>,
    /// The text.
    pub text: String,
}

/// All agents, each with the prompt a run would use.
///
/// # Errors
/// When one of the project's own prompts cannot be used.
pub fn list(project: &Project, lang: Lang) -> Result<Vec<contract::AgentRow>, PacketError> {
    let row = |agent: &prompt::AgentInfo| {
        let found = show(project, agent.name)?;
        Ok(contract::AgentRow {
            name: agent.name.to_owned(),
            version: found.version,
            path: found.own.as_ref().map(RelPath::to_string),
            modes: agent
                .modes
                .iter()
                .map(|mode| mode.word().to_owned())
                .collect(),
            description: agent.description.get(lang).to_owned(),
        })
    };
    prompt::agents().iter().map(row).collect()
}

/// The prompt of an agent as a run would use it.
///
/// # Errors
/// When there is no such agent, or the project's own prompt cannot be used.
pub fn show(project: &Project, name: &str) -> Result<AgentPrompt, PacketError> {
    let agent = agent(name)?;
    project.store().look(|reader| {
        let template = Template::load(reader, agent, project.config().lang())?;
        let own = match template.origin {
            Origin::Project(path) => Some(path),
            Origin::BuiltIn => None,
        };
        let text = match &own {
            Some(path) => reader.text(path)?.unwrap_or_default(),
            None => built_in(name, project.config().lang()),
        };
        Ok(AgentPrompt {
            name: name.to_owned(),
            version: template.version,
            own,
            text,
        })
    })
}

/// Copies a built-in prompt into the project, to be changed there.
///
/// # Errors
/// When there is no such agent, or the project has its own prompt already.
pub fn eject(project: &Project, name: &str) -> Result<AgentPrompt, PacketError> {
    let agent = agent(name)?;
    let writer = project.store().acquire(None)?;
    let reader = writer.reader()?;
    let path = prompt::override_path(agent);
    if reader.read(&path)?.is_some() {
        return Err(Refusal::Exists { path }.into());
    }
    let text = built_in(name, project.config().lang());
    let mut txn = writer.begin(TxnLabel::new(TxnKind::Init, format!("agent-{name}")));
    txn.at(project.now());
    txn.write(path, text);
    txn.commit()?;
    show(project, name)
}

fn agent(name: &str) -> Result<Agent, prompt::PromptError> {
    Agent::from_name(name).ok_or_else(|| prompt::PromptError::UnknownAgent {
        name: name.to_owned(),
    })
}

fn built_in(name: &str, lang: Lang) -> String {
    prompt::source(name, lang).unwrap_or_default().to_owned()
}

impl AgentPrompt {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::AgentAnswer {
        contract::AgentAnswer {
            name: self.name.clone(),
            version: self.version,
            path: self.own.as_ref().map(RelPath::to_string),
            text: self.text.clone(),
            warnings: Vec::new(),
        }
    }
}
