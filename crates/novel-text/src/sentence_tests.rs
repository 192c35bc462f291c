use super::*;

#[test]
fn sentences_keep_their_marks_and_quotes() {
    assert_eq!(
        sentences("雨停了。“走吧。”他说！\n\n“去哪？”"),
        ["雨停了。", "“走吧。”", "他说！", "“去哪？”"]
    );
    assert_eq!(
        sentences("It cost 3.5 coins. Mr. Hill paid. \"Why?\" Nobody knew…"),
        [
            "It cost 3.5 coins.",
            "Mr. Hill paid.",
            "\"Why?\"",
            "Nobody knew…"
        ]
    );
    assert_eq!(sentences("…\n。\n***"), [""; 0]);
}

#[test]
fn an_ending_is_whole_paragraphs() {
    let text = "第一段。\n\n第二段。\n\n第三段。\n";
    assert_eq!(ending(text, 100), "第一段。\n\n第二段。\n\n第三段。");
    assert_eq!(ending(text, 11), "第二段。\n\n第三段。");
    assert_eq!(ending(text, 10), "第二段。\n\n第三段。");
    assert_eq!(ending(text, 9), "第三段。");
}

#[test]
fn a_long_last_paragraph_ends_in_whole_sentences() {
    let text = "开头。\n\n他走了很久很久。天黑了。门开着。";
    assert_eq!(ending(text, 10), "天黑了。门开着。");
    assert_eq!(ending(text, 3), "开着。");
    assert_eq!(ending("", 5), "");
    assert_eq!(ending("门", 0), "门");
}
