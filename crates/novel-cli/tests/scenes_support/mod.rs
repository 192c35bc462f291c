//! A model that plans and writes scenes: the answers of the offline author to the same book, over a
//! real socket.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "test support fails loudly"
)]
#![allow(unreachable_pub, reason = "a module of a test binary")]

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Mutex, OnceLock, mpsc},
    time::Duration,
};

use novel_mockllm::{Behaviour, MockServer};
use serde_json::Value;

use crate::loop_support::Home;

/// The plan of a chapter's scenes.
pub fn plan_of(home: &Home, chapter: u32) -> Value {
    home.read(&format!("staging/scenes/chapter-{chapter:03}/plan.json"))
}

/// Every file of the book but the lock.
pub fn files(home: &Home) -> BTreeMap<String, Vec<u8>> {
    let root = home.file("");
    let mut found = BTreeMap::new();
    collect(&root, &root, &mut found);
    found.retain(|path, _| !path.starts_with(".novel.lock"));
    found
}

fn collect(root: &Path, dir: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, found);
        } else {
            let name = path.strip_prefix(root).unwrap();
            let name = name.to_str().unwrap().to_owned();
            found.insert(name, fs::read(&path).unwrap());
        }
    }
}

/// What the offline author answers for chapter 2 of the demo book, in the order of the calls.
fn answers() -> &'static Vec<String> {
    static ANSWERS: OnceLock<Vec<String>> = OnceLock::new();
    ANSWERS.get_or_init(|| {
        let twin = Home::empty();
        let _ = twin
            .run(&["demo", "book", "--chapters", "1", "--lang", "zh"])
            .ok();
        twin.configure_more("drafting = \"scenes\"");
        let _ = twin.run(&["continue"]).ok();
        let mut answers = Vec::new();
        let log = twin.read("logs/chapter-002-log.json");
        for stage in log["stages"].as_array().unwrap() {
            let (name, call) = (&stage["name"], &stage["call"]);
            let [name, call] = [name, call].map(|text| text.as_str().unwrap());
            let kept = twin.read(&format!("logs/calls/chapter-002-{name}/{call}.json"));
            answers.push((stage_order(name), kept["text"].as_str().unwrap().to_owned()));
        }
        in_order(&twin, answers)
    })
}

fn stage_order(name: &str) -> usize {
    ["draft", "summarize", "refine", "judge"]
        .iter()
        .position(|known| *known == name)
        .unwrap()
}

/// Calls within one second are logged by id: the plan goes first, scenes as they stand in the book.
fn in_order(twin: &Home, mut answers: Vec<(usize, String)>) -> Vec<String> {
    let draft = fs::read_to_string(twin.file("chapters/chapter-002.md")).unwrap();
    let place = |text: &str| {
        let start: String = text
            .lines()
            .next()
            .unwrap_or_default()
            .chars()
            .take(12)
            .collect();
        draft.find(&start)
    };
    answers.sort_by_key(|(stage, text)| {
        let within = if text.trim_start().starts_with('{') {
            None
        } else {
            place(text)
        };
        (*stage, within)
    });
    answers.into_iter().map(|(_, text)| text).collect()
}

/// A model server for chapter 2.
pub struct Writer {
    server: MockServer,
    asked: mpsc::Receiver<usize>,
}

impl Writer {
    /// Answers each new prompt with the next answer, unless `reaction` to the number of the request
    /// says otherwise; a prompt it has seen gets the same answer again.
    pub fn start(reaction: impl Fn(usize) -> Option<Behaviour> + Send + Sync + 'static) -> Self {
        let answers = answers();
        let (sender, asked) = mpsc::channel();
        let seen: Mutex<Vec<String>> = Mutex::default();
        let server = MockServer::start(move |request| {
            let prompt = request.prompt();
            // Asked again, it is the same question.
            let question = prompt
                .split("## 重新作答")
                .next()
                .unwrap()
                .trim_end()
                .to_owned();
            let mut seen = seen.lock().unwrap();
            let known = seen.iter().position(|known| *known == question);
            let index = known.unwrap_or_else(|| {
                seen.push(question);
                seen.len() - 1
            });
            let behaviour =
                reaction(request.number).unwrap_or_else(|| Behaviour::text(&answers[index]));
            // The test may have stopped listening.
            let _ = sender.send(request.number);
            behaviour
        });
        Self {
            server: server.unwrap(),
            asked,
        }
    }

    /// `novel.toml` for it.
    pub fn config(&self) -> String {
        format!(
            "title = \"潮信局\"\nlanguage = \"zh-CN\"\nexecutor = \"llm\"\n\n[models]\ndefault = \"stub-model\"\n\n[llm]\nbase_url = \"{}\"\nkey_env = \"STUB_KEY\"\nmax_attempts = 1\n",
            self.server.openai_base()
        )
    }

    /// Waits for a request.
    pub fn wait_for(&self, number: usize) {
        loop {
            let asked = self.asked.recv_timeout(Duration::from_secs(60));
            if asked.expect("the model is asked") == number {
                return;
            }
        }
    }

    /// All prompts.
    pub fn prompts(&self) -> Vec<String> {
        let requests = self.server.requests();
        requests.iter().map(|request| request.prompt()).collect()
    }

    /// How often each prompt was sent, in order of its first request.
    pub fn counts(&self) -> Vec<usize> {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for prompt in self.prompts() {
            match counts.iter_mut().find(|(known, _)| *known == prompt) {
                Some((_, count)) => *count += 1,
                None => counts.push((prompt, 1)),
            }
        }
        counts.into_iter().map(|(_, count)| count).collect()
    }
}
