use super::without_talk;

const PROSE: &str = "# 第 3 章 夜雨\n\n雨落了一整夜。\n\n“好的，下面是我的条件。”他说。\n";

#[test]
fn talk_before_and_after_is_taken_off() {
    for (before, after) in [
        ("好的，下面是第三章的正文：\n\n", "\n希望你喜欢这一章！"),
        ("好的！\n\n", "\n\n---\n\n（全文约2000字）\n"),
        (
            "当然可以，以下是根据您的要求撰写的章节：\n",
            "\n以上是第三章的内容，如需修改请告诉我。",
        ),
        (
            "Sure! Here is the revised chapter:\n\n",
            "\nI hope you enjoy this chapter!\n",
        ),
        ("", "\n\n注：本章保留了伏笔。\n\n字数：1532 字"),
        ("", "\n\n---\n\n至此，本章内容全部完成，符合要求。"),
    ] {
        let text = format!("{before}{PROSE}{after}");
        let found = without_talk(&text);
        assert_eq!(found.text.trim(), PROSE.trim(), "{text}");
        assert!(!found.taken.is_empty(), "{text}");
    }
}

#[test]
fn talk_without_a_heading_is_taken_off() {
    let found = without_talk("好的，下面是第一章的正文：\n\n雨落了一整夜。\n\n他推开门。\n");
    assert_eq!(found.text, "雨落了一整夜。\n\n他推开门。\n");
    assert_eq!(found.taken, ["好的，下面是第一章的正文："]);
}

#[test]
fn a_summary_after_the_chapter_is_taken_off() {
    let summary = "### 关键事件\n- 收到信\n\n### 故事线标记\n- storyline_id: main-arc\n";
    let text = format!("{PROSE}\n{summary}");
    let found = without_talk(&text);
    assert_eq!(found.text.trim(), PROSE.trim());
    assert_eq!(found.taken, ["### 关键事件"]);
    // Prose that follows is not lost over it, and a summary alone is no chapter.
    for text in [
        format!("{PROSE}\n{summary}\n他走了。\n"),
        summary.to_owned(),
    ] {
        let found = without_talk(&text);
        assert_eq!((found.text, found.taken.len()), (text.as_str(), 0));
    }
}

#[test]
fn prose_stays() {
    for text in [
        PROSE,
        "雨落了一整夜。\n\n希望像灯一样灭了。\n",
        "这是一部小说里才有的场面。\n\n他走了。\n",
        "根据掌柜的要求，林枫把门锁上。\n\n“希望你喜欢这一章！”她合上书，笑了。\n",
        "Here is where it began.\n\nI hope, he thought, that the rain will stop.\n",
        "好人难做。\n\n如果雨停了，他就走。\n",
        "雨落了一整夜。\n\n至此，案子才算完成了一半。\n",
        "序\n\n# 第 1 章 起\n\n他来了。\n",
        "",
    ] {
        let found = without_talk(text);
        assert_eq!((found.text, found.taken.len()), (text, 0), "{text}");
    }
}
