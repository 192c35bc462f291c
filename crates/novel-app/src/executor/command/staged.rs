//! Answers that a program leaves in staging, brought into the form `novel submit` takes.

use novel_book::config::CommandOutput;
use novel_model::{
    ChapterNo, ChapterStage, Lang, RelPath, StepId, files::ExpectedOutput, layout, message,
};
use novel_store::boundary::{HandedIn, Left, MAX_FILE};
use serde_json::{Map, Value};

use super::{AgentCall, AgentError, CommandError, listed};

/// What a file is in the answer.
enum Part {
    /// The whole answer.
    Whole,
    /// A text field of the answer.
    Text(&'static str),
    /// A JSON field of the answer.
    Json(&'static str),
}

impl Part {
    const fn field(&self) -> Option<&'static str> {
        match self {
            Self::Whole => None,
            Self::Text(field) | Self::Json(field) => Some(field),
        }
    }
}

/// The files a step must leave, and what they are.
fn parts(call: &AgentCall<'_>) -> Vec<(Part, RelPath)> {
    let required = call
        .packet
        .expected_outputs
        .iter()
        .filter(|output| output.required)
        .filter_map(|ExpectedOutput { path, .. }| path.parse::<RelPath>().ok());
    match call.step {
        StepId::Chapter(chapter, ChapterStage::Summarize) => required
            .map(|path| (part_of_summary(chapter, &path), path))
            .collect(),
        StepId::Chapter(..) | StepId::Volume(..) | StepId::Quickstart(_) => {
            required.map(|path| (Part::Whole, path)).collect()
        }
    }
}

fn part_of_summary(chapter: ChapterNo, path: &RelPath) -> Part {
    if *path == layout::staged_delta(chapter) {
        Part::Json("delta")
    } else if *path == layout::staged_crossref(chapter) {
        Part::Json("crossref")
    } else if *path == layout::staged_summary(chapter) {
        Part::Text("summary")
    } else {
        Part::Text("memory")
    }
}

/// The words that ask for files instead of an answer.
pub(super) fn request(call: &AgentCall<'_>, lang: Lang) -> String {
    let parts = parts(call);
    let paths: Vec<(Option<&str>, &RelPath)> = parts
        .iter()
        .map(|(part, path)| (part.field(), path))
        .collect();
    let list = listed(&paths, lang);
    let words = if parts.iter().any(|(part, _)| part.field().is_some()) {
        message!(
            en: "Do not print the answer. Write each of its fields to a file of its own, below the current directory; texts as they are, the others as JSON. Write nowhere else:\n{list}",
            zh: "不要打印答案。请把答案的每个字段写入各自的文件（路径从当前目录算起）：文字原样写入，其余写成 JSON。不要写入任何其他位置：\n{list}"
        )
    } else {
        message!(
            en: "Do not print the answer. Write it to this file, below the current directory, and nowhere else:\n{list}",
            zh: "不要打印答案，请写入下面的文件（路径从当前目录算起），不要写入任何其他位置：\n{list}"
        )
    };
    words.get(lang).to_owned()
}

/// The files that hold the answer.
pub(super) fn wanted(call: &AgentCall<'_>, output: CommandOutput) -> Vec<RelPath> {
    match output {
        CommandOutput::Stdout => Vec::new(),
        CommandOutput::Staged => {
            let parts = parts(call).into_iter().map(|(_, path)| path);
            parts.chain(hints_path(call)).collect()
        }
    }
}

/// Where a writer may note something for the summarizer.
fn hints_path(call: &AgentCall<'_>) -> Option<RelPath> {
    match call.step {
        StepId::Chapter(chapter, ChapterStage::Draft) => Some(layout::staged_hints(chapter)),
        _ => None,
    }
}

/// What the writer noted, as far as it is text.
pub(super) fn hints(call: &AgentCall<'_>, left: &Left) -> Option<String> {
    match left.outputs.get(&hints_path(call)?)? {
        HandedIn::Content(bytes) => String::from_utf8(bytes.clone()).ok(),
        HandedIn::TooLarge { .. } => None,
    }
}

/// The answer in what the program left. A file it did not touch is not its answer.
pub(super) fn collect(call: &AgentCall<'_>, left: &Left) -> Result<String, AgentError> {
    let mut fields = Map::new();
    for (part, path) in parts(call) {
        let text = match left.outputs.get(&path) {
            None => return Err(CommandError::NotStaged { path }.into()),
            Some(HandedIn::TooLarge { size }) => {
                let (size, limit) = (*size, MAX_FILE);
                return Err(CommandError::TooLarge { path, size, limit }.into());
            }
            Some(HandedIn::Content(bytes)) => String::from_utf8(bytes.clone()),
        };
        let text = text.map_err(|error| CommandError::NotUtf8 {
            path: path.clone(),
            offset: error.utf8_error().valid_up_to(),
        })?;
        match part {
            Part::Whole => return Ok(text),
            Part::Text(field) => fields.insert(field.to_owned(), Value::String(text)),
            Part::Json(field) => {
                let value = serde_json::from_str(&text)
                    .map_err(|source| CommandError::NotJson { path, source })?;
                fields.insert(field.to_owned(), value)
            }
        };
    }
    Ok(novel_model::to_json_text(&fields))
}
