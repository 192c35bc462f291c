//! Accepting answers: out of the model's text, through `submit`, past `advance`.

use novel_engine::{
    prompt::{self, Agent},
    run::{Event, Task},
    validate::Rejected,
};
use novel_llm::{drop_optional_nulls, extract_json};
use novel_model::{
    ChapterNo, ChapterStage, Document, Failure, Kind, Problem, StepId, Warning,
    files::{ChapterContract, JudgeRole, StageLog, StoryState},
    layout, message, to_json_text,
};
use novel_store::{TxnKind, TxnLabel};
use serde_json::{Value, json};

use super::{
    Drive, WatchEvent,
    ask::{judge_key, stage_log},
    ledger::{self, Recorded},
};
use crate::{
    advance::advance_with,
    submit::{Origin, submit_with},
};

/// Chapters without usable ops after which the author is asked to rebuild the state.
const MANY_LOST_OPS: usize = 3;

impl Drive<'_> {
    /// Hands the answers in and moves the checkpoint. An answer that is not valid is marked in the
    /// ledger, so that it is not used again.
    pub(super) fn accept(&mut self, task: Task) -> Event {
        match self.try_accept(task) {
            Ok(()) => Event::Accepted,
            Err(failure) if is_about_the_answer(&failure) => {
                let why = failure.explain().message();
                self.runner.watch.event(&WatchEvent::Failed {
                    step: task.step,
                    why: &why,
                });
                self.problems = failure.explain().problems().to_vec();
                match self.reject_answers(task.step, &failure) {
                    Ok(()) => {
                        self.failure = Some(failure);
                        Event::Rejected
                    }
                    Err(failure) => self.write_failed(failure),
                }
            }
            Err(failure) => self.write_failed(failure),
        }
    }

    fn try_accept(&mut self, task: Task) -> Result<(), Failure> {
        let mut work: Vec<StageLog> = Vec::new();
        for judge in [JudgeRole::Primary, JudgeRole::Secondary] {
            let Some(answer) = self.answers.get(judge_key(judge)).cloned() else {
                continue;
            };
            let text = self.usable_text(task.step, &answer)?;
            let origin = Origin {
                judge,
                model: Some(answer.model.clone()),
            };
            let report = submit_with(
                self.runner.project,
                self.writer,
                task.step,
                text.as_bytes(),
                &origin,
            )?;
            self.warnings.extend(report.warnings);
            work.push(stage_log(&answer));
        }
        let report = advance_with(self.runner.project, self.writer, task.step, work)?;
        self.warnings.extend(report.warnings);
        Ok(())
    }

    fn reject_answers(&self, step: StepId, failure: &Failure) -> Result<(), Failure> {
        let reasons: Vec<String> = failure
            .explain()
            .problems()
            .iter()
            .map(|problem| format!("{}: {}", problem.location(), problem.message))
            .collect();
        for answer in self.answers.values() {
            ledger::reject(self.writer, step, &answer.id, &reasons)?;
        }
        Ok(())
    }

    /// The text `submit` takes. Structured answers are taken out of whatever surrounds them, and
    /// what only the program knows is filled in.
    fn usable_text(&mut self, step: StepId, answer: &Recorded) -> Result<String, Failure> {
        let StepId::Chapter(chapter, stage) = step else {
            return Ok(answer.text.clone());
        };
        match stage {
            ChapterStage::Summarize | ChapterStage::Judge => {}
            _ => return Ok(strip_wrapping(&answer.text).to_owned()),
        }
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
        let value = match prompt::output(stage_agent(stage)) {
            prompt::Output::Json { schema, .. } => drop_optional_nulls(&schema, value),
            prompt::Output::Markdown => value,
        };
        let value = match stage {
            ChapterStage::Summarize => self.complete_summary(chapter, value)?,
            _ => with_key(value, "chapter", json!(chapter)),
        };
        Ok(to_json_text(&value))
    }

    /// Chapter, line and base version are the program's; ops that can not be used are left out on
    /// the last try, so that the chapter goes on.
    fn complete_summary(&mut self, chapter: ChapterNo, value: Value) -> Result<Value, Failure> {
        let reader = self.reader()?;
        let checkpoint = crate::read_checkpoint(&reader)?;
        let volume = checkpoint.get().current_volume;
        let contract =
            Document::<ChapterContract>::load(&reader, &layout::contract(volume, chapter))?;
        let line = contract.map(|contract| contract.get().storyline_id.clone());
        let version = Document::<StoryState>::load(&reader, &layout::state())?
            .map_or(0, |state| state.get().state_version);
        let mut value = value;
        let last_try = !self.problems.is_empty();
        let usable = value.pointer("/delta/ops").is_some_and(Value::is_array);
        if last_try && !usable && value.is_object() {
            value["delta"] = json!({"ops": []});
            self.note_lost_ops(chapter, &checkpoint)?;
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

    /// Remembers a chapter that went on without ops; from the third on the author is asked to act.
    fn note_lost_ops(
        &mut self,
        chapter: ChapterNo,
        checkpoint: &Document<novel_model::files::Checkpoint>,
    ) -> Result<(), Failure> {
        let mut checkpoint = checkpoint.clone();
        checkpoint.edit(|checkpoint| {
            checkpoint
                .pending_actions
                .push(json!({"action": "state_rebuild", "chapter": chapter}));
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
                    en: "{lost} chapters have no state ops; run `novel state rebuild`",
                    zh: "已有 {lost} 章缺少状态操作，请运行 `novel state rebuild`"
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

const fn stage_agent(stage: ChapterStage) -> Agent {
    match stage {
        ChapterStage::Summarize => Agent::Summarizer,
        ChapterStage::Judge => Agent::QualityJudge,
        _ => Agent::ChapterWriter,
    }
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
