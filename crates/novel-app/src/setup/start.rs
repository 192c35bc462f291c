//! `novel start`: looks at the book and says what the author can do, the recommended thing first.
//!
//! Every choice is a command the author could type as well; this module has no way of its own to
//! change the book.

use novel_book::{config::Approval, next::NoStep};
use novel_contract::{Offer, OfferedAction, setup as contract};
use novel_model::{
    ChapterNo, ChapterStage, Explain, Lang, Message, QuickstartPhase, StepId, VolumeNo,
    VolumeStage, counted,
    files::{Checkpoint, OrchestratorState, PipelineStage},
    layout, message,
};
use novel_text::parse_outline;

use crate::{Book, BookError, Project, StepError, setup::redo as direction, waits::waits};

/// What the author can do.
#[derive(Debug)]
pub struct StartReport {
    /// Where the book stands; `None` without a book.
    pub state: Option<OrchestratorState>,
    /// The state of the book as a sentence.
    pub headline: Message,
    /// What to look at before choosing, one line each.
    pub shown: Vec<Message>,
    /// The recommended choice first; never empty.
    pub choices: Vec<Choice>,
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its stable name.
    pub id: String,
    /// For people.
    pub label: Message,
    /// The command, without `novel`.
    pub command: Vec<String>,
    /// What must be known first.
    pub asks: Asks,
}

/// What a choice asks before it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// Nothing.
    Nothing,
    /// The facts of a new book.
    NewBook,
    /// How many chapters.
    Chapters,
    /// A note for the agents; it may be empty.
    Note,
    /// Which part of the set-up, and a note.
    PhaseAndNote,
}

impl Choice {
    fn new(id: &str, command: &str, label: Message) -> Self {
        Self {
            id: id.to_owned(),
            label,
            command: command.split_whitespace().map(str::to_owned).collect(),
            asks: Asks::Nothing,
        }
    }

    fn asking(self, asks: Asks) -> Self {
        Self { asks, ..self }
    }

    /// The command as it is typed.
    #[must_use]
    pub fn typed(&self) -> String {
        format!("novel {}", self.command.join(" "))
    }
}

/// What to do where there is no book.
#[must_use]
pub fn without_book() -> StartReport {
    StartReport {
        state: None,
        headline: message!(en: "There is no book here yet.", zh: "这里还没有作品。"),
        shown: Vec::new(),
        choices: vec![
            Choice::new(
                "create",
                "init",
                message!(en: "Start a new book", zh: "新建作品"),
            )
            .asking(Asks::NewBook),
            Choice::new(
                "demo",
                "demo",
                message!(en: "Look at a small demo book first", zh: "先看一个演示作品"),
            ),
        ],
    }
}

/// What to do with a book. Writes nothing.
///
/// # Errors
/// When a file it needs is damaged.
pub fn start(project: &Project) -> Result<StartReport, BookError> {
    project.look_at_work(|view| {
        let checkpoint = view.checkpoint.get();
        let state = checkpoint.orchestrator_state;
        if direction::lacks_outline(view)? {
            return Ok(without_outline(checkpoint));
        }
        let waits = waits(view, Approval::Author);
        let next = match waits.next {
            Ok(next) => next,
            Err(error) => {
                let choices = offered(&error);
                if choices.is_empty() {
                    return Err(error.into());
                }
                return Ok(StartReport {
                    state: Some(state),
                    headline: error.message(),
                    shown: verdict(&error),
                    choices,
                });
            }
        };
        let (told, mut choices) = if state == OrchestratorState::ErrorRetry {
            after_error(checkpoint, next)
        } else {
            choices(checkpoint, next)
        };
        choices.push(Choice::new(
            "status",
            "status",
            message!(en: "See where the book stands", zh: "查看作品进展"),
        ));
        let headline = match waits.what {
            Some(what) if state != OrchestratorState::ErrorRetry => sentence(what),
            _ => told,
        };
        Ok(StartReport {
            state: Some(state),
            headline,
            shown: staged_titles(view, next)?
                .into_iter()
                .map(Message::same)
                .collect(),
            choices,
        })
    })
}

/// What waits, as a sentence.
fn sentence(what: Message) -> Message {
    let mut letters = what.en.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    Message {
        en: format!("{}{}.", first.unwrap_or_default(), letters.as_str()),
        zh: format!("{}。", what.zh),
    }
}

/// The chapters of a plan that waits.
fn staged_titles(view: &Book<'_>, next: StepId) -> Result<Vec<String>, BookError> {
    let StepId::Volume(volume, VolumeStage::Commit) = next else {
        return Ok(Vec::new());
    };
    let outline = view
        .reader()
        .text(&layout::staged(&layout::outline(volume)))?;
    Ok(chapter_titles(&outline.unwrap_or_default()))
}

/// Numbers and titles of an outline, one line each.
#[must_use]
pub fn chapter_titles(outline: &str) -> Vec<String> {
    parse_outline(outline)
        .blocks
        .iter()
        .map(|block| format!("{:>4}  {}", block.number, block.title))
        .collect()
}

/// A book that is being written without a plan goes back to planning.
fn without_outline(checkpoint: &Checkpoint) -> StartReport {
    let volume = checkpoint.current_volume;
    let (n, path) = (volume.get(), layout::outline(volume));
    StartReport {
        state: Some(checkpoint.orchestrator_state),
        headline: message!(
            en: "Volume {n} has no outline (`{path}`), so no chapter can be started.",
            zh: "第 {n} 卷缺少大纲（`{path}`），无法开始写新章。"
        ),
        shown: Vec::new(),
        choices: vec![
            plan_choice(volume),
            Choice::new(
                "undo",
                "undo",
                message!(en: "Undo the last operation", zh: "撤销上一步操作"),
            ),
        ],
    }
}

/// The verdict the author has to decide about, in words.
fn verdict(error: &StepError) -> Vec<Message> {
    let lines = match error {
        StepError::NoStep(paused) => paused.verdict(),
        _ => Vec::new(),
    };
    let item = |line: &Message| Message {
        en: format!("  - {}", line.en),
        zh: format!("  - {}", line.zh),
    };
    lines.iter().map(item).collect()
}

/// What a closed gate itself offers; nothing for an error that is no gate.
fn offered(error: &StepError) -> Vec<Choice> {
    match error {
        StepError::Closed(closed) => closed.offers().iter().filter_map(taken_up).collect(),
        // A text the judge would not let pass is better written anew than taken unseen.
        StepError::NoStep(paused @ NoStep::Paused { chapter, .. }) => {
            let mut offers = paused.offers();
            offers.sort_by_key(|offer| offer.action != OfferedAction::Rewrite);
            let mut choices: Vec<Choice> = offers.iter().filter_map(taken_up).collect();
            let n = chapter.get();
            choices.push(Choice::new(
                "edit",
                &format!("edit {n}"),
                message!(en: "Edit the text by hand", zh: "手工修改正文"),
            ));
            choices.push(Choice::new(
                "read",
                &format!("read {n}"),
                message!(en: "Read the chapter and what was flagged", zh: "阅读本章和被指出的问题"),
            ));
            choices
        }
        StepError::NoStep(NoStep::Contradiction { .. }) => vec![Choice::new(
            "repair",
            "doctor --fix",
            message!(en: "Repair the checkpoint", zh: "修复检查点"),
        )],
        StepError::File(_)
        | StepError::Context(_)
        | StepError::Rejected(_)
        | StepError::Refusal(_)
        | StepError::Walled(_)
        | StepError::Path(_)
        | StepError::Id(_) => Vec::new(),
    }
}

/// The offer as a choice.
fn taken_up(offer: &Offer) -> Option<Choice> {
    let command = offer.command.strip_prefix("novel ")?;
    let label = offer_label(offer.action);
    let choice = Choice::new(offer.action.word(), command, label);
    Some(match offer.action {
        OfferedAction::Rewrite | OfferedAction::Regen | OfferedAction::GenerateCandidate => {
            choice.asking(Asks::Note)
        }
        _ => choice,
    })
}

fn offer_label(action: OfferedAction) -> Message {
    match action {
        OfferedAction::Accept => {
            message!(en: "Accept the chapter as it is", zh: "不改了，接受本章")
        }
        OfferedAction::Rewrite => message!(en: "Rewrite the chapter", zh: "重写本章"),
        OfferedAction::Review => message!(en: "Read what the reviewer found", zh: "查看审查意见"),
        OfferedAction::GenerateCandidate => {
            message!(en: "Propose a revision", zh: "生成候选稿")
        }
        OfferedAction::ApplyRevision => message!(en: "Apply the proposed revision", zh: "采用修订"),
        OfferedAction::Reject => message!(en: "Keep the text as it is", zh: "保留原文，驳回修订"),
        OfferedAction::Regen => message!(en: "Rewrite the chapter", zh: "重写本章"),
        OfferedAction::Rollback => {
            message!(en: "Go back to the chapter before", zh: "回滚到上一章")
        }
        OfferedAction::Adjust
        | OfferedAction::Approve
        | OfferedAction::Redo
        | OfferedAction::Show => Message::same(action.word()),
    }
}

/// Retry, look back, change direction.
fn after_error(checkpoint: &Checkpoint, next: StepId) -> (Message, Vec<Choice>) {
    let headline = message!(
        en: "{next} failed twice; nothing is lost.",
        zh: "{next} 连续失败两次，没有丢失任何内容。"
    );
    let again = message!(en: "Try it again", zh: "重试");
    let look_back = Choice::new(
        "look_back",
        "log",
        message!(en: "Look back: list what was done to the book", zh: "回看：作品的操作记录"),
    );
    let direction = message!(en: "Change direction", zh: "调整方向");
    let (retry, redirect) = match next {
        StepId::Quickstart(phase) => (
            Choice::new("retry", "quickstart --retry", again),
            Some(
                Choice::new(
                    "redirect",
                    &format!("quickstart redo {}", redo_word(phase)),
                    direction,
                )
                .asking(Asks::Note),
            ),
        ),
        // A review follows what is written; there is no direction to change.
        StepId::Volume(_, VolumeStage::Review) => {
            (Choice::new("retry", "volume review", again), None)
        }
        StepId::Volume(..) => (
            Choice::new("retry", "plan --retry", again),
            Some(Choice::new("redirect", "plan redo", direction).asking(Asks::Note)),
        ),
        StepId::Chapter(chapter, _) => {
            let n = chapter.get();
            let retry = if checkpoint.trial_until.is_some() {
                "quickstart --retry"
            } else {
                "continue --retry"
            };
            let volume = checkpoint.current_volume;
            let (outline, contract) = (layout::outline(volume), layout::contract(volume, chapter));
            let label = message!(
                en: "Change direction: put chapter {n} aside, then edit `{outline}` and `{contract}`",
                zh: "调整方向：搁下第 {n} 章，再修改 `{outline}` 与 `{contract}`"
            );
            // A chapter that was not begun has nothing to put aside.
            let begun = checkpoint.inflight_chapter.is_some();
            let redirect = begun.then(|| {
                Choice::new("redirect", &format!("gate rewrite {n}"), label).asking(Asks::Note)
            });
            (Choice::new("retry", retry, again), redirect)
        }
    };
    let choices = [retry, look_back].into_iter().chain(redirect).collect();
    (headline, choices)
}

const fn redo_word(phase: QuickstartPhase) -> &'static str {
    match phase {
        QuickstartPhase::World => "world",
        QuickstartPhase::Characters => "characters",
        QuickstartPhase::Style => "style",
        QuickstartPhase::Trial | QuickstartPhase::Results => "trial",
    }
}

fn choices(checkpoint: &Checkpoint, next: StepId) -> (Message, Vec<Choice>) {
    match next {
        StepId::Quickstart(QuickstartPhase::Results) => (
            message!(
                en: "The trial chapters are written: read them in chapters/.",
                zh: "试写章节已完成，请在 chapters/ 中阅读。"
            ),
            vec![
                Choice::new(
                    "accept",
                    "quickstart accept",
                    message!(en: "Accept them and plan the first volume", zh: "接受，开始规划第一卷"),
                ),
                Choice::new(
                    "adjust",
                    "quickstart redo",
                    message!(en: "Adjust world, cast, style or the trial", zh: "调整世界、人物、文风或试写"),
                )
                .asking(Asks::PhaseAndNote),
            ],
        ),
        StepId::Quickstart(_) => (
            message!(en: "The book is being set up.", zh: "新书筹备中。"),
            vec![Choice::new(
                "quickstart",
                "quickstart",
                message!(
                    en: "Set up world, cast and style, and write three trial chapters",
                    zh: "设定世界、人物与文风，并试写三章"
                ),
            )],
        ),
        StepId::Chapter(chapter, _) if checkpoint.trial_until.is_some() => {
            let n = chapter.get();
            let label = if checkpoint.inflight_chapter.is_some() {
                message!(
                    en: "Finish trial chapter {n}, which was interrupted, and go on",
                    zh: "先完成中断的试写第 {n} 章，再继续试写"
                )
            } else {
                message!(en: "Continue with trial chapter {n}", zh: "继续试写第 {n} 章")
            };
            (
                message!(en: "The trial is under way.", zh: "试写进行中。"),
                vec![Choice::new("quickstart", "quickstart", label)],
            )
        }
        StepId::Chapter(chapter, ChapterStage::Review) => {
            let n = chapter.get();
            (
                message!(
                    en: "Chapter {n} is in the book; its logic must be reviewed before the next one.",
                    zh: "第 {n} 章已入书；写下一章之前需要先做逻辑审查。"
                ),
                vec![Choice::new(
                    "review",
                    &format!("review run {n}"),
                    message!(en: "Review chapter {n}", zh: "审查第 {n} 章"),
                )],
            )
        }
        StepId::Chapter(chapter, stage) => writing(checkpoint, chapter, stage),
        StepId::Volume(volume, VolumeStage::Plan) => {
            let n = volume.get();
            (
                message!(en: "Volume {n} needs a plan.", zh: "第 {n} 卷待规划。"),
                vec![plan_choice(volume)],
            )
        }
        StepId::Volume(volume, VolumeStage::Commit) => {
            let n = volume.get();
            (
                message!(
                    en: "The plan of volume {n} waits for your approval.",
                    zh: "第 {n} 卷的规划等你批准。"
                ),
                vec![
                    Choice::new(
                        "approve",
                        "plan approve",
                        message!(en: "Approve the plan", zh: "批准规划"),
                    ),
                    Choice::new(
                        "show",
                        "plan show",
                        message!(en: "Read the whole plan", zh: "查看完整规划"),
                    ),
                    Choice::new(
                        "redo",
                        "plan redo",
                        message!(en: "Plan it again", zh: "重新规划"),
                    )
                    .asking(Asks::Note),
                ],
            )
        }
        StepId::Volume(volume, VolumeStage::Review) => {
            let n = volume.get();
            (
                message!(en: "Volume {n} is complete.", zh: "第 {n} 卷已写完。"),
                vec![Choice::new(
                    "review",
                    "volume review",
                    message!(
                        en: "Review the volume; the next one is planned after it",
                        zh: "进行卷末回顾，之后规划下一卷"
                    ),
                )],
            )
        }
    }
}

fn plan_choice(volume: VolumeNo) -> Choice {
    let n = volume.get();
    Choice::new(
        "plan",
        "plan",
        message!(en: "Plan volume {n}", zh: "规划第 {n} 卷"),
    )
}

fn writing(
    checkpoint: &Checkpoint,
    chapter: ChapterNo,
    stage: ChapterStage,
) -> (Message, Vec<Choice>) {
    let (n, last) = (chapter.get(), checkpoint.last_completed_chapter);
    let begun = checkpoint
        .inflight_chapter
        .and(checkpoint.pipeline_stage)
        .filter(|stage| *stage != PipelineStage::Committed);
    let stage = stage.word();
    let (headline, label) = if begun.is_some() {
        (
            message!(
                en: "Chapter {n} was interrupted before `{stage}`.",
                zh: "第 {n} 章中断在 `{stage}` 之前。"
            ),
            message!(en: "Finish chapter {n}", zh: "完成第 {n} 章"),
        )
    } else {
        let chapters = counted(last, "chapter");
        (
            message!(en: "Written so far: {chapters}.", zh: "已完成 {last} 章。"),
            message!(en: "Write chapter {n}", zh: "续写第 {n} 章"),
        )
    };
    let choices = vec![
        Choice::new("continue", "continue", label),
        Choice::new(
            "several",
            "continue",
            message!(en: "Write several chapters", zh: "连续写几章"),
        )
        .asking(Asks::Chapters),
        Choice::new(
            "run",
            "run",
            message!(en: "Write to the end of the volume", zh: "写到本卷末尾"),
        ),
        Choice::new(
            "check",
            "check all",
            message!(en: "Look back: check the story so far", zh: "质量回顾：检查已写内容"),
        ),
    ];
    (headline, choices)
}

impl StartReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::StartAnswer {
        let choice = |choice: &Choice| contract::Choice {
            id: choice.id.clone(),
            label: choice.label.get(lang).to_owned(),
            command: choice.typed(),
            asks: choice
                .asks
                .words()
                .iter()
                .map(|word| (*word).to_owned())
                .collect(),
        };
        contract::StartAnswer {
            orchestrator_state: self.state,
            headline: self.headline.get(lang).to_owned(),
            shown: self
                .shown
                .iter()
                .map(|line| line.get(lang).to_owned())
                .collect(),
            recommended: self.choices.first().map(|choice| choice.id.clone()),
            choices: self.choices.iter().map(choice).collect(),
            warnings: Vec::new(),
        }
    }
}

impl Asks {
    /// The options of `novel start` that answer it.
    #[must_use]
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Nothing | Self::NewBook => &[],
            Self::Chapters => &["--chapters"],
            Self::Note => &["--note"],
            Self::PhaseAndNote => &["--phase", "--note"],
        }
    }
}

#[cfg(test)]
#[path = "start_tests.rs"]
mod tests;
