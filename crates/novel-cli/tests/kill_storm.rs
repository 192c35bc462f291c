//! Every command that writes, killed at a random moment: the next command works at once, the same command
//! then leads to what an undisturbed one leads to, nothing is torn, and no answer that was in the ledger is
//! asked for again.
//!
//! A few kills run with the other tests. All of them: `scripts/attack.sh kills`.

use std::{
    collections::BTreeSet,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use novel_testkit::{Node, Output, Plan, ScriptedModel, TestBook, Tree};

/// Kills of each command in the sample.
const SAMPLE: u64 = 3;

/// A command, and where it is given.
struct Command {
    name: &'static str,
    args: Vec<String>,
    start: TestBook,
    /// The codes with which it may answer once it is done: a redo that was done has nothing to redo.
    done_already: &'static [&'static str],
    /// What it is after it, undisturbed.
    after: Tree,
    /// How long it takes.
    takes: Duration,
    /// How many questions it asks.
    asks: usize,
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

impl Command {
    fn new(
        name: &'static str,
        args: &[&str],
        start: TestBook,
        done_already: &'static [&'static str],
        model: &ScriptedModel,
    ) -> Self {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let mut command = Self {
            name,
            args,
            start,
            done_already,
            after: Tree::new(),
            takes: Duration::ZERO,
            asks: 0,
        };
        let book = command.start.copy();
        let (asked, begun) = (model.count(), Instant::now());
        let output = command.give(&book);
        assert_eq!(output.code, 0, "{name}: {output:#?}");
        command.takes = begun.elapsed();
        command.asks = model.count() - asked;
        command.after = outcome(&book.tree());
        command
    }

    fn give(&self, book: &TestBook) -> Output {
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        book.ask(&args)
    }

    /// Kills it after a part of its time; tells whether it was done before, and how many answers were there.
    fn kill(&self, part: f64, model: &ScriptedModel) -> (bool, usize) {
        let book = self.start.copy();
        let name = self.name;
        let paid = |book: &TestBook| -> BTreeSet<String> {
            let calls = book.ledger().into_iter();
            calls.map(|call| call["id"].to_string()).collect()
        };
        let before = paid(&book);
        let asked = model.count();
        let mut args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        args.push("--json");
        let mut child = book
            .command(&args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(self.takes.mul_f64(part));
        // Killing what has ended is no error.
        child.kill().unwrap();
        let ended = child.wait_with_output().unwrap();
        // Whoever was told that it is done means something new by the same command.
        let is_told = ended.stdout.ends_with(b"\n");
        let done = ended.status.success() || is_told;
        let seen: Vec<String> = paid(&book).difference(&before).cloned().collect();
        let what = format!("{name}, killed after {part:.3} of its time");

        // The next command works at once, be it only to say that there is no project.
        let next = book.ask(&["next"]);
        let code = next.json()["error"]["code"].clone();
        assert!(next.code == 0 || code == "NO_PROJECT", "{what}: {next:#?}");

        // A request of the killed process may still be on its way.
        let killed = model.count();
        let again = self.give(&book);
        let code = again.json()["error"]["code"].clone();
        let is_done = self.done_already.iter().any(|known| code == *known);
        assert!(again.code == 0 || is_done, "{what}: {again:#?}");
        if !done && again.code == 0 {
            let asked_again = model.count() - killed;
            assert!(
                asked_again + seen.len() <= self.asks.max(seen.len()),
                "{what}: {asked_again} asked of {}, {} were in the ledger, {} before",
                self.asks,
                seen.len(),
                killed - asked
            );
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
        if !done {
            let found = outcome(&book.tree());
            novel_testkit::assert_same_tree(&self.after, &found, &what);
        }
        if book.has(".checkpoint.json") {
            let health = book.ask(&["doctor"]).data();
            assert_eq!(
                health["findings"],
                serde_json::json!([]),
                "{what}: {health:#}"
            );
        }
        (done, seen.len())
    }
}

fn with_model(book: TestBook, model: &ScriptedModel) -> TestBook {
    model.write_for(&book);
    book
}

fn commands(model: &ScriptedModel) -> Vec<Command> {
    let committed = || {
        let book = TestBook::planned(Plan::new(3));
        book.driver().write(1);
        book
    };
    let drafted = committed();
    let draft = drafted.plan().draft(2, novel_testkit::Manner::Usual);
    let draft_file = drafted.outside().join("draft.md");
    std::fs::write(&draft_file, draft).unwrap();
    let judged = committed();
    judged.driver().up_to_judged(2);
    let submitted = committed();
    let file = draft_file.to_str().unwrap().to_owned();
    submitted
        .ask(&["submit", "chapter:002:draft", &file])
        .data();
    let undone = TestBook::demo(3);
    undone.ask(&["undo"]).data();
    let edited = TestBook::demo(2);
    edited.tamper("chapters/chapter-002.md");
    let damaged = TestBook::demo(2);
    damaged.remove("logs/progress.json");
    damaged.remove("chapters/chapter-002.md");
    let text = "第一章 起\n\n雨落在城头。\n\n第二章 承\n\n钟声响了三下。\n";
    let source = drafted.outside().join("book.txt");
    std::fs::write(&source, text).unwrap();
    let source = source.to_str().unwrap().to_owned();
    vec![
        Command::new(
            "continue",
            &["run", "--to", "3"],
            with_model(TestBook::demo(2), model),
            &[],
            model,
        ),
        Command::new("undo", &["undo"], TestBook::demo(3), &[], model),
        Command::new("redo", &["redo"], undone, &["NOTHING_TO_REDO"], model),
        Command::new(
            "rollback",
            &["rollback", "1"],
            TestBook::demo(3),
            &[],
            model,
        ),
        Command::new(
            "submit",
            &["submit", "chapter:002:draft", &file],
            drafted,
            &[],
            model,
        ),
        Command::new(
            "advance",
            &["advance", "chapter:002:draft"],
            submitted,
            &["NOT_NEXT_STEP"],
            model,
        ),
        Command::new("commit", &["commit", "--chapter", "2"], judged, &[], model),
        Command::new("adopt", &["adopt", "2"], edited, &["NOT_EDITED"], model),
        Command::new("regen", &["regen", "3"], TestBook::demo(3), &[], model),
        Command::new("doctor --fix", &["doctor", "--fix"], damaged, &[], model),
        Command::new(
            "import",
            &["import", &source, "--yes"],
            TestBook::empty(),
            &["BOOK_NOT_EMPTY"],
            model,
        ),
    ]
}

#[test]
fn no_kill_tears_anything_or_pays_twice_and_the_next_command_works() {
    let model = ScriptedModel::start(TestBook::demo(3).answers(3..=3));
    let commands = commands(&model);
    let kills = std::env::var("NOVEL_KILLS").map(|kills| kills.parse::<u64>().unwrap());
    let each = kills.map_or(SAMPLE, |kills| kills.div_ceil(commands.len() as u64));
    for command in &commands {
        let (mut done, mut kept) = (0, 0);
        for number in 0..each {
            // Evenly over its time, and a little beyond.
            let part = (number as f64 + 0.5) / each as f64 * 1.05;
            let (was_done, seen) = command.kill(part, &model);
            done += u64::from(was_done);
            kept += seen;
        }
        println!(
            "{}: {each} kills over {:?}, {done} too late, {kept} answers found in the ledger, {} asked undisturbed; 0 asked again, 0 torn",
            command.name, command.takes, command.asks
        );
    }
}
