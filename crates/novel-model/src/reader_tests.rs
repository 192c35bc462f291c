use proptest::prelude::*;

use super::*;
use crate::Explain;

fn decoded(bytes: &[u8]) -> Result<String, ReadError> {
    decode(&"brief.md".parse().unwrap(), bytes.to_vec())
}

#[test]
fn plain_text_is_taken_as_it_is() {
    assert_eq!(decoded("夜雨\n初歇\n".as_bytes()).unwrap(), "夜雨\n初歇\n");
    assert_eq!(decoded(b"").unwrap(), "");
}

#[test]
fn byte_order_marks_are_named() {
    for bytes in [&b"\xEF\xBB\xBF{}"[..], b"\xFF\xFE{\0", b"\xFE\xFF\0{"] {
        assert_eq!(decoded(bytes).unwrap_err().code(), "BYTE_ORDER_MARK");
    }
}

#[test]
fn windows_line_ends_are_named_with_their_line() {
    let error = decoded(b"a\nb\r\nc\r\n").unwrap_err();
    assert_eq!(error.code(), "CARRIAGE_RETURN");
    assert!(matches!(error, ReadError::CarriageReturn { line: 2, .. }));
    assert_eq!(decoded(b"a\rb").unwrap_err().code(), "CARRIAGE_RETURN");
}

#[test]
fn gbk_is_named_with_its_place() {
    // `a`, line feed, `第` in GBK.
    let error = decoded(b"a\n\xB5\xDA\n").unwrap_err();
    assert!(matches!(
        error,
        ReadError::NotUtf8 {
            offset: 2,
            line: 2,
            ..
        }
    ));
    assert_eq!(error.kind(), Kind::Input);
    assert_eq!(error.path().as_str(), "brief.md");
    assert!(error.hint().unwrap().zh.contains("GBK"));
}

#[test]
fn text_cut_inside_a_character_is_damaged() {
    let bytes = "夜雨".as_bytes();
    assert!(matches!(
        decoded(&bytes[..bytes.len() - 1]),
        Err(ReadError::NotUtf8 {
            offset: 3,
            line: 1,
            ..
        })
    ));
}

proptest! {
    #[test]
    fn bytes_are_kept_or_refused(bytes in any::<Vec<u8>>()) {
        if let Ok(text) = decoded(&bytes) {
            prop_assert_eq!(text.as_bytes(), bytes);
        }
    }
}
