//! What not everybody knows: the secrets of `world/truth.json`.

use novel_model::{BookReader, Problem, layout, message};
use serde::Deserialize;

use novel_book::context::ContextError;

/// A secret, as far as the rules ask.
pub(super) struct Secret {
    pub(super) id: String,
    pub(super) fact: String,
    /// Who knows it, and from which chapter on.
    pub(super) known_by: Vec<(String, u32)>,
    /// Where it stands in the file.
    pub(super) pointer: String,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    secrets: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    id: String,
    #[serde(default)]
    fact: String,
    #[serde(default)]
    known_by: Vec<Knower>,
}

#[derive(Deserialize)]
struct Knower {
    character: String,
    #[serde(default)]
    from_chapter: Option<u32>,
}

/// The secrets of a book; none when it has no file.
pub(super) fn load(reader: &dyn BookReader) -> Result<Vec<Secret>, ContextError> {
    let path = layout::truth();
    let Some(text) = reader.text(&path)? else {
        return Ok(Vec::new());
    };
    let file: File = serde_json::from_str(&text).map_err(|error| {
        let text =
            message!(en: "not an account of the truth: {error}", zh: "不是真相文件：{error}");
        ContextError::new(vec![
            Problem::new("json_syntax", &path, text).at_line(error.line().max(1)),
        ])
    })?;
    let entries = file.secrets.into_iter().enumerate();
    Ok(entries
        .map(|(at, entry)| Secret {
            id: entry.id,
            fact: entry.fact,
            known_by: entry
                .known_by
                .into_iter()
                .map(|knower| (knower.character, knower.from_chapter.unwrap_or(0)))
                .collect(),
            pointer: format!("/secrets/{at}/fact"),
        })
        .collect())
}
