//! What a run tells when it is over.

use novel_book::{
    config::ExecutorKind,
    run::{Finished, Stop},
    scenes::NotMergeable,
};
use novel_contract::write as contract;
use novel_model::{ChapterNo, Explain, Kind, Lang, Message, Problem, StepId, Warning, message};
use novel_prompt::prompt::Agent;
use serde_json::{Map, Value, json};

use super::cause::StopCause;
use crate::{
    BookError,
    error::use_case_error,
    revise::{ReviseError, revision::RewriteRefused},
    runner::{AskError, Candidate, NoPrice, Spent, stop_answer},
};

use_case_error! {
    /// Why a run did not reach its goal.
    pub enum RunError {
        /// It could not begin.
        NotBegun(StopCause) from [
            BookError, AskError, ReviseError, RewriteRefused, NotMergeable, NoPrice,
        ],
        /// It stopped on the way.
        Stopped(RunStopped),
    }
}

/// What a run did.
#[derive(Debug)]
pub struct RunReport {
    /// The chapters it committed.
    pub finished: Vec<Finished>,
    /// The steps of set-up, planning and review it did.
    pub steps: Vec<StepId>,
    /// Why it ended.
    pub stop: Stop,
    /// What it cost.
    pub spent: Spent,
    /// Later chapters that may no longer fit a chapter that was written anew in its place.
    pub later: Vec<ChapterNo>,
    /// The drafts the last chapter was chosen from; empty when there was one.
    pub candidates: Vec<Candidate>,
    /// What the author should know.
    pub warnings: Vec<Warning>,
}

impl RunReport {
    /// What the run did, as answers tell it.
    #[must_use]
    pub fn answer(&self, lang: Lang) -> contract::RunSummary {
        contract::RunSummary {
            finished: self.finished.iter().map(finished_answer).collect(),
            steps: self.steps.iter().map(StepId::to_string).collect(),
            stop: stop_answer(self.stop),
            spent: self.spent.answer(),
            later_chapters: self.later.iter().map(|chapter| chapter.get()).collect(),
            candidates: self.candidates.iter().map(Candidate::answer).collect(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}

fn finished_answer(chapter: &Finished) -> contract::FinishedChapter {
    contract::FinishedChapter {
        chapter: chapter.chapter,
        words: chapter.words,
        overall: chapter.overall,
        scored_by: chapter.scored_by,
        gate_decision: chapter.gate,
        revisions: chapter.revisions,
        force_passed: chapter.force_passed,
    }
}

/// A run that did not reach its goal.
#[derive(Debug, thiserror::Error)]
#[error("the run stopped")]
pub struct RunStopped {
    /// Chapters written and steps accepted before the stop.
    pub report: Box<RunReport>,
    go_on: GoOn,
    cause: Option<Box<StopCause>>,
    /// The agent whose model gave nothing of use, where another model can be named for it.
    refused_model: Option<Agent>,
}

/// The command that goes on where a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GoOn {
    /// A chapter of a planned volume.
    Continue,
    /// Set-up, and the trial chapters.
    Quickstart,
    /// A plan.
    Plan,
    /// The review of a volume.
    Review,
}

impl GoOn {
    /// The command that goes on with this step, and no further than the author's next decision.
    const fn command(self) -> &'static str {
        match self {
            Self::Continue => "novel continue",
            Self::Quickstart => "novel quickstart",
            Self::Plan => "novel plan",
            Self::Review => "novel volume review",
        }
    }

    /// The command that retries this step after a failure.
    const fn retry(self) -> &'static str {
        match self {
            Self::Continue => "novel continue --retry",
            Self::Quickstart => "novel quickstart --retry",
            Self::Plan => "novel plan --retry",
            Self::Review => "novel volume review",
        }
    }
}

impl RunStopped {
    pub(super) fn new(
        report: RunReport,
        go_on: GoOn,
        cause: Option<StopCause>,
        executor: ExecutorKind,
    ) -> Self {
        let is_model = executor == ExecutorKind::Llm;
        let refused = cause.as_ref().and_then(StopCause::rejected_agent);
        Self {
            report: Box::new(report),
            go_on,
            cause: cause.map(Box::new),
            refused_model: refused.filter(|_| is_model),
        }
    }

    /// What stopped it, where it was not the author or the budget.
    #[must_use]
    pub fn cause(&self) -> Option<&StopCause> {
        self.cause.as_deref()
    }

    fn agent_hint(&self) -> Option<Message> {
        self.cause().and_then(StopCause::agent_hint)
    }

    fn disk_hint(&self) -> Option<Message> {
        self.cause().and_then(StopCause::disk_hint)
    }
}

impl Explain for RunStopped {
    fn kind(&self) -> Kind {
        match self.report.stop {
            Stop::Interrupted => Kind::Interrupted,
            Stop::OverBudget => Kind::Gate,
            // An agent whose answers are not valid is an executor that failed.
            Stop::Failed if self.cause().is_some_and(StopCause::is_rejected) => Kind::Provider,
            _ => self.cause().map_or(Kind::Internal, Explain::kind),
        }
    }

    fn code(&self) -> &'static str {
        match self.report.stop {
            Stop::Interrupted => "INTERRUPTED",
            Stop::OverBudget => "OVER_BUDGET",
            _ => self.cause().map_or("STOPPED", Explain::code),
        }
    }

    fn message(&self) -> Message {
        match self.report.stop {
            Stop::Interrupted => message!(
                en: "stopped at your request; nothing is lost",
                zh: "已按要求停止，没有丢失任何内容"
            ),
            Stop::OverBudget => message!(
                en: "stopped before the call that would exceed the budget",
                zh: "在将要超出预算的调用之前停止"
            ),
            _ => self.cause().map_or_else(
                || message!(en: "the run stopped", zh: "运行已停止"),
                Explain::message,
            ),
        }
    }

    fn hint(&self) -> Option<Message> {
        let (go_on, retry) = (self.go_on.command(), self.go_on.retry());
        match self.report.stop {
            Stop::Interrupted => Some(message!(
                en: "go on with `{go_on}`; finished calls are not billed twice",
                zh: "用 `{go_on}` 继续；已收到的回答不会重复付费"
            )),
            Stop::OverBudget => Some(message!(
                en: "raise [budget] in novel.toml, or go on later with `{go_on}`",
                zh: "提高 novel.toml 的 [budget]，或稍后用 `{go_on}` 继续"
            )),
            Stop::Failed if self.cause().is_some_and(StopCause::is_unfinished_write) => {
                self.cause().and_then(Explain::hint)
            }
            Stop::Failed if self.disk_hint().is_some() => self.disk_hint().map(|hint| Message {
                en: format!(
                    "{}; a step that failed twice is tried again with `{retry}`",
                    hint.en
                ),
                zh: format!("{}；失败两次的步骤用 `{retry}` 重试", hint.zh),
            }),
            Stop::Failed if self.agent_hint().is_some() => self.agent_hint().map(|hint| Message {
                en: format!(
                    "{}; then try again with `{retry}`, or choose with `novel start`",
                    hint.en
                ),
                zh: format!(
                    "{}；然后用 `{retry}` 重试，或用 `novel start` 选择下一步",
                    hint.zh
                ),
            }),
            Stop::Failed if self.refused_model.is_some() => {
                let agent = self.refused_model.map(Agent::name).unwrap_or_default();
                Some(message!(
                    en: "everything is kept as it is; try again with `{retry}`, give this agent a stronger model with `novel config set models.{agent} MODEL`, or choose with `novel start`",
                    zh: "一切保持原样；用 `{retry}` 重试，用 `novel config set models.{agent} 模型名` 给它换一个更强的模型，或用 `novel start` 选择下一步"
                ))
            }
            Stop::Failed => Some(message!(
                en: "everything is kept as it is; try again with `{retry}`, or choose with `novel start`",
                zh: "一切保持原样；用 `{retry}` 重试，或用 `novel start` 选择下一步"
            )),
            _ => self.cause().and_then(Explain::hint),
        }
    }

    fn problems(&self) -> &[Problem] {
        self.cause().map_or(&[], Explain::problems)
    }

    fn details(&self, lang: Lang) -> Map<String, Value> {
        let mut details = self
            .cause()
            .map(|cause| cause.details(lang))
            .unwrap_or_default();
        let report = self.report.answer(lang);
        details.insert("finished".into(), json!(report.finished));
        details.insert("steps".into(), json!(report.steps));
        details.insert("stop".into(), json!(report.stop));
        details.insert("spent".into(), json!(report.spent));
        details
    }
}
