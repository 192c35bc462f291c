//! Every command that writes, killed at any moment of its time: the next command works at once, the same
//! command then leads to what an undisturbed one leads to, nothing is torn, and no answer that was in the
//! ledger is asked for again.
//!
//! A few kills run with the other tests. All of them: `scripts/attack.sh kills`.

use std::{
    cell::Cell,
    collections::BTreeSet,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use novel_testkit::{
    Answers, Manner, Node, Output, Plan, ScriptedModel, TestBook, Tree, faulty::pending,
};

/// Kills of each command in the sample.
const SAMPLE: u64 = 1;
/// How often a kill that came too late is tried again, in the mean.
const TRIES: u64 = 4;

/// What a command means when it is given again after it was done.
#[derive(Clone, Copy)]
enum Again {
    /// Nothing more: it succeeds, or answers with one of these codes.
    Nothing(&'static [&'static str]),
    /// Another answer, once its author was told of the first: `review run`.
    Another,
    /// Another operation of its kind, once the first is decided: `undo`.
    More,
}

/// A command, and where it is given.
struct Command {
    name: &'static str,
    args: Vec<String>,
    start: TestBook,
    again: Again,
    /// Who answers it, if it asks.
    model: Option<ScriptedModel>,
    /// What it is after it, undisturbed.
    after: Tree,
    /// How long it takes, by when kills come too late.
    takes: Cell<Duration>,
    /// How many questions it asks.
    asks: usize,
}

/// How a kill went.
enum Kill {
    /// The command was done before.
    TooLate,
    /// It hit; so many answers were in the ledger.
    Hit(usize),
}

/// What must be the same whatever happened on the way: the book. Logs tell of the way, and the archive
/// and staging of what was tried.
fn outcome(tree: &Tree) -> Tree {
    let mut tree = tree.clone();
    tree.retain(|path, node| {
        let is_of_the_way = ["logs/", "archive/", ".novel.", "staging/manifests/"]
            .iter()
            .any(|place| path.starts_with(place));
        !is_of_the_way && !matches!(node, Node::Dir)
    });
    tree
}

fn paid(book: &TestBook) -> BTreeSet<String> {
    let calls = book.ledger().into_iter();
    calls.map(|call| call["id"].to_string()).collect()
}

/// What the offline author answers to a command, by agent, in the order of the steps.
fn answers_of_a_twin(start: &TestBook, args: &[&str]) -> Answers {
    let twin = start.copy();
    let before = paid(&twin);
    let output = twin.ask(args);
    assert_eq!(output.code, 0, "{args:?}: {output:#?}");
    let mut calls: Vec<[String; 4]> = twin
        .ledger()
        .into_iter()
        .filter(|call| !before.contains(&call["id"].to_string()))
        .map(|call| {
            ["step", "id", "agent", "text"].map(|key| call[key].as_str().unwrap().to_owned())
        })
        .collect();
    calls.sort();
    let mut answers = Answers::new();
    for [_, _, agent, text] in calls {
        answers.entry(agent).or_default().push(text);
    }
    answers
}

impl Command {
    /// A command that asks nobody.
    fn new(name: &'static str, args: &[&str], start: TestBook, again: Again) -> Self {
        Self::undisturbed(name, args, start, again, None)
    }

    /// A command that asks a model, which answers as the offline author does.
    fn asking(name: &'static str, args: &[&str], start: TestBook, again: Again) -> Self {
        let model = ScriptedModel::start(answers_of_a_twin(&start, args));
        model.write_for(&start);
        Self::undisturbed(name, args, start, again, Some(model))
    }

    fn undisturbed(
        name: &'static str,
        args: &[&str],
        start: TestBook,
        again: Again,
        model: Option<ScriptedModel>,
    ) -> Self {
        let mut command = Self {
            name,
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            start,
            again,
            model,
            after: Tree::new(),
            takes: Cell::default(),
            asks: 0,
        };
        let book = command.start.copy();
        let begun = Instant::now();
        let output = command.give(&book);
        assert_eq!(output.code, 0, "{name}: {output:#?}");
        command.takes.set(begun.elapsed());
        command.asks = command.asked();
        assert_eq!(command.asks > 0, command.model.is_some(), "{name}");
        command.after = outcome(&book.tree());
        command
    }

    fn asked(&self) -> usize {
        self.model.as_ref().map_or(0, ScriptedModel::count)
    }

    fn give(&self, book: &TestBook) -> Output {
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        book.ask(&args)
    }

    /// Kills it after a part of its time.
    fn kill(&self, part: f64) -> Kill {
        let book = self.start.copy();
        let before = paid(&book);
        let asked = self.asked();
        let operations = |book: &TestBook| book.ask(&["log"]).data()["operations"].clone();
        let is_repeatable = matches!(self.again, Again::Another | Again::More);
        let log = is_repeatable.then(|| operations(&book));
        let mut args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        args.push("--json");
        let mut child = book
            .command(&args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (begun, moment) = (Instant::now(), self.takes.get().mul_f64(part));
        while begun.elapsed() < moment {
            if let Some(ended) = child.try_wait().unwrap() {
                assert!(ended.success(), "{}: {ended}", self.name);
                return Kill::TooLate;
            }
            thread::sleep(Duration::from_micros(100));
        }
        // Killing what has ended is no error.
        child.kill().unwrap();
        let ended = child.wait_with_output().unwrap();
        // Whoever was told that it is done means something new by the same command.
        if ended.status.success() || ended.stdout.ends_with(b"\n") {
            return Kill::TooLate;
        }
        let seen = paid(&book).difference(&before).count();
        let what = format!("{}, killed after {part:.3} of its time", self.name);

        // The next command works at once, be it only to say that there is no project, or what waits.
        let next = book.ask(&["next"]);
        let code = next.json()["error"]["code"].clone();
        let answers = matches!(next.code, 0 | 3) || code == "NO_PROJECT";
        assert!(answers, "{what}: {next:#?}");

        // A request of the killed process may still be on its way.
        if let Some(model) = &self.model {
            model.settle();
        }
        let killed = self.asked();
        // Whoever asks for another answer gets the one nobody was told of while the lock of the dead process
        // says so. To others what was decided before the kill is done.
        let lock = book.path(".novel.lock/info.json");
        let lock = std::fs::read_to_string(lock).unwrap_or_default();
        let is_known_untold =
            matches!(self.again, Again::Another) && lock.contains("\"last_operation\"");
        let is_done_untold = log.filter(|_| !is_known_untold).is_some_and(|log| {
            let twin = book.copy();
            twin.ask(&["doctor", "--fix"]).data();
            operations(&twin) != log && outcome(&twin.tree()) == self.after
        });
        if !is_done_untold {
            let again = self.give(&book);
            let code = again.json()["error"]["code"].clone();
            let is_done = matches!(self.again, Again::Nothing(codes) if codes.iter().any(|known| code == *known));
            assert!(again.code == 0 || is_done, "{what}: {again:#?}");
            if again.code == 0 {
                let asked_again = self.asked() - killed;
                assert!(
                    asked_again + seen <= self.asks.max(seen),
                    "{what}: {asked_again} asked of {}, {seen} were in the ledger, {} before; {lock}",
                    self.asks,
                    killed - asked
                );
            }
        }
        // A command that finds everything done writes nothing. What was decided is completed, and the lock of
        // the killed one taken over, by the first that writes; nothing else may be left to it.
        if book.has(".checkpoint.json") {
            let left = book.ask(&["doctor", "--fix"]).data();
            for finding in left["findings"].as_array().unwrap() {
                let code = finding["code"].as_str().unwrap();
                let is_business = ["stale_lock", "sealed_journal"].contains(&code);
                assert!(is_business, "{what}: {left:#}");
            }
        }
        let found = outcome(&book.tree());
        novel_testkit::assert_same_tree(&self.after, &found, &what);
        if book.has(".checkpoint.json") {
            let health = book.ask(&["doctor"]).data();
            assert_eq!(
                health["findings"],
                serde_json::json!([]),
                "{what}: {health:#}"
            );
        }
        Kill::Hit(seen)
    }

    /// Lets it do everything and tell nobody: given again it tells what was done, and asks nothing.
    fn tell_nobody(&self) {
        let book = self.start.copy();
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        let full = std::fs::File::options().write(true).open("/dev/full");
        let ended = book
            .command(&args)
            .arg("--json")
            .stdout(full.unwrap())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(!ended.success(), "{}: told into a full device", self.name);
        let asked = self.asked();
        let again = self.give(&book);
        assert_eq!(again.code, 0, "{}: {again:#?}", self.name);
        assert_eq!(self.asked(), asked, "{} asked again", self.name);
        let found = outcome(&book.tree());
        novel_testkit::assert_same_tree(&self.after, &found, self.name);
    }

    /// Kills it so often, at moments spread evenly over its time and a little beyond; tells how it went.
    fn kill_often(&self, kills: u64) -> String {
        const GOLDEN: f64 = 0.618_033_988_749_895;
        let (mut hits, mut late, mut kept) = (0, 0, 0);
        for number in 0..kills * TRIES {
            let part = (number as f64 + 0.5) * GOLDEN % 1.0 * 1.02;
            // How long it takes changes with what else the machine does: one in six comes too late.
            let takes = self.takes.get();
            match self.kill(part) {
                Kill::TooLate => {
                    late += 1;
                    self.takes.set(takes.mul_f64(0.95));
                }
                Kill::Hit(seen) => {
                    (hits, kept) = (hits + 1, kept + seen);
                    self.takes.set(takes.mul_f64(1.01));
                }
            }
            if hits == kills {
                break;
            }
        }
        assert!(hits > 0, "{}: every kill came too late", self.name);
        format!(
            "{}: {hits} kills over {:?}, {late} too late, {kept} answers found in the ledger, {} asked undisturbed; 0 asked again, 0 torn",
            self.name,
            self.takes.get(),
            self.asks
        )
    }
}

fn commands() -> Vec<Command> {
    let nothing = Again::Nothing(&[]);
    let committed = || {
        let book = TestBook::planned(Plan::new(3));
        book.driver().write(1);
        book
    };
    let drafted = committed();
    let draft = drafted.plan().draft(2, Manner::Usual);
    let draft_file = drafted.outside().join("draft.md");
    std::fs::write(&draft_file, draft).unwrap();
    let judged = committed();
    judged.driver().up_to_judged(2);
    let paused = committed();
    paused.driver().up_to_refined(2);
    paused.driver().judge(2, &paused.plan().verdict(2, 2.5));
    let submitted = committed();
    let file = draft_file.to_str().unwrap().to_owned();
    submitted
        .ask(&["submit", "chapter:002:draft", &file])
        .data();
    let undone = TestBook::demo(3);
    undone.ask(&["undo"]).data();
    let edited = || {
        let book = TestBook::demo(2);
        book.tamper("chapters/chapter-002.md");
        book
    };
    let damaged = TestBook::demo(2);
    damaged.remove("logs/progress.json");
    damaged.remove("chapters/chapter-002.md");
    let text = "第一章 起\n\n雨落在城头。\n\n第二章 承\n\n钟声响了三下。\n";
    let source = drafted.outside().join("book.txt");
    std::fs::write(&source, text).unwrap();
    let source = source.to_str().unwrap().to_owned();
    let imported = TestBook::empty();
    imported.ask(&["import", &source, "--yes"]).data();
    let scenes = TestBook::demo(1);
    scenes.ask(&["scene", "plan", "2"]).data();
    let generated = TestBook::demo(1);
    generated.ask(&["scene", "plan", "2"]).data();
    generated.ask(&["scene", "generate", "2"]).data();
    let planning = TestBook::planning();
    // One answer holds the whole plan.
    planning.configure_tables("[plan]\nchunk = 60");
    let staged = planning.copy();
    staged.ask(&["plan"]).data();
    let revised = || {
        let book = TestBook::demo(3);
        book.ask(&["plan", "revise", "--from", "5"]).data();
        book
    };
    let trial = TestBook::initialised();
    trial.ask(&["quickstart"]).data();
    let asking = |name, args: &[&str], start, again| Command::asking(name, args, start, again);
    let plain = |name, args: &[&str], start, again| Command::new(name, args, start, again);
    let (demo, another, more) = (TestBook::demo, Again::Another, Again::More);
    vec![
        asking("run", &["run", "--to", "3"], demo(2), nothing),
        asking("regen", &["regen", "3"], demo(3), more),
        asking(
            "rewrite",
            &["rewrite", "2", "--note", "写得更紧。"],
            demo(3),
            more,
        ),
        asking("review run", &["review", "run", "2"], demo(3), another),
        asking(
            "memory rebuild",
            &["memory", "rebuild", "2"],
            demo(3),
            another,
        ),
        asking(
            "state rebuild",
            &["state", "rebuild", "--from", "1"],
            demo(3),
            another,
        ),
        asking(
            "adopt",
            &["adopt", "2"],
            edited(),
            Again::Nothing(&["NOT_EDITED"]),
        ),
        asking(
            "revision candidate",
            &["revision", "candidate", "4"],
            pending(),
            another,
        ),
        asking(
            "revision apply",
            &["revision", "apply", "4"],
            pending(),
            Again::Nothing(&["REVISION_NOT_PENDING"]),
        ),
        asking(
            "chapter generate",
            &["chapter", "generate", "3"],
            demo(2),
            Again::Nothing(&["ALREADY_DRAFTED"]),
        ),
        asking(
            "scene generate",
            &["scene", "generate", "2"],
            scenes,
            Again::Nothing(&["ALREADY_DRAFTED"]),
        ),
        asking(
            "world add",
            &["world", "add", "城里不许夜行。"],
            demo(1),
            more,
        ),
        asking("plan from-text", &["plan", "from-text"], demo(3), more),
        asking(
            "import --analyse",
            &["import", "--analyse", "--yes"],
            imported,
            nothing,
        ),
        asking("plan", &["plan"], planning, nothing),
        asking("plan redo", &["plan", "redo"], staged, more),
        asking(
            "plan revise",
            &["plan", "revise", "--from", "5"],
            demo(3),
            more,
        ),
        asking("volume review", &["volume", "review"], demo(12), nothing),
        asking("scene plan", &["scene", "plan", "2"], demo(1), nothing),
        plain(
            "quickstart accept",
            &["quickstart", "accept"],
            trial,
            Again::Nothing(&["NOT_NEXT_STEP"]),
        ),
        plain(
            "plan approve",
            &["plan", "approve"],
            revised(),
            Again::Nothing(&["NO_PLAN"]),
        ),
        plain(
            "scene merge",
            &["scene", "merge", "2"],
            generated,
            Again::Nothing(&["NOT_NEXT_STEP"]),
        ),
        plain(
            "gate rewrite",
            &["gate", "rewrite", "2", "--note", "换个开头。"],
            paused.copy(),
            Again::Nothing(&["NOT_PAUSED"]),
        ),
        plain(
            "gate accept",
            &["gate", "accept", "2"],
            paused,
            Again::Nothing(&["NOT_PAUSED"]),
        ),
        plain(
            "init",
            &["init", "--title", "雾港", "--genre", "悬疑"],
            TestBook::empty(),
            nothing,
        ),
        plain(
            "agents eject",
            &["agents", "eject", "summarizer"],
            demo(1),
            Again::Nothing(&["ALREADY_EXISTS"]),
        ),
        plain(
            "config unset",
            &["config", "unset", "approval"],
            demo(1),
            nothing,
        ),
        plain(
            "revision reject",
            &["revision", "reject", "4"],
            pending(),
            Again::Nothing(&["REVISION_NOT_PENDING"]),
        ),
        plain("undo", &["undo"], demo(3), more),
        plain(
            "redo",
            &["redo"],
            undone,
            Again::Nothing(&["NOTHING_TO_REDO"]),
        ),
        plain("rollback", &["rollback", "1"], demo(3), nothing),
        plain(
            "submit",
            &["submit", "chapter:002:draft", &file],
            drafted,
            nothing,
        ),
        plain(
            "advance",
            &["advance", "chapter:002:draft"],
            submitted,
            Again::Nothing(&["NOT_NEXT_STEP"]),
        ),
        plain("commit", &["commit", "--chapter", "2"], judged, nothing),
        plain("doctor --fix", &["doctor", "--fix"], damaged, nothing),
        plain(
            "import",
            &["import", &source, "--yes"],
            TestBook::empty(),
            Again::Nothing(&["BOOK_NOT_EMPTY"]),
        ),
        plain("publish", &["publish", "--to", "2"], demo(3), nothing),
        plain(
            "chapter lock",
            &["chapter", "lock", "1..2"],
            demo(3),
            nothing,
        ),
        plain(
            "config set",
            &["config", "set", "refine.max_change", "0.2"],
            demo(1),
            nothing,
        ),
    ]
}

#[test]
fn no_kill_tears_anything_or_pays_twice_and_the_next_command_works() {
    let commands = commands();
    let kills = std::env::var("NOVEL_KILLS").map(|kills| kills.parse::<u64>().unwrap());
    let each = kills.map_or(SAMPLE, |kills| kills.div_ceil(commands.len() as u64));
    let named = std::env::var("NOVEL_KILLED").unwrap_or_default();
    let is_named = |name: &str| named.is_empty() || named.split(',').any(|one| one == name);
    for command in commands.iter().filter(|it| is_named(it.name)) {
        println!("{}", command.kill_often(each));
        if matches!(command.again, Again::Another) {
            command.tell_nobody();
        }
    }
}
