use super::{NameIndex, Scene};

fn sentences(content: &str) -> Vec<&str> {
    let scene = Scene::new(1, content);
    let all = scene.sentences.iter();
    all.map(|sentence| scene.text(*sentence)).collect()
}

#[test]
fn sentences_keep_their_closing_marks() {
    assert_eq!(
        sentences("雨停了。“走。”陈老说道。\n\n　　他问：“谁？”没有人答……风起了"),
        [
            "雨停了。",
            "“走。”",
            "陈老说道。",
            "他问：“谁？”",
            "没有人答……",
            "风起了"
        ]
    );
    assert_eq!(
        sentences("“他说‘走。’”林枫道。"),
        ["“他说‘走。’”", "林枫道。"]
    );
    assert_eq!(
        sentences("He left. \"Go,\" she said. \"Now!\" It cost 3.50 then."),
        [
            "He left.",
            "\"Go,\" she said.",
            "\"Now!\"",
            "It cost 3.50 then."
        ]
    );
    assert_eq!(
        sentences("他走了。\"你好。\"他说。"),
        ["他走了。", "\"你好。\"", "他说。"]
    );
}

#[test]
fn quotations_end_with_their_paragraph() {
    let content = "“一\n二“三”四";
    let scene = Scene::new(1, content);
    let quoted = |word: &str| scene.is_quoted(content.find(word).unwrap());
    assert!(quoted("一") && !quoted("二") && quoted("三") && !quoted("四"));
}

#[test]
fn the_longest_name_wins_and_latin_names_stand_alone() {
    let mut index = NameIndex::default();
    for (name, id) in [("林枫", "a"), ("林枫眠", "b"), ("枫", "c"), ("Ann", "d")] {
        index.add(name, id);
    }
    let ids = |text: &str| -> Vec<String> {
        let mentions = index.mentions(text);
        mentions
            .iter()
            .map(|mention| mention.id.to_owned())
            .collect()
    };
    assert_eq!(ids("林枫眠见林枫，枫叶红"), ["b", "a"]);
    assert_eq!(ids("Anna met Ann, not Joann"), ["d"]);
}

#[test]
fn a_short_name_is_not_that_of_another() {
    let mut index = NameIndex::default();
    index.add("Rose Quill", "rose");
    index.add_short("Quill", "rose");
    index.add_short("Rose", "rose");
    let named = |text: &str| index.mentions(text).len();
    assert_eq!(named("Then Quill laughed, and Captain Quill sat down."), 2);
    assert_eq!(
        named("Mrs. Quill laughed. They met Adam Quill and the Quill."),
        0
    );
    // At the start of a sentence it may be the flower.
    assert_eq!(named("Rose petals fell. She saw Rose at the gate."), 1);
}
