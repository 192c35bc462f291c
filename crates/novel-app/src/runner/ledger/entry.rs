//! The answers in the ledger, wherever they lie: each in a file of its own until it is used, then
//! compressed together with others.

use novel_book::operations::OperationLog;
use novel_llm::Usage;
use novel_model::{
    BookReader, BrokenFile, ContentHash, Problem, RelPath, StepId,
    files::StageLog,
    layout, message,
    seal::{self, Seal},
};
use novel_store::compressed;
use serde::{Deserialize, Serialize};

use crate::BookError;

/// One kept answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recorded {
    pub(crate) id: String,
    pub(crate) step: String,
    pub(crate) agent: String,
    pub(crate) agent_version: String,
    pub(crate) executor: String,
    pub(crate) model: String,
    pub(crate) prompt_hash: ContentHash,
    /// The question whose first answer was sent back, when this is the answer to that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) retry_of: Option<String>,
    /// The operation the call was part of; not in entries of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) operation: Option<u64>,
    /// Not in entries of older versions.
    #[serde(default)]
    pub(crate) asked_at: Option<String>,
    pub(crate) answered_at: String,
    pub(crate) duration_ms: u64,
    pub(crate) attempts: u32,
    pub(crate) usage: Usage,
    pub(crate) cost_usd: Option<f64>,
    pub(crate) left_out: Vec<String>,
    pub(crate) text: String,
    /// The answer as it came over the wire, where that differs from `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) raw: Option<String>,
    /// What the writer noted beside a draft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hints: Option<String>,
    /// Why it is not usable, if it is not. An answer in a file of its own has a second file for this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rejected: Option<Vec<String>>,
}

/// Where an answer lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a file of its own.
    Alone,
    /// In a file of its own that a process left which did not come to make it durable.
    Fresh,
    /// Among the used ones.
    Used,
}

/// An answer, and where it lies.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) call: Recorded,
    pub(crate) place: Place,
}

impl Entry {
    /// Whether nothing came of the answer yet. Entries of older versions do not say.
    pub(super) fn is_unused(&self) -> bool {
        self.place != Place::Used && self.call.operation.is_some()
    }
}

/// The mark that an answer is not usable.
#[derive(Serialize, Deserialize)]
pub(super) struct Mark {
    pub(super) id: String,
    pub(super) problems: Vec<String>,
}

impl Recorded {
    /// Whether what it was for was taken back, rolled back or thrown away.
    pub(super) fn is_discarded(&self, log: &OperationLog) -> bool {
        log.is_discarded(self.operation, self.step.parse().ok())
    }

    /// What the log of the chapter says about the call.
    pub(crate) fn stage_log(&self) -> StageLog {
        StageLog {
            name: String::new(),
            model: Some(self.model.clone()),
            duration_ms: Some(self.duration_ms),
            input_tokens: self.usage.input,
            output_tokens: self.usage.output,
            cached_tokens: self.usage.cached,
            cache_write_tokens: self.usage.cache_write,
            cost_usd: self.cost_usd,
            attempts: Some(self.attempts),
            executor: Some(self.executor.clone()),
            agent_version: Some(self.agent_version.clone()),
            left_out: self.left_out.clone(),
            call: Some(self.id.clone()),
            rejected: self.rejected.is_some(),
        }
    }
}

/// All answers of a step but those left out by their ids, in the order they were given.
pub(super) fn of_step(
    reader: &dyn BookReader,
    step: StepId,
    is_left_out: impl Fn(&str) -> bool,
) -> Result<Vec<Entry>, BookError> {
    let directory = layout::calls_of(step);
    let names = reader.list(&directory)?;
    let mut entries = Vec::new();
    for id in names.iter().filter_map(|name| id_of(name)) {
        if !is_left_out(id) {
            entries.extend(alone(reader, &directory, id)?);
        }
    }
    for name in &names {
        let is_new = |id: &&str| !names.contains(&format!("{id}.json")) && !is_left_out(id);
        if let Some(id) = name.strip_suffix(".new").filter(is_new) {
            entries.extend(fresh(reader, &directory, id)?);
        }
    }
    let mut files = vec![layout::used_calls(step)];
    if let StepId::Chapter(chapter, _) = step {
        files.push(layout::used_calls_together(chapter));
    }
    let step = step.to_string();
    for file in files {
        for mut call in used(reader, &file)? {
            if call.step != step || is_left_out(&call.id) {
                continue;
            }
            // One that was used and is not usable any more, by the rules of today.
            let mark = format!("{}.rejected.json", call.id);
            if names.contains(&mark) {
                call.rejected = Some(reasons(reader, &directory.join(&mark)?)?);
            }
            let place = Place::Used;
            entries.push(Entry { call, place });
        }
    }
    entries.sort_by(|a, b| {
        let key = |entry: &Entry| (entry.call.answered_at.clone(), entry.call.id.clone());
        key(a).cmp(&key(b))
    });
    Ok(entries)
}

/// The id of the answer in a file; `None` for the file of a mark.
pub(super) fn id_of(name: &str) -> Option<&str> {
    let id = name.strip_suffix(".json")?;
    (!id.ends_with(".rejected")).then_some(id)
}

/// The answer that a process brought and did not come to keep for good, if it is whole. A part of one is what
/// a power cut left of an answer that was never said to be kept.
fn fresh(
    reader: &dyn BookReader,
    directory: &RelPath,
    id: &str,
) -> Result<Option<Entry>, BookError> {
    let bytes = reader.read(&directory.join(&format!("{id}.new"))?)?;
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let whole = text.filter(|text| matches!(seal::check_document(text), Seal::Sound(_)));
    let call = whole.and_then(|text| serde_json::from_str::<Recorded>(&text).ok());
    let place = Place::Fresh;
    Ok(call
        .filter(|call| call.id == id)
        .map(|call| Entry { call, place }))
}

/// The answer in a file of its own.
pub(super) fn alone(
    reader: &dyn BookReader,
    directory: &RelPath,
    id: &str,
) -> Result<Option<Entry>, BookError> {
    let path = directory.join(&format!("{id}.json"))?;
    let Some(text) = reader.text(&path)? else {
        return Ok(None);
    };
    let mut call: Recorded =
        serde_json::from_str(&text).map_err(|error| damaged(&path, None, &error.to_string()))?;
    let mark = directory.join(&format!("{id}.rejected.json"))?;
    if reader.exists(&mark)? {
        call.rejected = Some(reasons(reader, &mark)?);
    }
    let place = Place::Alone;
    Ok(Some(Entry { call, place }))
}

fn reasons(reader: &dyn BookReader, mark: &RelPath) -> Result<Vec<String>, BookError> {
    let text = reader.text(mark)?.unwrap_or_default();
    // What the mark says is for people; that it is there is what counts.
    let mark = serde_json::from_str::<Mark>(&text);
    Ok(mark.map_or_else(|_| Vec::new(), |mark| mark.problems))
}

/// The answers in a file of used ones; none when there is no such file.
pub(super) fn used(reader: &dyn BookReader, path: &RelPath) -> Result<Vec<Recorded>, BookError> {
    let text = used_text(reader, path)?;
    let lines = text.lines().enumerate();
    let calls = lines.map(|(at, line)| {
        serde_json::from_str(line)
            .map_err(|error| damaged(path, Some(at + 1), &error.to_string()).into())
    });
    calls.collect()
}

/// A file of used answers as text, a line each.
pub(super) fn used_text(reader: &dyn BookReader, path: &RelPath) -> Result<String, BookError> {
    let Some(frames) = reader.read(path)? else {
        return Ok(String::new());
    };
    let text = compressed::expand(&frames);
    Ok(text.map_err(|error| damaged(path, None, &error.to_string()))?)
}

fn damaged(path: &RelPath, line: Option<usize>, why: &str) -> BrokenFile {
    let text =
        message!(en: "not a valid record of answers: {why}", zh: "不是有效的调用记录：{why}");
    let problem = Problem::new("json_syntax", path, text).hint(message!(
        en: "move the file away to ask the agents again",
        zh: "移走该文件即可重新调用"
    ));
    BrokenFile::new(match line {
        Some(line) => problem.at_line(line),
        None => problem,
    })
}
