use serde_json::json;

use super::*;

fn blacklist(value: Value) -> Blacklist {
    serde_json::from_value(value).unwrap()
}

#[test]
fn every_form_of_the_word_list_is_read() {
    for form in [
        json!({"words": ["不禁", "仿佛", "不禁", ""]}),
        json!({"words": [{"word": "不禁"}, {"phrase": "仿佛", "note": "x"}]}),
        json!({"words": {"emotion": ["不禁"], "simile": [{"word": "仿佛"}], "version": 3}}),
        json!({"categories": {"emotion": ["不禁"], "simile": ["仿佛"]}}),
        json!({"words": ["不禁"], "categories": {"simile": ["仿佛", "不禁"]}}),
    ] {
        assert_eq!(
            blacklist(form.clone()).effective_words(),
            ["不禁", "仿佛"],
            "{form}"
        );
    }
}

#[test]
fn whitelisted_words_are_no_hits() {
    let list = blacklist(json!({
        "words": ["不禁", "仿佛", "微微"], "whitelist": ["仿佛"], "exemptions": {"words": ["微微"]}
    }));
    assert_eq!(list.effective_words(), ["不禁"]);
    assert_eq!(list.all_words(), ["不禁", "仿佛", "微微"]);
    assert!(list.is_exempt("微微") && list.is_exempt("仿佛") && !list.is_exempt("不禁"));
}

#[test]
fn an_empty_list_has_no_words() {
    for form in [
        json!({}),
        json!({"words": null}),
        json!({"words": []}),
        json!({"words": 3}),
    ] {
        assert!(blacklist(form).effective_words().is_empty());
    }
}
