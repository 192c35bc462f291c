//! Sentences that contradict the ledger, and sentences that look as if.

use serde_json::{Value, json};

use super::{
    book::{Book, Chapter},
    share,
};

const DEAD: [(&str, &str, &str); 2] = [
    ("zh", "dead", include_str!("zh-dead.txt")),
    ("en", "dead", include_str!("en-dead.txt")),
];

#[derive(Default)]
struct Tally {
    hit: usize,
    missed: usize,
    false_alarm: usize,
    quiet: usize,
}

impl Tally {
    fn add(&mut self, wanted: bool, found: bool) {
        match (wanted, found) {
            (true, true) => self.hit += 1,
            (true, false) => self.missed += 1,
            (false, true) => self.false_alarm += 1,
            (false, false) => self.quiet += 1,
        }
    }

    fn print(&self, name: &str) {
        let recall = share(self.hit, self.hit + self.missed);
        let precision = share(self.hit, self.hit + self.false_alarm);
        let alarms = share(self.false_alarm, self.false_alarm + self.quiet);
        println!("{name:28} recall {recall}  precision {precision}  alarms on negatives {alarms}");
    }
}

/// Whether a case belongs to the half that is only measured.
fn held_out(text: &str) -> bool {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    (hash >> 17) % 2 == 1
}

pub(crate) fn run(tune: bool) {
    for (language, kind, cases) in DEAD {
        let mut halves = [Tally::default(), Tally::default()];
        for line in cases.lines() {
            let wanted = line.starts_with('+');
            if !wanted && !line.starts_with('-') {
                continue;
            }
            let pattern = line[1..].trim();
            let held = held_out(pattern);
            for (dead, living) in names(language) {
                let sentence = pattern.replace("{D}", dead).replace("{A}", living);
                let found = dead_acts(language, dead, living, &sentence);
                halves[usize::from(held)].add(wanted, found);
                if tune && !held && found != wanted {
                    println!("{} {sentence}", if wanted { "missed" } else { "FALSE " });
                }
            }
        }
        let [made, held] = halves;
        made.print(&format!("{language} {kind} (made with)"));
        held.print(&format!("{language} {kind} (held out)"));
    }
    run_typed(tune);
}

/// Claims and the other rules, by kind.
fn run_typed(tune: bool) {
    let mut by_kind: std::collections::BTreeMap<(&str, &str), Tally> =
        std::collections::BTreeMap::new();
    for case in super::typed::cases() {
        let found = case.found();
        by_kind
            .entry((case.language, case.kind))
            .or_default()
            .add(case.contradicts, found);
        if tune && found != case.contradicts {
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
    let mut whole = Tally::default();
    for ((language, kind), tally) in &by_kind {
        tally.print(&format!("{language} {kind}"));
        whole.hit += tally.hit;
        whole.missed += tally.missed;
        whole.false_alarm += tally.false_alarm;
        whole.quiet += tally.quiet;
    }
    whole.print("claims and other rules");
}

fn names(language: &str) -> &'static [(&'static str, &'static str)] {
    match language {
        "zh" => &[("陈老", "林枫"), ("沈青崖", "苏晚")],
        _ => &[("Old Chen", "Mara"), ("Marcus Vane", "Isolde")],
    }
}

/// A chapter between two plain paragraphs.
fn around(language: &str, sentence: &str) -> String {
    match language {
        "zh" => format!("风从河面上吹过来，灯笼晃了晃。\n\n{sentence}\n\n街上渐渐静了下来。"),
        _ => format!(
            "The wind came off the river and the lanterns swayed.\n\n{sentence}\n\nThe street grew quiet."
        ),
    }
}

fn dead_acts(language: &'static str, dead: &str, living: &str, sentence: &str) -> bool {
    let mut book = Book {
        language: if language == "zh" { "zh-CN" } else { "en" },
        ..Book::default()
    };
    book.character("dead-one", dead, &[]);
    book.character("living-one", living, &[]);
    let death: Value = if language == "zh" {
        json!("战死")
    } else {
        json!("slain")
    };
    book.chapters.push(Chapter {
        text: around(language, ""),
        ops: vec![
            json!({"op": "set", "path": "characters.dead-one.status", "value": death}),
            json!({"op": "set", "path": "characters.living-one.location", "value": "临安"}),
        ],
        ..Chapter::default()
    });
    book.chapters.push(Chapter {
        text: around(language, sentence),
        ..Chapter::default()
    });
    book.findings()
        .iter()
        .any(|finding| finding.code.as_str() == "DEAD_CHARACTER_ACTS")
}
