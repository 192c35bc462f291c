//! The JSON Schema of the answers of each command.

use schemars::{
    Schema, SchemaGenerator, generate::SchemaSettings, json_schema, transform::RecursiveTransform,
};
use serde_json::{Value, json};

use crate::{
    ErrorAnswer, care, forecast, history, library, look, report, revise, run, setup, share,
    shell::{self, HelpAnswer},
    write,
};

/// A command and the schema of its `data`.
type Command = (&'static str, fn(&mut SchemaGenerator) -> Schema);

macro_rules! commands {
    ($($name:literal => $($type:ty)|+),+ $(,)?) => {
        /// Every command that answers, with what it may answer.
        const COMMANDS: &[Command] = &[
            $(($name, |generator| any_of(vec![
                $(generator.subschema_for::<$type>()),+,
                generator.subschema_for::<HelpAnswer>(),
            ]))),+
        ];
    };
}

commands! {
    "adopt" => revise::AdoptAnswer,
    "advance" => write::AdvanceAnswer,
    "agents" => setup::AgentsAnswer,
    "agents eject" => setup::AgentAnswer,
    "agents list" => setup::AgentsAnswer,
    "agents show" => setup::AgentAnswer,
    "chapter" => HelpAnswer,
    "chapter generate" => write::DraftAnswer,
    "chapter list" => look::ChaptersAnswer,
    "chapter lock" => revise::MarksAnswer,
    "chapter save" => revise::SaveAnswer,
    "chapter show" => write::ShownChapter,
    "chapter unlock" => revise::MarksAnswer,
    "character" => HelpAnswer,
    "character list" => library::CharactersAnswer,
    "character retire" => library::RetireAnswer,
    "character show" => library::CharacterAnswer,
    "check" => care::CheckAnswer,
    "commit" => write::CommitAnswer,
    "completions" => shell::CompletionsAnswer,
    "config" => setup::ConfigAnswer,
    "config set" => setup::SettingAnswer,
    "config unset" => setup::SettingAnswer,
    "continue" => write::RunAnswer,
    "cost" => library::CostAnswer,
    "demo" => setup::DemoAnswer | shell::StudioAnswer,
    "diff" => look::DiffAnswer,
    "doctor" => care::DoctorAnswer | share::ShareAnswer,
    "edit" => revise::AdoptAnswer | write::ShownChapter,
    "export" => library::ExportAnswer,
    "fact" => HelpAnswer,
    "fact at" => library::FactsAnswer,
    "fact list" => library::FactsAnswer,
    "fact show" => library::FactsAnswer,
    "forecast" => forecast::ForecastAnswer,
    "foreshadow" => HelpAnswer,
    "foreshadow list" => library::ForeshadowAnswer,
    "gate" => HelpAnswer,
    "gate accept" => write::GateDecided,
    "gate rewrite" => write::GateDecided,
    "help" => HelpAnswer,
    "impact" => HelpAnswer,
    "impact chapter" => library::ImpactAnswer,
    "impact character" => library::ImpactAnswer,
    "impact fact" => library::ImpactAnswer,
    "impact rule" => library::ImpactAnswer,
    "import" => setup::ImportAnswer,
    "init" => setup::InitAnswer,
    "instructions" => write::InstructionsAnswer,
    "judge" => HelpAnswer,
    "judge calibrate" => care::JudgeAnswer,
    "judge show" => care::JudgeAnswer,
    "knows" => library::KnowsAnswer,
    "lint" => care::LintAnswer,
    "lock" => HelpAnswer,
    "lock clear" => care::LockCleared,
    "lock status" => care::Lock,
    "log" => history::LogAnswer,
    "man" => shell::ManAnswer,
    "memory" => HelpAnswer,
    "memory rebuild" => revise::RebuildAnswer,
    "next" => write::NextAnswer,
    "novel" => HelpAnswer,
    "plan" => write::RunAnswer,
    "plan approve" => write::VolumeCommit,
    "plan from-text" => setup::RetoldAnswer,
    "plan redo" => setup::RedoneAnswer,
    "plan revise" => setup::RedoneAnswer,
    "plan show" => setup::PlanAnswer,
    "projects" => setup::ProjectsAnswer,
    "prompt" => write::PromptAnswer,
    "publish" => revise::MarksAnswer,
    "quickstart" => write::RunAnswer,
    "quickstart accept" => setup::DirectionAnswer,
    "quickstart redo" => setup::RedoneAnswer,
    "read" => look::ReadAnswer,
    "redo" => history::UndoAnswer,
    "regen" => write::RunAnswer,
    "report" => report::ReportAnswer,
    "resume" => write::RunAnswer,
    "review" => HelpAnswer,
    "review run" => revise::ReviewAnswer,
    "review show" => revise::ReviewAnswer,
    "revision" => revise::RevisionsAnswer,
    "revision apply" => revise::RevisionAnswer,
    "revision candidate" => revise::RevisionAnswer,
    "revision list" => revise::RevisionsAnswer,
    "revision reject" => revise::RevisionAnswer,
    "revision show" => revise::RevisionAnswer,
    "rewrite" => write::RunAnswer,
    "rollback" => history::RollbackAnswer,
    "run" => write::RunAnswer,
    "runs" => run::RunsAnswer,
    "scene" => HelpAnswer,
    "scene generate" => write::SceneAnswer,
    "scene merge" => write::SceneAnswer,
    "scene plan" => write::SceneAnswer,
    "schema" => write::SchemaAnswer,
    "search" => library::SearchAnswer,
    "setup" => setup::SetupAnswer,
    // A choice is done as if it had been typed, and answers so.
    "start" => setup::StartAnswer | write::RunAnswer | setup::InitAnswer | setup::DemoAnswer
        | library::StatusAnswer | care::CheckAnswer | care::DoctorAnswer | history::LogAnswer
        | history::UndoAnswer | history::RollbackAnswer | setup::DirectionAnswer
        | setup::PlanAnswer | write::VolumeCommit | write::GateDecided
        | write::VolumeReviewAnswer | revise::ReviewAnswer | revise::RevisionAnswer,
    "state" => HelpAnswer,
    "state rebuild" => revise::RebuildAnswer,
    "status" => library::StatusAnswer,
    "stop" => run::PostedAnswer,
    "storyline" => HelpAnswer,
    "storyline list" => library::StorylinesAnswer,
    "storyline show" => library::StorylineAnswer,
    "studio" => shell::StudioAnswer,
    "submit" => write::SubmitAnswer,
    "tell" => run::PostedAnswer,
    "undo" => history::UndoAnswer,
    "validate" => write::ValidateAnswer,
    "version" => shell::VersionAnswer,
    "volume" => HelpAnswer,
    "volume review" => write::VolumeReviewAnswer,
    "watch" => run::WatchAnswer,
    "world" => HelpAnswer,
    "world add" => library::WorldAnswer,
}

/// File of the schema of one line of a run's log.
const RUN_EVENT: &str = "run-event.schema.json";

/// File of the schema of what `[notify]` tells.
const NOTICE: &str = "notice.schema.json";

/// File of the schema of what any command prints when it failed.
const FAILED: &str = "failed.schema.json";

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Names of the commands, each with its subcommand.
pub fn commands() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(name, _)| *name)
}

/// Name of the file that holds the schema of a command's answers: spaces become hyphens.
#[must_use]
pub fn schema_file(command: &str) -> String {
    format!("{}.schema.json", command.replace(' ', "-"))
}

/// The schemas of all answers, by file name.
#[must_use]
pub fn schemas() -> Vec<(String, Value)> {
    let mut schemas: Vec<(String, Value)> = COMMANDS
        .iter()
        .map(|(command, data)| (schema_file(command), answers_of(command, *data)))
        .collect();
    schemas.push((FAILED.to_owned(), failed()));
    schemas.push((RUN_EVENT.to_owned(), run_event()));
    schemas.push((NOTICE.to_owned(), notice()));
    schemas
}

/// The schema of what a command prints.
fn answers_of(command: &str, data: fn(&mut SchemaGenerator) -> Schema) -> Value {
    let mut generator = generator();
    let data = data(&mut generator);
    json!({
        "$schema": DIALECT,
        "title": format!("novel {command} --json"),
        "description": format!("What `novel {command} --json` prints."),
        "oneOf": [
            {
                "description": "The command is done.",
                "type": "object",
                "properties": {
                    "ok": {"const": true},
                    "command": {"const": command},
                    "data": data,
                },
                "required": ["ok", "command", "data"],
            },
            {"$ref": FAILED},
        ],
        "$defs": generator.take_definitions(true),
    })
}

/// The schema of what any command prints when it failed.
fn failed() -> Value {
    let mut generator = generator();
    let error = generator.subschema_for::<ErrorAnswer>();
    json!({
        "$schema": DIALECT,
        "title": "novel COMMAND --json, failed",
        "description": "What any command prints with `--json` when it failed.",
        "type": "object",
        "properties": {
            "ok": {"const": false},
            "command": {
                "type": "string",
                "description": "The command, with its subcommand; `novel` when there is none.",
            },
            "error": error,
        },
        "required": ["ok", "command", "error"],
        "$defs": generator.take_definitions(true),
    })
}

/// The schema of one line of `logs/runs/ID.jsonl`.
fn run_event() -> Value {
    let schema = generator().into_root_schema_for::<run::RunEvent>();
    let mut schema = schema.to_value();
    schema["title"] = json!("logs/runs/ID.jsonl, one line");
    schema
}

/// The schema of what `[notify]` tells.
fn notice() -> Value {
    let schema = generator().into_root_schema_for::<run::Notice>();
    let mut schema = schema.to_value();
    schema["title"] = json!("what [notify] tells when a run is over");
    schema
}

fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .with_transform(RecursiveTransform(drop_number_formats))
        .into_generator()
}

fn any_of(mut schemas: Vec<Schema>) -> Schema {
    schemas.dedup();
    match schemas.as_slice() {
        [one] => one.clone(),
        _ => json_schema!({"anyOf": schemas}),
    }
}

/// Names of Rust number types say nothing to a reader of the schema.
fn drop_number_formats(schema: &mut Schema) {
    let numbers = ["uint", "uint32", "uint64", "int64", "double"];
    let format = schema.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| numbers.contains(&format)) {
        schema.remove("format");
    }
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
