//! What makes a type a file of a project.

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use crate::{Problem, RelPath};

/// A JSON file format.
pub trait Format:
    JsonSchema + Serialize + DeserializeOwned + Clone + Send + Sync + 'static
{
    /// File name of its JSON Schema under `schemas/`.
    const SCHEMA: &'static str;

    /// Other names a key may have in files: (name in the type, name in the file).
    const ALIASES: &'static [(&'static str, &'static str)] = &[];

    /// Set for a format whose type refuses whatever its schema refuses, an array in the place of an
    /// object excepted: the keys of its nested lists of objects, outermost first. Such a file is read
    /// without its schema, which only explains what is wrong. Meant for files that grow with the book
    /// or come in numbers.
    const OBJECT_LISTS: Option<&'static [&'static str]> = None;

    /// Rules beyond the schema, such as unique ids. Appends what is wrong.
    fn check(&self, _path: &RelPath, _problems: &mut Vec<Problem>) {}
}
