use std::cell::Cell;

use super::*;
use crate::files::Blacklist;

fn read(text: &str, parsed: &Cell<u32>) -> Result<Document<Blacklist>, crate::BrokenFile> {
    let path = "ai-blacklist.json".parse().expect("a path");
    remembered(text, || {
        parsed.set(parsed.get() + 1);
        Document::checked(&path, text)
    })
}

#[test]
fn the_same_text_is_read_once_and_an_edit_of_one_document_is_not_seen_by_another() {
    let text = r#"{"words": ["the same text is read once"], "whitelist": [], "update_log": []}"#;
    let parsed = Cell::new(0);
    let mut first = read(text, &parsed).expect("a list");
    first.edit(|list| list.words = serde_json::json!([]));
    let second = read(text, &parsed).expect("a list");
    assert_eq!(parsed.get(), 1);
    let words = serde_json::json!(["the same text is read once"]);
    assert_eq!(second.get().words, words);
    assert!(second.to_text().contains("the same text is read once"));
}

#[test]
fn a_damaged_text_is_damaged_every_time() {
    let parsed = Cell::new(0);
    for _ in 0..2 {
        read(r#"{"words": [], "whitelist": 3}"#, &parsed).expect_err("damage");
    }
    assert_eq!(parsed.get(), 2);
}

#[test]
fn the_oldest_documents_go_first() {
    let mut memo = Memo::default();
    let key = |number: u8| (TypeId::of::<u8>(), [number; 32]);
    for number in 0..10 {
        memo.keep(key(number), Arc::new(number), CAPACITY / 4);
        // Again is no second entry.
        memo.keep(key(number), Arc::new(number), CAPACITY / 4);
    }
    let kept: Vec<u8> = (0..10)
        .filter(|number| memo.get(&key(*number)).is_some())
        .collect();
    assert_eq!(kept, [6, 7, 8, 9]);
    assert_eq!((memo.order.len(), memo.bytes), (4, CAPACITY));
    memo.keep(key(99), Arc::new(0_u8), CAPACITY + 1);
    assert_eq!(memo.order.len(), 4);
}
