//! Classes of sentences: handling, numbers, senses, ages, forms of address, settings, dates, grades,
//! ties, retold secrets and laws, with sentences that only look so.

use super::cases::{Case, held_out};
use super::file::cases_of;

pub(super) fn cases(all: &mut Vec<Case>) {
    let cases = cases_of(include_str!("classes.jsonl")).into_iter();
    all.extend(cases.map(|case| Case {
        held_out: held_out(&case.text),
        ..case
    }));
}
