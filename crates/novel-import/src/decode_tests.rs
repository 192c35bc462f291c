use encoding_rs::{BIG5, SHIFT_JIS};

use super::*;

const TEXT: &str = "第一回　宴桃园豪杰三结义\r\n\r\n　　话说天下大势，分久必合，合久必分。周末七国分争，并入于秦。\r\n";

fn read(bytes: &[u8]) -> (String, String) {
    let decoded = decode("a.txt", bytes, None).unwrap();
    (decoded.text, decoded.encoding)
}

fn utf16(text: &str, mark: bool, big: bool) -> Vec<u8> {
    let units = mark
        .then_some(0xFEFF)
        .into_iter()
        .chain(text.encode_utf16());
    units
        .flat_map(|unit| {
            if big {
                unit.to_be_bytes()
            } else {
                unit.to_le_bytes()
            }
        })
        .collect()
}

#[test]
fn the_usual_encodings_of_novels_are_told_apart() {
    let long = TEXT.repeat(20);
    let marked = [b"\xEF\xBB\xBF".as_slice(), long.as_bytes()].concat();
    assert_eq!(read(long.as_bytes()), (long.clone(), "UTF-8".into()));
    assert_eq!(read(&marked), (long.clone(), "UTF-8".into()));
    for text in [TEXT, &long] {
        let bytes = GB18030.encode(text).0;
        assert_eq!(read(&bytes), (text.to_owned(), "gb18030".into()));
    }
    for (mark, big, name) in [
        (true, false, "UTF-16LE"),
        (true, true, "UTF-16BE"),
        (false, false, "UTF-16LE"),
        (false, true, "UTF-16BE"),
    ] {
        let bytes = utf16(&long, mark, big);
        assert_eq!(read(&bytes), (long.clone(), name.into()), "{mark} {big}");
    }
    let english =
        "CHAPTER I.\n\n\u{201C}Call me Ishmael,\u{201D} he said \u{2014} caf\u{e9}.\n".repeat(40);
    let bytes = WINDOWS_1252.encode(&english).0;
    assert_eq!(read(&bytes), (english.clone(), "windows-1252".into()));
    let traditional =
        "第一回　靈根育孕源流出　心性修持大道生\n　　詩曰：混沌未分天地亂，茫茫渺渺無人見。\n"
            .repeat(40);
    let bytes = BIG5.encode(&traditional).0;
    assert_eq!(read(&bytes), (traditional.clone(), "Big5".into()));
    let japanese =
        "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。\n".repeat(40);
    let bytes = SHIFT_JIS.encode(&japanese).0;
    assert_eq!(read(&bytes), (japanese.clone(), "Shift_JIS".into()));
}

#[test]
fn bytes_that_do_not_belong_are_named_by_offset() {
    let long = TEXT.repeat(20);
    for encoding in [UTF_8, GB18030] {
        let mut bytes = encoding.encode(&long).0.into_owned();
        // After a line end, so that no character is cut.
        let at = bytes.iter().rposition(|byte| *byte == b'\n').unwrap();
        let at = bytes[..at].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
        bytes.splice(at..at, [0xFF, 0xFF]);
        let Err(ImportError::Undecodable {
            encoding: name,
            offset,
            line,
            ..
        }) = decode("a.txt", &bytes, None)
        else {
            panic!("{}", encoding.name());
        };
        assert_eq!((name.as_str(), offset), (encoding.name(), at));
        assert_eq!(line, 1 + long[..].lines().count() - 1);
    }
}

#[test]
fn a_named_encoding_is_taken_at_its_word() {
    let mut bytes = TEXT.as_bytes().to_vec();
    bytes.push(0xFF);
    let named = EncodingName::parse("UTF-8").unwrap();
    let decoded = decode("a.txt", &bytes, Some(named)).unwrap();
    assert!(decoded.text.ends_with('\u{FFFD}'));
    assert_eq!(decoded.warning.unwrap().code, "undecodable");
    assert!(EncodingName::parse("klingon").is_err());
}

#[test]
fn what_is_no_text_is_named() {
    for (bytes, what) in [
        (b"\x89PNG\r\n\x1a\n\0\0\0".as_slice(), "a PNG image"),
        (b"\xFF\xD8\xFF\xE0JFIF", "a JPEG image"),
        (b"%PDF-1.7", "a PDF document"),
        (b"\x7FELF\x02\x01", "a program"),
        (b"<!DOCTYPE html><p>x", "a web page"),
        (b"abc\0\0\x01\x02\x03\x04\x05\x06", "binary data"),
    ] {
        match decode("a.txt", bytes, None) {
            Err(ImportError::NotText { what: found, .. }) => assert_eq!(found.en, what),
            other => panic!("{what}: {:?}", other.map(|decoded| decoded.encoding)),
        }
    }
}

#[test]
fn utf_16_without_a_mark_is_recognised_without_any_chinese_and_without_any_line_end() {
    let english = "CHAPTER I. Loomings.\n\nCall me Ishmael.\n".repeat(20);
    let one_line = "话说天下大势，分久必合，合久必分。".repeat(300);
    for text in [english, one_line] {
        for (big, name) in [(false, "UTF-16LE"), (true, "UTF-16BE")] {
            let bytes = utf16(&text, false, big);
            assert_eq!(read(&bytes), (text.clone(), name.into()));
        }
    }
}

#[test]
fn a_lone_surrogate_is_named_by_its_place() {
    let mut bytes = utf16(TEXT, true, false);
    bytes[10..12].copy_from_slice(&0xDC00_u16.to_le_bytes());
    match decode("a.txt", &bytes, None) {
        Err(ImportError::Undecodable { offset, .. }) => assert_eq!(offset, 10),
        other => panic!("{:?}", other.map(|decoded| decoded.text)),
    }
    // As UTF-8 would write it, if it could.
    let bytes = [TEXT.as_bytes(), b"\xED\xB0\x80\n"].concat();
    assert!(matches!(
        decode("a.txt", &bytes.repeat(1), None),
        Err(ImportError::Undecodable { .. })
    ));
}

#[test]
fn two_encodings_in_one_file_are_refused_at_the_seam() {
    let long = TEXT.repeat(20);
    let gbk = GB18030.encode(&long).0;
    for parts in [[long.as_bytes(), &gbk], [&gbk, long.as_bytes()]] {
        let found = decode("a.txt", &parts.concat(), None);
        assert!(
            matches!(found, Err(ImportError::Undecodable { .. })),
            "{:?}",
            found.map(|decoded| decoded.encoding)
        );
    }
}

#[test]
fn names_of_encodings_that_decode_nothing_are_unknown() {
    for label in ["replacement", "iso-2022-kr", "hz-gb-2312"] {
        assert!(EncodingName::parse(label).is_err(), "{label}");
    }
}
