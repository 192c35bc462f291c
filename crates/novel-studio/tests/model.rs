//! Setting up a model, changing settings, the limit of a run: the key is in its file and nowhere else.

use std::os::unix::fs::PermissionsExt;

use axum::http::StatusCode;
use novel_mockllm::{Behaviour, MockServer};
use novel_model::Lang;
use novel_testkit::tree;
use serde_json::json;

use crate::support::{House, encoded};

const KEY: &str = "sk-live-typed-in-a-browser-1234";

fn ready() -> MockServer {
    MockServer::start(|_| Behaviour::json(&json!({"ready": true, "word": "rain"}))).unwrap()
}

fn toml(house: &House) -> String {
    std::fs::read_to_string(house.root().join("novel.toml")).unwrap()
}

#[test]
fn a_typed_key_is_tried_and_is_in_its_file_and_nowhere_else() {
    let (house, heard) = House::overheard(Lang::En, 1);
    let server = ready();
    let fields = format!(
        "provider=&base={}&model=stub-model&place=typed&key={}",
        encoded(&server.openai_base()),
        encoded(KEY)
    );
    let answer = house.post("/b/fare/model", &fields);
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert!(answer.body.contains("it answers"), "{}", answer.body);
    assert!(answer.body.contains("data-key=\"u\""), "{}", answer.body);
    assert!(!answer.body.contains(KEY), "{}", answer.body);
    let authorization = format!("Bearer {KEY}");
    let asked = server.requests();
    assert_eq!(asked[0].header("authorization"), Some(&*authorization));

    assert!(
        heard.arguments().contains("--key-stdin"),
        "{}",
        heard.arguments()
    );
    assert!(!heard.arguments().contains(KEY), "{}", heard.arguments());
    let file = heard.home().join(".config/novel/keys/127-0-0-1");
    assert_eq!(std::fs::read_to_string(&file).unwrap().trim(), KEY);
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let written = toml(&house);
    assert!(
        written.contains("~/.config/novel/keys/127-0-0-1"),
        "{written}"
    );
    assert_eq!(house.files_with(KEY), Vec::<String>::new());
    for path in ["/b/fare/model", "/b/fare/settings", "/b/fare/history"] {
        let page = house.get(path).body;
        assert!(!page.contains(KEY), "{path}");
    }
    assert!(house.get("/b/fare/model").body.contains("stub-model"));

    let newest = house.operations()[0].operation;
    house.post("/b/fare/undo", &format!("operation={newest}"));
    assert!(!toml(&house).contains("stub-model"));
}

#[test]
fn a_call_that_fails_says_why_without_the_key_and_writes_nothing() {
    let (house, heard) = House::overheard(Lang::En, 1);
    let server = MockServer::start(|_| Behaviour::unauthorized(KEY)).unwrap();
    let before = tree(&house.root());
    let fields = format!(
        "provider=&base={}&model=stub-model&place=typed&key={KEY}",
        encoded(&server.openai_base())
    );
    let answer = house.post("/b/fare/model", &fields);
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(answer.body.contains("PROVIDER_AUTH"), "{}", answer.body);
    assert!(!answer.body.contains(KEY), "{}", answer.body);
    assert_eq!(tree(&house.root()), before);
    assert!(!heard.home().join(".config").exists());
}

#[test]
fn a_key_in_a_wrong_field_goes_into_no_argument_and_no_page() {
    let (house, heard) = House::overheard(Lang::En, 1);
    let before = tree(&house.root());
    let hexadecimal = "0af0c1d2e3f405162738495a6b7c8d9e";
    for (path, fields) in [
        (
            "model",
            format!("provider=openai&model=m&place=variable&variable={KEY}"),
        ),
        (
            "model",
            format!("provider=openai&model=m&place=variable&variable=a{hexadecimal}"),
        ),
        (
            "model",
            format!("provider=openai&model=m&place=file&file={KEY}"),
        ),
        ("settings", format!("act=set&key=llm.key_env&value={KEY}")),
        (
            "settings",
            format!("act=set&key=llm.key_file&value={hexadecimal}"),
        ),
    ] {
        let answer = house.post(&format!("/b/fare/{path}"), &fields);
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{fields}");
        for secret in [KEY, hexadecimal] {
            assert!(!answer.body.contains(secret), "{fields}: {}", answer.body);
        }
        assert!(answer.body.contains("role=\"alert\""), "{}", answer.body);
    }
    for fields in [
        "provider=openai&model=&place=usual",
        "provider=&model=m&place=usual",
        "provider=openai&model=m&place=typed&key=",
    ] {
        let answer = house.post("/b/fare/model", fields);
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{fields}");
    }
    let odd = house.post("/b/fare/model", "provider=--help&model=m&place=usual");
    assert_eq!(odd.status, StatusCode::NOT_FOUND);
    assert_eq!(heard.arguments(), "");
    assert_eq!(tree(&house.root()), before);
}

#[test]
fn a_setting_is_changed_taken_out_and_refused_with_its_code() {
    let house = House::acting(Lang::Zh, 1);
    let set = house.post("/b/fare/settings", "act=set&key=plan.chapters&value=24");
    assert_eq!(set.status, StatusCode::SEE_OTHER, "{}", set.body);
    assert!(set.headers["location"].to_str().unwrap().contains("after="));
    assert!(toml(&house).contains("chapters = 24"), "{}", toml(&house));
    assert_eq!(house.operations()[0].kind, "config");
    let page = house.get("/b/fare/settings?key=plan.chapters").body;
    assert!(page.contains("value=\"24\""), "{page}");
    let unset = house.post("/b/fare/settings", "act=unset&key=plan.chapters&value=");
    assert_eq!(unset.status, StatusCode::SEE_OTHER, "{}", unset.body);
    assert!(!toml(&house).contains("chapters = 24"));
    for (fields, code) in [
        ("act=set&key=plan.chapter&value=24", "UNKNOWN_SETTING"),
        ("act=set&key=plan.chapters&value=many", "BAD_SETTING_VALUE"),
        ("act=set&key=--help&value=1", "UNKNOWN_SETTING"),
        ("act=set&key=approval&value=--help", "BAD_SETTING_VALUE"),
    ] {
        let refused = house.post("/b/fare/settings", fields);
        assert_eq!(refused.status, StatusCode::CONFLICT, "{fields}");
        assert!(refused.body.contains(code), "{fields}: {}", refused.body);
    }
}

#[test]
fn a_paid_run_has_a_limit_or_is_said_to_have_none() {
    let (house, heard) = House::overheard(Lang::En, 1);
    let server = MockServer::start(|_| Behaviour::unauthorized("x")).unwrap();
    let config = format!(
        "executor = \"llm\"\n{}\n[llm]\nbase_url = \"{}\"\nmax_attempts = 1\n[models]\ndefault = \"stub\"\n[prices.stub]\ninput = 1.0\noutput = 1.0\n",
        toml(&house).replace("executor = \"offline\"\n", ""),
        server.openai_base()
    );
    std::fs::write(house.root().join("novel.toml"), config).unwrap();
    let page = house.get("/b/fare/runs").body;
    assert!(
        page.contains("name=\"limit\"") && page.contains("name=\"unlimited\""),
        "{page}"
    );
    for fields in ["to=3", "to=3&limit=", "to=3&limit=-1", "to=3&limit=lots"] {
        let answer = house.post("/b/fare/runs", fields);
        assert_eq!(
            answer.headers["location"], "/b/fare/runs?note=limit",
            "{fields}"
        );
    }
    assert_eq!(heard.arguments(), "");
    let started = house.post("/b/fare/runs", "to=3&limit=2.5");
    assert_eq!(started.status, StatusCode::SEE_OTHER, "{}", started.body);
    assert_eq!(started.headers["location"], "/b/fare/runs/1");
    assert!(
        heard.arguments().contains("--max-cost=2.5"),
        "{}",
        heard.arguments()
    );
}

#[test]
fn a_run_that_does_not_even_begin_says_why() {
    let house = House::acting(Lang::En, 1);
    let config = format!(
        "executor = \"llm\"\n{}",
        toml(&house).replace("executor = \"offline\"\n", "")
    );
    std::fs::write(house.root().join("novel.toml"), config).unwrap();
    let answer = house.post("/b/fare/runs", "to=3&unlimited=1");
    assert_eq!(answer.status, StatusCode::CONFLICT, "{}", answer.body);
    assert!(
        answer.body.contains("novel run --to 3 --max-cost=none"),
        "{}",
        answer.body
    );
}
