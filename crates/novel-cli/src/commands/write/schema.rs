//! `novel schema [STEP|NAME]`.

use novel_app::write::schema;
use novel_contract::write::SchemaAnswer;
use novel_model::{StepId, to_json_text};

use crate::{
    context::Context,
    output::{CommandResult, Output},
};

/// Print the JSON Schema of a step's answer, a file or a `--json` answer
///
/// With a step: the form of the answer that `novel submit` accepts. Without an argument the names
/// are listed.
#[derive(clap::Args, Debug)]
pub(crate) struct SchemaArgs {
    /// Step, such as `chapter:048:judge`, or name, such as `evaluation` or `answers/next`
    #[arg(value_name = "STEP|NAME")]
    of: Option<String>,
}

pub(crate) fn run(context: &Context, args: &SchemaArgs) -> CommandResult {
    let answer = match args.of.as_deref() {
        None => schema::names(),
        Some(of) if of.contains(':') => {
            let step: StepId = of.parse()?;
            schema::of_step(&context.project()?, step)?
        }
        Some(name) => schema::named(name)?,
    };
    let text = match &answer {
        SchemaAnswer::One { schema, .. } => to_json_text(schema),
        SchemaAnswer::Names { schemas } => schemas.iter().map(|name| format!("{name}\n")).collect(),
    };
    Ok(Output::new(answer).text(text))
}
