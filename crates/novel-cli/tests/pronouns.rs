//! The offline author names somebody once and speaks of them by pronoun, also of people its own planner made.

use novel_testkit::TestBook;

/// Somebody of the book: the name, and the pronoun of the profile at the beginning of a sentence.
struct Person {
    name: String,
    pronoun: &'static str,
}

fn people(home: &TestBook, pronouns: [&'static str; 2]) -> Vec<Person> {
    let files = std::fs::read_dir(home.path("characters/active")).unwrap();
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let records = names.iter().filter_map(|name| name.strip_suffix(".json"));
    let people: Vec<Person> = records
        .map(|id| {
            let record = home.json(&format!("characters/active/{id}.json"));
            let profile = home.text(&format!("characters/active/{id}.md"));
            let of = |pronoun: &&str| profile.contains(*pronoun);
            let mut found = pronouns.iter().filter(|pronoun| of(pronoun));
            let pronoun = found
                .next()
                .unwrap_or_else(|| panic!("no pronoun in {profile}"));
            assert!(found.next().is_none(), "two pronouns in {profile}");
            Person {
                name: record["display_name"].as_str().unwrap().to_owned(),
                pronoun,
            }
        })
        .collect();
    assert!(people.len() >= 2);
    people
}

/// The sentences of a scene; what is spoken belongs to the sentence around it.
fn sentences(scene: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut is_speech = false;
    for char in scene.chars() {
        match char {
            '“' => is_speech = true,
            '”' => is_speech = false,
            _ => {}
        }
        let last = all.last_mut().unwrap();
        if char != '\n' {
            last.push(char);
        }
        if !is_speech && matches!(char, '。' | '！' | '？' | '.' | '!' | '?' | '\n') {
            all.push(String::new());
        }
    }
    let trimmed = all.iter().map(|sentence| sentence.trim().to_owned());
    trimmed.filter(|sentence| !sentence.is_empty()).collect()
}

/// Sentences of 30 chapters, and those that begin with a full name after a sentence that began with the same person.
fn repeated(home: &TestBook, people: &[Person]) -> (usize, usize) {
    let (mut all, mut again) = (0, 0);
    for chapter in 1..=30 {
        let text = home.text(&format!("chapters/chapter-{chapter:03}.md"));
        for scene in text.split("\n* * *\n") {
            let told = sentences(scene);
            all += told.len();
            let pairs = told.windows(2);
            again += pairs
                .filter(|pair| {
                    people.iter().any(|person| {
                        let is_before = pair[0].starts_with(&person.name)
                            || pair[0].starts_with(person.pronoun);
                        is_before && pair[1].starts_with(&person.name)
                    })
                })
                .count();
        }
    }
    (all, again)
}

fn written(language: &str, genre: &str) -> TestBook {
    let home = TestBook::empty();
    home.ask(&["init", "--language", language, "--genre", genre, "--yes"])
        .data();
    home.ask(&["run", "--to", "30"]).data();
    let check = home.ask(&["check", "all"]).data();
    assert_eq!(check["findings"], serde_json::json!([]), "{check:#}");
    let doctor = home.ask(&["doctor"]).data();
    assert_eq!(doctor["healthy"], true, "{doctor:#}");
    home
}

#[test]
fn in_thirty_chapters_a_name_is_seldom_said_twice_in_a_row() {
    for (language, genre, pronouns) in [
        ("zh-CN", "悬疑", ["他", "她"]),
        ("en", "mystery", ["He ", "She "]),
    ] {
        let home = written(language, genre);
        let people = people(&home, pronouns);
        let (all, again) = repeated(&home, &people);
        println!("{language}: {again} of {all} sentences say a name again");
        assert!(
            again * 100 <= all * 4,
            "{language}: {again} of {all} sentences"
        );
    }
}
