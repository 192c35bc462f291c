use proptest::prelude::*;

use super::*;
use crate::lines::trimmed;

fn read(name: &str, text: &str) -> Imported {
    import(name, text.as_bytes(), None).unwrap()
}

fn outline(book: &Imported) -> Vec<(Option<usize>, Option<u32>, &str, &str)> {
    book.chapters
        .iter()
        .map(|chapter| {
            (
                chapter.volume,
                chapter.number,
                chapter.title.as_str(),
                chapter.text.as_str(),
            )
        })
        .collect()
}

#[test]
fn volumes_chapters_and_the_parts_around_them_are_split() {
    let book = read(
        "山海.txt",
        "《山海》\r\n作者：林深\r\n\r\n一部关于山与海的书。\r\n\r\n楔子\r\n很久以前。\r\n\r\n第一卷 山\r\n第一章 上山\r\n　　他上山了。\r\n第二章 下山\r\n　　他下山了。\r\n\r\n第二卷 海\r\n卷首语。\r\n第一章 出海\r\n他出海了。\r\n尾声\r\n完。\r\n",
    );
    assert_eq!(book.title.as_deref(), Some("山海"));
    assert_eq!(book.author.as_deref(), Some("林深"));
    assert_eq!(book.front, "一部关于山与海的书。");
    assert_eq!(book.encoding, "UTF-8");
    assert_eq!(
        outline(&book),
        [
            (None, None, "楔子", "很久以前。"),
            (Some(0), Some(1), "上山", "　　他上山了。"),
            (Some(0), Some(2), "下山", "　　他下山了。"),
            (Some(1), Some(1), "出海", "卷首语。\n\n他出海了。"),
            (Some(1), None, "尾声", "完。"),
        ]
    );
    let volumes: Vec<&str> = book
        .volumes
        .iter()
        .map(|volume| volume.title.as_str())
        .collect();
    assert_eq!(volumes, ["山", "海"]);
    assert!(
        oddities(&book)
            .iter()
            .all(|(_, odd)| odd.is_empty() || *odd == [Odd::VeryShort])
    );
}

#[test]
fn a_table_of_contents_is_no_chapter() {
    let chapters =
        "第一章 上山\n\n他上山了。\n\n第二章 下山\n\n他下山了。\n\n第三章 出海\n\n他出海了。\n";
    for contents in [
        "目录\n第一章 上山\n第二章 下山\n第三章 出海\n\n",
        "目 录\n\n第一章 上山……1\n第二章 下山……12\n第三章 出海……20\n\n",
        "第一章\n第二章\n第三章\n\n",
        "目录\n第一章 上山\n第二章 下山\n第三章 出海\n\n献给母亲。\n\n",
    ] {
        let book = read("a.txt", &format!("{contents}{chapters}"));
        let titles: Vec<&str> = book
            .chapters
            .iter()
            .map(|chapter| chapter.title.as_str())
            .collect();
        assert_eq!(titles, ["上山", "下山", "出海"], "{contents}");
        assert_eq!(book.chapters[0].text, "他上山了。");
    }
}

#[test]
fn repeated_headings_do_not_part_a_chapter() {
    let book = read(
        "a.txt",
        "第一章 上山\n第一章 上山\n一。\n第一章 上山\n二。\n第二章 下山\n他说过：第一章 上山的人。\n三。\n第三章\n第三章里说过，山很高。\n",
    );
    assert_eq!(
        outline(&book),
        [
            (None, Some(1), "上山", "一。\n二。"),
            (None, Some(2), "下山", "他说过：第一章 上山的人。\n三。"),
            (None, Some(3), "", "第三章里说过，山很高。"),
        ]
    );
}

#[test]
fn volumes_without_chapters_are_chapters() {
    let book = read("a.txt", "Part One\n\nHe went.\n\nPart Two\n\nHe came.\n");
    assert_eq!(
        outline(&book),
        [
            (None, Some(1), "", "He went."),
            (None, Some(2), "", "He came.")
        ]
    );
}

#[test]
fn volume_and_chapter_on_one_line_open_both() {
    let book = read(
        "a.txt",
        "第一卷 山 第一章 上\n一。\n第一卷 山 第二章 下\n二。\n第二卷 海 第一章 出\n三。\n",
    );
    assert_eq!(book.volumes.len(), 2);
    assert_eq!(
        outline(&book),
        [
            (Some(0), Some(1), "上", "一。"),
            (Some(0), Some(2), "下", "二。"),
            (Some(1), Some(1), "出", "三。"),
        ]
    );
}

#[test]
fn markdown_levels_decide() {
    let book = read(
        "a.md",
        "# 山海\n\n作者：林深\n\n## 第一卷 山\n\n### 第 1 章 上\n\n一。\n\n#### 小节\n\n二。\n\n### 间奏\n\n三。\n\n## 第二卷 海\n\n### 第 2 章 出\n\n四。\n",
    );
    assert_eq!(book.title.as_deref(), Some("山海"));
    assert_eq!(book.author.as_deref(), Some("林深"));
    assert_eq!(
        outline(&book),
        [
            (Some(0), Some(1), "上", "一。\n\n#### 小节\n\n二。"),
            (Some(0), None, "间奏", "三。"),
            (Some(1), Some(2), "出", "四。"),
        ]
    );
    let book = read(
        "a.md",
        "# Sea\n\n## Home\n\nHe went.\n\n## Away\n\nHe came.\n",
    );
    assert_eq!(book.title.as_deref(), Some("Sea"));
    assert_eq!(
        outline(&book),
        [
            (None, None, "Home", "He went."),
            (None, None, "Away", "He came.")
        ]
    );
    let book = read("a.md", "第一章 上\n\n一。\n\n第二章 下\n\n二。\n");
    assert_eq!(book.chapters.len(), 2);
}

#[test]
fn a_text_without_headings_is_one_chapter_if_it_is_prose() {
    let prose = "他走了很远的路，终于到了山脚下的小镇。\n".repeat(30);
    let book = read("a.txt", &prose);
    assert_eq!(book.chapters.len(), 1);
    assert_eq!(book.warnings[0].code, "no_headings");
    assert_eq!(book.chapters[0].text, prose.trim_end());
    for list in ["牛奶\n鸡蛋\n面包 两个\n", "1. milk\n2. eggs\n", "hello"] {
        let error = import("a.txt", list.as_bytes(), None).unwrap_err();
        assert!(matches!(error, ImportError::NotANovel { .. }), "{list}");
    }
    let table = "苹果,十二,红色\n".repeat(400);
    assert!(import("a.txt", table.as_bytes(), None).is_err());
    for empty in ["", " \n\r\n\t"] {
        let error = import("a.txt", empty.as_bytes(), None).unwrap_err();
        assert!(matches!(error, ImportError::Empty { .. }));
    }
}

#[test]
fn a_long_text_before_the_first_heading_is_a_chapter() {
    let front = "他走了很远的路，终于到了山脚下的小镇。\n".repeat(80);
    let book = read("a.txt", &format!("{front}第一章 上\n一。\n"));
    assert_eq!(book.chapters.len(), 2);
    assert_eq!(book.chapters[0].text, front.trim_end());
    assert_eq!(book.warnings[0].code, "front_matter");
}

#[test]
fn odd_chapters_are_pointed_out() {
    let long = "长。".repeat(400);
    let text = format!(
        "第一章 甲\n{long}\n第二章 乙\n第四章 丁\n{long}\n第四章 戊\n{long}\n第五章 己\n短。\n第十百章 庚\n{long}\n第六章 辛\n{}",
        long.repeat(10)
    );
    let odd: Vec<Vec<Odd>> = oddities(&read("a.txt", &text))
        .into_iter()
        .map(|(_, odd)| odd)
        .collect();
    assert_eq!(
        odd,
        [
            vec![],
            vec![Odd::Empty],
            vec![Odd::Gap { expected: 3 }],
            vec![Odd::Duplicate],
            vec![Odd::VeryShort],
            vec![Odd::Unreadable],
            vec![Odd::VeryLong],
        ]
    );
}

#[test]
fn several_files_are_one_book() {
    let prose = "他走了很远的路，终于到了山脚下的小镇。\n".repeat(30);
    let files = [
        ("01 上山.txt".to_owned(), prose.clone().into_bytes()),
        ("b/02 下山.txt".to_owned(), prose.into_bytes()),
        ("c.txt".to_owned(), "第三章 出海\n完。\n".into()),
    ];
    let book = import_all(&files, &Reading::default()).unwrap();
    let titles: Vec<&str> = book
        .chapters
        .iter()
        .map(|chapter| chapter.title.as_str())
        .collect();
    assert_eq!(titles, ["01 上山", "02 下山", "出海"]);
}

#[test]
fn two_thousand_chapters_and_one_huge_one_are_no_trouble() {
    let mut text = String::new();
    for number in 1..=2000 {
        text.push_str(&format!("第{number}章 名{number}\n文{number}。\n"));
    }
    let book = read("a.txt", &text);
    assert_eq!(book.chapters.len(), 2000);
    assert_eq!(book.chapters[1999].text, "文2000。");
    let huge = format!("第一章 甲\n{}", "长。\n".repeat(500_000));
    assert_eq!(read("a.txt", &huge).chapters.len(), 1);
}

fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (1_u32..30, prop::sample::select(vec!["", " 夜雨", "：归来", "夜雨"]))
            .prop_map(|(number, title)| format!("第{number}章{title}")),
        1 => (1_u32..5).prop_map(|number| format!("第{number}卷 风起")),
        1 => prop::sample::select(vec![
            "目录", "楔子", "尾声", "Chapter 7", "PART II", "***", "　　", "", "＊＊＊", "作者：林深", "《山海》",
            "第三章里说过。", "第一卷 山 第二章 水", "# 第三章 甲", "## 乙", "```",
        ]).prop_map(str::to_owned),
        4 => (0_u32..1000).prop_map(|number| format!("　　文字{number}，一句话。")),
        1 => any::<String>().prop_map(|text| text.replace(['\n', '\r'], " ")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Every line is in one place, in order; what is missing is a heading or the title below it, or says
    /// title or author.
    #[test]
    fn no_line_is_lost_and_none_comes_twice(
        lines in prop::collection::vec(any_line(), 0..40),
        name in prop::sample::select(vec!["a.txt", "a.md"]),
        end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        let source = lines.join(end);
        let Ok(book) = import(name, source.as_bytes(), Some(EncodingName::parse("utf-8").unwrap())) else {
            return Ok(());
        };
        let seen = |text: &str| -> Vec<String> {
            text.split('\n')
                .map(|line| trimmed(line).to_owned())
                .filter(|line| !line.is_empty() && !["* * *", "＊＊＊"].contains(&line.as_str()))
                .collect()
        };
        let mut there = seen(&book.front);
        for chapter in &book.chapters {
            there.extend(seen(&chapter.text));
        }
        let mut there = there.into_iter().peekable();
        let ornaments = ["＊＊＊", "* * *"];
        for line in source.split(end) {
            let line = trimmed(line.trim_start_matches('\u{FEFF}'));
            if line.is_empty() || ornaments.contains(&line) {
                continue;
            }
            if there.peek().map(String::as_str) == Some(line) {
                there.next();
                continue;
            }
            let marked = name == "a.md" && line.starts_with('#');
            let titles = book.chapters.iter().map(|chapter| chapter.title.as_str());
            let mut titles = titles.chain(book.volumes.iter().map(|volume| volume.title.as_str()));
            let titled = titles.any(|title| !title.is_empty() && line.contains(title));
            let metadata = book.metadata.iter().any(|known| trimmed(known) == line);
            prop_assert!(
                marked || metadata || titled || heading::classify(line).is_some() || heading::is_contents(line),
                "lost: {:?} of {:?}", line, source
            );
        }
        prop_assert_eq!(there.next(), None);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400), name in "a\\.(txt|md|epub)") {
        let _ = import(&name, &bytes, None);
        let zip = [b"PK\x03\x04".as_slice(), &bytes].concat();
        let _ = import(&name, &zip, None);
    }
}
