use proptest::prelude::*;

use super::*;

fn read(line: &str) -> (Option<u32>, String) {
    let heading = parse(line).unwrap_or_else(|| panic!("no heading: {line}"));
    (heading.number, heading.title)
}

#[test]
fn number_prefixes_are_read() {
    for (line, number, title) in [
        ("# 第 48 章 夜探废墟", 48, "夜探废墟"),
        ("# 第48章夜探废墟", 48, "夜探废墟"),
        ("# 第４８章：夜探废墟", 48, "夜探废墟"),
        ("# 第四十八章:夜探废墟", 48, "夜探废墟"),
        ("#\t第 四十八 章  夜探废墟  ", 48, "夜探废墟"),
        ("# 第 48 章", 48, ""),
        ("# 第一百零五回 宋江避暑", 105, "宋江避暑"),
        ("# 第3节：开端", 3, "开端"),
        ("# 第 3 章 ：开端", 3, "：开端"),
        ("# 第 3 章：：开端", 3, "：开端"),
        ("# 第 3 章 第 4 章 梦", 3, "第 4 章 梦"),
        ("# Chapter 48: Night", 48, "Night"),
        ("# CHAPTER 48", 48, ""),
        ("# chapter 48. Night", 48, "Night"),
        ("# Chapter 48 — Night", 48, "Night"),
        ("# Chapter 48 - Night", 48, "Night"),
        ("# Chapter 48 Night", 48, "Night"),
        ("# Chapter 48: : Night", 48, ": Night"),
        ("# Chapter 1: Chapter 2: Both", 1, "Chapter 2: Both"),
    ] {
        assert_eq!(read(line), (Some(number), title.to_owned()), "{line}");
    }
}

#[test]
fn a_title_without_a_number_is_kept_whole() {
    for title in [
        "夜探废墟",
        "",
        "第一回合",
        "第一节课",
        "第章",
        "第 0 章 序",
        "第 99999999999 章",
        "第一百五章 两种读法",
        "Chapter",
        "Chapter IV: Rome",
        "Chapter 48th",
        "Chapter 4.5 Interlude",
        "Chapter 4-5",
        "Chapters 4",
        "：冒号",
        "#",
    ] {
        assert_eq!(
            read(&format!("# {title}")),
            (None, title.to_owned()),
            "{title}"
        );
    }
}

#[test]
fn other_lines_are_no_heading() {
    for line in [
        "",
        "#",
        "#第 1 章",
        "## 第 1 章",
        " # 第 1 章",
        "＃ 第 1 章",
        "\\# 第 1 章",
        "第 1 章",
    ] {
        assert_eq!(parse(line), None, "{line}");
    }
}

fn hostile_title() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "第",
        " ",
        "　",
        "1",
        "４",
        "十",
        "零",
        "章",
        "回",
        "节",
        ":",
        "：",
        ".",
        "-",
        "—",
        "#",
        "# ",
        "Chapter",
        "chapter 2",
        "第 3 章",
        "\n",
        "\r\n",
        "\r",
        "\u{2028}",
        "\u{85}",
        "\0",
        "\u{FEFF}",
        "\u{200B}",
        "\u{301}",
        "夜",
        "x",
        "***",
    ]);
    prop_oneof![
        4 => prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat()),
        1 => "\\PC{0,20}",
        1 => any::<String>(),
    ]
}

proptest! {
    #[test]
    fn every_title_survives(number in 1u32.., title in hostile_title(), lang in prop::sample::select(vec![Lang::Zh, Lang::En])) {
        let number = ChapterNo::new(number).unwrap();
        let line = render(number, &title, lang);
        prop_assert!(!line.contains('\n') && !line.contains('\r'));
        prop_assert_eq!(read(&line), (Some(number.get()), normalize_title(&title)));
    }

    #[test]
    fn a_normal_title_is_left_alone(title in hostile_title()) {
        let normal = normalize_title(&title);
        prop_assert_eq!(normalize_title(&normal), normal);
    }

    #[test]
    fn nothing_panics(text in hostile_title()) {
        let _ = parse(&text);
        let _ = parse(&format!("# {text}"));
    }
}

#[test]
fn a_heading_is_read_in_whatever_form_it_comes() {
    for (line, number, title) in [
        ("# 第 3 章 夜雨", Some(3), "夜雨"),
        ("### 第三章：夜雨", Some(3), "夜雨"),
        ("**第3章 夜雨**", Some(3), "夜雨"),
        ("第三章 夜雨", Some(3), "夜雨"),
        ("# 第 3 章 章名", Some(3), ""),
        ("# 夜雨", None, "夜雨"),
        ("## Chapter 7 - The Tower", Some(7), "The Tower"),
        ("Chapter 7", Some(7), ""),
    ] {
        let found = super::loose_heading(line).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(
            (found.number, found.title.as_str()),
            (number, title),
            "{line}"
        );
    }
    for line in ["雨落了一整夜。", "第三章他没有读完。", "", "#", "“第三章”"]
    {
        assert_eq!(super::loose_heading(line), None, "{line}");
    }
}
