use novel_model::{files::ForeshadowAction, layout};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const IDS: [&str; 5] = ["jade", "throne", "flute", "lamp", "seal"];

fn line() -> Slug {
    "main-arc".parse().unwrap()
}

fn chapter(number: u32) -> ChapterNo {
    ChapterNo::new(number).unwrap()
}

fn op(id: &str, action: ForeshadowAction) -> ForeshadowOp {
    ForeshadowOp {
        id: id.parse().unwrap(),
        action,
        detail: Some(format!("“{id}”\n换行")),
        evidence: None,
        unproven: false,
    }
}

fn in_text(text: &str, ops: &[ForeshadowOp], number: u32) -> (String, Vec<Warning>) {
    let by = (chapter(number), &line());
    let path = layout::foreshadowing();
    let facts = Document::parse_value(&path, text).unwrap();
    let plan = ForeshadowPlan::default();
    record_in_text((&path, text), &facts, &plan, ops, by).unwrap()
}

/// The same through a document of the whole file.
fn whole(text: &str, ops: &[ForeshadowOp], number: u32) -> (String, Vec<Warning>) {
    let mut document = Document::<Foreshadowing>::parse(&layout::foreshadowing(), text).unwrap();
    let mut warnings = Vec::new();
    document.edit(|facts| {
        let plan = ForeshadowPlan::default();
        warnings = record(facts, &plan, ops, chapter(number), &line());
    });
    (document.to_text(), warnings)
}

proptest! {
    #[test]
    fn chapters_recorded_in_the_text_give_the_bytes_of_the_whole_document(
        chapters in prop::collection::vec(
            prop::collection::vec((0..IDS.len(), 0..3_usize), 0..4), 1..12,
        ),
    ) {
        use ForeshadowAction::{Advanced, Planted, Resolved};
        let mut text = to_json_text(&Foreshadowing::default());
        for (number, ops) in (1..).zip(chapters) {
            let ops: Vec<ForeshadowOp> = ops
                .into_iter()
                .map(|(id, action)| op(IDS[id], [Planted, Advanced, Resolved][action]))
                .collect();
            let recorded = in_text(&text, &ops, number);
            prop_assert_eq!(&recorded, &whole(&text, &ops, number));
            text = recorded.0;
        }
    }
}

#[test]
fn items_a_chapter_does_not_touch_stay_as_the_author_wrote_them() {
    let text = "{\"note\": \"mine\", \"foreshadowing\": [\n  {\"id\":\"jade\",   \"status\":\"planted\", \"mine\": [1,\n 2]},\n\n  {\"id\": \"lamp\", \"mood\": \"dark\", \"status\": \"planted\"}  ], \"end\": 1 }\n";
    let ops = [
        op("lamp", ForeshadowAction::Resolved),
        op("seal", ForeshadowAction::Planted),
    ];
    let (after, _) = in_text(text, &ops, 7);
    assert!(after.starts_with(
        "{\"note\": \"mine\", \"foreshadowing\": [\n  {\"id\":\"jade\",   \"status\":\"planted\", \"mine\": [1,\n 2]},\n\n  {"
    ));
    assert!(after.ends_with("}  ], \"end\": 1 }\n"), "{after}");
    let read: Value = serde_json::from_str(&after).unwrap();
    let expected: Value = serde_json::from_str(&whole(text, &ops, 7).0).unwrap();
    assert_eq!(read, expected);
    assert_eq!(read["foreshadowing"][1]["mood"], "dark");
}

#[test]
fn a_damaged_file_is_named_wherever_the_damage_is() {
    let record = |text: &str| {
        let by = (chapter(7), &line());
        let ops = [op("jade", ForeshadowAction::Advanced)];
        let plan = ForeshadowPlan::default();
        let path = layout::foreshadowing();
        let facts = Document::parse_value(&path, text)?;
        record_in_text((&path, text), &facts, &plan, &ops, by)
    };
    let item = json!({"id": "jade", "status": "planted"});
    let file = |items: Value| json!({ "foreshadowing": items }).to_string();
    assert!(record(&file(json!([item]))).is_ok());
    let twice = file(json!([item, item]));
    let far = file(json!([item, {"id": "other", "status": "lost"}]));
    let touched =
        r#"{"foreshadowing": [{"id": "jade", "status": "planted", "mine": 1, "mine": 2}]}"#;
    for (text, code, place) in [
        ("{\"foreshadowing\": [", "json_syntax", "1:19"),
        (&twice, "duplicate_id", "/foreshadowing/1/id"),
        (&far, "not_allowed", "/foreshadowing/1/status"),
        (touched, "duplicate_key", "/foreshadowing/0/mine"),
    ] {
        let error = record(text).unwrap_err();
        let problem = novel_model::Explain::problems(&error)[0].clone();
        assert_eq!(problem.code, code, "{text}");
        assert!(
            problem.location().ends_with(place),
            "{}",
            problem.location()
        );
    }
}
