use std::path::{Component, Path};

use proptest::prelude::*;

use super::*;

#[test]
fn a_path_can_not_leave_the_project() {
    for bad in [
        "",
        "/",
        "/etc/passwd",
        "..",
        "../x",
        "a/../b",
        "a/..",
        ".",
        "./a",
        "a/./b",
        "a//b",
        "a/",
        "a\\b",
        "..\\x",
        "C:\\x",
        "a\0b",
        "a\nb",
        "a\u{7f}",
    ] {
        assert!(bad.parse::<RelPath>().is_err(), "{bad:?}");
        assert!(
            serde_json::from_value::<RelPath>(bad.into()).is_err(),
            "{bad:?}"
        );
    }
    for good in [
        "a",
        "a/b.json",
        ".checkpoint.json",
        "...",
        "a/..b",
        "章节/第一章.md",
    ] {
        assert_eq!(good.parse::<RelPath>().unwrap().as_str(), good);
    }
}

#[test]
fn joining_adds_exactly_one_segment() {
    let base: RelPath = "a/b".parse().unwrap();
    assert_eq!(base.join("c.md").unwrap().as_str(), "a/b/c.md");
    for bad in ["", ".", "..", "c/d", "/c", "c\\d"] {
        assert!(base.join(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn parents_names_and_prefixes() {
    let path: RelPath = "a/bc/d".parse().unwrap();
    assert_eq!(path.file_name(), "d");
    assert_eq!(path.parent().unwrap().as_str(), "a/bc");
    assert_eq!("a".parse::<RelPath>().unwrap().parent(), None);
    let under = |directory: &str| path.is_under(&directory.parse().unwrap());
    assert!(under("a") && under("a/bc") && under("a/bc/d"));
    assert!(!under("a/b") && !under("bc") && !under("a/bc/d/e"));
}

proptest! {
    #[test]
    fn an_accepted_path_has_plain_segments_only(text in "[./\\\\a-b~\u{4e00}\n]{0,12}") {
        if let Ok(path) = text.parse::<RelPath>() {
            let parts: Vec<Component<'_>> = Path::new(path.as_str()).components().collect();
            prop_assert!(!parts.is_empty());
            prop_assert!(parts.iter().all(|part| matches!(part, Component::Normal(_))));
            prop_assert_eq!(parts.len(), path.as_str().split('/').count());
        }
    }
}
