//! The key is seen by the server and by nobody else.

use std::time::Duration;

use novel_llm::Wire;
use novel_mockllm::{Answer, Behaviour};
use novel_model::{Explain, Lang};

use super::support::{BOTH, KEY, Outcome, Setup, prose, structured};

/// Everything a caller could write somewhere.
fn everything(setup: &Setup, outcome: &Outcome) -> String {
    let mut all = format!("{:?}\n{}\n", setup.endpoint, outcome.events.join("\n"));
    match &outcome.result {
        Ok(answer) => all.push_str(&format!("{answer:?}")),
        Err(error) => {
            let message = error.message();
            let hint = error.hint().unwrap_or_default();
            all.push_str(&format!(
                "{error} {error:?} {error:#?} {message:?} {hint:?} {:?} {:?}",
                error.details(Lang::En),
                error.details(Lang::Zh),
            ));
            let mut source = std::error::Error::source(error);
            while let Some(cause) = source {
                all.push_str(&format!("{cause} {cause:?}"));
                source = cause.source();
            }
        }
    }
    all
}

#[test]
fn no_output_of_any_behaviour_contains_the_key() {
    let echo = |status| Behaviour::error(status, "some_error", format!("your key {KEY} is bad"));
    let answer = Answer {
        chars_per_event: 200,
        reasoning: format!("the key is {KEY}"),
        ..Answer::new(format!("我知道 {KEY} 了"))
    };
    let behaviours = [
        Behaviour::unauthorized(KEY),
        echo(400),
        echo(404),
        echo(429),
        echo(500),
        Behaviour::Status {
            status: 200,
            headers: vec![],
            body: format!("<html>{KEY}</html>"),
        },
        Behaviour::Status {
            status: 403,
            headers: vec![],
            body: KEY.into(),
        },
        Behaviour::Status {
            status: 302,
            headers: vec![("Location".into(), format!("http://127.0.0.1:1/{KEY}"))],
            body: String::new(),
        },
        Answer {
            garbage_at: Some((0, format!("data: {{{KEY}"))),
            ..answer.clone()
        }
        .into(),
        Answer {
            cut_after: Some(1),
            ..answer.clone()
        }
        .into(),
        Answer {
            stall_after: Some(1),
            ..answer.clone()
        }
        .into(),
        Answer {
            whole: true,
            ..answer.clone()
        }
        .into(),
        answer.into(),
        Behaviour::Stall,
        Behaviour::Close,
        Behaviour::context_length(),
        Behaviour::refusal(KEY),
    ];
    for wire in BOTH {
        for behaviour in &behaviours {
            let mut setup = Setup::new(wire, vec![behaviour.clone()]);
            setup.endpoint.timeouts.first_byte = Duration::from_millis(50);
            setup.endpoint.timeouts.silent = Duration::from_millis(50);
            setup.endpoint.retry.max_attempts = 2;
            for request in [prose(), structured()] {
                let outcome = setup.ask(&request);
                let all = everything(&setup, &outcome);
                assert!(!all.contains(KEY), "{behaviour:?}: {all}");
            }
        }
    }
}

#[test]
fn a_key_in_the_address_is_not_shown() {
    let mut setup = Setup::new(Wire::OpenAi, vec![Behaviour::server_error(500)]);
    let base = setup.server.url();
    setup.endpoint.base_url = format!("{base}/{KEY}/v1?key={KEY}");
    let outcome = setup.ask(&prose());
    let mut all = everything(&setup, &outcome);
    // The endpoint's own `Debug` shows the address that the author wrote down.
    all = all.replace(&format!("{:?}", setup.endpoint), "");
    assert!(!all.contains(KEY), "{all}");
}

#[test]
fn a_missing_key_names_a_variable_and_a_wrong_one_its_origin() {
    for (wire, name) in [
        (Wire::OpenAi, "OPENAI_API_KEY"),
        (Wire::Anthropic, "ANTHROPIC_API_KEY"),
    ] {
        let mut setup = Setup::new(wire, vec![Behaviour::unauthorized("")]);
        setup.endpoint.key = None;
        let outcome = setup.ask(&prose());
        let hint = outcome.error().hint().unwrap();
        assert!(hint.en.contains(name) && hint.zh.contains(name));
        let request = &setup.server.requests()[0];
        assert_eq!(request.header("authorization"), None);
        assert_eq!(request.header("x-api-key"), None);
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("my.key");
    std::fs::write(&path, KEY).unwrap();
    let mut setup = Setup::new(Wire::OpenAi, vec![Behaviour::unauthorized(KEY)]);
    setup.endpoint.key = Some(novel_llm::Secret::from_file(&path).unwrap());
    let message = setup.ask(&prose()).error().message();
    for text in [message.en, message.zh] {
        assert!(text.contains("my.key") && text.contains("***"), "{text}");
    }
}
