//! Running a program and ending everything it started.
//!
//! The program leads a process group of its own. However the run ends, the group is gone when
//! [`run`] returns: nothing goes on writing behind the caller's back. Processes that left the group are
//! ended by the supervisor, when the program is one ([`crate::supervise`]), or by this process, where
//! it adopted them because the supervisor was killed. The leader is reaped after its group is ended, so
//! the group's number cannot belong to anyone else at that moment.

use std::{
    ffi::OsString,
    io::{Read, Write},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, test_kill_process_group,
    waitid,
};

use crate::{ChildError, process, supervise::END_NOW, words};

/// How often a cancellation is looked for.
const TICK: Duration = Duration::from_millis(20);
/// How long a program may take to end when asked to, before it is made to.
const GRACE: Duration = Duration::from_secs(2);
/// How long a supervisor may take to end everything.
const SUPERVISED_END: Duration = Duration::from_secs(15);
/// How long to wait for the end of the output after the whole group is gone.
const LINGER: Duration = Duration::from_secs(1);
/// How often to look whether the group is gone.
const SETTLE_TICK: Duration = Duration::from_millis(1);
/// How much of what a program said is kept for people.
const TAIL: usize = 8 * 1024;
/// Bytes read at once.
const PIECE: usize = 64 * 1024;

/// A program to run.
#[derive(Debug, Clone)]
pub struct ChildSpec {
    /// What it is called in messages.
    pub name: String,
    /// Its file.
    pub program: PathBuf,
    /// Its arguments. No shell reads them.
    pub args: Vec<OsString>,
    /// Where it runs.
    pub dir: PathBuf,
    /// Its whole environment.
    pub env: Vec<(String, OsString)>,
    /// What it reads.
    pub stdin: Vec<u8>,
    /// Longest run.
    pub timeout: Duration,
    /// Most bytes it may write to standard output.
    pub max_output_bytes: usize,
}

/// What a program wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildOutput {
    name: String,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// The end of standard error.
    pub stderr_tail: String,
}

impl ChildOutput {
    /// What it said last on either stream; `None` if nothing.
    #[must_use]
    pub fn last_words(&self) -> Option<String> {
        words::last_words(&self.stderr_tail, &tail_of(&self.stdout))
    }

    /// Standard output as text.
    ///
    /// # Errors
    /// When it is not UTF-8.
    pub fn text(self) -> Result<String, ChildError> {
        String::from_utf8(self.stdout).map_err(|error| ChildError::NotUtf8 {
            program: self.name,
            offset: error.utf8_error().valid_up_to(),
        })
    }
}

enum Event {
    Output(Vec<u8>),
    OutputEnd,
    /// The end of standard error, all read.
    Stderr(String),
    /// The leader ended; it is not reaped yet.
    Exited,
}

/// Runs a program to its end. `on_output` sees its output as it comes, as text as near as can be.
///
/// # Errors
/// When it cannot be started, fails, or is ended because of a limit or because `is_cancelled`.
pub fn run(
    spec: &ChildSpec,
    is_cancelled: &dyn Fn() -> bool,
    on_output: &mut dyn FnMut(&str),
) -> Result<ChildOutput, ChildError> {
    let mut group = Group::start(spec)?;
    let deadline = Instant::now() + spec.timeout;
    let mut collected = Collected::new(spec, on_output);
    let stopped = loop {
        match group.events.recv_timeout(TICK) {
            Ok(Event::Exited) | Err(RecvTimeoutError::Disconnected) => break None,
            Ok(event) => {
                if let Err(error) = collected.take(event) {
                    break Some(error);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let program = || spec.name.clone();
        if is_cancelled() {
            break Some(ChildError::Cancelled { program: program() });
        }
        if Instant::now() >= deadline {
            break Some(ChildError::Timeout {
                program: program(),
                limit: spec.timeout,
            });
        }
    };
    if let Some(error) = stopped {
        group.ask_to_end();
        return Err(error);
    }
    let status = group.end().map_err(|source| ChildError::Start {
        program: spec.name.clone(),
        source,
    })?;
    collected.drain(&group.events)?;
    collected.finish(status)
}

/// A running program and everything it started.
struct Group {
    child: Child,
    id: Option<Pid>,
    events: Receiver<Event>,
    state: State,
}

#[derive(PartialEq, Eq)]
enum State {
    Running,
    Reaped,
}

impl Group {
    fn start(spec: &ChildSpec) -> Result<Self, ChildError> {
        let failed = |source: std::io::Error| match source.kind() {
            std::io::ErrorKind::NotFound => ChildError::NotFound {
                program: spec.name.clone(),
            },
            _ => ChildError::Start {
                program: spec.name.clone(),
                source,
            },
        };
        let mut child = Command::new(&spec.program)
            .args(&spec.args)
            .env_clear()
            .envs(spec.env.iter().map(|(name, value)| (name, value)))
            .current_dir(&spec.dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let id = Pid::from_raw(child.id().cast_signed());
        leaders().extend(id);
        // Bounded: a program that writes faster than it is read has to wait.
        let (sender, events) = sync_channel(16);
        if let Some(mut stdin) = stdin {
            let bytes = spec.stdin.clone();
            // A program need not read what it is given.
            thread::spawn(move || drop(stdin.write_all(&bytes)));
        }
        if let Some(stdout) = stdout {
            let sender = sender.clone();
            thread::spawn(move || read_output(stdout, &sender));
        }
        if let Some(stderr) = stderr {
            let sender = sender.clone();
            thread::spawn(move || drop(sender.send(Event::Stderr(read_tail(stderr)))));
        }
        if let Some(id) = id {
            thread::spawn(move || {
                wait_without_reaping(id);
                drop(sender.send(Event::Exited));
            });
        }
        Ok(Self {
            child,
            id,
            events,
            state: State::Running,
        })
    }

    fn signal(&self, signal: Signal) {
        if let Some(id) = self.id {
            // A group that is gone needs no signal.
            let _ = kill_process_group(id, signal);
        }
    }

    /// Asks the group to end, and ends it after the time of grace.
    fn ask_to_end(&mut self) {
        self.signal(Signal::TERM);
        if !self.exits_within(GRACE)
            && let Some(id) = self.id
        {
            // A supervisor takes everything with it; any other leader ends by it as well.
            let _ = kill_process(id, END_NOW);
            self.exits_within(SUPERVISED_END);
        }
        // Reported already; the reason to stop is the better error.
        let _ = self.end();
    }

    fn exits_within(&self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(Event::Exited) => return true,
                Ok(_) => {}
                Err(_) => return false,
            }
        }
    }

    /// Ends whatever is left of the group and reaps the leader.
    fn end(&mut self) -> std::io::Result<ExitStatus> {
        self.signal(Signal::KILL);
        let status = self.child.wait()?;
        self.state = State::Reaped;
        self.settle();
        let mut leaders = leaders();
        leaders.retain(|id| Some(*id) != self.id);
        if status.signal().is_some() {
            // A supervisor that is killed ends nobody any more.
            process::end_orphans_but(|pid| leaders.contains(&pid));
        }
        Ok(status)
    }

    /// Waits until nobody of the group runs: a killed process may still be inside a write.
    fn settle(&self) {
        let deadline = Instant::now() + LINGER;
        while let Some(id) = self.id
            && test_kill_process_group(id).is_ok()
            && has_runner(id)
            && Instant::now() < deadline
        {
            thread::sleep(SETTLE_TICK);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // After a panic in the caller's `on_output`.
        if self.state == State::Running {
            let _ = self.end();
        }
    }
}

/// The programs this process has started and not reaped.
fn leaders() -> std::sync::MutexGuard<'static, Vec<Pid>> {
    static LEADERS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());
    LEADERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a process of the group still runs; where the system does not tell, it does.
fn has_runner(group: Pid) -> bool {
    process::all().is_none_or(|all| all.iter().any(|process| process.group == Some(group)))
}

fn wait_without_reaping(id: Pid) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(id), options) {}
}

fn read_output(mut stdout: impl Read, sender: &SyncSender<Event>) {
    let mut piece = vec![0; PIECE];
    loop {
        match stdout.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => {
                if sender.send(Event::Output(piece[..count].to_vec())).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    drop(sender.send(Event::OutputEnd));
}

fn read_tail(mut stderr: impl Read) -> String {
    let mut tail = Vec::new();
    let mut piece = vec![0; PIECE];
    loop {
        match stderr.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => {
                tail.extend(&piece[..count]);
                let extra = tail.len().saturating_sub(TAIL);
                tail.drain(..extra);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    // It is shown on terminals.
    words::plain(&String::from_utf8_lossy(&tail))
}

/// The end of an output as text for people.
fn tail_of(output: &[u8]) -> String {
    let from = output.len().saturating_sub(TAIL);
    words::plain(&String::from_utf8_lossy(&output[from..]))
}

/// The output so far.
struct Collected<'a> {
    spec: &'a ChildSpec,
    on_output: &'a mut dyn FnMut(&str),
    stdout: Vec<u8>,
    /// How much of it was shown.
    shown: usize,
    output: Part,
    stderr: Option<String>,
}

#[derive(PartialEq, Eq)]
enum Part {
    Open,
    Whole,
}

impl<'a> Collected<'a> {
    fn new(spec: &'a ChildSpec, on_output: &'a mut dyn FnMut(&str)) -> Self {
        Self {
            spec,
            on_output,
            stdout: Vec::new(),
            shown: 0,
            output: Part::Open,
            stderr: None,
        }
    }

    fn take(&mut self, event: Event) -> Result<(), ChildError> {
        match event {
            Event::Output(bytes) => {
                let limit = self.spec.max_output_bytes;
                if self.stdout.len() + bytes.len() > limit {
                    let program = self.spec.name.clone();
                    return Err(ChildError::TooMuchOutput { program, limit });
                }
                self.stdout.extend(bytes);
                self.show();
            }
            Event::OutputEnd => self.output = Part::Whole,
            Event::Stderr(tail) => self.stderr = Some(tail),
            Event::Exited => {}
        }
        Ok(())
    }

    /// Shows what is new, up to a character that has not wholly arrived.
    fn show(&mut self) {
        let new = &self.stdout[self.shown..];
        let whole = match std::str::from_utf8(new) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => new.len(),
        };
        if whole > 0 {
            (self.on_output)(&String::from_utf8_lossy(&new[..whole]));
            self.shown += whole;
        }
    }

    /// Takes what lies in the pipes. Their other ends are closed, unless a process escaped and holds
    /// them; that one is not waited for.
    fn drain(&mut self, events: &Receiver<Event>) -> Result<(), ChildError> {
        let deadline = Instant::now() + LINGER;
        while self.output == Part::Open || self.stderr.is_none() {
            let left = deadline.saturating_duration_since(Instant::now());
            match events.recv_timeout(left) {
                Ok(event) => self.take(event)?,
                Err(_) => break,
            }
        }
        Ok(())
    }

    fn finish(self, status: ExitStatus) -> Result<ChildOutput, ChildError> {
        let name = self.spec.name.clone();
        let stderr_tail = self.stderr.unwrap_or_default();
        if status.success() {
            return Ok(ChildOutput {
                name,
                stdout: self.stdout,
                stderr_tail,
            });
        }
        let status = match (status.code(), status.signal()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("signal {signal}"),
            (None, None) => status.to_string(),
        };
        Err(ChildError::Failed {
            program: name,
            status,
            stderr: stderr_tail,
            stdout: tail_of(&self.stdout),
        })
    }
}
