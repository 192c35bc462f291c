//! Which contracts speak of what a new rule speaks of.
//!
//! Two texts speak of the same when they share a run of three Han characters, or a word of five
//! letters, that is not made of function words. That finds too much rather than too little.

use std::collections::BTreeSet;

use novel_model::{
    BookReader, ChapterNo, Document, FileError, RelPath, VolumeNo,
    files::{ChapterContract, Character},
    layout,
};

/// Characters that carry no meaning of their own.
const FUNCTION_ZH: &str =
    "的了是在不得和与或有人之也都就被把让从到这那其何任一二三个中上下里后前时以为可要会能";
const FUNCTION_EN: [&str; 16] = [
    "after", "before", "about", "their", "there", "which", "where", "while", "would", "could",
    "should", "until", "under", "other", "nobody", "never",
];

/// A contract that speaks of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// Its file.
    pub path: RelPath,
    /// The contract or the chapter.
    pub id: String,
    /// The chapter, for an L3 contract.
    pub chapter: Option<ChapterNo>,
    /// What both speak of.
    pub terms: Vec<String>,
}

/// L2 contracts, then L3 contracts of chapters from `first` on, that share a term with `text`.
///
/// # Errors
/// When a file cannot be read.
pub fn touched(
    reader: &dyn BookReader,
    text: &str,
    volume: VolumeNo,
    first: ChapterNo,
) -> Result<Vec<Touched>, FileError> {
    let wanted = terms(text);
    let shared = |other: &str| -> Vec<String> {
        let found = terms(other);
        wanted.intersection(&found).cloned().collect()
    };
    let mut all = Vec::new();
    let directory = layout::characters_dir();
    let mut names = reader.list(&directory)?;
    names.sort_unstable();
    for name in names.iter().filter(|name| name.ends_with(".json")) {
        let Ok(path) = directory.join(name) else {
            continue;
        };
        let record = Document::<Character>::load(reader, &path)?;
        for contract in record.iter().flat_map(|record| &record.get().contracts) {
            let terms = shared(&contract.rule);
            if !terms.is_empty() {
                all.push(Touched {
                    path: path.clone(),
                    id: contract.id.clone(),
                    chapter: None,
                    terms,
                });
            }
        }
    }
    let directory = layout::contracts_dir(volume);
    let mut names = reader.list(&directory)?;
    names.sort_unstable();
    for name in names.iter().filter(|name| name.ends_with(".json")) {
        let Ok(path) = directory.join(name) else {
            continue;
        };
        let Some(contract) = Document::<ChapterContract>::load(reader, &path)? else {
            continue;
        };
        let chapter = contract.get().chapter;
        let mut terms = shared(&contract.raw().to_string());
        // A place may have a name too short to tell by itself.
        let places = places(contract.get());
        terms.extend(
            places
                .into_iter()
                .filter(|place| text.contains(place.as_str())),
        );
        terms.sort_unstable();
        terms.dedup();
        if chapter >= first && !terms.is_empty() {
            all.push(Touched {
                path,
                id: format!("chapter-{chapter}"),
                chapter: Some(chapter),
                terms,
            });
        }
    }
    Ok(all)
}

/// Where people are before and after a chapter.
fn places(contract: &ChapterContract) -> BTreeSet<String> {
    let before = contract.preconditions.character_states.iter().flatten();
    let states = before.chain(&contract.postconditions.state_changes);
    states
        .filter_map(|(_, state)| state.get("location")?.as_str())
        .map(|place| place.trim().to_owned())
        .filter(|place| !place.is_empty())
        .collect()
}

/// The terms of a text.
#[must_use]
pub fn terms(text: &str) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    for run in text.split(|char: char| !char.is_alphanumeric()) {
        if run.is_ascii() {
            let word = run.to_lowercase();
            if word.len() >= 5 && !FUNCTION_EN.contains(&word.as_str()) {
                terms.insert(word);
            }
            continue;
        }
        let chars: Vec<char> = run.chars().collect();
        let plain = |char: &char| !char.is_ascii() && !FUNCTION_ZH.contains(*char);
        let runs = chars.windows(3).filter(|three| three.iter().all(plain));
        terms.extend(runs.map(|three| three.iter().collect::<String>()));
    }
    terms
}

#[cfg(test)]
#[path = "touched_tests.rs"]
mod tests;
