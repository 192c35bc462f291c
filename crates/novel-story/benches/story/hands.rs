//! The chart of the function words on real novels: one hand alone, windows of it, and two hands.

use std::fs;

use novel_contract::report::HandReport;
use novel_story::report::{Facts, Report, Span};
use novel_testkit::{
    sanguo::Sanguo,
    story::{Book, Chapter},
};

use super::{
    novels::{cache, split},
    share,
};

/// Chapters of a window of a book's own style, and of the step to the next one.
const WINDOW: (usize, usize) = (40, 10);

/// Writers with their novels; a change between two novels of one writer is not counted.
const NOVELS: [(&str, &str); 7] = [
    ("austen", "austen-emma.txt"),
    ("austen", "austen-persuasion.txt"),
    ("austen", "austen-sense.txt"),
    ("melville", "melville-moby_dick.txt"),
    ("chesterton", "chesterton-brown.txt"),
    ("chesterton", "chesterton-thursday.txt"),
    ("edgeworth", "edgeworth-parents.txt"),
];

#[expect(clippy::disallowed_methods, reason = "reads the novels")]
pub(crate) fn run() {
    let Some(cache) = cache() else {
        return;
    };
    let mut books: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for (writer, file) in NOVELS {
        if let Ok(text) = fs::read(cache.join(file)) {
            let text = String::from_utf8_lossy(&text).replace('\r', "");
            books.push((writer, "en", split(&text)));
        }
    }
    if let Some(sanguo) = Sanguo::fetched() {
        let chapters = sanguo.chapters.iter();
        let texts = chapters.map(|chapter| Sanguo::parts(chapter).1.to_owned());
        books.push(("luo", "zh-CN", texts.collect()));
    }
    let (mut alone, mut alarms) = (0, 0);
    for (writer, language, chapters) in &books {
        let windows = (0..chapters.len().saturating_sub(WINDOW.0)).step_by(WINDOW.1);
        let parts = windows.map(|first| &chapters[first..first + WINDOW.0]);
        for part in parts.chain([chapters.as_slice()]) {
            alone += 1;
            let change = chart(part, language).and_then(|hand| hand.change);
            if let Some(change) = change {
                alarms += 1;
                println!("hands: alarm on {writer} alone: {change:?}");
            }
        }
    }
    println!("hands: alarms on one hand {}", share(alarms, alone));
    for (before, after) in [(20, 20), (30, 8), (8, 30)] {
        let (mut pairs, mut found, mut exact) = (0, 0, 0);
        for (writer, language, own) in &books {
            for (other, other_language, theirs) in &books {
                if writer == other
                    || language != other_language
                    || own.len() < before
                    || theirs.len() < after
                {
                    continue;
                }
                let chapters = [&own[..before], &theirs[..after]].concat();
                pairs += 1;
                let change = chart(&chapters, language).and_then(|hand| hand.change);
                if let Some(change) = change {
                    found += 1;
                    exact += usize::from(change.chapter as usize == before + 1);
                }
            }
        }
        println!(
            "hands: {before} chapters and {after} of another writer: found {}, at the very chapter {exact}",
            share(found, pairs)
        );
    }
}

fn chart(chapters: &[String], language: &&'static str) -> Option<HandReport> {
    let book = Book {
        language,
        chapters: chapters
            .iter()
            .map(|text| Chapter::of(text.clone(), Vec::new()))
            .collect(),
        ..Book::default()
    };
    let span = Span {
        first: 1,
        last: chapters.len() as u32,
        volume: None,
        volumes: Vec::new(),
    };
    let facts = Facts::gather(&book.write(), &book.config(), span).unwrap();
    Report::of(&facts).style.hand
}
