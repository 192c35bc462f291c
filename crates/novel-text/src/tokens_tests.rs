use super::*;

#[test]
fn cjk_counts_one_each_and_other_text_one_per_four_bytes() {
    assert_eq!(estimate_tokens(""), 0);
    assert_eq!(estimate_tokens("夜雨，"), 3);
    assert_eq!(estimate_tokens("rain"), 1);
    assert_eq!(estimate_tokens("rains"), 2);
    assert_eq!(estimate_tokens("夜 rain"), 1 + 2);
    assert_eq!(estimate_tokens("夜雨初歇，灯火未熄。"), 10);
    assert_eq!(estimate_tokens("第3章 rain"), 2 + 2);
}

#[test]
fn the_start_of_a_text_fits_and_ends_with_a_line() {
    let text = "第一行\n第二行\n第三行";
    assert_eq!(start_within_tokens(text, 100), text);
    assert_eq!(start_within_tokens(text, 8), "第一行\n第二行");
    assert_eq!(start_within_tokens(text, 5), "第一行");
    assert_eq!(start_within_tokens("一二三四五", 3), "一二三");
    assert_eq!(start_within_tokens(text, 0), "");
}

#[test]
fn the_start_never_costs_more_than_allowed() {
    let text = "夜里 it rained。\nThe road was dark.\n他走了。";
    for tokens in 0..30 {
        assert!(estimate_tokens(start_within_tokens(text, tokens)) <= tokens);
    }
}

#[test]
fn every_character_costs_what_its_kind_does() {
    for char in '\0'..=char::MAX {
        let text = format!("{char}{char}{char}{char}");
        let expected = if is_wide(char) {
            4
        } else {
            char.len_utf8() as u64
        };
        assert_eq!(estimate_tokens(&text), expected, "U+{:X}", char as u32);
    }
}

#[test]
fn parts_are_the_text_and_end_with_lines_or_sentences() {
    let text = "第一段。\n\n第二段很长。还有一句！\n\n第三段。\n";
    for count in 1..5 {
        let parts = in_parts(text, count);
        assert_eq!(parts.concat(), text);
        for part in &parts[..parts.len() - 1] {
            assert!(part.ends_with(['\n', '。', '！']), "{count}: {part:?}");
        }
    }
    assert_eq!(in_parts(text, 1), [text]);
    // The second sentence of its paragraph does not fit into the first half any more.
    assert_eq!(in_parts(text, 2).len(), 3);
    let line = "one two three. four five six. seven eight nine.";
    assert_eq!(in_parts(line, 3).concat(), line);
    assert_eq!(
        in_parts("没有标点的一行文字", 3).concat(),
        "没有标点的一行文字"
    );
    assert!(in_parts("", 3).is_empty());
}
