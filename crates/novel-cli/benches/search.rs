//! What a search costs: `cargo bench -p novel-cli --bench search`.
//!
//! Two books are imported, one of 10 chapters and one of 1,000, each chapter 4,000 Han characters
//! long with a summary beside it. The binary is started anew for every search. Nothing here fails
//! on a slow machine; it prints the target beside each figure.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark fails loudly"
)]
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

const SMALL: u32 = 10;
const LARGE: u32 = 1000;
const CHARACTERS: u32 = 4000;
const RUNS: usize = 25;
const TARGET_MS: f64 = 100.0;

fn main() {
    // `cargo test --benches` asks for no figures.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() {
        memory.to_owned()
    } else {
        std::env::temp_dir()
    };
    let home = tempfile::tempdir_in(place).unwrap();
    let books = [SMALL, LARGE].map(|chapters| book(home.path(), chapters));
    println!(
        "{:<34} {:>12} {:>12} {:>7} {:>10}",
        "search", SMALL, LARGE, "ratio", "target"
    );
    for (name, args) in [
        ("exact, a name", vec!["--exact", "林枫"]),
        ("exact, nothing found", vec!["--exact", "不存在的词"]),
        ("ranked, a name with aliases", vec!["林枫"]),
        ("ranked, three words", vec!["林枫", "密信", "古塔"]),
        ("ranked, a term that comes apart", vec!["夜探废墟密信"]),
        ("ranked, a word of another script", vec!["tower"]),
    ] {
        let times = books.each_ref().map(|root| median(root, &args));
        let ratio = times[1] / times[0];
        println!(
            "{name:<34} {:>9.1} ms {:>9.1} ms {ratio:>7.2} {TARGET_MS:>7.0} ms",
            times[0], times[1]
        );
    }
}

/// A book with a cast of one and so many chapters, through the binary.
fn book(home: &Path, chapters: u32) -> PathBuf {
    let root = home.join(format!("book-{chapters}"));
    let file = home.join(format!("{chapters}.txt"));
    let mut random = Random(7);
    let mut text = String::new();
    for chapter in 1..=chapters {
        text.push_str(&format!("第{chapter}章 章名\n"));
        text.push_str(&prose(&mut random, CHARACTERS));
    }
    fs::write(&file, text).unwrap();
    let started = Instant::now();
    let name = file.to_str().unwrap();
    novel(
        home,
        &["import", name, "--yes", "--into", root.to_str().unwrap()],
    );
    println!(
        "imported {chapters} chapters in {:.2} s",
        started.elapsed().as_secs_f64()
    );
    let cast = root.join("characters/active");
    fs::create_dir_all(&cast).unwrap();
    let record = r#"{"id": "lin-feng", "display_name": "林枫", "aliases": ["小枫", "枫儿"], "contracts": []}"#;
    fs::write(cast.join("lin-feng.json"), record).unwrap();
    fs::create_dir_all(root.join("summaries")).unwrap();
    for chapter in 1..=chapters {
        let path = root.join(format!("summaries/chapter-{chapter:03}-summary.md"));
        fs::write(path, prose(&mut random, 250)).unwrap();
    }
    root
}

/// Sentences of Han characters, now and then with a name.
fn prose(random: &mut Random, characters: u32) -> String {
    const NAMES: [&str; 8] = [
        "林枫", "小枫", "枫儿", "密信", "古塔", "夜探", "废墟", "Tower",
    ];
    let mut text = String::new();
    let mut count = 0;
    while count < characters {
        let length = 8 + random.below(24);
        for _ in 0..length {
            text.extend(char::from_u32(0x4E00 + random.below(3000)));
        }
        count += length;
        if random.below(40) == 0 {
            text.push_str(NAMES[random.below(8) as usize]);
        }
        text.push_str(if random.below(4) == 0 { "。\n" } else { "，" });
    }
    text.push_str("。\n");
    text
}

/// The same numbers every time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(end)).unwrap()
    }
}

fn median(root: &Path, args: &[&str]) -> f64 {
    let all = [&["search"], args].concat();
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let started = Instant::now();
            novel(root, &all);
            started.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}

fn novel(here: &Path, args: &[&str]) {
    let status = Command::new(env!("CARGO_BIN_EXE_novel"))
        .args(args)
        .current_dir(here)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "{args:?}");
}
