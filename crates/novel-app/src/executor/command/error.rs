//! What can be wrong with a program that runs the agents.

use std::io;

use novel_model::{Explain, Kind, Lang, Message, RelPath, StepId, counted, message};
use novel_store::{FileKind, boundary::ForeignWrite};
use serde_json::{Map, Value, json};

/// Why a program gave no answer, beside its own failure.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// `executor` is `command`, but `[command] program` is empty.
    #[error("no program is configured")]
    NoProgram,
    /// The project is not in a directory a program could run in.
    #[error("the project is not on this machine's disk")]
    NotOnDisk,
    /// There is no place for temporary files.
    #[error("temporary files cannot be made")]
    Scratch {
        /// Error of the file system for temporary files.
        #[source]
        source: io::Error,
    },
    /// It ended well and said nothing.
    #[error("`{program}` answered nothing")]
    EmptyAnswer {
        /// Program that exited successfully without an answer.
        program: String,
        /// Last line of its standard error.
        said: Option<String>,
    },
    /// It wrote more than a project holds.
    #[error("`{path}` has {size} bytes")]
    TooLarge {
        /// Staged file that is too large.
        path: RelPath,
        /// Size of the file in bytes.
        size: u64,
        /// Largest accepted size in bytes.
        limit: u64,
    },
    /// It wrote something else than UTF-8.
    #[error("`{path}` is not UTF-8 at byte {offset}")]
    NotUtf8 {
        /// Staged file that is not UTF-8.
        path: RelPath,
        /// The first byte that is none.
        offset: usize,
    },
    /// It did not write what it should.
    #[error("`{path}` was not written")]
    NotStaged {
        /// Output the program should have written.
        path: RelPath,
    },
    /// It wrote something else than JSON.
    #[error("`{path}` is not JSON")]
    NotJson {
        /// Staged file that should hold JSON.
        path: RelPath,
        /// Parse error of that file.
        #[source]
        source: serde_json::Error,
    },
}

impl Explain for CommandError {
    fn kind(&self) -> Kind {
        match self {
            Self::NoProgram => Kind::Input,
            Self::NotOnDisk | Self::Scratch { .. } => Kind::Internal,
            Self::EmptyAnswer { .. }
            | Self::NotStaged { .. }
            | Self::TooLarge { .. }
            | Self::NotUtf8 { .. }
            | Self::NotJson { .. } => Kind::Provider,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NoProgram => "NO_COMMAND",
            Self::NotOnDisk => "NOT_SUPPORTED",
            Self::Scratch { .. } => "IO_ERROR",
            Self::EmptyAnswer { .. } => "EMPTY_ANSWER",
            Self::NotStaged { .. } => "OUTPUT_NOT_STAGED",
            Self::TooLarge { .. } => "COMMAND_OUTPUT_TOO_LARGE",
            Self::NotUtf8 { .. } => "COMMAND_OUTPUT_NOT_UTF8",
            Self::NotJson { .. } => "STAGED_OUTPUT_BROKEN",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::NoProgram => message!(
                en: "the executor is `command`, but no program is configured",
                zh: "执行器为 `command`，但没有配置程序"
            ),
            Self::NotOnDisk => message!(
                en: "the project is not on this machine's disk", zh: "项目不在本机磁盘上"
            ),
            Self::Scratch { source } => message!(
                en: "cannot create temporary files: {source}", zh: "无法创建临时文件：{source}"
            ),
            Self::EmptyAnswer {
                program,
                said: None,
            } => message!(
                en: "`{program}` succeeded but gave no answer",
                zh: "`{program}` 正常结束，但没有给出回答"
            ),
            Self::EmptyAnswer {
                program,
                said: Some(said),
            } => message!(
                en: "`{program}` succeeded but gave no answer; it said: {said}",
                zh: "`{program}` 正常结束，但没有给出回答；它说：{said}"
            ),
            Self::TooLarge { path, size, limit } => message!(
                en: "the program wrote `{path}` with {size} bytes; at most {limit} are accepted",
                zh: "程序写出的 `{path}` 有 {size} 字节；最多接受 {limit} 字节"
            ),
            Self::NotUtf8 { path, offset } => message!(
                en: "the program wrote `{path}`, but it is not UTF-8 (byte {offset})",
                zh: "程序写出的 `{path}` 不是 UTF-8（第 {offset} 字节）"
            ),
            Self::NotStaged { path } => message!(
                en: "the program did not write `{path}`", zh: "程序没有写出 `{path}`"
            ),
            Self::NotJson { path, source } => message!(
                en: "the program wrote `{path}`, but it is not JSON: {source}",
                zh: "程序写出的 `{path}` 不是 JSON：{source}"
            ),
        }
    }

    fn hint(&self) -> Option<Message> {
        Some(match self {
            Self::NoProgram => message!(
                en: "name it in novel.toml: `[command]`, `program = [\"claude\", \"-p\"]`",
                zh: "请在 novel.toml 中指定：`[command]`，`program = [\"claude\", \"-p\"]`"
            ),
            Self::NotOnDisk => return None,
            Self::Scratch { .. } => message!(
                en: "make room in the directory for temporary files, or set `TMPDIR` to another",
                zh: "请清理临时目录，或用 `TMPDIR` 指定另一个目录"
            ),
            Self::EmptyAnswer { .. } => message!(
                en: "if it writes files instead, set `output = \"staged\"` under `[command]` in novel.toml",
                zh: "若它写入文件而不输出，请在 novel.toml 的 `[command]` 中设置 `output = \"staged\"`"
            ),
            Self::NotStaged { .. } => message!(
                en: "if it prints its answer instead, set `output = \"stdout\"` under `[command]` in novel.toml",
                zh: "若它直接输出回答，请在 novel.toml 的 `[command]` 中设置 `output = \"stdout\"`"
            ),
            Self::TooLarge { .. } => message!(
                en: "make it write only the answer", zh: "请让它只写出回答本身"
            ),
            Self::NotUtf8 { .. } => message!(
                en: "make it write UTF-8, for example with `LC_ALL=C.UTF-8`",
                zh: "请让它写出 UTF-8，例如设置 `LC_ALL=C.UTF-8`"
            ),
            Self::NotJson { .. } => message!(
                en: "run the step again: `novel continue --retry`",
                zh: "请重新执行该步骤：`novel continue --retry`"
            ),
        })
    }
}

/// A program wrote where it may not.
#[derive(Debug, thiserror::Error)]
#[error("`{program}` wrote outside its write boundary")]
pub struct BoundaryViolation {
    pub(super) step: StepId,
    pub(super) agent: String,
    pub(super) program: String,
    pub(super) writes: Vec<ForeignWrite>,
    pub(super) lost: Vec<ForeignWrite>,
    /// Paths of writes that the kernel blocked.
    pub(super) blocked: Vec<RelPath>,
    pub(super) quarantine: Option<RelPath>,
    /// The directories it may write.
    pub(super) allowed: Vec<RelPath>,
}

impl BoundaryViolation {
    /// One object for each foreign write, for the audit log.
    #[must_use]
    pub fn audit(&self) -> Vec<Value> {
        let line = |path: &str, change: &str, kind: Option<&str>, undone: bool| {
            json!({
                "step": self.step.to_string(),
                "agent": self.agent,
                "program": self.program,
                "path": path,
                "change": change,
                "kind": kind,
                "undone": undone,
                "quarantine": self.quarantine.as_ref().map(RelPath::as_str),
            })
        };
        let made = self.writes.iter().map(|write| {
            line(
                &write.path(),
                write.change.word(),
                write.kind.map(kind_word),
                !self.lost.contains(write),
            )
        });
        let refused = self
            .blocked
            .iter()
            .map(|path| line(path.as_str(), "blocked", None, true));
        made.chain(refused).collect()
    }

    fn first_paths(&self) -> String {
        const SHOWN: usize = 5;
        let made = self.writes.iter().map(|write| match write.kind {
            Some(FileKind::Link | FileKind::Special) => {
                let kind = write.kind.map_or("", kind_word);
                format!("`{}` ({kind})", write.path())
            }
            _ => format!("`{}`", write.path()),
        });
        let refused = self.blocked.iter().map(|path| format!("`{path}`"));
        let mut paths: Vec<String> = made.chain(refused).take(SHOWN).collect();
        if self.writes.len() + self.blocked.len() > SHOWN {
            paths.push("…".to_owned());
        }
        paths.join(", ")
    }
}

/// The word for a kind of thing in logs.
const fn kind_word(kind: FileKind) -> &'static str {
    match kind {
        FileKind::File => "file",
        FileKind::Dir => "directory",
        FileKind::Link => "link",
        FileKind::Special => "special",
    }
}

impl Explain for BoundaryViolation {
    fn kind(&self) -> Kind {
        Kind::Provider
    }

    fn code(&self) -> &'static str {
        "WRITE_BOUNDARY"
    }

    fn message(&self) -> Message {
        let Self { program, agent, .. } = self;
        let (count, paths) = (self.writes.len(), self.first_paths());
        if self.writes.is_empty() {
            let count = self.blocked.len();
            let places = counted(count, "path");
            return message!(
                en: "`{program}` ({agent}) tried to write {places} it may not write: {paths}; the kernel refused",
                zh: "`{program}`（{agent}）试图写入 {count} 处无权写入的路径：{paths}；已被内核拒绝"
            );
        }
        let places = counted(count, "path");
        match self.lost.len() {
            0 => message!(
                en: "`{program}` ({agent}) changed {places} it may not write: {paths}; everything was restored",
                zh: "`{program}`（{agent}）改动了 {count} 处无权写入的路径：{paths}；已全部恢复"
            ),
            lost => message!(
                en: "`{program}` ({agent}) changed {places} it may not write: {paths}; {lost} could not be restored",
                zh: "`{program}`（{agent}）改动了 {count} 处无权写入的路径：{paths}；其中 {lost} 处无法恢复"
            ),
        }
    }

    fn hint(&self) -> Option<Message> {
        let allowed: Vec<String> = self.allowed.iter().map(|dir| format!("`{dir}/`")).collect();
        let allowed = match allowed.as_slice() {
            [] => message!(en: "nowhere in the project", zh: "项目中任何位置都不写"),
            dirs => {
                let dirs = dirs.join(", ");
                message!(en: "in {dirs} only", zh: "只写入 {dirs}")
            }
        };
        let Message {
            en: allowed_en,
            zh: allowed_zh,
        } = allowed;
        Some(match &self.quarantine {
            Some(quarantine) => message!(
                en: "what it wrote is kept in `{quarantine}/`, the list in `logs/audit.jsonl`; tell the program to write {allowed_en}",
                zh: "它写入的内容保存在 `{quarantine}/`，清单见 `logs/audit.jsonl`；请让程序{allowed_zh}"
            ),
            None => message!(
                en: "the list is in `logs/audit.jsonl`; tell the program to write {allowed_en}",
                zh: "清单见 `logs/audit.jsonl`；请让程序{allowed_zh}"
            ),
        })
    }

    fn details(&self, _lang: Lang) -> Map<String, Value> {
        let mut details = Map::new();
        details.insert("foreign_writes".into(), Value::Array(self.audit()));
        details
    }
}
