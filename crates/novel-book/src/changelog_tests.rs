use novel_model::{ChapterNo, Document, Slug, files::StoryState};
use serde_json::{Value, json};

use super::*;

fn chapter(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

fn line() -> Slug {
    "main-arc".parse().unwrap()
}

/// A changelog of three chapters.
fn written(ops: [Vec<Value>; 3]) -> Rebuilt {
    let mut rebuilt = Rebuilt {
        entries: Vec::new(),
        state: Value::Null,
        chapters: Vec::new(),
    };
    for (number, ops) in (1..).zip(&ops) {
        let new = Replacement {
            chapter: chapter(number),
            storyline_id: &line(),
            ops,
        };
        rebuilt = rebuild(&rebuilt.entries, new).unwrap();
    }
    rebuilt
}

fn sample() -> [Vec<Value>; 3] {
    [
        vec![json!({"op": "set", "path": "characters.lin.location", "value": "港口"})],
        vec![
            json!({"op": "add", "path": "characters.lin.items", "value": "铜钥匙"}),
            json!({"op": "foreshadow", "path": "key-origin", "value": "planted"}),
        ],
        vec![
            json!({"op": "remove", "path": "characters.lin.items", "value": "铜钥匙"}),
            json!({"op": "inc", "path": "characters.lin.wounds", "value": 1}),
        ],
    ]
}

#[test]
fn the_first_line_of_a_book_is_its_initial_state() {
    let rebuilt = written(sample());
    assert_eq!(rebuilt.entries.len(), 4);
    assert!(matches!(&rebuilt.entries[0], Entry::Snapshot { reason, .. } if reason == "initial"));
    assert_eq!(replay(&rebuilt.entries).unwrap(), Some(rebuilt.state));
}

#[test]
fn the_same_ops_give_the_same_lines() {
    let before = written(sample());
    for (number, ops) in (1..).zip(sample()) {
        let new = Replacement {
            chapter: chapter(number),
            storyline_id: &line(),
            ops: &ops,
        };
        let after = rebuild(&before.entries, new).unwrap();
        assert_eq!(after.entries, before.entries);
        assert_eq!(after.state, before.state);
    }
}

#[test]
fn later_chapters_follow_from_the_new_ops() {
    let before = written(sample());
    let ops = [json!({"op": "set", "path": "characters.lin.items", "value": "none"})];
    let new = Replacement {
        chapter: chapter(2),
        storyline_id: &line(),
        ops: &ops,
    };
    let after = rebuild(&before.entries, new).unwrap();
    assert_eq!(after.state["characters"]["lin"]["wounds"], 1);
    assert_eq!(after.state["active_foreshadowing"], json!([]));
    // Chapter 3 took an item from a list that is none now.
    let third = after.chapters.last().unwrap();
    assert_eq!(third.chapter, chapter(3));
    assert_eq!(third.refused.len(), 1);
    assert_eq!(replay(&after.entries).unwrap(), Some(after.state));
}

#[test]
fn a_chapter_without_a_line_gets_one_in_its_place() {
    let mut entries = written(sample()).entries;
    entries.remove(2);
    // Without chapter 2 the line of chapter 3 must be brought in order first.
    let ops = &sample()[2];
    let new = Replacement {
        chapter: chapter(3),
        storyline_id: &line(),
        ops,
    };
    let entries = rebuild(&entries, new).unwrap().entries;
    let new = Replacement {
        chapter: chapter(2),
        storyline_id: &line(),
        ops: &sample()[1],
    };
    let rebuilt = rebuild(&entries, new).unwrap();
    assert_eq!(
        rebuilt,
        Rebuilt {
            chapters: rebuilt.chapters.clone(),
            ..written(sample())
        }
    );
}

#[test]
fn a_state_from_outside_stands() {
    let mut entries = written(sample()).entries;
    let mut outside = Document::new(StoryState::initial()).raw().clone();
    stamp(&mut outside, 9, chapter(3));
    entries.push(Entry::Snapshot {
        reason: "outside_edit".to_owned(),
        state_hash: hash(&outside),
        state: outside.clone(),
    });
    let new = Replacement {
        chapter: chapter(1),
        storyline_id: &line(),
        ops: &[],
    };
    let rebuilt = rebuild(&entries, new).unwrap();
    assert_eq!(rebuilt.state, outside);
    assert_eq!(replay(&rebuilt.entries).unwrap(), Some(outside));
}
