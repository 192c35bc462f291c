//! What is made shorter: always (caps on what grows with the book), and the smaller forms a section
//! can have when the budget is short ([`super::budget`]).
//!
//! Contents are changed inside their wrappers, see [`super::wrapped::Wrapped`].

use novel_model::{
    Lang, Message,
    files::{Blacklist, Truth},
    message,
};
use novel_text::{ending, estimate_tokens, start_within_tokens};
use serde_json::{Map, Value, json};

use super::{
    PromptError,
    excerpt::{Prefer, excerpt},
    item::{Item, Scene},
    outline,
    state::{self, Reach},
    threads,
    truth::truth_lines,
    wrapped::Wrapped,
};

/// Phrases of the blacklist beside the first ten.
const MOST_WORDS: usize = 60;
/// Exempt phrases.
const MOST_EXEMPT: usize = 60;
/// Entries of the id map; those named in the chapter go first.
const MOST_IDS: usize = 200;
/// People a plan is told of.
const MOST_PEOPLE: usize = 24;
/// Blacklisted phrases with their places.
const MOST_HITS: usize = 20;
/// A state below this is given whole.
const STATE_TOKENS: u64 = 800;
/// An outline above this is given as a digest with the chapters around this one.
const OUTLINE_TOKENS: u64 = 4_000;

/// What of the truth is nearest, above this.
const TRUTH_TOKENS: u64 = 3_000;

/// One way to make a section shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Keep this many of the newest parts.
    Newest(usize),
    /// Keep the newest part, cut to this many tokens.
    NewestExcerpt(u64),
    /// Cut each part to this many tokens: what is nearest to the chapter.
    Excerpt(u64),
    /// Cut each part to this many tokens: its start.
    Start(u64),
    /// Keep the advice of a review, cut to this many tokens.
    Advice(u64),
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
    /// Keep this many lines beside the ones the contract asks for.
    Lines(usize),
    /// Keep so many characters of the end of each ending.
    Endings(usize),
    /// Keep so many characters of the newest ending that is known here.
    LastEnding(usize),
}

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
        "current_state" | "state_before" => usual_state(item, scene),
        "foreshadowing_tasks" => threads::tasks(item, scene.lang),
        "open_foreshadowing" => threads::open(item, scene.lang),
        "foreshadowing" => threads::open_items(item, scene),
        "truth" => truth(item, scene),
        "people_now" => Ok(excerpts(item, 1_800, Prefer::First, scene)),
        "relationships" => relations(item, scene),
        "speech_patterns" => speech(item, scene),
        "chapter_contract" => without_function(item, scene),
        "entity_id_map" | "entity_aliases" => ids(item, scene),
        "blacklist_lint" => hits(item, MOST_HITS),
        "project_brief" => Ok(excerpts(item, 3_000, Prefer::First, scene)),
        "characters" => Ok(known_people(item, scene)),
        "previous_volume_outline" if item.tokens() > OUTLINE_TOKENS => digest(item, scene),
        "style_samples" => Ok(start(item, 4_000, scene.lang)),
        "previous_volume_review" => Ok(advice(item, 2_000, scene)),
        "world_docs" | "research" => Ok(excerpts(item, 2_000, Prefer::First, scene)),
        "storyline_memory" => Ok(excerpts(item, 1_500, Prefer::Last, scene)),
        "adjacent_storyline_memories" | "storyline_memories" => {
            Ok(excerpts(item, 800, Prefer::Last, scene))
        }
        "hints" => Ok(excerpts(item, 800, Prefer::First, scene)),
        "recent_3_summaries" | "prev_summary" => Ok(excerpts(item, 900, Prefer::First, scene)),
        "summaries" => Ok(excerpts(item, 300, Prefer::First, scene)),
        "character_profiles" => Ok(excerpts(item, 1_500, Prefer::First, scene)),
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
        Cut::Newest(count) => Ok(newest(item, count)),
        Cut::NewestExcerpt(tokens) => {
            let newest = newest(item, 1);
            Ok(excerpts(item, tokens, Prefer::First, scene).or(newest))
        }
        Cut::Excerpt(tokens) => Ok(excerpts(item, tokens, prefer(&item.field), scene)),
        Cut::Start(tokens) => Ok(start(item, tokens, scene.lang)),
        Cut::Advice(tokens) => Ok(advice(item, tokens, scene)),
        Cut::Words(most) if item.field == "ai_blacklist" => words(item, most),
        Cut::Words(most) => plain_list(item, most),
        Cut::NarrowState => narrow_state(item, scene, Reach::Binding),
        Cut::Digest => digest(item, scene),
        Cut::Meetings => meetings(item, scene),
        Cut::Hits(most) => hits(item, most),
        Cut::Lines(most) => Ok(threads::fewer(item, most)),
        Cut::Endings(most) => Ok(later(item, most)),
        Cut::LastEnding(most) => {
            let here = |part: &&Wrapped| !part.content.lines().next().is_some_and(is_elsewhere);
            let newest = item.parts.iter().rev().find(here).or(item.parts.last());
            item.parts = newest.cloned().into_iter().collect();
            later(item, most);
            Ok(Some(message!(
                en: "the last lines of the newest one of this line",
                zh: "只留本线最近一章的最后几行"
            )))
        }
    }
}

fn newest(item: &mut Item, count: usize) -> Option<Message> {
    let older = item.parts.len().saturating_sub(count);
    item.parts.drain(..older);
    (older > 0).then(|| message!(en: "only the newest {count}", zh: "只留最新的 {count} 份"))
}

/// Notes are added at the end; documents begin with what matters.
fn prefer(field: &str) -> Prefer {
    match field {
        "storyline_memory" | "adjacent_storyline_memories" | "storyline_memories" => Prefer::Last,
        _ => Prefer::First,
    }
}

/// What of each part is nearest to the chapter.
fn excerpts(item: &mut Item, tokens: u64, prefer: Prefer, scene: &Scene) -> Option<Message> {
    if item
        .parts
        .iter()
        .all(|part| estimate_tokens(&part.content) <= tokens)
    {
        return None;
    }
    let near = scene.mentions.terms();
    for part in &mut item.parts {
        if let Some(kept) = excerpt(&part.content, tokens, &near, prefer, scene.lang) {
            *part = part.with(&kept);
        }
    }
    Some(message!(
        en: "what is nearest to this chapter, {tokens} tokens each",
        zh: "只留与本章最相关的部分，各 {tokens} token"
    ))
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

/// Whether the first line of an ending says that it is of another storyline.
fn is_elsewhere(head: &str) -> bool {
    head.contains("not known here")
}

/// The end of each ending; its first line says of which chapter it is.
fn later(item: &mut Item, most: usize) -> Option<Message> {
    let mut shortened = false;
    for part in &mut item.parts {
        let Some((head, text)) = part.content.split_once('\n') else {
            continue;
        };
        let kept = ending(text, most);
        if kept.len() < text.len() {
            *part = part.with(&format!("{head}\n{kept}"));
            shortened = true;
        }
    }
    shortened.then(|| message!(en: "the last lines of each", zh: "各留最后几行"))
}

/// A review with its advice before its findings and its tables, as much of it as fits.
fn advice(item: &mut Item, tokens: u64, scene: &Scene) -> Option<Message> {
    let part = item.parts.first()?;
    let ordered = advice_first(&part.content);
    let kept = start_within_tokens(&ordered, tokens);
    let is_cut = kept.len() < ordered.len();
    let rest = match scene.lang {
        Lang::Zh => "\n……（以下为统计表，已省略）",
        Lang::En => "\n… (tables are left out)",
    };
    let text = format!("{kept}{}", if is_cut { rest } else { "" });
    item.set(&text);
    is_cut.then(|| message!(en: "the advice, then as much as fits", zh: "先列建议，其余从略"))
}

/// The sections of a review in the order of their use: advice, findings, tables.
fn advice_first(review: &str) -> String {
    let mut sections: Vec<String> = vec![String::new()];
    for line in review.lines() {
        if line.starts_with("## ") {
            sections.push(String::new());
        }
        if let Some(section) = sections.last_mut() {
            section.push_str(line);
            section.push('\n');
        }
    }
    let rank = |section: &String| {
        let heading = section.lines().next().unwrap_or_default();
        let is = |words: [&str; 2]| words.iter().any(|word| heading.contains(word));
        match section {
            _ if is(["建议", "Advice"]) => 1,
            _ if is(["需要留意", "To look at"]) => 2,
            section if section.starts_with("## ") => 3,
            _ => 0,
        }
    };
    sections.sort_by_key(rank);
    sections.concat().trim_end().to_owned()
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

/// The truth, one line each.
fn truth(item: &mut Item, scene: &Scene) -> Result<Option<Message>, PromptError> {
    let truth: Truth = item.json()?;
    item.set(&truth_lines(&truth, scene.lang).join("\n"));
    Ok(excerpts(item, TRUTH_TOKENS, Prefer::First, scene))
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

/// What the chapter is for stands in a section of its own.
fn without_function(item: &mut Item, scene: &Scene) -> Result<Option<Message>, PromptError> {
    if scene.has_function {
        let mut contract: Map<String, Value> = item.json()?;
        if contract.shift_remove("function").is_some() {
            item.set(&novel_model::to_json_text(&contract));
        }
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

/// A state that costs little is given whole.
fn usual_state(item: &mut Item, scene: &Scene) -> Result<Option<Message>, PromptError> {
    let state: Map<String, Value> = item.json()?;
    let mut whole = item.clone();
    whole.set_json(&Value::Object(state));
    if whole.tokens() <= STATE_TOKENS {
        *item = whole;
        return Ok(None);
    }
    narrow_state(item, scene, Reach::Near)
}

/// How people stand to each other, one line each. A project's whole file stays as it is.
fn relations(item: &mut Item, scene: &Scene) -> Result<Option<Message>, PromptError> {
    let content = item.content();
    let Ok(list) = serde_json::from_str::<Vec<Map<String, Value>>>(&content) else {
        return Ok(None);
    };
    let said = |entry: &Map<String, Value>, key: &str| {
        let text = entry.get(key).and_then(Value::as_str).unwrap_or("?");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let colon = threads::colon(scene.lang);
    let lines: Vec<String> = list
        .iter()
        .map(|entry| {
            let (from, to, how) = (said(entry, "from"), said(entry, "to"), said(entry, "how"));
            format!("- {from} → {to}{colon}{how}")
        })
        .collect();
    item.set(&lines.join("\n"));
    Ok(None)
}

/// How people talk, one line each.
fn speech(item: &mut Item, scene: &Scene) -> Result<Option<Message>, PromptError> {
    let patterns: Map<String, Value> = item.json()?;
    let colon = threads::colon(scene.lang);
    let lines: Vec<String> = patterns
        .iter()
        .map(|(name, pattern)| {
            let pattern = pattern.as_str().unwrap_or_default();
            let pattern = pattern.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("- {name}{colon}{pattern}")
        })
        .collect();
    item.set(&lines.join("\n"));
    Ok(None)
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

pub(super) fn first(kept: usize, total: usize) -> Message {
    message!(en: "{kept} of {total}", zh: "{total} 条中的 {kept} 条")
}

#[cfg(test)]
#[path = "shorten_tests.rs"]
mod tests;
