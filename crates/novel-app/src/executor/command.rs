//! A program runs the agents: `claude -p`, `codex exec`, any script.
//!
//! The program gets the prompt on standard input and the packet's path in the environment, runs in
//! the project directory, and answers on standard output or in staging. It may write in the
//! packet's write boundary only: the kernel keeps it out of the rest where it can, and the project
//! is compared before and after in any case. A foreign write is undone and fails the call, whatever
//! the program answered. Its environment is this process's own (an agent needs its key) and is
//! never written anywhere.

mod blocked;
mod error;
mod staged;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use novel_book::config::{CommandOutput, Config, ExecutorKind, Sandboxing};
use novel_exec::{
    ChildError, ChildOutput, ChildSpec, find_program,
    sandbox::{self, Enforcement},
};
use novel_llm::{CancelToken, Usage, strict_schema};
use novel_model::{ChapterStage, Failure, Lang, RelPath, StepId, Warning, layout, message};
use novel_prompt::prompt::{Output, Role};
use novel_store::{
    Store, StoreError,
    boundary::{Contents, TreeSnapshot},
};
use tempfile::TempDir;

pub use self::error::{BoundaryViolation, CommandError};
use super::{AgentAnswer, AgentCall, Executor, Sign};

/// Longest run, unless the author says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30 * 60);
/// Most bytes of an answer; a long chapter has a hundredth of it.
const MAX_OUTPUT_BYTES: usize = 16 << 20;

/// A program that runs the agents.
pub struct Command {
    store: Store,
    root: PathBuf,
    config: Config,
    /// Program and arguments; not empty.
    program: Vec<String>,
    launcher: PathBuf,
    enforcement: Enforcement,
    /// Copies of the project and temporary files of the program; gone with this value.
    scratch: TempDir,
    runs: AtomicU64,
    /// One at a time compares and undoes.
    undoing: Mutex<()>,
}

impl Command {
    /// For one project. `launcher` is this program's own file: it starts the foreign program with
    /// the hidden command `sandbox-exec`.
    ///
    /// # Errors
    /// When no program is configured, or the project or the place for temporary files can not be
    /// used.
    pub fn new(store: Store, config: Config, launcher: PathBuf) -> Result<Self, Failure> {
        let program = config.command.program.clone();
        if program.first().is_none_or(String::is_empty) {
            return Err(CommandError::NoProgram.into());
        }
        let root = store.root().ok_or(CommandError::NotOnDisk)?.to_owned();
        let scratch = tempfile::Builder::new()
            .prefix("novel-")
            .tempdir()
            .map_err(|source| CommandError::Scratch { source })?;
        let enforcement = match config.command.sandbox {
            Sandboxing::Auto => sandbox::available(),
            Sandboxing::Compare => Enforcement::None,
        };
        Ok(Self {
            store,
            root,
            config,
            program,
            launcher,
            enforcement,
            scratch,
            runs: AtomicU64::new(0),
            undoing: Mutex::new(()),
        })
    }

    fn name(&self) -> &str {
        self.program.first().map_or("", String::as_str)
    }

    /// What goes to the program's standard input.
    fn input(&self, call: &AgentCall<'_>, output: CommandOutput) -> String {
        let mut parts = vec![call.prompt.text(Role::System), call.prompt.text(Role::User)];
        if let Output::Json { schema, .. } = &call.prompt.output {
            let words = message!(
                en: "The answer is one JSON object that follows this JSON Schema; no code fence, no explanation:",
                zh: "答案是一个符合下面 JSON Schema 的 JSON 对象；不要代码围栏，不要任何解释："
            );
            // Programs hand the schema on to grammar engines, which refuse formats of our own.
            let schema = strict_schema(schema.as_ref().clone());
            parts.push(format!("{}\n{schema}", words.get(self.config.lang())));
        }
        if output == CommandOutput::Staged {
            parts.push(staged::request(call, self.config.lang()));
        }
        parts.retain(|part| !part.is_empty());
        parts.join("\n\n")
    }

    fn spec(
        &self,
        call: &AgentCall<'_>,
        allowed: &[RelPath],
        output: CommandOutput,
        scratch: &Path,
    ) -> Result<ChildSpec, Failure> {
        let name = OsString::from(self.name());
        let search = std::env::var_os("PATH").unwrap_or_default();
        let program =
            find_program(&name, &self.root, &search).ok_or_else(|| ChildError::NotFound {
                program: self.name().to_owned(),
            })?;
        let mut args: Vec<OsString> = vec!["sandbox-exec".into()];
        if self.enforcement != Enforcement::None {
            args.extend(["--root".into(), self.root.clone().into()]);
            for dir in allowed {
                let dir = self.root.join(dir.as_str());
                args.extend(["--writable".into(), dir.into()]);
            }
        }
        args.push(program.into());
        args.push("--".into());
        args.extend(self.program.iter().skip(1).map(OsString::from));
        let mut env: Vec<(String, OsString)> = vec![
            ("NOVEL_STEP".into(), call.step.to_string().into()),
            ("NOVEL_PROJECT".into(), self.root.clone().into()),
            ("NOVEL_MODEL".into(), call.model.into()),
        ];
        if let Some(packet) = &call.packet_path {
            let path = self.root.join(packet.as_str());
            env.push(("NOVEL_PACKET".into(), path.into()));
        }
        // In the sandbox nothing new can be made directly above the project.
        if self.enforcement != Enforcement::None
            && std::env::temp_dir()
                .canonicalize()
                .is_ok_and(|dir| self.root.starts_with(dir))
        {
            env.push(("TMPDIR".into(), scratch.into()));
        }
        let seconds = self.config.command.timeout_seconds;
        Ok(ChildSpec {
            name: self.name().to_owned(),
            program: self.launcher.clone(),
            args,
            dir: self.root.clone(),
            env,
            stdin: self.input(call, output).into_bytes(),
            timeout: seconds.map_or(DEFAULT_TIMEOUT, Duration::from_secs),
            max_output_bytes: MAX_OUTPUT_BYTES,
        })
    }

    /// Undoes whatever the program had no right to.
    fn guard(&self, snapshot: &TreeSnapshot, call: &AgentCall<'_>) -> Result<(), Failure> {
        let _one = self.undoing.lock().unwrap_or_else(PoisonError::into_inner);
        let writes = snapshot.foreign()?;
        if writes.is_empty() {
            return Ok(());
        }
        let quarantine = self.free_quarantine()?;
        let lost = snapshot.undo(&writes, &quarantine)?;
        Err(BoundaryViolation {
            step: call.step,
            agent: call.packet.agent.name.clone(),
            program: self.name().to_owned(),
            writes,
            lost,
            blocked: Vec::new(),
            quarantine: Some(quarantine),
        }
        .into())
    }

    /// A write that the kernel refused is a violation like one that had to be undone.
    fn refuse_blocked(
        &self,
        ran: &Result<ChildOutput, ChildError>,
        call: &AgentCall<'_>,
        allowed: &[RelPath],
    ) -> Result<(), Failure> {
        let stderr = match ran {
            Ok(output) => &output.stderr_tail,
            Err(ChildError::Failed { stderr, .. }) => stderr,
            Err(_) => return Ok(()),
        };
        if self.enforcement == Enforcement::None {
            return Ok(());
        }
        let blocked = blocked::attempts(stderr, &self.root, allowed);
        if blocked.is_empty() {
            return Ok(());
        }
        Err(BoundaryViolation {
            step: call.step,
            agent: call.packet.agent.name.clone(),
            program: self.name().to_owned(),
            writes: Vec::new(),
            lost: Vec::new(),
            blocked,
            quarantine: None,
        }
        .into())
    }

    /// The first place for displaced files that is not taken.
    fn free_quarantine(&self) -> Result<RelPath, StoreError> {
        let home = layout::archive_dir().join("foreign-writes")?;
        let mut number = 1_u64;
        loop {
            let place = home.join(&format!("{number:03}"))?;
            if self.root.join(place.as_str()).symlink_metadata().is_err() {
                return Ok(place);
            }
            number += 1;
        }
    }

    fn answer(
        &self,
        call: &AgentCall<'_>,
        output: CommandOutput,
        child: ChildOutput,
        snapshot: &TreeSnapshot,
    ) -> Result<String, Failure> {
        let text = match output {
            CommandOutput::Stdout => child.text()?,
            CommandOutput::Staged => staged::collect(call, &self.store, snapshot)?,
        };
        if text.trim().is_empty() {
            let program = self.name().to_owned();
            return Err(CommandError::EmptyAnswer { program }.into());
        }
        Ok(text)
    }
}

impl Executor for Command {
    fn kind(&self) -> ExecutorKind {
        ExecutorKind::Command
    }

    /// The configured model, which the program finds in its environment; without one the program's
    /// own name.
    fn model_for(&self, roles: &[&str]) -> String {
        let name = || {
            let file = Path::new(self.name()).file_name();
            file.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        };
        self.config
            .model_for(roles)
            .map_or_else(name, str::to_owned)
    }

    fn wants_packet(&self) -> bool {
        true
    }

    fn warnings(&self) -> Vec<Warning> {
        let text = match (self.config.command.sandbox, self.enforcement) {
            (Sandboxing::Compare, _) | (_, Enforcement::Full) => return Vec::new(),
            (Sandboxing::Auto, Enforcement::Partial) => message!(
                en: "this kernel can keep a program from writing into the book, but not from truncating its files; the project is compared before and after each call",
                zh: "此内核能阻止程序写入书稿，但不能阻止其截断文件；每次调用前后都会比对项目"
            ),
            (Sandboxing::Auto, Enforcement::None) => message!(
                en: "this system has no Landlock; the write boundary is guarded by comparing the project before and after each call",
                zh: "此系统没有 Landlock；写入边界仅靠每次调用前后比对项目来保证"
            ),
        };
        vec![Warning::new("sandbox_incomplete", text)]
    }

    fn run(
        &self,
        call: &AgentCall<'_>,
        on_sign: &mut dyn FnMut(Sign),
        cancel: &CancelToken,
    ) -> Result<AgentAnswer, Failure> {
        let scratch = self.scratch_for_run()?;
        let (kept, temporary) = (scratch.path().join("kept"), scratch.path().join("tmp"));
        for dir in [&kept, &temporary] {
            std::fs::create_dir(dir).map_err(|source| CommandError::Scratch { source })?;
        }
        let allowed = allowed_area(&call.packet.write_boundary)?;
        let output = output_of(call.step, self.config.command.output);
        let spec = self.spec(call, &allowed, output, &temporary)?;
        let contents = match self.enforcement {
            Enforcement::Full => Contents::Stat,
            Enforcement::Partial | Enforcement::None => Contents::Keep(&kept),
        };
        let snapshot = TreeSnapshot::take(&self.store, &allowed, contents)?;
        let ran = novel_exec::run(&spec, &|| cancel.is_cancelled(), &mut |text| {
            on_sign(Sign::Text(text.to_owned()));
        });
        self.guard(&snapshot, call)?;
        self.refuse_blocked(&ran, call, &allowed)?;
        let text = self.answer(call, output, ran?, &snapshot)?;
        Ok(AgentAnswer {
            raw: text.clone(),
            text,
            model: call.model.to_owned(),
            usage: Usage::default(),
            attempts: 1,
        })
    }
}

impl Command {
    fn scratch_for_run(&self) -> Result<TempDir, CommandError> {
        let number = self.runs.fetch_add(1, Ordering::Relaxed);
        tempfile::Builder::new()
            .prefix(&format!("run-{number}-"))
            .tempdir_in(self.scratch.path())
            .map_err(|source| CommandError::Scratch { source })
    }
}

/// The directories of a write boundary: `staging/**` is `staging`.
fn allowed_area(boundary: &[String]) -> Result<Vec<RelPath>, Failure> {
    boundary
        .iter()
        .map(|pattern| {
            let dir = pattern.strip_suffix("/**").unwrap_or(pattern);
            Ok(dir.parse::<RelPath>()?)
        })
        .collect()
}

/// A judge may write nothing, so its answer is on standard output whatever the author has set.
fn output_of(step: StepId, configured: CommandOutput) -> CommandOutput {
    match step {
        StepId::Chapter(
            _,
            ChapterStage::Draft | ChapterStage::Summarize | ChapterStage::Refine,
        ) => configured,
        StepId::Chapter(..) | StepId::Volume(..) | StepId::Quickstart(_) => CommandOutput::Stdout,
    }
}

/// A list of paths in the book's language.
fn listed(paths: &[(Option<&str>, &RelPath)], lang: Lang) -> String {
    let lines: Vec<String> = paths
        .iter()
        .map(|(field, path)| match (field, lang) {
            (Some(field), Lang::Zh) => format!("- `{field}` 写入 `{path}`"),
            (Some(field), Lang::En) => format!("- `{field}` goes to `{path}`"),
            (None, _) => format!("- `{path}`"),
        })
        .collect();
    lines.join("\n")
}
