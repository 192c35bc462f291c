//! The real binary in a sealed box, and the book in it.
//!
//! A box is a directory of its own: a home, a place for temporary files, and the project in `book`.
//! Nothing of the machine's environment reaches the binary, and the clock is fixed. Boxes stand in
//! memory where there is such a place.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, OnceLock, PoisonError},
    thread,
    time::SystemTime,
};

use novel_store::compressed;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    driver::Driver,
    model::Answers,
    output::Output,
    plan::{Plan, numeral, pretty},
    terminal::Terminal,
    tree::{Node, Tree, content, lay, tree},
};

/// 2026-03-01T00:00:00Z, the time of every command.
pub const EPOCH: &str = "1772323200";

/// The key of the scripted model; it must be seen in requests and nowhere else.
pub const KEY: &str = "sk-live-2c1f7a90-never-print-this";

/// The binary under test: the one `NOVEL_BIN` names, or the one Cargo built.
#[must_use]
pub fn binary() -> PathBuf {
    let named = ["NOVEL_BIN", "CARGO_BIN_EXE_novel"].map(std::env::var_os);
    if let Some(named) = named.into_iter().flatten().next() {
        return named.into();
    }
    // Tests stand in `deps`, beside the binary's directory.
    let test = std::env::current_exe().unwrap();
    let built = test.ancestors().nth(2).unwrap().join("novel");
    assert!(built.is_file(), "no binary: {}", built.display());
    built
}

/// Where the books of [`TestBook::once`] are kept: beside the test binaries, a directory for each
/// state of the program.
fn shelf() -> PathBuf {
    let about = binary().metadata().unwrap();
    let changed = about.modified().unwrap();
    let changed = changed.duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let state = format!("{}-{}", about.len(), changed.as_nanos());
    let test = std::env::current_exe().unwrap();
    let shelves = test.parent().unwrap().with_file_name("test-books");
    let shelf = shelves.join(state);
    if !shelf.is_dir() {
        fs::create_dir_all(&shelf).unwrap();
        // Nobody asks for the books of an earlier build again.
        for old in fs::read_dir(&shelves).unwrap() {
            let old = old.unwrap().path();
            if old != shelf {
                // Another process may clear too.
                let _ = fs::remove_dir_all(old);
            }
        }
    }
    shelf
}

/// A box with the binary, and usually with a book.
pub struct TestBook {
    home: PathBuf,
    /// Removes the home when the book goes; a book made at a given place stays.
    _temporary: Option<TempDir>,
    plan: Option<Plan>,
}

impl TestBook {
    /// Without a project directory: commands run in the home until something makes `book`.
    #[must_use]
    pub fn nowhere() -> Self {
        let memory = Path::new("/dev/shm");
        let temporary = if memory.is_dir() {
            tempfile::tempdir_in(memory).unwrap()
        } else {
            tempfile::tempdir().unwrap()
        };
        let home = temporary.path().canonicalize().unwrap();
        Self {
            home,
            _temporary: Some(temporary),
            plan: None,
        }
    }

    /// With an empty project directory.
    #[must_use]
    pub fn empty() -> Self {
        let book = Self::nowhere();
        fs::create_dir(book.root()).unwrap();
        book
    }

    /// With a directory that has one file and no project.
    #[must_use]
    pub fn with_file(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let book = Self::empty();
        book.write(name, bytes);
        book
    }

    /// With a new book whose author wants to be asked.
    #[must_use]
    pub fn initialised() -> Self {
        let book = Self::empty();
        book.ask(&["init", "--title", "雾港", "--genre", "悬疑"])
            .data();
        book
    }

    /// With a book whose trial is accepted, so that its first volume is to be planned.
    #[must_use]
    pub fn planning() -> Self {
        let book = Self::initialised();
        book.ask(&["quickstart"]).data();
        book.ask(&["quickstart", "accept"]).data();
        assert_eq!(book.state(), "VOL_PLANNING");
        book
    }

    /// A planned book of the fixture, ready for its first chapter.
    #[must_use]
    pub fn planned(plan: Plan) -> Self {
        let mut book = Self::empty();
        book.lay_plan(plan);
        book
    }

    /// A planned book in `home`, which is kept after the test.
    #[must_use]
    pub fn planned_at(home: PathBuf, plan: Plan) -> Self {
        let mut book = Self {
            home,
            _temporary: None,
            plan: None,
        };
        book.lay_plan(plan);
        book
    }

    fn lay_plan(&mut self, plan: Plan) {
        for (path, bytes) in plan.files() {
            self.write(&path, bytes);
        }
        self.plan = Some(plan);
    }

    /// The demo book in Chinese with its first chapters, by the offline author.
    #[must_use]
    pub fn demo(chapters: u32) -> Self {
        Self::once(&format!("demo {chapters}"), || {
            let book = Self::nowhere();
            book.ask(&["demo", "book", "--chapters", "0", "--lang", "zh"])
                .data();
            if chapters > 0 {
                book.write_to(chapters);
            }
            book
        })
    }

    /// The book that `make` makes, made once for all tests of a build.
    ///
    /// Processes share it through a directory beside the test binaries: a runner that gives every test
    /// a process of its own writes no book twice.
    #[must_use]
    pub fn once(key: &str, make: impl FnOnce() -> Self) -> Self {
        type Made = Arc<OnceLock<Tree>>;
        static MADE: Mutex<BTreeMap<String, Made>> = Mutex::new(BTreeMap::new());
        let made = {
            let mut all = MADE.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(key.to_owned()).or_default())
        };
        Self::of(made.get_or_init(|| {
            let shelf = shelf();
            let shared = shelf.join(key.replace(' ', "-"));
            if !shared.is_dir() {
                let made = tempfile::tempdir_in(&shelf).unwrap();
                lay(&make().tree(), &made.path().join("book"));
                // Another process may have been first; its book is the same.
                let _ = fs::rename(made.path().join("book"), &shared);
            }
            tree(&shared)
        }))
    }

    /// A book with these files.
    #[must_use]
    pub fn of(tree: &Tree) -> Self {
        let book = Self::nowhere();
        lay(tree, &book.root());
        book
    }

    /// Another book with the same files and times.
    #[must_use]
    pub fn copy(&self) -> Self {
        let mut copy = Self::nowhere();
        let copied = Command::new("cp")
            .arg("-a")
            .args([self.root(), copy.root()])
            .status();
        assert!(copied.unwrap().success());
        copy.plan = self.plan.clone();
        copy
    }

    /// The project directory.
    #[must_use]
    pub fn root(&self) -> PathBuf {
        self.home.join("book")
    }

    /// The directory around the project.
    #[must_use]
    pub fn outside(&self) -> &Path {
        &self.home
    }

    /// What the book was planned from.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        self.plan.as_ref().expect("a book made by `planned`")
    }

    /// Goes on with another plan; gives the one before.
    pub fn replace_plan(&mut self, plan: Plan) -> Plan {
        self.plan.replace(plan).expect("a book made by `planned`")
    }

    /// The place of a project file.
    #[must_use]
    pub fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    /// Whether something stands at a path.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.path(path).symlink_metadata().is_ok()
    }

    /// The text of a file.
    #[track_caller]
    #[must_use]
    pub fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The JSON of a file.
    #[track_caller]
    #[must_use]
    pub fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The lines of a JSONL file.
    #[track_caller]
    #[must_use]
    pub fn lines(&self, path: &str) -> Vec<Value> {
        self.text(path)
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// All lines of the operations log, the older ones too.
    #[track_caller]
    #[must_use]
    pub fn operations(&self) -> Vec<Value> {
        let older = "logs/operations-older.jsonl.zst";
        let mut lines = Vec::new();
        if self.has(older) {
            let bytes = fs::read(self.path(older)).unwrap();
            let text = compressed::expand(&bytes).unwrap();
            lines.extend(text.lines().map(|line| serde_json::from_str(line).unwrap()));
        }
        lines.extend(self.lines("logs/operations.jsonl"));
        lines
    }

    /// Writes a file behind the program's back.
    #[track_caller]
    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Removes a file behind the program's back.
    #[track_caller]
    pub fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).unwrap();
    }

    /// Changes a JSON file behind the program's back.
    #[track_caller]
    pub fn edit(&self, path: &str, change: impl FnOnce(&mut Value)) {
        let mut value = self.json(path);
        change(&mut value);
        self.write(path, pretty(&value));
    }

    /// Appends a line to a file behind the program's back.
    #[track_caller]
    pub fn tamper(&self, path: &str) {
        let text = self.text(path);
        self.write(path, text + "\n改动\n");
    }

    /// Puts lines before the rest of `novel.toml`.
    #[track_caller]
    pub fn configure(&self, lines: &str) {
        let rest = self.text("novel.toml");
        self.write("novel.toml", format!("{lines}\n{rest}"));
    }

    /// Puts tables after the rest of `novel.toml`.
    #[track_caller]
    pub fn configure_tables(&self, tables: &str) {
        let rest = self.text("novel.toml");
        self.write("novel.toml", format!("{rest}\n{tables}\n"));
    }

    /// Has the agents asked at an address.
    #[track_caller]
    pub fn use_model(&self, base_url: &str) {
        self.configure("executor = \"llm\"");
        self.configure_tables(&format!(
            "[models]\ndefault = \"stub-model\"\n\n[llm]\nbase_url = \"{base_url}\"\nkey_env = \"STUB_KEY\"\nmax_attempts = 1\n\n[prices.stub-model]\ninput = 1.0\noutput = 2.0"
        ));
    }

    /// The checkpoint.
    #[track_caller]
    #[must_use]
    pub fn checkpoint(&self) -> Value {
        self.json(".checkpoint.json")
    }

    /// The state in the checkpoint.
    #[track_caller]
    #[must_use]
    pub fn state(&self) -> String {
        let checkpoint = self.checkpoint();
        let state = checkpoint["orchestrator_state"].as_str();
        state.unwrap().to_owned()
    }

    /// The version of the story state; zero before the first commit.
    #[must_use]
    pub fn state_version(&self) -> u64 {
        if self.has("state/current-state.json") {
            let state = self.json("state/current-state.json");
            state["state_version"].as_u64().unwrap()
        } else {
            0
        }
    }

    /// Whether a lock is there.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.has(".novel.lock")
    }

    /// Everything in the project.
    #[must_use]
    pub fn tree(&self) -> Tree {
        tree(&self.root())
    }

    /// The files of the project without those that grow with every operation.
    #[must_use]
    pub fn content(&self) -> Tree {
        content(self.tree())
    }

    /// Everything in the project, with the time of its last change.
    #[must_use]
    pub fn tree_and_times(&self) -> BTreeMap<String, (Node, SystemTime)> {
        let time = |path: &str| self.path(path).symlink_metadata().unwrap().modified();
        self.tree()
            .into_iter()
            .map(|(path, node)| {
                let time = time(&path).unwrap();
                (path, (node, time))
            })
            .collect()
    }

    /// The files of the box whose bytes contain a text.
    #[must_use]
    pub fn files_with(&self, needle: &str) -> Vec<String> {
        let has = |node: &Node| matches!(node, Node::File(bytes) if String::from_utf8_lossy(bytes).contains(needle));
        let all = tree(&self.home).into_iter();
        all.filter(|(_, node)| has(node))
            .map(|(path, _)| path)
            .collect()
    }

    /// The answers in the ledger about chapters, by agent; those about a chapter in order of their ids.
    #[must_use]
    pub fn answers(&self, chapters: impl IntoIterator<Item = u32>) -> Answers {
        let mut answers = Answers::new();
        let calls = chapters.into_iter().flat_map(|chapter| self.calls(chapter));
        for (_, (agent, text)) in calls {
            answers.entry(agent).or_default().push(text);
        }
        answers
    }

    /// The calls in the ledger about a chapter: agent and answer by id.
    #[must_use]
    pub fn calls(&self, chapter: u32) -> BTreeMap<String, (String, String)> {
        let about = format!("chapter:{chapter:03}:");
        let calls = self.ledger().into_iter().filter_map(|call| {
            let text = |key: &str| call[key].as_str().unwrap().to_owned();
            let meant = text("step").starts_with(&about);
            meant.then(|| (text("id"), (text("agent"), text("text"))))
        });
        calls.collect()
    }

    /// All calls in the ledger, in the order of their ids.
    #[must_use]
    pub fn ledger(&self) -> Vec<Value> {
        let tree = self.tree();
        let files = tree.iter().filter_map(|(path, node)| match node {
            Node::File(bytes) => Some((path.as_str(), bytes.as_slice())),
            Node::Dir | Node::Link(_) => None,
        });
        crate::ledger::all_calls(files)
    }

    /// Empties the environment of any command, fixes its clock and points it at the project.
    pub fn seal(&self, command: &mut Command) {
        let tmp = self.home.join("tmp");
        fs::create_dir_all(&tmp).unwrap();
        let root = self.root();
        command
            .env_clear()
            .env("HOME", &self.home)
            .env("TMPDIR", tmp)
            .env("PATH", "/usr/bin:/bin")
            .env("TZ", "UTC")
            .env("LANG", "C.UTF-8")
            .env("NOVEL_LANG", "en")
            .env("COLUMNS", "100")
            .env("SOURCE_DATE_EPOCH", EPOCH)
            .env("STUB_KEY", KEY)
            .current_dir(if root.is_dir() { &root } else { &self.home })
            .stdin(Stdio::null());
    }

    /// A sealed command, not yet started; English unless the arguments or the test say otherwise.
    #[must_use]
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary());
        self.seal(&mut command);
        command.args(args);
        command
    }

    /// Runs the binary as a person would.
    pub fn novel(&self, args: &[&str]) -> Output {
        Output::of(self.command(args))
    }

    /// Runs the binary with `--json`.
    pub fn ask(&self, args: &[&str]) -> Output {
        Output::of(self.command(&[&["--json"], args].concat()))
    }

    /// Runs the binary with `--json` and something to read.
    pub fn feed(&self, args: &[&str], input: impl AsRef<[u8]>) -> Output {
        feed(self.command(&[&["--json"], args].concat()), input.as_ref())
    }

    /// Runs the binary in both languages; the two errors, Chinese first. Both must fail with this
    /// exit code, carry the same code, and speak differently.
    #[track_caller]
    pub fn fails_in_both(&self, code: i32, args: &[&str], input: impl AsRef<[u8]>) -> [Value; 2] {
        let [zh, en] = ["zh", "en"].map(|lang| {
            let args = [&["--lang", lang], args].concat();
            self.feed(&args, input.as_ref()).fails(code)
        });
        assert_eq!(zh["code"], en["code"]);
        assert_ne!(zh["message"], en["message"], "{zh:#}");
        let is_han = |char| ('\u{4E00}'..='\u{9FFF}').contains(&char);
        let message = zh["message"].as_str().unwrap_or_default();
        assert!(message.chars().any(is_han), "{zh:#}");
        for error in [&zh, &en] {
            let hint = error["hint"].as_str();
            assert!(hint.is_some_and(|hint| !hint.is_empty()), "{error:#}");
        }
        [zh, en]
    }

    /// Runs a command that must be refused with this exit code and must write nothing.
    #[track_caller]
    pub fn refuses(&self, code: i32, args: &[&str]) -> Value {
        let before = self.tree();
        let error = self.ask(args).fails(code);
        crate::assert_same_tree(&before, &self.tree(), &args.join(" "));
        error
    }

    /// The step that `novel next` names.
    #[track_caller]
    #[must_use]
    pub fn next(&self) -> String {
        let data = self.ask(&["next"]).data();
        data["step"].as_str().unwrap().to_owned()
    }

    /// Writes up to a chapter with `novel run`.
    #[track_caller]
    pub fn write_to(&self, chapter: u32) {
        let data = self.ask(&["run", "--to", &chapter.to_string()]).data();
        let last = data["finished"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["chapter"], chapter, "{data:#}");
    }

    /// Hands in a draft of the chapter after the last one and has it accepted.
    #[track_caller]
    pub fn begin(&self, chapter: u32) {
        let step = format!("chapter:{chapter:03}:draft");
        let sentences = (1..=40).map(|number| {
            let (own, steps) = (numeral(chapter * 100 + number), numeral(number));
            format!("灯塔的第{own}级台阶上，他数到了第{steps}盏灯。")
        });
        let prose: Vec<String> = sentences.collect();
        let draft = format!("# 第 {chapter} 章 台阶\n\n{}\n", prose.join("\n\n"));
        self.feed(&["submit", &step, "-"], draft).data();
        self.ask(&["advance", &step]).data();
    }

    /// Starts the binary and leaves it running.
    #[must_use]
    pub fn start(&self, args: &[&str]) -> Running {
        Running::of(self.command(args))
    }

    /// Starts the binary in a terminal, without colours.
    #[must_use]
    pub fn terminal(&self, args: &[&str]) -> Terminal {
        let mut command = self.command(args);
        command.env("NO_COLOR", "1").env("TERM", "xterm");
        Terminal::open(command)
    }

    /// Writes the book of a plan step by step, with a judge who likes everything.
    #[must_use]
    pub fn driver(&self) -> Driver<'_> {
        Driver::new(self)
    }
}

/// Runs a command with something to read.
fn feed(mut command: Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The program may refuse before it has read everything.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Output::new(&command, output)
}

/// The binary at work.
pub struct Running {
    command: Command,
    child: Child,
}

impl Running {
    /// Starts a command as it is set up.
    #[must_use]
    pub fn of(mut command: Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        Self { command, child }
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for its end.
    pub fn end(self) -> Output {
        Output::new(&self.command, self.child.wait_with_output().unwrap())
    }
}
