//! Budgets, usage, cost.

use novel_app::{executor::AgentAnswer, library::cost, runner::Budget};
use novel_book::run::Goal;
use novel_llm::Usage;
use novel_model::Kind;
use serde_json::{Value, json};

use super::{
    book::{Book, Launch, code},
    script::{Reply, Script, answer},
};

const PRICES: &str = "[models]\ndefault = 'priced'\n[prices.priced]\ninput = 10.0\ncached_input = 1.0\noutput = 20.0";

/// Every call reads 1000 tokens, 400 of them from a cache, writes 100 and took two attempts.
fn counting(book: &Book) -> Script {
    Script::new(book, |call, sound| {
        Some(Reply::Answer(counted(sound, &call.model)))
    })
}

fn counted(text: &str, model: &str) -> AgentAnswer {
    AgentAnswer {
        usage: Usage {
            input: Some(1000),
            output: Some(100),
            cached: Some(400),
            ..Usage::default()
        },
        attempts: 2,
        ..answer(text, model)
    }
}

fn budget(book: &Book, tokens: Option<u64>, dollars: Option<f64>) -> Budget {
    Budget {
        fallbacks: Vec::new(),
        max_tokens: tokens,
        max_cost_usd: dollars,
        ..Budget::of(book.project().config())
    }
}

#[test]
fn usage_cache_cost_and_attempts_are_in_the_log_of_the_chapter() {
    let book = Book::with_chapters(1);
    book.configure(PRICES);
    let report = book.write(&counting(&book), 1);
    let log = book.json("logs/chapter-002-log.json");
    let each = 600.0 * 10e-6 + 400.0 * 1e-6 + 100.0 * 20e-6;
    for stage in log["stages"].as_array().unwrap() {
        assert_eq!(
            json!([
                stage["input_tokens"],
                stage["output_tokens"],
                stage["cached_tokens"],
                stage["attempts"]
            ]),
            json!([1000, 100, 400, 2])
        );
        assert!((stage["cost_usd"].as_f64().unwrap() - each).abs() < 1e-12);
    }
    assert!((log["total_cost_usd"].as_f64().unwrap() - 4.0 * each).abs() < 1e-12);
    assert_eq!(report.spent.input_tokens, 4000);
    assert_eq!(report.spent.cached_tokens, 1600);
    assert!((report.spent.cost_usd.unwrap() - 4.0 * each).abs() < 1e-12);
    let book_cost = cost::cost(&book.project()).unwrap();
    assert_eq!(book_cost.total.input_tokens, Some(4000));
    assert!((book_cost.total.cost_usd.unwrap() - 4.0 * each).abs() < 1e-12);
}

#[test]
fn an_unknown_model_has_no_cost_and_its_tokens_count() {
    let book = Book::with_chapters(1);
    let report = book.write(&counting(&book), 1);
    let log = book.json("logs/chapter-002-log.json");
    assert_eq!(log["stages"][0]["cost_usd"], Value::Null);
    assert_eq!(log["stages"][0]["input_tokens"], 1000);
    assert_eq!(log["total_cost_usd"], Value::Null);
    assert_eq!(report.spent.cost_usd, None);
    assert_eq!(report.spent.output_tokens, 400);
}

#[test]
fn a_rejected_answer_cost_money_and_is_in_the_log() {
    let book = Book::with_chapters(1);
    book.configure(PRICES);
    let script = Script::new(&book, |call, sound| {
        let text = match (call.work.as_str(), call.nth) {
            ("judge", 1) => "不是 JSON",
            _ => sound,
        };
        Some(Reply::Answer(counted(text, &call.model)))
    });
    let report = book.write(&script, 1);
    assert_eq!(report.spent.calls, 5);
    let total = cost::cost(&book.project()).unwrap().total;
    assert_eq!(total.input_tokens, Some(report.spent.input_tokens));
    assert_eq!(total.cost_usd, report.spent.cost_usd);
}

#[test]
fn a_budget_of_tokens_stops_before_the_call() {
    let book = Book::with_chapters(1);
    let script = counting(&book);
    let launch = Launch {
        budget: Some(budget(&book, Some(100), None)),
        ..Launch::default()
    };
    let failure = book
        .launch(&script, Goal::Chapters(1), &launch)
        .unwrap_err();
    assert_eq!(
        (failure.explain().kind(), code(&failure)),
        (Kind::Gate, "OVER_BUDGET")
    );
    assert!(failure.explain().hint().is_some());
    assert!(script.calls().is_empty());
    assert_eq!(book.checkpoint()["orchestrator_state"], "WRITING");
    assert!(book.is_free());
}

#[test]
fn a_budget_of_dollars_stops_before_the_call_that_would_exceed_it() {
    let book = Book::with_chapters(1);
    book.configure(PRICES);
    // The first call costs all that may be spent, the next one would be too much.
    let script = Script::new(&book, |call, sound| {
        let mut answer = counted(sound, &call.model);
        answer.usage = Usage {
            input: Some(100_000),
            output: Some(0),
            ..Usage::default()
        };
        Some(Reply::Answer(answer))
    });
    let launch = Launch {
        budget: Some(budget(&book, None, Some(1.0))),
        ..Launch::default()
    };
    let failure = book
        .launch(&script, Goal::Chapters(1), &launch)
        .unwrap_err();
    assert_eq!(code(&failure), "OVER_BUDGET");
    assert_eq!(script.done(), ["draft 2"]);
    let details = failure.explain().details(novel_model::Lang::En);
    assert_eq!(details["spent"]["cost_usd"], 1.0);
    // A new run has its own budget and does not buy the draft again.
    let script = Script::plain(&book);
    book.write(&script, 1);
    assert_eq!(script.count("draft"), 0);
}

#[test]
fn the_budget_of_the_configuration_is_used() {
    let book = Book::with_chapters(1);
    book.configure("[budget]\nmax_tokens = 100");
    let script = Script::plain(&book);
    let failure = book.run(&script, Goal::Chapters(1)).unwrap_err();
    assert_eq!(code(&failure), "OVER_BUDGET");
    assert!(script.calls().is_empty());
}

#[test]
fn both_judges_must_fit_into_the_budget_together() {
    let book = Book::new();
    let script = counting(&book);
    let interrupted = Script::new(&book, |call, _| {
        (call.work == "judge").then_some(Reply::Dies)
    });
    book.dies(&interrupted, &Launch::default());
    let prompt = {
        let step = "chapter:001:judge".parse().unwrap();
        novel_app::write::instructions::explain(&book.project(), step).unwrap()
    };
    let one = prompt.prompt.tokens() + Budget::of(book.project().config()).max_output_tokens;
    let launch = Launch {
        budget: Some(budget(&book, Some(one + one / 2), None)),
        ..Launch::default()
    };
    let failure = book
        .launch(&script, Goal::Chapters(1), &launch)
        .unwrap_err();
    assert_eq!(code(&failure), "OVER_BUDGET");
    assert!(script.calls().is_empty());
    let launch = Launch {
        budget: Some(budget(&book, Some(2 * one + 1000), None)),
        ..Launch::default()
    };
    book.launch(&script, Goal::Chapters(1), &launch).unwrap();
}

#[test]
fn answers_found_in_the_ledger_cost_nothing_again() {
    let book = Book::with_chapters(1);
    let dying = Script::new(&book, |call, sound| match call.work.as_str() {
        "judge" => Some(Reply::Dies),
        _ => Some(Reply::Answer(counted(sound, &call.model))),
    });
    book.dies(&dying, &Launch::default());
    let report = book.write(&counting(&book), 1);
    assert_eq!((report.spent.calls, report.spent.input_tokens), (1, 1000));
    let total = cost::cost(&book.project()).unwrap().total;
    assert_eq!(total.input_tokens, Some(4000));
}
