//! Connections that are used again.

use novel_llm::{CancelToken, Client, Model, StreamEvent, Wire};
use novel_mockllm::{Answer, Behaviour};

use super::support::{Setup, TestPace, ask_client, prose};

fn whole(text: &str) -> Behaviour {
    Behaviour::Answer(Answer {
        whole: true,
        ..Answer::new(text)
    })
}

#[test]
fn calls_one_after_another_share_a_connection() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let setup = Setup::new(wire, vec![whole("夜雨"), whole("初歇")]);
        let client = Client::new(setup.endpoint.clone());
        for expected in ["夜雨", "初歇", "初歇"] {
            let answer = client.ask(&prose(), &mut |_| {}, &CancelToken::new());
            assert_eq!(answer.unwrap().text, expected);
        }
        assert_eq!((setup.server.count(), setup.server.connections()), (3, 1));
    }
}

#[test]
fn a_stream_that_was_heard_to_its_end_leaves_its_connection() {
    let setup = Setup::new(Wire::OpenAi, vec![Behaviour::text("夜雨初歇")]);
    let client = Client::new(setup.endpoint.clone());
    for _ in 0..20 {
        let answer = client.ask(&prose(), &mut |_| {}, &CancelToken::new());
        assert_eq!(answer.unwrap().text, "夜雨初歇");
    }
    // A busy machine may be slow to tell the end; then a new connection is made.
    assert!(setup.server.connections() < 20);
}

#[test]
fn a_call_that_is_given_up_closes_its_own_connection() {
    let setup = Setup::new(
        Wire::OpenAi,
        vec![whole("好"), Behaviour::silent("夜雨初歇", 1), whole("好")],
    );
    let client = Client::new(setup.endpoint.clone());
    let ask = |cancel: &CancelToken| {
        let give_up = &mut |event: StreamEvent<'_>| {
            if matches!(event, StreamEvent::Text(text) if text != "好") {
                cancel.cancel();
            }
        };
        client.ask(&prose(), give_up, cancel)
    };
    ask(&CancelToken::new()).unwrap();
    ask(&CancelToken::new()).unwrap_err();
    ask(&CancelToken::new()).unwrap();
    assert_eq!((setup.server.count(), setup.server.connections()), (3, 2));
}

#[test]
fn a_connection_the_server_has_closed_is_made_anew() {
    let setup = Setup::new(
        Wire::OpenAi,
        vec![whole("夜雨"), Behaviour::Close, whole("初歇")],
    );
    let pace = TestPace::default();
    let client = Client::with_pace(setup.endpoint.clone(), Box::new(pace.clone()));
    let ask = || ask_client(&client, &pace, &prose(), &CancelToken::new(), |_| {});
    assert_eq!(ask().answer().text, "夜雨");
    let second = ask();
    assert_eq!(
        (second.answer().text.as_str(), second.retries()),
        ("初歇", 1)
    );
    assert_eq!(setup.server.connections(), 2);
}
