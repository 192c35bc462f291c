//! State ops: whatever is applied can be taken back, byte for byte.
#![no_main]

use libfuzzer_sys::fuzz_target;
use novel_book::ops::{apply, undo};
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let Ok(Value::Array(mut parts)) = serde_json::from_slice::<Value>(bytes) else { return };
    let Some(mut state) = parts.pop() else { return };
    let before = state.to_string();
    let outcome = apply(&mut state, &parts);
    undo(&mut state, &outcome.applied).expect("applied ops can be undone");
    assert_eq!(state.to_string(), before);
});
