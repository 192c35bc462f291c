//! The cast: records with L2 contracts, profiles, relationships.

use novel_model::{
    ChapterNo, Document, Problem, RelPath,
    files::{CastAnswer, Character, CharacterContract, NewCharacter, Relationships, Storylines},
    layout, message, to_json_text,
};

use super::{Files, document, one_line};

/// People of a quick start: the protagonist and one or two more.
const CAST: std::ops::RangeInclusive<usize> = 2..=3;

/// What is wrong with the answer for the first cast, beyond what the files themselves show.
#[must_use]
pub fn check_cast(answer: &CastAnswer) -> Vec<Problem> {
    let path = layout::staged(&layout::characters_dir());
    let mut problems = Vec::new();
    let count = answer.characters.len();
    if !CAST.contains(&count) {
        let what = message!(
            en: "{count} characters; the protagonist and one or two more are wanted",
            zh: "给出了 {count} 个角色，应为主角加一到两人"
        );
        problems.push(Problem::new("cast_size", &path, what).at("/characters"));
    }
    for (at, person) in answer.characters.iter().enumerate() {
        problems.extend(without_contract(
            &path,
            person,
            &format!("/characters/{at}"),
        ));
    }
    for (at, relation) in answer.relationships.iter().enumerate() {
        for (key, id) in [("from", &relation.from), ("to", &relation.to)] {
            if !answer.characters.iter().any(|person| person.id == *id) {
                let what = message!(
                    en: "nobody in this cast has the id `{id}`",
                    zh: "这份角色表中没有 id 为 `{id}` 的人"
                );
                problems.push(
                    Problem::new("unknown_character", &path, what)
                        .at(format!("/relationships/{at}/{key}")),
                );
            }
        }
    }
    problems
}

/// Somebody without a contract can be made to do anything.
pub(super) fn without_contract(
    path: &RelPath,
    person: &NewCharacter,
    pointer: &str,
) -> Option<Problem> {
    let name = &person.display_name;
    person.contracts.is_empty().then(|| {
        let what = message!(en: "{name} has no contract", zh: "{name}没有任何契约");
        Problem::new("no_contract", path, what)
            .at(format!("{pointer}/contracts"))
            .hint(message!(
                en: "give at least one rule the prose can be held to",
                zh: "至少给出一条正文可以对照检验的规则"
            ))
    })
}

/// The files of the first cast. The first person tells the main line, if nobody does yet.
#[must_use]
pub fn cast_files(
    answer: &CastAnswer,
    since: ChapterNo,
    lines: Option<&Document<Storylines>>,
) -> Files {
    let mut files = Files::new();
    for person in &answer.characters {
        files.extend(character_files(person, since));
    }
    let relations = Relationships {
        relationships: answer.relationships.clone(),
    };
    files.insert(layout::relationships(), to_json_text(&relations));
    if let (Some(lines), Some(first)) = (lines, answer.characters.first()) {
        let mut lines = lines.clone();
        lines.edit(|lines| {
            let main = lines
                .storylines
                .iter_mut()
                .find(|line| line.kind == "main_arc");
            if let Some(line) = main.filter(|line| line.pov_characters.is_empty()) {
                line.pov_characters = vec![first.display_name.trim().to_owned()];
            }
        });
        files.insert(layout::storylines(), lines.to_text());
    }
    files
}

/// Record and profile of somebody new; the contracts hold from `since` on.
#[must_use]
pub fn character_files(person: &NewCharacter, since: ChapterNo) -> Files {
    let tag: String = person
        .id
        .as_str()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|char| char.to_ascii_uppercase())
        .collect();
    let contracts = person.contracts.iter().zip(1..);
    let record = Character {
        id: Some(person.id.clone()),
        display_name: one_line(&person.display_name),
        aliases: person.aliases.iter().map(|name| one_line(name)).collect(),
        contracts: contracts
            .map(|(contract, number)| CharacterContract {
                id: format!("C-{tag}-{number:03}"),
                kind: one_line(&contract.kind),
                rule: one_line(&contract.rule),
                exceptions: contract
                    .exceptions
                    .iter()
                    .map(|text| one_line(text))
                    .collect(),
                valid_from_chapter: Some(since.get()),
                valid_until: None,
                update_requires: contract.update_requires.as_deref().map(one_line),
            })
            .collect(),
    };
    let mut files = Files::from([(layout::character(&person.id), to_json_text(&record))]);
    if !person.profile.trim().is_empty() {
        files.insert(
            layout::character_profile(&person.id),
            document(&person.profile),
        );
    }
    files
}
