//! Runs: start one as a process of its own, watch it write, tell it something, stop it.

use maud::{Markup, html};
use novel_app::{
    Project,
    executor::ExecutorKind,
    library::{forecast, runs, status},
};
use novel_contract::{
    care::Lock,
    run::{Happened, RunBrief, RunEvent, RunGoal, RunState, Said},
    write::RunStop,
};
use novel_model::{ChapterNo, Lang, RunId, files::ScoredBy, layout, message};

use crate::{
    act::{self, Command, Outcome, Place},
    ask::{Ask, number},
    live::Live,
    pages::{act_and_go, error, nothing},
    reply::{Fault, Reply},
    view::{
        BookFrame, Frame, Mark, Nav, badge, badge_filled, chapter_name, counts, frame, gate_word,
        hidden, key, mark, money, stage_word, tag, thousands, when,
    },
};

/// Runs of a list.
const LISTED: usize = 30;
/// Events a page shows; the rest is in the log.
const SHOWN: usize = 40;

/// The newest run, on the desk.
pub(crate) fn on_the_desk(ask: &Ask, book: &BookFrame, project: &Project) -> Result<Markup, Fault> {
    let l = ask.lang();
    let newest = runs::list(project)?.runs.into_iter().next();
    Ok(html! {
        section class="sec" aria-labelledby="r-h" {
            header {
                h2 class="h-sec" id="r-h" { @match &newest { Some(run) => { (ask.t("Run", "运行")) " " (run.run.get()) }, None => (ask.t("Runs", "运行")) } }
                @match &newest { Some(run) => (state_badge(ask, run)), None => (badge(Mark::None, ask.t("none yet", "还没有"))) }
                a class="end small" href=(newest.as_ref().map_or_else(|| book.href("/runs"), |run| book.href(&format!("/runs/{}", run.run.get())))) { (ask.t("Open", "打开")) }
            }
            @if let Some(run) = &newest {
                @if !run.chapters.is_empty() { ol class="runchips" { @for chapter in run.chapters.iter().rev().take(8).rev() { li { (mark(Mark::Done)) span { (chapter.get()) } } } } }
                p class="small muted num" { (money(run.spent.cost_usd)) " · " (counts(l, run.spent.calls, "call", "次调用")) }
            }
        }
    })
}

fn state_badge(ask: &Ask, run: &RunBrief) -> Markup {
    match (run.state, run.stop) {
        (RunState::Running, _) => badge(Mark::Live, ask.t("running", "运行中")),
        (RunState::Broken, _) => badge(
            Mark::Fail,
            ask.t("interrupted; nothing is lost", "中断，未丢内容"),
        ),
        (RunState::Ended, Some(stop)) => stop_badge(ask, stop),
        (RunState::Ended, None) => badge(Mark::Done, ask.t("ended", "已结束")),
    }
}

fn stop_badge(ask: &Ask, stop: RunStop) -> Markup {
    match stop {
        RunStop::GoalReached => badge(Mark::Ok, ask.t("reached its goal", "已达目标")),
        RunStop::VolumeEnd => badge(Mark::Ok, ask.t("reached the end of the volume", "写到卷末")),
        RunStop::Blocked => badge(Mark::Wait, ask.t("waits for you", "等你处理")),
        RunStop::Failed => badge(Mark::Fail, ask.t("failed", "失败")),
        RunStop::OverBudget => badge(
            Mark::Due,
            ask.t("reached the spending limit", "达到费用上限"),
        ),
        RunStop::Interrupted => badge(Mark::Done, ask.t("stopped", "已停下")),
    }
}

fn goal(lang: Lang, goal: RunGoal) -> String {
    match goal {
        RunGoal::Chapters { count } => return counts(lang, count, "chapter", "章"),
        RunGoal::Until { chapter } => {
            message!(en: "to chapter {}", zh: "写到第 {} 章", chapter.get())
        }
        RunGoal::VolumeEnd => message!(en: "to the end of the volume", zh: "写到卷末"),
        RunGoal::Decision => message!(en: "to your next decision", zh: "到你下一次决定"),
        RunGoal::Draft { chapter } => {
            message!(en: "draft of chapter {}", zh: "第 {} 章草稿", chapter.get())
        }
        RunGoal::ScenePlan { chapter } => {
            message!(en: "scene plan of chapter {}", zh: "第 {} 章场景规划", chapter.get())
        }
        RunGoal::Scenes { chapter, .. } => {
            message!(en: "scenes of chapter {}", zh: "第 {} 章场景", chapter.get())
        }
        RunGoal::Inquiry => message!(en: "questions to agents", zh: "单独提问"),
    }
    .get(lang)
    .to_owned()
}

pub(crate) fn page(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let status = status::status(&project)?.answer(l);
    let listed = runs::list(&project)?.runs;
    let running = listed.iter().find(|run| run.state == RunState::Running);
    let held = matches!(status.lock, Lock::Held { .. });
    let next = status.progress.last_completed_chapter + 1;
    let end = status
        .progress
        .volume_chapters
        .map_or(next, |(_, last)| last.get())
        .max(next);
    let main = html! {
        div class="pagehead" {
            h1 class="h-page" { (ask.t("Runs", "运行")) }
            @if let Some(run) = running { (badge_filled(Mark::Live, message!(en: "run {} is under way", zh: "运行 {} 正在进行", run.run.get()).get(l))) a class="btn" href=(book.href(&format!("/runs/{}", run.run.get()))) { (ask.t("Watch", "查看")) } }
            @else if held { (badge_filled(Mark::Live, ask.t("another process holds the book", "另一个进程正占用本书"))) }
        }
        div class="rungrid" {
            div {
                section class="sec" aria-labelledby="rl-h" {
                    header { h2 class="h-sec" id="rl-h" { (ask.t("All runs", "全部运行")) } }
                    @if listed.is_empty() { (nothing(ask.t("There are no runs yet.", "还没有运行过。"))) }
                    ol class="rows runlist" {
                        @for run in listed.iter().take(LISTED) {
                            li {
                                a class="num" href=(book.href(&format!("/runs/{}", run.run.get()))) { (run.run.get()) }
                                span {
                                    (goal(l, run.goal)) " · " (counts(l, run.chapters.len(), "chapter", "章"))
                                    " " span class="small faint num" { (when(&run.begun_at)) " · " (money(run.spent.cost_usd)) }
                                }
                                (state_badge(ask, run))
                            }
                        }
                    }
                }
            }
            aside aria-label=(ask.t("Start a run", "开始运行")) {
                @if running.is_none() && !held {
                    form class="card field" method="post" action=(book.href("/runs")) {
                        (hidden(ask))
                        h2 class="h-sec" { (ask.t("Start a run", "开始运行")) }
                        label for="to" { (ask.t("Write to chapter", "写到第几章")) }
                        input class="input" id="to" name="to" type="number" min=(next) max="9999" value=(end) required;
                        (price(ask, &book, &project)?)
                        p class="small muted" { (ask.t("It stops where a gate, a trial or a plan waits for you. Close the page: the run goes on.", "遇到评审、试写或规划需要你决定时会停下。关掉页面，运行照常继续。")) }
                        div class="acts" { button class="btn primary" data-key="Enter" { (ask.t("Start", "开始")) " " (key("↵")) } }
                    }
                }
            }
        }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: ask.t("Runs", "运行").to_owned(),
            nav: Nav::Runs,
            book: &book,
            command: format!("novel run --to {end}"),
            keys: &[("↵", ask.t("start", "开始"))],
            bar: None,
            class: "page",
            main,
        },
    )))
}

/// What the run to the end of the volume is expected to cost, and the field of its limit.
fn price(ask: &Ask, book: &BookFrame, project: &Project) -> Result<Markup, Fault> {
    let l = ask.lang();
    let config = project.config();
    if config.executor != ExecutorKind::Llm {
        return Ok(html! {
            p class="small muted" {
                @if config.executor == ExecutorKind::Offline { (ask.t("The offline author writes; it is free.", "由离线作者执笔，无需付费。")) " " }
                a href=(book.href("/model")) { (ask.t("Set up a model", "设置模型")) }
            }
        });
    }
    let expected = forecast::forecast(project, None)?.total.cost_usd;
    let limit = config.budget.max_cost_usd;
    let usual = limit.or(expected.map(|cost| (cost.high * 100.0).ceil() / 100.0));
    Ok(html! {
        @match expected {
            Some(cost) => p class="small muted num" {
                (message!(
                    en: "To the end of the volume about {}, between {} and {} nine times in ten.", zh: "写到卷末约 {}，九成把握在 {} 至 {} 之间。",
                    money(Some(cost.expected)), money(Some(cost.low)), money(Some(cost.high))
                ).get(l))
            },
            None => p class="small muted" {
                (ask.t("The price of the model is unknown, so a spending limit cannot be kept.", "不知道模型的价格，无法按金额设限。")) " "
                a href=(book.href("/settings")) { (ask.t("Set its price", "写明价格")) }
            },
        }
        label for="limit" { (ask.t("Spending limit in US dollars", "费用上限（美元）")) }
        input class="input" id="limit" name="limit" type="number" min="0" step="0.01" value=[usual.filter(|_| expected.is_some()).map(|limit| format!("{limit:.2}"))];
        label class="small" { input type="checkbox" name="unlimited" value="1"; " " (ask.t("No limit", "不设上限")) }
    })
}

fn wanted(ask: &Ask) -> Result<RunId, Fault> {
    number(ask.part("run")?)
        .and_then(RunId::new)
        .ok_or(Fault::NotFound)
}

/// One run, as its log tells it.
pub(crate) fn run(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let book = BookFrame::load(ask, &project)?;
    let l = ask.lang();
    let id = wanted(ask)?;
    let mut follow = runs::follow(&project, Some(id))?;
    let events = follow.more()?;
    let brief = follow.brief()?;
    let is_running = brief.state == RunState::Running;
    let told = Told::of(&events);
    let newest = events.last().map_or(0, |event| event.n);
    let main = html! {
        div class="pagehead" data-run=[is_running.then(|| book.href(&format!("/runs/{}/events", id.get())))] data-after=(newest) {
            h1 class="h-page" { (ask.t("Run", "运行")) " " (id.get()) }
            (state_badge(ask, &brief))
            span class="small muted" { (goal(l, brief.goal)) " · " (when(&brief.begun_at)) }
            @if is_running {
                form class="end" method="post" action=(book.href("/stop")) { (hidden(ask)) input type="hidden" name="run" value=(id.get()); button class="btn" data-key="s" { (ask.t("Stop after this step", "做完这一步就停")) " " (key("s")) } }
            }
        }
        section class="stepbar" aria-label=(ask.t("Steps", "步骤")) {
            ol class="steps" data-steps {
                @if let Some(chapter) = told.chapter { li { strong class="serif" { (chapter_name(l, chapter)) } } }
                @for step in ["draft", "summarize", "refine", "judge", "commit"] {
                    @let (kind, said) = told.step(step);
                    li class=[(kind == Mark::Live).then_some("now")] aria-current=[(kind == Mark::Live).then_some("step")] { (mark(kind)) (stage_word(l, step)) span class="vh" { " " (ask.t(said.0, said.1)) } }
                }
            }
        }
        div class="rungrid" {
            div {
                @if is_running || !told.text.is_empty() { section class="stream" aria-label=(ask.t("Being written", "正在写")) {
                    header {
                        span class="badge live" data-step { (mark(Mark::Live)) (told.step_name(l)) }
                        span data-model { (told.model.clone().filter(|model| model != "offline").unwrap_or_else(|| ask.t("offline author", "离线作者").to_owned())) }
                    }
                    div class="prose streamtext" lang=(tag(book.lang)) data-stream { (told.text) }
                    footer { label { input type="checkbox" checked data-follow; " " (ask.t("Follow", "跟随")) } span class="end" { (ask.t("Close this page: the run goes on", "关掉本页，运行照常继续")) } }
                } }
                @else if let Some(chapter) = brief.chapters.last() {
                    section class="card" {
                        p { (ask.t("Written: ", "写成 ")) (counts(l, brief.chapters.len(), "chapter", "章")) (ask.t(".", "。")) }
                        p class="acts" { a class="btn" href=(book.href(&format!("/chapters/{}", chapter.get()))) { (ask.t("Read the last one", "读最后一章")) } }
                    }
                }
                @if is_running {
                    form class="field" method="post" action=(book.href("/tell")) {
                        (hidden(ask))
                        input type="hidden" name="run" value=(id.get());
                        label for="tell" { (ask.t("Tell the next step", "给下一步的要求")) }
                        textarea class="input" id="tell" name="note" rows="2" maxlength="2000" required data-focus="n" placeholder=(ask.t("such as: less wind, more hands", "例如：少写风，多写手")) {}
                        div class="acts" { button class="btn" { (ask.t("Send", "送出")) } span class="small faint" { (ask.t("kept on record", "会记录在案")) } }
                    }
                }
                @if !is_running && book.waits.is_some_and(|count| count > 0) {
                    p class="acts" { a class="btn primary" href=(book.href("/decisions")) data-key="Enter" { (ask.t("Decide what waits", "去处理")) " " (key("↵")) } }
                }
                @if let Some((why, hint)) = &told.ended { section class="card" { p { (said(l, why)) } @if let Some(hint) = hint { p class="muted small" { (said(l, hint)) } } p class="acts" { a class="btn" href=(book.href("")) { (ask.t("To the desk", "回到书桌")) } } } }
            }
            aside aria-label=(ask.t("This run", "本次运行")) {
                section class="sec" {
                    header { h2 class="h-sec" { (ask.t("This run", "本次运行")) } }
                    dl class="kv" {
                        dt { (ask.t("chapters", "章")) } dd class="num" { (brief.chapters.len()) }
                        dt { (ask.t("spent", "花费")) } dd class="num" { (money(brief.spent.cost_usd)) }
                        dt { (ask.t("calls", "调用")) } dd class="num" { (brief.spent.calls) @if brief.spent.reused > 0 { (message!(en: ", {} from the ledger", zh: "，其中 {} 次取自账本", brief.spent.reused).get(l)) } }
                        dt { (ask.t("tokens", "token")) } dd class="num" { (thousands(brief.spent.input_tokens)) " → " (thousands(brief.spent.output_tokens)) }
                    }
                }
                section class="sec" aria-labelledby="ev-h" {
                    header { h2 class="h-sec" id="ev-h" { (ask.t("Events", "事件")) } span class="end small num" data-count-events { (newest) } }
                    ol class="rows events" reversed data-events {
                        @for event in events.iter().rev().filter(|event| is_listed(event)).take(SHOWN) { (event_row(ask, event)) }
                    }
                }
            }
        }
    };
    Ok(Reply::Page(frame(
        ask,
        Frame {
            title: format!("{} {}", ask.t("Run", "运行"), id.get()),
            nav: Nav::Runs,
            book: &book,
            command: format!("novel watch {}", id.get()),
            keys: &[("s", ask.t("stop", "停下")), ("n", ask.t("tell", "提要求"))],
            bar: None,
            class: "page",
            main,
        },
    )))
}

fn said(lang: Lang, said: &Said) -> &str {
    match lang {
        Lang::En => &said.en,
        Lang::Zh => &said.zh,
    }
}

/// What the page says of the newest chapter of a run.
#[derive(Default)]
struct Told {
    chapter: Option<u32>,
    done: Vec<String>,
    now: Option<String>,
    model: Option<String>,
    text: String,
    ended: Option<(Said, Option<Said>)>,
}

impl Told {
    fn of(events: &[RunEvent]) -> Self {
        let mut told = Self::default();
        for event in events {
            match &event.what {
                Happened::Started { call, model, .. } => {
                    let (chapter, stage) = parts(&call.step);
                    if chapter != told.chapter {
                        told.chapter = chapter;
                        told.done.clear();
                    }
                    told.now = Some(stage);
                    told.model = Some(model.clone());
                    told.text.clear();
                }
                Happened::Text { text, .. } => told.text.push_str(text),
                Happened::Again { .. } => told.text.clear(),
                Happened::Answered { call, .. } => told.done.push(parts(&call.step).1),
                Happened::Committed { .. } => {
                    told.done.push("commit".to_owned());
                    told.now = None;
                }
                Happened::Ended { message, hint, .. } => {
                    told.now = None;
                    told.ended = message.clone().map(|message| (message, hint.clone()));
                }
                _ => {}
            }
        }
        told
    }

    fn step(&self, step: &str) -> (Mark, (&'static str, &'static str)) {
        if self.done.iter().any(|done| done == step) {
            (Mark::Ok, ("done", "已完成"))
        } else if self.now.as_deref() == Some(step) {
            (Mark::Live, ("running", "进行中"))
        } else {
            (Mark::Plan, ("to come", "未到"))
        }
    }

    fn step_name(&self, lang: Lang) -> String {
        let newest = self.now.as_deref().or(self.done.last().map(String::as_str));
        newest
            .map(|step| stage_word(lang, step))
            .unwrap_or_default()
    }
}

/// Chapter and stage of a step such as `chapter:048:draft`.
fn parts(step: &str) -> (Option<u32>, String) {
    let mut words = step.split(':');
    let kind = words.next().unwrap_or_default();
    let chapter = words
        .next()
        .and_then(|digits| digits.parse().ok())
        .filter(|_| kind == "chapter");
    (chapter, words.next().unwrap_or(kind).to_owned())
}

fn is_listed(event: &RunEvent) -> bool {
    !matches!(
        event.what,
        Happened::Text { .. } | Happened::Progress { .. }
    )
}

/// What an event says: its mark, its words, a figure.
fn told_row(l: Lang, event: &RunEvent) -> (Mark, String, String) {
    let t = |en: &'static str, zh: &'static str| match l {
        Lang::En => en,
        Lang::Zh => zh,
    };
    let step = |step: &str| {
        let (chapter, stage) = parts(step);
        match chapter {
            Some(chapter) => format!("{} · {}", chapter_name(l, chapter), stage_word(l, &stage)),
            None => step.to_owned(),
        }
    };
    match &event.what {
        Happened::Begun(begun) => (Mark::Live, goal(l, begun.goal), String::new()),
        Happened::Started { call, attempt, .. } => (
            Mark::Plan,
            step(&call.step),
            if *attempt > 1 {
                format!("#{attempt}")
            } else {
                String::new()
            },
        ),
        Happened::Answered { call, work, .. } => (
            Mark::Done,
            step(&call.step),
            work.duration_ms
                .map(|time| {
                    format!(
                        "{:.1} s",
                        std::time::Duration::from_millis(time).as_secs_f64()
                    )
                })
                .unwrap_or_default(),
        ),
        Happened::Again { call, why } => (
            Mark::Due,
            format!("{}: {}", step(&call.step), said(l, why)),
            String::new(),
        ),
        Happened::Failed { step: failed, why } => (
            Mark::Fail,
            format!("{}: {}", step(failed), said(l, why)),
            String::new(),
        ),
        Happened::Accepted { step: accepted, .. } => (Mark::Ok, step(accepted), String::new()),
        Happened::Chosen {
            chapter, chosen, ..
        } => (
            Mark::Ok,
            message!(
                en: "Draft {chosen} of chapter {} chosen", zh: "第 {} 章选用草稿 {chosen}", chapter.get()
            )
            .get(l)
            .to_owned(),
            String::new(),
        ),
        Happened::Gate {
            chapter,
            decision,
            overall,
            scored_by,
            ..
        } => (
            Mark::Ok,
            format!("{} {}", chapter_name(l, *chapter), gate_word(l, *decision)),
            match scored_by {
                Some(ScoredBy::OfflineAuthor) => format!(
                    "{overall:.2} {}",
                    t("(offline author, not a verdict)", "（离线作者，非评审）")
                ),
                _ => format!("{overall:.2}"),
            },
        ),
        Happened::Committed {
            chapter,
            words,
            pending,
            ..
        } => (
            if *pending { Mark::Wait } else { Mark::Ok },
            message!(en: "Chapter {} committed", zh: "第 {} 章写成", chapter.get())
                .get(l)
                .to_owned(),
            thousands(*words),
        ),
        Happened::Warned { message, .. } => (Mark::Due, said(l, message).to_owned(), String::new()),
        Happened::Told { note, .. } => (Mark::Edit, note.clone(), String::new()),
        Happened::StopRequested => (
            Mark::None,
            t("stop requested", "要求停下").to_owned(),
            String::new(),
        ),
        Happened::Ended { message, .. } => (
            Mark::None,
            message.as_ref().map_or_else(
                || t("ended", "结束").to_owned(),
                |message| said(l, message).to_owned(),
            ),
            String::new(),
        ),
        Happened::Text { .. } | Happened::Progress { .. } => {
            (Mark::Plan, String::new(), String::new())
        }
    }
}

fn clock(event: &RunEvent) -> String {
    event.at.chars().skip(11).take(5).collect()
}

/// A line of a log as the page's script lists it; text events are prose and are not listed.
fn listed_row(l: Lang, line: &str) -> Option<serde_json::Value> {
    let event: RunEvent = serde_json::from_str(line).ok()?;
    let (kind, text, end) = told_row(l, &event);
    is_listed(&event).then(|| {
        serde_json::json!({ "mark": kind.word(), "clock": clock(&event), "text": text, "end": end })
    })
}

fn event_row(ask: &Ask, event: &RunEvent) -> Markup {
    let (kind, text, end) = told_row(ask.lang(), event);
    html! {
        li {
            span class="num faint" { "#" (event.n) }
            span class="num faint clock" { (clock(event)) }
            (mark(kind))
            span { (text) }
            span class="num muted" { (end) }
        }
    }
}

/// The events of a run from a number on, as they come.
pub(crate) fn events(ask: &Ask) -> Result<Reply, Fault> {
    let project = ask.project()?;
    let id = wanted(ask)?;
    runs::follow(&project, Some(id))?;
    let root = ask
        .studio
        .books()
        .root(ask.book()?)
        .ok_or(Fault::NotFound)?;
    let asked = ask.query.get("after").and_then(number).map(u64::from);
    let lang = ask.lang();
    Ok(Reply::Live(Live::Lines {
        file: root.join(layout::run_log(id).as_str()),
        after: ask.last_event.or(asked).unwrap_or(0),
        row: Box::new(move |line| listed_row(lang, line)),
    }))
}

/// What a run may cost, as the form says; `None` where it says nothing.
fn limit(ask: &Ask) -> Option<String> {
    if ask.form.get("unlimited").is_some() {
        return Some("none".to_owned());
    }
    let text = ask.form.filled("limit")?;
    let amount: f64 = text.parse().ok()?;
    (amount.is_finite() && amount >= 0.0).then(|| format!("{amount}"))
}

/// Starts a run to a chapter. One that is paid for has a limit, or its author says that it has none.
pub(crate) fn start(ask: &Ask) -> Result<Reply, Fault> {
    let to = ask
        .form
        .get("to")
        .and_then(number)
        .and_then(ChapterNo::new)
        .ok_or(Fault::NotFound)?;
    let mut command = Command::new(&format!("run --to {}", to.get()));
    if ask.project()?.config().executor == ExecutorKind::Llm {
        match limit(ask) {
            Some(limit) => command = command.option("--max-cost", &limit),
            None => return Ok(Reply::Go(format!("/b/{}/runs?note=limit", ask.book()?))),
        }
    }
    launch(ask, &command)
}

/// Starts a command that goes on by itself, and goes to its run once it has begun.
pub(crate) fn launch(ask: &Ask, command: &Command) -> Result<Reply, Fault> {
    let root = ask
        .studio
        .books()
        .root(ask.book()?)
        .ok_or(Fault::NotFound)?;
    let project = ask.project()?;
    let newest = || runs::newest(&project).ok().flatten();
    let before = newest();
    let place = Place::Book(&root);
    let outcome = act::launch(&ask.studio, place, ask.lang(), command, || {
        newest() != before
    })?;
    let id = ask.book()?;
    match (outcome, newest().filter(|run| Some(*run) != before)) {
        (_, Some(run)) => Ok(Reply::Go(format!("/b/{id}/runs/{}", run.get()))),
        (Some(Outcome::Refused(refused)), None) => Ok(error::refused(ask, command, &refused)),
        (Some(Outcome::Done(_)) | None, None) => Ok(Reply::Go(format!("/b/{id}/runs?note=busy"))),
    }
}

/// Asks the run under way to stop after its step.
pub(crate) fn stop(ask: &Ask) -> Result<Reply, Fault> {
    act_and_go(ask, &Command::new("stop"), &back(ask)?)
}

/// Leaves a note for the run.
pub(crate) fn tell(ask: &Ask) -> Result<Reply, Fault> {
    let note = ask.form.filled("note").unwrap_or_default();
    // After `--` nothing is an option.
    let command = Command::new("tell --").word(note);
    act_and_go(ask, &command, &back(ask)?)
}

fn back(ask: &Ask) -> Result<String, Fault> {
    let book = ask.book()?;
    Ok(match ask.form.get("run").and_then(number) {
        Some(run) => format!("/b/{book}/runs/{run}"),
        None => format!("/b/{book}/runs"),
    })
}
