//! The prompt of a packet, and the packet as a file.

use novel_book::{config::Config, edit::Changes};
use novel_model::{
    BookReader, RelPath, StepId,
    files::{JudgeRole, Packet},
    layout, to_json_text,
};
use novel_prompt::prompt::{self, Agent, Limits, Prompt, PromptError, Template};
use novel_store::{TxnKind, TxnLabel, Writer};

use crate::{BookError, Project};

/// The prompt for a packet that embeds its files.
pub(crate) fn prompt_for(
    config: &Config,
    reader: &dyn BookReader,
    packet: &Packet,
) -> Result<Prompt, PromptError> {
    let agent = Agent::from_name(&packet.agent.name).ok_or_else(|| PromptError::UnknownAgent {
        name: packet.agent.name.clone(),
    })?;
    let template = Template::load(reader, agent, config.lang())?;
    let limits = Limits::for_book(agent, config);
    prompt::build(packet, &template, &limits)
}

/// Saves a packet for an executor that reads it from a file: part of a call, or at the author's word.
pub(crate) fn save_packet(
    project: &Project,
    writer: &Writer,
    kind: TxnKind,
    step: StepId,
    judge: JudgeRole,
    packet: &Packet,
) -> Result<RelPath, BookError> {
    let path = match judge {
        JudgeRole::Primary => layout::manifest(step),
        JudgeRole::Secondary => layout::secondary_manifest(step),
    };
    let mut changes = Changes::default();
    changes.write(path.clone(), to_json_text(packet));
    project.write(writer, TxnLabel::new(kind, step.to_string()), changes)?;
    Ok(path)
}
