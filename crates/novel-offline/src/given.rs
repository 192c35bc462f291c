//! The book as far as a packet gives it: what the story remembers is read from the packet, or not at
//! all.
//!
//! The author works from the plan of a chapter (outline, contract, cast) and would not notice a packet
//! without memory, state or summaries if it looked these up itself.

use novel_model::{BookReader, Decoded, ReadError, RelPath, files::Packet};
use serde_json::Value;

/// Where the story keeps what it remembers.
const MEMORY: [&str; 6] = [
    "chapters/",
    "foreshadowing/",
    "state/",
    "summaries/",
    "world/truth.json",
    "memory.md",
];

/// A book of which only the files of a packet are remembered.
pub(crate) struct Given<'a> {
    reader: &'a dyn BookReader,
    named: Vec<&'a str>,
}

impl<'a> Given<'a> {
    pub(crate) fn new(reader: &'a dyn BookReader, packet: &'a Packet) -> Self {
        let mut named = Vec::new();
        for paths in packet.manifest.paths.values() {
            match paths {
                Value::Array(list) => named.extend(list.iter().filter_map(Value::as_str)),
                path => named.extend(path.as_str()),
            }
        }
        Self { reader, named }
    }

    fn is_withheld(&self, path: &RelPath) -> bool {
        let path = path.as_str();
        let remembers =
            |place: &str| path.starts_with(place) || path.ends_with(&format!("/{place}"));
        MEMORY.into_iter().any(remembers) && !self.named.contains(&path)
    }
}

impl BookReader for Given<'_> {
    fn read(&self, path: &RelPath) -> Result<Option<Vec<u8>>, ReadError> {
        if self.is_withheld(path) {
            return Ok(None);
        }
        self.reader.read(path)
    }

    fn decoded(&self) -> Option<&Decoded> {
        self.reader.decoded()
    }

    fn list(&self, directory: &RelPath) -> Result<Vec<String>, ReadError> {
        self.reader.list(directory)
    }
}
