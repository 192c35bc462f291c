use super::*;

fn of(words: &[&str]) -> Guess {
    guess(&words.iter().map(OsString::from).collect::<Vec<_>>())
}

#[test]
fn global_options_are_seen_before_and_after_the_command() {
    for words in [
        ["--json", "--lang=en", "commit", "--bogus"],
        ["commit", "--bogus", "--json", "--lang=en"],
    ] {
        let found = of(&words);
        assert!(found.global.json);
        assert_eq!(found.global.lang, Some(Lang::En));
        assert_eq!(found.command, ["commit"]);
    }
}

#[test]
fn a_project_is_found_in_every_spelling() {
    for words in [
        &["-p", "moon"][..],
        &["-pmoon"],
        &["--project-name", "moon"],
        &["--project-name=moon"],
    ] {
        assert_eq!(of(words).global.project_name.as_deref(), Some("moon"));
    }
    assert_eq!(
        of(&["--project", "a b"]).global.project,
        Some(PathBuf::from("a b"))
    );
}

#[test]
fn the_value_of_an_option_is_no_command() {
    assert_eq!(
        of(&["--project", "next", "lock", "status"]).command,
        ["lock", "status"]
    );
}

#[test]
fn nothing_after_two_dashes_is_an_option() {
    assert!(!of(&["lint", "--", "--json"]).global.json);
}
