use super::*;

const DOCUMENT: &str = "# 世界\n\n## 地理\n- 青石桥：镇东，守桥人姓许\n- 北渡：三日水路\n\n## 旧事\n- 二十年前灯塔熄灭\n- 那年的雨下了四十天\n";

fn cut(tokens: u64, near: &str, prefer: Prefer) -> Option<String> {
    excerpt(DOCUMENT, tokens, &term_set(near), prefer, Lang::Zh)
}

#[test]
fn the_lines_nearest_to_the_chapter_are_kept_under_their_headings() {
    let text = cut(30, "林枫来到灯塔", Prefer::First).unwrap();
    assert_eq!(text, "# 世界\n## 旧事\n- 二十年前灯塔熄灭\n……（有省略）");
    assert!(estimate_tokens(&text) <= 30);
}

#[test]
fn of_equal_lines_the_first_or_the_last_is_kept() {
    assert!(cut(40, "", Prefer::First).unwrap().contains("青石桥"));
    assert!(cut(40, "", Prefer::Last).unwrap().contains("四十天"));
}

#[test]
fn what_fits_is_left_alone_and_a_single_long_line_is_cut() {
    assert_eq!(cut(1_000, "", Prefer::First), None);
    let long = "雾".repeat(200);
    let text = excerpt(&long, 50, &BTreeSet::new(), Prefer::First, Lang::En).unwrap();
    assert!(text.starts_with("雾雾") && text.ends_with("left out)"));
    assert!(estimate_tokens(&text) <= 50);
}
