//! The summarizer, asked about a text of a chapter that is in the book already. It sees the book as
//! it stood right before the chapter, so that its ops are for the state of that time.
//!
//! A chapter that is longer than its budget is recorded in parts, which become one record. What was
//! read of the threads of an imported chapter goes into its record.

use novel_book::{
    believe::Hearing,
    config::ExecutorKind,
    edit::{Changes, Edit},
    validate::{self, SummaryArtefacts},
};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, FileError, Lang, Slug, StepId, VolumeNo,
    files::{ChapterContract, Checkpoint, ImportedReading, PipelineStage, StageLog, StoryState},
    layout, to_json_text,
};
use novel_steps::{hand_in, summary, volumes::Volumes};
use novel_store::{StoreReader, Writer};
use novel_text::{Locator, parse_chapter};
use serde_json::{Value, json};

use crate::{
    Refusal, history,
    revise::rewrite::Summarised,
    runner::{AskError, Inquiry, Reuse, Runner, Spent, parts_of},
};

/// Asks the summarizer.
///
/// # Errors
/// When it gives no usable answer, or the state of that time is not known.
pub(crate) fn summarise(
    runner: &Runner<'_>,
    writer: &Writer,
    spent: &mut Spent,
    checkpoint: &Document<Checkpoint>,
    chapter: ChapterNo,
    markdown: &str,
    reuse: Reuse,
) -> Result<Summarised, AskError> {
    let reader = writer.reader()?;
    let (volume, _) = Volumes::load(&reader, checkpoint.get().current_volume)?.of(chapter.get());
    let then = moment(checkpoint, chapter, volume);
    let past = history::moment_before(runner.project, &reader, checkpoint, chapter, volume)?;
    let before = Edit::with(&reader, past.clone());
    let contract = Document::<ChapterContract>::load(&before, &layout::contract(volume, chapter))?;
    let version = Document::<StoryState>::load(&before, &layout::state())?
        .map_or(0, |state| state.get().state_version);
    let record = Record {
        reader: &reader,
        past,
        step: StepId::Chapter(chapter, ChapterStage::Summarize),
        chapter,
        volume,
        line: contract.map(|contract| contract.get().storyline_id.clone()),
        version,
        lang: runner.project.config().lang(),
        own: novel_prompt::own_texts(runner.project.config().lang()),
    };
    let parts = Part::all(chapter, markdown, |text, part| {
        let book = record.book(text, None);
        Inquiry::of_part(runner, &book, then.get(), record.step, part).map(drop)
    })?;
    let (mut values, mut stages) = (Vec::new(), Vec::<StageLog>::new());
    let mut put_away = Changes::default();
    let mut memory: Option<String> = None;
    for part in &parts {
        let book = record.book(&part.text, memory.as_deref());
        let inquiry = Inquiry {
            reuse,
            ..Inquiry::of_part(runner, &book, then.get(), record.step, part.number)?
        };
        let asked = runner.consult(writer, spent, &inquiry, |text, hearing| {
            let hearing = match runner.executor.kind() {
                ExecutorKind::Offline => Hearing::Last,
                _ => hearing,
            };
            let value = serde_json::from_str(text).unwrap_or_default();
            let value = record.completed(value);
            record.artefacts(&value, &part.text, hearing)?;
            Ok(value)
        })?;
        memory = asked.answer["memory"].as_str().map(str::to_owned);
        values.push(asked.answer);
        stages.extend(asked.stages);
        put_away.extend(asked.put_away);
    }
    let mut value = joined(values);
    add_threads(&mut value, &reader, chapter, markdown)?;
    Ok(Summarised {
        artefacts: record.artefacts(&value, markdown, Hearing::Last)?,
        stages,
        put_away,
    })
}

/// What a record of a chapter is made with.
struct Record<'a> {
    reader: &'a StoreReader,
    /// What brings the book back to the moment before the chapter.
    past: Changes,
    step: StepId,
    chapter: ChapterNo,
    volume: VolumeNo,
    line: Option<Slug>,
    version: u64,
    lang: Lang,
    /// Texts of the program, which no summary may repeat.
    own: Vec<&'static str>,
}

impl Record<'_> {
    /// The book right before the chapter, with a text of it staged. `memory` is that of an earlier part.
    fn book(&self, text: &str, memory: Option<&str>) -> Edit<'_> {
        let mut book = Edit::with(self.reader, self.past.clone());
        book.write(layout::staged_chapter(self.chapter), text);
        if let (Some(line), Some(memory)) = (&self.line, memory) {
            book.write(layout::memory(line), memory);
        }
        book
    }

    fn completed(&self, value: Value) -> Value {
        hand_in::completed_summary(
            value,
            self.chapter,
            self.line.as_ref(),
            self.version,
            self.lang,
        )
    }

    /// The artefacts of an answer about a text.
    fn artefacts(
        &self,
        value: &Value,
        told: &str,
        hearing: Hearing,
    ) -> Result<SummaryArtefacts, AskError> {
        let (step, chapter) = (self.step, self.chapter);
        let files = hand_in::summary_files(step, chapter, &to_json_text(value))?;
        let mut seen = Edit::with(self.reader, self.past.clone());
        for (path, bytes) in files {
            seen.write(path, bytes);
        }
        let settled = summary::settle(&seen, self.volume, chapter, Some(told), hearing)?;
        seen.extend(settled.changes);
        let (artefacts, mut findings) =
            validate::summary_artefacts(&seen, chapter, self.line.as_ref());
        findings.problems.extend(settled.complaints);
        let problems = summary::problems(&seen, chapter, told, &self.own)?;
        findings.problems.extend(problems);
        findings.accept(step)?;
        artefacts.ok_or_else(|| Refusal::NoText { chapter }.into())
    }
}

/// A part of a chapter, with the chapter's heading.
struct Part {
    number: (u32, u32),
    text: String,
}

impl Part {
    /// The whole chapter, or as few parts as fit.
    fn all(
        chapter: ChapterNo,
        markdown: &str,
        fits: impl Fn(&str, (u32, u32)) -> Result<(), AskError>,
    ) -> Result<Vec<Self>, AskError> {
        let heading = markdown.lines().next().unwrap_or_default();
        let body = markdown.get(heading.len()..).unwrap_or_default();
        let whole = |part: &str, of: u32| match of {
            1 => markdown.to_owned(),
            _ => format!("{heading}\n\n{}\n", part.trim()),
        };
        let parts = parts_of(body, |text, number| fits(&whole(text, number.1), number))?;
        if parts.is_empty() {
            return Err(Refusal::NoText { chapter }.into());
        }
        let of = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        let numbered = (1..=of).zip(parts);
        Ok(numbered
            .map(|(part, text)| Self {
                number: (part, of),
                text: whole(text, of),
            })
            .collect())
    }
}

/// One answer from those about the parts: events and changes in their order, the newest memory.
fn joined(mut values: Vec<Value>) -> Value {
    let Some(mut last) = values.pop() else {
        return Value::Null;
    };
    if values.is_empty() {
        return last;
    }
    values.push(last.clone());
    let texts: Vec<&str> = values
        .iter()
        .filter_map(|value| value["summary"].as_str())
        .collect();
    last["summary"] = json!(joined_summary(&texts));
    for (part, list) in [
        ("delta", "ops"),
        ("crossref", "cross_references"),
        ("crossref", "unknown_entities"),
    ] {
        let all: Vec<Value> = values
            .iter()
            .filter_map(|value| value[part][list].as_array())
            .flatten()
            .cloned()
            .collect();
        last[part][list] = Value::Array(all);
    }
    let leak = values
        .iter()
        .find(|value| value["crossref"]["leak_risk"] == "high");
    if let Some(leak) = leak {
        for key in ["leak_risk", "leak_detail"] {
            last["crossref"][key] = leak["crossref"][key].clone();
        }
    }
    let claims: Vec<Value> = values
        .iter()
        .filter_map(|value| value["claims"].as_array())
        .flatten()
        .cloned()
        .collect();
    if !claims.is_empty() {
        last["claims"] = Value::Array(claims);
    }
    last
}

/// Summaries of parts as one: what each section says, the last one as it is at the end.
fn joined_summary(texts: &[&str]) -> String {
    let split = |text: &str| -> Vec<(String, String)> {
        let mut sections: Vec<(String, String)> = vec![(String::new(), String::new())];
        for line in text.lines() {
            if line.starts_with("### ") {
                sections.push((line.to_owned(), String::new()));
            } else if let Some((_, body)) = sections.last_mut() {
                body.push_str(line);
                body.push('\n');
            }
        }
        sections
    };
    let all: Vec<Vec<(String, String)>> = texts.iter().map(|text| split(text)).collect();
    let Some(shape) = all.last() else {
        return String::new();
    };
    let ends = shape.len().saturating_sub(1);
    let mut summary = String::new();
    for (at, (title, body)) in shape.iter().enumerate() {
        let is_line = body.contains("storyline_id:");
        let told: Vec<&str> = all
            .iter()
            .filter_map(|sections| sections.get(at))
            .flat_map(|(_, body)| body.lines())
            .filter(|line| !line.trim().is_empty() && !line.starts_with("## "))
            .collect();
        if at == 0 {
            let heading = body.lines().find(|line| line.starts_with("## "));
            summary.push_str(heading.unwrap_or_default());
            summary.push_str("\n\n");
            summary.push_str(&told.join("\n\n"));
        } else if is_line || at == ends {
            summary.push_str(&format!("{title}\n{}", body.trim_end()));
        } else {
            let mut lines = told;
            // Nothing in one part is something in another.
            let nothing = |line: &&str| matches!(line.trim(), "- 无" | "- none");
            if !lines.iter().all(nothing) {
                lines.retain(|line| !nothing(line));
            } else {
                lines.truncate(1);
            }
            summary.push_str(&format!("{title}\n{}", lines.join("\n")));
        }
        summary.push_str("\n\n");
    }
    format!("{}\n", summary.trim_end())
}

/// What was read of the threads of an imported chapter, as ops: the text must still bear it out.
fn add_threads(
    value: &mut Value,
    reader: &dyn BookReader,
    chapter: ChapterNo,
    markdown: &str,
) -> Result<(), FileError> {
    let path = layout::imported_reading();
    let Some(reading) = Document::<ImportedReading>::load(reader, &path)? else {
        return Ok(());
    };
    let told = parse_chapter(markdown).scenes.join("\n\n");
    let locator = Locator::new(&told);
    let mut ops = Vec::new();
    for thread in &reading.get().threads {
        let events = thread.events.iter();
        for event in events.filter(|event| event.chapter == chapter) {
            if locator.contains(&event.evidence) {
                ops.push(json!({
                    "op": "foreshadow", "path": thread.id, "value": event.action.word(),
                    "evidence": event.evidence, "detail": thread.description,
                }));
            }
        }
    }
    if let (false, Some(all)) = (ops.is_empty(), value["delta"]["ops"].as_array_mut()) {
        let known =
            |op: &Value| op["op"] == "foreshadow" && ops.iter().any(|it| it["path"] == op["path"]);
        all.retain(|op| !known(op));
        all.extend(ops);
    }
    Ok(())
}

/// The checkpoint of the moment the summarizer is asked about a chapter.
pub(crate) fn moment(
    checkpoint: &Document<Checkpoint>,
    chapter: ChapterNo,
    volume: VolumeNo,
) -> Document<Checkpoint> {
    let mut then = checkpoint.clone();
    then.edit(|then| {
        then.current_volume = volume;
        then.last_completed_chapter = chapter.get() - 1;
        then.inflight_chapter = Some(chapter);
        then.pipeline_stage = Some(PipelineStage::Drafting);
    });
    then
}
