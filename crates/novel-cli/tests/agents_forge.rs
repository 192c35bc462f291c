//! Programs in the part of an agent that want to outlive their step, forge their verdict, or reach the book
//! behind the program's back: through the real binary, with every kind of isolation there is.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use novel_testkit::{Output, TestBook};
use rustix::fs::{FlockOperation, flock};
use serde_json::{Value, json};

/// As in `novel.toml`.
const SANDBOXES: [&str; 3] = ["auto", "landlock", "compare"];

/// A book whose second chapter is written by a program: the answers of the offline author, read from
/// files, and whatever else the program does.
struct Stage {
    book: TestBook,
    /// Outside the project: answers, and what the program leaves to be looked at.
    home: tempfile::TempDir,
}

impl Stage {
    /// `deed` is shell code that runs at a step before the answer is given. The judge gives `score`.
    fn new(sandbox: &str, step: &str, deed: &str, score: Option<f64>) -> Self {
        let book = TestBook::demo(1);
        let home = tempfile::tempdir().unwrap();
        let stage = Self { book, home };
        for (agent, answers) in TestBook::demo(2).answers(2..=2) {
            let step = match agent.as_str() {
                "chapter-writer" => "draft",
                "summarizer" => "summarize",
                "style-refiner" => "refine",
                "quality-judge" => "judge",
                _ => continue,
            };
            let answer = match (step, score) {
                ("judge", Some(score)) => with_scores(&answers[0], score),
                _ => answers[0].clone(),
            };
            fs::write(stage.outside(step), answer).unwrap();
        }
        let script = format!(
            "#!/bin/sh\ncat > /dev/null\nout={out}\nwork=${{NOVEL_STEP##*:}}\n\
             if [ \"$work\" = {step} ]; then\n{deed}\nfi\ncat \"$out/$work\"\n",
            out = stage.home.path().display(),
        );
        let program = stage.outside("agent.sh");
        fs::write(&program, script).unwrap();
        stage.book.configure("executor = \"command\"");
        stage.book.configure_tables(&format!(
            "[command]\nprogram = [\"/bin/sh\", \"{}\"]\nsandbox = \"{sandbox}\"\n",
            program.display()
        ));
        stage
    }

    fn outside(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn next_is(&self, step: &str) {
        assert_eq!(self.book.next(), step);
    }

    /// The paused gate: the judge's 2.2 stands, whatever was tried.
    fn is_paused(&self, ran: &Output) {
        assert_eq!(ran.code, 3, "{ran:#?}");
        let error = ran.json()["error"].clone();
        assert_eq!(error["code"], "GATE_PAUSED", "{error:#}");
        assert!(!self.book.has("chapters/chapter-002.md"));
    }

    fn continues(&self) -> Output {
        self.book.ask(&["continue"])
    }

    /// Starts `novel continue` and waits for a file that the program makes.
    fn starts(&self, until: &str) -> Child {
        let child = self
            .book
            .command(&["continue"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while !self.outside(until).exists() {
            assert!(Instant::now() < deadline, "the agent never ran");
            std::thread::yield_now();
        }
        child
    }

    /// Makes the program do its work and nothing else.
    fn tame(&self) {
        let script = fs::read_to_string(self.outside("agent.sh")).unwrap();
        let tame = script.replacen("if [ \"$work\"", "if [ never", 1);
        fs::write(self.outside("agent.sh"), tame).unwrap();
    }
}

fn with_scores(verdict: &str, score: f64) -> String {
    let mut verdict: Value = serde_json::from_str(verdict).unwrap();
    for dimension in verdict["scores"].as_object_mut().unwrap().values_mut() {
        dimension["score"] = json!(score);
    }
    verdict.to_string()
}

/// Shell code: a process that has left the group, the session and its parent, holds a lock on `alive`
/// while it lives, and does `work` (with the project as `$project`). It runs before the code goes on.
fn daemon(work: &str, environment: &str) -> String {
    format!(
        "project=$(pwd -P)\ncat > \"$out/daemon.sh\" <<'END'\nout=$1; project=$2\n\
         exec 9>\"$out/alive\"; flock 9; : > \"$out/ready\"\n{work}\nEND\n\
         ({environment} setsid sh \"$out/daemon.sh\" \"$out\" \"$project\" </dev/null >/dev/null 2>&1 &)\n\
         while ! [ -e \"$out/ready\" ]; do :; done"
    )
}

/// Shell code that never ends.
const FOREVER: &str = "while :; do sleep 1; done";

/// Waits until nobody holds the lock of a daemon.
fn assert_ended(alive: &Path) {
    let file = File::open(alive).expect("the daemon never ran");
    let deadline = Instant::now() + Duration::from_secs(20);
    while flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
        assert!(Instant::now() < deadline, "a process of the agent lives on");
        std::thread::yield_now();
    }
}

/// Whether it has ended already.
fn assert_has_ended(alive: &Path) {
    let file = File::open(alive).expect("the daemon never ran");
    flock(&file, FlockOperation::NonBlockingLockExclusive)
        .expect("a process of the agent outlives its step");
}

/// Waits for stage `judged`, sets all scores to 5 and removes the bindings, again and again.
const FORGE: &str = r#"while :; do
  if grep -q '"judged"' "$project/.checkpoint.json"; then
    sed -i 's/"score": *[0-9.]*/"score": 5/' "$project/staging/evaluations/chapter-002-eval.json"
    rm -f "$project"/staging/bindings/*
    : > "$out/forged"
  fi
done"#;

#[test]
fn an_agent_that_outlives_its_step_cannot_forge_its_verdict() {
    for sandbox in SANDBOXES {
        for environment in ["", "env -i"] {
            let stage = Stage::new(sandbox, "draft", &daemon(FORGE, environment), Some(2.2));
            let ran = stage.continues();
            assert_has_ended(&stage.outside("alive"));
            stage.is_paused(&ran);
            // And again.
            stage.is_paused(&stage.continues());
            assert!(!stage.outside("forged").exists(), "{sandbox}");
            assert!(stage.book.has("staging/bindings/chapter-002.json"));
        }
    }
}

#[test]
fn a_forged_verdict_without_its_binding_is_judged_again_from_the_ledger() {
    let stage = Stage::new("auto", "draft", ":", Some(2.2));
    stage.is_paused(&stage.continues());
    let calls = stage.book.calls(2).len();
    // What the forger would have done, had it lived.
    let path = "staging/evaluations/chapter-002-eval.json";
    stage.book.edit(path, |evaluation| {
        for dimension in evaluation["scores"].as_object_mut().unwrap().values_mut() {
            dimension["score"] = json!(5.0);
        }
    });
    stage.book.remove("staging/bindings/chapter-002.json");
    stage.next_is("chapter:002:judge");
    stage.is_paused(&stage.continues());
    assert_eq!(stage.book.calls(2).len(), calls, "nobody was asked again");
    assert_eq!(stage.book.json(path)["scores"]["pacing"]["score"], 2.2);
}

#[test]
fn a_chapter_by_a_program_is_committed_as_it_answered() {
    for sandbox in SANDBOXES {
        let stage = Stage::new(sandbox, "none", ":", None);
        stage.continues().data();
        assert!(stage.book.has("chapters/chapter-002.md"), "{sandbox}");
        let found = stage.book.ask(&["doctor"]).data();
        assert_eq!(found["findings"], json!([]), "{sandbox} {found:#}");
    }
}

#[test]
fn a_kept_name_or_descriptor_of_a_staged_file_changes_nothing_afterwards() {
    // The program answers in staging, keeps a second name of what it wrote, and a process that holds it
    // open. The summarizer fails, so the draft is what stands.
    let deed = format!(
        "cp \"$out/draft\" staging/chapters/chapter-002.md\n\
         ln staging/chapters/chapter-002.md \"$out/second\" 2>/dev/null\n{}",
        daemon(
            "exec 8>>\"$project/staging/chapters/chapter-002.md\"; while :; do echo 恶 >&8; sleep 0.02; done",
            ""
        )
    );
    for sandbox in SANDBOXES {
        let stage = Stage::new(sandbox, "draft", &deed, None);
        stage.book.configure_tables("output = \"staged\"");
        fs::write(stage.outside("summarize"), "").unwrap();
        let ran = stage.continues();
        assert_eq!(ran.code, 5, "{sandbox}: {ran:#?}");
        assert_has_ended(&stage.outside("alive"));
        let staged = || stage.book.text("staging/chapters/chapter-002.md");
        let accepted = staged();
        if stage.outside("second").exists() {
            fs::write(stage.outside("second"), "恶").unwrap();
        }
        assert_eq!(staged(), accepted, "{sandbox}");
        stage.book.ask(&["doctor"]).data();
    }
}

#[test]
fn whoever_kills_the_program_ends_its_agents() {
    for sandbox in SANDBOXES {
        let deed = format!("{}\n{FOREVER}", daemon(FOREVER, "env -i"));
        let stage = Stage::new(sandbox, "draft", &deed, None);
        let mut running = stage.starts("ready");
        running.kill().unwrap();
        running.wait().unwrap();
        assert_ended(&stage.outside("alive"));
        // The next one works at once.
        stage.tame();
        stage.continues().data();
    }
}

#[test]
fn half_a_text_of_a_killed_run_is_never_taken() {
    for sandbox in SANDBOXES {
        let deed = format!(
            "head -n 3 \"$out/draft\" > staging/chapters/chapter-002.md; echo 未完之文甲乙丙 >> staging/chapters/chapter-002.md; : > \"$out/half\"; {FOREVER}"
        );
        let stage = Stage::new(sandbox, "draft", &deed, None);
        let mut running = stage.starts("half");
        running.kill().unwrap();
        running.wait().unwrap();
        stage.tame();
        stage.continues().data();
        let text = stage.book.text("chapters/chapter-002.md");
        assert!(!text.contains("未完之文甲乙丙"), "{sandbox}");
        assert!(!stage.book.has(".novel.agent.json"));
    }
}

#[test]
fn an_agent_that_kills_its_supervisor_leaves_nothing_behind() {
    for sandbox in SANDBOXES {
        let deed = format!("{}\nkill -9 $PPID", daemon(FOREVER, "env -i"));
        let stage = Stage::new(sandbox, "draft", &deed, None);
        // Refused by the kernel, without effect, or the end of the call.
        let ran = stage.continues();
        assert_has_ended(&stage.outside("alive"));
        assert!(ran.code == 0 || ran.code == 5, "{sandbox} {ran:#?}");
    }
}

#[test]
fn what_an_agent_left_that_killed_everybody_is_found_and_named_by_the_next_run() {
    // Without namespaces and the kernel's rules nothing keeps it from doing so.
    let deed = format!(
        "{}\nkill -9 \"$(cut -d' ' -f4 /proc/$PPID/stat)\" $PPID",
        daemon(FOREVER, "")
    );
    let stage = Stage::new("compare", "draft", &deed, None);
    let mut killed = stage.starts("ready");
    assert!(!killed.wait().unwrap().success());
    stage.tame();
    let data = stage.continues().data();
    let warnings = data["warnings"].as_array().unwrap();
    let named = |warning: &Value| warning["code"] == "agent_survived";
    assert!(warnings.iter().any(named), "{warnings:#?}");
    assert_ended(&stage.outside("alive"));
}

#[test]
fn a_timeout_ends_everything_the_agent_started() {
    for sandbox in SANDBOXES {
        let deed = format!(
            "{}\ntrap '' TERM; {FOREVER}",
            daemon(&format!("trap '' TERM HUP; {FOREVER}"), "env -i")
        );
        let stage = Stage::new(sandbox, "draft", &deed, None);
        stage.book.configure_tables("timeout_seconds = 1\n");
        let ran = stage.continues();
        assert_eq!(ran.json()["error"]["code"], "COMMAND_TIMEOUT", "{ran:#?}");
        assert_has_ended(&stage.outside("alive"));
    }
}

#[test]
fn a_pipe_or_a_huge_file_in_staging_does_not_stop_a_rollback() {
    let book = TestBook::demo(2);
    book.ask(&["chapter", "generate", "3"]).data();
    let staged = book.path("staging/chapters/chapter-003.md");
    fs::remove_file(&staged).unwrap();
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    let kind = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, &staged, kind, mode, 0).unwrap();
    let huge = File::create(book.path("staging/summaries/huge.md")).unwrap();
    huge.set_len(1 << 42).unwrap();
    book.ask(&["rollback", "1"]).data();
    assert_eq!(book.next(), "chapter:002:draft");
}

#[test]
fn files_a_program_makes_for_itself_are_taken_away_and_do_not_fail_its_step() {
    for sandbox in SANDBOXES {
        let deed = "mkdir -p .claude/sessions && echo 1 > .claude/sessions/1.json; \
                    echo 1 > .agent-state || true";
        let stage = Stage::new(sandbox, "draft", deed, None);
        let data = stage.continues().data();
        assert!(stage.book.has("chapters/chapter-002.md"), "{data:#}");
        assert!(!stage.book.has(".claude"), "{sandbox}");
        assert!(!stage.book.has(".agent-state"), "{sandbox}");
        // The kernel's rules let nothing be made that could be taken away.
        if sandbox != "landlock" {
            let audit = stage.book.lines("logs/audit.jsonl");
            let paths: Vec<&Value> = audit.iter().map(|line| &line["path"]).collect();
            assert_eq!(
                paths,
                [".agent-state", ".claude/sessions/1.json"],
                "{sandbox}"
            );
            let told = data["warnings"].to_string();
            assert!(told.contains("own_files_discarded"), "{sandbox}: {told}");
        }
        stage.next_is("chapter:003:draft");
        assert_eq!(stage.book.ask(&["doctor"]).data()["findings"], json!([]));
    }
}

#[test]
fn a_file_of_the_book_is_no_program_s_own_though_its_name_is_hidden() {
    for sandbox in SANDBOXES {
        for deed in [
            "echo '{}' > .checkpoint.json",
            "mkdir .novel.journal && echo '{}' > .novel.journal/plan.json",
            "echo x > .gitignore",
        ] {
            let stage = Stage::new(sandbox, "draft", deed, None);
            let ran = stage.continues();
            assert_ne!(ran.code, 0, "{sandbox}: {deed}");
            assert_eq!(
                ran.json()["error"]["code"],
                "WRITE_BOUNDARY",
                "{sandbox}: {deed}"
            );
        }
    }
}

#[test]
fn a_key_in_what_a_program_says_is_written_nowhere() {
    let key = "sk-live-0123456789abcdef";
    for deed in [
        "echo \"$MY_API_KEY\"",
        "printf '%s' \"$MY_API_KEY\" | base64; echo \"my key is $MY_API_KEY\" >&2",
        "echo \"$MY_API_KEY\" >&2; echo \"$MY_API_KEY\"; exit 1",
    ] {
        let stage = Stage::new("auto", "judge", deed, None);
        let config = stage.book.text("novel.toml");
        let named = config.replacen("[command]\n", "[command]\nenv = [\"MY_API_KEY\"]\n", 1);
        stage.book.write("novel.toml", named);
        let mut command = stage.book.command(&["continue", "--json"]);
        let ran = command.env("MY_API_KEY", key).output().unwrap();
        let said = [ran.stdout, ran.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        assert!(said.contains("\"ok\""), "{said}");
        for form in [key, "c2stbGl2ZS0wMTIzNDU2Nzg5YWJjZGVm"] {
            assert!(!said.contains(form), "{said}");
            assert_eq!(stage.book.files_with(form), Vec::<String>::new(), "{deed}");
        }
    }
}

/// The user that owns nothing.
const NOBODY: u32 = 65534;

#[test]
fn the_environment_of_this_process_is_closed_to_a_program_without_a_view() {
    if !rustix::process::getuid().is_root() {
        novel_testkit::skip("needs root to become another user");
        return;
    }
    for sandbox in ["landlock", "compare"] {
        let deed = "for one in /proc/[0-9]*/environ; do \
                    grep -q hidden-in-the-environment \"$one\" && echo \"$one\"; done \
                    > \"$out/found\" 2> /dev/null; : > \"$out/looked\"";
        let stage = Stage::new(sandbox, "draft", deed, None);
        let mut command = std::process::Command::new("setpriv");
        stage.book.seal(&mut command);
        let home = stage.book.root();
        let places = [home.parent().unwrap(), stage.home.path()];
        for place in places {
            let owner = format!("{NOBODY}:{NOBODY}");
            let status = std::process::Command::new("chown")
                .args(["-R", &owner])
                .arg(place)
                .status();
            assert!(status.unwrap().success());
        }
        // A binary that another user can reach.
        let binary = stage.outside("novel");
        fs::copy(novel_testkit::binary(), &binary).unwrap();
        let user = NOBODY.to_string();
        let ran = command
            .args(["--reuid", &user, "--regid", &user, "--clear-groups", "--"])
            .arg(binary)
            .args(["continue", "--json"])
            .current_dir(stage.book.root())
            .env("OPENAI_API_KEY", "hidden-in-the-environment")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success(), "{said}");
        assert!(stage.outside("looked").exists(), "{said}");
        let found = fs::read_to_string(stage.outside("found")).unwrap();
        assert_eq!(found, "", "{sandbox}");
    }
}
