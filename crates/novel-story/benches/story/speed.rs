//! Chapters checked per second on a book of a thousand, and the share of a commit.

use std::time::Instant;

use novel_story::check::{CheckInput, check_chapter};
use novel_testkit::story::{Book, Chapter, no};
use serde_json::json;

use super::cases::findings;

const CHAPTERS: u32 = 1_000;

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub(crate) fn run() {
    let mut book = Book {
        language: "zh-CN",
        ..Book::default()
    };
    for index in 0..40 {
        let name: String = ["陈", "沈", "林", "苏", "顾"][index % 5]
            .chars()
            .chain("青崖晚枫砚横山川野舟".chars().skip(index / 5).take(2))
            .collect();
        book.character(&format!("p{index}"), &name, &[]);
    }
    let sentence = "林青崖走到窗前，推开窗子，冷风一下子灌了进来。“今夜有雪。”他说。远处的灯火一盏一盏熄了，城里渐渐静下来。";
    for number in 1..=CHAPTERS {
        let text = format!("{}\n\n", sentence.repeat(4)).repeat(14);
        let mut ops = vec![
            json!({"op": "set", "path": "characters.p2.location", "value": format!("第{number}站")}),
        ];
        if number % 25 == 0 {
            ops.push(json!({"op": "set", "path": format!("characters.p{}.status", number / 25 - 1), "value": "阵亡"}));
        }
        // The one who acts in every chapter lives.
        ops.retain(|op| op["path"] != "characters.p2.status");
        book.chapters.push(Chapter::of(text, ops));
    }
    let length = book.chapters[0].scenes[0].chars().count();
    let begun = Instant::now();
    let found = findings(&book).len();
    let writing = {
        let begun = Instant::now();
        drop(book.write());
        begun.elapsed()
    };
    let took = begun.elapsed().saturating_sub(writing * 2);
    println!(
        "speed: {:.0} chapters of {length} characters a second ({found} findings)",
        f64::from(CHAPTERS) / took.as_secs_f64()
    );
    let files = book.write();
    let config = book.config();
    let mut times: Vec<f64> = (0..20)
        .map(|_| {
            let begun = Instant::now();
            check_chapter(CheckInput {
                reader: &files,
                config: &config,
                chapter: no(CHAPTERS),
                volume: book.volume(no(CHAPTERS)),
            })
            .unwrap();
            begun.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "speed: check at the commit of chapter {CHAPTERS}: median {:.2} ms",
        times[times.len() / 2]
    );
}
