use super::{LONGEST, divide_long};
use crate::{Imported, Reading, import_all};

fn book(chapters: impl Iterator<Item = String>) -> Imported {
    let text: String = chapters.collect();
    let files = [("a.txt".to_owned(), text.into_bytes())];
    import_all(&files, &Reading::default()).unwrap()
}

fn chapter(number: usize) -> String {
    format!("第{number}章 山\n\n他上山了。\n\n")
}

/// How many chapters each volume has.
fn lengths(book: &Imported) -> Vec<usize> {
    let mut lengths = vec![0; book.volumes.len()];
    for chapter in &book.chapters {
        lengths[chapter.volume.unwrap()] += 1;
    }
    lengths
}

#[test]
fn a_book_of_more_chapters_than_a_volume_holds_has_volumes() {
    let long = book((1..=LONGEST + 1).map(chapter));
    assert_eq!(lengths(&long), [LONGEST, 1]);
    let numbers = long.chapters.iter().filter_map(|chapter| chapter.number);
    assert!(numbers.eq(1..=u32::try_from(LONGEST + 1).unwrap()));
}

#[test]
fn a_book_that_fits_stays_as_it_is() {
    let short = book((1..=LONGEST).map(chapter));
    assert_eq!(short.volumes, []);
    assert!(
        short
            .chapters
            .iter()
            .all(|chapter| chapter.volume.is_none())
    );
}

#[test]
fn the_parts_of_a_volume_keep_its_title_and_the_others_follow() {
    let mut divided = book(
        [
            "第一卷 山\n\n",
            "第1章 上\n\n上。\n\n",
            "第二卷 海\n\n",
            "第2章 下\n\n下。\n\n",
        ]
        .into_iter()
        .map(str::to_owned),
    );
    let first = divided.chapters[0].clone();
    let more = std::iter::repeat_n(first, LONGEST * 2);
    divided.chapters.splice(0..0, more);
    divide_long(&mut divided);
    let titles: Vec<&str> = divided.volumes.iter().map(|it| it.title.as_str()).collect();
    assert_eq!(titles, ["山", "山", "山", "海"]);
    assert_eq!(lengths(&divided), [LONGEST, LONGEST, 1, 1]);
}
