//! The demo books: one small planned volume in each language, written by hand.
//!
//! The list of phrases to avoid is not among the files: it is the same for every new book, and the
//! command that makes the book adds its template.

use novel_model::{Lang, RelPath};

macro_rules! book {
    ($dir:literal, $($path:literal),+ $(,)?) => {
        &[$(($path, include_str!(concat!("../assets/demo/", $dir, "/", $path)))),+]
    };
}

/// The files of the demo book in `lang`, by path: everything but `ai-blacklist.json`.
#[must_use]
pub fn demo_files(lang: Lang) -> Vec<(RelPath, &'static str)> {
    let files: &[(&str, &'static str)] = match lang {
        Lang::Zh => book![
            "zh",
            ".checkpoint.json",
            "brief.md",
            "characters/active/gu-xingzhou.json",
            "characters/active/gu-xingzhou.md",
            "characters/active/he-xiaoman.json",
            "characters/active/he-xiaoman.md",
            "characters/active/lu-sheng.json",
            "characters/active/lu-sheng.md",
            "characters/active/lu-yan.json",
            "characters/active/lu-yan.md",
            "characters/active/qiu-boyuan.json",
            "characters/active/qiu-boyuan.md",
            "characters/active/shen-qinghe.json",
            "characters/active/shen-qinghe.md",
            "novel.toml",
            "storylines/storyline-spec.json",
            "storylines/storylines.json",
            "style-profile.json",
            "volumes/vol-01/chapter-contracts/chapter-001.json",
            "volumes/vol-01/chapter-contracts/chapter-002.json",
            "volumes/vol-01/chapter-contracts/chapter-003.json",
            "volumes/vol-01/chapter-contracts/chapter-004.json",
            "volumes/vol-01/chapter-contracts/chapter-005.json",
            "volumes/vol-01/chapter-contracts/chapter-006.json",
            "volumes/vol-01/chapter-contracts/chapter-007.json",
            "volumes/vol-01/chapter-contracts/chapter-008.json",
            "volumes/vol-01/chapter-contracts/chapter-009.json",
            "volumes/vol-01/chapter-contracts/chapter-010.json",
            "volumes/vol-01/chapter-contracts/chapter-011.json",
            "volumes/vol-01/chapter-contracts/chapter-012.json",
            "volumes/vol-01/foreshadowing.json",
            "volumes/vol-01/outline.md",
            "volumes/vol-01/storyline-schedule.json",
            "world/geography.md",
            "world/history.md",
            "world/rules.json",
            "world/rules.md",
        ],
        Lang::En => book![
            "en",
            ".checkpoint.json",
            "brief.md",
            "characters/active/anselm.json",
            "characters/active/anselm.md",
            "characters/active/corwin.json",
            "characters/active/corwin.md",
            "characters/active/harrow.json",
            "characters/active/harrow.md",
            "characters/active/ilse.json",
            "characters/active/ilse.md",
            "characters/active/petra.json",
            "characters/active/petra.md",
            "characters/active/tobias.json",
            "characters/active/tobias.md",
            "novel.toml",
            "storylines/storyline-spec.json",
            "storylines/storylines.json",
            "style-profile.json",
            "volumes/vol-01/chapter-contracts/chapter-001.json",
            "volumes/vol-01/chapter-contracts/chapter-002.json",
            "volumes/vol-01/chapter-contracts/chapter-003.json",
            "volumes/vol-01/chapter-contracts/chapter-004.json",
            "volumes/vol-01/chapter-contracts/chapter-005.json",
            "volumes/vol-01/chapter-contracts/chapter-006.json",
            "volumes/vol-01/chapter-contracts/chapter-007.json",
            "volumes/vol-01/chapter-contracts/chapter-008.json",
            "volumes/vol-01/chapter-contracts/chapter-009.json",
            "volumes/vol-01/chapter-contracts/chapter-010.json",
            "volumes/vol-01/chapter-contracts/chapter-011.json",
            "volumes/vol-01/chapter-contracts/chapter-012.json",
            "volumes/vol-01/foreshadowing.json",
            "volumes/vol-01/outline.md",
            "volumes/vol-01/storyline-schedule.json",
            "world/geography.md",
            "world/history.md",
            "world/rules.json",
            "world/rules.md",
        ],
    };
    files
        .iter()
        // Every path is checked by a test.
        .filter_map(|(path, text)| Some((path.parse().ok()?, *text)))
        .collect()
}

#[cfg(test)]
#[path = "demo_tests.rs"]
mod tests;
