//! What plain prose shows of rank, ties, secrets, looks, places and days, and the laws of the world:
//! one contradiction of each kind, and what looks like it.

use novel_story::check::FindingCode;
use serde_json::{Value, json};

use super::book::{Book, Check, chinese};

/// The clean book with ops in chapter 20, words in chapter 25, and further files.
fn book(ops: Vec<Value>, words: &str, files: &[(&str, Value)]) -> Book {
    let mut book = chinese();
    book.chapter(20).ops.extend(ops);
    book.chapter(25).scenes[0] += &format!("\n\n{words}");
    for (path, content) in files {
        book.files.push(((*path).to_owned(), content.clone()));
    }
    book
}

fn set(path: &str, value: Value) -> Value {
    json!({"op": "set", "path": path, "value": value})
}

/// Finds exactly `code` in each of the faults, and nothing in what is harmless.
#[track_caller]
fn expect(
    code: FindingCode,
    ops: &[Value],
    files: &[(&str, Value)],
    faults: &[&str],
    harmless: &[&str],
) {
    for words in faults {
        let codes: Vec<FindingCode> = book(ops.to_vec(), words, files)
            .findings()
            .iter()
            .map(|finding| finding.code)
            .collect();
        assert_eq!(codes, [code], "{words}");
    }
    for words in harmless {
        assert_eq!(book(ops.to_vec(), words, files).findings(), [], "{words}");
    }
}

#[test]
fn a_rank_is_the_recorded_one() {
    expect(
        FindingCode::RankContradicted,
        &[set("characters.lu-heng.rank", json!("筑基期"))],
        &[],
        &[
            "陆横身为金丹期修士，一掌震开了门。",
            "元婴期的陆横站在窗前。",
        ],
        &[
            "陆横不过筑基期修为，推门的手有些发抖。",
            "陆横望着金丹期的长老，推开了窗。",
            "陆横一朝突破，成为金丹期修士，推开了门。",
        ],
    );
}

#[test]
fn ties_are_the_recorded_ones() {
    expect(
        FindingCode::RelationContradicted,
        &[set(
            "characters.lu-heng.relationships",
            json!({"gu-yan": "仇敌"}),
        )],
        &[],
        &["陆横与顾砚是过命的好友。", "陆横视顾砚为知己。"],
        &[
            "陆横与顾砚曾是过命的好友。",
            "陆横与顾砚的好友一同上了楼。",
            "陆横与宿敌顾砚对坐饮茶。",
        ],
    );
}

#[test]
fn a_secret_is_known_from_its_chapter_on() {
    let truth = |from: u32| {
        json!({"version": 1, "secrets": [{"id": "S-1", "fact": "掌柜是前朝太子",
            "known_by": [{"character": "lu-heng", "from_chapter": from}]}]})
    };
    let words = "陆横早就知道掌柜是前朝太子。";
    expect(
        FindingCode::KnownBeforeRevealed,
        &[],
        &[("world/truth.json", truth(30))],
        &[words],
        &[
            "陆横不知道掌柜是前朝太子。",
            "陆横知道掌柜有心事，却不知道他是前朝太子。",
        ],
    );
    let known = book(vec![], words, &[("world/truth.json", truth(3))]);
    assert_eq!(known.findings(), []);
    let learnt = [set("characters.lu-heng.knows", json!(["掌柜是前朝太子"]))];
    let learnt = book(learnt.to_vec(), words, &[("world/truth.json", truth(30))]);
    assert_eq!(learnt.findings(), []);
}

#[test]
fn eyes_and_hair_keep_their_colour() {
    expect(
        FindingCode::BodyContradicted,
        &[set("characters.lu-heng.eyes", json!("蓝色"))],
        &[],
        &["陆横那双漆黑的眼睛盯着窗外。"],
        &["陆横看着顾砚漆黑的眼睛。", "陆横的眼睛红红的。"],
    );
}

#[test]
fn nobody_is_far_away_at_once() {
    let places = json!({"version": 1, "places": [
        {"id": "linan", "name": "临安"}, {"id": "yanmen", "name": "雁门关"}],
        "travel": [{"from": "linan", "to": "yanmen", "days": 10}]});
    expect(
        FindingCode::PlaceContradicted,
        &[set("characters.lu-heng.location", json!("临安"))],
        &[("world/places.json", places)],
        &["当晚，陆横在雁门关的城头上喝酒。"],
        &["陆横打算在雁门关过冬。", "陆横读着雁门关来的信。"],
    );
}

#[test]
fn laws_bind_whom_they_name_when_they_say() {
    let rule =
        |text: &str| json!({"rules": [{"id": "W-001", "rule": text, "constraint_type": "hard"}]});
    let broken = FindingCode::WorldRuleBroken;
    let rank = [set("characters.lu-heng.rank", json!("外门弟子"))];
    expect(
        broken,
        &rank,
        &[(
            "world/rules.json",
            rule("外门弟子不得进入藏经阁，除非持有令牌"),
        )],
        &["陆横溜进藏经阁，抽了一卷书。"],
        &[
            "陆横看着长老进入藏经阁。",
            "陆横亮出令牌，进入藏经阁。",
            "陆横没有进入藏经阁。",
            "顾砚进入藏经阁。",
        ],
    );
    expect(
        broken,
        &rank,
        &[("world/rules.json", rule("只有长老才能打开石门"))],
        &["陆横伸手打开石门。"],
        &["长老打开石门，陆横跟在后面。"],
    );
    expect(
        broken,
        &[],
        &[("world/rules.json", rule("传送阵每天最多开启三次"))],
        &["这一天，陆横第四次开启了传送阵。"],
        &["这一天，陆横第二次开启了传送阵。"],
    );
    expect(
        broken,
        &[],
        &[("world/rules.json", rule("魔法必须念出咒语才能施展"))],
        &["陆横连咒语都没念，挥手施展了魔法。"],
        &["陆横念出咒语，施展了魔法。"],
    );
}
