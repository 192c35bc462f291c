use super::*;

fn scenes(parts: &[(Purpose, &str)]) -> Scenes {
    let mut scenes = Scenes(vec![Vec::new()]);
    for (purpose, text) in parts {
        scenes.push(0, *purpose, (*text).to_owned());
    }
    scenes
}

#[test]
fn fillers_go_first_and_pillars_never() {
    let mut chapter = scenes(&[
        (Purpose::Pillar, "一二三四五。"),
        (Purpose::Filler, "六七八九十。"),
        (Purpose::Plan, "甲乙丙丁戊。"),
    ]);
    chapter.shorten(10);
    assert_eq!(chapter.texts(), ["一二三四五。\n\n甲乙丙丁戊。"]);
    chapter.shorten(0);
    assert_eq!(chapter.texts(), ["一二三四五。"]);
}

#[test]
fn long_sentences_are_cut_and_short_ones_joined() {
    let mut long = scenes(&[(Purpose::Filler, "一二三四五六七八，九十甲乙丙丁戊己。")]);
    long.retune(Lang::Zh, 8.0, 0.05);
    assert_eq!(long.texts(), ["一二三四五六七八。九十甲乙丙丁戊己。"]);
    long.retune(Lang::Zh, 16.0, 0.05);
    assert_eq!(long.texts(), ["一二三四五六七八，九十甲乙丙丁戊己。"]);
}

#[test]
fn english_rhythm_is_a_matter_of_paragraphs() {
    let text = "One two three four five. Six seven eight nine ten.";
    let mut chapter = scenes(&[(Purpose::Filler, text)]);
    chapter.retune(Lang::En, 5.0, 0.05);
    assert_eq!(
        chapter.texts(),
        ["One two three four five.\n\nSix seven eight nine ten."]
    );
}

#[test]
fn what_is_not_filler_keeps_its_sentences() {
    let mut chapter = scenes(&[(Purpose::Pillar, "一二三四五六七八，九十甲乙丙丁戊己。")]);
    chapter.retune(Lang::Zh, 8.0, 0.05);
    assert_eq!(chapter.texts(), ["一二三四五六七八，九十甲乙丙丁戊己。"]);
}
