//! A world from the genre's list and the brief, and one rule more in the author's words.

use novel_model::{
    Lang,
    files::{ConstraintType, MainArc, RuleDraft, WorldAnswer},
};
use serde_json::Value;

use super::{Task, names::Names, words::fill};
use crate::OfflineError;

pub(super) fn build(task: Task<'_>) -> Result<WorldAnswer, OfflineError> {
    let (words, brief) = (task.words()?, task.brief()?);
    let hero = Names::of(task, &words)?.protagonist(brief.protagonist.as_deref());
    let places: Vec<String> = words
        .all("place")
        .iter()
        .filter_map(|line| line.split_once('|'))
        .map(|(name, what)| match task.lang() {
            Lang::Zh => format!("- **{name}**：{what}"),
            Lang::En => format!("- **{name}**: {what}"),
        })
        .collect();
    let rules = words.all("rule").iter().map(|line| rule(line)).collect();
    let faction = words.pick("faction", 0);
    let slots = [("hero", hero.display.as_str()), ("faction", faction)];
    let description = match (&brief.conflict, task.lang()) {
        (Some(conflict), Lang::Zh) => format!("{}：{conflict}", hero.display),
        (Some(conflict), Lang::En) => format!("{}: {conflict}", hero.display),
        (None, _) => words.say("arc", 0, &slots),
    };
    Ok(WorldAnswer {
        geography: places.join("\n"),
        history: words.all("history").join("\n"),
        rules_text: format!(
            "{}\n\n{}",
            words.pick("rules_text", 0),
            words.pick("label", 0)
        ),
        rules,
        main_arc: Some(MainArc {
            name: words.pick("arc_name", 0).to_owned(),
            description,
            timeline: Some(words.pick("timeline", 0).to_owned()),
            factions: words
                .all("faction")
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
        }),
    })
}

fn rule(line: &str) -> RuleDraft {
    let mut parts = line.split('|');
    let mut next = || parts.next().unwrap_or_default().trim();
    RuleDraft {
        category: next().to_owned(),
        constraint_type: match next() {
            "hard" => ConstraintType::Hard,
            _ => ConstraintType::Soft,
        },
        rule: next().to_owned(),
        exceptions: Some(next())
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
            .into_iter()
            .collect(),
    }
}

/// The author's words are the rule: a program cannot do better.
pub(super) fn extend(task: Task<'_>) -> Result<WorldAnswer, OfflineError> {
    let field = "author_request";
    let wish = task
        .packet
        .manifest
        .inline
        .get(field)
        .and_then(Value::as_str);
    let wish = wish.ok_or(OfflineError::PacketField { field })?;
    let words = task.words()?;
    Ok(WorldAnswer {
        rules_text: fill(
            "{wish}\n\n{label}",
            &[("wish", wish), ("label", words.pick("label", 0))],
        ),
        rules: vec![RuleDraft {
            category: "custom".to_owned(),
            rule: wish.to_owned(),
            constraint_type: ConstraintType::Hard,
            exceptions: Vec::new(),
        }],
        ..WorldAnswer::default()
    })
}
