use proptest::prelude::*;

use super::*;
use crate::parse_chapter;

fn without(body: &str) -> (String, Vec<String>) {
    let Unheaded { text, taken } = without_inner_headings(body);
    (text, taken)
}

#[test]
fn headings_between_prose_become_scene_separators() {
    let body = "### 场景\n\n陆砚推开门。\n\n#### 2. 聊天\n“走吧。”\n\n**场景三：后院**\n\n他走了。";
    let (text, taken) = without(body);
    assert_eq!(
        text,
        "陆砚推开门。\n\n* * *\n\n“走吧。”\n\n* * *\n\n他走了。"
    );
    assert_eq!(taken, ["### 场景", "#### 2. 聊天", "**场景三：后院**"]);
    assert_eq!(parse_chapter(&text).scenes.len(), 3);
}

#[test]
fn a_heading_beside_a_separator_adds_none() {
    let (text, _) = without("雨停了。\n\n* * *\n\n## Scene 2\n\n天亮了。\n\n### 尾声\n");
    assert_eq!(text, "雨停了。\n\n* * *\n\n天亮了。\n");
}

#[test]
fn a_fence_goes_and_what_it_holds_stays() {
    let (text, taken) = without("```markdown\n\n陆砚推开门。\n\n他走了。\n```");
    assert_eq!(text.trim(), "陆砚推开门。\n\n他走了。");
    assert_eq!(taken, ["```markdown", "```"]);
}

/// Attack: prose is not lost by being called a heading.
#[test]
fn a_sentence_under_a_mark_keeps_its_words() {
    for (line, kept) in [
        ("## 陆砚推开门，走了进去。", "陆砚推开门，走了进去。"),
        ("# “谁在那里？”", "“谁在那里？”"),
        (
            "#### 他沿着外堤一路走下去走过第三道退潮口又走过第四道退潮口直到看见灯",
            "他沿着外堤一路走下去走过第三道退潮口又走过第四道退潮口直到看见灯",
        ),
        ("**走！**", "**走！**"),
        ("**潮信局**", "**潮信局**"),
        ("####### 七个", "####### 七个"),
    ] {
        assert_eq!(without(line), (kept.to_owned(), Vec::new()), "{line}");
    }
}

proptest! {
    #[test]
    fn a_text_without_marks_stays_as_it_is(body in "[林枫推开门，。“”a-z *\n]{0,80}") {
        prop_assume!(!body.contains("**"));
        prop_assert_eq!(without(&body), (body.clone(), Vec::new()));
    }

    #[test]
    fn every_line_is_kept_or_named(lines in proptest::collection::vec("#{0,3} ?[林枫门雨。]{1,6}", 0..8)) {
        let body = lines.join("\n");
        let (text, taken) = without(&body);
        for line in lines {
            let words = line.trim_start_matches('#').trim();
            prop_assert!(text.contains(words) || taken.iter().any(|taken| taken.contains(words)));
        }
    }
}
