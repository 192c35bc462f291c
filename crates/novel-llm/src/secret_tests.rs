use novel_model::Explain;

use super::*;

#[test]
fn a_key_prints_as_stars() {
    let key = Secret::new(" sk-abcdefghijklmnop\n").unwrap();
    assert_eq!(key.expose(), "sk-abcdefghijklmnop");
    assert_eq!(
        format!("{key} {key:?} {:?}", Some(&key)),
        "*** *** Some(***)"
    );
}

#[test]
fn a_missing_variable_is_named_in_both_languages() {
    let error = Secret::from_env("NOVEL_TEST_NO_SUCH_KEY").unwrap_err();
    assert_eq!(error.code(), "KEY_MISSING");
    assert_eq!(error.kind(), Kind::Provider);
    let (message, hint) = (error.message(), error.hint().unwrap());
    for text in [message.en, message.zh, hint.en, hint.zh] {
        assert!(text.contains("NOVEL_TEST_NO_SUCH_KEY"), "{text}");
    }
}

#[test]
fn a_key_file_is_trimmed_and_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("key");
    std::fs::write(&path, "sk-from-file-0123456789\r\n").unwrap();
    let key = Secret::from_file(&path).unwrap();
    assert_eq!(key.expose(), "sk-from-file-0123456789");
    assert_eq!(key.origin(), path.display().to_string());

    std::fs::write(&path, "\n").unwrap();
    assert_eq!(Secret::from_file(&path).unwrap_err().code(), "KEY_UNUSABLE");
    let missing = directory.path().join("none");
    let error = Secret::from_file(&missing).unwrap_err();
    assert_eq!(error.code(), "KEY_FILE_UNREADABLE");
}

#[test]
fn a_key_that_can_not_stand_in_a_header_is_refused_without_showing_it() {
    for bad in ["sk-abc\ndef-long-enough", "密钥密钥密钥", "sk abc"] {
        let error = Secret::new(bad).unwrap_err();
        assert_eq!(error.code(), "KEY_UNUSABLE");
        assert!(!format!("{error:?} {error} {}", error.message()).contains(bad));
    }
}

#[test]
fn a_short_key_is_hidden_in_errors_but_does_not_change_answers() {
    let key = Secret::new("dummy").unwrap();
    assert_eq!(key.redact_message("bad key dummy"), "bad key ***");
    assert_eq!(
        key.redactor().redact("a crash test dummy"),
        "a crash test dummy"
    );
    let key = Secret::new("sk-0123456789abcdef").unwrap();
    assert_eq!(key.redactor().redact("x sk-0123456789abcdef y"), "x *** y");
}
