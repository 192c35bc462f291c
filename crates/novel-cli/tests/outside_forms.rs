//! What an agent outside is told: the rules, the schema and the form of its answer.

use novel_testkit::{
    TestBook,
    plan::{Manner, Plan, pretty},
};
use serde_json::{Value, json};

const STEPS: [(&str, &str); 4] = [
    ("draft", "markdown"),
    ("summarize", "json"),
    ("refine", "markdown"),
    ("judge", "json"),
];

/// A book whose chapter 1 waits for its judge, so that each step has its packet.
fn staged() -> TestBook {
    let book = TestBook::planned(Plan::new(3));
    let plan = book.plan();
    let answers = [
        ("draft", plan.draft(1, Manner::Usual)),
        ("summarize", pretty(&plan.summary_answer(1, 0))),
        ("refine", plan.refined(1, Manner::Usual)),
    ];
    for (stage, answer) in answers {
        let step = format!("chapter:001:{stage}");
        book.feed(&["submit", &step, "-"], answer).data();
        book.ask(&["advance", &step]).data();
    }
    book
}

#[test]
fn the_packet_names_the_form_that_submit_takes_and_the_commands_work() {
    let book = staged();
    for (stage, form) in STEPS {
        let step = format!("chapter:001:{stage}");
        let packet = book.ask(&["instructions", &step]).data()["packet"].clone();
        assert_eq!(packet["answer"]["form"], form, "{stage}");
        assert_eq!(
            packet["answer"]["submit"],
            format!("novel submit {step} FILE")
        );
        let typed = |command: &Value| {
            let command = command.as_str().unwrap();
            let words: Vec<&str> = command.split(' ').skip(1).collect();
            book.ask(&words).data()
        };
        let prompt = typed(&packet["answer"]["prompt"]);
        assert_eq!(prompt["agent"], packet["agent"]["name"]);
        assert!(!prompt["system"].as_str().unwrap().is_empty());
        match form {
            "json" => {
                let schema = typed(&packet["answer"]["schema"]);
                assert_eq!(schema["name"], step);
                assert_eq!(schema["schema"], prompt["schema"]);
                assert_eq!(schema["schema"]["type"], "object");
            }
            _ => {
                assert_eq!(packet["answer"].get("schema"), None);
                let refused = book.ask(&["schema", &step]).fails(2);
                assert_eq!(refused["code"], "UNKNOWN_SCHEMA");
            }
        }
    }
}

#[test]
fn the_printed_prompt_is_the_rules_and_then_the_material() {
    let book = TestBook::planned(Plan::new(3));
    let data = book.ask(&["prompt", "chapter:001:draft"]).data();
    let text = book
        .novel(&["prompt", "chapter:001:draft"])
        .success()
        .stdout;
    let (system, user) = (
        data["system"].as_str().unwrap(),
        data["user"].as_str().unwrap(),
    );
    assert_eq!(text, format!("{system}\n\n{user}\n"));
    assert!(user.contains("<DATA "));
}

#[test]
fn schemas_are_printed_by_name_without_a_project() {
    let nowhere = TestBook::nowhere();
    let names = nowhere.ask(&["schema"]).data()["schemas"].clone();
    for name in ["evaluation", "summarizer-answer", "answers/next"] {
        assert!(names.as_array().unwrap().contains(&json!(name)), "{name}");
        let schema = nowhere.ask(&["schema", name]).data()["schema"].clone();
        assert!(schema.is_object(), "{name}");
    }
    let refused = nowhere.ask(&["schema", "evalutaion"]).fails(2);
    assert_eq!(refused["code"], "UNKNOWN_SCHEMA");
    assert!(refused["hint"].as_str().unwrap().contains("evaluation"));
}
