//! Answers of the chapter-reviser over a real socket, good and bad, and what becomes of the book.

use std::{fs, sync::Mutex};

use novel_mockllm::{Behaviour, Request};
use serde_json::{Value, json};

use novel_testkit::{Answers, Output, ScriptedModel, TestBook};

const CHAPTER: &str = "chapters/chapter_001.json";
const REVISION: &str = "chapters/chapter_001_revision.json";

/// The demo book with one chapter that a logic review put into `pending`, and a model that answers
/// the reviser's questions with these texts, one after the other.
struct Pending {
    home: TestBook,
    model: ScriptedModel,
    /// The chapter as it was.
    text: Vec<u8>,
}

impl Pending {
    fn new(answers: impl FnOnce(&Value) -> Vec<String>) -> Self {
        let home = TestBook::demo(1);
        let chapter = home.json(CHAPTER);
        let mut answers = answers(&chapter);
        answers.reverse();
        let answers = Mutex::new(answers);
        let review = review(&chapter).to_string();
        let summary = summary(&home);
        let model = ScriptedModel::reacting(Answers::new(), move |asked| {
            let next = || answers.lock().unwrap().pop().expect("no further question");
            Some(match asked.agent {
                "logic-reviewer" => Behaviour::text(&review),
                "chapter-reviser" => Behaviour::text(next()),
                "summarizer" => Behaviour::text(&summary),
                other => panic!("nobody asks the {other}"),
            })
        });
        model.write_for(&home);
        let text = fs::read(home.path(CHAPTER)).unwrap();
        let review = home
            .novel(&["review", "run", "1", "--json"])
            .success()
            .json();
        assert_eq!(review["data"]["pending"], true, "{review:#}");
        Self { home, model, text }
    }

    fn candidate(&self) -> Output {
        self.home.novel(&["revision", "candidate", "1", "--json"])
    }

    /// The prompts of the reviser, in order.
    fn asked(&self) -> Vec<String> {
        let asked = self.model.asked("chapter-reviser");
        asked.iter().map(Request::prompt).collect()
    }

    /// The text is as it was, and the chapter still waits without a candidate.
    #[track_caller]
    fn is_untouched(&self) {
        assert_eq!(fs::read(self.home.path(CHAPTER)).unwrap(), self.text);
        let revision = self.home.json(REVISION);
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
fn summary(home: &TestBook) -> String {
    home.answers([1])["summarizer"][0].clone()
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
    let chapter = book.home.json(CHAPTER);
    let _ = book.candidate().success();
    let requests = book.model.requests();
    let request = requests
        .iter()
        .find(|request| request.prompt().contains("# 修订者"))
        .unwrap();
    let prompt = request.prompt();
    // The chapter as JSON and the notes, each in its wrapper.
    let notes = book.home.json(REVISION)["revision_notes"].clone();
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
    let before = book.home.json(CHAPTER);
    let made = book.candidate().success().json();
    assert_eq!(codes(&made), ["revision_restored", "revision_restored"]);
    assert_eq!(fs::read(book.home.path(CHAPTER)).unwrap(), book.text);
    let _ = book.home.novel(&["revision", "apply", "1"]).success();

    let after = book.home.json(CHAPTER);
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
    let revision = book.home.json(REVISION);
    assert_eq!(revision["status"], "accepted");
    assert!(revision["decision_at"].is_string());
    // The rendering follows the truth, and everything fits together.
    let markdown = fs::read_to_string(book.home.path("chapters/chapter-001.md")).unwrap();
    assert!(markdown.contains("潮退了。"));
    let doctor = book.home.novel(&["doctor", "--json"]).success().json();
    assert_eq!(doctor["data"]["healthy"], true, "{doctor:#}");
}

#[test]
fn a_dropped_scene_is_asked_for_once_more_and_then_refused() {
    let book = Pending::new(|chapter| {
        let dropped = without_last_scene(chapter).to_string();
        vec![dropped.clone(), dropped]
    });
    let error = book.refused(5, "REVISION_REJECTED");
    let scenes = book.home.json(CHAPTER)["scenes"].as_array().unwrap().len();
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
    let made = book.candidate().success().json();
    assert_eq!(made["data"]["status"], "pending");
    assert_eq!(book.asked().len(), 2);
    let shown = book.home.novel(&["revision", "show", "1"]).success();
    assert!(shown.stdout.contains("{+潮退了+}"), "{}", shown.stdout);
}

#[test]
fn the_author_can_ask_for_fewer_scenes() {
    let book = Pending::new(|chapter| vec![without_last_scene(chapter).to_string()]);
    let mut revision = book.home.json(REVISION);
    let scenes = book.home.json(CHAPTER)["scenes"].as_array().unwrap().len() - 1;
    let notes = revision["revision_notes"].as_str().unwrap();
    revision["revision_notes"] = format!("{notes}\n[scenes: {scenes}]").into();
    fs::write(book.home.path(REVISION), format!("{revision:#}\n")).unwrap();
    let _ = book.candidate().success();
    assert_eq!(book.asked().len(), 1);
    let candidate = &book.home.json(REVISION)["revised_chapter"]["scenes"];
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
    let _ = book.home.novel(&["revision", "reject", "1"]).success();
    assert_eq!(book.home.json(REVISION)["status"], "rejected");
    assert_eq!(fs::read(book.home.path(CHAPTER)).unwrap(), book.text);
}

/// The demo book in which somebody of the second chapter is dead before it.
fn with_a_dead_man(policy: &str) -> TestBook {
    let home = TestBook::demo(1);
    home.edit("state/current-state.json", |state| {
        let dead = json!({"display_name": "邱伯远", "status": "dead"});
        state["characters"]["qiu-boyuan"] = dead;
    });
    home.configure(policy);
    home
}

fn quoted_fault(home: &TestBook) -> String {
    let report = home.json("chapters/chapter_002_revision.json");
    let issue = &report["issues"][0];
    assert_eq!(issue["issue_type"], "DEAD_CHARACTER_ACTS", "{report:#}");
    issue["evidence"].as_str().unwrap().to_owned()
}

#[test]
fn auto_apply_revision_to_chapter_json_offline() {
    let home = with_a_dead_man("revision_policy = \"auto_apply\"");
    let _ = home.novel(&["continue", "1"]).success();
    let fault = quoted_fault(&home);
    let revision = home.json("chapters/chapter_002_revision.json");
    assert_eq!(revision["status"], "accepted");
    for path in ["chapters/chapter_002.json", "chapters/chapter-002.md"] {
        let text = home.text(path);
        assert!(!text.contains(&fault), "{path}");
    }
    let check = home.novel(&["check", "2", "--json"]).success().json();
    assert_eq!(check["data"]["findings"], json!([]), "{check:#}");
    let doctor = home.novel(&["doctor", "--json"]).success().json();
    assert_eq!(doctor["data"]["healthy"], true, "{doctor:#}");
    // The old text is kept, and one word takes it back.
    let _ = home.novel(&["undo"]).success();
    let text = home.text("chapters/chapter_002.json");
    assert!(text.contains(&fault));
}

#[test]
fn produce_manual_confirm_revision_candidate_offline() {
    let home = with_a_dead_man("revision_policy = \"manual_confirm\"");
    let ran = home.novel(&["continue", "2", "--json"]);
    assert_eq!(ran.code, 3, "{ran:#?}");
    let fault = quoted_fault(&home);
    let revision = home.json("chapters/chapter_002_revision.json");
    assert_eq!(revision["status"], "pending");
    assert!(!revision["revised_chapter"].to_string().contains(&fault));
    let text = home.text("chapters/chapter_002.json");
    assert!(
        text.contains(&fault),
        "the text stays until the author decides"
    );
    assert!(!home.path("chapters/chapter_003.json").exists());
    let _ = home.novel(&["revision", "apply", "2"]).success();
    let text = home.text("chapters/chapter_002.json");
    assert!(!text.contains(&fault));
    let _ = home.novel(&["continue", "1"]).success();
    assert!(home.path("chapters/chapter_003.json").exists());
}
