use serde_json::json;

use super::*;

fn mentions(binding: &str, near: &str) -> Mentions {
    Mentions::new(binding.to_owned(), near.to_owned())
}

fn reduced(state: &Value, mentions: &Mentions, reach: Reach) -> (Value, usize) {
    let mut state = state.as_object().expect("an object").clone();
    let removed = reduce(&mut state, mentions, reach);
    (Value::Object(state), removed)
}

#[test]
fn entities_are_kept_by_id_name_and_alias_and_what_they_refer_to() {
    let state = json!({
        "state_version": 7,
        "characters": {
            "lin-feng": {"display_name": "林枫", "location": "old-tower"},
            "chen-lao": {"display_name": "陈老", "aliases": ["老陈"]},
            "lin-fengyi": {"display_name": "林风逸"},
            "nobody": {"display_name": "某人"}
        },
        "locations": {"old-tower": {"state": "dark"}, "pier": {"name": "码头"}, "cellar": {}},
        "world_state": {"time_marker": "冬"}
    });
    let (kept, removed) = reduced(
        &state,
        &mentions("lin-feng 出门", "老陈在码头"),
        Reach::Near,
    );
    let ids = |kind: &str| {
        kept[kind]
            .as_object()
            .expect("kind")
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(ids("characters"), ["lin-feng", "chen-lao"]);
    assert_eq!(ids("locations"), ["old-tower", "pier"]);
    assert_eq!(kept["state_version"], 7);
    assert_eq!(kept["world_state"], state["world_state"]);
    assert_eq!(removed, 3);
    let (kept, _) = reduced(
        &state,
        &mentions("lin-feng 出门", "老陈在码头"),
        Reach::Binding,
    );
    assert_eq!(kept["characters"].as_object().expect("kind").len(), 1);
    assert_eq!(kept["locations"], json!({}));
}

#[test]
fn everybody_the_chapter_names_is_kept_but_only_some_of_the_others() {
    let mut characters = Map::new();
    for number in 0..100 {
        characters.insert(
            format!("guest-{number}"),
            json!({"display_name": format!("客{number}号")}),
        );
    }
    let state = json!({"characters": characters});
    let names =
        |range: std::ops::Range<u32>| range.map(|n| format!("客{n}号，")).collect::<String>();
    let (kept, _) = reduced(
        &state,
        &mentions(&names(0..20), &names(20..40)),
        Reach::Near,
    );
    assert_eq!(kept["characters"].as_object().expect("kind").len(), 20);
    let (kept, _) = reduced(&state, &mentions(&names(0..2), &names(20..40)), Reach::Near);
    assert_eq!(
        kept["characters"].as_object().expect("kind").len(),
        MOST_ENTITIES
    );
}

#[test]
fn lists_inside_an_entity_keep_their_newest_and_what_matters() {
    let inventory: Vec<u32> = (0..30).collect();
    let mut relationships = Map::new();
    for number in 0..30 {
        relationships.insert(format!("guest-{number}"), json!(number));
    }
    let state = json!({"characters": {
        "a": {"inventory": inventory, "relationships": relationships},
        "guest-1": {"inventory": []}
    }});
    let (kept, removed) = reduced(&state, &mentions("a guest-1", ""), Reach::Near);
    let inventory = kept["characters"]["a"]["inventory"]
        .as_array()
        .expect("list");
    assert_eq!(inventory.len(), MOST_INSIDE);
    assert_eq!(inventory.last(), Some(&json!(29)));
    let relationships = kept["characters"]["a"]["relationships"]
        .as_object()
        .expect("map");
    assert_eq!(relationships.len(), MOST_INSIDE);
    assert!(relationships.contains_key("guest-1") && relationships.contains_key("guest-29"));
    assert_eq!(removed, 2 * (30 - MOST_INSIDE));
}

#[test]
fn facts_and_open_threads_keep_the_named_and_the_newest() {
    let facts: Map<String, Value> = (0..30).map(|n| (format!("fact_{n}"), json!(n))).collect();
    let open: Vec<String> = (0..30).map(|n| format!("thread-{n}")).collect();
    let state = json!({"world_state": facts, "active_foreshadowing": open});
    let (kept, _) = reduced(&state, &mentions("fact_2", "thread-3"), Reach::Near);
    let facts = kept["world_state"].as_object().expect("map");
    assert_eq!(facts.len(), MOST_FACTS);
    assert!(
        facts.contains_key("fact_2")
            && facts.contains_key("fact_29")
            && !facts.contains_key("fact_3")
    );
    let open = kept["active_foreshadowing"].as_array().expect("list");
    assert_eq!(open.len(), MOST_FACTS);
    assert_eq!(open.first(), Some(&json!("thread-3")));
}

#[test]
fn a_latin_name_is_not_found_inside_a_longer_word() {
    assert!(is_named("Hai came", "Hai"));
    assert!(!is_named("Haiku", "Hai"));
    assert!(!is_named("lin-fengyi", "lin-feng"));
    assert!(is_named("林枫来了", "林枫"));
    assert!(!is_named("anything", ""));
}
