//! Every crash point of `submit`, `advance` and `commit`, with every kind of loss.
//!
//! One chapter is written step by step on a file system in memory. Every single command is stopped
//! before, in the middle of and after each of its file operations; then the process is gone, or the
//! power, with what was not synced lost in several ways. The next command must work at once, and
//! the book must be byte for byte as before or as after.

use std::{collections::BTreeMap, sync::Arc};

use novel_app::{
    Clock, Project,
    write::advance::advance,
    write::commit::{CommitMode, commit},
    write::next::next_step,
    write::submit::{Origin, submit},
};
use novel_model::{ChapterNo, Failure, StepId, files::JudgeRole};
use novel_testkit::{
    Manner, Plan,
    crash::{disk, store},
    pretty,
    simfs::{Entry, Loss, SimFs, When},
};

type Tree = BTreeMap<String, Entry>;

/// One command.
#[derive(Debug, Clone)]
enum Command {
    Submit(StepId, JudgeRole, String),
    Advance(StepId),
    Commit(ChapterNo),
}

impl Command {
    fn name(&self) -> String {
        match self {
            Self::Submit(step, JudgeRole::Primary, _) => format!("submit {step}"),
            Self::Submit(step, JudgeRole::Secondary, _) => format!("submit {step} (secondary)"),
            Self::Advance(step) => format!("advance {step}"),
            Self::Commit(chapter) => format!("commit {chapter}"),
        }
    }

    fn run(&self, fs: &Arc<SimFs>, pid: u32) -> Result<(), Failure> {
        let project = project(fs, pid)?;
        match self {
            Self::Submit(step, judge, answer) => {
                let origin = Origin {
                    judge: *judge,
                    ..Origin::default()
                };
                drop(submit(&project, *step, answer.as_bytes(), &origin)?);
            }
            Self::Advance(step) => drop(advance(&project, *step)?),
            Self::Commit(chapter) => drop(commit(&project, *chapter, CommitMode::Apply)?),
        }
        Ok(())
    }
}

fn project(fs: &Arc<SimFs>, pid: u32) -> Result<Project, Failure> {
    let noon = "2026-03-01T12:00:00Z".parse().unwrap();
    Ok(Project::open(store(fs, pid), Clock::Fixed(noon))?)
}

fn next(fs: &Arc<SimFs>, pid: u32) -> Result<String, Failure> {
    let report = next_step(&project(fs, pid)?)?;
    Ok(report.next.step.to_string())
}

fn explained(failure: &Failure) -> String {
    failure.explain().message().en
}

/// The commands that write chapter 1, a key chapter: a revision, then a polish, then the commit.
fn chapter(plan: &Plan) -> Vec<Command> {
    let step = |stage: &str| -> StepId { format!("chapter:001:{stage}").parse().unwrap() };
    let both = |stage: &str, answer: String| {
        let submit = Command::Submit(step(stage), JudgeRole::Primary, answer);
        [submit, Command::Advance(step(stage))]
    };
    let judges = |score: f64| {
        let verdict = pretty(&plan.verdict(1, score));
        let [primary, advance] = both("judge", verdict.clone());
        let secondary = Command::Submit(step("judge"), JudgeRole::Secondary, verdict);
        [primary, secondary, advance]
    };
    let summary = || both("summarize", pretty(&plan.summary_answer(1, 0)));
    let mut commands = Vec::new();
    commands.extend(both("draft", plan.draft(1, Manner::Usual)));
    commands.extend(summary());
    commands.extend(both("refine", plan.refined(1, Manner::Usual)));
    commands.extend(judges(3.2));
    commands.extend(both("draft", plan.revised(1, 1)));
    commands.extend(summary());
    let refined = plan.revised(1, 1).replace("慢慢", "缓缓");
    commands.extend(both("refine", refined.clone()));
    commands.extend(judges(3.7));
    commands.extend(both("refine", refined.replace("雨声", "雨点")));
    commands.push(Command::Commit(ChapterNo::first()));
    commands
}

/// What a crash does to the file system.
#[derive(Debug, Clone, Copy)]
enum Fate {
    /// The process dies; the machine goes on, and with it all that is pending.
    Killed,
    /// The power goes.
    PowerCut(Loss),
}

const FATES: [Fate; 6] = [
    Fate::Killed,
    Fate::PowerCut(Loss::KeepAll),
    Fate::PowerCut(Loss::LoseUnsynced),
    Fate::PowerCut(Loss::LoseDataKeepNames),
    Fate::PowerCut(Loss::Seeded(1)),
    Fate::PowerCut(Loss::Seeded(2)),
];

impl Fate {
    fn befall(self, fs: &SimFs) -> Arc<SimFs> {
        Arc::new(match self {
            Self::Killed => fs.restart(),
            Self::PowerCut(loss) => fs.reboot(loss),
        })
    }
}

/// A command, what it starts from and what it leads to.
struct Case {
    command: Command,
    start: Tree,
    before: Tree,
    after: Tree,
    /// What `next` says on either side.
    steps: [String; 2],
    operations: usize,
}

#[derive(Default)]
struct Count {
    points: usize,
    /// Different disks among them.
    disks: usize,
    discarded: usize,
    rolled_forward: usize,
}

impl Case {
    fn new(command: Command, start: Tree) -> Self {
        let fs = disk(&start);
        let before = fs.tree();
        let step_before =
            next(&fs, 100).unwrap_or_else(|failure| panic!("{}", explained(&failure)));
        command
            .run(&fs, 100)
            .unwrap_or_else(|failure| panic!("{}: {}", command.name(), explained(&failure)));
        let step_after = next(&fs, 100).unwrap_or_else(|failure| panic!("{}", explained(&failure)));
        Self {
            command,
            start,
            before,
            after: fs.tree(),
            steps: [step_before, step_after],
            operations: fs.operations(),
        }
    }

    fn enumerate(&self) -> Count {
        let mut count = Count::default();
        // What a new process finds decides what it does, so equal disks are recovered once.
        let mut known: Vec<(Tree, Side)> = Vec::new();
        assert_ne!(self.before, self.after);
        for at in 1..=self.operations {
            for when in When::ALL {
                let fs = disk(&self.start);
                fs.crash_at(at, when);
                let outcome = self.command.run(&fs, 100);
                assert!(fs.crashed(), "no operation {at}");
                for fate in FATES {
                    let name = self.command.name();
                    let what = format!("{name}, operation {at} {when:?}, {fate:?}");
                    let found = fate.befall(&fs);
                    let tree = found.tree();
                    let side = match known.iter().find(|(disk, _)| *disk == tree) {
                        Some((_, side)) => *side,
                        None => {
                            let side = self.recover(&found, &what);
                            self.run_again(fate, &fs, side, &what);
                            known.push((tree, side));
                            side
                        }
                    };
                    count.points += 1;
                    match side {
                        Side::Before => {
                            assert!(outcome.is_err(), "lost after success: {what}");
                            count.discarded += 1;
                        }
                        Side::After => count.rolled_forward += 1,
                    }
                }
            }
        }
        count.disks = known.len();
        count
    }

    fn is_commit(&self) -> bool {
        matches!(self.command, Command::Commit(_))
    }

    /// Recovers after a crash; tells on which side of the command the book is.
    fn recover(&self, fs: &Arc<SimFs>, what: &str) -> Side {
        // A reader needs no recovery.
        let step =
            next(fs, 200).unwrap_or_else(|failure| panic!("{what}: {}", explained(&failure)));
        // Any writer recovers, and takes over the lock of the dead at once.
        let writer = store(fs, 200).acquire(None);
        drop(writer.unwrap_or_else(|error| panic!("{what}: {error}")));
        let tree = fs.tree();
        let side = if tree == self.after {
            Side::After
        } else {
            assert_same(&tree, &self.before, what);
            Side::Before
        };
        let [before, after] = &self.steps;
        let expected = match side {
            Side::Before => before,
            // A commit past its commit point asks to be run again until it is complete.
            Side::After if self.is_commit() && step == *before => before,
            Side::After => after,
        };
        assert_eq!(step, *expected, "the reader saw another book: {what}");
        side
    }

    /// The command, run again at once, leads where it was to lead. Only a commit may be run again
    /// when it had happened.
    fn run_again(&self, fate: Fate, crashed: &SimFs, side: Side, what: &str) {
        if side == Side::Before || self.is_commit() {
            let fs = fate.befall(crashed);
            let outcome = self.command.run(&fs, 200);
            outcome.unwrap_or_else(|failure| panic!("{what}, again: {}", explained(&failure)));
            assert_same(&fs.tree(), &self.after, what);
        }
    }
}

/// On which side of a command a book is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

fn assert_same(found: &Tree, expected: &Tree, what: &str) {
    let mut paths: Vec<&String> = found.keys().chain(expected.keys()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.retain(|path| found.get(*path) != expected.get(*path));
    assert!(paths.is_empty(), "{what}: {paths:#?}");
}

#[test]
fn every_crash_point_of_every_command_leaves_before_or_after() {
    let plan = Plan::new(3);
    let files = plan.files();
    let mut start: Tree = files
        .into_iter()
        .map(|(path, bytes)| (path, Entry::File(bytes)))
        .collect();
    let mut total = Count::default();
    for command in chapter(&plan) {
        let case = Case::new(command, start);
        let count = case.enumerate();
        println!(
            "{}: {} operations, {} crash points ({} different disks), {} discarded, {} rolled forward",
            case.command.name(),
            case.operations,
            count.points,
            count.disks,
            count.discarded,
            count.rolled_forward
        );
        assert!(count.discarded > 0 && count.rolled_forward > 0);
        total.points += count.points;
        start = case.after;
    }
    println!("{} crash points", total.points);
}
