//! How the program grows with the book: `cargo bench -p novel-cli --bench scale`.
//!
//! The offline author writes one book of 1,000 chapters, as `novel init --genre 玄幻 --yes` and
//! `novel run --to 1000` do. A copy is put aside at chapter 33. The same commands run on both copies,
//! and their ratio is printed; then going back, export and the phrase check on the large one. Nothing
//! here fails on a slow machine; it prints the target beside each figure.
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
    thread,
    time::{Duration, Instant},
};

use novel_app::{
    Clock, Project,
    history::rollback,
    library::status::status,
    write::advance::advance,
    write::commit::{CommitMode, commit},
    write::instructions::{Save, instructions},
    write::next::next_step,
    write::submit::{Origin, submit},
};
use novel_book::context::blacklist_lint;
use novel_model::{
    ChapterNo, Lang, StepId,
    files::{Blacklist, JudgeRole},
};
use novel_offline::OfflineBook;
use novel_prompt::packet::PacketMode;
use novel_store::Store;
use novel_testkit::{Manner, Plan, plan};

const SMALL: u32 = 33;
const LARGE: u32 = 1000;
/// What 1,000 chapters may cost of what 33 do.
const TARGET: f64 = 1.3;
/// After this long the state of a file counts.
const SETTLED: Duration = Duration::from_secs(4);
const RUNS: usize = 50;
const COMMITS: usize = 15;

/// A reading command on a book with so many chapters.
type Read = fn(&Project, u32);
/// The arguments of a command on such a book.
type Args = fn(u32) -> Vec<String>;

fn main() {
    // `cargo test --benches` asks for no figures.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let home = tempfile::tempdir_in(fast_place()).unwrap();
    println!("books in {}", fast_place().display());
    let book = home.path().join("book");
    novel(home.path(), &["init", "--genre", "玄幻", "--yes", "book"]);
    let books = [SMALL, LARGE].map(|chapters| {
        let started = Instant::now();
        novel(&book, &["run", "--to", &chapters.to_string()]);
        let took = started.elapsed().as_secs_f64();
        println!("wrote chapters up to {chapters} in {took:.1} s");
        let root = home.path().join(format!("book-{chapters}"));
        copy(&book, &root);
        (root, chapters + 1)
    });
    // Copied files are other files to the index of recall, and fresh ones have no state it could note.
    thread::sleep(SETTLED);
    for (root, chapter) in &books {
        novel(
            root,
            &["instructions", &format!("chapter:{chapter:03}:draft")],
        );
    }
    head("library");
    let reads: [(&str, Read); 4] = [
        ("next", |project, _| drop(next_step(project).unwrap())),
        ("status", |project, _| {
            drop(status(project).unwrap().answer(Lang::En));
        }),
        ("instructions", |project, chapter| {
            packet(project, chapter, PacketMode::Paths);
        }),
        ("  --embed", |project, chapter| {
            packet(project, chapter, PacketMode::Embed);
        }),
    ];
    for (name, read) in reads {
        let sample = |at: usize| {
            let (root, chapters) = &books[at];
            timed(|| read(&open(root), *chapters))
        };
        row(name, medians(RUNS, sample));
    }
    let judged = books.each_ref().map(|(root, chapters)| {
        let judged = root.with_extension("judged");
        copy(root, &judged);
        up_to_judged(&judged, *chapters);
        (judged, *chapters)
    });
    let commit_of = |at: usize, act: &dyn Fn(&Path, u32)| {
        let (from, chapters) = &judged[at];
        let work = home.path().join("work");
        copy(from, &work);
        let time = timed(|| act(&work, *chapters));
        fs::remove_dir_all(&work).unwrap();
        time
    };
    let by_library = |root: &Path, chapter: u32| {
        drop(commit(&open(root), number(chapter), CommitMode::Apply).unwrap());
    };
    row("commit", medians(COMMITS, |at| commit_of(at, &by_library)));

    head("process");
    let commands: [(&str, Args); 3] = [
        ("next", |_| vec!["next".to_owned()]),
        ("status", |_| vec!["status".to_owned()]),
        ("instructions", |chapter| {
            let step = step(chapter, "draft").to_string();
            vec!["instructions".to_owned(), step]
        }),
    ];
    for (name, args) in commands {
        let sample = |at: usize| {
            let (root, chapters) = &books[at];
            let args = args(*chapters);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            timed(|| novel(root, &args))
        };
        row(name, medians(RUNS, sample));
    }
    let by_process = |root: &Path, chapter: u32| {
        novel(root, &["commit", "--chapter", &chapter.to_string()]);
    };
    row("commit", medians(COMMITS, |at| commit_of(at, &by_process)));

    let large = &books[1].0;
    past(large);
    export(large);

    println!("\na cold `novel next` is the first row of the processes (target 10 ms)");
    for (name, phrases) in [
        ("phrases of all kinds", varied_phrases()),
        ("phrases that begin alike", similar_phrases()),
    ] {
        let (text, blacklist) = lint_sample(phrases);
        let [time, _] = medians(RUNS, |_| timed(|| drop(blacklist_lint(&text, &blacklist))));
        println!(
            "lint, 3,000 characters, 1,000 {name}: {} (target 1 ms)",
            millis(time)
        );
    }
}

/// Memory, where there is such a place: the ratios are then those of the program, not of the disk.
fn fast_place() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    if memory.is_dir() {
        memory
    } else {
        std::env::temp_dir()
    }
}

fn open(root: &Path) -> Project {
    let noon = "2026-03-01T12:00:00Z".parse().unwrap();
    Project::open(Store::open(root).unwrap(), Clock::Fixed(noon)).unwrap()
}

fn number(chapter: u32) -> ChapterNo {
    ChapterNo::new(chapter).unwrap()
}

fn step(chapter: u32, stage: &str) -> StepId {
    format!("chapter:{chapter}:{stage}").parse().unwrap()
}

/// Writes a chapter with the offline author until only its commit is left.
fn up_to_judged(root: &Path, chapter: u32) {
    let (project, store) = (open(root), Store::open(root).unwrap());
    for stage in ["draft", "summarize", "refine", "judge"] {
        let step = step(chapter, stage);
        let report = instructions(&project, step, PacketMode::Paths, Save::Print).unwrap();
        let reader = store.reader().unwrap();
        let book = OfflineBook {
            reader: &reader,
            config: project.config(),
        };
        let answer = novel_offline::answer(book, &report.packet).unwrap();
        // A key chapter wants two verdicts; the second is not asked for elsewhere.
        let judges: &[JudgeRole] = match stage {
            "judge" => &[JudgeRole::Primary, JudgeRole::Secondary],
            _ => &[JudgeRole::Primary],
        };
        for judge in judges {
            let origin = Origin {
                judge: *judge,
                ..Origin::default()
            };
            submit(&project, step, answer.as_bytes(), &origin).unwrap();
        }
        drop(advance(&project, step).unwrap());
    }
}

/// Going back in a book of 500 chapters, by one and to its beginning.
fn past(large: &Path) {
    let book = large.with_extension("half");
    copy(large, &book);
    rollback(&open(&book), 500).unwrap();
    println!();
    for last in [499, 1] {
        let [time, _] = medians(3, |_| {
            let work = large.with_extension("work");
            copy(&book, &work);
            let time = timed(|| {
                rollback(&open(&work), last).unwrap();
            });
            fs::remove_dir_all(&work).unwrap();
            time
        });
        println!(
            "rollback, 500 chapters to {last}: {} (target 2 s)",
            millis(time)
        );
    }
}

/// The whole large book as one file.
fn export(large: &Path) {
    for format in ["txt", "epub"] {
        let file = large.with_extension(format).display().to_string();
        let args = ["export", "--force", "--format", format, "--out", &file];
        let [time, _] = medians(3, |_| timed(|| novel(large, &args)));
        println!(
            "export of {LARGE} chapters as {format}: {} (target 3 s)",
            millis(time)
        );
    }
}

fn packet(project: &Project, chapter: u32, mode: PacketMode) {
    let report = instructions(project, step(chapter, "draft"), mode, Save::Print).unwrap();
    drop(report.answer());
}

fn novel(root: &Path, args: &[&str]) {
    let status = Command::new(env!("CARGO_BIN_EXE_novel"))
        .arg("--json")
        .args(args)
        .current_dir(root)
        .env_clear()
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "{args:?}");
}

/// Phrases of four characters, each from another corner of the writing system.
fn varied_phrases() -> Vec<String> {
    let char_at = |at: u32| char::from_u32(0x4E00 + at % 0x5000).unwrap();
    (0..998)
        .map(|at| (0..4).map(|place| char_at(at * 41 + place * 977)).collect())
        .collect()
}

/// Phrases with the same first character, one that is frequent in the text.
fn similar_phrases() -> Vec<String> {
    (0..998)
        .map(|at| format!("第{}种说法", plan::numeral(at)))
        .collect()
}

/// A chapter of 3,000 characters, and a list with two more phrases that occur in it.
fn lint_sample(mut words: Vec<String>) -> (String, Blacklist) {
    let plan = Plan::new(40);
    let mut text = String::new();
    for chapter in 1.. {
        text.push_str(&plan.draft(chapter, Manner::Usual));
        if plan::measure(&text).words >= 3000 {
            break;
        }
    }
    words.extend(["低声说".to_owned(), "点了点头".to_owned()]);
    let list = serde_json::json!({"version": "1.0.0", "words": words});
    let blacklist: Blacklist = serde_json::from_value(list).unwrap();
    assert!(blacklist_lint(&text, &blacklist).total_hits > 5);
    (text, blacklist)
}

fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp")
        .arg("-a")
        .arg(from)
        .arg(to)
        .status()
        .unwrap();
    assert!(status.success());
}

fn timed(act: impl FnOnce()) -> Duration {
    let started = Instant::now();
    act();
    started.elapsed()
}

/// Medians for the small and the large book, sampled in turns so that both meet the same machine.
fn medians(runs: usize, mut sample: impl FnMut(usize) -> Duration) -> [Duration; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..runs {
        for (at, times) in times.iter_mut().enumerate() {
            times.push(sample(at));
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    })
}

fn millis(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1000.0)
}

fn head(name: &str) {
    println!(
        "\n{name:<14} {:>12} {:>12} {:>7}  target",
        "33 chapters", "1,000", "ratio"
    );
}

fn row(name: &str, [small, large]: [Duration; 2]) {
    let ratio = large.as_secs_f64() / small.as_secs_f64();
    println!(
        "{name:<14} {:>12} {:>12} {ratio:>7.2}  {TARGET:.2}",
        millis(small),
        millis(large)
    );
}
