use super::*;
use crate::sample::{Chapters, chapter, chinese, no, range, volume};
use novel_model::{Explain, Kind};

/// Notes what it gets: `V2` for a volume, `-` for none, `3` for a chapter.
#[derive(Default)]
struct Notes(Vec<String>);

impl Sink for Notes {
    fn volume(&mut self, volume: &VolumeInfo) -> Result<(), ExportError> {
        self.0.push(format!("V{}", volume.number.get()));
        Ok(())
    }

    fn no_volume(&mut self) {
        self.0.push("-".into());
    }

    fn chapter(&mut self, chapter: &GeneratedChapter) -> Result<(), ExportError> {
        self.0.push(chapter.chapter_number.get().to_string());
        Ok(())
    }
}

fn notes(range: RangeInclusive<ChapterNo>) -> String {
    let (info, mut chapters) = chinese();
    let mut notes = Notes::default();
    walk(&info, range, &mut chapters, &mut notes).unwrap();
    notes.0.join(" ")
}

#[test]
fn volumes_open_before_their_first_chapter_in_the_range() {
    assert_eq!(notes(range(1, 4)), "V1 1 2 V2 3 - 4");
    assert_eq!(notes(range(2, 3)), "V1 2 V2 3");
    assert_eq!(notes(range(4, 4)), "4");
}

#[test]
fn words_are_those_of_the_chapters() {
    let (info, mut chapters) = chinese();
    let walked = walk(&info, range(2, 3), &mut chapters, &mut Notes::default()).unwrap();
    let words = chapters.0[1].total_words + chapters.0[2].total_words;
    assert_eq!((walked.chapters, walked.words), (2, words));
}

#[test]
fn a_missing_chapter_is_named_and_keeps_its_reason() {
    let (info, mut chapters) = chinese();
    let error = walk(&info, range(3, 9), &mut chapters, &mut Notes::default())
        .err()
        .unwrap();
    assert_eq!(error.kind(), Kind::Input);
    assert!(
        error
            .message()
            .en
            .starts_with("chapter 5 cannot be exported: ")
    );
    assert!(error.message().zh.starts_with("无法导出第 5 章："));
    assert!(error.message().en.contains("chapters/chapter_005.json"));
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(cause, "`chapters/chapter_005.json` is not a regular file");
}

/// Gives one chapter whatever is asked for.
struct Always(GeneratedChapter);

impl ChapterSource for Always {
    fn chapter(&mut self, _: ChapterNo) -> Result<GeneratedChapter, ExportError> {
        Ok(self.0.clone())
    }
}

#[test]
fn a_chapter_with_the_wrong_number_is_refused() {
    let (info, _) = chinese();
    let mut source = Always(chapter(7, "", &[]));
    let error = walk(&info, range(6, 7), &mut source, &mut Notes::default());
    assert!(matches!(
        error.err().unwrap(),
        ExportError::OtherChapter { asked, found } if asked == no(6) && found == no(7)
    ));
}

#[test]
fn a_range_from_back_to_front_is_refused() {
    let (info, mut chapters) = chinese();
    let error = walk(&info, range(2, 1), &mut chapters, &mut Notes::default());
    assert!(matches!(
        error.err().unwrap(),
        ExportError::EmptyRange { .. }
    ));
}

#[test]
fn the_last_possible_chapter_ends_the_walk() {
    let (mut info, _) = chinese();
    info.volumes = vec![volume(9, None, 4_294_967_294, u32::MAX)];
    let mut chapters = Chapters(vec![
        chapter(u32::MAX - 1, "", &[]),
        chapter(u32::MAX, "", &[]),
    ]);
    let mut notes = Notes::default();
    walk(
        &info,
        range(u32::MAX - 1, u32::MAX),
        &mut chapters,
        &mut notes,
    )
    .unwrap();
    assert_eq!(notes.0.join(" "), "V9 4294967294 4294967295");
}
