//! Everybody a contract names is known: in the cast, or new with this plan.

use std::collections::{BTreeMap, BTreeSet};

use novel_model::{
    BookReader, Document, Problem, Slug,
    files::{ChapterContract, Character, Relationships},
    layout, message, nearest,
};
use serde_json::Value;

use super::{Plan, load, token, warn};
use novel_book::{
    context::Cast,
    validate::{Findings, read_problem},
};

/// Names listed in a hint.
const NAMES_SHOWN: usize = 12;

/// Returns everybody's names, the display name first.
pub(super) fn check(
    reader: &dyn BookReader,
    plan: &Plan,
    findings: &mut Findings,
) -> Vec<Vec<String>> {
    let cast = match Cast::load(reader) {
        Ok(cast) => cast,
        Err(error) => {
            findings.problems.extend(error.into_problems());
            return Vec::new();
        }
    };
    newcomers(plan, &cast, findings);
    relationships(reader, plan, &cast, findings);
    let members = cast.members().map(|(_, member)| &member.character);
    let old = members.map(|person| names_of(&person.display_name, &person.aliases));
    let new = plan.new.characters.iter();
    let new = new.map(|person| names_of(&person.display_name, &person.aliases));
    let people: Vec<Vec<String>> = old.chain(new).collect();
    let names: BTreeSet<String> = people.iter().flatten().cloned().collect();
    let retired = retired(reader);
    for contract in plan.contracts.iter().map(Document::get) {
        for (pointer, name) in named(contract) {
            if !names.contains(name.trim()) {
                let problem = unknown(name, &names, &retired);
                findings.problems.push(Problem {
                    path: plan.path(contract),
                    ..problem.at(pointer)
                });
            }
        }
    }
    for block in &plan.outline.blocks {
        let pov = block.field("POV").unwrap_or_default();
        let known = names
            .iter()
            .any(|name| !name.is_empty() && pov.contains(name.as_str()));
        if block.number >= plan.of.first.get() && !pov.is_empty() && !known {
            let (number, line) = (block.number, block.line);
            let path = layout::outline(plan.of.volume);
            let text = message!(
                en: "{path}:{line}: the point of view of chapter {number}, `{pov}`, is nobody of the cast",
                zh: "{path}:{line}：第 {number} 章的视角 `{pov}` 不是已登记的角色"
            );
            warn(findings, "unknown_pov", text);
        }
    }
    people
}

fn names_of(display_name: &str, aliases: &[String]) -> Vec<String> {
    std::iter::once(display_name)
        .chain(aliases.iter().map(String::as_str))
        .map(|name| name.trim().to_owned())
        .collect()
}

/// Every name of a contract's conditions, with its pointer.
fn named(contract: &ChapterContract) -> impl Iterator<Item = (String, &String)> {
    let before = contract.preconditions.character_states.iter();
    let before = before.flat_map(|states| states.keys()).map(|name| {
        (
            format!("/preconditions/character_states/{}", token(name)),
            name,
        )
    });
    let after = contract.postconditions.state_changes.keys();
    let after = after.map(|name| {
        (
            format!("/postconditions/state_changes/{}", token(name)),
            name,
        )
    });
    before.chain(after)
}

/// Display names of those who have left, where their files can be read.
fn retired(reader: &dyn BookReader) -> BTreeSet<String> {
    let directory = layout::retired_dir();
    let files = reader.list(&directory).unwrap_or_default();
    files
        .iter()
        .filter_map(|name| reader.text(&directory.join(name).ok()?).ok().flatten())
        .filter_map(|text| serde_json::from_str::<Value>(&text).ok())
        .filter_map(|record| Some(record.get("display_name")?.as_str()?.trim().to_owned()))
        .collect()
}

fn unknown(name: &str, names: &BTreeSet<String>, retired: &BTreeSet<String>) -> Problem {
    let what = if retired.contains(name.trim()) {
        message!(
            en: "`{name}` has left the story (`characters/retired/`)",
            zh: "`{name}` 已经退场（`characters/retired/`）"
        )
    } else {
        message!(
            en: "nobody is called `{name}`: neither in `characters/active/` nor in `new-characters.json`",
            zh: "没有名为 `{name}` 的角色：`characters/active/` 与 `new-characters.json` 中都没有"
        )
    };
    let shown: Vec<&str> = names.iter().take(NAMES_SHOWN).map(String::as_str).collect();
    let more = if names.len() > shown.len() {
        ", …"
    } else {
        ""
    };
    let list = format!("{}{more}", shown.join(", "));
    let hint = match nearest(name, names.iter().map(String::as_str)) {
        Some(similar) => message!(
            en: "did you mean `{similar}`? Known names: {list}",
            zh: "是否想写 `{similar}`？已知的名字：{list}"
        ),
        None => message!(
            en: "add the character to `new-characters.json`, or use one of the known names: {list}",
            zh: "请把该角色加入 `new-characters.json`，或使用已知的名字：{list}"
        ),
    };
    Problem::new("unknown_character", &layout::characters_dir(), what).hint(hint)
}

/// What the plan says of how people stand to each other is about people there are, or were.
fn relationships(reader: &dyn BookReader, plan: &Plan, cast: &Cast, findings: &mut Findings) {
    let path = layout::relationships();
    let Some(relations) = load::<Relationships>(reader, &path, findings) else {
        return;
    };
    let left = match reader.list(&layout::retired_dir()) {
        Ok(left) => left,
        Err(error) => {
            findings.problems.push(read_problem(&error));
            return;
        }
    };
    let known = |id: &Slug| {
        plan.new.characters.iter().any(|person| person.id == *id)
            || cast.members().any(|(slug, _)| slug == id)
            || left.contains(&format!("{id}.json"))
    };
    for (at, relation) in relations.relationships.iter().enumerate() {
        for (key, id) in [("from", &relation.from), ("to", &relation.to)] {
            if !known(id) {
                let what = message!(en: "nobody has the id `{id}`", zh: "没有 id 为 `{id}` 的人");
                let problem = Problem::new("unknown_character", &path, what)
                    .at(format!("/relationships/{at}/{key}"))
                    .hint(message!(
                        en: "take the entry out, or add the person to `new-characters.json`",
                        zh: "请删去这一条，或把此人加入 `new-characters.json`"
                    ));
                findings.problems.push(problem);
            }
        }
    }
}

/// Who is called new is new: no id and no name of the cast again. The commit of this very plan may
/// have been made already; then the files are the newcomers' own.
fn newcomers(plan: &Plan, cast: &Cast, findings: &mut Findings) {
    let path = layout::new_characters(plan.of.volume);
    let known: BTreeMap<&Slug, &Character> = cast
        .members()
        .map(|(slug, member)| (slug, &member.character))
        .collect();
    let mut taken: BTreeMap<String, String> = BTreeMap::new();
    for (at, person) in plan.new.characters.iter().enumerate() {
        let id = &person.id;
        if let Some(other) = known.get(id)
            && other.display_name.trim() != person.display_name.trim()
        {
            let name = &other.display_name;
            let what = message!(
                en: "the id `{id}` already belongs to {name}",
                zh: "id `{id}` 已属于{name}"
            );
            let problem = Problem::new("character_exists", &path, what);
            findings
                .problems
                .push(problem.at(format!("/characters/{at}/id")));
        }
        let names = std::iter::once((
            format!("/characters/{at}/display_name"),
            &person.display_name,
        ))
        .chain(
            person
                .aliases
                .iter()
                .enumerate()
                .map(|(index, alias)| (format!("/characters/{at}/aliases/{index}"), alias)),
        );
        for (pointer, name) in names {
            let name = name.trim();
            if name.is_empty() {
                let what = message!(en: "the name is empty", zh: "名字为空");
                findings
                    .problems
                    .push(Problem::new("empty_name", &path, what).at(pointer));
                continue;
            }
            let owner = cast
                .named(name)
                .filter(|owner| *owner != id)
                .map(ToString::to_string)
                .or_else(|| {
                    taken
                        .get(name)
                        .filter(|owner| **owner != id.as_str())
                        .cloned()
                });
            if let Some(owner) = owner {
                let what = message!(
                    en: "the name `{name}` also belongs to `{owner}`",
                    zh: "名字 `{name}` 与 `{owner}` 重复"
                );
                let problem = Problem::new("shared_name", &path, what).at(pointer);
                findings.problems.push(problem.hint(message!(
                    en: "give one of the two another name",
                    zh: "请为其中一个换名字"
                )));
            }
            taken.insert(name.to_owned(), id.to_string());
        }
    }
}
