//! Every English case of somebody dead or away is read rightly.

use novel_story::check::check_range;
use novel_testkit::story::{Case, all_cases};

fn is_found(case: &Case) -> bool {
    let book = case.book();
    let (files, config) = (book.write(), book.config());
    let begin = match case.kind.as_str() {
        "dead" => "DEAD_",
        _ => "ABSENT_",
    };
    check_range(&files, &config, book.numbered())
        .unwrap()
        .flat_map(|(_, findings)| findings.unwrap())
        .any(|finding| finding.code.as_str().starts_with(begin))
}

#[test]
fn who_is_dead_or_away_is_found_where_they_act() {
    let wrong: Vec<String> = all_cases()
        .iter()
        .filter(|case| case.language == "en" && matches!(case.kind.as_str(), "dead" | "absent"))
        .filter(|case| is_found(case) != case.contradicts)
        .map(|case| case.text.clone())
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
