use novel_testkit::memory::MemoryBook;
use novel_text::parse_outline;
use serde_json::json;

use super::*;

const OUTLINE: &str = "\
# 雾港

### 第 3 章：封港
- **Storyline**: main-arc
- **POV**: 林枫
- **Location**: 灯塔
- **Conflict**: 林枫要出海，港务不许
- **Arc**: 从忍到不忍
- **Foreshadowing**: bell（埋设）：一口不响的钟；rope (resolved)
- **StateChanges**: 老林: location=码头，status=wounded；港口封锁
- **TransitionHint**: 钟响了

### 第 4 章：夜渡
- **Storyline**: harbour
- **POV**: Anna Reed
- **Location**: 海上
- **Conflict**: …
- **Arc**: 无
- **Foreshadowing**: 钟声再起
- **StateChanges**:
- **TransitionHint**: 无
";

fn cast() -> Cast {
    let book = MemoryBook::new().with(
        "characters/active/lin-feng.json",
        json!({"id": "lin-feng", "display_name": "林枫", "aliases": ["老林"], "contracts": []})
            .to_string(),
    );
    Cast::load(&book).expect("a cast")
}

fn plan(first: u32) -> PlanAnswer {
    let of = OutlineOf {
        volume: VolumeNo::first(),
        first: ChapterNo::new(first).expect("a number"),
        cast: &cast(),
        lines: None,
        lang: Lang::Zh,
    };
    of.plan(&parse_outline(OUTLINE))
}

#[test]
fn keys_become_conditions_and_words_become_criteria() {
    let plan = plan(3);
    let first = &plan.chapters[0];
    let objectives: Vec<_> = first
        .objectives
        .iter()
        .map(|it| (it.required, it.description.as_str()))
        .collect();
    assert_eq!(
        objectives,
        [(true, "林枫要出海，港务不许"), (false, "从忍到不忍")]
    );
    assert_eq!(first.after.len(), 1);
    assert_eq!(first.after[0].character, "林枫");
    assert_eq!(first.after[0].location.as_deref(), Some("码头"));
    assert_eq!(first.acceptance_criteria, ["港口封锁"]);
    let updates: Vec<_> = first
        .foreshadowing
        .iter()
        .map(|it| (it.id.as_str(), it.action))
        .collect();
    assert_eq!(
        updates,
        [
            ("bell", ForeshadowAction::Planted),
            ("rope", ForeshadowAction::Resolved)
        ]
    );
    let second = &plan.chapters[1];
    assert_eq!(second.objectives.len(), 1);
    assert_eq!(second.objectives[0].description, "夜渡");
    assert_eq!(second.acceptance_criteria, ["钟声再起"]);
    assert_eq!(second.foreshadowing, []);
}

#[test]
fn threads_lines_and_newcomers() {
    let plan = plan(3);
    let seed = &plan.foreshadowing[0];
    assert_eq!(
        (seed.id.as_str(), seed.description.as_str()),
        ("bell", "一口不响的钟")
    );
    assert_eq!((seed.planted_chapter.get(), seed.resolve_from), (3, 5));
    let lines: Vec<_> = plan
        .storylines
        .iter()
        .map(|it| (it.id.as_str(), it.volume_role))
        .collect();
    assert_eq!(
        lines,
        [
            ("main-arc", VolumeRole::Primary),
            ("harbour", VolumeRole::Secondary)
        ]
    );
    let new: Vec<_> = plan
        .new_characters
        .iter()
        .map(|it| (it.id.as_str(), it.display_name.as_str()))
        .collect();
    assert_eq!(new, [("anna-reed", "Anna Reed")]);
}

#[test]
fn written_chapters_are_passed_over() {
    let chapters: Vec<u32> = plan(4).chapters.iter().map(|it| it.chapter.get()).collect();
    assert_eq!(chapters, [4]);
}
