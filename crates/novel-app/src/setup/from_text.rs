//! `novel plan from-text`: outline, contracts, threads and storyline schedule of written chapters are brought
//! into agreement with their texts.
//!
//! The planner reads the texts, several chapters a call where they fit the budget, a long chapter in parts;
//! what it says stays only where its passage stands in the text. Titles and texts stay, so published and
//! locked chapters may be told again too. All of it is one operation; an answer that arrived before a kill
//! is used by the next run.

use novel_book::{
    believe::Hearing,
    changelog::{self, Entry},
    context::Cast,
    edit::Changes,
    edit::Edit,
    validate::Rejected,
};
use novel_contract::setup as contract;
use novel_model::{
    BookReader, BrokenFile, ChapterNo, ContentHash, Document, ErrorTable, Explain, Kind, Lang,
    Message, Problem, RelPath, Row, StepId, VolumeNo, VolumeStage, Warning,
    files::{Checkpoint, RetellAnswer, StoryState, ToldChapter, ToldFrom},
    layout, message,
};
use novel_prompt::{
    packet::{self, PacketMode, RetellRequest},
    prompt::PromptError,
};
use novel_steps::{rewrite::Log, volumes::Volumes};
use novel_store::{TxnKind, TxnLabel, Writer};
use novel_story::plan::{self, Known, Shown, Written};

use crate::{
    BookError,
    error::use_case_error,
    revise::revision::RewriteRefused,
    runner::{AnswerNeed, AskError, Inquiry, Reuse, Runner, Spent, parts_of, prompt_for},
};

/// Why no plan is made from written chapters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotRetold {
    /// No chapter of the range is written.
    #[error("no such written chapters")]
    NotWritten {
        /// Last chapter of the book.
        last: u32,
    },
    /// The chapters are of several volumes.
    #[error("chapters of several volumes")]
    SeveralVolumes {
        /// First chapter of the volume of the last one asked for.
        first: ChapterNo,
    },
}

use_case_error! {
    /// Why no plan is made from written chapters.
    pub enum RetellError {
        /// The book cannot be read or written, a chapter waits, or the planner gives no usable answer.
        Ask(AskError) from [BookError],
        /// The summary of a chapter that is being written rests on the state as it is.
        Rewrite(RewriteRefused),
        /// The chapters cannot be told again.
        Refused(NotRetold),
    }
}

/// What was told again.
#[derive(Debug)]
pub struct RetoldReport {
    /// The volume.
    pub volume: VolumeNo,
    /// First and last chapter.
    pub chapters: (ChapterNo, ChapterNo),
    /// The files that changed.
    pub written: Vec<RelPath>,
    /// The passages everything rests on, by chapter.
    pub quotations: Vec<(ChapterNo, ToldFrom)>,
    /// Chapters whose plan stays as it was: nothing that was said of them stands in their text.
    pub left: Vec<ChapterNo>,
    /// Entries of answers that the texts do not bear out.
    pub dropped: usize,
    /// What it cost.
    pub spent: Spent,
}

/// Brings outline, contracts, threads and schedule into agreement with what was written: of the written
/// chapters of the newest volume that has any, or those from `from` to `to`.
///
/// # Errors
/// When a chapter waits for the author, chapters are not written or of several volumes, or the planner
/// gives no usable answer; nothing is written then.
pub fn from_text(
    runner: &Runner<'_>,
    from: Option<ChapterNo>,
    to: Option<ChapterNo>,
) -> Result<RetoldReport, RetellError> {
    let project = runner.project;
    let writer = project.store().acquire(None)?;
    let _alive = writer.heartbeat();
    let reader = writer.reader()?;
    let view = project.view(&reader)?;
    let checkpoint = view.checkpoint.get();
    let newest = checkpoint.last_completed_chapter;
    let volumes = Volumes::load(&reader, checkpoint.current_volume)?;
    let not_written = NotRetold::NotWritten { last: newest };
    let last = to.map_or(newest, ChapterNo::get);
    let last = ChapterNo::new(last).filter(|last| last.get() <= newest);
    let last = last.ok_or(not_written)?;
    let (volume, _) = volumes.of(last.get());
    let bounds = volumes.bounds_of(volume);
    let volume_first = bounds.map_or(ChapterNo::first(), |bounds| bounds.first);
    let first = from.unwrap_or(volume_first);
    if first > last {
        return Err(not_written.into());
    }
    if first < volume_first {
        let first = volume_first;
        return Err(NotRetold::SeveralVolumes { first }.into());
    }
    view.check_step_not_blocked(StepId::Volume(volume, VolumeStage::Plan))?;
    let cast = Cast::load(&reader).map_err(BookError::from)?;
    let written = Written::load(&reader, volume, (first, last))?;
    let mut reading = Reading {
        runner,
        reader: &reader,
        writer: &writer,
        checkpoint,
        volume,
        cast: &cast,
        threads: written.thread_ids(),
        written: &written,
        spent: Spent::default(),
        put_away: Changes::default(),
        dropped: 0,
    };
    let told = reading.chapters(first, last, runner.project.config().plan.chunk())?;
    let (told, left): (Vec<_>, Vec<_>) = told.into_iter().partition(|it| !it.events.is_empty());
    let Reading {
        spent,
        put_away: mut changes,
        dropped,
        ..
    } = reading;
    let log = Log::read(&reader).map_err(BookError::from)?;
    let before = plan::state_before(&log.entries, first);
    let lang = project.config().lang();
    let mut retold = written.retold(&reader, &cast, &told, &before, lang)?;
    let reader = writer.reader()?;
    let record = recorded(&reader, checkpoint, log, &retold.shown)?;
    retold.files.extend(record);
    let mut paths = Vec::new();
    for (path, text) in retold.files {
        if reader.text(&path)?.as_deref() != Some(text.as_str()) {
            changes.write(path.clone(), text);
            paths.push(path);
        }
    }
    // A plan that agrees already is left alone; the answer is kept for the next time.
    if !paths.is_empty() {
        let label = TxnLabel::new(TxnKind::Lifecycle, format!("plan-from-text-vol-{volume}"));
        project.write(&writer, label, changes)?;
    }
    Ok(RetoldReport {
        volume,
        chapters: (first, last),
        written: paths,
        quotations: retold.quotations,
        left: left.iter().map(|told| told.chapter).collect(),
        dropped,
        spent,
    })
}

/// The changelog with what the texts show of threads, and the state it leads to: what is worked out from the
/// changelog, such as after a rewrite, has it too.
fn recorded(
    reader: &dyn BookReader,
    checkpoint: &Checkpoint,
    mut log: Log,
    shown: &[Shown],
) -> Result<Vec<(RelPath, String)>, RetellError> {
    let path = layout::state();
    let stored = reader.text(&path)?;
    let mut version = 0;
    if let Some(text) = &stored {
        let state = Document::<StoryState>::parse(&path, text).map_err(BookError::from)?;
        version = changelog::version(state.raw());
        let state_hash = ContentHash::of(text);
        if log.entries.last().map(Entry::state_hash) != Some(&state_hash) {
            log.entries.push(Entry::Snapshot {
                reason: "outside_edit".to_owned(),
                state: state.raw().clone(),
                state_hash,
            });
        }
    }
    let rebuilt = plan::on_record(&log.entries, shown)
        .map_err(|error| BrokenFile::new(changelog::not_replayable(&error)))?;
    let Some(rebuilt) = rebuilt else {
        return Ok(Vec::new());
    };
    // A chapter that had no line on record makes every later state another version.
    if let Some(chapter) = checkpoint.inflight_chapter
        && changelog::version(&rebuilt.state) != version
        && reader.exists(&layout::staged_delta(chapter))?
    {
        return Err(RewriteRefused::InFlight { chapter }.into());
    }
    let text = log.text(&rebuilt.entries);
    let state = novel_model::to_json_text(&rebuilt.state);
    Ok(vec![(layout::state_changelog(), text), (path, state)])
}

/// The planner at work on the texts.
struct Reading<'a> {
    runner: &'a Runner<'a>,
    reader: &'a dyn BookReader,
    writer: &'a Writer,
    checkpoint: &'a Checkpoint,
    volume: VolumeNo,
    cast: &'a Cast,
    /// Ids of foreshadowing, and of what earlier answers planted.
    threads: Vec<String>,
    written: &'a Written,
    spent: Spent,
    put_away: Changes,
    dropped: usize,
}

impl Reading<'_> {
    /// What the chapters tell: several with one question, fewer where their texts are too long.
    fn chapters(
        &mut self,
        first: ChapterNo,
        last: ChapterNo,
        most: u32,
    ) -> Result<Vec<ToldChapter>, AskError> {
        let mut told = Vec::new();
        let mut next = first.get();
        let mut size = most.max(1);
        while let Some(begin) = ChapterNo::new(next).filter(|begin| *begin <= last) {
            let end = (next + size - 1).min(last.get());
            let end = ChapterNo::new(end).unwrap_or(begin);
            let passage = self.passage(begin, end);
            match self.with_question(&passage, |_| Ok(())) {
                Err(AskError::Prompt(PromptError::TooLarge { .. })) if begin < end => {
                    size = (end.get() - begin.get()).div_ceil(2).max(1);
                }
                Err(AskError::Prompt(PromptError::TooLarge { .. })) => {
                    told.extend(self.in_parts(begin)?);
                    next += 1;
                }
                Err(error) => return Err(error),
                Ok(()) => {
                    told.extend(self.ask(&passage)?);
                    next = end.get() + 1;
                }
            }
        }
        Ok(told)
    }

    fn passage(&self, first: ChapterNo, last: ChapterNo) -> Passage {
        let chapters = (first.get()..=last.get()).filter_map(ChapterNo::new);
        let texts = chapters.map(|chapter| (chapter, self.written.text(chapter).to_owned()));
        Passage {
            chapters: (first, last),
            texts: texts.collect(),
            part: (1, 1),
        }
    }

    fn in_parts(&mut self, chapter: ChapterNo) -> Result<Option<ToldChapter>, AskError> {
        let written = self.written;
        let passage = |text: &str, part| Passage {
            chapters: (chapter, chapter),
            texts: vec![(chapter, text.to_owned())],
            part,
        };
        let parts = parts_of(written.text(chapter), |text, part| {
            self.with_question(&passage(text, part), |_| Ok(()))
        })?;
        let of = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        let mut told = Vec::new();
        for (part, text) in (1..=of).zip(parts) {
            told.extend(self.ask(&passage(text, (part, of)))?);
        }
        Ok(plan::joined(told))
    }

    /// Builds the question about a passage and hands it on.
    fn with_question<T>(
        &self,
        passage: &Passage,
        then: impl FnOnce(&Inquiry<'_>) -> Result<T, AskError>,
    ) -> Result<T, AskError> {
        let config = self.runner.project.config();
        let mut book = Edit::on(self.reader);
        for (chapter, text) in &passage.texts {
            book.write(layout::staged_chapter(*chapter), text.as_str());
        }
        let request = RetellRequest {
            volume: self.volume,
            chapters: passage.chapters,
            part: passage.part,
        };
        let source = self.runner.project.files(&book, self.checkpoint);
        let packet = packet::retelling(source, request, PacketMode::Both)?;
        let inquiry = Inquiry {
            step: StepId::Volume(self.volume, VolumeStage::Plan),
            book: &book,
            prompt: prompt_for(config, &book, &packet)?,
            packet: packet::naming_files(packet),
            reuse: Reuse::Kept,
            answer: AnswerNeed::Required,
        };
        then(&inquiry)
    }

    /// Asks; what no text bears out is left out of the second answer.
    fn ask(&mut self, passage: &Passage) -> Result<Vec<ToldChapter>, AskError> {
        let lines = self.written.line_ids();
        let known = Known {
            cast: self.cast,
            lines: &lines,
            threads: &self.threads,
        };
        let path = layout::plan_draft(self.volume);
        let texts: Vec<(ChapterNo, &str)> = passage
            .texts
            .iter()
            .map(|(chapter, text)| (*chapter, text.as_str()))
            .collect();
        let mut spent = std::mem::take(&mut self.spent);
        let asked = self.with_question(passage, |inquiry| {
            self.runner
                .consult(self.writer, &mut spent, inquiry, |text, hearing| {
                    let rejected = |problems| Rejected::new(inquiry.step, problems);
                    let answer = parsed(&path, text, &texts).map_err(rejected)?;
                    let heard = plan::hear(&path, &answer, &texts, &known);
                    if hearing == Hearing::First && heard.wants_another() {
                        return Err(rejected(heard.faults).into());
                    }
                    Ok(heard)
                })
        });
        self.spent = spent;
        let asked = asked?;
        self.put_away.extend(asked.put_away);
        self.dropped += asked.answer.dropped();
        let told = asked.answer.chapters.iter().flat_map(|it| &it.threads);
        self.threads
            .extend(told.map(|thread| thread.id.to_string()));
        Ok(asked.answer.chapters)
    }
}

/// Texts for one question.
struct Passage {
    chapters: (ChapterNo, ChapterNo),
    texts: Vec<(ChapterNo, String)>,
    part: (u32, u32),
}

/// An answer of the planner; chapters without a number are numbered by their place.
fn parsed(
    path: &RelPath,
    text: &str,
    texts: &[(ChapterNo, &str)],
) -> Result<RetellAnswer, Vec<Problem>> {
    let first = texts
        .first()
        .map_or(ChapterNo::first(), |(first, _)| *first);
    let numbered = serde_json::from_str(text)
        .ok()
        .and_then(|value| plan::numbered(value, first));
    let numbered = numbered.map(|value| value.to_string());
    let answer = Document::<RetellAnswer>::parse(path, numbered.as_deref().unwrap_or(text));
    let answer = answer.map_err(|broken| broken.problems().to_vec())?;
    if answer.get().chapters.is_empty() {
        let what = message!(en: "no chapters", zh: "没有任何章节");
        return Err(vec![
            Problem::new("wrong_chapters", path, what).at("/chapters"),
        ]);
    }
    Ok(answer.into_value())
}

impl ErrorTable for NotRetold {
    fn row(&self) -> Row<'_> {
        let row = |message| Row::new(Kind::Input, "NOTHING_TO_RETELL", message);
        match self {
            Self::NotWritten { last: 0 } => row(message!(
                en: "no chapter is written yet", zh: "还没有写好的章节"
            ))
            .hint(message!(
                en: "`novel start` shows what comes next", zh: "用 `novel start` 查看下一步"
            )),
            Self::NotWritten { last } => row(message!(
                en: "these chapters are not written; the newest one is {last}",
                zh: "这些章还没有写；最新一章是第 {last} 章"
            ))
            .hint(message!(
                en: "use `novel plan revise` to change the plan of unwritten chapters",
                zh: "未写部分的规划请用 `novel plan revise` 修改"
            )),
            Self::SeveralVolumes { first } => {
                let first = first.get();
                row(message!(
                    en: "these chapters belong to several volumes; the volume of the last one begins with chapter {first}",
                    zh: "这些章不在同一卷；最后一章所在的卷从第 {first} 章开始"
                ))
                .hint(message!(
                    en: "one volume at a time: `novel plan from-text --from N --to M`",
                    zh: "请一卷一卷来：`novel plan from-text --from N --to M`"
                ))
            }
        }
    }
}

impl RetoldReport {
    /// What the author should know.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let listed = |between: &str| {
            let numbers = self.left.iter().map(|chapter| chapter.get().to_string());
            numbers.collect::<Vec<_>>().join(between)
        };
        let left = (!self.left.is_empty()).then(|| {
            let (en, zh) = (listed(", "), listed("、"));
            Warning::new(
                "chapters_not_retold",
                message!(
                    en: "nothing the planner said of chapter {en} stands in its text; its plan stays as it was",
                    zh: "规划者对第 {zh} 章的说法在正文中全无依据，该章规划保持原样"
                ),
            )
        });
        let dropped = (self.dropped > 0).then(|| {
            let count = self.dropped;
            let text: Message = message!(
                en: "{count} entries of the planner's answer were left out: their quotations or names are not in the text",
                zh: "规划者的回答中有 {count} 项在正文中找不到引文或名字，已略去"
            );
            Warning::new("entries_left_out", text)
        });
        left.into_iter().chain(dropped).collect()
    }

    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::RetoldAnswer {
        let quotations = self.quotations.iter();
        contract::RetoldAnswer {
            volume: self.volume,
            chapters: self.chapters,
            written: self.written.iter().map(RelPath::to_string).collect(),
            quotations: quotations
                .map(|(chapter, told)| contract::RetoldFrom {
                    chapter: *chapter,
                    of: told.of.clone(),
                    quotation: told.quotation.clone(),
                })
                .collect(),
            left: self.left.clone(),
            dropped: self.dropped,
            spent: self.spent.answer(),
            warnings: novel_contract::warnings(&self.warnings(), lang),
        }
    }
}
