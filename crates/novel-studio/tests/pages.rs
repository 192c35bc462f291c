//! Pages: all of them, in both languages, with ugly data.

use axum::http::{Method, StatusCode};
use novel_model::Lang;
use novel_studio::TABLE;

use crate::support::{House, own};

fn pages() -> Vec<String> {
    TABLE
        .iter()
        .filter(|route| route.method == "get" && !route.path.ends_with("/live"))
        .filter(|route| !route.path.contains("{run}"))
        .map(|route| {
            route
                .path
                .replace("{book}", "fare")
                .replace("{chapter}", "1")
                .replace("{person}", "ilse")
                .replace("{format}", "txt")
        })
        .collect()
}

#[test]
fn every_page_is_there_in_both_languages() {
    let house = House::signed_in(Lang::En, 3);
    for path in pages() {
        for lang in ["zh", "en"] {
            let answer = house.get(&format!("{path}?lang={lang}"));
            assert_eq!(answer.status, StatusCode::OK, "{path} {lang}");
            if answer.body.starts_with("<!DOCTYPE html>") && path != "/in" {
                let tag = if lang == "zh" { "zh-CN" } else { "en" };
                assert!(
                    answer.body.contains(&format!("<html lang=\"{tag}\"")),
                    "{path}"
                );
                assert!(
                    !answer.body.contains(" style=\""),
                    "{path}: no inline style survives the policy"
                );
                assert!(!answer.body.contains("onclick"), "{path}");
            }
        }
    }
}

#[test]
fn a_book_with_nothing_written_has_every_page_but_its_chapters() {
    let house = House::signed_in(Lang::En, 0);
    for path in pages() {
        let answer = house.get(&path);
        let of_a_chapter = path.contains("/chapters/");
        if of_a_chapter || path.contains("/export/") {
            assert!(answer.status.is_client_error(), "{path} {}", answer.status);
        } else {
            assert_eq!(answer.status, StatusCode::OK, "{path}\n{}", answer.body);
        }
    }
}

#[test]
fn a_damaged_file_is_an_error_with_path_and_way_out_and_never_an_empty_page() {
    let house = House::signed_in(Lang::En, 2);
    for (file, page) in [
        ("chapters/chapter_001.json", "/b/fare/chapters"),
        ("chapters/chapter_001.json", "/b/fare/chapters/1"),
        ("foreshadowing/global.json", "/b/fare/threads"),
        (".checkpoint.json", "/b/fare"),
        ("evaluations/chapter-001-eval.json", "/b/fare/chapters/1"),
    ] {
        let path = house.root().join(file);
        let sound = std::fs::read(&path).unwrap();
        std::fs::write(&path, &sound[..sound.len() / 2]).unwrap();
        let answer = house.get(page);
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{page}");
        assert!(answer.body.contains(file), "{page}: {}", answer.body);
        assert!(answer.body.contains("BROKEN_FILE"), "{page}");
        assert!(answer.body.contains("novel doctor"), "{page}");
        std::fs::write(&path, &sound).unwrap();
        assert_eq!(house.get(page).status, StatusCode::OK, "{page}");
    }
}

#[test]
fn a_shelf_shows_a_damaged_book_and_the_others() {
    let house = House::signed_in(Lang::En, 1);
    std::fs::write(house.root().join(".checkpoint.json"), "{").unwrap();
    let answer = house.get("/");
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.body.contains("cannot be read"), "{}", answer.body);
}

#[test]
fn text_of_a_book_is_text_on_every_page() {
    let house = House::signed_in(Lang::En, 2);
    let attack = "<script>alert(1)</script><img src=x onerror=alert(2)>\" onmouseover=\"x";
    let path = house.root().join("chapters/chapter_001.json");
    let mut chapter: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    chapter["chapter_title"] = attack.into();
    chapter["scenes"][0]["content"] = format!("{attack}\n\nA line.").into();
    std::fs::write(&path, serde_json::to_string_pretty(&chapter).unwrap()).unwrap();
    let toml = house.root().join("novel.toml");
    let config = std::fs::read_to_string(&toml).unwrap();
    std::fs::write(&toml, config.replace("The Fare", "<script>title</script>")).unwrap();
    for path in pages() {
        let body = house.get(&path).body;
        if body.starts_with("<!DOCTYPE html>") {
            for raw in [
                "<script>alert",
                "<img src=x",
                "<script>title",
                "\" onmouseover=\"",
            ] {
                assert!(!body.contains(raw), "{path}: {raw}");
            }
        }
    }
    assert!(
        house
            .get("/b/fare/chapters/1")
            .body
            .contains("&lt;script&gt;alert")
    );
}

#[test]
fn a_search_and_a_query_come_back_escaped() {
    let house = House::signed_in(Lang::En, 1);
    let answer = house.get("/b/fare/search?q=%3Cscript%3Ex%3C%2Fscript%3E");
    assert!(!answer.body.contains("<script>x"), "{}", answer.body);
    let found = house.get("/b/fare/search?q=Ilse");
    assert!(found.body.contains("<mark>Ilse</mark>"), "{}", found.body);
}

#[test]
fn language_theme_and_keys_are_kept_in_cookies_without_script() {
    let house = House::signed_in(Lang::Zh, 1);
    let answer = house.get("/b/fare?lang=en");
    let kept = answer.headers["set-cookie"].to_str().unwrap();
    assert!(kept.starts_with("novel_lang=en;"), "{kept}");
    let both = format!(
        "{}; novel_lang=en; novel_theme=dark; novel_keys=off",
        house.cookie()
    );
    let page = house
        .send(
            own(Method::GET, "/b/fare").header("cookie", both),
            String::new(),
        )
        .body;
    assert!(page.contains("<html lang=\"en\" class=\"dark\">"), "{page}");
    assert!(page.contains("data-keys=\"off\""));
    let odd = house.get("/b/fare?lang=%3Cx%3E&theme=%22x");
    assert!(!odd.headers.contains_key("set-cookie"));
}
