//! What the writing loop costs beside its agents: `cargo bench -p novel-cli --bench loop`.
//!
//! First 200 chapters by the offline author in one run: time and prompt size of a chapter, the last
//! ten against the first ten. Then 20 chapters by the model client against a server on a loopback
//! socket that answers every call in exactly 200 ms: the wall time against the critical path, five
//! times in memory and five times on the disk. The book is checked after each run; nothing fails on
//! a slow machine, the target is printed beside each figure.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark fails loudly"
)]
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::{
    collections::{BTreeMap, VecDeque},
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, Instant},
};

use novel_app::{
    Clock, Project,
    care::doctor,
    executor::{AgentAnswer, AgentCall, AgentError, Executor, Llm, Offline, Sign},
    runner::{Budget, Runner, Watch, WatchEvent},
    setup::demo,
    write::run::FromError,
};
use novel_book::{
    config::{Config, ExecutorKind},
    run::{Goal, Stop},
};
use novel_llm::{Block, CancelToken, Client, Endpoint, Model, ModelRequest, Wire};
use novel_mockllm::{Answer, Behaviour, MockServer, Request};
use novel_model::{ChapterStage, Explain, Lang, StepId};
use novel_prompt::prompt::Agent;
use novel_store::Store;
use novel_testkit::{replay, volume};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const LONG: u32 = 200;
const SHORT: u32 = 20;
/// A busy host makes a run longer and never shorter.
const RUNS: usize = 5;
const EDGE: usize = 10;
const CALL: Duration = Duration::from_millis(200);

fn main() {
    // `cargo test --benches` asks for no figures.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    // `-- overhead` leaves the long book out.
    if !std::env::args().any(|arg| arg == "overhead") {
        flat();
    }
    bare_calls();
    let answers = recorded();
    let memory = PathBuf::from("/dev/shm");
    for place in [memory, std::env::temp_dir()] {
        if place.is_dir() {
            let runs = [(); RUNS].map(|()| overhead(&place, &answers));
            println!(
                "\n{RUNS} runs in {}: median {:.2} %, least {:.2} % over the critical path (target 2 %)",
                place.display(),
                median(&runs),
                runs.iter().copied().fold(f64::INFINITY, f64::min),
            );
        }
    }
}

/// 200 chapters by the offline author.
fn flat() {
    let place = fast_place();
    let home = tempfile::tempdir_in(&place).unwrap();
    let store = book(home.path(), LONG);
    let project = open(&store);
    let executor = Recording::of(&project);
    let watch = Stopwatch::default();
    let took = run(&project, &executor, &watch, LONG);
    whole(&store, home.path(), LONG);
    println!(
        "{LONG} chapters by the offline author in {:.1} s, in {}",
        took.as_secs_f64(),
        place.display()
    );
    println!(
        "{:<24} {:>12} {:>12} {:>7}  target",
        "per chapter", "first ten", "last ten", "ratio"
    );
    let mut times: Vec<f64> = watch.chapters().iter().map(Duration::as_secs_f64).collect();
    times.iter_mut().for_each(|time| *time *= 1000.0);
    edges("time, ms (median)", &times, median);
    let calls = executor.calls.into_inner().unwrap();
    for agent in Agent::PIPELINE {
        let sizes: Vec<f64> = calls
            .iter()
            .filter(|call| call.agent == agent && call.first_judge)
            .map(|call| call.prompt_bytes)
            .collect();
        // Reviewers are not asked with the usual policies.
        if !sizes.is_empty() {
            edges(&format!("{}, bytes", agent.name()), &sizes, mean);
        }
    }
}

fn edges(name: &str, values: &[f64], middle: fn(&[f64]) -> f64) {
    let first = middle(&values[..EDGE]);
    let last = middle(&values[values.len() - EDGE..]);
    println!(
        "{name:<24} {first:>12.1} {last:>12.1} {:>7.3}  1.20",
        last / first
    );
}

/// The answers of the offline author to every call of the short book, in the order of the calls.
fn recorded() -> BTreeMap<&'static str, VecDeque<String>> {
    let home = tempfile::tempdir_in(fast_place()).unwrap();
    let project = open(&book(home.path(), SHORT));
    let executor = Recording::of(&project);
    run(&project, &executor, &Stopwatch::default(), SHORT);
    let mut answers: BTreeMap<&'static str, VecDeque<String>> = BTreeMap::new();
    for call in executor.calls.into_inner().unwrap() {
        answers
            .entry(call.agent.name())
            .or_default()
            .push_back(call.answer);
    }
    answers
}

/// What this machine adds to a call without any book: sleeping threads, sockets, the client. The
/// figures below can not be better.
fn bare_calls() {
    let server = MockServer::start(|_| {
        Behaviour::Answer(Answer {
            lasts_millis: Some(200),
            ..Answer::new("雾".repeat(2000))
        })
    })
    .unwrap();
    let client = Client::new(Endpoint::new(Wire::OpenAi, server.openai_base()));
    let request = ModelRequest {
        model: "stub".into(),
        system: vec![Block::text("雾".repeat(10_000))],
        user: vec![Block::text("雾".repeat(10_000))],
        schema: None,
        max_output_tokens: 8000,
        thinking_tokens: 0,
        temperature: None,
        seed: None,
    };
    let begun = Instant::now();
    for _ in 0..4 * SHORT {
        client
            .ask(&request, &mut |_| {}, &CancelToken::new())
            .unwrap();
    }
    let (took, path) = (begun.elapsed(), CALL * 4 * SHORT);
    println!(
        "{} bare calls: {:.2} % over {} ms each, {:.1} ms for four",
        4 * SHORT,
        (took.as_secs_f64() / path.as_secs_f64() - 1.0) * 100.0,
        CALL.as_millis(),
        (took - path).as_secs_f64() * 1000.0 / f64::from(SHORT),
    );
}

/// 20 chapters against a server that answers in exactly 200 ms: the percentage over the critical path.
fn overhead(place: &Path, answers: &BTreeMap<&'static str, VecDeque<String>>) -> f64 {
    let answers = Mutex::new(answers.clone());
    let server = MockServer::start(move |request| {
        let text = answers
            .lock()
            .unwrap()
            .get_mut(agent_of(request).name())
            .and_then(VecDeque::pop_front)
            .expect("one answer for each call");
        Behaviour::Answer(Answer {
            lasts_millis: Some(200),
            ..Answer::new(text)
        })
    })
    .unwrap();
    let home = tempfile::tempdir_in(place).unwrap();
    let store = book(home.path(), SHORT);
    let project = open(&store);
    let client = Llm::new(configured(project.config(), &server), store.root()).unwrap();
    let watch = Stopwatch::default();
    let took = run(&project, &client, &watch, SHORT);
    whole(&store, home.path(), SHORT);
    let key = (1..=SHORT).filter(|chapter| volume::is_key(*chapter, SHORT));
    assert_eq!(server.count(), 4 * SHORT as usize + key.count());
    // Both judges of a key chapter read at the same time.
    let path = CALL * 4 * SHORT;
    let percent = (took.as_secs_f64() / path.as_secs_f64() - 1.0) * 100.0;
    let per_chapter = (took - path).as_secs_f64() * 1000.0 / f64::from(SHORT);
    println!(
        "\n{SHORT} chapters at {} ms a call, in {}",
        CALL.as_millis(),
        place.display()
    );
    println!(
        "critical path {:.3} s, wall time {:.3} s: {percent:.2} % over it (target 2 %), {per_chapter:.1} ms a chapter",
        path.as_secs_f64(),
        took.as_secs_f64(),
    );
    for (name, total) in watch.parts() {
        println!(
            "  {name:<34} {:>7.2} ms a chapter",
            total.as_secs_f64() * 1000.0 / f64::from(SHORT)
        );
    }
    percent
}

fn configured(config: &Config, server: &MockServer) -> Config {
    let mut config = config.clone();
    config.executor = ExecutorKind::Llm;
    config.models.insert("default".into(), "stub".into());
    config.llm.base_url = Some(server.openai_base());
    config.llm.key_env = Some("NOVEL_BENCH_KEY_THAT_NOBODY_SETS".into());
    config
}

/// Who is asked, by the form of the answer and by the heading of the rules.
fn agent_of(request: &Request) -> Agent {
    let form = request.json.pointer("/response_format/json_schema/name");
    match form.and_then(|name| name.as_str()) {
        Some("evaluation") => Agent::QualityJudge,
        Some(_) => Agent::Summarizer,
        None if request.prompt().starts_with("# 润色师") => Agent::StyleRefiner,
        None => Agent::ChapterWriter,
    }
}

fn book(root: &Path, chapters: u32) -> Store {
    let store = Store::create(root).unwrap();
    demo::create(&store, Lang::Zh).unwrap();
    volume::lay(root, chapters);
    store
}

fn clock() -> Clock {
    Clock::Fixed("2026-03-01T12:00:00Z".parse().unwrap())
}

fn open(store: &Store) -> Project {
    Project::open(store.clone(), clock()).unwrap()
}

fn run(project: &Project, executor: &dyn Executor, watch: &Stopwatch, chapters: u32) -> Duration {
    let runner = Runner {
        project,
        executor,
        watch,
        cancel: &CancelToken::new(),
        budget: Budget::of(project.config()),
        approval: project.config().approval.into(),
    };
    let begun = watch.begin();
    let report = runner
        .run(Goal::VolumeEnd, FromError::Refuse)
        .unwrap_or_else(|error| {
            panic!(
                "{}: {} {:#?}",
                error.code(),
                error.message(),
                error.problems()
            )
        });
    let took = begun.elapsed();
    assert_eq!(report.stop, Stop::VolumeEnd);
    assert_eq!(report.finished.len(), chapters as usize);
    took
}

/// What must hold of a book after any run.
fn whole(store: &Store, root: &Path, chapters: u32) {
    let health = doctor::doctor(store, clock(), doctor::Repair::Report).unwrap();
    assert!(health.findings.is_empty(), "{:#?}", health.findings);
    let text = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    assert_eq!(
        replay::replay(&text("state/changelog.jsonl")),
        text("state/current-state.json")
    );
    assert!(text(".checkpoint.json").contains("VOL_REVIEW"));
    assert!(
        root.join(format!("chapters/chapter-{chapters:03}.md"))
            .is_file()
    );
}

/// One call of the offline author.
struct Call {
    agent: Agent,
    first_judge: bool,
    prompt_bytes: f64,
    answer: String,
}

/// The offline author, with a note of every call.
struct Recording {
    author: Offline,
    calls: Mutex<Vec<Call>>,
}

impl Recording {
    fn of(project: &Project) -> Self {
        Self {
            author: Offline::new(project.store().clone(), project.config().clone()),
            calls: Mutex::default(),
        }
    }
}

impl Executor for Recording {
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
        let answer = self.author.run(call, on_sign, cancel)?;
        let bytes: usize = call
            .prompt
            .sections
            .iter()
            .map(|part| part.text.len())
            .sum();
        self.calls.lock().unwrap().push(Call {
            agent: call.prompt.agent,
            first_judge: call.judge == novel_model::files::JudgeRole::Primary,
            prompt_bytes: f64::from(u32::try_from(bytes).unwrap()),
            answer: answer.text.clone(),
        });
        Ok(answer)
    }
}

/// When what happened.
#[derive(Default)]
struct Stopwatch {
    marks: Mutex<Vec<(Mark, Instant)>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Begun,
    Started(ChapterStage),
    Answered,
    Committed,
}

impl Watch for Stopwatch {
    fn event(&self, event: &WatchEvent<'_>) {
        let mark = match event {
            WatchEvent::Started {
                step: StepId::Chapter(_, stage),
                ..
            } => Mark::Started(*stage),
            WatchEvent::Answered { .. } => Mark::Answered,
            WatchEvent::Committed { .. } => Mark::Committed,
            _ => return,
        };
        self.marks.lock().unwrap().push((mark, Instant::now()));
    }
}

impl Stopwatch {
    fn begin(&self) -> Instant {
        let now = Instant::now();
        self.marks.lock().unwrap().push((Mark::Begun, now));
        now
    }

    /// From one commit to the next.
    fn chapters(&self) -> Vec<Duration> {
        let marks = self.marks.lock().unwrap();
        let ends: Vec<Instant> = marks
            .iter()
            .filter(|(mark, _)| matches!(mark, Mark::Begun | Mark::Committed))
            .map(|(_, at)| *at)
            .collect();
        ends.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// Where the time went, in total. Commits happen beside the next call.
    fn parts(&self) -> BTreeMap<&'static str, Duration> {
        let marks = self.marks.lock().unwrap();
        let calls: Vec<&(Mark, Instant)> = marks
            .iter()
            .filter(|(mark, _)| matches!(mark, Mark::Started(_) | Mark::Answered))
            .collect();
        let mut parts: BTreeMap<&'static str, Duration> = BTreeMap::new();
        for pair in calls.windows(2) {
            let [(before, from), (after, to)] = pair else {
                continue;
            };
            let took = *to - *from;
            let (name, took) = match (before, after) {
                (Mark::Started(_), Mark::Answered) => {
                    ("call and ledger, over 200 ms", took.saturating_sub(CALL))
                }
                (Mark::Answered, Mark::Started(ChapterStage::Draft)) => {
                    ("verdict to next draft", took)
                }
                (Mark::Answered, Mark::Started(_)) => ("other answer to next call", took),
                (Mark::Answered, _) => ("second verdict to the ledger", took),
                _ => continue,
            };
            *parts.entry(name).or_default() += took;
        }
        parts
    }
}

fn mean(values: &[f64]) -> f64 {
    let count = f64::from(u32::try_from(values.len()).unwrap());
    values.iter().sum::<f64>() / count
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    (values[values.len() / 2] + values[(values.len() - 1) / 2]) / 2.0
}

/// Memory, where there is such a place: the figures are then those of the program, not of the disk.
fn fast_place() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    if memory.is_dir() {
        memory
    } else {
        std::env::temp_dir()
    }
}
