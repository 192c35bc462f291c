use std::ffi::OsString;

use clap::CommandFactory;

use super::*;
use crate::{commands::Cli, unparsed};

fn failure(words: &[&str]) -> Failure {
    let mut arguments = vec![OsString::from("novel")];
    arguments.extend(words.iter().map(OsString::from));
    let error = Cli::command().try_get_matches_from(&arguments).unwrap_err();
    translate(&error, &unparsed::guess(&arguments[1..]).command)
}

/// Code, message and hint in both languages.
fn shown(words: &[&str]) -> String {
    let failure = failure(words);
    let error = failure.explain();
    assert_eq!(error.kind(), Kind::Input);
    let (message, hint) = (error.message(), error.hint().unwrap());
    let code = error.code();
    format!(
        "{code}\n{}\n{}\n{}\n{}",
        message.en, hint.en, message.zh, hint.zh
    )
}

#[test]
fn an_unknown_command_is_answered_with_the_nearest() {
    insta::assert_snapshot!(shown(&["nxt"]), @"
    USAGE
    unknown command `nxt`
    did you mean `next`? see `novel --help`
    未知的命令 `nxt`
    是否想写 `next`？参见 `novel --help`
    ");
}

#[test]
fn an_unknown_argument_is_answered_with_the_nearest() {
    insta::assert_snapshot!(shown(&["doctor", "--fixx"]), @"
    USAGE
    unexpected argument `--fixx`
    did you mean `--fix`? see `novel doctor --help`
    多余或未知的参数 `--fixx`
    是否想写 `--fix`？参见 `novel doctor --help`
    ");
    insta::assert_snapshot!(shown(&["next", "surplus"]), @"
    USAGE
    unexpected argument `surplus`
    see `novel next --help`
    多余或未知的参数 `surplus`
    参见 `novel next --help`
    ");
}

#[test]
fn a_missing_argument_is_named() {
    insta::assert_snapshot!(shown(&["advance"]), @"
    USAGE
    missing: <STEP>
    see `novel advance --help`
    缺少参数：<STEP>
    参见 `novel advance --help`
    ");
    insta::assert_snapshot!(shown(&["commit"]), @"
    USAGE
    missing: <--chapter <N>|--volume <V>>
    see `novel commit --help`
    缺少参数：<--chapter <N>|--volume <V>>
    参见 `novel commit --help`
    ");
    insta::assert_snapshot!(shown(&["lint", "--blacklist"]), @"
    USAGE
    `--blacklist <FILE>` needs a value
    see `novel lint --help`
    `--blacklist <FILE>` 需要一个值
    参见 `novel lint --help`
    ");
}

#[test]
fn arguments_that_exclude_each_other_are_named() {
    insta::assert_snapshot!(shown(&["commit", "--chapter", "1", "--volume", "1"]), @"
    USAGE
    `--chapter <N>` cannot be used together with `--volume <V>`
    see `novel commit --help`
    `--chapter <N>` 不能与 `--volume <V>` 同时使用
    参见 `novel commit --help`
    ");
}

#[test]
fn a_wrong_value_is_answered_with_the_right_ones() {
    insta::assert_snapshot!(shown(&["next", "--lang", "fr"]), @"
    USAGE
    invalid value `fr` for `--lang <LANG>`; choose: zh, en
    see `novel next --help`
    `--lang <LANG>` 不接受 `fr`；可选：zh、en
    参见 `novel next --help`
    ");
    insta::assert_snapshot!(shown(&["submit", "chapter:1:judge", "--judge", "third"]), @"
    USAGE
    invalid value `third` for `--judge <ROLE>`; choose: primary, secondary
    see `novel submit --help`
    `--judge <ROLE>` 不接受 `third`；可选：primary、secondary
    参见 `novel submit --help`
    ");
}

#[test]
fn a_bad_id_explains_itself() {
    insta::assert_snapshot!(shown(&["advance", "chapter:000:draft"]), @"
    BAD_ID
    `000` is not a chapter number in step `chapter:000:draft`
    expected `chapter:048:draft|summarize|refine|judge|commit|review|audit`, `volume:02:plan|commit|review` or `quickstart:world|characters|style|trial|results`; `novel next` prints the current one
    步骤 `chapter:000:draft` 中，`000` 不是有效的章号
    应为 `chapter:048:draft|summarize|refine|judge|commit|review|audit`、`volume:02:plan|commit|review` 或 `quickstart:world|characters|style|trial|results`；`novel next` 会给出当前步骤
    ");
    insta::assert_snapshot!(shown(&["commit", "--chapter", "-1"]), @"
    BAD_ID
    `-1` is not a chapter number
    use a whole number from 1 to 4294967295, such as 48
    `-1` 不是有效的章号
    请使用 1 到 4294967295 的整数，例如 48
    ");
    insta::assert_snapshot!(shown(&["gate", "accept", "0"]), @"
    BAD_ID
    `0` is not a chapter number
    use a whole number from 1 to 4294967295, such as 48
    `0` 不是有效的章号
    请使用 1 到 4294967295 的整数，例如 48
    ");
}

#[test]
fn the_usage_line_is_a_detail() {
    let details = failure(&["commit"]).explain().details(Lang::En);
    assert_eq!(
        details["usage"],
        "novel commit <--chapter <N>|--volume <V>>"
    );
}
