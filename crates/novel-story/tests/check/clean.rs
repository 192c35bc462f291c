//! Clean books are not accused, and the check is the same however it is asked for.

use std::{collections::BTreeMap, sync::Mutex};

use novel_model::{BookReader, Explain, Kind, ReadError, RelPath, layout};
use novel_story::check::{check_range, state_around};
use novel_testkit::memory::MemoryBook;

use super::book::{CHAPTERS, Check, all, chinese, no, one, volume};

#[test]
fn a_clean_book_of_forty_chapters_has_no_finding() {
    assert_eq!(chinese().findings(), []);
}

#[test]
fn chapter_by_chapter_is_the_same_as_the_range() {
    let mut book = chinese();
    book.chapter(9).scenes[0] += "\n\n苏晚的名字写在第一行。";
    book.chapter(20).scenes[0] += "\n\n陈老站起身来，推开了窗。";
    book.chapter(33)
        .ops
        .push(serde_json::json!({"op": "foreshadow", "path": "old_debt", "value": "planted"}));
    let (files, config) = (book.write(), book.config());
    let range = all(&files, &config);
    assert_eq!(range.len(), 3, "{range:#?}");
    let single: Vec<_> = (1..=CHAPTERS)
        .flat_map(|chapter| one(&files, &config, no(chapter)))
        .collect();
    assert_eq!(range, single);
    assert_eq!(range, all(&files, &config));
}

#[test]
fn a_clean_chapter_is_clean_at_its_commit() {
    let book = chinese();
    for chapter in 1..=CHAPTERS {
        assert_eq!(book.at_commit(no(chapter)), [], "chapter {chapter}");
    }
}

#[test]
fn a_clean_chapter_is_checked_without_a_replay() {
    let book = chinese();
    for chapter in [21, 38, 40] {
        let (mut files, _) = book.write_to(chapter);
        let path = layout::state_changelog();
        let log = String::from_utf8(files.files()[&path].clone()).unwrap();
        let torn = log.replace("\"base_state_version\":5,", "\"base_state_version\":99,");
        assert_ne!(torn, log);
        files.write(path, torn);
        let (config, chapter) = (book.config(), no(chapter));
        assert_eq!(one(&files, &config, chapter), []);
        let mut replay = check_range(&files, &config, [(chapter, volume(chapter))]).unwrap();
        assert!(replay.next().unwrap().1.is_err(), "a replay fails");
    }
}

#[test]
fn the_state_around_a_chapter_is_the_same_with_and_without_a_replay() {
    let book = chinese();
    let whole = book.write();
    for number in 1..=CHAPTERS {
        let (files, before) = book.write_to(number);
        let newest = state_around(&files, no(number)).unwrap().unwrap();
        assert_eq!(newest.before, before, "chapter {number}");
        let replayed = state_around(&whole, no(number)).unwrap();
        assert_eq!(replayed, Some(newest), "chapter {number}");
        // A state nobody recorded is not taken for the one the chapter left.
        let mut edited = files.clone();
        let path = layout::state();
        let text = String::from_utf8(files.files()[&path].clone()).unwrap();
        edited.write(
            path,
            text.replace("\"state_version\"", "\"edited\": 1, \"state_version\""),
        );
        let around = state_around(&edited, no(number)).unwrap().unwrap();
        assert_eq!(around.before, before, "chapter {number}");
    }
    assert_eq!(state_around(&whole, no(CHAPTERS + 1)).unwrap(), None);
}

#[test]
fn the_rendering_is_never_read() {
    let book = chinese();
    let mut files = book.write();
    files.write(
        layout::chapter_markdown(no(20)),
        "# 第 20 章 夜雨\n\n陈老站起身来，推开了窗。\n",
    );
    assert_eq!(all(&files, &book.config()), []);
}

#[test]
fn a_book_with_nothing_but_a_chapter_is_checked() {
    let book = chinese();
    let full = book.write();
    let mut files = MemoryBook::new();
    let path = layout::chapter_json(no(5));
    files.write(path.clone(), full.files()[&path].clone());
    assert_eq!(one(&files, &book.config(), no(5)), []);
}

/// Counts what is read.
struct Counting<'a> {
    book: &'a MemoryBook,
    reads: Mutex<BTreeMap<RelPath, usize>>,
}

impl BookReader for Counting<'_> {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        *self.reads.lock().unwrap().entry(path.clone()).or_default() += 1;
        self.book.read(path)
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        self.book.list(directory)
    }
}

#[test]
fn a_check_reads_what_it_needs_once() {
    let book = chinese();
    let (files, config) = (book.write(), book.config());
    let counting = Counting {
        book: &files,
        reads: Mutex::default(),
    };
    assert_eq!(all(&counting, &config), []);
    let reads = std::mem::take(&mut *counting.reads.lock().unwrap());
    assert_eq!(reads[&layout::state_changelog()], 1);
    assert!(reads.values().all(|count| *count <= 3), "{reads:#?}");

    let counting = Counting {
        book: &files,
        reads: Mutex::default(),
    };
    assert_eq!(one(&counting, &config, no(16)), []);
    let reads = std::mem::take(&mut *counting.reads.lock().unwrap());
    let texts: Vec<&str> = reads
        .keys()
        .map(RelPath::as_str)
        .filter(|path| path.starts_with("chapters/"))
        .collect();
    assert_eq!(
        texts,
        ["chapters/chapter_016.json", "chapters/chapter_017.json"]
    );
    assert!(
        !reads
            .keys()
            .any(|path| path.as_str().starts_with("volumes/vol-02/"))
    );
}

#[test]
fn damaged_files_are_errors() {
    let book = chinese();
    for path in [
        layout::state_changelog(),
        layout::unknown_entities(),
        layout::chapter_json(no(7)),
        layout::foreshadowing(),
    ] {
        let mut files = book.write();
        files.write(path.clone(), "{\"cut");
        let input = novel_story::check::CheckInput {
            reader: &files,
            config: &book.config(),
            chapter: no(7),
            volume: super::book::volume(no(7)),
        };
        let error = novel_story::check::check_chapter(input).unwrap_err();
        assert_eq!(error.kind(), Kind::Input);
        assert!(
            error.problems().iter().any(|problem| problem.path == path),
            "{error}"
        );
    }
    // A changelog whose lines do not follow from each other.
    let mut files = book.write();
    let log = String::from_utf8(files.files()[&layout::state_changelog()].clone()).unwrap();
    let torn: String = log
        .lines()
        .enumerate()
        .filter(|(at, _)| *at != 3)
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    files.write(layout::state_changelog(), torn);
    let input = novel_story::check::CheckInput {
        reader: &files,
        config: &book.config(),
        chapter: no(7),
        volume: super::book::volume(no(7)),
    };
    let error = novel_story::check::check_chapter(input).unwrap_err();
    assert_eq!(error.problems()[0].code, "changelog_broken");
}
