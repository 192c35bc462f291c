//! The ledger against prose and claims: one contradiction of each kind, and what looks like it.

use novel_story::check::FindingCode;
use serde_json::{Value, json};

use super::book::{Book, Check, chinese};

/// The clean book with ops in chapter 20, and words and claims in chapter 25.
fn book(ops: Vec<Value>, words: &str, claims: Vec<Value>) -> Book {
    let mut book = chinese();
    book.chapter(20).ops.extend(ops);
    book.chapter(25).scenes[0] += &format!("\n\n{words}");
    if !claims.is_empty() {
        let claims = json!({"chapter": 25, "claims": claims});
        book.files
            .push(("state/chapter-025-claims.json".into(), claims));
    }
    book.files.push((
        "world/places.json".into(),
        json!({"version": 1, "places": [
            {"id": "linan", "name": "临安"},
            {"id": "inn", "name": "听雨楼", "inside": "linan"},
            {"id": "yanmen", "name": "雁门关"}],
            "travel": [{"from": "linan", "to": "yanmen", "days": 10}]}),
    ));
    book
}

fn set(path: &str, value: Value) -> Value {
    json!({"op": "set", "path": path, "value": value})
}

fn codes(book: &Book) -> Vec<FindingCode> {
    book.findings().iter().map(|finding| finding.code).collect()
}

fn claim(slot: &str, value: Value, frame: &str) -> Vec<Value> {
    vec![
        json!({"subject": "陆横", "slot": slot, "value": value, "frame": frame, "evidence": WORDS}),
    ]
}

const WORDS: &str = "陆横推开窗，外面的声音一下子涌了进来。";

#[test]
fn a_lost_arm_is_not_used() {
    let ops = || vec![set("characters.lu-heng.injuries", json!("失去左臂"))];
    let fault = book(ops(), "陆横左手一翻，扣住了门闩。", vec![]);
    assert_eq!(codes(&fault), [FindingCode::BodyContradicted]);
    for harmless in ["陆横右手一翻，扣住了门闩。", "陆横左边的袖子空荡荡的。"]
    {
        assert_eq!(codes(&book(ops(), harmless, vec![])), [], "{harmless}");
    }
}

#[test]
fn a_broken_sword_is_not_drawn() {
    let ops = || {
        vec![
            set("items.sword.display_name", json!("青锋剑")),
            set("items.sword.status", json!("断成两截")),
        ]
    };
    let fault = book(ops(), "陆横拔出青锋剑，迎了上去。", vec![]);
    assert_eq!(codes(&fault), [FindingCode::ItemUsedAfterDestroyed]);
    assert_eq!(codes(&book(ops(), "陆横想起那柄青锋剑。", vec![])), []);
}

#[test]
fn claims_are_compared_with_the_record() {
    let cases = [
        (
            set("characters.lu-heng.location", json!("临安")),
            "place",
            json!("雁门关"),
            FindingCode::PlaceContradicted,
        ),
        (
            set("characters.lu-heng.age", json!(19)),
            "age",
            json!("二十五岁"),
            FindingCode::AgeContradicted,
        ),
        (
            set("characters.lu-heng.realm", json!("金丹期")),
            "rank",
            json!("筑基"),
            FindingCode::RankContradicted,
        ),
        (
            set("characters.lu-heng.relationships.lin-feng", json!("盟友")),
            "relation",
            json!({"with": "林枫", "value": "死敌"}),
            FindingCode::RelationContradicted,
        ),
    ];
    for (op, slot, value, code) in cases {
        let fault = book(vec![op.clone()], WORDS, claim(slot, value.clone(), "now"));
        assert_eq!(codes(&fault), [code], "{slot}");
        // In another frame, and without a quotation in the text, it decides nothing.
        assert_eq!(
            codes(&book(
                vec![op.clone()],
                WORDS,
                claim(slot, value.clone(), "reported")
            )),
            [],
            "{slot}"
        );
        assert_eq!(
            codes(&book(vec![op], "雨停了。", claim(slot, value, "now"))),
            [],
            "{slot}"
        );
    }
}

#[test]
fn a_place_inside_another_is_no_contradiction() {
    let op = set("characters.lu-heng.location", json!("临安"));
    let fine = book(vec![op], WORDS, claim("place", json!("听雨楼"), "now"));
    assert_eq!(codes(&fine), []);
}

#[test]
fn every_act_of_the_dead_is_named() {
    let mut fault = chinese();
    fault.chapter(25).scenes[1] = "陈老推开窗。\n\n雨停了。\n\n陈老叹了口气。".to_owned();
    let found = fault.findings();
    assert_eq!(found.len(), 2, "{found:#?}");
    assert_ne!(found[0].fingerprint, found[1].fingerprint);
}

#[test]
fn a_promise_is_not_advanced_before_it_is_made() {
    let mut fault = chinese();
    fault
        .chapter(11)
        .ops
        .push(json!({"op": "foreshadow", "path": "red_lantern", "value": "advanced"}));
    assert_eq!(
        codes(&fault),
        [FindingCode::ForeshadowAdvancedBeforePlanted]
    );
}

#[test]
fn things_counts_ages_and_ties_in_plain_prose() {
    let thing = |field: &str, value: Value| {
        vec![
            set("items.ring.display_name", json!("翡翠镯")),
            set(&format!("items.ring.{field}"), value),
        ]
    };
    let cases = [
        (
            thing("holder", json!("林枫")),
            "翡翠镯在陆横手里转了两圈。",
            "翡翠镯在林枫手里转了两圈。",
            FindingCode::ItemHeldByAnother,
        ),
        (
            thing("count", json!(2)),
            "陆横点出五只翡翠镯。",
            "陆横点出两只翡翠镯。",
            FindingCode::ItemCountMismatch,
        ),
        (
            vec![set("characters.lu-heng.age", json!(66))],
            "陆横都七十了，牙还一颗没掉。",
            "等陆横七十岁了，再说这些。",
            FindingCode::AgeContradicted,
        ),
        (
            vec![set("characters.lu-heng.kinship", json!("林枫的儿子"))],
            "林枫把弟弟陆横护在身后。",
            "林枫把儿子陆横护在身后。",
            FindingCode::KinshipContradicted,
        ),
    ];
    for (ops, fault, harmless, code) in cases {
        assert_eq!(codes(&book(ops.clone(), fault, vec![])), [code], "{fault}");
        assert_eq!(codes(&book(ops, harmless, vec![])), [], "{harmless}");
    }
}

#[test]
fn claims_name_ties_and_relations_in_several_forms() {
    let father = || set("characters.lu-heng.father", json!("陈老"));
    for value in [
        json!("林枫：父亲"),
        json!("lin-feng:父亲"),
        json!({"lin-feng": "父亲"}),
    ] {
        let fault = book(
            vec![father()],
            WORDS,
            claim("kinship", value.clone(), "now"),
        );
        assert_eq!(codes(&fault), [FindingCode::KinshipContradicted], "{value}");
    }
    let friend = || set("characters.lu-heng.relation", json!("林枫的好友"));
    let fault = book(
        vec![friend()],
        WORDS,
        claim("relation", json!("林枫：仇敌"), "now"),
    );
    assert_eq!(codes(&fault), [FindingCode::RelationContradicted]);
    let colleagues = || set("characters.lu-heng.relationships.lin-feng", json!("同事"));
    for (word, found) in [("陌生人", true), ("朋友", false)] {
        let told = json!({"with": "林枫", "value": word});
        let found_codes = codes(&book(
            vec![colleagues()],
            WORDS,
            claim("relation", told, "now"),
        ));
        assert_eq!(!found_codes.is_empty(), found, "{word}");
    }
}
