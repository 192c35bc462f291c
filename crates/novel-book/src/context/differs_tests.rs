use novel_testkit::memory::MemoryBook;
use serde_json::json;

use super::*;

fn found(wanted: Value, state: Value) -> Vec<(Aspect, String, String, bool)> {
    let person = json!({"display_name": "林枫", "aliases": ["小枫"]}).to_string();
    let book = MemoryBook::new()
        .with("characters/active/lin-feng.json", person)
        .with(
            "state/current-state.json",
            json!({"state_version": 1, "last_updated_chapter": 1, "characters": {"lin-feng": state},
                "items": {"letter": {"name": "密信", "status": "烧毁"}}})
            .to_string(),
        );
    let contract: ChapterContract = serde_json::from_value(json!({
        "chapter": 2, "storyline_id": "main", "objectives": [],
        "preconditions": {"character_states": {"林枫": wanted}}}))
    .unwrap();
    let cast = Cast::load(&book).unwrap();
    let found = differences(&book, &cast, &contract).unwrap().into_iter();
    found
        .map(|it| (it.aspect, it.contract, it.book, it.is_impossible))
        .collect()
}

#[test]
fn place_and_holdings_are_compared() {
    let wanted = json!({"location": "青云山", "inventory": ["剑", "玉佩"]});
    let state = json!({"location": "魔都", "inventory": ["剑"]});
    assert_eq!(
        found(wanted, state),
        [
            (Aspect::Place, "青云山".to_owned(), "魔都".to_owned(), false),
            (Aspect::Holds, "玉佩".to_owned(), "剑".to_owned(), false)
        ]
    );
}

#[test]
fn what_is_not_said_is_no_difference() {
    assert_eq!(found(json!({}), json!({"location": "魔都"})), []);
    assert_eq!(found(json!({"location": "魔都"}), json!({})), []);
    assert_eq!(
        found(json!({"location": "魔都西市"}), json!({"location": "魔都"})),
        []
    );
    assert_eq!(
        found(json!({"status": "wounded"}), json!({"status": "wounded"})),
        []
    );
    assert_eq!(found(json!({"inventory": ["剑"]}), json!({})), []);
}

#[test]
fn the_dead_and_what_is_gone_are_impossible() {
    for state in [
        json!({"status": "已死"}),
        json!({"alive": false}),
        json!({"dead": true}),
    ] {
        let dead = [(Aspect::Alive, "alive".to_owned(), "dead".to_owned(), true)];
        assert_eq!(found(json!({"alive": true}), state.clone()), dead);
        assert_eq!(
            found(
                json!({"status": "alive", "location": "魔都"}),
                state.clone()
            ),
            dead
        );
        let mut elsewhere = state.clone();
        elsewhere["location"] = json!("青云山");
        elsewhere["inventory"] = json!([]);
        assert_eq!(found(json!({"location": "魔都"}), elsewhere.clone()), dead);
        assert_eq!(found(json!({"inventory": ["剑"]}), elsewhere), dead);
        assert_eq!(
            found(json!({"status": "dead", "location": "魔都"}), state.clone()),
            []
        );
        // A body may lie where it lies.
        let mut lies = state;
        lies["location"] = json!("魔都");
        assert_eq!(found(json!({"location": "魔都"}), lies), []);
    }
    assert_eq!(
        found(json!({"inventory": "密信"}), json!({"inventory": []})),
        [(
            Aspect::Holds,
            "密信".to_owned(),
            "密信: gone".to_owned(),
            true
        )]
    );
}
