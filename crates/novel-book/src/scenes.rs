//! A chapter drafted scene by scene: what is planned, what is written, what no longer fits.
//!
//! A scene is bound to the planned scene it was written for, not to the whole plan: a change to one
//! scene of a plan leaves the others as they are.

use std::collections::BTreeMap;

use novel_contract::write::{SceneRow, SceneStatus};
use novel_model::{
    BookReader, ChapterNo, ContentHash, Document, Explain, FileError, Kind, Lang, Message, Problem,
    RelPath, SceneNo, StepId, Warning,
    files::{PlannedScene, ScenePlan, StagedScene},
    layout, message, to_json_text,
};
use novel_text::{count_words, is_scene_content, is_scene_separator, normalize_scene};
use serde_json::{Map, Value, json};

use crate::{config::ChapterConfig, manuscript, validate::Rejected};

/// Words of the scene before, told to the writer of the next one.
const TAIL_WORDS: usize = 300;
/// A scene this many times as long as it was to be is reported.
const MUCH_TOO_LONG: u64 = 2;

/// Which part of a step is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    #[default]
    Whole,
    /// The plan of its scenes.
    ScenePlan,
    /// One scene.
    Scene(SceneNo),
    /// The people a plan brings, written out.
    Newcomers,
}

/// What became of a planned scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is not written.
    Missing,
    /// It was written for another plan.
    Stale,
    /// It is written.
    Written,
    /// Somebody wrote it by hand; nothing tells for which plan.
    Unbound,
}

impl Standing {
    /// What became of the scene, as answers tell it.
    #[must_use]
    pub const fn answer(self) -> SceneStatus {
        match self {
            Self::Missing => SceneStatus::Missing,
            Self::Stale => SceneStatus::Stale,
            Self::Written => SceneStatus::Written,
            Self::Unbound => SceneStatus::Unbound,
        }
    }

    /// Whether it must be written before the scenes can be merged.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Missing | Self::Stale)
    }
}

/// How long a scene may be, so that the chapter keeps its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordBudget {
    /// For this scene.
    pub scene: u64,
    /// For this scene and all that are still open.
    pub left: u64,
}

/// The staged scenes of a chapter.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneDraft {
    /// The chapter.
    pub chapter: ChapterNo,
    /// The plan.
    pub plan: Document<ScenePlan>,
    scenes: BTreeMap<SceneNo, Document<StagedScene>>,
}

impl SceneDraft {
    /// Reads what is staged; `None` without a plan.
    ///
    /// # Errors
    /// When a file is damaged or belongs to another chapter.
    pub fn read(reader: &dyn BookReader, chapter: ChapterNo) -> Result<Option<Self>, FileError> {
        let path = layout::staged_scene_plan(chapter);
        let Some(plan) = Document::<ScenePlan>::load(reader, &path)? else {
            return Ok(None);
        };
        let mut scenes = BTreeMap::new();
        for name in reader.list(&layout::staged_scenes_dir(chapter))? {
            let Some(number) = scene_in_name(&name) else {
                continue;
            };
            let path = layout::staged_scene(chapter, number);
            if let Some(scene) = Document::<StagedScene>::load(reader, &path)? {
                scenes.insert(number, scene);
            }
        }
        Ok(Some(Self {
            chapter,
            plan,
            scenes,
        }))
    }

    /// The planned scenes.
    #[must_use]
    pub fn planned(&self) -> &[PlannedScene] {
        &self.plan.get().scenes
    }

    /// One planned scene.
    #[must_use]
    pub fn planned_scene(&self, number: SceneNo) -> Option<&PlannedScene> {
        self.planned()
            .iter()
            .find(|scene| scene.scene_number == number)
    }

    /// One written scene.
    #[must_use]
    pub fn written(&self, number: SceneNo) -> Option<&StagedScene> {
        self.scenes.get(&number).map(Document::get)
    }

    /// What became of a planned scene.
    #[must_use]
    pub fn standing(&self, planned: &PlannedScene) -> Standing {
        let Some(scene) = self.written(planned.scene_number) else {
            return Standing::Missing;
        };
        match &scene.plan_hash {
            None => Standing::Unbound,
            Some(hash) if *hash == plan_hash(planned) => Standing::Written,
            Some(_) => Standing::Stale,
        }
    }

    /// The first scene that is still to be written.
    #[must_use]
    pub fn first_open(&self) -> Option<SceneNo> {
        self.planned()
            .iter()
            .find(|planned| self.standing(planned).is_open())
            .map(|planned| planned.scene_number)
    }

    /// How long a scene may be: its share of what the scenes already there have left.
    #[must_use]
    pub fn budget(&self, number: SceneNo, bounds: &ChapterConfig) -> WordBudget {
        let estimate = |open: bool| -> u64 {
            self.planned()
                .iter()
                .filter(|planned| !open || self.awaits(planned, number))
                .map(|planned| planned.estimated_words)
                .fold(0, u64::saturating_add)
        };
        let written: u64 = self
            .planned()
            .iter()
            .filter(|planned| !self.awaits(planned, number))
            .filter_map(|planned| self.written(planned.scene_number))
            .map(|scene| count_words(&scene.content) as u64)
            .sum();
        let most = bounds.max_words.unwrap_or(u64::MAX);
        let least = bounds.min_words.unwrap_or_default().min(most);
        let left = estimate(false).clamp(least, most).saturating_sub(written);
        let planned = self.planned_scene(number);
        let own = planned.map_or(0, |planned| planned.estimated_words);
        let open = u128::from(estimate(true).max(1));
        let share = u128::from(left) * u128::from(own) / open;
        // However much the others took, a scene must be long enough to happen.
        let scene = u64::try_from(share).unwrap_or(u64::MAX).max(own / 2);
        WordBudget {
            scene,
            left: left.max(scene),
        }
    }

    /// Whether a planned scene is still to be written when `number` is being written.
    fn awaits(&self, planned: &PlannedScene, number: SceneNo) -> bool {
        planned.scene_number == number || self.standing(planned).is_open()
    }

    /// The last paragraphs of the scene before.
    #[must_use]
    pub fn tail_before(&self, number: SceneNo) -> Option<String> {
        let before = self.written(number.previous()?)?;
        let mut tail: Vec<&str> = Vec::new();
        let mut words = 0;
        for paragraph in before.content.rsplit("\n\n") {
            words += count_words(paragraph);
            if words > TAIL_WORDS && !tail.is_empty() {
                break;
            }
            tail.push(paragraph);
        }
        tail.reverse();
        Some(tail.join("\n\n"))
    }

    /// All scenes as one chapter.
    ///
    /// # Errors
    /// When a scene is missing, or was written for another plan.
    pub fn merge(&self, lang: Lang) -> Result<(String, Vec<Warning>), NotMergeable> {
        let with = |wanted: Standing| -> Vec<SceneNo> {
            let planned = self.planned().iter();
            planned
                .filter(|planned| self.standing(planned) == wanted)
                .map(|planned| planned.scene_number)
                .collect()
        };
        let (missing, stale) = (with(Standing::Missing), with(Standing::Stale));
        if !(missing.is_empty() && stale.is_empty()) {
            return Err(NotMergeable::Open {
                chapter: self.chapter,
                missing,
                stale,
            });
        }
        let texts: Vec<String> = self
            .planned()
            .iter()
            .filter_map(|planned| self.written(planned.scene_number))
            .map(|scene| scene.content.clone())
            .collect();
        let title = self.plan.get().chapter_title.trim();
        let chapter = manuscript::chapter_of(self.chapter, title, &texts);
        let unbound = with(Standing::Unbound);
        let spare: Vec<SceneNo> = self
            .scenes
            .keys()
            .copied()
            .filter(|number| self.planned_scene(*number).is_none())
            .collect();
        let mut warnings = Vec::new();
        if !unbound.is_empty() {
            let Message { en, zh } = numbers(&unbound);
            warnings.push(Warning::new(
                "unbound_scene",
                message!(
                    en: "scene {en} does not say which plan it was written for; it is used as it is",
                    zh: "第 {zh} 场没有注明依据哪份规划，按原样采用"
                ),
            ));
        }
        if !spare.is_empty() {
            let Message { en, zh } = numbers(&spare);
            warnings.push(Warning::new(
                "scene_not_planned",
                message!(
                    en: "scene {en} is not in the plan and is left out",
                    zh: "第 {zh} 场不在规划中，未并入"
                ),
            ));
        }
        Ok((manuscript::render(&chapter, lang), warnings))
    }

    /// Its planned scenes, as answers tell them.
    #[must_use]
    pub fn answer(&self) -> Vec<SceneRow> {
        let row = |planned: &PlannedScene| SceneRow {
            scene_number: planned.scene_number,
            status: self.standing(planned).answer(),
            estimated_words: planned.estimated_words,
            word_count: self
                .written(planned.scene_number)
                .map(|scene| scene.word_count),
        };
        self.planned().iter().map(row).collect()
    }
}

/// The number in `scene-02.json`; only the name the program would give counts.
fn scene_in_name(name: &str) -> Option<SceneNo> {
    let digits = name.strip_prefix("scene-")?.strip_suffix(".json")?;
    let number = SceneNo::new(digits.parse().ok()?)?;
    (number.to_string() == digits).then_some(number)
}

/// What a scene is bound to.
#[must_use]
pub fn plan_hash(planned: &PlannedScene) -> ContentHash {
    ContentHash::of(to_json_text(planned))
}

/// A scene out of a writer's answer: headings and separators around the prose are taken off.
///
/// # Errors
/// When there is no prose, or more than one scene.
pub fn scene_from(
    step: StepId,
    path: &RelPath,
    answer: &str,
    draft: &SceneDraft,
    planned: &PlannedScene,
) -> Result<StagedScene, Rejected> {
    let is_frame = |line: &str| {
        let line = line.trim();
        line.is_empty() || line.starts_with('#') || is_scene_separator(line)
    };
    let answer = normalize_scene(answer);
    let lines: Vec<&str> = answer.split('\n').collect();
    let start = lines.iter().position(|line| !is_frame(line));
    let end = lines.iter().rposition(|line| !is_frame(line));
    let content = match (start, end) {
        (Some(start), Some(end)) => normalize_scene(&lines[start..=end].join("\n")),
        _ => String::new(),
    };
    let mut problems = Vec::new();
    if count_words(&content) == 0 {
        problems.push(Problem::new(
            "empty",
            path,
            message!(en: "the scene has no prose", zh: "场景没有正文"),
        ));
    } else if !is_scene_content(&content) {
        let problem = Problem::new(
            "several_scenes",
            path,
            message!(
                en: "the answer contains a scene separator",
                zh: "回答中出现了场景分隔行"
            ),
        );
        problems.push(problem.hint(message!(
            en: "write this one scene, without a line such as `* * *`",
            zh: "只写这一场，不要出现 `* * *` 之类的分隔行"
        )));
    }
    if !problems.is_empty() {
        return Err(Rejected::new(step, problems));
    }
    let word_count = count_words(&content) as u64;
    Ok(StagedScene {
        chapter_number: Some(draft.chapter),
        scene_number: planned.scene_number,
        content,
        word_count,
        plan_hash: Some(plan_hash(planned)),
    })
}

/// What the author should know about the length of a scene.
#[must_use]
pub fn length_warning(scene: &StagedScene, budget: WordBudget) -> Option<Warning> {
    let (number, words, wanted) = (scene.scene_number.get(), scene.word_count, budget.scene);
    (words > wanted.saturating_mul(MUCH_TOO_LONG)).then(|| {
        Warning::new(
            "scene_too_long",
            message!(
                en: "scene {number} has {words} words instead of {wanted}; later scenes will be shorter",
                zh: "第 {number} 场有 {words} 字，原定 {wanted} 字；后面的场景会相应缩短"
            ),
        )
    })
}

/// Why scenes cannot be made into a chapter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotMergeable {
    /// The chapter has no `plan.json` in `staging/scenes/`.
    #[error("chapter {chapter} has no plan of scenes")]
    NoPlan {
        /// Chapter without a scene plan.
        chapter: ChapterNo,
    },
    /// Scenes are still to be written.
    #[error("scenes of chapter {chapter} are still to be written")]
    Open {
        /// Chapter whose scenes were to be merged.
        chapter: ChapterNo,
        /// Planned scenes without a text.
        missing: Vec<SceneNo>,
        /// Scenes whose part of the plan changed after they were written.
        stale: Vec<SceneNo>,
    },
    /// The plan has no such scene.
    #[error("chapter {chapter} has no scene {scene}")]
    NoSuchScene {
        /// Chapter whose plan was looked up.
        chapter: ChapterNo,
        /// Scene number given on the command line.
        scene: SceneNo,
        /// Number of scenes in the plan.
        planned: usize,
    },
}

impl Explain for NotMergeable {
    fn kind(&self) -> Kind {
        Kind::Input
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NoPlan { .. } => "NO_SCENE_PLAN",
            Self::Open { missing, .. } if missing.is_empty() => "STALE_SCENE",
            Self::Open { .. } => "MISSING_SCENE",
            Self::NoSuchScene { .. } => "NO_SUCH_SCENE",
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::NoPlan { chapter } => {
                let n = chapter.get();
                message!(en: "chapter {n} has no scene plan", zh: "第 {n} 章还没有场景规划")
            }
            Self::Open {
                chapter,
                missing,
                stale,
            } => {
                let n = chapter.get();
                let (gone, old) = (numbers(missing), numbers(stale));
                let mut en = Vec::new();
                let mut zh = Vec::new();
                if !missing.is_empty() {
                    en.push(format!("scene {} is missing", gone.en));
                    zh.push(format!("缺少第 {} 场", gone.zh));
                }
                if !stale.is_empty() {
                    en.push(format!(
                        "the plan of scene {} was changed after it was written",
                        old.en
                    ));
                    zh.push(format!("第 {} 场写成之后，它的规划又被改动", old.zh));
                }
                Message {
                    en: format!("chapter {n} cannot be merged: {}", en.join("; ")),
                    zh: format!("第 {n} 章无法合并：{}", zh.join("；")),
                }
            }
            Self::NoSuchScene {
                chapter,
                scene,
                planned,
            } => {
                let (n, s) = (chapter.get(), scene.get());
                message!(
                    en: "the plan of chapter {n} has {planned} scenes and no scene {s}",
                    zh: "第 {n} 章共规划 {planned} 场，没有第 {s} 场"
                )
            }
        }
    }

    fn hint(&self) -> Option<Message> {
        Some(match self {
            Self::NoPlan { chapter } => {
                let n = chapter.get();
                message!(en: "run `novel scene plan {n}`", zh: "请运行 `novel scene plan {n}`")
            }
            Self::Open { chapter, .. } => {
                let n = chapter.get();
                message!(
                    en: "`novel scene generate {n}` writes what is missing or out of date",
                    zh: "`novel scene generate {n}` 会写出缺少或已过时的场景"
                )
            }
            Self::NoSuchScene {
                chapter, planned, ..
            } => {
                let path = layout::staged_scene_plan(*chapter);
                message!(
                    en: "use a number from 1 to {planned}, or add the scene to `{path}`",
                    zh: "请使用 1 到 {planned} 的数字，或在 `{path}` 中添加该场"
                )
            }
        })
    }

    fn details(&self, _lang: Lang) -> Map<String, Value> {
        let facts = match self {
            Self::NoPlan { chapter } => json!({"chapter": chapter}),
            Self::Open {
                chapter,
                missing,
                stale,
            } => json!({"chapter": chapter, "missing_scenes": missing, "stale_scenes": stale}),
            Self::NoSuchScene {
                chapter,
                scene,
                planned,
            } => json!({"chapter": chapter, "scene": scene, "planned_scenes": planned}),
        };
        match facts {
            Value::Object(details) => details,
            _ => Map::new(),
        }
    }
}

/// A list of scenes in both languages.
fn numbers(scenes: &[SceneNo]) -> Message {
    let numbers: Vec<String> = scenes.iter().map(|scene| scene.get().to_string()).collect();
    Message {
        en: numbers.join(", "),
        zh: numbers.join("、"),
    }
}

#[cfg(test)]
#[path = "scenes_tests.rs"]
mod tests;
