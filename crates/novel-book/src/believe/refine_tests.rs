use super::{Kept, Lost, change, in_part, lost};

const GIVEN: &str = "雨落了一整夜，林枫慢慢推开书店的门。\n\n“谁送来的？”他不禁问，“三百两银子？”\n\n陈老合上眼，走了二十里路，他已经很累了。\n\n林枫把密信放进怀里，又回头看了一眼柜台上的灯。";

fn kept() -> Kept {
    Kept {
        people: vec![
            vec!["林枫".to_owned(), "小枫".to_owned()],
            vec!["陈老".to_owned()],
        ],
        blacklist: vec!["不禁".to_owned(), "仿佛".to_owned()],
        facts: vec!["林枫把密信放进怀里".to_owned()],
        max_change: 0.15,
    }
}

#[test]
fn a_light_hand_loses_nothing() {
    let refined = GIVEN.replace("慢慢", "缓缓").replace("他不禁问", "他问");
    assert_eq!(lost(GIVEN, &refined, &kept()), []);
    assert!(change(GIVEN, &refined) > 0.0);
}

#[test]
fn what_the_story_needs_is_missed() {
    for (from, to, expected) in [
        ("陈老合", "老人合", Lost::Name("陈老".into())),
        ("林枫慢慢", "陈老慢慢", Lost::Name("林枫".into())),
        ("二十里", "三十里", Lost::Figure("二十里".into())),
        ("谁送来的", "是谁送的", Lost::Utterance("谁送来的？".into())),
        (
            "林枫把密信放进怀里，又",
            "他",
            Lost::Fact("林枫把密信放进怀里".into()),
        ),
    ] {
        let found = lost(GIVEN, &GIVEN.replacen(from, to, 1), &kept());
        assert!(found.contains(&expected), "{from}: {found:?}");
    }
}

#[test]
fn inside_an_utterance_blacklisted_words_may_change() {
    let given = "“我仿佛见过他。”林枫说。他把密信收好，没有再说别的话，转身走进了雨里。";
    let refined = given.replace("我仿佛见过他", "我好像见过他");
    let kept = Kept {
        people: Vec::new(),
        facts: Vec::new(),
        ..kept()
    };
    assert_eq!(lost(given, &refined, &kept), []);
    let changed = given.replace("我仿佛见过他", "我仿佛认得她");
    assert!(!lost(given, &changed, &kept).is_empty());
}

#[test]
fn figures_are_compared_by_value_and_unit() {
    let given = "走了三百里，用了20天，一个人，十分累。";
    let same = "走了300里，用了二十天，一个人，很累。";
    let kept = Kept {
        max_change: 1.0,
        ..Kept::default()
    };
    assert_eq!(lost(given, same, &kept), []);
    assert_eq!(
        lost(given, &given.replace("20天", "20年"), &kept),
        [Lost::Figure("20天".into())]
    );
}

#[test]
fn a_rewrite_is_taken_paragraph_by_paragraph() {
    let given: Vec<String> = vec![GIVEN.to_owned()];
    let refined = GIVEN
        .replace(
            "雨落了一整夜，林枫慢慢推开书店的门。",
            "雨下了一整夜，林枫缓缓推开书店的门。",
        )
        .replace(
            "陈老合上眼，走了二十里路，他已经很累了。",
            "远处传来钟声，没有人说话，灯灭了，天也亮了。",
        );
    let part = in_part(&given, &[refined], &kept());
    assert_eq!((part.taken, part.changed), (1, 2));
    assert!(part.scenes[0].contains("缓缓推开"));
    assert!(part.scenes[0].contains("走了二十里路"));
    assert_eq!(lost(GIVEN, &part.scenes.join("\n\n"), &kept()), []);
}

#[test]
fn nonsense_leaves_the_text_as_it_was() {
    let given: Vec<String> = vec![GIVEN.to_owned()];
    for nonsense in ["", "好的。", "The whole thing in English.\n\nAnd more."] {
        let part = in_part(&given, &[nonsense.to_owned()], &kept());
        assert_eq!((part.taken, part.scenes.as_slice()), (0, given.as_slice()));
    }
}
