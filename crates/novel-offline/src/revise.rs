//! Revises a staged chapter where the judge asked for it, and leaves the rest alone.

use novel_model::files::{Objective, RequiredFix};
use novel_text::{count_words, parse_chapter, render_chapter};

use crate::{
    OfflineError,
    draft::{Length, voice_of},
    event::objective_beat,
    plan::{ChapterPlan, Task},
    prose::Compared,
    refine,
    voice::Voice,
};

/// An objective of which less is said counts as not told.
pub(crate) const TOLD: f64 = 0.5;
/// Fixes taken up in one round.
const MOST_FIXES: usize = 5;

pub(crate) fn revise(task: Task<'_>) -> Result<String, OfflineError> {
    let plan = task.plan()?;
    let staged = task.text("chapter_content")?;
    let parsed = parse_chapter(&staged);
    let phrases = refine::phrases(&task)?;
    let mut scenes: Vec<Vec<String>> = parsed
        .scenes
        .iter()
        .map(|scene| paragraphs(&refine::replace_phrases(scene, &phrases, plan.lang)))
        .collect();
    if scenes.is_empty() {
        scenes.push(Vec::new());
    }
    // The text is part of the seed: a second revision adds something else.
    let mut voice = voice_of(&task, &plan, &staged);
    let place = plan.places.first().map_or("", String::as_str);
    let other = plan.company.first().map(String::as_str);
    voice.set_scene(&plan.pov, other, place, &plan.title);

    let mut told = 0;
    for objective in untold(&plan, &staged) {
        let beat = objective_beat(&mut voice, &plan, objective);
        insert(&mut scenes, usize::MAX, beat);
        told += 1;
    }
    let most = Length::of(&task.book.config.chapter, plan.lang, 0).most;
    for fix in fixes(&task).iter().take(MOST_FIXES) {
        let beat = beat_for(&mut voice, fix);
        if words(&scenes) + count_words(&beat) <= most {
            insert(&mut scenes, target(fix).unwrap_or(2), beat);
            told += 1;
        }
    }
    if told == 0 {
        // No room and no objective left out: the last thing said before the end is said anew.
        let beat = voice.say("inner", &[]);
        replace_last_but_one(&mut scenes, beat);
    }
    let texts: Vec<String> = scenes.iter().map(|scene| scene.join("\n\n")).collect();
    let title = parsed.title();
    let title = if title.is_empty() { &plan.title } else { title };
    Ok(render_chapter(task.chapter, title, &texts, plan.lang))
}

fn paragraphs(scene: &str) -> Vec<String> {
    let parts = scene.split("\n\n").map(str::trim_end);
    parts
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

fn words(scenes: &[Vec<String>]) -> usize {
    scenes.iter().flatten().map(|part| count_words(part)).sum()
}

/// Required objectives the text does not tell.
fn untold<'a>(plan: &'a ChapterPlan, text: &str) -> Vec<&'a Objective> {
    let text = Compared::new(text);
    let objectives = plan.contract.get().objectives.iter();
    objectives
        .filter(|objective| objective.required && text.coverage(&objective.description) < TOLD)
        .collect()
}

fn fixes(task: &Task<'_>) -> Vec<RequiredFix> {
    let listed = task.inline_list("required_fixes").iter();
    listed
        .filter_map(|fix| serde_json::from_value(fix.clone()).ok())
        .collect()
}

/// A beat that moves the text towards the fix: talk for people, narration for pace and place.
fn beat_for(voice: &mut Voice, fix: &RequiredFix) -> String {
    let asked = fix.instruction.to_lowercase();
    let wants = |words: &[&str]| words.iter().any(|word| asked.contains(word));
    let section = if wants(&["对话", "对白", "互动", "dialogue", "talk"]) {
        if voice.has_company() {
            "dialogue"
        } else {
            "solo"
        }
    } else if wants(&["情感", "内心", "人物", "emotion", "character", "inner"]) {
        "inner"
    } else if wants(&["场景", "环境", "沉浸", "scene", "place", "immersion"]) {
        "sense"
    } else {
        "action"
    };
    voice.say(section, &[])
}

/// The number in `paragraph_3`.
fn target(fix: &RequiredFix) -> Option<usize> {
    fix.target.strip_prefix("paragraph_")?.trim().parse().ok()
}

/// Puts a beat after the paragraph with this number, but never after the last of the chapter.
fn insert(scenes: &mut [Vec<String>], after: usize, beat: String) {
    let total: usize = scenes.iter().map(Vec::len).sum();
    let mut left = after.min(total.saturating_sub(1)).max(1);
    for scene in scenes.iter_mut() {
        if left <= scene.len() || total == 0 {
            scene.insert(left.min(scene.len()), beat);
            return;
        }
        left -= scene.len();
    }
    if let Some(last) = scenes.last_mut() {
        last.push(beat);
    }
}

fn replace_last_but_one(scenes: &mut [Vec<String>], beat: String) {
    let Some(scene) = scenes.last_mut() else {
        return;
    };
    match scene.len() {
        0 => scene.push(beat),
        1 => scene.insert(0, beat),
        length => scene[length - 2] = beat,
    }
}
