//! Asking agents: what is to be asked, by the budget and the ledger first. The calls themselves are
//! made in [`super::calls`].

use novel_book::{
    believe::{
        lacking::Lacking, prose::ECHO, record::LackingRecord, summary::OF_EARLIER,
        verdict::Contracts,
    },
    config::ExecutorKind,
    edit::Changes,
    next::Round,
    run::{Action, Event, Task},
    scenes::Part,
};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, QuickstartPhase, RelPath, StepId, VolumeStage,
    files::{JudgeRole, Packet},
    layout,
};
use novel_prompt::{
    packet::{self, PacketMode, Request},
    prompt::{
        Prompt, Section, completion_note, record_completion, record_note, retry_note,
        verdict_completion,
    },
};
use novel_store::{TxnKind, TxnLabel};

use super::{Drive, StopCause, foresee::foresee};
use crate::{
    Book,
    executor::{ANSWER_CUT, Reads},
    runner::{
        Asked, Reuse, WatchEvent, inbox,
        ledger::{self, Question, Recorded},
        prompt_for, save_packet,
    },
    write::next::round_word,
};

/// One call that is wanted: for what, by which judge, which try.
pub(super) type Ask = (Task, JudgeRole, u32);

/// The calls among some actions.
pub(super) fn asks(actions: &[Action]) -> Vec<Ask> {
    let asked = actions.iter().filter_map(|action| match action {
        Action::Ask {
            task,
            judge,
            attempt,
        } => Some((*task, *judge, *attempt)),
        _ => None,
    });
    asked.collect()
}

/// A call, prepared.
pub(super) struct Prepared {
    pub(super) task: Task,
    pub(super) judge: JudgeRole,
    pub(super) attempt: u32,
    pub(super) packet: Packet,
    pub(super) prompt: Prompt,
    pub(super) model: String,
    slot: ledger::Slot,
    operation: u64,
    retry_of: Option<String>,
    pub(super) packet_path: Option<RelPath>,
    /// Whether a chapter of the book is written anew: the agent sees an earlier book.
    pub(super) rewriting: bool,
    asked_at: String,
}

impl Prepared {
    /// Whether it must still be made.
    pub(super) fn is_open(&self) -> bool {
        self.slot.answer.is_none()
    }

    pub(super) fn asked(&self) -> Asked<'_> {
        Asked {
            id: &self.slot.id,
            step: self.task.step,
            agent: &self.packet.agent.name,
            prompt: &self.prompt,
            retry_of: self.retry_of.as_deref(),
            operation: self.operation,
            at: &self.asked_at,
        }
    }
}

impl Drive<'_> {
    /// Takes the answers of one decision from the ledger, and calls the agents that are not answered
    /// there, all at the same time.
    pub(super) fn ask_all(&mut self, asks: &[Ask]) -> Vec<Event> {
        if let [(task, ..)] = asks
            && let Err(cause) = self.take_notes(task.step)
        {
            return vec![self.write_failed(cause)];
        }
        if let [(task, _, attempt)] = asks
            && self.wants_candidates(*task, *attempt)
        {
            return self.ask_candidates(*task);
        }
        let prepared = match self.prepare_all(asks) {
            Ok(prepared) => prepared,
            Err(cause) => return vec![self.blocked(cause)],
        };
        let (open, found): (Vec<_>, Vec<_>) = prepared.into_iter().partition(Prepared::is_open);
        let mut events = self.reuse(found);
        if open.is_empty() {
            return events;
        }
        if self.over_budget(&open) {
            return vec![Event::OverBudget];
        }
        if let Err(failure) = self.check_calls(&open) {
            return vec![self.blocked(failure)];
        }
        events.extend(self.call_all(open));
        events
    }

    /// Stops a chapter that has taken more calls than it may.
    fn check_calls(&self, open: &[Prepared]) -> Result<(), StopCause> {
        let Some(StepId::Chapter(chapter, stage)) = open.first().map(|call| call.task.step) else {
            return Ok(());
        };
        if matches!(stage, ChapterStage::Review | ChapterStage::Audit) {
            return Ok(());
        }
        let limit = self.runner.project.config().limits.calls_per_chapter;
        let (calls, scenes) = calls_of(&self.reader()?, chapter)?;
        let wanted = u32::try_from(open.len()).unwrap_or(u32::MAX);
        if calls.saturating_add(wanted) > limit.saturating_add(scenes) {
            return Err(crate::Refusal::TooManyCalls {
                chapter,
                calls,
                limit,
            }
            .into());
        }
        Ok(())
    }

    /// Puts what the author told the run from elsewhere beside what was asked for the chapter or the
    /// plan, where every round of it reads it. Only writer and planner take notes; others leave them
    /// waiting.
    fn take_notes(&self, step: StepId) -> Result<(), StopCause> {
        let path = match step {
            StepId::Chapter(chapter, ChapterStage::Draft) => layout::staged_note(chapter),
            StepId::Quickstart(QuickstartPhase::Trial) | StepId::Volume(_, VolumeStage::Plan) => {
                layout::author_note(step)
            }
            StepId::Chapter(..) | StepId::Volume(..) | StepId::Quickstart(_) => return Ok(()),
        };
        let reader = self.reader()?;
        let told = inbox::notes(&reader)?;
        if told.is_empty() {
            return Ok(());
        }
        let mut all: Vec<String> = reader.text(&path)?.into_iter().collect();
        let mut changes = Changes::default();
        for (file, note) in &told {
            all.push(note.clone());
            changes.remove(file.clone());
        }
        let text: Vec<&str> = all.iter().map(|note| note.trim()).collect();
        changes.write(path, format!("{}\n", text.join("\n\n")));
        let label = TxnLabel::new(TxnKind::Call, step.to_string());
        self.runner.project.write(self.writer, label, changes)?;
        for (_, note) in &told {
            self.runner.watch.event(&WatchEvent::Told { step, note });
        }
        Ok(())
    }

    /// The calls, from one look at the book.
    fn prepare_all(&self, asks: &[Ask]) -> Result<Vec<Prepared>, StopCause> {
        let reader = self.reader()?;
        let view = self.runner.project.view(&reader)?;
        asks.iter().map(|ask| self.prepare(&view, *ask)).collect()
    }

    pub(super) fn reuse(&mut self, found: Vec<Prepared>) -> Vec<Event> {
        let mut events = Vec::new();
        for mut call in found {
            if let Err(failure) = ledger::keep_found(self.writer, call.task.step, &call.slot) {
                events.push(self.write_failed(failure));
                continue;
            }
            if let Some(answer) = call.slot.answer.take() {
                self.spent.reused += 1;
                events.push(self.answered(&call, answer, /*from_ledger*/ true));
            }
        }
        events
    }

    /// One call, from one look at the book.
    pub(super) fn prepare(&self, view: &Book<'_>, ask: Ask) -> Result<Prepared, StopCause> {
        self.prepare_with(view, ask, None)
    }

    /// Like [`Drive::prepare`], with one more section in the prompt.
    pub(super) fn prepare_with(
        &self,
        view: &Book<'_>,
        ask: Ask,
        more: Option<Section>,
    ) -> Result<Prepared, StopCause> {
        let (task, judge, attempt) = ask;
        let (project, reader) = (self.runner.project, view.reader());
        view.check_step_not_blocked(task.step)?;
        let book = project.files(reader, view.checkpoint.get());
        let rewriting = view.checkpoint.get().is_during_rewrite();
        let reads_files = match self.runner.executor.reads() {
            Reads::Prompt => false,
            // A program reads the files as they are: those of a book whose chapter is written anew in its
            // place are not of that moment. The offline author is given the book of that moment.
            Reads::Files => !(rewriting && self.runner.executor.kind() == ExecutorKind::Command),
        };
        let request = Request {
            step: task.step,
            round: task.round,
            judge,
            part: task.part,
            mode: match reads_files {
                true => PacketMode::Both,
                false => PacketMode::Embed,
            },
        };
        let mut packet = packet::build(book, request)?;
        let mut prompt = prompt_for(project.config(), reader, &packet)?;
        if reads_files {
            packet = packet::naming_files(packet);
        }
        if let Some(more) = more {
            prompt = prompt.with(more);
        }
        let plain = prompt.hash.clone();
        // Told to the agent whose answer it was; the other judge's sound answer stays paid for.
        if let Some(problems) = self.problems.get(judge_key(judge)).filter(|_| attempt > 1) {
            let lang = project.config().lang();
            let is_draft = matches!(task.step, StepId::Chapter(_, ChapterStage::Draft));
            if is_draft && problems.iter().any(|problem| problem.code == ECHO) {
                // Whoever copies what it is shown would copy it again.
                prompt = prompt.without_earlier_prose();
            }
            // What a judge or a summarizer has said stands; it is asked for the rest alone.
            let note = match self.lacking(view, task.step, judge)? {
                Some(StillLacking::Verdict(lacking)) => {
                    prompt.output = verdict_completion(&lacking);
                    completion_note(problems, &lacking, lang)
                }
                Some(StillLacking::Record(lacking)) => {
                    let tells_earlier = problems.iter().any(|problem| problem.code == OF_EARLIER);
                    if tells_earlier && !lacking.parts.contains(&"memory") {
                        // The memory it gave stands; shown the old one, it would tell that again.
                        prompt = prompt.without_memory();
                    }
                    prompt.output = record_completion(&lacking);
                    record_note(problems, &lacking, lang)
                }
                None => retry_note(problems, lang, &prompt.output),
            };
            let is_cut = problems.iter().any(|problem| problem.code == ANSWER_CUT);
            prompt = prompt.with(if is_cut {
                Section {
                    name: ANSWER_CUT.to_owned(),
                    ..note
                }
            } else {
                note
            });
        }
        let model = self.runner.executor.model_for(&roles(&packet, judge));
        let question = Question {
            project: project.config().title.clone().unwrap_or_default(),
            step: task.step.to_string(),
            round: format!(
                "{}-{}",
                round_word(task.round),
                view.checkpoint.get().revision_count
            ),
            judge,
            model: model.clone(),
            prompt_hash: prompt.hash.clone(),
        };
        let operation = self.writer.operation_id()?;
        let retry_of = question.retry_of(plain);
        let reuse = if attempt == 1 {
            self.renew
        } else {
            Reuse::Kept
        };
        let slot = question.find(self.writer, reader, task.step, reuse)?;
        let is_first = attempt == 1
            && task.round == Round::First
            && matches!(task.part, Part::Whole | Part::ScenePlan)
            && slot.answer.is_none();
        if let StepId::Chapter(chapter, ChapterStage::Draft) = task.step
            && is_first
            && project.config().executor != ExecutorKind::Offline
        {
            foresee(project, view, chapter)?;
        }
        let packet_path = self.runner.executor.wants_packet().then(|| {
            let kind = TxnKind::Call;
            save_packet(
                self.runner.project,
                self.writer,
                kind,
                task.step,
                judge,
                &packet,
            )
        });
        let packet_path = packet_path.transpose()?;
        Ok(Prepared {
            task,
            judge,
            attempt,
            packet,
            prompt,
            model,
            slot,
            operation,
            retry_of,
            packet_path,
            rewriting,
            asked_at: project.now().to_string(),
        })
    }

    /// What the answer lacks that was sent back; `None` where nothing of it stands.
    fn lacking(
        &self,
        view: &Book<'_>,
        step: StepId,
        judge: JudgeRole,
    ) -> Result<Option<StillLacking>, StopCause> {
        match step {
            StepId::Chapter(chapter, ChapterStage::Judge) => {
                let Some(said) = self.said_so_far(judge) else {
                    return Ok(None);
                };
                let reader = view.reader();
                let volume = view.checkpoint.get().current_volume;
                let contracts = Contracts::load(reader, volume, chapter)?;
                let text = reader.text(&layout::staged_chapter(chapter))?;
                let lacking = Lacking::of(&said, &text.unwrap_or_default(), &contracts);
                // What is wrong with it otherwise is mended in a whole answer.
                let lacking = lacking.filter(|lacking| *lacking != Lacking::default());
                Ok(lacking.map(StillLacking::Verdict))
            }
            StepId::Chapter(chapter, ChapterStage::Summarize) => {
                let lacking = self.record_lacking(chapter, judge);
                Ok(lacking.map(|(_, lacking)| StillLacking::Record(lacking)))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn over_budget(&self, calls: &[Prepared]) -> bool {
        let calls = calls
            .iter()
            .map(|call| (call.model.as_str(), call.prompt.tokens()));
        self.runner.budget.is_exceeded(&self.spent, calls)
    }

    /// Reports an answer and holds it for its acceptance.
    pub(super) fn answered(
        &mut self,
        call: &Prepared,
        answer: Recorded,
        from_ledger: bool,
    ) -> Event {
        let work = answer.stage_log();
        self.runner.watch.event(&WatchEvent::Answered {
            step: call.task.step,
            judge: call.judge,
            part: call.task.part,
            work: &work,
            from_ledger,
            spent: &self.spent,
        });
        self.answers.insert(judge_key(call.judge), answer);
        Event::Answered(call.judge)
    }
}

/// What an answer that was sent back lacks.
enum StillLacking {
    Verdict(Lacking),
    Record(LackingRecord),
}

/// Calls a chapter has taken since it was begun, and those its single scenes may take beside them.
fn calls_of(reader: &dyn BookReader, chapter: ChapterNo) -> Result<(u32, u32), StopCause> {
    let stages = [
        ChapterStage::Draft,
        ChapterStage::Summarize,
        ChapterStage::Refine,
        ChapterStage::Judge,
    ];
    let mut calls = 0;
    for stage in stages {
        let names = reader.list(&layout::calls_of(StepId::Chapter(chapter, stage)))?;
        let answers = names
            .iter()
            .filter(|name| name.ends_with(".json") && !name.ends_with(".rejected.json"));
        calls += answers.count();
    }
    let scenes = reader.list(&layout::staged_scenes_dir(chapter))?.len();
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Ok((count(calls), count(scenes)))
}

/// Names under which a model may be chosen, the most particular first.
fn roles(packet: &Packet, judge: JudgeRole) -> Vec<&str> {
    let mut roles = Vec::new();
    if judge == JudgeRole::Secondary {
        roles.push("judge-secondary");
    }
    if packet.agent.mode.as_deref() == Some("revise") {
        roles.push("revision");
    }
    roles.push(packet.agent.name.as_str());
    roles
}

/// Answers of a step are kept by judge.
pub(super) const fn judge_key(judge: JudgeRole) -> &'static str {
    match judge {
        JudgeRole::Primary => "primary",
        JudgeRole::Secondary => "secondary",
    }
}
