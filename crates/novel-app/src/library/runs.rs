//! Runs as their logs tell them: a list, one run followed to its end, and what the author tells one
//! that is under way. Writes nothing but files of the inbox, and takes no lock.

use novel_contract::{
    forecast::Estimate,
    run::{Happened, PostedAnswer, RunBrief, RunEvent, RunGoal, RunState, RunsAnswer},
    write::Spent,
};
use novel_model::{
    BookReader, ChapterNo, ErrorTable, Kind, RelPath, Row, RunId, layout, message, to_json_text,
};
use novel_store::{Fault, FsError, ProcessName, Store, StoreError};
use serde_json::{Value, json};

use crate::{BookError, Project, error::use_case_error, runner};

/// Longest note of `novel tell`, in characters: every prompt carries it.
const LONGEST_NOTE: usize = 2_000;

/// Names tried for a note before the inbox counts as full.
const INBOX_SIZE: u32 = 999;

/// Why a run cannot be shown or told anything.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunsError {
    /// Nothing was ever run here.
    #[error("there is no run")]
    NoRuns,
    /// There is no log of this run.
    #[error("there is no run {run}")]
    NoSuchRun {
        /// Run id given on the command line.
        run: RunId,
        /// Highest run id with a log.
        newest: RunId,
    },
    /// No run is under way.
    #[error("no run is under way")]
    NotRunning,
    /// A line of a log is no event.
    #[error("{path}: line {line} is no event")]
    Damaged {
        /// Run log that cannot be read.
        path: RelPath,
        /// First damaged line, counted from 1.
        line: u64,
    },
    /// A note without words, or too many of them.
    #[error("a note of {chars} characters")]
    BadNote {
        /// Characters of the note.
        chars: usize,
    },
    /// More notes wait than anyone reads.
    #[error("the inbox is full")]
    InboxFull,
}

impl ErrorTable for RunsError {
    fn row(&self) -> Row<'_> {
        let input = |code, message| Row::new(Kind::Input, code, message);
        match self {
            Self::NoRuns => input(
                "NO_SUCH_RUN",
                message!(en: "there are no runs yet", zh: "还没有运行过"),
            )
            .hint(message!(
                en: "start one with `novel run` or `novel continue`",
                zh: "用 `novel run` 或 `novel continue` 开始"
            )),
            Self::NoSuchRun { run, newest } => {
                let (run, newest) = (run.get(), newest.get());
                input(
                    "NO_SUCH_RUN",
                    message!(en: "there is no run {run}", zh: "没有第 {run} 次运行"),
                )
                .hint(message!(
                    en: "the newest is {newest}; `novel runs` lists them",
                    zh: "最近一次是 {newest}；`novel runs` 列出全部"
                ))
            }
            Self::NotRunning => input(
                "NO_RUN_UNDER_WAY",
                message!(en: "no run is under way", zh: "当前没有正在进行的运行"),
            )
            .hint(message!(
                en: "`novel runs` lists the runs so far", zh: "`novel runs` 列出以往的运行"
            )),
            Self::Damaged { path, line } => input(
                "DAMAGED_RUN_LOG",
                message!(
                    en: "`{path}`, line {line}: not an event of a run",
                    zh: "`{path}` 第 {line} 行不是运行事件"
                ),
            )
            .hint(message!(
                en: "nothing depends on this log; remove `{path}` to clear the error",
                zh: "没有别的内容依赖这份日志；删除 `{path}` 即可"
            )),
            Self::BadNote { chars } => {
                let message = if *chars == 0 {
                    message!(en: "the note is empty", zh: "要求是空的")
                } else {
                    message!(
                        en: "the note has {chars} characters; at most {LONGEST_NOTE} are taken",
                        zh: "要求共 {chars} 个字符，最多 {LONGEST_NOTE} 个"
                    )
                };
                input("BAD_NOTE", message).hint(message!(
                    en: "say in a few sentences what should be different",
                    zh: "用几句话说明希望怎么改"
                ))
            }
            Self::InboxFull => input(
                "INBOX_FULL",
                message!(
                    en: "{INBOX_SIZE} notes are already waiting in `.novel.inbox/`",
                    zh: "`.novel.inbox/` 里已有 {INBOX_SIZE} 条要求在等待"
                ),
            )
            .hint(message!(
                en: "`novel run` picks them up; or remove the files you do not need",
                zh: "用 `novel run` 让程序读取，或删除不需要的文件"
            )),
        }
    }
}

use_case_error! {
    /// Why a run cannot be shown or told anything.
    pub enum RunsFailure {
        /// The book cannot be read, or a file of the inbox cannot be written.
        Book(BookError),
        /// There is no such run, or nothing can be told to it.
        Runs(RunsError),
    }
}

/// Every run there is a log of, newest first. One whose log is damaged is an error with its place.
///
/// # Errors
/// When a log cannot be read.
pub fn list(project: &Project) -> Result<RunsAnswer, RunsFailure> {
    let store = project.store();
    let ids = runner::runs(&store.reader()?)?;
    let mut runs = Vec::new();
    for run in ids.iter().rev() {
        runs.push(Follow::of(project, *run).finish()?.brief()?);
    }
    Ok(RunsAnswer {
        runs,
        warnings: Vec::new(),
    })
}

/// A run to be followed: this one, the one under way, or the newest.
///
/// # Errors
/// When there is no such run.
pub fn follow(project: &Project, run: Option<RunId>) -> Result<Follow<'_>, RunsFailure> {
    let ids = runner::runs(&project.store().reader()?)?;
    let newest = *ids.last().ok_or(RunsError::NoRuns)?;
    let run = run.unwrap_or(newest);
    if !ids.contains(&run) {
        return Err(RunsError::NoSuchRun { run, newest }.into());
    }
    Ok(Follow::of(project, run))
}

/// A run that is over.
pub(crate) struct EndedRun {
    pub(crate) run: RunId,
    pub(crate) forecast: Option<Estimate>,
    /// How many chapters it committed.
    pub(crate) chapters: usize,
    pub(crate) cost_usd: Option<f64>,
}

/// The newest runs that are over, newest first.
pub(crate) fn ended(project: &Project, most: usize) -> Result<Vec<EndedRun>, BookError> {
    let ids = runner::runs(&project.store().reader()?)?;
    let mut ended = Vec::new();
    for run in ids.iter().rev().take(most) {
        // What a damaged log says is not known; the run is shown as damaged by `novel runs`.
        let Ok(Follow { told, .. }) = Follow::of(project, *run).finish() else {
            continue;
        };
        if let (Some((begun, _)), Some(_)) = (told.begun, told.stop) {
            ended.push(EndedRun {
                run: *run,
                forecast: begun.forecast,
                chapters: told.chapters.len(),
                cost_usd: told.spent.and_then(|spent| spent.cost_usd),
            });
        }
    }
    Ok(ended)
}

/// The newest run, if there is one.
///
/// # Errors
/// When the directory of logs cannot be read.
pub fn newest(project: &Project) -> Result<Option<RunId>, RunsFailure> {
    let ids = runner::runs(&project.store().reader()?)?;
    Ok(ids.last().copied())
}

/// The run under way, if any.
///
/// # Errors
/// When logs cannot be read.
pub fn under_way(project: &Project) -> Result<Option<RunBrief>, RunsFailure> {
    let ids = runner::runs(&project.store().reader()?)?;
    let Some(newest) = ids.last() else {
        return Ok(None);
    };
    let brief = Follow::of(project, *newest).finish()?.brief()?;
    Ok((brief.state == RunState::Running).then_some(brief))
}

/// Asks the run under way to stop after its step.
///
/// # Errors
/// When none is under way, or the wish cannot be written.
pub fn stop(project: &Project) -> Result<PostedAnswer, RunsFailure> {
    let run = under_way(project)?.ok_or(RunsError::NotRunning)?.run;
    let file = layout::inbox_stop();
    let wish = json!({"run": run, "at": project.now().to_string()});
    match project.store().post(&file, to_json_text(&wish).as_bytes()) {
        // It was asked for already.
        Err(error) if is_there(&error) => {}
        other => other?,
    }
    Ok(PostedAnswer {
        run: Some(run),
        file: file.to_string(),
        note: None,
    })
}

/// Leaves a note for writer, reviser and planner, which the run takes at its next call of one.
///
/// # Errors
/// When the note is empty or too long, or cannot be written.
pub fn tell(project: &Project, note: &str) -> Result<PostedAnswer, RunsFailure> {
    let note = note.trim();
    let chars = note.chars().count();
    if chars == 0 || chars > LONGEST_NOTE {
        return Err(RunsError::BadNote { chars }.into());
    }
    let run = under_way(project)?.map(|brief| brief.run);
    let text = to_json_text(&json!({"note": note, "at": project.now().to_string()}));
    let file = put(project.store(), &text)?;
    Ok(PostedAnswer {
        run,
        file: file.to_string(),
        note: Some(note.to_owned()),
    })
}

/// Puts a note after those that wait.
fn put(store: &Store, text: &str) -> Result<RelPath, RunsFailure> {
    let waiting = store.reader()?.list(&layout::inbox_dir())?;
    let numbers = waiting.iter().filter_map(|name| {
        name.strip_prefix("tell-")?
            .strip_suffix(".json")?
            .parse()
            .ok()
    });
    let first = numbers.max().map_or(1, |last: u32| last.saturating_add(1));
    for number in first..=INBOX_SIZE {
        let path = layout::inbox_note(number);
        match store.post(&path, text.as_bytes()) {
            // Someone else was quicker.
            Err(error) if is_there(&error) => {}
            Err(error) => return Err(error.into()),
            Ok(()) => return Ok(path),
        }
    }
    Err(RunsError::InboxFull.into())
}

fn is_there(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Fs(FsError {
            fault: Fault::Exists,
            ..
        })
    )
}

/// A run that is read as its log grows.
pub struct Follow<'a> {
    project: &'a Project,
    run: RunId,
    path: RelPath,
    /// How much was read.
    offset: u64,
    /// Bytes of a line that is not whole yet.
    rest: Vec<u8>,
    lines: u64,
    told: Told,
}

/// What the events so far say.
#[derive(Default)]
struct Told {
    begun: Option<(novel_contract::run::Begun, String)>,
    last_at: String,
    events: u64,
    chapters: Vec<ChapterNo>,
    spent: Option<Spent>,
    stop: Option<novel_contract::write::RunStop>,
    under_way: Vec<String>,
}

impl<'a> Follow<'a> {
    fn of(project: &'a Project, run: RunId) -> Self {
        Self {
            project,
            run,
            path: layout::run_log(run),
            offset: 0,
            rest: Vec::new(),
            lines: 0,
            told: Told::default(),
        }
    }

    /// The run.
    #[must_use]
    pub const fn run(&self) -> RunId {
        self.run
    }

    /// Whether nothing of the log was read yet.
    #[must_use]
    pub const fn is_unread(&self) -> bool {
        self.lines == 0
    }

    /// The events that were added since the last call. Kinds this program does not know are left out.
    ///
    /// # Errors
    /// When the log cannot be read, or a whole line of it is no event.
    pub fn more(&mut self) -> Result<Vec<RunEvent>, RunsFailure> {
        let mut events = Vec::new();
        loop {
            let piece = self.project.store().read_log(&self.path, self.offset)?;
            if piece.is_empty() {
                return Ok(events);
            }
            self.offset += u64::try_from(piece.len()).unwrap_or_default();
            self.rest.extend(piece);
            while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                self.lines += 1;
                events.extend(self.event(&line)?);
            }
        }
    }

    fn event(&mut self, line: &[u8]) -> Result<Option<RunEvent>, RunsFailure> {
        let damaged = || RunsError::Damaged {
            path: self.path.clone(),
            line: self.lines,
        };
        let value: Value = serde_json::from_slice(line).map_err(|_| damaged())?;
        let number = value.get("n").and_then(Value::as_u64);
        if number != Some(self.told.events + 1) {
            return Err(damaged().into());
        }
        self.told.events += 1;
        // One of a later version.
        let Ok(event) = serde_json::from_value::<RunEvent>(value) else {
            return Ok(None);
        };
        self.told.note(&event);
        Ok(Some(event))
    }

    /// Reads what there is.
    fn finish(mut self) -> Result<Self, RunsFailure> {
        self.more()?;
        Ok(self)
    }

    /// Whether more is to be expected.
    ///
    /// # Errors
    /// When the process cannot be looked at.
    pub fn state(&self) -> Result<RunState, RunsFailure> {
        if self.told.stop.is_some() {
            return Ok(RunState::Ended);
        }
        let Some((begun, _)) = &self.told.begun else {
            return Ok(RunState::Broken);
        };
        let process = ProcessName {
            pid: begun.pid,
            start: begun.process_start.clone(),
            host: begun.host.clone(),
        };
        let runs = self.project.store().is_running(&process)?;
        Ok(if runs {
            RunState::Running
        } else {
            RunState::Broken
        })
    }

    /// The run in short, as far as it was read.
    ///
    /// # Errors
    /// When the process cannot be looked at.
    pub fn brief(&self) -> Result<RunBrief, RunsFailure> {
        let told = &self.told;
        let goal = told
            .begun
            .as_ref()
            .map_or(RunGoal::Inquiry, |(begun, _)| begun.goal);
        let at = told.begun.as_ref().map(|(_, at)| at.clone());
        let state = self.state()?;
        Ok(RunBrief {
            run: self.run,
            log: self.path.to_string(),
            state,
            goal,
            begun_at: at.unwrap_or_default(),
            last_at: told.last_at.clone(),
            events: told.events,
            chapters: told.chapters.clone(),
            stop: told.stop,
            spent: told.spent.unwrap_or(Spent {
                calls: 0,
                reused: 0,
                input_tokens: 0,
                output_tokens: 0,
                cached_tokens: 0,
                cache_write_tokens: None,
                cost_usd: None,
            }),
            under_way: if state == RunState::Running {
                told.under_way.clone()
            } else {
                Vec::new()
            },
        })
    }
}

impl Told {
    fn note(&mut self, event: &RunEvent) {
        self.last_at.clone_from(&event.at);
        match &event.what {
            Happened::Begun(begun) => self.begun = Some((begun.clone(), event.at.clone())),
            Happened::Started { call, .. } => {
                if !self.under_way.contains(&call.step) {
                    self.under_way.push(call.step.clone());
                }
            }
            Happened::Answered { call, spent, .. } => {
                self.under_way.retain(|step| *step != call.step);
                self.spent = Some(*spent);
            }
            Happened::Failed { step, .. } => self.under_way.retain(|known| known != step),
            Happened::Committed { chapter, .. } => self.chapters.push(*chapter),
            Happened::Ended { stop, spent, .. } => {
                self.stop = Some(*stop);
                self.spent = Some(*spent);
                self.under_way.clear();
            }
            Happened::Text { .. }
            | Happened::Progress { .. }
            | Happened::Again { .. }
            | Happened::Accepted { .. }
            | Happened::Chosen { .. }
            | Happened::Gate { .. }
            | Happened::Warned { .. }
            | Happened::Told { .. }
            | Happened::StopRequested => {}
        }
    }
}
