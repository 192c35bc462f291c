//! Sentences that contradict the ledger, and sentences that look as if.

use std::collections::BTreeMap;

use novel_story::check::{Finding, check_range};
use novel_testkit::story::{Book, Case, all_cases};

use super::share;

#[derive(Default)]
pub(crate) struct Tally {
    hit: usize,
    missed: usize,
    false_alarm: usize,
    quiet: usize,
}

impl Tally {
    pub(crate) fn add(&mut self, wanted: bool, found: bool) {
        match (wanted, found) {
            (true, true) => self.hit += 1,
            (true, false) => self.missed += 1,
            (false, true) => self.false_alarm += 1,
            (false, false) => self.quiet += 1,
        }
    }

    pub(crate) fn join(&mut self, other: &Self) {
        self.hit += other.hit;
        self.missed += other.missed;
        self.false_alarm += other.false_alarm;
        self.quiet += other.quiet;
    }

    /// Contradictions.
    pub(crate) const fn planted(&self) -> usize {
        self.hit + self.missed
    }

    pub(crate) const fn all(&self) -> usize {
        self.planted() + self.false_alarm + self.quiet
    }

    pub(crate) fn print(&self, name: &str) {
        let recall = share(self.hit, self.planted());
        let precision = share(self.hit, self.hit + self.false_alarm);
        let alarms = share(self.false_alarm, self.false_alarm + self.quiet);
        println!("{name:28} recall {recall}  precision {precision}  alarms on negatives {alarms}");
    }
}

/// Everything the checker finds in a book.
pub(crate) fn findings(book: &Book) -> Vec<Finding> {
    let (files, config) = (book.write(), book.config());
    check_range(&files, &config, book.numbered())
        .unwrap()
        .flat_map(|(_, findings)| findings.unwrap())
        .collect()
}

/// Whether the checker finds what a case is about.
fn is_found(case: &Case) -> bool {
    let found = findings(&case.book());
    found
        .iter()
        .any(|finding| case.kind != "dead" || finding.code.as_str() == "DEAD_CHARACTER_ACTS")
}

pub(crate) fn run(tune: bool) {
    let mut by_kind: BTreeMap<(String, &str, bool), Tally> = BTreeMap::new();
    for case in all_cases() {
        let found = is_found(&case);
        by_kind
            .entry((case.kind.clone(), case.language, case.held_out))
            .or_default()
            .add(case.contradicts, found);
        if tune && !case.held_out && found != case.contradicts {
            println!(
                "{} {} {} {:?} {:?}",
                if case.contradicts { "missed" } else { "FALSE " },
                case.kind,
                case.text,
                case.claims,
                case.own
            );
        }
    }
    let mut groups: BTreeMap<&str, Tally> = BTreeMap::new();
    for ((kind, language, held_out), tally) in &by_kind {
        let half = if *held_out { "held out" } else { "made with" };
        tally.print(&format!("{language} {kind} ({half})"));
        let group = match kind.as_str() {
            "dead" => continue,
            "rank" | "tie" | "knows" | "looks" | "place" | "day" | "law" if *held_out => {
                "shown, held out"
            }
            "rank" | "tie" | "knows" | "looks" | "place" | "day" | "law" => "shown, made with",
            _ => "claims and other rules",
        };
        groups.entry(group).or_default().join(tally);
    }
    for (name, tally) in groups {
        tally.print(name);
    }
}
