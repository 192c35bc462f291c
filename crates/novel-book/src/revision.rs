//! The revision chain: what the notes are, and which answers of the reviser become the text.
//!
//! Number, title, scene numbers and word counts are the program's; the reviser may change the
//! content of scenes and nothing else. Scenes are added or removed only when the notes ask for it
//! with a line of their own, `[scenes: N]`. [`notes`] never writes such a line, whatever an issue
//! says, because every instruction is indented as an entry of a list: only an author who edits the
//! notes can ask for it.

use novel_model::{
    BrokenFile, ChapterNo, Document, Explain, Kind, Lang, Message, Problem,
    files::{GeneratedChapter, ReviewIssue},
    layout, message,
};
use novel_text::{is_scene_separator, normalize_scene};
use serde_json::{Map, Value, json};

use crate::manuscript::chapter_of;

const SCENES_OPEN: &str = "[scenes:";
const SCENES_CLOSE: &str = "]";

/// All fix instructions, in order, one entry of a list each; `None` when no issue is fixable.
#[must_use]
pub fn notes(issues: &[ReviewIssue]) -> Option<String> {
    let entries: Vec<String> = issues
        .iter()
        .filter_map(fix_of)
        .map(|fix| format!("- {}", fix.lines().collect::<Vec<_>>().join("\n  ")))
        .collect();
    (!entries.is_empty()).then(|| entries.join("\n"))
}

/// The fix instruction of an issue, if it is fixable.
#[must_use]
pub fn fix_of(issue: &ReviewIssue) -> Option<&str> {
    let fix = issue.fix_instructions.as_deref()?.trim();
    (!fix.is_empty()).then_some(fix)
}

/// How many scenes the notes ask for, in a line `[scenes: N]`.
#[must_use]
pub fn scenes_asked(notes: &str) -> Option<usize> {
    notes.lines().find_map(|line| {
        let count = line
            .strip_prefix(SCENES_OPEN)?
            .trim_end()
            .strip_suffix(SCENES_CLOSE)?;
        count.trim().parse().ok().filter(|count| *count > 0)
    })
}

/// What of an answer was put back to what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Restored {
    /// The number of the chapter.
    Number {
        /// As answered.
        found: Value,
    },
    /// The title of the chapter.
    Title {
        /// As answered.
        found: Value,
    },
}

impl Restored {
    /// For people.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Number { found } => message!(
                en: "the reviser changed the number of the chapter to {found}; it was restored",
                zh: "修订者把章号改成了 {found}，已恢复原章号"
            ),
            Self::Title { found } => message!(
                en: "the reviser changed the title of the chapter to {found}; it was restored",
                zh: "修订者把章名改成了 {found}，已恢复原章名"
            ),
        }
    }
}

/// An answer that can become the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Revised {
    /// The chapter, words counted.
    pub chapter: GeneratedChapter,
    /// What was put back.
    pub restored: Vec<Restored>,
}

/// Why an answer cannot become the text.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RevisedRejected {
    /// It is no chapter at all.
    #[error("the answer is no chapter")]
    NotAChapter(Vec<Problem>),
    /// Scenes were dropped or added.
    #[error("chapter {chapter} has {expected} scenes, the answer has {found}")]
    Scenes {
        /// Chapter under revision.
        chapter: ChapterNo,
        /// As many as there were, or as the notes ask for.
        expected: usize,
        /// Number of scenes in the answer.
        found: usize,
        /// The fault in words for the reviser's second try.
        problem: Box<[Problem; 1]>,
    },
    /// A scene has no text.
    #[error("scene {scene} of chapter {chapter} is empty")]
    EmptyScene {
        /// Chapter under revision.
        chapter: ChapterNo,
        /// Scene without text, counted from 1.
        scene: usize,
        /// The fault in words for the reviser's second try.
        problem: Box<[Problem; 1]>,
    },
    /// The text is the one there was.
    #[error("the text of chapter {chapter} is unchanged")]
    Unchanged {
        /// Chapter under revision.
        chapter: ChapterNo,
        /// The fault in words for the reviser's second try.
        problem: Box<[Problem; 1]>,
    },
}

impl RevisedRejected {
    /// Whether the answer is sound but changes nothing.
    #[must_use]
    pub const fn is_unchanged(&self) -> bool {
        matches!(self, Self::Unchanged { .. })
    }
}

/// Reads the answer of the reviser and checks it.
///
/// # Errors
/// When it is no chapter, or not one that may become the text; [`Explain::problems`] is what a retry
/// is told.
pub fn revise(
    original: &GeneratedChapter,
    answer: &str,
    notes: &str,
) -> Result<Revised, RevisedRejected> {
    let (answer, restored) = read(original, answer)?;
    let mut revised = check_revised(original, answer, notes)?;
    revised.restored = restored;
    Ok(revised)
}

/// The answer as a chapter. What the program knows better need not be sound in it.
fn read(
    original: &GeneratedChapter,
    answer: &str,
) -> Result<(GeneratedChapter, Vec<Restored>), RevisedRejected> {
    let path = layout::chapter_json(original.chapter_number);
    let broken = |error: BrokenFile| RevisedRejected::NotAChapter(error.problems().to_vec());
    let Ok(mut fields) = serde_json::from_str::<Map<String, Value>>(answer) else {
        // The document's reader says what is wrong and where.
        let read = Document::<GeneratedChapter>::parse(&path, answer).map_err(broken)?;
        return Ok((read.into_value(), Vec::new()));
    };
    let mut restored = Vec::new();
    let own = [
        ("chapter_number", json!(original.chapter_number)),
        ("chapter_title", json!(original.chapter_title)),
    ];
    for (key, value) in own {
        match fields.insert(key.to_owned(), value.clone()) {
            Some(found) if found != value && key == "chapter_number" => {
                restored.push(Restored::Number { found });
            }
            Some(found) if found != value => restored.push(Restored::Title { found }),
            _ => {}
        }
    }
    let mut scenes = fields.get_mut("scenes").and_then(Value::as_array_mut);
    if let Some(scenes) = &mut scenes {
        // Stable: scenes without a number keep their order.
        scenes.sort_by_key(|scene| scene.get("scene_number").and_then(Value::as_u64));
    }
    for (number, scene) in (1..).zip(scenes.into_iter().flatten()) {
        if let Some(scene) = scene.as_object_mut() {
            scene.insert("scene_number".to_owned(), json!(number));
            scene.insert("word_count".to_owned(), json!(0));
        }
    }
    fields.insert("total_words".to_owned(), json!(0));
    let document =
        Document::<GeneratedChapter>::from_value(&path, Value::Object(fields)).map_err(broken)?;
    Ok((document.into_value(), restored))
}

/// Checks a chapter the reviser returned: number and title are put back, words counted anew.
///
/// # Errors
/// When scenes were dropped or added without the notes asking for it, a scene is empty, or the text
/// is the one there was.
pub fn check_revised(
    original: &GeneratedChapter,
    answer: GeneratedChapter,
    notes: &str,
) -> Result<Revised, RevisedRejected> {
    let chapter = original.chapter_number;
    let mut restored = Vec::new();
    if answer.chapter_number != chapter {
        restored.push(Restored::Number {
            found: json!(answer.chapter_number),
        });
    }
    if answer.chapter_title != original.chapter_title {
        restored.push(Restored::Title {
            found: json!(answer.chapter_title),
        });
    }
    let (old, contents) = (contents(original), contents(&answer));
    if let Some(at) = contents.iter().position(String::is_empty) {
        let scene = at + 1;
        return Err(RevisedRejected::EmptyScene {
            chapter,
            scene,
            problem: problem(
                chapter,
                "empty_scene",
                message!(en: "scene {scene} has no text", zh: "第 {scene} 场没有正文"),
            ),
        });
    }
    let expected = scenes_asked(notes).unwrap_or(old.len());
    if contents.len() != expected {
        let found = contents.len();
        return Err(RevisedRejected::Scenes {
            chapter,
            expected,
            found,
            problem: problem(
                chapter,
                "scene_count",
                message!(
                    en: "the chapter must have {expected} scenes, the answer has {found}; change the content of scenes, add and remove none",
                    zh: "本章应有 {expected} 场，回答中有 {found} 场；只改场景内容，不要增删场景"
                ),
            ),
        });
    }
    if old == contents {
        return Err(RevisedRejected::Unchanged {
            chapter,
            problem: problem(
                chapter,
                "unchanged",
                message!(
                    en: "the text is the same as before; carry out the revision notes",
                    zh: "正文与原文相同；请落实修订说明"
                ),
            ),
        });
    }
    Ok(Revised {
        chapter: chapter_of(chapter, &original.chapter_title, &contents),
        restored,
    })
}

/// The scenes as they will be read from the rendering: a separator inside a content parts it.
fn contents(chapter: &GeneratedChapter) -> Vec<String> {
    let mut contents = Vec::new();
    for scene in &chapter.scenes {
        let text = normalize_scene(&scene.content);
        let mut part: Vec<&str> = Vec::new();
        for line in text.split('\n') {
            if is_scene_separator(line) {
                contents.push(normalize_scene(&part.join("\n")));
                part.clear();
            } else {
                part.push(line);
            }
        }
        contents.push(normalize_scene(&part.join("\n")));
    }
    contents
}

fn problem(chapter: ChapterNo, code: &'static str, text: Message) -> Box<[Problem; 1]> {
    let path = layout::chapter_json(chapter);
    Box::new([Problem::new(code, &path, text).at("/scenes")])
}

impl Explain for RevisedRejected {
    fn kind(&self) -> Kind {
        match self {
            Self::Unchanged { .. } => Kind::Gate,
            Self::NotAChapter(_) | Self::Scenes { .. } | Self::EmptyScene { .. } => Kind::Provider,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Unchanged { .. } => "REVISION_UNCHANGED",
            Self::NotAChapter(_) | Self::Scenes { .. } | Self::EmptyScene { .. } => {
                "REVISION_REJECTED"
            }
        }
    }

    fn message(&self) -> Message {
        match self {
            Self::NotAChapter(_) => message!(
                en: "the reviser's answer is not a chapter",
                zh: "修订者的回答不是一章"
            ),
            Self::Scenes {
                chapter,
                expected,
                found,
                ..
            } => {
                let chapter = chapter.get();
                message!(
                    en: "the revision of chapter {chapter} was rejected: it must have {expected} scenes and has {found}",
                    zh: "第 {chapter} 章的修订未获采用：应有 {expected} 场，实际 {found} 场"
                )
            }
            Self::EmptyScene { chapter, scene, .. } => {
                let chapter = chapter.get();
                message!(
                    en: "the revision of chapter {chapter} was rejected: scene {scene} has no text",
                    zh: "第 {chapter} 章的修订未获采用：第 {scene} 场没有正文"
                )
            }
            Self::Unchanged { chapter, .. } => {
                let chapter = chapter.get();
                message!(
                    en: "the revision of chapter {chapter} changes nothing",
                    zh: "第 {chapter} 章的修订没有改动任何文字"
                )
            }
        }
    }

    fn hint(&self) -> Option<Message> {
        Some(match self {
            Self::Scenes { .. } => message!(
                en: "to add or remove scenes, put a line `[scenes: N]` in the notes; otherwise try again",
                zh: "若确要增删场景，请在修订说明中单独写一行 `[scenes: N]`；否则重新生成"
            ),
            Self::NotAChapter(_) | Self::EmptyScene { .. } => message!(
                en: "try again, or choose another model for `chapter-reviser` in novel.toml",
                zh: "请重新生成，或在 novel.toml 中为 `chapter-reviser` 换一个模型"
            ),
            Self::Unchanged { chapter, .. } => {
                let chapter = chapter.get();
                message!(
                    en: "change the text by hand and run `novel adopt {chapter}`, or keep it with \
                        `novel revision reject {chapter}`",
                    zh: "请手工修改正文后运行 `novel adopt {chapter}`，或用 `novel revision reject {chapter}` 保留原文"
                )
            }
        })
    }

    fn problems(&self) -> &[Problem] {
        match self {
            Self::NotAChapter(problems) => problems,
            Self::Scenes { problem, .. }
            | Self::EmptyScene { problem, .. }
            | Self::Unchanged { problem, .. } => problem.as_slice(),
        }
    }

    fn details(&self, _lang: Lang) -> Map<String, Value> {
        let (chapter, more) = match self {
            Self::NotAChapter(_) => return Map::new(),
            Self::Scenes {
                chapter,
                expected,
                found,
                ..
            } => (
                chapter,
                json!({"expected_scenes": expected, "found_scenes": found}),
            ),
            Self::EmptyScene { chapter, scene, .. } => (chapter, json!({"scene": scene})),
            Self::Unchanged { chapter, .. } => (chapter, json!({})),
        };
        let mut details = Map::from_iter([("chapter".to_owned(), json!(chapter))]);
        if let Value::Object(more) = more {
            details.extend(more);
        }
        details
    }
}

#[cfg(test)]
#[path = "revision_tests.rs"]
mod tests;
