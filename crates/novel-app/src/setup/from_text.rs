//! `novel plan from-text`: outline, contracts and threads of written chapters are made from what was
//! written.
//!
//! Titles and texts stay, so published and locked chapters may be told again too. All of it is one
//! operation; an answer that arrived before a kill is used by the next run.

use novel_book::{context::Cast, edit::Changes, validate::Rejected};
use novel_contract::setup as contract;
use novel_model::{
    BookReader, ChapterNo, Document, ErrorTable, Explain, Kind, RelPath, Row, StepId, VolumeNo,
    VolumeStage,
    files::{PlanAnswer, StoryState},
    layout, message,
};
use novel_prompt::packet::{self, PacketMode};
use novel_steps::volumes::Volumes;
use novel_store::{TxnKind, TxnLabel};
use novel_story::plan::{self, PlanSpan, Written};

use crate::{
    BookError,
    error::use_case_error,
    runner::{AnswerNeed, AskError, Inquiry, Reuse, Runner, Spent, prompt_for},
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
    /// A chapter has no summary.
    #[error("chapter {chapter} has no summary")]
    NoSummary {
        /// First chapter of the range without a summary.
        chapter: ChapterNo,
    },
}

use_case_error! {
    /// Why no plan is made from written chapters.
    pub enum RetellError {
        /// The book cannot be read or written, a chapter waits, or the planner gives no usable answer.
        Ask(AskError) from [BookError],
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
    /// What it cost.
    pub spent: Spent,
}

/// Brings outline, contracts and threads of written chapters into agreement with what was written: the
/// written chapters of the newest volume that has any, or those from `from` to `to`.
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
    let step = StepId::Volume(volume, VolumeStage::Plan);
    view.check_step_not_blocked(step)?;
    for chapter in (first.get()..=last.get()).filter_map(ChapterNo::new) {
        if !reader.exists(&layout::summary(chapter))? {
            return Err(NotRetold::NoSummary { chapter }.into());
        }
    }
    let config = project.config();
    let cast = Cast::load(&reader)?;
    let written = Written::load(&reader, &cast, first, last)?;
    let mut spent = Spent::default();
    let mut changes = Changes::default();
    let mut told: Option<PlanAnswer> = None;
    for (first, last) in chunks(first, last, config.plan.chunk()) {
        let source = project.files(&reader, checkpoint);
        let packet = |mode| packet::retelling(source, volume, (first, last), mode);
        let inquiry = Inquiry {
            step,
            book: &reader,
            packet: packet(PacketMode::Paths)?,
            prompt: prompt_for(config, &reader, &packet(PacketMode::Embed)?)
                .map_err(AskError::from)?,
            reuse: Reuse::Kept,
            answer: AnswerNeed::Required,
        };
        let span = PlanSpan {
            volume_first,
            plan_first: first,
            first,
            last,
            volume_last: last,
            draft: None,
        };
        let consulted = runner.consult(&writer, &mut spent, &inquiry, |text, _| {
            let answer =
                parsed(text, volume, first).map_err(|problems| Rejected::new(step, problems))?;
            let mut problems = plan::check_answer(&answer, &span, volume);
            problems.extend(written.check(&answer, volume));
            if problems.is_empty() {
                Ok(answer)
            } else {
                Err(Rejected::new(step, problems).into())
            }
        })?;
        changes.extend(consulted.put_away);
        let answer = consulted.answer;
        told = Some(match told {
            Some(told) => plan::merged(told, answer),
            None => answer,
        });
    }
    let Some(told) = told else {
        return Err(not_written.into());
    };
    // How everybody began the first chapter is not known any more; later ones follow from it.
    let told = plan::completed(written.settled(told), &cast, &StoryState::initial());
    let reader = writer.reader()?;
    let files = written.files(&reader, &told, volume, config.lang())?;
    let mut paths = Vec::new();
    for (path, text) in files {
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
        spent,
    })
}

/// The chapters in parts of which one call each is made.
fn chunks(first: ChapterNo, last: ChapterNo, most: u32) -> Vec<(ChapterNo, ChapterNo)> {
    let mut chunks = Vec::new();
    let mut next = first.get();
    while next <= last.get() {
        let end = (next + most.max(1) - 1).min(last.get());
        if let (Some(first), Some(last)) = (ChapterNo::new(next), ChapterNo::new(end)) {
            chunks.push((first, last));
        }
        next = end + 1;
    }
    chunks
}

/// An answer of the planner; chapters without a number are numbered by their place.
fn parsed(
    text: &str,
    volume: VolumeNo,
    first: ChapterNo,
) -> Result<PlanAnswer, Vec<novel_model::Problem>> {
    let numbered = serde_json::from_str(text)
        .ok()
        .and_then(|value| plan::numbered(value, first));
    let numbered = numbered.map(|value| value.to_string());
    let text = numbered.as_deref().unwrap_or(text);
    let answer = Document::<PlanAnswer>::parse(&layout::plan_draft(volume), text);
    answer
        .map(Document::into_value)
        .map_err(|broken| broken.problems().to_vec())
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
            Self::NoSummary { chapter } => {
                let chapter = chapter.get();
                row(message!(
                    en: "chapter {chapter} has no summary to work from",
                    zh: "第 {chapter} 章没有摘要，无从重述"
                ))
                .hint(message!(
                    en: "`novel import --analyse` reads imported chapters, `novel memory rebuild {chapter}` a single one",
                    zh: "导入的章节用 `novel import --analyse` 分析，单独一章用 `novel memory rebuild {chapter}`"
                ))
            }
        }
    }
}

impl RetoldReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::RetoldAnswer {
        contract::RetoldAnswer {
            volume: self.volume,
            chapters: self.chapters,
            written: self.written.iter().map(RelPath::to_string).collect(),
            spent: self.spent.answer(),
            warnings: Vec::new(),
        }
    }
}
