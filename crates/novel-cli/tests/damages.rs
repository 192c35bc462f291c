//! Random damages over a real book: `novel doctor` finds every one, and `--fix` puts nothing in a lost
//! content's place but that content.
//!
//! A sample runs with the other tests. All of it: `scripts/attack.sh damages`.

use std::{collections::BTreeMap, fmt};

use novel_app::{
    Clock,
    care::doctor::{DoctorReport, Repair, doctor},
};
use novel_testkit::{
    TestBook,
    crash::{Files, disk, files, store},
    simfs::Entry,
};

/// Damages of the sample.
const SAMPLE: u64 = 120;

/// A row of numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.roll() % u64::try_from(end.max(1)).unwrap()).unwrap()
    }

    fn one_of<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    BitFlip,
    Byte,
    Zeros,
    Truncation,
    Deletion,
    Swap,
    CopyOver,
    Move,
}

impl Kind {
    const ALL: [Self; 8] = [
        Self::BitFlip,
        Self::Byte,
        Self::Zeros,
        Self::Truncation,
        Self::Deletion,
        Self::Swap,
        Self::CopyOver,
        Self::Move,
    ];
}

struct Damage {
    kind: Kind,
    path: String,
    other: Option<String>,
    at: usize,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} at {}", self.kind, self.path, self.at)?;
        match &self.other {
            Some(other) => write!(f, ", {other}"),
            None => Ok(()),
        }
    }
}

/// Files of one kind: a directory of a thousand chapters is not drawn a thousand times as often.
fn class(path: &str) -> String {
    let plain = path.split(|char: char| char.is_ascii_digit()).next();
    plain.unwrap_or(path).to_owned()
}

fn bytes<'a>(files: &'a Files, path: &str) -> &'a [u8] {
    match files.get(path) {
        Some(Entry::File(bytes)) => bytes,
        other => panic!("{path}: {other:?}"),
    }
}

/// Whether the content of a file is vouched for. The log of a run is shown and nothing more: no sum is
/// kept of it, so only a line that is no event is found (`DAMAGED_RUN_LOG`).
fn is_vouched_for(path: &str) -> bool {
    !path.starts_with("logs/runs/")
}

/// One random damage.
fn befall(files: &mut Files, dice: &mut Dice) -> Damage {
    let mut classes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in files.keys().filter(|path| is_vouched_for(path)) {
        classes.entry(class(path)).or_default().push(path.clone());
    }
    let classes: Vec<Vec<String>> = classes.into_values().collect();
    let path = {
        let class = dice.one_of(&classes);
        dice.one_of(class).clone()
    };
    let kind = *dice.one_of(&Kind::ALL);
    let mut content = bytes(files, &path).to_vec();
    let at = dice.below(content.len());
    let mut other = None;
    match kind {
        Kind::BitFlip if !content.is_empty() => content[at] ^= 1 << dice.below(8),
        Kind::Byte if !content.is_empty() => content[at] = u8::try_from(dice.below(256)).unwrap(),
        Kind::Zeros => {
            let end = (at + 512).min(content.len());
            content[at..end].fill(0);
        }
        Kind::Truncation => content.truncate(at),
        Kind::BitFlip | Kind::Byte | Kind::Deletion => {
            files.remove(&path);
            return Damage {
                kind,
                path,
                other,
                at,
            };
        }
        Kind::Swap | Kind::CopyOver => {
            let siblings: Vec<String> = files
                .keys()
                .filter(|path| !path.contains(".novel."))
                .cloned()
                .collect();
            // Most often one of its own kind: that is what goes wrong by hand.
            let alike: Vec<String> = siblings
                .iter()
                .filter(|other| class(other) == class(&path))
                .cloned()
                .collect();
            let chosen = if dice.below(4) > 0 {
                dice.one_of(&alike)
            } else {
                dice.one_of(&siblings)
            };
            other = Some(chosen.clone());
            let theirs = bytes(files, chosen).to_vec();
            if kind == Kind::Swap {
                files.insert(chosen.clone(), Entry::File(content));
            }
            content = theirs;
        }
        Kind::Move => {
            let directories = [
                "",
                "chapters/",
                "summaries/",
                "state/",
                "logs/",
                "volumes/",
                "research/",
            ];
            let name = path.rsplit('/').next().unwrap();
            let to = format!("{}{name}", dice.one_of(&directories));
            if to != path && !files.contains_key(&to) {
                files.remove(&path);
                files.insert(to.clone(), Entry::File(content));
                other = Some(to);
                return Damage {
                    kind,
                    path,
                    other,
                    at,
                };
            }
        }
    }
    files.insert(path.clone(), Entry::File(content));
    Damage {
        kind,
        path,
        other,
        at,
    }
}

fn examine(files: &Files, repair: Repair) -> (DoctorReport, Files) {
    let fs = disk(files);
    let clock = Clock::Fixed("2026-03-01T12:00:00Z".parse().unwrap());
    let report = doctor(&store(&fs, 100), clock, repair);
    let report = report.unwrap_or_else(|failure| panic!("{failure}"));
    let mut tree = fs.tree();
    tree.retain(|path, entry| *entry != Entry::Dir && !path.starts_with(".novel."));
    (report, tree)
}

fn says_something(report: &DoctorReport) -> bool {
    !report.findings.is_empty() || !report.notes.is_empty()
}

/// What the repair itself adds: its line in the log, and what it replaced.
fn is_of_the_repair(
    path: &str,
    now: Option<&Entry>,
    sound: Option<&Entry>,
    damaged: Option<&Entry>,
) -> bool {
    let begins = |with: Option<&Entry>| match (now, with) {
        (Some(Entry::File(now)), Some(Entry::File(with))) => now.starts_with(with),
        (_, None) => true,
        _ => false,
    };
    (path == "logs/operations.jsonl" || path.starts_with("archive/pack-"))
        && (begins(sound) || begins(damaged))
}

/// The files that a repair left neither as they were nor as the damage made them.
fn misrepaired(sound: &Files, damaged: &Files, fixed: &Files) -> Vec<String> {
    let paths = sound.keys().chain(fixed.keys());
    let mut wrong: Vec<String> = paths
        .filter(|path| {
            let (now, was, hurt) = (fixed.get(*path), sound.get(*path), damaged.get(*path));
            now != was && now != hurt && !is_of_the_repair(path, now, was, hurt)
        })
        .cloned()
        .collect();
    wrong.dedup();
    wrong
}

#[derive(Default)]
struct Outcomes {
    found: u64,
    noted: u64,
    repaired: u64,
    wrong: Vec<String>,
}

#[expect(clippy::print_stdout, reason = "the counts are what the run is for")]
fn try_damages(name: &str, book: &TestBook, count: u64, seed: u64) {
    let mut sound = files(book.tree());
    sound.retain(|path, _| !path.starts_with(".novel."));
    let (report, tree) = examine(&sound, Repair::Apply);
    assert!(
        !says_something(&report),
        "{:#?} {:#?}",
        report.findings,
        report.notes
    );
    assert!(tree == sound, "a sound book was changed");
    let mut outcomes = Outcomes::default();
    for number in 0..count {
        let mut dice = Dice(seed.wrapping_mul(1_000_003) + number);
        let (mut damaged, mut damage) = (sound.clone(), None);
        // A copy over itself is none.
        while damaged == sound {
            damage = Some(befall(&mut damaged, &mut dice));
        }
        let damage = damage.unwrap();
        let (report, _) = examine(&damaged, Repair::Report);
        match (report.findings.is_empty(), report.notes.is_empty()) {
            (false, _) => outcomes.found += 1,
            (true, false) => outcomes.noted += 1,
            (true, true) => outcomes.wrong.push(format!("not found: {damage}")),
        }
        let (_, fixed) = examine(&damaged, Repair::Apply);
        for path in misrepaired(&sound, &damaged, &fixed) {
            outcomes
                .wrong
                .push(format!("{path} mis-repaired: {damage}"));
        }
        let is_whole = sound.iter().all(|(path, entry)| {
            fixed.get(path) == Some(entry)
                || is_of_the_repair(path, fixed.get(path), Some(entry), Some(entry))
        });
        if is_whole {
            outcomes.repaired += 1;
        } else if !says_something(&examine(&fixed, Repair::Report).0) {
            outcomes
                .wrong
                .push(format!("silent after the repair: {damage}"));
        }
    }
    let Outcomes {
        found,
        noted,
        repaired,
        wrong,
    } = outcomes;
    println!(
        "{name}, {} files: {count} damages: {found} found, {noted} noted as edited by hand, {repaired} repaired byte for byte, {} wrong",
        sound.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(found > 0 && repaired > 0);
}

fn count() -> u64 {
    let asked = std::env::var("NOVEL_DAMAGES");
    asked.map_or(SAMPLE, |count| count.parse().unwrap())
}

#[test]
fn every_random_damage_of_a_finished_book_is_found_and_none_is_mis_repaired() {
    let book = TestBook::demo(3);
    try_damages("a book of three chapters", &book, count() / 2, 1);
}

#[test]
fn every_random_damage_of_a_book_with_a_history_is_found_and_none_is_mis_repaired() {
    let book = TestBook::demo(12);
    book.ask(&["undo"]).data();
    book.ask(&["redo"]).data();
    book.ask(&["rollback", "11"]).data();
    book.begin(12);
    try_damages(
        "a book of eleven chapters with a history",
        &book,
        count() - count() / 2,
        2,
    );
}
