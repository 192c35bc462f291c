//! Undo and redo on a disk that dies: any sequence of operations, taken back and brought back.

use std::{collections::BTreeMap, sync::Arc};

use novel_app::{Clock, Project, history};
use novel_book::{
    edit::Changes,
    operations::{OperationLog, OperationState},
};
use novel_model::{ChapterNo, Explain, Failure, RelPath};
use novel_store::{Recovery, Store, StoreError, TxnKind, TxnLabel, Writer};
use novel_testkit::{
    crash::explained,
    machine::SimMachine,
    simfs::{Entry, Errno, Failing, Loss, SimFs, When},
};

/// Sequences of operations, and operations in each.
const SEQUENCES: u64 = 200;
const OPERATIONS: usize = 30;

const FILES: &[&str] = &[
    ".checkpoint.json",
    "brief.md",
    "state/current-state.json",
    "staging/chapters/chapter-003.md",
    "storylines/main-arc/memory.md",
    "characters/lu-yan.json",
];
const LOGS: &[&str] = &["state/changelog.jsonl", "logs/unknown-entities.jsonl"];

type Book = BTreeMap<String, Vec<u8>>;

fn path(text: &str) -> RelPath {
    text.parse().unwrap()
}

/// A small generator, so that a seed gives the same sequence everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }
}

/// A machine that dies and starts again; every process has a number of its own.
struct Machine {
    fs: Arc<SimFs>,
    pid: u32,
}

impl Machine {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let fs = Arc::new(SimFs::with_files(files.iter().copied()));
        Self { fs, pid: 100 }
    }

    fn store(&self) -> Store {
        let fs = Arc::<SimFs>::clone(&self.fs);
        Store::new(fs, Arc::new(SimMachine::with_pid(self.pid)))
    }

    fn project(&self) -> Project {
        let time = "2026-03-01T00:00:00Z".parse().unwrap();
        Project::open(self.store(), Clock::Fixed(time)).unwrap()
    }

    /// The process is gone, or the power was.
    fn start_again(&mut self, fate: Option<Loss>) {
        self.fs = Arc::new(match fate {
            None => self.fs.restart(),
            Some(loss) => self.fs.reboot(loss),
        });
        self.pid += 1;
    }

    fn log(&self) -> OperationLog {
        OperationLog::read(&self.store().reader().unwrap()).unwrap()
    }

    /// The book without what only grows.
    fn book(&self) -> Book {
        let grows = ["archive", ".novel.", "logs/operations"];
        let files = self.fs.tree().into_iter();
        files
            .filter(|(name, _)| !grows.iter().any(|part| name.starts_with(part)))
            .filter_map(|(name, entry)| match entry {
                Entry::File(bytes) => Some((name, bytes)),
                Entry::Dir => None,
            })
            .collect()
    }
}

/// Some changes of some files.
fn changes(random: &mut Random, number: usize) -> Changes {
    let mut changes = Changes::default();
    for change in 0..=random.below(3) {
        let file = path(FILES[random.below(FILES.len())]);
        match random.below(5) {
            0 => changes.remove(file),
            1 => {
                let log = path(LOGS[random.below(LOGS.len())]);
                changes.append(log, format!("{{\"operation\":{number},\"n\":{change}}}\n"));
            }
            _ => {
                let line = format!("operation {number}, change {change}\n");
                changes.write(file, line.repeat(1 + random.below(40)));
            }
        }
    }
    changes
}

/// One operation: a transaction, or a chapter in steps that may stay open.
fn operate(writer: &Writer, random: &mut Random, number: usize) -> Result<(), StoreError> {
    let now = writer.now();
    if random.below(3) > 0 {
        let label = TxnLabel::new(TxnKind::Doctor, number.to_string());
        return writer.apply(label, changes(random, number), now).map(drop);
    }
    let chapter = ChapterNo::new(u32::try_from(number).unwrap() + 1).unwrap();
    let whole = TxnLabel::new(TxnKind::Commit { chapter }, number.to_string());
    let staged = writer.reader()?;
    let draft = path(FILES[3]);
    let there = novel_model::BookReader::read(&staged, &draft)?.is_some();
    writer.operation(
        whole.clone(),
        Some(there.then_some(draft).into_iter().collect()),
    )?;
    for step in 0..random.below(3) {
        let label = TxnLabel::new(TxnKind::Submit, step.to_string());
        writer.apply(label, changes(random, number), now)?;
    }
    if random.below(4) > 0 {
        writer.apply(whole, changes(random, number), now)?;
    }
    Ok(())
}

const FATES: [Option<Loss>; 3] = [None, Some(Loss::LoseUnsynced), Some(Loss::KeepAll)];

/// Runs something, sometimes into a crash, and again until it ends well.
fn persist(
    machine: &mut Machine,
    random: &mut Random,
    act: &dyn Fn(&Machine) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if random.below(3) == 0 {
        let at = machine.fs.operations() + 1 + random.below(40);
        machine
            .fs
            .crash_at(at, When::ALL[random.below(When::ALL.len())]);
    }
    loop {
        let outcome = act(machine);
        if machine.fs.crashed() {
            machine.start_again(FATES[random.below(FATES.len())]);
        } else {
            // The crash that was planned for later is called off.
            machine.fs.crash_at(usize::MAX, When::Before);
            return outcome;
        }
        // The lock is given back last of all, when everything was told.
        if outcome.is_ok() {
            return outcome;
        }
    }
}

fn is(failure: &impl Explain, code: &str) -> bool {
    failure.code() == code
}

#[test]
fn any_sequence_is_taken_back_to_the_start_and_brought_back_to_the_end() {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let made: Vec<(usize, usize)> = std::thread::scope(|scope| {
        let share =
            |first| scope.spawn(move || sequences((first..=SEQUENCES).step_by(threads as usize)));
        let shares: Vec<_> = (1..=threads).map(share).collect();
        shares
            .into_iter()
            .map(|share| share.join().unwrap())
            .collect()
    });
    let operations: usize = made.iter().map(|(operations, _)| operations).sum();
    let crashes: usize = made.iter().map(|(_, crashes)| crashes).sum();
    println!("{operations} operations in {SEQUENCES} sequences, {crashes} crashes between them");
}

/// How many operations stood at the end of these sequences, and how many crashes came between.
fn sequences(seeds: impl Iterator<Item = u64>) -> (usize, usize) {
    let (mut operations, mut crashes) = (0, 0);
    for seed in seeds {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut machine = Machine::new(&[
            (".checkpoint.json", b"{}\n"),
            ("brief.md", b"brief\n"),
            ("state/changelog.jsonl", b"{\"operation\":0}\n"),
        ]);
        let start = machine.book();
        for number in 0..OPERATIONS {
            if random.below(4) == 0 {
                let at = machine.fs.operations() + 1 + random.below(60);
                machine
                    .fs
                    .crash_at(at, When::ALL[random.below(When::ALL.len())]);
            }
            // What was lost with a crash was never part of the book.
            let made = machine
                .store()
                .acquire(None)
                .and_then(|writer| operate(&writer, &mut random, number));
            if machine.fs.crashed() {
                crashes += 1;
                machine.start_again(FATES[random.below(FATES.len())]);
            } else {
                made.unwrap();
                machine.fs.crash_at(usize::MAX, When::Before);
            }
        }
        drop(machine.store().acquire(None).unwrap());
        let end = machine.book();
        let made = machine.log().standing().len();
        operations += made;
        for left in (0..made).rev() {
            persist(&mut machine, &mut random, &|machine| {
                let _ = history::undo(&machine.project(), None)?;
                Ok(())
            })
            .unwrap();
            drop(machine.store().acquire(None).unwrap());
            assert_eq!(machine.log().standing().len(), left, "seed {seed}");
        }
        assert_eq!(machine.book(), start, "seed {seed}, all taken back");
        let failure = history::undo(&machine.project(), None).unwrap_err();
        assert!(is(&failure, "NOTHING_TO_UNDO"));
        for there in 1..=made {
            persist(&mut machine, &mut random, &|machine| {
                let _ = history::redo(&machine.project())?;
                Ok(())
            })
            .unwrap();
            drop(machine.store().acquire(None).unwrap());
            assert_eq!(machine.log().standing().len(), there, "seed {seed}");
        }
        assert_eq!(machine.book(), end, "seed {seed}, all brought back");
        let failure = history::redo(&machine.project()).unwrap_err();
        assert!(is(&failure, "NOTHING_TO_REDO"));
    }
    (operations, crashes)
}

/// A book with four operations on three files.
fn four_operations() -> Machine {
    let machine = Machine::new(&[(".checkpoint.json", b"{}\n"), ("brief.md", b"0")]);
    let store = machine.store();
    let writer = store.acquire(None).unwrap();
    for (number, file) in ["brief.md", "a.md", "b.md", "a.md"].iter().enumerate() {
        let mut changes = Changes::default();
        changes.write(path(file), format!("operation {}\n", number + 1));
        let label = TxnLabel::new(TxnKind::Doctor, (number + 1).to_string());
        writer.apply(label, changes, store.now()).unwrap();
    }
    drop(writer);
    machine
}

/// What is repeated after a crash.
type Command = fn(&Project) -> Result<(), Failure>;

#[test]
fn a_command_that_is_repeated_after_a_crash_finishes_and_does_nothing_more() {
    let undo: Command = |project| {
        let _ = history::undo(project, None)?;
        Ok(())
    };
    let undo_third: Command = |project| {
        let _ = history::undo(project, Some(3))?;
        Ok(())
    };
    let redo: Command = |project| {
        let _ = history::redo(project)?;
        Ok(())
    };
    for (name, before, command) in [
        ("undo", &[][..], undo),
        ("undo 3", &[], undo_third),
        ("redo", &[undo, undo], redo),
    ] {
        let prepared = || {
            let machine = four_operations();
            for earlier in before {
                earlier(&machine.project()).unwrap();
            }
            machine
        };
        let machine = prepared();
        let begun = machine.fs.operations();
        command(&machine.project()).unwrap();
        let (after, steps) = (machine.book(), machine.fs.operations() - begun);
        let standing = machine.log().standing().len();
        for at in 1..=steps {
            for when in When::ALL {
                for fate in [None, Some(Loss::KeepAll), Some(Loss::LoseUnsynced)] {
                    let what = format!("{name}, step {at} {when:?}, {fate:?}");
                    let mut machine = prepared();
                    machine.fs.crash_at(machine.fs.operations() + at, when);
                    let told = command(&machine.project()).is_ok();
                    machine.start_again(fate);
                    // The lock is given back last of all, when everything was told.
                    if !told {
                        explained(command(&machine.project()), &what);
                    }
                    drop(machine.store().acquire(None).unwrap());
                    assert_eq!(machine.book(), after, "{what}");
                    assert_eq!(machine.log().standing().len(), standing, "{what}");
                }
            }
        }
        println!("{name}: {steps} steps");
    }
}

#[test]
fn a_command_that_died_before_it_could_tell_tells_when_it_is_repeated() {
    for fate in FATES {
        let mut machine = four_operations();
        std::mem::forget(history::undo(&machine.project(), None).unwrap());
        let after = machine.book();
        machine.start_again(fate);
        let report = history::undo(&machine.project(), None).unwrap();
        assert_eq!(report.undone.operation, 4, "{fate:?}");
        assert_eq!(report.restored, [path("a.md")]);
        drop(report);
        assert_eq!(machine.book(), after, "{fate:?}");
        // The next one is another command.
        let report = history::undo(&machine.project(), None).unwrap();
        assert_eq!(report.undone.operation, 3);
        std::mem::forget(report);
        machine.start_again(fate);
        let report = history::redo(&machine.project()).unwrap();
        assert_eq!(report.undone.operation, 3);
        std::mem::forget(report);
        machine.start_again(fate);
        let report = history::redo(&machine.project()).unwrap();
        assert_eq!(report.undone.operation, 3, "{fate:?}");
        drop(report);
        assert_eq!(machine.book(), after, "{fate:?}");
    }
}

#[test]
fn a_command_that_failed_to_write_is_finished_by_the_next_one() {
    let undo: Command = |project| {
        let _ = history::undo(project, None)?;
        Ok(())
    };
    let machine = four_operations();
    let begun = machine.fs.operations();
    undo(&machine.project()).unwrap();
    let (after, steps) = (machine.book(), machine.fs.operations() - begun);
    for at in 1..=steps {
        let machine = four_operations();
        machine
            .fs
            .fail(Failing::From(machine.fs.operations() + at), Errno::NoSpace);
        let first = undo(&machine.project());
        machine.fs.repair();
        if first.is_ok() {
            continue;
        }
        undo(&machine.project()).unwrap();
        assert_eq!(machine.book(), after, "full from {at}");
    }
}

#[test]
fn an_older_operation_waits_for_later_ones_on_its_files() {
    let machine = four_operations();
    let project = machine.project();
    let before = machine.book();
    let failure = history::undo(&project, Some(2)).unwrap_err();
    assert!(is(&failure, "LATER_OPERATIONS"), "{failure:?}");
    let details = failure.details(novel_model::Lang::En);
    assert_eq!(
        details["later"],
        serde_json::json!([{"operation": 4, "kind": "doctor", "target": "4", "paths": ["a.md"]}])
    );
    assert_eq!(machine.book(), before);
    for unknown in [0, 5] {
        let failure = history::undo(&project, Some(unknown)).unwrap_err();
        assert!(is(&failure, "NO_SUCH_OPERATION"), "{failure:?}");
    }
    drop(history::undo(&project, Some(1)).unwrap());
    assert_eq!(machine.book()["brief.md"], b"0");
    drop(history::undo(&project, Some(4)).unwrap());
    drop(history::undo(&project, Some(2)).unwrap());
    assert!(!machine.book().contains_key("a.md"));
    drop(history::redo(&project).unwrap());
    assert_eq!(machine.book()["a.md"], b"operation 2\n");
    let failure = history::undo(&project, Some(4)).unwrap_err();
    assert!(is(&failure, "NO_SUCH_OPERATION"), "{failure:?}");
}

#[test]
fn nothing_is_redone_once_something_else_was_done() {
    let machine = four_operations();
    let project = machine.project();
    drop(history::undo(&project, None).unwrap());
    let writer = machine.store().acquire(None).unwrap();
    let mut changes = Changes::default();
    changes.write(path("c.md"), "new\n");
    let label = TxnLabel::new(TxnKind::Doctor, "c");
    writer.apply(label, changes, writer.now()).unwrap();
    drop(writer);
    let failure = history::redo(&project).unwrap_err();
    assert!(is(&failure, "NOTHING_TO_REDO"), "{failure:?}");
}

#[test]
fn a_chapter_under_way_is_discarded_with_what_its_agents_left() {
    let machine = Machine::new(&[
        (".checkpoint.json", b"0"),
        ("staging/scenes/chapter-003/plan.json", b"plan"),
    ]);
    let store = machine.store();
    let before = machine.book();
    let writer = store.acquire(None).unwrap();
    let chapter = ChapterNo::new(3).unwrap();
    let label = TxnLabel::new(TxnKind::Commit { chapter }, "chapter-003");
    let staged = vec![path("staging/scenes/chapter-003/plan.json")];
    writer.operation(label, Some(staged)).unwrap();
    let step = |files: &[(&str, &str)]| {
        let mut changes = Changes::default();
        for (file, text) in files {
            changes.write(path(file), *text);
        }
        let label = TxnLabel::new(TxnKind::Submit, "step");
        writer.apply(label, changes, store.now()).unwrap();
    };
    step(&[
        (".checkpoint.json", "1"),
        ("staging/chapters/chapter-003.md", "draft"),
    ]);
    // A program left a file, and the author edited the draft.
    machine
        .fs
        .put("staging/summaries/chapter-003-summary.md", b"by a program");
    machine.fs.put("staging/chapters/chapter-003.md", b"edited");
    step(&[(".checkpoint.json", "2")]);
    drop(writer);
    assert_eq!(machine.log().operations[0].state, OperationState::Open);
    let report = history::undo(&machine.project(), None).unwrap();
    assert_eq!(report.undone.operation, 1);
    drop(report);
    assert_eq!(machine.book(), before);
    drop(history::redo(&machine.project()).unwrap());
    let book = machine.book();
    assert_eq!(book["staging/chapters/chapter-003.md"], b"edited");
    assert_eq!(book[".checkpoint.json"], b"2");
}

#[test]
fn an_undone_update_of_the_blacklist_is_an_entry_of_its_log() {
    let list = |words: &str, log: &str| {
        format!(
            "{{\n  \"version\": \"1.0.0\",\n  \"words\": [{words}],\n  \"whitelist\": [],\n  \"update_log\": [{log}]\n}}\n"
        )
    };
    let first = list("\"a\"", "");
    let machine = Machine::new(&[("ai-blacklist.json", first.as_bytes())]);
    let words = |machine: &Machine| -> serde_json::Value {
        serde_json::from_slice(&machine.book()["ai-blacklist.json"]).unwrap()
    };
    let store = machine.store();
    let writer = store.acquire(None).unwrap();
    for (words, log) in [
        ("\"a\", \"b\"", "{\"n\": 1}"),
        ("\"c\"", "{\"n\": 1}, {\"n\": 2}"),
    ] {
        let mut changes = Changes::default();
        changes.write(path("ai-blacklist.json"), list(words, log));
        let label = TxnLabel::new(TxnKind::Doctor, "blacklist");
        writer.apply(label, changes, store.now()).unwrap();
    }
    drop(writer);
    let project = machine.project();
    let entries = |machine: &Machine| words(machine)["update_log"].as_array().unwrap().len();
    drop(history::undo(&project, None).unwrap());
    assert_eq!(words(&machine)["words"], serde_json::json!(["a", "b"]));
    assert_eq!(entries(&machine), 3);
    assert_eq!(
        words(&machine)["update_log"][2],
        serde_json::json!({"timestamp": "2026-03-01T00:00:00Z", "source": "undo", "operation": 2})
    );
    drop(history::undo(&project, None).unwrap());
    assert_eq!(words(&machine)["words"], serde_json::json!(["a"]));
    assert_eq!(entries(&machine), 4);
    drop(history::redo(&project).unwrap());
    drop(history::redo(&project).unwrap());
    assert_eq!(words(&machine)["words"], serde_json::json!(["c"]));
    assert_eq!(entries(&machine), 6);
    let mut edited = machine.book()["ai-blacklist.json"].clone();
    edited.extend(b"\n");
    machine.fs.put("ai-blacklist.json", &edited);
    let failure = history::undo(&project, None).unwrap_err();
    assert!(is(&failure, "CHANGED_SINCE"), "{failure:?}");
}

#[test]
fn an_interrupted_undo_is_finished_before_any_other_command_works() {
    let machine = four_operations();
    let begun = machine.fs.operations();
    drop(history::undo(&machine.project(), None).unwrap());
    let steps = machine.fs.operations() - begun;
    let mut finished = 0;
    for at in 1..=steps {
        let mut machine = four_operations();
        machine
            .fs
            .crash_at(machine.fs.operations() + at, When::After);
        let _ = history::undo(&machine.project(), None);
        machine.start_again(None);
        let writer = machine.store().acquire(None).unwrap();
        let undo = TxnKind::Undo { operation: 4 };
        finished += usize::from(
            matches!(writer.recovery(), Recovery::RolledForward { label } if label.kind == undo),
        );
    }
    assert!(finished > 0);
}
