//! The loop with the built-in client against a server on a real socket.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

use novel_app::{Clock, Project, executor::Llm};
use novel_book::run::Goal;
use novel_llm::{CancelToken, Client, Endpoint, Pace, Secret, Wire};
use novel_mockllm::{Answer, Behaviour, MockServer, Request, Tokens};
use novel_model::{ChapterStage, Explain, StepId};
use novel_prompt::prompt::Level;
use novel_store::Store;
use serde_json::{Value, json};

use super::{
    book::{Book, Launch, Watcher, code, codes},
    script::{Script, sound_answer_at},
};

const KEY: &str = "sk-test-0123456789abcdefABCDEF";

/// No test waits for a pause; how long it would have been is kept.
#[derive(Clone, Default)]
pub(crate) struct Hurried(Arc<Mutex<Vec<Duration>>>);

impl Pace for Hurried {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn wait(&self, duration: Duration, _: &CancelToken) {
        self.0.lock().unwrap().push(duration);
    }

    fn jitter(&self) -> f64 {
        1.0
    }
}

/// A server that is told the step it is asked about and what a good agent answers to it.
pub(crate) fn server_of(
    book: &Book,
    answer: impl Fn(&Request, StepId, String) -> Behaviour + Send + Sync + 'static,
) -> MockServer {
    server_that(book, move |project, request| {
        let (step, text) = sound_answer_at(project, asked_for(request));
        answer(request, step, text)
    })
}

/// A server that sees the book as it happens to be.
pub(crate) fn server_that(
    book: &Book,
    answer: impl Fn(&Project, &Request) -> Behaviour + Send + Sync + 'static,
) -> MockServer {
    let root = book.root().to_path_buf();
    MockServer::start(move |request| {
        let clock = Clock::Fixed("2026-02-21T15:30:00Z".parse().unwrap());
        let project = Project::open(Store::open(&root).unwrap(), clock).unwrap();
        answer(&project, request)
    })
    .unwrap()
}

/// The work a request is about, by the heading of its rules.
pub(crate) fn asked_for(request: &Request) -> ChapterStage {
    let prompt = request.prompt();
    let headings = [
        ("# 写手", ChapterStage::Draft),
        ("# 书记", ChapterStage::Summarize),
        ("# 润色师", ChapterStage::Refine),
        ("# 评审", ChapterStage::Judge),
    ];
    let found = headings
        .iter()
        .find(|(heading, _)| prompt.lines().any(|line| line == *heading));
    found.expect("an agent asks").1
}

/// The built-in client for that server, with a key.
pub(crate) fn executor(
    book: &Book,
    server: &MockServer,
    change: impl FnOnce(&mut Endpoint),
) -> Llm {
    paced(book, server, &Hurried::default(), change)
}

fn paced(
    book: &Book,
    server: &MockServer,
    pace: &Hurried,
    change: impl FnOnce(&mut Endpoint),
) -> Llm {
    let mut endpoint = Endpoint::new(Wire::OpenAi, server.openai_base());
    endpoint.key = Some(Secret::new(KEY).unwrap());
    endpoint.retry.max_attempts = 3;
    change(&mut endpoint);
    let mut config = book.project().config().clone();
    config.models.insert("default".into(), "mock-1".into());
    Llm::with_client(config, Client::with_pace(endpoint, Box::new(pace.clone()))).unwrap()
}

/// Sound answers, but something else for the first `times` requests of a step.
fn faulty(
    book: &Book,
    step: &'static str,
    times: usize,
    fault: impl Fn(&str) -> Behaviour + Send + Sync + 'static,
) -> MockServer {
    let seen = Mutex::new(0);
    server_of(book, move |_, now, text| {
        if now.to_string() == step {
            let mut seen = seen.lock().unwrap();
            *seen += 1;
            if *seen <= times {
                return fault(&text);
            }
        }
        Behaviour::text(text)
    })
}

fn sound(book: &Book) -> MockServer {
    server_of(book, |_, _, text| Behaviour::text(text))
}

#[test]
fn a_chapter_is_written_over_both_wires() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let book = Book::new();
        let server = server_of(&book, |_, _, text| {
            Behaviour::Answer(Answer {
                tokens: Tokens {
                    input: 900,
                    output: 30,
                    cached: 800,
                    ..Tokens::default()
                },
                ..Answer::new(text)
            })
        });
        let llm = executor(&book, &server, |endpoint| {
            endpoint.wire = wire;
            endpoint.base_url = match wire {
                Wire::OpenAi => server.openai_base(),
                Wire::Anthropic => server.anthropic_base(),
            };
        });
        let report = book.write(&llm, 1);
        assert_eq!(server.count(), 5);
        assert_eq!(report.spent.calls, 5);
        assert_eq!(report.spent.cached_tokens, 5 * 800);
        let log = book.json("logs/chapter-001-log.json");
        assert_eq!(log["stages"][0]["cached_tokens"], 800);
        assert_eq!(log["stages"][0]["output_tokens"], 30);
        assert_eq!(log["stages"][0]["executor"], "llm");
    }
}

#[test]
fn structured_steps_send_their_schema_and_prose_steps_do_not() {
    let book = Book::new();
    let server = sound(&book);
    book.write(&executor(&book, &server, |_| {}), 1);
    let with_schema: Vec<bool> = server
        .requests()
        .iter()
        .map(|request| request.schema().is_some())
        .collect();
    assert_eq!(with_schema, [false, true, false, true, true]);
}

#[test]
fn a_429_is_waited_out_as_retry_after_says() {
    let book = Book::with_chapters(1);
    let server = faulty(&book, "chapter:002:draft", 1, |_| {
        Behaviour::rate_limited(7)
    });
    let pace = Hurried::default();
    let watcher = Watcher::default();
    let launch = Launch {
        watch: Some(&watcher),
        ..Launch::default()
    };
    let llm = paced(&book, &server, &pace, |_| {});
    book.launch(&llm, Goal::Chapters(1), &launch).unwrap();
    let waits = pace.0.lock().unwrap().clone();
    assert_eq!(waits.len(), 1);
    assert!(waits[0] >= Duration::from_secs(7), "{waits:?}");
    assert_eq!(server.count(), 5);
    assert!(
        watcher
            .seen()
            .contains(&"again chapter:002:draft".to_owned())
    );
    assert_eq!(
        book.json("logs/chapter-002-log.json")["stages"][0]["attempts"],
        2
    );
}

#[test]
fn a_500_and_a_cut_stream_and_a_closed_connection_are_tried_again() {
    let faults: [fn(&str) -> Behaviour; 3] = [
        |_| Behaviour::server_error(500),
        |text| Behaviour::cut(text, 3),
        |_| Behaviour::Close,
    ];
    for fault in faults {
        let book = Book::with_chapters(1);
        let server = faulty(&book, "chapter:002:draft", 1, fault);
        let report = book.write(&executor(&book, &server, |_| {}), 1);
        assert_eq!(server.count(), 5);
        assert_eq!(report.finished.len(), 1);
        assert_eq!(
            book.json("logs/chapter-002-log.json")["stages"][0]["attempts"],
            2
        );
        // Half an answer is no answer.
        assert_eq!(book.calls("chapter-002-draft").len(), 1);
    }
}

#[test]
fn a_server_that_stays_broken_ends_in_error_retry_and_recovers() {
    let book = Book::with_chapters(1);
    let server = faulty(&book, "chapter:002:refine", 6, |_| {
        Behaviour::server_error(503)
    });
    let llm = executor(&book, &server, |_| {});
    let failure = book.run(&llm, Goal::Chapters(1)).unwrap_err();
    assert_eq!(failure.explain().kind(), novel_model::Kind::Provider);
    assert_eq!(
        server.count(),
        2 + 2 * 3,
        "three attempts, and the step once more"
    );
    assert_eq!(book.stands(), json!(["ERROR_RETRY", "drafted", 2, 0]));
    assert!(book.is_free());
    book.retry(&llm, 1).unwrap();
    assert_eq!(server.count(), 2 + 6 + 2);
}

#[test]
fn a_stream_that_falls_silent_runs_into_the_configured_timeout() {
    let book = Book::with_chapters(1);
    let server = faulty(&book, "chapter:002:draft", usize::MAX, |text| {
        Behaviour::silent(text, 2)
    });
    let base = server.openai_base();
    book.configure(&format!(
        "[llm]\nbase_url = '{base}'\nkey_env = 'NOVEL_TEST_KEY_THAT_NOBODY_SETS'\n\
         silent_seconds = 1\nmax_attempts = 1\n[models]\ndefault = 'mock-1'"
    ));
    let llm = Llm::new(book.project().config().clone(), Some(book.root())).unwrap();
    let failure = book.run(&llm, Goal::Chapters(1)).unwrap_err();
    assert_eq!(code(&failure), "PROVIDER_SILENT_STREAM");
    assert_eq!(server.count(), 2);
    assert_eq!(book.stands(), json!(["ERROR_RETRY", "drafting", 2, 0]));
}

#[test]
fn a_server_that_never_begins_runs_into_a_timeout_and_is_tried_again() {
    let book = Book::with_chapters(1);
    let server = faulty(&book, "chapter:002:draft", 1, |_| Behaviour::Stall);
    let llm = executor(&book, &server, |endpoint| {
        endpoint.timeouts.first_byte = Duration::from_millis(400);
    });
    book.write(&llm, 1);
    assert_eq!(server.count(), 5);
}

#[test]
fn a_refusal_is_not_a_chapter() {
    let book = Book::with_chapters(1);
    let server = faulty(&book, "chapter:002:draft", usize::MAX, |_| {
        Behaviour::refusal("我不能写这个")
    });
    let failure = book
        .run(&executor(&book, &server, |_| {}), Goal::Chapters(1))
        .unwrap_err();
    assert_eq!(code(&failure), "MODEL_REFUSED");
    assert!(failure.explain().message().zh.contains("我不能写这个"));
    assert_eq!(server.count(), 2);
    assert_eq!(book.stands(), json!(["ERROR_RETRY", "drafting", 2, 0]));
    assert!(!book.exists("staging/chapters/chapter-002.md"));
}

#[test]
fn a_refusal_was_paid_for_and_is_in_the_ledger() {
    let book = Book::with_chapters(1);
    let server = faulty(&book, "chapter:002:draft", 1, |_| {
        Behaviour::refusal("我不能写这个")
    });
    book.write(&executor(&book, &server, |_| {}), 1);
    let kept = book.calls("chapter-002-draft");
    assert!(
        kept.iter()
            .any(|call| call.to_string().contains("我不能写这个")),
        "{kept:?}"
    );
}

#[test]
fn an_answer_cut_at_the_limit_is_tried_again_and_never_accepted() {
    let book = Book::with_chapters(1);
    let server = faulty(&book, "chapter:002:draft", 1, |text| {
        let half: String = text.chars().take(200).collect();
        Behaviour::Answer(Answer {
            finish: novel_mockllm::Finish::Length,
            ..Answer::new(half)
        })
    });
    book.write(&executor(&book, &server, |_| {}), 1);
    assert_eq!(server.count(), 5);
    assert!(book.text("chapters/chapter-002.md").chars().count() > 400);
}

#[test]
fn a_huge_answer_is_cut_off_and_tried_again() {
    let book = Book::with_chapters(1);
    let server = faulty(&book, "chapter:002:draft", 1, |_| Behaviour::huge(400_000));
    let llm = executor(&book, &server, |endpoint| {
        endpoint.max_answer_bytes = 300_000;
    });
    book.write(&llm, 1);
    assert_eq!(server.count(), 5);
    assert!(book.text("chapters/chapter-002.md").len() < 100_000);
}

#[test]
fn malformed_json_is_asked_for_again_with_its_problem() {
    let book = Book::with_chapters(1);
    let server = faulty(&book, "chapter:002:judge", 1, |_| {
        Behaviour::text("这一章很好，五分")
    });
    book.write(&executor(&book, &server, |_| {}), 1);
    let requests = server.requests();
    assert_eq!(requests.len(), 5);
    assert!(!requests[3].prompt().contains("novel:validation"));
    assert!(requests[4].prompt().contains("novel:validation"));
}

#[test]
fn a_fenced_answer_over_the_wire_costs_no_second_call() {
    let book = Book::with_chapters(1);
    let server = faulty(&book, "chapter:002:summarize", 1, |text| {
        Behaviour::fenced(&serde_json::from_str::<Value>(text).unwrap())
    });
    let report = book.write(&executor(&book, &server, |_| {}), 1);
    assert_eq!(server.count(), 4);
    assert!(codes(&report.warnings).contains(&"answer_repaired"));
}

#[test]
fn a_wrong_schema_over_the_wire_is_asked_for_again_with_the_errors() {
    let book = Book::with_chapters(1);
    let server = faulty(&book, "chapter:002:judge", 1, |_| {
        Behaviour::json(&json!({"rating": 5, "comment": "好"}))
    });
    book.write(&executor(&book, &server, |_| {}), 1);
    let again = server.requests()[4].prompt();
    assert!(
        again.contains("novel:validation") && again.contains("scores"),
        "{again}"
    );
}

#[test]
fn both_judges_are_on_the_wire_at_the_same_time() {
    let book = Book::new();
    let here = Arc::new((Mutex::new(0_u32), std::sync::Condvar::new()));
    let server = server_of(&book, move |_, step, text| {
        if step.to_string() == "chapter:001:judge" {
            let (count, arrived) = &*here;
            let mut count = count.lock().unwrap();
            *count += 1;
            arrived.notify_all();
            let (_here, alone) = arrived
                .wait_timeout_while(count, Duration::from_secs(20), |count| *count < 2)
                .unwrap();
            if alone.timed_out() {
                return Behaviour::error(400, "bad_request", "alone");
            }
        }
        Behaviour::text(text)
    });
    book.write(&executor(&book, &server, |_| {}), 1);
    assert_eq!(server.count(), 5);
}

/// No file of the project holds the key.
fn has_no_key(book: &Book) {
    for (path, bytes) in book.tree() {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(KEY), "{path}");
        // Not even in pieces, event by event.
        let joined: String = text.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
        assert!(!joined.contains("sktest0123456789abcdefABCDEF"), "{path}");
    }
}

#[test]
fn the_key_is_sent_and_is_in_no_file() {
    let book = Book::new();
    let server = sound(&book);
    book.write(&executor(&book, &server, |_| {}), 1);
    let sent = server.requests()[0]
        .header("authorization")
        .map(str::to_owned);
    assert_eq!(sent, Some(format!("Bearer {KEY}")));
    has_no_key(&book);
}

#[test]
fn a_server_that_repeats_the_key_does_not_get_it_into_a_file_or_a_message() {
    // In an error.
    let book = Book::with_chapters(1);
    let server = faulty(&book, "chapter:002:refine", usize::MAX, |_| {
        Behaviour::unauthorized(KEY)
    });
    let failure = book
        .run(&executor(&book, &server, |_| {}), Goal::Chapters(1))
        .unwrap_err();
    let why = failure.explain();
    let said = format!(
        "{:?} {:?} {:?} {:?}",
        why.message(),
        why.hint(),
        why.problems(),
        why.details(novel_model::Lang::En)
    );
    assert!(!said.contains(KEY), "{said}");
    assert!(!format!("{failure:?}").contains(KEY));
    has_no_key(&book);

    // In a refusal.
    let book = Book::with_chapters(1);
    let server = faulty(&book, "chapter:002:draft", usize::MAX, |_| {
        Behaviour::refusal(format!("密钥 {KEY} 不行"))
    });
    let failure = book
        .run(&executor(&book, &server, |_| {}), Goal::Chapters(1))
        .unwrap_err();
    assert!(!failure.explain().message().en.contains(KEY));
    has_no_key(&book);

    // In the text of a chapter and of a structured answer.
    let book = Book::with_chapters(1);
    let server = server_of(&book, |_, step, text| match step.to_string().as_str() {
        "chapter:002:draft" => Behaviour::text(format!("{}\n\n{KEY}\n", text.trim_end())),
        "chapter:002:judge" => {
            let mut verdict: Value = serde_json::from_str(&text).unwrap();
            verdict["strengths"] = json!([KEY]);
            Behaviour::json(&verdict)
        }
        _ => Behaviour::text(text),
    });
    book.write(&executor(&book, &server, |_| {}), 1);
    has_no_key(&book);
}

#[test]
fn a_key_file_in_the_project_is_refused() {
    let book = Book::with_chapters(1);
    book.put("key.txt", KEY);
    let file = book.root().join("key.txt");
    book.configure(&format!(
        "[llm]\nkey_file = '{}'\n[models]\ndefault = 'mock-1'",
        file.display()
    ));
    let refused = Llm::new(book.project().config().clone(), Some(book.root()));
    assert_eq!(
        refused.err().map(|failure| failure.code()),
        Some("KEY_IN_PROJECT")
    );
}

#[test]
fn no_answered_request_is_made_again_after_a_crash() {
    for step in [
        "chapter:002:draft",
        "chapter:002:summarize",
        "chapter:002:refine",
        "chapter:002:judge",
    ] {
        let book = Book::with_chapters(1);
        let server = sound(&book);
        let llm = executor(&book, &server, |_| {});
        let launch = Launch {
            watch: Some(&super::book::DiesAfter(step)),
            ..Launch::default()
        };
        book.dies(&llm, &launch);
        book.write(&llm, 1);
        assert_eq!(server.count(), 4, "{step}");
    }
}

#[test]
fn the_writers_prompt_begins_the_same_in_every_chapter() {
    let book = Book::new();
    let server = sound(&book);
    book.write(&executor(&book, &server, |_| {}), 4);
    let requests = server.requests();
    let drafts: Vec<&Request> = requests
        .iter()
        .filter(|request| request.schema().is_none())
        .step_by(2)
        .collect();
    assert_eq!(drafts.len(), 4);

    // The same prompts as the loop builds them, to know where the stable part ends.
    let scripted = Book::new();
    let script = Script::plain(&scripted);
    scripted.write(&script, 4);
    let written: Vec<_> = script
        .calls()
        .into_iter()
        .filter(|call| call.work == "draft")
        .collect();
    let stable = |at: usize| -> String {
        let sections = written[at].sections.iter();
        let kept: Vec<&str> = sections
            .filter(|(level, name, _)| {
                name != "rules" && matches!(level, Level::Book | Level::Volume)
            })
            .map(|(_, _, text)| text.as_str())
            .collect();
        assert!(kept.len() >= 4, "{}", kept.len());
        kept.join("\n\n")
    };
    for at in 0..3 {
        let (here, next) = (
            &drafts[at].json["messages"],
            &drafts[at + 1].json["messages"],
        );
        assert_eq!(here[0], next[0], "the rules");
        assert_eq!(here[0]["content"], written[at].system);
        let (here, next) = (
            here[1]["content"].as_str().unwrap(),
            next[1]["content"].as_str().unwrap(),
        );
        let common = here
            .bytes()
            .zip(next.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        let prefix = stable(at);
        assert!(here.starts_with(&prefix), "book and volume come first");
        assert!(
            common >= prefix.len(),
            "chapter {}: {common} of {}",
            at + 2,
            prefix.len()
        );
    }
}
