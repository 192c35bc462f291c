//! Summarises a staged chapter: sentences of the text itself, and the changes of the contract.

use novel_model::{
    Lang, Slug,
    files::{
        CrossReference, CrossReferences, ForeshadowAction, LeakRisk, StateDelta, StoryState,
        SummarizerAnswer, UnknownEntity,
    },
    to_json_text,
};
use novel_text::{Locator, count_words, parse_chapter, parse_numeral, sentences};
use serde_json::{Value, json};

use crate::{
    OfflineError,
    plan::{ChapterPlan, ItemTask, Task, item_tasks},
    prose::{best_sentence, clean, clip},
};

/// Longest prose, in counted words; the limit of the format is 300.
const PROSE_WORDS: usize = 260;
/// Longest memory, in counted words; the limit of the format is 500.
const MEMORY_WORDS: usize = 460;
/// Characters of a quotation.
const QUOTATION: usize = 80;
/// A sentence that says less of an objective does not tell it.
const TELLS: f64 = 0.4;

pub(crate) fn summarize(task: Task<'_>) -> Result<String, OfflineError> {
    let plan = task.plan()?;
    let markdown = task.text("chapter_content")?;
    let parsed = parse_chapter(&markdown);
    let text = parsed.scenes.join("\n\n");
    let told = sentences(&text);
    let state = task.state()?;
    let items = item_tasks(&task, plan.contract.get());
    let events = events(&plan, &told, &parsed.scenes);
    let line = plan.contract.get().storyline_id.clone();
    let old = task.optional_text("storyline_memory")?;
    let answer = SummarizerAnswer {
        summary: summary(&task, &plan, &events, &items, &told),
        delta: StateDelta {
            chapter: task.chapter,
            base_state_version: state.state_version,
            storyline_id: line,
            ops: proven(ops(&plan, &state, &items, &told), &plan, &items, &text),
        },
        crossref: crossref(&plan, &text),
        memory: memory(&task, plan.lang, old.as_deref(), &events),
        claims: Value::Null,
    };
    Ok(to_json_text(&answer))
}

/// One sentence of the text for each objective it tells; else how its scenes begin.
fn events(plan: &ChapterPlan, told: &[&str], scenes: &[String]) -> Vec<String> {
    let mut events: Vec<String> = Vec::new();
    for objective in &plan.contract.get().objectives {
        let found = best_sentence(told, &objective.description);
        if let Some((sentence, _)) = found.filter(|(_, share)| *share >= TELLS) {
            let event = clip(&clean(sentence), QUOTATION);
            if !events.contains(&event) {
                events.push(event);
            }
        }
    }
    if events.is_empty() {
        let firsts = scenes
            .iter()
            .filter_map(|scene| sentences(scene).first().copied());
        events.extend(firsts.map(|first| clip(&clean(first), QUOTATION)));
    }
    events
}

fn summary(
    task: &Task<'_>,
    plan: &ChapterPlan,
    events: &[String],
    items: &[ItemTask],
    told: &[&str],
) -> String {
    let number = task.chapter.get();
    let title = &plan.title;
    let line = &plan.contract.get().storyline_id;
    let changes: Vec<String> = items
        .iter()
        .map(|item| {
            format!(
                "- [{}] {}{}{}",
                action_word(plan.lang, item.action),
                item.id,
                colon(plan.lang),
                quotation(item, told, plan.lang)
            )
        })
        .collect();
    let (heading, names) = match plan.lang {
        Lang::Zh => (
            format!("## 第 {number} 章 {title}"),
            ["关键事件", "伏笔变更", "故事线标记", "下一章须知"],
        ),
        Lang::En => (
            format!("## Chapter {number}: {title}"),
            [
                "Key events",
                "Foreshadowing",
                "Storyline",
                "For the next chapter",
            ],
        ),
    };
    let list = |lines: &[String]| match (lines.is_empty(), plan.lang) {
        (true, Lang::Zh) => "- 无".to_owned(),
        (true, Lang::En) => "- none".to_owned(),
        (false, _) => lines.join("\n"),
    };
    let marked: Vec<String> = events.iter().map(|event| format!("- {event}")).collect();
    let next: Vec<String> = next_points(plan, events)
        .iter()
        .map(|point| format!("- {point}"))
        .collect();
    format!(
        "{heading}\n\n{}\n\n### {}\n{}\n\n### {}\n{}\n\n### {}\n- storyline_id: {line}\n\n### {}\n{}\n",
        prose_of(plan.lang, events),
        names[0],
        list(&marked),
        names[1],
        list(&changes),
        names[2],
        names[3],
        list(&next),
    )
}

fn colon(lang: Lang) -> &'static str {
    match lang {
        Lang::Zh => "：",
        Lang::En => ": ",
    }
}

fn action_word(lang: Lang, action: ForeshadowAction) -> &'static str {
    match (lang, action) {
        (Lang::Zh, ForeshadowAction::Planted) => "埋设",
        (Lang::Zh, ForeshadowAction::Advanced) => "推进",
        (Lang::Zh, ForeshadowAction::Resolved) => "回收",
        (Lang::En, action) => action.word(),
    }
}

/// The events as running text, as many as fit.
fn prose_of(lang: Lang, events: &[String]) -> String {
    let (end, between) = match lang {
        Lang::Zh => ("。", ""),
        Lang::En => (".", " "),
    };
    let mut prose = String::new();
    for event in events {
        let end = if event.ends_with(['…', '？', '?', '”']) {
            ""
        } else {
            end
        };
        let next = format!("{event}{end}");
        if count_words(&prose) + count_words(&next) > PROSE_WORDS {
            break;
        }
        if !prose.is_empty() {
            prose.push_str(between);
        }
        prose.push_str(&next);
    }
    prose
}

/// Where the text touches an item; honest when it does not.
fn quotation(item: &ItemTask, told: &[&str], lang: Lang) -> String {
    match best_sentence(told, &item.description).filter(|(_, share)| *share >= TELLS) {
        Some((sentence, _)) => clip(&clean(sentence), QUOTATION),
        None => match lang {
            Lang::Zh => "依章节契约登记，正文中没有找到对应的句子".to_owned(),
            Lang::En => "recorded from the contract; no sentence of the text says it".to_owned(),
        },
    }
}

/// Three to five points: where people are, what is open, how it goes on.
fn next_points(plan: &ChapterPlan, events: &[String]) -> Vec<String> {
    const LEAST: usize = 3;
    const MOST: usize = 5;
    let contract = plan.contract.get();
    let mut points = Vec::new();
    for (name, changes) in &contract.postconditions.state_changes {
        if let Some(place) = changes.get("location").and_then(Value::as_str) {
            points.push(match plan.lang {
                Lang::Zh => format!("{name}在{}", clean(place)),
                Lang::En => format!("{name} is at {}", clean(place)),
            });
        }
    }
    points.truncate(LEAST);
    if let Some(conflict) = plan.field("Conflict") {
        points.push(match plan.lang {
            Lang::Zh => format!("未了的冲突：{}", clip(&conflict, QUOTATION)),
            Lang::En => format!("open conflict: {}", clip(&conflict, QUOTATION)),
        });
    }
    let bridge = contract
        .transition_hint
        .as_ref()
        .and_then(|hint| hint.bridge.as_deref());
    let bridge = bridge.map(clean).or_else(|| plan.field("TransitionHint"));
    if let Some(bridge) = bridge.filter(|bridge| !bridge.is_empty()) {
        points.push(match plan.lang {
            Lang::Zh => format!("承接：{}", clip(&bridge, QUOTATION)),
            Lang::En => format!("bridge: {}", clip(&bridge, QUOTATION)),
        });
    }
    for event in events.iter().rev() {
        if points.len() >= LEAST {
            break;
        }
        points.push(event.clone());
    }
    let line = &contract.storyline_id;
    let place = &plan.places[plan.places.len() - 1];
    // An imported chapter has no plan that would say where and through whose eyes it plays.
    let pov = plan.field("POV").map(|_| match plan.lang {
        Lang::Zh => format!("视角人物：{}", plan.pov),
        Lang::En => format!("point of view: {}", plan.pov),
    });
    let place = plan.field("Location").map(|_| match plan.lang {
        Lang::Zh => format!("最后的地点：{place}"),
        Lang::En => format!("last place: {place}"),
    });
    let line = match plan.lang {
        Lang::Zh => format!("故事线：{line}"),
        Lang::En => format!("storyline: {line}"),
    };
    let usual = pov.into_iter().chain(place).chain([line]);
    let missing = LEAST.saturating_sub(points.len());
    points.extend(usual.take(missing));
    points.truncate(MOST);
    points
}

/// The changes the contract promises, as ops.
fn ops(plan: &ChapterPlan, state: &StoryState, items: &[ItemTask], told: &[&str]) -> Vec<Value> {
    let mut ops = Vec::new();
    let mut placed: Vec<Slug> = Vec::new();
    for (name, changes) in &plan.contract.get().postconditions.state_changes {
        let Some(slug) = plan.cast.named(name) else {
            continue;
        };
        introduce(plan, state, slug, &mut ops);
        match changes {
            Value::Object(changes) => {
                for (key, value) in changes {
                    if key == "location" {
                        placed.push(slug.clone());
                    }
                    set(&format!("characters.{slug}"), key, value, &mut ops);
                }
            }
            value => set(&format!("characters.{slug}"), "condition", value, &mut ops),
        }
    }
    // Where the teller is, is known even if the contract does not say it.
    let is_planned = plan.field("Location").is_some();
    let pov = plan
        .present()
        .next()
        .filter(|(slug, _)| is_planned && !placed.contains(slug));
    if let Some((slug, _)) = pov {
        introduce(plan, state, slug, &mut ops);
        let place = json!(plan.places[plan.places.len() - 1]);
        set(&format!("characters.{slug}"), "location", &place, &mut ops);
    }
    if let Some(time) = time_marker(plan, state) {
        ops.push(json!({"op": "set", "path": "world_state.time_marker", "value": time}));
    }
    for item in items {
        ops.push(json!({
            "op": "foreshadow", "path": item.id, "value": item.action.word(),
            "detail": quotation(item, told, plan.lang),
        }));
    }
    ops
}

/// Every op with the sentence that tells it, where the text has one: one with the new value, else one
/// with the person's name; for an item the sentence closest to its description.
fn proven(mut ops: Vec<Value>, plan: &ChapterPlan, items: &[ItemTask], text: &str) -> Vec<Value> {
    let locator = Locator::new(text);
    let told: Vec<&str> = sentences(text)
        .into_iter()
        .filter(|sentence| locator.contains(sentence))
        .collect();
    for op in &mut ops {
        let path = op["path"].as_str().unwrap_or_default();
        let found = if op["op"] == "foreshadow" {
            let item = items.iter().find(|item| item.id.as_str() == path);
            item.and_then(|item| best_sentence(&told, &item.description))
                .map(|(sentence, _)| sentence)
        } else {
            let value = op["value"].as_str().map(clean).unwrap_or_default();
            let person = path
                .split('.')
                .nth(1)
                .and_then(|id| id.parse::<Slug>().ok());
            let says = |sentence: &&&str| !value.is_empty() && sentence.contains(&value);
            let names = |sentence: &&&str| {
                let named = person.as_ref().filter(|_| path.starts_with("characters."));
                named.is_some_and(|slug| plan.is_named_in(slug, sentence))
            };
            let by_value = told.iter().find(says).or_else(|| told.iter().find(names));
            // When it is, the first sentences of a chapter say.
            let opening = told.first().filter(|_| path.starts_with("world_state."));
            by_value.or(opening).copied()
        };
        if let Some(sentence) = found {
            op["evidence"] = json!(sentence);
        }
    }
    ops
}

/// A character the state does not know yet gets a name first.
fn introduce(plan: &ChapterPlan, state: &StoryState, slug: &Slug, ops: &mut Vec<Value>) {
    let path = format!("characters.{slug}.display_name");
    let known = state.characters.get(slug.as_str());
    let named = known.is_some_and(|known| known.get("display_name").is_some());
    let new = !named && !ops.iter().any(|op| op["path"] == path.as_str());
    let name = plan.cast.members().find(|(id, _)| *id == slug);
    if let Some((_, member)) = name.filter(|_| new) {
        let name = member.character.display_name.trim();
        ops.push(json!({"op": "set", "path": path, "value": name}));
    }
}

/// One `set`, or one for each key of an object, so that its other keys stay.
fn set(base: &str, key: &str, value: &Value, ops: &mut Vec<Value>) {
    let sound = |key: &str| {
        !key.trim().is_empty() && !key.contains('.') && !key.chars().any(char::is_control)
    };
    if !sound(key) {
        return;
    }
    match value {
        Value::Object(parts) => {
            for (part, value) in parts.iter().filter(|(part, _)| sound(part)) {
                ops.push(
                    json!({"op": "set", "path": format!("{base}.{key}.{part}"), "value": value}),
                );
            }
        }
        value => ops.push(json!({"op": "set", "path": format!("{base}.{key}"), "value": value})),
    }
}

/// The outline's time, unless it is the one that holds or lies before it.
fn time_marker(plan: &ChapterPlan, state: &StoryState) -> Option<String> {
    let time = plan.field("Time").or_else(|| plan.field("时间"))?;
    let current = state.world_state.get("time_marker").and_then(Value::as_str);
    let current = current.unwrap_or_default();
    let earlier = match (first_number(&time), first_number(current)) {
        (Some(new), Some(old)) => new < old,
        _ => false,
    };
    (time != current && !earlier).then_some(time)
}

/// The first number of a text, in digits or Chinese numerals.
fn first_number(text: &str) -> Option<u32> {
    let is_numeral =
        |char: char| char.is_ascii_digit() || "〇零一二两三四五六七八九十百千".contains(char);
    let start = text.find(is_numeral)?;
    let rest = &text[start..];
    let end = rest.find(|char| !is_numeral(char)).unwrap_or(rest.len());
    parse_numeral(&rest[..end])
}

fn crossref(plan: &ChapterPlan, text: &str) -> CrossReferences {
    let strangers: Vec<&Slug> = plan
        .strangers
        .iter()
        .filter(|slug| plan.is_named_in(slug, text))
        .collect();
    let references = strangers
        .iter()
        .map(|slug| CrossReference {
            entity: slug.to_string(),
            source_storyline: None,
            context: None,
        })
        .collect();
    let leaks = !plan.convergence && !strangers.is_empty();
    let detail = match plan.lang {
        Lang::Zh => "正文提到了只属于其他故事线的人物",
        Lang::En => "the text names people who belong to another storyline only",
    };
    let unknown = plan.contract.get().postconditions.state_changes.keys();
    let unknown = unknown
        .filter(|name| plan.cast.named(name).is_none())
        .map(|name| UnknownEntity {
            mention: name.clone(),
            context: None,
            suggested_type: Some("character".to_owned()),
        })
        .collect();
    CrossReferences {
        storyline_id: plan.contract.get().storyline_id.clone(),
        cross_references: references,
        leak_risk: if leaks { LeakRisk::Low } else { LeakRisk::None },
        leak_detail: leaks.then(|| detail.to_owned()),
        unknown_entities: unknown,
    }
}

/// The newest facts of the line, oldest dropped first.
fn memory(task: &Task<'_>, lang: Lang, old: Option<&str>, events: &[String]) -> String {
    let number = task.chapter.get();
    let prefix = match lang {
        Lang::Zh => format!("- 第 {number} 章："),
        Lang::En => format!("- Chapter {number}: "),
    };
    let old = old.unwrap_or_default().lines().map(str::trim_end);
    // A chapter told anew replaces what it told before.
    let old = old.filter(|line| !line.is_empty() && !line.starts_with(&prefix));
    let mut facts: Vec<String> = old.map(str::to_owned).collect();
    let between = match lang {
        Lang::Zh => "；",
        Lang::En => "; ",
    };
    let told = clip(&events.join(between), 2 * QUOTATION);
    facts.push(format!("{prefix}{told}"));
    while facts.len() > 1 && count_words(&facts.join("\n")) > MEMORY_WORDS {
        facts.remove(0);
    }
    format!("{}\n", facts.join("\n"))
}
