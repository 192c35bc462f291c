use novel_model::Explain;

use super::*;
use crate::config::settings;

const AGENTS: &[&str] = &["chapter-writer"];

const FILE: &str = "\
# Every key may be left out.
title = \"Rain\" # as on the cover
language = \"en\"
# approval = \"ask\"

[chapter]
# min_words = 2500
# max_words = 4000

[style]
# source = \"\"
";

fn set(text: &str, key: &str, value: &str) -> String {
    change_setting(text, key, SettingChange::Set(value), AGENTS)
        .unwrap()
        .text
}

fn unset(text: &str, key: &str) -> String {
    change_setting(text, key, SettingChange::Unset, AGENTS)
        .unwrap()
        .text
}

fn refused(key: &str, value: &str) -> SettingError {
    change_setting(FILE, key, SettingChange::Set(value), AGENTS).unwrap_err()
}

#[test]
fn every_comment_stays_where_it_was() {
    let text = set(FILE, "title", "Snow");
    let text = set(&text, "executor", "llm");
    let text = set(&text, "chapter.min_words", "2000");
    let text = set(&text, "llm.base_url", "http://127.0.0.1:1/v1");
    let text = set(&text, "models.chapter-writer", "a/b:1.5");
    insta::assert_snapshot!(text, @r#"
    # Every key may be left out.
    title = "Snow" # as on the cover
    language = "en"
    executor = "llm"
    # approval = "ask"

    [chapter]
    min_words = 2000
    # min_words = 2500
    # max_words = 4000

    [style]
    # source = ""

    [llm]
    base_url = "http://127.0.0.1:1/v1"

    [models]
    chapter-writer = "a/b:1.5"
    "#);
}

#[test]
fn a_setting_that_is_taken_out_leaves_the_rest_as_it_was() {
    let text = set(FILE, "executor", "llm");
    assert_eq!(unset(&text, "executor"), FILE);
    assert_eq!(unset(FILE, "executor"), FILE);
    let described = "# The title.\ntitle = \"Rain\"\n# The author.\nauthor = \"A\"\n";
    assert_eq!(
        unset(described, "title"),
        "# The title.\n# The author.\nauthor = \"A\"\n"
    );
    let inline = "llm = { api = \"openai\", max_attempts = 3 }\n";
    assert_eq!(
        unset(inline, "llm.max_attempts"),
        "llm = { api = \"openai\"}\n"
    );
    assert_eq!(unset("llm.api = \"openai\"\n", "llm.api"), "");
    assert_eq!(unset("title = \"A\"", "title"), "");
}

#[test]
fn drafting_is_a_word_or_a_table() {
    assert_eq!(set("", "drafting", "scenes"), "drafting = \"scenes\"\n");
    assert_eq!(
        set("", "drafting.mode", "scenes"),
        "drafting = \"scenes\"\n"
    );
    let table = set("drafting = \"scenes\"\n", "drafting.candidates", "3");
    assert_eq!(table, "\n[drafting]\nmode = \"scenes\"\ncandidates = 3\n");
    let table = set(&table, "drafting", "chapter");
    assert!(table.contains("mode = \"chapter\""), "{table}");
    assert!(unset(&table, "drafting").contains("candidates = 3"));
}

#[test]
fn models_have_names_with_dots() {
    let text = set("", "prices.\"gpt-4.1\".input", "2.5");
    let text = set(&text, "prices.\"gpt-4.1\".output", "10");
    assert_eq!(text, "[prices.\"gpt-4.1\"]\ninput = 2.5\noutput = 10.0\n");
    let (config, _) = Config::parse(&text).unwrap();
    assert_eq!(config.prices["gpt-4.1"].output.to_string(), "10");
    let half = change_setting(
        &text,
        "prices.\"gpt-4.1\".input",
        SettingChange::Unset,
        AGENTS,
    );
    assert_eq!(half.unwrap_err().code(), "BAD_SETTING_VALUE");
    let gone = unset(&text, "prices.\"gpt-4.1\"");
    assert!(Config::parse(&gone).unwrap().0.prices.is_empty(), "{gone}");
}

#[test]
fn line_ends_stay() {
    assert_eq!(
        set("title = \"A\"\r\n# end\r\n", "llm.api", "openai"),
        "title = \"A\"\r\n# end\r\n\r\n[llm]\r\napi = \"openai\"\r\n"
    );
}

#[test]
fn unknown_keys_come_with_the_nearest_one() {
    let near = |key: &str| refused(key, "x").hint().unwrap().en;
    assert_eq!(near("llm.base_ulr"), "did you mean `llm.base_url`?");
    assert_eq!(near("base_url"), "did you mean `llm.base_url`?");
    assert_eq!(
        near("models.chapter-wirter"),
        "did you mean `models.chapter-writer`?"
    );
    assert_eq!(near("zzz"), "`novel config` lists them all");
    assert_eq!(near(""), "`novel config` lists them all");
    assert_eq!(near("llm"), "name a setting in it, such as `llm.api`");
    assert_eq!(
        near("prices.m"),
        "name a setting in it, such as `prices.\"MODEL\".input`"
    );
    let unset = change_setting(FILE, "titel", SettingChange::Unset, AGENTS);
    assert_eq!(unset.unwrap_err().code(), "UNKNOWN_SETTING");
}

#[test]
fn wrong_values_come_with_what_is_allowed() {
    let allowed = |key: &str, value: &str| {
        let error = refused(key, value);
        assert_eq!(error.code(), "BAD_SETTING_VALUE");
        error.hint().unwrap().en
    };
    assert_eq!(allowed("executor", "gpt"), "allowed: offline, llm, command");
    assert_eq!(
        allowed("logic_review_min_score", "101"),
        "allowed: a whole number from 0 to 100"
    );
    assert_eq!(
        allowed("chapter.min_words", "-1"),
        "allowed: a whole number, at least 0"
    );
    assert_eq!(
        allowed("refine.max_change", "NaN"),
        "allowed: a number from 0 to 1"
    );
    assert_eq!(allowed("language", "fr"), "allowed: zh-CN, en");
    assert!(allowed("command.program", "claude -p").contains("a list such as"));
    assert!(allowed("llm.base_url", "api.example.com").contains("http://"));
    assert!(allowed("llm.base_url", "https://me:secret@host/v1").contains("http://"));
}

#[test]
fn a_key_typed_in_place_of_its_variable_is_not_repeated() {
    let error = refused("llm.key_env", "sk-live-1234");
    assert!(!format!("{error:?}{}", error.message().en).contains("sk-live"));
}

#[test]
fn every_setting_of_the_configuration_can_be_set() {
    let keys = setting_keys(&[]);
    for setting in settings(&Config::default(), "", &[]) {
        assert!(keys.contains(&setting.key), "{}", setting.key);
    }
}

#[test]
fn every_word_that_is_offered_is_taken() {
    for key in setting_keys(AGENTS) {
        let parts: Vec<String> = key.split('.').map(str::to_owned).collect();
        let values = values_of(&parts, AGENTS).unwrap();
        let examples: Vec<&str> = match values {
            Values::Words(words) => words.to_vec(),
            Values::Text => vec!["some text"],
            Values::Language => vec!["en"],
            Values::Whole(..) | Values::Decimal(..) => vec!["1"],
            Values::Texts => vec!["[\"a\", \"-b\"]"],
            Values::Address => vec!["https://api.example.com/v1"],
            Values::Variable => vec!["SOME_KEY"],
            Values::Webhook => vec!["$SOME_HOOK", "https://hooks.example.com/a/b"],
        };
        for example in examples {
            let (_, warnings) = Config::parse(&set(FILE, &key, example)).unwrap();
            assert_eq!(warnings, Vec::new(), "{key} = {example}");
        }
    }
}
