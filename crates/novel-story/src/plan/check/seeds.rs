//! Foreshadowing: planted before it is touched, once, and within sane ranges.

use std::collections::BTreeMap;

use novel_model::{
    Document, Problem,
    files::{ChapterContract, ForeshadowAction, ForeshadowScope},
    layout, message,
};

use super::{Extent, Plan, token, warn};
use novel_book::validate::Findings;

/// What became of an item so far: what happened last, and where.
type Lives = BTreeMap<String, (ForeshadowAction, Option<u32>)>;

pub(super) fn check(plan: &Plan, findings: &mut Findings) {
    let facts = plan.facts.foreshadowing.iter();
    let mut lives: Lives = facts
        .filter(|item| item.planted_chapter.is_some_and(|at| at < plan.of.first))
        .map(|item| {
            (
                item.id.to_string(),
                (item.status, item.planted_chapter.map(|at| at.get())),
            )
        })
        .collect();
    let mut planted_in: BTreeMap<String, u32> = BTreeMap::new();
    for contract in plan.contracts.iter().map(Document::get) {
        for (id, action) in &contract.postconditions.foreshadowing_updates {
            let Some(action) = action.as_str().and_then(ForeshadowAction::from_word) else {
                continue;
            };
            if action == ForeshadowAction::Planted {
                planted_in
                    .entry(id.clone())
                    .or_insert(contract.chapter.get());
            }
            update(plan, contract, (id, action), &mut lives, findings);
        }
    }
    ranges(plan, &planted_in, findings);
    if plan.of.extent == Extent::Whole {
        open_ends(plan, &lives, findings);
    }
}

fn update(
    plan: &Plan,
    contract: &ChapterContract,
    (id, action): (&str, ForeshadowAction),
    lives: &mut Lives,
    findings: &mut Findings,
) {
    let chapter = contract.chapter.get();
    let pointer = format!("/postconditions/foreshadowing_updates/{}", token(id));
    let mut report = |code, what, hint| {
        let problem = Problem::new(code, &plan.path(contract), what).at(pointer.clone());
        findings.problems.push(problem.hint(hint));
    };
    match (action, lives.get(id).copied()) {
        (ForeshadowAction::Planted, Some((_, since))) => {
            let place = since.map_or_else(|| "?".to_owned(), |at| at.to_string());
            report(
                "planted_twice",
                message!(
                    en: "chapter {chapter} plants `{id}`, which chapter {place} has already planted",
                    zh: "第 {chapter} 章埋设 `{id}`，而第 {place} 章已经埋设过"
                ),
                message!(
                    en: "write `advanced`, or give the new item an id of its own",
                    zh: "请写 `advanced`，或给新的伏笔另起 id"
                ),
            );
        }
        (ForeshadowAction::Advanced | ForeshadowAction::Resolved, None) => {
            let (code, en, zh) = match action {
                ForeshadowAction::Resolved => ("resolve_without_plant", "resolves", "回收"),
                _ => ("advance_without_plant", "advances", "推进"),
            };
            report(
                code,
                message!(
                    en: "chapter {chapter} {en} `{id}`, but nothing planted it before",
                    zh: "第 {chapter} 章{zh}伏笔 `{id}`，但此前从未埋设"
                ),
                message!(
                    en: "let an earlier chapter plant it (`\"{id}\": \"planted\"`), or take it out here",
                    zh: "请让更早的某章埋设（`\"{id}\": \"planted\"`），或在此处去掉"
                ),
            );
        }
        (_, Some((ForeshadowAction::Resolved, since))) => {
            let place = since.map_or_else(|| "?".to_owned(), |at| at.to_string());
            report(
                "already_resolved",
                message!(
                    en: "chapter {chapter} touches `{id}`, which is already resolved (planted in chapter {place})",
                    zh: "第 {chapter} 章触及 `{id}`，而它已经回收（埋设于第 {place} 章）"
                ),
                message!(en: "take it out here", zh: "请在此处去掉"),
            );
        }
        _ => {}
    }
    let since = lives
        .get(id)
        .and_then(|(_, since)| *since)
        .or(Some(chapter));
    lives.insert(id.to_owned(), (action, since));
}

/// Ranges begin after the planting, and the planting is where the plan says it is.
fn ranges(plan: &Plan, planted_in: &BTreeMap<String, u32>, findings: &mut Findings) {
    let path = layout::foreshadowing_plan(plan.of.volume);
    for (at, seed) in plan.seeds.foreshadowing.iter().enumerate() {
        let id = &seed.id;
        let Some(planted) = seed.planted_chapter.map(|chapter| chapter.get()) else {
            continue;
        };
        if let Some((from, to)) = seed.target_resolve_range
            && from <= planted
        {
            let what = message!(
                en: "`{id}` is planted in chapter {planted}, but may be resolved from chapter {from} on",
                zh: "`{id}` 在第 {planted} 章埋设，却从第 {from} 章起就可以回收"
            );
            let pointer = format!("/foreshadowing/{at}/target_resolve_range");
            let least = planted + 1;
            let end = to.max(least);
            findings.problems.push(
                Problem::new("range_before_plant", &path, what)
                    .at(pointer)
                    .hint(message!(en: "write [{least}, {end}], for example", zh: "例如写成 [{least}, {end}]")),
            );
        }
        if let Some(real) = planted_in.get(id.as_str()).filter(|real| **real != planted) {
            let what = message!(
                en: "`{id}` is to be planted in chapter {planted}, but the contract of chapter {real} plants it",
                zh: "计划在第 {planted} 章埋设 `{id}`，而埋设它的是第 {real} 章的契约"
            );
            let pointer = format!("/foreshadowing/{at}/planted_chapter");
            findings
                .problems
                .push(Problem::new("wrong_plant_chapter", &path, what).at(pointer));
        }
    }
}

/// Items of the plan that the whole volume forgets.
fn open_ends(plan: &Plan, lives: &Lives, findings: &mut Findings) {
    let last = plan.bounds().map_or(0, |(_, last)| last);
    for seed in &plan.seeds.foreshadowing {
        let id = &seed.id;
        match lives.get(id.as_str()) {
            None => {
                let text = message!(
                    en: "foreshadowing `{id}` is planned, but no chapter plants it",
                    zh: "计划了伏笔 `{id}`，但没有一章埋设它"
                );
                warn(findings, "never_planted", text);
            }
            Some((action, _)) => {
                let due = seed.target_resolve_range.is_some_and(|(_, to)| to <= last);
                let short = seed.scope == Some(ForeshadowScope::Short);
                if due && short && *action != ForeshadowAction::Resolved {
                    let text = message!(
                        en: "foreshadowing `{id}` is due in this volume, but no chapter resolves it",
                        zh: "伏笔 `{id}` 应在本卷回收，但没有一章回收它"
                    );
                    warn(findings, "never_resolved", text);
                }
            }
        }
    }
    for contract in plan.contracts.iter().map(Document::get) {
        for (id, action) in &contract.postconditions.foreshadowing_updates {
            let planted = action.as_str() == Some(ForeshadowAction::Planted.word());
            let described = plan
                .seeds
                .foreshadowing
                .iter()
                .any(|seed| seed.id.as_str() == id);
            if planted && !described {
                let number = contract.chapter.get();
                let text = message!(
                    en: "chapter {number} plants `{id}`, which the foreshadowing plan does not describe",
                    zh: "第 {number} 章埋设 `{id}`，而伏笔计划中没有它的说明"
                );
                warn(findings, "undescribed_foreshadowing", text);
            }
        }
    }
}
