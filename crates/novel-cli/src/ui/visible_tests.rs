use super::*;

/// Whether a character must never be printed as it is.
fn is_dangerous(char: char) -> bool {
    char.is_control() && !matches!(char, '\n' | '\t')
        || matches!(
            char,
            '\u{061C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{FEFF}'
        )
        || ('\u{2028}'..='\u{202E}').contains(&char)
        || ('\u{2060}'..='\u{206F}').contains(&char)
        || ('\u{E0000}'..='\u{E007F}').contains(&char)
}

#[test]
fn foreign_text_cannot_steer_the_terminal() {
    assert_eq!(visible("雾\n\tfine"), "雾\n\tfine");
    assert_eq!(visible("a\u{1b}]0;x\u{7}b\r"), "a\\u{1b}]0;x\\u{7}b\\r");
    assert_eq!(visible("\u{9b}31m"), "\\u{9b}31m");
    assert_eq!(
        visible_styled("\u{1b}[2J\u{1b}]8;;x\u{7}"),
        "\\u{1b}[2J\\u{1b}]8;;x\\u{7}"
    );
    assert_eq!(
        visible_styled("\u{1b}[8mhidden\u{1b}[0m"),
        "\\u{1b}[8mhidden\u{1b}[0m"
    );
    assert_eq!(
        visible_styled("\u{1b}[1m\u{1b}[31mred\u{1b}[0m"),
        "\u{1b}[1m\u{1b}[31mred\u{1b}[0m"
    );
}

#[test]
fn no_dangerous_character_passes_anywhere() {
    for code in 0..=0x10_FFFF_u32 {
        let Some(char) = char::from_u32(code).filter(|char| is_dangerous(*char)) else {
            continue;
        };
        for around in ["", "a", "夜", "👩", "\u{1b}[1m", "\u{0915}", "1\u{FE0F}"] {
            let text = format!("{around}{char}{around}");
            for shown in [visible(&text), visible_styled(&text)] {
                let kept = shown.replace("\u{1b}[1m", "");
                assert!(!kept.contains(char), "{char:?} in {around:?}: {shown:?}");
            }
            let json = serde_json::to_string(&text).unwrap();
            let shown = visible_json(&json);
            assert!(!shown.contains(char), "{char:?}: {shown:?}");
            assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
        }
    }
}

#[test]
fn text_that_needs_them_stays_readable() {
    for text in [
        "👩‍👩‍👧‍👦 一家人 🏳️‍🌈 👩🏽‍🚀 ❤️‍🔥 🏃🏽‍♀️ 1️⃣ ☎️ ™️ 〰️",
        "葛\u{E0100}城 \u{20BB7}\u{E0101}",
        "می\u{200C}خواهم क्\u{200D}ष",
        "“夜雨”——他说……\u{3000}café naïve Ελλάδα שלום",
    ] {
        assert_eq!(visible(text), text);
        assert_eq!(visible_json(text), text);
    }
    assert_eq!(visible("co\u{AD}operate"), "cooperate");
    assert_eq!(visible("\u{AD}a"), "\\u{ad}a");
    assert_eq!(
        visible("a\u{200D}b 林\u{200B}枫"),
        "a\\u{200d}b 林\\u{200b}枫"
    );
    assert_eq!(visible("夜\u{202E}章一第"), "夜\\u{202e}章一第");
}
