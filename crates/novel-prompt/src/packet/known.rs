//! What the book remembers for a chapter, as far as the chapter may know it: passages of earlier
//! chapters, secrets, and where contract and book differ.

use std::collections::BTreeMap;

use novel_book::{
    config::ContractDiffers,
    context::{
        Cast, ContextError, Difference, Knowledge, Standing, differences, hidden_part, people,
        stops,
    },
    plans::Heads,
    recall::{Digests, Passage, Wanted, recall},
};
use novel_model::{
    BookReader, ChapterNo, Document, Lang, Slug,
    files::{ChapterContract, StoryState, Truth},
    layout,
};
use novel_text::DataKind;
use serde_json::{Map, Value, json};

use super::{fields::Fields, sources::Need};

/// Tokens of all recalled passages together.
const RECALL_TOKENS: u64 = 2_000;

impl Fields<'_> {
    /// What contract and book say differently. A chapter nobody can write is not begun.
    pub(super) fn contract_differs(&mut self) {
        // Of a chapter that is not due the state says nothing yet.
        if self.book.checkpoint.next_chapter() != self.chapter {
            return;
        }
        let (Some(cast), Some(contract)) = (self.cast(), self.contract().cloned()) else {
            return;
        };
        let found = differences(self.book.reader, &cast, &contract);
        let found = self.sources.keep(found).unwrap_or_default();
        let path = layout::contract(self.volume, self.chapter);
        let policy = self.book.config.contract.differs;
        for difference in &found {
            if difference.is_impossible || policy == ContractDiffers::Stop {
                self.sources.problem(stops(&path, difference));
            }
        }
        if found.is_empty() {
            return;
        }
        let shown: Vec<Value> = found
            .iter()
            .map(|it| {
                json!({"character": it.name, "about": it.aspect.word(), "contract": it.contract,
                    "book": it.book, "differs": policy.word()})
            })
            .collect();
        let lang = self.book.config.lang();
        let lines: Vec<String> = found
            .iter()
            .map(|it| differs_line(it, policy, lang))
            .collect();
        let field = "contract_differs";
        let kind = DataKind::Reference;
        self.sources
            .computed_as(field, kind, path.as_str(), shown.into(), &lines.join("\n"));
    }

    /// What the writer may know of the truth: by the point of view.
    pub(super) fn secrets(&mut self) {
        let (Some(cast), Some(on_stage)) = (self.cast(), self.on_stage()) else {
            return;
        };
        let pov = self.point_of_view();
        let name = |id: &Slug| {
            cast.member(id)
                .map_or_else(|| id.to_string(), |it| it.display_name.trim().to_owned())
        };
        let (mut values, mut lines) = (Vec::new(), Vec::new());
        let lang = self.book.config.lang();
        if let Some(filtered) = self.filtered_truth() {
            for told in &filtered.secrets {
                let (standing, known_by) = match &told.standing {
                    Standing::Known => ("known", Vec::new()),
                    Standing::InContract => ("in_contract", Vec::new()),
                    Standing::ReaderKnows => ("reader_knows", Vec::new()),
                    Standing::NotToBeTold(others) => {
                        ("not_to_be_told", others.iter().map(name).collect())
                    }
                };
                lines.push(secret_line(standing, &known_by, &told.fact, lang));
                values.push(json!({"id": told.id, "fact": told.fact, "standing": standing, "known_by": known_by}));
            }
            for (id, belief) in &filtered.beliefs {
                let who = name(id);
                lines.push(match lang {
                    Lang::Zh => format!("- {who}以为：{belief}"),
                    Lang::En => format!("- {who} believes: {belief}"),
                });
                values.push(json!({"character": who, "belief": belief}));
            }
            for how in &filtered.clues {
                lines.push(match lang {
                    Lang::Zh => format!("- 本章要留下的线索：{how}"),
                    Lang::En => format!("- clue this chapter leaves: {how}"),
                });
                values.push(json!({"clue": how}));
            }
        }
        // What people hide is known to them alone.
        if let Some(pov) = &pov {
            let others: Vec<Slug> = on_stage.iter().filter(|id| *id != pov).cloned().collect();
            let found = people(self.book.reader, &cast, &others);
            for person in self.sources.keep(found).unwrap_or_default() {
                let (_, hidden) = hidden_part(person.profile.as_deref().unwrap_or_default());
                let known_by = vec![person.name.clone()];
                for fact in hidden {
                    lines.push(secret_line("not_to_be_told", &known_by, &fact, lang));
                    values.push(
                        json!({"fact": fact, "standing": "not_to_be_told", "known_by": known_by}),
                    );
                }
            }
        }
        if !values.is_empty() {
            let (kind, path) = (DataKind::Reference, layout::truth());
            self.sources.computed_as(
                "secrets",
                kind,
                path.as_str(),
                values.into(),
                &lines.join("\n"),
            );
        }
    }

    /// All of the truth, for those who plan and judge.
    pub(super) fn truth(&mut self) {
        let path = layout::truth();
        let truth = self
            .sources
            .json::<Truth>("truth", DataKind::Reference, &path, Need::Optional);
        if truth.is_some()
            && let Some(cast) = self.cast()
        {
            let sound = Knowledge::load(self.book.reader, &cast);
            self.sources.keep(sound);
        }
    }

    fn filtered_truth(&mut self) -> Option<novel_book::context::Filtered> {
        let (cast, on_stage) = (self.cast()?, self.on_stage()?);
        let pov = self.point_of_view();
        let contract = self.context.as_ref()?.contract.raw().to_string();
        let loaded = Knowledge::load(self.book.reader, &cast);
        let knowledge = self.sources.keep(loaded).flatten()?;
        Some(knowledge.for_writer(self.chapter, pov.as_ref(), &on_stage, &contract))
    }

    /// Passages of earlier chapters about what contract and outline name. `given` are texts the agent
    /// has word for word anyway.
    pub(super) fn recalled_passages(&mut self, given: &[String]) {
        let (Some(cast), Some(on_stage)) = (self.cast(), self.on_stage()) else {
            return;
        };
        let withheld = self
            .filtered_truth()
            .map(|it| it.withheld)
            .unwrap_or_default();
        let pov = self.point_of_view();
        let (reader, digests, chapter) = (self.book.reader, self.book.digests, self.chapter);
        let Some((threads, _)) = self.foreshadowing() else {
            return;
        };
        let Some(context) = &self.context else {
            return;
        };
        let contract = context.contract.get().clone();
        let promised: Vec<&str> = contract
            .postconditions
            .foreshadowing_updates
            .keys()
            .filter_map(|id| {
                let mut facts = threads.foreshadowing.iter();
                let fact = facts.find(|item| item.id.as_str() == id);
                fact.map(|item| item.description.as_str())
            })
            .collect();
        let plan = plan_text(&contract, &context.outline.block, &promised);
        let mut named: Vec<Vec<String>> = on_stage
            .iter()
            .filter_map(|id| cast.member(id))
            .map(|person| {
                let names = std::iter::once(&person.display_name).chain(&person.aliases);
                names.cloned().collect()
            })
            .collect();
        let state = Document::<StoryState>::load_shared(reader, &layout::state());
        let state = self.sources.keep(state).flatten();
        named.extend(things(state.as_deref(), &plan));
        let wanted = Wanted {
            chapter,
            plan: &plan,
            named,
            given,
            withheld: &withheld,
            tokens: RECALL_TOKENS,
        };
        let mut witness = Witness {
            reader,
            digests,
            cast: &cast,
            heads: Heads::new(reader, &digests.plans, self.volume),
            line: &contract.storyline_id,
            pov: pov.as_ref(),
        };
        let found = recall(reader, digests, &wanted, |earlier| {
            witness.may_know(earlier)
        });
        let passages = self.sources.keep(found).unwrap_or_default();
        let lang = self.book.config.lang();
        let values: Vec<Value> = passages
            .iter()
            .map(|it| json!({"chapter": it.chapter.get(), "about": it.about, "text": it.text}))
            .collect();
        if !values.is_empty() {
            let lines: Vec<String> = passages.iter().map(|it| passage_line(it, lang)).collect();
            let kind = DataKind::ChapterContent;
            let source = layout::chapters_dir();
            let field = "recalled_passages";
            self.sources.computed_as(
                field,
                kind,
                source.as_str(),
                values.into(),
                &lines.join("\n"),
            );
        }
    }
}

/// Whether the people of a line, or the point of view, were there.
struct Witness<'a> {
    reader: &'a dyn BookReader,
    digests: &'a Digests,
    cast: &'a Cast,
    heads: Heads<'a>,
    line: &'a Slug,
    pov: Option<&'a Slug>,
}

impl Witness<'_> {
    fn may_know(&mut self, chapter: ChapterNo) -> Result<bool, ContextError> {
        // A chapter no outline has, such as an imported one, is of no line.
        let Some(head) = self.heads.of(chapter)? else {
            return Ok(true);
        };
        if head.storyline.is_empty() || head.storyline == self.line.as_str() {
            return Ok(true);
        }
        let Some(pov) = self.pov else {
            return Ok(false);
        };
        if self.cast.point_of_view(&head.pov).as_ref() == Some(pov) {
            return Ok(true);
        }
        let plans = &self.digests.plans;
        let names = plans.counted_on(self.reader, head.volume, chapter)?;
        Ok(names
            .iter()
            .any(|name| self.cast.resolve(name) == Some(pov)))
    }
}

/// What a contract and an outline block speak of, without their keys, and what is promised.
fn plan_text(contract: &ChapterContract, block: &str, promised: &[&str]) -> String {
    let mut said: Vec<String> = contract
        .objectives
        .iter()
        .map(|goal| goal.description.clone())
        .collect();
    said.extend(contract.acceptance_criteria.iter().cloned());
    let states = [
        contract.preconditions.character_states.as_ref(),
        Some(&contract.postconditions.state_changes),
    ];
    for state in states.into_iter().flatten().flat_map(Map::values) {
        strings(state, &mut said);
    }
    if let Some(function) = &contract.function {
        said.extend(function.scene_goals.iter().cloned());
        said.extend(function.payoff.iter().chain(&function.hook).cloned());
    }
    for line in block.lines() {
        let told = line.trim_start().strip_prefix("- **");
        let value = told
            .and_then(|told| told.split_once(':'))
            .map(|(_, value)| value);
        said.push(
            value
                .unwrap_or(line)
                .trim_start_matches('#')
                .trim()
                .to_owned(),
        );
    }
    said.extend(promised.iter().map(|text| (*text).to_owned()));
    said.join("\n")
}

fn strings(value: &Value, said: &mut Vec<String>) {
    match value {
        Value::String(text) => said.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|inner| strings(inner, said)),
        Value::Object(map) => map.values().for_each(|inner| strings(inner, said)),
        _ => {}
    }
}

/// The things, places and factions of the state that a plan names, each by all its names; and the places
/// the plan itself marks as such.
fn things(state: Option<&StoryState>, plan: &str) -> Vec<Vec<String>> {
    let mut named: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let kinds = state
        .into_iter()
        .flat_map(|state| [&state.items, &state.locations, &state.factions]);
    for (id, entity) in kinds.flatten() {
        let single = ["display_name", "name"]
            .into_iter()
            .filter_map(|key| entity.get(key)?.as_str());
        let aliases = entity.get("aliases").and_then(Value::as_array);
        let aliases = aliases.into_iter().flatten().filter_map(Value::as_str);
        let names: Vec<String> = single.chain(aliases).map(str::to_owned).collect();
        let is_there = |name: &String| !name.trim().is_empty() && plan.contains(name.trim());
        if names.iter().any(is_there) || plan.contains(id.as_str()) {
            let mut names = names;
            names.push(id.clone());
            named.insert(id.clone(), names);
        }
    }
    let held = state
        .into_iter()
        .flat_map(|state| state.characters.values());
    for entity in held {
        let list = entity.get("inventory").and_then(Value::as_array);
        for thing in list.into_iter().flatten().filter_map(Value::as_str) {
            let thing = thing.trim();
            if !thing.is_empty() && plan.contains(thing) {
                named
                    .entry(thing.to_owned())
                    .or_insert_with(|| vec![thing.to_owned()]);
            }
        }
    }
    named.into_values().collect()
}

fn passage_line(passage: &Passage, lang: Lang) -> String {
    let number = passage.chapter.get();
    let lines = passage.text.lines().map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    match lang {
        Lang::Zh => format!("【第 {number} 章】{}", lines.concat()),
        Lang::En => format!("[chapter {number}] {}", lines.join(" ")),
    }
}

fn secret_line(standing: &str, known_by: &[String], fact: &str, lang: Lang) -> String {
    let fact = fact.split_whitespace().collect::<Vec<_>>().join(" ");
    match (lang, standing) {
        (Lang::Zh, "known") => format!("- 视角人物知道：{fact}"),
        (Lang::En, "known") => format!("- the point of view knows: {fact}"),
        (Lang::Zh, "in_contract") => format!("- 本章契约要写到：{fact}"),
        (Lang::En, "in_contract") => format!("- the contract brings up: {fact}"),
        (Lang::Zh, "reader_knows") => format!("- 读者已经知道：{fact}"),
        (Lang::En, "reader_knows") => format!("- the reader knows: {fact}"),
        (Lang::Zh, _) => format!(
            "- 不可说破（not to be told），只有{}知道，视角人物不知道：{fact}",
            known_by.join("、")
        ),
        (Lang::En, _) => format!(
            "- not to be told (known to {}, not to the point of view): {fact}",
            known_by.join(", ")
        ),
    }
}

fn differs_line(difference: &Difference, policy: ContractDiffers, lang: Lang) -> String {
    let Difference {
        name,
        contract,
        book,
        ..
    } = difference;
    let about = difference.aspect.word();
    match (lang, policy) {
        (Lang::Zh, ContractDiffers::Book) => {
            format!("- {name}（{about}）：以书中的“{book}”为准，契约里的“{contract}”作废")
        }
        (Lang::En, ContractDiffers::Book) => {
            format!(
                "- {name} ({about}): `{book}` as in the book holds; `{contract}` of the contract is void"
            )
        }
        (Lang::Zh, _) => format!(
            "- {name}（{about}）：书中是“{book}”，契约要求“{contract}”；从书中的情形起笔，在章内衔接过去"
        ),
        (Lang::En, _) => {
            format!(
                "- {name} ({about}): `{book}` in the book, `{contract}` in the contract; begin with the book and bridge the two"
            )
        }
    }
}

/// A profile without what its person hides.
pub(super) fn open_profile(profile: &str) -> String {
    hidden_part(profile).0
}

/// Where everybody is and what they want, for a plan.
pub(super) fn people_now(
    reader: &dyn BookReader,
    cast: &Cast,
    lang: Lang,
) -> Result<Vec<(Value, String)>, ContextError> {
    const WANTS: [&str; 8] = [
        "goal", "goals", "wants", "want", "desire", "intent", "目标", "想要",
    ];
    let state = Document::<StoryState>::load_value(reader, &layout::state())?;
    let mut parts = Vec::new();
    for (id, member) in cast.members() {
        let record = state.as_ref().and_then(|it| it.characters.get(id.as_str()));
        let said = |keys: &[&str]| {
            let found = keys.iter().find_map(|key| record?.get(*key));
            found.map(|value| match value {
                Value::String(text) => text.trim().to_owned(),
                other => other.to_string(),
            })
        };
        let contracts = member.character.contracts.iter();
        let mut by_contract = contracts.filter(|rule| {
            let kind = rule.kind.to_lowercase();
            ["goal", "motivation", "desire", "want"]
                .iter()
                .any(|word| kind.contains(word))
        });
        let profile = reader
            .text(&layout::character_profile(id))?
            .unwrap_or_default();
        let wants = said(&WANTS)
            .or_else(|| by_contract.next().map(|rule| rule.rule.clone()))
            .or_else(|| wanted_in(&profile));
        let value = json!({"id": id, "display_name": member.character.display_name.trim(),
            "location": said(&["location", "place"]), "status": said(&["status", "life_status"]),
            "emotional_state": said(&["emotional_state"]), "wants": wants});
        let text = |key: &str| {
            value[key].as_str().unwrap_or(match lang {
                Lang::Zh => "未提及",
                Lang::En => "not said",
            })
        };
        let (name, at, wants) = (text("display_name"), text("location"), text("wants"));
        let line = match lang {
            Lang::Zh => format!(
                "- {name}（{id}）：在{at}；{}；想要：{wants}",
                text("emotional_state")
            ),
            Lang::En => format!(
                "- {name} ({id}): at {at}; {}; wants: {wants}",
                text("emotional_state")
            ),
        };
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        parts.push((value, line));
    }
    Ok(parts)
}

/// What a profile says somebody wants.
fn wanted_in(profile: &str) -> Option<String> {
    const KEYS: [&str; 7] = [
        "目标",
        "想要",
        "欲望",
        "动机",
        "goal",
        "wants",
        "motivation",
    ];
    profile.lines().find_map(|line| {
        let entry = line.trim_start_matches(['-', '*', '#', ' ']);
        let (key, value) = entry.split_once(['：', ':'])?;
        let key = key.trim_matches(['*', ' ']).to_lowercase();
        let is_key = key.chars().count() <= 12 && KEYS.iter().any(|word| key.contains(word));
        let value = value.trim_matches(['*', ' ']);
        (is_key && !value.is_empty()).then(|| value.to_owned())
    })
}
