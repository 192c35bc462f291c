//! What model servers refuse, kept in the project: `logs/endpoints/`, one file for each thing that
//! was learnt. Files are written once, so the last word is the note with the fewest abilities.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use novel_llm::{Abilities, AbilityMemory, MaxTokens};
use novel_model::{BookReader, BrokenFile, ContentHash, Problem, layout, message, to_json_text};
use serde::{Deserialize, Serialize};

use crate::{BookError, executor::Note};

/// What is known of one model at one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EndpointNote {
    version: u32,
    url: String,
    model: String,
    abilities: Abilities,
}

/// The notes of a project.
///
/// # Errors
/// When one cannot be read.
pub(crate) fn notes(reader: &dyn BookReader) -> Result<Vec<EndpointNote>, BookError> {
    let mut notes = Vec::new();
    let directory = layout::endpoints_dir();
    for name in reader.list_ending(&directory, ".json")? {
        let path = directory.join(&name)?;
        let Some(text) = reader.text(&path)? else {
            continue;
        };
        let note = serde_json::from_str(&text).map_err(|error| {
            let text = message!(
                en: "not a note about a model server: {error}",
                zh: "不是有效的模型服务记录：{error}"
            );
            let hint = message!(
                en: "delete the file; it is rebuilt when needed",
                zh: "删除该文件即可，需要时会重新生成"
            );
            BrokenFile::new(Problem::new("json_syntax", &path, text).hint(hint))
        })?;
        notes.push(note);
    }
    Ok(notes)
}

/// What is known of the models at one server, and what is new.
#[derive(Clone)]
pub(super) struct EndpointMemory(Arc<Mutex<Known>>);

struct Known {
    url: String,
    models: BTreeMap<String, Abilities>,
    new: Vec<EndpointNote>,
}

impl EndpointMemory {
    pub(super) fn new(url: String, notes: Vec<EndpointNote>) -> Self {
        let mut models: BTreeMap<String, Abilities> = BTreeMap::new();
        for note in notes.into_iter().filter(|note| note.url == url) {
            let known = models.entry(note.model).or_insert(note.abilities);
            if lost(note.abilities) > lost(*known) {
                *known = note.abilities;
            }
        }
        Self(Arc::new(Mutex::new(Known {
            url,
            models,
            new: Vec::new(),
        })))
    }

    /// The new ones, as files.
    pub(super) fn take(&self) -> Vec<Note> {
        let notes = std::mem::take(&mut self.known().new).into_iter();
        let files = notes.map(|note| {
            let text = to_json_text(&note);
            Note {
                path: layout::endpoint(&ContentHash::of(&text)),
                text,
            }
        });
        files.collect()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AbilityMemory for EndpointMemory {
    fn recall(&self, model: &str) -> Option<Abilities> {
        self.known().models.get(model).copied()
    }

    fn learn(&self, model: &str, abilities: Abilities) {
        let mut known = self.known();
        known.models.insert(model.to_owned(), abilities);
        let note = EndpointNote {
            version: 1,
            url: known.url.clone(),
            model: model.to_owned(),
            abilities,
        };
        known.new.push(note);
    }
}

/// How much was taken away. Abilities are only lost, so of two notes the one that lost more is newer.
fn lost(abilities: Abilities) -> usize {
    let Abilities {
        schema,
        stream_usage,
        max_tokens,
        temperature,
        seed,
        cache_hour,
        bounds,
    } = abilities;
    let switches = [stream_usage, temperature, seed, cache_hour, bounds];
    switches.into_iter().filter(|can| !can).count()
        + usize::from(max_tokens == MaxTokens::Completion)
        + schema as usize
}
