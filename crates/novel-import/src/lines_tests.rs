use super::*;

#[test]
fn every_kind_of_line_end_ends_a_line() {
    let texts: Vec<String> = plain("\u{FEFF}一\r\n二\n三\r四\n")
        .into_iter()
        .map(|line| line.text)
        .collect();
    assert_eq!(texts, ["一", "二", "三", "四", ""]);
}

#[test]
fn ornaments_separate_scenes_in_plain_text() {
    let texts: Vec<String> = plain("　　＊　＊　＊\n===\n==\n★★★☆")
        .into_iter()
        .map(|line| line.text)
        .collect();
    assert_eq!(texts, ["* * *", "* * *", "==", "★★★☆"]);
}

#[test]
fn markdown_headings_have_a_level_outside_of_fences() {
    let lines = markdown("# 书\n#不是\n## 第一章 ##\n```\n# 代码\n```\n#######  七\n### ");
    let levels: Vec<Option<u8>> = lines.iter().map(|line| line.level).collect();
    assert_eq!(
        levels,
        [Some(1), None, Some(2), None, None, None, None, None]
    );
    assert_eq!(lines[2].words(), "第一章");
}
