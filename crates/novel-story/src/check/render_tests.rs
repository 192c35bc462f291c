use super::{MAX_COLUMNS, clip, columns};

fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

#[test]
fn carets_stand_under_wide_characters() {
    let text = "夜里，陈老说：“走。”";
    let start = text.find("陈老").unwrap();
    let (shown, before, carets) = clip(text, start..start + "陈老说".len());
    assert_eq!(shown, text);
    assert_eq!(before, width("夜里，"));
    assert_eq!(before, 6);
    assert_eq!(carets, 6);
}

#[test]
fn long_lines_are_clipped_around_the_focus() {
    let text = format!("{}陈老站起身{}", "雨".repeat(60), "风".repeat(60));
    let start = text.find("陈老").unwrap();
    let (shown, before, carets) = clip(&text, start..start + "陈老站起".len());
    assert!(shown.starts_with('…') && shown.ends_with('…'), "{shown}");
    assert!(width(&shown) <= MAX_COLUMNS + 1);
    let clipped = shown.find("陈老").unwrap();
    assert_eq!(before, width(&shown[..clipped]));
    assert_eq!(carets, 8);
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let (shown, _, _) = clip("a\u{1b}[31mb", 0..1);
    assert!(!shown.contains('\u{1b}'));
}
