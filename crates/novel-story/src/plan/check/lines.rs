//! Storylines: known, awake, few enough, and meeting inside the volume.

use std::collections::BTreeSet;

use novel_model::{Document, Problem, Slug, files::ConvergenceEvent, layout, message, nearest};

use super::{Extent, Plan, warn};
use novel_book::validate::Findings;

/// Lines on stage at once above which readers lose the thread.
pub const MOST_STORYLINES: usize = 4;

pub(super) fn check(plan: &Plan, findings: &mut Findings) {
    let path = layout::schedule(plan.of.volume);
    if let Some(schedule) = &plan.schedule {
        let count = schedule.active_storylines.len();
        if count > MOST_STORYLINES {
            let active = schedule.active_storylines.iter();
            let names: Vec<&str> = active.map(|line| line.storyline_id.as_str()).collect();
            let (en, zh) = (names.join(", "), names.join("、"));
            let what = message!(
                en: "{count} storylines are active at once, at most {MOST_STORYLINES} may be: {en}",
                zh: "同时有 {count} 条故事线活跃，最多 {MOST_STORYLINES} 条：{zh}"
            );
            findings.problems.push(
                Problem::new("many_storylines", &path, what)
                    .at("/active_storylines")
                    .hint(message!(
                        en: "move one to `dormant_storylines`, or fold it into another",
                        zh: "请把其中一条移入 `dormant_storylines`，或并入另一条"
                    )),
            );
        }
        for (at, line) in schedule.active_storylines.iter().enumerate() {
            let pointer = format!("/active_storylines/{at}/storyline_id");
            known(plan, &line.storyline_id, &path, pointer, findings);
            if schedule.dormant_storylines.contains(&line.storyline_id) {
                let id = &line.storyline_id;
                let what = message!(
                    en: "storyline `{id}` is active and dormant at once",
                    zh: "故事线 `{id}` 既活跃又休眠"
                );
                let pointer = format!("/active_storylines/{at}/storyline_id");
                findings
                    .problems
                    .push(Problem::new("dormant_on_stage", &path, what).at(pointer));
            }
        }
        meetings(plan, findings);
    }
    let active: Option<BTreeSet<&Slug>> = plan.schedule.as_ref().map(|schedule| {
        let active = schedule.active_storylines.iter();
        active.map(|line| &line.storyline_id).collect()
    });
    for contract in plan.contracts.iter().map(Document::get) {
        let (line, file) = (&contract.storyline_id, plan.path(contract));
        let pointer = "/storyline_id".to_owned();
        if !known(plan, line, &file, pointer.clone(), findings) {
            continue;
        }
        if active
            .as_ref()
            .is_some_and(|active| !active.is_empty() && !active.contains(line))
        {
            let number = contract.chapter.get();
            let what = message!(
                en: "chapter {number} is on storyline `{line}`, which is not active in {path}",
                zh: "第 {number} 章属于故事线 `{line}`，而 {path} 中它并不活跃"
            );
            let hint = message!(
                en: "add it to `active_storylines`, or put the chapter on an active line",
                zh: "请把它加入 `active_storylines`，或把本章放到活跃的线上"
            );
            let problem = Problem::new("inactive_storyline", &file, what).at(pointer);
            findings.problems.push(problem.hint(hint));
        }
    }
    unused(plan, findings);
}

/// Whether `storylines.json` has the line; a book without that file has none to compare with.
fn known(
    plan: &Plan,
    id: &Slug,
    path: &novel_model::RelPath,
    pointer: String,
    findings: &mut Findings,
) -> bool {
    let Some(lines) = &plan.storylines else {
        return true;
    };
    let ids = || lines.storylines.iter().map(|line| line.id.as_str());
    if ids().any(|known| known == id.as_str()) {
        return true;
    }
    let what = message!(
        en: "`storylines/storylines.json` has no storyline `{id}`",
        zh: "`storylines/storylines.json` 中没有故事线 `{id}`"
    );
    let list: Vec<&str> = ids().collect();
    let (en, zh) = (list.join(", "), list.join("、"));
    let hint = match nearest(id.as_str(), ids()) {
        Some(similar) => message!(
            en: "did you mean `{similar}`? Known: {en}",
            zh: "是否想写 `{similar}`？已有：{zh}"
        ),
        None => message!(
            en: "add it to that file (or to `staging/storylines/storylines.json`), or use one of: {en}",
            zh: "请加入该文件（或 `staging/storylines/storylines.json`），或使用：{zh}"
        ),
    };
    let problem = Problem::new("unknown_storyline", path, what).at(pointer);
    findings.problems.push(problem.hint(hint));
    false
}

/// Meetings lie inside the volume, between lines that are on stage.
fn meetings(plan: &Plan, findings: &mut Findings) {
    let path = layout::schedule(plan.of.volume);
    let (Some(schedule), Some((first, last))) = (&plan.schedule, plan.bounds()) else {
        return;
    };
    // Meetings that are over when the plan begins belong to the plan before it.
    let is_over = |event: &ConvergenceEvent| {
        let range = event.chapter_range;
        range.is_some_and(|(_, to)| to < plan.of.first && to >= plan.of.volume_first)
    };
    let events = schedule.convergence_events.iter().enumerate();
    for (at, event) in events.filter(|(_, event)| !is_over(event)) {
        if let Some((from, to)) = event.chapter_range {
            let (from, to) = (from.get(), to.get());
            // Chunks that are not there yet may bring the chapters.
            let beyond = to > last && plan.of.extent == Extent::Whole;
            if from < first || beyond {
                let what = message!(
                    en: "the meeting in chapters {from} to {to} lies outside the volume, which has {first} to {last}",
                    zh: "第 {from} 至 {to} 章的交汇超出本卷（第 {first} 至 {last} 章）"
                );
                let pointer = format!("/convergence_events/{at}/chapter_range");
                findings
                    .problems
                    .push(Problem::new("range_outside_volume", &path, what).at(pointer));
            }
        }
        for (index, line) in event.involved_storylines.iter().enumerate() {
            let pointer = format!("/convergence_events/{at}/involved_storylines/{index}");
            let active = &schedule.active_storylines;
            let on_stage = active.iter().any(|other| other.storyline_id == *line);
            if known(plan, line, &path, pointer.clone(), findings)
                && !on_stage
                && !active.is_empty()
            {
                let what = message!(
                    en: "storyline `{line}` takes part in a meeting, but is not active",
                    zh: "故事线 `{line}` 参与交汇，却不在活跃之列"
                );
                findings
                    .problems
                    .push(Problem::new("inactive_storyline", &path, what).at(pointer));
            }
        }
    }
}

/// A line that is called active and has no chapter.
fn unused(plan: &Plan, findings: &mut Findings) {
    if plan.of.extent == Extent::Begun {
        return;
    }
    for line in plan
        .schedule
        .iter()
        .flat_map(|schedule| &schedule.active_storylines)
    {
        let id = &line.storyline_id;
        let told = plan.outline.blocks.iter();
        let mut told = told.filter(|block| block.field("Storyline") == Some(id.as_str()));
        if told.next().is_none() {
            let text = message!(
                en: "storyline `{id}` is active, but no chapter of this volume is on it",
                zh: "故事线 `{id}` 活跃，但本卷没有一章属于它"
            );
            warn(findings, "storyline_without_chapter", text);
        }
    }
}
