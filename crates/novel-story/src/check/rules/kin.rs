//! Family: what the record says of two people, and whether another word fits it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Scope;
use crate::{
    check::finding::Side,
    ledger::{Slot, kin_of},
};

/// `a` is the `kind` of `b`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::check) struct Kin {
    pub(in crate::check) a: String,
    pub(in crate::check) kind: char,
    pub(in crate::check) sex: char,
    pub(in crate::check) b: String,
}

impl Kin {
    /// The tie as seen from `b`: kind, then the two people.
    fn turned(&self) -> (char, &str, &str) {
        let kind = match self.kind {
            'p' => 'c',
            'c' => 'p',
            'g' => 'k',
            'k' => 'g',
            'u' => 'n',
            'n' => 'u',
            same => same,
        };
        (kind, &self.b, &self.a)
    }

    /// Whether the tie, from either side, is of a kind.
    pub(in crate::check) fn is_kind(&self, kind: char) -> bool {
        self.kind == kind || self.turned().0 == kind
    }

    /// Whether both cannot be so.
    fn excludes(&self, other: &Self) -> bool {
        let (kind, a, b) = self.turned();
        // A cousin is often called brother or sister.
        let loose = |one: char, two: char| matches!((one, two), ('o', 's') | ('s', 'o'));
        let same_pair = self.a == other.a
            && self.b == other.b
            && self.kind != other.kind
            && !loose(self.kind, other.kind)
            || a == other.a && b == other.b && kind != other.kind && !loose(kind, other.kind);
        // One father, one mother.
        let two_parents = self.kind == 'p'
            && other.kind == 'p'
            && self.b == other.b
            && self.a != other.a
            && self.sex == other.sex
            && self.sex != '-';
        same_pair || two_parents
    }
}

/// What the record says of families, each with where it stands.
pub(in crate::check) fn recorded(scope: &Scope<'_>) -> Vec<(Kin, Side)> {
    let Some(records) = scope
        .past
        .state
        .as_ref()
        .and_then(|state| state.get("characters")?.as_object())
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (id, record) in records {
        for (field, value) in record.as_object().into_iter().flatten() {
            let known = Slot::of_field(field);
            if !matches!(known, Some(Slot::Kinship | Slot::Relation)) {
                continue;
            }
            let path = format!("characters.{id}.{field}");
            for kin in read_value(scope, id, field, value) {
                let side = scope.past.source(&path, super::member(field, value));
                found.push((kin, side));
            }
        }
    }
    found.sort_by(|x, y| x.0.cmp(&y.0));
    found.dedup_by(|x, y| x.0 == y.0);
    closure(found)
}

/// Children of one parent are siblings; parents of a sibling are parents.
fn closure(found: Vec<(Kin, Side)>) -> Vec<(Kin, Side)> {
    let mut all = found.clone();
    let known: BTreeSet<Kin> = found.iter().map(|(kin, _)| kin.clone()).collect();
    let parents: Vec<(&str, &str, char, &Side)> = found
        .iter()
        .filter_map(|(kin, side)| match kin.kind {
            'p' => Some((kin.a.as_str(), kin.b.as_str(), kin.sex, side)),
            'c' => Some((kin.b.as_str(), kin.a.as_str(), '-', side)),
            _ => None,
        })
        .collect();
    for (parent, child, _, side) in &parents {
        for (other, grandchild, _, _) in &parents {
            if other == child {
                let kin = Kin {
                    a: (*parent).to_owned(),
                    kind: 'g',
                    sex: '-',
                    b: (*grandchild).to_owned(),
                };
                if !known.contains(&kin) {
                    all.push((kin, (*side).clone()));
                }
            }
            if parent == other && child < grandchild {
                let kin = Kin {
                    a: (*child).to_owned(),
                    kind: 's',
                    sex: '-',
                    b: (*grandchild).to_owned(),
                };
                all.push((kin, (*side).clone()));
            }
        }
    }
    all
}

/// What a value says: `father: 陈老`, `{"陈老": "父亲"}`, `"陈老的儿子"`, `"son of Chen"`.
pub(in crate::check) fn read_value(
    scope: &Scope<'_>,
    id: &str,
    field: &str,
    value: &Value,
) -> Vec<Kin> {
    let person = |name: &str| scope.person(name).map(str::to_owned);
    match value {
        Value::Array(list) => list
            .iter()
            .flat_map(|entry| read_value(scope, id, field, entry))
            .collect(),
        Value::Object(members) => {
            let text = |keys: &[&str]| keys.iter().find_map(|key| members.get(*key)?.as_str());
            let other = text(&[
                "of",
                "to",
                "with",
                "target",
                "person",
                "name",
                "other",
                "character",
                "who",
            ]);
            let word = text(&["kin", "kinship", "relation", "type", "is", "role", "value"]);
            if let (Some(other), Some((kind, sex))) =
                (other.and_then(person), word.and_then(kin_of))
            {
                // `{"of": "陈老", "relation": "儿子"}`: the subject is the son.
                return vec![Kin {
                    a: id.to_owned(),
                    kind,
                    sex,
                    b: other,
                }];
            }
            members
                .iter()
                .filter_map(|(name, word)| {
                    if let Some((kind, sex)) = kin_of(name) {
                        return Some(Kin {
                            a: person(word.as_str()?)?,
                            kind,
                            sex,
                            b: id.to_owned(),
                        });
                    }
                    let (kind, sex) = kin_of(word.as_str()?)?;
                    Some(Kin {
                        a: person(name)?,
                        kind,
                        sex,
                        b: id.to_owned(),
                    })
                })
                .collect()
        }
        Value::String(text) => {
            if let Some((kind, sex)) = kin_of(field) {
                return person(text)
                    .into_iter()
                    .map(|a| Kin {
                        a,
                        kind,
                        sex,
                        b: id.to_owned(),
                    })
                    .collect();
            }
            said(scope, id, text).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// `陈老的儿子`, `son of Chen`, `Chen's son`, `陈老是其父`.
fn said(scope: &Scope<'_>, id: &str, text: &str) -> Option<Kin> {
    // `陈老：父亲`, `p2: father`: the other is the father.
    if let Some((name, word)) = text.split_once(['：', ':'])
        && let (Some(other), Some((kind, sex))) = (scope.person(name), kin_of(word))
        && other != id
    {
        return Some(Kin {
            a: other.to_owned(),
            kind,
            sex,
            b: id.to_owned(),
        });
    }
    let other = scope
        .index
        .mentions(text)
        .into_iter()
        .find(|mention| mention.id != id)?;
    let (before, after) = (&text[..other.start], &text[other.end..]);
    let after_word = after
        .trim_start_matches(['的', ' ', '\'', '’'])
        .trim_start_matches("s ")
        .trim();
    if let Some((kind, sex)) = kin_of(after_word) {
        return Some(Kin {
            a: id.to_owned(),
            kind,
            sex,
            b: other.id.to_owned(),
        });
    }
    let word = before
        .trim()
        .trim_end_matches(" of")
        .trim_end_matches(" to")
        .trim_end_matches(['：', ':', '是'])
        .trim();
    let word = word.rsplit(' ').next().unwrap_or(word);
    let (kind, sex) = kin_of(word)?;
    // `son of Chen`: the subject is the son; `父亲：陈老`: Chen is the father.
    Some(if before.contains(" of") || before.contains(" to") {
        Kin {
            a: id.to_owned(),
            kind,
            sex,
            b: other.id.to_owned(),
        }
    } else {
        Kin {
            a: other.id.to_owned(),
            kind,
            sex,
            b: id.to_owned(),
        }
    })
}

/// What the record has against a claim.
pub(in crate::check) fn against<'r>(
    record: &'r [(Kin, Side)],
    claim: &Kin,
) -> Option<&'r (Kin, Side)> {
    // Said already, as it is.
    let (kind, a, b) = claim.turned();
    let same = record.iter().any(|(known, _)| {
        known.a == claim.a && known.b == claim.b && known.kind == claim.kind
            || known.a == a && known.b == b && known.kind == kind
    });
    if same {
        return None;
    }
    record.iter().find(|(known, _)| known.excludes(claim))
}
