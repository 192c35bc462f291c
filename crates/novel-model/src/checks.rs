//! Rules of single files that a JSON Schema cannot express.
//!
//! Only what makes a file contradict itself or its name is refused here; what is
//! merely unusual is for the engine to warn about.

use std::{collections::BTreeSet, fmt::Display};

use crate::{
    ChapterNo, Explain, ForeshadowId, Message, Problem, RelPath, StepId,
    files::{
        CastAnswer, ChapterContract, ChapterLog, Character, ConsistencyReport, Evaluation,
        ForeshadowAction, ForeshadowPlan, Foreshadowing, GeneratedChapter, LogicReview,
        NewCharacters, Packet, Places, RevisionStatus, ScenePlan, StagedScene, StateDelta,
        StorylineSchedule, StorylineSpec, Storylines, StyleDrift, StyleProfile, Truth, WorldRules,
    },
    json, layout, message, nearest,
};

/// Collects what is wrong with one file.
pub(crate) struct Findings<'a> {
    path: &'a RelPath,
    problems: &'a mut Vec<Problem>,
    /// Pointer of the part that is being checked.
    base: &'static str,
}

impl<'a> Findings<'a> {
    pub(crate) fn new(path: &'a RelPath, problems: &'a mut Vec<Problem>) -> Self {
        Self {
            path,
            problems,
            base: "",
        }
    }

    fn report(
        &mut self,
        code: &'static str,
        pointer: impl Display,
        message: Message,
        hint: Message,
    ) {
        let pointer = format!("{}{pointer}", self.base);
        let problem = Problem::new(code, self.path, message).at(pointer);
        self.problems.push(problem.hint(hint));
    }

    /// Every id once; `list` and `key` give the pointer.
    fn unique<T: Display>(&mut self, list: &str, key: &str, ids: impl Iterator<Item = T>) {
        let mut seen = BTreeSet::new();
        for (index, id) in ids.map(|id| id.to_string()).enumerate() {
            if seen.contains(&id) {
                self.report(
                    "duplicate_id",
                    format_args!("/{list}/{index}/{key}"),
                    message!(en: "the id `{id}` is used more than once", zh: "id `{id}` 重复使用"),
                    message!(en: "give each its own id", zh: "请为每一项使用不同的 id"),
                );
            }
            seen.insert(id);
        }
    }

    fn ordered<T: PartialOrd + Display>(&mut self, pointer: impl Display, first: T, last: T) {
        if first > last {
            self.report(
                "wrong_order",
                pointer,
                message!(en: "the range starts at {first} and ends before that, at {last}", zh: "范围的起点 {first} 大于终点 {last}"),
                message!(en: "write [{last}, {first}]", zh: "请写成 [{last}, {first}]"),
            );
        }
    }

    /// The chapter named in a file is the chapter named by its file name.
    fn belongs(&mut self, key: &str, chapter: ChapterNo) {
        if let Some(named) = chapter_in_name(self.path)
            && named != chapter
        {
            let (named, chapter) = (named.get(), chapter.get());
            self.report(
                "wrong_chapter",
                format_args!("/{key}"),
                message!(
                    en: "the file name says chapter {named}, its content chapter {chapter}",
                    zh: "文件名为第 {named} 章，内容却是第 {chapter} 章"
                ),
                message!(en: "correct `{key}`, or put the file in its place", zh: "请改正 `{key}`，或把文件放回原处"),
            );
        }
    }
}

/// The number in `chapter-048-eval.json`, `chapter_048.json` or `chapter-048/plan.json`.
fn chapter_in_name(path: &RelPath) -> Option<ChapterNo> {
    let own = path.file_name();
    let parent = path.parent();
    let around = parent.as_ref().map_or("", RelPath::file_name);
    let named = |name: &str| name.starts_with("chapter");
    let name = [own, around].into_iter().find(|name| named(name))?;
    let rest = name.strip_prefix("chapter")?;
    let rest = rest.strip_prefix(['-', '_'])?;
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .map_or(rest, |end| &rest[..end]);
    digits.parse().ok()
}

/// Numbered from one, in order.
fn scenes_in_order(numbers: impl Iterator<Item = u32>, found: &mut Findings<'_>) {
    for (index, number) in numbers.enumerate() {
        let expected = index + 1;
        if usize::try_from(number) != Ok(expected) {
            found.report(
                "wrong_order",
                format_args!("/scenes/{index}/scene_number"),
                message!(en: "expected scene {expected}, found scene {number}", zh: "应为第 {expected} 场，实际为第 {number} 场"),
                message!(en: "number the scenes 1, 2, 3, … in order", zh: "请按 1、2、3…… 依次编号"),
            );
        }
    }
}

pub(crate) fn scene_plan(plan: &ScenePlan, found: &mut Findings<'_>) {
    found.belongs("chapter_number", plan.chapter_number);
    let title = plan.chapter_title.trim();
    if title.is_empty() || title.contains(char::is_control) {
        found.report(
            "bad_title",
            "/chapter_title",
            message!(en: "a chapter needs a title of one line", zh: "章名须为一行文字"),
            message!(en: "write the title without number", zh: "请写章名，不带章号"),
        );
    }
    if plan.scenes.is_empty() {
        found.report(
            "empty",
            "/scenes",
            message!(en: "a plan has at least one scene", zh: "场景规划至少有一场"),
            message!(en: "add a scene", zh: "请添加场景"),
        );
    }
    scenes_in_order(
        plan.scenes.iter().map(|scene| scene.scene_number.get()),
        found,
    );
    for (index, scene) in plan.scenes.iter().enumerate() {
        if scene.purpose.trim().is_empty() {
            found.report(
                "empty",
                format_args!("/scenes/{index}/purpose"),
                message!(en: "a scene needs a purpose", zh: "每场须写明目的"),
                message!(
                    en: "say how things are different afterwards",
                    zh: "请写明这一场之后局面有何不同"
                ),
            );
        }
        if scene.estimated_words == 0 {
            found.report(
                "bad_value",
                format_args!("/scenes/{index}/estimated_words"),
                message!(en: "a scene has at least one word", zh: "场景的字数至少为 1"),
                message!(en: "estimate its length", zh: "请估计它的字数"),
            );
        }
    }
}

pub(crate) fn staged_scene(scene: &StagedScene, found: &mut Findings<'_>) {
    if let Some(chapter) = scene.chapter_number {
        found.belongs("chapter_number", chapter);
    }
    let name = found.path.file_name();
    let named = name
        .strip_prefix("scene-")
        .and_then(|rest| rest.strip_suffix(".json"))
        .and_then(|digits| digits.parse::<u32>().ok());
    let number = scene.scene_number.get();
    if let Some(named) = named.filter(|named| *named != number) {
        found.report(
            "wrong_scene",
            "/scene_number",
            message!(
                en: "the file name says scene {named}, its content scene {number}",
                zh: "文件名为第 {named} 场，内容却是第 {number} 场"
            ),
            message!(
                en: "correct `scene_number`, or put the file in its place",
                zh: "请改正 `scene_number`，或把文件放回原处"
            ),
        );
    }
}

pub(crate) fn chapter(chapter: &GeneratedChapter, found: &mut Findings<'_>) {
    found.belongs("chapter_number", chapter.chapter_number);
    scenes_in_order(chapter.scenes.iter().map(|scene| scene.scene_number), found);
    let sum = chapter
        .scenes
        .iter()
        .fold(0, |sum: u64, scene| sum.saturating_add(scene.word_count));
    let total = chapter.total_words;
    if sum != total {
        found.report(
            "wrong_sum",
            "/total_words",
            message!(en: "`total_words` is {total}, but the scenes have {sum} words", zh: "`total_words` 为 {total}，但各场合计 {sum} 字"),
            message!(en: "write {sum}", zh: "请写成 {sum}"),
        );
    }
}

pub(crate) fn chapter_log(log: &ChapterLog, found: &mut Findings<'_>) {
    found.belongs("chapter", log.chapter);
}

pub(crate) fn world_rules(rules: &WorldRules, found: &mut Findings<'_>) {
    found.unique("rules", "id", rules.rules.iter().map(|rule| &rule.id));
}

pub(crate) fn places(places: &Places, found: &mut Findings<'_>) {
    found.unique("places", "id", places.places.iter().map(|place| &place.id));
    for (index, way) in places.travel.iter().enumerate() {
        if !(way.days.is_finite() && way.days >= 0.0) {
            found.report(
                "wrong_number",
                format_args!("/travel/{index}/days"),
                message!(en: "a journey cannot take less than 0 days", zh: "路程天数不能为负"),
                message!(en: "write a number of days", zh: "请写天数"),
            );
        }
    }
}

pub(crate) fn truth(truth: &Truth, found: &mut Findings<'_>) {
    found.unique("events", "id", truth.events.iter().map(|event| &event.id));
    found.unique(
        "secrets",
        "id",
        truth.secrets.iter().map(|secret| &secret.id),
    );
    if truth.version != 1 {
        let version = truth.version;
        found.report(
            "unknown_version",
            "/version",
            message!(en: "version {version} of this file is not supported", zh: "不支持该文件的版本 {version}"),
            message!(en: "write \"version\": 1, or use a newer `novel`", zh: "请写 \"version\": 1，或使用更新的 `novel`"),
        );
    }
    for (index, clue) in truth.clues.iter().enumerate() {
        if !truth.secrets.iter().any(|secret| secret.id == clue.secret) {
            let id = &clue.secret;
            found.report(
                "unknown_secret",
                format_args!("/clues/{index}/secret"),
                message!(en: "there is no secret `{id}`", zh: "没有 id 为 `{id}` 的秘密"),
                message!(en: "use the id of an entry of `secrets`", zh: "请使用 `secrets` 中已有的 id"),
            );
        }
    }
}

pub(crate) fn character(character: &Character, found: &mut Findings<'_>) {
    let cast = [layout::characters_dir(), layout::retired_dir()];
    let stem = found.path.file_name().strip_suffix(".json");
    if let (Some(id), Some(stem)) = (&character.id, stem)
        && found
            .path
            .parent()
            .is_some_and(|parent| cast.contains(&parent))
        && id.as_str() != stem
    {
        let message = message!(en: "the file name says `{stem}`, its content `{id}`", zh: "文件名为 `{stem}`，内容却是 `{id}`");
        let hint = message!(en: "write \"{stem}\", or rename the file", zh: "请写成 \"{stem}\"，或重命名文件");
        found.report("wrong_id", "/id", message, hint);
    }
    let contracts = &character.contracts;
    found.unique("contracts", "id", contracts.iter().map(|rule| &rule.id));
    for (index, contract) in contracts.iter().enumerate() {
        if let (Some(from), Some(until)) = (contract.valid_from_chapter, contract.valid_until)
            && from > until
        {
            found.report(
                "wrong_order",
                format_args!("/contracts/{index}/valid_until"),
                message!(en: "the contract ends at chapter {until}, before it begins at chapter {from}", zh: "契约在第 {until} 章结束，早于开始的第 {from} 章"),
                message!(en: "swap the two, or write null for no end", zh: "请对调二者，或写 null 表示不限期"),
            );
        }
    }
}

pub(crate) fn cast_answer(answer: &CastAnswer, found: &mut Findings<'_>) {
    let people = answer.characters.iter();
    found.unique("characters", "id", people.map(|person| &person.id));
}

pub(crate) fn new_characters(new: &NewCharacters, found: &mut Findings<'_>) {
    let people = new.characters.iter();
    found.unique("characters", "id", people.map(|person| &person.id));
}

pub(crate) fn contract(contract: &ChapterContract, found: &mut Findings<'_>) {
    found.belongs("chapter", contract.chapter);
    let objectives = contract.objectives.iter();
    found.unique(
        "objectives",
        "id",
        objectives.map(|objective| &objective.id),
    );
    for (id, action) in &contract.postconditions.foreshadowing_updates {
        let mut pointer = "/postconditions/foreshadowing_updates".to_owned();
        json::push_token(&mut pointer, id);
        if let Err(error) = id.parse::<ForeshadowId>() {
            let hint = error.hint().unwrap_or_default();
            found.report("bad_id", &pointer, error.message(), hint);
        }
        let word = action.as_str().unwrap_or_default();
        if ForeshadowAction::from_word(word).is_none() {
            let known = ["planted", "advanced", "resolved"];
            let similar = nearest(word, known.into_iter()).unwrap_or("advanced");
            found.report(
                "not_allowed",
                &pointer,
                message!(
                    en: "expected one of \"planted\", \"advanced\", \"resolved\", found {action}",
                    zh: "应为 \"planted\"、\"advanced\"、\"resolved\" 之一，实际为 {action}"
                ),
                message!(en: "write \"{similar}\", for example", zh: "例如写成 \"{similar}\""),
            );
        }
    }
}

pub(crate) fn storylines(lines: &Storylines, found: &mut Findings<'_>) {
    found.unique(
        "storylines",
        "id",
        lines.storylines.iter().map(|line| &line.id),
    );
}

pub(crate) fn storyline_spec(spec: &StorylineSpec, found: &mut Findings<'_>) {
    found.unique("rules", "id", spec.rules.iter().map(|rule| &rule.id));
}

pub(crate) fn schedule(schedule: &StorylineSchedule, found: &mut Findings<'_>) {
    let active = schedule.active_storylines.iter();
    found.unique(
        "active_storylines",
        "storyline_id",
        active.map(|line| &line.storyline_id),
    );
    for (index, event) in schedule.convergence_events.iter().enumerate() {
        if let Some((first, last)) = event.chapter_range {
            let pointer = format_args!("/convergence_events/{index}/chapter_range");
            found.ordered(pointer, first.get(), last.get());
        }
    }
}

pub(crate) fn delta(delta: &StateDelta, found: &mut Findings<'_>) {
    found.belongs("chapter", delta.chapter);
}

pub(crate) fn foreshadowing(facts: &Foreshadowing, found: &mut Findings<'_>) {
    let items = &facts.foreshadowing;
    found.unique("foreshadowing", "id", items.iter().map(|item| &item.id));
    resolve_ranges(items.iter().map(|item| item.target_resolve_range), found);
}

pub(crate) fn foreshadow_plan(plan: &ForeshadowPlan, found: &mut Findings<'_>) {
    let items = &plan.foreshadowing;
    found.unique("foreshadowing", "id", items.iter().map(|item| &item.id));
    resolve_ranges(items.iter().map(|item| item.target_resolve_range), found);
}

fn resolve_ranges(ranges: impl Iterator<Item = Option<(u32, u32)>>, found: &mut Findings<'_>) {
    for (index, range) in ranges.enumerate() {
        if let Some((first, last)) = range {
            let pointer = format_args!("/foreshadowing/{index}/target_resolve_range");
            found.ordered(pointer, first, last);
        }
    }
}

pub(crate) fn evaluation(evaluation: &Evaluation, found: &mut Findings<'_>) {
    found.belongs("chapter", evaluation.chapter);
}

pub(crate) fn style_profile(profile: &StyleProfile, found: &mut Findings<'_>) {
    if let Some(range) = &profile.sentence_length_range {
        match range.as_slice() {
            [first, last] => found.ordered("/sentence_length_range", first, last),
            other => found.report(
                "wrong_length",
                "/sentence_length_range",
                message!(en: "expected the shortest and the longest length, found {} numbers", zh: "应为最短与最长两个长度，实际为 {} 个数字", other.len()),
                message!(en: "write [8, 35], for example", zh: "例如写成 [8, 35]"),
            ),
        }
    }
    if let Some(ratio) = profile
        .dialogue_ratio
        .filter(|ratio| !(0.0..=1.0).contains(ratio))
    {
        found.report(
            "out_of_range",
            "/dialogue_ratio",
            message!(en: "expected a share from 0 to 1, found {ratio}", zh: "应为 0 到 1 的比例，实际为 {ratio}"),
            message!(en: "40 percent is 0.4", zh: "百分之四十请写成 0.4"),
        );
    }
    if let Some(length) = profile.avg_sentence_length.filter(|length| *length <= 0.0) {
        found.report(
            "out_of_range",
            "/avg_sentence_length",
            message!(en: "expected a number above 0, found {length}", zh: "应为大于 0 的数字，实际为 {length}"),
            message!(en: "write null if it is not known", zh: "若未知请写 null"),
        );
    }
}

pub(crate) fn style_drift(drift: &StyleDrift, found: &mut Findings<'_>) {
    found.ordered("/window", drift.window.0.get(), drift.window.1.get());
}

pub(crate) fn revision(status: &RevisionStatus, found: &mut Findings<'_>) {
    found.belongs("chapter_number", status.chapter_number);
    if let Some(revised) = &status.revised_chapter {
        let mut inside = Findings {
            path: found.path,
            problems: found.problems,
            base: "/revised_chapter",
        };
        chapter(revised, &mut inside);
    }
}

pub(crate) fn logic_review(review: &LogicReview, found: &mut Findings<'_>) {
    found.belongs("chapter_number", review.chapter_number);
}

pub(crate) fn consistency(report: &ConsistencyReport, found: &mut Findings<'_>) {
    found.belongs("chapter_number", report.chapter_number);
}

pub(crate) fn packet(packet: &Packet, found: &mut Findings<'_>) {
    if let Err(error) = packet.step.parse::<StepId>() {
        let hint = error.hint().unwrap_or_default();
        found.report("bad_id", "/step", error.message(), hint);
    }
}

#[cfg(test)]
#[path = "checks_tests.rs"]
mod tests;
