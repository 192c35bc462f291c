use proptest::prelude::*;

use super::*;

const KEY: &str = "sk-live-2C1f7a90/Never+print=this";

fn redactor() -> Redactor {
    Redactor::of([KEY], 16)
}

fn escaped(escape: impl Fn(u8) -> String) -> String {
    KEY.bytes().map(escape).collect()
}

/// The key as a server may send it back.
fn disguises() -> Vec<String> {
    let hex = escaped(|byte| format!("{byte:02x}"));
    let mut all = vec![
        KEY.to_owned(),
        KEY.to_uppercase(),
        KEY.to_lowercase(),
        KEY.replace('/', "\\/"),
        escaped(|byte| format!("\\u00{byte:02x}")),
        escaped(|byte| format!("\\u00{byte:02X}")),
        escaped(|byte| format!("\\\\u00{byte:02x}")),
        escaped(|byte| format!("\\x{byte:02x}")),
        escaped(|byte| format!("%{byte:02X}")),
        escaped(|byte| format!("%25{byte:02x}")),
        escaped(|byte| format!("%2525{byte:02x}")),
        escaped(|byte| format!("&#{byte};")),
        escaped(|byte| format!("&#x{byte:x};")),
        escaped(|byte| match byte {
            b'/' | b'+' | b'=' => format!("%{byte:02X}"),
            _ => char::from(byte).to_string(),
        }),
        escaped(|byte| match byte {
            b'a'..=b'n' => format!("\\u00{byte:02x}"),
            b'0'..=b'9' => format!("%{byte:02x}"),
            _ => char::from(byte).to_string(),
        }),
        hex.to_uppercase(),
        hex,
    ];
    for alphabet in [STANDARD, URL_SAFE] {
        let engine = GeneralPurpose::new(&alphabet, NO_PAD);
        all.extend(["", "a", "ab", "user:"].map(|before| engine.encode(format!("{before}{KEY}!"))));
        all.push(engine.encode(KEY).replace('/', "\\/").replace('+', "%2B"));
    }
    all
}

/// Whether anything of the key is left that is long enough to be of use.
fn shows(text: &str, disguise: &str) -> bool {
    let part = disguise.len() / 2;
    (0..=disguise.len() - part).any(|at| {
        let piece = disguise.get(at..at + part);
        piece.is_some_and(|piece| text.contains(piece))
    })
}

#[test]
fn a_key_is_taken_out_in_every_encoding() {
    for disguise in disguises() {
        for text in [
            disguise.clone(),
            format!("{{\"error\": \"wrong key {disguise}.\"}}"),
            format!("前{disguise}后 {disguise}"),
            format!("sk-{disguise}"),
        ] {
            let clean = redactor().redact(&text);
            assert!(!shows(&clean, &disguise), "{text}: {clean}");
            assert!(clean.contains("***"), "{text}: {clean}");
        }
    }
}

#[test]
fn a_key_is_taken_out_wherever_the_pieces_are_cut() {
    for disguise in disguises() {
        let text = format!("{{\"model\": \"{disguise}\", \"夜\": 1}}\n\n");
        let whole = redactor().redact(&text);
        for at in 0..text.len() {
            let mut stream = RedactingStream::new(redactor());
            let (first, second) = text.as_bytes().split_at(at);
            let mut clean = stream.feed(first);
            clean.extend(stream.feed(second));
            // Nothing is held back after a whole event.
            assert_eq!(String::from_utf8(clean).unwrap(), whole, "{text} at {at}");
            assert!(stream.finish().is_empty());
        }
    }
}

#[test]
fn json_stays_json_without_the_key() {
    for disguise in disguises() {
        let text = format!("{{\"a\": \"x\\n{disguise}\\n\", \"b\": [\"{disguise}\"]}}");
        if serde_json::from_str::<serde_json::Value>(&text).is_ok() {
            let clean = redactor().redact(&text);
            assert!(
                serde_json::from_str::<serde_json::Value>(&clean).is_ok(),
                "{clean}"
            );
        }
    }
    // A line end that is escaped like the first letter of the key.
    let redactor = Redactor::of(["never-print-this-key"], 16);
    let clean = redactor.redact(r#"{"a": "x\never-print-this-key"}"#);
    assert!(
        serde_json::from_str::<serde_json::Value>(&clean).is_ok(),
        "{clean}"
    );
}

#[test]
fn a_text_that_ends_within_a_key_shows_its_beginning_alone() {
    for length in 0..KEY.len() {
        let clean = redactor().redact(&KEY[..length]);
        let wanted = if length > LONGEST_BEGINNING {
            "***"
        } else {
            &KEY[..length]
        };
        assert_eq!(clean, wanted);
    }
}

#[test]
fn short_keys_are_ordinary_words() {
    let redactor = Redactor::of(["dummy", ""], 16);
    assert_eq!(redactor.redact("a dummy"), "a dummy");
}

proptest! {
    #[test]
    fn other_texts_stay_as_they_are(text in "(\\PC|[%&#;\\\\ux0-9a-fsk-]){0,200}") {
        prop_assume!(!text.contains("sk-live"));
        prop_assert_eq!(redactor().redact(&text), text);
    }

    #[test]
    fn the_cuts_between_pieces_make_no_difference(
        text in "([%&#;\\\\ux0-9a-fsk-]|sk-live-2C1f7a90/Never|夜){0,60}",
        cuts in proptest::collection::vec(0_usize..20, 0..30),
    ) {
        let whole = redactor().redact(&text);
        let mut stream = RedactingStream::new(redactor());
        let (mut clean, mut rest) = (Vec::new(), text.as_bytes());
        for cut in cuts {
            let (piece, after) = rest.split_at(cut.min(rest.len()));
            clean.extend(stream.feed(piece));
            rest = after;
        }
        clean.extend(stream.feed(rest));
        clean.extend(stream.finish());
        prop_assert_eq!(String::from_utf8(clean).unwrap(), whole);
    }
}
