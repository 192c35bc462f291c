use novel_model::{Lang, files::Evaluation};
use serde_json::{Value, json};

use super::{Fault, Found, Ground, Planted, Probe, Share, assess, calibrations, plant};
use crate::believe::verdict;

const DIMENSIONS: [&str; 8] = [
    "plot_logic",
    "character",
    "immersion",
    "foreshadowing",
    "pacing",
    "style_naturalness",
    "emotional_impact",
    "storyline_coherence",
];

fn ground() -> Ground {
    let text = "雨落了一整夜。\n\n林枫推开书店的门，取走柜台上的密信。\n\n陈老没有抬头，灯灭了。";
    Ground {
        scenes: vec![
            text.to_owned(),
            "第二天，街上没有人。\n\n他走了很远。".to_owned(),
        ],
        rules: vec![("W-001".into(), "信只在雨夜送达".into())],
        objectives: vec![("OBJ-1".into(), "林枫取走密信".into())],
        dead: Some("王掌柜".into()),
        secret: Some("密信是陈老自己写的".into()),
        blacklist: ["不禁", "仿佛", "深吸一口气"].map(str::to_owned).into(),
    }
}

fn evaluation(planted: &Planted, change: impl FnOnce(&mut Value)) -> Evaluation {
    let scores: serde_json::Map<String, Value> = DIMENSIONS
        .iter()
        .map(|name| {
            (
                (*name).to_owned(),
                json!({"score": 4.0, "evidence": "雨落了一整夜"}),
            )
        })
        .collect();
    let mut value =
        json!({"chapter": 1, "scores": scores, "contract_verification": {"l1_checks": []}});
    change(&mut value);
    let mut evaluation: Evaluation = serde_json::from_value(value).unwrap();
    verdict::mark(&mut evaluation, &planted.scenes.join("\n\n"));
    evaluation
}

#[test]
fn every_kind_can_be_planted_and_changes_the_text() {
    let ground = ground();
    for fault in Fault::ALL {
        let planted = plant(fault, &ground, 1, Lang::Zh).unwrap();
        assert_ne!(planted.scenes, ground.scenes, "{fault:?}");
        if let Some(passage) = &planted.passage {
            assert!(planted.scenes.join("\n\n").contains(passage.as_str()));
        }
    }
    let missing = plant(Fault::ObjectiveMissing, &ground, 1, Lang::Zh).unwrap();
    assert!(!missing.scenes.join("").contains("取走柜台上的密信"));
}

#[test]
fn what_offers_no_ground_is_left_out() {
    let bare = Ground {
        scenes: ground().scenes,
        ..Ground::default()
    };
    for fault in [
        Fault::DeadActs,
        Fault::RuleBroken,
        Fault::ObjectiveMissing,
        Fault::SecretTold,
    ] {
        assert_eq!(plant(fault, &bare, 0, Lang::Zh), None);
    }
}

#[test]
fn a_fault_is_seen_by_its_contract_or_its_place() {
    let planted = plant(Fault::RuleBroken, &ground(), 1, Lang::Zh).unwrap();
    let blind = evaluation(&planted, |_| {});
    assert!(!assess(&planted, &blind, None).caught);
    let honest = evaluation(&planted, |value| {
        value["contract_verification"]["l1_checks"] = json!([{"rule_id": "W-001",
            "status": "violation", "confidence": "high", "evidence": "众人亲眼看着这一条被当场打破"}]);
    });
    assert!(assess(&planted, &honest, None).caught);
    let invented = evaluation(&planted, |value| {
        value["contract_verification"]["l1_checks"] = json!([{"rule_id": "W-001",
            "status": "violation", "confidence": "high", "evidence": "这一句从来没有写过"}]);
    });
    assert!(
        !assess(&planted, &invented, None).caught,
        "a guess is no find"
    );
}

#[test]
fn a_claim_about_a_decoy_is_a_false_alarm() {
    let decoy = plant(Fault::Decoy, &ground(), 1, Lang::Zh).unwrap();
    let calm = evaluation(&decoy, |_| {});
    assert!(!assess(&decoy, &calm, None).caught);
    let alarmed = evaluation(&decoy, |value| {
        value["contract_verification"]["l1_checks"] = json!([{"rule_id": "W-001",
            "status": "violation", "confidence": "high", "evidence": "编造的一句引文在此"}]);
    });
    let found = assess(&decoy, &alarmed, None);
    assert!(found.caught);
    assert_eq!((found.quoted, found.located), (9, 8));
}

#[test]
fn a_score_that_falls_counts_where_the_fault_shows() {
    let planted = plant(Fault::FlatEnding, &ground(), 1, Lang::Zh).unwrap();
    let usual = evaluation(&planted, |_| {});
    let low = evaluation(&planted, |value| {
        value["scores"]["pacing"]["score"] = json!(3.0)
    });
    assert!(assess(&planted, &low, Some(&usual)).caught);
    assert!(!assess(&planted, &usual, Some(&usual)).caught);
}

#[test]
fn intervals_hold_the_share() {
    for (hits, of) in [(0, 10), (5, 10), (10, 10), (1, 1)] {
        let share = Share::new(hits, of);
        let mean = f64::from(hits) / f64::from(of);
        assert!(share.low <= mean && mean <= share.high, "{share:?}");
        assert!((0.0..=1.0).contains(&share.low) && share.high <= 1.0);
    }
    assert!(
        Share::new(5, 10).high - Share::new(5, 10).low
            > Share::new(50, 100).high - Share::new(50, 100).low
    );
}

#[test]
fn judges_are_told_apart_by_model_and_prompt() {
    let probe = |model: &str, prompt_version, fault, caught| Probe {
        at: String::new(),
        model: model.to_owned(),
        prompt_version,
        chapter: 1,
        fault,
        found: Found {
            caught,
            quoted: 4,
            located: 2,
        },
    };
    let found = calibrations(&[
        probe("b", 1, Fault::Decoy, false),
        probe("a", 1, Fault::RuleBroken, true),
        probe("a", 2, Fault::RuleBroken, false),
        probe("a", 1, Fault::FlatEnding, false),
    ]);
    let keys: Vec<(&str, u32)> = found
        .iter()
        .map(|it| (it.model.as_str(), it.prompt_version))
        .collect();
    assert_eq!(keys, [("a", 1), ("a", 2), ("b", 1)]);
    assert_eq!((found[0].recall.hits, found[0].recall.of), (1, 2));
    assert_eq!(found[0].by_kind["rule_broken"].hits, 1);
    assert_eq!((found[0].located.hits, found[0].located.of), (4, 8));
}
