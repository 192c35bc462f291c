//! Page 08: what agents are told beside the fields of seed 003.

use novel_testkit::memory::MemoryBook;
use serde_json::{Value, json};

use super::book::{CONTRACT, OUTLINE, block, build, contract, request, sound_book};

fn chapter(number: u32, text: &str) -> String {
    json!({"chapter_number": number, "chapter_title": "标题",
        "scenes": [{"scene_number": 1, "content": text, "word_count": 1}], "total_words": 1})
    .to_string()
}

fn inline(book: &MemoryBook, step: &str) -> serde_json::Map<String, Value> {
    build(book, request(step)).unwrap().manifest.inline
}

#[test]
fn the_summarizer_gets_the_old_memory_of_its_line() {
    let manifest = build(&sound_book(), request("chapter:012:summarize"))
        .unwrap()
        .manifest;
    assert_eq!(
        manifest.paths["storyline_memory"],
        "storylines/main-arc/memory.md"
    );
}

#[test]
fn the_summarizer_gets_display_names_and_aliases_with_ids() {
    let inline = inline(&sound_book(), "chapter:012:summarize");
    assert_eq!(
        inline["entity_id_map"],
        json!({"chen-lao": "陈老", "lin-feng": "林枫"})
    );
    assert_eq!(inline["entity_aliases"], json!({"小枫": "lin-feng"}));
}

fn threads(count: u32) -> MemoryBook {
    let items: Vec<Value> = (1..=count)
        .map(|n| {
            json!({"id": format!("thread-{n:02}"), "description": format!("第{n}件旧事"), "scope": "medium",
                "status": "planted", "planted_chapter": 3, "target_resolve_range": [20, 100 - n]})
        })
        .collect();
    sound_book().with(
        "foreshadowing/global.json",
        json!({"foreshadowing": items}).to_string(),
    )
}

#[test]
fn thirty_open_threads_most_urgent_first_and_every_id_of_the_contract() {
    for step in [
        "chapter:012:summarize",
        "chapter:012:draft",
        "chapter:012:judge",
    ] {
        let mut contract = contract();
        contract["postconditions"]["foreshadowing_updates"] =
            json!({"thread-01": "advanced", "nobody-knows": "planted"});
        let book = threads(50).with(CONTRACT, contract.to_string());
        let inline = inline(&book, step);
        let ids = |field: &str| -> Vec<String> {
            let list = inline[field].as_array().unwrap();
            list.iter()
                .map(|item| item["id"].as_str().unwrap().to_owned())
                .collect()
        };
        assert_eq!(ids("foreshadowing_tasks"), ["nobody-knows", "thread-01"]);
        let open = ids("open_foreshadowing");
        assert_eq!(open.len(), 30, "{step}");
        assert_eq!(
            (open[0].as_str(), open[29].as_str()),
            ("thread-50", "thread-21")
        );
        assert_eq!(inline["open_foreshadowing"][0]["description"], "第50件旧事");
        assert_eq!(inline["open_foreshadowing"][0]["age"], 9);
    }
}

#[test]
fn foreshadowing_comes_with_the_sentence_that_planted_it() {
    let facts = json!({"foreshadowing": [
        {"id": "ancient_prophecy", "description": "石壁上的预言", "status": "planted", "planted_chapter": 3,
         "history": [{"chapter": 3, "action": "planted", "detail": "“石壁渗出字来”"}]},
        {"id": "brass_key", "description": "老仆藏起的铜钥匙", "status": "planted", "planted_chapter": 4}]});
    let book = sound_book()
        .with("foreshadowing/global.json", facts.to_string())
        .with(
            "chapters/chapter_003.json",
            chapter(3, "夜深。石壁渗出字来，没有人认得。他走了。"),
        )
        .with(
            "chapters/chapter_004.json",
            chapter(4, "雨停了。老仆把铜钥匙塞进门缝。"),
        );
    for step in ["chapter:012:draft", "chapter:012:judge"] {
        let inline = inline(&book, step);
        assert_eq!(
            inline["foreshadowing_tasks"][0]["planted_by"],
            "石壁渗出字来，没有人认得。"
        );
        assert_eq!(
            inline["open_foreshadowing"][0]["planted_by"],
            "老仆把铜钥匙塞进门缝。"
        );
    }
}

/// Chapters 9 to 11 of three lines and tellers; chapter 12 is 林枫's on the main line.
fn three_lines() -> MemoryBook {
    let told = |number: u32, line: &str, pov: &str| block(number, line).replace("林枫", pov);
    let outline = [
        told(9, "side", "小枫"),
        told(10, "main-arc", "陈老"),
        told(11, "jinghai-plan", "陈老"),
        told(12, "main-arc", "林枫"),
    ];
    sound_book()
        .with(OUTLINE, format!("# 第二卷\n\n{}", outline.concat()))
        .with(
            "chapters/chapter_009.json",
            chapter(9, "第九章的开头。\n\n小枫合上了门。"),
        )
        .with("chapters/chapter_010.json", chapter(10, "第十章的结尾。"))
        .with(
            "chapters/chapter_011.json",
            chapter(11, &format!("{}\n\n静海的船开了。", "雾。".repeat(600))),
        )
}

#[test]
fn the_writer_gets_the_end_of_the_last_chapters_word_for_word() {
    let inline = inline(&three_lines(), "chapter:012:draft");
    let endings = inline["previous_endings"].as_array().unwrap();
    let shown: Vec<(u64, bool)> = endings
        .iter()
        .map(|ending| {
            (
                ending["chapter"].as_u64().unwrap(),
                ending["known_here"].as_bool().unwrap(),
            )
        })
        .collect();
    // Same eyes, same line, the chapter before; oldest first.
    assert_eq!(shown, [(9, false), (10, true), (11, false)]);
    assert_eq!(endings[0]["text"], "第九章的开头。\n\n小枫合上了门。");
    assert_eq!(endings[1]["text"], "第十章的结尾。");
    assert_eq!(endings[2]["text"], "静海的船开了。");
}

#[test]
fn an_ending_of_another_line_is_marked_not_known_here() {
    let request = novel_prompt::packet::Request {
        mode: novel_prompt::packet::PacketMode::Embed,
        ..request("chapter:012:draft")
    };
    let manifest = build(&three_lines(), request).unwrap().manifest;
    let embedded = manifest.embedded.unwrap();
    let endings = embedded["previous_endings"].as_array().unwrap();
    let texts: Vec<&str> = endings.iter().map(|text| text.as_str().unwrap()).collect();
    assert!(texts[0].contains("not known here"), "{}", texts[0]);
    assert!(!texts[1].contains("not known here"), "{}", texts[1]);
    assert!(texts[2].contains("chapters/chapter_011.json") && texts[2].contains("not known here"));
}

#[test]
fn the_first_chapter_has_no_ending_before_it() {
    let mut book = sound_book();
    book.write(OUTLINE.parse().unwrap(), block(12, "main-arc"));
    assert!(!inline(&book, "chapter:012:draft").contains_key("previous_endings"));
}

#[test]
fn the_writer_gets_profile_speech_and_relationships_of_everybody_in_the_contract() {
    let mut contract = contract();
    contract["objectives"][0]["description"] = json!("林枫与陈老在废墟里相遇");
    let book = sound_book()
        .with(CONTRACT, contract.to_string())
        .with("characters/active/chen-lao.md", "陈老，守墓人。\n")
        .with(
            "style-profile.json",
            json!({"character_speech_patterns": {"林枫": "短句，不解释"}}).to_string(),
        )
        .with(
            "characters/active/chen-lao.json",
            json!({"display_name": "陈老", "contracts": [{"id": "C-2", "type": "speech", "rule": "只用问句"}]})
                .to_string(),
        )
        .with("characters/active/far-away.json", json!({"display_name": "远人"}).to_string())
        .with("characters/active/far-away.md", "远人，不在场。\n")
        .with(
            "characters/relationships.json",
            json!({"relationships": [{"from": "lin-feng", "to": "chen-lao", "description": "敬他，也防他"},
                {"from": "lin-feng", "to": "far-away", "description": "兄弟"}]})
            .to_string(),
        )
        .with(
            "state/current-state.json",
            json!({"state_version": 11, "last_updated_chapter": 11,
                "characters": {"chen-lao": {"relationships": {"lin-feng": 50, "far-away": 3}}}})
            .to_string(),
        );
    for step in ["chapter:012:draft", "chapter:012:judge"] {
        let manifest = build(&book, request(step)).unwrap().manifest;
        let profiles = manifest
            .inline
            .get("character_profiles")
            .or_else(|| manifest.paths.get("character_profiles"))
            .unwrap()
            .to_string();
        assert!(profiles.contains("lin-feng") && profiles.contains("chen-lao"));
        assert!(!profiles.contains("far-away"));
        assert_eq!(
            manifest.inline["speech_patterns"],
            json!({"林枫": "短句，不解释", "陈老": "只用问句"})
        );
        assert_eq!(
            manifest.inline["relationships"],
            json!([{"from": "林枫", "to": "陈老", "how": "敬他，也防他"},
                {"from": "陈老", "to": "林枫", "how": "50"}])
        );
    }
    let writer = inline(&book, "chapter:012:draft");
    assert_eq!(writer["character_profiles"][0]["profile"], "林枫，少年。");
}

#[test]
fn the_function_of_a_chapter_is_told_and_read_from_the_contract_where_it_is_not() {
    let facts = json!({"foreshadowing": [{"id": "ancient_prophecy", "description": "预言", "status": "planted"}]});
    let book = sound_book().with("foreshadowing/global.json", facts.to_string());
    let mut said = contract();
    said["postconditions"]["foreshadowing_updates"] = json!({"ancient_prophecy": "resolved"});
    let read = inline(
        &book.clone().with(CONTRACT, said.to_string()),
        "chapter:012:draft",
    );
    assert_eq!(
        read["chapter_function"],
        json!({"intensity": null, "scene_goals": ["进入废墟"], "payoff": "ancient_prophecy: 预言", "hook": "一封信"})
    );
    said["function"] = json!({"intensity": "high", "scene_goals": ["找到门", "打开门"], "payoff": "门后是空的", "hook": "脚步声"});
    for step in ["chapter:012:draft", "chapter:012:judge"] {
        let told = inline(&book.clone().with(CONTRACT, said.to_string()), step);
        assert_eq!(told["chapter_function"], said["function"]);
    }
}
