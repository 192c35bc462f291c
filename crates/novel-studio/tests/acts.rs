//! Acts: each is the command it shows, and gives the same operation.

use axum::http::StatusCode;
use novel_model::{ContentHash, Lang};

use crate::support::{House, encoded};

fn markdown(house: &House, chapter: &str) -> String {
    std::fs::read_to_string(house.root().join(format!("chapters/chapter-{chapter}.md"))).unwrap()
}

#[test]
fn an_edit_is_saved_with_its_hash_adopted_and_undone() {
    let house = House::acting(Lang::En, 2);
    let old = markdown(&house, "001");
    let base = ContentHash::of(&old);
    let page = house.get("/b/fare/chapters/1/edit").body;
    assert!(page.contains(base.as_str()), "the form carries the hash");
    let new = format!("{}\n\nOne more line, by hand.\n", old.trim_end());
    let fields = format!(
        "base={}&text={}",
        encoded(base.as_str()),
        encoded(&new.replace('\n', "\r\n"))
    );
    let saved = house.post("/b/fare/chapters/1/edit", &fields);
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.body);
    assert_eq!(markdown(&house, "001"), new);
    assert_eq!(house.operations()[0].kind, "edit");
    assert!(house.get("/b/fare/decisions").body.contains("edited"));

    let adopted = house.post("/b/fare/chapters/1/adopt", "act=adopt");
    assert_eq!(adopted.status, StatusCode::SEE_OTHER, "{}", adopted.body);
    let newest = house.operations()[0].clone();
    assert_eq!(newest.kind, "rewrite");
    assert!(
        house
            .get("/b/fare/chapters/1")
            .body
            .contains("One more line, by hand.")
    );

    let undone = house.post("/b/fare/undo", &format!("operation={}", newest.operation));
    assert_eq!(undone.status, StatusCode::SEE_OTHER, "{}", undone.body);
    assert!(
        !house
            .get("/b/fare/chapters/1")
            .body
            .contains("One more line, by hand.")
    );
    // The same button, pressed twice, takes nothing more back.
    let twice = house.post("/b/fare/undo", &format!("operation={}", newest.operation));
    assert!(
        house
            .operations()
            .iter()
            .filter(|operation| operation.undone)
            .count()
            == 1,
        "{}",
        twice.body
    );
}

#[test]
fn the_second_of_two_edits_meets_a_conflict_and_loses_nothing() {
    let house = House::acting(Lang::En, 1);
    let old = markdown(&house, "001");
    let base = encoded(ContentHash::of(&old).as_str());
    let (first, second) = (format!("{old}\nFirst.\n"), format!("{old}\nSecond.\n"));
    let save = |text: &str| {
        house.post(
            "/b/fare/chapters/1/edit",
            &format!("base={base}&text={}", encoded(text)),
        )
    };
    assert_eq!(save(&first).status, StatusCode::SEE_OTHER);
    let met = save(&second);
    assert_eq!(met.status, StatusCode::CONFLICT);
    assert!(
        met.body.contains("threeway") && met.body.contains("Second."),
        "{}",
        met.body
    );
    assert!(markdown(&house, "001").contains("First."));
    assert!(!markdown(&house, "001").contains("Second."));
    // Said again, the first save is done already and writes nothing.
    let count = house.operations().len();
    assert_eq!(save(&first).status, StatusCode::SEE_OTHER);
    assert_eq!(house.operations().len(), count);
}

#[test]
fn an_empty_text_and_a_chapter_that_is_not_written_are_refused() {
    let house = House::acting(Lang::En, 1);
    let base = encoded(ContentHash::of(markdown(&house, "001")).as_str());
    let empty = house.post("/b/fare/chapters/1/edit", &format!("base={base}&text=%20"));
    assert_eq!(empty.status, StatusCode::CONFLICT);
    assert!(empty.body.contains("EMPTY_EDIT"), "{}", empty.body);
    let missing = house.post("/b/fare/chapters/7/edit", &format!("base={base}&text=x"));
    assert!(missing.body.contains("NO_SUCH_CHAPTER"), "{}", missing.body);
    let no_hash = house.post("/b/fare/chapters/1/edit", "base=--force&text=x");
    assert!(no_hash.status.is_client_error(), "{}", no_hash.status);
    assert_eq!(
        house
            .operations()
            .iter()
            .filter(|operation| operation.kind == "edit")
            .count(),
        0
    );
}

#[test]
fn a_refused_act_shows_its_code_and_hint_and_the_command() {
    let house = House::acting(Lang::En, 1);
    let answer = house.post("/b/fare/decisions", "kind=revision&act=apply&chapter=1");
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(answer.body.contains("NO_REVISION"), "{}", answer.body);
    assert!(
        answer.body.contains("novel revision apply 1"),
        "{}",
        answer.body
    );
    let waive = house.post("/b/fare/checks", "act=waive&fingerprint=--help&reason=x");
    assert_eq!(waive.status, StatusCode::CONFLICT, "{}", waive.body);
    let unknown = house.post("/b/fare/decisions", "kind=choice&choice=rm");
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

#[test]
fn a_key_in_the_environment_is_in_no_answer() {
    let house = House::acting(Lang::En, 1);
    let toml = house.root().join("novel.toml");
    let config = std::fs::read_to_string(&toml).unwrap();
    // A variable every test process has stands for the key.
    let secret = std::env::var("PATH").unwrap();
    std::fs::write(&toml, format!("{config}\n[llm]\nkey_env = \"PATH\"\n")).unwrap();
    for path in ["/b/fare/settings", "/b/fare", "/b/fare/runs"] {
        let answer = house.get(path);
        assert!(!answer.body.contains(&secret), "{path}");
    }
}

#[test]
fn a_sample_and_a_new_book_come_onto_the_shelf() {
    let house = House::acting(Lang::En, 0);
    let sample = house.post("/demo", "language=en");
    assert_eq!(sample.status, StatusCode::SEE_OTHER, "{}", sample.body);
    assert_eq!(sample.headers["location"], "/b/novel-demo");
    assert_eq!(house.get("/b/novel-demo/chapters/3").status, StatusCode::OK);
    let made = house.post(
        "/new",
        &format!(
            "title={}&genre=mystery&language=en",
            encoded("../../Odd \u{2014} title")
        ),
    );
    assert_eq!(made.status, StatusCode::SEE_OTHER, "{}", made.body);
    assert_eq!(made.headers["location"], "/b/odd-title");
    assert_eq!(house.get("/b/odd-title").status, StatusCode::OK);
}

#[test]
fn the_rest_is_planned_anew_and_the_plan_approved() {
    let house = House::acting(Lang::En, 2);
    let page = house.get("/b/fare/board").body;
    assert!(page.contains("action=\"/b/fare/board\""), "{page}");
    assert!(page.contains("free"), "the price is shown");
    let note = encoded("--help: more rain & fewer letters");
    let started = house.post("/b/fare/board", &format!("from=5&note={note}"));
    assert_eq!(started.status, StatusCode::SEE_OTHER, "{}", started.body);
    // A command that goes on by itself is over when its lock is gone.
    let waits = || {
        house
            .get("/b/fare/board?plan=waiting")
            .body
            .contains("this plan waits for you")
            && house
                .get("/b/fare/decisions")
                .body
                .contains("value=\"approve\"")
            && !house.root().join(".novel.lock").exists()
    };
    let begun = std::time::Instant::now();
    while !waits() {
        assert!(begun.elapsed().as_secs() < 60, "no plan waits");
    }
    let board = house.get("/b/fare/board").body;
    assert!(board.contains("a new plan waits for you"), "{board}");
    assert!(!board.contains("id=\"replan\""), "one plan at a time");
    let approved = house.post("/b/fare/decisions", "kind=choice&choice=approve");
    assert_eq!(approved.status, StatusCode::SEE_OTHER, "{}", approved.body);
    assert_eq!(house.operations()[0].kind, "commit-volume");
    let notes = std::fs::read_to_string(house.root().join("logs/notes.jsonl")).unwrap();
    assert!(notes.contains("more rain & fewer letters"), "{notes}");
}

#[test]
fn a_written_chapter_is_not_planned_anew() {
    let house = House::acting(Lang::En, 2);
    let refused = house.post("/b/fare/board", "from=1&note=");
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.body);
    assert!(
        refused.body.contains("NOTHING_TO_REPLAN"),
        "{}",
        refused.body
    );
    let odd = house.post("/b/fare/board", "from=--help");
    assert_eq!(odd.status, StatusCode::NOT_FOUND);
}

#[test]
fn a_hand_edit_of_any_age_is_on_the_desk_until_it_is_adopted() {
    let house = House::acting(Lang::En, 12);
    assert!(!house.get("/b/fare").body.contains("edited-1"));
    let path = house.root().join("chapters/chapter-001.md");
    let old = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{old}\nBy hand.\n")).unwrap();
    assert!(house.get("/b/fare").body.contains("item=edited-1\""));
    std::fs::write(&path, old).unwrap();
    assert!(!house.get("/b/fare").body.contains("item=edited-1\""));
    // A damaged chapter is told of where it is shown; the other pages are there.
    std::fs::write(house.root().join("chapters/chapter_001.json"), "{").unwrap();
    assert_eq!(house.get("/b/fare/settings").status, StatusCode::OK);
}

#[test]
fn the_saved_text_is_checked_at_its_lines() {
    let house = House::acting(Lang::En, 7);
    let word = std::fs::read_to_string(house.root().join("ai-blacklist.json")).unwrap();
    let word: serde_json::Value = serde_json::from_str(&word).unwrap();
    let word = word["words"][0].as_str().unwrap().to_owned();
    let old = markdown(&house, "003");
    assert!(!old.contains(&word));
    let base = encoded(ContentHash::of(&old).as_str());
    let new = format!("{}\n\nHere it is: {word}.\n", old.trim_end());
    house.post(
        "/b/fare/chapters/3/edit",
        &format!("base={base}&text={}", encoded(&new)),
    );
    let page = house.get("/b/fare/chapters/3/edit").body;
    let line = new.lines().position(|line| line.contains(&word)).unwrap() + 1;
    assert!(page.contains(&format!("data-quote=\"{word}\"")), "{page}");
    assert!(page.contains(&format!("line {line}<")), "{page}");
}

#[test]
fn a_thread_is_asked_for_in_words() {
    let house = House::acting(Lang::En, 2);
    let told = house.post(
        "/b/fare/decisions",
        &format!(
            "kind=thread&thread=fs-001&note={}",
            encoded("--help: resolve the letter")
        ),
    );
    assert_eq!(told.status, StatusCode::SEE_OTHER, "{}", told.body);
    let place = told.headers["location"].to_str().unwrap();
    assert!(place.contains("note=told"), "{place}");
    let kept = house.files_with("resolve the letter");
    assert_eq!(kept.len(), 1, "the note waits for the next call: {kept:?}");
    let empty = house.post("/b/fare/decisions", "kind=thread&thread=x&note=");
    assert_eq!(empty.status, StatusCode::NOT_FOUND);
}
