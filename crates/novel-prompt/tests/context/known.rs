//! Page 08: what is recalled, who knows what, and contracts that do not fit the book.

use novel_book::config::{Config, ContractConfig, ContractDiffers};
use novel_book::recall::Digests;
use novel_model::{Explain, files::Packet};
use novel_prompt::packet::{self, BookFiles, PacketMode, Request};
use novel_testkit::memory::MemoryBook;
use serde_json::{Value, json};

use super::book::{CONTRACT, OUTLINE, block, build, checkpoint, contract, request, sound_book};

fn chapter(number: u32, text: &str) -> String {
    json!({"chapter_number": number, "chapter_title": "标题",
        "scenes": [{"scene_number": 1, "content": text, "word_count": 1}], "total_words": 1})
    .to_string()
}

fn named_in_contract(goal: &str) -> String {
    let mut contract = contract();
    contract["objectives"][0]["description"] = json!(goal);
    contract.to_string()
}

fn embedded(book: &MemoryBook, step: &str) -> String {
    let request = Request {
        mode: PacketMode::Embed,
        ..request(step)
    };
    json!(build(book, request).unwrap().manifest.embedded).to_string()
}

fn recalled(book: &MemoryBook, step: &str) -> Vec<(u64, String)> {
    let packet = build(book, request(step)).unwrap();
    let list = packet.manifest.inline.get("recalled_passages").cloned();
    let list: Vec<Value> = list.map_or_else(Vec::new, |it| it.as_array().unwrap().clone());
    list.iter()
        .map(|it| {
            (
                it["chapter"].as_u64().unwrap(),
                it["text"].as_str().unwrap().to_owned(),
            )
        })
        .collect()
}

#[test]
fn what_was_written_about_the_things_of_the_contract_is_recalled() {
    let book = sound_book()
        .with(CONTRACT, named_in_contract("林枫用铜钥匙打开废墟的门"))
        .with(
            "chapters/chapter_003.json",
            chapter(
                3,
                "雨很大。\n\n铜钥匙的齿断了一根，断口涂着朱砂。\n\n没有人说话。",
            ),
        )
        .with(
            "chapters/chapter_004.json",
            chapter(4, "市集上什么也没有发生。"),
        )
        .with(
            "chapters/chapter_011.json",
            chapter(11, "他把铜钥匙收进怀里。"),
        );
    for step in ["chapter:012:draft", "chapter:012:judge"] {
        let found = recalled(&book, step);
        assert!(
            found.contains(&(3, "铜钥匙的齿断了一根，断口涂着朱砂。".to_owned())),
            "{found:?}"
        );
        // Given already as the end of the chapter before.
        assert!(!found.iter().any(|(number, _)| *number == 11), "{found:?}");
        assert!(embedded(&book, step).contains("【第 3 章】铜钥匙的齿断了一根"));
    }
}

#[test]
fn a_line_the_point_of_view_was_not_on_is_not_recalled() {
    let told = |number: u32, line: &str, pov: &str| block(number, line).replace("林枫", pov);
    let outline = [
        told(8, "sleeping", "陈老"),
        told(9, "sleeping", "林枫"),
        told(10, "sleeping", "陈老"),
        told(11, "main-arc", "林枫"),
        told(12, "main-arc", "林枫"),
    ];
    let was_there = json!({"chapter": 10, "storyline_id": "sleeping", "objectives": [],
        "preconditions": {"character_states": {"小枫": {}}}});
    let book = sound_book()
        .with(OUTLINE, format!("# 第二卷\n\n{}", outline.concat()))
        .with(
            "volumes/vol-02/storyline-schedule.json",
            r#"{"dormant_storylines": ["sleeping"]}"#,
        )
        .with(
            "volumes/vol-02/chapter-contracts/chapter-010.json",
            was_there.to_string(),
        )
        .with(CONTRACT, named_in_contract("林枫找到铜钥匙"))
        .with(
            "chapters/chapter_008.json",
            chapter(8, "铜钥匙其实是假的，真的早已沉在湖底。"),
        )
        .with(
            "chapters/chapter_009.json",
            chapter(9, "铜钥匙的柄上缠着一圈红线。"),
        )
        .with(
            "chapters/chapter_010.json",
            chapter(10, "铜钥匙掉进了火盆，捞出来时已经发黑。"),
        );
    let chapters: Vec<u64> = recalled(&book, "chapter:012:draft")
        .iter()
        .map(|it| it.0)
        .collect();
    assert!(!chapters.contains(&8), "{chapters:?}");
    assert!(
        chapters.contains(&9) && chapters.contains(&10),
        "{chapters:?}"
    );
}

fn secretive() -> MemoryBook {
    let truth = json!({"version": 1, "events": [{"id": "E-1", "when": "十年前", "what": "塔是陈老炸的"}],
        "secrets": [
            {"id": "S-KNOWN", "fact": "废墟下有泉", "known_by": [{"character": "林枫", "from_chapter": 12}]},
            {"id": "S-LATER", "fact": "泉水有毒", "known_by": [{"character": "lin-feng", "from_chapter": 13}]},
            {"id": "S-OTHER", "fact": "陈老是守墓人之子", "known_by": [{"character": "陈老"}],
             "false_beliefs": [{"character": "小枫", "belief": "陈老是外乡人"}]},
            {"id": "S-NOBODY", "fact": "门后是空的", "reader_from_chapter": 2}]});
    let mut contract = contract();
    contract["objectives"][0]["description"] = json!("林枫与陈老进入废墟");
    sound_book()
        .with("world/truth.json", truth.to_string())
        .with(
            "characters/active/chen-lao.md",
            "陈老，守墓人。\n- 秘密：他怕黑\n",
        )
        .with(CONTRACT, contract.to_string())
        .with("chapters/chapter_012.json", chapter(12, "废墟里没有灯。"))
}

#[test]
fn secrets_reach_the_writer_by_the_point_of_view() {
    let inline = build(&secretive(), request("chapter:012:draft"))
        .unwrap()
        .manifest
        .inline;
    let secrets = inline["secrets"].as_array().unwrap();
    let standing = |fact: &str| {
        let found = secrets
            .iter()
            .find(|it| it["fact"].as_str().is_some_and(|it| it.contains(fact)));
        found.map(|it| it["standing"].as_str().unwrap())
    };
    assert_eq!(standing("废墟下有泉"), Some("known"));
    assert_eq!(standing("泉水有毒"), None);
    assert_eq!(standing("守墓人之子"), Some("not_to_be_told"));
    assert_eq!(standing("他怕黑"), Some("not_to_be_told"));
    assert_eq!(standing("门后是空的"), None);
    assert!(secrets.iter().any(|it| it["belief"] == "陈老是外乡人"));
    let prompt = embedded(&secretive(), "chapter:012:draft");
    assert!(prompt.contains("not to be told"));
    for kept in ["泉水有毒", "门后是空的", "塔是陈老炸的"] {
        assert!(!prompt.contains(kept), "{kept}");
    }
    let profiles = inline["character_profiles"].to_string();
    assert!(
        profiles.contains("守墓人") && !profiles.contains("怕黑"),
        "{profiles}"
    );
}

#[test]
fn without_a_single_point_of_view_only_what_the_reader_knows_is_told() {
    let mut book = secretive();
    let blocks: String = (11..=14)
        .map(|number| block(number, "main-arc").replace("**POV**: 林枫", "**POV**: 众人"))
        .collect();
    book.write(OUTLINE.parse().unwrap(), format!("# 第二卷\n\n{blocks}"));
    let inline = build(&book, request("chapter:012:draft"))
        .unwrap()
        .manifest
        .inline;
    let facts: Vec<&str> = inline["secrets"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["fact"].as_str())
        .collect();
    assert_eq!(facts, ["门后是空的"]);
}

#[test]
fn planner_judge_and_auditor_see_all_of_the_truth() {
    for step in ["chapter:012:judge", "chapter:012:audit", "volume:02:plan"] {
        let shown = embedded(&secretive(), step);
        for fact in ["废墟下有泉", "泉水有毒", "塔是陈老炸的", "门后是空的"] {
            assert!(shown.contains(fact), "{step}: {fact}");
        }
    }
    for step in [
        "chapter:012:summarize",
        "chapter:012:refine",
        "chapter:012:review",
    ] {
        assert!(!embedded(&secretive(), step).contains("泉水有毒"), "{step}");
    }
}

#[test]
fn a_damaged_truth_stops_the_step() {
    for step in ["chapter:012:draft", "chapter:012:judge", "volume:02:plan"] {
        let broken = secretive().with("world/truth.json", "{\"secrets\": 5}");
        let error = build(&broken, request(step)).unwrap_err();
        assert_eq!(error.code(), "BROKEN_INPUT", "{step}");
        assert!(
            error.problems()[0]
                .location()
                .starts_with("world/truth.json")
        );
    }
}

fn differing(
    policy: ContractDiffers,
    state: Value,
) -> Result<Packet, novel_book::context::ContextError> {
    let book = sound_book().with(
        "state/current-state.json",
        json!({"state_version": 11, "last_updated_chapter": 11, "characters": {"lin-feng": state}})
            .to_string(),
    );
    let config = Config {
        contract: ContractConfig { differs: policy },
        ..Config::default()
    };
    let checkpoint = checkpoint();
    let files = BookFiles {
        reader: &book,
        config: &config,
        checkpoint: &checkpoint,
        digests: &Digests::default(),
    };
    let request = Request {
        mode: PacketMode::Embed,
        ..request("chapter:012:draft")
    };
    packet::build(files, request)
}

#[test]
fn a_contract_that_differs_is_told_given_way_or_stops() {
    let elsewhere = json!({"location": "青云山"});
    let told = |policy| {
        json!(
            differing(policy, elsewhere.clone())
                .unwrap()
                .manifest
                .embedded
        )
        .to_string()
    };
    let tell = told(ContractDiffers::Tell);
    assert!(tell.contains("书中是“青云山”，契约要求“魔都”"), "{tell}");
    assert!(told(ContractDiffers::Book).contains("以书中的“青云山”为准"));
    let error = differing(ContractDiffers::Stop, elsewhere).unwrap_err();
    assert_eq!(error.problems()[0].code, "contract_differs");
    assert_eq!(
        error.problems()[0].location(),
        format!("{CONTRACT}#/preconditions/character_states/林枫")
    );
    let same = differing(ContractDiffers::Stop, json!({"location": "魔都"})).unwrap();
    assert!(
        !same
            .manifest
            .embedded
            .unwrap()
            .contains_key("contract_differs")
    );
}

#[test]
fn an_impossible_contract_always_stops() {
    for policy in [
        ContractDiffers::Tell,
        ContractDiffers::Book,
        ContractDiffers::Stop,
    ] {
        let error = differing(policy, json!({"status": "dead", "location": "青云山"})).unwrap_err();
        assert_eq!(error.problems()[0].code, "contract_impossible");
        super::book::assert_helpful(&error);
    }
}

#[test]
fn the_planner_knows_every_line_everybody_and_what_the_author_said() {
    let lines = json!({"storylines": [{"id": "main-arc", "name": "主线"}, {"id": "jinghai-plan", "name": "静海"}]});
    let facts = json!({"foreshadowing": [{"id": "old", "description": "旧债", "scope": "short", "status": "planted",
        "planted_chapter": 2, "target_resolve_range": [3, 5]}]});
    let book = sound_book()
        .with("storylines/storylines.json", lines.to_string())
        .with("foreshadowing/global.json", facts.to_string())
        .with(
            "characters/active/lin-feng.md",
            "林枫，少年。\n- 目标：找到妹妹\n",
        )
        .with("staging/notes/volume-02-plan.md", "多写陈老。\n")
        .with(
            "state/current-state.json",
            json!({"state_version": 11, "last_updated_chapter": 11,
                "characters": {"lin-feng": {"location": "魔都"}, "chen-lao": {"goal": "守住墓"}}})
            .to_string(),
        );
    let manifest = build(&book, request("volume:02:plan")).unwrap().manifest;
    assert_eq!(
        manifest.paths["storyline_memories"],
        json!([
            "storylines/main-arc/memory.md",
            "storylines/jinghai-plan/memory.md"
        ])
    );
    let people = manifest.inline["people_now"].as_array().unwrap();
    assert_eq!(
        (&people[0]["display_name"], &people[0]["wants"]),
        (&json!("陈老"), &json!("守住墓"))
    );
    assert_eq!(
        (&people[1]["location"], &people[1]["wants"]),
        (&json!("魔都"), &json!("找到妹妹"))
    );
    assert_eq!(manifest.inline["author_notes"], "多写陈老。");
}
