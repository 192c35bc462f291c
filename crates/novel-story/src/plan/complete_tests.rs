use novel_testkit::memory::MemoryBook;
use serde_json::json;

use super::*;

fn plan(chapters: Value, seeds: Value) -> PlanAnswer {
    let whole = |(number, chapter): (usize, &Value)| {
        let mut entry = json!({"chapter": number + 1, "title": "…", "storyline_id": "main-arc",
            "pov": "林枫", "location": "灯塔", "conflict": "…", "arc": "…", "before": [],
            "objectives": [], "after": [], "foreshadowing": [], "transition": "…"});
        for (key, value) in chapter.as_object().expect("an object") {
            entry[key] = value.clone();
        }
        entry
    };
    let chapters = chapters.as_array().expect("a list").iter().enumerate();
    let chapters: Vec<Value> = chapters.map(whole).collect();
    let plan =
        json!({"title": "…", "storylines": [], "foreshadowing": seeds, "chapters": chapters});
    serde_json::from_value(plan).expect("a plan")
}

fn cast() -> Cast {
    let book = MemoryBook::new().with(
        "characters/active/lin-feng.json",
        json!({"id": "lin-feng", "display_name": "林枫", "aliases": ["老林"], "contracts": []})
            .to_string(),
    );
    Cast::load(&book).expect("a cast")
}

fn state() -> StoryState {
    let mut state = StoryState::initial();
    state.characters.insert(
        "lin-feng".to_owned(),
        json!({"display_name": "林枫", "location": "tower", "status": "wounded",
            "inventory": [{"display_name": "钥匙"}, "灯油"]}),
    );
    let tower = json!({"display_name": "灯塔"});
    state.locations.insert("tower".to_owned(), tower);
    state
}

#[test]
fn people_begin_as_the_state_and_the_chapters_before_left_them() {
    let plan = plan(
        json!([
            {"before": [{"character": "老林"}],
             "after": [{"character": "林枫", "location": "码头", "inventory": ["-钥匙"]}]},
            {"before": [{"character": "林枫"}, {"character": "陌生人"}]},
        ]),
        json!([]),
    );
    let plan = completed(plan, &cast(), &state());
    let person = |value: Value| serde_json::from_value::<PersonState>(value).expect("a person");
    assert_eq!(
        plan.chapters[0].before,
        [person(
            json!({"character": "老林", "location": "灯塔", "status": "wounded",
            "inventory": ["钥匙", "灯油"]})
        )]
    );
    assert_eq!(
        plan.chapters[1].before,
        [
            person(
                json!({"character": "林枫", "location": "码头", "status": "wounded",
                "inventory": ["灯油"]})
            ),
            person(json!({"character": "陌生人"})),
        ]
    );
}

#[test]
fn what_the_plan_says_itself_is_left_to_the_checks() {
    let said = json!([{"before": [{"character": "林枫", "location": "码头"}]}]);
    let before = plan(said.clone(), json!([]));
    let after = completed(before.clone(), &cast(), &state());
    assert_eq!(before, after);
}

#[test]
fn an_item_is_planted_once_where_its_entry_says() {
    let seed = |id: &str, chapter: u32| {
        json!({"id": id, "description": "…", "scope": "short", "planted_chapter": chapter,
            "planted_storyline": "main-arc", "resolve_from": 9, "resolve_to": 12})
    };
    let chapters = json!([
        {"foreshadowing": [{"id": "old_key", "action": "advanced"}]},
        {"foreshadowing": [{"id": "letter", "action": "planted"}]},
    ]);
    // The second is planted in another chapter than its entry says: that is for the checks.
    let seeds = json!([seed("lamp", 1), seed("letter", 1), seed("later", 7)]);
    let plan = completed(plan(chapters, seeds), &cast(), &state());
    let updates = |at: usize| {
        let updates = plan.chapters[at].foreshadowing.iter();
        let pairs = updates.map(|update| (update.id.to_string(), update.action.word()));
        pairs.collect::<Vec<_>>()
    };
    let pair = |id: &str, action| (id.to_owned(), action);
    assert_eq!(
        updates(0),
        [pair("lamp", "planted"), pair("old_key", "advanced")]
    );
    assert_eq!(updates(1), [pair("letter", "planted")]);
}

#[test]
fn chapters_without_a_number_are_numbered_by_their_place() {
    let first = ChapterNo::new(4).expect("a number");
    let answer = json!({"chapters": [{"title": "a"}, {"chapter": 9}, {"title": "b"}]});
    assert_eq!(
        numbered(answer, first),
        Some(json!({"chapters": [
            {"title": "a", "chapter": 4}, {"chapter": 9}, {"title": "b", "chapter": 6}]}))
    );
    // What says everything, and what is no plan, is left to whoever reads it.
    for other in [
        json!({"chapters": [{"chapter": 4}]}),
        json!({"chapters": 3}),
        json!([1]),
    ] {
        assert_eq!(numbered(other, first), None);
    }
}

#[test]
fn of_objectives_that_may_all_fail_the_first_must_happen() {
    let objective = |required| json!({"type": "plot", "required": required, "description": "…"});
    let chapters = json!([
        {"objectives": [objective(false), objective(false)]},
        {"objectives": [objective(false), objective(true)]},
    ]);
    let plan = completed(plan(chapters, json!([])), &cast(), &state());
    let required = |at: usize| -> Vec<bool> {
        let objectives = plan.chapters[at].objectives.iter();
        objectives.map(|objective| objective.required).collect()
    };
    assert_eq!(
        (required(0), required(1)),
        (vec![true, false], vec![false, true])
    );
}

#[test]
fn somebody_named_twice_is_what_was_said_last() {
    let chapters = json!([{
        "before": [{"character": "老林"}, {"character": "沈九"}, {"character": "林枫"}],
        "after": [{"character": "林枫", "location": "码头"}, {"character": "老林", "location": "灯塔"}],
    }]);
    let plan = completed(plan(chapters, json!([])), &cast(), &StoryState::initial());
    let names = |entries: &[PersonState]| -> Vec<String> {
        let names = entries.iter().map(|entry| entry.character.clone());
        names.collect()
    };
    assert_eq!(names(&plan.chapters[0].before), ["沈九", "林枫"]);
    assert_eq!(names(&plan.chapters[0].after), ["老林"]);
}
