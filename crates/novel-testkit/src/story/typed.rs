//! Claims, things, bodies, ages, families, promises and contracts: planted faults and hard negatives.

use serde_json::{Value, json};

use super::cases::{Case, set};

/// Adds every case.
pub(super) fn cases(all: &mut Vec<Case>) {
    things(all);
    bodies(all);
    people(all);
}

fn claim(subject: &str, slot: &str, value: &Value, frame: &str, evidence: &str) -> Value {
    json!({"subject": subject, "slot": slot, "value": value, "frame": frame, "evidence": evidence})
}

impl Case {
    #[expect(clippy::too_many_arguments, reason = "a case is written on a line")]
    fn claimed(
        kind: &'static str,
        language: &'static str,
        record: Vec<Value>,
        text: &str,
        subject: &str,
        slot: &str,
        value: Value,
        frame: &str,
        contradicts: bool,
    ) -> Self {
        Self {
            claims: vec![claim(subject, slot, &value, frame, text)],
            ..Self::prose(kind, language, record, text, contradicts)
        }
    }

    fn moved(mut self, own: Vec<Value>) -> Self {
        self.own = own;
        self
    }
}

fn things(all: &mut Vec<Case>) {
    let broken = || {
        vec![
            set("items.sword.display_name", json!("青锋剑")),
            set("items.sword.status", json!("断成两截")),
        ]
    };
    let held = || {
        vec![
            set("items.sword.display_name", json!("青锋剑")),
            set("items.sword.holder", json!("su-wan")),
        ]
    };
    let counted = || {
        vec![
            set("items.pill.display_name", json!("回春丹")),
            set("items.pill.count", json!(2)),
        ]
    };
    let given = || {
        vec![
            json!({"op": "add", "path": "characters.lin-feng.inventory", "value": "青玉佩"}),
            json!({"op": "remove", "path": "characters.lin-feng.inventory", "value": "青玉佩"}),
        ]
    };
    for text in [
        "林枫拔出青锋剑，迎了上去。",
        "林枫握紧青锋剑，一步步走下台阶。",
        "夜里，林枫把青锋剑横在膝上，慢慢擦拭。",
        "林枫将青锋剑往地上一插。",
        "林枫举起青锋剑，指向来人。",
        "林枫站起身。他抽出青锋剑，剑光一闪。",
        "只见林枫手持青锋剑，立在桥头。",
        "林枫背着青锋剑，走进了客栈。",
    ] {
        all.push(Case::prose("thing", "zh", broken(), text, true));
        all.push(Case::prose("thing", "zh", held(), text, true));
    }
    for text in [
        "林枫望着断成两截的青锋剑，久久无言。",
        "林枫想起那柄青锋剑。",
        "“青锋剑呢？”林枫问。",
        "如果青锋剑还在，林枫不会退这一步。",
        "林枫没有青锋剑，只好空手迎敌。",
        "苏晚说起青锋剑的来历。",
        "林枫打听青锋剑的下落。",
        "林枫曾用青锋剑斩过一头狼。",
    ] {
        all.push(Case::prose("thing", "zh", broken(), text, false));
        all.push(Case::prose("thing", "zh", held(), text, false));
    }
    for text in ["苏晚拔出青锋剑。", "苏晚把青锋剑放在桌上。"] {
        all.push(Case::prose("thing", "zh", held(), text, false));
    }
    for (text, bad) in [
        ("林枫取出五枚回春丹，分给众人。", true),
        ("林枫服下三枚回春丹。", true),
        ("林枫取出一枚回春丹。", false),
        ("林枫取出两枚回春丹，分给众人。", false),
    ] {
        all.push(Case::prose("count", "zh", counted(), text, bad));
    }
    for (text, bad) in [
        ("林枫从怀里摸出那枚青玉佩。", true),
        ("林枫把青玉佩系在腰间。", true),
        ("林枫捏着青玉佩，出了神。", true),
        ("苏晚把青玉佩系在腰间。", false),
        ("林枫想着那枚青玉佩。", false),
    ] {
        all.push(Case::prose("thing", "zh", given(), text, bad));
    }
    let key = || {
        vec![
            json!({"op": "add", "path": "characters.mara.inventory", "value": "brass key"}),
            json!({"op": "remove", "path": "characters.mara.inventory", "value": "brass key"}),
        ]
    };
    let torn = || {
        vec![
            set("items.map.display_name", json!("sea chart")),
            set("items.map.condition", json!("burned")),
        ]
    };
    for text in [
        "Mara took the brass key from her pocket.",
        "Mara turned the brass key in the lock.",
        "At midnight Mara slid the brass key into the door.",
        "Mara held up the brass key.",
        "Mara stopped. She fitted the brass key to the lock.",
    ] {
        all.push(Case::prose("thing", "en", key(), text, true));
    }
    for text in [
        "Mara missed the brass key.",
        "Mara wished she still had the brass key.",
        "\"Where is the brass key?\" Mara asked.",
        "Tobias took the brass key from his pocket.",
        "Mara remembered the brass key.",
    ] {
        all.push(Case::prose("thing", "en", key(), text, false));
    }
    for (text, bad) in [
        ("Mara unrolled the sea chart on the table.", true),
        ("Tobias spread his hands; Mara opened the sea chart.", true),
        ("Mara mourned the sea chart.", false),
        ("Mara had burned the sea chart.", false),
    ] {
        all.push(Case::prose("thing", "en", torn(), text, bad));
    }
    // Claims.
    for (value, bad) in [
        (json!("青锋剑"), true),
        (json!({"item": "青锋剑"}), true),
        (json!("木剑"), false),
    ] {
        all.push(Case::claimed(
            "claim thing",
            "zh",
            broken(),
            "林枫的手一直按在剑柄上。",
            "lin-feng",
            "holds",
            value.clone(),
            "now",
            bad,
        ));
        all.push(Case::claimed(
            "claim thing",
            "zh",
            held(),
            "林枫的手一直按在剑柄上。",
            "lin-feng",
            "holds",
            value.clone(),
            "now",
            bad,
        ));
        all.push(Case::claimed(
            "claim thing",
            "zh",
            held(),
            "林枫的手一直按在剑柄上。",
            "lin-feng",
            "holds",
            value,
            "past",
            false,
        ));
    }
    all.push(Case::claimed(
        "claim thing",
        "zh",
        held(),
        "苏晚的手一直按在剑柄上。",
        "su-wan",
        "holds",
        json!("青锋剑"),
        "now",
        false,
    ));
    all.push(Case::claimed(
        "claim thing",
        "zh",
        given(),
        "那枚玉佩还在林枫怀里。",
        "林枫",
        "holds",
        json!("青玉佩"),
        "now",
        true,
    ));
    all.push(Case::claimed(
        "claim thing",
        "en",
        key(),
        "Something cold lay in Mara's pocket.",
        "mara",
        "holds",
        json!("the brass key"),
        "now",
        true,
    ));
    all.push(Case::claimed(
        "claim thing",
        "en",
        key(),
        "Something cold lay in Mara's pocket.",
        "mara",
        "holds",
        json!("a lantern"),
        "now",
        false,
    ));
    let dagger =
        || vec![json!({"op": "add", "path": "characters.su-wan.inventory", "value": "寒铁匕首"})];
    all.push(Case::claimed(
        "claim thing",
        "zh",
        dagger(),
        "林枫反手一刺，血溅了一地。",
        "lin-feng",
        "holds",
        json!("寒铁匕首"),
        "now",
        true,
    ));
    all.push(Case::claimed(
        "claim thing",
        "zh",
        dagger(),
        "苏晚反手一刺，血溅了一地。",
        "su-wan",
        "holds",
        json!("寒铁匕首"),
        "now",
        false,
    ));
    for (told, bad) in [
        ("五枚回春丹", true),
        ("两枚回春丹", false),
        ("三枚回春丹", true),
        ("回春丹", false),
    ] {
        all.push(Case::claimed(
            "claim count",
            "zh",
            counted(),
            "林枫晃了晃瓷瓶，听见里面的响声。",
            "lin-feng",
            "holds",
            json!(told),
            "now",
            bad,
        ));
    }
    for (told, bad) in [
        (json!(5), true),
        (json!("2"), false),
        (json!("三"), true),
        (json!(2), false),
    ] {
        all.push(Case::claimed(
            "claim count",
            "zh",
            counted(),
            "瓷瓶里的丹药滚了滚。",
            "pill",
            "count",
            told,
            "now",
            bad,
        ));
    }
}

fn bodies(all: &mut Vec<Case>) {
    let arm = || vec![set("characters.lin-feng.injuries", json!("失去左臂"))];
    let eyes = || vec![set("characters.lin-feng.body", json!("双目失明"))];
    let mute = || vec![set("characters.lin-feng.body", json!("哑了"))];
    for text in [
        "林枫左手一翻，扣住了对方的手腕。",
        "林枫双手抱拳，深深一揖。",
        "林枫用左手端起茶碗。",
        "林枫张开双臂，拦在门前。",
    ] {
        all.push(Case::prose("body", "zh", arm(), text, true));
        all.push(Case::prose("body", "zh", eyes(), text, false));
    }
    for text in [
        "林枫右手一翻，扣住了对方的手腕。",
        "林枫左边的袖子空荡荡的。",
        "林枫想起自己还有左手的时候。",
        "苏晚左手一翻，扣住了林枫的手腕。",
        "“你的左手呢？”林枫没有回答。",
    ] {
        all.push(Case::prose("body", "zh", arm(), text, false));
    }
    for (text, bad) in [
        ("林枫看见远处有火光。", true),
        ("林枫盯着那封信，一字一字地读。", true),
        ("林枫的目光扫过众人。", true),
        ("林枫侧耳听着雨声。", false),
        ("苏晚看见林枫坐在灯下。", false),
    ] {
        all.push(Case::prose("body", "zh", eyes(), text, bad));
    }
    for (text, bad) in [
        ("林枫低声说道：“走。”", true),
        ("“走。”林枫喊道。", true),
        ("林枫比划了两下。", false),
        ("林枫在纸上写下两个字。", false),
    ] {
        all.push(Case::prose("body", "zh", mute(), text, bad));
    }
    let hand = || vec![set("characters.mara.injury", json!("lost her left hand"))];
    let blind = || vec![set("characters.mara.body", json!("blind"))];
    for (text, bad) in [
        ("Mara caught the rope with her left hand.", true),
        ("Mara lifted the crate in both hands.", true),
        ("With her right hand Mara caught the rope.", false),
        ("Mara's left sleeve was pinned up.", false),
        ("Tobias caught the rope with his left hand.", false),
        ("Mara remembered having a left hand.", false),
    ] {
        all.push(Case::prose("body", "en", hand(), text, bad));
    }
    for (text, bad) in [
        ("Mara looked at the lamp and frowned.", true),
        ("Mara stared at the letter.", true),
        ("Mara listened to the rain.", false),
        ("Tobias looked at Mara.", false),
    ] {
        all.push(Case::prose("body", "en", blind(), text, bad));
    }
    all.push(Case::claimed(
        "claim body",
        "zh",
        arm(),
        "林枫把刀换了一只手。",
        "lin-feng",
        "body",
        json!("左手持刀"),
        "now",
        true,
    ));
    all.push(Case::claimed(
        "claim body",
        "zh",
        arm(),
        "林枫把刀换了一只手。",
        "lin-feng",
        "body",
        json!("右手持刀"),
        "now",
        false,
    ));
    all.push(Case::claimed(
        "claim body",
        "zh",
        arm(),
        "林枫把刀换了一只手。",
        "lin-feng",
        "body",
        json!("双手完好"),
        "now",
        true,
    ));
    all.push(Case::claimed(
        "claim body",
        "en",
        hand(),
        "Mara shifted her grip on the tiller.",
        "mara",
        "body",
        json!("steers with both hands"),
        "now",
        true,
    ));
    all.push(Case::claimed(
        "claim body",
        "en",
        hand(),
        "Mara shifted her grip on the tiller.",
        "mara",
        "body",
        json!("left hand missing"),
        "now",
        false,
    ));
}

fn people(all: &mut Vec<Case>) {
    let at = |place: &str| {
        vec![
            set("characters.lin-feng.location", json!(place)),
            set("world_state.time_marker", json!("第3天")),
        ]
    };
    let here = "他推开窗，外面的声音一下子涌了进来。";
    for (known, told, bad) in [
        ("临安", "雁门关", true),
        ("临安", "听雨楼", false),
        ("听雨楼", "临安城", false),
        ("泉州港", "临安", true),
        ("linan", "雁门关", true),
        ("听雨楼", "泉州港", true),
        ("临安", "临安", false),
    ] {
        all.push(Case::claimed(
            "claim place",
            "zh",
            at(known),
            here,
            "lin-feng",
            "place",
            json!(told),
            "now",
            bad,
        ));
        all.push(Case::claimed(
            "claim place",
            "zh",
            at(known),
            here,
            "lin-feng",
            "place",
            json!(told),
            "reported",
            false,
        ));
        all.push(Case::claimed(
            "claim place",
            "zh",
            at(known),
            here,
            "林枫",
            "location",
            json!(told),
            "now",
            bad,
        ));
    }
    all.push(
        Case::claimed(
            "claim place",
            "zh",
            at("临安"),
            here,
            "lin-feng",
            "place",
            json!("泉州港"),
            "now",
            false,
        )
        .moved(vec![
            set("characters.lin-feng.location", json!("泉州港")),
            set("world_state.time_marker", json!("第9天")),
        ]),
    );
    let goes = |to: &str, day: u32| {
        vec![
            set("characters.lin-feng.location", json!(to)),
            set("world_state.time_marker", json!(format!("第{day}天"))),
        ]
    };
    for (to, day, bad) in [
        ("雁门关", 4, true),
        ("雁门关", 14, false),
        ("泉州港", 4, true),
        ("泉州港", 7, false),
        ("听雨楼", 3, false),
        ("雁门关", 3, true),
    ] {
        all.push(Case::prose("travel", "zh", at("临安"), here, bad).moved(goes(to, day)));
    }
    let age = |value: Value| {
        vec![
            set("characters.lin-feng.age", value),
            set("world_state.time_marker", json!("第三年冬")),
        ]
    };
    for (text, bad) in [
        ("二十四岁的林枫站在船头。", true),
        ("林枫今年十六岁。", true),
        ("十九岁的林枫站在船头。", false),
        ("那年十六岁的林枫还不懂事。", false),
        ("林枫今年二十岁。", false),
    ] {
        all.push(Case::prose("age", "zh", age(json!("十九岁")), text, bad));
    }
    for (told, bad) in [
        (json!(25), true),
        (json!("十九"), false),
        (json!("十七岁"), true),
        (json!(19), false),
    ] {
        all.push(Case::claimed(
            "claim age",
            "zh",
            age(json!(19)),
            here,
            "lin-feng",
            "age",
            told,
            "now",
            bad,
        ));
    }
    for (text, bad) in [
        ("Mara was thirty years old.", true),
        ("Mara, nineteen, stood at the rail.", false),
        ("Twelve-year-old Mara stood at the rail.", true),
    ] {
        all.push(Case::prose(
            "age",
            "en",
            vec![set("characters.mara.age", json!(19))],
            text,
            bad,
        ));
    }
    let kin = || {
        vec![
            set("characters.lin-feng.father", json!("陈老")),
            set("characters.su-wan.father", json!("陈老")),
        ]
    };
    for (text, bad) in [
        ("顾砚是林枫的父亲。", true),
        ("林枫的父亲顾砚走了进来。", true),
        ("陈老是林枫的父亲。", false),
        ("苏晚是林枫的妹妹。", false),
        ("苏晚是林枫的母亲。", true),
        ("林枫是陈老的哥哥。", true),
    ] {
        all.push(Case::prose("kinship", "zh", kin(), text, bad));
    }
    for (value, bad) in [
        (json!("陈老的儿子"), false),
        (json!({"父亲": "顾砚"}), true),
        (json!({"of": "苏晚", "relation": "哥哥"}), false),
    ] {
        all.push(Case::claimed(
            "claim kinship",
            "zh",
            kin(),
            here,
            "lin-feng",
            "kinship",
            value,
            "now",
            bad,
        ));
    }
    let stand = || {
        vec![
            set("characters.lin-feng.relationships.gu-yan", json!(-80)),
            set("characters.lin-feng.relationships.su-wan", json!("盟友")),
        ]
    };
    for (value, bad) in [
        (json!({"with": "顾砚", "value": "挚友"}), true),
        (json!({"gu-yan": "死敌"}), false),
        (json!("苏晚的敌人"), true),
        (json!("苏晚：朋友"), false),
    ] {
        all.push(Case::claimed(
            "claim relation",
            "zh",
            stand(),
            here,
            "lin-feng",
            "relation",
            value,
            "now",
            bad,
        ));
    }
    for (who, what, bad) in [
        ("su-wan", "S-1", true),
        ("chen-lao", "S-1", false),
        ("lin-feng", "掌柜是前朝太子", true),
        ("su-wan", "船在北边", false),
    ] {
        all.push(Case::claimed(
            "claim knows",
            "zh",
            vec![set("characters.su-wan.location", json!("临安"))],
            here,
            who,
            "knows",
            json!(what),
            "now",
            bad,
        ));
    }
    for (told, bad) in [
        ("筑基", true),
        ("金丹期", false),
        ("金丹初期", false),
        ("元婴", true),
    ] {
        all.push(Case::claimed(
            "claim rank",
            "zh",
            vec![set("characters.lin-feng.realm", json!("金丹期"))],
            here,
            "lin-feng",
            "rank",
            json!(told),
            "now",
            bad,
        ));
    }
    for (told, bad) in [
        ("第2天", true),
        ("第3天", false),
        ("第 1 天 夜", true),
        ("第5天清晨", false),
    ] {
        all.push(Case::claimed(
            "claim day",
            "zh",
            at("临安"),
            here,
            "lin-feng",
            "day",
            json!(told),
            "now",
            bad,
        ));
    }
    for (subject, slot, value, bad) in [
        ("chen-lao", "alive", json!(true), true),
        ("chen-lao", "holds", json!("拐杖"), true),
        ("chen-lao", "alive", json!("dead"), false),
        ("lin-feng", "alive", json!(true), false),
    ] {
        all.push(Case::claimed(
            "claim alive",
            "zh",
            vec![set("characters.chen-lao.status", json!("病故"))],
            here,
            subject,
            slot,
            value,
            "now",
            bad,
        ));
    }
}
