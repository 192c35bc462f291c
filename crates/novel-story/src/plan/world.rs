//! The world: documents, L1 rules, the main line, and what is added later.

use novel_model::{
    Lang, Message, Problem, RelPath,
    files::{
        Bridges, ConstraintType, RuleDraft, Storyline, StorylineRule, StorylineSpec, Storylines,
        WorldAnswer, WorldRule, WorldRules,
    },
    layout, message, to_json_text,
};

use super::{Files, document, one_line};

/// Core rules a new world has at most.
const MOST_RULES: usize = 3;
/// The id of the line the book is about.
const MAIN_ARC: &str = "main-arc";

/// What is wrong with the answer for a new world.
#[must_use]
pub fn check_world(answer: &WorldAnswer) -> Vec<Problem> {
    let path = layout::staged(&layout::world_rules());
    let mut problems = check_rules(&path, &answer.rules);
    for (key, text) in [
        ("geography", &answer.geography),
        ("history", &answer.history),
        ("rules_text", &answer.rules_text),
    ] {
        if text.trim().is_empty() {
            let what = message!(en: "`{key}` is empty", zh: "`{key}` 为空");
            problems.push(Problem::new("empty", &path, what).at(format!("/{key}")));
        }
    }
    match &answer.main_arc {
        None => problems.push(
            Problem::new(
                "missing_key",
                &path,
                message!(en: "the main line is missing", zh: "缺少主线"),
            )
            .at("/main_arc")
            .hint(message!(
                en: "give `main_arc` a name and a description",
                zh: "请给出 `main_arc` 的名称与说明"
            )),
        ),
        Some(arc) if arc.name.trim().is_empty() || arc.description.trim().is_empty() => problems
            .push(
                Problem::new(
                    "empty",
                    &path,
                    message!(en: "the main line has no name or no description", zh: "主线缺少名称或说明"),
                )
                .at("/main_arc"),
            ),
        Some(_) => {}
    }
    problems
}

/// What is wrong with the answer that extends a world.
#[must_use]
pub fn check_addition(answer: &WorldAnswer) -> Vec<Problem> {
    let path = layout::staged(&layout::world_rules());
    check_rules(&path, &answer.rules)
}

fn check_rules(path: &RelPath, rules: &[RuleDraft]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let count = rules.len();
    if !(1..=MOST_RULES).contains(&count) {
        let what = message!(
            en: "{count} rules; one to {MOST_RULES} are wanted",
            zh: "给出了 {count} 条规则，应为一到 {MOST_RULES} 条"
        );
        problems.push(
            Problem::new("rule_count", path, what)
                .at("/rules")
                .hint(message!(
                    en: "keep the rules the plot depends on; more can be added with `novel world add TEXT`",
                    zh: "只留情节赖以成立的规则，其余以后用 `novel world add TEXT` 添加"
                )),
        );
    }
    for (at, rule) in rules.iter().enumerate() {
        if rule.rule.trim().is_empty() {
            let what = message!(en: "the rule is empty", zh: "规则为空");
            problems.push(Problem::new("empty", path, what).at(format!("/rules/{at}/rule")));
        }
    }
    problems
}

/// The files of a new world.
#[must_use]
pub fn world_files(answer: &WorldAnswer, lang: Lang) -> Files {
    let rules = WorldRules {
        rules: numbered(&answer.rules, 1, 1),
    };
    let mut files = Files::from([
        (layout::world_geography(), document(&answer.geography)),
        (layout::world_history(), document(&answer.history)),
        (layout::world_rules_text(), document(&answer.rules_text)),
        (layout::world_rules(), to_json_text(&rules)),
        (layout::storyline_spec(), to_json_text(&line_rules(lang))),
    ]);
    if let (Some(arc), Ok(id)) = (&answer.main_arc, MAIN_ARC.parse()) {
        let line = Storyline {
            id,
            name: one_line(&arc.name),
            kind: "main_arc".to_owned(),
            scope: Some("book".to_owned()),
            pov_characters: Vec::new(),
            affiliated_factions: arc.factions.iter().map(|name| one_line(name)).collect(),
            timeline: arc.timeline.as_deref().map(one_line),
            status: Some("active".to_owned()),
            description: Some(one_line(&arc.description)),
        };
        let lines = Storylines {
            storylines: vec![line],
            relationships: Vec::new(),
        };
        files.insert(layout::storylines(), to_json_text(&lines));
    }
    files
}

/// The rules and documents after an addition, and the new rules. `date` goes into the world's
/// changelog.
#[must_use]
pub fn extended_world(
    answer: &WorldAnswer,
    old: &WorldRules,
    texts: &Files,
    since: u32,
    note: (&str, &str),
) -> (Files, Vec<WorldRule>) {
    let next = 1 + old.rules.iter().filter_map(number_of).max().unwrap_or(0);
    let new = numbered(&answer.rules, next, since);
    let mut files = Files::new();
    for (path, addition) in [
        (layout::world_geography(), &answer.geography),
        (layout::world_history(), &answer.history),
        (layout::world_rules_text(), &answer.rules_text),
    ] {
        if !addition.trim().is_empty() {
            let text = match texts.get(&path) {
                Some(old) => format!("{}\n\n{}", old.trim_end(), addition.trim()),
                None => addition.clone(),
            };
            files.insert(path, document(&text));
        }
    }
    let (date, request) = note;
    let ids: Vec<&str> = new.iter().map(|rule| rule.id.as_str()).collect();
    let entry = format!("- {date} {}: {}", ids.join(", "), one_line(request));
    let changelog = match texts.get(&layout::world_changelog()) {
        Some(old) => format!("{}\n{entry}", old.trim_end()),
        None => entry,
    };
    files.insert(layout::world_changelog(), document(&changelog));
    (files, new)
}

fn number_of(rule: &WorldRule) -> Option<u32> {
    rule.id.strip_prefix("W-")?.parse().ok()
}

fn numbered(rules: &[RuleDraft], first: u32, since: u32) -> Vec<WorldRule> {
    rules
        .iter()
        .zip(first..)
        .map(|(rule, number)| WorldRule {
            id: format!("W-{number:03}"),
            category: one_line(&rule.category),
            rule: one_line(&rule.rule),
            constraint_type: rule.constraint_type,
            exceptions: rule.exceptions.iter().map(|text| one_line(text)).collect(),
            introduced_chapter: Some(since),
            last_verified: None,
        })
        .collect()
}

/// The rules between storylines every book starts with.
fn line_rules(lang: Lang) -> StorylineSpec {
    let rule = |id: &str, constraint_type, text: Message| StorylineRule {
        id: id.to_owned(),
        rule: text.get(lang).to_owned(),
        constraint_type: Some(constraint_type),
    };
    use ConstraintType::{Hard, Soft};
    StorylineSpec {
        rules: vec![
            rule(
                "LS-001",
                Hard,
                message!(
                    en: "events of concurrent storylines may not contradict each other in time",
                    zh: "并行故事线的事件在时间上不得互相矛盾"
                ),
            ),
            rule(
                "LS-002",
                Soft,
                message!(
                    en: "after a change of storyline, time and place are clear within 200 characters",
                    zh: "切换故事线后二百字内交代时间与地点"
                ),
            ),
            rule(
                "LS-003",
                Soft,
                message!(
                    en: "each storyline foreshadows a convergence before it comes",
                    zh: "交汇之前，各线都要为交汇埋下伏笔"
                ),
            ),
            rule(
                "LS-004",
                Soft,
                message!(
                    en: "a storyline that wakes again rebuilds the reader's memory",
                    zh: "沉寂的故事线重新启动时，要帮读者找回记忆"
                ),
            ),
            rule(
                "LS-005",
                Hard,
                message!(
                    en: "outside a convergence nothing appears that only another storyline knows",
                    zh: "交汇章之外，不得出现只有另一条线才知道的事"
                ),
            ),
        ],
    }
}

/// What two lines share before a plan says more.
pub(super) fn shared(event: &str) -> Bridges {
    Bridges {
        shared_events: vec![one_line(event)],
        ..Bridges::default()
    }
}
