//! Who holds the single-writer lock, and whether that still counts.

use jiff::{SignedDuration, Timestamp};
use novel_contract::care as contract;
use novel_model::{Explain, Kind, Lang, Message, RelPathError, layout, message};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{
    fs::{Fault, FileSystem, FsError},
    machine::{Machine, Process},
};

/// A lock whose holder gave no sign of life for this long is stale.
pub const STALE_AFTER: SignedDuration = SignedDuration::from_mins(30);

/// No honest `info.json` is larger.
const INFO_LIMIT: u64 = 64 * 1024;

/// `.novel.lock/info.json`. Older tools write only the first three fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockInfo {
    /// Process of the holder.
    pub pid: u32,
    /// When the lock was taken.
    pub started: Timestamp,
    /// The chapter it was taken for.
    #[serde(default)]
    pub chapter: Option<u32>,
    /// Machine of the holder.
    #[serde(default)]
    pub host: Option<String>,
    /// Start of the holder's process: tells it from a later one with its number.
    #[serde(default)]
    pub process_start: Option<String>,
    /// Last sign of life.
    #[serde(default)]
    pub heartbeat: Option<Timestamp>,
    /// Identity of this very lock.
    #[serde(default)]
    pub token: Option<String>,
    /// Boot of the holder's machine.
    #[serde(default)]
    pub boot_id: Option<String>,
    /// Process namespace of the holder.
    #[serde(default)]
    pub pid_namespace: Option<String>,
    /// While operations are taken or brought back: the newest operation before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation: Option<u64>,
}

/// Why a lock no longer counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StaleReason {
    /// No sign of life for [`STALE_AFTER`].
    Silent,
    /// The holder's process has ended.
    ProcessGone,
    /// The machine was started anew since.
    Rebooted,
}

/// The holder of a lock, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// What it wrote about itself; older tools may leave nothing.
    pub info: Option<LockInfo>,
    /// Time since its last sign of life; negative where that is in the future.
    pub age: SignedDuration,
    /// How far its clock is ahead, where it wrote of a sign of life in the future.
    pub clock_ahead: Option<SignedDuration>,
    /// Whether it is suspended.
    pub suspended: bool,
}

/// State of the lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LockStatus {
    /// No one holds it.
    Free,
    /// A live holder.
    Held(Holder),
    /// A holder that no longer counts; the next writer takes over.
    Stale(Holder, StaleReason),
    /// Something is there that cannot be understood; never taken for free.
    Damaged {
        /// What is wrong with it.
        reason: String,
    },
}

impl LockStatus {
    /// The lock as answers tell it.
    #[must_use]
    pub fn answer(&self) -> contract::Lock {
        match self {
            Self::Free => contract::Lock::Free,
            Self::Held(holder) => contract::Lock::Held {
                holder: holder.answer(),
            },
            Self::Stale(holder, reason) => contract::Lock::Stale {
                reason: reason.code().to_owned(),
                holder: holder.answer(),
            },
            Self::Damaged { reason } => contract::Lock::Damaged {
                reason: reason.clone(),
            },
        }
    }

    /// Looks at the lock. Writes nothing.
    pub(crate) fn examine(fs: &dyn FileSystem, machine: &dyn Machine) -> Result<Self, FsError> {
        let Some(meta) = fs.metadata(&layout::lock_dir())? else {
            return Ok(Self::Free);
        };
        let info = match fs.read(&layout::lock_info(), INFO_LIMIT) {
            Ok(bytes) => match serde_json::from_slice::<LockInfo>(&bytes) {
                Ok(info) => Some(info),
                Err(error) => {
                    let reason = error.to_string();
                    return Ok(Self::Damaged { reason });
                }
            },
            Err(FsError {
                fault: Fault::NotFound,
                ..
            }) => match fs.metadata(&layout::lock_dir())? {
                // Released between the two looks.
                None => return Ok(Self::Free),
                Some(_) => None,
            },
            Err(error) if matches!(error.fault, Fault::Io(_)) => return Err(error),
            Err(error) => {
                let reason = error.fault.to_string();
                return Ok(Self::Damaged { reason });
            }
        };
        let now = machine.now();
        let told = info.as_ref().map_or(meta.modified, |info| {
            info.heartbeat.unwrap_or(info.started).max(info.started)
        });
        let clock_ahead = (told > now).then(|| told.duration_since(now));
        // A clock that is ahead tells nothing; the file system saw the holder too.
        let sign_of_life = clock_ahead.map_or(told, |_| told.min(meta.modified));
        let age = now.duration_since(sign_of_life);
        let process = info.as_ref().map(|info| process_of(info, machine));
        // A process that is seen to run is not silent because of a clock.
        let runs = clock_ahead.is_some() && matches!(process, Some(Seen::Running { .. }));
        let reason = match process {
            _ if age > STALE_AFTER && !runs => Some(StaleReason::Silent),
            Some(Seen::Ended(reason)) => Some(reason),
            Some(Seen::Running { .. } | Seen::Unknown) | None => None,
        };
        let suspended = matches!(process, Some(Seen::Running { suspended: true }));
        let holder = Holder {
            info,
            age,
            clock_ahead,
            suspended,
        };
        Ok(match reason {
            Some(reason) => Self::Stale(holder, reason),
            None => Self::Held(holder),
        })
    }
}

/// What can be seen of the process of a holder from here.
#[derive(Clone, Copy)]
enum Seen {
    /// It runs on another machine, or nothing tells it from a later process with its number.
    Unknown,
    Running {
        suspended: bool,
    },
    /// It cannot be running any more.
    Ended(StaleReason),
}

fn process_of(info: &LockInfo, machine: &dyn Machine) -> Seen {
    if info.host.as_deref() != Some(machine.host().as_str()) {
        return Seen::Unknown;
    }
    if let (Some(then), Some(now)) = (&info.boot_id, machine.boot_id())
        && *then != now
    {
        return Seen::Ended(StaleReason::Rebooted);
    }
    if info.pid_namespace != machine.pid_namespace() {
        return Seen::Unknown;
    }
    match machine.process(info.pid) {
        Process::Gone => Seen::Ended(StaleReason::ProcessGone),
        Process::Running { start, suspended } => match (&info.process_start, start) {
            (Some(then), Some(now)) if *then != now => Seen::Ended(StaleReason::ProcessGone),
            (Some(_), Some(_)) => Seen::Running { suspended },
            _ => Seen::Unknown,
        },
    }
}

impl Holder {
    /// The holder in one phrase.
    #[must_use]
    pub fn describe(&self) -> Message {
        let seen = self.last_seen();
        let Some(info) = &self.info else {
            return Message {
                en: format!("an unknown process ({})", seen.en),
                zh: format!("未知进程（{}）", seen.zh),
            };
        };
        let pid = info.pid;
        let host = info.host.as_deref().unwrap_or("?");
        let mut text = message!(
            en: "process {pid} on `{host}`", zh: "`{host}` 上的进程 {pid}"
        );
        if let Some(chapter) = info.chapter {
            text.en.push_str(&format!(", chapter {chapter}"));
            text.zh.push_str(&format!("，第 {chapter} 章"));
        }
        if self.suspended {
            text.en.push_str(", suspended");
            text.zh.push_str("，已挂起");
        }
        text.en.push_str(&format!(", {}", seen.en));
        text.zh.push_str(&format!("，{}", seen.zh));
        text
    }

    fn last_seen(&self) -> Message {
        let Message { en, zh } = span(self.age);
        match self.clock_ahead.map(span) {
            None => message!(en: "last seen {en} ago", zh: "{zh}前仍在运行"),
            Some(Message { en, zh }) if self.age.is_negative() => message!(
                en: "last seen {en} in the future (a clock is wrong)",
                zh: "最近一次活动在 {zh}之后（有一方时钟不准）"
            ),
            Some(Message {
                en: ahead_en,
                zh: ahead_zh,
            }) => message!(
                en: "last seen {en} ago (its clock is {ahead_en} ahead)",
                zh: "{zh}前仍在运行（其时钟快了 {ahead_zh}）"
            ),
        }
    }

    /// What brings a suspended holder back or ends it.
    fn resume_hint(&self) -> Option<Message> {
        let pid = self.info.as_ref().filter(|_| self.suspended)?.pid;
        Some(message!(
            en: "process {pid} is suspended: let it go on with `kill -CONT {pid}`, or end it with `kill -KILL {pid}`; then run the same command again",
            zh: "进程 {pid} 已挂起：用 `kill -CONT {pid}` 让它继续，或用 `kill -KILL {pid}` 结束它，然后再运行同一命令"
        ))
    }

    /// The holder as answers tell it. The token is the holder's alone.
    #[must_use]
    pub fn answer(&self) -> contract::Holder {
        let process = |info: &LockInfo| contract::LockProcess {
            pid: info.pid,
            started: info.started.to_string(),
            chapter: info.chapter,
            host: info.host.clone(),
            process_start: info.process_start.clone(),
            heartbeat: info.heartbeat.map(|time| time.to_string()),
            boot_id: info.boot_id.clone(),
            pid_namespace: info.pid_namespace.clone(),
        };
        contract::Holder {
            process: self.info.as_ref().map(process),
            age_seconds: self.age.as_secs(),
            clock_ahead_seconds: self.clock_ahead.map(|ahead| ahead.as_secs()),
            suspended: self.suspended,
        }
    }
}

impl StaleReason {
    /// Stable machine code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::ProcessGone => "process_gone",
            Self::Rebooted => "rebooted",
        }
    }

    /// The reason for people.
    #[must_use]
    pub fn message(self) -> Message {
        match self {
            Self::Silent => message!(
                en: "no sign of life for over 30 minutes", zh: "超过 30 分钟没有心跳"
            ),
            Self::ProcessGone => message!(
                en: "the process has ended", zh: "该进程已结束"
            ),
            Self::Rebooted => message!(
                en: "the machine has been restarted since", zh: "此后机器已重启"
            ),
        }
    }
}

/// `48 s`, `12 min`, `3 h 05 min`, `12 d`.
fn span(age: SignedDuration) -> Message {
    let seconds = age.abs().as_secs();
    let (minutes, hours, days) = (seconds % 3600 / 60, seconds / 3600, seconds / 86_400);
    match seconds {
        ..60 => message!(en: "{seconds} s", zh: "{seconds} 秒"),
        60..3600 => message!(en: "{minutes} min", zh: "{minutes} 分钟"),
        3600..172_800 => {
            message!(en: "{hours} h {minutes:02} min", zh: "{hours} 小时 {minutes} 分钟")
        }
        _ => message!(en: "{days} d", zh: "{days} 天"),
    }
}

/// Why the lock could not be taken or kept.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds the lock.
    #[error("the project is locked by {}", holder.describe().en)]
    Held {
        /// Process, host and age of the lock.
        holder: Box<Holder>,
    },
    /// Another process is inside a write and does not release the project directory.
    #[error("another process is inside a write")]
    Busy {
        /// Who, if it is known.
        holder: Option<Box<Holder>>,
    },
    /// The lock cannot be understood.
    #[error("the lock `{}` is damaged: {reason}", layout::lock_info())]
    Damaged {
        /// What is wrong with it.
        reason: String,
    },
    /// The lock was taken over or removed while this process held it.
    #[error("the lock was lost to another writer")]
    Lost,
    /// A file operation on the lock failed.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// A token that is no file name.
    #[error(transparent)]
    Token(#[from] RelPathError),
    /// The lock's description could not be written down.
    #[error("the lock's description cannot be encoded")]
    Encode(#[from] serde_json::Error),
}

impl LockError {
    pub(crate) fn held(holder: Holder) -> Self {
        let holder = Box::new(holder);
        Self::Held { holder }
    }
}

impl Explain for LockError {
    fn kind(&self) -> Kind {
        match self {
            Self::Held { .. } | Self::Busy { .. } | Self::Damaged { .. } | Self::Lost => {
                Kind::Locked
            }
            Self::Fs(error) => error.kind(),
            Self::Token(_) | Self::Encode(_) => Kind::Internal,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Held { .. } => "LOCK_HELD",
            Self::Busy { .. } => "LOCK_BUSY",
            Self::Damaged { .. } => "LOCK_DAMAGED",
            Self::Lost => "LOCK_LOST",
            Self::Fs(error) => error.code(),
            Self::Token(error) => error.code(),
            Self::Encode(_) => "LOCK_ENCODE",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::Held { holder } => {
                let holder = holder.describe();
                Message {
                    en: format!("the project is locked by {}", holder.en),
                    zh: format!("项目已被锁定：{}", holder.zh),
                }
            }
            Self::Busy { holder } => match holder.as_ref().map(|holder| holder.describe()) {
                Some(holder) => Message {
                    en: format!(
                        "inside a write and does not release the project: {}",
                        holder.en
                    ),
                    zh: format!("正在写入且一直占用项目：{}", holder.zh),
                },
                None => message!(
                    en: "another process is inside a write and does not release the project",
                    zh: "另一个进程正在写入且一直占用项目"
                ),
            },
            Self::Damaged { reason } => {
                let path = layout::lock_info();
                message!(
                    en: "the lock `{path}` is damaged ({reason}), so it does not count as free",
                    zh: "锁文件 `{path}` 已损坏（{reason}），不视为空闲"
                )
            }
            Self::Lost => message!(
                en: "this process lost the lock to another writer; nothing was written",
                zh: "本进程的锁已被其他进程接管；没有写入任何内容"
            ),
            Self::Fs(error) => error.message(),
            Self::Token(error) => error.message(),
            Self::Encode(error) => message!(
                en: "the lock's description cannot be encoded: {error}",
                zh: "无法编码锁信息：{error}"
            ),
        }
    }

    fn hint(&self) -> Option<Message> {
        let held = match self {
            Self::Held { holder } => Some(holder),
            Self::Busy { holder } => holder.as_ref(),
            _ => None,
        };
        if let Some(hint) = held.and_then(|holder| holder.resume_hint()) {
            return Some(hint);
        }
        Some(match self {
            Self::Busy { .. } => message!(
                en: "wait until it is done, or end that process (`novel lock status` shows it); then run the same command again",
                zh: "请等它完成，或结束该进程（`novel lock status` 可查看），然后再运行同一命令"
            ),
            Self::Held { .. } => message!(
                en: "wait until it is done, or look with `novel lock status`; if you are sure it is dead: `novel lock clear --force`",
                zh: "请等它完成，或用 `novel lock status` 查看；若确定它已不在运行：`novel lock clear --force`"
            ),
            Self::Damaged { .. } => message!(
                en: "make sure no other `novel` runs on this project, then `novel lock clear --force`",
                zh: "请确认没有其他 `novel` 在处理此项目，然后运行 `novel lock clear --force`"
            ),
            Self::Lost => message!(
                en: "see who has it with `novel lock status`, then run the command again",
                zh: "请用 `novel lock status` 查看持有者，然后重新运行命令"
            ),
            Self::Fs(error) => return error.hint(),
            Self::Token(_) | Self::Encode(_) => return None,
        })
    }

    fn details(&self, _lang: Lang) -> Map<String, Value> {
        let mut details = Map::new();
        let (Self::Held { holder }
        | Self::Busy {
            holder: Some(holder),
        }) = self
        else {
            return details;
        };
        details.insert("holder".into(), json!(holder.answer()));
        details
    }
}
