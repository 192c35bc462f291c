//! The built-in client as an executor, against a server on a real socket.

use novel_app::executor::{AgentAnswer, AgentCall, AgentError, Executor, Llm, Sign};
use novel_book::config::{Config, ExecutorKind};
use novel_llm::CancelToken;
use novel_mockllm::{Answer, Behaviour, Finish, MockServer, Tokens};
use novel_model::{
    ContentHash, Explain, Kind, Message,
    files::{JudgeRole, Packet},
};
use novel_prompt::prompt::{Agent, Level, Mode, Prompt, Role, Section, output};
use serde_json::json;

fn prompt(agent: Agent) -> Prompt {
    let section = |role, text: &str, stable| Section {
        name: "part".into(),
        level: Level::Chapter,
        role,
        text: text.into(),
        tokens: 1,
        why: Message::default(),
        stable,
    };
    Prompt {
        agent,
        mode: Mode::Draft,
        template_version: 1,
        sections: vec![
            section(Role::System, "规则", true),
            section(Role::User, "书", true),
            section(Role::User, "章", false),
            section(Role::User, "任务", false),
        ],
        left_out: Vec::new(),
        output: output(agent),
        hash: ContentHash::of("prompt"),
    }
}

fn packet() -> Packet {
    serde_json::from_value(json!({
        "version": 1,
        "step": "chapter:001:draft",
        "agent": {"kind": "subagent", "name": "chapter-writer"},
        "manifest": {"mode": "paths", "paths": {}, "inline": {}},
        "expected_outputs": [],
        "write_boundary": ["staging/**"],
        "next_actions": [],
    }))
    .unwrap()
}

fn executor(server: &MockServer, api: &str) -> Llm {
    let base = match api {
        "anthropic" => server.anthropic_base(),
        _ => server.openai_base(),
    };
    let text = format!(
        "[llm]\napi = '{api}'\nbase_url = '{base}'\nkey_env = 'NOVEL_TEST_KEY_THAT_NOBODY_SETS'\n\
         max_output_tokens = 1234\ntemperature = 0.5\n\
         [models]\ndefault = 'small'\nrevision = 'large'\n"
    );
    Llm::new(Config::parse(&text).unwrap().0, None).unwrap()
}

fn ask(llm: &Llm, agent: Agent) -> (Result<AgentAnswer, AgentError>, Vec<Sign>) {
    let (packet, prompt) = (packet(), prompt(agent));
    let model = llm.model_for(&[agent.name()]);
    let call = AgentCall {
        step: "chapter:001:draft".parse().unwrap(),
        judge: JudgeRole::Primary,
        packet: &packet,
        packet_path: None,
        prompt: &prompt,
        model: &model,
        book: None,
    };
    let mut signs = Vec::new();
    let answer = llm.run(&call, &mut |sign| signs.push(sign), &CancelToken::new());
    (answer, signs)
}

fn ending(finish: Finish, text: &str) -> MockServer {
    let answer = Answer {
        finish,
        ..Answer::new(text)
    };
    MockServer::sequence(vec![Behaviour::Answer(answer)]).unwrap()
}

#[test]
fn prose_is_asked_for_in_blocks_and_streamed() {
    let server = MockServer::sequence(vec![Behaviour::Answer(Answer {
        tokens: Tokens {
            input: 900,
            output: 30,
            cached: 800,
            ..Tokens::default()
        },
        ..Answer::new("夜雨初歇，檐下无人。")
    })])
    .unwrap();
    let llm = executor(&server, "openai");
    assert_eq!(llm.kind(), ExecutorKind::Llm);
    assert!(!llm.wants_packet());
    let (answer, signs) = ask(&llm, Agent::ChapterWriter);
    let answer = answer.unwrap();
    assert_eq!(answer.text, "夜雨初歇，檐下无人。");
    assert_eq!(
        (answer.usage.input, answer.usage.cached),
        (Some(900), Some(800))
    );
    assert_eq!(answer.attempts, 1);
    assert!(answer.raw.contains("夜雨初歇"));
    let streamed: String = signs
        .iter()
        .map(|sign| match sign {
            Sign::Text(text) => text.as_str(),
            Sign::Again { .. } => panic!("again"),
        })
        .collect();
    assert_eq!(streamed, answer.text);
    assert!(signs.len() > 1);
    let sent = &server.requests()[0];
    assert_eq!(sent.json["model"], "small");
    assert_eq!(sent.json["temperature"], 0.5);
    assert_eq!(sent.json["messages"][0]["content"], "规则");
    assert_eq!(sent.json["messages"][1]["content"], "书\n\n章\n\n任务");
    assert!(sent.schema().is_none());
    assert!(sent.header("authorization").is_none());
}

#[test]
fn breakpoints_stand_at_the_end_of_what_stays_the_same() {
    let server = MockServer::sequence(vec![Behaviour::text("正文")]).unwrap();
    ask(&executor(&server, "anthropic"), Agent::ChapterWriter)
        .0
        .unwrap();
    let sent = &server.requests()[0].json;
    assert_eq!(sent["max_tokens"], 1234);
    let marked = |block: &serde_json::Value| block.get("cache_control").is_some();
    assert!(marked(&sent["system"][0]));
    let content = sent["messages"][0]["content"].as_array().unwrap();
    let marks: Vec<bool> = content.iter().map(marked).collect();
    assert_eq!(marks, [true, false, false]);
}

#[test]
fn structured_answers_are_asked_for_by_schema_and_left_as_they_are() {
    for api in ["openai", "anthropic"] {
        let server = MockServer::sequence(vec![Behaviour::json(&json!({"a": 1}))]).unwrap();
        let (answer, _) = ask(&executor(&server, api), Agent::QualityJudge);
        let answer: serde_json::Value = serde_json::from_str(&answer.unwrap().text).unwrap();
        assert_eq!(answer, json!({"a": 1}));
        assert!(server.requests()[0].schema().is_some(), "{api}");
    }
}

#[test]
fn a_repeated_call_is_announced() {
    let server = MockServer::sequence(vec![
        Behaviour::unsupported_response_format(),
        Behaviour::rate_limited(0),
        Behaviour::json(&json!({"a": 1})),
    ])
    .unwrap();
    let (answer, signs) = ask(&executor(&server, "openai"), Agent::QualityJudge);
    assert_eq!(answer.unwrap().attempts, 3);
    let again: Vec<u32> = signs
        .iter()
        .filter_map(|sign| match sign {
            Sign::Again { attempt, why } => {
                assert!(!why.en.is_empty() && !why.zh.is_empty());
                Some(*attempt)
            }
            Sign::Text(_) => None,
        })
        .collect();
    assert_eq!(again.len(), 2);
}

#[test]
fn an_answer_that_is_none_is_an_error_with_a_meaning() {
    for (finish, text, code) in [
        (Finish::Length, "第一章 夜雨初", "ANSWER_CUT"),
        (Finish::Refusal, "我不能写这个", "MODEL_REFUSED"),
        (Finish::ContentFilter, "第一章", "ANSWER_FILTERED"),
        (Finish::Stop, " \n", "EMPTY_ANSWER"),
    ] {
        let server = ending(finish, text);
        let (answer, _) = ask(&executor(&server, "openai"), Agent::ChapterWriter);
        let why = answer.unwrap_err();
        assert_eq!((why.kind(), why.code()), (Kind::Provider, code));
        assert!(why.hint().is_some());
        if code == "ANSWER_CUT" {
            assert!(why.message().en.contains("1234"));
        }
        if code == "MODEL_REFUSED" {
            assert!(why.message().zh.contains("我不能写这个"));
        }
    }
}

#[test]
fn a_rejected_call_is_an_error_of_the_provider() {
    let server = MockServer::sequence(vec![Behaviour::unauthorized("sk-echoed")]).unwrap();
    let (answer, _) = ask(&executor(&server, "openai"), Agent::ChapterWriter);
    assert_eq!(answer.unwrap_err().kind(), Kind::Provider);
    assert_eq!(server.count(), 1);
}

#[test]
fn each_role_may_have_its_own_model() {
    let server = MockServer::sequence(vec![]).unwrap();
    let llm = executor(&server, "openai");
    assert_eq!(llm.model_for(&["revision", "chapter-writer"]), "large");
    assert_eq!(llm.model_for(&["chapter-writer"]), "small");
}
