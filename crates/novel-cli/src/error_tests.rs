use std::error::Error;

use novel_contract::ErrorAnswer;
use novel_model::Lang;

use super::*;

#[test]
fn kinds_have_their_public_numbers() {
    let table = [
        (Kind::Internal, 1),
        (Kind::Input, 2),
        (Kind::Gate, 3),
        (Kind::Locked, 4),
        (Kind::Provider, 5),
        (Kind::Interrupted, 130),
    ];
    for (kind, number) in table {
        assert_eq!(exit_code(kind), ExitCode::from(number), "{kind:?}");
    }
}

#[test]
fn a_caught_panic_is_an_internal_error_without_a_backtrace() {
    for (payload, what) in [
        (
            std::panic::catch_unwind(|| panic!("plain")).unwrap_err(),
            "plain",
        ),
        (
            std::panic::catch_unwind(|| panic!("number {}", 7)).unwrap_err(),
            "number 7",
        ),
    ] {
        let error = CliError::panicked(payload.as_ref());
        let shown = ErrorAnswer::new(&error, Lang::En);
        assert_eq!(shown.code, "INTERNAL");
        assert_eq!(shown.message, format!("a bug in `novel`: {what}"));
        assert!(shown.details.facts.is_empty());
        assert!(shown.details.problems.is_empty());
    }
}

#[test]
fn a_cause_the_message_tells_is_not_told_again() {
    let source = std::io::Error::other("no space");
    let error = CliError::Output { source };
    assert!(error.source().is_some());
    assert!(causes(&error).is_empty());
}
