//! The offline author's scores are not verdicts: wherever they are shown it says so (specification,
//! page 08).

use novel_testkit::{Plan, TestBook};
use serde_json::json;

use crate::believed::stub::Stub;

#[test]
fn every_answer_with_a_score_says_that_it_is_the_offline_authors() {
    let home = TestBook::demo(0);
    let run = home.ask(&["continue", "2"]).data();
    for chapter in run["finished"].as_array().unwrap() {
        assert_eq!(chapter["scored_by"], "offline_author", "{run:#}");
    }
    let status = home.ask(&["status"]).data();
    assert_eq!(status["progress"]["offline_scores"], json!([1, 2]));
    assert_eq!(
        status["progress"]["recent"][0]["scored_by"],
        "offline_author"
    );
    assert_eq!(status.get("judge"), None, "the offline author is no judge");
    let list = home.ask(&["chapter", "list"]).data();
    assert_eq!(list["chapters"][0]["scored_by"], "offline_author");
    let report = home.ask(&["report", "scores"]).data();
    assert_eq!(
        report["scores"]["chapters"][0]["scored_by"],
        "offline_author"
    );
    let events = home.lines("logs/runs/0001.jsonl");
    for kind in ["gate.decided", "chapter.committed"] {
        let event = events.iter().find(|event| event["type"] == kind).unwrap();
        assert_eq!(event["scored_by"], "offline_author", "{event:#}");
    }
}

#[test]
fn every_screen_with_a_score_says_it_in_both_languages() {
    let home = TestBook::demo(2);
    for (lang, said) in [("zh", "离线作者"), ("en", "offline author")] {
        for args in [
            vec!["status"],
            vec!["chapter", "list"],
            vec!["report", "scores"],
        ] {
            let mut all = vec!["--lang", lang];
            all.extend(args);
            let output = home.novel(&all);
            let shown = format!("{}{}", output.stdout, output.stderr);
            assert!(shown.contains(said), "{all:?}: {shown}");
        }
    }
    // Once, below the lines of the chapters, whose form is the seed's.
    for (lang, said) in [
        (
            "en",
            "The offline author gave the scores, measured by rule; they are not verdicts.",
        ),
        ("zh", "评分由离线作者按规则给出，不是评审结论。"),
    ] {
        let output = home
            .novel(&["--lang", lang, "--quiet", "continue", "2"])
            .success();
        let said = output.stdout.lines().filter(|line| *line == said).count();
        assert_eq!(said, 1, "{output:?}");
    }
}

#[test]
fn a_judges_score_is_not_called_the_offline_authors() {
    let book = TestBook::planned(Plan::new(9));
    let _stub = Stub::writing(&book, |_, _| None);
    let run = book.ask(&["continue"]).data();
    assert_eq!(run["finished"][0]["scored_by"], "judge", "{run:#}");
    let status = book.ask(&["status"]).data();
    assert_eq!(status["progress"].get("offline_scores"), None);
    assert_eq!(status["judge"]["measured"], json!(null));
    let shown = book.novel(&["--lang", "en", "status"]);
    assert!(!shown.stdout.contains("offline author"), "{shown:?}");
    assert!(shown.stdout.contains("never measured"), "{shown:?}");
}
