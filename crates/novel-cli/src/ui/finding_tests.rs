//! Tests of drawn findings.

use novel_app::care::check::{FindingCode, Spot};
use novel_model::{ChapterNo, Message};
use unicode_width::UnicodeWidthStr;

use super::*;

fn text_side(quotation: &str, focus: &str) -> Side {
    let start = quotation.find(focus).unwrap();
    Side {
        path: "chapters/chapter_025.json".parse().unwrap(),
        spot: Spot::Text {
            scene: 2,
            line: 3,
            start: 23,
            end: 23 + quotation.len(),
        },
        quotation: quotation.to_owned(),
        focus: Some(start..start + focus.len()),
    }
}

fn finding(place: Side) -> Finding {
    Finding {
        code: FindingCode::DeadCharacterActs,
        severity: Severity::High,
        chapter: ChapterNo::new(25).unwrap(),
        place,
        other_side: Side {
            path: "state/changelog.jsonl".parse().unwrap(),
            spot: Spot::Line(13),
            quotation: r#"{"op":"set","path":"characters.chen-lao.status","value":"死亡"}"#
                .to_owned(),
            focus: None,
        },
        message: Message {
            en: "陈老 is dead before this chapter, but acts or speaks in it".to_owned(),
            zh: "陈老在本章之前已经死亡，却在本章中行动或说话".to_owned(),
        },
        related_characters: vec!["陈老".to_owned()],
        fix_instructions: Some("陈老已经死亡：请改由他人完成".to_owned()),
        fingerprint: "023554c5ebcf5caf".to_owned(),
    }
}

fn spoken() -> Finding {
    finding(text_side(
        "门外的雨声忽然小了，陈老缓缓说道：“船在北边。”",
        "陈老缓缓说道",
    ))
}

fn between_files() -> Finding {
    Finding {
        code: FindingCode::PreconditionMismatch,
        severity: Severity::Medium,
        message: Message::same("开章时林枫的 location 不符"),
        fix_instructions: None,
        ..finding(Side {
            path: "volumes/vol-01/chapter-contracts/chapter-017.json"
                .parse()
                .unwrap(),
            spot: Spot::Pointer("/preconditions/character_states/林枫/location".to_owned()),
            quotation: "\"location\": \"雁门关\"".to_owned(),
            focus: None,
        })
    }
}

/// The drawing without colours and without spaces at the ends of lines.
fn plain(finding: &Finding, waived: Option<&str>, lang: Lang) -> String {
    let room = Room {
        width: 80,
        text: None,
    };
    trimmed(&draw(finding, waived, lang, room))
}

/// A drawing without colours and without spaces at the ends of lines.
fn trimmed(drawn: &str) -> String {
    let plain = anstream::adapter::strip_str(drawn).to_string();
    let lines: Vec<&str> = plain.lines().map(str::trim_end).collect();
    lines.join("\n")
}

#[test]
fn a_narrow_terminal_breaks_between_words_and_cuts_around_the_value() {
    let room = Room {
        width: 60,
        text: Some(60),
    };
    let drawn = trimmed(&draw(&spoken(), None, Lang::En, room));
    insta::assert_snapshot!(drawn, @r#"
    high[DEAD_CHARACTER_ACTS]: 陈老 is dead before this chapter,
                               but acts or speaks in it
    --> chapters/chapter_025.json scene 2, line 3
     |
     | 门外的雨声忽然小了，陈老缓缓说道：“船在北边。”
     |                     ^^^^^^^^^^^^
     |
    note: it contradicts this
    --> state/changelog.jsonl:13
     |
     | ...n-lao.status","value":"死亡"}
     |                          ^^^^^^
     = help: 陈老已经死亡：请改由他人完成
     = fingerprint: 023554c5ebcf5caf
    "#);
    assert!(drawn.lines().all(|line| line.width() <= 60), "{drawn}");
}

#[test]
fn a_finding_in_chinese() {
    insta::assert_snapshot!(plain(&spoken(), None, Lang::Zh), @r#"
    严重[DEAD_CHARACTER_ACTS]: 陈老在本章之前已经死亡，却在本章中行动或说话
    --> chapters/chapter_025.json 第 2 场第 3 行
     |
     | 门外的雨声忽然小了，陈老缓缓说道：“船在北边。”
     |                     ^^^^^^^^^^^^
     |
    对照: 与此处矛盾
    --> state/changelog.jsonl:13
     |
     | {"op":"set","path":"characters.chen-lao.status","value":"死亡"}
     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
     = 建议: 陈老已经死亡：请改由他人完成
     = 指纹: 023554c5ebcf5caf
    "#);
}

#[test]
fn a_waived_finding_in_english() {
    insta::assert_snapshot!(plain(&spoken(), Some("a vision"), Lang::En), @r#"
    high[DEAD_CHARACTER_ACTS]: 陈老 is dead before this chapter, but acts or speaks in it
    --> chapters/chapter_025.json scene 2, line 3
     |
     | 门外的雨声忽然小了，陈老缓缓说道：“船在北边。”
     |                     ^^^^^^^^^^^^
     |
    note: it contradicts this
    --> state/changelog.jsonl:13
     |
     | {"op":"set","path":"characters.chen-lao.status","value":"死亡"}
     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
     = help: 陈老已经死亡：请改由他人完成
     = fingerprint: 023554c5ebcf5caf
     = waived: a vision
    "#);
}

#[test]
fn a_finding_between_files() {
    insta::assert_snapshot!(plain(&between_files(), None, Lang::Zh), @r#"
    中等[PRECONDITION_MISMATCH]: 开章时林枫的 location 不符
    --> volumes/vol-01/chapter-contracts/chapter-017.json#/preconditions/character_states/林枫/location
     |
     | "location": "雁门关"
     | ^^^^^^^^^^^^^^^^^^^^
     |
    对照: 与此处矛盾
    --> state/changelog.jsonl:13
     |
     | {"op":"set","path":"characters.chen-lao.status","value":"死亡"}
     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
     = 建议: 更正契约，或在更早的章节安排这一变化。
     = 指纹: 023554c5ebcf5caf
    "#);
}

/// The quoted line and the line of carets under it, without the bar.
fn quoted(finding: &Finding) -> (String, String) {
    let drawn = plain(finding, None, Lang::Zh);
    let mut lines = drawn
        .lines()
        .skip_while(|line| !line.ends_with('|'))
        .skip(1)
        .map(|line| line.strip_prefix(" | ").unwrap().to_owned());
    (lines.next().unwrap(), lines.next().unwrap())
}

#[test]
fn carets_stand_under_wide_characters() {
    let (line, carets) = quoted(&spoken());
    let before = line.split("陈老").next().unwrap();
    assert_eq!(before.width(), 20);
    assert_eq!(carets, format!("{}{}", " ".repeat(20), "^".repeat(12)));
}

#[test]
fn long_lines_are_cut_around_the_focus() {
    let text = format!("{}陈老站起身{}", "雨".repeat(60), "风".repeat(60));
    let (line, carets) = quoted(&finding(text_side(&text, "陈老站起")));
    assert!(line.starts_with("...") && line.ends_with("..."), "{line}");
    assert!(line.width() <= 80, "{line}");
    let before = line.split("陈老").next().unwrap();
    assert_eq!(carets, format!("{}^^^^^^^^", " ".repeat(before.width())));
}

#[test]
fn text_of_the_book_does_not_steer_the_terminal() {
    let mut hostile = finding(text_side("a\u{1b}[31mb\u{9b}2J\nc", "b\u{9b}2J"));
    hostile.message = Message::same("\u{1b}]0;title\u{7}");
    hostile.fix_instructions = Some("\u{1b}c".to_owned());
    hostile.other_side.spot = Spot::Pointer("/\u{1b}[2J".to_owned());
    let room = Room {
        width: 80,
        text: Some(80),
    };
    let drawn = draw(&hostile, Some("\u{1b}[8m"), Lang::En, room);
    let plain = anstream::adapter::strip_str(&drawn).to_string();
    assert!(
        !plain.contains(|c: char| c.is_control() && c != '\n'),
        "{plain:?}"
    );
    let (line, carets) = quoted(&hostile);
    assert_eq!(line, "a\\u{1b}[31mb\\u{9b}2J c");
    assert_eq!(carets.trim_start(), "^".repeat("b\\u{9b}2J".len()));
}
