//! Books of any length, planned by a rule.

use novel_model::{Lang, to_json_text};
use novel_testkit::memory::MemoryBook;
use serde_json::json;

use super::pipeline::blacklist;

/// How much the plans of two chapters differ.
#[derive(Clone, Copy)]
pub(crate) enum Plans {
    /// As in a real book.
    Varied,
    /// All the same but for the number: the hardest case for the author.
    Same,
}

struct Words {
    places: &'static [&'static str],
    troubles: &'static [&'static str],
    finds: &'static [&'static str],
    acts: &'static [&'static str],
    people: [(&'static str, &'static str); 4],
}

const ZH: Words = Words {
    places: &[
        "旧码头",
        "药铺后堂",
        "城门洞",
        "盐仓",
        "书楼三层",
        "渡口茶棚",
        "铁匠巷",
    ],
    troubles: &[
        "想查清盐引的去向，守仓的人咬定账目无误",
        "要赶在封门之前出城，手里的路引却是假的",
        "答应替人保守的秘密，偏偏是破案的关键",
        "想劝对方收手，对方反过来要拉自己入伙",
        "必须在两封内容相反的信里信一封",
    ],
    finds: &[
        "半页账册",
        "刻着旧年号的腰牌",
        "一封没有落款的信",
        "被换过的封条",
        "一包异乡的泥土",
        "缺齿的钥匙",
    ],
    acts: &[
        "在梁上找到",
        "从灰烬里拣出",
        "当着众人的面拿出",
        "在暗格里摸到",
        "用一句话换来",
        "在雨里追回",
    ],
    people: [
        ("lin-he", "林禾"),
        ("chen-du", "陈渡"),
        ("zhou-an", "周安"),
        ("xu-yi", "许漪"),
    ],
};

const EN: Words = Words {
    places: &[
        "The old quay",
        "The back room of the apothecary",
        "The north gate",
        "The salt store",
        "The upper library",
        "The ferry house",
        "Smith Lane",
    ],
    troubles: &[
        "The accounts are in order, and nothing else is",
        "The gates close at eight, and the papers are forged",
        "The secret that must be kept is the one that would solve it",
        "The warning is refused and turned into an invitation",
        "Two letters say opposite things, and one of them must be believed",
    ],
    finds: &[
        "half a page of accounts",
        "a badge with an old date",
        "an unsigned letter",
        "a seal that has been changed",
        "a parcel of foreign earth",
        "a key with a missing tooth",
    ],
    acts: &[
        "finds on a rafter",
        "picks from the ashes",
        "lays before everyone",
        "feels for in the dark and gets",
        "buys with a single sentence",
        "chases down in the rain",
    ],
    people: [
        ("hale", "Hale"),
        ("mirren", "Mirren"),
        ("odo", "Odo"),
        ("tamsin", "Tamsin"),
    ],
};

fn pick<'a>(list: &[&'a str], number: usize) -> &'a str {
    list[number % list.len()]
}

/// A planned book in memory: two storylines that take turns, one foreshadowing item in five chapters.
pub(crate) fn book(lang: Lang, chapters: u32, plans: Plans) -> MemoryBook {
    let words = match lang {
        Lang::Zh => &ZH,
        Lang::En => &EN,
    };
    let tag = match lang {
        Lang::Zh => "zh-CN",
        Lang::En => "en",
    };
    let mut book = MemoryBook::new()
        .with(
            "novel.toml",
            format!("title = \"generated\"\nlanguage = \"{tag}\"\n"),
        )
        .with("brief.md", "a generated book\n")
        .with("style-profile.json", "{}\n")
        .with("ai-blacklist.json", blacklist(lang));
    for (slug, name) in words.people {
        let character = json!({"id": slug, "display_name": name, "aliases": [], "contracts": []});
        book = book.with(
            &format!("characters/active/{slug}.json"),
            to_json_text(&character),
        );
    }
    let line =
        |id: &str, pov: &str| json!({"id": id, "name": id, "type": "arc", "pov_characters": [pov]});
    let lines = json!({"storylines": [line("main-arc", words.people[0].1), line("side-arc", words.people[2].1)]});
    book = book.with("storylines/storylines.json", to_json_text(&lines));
    let (mut outline, mut items) = (String::new(), Vec::new());
    for chapter in 1..=chapters {
        let number = match plans {
            Plans::Varied => usize::try_from(chapter).unwrap(),
            Plans::Same => 3,
        };
        let side = number % 3 == 2;
        let (storyline, pair) = if side {
            ("side-arc", [words.people[2].1, words.people[3].1])
        } else {
            ("main-arc", [words.people[0].1, words.people[1].1])
        };
        let place = pick(words.places, number);
        let (act, find) = (pick(words.acts, number), pick(words.finds, number / 2));
        let later = pick(words.places, number + 3);
        let trouble = pick(words.troubles, number / 3);
        let (head, conflict, first, second) = match lang {
            Lang::Zh => (
                format!("### 第 {chapter} 章：{find}"),
                format!("{}{trouble}", pair[0]),
                format!("{}在{place}{act}了{find}", pair[0]),
                format!("{}把{find}交给{}，两个人约在{later}再见", pair[0], pair[1]),
            ),
            Lang::En => (
                format!("### Chapter {chapter}: {find}"),
                trouble.to_owned(),
                format!("{} {act} {find}", pair[0]),
                format!(
                    "{} gives {find} to {}, and they agree to meet at {later}",
                    pair[0], pair[1]
                ),
            ),
        };
        outline.push_str(&format!(
            "{head}\n- **Storyline**: {storyline}\n- **POV**: {}\n- **Location**: {place} → {later}\n- **Conflict**: {conflict}\n- **Arc**:\n- **Foreshadowing**:\n- **StateChanges**:\n- **TransitionHint**:\n\n",
            pair[0]
        ));
        let due = chapter % 5 == 0;
        let id = format!("item-{chapter}");
        if due {
            items.push(
                json!({"id": id, "description": find, "scope": "long", "planted_chapter": chapter}),
            );
        }
        let contract = json!({
            "chapter": chapter, "storyline_id": storyline,
            "preconditions": {"character_states": {pair[0]: {"location": place}, pair[1]: {}}},
            "objectives": [
                {"id": format!("OBJ-{chapter}-1"), "type": "plot", "required": true, "description": first},
                {"id": format!("OBJ-{chapter}-2"), "type": "plot", "required": true, "description": second},
            ],
            "postconditions": {
                "state_changes": {pair[0]: {"location": later, "inventory": [find]}},
                "foreshadowing_updates": if due { json!({id: "planted"}) } else { json!({}) },
            },
        });
        book = book.with(
            &format!("volumes/vol-01/chapter-contracts/chapter-{chapter:03}.json"),
            to_json_text(&contract),
        );
    }
    book.with("volumes/vol-01/outline.md", outline).with(
        "volumes/vol-01/foreshadowing.json",
        to_json_text(&json!({"foreshadowing": items})),
    )
}
