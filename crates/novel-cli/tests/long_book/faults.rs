//! The faults: in the ledger, in the text, in the plan.

use novel_testkit::TestBook;
use serde_json::{Value, json};

use super::edits::{Edit, Fault, Tongue};

/// What the faults need to know of a book.
struct Known {
    tongue: Tongue,
    /// Chapters with a time marker of their own: number, whether it is the newest on its line.
    marked: Vec<u32>,
    /// Whom each chapter moves: name, recorded place before, contract.
    moved: Vec<(u32, String, String)>,
    /// Every place somebody was at.
    places: Vec<String>,
    /// Items: index, id, planted, resolved.
    items: Vec<(usize, String, u32, u32)>,
    last: u32,
}

impl Known {
    fn of(book: &TestBook, tongue: Tongue, last: u32) -> Self {
        let mut known = Self {
            tongue,
            marked: Vec::new(),
            moved: Vec::new(),
            places: Vec::new(),
            items: Vec::new(),
            last,
        };
        for line in book.lines("state/changelog.jsonl") {
            let Some(chapter) = line["chapter"].as_u64() else {
                continue;
            };
            let chapter = chapter as u32;
            for op in line["ops"].as_array().unwrap() {
                let path = op["op"]["path"].as_str().unwrap();
                if path == "world_state.time_marker" {
                    known.marked.push(chapter);
                }
                if path.ends_with(".location") {
                    let place = op["op"]["value"].as_str().unwrap().to_owned();
                    if !known.places.contains(&place) {
                        known.places.push(place);
                    }
                }
            }
            let contract = known.contract(book, chapter);
            let states = book.json(&contract)["preconditions"]["character_states"].clone();
            for (name, state) in states.as_object().into_iter().flatten().take(1) {
                if state["location"].is_string() {
                    known.moved.push((chapter, name.clone(), contract.clone()));
                }
            }
        }
        let items = book.json("foreshadowing/global.json");
        for (at, item) in (0..).zip(items["foreshadowing"].as_array().unwrap()) {
            let resolved = item["history"]
                .as_array()
                .unwrap()
                .iter()
                .find(|event| event["action"] == "resolved");
            if let (Some(planted), Some(resolved)) = (item["planted_chapter"].as_u64(), resolved) {
                known.items.push((
                    at,
                    item["id"].as_str().unwrap().to_owned(),
                    planted as u32,
                    resolved["chapter"].as_u64().unwrap() as u32,
                ));
            }
        }
        known
    }

    /// The contract of a chapter.
    fn contract(&self, book: &TestBook, chapter: u32) -> String {
        (1..)
            .map(|volume| {
                format!("volumes/vol-{volume:02}/chapter-contracts/chapter-{chapter:03}.json")
            })
            .take(self.last as usize)
            .find(|path| book.has(path))
            .unwrap()
    }
}

/// Somebody who is not of the offline author's cast: id and name.
type Person = (&'static str, &'static str);

fn person((id, name): Person) -> Edit {
    let file = format!("characters/active/{id}.json");
    Edit::File(file, json!({"display_name": name, "aliases": []}))
}

fn set(path: String, value: Value) -> Value {
    json!({"op": "set", "path": path, "value": value})
}

/// Every fault of two rounds, over the whole length of the book.
pub(super) fn all(book: &TestBook, tongue: Tongue, last: u32) -> Vec<Fault> {
    let known = Known::of(book, tongue, last);
    let mut all = Vec::new();
    for round in 0..2 {
        let people: [Person; 2] = match (tongue, round) {
            (Tongue::Zh, 0) => [("huo-tieyi", "霍铁衣"), ("fan-wujiu", "范无咎")],
            (Tongue::Zh, _) => [("meng-sanniang", "孟三娘"), ("du-changfeng", "杜长风")],
            (Tongue::En, 0) => [
                ("barnaby-crane", "Barnaby Crane"),
                ("odell-pryor", "Odell Pryor"),
            ],
            (Tongue::En, _) => [
                ("hester-quill", "Hester Quill"),
                ("silas-moor", "Silas Moor"),
            ],
        };
        let mut planted = Vec::new();
        told(&known, people, round, &mut planted);
        world(&known, people, round, &mut planted);
        ledger(&known, people, round, &mut planted);
        plan(&known, round, &mut planted);
        all.extend(planted);
    }
    all
}

/// A chapter for the n-th fault of a round, far enough from both ends.
fn chapter(known: &Known, round: u32, at: usize) -> u32 {
    let room = known.last - 8;
    5 + (at as u32 * 13 + round * 29) % room
}

/// Facts about somebody in an earlier chapter, and a sentence that contradicts them.
fn told(known: &Known, [who, other]: [Person; 2], round: u32, all: &mut Vec<Fault>) {
    let (id, name) = who;
    let (other_id, other_name) = other;
    let of = |field: &str| format!("characters.{id}.{field}");
    let sword = |field: &str, value: Value| set(format!("items.sword.{field}"), value);
    let zh = known.tongue == Tongue::Zh;
    let pick = |zh_words: [&str; 2], en_words: [&str; 2]| -> String {
        let words = if zh { zh_words } else { en_words };
        words[round as usize]
            .replace("{X}", name)
            .replace("{Y}", other_name)
    };
    let text = |zh_word: &str, en_word: &str| json!(if zh { zh_word } else { en_word });
    let blade = || {
        let name = if zh { "霜纹剑" } else { "the frost blade" };
        sword("display_name", json!(name))
    };
    let jade = || text("青玉佩", "brass key");
    let cases: Vec<(&'static str, Vec<Value>, String)> = vec![
        (
            "DEAD_CHARACTER_ACTS",
            vec![set(of("status"), text("战死", "slain"))],
            pick(
                ["{X}推门进来，把灯放在桌上。", "“都别动。”{X}低声道。"],
                [
                    "{X} pushed the door open and set the lamp down.",
                    "“Nobody move,” said {X}.",
                ],
            ),
        ),
        (
            "ABSENT_CHARACTER_ACTS",
            vec![set(of("status"), text("失踪", "missing"))],
            pick(
                [
                    "{X}给{Y}倒了一碗茶，{Y}接了过来。",
                    "{X}拍拍{Y}的肩膀，跳上了马车。",
                ],
                ["{X} passed {Y} the salt.", "{X} shut the door behind {Y}."],
            ),
        ),
        (
            "ITEM_USED_AFTER_GIVEN_AWAY",
            vec![
                json!({"op": "add", "path": of("inventory"), "value": jade()}),
                json!({"op": "remove", "path": of("inventory"), "value": jade()}),
            ],
            pick(
                ["{X}从怀里摸出青玉佩。", "{X}把青玉佩系在腰间。"],
                [
                    "{X} took the brass key from the shelf.",
                    "{X} turned the brass key in the lock.",
                ],
            ),
        ),
        (
            "ITEM_USED_AFTER_DESTROYED",
            vec![blade(), sword("status", text("断成两截", "destroyed"))],
            pick(
                [
                    "{X}拔出霜纹剑，迎了上去。",
                    "{X}握紧霜纹剑，一步步走下台阶。",
                ],
                ["{X} drew the frost blade.", "{X} lifted the frost blade."],
            ),
        ),
        (
            "ITEM_HELD_BY_ANOTHER",
            vec![blade(), sword("holder", json!(other_id))],
            pick(
                [
                    "{X}举起霜纹剑，指向来人。",
                    "{X}把霜纹剑横在膝上，慢慢擦拭。",
                ],
                ["{X} held up the frost blade.", "{X} drew the frost blade."],
            ),
        ),
        (
            "ITEM_COUNT_MISMATCH",
            vec![
                set(
                    "items.pill.display_name".to_owned(),
                    text("回春丹", "silver arrows"),
                ),
                set("items.pill.count".to_owned(), json!(2)),
            ],
            pick(
                ["{X}取出五枚回春丹，分给众人。", "{X}服下三枚回春丹。"],
                [
                    "{X} loosed six silver arrows.",
                    "{X} counted nine silver arrows.",
                ],
            ),
        ),
        (
            "BODY_CONTRADICTED",
            vec![set(of("injuries"), text("失去左臂", "lost the left hand"))],
            pick(
                ["{X}用左手端起茶碗。", "{X}双手抱拳，深深一揖。"],
                [
                    "{X} lifted the crate in both hands.",
                    "{X} lifted the crate in both hands.",
                ],
            ),
        ),
        (
            "BODY_CONTRADICTED",
            vec![set(of("eyes"), text("蓝色", "blue"))],
            pick(
                ["{X}那双漆黑的眼睛一眨不眨。", "{X}褐色的眼睛望着门口。"],
                [
                    "{X}'s brown eyes followed the lamp.",
                    "{X}'s green eyes followed the lamp.",
                ],
            ),
        ),
        (
            "AGE_CONTRADICTED",
            vec![set(of("age"), json!(20))],
            pick(
                ["{X}今年40岁。", "41岁的{X}站在船头。"],
                ["{X} was 40 years old.", "{X}, 41, stood at the rail."],
            ),
        ),
        (
            "KINSHIP_CONTRADICTED",
            vec![
                set(of("father"), text("老铁匠", "the old smith")),
                set(of("mother"), json!(other_name)),
            ],
            pick(
                ["{Y}是{X}的妹妹。", "{Y}是{X}的女儿。"],
                ["{Y} was {X}'s sister.", "{Y} was {X}'s daughter."],
            ),
        ),
        (
            "RELATION_CONTRADICTED",
            vec![set(
                of(&format!("relationships.{other_id}")),
                text("死敌", "enemy"),
            )],
            pick(
                ["{X}与{Y}是多年的好友。", "{X}的好友{Y}走了进来。"],
                [
                    "{X} and {Y} were old friends.",
                    "{X} was {Y}'s closest friend.",
                ],
            ),
        ),
        (
            "RANK_CONTRADICTED",
            vec![set(of("rank"), text("百夫长", "sergeant"))],
            pick(
                ["将军{X}走进院子。", "{X}官拜元帅。"],
                ["Colonel {X} crossed the yard.", "{X} was a general."],
            ),
        ),
    ];
    for (at, (code, ops, sentence)) in cases.into_iter().enumerate() {
        let chapter = chapter(known, round, at);
        // In the first round the record is wrong: the text stands, and then comes the op.
        let mut edits = vec![person(who), person(other)];
        if round == 1 {
            edits.push(Edit::Text(chapter, sentence.clone()));
        }
        edits.extend(ops.into_iter().map(|op| Edit::Op(chapter - 2, op)));
        if round == 0 {
            edits.push(Edit::Text(chapter, sentence));
        }
        all.push(Fault {
            code,
            chapter,
            edits,
        });
    }
    // A person who has left, and claims about somebody.
    let chapter_of = |at| chapter(known, round, at);
    let at = chapter_of(12);
    let retired = json!({"display_name": name, "aliases": [], "retired_chapter": at - 3});
    all.push(Fault {
        code: "RETIRED_CHARACTER_ACTS",
        chapter: at,
        edits: vec![
            Edit::File(format!("characters/retired/{id}.json"), retired),
            Edit::Text(
                at,
                pick(
                    ["{X}站起身，走到窗前。", "“走吧。”{X}说。"],
                    ["{X} stood up and went to the window.", "“Come,” said {X}."],
                ),
            ),
        ],
    });
    let still = pick(
        ["{X}的椅子空着。", "桌上留着{X}的茶碗。"],
        [
            "The chair of {X} was empty.",
            "The cup of {X} was still on the table.",
        ],
    );
    let claim = |slot: &str, value: Value| json!({"subject": id, "slot": slot, "value": value, "frame": "now", "evidence": still});
    let claimed = |code, at, op: Value, claim| Fault {
        code,
        chapter: at,
        edits: vec![
            person(who),
            Edit::Op(at - 2, op),
            Edit::Text(at, still.clone()),
            Edit::Claim(at, claim),
        ],
    };
    let lives = set(of("status"), text("健在", "alive"));
    all.push(claimed(
        "LIFE_CONTRADICTED",
        chapter_of(13),
        lives,
        claim("alive", json!("dead")),
    ));
    let aged = set(of("age"), json!(20));
    all.push(claimed(
        "AGE_CONTRADICTED",
        chapter_of(14),
        aged,
        claim("age", json!(50)),
    ));
    let hurt = set(of("injuries"), text("失去左臂", "lost the left hand"));
    let both = claim("body", text("双手持刀", "steers with both hands"));
    all.push(claimed("BODY_CONTRADICTED", chapter_of(15), hurt, both));
}

/// Places, secrets, rules and storylines.
fn world(known: &Known, [who, other]: [Person; 2], round: u32, all: &mut Vec<Fault>) {
    let (id, name) = who;
    let zh = known.tongue == Tongue::Zh;
    let choose = |zh_word: &str, en_word: &str| -> String {
        let word = if zh { zh_word } else { en_word };
        word.replace("{X}", name)
    };
    let (near, far) = if zh {
        ("临安", "雁门关")
    } else {
        ("Linan", "Goosegate")
    };
    let places = || {
        let places = json!({"version": 1,
            "places": [{"id": "near", "name": near, "aliases": [], "inside": null},
                       {"id": "far", "name": far, "aliases": [], "inside": null}],
            "travel": [{"from": "near", "to": "far", "days": 20}]});
        Edit::File("world/places.json".to_owned(), places)
    };
    let at_place = |chapter, place: &str| {
        Edit::Op(
            chapter,
            set(format!("characters.{id}.location"), json!(place)),
        )
    };
    let at = chapter(known, round, 16);
    all.push(Fault {
        code: "PLACE_CONTRADICTED",
        chapter: at,
        edits: vec![
            places(),
            person(who),
            at_place(at - 1, near),
            Edit::Text(
                at,
                match round {
                    0 => choose(
                        "{X}站在雁门关的城头，望着关外的烟。",
                        "{X} was in Goosegate, haggling over a horse.",
                    ),
                    _ => choose(
                        "{X}正在雁门关的茶棚里喝粥。",
                        "{X} stood in Goosegate with a sack of flour.",
                    ),
                },
            ),
        ],
    });
    let at = known.marked[known.marked.len() / 2 + round as usize * 3];
    all.push(Fault {
        code: "TRAVEL_TOO_FAST",
        chapter: at,
        edits: vec![
            places(),
            person(who),
            at_place(at - 1, near),
            at_place(at, far),
        ],
    });
    let at = chapter(known, round, 18);
    let fact = if zh {
        "渡口的灯是信号"
    } else {
        "the ferry lamp is a signal"
    };
    let secret = json!({"version": 1, "secrets": [{"id": "S-1", "fact": fact,
        "known_by": [{"character": other.0, "from_chapter": 1}]}]});
    all.push(Fault {
        code: "KNOWN_BEFORE_REVEALED",
        chapter: at,
        edits: vec![
            person(who),
            person(other),
            Edit::File("world/truth.json".to_owned(), secret),
            Edit::Text(
                at,
                match round {
                    0 => choose(
                        "{X}早就知道渡口的灯是信号。",
                        "{X} knew that the ferry lamp was a signal.",
                    ),
                    _ => choose(
                        "{X}心里清楚渡口的灯是信号。",
                        "{X} had always known that the ferry lamp was a signal.",
                    ),
                },
            ),
        ],
    });
    let at = chapter(known, round, 19);
    let rule = if zh {
        "任何人不得在夜间进入藏书阁"
    } else {
        "No one may enter the archive at night"
    };
    let rule = json!({"id": "W-900", "category": "law", "rule": rule, "constraint_type": "hard",
        "exceptions": [], "introduced_chapter": 1, "last_verified": null});
    all.push(Fault {
        code: "WORLD_RULE_BROKEN",
        chapter: at,
        edits: vec![
            person(who),
            Edit::Push("world/rules.json".to_owned(), "/rules".to_owned(), rule),
            Edit::Text(
                at,
                choose(
                    "三更时分，{X}悄悄溜进了藏书阁。",
                    "At midnight {X} slipped into the archive.",
                ),
            ),
        ],
    });
    let at = chapter(known, round, 20);
    let line = json!({"id": "far-shore", "name": "far-shore", "type": "sub_arc", "scope": "book",
        "pov_characters": [name], "affiliated_factions": [], "timeline": null,
        "status": "active", "description": "far"});
    all.push(Fault {
        code: "FOREIGN_CAST_NAMED",
        chapter: at,
        edits: vec![
            person(who),
            Edit::Push(
                "storylines/storylines.json".to_owned(),
                "/storylines".to_owned(),
                line,
            ),
            Edit::Text(
                at,
                choose(
                    "有人提起{X}，谁也没有接话。",
                    "Somebody mentioned {X}, and nobody answered.",
                ),
            ),
        ],
    });
    let at = chapter(known, round, 21);
    let stranger = match (zh, round) {
        (true, 0) => "“渡河么？”曹野问道。",
        (true, _) => "曹野笑道：“渡河么？”",
        (false, 0) => "“Cross the river?” asked Wexford.",
        (false, _) => "“Cross the river?” said Wexford.",
    };
    all.push(Fault {
        code: "UNREGISTERED_NAME_RECURS",
        chapter: at,
        edits: [at - 4, at - 2, at]
            .map(|chapter| Edit::Text(chapter, stranger.to_owned()))
            .to_vec(),
    });
}

/// The changelog against itself.
fn ledger(known: &Known, [who, _]: [Person; 2], round: u32, all: &mut Vec<Fault>) {
    let zh = known.tongue == Tongue::Zh;
    let at = known.marked[known.marked.len() * 2 / 3 + round as usize];
    let early = if zh {
        "第 1 日，清晨"
    } else {
        "Day 1, dawn"
    };
    all.push(Fault {
        code: "TIME_RUNS_BACKWARDS",
        chapter: at,
        edits: vec![Edit::Marker(at, early.to_owned())],
    });
    let at = known.marked[known.marked.len() / 3 + round as usize];
    let day = if zh { "第 1 日" } else { "Day 1" };
    let still = if zh {
        "檐下的水滴了一夜。"
    } else {
        "Water dripped from the eaves."
    };
    let claim =
        json!({"subject": who.0, "slot": "day", "value": day, "frame": "now", "evidence": still});
    all.push(Fault {
        code: "DAY_CONTRADICTED",
        chapter: at,
        edits: vec![
            person(who),
            Edit::Op(at - 2, set(format!("characters.{}.age", who.0), json!(30))),
            Edit::Text(at, still.to_owned()),
            Edit::Claim(at, claim),
        ],
    });
    let foreshadow = |id: &str, action: &str| json!({"op": "foreshadow", "path": id, "value": action, "detail": "x"});
    for (number, (code, action)) in [
        ("FORESHADOW_RESOLVED_BEFORE_PLANTED", "resolved"),
        ("FORESHADOW_ADVANCED_BEFORE_PLANTED", "advanced"),
    ]
    .into_iter()
    .enumerate()
    {
        let at = chapter(known, round, 24 + number);
        all.push(Fault {
            code,
            chapter: at,
            edits: vec![Edit::Op(at, foreshadow("lost_ring", action))],
        });
    }
    let item =
        |at: usize| &known.items[(known.items.len() / 3 + at + round as usize) % known.items.len()];
    let (_, id, planted, resolved) = item(0);
    let at = (planted + 1).min(*resolved);
    all.push(Fault {
        code: "FORESHADOW_PLANTED_TWICE",
        chapter: at,
        edits: vec![Edit::Op(at, foreshadow(id, "planted"))],
    });
    let (_, id, _, resolved) = item(2);
    let at = (resolved + 1).min(known.last);
    all.push(Fault {
        code: "FORESHADOW_AFTER_RESOLVED",
        chapter: at,
        edits: vec![Edit::Op(at, foreshadow(id, "advanced"))],
    });
    for (code, scope) in [
        ("FORESHADOW_OVERDUE", "short"),
        ("FORESHADOW_RANGE_PASSED", "long"),
    ] {
        let late = known
            .items
            .iter()
            .filter(|(_, _, planted, resolved)| *resolved >= planted + 3)
            .nth(round as usize + usize::from(scope == "long") * 2)
            .unwrap();
        let (index, _, planted, resolved) = late;
        let file = "foreshadowing/global.json".to_owned();
        let pointer = |field: &str| format!("/foreshadowing/{index}/{field}");
        all.push(Fault {
            code,
            chapter: resolved - 1,
            edits: vec![
                Edit::Set(file.clone(), pointer("scope"), json!(scope)),
                Edit::Set(
                    file,
                    pointer("target_resolve_range"),
                    json!([planted, resolved - 2]),
                ),
            ],
        });
    }
}

/// Contracts that ask for what is not so.
fn plan(known: &Known, round: u32, all: &mut Vec<Fault>) {
    let third = known.moved.len() / 3;
    for (number, (code, part)) in [
        ("PRECONDITION_MISMATCH", "preconditions/character_states"),
        ("POSTCONDITION_NOT_MET", "postconditions/state_changes"),
    ]
    .into_iter()
    .enumerate()
    {
        let (chapter, name, contract) = &known.moved[third * (number + 1) + round as usize];
        // A place nobody has been at near this chapter.
        let elsewhere = if known.tongue == Tongue::Zh {
            "无名城"
        } else {
            "Nowhere Town"
        };
        all.push(Fault {
            code,
            chapter: *chapter,
            edits: vec![Edit::Set(
                contract.clone(),
                format!("/{part}/{name}/location"),
                json!(elsewhere),
            )],
        });
    }
    let (chapter, _, contract) = &known.moved[third / 2 + round as usize];
    let (_, id, ..) = known
        .items
        .iter()
        .find(|(_, _, planted, resolved)| planted < chapter && chapter < resolved)
        .unwrap_or(&known.items[0]);
    all.push(Fault {
        code: "FORESHADOW_UPDATE_MISSING",
        chapter: *chapter,
        edits: vec![Edit::Set(
            contract.clone(),
            format!("/postconditions/foreshadowing_updates/{id}"),
            json!("advanced"),
        )],
    });
}
