//! `novel world add`: new rules, what they touch, and back again.

use novel_testkit::{Plan, TestBook, assert_same_tree};
use serde_json::json;

#[test]
fn a_rule_is_added_with_what_it_touches_and_taken_back() {
    let book = TestBook::planned(Plan::new(3));
    book.edit("volumes/vol-01/chapter-contracts/chapter-002.json", |it| {
        it["objectives"][0]["description"] = json!("林枫在外白渡桥等人");
    });
    let rules = book.json("world/rules.json")["rules"]
        .as_array()
        .unwrap()
        .len();
    let files = |book: &TestBook| {
        let mut tree = book.tree();
        tree.retain(|path, _| !path.starts_with("logs") && !path.starts_with("archive"));
        tree
    };
    let before = files(&book);
    let data = book.ask(&["world", "add", "外白渡桥夜间不许通行"]).data();
    assert_eq!(data["rules"][0]["introduced_chapter"], 1);
    let touched = data["touched"].as_array().unwrap();
    assert!(touched.iter().any(|it| it["chapter"] == 2), "{touched:?}");
    assert!(!touched.iter().any(|it| it["chapter"] == 3), "{touched:?}");
    let now = book.json("world/rules.json");
    assert_eq!(now["rules"].as_array().unwrap().len(), rules + 1);
    assert_eq!(now["rules"][rules]["id"], data["rules"][0]["id"]);
    assert!(book.text("world/changelog.md").contains("外白渡桥"));
    book.ask(&["undo"]).data();
    assert_same_tree(&before, &files(&book), "undone");
}

#[test]
fn a_book_without_a_world_says_what_to_do() {
    let book = TestBook::planned(Plan::new(3));
    book.remove("world/rules.json");
    let error = book.ask(&["world", "add", "新规则"]).fails(2);
    assert!(
        error["hint"].as_str().unwrap().contains("quickstart"),
        "{error}"
    );
}
