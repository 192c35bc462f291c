use proptest::prelude::*;

use super::*;

/// `<e>`, `<s>` for tags, text as it is.
fn shown(line: &str) -> String {
    parse(line)
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Open(Tag::Em) => "<e>",
            Piece::Open(Tag::Strong) => "<s>",
            Piece::Close(Tag::Em) => "</e>",
            Piece::Close(Tag::Strong) => "</s>",
        })
        .collect()
}

#[test]
fn emphasis() {
    for (line, expected) in [
        ("", ""),
        ("plain", "plain"),
        ("*a*", "<e>a</e>"),
        ("**a** b", "<s>a</s> b"),
        ("***a***", "<e><s>a</s></e>"),
        ("**a *b***", "<s>a <e>b</e></s>"),
        ("*a **b***", "<e>a <s>b</s></e>"),
        ("*a **b** c*", "<e>a <s>b</s> c</e>"),
        // Chinese, without spaces around.
        ("**“走吧。”**他说", "<s>“走吧。”</s>他说"),
        (
            "他说**“走吧。”**然后*走了*。",
            "他说<s>“走吧。”</s>然后<e>走了</e>。",
        ),
        ("**他说*走*吧**", "<s>他说<e>走</e>吧</s>"),
        ("他*说**走**吧*了", "他<e>说<s>走</s>吧</e>了"),
        // English.
        ("\"*Now*,\" he said", "\"<e>Now</e>,\" he said"),
        ("*a \"*b*\" c*", "<e>a \"<e>b</e>\" c</e>"),
        // No emphasis.
        ("3 * 4 * 5", "3 * 4 * 5"),
        ("a* b", "a* b"),
        ("*a", "*a"),
        ("**a*", "*<e>a</e>"),
        ("*", "*"),
        ("****", "****"),
        ("* * *", "* * *"),
        ("\\*a*", "*a*"),
        ("\\*a\\*", "*a*"),
        ("*a\\*b*", "<e>a*b</e>"),
        ("C:\\dir _x_ [y](z) `q` <b>", "C:\\dir _x_ [y](z) `q` <b>"),
    ] {
        assert_eq!(shown(line), expected, "{line}");
    }
}

#[test]
fn many_asterisks_are_no_trap() {
    // Quadratic search would need billions of steps here.
    let line = format!("{}{}", "x *a ".repeat(60_000), "甲**乙**".repeat(60_000));
    assert!(parse(&line).len() > 60_000);
}

proptest! {
    #[test]
    fn tags_nest_and_text_is_kept(line in r#"[*\\ a甲“。"]{0,40}"#) {
        let mut open = Vec::new();
        let mut text = String::new();
        let mut paired = 0;
        for piece in parse(&line) {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Open(tag) => open.push(tag),
                Piece::Close(tag) => {
                    prop_assert_eq!(open.pop(), Some(tag));
                    paired += 2 * tag.asterisks();
                }
            }
        }
        prop_assert!(open.is_empty());
        let other = |text: &str| text.replace(['*', '\\'], "");
        prop_assert_eq!(other(&text), other(&line));
        let count = |text: &str, part: &str| text.matches(part).count();
        prop_assert_eq!(count(&text, "*") + paired, count(&line, "*"));
        prop_assert_eq!(count(&text, "\\") + count(&line, "\\*"), count(&line, "\\"));
    }
}
