use super::*;

fn pronouns(lang: Lang, people: &[(&str, Option<Kind>)]) -> Pronouns {
    let people = people.iter().map(|(name, kind)| Person {
        names: vec![(*name).to_owned()],
        kind: *kind,
    });
    Pronouns {
        lang,
        people: people.collect(),
    }
}

#[test]
fn a_name_said_again_becomes_a_pronoun() {
    let zh = pronouns(
        Lang::Zh,
        &[
            ("陆砚", Some(Kind::He)),
            ("何小满", Some(Kind::She)),
            ("邱伯远", Some(Kind::He)),
            ("顾行舟", None),
        ],
    );
    for (text, told) in [
        (
            "陆砚推开门。陆砚没有说话，灯照着陆砚的手。",
            "陆砚推开门。他没有说话，灯照着他的手。",
        ),
        // Somebody of another pronoun does not stand in between.
        (
            "陆砚看着何小满。陆砚点头，何小满也点头。",
            "陆砚看着何小满。他点头，她也点头。",
        ),
        ("陆砚看着邱伯远。陆砚点头。", "陆砚看着邱伯远。陆砚点头。"),
        (
            "邱伯远替陆砚挡住风。陆砚没有谢。",
            "邱伯远替陆砚挡住风。陆砚没有谢。",
        ),
        (
            "陆砚看着顾行舟。陆砚点头，顾行舟没有。",
            "陆砚看着顾行舟。陆砚点头，顾行舟没有。",
        ),
        // What is spoken stays, and names nobody for the narration.
        (
            "“陆砚！”陆砚站住。“陆砚，过来。”",
            "“陆砚！”陆砚站住。“陆砚，过来。”",
        ),
        ("陆砚走了。\n\n陆砚回来了。", "陆砚走了。\n\n他回来了。"),
        // The one of two who is spoken of last; somebody who is called may be meant too.
        (
            "邱伯远走了。陆砚坐下。陆砚没有动。",
            "邱伯远走了。陆砚坐下。他没有动。",
        ),
        (
            "陆砚坐下。“邱伯远！”陆砚喊。",
            "陆砚坐下。“邱伯远！”陆砚喊。",
        ),
        // The name comes back.
        (
            "陆砚坐下。陆砚起身。陆砚点灯。陆砚喝茶。陆砚看信。陆砚写字。陆砚停笔。",
            "陆砚坐下。他起身。他点灯。他喝茶。他看信。他写字。陆砚停笔。",
        ),
        (
            "陆砚坐下。雨停了。风也停了。门开着。陆砚起身。",
            "陆砚坐下。雨停了。风也停了。门开着。陆砚起身。",
        ),
        (
            "陆砚把信递过去，封上写明收信人叫陆砚。",
            "陆砚把信递过去，封上写明收信人叫陆砚。",
        ),
    ] {
        assert_eq!(zh.in_text(text), told);
    }
}

#[test]
fn in_english_only_a_subject_and_an_owner_change() {
    let en = pronouns(
        Lang::En,
        &[
            ("Ilse", Some(Kind::She)),
            ("Tobias", Some(Kind::He)),
            ("Petra", None),
        ],
    );
    for (text, told) in [
        (
            "Ilse stops. Ilse has counted, and the lamp is on Ilse’s hand.",
            "Ilse stops. She has counted, and the lamp is on her hand.",
        ),
        (
            "Ilse stops, and the wind finds Ilse.",
            "Ilse stops, and the wind finds Ilse.",
        ),
        (
            "Ilse stops. Ilse and Tobias wait.",
            "Ilse stops. Ilse and Tobias wait.",
        ),
        (
            "Ilse and Tobias wait. Ilse looks up.",
            "Ilse and Tobias wait. She looks up.",
        ),
        (
            "Ilse sees Petra. Ilse looks up.",
            "Ilse sees Petra. Ilse looks up.",
        ),
        (
            "Ilsebeth waits. Ilse looks up.",
            "Ilsebeth waits. Ilse looks up.",
        ),
        (
            "Ilse waits. “Ilse?” Ilse, surprised, turns.",
            "Ilse waits. “Ilse?” Ilse, surprised, turns.",
        ),
    ] {
        assert_eq!(en.in_text(text), told);
    }
}

#[test]
fn an_author_says_whom_a_book_is_about() {
    for (text, lang, kind) in [
        ("林晚，女，二十六岁", Lang::Zh, Some(Kind::She)),
        ("林晚，与其他人不同", Lang::Zh, None),
        (
            "Mara Venn, a widow with her own boat",
            Lang::En,
            Some(Kind::She),
        ),
        ("a man and a woman", Lang::En, None),
    ] {
        assert_eq!(Kind::described(text, lang), kind, "{text}");
    }
}

#[test]
fn a_profile_with_one_kind_of_pronoun_says_which() {
    for (profile, lang, kind) in [
        (
            "五十八岁，局长。陆家姐弟都是他招进来的。",
            Lang::Zh,
            Some(Kind::He),
        ),
        ("她的哥哥失踪了，他再没有回来。", Lang::Zh, None),
        ("二十三岁，投递员。", Lang::Zh, None),
        (
            "Took the post when her brother vanished, as far as she knows.",
            Lang::En,
            Some(Kind::She),
        ),
        (
            "The other one is hidden; there is nothing to add.",
            Lang::En,
            None,
        ),
    ] {
        assert_eq!(kind_in(profile, lang), kind, "{profile}");
    }
}
