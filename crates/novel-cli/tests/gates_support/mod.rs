//! A book whose fourth chapter contradicts its state, and who revises it: the offline author, or a
//! model behind a real socket that answers as the offline author did.
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

use std::{
    collections::BTreeMap,
    fs,
    sync::{Mutex, OnceLock},
};

use novel_mockllm::{Behaviour, MockServer, Request};
use serde_json::{Value, json};

use crate::{
    history_support::Demo,
    support::{Tree, pretty, tree},
};

/// The chapter that contradicts the state.
pub const FAULTY: u32 = 4;

/// First heading of the built-in prompt of an agent.
const AGENTS: [(&str, &str); 7] = [
    ("chapter-writer", "# 写手"),
    ("summarizer", "# 书记"),
    ("style-refiner", "# 润色师"),
    ("quality-judge", "# 评审"),
    ("logic-reviewer", "# 逻辑审查"),
    ("consistency-auditor", "# 一致性审计"),
    ("chapter-reviser", "# 修订者"),
];

/// Answers by agent, in the order in which different questions are asked.
pub type Answers = BTreeMap<String, Vec<String>>;

/// `chapters/chapter_NNN.json`.
#[must_use]
pub fn chapter_json(chapter: u32) -> String {
    format!("chapters/chapter_{chapter:03}.json")
}

/// `chapters/chapter-NNN.md`.
#[must_use]
pub fn markdown(chapter: u32) -> String {
    format!("chapters/chapter-{chapter:03}.md")
}

/// `chapters/chapter_NNN_revision.json`.
#[must_use]
pub fn revision(chapter: u32) -> String {
    format!("chapters/chapter_{chapter:03}_revision.json")
}

/// `reviews/chapter_NNN_consistency.json`.
#[must_use]
pub fn consistency(chapter: u32) -> String {
    format!("reviews/chapter_{chapter:03}_consistency.json")
}

/// `reviews/chapter_NNN_logic_review.json`.
#[must_use]
pub fn logic_review(chapter: u32) -> String {
    format!("reviews/chapter_{chapter:03}_logic_review.json")
}

/// The demo book with three chapters, written once.
#[must_use]
pub fn three_chapters() -> Demo {
    static WRITTEN: OnceLock<Tree> = OnceLock::new();
    Demo::of(WRITTEN.get_or_init(|| tree(&Demo::with(FAULTY - 1).root())))
}

/// The same, but by its state a character is dead who speaks in the fourth chapter.
#[must_use]
pub fn planted(policies: &str) -> Demo {
    let book = three_chapters();
    book.edit("state/current-state.json", |state| {
        state["characters"]["he-xiaoman"]["status"] = json!("dead");
    });
    configure(&book, policies);
    book
}

/// Adds lines to the top of `novel.toml`.
pub fn configure(book: &Demo, lines: &str) {
    let path = book.path("novel.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, format!("{lines}\n{text}")).unwrap();
}

/// The planted book, its fourth chapter written and pending, with a candidate.
#[must_use]
pub fn pending() -> Demo {
    static WRITTEN: OnceLock<Tree> = OnceLock::new();
    Demo::of(WRITTEN.get_or_init(|| {
        let book = planted("revision_policy = \"manual_confirm\"");
        let error = book.novel(&["continue"]).fails(3);
        assert_eq!(error["code"], "PENDING_REVISION", "{error:#}");
        tree(&book.root())
    }))
}

/// The answers in the calls about a chapter, by agent.
fn calls(book: &Demo, chapter: u32) -> BTreeMap<String, (String, String)> {
    let dir = book.path("logs/calls");
    let about = format!("chapter-{chapter:03}-");
    let mut calls = BTreeMap::new();
    for step in fs::read_dir(dir).unwrap() {
        let step = step.unwrap().path();
        if !step
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .starts_with(&about)
        {
            continue;
        }
        for call in fs::read_dir(step).unwrap() {
            let path = call.unwrap().path();
            let call: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            let text = |key: &str| call[key].as_str().unwrap().to_owned();
            calls.insert(text("id"), (text("agent"), text("text")));
        }
    }
    calls
}

/// What the offline author answers about the fourth chapter and its revision.
#[must_use]
pub fn offline_answers() -> Answers {
    static ANSWERS: OnceLock<Answers> = OnceLock::new();
    let answers = ANSWERS.get_or_init(|| {
        let twin = pending();
        let before = calls(&twin, FAULTY);
        let _ = twin.novel(&["revision", "apply", "4"]).ok();
        let mut after = calls(&twin, FAULTY);
        after.retain(|id, _| !before.contains_key(id));
        let mut answers = Answers::new();
        for (agent, text) in before.into_values().chain(after.into_values()) {
            answers.entry(agent).or_default().push(text);
        }
        answers
    });
    answers.clone()
}

/// A logic review as a model gives it.
#[must_use]
pub fn review_answer(score: u32, severities: &[&str]) -> String {
    let issues: Vec<Value> = severities
        .iter()
        .map(|severity| {
            json!({"issue_type": "motive", "description": "陆砚没有理由下水。", "severity": severity,
                   "evidence": null, "fix_instructions": "写明陆砚为什么下水"})
        })
        .collect();
    pretty(&json!({"overall_score": score, "issues": issues, "summary": "见问题。"}))
}

/// A model server that gives prepared answers.
pub struct Model {
    server: MockServer,
}

impl Model {
    /// The n-th different question to an agent gets its n-th answer.
    #[must_use]
    pub fn start(answers: Answers) -> Self {
        let seen: Mutex<BTreeMap<&str, Vec<String>>> = Mutex::default();
        let server = MockServer::start(move |request| {
            let (agent, prompt) = (agent_of(request), request.prompt());
            let mut seen = seen.lock().unwrap();
            let prompts = seen.entry(agent).or_default();
            let known = prompts.iter().position(|known| *known == prompt);
            let index = known.unwrap_or_else(|| {
                prompts.push(prompt);
                prompts.len() - 1
            });
            match answers.get(agent).and_then(|answers| answers.get(index)) {
                Some(answer) => Behaviour::text(answer),
                None => Behaviour::error(400, "no_answer", format!("{agent}, question {index}")),
            }
        });
        Self {
            server: server.unwrap(),
        }
    }

    /// Has a book written by it.
    pub fn write_for(&self, book: &Demo) {
        configure(book, "executor = \"llm\"");
        let path = book.path("novel.toml");
        let text = fs::read_to_string(&path).unwrap();
        let base = self.server.openai_base();
        let more = format!(
            "\n[models]\ndefault = \"stub-model\"\n\n[llm]\nbase_url = \"{base}\"\nkey_env = \"STUB_KEY\"\nmax_attempts = 1\n"
        );
        fs::write(path, text + &more).unwrap();
    }

    /// The requests of an agent, in order.
    #[must_use]
    pub fn asked(&self, agent: &str) -> Vec<Request> {
        let requests = self.server.requests().into_iter();
        requests
            .filter(|request| agent_of(request) == agent)
            .collect()
    }

    /// How many requests arrived.
    #[must_use]
    pub fn count(&self) -> usize {
        self.server.count()
    }
}

fn agent_of(request: &Request) -> &'static str {
    let prompt = request.prompt();
    let found = AGENTS
        .into_iter()
        .find(|(_, heading)| prompt.lines().any(|line| line == *heading));
    found
        .unwrap_or_else(|| panic!("no agent asks like this: {prompt}"))
        .0
}

/// The planted book twice: with the offline author, and with a model that gives these answers.
pub fn with_each_author(policies: &str, answers: &Answers, test: impl Fn(&Demo, Option<&Model>)) {
    test(&planted(policies), None);
    let model = Model::start(answers.clone());
    let book = planted(policies);
    model.write_for(&book);
    test(&book, Some(&model));
}

/// What stands between the marks of a block of a prompt.
#[track_caller]
#[must_use]
pub fn block<'a>(prompt: &'a str, opening: &str) -> &'a str {
    let starts = prompt
        .find(opening)
        .unwrap_or_else(|| panic!("no {opening}: {prompt}"));
    let rest = &prompt[starts..];
    let inner = &rest[rest.find('\n').unwrap() + 1..];
    let ends = inner
        .find("\n</DATA>")
        .unwrap_or_else(|| panic!("no end of {opening}: {prompt}"));
    &inner[..ends]
}

/// Runs a command that must be refused and must write nothing.
#[track_caller]
pub fn refused(book: &Demo, code: i32, args: &[&str]) -> Value {
    let before = tree(&book.root());
    let error = book.novel(args).fails(code);
    crate::support::assert_same_tree(&tree(&book.root()), &before, &args.join(" "));
    error
}

/// Runs a command for a person; standard output and standard error together.
#[must_use]
pub fn told(book: &Demo, lang: &str, args: &[&str]) -> (i32, String) {
    let mut command = book.command(args);
    let output = command.env("NOVEL_LANG", lang).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8(text).unwrap(),
    )
}
