//! A chapter in scenes: the plan of them, and one of them at a time.
//!
//! The chapter is composed whole each time and one scene of it handed over, so the scenes fit
//! together and the merged chapter is the one a single draft would have been. What somebody changed
//! in the plan about the number of scenes, their places and their people is followed.

use novel_model::{
    Document, Lang, SceneNo,
    files::{Intensity, PlannedScene, ScenePlan},
    layout, to_json_text,
};
use novel_text::count_words;
use serde_json::Value;

use crate::{
    OfflineError,
    draft::{Stage, compose, home_of, stages, voice_of},
    plan::{ChapterPlan, Task, item_tasks},
    prose::clean,
};

pub(crate) fn plan(task: Task<'_>) -> Result<String, OfflineError> {
    let plan = task.plan()?;
    let scenes = compose(&task, &plan, None)?;
    let count = scenes.0.len();
    let planned = stages(&plan, count)
        .into_iter()
        .zip(1..)
        .filter_map(|(stage, number)| {
            let at = usize::try_from(number - 1).ok()?;
            let actions = actions(&task, &plan, at, count);
            let words = count_words(&scenes.text_of(at)).max(1) as u64;
            let mut characters = vec![plan.pov.clone()];
            characters.extend(stage.other);
            Some(PlannedScene {
                scene_number: SceneNo::new(number)?,
                location: stage.place,
                characters,
                purpose: purpose(&plan, at, count, &actions),
                key_actions: actions,
                estimated_words: words,
                scene_type: scene_type(plan.lang, at, count).to_owned(),
                intensity: intensity(at, count),
            })
        })
        .collect();
    Ok(to_json_text(&ScenePlan {
        chapter_number: task.chapter,
        chapter_title: plan.title.clone(),
        scenes: planned,
    }))
}

pub(crate) fn write(task: Task<'_>) -> Result<String, OfflineError> {
    let field = "scene";
    let number = task.packet.manifest.inline.get(field);
    let number = number.and_then(Value::as_u64);
    let scene = number
        .and_then(|number| usize::try_from(number).ok()?.checked_sub(1))
        .ok_or(OfflineError::PacketField { field })?;
    let path = layout::staged_scene_plan(task.chapter);
    let planned =
        Document::<ScenePlan>::load(task.book.reader, &path)?.ok_or(OfflineError::PacketField {
            field: "scene_plan",
        })?;
    let plan = task.plan()?;
    let usual = stages(&plan, planned.get().scenes.len());
    let told = planned.get().scenes.iter().zip(usual);
    let stages: Vec<Stage> = told
        .map(|(told, usual)| staged_as_told(&plan, told, usual))
        .collect();
    let stage = stages.get(scene).cloned();
    let stage = stage.ok_or(OfflineError::PacketField { field })?;
    let text = compose(&task, &plan, Some(stages))?.text_of(scene);
    if !text.is_empty() {
        return Ok(text);
    }
    // The author left no room for it; a planned scene is never without a word.
    let mut voice = voice_of(&task, &plan, "");
    voice.set_scene(&plan.pov, stage.other.as_deref(), &stage.place, &plan.title);
    Ok(voice.say("scene_open", &[]))
}

fn staged_as_told(plan: &ChapterPlan, told: &PlannedScene, usual: Stage) -> Stage {
    let place = clean(&told.location);
    let other = told.characters.iter().map(|name| name.trim());
    let other = other
        .filter(|name| !name.is_empty() && *name != plan.pov)
        .map(str::to_owned)
        .next();
    Stage {
        place: if place.is_empty() { usual.place } else { place },
        other,
    }
}

/// What the contract wants to happen in a scene.
fn actions(task: &Task<'_>, plan: &ChapterPlan, scene: usize, count: usize) -> Vec<String> {
    let objectives = &plan.contract.get().objectives;
    let items = item_tasks(task, plan.contract.get());
    let told = objectives
        .iter()
        .enumerate()
        .filter(|(at, _)| home_of(*at, objectives.len(), count) == scene)
        .map(|(_, objective)| clean(&objective.description));
    let hidden = items
        .iter()
        .enumerate()
        .filter(|(at, _)| home_of(*at, items.len(), count) == scene)
        .map(|(_, item)| clean(&item.description));
    told.chain(hidden).filter(|text| !text.is_empty()).collect()
}

fn purpose(plan: &ChapterPlan, scene: usize, count: usize, actions: &[String]) -> String {
    let said = match actions.first() {
        Some(action) => Some(action.clone()),
        None if scene == 0 => plan.field("Conflict"),
        None if scene + 1 == count => plan.field("Arc"),
        None => None,
    };
    let usual = match (plan.lang, scene) {
        (Lang::Zh, 0) => "开场，交代人物处境",
        (Lang::Zh, _) => "承接上一场，推动局面",
        (Lang::En, 0) => "open the chapter and show where everybody stands",
        (Lang::En, _) => "carry on from the scene before",
    };
    said.unwrap_or_else(|| usual.to_owned())
}

const fn scene_type(lang: Lang, scene: usize, count: usize) -> &'static str {
    match (lang, scene, scene + 1 == count) {
        (Lang::Zh, 0, _) => "开场",
        (Lang::Zh, _, true) => "收束",
        (Lang::Zh, 1, false) => "对峙",
        (Lang::Zh, _, false) => "推进",
        (Lang::En, 0, _) => "opening",
        (Lang::En, _, true) => "closing",
        (Lang::En, 1, false) => "confrontation",
        (Lang::En, _, false) => "development",
    }
}

const fn intensity(scene: usize, count: usize) -> Intensity {
    if scene == 0 {
        Intensity::Low
    } else if scene + 1 == count {
        Intensity::High
    } else {
        Intensity::Medium
    }
}
