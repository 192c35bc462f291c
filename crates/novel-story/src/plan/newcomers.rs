//! The people a plan brings, written out by the character-weaver: whom it is asked for, what is
//! wrong with its answer, and what the answer becomes.
//!
//! Ids and names are the plan's, whose chapters already speak of them; profile, contracts, further
//! names and relationships are the weaver's.

use novel_model::{
    BookReader, ChapterNo, Document, FileError, Message, Problem, RelPath, Slug, VolumeNo,
    files::{
        CastAnswer, ChapterContract, NewCharacter, NewCharacters, PlanDraft, Relationship,
        Relationships,
    },
    layout, message,
};
use novel_text::parse_outline;

use super::{Files, cast::without_contract, is_complete};
use novel_book::context::{Cast, ContextError};

/// Whether the people of a staged plan are still to be written out. A plan made by hand has no
/// draft: its people are the author's own.
///
/// # Errors
/// When a file of the plan cannot be read.
pub fn is_unwoven(reader: &dyn BookReader, volume: VolumeNo) -> Result<bool, FileError> {
    let draft = Document::<PlanDraft>::load(reader, &layout::plan_draft(volume))?;
    let open = draft.is_some_and(|draft| !draft.get().woven);
    Ok(open
        && is_complete(reader, volume)?
        && staged_people(reader, volume)?.is_some_and(|new| !new.get().characters.is_empty()))
}

fn staged_people(
    reader: &dyn BookReader,
    volume: VolumeNo,
) -> Result<Option<Document<NewCharacters>>, FileError> {
    Document::load(reader, &layout::staged(&layout::new_characters(volume)))
}

/// The blocks of the staged outline that speak of somebody new, or whose contract does.
///
/// # Errors
/// When a file of the plan cannot be read.
pub fn chapters_with(
    reader: &dyn BookReader,
    volume: VolumeNo,
    new: &NewCharacters,
) -> Result<String, FileError> {
    let names: Vec<&str> = new
        .characters
        .iter()
        .flat_map(|person| std::iter::once(&person.display_name).chain(&person.aliases))
        .map(|name| name.trim())
        .filter(|name| !name.is_empty())
        .collect();
    let outline = reader.text(&layout::staged(&layout::outline(volume)))?;
    let mut text = String::new();
    for block in parse_outline(&outline.unwrap_or_default()).blocks {
        let in_outline = names.iter().any(|name| block.text.contains(name));
        if in_outline || in_contract(reader, volume, block.number, &names)? {
            text.push_str(block.text.trim_end());
            text.push_str("\n\n");
        }
    }
    Ok(text)
}

fn in_contract(
    reader: &dyn BookReader,
    volume: VolumeNo,
    chapter: u32,
    names: &[&str],
) -> Result<bool, FileError> {
    let Some(chapter) = ChapterNo::new(chapter) else {
        return Ok(false);
    };
    let path = layout::staged(&layout::contract(volume, chapter));
    let contract = Document::<ChapterContract>::load(reader, &path)?;
    let before = contract.and_then(|contract| {
        contract
            .into_value()
            .preconditions
            .character_states
            .map(|states| states.keys().any(|name| names.contains(&name.trim())))
    });
    Ok(before.unwrap_or(false))
}

/// A staged plan's people, and the cast they come into.
pub struct Newcomers {
    volume: VolumeNo,
    people: Document<NewCharacters>,
    draft: Document<PlanDraft>,
    relations: Document<Relationships>,
    cast: Cast,
}

impl Newcomers {
    /// Reads them; `None` when nobody is to be written out.
    ///
    /// # Errors
    /// When a file of the plan or of the cast is broken.
    pub fn load(reader: &dyn BookReader, volume: VolumeNo) -> Result<Option<Self>, ContextError> {
        let draft = Document::load(reader, &layout::plan_draft(volume))?;
        let (Some(people), Some(draft)) = (staged_people(reader, volume)?, draft) else {
            return Ok(None);
        };
        let relations = Document::load(reader, &layout::relationships())?;
        Ok(Some(Self {
            volume,
            people,
            draft,
            relations: relations.unwrap_or_else(|| Document::new(Relationships::default())),
            cast: Cast::load(reader)?,
        }))
    }

    fn asked(&self) -> &[NewCharacter] {
        &self.people.get().characters
    }

    fn knows(&self, id: &Slug) -> bool {
        self.cast.members().any(|(known, _)| known == id)
    }

    /// What is wrong with an answer: everybody who was asked for and nobody else, each with profile
    /// and contracts, under the name the plan uses; relationships between people who exist.
    #[must_use]
    pub fn check(&self, answer: &CastAnswer) -> Vec<Problem> {
        let path = layout::staged(&layout::new_characters(self.volume));
        let mut problems = Vec::new();
        for (at, person) in answer.characters.iter().enumerate() {
            let pointer = format!("/characters/{at}");
            let asked = self.asked().iter().find(|asked| asked.id == person.id);
            let Some(asked) = asked else {
                problems.push(self.not_asked(&path, person).at(format!("{pointer}/id")));
                continue;
            };
            problems.extend(renamed(&path, asked, person, &pointer));
            problems.extend(without_profile(&path, person, &pointer));
            problems.extend(without_contract(&path, person, &pointer));
        }
        for person in self.asked() {
            if !answer.characters.iter().any(|it| it.id == person.id) {
                let (id, name) = (&person.id, &person.display_name);
                let what = message!(
                    en: "{name} (`{id}`) was asked for and is missing",
                    zh: "缺少要求的角色{name}（`{id}`）"
                );
                let problem = Problem::new("missing_character", &path, what).at("/characters");
                problems.push(problem.hint(self.wanted()));
            }
        }
        for (at, relation) in answer.relationships.iter().enumerate() {
            problems.extend(self.stray_relation(&path, relation, &format!("/relationships/{at}")));
        }
        problems
    }

    fn not_asked(&self, path: &RelPath, person: &NewCharacter) -> Problem {
        let id = &person.id;
        let problem = if self.knows(id) {
            let what = message!(
                en: "`{id}` is already in the cast and stays as it is",
                zh: "`{id}` 已在角色表中，不得改写"
            );
            Problem::new("character_exists", path, what)
        } else {
            let what = message!(
                en: "the plan brings nobody with the id `{id}`",
                zh: "规划中没有 id 为 `{id}` 的新角色"
            );
            Problem::new("unknown_character", path, what)
        };
        problem.hint(self.wanted())
    }

    /// The ids that are asked for.
    fn wanted(&self) -> Message {
        let ids: Vec<&str> = self.asked().iter().map(|it| it.id.as_str()).collect();
        let (en, zh) = (ids.join(", "), ids.join("、"));
        message!(en: "exactly these are asked for: {en}", zh: "只要这些人：{zh}")
    }

    fn stray_relation(
        &self,
        path: &RelPath,
        relation: &Relationship,
        pointer: &str,
    ) -> Vec<Problem> {
        let new = |id: &Slug| self.asked().iter().any(|person| person.id == *id);
        let mut problems = Vec::new();
        for (key, id) in [("from", &relation.from), ("to", &relation.to)] {
            if !new(id) && !self.knows(id) {
                let what = message!(en: "nobody has the id `{id}`", zh: "没有 id 为 `{id}` 的人");
                problems.push(
                    Problem::new("unknown_character", path, what).at(format!("{pointer}/{key}")),
                );
            }
        }
        if problems.is_empty() && !new(&relation.from) && !new(&relation.to) {
            let what = message!(
                en: "neither of the two is new: relationships between existing characters are settled",
                zh: "二者都不是新角色：旧角色之间的关系不在此处改动"
            );
            problems.push(Problem::new("old_relationship", path, what).at(pointer));
        }
        problems
    }

    /// The staged files a sound answer changes.
    #[must_use]
    pub fn files(&self, answer: &CastAnswer) -> Files {
        let mut people = self.people.clone();
        people.edit(|people| {
            for person in &mut people.characters {
                if let Some(woven) = answer.characters.iter().find(|it| it.id == person.id) {
                    weave(person, woven);
                }
            }
        });
        let mut draft = self.draft.clone();
        draft.edit(|draft| {
            draft.woven = true;
            draft
                .plan
                .new_characters
                .clone_from(&people.get().characters);
        });
        let mut files = Files::from([
            (
                layout::staged(&layout::new_characters(self.volume)),
                people.to_text(),
            ),
            (layout::plan_draft(self.volume), draft.to_text()),
        ]);
        if !answer.relationships.is_empty() {
            let mut relations = self.relations.clone();
            relations.edit(|all| all.relationships.extend(answer.relationships.clone()));
            files.insert(
                layout::staged(&layout::relationships()),
                relations.to_text(),
            );
        }
        files
    }
}

/// The plan may use every name it has given.
fn weave(person: &mut NewCharacter, woven: &NewCharacter) {
    for name in &woven.aliases {
        let known = std::iter::once(&person.display_name).chain(&person.aliases);
        if !known.into_iter().any(|known| known.trim() == name.trim()) {
            person.aliases.push(name.clone());
        }
    }
    person.profile.clone_from(&woven.profile);
    person.contracts.clone_from(&woven.contracts);
}

fn renamed(
    path: &RelPath,
    asked: &NewCharacter,
    person: &NewCharacter,
    pointer: &str,
) -> Option<Problem> {
    let (name, other) = (asked.display_name.trim(), person.display_name.trim());
    (name != other).then(|| {
        let what = message!(
            en: "the chapters of the plan call this person `{name}`, not `{other}`",
            zh: "规划各章称此人为 `{name}`，不是 `{other}`"
        );
        Problem::new("renamed", path, what).at(format!("{pointer}/display_name"))
    })
}

fn without_profile(path: &RelPath, person: &NewCharacter, pointer: &str) -> Option<Problem> {
    let name = &person.display_name;
    person.profile.trim().is_empty().then(|| {
        let what = message!(en: "{name} has no profile", zh: "{name}没有档案");
        Problem::new("no_profile", path, what).at(format!("{pointer}/profile"))
    })
}

#[cfg(test)]
#[path = "newcomers_tests.rs"]
mod tests;
