//! One agent asked about a chapter outside the writing loop: a revision, a summary of a text that
//! changed. Budget first, then the ledger, then the executor; one informed retry.

use std::time::Instant;

use novel_book::{believe::Hearing, edit::Changes, next::Round, scenes::Part, validate::Rejected};
use novel_llm::{drop_optional_nulls, extract_json};
use novel_model::{
    BookReader, Explain, Problem, StepId,
    files::{Checkpoint, JudgeRole, Packet, StageLog},
    layout, to_json_text,
};
use novel_prompt::{
    packet::{self, PacketMode, Request},
    prompt::{Output, Prompt, retry_note},
};
use novel_store::{TxnKind, Writer};

use super::{
    AskError, Asked, OverBudget, Runner, Spent, WatchEvent,
    ledger::{self, Question, Recorded},
    prompt_for, save_packet,
};
use crate::executor::{AgentCall, AgentError};

/// Tries of one question: the first and one retry.
const MAX_TRIES: u32 = 2;

/// Whether an answer that was paid for before is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reuse {
    /// It is.
    Kept,
    /// Another one is wanted.
    Another,
}

/// Whether an agent must answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerNeed {
    /// Without a usable answer the command stops.
    Required,
    /// The second answer is taken whatever it is: what is no JSON reads as `null`.
    Optional,
}

/// What an agent is asked.
pub(crate) struct Inquiry<'a> {
    /// The step its calls are kept under.
    pub(crate) step: StepId,
    /// The book as the agent is to see it.
    pub(crate) book: &'a dyn BookReader,
    /// The packet, files named.
    pub(crate) packet: Packet,
    /// The packet as a prompt.
    pub(crate) prompt: Prompt,
    /// Whether an earlier answer will do.
    pub(crate) reuse: Reuse,
    /// Whether there must be an answer.
    pub(crate) answer: AnswerNeed,
}

/// A checked answer, and what it took to get it.
#[derive(Debug)]
pub(crate) struct Consulted<T> {
    pub(crate) answer: T,
    pub(crate) stages: Vec<StageLog>,
    /// Puts the calls away. Part of the transaction that uses the answer: a crash before it leaves an
    /// answer that is used again, also where another one was wanted.
    pub(crate) put_away: Changes,
}

impl<'a> Inquiry<'a> {
    /// The usual question of a step, about a book that is not as it lies on the disk.
    pub(crate) fn of_step(
        runner: &Runner<'_>,
        book: &'a dyn BookReader,
        checkpoint: &Checkpoint,
        step: StepId,
    ) -> Result<Self, AskError> {
        Self::of_part(runner, book, checkpoint, step, (1, 1))
    }

    /// Like [`Inquiry::of_step`], about a part of a chapter: which of how many.
    pub(crate) fn of_part(
        runner: &Runner<'_>,
        book: &'a dyn BookReader,
        checkpoint: &Checkpoint,
        step: StepId,
        part: (u32, u32),
    ) -> Result<Self, AskError> {
        let config = runner.project.config();
        let source = runner.project.files(book, checkpoint);
        let request = Request {
            step,
            round: Round::First,
            judge: JudgeRole::Primary,
            part: Part::Whole,
            mode: PacketMode::Both,
        };
        let mut packet = packet::build(source, request)?;
        packet::name_part(&mut packet, part);
        Ok(Self {
            step,
            book,
            prompt: prompt_for(config, book, &packet)?,
            packet: packet::naming_files(packet),
            reuse: Reuse::Kept,
            answer: AnswerNeed::Required,
        })
    }
}

impl Runner<'_> {
    /// Asks an agent; `check` turns its text into what is wanted, or says what is wrong with it. It is
    /// told whether the agent was asked again already, by this process or one that was killed.
    ///
    /// # Errors
    /// When there is no usable answer after one retry, or the budget forbids the call.
    pub(crate) fn consult<T>(
        &self,
        writer: &Writer,
        spent: &mut Spent,
        inquiry: &Inquiry<'_>,
        mut check: impl FnMut(&str, Hearing) -> Result<T, AskError>,
    ) -> Result<Consulted<T>, AskError> {
        self.check_prices()?;
        let mut problems: Vec<Problem> = Vec::new();
        let mut stages = Vec::new();
        let mut attempt = 1;
        loop {
            let lang = self.project.config().lang();
            let mut prompt = inquiry.prompt.clone();
            if !problems.is_empty() {
                let note = retry_note(&problems, lang, &prompt.output);
                prompt = prompt.with(note);
            }
            let reuse = if attempt == 1 {
                inquiry.reuse
            } else {
                Reuse::Kept
            };
            let outcome = self
                .answer(writer, spent, inquiry, &prompt, reuse, attempt)
                .and_then(|recorded| {
                    let hearing = if attempt == MAX_TRIES || recorded.retry_of.is_some() {
                        Hearing::Last
                    } else {
                        Hearing::First
                    };
                    let text = match (plain(inquiry.step, &recorded, &prompt), hearing) {
                        // Whoever can do without an answer is told that there is none.
                        (Err(_), Hearing::Last) if inquiry.answer == AnswerNeed::Optional => {
                            Ok("null".to_owned())
                        }
                        (text, _) => text.map_err(AskError::from),
                    };
                    let checked = text.and_then(|text| check(&text, hearing));
                    let stage = StageLog {
                        rejected: checked.is_err(),
                        ..named(&recorded)
                    };
                    stages.push(stage);
                    checked.or_else(|error| {
                        if error.is_about_the_answer() {
                            problems = error.problems().to_vec();
                            let reasons: Vec<String> = problems
                                .iter()
                                .map(|problem| {
                                    format!("{}: {}", problem.location(), problem.message)
                                })
                                .collect();
                            ledger::reject(writer, inquiry.step, &recorded.id, &reasons)?;
                        }
                        Err(error)
                    })
                });
            match outcome {
                Ok(answer) => {
                    let put_away =
                        ledger::put_away::calls(&writer.reader()?, inquiry.step, &stages)?;
                    return Ok(Consulted {
                        answer,
                        stages,
                        put_away,
                    });
                }
                Err(error) if attempt < MAX_TRIES && error.may_be_asked_again() => {
                    let why = error.message();
                    self.watch.event(&WatchEvent::Failed {
                        step: inquiry.step,
                        why: &why,
                    });
                    attempt += 1;
                }
                Err(error) => return Err(error.after_the_last_try()),
            }
        }
    }

    /// The answer from the ledger, or a new one, kept there.
    fn answer(
        &self,
        writer: &Writer,
        spent: &mut Spent,
        inquiry: &Inquiry<'_>,
        prompt: &Prompt,
        reuse: Reuse,
        attempt: u32,
    ) -> Result<Recorded, AskError> {
        let agent = inquiry.packet.agent.name.as_str();
        let model = self.executor.model_for(&[agent]);
        let question = Question {
            project: self.project.config().title.clone().unwrap_or_default(),
            step: inquiry.step.to_string(),
            round: format!("committed-{agent}"),
            judge: JudgeRole::Primary,
            model: model.clone(),
            prompt_hash: prompt.hash.clone(),
        };
        let slot = question.find(writer, &writer.reader()?, inquiry.step, reuse)?;
        ledger::keep_found(writer, inquiry.step, &slot)?;
        let (recorded, from_ledger) = match slot.answer {
            Some(found) => {
                spent.reused += 1;
                (found, true)
            }
            None => {
                let call = std::iter::once((model.as_str(), prompt.tokens()));
                if self.budget.is_exceeded(spent, call) {
                    return Err(OverBudget.into());
                }
                self.watch.event(&WatchEvent::Started {
                    step: inquiry.step,
                    agent,
                    judge: JudgeRole::Primary,
                    part: Part::Whole,
                    model: &model,
                    attempt,
                });
                let recorded = self.ask(writer, inquiry, prompt, &question, &slot.id)?;
                spent.add(&recorded);
                (recorded, false)
            }
        };
        self.watch.event(&WatchEvent::Answered {
            step: inquiry.step,
            judge: JudgeRole::Primary,
            part: Part::Whole,
            work: &named(&recorded),
            from_ledger,
            spent,
        });
        Ok(recorded)
    }

    fn ask(
        &self,
        writer: &Writer,
        inquiry: &Inquiry<'_>,
        prompt: &Prompt,
        question: &Question,
        id: &str,
    ) -> Result<Recorded, AskError> {
        let packet_path = self
            .executor
            .wants_packet()
            .then(|| {
                let role = JudgeRole::Primary;
                let kind = TxnKind::Call;
                save_packet(
                    self.project,
                    writer,
                    kind,
                    inquiry.step,
                    role,
                    &inquiry.packet,
                )
            })
            .transpose()?;
        let (begun, at) = (Instant::now(), self.project.now().to_string());
        let call = AgentCall {
            step: inquiry.step,
            judge: JudgeRole::Primary,
            packet: &inquiry.packet,
            packet_path,
            prompt,
            model: &question.model,
            book: Some(inquiry.book),
        };
        ledger::make_room(writer, inquiry.step, id);
        let answer = self.run_agent(&call);
        self.keep_learnt(writer);
        for warning in &self.audit_discarded(writer) {
            self.watch.event(&WatchEvent::Warned { warning });
        }
        let duration = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let retry_of = question.retry_of(inquiry.prompt.hash.clone());
        let asked = Asked {
            retry_of: retry_of.as_deref(),
            operation: writer.operation_id()?,
            id,
            step: inquiry.step,
            agent: &inquiry.packet.agent.name,
            prompt,
            at: &at,
        };
        match answer {
            Ok(answer) => {
                let recorded = self.record(asked, answer, duration);
                ledger::keep(writer, inquiry.step, &recorded)?;
                Ok(recorded)
            }
            Err(error) => {
                // Paid for, though useless: it is kept and marked.
                if let AgentError::Unusable(unusable) = &error {
                    let recorded = self.record(asked, (*unusable.answer).clone(), duration);
                    let why = vec![error.message().en];
                    ledger::keep(writer, inquiry.step, &recorded)?;
                    ledger::reject(writer, inquiry.step, id, &why)?;
                }
                Err(error.into())
            }
        }
    }
}

/// The call by what was done, as logs and progress name it.
fn named(recorded: &Recorded) -> StageLog {
    let name = match recorded.agent.as_str() {
        "summarizer" => "summarize",
        "chapter-reviser" => "revise",
        "logic-reviewer" => "review",
        "book-reader" => "read",
        "style-analyzer" => "style",
        "world-builder" => "world",
        "plot-architect" => "plan",
        other => other,
    };
    StageLog {
        name: name.to_owned(),
        ..recorded.stage_log()
    }
}

/// The answer as the JSON or Markdown it should be.
fn plain(step: StepId, answer: &Recorded, prompt: &Prompt) -> Result<String, Rejected> {
    let Output::Json { schema, .. } = &prompt.output else {
        return Ok(answer.text.clone());
    };
    let (value, _) = extract_json(&answer.text).map_err(|error| {
        let path = layout::call(step, &answer.id);
        let text = Explain::message(&error);
        Rejected::new(step, vec![Problem::new("not_json", &path, text)])
    })?;
    Ok(to_json_text(&drop_optional_nulls(schema, value)))
}
