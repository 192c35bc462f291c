//! What is made shorter: always (caps on what grows with the book) and when a prompt is over its
//! budget (a fixed order of cuts).
//!
//! Contents are changed inside their wrappers, see [`Wrapped`]. Required fields have no cut.

use novel_model::{
    Lang, Message,
    files::{Blacklist, ForeshadowAction, Foreshadowing},
    message,
};
use novel_text::start_within_tokens;
use serde_json::{Map, Value, json};

use super::{
    PromptError,
    item::{Item, Scene},
    outline,
    state::{self, Reach},
};

/// Phrases of the blacklist beside the first ten.
const MOST_WORDS: usize = 60;
/// Exempt phrases.
const MOST_EXEMPT: usize = 60;
/// Foreshadowing tasks; those the contract asks for always stay.
const MOST_TASKS: usize = 10;
/// Entries of the id map; those named in the chapter go first.
const MOST_IDS: usize = 200;
/// Open foreshadowing a plan is told of, what is due first.
const MOST_OPEN: usize = 16;
/// People a plan is told of.
const MOST_PEOPLE: usize = 24;
/// Blacklisted phrases with their places.
const MOST_HITS: usize = 20;
/// An outline above this is given as a digest with the chapters around this one.
const OUTLINE_TOKENS: u64 = 4_000;

/// One way to make a section shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Leave it out.
    Drop,
    /// Keep this many of the newest parts.
    Newest(usize),
    /// Cut each part to this many tokens.
    Start(u64),
    /// Keep this many phrases.
    Words(usize),
    /// Keep the entities named by the chapter's own files.
    NarrowState,
    /// Keep headings; the chapters around this one become a section of their own.
    Digest,
    /// Keep the meetings of storylines this chapter lies in.
    Meetings,
    /// Keep this many of the most frequent phrases.
    Hits(usize),
    /// Keep this many tasks beside the ones the contract asks for.
    Tasks(usize),
}

/// What is cut when a prompt is over its budget, in this order, until it fits. What changes from
/// chapter to chapter goes before what a provider could have kept in its cache. Fields that are
/// not here are required and never cut.
pub(super) const CUTS: &[(&str, Cut)] = &[
    ("style_drift", Cut::Drop),
    ("previous_volume_outline", Cut::Digest),
    ("research", Cut::Start(1_000)),
    ("style_samples", Cut::Start(2_000)),
    ("world_docs", Cut::Start(600)),
    ("previous_volume_outline", Cut::Drop),
    ("relationships", Cut::Start(600)),
    ("research", Cut::Start(300)),
    ("style_samples", Cut::Start(800)),
    ("previous_volume_review", Cut::Start(600)),
    ("recent_3_summaries", Cut::Newest(2)),
    ("adjacent_storyline_memories", Cut::Start(200)),
    ("current_state", Cut::NarrowState),
    ("state_before", Cut::NarrowState),
    ("character_profiles", Cut::Start(400)),
    ("blacklist_lint", Cut::Hits(10)),
    ("ai_blacklist_effective_words", Cut::Words(20)),
    ("ai_blacklist", Cut::Words(30)),
    ("current_volume_outline", Cut::Digest),
    ("recent_3_summaries", Cut::Newest(1)),
    ("adjacent_storyline_memories", Cut::Drop),
    ("character_profiles", Cut::Start(120)),
    ("storyline_schedule", Cut::Meetings),
    ("world_rules", Cut::Drop),
    ("writing_methodology", Cut::Start(600)),
    ("style_guide", Cut::Start(600)),
    ("quality_rubric", Cut::Start(600)),
    ("hints", Cut::Drop),
    ("ai_blacklist_effective_words", Cut::Drop),
    ("current_volume_outline", Cut::Drop),
    ("neighbouring_outline", Cut::Drop),
    ("character_profiles", Cut::Drop),
    ("project_brief", Cut::Start(400)),
    ("storyline_memory", Cut::Start(300)),
    ("foreshadowing_tasks", Cut::Tasks(3)),
    ("recent_3_summaries", Cut::Start(300)),
    ("prev_summary", Cut::Start(300)),
    ("ai_blacklist", Cut::Words(10)),
    ("storyline_schedule", Cut::Drop),
    ("writing_methodology", Cut::Drop),
    ("style_guide", Cut::Drop),
    ("quality_rubric", Cut::Drop),
    ("foreshadowing_tasks", Cut::Tasks(0)),
    ("research", Cut::Drop),
    ("relationships", Cut::Drop),
    ("world_docs", Cut::Drop),
    ("planned_so_far", Cut::Start(4_000)),
    ("planned_chapters", Cut::Start(3_000)),
    ("style_samples", Cut::Start(300)),
    ("summaries", Cut::Start(120)),
    ("foreshadowing_plan", Cut::Drop),
    ("summaries", Cut::Start(40)),
    ("summaries", Cut::Drop),
    ("volume_report", Cut::Start(4_000)),
];

/// Brings what grows with the book to its usual size. Also gives lists of phrases and rules a
/// plain form. The note says what was taken out, if anything was.
pub(super) fn cap(item: &mut Item, scene: &Scene) -> Result<Option<Message>, PromptError> {
    match item.field.as_str() {
        "hard_rules_list" | "ai_blacklist_top10" | "style_drift_directives" => {
            plain_list(item, usize::MAX)
        }
        "ai_blacklist_effective_words" => further_words(item, scene),
        "ai_blacklist" => words(item, MOST_WORDS),
        "world_rules" => soft_rules(item),
        "current_volume_outline" if item.tokens() > OUTLINE_TOKENS => digest(item, scene),
        "current_state" | "state_before" => narrow_state(item, scene, Reach::Near),
        "foreshadowing_tasks" => tasks(item, MOST_TASKS),
        "entity_id_map" => ids(item, scene),
        "blacklist_lint" => hits(item, MOST_HITS),
        "project_brief" => Ok(start(item, 3_000, scene.lang)),
        "foreshadowing" => open_items(item),
        "characters" => Ok(known_people(item, scene)),
        "previous_volume_outline" if item.tokens() > OUTLINE_TOKENS => digest(item, scene),
        "style_samples" => Ok(start(item, 4_000, scene.lang)),
        "world_docs" | "research" | "previous_volume_review" => Ok(start(item, 2_000, scene.lang)),
        "storyline_memory" => Ok(start(item, 1_500, scene.lang)),
        "adjacent_storyline_memories" | "hints" => Ok(start(item, 800, scene.lang)),
        "recent_3_summaries" | "prev_summary" => Ok(start(item, 900, scene.lang)),
        "summaries" => Ok(start(item, 300, scene.lang)),
        "character_profiles" => Ok(start(item, 1_500, scene.lang)),
        _ => Ok(None),
    }
}

/// Makes a section shorter; the note says how.
pub(super) fn cut(
    item: &mut Item,
    cut: Cut,
    scene: &Scene,
) -> Result<Option<Message>, PromptError> {
    match cut {
        Cut::Drop => {
            item.parts.clear();
            Ok(Some(
                message!(en: "left out to meet the budget", zh: "为符合预算而省去"),
            ))
        }
        Cut::Newest(count) => {
            let older = item.parts.len().saturating_sub(count);
            item.parts.drain(..older);
            Ok((older > 0)
                .then(|| message!(en: "only the newest {count}", zh: "只留最新的 {count} 份")))
        }
        Cut::Start(tokens) => Ok(start(item, tokens, scene.lang)),
        Cut::Words(most) if item.field == "ai_blacklist" => words(item, most),
        Cut::Words(most) => plain_list(item, most),
        Cut::NarrowState => narrow_state(item, scene, Reach::Binding),
        Cut::Digest => digest(item, scene),
        Cut::Meetings => meetings(item, scene),
        Cut::Hits(most) => hits(item, most),
        Cut::Tasks(most) => tasks(item, most),
    }
}

fn start(item: &mut Item, tokens: u64, lang: Lang) -> Option<Message> {
    let mut shortened = false;
    for part in &mut item.parts {
        let kept = start_within_tokens(&part.content, tokens);
        if kept.len() < part.content.len() {
            let rest = match lang {
                Lang::Zh => "……（以下省略）",
                Lang::En => "… (the rest is left out)",
            };
            *part = part.with(&format!("{kept}\n{rest}"));
            shortened = true;
        }
    }
    shortened.then(|| message!(en: "the start of it", zh: "只留开头"))
}

/// A JSON list of texts, one per line. A list in that form already stays in it.
fn plain_list(item: &mut Item, most: usize) -> Result<Option<Message>, PromptError> {
    let lines = item.lines()?;
    let total = lines.len();
    let kept: Vec<String> = lines.into_iter().take(most).collect();
    item.set(&kept.join("\n"));
    Ok((kept.len() < total).then(|| first(kept.len(), total)))
}

/// The phrases beyond the first ten, which have a section of their own.
fn further_words(item: &mut Item, scene: &Scene) -> Result<Option<Message>, PromptError> {
    let mut words = item.lines()?;
    words.retain(|word| !scene.top_words.contains(word));
    item.set(&words.join("\n"));
    plain_list(item, MOST_WORDS)
}

/// Phrases and exemptions; the log of changes is of no use to an agent.
fn words(item: &mut Item, most: usize) -> Result<Option<Message>, PromptError> {
    let blacklist: Blacklist = item.json()?;
    let (mut words, mut exempt) = (blacklist.effective_words(), blacklist.whitelist);
    if let Some(older) = blacklist.exemptions {
        exempt.extend(older.words);
    }
    let total = words.len();
    words.truncate(most);
    exempt.truncate(MOST_EXEMPT);
    let note = (words.len() < total).then(|| first(words.len(), total));
    item.set_json(&json!({"words": words, "whitelist": exempt}));
    Ok(note)
}

/// The rules that are not in the list of hard ones, without bookkeeping that changes by itself.
fn soft_rules(item: &mut Item) -> Result<Option<Message>, PromptError> {
    let mut rules: Map<String, Value> = item.json()?;
    let mut soft = Vec::new();
    for rule in rules
        .get_mut("rules")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        if let Value::Object(rule) = rule
            && rule.get("constraint_type").and_then(Value::as_str) != Some("hard")
        {
            rule.shift_remove("introduced_chapter");
            rule.shift_remove("last_verified");
            soft.push(Value::Object(rule.clone()));
        }
    }
    if soft.is_empty() {
        item.parts.clear();
    } else {
        item.set_json(&json!({"rules": soft}));
    }
    Ok(None)
}

fn digest(item: &mut Item, scene: &Scene) -> Result<Option<Message>, PromptError> {
    let Some(content) = item.parts.first().map(|part| part.content.clone()) else {
        return Ok(None);
    };
    match outline::digest(&content, scene.chapter) {
        Some(digest) => {
            item.set(&digest);
            Ok(Some(message!(
                en: "headings only; the chapters around this one stand below",
                zh: "只列章名，前后几章的大纲见下文"
            )))
        }
        None => Ok(None),
    }
}

fn narrow_state(
    item: &mut Item,
    scene: &Scene,
    reach: Reach,
) -> Result<Option<Message>, PromptError> {
    let mut state: Map<String, Value> = item.json()?;
    let removed = state::reduce(&mut state, &scene.mentions, reach);
    item.set_json(&Value::Object(state));
    if removed == 0 {
        return Ok(None);
    }
    Ok(Some(message!(
        en: "only what concerns this chapter; {removed} other entries exist",
        zh: "只含与本章有关的条目，另有 {removed} 条未列"
    )))
}

/// The people the lines and the last chapters name, then others, up to a limit.
fn known_people(item: &mut Item, scene: &Scene) -> Option<Message> {
    let total = item.parts.len();
    if total <= MOST_PEOPLE {
        return None;
    }
    let is_near = |content: &str| {
        let record: Value = serde_json::from_str(content).unwrap_or_default();
        let name = record.get("display_name").and_then(Value::as_str);
        name.is_some_and(|name| state::is_named(&scene.mentions.near, name))
    };
    item.parts.sort_by_key(|part| !is_near(&part.content));
    item.parts.truncate(MOST_PEOPLE);
    Some(first(MOST_PEOPLE, total))
}

/// What is not resolved, without its history: a plan needs to know what is open.
fn open_items(item: &mut Item) -> Result<Option<Message>, PromptError> {
    let facts: Foreshadowing = item.json()?;
    let total = facts.foreshadowing.len();
    let entries = facts.foreshadowing.iter();
    let mut open: Vec<_> = entries
        .filter(|entry| entry.status != ForeshadowAction::Resolved)
        .collect();
    open.sort_by_key(|entry| entry.target_resolve_range.map_or(u32::MAX, |(_, to)| to));
    open.truncate(MOST_OPEN);
    let open: Vec<Value> = open
        .into_iter()
        .map(|entry| {
            json!({"id": entry.id, "description": entry.description, "scope": entry.scope,
                "status": entry.status, "planted_chapter": entry.planted_chapter,
                "planted_storyline": entry.planted_storyline,
                "target_resolve_range": entry.target_resolve_range})
        })
        .collect();
    let note = (open.len() < total).then(|| first(open.len(), total));
    item.set_json(&json!(open));
    Ok(note)
}

/// Tasks the contract asks for, then the ones due first.
fn tasks(item: &mut Item, most: usize) -> Result<Option<Message>, PromptError> {
    let tasks: Vec<Value> = item.json()?;
    let asked = |task: &Value| task.get("required_action").is_some_and(|it| !it.is_null());
    let due = |task: &Value| {
        let last = task.pointer("/target_resolve_range/1");
        last.and_then(Value::as_u64).unwrap_or(u64::MAX)
    };
    let mut others: Vec<&Value> = tasks.iter().filter(|task| !asked(task)).collect();
    others.sort_by_key(|task| due(task));
    others.truncate(most);
    let kept: Vec<&Value> = tasks
        .iter()
        .filter(|task| asked(task) || others.contains(task))
        .collect();
    let note = (kept.len() < tasks.len()).then(|| first(kept.len(), tasks.len()));
    item.set_json(&json!(kept));
    Ok(note)
}

fn ids(item: &mut Item, scene: &Scene) -> Result<Option<Message>, PromptError> {
    let mut map: Map<String, Value> = item.json()?;
    let total = map.len();
    if total <= MOST_IDS {
        return Ok(None);
    }
    let text = &scene.mentions.binding;
    let named = |id: &str, name: &Value| {
        state::is_named(text, id)
            || name
                .as_str()
                .is_some_and(|name| state::is_named(text, name))
    };
    let mut kept: Vec<String> = Vec::new();
    for wanted in [true, false] {
        let pass = map.iter().filter(|(id, name)| named(id, name) == wanted);
        kept.extend(pass.map(|(id, _)| id.clone()));
    }
    kept.truncate(MOST_IDS);
    map.retain(|id, _| kept.contains(id));
    item.set_json(&Value::Object(map));
    Ok(Some(first(MOST_IDS, total)))
}

fn hits(item: &mut Item, most: usize) -> Result<Option<Message>, PromptError> {
    let mut report: Map<String, Value> = item.json()?;
    let Some(Value::Array(hits)) = report.get_mut("hits") else {
        return Ok(None);
    };
    let total = hits.len();
    if total <= most {
        return Ok(None);
    }
    hits.truncate(most);
    item.set_json(&Value::Object(report));
    Ok(Some(first(most, total)))
}

fn meetings(item: &mut Item, scene: &Scene) -> Result<Option<Message>, PromptError> {
    let mut schedule: Map<String, Value> = item.json()?;
    let Some(Value::Array(events)) = schedule.get_mut("convergence_events") else {
        return Ok(None);
    };
    let total = events.len();
    let bound = |event: &Value, at: usize| {
        let range = event.get("chapter_range")?.as_array()?;
        range.get(at)?.as_u64()
    };
    events.retain(|event| {
        let range = bound(event, 0).zip(bound(event, 1));
        range.is_some_and(|(from, to)| (from..=to).contains(&u64::from(scene.chapter)))
    });
    if events.len() == total {
        return Ok(None);
    }
    item.set_json(&Value::Object(schedule));
    Ok(Some(message!(
        en: "only the meetings this chapter lies in",
        zh: "只留本章所在的交汇"
    )))
}

fn first(kept: usize, total: usize) -> Message {
    message!(en: "{kept} of {total}", zh: "{total} 条中的 {kept} 条")
}

#[cfg(test)]
#[path = "shorten_tests.rs"]
mod tests;
