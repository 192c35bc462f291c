use encoding_rs::GB18030;

use crate::{EncodingName, ImportError, import};

const TEXT: &str =
    "第一章 雨夜\n\n　　雨下了一夜，𠮷野家的灯还亮着。\n\n第二章 清晨\n\n　　天亮了。\n";

fn utf32(text: &str, mark: bool, big: bool) -> Vec<u8> {
    let units = mark.then_some('\u{FEFF}').into_iter().chain(text.chars());
    let bytes = |char: char| {
        if big {
            u32::from(char).to_be_bytes()
        } else {
            u32::from(char).to_le_bytes()
        }
    };
    units.flat_map(bytes).collect()
}

#[test]
fn utf_32_is_recognised_with_and_without_a_mark() {
    let english = "Chapter 1\n\nIt rained all night.\n\nChapter 2\n\nDawn came.\n";
    for text in [TEXT, english, &TEXT.repeat(500)] {
        let wanted = import("a.txt", text.as_bytes(), None).unwrap();
        for (mark, big) in [(true, true), (true, false), (false, true), (false, false)] {
            let found = import("a.txt", &utf32(text, mark, big), None).unwrap();
            assert_eq!(found.chapters, wanted.chapters, "{mark} {big}");
            let name = if big { "UTF-32BE" } else { "UTF-32LE" };
            assert_eq!(found.encoding, name);
        }
    }
}

#[test]
fn a_unit_that_is_no_character_is_named_by_its_place() {
    let sound = utf32(TEXT, true, false);
    let with = |unit: u32| {
        let mut bytes = sound.clone();
        bytes[12..16].copy_from_slice(&unit.to_le_bytes());
        bytes
    };
    let cut = sound[..sound.len() - 2].to_vec();
    for (bytes, at) in [
        (with(0xD800), 12),
        (with(0x11_0000), 12),
        (cut, sound.len() - 4),
    ] {
        match import("a.txt", &bytes, None) {
            Err(ImportError::Undecodable { offset, .. }) => assert_eq!(offset, at),
            other => panic!("{other:?}"),
        }
        let named = EncodingName::parse("utf-32").unwrap();
        let found = import("a.txt", &bytes, Some(named)).unwrap();
        assert_eq!(found.warnings[0].code, "undecodable");
    }
}

#[test]
fn the_order_of_a_named_encoding_is_taken_at_its_word() {
    for (label, big) in [("UTF-32LE", false), ("utf-32be", true)] {
        let named = EncodingName::parse(label).unwrap();
        let found = import("a.txt", &utf32(TEXT, false, big), Some(named)).unwrap();
        assert_eq!(found.chapters.len(), 2);
    }
}

#[test]
fn no_other_encoding_is_taken_for_utf_32() {
    let text = TEXT.repeat(4);
    let units: Vec<u16> = text.encode_utf16().collect();
    let little = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let gbk = GB18030.encode(&text).0.into_owned();
    let all: [(Vec<u8>, &str); 4] = [
        (text.clone().into_bytes(), "UTF-8"),
        (little, "UTF-16LE"),
        (big, "UTF-16BE"),
        (gbk, "gb18030"),
    ];
    for (bytes, name) in all {
        assert_eq!(import("a.txt", &bytes, None).unwrap().encoding, name);
    }
}
