//! `novel impact`: which chapters and contracts a change of one thing would touch, with quotations.
//!
//! A later chapter is touched when its writer was shown the thing (worked out from its contract and
//! outline, as its prompt was), when its text names or claims it, or when its facts build on it. Writes
//! nothing and asks nobody.

use std::collections::BTreeSet;

use novel_book::{changelog::Entry, context::Cast};
use novel_contract::library as contract;
use novel_model::{
    BookReader, ChapterNo, Document, Explain, Kind, Lang, Message, Slug, VolumeNo,
    files::{Character, Evaluation, GeneratedChapter, WorldRules},
    layout, message,
};
use novel_steps::{rewrite::Log, volumes::Volumes};
use novel_text::sentences;
use serde_json::Value;

use crate::{Book, BookError, Project, error::use_case_error};

use_case_error! {
    /// Why nothing can be said about a change.
    pub enum ImpactError {
        /// The book cannot be read.
        Book(BookError),
        /// There is no such thing.
        Unknown(NoImpact),
    }
}

/// Quotations shown of one chapter.
const QUOTATIONS: usize = 3;
/// Chapters whose writers are given the summary of a chapter.
const RECENT: u32 = 3;

/// What would change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A character, by id, name or alias.
    Character(String),
    /// A rule of the world, by id.
    Rule(String),
    /// A fact, by its path in the state such as `characters.lin-feng.location`.
    Fact(String),
    /// A chapter of the book.
    Chapter(ChapterNo),
}

/// What a change touches.
#[derive(Debug, Clone, PartialEq)]
pub struct ImpactReport {
    /// The thing, as the book knows it.
    pub subject: String,
    /// Chapters of the book, ascending.
    pub chapters: Vec<TouchedChapter>,
    /// Chapters that are planned and not written, ascending.
    pub contracts: Vec<(ChapterNo, String)>,
}

/// A chapter of the book that the thing is in.
#[derive(Debug, Clone, PartialEq)]
pub struct TouchedChapter {
    /// The chapter.
    pub chapter: ChapterNo,
    /// How it knows the thing: `shown`, `text`, `facts`, `verdict`.
    pub ways: BTreeSet<&'static str>,
    /// Sentences of its text, or what its judge quoted.
    pub quotations: Vec<String>,
}

/// Why nothing can be said.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoImpact {
    /// No character has this id, name or alias.
    #[error("there is no character `{name}`")]
    NoCharacter {
        /// Name or id given on the command line.
        name: String,
    },
    /// `world/rules.json` has no rule with this id.
    #[error("there is no rule `{id}`")]
    NoRule {
        /// Rule id given on the command line.
        id: String,
    },
    /// No chapter has said anything about it.
    #[error("no chapter has changed `{path}`")]
    NoFact {
        /// State path given on the command line.
        path: String,
    },
}

impl Explain for NoImpact {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NoCharacter { .. } => "NO_SUCH_CHARACTER",
            Self::NoRule { .. } => "NO_SUCH_RULE",
            Self::NoFact { .. } => "NO_SUCH_FACT",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::NoCharacter { name } => message!(
                en: "there is no character `{name}`", zh: "没有角色 `{name}`"
            ),
            Self::NoRule { id } => message!(
                en: "there is no rule `{id}` in `world/rules.json`",
                zh: "`world/rules.json` 中没有规则 `{id}`"
            ),
            Self::NoFact { path } => message!(
                en: "no chapter has changed `{path}`", zh: "没有哪一章改动过 `{path}`"
            ),
        }
    }

    fn hint(&self) -> Option<Message> {
        Some(match self {
            Self::NoCharacter { .. } => message!(
                en: "`novel character list` shows the cast", zh: "`novel character list` 列出角色"
            ),
            Self::NoRule { .. } => message!(
                en: "the ids are in `world/rules.json`, such as W-001",
                zh: "规则编号见 `world/rules.json`，如 W-001"
            ),
            Self::NoFact { .. } => message!(
                en: "use a path from `state/current-state.json`, such as `characters.lin-feng.location`",
                zh: "请用 `state/current-state.json` 中的路径，如 `characters.lin-feng.location`"
            ),
        })
    }
}

/// What a change of `subject` touches. Writes nothing.
///
/// # Errors
/// When there is no such thing, or a file is damaged.
pub fn impact(project: &Project, subject: &Subject) -> Result<ImpactReport, ImpactError> {
    project.look(|view| {
        let cast = Cast::load(view.reader())?;
        let survey = Survey {
            reader: view.reader(),
            cast: &cast,
            log: Log::read(view.reader())?.entries,
            volumes: volumes(view)?,
            last: view.checkpoint.get().last_completed_chapter,
            planned: planned(view)?,
        };
        match subject {
            Subject::Character(name) => survey.character(name),
            Subject::Rule(id) => survey.rule(id),
            Subject::Fact(path) => survey.fact(path),
            Subject::Chapter(chapter) => survey.chapter(view, *chapter),
        }
    })
}

/// Volume of every chapter, as its contract says.
fn volumes(view: &Book<'_>) -> Result<Volumes, ImpactError> {
    Ok(Volumes::load(
        view.reader(),
        view.checkpoint.get().current_volume,
    )?)
}

/// Contracts of the current volume that are not written yet.
fn planned(view: &Book<'_>) -> Result<Vec<(ChapterNo, String)>, ImpactError> {
    let volume = view.checkpoint.get().current_volume;
    let next = view.checkpoint.get().next_chapter();
    let directory = layout::contracts_dir(volume);
    let mut found = Vec::new();
    for name in view.reader().list(&directory)? {
        let number = name
            .strip_prefix("chapter-")
            .and_then(|name| name.strip_suffix(".json"))
            .and_then(|number| number.parse::<ChapterNo>().ok());
        if let Some(chapter) = number.filter(|chapter| *chapter >= next)
            && let Some(text) = view.reader().text(&layout::contract(volume, chapter))?
        {
            found.push((chapter, text));
        }
    }
    found.sort();
    Ok(found)
}

struct Survey<'a> {
    reader: &'a dyn BookReader,
    cast: &'a Cast,
    log: Vec<Entry>,
    volumes: Volumes,
    last: u32,
    planned: Vec<(ChapterNo, String)>,
}

impl Survey<'_> {
    fn written(&self, after: u32) -> impl Iterator<Item = ChapterNo> + use<> {
        (after + 1..=self.last).filter_map(ChapterNo::new)
    }

    fn contract_text(&self, chapter: ChapterNo) -> Result<String, ImpactError> {
        let (volume, _): (VolumeNo, bool) = self.volumes.of(chapter.get());
        let text = self.reader.text(&layout::contract(volume, chapter))?;
        Ok(text.unwrap_or_default())
    }

    fn sentences(
        &self,
        chapter: ChapterNo,
        has: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, ImpactError> {
        let path = layout::chapter_json(chapter);
        let text = Document::<GeneratedChapter>::load(self.reader, &path)?;
        let mut found = Vec::new();
        for scene in text.iter().flat_map(|text| &text.get().scenes) {
            for sentence in sentences(&scene.content) {
                if has(sentence) {
                    found.push(sentence.trim().to_owned());
                }
            }
        }
        Ok(found)
    }

    /// Paths in the state that a chapter changed.
    fn ops(&self, wanted: ChapterNo) -> Vec<String> {
        let lines = self.log.iter().filter_map(|entry| match entry {
            Entry::Delta { chapter, ops, .. } if *chapter == wanted => Some(ops),
            _ => None,
        });
        let paths = lines.flatten().filter_map(|op| {
            let path = op.op.get("path").and_then(Value::as_str);
            path.map(str::to_owned)
        });
        paths.collect()
    }

    fn character(&self, name: &str) -> Result<ImpactReport, ImpactError> {
        let id = name
            .parse::<Slug>()
            .ok()
            .filter(|id| self.cast.member(id).is_some())
            .or_else(|| self.cast.resolve(name).cloned())
            .ok_or_else(|| NoImpact::NoCharacter {
                name: name.to_owned(),
            })?;
        let path = layout::character(&id);
        let record = Document::<Character>::load(self.reader, &path)?;
        let mut names = vec![];
        if let Some(record) = &record {
            names.push(record.get().display_name.trim().to_owned());
            names.extend(
                record
                    .get()
                    .aliases
                    .iter()
                    .map(|name| name.trim().to_owned()),
            );
        }
        names.retain(|name| !name.is_empty());
        let names_it = |text: &str| names.iter().any(|name| text.contains(name.as_str()));
        let subject_of = format!("characters.{id}");
        self.gather(
            &format!("{id} ({})", names.join(" / ")),
            0,
            |chapter| {
                let mut found = Found::default();
                let contract = self.contract_text(chapter)?;
                if contract.contains(id.as_str()) || names_it(&contract) {
                    found.way("shown");
                }
                if self
                    .ops(chapter)
                    .iter()
                    .any(|path| is_below(path, &subject_of))
                {
                    found.way("facts");
                }
                found.quote("text", self.sentences(chapter, names_it)?);
                Ok(found)
            },
            |text| text.contains(id.as_str()) || names_it(text),
        )
    }

    fn rule(&self, id: &str) -> Result<ImpactReport, ImpactError> {
        let rules = Document::<WorldRules>::load(self.reader, &layout::world_rules())?;
        let rule = rules
            .iter()
            .flat_map(|rules| &rules.get().rules)
            .find(|rule| rule.id.eq_ignore_ascii_case(id))
            .cloned()
            .ok_or_else(|| NoImpact::NoRule { id: id.to_owned() })?;
        let since = rule
            .introduced_chapter
            .map_or(0, |chapter| chapter.saturating_sub(1));
        let terms = novel_story::plan::terms(&rule.rule);
        let claims = |text: &str| {
            let shared = terms
                .iter()
                .filter(|term| text.contains(term.as_str()))
                .count();
            shared >= 2
        };
        let subject = format!("{}: {}", rule.id, rule.rule);
        self.gather(
            &subject,
            since,
            |chapter| {
                let mut found = Found::default();
                // Every writer is given the rules of the world.
                found.way("shown");
                let path = layout::evaluation(chapter);
                if let Some(evaluation) = Document::<Evaluation>::load(self.reader, &path)? {
                    let quoted = quoted_about(evaluation.raw(), &rule.id);
                    found.quote("verdict", quoted);
                }
                found.quote("text", self.sentences(chapter, claims)?);
                // What was only shown to everybody says nothing about this chapter.
                if found.quotations.is_empty() {
                    found.ways.clear();
                }
                Ok(found)
            },
            |text| text.contains(&rule.id) || claims(text),
        )
    }

    fn fact(&self, path: &str) -> Result<ImpactReport, ImpactError> {
        let first = self
            .written(0)
            .find(|chapter| self.ops(*chapter).iter().any(|it| is_below(it, path)))
            .ok_or_else(|| NoImpact::NoFact {
                path: path.to_owned(),
            })?;
        let mut parts = path.split('.');
        let subject = parts.nth(1).unwrap_or(path).to_owned();
        let names = self.names_of(&subject)?;
        let names_it = |text: &str| names.iter().any(|name| text.contains(name.as_str()));
        self.gather(
            path,
            first.get() - 1,
            |chapter| {
                let mut found = Found::default();
                if self.contract_text(chapter)?.contains(&subject) {
                    found.way("shown");
                }
                if self.ops(chapter).iter().any(|it| is_below(it, path)) {
                    found.way("facts");
                }
                if found.ways.is_empty() {
                    return Ok(found);
                }
                found.quote("text", self.sentences(chapter, names_it)?);
                Ok(found)
            },
            |text| text.contains(&subject),
        )
    }

    fn names_of(&self, id: &str) -> Result<Vec<String>, ImpactError> {
        let member = id
            .parse::<Slug>()
            .ok()
            .and_then(|id| self.cast.member(&id).cloned());
        Ok(match member {
            Some(person) => {
                let mut names = vec![person.display_name.trim().to_owned()];
                names.extend(person.aliases.iter().cloned());
                names.retain(|name| !name.is_empty());
                names
            }
            None => vec![id.to_owned()],
        })
    }

    fn chapter(&self, view: &Book<'_>, chapter: ChapterNo) -> Result<ImpactReport, ImpactError> {
        let text = novel_steps::reports::committed(self.reader, view.checkpoint.get(), chapter)?;
        let title = text.get().chapter_title.clone();
        let own: Vec<String> = self.ops(chapter);
        let subjects: BTreeSet<String> = own
            .iter()
            .filter_map(|path| path.split('.').nth(1).map(str::to_owned))
            .collect();
        let mut names = Vec::new();
        for subject in &subjects {
            names.extend(self.names_of(subject)?);
        }
        let names_it = |text: &str| names.iter().any(|name| text.contains(name.as_str()));
        let subject = format!("{} {title}", chapter.get());
        self.gather(
            &subject,
            chapter.get(),
            |later| {
                let mut found = Found::default();
                // The writers of the next chapters were given its summary, the next one its end too.
                if later.get() - chapter.get() <= RECENT {
                    found.way("shown");
                }
                let same = |path: &String| own.iter().any(|own| own == path);
                if self.ops(later).iter().any(same) {
                    found.way("facts");
                    found.quote("text", self.sentences(later, names_it)?);
                }
                Ok(found)
            },
            |text| subjects.iter().any(|subject| text.contains(subject)),
        )
    }

    fn gather(
        &self,
        subject: &str,
        after: u32,
        look: impl Fn(ChapterNo) -> Result<Found, ImpactError>,
        in_contract: impl Fn(&str) -> bool,
    ) -> Result<ImpactReport, ImpactError> {
        let mut chapters = Vec::new();
        for chapter in self.written(after) {
            let found = look(chapter)?;
            if !found.ways.is_empty() {
                chapters.push(TouchedChapter {
                    chapter,
                    ways: found.ways,
                    quotations: found.quotations,
                });
            }
        }
        let planned = self.planned.iter().filter(|(_, text)| in_contract(text));
        Ok(ImpactReport {
            subject: subject.to_owned(),
            chapters,
            contracts: planned
                .map(|(chapter, _)| {
                    let (volume, _) = self.volumes.of(chapter.get());
                    (*chapter, layout::contract(volume, *chapter).to_string())
                })
                .collect(),
        })
    }
}

/// What a chapter has of the thing.
#[derive(Default)]
struct Found {
    ways: BTreeSet<&'static str>,
    quotations: Vec<String>,
}

impl Found {
    fn way(&mut self, way: &'static str) {
        self.ways.insert(way);
    }

    fn quote(&mut self, way: &'static str, quotations: Vec<String>) {
        if !quotations.is_empty() {
            self.ways.insert(way);
        }
        let room = QUOTATIONS.saturating_sub(self.quotations.len());
        self.quotations.extend(quotations.into_iter().take(room));
    }
}

/// Whether a path is the other one, or below it.
fn is_below(path: &str, other: &str) -> bool {
    path.strip_prefix(other)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// What an evaluation quotes where it names an id.
fn quoted_about(value: &Value, id: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect_quotes(value, id, &mut found);
    found
}

fn collect_quotes(value: &Value, id: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            let names = map.values().any(|value| value.as_str() == Some(id));
            let quote = ["evidence", "quote", "quotation"]
                .iter()
                .find_map(|key| map.get(*key).and_then(Value::as_str));
            if let (true, Some(quote)) = (names, quote.filter(|quote| !quote.trim().is_empty())) {
                found.push(quote.trim().to_owned());
            }
            for value in map.values() {
                collect_quotes(value, id, found);
            }
        }
        Value::Array(values) => {
            for value in values {
                collect_quotes(value, id, found);
            }
        }
        _ => {}
    }
}

impl ImpactReport {
    /// The answer of the command.
    #[must_use]
    pub fn answer(&self, _lang: Lang) -> contract::ImpactAnswer {
        contract::ImpactAnswer {
            subject: self.subject.clone(),
            chapters: self
                .chapters
                .iter()
                .map(|touched| contract::TouchedChapter {
                    chapter: touched.chapter,
                    ways: touched.ways.iter().map(|way| (*way).to_owned()).collect(),
                    quotations: touched.quotations.clone(),
                })
                .collect(),
            contracts: self
                .contracts
                .iter()
                .map(|(chapter, path)| contract::UnwrittenContract {
                    chapter: *chapter,
                    path: path.clone(),
                })
                .collect(),
            warnings: Vec::new(),
        }
    }
}
