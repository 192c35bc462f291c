//! Somebody arrives sooner than the way allows.

use novel_model::message;
use serde_json::Value;

use super::Scope;
use crate::{
    check::finding::{Finding, FindingCode},
    ledger::Slot,
};

/// A part of a day that does not count.
const TOLERANCE: f64 = 1.5;

pub(super) fn check(scope: &Scope<'_>, findings: &mut Vec<Finding>) {
    let Some(own) = scope.own.filter(|_| !scope.places.is_empty()) else {
        return;
    };
    for op in own.ops.iter().filter(|op| op.verb() == "set") {
        let mut path = op.path().split('.');
        let (Some("characters"), Some(id), Some(field), None) =
            (path.next(), path.next(), path.next(), path.next())
        else {
            continue;
        };
        let from = scope
            .past
            .character(id)
            .and_then(|record| record.get(field)?.as_str());
        let to = op.value().and_then(Value::as_str);
        let (Some(Slot::Place), Some(from), Some(to)) = (Slot::of_field(field), from, to) else {
            continue;
        };
        let (Some(days), Some(elapsed)) = (scope.places.days(from, to), scope.days_in_chapter())
        else {
            continue;
        };
        if days < elapsed + TOLERANCE {
            continue;
        }
        let name = scope.display(id);
        let text = message!(
            en: "{name} goes from {from} to {to}, a journey of {days} days, within {elapsed}",
            zh: "{name}从{from}到{to}需要 {days} 天，本章只过了 {elapsed} 天"
        );
        let fix = message!(
            en: "let the journey of {name} from {from} to {to} take {days} days, or let somebody else be there",
            zh: "请让{name}从{from}到{to}的路程用足 {days} 天，或改由他人在场"
        );
        let side = scope
            .past
            .source(op.path(), super::member(field, &Value::from(from)));
        findings.push(
            Finding::new(
                FindingCode::TravelTooFast,
                scope.chapter,
                id,
                (op.side(), side),
                text,
            )
            .about([name])
            .fix(scope.lang, &fix),
        );
    }
}
