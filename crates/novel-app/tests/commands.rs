//! Undo and redo over the commands of the program: any sequence of them, stopped anywhere, is taken
//! back to its start and brought back to its end.
//!
//! A few sequences run with every test; `NOVEL_SEQUENCES=200 cargo nextest run -p novel-app
//! commands::` runs them all.

use std::{
    collections::BTreeMap,
    panic::catch_unwind,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use novel_app::{
    Clock, Project,
    care::{check, doctor},
    executor::{AgentAnswer, AgentCall, AgentError, Executor, ExecutorKind, Offline, Sign},
    history,
    library::{cast, status},
    revise::{adopt, rebuild, review, revision},
    runner::{Budget, Runner, Watch, WatchEvent},
    setup::{agents, init, redo, world},
    write::{
        advance,
        chapter::{self, Existing},
        commit, gate,
        instructions::{self, Save},
        next, regen,
        run::{Approval, FromError, Goal},
        scene, submit, volume_review,
    },
};
use novel_book::{
    config::{ApprovalPolicy, StyleConfig},
    operations::{Operation, OperationLog, OperationState},
};
use novel_llm::CancelToken;
use novel_model::{
    ChapterNo, ChapterStage, Failure, Lang, QuickstartPhase, StepId, files::Checkpoint, layout,
};
use novel_prompt::packet::PacketMode;
use novel_store::Store;
use novel_testkit::{
    machine::SimMachine,
    simfs::{Entry, Loss, SimFs, When},
};
use serde_json::{Value, json};

/// Sequences of a usual test run; those of a whole one are told by `NOVEL_SEQUENCES`.
const SAMPLE: u64 = 4;
/// Commands in a sequence.
const COMMANDS: usize = 30;

const FATES: [Option<Loss>; 4] = [
    None,
    Some(Loss::LoseUnsynced),
    Some(Loss::KeepAll),
    Some(Loss::LoseDataKeepNames),
];

type Book = BTreeMap<String, Vec<u8>>;

/// A small generator, so that a seed gives the same sequence everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 8) % bound as u64).unwrap()
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

struct Silent;

impl Watch for Silent {
    fn event(&self, _: &WatchEvent<'_>) {}
}

/// The offline author with a judge of changing mood: now and then a chapter is too weak to pass, and a
/// phrase is to be avoided.
struct Moody {
    author: Offline,
    mood: u64,
    calls: AtomicU64,
}

impl Executor for Moody {
    fn kind(&self) -> ExecutorKind {
        self.author.kind()
    }

    fn model_for(&self, roles: &[&str]) -> String {
        self.author.model_for(roles)
    }

    fn run(
        &self,
        call: &AgentCall<'_>,
        on_sign: &mut dyn FnMut(Sign),
        cancel: &CancelToken,
    ) -> Result<AgentAnswer, AgentError> {
        let mut answer = self.author.run(call, on_sign, cancel)?;
        if call.packet.agent.name == "quality-judge" {
            let mood = self.mood + self.calls.fetch_add(1, Ordering::Relaxed);
            let mut verdict: Value = serde_json::from_str(&answer.text).unwrap();
            if mood.is_multiple_of(3) {
                verdict["anti_ai"]["blacklist_update_suggestions"] = json!([{
                    "phrase": format!("说不出的{}", ["怅然", "寂静", "暖意"][mood as usize / 3 % 3]),
                    "count_in_chapter": 4,
                    "confidence": "high",
                    "examples": ["说不出的怅然"],
                }]);
            }
            if mood.is_multiple_of(4) {
                let scores = verdict["scores"].as_object_mut().unwrap();
                for score in scores.values_mut() {
                    score["score"] = json!(2.5);
                }
            }
            answer.text = verdict.to_string();
            answer.raw.clone_from(&answer.text);
        }
        Ok(answer)
    }
}

/// A machine that dies and starts again; every process has a number of its own.
struct Machine {
    fs: Arc<SimFs>,
    pid: u32,
}

impl Machine {
    fn with_files(files: &Book) -> Self {
        let files = files.iter();
        let files = files.map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
        Self {
            fs: Arc::new(SimFs::with_files(files)),
            pid: 100,
        }
    }

    fn store(&self) -> Store {
        let fs = Arc::<SimFs>::clone(&self.fs);
        Store::new(fs, Arc::new(SimMachine::with_pid(self.pid)))
    }

    fn project(&self) -> Result<Project, Failure> {
        Ok(Project::open(self.store(), clock())?)
    }

    /// The process is gone, or the power was.
    fn start_again(&mut self, fate: Option<Loss>) {
        self.fs = Arc::new(match fate {
            None => self.fs.restart(),
            Some(loss) => self.fs.reboot(loss),
        });
        self.pid += 1;
    }

    /// The next writer finishes what was decided.
    fn recover(&self) {
        drop(self.store().acquire(None).unwrap());
    }

    fn log(&self) -> OperationLog {
        OperationLog::read(&self.store().reader().unwrap()).unwrap()
    }

    fn checkpoint(&self) -> Checkpoint {
        let reader = self.store().reader().unwrap();
        let checkpoint = novel_app::read_checkpoint(&reader).unwrap();
        checkpoint.get().clone()
    }

    fn tree(&self) -> Book {
        let files = self.fs.tree().into_iter();
        let files = files.filter_map(|(name, entry)| match entry {
            Entry::File(bytes) => Some((name, bytes)),
            Entry::Dir => None,
        });
        files.collect()
    }

    /// The book without what only grows: archive, audit, ledger, operations, what was learnt of model
    /// servers, and the log of the blacklist.
    fn book(&self) -> Book {
        let grows = [
            "archive",
            ".novel.",
            "logs/operations",
            "logs/calls",
            "logs/audit",
            "logs/endpoints",
        ];
        let mut book = self.tree();
        book.retain(|name, _| !grows.iter().any(|part| name.starts_with(part)));
        if let Some(blacklist) = book.get_mut(layout::blacklist().as_str()) {
            let mut value: Value = serde_json::from_slice(blacklist).unwrap();
            value.as_object_mut().unwrap().remove("update_log");
            *blacklist = value.to_string().into_bytes();
        }
        book
    }

    /// Somebody edits, adds or removes a file by hand.
    fn put(&mut self, path: &str, bytes: Option<&[u8]>) {
        let mut files = self.tree();
        match bytes {
            Some(bytes) => files.insert(path.to_owned(), bytes.to_owned()),
            None => files.remove(path),
        };
        let pid = self.pid + 1;
        *self = Self::with_files(&files);
        self.pid = pid;
    }
}

fn clock() -> Clock {
    Clock::Fixed("2026-03-01T12:00:00Z".parse().unwrap())
}

/// A command of the program, with its arguments.
#[derive(Debug, Clone, Copy)]
enum Command {
    Continue,
    Resume,
    ScenePlan(Existing),
    Scenes(Existing),
    Draft(Existing),
    Outside,
    Manifest,
    GateAccept,
    GateRewrite,
    Adopt(ChapterNo),
    WorldAdd,
    Retire(usize),
    Regen(ChapterNo, regen::Later),
    Rollback(u32),
    Doctor,
    Init,
    Review(ChapterNo),
    Candidate(ChapterNo, revision::Keep),
    Apply(ChapterNo),
    Reject(ChapterNo),
    Memory(ChapterNo),
    State,
    Waive,
    Eject(usize),
    VolumeReview,
    RedoPlan,
    RedoSetUp(QuickstartPhase),
    AcceptTrial,
}

impl Command {
    fn any(random: &mut Random, newest: u32) -> Self {
        let existing = random.of(&[Existing::Reuse, Existing::Replace]);
        let written = || ChapterNo::new(newest.max(1)).unwrap();
        let some = u32::try_from(random.below(newest as usize + 1)).unwrap();
        let chapter = ChapterNo::new(some.max(1)).unwrap();
        match random.below(40) {
            0..=8 => Self::Continue,
            9..=11 => Self::Resume,
            12 => Self::ScenePlan(existing),
            13 => Self::Scenes(existing),
            14 => Self::Draft(existing),
            15 | 16 => Self::Outside,
            17 => Self::Manifest,
            18 | 19 => Self::GateAccept,
            20 => Self::GateRewrite,
            21 | 22 => Self::Adopt(chapter),
            23 => Self::WorldAdd,
            24 => Self::Retire(random.below(8)),
            25 => Self::Regen(written(), regen::Later::Refuse),
            26 => Self::Regen(chapter, regen::Later::TakeAway),
            27 => Self::Rollback(some.max(newest.saturating_sub(2))),
            28 => Self::Doctor,
            29 => Self::Init,
            30 => Self::Review(chapter),
            31 => Self::Candidate(
                chapter,
                random.of(&[revision::Keep::Pending, revision::Keep::Copy]),
            ),
            32 => Self::Apply(chapter),
            33 => Self::Reject(chapter),
            34 => Self::Memory(chapter),
            35 => Self::State,
            36 => Self::Waive,
            37 => Self::Eject(random.below(4)),
            38 => Self::VolumeReview,
            _ => random.of(&[
                Self::RedoPlan,
                Self::AcceptTrial,
                Self::RedoSetUp(QuickstartPhase::World),
                Self::RedoSetUp(QuickstartPhase::Trial),
            ]),
        }
    }

    /// The edit by hand that the command is about.
    fn edit(self, book: &Book) -> Option<Edit> {
        match self {
            Self::Adopt(chapter) => {
                let path = layout::chapter_markdown(chapter).to_string();
                let old = book.get(&path)?.clone();
                let mut new = String::from_utf8(old.clone()).unwrap();
                new.push_str("\n雨停了，檐下的水还在滴。\n");
                Some(Edit {
                    path,
                    old,
                    new: Some(new.into_bytes()),
                })
            }
            Self::Doctor => {
                let path = layout::progress().to_string();
                let old = book.get(&path)?.clone();
                Some(Edit {
                    path,
                    old,
                    new: None,
                })
            }
            _ => None,
        }
    }

    fn run(self, machine: &Machine, mood: u64) -> Result<(), Failure> {
        let project = machine.project()?;
        let executor = Moody {
            author: Offline::new(project.store().clone(), project.config().clone()),
            mood,
            calls: AtomicU64::default(),
        };
        let cancel = CancelToken::new();
        let runner = Runner {
            project: &project,
            executor: &executor,
            watch: &Silent,
            cancel: &cancel,
            budget: Budget::of(project.config()),
            approval: Approval::Unattended,
        };
        let standing = || Ok::<_, Failure>(status::status(&project)?.checkpoint);
        let coming = || Ok::<_, Failure>(standing()?.next_chapter());
        let in_flight = || {
            let checkpoint = standing()?;
            let next = checkpoint.next_chapter();
            Ok::<_, Failure>(checkpoint.inflight_chapter.unwrap_or(next))
        };
        match self {
            Self::Continue => drop(runner.run(Goal::Chapters(1), FromError::Retry)?),
            Self::Resume => drop(runner.run(Goal::Decision, FromError::Retry)?),
            Self::ScenePlan(existing) => drop(scene::plan(&runner, coming()?, existing)?),
            Self::Scenes(existing) => {
                drop(scene::generate(&runner, coming()?, None, existing, None)?)
            }
            Self::Draft(existing) => drop(chapter::generate(&runner, coming()?, existing)?),
            Self::Outside => outside(&project, &executor)?,
            Self::Manifest => {
                let step = next::next_step(&project)?.next.step;
                drop(instructions::instructions(
                    &project,
                    step,
                    PacketMode::Paths,
                    Save::Manifest,
                )?);
            }
            Self::GateAccept => drop(gate::accept(&project, in_flight()?, None)?),
            Self::GateRewrite => drop(gate::rewrite(&project, in_flight()?, None)?),
            Self::Adopt(chapter) => drop(adopt::adopt(&runner, chapter)?),
            Self::WorldAdd => drop(world::add(&runner, "城里不许夜行。")?),
            Self::Retire(nth) => {
                let people = cast::list(&project)?;
                if let Some(card) = people.get(nth) {
                    let id = card.id.clone();
                    drop(cast::retire(&project, &id, Some("远行"))?);
                }
            }
            Self::Regen(chapter, later) => drop(regen::regen(&runner, chapter, later, None)?),
            Self::Rollback(last) => {
                let _ = history::rollback(&project, last)?;
            }
            Self::Doctor => drop(doctor::doctor(
                project.store(),
                clock(),
                doctor::Repair::Apply,
            )?),
            Self::Init => {
                let options = options(init::Overwrite::Replace);
                drop(init::init(project.store(), clock(), &options)?);
            }
            Self::Review(chapter) => drop(review::run(&runner, chapter)?),
            Self::Candidate(chapter, keep) => {
                drop(revision::candidate(&runner, chapter, keep, None)?)
            }
            Self::Apply(chapter) => drop(revision::apply(&runner, chapter)?),
            Self::Reject(chapter) => drop(revision::reject(&project, chapter)?),
            Self::Memory(chapter) => drop(rebuild::memory(&runner, chapter)?),
            Self::State => drop(rebuild::state(&runner, None)?),
            Self::Waive => {
                let found = check::check(&project, &check::Selection::All, check::Waived::Hide)?;
                if let Some(found) = found.findings.first() {
                    let selector = found.finding.code.as_str().parse::<check::Selector>()?;
                    drop(check::waive(&project, &selector, None, "有意如此")?);
                }
            }
            Self::Eject(nth) => {
                let agent = [
                    "chapter-writer",
                    "summarizer",
                    "style-refiner",
                    "quality-judge",
                ][nth];
                drop(agents::eject(&project, agent)?);
            }
            Self::VolumeReview => drop(volume_review::volume_review(&runner, None)?),
            Self::RedoPlan => drop(redo::redo_plan(&project, Some("再快一些"))?),
            Self::RedoSetUp(phase) => drop(redo::redo_quickstart(&project, phase, None)?),
            Self::AcceptTrial => drop(redo::accept_trial(&project)?),
        }
        Ok(())
    }
}

/// One step by a driver outside the program: packet, answer, hand-in, acceptance or commit.
fn outside(project: &Project, executor: &Moody) -> Result<(), Failure> {
    let step = next::next_step(project)?.next.step;
    if let StepId::Chapter(chapter, ChapterStage::Commit) = step {
        drop(commit::commit(project, chapter, commit::CommitMode::Apply)?);
        return Ok(());
    }
    let report = instructions::instructions(project, step, PacketMode::Paths, Save::Print)?;
    let prompt = instructions::explain(project, step)?.prompt;
    let call = AgentCall {
        step,
        judge: novel_model::files::JudgeRole::Primary,
        packet: &report.packet,
        packet_path: None,
        prompt: &prompt,
        model: "outside",
        book: None,
    };
    let answer = executor.run(&call, &mut |_| (), &CancelToken::new())?;
    let origin = submit::Origin::default();
    drop(submit::submit(
        project,
        step,
        answer.text.as_bytes(),
        &origin,
    )?);
    drop(advance::advance(project, step)?);
    Ok(())
}

fn is_open(operation: &Operation) -> bool {
    operation.state == OperationState::Open
}

/// A file that somebody changed by hand.
#[derive(Debug)]
struct Edit {
    path: String,
    old: Vec<u8>,
    new: Option<Vec<u8>>,
}

fn options(overwrite: init::Overwrite) -> init::InitOptions {
    init::InitOptions {
        title: Some("雨城".to_owned()),
        author: None,
        language: Lang::Zh,
        genre: Some("玄幻".to_owned()),
        protagonist: None,
        conflict: None,
        style: StyleConfig::default(),
        approval: ApprovalPolicy::Unattended,
        brief: None,
        overwrite,
    }
}

/// A book that was just made, and one that is planned and begun.
fn starts() -> &'static [Book; 2] {
    static STARTS: OnceLock<[Book; 2]> = OnceLock::new();
    STARTS.get_or_init(|| {
        let machine = Machine::with_files(&Book::new());
        drop(init::init(&machine.store(), clock(), &options(init::Overwrite::Refuse)).unwrap());
        let new = machine.tree();
        let write = |goal| {
            let project = machine.project().unwrap();
            let executor = Offline::new(project.store().clone(), project.config().clone());
            let runner = Runner {
                project: &project,
                executor: &executor,
                watch: &Silent,
                cancel: &CancelToken::new(),
                budget: Budget::of(project.config()),
                approval: Approval::Unattended,
            };
            runner.run(goal, FromError::Refuse).unwrap();
        };
        write(Goal::Until(ChapterNo::new(5).unwrap()));
        [new, machine.tree()]
    })
}

/// A sequence of commands under way.
struct Sequence {
    seed: u64,
    random: Random,
    machine: Machine,
    /// Operations that stood at the start.
    base: usize,
    /// The book as it was when so many operations stood.
    marks: BTreeMap<usize, Book>,
    /// What was edited by hand when so many operations stood.
    edits: Vec<(usize, Edit)>,
    /// What was done, for the message of a failure.
    told: Vec<String>,
    crashes: usize,
}

impl Sequence {
    fn new(seed: u64) -> Self {
        let machine = Machine::with_files(&starts()[usize::from(!seed.is_multiple_of(4))]);
        let base = machine.log().standing().len();
        let marks = BTreeMap::from([(base, machine.book())]);
        Self {
            seed,
            random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
            machine,
            base,
            marks,
            edits: Vec::new(),
            told: Vec::new(),
            crashes: 0,
        }
    }

    fn log_text(&self) -> Option<Vec<u8>> {
        let path = layout::operations();
        self.machine.tree().get(path.as_str()).cloned()
    }

    fn standing(&self) -> usize {
        self.machine.log().standing().len()
    }

    /// Does something, sometimes into a crash; says whether it came to that, and what was answered.
    fn attempt(
        &mut self,
        act: impl Fn(&Machine) -> Result<(), Failure>,
    ) -> (bool, Result<(), Failure>) {
        if self.random.below(4) == 0 {
            let at = self.machine.fs.operations() + 1 + self.random.below(120);
            let when = self.random.of(&When::ALL);
            self.machine.fs.crash_at(at, when);
        }
        let outcome = act(&self.machine);
        let crashed = self.machine.fs.crashed();
        if crashed {
            self.crashes += 1;
            let fate = self.random.of(&FATES);
            self.machine.start_again(fate);
        } else {
            self.machine.fs.crash_at(usize::MAX, When::Before);
        }
        (crashed, outcome)
    }

    fn command(&mut self) {
        let newest = self.machine.checkpoint().last_completed_chapter;
        if self.standing() > self.base && self.random.below(8) == 0 {
            return self.undo_one();
        }
        let command = Command::any(&mut self.random, newest);
        let before = self.machine.book();
        let standing = self.standing();
        let edit = command.edit(&before);
        if let Some(edit) = &edit {
            self.machine.put(&edit.path, edit.new.as_deref());
        }
        let mood = self.random.below(1000) as u64;
        let logged = self.log_text();
        let last_is_open = self.machine.log().operations.last().is_some_and(is_open);
        let (crashed, outcome) = self.attempt(|machine| command.run(machine, mood));
        if crashed {
            self.machine.recover();
        }
        let told = match &outcome {
            Err(_) if crashed => "killed",
            Ok(()) => "done",
            Err(failure) => failure.explain().code(),
        };
        let now = self.standing();
        self.told
            .push(format!("{command:?}: {told}, {now} standing"));
        if let Some(edit) = edit {
            if now == standing {
                self.machine.put(&edit.path, Some(&edit.old));
            } else {
                self.edits.push((standing, edit));
            }
        }
        let after = self.machine.book();
        if self.log_text() == logged {
            self.assert_same(&after, &before, "changed by no operation");
        }
        // An operation that went on before others were made was never seen at its end.
        if last_is_open && now > standing {
            self.marks.remove(&standing);
        }
        self.marks.insert(now, after);
    }

    /// Takes the newest operation back, in the middle of the sequence.
    fn undo_one(&mut self) {
        let standing = self.standing();
        self.take_back(standing - 1);
        self.told.push(format!("undo, {} standing", standing - 1));
        self.marks.split_off(&standing);
    }

    /// Takes one operation back, so that `left` stand.
    fn take_back(&mut self, left: usize) {
        self.persist(|machine| {
            let _ = history::undo(&machine.project()?, None)?;
            Ok(())
        });
        assert_eq!(self.standing(), left, "{}", self.story());
        while let Some((_, edit)) = self.edits.pop_if(|(standing, _)| *standing == left) {
            let found = self.machine.tree().get(&edit.path).cloned();
            assert_eq!(found, edit.new, "{}: {}", edit.path, self.story());
            self.machine.put(&edit.path, Some(&edit.old));
        }
        if let Some(mark) = self.marks.get(&left).cloned() {
            self.assert_same(
                &self.machine.book(),
                &mark,
                &format!("taken back to {left}"),
            );
        }
    }

    /// Does something until it ends well, sometimes into a crash.
    fn persist(&mut self, act: impl Fn(&Machine) -> Result<(), Failure>) {
        loop {
            match self.attempt(&act) {
                (true, Err(_)) => {}
                // The lock is given back last of all, when everything was told.
                (true, Ok(())) => return self.machine.recover(),
                (false, Ok(())) => return,
                (false, Err(failure)) => {
                    let why = failure.explain();
                    panic!("{} {}: {}", why.code(), why.message().en, self.story());
                }
            }
        }
    }

    /// Runs the commands, takes all of them back and brings all of them back.
    fn run(mut self) -> (usize, usize) {
        for _ in 0..COMMANDS {
            self.command();
        }
        let made = self.standing();
        let edits: Vec<(usize, String, Option<Vec<u8>>)> = self
            .edits
            .iter()
            .map(|(standing, edit)| (*standing, edit.path.clone(), edit.new.clone()))
            .collect();
        for left in (self.base..made).rev() {
            self.take_back(left);
        }
        for there in self.base + 1..=made {
            for (_, path, new) in edits.iter().filter(|(standing, ..)| *standing == there - 1) {
                self.machine.put(path, new.as_deref());
            }
            self.persist(|machine| {
                let _ = history::redo(&machine.project()?)?;
                Ok(())
            });
            assert_eq!(self.standing(), there, "{}", self.story());
            if let Some(mark) = self.marks.get(&there).cloned() {
                let what = format!("brought back to {there}");
                self.assert_same(&self.machine.book(), &mark, &what);
            }
        }
        (made - self.base, self.crashes)
    }

    fn story(&self) -> String {
        format!("seed {}\n{}", self.seed, self.told.join("\n"))
    }

    #[track_caller]
    fn assert_same(&self, found: &Book, wanted: &Book, what: &str) {
        if found == wanted {
            return;
        }
        let names = found.keys().chain(wanted.keys());
        let mut other: Vec<&String> = names
            .filter(|name| found.get(*name) != wanted.get(*name))
            .collect();
        other.sort();
        other.dedup();
        panic!("{what}: {other:?} differ; {}", self.story());
    }
}

#[test]
fn any_sequence_of_commands_is_taken_back_to_the_start_and_brought_back_to_the_end() {
    let asked = std::env::var("NOVEL_SEQUENCES").ok();
    let first = std::env::var("NOVEL_FIRST_SEQUENCE").ok();
    let first = first.map_or(1, |first| first.parse::<u64>().unwrap());
    let sequences = asked.map_or(SAMPLE, |asked| asked.parse().unwrap());
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let made: Vec<Option<(usize, usize)>> = std::thread::scope(|scope| {
        let share = |thread| {
            scope.spawn(move || {
                (first + thread..first + sequences)
                    .step_by(threads as usize)
                    .map(|seed| catch_unwind(|| Sequence::new(seed).run()).ok())
                    .collect::<Vec<_>>()
            })
        };
        let shares: Vec<_> = (0..threads).map(share).collect();
        shares
            .into_iter()
            .flat_map(|share| share.join().unwrap())
            .collect()
    });
    let sound = made.iter().flatten();
    let (operations, crashes) = sound.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    println!("{operations} operations in {sequences} sequences, {crashes} crashes between them");
    let failed = made.iter().filter(|one| one.is_none()).count();
    assert_eq!(failed, 0, "of {sequences} sequences; each is told above");
    assert!(operations > 0);
}
