//! `novel instructions STEP`: the packet for an executor.

use novel_contract::write as contract;
use novel_model::{
    ChapterStage, Lang, RelPath, StepId,
    files::{JudgeRole, Packet},
};
pub use novel_prompt::packet::PacketMode;
use novel_prompt::{
    packet::{self, Request},
    prompt::{self, Prompt},
};
use novel_store::TxnKind;

use crate::{
    Book, Project,
    runner::{PacketError, prompt_for, save_packet},
};

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
) -> Result<InstructionsReport, PacketError> {
    match save {
        Save::Print => {
            let packet = project.look_at_work(|view| build(project, view, step, mode))?;
            project.keep_made_index();
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
            let reader = project.at_work(&writer)?;
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

/// The sections of a prompt, with their tokens and the reason for each.
#[derive(Debug)]
pub struct ExplainReport {
    /// The prompt.
    pub prompt: Prompt,
}

/// The prompt a step would be given now, for `novel instructions STEP --explain`.
///
/// # Errors
/// As [`instructions`], and when the step has no agent of the built-in executor.
pub fn explain(project: &Project, step: StepId) -> Result<ExplainReport, PacketError> {
    let report = project.look_at_work(|view| {
        let packet = build(project, view, step, PacketMode::Embed)?;
        let prompt = prompt_for(project.config(), view.reader(), &packet)?;
        Ok::<_, PacketError>(ExplainReport { prompt })
    })?;
    project.keep_made_index();
    Ok(report)
}

fn build(
    project: &Project,
    view: &Book<'_>,
    step: StepId,
    mode: PacketMode,
) -> Result<Packet, PacketError> {
    view.check_step_not_blocked(step)?;
    let book = project.files(view.reader(), view.checkpoint.get());
    // The files of a book whose chapter is written anew in its place are not of that moment.
    let mode = if view.checkpoint.get().is_during_rewrite() {
        PacketMode::Embed
    } else {
        mode
    };
    let request = Request {
        mode,
        ..request(view, step)?
    };
    Ok(packet::build(book, request)?)
}

/// Which time around the step is, and for which judge, from the facts `next` looks at.
fn request(view: &Book<'_>, step: StepId) -> Result<Request, PacketError> {
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

impl ExplainReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::ExplainAnswer {
        let prompt = &self.prompt;
        let section = |row: prompt::Row| contract::PromptSection {
            section: row.section,
            level: row.level.word().to_owned(),
            tokens: row.tokens,
            why: row.why.get(lang).to_owned(),
        };
        let left_out = |cut: &prompt::LeftOut| contract::LeftOut {
            section: cut.name.clone(),
            tokens_before: cut.tokens_before,
            tokens_after: cut.tokens_after,
            how: cut.how.get(lang).to_owned(),
        };
        contract::ExplainAnswer {
            agent: prompt.agent.name().to_owned(),
            mode: prompt.mode.word().to_owned(),
            version: prompt.template_version,
            sections: prompt::explain(prompt).into_iter().map(section).collect(),
            left_out: prompt.left_out.iter().map(left_out).collect(),
            tokens: prompt.tokens(),
            warnings: Vec::new(),
        }
    }
}
