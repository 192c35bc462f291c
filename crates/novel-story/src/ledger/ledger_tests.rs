use serde_json::json;

use super::{
    Body, Life, Meaning, Part, Slot, Thing, Trouble, kin_of, read_age, same_thing, stands_differ,
};

fn life(value: serde_json::Value) -> Option<Life> {
    match Meaning::of(Slot::Alive, "status", &value)? {
        Meaning::Life(life) => Some(life),
        _ => None,
    }
}

#[test]
fn deaths_in_many_words() {
    for word in [
        "战死",
        "阵亡",
        "已战死沙场",
        "于第十章战死",
        "slain",
        "Killed in action",
        "killed by Orin",
        "DEAD",
        "被杀",
        "自刎",
        "死于毒酒",
        "已死",
        "dead (stabbed)",
        "died of fever",
        "executed",
        "病逝",
        "murdered",
        "圆寂",
        "冻死",
        "杖毙",
        "饮鸩而亡",
        "香消玉殒",
        "走火入魔而亡",
        "被打死",
        "opened his veins, dead",
        "lost overboard, dead",
        "shot by the guards",
        "crushed in the mine",
    ] {
        assert_eq!(life(json!(word)), Some(Life::Dead), "{word}");
    }
    for word in [
        "重伤",
        "濒死",
        "生死不明",
        "presumed dead",
        "alive",
        "nearly killed",
        "死战不退",
        "假死",
        "half-dead",
        "deadly tired",
        "killed his master",
        "shot in the arm",
        "sentenced to death",
        "流亡海外",
        "生死与共",
        "判处死刑",
    ] {
        assert_ne!(life(json!(word)), Some(Life::Dead), "{word}");
    }
    assert_eq!(life(json!("闷闷不乐")), None);
    for word in [
        "失踪",
        "圈禁",
        "流放岭南",
        "隐居深山",
        "prisoner of war",
        "gone to Brittany",
    ] {
        assert_eq!(life(json!(word)), Some(Life::Absent), "{word}");
    }
    assert_eq!(life(json!("昏迷不醒")), Some(Life::Senseless));
    assert_eq!(
        Meaning::of(Slot::Alive, "is_dead", &json!(true)),
        Some(Meaning::Life(Life::Dead))
    );
    assert_eq!(
        Meaning::of(Slot::Alive, "alive", &json!(false)),
        Some(Meaning::Life(Life::Dead))
    );
}

#[test]
fn injuries_have_a_part_and_a_side() {
    let body = |value: serde_json::Value| Meaning::of(Slot::Body, "body", &value);
    let lost = |part, side| Some(Meaning::Body(Body::Hurt(vec![Trouble::Lost(part, side)])));
    assert_eq!(body(json!("失去左臂")), lost(Part::Arm, 'l'));
    assert_eq!(body(json!("lost his right hand")), lost(Part::Hand, 'r'));
    assert_eq!(body(json!(["左腿被斩断"])), lost(Part::Leg, 'l'));
    assert_eq!(body(json!({"left_eye": "lost"})), lost(Part::Eye, 'l'));
    assert_eq!(
        body(json!("双目失明")),
        Some(Meaning::Body(Body::Hurt(vec![Trouble::Blind])))
    );
    assert_eq!(body(json!("痊愈")), Some(Meaning::Body(Body::Whole)));
    assert_eq!(
        body(json!("神采奕奕")),
        Some(Meaning::Text("神采奕奕".to_owned()))
    );
}

#[test]
fn things_are_counted() {
    let things = |value: serde_json::Value| match Meaning::of(Slot::Holds, "holds", &value) {
        Some(Meaning::Things(things)) => things,
        other => panic!("{other:?}"),
    };
    let thing = |name: &str, count| Thing {
        name: name.to_owned(),
        count,
    };
    assert_eq!(things(json!("三枚铜钱")), [thing("铜钱", Some(3))]);
    assert_eq!(
        things(json!("two brass keys")),
        [thing("brass keys", Some(2))]
    );
    assert_eq!(things(json!("丹药×3")), [thing("丹药", Some(3))]);
    assert_eq!(
        things(json!(["青锋剑", {"name": "符纸", "count": 5}])),
        [thing("青锋剑", None), thing("符纸", Some(5))]
    );
}

#[test]
fn ages_and_family() {
    assert_eq!(read_age("十九岁"), Some(19));
    assert_eq!(read_age("twenty-four years old"), Some(24));
    assert_eq!(read_age("aged 31"), Some(31));
    assert_eq!(kin_of("生父"), Some(('p', 'm')));
    assert_eq!(kin_of("younger sister"), Some(('s', 'f')));
    assert_eq!(Slot::of_field("life_status"), Some(Slot::Alive));
    assert_eq!(Slot::of_field("injuries"), Some(Slot::Body));
    assert_eq!(Slot::of_field("mood"), None);
}

#[test]
fn more_values_of_things_and_ties() {
    let of = |slot, field: &str, value| Meaning::of(slot, field, &value);
    for word in ["烧毁", "碎", "destroyed", "sunk", "wrecked", "lost at sea"] {
        assert_eq!(
            of(Slot::Intact, "status", json!(word)),
            Some(Meaning::Intact(false)),
            "{word}"
        );
    }
    assert_eq!(
        of(Slot::Body, "body", json!("哑")),
        Some(Meaning::Body(Body::Hurt(vec![Trouble::Mute])))
    );
    assert_eq!(life(json!("自由")), Some(Life::Alive));
    assert_eq!(life(json!("in a coma")), Some(Life::Senseless));
    for (word, stand) in [("师徒", 1), ("对头", -1), ("同事", 2), ("夫妻", 1)] {
        let meaning = of(Slot::Relation, "relationships", json!({"陈老": word}));
        assert_eq!(meaning, Some(Meaning::Stand(stand)), "{word}");
    }
    // Colleagues may be friends or enemies, but no strangers.
    assert!(stands_differ(2, 0) && !stands_differ(2, -1) && stands_differ(1, -1));
    assert_eq!(
        of(Slot::Kinship, "father", json!("Tom")),
        Some(Meaning::Name("father: Tom".to_owned()))
    );
    assert_eq!(kin_of("表妹"), Some(('o', 'f')));
    assert_eq!(kin_of("亲娘"), Some(('p', 'f')));
    assert!(same_thing("The ledger", "ledger") && !same_thing("ledger", "letter"));
}
