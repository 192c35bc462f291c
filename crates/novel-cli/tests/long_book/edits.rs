//! Faults and the changes they are made of.

use novel_testkit::{TestBook, pretty};
use serde_json::{Value, json};

/// The language of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tongue {
    Zh,
    En,
}

/// One change of a book behind the program's back.
#[derive(Debug, Clone)]
pub(super) enum Edit {
    /// One more op in the delta of a chapter.
    Op(u32, Value),
    /// Another time marker of a chapter.
    Marker(u32, String),
    /// One more paragraph at the end of the first scene of a chapter.
    Text(u32, String),
    /// A claim of a chapter about the text it has at last.
    Claim(u32, Value),
    /// Another file.
    File(String, Value),
    /// Another value at a pointer of a file.
    Set(String, String, Value),
    /// One more entry in a list of a file.
    Push(String, String, Value),
}

/// A fault, where and as what it is to be found.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) chapter: u32,
    pub(super) edits: Vec<Edit>,
}

impl Edit {
    /// The chapter it changes.
    pub(super) fn chapter(&self) -> Option<u32> {
        match self {
            Self::Op(chapter, _)
            | Self::Marker(chapter, _)
            | Self::Text(chapter, _)
            | Self::Claim(chapter, _) => Some(*chapter),
            Self::File(..) | Self::Set(..) | Self::Push(..) => None,
        }
    }

    /// Makes the change.
    pub(super) fn make(&self, book: &TestBook) {
        match self {
            Self::Op(chapter, op) => edit_delta(book, *chapter, |ops| {
                let undo = match op["op"].as_str() {
                    Some("set") => json!({"kind": "remove", "path": op["path"]}),
                    Some("add") => json!({"kind": "pop", "path": op["path"]}),
                    _ => json!({"kind": "nothing"}),
                };
                ops.push(json!({"op": op, "undo": undo}));
            }),
            Self::Marker(chapter, marker) => edit_delta(book, *chapter, |ops| {
                let own = ops
                    .iter_mut()
                    .find(|op| op["op"]["path"] == "world_state.time_marker");
                own.expect("a chapter with a time marker")["op"]["value"] = json!(marker);
            }),
            Self::Text(chapter, text) => {
                book.edit(&format!("chapters/chapter_{chapter:03}.json"), |json| {
                    let content = &mut json["scenes"][0]["content"];
                    *content = json!(format!("{}\n\n{text}", content.as_str().unwrap()));
                });
            }
            Self::Claim(chapter, claim) => {
                let claims = json!({"chapter": chapter, "claims": [claim]});
                let path = format!("state/chapter-{chapter:03}-claims.json");
                book.write(&path, pretty(&claims));
            }
            Self::File(path, content) => book.write(path, pretty(content)),
            Self::Set(path, pointer, value) => book.edit(path, |json| {
                let (parent, key) = pointer.rsplit_once('/').unwrap();
                json.pointer_mut(parent).unwrap()[key] = value.clone();
            }),
            Self::Push(path, pointer, value) => book.edit(path, |json| {
                let list = json.pointer_mut(pointer).unwrap();
                list.as_array_mut().unwrap().push(value.clone());
            }),
        }
    }
}

/// Changes the ops in the delta of a chapter.
pub(super) fn edit_delta(book: &TestBook, chapter: u32, change: impl FnOnce(&mut Vec<Value>)) {
    let path = "state/changelog.jsonl";
    let mut lines = book.lines(path);
    let line = lines.iter_mut().find(|line| line["chapter"] == chapter);
    change(line.unwrap()["ops"].as_array_mut().unwrap());
    let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    book.write(path, lines.concat());
}
