use novel_testkit::memory::MemoryBook;
use serde_json::json;

use super::*;

fn book() -> MemoryBook {
    let person =
        |name: &str| json!({"display_name": name, "aliases": [format!("阿{name}")]}).to_string();
    MemoryBook::new()
        .with("characters/active/lin-feng.json", person("林枫"))
        .with("characters/active/chen-lao.json", person("陈老"))
        .with("characters/active/su-wan.json", person("苏晚"))
        .with(
            "world/truth.json",
            json!({"version": 1,
                "events": [{"id": "E-1", "when": "二十年前", "what": "大火是人放的"}],
                "secrets": [{"id": "S-1", "fact": "陈老放了那把火", "known_by": [
                        {"character": "陈老"}, {"character": "lin-feng", "from_chapter": 47}],
                    "reader_from_chapter": 30,
                    "false_beliefs": [{"character": "阿林枫", "belief": "火是雷劈的"}]},
                    {"id": "S-2", "fact": "密信在井里", "known_by": [{"character": "苏晚", "from_chapter": 10}]}],
                "clues": [{"secret": "S-1", "chapter": 20, "how": "陈老袖口的烫痕"}]})
            .to_string(),
        )
}

fn load(book: &MemoryBook) -> Result<Knowledge, ContextError> {
    let cast = Cast::load(book).unwrap();
    Knowledge::load(book, &cast).map(Option::unwrap)
}

fn told(
    chapter: u32,
    pov: Option<&str>,
    on_stage: &[&str],
    contract: &str,
) -> Vec<(String, Standing)> {
    let ids: Vec<Slug> = on_stage.iter().map(|id| id.parse().unwrap()).collect();
    let pov: Option<Slug> = pov.map(|id| id.parse().unwrap());
    let knowledge = load(&book()).unwrap();
    let chapter = ChapterNo::new(chapter).unwrap();
    let filtered = knowledge.for_writer(chapter, pov.as_ref(), &ids, contract);
    filtered
        .secrets
        .into_iter()
        .map(|it| (it.id, it.standing))
        .collect()
}

#[test]
fn the_writer_is_told_what_the_point_of_view_knows_by_then() {
    let known = vec![("S-1".to_owned(), Standing::Known)];
    assert_eq!(told(46, Some("lin-feng"), &["lin-feng"], ""), []);
    assert_eq!(told(47, Some("lin-feng"), &["lin-feng"], ""), known);
    assert_eq!(told(1, Some("chen-lao"), &["chen-lao"], ""), known);
}

#[test]
fn what_somebody_else_on_stage_knows_is_not_to_be_told() {
    let not = |id: &str| Standing::NotToBeTold(vec![id.parse().unwrap()]);
    assert_eq!(
        told(9, Some("lin-feng"), &["lin-feng", "chen-lao", "su-wan"], ""),
        [("S-1".to_owned(), not("chen-lao"))]
    );
    assert_eq!(
        told(10, Some("lin-feng"), &["lin-feng", "su-wan"], ""),
        [("S-2".to_owned(), not("su-wan"))]
    );
}

#[test]
fn the_contract_may_bring_a_secret_up() {
    let here = vec![("S-1".to_owned(), Standing::InContract)];
    assert_eq!(told(20, Some("lin-feng"), &[], "本章揭开 S-1"), here);
    assert_eq!(
        told(20, Some("lin-feng"), &[], "林枫得知陈老放了那把火"),
        here
    );
    // Another id that begins alike is not this one.
    assert_eq!(told(20, Some("lin-feng"), &[], "揭开 S-12"), []);
}

#[test]
fn without_a_single_point_of_view_only_what_the_reader_knows() {
    assert_eq!(told(29, None, &["chen-lao", "su-wan"], "S-1"), []);
    assert_eq!(
        told(30, None, &["chen-lao", "su-wan"], ""),
        [("S-1".to_owned(), Standing::ReaderKnows)]
    );
}

#[test]
fn beliefs_and_clues_of_the_chapter_are_told_and_the_rest_is_withheld() {
    let knowledge = load(&book()).unwrap();
    let pov: Slug = "lin-feng".parse().unwrap();
    let at = |chapter| {
        let chapter = ChapterNo::new(chapter).unwrap();
        knowledge.for_writer(chapter, Some(&pov), std::slice::from_ref(&pov), "")
    };
    assert_eq!(at(20).beliefs, [(pov.clone(), "火是雷劈的".to_owned())]);
    assert_eq!(at(20).clues, ["陈老袖口的烫痕"]);
    assert_eq!(at(20).withheld, ["陈老放了那把火", "密信在井里"]);
    // Who knows better believes it no longer.
    assert_eq!(at(47).beliefs, []);
    assert_eq!(at(47).clues, Vec::<String>::new());
}

#[test]
fn a_mind_at_a_chapter() {
    let knowledge = load(&book()).unwrap();
    let at =
        |id: &str, chapter| knowledge.mind(&id.parse().unwrap(), ChapterNo::new(chapter).unwrap());
    let mind = at("lin-feng", 47);
    assert_eq!(
        mind.knows,
        [("S-1".to_owned(), "陈老放了那把火".to_owned(), 47)]
    );
    assert_eq!(
        mind.does_not_know,
        [("S-2".to_owned(), "密信在井里".to_owned())]
    );
    assert_eq!(
        at("lin-feng", 46).believes,
        [("S-1".to_owned(), "火是雷劈的".to_owned())]
    );
}

#[test]
fn damaged_or_wrong_truth_is_an_error() {
    let broken = book().with("world/truth.json", "{\"secrets\": [}");
    assert!(load(&broken).is_err());
    let strange = book().with(
        "world/truth.json",
        json!({"secrets": [{"id": "S-1", "fact": "…", "known_by": [{"character": "谁"}]}]})
            .to_string(),
    );
    let error = load(&strange).unwrap_err().into_problems();
    assert_eq!(
        error[0].location(),
        "world/truth.json#/secrets/0/known_by/0/character"
    );
    let orphan = book().with(
        "world/truth.json",
        json!({"secrets": [], "clues": [{"secret": "S-9", "how": "…"}]}).to_string(),
    );
    assert_eq!(
        load(&orphan).unwrap_err().into_problems()[0].code,
        "unknown_secret"
    );
}

#[test]
fn what_a_person_hides_is_taken_out_of_the_profile() {
    let profile = "# 陈老\n\n守墓人。\n- 习惯：早起\n- **秘密**：当年放了火\n\n## 不可告人的秘密\n\n他还有一个儿子。\n\n## 外貌\n\n白须。\n";
    let (open, hidden) = hidden_part(profile);
    assert_eq!(
        open,
        "# 陈老\n\n守墓人。\n- 习惯：早起\n\n## 外貌\n\n白须。"
    );
    assert_eq!(hidden, ["秘密：当年放了火", "他还有一个儿子。"]);
    assert_eq!(
        hidden_part("Keeper.\nSecret: he lit it.").1,
        ["Secret: he lit it."]
    );
    assert_eq!(
        hidden_part("他知道一个秘密，从来没有说过：井。").1,
        Vec::<String>::new()
    );
}
