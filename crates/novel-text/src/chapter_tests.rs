use proptest::prelude::*;

use super::*;

fn scenes(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn number(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

#[test]
fn chinese_and_english_books_render_as_specified() {
    let two = scenes(&["　　夜色如墨。", "天亮了。"]);
    assert_eq!(
        render_chapter(number(48), "夜探废墟", &two, Lang::Zh),
        "# 第 48 章 夜探废墟\n\n　　夜色如墨。\n\n* * *\n\n天亮了。\n"
    );
    assert_eq!(
        render_chapter(number(48), "Ruins", &scenes(&["Night."]), Lang::En),
        "# Chapter 48: Ruins\n\nNight.\n"
    );
    assert_eq!(
        render_chapter(number(7), "", &[], Lang::En),
        "# Chapter 7\n"
    );
    assert_eq!(
        render_chapter(number(7), " ", &scenes(&["", " \n"]), Lang::Zh),
        "# 第 7 章\n"
    );
}

#[test]
fn separators_of_every_kind_split_scenes() {
    for line in [
        "***",
        "* * *",
        "---",
        "- - - -",
        "___",
        "◇◇◇",
        "※　※　※",
        "  ***  ",
        "*\t*\t*",
    ] {
        assert!(is_scene_separator(line), "{line}");
        let parsed = parse_chapter(&format!("# 第 1 章 甲\n\n一\n{line}\n二\n"));
        assert_eq!(parsed.scenes, ["一", "二"], "{line}");
    }
}

#[test]
fn other_lines_do_not_split_scenes() {
    for line in [
        "",
        "**",
        "- -",
        "**-",
        "*-*",
        "*** x",
        "======",
        "◇",
        "***\n",
        "···",
        "—— —— ——",
    ] {
        assert!(!is_scene_separator(line), "{line}");
    }
}

#[test]
fn text_before_the_heading_opens_the_first_scene() {
    let parsed = parse_chapter("前言\n# 第 1 章 甲\n正文");
    assert_eq!(parsed.number(), Some(1));
    assert_eq!(parsed.title(), "甲");
    assert_eq!(parsed.scenes, ["前言\n\n正文"]);
}

#[test]
fn later_and_lower_headings_are_prose() {
    let parsed = parse_chapter("## 楔子\n# 甲\n# 乙\n文");
    assert_eq!(
        parsed.heading,
        Some(Heading {
            number: None,
            title: "甲".into()
        })
    );
    assert_eq!(parsed.scenes, ["## 楔子\n\n# 乙\n文"]);
}

#[test]
fn blank_ends_are_trimmed_and_indentation_is_kept() {
    let parsed = parse_chapter("# 甲\n \n　\n　　第一段。  \n\n  第二段。 \t\n　\n***\n***\n\n尾 ");
    assert_eq!(parsed.scenes, ["　　第一段。  \n\n  第二段。", "尾"]);
}

#[test]
fn byte_order_mark_and_line_ends_are_normalised() {
    let parsed = parse_chapter("\u{FEFF}# 第 2 章 乙\r\n\r\n一\r\n二\r三");
    assert_eq!(parsed.number(), Some(2));
    assert_eq!(parsed.scenes, ["一\n二\n三"]);
}

#[test]
fn an_empty_text_has_neither_heading_nor_scenes() {
    for text in ["", "\n\n", "***", "\u{FEFF}", " \r\n　"] {
        let parsed = parse_chapter(text);
        assert_eq!(
            parsed,
            ParsedChapter {
                heading: None,
                scenes: vec![]
            },
            "{text:?}"
        );
        assert_eq!((parsed.number(), parsed.title()), (None, ""));
    }
}

#[test]
fn a_very_long_line_is_one_scene() {
    let line = "长".repeat(200_000);
    assert_eq!(parse_chapter(&format!("# 甲\n{line}")).scenes, [line]);
}

fn hostile_line() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "* * *",
        "***",
        "---",
        "___",
        "◇ ◇ ◇",
        "※※※",
        "**",
        "-",
        "# ",
        "#",
        "## ",
        "第 3 章",
        "第四回",
        "Chapter 9",
        ":",
        "：",
        " ",
        "　　",
        "\t",
        "\0",
        "\u{1}",
        "\u{2028}",
        "\u{85}",
        "\u{B}",
        "\u{FEFF}",
        "\u{200B}",
        "\r",
        "夜色如墨。",
        "“走。”",
        "word",
        "1",
        "十二",
        "```",
    ]);
    prop_oneof![
        6 => prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
        1 => "[a墨 ]{300,400}",
    ]
}

fn hostile_text() -> impl Strategy<Value = String> {
    (
        prop::collection::vec(hostile_line(), 0..12),
        prop::sample::select(vec!["\n", "\r\n", "\n\n"]),
    )
        .prop_map(|(lines, newline)| lines.join(newline))
}

fn any_lang() -> impl Strategy<Value = Lang> {
    prop::sample::select(vec![Lang::Zh, Lang::En])
}

fn visible(text: &str) -> String {
    text.chars().filter(|char| !char.is_whitespace()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn reading_what_was_rendered_gives_the_same_chapter(
        chapter in 1u32.., title in hostile_line(), texts in prop::collection::vec(hostile_text(), 0..5), lang in any_lang()
    ) {
        let texts: Vec<String> =
            texts.iter().map(|text| normalize_scene(text)).filter(|text| is_scene_content(text)).collect();
        let title = crate::normalize_title(&title);
        let parsed = parse_chapter(&render_chapter(number(chapter), &title, &texts, lang));
        prop_assert_eq!(parsed, ParsedChapter { heading: Some(Heading { number: Some(chapter), title }), scenes: texts });
    }

    #[test]
    fn whatever_was_read_survives_rendering(text in hostile_text(), chapter in 1u32.., lang in any_lang()) {
        let parsed = parse_chapter(&text);
        for scene in &parsed.scenes {
            prop_assert!(is_scene_content(scene));
            prop_assert_eq!(&normalize_scene(scene), scene);
        }
        let chapter = number(parsed.number().unwrap_or(chapter));
        let rendered = render_chapter(chapter, parsed.title(), &parsed.scenes, lang);
        let again = parse_chapter(&rendered);
        prop_assert_eq!(again.title(), parsed.title());
        prop_assert_eq!(again.number(), Some(chapter.get()));
        prop_assert_eq!(&again.scenes, &parsed.scenes);
        prop_assert_eq!(render_chapter(chapter, again.title(), &again.scenes, lang), rendered);
    }

    #[test]
    fn no_character_of_the_prose_is_lost(text in hostile_text()) {
        let normal = crate::normalize_newlines(&text);
        let mut heading_seen = false;
        let mut prose = String::new();
        for line in normal.split('\n') {
            if !heading_seen && heading::parse(line).is_some() {
                heading_seen = true;
            } else if !is_scene_separator(line) {
                prose.push_str(line);
            }
        }
        prop_assert_eq!(visible(&parse_chapter(&text).scenes.concat()), visible(&prose));
    }

    #[test]
    fn any_scenes_render_to_a_fixed_point(texts in prop::collection::vec(hostile_text(), 0..4), title in hostile_line(), lang in any_lang()) {
        let rendered = render_chapter(number(3), &title, &texts, lang);
        let parsed = parse_chapter(&rendered);
        let again = render_chapter(number(3), parsed.title(), &parsed.scenes, lang);
        let twice = parse_chapter(&again);
        prop_assert_eq!(&twice, &parsed);
        prop_assert_eq!(render_chapter(number(3), twice.title(), &twice.scenes, lang), again);
    }
}
