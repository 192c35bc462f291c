//! The editor: where its script is loaded, how large it is, what lets its styles in, how it saves.

use std::io::Write;

use axum::http::{Method, StatusCode};
use flate2::{Compression, write::GzEncoder};
use novel_model::{ContentHash, Lang};
use novel_studio::TABLE;

use crate::support::{Answer, House, own};

const EDIT: &str = "/b/fare/chapters/1/edit";

fn scripts(page: &str) -> Vec<String> {
    let sources = page.split("<script src=\"").skip(1);
    sources
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect()
}

fn compressed(text: &str) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap().len()
}

fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

fn nonce(answer: &Answer) -> Option<String> {
    let policy = answer.headers["content-security-policy"].to_str().unwrap();
    let rest = policy.split("'nonce-").nth(1)?;
    Some(rest.split('\'').next().unwrap().to_owned())
}

#[test]
fn scripts_are_small_and_the_editor_is_loaded_where_a_text_is_edited() {
    let house = House::signed_in(Lang::En, 2);
    for route in TABLE.iter().filter(|route| route.method == "get") {
        if route.path.ends_with("/live") || route.path.contains("{run}") {
            continue;
        }
        let path = route
            .path
            .replace("{book}", "fare")
            .replace("{chapter}", "1")
            .replace("{person}", "ilse")
            .replace("{format}", "txt");
        let page = house.get(&path).body;
        let sources = scripts(&page);
        let size: usize = sources
            .iter()
            .map(|source| compressed(&house.get(source).body))
            .sum();
        let has_editor = sources.iter().any(|source| source.contains("/editor-"));
        assert_eq!(has_editor, path == EDIT, "{path}: {sources:?}");
        let most = if has_editor { 135 } else { 12 } * 1024;
        assert!(size <= most, "{path}: {size} bytes");
    }
}

#[test]
fn the_styles_of_the_editor_are_let_in_by_a_value_of_one_page() {
    let house = House::signed_in(Lang::En, 2);
    let (first, second) = (house.get(EDIT), house.get(EDIT));
    let (one, other) = (nonce(&first).unwrap(), nonce(&second).unwrap());
    assert_ne!(one, other, "a nonce is used once");
    assert!(first.body.contains(&format!("data-nonce=\"{one}\"")));
    let policy = first.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("script-src 'self';"), "{policy}");
    assert_eq!(nonce(&house.get("/b/fare/chapters/1")), None);
    assert_eq!(nonce(&house.get("/b/fare")), None);
}

#[test]
fn the_licences_go_where_the_editor_goes() {
    let house = House::signed_in(Lang::En, 1);
    let settings = house.get("/b/fare/settings").body;
    let place = settings.split("href=\"/assets/notice-").nth(1).unwrap();
    let name = place.split('"').next().unwrap();
    let notice = house.get(&format!("/assets/notice-{name}"));
    assert_eq!(notice.status, StatusCode::OK);
    assert!(notice.body.contains("Marijn Haverbeke"), "{}", notice.body);
    assert!(notice.body.contains("Permission is hereby granted"));
}

#[test]
fn a_save_of_the_editor_answers_with_the_next_hash_or_says_why_not() {
    let house = House::acting(Lang::En, 2);
    let file = house.root().join("chapters/chapter-001.md");
    let old = std::fs::read_to_string(&file).unwrap();
    let base = encoded(ContentHash::of(&old).as_str());
    let new = format!("{}\n\nRain, then.\n", old.trim_end());
    let quiet = format!("{EDIT}?quiet=1");
    let save = |text: &str, base: &str| {
        let answer = house.post(&quiet, &format!("base={base}&text={}", encoded(text)));
        let told: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
        (answer.status, told)
    };
    let (status, told) = save(&new, &base);
    assert_eq!(status, StatusCode::OK, "{told}");
    assert_eq!(told["hash"], ContentHash::of(&new).as_str());
    assert_eq!(told["edited"], true);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), new);

    // From the hash of before: another save came first.
    let (status, told) = save(&old, &base);
    assert_eq!(status, StatusCode::CONFLICT, "{told}");
    assert_eq!(told["found"], ContentHash::of(&new).as_str());

    let base = encoded(ContentHash::of(&new).as_str());
    let (status, told) = save("  ", &base);
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{told}");
    assert_eq!(told["code"], "EMPTY_EDIT");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), new);

    let (status, told) = save(&old, &base);
    assert_eq!((status, &told["edited"]), (StatusCode::OK, &false.into()));
}

#[test]
fn a_conflict_has_the_editor_with_both_texts() {
    let house = House::acting(Lang::En, 2);
    let file = house.root().join("chapters/chapter-001.md");
    let old = std::fs::read_to_string(&file).unwrap();
    let base = encoded(ContentHash::of(&old).as_str());
    std::fs::write(&file, format!("{old}\n<b>theirs</b>\n")).unwrap();
    let text = encoded(&format!("{old}\nmine & more\n"));
    let answer = house.post(EDIT, &format!("base={base}&text={text}"));
    assert_eq!(answer.status, StatusCode::CONFLICT);
    let body = &answer.body;
    let original = body.split("data-original>").nth(1).unwrap();
    let original = original.split("</textarea>").next().unwrap();
    assert!(original.contains("&lt;b&gt;theirs&lt;/b&gt;"), "{original}");
    assert!(body.contains("mine &amp; more"), "{body}");
    let nonce = nonce(&answer).unwrap();
    assert!(body.contains(&format!("data-nonce=\"{nonce}\"")));
    assert!(
        scripts(body)
            .iter()
            .any(|source| source.contains("/editor-"))
    );
}

#[test]
fn the_script_of_the_editor_is_sent_to_anybody_and_holds_nothing_of_the_book() {
    let house = House::signed_in(Lang::En, 1);
    let page = house.get(EDIT).body;
    let source = scripts(&page)
        .into_iter()
        .find(|source| source.contains("/editor-"))
        .unwrap();
    let answer = house.send(own(Method::GET, &source), String::new());
    assert_eq!(answer.status, StatusCode::OK);
    let cache = answer.headers["cache-control"].to_str().unwrap();
    assert!(cache.contains("immutable"), "{cache}");
}
