//! The root of the command tree, and the commands, one file each.
//!
//! A new command is a file with an `Args` struct and a `run` function, a line in each of the two
//! lists below, and its Chinese texts in `help/zh.rs`.

use clap::{ArgAction, CommandFactory, Parser, Subcommand};
use novel_model::Lang;

use crate::{args::GlobalArgs, context::Context, help, output::CommandResult};

pub(crate) mod care;
pub(crate) mod history;
pub(crate) mod library;
pub(crate) mod revise;
pub(crate) mod setup;
pub(crate) mod shell;
pub(crate) mod write;

/// Write a long novel, chapter by chapter, and never lose a word
///
/// `novel` keeps a book as plain files in a directory. It says what comes next, hands out
/// instructions for the step, checks what comes back, and commits a chapter in one transaction.
#[derive(Parser, Debug)]
#[command(
    name = "novel",
    version,
    disable_help_flag = true,
    disable_help_subcommand = true,
    disable_version_flag = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,

    /// Print the version
    #[arg(short = 'V', long, action = ArgAction::Version)]
    version: Option<bool>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// The command tree with its help in a language.
    pub(crate) fn tree(lang: Lang) -> clap::Command {
        help::translated(Self::command(), lang)
    }
}

/// The commands, in the order of the help.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Init(setup::init::InitArgs),
    Import(setup::import::ImportArgs),
    Start(setup::start::StartArgs),
    Quickstart(setup::quickstart::QuickstartArgs),
    Plan(setup::plan::PlanArgs),
    Setup(setup::model::SetupArgs),
    Demo(setup::demo::DemoArgs),
    Studio(library::studio::StudioArgs),
    Continue(write::continue_::ContinueArgs),
    Run(write::run::RunArgs),
    Resume(write::resume::ResumeArgs),
    Runs(write::runs::RunsArgs),
    Watch(write::watch::WatchArgs),
    Stop(write::stop::StopArgs),
    Tell(write::tell::TellArgs),
    Status(library::status::StatusArgs),
    Next(write::next::NextArgs),
    Instructions(write::instructions::InstructionsArgs),
    Prompt(write::prompt::PromptArgs),
    Schema(write::schema::SchemaArgs),
    Submit(write::submit::SubmitArgs),
    Validate(write::validate::ValidateArgs),
    Advance(write::advance::AdvanceArgs),
    Commit(write::commit::CommitArgs),
    Chapter(write::chapter::ChapterArgs),
    Read(library::read::ReadArgs),
    Diff(library::diff::DiffArgs),
    Scene(write::scene::SceneArgs),
    Gate(write::gate::GateArgs),
    Revision(revise::revision::RevisionArgs),
    Review(revise::review::ReviewArgs),
    Adopt(revise::adopt::AdoptArgs),
    Regen(revise::regen::RegenArgs),
    Rewrite(revise::rewrite::RewriteArgs),
    Edit(revise::edit::EditArgs),
    Publish(revise::publish::PublishArgs),
    Volume(write::volume::VolumeArgs),
    Impact(library::impact::ImpactArgs),
    Report(library::report::ReportArgs),
    Character(library::character::CharacterArgs),
    Knows(library::knows::KnowsArgs),
    Storyline(library::storyline::StorylineArgs),
    Foreshadow(library::foreshadow::ForeshadowArgs),
    Fact(library::fact::FactArgs),
    Projects(setup::projects::ProjectsArgs),
    Rollback(history::rollback::RollbackArgs),
    Undo(history::undo::UndoArgs),
    Redo(history::redo::RedoArgs),
    State(revise::state::StateArgs),
    Memory(revise::memory::MemoryArgs),
    World(library::world::WorldArgs),
    Log(history::log::LogArgs),
    Search(library::search::SearchArgs),
    Export(library::export::ExportArgs),
    Agents(setup::agents::AgentsArgs),
    Cost(library::cost::CostArgs),
    Forecast(library::forecast::ForecastArgs),
    Config(setup::config::ConfigArgs),
    Check(care::check::CheckArgs),
    Judge(care::judge::JudgeArgs),
    Lint(care::lint::LintArgs),
    Doctor(care::doctor::DoctorArgs),
    Lock(care::lock::LockArgs),
    Completions(shell::completions::CompletionsArgs),
    Man(shell::man::ManArgs),
    Version(shell::version::VersionArgs),
    Help(shell::help::HelpArgs),
    SandboxExec(shell::sandbox_exec::SandboxExecArgs),
    Supervise(shell::supervise::SuperviseArgs),
}

impl Command {
    /// Runs the selected command.
    pub(crate) fn run(&self, context: &Context) -> CommandResult {
        match self {
            Self::Init(args) => setup::init::run(context, args),
            Self::Import(args) => setup::import::run(context, args),
            Self::Start(args) => setup::start::run(context, args),
            Self::Quickstart(args) => setup::quickstart::run(context, args),
            Self::Plan(args) => setup::plan::run(context, args),
            Self::Setup(args) => setup::model::run(context, args),
            Self::Demo(args) => setup::demo::run(context, args),
            Self::Studio(args) => library::studio::run(context, args),
            Self::Continue(args) => write::continue_::run(context, args),
            Self::Run(args) => write::run::run(context, args),
            Self::Resume(args) => write::resume::run(context, args),
            Self::Runs(args) => write::runs::run(context, args),
            Self::Watch(args) => write::watch::run(context, args),
            Self::Stop(args) => write::stop::run(context, args),
            Self::Tell(args) => write::tell::run(context, args),
            Self::Status(args) => library::status::run(context, args),
            Self::Next(args) => write::next::run(context, args),
            Self::Instructions(args) => write::instructions::run(context, args),
            Self::Prompt(args) => write::prompt::run(context, args),
            Self::Schema(args) => write::schema::run(context, args),
            Self::Submit(args) => write::submit::run(context, args),
            Self::Validate(args) => write::validate::run(context, args),
            Self::Advance(args) => write::advance::run(context, args),
            Self::Commit(args) => write::commit::run(context, args),
            Self::Chapter(args) => write::chapter::run(context, args),
            Self::Read(args) => library::read::run(context, args),
            Self::Diff(args) => library::diff::run(context, args),
            Self::Scene(args) => write::scene::run(context, args),
            Self::Gate(args) => write::gate::run(context, args),
            Self::Revision(args) => revise::revision::run(context, args),
            Self::Review(args) => revise::review::run(context, args),
            Self::Adopt(args) => revise::adopt::run(context, args),
            Self::Regen(args) => revise::regen::run(context, args),
            Self::Rewrite(args) => revise::rewrite::run(context, args),
            Self::Edit(args) => revise::edit::run(context, args),
            Self::Publish(args) => revise::publish::run(context, args),
            Self::Volume(args) => write::volume::run(context, args),
            Self::Impact(args) => library::impact::run(context, args),
            Self::Report(args) => library::report::run(context, args),
            Self::Character(args) => library::character::run(context, args),
            Self::Knows(args) => library::knows::run(context, args),
            Self::Storyline(args) => library::storyline::run(context, args),
            Self::Foreshadow(args) => library::foreshadow::run(context, args),
            Self::Fact(args) => library::fact::run(context, args),
            Self::Projects(args) => setup::projects::run(context, args),
            Self::Rollback(args) => history::rollback::run(context, args),
            Self::Undo(args) => history::undo::run(context, args),
            Self::Redo(args) => history::redo::run(context, args),
            Self::State(args) => revise::state::run(context, args),
            Self::Memory(args) => revise::memory::run(context, args),
            Self::World(args) => library::world::run(context, args),
            Self::Log(args) => history::log::run(context, args),
            Self::Search(args) => library::search::run(context, args),
            Self::Export(args) => library::export::run(context, args),
            Self::Agents(args) => setup::agents::run(context, args),
            Self::Cost(args) => library::cost::run(context, args),
            Self::Forecast(args) => library::forecast::run(context, args),
            Self::Config(args) => setup::config::run(context, args),
            Self::Check(args) => care::check::run(context, args),
            Self::Judge(args) => care::judge::run(context, args),
            Self::Lint(args) => care::lint::run(context, args),
            Self::Doctor(args) => care::doctor::run(context, args),
            Self::Lock(args) => care::lock::run(context, args),
            Self::Completions(args) => shell::completions::run(context, args),
            Self::Man(args) => shell::man::run(context, args),
            Self::Version(args) => shell::version::run(context, args),
            Self::Help(args) => shell::help::run(context, args),
            Self::SandboxExec(args) => shell::sandbox_exec::run(args),
            Self::Supervise(args) => shell::supervise::run(args),
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
