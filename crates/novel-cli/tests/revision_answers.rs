//! Answers of the chapter-reviser over a real socket, good and bad, and what becomes of the book.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod loop_support;

use std::{fs, sync::Mutex};

use novel_mockllm::{Behaviour, MockServer};
use serde_json::{Value, json};

use loop_support::{Home, Ran};

const CHAPTER: &str = "chapters/chapter_001.json";
const REVISION: &str = "chapters/chapter_001_revision.json";

/// The demo book with one chapter that a logic review put into `pending`, and a model that answers
/// the reviser's questions with these texts, one after the other.
struct Pending {
    home: Home,
    server: MockServer,
    /// The chapter as it was.
    text: Vec<u8>,
}

impl Pending {
    fn new(answers: impl FnOnce(&Value) -> Vec<String>) -> Self {
        let home = Home::with_book();
        let chapter = home.read(CHAPTER);
        let mut answers = answers(&chapter);
        answers.reverse();
        let answers = Mutex::new(answers);
        let review = review(&chapter).to_string();
        let summary = summary(&home);
        let server = MockServer::start(move |request| {
            let prompt = request.prompt();
            let is = |heading: &str| prompt.lines().any(|line| line == heading);
            if is("# 逻辑审查") {
                Behaviour::text(&review)
            } else if is("# 修订者") {
                let answer = answers.lock().unwrap().pop();
                Behaviour::text(answer.expect("no further question"))
            } else if is("# 书记") {
                Behaviour::text(&summary)
            } else {
                panic!("nobody asks like this: {prompt}")
            }
        })
        .unwrap();
        home.configure(&format!(
            "title = \"潮信局\"\nlanguage = \"zh-CN\"\nexecutor = \"llm\"\n\
             [models]\ndefault = \"stub-model\"\n\
             [llm]\nbase_url = \"{}\"\nkey_env = \"STUB_KEY\"\nmax_attempts = 1\n",
            server.openai_base()
        ));
        let text = fs::read(home.file(CHAPTER)).unwrap();
        let review = home.run(&["review", "run", "1", "--json"]).ok().json();
        assert_eq!(review["data"]["pending"], true, "{review:#}");
        Self { home, server, text }
    }

    fn candidate(&self) -> Ran {
        self.home.run(&["revision", "candidate", "1", "--json"])
    }

    /// The prompts of the reviser, in order.
    fn asked(&self) -> Vec<String> {
        let prompts = self
            .server
            .requests()
            .into_iter()
            .map(|request| request.prompt());
        prompts
            .filter(|prompt| prompt.lines().any(|line| line == "# 修订者"))
            .collect()
    }

    /// The text is as it was, and the chapter still waits without a candidate.
    #[track_caller]
    fn is_untouched(&self) {
        assert_eq!(fs::read(self.home.file(CHAPTER)).unwrap(), self.text);
        let revision = self.home.read(REVISION);
        assert_eq!(revision["status"], "pending");
        assert_eq!(revision["revised_chapter"], Value::Null);
        assert!(!self.home.is_locked());
    }

    /// The error of a candidate that was refused twice.
    #[track_caller]
    fn refused(&self, exit: i32, code: &str) -> Value {
        let ran = self.candidate();
        assert_eq!(ran.code, exit, "{ran:#?}");
        let error = ran.json()["error"].clone();
        assert_eq!(error["code"], code, "{error:#}");
        self.is_untouched();
        error
    }
}

/// A review that stops the book for the first sentence of the chapter.
fn review(chapter: &Value) -> Value {
    let evidence = first_sentence(chapter);
    let issue = json!({"issue_type": "continuity", "description": "第一句与前文相抵", "evidence": evidence,
        "severity": "high", "fix_instructions": format!("第 1 场：改写「{evidence}」，使其与前文一致")});
    json!({"issues": [issue], "summary": "开头不成立。", "overall_score": 55})
}

fn first_sentence(chapter: &Value) -> String {
    let text = chapter["scenes"][0]["content"].as_str().unwrap();
    text[..text.find('。').unwrap() + "。".len()].to_owned()
}

/// What the offline author said of the chapter.
fn summary(home: &Home) -> String {
    let calls = fs::read_dir(home.file("logs/calls/chapter-001-summarize")).unwrap();
    let path = calls.map(|entry| entry.unwrap().path()).min().unwrap();
    let call: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    call["text"].as_str().unwrap().to_owned()
}

/// The chapter with another first sentence.
fn changed(chapter: &Value) -> Value {
    let mut changed = chapter.clone();
    let text = chapter["scenes"][0]["content"].as_str().unwrap();
    let text = text.replacen(&first_sentence(chapter), "潮退了。", 1);
    changed["scenes"][0]["content"] = text.into();
    changed
}

fn without_last_scene(chapter: &Value) -> Value {
    let mut dropped = changed(chapter);
    let scenes = dropped["scenes"].as_array_mut().unwrap();
    assert!(scenes.len() > 1, "the demo chapter has several scenes");
    scenes.pop();
    dropped
}

fn codes(answer: &Value) -> Vec<&str> {
    let warnings = answer["data"]["warnings"].as_array().unwrap();
    let codes = warnings.iter().map(|warning| warning["code"].as_str());
    codes.map(Option::unwrap).collect()
}

#[test]
fn revision_chain_accepts_structured_input() {
    let book = Pending::new(|chapter| vec![changed(chapter).to_string()]);
    let chapter = book.home.read(CHAPTER);
    let _ = book.candidate().ok();
    let requests = book.server.requests();
    let request = requests
        .iter()
        .find(|request| request.prompt().contains("# 修订者"))
        .unwrap();
    let prompt = request.prompt();
    // The chapter as JSON and the notes, each in its wrapper.
    let notes = book.home.read(REVISION)["revision_notes"].clone();
    assert!(prompt.contains(notes.as_str().unwrap()), "{prompt}");
    assert!(prompt.contains("\"chapter_number\": 1"));
    assert!(prompt.contains(&format!("「{}」", first_sentence(&chapter))));
    assert_eq!(
        prompt.matches("<DATA ").count(),
        prompt.matches("</DATA>").count()
    );
    // The answer is bound to the form of a chapter.
    let schema = request.schema().expect("a schema").to_string();
    for field in [
        "chapter_number",
        "chapter_title",
        "scenes",
        "content",
        "total_words",
    ] {
        assert!(schema.contains(field), "{schema}");
    }
}

#[test]
fn revision_chain_preserves_chapter_metadata() {
    let book = Pending::new(|chapter| {
        let mut answer = changed(chapter);
        answer["chapter_number"] = 7.into();
        answer["chapter_title"] = "别的章名".into();
        answer["total_words"] = 3.into();
        answer["scenes"][0]["word_count"] = 999_999.into();
        vec![answer.to_string()]
    });
    let before = book.home.read(CHAPTER);
    let made = book.candidate().ok().json();
    assert_eq!(codes(&made), ["revision_restored", "revision_restored"]);
    assert_eq!(fs::read(book.home.file(CHAPTER)).unwrap(), book.text);
    let _ = book.home.run(&["revision", "apply", "1"]).ok();

    let after = book.home.read(CHAPTER);
    assert_eq!(after["chapter_number"], 1);
    assert_eq!(after["chapter_title"], before["chapter_title"]);
    let scenes = after["scenes"].as_array().unwrap();
    assert_eq!(scenes.len(), before["scenes"].as_array().unwrap().len());
    assert!(
        scenes[0]["content"]
            .as_str()
            .unwrap()
            .starts_with("潮退了。")
    );
    let sum: u64 = scenes
        .iter()
        .map(|scene| scene["word_count"].as_u64().unwrap())
        .sum();
    assert_eq!(after["total_words"], sum);
    assert!(sum < 10_000);
    let revision = book.home.read(REVISION);
    assert_eq!(revision["status"], "accepted");
    assert!(revision["decision_at"].is_string());
    // The rendering follows the truth, and everything fits together.
    let markdown = fs::read_to_string(book.home.file("chapters/chapter-001.md")).unwrap();
    assert!(markdown.contains("潮退了。"));
    let doctor = book.home.run(&["doctor", "--json"]).ok().json();
    assert_eq!(doctor["data"]["healthy"], true, "{doctor:#}");
}

#[test]
fn a_dropped_scene_is_asked_for_once_more_and_then_refused() {
    let book = Pending::new(|chapter| {
        let dropped = without_last_scene(chapter).to_string();
        vec![dropped.clone(), dropped]
    });
    let error = book.refused(5, "REVISION_REJECTED");
    let scenes = book.home.read(CHAPTER)["scenes"].as_array().unwrap().len();
    assert_eq!(error["details"]["expected_scenes"], scenes);
    assert_eq!(error["details"]["found_scenes"], scenes - 1);
    let asked = book.asked();
    assert_eq!(asked.len(), 2);
    assert!(!asked[0].contains("重新作答"));
    assert!(
        asked[1].contains(&format!("本章应有 {scenes} 场")),
        "{}",
        asked[1]
    );
}

#[test]
fn an_added_scene_is_refused_too() {
    let book = Pending::new(|chapter| {
        let mut added = changed(chapter);
        let scenes = added["scenes"].as_array_mut().unwrap();
        let number = scenes.len() + 1;
        scenes.push(json!({"scene_number": number, "content": "天亮了。", "word_count": 3}));
        vec![added.to_string(), added.to_string()]
    });
    book.refused(5, "REVISION_REJECTED");
}

#[test]
fn the_retry_may_bring_the_scene_back() {
    let book = Pending::new(|chapter| {
        vec![
            without_last_scene(chapter).to_string(),
            changed(chapter).to_string(),
        ]
    });
    let made = book.candidate().ok().json();
    assert_eq!(made["data"]["status"], "pending");
    assert_eq!(book.asked().len(), 2);
    let shown = book.home.run(&["revision", "show", "1"]).ok();
    assert!(shown.stdout.contains("{+潮退了+}"), "{}", shown.stdout);
}

#[test]
fn the_author_can_ask_for_fewer_scenes() {
    let book = Pending::new(|chapter| vec![without_last_scene(chapter).to_string()]);
    let mut revision = book.home.read(REVISION);
    let scenes = book.home.read(CHAPTER)["scenes"].as_array().unwrap().len() - 1;
    let notes = revision["revision_notes"].as_str().unwrap();
    revision["revision_notes"] = format!("{notes}\n[scenes: {scenes}]").into();
    fs::write(book.home.file(REVISION), format!("{revision:#}\n")).unwrap();
    let _ = book.candidate().ok();
    assert_eq!(book.asked().len(), 1);
    let candidate = &book.home.read(REVISION)["revised_chapter"]["scenes"];
    assert_eq!(candidate.as_array().unwrap().len(), scenes);
}

#[test]
fn prose_instead_of_json_is_asked_for_once_more_and_then_refused() {
    let prose = "潮退了。陆砚站在堤上，没有回头。".to_owned();
    let book = Pending::new(|_| vec![prose.clone(), prose.clone()]);
    let ran = book.candidate();
    assert_eq!(ran.code, 5, "{ran:#?}");
    book.is_untouched();
    assert_eq!(book.asked().len(), 2);
}

#[test]
fn the_same_text_is_no_revision() {
    let book = Pending::new(|chapter| {
        let mut renamed = chapter.clone();
        renamed["chapter_title"] = "只改了章名".into();
        vec![chapter.to_string(), renamed.to_string()]
    });
    let error = book.refused(3, "REVISION_UNCHANGED");
    assert!(
        error["hint"]
            .as_str()
            .unwrap()
            .contains("novel revision reject 1"),
        "{error:#}"
    );
    // The author's word that the text stands opens the gate.
    let _ = book.home.run(&["revision", "reject", "1"]).ok();
    assert_eq!(book.home.read(REVISION)["status"], "rejected");
    assert_eq!(fs::read(book.home.file(CHAPTER)).unwrap(), book.text);
}

/// The demo book in which somebody of the second chapter is dead before it.
fn with_a_dead_man(policy: &str) -> Home {
    let home = Home::with_book();
    let path = home.file("state/current-state.json");
    let mut state = home.read("state/current-state.json");
    let dead = json!({"display_name": "邱伯远", "status": "dead"});
    state["characters"]["qiu-boyuan"] = dead;
    fs::write(path, format!("{state:#}\n")).unwrap();
    let config = fs::read_to_string(home.file("novel.toml")).unwrap();
    home.configure(&format!("{policy}\n{config}"));
    home
}

fn quoted_fault(home: &Home) -> String {
    let report = home.read("chapters/chapter_002_revision.json");
    let issue = &report["issues"][0];
    assert_eq!(issue["issue_type"], "DEAD_CHARACTER_ACTS", "{report:#}");
    issue["evidence"].as_str().unwrap().to_owned()
}

#[test]
fn auto_apply_revision_to_chapter_json_offline() {
    let home = with_a_dead_man("revision_policy = \"auto_apply\"");
    let _ = home.run(&["continue", "1"]).ok();
    let fault = quoted_fault(&home);
    let revision = home.read("chapters/chapter_002_revision.json");
    assert_eq!(revision["status"], "accepted");
    for path in ["chapters/chapter_002.json", "chapters/chapter-002.md"] {
        let text = fs::read_to_string(home.file(path)).unwrap();
        assert!(!text.contains(&fault), "{path}");
    }
    let check = home.run(&["check", "2", "--json"]).ok().json();
    assert_eq!(check["data"]["findings"], json!([]), "{check:#}");
    let doctor = home.run(&["doctor", "--json"]).ok().json();
    assert_eq!(doctor["data"]["healthy"], true, "{doctor:#}");
    // The old text is kept, and one word takes it back.
    assert!(
        home.files_with(&fault)
            .iter()
            .any(|path| path.to_string_lossy().contains("archive"))
    );
    let _ = home.run(&["undo"]).ok();
    let text = fs::read_to_string(home.file("chapters/chapter_002.json")).unwrap();
    assert!(text.contains(&fault));
}

#[test]
fn produce_manual_confirm_revision_candidate_offline() {
    let home = with_a_dead_man("revision_policy = \"manual_confirm\"");
    let ran = home.run(&["continue", "2", "--json"]);
    assert_eq!(ran.code, 3, "{ran:#?}");
    let fault = quoted_fault(&home);
    let revision = home.read("chapters/chapter_002_revision.json");
    assert_eq!(revision["status"], "pending");
    assert!(!revision["revised_chapter"].to_string().contains(&fault));
    let text = fs::read_to_string(home.file("chapters/chapter_002.json")).unwrap();
    assert!(
        text.contains(&fault),
        "the text stays until the author decides"
    );
    assert!(!home.file("chapters/chapter_003.json").exists());
    let _ = home.run(&["revision", "apply", "2"]).ok();
    let text = fs::read_to_string(home.file("chapters/chapter_002.json")).unwrap();
    assert!(!text.contains(&fault));
    let _ = home.run(&["continue", "1"]).ok();
    assert!(home.file("chapters/chapter_003.json").exists());
}
