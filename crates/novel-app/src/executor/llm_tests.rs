use std::{fs, path::Path};

use novel_book::config::Config;
use novel_model::{Explain, Kind};

use super::{Llm, endpoint, host, is_this_machine};

fn config(text: &str) -> Config {
    Config::parse(text).unwrap().0
}

fn refusal(text: &str, root: Option<&Path>) -> (Kind, &'static str, String) {
    match Llm::new(config(text), root) {
        Ok(_) => panic!("accepted: {text}"),
        Err(why) => (why.kind(), why.code(), why.message().en),
    }
}

#[test]
fn hosts_of_addresses() {
    for (url, expected, here) in [
        ("http://localhost:8080/v1", "localhost", true),
        ("http://127.0.0.1:1", "127.0.0.1", true),
        ("http://127.9.9.9/v1?x=@evil", "127.9.9.9", true),
        ("http://[::1]:8080/v1", "::1", true),
        ("https://api.openai.com/v1", "api.openai.com", false),
        ("https://localhost@example.com/v1", "example.com", false),
        (
            "https://localhost.example.com",
            "localhost.example.com",
            false,
        ),
    ] {
        assert_eq!((host(url), is_this_machine(url)), (expected, here), "{url}");
    }
}

#[test]
fn a_missing_key_names_its_variable_unless_the_endpoint_is_on_this_machine() {
    let absent = "key_env = 'NOVEL_TEST_KEY_THAT_NOBODY_SETS'";
    let models = "[models]\ndefault = 'm'";
    let (kind, code, message) = refusal(
        &format!("[llm]\n{absent}\nbase_url = 'https://api.example.com/v1'\n{models}"),
        None,
    );
    assert_eq!((kind, code), (Kind::Provider, "NO_KEY"));
    assert!(message.contains("NOVEL_TEST_KEY_THAT_NOBODY_SETS"));
    assert!(message.contains("api.example.com"));
    let local = format!("[llm]\n{absent}\nbase_url = 'http://127.0.0.1:1/v1'\n{models}");
    assert!(Llm::new(config(&local), None).is_ok());
}

#[test]
fn every_agent_needs_a_model() {
    let (kind, code, message) = refusal("[llm]\nbase_url = 'http://localhost:1'", None);
    assert_eq!((kind, code), (Kind::Input, "NO_MODEL"));
    assert!(message.contains("chapter-writer"));
}

#[test]
fn a_key_file_must_lie_outside_the_project() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("book");
    fs::create_dir(&root).unwrap();
    fs::write(root.join("key"), "sk-secret").unwrap();
    fs::write(home.path().join("key"), "sk-secret").unwrap();
    std::os::unix::fs::symlink(root.join("key"), home.path().join("link")).unwrap();
    let with = |file: &Path| {
        format!(
            "[llm]\nkey_file = '{}'\nbase_url = 'http://localhost:1'\n[models]\ndefault = 'm'",
            file.display()
        )
    };
    for inside in [
        root.join("key"),
        home.path().join("link"),
        root.join("../book/key"),
    ] {
        let (kind, code, message) = refusal(&with(&inside), Some(&root));
        assert_eq!((kind, code), (Kind::Input, "KEY_IN_PROJECT"));
        assert!(!message.contains("sk-secret"));
    }
    assert!(Llm::new(config(&with(&home.path().join("key"))), Some(&root)).is_ok());
}

#[test]
fn limits_come_from_the_configuration() {
    let text = "[llm]\napi = 'anthropic'\nbase_url = 'http://localhost:1'\nmax_attempts = 0\nsilent_seconds = 7";
    let endpoint = endpoint(&config(text).llm, None).unwrap();
    assert_eq!(endpoint.wire, novel_llm::Wire::Anthropic);
    assert_eq!(endpoint.retry.max_attempts, 1);
    assert_eq!(endpoint.timeouts.silent.as_secs(), 7);
    assert_eq!(endpoint.timeouts.connect.as_secs(), 15);
}
