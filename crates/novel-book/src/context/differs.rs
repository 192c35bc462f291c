//! A contract's preconditions beside the book as it is.

use novel_model::{
    BookReader, Document, Message, Problem, Slug,
    files::{ChapterContract, StoryState},
    layout, message,
};
use serde_json::{Map, Value};

use super::{Cast, ContextError};

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aspect {
    /// Whether somebody lives.
    Alive,
    /// Where somebody is.
    Place,
    /// What somebody has.
    Holds,
}

impl Aspect {
    /// The word in packets.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Alive => "alive",
            Self::Place => "place",
            Self::Holds => "holds",
        }
    }
}

/// Something the contract takes for given and the book does not have so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Who.
    pub character: Slug,
    /// As the contract names them.
    pub name: String,
    /// What.
    pub aspect: Aspect,
    /// What the contract says.
    pub contract: String,
    /// What the book says.
    pub book: String,
    /// Whether no chapter can bridge it: somebody is dead, something is gone.
    pub is_impossible: bool,
}

const DEAD: [&str; 15] = [
    "dead",
    "deceased",
    "died",
    "killed",
    "死亡",
    "已死",
    "已死亡",
    "死",
    "身亡",
    "已身亡",
    "已故",
    "去世",
    "已去世",
    "阵亡",
    "殒命",
];
const GONE: [&str; 13] = [
    "destroyed",
    "gone",
    "burnt",
    "burned",
    "broken up",
    "毁",
    "已毁",
    "被毁",
    "毁坏",
    "销毁",
    "已销毁",
    "烧毁",
    "不复存在",
];
const STATUS: [&str; 4] = ["status", "life_status", "vital_status", "state"];

/// What a contract takes for given about alive, place and holds, beside the state; in the order of the
/// contract. What either of them leaves open is no difference.
///
/// # Errors
/// When the state is damaged.
pub fn differences(
    reader: &dyn BookReader,
    cast: &Cast,
    contract: &ChapterContract,
) -> Result<Vec<Difference>, ContextError> {
    let (Some(wanted), Some(state)) = (
        &contract.preconditions.character_states,
        Document::<StoryState>::load_shared(reader, &layout::state())?,
    ) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for (name, wanted) in wanted {
        // An unknown name is reported where the cast is chosen.
        let (Some(id), Some(wanted)) = (cast.resolve(name), wanted.as_object()) else {
            continue;
        };
        let Some(Value::Object(book)) = state.characters.get(id.as_str()) else {
            continue;
        };
        let difference = |aspect, contract: String, book: String, is_impossible| Difference {
            character: id.clone(),
            name: name.trim().to_owned(),
            aspect,
            contract,
            book,
            is_impossible,
        };
        let (says, is) = (lives(wanted), lives(book));
        let word = |lives: bool| if lives { "alive" } else { "dead" }.to_owned();
        if is == Some(false) {
            // A body stays where it lies; whoever is to be elsewhere, or to have something else, lives.
            let moves = place(wanted)
                .zip(place(book))
                .is_some_and(|(says, is)| !same_place(says, is));
            let gets = holds(wanted).zip(holds(book)).is_some_and(|(says, has)| {
                let has = |thing: &String| has.iter().any(|own| same(own, thing));
                !says.iter().all(has)
            });
            let stays = !moves && !gets;
            if says.unwrap_or(!stays) {
                found.push(difference(Aspect::Alive, word(true), word(false), true));
            }
            continue;
        }
        if says == Some(false) {
            found.push(difference(Aspect::Alive, word(false), word(true), false));
        }
        if let (Some(says), Some(is)) = (place(wanted), place(book))
            && !same_place(says, is)
        {
            found.push(difference(
                Aspect::Place,
                says.to_owned(),
                is.to_owned(),
                false,
            ));
        }
        let has = holds(book);
        for thing in holds(wanted).unwrap_or_default() {
            let Some(has) = &has else { break };
            if has.iter().any(|own| same(own, &thing)) {
                continue;
            }
            let is_gone = is_gone(&state, &thing);
            let book = if is_gone {
                format!("{thing}: gone")
            } else {
                has.join("、")
            };
            found.push(difference(Aspect::Holds, thing, book, is_gone));
        }
    }
    Ok(found)
}

fn word(record: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    let found = keys.iter().find_map(|key| record.get(*key)?.as_str());
    found.map(|text| text.trim().to_lowercase())
}

/// `None` where nothing is said of it.
fn lives(record: &Map<String, Value>) -> Option<bool> {
    let flag = |keys: [&str; 2]| keys.into_iter().find_map(|key| record.get(key)?.as_bool());
    if let Some(status) = word(record, &STATUS) {
        if DEAD.contains(&status.as_str()) {
            return Some(false);
        }
        if matches!(status.as_str(), "alive" | "活着" | "在世") {
            return Some(true);
        }
    }
    flag(["alive", "is_alive"]).or_else(|| flag(["dead", "is_dead"]).map(|dead| !dead))
}

fn place(record: &Map<String, Value>) -> Option<&str> {
    let said = record.get("location").or_else(|| record.get("place"))?;
    said.as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// `None` where nothing is said of it.
fn holds(record: &Map<String, Value>) -> Option<Vec<String>> {
    let said = ["inventory", "holds", "items"];
    let said = said.into_iter().find_map(|key| record.get(key))?;
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Object(thing) => ["name", "display_name", "id"]
            .into_iter()
            .find_map(|key| Some(thing.get(key)?.as_str()?.trim().to_owned())),
        _ => None,
    };
    match said {
        Value::Array(list) => Some(list.iter().filter_map(text).collect()),
        Value::Null => None,
        one => text(one).map(|one| vec![one]),
    }
}

/// Whether two place names are equal, or one contains the other.
fn same_place(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    one.contains(&other) || other.contains(&one)
}

fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// Whether the state says that a thing is no more.
fn is_gone(state: &StoryState, thing: &str) -> bool {
    let is_it = |(id, record): &(&String, &Value)| {
        let named = ["display_name", "name"];
        let mut names = named
            .into_iter()
            .filter_map(|key| record.get(key)?.as_str());
        same(id, thing) || names.any(|name| same(name.trim(), thing))
    };
    let mut items = state.items.iter().filter(is_it);
    items.any(|(_, record)| {
        let record = record.as_object();
        let status = record.and_then(|record| word(record, &STATUS));
        let flag = record.and_then(|record| record.get("exists")?.as_bool());
        flag == Some(false) || status.is_some_and(|status| GONE.contains(&status.as_str()))
    })
}

/// The difference as something that stops the chapter.
#[must_use]
pub fn stops(contract: &novel_model::RelPath, difference: &Difference) -> Problem {
    let Difference {
        name,
        contract: says,
        book,
        ..
    } = difference;
    let key = match difference.aspect {
        Aspect::Alive => "status",
        Aspect::Place => "location",
        Aspect::Holds => "inventory",
    };
    let (code, hint): (&str, Message) = if difference.is_impossible {
        (
            "contract_impossible",
            message!(
                en: "no chapter can bridge this: change the preconditions in `{contract}`, plan the volume again with `novel plan redo`, or take the earlier chapter back with `novel undo`",
                zh: "没有哪一章能弥合这一点：请修改 `{contract}` 的前置状态，用 `novel plan redo` 重新规划，或用 `novel undo` 撤回前面的章节"
            ),
        )
    } else {
        (
            "contract_differs",
            message!(
                en: "change the preconditions in `{contract}`, or set `[contract] differs = \"tell\"` in novel.toml to let the writer bridge it",
                zh: "请修改 `{contract}` 的前置状态，或在 novel.toml 中设 `[contract] differs = \"tell\"`，由写手在章内衔接"
            ),
        )
    };
    let token = name.replace('~', "~0").replace('/', "~1");
    let text = message!(
        en: "{name}, {key}: the contract says `{says}`, the book says `{book}`",
        zh: "{name} 的 {key}：契约写的是 `{says}`，书中是 `{book}`"
    );
    Problem::new(code, contract, text)
        .at(format!("/preconditions/character_states/{token}"))
        .hint(hint)
}

#[cfg(test)]
#[path = "differs_tests.rs"]
mod tests;
