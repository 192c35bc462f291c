//! An executor that answers as it is told: by default with sound work and good scores.

use std::{
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use novel_app::{
    Project,
    executor::{AgentAnswer, AgentCall, AgentError, CommandError, Executor, Sign},
    runner::PacketError,
    write::instructions::{self, Save},
};
use novel_book::{
    believe::verdict::Contracts,
    config::{Config, ExecutorKind},
};
use novel_llm::{CancelToken, Usage};
use novel_model::{
    BookReader, ChapterStage, StepId,
    files::{JudgeRole, Packet},
    layout,
};
use novel_offline::OfflineBook;
use novel_prompt::{
    packet::PacketMode,
    prompt::{Level, Role},
};
use novel_store::{LockStatus, Store};
use novel_text::Locator;
use serde_json::{Value, json};

use super::book::Book;

/// One call, as the executor saw it.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) chapter: u32,
    pub(crate) stage: ChapterStage,
    /// `draft`, `revise`, `summarize`, `refine`, `polish`, `judge`.
    pub(crate) work: String,
    pub(crate) judge: JudgeRole,
    /// Which call for this step and judge, from one.
    pub(crate) nth: usize,
    pub(crate) model: String,
    pub(crate) system: String,
    pub(crate) user: String,
    pub(crate) sections: Vec<(Level, String, String)>,
    /// The checkpoint at that moment.
    pub(crate) checkpoint: Value,
    /// Chapter in the lock's `info.json`; `None` when the lock was not held.
    pub(crate) lock_chapter: Option<Option<u32>>,
}

/// What the executor does with a call.
pub(crate) enum Reply {
    Text(String),
    Answer(AgentAnswer),
    Fails,
    /// The process ends in the middle of the call.
    Dies,
}

type Rule = dyn Fn(&Call, &str) -> Option<Reply> + Send + Sync;

/// The scripted executor.
pub(crate) struct Script {
    store: Store,
    config: Config,
    rule: Box<Rule>,
    calls: Mutex<Vec<Call>>,
}

impl Script {
    /// Everything as it should be.
    pub(crate) fn plain(book: &Book) -> Self {
        Self::new(book, |_, _| None)
    }

    /// The rule gets the call and the sound answer to it.
    pub(crate) fn new(
        book: &Book,
        rule: impl Fn(&Call, &str) -> Option<Reply> + Send + Sync + 'static,
    ) -> Self {
        Self {
            store: book.store.clone(),
            config: book.project().config().clone(),
            rule: Box::new(rule),
            calls: Mutex::default(),
        }
    }

    /// Judges give these scores, one round after another; the last one for all further rounds.
    pub(crate) fn scoring(book: &Book, scores: &'static [f64]) -> Self {
        Self::new(book, move |call, _| {
            (call.stage == ChapterStage::Judge).then(|| {
                let at = (call.nth - 1).min(scores.len() - 1);
                Reply::Text(verdict(scores[at]).to_string())
            })
        })
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    /// `draft 1`, `judge 1` and so on, in order.
    pub(crate) fn done(&self) -> Vec<String> {
        let name = |call: &Call| format!("{} {}", call.work, call.chapter);
        self.calls().iter().map(name).collect()
    }

    pub(crate) fn count(&self, work: &str) -> usize {
        self.calls().iter().filter(|call| call.work == work).count()
    }

    /// The only or the last call of that kind.
    pub(crate) fn last(&self, work: &str) -> Call {
        let calls = self.calls();
        calls
            .into_iter()
            .rev()
            .find(|call| call.work == work)
            .unwrap_or_else(|| panic!("no {work}"))
    }

    fn note(&self, call: &AgentCall<'_>) -> Call {
        let StepId::Chapter(chapter, stage) = call.step else {
            panic!("{}", call.step);
        };
        let work = match (stage, call.packet.agent.mode.as_deref()) {
            (ChapterStage::Draft, Some("revise")) => "revise",
            (ChapterStage::Draft, _) => "draft",
            (ChapterStage::Summarize, _) => "summarize",
            (ChapterStage::Refine, Some("polish")) => "polish",
            (ChapterStage::Refine, _) => "refine",
            (ChapterStage::Judge, _) => "judge",
            _ => panic!("{}", call.step),
        };
        let reader = self.store.reader().unwrap();
        let checkpoint =
            novel_model::BookReader::text(&reader, &".checkpoint.json".parse().unwrap());
        let sections = call.prompt.sections.iter();
        let mut calls = self.calls.lock().unwrap();
        let same = |earlier: &&Call| {
            (earlier.chapter, earlier.stage, earlier.judge) == (chapter.get(), stage, call.judge)
        };
        let noted = Call {
            chapter: chapter.get(),
            stage,
            work: work.to_owned(),
            judge: call.judge,
            nth: calls.iter().filter(same).count() + 1,
            model: call.model.to_owned(),
            system: call.prompt.text(Role::System),
            user: call.prompt.text(Role::User),
            sections: sections
                .map(|section| (section.level, section.name.clone(), section.text.clone()))
                .collect(),
            checkpoint: serde_json::from_str(&checkpoint.unwrap().unwrap()).unwrap(),
            lock_chapter: match self.store.lock_status().unwrap() {
                LockStatus::Held(holder) => Some(holder.info.and_then(|info| info.chapter)),
                _ => None,
            },
        };
        calls.push(noted.clone());
        noted
    }
}

impl Executor for Script {
    fn kind(&self) -> ExecutorKind {
        ExecutorKind::Llm
    }

    fn model_for(&self, roles: &[&str]) -> String {
        self.config
            .model_for(roles)
            .unwrap_or("scripted")
            .to_owned()
    }

    fn run(
        &self,
        call: &AgentCall<'_>,
        on_sign: &mut dyn FnMut(Sign),
        _cancel: &CancelToken,
    ) -> Result<AgentAnswer, AgentError> {
        let noted = self.note(call);
        let sound = sound_answer(&self.store.reader().unwrap(), &self.config, call.packet);
        let text = match (self.rule)(&noted, &sound) {
            None => sound,
            Some(Reply::Text(text)) => text,
            Some(Reply::Answer(answer)) => return Ok(answer),
            Some(Reply::Fails) => return Err(no_answer()),
            Some(Reply::Dies) => panic!("killed"),
        };
        let text = if noted.stage == ChapterStage::Judge {
            let reader = self.store.reader().unwrap();
            covered(&reader, noted.chapter, &text)
        } else {
            text
        };
        on_sign(Sign::Text(text.clone()));
        Ok(answer(&text, call.model))
    }
}

pub(crate) fn answer(text: &str, model: &str) -> AgentAnswer {
    AgentAnswer {
        text: text.to_owned(),
        raw: format!("raw:{text}"),
        hints: None,
        model: model.to_owned(),
        usage: Usage::default(),
        attempts: 1,
    }
}

/// What a good agent answers: the offline author's work, and 4.5 from every judge.
fn sound_answer(reader: &dyn BookReader, config: &Config, packet: &Packet) -> String {
    if packet.agent.name == "quality-judge" {
        let StepId::Chapter(chapter, _) = packet.step.parse().unwrap() else {
            panic!("{}", packet.step);
        };
        return covered(reader, chapter.get(), &verdict(4.5).to_string());
    }
    let book = OfflineBook { reader, config };
    novel_offline::answer(book, packet).unwrap()
}

/// The same for whoever only sees a request, which may be ahead of a book that is being written
/// down meanwhile. Step and answer are of one look, the first one at which the book stands at
/// `stage`: a commit that is being finished is the next step for a moment.
pub(crate) fn sound_answer_at(project: &Project, stage: ChapterStage) -> (StepId, String) {
    let begun = Instant::now();
    loop {
        let seen = project.look(|view| {
            let step = view.next()?.step;
            if !matches!(step, StepId::Chapter(_, now) if now == stage) {
                return Ok(Err(step));
            }
            let report = instructions::instructions(project, step, PacketMode::Paths, Save::Print)?;
            let text = sound_answer(view.reader(), project.config(), &report.packet);
            Ok::<_, PacketError>(Ok((step, text)))
        });
        if let Ok(Ok(answer)) = seen {
            return answer;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{seen:?}");
        thread::yield_now();
    }
}

/// A judge's answer with the same score in every dimension.
pub(crate) fn verdict(score: f64) -> Value {
    let dimensions = [
        "plot_logic",
        "character",
        "immersion",
        "foreshadowing",
        "pacing",
        "style_naturalness",
        "emotional_impact",
        "storyline_coherence",
    ];
    let scores: serde_json::Map<String, Value> = dimensions
        .iter()
        .map(|name| {
            let reason = format!("{name} 的理由");
            (
                (*name).to_owned(),
                json!({"score": score, "reason": reason}),
            )
        })
        .collect();
    json!({
        "chapter": 1,
        "contract_verification": {
            "l1_checks": [], "l2_checks": [], "l3_checks": [], "ls_checks": [],
        },
        "scores": scores,
        "overall": score,
        "recommendation": "pass",
        "risk_flags": [],
        "required_fixes": [],
        "issues": [],
        "strengths": [],
        "anti_ai": {"blacklist_update_suggestions": []},
    })
}

/// A verdict with what a test says nothing about: every contract it leaves out is kept, every score
/// quotes the chapter.
pub(crate) fn covered(reader: &dyn BookReader, chapter: u32, text: &str) -> String {
    let Ok(mut verdict) = serde_json::from_str::<Value>(text) else {
        return text.to_owned();
    };
    let number = chapter.to_string().parse().unwrap();
    let (Some(markdown), true) = (
        reader.text(&layout::staged_chapter(number)).unwrap(),
        verdict["contract_verification"].is_object(),
    ) else {
        return text.to_owned();
    };
    let volume = 1.to_string().parse().unwrap();
    if verdict["contract_verification"].get("passed").is_none() {
        let contracts = Contracts::load(reader, volume, number).unwrap();
        let ids: Vec<&String> = contracts.ids().collect();
        verdict["contract_verification"]["passed"] = json!(ids);
    }
    let locator = Locator::new(&markdown);
    let quoted = novel_text::sentences(&markdown)
        .into_iter()
        .find(|sentence| !sentence.starts_with('#') && locator.contains(sentence))
        .unwrap()
        .to_owned();
    let checks = ["l1_checks", "l2_checks", "l3_checks", "ls_checks"];
    for layer in checks {
        let list = verdict["contract_verification"][layer].as_array_mut();
        for check in list.into_iter().flatten() {
            let check = check.as_object_mut().unwrap();
            if check["status"] != "pass" {
                check.entry("evidence").or_insert_with(|| json!(quoted));
            }
        }
    }
    for score in verdict["scores"].as_object_mut().into_iter().flatten() {
        if let Some(score) = score.1.as_object_mut() {
            score.entry("evidence").or_insert_with(|| json!(quoted));
        }
    }
    verdict.to_string()
}

/// A violation of a world rule, on which the judge stakes its name.
pub(crate) fn violated(mut verdict: Value, confidence: &str) -> Value {
    verdict["contract_verification"]["l1_checks"] = json!([{
        "rule_id": "W-002", "status": "violation", "confidence": confidence,
        "detail": "信在退潮之后才投出，违反 W-002",
    }]);
    verdict
}

/// An agent that did not answer.
fn no_answer() -> AgentError {
    let program = "script".to_owned();
    CommandError::EmptyAnswer {
        program,
        said: None,
    }
    .into()
}
