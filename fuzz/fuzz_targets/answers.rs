//! JSON out of model prose: no panic, and valid JSON comes back unchanged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use novel_llm::extract_json;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let extracted = extract_json(text);
    if let Ok(value) = serde_json::from_str::<Value>(text)
        && (value.is_object() || value.is_array())
        && let Ok((found, repairs)) = extracted
    {
        assert_eq!(found, value);
        assert!(repairs.is_empty());
    }
});
