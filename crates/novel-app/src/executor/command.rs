//! A program runs the agents: `claude -p`, `codex exec`, any script.
//!
//! The program gets the prompt on standard input and the packet's path in the environment, runs in
//! the project directory, and answers on standard output or in staging. It works on a view of the
//! project of its own where the system has namespaces, otherwise on the project itself, which the kernel
//! guards where it can and which is compared before and after. It may write in the directories of the
//! packet's expected outputs only; any other write fails the call, whatever the program answered, but for
//! what it makes for itself in hidden places such as `.claude/`, which is taken away and told. What
//! it wrote becomes an answer, and the project is as before: files are made by this program. Nothing it
//! started survives the call. Its environment is a short list and what the author names.

mod blocked;
mod environment;
mod error;
mod isolation;
mod keys;
mod staged;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use novel_book::config::{CommandOutput, Config, ExecutorKind, Sandboxing};
use novel_exec::{
    ChildError, ChildOutput, ChildSpec, Enforcement, Isolation, Job, Place, Scratch, find_program,
};
use novel_llm::{CancelToken, Usage, strict_schema};
use novel_model::{
    ChapterStage, ContentHash, Lang, RelPath, StepId, Warning, files::Packet, layout, message,
};
use novel_prompt::prompt::{Output, Role};
use novel_store::{
    FileKind, Store, StoreError,
    boundary::{Contents, Left, TreeSnapshot, View, is_place_of_tools},
};

pub(crate) use self::environment::passed_on;
pub use self::error::{BoundaryViolation, CommandError};
use super::{AgentAnswer, AgentCall, AgentError, Discarded, Executor, Sign, with_home};

/// Longest run, unless the author says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30 * 60);
/// The variable that names the project an agent's process works for.
const MARK: &str = "NOVEL_AGENT_OF";
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
    /// Found out when it is first needed: it takes a trial.
    isolation: OnceLock<Isolation>,
    scratch: Scratch,
    /// One at a time compares and undoes.
    undoing: Mutex<()>,
    /// What programs made for themselves.
    discarded: Mutex<Vec<Discarded>>,
}

/// What tells a program's writes.
enum Boundary {
    View(View),
    InPlace(Box<TreeSnapshot>),
}

impl Boundary {
    fn settle(&self, wanted: &[RelPath]) -> Result<Left, StoreError> {
        match self {
            Self::View(view) => view.settle(wanted),
            Self::InPlace(snapshot) => snapshot.settle(wanted),
        }
    }
}

impl Command {
    /// For one project. `launcher` is this program's own file: it starts the foreign program with
    /// the hidden commands `supervise` and `sandbox-exec`.
    ///
    /// # Errors
    /// When no program is configured, or the project or the place for temporary files cannot be
    /// used.
    pub fn new(store: Store, config: Config, launcher: PathBuf) -> Result<Self, AgentError> {
        let program = config.command.program.clone();
        if program.first().is_none_or(String::is_empty) {
            return Err(CommandError::NoProgram.into());
        }
        let root = store.root().ok_or(CommandError::NotOnDisk)?.to_owned();
        let name = ContentHash::of(root.as_os_str().as_encoded_bytes());
        let name: String = name.as_str().chars().rev().take(12).collect();
        let scratch = Scratch::new(&std::env::temp_dir(), &name)
            .map_err(|source| CommandError::Scratch { source })?;
        Ok(Self {
            store,
            root,
            config,
            program,
            launcher,
            isolation: OnceLock::new(),
            scratch,
            undoing: Mutex::new(()),
            discarded: Mutex::default(),
        })
    }

    fn name(&self) -> &str {
        self.program.first().map_or("", String::as_str)
    }

    fn isolation(&self) -> Isolation {
        *self.isolation.get_or_init(|| {
            let isolation = isolation::choose(&self.config.command, &self.launcher, &self.root);
            if isolation != Isolation::View {
                // A program might kill its supervisor, and look into the environment of this process.
                novel_exec::adopt_orphans();
                novel_exec::close_to_others();
            }
            isolation
        })
    }

    /// Ends what a program of an earlier run left that killed its supervisor and the run itself. The
    /// lock is held: no other run works here.
    fn end_survivors(&self) -> Option<Warning> {
        let mark = format!("{MARK}={}", self.root.display());
        let ended = novel_exec::end_marked(&[mark]);
        let names: Vec<String> = ended.iter().map(ToString::to_string).collect();
        let names = names.join(", ");
        (!ended.is_empty()).then(|| {
            Warning::new(
                "agent_survived",
                message!(
                    en: "processes of an earlier agent program were still running and were stopped: {names}",
                    zh: "先前智能体程序的进程仍在运行，已被终止：{names}"
                ),
            )
        })
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

    fn job(&self, allowed: &[RelPath], place: &Place) -> Result<Job, AgentError> {
        let name = OsString::from(self.name());
        let search = std::env::var_os("PATH").unwrap_or_default();
        let program =
            find_program(&name, &self.root, &search).ok_or_else(|| ChildError::NotFound {
                program: self.name().to_owned(),
            })?;
        let in_project = |dir: &RelPath| self.root.join(dir.as_str()).into();
        Ok(Job {
            program: program.into(),
            args: self.program.iter().skip(1).map(OsString::from).collect(),
            starter: std::process::id(),
            isolation: self.isolation(),
            root: self.root.clone().into(),
            writable: allowed.iter().map(in_project).collect(),
            hidden: self.key_files().into_iter().map(OsString::from).collect(),
            network: isolation::network(&self.config.command),
            place: place.path().into(),
        })
    }

    fn spec(
        &self,
        call: &AgentCall<'_>,
        job: &Job,
        output: CommandOutput,
    ) -> Result<ChildSpec, CommandError> {
        let mut env = environment::passed_on(&self.config.command.env, std::env::vars_os());
        let mut set = |name: &str, value: OsString| {
            env.insert(name.to_owned(), value);
        };
        set(MARK, self.root.clone().into());
        set("NOVEL_STEP", call.step.to_string().into());
        set("NOVEL_PROJECT", self.root.clone().into());
        set("NOVEL_MODEL", call.model.into());
        if let Some(packet) = &call.packet_path {
            set("NOVEL_PACKET", self.root.join(packet.as_str()).into());
        }
        let temporary = Path::new(&job.place).join("tmp");
        let made = std::fs::create_dir(&temporary);
        made.map_err(|source| CommandError::Scratch { source })?;
        if self.is_temporary_place_closed(job) {
            set("TMPDIR", temporary.into());
        }
        let seconds = self.config.command.timeout_seconds;
        let spec = isolation::supervised(job, &self.launcher);
        Ok(ChildSpec {
            name: self.name().to_owned(),
            env: env.into_iter().collect(),
            stdin: self.input(call, output).into_bytes(),
            timeout: seconds.map_or(DEFAULT_TIMEOUT, Duration::from_secs),
            max_output_bytes: MAX_OUTPUT_BYTES,
            ..spec.map_err(|source| CommandError::Scratch { source })?
        })
    }

    /// Files with keys, which the program may not read: the configured one, and all that lie where keys
    /// are told to be kept.
    fn key_files(&self) -> Vec<PathBuf> {
        let home = with_home("~/.config/novel");
        let place = std::env::var_os("XDG_CONFIG_HOME")
            .map_or(home, |place| PathBuf::from(place).join("novel"));
        let kept = std::fs::read_dir(place).into_iter().flatten().flatten();
        let configured = self.config.llm.key_file.iter().map(|file| with_home(file));
        let files = kept.map(|entry| entry.path()).chain(configured);
        let mut files: Vec<PathBuf> = files
            // A file that is not there needs no hiding.
            .filter_map(|file| file.canonicalize().ok())
            .filter(|file| file.is_file())
            .collect();
        files.sort();
        files.dedup();
        files
    }

    /// Whether the usual place for temporary files lies above the project or above a key: under the
    /// kernel's rules nothing new can be made, or read, directly in such a directory.
    fn is_temporary_place_closed(&self, job: &Job) -> bool {
        let Ok(place) = std::env::temp_dir().canonicalize() else {
            return false;
        };
        let hidden = job.hidden.iter().map(Path::new);
        matches!(job.isolation, Isolation::Landlock(_))
            && std::iter::once(self.root.as_path())
                .chain(hidden)
                .any(|path| path.starts_with(&place))
    }

    fn boundary(&self, allowed: &[RelPath], job: &Job) -> Result<Boundary, AgentError> {
        let contents_needed = match job.isolation {
            Isolation::View => {
                let view = self.store.view(allowed, &job.upper())?;
                return Ok(Boundary::View(view));
            }
            Isolation::Landlock(Enforcement::Full) => false,
            Isolation::Landlock(Enforcement::Partial) | Isolation::None => true,
        };
        let kept = Path::new(&job.place).join("kept");
        std::fs::create_dir(&kept).map_err(|source| CommandError::Scratch { source })?;
        let contents = if contents_needed {
            Contents::Keep(&kept)
        } else {
            Contents::Stat
        };
        let snapshot = self.store.snapshot(allowed, contents)?;
        Ok(Boundary::InPlace(Box::new(snapshot)))
    }

    /// A write outside the boundary fails the call, whether it was undone, never reached the project, or
    /// the kernel refused it.
    fn refuse_writes(
        &self,
        call: &AgentCall<'_>,
        allowed: &[RelPath],
        ran: &Result<ChildOutput, ChildError>,
        left: &mut Left,
    ) -> Result<(), AgentError> {
        let stderr = match ran {
            Ok(output) => &output.stderr_tail,
            Err(ChildError::Failed { stderr, .. }) => stderr,
            Err(_) => "",
        };
        let mut blocked = match self.isolation() {
            Isolation::Landlock(_) => blocked::attempts(stderr, &self.root, allowed),
            // A view refuses nothing, and without rules nothing is refused.
            Isolation::View | Isolation::None => Vec::new(),
        };
        blocked.retain(|path| !is_place_of_tools(Path::new(path.as_str())));
        if blocked.is_empty() && left.writes.is_empty() {
            return Ok(());
        }
        Err(BoundaryViolation {
            step: call.step,
            agent: call.packet.agent.name.clone(),
            program: self.name().to_owned(),
            writes: std::mem::take(&mut left.writes),
            lost: std::mem::take(&mut left.lost),
            blocked,
            quarantine: left.quarantine.take(),
            allowed: allowed.to_vec(),
        }
        .into())
    }

    fn note_discarded(&self, step: StepId, left: &Left) {
        // A directory goes with what is in it.
        let files = left
            .own
            .iter()
            .filter(|own| own.kind == Some(FileKind::File));
        let discarded = files.map(|own| Discarded {
            step,
            program: self.name().to_owned(),
            path: own.path(),
        });
        self.discarded().extend(discarded);
    }

    fn discarded(&self) -> MutexGuard<'_, Vec<Discarded>> {
        self.discarded
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(
        &self,
        call: &AgentCall<'_>,
        output: CommandOutput,
        child: ChildOutput,
        left: &Left,
    ) -> Result<String, AgentError> {
        let said = child.last_words();
        let text = match output {
            CommandOutput::Stdout => child.text()?,
            CommandOutput::Staged => staged::collect(call, left)?,
        };
        if text.trim().is_empty() {
            let program = self.name().to_owned();
            return Err(CommandError::EmptyAnswer { program, said }.into());
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

    fn take_discarded(&self) -> Vec<Discarded> {
        std::mem::take(&mut *self.discarded())
    }

    fn begin_run(&self) -> Vec<Warning> {
        // Who asks for less knows what is missing.
        let missing = match self.config.command.sandbox {
            Sandboxing::Auto => isolation::warning(self.isolation()),
            Sandboxing::Landlock | Sandboxing::Compare => None,
        };
        missing.into_iter().chain(self.end_survivors()).collect()
    }

    fn run(
        &self,
        call: &AgentCall<'_>,
        on_sign: &mut dyn FnMut(Sign),
        cancel: &CancelToken,
    ) -> Result<AgentAnswer, AgentError> {
        let place = self.scratch.place();
        let place = place.map_err(|source| CommandError::Scratch { source })?;
        let allowed = allowed_area(call.packet)?;
        let output = output_of(call.step, self.config.command.output);
        let job = self.job(&allowed, &place)?;
        let spec = self.spec(call, &job, output)?;
        let boundary = self.boundary(&allowed, &job)?;
        let ran = novel_exec::run(&spec, &|| cancel.is_cancelled(), &mut |text| {
            on_sign(Sign::Text(text.to_owned()));
        });
        let keys = keys::redactor(&self.key_files());
        let ran = keys::without(&keys, ran);
        let mut left = {
            let _one = self.undoing.lock().unwrap_or_else(PoisonError::into_inner);
            boundary.settle(&staged::wanted(call, output))?
        };
        self.note_discarded(call.step, &left);
        self.refuse_writes(call, &allowed, &ran, &mut left)?;
        let text = keys.redact(&self.answer(call, output, ran?, &left)?);
        Ok(AgentAnswer {
            hints: staged::hints(call, &left).map(|hints| keys.redact(&hints)),
            raw: text.clone(),
            text,
            model: call.model.to_owned(),
            usage: Usage::default(),
            attempts: 1,
        })
    }
}

/// The directories an agent may write: those of its expected outputs that lie in the packet's write
/// boundary. What decides about a chapter is never among them, whatever a packet says.
fn allowed_area(packet: &Packet) -> Result<Vec<RelPath>, AgentError> {
    let mut boundary = Vec::new();
    for pattern in &packet.write_boundary {
        let dir = pattern.strip_suffix("/**").unwrap_or(pattern);
        boundary.push(dir.parse::<RelPath>()?);
    }
    let closed = [
        layout::staged_evaluations_dir(),
        layout::staged_bindings_dir(),
        layout::manifests_dir(),
    ];
    let mut allowed: Vec<RelPath> = Vec::new();
    for output in &packet.expected_outputs {
        // An output that ends with `/` is a directory itself.
        let dir = match output.path.strip_suffix('/') {
            Some(dir) => Some(dir.parse::<RelPath>()?),
            None => output.path.parse::<RelPath>()?.parent(),
        };
        let Some(dir) = dir else { continue };
        if boundary.iter().any(|area| dir.is_under(area))
            && !boundary.contains(&dir)
            && !closed.iter().any(|area| dir.is_under(area))
            && !allowed.contains(&dir)
        {
            allowed.push(dir);
        }
    }
    allowed.sort();
    Ok(allowed)
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
