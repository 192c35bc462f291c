//! Programs that run agents, well-behaved and evil, in a real project and with the real sandbox.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{MetadataExt, symlink},
    path::PathBuf,
    thread,
};

use novel_app::executor::{AgentAnswer, AgentCall, Command, Executor, Sign};
use novel_book::config::{CommandOutput, Config, NetworkAccess, Sandboxing};
use novel_exec::{Enforcement, sandbox::available};
use novel_llm::CancelToken;
use novel_model::{
    ContentHash, Explain, Failure, Kind, Lang, Message, StepId,
    files::{JudgeRole, Packet},
};
use novel_prompt::prompt::{Agent, Level, Mode, Output, Prompt, Role, Section, output};
use novel_store::{Store, TxnKind, TxnLabel};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A view of its own where the system has namespaces, the kernel's rules, comparison alone.
const ALL: [Sandboxing; 3] = [Sandboxing::Auto, Sandboxing::Landlock, Sandboxing::Compare];

/// A directory with a book in it.
struct Book {
    home: TempDir,
    store: Store,
}

type Tree = BTreeMap<PathBuf, (u32, Vec<u8>)>;

impl Book {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let store = Store::create(&home.path().join("books/one")).unwrap();
        let book = Self { home, store };
        book.put(".checkpoint.json", "{}\n");
        book.put("novel.toml", "executor = \"command\"\n");
        book.put("chapters/chapter-001.md", "# 第一章\n");
        book.put("chapters/chapter-002.md", "# 第二章\n");
        book.put("staging/chapters/chapter-003.md", "# 第三章\n旧稿\n");
        book.put("staging/manifests/packet.json", "{}\n");
        fs::create_dir(book.home.path().join("elsewhere")).unwrap();
        book
    }

    fn at(&self, path: &str) -> PathBuf {
        self.home.path().join("books/one").join(path)
    }

    fn put(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    /// Everything of the book outside `staging/` and `archive/`.
    fn tree(&self, without: &[&str]) -> Tree {
        let mut tree = Tree::new();
        let mut pending = vec![self.at("")];
        while let Some(dir) = pending.pop() {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                if without.iter().any(|name| path == self.at(name)) {
                    continue;
                }
                let metadata = fs::symlink_metadata(&path).unwrap();
                let content = if metadata.is_dir() {
                    pending.push(path.clone());
                    Vec::new()
                } else if metadata.is_symlink() {
                    fs::read_link(&path)
                        .unwrap()
                        .into_os_string()
                        .into_encoded_bytes()
                } else {
                    fs::read(&path).unwrap()
                };
                tree.insert(path, (metadata.mode(), content));
            }
        }
        tree
    }

    fn agent(&self, script: &str) -> Agency<'_> {
        let mut config = Config::default();
        config.command.program = ["/bin/sh", "-c", script].map(str::to_owned).to_vec();
        Agency {
            book: self,
            config,
            step: "chapter:003:draft",
            agent: Agent::ChapterWriter,
        }
    }
}

/// A program in the part of an agent.
struct Agency<'a> {
    book: &'a Book,
    config: Config,
    step: &'static str,
    agent: Agent,
}

impl Agency<'_> {
    fn sandbox(mut self, sandbox: Sandboxing) -> Self {
        self.config.command.sandbox = sandbox;
        self
    }

    fn staged(mut self) -> Self {
        self.config.command.output = CommandOutput::Staged;
        self
    }

    fn step(mut self, step: &'static str, agent: Agent) -> Self {
        (self.step, self.agent) = (step, agent);
        self
    }

    fn judge(self) -> Self {
        self.step("chapter:003:judge", Agent::QualityJudge)
    }

    fn executor(&self) -> Command {
        let launcher = novel_testkit::book::binary();
        let store = self.book.store.clone();
        Command::new(store, self.config.clone(), launcher).unwrap()
    }

    fn run(&self) -> Result<AgentAnswer, Failure> {
        self.run_with(&mut |_| {})
    }

    fn run_with(&self, on_sign: &mut dyn FnMut(Sign)) -> Result<AgentAnswer, Failure> {
        let step: StepId = self.step.parse().unwrap();
        let packet = packet(self.step, self.agent);
        let prompt = prompt(self.agent);
        let call = AgentCall {
            step,
            judge: JudgeRole::Primary,
            packet: &packet,
            packet_path: Some("staging/manifests/packet.json".parse().unwrap()),
            prompt: &prompt,
            model: "opus",
            book: None,
        };
        Ok(self.executor().run(&call, on_sign, &CancelToken::new())?)
    }

    fn answers(&self) -> String {
        match self.run() {
            Ok(answer) => answer.text,
            Err(failure) => panic!("{}", failure.explain().message().en),
        }
    }

    fn fails(&self) -> Failure {
        match self.run() {
            Ok(answer) => panic!("answered: {}", answer.text),
            Err(failure) => failure,
        }
    }
}

fn packet(step: &str, agent: Agent) -> Packet {
    let output = |path: &str| json!({"path": path, "required": true, "schema": null});
    let (outputs, boundary) = match agent {
        Agent::ChapterWriter | Agent::StyleRefiner => (
            vec![output("staging/chapters/chapter-003.md")],
            vec!["staging/**"],
        ),
        Agent::Summarizer => (
            vec![
                output("staging/summaries/chapter-003-summary.md"),
                output("staging/state/chapter-003-delta.json"),
                output("staging/state/chapter-003-crossref.json"),
                output("staging/storylines/main/memory.md"),
            ],
            vec!["staging/**"],
        ),
        Agent::QualityJudge => (
            vec![output("staging/evaluations/chapter-003-eval.json")],
            vec![],
        ),
        Agent::LogicReviewer => (
            vec![output("reviews/chapter_003_logic_review.json")],
            vec![],
        ),
        Agent::ConsistencyAuditor => (vec![output("reviews/chapter_003_consistency.json")], vec![]),
        Agent::ChapterReviser => (vec![output("chapters/chapter_003_revision.json")], vec![]),
        Agent::WorldBuilder
        | Agent::CharacterWeaver
        | Agent::StyleAnalyzer
        | Agent::PlotArchitect => (vec![], vec!["staging/**"]),
        Agent::BookReader => (vec![output("logs/imported-reading.json")], vec![]),
        Agent::VolumeReviewer => (
            vec![output("staging/volumes/vol-01/review.md")],
            vec!["staging/**"],
        ),
    };
    serde_json::from_value(json!({
        "version": 1,
        "step": step,
        "agent": {"kind": "subagent", "name": agent.name()},
        "manifest": {"mode": "paths", "paths": {}, "inline": {}},
        "expected_outputs": outputs,
        "write_boundary": boundary,
        "next_actions": [],
    }))
    .unwrap()
}

fn prompt(agent: Agent) -> Prompt {
    let section = |role, text: &str| Section {
        name: "task".into(),
        level: Level::Chapter,
        role,
        text: text.into(),
        tokens: 1,
        why: Message::default(),
        stable: false,
    };
    Prompt {
        agent,
        mode: Mode::Draft,
        template_version: 1,
        sections: vec![
            section(Role::System, "规则"),
            section(Role::User, "材料"),
            section(Role::User, "任务"),
        ],
        left_out: Vec::new(),
        output: output(agent),
        hash: ContentHash::of("prompt"),
    }
}

/// Whether the kernel has a sandbox; the part of a test that needs one is skipped without it.
fn is_enforced() -> bool {
    let is_full = available() == Some(Enforcement::Full);
    if !is_full {
        novel_testkit::skip("a kernel with Landlock");
    }
    is_full
}

/// Whether the system has namespaces; the part of a test that needs them is skipped without.
fn has_views() -> bool {
    let book = Book::new();
    let has_views = book.agent("").executor().begin_run().is_empty();
    if !has_views {
        novel_testkit::skip("namespaces");
    }
    has_views
}

fn foreign(failure: &Failure) -> Vec<(String, String, bool)> {
    let failure = failure.explain();
    assert_eq!(
        (failure.kind(), failure.code()),
        (Kind::Provider, "WRITE_BOUNDARY"),
        "{}",
        failure.message().en
    );
    let details = failure.details(Lang::En);
    let writes = details["foreign_writes"].as_array().unwrap();
    let text = |write: &Value, key: &str| write[key].as_str().unwrap().to_owned();
    writes
        .iter()
        .map(|write| {
            (
                text(write, "path"),
                text(write, "change"),
                write["undone"].as_bool().unwrap(),
            )
        })
        .collect()
}

#[test]
fn a_program_gets_prompt_environment_and_place() {
    for sandbox in ALL {
        let book = Book::new();
        let script = r#"cat; echo; echo "$NOVEL_STEP $NOVEL_MODEL"; echo "$NOVEL_PACKET"; [ "$NOVEL_PROJECT" -ef . ] && [ -f "$NOVEL_PACKET" ] && echo here"#;
        let agency = book.agent(script).sandbox(sandbox);
        let mut streamed = String::new();
        let answer = agency
            .run_with(&mut |sign| {
                if let Sign::Text(text) = sign {
                    streamed.push_str(&text);
                }
            })
            .unwrap();
        let packet = book
            .at("staging/manifests/packet.json")
            .canonicalize()
            .unwrap();
        let expected = format!(
            "规则\n\n材料\n\n任务\nchapter:003:draft opus\n{}\nhere\n",
            packet.display()
        );
        assert_eq!(answer.text, expected);
        assert_eq!(streamed, expected);
        assert_eq!(answer.model, "opus");
    }
}

#[test]
fn an_answer_in_json_is_asked_for_with_its_schema() {
    let book = Book::new();
    let asked = book.agent("cat").judge().answers();
    assert!(matches!(output(Agent::QualityJudge), Output::Json { .. }));
    assert!(asked.contains("JSON Schema") && asked.contains("contract_verification"));
}

#[test]
fn a_program_may_answer_in_staging() {
    for sandbox in ALL {
        let book = Book::new();
        let before = book.tree(&[]);
        let script = "cat > ../../elsewhere/asked; echo 草 > staging/chapters/notes.md; echo '# 第三章' > staging/chapters/chapter-003.md; echo talk";
        let answer = book.agent(script).sandbox(sandbox).staged().answers();
        assert_eq!(answer, "# 第三章\n");
        let asked = fs::read_to_string(book.home.path().join("elsewhere/asked")).unwrap();
        assert!(
            asked.ends_with("- `staging/chapters/chapter-003.md`"),
            "{asked}"
        );
        // The answer becomes a file when it is accepted, by the program's own hand.
        assert_eq!(book.tree(&[]), before);
    }
}

#[test]
fn a_writer_may_leave_hints_beside_its_draft() {
    for sandbox in ALL {
        let book = Book::new();
        let script = "echo '# 第三章' > staging/chapters/chapter-003.md; echo 提示 > staging/chapters/chapter-003-hints.md";
        let answer = book.agent(script).sandbox(sandbox).staged().run().unwrap();
        assert_eq!(answer.hints.as_deref(), Some("提示\n"));
    }
}

#[test]
fn four_staged_files_become_the_summarizer_s_answer() {
    let book = Book::new();
    let script = r#"mkdir -p staging/summaries staging/state staging/storylines/main
        echo 摘要 > staging/summaries/chapter-003-summary.md
        echo '{"ops": []}' > staging/state/chapter-003-delta.json
        echo '{"b": 2, "a": 1}' > staging/state/chapter-003-crossref.json
        echo 记忆 > staging/storylines/main/memory.md"#;
    let agency = book.agent(script).staged();
    let answer = agency
        .step("chapter:003:summarize", Agent::Summarizer)
        .answers();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let expected = json!({
        "summary": "摘要\n", "delta": {"ops": []}, "crossref": {"b": 2, "a": 1}, "memory": "记忆\n"
    });
    assert_eq!(answer, expected);

    let broken = script.replace(r#"{"ops": []}"#, "no json");
    let failure = book
        .agent(&broken)
        .staged()
        .step("chapter:003:summarize", Agent::Summarizer)
        .fails();
    assert_eq!(failure.explain().code(), "STAGED_OUTPUT_BROKEN");
}

#[test]
fn an_old_staged_file_is_not_taken_for_an_answer() {
    let book = Book::new();
    let failure = book.agent("true").staged().fails();
    assert_eq!(failure.explain().code(), "OUTPUT_NOT_STAGED");
}

#[test]
fn evil_programs_change_nothing() {
    // What is done, and what is told about it.
    let evil: [(&str, &[(&str, &str)]); 11] = [
        (
            "echo 恶 > chapters/evil.md",
            &[("chapters/evil.md", "created")],
        ),
        (
            "echo '{\"x\":1}' > .checkpoint.json",
            &[(".checkpoint.json", "modified")],
        ),
        (
            "echo 恶 >> chapters/chapter-001.md",
            &[("chapters/chapter-001.md", "modified")],
        ),
        (
            "rm chapters/chapter-001.md",
            &[("chapters/chapter-001.md", "removed")],
        ),
        (
            "rm -r world && mkdir world",
            &[("world/rules.json", "removed")],
        ),
        (
            "echo 恶 > staging/chapters/out/chapter-001.md",
            &[("chapters/chapter-001.md", "modified")],
        ),
        (
            "mkdir -p logs/calls && echo {} > logs/calls/forged.json",
            &[
                ("logs", "created"),
                ("logs/calls", "created"),
                ("logs/calls/forged.json", "created"),
            ],
        ),
        (
            "mkdir -p .novel.journal && echo {} > .novel.journal/plan.json",
            &[(".novel.journal/plan.json", "created")],
        ),
        (
            "mkdir -p staging/evaluations && echo {} > staging/evaluations/chapter-003-eval.json",
            &[("staging/evaluations/chapter-003-eval.json", "modified")],
        ),
        (
            "rm -f staging/bindings/chapter-003.json",
            &[("staging/bindings/chapter-003.json", "removed")],
        ),
        (
            "echo 恶 > staging/notes.md",
            &[("staging/notes.md", "created")],
        ),
    ];
    for (script, expected) in evil {
        // A script that goes on after a refusal, and answers as if nothing had happened.
        let script = format!("{{ {script}; }} 2>/dev/null; echo 正文");
        let book = || {
            let book = Book::new();
            book.put("world/rules.json", "{}\n");
            book.put("staging/evaluations/chapter-003-eval.json", "{\"a\":1}\n");
            book.put("staging/bindings/chapter-003.json", "{}\n");
            symlink("../../chapters", book.at("staging/chapters/out")).unwrap();
            book
        };
        let told: Vec<(String, String, bool)> = expected
            .iter()
            .map(|(path, change)| ((*path).to_owned(), (*change).to_owned(), true))
            .collect();
        for sandbox in [Sandboxing::Auto, Sandboxing::Compare] {
            if sandbox == Sandboxing::Auto && !has_views() {
                continue;
            }
            let book = book();
            let before = book.tree(&["archive", ".novel.journal"]);
            let failure = book.agent(&script).sandbox(sandbox).fails();
            let found = foreign(&failure);
            for told in &told {
                assert!(found.contains(told), "{sandbox:?} {script}: {found:?}");
            }
            assert_eq!(
                book.tree(&["archive", ".novel.journal"]),
                before,
                "{sandbox:?} {script}"
            );
            assert!(!book.at(".novel.journal/plan.json").exists());
        }
        if is_enforced() {
            let book = book();
            let before = book.tree(&[]);
            let agent = book.agent(&script).sandbox(Sandboxing::Landlock);
            assert_eq!(agent.answers(), "正文\n", "{script}");
            assert_eq!(book.tree(&[]), before, "{script}");
        }
    }
}

#[test]
fn a_second_name_of_a_file_of_the_book_is_no_way_to_it() {
    for sandbox in ALL {
        let book = Book::new();
        let before = book.tree(&["archive"]);
        let script = "{ ln chapters/chapter-001.md staging/chapters/hard && echo 恶 > staging/chapters/hard; } 2>/dev/null; echo 正文";
        // Whether it is refused at once or told afterwards.
        let _ = book.agent(script).sandbox(sandbox).run();
        assert_eq!(book.tree(&["archive"]), before, "{sandbox:?}");
    }
}

#[test]
fn what_a_project_cannot_hold_is_refused_though_it_stands_in_staging() {
    let odd = [
        ("ln -s ../../chapters out", "out", "link"),
        ("ln -s chapter-003.md inside", "inside", "link"),
        ("mkfifo pipe", "pipe", "special"),
        (
            "printf x > \"$(printf 'bad\\377name')\"",
            "bad\u{FFFD}name",
            "file",
        ),
        (
            "printf x > \"$(printf 'two\\nlines')\"",
            "two\\nlines",
            "file",
        ),
        ("mkdir closed; chmod 000 closed", "closed", "directory"),
    ];
    for sandbox in ALL {
        for (script, name, kind) in odd {
            let book = Book::new();
            let before = book.tree(&["archive"]);
            let script = format!(
                "cd staging/chapters; {{ {script}; }} 2>/dev/null; echo '# 第三章' > chapter-003.md"
            );
            let ran = book.agent(&script).sandbox(sandbox).staged().run();
            assert_eq!(book.tree(&["archive"]), before, "{sandbox:?} {script}");
            match ran {
                Ok(_) => assert_eq!(sandbox, Sandboxing::Landlock, "{script}"),
                Err(failure) => {
                    let path = format!("staging/chapters/{name}");
                    assert!(
                        foreign(&failure).contains(&(path.clone(), "created".into(), true)),
                        "{sandbox:?} {script}"
                    );
                    let details = failure.explain().details(Lang::En);
                    let writes = details["foreign_writes"].as_array().unwrap();
                    let write = writes.iter().find(|write| write["path"] == path).unwrap();
                    assert_eq!(write["kind"], kind);
                }
            }
        }
    }
}

#[test]
fn an_answer_larger_than_any_chapter_is_refused_at_once() {
    for sandbox in ALL {
        let book = Book::new();
        let before = book.tree(&[]);
        let script = "truncate -s 1T staging/chapters/chapter-003.md";
        let failure = book.agent(script).sandbox(sandbox).staged().fails();
        assert_eq!(failure.explain().code(), "COMMAND_OUTPUT_TOO_LARGE");
        assert_eq!(book.tree(&[]), before);
    }
}

#[test]
fn permissions_owners_attributes_and_times_outside_are_put_back() {
    let facts = |book: &Book| -> Vec<(u32, u32, i64)> {
        let mut paths: Vec<PathBuf> = book.tree(&["archive"]).into_keys().collect();
        paths.retain(|path| path.is_file());
        let facts = paths.iter().map(|path| {
            let metadata = fs::symlink_metadata(path).unwrap();
            (metadata.mode(), metadata.uid(), metadata.mtime())
        });
        facts.collect()
    };
    for sandbox in ALL {
        let book = Book::new();
        let (before, facts_before) = (book.tree(&["archive"]), facts(&book));
        let script = "touch -d 2001-01-01 novel.toml; setfattr -n user.evil -v x chapters/chapter-001.md 2>/dev/null; chown 12:34 chapters/chapter-002.md 2>/dev/null; chmod 777 .checkpoint.json; chmod 000 chapters; echo 正文";
        let failure = book.agent(script).sandbox(sandbox).fails();
        let paths: Vec<String> = foreign(&failure).into_iter().map(|write| write.0).collect();
        for path in [".checkpoint.json", "novel.toml", "chapters"] {
            assert!(paths.contains(&path.to_owned()), "{sandbox:?} {paths:?}");
        }
        assert_eq!(book.tree(&["archive"]), before, "{sandbox:?}");
        assert_eq!(facts(&book), facts_before, "{sandbox:?}");
    }
}

#[test]
fn a_judge_may_not_write_even_into_staging() {
    let script = "echo '{}' > staging/evaluations.json; echo 改 > staging/chapters/chapter-003.md; echo verdict";
    let book = Book::new();
    let before = book.tree(&["archive"]);
    let failure = book
        .agent(script)
        .judge()
        .sandbox(Sandboxing::Compare)
        .fails();
    let expected = [
        (
            "staging/chapters/chapter-003.md".to_owned(),
            "modified".to_owned(),
            true,
        ),
        (
            "staging/evaluations.json".to_owned(),
            "created".to_owned(),
            true,
        ),
    ];
    assert_eq!(foreign(&failure), expected);
    assert_eq!(book.tree(&["archive"]), before);

    if has_views() {
        assert_eq!(foreign(&book.agent(script).judge().fails()), expected);
        assert_eq!(book.tree(&["archive"]), before);
    }
    if is_enforced() {
        let script = format!("{{ {script}; }} 2>/dev/null");
        let judge = || book.agent(&script).judge().sandbox(Sandboxing::Landlock);
        assert_eq!(judge().answers(), "verdict\n");
        assert_eq!(book.tree(&["archive"]), before);
        // Its answer is on standard output, whatever the author has set.
        assert_eq!(judge().staged().answers(), "verdict\n");
    }
}

#[test]
fn a_foreign_write_fails_the_call_even_if_the_program_failed_and_is_kept_aside() {
    let book = Book::new();
    let script = "echo 恶 > chapters/evil.md; exit 3";
    let failure = book.agent(script).sandbox(Sandboxing::Compare).fails();
    assert_eq!(foreign(&failure).len(), 1);
    let aside = book.at("archive/foreign-writes/001/chapters/evil.md");
    assert_eq!(fs::read_to_string(aside).unwrap(), "恶\n");
    // The next one has a place of its own.
    let failure = book.agent(script).sandbox(Sandboxing::Compare).fails();
    assert_eq!(foreign(&failure).len(), 1);
    assert!(
        book.at("archive/foreign-writes/002/chapters/evil.md")
            .exists()
    );
}

#[test]
fn a_writer_left_in_the_background_is_ended_and_undone() {
    let book = Book::new();
    let before = book.tree(&["archive"]);
    let script = "(trap '' TERM HUP; while :; do echo 恶 >> chapters/evil.md; done) & while ! [ -s chapters/evil.md ]; do :; done; echo 正文";
    let failure = book.agent(script).sandbox(Sandboxing::Compare).fails();
    assert_eq!(foreign(&failure)[0].0, "chapters/evil.md");
    assert_eq!(book.tree(&["archive"]), before);
}

#[test]
fn the_program_itself_may_write_while_an_agent_runs() {
    for sandbox in ALL {
        let book = Book::new();
        let gate = book.home.path().join("elsewhere/gate");
        let script = format!(
            "echo begin; while ! [ -e {} ]; do sleep 0.01; done; echo verdict",
            gate.display()
        );
        let agency = book.agent(&script).judge().sandbox(sandbox);
        let writer = book.store.acquire(None).unwrap();
        let answer = agency
            .run_with(&mut |sign| {
                let Sign::Text(text) = sign else { return };
                if !text.contains("begin") {
                    return;
                }
                // The answer of the other judge arrives and is kept.
                let mut txn = writer.begin(TxnLabel::new(TxnKind::Submit, "call"));
                txn.write("logs/calls/other.json".parse().unwrap(), "{}\n");
                txn.commit().unwrap();
                fs::write(&gate, "").unwrap();
            })
            .unwrap();
        assert_eq!(answer.text, "begin\nverdict\n");
        assert!(book.at("logs/calls/other.json").exists());
    }
}

#[test]
fn two_judges_at_the_same_time_do_not_disturb_each_other() {
    let book = Book::new();
    let answers: Vec<String> = thread::scope(|scope| {
        let judge = || {
            book.agent("cat > /dev/null; echo verdict")
                .judge()
                .answers()
        };
        let judges = [scope.spawn(judge), scope.spawn(judge)];
        judges.map(|judge| judge.join().unwrap()).to_vec()
    });
    assert_eq!(answers, ["verdict\n", "verdict\n"]);
}

#[test]
fn failures_are_told_by_their_meaning() {
    let book = Book::new();
    let code = |agency: &Agency<'_>| agency.fails().explain().code();
    assert_eq!(code(&book.agent("exit 1")), "COMMAND_FAILED");
    assert_eq!(code(&book.agent("true")), "EMPTY_ANSWER");
    assert_eq!(
        code(&book.agent("printf '\\377'")),
        "COMMAND_OUTPUT_NOT_UTF8"
    );
    assert_eq!(
        code(&book.agent("head -c 100000000 /dev/zero")),
        "COMMAND_OUTPUT_TOO_LARGE"
    );
    let mut missing = book.agent("");
    missing.config.command.program = vec!["no-such-agent".into()];
    assert_eq!(code(&missing), "COMMAND_NOT_FOUND");
    let mut slow = book.agent("exec sleep 1000");
    slow.config.command.timeout_seconds = Some(1);
    assert_eq!(code(&slow), "COMMAND_TIMEOUT");
    let none = Command::new(book.store.clone(), Config::default(), PathBuf::new());
    assert_eq!(none.err().unwrap().code(), "NO_COMMAND");
}

#[test]
fn a_temporary_directory_above_the_project_is_replaced_by_one_that_can_be_used() {
    let book = Book::new();
    // The book lies in the directory for temporary files, where the sandbox lets nothing new in.
    assert!(book.home.path().starts_with(std::env::temp_dir()));
    let answer = book
        .agent("f=$(mktemp) && echo 正文 > $f && cat $f && rm $f")
        .answers();
    assert_eq!(answer, "正文\n");
}

#[test]
fn a_model_that_nobody_named_is_the_program_s_own_name() {
    let book = Book::new();
    let mut agency = book.agent("");
    assert_eq!(agency.executor().model_for(&["chapter-writer"]), "sh");
    agency.config.models.insert("default".into(), "opus".into());
    assert_eq!(agency.executor().model_for(&["chapter-writer"]), "opus");
}

#[test]
fn the_environment_is_a_short_list_and_what_the_author_names() {
    // This process's own environment is the one that is filtered.
    let path = std::env::var("PATH").unwrap();
    let secret = std::env::vars()
        .map(|(name, _)| name)
        .find(|name| name.starts_with("CARGO") || name.starts_with("NEXTEST"))
        .unwrap();
    let book = Book::new();
    let mut agency = book.agent("env");
    let environment = agency.answers();
    let has = |environment: &str, name: &str| {
        environment
            .lines()
            .any(|line| line.starts_with(&format!("{name}=")))
    };
    assert!(environment.contains(&format!("PATH={path}\n")));
    assert!(!has(&environment, &secret), "{environment}");
    agency.config.command.env = vec![secret.clone()];
    assert!(has(&agency.answers(), &secret));
    for (_, content) in book.tree(&[]).values() {
        assert!(!String::from_utf8_lossy(content).contains(&path));
    }
}

#[test]
fn a_key_file_is_out_of_sight() {
    for sandbox in [Sandboxing::Auto, Sandboxing::Landlock] {
        if !is_enforced() {
            return;
        }
        let book = Book::new();
        let key = book.home.path().join("elsewhere/key");
        fs::write(&key, "sk-verysecret\n").unwrap();
        fs::write(book.home.path().join("elsewhere/other"), "other\n").unwrap();
        let script = "{ cat ../../elsewhere/key; cp ../../elsewhere/key ../../elsewhere/copy && cat ../../elsewhere/copy; } 2>/dev/null; cat ../../elsewhere/other";
        let mut agency = book.agent(script).sandbox(sandbox);
        agency.config.llm.key_file = Some(key.display().to_string());
        assert_eq!(agency.answers(), "other\n", "{sandbox:?}");
    }
}

#[test]
fn a_closed_network_is_closed() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let script =
        format!("(exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && echo open || echo closed");
    for sandbox in [Sandboxing::Auto, Sandboxing::Landlock] {
        if !is_enforced() {
            return;
        }
        let book = Book::new();
        let mut agency = book.agent("").sandbox(sandbox);
        agency.config.command.program = ["/bin/bash", "-c", &script].map(str::to_owned).to_vec();
        assert_eq!(agency.answers(), "open\n", "{sandbox:?}");
        agency.config.command.network = NetworkAccess::Closed;
        assert_eq!(agency.answers(), "closed\n", "{sandbox:?}");
    }
}

#[test]
fn errors_on_standard_output_are_shown() {
    let book = Book::new();
    let message = |script: &str| book.agent(script).fails().explain().message().en;
    let words = "Credit balance is too low";
    assert!(message(&format!("echo '{words}'; exit 1")).ends_with(words));
    assert!(message(&format!("echo '{words}' >&2")).ends_with(words));
}
