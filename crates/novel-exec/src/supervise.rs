//! Standing in for a program and ending everything it started.
//!
//! In a view of its own the program's whole world ends with its first process, and that one with this
//! process. Elsewhere a process that leaves the program's group and session is still a descendant: this
//! process adopts every descendant whose parent ends (it is a *subreaper*), and ends its own children
//! until there are none. It does so when the program has ended, when it is asked to ([`END_NOW`]), and
//! when the process that started it is gone.

use std::{
    convert::Infallible,
    io::{self, Write},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::{
    io::Errno,
    process::{Signal, WaitOptions, getpid, getppid, kill_process, wait},
};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

use crate::{
    job::{Isolation, Job},
    process, sandbox,
    sandbox_error::SandboxError,
    stand_in, view,
};

/// The signal that asks a supervisor to end the program and everything it started at once.
pub(crate) const END_NOW: Signal = Signal::USR1;

/// How often to look whether the program has ended and the process that started this one still runs.
const WATCH: Duration = Duration::from_millis(5);
/// How often to look whether the descendants are gone.
const SWEEP_TICK: Duration = Duration::from_millis(1);
/// How long descendants may take to end once they are killed.
const SWEEP: Duration = Duration::from_secs(10);
/// The exit code when a descendant cannot be ended.
const SURVIVED: i32 = 125;

/// Runs the program of a job as this process would: with its streams, and to the same end. `launcher`
/// is this program's own file, which becomes the foreign program with its command `sandbox-exec`. Ends
/// this process when neither the program nor anything it started runs any more. Returns only when the
/// program cannot be started.
#[must_use]
pub fn supervise(file: &Path, launcher: &Path) -> SandboxError {
    let supervised = Job::read(file).and_then(|job| begin(&job, file, launcher));
    match supervised {
        Ok(never) => match never {},
        Err(error) => error,
    }
}

fn begin(job: &Job, file: &Path, launcher: &Path) -> Result<Infallible, SandboxError> {
    // Asked to end, the program decides how it ends; this process ends after it.
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGQUIT] {
        on_signal(signal)?;
    }
    let end_now = on_signal(END_NOW.as_raw())?;
    match job.isolation {
        Isolation::View => {
            sandbox::die_with_parent();
            view::enter(job)?;
        }
        Isolation::Landlock(_) | Isolation::None => process::adopt_orphans(),
    }
    let supervisor = std::process::id().to_string();
    let args = ["sandbox-exec".into(), file.into(), supervisor.into()];
    let leader = stand_in::start(launcher.as_os_str(), &args)?;
    // A process that is about to have its children in another PID namespace can have no threads, so
    // there is one loop for everything.
    let status = loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) if pid == leader => break status,
            Ok(Some(_)) | Err(Errno::INTR) => continue,
            Ok(None) => {}
            Err(error) => return Err(SandboxError::refused(error)),
        }
        if !process::is_process(getppid(), job.starter) || end_now.load(Ordering::Relaxed) {
            match job.isolation {
                // It takes all others with it.
                Isolation::View => drop(kill_process(leader, Signal::KILL)),
                Isolation::Landlock(_) | Isolation::None => process::kill_children(),
            }
        }
        thread::sleep(WATCH);
    };
    sweep();
    stand_in::exit_as(status)
}

fn on_signal(signal: i32) -> Result<Arc<AtomicBool>, SandboxError> {
    let flag = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal, Arc::clone(&flag)).map_err(SandboxError::refused)?;
    Ok(flag)
}

/// Ends all children, and theirs, which become children when their parent ends.
fn sweep() {
    let deadline = Instant::now() + SWEEP;
    loop {
        match wait(WaitOptions::NOHANG) {
            Err(Errno::CHILD) => return,
            Ok(Some(_)) | Err(_) => {}
            Ok(None) => {
                process::kill_children();
                thread::sleep(SWEEP_TICK);
            }
        }
        if Instant::now() >= deadline {
            let left = process::children_of(getpid());
            let names: Vec<String> = left.iter().map(process::Process::to_string).collect();
            // Whoever started this process shows its standard error.
            let _ = writeln!(
                io::stderr(),
                "processes that cannot be ended: {}",
                names.join(", ")
            );
            stand_in::exit(SURVIVED);
        }
    }
}
