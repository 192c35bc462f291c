//! A model behind a real socket that gives prepared answers to the agents of a Chinese book.

use std::{
    collections::BTreeMap,
    sync::{Mutex, mpsc},
    time::Duration,
};

use novel_mockllm::{Behaviour, MockServer, Request};

use crate::book::TestBook;

/// First heading of the built-in prompt of an agent.
const AGENTS: [(&str, &str); 13] = [
    ("book-reader", "# 读稿人"),
    ("world-builder", "# 筑世者"),
    ("character-weaver", "# 织人者"),
    ("plot-architect", "# 谋篇者"),
    ("style-analyzer", "# 辨体者"),
    ("volume-reviewer", "# 卷末顾问"),
    ("chapter-writer", "# 写手"),
    ("summarizer", "# 书记"),
    ("style-refiner", "# 润色师"),
    ("quality-judge", "# 评审"),
    ("logic-reviewer", "# 逻辑审查"),
    ("consistency-auditor", "# 一致性审计"),
    ("chapter-reviser", "# 修订者"),
];

/// Heading of the part that is added when an answer is asked for again.
const AGAIN: &str = "## 重新作答";

/// Longest wait for a request; only a failing test waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Answers by agent, in the order in which different questions are asked.
pub type Answers = BTreeMap<String, Vec<String>>;

/// One question.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Number of the request, from 1.
    pub number: usize,
    /// Name of the agent.
    pub agent: &'static str,
    /// Which of the different questions to this agent it is, from 1.
    pub nth: usize,
}

impl Asked {
    /// Whether it is the n-th different question to an agent.
    #[must_use]
    pub fn is(&self, agent: &str, nth: usize) -> bool {
        self.agent == agent && self.nth == nth
    }
}

/// A model server. The n-th different question to an agent gets its n-th answer, however often it is
/// asked.
pub struct ScriptedModel {
    server: MockServer,
    asked: Mutex<mpsc::Receiver<usize>>,
}

impl ScriptedModel {
    /// Gives these answers.
    #[must_use]
    pub fn start(answers: Answers) -> Self {
        Self::reacting(answers, |_| None)
    }

    /// Gives these answers, unless `reaction` says otherwise.
    #[must_use]
    pub fn reacting(
        answers: Answers,
        reaction: impl Fn(&Asked) -> Option<Behaviour> + Send + Sync + 'static,
    ) -> Self {
        let (sender, asked) = mpsc::channel();
        let seen: Mutex<BTreeMap<&str, Vec<String>>> = Mutex::default();
        let server = MockServer::start(move |request| {
            let question = recognise(request, &mut seen.lock().unwrap());
            let (agent, nth) = (question.agent, question.nth);
            let behaviour = reaction(&question).unwrap_or_else(|| {
                let known = answers.get(agent).and_then(|all| all.get(nth - 1));
                known.map_or_else(
                    || Behaviour::error(400, "no_answer", format!("{agent}, question {nth}")),
                    Behaviour::text,
                )
            });
            // The test may have stopped listening.
            let _ = sender.send(question.number);
            behaviour
        });
        Self {
            server: server.unwrap(),
            asked: Mutex::new(asked),
        }
    }

    /// Has a book written by it.
    pub fn write_for(&self, book: &TestBook) {
        book.use_model(&self.server.openai_base());
    }

    /// The address it answers at.
    #[must_use]
    pub fn base(&self) -> String {
        self.server.openai_base()
    }

    /// Waits for the request with this number.
    #[track_caller]
    pub fn wait_for(&self, number: usize) {
        let asked = self.asked.lock().unwrap();
        while asked.recv_timeout(PATIENCE).expect("the model is asked") != number {}
    }

    /// All requests.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.server.requests()
    }

    /// The prompts of all requests.
    #[must_use]
    pub fn prompts(&self) -> Vec<String> {
        self.requests().iter().map(Request::prompt).collect()
    }

    /// The requests of an agent, in order.
    #[must_use]
    pub fn asked(&self, agent: &str) -> Vec<Request> {
        let requests = self.requests().into_iter();
        requests
            .filter(|request| agent_of(&request.prompt()) == agent)
            .collect()
    }

    /// Waits until every request of processes that have ended is counted.
    pub fn settle(&self) {
        self.server.settle().unwrap();
    }

    /// How many requests arrived.
    #[must_use]
    pub fn count(&self) -> usize {
        self.server.count()
    }

    /// How often each prompt was sent, in order of its first request.
    #[must_use]
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

fn recognise(request: &Request, seen: &mut BTreeMap<&str, Vec<String>>) -> Asked {
    let prompt = request.prompt();
    let agent = agent_of(&prompt);
    // Asked again, it is the same question.
    let question = prompt.split(AGAIN).next().unwrap_or_default().trim_end();
    let questions = seen.entry(agent).or_default();
    let known = questions.iter().position(|known| known == question);
    let index = known.unwrap_or_else(|| {
        questions.push(question.to_owned());
        questions.len() - 1
    });
    Asked {
        number: request.number,
        agent,
        nth: index + 1,
    }
}

fn agent_of(prompt: &str) -> &'static str {
    let found = AGENTS
        .into_iter()
        .find(|(_, heading)| prompt.lines().any(|line| line == *heading));
    found
        .unwrap_or_else(|| panic!("no agent asks like this: {prompt}"))
        .0
}
