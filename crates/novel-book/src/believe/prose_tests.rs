use novel_model::{ChapterNo, Lang, layout, message};

use super::{Person, Source, Standards, headings_of, problems, sketched};

const PROSE: &str = "雨落了一整夜。林枫推开书店的门，柜台上压着一封没有邮戳的信。\n\n“谁送来的？”他问。\n\n伙计摇头，说门口只有一把旧伞，还滴着水。林枫把信纸凑到灯下，纸上只有一行字。";
const GUIDE: &str = "# 润色指南\n\n润色改的是说法，不是事情。改动越少越好：累计改动不超过原文的百分之十五，能改一个词就不改一句，能改一句就不改一段，没有毛病的段落逐字照抄。\n\n## 不许动\n\n情节、事件顺序、因果。";

fn held() -> Standards {
    Standards {
        sources: vec![Source {
            name: message!(en: "the style guide", zh: "润色指南"),
            text: GUIDE.to_owned(),
        }],
        distant: vec![Source {
            name: message!(en: "chapter 1", zh: "第 1 章"),
            text: "陈老坐在灯下，手边放着半枚玉佩。屋里静了很久，雨打在瓦上，一声接着一声。他终于开口，说那封信三十年前就该到了，只是送信的人死在了半路上，谁也不知道他葬在哪里。".to_owned(),
        }],
        headings: headings_of(GUIDE),
        people: Person::new("lin-feng", "林枫").into_iter().collect(),
    }
}

fn codes(prose: &str, lang: Lang) -> Vec<&'static str> {
    let path = layout::staged_chapter("1".parse().unwrap());
    let found = problems(&path, prose, lang, &held());
    found.iter().map(|problem| problem.code).collect()
}

#[test]
fn prose_is_a_chapter() {
    assert_eq!(codes(PROSE, Lang::Zh), Vec::<&str>::new());
    let english = "The rain had not stopped. He opened the door of the shop, and a letter lay on the counter. Nobody had seen who brought it, and the clerk only shook his head.";
    assert_eq!(codes(english, Lang::En), Vec::<&str>::new());
}

#[test]
fn what_is_no_chapter_is_named() {
    let distant = held().distant[0].text.clone();
    for (prose, code) in [
        (GUIDE.to_owned(), "echo"),
        (format!("{PROSE}\n\n{}", &GUIDE[GUIDE.find("润色改").unwrap()..]), "echo"),
        (format!("{PROSE}\n\n{distant}"), "echo"),
        (format!("{PROSE}\n\n{PROSE}"), "said_twice"),
        (format!("{PROSE}\n\n按 storyline_id 继续。"), "field_name"),
        (format!("{PROSE}\n\n## 不许动\n\n他走了。"), "guide_heading"),
        (format!("{PROSE}\n\nLin Feng 走了。"), "foreign_name"),
        (format!("{PROSE}\n\nLinfeng走了。"), "foreign_name"),
        (format!("{PROSE}\n\nFeng Lin 走了。"), "foreign_name"),
        (
            "The rain had not stopped. He opened the door of the shop, and a letter lay on the counter. Nobody had seen who brought it.".to_owned(),
            "wrong_language",
        ),
        ("- 林枫来了\n- 信到了\n- 他走了\n- 雨停了".to_owned(), "not_prose"),
        ("{\"summary\": \"雨落了一整夜\"}".to_owned(), "not_prose"),
    ] {
        let found = codes(&prose, Lang::Zh);
        assert!(found.contains(&code), "{code}: {found:?}\n{prose}");
    }
    assert!(codes(PROSE, Lang::En).contains(&"wrong_language"));
}

#[test]
fn a_word_of_another_language_is_no_name() {
    assert_eq!(
        codes(
            &format!("{PROSE}\n\n他戴着一枚 Rolex，feng 水不好。"),
            Lang::Zh
        ),
        Vec::<&str>::new()
    );
}

/// A small model drafted fifteen sections of forty words, each under a heading: time and place, goals, result.
#[test]
fn a_text_of_many_headings_and_few_words_is_a_sketch() {
    let path = layout::staged_chapter(ChapterNo::new(2).unwrap());
    let prose = "陆砚推开门，看见桌上的信。".repeat(50);
    let code = |headings| sketched(&path, &prose, headings).map(|problem| problem.code);
    assert_eq!(code(3), None);
    assert_eq!(code(5), None, "a hundred words and more under each");
    assert_eq!(code(15), Some("not_prose"));
    assert_eq!(sketched(&path, "陆砚走了。", 3), None);
}
