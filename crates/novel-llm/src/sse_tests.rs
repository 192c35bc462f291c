use proptest::prelude::*;

use super::*;

fn parse(chunks: &[&[u8]]) -> Vec<(String, String)> {
    let mut parser = SseParser::default();
    let mut events = Vec::new();
    for chunk in chunks {
        events.extend(parser.feed(chunk).unwrap());
    }
    events.extend(parser.finish().unwrap());
    events.into_iter().map(|e| (e.name, e.data)).collect()
}

fn pair(name: &str, data: &str) -> (String, String) {
    (name.into(), data.into())
}

#[test]
fn fields_comments_and_line_ends() {
    let all = [pair("a", "1\n2"), pair("", "夜雨"), pair("", "[DONE]")];
    let lf = "\u{FEFF}: hi\nevent: a\ndata: 1\ndata:2\nid: 3\n\n\n\ndata: 夜雨\nretry: 5\n\ndata: [DONE]\n\n";
    assert_eq!(parse(&[lf.as_bytes()]), all);
    assert_eq!(parse(&[lf.replace('\n', "\r\n").as_bytes()]), all);
    assert_eq!(parse(&[lf.replace('\n', "\r").as_bytes()]), all);
}

#[test]
fn an_event_without_data_is_none_and_an_open_one_is_given_at_the_end() {
    assert_eq!(parse(&[b"event: ping\n\n"]), []);
    assert_eq!(parse(&[b"data: x"]), [pair("", "x")]);
    assert_eq!(parse(&[b"data\n\n"]), [pair("", "")]);
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    assert!(SseParser::default().feed(b"data: \xE5\xA4\n").is_err());
}

proptest! {
    #[test]
    fn splits_make_no_difference(
        text in "(event: [a-z]{1,4}(\r\n|\n)|data:[ 夜雨a\"{]{0,6}(\n|\r\n|\r)|: 注\n|\n|\r\n){0,12}",
        cuts in proptest::collection::vec(0_usize..200, 0..12),
    ) {
        let bytes = text.as_bytes();
        let mut cuts: Vec<_> = cuts.into_iter().map(|c| c.min(bytes.len())).collect();
        cuts.sort_unstable();
        let mut chunks = Vec::new();
        let mut from = 0;
        for cut in cuts {
            chunks.push(&bytes[from..cut]);
            from = cut;
        }
        chunks.push(&bytes[from..]);
        prop_assert_eq!(parse(&chunks), parse(&[bytes]));
    }
}
