use novel_export::ExportFormat;

use super::{NAME_LIMIT, default_name};

fn name(title: &str) -> String {
    let name = default_name(Some(title), ExportFormat::Txt);
    name.to_str().unwrap().to_owned()
}

#[test]
fn the_title_becomes_a_name_that_every_file_system_takes() {
    assert_eq!(name("雾港来信"), "雾港来信.txt");
    assert_eq!(name("A/B\\C: \"D\"?"), "A_B_C_ _D__.txt");
    assert_eq!(name("../../etc/passwd"), "_.._etc_passwd.txt");
    assert_eq!(name("-rf ."), "rf.txt");
    assert_eq!(name("a\u{1b}[31m\n"), "a_[31m_.txt");
    assert_eq!(name(" . "), "novel.txt");
    assert_eq!(
        default_name(None, ExportFormat::Epub).to_str(),
        Some("novel.epub")
    );
}

#[test]
fn a_long_title_is_cut_at_a_character() {
    let long = name(&"雾".repeat(500));
    assert_eq!(long, format!("{}.txt", "雾".repeat(NAME_LIMIT / 3)));
}
