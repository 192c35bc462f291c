//! Reading and rendering a chapter: no panic, and rendering is a fixed point.
#![no_main]

use libfuzzer_sys::fuzz_target;
use novel_model::{ChapterNo, Lang};
use novel_text::{count_words, lint, measure, parse_chapter, render_chapter};

fuzz_target!(|text: &str| {
    let parsed = parse_chapter(text);
    for lang in [Lang::Zh, Lang::En] {
        let rendered =
            render_chapter(ChapterNo::first(), parsed.title(), &parsed.scenes, lang);
        let again = parse_chapter(&rendered);
        assert_eq!(again.scenes, parsed.scenes);
        assert_eq!(again.title(), parsed.title());
    }
    let _ = (count_words(text), measure(text), lint(text, &["不禁".to_owned(), "delve".to_owned()]));
});
