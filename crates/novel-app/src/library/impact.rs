//! `novel impact`: which chapters and contracts a change of one thing would touch, with quotations.
//!
//! A later chapter rests on a thing when its text claims it (a sentence that names both the subject and what
//! is said of it), when its facts build on it, or when its writer was shown it: the end and the summary of
//! the chapter before, passages recalled from it, facts in force. What the writer was shown is worked out as
//! its prompt was. Chapters that rest on it most stand first. Writes nothing and asks nobody.

mod claims;

use std::collections::{BTreeMap, BTreeSet};

use novel_book::{changelog::Entry, context::Cast};
use novel_contract::library as contract;
use novel_model::{
    BookReader, ChapterNo, ChapterStage, Document, Explain, Kind, Lang, Message, Slug, StepId,
    Warning,
    files::{Evaluation, Foreshadowing, GeneratedChapter, WorldRules},
    layout, message,
};
use novel_prompt::packet::{self, Request};
use novel_steps::{rewrite::Log, volumes::Volumes};
use novel_story::ledger::Ledger;
use novel_text::sentences;
use serde_json::Value;

use self::claims::{Called, Claim, path_of};
use crate::{Book, BookError, Project, error::use_case_error, revise::rewrite::moment};

use_case_error! {
    /// Why nothing can be said about a change.
    pub enum ImpactError {
        /// The book cannot be read.
        Book(BookError),
        /// There is no such thing.
        Unknown(NoImpact),
    }
}

/// Grounds shown of one chapter.
const GROUNDS: usize = 5;
/// Chapters whose writers are given the summary of a chapter.
const RECENT: u32 = 3;
/// Later chapters whose packet is worked out again for what was recalled.
const MOST_PACKETS: u32 = 60;

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
    /// Chapters of the book, those that rest on it most first.
    pub chapters: Vec<TouchedChapter>,
    /// Chapters that are planned and not written, ascending.
    pub contracts: Vec<TouchedContract>,
    /// What was not looked at.
    pub warnings: Vec<Warning>,
}

/// A contract of a chapter that is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TouchedContract {
    /// Planned chapter of the contract.
    pub chapter: ChapterNo,
    /// Path of the contract in the project.
    pub path: String,
    /// What of the thing it rests on.
    pub because: Vec<String>,
}

/// One reason why a chapter is touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ground {
    /// `text`, `facts`, `verdict`, or what its writer was shown: `tail`, `summary`, `recalled`, `state`.
    pub way: &'static str,
    /// What it is about: a path in the state, a name, an id.
    pub of: String,
    /// The chapter the passage stands in.
    pub stands_in: ChapterNo,
    /// The passage; empty where there is none to show.
    pub quotation: String,
}

impl Ground {
    /// How much a chapter rests on the thing by this.
    const fn weight(&self) -> u32 {
        match self.way.as_bytes() {
            b"text" => 6,
            b"facts" | b"verdict" => 4,
            b"recalled" => 3,
            b"tail" => 2,
            _ => 1,
        }
    }
}

/// A chapter of the book that the thing is in.
#[derive(Debug, Clone, PartialEq)]
pub struct TouchedChapter {
    /// Written chapter that rests on the thing.
    pub chapter: ChapterNo,
    /// How it knows the thing: `shown`, `text`, `facts`, `verdict`.
    pub ways: BTreeSet<&'static str>,
    /// Passages of its own text, or what its judge quoted.
    pub quotations: Vec<String>,
    /// Why, the strongest first.
    pub grounds: Vec<Ground>,
    /// How much it rests on the thing.
    pub weight: u32,
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
        let ledger = Ledger::load(view.reader())?;
        let survey = Survey {
            project,
            view,
            called: Called {
                cast: &cast,
                ledger: &ledger,
            },
            log: Log::read(view.reader())?.entries,
            volumes: Volumes::load(view.reader(), view.checkpoint.get().current_volume)?,
            last: view.checkpoint.get().last_completed_chapter,
        };
        match subject {
            Subject::Character(name) => survey.character(name),
            Subject::Rule(id) => survey.rule(id),
            Subject::Fact(path) => survey.fact(path),
            Subject::Chapter(chapter) => survey.chapter(*chapter),
        }
    })
}

struct Survey<'a> {
    project: &'a Project,
    view: &'a Book<'a>,
    called: Called<'a>,
    log: Vec<Entry>,
    volumes: Volumes,
    last: u32,
}

impl Survey<'_> {
    fn reader(&self) -> &dyn BookReader {
        self.view.reader()
    }

    fn written(&self, after: u32) -> impl Iterator<Item = ChapterNo> + use<> {
        (after + 1..=self.last).filter_map(ChapterNo::new)
    }

    /// The contract and the outline block of a chapter.
    fn plan_of(&self, chapter: ChapterNo) -> Result<String, ImpactError> {
        let (volume, _) = self.volumes.of(chapter.get());
        let text = self.reader().text(&layout::contract(volume, chapter))?;
        Ok(text.unwrap_or_default())
    }

    fn scenes(&self, chapter: ChapterNo) -> Result<Vec<String>, ImpactError> {
        let path = layout::chapter_json(chapter);
        let text = Document::<GeneratedChapter>::load_value(self.reader(), &path)?;
        let scenes = text.map(|text| text.scenes).unwrap_or_default();
        Ok(scenes.into_iter().map(|scene| scene.content).collect())
    }

    /// Paths in the state that a chapter changed.
    fn ops(&self, wanted: ChapterNo) -> BTreeMap<String, Option<String>> {
        let lines = self.log.iter().filter_map(|entry| match entry {
            Entry::Delta { chapter, ops, .. } if *chapter == wanted => Some(ops),
            _ => None,
        });
        let text = |op: &Value, key: &str| op.get(key).and_then(Value::as_str).map(str::to_owned);
        let paths = lines
            .flatten()
            .filter_map(|op| Some((text(&op.op, "path")?, text(&op.op, "evidence"))));
        paths.collect()
    }

    /// What a chapter's text claims, and which facts in force its plan speaks of.
    fn claimed(
        &self,
        chapter: ChapterNo,
        claims: &[Claim],
        found: &mut Found,
    ) -> Result<(), ImpactError> {
        let scenes = self.scenes(chapter)?;
        let plan = self.plan_of(chapter)?;
        for claim in claims.iter().filter(|claim| claim.holds_before(chapter)) {
            let mut passages = scenes.iter().flat_map(|scene| claim.passages(scene));
            if let Some(passage) = passages.next() {
                found.ground("text", &claim.path, chapter, passage);
            } else if let (true, Some(from)) = (claim.is_about(&plan), claim.from) {
                let evidence = claim.evidence.as_deref().unwrap_or_default();
                found.ground("state", &claim.path, from, evidence);
            }
        }
        Ok(())
    }

    /// Facts a chapter recorded on top of some.
    fn built_on(&self, chapter: ChapterNo, is_of: impl Fn(&str) -> bool, found: &mut Found) {
        for (path, evidence) in self.ops(chapter) {
            if is_of(&path) {
                found.ground("facts", &path, chapter, evidence.as_deref().unwrap_or(""));
            }
        }
    }

    fn character(&self, name: &str) -> Result<ImpactReport, ImpactError> {
        let cast = self.called.cast;
        let id = name
            .parse::<Slug>()
            .ok()
            .filter(|id| cast.member(id).is_some())
            .or_else(|| cast.resolve(name).cloned())
            .ok_or_else(|| NoImpact::NoCharacter {
                name: name.to_owned(),
            })?;
        let names = self.called.names(id.as_str());
        let of_them = format!("characters.{id}");
        let claims = self
            .called
            .claims(|fact| path_of(fact).starts_with(&format!("{of_them}.")));
        let named = Claim::thing(of_them.clone(), ChapterNo::first(), names.clone());
        self.gather(
            &format!("{id} ({})", names.join(" / ")),
            0,
            |chapter| {
                let mut found = Found::default();
                self.claimed(chapter, &claims, &mut found)?;
                self.built_on(chapter, |path| is_below(path, &of_them), &mut found);
                // A sentence that says nothing else of them shows that they are there.
                if !found.has("text") {
                    let scenes = self.scenes(chapter)?;
                    let mut passages = scenes.iter().flat_map(|scene| named.passages(scene));
                    if let Some(passage) = passages.next() {
                        found.ground("text", &of_them, chapter, passage);
                    }
                }
                if named.is_about(&self.plan_of(chapter)?) {
                    found.way("shown");
                }
                Ok(found)
            },
            |plan| {
                let said = claims
                    .iter()
                    .filter(|claim| claim.holds_now() && claim.is_said(plan));
                let mut because: Vec<String> = said.map(|claim| claim.path.clone()).collect();
                if because.is_empty() && named.is_about(plan) {
                    because.push(of_them.clone());
                }
                because
            },
        )
    }

    fn rule(&self, id: &str) -> Result<ImpactReport, ImpactError> {
        let rules = Document::<WorldRules>::load(self.reader(), &layout::world_rules())?;
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
        let shared = |text: &str| {
            let found = terms.iter().filter(|term| text.contains(term.as_str()));
            found.count()
        };
        let subject = format!("{}: {}", rule.id, rule.rule);
        self.gather(
            &subject,
            since,
            |chapter| {
                let mut found = Found::default();
                let path = layout::evaluation(chapter);
                if let Some(evaluation) = Document::<Evaluation>::load(self.reader(), &path)? {
                    for quoted in quoted_about(evaluation.raw(), &rule.id) {
                        found.ground("verdict", &rule.id, chapter, &quoted);
                    }
                }
                let scenes = self.scenes(chapter)?;
                let sentences = scenes.iter().flat_map(|scene| sentences(scene));
                let mut claiming: Vec<(usize, &str)> = sentences
                    .map(|sentence| (shared(sentence), sentence.trim()))
                    .filter(|(count, _)| *count >= 2)
                    .collect();
                claiming.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
                for (_, sentence) in claiming.into_iter().take(2) {
                    found.ground("text", &rule.id, chapter, sentence);
                }
                // Every writer is given the rules; that alone says nothing about a chapter.
                if !found.grounds.is_empty() {
                    found.way("shown");
                }
                Ok(found)
            },
            |plan| {
                let rests = plan.contains(&rule.id) || shared(plan) >= 2;
                rests.then(|| rule.id.clone()).into_iter().collect()
            },
        )
    }

    fn fact(&self, path: &str) -> Result<ImpactReport, ImpactError> {
        let is_of = |other: &str| is_below(other, path);
        let first = self
            .written(0)
            .find(|chapter| self.ops(*chapter).keys().any(|it| is_of(it)))
            .ok_or_else(|| NoImpact::NoFact {
                path: path.to_owned(),
            })?;
        let claims = self.called.claims(|fact| is_of(&path_of(fact)));
        self.gather(
            path,
            first.get() - 1,
            |chapter| {
                let mut found = Found::default();
                self.claimed(chapter, &claims, &mut found)?;
                self.built_on(chapter, is_of, &mut found);
                Ok(found)
            },
            |plan| {
                let said = claims
                    .iter()
                    .filter(|claim| claim.holds_now() && claim.is_said(plan));
                let paths: BTreeSet<String> = said.map(|claim| claim.path.clone()).collect();
                paths.into_iter().collect()
            },
        )
    }

    fn chapter(&self, chapter: ChapterNo) -> Result<ImpactReport, ImpactError> {
        let checkpoint = self.view.checkpoint.get();
        let text = novel_steps::reports::committed(self.reader(), checkpoint, chapter)?;
        let title = text.get().chapter_title.clone();
        let mut claims = self.called.claims(|fact| fact.from == Some(chapter));
        claims.extend(self.things_of(chapter));
        let threads = self.threads_of(chapter)?;
        let own: BTreeSet<String> = claims.iter().map(|claim| claim.path.clone()).collect();
        let tail = text.get().scenes.last();
        let tail = tail.and_then(|scene| {
            sentences(&scene.content)
                .last()
                .map(|it| it.trim().to_owned())
        });
        let mut report = self.gather(
            &format!("{} {title}", chapter.get()),
            chapter.get(),
            |later| {
                let mut found = Found::default();
                // The writers of the next chapters were given its summary, the next one its end too.
                let distance = later.get() - chapter.get();
                if let (1, Some(tail)) = (distance, &tail) {
                    found.ground("tail", &title, chapter, tail);
                }
                if distance <= RECENT {
                    let summary = self.reader().text(&layout::summary(chapter))?;
                    let first = summary.as_deref().and_then(first_point);
                    found.ground("summary", &title, chapter, first.unwrap_or_default());
                } else if distance <= MOST_PACKETS {
                    for passage in self.recalled(later, chapter) {
                        found.ground("recalled", &title, chapter, &passage);
                    }
                }
                self.claimed(later, &claims, &mut found)?;
                // The same field again says what it was before; a thread goes on from where it was.
                let goes_on = |path: &str| own.contains(path) || threads.contains_key(path);
                self.built_on(later, goes_on, &mut found);
                Ok(found)
            },
            |plan| {
                let said = claims
                    .iter()
                    .filter(|claim| claim.holds_now() && claim.is_said(plan));
                let paths: BTreeSet<String> = said.map(|claim| claim.path.clone()).collect();
                let named = threads.iter().filter(|(id, description)| {
                    plan.contains(id.as_str())
                        || !description.is_empty() && plan.contains(description.as_str())
                });
                paths
                    .into_iter()
                    .chain(named.map(|(id, _)| id.clone()))
                    .collect()
            },
        )?;
        if self.last > chapter.get() + MOST_PACKETS {
            let beyond = chapter.get() + MOST_PACKETS + 1;
            report.warnings.push(Warning::new(
                "recall_not_looked_at",
                message!(
                    en: "what was recalled for chapter {beyond} and later ones was not worked out; their texts and facts were read",
                    zh: "第 {beyond} 章起未推算召回片段，只查了正文与事实"
                ),
            ));
        }
        Ok(report)
    }

    /// Items, places and factions that come into the record with a chapter.
    fn things_of(&self, chapter: ChapterNo) -> Vec<Claim> {
        let mut first: BTreeMap<(&str, &str), Option<ChapterNo>> = BTreeMap::new();
        for fact in &self.called.ledger.facts {
            let key = (fact.section.as_str(), fact.subject.as_str());
            first.entry(key).or_insert(fact.from);
        }
        let new = first.into_iter().filter(|((section, _), from)| {
            ["items", "locations", "factions"].contains(section) && *from == Some(chapter)
        });
        new.map(|((section, id), _)| {
            Claim::thing(format!("{section}.{id}"), chapter, self.called.names(id))
        })
        .collect()
    }

    /// Foreshadowing a chapter planted, advanced or resolved, with what it is.
    fn threads_of(&self, chapter: ChapterNo) -> Result<BTreeMap<String, String>, ImpactError> {
        let all = Document::<Foreshadowing>::load_value(self.reader(), &layout::foreshadowing())?;
        let items = all.map(|all| all.foreshadowing).unwrap_or_default();
        let own = items.into_iter().filter(|item| {
            let mut events = item.history.iter();
            events.any(|event| event.chapter == chapter)
        });
        Ok(own
            .map(|item| (item.id.to_string(), item.description))
            .collect())
    }

    /// Passages of a chapter that the writer of a later one was reminded of, as its packet is made. A
    /// chapter without a plan, such as an imported one, has no packet.
    fn recalled(&self, later: ChapterNo, of: ChapterNo) -> Vec<String> {
        let (volume, _) = self.volumes.of(later.get());
        let then = moment(&self.view.checkpoint, later, volume);
        let source = self.project.files(self.reader(), then.get());
        let step = StepId::Chapter(later, ChapterStage::Draft);
        let Ok(packet) = packet::build(source, Request::new(step)) else {
            return Vec::new();
        };
        let passages = packet.manifest.inline.get("recalled_passages");
        let passages = passages.and_then(Value::as_array).into_iter().flatten();
        passages
            .filter(|passage| passage["chapter"] == of.get())
            .filter_map(|passage| passage["text"].as_str().map(str::to_owned))
            .collect()
    }

    fn gather(
        &self,
        subject: &str,
        after: u32,
        look: impl Fn(ChapterNo) -> Result<Found, ImpactError>,
        in_plan: impl Fn(&str) -> Vec<String>,
    ) -> Result<ImpactReport, ImpactError> {
        let mut chapters = Vec::new();
        for chapter in self.written(after) {
            let found = look(chapter)?;
            if !found.ways.is_empty() {
                chapters.push(found.into_touched(chapter));
            }
        }
        chapters.sort_by_key(|touched| (std::cmp::Reverse(touched.weight), touched.chapter));
        Ok(ImpactReport {
            subject: subject.to_owned(),
            chapters,
            contracts: self.planned(in_plan)?,
            warnings: Vec::new(),
        })
    }

    /// Contracts of the current volume that are not written yet and rest on the thing.
    fn planned(
        &self,
        in_plan: impl Fn(&str) -> Vec<String>,
    ) -> Result<Vec<TouchedContract>, ImpactError> {
        let checkpoint = self.view.checkpoint.get();
        let (volume, next) = (checkpoint.current_volume, checkpoint.next_chapter());
        let mut found = Vec::new();
        for name in self.reader().list(&layout::contracts_dir(volume))? {
            let number = name
                .strip_prefix("chapter-")
                .and_then(|name| name.strip_suffix(".json"))
                .and_then(|number| number.parse::<ChapterNo>().ok());
            let Some(chapter) = number.filter(|chapter| *chapter >= next) else {
                continue;
            };
            let path = layout::contract(volume, chapter);
            let because = in_plan(&self.reader().text(&path)?.unwrap_or_default());
            if !because.is_empty() {
                let path = path.to_string();
                found.push(TouchedContract {
                    chapter,
                    path,
                    because,
                });
            }
        }
        found.sort_by_key(|touched| touched.chapter);
        Ok(found)
    }
}

/// What a chapter has of the thing.
#[derive(Default)]
struct Found {
    ways: BTreeSet<&'static str>,
    grounds: Vec<Ground>,
}

impl Found {
    fn way(&mut self, way: &'static str) {
        self.ways.insert(way);
    }

    fn has(&self, way: &str) -> bool {
        self.ways.contains(way)
    }

    fn ground(&mut self, way: &'static str, of: &str, stands_in: ChapterNo, quotation: &str) {
        self.way(match way {
            "text" | "facts" | "verdict" => way,
            _ => "shown",
        });
        let quotation = quotation.trim().to_owned();
        let is_known = |ground: &Ground| ground.way == way && ground.of == of;
        if !self.grounds.iter().any(is_known) || way == "recalled" {
            self.grounds.push(Ground {
                way,
                of: of.to_owned(),
                stands_in,
                quotation,
            });
        }
    }

    fn into_touched(mut self, chapter: ChapterNo) -> TouchedChapter {
        self.grounds
            .sort_by_key(|it| std::cmp::Reverse(it.weight()));
        let weight = self.grounds.iter().map(Ground::weight).sum();
        let own = self.grounds.iter().filter(|ground| {
            let is_of_it = matches!(ground.way, "text" | "facts" | "verdict");
            is_of_it && ground.stands_in == chapter && !ground.quotation.is_empty()
        });
        let mut quotations: Vec<String> = Vec::new();
        for ground in own.take(GROUNDS) {
            if !quotations.contains(&ground.quotation) {
                quotations.push(ground.quotation.clone());
            }
        }
        self.grounds.truncate(GROUNDS);
        TouchedChapter {
            chapter,
            ways: self.ways,
            quotations,
            grounds: self.grounds,
            weight,
        }
    }
}

/// The first event a summary lists.
fn first_point(summary: &str) -> Option<&str> {
    summary.lines().find_map(|line| line.strip_prefix("- "))
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
    pub fn answer(&self, lang: Lang) -> contract::ImpactAnswer {
        let ground = |ground: &Ground| contract::Ground {
            way: ground.way.to_owned(),
            of: ground.of.clone(),
            stands_in: ground.stands_in,
            quotation: ground.quotation.clone(),
        };
        contract::ImpactAnswer {
            subject: self.subject.clone(),
            chapters: self
                .chapters
                .iter()
                .map(|touched| contract::TouchedChapter {
                    chapter: touched.chapter,
                    ways: touched.ways.iter().map(|way| (*way).to_owned()).collect(),
                    quotations: touched.quotations.clone(),
                    grounds: touched.grounds.iter().map(ground).collect(),
                    weight: touched.weight,
                })
                .collect(),
            contracts: self
                .contracts
                .iter()
                .map(|touched| contract::UnwrittenContract {
                    chapter: touched.chapter,
                    path: touched.path.clone(),
                    because: touched.because.clone(),
                })
                .collect(),
            warnings: novel_contract::warnings(&self.warnings, lang),
        }
    }
}
