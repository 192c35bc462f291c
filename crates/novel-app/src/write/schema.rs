//! `novel schema`: the JSON Schema of a step's answer, of a file, of an answer of `--json`.

use novel_contract::write::SchemaAnswer;
use novel_model::{ErrorTable, Kind, Row, StepId, message, nearest};
use serde_json::Value;

use super::instructions;
use crate::{BookError, Project, error::use_case_error, runner::PacketError};

const ENDING: &str = ".schema.json";

/// The schema of the answer to a step, as the agent would be given it now.
///
/// # Errors
/// As [`instructions::explain`]; when the step is answered with a text.
pub fn of_step(project: &Project, step: StepId) -> Result<SchemaAnswer, StepSchemaError> {
    let prompt = instructions::explain(project, step)?.prompt;
    let Some(schema) = prompt.output.schema() else {
        return Err(SchemaError::Text { step }.into());
    };
    Ok(SchemaAnswer::One {
        name: step.to_string(),
        schema: schema.clone(),
    })
}

/// The schema of a file (`evaluation`) or of an answer of `--json` (`answers/next`).
///
/// # Errors
/// When there is none of that name.
pub fn named(name: &str) -> Result<SchemaAnswer, SchemaError> {
    let wanted = name.strip_suffix(ENDING).unwrap_or(name);
    let all = all();
    match all.iter().find(|(known, _)| known == wanted) {
        Some((name, schema)) => Ok(SchemaAnswer::One {
            name: name.clone(),
            schema: schema.clone(),
        }),
        None => Err(SchemaError::Unknown {
            name: name.to_owned(),
            near: nearest(wanted, all.iter().map(|(name, _)| name.as_str())).map(str::to_owned),
        }),
    }
}

/// The names of all schemas.
#[must_use]
pub fn names() -> SchemaAnswer {
    SchemaAnswer::Names {
        schemas: all().into_iter().map(|(name, _)| name).collect(),
    }
}

fn all() -> Vec<(String, Value)> {
    let plain = |name: &str| name.strip_suffix(ENDING).unwrap_or(name).to_owned();
    let files = novel_model::schemas().into_iter();
    let files = files.map(|(name, schema)| (plain(name), schema));
    let answers = novel_contract::schemas().into_iter();
    let answers = answers.map(|(name, schema)| (format!("answers/{}", plain(&name)), schema));
    let mut all: Vec<(String, Value)> = files.chain(answers).collect();
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    all
}

/// Why there is no schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// No schema has that name.
    #[error("no schema `{name}`")]
    Unknown {
        /// Schema name given on the command line.
        name: String,
        /// Known name with the smallest edit distance.
        near: Option<String>,
    },
    /// The step is answered with a text.
    #[error("{step} is answered with a text")]
    Text {
        /// Step whose answer is prose.
        step: StepId,
    },
}

impl ErrorTable for SchemaError {
    fn row(&self) -> Row<'_> {
        let row = |message| Row::new(Kind::Input, "UNKNOWN_SCHEMA", message);
        match self {
            Self::Unknown { name, near } => row(message!(
                en: "there is no schema `{name}`", zh: "没有名为 `{name}` 的 schema"
            ))
            .hint(match near {
                Some(near) => message!(
                    en: "did you mean `novel schema {near}`?", zh: "是否想用 `novel schema {near}`？"
                ),
                None => message!(
                    en: "`novel schema` lists the names", zh: "`novel schema` 列出全部名称"
                ),
            }),
            Self::Text { step } => row(message!(
                en: "the answer to {step} is a text, not JSON", zh: "{step} 的回答是文本，不是 JSON"
            ))
            .hint(message!(
                en: "`novel prompt {step}` prints its rules", zh: "`novel prompt {step}` 输出它的规则"
            )),
        }
    }
}

use_case_error! {
    /// Why a step has no schema.
    pub enum StepSchemaError {
        /// Its prompt cannot be built.
        Packet(PacketError) from [BookError],
        /// It has none.
        Schema(SchemaError),
    }
}
