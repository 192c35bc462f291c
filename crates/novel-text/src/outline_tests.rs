use proptest::prelude::*;

use super::*;

const OUTLINE: &str = "\
## 第一卷
### 第 1 章: 起
- **Storyline**: main-arc
- **POV**: 林枫
- **Location**：旧城
* **Conflict**: 追与逃
- **Arc**:
- **StateChanges**:
  - 林枫 受伤
  - 旧城 封锁

正文说明。
### 第 12 章
- **Storyline:** jinghai-plan
### 备注
不属于任何一章
### Chapter 13: The end
- **POV**: Lin
";

#[test]
fn blocks_run_from_heading_to_next_heading() {
    let outline = parse_outline(OUTLINE);
    let shape: Vec<_> = outline
        .blocks
        .iter()
        .map(|block| (block.number, block.title.as_str(), block.line))
        .collect();
    assert_eq!(shape, [(1, "起", 2), (12, "", 13), (13, "The end", 17)]);
    assert_eq!(outline.bounds(), Some((1, 13)));
    assert_eq!(
        outline.blocks[1].text,
        "### 第 12 章\n- **Storyline:** jinghai-plan\n"
    );
    assert!(outline.blocks[0].text.starts_with("### 第 1 章: 起\n"));
    assert!(outline.blocks[0].text.ends_with("正文说明。\n"));
}

#[test]
fn chapter_1_is_not_chapter_12() {
    let outline = parse_outline("### 第 12 章\n- **POV**: 乙\n");
    assert_eq!(outline.block(1), None);
    assert_eq!(
        outline.block(12).and_then(|block| block.field("POV")),
        Some("乙")
    );
}

#[test]
fn fields_are_read_and_missing_ones_named() {
    let outline = parse_outline(OUTLINE);
    let block = outline.block(1).unwrap();
    assert_eq!(block.field("Storyline"), Some("main-arc"));
    assert_eq!(block.field("Location"), Some("旧城"));
    assert_eq!(block.field("Conflict"), Some("追与逃"));
    assert_eq!(block.field("Arc"), None);
    assert_eq!(
        block.field("StateChanges"),
        Some("- 林枫 受伤\n  - 旧城 封锁")
    );
    assert_eq!(block.field("storyline"), None);
    assert_eq!(
        block.missing_keys(),
        ["Arc", "Foreshadowing", "TransitionHint"]
    );
    assert_eq!(block.fields[1].line, 4);
    assert_eq!(
        outline.block(12).unwrap().field("Storyline"),
        Some("jinghai-plan")
    );
}

#[test]
fn accepted_heading_forms() {
    for (line, number, title) in [
        ("### 第 7 章", 7, ""),
        ("### 第7章", 7, ""),
        ("### 第 7 章:名", 7, "名"),
        ("### 第 7 章： 名 ", 7, "名"),
        ("### 第 7 章 名", 7, "名"),
        ("### 第 7 章 : 名", 7, "名"),
        ("### 第 007 章   ", 7, ""),
        ("###  第 7 章\r", 7, ""),
        ("### Chapter 7", 7, ""),
        ("### Chapter 7: Name", 7, "Name"),
        ("### Chapter 7 Name", 7, "Name"),
        ("### 第 4294967295 章", u32::MAX, ""),
    ] {
        let outline = parse_outline(line);
        let block = outline
            .blocks
            .first()
            .unwrap_or_else(|| panic!("no block: {line}"));
        assert_eq!(
            (block.number, block.title.as_str()),
            (number, title),
            "{line}"
        );
    }
}

#[test]
fn hostile_headings_open_no_block_but_end_one() {
    for line in [
        "### 第 0 章",
        "### 第 99999999999 章",
        "### 第 4294967296 章",
        "### 第 -1 章",
        "### 第 章",
        "### 第 1.5 章",
        "### 第 2 章名",
        "### Chapter",
        "### Chapter 2nd",
        "### Chapter2",
        "### ",
        "### 第 十 章",
        "### 说第 2 章",
    ] {
        let outline = parse_outline(&format!("### 第 1 章\n甲\n{line}\n乙\n"));
        assert_eq!(outline.blocks.len(), 1, "{line}");
        assert_eq!(outline.blocks[0].text, "### 第 1 章\n甲\n", "{line}");
    }
}

#[test]
fn other_lines_neither_open_nor_end_a_block() {
    for line in [
        "###第 2 章",
        "#### 第 2 章",
        "## 第 2 章",
        " ### 第 2 章",
        "###\t第 2 章",
        "###",
    ] {
        let outline = parse_outline(&format!("### 第 1 章\n{line}\n乙\n"));
        assert_eq!(outline.blocks.len(), 1, "{line}");
        assert!(outline.blocks[0].text.ends_with("乙\n"), "{line}");
    }
}

#[test]
fn fenced_lines_are_neither_headings_nor_fields() {
    for (open, close) in [
        ("```", "```"),
        ("~~~md", "~~~~"),
        ("  ````", "````"),
        ("```text", "   ```  "),
    ] {
        let text =
            format!("### 第 1 章\n{open}\n### 第 12 章\n- **POV**: 假\n{close}\n- **POV**: 真\n");
        let outline = parse_outline(&text);
        assert_eq!(outline.blocks.len(), 1, "{open}");
        assert_eq!(outline.blocks[0].field("POV"), Some("真"), "{open}");
        assert_eq!(outline.blocks[0].text, text, "{open}");
    }
}

#[test]
fn a_fence_that_is_never_closed_hides_nothing() {
    for open in ["```", "````\n```", "~~~\n```x", "```a`b\n```c"] {
        let outline = parse_outline(&format!("### 第 1 章\n{open}\n### 第 2 章\n"));
        assert_eq!(outline.bounds(), Some((1, 2)), "{open}");
    }
}

#[test]
fn duplicates_are_listed_with_their_lines() {
    let outline = parse_outline("### 第 2 章\n### 第 1 章\n### 第 2 章\n### Chapter 2\n");
    assert_eq!(outline.duplicates(), [(2, vec![1, 3, 4])]);
    assert_eq!(outline.block(2).unwrap().line, 1);
}

#[test]
fn an_empty_outline_has_no_bounds() {
    assert_eq!(parse_outline("").bounds(), None);
    assert_eq!(parse_outline("# 卷\n正文").blocks, []);
}

#[test]
fn crlf_and_byte_order_mark_are_normalised() {
    let outline = parse_outline("\u{FEFF}### 第 1 章: 起\r\n- **POV**: 林枫\r\n");
    assert_eq!(outline.blocks[0].field("POV"), Some("林枫"));
    assert_eq!(outline.blocks[0].text, "### 第 1 章: 起\n- **POV**: 林枫\n");
}

#[test]
fn many_open_fences_are_read_in_linear_time() {
    let text = "```x\n~~~~y\n".repeat(100_000);
    assert_eq!(
        parse_outline(&format!("{text}### 第 3 章\n")).bounds(),
        Some((3, 3))
    );
}

proptest! {
    #[test]
    fn blocks_are_parts_of_the_file(lines in prop::collection::vec(prop_oneof![
        prop::sample::select(vec![
            "### 第 1 章", "### 第 12 章：名", "### Chapter 3", "### x", "```", "~~~", "````x",
            "- **POV**: 甲", "- **Arc**:", "  - 子", "", "正文", "####", "### 第 0 章", "\u{2028}", "\0",
        ]).prop_map(str::to_owned),
        "\\PC{0,12}",
        "(### |- \\*\\*)?[第章 0-9:：*`~A-Z]{0,12}",
    ], 0..20)) {
        let text = lines.join("\n");
        let outline = parse_outline(&text);
        let mut last = 0;
        for block in &outline.blocks {
            prop_assert!(block.number > 0);
            prop_assert!(block.line > last);
            last = block.line;
            let start: String = lines[block.line - 1..].join("\n");
            prop_assert!(start.starts_with(&block.text));
            for field in &block.fields {
                prop_assert!(lines[field.line - 1].contains(&field.key));
                prop_assert!(block.text.contains(&field.value));
            }
        }
    }
}

proptest! {
    #[test]
    fn bounds_and_a_single_block_are_those_of_the_whole(lines in prop::collection::vec(
        prop::sample::select(vec![
            "### 第 1 章: 起", "### 第 2 章", "### Chapter 3: x", "### 备注", "```", "~~~~", "- **POV**: 林",
            "- **Arc**:", "  - a", "text", "",
        ]), 0..24,
    )) {
        let text = lines.join("\n");
        let whole = parse_outline(&text);
        prop_assert_eq!(outline_bounds(&text), whole.bounds());
        for chapter in 1..=4 {
            prop_assert_eq!(outline_block(&text, chapter), whole.block(chapter).cloned());
        }
    }
}
