//! One planted fault at a time: found at its place, and nothing else.

use novel_model::files::Severity;
use novel_story::check::{Finding, FindingCode, Spot};
use serde_json::json;

use super::book::{Book, CHAPTERS, Check, chinese};

/// The finding quotes the text word for word at the place it names.
fn assert_in_text(book: &Book, finding: &Finding, scene: u32, quotation: &str, focus: &str) {
    assert_eq!(finding.scene(), Some(scene), "{finding:#?}");
    let Spot::Text {
        line, start, end, ..
    } = finding.place.spot
    else {
        panic!("not in the text: {finding:#?}");
    };
    assert_eq!(
        finding.place.path.as_str(),
        format!("chapters/chapter_{}.json", finding.chapter)
    );
    assert_eq!(finding.place.quotation, quotation);
    let content = &book.chapters[finding.chapter.get() as usize - 1].scenes[scene as usize - 1];
    assert_eq!(&content[start..end], quotation);
    assert_eq!(content[..start].matches('\n').count() + 1, line);
    let range = finding.place.focus.clone().unwrap();
    assert_eq!(&finding.place.quotation[range], focus);
}

fn assert_log_line(finding: &Finding, chapter: usize, part: &str) {
    assert_eq!(finding.other_side.path.as_str(), "state/changelog.jsonl");
    // Line one is the state before the first chapter.
    assert_eq!(finding.other_side.spot, Spot::Line(chapter + 1));
    assert!(finding.other_side.quotation.contains(part), "{finding:#?}");
}

#[test]
fn the_dead_do_not_speak() {
    let mut book = chinese();
    book.chapter(25).scenes[1] =
        "灯芯跳了一下。\n\n陈老缓缓说道：“船在北边。”\n\n林枫抬起头。".to_owned();
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::DeadCharacterActs);
    assert_eq!(finding.severity, Severity::High);
    assert_eq!(finding.chapter.get(), 25);
    assert_in_text(
        &book,
        &finding,
        2,
        "陈老缓缓说道：“船在北边。”",
        "陈老缓缓说道",
    );
    assert_log_line(&finding, 12, "\"死亡\"");
    assert_eq!(finding.related_characters, ["陈老"]);
    assert!(
        finding
            .fix_instructions
            .as_deref()
            .unwrap()
            .contains("船在北边")
    );
}

#[test]
fn the_dead_do_not_act_under_an_alias() {
    let mut book = chinese();
    book.chapter(25).scenes[0] += "\n\n门开了，陈伯走进来，身上带着雨气。";
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::DeadCharacterActs);
    assert_in_text(
        &book,
        &finding,
        1,
        "门开了，陈伯走进来，身上带着雨气。",
        "陈伯走进来",
    );
}

#[test]
fn other_signs_of_death_count_too() {
    for (path, value) in [
        ("characters.lu-heng.alive", json!(false)),
        ("characters.lu-heng.is_dead", json!(true)),
        ("characters.lu-heng.status", json!("Deceased")),
    ] {
        let mut book = chinese();
        for chapter in &mut book.chapters {
            chapter.scenes[1] = "雨停了。".to_owned();
        }
        book.chapter(30)
            .ops
            .push(json!({"op": "set", "path": path, "value": value}));
        book.chapter(32).scenes[0] += "\n\n“别动。”陆横喝道。";
        let finding = book.finding();
        assert_eq!(finding.code, FindingCode::DeadCharacterActs, "{path}");
        assert_in_text(&book, &finding, 1, "陆横喝道。", "陆横喝道");
        assert_log_line(&finding, 30, path);
    }
}

#[test]
fn who_returns_to_life_in_the_chapter_may_act() {
    let mut book = chinese();
    book.chapter(25).scenes[1] = "陈老缓缓说道：“船在北边。”".to_owned();
    book.chapter(25)
        .ops
        .push(json!({"op": "set", "path": "characters.chen-lao.status", "value": "复生"}));
    assert_eq!(book.findings(), []);
}

#[test]
fn mentions_of_the_dead_are_no_acts() {
    for harmless in [
        "“陈老走进来的时候，我就在这儿。”王掌柜说道。",
        "林枫记得，陈老站在门口，笑了。",
        "如果陈老还在，陈老站起身就会骂人。",
        "陈老说的那句话，林枫一直没忘。",
        "陈老坐在门前的样子又浮上来。",
        "陈老家门前站着两个人。",
        "仿佛陈老看着他。",
        "林枫把陈老的书放下。",
        "三年前，陈老推开这扇门，把他领了进去。陈老说：“住下吧。”",
        "画像上，陈老看着来往的人。",
    ] {
        let mut book = chinese();
        book.chapter(25).scenes[1] = harmless.to_owned();
        assert_eq!(book.findings(), [], "{harmless}");
    }
}

#[test]
fn who_left_the_story_does_not_act() {
    let mut book = chinese();
    book.chapter(28).scenes[1] += "\n\n赵四推门进来，抖了抖蓑衣。";
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::RetiredCharacterActs);
    assert_in_text(
        &book,
        &finding,
        2,
        "赵四推门进来，抖了抖蓑衣。",
        "赵四推门进来",
    );
    assert_eq!(
        finding.other_side.path.as_str(),
        "characters/retired/zhao-si.json"
    );
    assert_eq!(
        finding.other_side.spot,
        Spot::Pointer("/retired_chapter".to_owned())
    );
    assert_eq!(finding.other_side.quotation, "\"retired_chapter\": 15");
}

#[test]
fn a_retirement_without_a_date_concerns_the_newest_chapter_only() {
    let mut book = chinese();
    for (path, content) in &mut book.files {
        if path.ends_with("zhao-si.json") {
            content.as_object_mut().unwrap().remove("retired_chapter");
        }
    }
    book.chapter(28).scenes[1] += "\n\n赵四推门进来，抖了抖蓑衣。";
    assert_eq!(book.findings(), []);
    book.chapter(40).scenes[1] += "\n\n赵四推门进来，抖了抖蓑衣。";
    assert_eq!(book.finding().chapter.get(), 40);
}

#[test]
fn preconditions_hold_before_the_chapter() {
    let mut book = chinese();
    book.chapter(17).contract["preconditions"]["character_states"]["林枫"]["location"] =
        json!("雁门关");
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::PreconditionMismatch);
    assert_eq!(
        finding.place.path.as_str(),
        "volumes/vol-01/chapter-contracts/chapter-017.json"
    );
    let pointer = "/preconditions/character_states/林枫/location";
    assert_eq!(finding.place.spot, Spot::Pointer(pointer.to_owned()));
    assert_eq!(finding.place.quotation, "\"location\": \"雁门关\"");
    assert_log_line(&finding, 16, super::book::place(16));
    assert_eq!(finding.fix_instructions, None);
}

#[test]
fn a_required_item_that_is_gone_is_a_precondition_too() {
    let mut book = chinese();
    book.chapter(17).contract["preconditions"]["character_states"]["林枫"]["inventory"] =
        json!(["短刀", "青玉佩"]);
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::PreconditionMismatch);
    assert_log_line(&finding, 8, "青玉佩");
}

#[test]
fn wordings_that_prove_nothing_are_no_contradiction() {
    let mut book = chinese();
    let states = &mut book.chapter(17).contract["preconditions"]["character_states"]["林枫"];
    states["location"] = json!(format!("{}·后院", super::book::place(16)));
    states["relationships"] = json!({"陈老": 80});
    states["mood"] = json!("忐忑");
    book.chapter(5).ops.extend([
        json!({"op": "set", "path": "characters.lin-feng.relationships.chen-lao", "value": 50}),
        json!({"op": "set", "path": "characters.lin-feng.mood", "value": "镇定"}),
    ]);
    // A place may be recorded by its id.
    book.chapter(21).ops[1]["value"] = json!("bridge");
    book.chapter(20)
        .ops
        .push(json!({"op": "set", "path": "locations.bridge.display_name", "value": "断桥"}));
    book.chapter(21).contract["postconditions"]["state_changes"]["林枫"]["location"] =
        json!("断桥");
    book.chapter(22).contract["preconditions"]["character_states"]["林枫"]["location"] =
        json!("断桥");
    assert_eq!(book.findings(), []);
}

#[test]
fn postconditions_are_in_the_delta() {
    let mut book = chinese();
    book.chapter(17).ops[1]["value"] = json!("雁门关");
    book.chapter(18).contract["preconditions"]["character_states"]["林枫"]["location"] =
        json!("雁门关");
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::PostconditionNotMet);
    assert_eq!(finding.chapter.get(), 17);
    let pointer = "/postconditions/state_changes/林枫/location";
    assert_eq!(finding.place.spot, Spot::Pointer(pointer.to_owned()));
    assert_log_line(&finding, 17, "雁门关");
    // Later chapters go on from what is recorded; at the commit the text can still be repaired.
    assert_eq!(finding.fix_instructions, None);
    assert!(
        book.at_commit(finding.chapter)[0]
            .fix_instructions
            .is_some()
    );
}

#[test]
fn a_change_that_was_never_recorded_is_missed() {
    let mut book = chinese();
    book.chapter(17).contract["postconditions"]["state_changes"]["陆横"] =
        json!({"location": "听雨楼"});
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::PostconditionNotMet);
    assert_eq!(finding.related_characters, ["陆横"]);
    assert_log_line(&finding, 17, "\"chapter\": 17");
}

#[test]
fn required_foreshadowing_is_in_the_delta() {
    let mut book = chinese();
    book.chapter(29)
        .ops
        .retain(|op| op["path"] != "ancient_prophecy");
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::ForeshadowUpdateMissing);
    assert_eq!(
        finding.place.quotation,
        "\"ancient_prophecy\": \"advanced\""
    );
    assert_log_line(&finding, 29, "\"chapter\": 29");
    assert!(
        finding
            .fix_instructions
            .as_deref()
            .unwrap()
            .contains("石碑上的预言")
    );
}

#[test]
fn nothing_is_resolved_before_it_is_planted() {
    let mut book = chinese();
    book.chapter(11)
        .ops
        .push(json!({"op": "foreshadow", "path": "red_lantern", "value": "resolved"}));
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::ForeshadowResolvedBeforePlanted);
    assert_eq!(finding.chapter.get(), 11);
    assert_eq!(finding.place.path.as_str(), "state/changelog.jsonl");
    assert_eq!(finding.place.spot, Spot::Line(12));
    assert_eq!(
        finding.other_side.path.as_str(),
        "foreshadowing/global.json"
    );
    assert_eq!(finding.other_side.quotation, "\"planted_chapter\": 21");
}

#[test]
fn nothing_is_planted_twice() {
    let mut book = chinese();
    book.chapter(19)
        .ops
        .push(json!({"op": "foreshadow", "path": "broken_seal", "value": "planted"}));
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::ForeshadowPlantedTwice);
    assert_eq!(finding.place.spot, Spot::Line(20));
    assert_log_line(&finding, 2, "broken_seal");
}

#[test]
fn a_short_item_is_resolved_in_time() {
    let mut book = chinese();
    book.chapter(14)
        .ops
        .retain(|op| op["path"] != "broken_seal");
    book.chapter(14).contract["postconditions"]["foreshadowing_updates"] = json!({});
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::ForeshadowOverdue);
    assert_eq!(finding.chapter.get(), 15);
    assert_eq!(finding.place.path.as_str(), "foreshadowing/global.json");
    assert_eq!(finding.place.quotation, "\"target_resolve_range\": [10,14]");
    assert_log_line(&finding, 2, "broken_seal");
}

#[test]
fn another_lines_cast_is_not_named_before_the_lines_meet() {
    let mut book = chinese();
    book.chapter(9).scenes[0] += "\n\n“顾砚昨夜出海了。”王掌柜压低了声音。";
    book.chapter(7).contract["preconditions"]["character_states"]["顾砚"] = json!({});
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::ForeignCastNamed);
    assert_in_text(&book, &finding, 1, "“顾砚昨夜出海了。”", "顾砚");
    assert_eq!(
        finding.other_side.path.as_str(),
        "volumes/vol-01/chapter-contracts/chapter-007.json"
    );
    assert_eq!(finding.related_characters, ["顾砚"]);
}

#[test]
fn the_teller_of_another_line_is_of_its_cast() {
    let mut book = chinese();
    book.chapter(9).scenes[1] += "\n\n信封背面写着两个字：苏晚。";
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::ForeignCastNamed);
    assert_in_text(&book, &finding, 2, "信封背面写着两个字：苏晚。", "苏晚");
    assert_eq!(
        finding.other_side.spot,
        Spot::Pointer("/storylines/1/pov_characters/0".to_owned())
    );
}

#[test]
fn a_name_is_allowed_where_the_plan_or_the_state_knows_it() {
    let fault = "\n\n信封背面写着两个字：苏晚。";
    let mut planned = chinese();
    planned.chapter(9).scenes[1] += fault;
    planned.chapter(9).contract["objectives"][0]["description"] = json!("信是苏晚写的");
    assert_eq!(planned.findings(), []);
    let mut related = chinese();
    related.chapter(9).scenes[1] += fault;
    related.chapter(4).ops.push(
        json!({"op": "set", "path": "characters.lin-feng.relationships.su-wan", "value": 10}),
    );
    assert_eq!(related.findings(), []);
    let mut shared = chinese();
    shared.chapter(9).scenes[1] += "\n\n信封背面写着两个字：陆横。";
    assert_eq!(shared.findings(), []);
}

#[test]
fn an_unregistered_name_that_recurs_is_reported_once() {
    let mut book = chinese();
    for chapter in [6, 22, 29, 33] {
        book.chapter(chapter).unknown =
            vec![json!({"mention": "胡三娘", "suggested_type": "character"})];
        book.chapter(chapter).scenes[0] += "\n\n胡三娘在门外站了许久。";
    }
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::UnregisteredNameRecurs);
    assert_eq!(finding.chapter.get(), 29);
    assert_in_text(&book, &finding, 1, "胡三娘在门外站了许久。", "胡三娘");
    assert_eq!(
        finding.other_side.path.as_str(),
        "logs/unknown-entities.jsonl"
    );
    assert!(
        finding.other_side.quotation.contains("\"chapter\":6"),
        "{finding:#?}"
    );
}

#[test]
fn a_speaker_who_keeps_coming_is_reported_once() {
    let mut book = chinese();
    for chapter in (4..=CHAPTERS).step_by(4) {
        book.chapter(chapter).scenes[0] += "\n\n“船家，今夜走不走？”秦川问道。";
    }
    assert_eq!(book.finding().chapter.get(), 12);
}

#[test]
fn a_speaker_nobody_registered_is_noticed_in_the_text() {
    let mut book = chinese();
    book.chapter(37).scenes[0] += "\n\n“船家，今夜走不走？”周野问道。";
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::UnregisteredNameRecurs);
    assert_in_text(&book, &finding, 1, "周野问道。", "周野");
    assert_eq!(
        finding.other_side.path.as_str(),
        "chapters/chapter_010.json"
    );
}

#[test]
fn what_was_given_away_is_not_used() {
    let mut book = chinese();
    book.chapter(24).scenes[1] += "\n\n林枫从怀里取出那枚青玉佩，放在灯下。";
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::ItemUsedAfterGivenAway);
    assert_in_text(
        &book,
        &finding,
        2,
        "林枫从怀里取出那枚青玉佩，放在灯下。",
        "林枫从怀里取出那枚青玉佩",
    );
    assert_log_line(&finding, 8, "\"remove\"");
    assert_eq!(finding.related_characters, ["林枫"]);
    book.chapter(23)
        .ops
        .push(json!({"op": "add", "path": "characters.lin-feng.inventory", "value": "青玉佩"}));
    assert_eq!(book.findings(), []);
}

#[test]
fn time_does_not_run_backwards_on_a_line() {
    let mut book = chinese();
    let marker = |op: &&mut serde_json::Value| op["path"] == "world_state.time_marker";
    book.chapter(26).ops.iter_mut().find(marker).unwrap()["value"] = json!("第三年冬");
    let op = book
        .chapter(25)
        .ops
        .iter()
        .find(|op| op["path"] == "world_state.time_marker")
        .unwrap();
    assert_eq!(op["value"], "第四年春");
    let finding = book.finding();
    assert_eq!(finding.code, FindingCode::TimeRunsBackwards);
    assert_eq!(finding.chapter.get(), 26);
    assert_eq!(finding.place.spot, Spot::Line(27));
    assert!(finding.place.quotation.contains("第三年冬"));
    assert_log_line(&finding, 25, "第四年春");
}

#[test]
fn every_code_has_a_planted_fault_above() {
    // Kept in step by hand: a new code needs a fault in this file.
    assert_eq!(FindingCode::ALL.len(), 30);
    for code in FindingCode::ALL {
        assert_eq!(code.as_str().parse(), Ok(*code));
    }
}
