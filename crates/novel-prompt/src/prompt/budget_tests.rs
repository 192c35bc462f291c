use novel_model::Lang;
use novel_text::{DataKind, wrap_data};
use serde_json::Value;

use super::*;
use crate::prompt::state::Mentions;

fn item(field: &str, content: &str) -> Item {
    let wrapped = wrap_data(DataKind::Reference, "x", content);
    Item::read(field, &Value::from(wrapped)).unwrap()
}

fn scene() -> Scene {
    Scene {
        chapter: 12,
        lang: Lang::Zh,
        mentions: Mentions::new("林枫".to_owned(), String::new()),
        has_function: false,
        top_words: Vec::new(),
    }
}

fn kept(budget: u64, items: &[Item]) -> Vec<(String, u64)> {
    let scene = scene();
    let spent = spend(items, budget, &scene).unwrap();
    let items = spent.into_iter().filter_map(|spent| spent.item);
    items
        .map(|item| (item.field.clone(), item.cost(&scene)))
        .collect()
}

fn items() -> Vec<Item> {
    let long = "一行二十个字左右的文字，讲的是一件小事。\n".repeat(40);
    vec![
        item("research", &long),
        item("storyline_memory", &long),
        item("hints", &long),
        item("chapter_contract", "{\"a\": 1}"),
    ]
}

#[test]
fn the_least_important_is_cut_first_whatever_its_place() {
    let all: u64 = kept(u64::MAX, &items()).iter().map(|(_, cost)| cost).sum();
    let names = |budget| {
        let kept = kept(budget, &items());
        kept.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(
        names(all),
        ["research", "storyline_memory", "hints", "chapter_contract"]
    );
    // Smallest forms first, then fuller ones for what matters most.
    let tight = kept(900, &items());
    let cost = |name: &str| {
        tight
            .iter()
            .find(|(field, _)| field == name)
            .map(|(_, cost)| *cost)
    };
    assert_eq!(cost("research"), None);
    assert!(cost("storyline_memory") > Some(450), "{tight:?}");
    assert!(cost("hints") < Some(300), "{tight:?}");
    assert_eq!(names(0), ["storyline_memory", "chapter_contract"]);
}

#[test]
fn a_larger_budget_never_sends_less() {
    let mut before = 0;
    for budget in (0..4_000).step_by(37) {
        let now: u64 = kept(budget, &items()).iter().map(|(_, cost)| cost).sum();
        assert!(now >= before, "{budget}: {before} -> {now}");
        before = now;
    }
}

#[test]
fn what_is_left_out_says_why() {
    let spent = spend(&items(), 900, &scene()).unwrap();
    let research = &spent[0];
    assert!(research.item.is_none());
    let how = research.how.as_ref().unwrap();
    assert!(
        how.en.contains("budget of 900") && how.zh.contains("优先级"),
        "{how:?}"
    );
}
