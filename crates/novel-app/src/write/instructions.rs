//! `novel instructions STEP`: the packet for an executor.

use novel_book::{config::Config, edit::Changes};
use novel_contract::write as contract;
use novel_model::{
    BookReader, ChapterStage, Failure, RelPath, StepId,
    files::{JudgeRole, Packet},
    layout, to_json_text,
};
use novel_prompt::{
    packet::{self, BookFiles, PacketMode, Request},
    prompt::{self, Agent, Limits, Prompt, PromptError, Template},
};
use novel_store::{TxnKind, TxnLabel, Writer};

use crate::{Book, Project};

/// Whether to save the packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Save {
    /// Only print it.
    Print,
    /// Save it under `staging/manifests/` too.
    Manifest,
}

/// A packet and where it was saved.
#[derive(Debug)]
pub struct InstructionsReport {
    /// The packet.
    pub packet: Packet,
    /// Where it was saved.
    pub manifest_path: Option<RelPath>,
}

/// The packet for a step. Writes nothing unless asked to.
///
/// # Errors
/// When an earlier chapter waits for the author, or a required input is missing or broken.
pub fn instructions(
    project: &Project,
    step: StepId,
    mode: PacketMode,
    save: Save,
) -> Result<InstructionsReport, Failure> {
    match save {
        Save::Print => {
            let packet = project.look(|view| build(project, view, step, mode))?;
            Ok(InstructionsReport {
                packet,
                manifest_path: None,
            })
        }
        Save::Manifest => {
            let chapter = match step {
                StepId::Chapter(chapter, _) => Some(chapter),
                StepId::Volume(..) | StepId::Quickstart(_) => None,
            };
            let writer = project.store().acquire(chapter)?;
            let reader = writer.reader()?;
            let packet = build(project, &project.view(&reader)?, step, mode)?;
            let path = save_packet(
                project,
                &writer,
                TxnKind::Manifest,
                step,
                JudgeRole::Primary,
                &packet,
            )?;
            Ok(InstructionsReport {
                packet,
                manifest_path: Some(path),
            })
        }
    }
}

/// The prompt for a packet that embeds its files.
pub(crate) fn prompt_for(
    config: &Config,
    reader: &dyn BookReader,
    packet: &Packet,
) -> Result<Prompt, Failure> {
    let agent = Agent::from_name(&packet.agent.name).ok_or_else(|| PromptError::UnknownAgent {
        name: packet.agent.name.clone(),
    })?;
    let template = Template::load(reader, agent, config.lang())?;
    let usual = Limits::of(agent);
    let limits = Limits {
        input_tokens: config.context.input_tokens.unwrap_or(usual.input_tokens),
        min_words: config.chapter.min_words,
        max_words: config.chapter.max_words,
    };
    Ok(prompt::build(packet, &template, &limits)?)
}

/// The prompt a step would be given now, for `novel instructions STEP --explain`.
///
/// # Errors
/// As [`instructions`], and when the step has no agent of the built-in executor.
pub fn explain(project: &Project, step: StepId) -> Result<Prompt, Failure> {
    project.look(|view| {
        let packet = build(project, view, step, PacketMode::Embed)?;
        prompt_for(project.config(), view.reader(), &packet)
    })
}

/// Saves a packet for an executor that reads it from a file: part of a call, or at the author's word.
pub(crate) fn save_packet(
    project: &Project,
    writer: &Writer,
    kind: TxnKind,
    step: StepId,
    judge: JudgeRole,
    packet: &Packet,
) -> Result<RelPath, Failure> {
    let path = match judge {
        JudgeRole::Primary => layout::manifest(step),
        JudgeRole::Secondary => layout::secondary_manifest(step),
    };
    let mut changes = Changes::default();
    changes.write(path.clone(), to_json_text(packet));
    project.write(writer, TxnLabel::new(kind, step.to_string()), changes)?;
    Ok(path)
}

fn build(
    project: &Project,
    view: &Book<'_>,
    step: StepId,
    mode: PacketMode,
) -> Result<Packet, Failure> {
    view.check_step_not_blocked(step)?;
    let book = BookFiles {
        reader: view.reader(),
        config: project.config(),
        checkpoint: view.checkpoint.get(),
    };
    let request = Request {
        mode,
        ..request(view, step)?
    };
    Ok(packet::build(book, request)?)
}

/// Which time around the step is, and for which judge, from the facts `next` looks at.
fn request(view: &Book<'_>, step: StepId) -> Result<Request, Failure> {
    let mut request = Request::new(step);
    if let Ok(next) = view.decide()?
        && next.step == step
    {
        request.round = next.round;
    }
    if let StepId::Chapter(chapter, ChapterStage::Judge) = step
        && view.staged_of(chapter)?.primary.is_some()
    {
        request.judge = JudgeRole::Secondary;
    }
    Ok(request)
}

impl InstructionsReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::PacketAnswer {
        contract::PacketAnswer {
            packet: self.packet.clone(),
            manifest_path: self.manifest_path.as_ref().map(RelPath::to_string),
            warnings: Vec::new(),
        }
    }
}
