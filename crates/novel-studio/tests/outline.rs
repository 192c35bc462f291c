//! Outline and people, changed in the browser.

use axum::http::StatusCode;
use novel_model::Lang;

use crate::support::House;

const PAGE: &str = "/b/fare/outline";

fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let rest = text.split(start).nth(1).unwrap_or_else(|| panic!("{text}"));
    rest.split(end).next().unwrap()
}

/// The outline in the form, and the hash it is sent with.
fn shown(house: &House) -> (String, String) {
    let page = house.get(PAGE);
    assert_eq!(page.status, StatusCode::OK);
    let base = between(&page.body, "name=\"base\" value=\"", "\"").to_owned();
    let field = between(&page.body, "<textarea", "</textarea>");
    let text = field.split_once('>').unwrap().1;
    (text.replace("&quot;", "\"").replace("&amp;", "&"), base)
}

fn send(house: &House, base: &str, text: &str) -> crate::support::Answer {
    let fields = format!("base={}&text={}", encoded(base), encoded(text));
    house.post(PAGE, &fields)
}

/// The outline with another conflict in a chapter.
fn changed(text: &str, chapter: u32, conflict: &str) -> String {
    let at = text.find(&format!("### Chapter {chapter}:")).unwrap();
    let (head, tail) = text.split_at(at);
    let line = tail.lines().find(|line| line.starts_with("- **Conflict**"));
    let new = format!("- **Conflict**: {conflict}");
    format!("{head}{}", tail.replacen(line.unwrap(), &new, 1))
}

#[test]
fn an_edited_outline_is_a_plan_that_waits_for_approval() {
    let house = House::acting(Lang::En, 2);
    assert!(
        house
            .get("/b/fare/board")
            .body
            .contains("/b/fare/outline\"")
    );
    let (text, base) = shown(&house);
    assert!(
        text.contains("### Chapter 3:") && !text.contains("### Chapter 2:"),
        "{text}"
    );
    let file = house.root().join("volumes/vol-01/outline.md");
    let before = std::fs::read_to_string(&file).unwrap();
    let taken = send(
        &house,
        &base,
        &changed(&text, 5, "Rain & wind shut the slip"),
    );
    assert_eq!(taken.status, StatusCode::SEE_OTHER, "{}", taken.body);
    let place = taken.headers["location"].to_str().unwrap();
    assert!(place.contains("plan=waiting"), "{place}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before, "not yet");
    let board = house
        .get("/b/fare/board?volume=1&plan=waiting&chapter=5")
        .body;
    assert!(board.contains("Rain &amp; wind shut the slip"), "{board}");

    // The plan that waits can be edited as well.
    let (text, base) = shown(&house);
    assert!(text.contains("Rain & wind"), "{text}");
    let again = send(&house, &base, &changed(&text, 5, "Snow shuts the slip"));
    assert_eq!(again.status, StatusCode::SEE_OTHER, "{}", again.body);
    let approved = house.post("/b/fare/decisions", "kind=choice&choice=approve");
    assert_eq!(approved.status, StatusCode::SEE_OTHER, "{}", approved.body);
    let now = std::fs::read_to_string(&file).unwrap();
    assert_eq!(now, changed(&before, 5, "Snow shuts the slip"));
}

#[test]
fn an_outline_that_changed_meanwhile_is_not_overwritten() {
    let house = House::acting(Lang::En, 2);
    let (text, base) = shown(&house);
    let file = house.root().join("volumes/vol-01/outline.md");
    let other = changed(
        &std::fs::read_to_string(&file).unwrap(),
        6,
        "Somebody else's",
    );
    std::fs::write(&file, &other).unwrap();
    let operations = house.operations().len();
    let refused = send(&house, &base, &changed(&text, 5, "Mine <b>"));
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
    assert!(refused.body.contains("Somebody else's"), "{}", refused.body);
    assert!(refused.body.contains("Mine &lt;b&gt;"), "{}", refused.body);
    assert_eq!(house.operations().len(), operations);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), other);
}

#[test]
fn an_outline_that_does_not_fit_comes_back_with_its_lines() {
    let house = House::acting(Lang::Zh, 2);
    let (text, base) = shown(&house);
    let refused = send(&house, &base, &text.replacen("- **POV**", "- **Whose**", 1));
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        refused.body.contains("OUTLINE_DOES_NOT_FIT"),
        "{}",
        refused.body
    );
    assert!(refused.body.contains("行："), "{}", refused.body);
    assert!(
        refused.body.contains("- **Whose**"),
        "the text is still there"
    );
    assert!(!house.root().join("staging/volumes").exists());
    let odd = house.post(PAGE, "base=x");
    assert_eq!(odd.status, StatusCode::NOT_FOUND);
}

#[test]
fn nobody_who_is_needed_leaves_the_story() {
    let house = House::acting(Lang::En, 2);
    let page = house.get("/b/fare/codex/ilse").body;
    assert!(!page.contains("id=\"reason\""), "{page}");
    let refused = house.post("/b/fare/codex/ilse", "reason=--help");
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
    assert!(
        refused.body.contains("CHARACTER_NEEDED"),
        "{}",
        refused.body
    );
    let odd = house.post("/b/fare/codex/No_One", "reason=");
    assert!(odd.status.is_client_error());
}

#[test]
fn somebody_nothing_needs_leaves_and_comes_back() {
    let house = House::acting(Lang::En, 12);
    let people = house.root().join("characters/active");
    let ids = std::fs::read_dir(&people).unwrap().filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        name.strip_suffix(".json").map(str::to_owned)
    });
    let free = ids.filter(|id| {
        house
            .get(&format!("/b/fare/codex/{id}"))
            .body
            .contains("id=\"reason\"")
    });
    let id = free.into_iter().next().expect("somebody is free to go");
    let gone = house.post(&format!("/b/fare/codex/{id}"), "reason=sails+away");
    assert_eq!(gone.status, StatusCode::SEE_OTHER, "{}", gone.body);
    assert!(!people.join(format!("{id}.json")).exists());
    assert!(!house.files_with("sails away").is_empty());
    let page = house.get(&format!("/b/fare/codex/{id}"));
    assert_eq!(page.status, StatusCode::OK);
    let operation = house.operations()[0].operation;
    house.post("/b/fare/undo", &format!("operation={operation}"));
    assert!(people.join(format!("{id}.json")).exists());
}
