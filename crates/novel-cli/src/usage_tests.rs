use std::ffi::OsString;

use clap::CommandFactory;

use super::*;
use crate::{args::Cli, raw};

fn failure(words: &[&str]) -> Failure {
    let mut arguments = vec![OsString::from("novel")];
    arguments.extend(words.iter().map(OsString::from));
    let error = Cli::command().try_get_matches_from(&arguments).unwrap_err();
    translate(&error, &raw::guess(&arguments[1..]).command)
}

/// Code, message and hint in both languages.
fn shown(words: &[&str]) -> String {
    let failure = failure(words);
    let error = failure.explain();
    assert_eq!(error.kind(), Kind::Input);
    let (message, hint) = (error.message(), error.hint().unwrap());
    let code = error.code();
    format!("{code}\n{}\n{}\n{}\n{}", message.en, hint.en, message.zh, hint.zh)
}

#[test]
fn an_unknown_command_is_answered_with_the_nearest() {
    insta::assert_snapshot!(shown(&["nxt"]), @"");
}

#[test]
fn an_unknown_argument_is_answered_with_the_nearest() {
    insta::assert_snapshot!(shown(&["doctor", "--fixx"]), @"");
    insta::assert_snapshot!(shown(&["next", "surplus"]), @"");
}

#[test]
fn a_missing_argument_is_named() {
    insta::assert_snapshot!(shown(&["advance"]), @"");
    insta::assert_snapshot!(shown(&["commit"]), @"");
    insta::assert_snapshot!(shown(&["lint", "--blacklist"]), @"");
}

#[test]
fn arguments_that_exclude_each_other_are_named() {
    insta::assert_snapshot!(shown(&["commit", "--chapter", "1", "--volume", "1"]), @"");
}

#[test]
fn a_wrong_value_is_answered_with_the_right_ones() {
    insta::assert_snapshot!(shown(&["next", "--lang", "fr"]), @"");
    insta::assert_snapshot!(shown(&["submit", "chapter:1:judge", "--judge", "third"]), @"");
}

#[test]
fn a_bad_id_explains_itself() {
    insta::assert_snapshot!(shown(&["advance", "chapter:000:draft"]), @"");
    insta::assert_snapshot!(shown(&["commit", "--chapter", "-1"]), @"");
    insta::assert_snapshot!(shown(&["gate", "accept", "0"]), @"");
}

#[test]
fn the_usage_line_is_a_detail() {
    let details = failure(&["commit"]).explain().details(Lang::En);
    assert_eq!(details["usage"], "novel commit <--chapter <N>|--volume <V>>");
}
