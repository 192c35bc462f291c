use novel_book::context::Cast;
use novel_model::{
    ChapterNo, Document, Lang, VolumeNo,
    files::{Places, Relationships, StoryEnd, Storyline, Storylines, WorldRules},
    layout,
};
use serde_json::{Value, json};

use super::{Book, Brought, Collected, bring, hear};
use crate::plan::Files;

const TEXT: &str = "Elizabeth Bennet walked alone to Meryton in the rain. \
    “I shall never dance with you again,” said Lizzy, and Mr Darcy bowed. \
    No letter could leave Longbourn without the seal of the house. \
    Who had opened the letter, nobody in Meryton could say.";

fn chapter(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

fn answer() -> Value {
    json!({
        "people": [
            {"evidence": "Elizabeth Bennet walked alone to Meryton", "name": "Elizabeth Bennet",
             "aliases": ["Lizzy", "Eliza"], "description": "Second of five sisters.",
             "traits": [
                {"evidence": "I shall never dance with you again", "type": "personality", "rule": "She does not forgive quickly."},
                {"evidence": "she had killed a man in Brighton", "type": "personality", "rule": "She is a murderer."}],
             "relations": [{"evidence": "said Lizzy, and Mr Darcy bowed", "to": "Darcy", "description": "She will not dance with him."}]},
            {"evidence": "said Lizzy, and Mr Darcy bowed", "name": "Darcy", "aliases": [],
             "description": "A proud guest.", "traits": [], "relations": []},
            {"evidence": "Elizabeth Bennet walked alone to Meryton", "name": "Wickham", "aliases": [],
             "description": "An officer.", "traits": [], "relations": []}
        ],
        "places": [{"evidence": "walked alone to Meryton in the rain", "name": "Meryton", "aliases": [],
            "inside": "Longbourn", "description": "A town."},
            {"evidence": "No letter could leave Longbourn without the seal", "name": "Longbourn",
             "aliases": [], "inside": "Meryton", "description": "The house of the Bennets."}],
        "rules": [{"evidence": "No letter could leave Longbourn without the seal of the house",
            "category": "society", "rule": "Letters from Longbourn bear the seal.", "constraint_type": "hard"}],
        "threads": [{"evidence": "Who had opened the letter, nobody in Meryton could say", "number": null,
            "description": "Who opened the letter?", "action": "planted", "scope": "short"},
            {"evidence": "Who had opened the letter, nobody in Meryton could say", "number": 7,
            "description": "", "action": "resolved", "scope": "short"}],
        "ending": {"evidence": "nobody in Meryton could say", "story": "open"}
    })
}

#[test]
fn only_what_stands_in_the_text_is_heard() {
    let heard = hear(&layout::imported_reading(), &answer(), TEXT, &[]);
    let people: Vec<&str> = heard
        .answer
        .people
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(
        people,
        ["Elizabeth Bennet", "Darcy"],
        "nobody is called Wickham"
    );
    let lizzy = &heard.answer.people[0];
    assert_eq!(lizzy.aliases, ["Lizzy"], "Eliza stands nowhere");
    assert_eq!(lizzy.traits.len(), 1, "an invented quotation goes");
    assert_eq!(heard.answer.threads.len(), 1, "no thread has the number 7");
    assert_eq!(heard.faults.len(), 2, "{:#?}", heard.faults);
    assert!(heard.wants_another(), "two of eight");
}

#[test]
fn an_answer_of_another_form_is_asked_for_again_and_its_good_entries_are_kept() {
    let path = layout::imported_reading();
    for bad in [json!("I cannot do that."), json!([]), json!({})] {
        let heard = hear(&path, &bad, TEXT, &[]);
        assert!(heard.wants_another(), "{bad}");
        assert_eq!(heard.answer, Default::default());
    }
    let mut mixed = answer();
    mixed["people"][1] = json!({"name": 7});
    mixed["rules"] = json!("none");
    let heard = hear(&path, &mixed, TEXT, &[]);
    assert!(heard.wants_another());
    assert_eq!(heard.answer.people.len(), 1);
    assert_eq!(heard.answer.places.len(), 2);
    // All invented.
    let invented = json!({"people": [{"evidence": "He rode a green horse into the sea", "name": "Darcy"}],
        "places": [], "rules": [], "threads": [], "ending": null});
    assert!(hear(&path, &invented, TEXT, &[]).wants_another());
}

#[test]
fn what_is_found_again_is_one_thing_and_a_thread_is_followed_to_its_end() {
    let mut all = Collected::default();
    all.add(
        chapter(1),
        hear(&layout::imported_reading(), &answer(), TEXT, &[]).answer,
    );
    assert_eq!(all.open_threads(), [1]);
    assert!(
        all.shown(Lang::En).contains("- Elizabeth Bennet (Lizzy)"),
        "{}",
        all.shown(Lang::En)
    );
    assert!(all.shown(Lang::En).contains("1. Who opened the letter?"));
    let text = "Lizzy had opened the letter herself, and she said so.";
    let later = json!({
        "people": [{"evidence": "Lizzy had opened the letter herself", "name": "Lizzy",
            "aliases": [], "description": "She confessed.", "traits": [], "relations": []}],
        "places": [], "rules": [],
        "threads": [{"evidence": "Lizzy had opened the letter herself", "number": 1,
            "description": "", "action": "resolved", "scope": "short"}],
        "ending": {"evidence": "and she said so", "story": "finished"}
    });
    let heard = hear(
        &layout::imported_reading(),
        &later,
        text,
        &all.open_threads(),
    );
    assert_eq!(heard.answer.ending, None, "four words prove nothing");
    all.add(chapter(2), heard.answer);
    assert_eq!(all.open_threads(), [] as [u32; 0]);
    for text in [TEXT, text] {
        all.count(text);
    }
    let brought = brought(&all, 2);
    let record = &brought.record;
    assert_eq!(record.people.len(), 2, "Lizzy is Elizabeth Bennet");
    assert_eq!(record.people[0].chapters, 2);
    assert_eq!(record.threads[0].events.len(), 2);
    assert_eq!(
        (record.story, Brought::open_threads(record)),
        (StoryEnd::Open, 0)
    );
}

fn brought(all: &Collected, last: u32) -> Brought {
    let cast = Cast::default();
    let texts = Files::from([(
        layout::brief(),
        "# Pride\n\n- Genre: …\n- Protagonist: …\n".to_owned(),
    )]);
    let line = Storyline {
        id: "main-arc".parse().unwrap(),
        name: "Main line".to_owned(),
        kind: "main_arc".to_owned(),
        scope: None,
        pov_characters: Vec::new(),
        affiliated_factions: Vec::new(),
        timeline: None,
        status: None,
        description: None,
    };
    let lines = Storylines {
        storylines: vec![line],
        relationships: Vec::new(),
    };
    let book = Book {
        lang: Lang::En,
        last: chapter(last),
        volume_of: &|_| VolumeNo::first(),
        cast: &cast,
        relations: Document::new(Relationships::default()),
        rules: Document::new(WorldRules { rules: Vec::new() }),
        places: Document::new(Places::default()),
        lines: Some(Document::new(lines)),
        texts: &texts,
    };
    bring(all, &book)
}

#[test]
fn the_files_of_the_book_carry_ids_of_the_program_and_the_quotations() {
    let mut all = Collected::default();
    all.add(
        chapter(1),
        hear(&layout::imported_reading(), &answer(), TEXT, &[]).answer,
    );
    all.count(TEXT);
    let brought = brought(&all, 1);
    let json = |path: &str| -> Value {
        let path = path.parse().unwrap();
        serde_json::from_str(&brought.files[&path]).unwrap()
    };
    let lizzy = json("characters/active/elizabeth-bennet.json");
    assert_eq!(lizzy["aliases"], json!(["Lizzy"]));
    assert_eq!(lizzy["contracts"][0]["id"], "C-ELIZABETHBENNET-001");
    let profile = &brought.files[&"characters/active/elizabeth-bennet.md".parse().unwrap()];
    assert!(
        profile.contains("- chapter 1: “Elizabeth Bennet walked alone to Meryton”"),
        "{profile}"
    );
    let relations = json("characters/relationships.json");
    assert_eq!(relations["relationships"][0]["to"], "darcy");
    let places = json("world/places.json");
    assert_eq!(places["places"][0]["inside"], "longbourn");
    assert_eq!(
        places["places"][1].get("inside"),
        Some(&Value::Null),
        "not each in the other"
    );
    assert_eq!(json("world/rules.json")["rules"][0]["id"], "W-001");
    let plan = json("volumes/vol-01/foreshadowing.json");
    assert_eq!(plan["foreshadowing"][0]["id"], "thread-001");
    assert_eq!(
        plan["foreshadowing"][0]["target_resolve_range"],
        json!([2, 16])
    );
    assert_eq!(
        json("storylines/storylines.json")["storylines"][0]["pov_characters"],
        json!(["Elizabeth Bennet"])
    );
    assert!(brought.files[&layout::brief()].contains("- Protagonist: Elizabeth Bennet"));
}

#[test]
fn a_given_name_is_the_one_person_whose_full_name_begins_with_it() {
    let person = |name: &str| {
        json!({"evidence": "Jane Fairfax and Jane Fairfax again came with John", "name": name,
            "aliases": [], "description": "", "traits": [], "relations": []})
    };
    let text = "Jane Fairfax and Jane Fairfax again came with John, John Knightley and John Smith.";
    let people = [
        "Jane",
        "Jane Fairfax",
        "John",
        "John Knightley",
        "John Smith",
    ]
    .map(person);
    let answer =
        json!({"people": people, "places": [], "rules": [], "threads": [], "ending": null});
    let mut all = Collected::default();
    all.add(
        chapter(1),
        hear(&layout::imported_reading(), &answer, text, &[]).answer,
    );
    all.join_given_names();
    all.count(text);
    let people = brought(&all, 1).record.people;
    let names: Vec<&str> = people.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(
        names,
        ["Jane Fairfax", "John", "John Knightley", "John Smith"]
    );
}
