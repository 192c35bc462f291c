//! The active cast (step 2.3) and whose contracts a chapter needs (step 2.4).

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use novel_model::{
    BookReader, BrokenFile, ChapterNo, Document, Explain, FileError, Message, Problem, RelPath,
    Slug, VolumeNo, decoded,
    files::{ChapterContract, Character},
    layout, message, nearest,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{ContextError, problems_of, summaries};

/// Most characters given when the contract names none.
pub const MAX_CAST: usize = 15;

/// Known names shown when one is unknown.
const NAMES_SHOWN: usize = 30;

/// One active character.
#[derive(Debug, Clone)]
pub struct Member {
    /// The file.
    pub path: RelPath,
    /// What it says.
    pub character: Character,
    text: String,
}

impl Member {
    fn read(reader: &dyn BookReader, path: &RelPath) -> Result<Option<Arc<Self>>, FileError> {
        let Some(text) = reader.text(path)? else {
            return Ok(None);
        };
        let member = decoded(reader.decoded(), path, &text, |text| {
            Ok::<_, BrokenFile>(Self {
                character: Document::parse_value(path, text)?,
                path: path.clone(),
                text: text.to_owned(),
            })
        })?;
        Ok(Some(member))
    }

    /// The contracts as they are written, fields the program does not know included.
    fn written_contracts(&self) -> Vec<Value> {
        #[derive(Deserialize)]
        struct Written {
            #[serde(default)]
            contracts: Vec<Value>,
        }
        serde_json::from_str(&self.text).map_or_else(|_| Vec::new(), |file: Written| file.contracts)
    }
}

/// All active characters. Invariant: no two share a name or an alias.
#[derive(Debug, Clone, Default)]
pub struct Cast {
    members: BTreeMap<Slug, Arc<Member>>,
    by_name: BTreeMap<String, Slug>,
}

impl Cast {
    /// Reads `characters/active/*.json`.
    ///
    /// # Errors
    /// When a file is broken or badly named, or two characters share a name; lists all of it.
    pub fn load(reader: &dyn BookReader) -> Result<Self, ContextError> {
        let directory = layout::characters_dir();
        let mut names = reader.list(&directory)?;
        names.sort_unstable();
        let mut cast = Self::default();
        let mut problems = Vec::new();
        for name in names.iter().filter(|name| !name.starts_with('.')) {
            let Some(stem) = name.strip_suffix(".json") else {
                continue;
            };
            match stem.parse::<Slug>() {
                Ok(slug) => cast.read(reader, slug, &mut problems),
                Err(error) => {
                    let path = directory.join(name).unwrap_or_else(|_| directory.clone());
                    problems.push(bad_file_name(&path, &error));
                }
            }
        }
        ContextError::unless_sound(problems)?;
        Ok(cast)
    }

    fn read(&mut self, reader: &dyn BookReader, slug: Slug, problems: &mut Vec<Problem>) {
        let path = layout::character(&slug);
        let member = match Member::read(reader, &path) {
            Ok(Some(member)) => member,
            Ok(None) => return,
            Err(error) => return problems.extend(problems_of(error)),
        };
        let path = &member.path;
        for (pointer, name) in names_of(&member.character) {
            if name.is_empty() {
                problems.push(empty_name(path, pointer));
                continue;
            }
            match self.by_name.get(name) {
                Some(other) if *other != slug => {
                    problems.push(shared_name(path, pointer, name, &layout::character(other)));
                }
                Some(_) => {}
                None => {
                    self.by_name.insert(name.to_owned(), slug.clone());
                }
            }
        }
        self.members.insert(slug, member);
    }

    /// All members by id.
    pub fn members(&self) -> impl Iterator<Item = (&Slug, &Member)> {
        self.members.iter().map(|(slug, member)| (slug, &**member))
    }

    /// Who goes by this display name or alias.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Slug> {
        self.by_name.get(name.trim())
    }

    /// The member with this id.
    #[must_use]
    pub fn member(&self, id: &Slug) -> Option<&Character> {
        self.members.get(id).map(|member| &member.character)
    }

    /// A character by id, name or alias.
    #[must_use]
    pub fn resolve(&self, said: &str) -> Option<&Slug> {
        let said = said.trim();
        let by_id = self.members.keys().find(|id| id.as_str() == said);
        by_id.or_else(|| self.named(said))
    }

    /// Who is named in a text, by display name or alias, in the order of first mention.
    #[must_use]
    pub fn named_in(&self, text: &str) -> Vec<Slug> {
        let first = |character: &Character| {
            let places = names_of(character).filter_map(|(_, name)| place_of(text, name));
            places.min()
        };
        let mut found: Vec<(usize, &Slug)> = self
            .members
            .iter()
            .filter_map(|(slug, member)| Some((first(&member.character)?, slug)))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, slug)| slug.clone()).collect()
    }

    /// Whose eyes a chapter is told through, if `said` names exactly one known person.
    #[must_use]
    pub fn point_of_view(&self, said: &str) -> Option<Slug> {
        if let Some(slug) = self.resolve(said) {
            return Some(slug.clone());
        }
        match self.named_in(said).as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    /// Other names to ids, by name.
    #[must_use]
    pub fn alias_map(&self) -> Map<String, Value> {
        let aliases = self.by_name.iter().filter(|(name, slug)| {
            let member = self.members.get(*slug);
            member.is_some_and(|member| member.character.display_name.trim() != name.as_str())
        });
        aliases
            .map(|(name, slug)| (name.clone(), json!(slug)))
            .collect()
    }

    /// Id to display name, by id.
    #[must_use]
    pub fn entity_id_map(&self) -> Map<String, Value> {
        let name = |member: &Member| json!(member.character.display_name.trim());
        self.members
            .iter()
            .map(|(slug, member)| (slug.to_string(), name(member)))
            .collect()
    }

    /// The characters whose contracts a chapter needs, most important first: those the contract's
    /// preconditions name (all of them, by id), else the [`MAX_CAST`] seen last.
    ///
    /// # Errors
    /// When the contract names somebody unknown, or a summary cannot be read.
    pub fn select(
        &self,
        reader: &dyn BookReader,
        volume: VolumeNo,
        chapter: ChapterNo,
        contract: &ChapterContract,
    ) -> Result<Vec<Slug>, ContextError> {
        match &contract.preconditions.character_states {
            // An empty object is a word too: nobody in particular.
            Some(states) => self.by_preconditions(&layout::contract(volume, chapter), states),
            None => self.by_last_appearance(reader, chapter),
        }
    }

    fn by_preconditions(
        &self,
        contract: &RelPath,
        states: &Map<String, Value>,
    ) -> Result<Vec<Slug>, ContextError> {
        let mut chosen = BTreeSet::new();
        let mut problems = Vec::new();
        for name in states.keys() {
            match self.named(name) {
                Some(slug) => {
                    chosen.insert(slug.clone());
                }
                None => problems.push(self.unknown_name(contract, name)),
            }
        }
        ContextError::unless_sound(problems)?;
        Ok(chosen.into_iter().collect())
    }

    fn by_last_appearance(
        &self,
        reader: &dyn BookReader,
        chapter: ChapterNo,
    ) -> Result<Vec<Slug>, ContextError> {
        let mut last_seen: BTreeMap<&Slug, u32> = BTreeMap::new();
        for (number, text) in summaries::newest_first(reader, chapter)? {
            for (slug, member) in &self.members {
                let character = &member.character;
                if names_of(character).any(|(_, name)| mentions(&text, name)) {
                    last_seen.entry(slug).or_insert(number.get());
                }
            }
        }
        let mut slugs: Vec<&Slug> = self.members.keys().collect();
        // Never seen counts as oldest.
        slugs.sort_by_key(|slug| (Reverse(last_seen.get(slug).copied().unwrap_or(0)), *slug));
        Ok(slugs.into_iter().take(MAX_CAST).cloned().collect())
    }

    /// The contracts of `selected` that hold in `chapter`, as written in their files.
    #[must_use]
    pub fn contracts(&self, selected: &[Slug], chapter: ChapterNo) -> Value {
        let number = chapter.get();
        let mut by_id = Map::new();
        for (slug, member) in selected
            .iter()
            .filter_map(|slug| self.members.get_key_value(slug))
        {
            let character = &member.character;
            let written = member.written_contracts();
            let holding: Vec<Value> = character
                .contracts
                .iter()
                .zip(written)
                .filter(|(rule, _)| {
                    rule.valid_from_chapter.is_none_or(|first| first <= number)
                        && rule.valid_until.is_none_or(|last| number <= last)
                })
                .map(|(_, written)| written)
                .collect();
            let entry = json!({"display_name": character.display_name, "contracts": holding});
            by_id.insert(slug.to_string(), entry);
        }
        Value::Object(by_id)
    }

    fn unknown_name(&self, contract: &RelPath, name: &str) -> Problem {
        let known: Vec<&str> = self.by_name.keys().map(String::as_str).collect();
        let shown = known.iter().take(NAMES_SHOWN).copied().collect::<Vec<_>>();
        let more = if known.len() > shown.len() {
            ", …"
        } else {
            ""
        };
        let list = format!("{}{more}", shown.join(", "));
        // A slug where a name should be is the likeliest slip.
        let by_slug = name
            .parse::<Slug>()
            .ok()
            .and_then(|slug| self.members.get(&slug));
        let similar = by_slug
            .map(|member| member.character.display_name.as_str())
            .or_else(|| nearest(name, known.iter().copied()));
        let hint = match similar {
            Some(similar) => message!(
                en: "did you mean `{similar}`? Known names: {list}",
                zh: "是否想写 `{similar}`？已知的名字：{list}"
            ),
            None if known.is_empty() => message!(
                en: "there is no character in `characters/active/` yet: add one, or plan this volume with `novel start`",
                zh: "`characters/active/` 中还没有角色：请添加，或用 `novel start` 规划本卷"
            ),
            None => message!(
                en: "add the character to `characters/active/`, or use one of the known names: {list}",
                zh: "请把该角色加入 `characters/active/`，或使用已知的名字：{list}"
            ),
        };
        let token = name.replace('~', "~0").replace('/', "~1");
        let text = message!(
            en: "nobody in `characters/active/` is called `{name}`",
            zh: "`characters/active/` 中没有名为 `{name}` 的角色"
        );
        Problem::new("unknown_character", contract, text)
            .at(format!("/preconditions/character_states/{token}"))
            .hint(hint)
    }
}

/// Every name with its JSON pointer, display name first.
fn names_of(character: &Character) -> impl Iterator<Item = (String, &str)> {
    let aliases = character.aliases.iter().enumerate();
    std::iter::once(("/display_name".to_owned(), character.display_name.trim()))
        .chain(aliases.map(|(index, alias)| (format!("/aliases/{index}"), alias.trim())))
}

/// Whether `name` occurs in `text`; a Latin name not inside a longer word.
fn mentions(text: &str, name: &str) -> bool {
    place_of(text, name).is_some()
}

/// Where `name` first occurs in `text`; a Latin name not inside a longer word.
fn place_of(text: &str, name: &str) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    let joins = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric());
    let (starts, ends) = (joins(name.chars().next()), joins(name.chars().next_back()));
    let places = text.match_indices(name).map(|(at, _)| at);
    places.into_iter().find(|at| {
        let (before, after) = (&text[..*at], &text[at + name.len()..]);
        !(starts && joins(before.chars().next_back()) || ends && joins(after.chars().next()))
    })
}

fn shared_name(path: &RelPath, pointer: String, name: &str, other: &RelPath) -> Problem {
    let text = message!(
        en: "the name `{name}` also belongs to `{other}`",
        zh: "名字 `{name}` 与 `{other}` 重复"
    );
    Problem::new("shared_name", path, text)
        .at(pointer)
        .hint(message!(
            en: "give one of the two another name or alias in `{path}` or `{other}`",
            zh: "请在 `{path}` 或 `{other}` 中为其中一个角色改名或换一个别名"
        ))
}

fn empty_name(path: &RelPath, pointer: String) -> Problem {
    let text = message!(en: "the name is empty", zh: "名字为空");
    Problem::new("empty_name", path, text)
        .at(pointer)
        .hint(message!(
            en: "write the name as in the prose, such as \"林枫\"",
            zh: "请写出正文中使用的名字，例如 \"林枫\""
        ))
}

fn bad_file_name(path: &RelPath, error: &impl Explain) -> Problem {
    let Message { en, zh } = error.message();
    let text = message!(
        en: "the file name must be the character's id: {en}",
        zh: "文件名必须是角色的 id：{zh}"
    );
    Problem::new("bad_file_name", path, text).hint(message!(
        en: "rename it to a slug such as `lin-feng.json`",
        zh: "请改名为 `lin-feng.json` 这样的 slug"
    ))
}
