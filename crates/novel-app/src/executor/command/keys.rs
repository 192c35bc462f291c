//! Keys in what a program says: a program may have been given one, or have found one.

use std::path::{Path, PathBuf};

use novel_exec::{ChildError, ChildOutput};
use novel_llm::Redactor;

/// Shorter values are ordinary words.
const SHORTEST: usize = 8;

/// Largest file that is taken for one with a key.
const LARGEST: u64 = 64 * 1024;

/// What the name of a variable with a key has in it.
const WORDS: [&str; 6] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL"];

/// Takes out every key this process knows: in variables of its environment, and in files of keys.
pub(super) fn redactor(files: &[PathBuf]) -> Redactor {
    let named = std::env::vars_os().filter_map(|(name, value)| {
        let name = name.to_str()?.to_ascii_uppercase();
        let holds_a_key = WORDS.iter().any(|word| name.contains(word));
        holds_a_key.then_some(value.into_string().ok()?)
    });
    let kept = files.iter().filter_map(|file| content(file));
    let keys: Vec<String> = named.chain(kept).collect();
    Redactor::of(keys.iter().map(|key| key.trim()), SHORTEST)
}

fn content(file: &Path) -> Option<String> {
    let is_small = file.metadata().ok()?.len() <= LARGEST;
    is_small.then(|| std::fs::read_to_string(file).ok())?
}

/// What a program said, without keys.
pub(super) fn without(
    keys: &Redactor,
    ran: Result<ChildOutput, ChildError>,
) -> Result<ChildOutput, ChildError> {
    match ran {
        Ok(mut output) => {
            output.stderr_tail = keys.redact(&output.stderr_tail);
            if let Ok(text) = std::str::from_utf8(&output.stdout) {
                output.stdout = keys.redact(text).into_bytes();
            }
            Ok(output)
        }
        Err(ChildError::Failed {
            program,
            status,
            stderr,
            stdout,
        }) => Err(ChildError::Failed {
            program,
            status,
            stderr: keys.redact(&stderr),
            stdout: keys.redact(&stdout),
        }),
        Err(error) => Err(error),
    }
}
