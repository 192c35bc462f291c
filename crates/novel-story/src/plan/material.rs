//! `[plan] material`: whether a plan may bring in people, lines and foreshadowing of its own. The plan
//! of a trial opens no line.

use novel_model::{Message, Problem, VolumeNo, files::PlanAnswer, layout, message};

use super::Existing;
use novel_book::config::PlanMaterial;

/// What a plan brings in although it may not.
#[must_use]
pub fn check_material(
    answer: &PlanAnswer,
    existing: &Existing,
    volume: VolumeNo,
    material: PlanMaterial,
) -> Vec<Problem> {
    if material == PlanMaterial::Open {
        return Vec::new();
    }
    let mut problems = Vec::new();
    let mut report = |pointer: String, what: Message| {
        let problem = Problem::new("new_material", &layout::plan_draft(volume), what);
        problems.push(problem.at(pointer).hint(message!(
            en: "use what the book has, or set `material = \"open\"` under `[plan]` in novel.toml",
            zh: "请只用书中已有的，或在 novel.toml 的 `[plan]` 下设 `material = \"open\"`"
        )));
    };
    for (at, person) in answer.new_characters.iter().enumerate() {
        let name = &person.display_name;
        report(
            format!("/new_characters/{at}"),
            message!(
                en: "`{name}` is new, and this plan may bring in nobody",
                zh: "`{name}` 是新人物，而本次规划不得引入新人物"
            ),
        );
    }
    for (at, line) in answer.storylines.iter().enumerate() {
        if !existing.has_line(&line.id) {
            let id = &line.id;
            report(
                format!("/storylines/{at}/id"),
                message!(
                    en: "storyline `{id}` is new, and this plan may bring in none",
                    zh: "故事线 `{id}` 是新的，而本次规划不得引入新故事线"
                ),
            );
        }
    }
    for (at, seed) in answer.foreshadowing.iter().enumerate() {
        let id = &seed.id;
        report(
            format!("/foreshadowing/{at}"),
            message!(
                en: "foreshadowing `{id}` is new, and this plan may bring in none",
                zh: "伏笔 `{id}` 是新的，而本次规划不得引入新伏笔"
            ),
        );
    }
    problems
}

/// Lines that the plan of a trial opens: a trial is told on the lines the set-up made.
#[must_use]
pub fn check_trial_lines(
    answer: &PlanAnswer,
    existing: &Existing,
    volume: VolumeNo,
) -> Vec<Problem> {
    let path = layout::plan_draft(volume);
    let lines = answer.storylines.iter().enumerate();
    lines
        .filter(|(_, line)| !existing.has_line(&line.id))
        .map(|(at, line)| {
            let id = &line.id;
            let what = message!(
                en: "storyline `{id}` is new, and the trial chapters open none",
                zh: "故事线 `{id}` 是新的，而试写章节不开新线"
            );
            let hint = message!(
                en: "use the lines of `storylines/storylines.json`",
                zh: "请用 `storylines/storylines.json` 中已有的线"
            );
            Problem::new("new_material", &path, what)
                .at(format!("/storylines/{at}/id"))
                .hint(hint)
        })
        .collect()
}
