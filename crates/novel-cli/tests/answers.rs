//! Every answer of `--json`, as a program sees it: fields, their order, and their values.
//!
//! The binary works on small books of the offline author. What it prints is kept as snapshots, so
//! that a change of the contract can not go unseen.
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::LazyLock,
};

use novel_contract::{ERROR_CODES, exit_code};
use serde_json::{Value, json};
use tempfile::TempDir;

/// 2026-03-01T00:00:00Z.
const EPOCH: &str = "1772323200";
/// Where the schemas are said to lie; nothing is read from there.
const BASE: &str = "https://novel.invalid/schemas/answers/";
/// Longer texts, such as help and prompts, are cut in the snapshots.
const LONGEST: usize = 160;
/// Fields that differ from run to run.
const VARYING: [&str; 4] = ["age_seconds", "pid", "host", "started"];

/// The generated schemas.
static SCHEMAS: LazyLock<PathBuf> =
    LazyLock::new(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/answers"));

/// A directory, the commands run in it, and what they answered.
struct Session {
    dir: TempDir,
    transcript: String,
}

impl Session {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            transcript: String::new(),
        }
    }

    /// The same with the planned demo book and its first chapters.
    fn demo(chapters: u32) -> Self {
        let mut session = Self::new();
        session.quietly(&["demo", ".", "--chapters", &chapters.to_string()]);
        session
    }

    fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Changes a JSON file behind the program's back.
    fn edit(&self, path: &str, change: impl FnOnce(&mut Value)) {
        let mut value = serde_json::from_str(&self.read(path)).unwrap();
        change(&mut value);
        self.write(path, &format!("{value:#}\n"));
    }

    /// Adds lines to the top of `novel.toml`.
    fn configure(&self, lines: &str) {
        let text = self.read("novel.toml");
        self.write("novel.toml", &format!("{lines}\n{text}"));
    }

    /// Runs a command line, its words separated by spaces, and keeps its answer.
    fn ask(&mut self, line: &str) -> Value {
        self.give(line, "")
    }

    /// The same with text on standard input.
    fn give(&mut self, line: &str, input: &str) -> Value {
        let words: Vec<&str> = line.split(' ').collect();
        let (code, answer) = run(self.dir.path(), &words, input);
        check(line, code, &answer);
        let shown = shown(answer.clone(), self.dir.path());
        self.transcript
            .push_str(&format!("$ novel {line}\nexit {code}\n{shown:#}\n\n"));
        answer
    }

    /// Runs a command that has to succeed; its answer is no part of the snapshot.
    fn quietly(&mut self, words: &[&str]) {
        let (code, answer) = run(self.dir.path(), words, "");
        assert_eq!(code, 0, "{words:?}: {answer:#}");
        check(&words.join(" "), code, &answer);
    }

    fn keep(self, name: &str) {
        insta::with_settings!({
            prepend_module_to_snapshot => false,
            snapshot_path => "snapshots/answers",
            omit_expression => true,
        }, {
            insta::assert_snapshot!(name, self.transcript);
        });
    }
}

/// Runs the binary in a sealed environment: the exit code and the one object it printed.
fn run(dir: &Path, words: &[&str], input: &str) -> (i32, Value) {
    let named = std::env::var_os("NOVEL_BIN").map(PathBuf::from);
    let binary = named.unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_novel")));
    let mut child = Command::new(binary)
        .args(words)
        .arg("--json")
        .current_dir(dir)
        .env_clear()
        .env("HOME", dir)
        .env("PATH", "/usr/bin:/bin")
        .env("NOVEL_LANG", "en")
        .env("SOURCE_DATE_EPOCH", EPOCH)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that reads nothing may end before all is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answer: Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{words:?}: {error}: {text}"));
    // The snapshots show the answer indented; as printed it is one line of the same tokens.
    assert_eq!(text, format!("{answer}\n"), "{words:?}");
    (output.status.code().unwrap(), answer)
}

/// The answer is what the schema of its command says, and its code is one of those of the table.
fn check(line: &str, exit: i32, answer: &Value) {
    let command = answer["command"].as_str().unwrap();
    let file = novel_contract::schema_file(command);
    let failed = read_schema(&SCHEMAS.join("failed.schema.json"));
    let registry = jsonschema::Registry::new()
        .add(format!("{BASE}failed.schema.json"), &failed)
        .unwrap()
        .prepare()
        .unwrap();
    let validator = jsonschema::options()
        .with_base_uri(format!("{BASE}{file}"))
        .with_registry(&registry)
        .build(&read_schema(&SCHEMAS.join(&file)))
        .unwrap();
    let faults: Vec<String> = validator
        .iter_errors(answer)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(faults.is_empty(), "novel {line}: {faults:#?}\n{answer:#}");
    if let Some(code) = answer["error"]["code"].as_str() {
        let known = ERROR_CODES.iter().find(|known| known.code == code).unwrap();
        let exits: Vec<i32> = known
            .kinds
            .iter()
            .map(|kind| exit_code(*kind).into())
            .collect();
        assert!(
            exits.contains(&exit),
            "novel {line}: {code} with exit {exit}"
        );
    }
}

fn read_schema(path: &Path) -> Value {
    let text = fs::read_to_string(path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// The answer without what differs from run to run.
fn shown(mut answer: Value, dir: &Path) -> Value {
    let dir = fs::canonicalize(dir).unwrap().display().to_string();
    tame(&mut answer, &dir);
    answer
}

fn tame(value: &mut Value, dir: &str) {
    match value {
        Value::String(text) => {
            let replaced = text
                .replace(dir, "[DIR]")
                .replace(env!("CARGO_PKG_VERSION"), "[VERSION]");
            let length = replaced.chars().count();
            *text = if length > LONGEST {
                let head: String = replaced.chars().take(60).collect();
                let tail: String = replaced.chars().skip(length - 20).collect();
                format!("{head}[… {length} characters …]{tail}")
            } else {
                replaced
            };
        }
        Value::Array(items) => items.iter_mut().for_each(|item| tame(item, dir)),
        Value::Object(fields) => {
            for (key, field) in fields {
                if VARYING.contains(&key.as_str()) && !field.is_null() {
                    *field = Value::String(format!("[{key}]"));
                } else {
                    tame(field, dir);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn a_written_book_read() {
    let mut session = Session::new();
    session.ask("demo . --chapters 2");
    for line in [
        "next",
        "status",
        "start",
        "instructions chapter:003:draft",
        "instructions chapter:003:draft --write-manifest",
        "instructions chapter:003:draft --explain",
        "chapter show 2",
        "report",
        "report scores --from 1 --to 1",
        "character list",
        "character show he-xiaoman",
        "storyline list",
        "storyline show main-arc",
        "foreshadow list",
        "foreshadow list --overdue",
        "search 潮",
        "cost",
        "config",
        "config executor",
        "check",
        "check all",
        "check --waivers",
        "lint chapters/chapter-001.md",
        "lint chapters/chapter-001.md chapters/chapter-002.md",
        "doctor",
        "lock status",
        "lock clear",
        "agents",
        "agents show chapter-writer",
        "review show 2",
        "revision list",
        "log",
        "log 1",
        "export --format txt --out book.txt",
        "projects",
    ] {
        session.ask(line);
    }
    session.keep("read");
}

#[test]
fn a_written_book_changed() {
    let mut session = Session::demo(1);
    for line in [
        "continue",
        "continue 2 --lang zh",
        "run --to 5",
        "run --to 5",
        "resume",
        "undo",
        "rollback 3",
        "undo",
        "log 3",
        "state rebuild",
        "state rebuild --from 4",
        "memory rebuild 4",
        "world add 雾里不许点灯",
        "regen 4",
        "regen 5",
        "regen 4 --cascade",
        "agents eject chapter-writer",
        "chapter generate 5",
        "chapter show 5",
        "chapter generate 5",
        "status",
        "continue",
        "review run 5",
        "review show 5",
    ] {
        session.ask(line);
    }
    let chapter = session.read("chapters/chapter-005.md");
    session.write("chapters/chapter-005.md", &format!("{chapter}\n灯灭了。\n"));
    for line in ["status", "doctor", "adopt 5", "doctor --fix", "cost"] {
        session.ask(line);
    }
    session.keep("changed");
}

#[test]
fn scenes() {
    let mut session = Session::demo(1);
    for line in [
        "scene plan 2",
        "scene generate 2 1",
        "next",
        "scene generate 2",
        "scene merge 2",
        "chapter show 2 --scene 1",
        "next",
        "continue",
    ] {
        session.ask(line);
    }
    session.keep("scenes");
}

#[test]
fn a_new_book() {
    let mut session = Session::new();
    for line in [
        "start",
        "init . --title 雾港 --genre 悬疑",
        "init . --title 雾港 --genre 悬疑",
        "start",
        "next",
        "quickstart",
        "start",
        "quickstart redo trial --note 再短一些",
        "quickstart",
        "continue",
        "quickstart accept",
        "start --yes",
        "plan show",
        "continue",
        "plan redo --note 多些海",
        "plan",
        "start",
        "commit --volume 1 --dry-run",
        "plan approve",
        "commit --volume 1",
        "start --choose continue",
        "status",
    ] {
        session.ask(line);
    }
    session.keep("new");
}

#[test]
fn a_volume_to_its_end() {
    let mut session = Session::demo(0);
    for line in [
        "run",
        "start",
        "volume review",
        "start",
        "plan",
        "continue",
        "run --yes --to 13",
    ] {
        session.ask(line);
    }
    session.keep("volume");
}

#[test]
fn an_outside_driver() {
    let mut session = Session::demo(0);
    let draft = "# 第 1 章 潮信\n\n雾钟响过第三遍，码头上的灯一盏一盏灭了。林晚把信翻过来，背面什么也没有。\n\n* * *\n\n塔上还亮着一盏灯。\n";
    session.ask("validate chapter:001:draft");
    session.ask("advance chapter:001:draft");
    session.ask("submit chapter:001:summarize missing.json");
    session.give("submit chapter:001:draft -", draft);
    session.ask("validate chapter:001:draft");
    session.ask("advance chapter:001:draft");
    session.give("submit chapter:001:summarize -", "{}");
    let summary = serde_json::json!({
        "summary": "## 第 1 章摘要\n\n林晚收到一封没有署名的信。\n\n### 关键事件\n- 林晚得到匿名信\n\n### 伏笔变更\n\n### 故事线标记\n- storyline_id: main-arc\n",
        "delta": {"chapter": 1, "base_state_version": 0, "storyline_id": "main-arc", "ops": [
            {"op": "set", "path": "world_state.time_marker", "value": "第一夜"}]},
        "crossref": {"storyline_id": "main-arc", "cross_references": [], "leak_risk": "none",
            "leak_detail": null, "unknown_entities": []},
        "memory": "林晚收到匿名信。",
    });
    session.give("submit chapter:001:summarize -", &summary.to_string());
    session.ask("advance chapter:001:summarize");
    session.give("submit chapter:001:refine -", draft);
    session.ask("advance chapter:001:refine");
    let verdict = verdict(&session, 2.4);
    session.ask("commit --chapter 1");
    session.give("submit chapter:001:judge -", &verdict);
    session.ask("advance chapter:001:judge");
    session.give("submit chapter:001:judge - --judge secondary", &verdict);
    session.ask("advance chapter:001:judge");
    for line in [
        "next",
        "status",
        "start",
        "continue",
        "commit --chapter 1",
        "commit --chapter 1 --dry-run",
        "gate accept 1",
        "gate accept 1",
        "next",
        "commit --chapter 1 --dry-run",
        "commit --chapter 1",
        "commit --chapter 1",
        "gate rewrite 1",
        "chapter generate 2",
        "gate rewrite 2",
    ] {
        session.ask(line);
    }
    session.keep("driver");
}

fn json_of(session: &Session, path: &str) -> Value {
    serde_json::from_str(&session.read(path)).unwrap()
}

/// A judge's answer with the same score everywhere.
fn verdict(session: &Session, score: f64) -> String {
    let rules = json_of(session, "world/rules.json");
    let lines = json_of(session, "storylines/storyline-spec.json");
    let contract = json_of(session, "volumes/vol-01/chapter-contracts/chapter-001.json");
    let mut passed: Vec<String> = Vec::new();
    for entry in [&rules["rules"], &lines["rules"], &contract["objectives"]] {
        let ids = entry.as_array().into_iter().flatten();
        passed.extend(ids.map(|entry| entry["id"].as_str().unwrap().to_owned()));
    }
    for name in [
        "lu-yan",
        "qiu-boyuan",
        "he-xiaoman",
        "gu-xingzhou",
        "lu-sheng",
    ] {
        let person = json_of(session, &format!("characters/active/{name}.json"));
        let ids = person["contracts"].as_array().into_iter().flatten();
        passed.extend(ids.map(|entry| entry["id"].as_str().unwrap().to_owned()));
    }
    let text = session.read("staging/chapters/chapter-001.md");
    let quoted = text.lines().find(|line| line.chars().count() > 20).unwrap();
    let dimensions = [
        "plot_logic",
        "character",
        "immersion",
        "foreshadowing",
        "pacing",
        "style_naturalness",
        "emotional_impact",
        "storyline_coherence",
    ];
    let scores: serde_json::Map<String, Value> = dimensions
        .iter()
        .map(|name| {
            let score = serde_json::json!({"score": score, "evidence": quoted});
            ((*name).to_owned(), score)
        })
        .collect();
    serde_json::json!({
        "chapter": 1,
        "contract_verification": {"l1_checks": [], "l2_checks": [], "l3_checks": [], "ls_checks": [],
            "passed": passed},
        "scores": scores, "overall": score, "recommendation": "review", "required_fixes": [],
    })
    .to_string()
}

#[test]
fn a_revision() {
    let mut session = Session::demo(3);
    session.edit("state/current-state.json", |state| {
        state["characters"]["he-xiaoman"]["status"] = Value::from("dead");
    });
    session.configure("revision_policy = \"manual_confirm\"");
    for line in [
        "continue",
        "next",
        "start",
        "check 4",
        "revision list",
        "revision show 4",
        "revision candidate 4",
        "review show 4",
        "status",
        "export --format md --out book.md",
        "revision apply 4",
        "revision apply 4",
        "undo",
        "revision reject 4",
        "revision candidate 4",
        "revision list",
        "check --waive DEAD_CHARACTER_ACTS --chapter 4 --reason 误报",
        "check all --all",
        "check --waivers",
        "check --revoke DEAD_CHARACTER_ACTS",
    ] {
        session.ask(line);
    }
    session.keep("revision");
}

#[test]
fn an_imported_book() {
    let mut session = Session::new();
    session.write(
        "old.txt",
        "旧书\n\n前言一段。\n\n第一章 雾\n\n雾钟响过第三遍，码头上的灯一盏一盏灭了。\n\n第二章 灯\n\n塔上还亮着一盏灯。\n",
    );
    for line in [
        "import old.txt --dry-run --into book",
        "import old.txt --into book",
        "import old.txt --into book --yes --analyse --executor offline",
        "import missing.txt",
        "--project book import --analyse --executor offline",
        "--project book next",
        "--project book start",
    ] {
        session.ask(line);
    }
    session.write("projects/tide/brief.md", "");
    session.ask("init -p fog --title 雾港 --genre 悬疑");
    session.write("projects/fog/.checkpoint.json", "{");
    session.ask("init -p lamp --title 灯 --genre 悬疑");
    session.ask("projects");
    session.ask("-p fog status");
    session.ask("-p fgo status");
    session.keep("imported");
}

#[test]
fn the_program_itself() {
    let mut session = Session::new();
    for line in [
        "version",
        "--version",
        "help",
        "help next",
        "next --help",
        "completions bash",
        "man",
        "man --out pages",
        "start --yes --title 雾港 --genre 悬疑",
    ] {
        session.ask(line);
    }
    session.keep("program");
}

#[test]
fn failures() {
    let mut session = Session::demo(1);
    for line in [
        "nonsense",
        "next --nonsense",
        "continue zero",
        "chapter show 0",
        "--project missing status",
        "-p ../x status",
        "instructions chapter:001:drfat",
        "instructions chapter:007:draft",
        "rollback 9",
        "commit --volume 9",
        "chapter show 9",
        "character show nobody",
        "character retire lin-wan",
        "character retire he-xiaoman",
        "storyline show nothing",
        "check 9",
        "check --waive nonsense --reason x",
        "config nonsense",
        "agents show nobody",
        "revision show 1",
        "adopt 1",
        "export --format epub --from 3 --to 2",
        "export --format txt --out .",
        "submit chapter:002:draft missing.md",
        "start --choose nonsense",
        "plan",
        "plan show",
        "quickstart accept",
        "scene merge 2",
        "memory rebuild 7",
        "demo .",
        "continue --executor llm",
        "continue --executor command",
    ] {
        session.ask(line);
    }
    session.configure("tilte = \"x\"");
    for line in [
        "next",
        "commit --chapter 1",
        "version",
        "agents show summarizer",
    ] {
        session.ask(line);
    }
    let started = jiff::Timestamp::now() - jiff::SignedDuration::from_secs(605);
    let lock = json!({"pid": 1, "host": "elsewhere", "started": started.to_string(), "token": "t"});
    session.write(".novel.lock/info.json", &lock.to_string());
    for line in [
        "lock status",
        "continue",
        "lock clear",
        "lock clear --force",
    ] {
        session.ask(line);
    }
    session.write(
        "chapters/chapter_001.json",
        "{\"chapter_number\": 1,\n \"scenes\": 3}",
    );
    for line in ["doctor", "chapter show 1", "status", "continue", "undo"] {
        session.ask(line);
    }
    session.write(".checkpoint.json", "{\"last_completed_chapter\": \"x\"}");
    for line in ["status", "next", "doctor", "doctor --fix"] {
        session.ask(line);
    }
    session.keep("failures");
}
