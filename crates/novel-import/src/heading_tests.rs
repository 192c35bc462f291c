use super::*;

fn read(line: &str) -> Option<(Part, Option<u32>, String)> {
    classify(line).map(|found| (found.part, found.number, found.title))
}

#[test]
fn the_usual_forms_are_headings() {
    use Part::{Chapter, Section, Special, Volume};
    for (line, part, number, title) in [
        ("第十二章", Chapter, Some(12), ""),
        ("　　第十二章 夜雨", Chapter, Some(12), "夜雨"),
        ("第１２章：夜雨", Chapter, Some(12), "夜雨"),
        ("第 12 章 夜雨", Chapter, Some(12), "夜雨"),
        ("第12章夜雨", Chapter, Some(12), "夜雨"),
        ("第十章 你是谁？", Chapter, Some(10), "你是谁？"),
        (
            "第一百二十回 荐杜预老将献新谋　降孙皓三分归一统",
            Chapter,
            Some(120),
            "荐杜预老将献新谋　降孙皓三分归一统",
        ),
        (
            "第一百三回 上方谷司马受困",
            Chapter,
            Some(103),
            "上方谷司马受困",
        ),
        (
            "第一回宴桃园豪杰三结义",
            Chapter,
            Some(1),
            "宴桃园豪杰三结义",
        ),
        ("## 第三章 归来 ##", Chapter, Some(3), "归来"),
        ("【第三章 归来】", Chapter, Some(3), "归来"),
        ("===== 第三章 =====", Chapter, Some(3), ""),
        ("正文 第三章 归来", Chapter, Some(3), "归来"),
        ("第一卷 风起", Volume, Some(1), "风起"),
        ("第二部", Volume, Some(2), ""),
        ("第三节 归来", Section, Some(3), "归来"),
        ("楔子", Special, None, "楔子"),
        ("序章 雨夜", Special, None, "序章 雨夜"),
        ("番外一 故人", Special, None, "番外一 故人"),
        ("番外：故人", Special, None, "番外：故人"),
        ("尾声", Special, None, "尾声"),
        ("Chapter 12", Chapter, Some(12), ""),
        ("CHAPTER XII", Chapter, Some(12), ""),
        ("CHAPTER 1. Loomings.", Chapter, Some(1), "Loomings."),
        (
            "Chapter Twenty-One: The Storm",
            Chapter,
            Some(21),
            "The Storm",
        ),
        ("Chapter 3 The Storm", Chapter, Some(3), "The Storm"),
        ("VOLUME I", Volume, Some(1), ""),
        ("Volume One", Volume, Some(1), ""),
        ("PART II: Home", Volume, Some(2), "Home"),
        ("Prologue", Special, None, "Prologue"),
        ("EPILOGUE", Special, None, "EPILOGUE"),
        ("Epilogue: Home", Special, None, "Epilogue: Home"),
    ] {
        assert_eq!(read(line), Some((part, number, title.to_owned())), "{line}");
    }
}

#[test]
fn a_volume_and_a_chapter_may_share_a_line() {
    let found = classify("第一卷 风起云涌 第一章 夜雨").unwrap();
    assert_eq!((found.part, found.number), (Part::Chapter, Some(1)));
    assert_eq!(found.title, "夜雨");
    assert_eq!(
        found.volume,
        Some(("第一卷 风起云涌".into(), "风起云涌".into()))
    );
}

#[test]
fn running_text_that_mentions_a_chapter_is_no_heading() {
    for line in [
        "第三章里说过，那人早已不在。",
        "第三章，他写道：此事不可再提。",
        "第三章的结尾",
        "第三章 里提到的那个人，后来去了北方，再也没有回来，谁也不知道他去了哪里。",
        "第三章、第四章都写到了他",
        "第一回合他就输了",
        "第一回来这里",
        "第二节课开始了",
        "第三卷轴缓缓展开",
        "第一次见到他",
        "第三者",
        "他翻到第三章 夜雨",
        "尾声渐起，众人散去。",
        "序列号",
        "番外的故事",
        "Chapter 12 of his memoirs was never finished.",
        "Chapter Three is the one I like.",
        "Part of the reason was this.",
        "Part I like best",
        "chapter 3",
        "Chapter 4.5",
        "Introduction to the art of war",
        "Bookish people",
        "",
        "　　",
    ] {
        assert_eq!(read(line), None, "{line}");
    }
}

#[test]
fn a_number_nobody_can_read_still_makes_a_heading() {
    assert_eq!(
        read("第十百章 夜雨"),
        Some((Part::Chapter, None, "夜雨".to_owned()))
    );
}
