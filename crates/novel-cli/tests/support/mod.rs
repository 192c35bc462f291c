//! A book in a directory of its own, and a driver that writes it through the real binary.
//!
//! The binary runs in a sealed environment: nothing of the machine's environment reaches it, and
//! the time in files is fixed.
#![allow(
    dead_code,
    reason = "every test binary uses its own part of the support"
)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "test support fails loudly"
)]
#![allow(unreachable_pub, reason = "a module of several test binaries")]

pub mod fixture;
pub mod replay;

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::SystemTime,
};

use serde_json::Value;
use tempfile::TempDir;

pub use fixture::{Manner, Plan, pretty};

/// 2026-03-01T00:00:00Z.
pub const EPOCH: &str = "1772323200";

/// The binary under test: the one Cargo built, or the one `NOVEL_BIN` names.
#[must_use]
pub fn binary() -> PathBuf {
    let built = option_env!("CARGO_BIN_EXE_novel").map(PathBuf::from);
    let named = std::env::var_os("NOVEL_BIN").map(PathBuf::from);
    named.or(built).expect("NOVEL_BIN names the binary")
}

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A directory.
    Dir,
    /// A file.
    File(Vec<u8>),
    /// A symbolic link.
    Link(PathBuf),
}

/// Everything in a project, by path; nothing is left out.
pub type Tree = BTreeMap<String, Node>;

/// What a run of the binary gave.
#[must_use = "look at the outcome, or call `ok`"]
#[derive(Debug, Clone)]
pub struct Run {
    /// The arguments, for messages.
    pub args: String,
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    /// The one JSON object on standard output.
    #[track_caller]
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("no JSON object ({error}): {self:#?}"))
    }

    /// `data` of a run that went well.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert_eq!(self.code, 0, "{self:#?}");
        let mut json = self.json();
        assert_eq!(json["ok"], true, "{self:#?}");
        json["data"].take()
    }

    /// `error` of a run that failed with this exit code.
    #[track_caller]
    pub fn fails(self, code: i32) -> Value {
        assert_eq!(self.code, code, "{self:#?}");
        let mut json = self.json();
        assert_eq!(json["ok"], false, "{self:#?}");
        let error = json["error"].take();
        for field in ["code", "message", "hint", "details"] {
            assert!(error.get(field).is_some(), "no {field}: {self:#?}");
        }
        error
    }
}

/// A project on disk.
pub struct Book {
    home: PathBuf,
    /// Removes the home when the book goes; a book made at a given place stays.
    _temporary: Option<TempDir>,
    /// What it was made from.
    pub plan: Plan,
}

impl Book {
    /// A planned book, ready for its first chapter.
    #[must_use]
    pub fn new(plan: Plan) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let home = temporary.path().to_owned();
        Self {
            _temporary: Some(temporary),
            ..Self::at(home, plan)
        }
    }

    /// The same below a directory that stays.
    #[must_use]
    pub fn at(home: PathBuf, plan: Plan) -> Self {
        let book = Self {
            home,
            _temporary: None,
            plan,
        };
        for (path, bytes) in book.plan.files() {
            book.write(&path, bytes);
        }
        book
    }

    /// The project directory.
    #[must_use]
    pub fn root(&self) -> PathBuf {
        self.home.join("book")
    }

    /// A directory beside the project.
    #[must_use]
    pub fn outside(&self) -> &Path {
        &self.home
    }

    /// The place of a project file.
    #[must_use]
    pub fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    /// Writes a file behind the program's back.
    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Removes a file behind the program's back.
    pub fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).unwrap();
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

    /// Changes a JSON file behind the program's back.
    #[track_caller]
    pub fn edit(&self, path: &str, change: impl FnOnce(&mut Value)) {
        let mut value = self.json(path);
        change(&mut value);
        self.write(path, pretty(&value));
    }

    /// Whether something stands at a path.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.path(path).symlink_metadata().is_ok()
    }

    /// The checkpoint.
    #[must_use]
    pub fn checkpoint(&self) -> Value {
        self.json(".checkpoint.json")
    }

    /// The version of the story state; zero before the first commit.
    #[must_use]
    pub fn state_version(&self) -> u64 {
        if self.has("state/current-state.json") {
            self.json("state/current-state.json")["state_version"]
                .as_u64()
                .unwrap()
        } else {
            0
        }
    }

    /// Everything in the project.
    #[must_use]
    pub fn tree(&self) -> Tree {
        tree(&self.root())
    }

    /// Everything in the project, with the time of its last change.
    #[must_use]
    pub fn tree_and_times(&self) -> BTreeMap<String, (Node, SystemTime)> {
        self.tree()
            .into_iter()
            .map(|(path, node)| {
                let time = self
                    .path(&path)
                    .symlink_metadata()
                    .unwrap()
                    .modified()
                    .unwrap();
                (path, (node, time))
            })
            .collect()
    }

    /// The command, not yet started; with `--json`, in the sealed environment.
    #[must_use]
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary());
        self.seal(&mut command);
        command.arg("--json").args(args);
        command
    }

    /// Seals the environment of any command and points it at the project.
    pub fn seal(&self, command: &mut Command) {
        command
            .env_clear()
            .env("HOME", &self.home)
            .env("TZ", "UTC")
            .env("LANG", "C.UTF-8")
            .env("NOVEL_LANG", "en")
            .env("SOURCE_DATE_EPOCH", EPOCH)
            .current_dir(self.root());
    }

    /// Runs the binary with `--json`.
    pub fn novel(&self, args: &[&str]) -> Run {
        self.feed(args, "")
    }

    /// Runs the binary with `--json` and something to read.
    pub fn feed(&self, args: &[&str], input: impl AsRef<[u8]>) -> Run {
        run(self.command(args), input.as_ref())
    }

    /// Runs the binary in both languages; gives the two errors, Chinese first. Both must fail with
    /// this exit code, carry the same code, and speak differently.
    #[track_caller]
    pub fn fails_in_both(&self, code: i32, args: &[&str], input: impl AsRef<[u8]>) -> [Value; 2] {
        let [zh, en] = ["zh", "en"].map(|lang| {
            let mut with_lang = vec!["--lang", lang];
            with_lang.extend(args);
            self.feed(&with_lang, input.as_ref()).fails(code)
        });
        assert_eq!(zh["code"], en["code"]);
        assert_ne!(zh["message"], en["message"], "{zh:#}");
        let has_han = |value: &Value| {
            let text = value.as_str().unwrap_or_default();
            text.chars()
                .any(|char| ('\u{4E00}'..='\u{9FFF}').contains(&char))
        };
        assert!(has_han(&zh["message"]), "{zh:#}");
        for error in [&zh, &en] {
            assert!(
                error["hint"].as_str().is_some_and(|hint| !hint.is_empty()),
                "{error:#}"
            );
        }
        [zh, en]
    }

    /// What `novel next` answers.
    #[track_caller]
    #[must_use]
    pub fn next(&self) -> String {
        let data = self.novel(&["next"]).ok();
        data["step"].as_str().unwrap().to_owned()
    }

    /// A driver with a judge who likes everything.
    #[must_use]
    pub fn driver(&self) -> Driver<'_> {
        Driver {
            book: self,
            manner: Manner::Usual,
        }
    }
}

/// Runs a command with something to read.
#[track_caller]
pub fn run(mut command: Command, input: &[u8]) -> Run {
    let args: Vec<String> = command
        .get_args()
        .map(|arg| arg.to_string_lossy().into_owned())
        .collect();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The program may refuse before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        args: args.join(" "),
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Everything below a directory.
#[must_use]
pub fn tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(dir) = waiting.pop() {
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            let kind = path.symlink_metadata().unwrap().file_type();
            let node = if kind.is_symlink() {
                Node::Link(fs::read_link(&path).unwrap())
            } else if kind.is_dir() {
                waiting.push(path);
                Node::Dir
            } else {
                Node::File(fs::read(&path).unwrap())
            };
            tree.insert(name, node);
        }
    }
    tree
}

/// The paths in which two trees differ.
#[must_use]
pub fn differences(before: &Tree, after: &Tree) -> Vec<String> {
    let mut paths: Vec<&String> = before.keys().chain(after.keys()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
        .into_iter()
        .filter(|path| before.get(*path) != after.get(*path))
        .cloned()
        .collect()
}

/// Fails with the differing paths, not with two whole trees.
#[track_caller]
pub fn assert_same_tree(before: &Tree, after: &Tree, what: &str) {
    let differences = differences(before, after);
    assert!(differences.is_empty(), "{what}: {differences:#?}");
}

/// An outside agent: it asks what comes next, reads the packet, hands its answer in.
#[derive(Clone, Copy)]
pub struct Driver<'a> {
    book: &'a Book,
    manner: Manner,
}

impl Driver<'_> {
    /// The same in another manner.
    #[must_use]
    pub fn manner(mut self, manner: Manner) -> Self {
        self.manner = manner;
        self
    }

    /// `chapter:NNN:STAGE`.
    #[must_use]
    pub fn step(chapter: u32, stage: &str) -> String {
        format!("chapter:{chapter:03}:{stage}")
    }

    /// Reads the packet of a step that must come next, and checks whom it is for.
    #[track_caller]
    pub fn packet(&self, chapter: u32, stage: &str) -> Value {
        let step = Self::step(chapter, stage);
        assert_eq!(self.book.next(), step);
        let mut data = self.book.novel(&["instructions", &step]).ok();
        let packet = data["packet"].take();
        assert_eq!(packet["step"], step.as_str());
        let agent = match stage {
            "draft" => "chapter-writer",
            "summarize" => "summarizer",
            "refine" => "style-refiner",
            _ => "quality-judge",
        };
        assert_eq!(packet["agent"]["name"], agent);
        packet
    }

    /// Hands an answer in and has it accepted.
    #[track_caller]
    pub fn hand_in(&self, chapter: u32, stage: &str, answer: impl AsRef<[u8]>) -> Value {
        let step = Self::step(chapter, stage);
        let data = self.book.feed(&["submit", &step, "-"], answer).ok();
        assert!(!data["written"].as_array().unwrap().is_empty(), "{data:#}");
        self.book.novel(&["advance", &step]).ok()
    }

    /// The draft.
    #[track_caller]
    pub fn draft(&self, chapter: u32) {
        self.packet(chapter, "draft");
        let answer = self.book.plan.draft(chapter, self.manner);
        self.hand_in(chapter, "draft", answer);
    }

    /// Summary, delta, cross-references, memory.
    #[track_caller]
    pub fn summarize(&self, chapter: u32) {
        self.packet(chapter, "summarize");
        let answer = self
            .book
            .plan
            .summary_answer(chapter, self.book.state_version());
        self.hand_in(chapter, "summarize", pretty(&answer));
    }

    /// The refined text.
    #[track_caller]
    pub fn refine(&self, chapter: u32) {
        self.packet(chapter, "refine");
        let answer = self.book.plan.refined(chapter, self.manner);
        self.hand_in(chapter, "refine", answer);
    }

    /// One judge's answer, twice for a key chapter; gives what `advance` says.
    #[track_caller]
    pub fn judge(&self, chapter: u32, verdict: &Value) -> Value {
        self.packet(chapter, "judge");
        self.judge_again(chapter, verdict, verdict)
    }

    /// The same with a second opinion for key chapters, without looking at the packet.
    #[track_caller]
    pub fn judge_again(&self, chapter: u32, primary: &Value, secondary: &Value) -> Value {
        let step = Self::step(chapter, "judge");
        let args = ["submit", &step, "-", "--model", "first-judge"];
        let data = self.book.feed(&args, pretty(primary)).ok();
        if self.book.plan.is_key(chapter) {
            assert_eq!(data["awaiting"], "secondary", "{data:#}");
            let args = [
                "submit",
                &step,
                "-",
                "--judge",
                "secondary",
                "--model",
                "second-judge",
            ];
            let data = self.book.feed(&args, pretty(secondary)).ok();
            assert_eq!(data["awaiting"], Value::Null, "{data:#}");
        } else {
            assert_eq!(data["awaiting"], Value::Null, "{data:#}");
        }
        self.book.novel(&["advance", &step]).ok()
    }

    /// The commit.
    #[track_caller]
    pub fn commit(&self, chapter: u32) -> Value {
        assert_eq!(self.book.next(), Self::step(chapter, "commit"));
        self.book
            .novel(&["commit", "--chapter", &chapter.to_string()])
            .ok()
    }

    /// Everything up to an accepted verdict of 4.2.
    #[track_caller]
    pub fn up_to_judged(&self, chapter: u32) {
        self.up_to_refined(chapter);
        let data = self.judge(chapter, &self.book.plan.verdict(chapter, 4.2));
        assert_eq!(data["gate"]["decision"], "pass", "{data:#}");
    }

    /// Everything up to the accepted refined text.
    #[track_caller]
    pub fn up_to_refined(&self, chapter: u32) {
        self.draft(chapter);
        self.summarize(chapter);
        self.refine(chapter);
    }

    /// A whole chapter; gives what `commit` says.
    #[track_caller]
    pub fn write(&self, chapter: u32) -> Value {
        self.up_to_judged(chapter);
        self.commit(chapter)
    }
}
