use super::*;

fn flips(text: &str) -> impl Iterator<Item = String> {
    (0..text.len() * 8).filter_map(|bit| {
        let mut bytes = text.as_bytes().to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        String::from_utf8(bytes).ok()
    })
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text).is_ok()
}

#[test]
fn no_flipped_bit_of_a_line_goes_unseen() {
    let first = seal_line(r#"{"a":1,"sum":"x"}"#, None);
    let Seal::Sound(sum) = check_line(&first, None) else {
        panic!("{first}");
    };
    let second = seal_line(r#"{"b":"two"}"#, Some(sum));
    assert!(matches!(check_line(&second, Some(sum)), Seal::Sound(_)));
    assert_eq!(check_line(&second, None), Seal::Broken);
    for text in flips(&second).filter(|text| is_json(text)) {
        assert_eq!(check_line(&text, Some(sum)), Seal::Broken, "{text}");
    }
}

#[test]
fn no_flipped_bit_of_a_document_goes_unseen() {
    let text = seal_document(&crate::to_json_text(
        &serde_json::json!({"a": [1, 2], "b": "c"}),
    ));
    assert!(is_json(&text));
    assert!(matches!(check_document(&text), Seal::Sound(_)));
    for text in flips(&text).filter(|text| is_json(text)) {
        // White space outside of strings says nothing.
        let ends_otherwise = !text.ends_with("\"\n}\n");
        assert!(
            check_document(&text) == Seal::Broken || ends_otherwise,
            "{text}"
        );
    }
}

#[test]
fn texts_of_older_versions_have_no_sum() {
    assert_eq!(check_line(r#"{"a":1}"#, None), Seal::Unsealed);
    assert_eq!(check_document("{\n  \"a\": 1\n}\n"), Seal::Unsealed);
}
