//! A volume of any length for the cast of the demo book, planned by a rule.
//!
//! Two storylines take turns and meet once in the middle; every fifth chapter plants something that
//! is resolved three chapters later, so that what is open stays the same at any length.

use std::{fmt::Write as _, fs, path::Path};

use serde_json::{Map, Value, json};

/// One of the two lines: its id, who leads it, who else is there.
struct Line {
    id: &'static str,
    lead: &'static str,
    other: &'static str,
}

const MAIN: Line = Line {
    id: "main-arc",
    lead: "陆砚",
    other: "何小满",
};
const SIDE: Line = Line {
    id: "tide-ledger",
    lead: "沈青禾",
    other: "顾行舟",
};
const PLACES: [&str; 7] = [
    "潮信局分拣房",
    "外堤闸房",
    "灯塔码头",
    "记潮室",
    "旧盐仓",
    "渡口茶棚",
    "档案房",
];
const FINDS: [&str; 6] = [
    "半页投递簿",
    "一枚蓝蜡封",
    "缺齿的铜钥匙",
    "没有落款的信",
    "换过的封条",
    "刮过的潮位表",
];
const ACTS: [&str; 5] = [
    "在梁上找到",
    "从纸灰里拣出",
    "当着众人的面拿出",
    "用一句实话换来",
    "在雨里追回",
];
const TROUBLES: [&str; 4] = [
    "想查清邮袋的去向，守仓的人咬定账目无误",
    "要赶在封闸之前过堤，手里的牌子却是旧的",
    "答应替人守住的秘密，偏偏是最要紧的一句",
    "两封信说的正好相反，只能信一封",
];
const MOODS: [&str; 4] = ["起疑", "平静", "不安", "笃定"];

/// Replaces the planned volume of a demo book in Chinese by one of `chapters` chapters.
pub fn lay(root: &Path, chapters: u32) {
    let volume = root.join("volumes/vol-01");
    let contracts = volume.join("chapter-contracts");
    fs::remove_dir_all(&contracts).unwrap();
    fs::create_dir_all(&contracts).unwrap();
    let mut outline = "# 第一卷 长潮\n\n".to_owned();
    let mut items = Vec::new();
    for chapter in 1..=chapters {
        outline.push_str(&outline_of(chapter));
        let path = contracts.join(format!("chapter-{chapter:03}.json"));
        fs::write(path, pretty(&contract(chapter))).unwrap();
        if plants(chapter) {
            items.push(json!({
                "id": item(chapter), "description": find(chapter), "scope": "short",
                "planted_chapter": chapter, "planted_storyline": line(chapter).id,
                "target_resolve_range": [chapter + 3, chapter + 4],
            }));
        }
    }
    fs::write(volume.join("outline.md"), outline).unwrap();
    fs::write(
        volume.join("foreshadowing.json"),
        pretty(&json!({"foreshadowing": items})),
    )
    .unwrap();
    let middle = chapters / 2;
    let schedule = json!({
        "active_storylines": [
            {"storyline_id": MAIN.id, "volume_role": "primary"},
            {"storyline_id": SIDE.id, "volume_role": "secondary"},
        ],
        "interleaving_pattern": {"primary_max_consecutive": 3, "secondary_min_appearance": "every_4_chapters"},
        "convergence_events": [{
            "chapter_range": [middle, middle + 1],
            "involved_storylines": [MAIN.id, SIDE.id],
            "trigger": "两人在外堤闸房撞见",
            "aftermath": "两本簿子摆在了一起",
        }],
        "dormant_storylines": [],
    });
    fs::write(volume.join("storyline-schedule.json"), pretty(&schedule)).unwrap();
}

/// Whether two judges read a chapter of such a volume: its ends and where the lines meet.
#[allow(
    dead_code,
    reason = "the benchmark's critical path needs it, the test does not"
)]
pub fn is_key(chapter: u32, chapters: u32) -> bool {
    let middle = chapters / 2;
    [1, middle, middle + 1, chapters].contains(&chapter)
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

fn pick<T: Copy>(list: &[T], number: u32) -> T {
    list[number as usize % list.len()]
}

const fn line(chapter: u32) -> &'static Line {
    if chapter.is_multiple_of(3) {
        &SIDE
    } else {
        &MAIN
    }
}

const fn plants(chapter: u32) -> bool {
    chapter % 5 == 2
}

fn item(chapter: u32) -> String {
    format!("item_{chapter}")
}

fn find(chapter: u32) -> &'static str {
    pick(&FINDS, chapter / 2)
}

/// Where a line's people are after its chapter.
fn place_after(chapter: u32) -> &'static str {
    pick(&PLACES, chapter * 3 + 1)
}

/// The chapter of the same line before this one.
fn before(chapter: u32) -> Option<u32> {
    (1..chapter)
        .rev()
        .find(|earlier| line(*earlier).id == line(chapter).id)
}

fn outline_of(chapter: u32) -> String {
    let Line { id, lead, other } = line(chapter);
    let (from, to) = (place_before(chapter), place_after(chapter));
    let (trouble, mood) = (pick(&TROUBLES, chapter / 3), pick(&MOODS, chapter));
    let mut text = String::new();
    write!(
        text,
        "### 第 {chapter} 章：{}\n- **Storyline**: {id}\n- **POV**: {lead}\n- **Time**: 第 {chapter} 日\n- **Location**: {from} → {to}\n- **Conflict**: {lead}{trouble}\n- **Arc**: {lead}从{}到{mood}\n- **Foreshadowing**: {}\n- **StateChanges**: {lead}: location={to}，emotional_state={mood}\n- **TransitionHint**: {other}先走了一步\n\n",
        find(chapter),
        pick(&MOODS, chapter + 1),
        updates(chapter).keys().map(String::as_str).collect::<Vec<_>>().join("；"),
    )
    .unwrap();
    text
}

fn place_before(chapter: u32) -> &'static str {
    before(chapter).map_or(PLACES[0], place_after)
}

fn updates(chapter: u32) -> Map<String, Value> {
    let mut updates = Map::new();
    if plants(chapter) {
        updates.insert(item(chapter), json!("planted"));
    }
    if chapter > 3 && plants(chapter - 3) {
        updates.insert(item(chapter - 3), json!("resolved"));
    }
    updates
}

fn contract(chapter: u32) -> Value {
    let Line { id, lead, other } = line(chapter);
    let (from, to) = (place_before(chapter), place_after(chapter));
    let (act, find) = (pick(&ACTS, chapter), find(chapter));
    json!({
        "chapter": chapter,
        "storyline_id": id,
        "preconditions": {"character_states": {
            *lead: {"location": from, "emotional_state": pick(&MOODS, chapter + 1)},
            *other: {"location": from},
        }},
        "objectives": [
            {"id": format!("OBJ-{chapter}-1"), "type": "plot", "required": true,
             "description": format!("{lead}在{from}{act}了{find}")},
            {"id": format!("OBJ-{chapter}-2"), "type": "plot", "required": true,
             "description": format!("{lead}把{find}交给{other}，两个人约在{to}再见")},
        ],
        "postconditions": {
            "state_changes": {*lead: {"location": to, "emotional_state": pick(&MOODS, chapter)}},
            "foreshadowing_updates": updates(chapter),
        },
        "acceptance_criteria": ["东西怎样到了手里要写清楚"],
    })
}
