//! Sentences in which somebody who is dead, away or senseless acts, and sentences that look like it.

use novel_story::check::FindingCode;
use serde_json::json;

use super::{
    book::{Book, Check, chinese},
    english::english,
};

fn codes(book: &Book) -> Vec<FindingCode> {
    book.findings().iter().map(|finding| finding.code).collect()
}

fn chinese_with(words: &str) -> Book {
    let mut book = chinese();
    book.chapter(25).scenes[1] = words.to_owned();
    book
}

fn english_with(words: &str) -> Book {
    let mut book = english();
    book.chapter(20).scenes[1] = words.to_owned();
    book
}

#[test]
fn the_dead_act_in_many_chinese_forms() {
    for words in [
        "陈老也不生气，弯腰把碎瓷片捡了起来。",
        "陈老没有回答，只是把茶杯往前推了推。",
        "陈老不说话，眼睛却一直盯着那扇门。",
        "陈老的剑已经架在那人的脖子上。",
        "谁也没料到陈老会在这时候出现。",
        "众人一齐看向陈老。他耸了耸肩，转身就走。",
        "陆横从陈老手里接过灯笼。",
        "陆横问：“去哪儿？”陈老：“回家。”",
        "今天轮到陈老守夜，院子里静得很。",
        "陈老能听见自己的心跳。",
        "陈老要去找掌柜理论，被陆横拦住了。",
        "陈老背着最重的那口箱子上了山。",
        "陆横一回头，是陈老。",
        "陈老若有所思地看着窗外。",
        "陈老埋头扒饭，吃得满嘴是油。",
        "陈老像一只受惊的猫，一头扎进了屋里。",
        "陈老没走。他点了根烟，半天没吭声。",
        "陈老的车就停在路边，他摇下车窗，按了两声喇叭。",
        "最先开口的是陈老。",
        "一只手搭上她的肩，是陈老。",
        "羊倌陈老甩着鞭子跟在最后。",
        "信是昨天到的，陈老今天才拆开看。",
        "照片掉在地上，陈老弯腰捡了起来。",
        "想起昨天的事，陈老一把推开了门。",
        "在陈老的带领下，众人翻过了山梁。",
        "当着陈老的面，她把合同撕了。",
        "屋里传来陈老的声音。",
    ] {
        assert_eq!(
            codes(&chinese_with(words)),
            [FindingCode::DeadCharacterActs],
            "{words}"
        );
    }
}

#[test]
fn chinese_frames_excuse_the_dead() {
    for words in [
        "陆横按下播放键。录音里，陈老说：“我大概已经不在了。”",
        "监控的画面里陈老推着车走过路口。",
        "他跟着陈老学了十年，这还是头一回独自出门。",
        "墓园很静，陈老就睡在那块青石下面。",
        "陈老右手的袖口正缺那一枚扣子。",
        "高烧中，陆横看见陈老坐在床沿。",
        "广场中央，陈老依旧跃马扬刀，铜铸的披风上落满了鸽子。",
        "“别怕，”陈老摘下斗笠苦笑，“那具尸首不是我。”",
        "陈老静静地躺在棺中。",
        "陆横眼前一花，陈老站在面前，再定睛看时，只有一截枯木。",
        "如今站在台上的本来该是陈老。",
        "陆横翻到那一页，陈老在上面画了一个圈。",
        "陈老的手机在桌上震了一下。",
        "《陈老传》写到第三回便断了。",
        "凶手交代，陈老一进门就被他打晕了。",
        "陆横小的时候，陈老常把她扛在肩上看戏。",
        "陈老师推门进来，把书往讲台上一放。",
        "陈老修了一半的车还停在院子里。",
        "陈老走了以后，院子一直空着。",
        "陆横总觉得陈老就站在身后。",
        "陈老再也不会回来了。他握紧了拳头。",
        "陈老被推进了火化炉。",
        "陈老没有回来，只留下一封信。",
        "陈老静坐，万籁无声。陆横吟完这一句，自己先笑了。",
    ] {
        assert_eq!(codes(&chinese_with(words)), [], "{words}");
    }
}

#[test]
fn the_dead_act_in_many_english_forms() {
    for words in [
        "Everyone looked at Old Chen. He shrugged and picked up the cards.",
        "When she had read it she passed it to Old Chen, who folded it twice.",
        "It was Old Chen who finally lost his temper and kicked the stove.",
        "It was Old Chen, back from the market with a basket.",
        "Old Chen had got there first, and was already counting the crates.",
        "Mara reached for the letter, but Old Chen snatched it away.",
        "Mara danced with Old Chen until the band packed up.",
        "Mara was returned to her chair by Old Chen.",
        "Mara kissed Old Chen, and he blushed.",
        "The children filed in, Old Chen bringing up the rear.",
        "Out through the gap leapt Old Chen with a yell.",
        "In came the boy, and the stranger took off his hat and turned out to be Old Chen.",
        "Mara followed Old Chen across the yard.",
        "Old Chen nearly fell, but Mara caught his arm.",
        "Mara came closer and saw Old Chen bent over the engine.",
        "Only twice did Old Chen complain.",
        "Mara reached for the kettle, but Old Chen was quicker, and he poured.",
        "Old Chen kept her waiting for an hour.",
        "Old Chen didn't answer; he went on whittling.",
        "Old Chen must have heard them, for he opened the door at once.",
        "The first to move was Old Chen, who caught her sleeve.",
        "There was Old Chen, asleep in the armchair.",
        "It took Old Chen three tries to light the lamp.",
        "No sooner had Mara spoken than Old Chen was on his feet.",
        "Old Chen has been standing there for an hour.",
        "Old Chen gave a short laugh.",
        "Old Chen began to whistle.",
        "Not until the bell had stopped did Old Chen look up.",
        "Old Chen had come in quietly and was standing behind her chair.",
        "By the time she had the fire lit Old Chen was asleep in his wet clothes.",
        "Everybody rose except Old Chen, who went on eating.",
        "As for Old Chen, he was under the table, looking for his teeth.",
        "What woke her was Old Chen whistling in the yard.",
        "If Old Chen minded, he gave no sign of it.",
        "It was only then that Old Chen put down his fork.",
        "Her elbow caught Old Chen in the ribs, and he yelped.",
        "Old Chen will not let go of the rope; his knuckles are white and he is singing.",
        "From the hayloft came the sound of Old Chen sneezing.",
        "\"Old Chen?\" Mara called.\n\n\"In the bath,\" he called back.",
    ] {
        assert_eq!(
            codes(&english_with(words)),
            [FindingCode::DeadCharacterActs],
            "{words}"
        );
    }
}

#[test]
fn english_frames_excuse_the_dead() {
    for words in [
        "Mara played the tape again. On it, Old Chen said he was sorry.",
        "According to the watchman, Old Chen drank.",
        "Old Chen smiled up at her from the silver frame.",
        "When she was nine, Old Chen put her on a horse.",
        "In her fever Old Chen came and went.",
        "Old Chen signed the treaty in this very room, the guide explained.",
        "The day Old Chen came to town, the mill burned.",
        "Mara knew where Old Chen hid the money.",
        "Old Chen always sat by the window.",
        "The puppet Old Chen hit the puppet sheriff with a stick.",
        "\"I'm not dead,\" said a voice, and Old Chen stepped out of the fog.",
        "Mara heard again how Old Chen held the bridge alone.",
        "Mara could almost hear Old Chen laugh.",
        "Everyone looked down at Old Chen. He looked peaceful.",
        "Nobody spoke of Old Chen. He lit a cigarette and waited.",
        "Old Chen never came back. He waited another hour.",
        "Old Chen was dead, and he was not coming back.",
        "Old Chen kept bees and sold the honey.",
        "It took Old Chen a month to die.",
        "Nor did Old Chen come.",
        "The bench Old Chen built stood under the pear tree.",
        "In his son's laugh she heard Old Chen laughing.",
        "The baby frowned, and Old Chen frowned out of the small red face.",
        "She told them the lie smoothly: Old Chen was alive, Old Chen was hiding in the hills.",
        "They found Old Chen face down in the reeds.",
        "The mural covered the gable end. Old Chen, twelve feet high, held out a loaf.",
        "Old Chen went into the ground at noon.",
        "The record stuck, and Old Chen sang the same three words over and over.",
        "Old Chen ran them up the ridge every morning.",
        "\"Old Chen,\" she said to the stone.\n\n\"Who are you talking to?\" he asked.",
    ] {
        assert_eq!(codes(&english_with(words)), [], "{words}");
    }
}

#[test]
fn a_name_with_an_article_stands_inside_a_sentence() {
    let mut book = english_with("Twenty feet off, the Magpie tossed the watch in the air.");
    book.files.push((
        "characters/active/magpie.json".into(),
        json!({"display_name": "The Magpie", "aliases": []}),
    ));
    book.chapter(10)
        .ops
        .push(json!({"op": "set", "path": "characters.magpie.status", "value": "dead"}));
    assert_eq!(codes(&book), [FindingCode::DeadCharacterActs]);
}

#[test]
fn who_is_away_is_found_beside_somebody_an_act_is_done_to() {
    let away = |status: &str, words: &str| {
        let mut book = chinese_with(words);
        book.chapter(20)
            .ops
            .push(json!({"op": "set", "path": "characters.lu-heng.status", "value": status}));
        book
    };
    for status in ["失踪", "不知所踪", "云游未归"] {
        let book = away(status, "陆横走到林枫身边，替他撑开伞。");
        assert_eq!(codes(&book), [FindingCode::AbsentCharacterActs], "{status}");
    }
    for words in [
        "陆横想起林枫，叹了口气。",
        "陆横修了一半的伞还放在林枫门口。",
    ] {
        assert_eq!(codes(&away("失踪", words)), [], "{words}");
    }
}

#[test]
fn who_is_recorded_elsewhere_is_not_among_others() {
    const WORDS: &str = "顾砚在廊下煮茶，陆横坐在他对面，把凉了的那盏泼进了花盆。";
    let met = |mine: &str, theirs: &str, since: u32, words: &str| {
        let mut book = chinese_with(words);
        for (id, place) in [("lu-heng", mine), ("gu-yan", theirs)] {
            let path = format!("characters.{id}.location");
            let op = json!({"op": "set", "path": path, "value": place});
            book.chapter(since).ops.push(op);
        }
        codes(&book)
    };
    let found = [FindingCode::AbsentCharacterActs];
    assert_eq!(met("北疆大营", "京城顾府", 24, WORDS), found);
    assert_eq!(met("被锁在地窖里", "前厅", 24, WORDS), found);
    // Who is locked up stays; who is not has had chapters to come, or only rooms to cross.
    assert_eq!(met("被锁在地窖里", "前厅", 18, WORDS), found);
    assert_eq!(met("北疆大营", "京城顾府", 18, WORDS), []);
    assert_eq!(met("书房", "厨房", 24, WORDS), []);
    for words in [
        "陆横连夜赶到京城，顾砚替他斟了一杯热茶。",
        "顾砚把信又看了一遍。陆横说北边的月亮大得像要砸下来。",
        "顾砚给陆横摆了一副碗筷，自己先喝了一杯。",
    ] {
        assert_eq!(met("北疆大营", "京城顾府", 24, words), [], "{words}");
    }
}

#[test]
fn the_world_around_a_sentence_leaves_the_dead_in_it() {
    for words in [
        "陆横又做了那个梦。陈老蹲在灶前添柴，回头冲他笑。",
        "陈老蹲在灶前添柴，冲陆横招手。陆横猛地坐起来，一身冷汗。",
        "陆横翻到相册最后一页。陈老戴着草帽，背后是刚通车的大桥。",
        "陆横拆开那封迟到半年的信。陈老在第一行写道：“外面正下雪。”",
        "几个老兵说着陈老。陈老爱偷酒，陈老睡觉打呼，陈老挡在最前头。",
        "审讯室里，嫌疑人翻来覆去就那几句：陈老先动的手，陈老夺了他的刀。",
        "陈老把最后半块饼掰给了陆横。那是陆横最后一次见到他。",
        "陈老替陆横挡了一刀，倒下去就再没起来。",
        "事情要从去年秋天说起。陈老从码头上领回来一个哑巴。",
        "陈老终究没有看到这一天。",
        "陈老二号缓缓驶出船坞。",
    ] {
        assert_eq!(codes(&chinese_with(words)), [], "{words}");
    }
}

#[test]
fn who_is_away_acts_in_english_where_they_cannot_be() {
    let away = |words: &str| {
        let mut book = english_with(words);
        book.chapter(10)
            .ops
            .retain(|op| op["path"] != "characters.old-chen.status");
        book.chapter(10).ops.push(
            json!({"op": "set", "path": "characters.old-chen.status", "value": "in prison in Leeds"}),
        );
        codes(&book)
    };
    for words in [
        "Mara dealt, and Old Chen picked up his cards.",
        "I poured, and Old Chen drank.",
        "\"Late again,\" said Mara.\n\n\"No later than you,\" Old Chen answered.",
    ] {
        assert_eq!(away(words), [FindingCode::AbsentCharacterActs], "{words}");
    }
    for words in [
        "Old Chen turned the page and yawned.",
        "Mara waited. In Leeds Old Chen turned the page and yawned.",
        "Mara sat down, and behind the bars Old Chen lit a cigarette.",
        "Mara picked up the telephone, and Old Chen said hello.",
        "Mara opened the door, and Old Chen, released that morning, came in.",
    ] {
        assert_eq!(away(words), [], "{words}");
    }
}

#[test]
fn sentences_cut_short_are_read_to_their_end() {
    for words in [
        "Of Old Chen singing",
        "Out Old Chen",
        "“Old Chen? É”\n\n“İ,” he said.",
        "Old Chen é't",
        "Old Chen had the",
        "Old Chen’s",
        "was Old Chen,",
    ] {
        let _: Vec<FindingCode> = codes(&english_with(words));
    }
}

#[test]
fn the_senseless_act_only_once_they_wake() {
    let found_in = |words: &str| {
        let mut book = chinese_with(words);
        for (chapter, status) in [(24, "昏迷"), (26, "正常")] {
            let op = json!({"op": "set", "path": "characters.lu-heng.status", "value": status});
            book.chapter(chapter).ops.push(op);
        }
        let found = book.findings();
        found
            .iter()
            .filter(|finding| words.contains(&finding.place.quotation))
            .map(|finding| finding.code)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        found_in("陆横扛起梯子，往东边走。"),
        [FindingCode::AbsentCharacterActs]
    );
    for words in ["陆横呻吟了一声。", "陆横醒了。\n\n陆横扛起梯子，往东边走。"]
    {
        assert_eq!(found_in(words), [], "{words}");
    }
}
