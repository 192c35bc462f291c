//! A model behind a socket that writes a sound book, unless a test has it answer otherwise.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use novel_mockllm::{Behaviour, MockServer, Request};
use novel_testkit::{Manner, Plan, TestBook};

/// One call.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// `draft`, `revise`, `summarize`, `refine`, `polish`, `judge`.
    pub(crate) work: &'static str,
    pub(crate) chapter: u32,
    /// Which call for this work and chapter, from one.
    pub(crate) nth: usize,
    /// Whether an answer was sent back before it.
    pub(crate) again: bool,
    pub(crate) prompt: String,
}

type Rule = dyn Fn(&Call, &str) -> Option<Behaviour> + Send + Sync;

/// A model server for one book.
pub(crate) struct Stub {
    _server: MockServer,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl Stub {
    /// Writes for `book`; the rule gets a call and the sound answer to it.
    pub(crate) fn writing(
        book: &TestBook,
        rule: impl Fn(&Call, &str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        Self::behaving(book, move |call, sound| {
            rule(call, sound).map(Behaviour::text)
        })
    }

    /// Like [`Stub::writing`]; the rule says how the server answers.
    pub(crate) fn behaving(
        book: &TestBook,
        rule: impl Fn(&Call, &str) -> Option<Behaviour> + Send + Sync + 'static,
    ) -> Self {
        let calls: Arc<Mutex<Vec<Call>>> = Arc::default();
        let (seen, plan, rule): (_, Plan, Box<Rule>) =
            (Arc::clone(&calls), book.plan().clone(), Box::new(rule));
        let counts: Mutex<BTreeMap<(&str, u32), usize>> = Mutex::default();
        let server = MockServer::start(move |request: &Request| {
            let prompt = request.prompt();
            let (work, chapter) = recognised(&prompt);
            let nth = {
                let mut counts = counts.lock().unwrap();
                let count = counts.entry((work, chapter)).or_default();
                *count += 1;
                *count
            };
            let call = Call {
                work,
                chapter,
                nth,
                again: prompt.contains("## 重新作答"),
                prompt,
            };
            let sound = sound(&plan, &call);
            let answer = rule(&call, &sound).unwrap_or_else(|| Behaviour::text(sound));
            seen.lock().unwrap().push(call);
            answer
        })
        .unwrap();
        book.use_model(&server.openai_base());
        Self {
            _server: server,
            calls,
        }
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    pub(crate) fn count(&self, work: &str) -> usize {
        self.calls().iter().filter(|call| call.work == work).count()
    }

    /// The last call of that kind.
    pub(crate) fn last(&self, work: &str) -> Call {
        let calls = self.calls();
        calls.into_iter().rfind(|call| call.work == work).unwrap()
    }
}

fn recognised(prompt: &str) -> (&'static str, u32) {
    let has = |line: &str| prompt.lines().any(|other| other == line);
    let task = prompt.rsplit("## 任务").next().unwrap_or_default();
    let number = task
        .split("第 ")
        .filter_map(|rest| rest.split_once(" 章"))
        .find_map(|(number, _)| number.parse().ok());
    let work = if has("# 写手") {
        if task.contains("修订第") {
            "revise"
        } else {
            "draft"
        }
    } else if has("# 书记") {
        "summarize"
    } else if has("# 润色师") {
        if task.contains("最后一次打磨") {
            "polish"
        } else {
            "refine"
        }
    } else {
        "judge"
    };
    (
        work,
        number.unwrap_or_else(|| panic!("no chapter in: {task}")),
    )
}

fn sound(plan: &Plan, call: &Call) -> String {
    let chapter = call.chapter;
    match call.work {
        "draft" => plan.draft(chapter, Manner::Usual),
        "revise" => plan.revised(chapter, u32::try_from(call.nth).unwrap()),
        "refine" => {
            // A revision is refined as it is.
            let text = call
                .prompt
                .rsplit("type=\"chapter_content\"")
                .next()
                .unwrap();
            if text.contains("他改了主意") {
                let from = text.find("# 第").unwrap();
                let to = text.find("</DATA>").unwrap();
                text[from..to].to_owned()
            } else {
                plan.refined(chapter, Manner::Usual)
            }
        }
        "polish" => plan.polished(chapter, Manner::Usual),
        "summarize" => plan.summary_answer(chapter, 0).to_string(),
        _ => plan.verdict(chapter, 4.5).to_string(),
    }
}

/// A book whose first chapter is written by an outside driver: the second one has one judge.
pub(crate) fn at_chapter_two() -> TestBook {
    let book = TestBook::planned(Plan::new(9));
    book.driver().write(1);
    book
}
