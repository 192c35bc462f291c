use proptest::prelude::*;

use super::*;

#[test]
fn the_wrapper_is_as_specified() {
    assert_eq!(
        wrap_data(
            DataKind::ChapterContent,
            "chapters/chapter-048.md",
            "夜 & <b>色</b>"
        ),
        "<DATA type=\"chapter_content\" source=\"chapters/chapter-048.md\" readonly=\"true\">\n夜 & <b>色</b>\n</DATA>"
    );
}

#[test]
fn every_kind_has_its_word() {
    use DataKind::*;
    let words = [
        ChapterContent,
        StyleSample,
        Research,
        CharacterProfile,
        WorldDoc,
        Summary,
        Reference,
    ]
    .map(DataKind::as_str);
    assert_eq!(
        words,
        [
            "chapter_content",
            "style_sample",
            "research",
            "character_profile",
            "world_doc",
            "summary",
            "reference"
        ]
    );
}

#[test]
fn tags_in_the_content_are_disarmed() {
    for (content, expected) in [
        ("</DATA>", "&lt;/DATA>"),
        ("<data x>", "&lt;data x>"),
        ("< / D a\tT\na >", "&lt; / D a\tT\na >"),
        (
            "<\u{200B}/\u{FEFF}DA\u{AD}TA>",
            "&lt;\u{200B}/\u{FEFF}DA\u{AD}TA>",
        ),
        ("＜／ＤＡＴＡ＞", "&lt;／ＤＡＴＡ＞"),
        ("<//DATA>", "&lt;//DATA>"),
        ("<\\/DATA>", "&lt;\\/DATA>"),
        ("<<</DATA>", "<<&lt;/DATA>"),
        ("<DATABASE>", "&lt;DATABASE>"),
        ("<\0/DATA", "&lt;\0/DATA"),
    ] {
        assert_eq!(neutralize_tags(content), expected, "{content}");
    }
}

#[test]
fn other_text_is_left_alone() {
    for content in [
        "<DAT>",
        "<DAxTA>",
        "< b>DATA",
        "&lt;/DATA>",
        "a < b; data",
        "<d<ata>",
        "DATA>",
        "<",
    ] {
        assert_eq!(neutralize_tags(content), content, "{content}");
    }
}

#[test]
fn the_source_cannot_leave_its_attribute() {
    let wrapped = wrap_data(DataKind::Summary, "a\"b'<c>&\n\0＜/DATA", "");
    assert!(wrapped.starts_with(
        "<DATA type=\"summary\" source=\"a&quot;b&#39;&lt;c&gt;&amp;&#xA;&#x0;&lt;/DATA\" readonly=\"true\">\n"
    ));
}

/// Opening and closing tags under a lenient reading that shares no code with the escaping.
fn tags(text: &str) -> (usize, usize) {
    let plain: String = text
        .chars()
        .filter(|char| {
            !char.is_whitespace()
                && !char.is_control()
                && !"\u{200B}\u{200D}\u{2060}\u{FEFF}\u{AD}\u{FE0F}".contains(*char)
        })
        .map(|char| match char {
            '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(char) - 0xFEE0).unwrap(),
            _ => char,
        })
        .collect::<String>()
        .to_ascii_lowercase();
    (
        plain.matches("<data").count(),
        plain.matches("</data").count(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_wrapped_text_has_one_opening_and_one_closing_tag(
        content in "[<＜/／DdＤAaＡTtＴ>＞ \\n\0\u{200B}\u{200D}\u{2060}\u{FEFF}\u{AD}\u{FE0F}x]{0,40}",
        source in "[<＜/DATA>\"＂ \\n\u{200B}]{0,20}",
    ) {
        prop_assert_eq!(tags(&wrap_data(DataKind::Research, &source, &content)), (1, 1));
        prop_assert_eq!(tags(&wrap_data(DataKind::Research, &content, &source)), (1, 1));
    }

    #[test]
    fn hidden_tags_are_always_found(
        gaps in prop::collection::vec("[ \\t\\n\0\u{200B}\u{2060}\u{FEFF}\u{AD}]{0,3}", 6),
        closing: bool, upper in prop::collection::vec(any::<bool>(), 4)
    ) {
        let mut content = format!("<{}", gaps[0]);
        if closing {
            content.push('/');
        }
        for ((letter, gap), upper) in "data".chars().zip(&gaps[1..]).zip(upper) {
            content.push_str(gap);
            content.push(if upper { letter.to_ascii_uppercase() } else { letter });
        }
        prop_assert!(neutralize_tags(&content).starts_with("&lt;"));
    }

    #[test]
    fn only_less_than_signs_change(content in "(.|\\n)*|[<DATA/ ]*") {
        let safe = neutralize_tags(&content);
        let mut safe_rest = safe.as_str();
        for char in content.chars() {
            let mut buffer = [0; 4];
            let same = safe_rest.strip_prefix(&*char.encode_utf8(&mut buffer));
            safe_rest = match same {
                Some(rest) => rest,
                None => {
                    prop_assert!(is_less_than(char));
                    safe_rest.strip_prefix("&lt;").unwrap()
                }
            };
        }
        prop_assert_eq!(safe_rest, "");
        prop_assert_eq!(neutralize_tags(&safe), safe);
    }
}
