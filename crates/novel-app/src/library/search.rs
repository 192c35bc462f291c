//! `novel search`: words in committed chapters, summaries and notes.
//!
//! There is no index: the files are read and looked through in several threads, which takes less
//! time than starting an index takes to pay off, and can be neither stale nor damaged.

use std::{ops::Range, thread};

use novel_contract::library as contract;
use novel_model::{
    BookReader, ChapterNo, Document, ErrorTable, Kind as FaultKind, RelPath, Row,
    files::{Character, GeneratedChapter},
    layout, message,
};
use novel_text::{Match, Query, Term, count_words, rank, snippet};
pub use novel_text::{Reading, Snippet};

use crate::{BookError, Project, error::use_case_error, read_checkpoint};

/// Characters of a snippet on each side of the first place.
const AROUND: usize = 36;

/// More threads than this gain nothing over the disk.
const MOST_THREADS: usize = 8;

/// A search without words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("nothing to search for")]
pub struct NoWords;

/// Where to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shelf {
    /// Committed chapters.
    Chapters,
    /// Their summaries.
    Summaries,
    /// Brief, world, cast, research.
    Notes,
}

impl Shelf {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Chapters, Self::Summaries, Self::Notes];

    /// Stable word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Chapters => "chapters",
            Self::Summaries => "summaries",
            Self::Notes => "notes",
        }
    }
}

/// What to look for.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// Words and quoted phrases.
    pub words: String,
    /// How they are read.
    pub reading: Reading,
    /// Where; everywhere when empty.
    pub shelves: Vec<Shelf>,
    /// Most results.
    pub limit: usize,
}

/// One place that answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Where it is.
    pub shelf: Shelf,
    /// The file.
    pub path: RelPath,
    /// The chapter, of a chapter or a summary.
    pub chapter: Option<ChapterNo>,
    /// The chapter's title.
    pub title: Option<String>,
    /// The scene, of a chapter.
    pub scene: Option<u32>,
    /// How well it answers.
    pub score: f64,
    /// How many places it has.
    pub count: usize,
    /// The first of them.
    pub snippet: Snippet,
}

/// What was found.
#[derive(Debug)]
pub struct SearchReport {
    /// The terms, with the names they stand for.
    pub terms: Vec<Term>,
    /// All that answer, shown or not.
    pub total: usize,
    /// The best.
    pub hits: Vec<Hit>,
}

/// Looks for words. Writes nothing.
///
/// # Errors
/// When there are no words, or a file that is looked at is damaged.
pub fn search(project: &Project, request: &SearchRequest) -> Result<SearchReport, SearchError> {
    project.store().look(|reader| {
        let people = people(reader)?;
        let query = Query::parse(&request.words, request.reading, &people);
        if query.terms().is_empty() {
            return Err(NoWords.into());
        }
        let wanted = |shelf| request.shelves.is_empty() || request.shelves.contains(&shelf);
        let last = read_checkpoint(reader)?.get().last_completed_chapter;
        let mut sources = Vec::new();
        if wanted(Shelf::Chapters) {
            sources.extend(chapters(last).map(Source::Chapter));
        }
        if wanted(Shelf::Summaries) {
            sources.extend(chapters(last).map(Source::Summary));
        }
        if wanted(Shelf::Notes) {
            sources.extend(notes(reader)?.into_iter().map(Source::Note));
        }
        let looked = look_through(reader, &query, &sources)?;
        Ok(report(&query, looked, request.limit))
    })
}

fn chapters(last: u32) -> impl Iterator<Item = ChapterNo> {
    (1..=last).filter_map(ChapterNo::new)
}

/// A file to look through.
enum Source {
    Chapter(ChapterNo),
    Summary(ChapterNo),
    Note(RelPath),
}

/// What was seen in some files.
#[derive(Default)]
struct Looked {
    texts: usize,
    words: u64,
    hits: Vec<(u64, Match, Hit)>,
}

/// Looks through all files, a share in each thread; the order is that of the sources.
fn look_through(
    reader: &dyn BookReader,
    query: &Query,
    sources: &[Source],
) -> Result<Looked, BookError> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = sources
        .len()
        .div_ceil(threads.clamp(1, MOST_THREADS))
        .max(1);
    let parts = thread::scope(|scope| {
        let workers: Vec<_> = sources
            .chunks(share)
            .map(|part| scope.spawn(move || look_through_part(reader, query, part)))
            .collect();
        let joined = workers.into_iter().map(|worker| match worker.join() {
            Ok(part) => part,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect::<Result<Vec<Looked>, BookError>>()
    })?;
    let mut all = Looked::default();
    for part in parts {
        all.texts += part.texts;
        all.words += part.words;
        all.hits.extend(part.hits);
    }
    Ok(all)
}

fn look_through_part(
    reader: &dyn BookReader,
    query: &Query,
    sources: &[Source],
) -> Result<Looked, BookError> {
    let mut looked = Looked::default();
    for source in sources {
        match source {
            Source::Chapter(number) => {
                let path = layout::chapter_json(*number);
                // A book taken over from an older tool may have no JSON for its older chapters.
                let Some(chapter) = chapter(reader, &path)? else {
                    continue;
                };
                for scene in &chapter.scenes {
                    let place = Place {
                        shelf: Shelf::Chapters,
                        path: &path,
                        chapter: Some(*number),
                        title: Some(&chapter.chapter_title),
                        scene: Some(scene.scene_number),
                    };
                    looked.take(query, &scene.content, scene.word_count, place);
                }
            }
            Source::Summary(number) => {
                let path = layout::summary(*number);
                let Some(text) = reader.text(&path)? else {
                    continue;
                };
                let place = Place {
                    shelf: Shelf::Summaries,
                    path: &path,
                    chapter: Some(*number),
                    title: None,
                    scene: None,
                };
                looked.take(query, &text, rough_words(&text), place);
            }
            Source::Note(path) => {
                let Some(text) = reader.text(path)? else {
                    continue;
                };
                let place = Place {
                    shelf: Shelf::Notes,
                    path,
                    chapter: None,
                    title: None,
                    scene: None,
                };
                looked.take(query, &text, count_words(&text) as u64, place);
            }
        }
    }
    Ok(looked)
}

/// Where a text stands.
struct Place<'a> {
    shelf: Shelf,
    path: &'a RelPath,
    chapter: Option<ChapterNo>,
    title: Option<&'a str>,
    scene: Option<u32>,
}

impl Looked {
    fn take(&mut self, query: &Query, text: &str, words: u64, place: Place<'_>) {
        self.texts += 1;
        self.words += words;
        let Some(found) = query.look(text) else {
            return;
        };
        let hit = Hit {
            shelf: place.shelf,
            path: place.path.clone(),
            chapter: place.chapter,
            title: place.title.map(str::to_owned),
            scene: place.scene,
            score: 0.0,
            count: found.places.len(),
            snippet: snippet(text, &found.places, AROUND),
        };
        self.hits.push((words, found, hit));
    }
}

/// A summary's length to a few percent, without counting it: three bytes are a Han character.
fn rough_words(text: &str) -> u64 {
    text.len() as u64 / 3
}

/// A chapter, read without keeping what is unknown in it: nothing is written back.
fn chapter(reader: &dyn BookReader, path: &RelPath) -> Result<Option<GeneratedChapter>, BookError> {
    let Some(bytes) = reader.read(path)? else {
        return Ok(None);
    };
    if let Ok(chapter) = serde_json::from_slice(&bytes) {
        return Ok(Some(chapter));
    }
    // Whatever is wrong is said by who says it everywhere.
    let document = Document::<GeneratedChapter>::load(reader, path)?;
    Ok(document.map(Document::into_value))
}

/// The names of each person, active or retired.
fn people(reader: &dyn BookReader) -> Result<Vec<Vec<String>>, BookError> {
    let mut people = Vec::new();
    for directory in [layout::characters_dir(), layout::retired_dir()] {
        for name in reader.list_ending(&directory, ".json")? {
            let path = directory.join(&name)?;
            if let Some(character) = Document::<Character>::load(reader, &path)? {
                let Character {
                    display_name,
                    aliases,
                    ..
                } = character.into_value();
                people.push([vec![display_name], aliases].concat());
            }
        }
    }
    Ok(people)
}

/// Brief, world, cast and research, by path.
fn notes(reader: &dyn BookReader) -> Result<Vec<RelPath>, BookError> {
    let mut paths = vec![layout::brief()];
    for directory in [
        layout::characters_dir(),
        layout::retired_dir(),
        layout::research_dir(),
        layout::world_dir(),
    ] {
        for name in reader.list(&directory)? {
            if name.ends_with(".md") || name.ends_with(".json") {
                paths.push(directory.join(&name)?);
            }
        }
    }
    Ok(paths)
}

fn report(query: &Query, looked: Looked, limit: usize) -> SearchReport {
    let Looked { texts, words, hits } = looked;
    let mut found = Vec::with_capacity(hits.len());
    let mut matches = Vec::with_capacity(hits.len());
    for (number, (length, places, hit)) in hits.into_iter().enumerate() {
        matches.push((number, length, places));
        found.push(Some(hit));
    }
    let ranked = rank(query, &matches, texts, words);
    let total = ranked.len();
    let hits = ranked
        .into_iter()
        .take(limit)
        .filter_map(|(number, score)| {
            let hit = found.get_mut(number)?.take()?;
            Some(Hit { score, ..hit })
        })
        .collect();
    SearchReport {
        terms: query.terms().to_vec(),
        total,
        hits,
    }
}

impl SearchReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self) -> contract::SearchAnswer {
        let term = |term: &Term| contract::SearchTerm {
            text: term.text.clone(),
            names: term.names.clone(),
        };
        contract::SearchAnswer {
            terms: self.terms.iter().map(term).collect(),
            total: self.total,
            results: self.hits.iter().map(Hit::answer).collect(),
            warnings: Vec::new(),
        }
    }
}

impl Hit {
    fn answer(&self) -> contract::SearchHit {
        let mark = |range: &Range<usize>| (range.start, range.end);
        contract::SearchHit {
            r#in: match self.shelf {
                Shelf::Chapters => contract::Shelf::Chapters,
                Shelf::Summaries => contract::Shelf::Summaries,
                Shelf::Notes => contract::Shelf::Notes,
            },
            path: self.path.to_string(),
            chapter: self.chapter,
            title: self.title.clone(),
            scene: self.scene,
            score: (self.score * 1000.0).round() / 1000.0,
            count: self.count,
            snippet: self.snippet.text.clone(),
            marks: self.snippet.marks.iter().map(mark).collect(),
        }
    }
}

impl ErrorTable for NoWords {
    fn row(&self) -> Row<'_> {
        let message = message!(en: "there is nothing to search for", zh: "没有要搜索的内容");
        Row::new(FaultKind::Input, "NO_SEARCH_WORDS", message).hint(message!(
            en: "give words, a name, or a phrase: `novel search '\"a phrase\"'`",
            zh: "请给出词语、人名或短语：`novel search '“短语”'`"
        ))
    }
}

use_case_error! {
    /// Why a search finds nothing out.
    pub enum SearchError {
        /// The book cannot be read.
        Book(BookError),
        /// There is nothing to search for.
        NoWords(NoWords),
    }
}
