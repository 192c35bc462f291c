//! Every crash point of `rollback`, `undo` and `scene merge`, with every kind of loss.
//!
//! The operation is stopped before, in the middle of and after each of its file operations; then the
//! process is gone, or the power. The next writer must find the book byte for byte as before or as
//! after.

use novel_testkit::{
    TestBook,
    crash::{Act, Files, files},
    simfs::Entry,
};

use crate::offline_author::project;
use novel_app::{history, write::scene};
use novel_model::ChapterNo;

#[test]
fn every_crash_point_of_a_merge_of_scenes_leaves_before_or_after() {
    let book = TestBook::demo(1);
    book.ask(&["scene", "plan", "2"]).data();
    book.ask(&["scene", "generate", "2"]).data();
    let start = files(book.tree());
    let merged = Act {
        name: "scene merge 2",
        run: &|fs, pid| {
            let chapter = ChapterNo::new(2).unwrap();
            scene::merge(&project(fs, pid)?, chapter)
                .map(drop)
                .map_err(novel_model::Failure::from)
        },
        of_interest: Files::clone,
    }
    .enumerate(&start);
    let draft = "staging/chapters/chapter-002.md";
    assert!(!start.contains_key(draft) && merged.contains_key(draft));
    let undone = Act {
        name: "undo of the merge",
        run: &|fs, pid| {
            history::undo(&project(fs, pid)?, None)
                .map(drop)
                .map_err(novel_model::Failure::from)
        },
        of_interest: Files::clone,
    }
    .enumerate(&merged);
    assert!(!undone.contains_key(draft));
}

#[test]
fn every_crash_point_of_rollback_and_undo_leaves_before_or_after() {
    let book = TestBook::demo(2);
    book.begin(3);
    let start = files(book.tree());
    let rolled_back = Act {
        name: "rollback 1",
        run: &|fs, pid| {
            history::rollback(&project(fs, pid)?, 1)
                .map(drop)
                .map_err(novel_model::Failure::from)
        },
        of_interest: Files::clone,
    }
    .enumerate(&start);
    let taken_back = Act {
        name: "undo",
        run: &|fs, pid| {
            history::undo(&project(fs, pid)?, None)
                .map(drop)
                .map_err(novel_model::Failure::from)
        },
        of_interest: Files::clone,
    }
    .enumerate(&rolled_back);
    let content = |files: &Files| {
        let mut files = files.clone();
        files.retain(|path, entry| {
            let grows = path.starts_with("archive/") || path.starts_with("logs/operations");
            *entry != Entry::Dir && !grows
        });
        files
    };
    assert!(
        content(&taken_back) == content(&start),
        "undo restores what was there"
    );
}
