//! `novel export`: the book as one file, whole or not at all.

use std::{
    env, fs,
    io::{Cursor, Read},
    path::Path,
    process::{Command, Stdio},
};

use novel_testkit::{TestBook, assert_same_tree};
use serde_json::{Value, json};
use zip::ZipArchive;

/// The title of a chapter, from its JSON.
fn title(book: &TestBook, chapter: u32) -> String {
    let path = book.path(&format!("chapters/chapter_{chapter:03}.json"));
    let json: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    json["chapter_title"].as_str().unwrap().to_owned()
}

/// A sentence of a chapter.
fn words_of(book: &TestBook, chapter: u32) -> String {
    let path = book.path(&format!("chapters/chapter_{chapter:03}.json"));
    let json: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let text = json["scenes"][0]["content"].as_str().unwrap();
    text.lines()
        .find(|line| line.chars().count() > 10)
        .unwrap()
        .to_owned()
}

fn export(book: &TestBook, format: &str, more: &[&str]) -> Vec<u8> {
    let args = [&["export", "--format", format, "--out", "-"], more].concat();
    let ran = book.command(&args).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    ran.stdout
}

/// The names in an EPUB, in order, and its pages.
fn unzip(bytes: &[u8]) -> Vec<(String, String)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    (0..archive.len())
        .map(|at| {
            let mut file = archive.by_index(at).unwrap();
            let mut text = Vec::new();
            file.read_to_end(&mut text).unwrap();
            (
                file.name().unwrap().into_owned(),
                String::from_utf8_lossy(&text).into_owned(),
            )
        })
        .collect()
}

#[test]
fn the_book_is_written_in_every_format_under_its_title() {
    let book = TestBook::demo(3);
    let before = book.content();
    for format in ["txt", "md", "epub"] {
        let data = book.ask(&["export", "--format", format]).data();
        let name = format!("{}.{format}", book_title(&book));
        assert_eq!(data["file"], name);
        assert_eq!(
            (&data["format"], &data["chapters"]),
            (&json!(format), &json!(3))
        );
        let bytes = fs::read(book.path(&name)).unwrap();
        assert_eq!(data["bytes"], bytes.len());
        assert_eq!(
            bytes,
            export(&book, format, &[]),
            "standard output has the same"
        );
        book.remove(&name);
    }
    assert_same_tree(&book.content(), &before, "an export changes nothing else");
    for format in ["txt", "md"] {
        let text = String::from_utf8(export(&book, format, &[])).unwrap();
        let mut rest = text.as_str();
        for chapter in 1..=3 {
            for wanted in [title(&book, chapter), words_of(&book, chapter)] {
                let at = rest
                    .find(&wanted)
                    .unwrap_or_else(|| panic!("{wanted}: {text}"));
                rest = &rest[at..];
            }
        }
    }
}

fn book_title(book: &TestBook) -> String {
    let config = book.text("novel.toml");
    let line = config
        .lines()
        .find(|line| line.starts_with("title"))
        .unwrap();
    let title = line.split('"').nth(1).unwrap().to_owned();
    assert!(!title.is_empty(), "{config}");
    title
}

#[test]
fn an_epub_opens_with_its_chapters_in_order() {
    let book = TestBook::demo(3);
    let bytes = export(&book, "epub", &[]);
    let pages = unzip(&bytes);
    assert_eq!(pages[0].0, "mimetype");
    assert_eq!(pages[0].1, "application/epub+zip");
    assert!(
        pages
            .iter()
            .any(|(name, _)| name == "META-INF/container.xml")
    );
    let places: Vec<usize> = (1..=3)
        .map(|chapter| {
            let words = words_of(&book, chapter);
            pages
                .iter()
                .position(|(_, page)| page.contains(&words))
                .unwrap()
        })
        .collect();
    assert!(
        places.is_sorted() && places[0] < places[1] && places[1] < places[2],
        "{places:?}"
    );
}

#[test]
fn epubcheck_has_no_message_about_the_demo_book() {
    let checker = match env::var_os("EPUBCHECK_JAR") {
        Some(jar) => {
            let mut command = Command::new("java");
            command.arg("-jar").arg(jar);
            Some(command)
        }
        None => env::split_paths(&env::var_os("PATH").unwrap_or_default())
            .map(|directory| directory.join("epubcheck"))
            .find_map(|program| program.canonicalize().ok())
            .map(|program| match program.extension() {
                // Debian links the command to the archive itself.
                Some(end) if end == "jar" => {
                    let mut command = Command::new("java");
                    command.arg("-jar").arg(program);
                    command
                }
                _ => Command::new(program),
            }),
    };
    let Some(mut checker) = checker else {
        return novel_testkit::skip("`epubcheck` on PATH or EPUBCHECK_JAR");
    };
    let book = TestBook::demo(3);
    let path = book.outside().join("book.epub");
    book.ask(&[
        "export",
        "--format",
        "epub",
        "--out",
        path.to_str().unwrap(),
    ])
    .data();
    let output = checker.arg(&path).output().unwrap();
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("0 fatals / 0 errors / 0 warnings / 0 infos"),
        "{said}"
    );
}

#[test]
fn a_changed_markdown_is_not_in_the_export() {
    let book = TestBook::demo(2);
    let formats = ["txt", "md", "epub"];
    let before = formats.map(|format| export(&book, format, &["--ignore-edits"]));
    book.tamper("chapters/chapter-001.md");
    book.remove("chapters/chapter-002.md");
    assert_eq!(
        formats.map(|format| export(&book, format, &["--ignore-edits"])),
        before
    );
}

#[test]
fn a_range_is_a_part_of_the_book() {
    let book = TestBook::demo(4);
    let text = String::from_utf8(export(&book, "txt", &["--from", "2", "--to", "3"])).unwrap();
    for (chapter, is_there) in [(1, false), (2, true), (3, true), (4, false)] {
        assert_eq!(
            text.contains(&words_of(&book, chapter)),
            is_there,
            "{chapter}"
        );
    }
    let data = book
        .ask(&["export", "--format", "md", "--from", "3"])
        .data();
    assert_eq!(data["chapters"], 2);
    for (range, code) in [
        (&["--from", "5"][..], "NO_SUCH_CHAPTER"),
        (&["--to", "5"], "NO_SUCH_CHAPTER"),
        (&["--from", "3", "--to", "2"], "USAGE"),
    ] {
        let args = [&["export", "--format", "txt", "--out", "part.txt"], range].concat();
        let error = book.ask(&args).fails(2);
        assert_eq!(error["code"], code, "{range:?} {error:#}");
        assert!(!book.path("part.txt").exists());
    }
}

#[test]
fn a_missing_or_damaged_chapter_is_named_and_no_file_is_left() {
    let book = TestBook::demo(3);
    let path = book.path("chapters/chapter_002.json");
    for damage in [None, Some("{\"chapter\": 2"), Some("{}")] {
        match damage {
            None => fs::remove_file(&path).unwrap(),
            Some(text) => fs::write(&path, text).unwrap(),
        }
        for format in ["txt", "md", "epub"] {
            let before = book.tree();
            let error = book.ask(&["export", "--format", format]).fails(2);
            let told = error.to_string();
            assert!(told.contains("chapters/chapter_002.json"), "{error:#}");
            assert_same_tree(&book.tree(), &before, "nothing is left");
        }
    }
    let data = book
        .ask(&["export", "--format", "txt", "--from", "3"])
        .data();
    assert_eq!(data["chapters"], 1);
}

#[test]
fn a_file_is_replaced_only_by_force() {
    let book = TestBook::demo(1);
    let path = book.path("mine.txt");
    fs::write(&path, "mine").unwrap();
    let args = ["export", "--format", "txt", "--out", "mine.txt"];
    let error = book.ask(&args).fails(2);
    assert_eq!(error["code"], "ALREADY_EXISTS", "{error:#}");
    assert!(
        error["hint"].as_str().unwrap().contains("--force"),
        "{error:#}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    book.ask(&[&args[..], &["--force"]].concat()).data();
    assert_eq!(fs::read(&path).unwrap(), export(&book, "txt", &[]));
    // A failure leaves the old file.
    book.write("chapters/chapter_001.json", "{");
    let before = fs::read(&path).unwrap();
    let _ = book.ask(&[&args[..], &["--force"]].concat()).fails(2);
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn an_export_needs_a_place() {
    let book = TestBook::demo(1);
    let before = book.tree();
    for (out, code) in [("nowhere/book.txt", "UNWRITABLE"), ("-", "USAGE")] {
        let error = book
            .ask(&["export", "--format", "txt", "--out", out])
            .fails(2);
        assert_eq!(error["code"], code, "{error:#}");
    }
    let error = book.ask(&["export", "--format", "pdf"]).fails(2);
    assert_eq!(error["code"], "USAGE", "{error:#}");
    let error = book
        .ask(&["export", "--format", "txt", "--out", "chapters", "--force"])
        .fails(2);
    assert_eq!(error["code"], "UNWRITABLE", "{error:#}");
    assert_same_tree(&book.tree(), &before, "refused");
    let empty = TestBook::demo(0);
    let error = empty.ask(&["export", "--format", "txt"]).fails(2);
    assert_eq!(error["code"], "NO_SUCH_CHAPTER", "{error:#}");
}

#[cfg(unix)]
#[test]
fn a_new_file_has_the_rights_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let book = TestBook::demo(1);
    book.ask(&["export", "--format", "txt", "--out", "book.txt"])
        .data();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    book.write("other.txt", "");
    assert_eq!(mode(&book.path("book.txt")), mode(&book.path("other.txt")));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let book = TestBook::demo(2);
    for format in ["txt", "epub"] {
        let mut command = book.command(&["export", "--format", format, "--out", "-"]);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}
