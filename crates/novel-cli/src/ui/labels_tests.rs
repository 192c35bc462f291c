use novel_model::ChapterNo;

use super::*;

fn finished(chapter: u32, overall: f64, gate: GateDecision) -> Finished {
    Finished {
        chapter: ChapterNo::new(chapter).unwrap(),
        words: 1234,
        overall: Some(overall),
        scored_by: None,
        gate: Some(gate),
        revisions: 1,
        force_passed: false,
    }
}

#[test]
fn a_score_is_never_shown_above_itself() {
    for (given, shown) in [
        (4.0, "4.00"),
        (4.2, "4.20"),
        (4.1, "4.10"),
        (3.97, "3.97"),
        (3.999, "3.99"),
        (1.0, "1.00"),
        (4.35, "4.35"),
    ] {
        assert_eq!(score(Some(given)), shown);
    }
    assert_eq!(score(None), "-");
}

#[test]
fn the_line_of_a_chapter_is_the_seeds() {
    let line = chapter_line(&finished(7, 4.2, GateDecision::Pass));
    assert_eq!(
        line.zh,
        "第 7 章已生成（1234 字），评分 4.20/5.0，评审通过，修订 1 次 ✓"
    );
    assert_eq!(
        line.en,
        "Chapter 7 written (1234 words), score 4.20/5.0, gate pass, revisions 1 ✓"
    );
    let forced = Finished {
        force_passed: true,
        ..finished(7, 3.2, GateDecision::Pass)
    };
    let line = chapter_line(&forced);
    assert!(line.zh.ends_with("修订 1 次，强制通过 ⚠"), "{}", line.zh);
    assert!(
        line.en.ends_with("revisions 1, force-passed ⚠"),
        "{}",
        line.en
    );
}

#[test]
fn the_summary_is_the_seeds() {
    let line = summary_line(&[
        finished(1, 4.2, GateDecision::Pass),
        finished(2, 3.75, GateDecision::Polish),
    ]);
    assert_eq!(line.zh, "Ch 1: 1234字 4.20 pass | Ch 2: 1234字 3.75 polish");
    assert_eq!(
        line.en,
        "Ch 1: 1234 words 4.20 pass | Ch 2: 1234 words 3.75 polish"
    );
}

#[test]
fn the_offline_author_is_never_called_a_model() {
    assert_eq!(model("offline", Lang::Zh), "离线作者（非语言模型）");
    assert_eq!(
        model("offline", Lang::En),
        "offline author (not a language model)"
    );
    assert_eq!(model("qwen-max", Lang::Zh), "qwen-max");
}

#[test]
fn numbers_nobody_reported_are_a_dash() {
    assert_eq!(
        (tokens(None), money(None), seconds(None)),
        ("-".into(), "-".into(), "-".into())
    );
    assert_eq!(money(Some(0.012_345)), "$0.0123");
    assert_eq!(seconds(Some(12_345)), "12.3");
}
