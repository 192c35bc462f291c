//! Outlines, step ids, configuration: no panic on any text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use novel_book::config::Config;
use novel_model::{RelPath, StepId};
use novel_text::{DataKind, parse_outline, wrap_data};

fuzz_target!(|text: &str| {
    let outline = parse_outline(text);
    for block in &outline.blocks {
        assert_eq!(outline.block(block.number).map(|found| found.number), Some(block.number));
    }
    if let Ok(step) = text.parse::<StepId>() {
        assert_eq!(step.to_string().parse::<StepId>().ok(), Some(step));
    }
    if let Ok(path) = text.parse::<RelPath>() {
        assert!(!path.as_str().split('/').any(|part| part == ".."));
    }
    let _ = Config::parse(text);
    let wrapped = wrap_data(DataKind::Reference, text, text);
    assert_eq!(wrapped.matches("</DATA>").count(), 1);
});
