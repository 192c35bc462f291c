//! What a person sees while chapters are written.
//!
//! At a terminal: a live line for each agent at work, and a table when a chapter is in the book.
//! Elsewhere: one line for each finished step. Finished chapters are data and go to standard
//! output at once, so that nothing is lost when the run stops later.

use std::{
    io,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use novel_app::{
    executor::ExecutorKind,
    runner::{Candidate, Extent, Part, Pick, Watch, WatchEvent},
    write::{commit::CommitReport, run::Finished},
};
use novel_contract::write::DraftCandidate;
use novel_model::{
    ChapterNo, Lang, Message, StepId, Warning,
    files::{JudgeRole, StageLog},
    message,
};

use crate::{
    ui::labels::{self, UNKNOWN},
    ui::printer::{Format, Printer, Watching, visible},
    ui::prompt::Prompter,
    ui::table::{self, Side},
    ui::{drafts, pager, wrap},
};

/// How often the live line moves.
const TICK: Duration = Duration::from_millis(100);

/// Columns of the mark and the time before what an agent is doing.
const CLOCK: usize = 8;

/// Watches a run.
pub(crate) struct Progress {
    printer: Printer,
    watching: Watching,
    lines: MultiProgress,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Agents at work.
    calls: Vec<Call>,
    /// Steps of the chapter under way.
    steps: Vec<Step>,
    cost: Option<f64>,
    stopping: bool,
    /// Whether the author chose the draft that goes on.
    was_asked: bool,
    seen: Seen,
}

/// What was shown in a run.
#[derive(Default)]
pub(crate) struct Seen {
    /// The chapters in the book.
    pub(crate) finished: Vec<Finished>,
    /// The warnings that were printed.
    pub(crate) warnings: Vec<Warning>,
    /// The first failure to print a chapter.
    pub(crate) unprintable: Option<io::Error>,
}

struct Call {
    step: StepId,
    judge: JudgeRole,
    stage: Message,
    model: String,
    line: ProgressBar,
}

struct Step {
    stage: Message,
    work: StageLog,
    origin: Origin,
}

/// Where an answer came from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Asked,
    Ledger,
}

impl Progress {
    pub(crate) fn new(printer: Printer) -> Self {
        let watching = printer.watching();
        let target = match watching {
            Watching::Person => ProgressDrawTarget::stderr(),
            Watching::Log | Watching::Nobody => ProgressDrawTarget::hidden(),
        };
        Self {
            printer,
            watching,
            lines: MultiProgress::with_draw_target(target),
            state: Mutex::default(),
        }
    }

    /// Says that the run is going to stop. What fails from now on fails because of that.
    pub(crate) fn stopping(&self) {
        self.state().stopping = true;
        let note = message!(
            en: "Stopping; nothing is lost, go on later with `novel continue`. Press Ctrl-C again to end at once.",
            zh: "正在停止，不会丢失任何内容，之后用 `novel continue` 继续。再按一次 Ctrl-C 立即结束。"
        );
        self.above(|| self.printer.note(&note));
    }

    /// What was shown; for the end of the run.
    pub(crate) fn seen(&self) -> Seen {
        let mut state = self.state();
        for call in state.calls.drain(..) {
            call.line.finish_and_clear();
        }
        std::mem::take(&mut state.seen)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lang(&self) -> Lang {
        self.printer.lang
    }

    /// Prints while the live lines are away.
    fn above<T>(&self, print: impl FnOnce() -> T) -> T {
        self.lines.suspend(print)
    }

    fn tell(&self, text: &str) {
        if self.watching != Watching::Nobody {
            self.above(|| self.printer.progress(&format!("{text}\n")));
        }
    }

    fn started(&self, step: StepId, judge: JudgeRole, part: Part, model: &str, attempt: u32) {
        let line = self
            .lines
            .add(ProgressBar::new_spinner().with_style(self.style()));
        let call = Call {
            step,
            judge,
            stage: labels::stage(step, judge, part),
            model: labels::model(model, self.lang()),
            line,
        };
        let mut state = self.state();
        let waiting = match (self.lang(), attempt) {
            (Lang::En, 1) => "waiting".to_owned(),
            (Lang::Zh, 1) => "等待回答".to_owned(),
            (Lang::En, attempt) => format!("waiting, try {attempt}"),
            (Lang::Zh, attempt) => format!("等待回答，第 {attempt} 次"),
        };
        self.draw(&call, &waiting, state.cost);
        if self.watching == Watching::Person {
            call.line.enable_steady_tick(TICK);
        }
        state.calls.push(call);
    }

    fn style(&self) -> ProgressStyle {
        let template = if self.printer.is_colourful() {
            "{spinner:.cyan} {elapsed:>4} {wide_msg}"
        } else {
            "{spinner} {elapsed:>4} {wide_msg}"
        };
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
    }

    fn draw(&self, call: &Call, now: &str, cost: Option<f64>) {
        let place = labels::place(call.step);
        let mut parts = vec![place.get(self.lang()), call.stage.get(self.lang()), now];
        let money = labels::money(cost);
        if cost.is_some() {
            parts.push(&money);
        }
        parts.push(&call.model);
        // Drawn past the printer.
        let line = visible(&parts.join(" · ")).into_owned();
        call.line.set_message(match wrap::columns(io::stderr()) {
            Some(columns) => wrap::shortened(&line, columns.saturating_sub(CLOCK)),
            None => line,
        });
    }

    fn text(&self, step: StepId, judge: JudgeRole, tokens: u64) {
        if self.watching != Watching::Person {
            return;
        }
        let state = self.state();
        let call = state
            .calls
            .iter()
            .find(|call| call.step == step && call.judge == judge);
        if let Some(call) = call {
            let now = match self.lang() {
                Lang::En => format!("{tokens} tokens"),
                Lang::Zh => format!("{tokens} token"),
            };
            self.draw(call, &now, state.cost);
        }
    }

    fn answered(
        &self,
        step: StepId,
        judge: JudgeRole,
        part: Part,
        work: &StageLog,
        origin: Origin,
    ) {
        let line = {
            let mut state = self.state();
            state.calls.retain(|call| {
                let other = call.step != step || call.judge != judge;
                if !other {
                    call.line.finish_and_clear();
                }
                other
            });
            let done = Step {
                stage: if work.name.is_empty() {
                    labels::stage(step, judge, part)
                } else {
                    labels::logged_stage(&work.name)
                },
                work: work.clone(),
                origin,
            };
            let line = self.plain_line(step, &done);
            state.steps.push(done);
            line
        };
        if self.watching == Watching::Log {
            self.tell(&line);
        }
    }

    /// A step that did not come to an answer, or to none that can be used.
    fn failed(&self, step: StepId, why: &Message) {
        self.state().calls.retain(|call| {
            if call.step == step {
                call.line.finish_and_clear();
            }
            call.step != step
        });
        self.trouble(step, &message!(en: "failed", zh: "失败"), why);
    }

    fn trouble(&self, step: StepId, what: &Message, why: &Message) {
        if self.state().stopping {
            return;
        }
        let lang = self.lang();
        let place = labels::place(step);
        let stage = labels::stage(step, JudgeRole::Primary, Part::Whole);
        let colon = match lang {
            Lang::En => ": ",
            Lang::Zh => "：",
        };
        let [place, stage, what, why] = [&place, &stage, what, why].map(|text| text.get(lang));
        self.tell(&format!("{place} · {stage} · {what}{colon}{why}"));
    }

    /// Which of several drafts goes on; the table too, where nobody was asked.
    fn chosen(&self, chapter: ChapterNo, candidates: &[Candidate], chosen: usize) {
        let was_asked = std::mem::take(&mut self.state().was_asked);
        let number = candidates.get(chosen).map_or(0, |draft| draft.number);
        if self.watching == Watching::Nobody {
            return;
        }
        let mark = message!(en: "chosen", zh: "选用");
        let table = drafts::drafts(&answers(candidates), number, &mark, self.lang());
        self.above(|| {
            if !was_asked {
                self.tell_wrapped(&table);
            }
            self.printer.note(&drafts::chosen(chapter, number));
        });
    }

    /// Lines of progress, broken between words.
    fn tell_wrapped(&self, text: &str) {
        match wrap::columns(io::stderr()) {
            Some(columns) => self.printer.progress(&wrap::wrapped(text, columns, 0)),
            None => self.printer.progress(text),
        }
    }

    /// A text to read before an answer is given.
    fn show(&self, text: &str) {
        let columns = wrap::columns(io::stderr()).unwrap_or(usize::MAX);
        let text = wrap::wrapped(
            &format!("{}\n", visible(text)),
            columns.min(pager::WIDEST),
            0,
        );
        if !pager::page(&text) {
            self.printer.progress(&text);
        }
    }

    /// A step of set-up, planning or review, for whoever reads it now or later.
    fn accepted(&self, step: StepId, extent: Extent) {
        let mut state = self.state();
        let steps = std::mem::take(&mut state.steps);
        drop(state);
        let done = labels::accepted(step, extent);
        self.above(|| {
            if self.watching == Watching::Person && has_figures(&steps) {
                self.printer.progress(&self.table(&steps));
            }
            self.printer.note(&done);
        });
    }

    fn committed(&self, report: &CommitReport) {
        let finished = Finished {
            chapter: report.chapter,
            words: report.words,
            overall: report.overall,
            scored_by: report.scored_by,
            gate: report.gate,
            revisions: report.revisions,
            force_passed: report.force_passed,
        };
        let mut state = self.state();
        let steps = std::mem::take(&mut state.steps);
        let line = labels::chapter_line(&finished);
        self.above(|| {
            if self.printer.format == Format::Text
                && let Err(error) = self.printer.data(&format!("{}\n", line.get(self.lang())))
            {
                state.seen.unprintable.get_or_insert(error);
            }
            if self.watching == Watching::Person && has_figures(&steps) {
                self.printer.progress(&self.table(&steps));
            }
            for warning in &report.warnings {
                self.printer.warning(warning);
            }
            if let Some(briefing) = &report.briefing {
                self.printer.note(&labels::briefing(briefing));
            }
        });
        state.seen.warnings.extend(report.warnings.iter().cloned());
        state.seen.finished.push(finished);
    }

    /// A finished step, for whoever reads it later.
    fn plain_line(&self, step: StepId, done: &Step) -> String {
        let lang = self.lang();
        let work = &done.work;
        let mut parts = vec![
            labels::place(step).get(lang).to_owned(),
            done.stage.get(lang).to_owned(),
            labels::model(work.model.as_deref().unwrap_or(UNKNOWN), lang),
        ];
        if work.input_tokens.is_some() || work.output_tokens.is_some() {
            let [input, output, cached] =
                [work.input_tokens, work.output_tokens, work.cached_tokens].map(labels::tokens);
            parts.push(match lang {
                Lang::En => format!("tokens: {input} in, {output} out, {cached} cached"),
                Lang::Zh => format!("token：输入 {input}，输出 {output}，缓存 {cached}"),
            });
        }
        let seconds = labels::seconds(work.duration_ms);
        parts.push(match lang {
            Lang::En => format!("{seconds} s"),
            Lang::Zh => format!("{seconds} 秒"),
        });
        if work.cost_usd.is_some() {
            parts.push(labels::money(work.cost_usd));
        }
        if done.origin == Origin::Ledger {
            parts.push(reused().get(lang).to_owned());
        }
        parts.join(" · ")
    }

    /// The steps of a chapter, and below them which model did which.
    fn table(&self, steps: &[Step]) -> String {
        let lang = self.lang();
        let head = match lang {
            Lang::En => ["  step", "in", "out", "cached", "s", "cost"],
            Lang::Zh => ["  步骤", "输入", "输出", "缓存", "秒", "费用"],
        };
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        let mut total = StageLog::default();
        let mut models: Vec<(String, Vec<&str>)> = Vec::new();
        for step in steps {
            let stage = step.stage.get(lang);
            let model = step.work.model.as_deref().unwrap_or(UNKNOWN);
            let model = labels::model(model, lang);
            match models.iter_mut().find(|(known, _)| *known == model) {
                Some((_, done)) if done.contains(&stage) => {}
                Some((_, done)) => done.push(stage),
                None => models.push((model, vec![stage])),
            }
            let mark = match step.origin {
                Origin::Asked => {
                    add(&mut total, &step.work);
                    ""
                }
                Origin::Ledger => " *",
            };
            rows.push(row(format!("  {stage}{mark}"), &step.work));
        }
        let name = match lang {
            Lang::En => "  total",
            Lang::Zh => "  合计",
        };
        rows.push(row(name.to_owned(), &total));
        let number = Side::Right;
        let sides = [Side::Left, number, number, number, number, number];
        let mut table = table::fitted(&rows, &sides, wrap::columns(io::stderr()));
        if steps.iter().any(|step| step.origin == Origin::Ledger) {
            table.push_str(&format!("  * {}\n", reused().get(lang)));
        }
        let several = models.len() > 1;
        for (model, stages) in models {
            table.push_str(&match (lang, several) {
                (_, false) => format!("  {model}\n"),
                (Lang::En, true) => format!("  {}: {model}\n", stages.join(", ")),
                (Lang::Zh, true) => format!("  {}：{model}\n", stages.join("、")),
            });
        }
        table
    }
}

/// Whether a table of the steps would say anything: the offline author takes no tokens, no money and no
/// time.
fn has_figures(steps: &[Step]) -> bool {
    let offline = ExecutorKind::Offline.word();
    steps
        .iter()
        .any(|step| step.work.model.as_deref() != Some(offline))
}

fn answers(candidates: &[Candidate]) -> Vec<DraftCandidate> {
    candidates.iter().map(Candidate::answer).collect()
}

fn row(name: String, work: &StageLog) -> Vec<String> {
    vec![
        name,
        labels::tokens(work.input_tokens),
        labels::tokens(work.output_tokens),
        labels::tokens(work.cached_tokens),
        labels::seconds(work.duration_ms),
        labels::money(work.cost_usd),
    ]
}

fn add(total: &mut StageLog, work: &StageLog) {
    let sum = |total: &mut Option<u64>, part: Option<u64>| {
        if let Some(part) = part {
            *total = Some(total.unwrap_or_default().saturating_add(part));
        }
    };
    sum(&mut total.input_tokens, work.input_tokens);
    sum(&mut total.output_tokens, work.output_tokens);
    sum(&mut total.cached_tokens, work.cached_tokens);
    sum(&mut total.duration_ms, work.duration_ms);
    if let Some(cost) = work.cost_usd {
        total.cost_usd = Some(total.cost_usd.unwrap_or_default() + cost);
    }
}

/// An answer that was paid for earlier.
fn reused() -> Message {
    message!(en: "earlier answer reused", zh: "沿用已有回答")
}

impl Watch for Progress {
    fn event(&self, event: &WatchEvent<'_>) {
        match event {
            WatchEvent::Started {
                step,
                judge,
                part,
                model,
                attempt,
                ..
            } => self.started(*step, *judge, *part, model, *attempt),
            WatchEvent::Text {
                step,
                judge,
                tokens,
                ..
            } => self.text(*step, *judge, *tokens),
            WatchEvent::Again { step, why, .. } => {
                self.trouble(*step, &message!(en: "retrying", zh: "正在重试"), why);
            }
            WatchEvent::Answered {
                step,
                judge,
                part,
                work,
                from_ledger,
                spent,
            } => {
                self.state().cost = spent.cost_usd;
                let origin = if *from_ledger {
                    Origin::Ledger
                } else {
                    Origin::Asked
                };
                self.answered(*step, *judge, *part, work, origin);
            }
            WatchEvent::Failed { step, why } => self.failed(*step, why),
            WatchEvent::Chosen {
                chapter,
                candidates,
                chosen,
            } => self.chosen(*chapter, candidates, *chosen),
            WatchEvent::Accepted {
                step: step @ (StepId::Volume(..) | StepId::Quickstart(_)),
                extent,
            } => self.accepted(*step, *extent),
            WatchEvent::Told { note, .. } => {
                let told = message!(en: "Your note applies from here: {note}", zh: "从这里起带上你的要求：{note}");
                self.above(|| self.printer.note(&told));
            }
            WatchEvent::StopRequested => {
                let note = message!(
                    en: "Stopping: `novel stop` was called.", zh: "正在停止：收到 `novel stop`。"
                );
                self.above(|| self.printer.note(&note));
            }
            // Steps of a chapter are shown with their answers, the rest with the chapter or at the end.
            WatchEvent::Accepted { .. }
            | WatchEvent::Begun { .. }
            | WatchEvent::Judged { .. }
            | WatchEvent::Warned { .. }
            | WatchEvent::Over { .. } => {}
            WatchEvent::Committed { report } => self.committed(report),
        }
    }

    fn choose(&self, chapter: ChapterNo, candidates: &[Candidate], judged: usize) -> Pick {
        let Some(prompter) = Prompter::of(&self.printer) else {
            return Pick::Judge;
        };
        let n = chapter.get();
        let question = message!(
            en: "Which draft should chapter {n} continue with?", zh: "第 {n} 章用哪一份草稿？"
        );
        // The recommended one stands first.
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by_key(|at| *at != judged);
        let ordered: Vec<&Candidate> = order.iter().filter_map(|at| candidates.get(*at)).collect();
        let picks = ordered.iter().map(|draft| {
            let line = drafts::draft_line(&draft.answer(), self.lang());
            message!(en: "choose {line}", zh: "选用{line}")
        });
        let reads = candidates.iter().map(|draft| {
            let number = draft.number;
            message!(en: "read draft {number}", zh: "阅读草稿 {number}")
        });
        let items: Vec<String> = picks.chain(reads).map(|item| prompter.say(&item)).collect();
        let picked = message!(en: "the judge's choice", zh: "评审推荐");
        let mark = candidates.get(judged).map_or(0, |draft| draft.number);
        let shown = drafts::drafts(&answers(candidates), mark, &picked, self.lang());
        let answer = self.above(|| {
            self.tell_wrapped(&shown);
            loop {
                let chosen = match prompter.choose(&question, items.clone()) {
                    Ok(chosen) => chosen,
                    // Whoever leaves the question has chosen nothing, the judge's draft included.
                    Err(_) => return Pick::Stop,
                };
                match candidates.get(chosen.wrapping_sub(order.len())) {
                    Some(draft) => self.show(&draft.text),
                    None => return order.get(chosen).map_or(Pick::Judge, |at| Pick::Draft(*at)),
                }
            }
        });
        self.state().was_asked = answer != Pick::Stop;
        answer
    }
}
