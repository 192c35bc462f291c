use super::*;

fn amended(text: &str, note: &str) -> String {
    let mut scene = text.to_owned();
    for quotation in entries(note).iter().filter_map(|note| quoted(note)) {
        take_out(&mut scene, quotation, Lang::Zh);
    }
    scene
}

#[test]
fn the_quoted_sentence_goes_and_the_rest_stays() {
    let text = "雾进来了。陈老推开门。林枫没有回头。\n\n灯灭了。";
    let note = "- 陈老已经死亡：请把「陈老推开门。」中的言行改由他人完成、删去，或写明这是回忆";
    assert_eq!(amended(text, note), "雾进来了。林枫没有回头。\n\n灯灭了。");
}

#[test]
fn a_sentence_with_marks_of_its_own_is_found_whole() {
    let text = "雾进来了。\n\n“别动。”陈老说道。\n\n灯灭了。";
    let note = "- 陈老已经死亡：请把「“别动。”陈老说道。」中的言行删去";
    assert_eq!(amended(text, note), "雾进来了。\n\n灯灭了。");
    let english = "- Chen is dead: in “Chen rose.”, give the action to somebody else";
    assert_eq!(amended("Fog. Chen rose. Dark.", english), "Fog. Dark.");
}

#[test]
fn half_a_speech_goes_as_a_whole() {
    let text = "雾进来了。\n\n陈老说道：“别动。快走。”\n\n灯灭了。";
    assert_eq!(
        amended(text, "- 删去「陈老说道：“别动。」"),
        "雾进来了。\n\n灯灭了。"
    );
}

#[test]
fn a_part_of_a_sentence_takes_the_sentence_along() {
    let text = "林枫拿起铜印，转身就走。雾进来了。";
    assert_eq!(amended(text, "- 改写「拿起铜印」"), "雾进来了。");
}

#[test]
fn a_scene_of_nothing_else_is_not_left_empty() {
    assert_eq!(
        amended("陈老推开门。", "- 删去「陈老推开门。」"),
        silence(Lang::Zh)
    );
}

#[test]
fn what_no_note_quotes_stays_as_it_is() {
    let text = "雾进来了。\n\n\n\n  灯灭了。";
    for note in [
        "- 请在本章结束前写明：林枫的 location 变为 \"废墟\"",
        "- 删去「没有这一句。」",
        "",
    ] {
        assert_eq!(amended(text, note), text);
    }
}

#[test]
fn entries_may_have_several_lines() {
    assert_eq!(entries("- 一\n  二\n- 三"), ["一\n二", "三"]);
    assert_eq!(entries("直接写的说明"), ["直接写的说明"]);
}
