use novel_model::Explain;

use super::*;

fn file(content: &[u8]) -> (tempfile::TempDir, Source) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answer.md");
    std::fs::write(&path, content).unwrap();
    let source = Source::of(&path);
    (dir, source)
}

#[test]
fn a_byte_order_mark_is_no_text() {
    let (_dir, source) = file("\u{feff}雾".as_bytes());
    assert_eq!(source.text().unwrap(), "雾");
    assert_eq!(source.bytes().unwrap().len(), 6);
}

#[test]
fn other_encodings_are_named_with_their_line() {
    let (_dir, source) = file(b"one\ntwo\n\xce\xed\n");
    let error = source.text().unwrap_err();
    assert!(
        matches!(error, InputError::NotUtf8 { line: 3, .. }),
        "{error:?}"
    );
}

#[test]
fn missing_files_directories_and_giants_are_told_apart() {
    let (dir, source) = file(&vec![b'x'; LIMIT as usize + 1]);
    assert_eq!(source.bytes().unwrap_err().code(), "FILE_TOO_LARGE");
    let directory = Source::of(dir.path());
    assert_eq!(directory.bytes().unwrap_err().code(), "NOT_A_FILE");
    let missing = Source::of(&dir.path().join("nothing"));
    assert_eq!(missing.bytes().unwrap_err().code(), "FILE_NOT_FOUND");
}

#[test]
fn exactly_the_limit_is_read() {
    let (_dir, source) = file(&vec![b'x'; LIMIT as usize]);
    assert_eq!(source.bytes().unwrap().len() as u64, LIMIT);
}
