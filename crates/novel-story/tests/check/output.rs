//! How findings are reported and waived.

use novel_model::{Document, Explain, Lang, files::ConsistencyReport, layout};
use novel_story::check::{WaiverError, Waivers, to_report};
use serde_json::json;

use super::{
    book::{Check, chinese, no},
    english::english,
};

fn faulty() -> super::book::Book {
    let mut book = chinese();
    book.chapter(25).scenes[1] =
        "灯芯跳了一下。\n\n门外的雨声忽然小了，陈老缓缓说道：“船在北边。”\n\n林枫抬起头。"
            .to_owned();
    book
}

#[test]
fn a_finding_in_english() {
    let mut book = english();
    book.chapter(12).scenes[0] += "\n\nMara took out the brass key and turned it over.";
    insta::assert_json_snapshot!(book.finding().answer(Lang::En));
}

#[test]
fn a_finding_between_files() {
    let mut book = chinese();
    book.chapter(17).contract["preconditions"]["character_states"]["林枫"]["location"] =
        json!("雁门关");
    insta::assert_json_snapshot!(book.finding().answer(Lang::Zh));
}

#[test]
fn json_names_both_sides() {
    insta::assert_json_snapshot!(faulty().finding().answer(Lang::Zh));
}

#[test]
fn the_report_is_the_file_of_the_specification() {
    let finding = faulty().finding();
    let report = to_report(no(25), &[finding], &Waivers::default(), Lang::Zh);
    assert_eq!(report.issues[0].issue_type, "DEAD_CHARACTER_ACTS");
    let evidence = report.issues[0].evidence.as_deref().unwrap();
    assert_eq!(evidence, "门外的雨声忽然小了，陈老缓缓说道：“船在北边。”");
    assert_eq!(report.summary, "发现 1 处矛盾：严重 1，中等 0，轻微 0");
    let document = Document::new(report);
    let path = layout::consistency(no(25));
    let again = Document::<ConsistencyReport>::parse(&path, &document.to_text()).unwrap();
    assert_eq!(again, document);
    let empty = to_report(no(25), &[], &Waivers::default(), Lang::En);
    assert_eq!(
        (empty.issues.len(), empty.summary.as_str()),
        (0, "no contradiction found")
    );
}

#[test]
fn a_waiver_does_not_move_to_another_sentence() {
    let first = "陈老缓缓说道：“船在北边。”";
    let second = "陈老推开了门。";
    let book_with = |prose: &[&str]| {
        let mut book = chinese();
        book.chapter(25).scenes[1] = format!("灯芯跳了一下。\n\n{}", prose.join("\n\n"));
        book
    };
    let both = book_with(&[first, second]).findings();
    assert_eq!(both.len(), 2, "{both:#?}");
    assert_ne!(both[0].fingerprint, both[1].fingerprint);
    let mut waivers = Waivers::default();
    let (waived, stands) = (&both[0], &both[1]);
    assert_eq!(
        waivers.apply(&both, &waived.fingerprint, "是幻象", "t1"),
        Ok(1)
    );
    assert!(waivers.covers(waived).is_some() && waivers.covers(stands).is_none());
    // The sentence that was waived is gone; the other one is still no vision.
    let left = book_with(&[second]).findings();
    assert_eq!(left.len(), 1, "{left:#?}");
    assert!(waivers.covers(&left[0]).is_none());
    // It comes back further down.
    let again = book_with(&[second, first]).findings();
    let covered: Vec<bool> = again
        .iter()
        .map(|finding| waivers.covers(finding).is_some())
        .collect();
    assert_eq!(covered, [false, true]);
}

#[test]
fn a_waiver_is_given_kept_and_taken_back() {
    let findings = [faulty().finding()];
    let mut waivers = Waivers::default();
    let code = findings[0].code.as_str();
    assert_eq!(
        waivers.apply(&findings, code, "  ", "t1"),
        Err(WaiverError::NoReason)
    );
    assert_eq!(
        waivers.apply(&findings, "dead_character_acts", "是幻象", "t1"),
        Ok(1)
    );
    assert!(waivers.covers(&findings[0]).is_some());
    let again = waivers
        .apply(&findings, &findings[0].fingerprint, "再来", "t2")
        .unwrap_err();
    assert_eq!(again.code(), "NO_SUCH_FINDING");

    let report = to_report(no(25), &findings, &waivers, Lang::Zh);
    assert_eq!(report.issues, []);
    assert_eq!(report.context_snapshot["waived"][0]["reason"], "是幻象");
    assert_eq!(report.summary, "未发现矛盾；另有 1 处已豁免");

    let path = layout::waivers();
    let text = waivers.to_text();
    assert_eq!(Waivers::parse(&path, &text), Ok(waivers.clone()));

    assert!(waivers.revoke(code, Some(no(26)), "t3").is_err());
    assert_eq!(
        waivers.revoke(&findings[0].fingerprint, Some(no(25)), "t3"),
        Ok(1)
    );
    assert_eq!(waivers.covers(&findings[0]), None);
    assert_eq!(waivers.waivers[0].revoked_at.as_deref(), Some("t3"));
    assert!(waivers.revoke(code, None, "t4").is_err());
    assert_eq!(waivers.apply(&findings, code, "还是幻象", "t5"), Ok(1));
    assert_eq!(waivers.waivers.len(), 2);
}

#[test]
fn a_damaged_list_of_waivers_is_an_error_and_unknown_fields_survive() {
    let path = layout::waivers();
    assert_eq!(
        Waivers::parse(&path, "{").unwrap_err().problems()[0].code,
        "json_syntax"
    );
    let unknown = json!({"waivers": [{"code": "NO_SUCH", "fingerprint": "a", "chapter": 1, "reason": "r", "created_at": "t"}]});
    assert_eq!(
        Waivers::parse(&path, &unknown.to_string())
            .unwrap_err()
            .problems()[0]
            .code,
        "unknown_code"
    );
    let text = json!({"waivers": [{"code": "FORESHADOW_OVERDUE", "fingerprint": "a", "chapter": 1, "reason": "r",
                                   "created_at": "t", "revoked_at": null, "by": "作者"}], "version": 2});
    let waivers = Waivers::parse(&path, &text.to_string()).unwrap();
    let written: serde_json::Value = serde_json::from_str(&waivers.to_text()).unwrap();
    assert_eq!(written, text);
}

#[test]
fn the_fingerprint_outlives_changes_elsewhere() {
    let one = faulty().finding();
    let mut book = faulty();
    book.chapter(25).scenes[1].insert_str(0, "风从江上来。\n\n");
    book.chapter(25).scenes[0] += "\n\n更鼓三声。";
    let other = book.finding();
    assert_eq!(one.fingerprint, other.fingerprint);
    assert_ne!(one.place.spot, other.place.spot);
}
