//! The closed question of `consistency_check = "full"`, through the binary and a model server: with
//! an oracle that answers rightly, and with one that always says "contradicts".
//!
//! `NOVEL_ALL_CASES=1 cargo nextest run -p novel-cli right_oracle --no-capture` prints the figures of
//! docs/story-checks.md: every case of the benchmark, one book each; without the variable every fourth.

#![expect(clippy::print_stdout, reason = "prints figures")]

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use novel_mockllm::{Behaviour, MockServer};
use novel_testkit::{
    TestBook,
    faulty::{block, consistency},
    story::{Case, all_cases},
};
use serde_json::{Value, json};

/// The chapter a case is about.
const CHAPTER: u32 = 2;

/// What a candidate of a kind is asked for.
fn doubts(kind: &str) -> &'static [&'static str] {
    match kind {
        "dead" => &["gone"],
        "thing" | "count" => &["thing"],
        "body" => &["body"],
        "looks" | "rank" | "age" | "kinship" => &["told", "body"],
        "tie" => &["tie", "told"],
        "knows" => &["secret"],
        "place" => &["place"],
        "day" => &["day"],
        "law" => &["rule"],
        _ => &[],
    }
}

/// The verdicts a model gives on the candidates of a case.
type Oracle = fn(&Case, &Value) -> Value;

/// An imported book of two chapters whose second waits for its audit, and a model that audits.
struct Desk {
    book: TestBook,
    template: novel_testkit::Tree,
    case: Arc<Mutex<Case>>,
    /// How many candidates the model was asked about.
    questions: Arc<AtomicUsize>,
    _server: MockServer,
}

impl Desk {
    fn new(language: &'static str, oracle: Oracle) -> Self {
        let book = TestBook::once(&format!("audited {language}"), || imported(language));
        let cases = all_cases();
        let first = cases.into_iter().find(|case| case.language == language);
        let case = Arc::new(Mutex::new(first.unwrap()));
        let questions = Arc::new(AtomicUsize::new(0));
        let (asked, counted) = (Arc::clone(&case), Arc::clone(&questions));
        let server = MockServer::start(move |request| {
            let case = asked.lock().unwrap();
            answer(&case, &request.prompt(), oracle, &counted)
        })
        .unwrap();
        book.configure("consistency_check = \"full\"\nrevision_policy = \"manual_confirm\"");
        book.use_model(&server.openai_base());
        Self {
            template: book.tree(),
            book,
            case,
            questions,
            _server: server,
        }
    }

    /// Has the chapter of a case audited; gives the report.
    fn audit(&mut self, case: &Case) -> Value {
        *self.case.lock().unwrap() = case.clone();
        self.book = TestBook::of(&self.template);
        for (path, bytes) in case.book().write().files() {
            self.book.write(path.as_str(), bytes);
        }
        for chapter in 1..=CHAPTER {
            let path = format!("chapters/chapter_{chapter:03}.json");
            let text = self.book.json(&path)["scenes"][0]["content"].clone();
            let markdown = format!("chapters/chapter-{chapter:03}.md");
            let heading = self.book.text(&markdown);
            let heading = heading.lines().next().unwrap();
            let text = format!("{heading}\n\n{}\n", text.as_str().unwrap());
            self.book.write(&markdown, text);
        }
        // The volume ends with the chapter, so the command has nothing to do after the audit.
        let ran = self.book.ask(&["continue"]);
        assert!(
            self.book.has(&consistency(CHAPTER)),
            "{}: {ran:#?}",
            case.text
        );
        self.book.json(&consistency(CHAPTER))
    }
}

fn imported(language: &str) -> TestBook {
    let book = TestBook::nowhere();
    let (text, language) = match language {
        "zh" => ("第一章 一\n\n天亮了。\n\n第二章 二\n\n雨停了。\n", "zh-CN"),
        _ => (
            "Chapter 1: One\n\nMorning came.\n\nChapter 2: Two\n\nThe rain stopped.\n",
            "en",
        ),
    };
    let source = book.outside().join("source.txt");
    std::fs::write(&source, text).unwrap();
    let source = source.to_str().unwrap();
    let args = ["import", source, "--into", "book", "--title", "T", "--yes"];
    book.ask(&[&args[..], &["--language", language]].concat())
        .data();
    book.edit(".checkpoint.json", |checkpoint| {
        checkpoint["orchestrator_state"] = json!("WRITING");
        checkpoint["current_volume"] = json!(1);
    });
    book
}

/// What the server says: the auditor's answer, and nothing to anybody else.
fn answer(case: &Case, prompt: &str, oracle: Oracle, questions: &AtomicUsize) -> Behaviour {
    let heads = ["# 一致性审计", "# Consistency auditor"];
    if !prompt.lines().any(|line| heads.contains(&line)) {
        return Behaviour::error(400, "no_answer", "only the auditor is asked");
    }
    let candidates: Vec<Value> = match prompt.find("\n## candidates") {
        Some(at) => serde_json::from_str(block(&prompt[at..], "<DATA")).unwrap(),
        None => Vec::new(),
    };
    questions.fetch_add(candidates.len(), Ordering::Relaxed);
    let verdicts: Vec<Value> = candidates
        .iter()
        .map(|candidate| oracle(case, candidate))
        .collect();
    Behaviour::json(&json!({"issues": [], "summary": "", "verdicts": verdicts}))
}

/// Answers rightly: the sentence is the planted one, and the record the one it contradicts.
fn right(case: &Case, candidate: &Value) -> Value {
    let sentence = candidate["sentence"].as_str().unwrap();
    let is_planted = case.text.contains(sentence) || sentence.contains(&case.text);
    let why = candidate["why"].as_str().unwrap();
    let contradicts = case.contradicts && is_planted && doubts(&case.kind).contains(&why);
    json!({"number": candidate["number"], "contradicts": contradicts, "frame": "now",
           "evidence": sentence, "record": candidate["record"]})
}

/// Every case of a language.
fn cases(language: &str) -> impl Iterator<Item = Case> + '_ {
    let all = all_cases().into_iter();
    all.filter(move |case| case.language == language)
}

/// Of how many cases one is measured.
fn every() -> usize {
    match std::env::var_os("NOVEL_ALL_CASES") {
        Some(_) => 1,
        None => 4,
    }
}

/// A share with its Wilson interval of 95 %.
fn share(hits: usize, all: usize) -> String {
    let (n, z) = (all as f64, 1.96_f64);
    let p = hits as f64 / n.max(1.0);
    let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let width = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
    let (low, high) = ((centre - width).max(0.0), (centre + width).min(1.0));
    format!("{p:.3} [{low:.3}, {high:.3}] ({hits}/{all})")
}

/// Asks about all cases of a language; recall and precision must reach the targets.
fn measure(language: &'static str) {
    let mut desk = Desk::new(language, right);
    let (mut planted, mut found, mut proved, mut alarms, mut asked) = (0, 0, 0, 0, 0);
    for case in cases(language).step_by(every()) {
        let report = desk.audit(&case);
        let issues = report["issues"].as_array().unwrap();
        if case.contradicts {
            planted += 1;
            found += usize::from(!issues.is_empty());
            proved += usize::from(issues.iter().any(|issue| !is_from_model(issue)));
            asked += usize::from(!issues.is_empty() && issues.iter().all(is_from_model));
            if issues.is_empty() {
                println!("missed: {} {}: {}", language, case.kind, case.text);
            }
        } else if !issues.is_empty() {
            alarms += 1;
            println!("false: {} {}: {}", language, case.kind, case.text);
        }
    }
    let (recall, precision) = (share(found, planted), share(found, found + alarms));
    println!(
        "{language}: recall {recall}, of which {proved} proved and {asked} by the question alone; precision {precision}"
    );
    assert!(found * 100 >= planted * 90, "recall {recall}");
    assert!(
        found * 100 >= (found + alarms) * 98,
        "precision {precision}"
    );
}

#[test]
fn a_right_oracle_finds_nine_in_ten_in_chinese() {
    measure("zh");
}

#[test]
fn a_right_oracle_finds_nine_in_ten_in_english() {
    measure("en");
}

/// A verdict against the record, with quotations.
fn yes(candidate: &Value, evidence: &str, record: &str) -> Value {
    json!({"number": candidate["number"], "contradicts": true, "frame": "now",
           "evidence": evidence, "record": record})
}

fn field<'a>(candidate: &'a Value, name: &str) -> &'a str {
    candidate[name].as_str().unwrap()
}

/// The first letters of a text.
fn first(text: &str, letters: usize) -> String {
    text.chars().take(letters).collect()
}

/// Quotations that prove nothing, each with a name.
const UNPROVED: [(&str, Oracle); 8] = [
    ("invented", |_, candidate| {
        yes(
            candidate,
            "他从坟里爬了出来 He climbed out",
            "the record says so 记录如此",
        )
    }),
    ("empty", |_, candidate| yes(candidate, "", "")),
    ("an empty record", |_, candidate| {
        yes(candidate, field(candidate, "sentence"), " ")
    }),
    ("a shortened sentence", |_, candidate| {
        let short = first(field(candidate, "sentence"), 3);
        yes(candidate, &short, field(candidate, "record"))
    }),
    ("a shortened record", |_, candidate| {
        let short = first(field(candidate, "record"), 5);
        yes(candidate, field(candidate, "sentence"), &short)
    }),
    ("the two swapped", |_, candidate| {
        yes(
            candidate,
            field(candidate, "record"),
            field(candidate, "sentence"),
        )
    }),
    ("another frame", |_, candidate| {
        let mut verdict = yes(
            candidate,
            field(candidate, "sentence"),
            field(candidate, "record"),
        );
        verdict["frame"] = json!("past");
        verdict
    }),
    ("another number", |_, candidate| {
        let mut verdict = yes(
            candidate,
            field(candidate, "sentence"),
            field(candidate, "record"),
        );
        verdict["number"] = json!(candidate["number"].as_u64().unwrap() + 40);
        verdict
    }),
];

/// Whether an issue rests on the model's word.
fn is_from_model(issue: &Value) -> bool {
    let kind = issue["issue_type"].as_str().unwrap();
    kind.starts_with("CANDIDATE_")
}

#[test]
fn a_verdict_without_its_quotations_is_no_finding() {
    let mut asked = 0;
    for language in ["zh", "en"] {
        let some: Vec<Case> = cases(language).step_by(61).collect();
        for (name, oracle) in UNPROVED {
            let mut desk = Desk::new(language, oracle);
            for case in &some {
                let report = desk.audit(case);
                let issues = report["issues"].as_array().unwrap();
                let text = &case.text;
                assert!(
                    !issues.iter().any(is_from_model),
                    "{name}, {text}: {report:#}"
                );
                assert_eq!(report["verdicts"], Value::Null, "{name}, {text}");
            }
            let questions = desk.questions.load(Ordering::Relaxed);
            assert!(questions > 0, "{name}: nothing was asked");
            asked += questions;
        }
    }
    println!("{asked} verdicts that prove nothing: no finding of the model");
}

#[test]
fn what_rests_on_the_model_alone_repairs_and_blocks_nothing() {
    let (mut audits, mut alone) = (0, 0);
    for language in ["zh", "en"] {
        let mut desk = Desk::new(language, |_, candidate| {
            yes(
                candidate,
                field(candidate, "sentence"),
                field(candidate, "record"),
            )
        });
        for case in cases(language).step_by(13) {
            let report = desk.audit(&case);
            let issues = report["issues"].as_array().unwrap();
            let by_model = || issues.iter().filter(|issue| is_from_model(issue));
            for issue in by_model() {
                assert_eq!(issue["fix_instructions"], Value::Null, "{issue:#}");
                // Both sides are quoted word for word.
                let sentence = issue["evidence"].as_str().unwrap();
                let chapter = desk.book.json("chapters/chapter_002.json");
                let content = chapter["scenes"][0]["content"].as_str().unwrap();
                assert!(content.contains(sentence), "{issue:#}");
            }
            let proved = issues.len() > by_model().count();
            let waits = desk.book.has("chapters/chapter_002_revision.json");
            assert!(!waits || proved, "{}: {report:#}", case.text);
            audits += 1;
            alone += usize::from(!issues.is_empty() && !proved);
            if !issues.is_empty() && !proved {
                assert_eq!(desk.book.next(), "chapter:003:draft", "{}", case.text);
            }
        }
    }
    println!(
        "{audits} audits that say yes to everything, {alone} of them with findings of the model alone"
    );
    assert!(alone > 0, "something must rest on the model alone");
}
