use std::{collections::BTreeSet, env, fs, io::Cursor, io::Read, path::Path, process::Command};

use zip::ZipArchive;

use super::{page::tests::xml, *};
use crate::{
    Cover, ExportFormat,
    sample::{Chapters, bytes, chapter, chinese, english, range},
};

/// One red pixel.
const PNG: &[u8] = &[
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53,
    0xDE, 0x00, 0x00, 0x00, 0x0C, 0x49, 0x44, 0x41, 0x54, 0x08, 0xD7, 0x63, 0xF8, 0xCF, 0xC0, 0x00,
    0x00, 0x03, 0x01, 0x01, 0x00, 0x18, 0xDD, 0x8D, 0xB0, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E,
    0x44, 0xAE, 0x42, 0x60, 0x82,
];

fn with_cover((mut info, chapters): (BookInfo, Chapters)) -> (BookInfo, Chapters) {
    info.cover = Some(Cover::from_bytes(PNG.to_vec()).unwrap());
    (info, chapters)
}

/// Everything hostile a book can hold, with chapter numbers of four digits.
fn hostile() -> (BookInfo, Chapters) {
    let (mut info, _) = with_cover(english());
    let nasty = "<a & \"b\" 'c'> \u{0}\u{1B}\u{FFFF} ]]> &#0; %20 #x ?y";
    info.title = nasty.to_owned();
    info.author = Some(nasty.to_owned());
    info.volumes = vec![
        crate::sample::volume(7, Some(nasty), 998, 1000),
        crate::sample::volume(7, None, 1001, 1001),
    ];
    let chapters = vec![
        chapter(998, nasty, &[nasty, nasty]),
        chapter(999, "", &[]),
        chapter(1000, "\u{1}", &["", "***\n**a*b**c*"]),
        chapter(1001, "𠮷野家\u{200B}", &["👩‍👩‍👧 \u{85} \u{2028}x"]),
        chapter(1002, "end", &["\u{7F}\u{80}"]),
    ];
    (info, Chapters(chapters))
}

fn open(bytes: &[u8]) -> ZipArchive<Cursor<&[u8]>> {
    ZipArchive::new(Cursor::new(bytes)).unwrap()
}

fn names(bytes: &[u8]) -> Vec<String> {
    let mut archive = open(bytes);
    (0..archive.len())
        .map(|index| {
            archive
                .by_index(index)
                .unwrap()
                .name()
                .unwrap()
                .into_owned()
        })
        .collect()
}

fn file(bytes: &[u8], name: &str) -> String {
    let mut text = String::new();
    open(bytes)
        .by_name(name)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    text
}

#[test]
fn golden_epub() {
    let (bytes, report) = bytes(ExportFormat::Epub, with_cover(chinese()), range(1, 4));
    assert_eq!(report.bytes, bytes.len() as u64);
    insta::assert_snapshot!("names", names(&bytes).join("\n"));
    for name in [
        "package.opf",
        "nav.xhtml",
        "toc.ncx",
        "chapter-001.xhtml",
        "cover.xhtml",
    ] {
        insta::assert_snapshot!(name, file(&bytes, &format!("EPUB/{name}")));
    }
}

#[test]
fn golden_epub_in_english() {
    let (bytes, _) = bytes(ExportFormat::Epub, english(), range(1, 2));
    for name in ["package.opf", "title.xhtml", "chapter-002.xhtml"] {
        insta::assert_snapshot!(
            format!("english-{name}"),
            file(&bytes, &format!("EPUB/{name}"))
        );
    }
}

#[test]
fn the_type_comes_first_and_uncompressed() {
    let (bytes, _) = bytes(ExportFormat::Epub, chinese(), range(1, 4));
    // Local file header: flags at 6, method at 8, sizes at 18 and 22, name length at 26, extra at 28.
    assert_eq!(&bytes[..4], b"PK\x03\x04");
    assert_eq!(&bytes[6..10], [0, 0, 0, 0], "no data descriptor, stored");
    assert_eq!(&bytes[18..30], [20, 0, 0, 0, 20, 0, 0, 0, 8, 0, 0, 0]);
    assert_eq!(&bytes[30..58], b"mimetypeapplication/epub+zip");
}

#[test]
fn equal_input_gives_equal_bytes() {
    let once = || bytes(ExportFormat::Epub, with_cover(chinese()), range(1, 4)).0;
    assert_eq!(once(), once());
    let (mut info, chapters) = with_cover(chinese());
    info.modified = "2026-08-02T12:00:00Z".to_owned();
    assert_ne!(
        once(),
        bytes(ExportFormat::Epub, (info, chapters), range(1, 4)).0
    );
}

#[test]
fn every_file_is_listed_and_every_page_is_read_in_order() {
    for (book, first, last) in [
        (with_cover(chinese()), 1, 4),
        (chinese(), 2, 3),
        (english(), 1, 2),
        (hostile(), 998, 1002),
    ] {
        let (bytes, _) = bytes(ExportFormat::Epub, book, range(first, last));
        let text = file(&bytes, "EPUB/package.opf");
        let package = xml(&text);
        let attributes = |tag: &'static str, name: &'static str| -> Vec<String> {
            package
                .descendants()
                .filter(|node| node.has_tag_name(("http://www.idpf.org/2007/opf", tag)))
                .map(|node| node.attribute(name).unwrap().to_owned())
                .collect()
        };
        let listed: BTreeSet<String> = attributes("item", "href")
            .into_iter()
            .map(|href| format!("EPUB/{href}"))
            .chain(["mimetype", "META-INF/container.xml", "EPUB/package.opf"].map(str::to_owned))
            .collect();
        let present: BTreeSet<String> = names(&bytes).into_iter().collect();
        assert_eq!(listed, present);
        let ids = attributes("item", "id");
        assert_eq!(
            ids.iter().collect::<BTreeSet<_>>().len(),
            ids.len(),
            "{ids:?}"
        );

        // Both tables of contents follow the reading order, after cover and title page.
        let read: Vec<String> = attributes("itemref", "idref")
            .into_iter()
            .filter(|id| id != "cover" && id != "title")
            .map(|id| format!("{id}.xhtml"))
            .collect();
        let nav_text = file(&bytes, "EPUB/nav.xhtml");
        let nav = xml(&nav_text);
        let toc = nav
            .descendants()
            .find(|node| node.attribute("id") == Some("toc"))
            .unwrap();
        let linked: Vec<&str> = toc
            .descendants()
            .filter_map(|node| node.attribute("href"))
            .collect();
        assert_eq!(linked, read);
        let ncx_text = file(&bytes, "EPUB/toc.ncx");
        let ncx = xml(&ncx_text);
        let pointed: Vec<&str> = ncx
            .descendants()
            .filter_map(|node| node.attribute("src"))
            .collect();
        assert_eq!(pointed, read);
        let chapters = read
            .iter()
            .filter(|page| page.starts_with("chapter-"))
            .count();
        assert_eq!(chapters as u32, last - first + 1);
        for page in names(&bytes).iter().filter(|name| name.ends_with(".xhtml")) {
            xml(&file(&bytes, page));
        }
    }
}

#[test]
fn titles_stand_in_the_contents_in_order() {
    let (bytes, _) = bytes(ExportFormat::Epub, chinese(), range(1, 4));
    let text = file(&bytes, "EPUB/nav.xhtml");
    let nav = xml(&text);
    let toc = nav
        .descendants()
        .find(|node| node.attribute("id") == Some("toc"))
        .unwrap();
    let titles: Vec<&str> = toc
        .descendants()
        .filter(|node| node.has_attribute("href"))
        .filter_map(|node| node.text())
        .collect();
    assert_eq!(
        titles,
        [
            "第一卷 雨夜来客",
            "第 1 章 夜雨",
            "第 2 章",
            "第二卷",
            "第 3 章 “旧友”",
            "第 4 章 尾声"
        ]
    );
}

/// EPUBCheck, if it is on this machine.
fn epubcheck() -> Option<Command> {
    if let Ok(jar) = env::var("EPUBCHECK_JAR") {
        let mut command = Command::new("java");
        command.arg("-jar").arg(jar);
        return Some(command);
    }
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
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
        })
}

fn check(book: (BookInfo, Chapters), first: u32, last: u32, path: &Path) {
    let Some(mut command) = epubcheck() else {
        return novel_testkit::skip("`epubcheck` on PATH or EPUBCHECK_JAR");
    };
    fs::write(path, bytes(ExportFormat::Epub, book, range(first, last)).0).unwrap();
    let output = command.arg(path).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("0 fatals / 0 errors / 0 warnings / 0 infos"),
        "{said}"
    );
}

#[test]
fn epubcheck_has_no_message() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("book.epub");
    check(with_cover(chinese()), 1, 4, &path);
    check(english(), 1, 2, &path);
    check(hostile(), 998, 1002, &path);
}

#[test]
fn a_book_that_fails_half_way_writes_nothing() {
    let (info, mut chapters) = chinese();
    let mut out = Vec::new();
    export(&info, range(1, 5), &mut chapters, &mut out).unwrap_err();
    assert!(out.is_empty());
}
