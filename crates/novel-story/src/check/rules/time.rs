//! Time markers of a storyline running backwards.
//!
//! Lines may play at different times, so a marker is compared with the last one of its own line.

use std::cmp::Ordering;

use novel_model::message;
use serde_json::Value;

use super::Scope;
use crate::check::{
    finding::{Finding, FindingCode},
    time::Moment,
    timeline::TIME_MARKER,
};

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    let Some(own) = scope.own else {
        return;
    };
    let set = own
        .ops
        .iter()
        .rev()
        .find(|record| record.verb() == "set" && record.path() == TIME_MARKER);
    let (Some(now), Some(earlier)) = (set, scope.past.markers.get(&own.storyline)) else {
        return;
    };
    let text_of = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let (Some(new), Some(old)) = (text_of(now.value()), text_of(earlier.value())) else {
        return;
    };
    let order = Moment::parse(&new)
        .zip(Moment::parse(&old))
        .and_then(|(new, old)| new.order(&old));
    if order != Some(Ordering::Less) {
        return;
    }
    let (line, chapter) = (&own.storyline, earlier.chapter.get());
    let text = message!(
        en: "time runs backwards on storyline `{line}`: “{new}” after “{old}” (chapter {chapter})",
        zh: "故事线 `{line}` 的时间倒流：第 {chapter} 章已到“{old}”，本章却是“{new}”"
    );
    let sides = (now.side(), earlier.side());
    findings.push(Finding::new(
        FindingCode::TimeRunsBackwards,
        scope.chapter,
        line,
        sides,
        text,
    ));
}
