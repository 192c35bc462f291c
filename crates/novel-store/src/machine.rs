//! What the store asks of the machine it runs on.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    process,
};

use jiff::Timestamp;

/// Whether a process runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Process {
    /// No process has this id.
    Gone,
    /// A process has this id.
    Running {
        /// When it was started, in a form only good for comparison; `None` when unknown.
        start: Option<String>,
        /// Whether it is suspended: it does nothing until someone lets it go on.
        suspended: bool,
    },
}

/// Time, process and identity of the machine.
pub trait Machine: Send + Sync {
    /// The time.
    fn now(&self) -> Timestamp;
    /// This process.
    fn pid(&self) -> u32;
    /// Some process of this machine.
    fn process(&self, pid: u32) -> Process;
    /// The machine's name.
    fn host(&self) -> String;
    /// Changes with every boot; `None` when unknown.
    fn boot_id(&self) -> Option<String>;
    /// Process numbers are comparable only within one; `None` when unknown.
    fn pid_namespace(&self) -> Option<String>;
    /// A text no one else has.
    fn random_token(&self) -> String;
}

/// The machine this program runs on.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealMachine;

impl Machine for RealMachine {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn pid(&self) -> u32 {
        process::id()
    }

    fn process(&self, pid: u32) -> Process {
        if let Some((state, start)) = proc_stat(pid) {
            // A zombie runs no more; it only waits to be reaped.
            return match state {
                'Z' | 'X' | 'x' => Process::Gone,
                state => Process::Running {
                    start: Some(start),
                    suspended: matches!(state, 'T' | 't'),
                },
            };
        }
        let pid = i32::try_from(pid)
            .ok()
            .and_then(rustix::process::Pid::from_raw);
        // The process of another user may be hidden, but not from a signal.
        match pid.map(rustix::process::test_kill_process) {
            None | Some(Err(rustix::io::Errno::SRCH)) => Process::Gone,
            Some(_) => Process::Running {
                start: None,
                suspended: false,
            },
        }
    }

    fn host(&self) -> String {
        rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned()
    }

    fn boot_id(&self) -> Option<String> {
        let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        Some(id.trim().to_owned())
    }

    fn pid_namespace(&self) -> Option<String> {
        let link = std::fs::read_link("/proc/self/ns/pid").ok()?;
        Some(link.to_string_lossy().into_owned())
    }

    fn random_token(&self) -> String {
        // Two freshly seeded hashers, told apart further by process and time.
        let part = || {
            let mut hasher = RandomState::new().build_hasher();
            hasher.write_u32(self.pid());
            hasher.write_i128(self.now().as_nanosecond());
            hasher.finish()
        };
        format!("{:016x}{:016x}", part(), part())
    }
}

/// State and start time (fields 3 and 22) of `/proc/PID/stat`.
fn proc_stat(pid: u32) -> Option<(char, String)> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    // The name in parentheses may itself hold blanks and parentheses.
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split(' ');
    let state = fields.next()?.chars().next()?;
    let start = fields.nth(18)?;
    Some((state, start.to_owned()))
}
