//! Answers that a program leaves in staging, brought into the form `novel submit` takes.

use novel_model::{
    BookReader, ChapterNo, ChapterStage, Failure, Lang, RelPath, StepId, files::ExpectedOutput,
    layout, message,
};
use novel_store::{Store, boundary::TreeSnapshot};
use serde_json::{Map, Value};

use super::{AgentCall, CommandError, listed};

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

/// Reads what the program left. A file it did not touch is not its answer.
pub(super) fn collect(
    call: &AgentCall<'_>,
    store: &Store,
    snapshot: &TreeSnapshot,
) -> Result<String, Failure> {
    let reader = store.reader()?;
    let mut fields = Map::new();
    for (part, path) in parts(call) {
        let text = if snapshot.is_touched(&path)? {
            reader.text(&path)?
        } else {
            None
        };
        let text = text.ok_or_else(|| CommandError::NotStaged { path: path.clone() })?;
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
