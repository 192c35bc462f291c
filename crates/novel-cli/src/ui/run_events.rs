//! The events of a run, as lines for people.

use novel_app::runner::{Extent, Part};
use novel_contract::{
    run::{CallId, Happened, RunEvent, RunGoal, Said, Work},
    write::RunStop,
};
use novel_model::{
    Lang, Message, StepId,
    files::{GateDecision, JudgeRole, ScoredBy},
    message,
};

use crate::ui::{drafts, labels, wrap::Flow};

/// A screen that events are written on, one after another.
pub(crate) struct Screen {
    lang: Lang,
    shows_text: bool,
    /// Whether the cursor stands after prose.
    in_prose: bool,
    /// Breaks prose between words; none where nobody needs lines that fit.
    flow: Option<Flow>,
}

impl Screen {
    /// `columns` is the width of a terminal.
    pub(crate) fn new(lang: Lang, shows_text: bool, columns: Option<usize>) -> Self {
        Self {
            lang,
            shows_text,
            in_prose: false,
            flow: columns.map(Flow::new),
        }
    }

    /// What to print for an event; empty for one that shows nothing.
    pub(crate) fn show(&mut self, event: &RunEvent) -> String {
        if let Happened::Text { text, .. } = &event.what {
            if !self.shows_text {
                return String::new();
            }
            let before = if self.in_prose { "" } else { "\n" };
            self.in_prose = true;
            let text = match &mut self.flow {
                Some(flow) => flow.push(text),
                None => text.clone(),
            };
            return format!("{before}{text}");
        }
        match line(event, self.lang) {
            Some(line) => format!("{}{line}\n", self.end()),
            None => String::new(),
        }
    }

    /// What ends the prose on the screen.
    pub(crate) fn end(&mut self) -> String {
        if std::mem::take(&mut self.in_prose) {
            let last = self.flow.as_mut().map(Flow::end).unwrap_or_default();
            format!("{last}\n\n")
        } else {
            String::new()
        }
    }
}

fn line(event: &RunEvent, lang: Lang) -> Option<String> {
    let said = match &event.what {
        Happened::Begun(begun) => {
            let (number, time) = (event.run.get(), clock(&event.at));
            let goal = goal(begun.goal);
            Message {
                en: format!("Run {number}, {time}: {}", goal.en),
                zh: format!("第 {number} 次运行，{time}：{}", goal.zh),
            }
        }
        Happened::Started {
            call,
            model,
            attempt,
            ..
        } => {
            let model = labels::model(model, lang);
            let again = match attempt {
                1 => Message::default(),
                attempt => message!(en: ", try {attempt}", zh: "，第 {attempt} 次"),
            };
            Message::same(format!("{} · {model}{}", name(call, lang), again.get(lang)))
        }
        Happened::Again { call, why } => trouble(
            &name(call, lang),
            &message!(en: "retrying", zh: "正在重试"),
            why,
        ),
        Happened::Answered {
            call,
            work,
            from_ledger,
            ..
        } => Message::same(format!(
            "{} · {}",
            name(call, lang),
            took(work, *from_ledger, lang)
        )),
        Happened::Failed { step, why } => {
            let step = step_name(step, None, None, lang);
            trouble(&step, &message!(en: "failed", zh: "失败"), why)
        }
        Happened::Accepted { step, chapters } => {
            let step: StepId = step.parse().ok()?;
            if matches!(step, StepId::Chapter(..)) {
                return None;
            }
            let extent = match chapters {
                Some((first, last)) => Extent::Chapters(*first, *last),
                None => Extent::Whole,
            };
            labels::accepted(step, extent)
        }
        Happened::Chosen {
            chapter,
            drafts,
            chosen,
        } => {
            let mark = message!(en: "chosen", zh: "选用");
            let table = drafts::drafts(drafts, *chosen, &mark, lang);
            let said = drafts::chosen(*chapter, *chosen);
            Message::same(format!("{table}{}", said.get(lang)))
        }
        Happened::Gate {
            chapter,
            decision,
            overall,
            scored_by,
            ..
        } => gate_line(chapter.get(), *decision, *overall, *scored_by),
        Happened::Committed {
            chapter,
            title,
            words,
            overall,
            scored_by,
            ..
        } => {
            let (number, overall) = (chapter.get(), labels::score(*overall));
            let Message { en, zh } = match scored_by {
                Some(ScoredBy::OfflineAuthor) => {
                    message!(en: ", the offline author's", zh: "，离线作者打分")
                }
                Some(ScoredBy::Judge) | None => Message::default(),
            };
            message!(
                en: "Chapter {number} is in the book: {title} ({words} words, score {overall}{en})",
                zh: "第 {number} 章已入书：{title}（{words} 字，评分 {overall}{zh}）"
            )
        }
        Happened::Warned { message, .. } => Message {
            en: format!("warning: {}", message.en),
            zh: format!("警告：{}", message.zh),
        },
        Happened::Told { note, .. } => {
            message!(en: "Your note applies from here: {note}", zh: "从这里起带上你的要求：{note}")
        }
        Happened::StopRequested => message!(
            en: "You asked to stop; the step is finished.", zh: "按你的要求停止；当前步骤已完成。"
        ),
        Happened::Ended {
            stop: why,
            message,
            spent,
            ..
        } => {
            let why = stop(Some(*why));
            let cost = spent.cost_usd.map(|cost| labels::money(Some(cost)));
            let (cost_en, cost_zh) = match cost {
                Some(cost) => (format!(" ({cost})"), format!("（{cost}）")),
                None => Default::default(),
            };
            let more = |said: Option<&String>| said.map(|text| format!(": {text}"));
            let en = message.as_ref().map(|said| &said.en);
            let zh = message.as_ref().map(|said| format!("：{}", said.zh));
            let number = event.run.get();
            Message {
                en: format!(
                    "Run {number} ended, {}{}{cost_en}",
                    why.en,
                    more(en).unwrap_or_default()
                ),
                zh: format!(
                    "第 {number} 次运行结束，{}{}{cost_zh}",
                    why.zh,
                    zh.unwrap_or_default()
                ),
            }
        }
        Happened::Text { .. } | Happened::Progress { .. } => return None,
    };
    Some(said.get(lang).to_owned())
}

fn trouble(name: &str, what: &Message, why: &Said) -> Message {
    Message {
        en: format!("{name} · {}: {}", what.en, why.en),
        zh: format!("{name} · {}：{}", what.zh, why.zh),
    }
}

fn gate_line(
    chapter: u32,
    decision: GateDecision,
    overall: f64,
    scored_by: Option<ScoredBy>,
) -> Message {
    let (score, word) = (labels::score(Some(overall)), labels::gate_words(decision));
    let Message { en, zh } = labels::whose_score(scored_by);
    Message {
        en: format!("Chapter {chapter}: score {score}{en}, {}", word.en),
        zh: format!("第 {chapter} 章：评分 {score}{zh}，{}", word.zh),
    }
}

fn name(call: &CallId, lang: Lang) -> String {
    step_name(&call.step, call.judge, call.part.as_deref(), lang)
}

fn step_name(step: &str, judge: Option<JudgeRole>, part: Option<&str>, lang: Lang) -> String {
    let Ok(id) = step.parse::<StepId>() else {
        return step.to_owned();
    };
    let part = match part {
        None => Part::Whole,
        Some("plan") => Part::ScenePlan,
        Some("newcomers") => Part::Newcomers,
        Some(scene) => scene.parse().map_or(Part::Whole, Part::Scene),
    };
    let stage = labels::stage(id, judge.unwrap_or(JudgeRole::Primary), part);
    format!("{} · {}", labels::place(id).get(lang), stage.get(lang))
}

fn took(work: &Work, from_ledger: bool, lang: Lang) -> String {
    if from_ledger {
        let kept = message!(en: "earlier answer reused", zh: "沿用已有回答");
        return kept.get(lang).to_owned();
    }
    let (seconds, cost) = (labels::seconds(work.duration_ms), work.cost_usd);
    let (input, output) = (
        labels::tokens(work.input_tokens),
        labels::tokens(work.output_tokens),
    );
    let mut parts = match lang {
        Lang::En => vec![format!("done in {seconds} s")],
        Lang::Zh => vec![format!("完成，{seconds} 秒")],
    };
    if work.output_tokens.is_some() {
        parts.push(match lang {
            Lang::En => format!("{input} tokens in, {output} out"),
            Lang::Zh => format!("输入 {input}、输出 {output} token"),
        });
    }
    if cost.is_some() {
        parts.push(labels::money(cost));
    }
    parts.join(match lang {
        Lang::En => ", ",
        Lang::Zh => "，",
    })
}

/// What a run is to reach.
pub(crate) fn goal(goal: RunGoal) -> Message {
    match goal {
        RunGoal::Chapters { count: 1 } => message!(en: "the next chapter", zh: "续写 1 章"),
        RunGoal::Chapters { count } => {
            message!(en: "the next {count} chapters", zh: "续写 {count} 章")
        }
        RunGoal::Until { chapter } => {
            let number = chapter.get();
            message!(en: "to chapter {number}", zh: "写到第 {number} 章")
        }
        RunGoal::VolumeEnd => message!(en: "to the end of the volume", zh: "写到本卷末"),
        RunGoal::Decision => message!(en: "to your next decision", zh: "到下一个待你决定的地方"),
        RunGoal::Draft { chapter } => {
            let number = chapter.get();
            message!(en: "draft of chapter {number}", zh: "第 {number} 章草稿")
        }
        RunGoal::ScenePlan { chapter } => {
            let number = chapter.get();
            message!(en: "scene plan of chapter {number}", zh: "第 {number} 章场景规划")
        }
        RunGoal::Scenes { chapter, .. } => {
            let number = chapter.get();
            message!(en: "scenes of chapter {number}", zh: "第 {number} 章场景")
        }
        RunGoal::Inquiry => message!(en: "review or revision", zh: "审查或修订"),
    }
}

/// Why a run ended.
pub(crate) fn stop(stop: Option<RunStop>) -> Message {
    match stop {
        None => Message::same(labels::UNKNOWN),
        Some(RunStop::GoalReached) => message!(en: "done", zh: "已完成"),
        Some(RunStop::VolumeEnd) => message!(en: "end of the volume", zh: "本卷写完"),
        Some(RunStop::Blocked) => message!(en: "waits for you", zh: "等你处理"),
        Some(RunStop::Failed) => message!(en: "failed", zh: "失败"),
        Some(RunStop::OverBudget) => message!(en: "budget reached", zh: "预算用完"),
        Some(RunStop::Interrupted) => message!(en: "stopped", zh: "已停止"),
    }
}

/// What a run under way is doing.
pub(crate) fn at_work(step: StepId) -> Message {
    let (place, stage) = (
        labels::place(step),
        labels::stage(step, JudgeRole::Primary, Part::Whole),
    );
    Message {
        en: format!("{} · {}", place.en, stage.en),
        zh: format!("{} · {}", place.zh, stage.zh),
    }
}

/// A time as people write it: date and minutes, in UTC as everywhere in the book.
pub(crate) fn clock(at: &str) -> String {
    at.get(..16).unwrap_or(at).replace('T', " ")
}

/// A [`clock`] time without its year, for a narrow terminal.
pub(crate) fn without_year(clock: &str) -> &str {
    let is_dated = clock.len() == 16 && clock.is_ascii();
    if is_dated { &clock[5..] } else { clock }
}
