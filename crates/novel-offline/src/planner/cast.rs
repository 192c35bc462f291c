//! People from the lists: the protagonist of the brief and one more, and those a volume brings.

use novel_model::files::{CastAnswer, ContractDraft, NewCharacter, Relationship};

use super::{
    Task,
    names::{Name, Names},
    words::Words,
};
use crate::OfflineError;

pub(super) fn weave(task: Task<'_>) -> Result<CastAnswer, OfflineError> {
    let (words, brief) = (task.words()?, task.brief()?);
    let mut names = Names::of(task, &words)?;
    let hero = names.protagonist(brief.protagonist.as_deref());
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
        characters: vec![person(&words, &hero, 0), person(&words, &other, 1)],
    })
}

/// Somebody with two contracts; `index` tells people apart.
pub(super) fn person(words: &Words, name: &Name, index: usize) -> NewCharacter {
    let text = words.say(
        "profile_text",
        index,
        &[
            ("hero", &name.display),
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
