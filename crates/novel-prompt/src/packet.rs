//! Instruction packets: who does a step, what it may read, what it must write, what comes next.
//!
//! In `paths` mode files are named, and small computed values stand in `inline`. In `embed` mode
//! every text that comes from a file of the project stands in `embedded`, each in its own `<DATA>`
//! wrapper; `inline` then holds only numbers, ids and flags. For an executor that reads files both are
//! worked out at once: its prompt is made of the texts, and [`naming_files`] leaves them out.

mod chapter;
mod fields;
mod known;
mod lifecycle;
mod reading;
mod sources;
mod told;

use novel_model::{
    BookReader, ChapterNo, ChapterStage, StepId, VolumeNo, VolumeStage,
    files::{
        AnswerForm, Checkpoint, ExpectedOutput, GeneratedChapter, JudgeRole, Manifest, NextAction,
        Packet, PacketAgent, RevisionTrigger,
    },
};

pub use reading::{ReadingRequest, name_part, reading};

use novel_book::{
    config::Config, context::ContextError, next::Round, recall::Digests, scenes::Part,
};

use crate::prompt::{self, Agent};

/// Version of the packet format.
const VERSION: u32 = 1;

/// Whether files are named or given in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PacketMode {
    /// Named.
    #[default]
    Paths,
    /// Given in full, wrapped as data.
    Embed,
    /// Both, for a prompt and the packet that names its files.
    Both,
}

impl PacketMode {
    fn names_files(self) -> bool {
        matches!(self, Self::Paths | Self::Both)
    }

    fn gives_texts(self) -> bool {
        matches!(self, Self::Embed | Self::Both)
    }
}

/// A packet of [`PacketMode::Both`] as it is in [`PacketMode::Paths`].
#[must_use]
pub fn naming_files(mut packet: Packet) -> Packet {
    packet.manifest.embedded = None;
    "paths".clone_into(&mut packet.manifest.mode);
    packet
}

/// Which packet is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// For this step.
    pub step: StepId,
    /// Which time around; decides between draft and revision, refinement and polish.
    pub round: Round,
    /// For which judge, where the step is a verdict.
    pub judge: JudgeRole,
    /// Which part, where the step is a draft of the first round or a plan.
    pub part: Part,
    /// Whether files are named or given in full.
    pub mode: PacketMode,
}

impl Request {
    /// The first round of a step, for the first judge, with files named.
    #[must_use]
    pub const fn new(step: StepId) -> Self {
        Self {
            step,
            round: Round::First,
            judge: JudgeRole::Primary,
            part: Part::Whole,
            mode: PacketMode::Paths,
        }
    }
}

/// What a packet is made from.
#[derive(Clone, Copy)]
pub struct BookFiles<'a> {
    /// The files.
    pub reader: &'a dyn BookReader,
    /// The configuration.
    pub config: &'a Config,
    /// Where the book stands.
    pub checkpoint: &'a Checkpoint,
    /// Chapters that were made ready to be looked through.
    pub digests: &'a Digests,
}

/// The packet for a request.
///
/// # Errors
/// When a required input is missing or broken; lists every problem of the run.
pub fn build(book: BookFiles<'_>, request: Request) -> Result<Packet, ContextError> {
    let mode = request.mode;
    match request.step {
        StepId::Chapter(chapter, stage) => chapter::packet(book, chapter, stage, request),
        StepId::Volume(volume, VolumeStage::Plan) if request.part == Part::Newcomers => {
            lifecycle::newcomers(book, volume, mode)
        }
        StepId::Volume(volume, stage) => lifecycle::volume(book, volume, stage, mode),
        StepId::Quickstart(phase) => lifecycle::quickstart(book, phase, mode),
    }
}

/// Which text is to be revised, and how. No step of the pipeline asks for it: the app does, when a
/// report has fixable issues.
#[derive(Debug, Clone, Copy)]
pub struct Revision<'a> {
    /// The report behind it.
    pub trigger: RevisionTrigger,
    /// The text as it is.
    pub chapter: &'a GeneratedChapter,
    /// All fix instructions, in order: [`novel_book::revision::notes`].
    pub notes: &'a str,
    /// What the author asks for beside them.
    pub author: Option<&'a str>,
    /// Whether files are named or given in full; text and notes are always given.
    pub mode: PacketMode,
}

impl Revision<'_> {
    /// The step whose report asks for it; its calls are kept there.
    #[must_use]
    pub const fn stage(&self) -> ChapterStage {
        match self.trigger {
            RevisionTrigger::Consistency => ChapterStage::Audit,
            RevisionTrigger::LogicReview => ChapterStage::Review,
        }
    }
}

/// The packet for the chapter-reviser.
///
/// # Errors
/// When a file of the book that it is given is broken.
pub fn reviser(book: BookFiles<'_>, revision: Revision<'_>) -> Result<Packet, ContextError> {
    chapter::reviser(book, revision)
}

/// The packet with which the world-builder is asked for something new, in the author's words.
///
/// # Errors
/// When a required input is missing or broken.
pub fn world_extension(
    book: BookFiles<'_>,
    request: &str,
    mode: PacketMode,
) -> Result<Packet, ContextError> {
    lifecycle::world_extension(book, request, mode)
}

/// Written chapters of a volume, or a part of one; their texts are staged.
#[derive(Debug, Clone, Copy)]
pub struct RetellRequest {
    /// The volume.
    pub volume: VolumeNo,
    /// First and last chapter.
    pub chapters: (ChapterNo, ChapterNo),
    /// Which part of how many, of a single chapter.
    pub part: (u32, u32),
}

/// The packet with which the plot-architect is asked what written chapters of a volume tell.
///
/// # Errors
/// When a required input is missing or broken.
pub fn retelling(
    book: BookFiles<'_>,
    request: RetellRequest,
    mode: PacketMode,
) -> Result<Packet, ContextError> {
    lifecycle::retelling(book, request, mode)
}

/// Everything of a packet but its manifest.
struct Work {
    agent: PacketAgent,
    expected_outputs: Vec<ExpectedOutput>,
    write_boundary: Vec<String>,
    next_actions: Vec<NextAction>,
}

impl Work {
    /// For an agent that writes its outputs itself.
    fn by_agent(step: StepId, agent: PacketAgent, outputs: Vec<ExpectedOutput>) -> Self {
        Self {
            agent,
            expected_outputs: outputs,
            write_boundary: vec!["staging/**".to_owned()],
            next_actions: vec![
                command(format!("novel validate {step}")),
                command(format!("novel advance {step}")),
            ],
        }
    }

    /// For an agent that writes nothing: its answer is handed in.
    fn by_reader(step: StepId, agent: PacketAgent, answer: ExpectedOutput) -> Self {
        Self {
            agent,
            expected_outputs: vec![answer],
            write_boundary: Vec::new(),
            next_actions: vec![
                command(format!("novel submit {step}")),
                command(format!("novel advance {step}")),
            ],
        }
    }

    /// For a step the program does itself.
    fn by_program(line: &str, outputs: Vec<ExpectedOutput>) -> Self {
        Self {
            agent: PacketAgent {
                kind: "cli".to_owned(),
                name: "novel".to_owned(),
                mode: None,
                model_hint: None,
            },
            expected_outputs: outputs,
            write_boundary: Vec::new(),
            next_actions: vec![command(line)],
        }
    }

    fn into_packet(self, step: StepId, manifest: Manifest) -> Packet {
        let answer = answer_form(step, &self.agent);
        Packet {
            version: VERSION,
            step: step.to_string(),
            agent: self.agent,
            manifest,
            expected_outputs: self.expected_outputs,
            write_boundary: self.write_boundary,
            next_actions: self.next_actions,
            answer,
        }
    }
}

/// The form of an agent's answer, and the commands that speak of it.
fn answer_form(step: StepId, agent: &PacketAgent) -> Option<AnswerForm> {
    let known = Agent::from_name(&agent.name)?;
    let mut modes = known.modes().iter();
    let mode = modes.find(|mode| agent.mode.as_deref() == Some(mode.word()));
    let output = mode.map_or_else(
        || prompt::output(known),
        |mode| prompt::output_in(known, *mode),
    );
    Some(AnswerForm {
        form: output.word().to_owned(),
        schema: output.schema().map(|_| format!("novel schema {step}")),
        prompt: format!("novel prompt {step}"),
        submit: format!("novel submit {step} FILE"),
    })
}

/// A wish for the model of an agent.
#[derive(Clone, Copy)]
enum ModelHint {
    Default,
    /// For the revision writer and the second judge.
    Strong,
}

fn subagent(name: &str, mode: Option<&str>, hint: ModelHint) -> PacketAgent {
    let hint = match hint {
        ModelHint::Default => "default",
        ModelHint::Strong => "strong",
    };
    PacketAgent {
        kind: "subagent".to_owned(),
        name: name.to_owned(),
        mode: mode.map(str::to_owned),
        model_hint: Some(hint.to_owned()),
    }
}

fn output(path: impl ToString, schema: Option<&str>) -> ExpectedOutput {
    ExpectedOutput {
        path: path.to_string(),
        required: true,
        schema: schema.map(str::to_owned),
    }
}

fn optional(path: impl ToString, schema: Option<&str>) -> ExpectedOutput {
    ExpectedOutput {
        required: false,
        ..output(path, schema)
    }
}

fn command(command: impl Into<String>) -> NextAction {
    NextAction {
        kind: "command".to_owned(),
        command: command.into(),
    }
}
