use serde_json::json;

use super::*;

/// A small model gave the same quotation again as long as it was shown the op with it.
#[test]
fn an_op_whose_quotation_was_not_found_is_shown_without_it() {
    let op = |path: &str, evidence: &str| json!({"op": "set", "path": path, "value": "码头", "evidence": evidence});
    let lacking = LackingRecord {
        facts: vec![
            op("characters.wang-wu.location", "他走到码头，把绳子解开。"),
            op("characters.lu-yan.location", "这一句正文里没有。"),
        ],
        unlocated: [1].into(),
        ..LackingRecord::default()
    };
    for lang in [Lang::Zh, Lang::En] {
        let text = record_note(&[], &lacking, lang).text;
        assert!(text.contains("他走到码头，把绳子解开。"), "{text}");
        assert!(text.contains("characters.lu-yan.location"), "{text}");
        assert!(!text.contains("这一句正文里没有"), "{text}");
    }
}
