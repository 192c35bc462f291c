//! Checks of a volume's plan before the author sees it: every problem listed, each at its place.
//!
//! The reader shows the book as it would be with the plan in place. What the program can prove wrong
//! is a problem; what is merely unusual is a warning.

mod cast;
mod chain;
mod lines;
mod seeds;

pub(super) use chain::carried;
pub use lines::MOST_STORYLINES;

use std::collections::{BTreeMap, BTreeSet};

use novel_model::{
    BookReader, ChapterNo, Document, FileError, Format, Lang, Problem, RelPath, VolumeNo, Warning,
    files::{
        ChapterContract, ForeshadowPlan, Foreshadowing, NewCharacters, StoryState,
        StorylineSchedule, Storylines, WorldRules,
    },
    layout, message,
};
use novel_text::{Outline, parse_outline};

use super::Outlook;
use novel_book::{
    context::{ChapterContext, VolumeBounds},
    validate::{Findings, file_problems, read_problem},
};

/// Which part of a volume a plan covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// To its end.
    Whole,
    /// Some chunks; more will follow.
    Begun,
}

/// Which plan is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanOf {
    /// The volume.
    pub volume: VolumeNo,
    /// The first chapter of the volume, written or not.
    pub volume_first: ChapterNo,
    /// The first chapter of the plan; those before it are written, or planned and kept.
    pub first: ChapterNo,
    /// How much of the volume is planned.
    pub extent: Extent,
    /// The language of the book.
    pub lang: Lang,
}

/// A plan, looked over.
#[derive(Debug)]
pub struct PlanReport {
    /// What was found.
    pub findings: Findings,
    /// First and last chapter of the outline.
    pub bounds: Option<VolumeBounds>,
    /// The cast the plan introduces.
    pub new_characters: NewCharacters,
}

/// Looks a plan over.
pub fn check_plan(reader: &dyn BookReader, of: PlanOf) -> PlanReport {
    let mut findings = Findings::default();
    let path = layout::outline(of.volume);
    let outline = match reader.text(&path) {
        Ok(Some(text)) => parse_outline(&text),
        Ok(None) => {
            findings.problems.push(missing(&path));
            return PlanReport::without_outline(findings);
        }
        Err(error) => {
            findings.problems.push(read_problem(&error));
            return PlanReport::without_outline(findings);
        }
    };
    numbers(&path, &outline, of, &mut findings);
    let mut plan = Plan::load(reader, of, outline, &mut findings);
    strays(reader, &plan, &mut findings);
    titles(&plan, &mut findings);
    objective_ids(&plan, &mut findings);
    world_rules(reader, &plan, &mut findings);
    plan.names = cast::check(reader, &plan, &mut findings);
    lines::check(&plan, &mut findings);
    seeds::check(&plan, &mut findings);
    chain::check(&plan, &mut findings);
    dedup(&mut findings.problems);
    PlanReport {
        bounds: VolumeBounds::of(&plan.outline),
        new_characters: plan.new,
        findings,
    }
}

impl PlanReport {
    fn without_outline(findings: Findings) -> Self {
        Self {
            findings,
            bounds: None,
            new_characters: NewCharacters::default(),
        }
    }
}

/// A plan with everything it is held against.
struct Plan {
    of: PlanOf,
    outline: Outline,
    /// The sound contracts of chapters that are not written, in order.
    contracts: Vec<Document<ChapterContract>>,
    schedule: Option<StorylineSchedule>,
    seeds: ForeshadowPlan,
    new: NewCharacters,
    storylines: Option<Storylines>,
    /// As the chapters before the plan leave it.
    state: StoryState,
    facts: Foreshadowing,
    /// Everybody's names, the display name first.
    names: Vec<Vec<String>>,
}

impl Plan {
    fn load(
        reader: &dyn BookReader,
        of: PlanOf,
        outline: Outline,
        findings: &mut Findings,
    ) -> Self {
        let mut contracts = Vec::new();
        let mut seen = BTreeSet::new();
        for block in &outline.blocks {
            let Some(chapter) = ChapterNo::new(block.number).filter(|it| seen.insert(*it)) else {
                continue;
            };
            match ChapterContext::load(reader, of.volume, chapter, of.lang) {
                Ok(context) if chapter >= of.first => contracts.push(context.contract),
                Ok(_) => {}
                Err(error) => {
                    findings.problems.extend(error.into_problems());
                    // One run shows all faults: what can be read of it is checked further.
                    let path = layout::contract(of.volume, chapter);
                    if let Ok(Some(contract)) = Document::load(reader, &path)
                        && chapter >= of.first
                    {
                        contracts.push(contract);
                    }
                }
            }
        }
        contracts.sort_by_key(|contract| contract.get().chapter);
        let volume = of.volume;
        let schedule = layout::schedule(volume);
        let seeds = layout::foreshadowing_plan(volume);
        let new = layout::new_characters(volume);
        let outlook = Outlook::load(reader, volume, of.first).unwrap_or_else(|error| {
            findings.problems.extend(error.into_problems());
            Outlook {
                state: StoryState::initial(),
                foreshadowing: Foreshadowing::default(),
            }
        });
        Self {
            of,
            outline,
            contracts,
            schedule: load(reader, &schedule, findings),
            seeds: load(reader, &seeds, findings).unwrap_or_default(),
            new: load(reader, &new, findings).unwrap_or_default(),
            storylines: load(reader, &layout::storylines(), findings),
            state: outlook.state,
            facts: outlook.foreshadowing,
            names: Vec::new(),
        }
    }

    /// The file of a contract.
    fn path(&self, contract: &ChapterContract) -> RelPath {
        layout::contract(self.of.volume, contract.chapter)
    }

    /// The chapters of the outline.
    fn bounds(&self) -> Option<(u32, u32)> {
        self.outline.bounds()
    }
}

fn load<T: Format>(reader: &dyn BookReader, path: &RelPath, findings: &mut Findings) -> Option<T> {
    let loaded: Result<Option<Document<T>>, FileError> = Document::load(reader, path);
    match loaded {
        Ok(document) => document.map(Document::into_value),
        Err(error) => {
            findings.problems.extend(file_problems(&error));
            None
        }
    }
}

fn missing(path: &RelPath) -> Problem {
    Problem::new(
        "missing",
        path,
        message!(en: "the file is missing", zh: "缺少该文件"),
    )
}

/// One JSON pointer token.
fn token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn dedup(problems: &mut Vec<Problem>) {
    let mut seen: Vec<Problem> = Vec::new();
    problems.retain(|problem| {
        let new = !seen.contains(problem);
        if new {
            seen.push(problem.clone());
        }
        new
    });
}

/// Chapters follow the newest committed one without a gap.
fn numbers(path: &RelPath, outline: &Outline, of: PlanOf, findings: &mut Findings) {
    let first = of.first.get();
    if !outline.blocks.iter().any(|block| block.number >= first) {
        let what = if outline.blocks.is_empty() {
            message!(en: "the outline has no chapter headings", zh: "大纲中没有章标题")
        } else {
            message!(
                en: "the outline has no chapter from {first} on",
                zh: "大纲中没有第 {first} 章及以后的章"
            )
        };
        let problem = Problem::new("no_chapters", path, what);
        findings.problems.push(problem);
    }
    // Chapters that are written may stand before the plan.
    let written = outline
        .blocks
        .first()
        .is_some_and(|block| block.number < first);
    let mut expected = if written {
        of.volume_first.get()
    } else {
        first
    };
    for block in &outline.blocks {
        if block.number != expected {
            let found = block.number;
            let what = if found > expected {
                let absent = match found - 1 {
                    last if last == expected => expected.to_string(),
                    last => format!("{expected}–{last}"),
                };
                message!(
                    en: "chapter {found} is where chapter {expected} should be: chapter {absent} is missing",
                    zh: "此处应为第 {expected} 章，实际是第 {found} 章：缺少第 {absent} 章"
                )
            } else {
                message!(
                    en: "chapter {found} is where chapter {expected} should be",
                    zh: "此处应为第 {expected} 章，实际是第 {found} 章"
                )
            };
            let hint = message!(
                en: "number the new chapters from {first} on, without a gap",
                zh: "请从第 {first} 章起依次编号，中间不留空缺"
            );
            findings.problems.push(
                Problem::new("chapter_gap", path, what)
                    .at_line(block.line)
                    .hint(hint),
            );
        }
        expected = block.number.saturating_add(1);
    }
}

/// Contracts for chapters the outline does not have.
fn strays(reader: &dyn BookReader, plan: &Plan, findings: &mut Findings) {
    let directory = layout::contracts_dir(plan.of.volume);
    let names = match reader.list(&directory) {
        Ok(names) => names,
        Err(error) => return findings.problems.push(read_problem(&error)),
    };
    let (first, last) = plan.bounds().unwrap_or_default();
    for name in names {
        let number = name
            .strip_prefix("chapter-")
            .and_then(|rest| rest.strip_suffix(".json"))
            .and_then(|digits| digits.parse::<ChapterNo>().ok());
        let planned = number.is_some_and(|number| {
            number < plan.of.first || plan.outline.block(number.get()).is_some()
        });
        if let (false, Ok(path)) = (planned, directory.join(&name)) {
            let what = message!(
                en: "the outline has no chapter for this contract; it has chapters {first} to {last}",
                zh: "大纲中没有与该契约对应的章，大纲有第 {first} 至 {last} 章"
            );
            let hint = message!(
                en: "add the chapter to the outline, or remove the contract",
                zh: "请在大纲中补上该章，或删除该契约"
            );
            findings
                .problems
                .push(Problem::new("stray_contract", &path, what).hint(hint));
        }
    }
}

/// A contract may carry the title too; then it is the outline's.
fn titles(plan: &Plan, findings: &mut Findings) {
    for contract in &plan.contracts {
        let number = contract.get().chapter.get();
        let Some(block) = plan.outline.block(number) else {
            continue;
        };
        for key in ["chapter_title", "title"] {
            let said = contract.raw().get(key).and_then(serde_json::Value::as_str);
            let Some(said) = said
                .map(str::trim)
                .filter(|said| *said != block.title.trim())
            else {
                continue;
            };
            let (title, line) = (&block.title, block.line);
            let outline = layout::outline(plan.of.volume);
            let what = message!(
                en: "the contract calls the chapter `{said}`, the outline ({outline}:{line}) `{title}`",
                zh: "契约中的章名是 `{said}`，大纲（{outline}:{line}）中是 `{title}`"
            );
            let path = plan.path(contract.get());
            findings
                .problems
                .push(Problem::new("wrong_title", &path, what).at(format!("/{key}")));
        }
    }
}

/// An objective is named by its id alone in verdicts, so no two chapters may share one.
fn objective_ids(plan: &Plan, findings: &mut Findings) {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for contract in plan.contracts.iter().map(Document::get) {
        let number = contract.chapter.get();
        for (at, objective) in contract.objectives.iter().enumerate() {
            let id = objective.id.as_str();
            match seen.get(id) {
                Some(other) if *other != number => {
                    let what = message!(
                        en: "the id `{id}` is already used by chapter {other}",
                        zh: "id `{id}` 已用于第 {other} 章"
                    );
                    let index = at + 1;
                    let hint = message!(
                        en: "write `OBJ-{number}-{index}`, for example",
                        zh: "例如写成 `OBJ-{number}-{index}`"
                    );
                    let problem = Problem::new("duplicate_id", &plan.path(contract), what);
                    let pointer = format!("/objectives/{at}/id");
                    findings.problems.push(problem.at(pointer).hint(hint));
                }
                Some(_) => {}
                None => {
                    seen.insert(id, number);
                }
            }
        }
    }
}

/// Rules a chapter leans on exist.
fn world_rules(reader: &dyn BookReader, plan: &Plan, findings: &mut Findings) {
    let Some(rules) = load::<WorldRules>(reader, &layout::world_rules(), findings) else {
        return;
    };
    for contract in plan.contracts.iter().map(Document::get) {
        for (at, id) in contract
            .preconditions
            .required_world_rules
            .iter()
            .enumerate()
        {
            if rules.rules.iter().any(|rule| rule.id == *id) {
                continue;
            }
            let what = message!(
                en: "`world/rules.json` has no rule `{id}`",
                zh: "`world/rules.json` 中没有规则 `{id}`"
            );
            let known: Vec<&str> = rules.rules.iter().map(|rule| rule.id.as_str()).collect();
            let (en, zh) = (known.join(", "), known.join("、"));
            let pointer = format!("/preconditions/required_world_rules/{at}");
            findings.problems.push(
                Problem::new("unknown_rule", &plan.path(contract), what)
                    .at(pointer)
                    .hint(message!(en: "known rules: {en}", zh: "已有的规则：{zh}")),
            );
        }
    }
}

fn warn(findings: &mut Findings, code: &'static str, text: novel_model::Message) {
    findings.warnings.push(Warning::new(code, text));
}
