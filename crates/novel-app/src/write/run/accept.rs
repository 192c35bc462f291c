//! Accepting answers: out of the model's text, through `submit`, past `advance`.

use novel_book::{
    believe::{
        Hearing,
        facts::Known,
        record::{FACTS_CUT, LackingRecord},
        verdict,
    },
    config::ExecutorKind,
    edit::{Changes, Edit},
    run::{Event, Task},
    scenes::Part,
    validate::{self, Rejected},
};
use novel_llm::{Repair, drop_optional_nulls, extract_json};
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, Explain, FileError, Lang, Problem, StepId,
    VolumeNo, VolumeStage, Warning,
    files::{ChapterContract, Evaluation, JudgeRole, StoryState},
    layout, message, to_json_text,
};
use novel_prompt::prompt::{self, Agent};
use novel_story::plan;
use novel_text::without_talk;
use serde_json::{Value, json};

use super::{Drive, StopCause, ask::judge_key, work_of};
use crate::{
    BookError, StepError,
    executor::AgentError,
    runner::{
        Extent, WatchEvent, audit,
        ledger::{self, Recorded, put_away},
    },
    write::advance::{self, Work},
    write::submit::{self, Origin},
    write::volume,
};

/// An answer as `submit` takes it.
struct Usable {
    origin: Origin,
    text: String,
    hints: Option<String>,
    warnings: Vec<Warning>,
    /// A fault of the answer itself, told with whatever else is wrong: a length out of the author's bounds, a list
    /// that was cut.
    fault: Option<Problem>,
    /// The calls that led to it, with the mark of those whose answer is not used.
    calls: Vec<Recorded>,
}

impl Usable {
    /// Counts the answer to the re-ask as refused: this one, which was sent back, is used in its place.
    fn in_the_place_of(mut self, last: &Recorded, failure: &BookError) -> Self {
        self.calls.push(Recorded {
            rejected: Some(reasons(failure.problems())),
            ..last.clone()
        });
        self
    }
}

/// What accepting the answers of a step changes; not made yet.
struct Acceptance {
    changes: Changes,
    warnings: Vec<Warning>,
}

/// The judge whose answer cannot be accepted, and why.
struct Refused(JudgeRole, BookError);

impl Refused {
    fn by<E: Into<BookError>>(judge: JudgeRole) -> impl Fn(E) -> Self {
        move |error| Self(judge, error.into())
    }
}

impl Drive<'_> {
    /// Hands the answers in and moves the checkpoint, in one transaction. An answer that is not
    /// valid is marked in the ledger, so that it is not used again; a sound one beside it stays.
    pub(super) fn accept(&mut self, task: Task) -> Event {
        let step = task.step;
        if task.part != Part::Whole {
            return self.accept_part(task);
        }
        if let StepId::Volume(_, VolumeStage::Commit) = step {
            let work = Work::default();
            let report = advance::accept_outputs(self.runner.project, self.writer, step, work);
            let made = report
                .map(|report| report.warnings)
                .map_err(StopCause::from);
            return self.accepted(step, Extent::Whole, made);
        }
        let book = match self.reader() {
            Ok(reader) => reader,
            Err(error) => return self.write_failed(error),
        };
        let usable = match self.usable(&book, step) {
            Ok(usable) => usable,
            Err(event) => return event,
        };
        let extent = match self.extent(&book, step) {
            Ok(extent) => extent,
            Err(error) => return self.write_failed(error),
        };
        let Acceptance {
            mut changes,
            warnings,
        } = match self.acceptance(&book, step, usable) {
            Ok(acceptance) => acceptance,
            Err(Refused(judge, failure)) if failure.is_rejected() => {
                match self.first_answer(&book, step, judge, &failure) {
                    Ok(Some(acceptance)) => acceptance,
                    Ok(None) => return self.reject_verdicts(&book, step, judge, failure),
                    Err(failure) => return self.write_failed(failure),
                }
            }
            Err(Refused(_, error)) => return self.write_failed(error),
        };
        let put_away = match step {
            // What enters the book now. The answers of a chapter or a plan stay until it is committed.
            StepId::Chapter(_, ChapterStage::Review | ChapterStage::Audit)
            | StepId::Volume(_, VolumeStage::Review)
            | StepId::Quickstart(_) => put_away::step(&book, step),
            StepId::Chapter(..) | StepId::Volume(..) => Ok(Changes::default()),
        };
        match put_away {
            Ok(put_away) => changes.extend(put_away),
            Err(error) => return self.write_failed(error),
        }
        let label = match completes_plan(&book, step, extent, &changes) {
            Ok(Some(volume)) => volume::plan_label(volume),
            Ok(None) => advance::label(step),
            Err(error) => return self.write_failed(error),
        };
        let made = self.runner.project.write(self.writer, label, changes);
        self.accepted(
            step,
            extent,
            made.map(|_| warnings).map_err(StopCause::from),
        )
    }

    /// How much of a step the answer to it will be: a large volume is planned in parts.
    fn extent(&self, book: &dyn BookReader, step: StepId) -> Result<Extent, StepError> {
        let StepId::Volume(volume, VolumeStage::Plan) = step else {
            return Ok(Extent::Whole);
        };
        let project = self.runner.project;
        let span = volume::span(&project.view(book)?, volume)?;
        Ok(if span.last == span.volume_last {
            Extent::Whole
        } else {
            Extent::Chapters(span.first, span.last)
        })
    }

    pub(super) fn accepted(
        &mut self,
        step: StepId,
        extent: Extent,
        made: Result<Vec<Warning>, StopCause>,
    ) -> Event {
        match made {
            Ok(warnings) => self.warnings.extend(warnings),
            Err(error) => return self.write_failed(error),
        }
        if let StepId::Chapter(chapter, ChapterStage::Audit) = step {
            self.unrevised = Some(chapter);
        }
        if let StepId::Volume(..) | StepId::Quickstart(_) = step
            && extent != Extent::Newcomers
        {
            self.steps.push(step);
        }
        let event = WatchEvent::Accepted { step, extent };
        self.runner.watch.event(&event);
        if let StepId::Chapter(chapter, ChapterStage::Judge) = step
            && let Err(failure) = self.tell_verdict(chapter)
        {
            return self.write_failed(failure);
        }
        Event::Accepted
    }

    /// Shows the verdict that was accepted, with the gate's decision.
    fn tell_verdict(&self, chapter: ChapterNo) -> Result<(), BookError> {
        let path = layout::staged_evaluation(chapter);
        if let Some(evaluation) = Document::<Evaluation>::load(&self.reader()?, &path)? {
            self.runner.watch.event(&WatchEvent::Judged {
                evaluation: evaluation.get(),
            });
        }
        Ok(())
    }

    /// The answers of all judges. Each bad one is marked before any is handed in, so that all of
    /// them are asked for again in the same try.
    fn usable(&mut self, book: &dyn BookReader, step: StepId) -> Result<Vec<Usable>, Event> {
        let (mut usable, mut rejected) = (Vec::new(), None);
        for judge in [JudgeRole::Primary, JudgeRole::Secondary] {
            let Some(answer) = self.answers.get(judge_key(judge)) else {
                continue;
            };
            match self.usable_answer(book, step, judge, answer) {
                Ok(answer) => usable.push(answer),
                Err(failure) if failure.is_rejected() => {
                    // An answer to the re-ask that is none leaves what was said before.
                    let earlier = self.earlier.get(judge_key(judge));
                    let earlier = earlier
                        .and_then(|earlier| self.usable_answer(book, step, judge, earlier).ok());
                    match earlier {
                        Some(earlier) => {
                            usable.push(earlier.in_the_place_of(answer, &failure));
                        }
                        None => rejected = Some(self.reject(step, judge, failure)),
                    }
                }
                Err(error) => return Err(self.write_failed(error)),
            }
        }
        let Some(mut event) = rejected else {
            return Ok(usable);
        };
        for answer in usable {
            if let Some(other) = self.reject_untold(book, step, answer.origin.judge) {
                event = other;
            }
        }
        Err(event)
    }

    /// Works out what accepting the answers changes.
    fn acceptance(
        &self,
        reader: &dyn BookReader,
        step: StepId,
        usable: Vec<Usable>,
    ) -> Result<Acceptance, Refused> {
        let project = self.runner.project;
        let mut book = Edit::on(reader);
        let (mut warnings, mut calls) = (Vec::new(), Vec::new());
        for answer in usable {
            let judge = answer.origin.judge;
            let view = project.view(&book).map_err(Refused::by(judge))?;
            let (text, origin) = (answer.text.as_bytes(), &answer.origin);
            let handed = submit::hand_in(&view, step, text, origin).map_err(BookError::from);
            let (handed, report) =
                with_fault(step, handed, answer.fault).map_err(Refused::by(judge))?;
            drop(view);
            book.extend(handed);
            if let (Some(hints), StepId::Chapter(chapter, ChapterStage::Draft)) =
                (answer.hints, step)
            {
                book.write(layout::staged_hints(chapter), hints);
            }
            warnings.extend(answer.warnings);
            warnings.extend(report.warnings);
            calls.extend(answer.calls);
        }
        for call in &calls {
            if let Some(reasons) = &call.rejected {
                let path = layout::rejected_call(step, &call.id);
                book.write(path, ledger::rejection(&call.id, reasons));
            }
        }
        let first = JudgeRole::Primary;
        let mut work =
            work_of(&book, step, calls.iter(), self.writer).map_err(Refused::by(first))?;
        for warning in &warnings {
            if !work.warnings.iter().any(|code| code == warning.code) {
                work.warnings.push(warning.code.to_owned());
            }
        }
        let view = project.view(&book).map_err(Refused::by(first))?;
        let (accepted, report) =
            advance::acceptance(&view, step, work).map_err(Refused::by(first))?;
        drop(view);
        book.extend(accepted);
        // Acceptance looks at the same outputs as the hand-in and finds the same.
        for warning in report.warnings {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        Ok(Acceptance {
            changes: book.into_changes(),
            warnings,
        })
    }

    /// Sends the answer of `judge` back, and with it the other judge's where it has faults that were
    /// not told yet: a step has one re-ask, in which everybody hears everything.
    fn reject_verdicts(
        &mut self,
        book: &dyn BookReader,
        step: StepId,
        judge: JudgeRole,
        failure: BookError,
    ) -> Event {
        let event = self.reject(step, judge, failure);
        let other = match judge {
            JudgeRole::Primary => JudgeRole::Secondary,
            JudgeRole::Secondary => JudgeRole::Primary,
        };
        self.reject_untold(book, step, other).unwrap_or(event)
    }

    /// Sends the answer of `judge` back if it has faults that were not told yet.
    fn reject_untold(
        &mut self,
        book: &dyn BookReader,
        step: StepId,
        judge: JudgeRole,
    ) -> Option<Event> {
        if self.problems.contains_key(judge_key(judge)) {
            return None;
        }
        let answer = self.answers.get(judge_key(judge))?;
        let handed = self
            .usable_answer(book, step, judge, answer)
            .and_then(|answer| {
                let view = self.runner.project.view(book)?;
                submit::hand_in(&view, step, answer.text.as_bytes(), &answer.origin)?;
                Ok(())
            });
        match handed {
            Err(failure) if failure.is_rejected() => Some(self.reject(step, judge, failure)),
            // Nothing is wrong with it, or nothing that another answer would mend.
            Ok(()) | Err(_) => None,
        }
    }

    pub(super) fn reject<E>(&mut self, step: StepId, judge: JudgeRole, error: E) -> Event
    where
        E: Explain + Into<StopCause>,
    {
        let why = error.message();
        self.runner
            .watch
            .event(&WatchEvent::Failed { step, why: &why });
        let problems = error.problems().to_vec();
        let reasons = reasons(&problems);
        if let Some(answer) = self.answers.remove(judge_key(judge)) {
            if let Err(failure) = ledger::reject(self.writer, step, &answer.id, &reasons) {
                return self.write_failed(failure);
            }
            self.earlier.entry(judge_key(judge)).or_insert(answer);
        }
        self.problems.insert(judge_key(judge), problems);
        self.cause = Some(error.into());
        Event::Rejected
    }

    /// Structured answers are taken out of whatever surrounds them, and what only the program knows
    /// is filled in.
    fn usable_answer(
        &self,
        book: &dyn BookReader,
        step: StepId,
        judge: JudgeRole,
        answer: &Recorded,
    ) -> Result<Usable, BookError> {
        let mut usable = Usable {
            origin: Origin {
                judge,
                model: Some(answer.model.clone()),
                // A program gives the same answer again.
                hearing: if self.problems.contains_key(judge_key(judge))
                    || self.runner.executor.kind() == ExecutorKind::Offline
                {
                    Hearing::Last
                } else {
                    Hearing::First
                },
            },
            text: String::new(),
            hints: answer.hints.clone(),
            warnings: Vec::new(),
            fault: None,
            calls: vec![Recorded {
                rejected: None,
                ..answer.clone()
            }],
        };
        let output = Agent::from_name(&answer.agent).map(prompt::output);
        let Some(prompt::Output::Json { schema, .. }) = output else {
            strip_wrapping(&answer.text).clone_into(&mut usable.text);
            usable.fault = self.length_problem(step, judge, answer, &usable.text);
            return Ok(usable);
        };
        let Structured {
            mut value,
            repaired,
            is_cut,
        } = object_in(step, answer, &schema)?;
        usable.warnings.extend(repaired);
        match step {
            StepId::Chapter(chapter, ChapterStage::Summarize) => {
                // Claims come after the facts, and nobody asks for more of them.
                let has_facts = value.pointer("/delta/ops").is_some_and(Value::is_array)
                    && value.get("claims").is_none();
                if is_cut && has_facts && usable.origin.hearing == Hearing::First {
                    usable.fault = Some(facts_cut(chapter));
                }
                if let Some((said, lacking)) = self.record_lacking(chapter, judge) {
                    let said = drop_optional_nulls(&schema, said);
                    let volume = crate::read_checkpoint(book)?.get().current_volume;
                    let known = Known::load(book, volume)?;
                    value = lacking.completed(&said, &value, &known);
                }
                let lang = self.runner.project.config().lang();
                value = complete_summary(book, chapter, value, lang)?;
            }
            StepId::Chapter(chapter, ChapterStage::Judge) => {
                if let Some(said) = self.said_so_far(judge) {
                    let text = book.text(&layout::staged_chapter(chapter))?;
                    let said = drop_optional_nulls(&schema, said);
                    value = verdict::completed(&said, &value, &text.unwrap_or_default());
                }
                value = with_key(value, "chapter", json!(chapter));
                let path = layout::staged_evaluation(chapter);
                Document::<Evaluation>::from_value(&path, value.clone())
                    .map_err(|broken| Rejected::new(step, Explain::problems(&broken).to_vec()))?;
            }
            _ => {}
        }
        usable.text = to_json_text(&value);
        Ok(usable)
    }

    /// What is told once of a draft whose length is out of the author's bounds. What comes then is taken
    /// as it is, with a warning.
    fn length_problem(
        &self,
        step: StepId,
        judge: JudgeRole,
        answer: &Recorded,
        text: &str,
    ) -> Option<Problem> {
        let StepId::Chapter(chapter, ChapterStage::Draft) = step else {
            return None;
        };
        if self.problems.contains_key(judge_key(judge)) {
            return None;
        }
        let path = layout::call(step, &answer.id);
        let config = self.runner.project.config();
        validate::length_problem(&path, without_talk(text).text, chapter, config)
    }

    /// The answers with the first one of a judge in the place of its last, where that can be accepted:
    /// an answer to a re-ask may be worse than what it was to mend.
    fn first_answer(
        &self,
        book: &dyn BookReader,
        step: StepId,
        judge: JudgeRole,
        failure: &BookError,
    ) -> Result<Option<Acceptance>, BookError> {
        let Some(earlier) = self.earlier.get(judge_key(judge)) else {
            return Ok(None);
        };
        let mut usable = Vec::new();
        for role in [JudgeRole::Primary, JudgeRole::Secondary] {
            let answer = if role == judge {
                Some(earlier)
            } else {
                self.answers.get(judge_key(role))
            };
            let Some(answer) = answer else { continue };
            match self.usable_answer(book, step, role, answer) {
                Ok(answer) => match self.answers.get(judge_key(role)) {
                    Some(last) if role == judge => {
                        usable.push(answer.in_the_place_of(last, failure));
                    }
                    _ => usable.push(answer),
                },
                Err(failure) if failure.is_rejected() => return Ok(None),
                Err(failure) => return Err(failure),
            }
        }
        match self.acceptance(book, step, usable) {
            Ok(mut acceptance) => {
                acceptance.warnings.push(Warning::new(
                    "first_answer_used",
                    message!(
                        en: "the second answer to {step} was no better; the usable part of the first one was kept",
                        zh: "{step} 的第二次回答并不更好，已采用第一次回答中可用的部分"
                    ),
                ));
                Ok(Some(acceptance))
            }
            Err(Refused(_, failure)) if failure.is_rejected() => Ok(None),
            Err(Refused(_, failure)) => Err(failure),
        }
    }

    /// What a judge or the summarizer said in the answer that was sent back.
    pub(super) fn said_so_far(&self, judge: JudgeRole) -> Option<Value> {
        let earlier = self.earlier.get(judge_key(judge))?;
        let (value, _) = extract_json(&earlier.text).ok()?;
        value.is_object().then_some(value)
    }

    /// The record of a chapter that was sent back, and what it lacks.
    pub(super) fn record_lacking(
        &self,
        chapter: ChapterNo,
        judge: JudgeRole,
    ) -> Option<(Value, LackingRecord)> {
        let said = self.said_so_far(judge)?;
        let problems = self.problems.get(judge_key(judge))?;
        let lacking = LackingRecord::of(&said, problems, chapter)?;
        Some((said, lacking))
    }

    /// Records a write outside the boundary.
    pub(super) fn audit(&self, error: &AgentError) -> Result<(), BookError> {
        let AgentError::Boundary(violation) = error else {
            return Ok(());
        };
        let lines = violation
            .audit()
            .into_iter()
            .map(|write| json!({"event": "write_boundary", "write": write}));
        audit(self.runner.project, self.writer, lines.collect())
    }
}

/// The volume whose plan is whole with these changes, people included.
fn completes_plan(
    book: &dyn BookReader,
    step: StepId,
    extent: Extent,
    changes: &Changes,
) -> Result<Option<VolumeNo>, StepError> {
    let StepId::Volume(volume, VolumeStage::Plan) = step else {
        return Ok(None);
    };
    if extent != Extent::Whole {
        return Ok(None);
    }
    let mut planned = Edit::on(book);
    planned.extend(changes.clone());
    Ok((!plan::is_unwoven(&planned, volume)?).then_some(volume))
}

/// What the mark of a refused answer says of each problem.
fn reasons(problems: &[Problem]) -> Vec<String> {
    problems
        .iter()
        .map(|problem| format!("{}: {}", problem.location(), problem.message))
        .collect()
}

/// A structured answer.
pub(super) struct Structured {
    pub(super) value: Value,
    /// Whether it was repaired.
    pub(super) repaired: Option<Warning>,
    /// Whether it was cut within a list, and not because it went round.
    is_cut: bool,
}

/// The JSON of a structured answer, out of whatever surrounds it.
pub(super) fn object_in(
    step: StepId,
    answer: &Recorded,
    schema: &Value,
) -> Result<Structured, Rejected> {
    let (value, repairs) = extract_json(&answer.text).map_err(|error| {
        let path = layout::call(step, &answer.id);
        let text = novel_model::Explain::message(&error);
        Rejected::new(step, vec![Problem::new("not_json", &path, text)])
    })?;
    let repaired = if repairs.contains(&Repair::LeftOutRepeats) {
        Some(Warning::new(
            "answer_repeats",
            message!(
                en: "the answer of {step} went round in circles; what it repeated was left out",
                zh: "{step} 的回答陷入循环，重复的部分已舍去"
            ),
        ))
    } else {
        (!repairs.is_empty()).then(|| {
            Warning::new(
                "answer_repaired",
                message!(
                    en: "the answer to {step} was not valid JSON and was repaired",
                    zh: "{step} 的回答不是合法 JSON，已修复"
                ),
            )
        })
    };
    Ok(Structured {
        value: drop_optional_nulls(schema, value),
        repaired,
        is_cut: repairs.contains(&Repair::CutList),
    })
}

/// A list of facts that was cut: what came before the cut stands, and the rest is asked for.
fn facts_cut(chapter: ChapterNo) -> Problem {
    Problem::new(
        FACTS_CUT,
        &layout::staged_delta(chapter),
        message!(
            en: "the record was cut at the limit of tokens, before the end of its list of ops",
            zh: "记录在 token 上限处被截断，变化没有列完"
        ),
    )
    .at("/delta/ops")
}

/// What came of handing an answer in, where a fault of the answer itself has to be mended too: a step has one
/// re-ask, in which everything is told.
fn with_fault<T>(
    step: StepId,
    handed: Result<T, BookError>,
    fault: Option<Problem>,
) -> Result<T, BookError> {
    let Some(fault) = fault else {
        return handed;
    };
    let mut problems = match handed {
        Ok(_) => Vec::new(),
        Err(failure) if failure.is_rejected() => failure.problems().to_vec(),
        Err(failure) => return Err(failure),
    };
    problems.push(fault);
    Err(Rejected::new(step, problems).into())
}

/// Chapter, line, base version and the form of the files are the program's.
fn complete_summary(
    book: &dyn BookReader,
    chapter: ChapterNo,
    value: Value,
    lang: Lang,
) -> Result<Value, FileError> {
    let checkpoint = crate::read_checkpoint(book)?;
    let volume = checkpoint.get().current_volume;
    let contract = Document::<ChapterContract>::load(book, &layout::contract(volume, chapter))?;
    let line = contract.map(|contract| contract.get().storyline_id.clone());
    let version = Document::<StoryState>::load(book, &layout::state())?
        .map_or(0, |state| state.get().state_version);
    let line = line.as_ref();
    Ok(submit::completed_summary(
        value, chapter, line, version, lang,
    ))
}

/// The object with one key set; anything else is left as it is and refused by the validator.
pub(super) fn with_key(mut value: Value, key: &str, content: Value) -> Value {
    if let Some(object) = value.as_object_mut() {
        object.insert(key.to_owned(), content);
    }
    value
}

/// Prose without a reasoning block before it and without a code fence around it.
pub(crate) fn strip_wrapping(text: &str) -> &str {
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
