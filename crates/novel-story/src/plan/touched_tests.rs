use novel_testkit::memory::MemoryBook;

use super::*;

#[test]
fn contracts_that_share_a_term_are_found_and_written_chapters_are_not() {
    let contract = |chapter: u32, what: &str| {
        format!(
            "{{\"chapter\": {chapter}, \"storyline_id\": \"a\", \"objectives\": [{{\"id\": \"O-{chapter}\", \"required\": true, \"description\": \"{what}\"}}]}}"
        )
    };
    let book = MemoryBook::new()
        .with("characters/active/a.json", r#"{"display_name": "甲", "contracts": [{"id": "C-1", "rule": "从不走外白渡桥"}, {"id": "C-2", "rule": "话少"}]}"#)
        .with("volumes/vol-01/chapter-contracts/chapter-001.json", contract(1, "走过外白渡桥"))
        .with("volumes/vol-01/chapter-contracts/chapter-002.json", contract(2, "在外白渡桥等人"))
        .with("volumes/vol-01/chapter-contracts/chapter-003.json", contract(3, "回家"));
    let second = ChapterNo::new(2).unwrap();
    let found = touched(&book, "外白渡桥夜间不许通行", VolumeNo::first(), second).unwrap();
    let ids: Vec<&str> = found.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["C-1", "chapter-002"]);
    assert_eq!(found[0].terms, ["外白渡", "白渡桥"]);
}
