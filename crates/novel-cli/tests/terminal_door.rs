//! What a terminal gets: nothing that steers it, nothing that hides in it, no key.

use novel_mockllm::{Behaviour, MockServer};
use novel_testkit::{KEY, TestBook};
use serde_json::json;

/// Clears the screen, sets the title of the window, turns the direction of writing, hides text.
const HOSTILE: &str = "夜\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}8m\u{202e}雨\u{2066}灯\u{200f}\u{061c}\u{200b}\u{feff}\u{e0041}\r港";

/// Characters that no stream may show as they are.
fn is_hidden(char: char) -> bool {
    (char.is_control() && !matches!(char, '\n' | '\t'))
        || matches!(
            char,
            '\u{061c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
        )
}

#[track_caller]
fn assert_plain(text: &str, what: &str) {
    let bad: Vec<char> = text.chars().filter(|char| is_hidden(*char)).collect();
    assert!(bad.is_empty(), "{what}: {bad:?} in {text:?}");
}

/// A book in which every name and text is hostile.
fn hostile() -> TestBook {
    let book = TestBook::demo(2);
    let config = book.text("novel.toml");
    let config = config.lines().filter(|line| !line.starts_with("author"));
    let config: Vec<&str> = config.collect();
    book.write("novel.toml", config.join("\n") + "\n");
    book.configure(&format!("author = {}", json!(HOSTILE)));
    for path in ["chapters/chapter_001.json", "chapters/chapter_002.json"] {
        book.edit(path, |chapter| {
            chapter["chapter_title"] = json!(HOSTILE.replace('\r', ""));
            let scene = &mut chapter["scenes"][0]["content"];
            *scene = json!(format!("{}，灯亮着。", HOSTILE.replace('\r', "")));
        });
    }
    book.write(
        "summaries/chapter-001-summary.md",
        HOSTILE.replace('\r', ""),
    );
    for character in std::fs::read_dir(book.path("characters/active")).unwrap() {
        let name = character.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".json") {
            book.edit(&format!("characters/active/{name}"), |character| {
                let display = character["display_name"].as_str().unwrap().to_owned();
                character["display_name"] = json!(format!("{display}{HOSTILE}"));
            });
        }
    }
    book.write(&format!("chapters/{}", HOSTILE.replace('/', "")), "x");
    book
}

#[test]
fn nothing_invisible_reaches_a_stream_from_titles_names_texts_and_files() {
    let book = hostile();
    let commands: &[&[&str]] = &[
        &["status"],
        &["chapter", "show", "1"],
        &["character", "list"],
        &["search", "灯"],
        &["check", "all"],
        &["doctor"],
        &["config"],
        &["report"],
        &["log"],
        &["review", "show", "1"],
        &["revision", "list"],
        &["next"],
        &["continue"],
        &["lint", HOSTILE],
        &["instructions", HOSTILE],
        &["chapter", "show", HOSTILE],
        &["-p", HOSTILE, "status"],
        &["--project", HOSTILE, "status"],
        &[HOSTILE],
    ];
    for args in commands {
        for lang in ["zh", "en"] {
            let args = [&["--lang", lang, "--color", "never"], *args].concat();
            let shown = book.novel(&args);
            assert_plain(&shown.both(), &shown.args);
        }
        let shown = book.ask(args);
        assert_plain(&shown.both(), &shown.args);
    }
}

#[test]
fn json_says_the_same_with_escapes() {
    let book = hostile();
    let shown = book.ask(&["chapter", "show", "1"]).data();
    let wanted = book.json("chapters/chapter_001.json");
    assert_eq!(
        shown["scenes"][0]["content"],
        wanted["scenes"][0]["content"]
    );
}

#[test]
fn files_are_not_changed_by_what_a_terminal_may_see() {
    let book = hostile();
    let exported = book
        .novel(&["export", "--format", "md", "--out", "-", "--ignore-edits"])
        .success();
    assert!(exported.stdout.contains("\u{202e}雨"), "{exported:#?}");
}

#[test]
fn a_server_that_answers_with_the_key_finds_it_nowhere() {
    let escaped: String = KEY.bytes().map(|byte| format!("\\u00{byte:02x}")).collect();
    for key in [KEY.to_owned(), escaped, KEY.to_uppercase()] {
        let body = format!(
            "data: {{\"id\": \"{key}\", \"model\": \"{key}\", \"choices\": [{{\"delta\": {{\"content\": \"# 第 1 章 夜\\n\\n他说 {key}。\"}}}}]}}\n\ndata: {{\"choices\": [{{\"delta\": {{}}, \"finish_reason\": \"stop\"}}]}}\n\ndata: [DONE]\n\n"
        );
        let answer = Behaviour::Status {
            status: 200,
            headers: vec![("Content-Type".into(), "text/event-stream".into())],
            body,
        };
        let failure = Behaviour::Status {
            status: 401,
            headers: Vec::new(),
            body: format!("{{\"error\": {{\"message\": \"no such key: {key}\"}}}}"),
        };
        let server = MockServer::sequence(vec![answer, failure.clone(), failure]).unwrap();
        let book = TestBook::demo(0);
        book.use_model(&server.openai_base());
        let mut said = book.novel(&["continue"]).both();
        said.push_str(&book.ask(&["continue", "--retry"]).both());
        for command in [&["cost"][..], &["log"], &["status"], &["next"]] {
            said.push_str(&book.ask(command).both());
        }
        assert!(said.contains("***"), "{said}");
        let kept = book.files_with("***");
        assert!(
            kept.iter().any(|path| path.contains("logs/calls")),
            "{kept:?}"
        );
        let part = &key[key.len() / 2..];
        assert!(!said.contains(part), "{said}");
        for form in [part, &part.replace('\\', "\\\\"), &KEY[KEY.len() / 2..]] {
            assert_eq!(book.files_with(form), Vec::<String>::new(), "{form}");
        }
    }
}
