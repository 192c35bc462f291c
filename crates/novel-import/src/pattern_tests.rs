use super::*;

fn find(pattern: &str, line: &str) -> Option<(Option<u32>, String)> {
    pattern.parse::<HeadingPattern>().unwrap().find(line)
}

#[test]
fn a_heading_is_read_as_it_was_described() {
    let some = |number, title: &str| Some((Some(number), title.to_owned()));
    assert_eq!(
        find(
            "ADVENTURE {number}. {title}",
            "ADVENTURE  IV.  THE BOSCOMBE VALLEY MYSTERY"
        ),
        some(4, "THE BOSCOMBE VALLEY MYSTERY")
    );
    assert_eq!(
        find("第{n}节 {title}", "　第十二节　雨夜"),
        some(12, "雨夜")
    );
    assert_eq!(find("~ {n} ~", "~ 7 ~"), some(7, ""));
    assert_eq!(find("{title} ({n})", "The Storm (3)"), some(3, "The Storm"));
    assert_eq!(find("§ {title}", "§ Home"), Some((None, "Home".to_owned())));
    assert_eq!(
        find("ADVENTURE {n}. {title}", "He had an ADVENTURE 4. times"),
        None
    );
    assert_eq!(find("~ {n} ~", "~ seven ~ and more"), None);
    assert_eq!(find("Part {n}", "Part of it"), None);
}

#[test]
fn a_pattern_needs_a_number_or_a_title_once() {
    for bad in [
        "",
        "   ",
        "Chapter",
        "{title}",
        "{n} {n}",
        "{n}{title}{title}",
    ] {
        assert!(bad.parse::<HeadingPattern>().is_err(), "{bad}");
    }
    assert!("{n}".parse::<HeadingPattern>().is_ok());
}
