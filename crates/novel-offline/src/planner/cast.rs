//! People from the lists: the protagonist of the brief and one more, and those a volume brings.

use novel_book::context::Cast;
use novel_model::{
    Document, VolumeNo,
    files::{CastAnswer, ContractDraft, NewCharacter, NewCharacters, Relationship},
    layout,
};

use super::{
    Task,
    names::{Name, Names, kind_of},
    words::Words,
};
use crate::{OfflineError, pronoun::Kind};

pub(super) fn weave(task: Task<'_>) -> Result<CastAnswer, OfflineError> {
    let (words, brief) = (task.words()?, task.brief()?);
    let mut names = Names::of(task, &words)?;
    let told = brief.protagonist.as_deref();
    let hero = names.protagonist(told);
    let hero_kind = told.and_then(|told| Kind::described(told, task.lang()));
    let other = names.fresh();
    let slots = [
        ("hero", hero.display.as_str()),
        ("other", other.display.as_str()),
    ];
    Ok(CastAnswer {
        relationships: vec![Relationship {
            from: hero.id.clone(),
            to: other.id.clone(),
            description: words.say("relation", 0, &slots),
        }],
        characters: vec![
            person(&words, &hero, 0, hero_kind),
            person(&words, &other, 1, None),
        ],
    })
}

/// The people of a staged plan, each with a profile, contracts, and somebody they have to do with.
pub(super) fn introduce(task: Task<'_>) -> Result<CastAnswer, OfflineError> {
    let words = task.words()?;
    let volume = VolumeNo::new(task.number("volume")?);
    let volume = volume.ok_or(OfflineError::PacketField { field: "volume" })?;
    let path = layout::staged(&layout::new_characters(volume));
    let people = Document::<NewCharacters>::load(task.book.reader, &path)?;
    let people = people.map(|people| people.into_value().characters);
    let cast = Cast::load(task.book.reader)?;
    let first = cast.members().count();
    let mut answer = CastAnswer::default();
    // The first of them knows somebody of the cast, each of the others the one before.
    let mut known = cast
        .members()
        .next()
        .map(|(id, member)| (id.clone(), member.character.display_name.clone()));
    for (at, new) in people.unwrap_or_default().into_iter().enumerate() {
        let name = Name {
            id: new.id,
            display: new.display_name,
        };
        if let Some((id, display)) = known {
            let slots = [("hero", display.as_str()), ("other", name.display.as_str())];
            answer.relationships.push(Relationship {
                from: id,
                to: name.id.clone(),
                description: words.say("acquaintance", first + at, &slots),
            });
        }
        answer.characters.push(NewCharacter {
            aliases: new.aliases,
            ..person(&words, &name, first + at, None)
        });
        known = Some((name.id, name.display));
    }
    Ok(answer)
}

/// Somebody with two contracts; `index` tells people apart. The profile says by which pronoun they go: the one that
/// is known, or that of the name.
pub(super) fn person(words: &Words, name: &Name, index: usize, kind: Option<Kind>) -> NewCharacter {
    let kind = kind.unwrap_or_else(|| kind_of(words, &name.display));
    let text = words.say(
        "profile_text",
        index,
        &[
            ("hero", &name.display),
            ("they", kind.subject(words.lang())),
            ("age", words.pick("age", index)),
            ("work", words.pick("work", index)),
            ("token", words.pick("token", index)),
            ("faction", words.pick("faction", index)),
        ],
    );
    let profile = match text.split_once('|') {
        Some((heading, body)) => format!("{heading}\n\n{body}"),
        None => text,
    };
    NewCharacter {
        id: name.id.clone(),
        display_name: name.display.clone(),
        aliases: Vec::new(),
        profile,
        contracts: [2 * index, 2 * index + 3]
            .map(|at| contract(words, at))
            .into(),
    }
}

fn contract(words: &Words, index: usize) -> ContractDraft {
    let mut parts = words.parts("contract", index).into_iter();
    let mut next = || parts.next().unwrap_or_default().to_owned();
    let (kind, rule, exception, change) = (next(), next(), next(), next());
    ContractDraft {
        kind,
        rule,
        exceptions: Some(exception)
            .filter(|text| !text.is_empty())
            .into_iter()
            .collect(),
        update_requires: Some(change).filter(|text| !text.is_empty()),
    }
}
