//! A model that writes the demo book: answers the offline author gave to the same book, over a
//! real socket.

use std::{
    collections::BTreeMap,
    fs,
    sync::{Mutex, OnceLock, mpsc},
};

use novel_mockllm::{Behaviour, MockServer, Request};
use serde_json::Value;

use super::Home;

/// First heading of an agent's built-in prompt, and the stage of a chapter it works at.
const AGENTS: [(&str, &str); 4] = [
    ("# 写手", "draft"),
    ("# 书记", "summarize"),
    ("# 润色师", "refine"),
    ("# 评审", "judge"),
];

/// Chapters the model can write.
const CHAPTERS: u32 = 3;

/// The answers to every step of the first chapters of the demo book, by stage: those the offline
/// author gave when it wrote a twin of the book.
fn answers() -> &'static BTreeMap<&'static str, Vec<String>> {
    static ANSWERS: OnceLock<BTreeMap<&'static str, Vec<String>>> = OnceLock::new();
    ANSWERS.get_or_init(|| {
        let twin = Home::empty();
        let _ = twin
            .run(&["demo", "book", "--chapters", &CHAPTERS.to_string()])
            .ok();
        let answer = |stage: &str, chapter: u32| {
            let dir = twin.file(&format!("logs/calls/chapter-{chapter:03}-{stage}"));
            let calls = fs::read_dir(&dir)
                .unwrap_or_else(|error| panic!("{}: {error}", dir.display()))
                .map(|entry| entry.unwrap().path());
            let call: Value =
                serde_json::from_slice(&fs::read(calls.min().unwrap()).unwrap()).unwrap();
            call["text"].as_str().unwrap().to_owned()
        };
        let all = |stage| {
            (1..=CHAPTERS)
                .map(|chapter| answer(stage, chapter))
                .collect()
        };
        AGENTS
            .iter()
            .map(|(_, stage)| (*stage, all(stage)))
            .collect()
    })
}

/// One question.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Number of the request.
    pub number: usize,
    /// The stage it is about.
    pub stage: &'static str,
    /// The chapter it is about.
    pub chapter: usize,
}

/// A model server.
pub struct Model {
    server: MockServer,
    asked: mpsc::Receiver<Asked>,
}

impl Model {
    /// Writes the chapters from the second on, unless `reaction` says otherwise. A question it has
    /// seen gets the same answer again.
    #[must_use]
    pub fn start(reaction: impl Fn(&Asked) -> Option<Behaviour> + Send + Sync + 'static) -> Self {
        let answers = answers();
        let (sender, asked) = mpsc::channel();
        let seen: Mutex<BTreeMap<&str, Vec<String>>> = Mutex::default();
        let server = MockServer::start(move |request| {
            let question = recognise(request, &mut seen.lock().unwrap());
            let answer = || Behaviour::text(&answers[question.stage][question.chapter - 1]);
            let behaviour = reaction(&question).unwrap_or_else(answer);
            // The test may have stopped listening.
            let _ = sender.send(question);
            behaviour
        });
        Self {
            server: server.unwrap(),
            asked,
        }
    }

    /// `novel.toml` for it.
    #[must_use]
    pub fn config(&self) -> String {
        format!(
            r#"title = "潮信局"
language = "zh-CN"
executor = "llm"

[models]
default = "stub-model"

[llm]
base_url = "{}"
key_env = "STUB_KEY"
max_attempts = 1

[prices.stub-model]
input = 1.0
output = 2.0
"#,
            self.server.openai_base()
        )
    }

    /// Waits until this many requests have arrived in all.
    pub fn wait_for(&self, number: usize) {
        loop {
            let asked = self
                .asked
                .recv_timeout(std::time::Duration::from_secs(60))
                .expect("the model is asked");
            if asked.number == number {
                return;
            }
        }
    }

    /// How often each prompt was sent, in order of its first request.
    #[must_use]
    pub fn counts(&self) -> Vec<usize> {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for request in self.server.requests() {
            let prompt = request.prompt();
            match counts.iter_mut().find(|(known, _)| *known == prompt) {
                Some((_, count)) => *count += 1,
                None => counts.push((prompt, 1)),
            }
        }
        counts.into_iter().map(|(_, count)| count).collect()
    }

    /// All requests.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.server.requests()
    }
}

fn recognise(request: &Request, seen: &mut BTreeMap<&str, Vec<String>>) -> Asked {
    let prompt = request.prompt();
    let (_, stage) = AGENTS
        .into_iter()
        .find(|(heading, _)| prompt.lines().any(|line| line == *heading))
        .unwrap_or_else(|| panic!("no agent asks like this: {prompt}"));
    let prompts = seen.entry(stage).or_default();
    let known = prompts.iter().position(|known| *known == prompt);
    let index = known.unwrap_or_else(|| {
        prompts.push(prompt);
        prompts.len() - 1
    });
    Asked {
        number: request.number,
        stage,
        // The first chapter is in the book already.
        chapter: index + 2,
    }
}
