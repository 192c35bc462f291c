//! Small books for tests.

use std::ops::RangeInclusive;

use novel_model::{
    ChapterNo, Lang, ReadError, RelPath, VolumeNo,
    files::{GeneratedChapter, GeneratedScene},
};
use novel_text::count_words;

use crate::{BookInfo, ChapterSource, ExportError, ExportFormat, ExportReport, VolumeInfo, export};

/// Chapters in memory; a number without one is a missing file.
pub(crate) struct Chapters(pub(crate) Vec<GeneratedChapter>);

impl ChapterSource for Chapters {
    fn chapter(&mut self, number: ChapterNo) -> Result<GeneratedChapter, ExportError> {
        let found = self
            .0
            .iter()
            .find(|chapter| chapter.chapter_number == number);
        found.cloned().ok_or_else(|| {
            let path: RelPath = format!("chapters/chapter_{number}.json").parse().unwrap();
            ExportError::chapter(number, ReadError::NotAFile { path })
        })
    }
}

pub(crate) fn no(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

pub(crate) fn range(first: u32, last: u32) -> RangeInclusive<ChapterNo> {
    no(first)..=no(last)
}

pub(crate) fn chapter(number: u32, title: &str, scenes: &[&str]) -> GeneratedChapter {
    let scenes: Vec<GeneratedScene> = (1..)
        .zip(scenes)
        .map(|(scene_number, content)| GeneratedScene {
            scene_number,
            content: (*content).to_owned(),
            word_count: count_words(content) as u64,
        })
        .collect();
    GeneratedChapter {
        chapter_number: no(number),
        chapter_title: title.to_owned(),
        total_words: scenes.iter().map(|scene| scene.word_count).sum(),
        scenes,
    }
}

pub(crate) fn volume(number: u32, title: Option<&str>, first: u32, last: u32) -> VolumeInfo {
    VolumeInfo {
        number: VolumeNo::new(number).unwrap(),
        title: title.map(str::to_owned),
        first: no(first),
        last: no(last),
    }
}

/// Two volumes, then a chapter in none.
pub(crate) fn chinese() -> (BookInfo, Chapters) {
    let mut info = BookInfo::new(
        "雾城".to_owned(),
        Some("林深".to_owned()),
        Lang::Zh,
        "2026-08-01T12:00:00Z".to_owned(),
    );
    info.volumes = vec![volume(1, Some("雨夜来客"), 1, 2), volume(2, None, 3, 3)];
    let chapters = vec![
        chapter(
            1,
            "夜雨",
            &[
                "　　雨下了一夜。\n\n　　**“走吧。”**他说，*再不走就来不及了*。",
                "天亮时，城门上多了一行字：<我回来了 & 不走了>。",
            ],
        ),
        chapter(2, "", &["信里只有三个字。\n别回头。\n——旧友"]),
        chapter(3, "“旧友”", &["他没有回头。\n\n[1] 见前文_附注_。"]),
        chapter(4, "尾声", &["雾散了。"]),
    ];
    (info, Chapters(chapters))
}

pub(crate) fn english() -> (BookInfo, Chapters) {
    let mut info = BookInfo::new(
        "City of Mist & Rain".to_owned(),
        None,
        Lang::En,
        "2026-08-01T12:00:00.123Z".to_owned(),
    );
    info.volumes = vec![volume(1, Some("The Visitor"), 1, 2)];
    let chapters = vec![
        chapter(
            1,
            "Night Rain",
            &[
                "It rained all night.\n\n\"*Now*,\" he said. \"**Now**, or never.\"",
                "By morning 3 * 4 lamps were left.",
            ],
        ),
        chapter(2, "<b>Don't \"look\" back</b>", &["He didn't."]),
    ];
    (info, Chapters(chapters))
}

pub(crate) fn bytes(
    format: ExportFormat,
    (info, mut chapters): (BookInfo, Chapters),
    range: RangeInclusive<ChapterNo>,
) -> (Vec<u8>, ExportReport) {
    let mut out = Vec::new();
    let report = export(format, &info, range, &mut chapters, &mut out).unwrap();
    (out, report)
}
