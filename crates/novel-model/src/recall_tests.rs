use std::cell::Cell;

use serde_json::json;

use super::*;
use crate::{BrokenFile, Document, files::Blacklist};

fn read(text: &str) -> Result<Document<Blacklist>, BrokenFile> {
    Document::parse(&"ai-blacklist.json".parse().expect("a path"), text)
}

#[test]
fn the_same_parts_are_worked_out_once_for_each_type() {
    let made = Cell::new(0);
    let count = |parts: &[&str]| {
        recall(parts, || {
            made.set(made.get() + 1);
            parts.concat().len()
        })
    };
    assert_eq!(
        (count(&["recalled ", "once"]), count(&["recalled ", "once"])),
        (13, 13)
    );
    assert_eq!(made.get(), 1);
    // The same text cut elsewhere is another question, and so is another type.
    assert_eq!(count(&["recalled", " once"]), 13);
    assert_eq!(made.get(), 2);
    let other: String = recall(&["recalled ", "once"], || "text".to_owned());
    assert_eq!(other, "text");
}

#[test]
fn an_edit_of_one_document_is_not_seen_by_another() {
    let text = r#"{"words": ["seen by one"], "whitelist": [], "update_log": []}"#;
    let mut first = read(text).expect("a list");
    first.edit(|list| list.words = json!([]));
    let second = read(text).expect("a list");
    assert_eq!(second.get().words, json!(["seen by one"]));
    assert!(second.to_text().contains("seen by one"));
}

#[test]
fn a_failure_is_not_remembered() {
    let tried = Cell::new(0);
    for _ in 0..2 {
        let failed: Result<u64, &str> = try_recall(&["a failure"], || {
            tried.set(tried.get() + 1);
            Err("no")
        });
        assert_eq!(failed, Err("no"));
        read(r#"{"words": [], "whitelist": 3}"#).expect_err("damage");
    }
    assert_eq!(tried.get(), 2);
}

#[test]
fn the_oldest_values_go_first() {
    let mut memory = Memory::default();
    let key = |number: u8| (TypeId::of::<u8>(), [number; 32]);
    for number in 0..10 {
        memory.keep(key(number), Arc::new(number), CAPACITY / 4);
        // Again is no second entry.
        memory.keep(key(number), Arc::new(number), CAPACITY / 4);
    }
    let kept: Vec<u8> = (0..10)
        .filter(|number| memory.get(&key(*number)).is_some())
        .collect();
    assert_eq!(kept, [6, 7, 8, 9]);
    assert_eq!((memory.order.len(), memory.bytes), (4, CAPACITY));
    memory.keep(key(99), Arc::new(0_u8), CAPACITY + 1);
    assert_eq!(memory.order.len(), 4);
}
