//! Processes as `/proc` shows them.

use std::{
    fmt, fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, waitpid};

/// A process that runs: the dead that nobody has collected are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    pub(crate) pid: Pid,
    parent: Option<Pid>,
    pub(crate) group: Option<Pid>,
    name: String,
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name: String = self.name.chars().filter(|c| !c.is_control()).collect();
        write!(f, "{} ({name})", self.pid)
    }
}

impl Process {
    /// From `/proc/PID/stat`: the number, the name in parentheses (which may hold anything), then
    /// state, parent and group.
    fn parse(stat: &str) -> Option<Self> {
        let (head, facts) = stat.rsplit_once(')')?;
        let (pid, name) = head.split_once(" (")?;
        let mut facts = facts.split_whitespace();
        if matches!(facts.next()?, "Z" | "X") {
            return None;
        }
        let mut number = || Pid::from_raw(facts.next()?.parse().ok()?);
        Some(Self {
            pid: Pid::from_raw(pid.parse().ok()?)?,
            parent: number(),
            group: number(),
            name: name.to_owned(),
        })
    }
}

/// Every process that runs; `None` where the system does not tell.
pub(crate) fn all() -> Option<Vec<Process>> {
    let entries = fs::read_dir("/proc").ok()?;
    let stats = entries
        .flatten()
        .filter(|entry| entry.file_name().as_encoded_bytes()[0].is_ascii_digit())
        // A name need not be UTF-8.
        .filter_map(|entry| fs::read(entry.path().join("stat")).ok());
    let processes = stats.filter_map(|stat| Process::parse(&String::from_utf8_lossy(&stat)));
    Some(processes.collect())
}

/// The number of this process's parent in the `/proc` it sees.
pub(crate) fn parent_in_proc() -> Option<u32> {
    let stat = fs::read("/proc/self/stat").ok()?;
    let parent = Process::parse(&String::from_utf8_lossy(&stat))?.parent?;
    u32::try_from(parent.as_raw_pid()).ok()
}

/// Whether a process has this number.
pub(crate) fn is_process(pid: Option<Pid>, number: u32) -> bool {
    pid.is_some_and(|pid| u32::try_from(pid.as_raw_pid()) == Ok(number))
}

/// The processes that `parent` started or adopted.
pub(crate) fn children_of(parent: Pid) -> Vec<Process> {
    let all = all().unwrap_or_default();
    let is_child = |process: &Process| process.parent == Some(parent);
    all.into_iter().filter(is_child).collect()
}

/// Kills every child of this process.
pub(crate) fn kill_children() {
    for child in children_of(getpid()) {
        kill(&child);
    }
}

fn kill(process: &Process) {
    // One that is gone needs no signal.
    let _ = kill_process(process.pid, Signal::KILL);
}

/// Whether this process adopts orphans.
static ADOPTS: AtomicBool = AtomicBool::new(false);

/// Makes this process the parent of every descendant whose parent ends, where the system can.
pub fn adopt_orphans() {
    ADOPTS.store(true, Ordering::Relaxed);
    #[cfg(target_os = "linux")]
    // Without it the group is still ended; nothing better is left to do.
    let _ = rustix::process::set_child_subreaper(Some(getpid()));
}

/// Keeps other processes of the same user from reading the memory and the environment of this process, where the
/// system can. Those with the rights of the superuser still can.
pub fn close_to_others() {
    #[cfg(target_os = "linux")]
    // Without it nothing is lost but that protection, which is told beforehand.
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

/// Kills and collects the children of this process but for some, until there are none; where it adopts
/// no orphans, all are its own.
pub(crate) fn end_orphans_but(kept: impl Fn(Pid) -> bool) {
    /// More rounds than a chain of processes that start each other is worth.
    const ROUNDS: usize = 1_000;
    if !ADOPTS.load(Ordering::Relaxed) {
        return;
    }
    for _ in 0..ROUNDS {
        let mut children = children_of(getpid());
        children.retain(|child| !kept(child.pid));
        if children.is_empty() {
            return;
        }
        for child in &children {
            kill(child);
            let _ = waitpid(Some(child.pid), WaitOptions::empty());
        }
    }
}

/// Ends every process whose environment holds all of these variables; returns those that were found.
#[must_use]
pub fn end_marked(marks: &[String]) -> Vec<Process> {
    let mut marked = all().unwrap_or_default();
    marked.retain(|process| process.pid != getpid() && has_marks(process.pid, marks));
    marked.iter().for_each(kill);
    marked
}

fn has_marks(pid: Pid, marks: &[String]) -> bool {
    let place = Path::new("/proc").join(pid.to_string()).join("environ");
    // A process of somebody else cannot be read, and is none of ours.
    let environment = fs::read(place).unwrap_or_default();
    let holds = |mark: &String| {
        let mut variables = environment.split(|byte| *byte == 0);
        variables.any(|variable| variable == mark.as_bytes())
    };
    !environment.is_empty() && marks.iter().all(holds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let stat = "17 (a) Z (b) c) S 4 17 17 0 -1";
        let process = Process::parse(stat).unwrap();
        assert_eq!(process.to_string(), "17 (a) Z (b) c)");
        assert_eq!(
            (process.parent, process.group),
            (Pid::from_raw(4), Pid::from_raw(17))
        );
        assert_eq!(Process::parse("17 (a) Z 4 17 17"), None);
        assert_eq!(Process::parse("nonsense"), None);
    }

    #[test]
    fn this_process_runs() {
        assert!(all().unwrap().iter().any(|process| process.pid == getpid()));
    }
}
