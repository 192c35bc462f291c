//! What providers refuse, and what is not asked of them again.

use std::{
    fs,
    sync::atomic::{AtomicUsize, Ordering},
};

use novel_app::executor::{self, Executor};
use novel_book::{config::ExecutorKind, run::Goal};
use novel_mockllm::{Behaviour, MockServer};
use novel_model::{Failure, Kind};
use serde_json::json;

use super::{
    book::{Book, code},
    wire::{self, server_of},
};

fn configure(book: &Book, server: &MockServer, more: &str) {
    let base = server.openai_base();
    book.configure(&format!(
        "[llm]\nbase_url = '{base}'\nkey_env = 'NOVEL_TEST_KEY_THAT_NOBODY_SETS'\n\
         [models]\ndefault = 'mock-1'\n{more}"
    ));
}

/// The executor as a new process opens it.
fn opened(book: &Book) -> Result<Box<dyn Executor>, Failure> {
    let kind = Some(ExecutorKind::Llm);
    Ok(executor::open(&book.project(), "novel".into(), kind)?)
}

#[test]
fn a_request_that_is_wrong_or_unpaid_is_made_once() {
    for (status, expected) in [
        (400, "PROVIDER_BAD_REQUEST"),
        (402, "PROVIDER_QUOTA"),
        (403, "PROVIDER_AUTH"),
        (404, "PROVIDER_NOT_FOUND"),
    ] {
        let book = Book::with_chapters(1);
        let server =
            MockServer::start(move |_| Behaviour::error(status, "fatal", "this will not do"));
        let server = server.unwrap();
        let llm = wire::executor(&book, &server, |_| {});
        let failure = book.run(&llm, Goal::Chapters(1)).unwrap_err();
        assert_eq!(code(&failure), expected);
        assert_eq!(server.count(), 1, "{status}");
        assert_eq!(book.stands(), json!(["ERROR_RETRY", "drafting", 2, 0]));
    }
}

#[test]
fn a_limit_in_money_without_a_price_is_refused_before_the_first_call() {
    let book = Book::with_chapters(1);
    let server = server_of(&book, |_, _, text| Behaviour::text(text));
    configure(&book, &server, "[budget]\nmax_cost_usd = 5.0");
    let before = book.stands();
    let llm = opened(&book).unwrap();
    let failure = book.run(llm.as_ref(), Goal::Chapters(1)).unwrap_err();
    assert_eq!(code(&failure), "NO_PRICE");
    assert_eq!(failure.explain().kind(), Kind::Input);
    let hint = failure.explain().hint().unwrap();
    assert!(hint.en.contains("[prices.\"mock-1\"]"), "{}", hint.en);
    assert_eq!((server.count(), book.stands()), (0, before));

    // With the price the hint asks for, the book is written.
    let book = Book::with_chapters(1);
    let server = server_of(&book, |_, _, text| Behaviour::text(text));
    configure(
        &book,
        &server,
        "[budget]\nmax_cost_usd = 5.0\n[prices.\"mock-1\"]\ninput = 0.5\noutput = 2.0",
    );
    let llm = opened(&book).unwrap();
    book.write(llm.as_ref(), 1);
}

/// A model of one agent that differs from the others needs its price too.
#[test]
fn every_model_of_a_limited_run_needs_a_price() {
    let book = Book::with_chapters(1);
    let server = server_of(&book, |_, _, text| Behaviour::text(text));
    configure(
        &book,
        &server,
        "judge-secondary = 'dear-1'\n[budget]\nmax_cost_usd = 5.0\n\
         [prices.\"mock-1\"]\ninput = 0.5\noutput = 2.0",
    );
    let llm = opened(&book).unwrap();
    let failure = book.run(llm.as_ref(), Goal::Chapters(1)).unwrap_err();
    assert_eq!(code(&failure), "NO_PRICE");
    assert!(failure.explain().message().en.contains("`dear-1`"));
}

#[test]
fn what_a_server_refuses_is_found_out_once_for_the_project() {
    static REFUSED: AtomicUsize = AtomicUsize::new(0);
    let book = Book::with_chapters(1);
    let server = server_of(&book, |request, _, text| {
        if request.json.get("response_format").is_some() {
            REFUSED.fetch_add(1, Ordering::SeqCst);
            return Behaviour::error(400, "invalid_request_error", "no response_format here");
        }
        Behaviour::text(text)
    });
    configure(&book, &server, "");
    for _ in 0..3 {
        let llm = opened(&book).unwrap();
        book.write(llm.as_ref(), 1);
    }
    // `json_schema`, then `json_object`; after that the schema stands in the prompt.
    assert_eq!(REFUSED.load(Ordering::SeqCst), 2);

    // A note that is damaged is an error with its path, not a model that can do everything.
    let note = fs::read_dir(book.root().join("logs/endpoints"))
        .unwrap()
        .next();
    let note = note.unwrap().unwrap().file_name();
    let path = format!("logs/endpoints/{}", note.to_string_lossy());
    book.put(&path, "{");
    let refused = opened(&book).err();
    let refused = refused.expect("a damaged note");
    assert!(refused.explain().problems()[0].location().contains(&path));
}
