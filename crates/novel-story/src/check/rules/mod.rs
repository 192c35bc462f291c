//! The rules, one file each. Each appends what it can prove from the files, and nothing else.

mod cast;
mod contract;
mod foreshadowing;
mod items;
mod lines;
mod names;
mod time;

use novel_model::{
    ChapterNo, Document, Lang, VolumeNo,
    files::{ChapterContract, Foreshadowing},
};
use serde_json::Value;

pub(super) use self::{lines::Lines, names::Names};
use super::{
    finding::Finding,
    people::People,
    prose::{NameIndex, Text},
    timeline::{Own, Past},
};

/// What every rule sees of a chapter.
pub(super) struct Scope<'a> {
    pub(super) chapter: ChapterNo,
    pub(super) volume: VolumeNo,
    pub(super) lang: Lang,
    /// Whether no later chapter is committed.
    pub(super) is_newest: bool,
    pub(super) text: &'a Text<'a>,
    pub(super) contract: Option<&'a Document<ChapterContract>>,
    pub(super) foreshadowing: Option<&'a Foreshadowing>,
    pub(super) past: &'a Past,
    pub(super) own: Option<&'a Own>,
    pub(super) people: &'a People,
    pub(super) index: &'a NameIndex,
}

impl Scope<'_> {
    pub(super) fn display(&self, id: &str) -> String {
        self.people.display(id, self.past.state.as_ref()).to_owned()
    }
}

/// The rules that need no more than the scope.
pub(super) fn plain(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    cast::check(scope, findings);
    contract::check(scope, findings);
    foreshadowing::check(scope, findings);
    items::check(scope, findings);
    time::check(scope, findings);
}

/// `"key": value`, as a file shows it.
fn member(key: &str, value: &Value) -> String {
    format!("{}: {value}", Value::from(key))
}

/// One segment of a JSON pointer.
fn token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
