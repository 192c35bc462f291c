//! Accepting answers: out of the model's text, through `submit`, past `advance`.

use novel_engine::{
    prompt::{self, Agent},
    run::{Event, Task},
    validate::Rejected,
};
use novel_llm::{drop_optional_nulls, extract_json};
use novel_model::{
    ChapterNo, ChapterStage, Document, Explain, Failure, Kind, Problem, StepId, Warning,
    files::{Bindings, ChapterContract, Evaluation, JudgeRole, StoryState},
    layout, message, to_json_text,
};
use novel_store::{TxnKind, TxnLabel};
use serde_json::{Value, json};

use super::{
    Drive, WatchEvent,
    ask::judge_key,
    ledger::{self, Recorded},
};
use crate::{
    advance::{Work, advance_with},
    submit::{Origin, submit_with},
};

/// Chapters without usable ops after which the author is asked to rebuild the state.
const MANY_LOST_OPS: usize = 3;

impl Drive<'_> {
    /// Hands the answers in and moves the checkpoint. An answer that is not valid is marked in the
    /// ledger, so that it is not used again; a sound one beside it stays.
    pub(super) fn accept(&mut self, task: Task) -> Event {
        if let Some(event) = self.reject_bad_verdicts(task.step) {
            return event;
        }
        for judge in [JudgeRole::Primary, JudgeRole::Secondary] {
            match self.hand_in(task, judge) {
                Ok(()) => {}
                Err(failure) if is_about_the_answer(&failure) => {
                    return self.reject(task.step, judge, failure);
                }
                Err(failure) => return self.write_failed(failure),
            }
        }
        match self.move_on(task.step) {
            Ok(()) => {
                if let step @ (StepId::Volume(..) | StepId::Quickstart(_)) = task.step {
                    self.steps.push(step);
                    self.runner.watch.event(&WatchEvent::Accepted { step });
                }
                Event::Accepted
            }
            Err(failure) if is_about_the_answer(&failure) => {
                self.reject(task.step, JudgeRole::Primary, failure)
            }
            Err(failure) => self.write_failed(failure),
        }
    }

    /// Looks both verdicts over before either is handed in, so that each bad one is asked for again
    /// in the same try.
    fn reject_bad_verdicts(&mut self, step: StepId) -> Option<Event> {
        let StepId::Chapter(chapter, ChapterStage::Judge) = step else {
            return None;
        };
        let path = layout::staged_evaluation(chapter);
        let mut rejected = None;
        for judge in [JudgeRole::Primary, JudgeRole::Secondary] {
            let Some(answer) = self.answers.get(judge_key(judge)).cloned() else {
                continue;
            };
            let checked = self.usable_text(step, judge, &answer).and_then(|text| {
                Document::<Evaluation>::parse(&path, &text).map_err(|broken| {
                    Failure::from(Rejected::new(step, Explain::problems(&broken).to_vec()))
                })
            });
            match checked {
                Ok(_) => {}
                Err(failure) if is_about_the_answer(&failure) => {
                    rejected = Some(self.reject(step, judge, failure));
                }
                Err(failure) => return Some(self.write_failed(failure)),
            }
        }
        rejected
    }

    fn hand_in(&mut self, task: Task, judge: JudgeRole) -> Result<(), Failure> {
        let Some(answer) = self.answers.get(judge_key(judge)).cloned() else {
            return Ok(());
        };
        let text = self.usable_text(task.step, judge, &answer)?;
        let origin = Origin {
            judge,
            model: Some(answer.model.clone()),
        };
        let (project, writer) = (self.runner.project, self.writer);
        let report = submit_with(project, writer, task.step, text.as_bytes(), &origin)?;
        self.warnings.extend(report.warnings);
        Ok(())
    }

    fn move_on(&mut self, step: StepId) -> Result<(), Failure> {
        let mut work = self.work_of(step)?;
        if let Some(chapter) = self.lost_ops {
            work.warnings.push("ops_lost".to_owned());
            self.note_lost_ops(chapter)?;
        }
        let report = advance_with(self.runner.project, self.writer, step, work)?;
        self.lost_ops = None;
        self.warnings.extend(report.warnings);
        Ok(())
    }

    /// Every call of a step that the chapter's log has not counted yet.
    pub(super) fn work_of(&self, step: StepId) -> Result<Work, Failure> {
        let reader = self.reader()?;
        let counted = match step {
            StepId::Chapter(chapter, _) => {
                let bindings =
                    Document::<Bindings>::load(&reader, &layout::staged_bindings(chapter))?;
                bindings.map(|bindings| bindings.get().stages.clone())
            }
            StepId::Volume(..) | StepId::Quickstart(_) => None,
        };
        let stages = ledger::uncounted(&reader, step, &counted.unwrap_or_default())?;
        Ok(Work {
            stages,
            warnings: Vec::new(),
        })
    }

    fn reject(&mut self, step: StepId, judge: JudgeRole, failure: Failure) -> Event {
        let explain = failure.explain();
        let why = explain.message();
        self.runner
            .watch
            .event(&WatchEvent::Failed { step, why: &why });
        let problems = explain.problems().to_vec();
        let reasons: Vec<String> = problems
            .iter()
            .map(|problem| format!("{}: {}", problem.location(), problem.message))
            .collect();
        if let Some(answer) = self.answers.remove(judge_key(judge))
            && let Err(failure) = ledger::reject(self.writer, step, &answer.id, &reasons)
        {
            return self.write_failed(failure);
        }
        self.problems.insert(judge_key(judge), problems);
        self.failure = Some(failure);
        Event::Rejected
    }

    /// The text `submit` takes. Structured answers are taken out of whatever surrounds them, and
    /// what only the program knows is filled in.
    fn usable_text(
        &mut self,
        step: StepId,
        judge: JudgeRole,
        answer: &Recorded,
    ) -> Result<String, Failure> {
        let output = Agent::from_name(&answer.agent).map(prompt::output);
        let Some(prompt::Output::Json { schema, .. }) = output else {
            return Ok(strip_wrapping(&answer.text).to_owned());
        };
        let (value, repairs) = extract_json(&answer.text).map_err(|error| {
            let path = layout::call(step, &answer.id);
            let text = novel_model::Explain::message(&error);
            Rejected::new(step, vec![Problem::new("not_json", &path, text)])
        })?;
        if !repairs.is_empty() {
            self.warnings.push(Warning::new(
                "answer_repaired",
                message!(
                    en: "the answer of {step} was not valid JSON and was repaired",
                    zh: "{step} 的回答不是合法 JSON，已修复"
                ),
            ));
        }
        let value = drop_optional_nulls(&schema, value);
        let value = match step {
            StepId::Chapter(chapter, ChapterStage::Summarize) => {
                let last_try = self.problems.contains_key(judge_key(judge));
                self.complete_summary(chapter, value, last_try)?
            }
            StepId::Chapter(chapter, ChapterStage::Judge) => {
                with_key(value, "chapter", json!(chapter))
            }
            _ => value,
        };
        Ok(to_json_text(&value))
    }

    /// Chapter, line and base version are the program's; ops that can not be used are left out on
    /// the last try, so that the chapter goes on.
    fn complete_summary(
        &mut self,
        chapter: ChapterNo,
        value: Value,
        last_try: bool,
    ) -> Result<Value, Failure> {
        let reader = self.reader()?;
        let checkpoint = crate::read_checkpoint(&reader)?;
        let volume = checkpoint.get().current_volume;
        let contract =
            Document::<ChapterContract>::load(&reader, &layout::contract(volume, chapter))?;
        let line = contract.map(|contract| contract.get().storyline_id.clone());
        let version = Document::<StoryState>::load(&reader, &layout::state())?
            .map_or(0, |state| state.get().state_version);
        let mut value = value;
        let usable = value.pointer("/delta/ops").is_some_and(Value::is_array);
        if last_try && !usable && value.is_object() {
            value["delta"] = json!({"ops": []});
            self.lost_ops = Some(chapter);
        }
        if value.get("delta").is_some_and(Value::is_object) {
            value["delta"] = with_key(value["delta"].take(), "base_state_version", json!(version));
            value["delta"] = with_key(value["delta"].take(), "chapter", json!(chapter));
            if let Some(line) = &line {
                value["delta"] = with_key(value["delta"].take(), "storyline_id", json!(line));
            }
        }
        if let (Some(line), true) = (&line, value.get("crossref").is_some_and(Value::is_object)) {
            value["crossref"] = with_key(value["crossref"].take(), "storyline_id", json!(line));
        }
        Ok(value)
    }

    /// Remembers a chapter that went on without ops, once; from the third on the author is told.
    fn note_lost_ops(&mut self, chapter: ChapterNo) -> Result<(), Failure> {
        let entry = json!({"action": "state_rebuild", "chapter": chapter});
        let mut checkpoint = crate::read_checkpoint(&self.reader()?)?;
        checkpoint.edit(|checkpoint| {
            if !checkpoint.pending_actions.contains(&entry) {
                checkpoint.pending_actions.push(entry);
            }
        });
        let lost = checkpoint
            .get()
            .pending_actions
            .iter()
            .filter(|action| action.get("action") == Some(&json!("state_rebuild")))
            .count();
        let n = chapter.get();
        self.warnings.push(Warning::new(
            "ops_lost",
            message!(
                en: "the state ops of chapter {n} could not be read; the chapter goes on without them",
                zh: "第 {n} 章的状态操作无法解析，本章不带状态变更继续"
            ),
        ));
        if lost >= MANY_LOST_OPS {
            self.warnings.push(Warning::new(
                "state_rebuild_due",
                message!(
                    en: "{lost} chapters have no state ops: rebuild the state by adding what they changed to state/current-state.json; the next commit records it",
                    zh: "已有 {lost} 章缺少状态操作：请把这些章的变化补进 state/current-state.json 以重建状态，下次提交会记录"
                ),
            ));
        }
        self.save_checkpoint(checkpoint, "ops-lost")
    }

    /// Records a write outside the boundary.
    pub(super) fn audit(&mut self, failure: &Failure) {
        let details = failure.explain().details(novel_model::Lang::En);
        let Some(Value::Array(writes)) = details.get("foreign_writes") else {
            return;
        };
        let now = self.runner.project.now().to_string();
        let mut txn = self.writer.begin(TxnLabel::new(TxnKind::Call, "audit"));
        for write in writes {
            let line = json!({"time": now, "event": "write_boundary", "write": write});
            txn.append(layout::audit(), format!("{line}\n"));
        }
        if let Err(error) = txn.commit() {
            self.failure = Some(error.into());
        }
    }
}

/// Whether the fault lies with the answer, not with the project or the disk.
fn is_about_the_answer(failure: &Failure) -> bool {
    let explain = failure.explain();
    explain.kind() == Kind::Input && explain.code() == "VALIDATION_FAILED"
}

/// The object with one key set; anything else is left as it is and refused by the validator.
fn with_key(mut value: Value, key: &str, content: Value) -> Value {
    if let Some(object) = value.as_object_mut() {
        object.insert(key.to_owned(), content);
    }
    value
}

/// Prose without a reasoning block before it and without a code fence around it.
fn strip_wrapping(text: &str) -> &str {
    let text = match text.split_once("</think>") {
        Some((before, after)) if before.trim_start().starts_with("<think>") => after,
        _ => text,
    };
    let text = text.trim();
    let Some(inner) = text
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"))
    else {
        return text;
    };
    inner
        .split_once('\n')
        .map_or(inner, |(_, body)| body)
        .trim()
}
