//! The commands, one file each.
//!
//! A new command is a file with an `Args` struct and a `run` function, a line in each of the two
//! lists below, and its Chinese texts in `help/zh.rs`.

use clap::Subcommand;
use novel_model::Lang;

use crate::{context::Context, output::CommandResult};

mod adopt;
mod advance;
mod agents;
mod chapter;
mod character;
mod check;
mod commit;
mod completions;
mod config;
mod continue_;
mod cost;
mod demo;
mod doctor;
mod export;
mod foreshadow;
mod gate;
mod help;
mod import;
mod init;
mod instructions;
mod lint;
mod lock;
mod log;
mod man;
mod memory;
mod next;
mod plan;
mod projects;
mod quickstart;
mod regen;
mod report;
mod resume;
mod review;
mod revision;
mod rollback;
mod run;
mod sandbox_exec;
mod scene;
mod search;
mod start;
mod state;
mod status;
mod storyline;
mod submit;
mod undo;
mod validate;
pub(crate) mod version;
mod volume;
mod world;

/// The commands, in the order of the help.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Init(init::InitArgs),
    Import(import::ImportArgs),
    Start(start::StartArgs),
    Quickstart(quickstart::QuickstartArgs),
    Plan(plan::PlanArgs),
    Demo(demo::DemoArgs),
    Continue(continue_::ContinueArgs),
    Run(run::RunArgs),
    Resume(resume::ResumeArgs),
    Status(status::StatusArgs),
    Next(next::NextArgs),
    Instructions(instructions::InstructionsArgs),
    Submit(submit::SubmitArgs),
    Validate(validate::ValidateArgs),
    Advance(advance::AdvanceArgs),
    Commit(commit::CommitArgs),
    Chapter(chapter::ChapterArgs),
    Scene(scene::SceneArgs),
    Gate(gate::GateArgs),
    Revision(revision::RevisionArgs),
    Review(review::ReviewArgs),
    Adopt(adopt::AdoptArgs),
    Regen(regen::RegenArgs),
    Volume(volume::VolumeArgs),
    Report(report::ReportArgs),
    Character(character::CharacterArgs),
    Storyline(storyline::StorylineArgs),
    Foreshadow(foreshadow::ForeshadowArgs),
    Projects(projects::ProjectsArgs),
    Rollback(rollback::RollbackArgs),
    Undo(undo::UndoArgs),
    State(state::StateArgs),
    Memory(memory::MemoryArgs),
    World(world::WorldArgs),
    Log(log::LogArgs),
    Search(search::SearchArgs),
    Export(export::ExportArgs),
    Agents(agents::AgentsArgs),
    Cost(cost::CostArgs),
    Config(config::ConfigArgs),
    Check(check::CheckArgs),
    Lint(lint::LintArgs),
    Doctor(doctor::DoctorArgs),
    Lock(lock::LockArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    Version(version::VersionArgs),
    Help(help::HelpArgs),
    SandboxExec(sandbox_exec::SandboxExecArgs),
}

impl Command {
    /// Does it.
    pub(crate) fn run(&self, context: &Context) -> CommandResult {
        match self {
            Self::Init(args) => init::run(context, args),
            Self::Import(args) => import::run(context, args),
            Self::Start(args) => start::run(context, args),
            Self::Quickstart(args) => quickstart::run(context, args),
            Self::Plan(args) => plan::run(context, args),
            Self::Demo(args) => demo::run(context, args),
            Self::Continue(args) => continue_::run(context, args),
            Self::Run(args) => run::run(context, args),
            Self::Resume(args) => resume::run(context, args),
            Self::Status(args) => status::run(context, args),
            Self::Next(args) => next::run(context, args),
            Self::Instructions(args) => instructions::run(context, args),
            Self::Submit(args) => submit::run(context, args),
            Self::Validate(args) => validate::run(context, args),
            Self::Advance(args) => advance::run(context, args),
            Self::Commit(args) => commit::run(context, args),
            Self::Chapter(args) => chapter::run(context, args),
            Self::Scene(args) => scene::run(context, args),
            Self::Gate(args) => gate::run(context, args),
            Self::Revision(args) => revision::run(context, args),
            Self::Review(args) => review::run(context, args),
            Self::Adopt(args) => adopt::run(context, args),
            Self::Regen(args) => regen::run(context, args),
            Self::Volume(args) => volume::run(context, args),
            Self::Report(args) => report::run(context, args),
            Self::Character(args) => character::run(context, args),
            Self::Storyline(args) => storyline::run(context, args),
            Self::Foreshadow(args) => foreshadow::run(context, args),
            Self::Projects(args) => projects::run(context, args),
            Self::Rollback(args) => rollback::run(context, args),
            Self::Undo(args) => undo::run(context, args),
            Self::State(args) => state::run(context, args),
            Self::Memory(args) => memory::run(context, args),
            Self::World(args) => world::run(context, args),
            Self::Log(args) => log::run(context, args),
            Self::Search(args) => search::run(context, args),
            Self::Export(args) => export::run(context, args),
            Self::Agents(args) => agents::run(context, args),
            Self::Cost(args) => cost::run(context, args),
            Self::Config(args) => config::run(context, args),
            Self::Check(args) => check::run(context, args),
            Self::Lint(args) => lint::run(context, args),
            Self::Doctor(args) => doctor::run(context, args),
            Self::Lock(args) => lock::run(context, args),
            Self::Completions(args) => completions::run(context, args),
            Self::Man(args) => man::run(context, args),
            Self::Version(args) => version::run(context, args),
            Self::Help(args) => help::run(context, args),
            Self::SandboxExec(args) => sandbox_exec::run(args),
        }
    }

    /// The language of a book this command is about to make.
    pub(crate) fn new_book(&self) -> Option<Lang> {
        match self {
            Self::Init(args) => args.book.language,
            Self::Start(args) => args.book.language,
            Self::Demo(args) => args.language,
            Self::Import(args) => args.language,
            _ => None,
        }
    }
}
