//! The people, places, rules and threads of an imported book: read by the book-reader chapter by
//! chapter, brought into the book in one transaction.
//!
//! Every question holds what was found before it, so the answers kept in the ledger lead a command that
//! was killed to the very question it stopped at.

use novel_book::{believe::Hearing, context::Cast, edit::Changes, edit::Edit, validate::Rejected};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, Format, RelPath, StepId, Warning,
    files::{Checkpoint, ImportedReading, Places, Relationships, StageLog, Storylines, WorldRules},
    layout, message,
};
use novel_prompt::packet::{self, PacketMode, ReadingRequest};
use novel_steps::volumes::Volumes;
use novel_store::{TxnKind, TxnLabel, Writer};
use novel_story::{
    plan::Files,
    reading::{self, Book, Brought, Collected},
};
use novel_text::parse_chapter;

use super::{AnalyseReport, Found, Halt, chapters};
use crate::{
    BookError, read_checkpoint,
    runner::{AnswerNeed, AskError, Inquiry, Reuse, Runner, ledger, parts_of, prompt_for},
};

/// What the reader is reminded of, in tokens, for the estimate.
const USUAL_KNOWN: u64 = 600;

/// What was read of the book before.
pub(super) fn record(
    reader: &dyn BookReader,
    last: u32,
) -> Result<Option<ImportedReading>, BookError> {
    let record = Document::<ImportedReading>::load(reader, &layout::imported_reading())?;
    let record = record.map(Document::into_value);
    Ok(record.filter(|record| record.through.get() >= last))
}

/// Calls and tokens that reading the book takes; `None` when it was read.
pub(super) fn estimate(
    runner: &Runner<'_>,
    reader: &dyn BookReader,
    last: u32,
) -> Result<Option<(u64, u64)>, AskError> {
    if record(reader, last)?.is_some() {
        return Ok(None);
    }
    let (mut calls, mut tokens) = (0, 0);
    let checkpoint = read_checkpoint(reader)?;
    for chapter in chapters(last) {
        let Some(text) = text_of(reader, chapter)? else {
            continue;
        };
        let question = Question {
            runner,
            reader,
            checkpoint: checkpoint.get(),
            chapter,
            last,
        };
        let sizes = std::cell::Cell::new(0);
        let parts = parts_of(&text, |text, part| {
            let size = question.ask_about(text, part, "", |inquiry| Ok(inquiry.prompt.tokens()))?;
            sizes.set(if part.0 == 1 {
                size
            } else {
                sizes.get() + size
            });
            Ok(())
        })?;
        let count = u64::try_from(parts.len()).unwrap_or_default();
        calls += count;
        tokens += sizes.get() + count * USUAL_KNOWN;
    }
    Ok(Some((calls, tokens)))
}

/// Reads the book and brings what was found into it.
pub(super) fn bring_in(
    runner: &Runner<'_>,
    writer: &Writer,
    last: u32,
    report: &mut AnalyseReport,
) -> Result<(), Halt> {
    let first = ChapterNo::first();
    let reader = writer.reader().map_err(|error| Halt::at(first, error))?;
    if record(&reader, last)
        .map_err(|error| Halt::at(first, error))?
        .is_some()
    {
        return Ok(());
    }
    let checkpoint = read_checkpoint(&reader).map_err(|error| Halt::at(first, error))?;
    let mut all = Collected::default();
    let mut put_away = Changes::default();
    for chapter in chapters(last) {
        if runner.cancel.is_cancelled() {
            return Err(Halt::asked_for(chapter));
        }
        let question = Question {
            runner,
            reader: &reader,
            checkpoint: checkpoint.get(),
            chapter,
            last,
        };
        question
            .read(writer, &mut all, &mut put_away, report)
            .map_err(|error| Halt::at(chapter, error))?;
    }
    let brought = bring(runner, writer, last, &mut all, put_away);
    let brought = brought.map_err(|error| Halt::at(first, error))?;
    report.found = Some(Found::of(&brought.record, brought.left_out));
    report.warnings.extend(unread(&all));
    Ok(())
}

/// Counts in which chapters everybody is, and writes the files.
fn bring(
    runner: &Runner<'_>,
    writer: &Writer,
    last: u32,
    all: &mut Collected,
    put_away: Changes,
) -> Result<Brought, AskError> {
    let project = runner.project;
    let reader = writer.reader()?;
    all.join_given_names();
    for chapter in chapters(last) {
        if let Some(text) = text_of(&reader, chapter)? {
            all.count(&text);
        }
    }
    let checkpoint = read_checkpoint(&reader)?;
    let volumes = Volumes::load(&reader, checkpoint.get().current_volume)?;
    let mut texts = Files::new();
    let plans = chapters(last).map(|chapter| volumes.of(chapter.get()).0);
    let plans = plans.map(layout::foreshadowing_plan);
    let documents = [
        layout::brief(),
        layout::world_geography(),
        layout::world_rules_text(),
    ];
    for path in documents.into_iter().chain(plans) {
        if !texts.contains_key(&path)
            && let Some(text) = reader.text(&path)?
        {
            texts.insert(path, text);
        }
    }
    let book = Book {
        lang: project.config().lang(),
        last: ChapterNo::new(last).unwrap_or(ChapterNo::first()),
        volume_of: &|chapter| volumes.of(chapter.get()).0,
        cast: &Cast::load(&reader)?,
        relations: or_new(&reader, &layout::relationships(), Relationships::default())?,
        rules: or_new(
            &reader,
            &layout::world_rules(),
            WorldRules { rules: Vec::new() },
        )?,
        places: or_new(&reader, &layout::places(), Places::default())?,
        lines: Document::<Storylines>::load(&reader, &layout::storylines())?,
        texts: &texts,
    };
    let brought = reading::bring(all, &book);
    let mut changes = put_away;
    for (path, text) in &brought.files {
        changes.write(path.clone(), text.clone());
    }
    let chapter = book.last;
    let label = TxnLabel::new(TxnKind::Analyse { chapter }, "reading");
    project.write(writer, label, changes)?;
    Ok(brought)
}

fn or_new<T: Format>(
    reader: &dyn BookReader,
    path: &RelPath,
    new: T,
) -> Result<Document<T>, BookError> {
    let there = Document::load(reader, path)?;
    Ok(there.unwrap_or_else(|| Document::new(new)))
}

/// The prose of a chapter; `None` when there is nothing to read.
fn text_of(reader: &dyn BookReader, chapter: ChapterNo) -> Result<Option<String>, BookError> {
    let markdown = reader.text(&layout::chapter_markdown(chapter))?;
    let text = markdown.map(|markdown| parse_chapter(&markdown).scenes.join("\n\n"));
    Ok(text.filter(|text| !text.trim().is_empty()))
}

/// One chapter for the reader.
struct Question<'a> {
    runner: &'a Runner<'a>,
    reader: &'a dyn BookReader,
    checkpoint: &'a Checkpoint,
    chapter: ChapterNo,
    last: u32,
}

impl Question<'_> {
    /// Reads the chapter, in parts where it is long.
    fn read(
        &self,
        writer: &Writer,
        all: &mut Collected,
        put_away: &mut Changes,
        report: &mut AnalyseReport,
    ) -> Result<(), AskError> {
        let Some(text) = text_of(self.reader, self.chapter)? else {
            return Ok(());
        };
        let lang = self.runner.project.config().lang();
        let known = all.shown(lang);
        let parts = parts_of(&text, |text, part| {
            self.ask_about(text, part, &known, |_| Ok(()))
        })?;
        let of = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        let mut stages: Vec<StageLog> = Vec::new();
        for (part, text) in (1..=of).zip(parts) {
            let (known, open) = (all.shown(lang), all.open_threads());
            let path = layout::imported_reading();
            let asked = self.ask_about(text, (part, of), &known, |inquiry| {
                self.runner
                    .consult(writer, &mut report.spent, inquiry, |answer, hearing| {
                        let value = serde_json::from_str(answer).unwrap_or_default();
                        let heard = reading::hear(&path, &value, text, &open);
                        if hearing == Hearing::First && heard.wants_another() {
                            return Err(Rejected::new(inquiry.step, heard.faults).into());
                        }
                        Ok((!value.is_null()).then_some(heard))
                    })
            });
            match asked {
                Ok(asked) => {
                    stages.extend(asked.stages);
                    match asked.answer {
                        Some(heard) if heard.is_usable() => {
                            report.dropped += heard.faults.len();
                            all.add(self.chapter, heard.answer);
                        }
                        _ => all.left_unread(self.chapter),
                    }
                }
                // One chapter less to know the story by; the others are read all the same.
                Err(error) if error.is_unusable_answer() => all.left_unread(self.chapter),
                Err(error) => return Err(error),
            }
        }
        let step = StepId::Chapter(self.chapter, ChapterStage::Summarize);
        put_away.extend(ledger::put_away::calls(&writer.reader()?, step, &stages)?);
        Ok(())
    }

    /// Builds the question about a text and hands it on.
    fn ask_about<T>(
        &self,
        text: &str,
        part: (u32, u32),
        known: &str,
        then: impl FnOnce(&Inquiry<'_>) -> Result<T, AskError>,
    ) -> Result<T, AskError> {
        let config = self.runner.project.config();
        let mut book = Edit::on(self.reader);
        book.write(layout::staged_chapter(self.chapter), text);
        let source = self.runner.project.files(&book, self.checkpoint);
        let request = ReadingRequest {
            chapter: self.chapter,
            part,
            last: self.chapter.get() == self.last && part.0 == part.1,
            known,
        };
        let packet = packet::reading(source, request, PacketMode::Both)?;
        let inquiry = Inquiry {
            step: StepId::Chapter(self.chapter, ChapterStage::Summarize),
            book: &book,
            prompt: prompt_for(config, &book, &packet)?,
            packet: packet::naming_files(packet),
            reuse: Reuse::Kept,
            answer: AnswerNeed::Optional,
        };
        then(&inquiry)
    }
}

/// Tells of chapters whose answers could not be used.
fn unread(all: &Collected) -> Option<Warning> {
    let chapters: Vec<String> = all.unread().iter().map(|it| it.get().to_string()).collect();
    if chapters.is_empty() {
        return None;
    }
    let (en, zh) = (chapters.join(", "), chapters.join("、"));
    Some(Warning::new(
        "chapters_unread",
        message!(
            en: "no usable answer about the people and threads of chapter {en}; they were skipped",
            zh: "第 {zh} 章的人物与线索没有得到可用的回答，已跳过"
        ),
    ))
}
