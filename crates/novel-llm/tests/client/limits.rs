//! Limits of time and size, and cancelling.

use std::thread;
use std::time::{Duration, Instant};

use novel_llm::{CancelToken, Model, ModelError, StreamEvent, TimeoutPhase, Wire};
use novel_mockllm::{Answer, Behaviour, MockServer};
use novel_model::Explain;

use super::support::{BOTH, Setup, prose};

const SHORT: Duration = Duration::from_millis(400);

fn last(error: &ModelError) -> &ModelError {
    match error {
        ModelError::RetriesExhausted { last, .. } => last,
        other => other,
    }
}

#[test]
fn a_server_that_says_nothing_is_given_up_and_tried_again() {
    let mut setup = Setup::new(Wire::OpenAi, vec![Behaviour::Stall, Behaviour::text("好")]);
    setup.endpoint.timeouts.first_byte = SHORT;
    let outcome = setup.ask(&prose());
    assert_eq!(outcome.answer().attempts, 2);
    assert!(
        outcome.events[0].contains("FirstByte"),
        "{:?}",
        outcome.events
    );
}

#[test]
fn a_silent_stream_is_given_up_and_tried_again() {
    for wire in BOTH {
        let mut setup = Setup::new(
            wire,
            vec![Behaviour::silent("夜雨初歇", 1), Behaviour::text("好")],
        );
        setup.endpoint.timeouts.silent = SHORT;
        let outcome = setup.ask(&prose());
        assert_eq!(outcome.answer().text, "好");
        assert!(outcome.events.iter().any(|event| event.contains("Silent")));
    }
}

#[test]
fn a_stream_that_stays_silent_ends_with_its_own_code() {
    let mut setup = Setup::new(Wire::Anthropic, vec![Behaviour::silent("夜雨初歇", 1)]);
    setup.endpoint.timeouts.silent = SHORT;
    let outcome = setup.ask(&prose());
    assert_eq!(last(outcome.error()).code(), "PROVIDER_SILENT_STREAM");
    assert_eq!(setup.server.count(), 3);
}

#[test]
fn an_attempt_over_the_total_time_is_not_repeated() {
    let mut setup = Setup::new(Wire::OpenAi, vec![Behaviour::silent("夜雨初歇", 1)]);
    setup.endpoint.timeouts.total = SHORT;
    let outcome = setup.ask(&prose());
    assert!(matches!(
        outcome.error(),
        ModelError::Timeout {
            phase: TimeoutPhase::Total,
            ..
        }
    ));
    assert_eq!(setup.server.count(), 1);
}

#[test]
fn a_huge_answer_is_cut_off_and_not_asked_for_again() {
    // Without a pattern: a text that goes round is ended for another reason.
    let signs = (0..1_000_000_u32).map(|at| 0x4E00 + at.wrapping_mul(2_654_435_761) % 20_000);
    let text: String = signs.filter_map(char::from_u32).collect();
    for wire in BOTH {
        for whole in [false, true] {
            let answer = Answer {
                whole,
                chars_per_event: 4096,
                ..Answer::new(text.clone())
            };
            let mut setup = Setup::new(wire, vec![answer.into()]);
            setup.endpoint.max_answer_bytes = 1_000_000;
            let outcome = setup.ask(&prose());
            assert_eq!(outcome.error().code(), "PROVIDER_ANSWER_TOO_LARGE");
            assert_eq!(setup.server.count(), 1);
        }
    }
}

#[test]
fn cancelling_ends_a_stalled_call_at_once() {
    let setup = Setup::new(Wire::OpenAi, vec![Behaviour::Stall]);
    let cancel = CancelToken::new();
    let started = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| {
            // Once the request is there, the call is surely under way.
            while setup.server.count() == 0 {
                thread::yield_now();
            }
            cancel.cancel();
        });
        let outcome = setup.ask_with(&prose(), &cancel, |_| {});
        assert_eq!(outcome.error(), &ModelError::Cancelled);
        assert_eq!(outcome.retries(), 0);
    });
    assert!(started.elapsed() < setup.endpoint.timeouts.first_byte / 2);
}

#[test]
fn cancelling_in_the_middle_of_a_stream_ends_it() {
    for wire in BOTH {
        let setup = Setup::new(wire, vec![Behaviour::silent("夜雨初歇", 1)]);
        let cancel = CancelToken::new();
        let outcome = setup.ask_with(&prose(), &cancel, |event| {
            if matches!(event, StreamEvent::Text(_)) {
                cancel.cancel();
            }
        });
        assert_eq!(outcome.error(), &ModelError::Cancelled);
        assert_eq!(setup.server.count(), 1);
    }
}

#[test]
fn cancelling_a_pause_ends_it() {
    let mut setup = Setup::new(Wire::OpenAi, vec![Behaviour::rate_limited(3000)]);
    setup.endpoint.retry.max_retry_after = Duration::from_secs(4000);
    let client = novel_llm::Client::new(setup.endpoint.clone());
    let cancel = CancelToken::new();
    let started = Instant::now();
    let result = client.ask(
        &prose(),
        &mut |event| {
            if matches!(event, StreamEvent::Retry { .. }) {
                cancel.cancel();
            }
        },
        &cancel,
    );
    assert_eq!(result, Err(ModelError::Cancelled));
    assert!(started.elapsed() < Duration::from_secs(60));
    assert_eq!(setup.server.count(), 1);
}

#[test]
fn a_cancelled_token_makes_no_request() {
    let setup = Setup::new(Wire::OpenAi, vec![Behaviour::text("好")]);
    let cancel = CancelToken::new();
    cancel.cancel();
    let outcome = setup.ask_with(&prose(), &cancel, |_| {});
    assert_eq!(outcome.error(), &ModelError::Cancelled);
    assert_eq!(setup.server.count(), 0);
}

#[test]
fn an_answer_that_had_arrived_when_it_was_cancelled_is_used() {
    for wire in BOTH {
        let setup = Setup::new(wire, vec![Behaviour::text("夜雨初歇")]);
        let cancel = CancelToken::new();
        let mut usages = 0;
        let outcome = setup.ask_with(&prose(), &cancel, |event| {
            if matches!(event, StreamEvent::Usage(_)) {
                usages += 1;
                // The counts after the finish: nothing of the text is missing any more.
                if wire == Wire::OpenAi || usages == 2 {
                    cancel.cancel();
                }
            }
        });
        assert_eq!(outcome.answer().text, "夜雨初歇");
    }
}

#[test]
fn the_client_adds_next_to_nothing_to_the_servers_time() {
    let server = MockServer::start(|_| {
        Answer {
            lasts_millis: Some(200),
            ..Answer::new("夜雨初歇")
        }
        .into()
    })
    .unwrap();
    let setup = Setup::with(Wire::OpenAi, server);
    let mut best = Duration::MAX;
    // Other work on the machine only ever adds time, so one good run shows it.
    for _ in 0..20 {
        best = best.min(setup.ask(&prose()).answer().duration);
        if best < Duration::from_millis(204) {
            break;
        }
    }
    assert!(best >= Duration::from_millis(200), "{best:?}");
    assert!(best < Duration::from_millis(204), "{best:?}");
}

#[test]
fn two_calls_run_at_the_same_time() {
    let setup = Setup::with(
        Wire::OpenAi,
        MockServer::start(|_| Behaviour::Stall).unwrap(),
    );
    let cancel = CancelToken::new();
    thread::scope(|scope| {
        let calls = [(); 2].map(|()| scope.spawn(|| setup.ask_with(&prose(), &cancel, |_| {})));
        while setup.server.count() < 2 {
            thread::yield_now();
        }
        cancel.cancel();
        for call in calls {
            assert_eq!(call.join().unwrap().error(), &ModelError::Cancelled);
        }
    });
}
