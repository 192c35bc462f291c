//! A machine whose time, processes and identity a test decides.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard},
};

use jiff::{SignedDuration, Timestamp};
use novel_store::{Machine, Process};

/// State of a [`SimMachine`].
#[derive(Debug, Clone)]
struct State {
    now: Timestamp,
    pid: u32,
    running: BTreeMap<u32, Option<String>>,
    suspended: BTreeSet<u32>,
    host: String,
    boot_id: Option<String>,
    pid_namespace: Option<String>,
    tokens: u64,
}

/// A scripted [`Machine`]. Its own process runs; no other does until told.
#[derive(Debug)]
pub struct SimMachine(Mutex<State>);

impl Default for SimMachine {
    fn default() -> Self {
        Self::with_pid(100)
    }
}

impl SimMachine {
    /// Machine `desk`, first boot, in 2026, seen from process `pid`.
    #[must_use]
    pub fn with_pid(pid: u32) -> Self {
        Self(Mutex::new(State {
            now: "2026-02-21T15:30:00Z".parse().unwrap(),
            pid,
            running: BTreeMap::from([(pid, Some(format!("start-{pid}")))]),
            suspended: BTreeSet::new(),
            host: "desk".to_owned(),
            boot_id: Some("boot-1".to_owned()),
            pid_namespace: Some("pid:[1]".to_owned()),
            tokens: 0,
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// Lets time pass.
    pub fn advance(&self, by: SignedDuration) {
        self.state().now += by;
    }

    /// Sets the time.
    pub fn set_now(&self, now: Timestamp) {
        self.state().now = now;
    }

    /// Starts another process.
    pub fn start(&self, pid: u32, start: Option<&str>) {
        self.state().running.insert(pid, start.map(str::to_owned));
    }

    /// Suspends a process.
    pub fn suspend(&self, pid: u32) {
        self.state().suspended.insert(pid);
    }

    /// Ends a process.
    pub fn end(&self, pid: u32) {
        self.state().running.remove(&pid);
    }

    /// Renames the machine.
    pub fn set_host(&self, host: &str) {
        self.state().host = host.to_owned();
    }

    /// Sets the boot.
    pub fn set_boot_id(&self, boot: Option<&str>) {
        self.state().boot_id = boot.map(str::to_owned);
    }

    /// Sets the process namespace.
    pub fn set_pid_namespace(&self, namespace: Option<&str>) {
        self.state().pid_namespace = namespace.map(str::to_owned);
    }
}

impl Machine for SimMachine {
    fn now(&self) -> Timestamp {
        self.state().now
    }

    fn pid(&self) -> u32 {
        self.state().pid
    }

    fn process(&self, pid: u32) -> Process {
        let state = self.state();
        match state.running.get(&pid) {
            Some(start) => Process::Running {
                start: start.clone(),
                suspended: state.suspended.contains(&pid),
            },
            None => Process::Gone,
        }
    }

    fn host(&self) -> String {
        self.state().host.clone()
    }

    fn boot_id(&self) -> Option<String> {
        self.state().boot_id.clone()
    }

    fn pid_namespace(&self) -> Option<String> {
        self.state().pid_namespace.clone()
    }

    fn random_token(&self) -> String {
        let mut state = self.state();
        state.tokens += 1;
        format!("token-{}-{}", state.pid, state.tokens)
    }
}
