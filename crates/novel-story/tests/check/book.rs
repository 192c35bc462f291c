//! A book of forty chapters that can be changed before it is written down.

use novel_book::config::Config;
use novel_model::{BookReader, ChapterNo, VolumeNo};
use novel_story::check::{CheckInput, Finding, check_chapter, check_range};
pub(crate) use novel_testkit::story::{Book, Chapter, no};
use serde_json::{Value, json};

pub(crate) const CHAPTERS: u32 = 40;
pub(crate) const PER_VOLUME: u32 = 20;

/// What the checker finds in a book of the fixture.
pub(crate) trait Check {
    /// What a check of a chapter finds at its commit, with and without a replay.
    fn at_commit(&self, chapter: ChapterNo) -> Vec<Finding>;

    /// Everything the checker finds in the whole book.
    fn findings(&self) -> Vec<Finding>;

    /// The only thing the checker finds; a check of its chapter alone finds the same.
    fn finding(&self) -> Finding;
}

impl Check for Book {
    fn at_commit(&self, chapter: ChapterNo) -> Vec<Finding> {
        let ((files, _), config) = (self.write_to(chapter.get()), self.config());
        let found = one(&files, &config, chapter);
        let range = check_range(&files, &config, [(chapter, volume(chapter))]).unwrap();
        let replayed: Vec<Finding> = range.flat_map(|(_, findings)| findings.unwrap()).collect();
        assert_eq!(found, replayed, "chapter {chapter}");
        found
    }

    fn findings(&self) -> Vec<Finding> {
        all(&self.write(), &self.config())
    }

    fn finding(&self) -> Finding {
        let (files, config) = (self.write(), self.config());
        let mut found = all(&files, &config);
        assert_eq!(found.len(), 1, "{found:#?}");
        let only = found.remove(0);
        assert_eq!(
            one(&files, &config, only.chapter),
            std::slice::from_ref(&only)
        );
        let at_commit = self.at_commit(only.chapter);
        assert_eq!(at_commit.len(), 1, "{at_commit:#?}");
        assert_eq!(at_commit[0].fingerprint, only.fingerprint);
        only
    }
}

pub(crate) fn all(reader: &dyn BookReader, config: &Config) -> Vec<Finding> {
    let chapters = (1..=CHAPTERS).map(|number| (no(number), volume(no(number))));
    check_range(reader, config, chapters)
        .unwrap()
        .flat_map(|(_, findings)| findings.unwrap())
        .collect()
}

pub(crate) fn one(reader: &dyn BookReader, config: &Config, chapter: ChapterNo) -> Vec<Finding> {
    check_chapter(CheckInput {
        reader,
        config,
        chapter,
        volume: volume(chapter),
    })
    .unwrap()
}

pub(crate) fn volume(chapter: ChapterNo) -> VolumeNo {
    VolumeNo::new((chapter.get() - 1) / PER_VOLUME + 1).unwrap()
}

fn main_line(number: u32) -> bool {
    number % 4 != 3
}

/// A clean book in Chinese: two storylines, one death, one farewell, one gift, four foreshadowings.
pub(crate) fn chinese() -> Book {
    let chapters = (1..=CHAPTERS).map(chinese_chapter).collect();
    let character =
        |name: &str, aliases: &[&str]| json!({"display_name": name, "aliases": aliases});
    let mut retired = character("赵四", &["四叔"]);
    retired["retired_chapter"] = json!(15);
    let schedule = |first: u32, last: u32| {
        json!({"active_storylines": [{"storyline_id": "main-arc"}, {"storyline_id": "jinghai-plan"}],
               "convergence_events": [{"chapter_range": [first, last],
                                       "involved_storylines": ["main-arc", "jinghai-plan"]}]})
    };
    let storylines = json!({
        "storylines": [
            {"id": "main-arc", "name": "主线", "pov_characters": ["lin-feng"]},
            {"id": "jinghai-plan", "name": "靖海", "pov_characters": ["苏晚"]}],
        "relationships": [{"from": "main-arc", "to": "jinghai-plan",
                           "bridges": {"shared_characters": ["陆横"]}}]});
    Book {
        language: "zh-CN",
        per_volume: Some(PER_VOLUME),
        chapters,
        plan: json!({"foreshadowing": [
            {"id": "ancient_prophecy", "description": "石碑上的预言", "scope": "long", "target_resolve_range": [30, 40]},
            {"id": "broken_seal", "description": "缺了一角的官印", "scope": "short", "target_resolve_range": [10, 14]},
            {"id": "red_lantern", "description": "渡口的红灯笼", "scope": "short", "target_resolve_range": [24, 30]},
            {"id": "old_debt", "description": "十年前的旧债", "scope": "medium", "target_resolve_range": [20, 26]}]}),
        files: vec![
            (
                "characters/active/lin-feng.json".into(),
                character("林枫", &["小枫"]),
            ),
            (
                "characters/active/chen-lao.json".into(),
                character("陈老", &["陈伯"]),
            ),
            (
                "characters/active/su-wan.json".into(),
                character("苏晚", &[]),
            ),
            (
                "characters/active/gu-yan.json".into(),
                character("顾砚", &["顾先生"]),
            ),
            (
                "characters/active/lu-heng.json".into(),
                character("陆横", &[]),
            ),
            ("characters/retired/zhao-si.json".into(), retired),
            ("storylines/storylines.json".into(), storylines),
            (
                "volumes/vol-01/storyline-schedule.json".into(),
                schedule(18, 20),
            ),
            (
                "volumes/vol-02/storyline-schedule.json".into(),
                schedule(38, 40),
            ),
        ],
    }
}

const PLACES: [&str; 5] = ["东海码头", "旧书铺", "城隍庙", "听雨楼", "北门驿"];

pub(crate) fn place(number: u32) -> &'static str {
    PLACES[number as usize % PLACES.len()]
}

fn chinese_chapter(number: u32) -> Chapter {
    let main = main_line(number);
    let (id, hero, line) = if main {
        ("lin-feng", "林枫", "main-arc")
    } else {
        ("su-wan", "苏晚", "jinghai-plan")
    };
    let previous = (1..number).rev().find(|other| main_line(*other) == main);
    let seasons = ["春", "夏", "秋", "冬"];
    let (year, season) = ((number - 1) / 8, seasons[(number as usize - 1) / 2 % 4]);
    let year = ["一", "二", "三", "四", "五"][year as usize];
    let mut ops = vec![
        json!({"op": "set", "path": format!("characters.{id}.display_name"), "value": hero}),
        json!({"op": "set", "path": format!("characters.{id}.location"), "value": place(number)}),
        json!({"op": "set", "path": format!("characters.{id}.emotional_state"), "value": "平静"}),
        json!({"op": "set", "path": "world_state.time_marker", "value": format!("第{year}年{season}")}),
    ];
    let mut updates = json!({});
    for (at, action) in foreshadowing(number) {
        ops.push(json!({"op": "foreshadow", "path": at, "value": action}));
        updates[at] = json!(action);
    }
    ops.extend(events(number));
    let mut before = json!({});
    before[hero] = match previous {
        Some(previous) => json!({"location": place(previous), "emotional_state": "不安"}),
        None => json!({}),
    };
    let mut after = json!({});
    after[hero] = json!({"location": place(number), "emotional_state": "坚定"});
    let contract = json!({
        "chapter": number, "storyline_id": line,
        "storyline_context": {"concurrent_state": {"main-arc": "林枫在查官印", "jinghai-plan": "苏晚与顾砚追查走私船"}},
        "preconditions": {"character_states": before},
        "objectives": [{"id": format!("OBJ-{number}-1"), "required": true, "description": "查清信的来历"}],
        "postconditions": {"state_changes": after, "foreshadowing_updates": updates}});
    let unknown = match number {
        // A place may come up as often as it likes, a passer-by twice.
        5 | 13 | 21 | 30 => vec![json!({"mention": "鬼市", "suggested_type": "location"})],
        6 | 22 => vec![json!({"mention": "胡三娘", "suggested_type": "character"})],
        _ => vec![],
    };
    Chapter {
        line: line.to_owned(),
        scenes: if main {
            main_scenes(number)
        } else {
            second_scenes(number)
        },
        ops,
        contract,
        unknown,
        ..Chapter::default()
    }
}

fn foreshadowing(number: u32) -> Vec<(&'static str, &'static str)> {
    match number {
        1 => vec![("ancient_prophecy", "planted")],
        2 => vec![("broken_seal", "planted")],
        6 => vec![("broken_seal", "advanced"), ("old_debt", "planted")],
        14 => vec![("broken_seal", "resolved")],
        21 => vec![("red_lantern", "planted")],
        26 => vec![("old_debt", "resolved")],
        29 => vec![
            ("red_lantern", "resolved"),
            ("ancient_prophecy", "advanced"),
        ],
        40 => vec![("ancient_prophecy", "resolved")],
        _ => vec![],
    }
}

/// The jade goes from 林枫 to 陆横 in chapter 8; 陈老 dies in chapter 12.
fn events(number: u32) -> Vec<Value> {
    match number {
        1 => vec![
            json!({"op": "set", "path": "characters.chen-lao.display_name", "value": "陈老"}),
            json!({"op": "set", "path": "characters.chen-lao.status", "value": "健在"}),
            json!({"op": "add", "path": "characters.lin-feng.inventory", "value": "青玉佩"}),
            json!({"op": "add", "path": "characters.lin-feng.inventory", "value": "短刀"}),
        ],
        8 => vec![
            json!({"op": "remove", "path": "characters.lin-feng.inventory", "value": "青玉佩"}),
            json!({"op": "add", "path": "characters.lu-heng.inventory", "value": "青玉佩"}),
        ],
        12 => vec![json!({"op": "set", "path": "characters.chen-lao.status", "value": "死亡"})],
        _ => vec![],
    }
}

fn main_scenes(number: u32) -> Vec<String> {
    let place = place(number);
    let chen_lives = number <= 12;
    let zhao_here = number <= 15;
    let first = format!(
        "雨从傍晚一直下到入夜，{place}的石阶上积了一层水。林枫收起伞，在檐下站了一会儿。\n\n\
         “又是你。”王掌柜说道，“这个时辰，{place}早该关门了。”\n\n\
         林枫没有答话，只把那封信放在柜台上。信纸已经潮了，边角卷起，墨迹却还清楚。\n\n{}",
        if chen_lives {
            "陈老推开里间的门，看了他一眼。“进来说。”陈老低声道。\n\n林枫点头，跟了进去。"
        } else {
            "“陈老说得对，”林枫低声道，“这封信不该拆。”\n\n王掌柜叹了口气，没有再问。"
        }
    );
    let farewell = if chen_lives {
        "陈伯端起茶碗，慢慢喝了一口，才说：“那块石碑，你见过了？”"
    } else {
        match number % 5 {
            0 => "陈老的坟在城外的坡上。林枫每回路过，都要在坟前坐一坐。",
            1 => {
                "林枫想起陈老生前的样子。陈老坐在灯下，抬起头说：“别急，天还没亮。”\n\n那盏灯如今也熄了。"
            }
            2 => {
                "夜里林枫做了一个梦。\n\n陈老站在门口，冲他招手：“来，把刀收好。”陈老转身走进雨里，再没有回头。"
            }
            3 => "陈老留下的那本账册，林枫翻了三遍。陈老说过，字里行间最要紧的是没写的那几个。",
            _ => "陈老去世以后，旧书铺就空了。灵位前的香还燃着，烟细细地往上走。",
        }
    };
    let jade = if number <= 8 {
        "林枫取出青玉佩，在灯下照了照，又收回怀里。"
    } else {
        match number % 3 {
            0 => "陆横取出青玉佩，放在桌上。“你给我的，我一直收着。”",
            1 => "林枫想起那枚青玉佩。若还在手里，此刻也许能派上用场。",
            _ => "林枫握紧短刀，听着门外的脚步声。",
        }
    };
    let zhao = if zhao_here {
        "“后院没人。”赵四说道。他抖了抖蓑衣上的水，又出去了。"
    } else {
        "赵四走后，后院再没有人打扫。落叶堆到了台阶上。"
    };
    let passer = match number {
        // Two chapters only.
        10 | 34 => "“船家，渡河么？”周野问道。林枫摇了摇头。",
        _ => "更夫敲着梆子从巷口过去，声音越走越远。",
    };
    let meeting = match number {
        18 | 20 | 38 | 40 => {
            "苏晚从船上下来。“林枫，”苏晚说道，“货在北边。”顾砚跟在后面，没有作声。"
        }
        22 => "苏晚的信是早上到的，只有一行字。林枫看完便烧了。",
        _ => "远处传来一声船笛，很快又被雨声盖住。",
    };
    let second = format!("{farewell}\n\n{jade}\n\n{zhao}\n\n{passer}\n\n{meeting}");
    vec![first, second]
}

fn second_scenes(number: u32) -> Vec<String> {
    let place = place(number);
    vec![
        format!(
            "苏晚到{place}的时候，潮水刚退。滩上横着几条破船，桅杆斜斜地指着天。\n\n\
             “就是这条。”顾砚蹲下身，用手指抹了抹船底的漆，“新补的，不出三天。”\n\n\
             苏晚没有说话。她绕着船走了一圈，在船尾停住。"
        ),
        "陆横来得比约定的晚。“路上有人跟着，”陆横说，“绕了两条街。”\n\n\
         顾先生笑了笑：“跟到这里，也就不必再跟了。”\n\n\
         海风很大，灯笼被吹得直打转。苏晚把名册合上，望着黑沉沉的海面，许久没有动。"
            .to_owned(),
    ]
}
